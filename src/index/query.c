/*
 * Asking the index. The rarest terms select, in one walk over their posting
 * lists with the filters inside the full-text query; the best are scored
 * again exactly, with all terms, from their text (rescore.c). The words'
 * forms are forms.c, domains and dates filter.c, what is told about the best
 * candidate.c. See page.h; called by the search room.
 */
#include "index/page.h"

#include "base/buf.h"
#include "base/clock.h"
#include "index/candidate.h"
#include "index/filter.h"
#include "index/forms.h"
#include "store/fts.h"
#include "index/rescore.h"
#include "store/sql.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { K_MAX = 1000, RESCORED = 100, SELECTING = 4, GROWTH = 8 };
enum { POSTINGS = 20000 }; /* walking so many costs less than reading texts */
enum { QUERY_MAX = 1 << 20, OPS_BETWEEN_CHECKS = 2000 };

/* Passages holding more than this share of a term are not selected by it
 * while a rarer one is there. */
static const double COMMON = 0.2;

/* A term, or the form another one has in one more language. */
struct asked {
    const char *text, *word;
    double weight;
    int64_t df;
    int64_t all; /* of all its forms */
    double gain; /* weight times rarity; 0 = occurs nowhere */
};

struct query {
    struct db *db;
    const struct index_filter *filter;
    const struct deadline *deadline;
    struct arena scratch;
    struct asked *asked; /* in the caller's order, without repetition; behind
                            them their other forms */
    size_t count, forms; /* terms; terms and forms */
    unsigned languages;  /* forms_languages */
    struct asked *rarest[FTS_TERMS_MAX]; /* best gain first */
    size_t rarest_count;
    int64_t passages, text_bytes;
    size_t k;
    struct collect collect;
    struct rescore *rescore[LANG_COUNT]; /* for texts of each language */
};

/* --- which terms ------------------------------------------------------- */

static struct asked *find_asked(struct query *x, const char *text)
{
    for (size_t i = 0; i < x->count; i++)
        if (strcmp(x->asked[i].text, text) == 0)
            return &x->asked[i];
    return NULL;
}

static void add_asked(struct query *x, const struct index_term *t)
{
    struct asked *same;

    if (t->text == NULL || t->text[0] == '\0' || !(t->weight > 0))
        return;
    same = find_asked(x, t->text);
    if (same == NULL)
        x->asked[x->count++] = (struct asked){
            .text = t->text, .word = t->word, .weight = t->weight};
    else if (same->weight < t->weight)
        same->weight = t->weight;
}

/* The rarity of BM25, kept above zero. */
static double rarity(int64_t df, int64_t passages)
{
    double n = (double)passages, d = (double)df;

    return log(1 + (n - d + 0.5) / (d + 0.5));
}

/* A term's forms behind the terms; none is in the list twice. */
static enum err add_forms(struct query *x, size_t i, const struct forms *f)
{
    for (size_t k = 1; k < f->count; k++) {
        struct asked *form = &x->asked[x->forms];
        bool there = false;

        for (size_t n = 0; n < x->forms && !there; n++)
            there = strcmp(x->asked[n].text, f->text[k]) == 0;
        if (there)
            continue;
        *form = x->asked[i];
        form->text = arena_strdup(&x->scratch, f->text[k]);
        if (form->text == NULL)
            return ERR_NOMEM;
        x->forms++;
    }
    return ERR_OK;
}

/* What a term weighs is decided by all its forms together. */
static enum err weigh(struct query *x, struct errctx *ec)
{
    struct forms f;
    enum err e = ERR_OK;

    x->forms = x->count;
    for (size_t i = 0; i < x->count && e == ERR_OK; i++) {
        struct asked *t = &x->asked[i];

        e = forms_read(x->db, t->text, t->word, x->languages, &f, ec);
        if (e == ERR_OK)
            e = forms_df(x->db, &f, &t->all, ec);
        if (e == ERR_OK && t->all > 0)
            t->gain = t->weight * rarity(t->all, x->passages);
        if (e == ERR_OK && t->all > 0)
            e = add_forms(x, i, &f);
    }
    for (size_t i = 0; i < x->forms && e == ERR_OK; i++) {
        x->asked[i].df = x->asked[i].all;
        if (x->forms > x->count)
            e = forms_df_of(x->db, x->asked[i].text, &x->asked[i].df, ec);
    }
    return e;
}

