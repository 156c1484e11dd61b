/* Detach and execute; see spawn.h. */
#include "base/beside.h"
#include "run/spawn.h"


#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What a helper may inherit of the environment. A CGI environment holds the
 * caller's key. */
static bool is_kept(const char *var)
{
    static const char *const names[] = {
        "CITED_", "PATH=",     "HOME=", "TMPDIR=", "LANG=",
        "LC_",    "SSL_CERT_", "ASAN_", "UBSAN_",  "LSAN_"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(var, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* A NULL-terminated array to free; its strings stay environ's. */
static char **kept_environment(void)
{
    size_t count = 0, n = 0;
    char **out;

    while (environ != NULL && environ[count] != NULL)
        count++;
    out = calloc(count + 1, sizeof *out);
    for (size_t i = 0; out != NULL && i < count; i++)
        if (is_kept(environ[i]))
            out[n++] = environ[i];
    return out;
}

/* --- after fork: only calls that are safe between fork and exec --------- */

static void default_signals(void)
{
    struct sigaction sa;
    sigset_t none;

    memset(&sa, 0, sizeof sa);
    sa.sa_handler = SIG_DFL;
    for (int i = 1; i < NSIG; i++)
        (void)sigaction(i, &sa, NULL);
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* 0 and 1 to the null device, 2 to the log or the null device, report_fd to
 * 3, everything above closed. */
static bool arrange_fds(int report_fd, const char *log_path)
{
    int keep = fcntl(report_fd, F_DUPFD_CLOEXEC, 10);
    int null = open("/dev/null", O_RDWR);
    int log = -1;

    if (keep < 0 || null < 0)
        return false;
    if (log_path != NULL)
        log = open(log_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (dup2(null, 0) < 0 || dup2(null, 1) < 0 ||
        dup2(log < 0 ? null : log, 2) < 0)
        return false;
    if (dup3(keep, 3, O_CLOEXEC) < 0)
        return false;
    return close_range(4, ~0u, 0) == 0;
}

static void report(int fd, int why)
{
    if (write(fd, &why, sizeof why) < 0)
        _exit(126);
}

/* In the intermediate child: never returns. The descriptors come first: while
 * a copy of the listening socket is open here, a web server whose responder
 * was just killed takes it for alive and starts no other (lighttpd: "socket
 * is already used; won't spawn"). */
static void detach_and_exec(int report_fd, const char *const argv[],
                            const char *log_path, char *const envp[])
{
    pid_t pid;

    if (!arrange_fds(report_fd, log_path)) {
        report(report_fd, errno);
        _exit(0);
    }
    if (setsid() < 0)
        _exit(1);
    pid = fork();
    if (pid != 0)
        _exit(pid < 0);
    default_signals();
    umask(077);
    execve(argv[0], (char *const *)argv, envp);
    report(3, errno);
    _exit(127);
}

/* --- in the program ------------------------------------------------------ */

static bool wait_for(pid_t pid)
{
    int status = 0;
    pid_t got;

    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    /* With SIGCHLD ignored nobody can tell; the report will. */
    return got < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The report pipe ends without a byte when exec worked. */
static int read_report(int fd)
{
    int why = 0;
    ssize_t n;

    do
        n = read(fd, &why, sizeof why);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof why ? why : 0;
}

enum err spawn_detached(const char *const argv[], const char *log_path,
                        struct errctx *ec)
{
    char **envp = kept_environment();
    int report[2] = {-1, -1};
    enum err e = ERR_OK;
    pid_t pid;
    int why;

    if (envp == NULL || pipe2(report, O_CLOEXEC) != 0) {
        free(envp);
        return err_set(ec, ERR_IO, "cannot start %s: %s", argv[0],
                       strerror(errno));
    }
    pid = fork();
    if (pid == 0)
        detach_and_exec(report[1], argv, log_path, envp);
    why = pid < 0 ? errno : 0;
    close(report[1]);
    if (pid > 0) {
        if (!wait_for(pid))
            why = EAGAIN;
        else
            why = read_report(report[0]);
    }
    if (why != 0)
        e = err_set(ec, ERR_IO, "cannot start %s: %s", argv[0], strerror(why));
    close(report[0]);
    free(envp);
    return e;
}

enum err spawn_helper(const struct conf *c, const char *option,
                      const char *value, struct errctx *ec)
{
    char found[PROGRAM_PATH_MAX];
    const char *argv[8] = {c->worker_path};
    size_t n = 1;

    if (*c->worker_path == '\0') {
        (void)program_find("cited-worker", found);
        argv[0] = found;
    }
    if (c->path != NULL) {
        argv[n++] = "--conf";
        argv[n++] = c->path;
    }
    argv[n++] = "--data";
    argv[n++] = c->data_dir;
    if (option != NULL)
        argv[n++] = option;
    if (value != NULL)
        argv[n++] = value;
    return spawn_detached(argv, NULL, ec);
}
