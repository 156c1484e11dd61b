/*
 * libFuzzer: a question and pages, through the whole answer side: passages,
 * ranking, the answer by extraction or by a model, its verification and
 * rendering, the object of a schema, lists of results, and the report of a
 * research task. Only index, providers and model are made up.
 *
 * Input: a byte that picks the output (its value after '0', modulo 8) and the
 * pages' type (divided by 8), a byte for the world's mood, the question up to
 * the line end, pages parted by form feeds, and behind a vertical tab what the
 * model says.
 */
#include "answer_words.h"
#include "answer_world.h"
#include "cited_text.h"

#include "answer/agree.h"
#include "answer/answer.h"
#include "base/log.h"
#include "question/overlap.h"
#include "research/run.h"
#include "research/write.h"
#include "search/search.h"
#include "json/schema.h"

#include <time.h>

enum { CPU_SECONDS_MAX = 20 };

static const struct conf conf = {.use_index = true,
                                 .provider_timeout_ms = 1000,
                                 .deadline_fast_ms = 1 << 30,
                                 .deadline_standard_ms = 1 << 30};

static const char *const schemas[] = {
    "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},"
    "\"height\":{\"type\":\"number\",\"description\":\"in metres\"},"
    "\"built\":{\"type\":\"string\",\"format\":\"date\"},"
    "\"designer\":{\"type\":[\"string\",\"null\"]}}}",
    "{\"type\":\"object\",\"properties\":{\"kinds\":{\"type\":\"array\","
    "\"items\":{\"type\":\"string\"},\"maxItems\":5},\"count\":{\"type\":"
    "\"integer\"},\"kind\":{\"enum\":[\"small\",\"big\",\"round\"]},"
    "\"stable\":{\"type\":\"boolean\"}}}",
    "{\"type\":\"object\",\"properties\":{\"parts\":{\"type\":\"array\","
    "\"items\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":"
    "\"string\"},\"kind\":{\"type\":\"string\"},\"size\":{\"type\":"
    "\"string\"}},\"required\":[\"name\"]}}},\"required\":[\"parts\"]}",
    "{\"type\":\"object\",\"properties\":{\"tower\":{\"type\":\"object\","
    "\"properties\":{\"高さ\":{\"type\":\"number\"},\"price\":{\"type\":"
    "\"number\",\"description\":\"in dollars\"},\"steps\":{\"type\":\"array\","
    "\"items\":{\"type\":\"string\"}}}},\"website\":{\"type\":\"string\","
    "\"format\":\"uri\"},\"year\":{\"type\":\"integer\"}},"
    "\"required\":[\"year\"]}"};

/* Valid UTF-8 up to its first NUL, as all text is that gets so far. */
static const char *text_of(struct str s, struct arena *a)
{
    const char *z;
    size_t n;

    HOLDS(html_to_utf8(s.p, s.n, "utf-8", a, &z, &n) == ERR_OK);
    z = arena_strndup(a, z, n);
    HOLDS(z != NULL);
    return z;
}

/* --- a search ------------------------------------------------------------ */

/* A source's snippet stands in one of its page's passages; that of a schema's
 * field may be what stands above it. */
static void check_source(const struct source *s, bool of_field)
{
    bool stands = false;

    check_text(s->name);
    check_text(s->snippet);
    for (size_t i = 0; i < world.count && !stands; i++) {
        const struct candidate *c = &world.passages[i];

        stands = strcmp(c->url, s->url) == 0 &&
                 (strstr(c->text, s->snippet) != NULL ||
                  (of_field && (strstr(c->title, s->snippet) != NULL ||
                                strstr(c->heading, s->snippet) != NULL)));
    }
    HOLDS(stands);
}

static void check_object(const struct json *schema, const char *object)
{
    struct json *root = NULL;
    struct errctx ec;

    check_text(object);
    HOLDS(json_parse(object, strlen(object), &json_limits_foreign, &root,
                     &ec) == ERR_OK);
    HOLDS(schema_validate(schema, root, &ec) == ERR_OK);
    json_free(root);
}