/* Keep the FTS_TERMS_MAX terms of the largest gain, in that order. */
static void rank_terms(struct query *x)
{
    for (size_t i = 0; i < x->forms; i++) {
        struct asked *t = &x->asked[i];
        size_t at = x->rarest_count;

        if (t->df == 0)
            continue;
        while (at > 0 && x->rarest[at - 1]->gain < t->gain)
            at--;
        if (at == FTS_TERMS_MAX)
            continue;
        if (x->rarest_count < FTS_TERMS_MAX)
            x->rarest_count++;
        for (size_t j = x->rarest_count - 1; j > at; j--)
            x->rarest[j] = x->rarest[j - 1];
        x->rarest[at] = t;
    }
}

/* Does the next term select, too, when n do with so many postings? */
static bool selects(const struct query *x, size_t n, int64_t postings)
{
    int64_t df = x->rarest[n]->df;

    if (n == 0 || postings + df <= POSTINGS)
        return true;
    return n < SELECTING && (double)df <= COMMON * (double)x->passages;
}

/* How many of them select at first: the rarest few, and whatever is cheap. */
static size_t selecting(const struct query *x)
{
    int64_t postings = 0;
    size_t n = 0;

    while (n < x->rarest_count && selects(x, n, postings))
        postings += x->rarest[n++]->df;
    return n;
}

/* --- selection --------------------------------------------------------- */

static enum err build_match(struct query *x, size_t terms, struct buf *b,
                            struct errctx *ec)
{
    enum err e;

    for (size_t i = 0; i < terms; i++) {
        const char *text = x->rarest[i]->text;

        buf_adds(b, i == 0 ? "(" : " OR ");
        fts_quote(b, FTS_RAW, text, strlen(text));
        x->collect.gain[i] = x->rarest[i]->gain;
    }
    buf_addc(b, ')');
    x->collect.term_count = terms;
    e = filter_match(x->db, x->filter, b, ec);
    if (e == ERR_OK && buf_err(b) != ERR_OK)
        e = err_set(ec, buf_err(b), "the filter is too long");
    return e;
}

static int by_score(const void *a, const void *b)
{
    return hit_before(a, b) ? -1 : 1;
}

/* Walk everything that matches; x->collect holds the best max, best first. */
static enum err select_best(struct query *x, size_t terms, size_t max,
                            struct errctx *ec)
{
    struct buf match;
    struct stmt *q;
    enum err e;

    buf_init(&match, QUERY_MAX);
    x->collect.count = 0;
    x->collect.max = max;
    x->collect.heap = arena_array(&x->scratch, max, sizeof(struct hit));
    if (x->collect.heap == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    e = build_match(x, terms, &match, ec);
    if (e == ERR_OK) {
        q = sql_get(x->db, "SELECT 1 FROM passage_fts WHERE passage_fts"
                           " MATCH ?1 AND cited_collect(passage_fts)");
        sql_bytes(q, 1, buf_str(&match), match.len);
        x->db->collect = &x->collect;
        e = sql_run(q, ec);
        x->db->collect = NULL;
    }
    buf_fini(&match);
    if (e == ERR_OK && x->collect.count > 0)
        qsort(x->collect.heap, x->collect.count, sizeof(struct hit), by_score);
    return e;
}

/* Drop hits whose URL the rules refuse; at most max stay. */
static enum err keep_allowed(struct query *x, size_t max, struct errctx *ec)
{
    struct collect *c = &x->collect;
    struct arena a;
    size_t n = 0;
    enum err e = ERR_OK;

