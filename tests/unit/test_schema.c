/* JSON Schema: what is accepted as a schema, what as a value; patterns; and
 * the JSON Schema test suite: Debian's, and in `make suites` a newer one. */
#include "json/schema.h"

#include "suites.h"
#include "json/schema_part.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct json *must_parse(const char *text)
{
    struct json *v = NULL;
    struct errctx ec = {ERR_OK, ""};

    if (json_parse(text, strlen(text), &json_limits_request, &v, &ec) != ERR_OK)
        fail_msg("%s: %s", text, ec.msg);
    return v;
}

/* --- schemas -------------------------------------------------------------- */

static void good_schemas_are_accepted(void **state)
{
    static const char *const rows[] = {
        "{\"type\":\"object\"}",
        "{\"type\":[\"object\"],\"properties\":{\"a\":true}}",
        "{\"$ref\":\"#/$defs/A\",\"$defs\":{\"A\":{\"type\":\"object\","
        "\"properties\":{\"next\":{\"anyOf\":[{\"$ref\":\"#/$defs/A\"},"
        "{\"type\":\"null\"}]}}}}}",
        "{\"type\":\"object\",\"unknownKeyword\":{\"type\":3}}",
        "{\"type\":\"object\",\"properties\":{\"$ref\":{\"type\":\"string\"},"
        "\"type\":{\"type\":\"integer\"}}}",
        "{\"type\":\"object\",\"properties\":{\"a/b~%\":{},"
        "\"c\":{\"$ref\":\"#/properties/a~1b~0%25\"}}}",
        "{\"type\":\"object\",\"$defs\":{\"x\":{\"$anchor\":\"here\"}},"
        "\"properties\":{\"a\":{\"$ref\":\"#here\"}}}",
        "{\"type\":\"object\",\"enum\":[{\"$ref\":\"nowhere\"}]}",
        "{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
        "\"type\":\"object\",\"properties\":{\"a\":{\"items\":[{},{}],"
        "\"additionalItems\":false}}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json *s = must_parse(rows[i]);
        struct errctx ec = {ERR_OK, ""};

        if (schema_check(s, &ec) != ERR_OK)
            fail_msg("%s: %s", rows[i], ec.msg);
        json_free(s);
    }
}

