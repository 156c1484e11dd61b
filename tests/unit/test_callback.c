/* Callbacks: kept with their tasks, signed, sent by the courier to a site on
 * loopback that accepts, refuses, redirects or says nothing. */
#include "run/courier.h"
#include "site.h"
#include "webapp.h"

#include <stdint.h>

#include "store/callback.h"

enum { NOW = 1000000 };

static struct webapp app;
static struct errctx ec;

/* --- the receiving end --------------------------------------------------- */

struct received {
    pthread_mutex_t lock;
    int count;
    char id[64], time[64], signature[96], path[64];
    char body[4096];
};

static struct received got;

static bool receive(struct site *s, struct site_request *rq)
{
    size_t n = 0, have = strlen(rq->body);
    char length[32], elsewhere[64];

    sscanf(site_header(rq, "Content-Length", length, sizeof length), "%zu", &n);
    pthread_mutex_lock(&got.lock);
    got.count++;
    site_header(rq, "webhook-id", got.id, sizeof got.id);
    site_header(rq, "webhook-timestamp", got.time, sizeof got.time);
    site_header(rq, "webhook-signature", got.signature, sizeof got.signature);
    snprintf(got.path, sizeof got.path, "%.63s", rq->path);
    if (n < sizeof got.body) {
        memcpy(got.body, rq->body, have);
        while (have < n) {
            ssize_t k = recv(rq->fd, got.body + have, n - have, 0);

            if (k <= 0)
                break;
            have += (size_t)k;
        }
        got.body[have] = '\0';
    }
    pthread_mutex_unlock(&got.lock);
    if (strcmp(rq->path, "/error") == 0)
        return site_reply(rq->fd, 500, "text/plain", "", "no", 2);
    if (strcmp(rq->path, "/gone") == 0)
        return site_reply(rq->fd, 410, "text/plain", "", "no", 2);
    if (strcmp(rq->path, "/hang") == 0) {
        struct pollfd p = {s->stop_pipe[0], POLLIN, 0};

        poll(&p, 1, 5000); /* the sender leaves long before */
        return false;
    }
    snprintf(elsewhere, sizeof elsewhere,
             "Location: http://127.0.0.1:%d/ok\r\n", s->port);
    if (strcmp(rq->path, "/redirect") == 0)
        return site_reply(rq->fd, 307, "text/plain", elsewhere, "no", 2);
    return site_reply(rq->fd, 204, "", "", "", 0);
}

/* --- tasks --------------------------------------------------------------- */

static struct db *db(void)
{
    return app.w.store.state;
}

static enum err submit(const char *input, const char *url, const char *key,
                       int64_t now_ms, struct task *out)
{
    struct task_order o = {
        .input = input, .open_max = 1000, .callback_url = url, .key = key};

    return task_submit(db(), app.account, &o, now_ms, &app.w.arena, out, &ec);
}

static struct task submitted(const char *url)
{
    struct task t;

    assert_int_equal(submit("{\"q\":\"x\"}", url, NULL, NOW, &t), ERR_OK);
    return t;
}

static void finish(const struct task *t)
{
    struct task_lease l;

    assert_int_equal(
        task_claim(db(), t->id, 1000, 5, NOW, &app.w.arena, &l, &ec), ERR_OK);
    assert_int_equal(task_finish(db(), &l, "{\"answer\":\"a\"}", NOW, &ec),
                     ERR_OK);
}

static struct callback callback_of(const struct task *t)
{
    struct callback c;

    assert_int_equal(callback_get(db(), t->id, &app.w.arena, &c, &ec), ERR_OK);
    return c;
}

static size_t taken(int64_t now_ms, int64_t hold_ms, struct callback_job **jobs)
{
    size_t n = 99;

    assert_int_equal(callback_take(db(), now_ms, hold_ms, COURIER_BATCH,
                                   &app.w.arena, jobs, &n, &ec),
                     ERR_OK);
    return n;
}

