/* JSON in and out: the strict scanner, the getters, the writer; and
 * JSONTestSuite in `make suites`. */
#include "json/json.h"

#include "suites.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* --- reading -------------------------------------------------------------- */

static struct json *must_parse(const char *text)
{
    struct json *v = NULL;
    struct errctx ec = {ERR_OK, ""};

    if (json_parse(text, strlen(text), &json_limits_request, &v, &ec) != ERR_OK)
        fail_msg("%s: %s", text, ec.msg);
    return v;
}

static void good_text_parses(void **state)
{
    static const char *const texts[] = {
        "0",
        "-0",
        "1.5e+3",
        "\"\"",
        " [ ] ",
        "{}",
        "null",
        "true",
        "false",
        "[1,2,[3,{\"a\":[]}]]",
        "{\"a\":{\"a\":1},\"A\":2}",
        "\"\\ud834\\udd1e\\u00e9\\/\"",
        "\xEF\xBB\xBF{}",
        "\xEF\xBB\xBF\x30",
        "[\"\x7F\"]",
        "1e-400",
        "123456789012345678901234567890",
        "0.1000000000000000000000000000000000000000000000000000000000000000001",
        "[{\"a\":1},{\"a\":1}]",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        json_free(must_parse(texts[i]));
}

static void bad_text_names_fault_and_byte(void **state)
{
    static const struct {
        const char *text, *msg;
    } rows[] = {
        {"", "unexpected end at byte 0"},
        {"  ", "unexpected end at byte 2"},
        {"01", "invalid number at byte 0"},
        {"[1.]", "invalid number at byte 1"},
        {"[.5]", "expected a value at byte 1"},
        {"[+1]", "expected a value at byte 1"},
        {"-", "invalid number at byte 0"},
        {"1e", "invalid number at byte 0"},
        {"NaN", "expected a value at byte 0"},
        {"nul", "expected a value at byte 0"},
        {"nulls", "text behind the value at byte 4"},
        {"1 2", "text behind the value at byte 2"},
        {"[1,]", "expected a value at byte 3"},
        {"[1 2]", "expected ',' or ']' at byte 3"},
        {"{\"a\":1,}", "expected a key in quotes at byte 7"},
        {"{a:1}", "expected a key in quotes at byte 1"},
        {"{\"a\" 1}", "expected ':' at byte 5"},
        {"{\"a\":1]", "expected ',' or '}' at byte 6"},
        {"[}", "expected a value at byte 1"},
        {"]", "expected a value at byte 0"},
        {"[", "unexpected end at byte 1"},
        {"\"abc", "string without end at byte 0"},
        {"\"a\nb\"", "control character in a string at byte 2"},
        {"\"\\x\"", "invalid escape at byte 1"},
        {"\"\\u12\"", "invalid escape at byte 1"},
        {"\"\\", "invalid escape at byte 1"},
        {"\"\\ud800\"", "lone surrogate at byte 1"},
        {"\"\\udc00\\ud800\"", "lone surrogate at byte 1"},
        {"\"\\u0000\"", "NUL character at byte 1"},
        {"\"\xC3\"", "invalid UTF-8 at byte 1"},
        {"\"\xC0\x80\"", "invalid UTF-8 at byte 1"},
        {"\"\xED\xA0\x80\"", "invalid UTF-8 at byte 1"},
        {"1e400", "number too large at byte 0"},
        {"-1e400", "number too large at byte 0"},
        {"{\"q\":1, \"b\":2, \"q\":3}", "duplicate key \"q\" at byte 15"},
        {"{\"a\":1,\"\\u0061\":2}", "duplicate key \"\\u0061\" at byte 7"},
        {"[{\"x\":{\"\":0,\"\":1}}]", "duplicate key \"\" at byte 12"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json *v = NULL;
        struct errctx ec = {ERR_OK, ""};
        enum err err = json_parse(rows[i].text, strlen(rows[i].text),
                                  &json_limits_request, &v, &ec);

        assert_int_equal(err, ERR_MALFORMED);
        assert_null(v);
        assert_string_equal(ec.msg, rows[i].msg);
    }
}

static void a_raw_nul_byte_is_refused(void **state)
{
    struct json *v = NULL;

    (void)state;
    assert_int_equal(json_parse("[\"a\0\"]", 6, &json_limits_foreign, &v, NULL),
                     ERR_MALFORMED);
    assert_int_equal(json_parse("[]\0", 3, &json_limits_foreign, &v, NULL),
                     ERR_MALFORMED);
}

static void the_text_needs_no_terminator(void **state)
{
    char *text = malloc(4);
    struct json *v = NULL;

    (void)state;
    memcpy(text, "[12]", 4);
    assert_int_equal(json_parse(text, 4, &json_limits_request, &v, NULL),
                     ERR_OK);
    assert_true(json_number(json_first(v)) == 12.0);
    json_free(v);
    assert_int_equal(json_parse(text, 3, &json_limits_request, &v, NULL),
                     ERR_MALFORMED);
    assert_int_equal(json_parse(text + 1, 2, &json_limits_request, &v, NULL),
                     ERR_OK);
    assert_true(json_number(v) == 12.0);
    json_free(v);
    free(text);
}

static void limits_are_errors_of_their_own(void **state)
{
    static const struct json_limits lim = {.bytes_max = 64, .depth_max = 3};
    struct json *v = NULL;
    struct errctx ec;
    char big[66];

    (void)state;
    memset(big, ' ', sizeof big);
    assert_int_equal(json_parse("[[[]]]", 6, &lim, &v, &ec), ERR_OK);
    json_free(v);
    assert_int_equal(json_parse("[[[[", 4, &lim, &v, &ec), ERR_TOO_LARGE);
    assert_string_equal(ec.msg, "nested more than 3 deep at byte 3");
    assert_int_equal(json_parse(big, sizeof big, &lim, &v, &ec), ERR_TOO_LARGE);
}

static void the_deepest_nesting_is_512(void **state)
{
    static const struct json_limits lim = {.bytes_max = 1 << 20,
                                           .depth_max = 100000};
    char text[2 * 513];
    struct json *v = NULL;

    (void)state;
    memset(text, '[', 512);
    memset(text + 512, ']', 512);
    assert_int_equal(json_parse(text, 1024, &lim, &v, NULL), ERR_OK);
    json_free(v);
    memset(text, '[', 513);
    memset(text + 513, ']', 513);
    assert_int_equal(json_parse(text, 1026, &lim, &v, NULL), ERR_TOO_LARGE);
}

static void foreign_answers_are_mended(void **state)
{
    static const char text[] = "{\"a\":\"x\\u0000y\\ud800z\",\"a\":2}";
    struct json *v = NULL;

    (void)state;
    assert_int_equal(
        json_parse(text, strlen(text), &json_limits_foreign, &v, NULL), ERR_OK);
    assert_string_equal(json_string(json_get(v, "a")),
                        "x\xEF\xBF\xBDy\xEF\xBF\xBDz");
    json_free(v);
}

static void of_duplicate_keys_the_first_stays(void **state)
{
    static const char text[] = "{\"a\":1,\"b\":[{\"x\":1,\"\\u0078\":2}],"
                               "\"a\":2,\"c\":3,\"a\":4}";
    struct json *v = NULL;
    struct buf b;
    struct json_out w;

    (void)state;
    assert_int_equal(
        json_parse(text, strlen(text), &json_limits_foreign, &v, NULL), ERR_OK);
    buf_init(&b, 256);
    jw_init(&w, &b);
    jw_value(&w, v);
    assert_string_equal(buf_str(&b), "{\"a\":1,\"b\":[{\"x\":1}],\"c\":3}");
    buf_fini(&b);
    json_free(v);
}

static void long_numbers_keep_their_value(void **state)
{
    struct json *v = must_parse("[1000000000000000000000000000000000000000000"
                                "000000000000000000000000000000000000000000, "
                                "0.125000000000000000000000000000000000000000"
                                "0000000000000000000000000000000000]");

    (void)state;
    assert_true(fabs(json_number(json_first(v)) / 1e84 - 1) < DBL_EPSILON);
    assert_true(json_number(json_next(json_first(v))) == 0.125);
    json_free(v);
}

static void many_keys_are_checked_in_reasonable_time(void **state)
{
    enum { KEYS = 60000 };
    struct buf b;
    struct json *v = NULL;
    struct errctx ec;

    (void)state;
    buf_init(&b, 1 << 20);
    buf_addc(&b, '{');
    for (int i = 0; i < KEYS; i++)
        buf_addf(&b, "\"k%d\":0,", i);
    buf_adds(&b, "\"k7\":0}");
    assert_int_equal(buf_err(&b), ERR_OK);
    assert_int_equal(json_parse(b.data, b.len, &json_limits_request, &v, &ec),
                     ERR_MALFORMED);
    assert_non_null(strstr(ec.msg, "duplicate key \"k7\""));
    buf_fini(&b);
}

static void getters_are_typed_and_forgiving(void **state)
{
    struct json *v = must_parse(
        "{\"s\":\"x\",\"n\":1.5,\"w\":3.0,\"b\":true,\"z\":null,\"a\":[1,2]}");
    int64_t whole = 9;

    (void)state;
    assert_string_equal(json_string(json_get(v, "s")), "x");
    assert_null(json_get(v, "S"));
    assert_null(json_string(json_get(v, "n")));
    assert_true(json_number(json_get(v, "n")) == 1.5);
    assert_true(json_number(json_get(v, "s")) == 0.0);
    assert_false(json_is_whole(json_get(v, "n"), &whole));
    assert_int_equal(whole, 9);
    assert_true(json_is_whole(json_get(v, "w"), &whole));
    assert_int_equal(whole, 3);
    assert_true(json_bool(json_get(v, "b")));
    assert_false(json_bool(json_get(v, "n")));
    assert_false(json_bool(NULL));
    assert_int_equal(json_type_of(json_get(v, "z")), JSON_NULL);
    assert_int_equal(json_count(json_get(v, "a")), 2);
    assert_int_equal(json_count(v), 6);
    assert_int_equal(json_count(json_get(v, "s")), 0);
    assert_null(json_get(json_get(v, "a"), "x"));
    assert_string_equal(json_name(json_first(v)), "s");
    assert_string_equal(json_type_name(json_type_of(v)), "object");
    json_free(v);
}

static void whole_numbers_end_at_2_to_the_53(void **state)
{
    struct json *v = must_parse("[9007199254740992,9007199254740994,-1,1e300]");
    const struct json *c = json_first(v);
    int64_t whole;

    (void)state;
    assert_true(json_is_whole(c, &whole));
    assert_true(whole == INT64_C(9007199254740992));
    c = json_next(c);
    assert_false(json_is_whole(c, &whole));
    c = json_next(c);
    assert_true(json_is_whole(c, &whole));
    assert_int_equal(whole, -1);
    assert_false(json_is_whole(json_next(c), &whole));
    json_free(v);
}

static void equality_is_deep(void **state)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"1", "1.0", true},
        {"\"1\"", "1", false},
        {"[1,2]", "[2,1]", false},
        {"[1]", "[1,1]", false},
        {"{\"a\":1,\"b\":[{}]}", "{\"b\":[{}],\"a\":1}", true},
        {"{\"a\":1}", "{\"b\":1}", false},
        {"true", "false", false},
        {"null", "null", true},
        {"{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,"
         "\"i\":1,\"j\":1,\"k\":1,\"l\":1,\"m\":1,\"n\":1,\"o\":1,\"p\":1,"
         "\"q\":1}",
         "{\"q\":1,\"p\":1,\"o\":1,\"n\":1,\"m\":1,\"l\":1,\"k\":1,\"j\":1,"
         "\"i\":1,\"h\":1,\"g\":1,\"f\":1,\"e\":1,\"d\":1,\"c\":1,\"b\":1,"
         "\"a\":1}",
         true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json *a = must_parse(rows[i].a), *b = must_parse(rows[i].b);

        assert_int_equal(json_equal(a, b), rows[i].same);
        json_free(a);
        json_free(b);
    }
}

