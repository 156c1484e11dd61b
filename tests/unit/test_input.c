/*
 * Every bad request of tests/support/bad_requests.json against the whole
 * application: exact status, code and field. The same table is sent through
 * real servers by the e2e suite. An entry's headers replace the default ones
 * (the fixture's key; application/json when there is a body), null removes.
 * "field" is that of the first detail, null for none; "fields", where given,
 * are all of them in order.
 */
#include "webapp.h"

#include <stdint.h>

static char *read_file(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *p = malloc(1 << 20);

    assert_non_null(f);
    assert_non_null(p);
    *len = fread(p, 1, 1 << 20, f);
    fclose(f);
    return p;
}

static size_t base64_decode(const char *z, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                 "abcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned acc = 0;
    int bits = 0;
    size_t n = 0;

    for (; *z != '\0' && *z != '='; z++) {
        acc = acc << 6 | (unsigned)(strchr(digits, *z) - digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[n++] = (char)(acc >> bits & 255);
        }
    }
    return n;
}

static const char *header(const struct json *entry, const char *name,
                          const char *fallback)
{
    const struct json *v = json_get(json_get(entry, "headers"), name);

    return v == NULL ? fallback : json_string(v);
}

static bool same_fields(const struct json *want, const struct response *res)
{
    struct json *root = webapp_json(res);
    const struct json *d =
        json_first(json_get(json_get(root, "error"), "details"));
    bool same = true;

    for (const struct json *v = json_first(want); v != NULL; v = json_next(v)) {
        const char *got = json_string(json_get(d, "field"));

        same = same && got != NULL && strcmp(got, json_string(v)) == 0;
        d = d == NULL ? NULL : json_next(d);
    }
    same = same && d == NULL;
    json_free(root);
    return same;
}

static bool one_entry(struct webapp *t, const struct json *e)
{
    const char *name = json_string(json_get(e, "name"));
    const char *b64 = json_string(json_get(e, "bodyBase64"));
    char *raw = b64 == NULL ? NULL : calloc(1, strlen(b64) + 1);
    struct ask q = {.method = json_string(json_get(e, "method")),
                    .path = json_string(json_get(e, "path")),
                    .body = json_string(json_get(e, "body"))};
    const struct json *fields = json_get(e, "fields");
    struct response res;
    bool ok;

    if (b64 != NULL) {
        q.body_len = base64_decode(b64, raw);
        q.body = raw;
    }
    q.authorization = header(e, "Authorization", t->bearer);
    q.content_type =
        header(e, "Content-Type", q.body == NULL ? NULL : "application/json");
    webapp_ask(t, &q, &res);
    ok = webapp_is_problem(&res, (int)json_number(json_get(e, "status")),
                           json_string(json_get(e, "code")),
                           json_string(json_get(e, "field")), name);
    if (ok && fields != NULL && !same_fields(fields, &res)) {
        print_error("%s: other fields: %s\n", name, buf_str(&res.body));
        ok = false;
    }
    response_fini(&res);
    free(raw);
    return ok;
}

static void every_bad_request_is_refused_with_its_field(void **state)
{
    struct webapp *t = *state;
    struct json *root = NULL;
    struct errctx ec = {0};
    size_t n, count = 0, wrong = 0;
    char *text = read_file("tests/support/bad_requests.json", &n);

    assert_int_equal(json_parse(text, n, &json_limits_foreign, &root, &ec),
                     ERR_OK);
    for (const struct json *e = json_first(root); e != NULL; e = json_next(e)) {
        wrong += one_entry(t, e) ? 0 : 1;
        count++;
    }
    assert_int_equal(wrong, 0);
    assert_true(count >= 120);
    json_free(root);
    free(text);
}

/* --- what must be accepted ------------------------------------------------ */

/* {"input": …} of a created task, compared with want after parsing. */
static void echo_is(struct webapp *t, const char *body, const char *want)
{
    struct ask q = {.method = "POST",
                    .path = "/v1/research",
                    .authorization = t->bearer,
                    .content_type = "application/json; charset=UTF-8",
                    .body = body};
    struct response res;
    struct json *got, *expect = NULL;
    struct errctx ec = {0};

    webapp_ask(t, &q, &res);
    if (res.status != 200)
        fail_msg("%s: %s", body, buf_str(&res.body));
    got = webapp_json(&res);
    assert_int_equal(
        json_parse(want, strlen(want), &json_limits_request, &expect, &ec),
        ERR_OK);
    if (!json_equal(json_get(got, "input"), expect))
        fail_msg("%s: %s", body, buf_str(&res.body));
    json_free(expect);
    json_free(got);
    response_fini(&res);
}