/* Send what is due at now_ms; returns how many tries. */
static size_t send_at(int64_t now_ms)
{
    struct http *http = NULL;
    size_t sent = 99;

    assert_int_equal(http_new(&app.conf, &http), ERR_OK);
    assert_int_equal(courier_run(&app.conf, db(), http, now_ms, &sent, &ec),
                     ERR_OK);
    http_free(http);
    return sent;
}

static int setup(void **state)
{
    static char *const envp[] = {(char *)"CITED_NET_ALLOW_HOSTS=127.0.0.1",
                                 (char *)"CITED_RESEARCH_CALLBACK_TIMEOUT_MS="
                                         "300",
                                 NULL};

    (void)state;
    memset(&got, 0, sizeof got);
    pthread_mutex_init(&got.lock, NULL);
    webapp_open(&app, envp);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    webapp_close(&app);
    return 0;
}

/* --- the store ------------------------------------------------------------ */

static void the_same_key_and_input_is_the_same_task(void **state)
{
    struct task a, b, c;

    (void)state;
    assert_int_equal(submit("{\"q\":1}", NULL, "k", NOW, &a), ERR_OK);
    assert_int_equal(submit("{\"q\":1}", NULL, "k", NOW + 5, &b), ERR_OK);
    assert_string_equal(a.id, b.id);
    assert_int_equal(b.created_ms, NOW);
    finish(&a);
    assert_int_equal(submit("{\"q\":1}", NULL, "k", NOW + 6, &b), ERR_OK);
    assert_int_equal(b.state, TASK_COMPLETED);
    assert_int_equal(submit("{\"q\":2}", NULL, "k", NOW + 7, &b), ERR_CONFLICT);
    assert_int_equal(submit("{\"q\":1}", NULL, "other", NOW + 8, &c), ERR_OK);
    assert_string_not_equal(a.id, c.id);
}

static void a_key_is_forgotten_after_a_day_and_with_its_task(void **state)
{
    struct task a, b, c;

    (void)state;
    assert_int_equal(submit("{\"q\":1}", NULL, "k", NOW, &a), ERR_OK);
    assert_int_equal(submit("{\"q\":1}", NULL, "k", NOW + TASK_KEY_MS - 1, &b),
                     ERR_OK);
    assert_string_equal(a.id, b.id);
    assert_int_equal(submit("{\"q\":2}", NULL, "k", NOW + TASK_KEY_MS, &b),
                     ERR_OK);
    assert_string_not_equal(a.id, b.id);
    finish(&b);
    assert_int_equal(
        task_drop(db(), app.account, b.id, NOW, &app.w.arena, &b, &ec), ERR_OK);
    assert_int_equal(submit("{\"q\":2}", NULL, "k", NOW + TASK_KEY_MS, &c),
                     ERR_OK);
    assert_string_not_equal(b.id, c.id);
}

static void an_unfinished_task_is_cancelled_then_removed(void **state)
{
    struct task t = submitted(NULL), seen;
    struct task_lease l;

    (void)state;
    assert_int_equal(
        task_drop(db(), app.account + 1, t.id, NOW, &app.w.arena, &seen, &ec),
        ERR_NOT_FOUND);
    assert_int_equal(
        task_claim(db(), t.id, 1000, 5, NOW, &app.w.arena, &l, &ec), ERR_OK);
    assert_int_equal(
        task_drop(db(), app.account, t.id, NOW + 9, &app.w.arena, &seen, &ec),
        ERR_OK);
    assert_int_equal(seen.state, TASK_FAILED);
    assert_string_equal(seen.error, "cancelled");
    assert_int_equal(seen.updated_ms, NOW + 9);
    /* what its helper notices */
    assert_int_equal(task_beat(db(), &l, 1000, NOW + 10, &ec), ERR_LEASE_LOST);
    assert_int_equal(
        task_add_step(db(), &l, "search", "{}", NULL, 0, 1000, NOW + 10, &ec),
        ERR_LEASE_LOST);
    assert_int_equal(task_finish(db(), &l, "{}", NOW + 10, &ec),
                     ERR_LEASE_LOST);
    assert_int_equal(
        task_drop(db(), app.account, t.id, NOW + 11, &app.w.arena, &seen, &ec),
        ERR_OK);
    assert_int_equal(seen.state, TASK_FAILED);
    assert_int_equal(task_get(db(), 0, t.id, &app.w.arena, &seen, &ec),
                     ERR_NOT_FOUND);
    assert_int_equal(
        task_drop(db(), app.account, t.id, NOW + 11, &app.w.arena, &seen, &ec),
        ERR_NOT_FOUND);
}