static void check_result(const struct search_params *p,
                         const struct search_result *r)
{
    HOLDS(r->source_count <= world.count);
    for (size_t i = 0; i < r->source_count; i++)
        check_source(&r->sources[i], p->output == OUTPUT_STRUCTURED);
    if (p->output == OUTPUT_STRUCTURED) {
        check_object(p->schema, r->object);
        return;
    }
    HOLDS(r->source_count > 0);
    if (p->output == OUTPUT_RESULTS) {
        HOLDS(r->source_count <= (size_t)p->max_results);
    } else {
        check_text(r->answer);
        HOLDS(r->answer[0] != '\0');
    }
}

static struct search_env env_of(void)
{
    static char place[3]; /* never looked into */

    return (struct search_env){
        .conf = &conf,
        .index = (void *)&place[0],
        .providers = world.provider ? (void *)&place[0] : NULL,
        .model = world.says != NULL ? (void *)&place[1] : NULL,
        .relevance = world.mood & 16 ? (void *)&place[2] : NULL};
}

static void search(const struct search_params *p, struct arena *a)
{
    struct search_env env = env_of();
    struct search_result result;
    struct errctx ec = {.msg = ""};
    enum err e =
        search_run(&env, p, deadline_in(1 << 30), "fuzz", a, &result, &ec);

    if (e == ERR_OK)
        check_result(p, &result);
    else
        HOLDS(e == ERR_NO_RESULT && ec.msg[0] != '\0');
    HOLDS(utf8_valid(ec.msg, strlen(ec.msg)));
}

/* --- research ------------------------------------------------------------ */

/* Every passage is evidence for every part of the plan. */
static void evidence_fill(struct run *r, struct arena *a)
{
    r->evidence =
        arena_array(a, world.count * r->plan.count + 1, sizeof *r->evidence);
    HOLDS(r->evidence != NULL);
    for (size_t sub = 0; sub < r->plan.count; sub++)
        for (size_t i = 0; i < world.count; i++) {
            const struct candidate *c = &world.passages[i];

            r->evidence[r->evidence_count++] =
                (struct evidence){.n = (int64_t)r->evidence_count + 1,
                                  .sub = (int64_t)sub,
                                  .page = c->page,
                                  .passage = c->passage,
                                  .url = c->url,
                                  .title = c->title,
                                  .favicon = "",
                                  .heading = c->heading,
                                  .text = c->text,
                                  .start = c->start,
                                  .day = c->day,
                                  .score = 1.0 / (double)(i + 1)};
        }
}

/* Every line of every row may be quoted. */
static void units_fill(struct run *r)
{
    for (size_t i = 0; i < r->evidence_count; i++) {
        const char *z = r->evidence[i].text;

        for (size_t at = 0, n; z[at] != '\0'; at += n + (z[at + n] == '\n')) {
            struct run_block b = {.row = i, .start = at};
            struct run_unit u = {.sub = (size_t)r->evidence[i].sub,
                                 .standing = 1.0 / (double)(i + 1),
                                 .leads = at == 0,
                                 .blocks = &b,
                                 .count = 1};

            n = b.len = strcspn(z + at, "\n");
            b.kind = "piirc"[at % 5];
            if (n > 0)
                HOLDS(run_keep_unit(r, &u) == ERR_OK);
        }
    }
}

static void report_check(const struct run *r, const struct report *out)
{
    struct json *root = NULL;
    struct errctx ec;

    if (r->params->search.output == OUTPUT_STRUCTURED) {
        check_object(r->params->search.schema, out->output);
        return;
    }
    HOLDS(json_parse(out->output, strlen(out->output), &json_limits_foreign,
                     &root, &ec) == ERR_OK);
    check_text(json_string(json_get(root, "answer")));
    for (const struct json *s = json_first(json_get(root, "sources"));
         s != NULL; s = json_next(s))
        check_source(
            &(struct source){.name = json_string(json_get(s, "name")),
                             .url = json_string(json_get(s, "url")),
                             .snippet = json_string(json_get(s, "snippet"))},
            false);
    json_free(root);
}

