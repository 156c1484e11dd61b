/* cited account: who may hold keys. */
#include "prog/cli.h"

#include "base/clock.h"
#include "base/date.h"
#include "store/account.h"
#include "store/callback.h"

#include <getopt.h>

static void write_account(struct json_out *w, const struct account *a)
{
    char at[STAMP_LEN + 1];

    date_format_stamp(a->created_ms, at);
    jw_object(w);
    jw_kint(w, "id", a->id);
    jw_kstring(w, "email", a->email);
    jw_kstring(w, "createdAt", at);
    jw_kbool(w, "disabled", a->disabled);
    jw_object_end(w);
}

static int print_account(struct cli *cli, const struct account *a,
                         const char *what)
{
    struct buf b;
    struct json_out w;
    int status;

    if (!cli->json) {
        printf("Account %s %s.\n", a->email, what);
        return CLI_OK;
    }
    buf_init(&b, CLI_OUT_MAX);
    jw_init(&w, &b);
    write_account(&w, a);
    status = cli_print(cli, &b);
    buf_fini(&b);
    return status;
}

static int create(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    struct account a;
    int64_t id;

    optind = 1;
    if (!cli_operands(cli, argc, 1, "EMAIL"))
        return CLI_USAGE;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    if (account_create(cli->store.state, argv[1], clock_now_ms(), &id, &ec) !=
            ERR_OK ||
        account_find(cli->store.state, argv[1], &cli->arena, &a, &ec) != ERR_OK)
        return cli_fail(cli, &ec);
    return print_account(cli, &a, "created");
}

static int list(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    struct account *all = NULL;
    struct buf b;
    struct json_out w;
    size_t count = 0;
    int status = CLI_OK;

    (void)argv;
    optind = 1;
    if (!cli_operands(cli, argc, 0, ""))
        return CLI_USAGE;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    if (account_list(cli->store.state, &cli->arena, &all, &count, &ec) !=
        ERR_OK)
        return cli_fail(cli, &ec);
    buf_init(&b, CLI_OUT_MAX);
    jw_init(&w, &b);
    jw_array(&w);
    for (size_t i = 0; i < count; i++) {
        write_account(&w, &all[i]);
        if (!cli->json)
            printf("%lld\t%s%s\n", (long long)all[i].id, all[i].email,
                   all[i].disabled ? "\tdisabled" : "");
    }
    jw_array_end(&w);
    if (cli->json)
        status = cli_print(cli, &b);
    else if (count == 0)
        cli_note(cli, "No account yet; see: cited help account");
    buf_fini(&b);
    return status;
}

static int set_disabled(struct cli *cli, int argc, char **argv, bool disabled)
{
    struct errctx ec = {ERR_OK, ""};
    struct account a;

    optind = 1;
    if (!cli_operands(cli, argc, 1, "EMAIL"))
        return CLI_USAGE;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    if (account_find(cli->store.state, argv[1], &cli->arena, &a, &ec) !=
            ERR_OK ||
        account_set_disabled(cli->store.state, a.id, disabled, &ec) != ERR_OK)
        return cli_fail(cli, &ec);
    a.disabled = disabled;
    return print_account(cli, &a, disabled ? "disabled" : "enabled");
}

static int disable(struct cli *cli, int argc, char **argv)
{
    return set_disabled(cli, argc, argv, true);
}

static int enable(struct cli *cli, int argc, char **argv)
{
    return set_disabled(cli, argc, argv, false);
}

/* What signs the records sent to the account's callback addresses. */
static int secret(struct cli *cli, int argc, char **argv)
{
    static const struct option options[] = {{"new", no_argument, NULL, 'n'},
                                            {NULL, 0, NULL, 0}};
    struct errctx ec = {ERR_OK, ""};
    unsigned char bytes[SHA256_BYTES];
    char text[SHA256_BASE64_LEN + 1];
    struct account a;
    bool renew = false;
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c != 'n')
            return cli_usage(cli, NULL);
        renew = true;
    }
    if (!cli_operands(cli, argc, 1, "EMAIL"))
        return CLI_USAGE;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    if (account_find(cli->store.state, argv[optind], &cli->arena, &a, &ec) !=
            ERR_OK ||
        callback_secret(cli->store.state, a.id, renew, bytes, &ec) != ERR_OK)
        return cli_fail(cli, &ec);
    id_base64(bytes, text);
    printf(cli->json ? "{\"secret\":\"whsec_%s\"}\n" : "whsec_%s\n", text);
    return CLI_OK;
}

int cli_account(struct cli *cli, int argc, char **argv)
{
    static const struct cli_word words[] = {
        {"create", create}, {"list", list},     {"disable", disable},
        {"enable", enable}, {"secret", secret}, {NULL, NULL}};

    return cli_dispatch(cli, words, argc, argv);
}