static void what_is_due_when_the_clock_was_ahead_is_due_now(void **state)
{
    enum { AHEAD = 2 * 60 * 60 * 1000, HOLD = 15000 };
    struct task t = submitted("https://a.example/ahead");
    struct callback_job *jobs;
    int64_t next;

    (void)state;
    for (int64_t i = 1; i <= COURIER_TRIES; i++)
        assert_true(courier_pause_ms(i) <= CALLBACK_PAUSE_MAX_MS(i));
    finish(&t);
    assert_int_equal(taken(NOW + AHEAD, 1, &jobs), 1);
    assert_int_equal(callback_settle(db(), jobs, CALLBACK_DUE,
                                     NOW + AHEAD + courier_pause_ms(1), "no",
                                     &ec),
                     ERR_OK);
    /* The clock is as it was. */
    assert_int_equal(taken(NOW + courier_pause_ms(1), 1, &jobs), 0);
    assert_int_equal(callback_mend(db(), NOW, HOLD, &ec), ERR_OK);
    assert_int_equal(callback_next(db(), &next, &ec), ERR_OK);
    assert_int_equal(next, NOW);
    /* And what is due as it should be stays so. */
    assert_int_equal(taken(NOW, 1, &jobs), 1);
    assert_int_equal(callback_settle(db(), jobs, CALLBACK_DUE,
                                     NOW + courier_pause_ms(2), "no", &ec),
                     ERR_OK);
    assert_int_equal(callback_mend(db(), NOW, HOLD, &ec), ERR_OK);
    assert_int_equal(callback_next(db(), &next, &ec), ERR_OK);
    assert_int_equal(next, NOW + courier_pause_ms(2));
    assert_int_equal(callback_settle(db(), jobs, CALLBACK_GIVEN_UP, 0, "no",
                                     &ec),
                     ERR_OK);
}

static void a_callback_is_due_when_its_task_has_ended(void **state)
{
    struct task done = submitted("https://a.example/done"),
                failed = submitted("https://a.example/failed"),
                dropped = submitted("https://a.example/dropped"), t;
    struct task_lease l;
    struct callback_job *jobs;
    struct task_work work;
    int64_t next;

    (void)state;
    assert_int_equal(callback_next(db(), &next, &ec), ERR_OK);
    assert_true(next == INT64_MAX);
    assert_int_equal(taken(NOW, 100, &jobs), 0);
    assert_int_equal(callback_of(&done).state, CALLBACK_WAITING);
    finish(&done);
    /* begun once too often */
    for (int i = 0; i < 2; i++)
        assert_int_equal(task_claim(db(), failed.id, 10, 1, NOW + 100 * i,
                                    &app.w.arena, &l, &ec),
                         i == 0 ? ERR_OK : ERR_NOT_FOUND);
    assert_int_equal(
        task_drop(db(), app.account, dropped.id, NOW, &app.w.arena, &t, &ec),
        ERR_OK);
    assert_true(t.sends == false || t.state == TASK_FAILED);
    assert_int_equal(task_get(db(), 0, dropped.id, &app.w.arena, &t, &ec),
                     ERR_OK);
    assert_true(t.sends);
    assert_int_equal(task_work(db(), 10, NOW + 100, &work, &ec), ERR_OK);
    assert_int_equal(work.waiting, 3);
    assert_int_equal(taken(NOW + 100, 50, &jobs), 3);
    for (int i = 0; i < 3; i++) {
        assert_true(jobs[i].task.state >= TASK_COMPLETED);
        assert_int_equal(jobs[i].tries, 1);
    }
    /* held, then free for another helper, as the first may be dead */
    assert_int_equal(taken(NOW + 149, 50, &jobs), 0);
    assert_int_equal(taken(NOW + 150, 50, &jobs), 3);
    assert_int_equal(jobs[0].tries, 2);
}

