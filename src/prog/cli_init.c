/*
 * cited init: a new installation, by questions on a terminal or by options:
 * configuration, data folder, first account and key, and the configuration of
 * a web server. Never replaces a file that is there.
 */
#include "prog/cli_deploy.h"

#include "base/beside.h"
#include "base/clock.h"
#include "base/id.h"
#include "store/account.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ANSWER_MAX = 1024, TEXT_MAX = 256 * 1024 };

extern char **environ;

struct init {
    struct cli *cli;
    const char *conf, *data, *user, *email, *contact, *server;
    const char *address, *base, *socket;
    int64_t port;
    bool ask;                   /* a terminal is there */
    const struct passwd *owner; /* of the data folder, or NULL: us */
    const char *key;            /* made for email, or NULL */
    const char *wrote;          /* the server's configuration, or NULL */
};

/* --- questions --------------------------------------------------------- */

/* One line from the terminal; fallback when it is empty. */
static const char *ask(struct init *t, const char *question,
                       const char *fallback)
{
    char line[ANSWER_MAX];
    size_t n;

    fprintf(stderr, "%s%s%s%s: ", question, *fallback == '\0' ? "" : " [",
            fallback, *fallback == '\0' ? "" : "]");
    if (fgets(line, sizeof line, stdin) == NULL)
        return fallback;
    n = strcspn(line, "\r\n");
    return n == 0 ? fallback : arena_strndup(&t->cli->arena, line, n);
}

static void choose(struct init *t, const char **what, const char *question,
                   const char *fallback)
{
    if (*what == NULL)
        *what = t->ask ? ask(t, question, fallback) : fallback;
    if (*what == NULL)
        *what = fallback;
}

static bool is_server(const char *name)
{
    static const char *const servers[] = {"lighttpd", "apache", "nginx",
                                          "shared-hosting", "none"};

    for (size_t i = 0; i < sizeof servers / sizeof servers[0]; i++)
        if (strcmp(servers[i], name) == 0)
            return true;
    return false;
}

static void choose_all(struct init *t)
{
    bool asked = t->ask && t->server == NULL;
    bool root = geteuid() == 0;

    if (t->conf == NULL)
        t->conf = root ? "/etc/cited/cited.conf" : "cited.conf";
    choose(t, &t->data, "Data folder", root ? "/var/lib/cited" : "./var");
    choose(t, &t->email, "E-mail of the first account (empty: none)", "");
    choose(t, &t->contact, "Contact shown to the sites that are read",
           t->ask ? t->email : "");
    choose(t, &t->server,
           "Web server: lighttpd, apache, nginx, shared-hosting or none",
           "none");
    while (asked && !is_server(t->server)) {
        fprintf(stderr, "\"%s\" is none of these.\n", t->server);
        t->server = ask(t, "Web server", "none");
    }
    if (root)
        t->owner = getpwnam(t->user == NULL ? "cited" : t->user);
}

/* The path from the root of the file system, for people to read. */
static const char *whole_path(struct init *t, const char *path)
{
    char here[PATH_MAX];

    return *path == '/' || getcwd(here, sizeof here) == NULL
               ? path
               : arena_printf(&t->cli->arena, "%s/%s", here,
                              strncmp(path, "./", 2) == 0 ? path + 2 : path);
}

/* Says what will be written; false when the person at the terminal does not
 * want it. */
static bool confirm(struct init *t)
{
    bool served = strcmp(t->server, "none") != 0;

    if (!t->ask)
        return true;
    fprintf(stderr, "This writes %s%s, and makes the folder %s.\n",
            whole_path(t, t->conf),
            served ? " and the web server's configuration beside it" : "",
            whole_path(t, t->data));
    if (strncasecmp(ask(t, "Go on", "yes"), "y", 1) == 0)
        return true;
    fprintf(stderr, "Nothing was written.\n");
    return false;
}

/* --- the parts --------------------------------------------------------- */

