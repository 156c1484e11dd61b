/* What a caller may ask, counted by real processes: that share, that are
 * stopped and that are killed. */
#include "web/limit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[64], path[96];

/* What processes of a test tell each other. */
static struct {
    _Atomic int now, most, refused, let_in;
} * told;

static int setup(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-limit-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/" LIMIT_FILE, dir);
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return told == MAP_FAILED ? -1 : 0;
}

static int teardown(void **state)
{
    (void)state;
    munmap(told, sizeof *told);
    unlink(path);
    return rmdir(dir);
}

static struct limits *opened(const char *where, int64_t rate, int64_t flight)
{
    struct limits *l = NULL;

    assert_int_equal(limits_new(where, rate, flight, &l), ERR_OK);
    return l;
}

/* Each of several nodes has a share, rounded up, and at least one request. */
static void nodes_share_the_limits(void **state)
{
    struct limits *l = opened(NULL, 10, 5);
    _Atomic int nodes = 3;
    int place, n = 0;

    (void)state;
    limits_share(l, &nodes);
    while (n < 20 && limit_rate(l, "key", 1000) == 0)
        n++;
    assert_int_equal(n, 3);
    for (n = 0; n < 20 && limit_enter(l, 7, &place);)
        n++;
    assert_int_equal(n, 2);
    nodes = 1;
    for (n = 0; n < 20 && limit_enter(l, 7, &place);)
        n++;
    assert_int_equal(n, 3); /* five in all */
    limits_free(l);
    l = opened(NULL, 1, 0);
    nodes = 4;
    limits_share(l, &nodes);
    assert_int_equal(limit_rate(l, "key", 1000), 0);
    assert_int_equal(limit_rate(l, "key", 1001), 3999);
    assert_int_equal(limit_rate(l, "key", 5000), 0);
    limits_free(l);
}

/* How many more of the account get in; all of them leave again. */
static int room(struct limits *l, int64_t account)
{
    int place[64], n = 0;

    while (n < 64 && limit_enter(l, account, &place[n]))
        n++;
    for (int i = 0; i < n; i++)
        limit_leave(l, place[i]);
    return n;
}