static void research(const struct search_params *p, struct arena *a)
{
    static const struct task_lease lease = {.task = {.id = "fuzz"}};
    static const struct domain_rules none = {NULL, 0};
    struct search_env env = env_of();
    struct research_params params = {
        .search = *p, .reasoning = (enum reasoning_depth)(world.mood & 3)};
    struct run *r = arena_alloc(a, sizeof *r);
    struct report report;
    struct errctx ec = {.msg = ""};
    enum err e;

    HOLDS(r != NULL);
    r->env = &env;
    r->params = &params;
    r->lease = &lease;
    r->budget = research_budget_of(params.reasoning);
    r->budget.queries = 6;
    r->filter = (struct index_filter){.include = &none,
                                      .exclude = &none,
                                      .day_from = DAY_NONE,
                                      .day_to = DAY_NONE};
    arena_init(&r->keep, RUN_KEEP_MAX);
    arena_init(&r->step, RUN_STEP_MAX);
    HOLDS(query_parse(p->q, a, &r->query) == ERR_OK);
    HOLDS(plan_wishes_drop(&r->query) == ERR_OK);
    if (r->query.term_count > 0) {
        HOLDS(plan_make(&r->query, params.mode, (size_t)r->budget.sub_questions,
                        a, &r->plan) == ERR_OK);
        evidence_fill(r, a);
        units_fill(r);
        e = p->output == OUTPUT_STRUCTURED
                ? write_structured(r, a, &report, &ec)
                : write_report(r, a, &report, &ec);
        HOLDS(e == ERR_OK || e == ERR_NO_RESULT);
        if (e == ERR_OK)
            report_check(r, &report);
    }
    arena_fini(&r->keep);
    arena_fini(&r->step);
}

/* --- the writer by itself ------------------------------------------------ */

/* Every sentence is a verbatim range of the passage it names. */
static void check_draft(const struct answer_draft *d, const struct ranked *r,
                        size_t count)
{
    HOLDS(d->count > 0);
    for (size_t i = 0; i < d->count; i++) {
        const struct cited_sentence *s = &d->sentences[i];
        const char *text;

        HOLDS(s->passage < count);
        text = r[s->passage].c.text;
        HOLDS(s->len > 0 && s->len <= strlen(text) &&
              s->start <= strlen(text) - s->len);
        HOLDS(strlen(s->text) == s->len &&
              memcmp(s->text, text + s->start, s->len) == 0);
        check_text(s->text);
    }
}

static void check_claims(const struct query *q, const struct cited_sentence *s)
{
    struct claim claims[8];
    size_t n = agree_claims(q, s->text, s->len, claims, 8);

    HOLDS(n <= 8);
    for (size_t i = 0; i < n; i++)
        HOLDS(claims[i].len > 0 && claims[i].len <= s->len &&
              claims[i].start <= s->len - claims[i].len);
}

/* What is sent stands in its pages, by other eyes than the renderer's. Orders
 * to machines are left out of it, and there may be nothing else. */
static void check_written(const struct answer_draft *d, const struct ranked *r,
                          size_t count, struct arena *a)
{
    const char **pages = arena_array(a, count, sizeof *pages);
    const char *text;
    struct source *sources;
    size_t n;

    HOLDS(pages != NULL);
    for (size_t i = 0; i < count; i++)
        pages[i] = r[i].c.text;
    for (int markers = 0; markers < 2; markers++) {
        struct answer_draft draft = *d;
        enum err e =
            answer_render(&draft, r, count, markers, a, &text, &sources, &n);

        HOLDS(e == ERR_OK || e == ERR_NO_RESULT);
        if (e != ERR_OK)
            continue;
        check_text(text);
        for (size_t i = 0; i < n; i++)
            check_source(&sources[i], false);
        if (markers && strstr(text, "Sources disagree: ") == NULL)
            assert_verbatim(text, pages, count);
    }
}

