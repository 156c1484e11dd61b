/* cited account: who may hold keys and sign in. */
#include "prog/cli.h"

#include "base/clock.h"
#include "base/password.h"
#include "store/callback.h"
#include "store/session.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static void write_account(struct json_out *w, const struct account *a)
{
    jw_object(w);
    jw_kint(w, "id", a->id);
    jw_kstring(w, "email", a->email);
    jw_kstamp(w, "createdAt", a->created_ms);
    jw_kstring(w, "role", role_name(a->role));
    jw_kbool(w, "password", a->password != NULL);
    jw_kbool(w, "disabled", a->disabled);
    jw_object_end(w);
}

static int print_account(struct cli *cli, const struct account *a,
                         const char *what)
{
    struct cli_json j;
    struct json_out *w;

    if (!cli->json) {
        printf("Account %s %s.\n", a->email, what);
        return CLI_OK;
    }
    w = cli_json_begin(&j);
    write_account(w, a);
    return cli_json_end(cli, &j);
}

/* The account as it is after a change, or why there was none. */
static int print_changed(struct cli *cli, int64_t id, const char *what,
                         enum err e, struct errctx *ec)
{
    struct account a;

    if (e == ERR_OK)
        e = account_get(cli->store.state, id, &cli->arena, &a, ec);
    return e == ERR_OK ? print_account(cli, &a, what) : cli_fail(cli, ec);
}

static int create(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    bool is_operator = false;
    const struct cli_option options[] = {CLI_FLAG("operator", &is_operator),
                                         CLI_OPTIONS_END};
    int64_t id = 0;
    enum err e;

    if (!cli_options(cli, argc, argv, options) ||
        !cli_operands(cli, argc, 1, "EMAIL"))
        return CLI_USAGE;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    e = account_create(cli->store.state, argv[optind], clock_now_ms(), &id,
                       &ec);
    if (e == ERR_OK)
        e = account_set_role(cli->store.state, id,
                             is_operator ? ROLE_OPERATOR : ROLE_USER, &ec);
    return print_changed(cli, id, "created", e, &ec);
}

static int role(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    bool is_operator = strcmp(argv[2], role_name(ROLE_OPERATOR)) == 0;
    struct account a;
    enum err e;

    (void)argc;
    if (!is_operator && strcmp(argv[2], role_name(ROLE_USER)) != 0)
        return cli_usage(cli, "a role is operator or user, not \"%s\"",
                         argv[2]);
    if (!cli_find_account(cli, argv[1], &a))
        return CLI_FAILED;
    e = account_set_role(cli->store.state, a.id,
                         is_operator ? ROLE_OPERATOR : ROLE_USER, &ec);
    return print_changed(cli, a.id,
                         is_operator ? "is an operator" : "is a user", e, &ec);
}

/* --- the password ------------------------------------------------------ */

/* One line of standard input without its end; what does not fit makes it too
 * long to be a password. False at the end of the input. */
static bool read_line(char *out, size_t size)
{
    size_t n;

    if (fgets(out, (int)size, stdin) == NULL)
        return false;
    n = strcspn(out, "\r\n");
    out[n] = '\0';
    return true;
}

/* The same from the terminal, unseen. */
static bool ask_line(const char *question, char *out, size_t size)
{
    struct termios was, quiet;
    bool hidden = tcgetattr(STDIN_FILENO, &was) == 0, ok;

    fputs(question, stderr);
    if (hidden) {
        quiet = was;
        quiet.c_lflag &= ~(tcflag_t)ECHO;
        hidden = tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0;
    }
    ok = read_line(out, size);
    if (hidden)
        (void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &was);
    fputc('\n', stderr);
    return ok;
}

/* A password from the terminal, twice, or from one line of standard input. */
static enum err read_password(char *out, size_t size, struct errctx *ec)
{
    char again[PASSWORD_MAX + 3];
    bool ok;

    if (isatty(STDIN_FILENO) != 1) {
        ok = read_line(out, size);
    } else {
        ok = ask_line("Password: ", out, size) &&
             ask_line("Once more: ", again, sizeof again);
        if (ok && strcmp(out, again) != 0)
            return err_set(ec, ERR_INVALID, "these are two passwords");
    }
    return ok ? ERR_OK
              : err_set(ec, ERR_INVALID, "no password came on standard input");
}