static void bad_schemas_are_refused_by_place(void **state)
{
    static const struct {
        const char *schema, *msg;
    } rows[] = {
        {"[]", "the schema must be an object"},
        {"true", "the schema must be an object"},
        {"{}", "the schema's root must have the type \"object\""},
        {"{\"type\":\"array\"}",
         "the schema's root must have the type \"object\""},
        {"{\"type\":[\"object\",\"null\"]}",
         "the schema's root must have the type \"object\""},
        {"{\"type\":\"objekt\"}",
         "type must be array, boolean, integer, null, number, object or "
         "string, or a list of these"},
        {"{\"type\":\"object\",\"properties\":{\"age\":{\"minimum\":\"1\"}}}",
         "properties.age.minimum must be a number, not a string"},
        {"{\"type\":\"object\",\"properties\":[]}",
         "properties must be an object, not an array"},
        {"{\"type\":\"object\",\"properties\":{\"a\":null}}",
         "properties.a must be a schema, not null"},
        {"{\"type\":\"object\",\"required\":[\"a\",1]}",
         "required.1 must be a string, not a number"},
        {"{\"type\":\"object\",\"required\":true}",
         "required must be an array of strings, not a boolean"},
        {"{\"type\":\"object\",\"anyOf\":[]}",
         "anyOf must be a list of at least one schema"},
        {"{\"type\":\"object\",\"enum\":3}",
         "enum must be an array, not a number"},
        {"{\"type\":\"object\",\"maxProperties\":-1}",
         "maxProperties must be a whole number from 0 on"},
        {"{\"type\":\"object\",\"multipleOf\":0}",
         "multipleOf must be above 0"},
        {"{\"type\":\"object\",\"$ref\":\"http://example.com/s\"}",
         "$ref must be local: it begins with \"#\" or is the $id of a schema "
         "in this one"},
        {"{\"type\":\"object\",\"allOf\":[{\"$ref\":\"#/nope\"}]}",
         "allOf.0.$ref names nothing in this schema"},
        {"{\"type\":\"object\",\"allOf\":[{\"$ref\":\"#nope\"}]}",
         "allOf.0.$ref names nothing in this schema"},
        {"{\"$ref\":\"#\",\"type\":\"object\"}",
         "$ref leads in a circle or too far"},
        {"{\"type\":\"object\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},"
         "\"b\":{\"$ref\":\"#/$defs/a\"}}}",
         "$defs.a.$ref leads in a circle or too far"},
        {"{\"type\":\"object\",\"x\":{\"minimum\":\"1\"},"
         "\"not\":{\"$ref\":\"#/x\"}}",
         "not.$ref.minimum must be a number, not a string"},
        {"{\"type\":\"object\",\"$recursiveRef\":\"#\"}",
         "$recursiveRef is not supported"},
        {"{\"type\":\"object\",\"unevaluatedProperties\":3}",
         "unevaluatedProperties must be a schema, not a number"},
        {"{\"type\":\"object\",\"properties\":{\"a\":{\"$id\":\"b\","
         "\"items\":{\"$dynamicRef\":\"#\"}}}}",
         "properties.a.$id is supported below the root only in a schema "
         "without $dynamicRef"},
        {"{\"type\":\"object\",\"properties\":{\"a\":"
         "{\"pattern\":\"(?<=a)\"}}}",
         "properties.a.pattern uses look-behind, which is not supported"},
        {"{\"type\":\"object\",\"patternProperties\":{\"(\":{}}}",
         "patternProperties.( lacks a ')'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json *s = must_parse(rows[i].schema);
        struct errctx ec = {ERR_OK, ""};

        assert_int_equal(schema_check(s, &ec), ERR_INVALID);
        assert_string_equal(ec.msg, rows[i].msg);
        json_free(s);
    }
}

static void schemas_deeper_than_32_are_refused(void **state)
{
    struct buf b;
    struct json *s;
    struct errctx ec;

    (void)state;
    for (int depth = 32; depth <= 33; depth++) {
        buf_init(&b, 4096);
        buf_adds(&b, "{\"type\":\"object\"");
        for (int i = 0; i < depth; i++)
            buf_adds(&b, ",\"not\":{\"minimum\":1");
        for (int i = 0; i <= depth; i++)
            buf_addc(&b, '}');
        s = must_parse(buf_str(&b));
        assert_int_equal(schema_check(s, &ec),
                         depth == 32 ? ERR_OK : ERR_INVALID);
        json_free(s);
        buf_fini(&b);
    }
}

static void references_are_followed(void **state)
{
    struct json *s = must_parse(
        "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},"
        "\"b\":{\"type\":\"object\"},\"c\":{\"$ref\":\"#/$defs/c\"},"
        "\"l\":[{\"type\":\"null\"}],\"d\":{\"$ref\":\"#/$defs/l/0\"}}}");
    const struct json *defs = json_get(s, "$defs");

    (void)state;
    assert_ptr_equal(schema_resolve(s, s), json_get(defs, "b"));
    assert_ptr_equal(schema_resolve(s, json_get(defs, "b")),
                     json_get(defs, "b"));
    assert_null(schema_resolve(s, json_get(defs, "c")));
    assert_ptr_equal(schema_resolve(s, json_get(defs, "d")),
                     json_first(json_get(defs, "l")));
    json_free(s);
}

/* --- values --------------------------------------------------------------- */

static void values_are_held_against_the_schema(void **state)
{
    static const struct {
        const char *schema, *value, *msg; /* NULL: valid */
    } rows[] = {
        {"{\"type\":\"object\"}", "[]",
         "the value must be of type object, not array"},
        {"{\"properties\":{\"a\":{\"type\":\"integer\"}}}", "{\"a\":1.0}",
         NULL},
        {"{\"properties\":{\"a\":{\"type\":\"integer\"}}}", "{\"a\":1.5}",
         "a must be of type integer, not number"},
        {"{\"properties\":{\"a\":{\"type\":[\"string\",\"null\"]}}}",
         "{\"a\":1}", "a must be of another type than number"},
        {"{\"required\":[\"a\",\"b\"]}", "{\"a\":1}",
         "the value lacks the required member \"b\""},
        {"{\"properties\":{\"a\":{}},\"additionalProperties\":false}",
         "{\"a\":1,\"c\":2}", "c is a member the schema does not allow"},
        {"{\"properties\":{\"l\":{\"items\":{\"minLength\":2}}}}",
         "{\"l\":[\"ab\",\"\xC3\xA9\"]}",
         "l.1 must have at least 2 characters, not 1"},
        {"{\"minProperties\":1}", "{}",
         "the value must have at least 1 members, not 0"},
        {"{\"items\":{\"enum\":[1,\"a\"]}}", "[1.0,\"a\",2]",
         "2 must be one of the schema's enum values"},
        {"{\"const\":{\"a\":[1]}}", "{\"a\":[1]}", NULL},
        {"{\"uniqueItems\":true}", "[1,2,1]",
         "the value must not repeat a value: 0 and 2"},
        {"{\"multipleOf\":0.01}", "19.99", NULL},
        {"{\"exclusiveMinimum\":0}", "0", "the value must be above 0"},
        {"{\"anyOf\":[{\"type\":\"null\"},{\"minimum\":3}]}", "2",
         "the value fits none of the schemas of anyOf"},
        {"{\"oneOf\":[{\"minimum\":1},{\"minimum\":2}]}", "3",
         "the value fits more than one of the schemas of oneOf"},
        {"{\"not\":{\"type\":\"null\"}}", "null",
         "the value fits the schema of not"},
        {"{\"if\":{\"minimum\":5},\"then\":{\"maximum\":6},"
         "\"else\":{\"const\":0}}",
         "7", "the value must be at most 6"},
        {"{\"pattern\":\"^[a-z]+$\"}", "\"aB\"",
         "the value must match the pattern ^[a-z]+$"},
        {"{\"format\":\"date\"}", "\"2025-02-29\"",
         "the value must have the format date"},
        {"{\"format\":\"no-such\"}", "\"x\"", NULL},
        {"{\"propertyNames\":{\"maxLength\":1}}", "{\"ab\":1}",
         "ab must have at most 1 characters, not 2"},
        {"{\"prefixItems\":[{},{\"type\":\"null\"}],\"items\":false}",
         "[1,null,2]", "2 is not allowed here"},
        {"{\"contains\":{\"const\":1},\"maxContains\":1}", "[1,1]",
         "the value must contain 1 or fewer elements of a kind, not 2"},
        {"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}",
         "the value lacks the required member \"b\""},
        {"{\"$ref\":\"#/$defs/x\",\"minimum\":5,\"$defs\":{\"x\":{}}}", "1",
         "the value must be at least 5"},
        {"{\"allOf\":[{\"properties\":{\"a\":{}}}],"
         "\"unevaluatedProperties\":false}",
         "{\"a\":1,\"b\":2}", "b is not allowed here"},
        {"{\"$id\":\"http://x.example/s\",\"items\":{\"$ref\":"
         "\"http://x.example/s#/$defs/n\"},\"$defs\":{\"n\":{\"type\":"
         "\"null\"}}}",
         "[null,1]", "1 must be of type null, not number"},
        {"{\"format\":\"time\"}", "\"24:00:00Z\"",
         "the value must have the format time"},
        {"{\"format\":\"duration\"}", "\"P1DT\"",
         "the value must have the format duration"},
        {"{\"format\":\"duration\"}", "\"P1Y2M3DT4H5M6S\"", NULL},
        {"{\"format\":\"ipv4\"}", "\"1.2.3\"",
         "the value must have the format ipv4"},
        {"{\"format\":\"hostname\"}", "\"-a.example\"",
         "the value must have the format hostname"},
        {"{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
         "\"$ref\":\"#/definitions/x\",\"minimum\":5,"
         "\"definitions\":{\"x\":{}}}",
         "1", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json *s = must_parse(rows[i].schema);
        struct json *v = must_parse(rows[i].value);
        struct errctx ec = {ERR_OK, ""};
        enum err err;

        if (schema_check_form(s, &ec) != ERR_OK)
            fail_msg("%s: %s", rows[i].schema, ec.msg);
        err = schema_validate(s, v, &ec);
        assert_int_equal(err, rows[i].msg == NULL ? ERR_OK : ERR_INVALID);
        if (rows[i].msg != NULL)
            assert_string_equal(ec.msg, rows[i].msg);
        json_free(v);
        json_free(s);
    }
}

static void must_be_too_complex(const char *schema, const char *value)
{
    struct json *s = must_parse(schema), *v = must_parse(value);
    struct errctx ec = {ERR_OK, ""};

    assert_int_equal(schema_check_form(s, &ec), ERR_OK);
    assert_int_equal(schema_validate(s, v, &ec), ERR_INVALID);
    assert_string_equal(ec.msg, "the schema is too complex for this value");
    json_free(v);
    json_free(s);
}

static void exploding_schemas_end(void **state)
{
    struct buf b;

    (void)state;
    must_be_too_complex("{\"allOf\":[{\"$ref\":\"#\"}]}", "1");
    buf_init(&b, 8192);
    buf_adds(&b, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < 30; i++)
        buf_addf(&b,
                 "\"d%d\":{\"anyOf\":[{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"}]},"
                 "{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"}]}]},",
                 i, i + 1, i + 1);
    buf_adds(&b, "\"d30\":false}}");
    must_be_too_complex(buf_str(&b), "1");
    buf_fini(&b);
}

