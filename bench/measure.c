/*
 * Runs a program and says what it cost, as the last line of standard error:
 * milliseconds of wall clock, milliseconds of processor time, KiB of resident
 * memory at its highest, exit status (128 + the signal that ended it).
 *
 *   measure PROGRAM ARGUMENT...
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double ms_of(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
    double start = now_ms();
    struct rusage u;
    int status;
    pid_t pid = argc < 2 ? -1 : fork();

    if (pid == 0) {
        execvp(argv[1], argv + 1);
        perror(argv[1]);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &u) != pid)
        return fputs("usage: measure PROGRAM ARGUMENT...\n", stderr), 2;
    fprintf(stderr, "%.1f %.1f %ld %d\n", now_ms() - start,
            ms_of(u.ru_utime) + ms_of(u.ru_stime), u.ru_maxrss,
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
