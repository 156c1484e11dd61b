/*
 * The words of a question as the index holds them; see forms.h and, for
 * index_df and index_language, page.h.
 */
#include "index/forms.h"
#include "store/fts.h"
#include "index/page.h"
#include "store/sql.h"

#include <string.h>

enum { RARE_LANGUAGE = 50 }; /* less than one passage in so many */

/* --- document counts --------------------------------------------------- */

enum err forms_totals(struct db *db, int64_t *passages, int64_t *bytes,
                      struct errctx *ec)
{
    struct stmt *q = sql_get(db, "SELECT passages, text_bytes FROM counter");
    enum err e = sql_one(q, ec);

    if (e == ERR_OK) {
        *passages = sql_col_int(q, 0);
        *bytes = sql_col_int(q, 1);
    }
    sql_end(q);
    return e;
}

enum err forms_df_of(struct db *db, const char *term, int64_t *df,
                     struct errctx *ec)
{
    struct stmt *q = sql_get(db, "SELECT df FROM term WHERE term = ?1");
    bool row = false;
    enum err e;

    sql_text(q, 1, term);
    e = sql_step(q, &row, ec);
    if (e == ERR_OK)
        *df = row ? sql_col_int(q, 0) : 0;
    sql_end(q);
    return e;
}

/* --- languages --------------------------------------------------------- */

enum err forms_languages(struct db *db, int64_t total, unsigned *out,
                         struct errctx *ec)
{
    int64_t passages[LANG_COUNT] = {0};
    unsigned all = 0, some = 0;
    enum err e = fts_languages(db, &all, passages, ec);

    if (e != ERR_OK)
        return e;
    for (int l = 0; l < LANG_COUNT; l++)
        if ((all >> l & 1) && passages[l] * RARE_LANGUAGE >= total)
            some |= 1u << l;
    *out = some;
    return ERR_OK;
}

enum err forms_stem(struct db *db, enum lang l, const char *word,
                    struct term *out, struct errctx *ec)
{
    struct stemmer *stem;
    struct term_iter it;
    enum err e = fts_stemmer(db, l, &stem, ec);

    if (e != ERR_OK)
        return e;
    terms_init_with(&it, stem, word, strlen(word));
    if (!terms_next(&it, out))
        out->text[0] = '\0';
    return ERR_OK;
}

static void forms_add(struct forms *f, const char *text)
{
    size_t n = strlen(text);

    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->text[i], text) == 0)
            return;
    if (n > 0 && n <= TERM_MAX)
        memcpy(f->text[f->count++], text, n + 1);
}

enum err forms_read(struct db *db, const char *text, const char *word,
                    unsigned languages, struct forms *out, struct errctx *ec)
{
    struct term t;
    enum err e = ERR_OK;

    out->count = 0;
    forms_add(out, text);
    languages |= 1u << LANG_EN;
    for (int l = 0; l < LANG_COUNT && word != NULL && e == ERR_OK; l++) {
        if (!(languages >> l & 1))
            continue;
        e = forms_stem(db, (enum lang)l, word, &t, ec);
        if (e == ERR_OK)
            forms_add(out, t.text);
    }
    return e;
}

enum err forms_df(struct db *db, const struct forms *f, int64_t *df,
                  struct errctx *ec)
{
    int64_t sum = 0, one = 0;
    enum err e = ERR_OK;

    for (size_t i = 0; i < f->count && e == ERR_OK; i++) {
        e = forms_df_of(db, f->text[i], &one, ec);
        sum += one;
    }
    if (e == ERR_OK)
        *df = sum;
    return e;
}

static enum err terms_known(struct db *db, enum lang l,
                            const struct index_term *terms, size_t count,
                            size_t *known, struct errctx *ec)
{
    enum err e = ERR_OK;

    *known = 0;
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        int64_t df = 0;
        struct term t;

        if (terms[i].word == NULL)
            continue;
        e = forms_stem(db, l, terms[i].word, &t, ec);
        if (e == ERR_OK)
            e = forms_df_of(db, t.text, &df, ec);
        *known += df > 0 ? 1 : 0;
    }
    return e;
}

enum err index_language(struct db *index, const struct index_term *terms,
                        size_t count, enum lang *out, struct errctx *ec)
{
    int64_t total = 0, bytes;
    unsigned languages = 0;
    enum lang found = LANG_EN;
    size_t best = 0, known;
    enum err e = db_read_begin(index, ec);

    if (e != ERR_OK)
        return e;
    e = forms_totals(index, &total, &bytes, ec);
    if (e == ERR_OK)
        e = forms_languages(index, total, &languages, ec);
    if (e == ERR_OK && languages != 0)
        e = terms_known(index, LANG_EN, terms, count, &best, ec);
    for (int l = 0; l < LANG_COUNT && e == ERR_OK; l++) {
        if (!(languages >> l & 1))
            continue;
        e = terms_known(index, (enum lang)l, terms, count, &known, ec);
        if (e == ERR_OK && known > best) {
            best = known;
            found = (enum lang)l;
        }
    }
    db_read_end(index);
    if (e == ERR_OK)
        *out = found;
    return e;
}

enum err index_df(struct db *index, const struct index_term *terms,
                  size_t count, int64_t *df, int64_t *passages,
                  struct errctx *ec)
{
    int64_t bytes = 0;
    unsigned languages = 0;
    struct forms f;
    enum err e = db_read_begin(index, ec);

    if (e != ERR_OK)
        return e;
    e = forms_totals(index, passages, &bytes, ec);
    if (e == ERR_OK)
        e = forms_languages(index, *passages, &languages, ec);
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        e = forms_read(index, terms[i].text, terms[i].word, languages, &f, ec);
        if (e == ERR_OK)
            e = forms_df(index, &f, &df[i], ec);
    }
    db_read_end(index);
    return e;
}
