/*
 * Units of pages; see units.h. A page is read once: which terms of the
 * question each of its blocks holds, and where. What is said of a unit is
 * counted from that. Called by answer_units.c and the tool that fits weights.
 */
#include "answer/unit_list.h"
#include "answer/weights.h"
#include "base/str.h"
#include "find/meaning_find.h"
#include "question/evidence.h"
#include "question/identifier.h"
#include "question/overlap.h"
#include "text/page_class.h"
#include "text/passage.h"
#include "text/terms.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    HITS_MAX = 256,
    LEAD_TOKENS = 25,
    OPENING_TOKENS = 4,
    ENOUGH_WORDS = 45, /* a unit of so many ends before a paragraph */
    SHORT_WORDS = 15,
    ALONE_WORDS = 5,
    REFERENCE_WORDS = 12, /* of an entry that is one */
    TERM_BYTES = 100,     /* of an entry, in a path of headings */
    ENTRY_BYTES = 80,
    RUN_FULL = 8,
    QUESTION_TOKENS = 40,
    IDENTIFIERS_MAX = 8,
    TITLE_TOKENS = 20,
    CLOSELY = 64,      /* units of an answer that are looked at closely, … */
    CLOSELY_LONG = 96, /* … of a report or a value */
    NEAR_READ = 40,    /* passages of a page without vectors */
    MET_BYTES = 2048,
    MET_LEAVES_MS = 1000, /* for what comes behind */
    UNITS_MAX = 20000,
    PARTS_MAX = 20000
};

static const double EXTENT_FROM = 250, EXTENT_TO = 60000;
static const double ROUNDING = 1e-9;
/* Of an answer what stands first below a heading that is the question, by its
 * words in a row, and so was written to answer it, is worth more than what the
 * weights say, which were learned from questions that no heading is. */
static const double ASKED_WORTH = 3;
/* … and so is the place of what the question names. */
static const double NAMED_WORTH = 2;

const double SURE_SPREAD = 1.25;

const char *const feature_names[FEATURE_COUNT] = {
#define FEATURE(name, sentence) #name,
#include "answer/features.def"
#undef FEATURE
};

/* Of a page, read when the first of its units is. */
struct looks {
    bool read;
    enum page_class class;
    double titled;
    double absent; /* share of the identifiers asked about it does not write */
};

struct reader {
    const struct query *q;
    const struct found_page *pages;
    size_t page_count;
    struct arena *a;
    struct units *u;
    size_t size, added, last; /* part that was added last */
    double least;             /* score: what has less is not kept */
    enum unit_grain grain;
    size_t closely;      /* units that are looked at so */
    bool outlined;       /* the page at hand */
    bool glossary;       /* … says what words mean */
    struct looks *looks; /* of each page */
    double *near;        /* of each page, its nearest passage */
    double nearest;
    struct str name[IDENTIFIERS_MAX]; /* the question's identifiers */
    size_t name_count;
    double unknown;
    double extent;     /* of the index */
    bool asks_changes; /* the question does */
    size_t words_max;
    double all;                       /* weight of the question */
    double w[QUERY_TERMS_MAX];        /* of its terms */
    uint64_t alike[QUERY_TERMS_MAX];  /* terms that may share a family */
    double (*local)[QUERY_TERMS_MAX]; /* … on each page */
    double quick[FEATURE_COUNT];      /* of a unit that may never be read */
    struct term token[QUESTION_TOKENS];
    size_t tokens;
    struct term_starts starts; /* of these */
};

/* --- parts --------------------------------------------------------------- */

struct part_list {
    struct part *v;
    size_t count, size;
    size_t expected;
};

static void part_count_terms(struct reader *r, struct part *p)
{
    struct overlap_hit hits[HITS_MAX];
    size_t tokens, n = overlap_hits(r->q, p->c->text + p->start, p->len, hits,
                                    HITS_MAX, &tokens);

    p->words = unit_words(tokens);
    p->crowded = n == HITS_MAX || tokens >= USHRT_MAX;
    if ((p->kind == 'i' || p->kind == 'j') &&
        r->q->type == ANSWER_DEFINITION)
        p->entry = evidence_label(r->q, p->c->text + p->start, p->len);
    for (size_t i = 0; i < n; i++) {
        uint64_t bit = (uint64_t)1 << hits[i].term;

        if (hits[i].loose) {
            p->loose |= bit;
            continue;
        }
        p->mask |= bit;
        if (p->times[hits[i].term] < 255)
            p->times[hits[i].term]++;
        if (hits[i].at < LEAD_TOKENS)
            p->lead |= bit;
        p->opens |= hits[i].at < OPENING_TOKENS && (r->q->about & bit) != 0;
    }
    p->loose |= p->mask;
}

/* A paragraph whose sentence does not end runs on into the listing or the list
 * behind it: "then run"; another one may speak of it: "the following command".
 * One in an entry has nothing to say of the next entry: "Changed in 1.5". */
static void announce(const struct reader *r, struct part *before,
                     const struct part *p)
{
    const char *z = before->c->text + before->start;
    char last = z[before->len - 1];

    if (before->kind != 'p' || p->kind == 'p' ||
        before->section != p->section ||
        (before->inside && p->kind == 'i'))
        return;
    before->announces = ascii_is_alnum(last) || last == ',';
    before->points =
        !part_ends_open(before) &&
        tokens_have(z, before->len, phrase(r->q->lang, PHRASE_POINTING));
}

static enum err part_add(struct reader *r, struct part_list *l, struct part p)
{
    while (p.len > 0 && ascii_is_space(p.c->text[p.start + p.len - 1]))
        p.len--;
    if (p.len == 0 || l->count == PARTS_MAX)
        return ERR_OK;
    if (!arena_grow(r->a, &l->v, l->count, l->count > 0 ? 1 : l->expected,
                    &l->size, sizeof(*l->v)))
        return ERR_NOMEM;
    p.times = arena_array(r->a, r->q->term_count + 1, 1);
    if (p.times == NULL)
        return ERR_NOMEM;
    part_count_terms(r, &p);
    if (l->count > 0)
        announce(r, &l->v[l->count - 1], &p);
    l->v[l->count++] = p;
    return ERR_OK;
}

