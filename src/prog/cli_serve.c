/*
 * cited serve: a whole service in the foreground with one command: data
 * folder, account, key, lighttpd with the responder. What it started ends with
 * it: the web server, the responder, and research helpers of this data folder.
 *
 * It makes DATA/run (configuration, socket, log) and DATA/api-key, and nothing
 * outside. Killed at any point, the next one finds or makes what is missing.
 */
#include "prog/cli_deploy.h"

#include "base/beside.h"
#include "base/clock.h"
#include "base/id.h"
#include "store/session.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SOCKET_DIR_MAX = 90, /* a socket's path holds 107 bytes */
    READY_MS = 20000,
    STOP_MS = 5000,
    LOCK_MS = 6000, /* one before it may take STOP_MS to end */
    TICK_MS = 50,
    ASK_MS = 5000,
    TEXT_MAX = 256 * 1024,
    ENVIRON_MAX = 256 * 1024,
    TIMEOUT_S = 60,
    SERVER_FDS = 16384,
    LOOK_S = 1 /* that the data folder is still there */
};

static const char admin[] = "admin@localhost";

struct serve {
    struct cli *cli;
    const char *address, *www, *docs;
    int64_t port;
    const char *data, *run, *socket_dir; /* absolute */
    const char *bin_link;                /* in socket_dir, or NULL */
    const char *fcgi, *worker;           /* the programs */
    const char *base;                    /* http://address:port */
    const char *key;                     /* that works */
    bool key_is_new;
    int lock;
    pid_t server; /* 0: none */
    sigset_t signals;
    struct conf http_conf;
    struct http *http;
};

static const char *path_in(struct serve *s, const char *dir, const char *name)
{
    return arena_printf(&s->cli->arena, "%s/%s", dir, name);
}

/* --- processes --------------------------------------------------------- */

/* Does the file of NUL-separated strings hold this one? */
static bool file_holds(const char *path, const char *z)
{
    size_t n = strlen(z) + 1;
    char *text = malloc(ENVIRON_MAX + 1), *p;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool found = false;
    ssize_t got = 0, len = 0;

    while (fd >= 0 && text != NULL && len < ENVIRON_MAX &&
           (got = read(fd, text + len, (size_t)(ENVIRON_MAX - len))) > 0)
        len += got;
    for (p = text; text != NULL && !found && p + n <= text + len;) {
        char *end = memchr(p, '\0', (size_t)(text + len - p));

        found = memcmp(p, z, n) == 0;
        p = end == NULL ? text + len : end + 1;
    }
    if (fd >= 0)
        close(fd);
    free(text);
    return found;
}

/* Is it one of our programs, at work on this data folder? Detached helpers
 * have a session of their own, so they are known by that. */
static bool is_ours(const struct serve *s, const char *pid)
{
    char path[64], exe[PATH_MAX], value[PATH_MAX];
    ssize_t n;

    snprintf(path, sizeof path, "/proc/%.20s/exe", pid);
    n = readlink(path, exe, sizeof exe - 1);
    if (n <= 0)
        return false;
    exe[n] = '\0';
    if (n > 10 && strcmp(exe + n - 10, " (deleted)") == 0)
        exe[n - 10] = '\0';
    if (strcmp(exe, s->fcgi) != 0 && strcmp(exe, s->worker) != 0)
        return false;
    if (snprintf(value, sizeof value, "CITED_DATA_DIR=%s", s->data) >=
        (int)sizeof value)
        return false;
    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    if (file_holds(path, value))
        return true;
    snprintf(path, sizeof path, "/proc/%.20s/cmdline", pid);
    return file_holds(path, s->data);
}

/* Send sig (0: none) to all of ours; how many there are. */
static int signal_ours(const struct serve *s, int sig)
{
    DIR *proc = opendir("/proc");
    struct dirent *e;
    int count = 0;

    while (proc != NULL && (e = readdir(proc)) != NULL) {
        pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);

        if (pid <= 0 || pid == getpid() || !is_ours(s, e->d_name))
            continue;
        count++;
        if (sig != 0)
            kill(pid, sig);
    }
    if (proc != NULL)
        closedir(proc);
    return count;
}