static bool check(struct init *t)
{
    if (t->user != NULL && t->owner == NULL)
        return cli_failf(t->cli, ERR_NOT_FOUND,
                         geteuid() == 0 ? "there is no user %s"
                                        : "only root can make it %s's",
                         t->user) == CLI_OK;
    if (access(t->conf, F_OK) == 0)
        return cli_failf(t->cli, ERR_CONFLICT,
                         "%s exists; name another with --conf",
                         t->conf) == CLI_OK;
    return true;
}

static const char *folder_of(struct init *t, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return ".";
    return slash == path
               ? "/"
               : arena_strndup(&t->cli->arena, path, (size_t)(slash - path));
}

static bool give(struct init *t, const char *path, bool group_only)
{
    if (t->owner == NULL ||
        chown(path, group_only ? 0 : t->owner->pw_uid, t->owner->pw_gid) == 0)
        return true;
    cli_failf(t->cli, ERR_IO, "cannot give %s to %s: %s", path,
              t->owner->pw_name, strerror(errno));
    return false;
}

/* The table the code uses, with our values in it. */
static bool write_conf(struct init *t)
{
    const struct conf_setting set[] = {
        {"data", "dir", t->data},
        {*t->contact == '\0' ? "" : "crawl", "contact", t->contact},
        {NULL, NULL, NULL}};
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    bool ok = false;

    if (f == NULL)
        return cli_failf(t->cli, ERR_NOMEM, "out of memory") == CLI_OK;
    conf_print(f, set);
    if (fclose(f) == 0)
        ok = deploy_folder(t->cli, folder_of(t, t->conf), 0755) &&
             deploy_put(t->cli, t->conf, text, n, 0640) &&
             give(t, t->conf, true);
    free(text);
    if (ok)
        t->conf = deploy_real(t->cli, t->conf);
    return ok && t->conf != NULL;
}

static bool make_data(struct init *t)
{
    if (!deploy_folder(t->cli, t->data, 0700) || !give(t, t->data, false))
        return false;
    t->data = deploy_real(t->cli, t->data);
    return t->data != NULL;
}

/* From here on as the user who owns the data, so that every file is his. */
static bool become_owner(struct init *t)
{
    if (t->owner == NULL ||
        (setresgid(t->owner->pw_gid, t->owner->pw_gid, t->owner->pw_gid) == 0 &&
         setresuid(t->owner->pw_uid, t->owner->pw_uid, t->owner->pw_uid) == 0))
        return true;
    return cli_failf(t->cli, ERR_IO, "cannot become %s: %s", t->owner->pw_name,
                     strerror(errno)) == CLI_OK;
}

static bool make_account(struct init *t)
{
    struct cli *cli = t->cli;
    struct errctx ec = {ERR_OK, ""};
    char *key = arena_alloc(&cli->arena, KEY_LEN + 1);
    const char *id;
    int64_t account = 0;

    if (cli->conf.data_dir != NULL)
        conf_fini(&cli->conf);
    if (key == NULL ||
        conf_load(&cli->conf, t->conf, t->data, environ, &ec) != ERR_OK)
        return cli_fail(cli, &ec) == CLI_OK;
    if (!cli_open_store(cli))
        return false;
    if (*t->email == '\0')
        return true;
    if (account_create(cli->store.state, t->email, clock_now_ms(), &account,
                       &ec) != ERR_OK ||
        account_set_role(cli->store.state, account, ROLE_OPERATOR, &ec) !=
            ERR_OK ||
        key_create(cli->store.state, account, "first", clock_now_ms(), key, &id,
                   &cli->arena, &ec) != ERR_OK)
        return cli_fail(cli, &ec) == CLI_OK;
    t->key = key;
    return true;
}

/* --- the web server ---------------------------------------------------- */

/* What each server is given: files of deploy/, and under which names they
 * are written beside the configuration. */
struct product {
    const char *server, *file, *name;
    mode_t mode;
    enum { ALWAYS, OWN, SOCKET } when; /* who starts the responder */
};