/* Of a passage whose blocks nobody noted: its lines. */
static enum err lines_add(struct reader *r, struct part_list *l, struct part p)
{
    const char *z = p.c->text;
    enum err e = ERR_OK;

    p.kind = 'p';
    for (size_t at = 0; e == ERR_OK && z[at] != '\0';) {
        p.start = at;
        p.len = strcspn(z + at, "\n");
        at += p.len + (z[at + p.len] == '\n' ? 1 : 0);
        e = part_add(r, l, p);
        p.at++;
    }
    return e;
}

/* What of the question the headings say that a part stands under. */
struct unit_label {
    uint64_t heading, path;
    double headed, topic;
};

/* The words of a label that are the question's, of all. */
static double precision_of(const struct reader *r, const char *z, size_t n)
{
    struct overlap_hit hits[HITS_MAX];
    size_t tokens, k = overlap_hits(r->q, z, n, hits, HITS_MAX, &tokens);

    return tokens > 0 ? (double)k / (double)tokens : 0;
}

static const struct unit_label *label_of(const struct reader *r, const char *h)
{
    struct str last = str_of(heading_last(h));
    struct unit_label *l = arena_alloc(r->a, sizeof(*l));

    if (l != NULL)
        *l = (struct unit_label){overlap_mask_loose(r->q, last.p, last.n),
                                 overlap_mask_loose(r->q, h, strlen(h)),
                                 precision_of(r, last.p, last.n),
                                 overlap_topic(r->q, last.p, last.n)};
    return l;
}

/* A passage's heading is that of its beginning; what stands in an entry that
 * begins in it, or behind the one it begins in, has another. */
struct path {
    struct str entry; /* the term of what is open; none: n is 0 */
    bool left;        /* the entry that the passage begins in is closed */
    const char *inside, *outside; /* NULL: not made yet */
    const struct unit_label *inside_label, *outside_label;
};

/* The term of the item of a list that is no part of another. */
static struct str term_of(const char *z, size_t n)
{
    size_t term = passage_term(z, n, TERM_BYTES);

    while (n > 0 && ascii_is_space(z[n - 1]))
        n--;
    if (term == 0 && n > 1 && n <= TERM_BYTES && z[n - 1] == ':')
        term = n - 1;
    return (struct str){z, term};
}

/* The heading and the label of the part, and what it leaves to those behind it
 * in its passage. */
static enum err path_read(const struct reader *r, struct path *path,
                          const struct passage_part *part, struct part *p)
{
    bool item = part->kind == 'i' && !part->goes_on;
    bool within = part->kind == 'j' || part->inside;

    if (item) {
        path->entry = term_of(p->c->text + part->start, part->len);
        path->left = true;
        path->inside = NULL;
    } else if (part->kind == 'p' && !within) {
        path->entry.n = 0;
        path->left = true;
    }
    if (within && path->entry.n > 0) {
        if (path->inside == NULL) {
            path->inside = heading_within(p->c->heading, path->entry.p,
                                          path->entry.n, r->a);
            path->inside_label =
                path->inside == NULL ? NULL : label_of(r, path->inside);
        }
        p->heading = path->inside;
        p->label = path->inside_label;
    } else if (path->left) {
        if (path->outside == NULL) {
            path->outside =
                arena_strndup(r->a, p->c->heading,
                              heading_section(p->c->heading));
            path->outside_label =
                path->outside == NULL ? NULL : label_of(r, path->outside);
        }
        p->heading = path->outside;
        p->label = path->outside_label;
    }
    return p->heading == NULL || p->label == NULL ? ERR_NOMEM : ERR_OK;
}

static enum err passage_add(struct reader *r, struct part_list *l,
                            struct part p)
{
    const char *z = p.c->parts == NULL ? "" : p.c->parts;
    const struct unit_label *label = p.label;
    size_t n = strlen(p.c->text);
    struct passage_part part;
    struct path path = {0};
    enum err e = ERR_OK;

    p.heading = p.c->heading;
    if (*z == '\0')
        return lines_add(r, l, p);
    if (heading_section(p.c->heading) == strlen(p.c->heading)) {
        path.outside = p.c->heading;
        path.outside_label = label;
    }
    while (e == ERR_OK && passage_part_next(&z, n, &part)) {
        p.heading = p.c->heading;
        p.label = label;
        e = path_read(r, &path, &part, &p);
        if (e != ERR_OK)
            break;
        p.kind = part.kind;
        p.start = part.start;
        p.len = part.len;
        p.goes_on = part.goes_on;
        p.inside = part.inside;
        p.links = part.links;
        p.number = part.number;
        e = part_add(r, l, p);
        p.at++;
    }
    return e;
}

/* About how many parts a passage has. */
static size_t parts_of(const struct candidate *c)
{
    bool noted = c->parts != NULL && c->parts[0] != '\0';
    size_t n = 1;

    for (const char *z = noted ? c->parts : c->text; *z != '\0'; z++)
        n += noted ? *z >= 'a' && *z <= 'z' : *z == '\n';
    return n;
}

static enum err page_parts(struct reader *r, size_t page)
{
    const struct found_page *g = &r->pages[page];
    const struct unit_label *label = NULL;
    struct part_list l = {.expected = 1};
    size_t section = 0, first = 0;
    enum err e = ERR_OK;

    for (size_t i = 0; i < g->count; i++)
        l.expected += parts_of(&g->passages[i]);
    for (size_t i = 0; e == ERR_OK && i < g->count; i++) {
        const struct candidate *c = &g->passages[i];
        bool other = i == 0 || strcmp(c->heading, c[-1].heading) != 0;

        if (i > 0 && (!heading_same_section(c->heading, c[-1].heading) ||
                      c->seq != c[-1].seq + 1)) {
            section++;
            first = l.count;
        }
        if (other)
            label = label_of(r, c->heading);
        if (label == NULL)
            return ERR_NOMEM;
        e = passage_add(r, &l,
                        (struct part){.c = c,
                                      .section = section,
                                      .at = l.count - first,
                                      .label = label});
    }
    r->u->parts[page] = l.v;
    r->u->part_count[page] = l.count;
    return e;
}