/* Collect children that have ended; true: the web server was one of them. */
static bool reap(struct serve *s)
{
    bool server = false;
    pid_t pid;

    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
        server |= pid == s->server;
    if (server)
        s->server = 0;
    return server;
}

/* Asked to end; after five seconds they have to. */
static void stop_ours(struct serve *s)
{
    static const int how[] = {SIGTERM, SIGKILL};

    for (size_t i = 0; i < 2; i++) {
        struct deadline d = deadline_in(STOP_MS);
        int left = signal_ours(s, how[i]);

        while (left > 0 && !deadline_passed(&d)) {
            clock_sleep_us(TICK_MS * 1000);
            reap(s);
            left = signal_ours(s, 0);
        }
    }
}

static void stop_server(struct serve *s)
{
    static const int how[] = {SIGTERM, SIGKILL};

    for (size_t i = 0; i < 2 && s->server > 0; i++) {
        struct deadline d = deadline_in(STOP_MS);

        kill(s->server, how[i]);
        while (s->server > 0 && !deadline_passed(&d)) {
            clock_sleep_us(TICK_MS * 1000);
            reap(s);
        }
    }
}

/* --- folders ----------------------------------------------------------- */

/* One serve for one data folder. The lock is this process's alone; one that is
 * just ending, since who started it was killed, is waited for. */