/* --- patterns ------------------------------------------------------------- */

static void patterns_match_as_in_ecmascript(void **state)
{
    static const struct {
        const char *pattern, *text;
        int match; /* -1: the pattern is refused */
    } rows[] = {
        {"", "", 1},
        {"", "x", 1},
        {"b", "abc", 1},
        {"^b", "abc", 0},
        {"^abc$", "abc", 1},
        {"^abc$", "abc\n", 0},
        {"^.$", "\xC3\xA9", 1},
        {"^.$", "\xF0\x9F\x98\x80", 1},
        {"^.$", "\n", 0},
        {"a*", "", 1},
        {"^(a*)*$", "aaaa", 1},
        {"^(a*)+b$", "aaaa", 0},
        {"^(|a)+$", "aa", 1},
        {"^a+?$", "aaa", 1},
        {"^a{2}$", "aa", 1},
        {"^a{2}$", "aaa", 0},
        {"^a{2,}$", "aaaa", 1},
        {"^a{2,}$", "a", 0},
        {"^a{2,3}$", "aaa", 1},
        {"^a{2,3}$", "aaaa", 0},
        {"^a{0}$", "", 1},
        {"^a{0}$", "a", 0},
        {"^(ab|cd|ef){2}$", "cdef", 1},
        {"^(ab|cd|ef){2}$", "cde", 0},
        {"^(?:a|(?<n>b|c))d$", "cd", 1},
        {"^a|b$", "xb", 1},
        {"^(a|b|)$", "", 1},
        {"^[a-c_-]+$", "b-_", 1},
        {"^[^a-c]+$", "xyz\xC3\xA9", 1},
        {"^[^a-c]+$", "xa", 0},
        {"^[\\d.]+$", "1.5", 1},
        {"^[\\w-]+$", "a-9_", 1},
        {"^[]$", "", 0},
        {"^[^]$", "\n", 1},
        {"^[\xC3\xA0-\xC3\xBF]+$", "\xC3\xA9\xC3\xBC", 1},
        {"^[\\u00e0-\\u00ff]$", "\xC3\xA9", 1},
        {"^\\ud83d\\ude00$", "\xF0\x9F\x98\x80", 1},
        {"^\\u{1F600}$", "\xF0\x9F\x98\x80", 1},
        {"^\\x41\\t\\.\\/\\-$", "A\t./-", 1},
        {"^\\D\\W\\S$", "a.b", 1},
        {"^\\d$", "\xD9\xA1", 0},
        {"^\\s$", "\xC2\xA0", 1},
        {"^[\\S]$", "\xC2\xA0", 0},
        {"\\bcat\\b", "a cat.", 1},
        {"\\bcat\\b", "concat", 0},
        {"\\Bcat", "concat", 1},
        {"^\\cC$", "\x03", 1},
        {"a{,2}", "a{,2}", 1},
        {"{", "{", 1},
        {"(", "", -1},
        {")", "", -1},
        {"[", "", -1},
        {"*a", "", -1},
        {"a**", "", -1},
        {"^*", "", -1},
        {"a{3,2}", "", -1},
        {"a{99999}", "", -1},
        {"((a{100}){100}){100}", "", -1},
        {"^(?=a)", "ab", 1},
        {"^(?=b)", "ab", 0},
        {"^(?!.*\\.\\.)[a-z.]+$", "a.b.c", 1},
        {"^(?!.*\\.\\.)[a-z.]+$", "a..b", 0},
        {"^P(?!$)(\\d+D)?(T(?=\\d)(\\d+H)?)?$", "P1DT2H", 1},
        {"^P(?!$)(\\d+D)?(T(?=\\d)(\\d+H)?)?$", "P1DT", 0},
        {"^(?:(?=[ab])\\w){2}$", "ab", 1},
        {"^(?:(?=[ab])\\w){2}$", "ac", 0},
        {"a(?!b(?!c))", "abc", 1},
        {"a(?!b(?!c))", "abd", 0},
        {"(?=(?=(?=(?=a))))", "", -1},
        {"(?=a)*", "", -1},
        {"(?=a", "", -1},
        {"(?<!a)", "", -1},
        {"(a)\\1", "", -1},
        {"^\\p{L}+$", "Straße", 1},
        {"^\\p{Letter}+$", "кот7", 0},
        {"^[\\p{Lu}_-]+$", "ÄÖ_-Σ", 1},
        {"^[^\\p{P}\\s]+$", "no…dots", 0},
        {"^\\P{Nd}+$", "a٣", 0},
        {"^\\p{gc=Nd}{2}$", "٣4", 1},
        {"^[\\P{L}]$", "7", 1},
        {"^\\p{LC}\\p{General_Category=Sc}$", "x€", 1},
        {"\\p{Script=Latin}", "", -1},
        {"\\p{}", "", -1},
        {"\\p{L", "", -1},
        {"\\pL", "", -1},
        {"\\q", "", -1},
        {"\\", "", -1},
        {"[\\", "", -1},
        {"[b-a]", "", -1},
        {"\\u12", "", -1},
        {"((((((((((((((((((((((((((a))))))))))))))))))))))))))", "", -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pattern *p = NULL;
        struct errctx ec = {ERR_OK, ""};
        int64_t steps = 1000000;
        bool match = false;
        enum err err = pattern_parse(rows[i].pattern, &p, &ec);

        if ((err != ERR_OK) != (rows[i].match < 0))
            fail_msg("%s: %s", rows[i].pattern, ec.msg);
        if (err != ERR_OK) {
            assert_true(err == ERR_INVALID || err == ERR_LIMIT);
            continue;
        }
        assert_int_equal(pattern_match(p, rows[i].text, strlen(rows[i].text),
                                       &steps, &match),
                         ERR_OK);
        if (match != (rows[i].match == 1))
            fail_msg("%s on \"%s\"", rows[i].pattern, rows[i].text);
        pattern_free(p);
    }
}

static void evil_patterns_take_linear_work(void **state)
{
    enum { N = 20000 };
    char *text = malloc(N + 1);
    struct pattern *p = NULL;
    int64_t steps = 4000000;
    bool match = true;

    (void)state;
    assert_non_null(text);
    memset(text, 'a', N);
    text[N] = '\0';
    assert_int_equal(pattern_parse("^(a+)+(a|aa)*b$", &p, NULL), ERR_OK);
    assert_int_equal(pattern_match(p, text, N, &steps, &match), ERR_OK);
    assert_false(match);
    steps = 1000;
    assert_int_equal(pattern_match(p, text, N, &steps, &match), ERR_LIMIT);
    pattern_free(p);
    /* A look-ahead that reads on from every character costs the square. */
    steps = 1000000;
    assert_int_equal(pattern_parse("^((?!.*(?=b)b)a)*$", &p, NULL), ERR_OK);
    assert_int_equal(pattern_match(p, text, N, &steps, &match), ERR_LIMIT);
    pattern_free(p);
    free(text);
}

static void identifiers_part_a_document(void **state)
{
    struct json *s = must_parse(
        "{\"$id\":\"http://x.example/a/root.json\",\"type\":\"object\","
        "\"properties\":{\"p\":{\"$ref\":\"../b/part.json\"},"
        "\"q\":{\"$ref\":\"part.json#/$defs/n\"},"
        "\"r\":{\"$ref\":\"http://x.example/b/part.json#here\"},"
        "\"t\":{\"$ref\":\"#here\"}},"
        "\"$defs\":{\"n\":{\"type\":\"null\"},"
        "\"one\":{\"$id\":\"/b/./part.json\",\"$ref\":\"#/$defs/n\","
        "\"$defs\":{\"n\":{\"$anchor\":\"here\",\"type\":\"number\"}}},"
        "\"two\":{\"$id\":\"part.json\",\"$defs\":{\"n\":{\"type\":"
        "\"string\"}}}}}");
    static const struct {
        const char *value;
        bool valid;
    } rows[] = {{"{\"p\":1,\"q\":\"a\",\"r\":2}", true},
                {"{\"p\":null}", false},
                {"{\"q\":1}", false},
                {"{\"r\":\"a\"}", false}};
    const struct json *t = json_get(json_get(s, "properties"), "t");
    struct json *v;
    struct errctx ec = {ERR_OK, ""};

    (void)state;
    /* The anchor is another resource's. */
    assert_int_equal(schema_check(s, &ec), ERR_INVALID);
    assert_non_null(strstr(ec.msg, "properties.t.$ref names nothing"));
    assert_null(schema_resolve(s, t));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        v = must_parse(rows[i].value);
        if ((schema_validate(s, v, &ec) == ERR_OK) != rows[i].valid)
            fail_msg("%s: %s", rows[i].value, ec.msg);
        json_free(v);
    }
    json_free(s);
    s = must_parse("{\"type\":\"object\",\"not\":{\"$ref\":"
                   "\"http://x.example/other.json\"}}");
    assert_int_equal(schema_check(s, &ec), ERR_INVALID);
    assert_non_null(strstr(ec.msg, "must be local"));
    json_free(s);
}