/* --- units --------------------------------------------------------------- */

/* How many blocks begin in a passage. */
static size_t blocks_of(const struct candidate *c)
{
    const char *z = c->parts == NULL || c->parts[0] == '\0' ? "p" : c->parts;
    size_t n = 0;

    for (; *z != '\0'; z++)
        n +=
            *z >= 'a' && *z <= 'z' && z[1 + strspn(z + 1, "0123456789")] != '+';
    return n;
}

bool page_is_outlined(const struct found_page *g)
{
    size_t blocks = 0;

    for (size_t i = 0; i < g->count; i++) {
        blocks += blocks_of(&g->passages[i]);
        if (g->passages[i].heading[0] != '\0')
            return true;
    }
    return blocks > 1;
}

static void masks_read(const struct reader *r, struct unit *x);
static void quick_read(const struct reader *r, struct unit *x);

/* Unless enough others are better. */
static enum err unit_add(struct reader *r, struct unit x)
{
    struct units *u = r->u;

    if (r->added == UNITS_MAX)
        return ERR_OK;
    r->added++;
    r->last = x.to;
    x.v = r->quick;
    masks_read(r, &x);
    quick_read(r, &x);
    if (x.score < r->least)
        return ERR_OK;
    if (!arena_grow(r->a, &u->v, u->count, 1, &r->size, sizeof(*u->v)))
        return ERR_NOMEM;
    u->v[u->count++] = x;
    return ERR_OK;
}

/* A sentence, read for all the windows it is in. */
struct sentence {
    size_t start, len, words;
    uint64_t mask, loose;
};

static enum err sentences_read(const struct reader *r, const struct part *p,
                               struct sentence **out, size_t *n)
{
    struct span *s = NULL;
    enum err e = sentences_split(p->c->text + p->start, p->len, r->a, &s, n);

    if (e != ERR_OK)
        return e;
    *out = arena_array(r->a, *n + 1, sizeof(**out));
    if (*out == NULL)
        return ERR_NOMEM;
    for (size_t k = 0; k < *n; k++) {
        struct sentence *x = &(*out)[k];
        size_t tokens;

        x->start = p->start + s[k].start;
        x->len = s[k].len;
        x->mask = overlap_masks(r->q, p->c->text + x->start, x->len, &x->loose,
                                &tokens);
        x->words = unit_words(tokens);
    }
    return ERR_OK;
}

static void window_extend(struct unit *x, const struct sentence *s)
{
    x->len = s->start + s->len - x->start;
    x->words += s->words;
    x->mask |= s->mask;
    x->loose |= s->loose;
}

/* Is nothing in the part good enough to be looked at closely? Not even all its
 * words in one unit would be. */
static bool is_behind(struct reader *r, size_t page, size_t i)
{
    const struct part *p = &r->u->parts[page][i];
    struct unit x = {.page = page,
                     .from = i,
                     .to = i,
                     .start = p->start,
                     .words = p->words,
                     .mask = p->mask,
                     .loose = p->loose,
                     .lead = p->mask,
                     .v = r->quick};

    if (p->crowded)
        return false;
    for (size_t k = 0; k < r->q->term_count; k++)
        if (p->loose >> k & 1)
            x.loose |= r->alike[k];
    quick_read(r, &x);
    return x.score + ROUNDING < r->least;
}

/* Contiguous sentences of a part that is too long. Of a page without an
 * outline all there are: nothing but words tells there where to begin. */
static enum err windows_add(struct reader *r, size_t page, size_t i)
{
    struct sentence *s = NULL;
    size_t n = 0;
    enum err e = sentences_read(r, &r->u->parts[page][i], &s, &n);

    for (size_t from = 0, last = 0; e == ERR_OK && from < n && last < n;) {
        size_t to = from;
        struct unit x = {
            .page = page, .from = i, .to = i, .start = s[from].start};

        window_extend(&x, &s[from]);
        while (to + 1 < n && x.words + s[to + 1].words <= r->words_max)
            window_extend(&x, &s[++to]);
        e = unit_add(r, x);
        last = r->outlined ? to + 1 : from + 1;
        from = !r->outlined || to == from ? from + 1 : (from + to + 1) / 2;
    }
    return e;
}

bool part_ends_open(const struct part *p)
{
    return p->announces ||
           (p->len > 0 && p->c->text[p->start + p->len - 1] == ':');
}

bool part_leads_on(const struct part *p)
{
    return p->points || part_ends_open(p);
}

/* Parts from i on, as many as belong together and are not too long. */
static enum err run_add(struct reader *r, size_t page, size_t i)
{
    const struct part *v = r->u->parts[page];
    size_t n = r->u->part_count[page], to = i, words = v[i].words;
    struct unit x = {.page = page, .from = i};
    enum err e = ERR_OK;

    while (to + 1 < n && v[to + 1].section == v[i].section &&
           words + v[to + 1].words <= r->words_max) {
        if (words >= ENOUGH_WORDS && v[to + 1].kind == 'p' &&
            !part_leads_on(&v[to]) && !v[to + 1].goes_on)
            break;
        /* The next entry defines something else, or is no part of what is
         * said inside this one. A report may have what an inner list ends
         * with together with it. */
        if (v[to + 1].kind == 'i' &&
            (v[i].entry > 0 || v[i].inside ||
             (v[i].kind == 'j' && (r->grain == UNIT_WHOLE ||
                                   v[i].heading != v[i].c->heading))))
            break;
        words += v[++to].words;
    }
    while (to > i && v[to].kind == 'i' && part_ends_open(&v[to]))
        words -= v[to--].words; /* what it leads to has no room */
    x.to = to;
    x.start = v[i].start;
    x.len = v[i].len;
    x.words = words;
    if (r->q->type == ANSWER_LIST && r->grain == UNIT_WHOLE && r->outlined)
        e = unit_list_read(r->u->parts[page], n, &x, r->a);
    return e == ERR_OK ? unit_add(r, x) : e;
}

