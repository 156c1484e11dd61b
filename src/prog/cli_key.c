/* cited key: API keys of an account. The key itself is printed once. */
#include "prog/cli.h"

#include "base/clock.h"
#include "base/date.h"
#include "web/render.h"

#include <getopt.h>

static int print_key(struct cli *cli, const struct account *a,
                     const char *label, const char *id, const char *key)
{
    struct cli_json j;
    struct json_out *w;

    if (!cli->json) {
        puts(key);
        cli_note(cli,
                 "This is the only time key %s is shown; only its hash is "
                 "stored.",
                 id);
        return CLI_OK;
    }
    w = cli_json_begin(&j);
    jw_object(w);
    jw_kstring(w, "id", id);
    jw_kstring(w, "key", key);
    jw_kstring(w, "label", label);
    jw_kstring(w, "email", a->email);
    jw_object_end(w);
    return cli_json_end(cli, &j);
}

static int create(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    struct account a;
    char key[KEY_LEN + 1];
    const char *label = "", *id = NULL;
    const struct cli_option options[] = {CLI_TEXT("label", &label),
                                         CLI_OPTIONS_END};

    if (!cli_options(cli, argc, argv, options) ||
        !cli_operands(cli, argc, 1, "EMAIL"))
        return CLI_USAGE;
    if (!cli_find_account(cli, argv[optind], &a))
        return CLI_FAILED;
    if (key_create(cli->store.state, a.id, label, clock_now_ms(), key, &id,
                   &cli->arena, &ec) != ERR_OK)
        return cli_fail(cli, &ec);
    return print_key(cli, &a, label, id, key);
}

static void print_line(const struct api_key *k)
{
    char made[STAMP_LEN + 1], used[STAMP_LEN + 1];

    date_format_stamp(k->created_ms, made);
    date_format_stamp(k->last_used_ms, used);
    printf("%s\t%.10s\tused %.10s\t%s%s\n", k->id, made,
           k->last_used_ms == 0 ? "never" : used, k->label,
           k->revoked_ms == 0 ? "" : "\trevoked");
}

static int list(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    struct api_key *all = NULL;
    struct account a;
    struct cli_json j;
    struct json_out *w;
    size_t count = 0;

    (void)argc;
    if (!cli_find_account(cli, argv[1], &a))
        return CLI_FAILED;
    if (key_list(cli->store.state, a.id, &cli->arena, &all, &count, &ec) !=
        ERR_OK)
        return cli_fail(cli, &ec);
    w = cli_json_begin(&j);
    jw_array(w);
    for (size_t i = 0; i < count; i++) {
        render_key(w, &all[i]);
        if (!cli->json)
            print_line(&all[i]);
    }
    jw_array_end(w);
    if (cli->json)
        return cli_json_end(cli, &j);
    buf_fini(&j.b);
    if (count == 0)
        cli_note(cli, "%s has no key yet.", a.email);
    return CLI_OK;
}

static int revoke_key(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};

    (void)argc;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    if (key_revoke(cli->store.state, 0, argv[1], clock_now_ms(), &ec) != ERR_OK)
        return cli_fail(cli, &ec);
    if (cli->json)
        puts("{\"revoked\":true}");
    else
        printf("Key %s revoked.\n", argv[1]);
    return CLI_OK;
}

int cli_key(struct cli *cli, int argc, char **argv)
{
    static const struct cli_word words[] = {{"create", create, 0, NULL},
                                            {"list", list, 1, "EMAIL"},
                                            {"revoke", revoke_key, 1, "ID"},
                                            {NULL, NULL, 0, NULL}};

    return cli_dispatch(cli, words, argc, argv);
}