static bool take_lock(struct serve *s)
{
    const char *path = path_in(s, s->run, "serve.lock");
    struct deadline d = deadline_in(LOCK_MS);

    s->lock =
        path == NULL ? -1 : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    while (s->lock >= 0) {
        if (flock(s->lock, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK || deadline_passed(&d))
            break;
        clock_sleep_us(TICK_MS * 1000);
    }
    if (s->lock >= 0 && errno == EWOULDBLOCK)
        cli_failf(s->cli, ERR_BUSY, "another 'cited serve' is using %s",
                  s->data);
    else
        cli_failf(s->cli, err_of_errno(errno), "cannot write %s: %s",
                  path == NULL ? s->run : path, strerror(errno));
    return false;
}

static bool has_blank(const char *path)
{
    return strpbrk(path, " \t") != NULL;
}

/* lighttpd starts no program whose path has a blank: it ends there for it. So
 * the folder of ours gets another name, beside the socket. */
static bool link_programs(struct serve *s)
{
    const char *bin;

    if (!has_blank(s->fcgi))
        return true;
    bin = arena_strndup(&s->cli->arena, s->fcgi,
                        (size_t)(strrchr(s->fcgi, '/') - s->fcgi));
    s->bin_link = path_in(s, s->socket_dir, "bin");
    if (bin != NULL && s->bin_link != NULL &&
        (unlink(s->bin_link) == 0 || errno == ENOENT) &&
        symlink(bin, s->bin_link) == 0)
        return true;
    return cli_failf(s->cli, ERR_IO, "cannot link %s/bin to %s: %s",
                     s->socket_dir, bin == NULL ? "" : bin,
                     strerror(errno)) == CLI_OK;
}

static bool make_folders(struct serve *s)
{
    char template[] = "/tmp/cited.XXXXXX";
    struct cli *cli = s->cli;

    if (!deploy_folder(cli, cli->conf.data_dir, 0700))
        return false;
    s->data = deploy_real(cli, cli->conf.data_dir);
    if (s->data == NULL)
        return false;
    s->run = s->socket_dir = path_in(s, s->data, "run");
    if (!deploy_folder(cli, s->run, 0700) || !take_lock(s))
        return false;
    if (strlen(s->run) > SOCKET_DIR_MAX ||
        (has_blank(s->fcgi) && has_blank(s->run)))
        s->socket_dir = mkdtemp(template) == NULL
                            ? NULL
                            : arena_strdup(&cli->arena, template);
    if (s->socket_dir == NULL || !link_programs(s))
        return false;
    if (s->www == NULL)
        s->www = deploy_www(cli);
    if (s->www == NULL) {
        s->www = path_in(s, s->run, "www");
        return deploy_folder(cli, s->www, 0700);
    }
    s->www = deploy_real(cli, s->www);
    return s->www != NULL;
}

/* The one in /tmp, with the socket and whatever lighttpd left there. */
static void remove_folder(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *e;

    while (dir != NULL && (e = readdir(dir)) != NULL)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            (void)unlinkat(dirfd(dir), e->d_name, 0);
    if (dir != NULL)
        closedir(dir);
    (void)rmdir(path);
}

static bool find_programs(struct serve *s)
{
    char fcgi[PROGRAM_PATH_MAX], worker[PROGRAM_PATH_MAX];

    if (!program_find("cited.fcgi", fcgi) ||
        !program_find("cited-worker", worker)) {
        cli_failf(s->cli, ERR_NOT_FOUND,
                  "cited.fcgi and cited-worker are not beside this program");
        return false;
    }
    s->fcgi = deploy_real(s->cli, fcgi);
    s->worker = deploy_real(s->cli, worker);
    return s->fcgi != NULL && s->worker != NULL;
}

/* --- the web server ---------------------------------------------------- */

/* lighttpd in PATH or where administrators' programs are. */
static const char *find_lighttpd(struct serve *s)
{
    const char *path = getenv("PATH");
    const char *p = arena_printf(&s->cli->arena, "%s:/usr/sbin:/sbin",
                                 path == NULL ? "/usr/bin" : path);

    while (p != NULL && *p != '\0') {
        size_t n = strcspn(p, ":");
        const char *name =
            arena_printf(&s->cli->arena, "%.*s/lighttpd", (int)n, p);

        if (n > 0 && name != NULL && access(name, X_OK) == 0)
            return name;
        p += n + (p[n] == ':');
    }
    cli_failf(s->cli, ERR_NOT_FOUND,
              "lighttpd is not installed (apt-get install lighttpd); for "
              "another server see: cited help init");
    return NULL;
}

/* What the answers of `make run` cite, readable in a browser. */
static bool add_docs(struct serve *s, struct buf *b)
{
    const char *docs;

    if (s->docs == NULL)
        return true;
    docs = deploy_real(s->cli, s->docs);
    if (docs == NULL || strpbrk(docs, "\"\\\n") != NULL)
        return false;
    return buf_addf(b,
                    "\nserver.modules += ( \"mod_alias\" )\n"
                    "$HTTP[\"url\"] =~ \"^/docs/\" {\n"
                    "    fastcgi.server = ()\n"
                    "    alias.url = ( \"/docs/\" => \"%s/\" )\n"
                    "    mimetype.assign = (\n"
                    "        \"404.html\" => \"application/json\",\n"
                    "        \".html\" => \"text/html; charset=utf-8\",\n"
                    "        \"\" => \"text/plain; charset=utf-8\"\n"
                    "    )\n}\n",
                    docs) == ERR_OK;
}

static const char *write_conf(struct serve *s)
{
    const char *errors = path_in(s, s->run, "errors");
    const char *path = path_in(s, s->run, "lighttpd.conf");
    const char *bin =
        s->bin_link != NULL
            ? s->bin_link
            : arena_strndup(&s->cli->arena, s->fcgi,
                            (size_t)(strrchr(s->fcgi, '/') - s->fcgi));
    const struct deploy_place places[] = {
        {"ADDRESS", s->address},
        {"PORT", arena_printf(&s->cli->arena, "%lld", (long long)s->port)},
        {"BINDIR", bin},
        {"DATA", s->data},
        {"RUN", s->socket_dir},
        {"WWW", s->www},
        {"ERRORS", errors},
        {"TIMEOUT", arena_printf(&s->cli->arena, "%d", TIMEOUT_S)},
        {NULL, NULL}};
    struct buf b;
    bool ok;

    buf_init(&b, TEXT_MAX);
    ok = deploy_put_errors(s->cli, errors, ".html") &&
         deploy_fill(s->cli, "lighttpd/cited.conf", places, &b) &&
         add_docs(s, &b) && deploy_put(s->cli, path, buf_str(&b), b.len, 0600);
    buf_fini(&b);
    return ok ? path : NULL;
}

/* As many as lighttpd/cited.conf wants; it asks for them itself, but for all or
 * none. */
static void raise_fds(void)
{
    struct rlimit rl;

    if (getrlimit(RLIMIT_NOFILE, &rl) != 0 || rl.rlim_cur >= SERVER_FDS)
        return;
    rl.rlim_cur = rl.rlim_max < SERVER_FDS ? rl.rlim_max : SERVER_FDS;
    (void)setrlimit(RLIMIT_NOFILE, &rl);
}

static void become(struct serve *s, const char *program, const char *conf,
                   int log)
{
    int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const char *used = s->cli->conf.path;
    char *real = used == NULL ? NULL : realpath(used, NULL);

    raise_fds();
    /* Should we be killed outright, the server goes with us. */
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || null_fd < 0 ||
        dup2(null_fd, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0)
        _exit(127);
    if (real != NULL)
        setenv("CITED_CONF", real, 1);
    unsetenv("CITED_DATA");
    sigprocmask(SIG_UNBLOCK, &s->signals, NULL);
    signal(SIGPIPE, SIG_DFL);
    execl(program, program, "-D", "-f", conf, (char *)NULL);
    _exit(127);
}

static bool start_server(struct serve *s)
{
    const char *program = find_lighttpd(s);
    const char *conf = program == NULL ? NULL : write_conf(s);
    const char *log_path = path_in(s, s->run, "server.log");
    int log;

    if (conf == NULL || log_path == NULL)
        return false;
    log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC,
               0600);
    if (log < 0) {
        cli_failf(s->cli, ERR_IO, "%s: %s", log_path, strerror(errno));
        return false;
    }
    s->server = fork();
    if (s->server == 0)
        become(s, program, conf, log);
    close(log);
    if (s->server > 0)
        return true;
    s->server = 0;
    cli_failf(s->cli, ERR_IO, "no process: %s", strerror(errno));
    return false;
}