/* A row or an entry says something by itself. */
static enum err alone_add(struct reader *r, size_t page, size_t i)
{
    const struct part *p = &r->u->parts[page][i];
    struct unit x = {.page = page, .from = i, .to = i};

    if ((p->kind != 'r' && p->kind != 'i') || p->words < ALONE_WORDS ||
        r->last == i)
        return ERR_OK; /* it is there already */
    x.start = p->start;
    x.len = p->len;
    x.words = p->words;
    return unit_add(r, x);
}

static bool is_fact(enum answer_type t)
{
    return t == ANSWER_PERSON || t == ANSWER_DATE || t == ANSWER_PLACE ||
           t == ANSWER_NUMBER;
}

static size_t words_max_of(const struct reader *r)
{
    bool is_long = r->grain == UNIT_LONG;

    if (r->grain == UNIT_SENTENCES)
        return 0;
    if (!r->outlined)
        return UNIT_WORDS_PLAIN;
    if (is_fact(r->q->type))
        return is_long ? UNIT_WORDS_LONG_FACT : UNIT_WORDS_FACT;
    if (r->q->type == ANSWER_LIST && !is_long)
        return UNIT_WORDS_LIST;
    return is_long ? UNIT_WORDS_LONG : UNIT_WORDS;
}

/* Is one of the words in the page's title? */
static bool titled_with(const struct found_page *g, enum lang l, enum phrase p)
{
    struct token_run words;

    token_run_read(&words, g->c->title, strlen(g->c->title), TITLE_TOKENS);
    for (size_t i = 0; i < words.n; i++)
        if (word_in(words.t[i].text, phrase(l, p)))
            return true;
    return false;
}

/* How rare each term is among the parts of the page. */
static void local_read(struct reader *r, size_t page)
{
    const struct part *v = r->u->parts[page];
    double n = (double)r->u->part_count[page];

    for (size_t k = 0; k < r->q->term_count; k++) {
        double df = 0;

        for (size_t i = 0; i < r->u->part_count[page]; i++)
            df += (double)(v[i].mask >> k & 1);
        r->local[page][k] =
            r->w[k] * log(1 + (n - df + 0.5) / (df + 0.5)) / log(2 + n);
    }
}

/* Does the paragraph only say where more is told, or the entry where its term
 * is: "GIL: See global interpreter lock."? It answers nothing; one that leads on
 * has what it points to behind it. */
static bool is_reference(const struct reader *r, const struct part *p)
{
    const char *z = p->c->text + p->start;
    size_t term = term_of(z, p->len).n, at = term == 0 ? 0 : term + 2;
    struct term_iter it;
    struct term t;

    if ((p->kind != 'i' && p->kind != 'p') || p->words > REFERENCE_WORDS ||
        at > p->len || part_leads_on(p))
        return false;
    terms_init(&it, z + at, p->len - at);
    return tokens_next(&it, &t) &&
           word_in(t.text, phrase(r->q->lang, PHRASE_SEEING));
}

static enum err page_units(struct reader *r, size_t page)
{
    const struct part *v = r->u->parts[page];
    enum err e = ERR_OK;

    r->glossary = titled_with(&r->pages[page], r->q->lang, PHRASE_DEFINING);
    local_read(r, page);
    r->outlined = page_is_outlined(&r->pages[page]);
    r->words_max = words_max_of(r);
    for (size_t i = 0; e == ERR_OK && i < r->u->part_count[page]; i++) {
        if (is_reference(r, &v[i]))
            continue;
        if (v[i].words <= r->words_max || v[i].kind == 'c')
            e = run_add(r, page, i);
        else if (is_behind(r, page, i))
            continue;
        else
            e = windows_add(r, page, i);
        if (e == ERR_OK)
            e = alone_add(r, page, i);
    }
    return e;
}

/* --- features ------------------------------------------------------------ */

static double weight_of(const struct reader *r, const double *w, uint64_t mask)
{
    double sum = 0;

    for (size_t i = 0; i < r->q->term_count; i++)
        if (mask >> i & 1)
            sum += w[i];
    return sum;
}

static double share_of(const struct reader *r, uint64_t mask)
{
    return r->all > 0 ? weight_of(r, r->w, mask) / r->all : 0;
}

/* Which terms a unit holds; of a window they are known. */
static void masks_read(const struct reader *r, struct unit *x)
{
    const struct part *v = r->u->parts[x->page];

    if (x->from == x->to && x->len < v[x->from].len) {
        x->lead = x->mask;
        return;
    }
    x->mask = x->loose = 0;
    for (size_t i = x->from; i <= x->to; i++) {
        x->mask |= v[i].mask;
        x->loose |= v[i].loose;
    }
    x->lead = v[x->from].lead;
}

