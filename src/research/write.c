/*
 * The report; see write.h. First every section's sentences are chosen, then
 * the whole is said, by the renderer of answers (search/answer_render.h) and
 * through its gate, numbering pages as they are first cited.
 */
#include "research/write.h"

#include "base/date.h"
#include "research/section.h"
#include "answer/agree.h"
#include "answer/answer_render.h"

#include <string.h>

enum {
    SUMMARY_LEADS = 4, /* lead sentences that make a summary */
    SAID_MAX = PLAN_SUBS_MAX * (SECTION_MAX + 2) + SUMMARY_LEADS,
    IMAGES_MAX = 30,
    WRITE_PERCENT = 15, /* of the time, for a model */
    REPORT_MAX = 4 << 20
};

struct writer {
    struct run *r;
    struct arena *a;
    struct section *sections; /* one for each sub-question */
    size_t *said;             /* sentences of each that hold */
    struct render out;
    struct source *sources;
    size_t source_count;
    const char *answer;
};

/* --- rendering --------------------------------------------------------- */

static struct said said_of(const struct pick *p)
{
    return (struct said){
        .from = p->from, .text = p->text, .start = p->start, .len = p->len};
}

/* Two hosts that give different values: said. */
static enum err add_conflict(struct writer *w, const struct section *s)
{
    for (size_t i = 0; i < s->count; i++) {
        for (size_t j = i + 1; j < s->count; j++) {
            const struct pick *a = &s->picks[i], *b = &s->picks[j];
            struct saying one = {a->from, a->start, a->len};
            struct saying other = {b->from, b->start, b->len};
            struct claim x, y;
            struct said *said;

            if (!agree_is_dissent(s->q, &one, &other, &x, &y))
                continue;
            said = arena_array(w->a, 2, sizeof *said);
            if (said == NULL)
                return ERR_NOMEM;
            said[0] = said_of(a);
            said[1] = said_of(b);
            return render_dissent(
                &w->out, said,
                (struct dissent_part[]){
                    {a->from, a->from->text + a->start + x.start, x.len, 0},
                    {b->from, b->from->text + b->start + y.start, y.len, 0}});
        }
    }
    return ERR_OK;
}

/* The first max of the section's sentences. */
static enum err add_sentences(struct writer *w, const struct section *s,
                              size_t max)
{
    size_t n = s->count < max ? s->count : max, held = 0;
    struct said *v = arena_array(w->a, n, sizeof *v);
    enum err e;

    if (v == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < n; i++)
        v[i] = said_of(&s->picks[i]);
    e = render_said(&w->out, v, n, &held);
    w->said[s - w->sections] += held;
    return e;
}

/* Its sentences, below a title when there is one; nothing when none holds. */
static enum err add_paragraph(struct writer *w, const struct section *s,
                              const char *title)
{
    size_t *said = &w->said[s - w->sections], before = w->out.text.len;
    enum err e;

    *said = 0;
    if (title != NULL)
        render_heading(&w->out, title);
    render_break(&w->out);
    e = add_sentences(w, s, SECTION_MAX);
    if (e == ERR_OK && *said == 0)
        buf_cut(&w->out.text, before);
    return e == ERR_OK && *said > 0 ? add_conflict(w, s) : e;
}

/* The answer in short: the section of the question itself, or each section's
 * first sentence. *used is the section it used up, or plan.count. */
static enum err add_summary(struct writer *w, size_t *used)
{
    const struct plan *plan = &w->r->plan;
    const struct verify_tally before = w->out.verified;
    enum err e = ERR_OK;

    *used = plan->count;
    if (plan->lead < plan->count && w->sections[plan->lead].count > 0) {
        *used = plan->lead;
        return add_paragraph(w, &w->sections[plan->lead], NULL);
    }
    for (size_t i = 0, leads = 0;
         i < plan->count && leads < SUMMARY_LEADS && e == ERR_OK; i++)
        if (w->sections[i].count > 0) {
            leads++;
            e = add_sentences(w, &w->sections[i], 1);
        }
    w->out.verified = before; /* they are said and counted again */
    return e;
}