/* --- the JSON Schema test suite ------------------------------------------- */

struct tally {
    unsigned agree, wrong, known, refused, groups;
};

/* Groups in which we differ on purpose; they count as disagreement. */
static bool is_known_gap(const char *file, const char *group)
{
    static const struct {
        const char *file, *group;
    } gaps[] = {
        /* Formats are asserted here, which the vocabulary leaves open. */
        {"format.json", ""},
        /* Dialects of one's own are not read. */
        {"vocabulary.json", ""},
        /* A draft-07 schema that does not say so is read as 2020-12. */
        {"ref.json", "ref overrides any sibling keywords"},
        {"ref.json", "$ref prevents a sibling $id from changing the base uri"},
        /* What punycode stands for is not looked at. */
        {"hostname.json", "validation of A-label (punycode) host names"},
    };

    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++)
        if (strcmp(file, gaps[i].file) == 0 &&
            strstr(group, gaps[i].group) != NULL)
            return true;
    return false;
}

/* Is this what docs/structured.md says is refused? */
static bool is_known_refusal(const char *msg)
{
    return strstr(msg, "$ref must be local") != NULL ||
           strstr(msg, "$id is supported below the root only") != NULL;
}

static void run_group(const char *file, const struct json *group,
                      struct tally *t)
{
    const struct json *schema = json_get(group, "schema");
    const char *name = json_string(json_get(group, "description"));
    struct errctx ec = {ERR_OK, ""};