/* Cheap ones: of masks only. */
static void quick_read(const struct reader *r, struct unit *x)
{
    const struct found_page *g = &r->pages[x->page];
    const struct part *v = r->u->parts[x->page];
    const struct unit_label *l = v[x->from].label;
    uint64_t near = x->loose | l->path | g->title;
    double often = 0, topic = 0, nearest = 0;

    for (size_t k = 0; k < r->q->term_count; k++) {
        size_t times = 0;

        if ((x->mask >> k & 1) == 0)
            continue;
        for (size_t i = x->from; i <= x->to; i++)
            times += v[i].times[k];
        often += r->w[k] * (double)times / ((double)times + 1.5);
    }
    for (size_t i = x->from; r->u->by != MEANT_BY_NOTHING && i <= x->to; i++) {
        double its = v[i].c->near != 0 ? v[i].c->near : r->near[x->page];

        nearest = its > nearest ? its : nearest;
    }
    if (r->u->by != MEANT_BY_NOTHING) {
        x->v[FEATURE_NEAR] = nearest;
        x->v[FEATURE_NEAR_PAGE] = r->near[x->page];
        x->v[FEATURE_NEAR_BEST] = r->nearest;
    }
    x->v[FEATURE_OWN] = share_of(r, x->mask);
    x->v[FEATURE_LOCAL] =
        r->all > 0 ? weight_of(r, r->local[x->page], x->mask) / r->all : 0;
    x->v[FEATURE_LOOSE] = share_of(r, x->loose & ~x->mask);
    x->v[FEATURE_OFTEN] = r->all > 0 ? often / r->all : 0;
    x->v[FEATURE_LEAD] = share_of(r, x->lead);
    x->v[FEATURE_HEADING] = share_of(r, l->heading);
    x->v[FEATURE_HEADED] = l->headed;
    x->v[FEATURE_PATH] = share_of(r, l->path | g->title);
    x->v[FEATURE_COVERED] = share_of(r, near);
    x->v[FEATURE_UNNAMED] = weight_of(r, r->w, r->q->names & ~near) / 3;
    x->v[FEATURE_MISSING] = weight_of(r, r->w, overlap_all(r->q) & ~near) / 5;
    if (r->q->type == ANSWER_DEFINITION) {
        const struct part *p = &v[x->from];
        bool whole = x->start == p->start;

        topic = fmax(0, l->topic) / (1 + (double)p->at);
        x->v[FEATURE_TOPIC] =
            !whole ? 0
                   : g->topic /
                         (1 + (double)x->from + 3 * (double)g->passages[0].seq);
        x->v[FEATURE_SECTION] = whole ? topic : 0;
        x->v[FEATURE_ENTRY] = whole ? p->entry : 0;
        topic = whole ? fmax(topic, p->entry) : 0;
        x->v[FEATURE_GLOSSARY] = r->glossary ? topic : 0;
        topic = fmax(topic, x->v[FEATURE_TOPIC]);
    }
    x->score = x->v[FEATURE_OWN] + x->v[FEATURE_COVERED] + 2 * topic +
               (x->start == v[x->from].start && v[x->from].opens ? 0.5 : 0) +
               0.5 * (x->v[FEATURE_LEAD] + x->v[FEATURE_HEADED] +
                      x->v[FEATURE_LOOSE] + x->v[FEATURE_OFTEN]) -
               (x->words < SHORT_WORDS ? 0.3 : 0) + 2 * x->v[FEATURE_NEAR];
}

static size_t range_of(const struct reader *r, const struct unit *x,
                       const char **p)
{
    const struct part *v = r->u->parts[x->page];

    *p = v[x->from].c->text + x->start;
    if (x->from == x->to)
        return x->len;
    /* Its last part may stand in a later passage: what is in the first. */
    for (size_t i = x->to;; i--)
        if (v[i].c == v[x->from].c)
            return v[i].start + v[i].len - x->start;
}

/* The longest run of the question's words in a text; *tokens, all its words;
 * *pairs, which of the question's follow each other in it. */
static size_t run_of(const struct reader *r, const char *p, size_t n,
                     size_t *tokens, uint64_t *pairs)
{
    struct term_iter it;
    struct term t;
    size_t run[QUESTION_TOKENS + 1] = {0}, best = 0;

    *pairs = 0;
    terms_init_with(&it, r->q->stem, p, n);
    for (*tokens = 0;; ++*tokens) {
        size_t skipped = tokens_skip(&it, &r->starts);

        *tokens += skipped;
        if (!tokens_next(&it, &t))
            break;
        if (skipped > 0 || !term_starts_may(&r->starts, &t))
            memset(run, 0, sizeof run);
        if (!term_starts_may(&r->starts, &t))
            continue;
        token_stem(&it, &t);
        for (size_t k = r->tokens; k > 0; k--) {
            run[k] = r->token[k - 1].len == t.len &&
                             memcmp(r->token[k - 1].text, t.text, t.len) == 0
                         ? run[k - 1] + 1
                         : 0;
            if (run[k] > best)
                best = run[k];
            if (run[k] >= 2)
                *pairs |= (uint64_t)1 << k;
        }
    }
    return best;
}

static void words_read(const struct reader *r, struct unit *x, const char *p,
                       size_t n)
{
    const struct part *v = &r->u->parts[x->page][x->from];
    const char *h = heading_last(v->heading);
    uint64_t pairs;
    size_t tokens, best = run_of(r, p, n, &tokens, &pairs);

    for (uint64_t m = pairs; m != 0; m &= m - 1)
        x->v[FEATURE_PAIRS] += 1;
    x->v[FEATURE_PAIRS] /= r->tokens > 1 ? (double)(r->tokens - 1) : 1;
    x->v[FEATURE_RUN] = fmin(1, (double)best / RUN_FULL);
    if (v->at > 0 || x->start != v->start)
        return;
    best = run_of(r, h, strlen(h), &tokens, &pairs);
    tokens = tokens > r->tokens ? tokens : r->tokens;
    x->v[FEATURE_ASKED] = tokens > 0 ? (double)best / (double)tokens : 0;
}

uint64_t unit_labelled(const struct query *q, const char *p, size_t n)
{
    size_t term = passage_told(p, n, ENTRY_BYTES);

    return term == 0 ? 0 : overlap_mask_loose(q, p, term);
}

/* How well the best sentence or row from..from + len of a part says what is
 * asked for: what looks like it beside the question's terms. */
static double told_in(const struct reader *r, const struct part *p,
                      uint64_t context, size_t start, size_t len)
{
    const char *z = p->c->text + start;
    struct span whole = {0, len}, *s = &whole;
    double best = 0;
    size_t n = 1;

    if (p->kind == 'c' && r->q->type == ANSWER_DEFINITION)
        return 0;
    if (p->kind == 'p' && sentences_split(z, len, r->a, &s, &n) != ERR_OK)
        return 0;
    for (size_t i = 0; i < n; i++) {
        const char *at = z + s[i].start;
        double told = r->q->type == ANSWER_YESNO
                          ? evidence_decides(r->q, at, s[i].len)
                          : evidence_of(r->q, at, s[i].len);
        uint64_t own = told > 0 ? overlap_mask_loose(r->q, at, s[i].len) : 0;
        double near = share_of(r, own | context);

        /* The context alone says nothing of it. */
        told *= near * near * (own == 0 ? 0.5 : 1);
        best = told > best ? told : best;
    }
    return best;
}