static void add_missing(struct writer *w)
{
    const struct plan *plan = &w->r->plan;
    struct buf *b = &w->out.text;
    bool told = false;

    for (size_t i = 0; i < plan->count; i++) {
        if (w->said[i] > 0)
            continue;
        if (!told && plan->mode != MODE_ANSWER)
            render_heading(&w->out, "What was not found");
        if (!told)
            buf_adds(b, "\n\nNo sufficient evidence was found for:");
        told = true;
        buf_addf(b, "\n- %s", plan->subs[i].question);
    }
    if (told && *run_failed(w->r) != '\0')
        buf_addf(b, "\n\nWho was asked and did not answer: %s.",
                 run_failed(w->r));
}

static enum err add_sections(struct writer *w, size_t used_up)
{
    enum err e = ERR_OK;

    for (size_t i = 0; i < w->r->plan.count && e == ERR_OK; i++)
        if (w->sections[i].count > 0 && i != used_up)
            e = add_paragraph(w, &w->sections[i], w->sections[i].sub->title);
    return e;
}

static enum err add_report(struct writer *w)
{
    size_t used_up = 0;
    enum err e = ERR_OK;

    if (w->r->plan.mode == MODE_ANSWER || w->r->plan.count == 1) {
        for (size_t i = 0; i < w->r->plan.count && e == ERR_OK; i++)
            if (w->sections[i].count > 0)
                e = add_paragraph(w, &w->sections[i], NULL);
    } else {
        e = add_summary(w, &used_up);
        if (e == ERR_OK)
            e = add_sections(w, used_up);
    }
    return e;
}

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
        if (again || !image_allowed(w->r, p.images[i].url, w->a))
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

static void count_all(const struct writer *w, struct report *out)
{
    memset(out, 0, sizeof *out);
    out->sources = w->source_count;
    for (size_t i = 0; i < w->r->plan.count; i++) {
        out->sentences += w->said[i];
        out->sections += w->said[i] > 0;
        out->missing += w->said[i] == 0;
        verify_tally_add(&out->verified, &w->sections[i].verified);
    }
    verify_tally_settle(&out->verified, &w->out.verified);
}

/* What searching left of the time, and no less than what it has to leave. */
static int64_t time_to_write(const struct run *r)
{
    int64_t left = r->budget.time_ms - r->spent_ms;
    int64_t least = r->budget.time_ms * WRITE_PERCENT / 100;

    return left > least ? left : least;
}

/* Say what was chosen, then what is lacking. */
static enum err say_all(struct writer *w, struct errctx *ec)
{
    enum err e = add_report(w);

    if (e == ERR_OK && w->out.source_count == 0)
        return err_set(ec, ERR_NO_RESULT, "no sentence answers the question");
    if (e == ERR_OK) {
        add_missing(w);
        e = render_end(&w->out, &w->answer, &w->sources, &w->source_count);
    }
    return e;
}

enum err write_report(struct run *r, struct arena *a, struct report *out,
                      struct errctx *ec)
{
    struct writer *w = arena_alloc(a, sizeof *w);
    struct report report;
    enum err e = ERR_OK;

    if (w == NULL)
        return ERR_NOMEM;
    w->r = r;
    w->a = a;
    w->sections = arena_array(a, r->plan.count, sizeof *w->sections);
    w->said = arena_array(a, r->plan.count, sizeof *w->said);
    if (w->sections == NULL || w->said == NULL)
        return ERR_NOMEM;
    r->write_until = deadline_in(time_to_write(r));
    for (size_t i = 0; i < r->plan.count && e == ERR_OK; i++)
        e = section_choose(r, w->sections, i, a, ec);
    if (e == ERR_OK)
        e = render_init(&w->out, true, SAID_MAX, a);
    if (e == ERR_OK)
        e = say_all(w, ec);
    if (e == ERR_OK) {
        count_all(w, &report);
        e = render(w, &report.output, ec);
    }
    render_fini(&w->out);
    if (e == ERR_OK)
        *out = report;
    return e;
}