static const struct product products[] = {
    {"lighttpd", "lighttpd/cited.conf", "lighttpd.conf", 0644, OWN},
    {"lighttpd", "lighttpd/socket.conf", "lighttpd.conf", 0644, SOCKET},
    {"apache", "apache/cited.conf", "apache.conf", 0644, OWN},
    {"apache", "apache/socket.conf", "apache.conf", 0644, SOCKET},
    {"nginx", "nginx/cited.conf", "nginx.conf", 0644, ALWAYS},
    {"nginx", "spawn-fcgi/cited", "spawn-cited", 0755, OWN},
    {"shared-hosting", "shared-hosting/.htaccess", ".htaccess", 0644, ALWAYS},
    {"shared-hosting", "cgi/cited.cgi", "cited.cgi", 0755, ALWAYS},
};

static bool is_for(const struct product *p, const struct init *t)
{
    return strcmp(p->server, t->server) == 0 &&
           (p->when == ALWAYS || (p->when == SOCKET) == (t->socket != NULL));
}

/* The shipped files name the data folder; ours name the configuration, which
 * names the folder and all else. */
static bool name_conf(struct init *t, struct buf *b)
{
    static const char old[] = "CITED_DATA_DIR", new[] = "CITED_CONF";
    const char *from = buf_str(b), *at;
    struct buf out;
    bool ok;

    buf_init(&out, TEXT_MAX);
    while ((at = strstr(from, old)) != NULL) {
        (void)buf_add(&out, from, (size_t)(at - from));
        (void)buf_adds(&out, new);
        from = at + sizeof old - 1;
    }
    (void)buf_adds(&out, from);
    ok = buf_err(&out) == ERR_OK;
    buf_reset(b);
    if (ok)
        ok = buf_add(b, buf_str(&out), out.len) == ERR_OK;
    buf_fini(&out);
    return ok || cli_failf(t->cli, ERR_NOMEM, "out of memory") == CLI_OK;
}

/* A whole lighttpd that root starts must not stay root: it becomes the owner of
 * the data. Parts of another server's configuration leave that to it. */
static void name_user(struct init *t, const struct product *p, struct buf *b)
{
    if (t->owner != NULL && strcmp(p->file, "lighttpd/cited.conf") == 0)
        (void)buf_addf(b,
                       "\n# Started by root it works as this user.\n"
                       "server.username = \"%s\"\n",
                       t->owner->pw_name);
}

static bool write_product(struct init *t, const struct product *p,
                          const char *dir, const struct deploy_place *places)
{
    const char *path = arena_printf(&t->cli->arena, "%s/%s", dir, p->name);
    struct buf b;
    bool ok;

    if (path == NULL)
        return false;
    if (access(path, F_OK) == 0)
        return cli_failf(t->cli, ERR_CONFLICT, "%s exists; move it away",
                         path) == CLI_OK;
    buf_init(&b, TEXT_MAX);
    ok = deploy_fill(t->cli, p->file, places, &b) && name_conf(t, &b);
    name_user(t, p, &b);
    ok = ok && buf_err(&b) == ERR_OK &&
         deploy_put(t->cli, path, buf_str(&b), b.len, p->mode);
    buf_fini(&b);
    if (ok && t->wrote == NULL)
        t->wrote = path;
    return ok;
}