static double told_of(struct reader *r, const struct unit *x)
{
    struct part *v = r->u->parts[x->page];
    const struct found_page *g = &r->pages[x->page];
    double best = 0;

    for (size_t i = x->from; i <= x->to; i++) {
        uint64_t context = g->title | g->host | v[i].label->path;
        double told;

        if (x->from == x->to && x->len < v[i].len) {
            told = told_in(r, &v[i], context, x->start, x->len);
        } else {
            if (!v[i].is_told)
                v[i].told = told_in(r, &v[i], context, v[i].start, v[i].len);
            v[i].is_told = true;
            told = v[i].told;
        }
        best = told > best ? told : best;
    }
    return best;
}

static bool has_value(enum answer_type t)
{
    return t == ANSWER_PERSON || t == ANSWER_DATE || t == ANSWER_PLACE ||
           t == ANSWER_NUMBER || t == ANSWER_DEFINITION || t == ANSWER_REASON;
}

/* Of the sides of a comparison beyond the first, the share that the unit names.
 */
static double sides_said(const struct reader *r, const struct unit *x)
{
    const struct query *q = r->q;
    size_t said = 0;

    for (size_t i = 0; i < q->side_count; i++)
        said += weight_of(r, r->w, x->loose & q->side_terms[i]) >=
                weight_of(r, r->w, q->side_terms[i]) / 2;
    return said > 1 ? (double)(said - 1) / (double)(q->side_count - 1) : 0;
}

static void form_read(struct reader *r, struct unit *x, const char *p, size_t n)
{
    const struct part *v = r->u->parts[x->page];
    enum answer_type t = r->q->type;
    double told = evidence_of(r->q, p, n);
    size_t items = 0, code = 0;

    for (size_t i = x->from; i <= x->to; i++) {
        items += v[i].kind == 'i' || v[i].kind == 'j';
        code += v[i].kind == 'c';
    }
    if (v[x->from].kind == 'i' || v[x->from].kind == 'j')
        x->v[FEATURE_LABEL] = share_of(r, unit_labelled(r->q, p, n));
    x->v[t == ANSWER_DEFINITION ? FEATURE_DEFINES
         : t == ANSWER_REASON   ? FEATURE_REASON
                                : FEATURE_TYPE] = told;
    x->v[FEATURE_TOLD] = has_value(t) ? told_of(r, x) : 0;
    x->v[FEATURE_DECIDES] = t == ANSWER_YESNO ? told_of(r, x) : 0;
    x->v[FEATURE_INTRODUCES] =
        t == ANSWER_DEFINITION && x->from == 0 && v[0].c->seq == 0 ? told : 0;
    x->v[FEATURE_STEPS] = t == ANSWER_HOWTO && (code > 0 || items > 1);
    x->v[FEATURE_LISTS] = t == ANSWER_LIST && items > 1;
    x->v[FEATURE_SIDES] = sides_said(r, x);
    x->v[FEATURE_CODE] = code > 0;
    x->v[FEATURE_ITEMS] = items > 1;
    x->v[FEATURE_ITEM] = v[x->from].kind == 'i';
    x->v[FEATURE_ROWS] = v[x->from].kind == 'r';
    x->v[FEATURE_CODED] = v[x->from].kind == 'c';
    x->v[FEATURE_PROSE] = evidence_prose(p, n);
    x->v[FEATURE_ITSELF] = evidence_itself(r->q, p, n);
}

/* What kind of page its passages make it. */
static enum page_class class_of(const struct found_page *g)
{
    struct page_shape shape = {0};

    for (size_t i = 0; i < g->count; i++)
        page_shape_add(&shape, g->passages[i].heading, g->passages[i].text,
                       g->passages[i].parts);
    return page_shape_class(&shape, g->c->title);
}

static double absent_of(const struct reader *r, const struct found_page *g)
{
    size_t absent = 0;

    for (size_t k = 0; k < r->name_count; k++) {
        struct str s = r->name[k];
        size_t i = 0;

        while (i < g->count &&
               !identifier_in(s, g->passages[i].text,
                              strlen(g->passages[i].text)) &&
               !identifier_in(s, g->passages[i].heading,
                              strlen(g->passages[i].heading)))
            i++;
        absent += i == g->count;
    }
    return absent == 0 ? 0 : (double)absent / (double)r->name_count;
}

/* *known: one of its passages has a vector. */
static double near_of(const struct found_page *g, bool *known)
{
    double near = 0;

    *known = false;
    for (size_t i = 0; i < g->count; i++) {
        near = fmax(near, g->passages[i].near);
        *known = *known || g->passages[i].near != 0;
    }
    return near;
}

/* The same of a page that has none, by what it says. */
static enum err near_by_words(const struct reader *r,
                              const struct found_page *g, double *near)
{
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < g->count && i < NEAR_READ; i++) {
        const char *text = g->passages[i].text;
        struct met met;

        e = meaning_meet(r->q, text, strlen(text), &met);
        *near = fmax(*near, met.whole);
    }
    return e;
}

static const struct looks *looks_of(const struct reader *r, size_t page)
{
    struct looks *l = &r->looks[page];
    const char *title = r->pages[page].c->title;

    if (!l->read)
        *l = (struct looks){true, class_of(&r->pages[page]),
                            precision_of(r, title, strlen(title)),
                            absent_of(r, &r->pages[page])};
    return l;
}

/* Is it mostly the text of links? */
static bool is_linked(const struct reader *r, const struct unit *x)
{
    size_t linked = 0, words = 0;

    for (size_t i = x->from; i <= x->to; i++) {
        const struct part *p = &r->u->parts[x->page][i];

        words += p->words;
        linked += p->links ? p->words : 0;
    }
    return linked * 2 > words;
}

