/* Other words for a question's terms; see others.h. */
#include "question/others.h"
#include "question/overlap.h"

#include "lang/words.h"
#include "text/terms.h"

#include <string.h>

enum {
    ENGLISH_MAX = 8,    /* others of a question in English */
    COMPOUND_LEAST = 8, /* bytes of a word that may be two, … */
    PART_LEAST = 4,     /* … and of each of these, … */
    PART_KNOWN = 3,     /* … which so many passages hold */
    CUTS_MAX = 24,
    PART_SURE = '8' /* worth of what a part of a compound surely is */
};
/* What a word of a compound is worth beside it, by 101 questions in German. */
static const double PART_WORTH = 0.8;

/* … and its stem in English: nearly the same; not searched for. */
static const double ENGLISH_WORTH = 0.9;
/* What is worth as much says as good as the same. */
static const double SAME_LEAST = 0.5;

static bool is_other(const struct query *q, size_t term, const char *text)
{
    for (size_t i = 0; i < q->other_count; i++)
        if (q->others[i].term == term && strcmp(q->others[i].text, text) == 0)
            return true;
    return false;
}

/* The words near terms[i], the nearest first: "deactiv3 prevent2". A long
 * question has fewer of each. */
static enum err others_of(struct query *q, size_t i)
{
    const char *z = word_near(q->lang, q->terms[i].text);
    size_t most = q->lang == LANG_EN ? ENGLISH_MAX : QUERY_OTHERS_MAX;
    size_t share = most / q->term_count + 1;
    size_t room = most - q->other_count;
    size_t end = q->other_count + (room < share ? room : share);

    while (z != NULL && *z != '\0' && q->other_count < end) {
        size_t n = strcspn(z, "0123456789");
        const char *stem = arena_strndup(q->arena, z, n);

        if (stem == NULL)
            return ERR_NOMEM;
        if (query_term(q, stem) == 0 && !is_other(q, i, stem))
            q->others[q->other_count++] =
                (struct query_other){stem, i, (z[n] - '0') / 10.0, false};
        z += n + 1;
        z += strspn(z, " ");
    }
    return ERR_OK;
}

/* --- compounds -------------------------------------------------------------
 */

/* A place where a compound may be cut. */
struct cut {
    struct term head, tail; /* stems of what is in front and behind */
};

/* The places where the word may be cut into two words that are no stop words;
 * returns how many. */
static size_t cuts_read(const struct query *q, const char *word,
                        struct cut *out)
{
    size_t n = strlen(word), count = 0;

    for (size_t at = PART_LEAST; at + PART_LEAST <= n && count < CUTS_MAX;
         at++) {
        struct cut *c = &out[count];
        struct term_iter it;

        if (((unsigned char)word[at] & 0xC0) == 0x80 ||
            lang_is_stop(q->lang, word, at) ||
            lang_is_stop(q->lang, word + at, n - at))
            continue;
        terms_init_with(&it, q->stem, word, at);
        if (!terms_next(&it, &c->head))
            continue;
        terms_init_with(&it, q->stem, word + at, n - at);
        count += terms_next(&it, &c->tail);
    }
    return count;
}

/* How sure it is what a part of a compound is in English, of 9; 0: it is not.
 */
static int part_sure(const struct query *q, const struct term *part)
{
    const char *z = word_near(q->lang, part->text);
    size_t n = z == NULL ? 0 : strcspn(z, "0123456789");

    return n > 0 && z[n] >= PART_SURE ? z[n] - '0' : 0;
}

/* The nearest word of what has one. */
static const char *nearest_of(struct query *q, const struct term *part)
{
    const char *z = word_near(q->lang, part->text);

    return arena_strndup(q->arena, z, strcspn(z, "0123456789"));
}

/* What both parts of a compound are in English, where the surest cut tells
 * that and the word has no English of its own. */
static void parts_say(struct query *q, size_t i, const struct cut *cuts,
                      size_t count, const char **part)
{
    const struct cut *best = NULL;
    int most = 0;

    if (word_near(q->lang, q->terms[i].text) != NULL)
        return;
    for (size_t k = 0; k < count; k++) {
        int head = part_sure(q, &cuts[k].head);
        int tail = part_sure(q, &cuts[k].tail);

        if (head > 0 && tail > 0 && head + tail > most) {
            most = head + tail;
            best = &cuts[k];
        }
    }
    if (best == NULL)
        return;
    part[0] = nearest_of(q, &best->head);
    part[1] = nearest_of(q, &best->tail);
}

/* The two words of a compound, as the index knows them best: "Fenstermanager"
 * is said in other ways, too. Where it knows none, what they are in English. */
static enum err compound_read(struct query *q, size_t i, struct db *index,
                              struct errctx *ec)
{
    struct cut cuts[CUTS_MAX];
    struct index_term terms[2 * CUTS_MAX];
    int64_t df[2 * CUTS_MAX], total = 0, most = PART_KNOWN - 1;
    size_t count = cuts_read(q, q->words[i], cuts), best = count;
    const char *part[2] = {NULL, NULL};
    enum err e;

