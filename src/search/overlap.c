/* Term sets of a question; see overlap.h. Pure but for overlap_weigh. */
#include "search/overlap.h"

#include "base/str.h"
#include "text/terms.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const double RARITY_MIN = 0.12; /* also a common word counts a little */

/* "popul(ation)" and "popular", "regul(ation)" and "regular" only look
 * alike: the longer one goes on with "ar" behind "ul". */
static bool is_adjective_of(const char *x, const char *y, size_t n)
{
    const char *rest = x[n] == '\0' ? y + n : x + n;

    return (x[n] == '\0' || y[n] == '\0') && memcmp(x + n - 2, "ul", 2) == 0 &&
           strncmp(rest, "ar", 2) == 0;
}

/* "invade" and "invasion", "expand" and "expansion", "defend" and "defense":
 * stems that differ in a last d, t or s. */
static bool is_noun_of(const char *x, const char *y, size_t n, size_t nx,
                       size_t ny)
{
    return n >= 4 && nx == n + 1 && ny == n + 1 &&
           ((strchr("dt", x[n]) != NULL && y[n] == 's') ||
            (strchr("dt", y[n]) != NULL && x[n] == 's'));
}

/* At least five bytes in common, and little else. */
static bool is_family(const char *x, const char *y)
{
    size_t n = 0, nx = strlen(x), ny = strlen(y);
    size_t least = nx < ny ? nx : ny;

    while (n < least && x[n] == y[n])
        n++;
    if (n >= 5 && n + 2 >= least && (nx > ny ? nx : ny) <= n + 4)
        return !is_adjective_of(x, y, n);
    return is_noun_of(x, y, n, nx, ny);
}

enum { ACRONYM_MAX = sizeof(((struct overlap_acronym *)0)->text) - 1 };

static uint64_t term_mask(const struct query *q, const char *term, bool loose)
{
    uint64_t mask = 0;

    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->terms[i].text, term) == 0 ||
            (loose && is_family(q->terms[i].text, term)))
            mask |= (uint64_t)1 << i;
    return mask;
}

/* Stemming is what costs, and it never changes a word's first byte: only
 * tokens that begin like a term are stemmed. */
static uint64_t mask_of(const struct query *q, const char *p, size_t n,
                        bool loose)
{
    struct term_iter it, again;
    struct term t;
    uint64_t mask = 0, all = overlap_all(q);
    bool first[256] = {false};

    for (size_t i = 0; i < q->term_count; i++)
        first[(unsigned char)q->terms[i].text[0]] = true;
    terms_init(&it, p, n);
    again = it;
    while (mask != all && tokens_next(&it, &t)) {
        if (first[(unsigned char)t.text[0]] && terms_next(&again, &t))
            mask |= term_mask(q, t.text, loose);
        again = it;
    }
    return mask;
}

/* Words that say nearly the same, forms of irregular verbs, a country and its
 * people, numbers in words: what no stemmer brings together. Stems are
 * compared. */
