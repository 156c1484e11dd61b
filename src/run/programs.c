/* Where the other programs are, and asking one; see programs.h. */
#include "run/programs.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(const char *const argv[], int write_fd)
{
    static char *const empty[] = {NULL};
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (null_fd < 0 || dup2(null_fd, 0) < 0 || dup2(write_fd, 1) < 0 ||
        dup2(null_fd, 2) < 0)
        _exit(127);
    execve(argv[0], (char *const *)(const void *)argv, empty);
    _exit(127);
}

/* Read to the end of the pipe. ERR_TIMEOUT. */
static enum err read_all(int fd, struct deadline d, char *out, size_t size)
{
    size_t len = 0;
    ssize_t n = 1;

    out[0] = '\0';
    while (n > 0) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        char rest[256];
        int ready = poll(&p, 1, (int)deadline_left(&d));

        if (ready == 0)
            return ERR_TIMEOUT;
        if (ready < 0 && errno == EINTR)
            continue;
        n = len + 1 < size ? read(fd, out + len, size - 1 - len)
                           : read(fd, rest, sizeof rest);
        if (n > 0 && len + 1 < size)
            out[len += (size_t)n] = '\0';
    }
    return ERR_OK;
}

enum err program_ask(const char *const argv[], int64_t timeout_ms, char *out,
                     size_t size, struct errctx *ec)
{
    int fds[2], status = 0;
    enum err e;
    pid_t pid;

    if (pipe2(fds, O_CLOEXEC) != 0)
        return err_set(ec, ERR_IO, "no pipe: %s", strerror(errno));
    pid = fork();
    if (pid == 0)
        become(argv, fds[1]);
    close(fds[1]);
    if (pid < 0) {
        close(fds[0]);
        return err_set(ec, ERR_IO, "no process: %s", strerror(errno));
    }
    e = read_all(fds[0], deadline_in(timeout_ms), out, size);
    close(fds[0]);
    if (e != ERR_OK)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (e != ERR_OK)
        return err_set(ec, e, "not done in %lld ms", (long long)timeout_ms);
    if (WIFSIGNALED(status))
        return err_set(ec, ERR_IO, "ended by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status) == 127)
        return err_set(ec, ERR_IO, "it cannot be executed");
    if (WEXITSTATUS(status) != 0)
        return err_set(ec, ERR_IO, "exit status %d", WEXITSTATUS(status));
    return ERR_OK;
}