    for (size_t k = 0; k < count; k++) {
        terms[2 * k] = (struct index_term){.text = cuts[k].head.text};
        terms[2 * k + 1] = (struct index_term){.text = cuts[k].tail.text};
    }
    if (count == 0)
        return ERR_OK;
    e = index_df(index, terms, 2 * count, df, &total, ec);
    for (size_t k = 0; e == ERR_OK && k < count; k++) {
        int64_t least = df[2 * k] < df[2 * k + 1] ? df[2 * k] : df[2 * k + 1];

        if (least > most) {
            most = least;
            best = k;
        }
    }
    if (e == ERR_OK && best < count) {
        part[0] = arena_strdup(q->arena, cuts[best].head.text);
        part[1] = arena_strdup(q->arena, cuts[best].tail.text);
    } else if (e == ERR_OK) {
        parts_say(q, i, cuts, count, part);
    }
    if (arena_failed(q->arena))
        return ERR_NOMEM;
    if (e != ERR_OK || part[0] == NULL)
        return e;
    for (size_t k = 0; k < 2 && q->other_count + 2 - k <= QUERY_OTHERS_MAX; k++)
        q->others[q->other_count++] =
            (struct query_other){part[k], i, PART_WORTH, true};
    return ERR_OK;
}

static enum err compounds_read(struct query *q, struct db *index,
                               struct errctx *ec)
{
    const struct question_words *k = question_words_of(q->lang);
    enum err e = ERR_OK;

    for (size_t i = 0;
         e == ERR_OK && k != NULL && k->compounds && i < q->term_count; i++)
        if (!(q->signs >> i & 1) && strlen(q->words[i]) >= COMPOUND_LEAST)
            e = compound_read(q, i, index, ec);
    return e;
}

/* A word as a page in English has it: much is called so in all languages
 * ("prune", "Cluster"), and pages are found by the stems of their own. */
static enum err english_read(struct query *q, size_t i)
{
    struct term_iter it;
    struct term t;
    const char *stem;

    terms_init_with(&it, NULL, q->words[i], strlen(q->words[i]));
    if (q->other_count == QUERY_OTHERS_MAX || !terms_next(&it, &t) ||
        query_term(q, t.text) != 0 || is_other(q, i, t.text))
        return ERR_OK;
    stem = arena_strdup(q->arena, t.text);
    if (stem == NULL)
        return ERR_NOMEM;
    q->others[q->other_count++] =
        (struct query_other){stem, i, ENGLISH_WORTH, false};
    return ERR_OK;
}

/* A term that no page holds (a verb that was joined counts as nothing then) is
 * as rare as the nearest of its others that some do, where that says the same:
 * a question of another language than the pages'. */
static void terms_say(struct query *q, const double *rarity)
{
    for (size_t i = 0; i < q->term_count; i++) {
        double most = SAME_LEAST, own = q->rarity[i];
        bool held = own > 0 && own < 1;

        for (size_t k = 0; !held && k < q->other_count; k++)
            if (q->others[k].term == i && !q->others[k].part &&
                q->others[k].worth >= most && rarity[k] < 1) {
                most = q->others[k].worth;
                own = rarity[k];
            }
        q->rarity[i] = own;
    }
}

/* What is commoner than the term itself is worth less; what no page holds,
 * nothing. */
static enum err others_weigh(struct query *q, struct db *index,
                             struct errctx *ec)
{
    struct index_term terms[QUERY_OTHERS_MAX];
    int64_t df[QUERY_OTHERS_MAX], total = 0;
    double rarity[QUERY_OTHERS_MAX];
    size_t kept = 0;
    enum err e;

    for (size_t i = 0; i < q->other_count; i++)
        terms[i] = (struct index_term){.text = q->others[i].text};
    e = index_df(index, terms, q->other_count, df, &total, ec);
    for (size_t i = 0; e == ERR_OK && i < q->other_count; i++)
        rarity[i] = overlap_rarity(df[i], total);
    if (e == ERR_OK && q->lang != LANG_EN)
        terms_say(q, rarity);
    for (size_t i = 0; e == ERR_OK && i < q->other_count; i++) {
        struct query_other o = q->others[i];
        double own = q->rarity[o.term];

        if (df[i] == 0)
            continue;
        if (rarity[i] < own)
            o.worth *= rarity[i] / own;
        q->others[kept++] = o;
    }
    q->other_count = kept;
    return e;
}

enum err others_read(struct query *q, struct db *index, struct errctx *ec)
{
    enum err e = ERR_OK;

    q->other_count = 0;
    q->others = arena_array(q->arena, QUERY_OTHERS_MAX, sizeof(*q->others));
    if (q->others == NULL)
        return ERR_NOMEM;
    e = compounds_read(q, index, ec);
    for (size_t i = 0; e == ERR_OK && i < q->term_count; i++)
        if (!(q->names >> i & 1))
            e = others_of(q, i);
    for (size_t i = 0; e == ERR_OK && q->lang != LANG_EN && i < q->term_count;
         i++)
        e = english_read(q, i);
    if (e == ERR_OK && q->other_count > 0)
        e = others_weigh(q, index, ec);
    for (size_t i = 0; i < q->other_count; i++)
        if (q->others[i].part)
            term_starts_add(&q->starts, q->others[i].text);
    q->kin = q->starts;
    for (size_t i = 0; i < q->other_count; i++)
        if (other_is_kin(&q->others[i]))
            term_starts_add(&q->kin, q->others[i].text);
    return e;
}
