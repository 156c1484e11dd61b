/*
 * The output of a task; see write.h. A report of parts is put together by
 * compose.c; one fact is answered as a search does, in a few sentences.
 */
#include "research/write.h"

#include "answer/answer.h"
#include "answer/answer_model.h"
#include "answer/answer_units.h"
#include "base/str.h"
#include "question/overlap.h"
#include "research/compose.h"
#include "research/ranking.h"

#include <string.h>

enum { ANSWER_SENTENCES = 4, IMAGES_MAX = 30, REPORT_MAX = 4 << 20 };

struct writer {
    struct run *r;
    struct arena *a;
    struct source *sources;
    size_t source_count;
    const char *answer;
};

/* --- sources and images ------------------------------------------------ */

static void add_source(struct json_out *j, const char *name, const char *url,
                       const char *snippet, const char *favicon)
{
    jw_object(j);
    jw_kstring(j, "name", name == NULL ? "" : name);
    jw_kstring(j, "url", url);
    jw_kstring(j, "snippet", snippet);
    jw_kstring(j, "favicon", favicon == NULL ? "" : favicon);
    jw_object_end(j);
}

static bool image_allowed(const struct run *r, const char *url, struct arena *a)
{
    struct url u;

    return url_parse(url, strlen(url), NULL, a, &u, NULL) == ERR_OK &&
           domains_allow(r->filter.include, r->filter.exclude, &u);
}

/* Does its text say, in several words, something that the passages of its page
 * speak of? An icon's and a button's does not. */
static bool illustrates(struct writer *w, const char *alt, int64_t page)
{
    uint64_t held = 0;
    size_t words = 0, named = 0;
    struct query q;

    if (query_parse(alt, w->a, &q) != ERR_OK)
        return false;
    for (size_t i = 0; i < w->r->evidence_count; i++)
        if (w->r->evidence[i].page == page)
            held |= overlap_mask_loose(&q, w->r->evidence[i].text,
                                       strlen(w->r->evidence[i].text));
    for (size_t i = 0; i < q.term_count; i++) {
        if (ascii_is_digit(q.terms[i].text[0]))
            continue;
        words++;
        named += held >> i & 1;
    }
    return words > 1 && 2 * named >= words;
}

static enum err add_page_images(struct writer *w, struct json_out *j,
                                int64_t page, const char **urls, size_t *count,
                                struct errctx *ec)
{
    struct page p;
    enum err e = page_get(w->r->env->index, page, w->a, &p, ec);

    if (e == ERR_NOT_FOUND) /* removed since it was read */
        return ERR_OK;
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < p.image_count && *count < IMAGES_MAX; i++) {
        bool again = false;

        for (size_t k = 0; k < *count && !again; k++)
            again = strcmp(urls[k], p.images[i].url) == 0;
        if (again || !image_allowed(w->r, p.images[i].url, w->a) ||
            !illustrates(w, p.images[i].alt, page))
            continue;
        urls[(*count)++] = p.images[i].url;
        add_source(j, p.images[i].alt, p.images[i].url, "", "");
    }
    return ERR_OK;
}

static enum err add_images(struct writer *w, struct json_out *j,
                           struct errctx *ec)
{
    const char *urls[IMAGES_MAX];
    size_t count = 0;
    enum err e = ERR_OK;

    if (!w->r->params->search.images)
        return ERR_OK;
    for (size_t i = 0; i < w->source_count && e == ERR_OK; i++)
        if (w->sources[i].page != 0)
            e = add_page_images(w, j, w->sources[i].page, urls, &count, ec);
    return e;
}

static enum err add_sources(struct writer *w, struct json_out *j,
                            struct errctx *ec)
{
    for (size_t i = 0; i < w->source_count; i++) {
        const struct source *s = &w->sources[i];

        add_source(j, s->name, s->url, s->snippet, s->favicon);
    }
    return add_images(w, j, ec);
}

static enum err render(struct writer *w, const char **output, struct errctx *ec)
{
    struct buf b;
    struct json_out j;
    enum err e;