static void write(const char *question, struct arena *a)
{
    static const struct index_filter all = {.day_from = DAY_NONE,
                                            .day_to = DAY_NONE};
    struct provider_answer pa = {.provider = "index", .outcome = OUTCOME_OK};
    struct answer_draft d = {.sentences = NULL};
    struct ranked *r = NULL;
    struct query q;
    size_t count = 0;
    enum err e;

    HOLDS(query_parse(question, a, &q) == ERR_OK);
    if (world.mood & 4)
        HOLDS(overlap_weigh(&q, NULL, NULL) == ERR_OK);
    if (world_candidates(false, &all, 1000, a, &pa.found, &pa.count) != ERR_OK)
        return;
    HOLDS(rank_candidates(&q, &all, &pa, 1, NULL, 20, 4, a, &r, &count, NULL) ==
          ERR_OK);
    for (size_t i = 0; i < count; i++) {
        const char *snippet = snippet_of(&q, r[i].c.text, 300, a);

        HOLDS(snippet != NULL && strlen(snippet) <= 300 &&
              strstr(r[i].c.text, snippet) != NULL);
        check_text(snippet);
    }
    e = answer_candidates(&q, r, count, 32, a, &d);
    HOLDS(e == ERR_OK || e == ERR_NO_RESULT);
    if (e == ERR_OK) {
        check_draft(&d, r, count);
        check_written(&d, r, count, a);
        for (size_t i = 0; i < d.count; i++)
            check_claims(&q, &d.sentences[i]);
    }
}

/* --- an input ------------------------------------------------------------ */

static void ask(unsigned what, const char *question, struct arena *a)
{
    static const struct {
        enum search_depth depth;
        enum output_type output;
        void (*run)(const struct search_params *p, struct arena *a);
    } ways[] = {{DEPTH_FAST, OUTPUT_SOURCED, search},
                {DEPTH_STANDARD, OUTPUT_SOURCED, search},
                {DEPTH_STANDARD, OUTPUT_RESULTS, search},
                {DEPTH_FAST, OUTPUT_STRUCTURED, search},
                {DEPTH_STANDARD, OUTPUT_STRUCTURED, search},
                {DEPTH_STANDARD, OUTPUT_SOURCED, research},
                {DEPTH_STANDARD, OUTPUT_STRUCTURED, research}};
    const char *text = schemas[world.mood >> 1 & 3];
    struct search_params p = {.q = question,
                              .from_day = DAY_NONE,
                              .to_day = DAY_NONE,
                              .inline_citations = world.mood & 8,
                              .sources = true,
                              .max_results = 1 + (int)(world.mood & 7)};
    struct json *schema = NULL;

    if (what >= sizeof ways / sizeof *ways) {
        write(question, a);
        return;
    }
    p.depth = ways[what].depth;
    p.output = ways[what].output;
    HOLDS(json_parse(text, strlen(text), &json_limits_request, &schema, NULL) ==
              ERR_OK &&
          schema_check(schema, NULL) == ERR_OK);
    p.schema = schema;
    ways[what].run(&p, a);
    json_free(schema);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str in = {(const char *)data, size};
    unsigned how = (fuzz_take(&in) - '0') & 31, mood = fuzz_take(&in) - ' ';
    clock_t begun = clock();
    const char *question, *pages, *says;
    struct arena a;

    log_set_level(LOG_OFF);
    arena_init(&a, 256 << 20);
    question = text_of(fuzz_take_until(&in, '\n'), &a);
    pages = text_of(fuzz_take_until(&in, '\v'), &a);
    says = in.n == 0 ? NULL : text_of(in, &a);
    world_fill(how / 8, mood, says, str_of(pages), &a);
    ask(how % 8, question, &a);
    HOLDS(!arena_failed(&a));
    world_empty();
    arena_fini(&a);
    HOLDS((clock() - begun) / CLOCKS_PER_SEC < CPU_SECONDS_MAX);
    return 0;
}
