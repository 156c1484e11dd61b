/*
 * Asking the index: the question's words as the index holds them, what each
 * weighs, one walk over the postings of every segment (walk.c), and what is
 * told about the best (candidate.c). The words' forms are forms.c, domains and
 * dates sieve.c. See page.h; called by the search room.
 */
#include "index/page.h"

#include "base/log.h"
#include "index/candidate.h"
#include "index/forms.h"
#include "index/rescore.h"
#include "index/walk.h"

#include <math.h>
#include <string.h>

enum { K_MAX = 1000, TRIES = 4, SCRATCH_BYTES = 256 << 20 };

/* A term of the question. */
struct asked {
    const char *text, *word;
    bool other;
    double weight;
    double gain; /* weight times rarity; 0: occurs nowhere */
};

struct query {
    struct db *db;
    const struct index_filter *filter;
    struct arena scratch;
    struct asked *asked; /* in the caller's order, without repetition */
    size_t count;
    struct walk_form *forms; /* of all of them, each text once */
    const char **texts;      /* of the forms */
    size_t form_count;
    struct manifest *view;
    struct form_languages languages;
    int64_t passages;
    struct walk walk;
};

/* --- what is asked ----------------------------------------------------- */

static void add_asked(struct query *x, const struct index_term *t)
{
    if (t->text == NULL || t->text[0] == '\0' || !(t->weight > 0))
        return;
    for (size_t i = 0; i < x->count; i++)
        if (strcmp(x->asked[i].text, t->text) == 0) {
            if (x->asked[i].weight < t->weight)
                x->asked[i].weight = t->weight;
            return;
        }
    x->asked[x->count++] = (struct asked){.text = t->text,
                                          .word = t->word,
                                          .other = t->other,
                                          .weight = t->weight};
}

/* The rarity of BM25, kept above zero. */
static double rarity(int64_t df, int64_t passages)
{
    double n = (double)passages, d = (double)df;

    return log(1 + (n - d + 0.5 < 0.5 ? 0.5 : n - d + 0.5) / (d + 0.5));
}

/* The form with this text, looked up when it is new; NULL: no memory. */
static struct walk_form *form_of(struct query *x, const char *text, int64_t *df)
{
    struct walk_form *f = &x->forms[x->form_count];
    struct seg_term *in;
    const char *copy;

    for (size_t i = 0; i < x->form_count; i++)
        if (strcmp(x->texts[i], text) == 0) {
            *df += x->forms[i].df;
            return &x->forms[i];
        }
    in = arena_array(&x->scratch, x->view->count, sizeof *in);
    copy = arena_strdup(&x->scratch, text);
    if (in == NULL || copy == NULL)
        return NULL;
    f->in = in;
    f->df = manifest_find(x->view, text, strlen(text), in);
    *df += f->df;
    x->texts[x->form_count++] = copy;
    return f;
}

/* The form counts in texts of a language, if nothing asked before does. */
static void counts_in(struct walk_form *f, enum lang l, double gain)
{
    if (f->weight[l] <= 0)
        f->weight[l] = gain;
}

/* In texts of a language counts what the word becomes there, and if it was
 * given without one, its text everywhere. */
static enum err weigh_forms(struct query *x, const struct asked *t,
                            struct errctx *ec)
{
    unsigned languages = x->languages.all | 1U << LANG_EN;
    struct term stem;
    enum err e = ERR_OK;

    for (int l = 0; l < LANG_COUNT && e == ERR_OK; l++) {
        const char *text = t->text;

        if (!(languages >> l & 1))
            continue;
        if (t->word != NULL) {
            e = forms_stem(x->db, (enum lang)l, t->word, &stem, ec);
            text = stem.text;
        }
        for (size_t i = 0; e == ERR_OK && i < x->form_count; i++)
            if (strcmp(x->texts[i], text) == 0)
                counts_in(&x->forms[i], (enum lang)l, t->gain);
    }
    return e;
}

/* What a term weighs is decided by all its forms together. */
static enum err weigh(struct query *x, struct asked *t, struct errctx *ec)
{
    struct forms f;
    int64_t df = 0;
    enum err e =
        forms_read(x->db, t->text, t->word, x->languages.asked, &f, ec);

    for (size_t i = 0; e == ERR_OK && i < f.count; i++)
        if (form_of(x, f.text[i], &df) == NULL)
            e = err_set(ec, ERR_NOMEM, "out of memory");
    if (e != ERR_OK || df == 0)
        return e;
    t->gain = t->weight * rarity(t->other ? 0 : df, x->passages);
    if (!t->other)
        x->walk.weight += t->gain;
    return weigh_forms(x, t, ec);
}

static enum err ready(struct query *x, struct errctx *ec)
{
    size_t forms = x->count * (LANG_COUNT + 1);
    int64_t bytes = 0;
    enum err e = forms_totals(x->db, &x->passages, &bytes, ec);

    if (e != ERR_OK)
        return e;
    if (x->passages == 0)
        return ERR_NO_RESULT;
    x->forms = arena_array(&x->scratch, forms, sizeof *x->forms);
    x->texts = arena_array(&x->scratch, forms, sizeof *x->texts);
    x->walk.heap = arena_array(&x->scratch, x->walk.max, sizeof(struct hit));
    if (arena_failed(&x->scratch))
        return err_set(ec, ERR_NOMEM, "out of memory");
    forms_languages(x->view, x->passages, &x->languages);
    x->form_count = x->walk.count = 0;
    x->walk.weight = 0;
    x->walk.length_avg = (double)bytes / (double)x->passages;
    for (size_t i = 0; i < x->count && e == ERR_OK; i++)
        e = weigh(x, &x->asked[i], ec);
    x->walk.forms = x->forms;
    x->walk.form_count = x->form_count;
    return e == ERR_OK && x->walk.weight <= 0 ? ERR_NO_RESULT : e;
}