static void join(const pid_t *pid, int n)
{
    int status;

    for (int i = 0; i < n; i++) {
        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

/* --- rate -------------------------------------------------------------- */

static void a_bucket_holds_a_second_and_fills_again(void **state)
{
    struct limits *l = opened(NULL, 4, 0);

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(limit_rate(l, "k", 1000), 0);
    assert_int_equal(limit_rate(l, "k", 1000), 250);
    assert_int_equal(limit_rate(l, "k", 1249), 1);
    assert_int_equal(limit_rate(l, "k", 1250), 0);
    assert_int_equal(limit_rate(l, "k", 1250), 250);
    assert_int_equal(limit_rate(l, "other", 1250), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(limit_rate(l, "k", 99999), 0);
    assert_true(limit_rate(l, "k", 99999) > 0);
    /* a thread that looked at the clock before others gains nothing */
    assert_true(limit_rate(l, "k", 99990) > 0);
    limits_free(l);
}

/* The file outlives the machine's clock, which begins again at 0. */
static void after_a_restart_of_the_machine_nobody_waits(void **state)
{
    struct limits *l = opened(path, 2, 0);

    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(limit_rate(l, "k", 9000000), 0);
    assert_true(limit_rate(l, "k", 9000000) > 0);
    limits_free(l);
    l = opened(path, 2, 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(limit_rate(l, "k", 5), 0);
    assert_true(limit_rate(l, "k", 5) > 0);
    limits_free(l);
}

static void without_a_limit_nothing_is_refused(void **state)
{
    struct limits *l = opened(path, 0, 0);
    int place;

    (void)state;
    assert_null(l);
    assert_int_equal(limit_rate(l, "k", 0), 0);
    assert_true(limit_enter(l, 1, &place));
    limit_leave(l, place);
    limits_free(l);
    l = opened(NULL, 0, 1);
    for (int i = 0; i < 100; i++)
        assert_int_equal(limit_rate(l, "k", 0), 0);
    limits_free(l);
    l = opened(NULL, 1, 0);
    for (int i = 0; i < 1000; i++)
        assert_true(limit_enter(l, 1, &place));
    limits_free(l);
}

static void more_keys_than_places_are_no_harm(void **state)
{
    struct limits *l = opened(NULL, 1, 0);
    char key[32];

    (void)state;
    for (int i = 0; i < 20000; i++) {
        snprintf(key, sizeof key, "key-%d", i);
        assert_int_equal(limit_rate(l, key, i), 0);
    }
    limits_free(l);
}

static void *take_many(void *arg)
{
    for (int i = 0; i < 1000; i++)
        if (limit_rate(arg, "k", 1000) == 0)
            atomic_fetch_add(&told->let_in, 1);
    return NULL;
}

static void threads_share_a_bucket(void **state)
{
    struct limits *l = opened(NULL, 100, 0);
    pthread_t id[4];

    (void)state;
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&id[i], NULL, take_many, l), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(id[i], NULL);
    assert_int_equal(told->let_in, 100);
    limits_free(l);
}

static void processes_share_a_bucket(void **state)
{
    pid_t pid[4];

    (void)state;
    for (int i = 0; i < 4; i++) {
        pid[i] = fork();
        if (pid[i] == 0) {
            struct limits *l = NULL;

            if (limits_new(path, 100, 0, &l) != ERR_OK)
                _exit(1);
            take_many(l);
            limits_free(l);
            _exit(0);
        }
    }
    join(pid, 4);
    assert_int_equal(told->let_in, 100);
}

/* --- in flight --------------------------------------------------------- */

static void an_account_has_as_many_as_it_may(void **state)
{
    struct limits *l = opened(path, 0, 3);
    int place[3], more;

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_true(limit_enter(l, 7, &place[i]));
    assert_false(limit_enter(l, 7, &more));
    limit_leave(l, more); /* of nothing */
    assert_int_equal(room(l, 8), 3);
    assert_int_equal(room(l, 7 + 32), 3); /* of the same row */
    limit_leave(l, place[1]);
    assert_int_equal(room(l, 7), 1);
    limits_free(l);
}

/* Go in and out, and tell how many were in at once. */
static void come_and_go(struct limits *l, int rounds)
{
    int place;

    for (int i = 0; i != rounds; i++) {
        int now, most;

        if (!limit_enter(l, 1, &place)) {
            told->refused++;
            continue;
        }
        now = atomic_fetch_add(&told->now, 1) + 1;
        most = told->most;
        while (now > most &&
               !atomic_compare_exchange_weak(&told->most, &most, now))
            continue;
        told->let_in++;
        atomic_fetch_sub(&told->now, 1);
        limit_leave(l, place);
    }
}

static void *thread_that_comes_and_goes(void *arg)
{
    come_and_go(arg, 5000);
    return NULL;
}

static void processes_and_threads_never_have_more(void **state)
{
    struct limits *l = opened(path, 0, 3);
    pid_t pid[4];

    (void)state;
    for (int i = 0; i < 4; i++) {
        pid[i] = fork();
        if (pid[i] == 0) {
            struct limits *own = NULL;
            pthread_t id[4];

            if (limits_new(path, 0, 3, &own) != ERR_OK)
                _exit(1);
            for (int k = 0; k < 4; k++)
                if (pthread_create(&id[k], NULL, thread_that_comes_and_goes,
                                   own) != 0)
                    _exit(2);
            for (int k = 0; k < 4; k++)
                pthread_join(id[k], NULL);
            limits_free(own);
            _exit(0);
        }
    }
    join(pid, 4);
    assert_in_range(told->most, 1, 3);
    assert_int_equal(told->refused + told->let_in, 4 * 4 * 5000);
    assert_true(told->let_in > 0);
    assert_int_equal(room(l, 1), 3);
    limits_free(l);
}

/* A process that has n of account 1 in flight, or that comes and goes when n
 * is 0; it lives until it is killed. */
static pid_t start(int n)
{
    int ready[2], place;
    char byte;
    pid_t pid;

    assert_int_equal(pipe(ready), 0);
    pid = fork();
    if (pid == 0) {
        struct limits *l = NULL;

        if (limits_new(path, 0, 4, &l) != ERR_OK)
            _exit(1);
        for (int i = 0; i < n; i++)
            if (!limit_enter(l, 1, &place))
                _exit(2);
        if (write(ready[1], "", 1) != 1)
            _exit(3);
        if (n == 0)
            come_and_go(l, -1);
        for (;;)
            pause();
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return pid;
}

static void killed(pid_t pid)
{
    int status;

    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
}

static void what_a_killed_process_had_is_given_back(void **state)
{
    struct limits *l = opened(path, 0, 4);
    pid_t first = start(3), second = start(1);

    (void)state;
    assert_int_equal(room(l, 1), 0);
    killed(first);
    assert_int_equal(room(l, 1), 3);
    killed(second);
    assert_int_equal(room(l, 1), 4);
    /* The next one takes a dead one's number: its words are not its own. */
    first = start(4);
    assert_int_equal(room(l, 1), 0);
    killed(first);
    limits_free(l);
    l = opened(path, 0, 4);
    assert_int_equal(room(l, 1), 4);
    limits_free(l);
}

static void killed_at_any_instruction_it_leaves_no_trace(void **state)
{
    struct limits *l = opened(path, 0, 4);

    (void)state;
    for (int i = 0; i < 100; i++) {
        pid_t pid[2] = {start(0), start(0)};

        for (volatile int k = 0; k < 1000 * (i % 10); k++)
            continue;
        killed(pid[0]);
        killed(pid[1]);
    }
    assert_int_equal(room(l, 1), 4);
    limits_free(l);
}

static void a_stopped_process_holds_nobody_up(void **state)
{
    struct limits *l = opened(path, 0, 4);
    int place;

    (void)state;
    for (int i = 0; i < 20; i++) {
        pid_t pid = start(0);
        int status;

        assert_int_equal(kill(pid, SIGSTOP), 0);
        assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
        /* It has one at most, and keeps it: it may go on. */
        assert_true(limit_enter(l, 1, &place));
        limit_leave(l, place);
        assert_in_range(room(l, 1), 3, 4);
        killed(pid);
    }
    assert_int_equal(room(l, 1), 4);
    limits_free(l);
}

/* --- the file ---------------------------------------------------------- */

static void without_a_file_a_process_counts_for_itself(void **state)
{
    struct limits *l = opened("/nowhere/" LIMIT_FILE, 1, 2);

    (void)state;
    assert_int_equal(limit_rate(l, "k", 1), 0);
    assert_int_not_equal(limit_rate(l, "k", 1), 0);
    assert_int_equal(room(l, 1), 2);
    limits_free(l);
}

/* As with plain CGI, where each request is a process. */
static void more_processes_than_numbers_count_for_themselves(void **state)
{
    enum { MANY = 300 };
    struct limits *l[MANY];
    int place;

    (void)state;
    for (int i = 0; i < MANY; i++)
        l[i] = opened(path, 0, 2);
    for (int i = 0; i < 2; i++)
        assert_true(limit_enter(l[i], 1, &place));
    assert_int_equal(room(l[100], 1), 0);
    assert_int_equal(room(l[MANY - 1], 1), 2);
    for (int i = 0; i < MANY; i++)
        limits_free(l[i]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_share_the_limits),
        cmocka_unit_test_setup_teardown(a_bucket_holds_a_second_and_fills_again,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            after_a_restart_of_the_machine_nobody_waits, setup, teardown),
        cmocka_unit_test_setup_teardown(without_a_limit_nothing_is_refused,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(more_keys_than_places_are_no_harm,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(threads_share_a_bucket, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(processes_share_a_bucket, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(an_account_has_as_many_as_it_may, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(processes_and_threads_never_have_more,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(what_a_killed_process_had_is_given_back,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            killed_at_any_instruction_it_leaves_no_trace, setup, teardown),
        cmocka_unit_test_setup_teardown(a_stopped_process_holds_nobody_up,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            without_a_file_a_process_counts_for_itself, setup, teardown),
        cmocka_unit_test_setup_teardown(
            more_processes_than_numbers_count_for_themselves, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