/* --- asking it --------------------------------------------------------- */

/* The status of a GET with the key, or 0. */
static long ask(struct serve *s, const char *path, const char *key)
{
    struct arena *a = &s->cli->arena;
    struct http_request rq = {.url = arena_printf(a, "%s%s", s->base, path),
                              .response_max = 1 << 20};
    struct http_response res;
    long status;

    if (key != NULL)
        rq.headers[0] = arena_printf(a, "Authorization: Bearer %s", key);
    http_run(s->http, &rq, deadline_in(ASK_MS), &res);
    status = res.err == ERR_OK ? res.status : 0;
    http_response_fini(&res);
    return status;
}

static bool start_asking(struct serve *s)
{
    struct sockaddr_in6 six;
    bool brackets = inet_pton(AF_INET6, s->address, &six.sin6_addr) == 1;
    const char *host =
        strcmp(s->address, "0.0.0.0") == 0 ? "127.0.0.1" : s->address;

    s->base = arena_printf(&s->cli->arena,
                           brackets ? "http://[%s]:%lld" : "http://%s:%lld",
                           host, (long long)s->port);
    s->http_conf = s->cli->conf;
    s->http_conf.allow_hosts = host;
    if (s->base != NULL && http_new(&s->http_conf, &s->http) == ERR_OK)
        return true;
    cli_failf(s->cli, ERR_INTERNAL, "cannot start the HTTP client");
    return false;
}

/* 0, or why nobody can listen there; gai: that of a name, or 0. */
static int try_port(const struct serve *s, int *gai)
{
    const struct addrinfo hints = {.ai_flags = AI_PASSIVE,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *list = NULL;
    char port[8];
    int on = 1, fd, why = 0;

    snprintf(port, sizeof port, "%d", (int)s->port);
    *gai = getaddrinfo(s->address, port, &hints, &list);
    if (*gai != 0)
        return EADDRNOTAVAIL;
    fd = socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 ||
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, list->ai_addr, list->ai_addrlen) != 0 || listen(fd, 1) != 0)
        why = errno;
    if (fd >= 0)
        close(fd);
    freeaddrinfo(list);
    return why;
}

