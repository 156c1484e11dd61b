/* Multipart forms: what is taken, and what is refused with which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "web/form.h"

#define TYPE "multipart/form-data; boundary=XX"
#define NAMED(name) "Content-Disposition: form-data; name=\"" name "\"\r\n"

static enum err parse(const char *type, const char *body, struct form *f,
                      struct errctx *ec)
{
    memset(ec, 0, sizeof *ec);
    return form_parse(type, body, strlen(body), f, ec);
}

static void parts_are_taken_as_they_are(void **state)
{
    static const char body[] = "before\r\n--XX \r\n" NAMED(
        "url") "\r\nhttps://a.example/?--XX=1\r\n"
               "--XX\r\nContent-disposition: form-data; x=\"a;b\"; "
               "name=\"file\"; "
               "filename=\"a \\\"b\\\".html\"\r\nContent-Type: text/html; "
               "charset=utf-8\r\n\r\n<p>\r\n--X\r\n</p>\r\n\r\n"
               "--XX\r\n" NAMED("empty") "\r\n\r\n--XX--\r\nafter";
    const struct form_part *p;
    struct errctx ec;
    struct form f;

    (void)state;
    assert_int_equal(parse(TYPE, body, &f, &ec), ERR_OK);
    assert_int_equal(f.count, 3);
    p = form_find(&f, "url");
    assert_true(str_eq(p->body, "https://a.example/?--XX=1"));
    assert_int_equal(p->file.n, 0);
    p = form_find(&f, "file");
    assert_true(str_eq(p->file, "a \\\"b\\\".html"));
    assert_true(str_eq(p->type, "text/html; charset=utf-8"));
    assert_true(str_eq(p->body, "<p>\r\n--X\r\n</p>\r\n"));
    p = form_find(&f, "empty");
    assert_int_equal(p->body.n, 0);
    assert_null(form_find(&f, "ur"));
}

static void the_boundary_may_be_quoted(void **state)
{
    struct errctx ec;
    struct form f;

    (void)state;
    assert_int_equal(parse("multipart/form-data; charset=utf-8; "
                           "boundary=\"a b;c\"",
                           "--a b;c\r\n" NAMED("x") "\r\n1\r\n--a b;c--", &f,
                           &ec),
                     ERR_OK);
    assert_true(str_eq(f.part[0].body, "1"));
    assert_true(form_is("Multipart/Form-Data ; boundary=x"));
    assert_false(form_is("multipart/mixed; boundary=x"));
    assert_false(form_is(NULL));
}

static void what_is_no_form_is_refused(void **state)
{
    static const struct {
        const char *type, *body, *words;
    } rows[] = {
        {"multipart/form-data", "--XX--", "no boundary"},
        {TYPE, "", "does not stand in it"},
        {TYPE, "--X\r\n", "does not stand in it"},
        {TYPE, "--XX", "does not end"},
        {TYPE, "--XX\r\n" NAMED("a") "\r\n1", "does not end"},
        {TYPE, "--XX\r\n" NAMED("a") "\r\n1\r\n--XX", "does not end"},
        {TYPE, "--XX\r\n" NAMED("a"), "within a part's headers"},
        {TYPE, "--XX\r\nContent-Type: text/html\r\n\r\n1\r\n--XX--", "no name"},
        {TYPE, "--XX\r\nname\r\n\r\n1\r\n--XX--", "no colon"},
        {TYPE,
         "--XX\r\n" NAMED("a") "\r\n1\r\n--XX\r\n" NAMED("a") "\r\n2\r\n--XX--",
         "two parts of the name \"a\""},
        {TYPE,
         "--XX\r\n" NAMED("a") "Content-Transfer-Encoding: "
                               "base64\r\n\r\nMQ==\r\n--XX--",
         "Content-Transfer-Encoding"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct errctx ec;
        struct form f;

        assert_int_equal(parse(rows[i].type, rows[i].body, &f, &ec),
                         ERR_MALFORMED);
        if (strstr(ec.msg, rows[i].words) == NULL)
            fail_msg("row %zu: %s", i, ec.msg);
    }
}

static void there_are_bounds(void **state)
{
    struct arena a;
    struct errctx ec;
    struct form f;
    char *body;

    (void)state;
    arena_init(&a, 1 << 20);
    body = arena_strdup(&a, "");
    for (int i = 0; i <= FORM_PARTS_MAX; i++)
        body = arena_printf(&a,
                            "%s--XX\r\nContent-Disposition: form-data; "
                            "name=p%d\r\n\r\n1\r\n",
                            body, i);
    body = arena_printf(&a, "%s--XX--", body);
    assert_int_equal(parse(TYPE, body, &f, &ec), ERR_TOO_LARGE);
    body = arena_printf(&a, "--XX\r\nX: %05000d\r\n\r\n1\r\n--XX--", 1);
    assert_int_equal(parse(TYPE, body, &f, &ec), ERR_TOO_LARGE);
    arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_taken_as_they_are),
        cmocka_unit_test(the_boundary_may_be_quoted),
        cmocka_unit_test(what_is_no_form_is_refused),
        cmocka_unit_test(there_are_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