static const char *const kin[] = {
    "win won winner winning victory",
    "begin began begun start commence",
    "write wrote written author",
    "lead led leader head",
    "build built construct erect",
    "buy bought purchase acquire",
    "sell sold sale",
    "die died death dead",
    "kill killed murder assassinate slaughter massacre",
    "born birth",
    "make made produce create",
    "give gave given provide supply",
    "take took taken",
    "get got obtain receive",
    "become became",
    "come came arrive",
    "grow grew grown growth increase",
    "rise rose risen increase",
    "fall fell fallen decrease decline",
    "reduce decrease lower diminish",
    "fight fought battle war",
    "lose lost loss",
    "leave left depart",
    "hold held",
    "find found discover",
    "keep kept maintain retain",
    "speak spoke spoken",
    "teach taught",
    "think thought believe",
    "send sent",
    "spend spent",
    "choose chose chosen choice select elect",
    "draw drew drawn",
    "fly flew flown flight",
    "know knew known",
    "meet met meeting",
    "pay paid payment",
    "run ran",
    "say said state",
    "see saw seen",
    "seek sought",
    "stand stood",
    "break broke broken",
    "freeze froze frozen",
    "feed fed eat ate eaten food",
    "name called known",
    "big large huge",
    "country nation",
    "city town",
    "film movie",
    "job occupation profession career",
    "pupil student",
    "doctor physician",
    "car automobile vehicle",
    "stop end cease finish halt",
    "show demonstrate",
    "cause lead result",
    "marry married wife husband spouse",
    "live lived reside inhabit",
    "end ended conclude",
    "capture seize conquer",
    "permit allow",
    "main major primary principal chief",
    "area region territory",
    "inhabitant resident population people",
    "illness disease sickness",
    "use used utilize employ",
    "help assist aid support",
    "let allow permit",
    "need require necessary",
    "change alter modify",
    "show display",
    "remove delete drop",
    "quick fast rapid",
    "invent invention",
    "found founded establish",
    "price cost expensive",
    "suggest propose",
    "coin coined introduce",
    "forbid forbidden prohibit ban",
    "attack assault",
    "destroy destruction demolish",
    "defend defence defense protect",
    "defeat beat beaten overcome",
    "rule ruler king emperor monarch reign",
    "job work employment",
    "begin origin beginning",
    "begin first",
    "majority most",
    "amount quantity",
    "earn income wage salary",
    "rich wealthy wealth",
    "poor poverty",
    "child children kid",
    "woman women female",
    "man men male",
    "old age",
    "young youth",
    "study research investigate",
    "scientist researcher",
    "test experiment trial",
    "show reveal indicate",
    "happen occur",
    "affect effect influence impact",
    "important significant importance",
    "near close",
    "show evidence",
    "house home",
    "ship boat vessel",
    "school college university",
    "goal aim purpose objective",
    "idea concept notion",
    "rule law regulation",
    "agreement treaty pact",
    "religion faith belief",
    "church religious",
    "army military troops soldiers forces",
    "enemy opponent",
    "king queen royal",
    "money fund finance financial",
    "company firm corporation business",
    "join member",
    "divide split division",
    "separate apart",
    "similar like",
    "different difference differ",
    "opposite contrary",
    "component part consist",
    "contain include comprise",
    "kind type sort",
    "way method",
    "group team",
    "begin launch",
    "return came",
    "move migrate relocate",
    "travel journey",
    "visit tour",
    "carry transport",
    "connect link join",
    "located situated",
    "surround border",
    "measure measurement",
    "estimate approximately",
    "average mean",
    "popular famous",
    "common widespread frequent",
    "fail failure",
    "succeed success successful",
    "try attempt",
    "ask request",
    "answer respond reply",
    "refuse reject deny",
    "accept approve adopt",
    "oppose against opposition",
    "win award prize",
    "describe characterize",
    "translate translation",
    "publish release issue",
    "perform play",
    "sing sung song singer",
    "record album",
    "design architect",
    "paint painter painting",
    "britain british uk",
    "france french",
    "poland polish",
    "spain spanish",
    "china chinese",
    "england english",
    "scotland scottish",
    "netherlands dutch",
    "greece greek",
    "ireland irish",
    "wales welsh",
    "denmark danish",
    "sweden swedish",
    "switzerland swiss",
    "norway norwegian",
    "portugal portuguese",
    "rome roman",
    "1 one first",
    "2 two second",
    "3 three third",
    "4 four fourth",
    "5 five fifth",
    "6 six sixth",
    "7 seven seventh",
    "8 eight eighth",
    "9 nine ninth",
    "10 ten tenth",
    "12 twelve",
    "20 twenty"};

static bool stem_next(const char **at, char *out, size_t max)
{
    size_t n;

    *at += strspn(*at, " ");
    n = strcspn(*at, " ");
    if (n == 0 || n >= max)
        return false;
    memcpy(out, *at, n);
    *at += n;
    n = term_stem(out, n);
    out[n] = '\0';
    return true;
}

/* Add the kin of terms[i] in one group, if it is there. */
static size_t group_add(const struct query *q, size_t i, const char *group,
                        struct overlap_alias *out, size_t n)
{
    char stem[24];
    const char *at = group;
    bool member = false;

    while (!member && stem_next(&at, stem, sizeof(stem)))
        member = strcmp(stem, q->terms[i].text) == 0;
    at = group;
    while (member && n < OVERLAP_ALIASES_MAX &&
           stem_next(&at, stem, sizeof(stem)))
        if (strcmp(stem, q->terms[i].text) != 0) {
            out[n].term = (unsigned char)i;
            memcpy(out[n++].stem, stem, sizeof(stem));
        }
    return n;
}

/* The first letters of names that stand side by side in the question:
 * "European Union" is "EU" too. */
static void acronyms_read(const struct query *q, struct overlap_kin *out)
{
    for (size_t i = 0; i < q->term_count; i++) {
        char z[ACRONYM_MAX + 1];
        size_t n = 0;

        while (i + n < q->term_count && n < ACRONYM_MAX &&
               (q->names >> (i + n) & 1) &&
               ascii_is_alpha(q->words[i + n][0])) {
            z[n] = q->words[i + n][0];
            n++;
            z[n] = '\0';
            if (n < 2 || out->acronym_count == OVERLAP_ACRONYMS_MAX)
                continue;
            memcpy(out->acronyms[out->acronym_count].text, z, n + 1);
            out->acronyms[out->acronym_count].first = (unsigned char)i;
            out->acronyms[out->acronym_count++].n = (unsigned char)n;
        }
    }
}

void overlap_kin_read(const struct query *q, struct overlap_kin *out)
{
    out->count = 0;
    out->acronym_count = 0;
    acronyms_read(q, out);
    for (size_t i = 0; i < q->term_count; i++)
        for (size_t k = 0; k < sizeof(kin) / sizeof(kin[0]); k++)
            out->count = group_add(q, i, kin[k], out->v, out->count);
}