/* The server would only end; here it can be said why. */
static bool port_is_free(struct serve *s)
{
    long long port = (long long)s->port;
    int gai, why = try_port(s, &gai);

    if (why == EADDRINUSE)
        cli_failf(s->cli, ERR_CONFLICT,
                  "port %lld is taken by another program; name another with "
                  "--port",
                  port);
    else if (why == EACCES)
        cli_failf(s->cli, ERR_IO,
                  "port %lld needs root's rights, as all below 1024 do by "
                  "default; name a higher one with --port, such as 8080",
                  port);
    else if (why != 0)
        cli_failf(s->cli, ERR_INVALID, "cannot listen on %s, port %lld: %s",
                  s->address, port,
                  gai != 0 ? gai_strerror(gai) : strerror(why));
    return why == 0;
}

static bool asked_to_stop(struct serve *s)
{
    struct timespec now = {0, TICK_MS * 1000000L};
    int sig = sigtimedwait(&s->signals, NULL, &now);

    return sig > 0 && sig != SIGCHLD;
}

/* False: it ended, or does not answer (told), or we are asked to stop. */
static bool wait_ready(struct serve *s)
{
    struct deadline d = deadline_in(READY_MS);
    bool ended = false;

    while (!ended && !deadline_passed(&d)) {
        if (ask(s, "/healthz", NULL) == 200)
            return true;
        if (asked_to_stop(s))
            return false;
        ended = reap(s);
    }
    cli_failf(s->cli, ERR_UPSTREAM,
              "the web server %s; its log is %s/server.log",
              ended ? "ended by itself" : "does not answer", s->run);
    return false;
}

/* --- account and key --------------------------------------------------- */

static enum err ready_account(struct serve *s, int64_t *id, struct errctx *ec)
{
    struct db *state = s->cli->store.state;
    struct account *all = NULL;
    size_t n = 0;
    enum err e = account_list(state, &s->cli->arena, &all, &n, ec);

    if (e == ERR_OK && n > 0)
        *id = all[0].id;
    else if (e == ERR_OK)
        e = account_create(state, admin, clock_now_ms(), id, ec);
    if (e == ERR_OK && n == 0)
        e = account_set_role(state, *id, ROLE_OPERATOR, ec);
    return e;
}

static const char *stored_key(struct serve *s, const char *path)
{
    struct errctx ec;
    const char *key = NULL;
    struct buf b;

    buf_init(&b, 4096);
    if (access(path, R_OK) == 0 && cli_read(path, &b, &ec) == ERR_OK)
        key = arena_strndup(&s->cli->arena, buf_str(&b),
                            strcspn(buf_str(&b), "\r\n"));
    buf_fini(&b);
    return key == NULL || *key == '\0' ? NULL : key;
}

/* The key of an earlier time if it still opens the door, else a new one. */
static bool ready_key(struct serve *s)
{
    static const char list[] = "/v1/research?pageSize=1";
    const char *path = path_in(s, s->data, "api-key"), *id, *line;
    char *key = arena_alloc(&s->cli->arena, KEY_LEN + 1);
    struct errctx ec = {ERR_OK, ""};
    int64_t account = 0;

    s->key = path == NULL ? NULL : stored_key(s, path);
    if (s->key != NULL && ask(s, list, s->key) == 200)
        return true;
    if (key == NULL || ready_account(s, &account, &ec) != ERR_OK ||
        key_create(s->cli->store.state, account, "cited serve", clock_now_ms(),
                   key, &id, &s->cli->arena, &ec) != ERR_OK) {
        cli_fail(s->cli, &ec);
        return false;
    }
    line = arena_printf(&s->cli->arena, "%s\n", key);
    if (line == NULL || !deploy_put(s->cli, path, line, strlen(line), 0600))
        return false;
    s->key = key;
    s->key_is_new = true;
    if (ask(s, list, key) == 200)
        return true;
    cli_failf(s->cli, ERR_AUTH,
              "the new key is not accepted; see %s/server.log", s->run);
    return false;
}

