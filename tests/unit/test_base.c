/* The ground everything stands on: arena, buf, str, UTF-8, numbers, dates,
 * clock, ids, errors, log lines. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/date.h"
#include "base/err.h"
#include "base/id.h"
#include "base/log.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* --- errors --------------------------------------------------------------- */

static void every_error_has_a_name(void **state)
{
    (void)state;
    for (int i = 0; i < ERR__MAX; i++) {
        const char *name = err_name((enum err)i);

        assert_non_null(name);
        assert_true(name[0] != '\0');
        for (int j = 0; j < i; j++)
            assert_string_not_equal(name, err_name((enum err)j));
    }
    assert_string_equal(err_name(ERR_NOT_FOUND), "not_found");
    assert_non_null(err_name(ERR__MAX));
}

static void an_error_carries_words_cut_to_size(void **state)
{
    struct errctx ec;
    char big[600];

    (void)state;
    memset(big, 'x', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    assert_int_equal(err_set(&ec, ERR_IO, "%d %s", 7, "y"), ERR_IO);
    assert_int_equal(ec.code, ERR_IO);
    assert_string_equal(ec.msg, "7 y");
    assert_int_equal(err_set(NULL, ERR_DB, "nobody hears"), ERR_DB);
    assert_int_equal(err_set(&ec, ERR_DB, "%s", big), ERR_DB);
    assert_int_equal(strlen(ec.msg), sizeof ec.msg - 1);
}

/* --- arena ---------------------------------------------------------------- */

static void arena_memory_is_zeroed_and_aligned(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 20);
    for (size_t n = 0; n < 200; n++) {
        unsigned char *p = arena_alloc(&a, n);

        assert_non_null(p);
        assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xA5, n);
    }
    arena_reset(&a);
    assert_int_equal(((unsigned char *)arena_alloc(&a, 1))[0], 0);
    arena_fini(&a);
}

static void arena_big_pieces_stay_usable(void **state)
{
    struct arena a;
    char *small, *big, *more;

    (void)state;
    arena_init(&a, 1 << 22);
    small = arena_strdup(&a, "small");
    big = arena_alloc(&a, 1 << 20);
    more = arena_strdup(&a, "more");
    assert_non_null(big);
    memset(big, 1, 1 << 20);
    assert_string_equal(small, "small");
    assert_string_equal(more, "more");
    arena_fini(&a);
}

static void arena_cap_is_kept_and_failure_remembered(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a, 1024);
    assert_non_null(arena_alloc(&a, 1000));
    assert_false(arena_failed(&a));
    assert_null(arena_alloc(&a, 1000));
    assert_true(arena_failed(&a));
    arena_reset(&a);
    assert_false(arena_failed(&a));
    assert_non_null(arena_alloc(&a, 1000));
    assert_null(arena_alloc(&a, SIZE_MAX));
    arena_fini(&a);
}

static void arena_array_checks_for_overflow(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 20);
    assert_null(arena_array(&a, SIZE_MAX / 2, 4));
    assert_true(arena_failed(&a));
    arena_fini(&a);
}

static void arena_arrays_grow_and_keep_what_they_hold(void **state)
{
    struct arena a;
    int *v = NULL;
    size_t room = 0, n = 0;

    (void)state;
    arena_init(&a, 4096);
    for (; n < 100; n++) {
        assert_true(arena_grow(&a, &v, n, 1, &room, sizeof *v));
        assert_in_range(n + 1, 1, room);
        v[n] = (int)n;
    }
    assert_true(arena_grow(&a, &v, n, 300, &room, sizeof *v));
    assert_in_range(room, 400, 512);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(v[i], i);
    assert_false(arena_grow(&a, &v, n, 4096, &room, sizeof *v));
    assert_int_equal(v[99], 99);
    arena_fini(&a);
}

static void arena_strings_are_copies(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 20);
    assert_string_equal(arena_strndup(&a, "abcdef", 3), "abc");
    assert_string_equal(arena_printf(&a, "%s-%d", "x", 5), "x-5");
    assert_null(arena_strdup(&a, NULL));
    assert_null(arena_strndup(&a, NULL, 3));
    arena_fini(&a);
}