static int password(struct cli *cli, int argc, char **argv)
{
    char text[PASSWORD_MAX + 3], hash[PASSWORD_HASH_MAX];
    struct errctx ec = {ERR_OK, ""};
    struct account a;
    enum err e;

    (void)argc;
    e = read_password(text, sizeof text, &ec);
    if (e == ERR_OK)
        e = password_hash(text, hash, &ec);
    if (e != ERR_OK)
        return cli_fail(cli, &ec);
    if (!cli_find_account(cli, argv[1], &a))
        return CLI_FAILED;
    e = account_set_password(cli->store.state, a.id, hash, &ec);
    return print_changed(cli, a.id, "has a new password", e, &ec);
}

static int list(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    struct account *all = NULL;
    struct cli_json j;
    struct json_out *w;
    size_t count = 0;

    (void)argc;
    (void)argv;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    if (account_list(cli->store.state, &cli->arena, &all, &count, &ec) !=
        ERR_OK)
        return cli_fail(cli, &ec);
    w = cli_json_begin(&j);
    jw_array(w);
    for (size_t i = 0; i < count; i++) {
        write_account(w, &all[i]);
        if (!cli->json)
            printf("%lld\t%s%s%s\n", (long long)all[i].id, all[i].email,
                   all[i].role == ROLE_OPERATOR ? "\toperator" : "",
                   all[i].disabled ? "\tdisabled" : "");
    }
    jw_array_end(w);
    if (cli->json)
        return cli_json_end(cli, &j);
    buf_fini(&j.b);
    if (count == 0)
        cli_note(cli, "No account yet; see: cited help account");
    return CLI_OK;
}

static int set_disabled(struct cli *cli, const char *email, bool disabled)
{
    struct errctx ec = {ERR_OK, ""};
    struct account a;
    enum err e;

    if (!cli_find_account(cli, email, &a))
        return CLI_FAILED;
    e = account_set_disabled(cli->store.state, a.id, disabled, &ec);
    return print_changed(cli, a.id, disabled ? "disabled" : "enabled", e, &ec);
}

static int disable(struct cli *cli, int argc, char **argv)
{
    (void)argc;
    return set_disabled(cli, argv[1], true);
}

static int enable(struct cli *cli, int argc, char **argv)
{
    (void)argc;
    return set_disabled(cli, argv[1], false);
}

/* What signs the records sent to the account's callback addresses. */
static int secret(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    unsigned char bytes[SHA256_BYTES];
    char text[SHA256_BASE64_LEN + 1];
    struct account a;
    bool renew = false;
    const struct cli_option options[] = {CLI_FLAG("new", &renew),
                                         CLI_OPTIONS_END};

    if (!cli_options(cli, argc, argv, options) ||
        !cli_operands(cli, argc, 1, "EMAIL"))
        return CLI_USAGE;
    if (!cli_find_account(cli, argv[optind], &a))
        return CLI_FAILED;
    if (callback_secret(cli->store.state, a.id, renew, bytes, &ec) != ERR_OK)
        return cli_fail(cli, &ec);
    id_base64(bytes, text);
    printf(cli->json ? "{\"secret\":\"whsec_%s\"}\n" : "whsec_%s\n", text);
    return CLI_OK;
}

/* The end of an address that opens the console signed in, once. */
static int sign_in_link(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    char token[KEY_LEN + 1];
    struct account a;

    (void)argc;
    if (!cli_find_account(cli, argv[1], &a))
        return CLI_FAILED;
    if (session_link_create(cli->store.state, a.id, clock_now_ms(),
                            SESSION_LINK_MS, token, &ec) != ERR_OK)
        return cli_fail(cli, &ec);
    printf(cli->json ? "{\"link\":\"/#/open/%s\"}\n" : "/#/open/%s\n", token);
    cli_note(cli, "Put it behind the console's address; it signs in once, "
                  "within an hour.");
    return CLI_OK;
}

int cli_account(struct cli *cli, int argc, char **argv)
{
    static const struct cli_word words[] = {
        {"create", create, 0, NULL},
        {"list", list, 0, ""},
        {"role", role, 2, "EMAIL operator|user"},
        {"password", password, 1, "EMAIL"},
        {"disable", disable, 1, "EMAIL"},
        {"enable", enable, 1, "EMAIL"},
        {"link", sign_in_link, 1, "EMAIL"},
        {"secret", secret, 0, NULL},
        {NULL, NULL, 0, NULL}};

    return cli_dispatch(cli, words, argc, argv);
}