/* Opens the console signed in, once; "" where there is no account left. */
static const char *open_link(struct serve *s, int64_t account)
{
    char token[KEY_LEN + 1];
    struct errctx ec;

    if (session_link_create(s->cli->store.state, account, clock_now_ms(),
                            SESSION_LINK_MS, token, &ec) != ERR_OK)
        return s->base;
    return arena_printf(&s->cli->arena, "%s/#/open/%s", s->base, token);
}

/* --- the command ------------------------------------------------------- */

static void tell_ready(struct serve *s, int64_t account)
{
    if (s->cli->json) {
        printf("{\"url\":\"%s\",\"keyFile\":\"%s/api-key\",\"newKey\":%s}\n",
               s->base, s->data, s->key_is_new ? "true" : "false");
    } else {
        if (s->key_is_new)
            printf("API key, shown this once; also in %s/api-key:\n  %s\n",
                   s->data, s->key);
        else
            printf("API key: the one in %s/api-key still works.\n", s->data);
        printf("Console, signed in once for an hour:\n  %s\n",
               open_link(s, account));
        printf("Serving on %s (data in %s). Ctrl-C stops it.\n", s->base,
               s->data);
    }
    fflush(stdout);
}

static int wait_end(struct serve *s)
{
    static const struct timespec look = {LOOK_S, 0};

    for (;;) {
        int sig = sigtimedwait(&s->signals, NULL, &look);

        if (sig > 0 && sig != SIGCHLD)
            return CLI_OK;
        if (access(s->run, F_OK) != 0 && errno == ENOENT)
            return cli_failf(s->cli, ERR_NOT_FOUND,
                             "the data folder %s was removed: nothing can be "
                             "stored any more",
                             s->data);
        if (reap(s))
            return cli_failf(s->cli, ERR_UPSTREAM,
                             "the web server ended by itself; its log is "
                             "%s/server.log",
                             s->run);
    }
}

static void catch_signals(struct serve *s)
{
    sigemptyset(&s->signals);
    sigaddset(&s->signals, SIGINT);
    sigaddset(&s->signals, SIGTERM);
    sigaddset(&s->signals, SIGHUP);
    sigaddset(&s->signals, SIGCHLD);
    sigprocmask(SIG_BLOCK, &s->signals, NULL);
    /* Helpers become our children when their parents leave them. */
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static int serve(struct serve *s)
{
    int status = CLI_FAILED;
    int64_t account;
    struct errctx ec = {ERR_OK, ""};

    stop_ours(s); /* of one that was killed */
    if (!start_asking(s) || !port_is_free(s) || !cli_open_store(s->cli))
        return CLI_FAILED;
    if (ready_account(s, &account, &ec) != ERR_OK)
        return cli_fail(s->cli, &ec);
    if (start_server(s) && wait_ready(s) && ready_key(s)) {
        tell_ready(s, account);
        status = wait_end(s);
    }
    stop_server(s);
    stop_ours(s);
    return status;
}

static bool read_options(struct serve *s, int argc, char **argv)
{
    const struct cli_option options[] = {
        CLI_TEXT("address", &s->address), CLI_INT("port", &s->port, 1, 65535),
        CLI_TEXT("www", &s->www), CLI_TEXT("docs", &s->docs), CLI_OPTIONS_END};

    return cli_options(s->cli, argc, argv, options) &&
           cli_operands(s->cli, argc, 0, "");
}

int cli_serve(struct cli *cli, int argc, char **argv)
{
    struct serve s = {
        .cli = cli, .address = "127.0.0.1", .port = 8080, .lock = -1};
    int status = CLI_FAILED;

    if (!read_options(&s, argc, argv))
        return CLI_USAGE;
    umask(077);
    catch_signals(&s);
    if (find_programs(&s) && make_folders(&s))
        status = serve(&s);
    if (s.socket_dir != NULL && s.socket_dir != s.run)
        remove_folder(s.socket_dir);
    http_free(s.http);
    if (s.lock >= 0)
        close(s.lock);
    return status;
}
