/* Hosts that agree and hosts that do not: values compared, and said. */
#include "answer/agree.h"
#include "answer/answer_units.h"

#include "base/buf.h"
#include "base/date.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "questions.h"

static struct ranked page(const char *host, const char *url, const char *text,
                          double score)
{
    static int64_t next = 1;
    struct ranked r = {.c = {.passage = next,
                             .page = next,
                             .url = url,
                             .host = host,
                             .title = "",
                             .heading = "",
                             .text = text,
                             .favicon = "",
                             .lang = "en",
                             .day = DAY_NONE},
                       .score = score,
                       .coverage = 1};

    next++;
    return r;
}

static void values_are_read_with_their_units(void **state)
{
    static const struct {
        const char *question, *text, *want;
    } of[] = {
        {"How tall is it?", "It is 41 metres tall.", "41 metres"},
        {"How tall is it?", "It is 1,041.50 m tall.", "1,041.50 m"},
        {"How large is it?", "Files of 3 million bytes.", "3 million bytes"},
        {"What percentage is it?", "It is 12% of all.", "12%"},
        {"How tall is it?", "It has 41 of them.", ""},
        {"How tall is 41 metres?", "It is 41 metres.", ""},
        {"When was it built?", "Built on 3 May 1874 there.", "3 May 1874"},
        {"When was it built?", "Built in 1874.", "1874"},
        {"Who built it?", "It was built by Solheim.", "Solheim"},
        {"Why was it built?", "It was built in 1874.", ""}};

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct query q = parsed(of[i].question);
        struct claim c[4];
        size_t n = agree_claims(&q, of[i].text, strlen(of[i].text), c, 4);

        if (of[i].want[0] == '\0' ? n != 0
                                  : n != 1 || c[0].len != strlen(of[i].want) ||
                                        memcmp(of[i].text + c[0].start,
                                               of[i].want, c[0].len) != 0)
            fail_msg("%s: %zu", of[i].text, n);
    }
}

static void equal_values_are_equal_however_written(void **state)
{
    struct query q = parsed("How tall is it?");
    static const char *const same[] = {"It is 1,000 metres.", "1000 metres",
                                       "1000.0 meters high", "1000 m or so"};
    struct claim first, c;

    (void)state;
    assert_int_equal(agree_claims(&q, same[0], strlen(same[0]), &first, 1), 1);
    for (size_t i = 1; i < 4; i++) {
        assert_int_equal(agree_claims(&q, same[i], strlen(same[i]), &c, 1), 1);
        if (!agree_is_same(&first, &c))
            fail_msg("%s: %s %s", same[i], c.key, c.unit);
    }
}

static const char tall[] = "How tall is the tower of the Halden lighthouse?";

/* The answer to tall of two pages. */
static const char *answer_of(struct ranked *r, size_t n,
                             struct source **sources, size_t *count)
{
    struct query q = parsed(tall);
    struct units_answer x = {.text = NULL};
    struct asked f = {.q = &q};

    for (size_t i = 0; i < n; i++)
        r[i].c.score = r[i].score;
    assert_int_equal(
        pages_rank(&q, r, n, n, 0, &arena, &f.pages, &f.page_count), ERR_OK);
    assert_int_equal(units_cut(&q, f.pages, f.page_count, UNIT_WHOLE, NULL,
                               &arena, &f.units),
                     ERR_OK);
    assert_int_equal(answer_units(&f, 1, true, &arena, &x), ERR_OK);
    *sources = x.sources;
    *count = x.source_count;
    return x.text;
}

static void disagreement_is_said_newest_first(void **state)
{
    struct ranked r[] = {
        page("lights.example", "https://lights.example/h",
             "The tower of the Halden lighthouse is 41 metres tall.", 1),
        page("travel.example", "https://travel.example/h",
             "Visitors like it. At 43 metres, the tower of the Halden "
             "lighthouse is tall.",
             0.9)};
    struct source *sources = NULL;
    size_t count = 0;
    const char *text;

    (void)state;
    r[0].c.day = date_to_day(2020, 1, 2);
    r[1].c.day = date_to_day(2024, 3, 4);
    text = answer_of(r, 2, &sources, &count);
    if (strstr(text, "Sources disagree: travel.example says \xE2\x80\x9C"
                     "43 metres\xE2\x80\x9D (2024-03-04) [2], lights.example "
                     "says \xE2\x80\x9C"
                     "41 metres\xE2\x80\x9D (2020-01-02) [1].") == NULL)
        fail_msg("%s", text);
    assert_int_equal(count, 2);
    assert_non_null(strstr(r[1].c.text, sources[1].snippet));
}

static void what_only_looks_like_disagreement_is_not_said(void **state)
{
    static const struct {
        const char *host, *text;
    } of[] = {
        /* the same site */
        {"www.lights.example",
         "At 43 metres, the tower of the Halden lighthouse is tall."},
        /* the same value */
        {"b.example", "At 41.0 meters, the tower of the Halden lighthouse is "
                      "tall."},
        /* another name */
        {"b.example", "At 23 metres, the tower of the Brannoy lighthouse is "
                      "tall."},
        /* another unit */
        {"b.example", "With 196 steps, the tower of the Halden lighthouse is "
                      "tall."},
        /* of a year */
        {"b.example", "In 1874, at 30 metres, the tower of the Halden "
                      "lighthouse was tall."},
        /* the page knows both */
        {"b.example", "At 43 metres with its mast, the tower of the Halden "
                      "lighthouse is tall. Without it the tower has 41 "
                      "metres."}};

    (void)state;
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct ranked r[] = {
            page("lights.example", "https://lights.example/h",
                 "The tower of the Halden lighthouse is 41 metres tall.", 1),
            page(of[i].host, "https://other.example/h", of[i].text, 0.5)};
        struct source *sources = NULL;
        size_t count = 0;
        const char *text = answer_of(r, 2, &sources, &count);

        if (strstr(text, "disagree") != NULL)
            fail_msg("%s: %s", of[i].text, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read_with_their_units),
        cmocka_unit_test(equal_values_are_equal_however_written),
        cmocka_unit_test(disagreement_is_said_newest_first),
        cmocka_unit_test(what_only_looks_like_disagreement_is_not_said)};

    return cmocka_run_group_tests(tests, arena_up, arena_down);
}
