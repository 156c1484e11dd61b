/*
 * The words of a question as the index holds them; see forms.h and, for
 * index_df and index_language, page.h.
 */
#include "index/forms.h"
#include "index/page.h"
#include "store/sql.h"

#include <string.h>

enum { RARE_LANGUAGE = 50 }; /* less than one passage in so many */

/* --- counts ------------------------------------------------------------ */

enum err forms_totals(struct db *db, int64_t *passages, int64_t *bytes,
                      struct errctx *ec)
{
    return sql_numbers(sql_get(db, "SELECT passages, text_bytes FROM counter"),
                       (int64_t *[]){passages, bytes}, 2, ec);
}

int64_t forms_df(const struct manifest *v, const struct forms *f)
{
    int64_t sum = 0;

    for (size_t i = 0; i < f->count; i++)
        sum += manifest_find(v, f->text[i], strlen(f->text[i]), NULL);
    return sum;
}

/* --- languages --------------------------------------------------------- */

void forms_languages(const struct manifest *v, int64_t total,
                     struct form_languages *out)
{
    int64_t passages[LANG_COUNT];

    manifest_languages(v, passages);
    *out = (struct form_languages){.most = LANG_EN};
    for (int l = 0; l < LANG_COUNT; l++) {
        if (l == LANG_EN || passages[l] <= 0)
            continue;
        out->all |= 1U << l;
        if (passages[l] * RARE_LANGUAGE >= total)
            out->asked |= 1U << l;
        if (passages[l] * 2 > total)
            out->most = (enum lang)l;
    }
}

enum err forms_stem(struct db *db, enum lang l, const char *word,
                    struct term *out, struct errctx *ec)
{
    struct stemmer *stem;
    struct term_iter it;
    enum err e = shelf_stemmer(db, l, &stem, ec);

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

static enum err terms_known(struct db *db, const struct manifest *v,
                            enum lang l, const struct index_term *terms,
                            size_t count, size_t *known, struct errctx *ec)
{
    enum err e = ERR_OK;

    *known = 0;
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        struct term t;

        if (terms[i].word == NULL)
            continue;
        e = forms_stem(db, l, terms[i].word, &t, ec);
        if (e == ERR_OK && manifest_find(v, t.text, strlen(t.text), NULL) > 0)
            ++*known;
    }
    return e;
}

/* A moment's manifest, the passages and the languages that are asked. */
struct moment {
    struct manifest *view;
    struct form_languages languages;
    int64_t passages;
};

static enum err begin(struct db *db, struct moment *m, struct errctx *ec)
{
    int64_t bytes;
    enum err e = forms_totals(db, &m->passages, &bytes, ec);

    if (e == ERR_OK)
        e = shelf_look(db, &m->view, ec);
    if (e == ERR_OK)
        forms_languages(m->view, m->passages, &m->languages);
    return e;
}

enum err index_language(struct db *index, const struct index_term *terms,
                        size_t count, enum lang *out, struct errctx *ec)
{
    struct moment m;
    unsigned others;
    enum lang found;
    size_t best = 0, known;
    enum err e = begin(index, &m, ec);

    if (e != ERR_OK)
        return e;
    /* Where several know as many, the one that most is written in. */
    found = m.languages.most;
    others = m.languages.asked;
    if (others != 0) {
        others = (others | 1U << LANG_EN) & ~(1U << found);
        e = terms_known(index, m.view, found, terms, count, &best, ec);
    }
    for (int l = 0; l < LANG_COUNT && e == ERR_OK; l++) {
        if (!(others >> l & 1))
            continue;
        e = terms_known(index, m.view, (enum lang)l, terms, count, &known, ec);
        if (e == ERR_OK && known > best) {
            best = known;
            found = (enum lang)l;
        }
    }
    manifest_free(m.view);
    if (e == ERR_OK)
        *out = found;
    return e;
}

enum err index_df(struct db *index, const struct index_term *terms,
                  size_t count, int64_t *df, int64_t *passages,
                  struct errctx *ec)
{
    struct moment m;
    struct forms f;
    enum err e = begin(index, &m, ec);

    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < count && e == ERR_OK; i++) {
        e = forms_read(index, terms[i].text, terms[i].word, m.languages.asked,
                       &f, ec);
        if (e == ERR_OK)
            df[i] = forms_df(m.view, &f);
    }
    manifest_free(m.view);
    *passages = m.passages;
    return e;
}