/* --- buf ------------------------------------------------------------------ */

static void buffers_grow_and_stay_terminated(void **state)
{
    struct buf b;

    (void)state;
    buf_init(&b, 10000);
    assert_string_equal(buf_str(&b), "");
    for (int i = 0; i < 1000; i++)
        assert_int_equal(buf_addf(&b, "%d,", i % 10), ERR_OK);
    assert_int_equal(b.len, 2000);
    assert_int_equal(strlen(buf_str(&b)), 2000);
    buf_reset(&b);
    assert_string_equal(buf_str(&b), "");
    assert_int_equal(buf_add(&b, "a\0b", 3), ERR_OK);
    assert_int_equal(b.len, 3);
    buf_fini(&b);
    assert_string_equal(buf_str(&b), "");
}

static void buffers_refuse_more_than_their_cap(void **state)
{
    struct buf b;

    (void)state;
    buf_init(&b, 5);
    assert_int_equal(buf_adds(&b, "12345"), ERR_OK);
    assert_int_equal(buf_add(&b, "", 0), ERR_OK);
    assert_int_equal(buf_addc(&b, '6'), ERR_TOO_LARGE);
    assert_int_equal(buf_err(&b), ERR_TOO_LARGE);
    assert_string_equal(buf_str(&b), "12345");
    buf_reset(&b);
    assert_int_equal(buf_err(&b), ERR_OK);
    assert_int_equal(buf_addf(&b, "%s", "123456"), ERR_TOO_LARGE);
    buf_fini(&b);
}

static void a_buffers_first_failure_sticks(void **state)
{
    struct buf b;

    (void)state;
    buf_init(&b, 4);
    assert_int_equal(buf_adds(&b, "abc"), ERR_OK);
    assert_int_equal(buf_adds(&b, "def"), ERR_TOO_LARGE);
    assert_int_equal(buf_addc(&b, 'd'), ERR_TOO_LARGE); /* would fit */
    assert_string_equal(buf_str(&b), "abc");
    buf_fini(&b);
}

/* --- str ------------------------------------------------------------------ */

static void views_are_trimmed_and_compared(void **state)
{
    struct str s = str_trim(str_of(" \t\r\nA b\v\f "));

    (void)state;
    assert_true(str_eq(s, "A b"));
    assert_false(str_eq(s, "A"));
    assert_false(str_eq(s, "a b"));
    assert_true(str_ieq(s, "a B"));
    assert_int_equal(str_trim(str_of("  ")).n, 0);
    assert_int_equal(str_of(NULL).n, 0);
}

static void ascii_case_knows_no_locale(void **state)
{
    char z[] = "AbZ[\xC3\x84";

    (void)state;
    ascii_lower_all(z);
    assert_string_equal(z, "abz[\xC3\x84");
    assert_int_equal(ascii_casecmp("Content-Type", "content-type"), 0);
    assert_true(ascii_casecmp("a", "b") < 0);
    assert_true(ascii_casecmp("ab", "a") > 0);
    assert_true(ascii_starts_i("Bearer x", "bearer "));
    assert_false(ascii_starts_i("Bear", "bearer"));
    assert_false(ascii_is_alpha(0xC4));
    assert_false(ascii_is_digit(0xB2));
}

static void bytes_are_found(void **state)
{
    static const char hay[] = "one Two\0three", stutter[] = "ttTtHeTTTheT";
    size_t n = sizeof hay - 1;

    (void)state;
    assert_ptr_equal(mem_find(hay, n, "Two"), hay + 4);
    assert_null(mem_find(hay, n, "two"));
    assert_ptr_equal(mem_find_i(hay, n, "tWO"), hay + 4);
    assert_ptr_equal(mem_find_i(hay, n, "THREE"), hay + 8);
    assert_null(mem_find_i(hay, n - 1, "three"));
    assert_ptr_equal(mem_find_i(hay, 0, ""), hay);
    for (const char *at = stutter; *at != '\0'; at++) {
        size_t left = strlen(at);
        const char *the = mem_find_i(at, left, "The");

        assert_ptr_equal(the, at <= stutter + 3   ? stutter + 3
                              : at <= stutter + 8 ? stutter + 8
                                                  : NULL);
    }
    assert_ptr_equal(mem_find(hay, n, "three"), hay + 8);
    assert_null(mem_find(hay, 3, "one "));
    assert_null(mem_find(hay, 0, "o"));
}