static void place_read(const struct reader *r, struct unit *x)
{
    const struct found_page *g = &r->pages[x->page];
    const struct part *p = &r->u->parts[x->page][x->from];
    const struct looks *l = looks_of(r, x->page);
    bool whole = x->start == p->start;

    if (r->grain != UNIT_SENTENCES) { /* a value may stand anywhere */
        x->v[FEATURE_OPENS] = whole && p->at == 0;
        x->v[FEATURE_BEGINS] = whole && x->from == 0 && p->c->seq == 0;
        x->v[FEATURE_EARLY] =
            1 / (1 + (double)(x->from + 3 * (size_t)g->passages[0].seq) / 5);
        x->v[FEATURE_LENGTH] = fmin(1, (double)x->words / 100);
        x->v[FEATURE_SHORT] = x->words < SHORT_WORDS;
    }
    x->v[FEATURE_SELECTED] = g->best;
    x->v[FEATURE_POOLED] = g->three;
    x->v[FEATURE_FIRST] = x->page == 0;
    x->v[FEATURE_TITLE] = share_of(r, g->title);
    x->v[FEATURE_TITLED] = l->titled;
    x->v[FEATURE_HOST] = g->host != 0;
    x->v[FEATURE_SPREAD] = share_of(r, g->all);
    x->v[FEATURE_SIZE] = log(1 + (double)g->c->page_bytes / 700) / 5;
    x->v[FEATURE_LISTING] = l->class == PAGE_LINKS ||
                            l->class == PAGE_SOURCES || is_linked(r, x);
    x->v[FEATURE_ASIDE] =
        l->class == PAGE_CODE || (l->class == PAGE_CHANGES && !r->asks_changes);
    x->v[FEATURE_ABSENT] = l->absent;
    x->v[FEATURE_UNKNOWN] = r->unknown;
    x->v[FEATURE_EXTENT] = r->extent;
}

/* What a unit says, as far as it is compared with the question. */
static size_t text_of(const struct units *u, const struct unit *x, char *out,
                      size_t size)
{
    const struct part *v = u->parts[x->page];
    size_t n = 0, start, len;

    for (size_t i = x->from; i <= unit_end(x); i++) {
        if (n == size || !unit_says(u, x, i, &start, &len))
            continue;
        len = len < size - n ? len : size - n;
        memcpy(out + n, v[i].c->text + start, len);
        n += len;
        if (n < size)
            out[n++] = '\n';
    }
    return n;
}

/* How near it is to the question by vectors of words, which read a part once
 * for all the units that say it. */
static enum err unit_meet_words(const struct reader *r, const struct unit *x,
                                struct met *out)
{
    struct part *v = r->u->parts[x->page];
    float *said = meaning_said(r->q, r->a);
    size_t start, len;

    for (size_t i = x->from; said != NULL && i <= unit_end(x); i++) {
        struct part *p = &v[i];

        if (!unit_says(r->u, x, i, &start, &len))
            continue;
        if (start != p->start || len != p->len) {
            meaning_say(r->q, p->c->text + start, len, said);
            continue;
        }
        if (p->said == NULL && (p->said = meaning_said(r->q, r->a)) != NULL)
            meaning_say(r->q, p->c->text + start, len, p->said);
        if (p->said != NULL)
            meaning_say_too(r->q, p->said, said);
    }
    if (arena_failed(r->a))
        return ERR_NOMEM;
    *out = meaning_met(r->q, said);
    return ERR_OK;
}

/* … by the encoder. */
static enum err unit_meet(const struct reader *r, const struct unit *x,
                          struct met *out)
{
    char text[MET_BYTES];

    return meaning_meet(r->q, text, text_of(r->u, x, text, sizeof text), out);
}

/* Is it the entry, or below the heading, of what the question names? */
static bool is_named(const struct reader *r, const struct unit *x)
{
    const struct part *p = &r->u->parts[x->page][x->from];
    const char *z = p->c->text + p->start, *h = heading_last(p->heading);
    size_t term = p->kind == 'i' || p->kind == 'j'
                      ? passage_told(z, p->len, ENTRY_BYTES)
                      : 0;

    return identifier_heads(r->q->text, term > 0 ? z : h,
                            term > 0 ? term : strlen(h));
}

static enum err closely_read(struct reader *r, struct unit *x)
{
    const char *p;
    size_t n = range_of(r, x, &p);
    const struct weights *w = weights_of(r->u->by);
    struct met met = {0, 0};
    enum err e = ERR_OK;

    x->v = arena_array(r->a, FEATURE_COUNT, sizeof(*x->v));
    if (x->v == NULL)
        return ERR_NOMEM;
    quick_read(r, x);
    words_read(r, x, p, n);
    form_read(r, x, p, n);
    place_read(r, x);
    if (r->u->by == MEANT_BY_WORDS)
        e = unit_meet_words(r, x, &met);
    x->v[FEATURE_SOFT] = met.words;
    x->v[FEATURE_ALIKE] = met.whole;
    x->v[FEATURE_SURE] = x->v[FEATURE_SURE_PAGE] = 0;
    x->score = 0;
    for (size_t k = 0; k < FEATURE_COUNT; k++)
        x->score += w->answers[k] * x->v[k];
    for (size_t k = 0; r->q->type == ANSWER_DEFINITION && k < FEATURE_COUNT;
         k++)
        x->score += w->defines[k] * x->v[k];
    if (r->grain == UNIT_WHOLE && x->v[FEATURE_ASKED] >= 1)
        x->score += ASKED_WORTH;
    if (r->grain == UNIT_WHOLE && is_named(r, x))
        x->score += NAMED_WORTH;
    return e;
}

/* --- all -----------------------------------------------------------------
 */

