/*
 * The report; see write.h. First every section's sentences are chosen, then
 * the whole is rendered, numbering pages as they are first cited.
 */
#include "research/write.h"

#include "base/date.h"
#include "base/str.h"
#include "research/section.h"
#include "search/agree.h"
#include "text/passage.h"

#include <string.h>

enum {
    PICKS_MAX = PLAN_SUBS_MAX * SECTION_MAX,
    SUMMARY_LEADS = 4, /* lead sentences that make a summary */
    SNIPPET_MAX = 600,
    IMAGES_MAX = 30,
    WRITE_PERCENT = 15, /* of the time, for a model */
    REPORT_MAX = 4 << 20
};

struct writer {
    struct run *r;
    struct arena *a;
    struct section *sections;            /* one for each sub-question */
    const struct pick *pages[PICKS_MAX]; /* its first sentence cited */
    size_t page_count;
    struct buf text;
};

/* --- rendering --------------------------------------------------------- */

/* One number for each page, in the order they are cited. */
static size_t number_of(struct writer *w, const struct pick *p)
{
    for (size_t i = 0; i < w->page_count; i++)
        if (strcmp(w->pages[i]->from->url, p->from->url) == 0)
            return i + 1;
    w->pages[w->page_count] = p;
    return ++w->page_count;
}

/* Length of a footnote mark of the source ("[12]"), which would read like a
 * citation of ours; 0 if none. */
static size_t mark_len(const char *p, size_t n)
{
    size_t i = 1;

    if (n < 3 || p[0] != '[')
        return 0;
    while (i < n && i < 5 && ascii_is_digit((unsigned char)p[i]))
        i++;
    return i > 1 && i < n && p[i] == ']' ? i + 1 : 0;
}

/* The sentence on one line, its own footnote marks left out. */
static void add_text(struct buf *b, const char *p, size_t n)
{
    bool blank = false;

    for (size_t i = 0; i < n; i++) {
        size_t mark = mark_len(p + i, n - i);

        if (mark > 0) {
            i += mark - 1;
            continue;
        }
        if (ascii_is_space((unsigned char)p[i])) {
            blank = true;
            continue;
        }
        if (blank)
            buf_addc(b, ' ');
        blank = false;
        buf_addc(b, p[i]);
    }
}

/* "Text of the sentence [1]." */
static void add_cited(struct writer *w, const struct pick *p)
{
    struct str s = str_trim(str_of(p->text));
    size_t n = s.n;
    char end = '.';

    if (n > 0 && strchr(".!?", s.p[n - 1]) != NULL) {
        end = s.p[n - 1];
        n--;
    }
    add_text(&w->text, s.p, n);
    buf_addf(&w->text, " [%zu]%c", number_of(w, p), end);
}

static void add_gap(struct buf *b)
{
    if (b->len > 0)
        buf_adds(b, "\n\n");
}

static struct saying saying_of(const struct pick *p)
{
    return (struct saying){p->from, p->start, p->len};
}

static struct dissent_part part_of(struct writer *w, const struct pick *p,
                                   const struct claim *c)
{
    return (struct dissent_part){p->from, p->from->text + p->start + c->start,
                                 c->len, number_of(w, p)};
}

/* Two hosts that give different values: said. */
static void add_conflict(struct writer *w, const struct section *s)
{
    for (size_t i = 0; i < s->count; i++) {
        for (size_t j = i + 1; j < s->count; j++) {
            const struct pick *a = &s->picks[i], *b = &s->picks[j];
            struct saying one = saying_of(a), other = saying_of(b);
            struct dissent_part part[2];
            struct claim x, y;

            if (!agree_is_dissent(s->q, &one, &other, &x, &y))
                continue;
            part[0] = part_of(w, a, &x);
            part[1] = part_of(w, b, &y);
            buf_addc(&w->text, ' ');
            agree_say(&w->text, part);
            return;
        }
    }
}

static void add_paragraph(struct writer *w, const struct section *s)
{
    add_gap(&w->text);
    for (size_t i = 0; i < s->count; i++) {
        if (i > 0)
            buf_addc(&w->text, ' ');
        add_cited(w, &s->picks[i]);
    }
    add_conflict(w, s);
}

/* The answer in short: the section of the question itself, or each section's
 * first sentence. Returns the section it used up, or plan.count. */
static size_t add_summary(struct writer *w)
{
    const struct plan *plan = &w->r->plan;
    size_t said = 0;

    if (plan->lead < plan->count && w->sections[plan->lead].count > 0) {
        add_paragraph(w, &w->sections[plan->lead]);
        return plan->lead;
    }
    for (size_t i = 0; i < plan->count && said < SUMMARY_LEADS; i++) {
        if (w->sections[i].count == 0)
            continue;
        if (said++ > 0)
            buf_addc(&w->text, ' ');
        add_cited(w, &w->sections[i].picks[0]);
    }
    return plan->count;
}