    t->groups++;
    if (schema_check_form(schema, &ec) != ERR_OK) {
        t->refused++;
        if (!is_known_refusal(ec.msg))
            fail_msg("refused: %s: %s: %s", file, name, ec.msg);
        return;
    }
    for (const struct json *c = json_first(json_get(group, "tests")); c != NULL;
         c = json_next(c)) {
        bool valid =
            schema_validate(schema, json_get(c, "data"), &ec) == ERR_OK;

        if (valid == json_bool(json_get(c, "valid"))) {
            t->agree++;
        } else if (is_known_gap(file, name)) {
            t->known++;
        } else {
            t->wrong++;
            printf("  wrong: %s: %s: %s\n", file, name,
                   json_string(json_get(c, "description")));
        }
    }
}

static bool has_file(const char *dir, const char *file)
{
    char path[1024];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", dir, file);
    f = fopen(path, "re");
    if (f != NULL)
        fclose(f);
    return f != NULL;
}

static void run_file(const char *dir, const char *file, struct tally *t)
{
    char path[1024];
    size_t n = 0;
    char *text;
    struct json *root = NULL;

    snprintf(path, sizeof path, "%s/%s", dir, file);
    text = suite_read(path, &n);
    assert_non_null(text);
    assert_int_equal(json_parse(text, n, &json_limits_foreign, &root, NULL),
                     ERR_OK);
    for (const struct json *g = json_first(root); g != NULL; g = json_next(g))
        run_group(file, g, t);
    json_free(root);
    free(text);
}

