/* Figures that several processes count together. */
#include "base/meter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[64], path[96];

static int setup(void **state)
{
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-meter-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/" METER_FILE, dir);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(dir);
}

static struct meter *opened(const char *where)
{
    struct meter *m = NULL;

    assert_int_equal(meter_new(where, &m), ERR_OK);
    return m;
}

static uint64_t value(struct meter *m, const char *name)
{
    static struct meter_count all[METER_NAMES_MAX];
    size_t n = meter_counts(m, all, METER_NAMES_MAX);

    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].value;
    return 0;
}

static void *add_many(void *arg)
{
    char name[32];

    for (int i = 0; i < 30000; i++) {
        snprintf(name, sizeof name, "n{x=\"%d\"}", i % 10);
        meter_add(arg, name, 1);
    }
    return NULL;
}

static void processes_and_threads_count_together(void **state)
{
    struct meter *m = opened(path);
    pthread_t thread[2];
    struct stat st;
    char name[32];

    (void)state;
    for (int i = 0; i < 3; i++)
        if (fork() == 0) {
            struct meter *own = NULL;

            if (meter_new(path, &own) != ERR_OK)
                _exit(1);
            add_many(own);
            _exit(0);
        }
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, add_many, m);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < 3; i++) {
        int status = 1;

        wait(&status);
        assert_int_equal(status, 0);
    }
    assert_true(meter_is_shared(m));
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "n{x=\"%d\"}", i);
        assert_int_equal(value(m, name), 5 * 3000);
    }
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    meter_free(m);
    m = opened(path); /* what was counted stays */
    assert_int_equal(value(m, "n{x=\"3\"}"), 5 * 3000);
    meter_free(m);
}

static void without_a_file_a_process_counts_for_itself(void **state)
{
    struct meter *m = opened("/dev/null/metrics");

    (void)state;
    assert_false(meter_is_shared(m));
    meter_add(m, "a", 7);
    assert_int_equal(value(m, "a"), 7);
    meter_free(m);
    meter_add(NULL, "a", 1);
    assert_int_equal(meter_counts(NULL, NULL, 0), 0);
    meter_error(NULL, 1, "id", "x");
    meter_request(NULL, 1, 1);
    meter_free(NULL);
}

static void names_have_bounds(void **state)
{
    struct meter *m = opened(NULL);
    static struct meter_count all[METER_NAMES_MAX];
    char name[METER_NAME_MAX + 8];
    size_t n;

    (void)state;
    memset(name, 'x', sizeof name);
    name[METER_NAME_MAX] = '\0';
    meter_add(m, name, 1); /* too long: dropped */
    assert_int_equal(meter_counts(m, all, METER_NAMES_MAX), 0);
    name[METER_NAME_MAX - 1] = '\0';
    meter_add(m, name, 1);
    assert_int_equal(value(m, name), 1);
    for (int i = 0; i < 3 * METER_NAMES_MAX; i++) {
        snprintf(name, sizeof name, "n%d", i);
        meter_add(m, name, 1);
    }
    n = meter_counts(m, all, METER_NAMES_MAX);
    assert_true(n > METER_NAMES_MAX / 2 && n <= METER_NAMES_MAX);
    for (size_t i = 1; i < n; i++)
        assert_true(strcmp(all[i - 1].name, all[i].name) < 0);
    meter_free(m);
}

static void the_last_hour_is_told_by_minutes(void **state)
{
    static const int64_t now = 1700000000000;
    struct meter *m = opened(NULL);
    struct meter_hour h;

    (void)state;
    meter_hour(m, now, &h);
    assert_int_equal(h.p50_ms, -1);
    meter_request(m, now - 61 * 60000, 1); /* too long ago */
    for (int i = 0; i < 90; i++)
        meter_request(m, now - 59 * 60000, 10);
    for (int i = 0; i < 10; i++)
        meter_request(m, now, 3000);
    meter_hour(m, now, &h);
    assert_int_equal(h.per_minute[0], 90);
    assert_int_equal(h.per_minute[METER_MINUTES - 1], 10);
    assert_int_equal(h.per_minute[30], 0);
    assert_int_equal(h.p50_ms, 10);
    assert_in_range(h.p95_ms, 2600, 3000);
    /* The same slots an hour and more later. */
    meter_request(m, now + 64 * 60000, 1 << 30);
    meter_hour(m, now + 64 * 60000, &h);
    assert_int_equal(h.per_minute[METER_MINUTES - 1], 1);
    assert_int_equal(h.per_minute[0], 0);
    assert_in_range(h.p50_ms, 200000, 300000);
    meter_request(m, now, -5);
    meter_free(m);
}

static void durations_are_told_to_an_eighth(void **state)
{
    (void)state;
    for (int64_t ms = 0; ms < 200000; ms = ms + 1 + ms / 7) {
        struct meter *m = opened(NULL);
        struct meter_hour h;

        meter_request(m, 60000000, ms);
        meter_hour(m, 60000000, &h);
        assert_true(h.p50_ms <= ms && h.p50_ms >= ms - ms / 8);
        meter_free(m);
    }
}

static void the_last_errors_are_kept(void **state)
{
    struct meter *m = opened(path);
    struct meter_error e[METER_ERRORS];
    char text[32], longest[METER_ERROR_MAX + 10];
    size_t n;

    (void)state;
    assert_int_equal(meter_errors(m, e), 0);
    for (int i = 0; i < 200; i++) {
        snprintf(text, sizeof text, "error %d", i);
        meter_error(m, 1000 + i, i % 2 ? "0123456789abcdef" : NULL, text);
    }
    n = meter_errors(m, e);
    assert_int_equal(n, METER_ERRORS);
    assert_string_equal(e[0].message, "error 199");
    assert_string_equal(e[0].id, "0123456789abcdef");
    assert_string_equal(e[1].id, "");
    assert_int_equal(e[n - 1].at_ms, 1000 + 200 - METER_ERRORS);
    memset(longest, 'y', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    memcpy(longest + METER_ERROR_MAX - 2, "\xE2\x82\xAC", 3);
    meter_error(m, 5000, "", longest);
    assert_int_equal(meter_errors(m, e), METER_ERRORS);
    assert_int_equal(strlen(e[0].message), METER_ERROR_MAX - 2);
    meter_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(processes_and_threads_count_together),
        T(without_a_file_a_process_counts_for_itself),
        T(names_have_bounds),
        T(the_last_hour_is_told_by_minutes),
        T(durations_are_told_to_an_eighth),
        T(the_last_errors_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
