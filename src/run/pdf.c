/* PDF to text in a process of its own; see pdf.h. */
#include "run/pdf.h"

#include "base/buf.h"
#include "base/date.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TEXT_MAX = 8 * 1024 * 1024,
    CPU_SECONDS = 10,
    MEMORY_MAX = 512 * 1024 * 1024,
    FILES_MAX = 32,
    POLL_MS = 100
};

/* --- the process --------------------------------------------------------- */

static void must(int failed)
{
    if (failed != 0)
        _exit(126);
}

/* After fork: never returns, and calls only what is safe there. */
static void child_run(const char *path, int in, int out)
{
    static char *const env[] = {NULL};
    char *const argv[] = {(char *)"pdftotext",
                          (char *)"-q",
                          (char *)"-enc",
                          (char *)"UTF-8",
                          (char *)"-nopgbrk",
                          (char *)"-htmlmeta",
                          (char *)"-l",
                          (char *)"500",
                          (char *)"-",
                          (char *)"-",
                          NULL};
    const struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS},
                        memory = {MEMORY_MAX, MEMORY_MAX},
                        files = {FILES_MAX, FILES_MAX}, nothing = {0, 0};
    sigset_t none;

    sigemptyset(&none);
    must(prctl(PR_SET_PDEATHSIG, SIGKILL));
    must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    must(sigprocmask(SIG_SETMASK, &none, NULL));
    must(setpgid(0, 0));
    must(dup2(in, 0) < 0);
    must(dup2(out, 1) < 0);
    must(close_range(2, ~0u, 0));
    must(setrlimit(RLIMIT_CPU, &cpu));
    must(setrlimit(RLIMIT_AS, &memory));
    must(setrlimit(RLIMIT_FSIZE, &nothing));
    must(setrlimit(RLIMIT_CORE, &nothing));
    must(setrlimit(RLIMIT_NOFILE, &files));
    execve(path, argv, env);
    _exit(127);
}

/* --- this side ----------------------------------------------------------- */

/* The file in memory, to be read from its beginning. */
static int body_file(const char *body, size_t n)
{
    int fd = memfd_create("pdf", MFD_CLOEXEC);

    for (size_t at = 0; fd >= 0 && at < n;) {
        ssize_t k = write(fd, body + at, n - at);

        if (k > 0) {
            at += (size_t)k;
        } else if (k == 0 || errno != EINTR) {
            close(fd);
            fd = -1;
        }
    }
    if (fd >= 0 && lseek(fd, 0, SEEK_SET) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Read to the end of the output, the deadline or the cap. */
static enum err output_read(int fd, struct deadline d, struct buf *out)
{
    char piece[16384];

    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready;
        ssize_t n;

        if (deadline_passed(&d))
            return ERR_TIMEOUT;
        ready = poll(&p, 1, POLL_MS);
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        n = ready < 0 ? -1 : read(fd, piece, sizeof piece);
        if (n < 0 && errno != EINTR)
            return ERR_IO;
        if (n == 0)
            return ERR_OK;
        if (n > 0 && buf_add(out, piece, (size_t)n) != ERR_OK)
            return buf_err(out);
    }
}

/* Its exit status; -1 when a signal ended it, or nobody can tell. */
static int child_wait(pid_t pid)
{
    int status = 0;
    pid_t got;

    do
        got = waitpid(pid, &status, 0);
    while (got < 0 && errno == EINTR);
    return got == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The day in a head as pdftotext -htmlmeta writes it, in either form. */
static int32_t day_of(const char *head, size_t n)
{
    static const char name[] = "<meta name=\"CreationDate\" content=\"";
    const char *at = mem_find(head, n, name);
    char iso[DATE_LEN + 1];
    int32_t day;

    if (at == NULL)
        return DAY_NONE;
    at += strlen(name);
    if (strncmp(at, "D:", 2) == 0)
        snprintf(iso, sizeof iso, "%.4s-%.2s-%.2s", at + 2, at + 6, at + 8);
    else
        snprintf(iso, sizeof iso, "%.*s", DATE_LEN, at);
    return date_parse_iso(iso, strlen(iso), &day) ? day : DAY_NONE;
}

/* The text, which stands in it as it is, taken out of the head and the end that
 * -htmlmeta puts around it; a program that puts none has no date. */
static void unwrap(struct str all, struct str *text, int32_t *day)
{
    static const char begin[] = "<body>\n<pre>\n",
                      end[] = "</pre>\n</body>\n</html>\n";
    const char *at = mem_find(all.p, all.n, begin);
    size_t head = at == NULL ? 0 : (size_t)(at - all.p) + strlen(begin);

    *day = day_of(all.p, head);
    *text = (struct str){all.p + head, all.n - head};
    if (head > 0 && text->n >= strlen(end) &&
        memcmp(text->p + text->n - strlen(end), end, strlen(end)) == 0)
        text->n -= strlen(end);
}

static enum err converted(int status, struct buf *out, struct arena *a,
                          struct pdf_content *content, struct errctx *ec)
{
    struct str text;
    char *z;

    if (status == 127)
        return err_set(ec, ERR_INVALID, "PDF files need pdftotext");
    /* It writes what it could read of a damaged file. */
    if (out->len == 0 && status != 0)
        return err_set(ec, ERR_INVALID, "the PDF file cannot be read");
    unwrap((struct str){buf_str(out), out->len}, &text, &content->day);
    z = arena_strndup(a, text.p, text.n);
    if (z == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    for (char *nul = z; (nul = memchr(nul, '\0', (size_t)(z + text.n - nul)));)
        *nul = ' ';
    content->text = z;
    return ERR_OK;
}

static enum err run(const struct pdf_reader *self, const char *body, size_t n,
                    struct deadline d, struct arena *a,
                    struct pdf_content *content, struct errctx *ec)
{
    int in = body_file(body, n), pipe_fd[2] = {-1, -1}, status;
    enum err e = ERR_IO;
    pid_t pid = -1;
    struct buf out;

    buf_init(&out, TEXT_MAX);
    if (in >= 0 && pipe2(pipe_fd, O_CLOEXEC) == 0)
        pid = fork();
    if (pid == 0)
        child_run(self->path, in, pipe_fd[1]);
    if (pipe_fd[1] >= 0)
        close(pipe_fd[1]);
    if (pid > 0) {
        e = output_read(pipe_fd[0], d, &out);
        if (e != ERR_OK)
            (void)kill(pid, SIGKILL);
        status = child_wait(pid);
        if (e == ERR_OK)
            e = converted(status, &out, a, content, ec);
        else
            err_set(ec, e, "the PDF file was not read: %s", err_name(e));
    } else {
        err_set(ec, e, "pdftotext cannot be started: %s", strerror(errno));
    }
    if (pipe_fd[0] >= 0)
        close(pipe_fd[0]);
    if (in >= 0)
        close(in);
    buf_fini(&out);
    return e;
}

void pdf_reader_init(struct pdf_reader *r, const struct conf *c)
{
    *r = (struct pdf_reader){.run = run, .path = c->pdftotext};
}