static bool write_server(struct init *t)
{
    struct arena *a = &t->cli->arena;
    const char *dir = folder_of(t, t->conf), *www = deploy_www(t->cli);
    const char *errors = arena_printf(a, "%s/errors", dir);
    const char *run = arena_printf(a, "%s/run", t->data);
    char fcgi[PROGRAM_PATH_MAX];
    const char *bin = program_find("cited.fcgi", fcgi)
                          ? deploy_real(t->cli, folder_of(t, fcgi))
                          : NULL;
    const struct deploy_place places[] = {
        {"ADDRESS", t->address},
        {"PORT", arena_printf(a, "%lld", (long long)t->port)},
        {"BINDIR", bin},
        {"DATA", t->conf},
        {"RUN", run},
        {"SOCKET",
         t->socket != NULL ? t->socket : arena_printf(a, "%s/cited.sock", run)},
        {"WWW", www == NULL ? run : www},
        {"ERRORS", errors},
        {"TIMEOUT", "60"},
        {"BASE", t->base},
        {NULL, NULL}};
    bool ok;

    if (strcmp(t->server, "none") == 0)
        return true;
    if (bin == NULL)
        return cli_failf(t->cli, ERR_NOT_FOUND,
                         "cited.fcgi is not beside this program") == CLI_OK;
    if (strcmp(t->server, "lighttpd") == 0 && t->socket == NULL &&
        strpbrk(bin, " \t") != NULL)
        return cli_failf(t->cli, ERR_INVALID,
                         "lighttpd cannot start a program whose path has a "
                         "blank (%s/cited.fcgi); call this program in a folder "
                         "without one, or start the responder yourself and "
                         "give --socket",
                         bin) == CLI_OK;
    ok = deploy_folder(t->cli, run, 0700) && give(t, run, false) &&
         deploy_put_errors(t->cli, errors,
                           strcmp(t->server, "lighttpd") == 0 ? ".html"
                                                              : ".json");
    for (size_t i = 0; i < sizeof products / sizeof products[0] && ok; i++)
        if (is_for(&products[i], t))
            ok = write_product(t, &products[i], dir, places);
    return ok;
}

/* --- the command ------------------------------------------------------- */

static int report_json(struct init *t)
{
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    jw_object(w);
    jw_kstring(w, "conf", t->conf);
    jw_kstring(w, "data", t->data);
    jw_kstring(w, "server", t->wrote);
    jw_kstring(w, "email", t->key == NULL ? NULL : t->email);
    jw_kstring(w, "key", t->key);
    jw_object_end(w);
    return cli_json_end(t->cli, &j);
}

static int report(struct init *t)
{
    if (t->cli->json)
        return report_json(t);
    printf("Configuration: %s\nData folder:   %s\n", t->conf, t->data);
    if (t->wrote != NULL)
        printf("Web server:    %s\n", t->wrote);
    if (t->key != NULL)
        printf("Key of %s, shown this once:\n  %s\n", t->email, t->key);
    printf("Next: cited crawl URL, and when the server runs: cited doctor "
           "--url http://%s:%lld%s\n",
           t->address, (long long)t->port, t->base);
    return CLI_OK;
}

static bool read_options(struct init *t, int argc, char **argv)
{
    const struct cli_option options[] = {CLI_TEXT("user", &t->user),
                                         CLI_TEXT("email", &t->email),
                                         CLI_TEXT("contact", &t->contact),
                                         CLI_TEXT("server", &t->server),
                                         CLI_TEXT("address", &t->address),
                                         CLI_INT("port", &t->port, 1, 65535),
                                         CLI_TEXT("base", &t->base),
                                         CLI_TEXT("socket", &t->socket),
                                         CLI_OPTIONS_END};

    return cli_options(t->cli, argc, argv, options) &&
           cli_operands(t->cli, argc, 0, "");
}

int cli_init(struct cli *cli, int argc, char **argv)
{
    struct init t = {.cli = cli,
                     .conf = cli->conf_path,
                     .data = cli->data_dir,
                     .address = "127.0.0.1",
                     .base = "",
                     .port = 8080};

    if (!read_options(&t, argc, argv))
        return CLI_USAGE;
    t.ask = isatty(STDIN_FILENO) == 1 && !cli->quiet && !cli->json;
    choose_all(&t);
    if (!is_server(t.server))
        return cli_usage(cli,
                         "--server is lighttpd, apache, nginx, shared-hosting "
                         "or none, not \"%s\"",
                         t.server);
    if (!check(&t) || !confirm(&t) || !make_data(&t) || !write_conf(&t) ||
        !write_server(&t) || !become_owner(&t) || !make_account(&t))
        return CLI_FAILED;
    return report(&t);
}