    buf_init(&b, REPORT_MAX);
    jw_init(&j, &b);
    jw_object(&j);
    jw_kstring(&j, "answer", w->answer);
    jw_key(&j, "sources");
    jw_array(&j);
    e = add_sources(w, &j, ec);
    jw_array_end(&j);
    jw_object_end(&j);
    if (e == ERR_OK)
        e = buf_err(&b);
    if (e == ERR_OK && (*output = arena_strdup(w->a, buf_str(&b))) == NULL)
        e = ERR_NOMEM;
    buf_fini(&b);
    return e;
}

/* --- one fact ------------------------------------------------------------ */

/* As a model says it. ERR_NO_RESULT: there is none, or nothing of it holds. */
static enum err answer_by_model(struct writer *w, const struct query *q,
                                const struct ranked *v, size_t count,
                                struct report *out)
{
    struct run *r = w->r;
    struct answer_draft d = {.sentences = NULL};
    enum err e = ERR_NO_RESULT;

    if (r->env->model != NULL)
        e = answer_model(r->env->model, q, v, count, ANSWER_SENTENCES,
                         deadline_in(run_time_to_write(r)), r->lease->task.id,
                         w->a, &d);
    if (e == ERR_OK)
        e = answer_render(&d, v, count, true, w->a, &w->answer, &w->sources,
                          &w->source_count);
    out->sentences = d.count;
    out->verified = d.verified;
    return e;
}

/* As the pages do. */
static enum err answer_by_units(struct writer *w, const struct query *q,
                                const struct ranked *v, size_t count,
                                struct report *out)
{
    struct units_answer x = {.text = NULL};
    struct asked f = {.q = q};
    enum err e =
        pages_rank(q, v, count, PAGES_READ, 0, w->a, &f.pages, &f.page_count);

    if (e == ERR_OK)
        e = units_cut(q, f.pages, f.page_count, UNIT_LONG, NULL, w->a,
                      &f.units);
    if (e == ERR_OK)
        e = answer_units(&f, 1, true, w->a, &x);
    if (e != ERR_OK)
        return e;
    w->answer = x.text;
    w->sources = x.sources;
    w->source_count = x.source_count;
    out->sentences = x.used_count;
    out->verified = x.verified;
    return ERR_OK;
}

static enum err write_answer(struct writer *w, struct report *out,
                             struct errctx *ec)
{
    struct run *r = w->r;
    struct ranked *v = NULL;
    struct query q;
    size_t count = 0;
    enum err e = query_parse(r->plan.subs[0].question, w->a, &q);

    if (e == ERR_OK)
        e = overlap_weigh(&q, r->env->index, ec);
    if (e == ERR_OK)
        e = ranking_of_evidence(r, -1, &q, w->a, &v, &count, ec);
    if (e == ERR_OK && count == 0)
        e = ERR_NO_RESULT;
    if (e != ERR_OK)
        return e;
    out->sections = 1;
    e = answer_by_model(w, &q, v, count, out);
    return e == ERR_NO_RESULT ? answer_by_units(w, &q, v, count, out) : e;
}

/* --- a report ------------------------------------------------------------ */

static enum err write_parts(struct writer *w, struct report *out,
                            struct errctx *ec)
{
    struct composed c;
    enum err e = compose_report(w->r, w->a, &c, ec);

    if (e != ERR_OK)
        return e;
    w->answer = c.text;
    w->sources = c.sources;
    w->source_count = c.source_count;
    out->sections = c.sections;
    out->sentences = c.units;
    out->missing = c.missing;
    out->verified = c.verified;
    return ERR_OK;
}

enum err write_report(struct run *r, struct arena *a, struct report *out,
                      struct errctx *ec)
{
    struct writer w = {.r = r, .a = a};
    struct report report;
    enum err e;

    memset(&report, 0, sizeof report);
    e = r->plan.mode == MODE_ANSWER ? write_answer(&w, &report, ec)
                                    : write_parts(&w, &report, ec);
    if (e == ERR_NO_RESULT)
        return err_set(ec, e, "no page answers the question");
    report.sources = w.source_count;
    if (e == ERR_OK)
        e = render(&w, &report.output, ec);
    if (e == ERR_OK)
        *out = report;
    return e;
}