static void add_missing(struct writer *w, size_t missing)
{
    if (missing == 0)
        return;
    add_gap(&w->text);
    if (w->r->plan.mode != MODE_ANSWER)
        buf_adds(&w->text, "## What was not found\n\n");
    buf_adds(&w->text, "No sufficient evidence was found for:");
    for (size_t i = 0; i < w->r->plan.count; i++)
        if (w->sections[i].count == 0)
            buf_addf(&w->text, "\n- %s", w->r->plan.subs[i].question);
}

static void add_sections(struct writer *w, size_t used_up)
{
    for (size_t i = 0; i < w->r->plan.count; i++) {
        const struct section *s = &w->sections[i];

        if (s->count == 0 || i == used_up)
            continue;
        add_gap(&w->text);
        buf_addf(&w->text, "## %s", s->sub->title);
        add_paragraph(w, s);
    }
}

static void add_report(struct writer *w, size_t missing)
{
    size_t used_up;

    if (w->r->plan.mode == MODE_ANSWER || w->r->plan.count == 1) {
        for (size_t i = 0; i < w->r->plan.count; i++)
            if (w->sections[i].count > 0)
                add_paragraph(w, &w->sections[i]);
    } else {
        used_up = add_summary(w);
        add_sections(w, used_up);
    }
    add_missing(w, missing);
}

/* --- sources and images ------------------------------------------------ */

/* Verbatim text of the page around the first sentence cited of it: the whole
 * passage, or whole sentences from that one on. */
static enum err snippet_from(const struct pick *p, struct arena *a,
                             const char **out)
{
    const char *text = p->from->text;
    struct span *spans = NULL;
    size_t n = strlen(text), count = 0, end = p->start + p->len;
    enum err e;

    if (n <= SNIPPET_MAX) {
        *out = text;
        return ERR_OK;
    }
    e = sentences_split(text, n, a, &spans, &count);
    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < count; i++)
        if (spans[i].start >= end &&
            spans[i].start + spans[i].len - p->start <= SNIPPET_MAX)
            end = spans[i].start + spans[i].len;
    *out = arena_strndup(a, text + p->start, end - p->start);
    return *out == NULL ? ERR_NOMEM : ERR_OK;
}

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
    for (size_t i = 0; i < w->page_count && e == ERR_OK; i++)
        if (w->pages[i]->from->page != 0)
            e = add_page_images(w, j, w->pages[i]->from->page, urls, &count,
                                ec);
    return e;
}

static enum err add_sources(struct writer *w, struct json_out *j,
                            struct errctx *ec)
{
    for (size_t i = 0; i < w->page_count; i++) {
        const struct pick *p = w->pages[i];
        const char *snippet = NULL, *name = p->from->title;
        enum err e = snippet_from(p, w->a, &snippet);

        if (e != ERR_OK)
            return e;
        add_source(j, name == NULL || *name == '\0' ? p->from->url : name,
                   p->from->url, snippet, p->from->favicon);
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
    jw_kstring(&j, "answer", buf_str(&w->text));
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
    out->sources = w->page_count;
    for (size_t i = 0; i < w->r->plan.count; i++) {
        out->sentences += w->sections[i].count;
        out->sections += w->sections[i].count > 0;
        out->missing += w->sections[i].count == 0;
        verify_tally_add(&out->verified, &w->sections[i].verified);
    }
}

/* What searching left of the time, and no less than what it has to leave. */
static int64_t time_to_write(const struct run *r)
{
    int64_t left = r->budget.time_ms - r->spent_ms;
    int64_t least = r->budget.time_ms * WRITE_PERCENT / 100;

    return left > least ? left : least;
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
    if (w->sections == NULL)
        return ERR_NOMEM;
    r->write_until = deadline_in(time_to_write(r));
    for (size_t i = 0; i < r->plan.count && e == ERR_OK; i++)
        e = section_choose(r, w->sections, i, a, ec);
    if (e != ERR_OK)
        return e;
    count_all(w, &report);
    if (report.sentences == 0)
        return err_set(ec, ERR_NO_RESULT, "no sentence answers the question");
    buf_init(&w->text, REPORT_MAX / 2);
    add_report(w, report.missing);
    report.sources = w->page_count;
    e = buf_err(&w->text);
    if (e == ERR_OK)
        e = render(w, &report.output, ec);
    buf_fini(&w->text);
    if (e == ERR_OK)
        *out = report;
    return e;
}