/* --- writing -------------------------------------------------------------- */

static void the_writer_separates_and_nests(void **state)
{
    struct buf b;
    struct json_out w;

    (void)state;
    buf_init(&b, 1024);
    jw_init(&w, &b);
    jw_object(&w);
    jw_kstring(&w, "s", NULL);
    jw_key(&w, "a");
    jw_array(&w);
    jw_int(&w, INT64_MIN);
    jw_double(&w, 0.1);
    jw_double(&w, (double)NAN);
    jw_object(&w);
    jw_object_end(&w);
    jw_array(&w);
    jw_array_end(&w);
    jw_array_end(&w);
    jw_kbool(&w, "t", true);
    jw_kint(&w, "i", -7);
    jw_key(&w, "raw");
    jw_raw(&w, "[1]");
    jw_object_end(&w);
    assert_int_equal(buf_err(&b), ERR_OK);
    assert_string_equal(buf_str(&b),
                        "{\"s\":null,\"a\":[-9223372036854775808,0.1,null,{},"
                        "[]],\"t\":true,\"i\":-7,\"raw\":[1]}");
    buf_fini(&b);
}

static void strings_are_escaped(void **state)
{
    static const struct {
        const char *text;
        size_t n;
        const char *json;
    } rows[] = {
        {"a\"\\/\b\f\n\r\t", 9, "\"a\\\"\\\\/\\b\\f\\n\\r\\t\""},
        {"\0\x1F\x7F", 3, "\"\\u0000\\u001f\x7F\""},
        {"\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA", 9,
         "\"\\u2028\\u2029\xE2\x80\xAA\""},
        {"\xC3\xA9\xF0\x9D\x84\x9E", 6, "\"\xC3\xA9\xF0\x9D\x84\x9E\""},
        {"a\xFF\xC3", 3, "\"a\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"\xED\xA0\x80", 3, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"", 0, "\"\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buf b;
        struct json_out w;

        buf_init(&b, 256);
        jw_init(&w, &b);
        jw_string_n(&w, rows[i].text, rows[i].n);
        assert_string_equal(buf_str(&b), rows[i].json);
        buf_fini(&b);
    }
}

static void doubles_come_back_as_they_were(void **state)
{
    static const double values[] = {
        0.1,  1.0 / 3, 5e-324, DBL_MAX, -2.5, 1e21, 123456789.123456789,
        4.35, 1e-7,    100.0};

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct buf b;
        struct json_out w;

        buf_init(&b, 64);
        jw_init(&w, &b);
        jw_double(&w, values[i]);
        assert_true(strtod(buf_str(&b), NULL) == values[i]);
        buf_fini(&b);
    }
}