    arena_init(&a, 65536);
    for (size_t i = 0; i < c->count && n < max && e == ERR_OK; i++) {
        bool allowed = false;

        arena_reset(&a);
        e = filter_allows(x->db, x->filter, c->heap[i].passage, &a, &allowed,
                          ec);
        if (e == ERR_OK && allowed)
            c->heap[n++] = c->heap[i];
        if (e == ERR_OK && x->deadline != NULL && i % 64 == 63 &&
            deadline_passed(x->deadline))
            e = err_set(ec, ERR_TIMEOUT, "out of time");
    }
    arena_fini(&a);
    c->count = n;
    return e;
}

/* Until k are found or nothing more matches: look further down the list,
 * then let the more common terms select too. */
static enum err select_candidates(struct query *x, struct errctx *ec)
{
    size_t wanted = x->k > RESCORED ? x->k : RESCORED;
    size_t terms = selecting(x), max = wanted;
    bool urls = filter_needs_urls(x->filter);

    for (;;) {
        enum err e = select_best(x, terms, max, ec);
        bool all = x->collect.count < max;

        if (e == ERR_OK && urls)
            e = keep_allowed(x, wanted, ec);
        if (e != ERR_OK || x->collect.count >= x->k)
            return e;
        if (!all && (int64_t)max * GROWTH < x->passages)
            max *= GROWTH;
        else if (!all)
            max = (size_t)x->passages + 1;
        else if (terms < x->rarest_count)
            terms = x->rarest_count;
        else
            return ERR_OK;
    }
}

/* --- scoring ----------------------------------------------------------- */

/* The terms as texts of one language hold them. */
static enum err rescore_terms(struct query *x, enum lang l,
                              struct rescore_term *list, size_t *n,
                              struct errctx *ec)
{
    enum err e = ERR_OK;

    *n = 0;
    for (size_t i = 0; i < x->count && e == ERR_OK; i++) {
        const struct asked *t = &x->asked[i];
        const char *text = t->text;
        struct term form;

        if (t->all <= 0)
            continue;
        if (t->word != NULL) {
            e = forms_stem(x->db, l, t->word, &form, ec);
            if (e == ERR_OK)
                text = arena_strdup(&x->scratch, form.text);
        }
        if (e == ERR_OK && text == NULL)
            e = ERR_NOMEM;
        if (e == ERR_OK && text[0] != '\0')
            list[(*n)++] = (struct rescore_term){text, (uint32_t)strlen(text),
                                                 t->gain, NULL};
    }
    return e;
}

/* What scores texts of a language, made when the first one comes. */
static enum err rescore_for(struct query *x, enum lang l, struct rescore **out,
                            struct errctx *ec)
{
    struct rescore_term *list;
    struct rescore *r;
    size_t n = 0;
    enum err e;

    l = stemmer_exists(l) ? l : LANG_EN;
    *out = x->rescore[l];
    if (*out != NULL)
        return ERR_OK;
    r = arena_alloc(&x->scratch, sizeof *r);
    list = arena_array(&x->scratch, x->count, sizeof *list);
    if (r == NULL || list == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    e = rescore_terms(x, l, list, &n, ec);
    if (e != ERR_OK)
        return e;
    rescore_init(r, list, n, (double)x->text_bytes / (double)x->passages);
    e = fts_stemmer(x->db, l, &r->stem, ec);
    if (e == ERR_OK)
        *out = x->rescore[l] = r;
    return e;
}

static const char *col_bytes(struct stmt *q, int i, size_t *n)
{
    const void *p = sqlite3_column_text(q->h, i);

    *n = p == NULL ? 0 : (size_t)sqlite3_column_bytes(q->h, i);
    return p == NULL ? "" : p;
}

static enum err score_again(struct query *x, struct hit *h, struct errctx *ec)
{
    struct stmt *q = sql_get(x->db, "SELECT p.title, t.heading, t.text, p.lang"
                                    " FROM passage t, page p"
                                    " WHERE t.id = ?1 AND p.id = t.page");
    struct rescore *r = NULL;
    enum err e;

    sql_int(q, 1, h->passage);
    e = sql_one(q, ec);
    if (e == ERR_OK)
        e = rescore_for(
            x, lang_of_tag((const char *)sqlite3_column_text(q->h, 3)), &r, ec);
    if (e == ERR_OK) {
        size_t tn, hn, xn;
        const char *title = col_bytes(q, 0, &tn);
        const char *heading = col_bytes(q, 1, &hn);
        const char *text = col_bytes(q, 2, &xn);

        h->score = rescore_passage(r, title, tn, heading, hn, text, xn);
    } else if (e == ERR_NOT_FOUND) {
        e = err_set(ec, ERR_DB, "passage %lld is missing",
                    (long long)h->passage);
    }
    sql_end(q);
    return e;
}

static int by_passage(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;

    return x->passage < y->passage ? -1 : x->passage > y->passage;
}

/* In the order of the file, so that passages of one page come together. */
static enum err score_all(struct query *x, struct errctx *ec)
{
    struct collect *c = &x->collect;
    enum err e = ERR_OK;

