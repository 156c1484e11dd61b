/* Steps as JSON; see steps.h. What resume.c reads back is written here. */
#include "research/steps.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

enum { PAGES_NAMED = 16, STEP_BYTES_MAX = 256 << 10 };

static const char *end_json(struct buf *b, struct json_out *w, struct arena *a,
                            int64_t since)
{
    const char *z;

    jw_kint(w, "ms", clock_mono_ms() - since);
    jw_object_end(w);
    z = buf_err(b) == ERR_OK ? arena_strdup(a, buf_str(b)) : NULL;
    buf_fini(b);
    return z;
}

static void write_strings(struct json_out *w, const char *name,
                          const char *const *v, size_t count)
{
    jw_key(w, name);
    jw_array(w);
    for (size_t i = 0; i < count; i++)
        jw_string(w, v[i]);
    jw_array_end(w);
}

static void write_about(struct json_out *w, const struct about *about)
{
    jw_key(w, "about");
    jw_array(w);
    for (size_t i = 0; i < about->count; i++) {
        jw_object(w);
        jw_kstring(w, "name", about->names[i].term);
        if (about->names[i].word != NULL)
            jw_kstring(w, "word", about->names[i].word);
        write_strings(w, "hosts", about->names[i].hosts,
                      about->names[i].host_count);
        if (about->names[i].is_aside)
            jw_kbool(w, "aside", true);
        jw_object_end(w);
    }
    jw_array_end(w);
}

const char *steps_plan(const struct plan *p, const struct about *about,
                       struct arena *a, int64_t since)
{
    static const char *const modes[] = {"auto", "answer", "investigate",
                                        "research"};
    struct buf b;
    struct json_out w;

    buf_init(&b, STEP_BYTES_MAX);
    jw_init(&w, &b);
    jw_object(&w);
    jw_kstring(&w, "mode", modes[p->mode]);
    if (*p->title != '\0')
        jw_kstring(&w, "title", p->title);
    write_strings(&w, "sides", p->sides, p->side_count);
    if (p->is_named)
        jw_kbool(&w, "named", true);
    jw_key(&w, "questions");
    jw_array(&w);
    for (size_t i = 0; i < p->count; i++) {
        const struct plan_sub *s = &p->subs[i];

        jw_object(&w);
        jw_kstring(&w, "title", s->title);
        jw_kstring(&w, "question", s->question);
        jw_kstring(&w, "context", s->context);
        if (strcmp(s->own, s->question) != 0)
            jw_kstring(&w, "own", s->own);
        if (s->side < p->side_count)
            jw_kint(&w, "side", (int64_t)s->side);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    write_about(&w, about);
    return end_json(&b, &w, a, since);
}

static void unit_block(struct buf *b, const struct run_block *x, bool with)
{
    buf_addf(b, " %s%zu:%zu:%zu:%c", with ? "~" : "", x->row, x->start, x->len,
             x->kind);
    if (x->number > 0)
        buf_addf(b, "%zu", x->number);
}

/* "STANDING[!] [~]ROW:START:LEN:KIND …": the standing in thousandths, "!!!"
 * where it says what a name is, "!!" where it begins its page, "!" a section,
 * "+" behind them where it answers its part, rows counted through the whole
 * evidence, "~" before those that are only said with the others; behind the
 * kind of a numbered item its number.
 */
static void write_unit(struct json_out *w, const struct run_unit *u,
                       struct buf *b)
{
    buf_cut(b, 0);
    buf_addf(b, "%lld%s%s", llround(u->standing * RUN_SCORES),
             &"!!!"[3 - u->leads], u->answers ? "+" : "");
    for (size_t i = 0; i < u->count; i++)
        unit_block(b, &u->blocks[i], i < u->ahead || i >= u->count - u->behind);
    jw_string(w, buf_str(b));
}

static bool write_units(struct json_out *w, const struct found *f)
{
    struct buf b;
    bool whole = true;

    buf_init(&b, STEP_BYTES_MAX);
    jw_key(w, "units");
    jw_array(w);
    for (size_t i = 0; whole && i < f->unit_count; i++) {
        write_unit(w, &f->units[i], &b);
        whole = buf_err(&b) == ERR_OK;
    }
    jw_array_end(w);
    buf_fini(&b);
    return whole;
}

static void write_pages(struct json_out *w, const struct found *f)
{
    size_t named = 0;

    jw_key(w, "pages");
    jw_array(w);
    for (size_t i = 0; i < f->count && named < PAGES_NAMED; i++) {
        bool again = false;

        for (size_t j = 0; j < i && !again; j++)
            again = strcmp(f->rows[j].url, f->rows[i].url) == 0;
        if (again)
            continue;
        jw_string(w, f->rows[i].url);
        named++;
    }
    jw_array_end(w);
}

const char *steps_search(const struct run *r, const struct run_query *q,
                         const struct found *f, struct arena *a, int64_t since)
{
    struct buf b;
    struct json_out w;
    bool whole;
    const char *z;

    buf_init(&b, STEP_BYTES_MAX);
    jw_init(&w, &b);
    jw_object(&w);
    jw_kint(&w, "round", q->round);
    jw_kint(&w, "sub", (int64_t)q->sub);
    jw_kstring(&w, "question", r->plan.subs[q->sub].question);
    jw_kstring(&w, "query", q->text);
    jw_kint(&w, "found", (int64_t)f->candidates);
    jw_kint(&w, "read", (int64_t)f->read);
    jw_kint(&w, "kept", (int64_t)f->count);
    write_pages(&w, f);
    whole = write_units(&w, f);
    if (*f->failed != '\0')
        jw_kstring(&w, "failed", f->failed);
    z = end_json(&b, &w, a, since);
    return whole ? z : NULL;
}

const char *steps_gap(const struct run *r, const struct gap *g, const char *end,
                      struct arena *a, int64_t since)
{
    struct buf b;
    struct json_out w;

    buf_init(&b, STEP_BYTES_MAX);
    jw_init(&w, &b);
    jw_object(&w);
    jw_kint(&w, "round", r->round);
    jw_kint(&w, "new", (int64_t)r->news);
    jw_key(&w, "gaps");
    jw_array(&w);
    for (size_t i = 0; i < r->plan.count; i++)
        if (g->open[i])
            jw_int(&w, (int64_t)i);
    jw_array_end(&w);
    jw_key(&w, "queries");
    jw_array(&w);
    for (size_t i = 0; i < g->count; i++) {
        jw_object(&w);
        jw_kint(&w, "sub", (int64_t)g->query[i].sub);
        jw_kstring(&w, "query", g->query[i].text);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    jw_kstring(&w, "end", end);
    return end_json(&b, &w, a, since);
}