static void misuse_is_an_error_not_bad_json(void **state)
{
    (void)state;
    for (int way = 0; way < 6; way++) {
        struct buf b;
        struct json_out w;

        buf_init(&b, 64);
        jw_init(&w, &b);
        switch (way) {
        case 0: /* a value without a key */
            jw_object(&w);
            jw_int(&w, 1);
            break;
        case 1: /* the wrong end */
            jw_array(&w);
            jw_object_end(&w);
            break;
        case 2: /* an end without a beginning */
            jw_array_end(&w);
            break;
        case 3: /* a key without a value */
            jw_object(&w);
            jw_key(&w, "a");
            jw_object_end(&w);
            break;
        case 4: /* a key in an array */
            jw_array(&w);
            jw_key(&w, "a");
            break;
        default: /* a second root */
            jw_int(&w, 1);
            jw_int(&w, 2);
        }
        assert_int_equal(buf_err(&b), ERR_INTERNAL);
        buf_fini(&b);
    }
}

static void a_tree_is_written_as_it_was_read(void **state)
{
    static const char text[] =
        "{\"a\":[1,2.5,-3,\"x\\n\",null,true,{\"b\":[]}],\"\":{},\"n\":1e+300}";
    struct json *v = must_parse(text);
    struct buf b;
    struct json_out w;

    (void)state;
    buf_init(&b, 1024);
    jw_init(&w, &b);
    jw_value(&w, v);
    assert_string_equal(buf_str(&b), text);
    buf_fini(&b);
    json_free(v);
}