static void the_echo_has_every_field_with_defaults(void **state)
{
    echo_is(*state, "{\"q\":\"why?\",\"outputType\":\"sourcedAnswer\"}",
            "{\"q\":\"why?\",\"outputType\":\"sourcedAnswer\","
            "\"includeDomains\":[],\"excludeDomains\":[],\"fromDate\":null,"
            "\"toDate\":null,\"includeImages\":false,"
            "\"structuredOutputSchema\":null,\"mode\":\"auto\","
            "\"reasoningDepth\":\"L\"}");
}

static void the_echo_is_normalised(void **state)
{
    echo_is(*state,
            "{\"q\":\" <guidance>x</guidance> why? \","
            "\"outputType\":\"structured\",\"includeDomains\":[\"A.example\"],"
            "\"excludeDomains\":null,\"fromDate\":\"2024-02-29T23:59:59.5Z\","
            "\"toDate\":\"2024-03-01\",\"includeImages\":\"true\","
            "\"structuredOutputSchema\":{\"type\":\"object\"},"
            "\"mode\":\"InVestigate\",\"reasoningDepth\":\"XL\","
            "\"somethingElse\":[1]}",
            "{\"q\":\" <guidance>x</guidance> why? \","
            "\"outputType\":\"structured\",\"includeDomains\":[\"A.example\"],"
            "\"excludeDomains\":[],\"fromDate\":\"2024-02-29\","
            "\"toDate\":\"2024-03-01\",\"includeImages\":true,"
            "\"structuredOutputSchema\":\"{\\\"type\\\":\\\"object\\\"}\","
            "\"mode\":\"investigate\",\"reasoningDepth\":\"XL\"}");
}

static void a_schema_in_a_string_is_echoed_as_a_string(void **state)
{
    echo_is(*state,
            "{\"q\":\"why?\",\"outputType\":\"structured\","
            "\"structuredOutputSchema\":\"{\\\"type\\\": \\\"object\\\"}\"}",
            "{\"q\":\"why?\",\"outputType\":\"structured\","
            "\"includeDomains\":[],\"excludeDomains\":[],\"fromDate\":null,"
            "\"toDate\":null,\"includeImages\":false,"
            "\"structuredOutputSchema\":\"{\\\"type\\\":\\\"object\\\"}\","
            "\"mode\":\"auto\",\"reasoningDepth\":\"L\"}");
}

static void a_hundred_domains_are_accepted_for_research(void **state)
{
    struct webapp *t = *state;
    struct buf b;
    struct response res;
    struct ask q = {.method = "POST",
                    .path = "/v1/research/",
                    .authorization = t->bearer,
                    .content_type = "application/json"};

    buf_init(&b, 1 << 20);
    buf_adds(&b, "{\"q\":\"why?\",\"outputType\":\"sourcedAnswer\","
                 "\"includeDomains\":[");
    for (int i = 0; i < 100; i++)
        buf_addf(&b, "%s\"d%d.example\"", i == 0 ? "" : ",", i);
    buf_adds(&b, "],\"excludeDomains\":[");
    for (int i = 0; i < 500; i++)
        buf_addf(&b, "%s\"d%d.example\"", i == 0 ? "" : ",", i);
    assert_int_equal(buf_adds(&b, "]}"), ERR_OK);
    q.body = b.data;
    webapp_ask(t, &q, &res);
    assert_int_equal(res.status, 200);
    response_fini(&res);
    buf_fini(&b);
}

static int open_app(void **state)
{
    struct webapp *t = calloc(1, sizeof *t);

    webapp_open(t, NULL);
    assert_int_equal(account_set_role(t->w.store.state, t->account,
                                      ROLE_OPERATOR, &(struct errctx){0}),
                     ERR_OK);
    *state = t;
    return 0;
}

static int close_app(void **state)
{
    webapp_close(*state);
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_request_is_refused_with_its_field),
        cmocka_unit_test(the_echo_has_every_field_with_defaults),
        cmocka_unit_test(the_echo_is_normalised),
        cmocka_unit_test(a_schema_in_a_string_is_echoed_as_a_string),
        cmocka_unit_test(a_hundred_domains_are_accepted_for_research),
    };

    return cmocka_run_group_tests(tests, open_app, close_app);
}