static void a_late_settlement_of_an_old_try_counts_for_nothing(void **state)
{
    struct task t = submitted("https://a.example/");
    struct callback_job *first, *second;

    (void)state;
    finish(&t);
    assert_int_equal(taken(NOW, 10, &first), 1);
    assert_int_equal(taken(NOW + 10, 10, &second), 1);
    assert_int_equal(
        callback_settle(db(), first, CALLBACK_GIVEN_UP, 0, "late", &ec),
        ERR_OK);
    assert_int_equal(callback_of(&t).state, CALLBACK_DUE);
    assert_int_equal(
        callback_settle(db(), second, CALLBACK_DELIVERED, 0, NULL, &ec),
        ERR_OK);
    assert_int_equal(callback_of(&t).state, CALLBACK_DELIVERED);
    assert_int_equal(taken(NOW + 1000, 10, &first), 0);
}

static void a_secret_is_made_once_and_replaced_when_asked(void **state)
{
    unsigned char a[SHA256_BYTES], b[SHA256_BYTES];
    struct task t;
    struct callback_job *jobs;

    (void)state;
    assert_int_equal(callback_secret(db(), app.account, false, a, &ec), ERR_OK);
    assert_int_equal(callback_secret(db(), app.account, false, b, &ec), ERR_OK);
    assert_memory_equal(a, b, sizeof a);
    t = submitted("https://a.example/");
    finish(&t);
    assert_int_equal(taken(NOW, 10, &jobs), 1);
    assert_memory_equal(jobs[0].secret, a, sizeof a);
    assert_int_equal(callback_secret(db(), app.account, true, b, &ec), ERR_OK);
    assert_memory_not_equal(a, b, sizeof a);
    assert_int_equal(callback_secret(db(), 999, false, b, &ec), ERR_NOT_FOUND);
}

/* --- the courier -----------------------------------------------------------
 */

/* Example of the Standard Webhooks specification's reference libraries: the
 * secret is the 24 bytes of MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, zeros behind
 * them leave an HMAC key below the block size as it is. */