static void run_required(const char *dir, struct tally *t)
{
    struct dirent *e;
    DIR *d = opendir(dir);

    assert_non_null(d);
    while ((e = readdir(d)) != NULL)
        if (strstr(e->d_name, ".json") != NULL)
            run_file(dir, e->d_name, t);
    closedir(d);
}

static void run_formats(const char *dir, struct tally *t)
{
    static const char *const formats[] = {
        "date",         "date-time",     "email",    "hostname",
        "ipv4",         "ipv6",          "time",     "uri",
        "json-pointer", "uri-reference", "duration", "uuid"};
    char sub[600], file[64];

    snprintf(sub, sizeof sub, "%.500s/optional/format", dir);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        snprintf(file, sizeof file, "%s.json", formats[i]);
        if (has_file(sub, file))
            run_file(sub, file, t);
    }
}

static void tally_check(const char *dir, const char *what,
                        const struct tally *t)
{
    printf("%s, %s: %u agree, %u known to differ, %u wrong; %u of %u schemas "
           "refused as not supported\n",
           dir, what, t->agree, t->known, t->wrong, t->refused, t->groups);
    assert_int_equal(t->wrong, 0);
    assert_true(t->agree > 50);
}

static void run_folder(const char *dir)
{
    struct tally required = {0, 0, 0, 0, 0}, formats = {0, 0, 0, 0, 0};

    run_required(dir, &required);
    tally_check(dir, "required", &required);
    assert_true(required.agree >= 49 * required.known); /* 98 % */
    run_formats(dir, &formats);
    tally_check(dir, "formats", &formats);
}