/* --- JSONTestSuite -------------------------------------------------------- */

static enum err parse_file(const char *dir, const char *name, struct errctx *ec)
{
    static const struct json_limits lim = {.bytes_max = 1 << 24,
                                           .depth_max = 512,
                                           .allow_duplicate_keys = true,
                                           .allow_nul = true};
    char path[1024];
    struct json *v = NULL;
    char *text;
    size_t n = 0;
    enum err err;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    text = suite_read(path, &n);
    assert_non_null(text);
    err = json_parse(text, n, &lim, &v, ec);
    if (err == ERR_OK)
        json_free(v);
    free(text);
    return err;
}

static void suite_json_agrees(void **state)
{
    char dir[512];
    unsigned good = 0, bad = 0, open_ok = 0, open_not = 0, wrong = 0;
    struct dirent *e;
    DIR *d;

    (void)state;
    d = opendir(suite_path("JSONTestSuite", dir, sizeof dir));
    assert_non_null(d);
    while ((e = readdir(d)) != NULL) {
        struct errctx ec = {ERR_OK, ""};
        enum err err;
        char kind = e->d_name[0];

        if (e->d_name[1] != '_' || strchr("yni", kind) == NULL)
            continue;
        err = parse_file(dir, e->d_name, &ec);
        assert_int_not_equal(err, ERR_NOMEM);
        good += kind == 'y' && err == ERR_OK;
        bad += kind == 'n' && err != ERR_OK;
        open_ok += kind == 'i' && err == ERR_OK;
        open_not += kind == 'i' && err != ERR_OK;
        if ((kind == 'y' && err != ERR_OK) || (kind == 'n' && err == ERR_OK)) {
            printf("JSONTestSuite: %s: %s %s\n", e->d_name, err_name(err),
                   ec.msg);
            wrong++;
        }
    }
    closedir(d);
    printf("JSONTestSuite: %u accepted and %u refused as they must be, %u "
           "wrong; of the undecided %u accepted, %u refused\n",
           good, bad, wrong, open_ok, open_not);
    assert_true(good > 0 && bad > 0);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_text_parses),
        cmocka_unit_test(bad_text_names_fault_and_byte),
        cmocka_unit_test(a_raw_nul_byte_is_refused),
        cmocka_unit_test(the_text_needs_no_terminator),
        cmocka_unit_test(limits_are_errors_of_their_own),
        cmocka_unit_test(the_deepest_nesting_is_512),
        cmocka_unit_test(foreign_answers_are_mended),
        cmocka_unit_test(of_duplicate_keys_the_first_stays),
        cmocka_unit_test(long_numbers_keep_their_value),
        cmocka_unit_test(many_keys_are_checked_in_reasonable_time),
        cmocka_unit_test(getters_are_typed_and_forgiving),
        cmocka_unit_test(whole_numbers_end_at_2_to_the_53),
        cmocka_unit_test(equality_is_deep),
        cmocka_unit_test(the_writer_separates_and_nests),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(doubles_come_back_as_they_were),
        cmocka_unit_test(misuse_is_an_error_not_bad_json),
        cmocka_unit_test(a_tree_is_written_as_it_was_read),
        cmocka_unit_test(suite_json_agrees),
    };

    suites_choose();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