/* The term a stemmed token is; a word of its family or kin when it is none. */
static bool hit_find(const struct query *q, const struct overlap_kin *kin_of_q,
                     const char *term, struct overlap_hit *h)
{
    h->loose = false;
    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->terms[i].text, term) == 0) {
            h->term = (unsigned char)i;
            return true;
        }
    h->loose = true;
    for (size_t i = 0; i < q->term_count; i++)
        if (is_family(q->terms[i].text, term)) {
            h->term = (unsigned char)i;
            return true;
        }
    for (size_t i = 0; i < kin_of_q->count; i++)
        if (strcmp(kin_of_q->v[i].stem, term) == 0) {
            h->term = kin_of_q->v[i].term;
            return true;
        }
    return false;
}

static bool ascii_is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

/* A token that is an acronym of the question's names: a hit for each. */
static size_t acronym_hits(const struct overlap_kin *k, const char *p,
                           const struct term *t, size_t at,
                           struct overlap_hit *out, size_t max)
{
    size_t count = 0;

    if (t->len > ACRONYM_MAX || ascii_is_lower(p[t->start]) ||
        ascii_is_lower(p[t->end - 1]))
        return 0;
    for (size_t i = 0; count == 0 && i < k->acronym_count; i++)
        for (size_t w = 0; strcmp(k->acronyms[i].text, t->text) == 0 &&
                           w < k->acronyms[i].n && count < max;
             w++)
            out[count++] = (struct overlap_hit){
                .term = (unsigned char)(k->acronyms[i].first + w),
                .loose = true,
                .at = (unsigned short)at};
    return count;
}

size_t overlap_hits(const struct query *q, const struct overlap_kin *k,
                    const char *p, size_t n, struct overlap_hit *out,
                    size_t max, size_t *tokens)
{
    struct term_iter it, again;
    struct term t;
    size_t count = 0, at = 0;
    bool first[256] = {false};

    for (size_t i = 0; i < q->term_count; i++)
        first[(unsigned char)q->terms[i].text[0]] = true;
    for (size_t i = 0; i < k->count; i++)
        first[(unsigned char)k->v[i].stem[0]] = true;
    terms_init(&it, p, n);
    again = it;
    for (; tokens_next(&it, &t); at++, again = it) {
        if (count == max || at >= USHRT_MAX ||
            !first[(unsigned char)t.text[0]] || !terms_next(&again, &t))
            continue;
        if (hit_find(q, k, t.text, &out[count]))
            out[count++].at = (unsigned short)at;
        else
            count += acronym_hits(k, p, &t, at, out + count, max - count);
    }
    *tokens = at;
    return count;
}

uint64_t overlap_mask(const struct query *q, const char *p, size_t n)
{
    return mask_of(q, p, n, false);
}

uint64_t overlap_mask_loose(const struct query *q, const char *p, size_t n)
{
    return mask_of(q, p, n, true);
}

double overlap_weight(const struct query *q, uint64_t mask)
{
    double sum = 0;

    for (size_t i = 0; i < q->term_count; i++)
        if (mask >> i & 1)
            sum += q->terms[i].weight * q->rarity[i];
    return sum;
}

uint64_t overlap_all(const struct query *q)
{
    if (q->term_count >= QUERY_TERMS_MAX)
        return UINT64_MAX;
    return ((uint64_t)1 << q->term_count) - 1;
}

double overlap_share(const struct query *q, uint64_t mask)
{
    double all = overlap_weight(q, overlap_all(q));

    return all > 0 ? overlap_weight(q, mask) / all : 0;
}

/* The probabilistic inverse document frequency (Robertson and Sparck Jones,
 * 1976, in the form that is never negative), relative to that of a term
 * nobody holds. */
static double rarity_of(int64_t df, int64_t total)
{
    double n = (double)(total > 0 ? total : 1);
    double d = (double)(df < 0 ? 0 : df > total ? total : df);
    double top = log(1.0 + (n + 0.5) / 0.5);
    double r = log(1.0 + (n - d + 0.5) / (d + 0.5)) / top;

    return r < RARITY_MIN ? RARITY_MIN : r;
}

void overlap_set_rarity(struct query *q, const int64_t *df, int64_t total)
{
    for (size_t i = 0; i < q->term_count; i++)
        /* A spelling nobody uses is not a thing that is missing. */
        q->rarity[i] =
            (q->pairs >> i & 1) && df[i] <= 0 ? 0 : rarity_of(df[i], total);
    q->weighed = true;
}

enum err overlap_weigh(struct query *q, struct db *index, struct errctx *ec)
{
    int64_t df[QUERY_TERMS_MAX], total = 0;
    enum err e;

    if (q->term_count == 0)
        return ERR_OK;
    e = index_df(index, q->terms, q->term_count, df, &total, ec);
    if (e == ERR_OK)
        overlap_set_rarity(q, df, total);
    return e;
}