static void utf8_is_told_from_what_is_not(void **state)
{
    static const struct {
        const char *p;
        bool valid;
    } rows[] = {
        {"", true},
        {"abc", true},
        {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", true},
        {"\xF4\x8F\xBF\xBF", true},
        {"\xED\x9F\xBF\xEE\x80\x80", true},
        {"\x80", false},
        {"\xC3", false},
        {"\xC3(", false},
        {"\xC0\xAF", false},
        {"\xC1\xBF", false},
        {"\xE0\x80\xAF", false},
        {"\xE0\x9F\xBF", false},
        {"\xF0\x80\x80\xAF", false},
        {"\xED\xA0\x80", false},
        {"\xED\xBF\xBF", false},
        {"\xF4\x90\x80\x80", false},
        {"\xF5\x80\x80\x80", false},
        {"\xFE", false},
        {"\xE2\x82", false},
        {"\xF0\x9F\x98", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(utf8_valid(rows[i].p, strlen(rows[i].p)),
                         rows[i].valid);
    assert_true(utf8_valid("a\0b", 3));
}

static void code_points_come_back_as_they_went(void **state)
{
    static const uint32_t cps[] = {0,      0x7F,   0x80,   0x7FF,   0x800,
                                   0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
    char z[4];
    uint32_t cp;

    (void)state;
    for (size_t i = 0; i < sizeof cps / sizeof cps[0]; i++) {
        size_t n = utf8_encode(cps[i], z);

        assert_int_equal(utf8_decode(z, n, &cp), n);
        assert_int_equal(cp, cps[i]);
    }
    assert_int_equal(utf8_encode(0xD800, z), 3);
    assert_memory_equal(z, "\xEF\xBF\xBD", 3);
    assert_int_equal(utf8_encode(0x110000, z), 3);
    assert_int_equal(utf8_decode("\xC3", 1, &cp), 1);
    assert_int_equal(cp, 0xFFFD);
    assert_int_equal(utf8_decode("\xE2\x82", 2, &cp), 1);
    assert_int_equal(cp, 0xFFFD);
}

static void text_is_cut_between_characters(void **state)
{
    static const char z[] = "a\xC3\xA9\xF0\x9F\x98\x80";

    (void)state;
    for (size_t max = 0; max <= 10; max++) {
        size_t n = utf8_cut(z, 7, max);

        assert_true(n <= max && n <= 7);
        assert_true(utf8_valid(z, n));
    }
    assert_int_equal(utf8_cut(z, 7, 2), 1);
    assert_int_equal(utf8_cut(z, 7, 6), 3);
    assert_int_equal(utf8_cut(z, 7, 7), 7);
}

static void whole_numbers_are_parsed_strictly(void **state)
{
    static const struct {
        const char *z;
        int64_t lo, hi;
        bool good;
        int64_t value;
    } rows[] = {
        {"0", 0, 10, true, 0},
        {"10", 0, 10, true, 10},
        {"11", 0, 10, false, 0},
        {"-1", 0, 10, false, 0},
        {"-1", -1, 10, true, -1},
        {"007", 0, 10, true, 7},
        {"9223372036854775807", 0, INT64_MAX, true, INT64_MAX},
        {"9223372036854775808", INT64_MIN, INT64_MAX, false, 0},
        {"-9223372036854775808", INT64_MIN, INT64_MAX, true, INT64_MIN},
        {"-9223372036854775809", INT64_MIN, INT64_MAX, false, 0},
        {"99999999999999999999999", INT64_MIN, INT64_MAX, false, 0},
        {"", 0, 10, false, 0},
        {"-", -10, 10, false, 0},
        {"+1", 0, 10, false, 0},
        {" 1", 0, 10, false, 0},
        {"1 ", 0, 10, false, 0},
        {"1.0", 0, 10, false, 0},
        {"1e1", 0, 10, false, 0},
        {"0x1", 0, 10, false, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t v = 42;

        if (parse_int(rows[i].z, rows[i].lo, rows[i].hi, &v) != rows[i].good)
            fail_msg("\"%s\"", rows[i].z);
        assert_true(v == (rows[i].good ? rows[i].value : 42));
    }
}

static void hex_is_lower_case(void **state)
{
    static const unsigned char raw[] = {0x00, 0xAB, 0xFF};
    char out[7];

    (void)state;
    hex_format(raw, 3, out);
    assert_string_equal(out, "00abff");
}

/* --- dates ---------------------------------------------------------------- */

static void dates_of_the_calendar_are_read(void **state)
{
    static const struct {
        const char *z;
        const char *date; /* NULL: refused */
    } rows[] = {
        {"1970-01-01", "1970-01-01"},
        {"2024-02-29", "2024-02-29"},
        {"2000-02-29", "2000-02-29"},
        {"9999-12-31", "9999-12-31"},
        {"0001-01-01", "0001-01-01"},
        {"2025-05-04T10:00:00Z", "2025-05-04"},
        {"2025-05-04T10:00:00.123Z", "2025-05-04"},
        {"2025-05-04T23:59:60+14:00", "2025-05-04"},
        {"2025-05-04T10:00-08:00", "2025-05-04"},
        {"2025-05-04T10:00", "2025-05-04"},
        {"2025-05-04T10:00:00", "2025-05-04"},
        {"2025-05-04T10:00:00.123456", "2025-05-04"},
        {"2025-02-29", NULL},
        {"1900-02-29", NULL},
        {"2025-13-01", NULL},
        {"2025-00-01", NULL},
        {"2025-04-31", NULL},
        {"2025-01-00", NULL},
        {"0000-01-01", NULL},
        {"2025-1-1", NULL},
        {"2025/01/01", NULL},
        {"20250101", NULL},
        {"2025-01-01 ", NULL},
        {" 2025-01-01", NULL},
        {"2025-01-01T", NULL},
        {"2025-01-01 10:00:00Z", NULL},
        {"2025-01-01T24:00:00Z", NULL},
        {"2025-01-01T10:60:00Z", NULL},
        {"2025-01-01T10:00:00.Z", NULL},
        {"2025-01-01T10:00:00.", NULL},
        {"2025-01-01T10:0", NULL},
        {"2025-01-01T10:00:0", NULL},
        {"2025-01-01T25:00", NULL},
        {"2025-01-01T10:00:00+0100", NULL},
        {"2025-01-01T10:00:00Zx", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int32_t day = 12345;
        char out[DATE_LEN + 1];
        bool good = date_parse_iso(rows[i].z, strlen(rows[i].z), &day);

        if (good != (rows[i].date != NULL))
            fail_msg("\"%s\"", rows[i].z);
        if (!good) {
            assert_int_equal(day, 12345);
            continue;
        }
        date_format(day, out);
        assert_string_equal(out, rows[i].date);
    }
}

static void days_are_counted_without_gaps(void **state)
{
    int32_t last = date_to_day(1599, 12, 31);

    (void)state;
    assert_int_equal(date_to_day(1970, 1, 1), 0);
    assert_int_equal(date_to_day(1969, 12, 31), -1);
    assert_int_equal(date_to_day(2000, 3, 1), 11017);
    for (int y = 1600; y <= 2400; y++)
        for (int m = 1; m <= 12; m++)
            for (int d = 1; date_exists(y, m, d); d++) {
                int year, month, mday;
                int32_t day = date_to_day(y, m, d);

                assert_true(day == ++last);
                date_from_day(day, &year, &month, &mday);
                assert_true(year == y && month == m && mday == d);
            }
}

static void stamps_are_utc_with_milliseconds(void **state)
{
    static const struct {
        int64_t ms;
        const char *stamp;
    } rows[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {-1, "1969-12-31T23:59:59.999Z"},
        {INT64_C(1777888800123), "2026-05-04T10:00:00.123Z"},
        {INT64_C(951868799999), "2000-02-29T23:59:59.999Z"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[STAMP_LEN + 1];

        date_format_stamp(rows[i].ms, out);
        assert_string_equal(out, rows[i].stamp);
    }
}

/* --- clock ---------------------------------------------------------------- */

static void deadlines_are_kept(void **state)
{
    struct deadline soon = deadline_in(60000), late = deadline_in(120000);
    struct deadline gone = deadline_in(0), past = deadline_in(-5);

    (void)state;
    assert_false(deadline_passed(&soon));
    assert_true(deadline_left(&soon) > 50000);
    assert_true(deadline_left(&soon) <= 60000);
    assert_true(deadline_passed(&gone));
    assert_int_equal(deadline_left(&past), 0);
    assert_true(deadline_min(late, soon).at_ms == soon.at_ms);
    assert_true(clock_now_ms() > INT64_C(1700000000000));
}

/* --- ids ------------------------------------------------------------------ */

static void uuids_are_random_and_well_formed(void **state)
{
    char a[UUID_LEN + 1], b[UUID_LEN + 1];

    (void)state;
    assert_int_equal(id_uuid(a), ERR_OK);
    assert_int_equal(id_uuid(b), ERR_OK);
    assert_string_not_equal(a, b);
    assert_int_equal(strlen(a), UUID_LEN);
    assert_int_equal(a[14], '4');
    assert_non_null(strchr("89ab", a[19]));
    assert_true(id_is_uuid(a));
    assert_true(id_is_uuid("00000000-0000-0000-0000-00000000ABCD"));
    assert_false(id_is_uuid(""));
    assert_false(id_is_uuid("00000000-0000-0000-0000-00000000ABC"));
    assert_false(id_is_uuid("00000000-0000-0000-0000-00000000ABCDE"));
    assert_false(id_is_uuid("00000000x0000-0000-0000-00000000ABCD"));
    assert_false(id_is_uuid("0000000g-0000-0000-0000-00000000ABCD"));
}

static void api_keys_are_256_random_bits(void **state)
{
    char a[KEY_LEN + 1], b[KEY_LEN + 1];

    (void)state;
    assert_int_equal(id_api_key(a), ERR_OK);
    assert_int_equal(id_api_key(b), ERR_OK);
    assert_string_not_equal(a, b);
    assert_int_equal(strlen(a), KEY_LEN);
    assert_memory_equal(a, "ck_", 3);
    for (const char *p = a + 3; *p != '\0'; p++)
        assert_true(ascii_is_alnum(*p) || *p == '-' || *p == '_');
}

static void the_digest_is_sha_256(void **state)
{
    unsigned char raw[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];

    (void)state;
    id_sha256("abc", 3, raw); /* FIPS 180-4's example */
    hex_format(raw, sizeof raw, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9c"
                             "b410ff61f20015ad");
}

/* --- log ------------------------------------------------------------------ */

/* What one call writes, into out. */
static size_t capture(enum log_level level, const char *id, const char *text,
                      char *out, size_t size)
{
    int fds[2];
    ssize_t n;

    assert_int_equal(pipe(fds), 0);
    log_set_fd(fds[1]);
    log_line(level, id, "%s", text);
    log_set_fd(2);
    assert_int_equal(close(fds[1]), 0);
    n = read(fds[0], out, size - 1);
    assert_true(n >= 0);
    out[n] = '\0';
    assert_int_equal(close(fds[0]), 0);
    return (size_t)n;
}

static void a_log_line_is_one_json_object(void **state)
{
    char out[4096];

    (void)state;
    capture(LOG_WARN, "abc", "say \"hi\"\n\\", out, sizeof out);
    assert_memory_equal(out, "{\"at\":\"20", 9);
    assert_int_equal(out[7 + STAMP_LEN], '"');
    assert_string_equal(out + 7 + STAMP_LEN + 1,
                        ",\"level\":\"warn\",\"id\":\"abc\","
                        "\"msg\":\"say \\\"hi\\\"?\\\\\"}\n");
    capture(LOG_ERROR, NULL, "x", out, sizeof out);
    assert_string_equal(out + 7 + STAMP_LEN + 1,
                        ",\"level\":\"error\",\"msg\":\"x\"}\n");
}

static void log_levels_are_kept(void **state)
{
    char out[4096];

    (void)state;
    assert_int_equal(capture(LOG_DEBUG, NULL, "x", out, sizeof out), 0);
    log_set_level(LOG_OFF);
    assert_int_equal(capture(LOG_ERROR, NULL, "x", out, sizeof out), 0);
    log_set_level(LOG_DEBUG);
    assert_true(capture(LOG_DEBUG, NULL, "x", out, sizeof out) > 0);
    log_set_level(LOG_INFO);
}

static void long_log_lines_are_cut_but_whole(void **state)
{
    char text[5000], out[8192];
    size_t n;

    (void)state;
    memset(text, '"', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    n = capture(LOG_INFO, text, text, out, sizeof out);
    assert_true(n > 100 && n <= 2048);
    assert_string_equal(out + n - 3, "\"}\n");
    assert_ptr_equal(strchr(out, '\n'), out + n - 1);
}

/* The last of them: nothing sets it back. */
static void log_lines_for_people_are_plain(void **state)
{
    char line[4096];

    (void)state;
    log_for_people();
    capture(LOG_WARN, "id", "a \"b\"\n\x1b[31m", line, sizeof line);
    assert_string_equal(line, "\r\033[Kwarning: a \"b\"??[31m\n");
    capture(LOG_ERROR, NULL, "x", line, sizeof line);
    assert_string_equal(line, "\r\033[Kerror: x\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_error_has_a_name),
        cmocka_unit_test(an_error_carries_words_cut_to_size),
        cmocka_unit_test(arena_memory_is_zeroed_and_aligned),
        cmocka_unit_test(arena_big_pieces_stay_usable),
        cmocka_unit_test(arena_cap_is_kept_and_failure_remembered),
        cmocka_unit_test(arena_array_checks_for_overflow),
        cmocka_unit_test(arena_arrays_grow_and_keep_what_they_hold),
        cmocka_unit_test(arena_strings_are_copies),
        cmocka_unit_test(buffers_grow_and_stay_terminated),
        cmocka_unit_test(buffers_refuse_more_than_their_cap),
        cmocka_unit_test(a_buffers_first_failure_sticks),
        cmocka_unit_test(views_are_trimmed_and_compared),
        cmocka_unit_test(ascii_case_knows_no_locale),
        cmocka_unit_test(bytes_are_found),
        cmocka_unit_test(utf8_is_told_from_what_is_not),
        cmocka_unit_test(code_points_come_back_as_they_went),
        cmocka_unit_test(text_is_cut_between_characters),
        cmocka_unit_test(whole_numbers_are_parsed_strictly),
        cmocka_unit_test(hex_is_lower_case),
        cmocka_unit_test(dates_of_the_calendar_are_read),
        cmocka_unit_test(days_are_counted_without_gaps),
        cmocka_unit_test(stamps_are_utc_with_milliseconds),
        cmocka_unit_test(deadlines_are_kept),
        cmocka_unit_test(uuids_are_random_and_well_formed),
        cmocka_unit_test(api_keys_are_256_random_bits),
        cmocka_unit_test(the_digest_is_sha_256),
        cmocka_unit_test(a_log_line_is_one_json_object),
        cmocka_unit_test(log_levels_are_kept),
        cmocka_unit_test(long_log_lines_are_cut_but_whole),
        cmocka_unit_test(log_lines_for_people_are_plain),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