/* Debian's package has the older drafts only. */
static void the_draft_07_suite_agrees(void **state)
{
    (void)state;
    run_folder("/usr/share/json-schema-test-suite/tests/draft7");
}

static void suite_2020_12_agrees(void **state)
{
    char dir[512];

    (void)state;
    run_folder(suite_path("json-schema-test-suite/tests/draft2020-12", dir,
                          sizeof dir));
}

static void suite_draft_07_agrees(void **state)
{
    char dir[512];

    (void)state;
    run_folder(
        suite_path("json-schema-test-suite/tests/draft7", dir, sizeof dir));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_schemas_are_accepted),
        cmocka_unit_test(bad_schemas_are_refused_by_place),
        cmocka_unit_test(schemas_deeper_than_32_are_refused),
        cmocka_unit_test(references_are_followed),
        cmocka_unit_test(identifiers_part_a_document),
        cmocka_unit_test(values_are_held_against_the_schema),
        cmocka_unit_test(exploding_schemas_end),
        cmocka_unit_test(patterns_match_as_in_ecmascript),
        cmocka_unit_test(evil_patterns_take_linear_work),
        cmocka_unit_test(the_draft_07_suite_agrees),
        cmocka_unit_test(suite_2020_12_agrees),
        cmocka_unit_test(suite_draft_07_agrees),
    };

    suites_choose();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