/* --- answering --------------------------------------------------------- */

static enum err walk_one(struct query *x, size_t n, struct errctx *ec)
{
    const struct placed *p = &x->view->v[n];
    struct sieve sieve;
    enum err e;

    if (!placed_is_whole(p))
        return ERR_OK;
    e = sieve_init(&sieve, p->s, placed_removed(p), x->filter, &x->scratch, ec);
    if (e == ERR_OK)
        e = walk_segment(&x->walk, p->s, n, &sieve, &x->scratch, ec);
    if (e == ERR_OK && sieve.failed)
        e = err_set(ec, ERR_NOMEM, "out of memory");
    sieve_fini(&sieve);
    return e;
}

/* A segment that turns out damaged on the way takes back what it gave: *lost
 * is how many are now. */
static enum err walk_all(struct query *x, int64_t *lost, struct errctx *ec)
{
    struct manifest_sums sums;
    enum err e = ready(x, ec);

    for (size_t i = 0; i < x->view->count && e == ERR_OK; i++)
        e = walk_one(x, i, ec);
    manifest_sum(x->view, &sums);
    *lost = sums.lost;
    return e;
}

static enum err tell(struct query *x, struct arena *a, struct candidate **out,
                     size_t *out_count, struct errctx *ec)
{
    const struct walk *w = &x->walk;
    struct found *found = arena_array(&x->scratch, w->count, sizeof *found);
    enum err e;

    if (found == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    walk_sort(&x->walk);
    for (size_t i = 0; i < w->count; i++)
        found[i] =
            (struct found){w->heap[i].passage, walk_score(w, w->heap[i].score)};
    e = candidates_read(x->db, found, w->count, a, out, out_count, ec);
    return e == ERR_OK && *out_count < w->count
               ? err_set(ec, ERR_DB, "a passage that was found is missing")
               : e;
}

static enum err answer(struct query *x, enum manifest_mode mode,
                       struct arena *a, struct candidate **out,
                       size_t *out_count, struct errctx *ec)
{
    struct manifest_sums before;
    int64_t lost = 0;
    enum err e = shelf_read(x->db, mode, &x->view, ec);

    if (e != ERR_OK)
        return e;
    manifest_sum(x->view, &before);
    e = walk_all(x, &lost, ec);
    while (lost > before.lost && (e == ERR_OK || e == ERR_NO_RESULT)) {
        log_warn(NULL, "a segment of the index is damaged: its pages are not "
                       "found until cited index optimize");
        before.lost = lost;
        e = walk_all(x, &lost, ec);
    }
    if (e == ERR_OK && x->walk.count == 0)
        e = ERR_NO_RESULT;
    if (e == ERR_OK)
        e = tell(x, a, out, out_count, ec);
    manifest_free(x->view);
    return e;
}

/* A merge may take the files of a manifest away before they are opened. */
static enum err answer_at_last(struct query *x, struct arena *a,
                               struct candidate **out, size_t *out_count,
                               struct errctx *ec)
{
    enum err e = ERR_BUSY;

    for (int i = 1; i <= TRIES && e == ERR_BUSY; i++) {
        enum manifest_mode mode = i < TRIES ? MANIFEST_TRY : MANIFEST_LAST;

        e = db_read_begin(x->db, ec);
        if (e != ERR_OK)
            return e;
        e = answer(x, mode, a, out, out_count, ec);
        db_read_end(x->db);
    }
    return e;
}

enum err index_query(struct db *index, const struct index_term *terms,
                     size_t count, const struct index_filter *f, size_t k,
                     const struct deadline *d, struct arena *a,
                     struct candidate **out, size_t *out_count,
                     struct errctx *ec)
{
    struct query *x;
    struct arena scratch;
    struct candidate *list = NULL;
    size_t n = 0;
    enum err e = ERR_OK;

    if (k < 1 || k > K_MAX || count > RESCORE_TERMS_MAX)
        return err_set(ec, ERR_INVALID, "at most %d results for %d terms",
                       K_MAX, RESCORE_TERMS_MAX);
    if (d != NULL && deadline_passed(d))
        return err_set(ec, ERR_TIMEOUT, "out of time");
    arena_init(&scratch, SCRATCH_BYTES);
    x = arena_alloc(&scratch, sizeof *x);
    if (x == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    x->db = index;
    x->filter = f;
    x->walk.deadline = d;
    x->walk.max = k;
    x->walk.openings = f != NULL && f->openings;
    arena_init(&x->scratch, SCRATCH_BYTES);
    x->asked = arena_array(&x->scratch, count + 1, sizeof *x->asked);
    if (x->asked == NULL)
        e = err_set(ec, ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < count && e == ERR_OK; i++)
        add_asked(x, &terms[i]);
    if (e == ERR_OK)
        e = answer_at_last(x, a, &list, &n, ec);
    arena_fini(&x->scratch);
    arena_fini(&scratch);
    if (e == ERR_NO_RESULT)
        return err_set(ec, e, "nothing in the index matches");
    if (e != ERR_OK)
        return e;
    *out = list;
    *out_count = n;
    return ERR_OK;
}