static int by_score(const void *x, const void *y)
{
    const struct unit *a = x, *b = y;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    if (a->page != b->page)
        return a->page < b->page ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

double unit_chance(const struct units *u, const struct unit *x, double spread)
{
    return exp((x->score - u->v[0].score) / spread);
}

/* Have the best units read by the encoder. What is not read may be as far as
 * the farthest of those that are. */
static enum err units_meet(const struct reader *r, const struct deadline *d)
{
    const struct weights *w = weights_of(MEANT_BY_ENCODER);
    struct units *u = r->u;
    double least = 1, worth = w->answers[FEATURE_MET];
    size_t n = 0;

    for (; n < u->count && n < UNITS_MET; n++) {
        struct met met;
        enum err e;

        if (deadline_left(d) < MET_LEAVES_MS)
            break;
        e = unit_meet(r, &u->v[n], &met);
        if (e != ERR_OK)
            return e;
        u->v[n].v[FEATURE_MET] = met.words;
        least = fmin(least, met.words);
    }
    if (r->q->type == ANSWER_DEFINITION)
        worth += w->defines[FEATURE_MET];
    for (size_t i = 0; n > 0 && i < u->count; i++)
        u->v[i].score += worth * (i < n ? u->v[i].v[FEATURE_MET] : least);
    return ERR_OK;
}

void units_sort(struct units *u)
{
    struct unit *best = &u->v[0];
    double all = 0, page = 0;

    qsort(u->v, u->count, sizeof(*u->v), by_score);
    for (size_t i = 0; i < u->count; i++) {
        double chance = unit_chance(u, &u->v[i], SURE_SPREAD);

        all += chance;
        page += u->v[i].page == best->page ? chance : 0;
    }
    best->v[FEATURE_SURE] = -log(all);
    best->v[FEATURE_SURE_PAGE] = page / all;
}

/* Keep those that will be looked at closely. */
static void units_keep(struct reader *r)
{
    struct units *u = r->u;

    if (u->count > 1)
        qsort(u->v, u->count, sizeof(*u->v), by_score);
    if (u->count < r->closely)
        return;
    u->count = r->closely;
    r->least = u->v[u->count - 1].score;
}

/* Of an index of fewer than EXTENT_FROM passages too little is known to go on
 * from there, and none of more than EXTENT_TO was learned from: 0 to 1. */
static double extent_of(const struct query *q)
{
    double n = (double)q->passages;

    n = fmin(fmax(n, EXTENT_FROM), EXTENT_TO);
    return q->weighed ? log(n / EXTENT_FROM) / log(EXTENT_TO / EXTENT_FROM) : 1;
}

/* How near each page is to the question. Of one that just came in, or came from
 * elsewhere, the encoder has read nothing: beside others it would look far
 * away.
 */
static enum err near_read(struct reader *r)
{
    enum err e = ERR_OK;

    r->u->by = r->q->meant_by;
    for (size_t i = 0; e == ERR_OK && i < r->page_count; i++) {
        bool known;

        r->near[i] = near_of(&r->pages[i], &known);
        if (!known && r->q->meant_by == MEANT_BY_ENCODER)
            r->u->by = MEANT_BY_NOTHING;
        else if (!known && r->q->meant_by == MEANT_BY_WORDS)
            e = near_by_words(r, &r->pages[i], &r->near[i]);
        r->nearest = fmax(r->nearest, r->near[i]);
    }
    return e;
}

static enum err reader_init(struct reader *r)
{
    struct term_iter it;
    const struct query *q = r->q;

    for (size_t i = 0; i < q->term_count; i++) {
        r->w[i] = q->terms[i].weight * q->rarity[i];
        r->all += r->w[i];
        if (q->weighed && q->rarity[i] >= 1 && (q->names >> i & 1))
            r->unknown += r->w[i] / 3;
        for (size_t k = 0; k < q->term_count; k++)
            if (strncmp(q->terms[i].text, q->terms[k].text, FAMILY_BYTES) == 0)
                r->alike[i] |= (uint64_t)1 << k;
    }
    r->extent = extent_of(q);
    r->asks_changes = query_asks_changes(q);
    terms_init_with(&it, q->stem, q->text, strlen(q->text));
    r->starts.any_second = q->stem != NULL;
    while (r->tokens < QUESTION_TOKENS && terms_next(&it, &r->token[r->tokens]))
        term_starts_add(&r->starts, r->token[r->tokens++].text);
    r->u->parts = arena_array(r->a, r->page_count + 1, sizeof(*r->u->parts));
    r->u->part_count =
        arena_array(r->a, r->page_count + 1, sizeof(*r->u->part_count));
    r->looks = arena_array(r->a, r->page_count + 1, sizeof(*r->looks));
    r->local = arena_array(r->a, r->page_count + 1, sizeof(*r->local));
    r->near = arena_array(r->a, r->page_count + 1, sizeof(*r->near));
    if (r->u->parts == NULL || r->u->part_count == NULL || r->looks == NULL ||
        r->local == NULL || r->near == NULL)
        return ERR_NOMEM;
    r->name_count = identifiers_read(q->text, r->name, IDENTIFIERS_MAX);
    return near_read(r);
}

enum err units_cut(const struct query *q, const struct found_page *pages,
                   size_t count, enum unit_grain grain,
                   const struct deadline *d, struct arena *a, struct units *out)
{
    struct units u = {.v = NULL};
    struct reader r = {.q = q,
                       .pages = pages,
                       .page_count = count,
                       .grain = grain,
                       .closely = grain == UNIT_WHOLE ? CLOSELY : CLOSELY_LONG,
                       .least = -HUGE_VAL,
                       .a = a,
                       .u = &u};
    enum err e = reader_init(&r);

    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        e = page_parts(&r, i);
        if (e == ERR_OK)
            e = page_units(&r, i);
        units_keep(&r);
    }
    if (e != ERR_OK)
        return e;
    if (u.count == 0) {
        *out = u;
        return ERR_OK;
    }
    for (size_t i = 0; e == ERR_OK && i < u.count; i++)
        e = closely_read(&r, &u.v[i]);
    if (e != ERR_OK)
        return e;
    qsort(u.v, u.count, sizeof(*u.v), by_score);
    if (u.by == MEANT_BY_ENCODER && q->meant != NULL && d != NULL)
        e = units_meet(&r, d);
    if (e != ERR_OK)
        return e;
    units_sort(&u);
    *out = u;
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}