    if (c->count > 0)
        qsort(c->heap, c->count, sizeof(struct hit), by_passage);
    for (size_t i = 0; i < c->count && e == ERR_OK; i++) {
        e = score_again(x, &c->heap[i], ec);
        if (e == ERR_OK && x->deadline != NULL && i % 64 == 63 &&
            deadline_passed(x->deadline))
            e = err_set(ec, ERR_TIMEOUT, "out of time");
    }
    if (e == ERR_OK && c->count > 0)
        qsort(c->heap, c->count, sizeof(struct hit), by_score);
    return e;
}

/* --- answering --------------------------------------------------------- */

static enum err answer(struct query *x, struct arena *a, struct candidate **out,
                       size_t *out_count, struct errctx *ec)
{
    enum err e = forms_totals(x->db, &x->passages, &x->text_bytes, ec);

    if (e == ERR_OK)
        e = forms_languages(x->db, x->passages, &x->languages, ec);
    if (e == ERR_OK)
        e = weigh(x, ec);
    if (e != ERR_OK)
        return e;
    rank_terms(x);
    if (x->rarest_count == 0 || x->passages == 0)
        return ERR_NO_RESULT;
    e = select_candidates(x, ec);
    if (e == ERR_OK && x->collect.count == 0)
        return ERR_NO_RESULT;
    if (e == ERR_OK)
        e = score_all(x, ec);
    if (e != ERR_OK)
        return e;
    *out_count = x->collect.count < x->k ? x->collect.count : x->k;
    return candidates_read(x->db, x->collect.heap, *out_count, a, out, ec);
}

static int out_of_time(void *deadline)
{
    return deadline_passed(deadline);
}

static enum err answer_in_time(struct query *x, struct arena *a,
                               struct candidate **out, size_t *out_count,
                               struct errctx *ec)
{
    struct deadline d = {0};
    enum err e = db_read_begin(x->db, ec);

    if (e != ERR_OK)
        return e;
    if (x->deadline != NULL) {
        d = *x->deadline;
        sqlite3_progress_handler(x->db->h, OPS_BETWEEN_CHECKS, out_of_time, &d);
    }
    e = answer(x, a, out, out_count, ec);
    sqlite3_progress_handler(x->db->h, 0, NULL, NULL);
    db_read_end(x->db);
    return e;
}

enum err index_query(struct db *index, const struct index_term *terms,
                     size_t count, const struct index_filter *f, size_t k,
                     const struct deadline *d, struct arena *a,
                     struct candidate **out, size_t *out_count,
                     struct errctx *ec)
{
    struct query x = {.db = index, .filter = f, .deadline = d, .k = k};
    struct candidate *list = NULL;
    size_t n = 0;
    enum err e = ERR_OK;

    if (k < 1 || k > K_MAX || count > RESCORE_TERMS_MAX)
        return err_set(ec, ERR_INVALID, "at most %d results for %d terms",
                       K_MAX, RESCORE_TERMS_MAX);
    if (d != NULL && deadline_passed(d))
        return err_set(ec, ERR_TIMEOUT, "out of time");
    arena_init(&x.scratch, 512 << 20);
    x.asked =
        arena_array(&x.scratch, count * (LANG_COUNT + 1), sizeof *x.asked);
    if (x.asked == NULL)
        e = err_set(ec, ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < count && e == ERR_OK; i++)
        add_asked(&x, &terms[i]);
    if (e == ERR_OK)
        e = answer_in_time(&x, a, &list, &n, ec);
    arena_fini(&x.scratch);
    if (e == ERR_NO_RESULT)
        return err_set(ec, e, "nothing in the index matches");
    if (e != ERR_OK)
        return e;
    *out = list;
    *out_count = n;
    return ERR_OK;
}