static void a_signature_is_that_of_the_specification(void **state)
{
    static const unsigned char key[SHA256_BYTES] = {
        0x31, 0xf2, 0x90, 0xf6, 0xbf, 0x06, 0x29, 0x8a, 0xab, 0x4f, 0x08, 0xd4,
        0x3c, 0x3f, 0x08, 0x2c, 0xf6, 0x48, 0xa3, 0x62, 0xda, 0x2d, 0xa4, 0xb0};
    static const char body[] = "{\"test\": 2432232314}";
    char out[COURIER_SIGNATURE_MAX];

    (void)state;
    assert_int_equal(courier_sign(key, "msg_p5jXN8AQM9LWM0D4loKWxJek",
                                  1614265330, body, strlen(body), out),
                     ERR_OK);
    assert_string_equal(out, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

static struct task sent_to(struct site *s, const char *path)
{
    char url[64];
    struct task t;

    snprintf(url, sizeof url, "http://127.0.0.1:%d%s", s->port, path);
    t = submitted(url);
    finish(&t);
    return t;
}

static void a_record_is_posted_once_and_signed(void **state)
{
    unsigned char secret[SHA256_BYTES];
    char want[COURIER_SIGNATURE_MAX];
    struct site s;
    struct task t;

    (void)state;
    site_start(&s, receive, NULL);
    t = sent_to(&s, "/ok");
    assert_int_equal(send_at(NOW), 1);
    assert_int_equal(send_at(NOW + 1000000000), 0);
    site_stop(&s);
    assert_int_equal(got.count, 1);
    assert_string_equal(got.id, t.id);
    assert_string_equal(got.time, "1000");
    assert_non_null(strstr(got.body, "\"status\":\"completed\""));
    assert_non_null(strstr(got.body, "\"output\":{\"answer\":\"a\"}"));
    assert_int_equal(callback_secret(db(), app.account, false, secret, &ec),
                     ERR_OK);
    assert_int_equal(
        courier_sign(secret, t.id, 1000, got.body, strlen(got.body), want),
        ERR_OK);
    assert_string_equal(got.signature, want);
    assert_int_equal(callback_of(&t).state, CALLBACK_DELIVERED);
}

static void what_is_not_accepted_is_tried_again(void **state)
{
    static const struct {
        const char *path, *error;
        enum callback_state state;
    } cases[] = {
        {"/error", "HTTP status 500", CALLBACK_DUE},
        {"/hang", NULL, CALLBACK_DUE},
        {"/redirect", "HTTP status 307: redirects are not followed",
         CALLBACK_DUE},
        {"/gone", "HTTP status 410", CALLBACK_GIVEN_UP},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct callback c;
        struct site s;
        struct task t;

        got.count = 0;
        site_start(&s, receive, NULL);
        t = sent_to(&s, cases[i].path);
        assert_int_equal(send_at(NOW), 1);
        site_stop(&s);
        c = callback_of(&t);
        assert_int_equal(c.state, cases[i].state);
        assert_int_equal(c.tries, 1);
        assert_int_equal(got.count, 1); /* a redirect was not followed */
        assert_non_null(c.error);
        if (cases[i].error != NULL)
            assert_string_equal(c.error, cases[i].error);
        if (c.state == CALLBACK_DUE)
            assert_true(c.due_ms >=
                        clock_now_ms() + courier_pause_ms(1) - 5000);
    }
}

static void it_is_given_up_after_the_last_pause(void **state)
{
    struct site s;
    struct task t;
    int64_t now = NOW;

    (void)state;
    site_start(&s, receive, NULL);
    t = sent_to(&s, "/error");
    for (int i = 1; i <= COURIER_TRIES; i++) {
        assert_int_equal(callback_of(&t).tries, i - 1);
        assert_int_equal(send_at(now), 1);
        assert_int_equal(callback_of(&t).state,
                         i < COURIER_TRIES ? CALLBACK_DUE : CALLBACK_GIVEN_UP);
        now = callback_of(&t).due_ms;
    }
    site_stop(&s);
    assert_int_equal(got.count, COURIER_TRIES);
}

static void a_private_address_is_refused(void **state)
{
    static const char *const urls[] = {
        "http://127.0.0.2:9/", "http://[::1]:9/", "http://10.0.0.1/",
        "http://169.254.169.254/latest/", "http://localhost:9/"};

    (void)state;
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        struct task t = submitted(urls[i]);
        struct callback c;

        finish(&t);
        assert_int_equal(send_at(NOW), 1);
        c = callback_of(&t);
        assert_int_equal(c.state, CALLBACK_DUE);
        assert_non_null(c.error);
    }
}

static void a_hanging_receiver_does_not_delay_the_others(void **state)
{
    struct site s;
    struct task slow, quick;
    int64_t since = clock_mono_ms();

    (void)state;
    site_start(&s, receive, NULL);
    slow = sent_to(&s, "/hang");
    quick = sent_to(&s, "/ok");
    assert_int_equal(send_at(NOW), 2);
    assert_true(clock_mono_ms() - since < 4000);
    site_stop(&s);
    assert_int_equal(callback_of(&slow).state, CALLBACK_DUE);
    assert_int_equal(callback_of(&quick).state, CALLBACK_DELIVERED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(the_same_key_and_input_is_the_same_task),
        T(a_key_is_forgotten_after_a_day_and_with_its_task),
        T(an_unfinished_task_is_cancelled_then_removed),
        T(what_is_due_when_the_clock_was_ahead_is_due_now),
        T(a_callback_is_due_when_its_task_has_ended),
        T(a_late_settlement_of_an_old_try_counts_for_nothing),
        T(a_secret_is_made_once_and_replaced_when_asked),
        T(a_signature_is_that_of_the_specification),
        T(a_record_is_posted_once_and_signed),
        T(what_is_not_accepted_is_tried_again),
        T(it_is_given_up_after_the_last_pause),
        T(a_private_address_is_refused),
        T(a_hanging_receiver_does_not_delay_the_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
