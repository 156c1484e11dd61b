/*
 * A helper started from the responder: what it inherits, that it outlives
 * us, what a failed start says; the slots by which helpers are counted; and
 * when app->kick starts one. The helper is this program itself, called with
 * arguments.
 */
#include "run/kick.h"
#include "run/slot.h"
#include "run/spawn.h"
#include "store/crawl_job.h"
#include "store/task.h"
#include "webapp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

enum { START_MS = 60000, LEASE_MS = 60000 };

static char self[4096];

static void start(const char *mode, const char *arg)
{
    const char *argv[] = {self, mode, arg, NULL};
    struct errctx ec = {0};

    if (spawn_detached(argv, NULL, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
}

/* Read all a helper writes to the fifo until it closes it. A helper that never
 * comes fails the test instead of holding it up. */
static void read_fifo(const char *path, char *out, size_t size)
{
    struct pollfd p = {.fd = open(path, O_RDONLY | O_NONBLOCK),
                       .events = POLLIN};
    struct deadline end = deadline_in(START_MS);
    size_t n = 0;
    ssize_t k = -1;

    assert_true(p.fd >= 0);
    while (n + 1 < size && k != 0) {
        if (poll(&p, 1, (int)deadline_left(&end)) <= 0)
            fail_msg("%s: no helper wrote to it", path);
        k = read(p.fd, out + n, size - 1 - n);
        n += k > 0 ? (size_t)k : 0;
    }
    out[n] = '\0';
    close(p.fd);
}

/* Open a fifo that a helper reads from, or is about to. */
static int write_fifo(const char *path)
{
    struct deadline end = deadline_in(START_MS);
    int fd = -1;

    while ((fd = open(path, O_WRONLY | O_NONBLOCK)) < 0) {
        if (errno != ENXIO || deadline_passed(&end))
            fail_msg("%s: no helper reads from it", path);
        poll(NULL, 0, 10);
    }
    return fd;
}

/* Who works on the folder. */
static struct slots look(const char *dir)
{
    struct slots now;

    slot_look(dir, LEASE_MS, &now);
    return now;
}

/* As if the holder had given no sign of life since the machine started. */
static void make_silent(int fd)
{
    assert_int_equal(pwrite(fd, "7 1 1                ", 20, 0), 20);
}

static void make_fifo(struct webapp *t, const char *name, char path[64])
{
    snprintf(path, 64, "%s/%s", t->dir, name);
    assert_int_equal(mkfifo(path, 0600), 0);
}

/* The helper's side: what it sees of itself, as one line. */
static int report(const char *fifo)
{
    struct stat st, null;
    sigset_t mask;
    FILE *f;
    int open_fds = 0, masked, nulls = 0;

    for (int fd = 0; fd < 3; fd++)
        if (fstat(fd, &st) == 0 && stat("/dev/null", &null) == 0 &&
            st.st_rdev == null.st_rdev)
            nulls++;
    for (int fd = 3; fd < 4096; fd++)
        open_fds += fcntl(fd, F_GETFD) >= 0;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    masked = sigismember(&mask, SIGTERM) || sigismember(&mask, SIGUSR1);
    f = fopen(fifo, "w");
    if (f == NULL)
        return 1;
    fprintf(f, "nulls=%d open=%d masked=%d sid=%d key=%s conf=%s", nulls,
            open_fds, masked, getsid(0) != getpid() && getsid(0) != 0,
            getenv("HTTP_AUTHORIZATION") == NULL ? "none" : "leaked",
            getenv("CITED_X") == NULL ? "none" : getenv("CITED_X"));
    fclose(f);
    return 0;
}

/* The helper's side: say who we are, hold a slot as long as the fifo. */
static int hold(const char *dir)
{
    char path[300];
    struct errctx ec = {0};
    int fd = -1;
    FILE *f;

    if (slot_take(dir, 1, LEASE_MS, &fd, &ec) != ERR_OK)
        return 1;
    snprintf(path, sizeof path, "%s/ready", dir);
    f = fopen(path, "w");
    if (f != NULL)
        fclose(f);
    snprintf(path, sizeof path, "%s/leave", dir);
    f = fopen(path, "r");
    if (f != NULL)
        fclose(f);
    return 0;
}

static void a_helper_inherits_nothing(void **state)
{
    struct webapp *t = *state;
    char fifo[64], got[256];
    int leak[2];
    sigset_t set;

    make_fifo(t, "report", fifo);
    assert_int_equal(pipe(leak), 0);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    setenv("HTTP_AUTHORIZATION", "Bearer secret", 1);
    setenv("CITED_X", "kept", 1);
    start("--report", fifo);
    read_fifo(fifo, got, sizeof got);
    assert_string_equal(got,
                        "nulls=3 open=0 masked=0 sid=1 key=none conf=kept");
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    unsetenv("HTTP_AUTHORIZATION");
    unsetenv("CITED_X");
    close(leak[0]);
    close(leak[1]);
    /* nobody is left to wait for */
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void a_failed_start_says_why(void **state)
{
    const char *argv[] = {"/nonexistent/cited-worker", NULL};
    struct errctx ec = {0};

    (void)state;
    assert_int_equal(spawn_detached(argv, NULL, &ec), ERR_IO);
    assert_non_null(strstr(ec.msg, "/nonexistent/cited-worker"));
    assert_non_null(strstr(ec.msg, "No such file"));
    argv[0] = "/tmp";
    assert_int_equal(spawn_detached(argv, NULL, &ec), ERR_IO);
    assert_non_null(strstr(ec.msg, "denied"));
}

static void starting_leaves_no_descriptor(void **state)
{
    const char *argv[] = {"/nonexistent", NULL};
    int before = open("/dev/null", O_RDONLY), after;

    (void)state;
    close(before);
    for (int i = 0; i < 20; i++)
        if (spawn_detached(argv, NULL, NULL) == ERR_OK)
            fail();
    after = open("/dev/null", O_RDONLY);
    close(after);
    assert_int_equal(before, after);
}

static void a_slot_is_taken_once(void **state)
{
    struct webapp *t = *state;
    struct errctx ec = {0};
    int a = -1, b = -1, c = -1;

    assert_int_equal(look(t->dir).live, 0);
    assert_int_equal(slot_take(t->dir, 2, LEASE_MS, &a, &ec), ERR_OK);
    assert_int_equal(look(t->dir).live, 1);
    assert_int_equal(slot_take(t->dir, 2, LEASE_MS, &b, &ec), ERR_OK);
    assert_int_equal(look(t->dir).live, 2);
    assert_int_equal(slot_take(t->dir, 2, LEASE_MS, &c, &ec), ERR_BUSY);
    close(a);
    assert_int_equal(look(t->dir).live, 1);
    assert_int_equal(slot_take(t->dir, 2, LEASE_MS, &c, &ec), ERR_OK);
    close(b);
    close(c);
    assert_int_equal(look(t->dir).live, 0);
    assert_int_equal(slot_take("/nonexistent", 2, LEASE_MS, &c, &ec), ERR_IO);
    assert_int_equal(look("/nonexistent").live, 0);
}

static void a_silent_holder_is_replaced(void **state)
{
    struct webapp *t = *state;
    struct errctx ec = {0};
    int a = -1, b = -1, c = -1;

    assert_int_equal(slot_take(t->dir, 1, LEASE_MS, &a, &ec), ERR_OK);
    assert_int_equal(look(t->dir).live, 1);
    assert_int_equal(look(t->dir).silent, 0);
    make_silent(a);
    assert_int_equal(look(t->dir).live, 0);
    assert_int_equal(look(t->dir).silent, 1);
    assert_int_equal(look(t->dir).pid, 7);
    assert_int_equal(slot_take(t->dir, 1, LEASE_MS, &b, &ec), ERR_OK);
    assert_int_equal(slot_take(t->dir, 1, LEASE_MS, &c, &ec), ERR_BUSY);
    /* Both are alive: nobody is started, and one has to leave. */
    slot_beat(a);
    assert_int_equal(look(t->dir).live, 2);
    assert_int_equal(look(t->dir).silent, 0);
    assert_int_equal(look(t->dir).pid, 0);
    assert_int_equal(slot_take(t->dir, 1, LEASE_MS, &c, &ec), ERR_BUSY);
    close(a);
    close(b);
    assert_int_equal(look(t->dir).live + look(t->dir).silent, 0);
    /* What one left in its file does not make the next one silent. */
    assert_int_equal(slot_take(t->dir, 1, LEASE_MS, &a, &ec), ERR_OK);
    assert_int_equal(look(t->dir).live, 1);
    close(a);
}

static void a_helper_that_left_frees_its_slot(void **state)
{
    struct webapp *t = *state;
    char ready[64], leave[64], got[8];
    int fd;

    make_fifo(t, "ready", ready);
    make_fifo(t, "leave", leave);
    start("--hold", t->dir);
    read_fifo(ready, got, sizeof got);
    assert_int_equal(look(t->dir).live, 1);
    fd = write_fifo(leave);
    close(fd);
    for (int i = 0; i < 500 && look(t->dir).live > 0; i++)
        poll(NULL, 0, 10);
    assert_int_equal(look(t->dir).live, 0);
}

/* --- kick --------------------------------------------------------------------
 */

static void create_task(struct webapp *t)
{
    struct task task;
    struct errctx ec = {0};

    assert_int_equal(task_create(t->w.store.state, t->account, "{}", 1000,
                                 clock_now_ms(), &t->w.arena, &task, &ec),
                     ERR_OK);
}

/* The helper of the configuration is a script that leaves a mark. */
static void kicks_start_one_helper_and_only_for_work(void **state)
{
    struct webapp t;
    char script[64], mark[64], env[200], got[300];
    char *envp[] = {env, NULL};
    static const struct crawl_order order = {"http://a.example/", 9, -1};
    struct errctx ec = {0};
    struct crawl_job job;
    struct helpers helpers;
    int fd = -1;
    FILE *f;

    (void)state;
    snprintf(script, sizeof script, "/tmp/cited-helper-%d", (int)getpid());
    snprintf(env, sizeof env, "CITED_RESEARCH_WORKER=%s", script);
    webapp_open(&t, envp);
    t.conf.path = "x.conf";
    make_fifo(&t, "mark", mark);
    f = fopen(script, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\necho \"$*\" > %s\n", mark);
    fclose(f);
    assert_int_equal(chmod(script, 0700), 0);

    /* no work: nothing is started, which would hang on the fifo */
    assert_int_equal(kick_new(&t.app, false, &ec), ERR_OK);
    assert_ptr_equal(t.app.kick, kick_run);
    t.app.kick(&t.app, t.w.store.state);
    kick_free(&t.app);
    assert_null(t.app.kick);

    /* work, but a helper is alive: nothing either */
    create_task(&t);
    assert_int_equal(slot_take(t.dir, 1, LEASE_MS, &fd, &ec), ERR_OK);
    assert_int_equal(kick_new(&t.app, false, &ec), ERR_OK);
    t.app.kick(&t.app, t.w.store.state);
    t.app.helpers(&t.app, &helpers);
    assert_int_equal(helpers.live, 1);
    assert_int_equal(helpers.silent, 0);

    /* it gives no sign of life any more: another is started in its place */
    make_silent(fd);
    t.app.helpers(&t.app, &helpers);
    assert_int_equal(helpers.live, 0);
    assert_int_equal(helpers.silent, 1);
    t.app.kick(&t.app, t.w.store.state);
    snprintf(env, sizeof env, "--conf x.conf --data %s\n", t.dir);
    read_fifo(mark, got, sizeof got);
    assert_string_equal(got, env);
    kick_free(&t.app);
    close(fd);

    /* work and nobody at it: at once, and in the background however often it
     * is asked for */
    for (int background = 0; background < 2; background++) {
        assert_int_equal(kick_new(&t.app, background, &ec), ERR_OK);
        for (int i = 0; i < (background ? 1000 : 1); i++)
            t.app.kick(&t.app, t.w.store.state);
        read_fifo(mark, got, sizeof got);
        assert_string_equal(got, env);
        kick_free(&t.app);
    }

    /* each crawl that nobody is at has its own, once */
    assert_int_equal(crawl_job_create(t.w.store.state, t.account, &order, 4,
                                      clock_now_ms(), &t.w.arena, &job, &ec),
                     ERR_OK);
    assert_int_equal(slot_take(t.dir, 1, LEASE_MS, &fd, &ec), ERR_OK);
    assert_int_equal(kick_new(&t.app, false, &ec), ERR_OK);
    t.app.kick(&t.app, t.w.store.state);
    snprintf(env, sizeof env, "--conf x.conf --data %s --crawl %s\n", t.dir,
             job.id);
    read_fifo(mark, got, sizeof got);
    assert_string_equal(got, env);
    t.app.kick(&t.app, t.w.store.state); /* would hang on the fifo */
    kick_free(&t.app);
    close(fd);
    unlink(script);
    webapp_close(&t);
}

/* Tasks are waiting, and nobody asks for them. */
static void a_responder_looks_for_tasks_unasked(void **state)
{
    struct webapp t;
    char script[64], mark[64], env[128], got[300];
    char *envp[] = {env, (char *)"CITED_RESEARCH_LEASE_MS=1000", NULL};
    struct errctx ec = {0};
    FILE *f;

    (void)state;
    snprintf(script, sizeof script, "/tmp/cited-unasked-%d", (int)getpid());
    snprintf(env, sizeof env, "CITED_RESEARCH_WORKER=%s", script);
    webapp_open(&t, envp);
    make_fifo(&t, "mark", mark);
    f = fopen(script, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\necho started > %s\n", mark);
    fclose(f);
    assert_int_equal(chmod(script, 0700), 0);
    create_task(&t);
    assert_int_equal(kick_new(&t.app, true, &ec), ERR_OK);
    for (int i = 0; i < 2; i++) {
        read_fifo(mark, got, sizeof got);
        assert_string_equal(got, "started\n");
    }
    kick_free(&t.app);
    unlink(script);
    webapp_close(&t);
}

static void without_helpers_there_is_no_kick(void **state)
{
    char *envp[] = {(char *)"CITED_RESEARCH_WORKERS=0", NULL};
    struct webapp t;
    struct errctx ec = {0};

    (void)state;
    webapp_open(&t, envp);
    assert_int_equal(kick_new(&t.app, false, &ec), ERR_OK);
    /* Those of other machines are told. */
    assert_int_equal(t.app.kick != NULL, state_db_is_remote());
    if (t.app.kick != NULL)
        t.app.kick(&t.app, t.w.store.state);
    kick_free(&t.app);
    webapp_close(&t);
}

static void a_missing_helper_is_no_failure(void **state)
{
    char *envp[] = {(char *)"CITED_RESEARCH_WORKER=/nonexistent", NULL};
    struct webapp t;
    struct errctx ec = {0};

    (void)state;
    webapp_open(&t, envp);
    create_task(&t);
    assert_int_equal(kick_new(&t.app, false, &ec), ERR_OK);
    t.app.kick(&t.app, t.w.store.state);
    kick_free(&t.app);
    webapp_close(&t);
}

static int open_app(void **state)
{
    struct webapp *t = calloc(1, sizeof *t);

    webapp_open(t, NULL);
    *state = t;
    return 0;
}

static int close_app(void **state)
{
    webapp_close(*state);
    free(*state);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_helper_inherits_nothing),
        cmocka_unit_test(a_failed_start_says_why),
        cmocka_unit_test(starting_leaves_no_descriptor),
        cmocka_unit_test(a_slot_is_taken_once),
        cmocka_unit_test(a_silent_holder_is_replaced),
        cmocka_unit_test(a_helper_that_left_frees_its_slot),
        cmocka_unit_test(kicks_start_one_helper_and_only_for_work),
        cmocka_unit_test(a_responder_looks_for_tasks_unasked),
        cmocka_unit_test(without_helpers_there_is_no_kick),
        cmocka_unit_test(a_missing_helper_is_no_failure),
    };
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    if (n < 0)
        return 1;
    if (argc == 3 && strcmp(argv[1], "--report") == 0)
        return report(argv[2]);
    if (argc == 3 && strcmp(argv[1], "--hold") == 0)
        return hold(argv[2]);
    return cmocka_run_group_tests(tests, open_app, close_app);
}
