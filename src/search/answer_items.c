/* Items behind the sentence that introduces them; see answer_items.h. Pure. */
#include "search/answer_items.h"
#include "search/evidence.h"
#include "search/overlap.h"

#include "text/terms.h"

#include <string.h>

enum {
    LABEL_WORDS = 6,
    SKIPPED_LINES = 4, /* of explanation between two items */
    STEP_LINES = 6,
    STEP_WORDS = 60,
    LINE_WORDS = 30,
    LINES_MAX = 6,
    CAPTION_WORDS = 12,
    ENTRIES_MIN = 3
};

static const double HEADING_NAMED = 0.5; /* share of the question */

const char *sentence_text(const struct pool *pool, const struct sentence *s)
{
    return pool->passages[s->passage].c.text + s->span.start;
}

struct str sentence_line(const struct pool *pool, const struct sentence *s)
{
    const char *text = pool->passages[s->passage].c.text;
    size_t from = s->span.start;

    while (from > 0 && text[from - 1] != '\n')
        from--;
    return (struct str){text + from, strcspn(text + from, "\n")};
}

size_t words_count(struct str text)
{
    struct term_iter it;
    struct term t;
    size_t words = 0;

    terms_init(&it, text.p, text.n);
    while (tokens_next(&it, &t))
        words++;
    return words;
}

/* The passages' lines from a place on, across passages of one page under one
 * heading. */
struct lines {
    const struct pool *pool;
    size_t passage, at;
};

static struct str next_line(struct lines *l)
{
    const char *text = l->pool->passages[l->passage].c.text + l->at;
    size_t n = strcspn(text, "\n");

    l->at += n + (text[n] == '\n' ? 1 : 0);
    return (struct str){text, n};
}

/* On to the page's next passage, when it is at hand and under the same
 * heading. */
static bool next_passage(struct lines *l)
{
    const struct candidate *c = &l->pool->passages[l->passage].c;

    for (size_t i = 0; i < l->pool->given; i++) {
        const struct candidate *o = &l->pool->passages[i].c;

        if (c->page != 0 && o->page == c->page && o->seq == c->seq + 1 &&
            strcmp(o->heading, c->heading) == 0) {
            l->passage = i;
            l->at = 0;
            return true;
        }
    }
    return false;
}

/* The next line that is not blank; false at the end. */
static bool line_read(struct lines *l, struct str *out, struct item *where)
{
    do {
        while (l->pool->passages[l->passage].c.text[l->at] != '\0') {
            struct str line = str_trim(next_line(l));

            if (line.n == 0)
                continue;
            *out = line;
            where->passage = l->passage;
            where->start =
                (size_t)(line.p - l->pool->passages[l->passage].c.text);
            return true;
        }
    } while (next_passage(l));
    return false;
}

/* Commands and their output name nothing. */
static bool is_code_like(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strchr("$<>=|&{}[]\\;", p[i]) != NULL && p[i] != '\0')
            return true;
    return false;
}

/* How many bytes of the line name the item: "NULL. The value is …",
 * "Range Partitioning: …", "UNLOCKED"; 0 when it has no name. */
static size_t label_of(struct str line)
{
    static const char *const ends[] = {": ", ". ", " \xE2\x80\x94 ", " - ",
                                       NULL};
    size_t best = line.n, words;

    for (size_t i = 0; ends[i] != NULL; i++) {
        const char *at = mem_find(line.p, line.n, ends[i]);

        if (at != NULL && (size_t)(at - line.p) < best)
            best = (size_t)(at - line.p);
    }
    if (best == line.n && strchr(".!?:;,", line.p[line.n - 1]) != NULL)
        return 0;
    words = words_count((struct str){line.p, best});
    return words > 0 && words <= LABEL_WORDS && !is_code_like(line.p, best)
               ? best
               : 0;
}

/* The first cell of a table's row ("server: nginx | file: …" holds "nginx"),
 * in it, whose start is the line's. */
static bool cell_read(struct str line, struct item *it)
{
    const char *colon = mem_find(line.p, line.n, ": ");
    const char *bar = mem_find(line.p, line.n, " | ");

    if (!evidence_is_row(line.p, line.n) || colon == NULL || bar == NULL ||
        colon > bar)
        return false;
    it->start += (size_t)(colon + 2 - line.p);
    it->len = (size_t)(bar - colon) - 2;
    it->words = words_count((struct str){colon + 2, it->len});
    return true;
}

/* Items with names; what explains them is left out. */
static size_t labels_read(struct lines l, size_t max, struct item *out)
{
    size_t n = 0, skipped = 0;
    struct str line;
    struct item it;

    while (n < max && skipped <= SKIPPED_LINES && line_read(&l, &line, &it)) {
        size_t label = label_of(line);

        if (n == 0 && is_code_like(line.p, line.n))
            return 0; /* an example, not a list */
        if (label == 0) {
            skipped++;
            continue;
        }
        skipped = 0;
        if (cell_read(line, &it)) {
            out[n++] = it;
            continue;
        }
        it.len = label;
        it.words = words_count((struct str){line.p, label});
        out[n++] = it;
    }
    return n;
}

/* Items that are whole lines: steps, commands, short statements. */
static size_t lines_read(struct lines l, size_t max, size_t words_max,
                         bool steps, struct item *out)
{
    size_t n = 0, words = 0;
    struct str line;
    struct item it;
    bool code = false;

    while (n < max && line_read(&l, &line, &it)) {
        double prose = evidence_prose(line.p, line.n);

        it.len = line.n;
        it.words = words_count((struct str){line.p, line.n});
        words += it.words;
        if (!steps && is_code_like(line.p, line.n))
            break;
        if (it.words > LINE_WORDS || words > words_max ||
            line.p[line.n - 1] == ':' || (code && prose > 0.75))
            break;
        if (steps && n == 0)
            code = prose < 0.75;
        out[n++] = it;
    }
    return n;
}

static bool ends_with_colon(const struct pool *pool, const struct sentence *s)
{
    return sentence_text(pool, s)[s->span.len - 1] == ':';
}

/* A table's caption: a short line, and a row in the next one. */
static bool is_caption(const struct pool *pool, const struct sentence *s)
{
    const char *p = sentence_text(pool, s) + s->span.len;
    size_t n;

    p += strspn(p, "\n");
    n = strcspn(p, "\n");
    return s->words <= CAPTION_WORDS && evidence_is_row(p, n) &&
           !evidence_is_row(sentence_text(pool, s), s->span.len);
}

/* Is the text under a heading that names what the question lists, and does
 * the sentence open an entry there ("RAID-1: This level …")? */
static bool is_listed_entry(const struct pool *pool, const struct sentence *s)
{
    const char *heading = pool->passages[s->passage].c.heading, *last;
    struct str line = sentence_line(pool, s);

    for (const char *at = heading; (at = strstr(at, " > ")) != NULL;)
        heading = at += 3;
    last = mem_find(line.p, line.n, ": ");
    return line.p == sentence_text(pool, s) && last != NULL &&
           label_of(line) == (size_t)(last - line.p) &&
           overlap_share(pool->q, overlap_mask_loose(pool->q, heading,
                                                     strlen(heading))) >=
               HEADING_NAMED;
}

bool items_introduced(const struct pool *pool, const struct sentence *s)
{
    return ends_with_colon(pool, s) ||
           (pool->q->type == ANSWER_LIST &&
            (is_caption(pool, s) || is_listed_entry(pool, s)));
}

/* The first cells of a table's rows. */
static size_t cells_read(struct lines l, size_t max, struct item *out)
{
    size_t n = 0;
    struct str line;
    struct item it;

    while (n < max && line_read(&l, &line, &it) &&
           evidence_is_row(line.p, line.n))
        if (cell_read(line, &it))
            out[n++] = it;
    return n;
}

/* The page's first passage at hand under the same heading. */
static struct lines heading_start(const struct pool *pool,
                                  const struct sentence *s)
{
    const struct candidate *c = &pool->passages[s->passage].c;
    struct lines l = {pool, s->passage, 0};

    for (size_t i = 0; i < pool->given; i++) {
        const struct candidate *o = &pool->passages[i].c;

        if (o->page == c->page && strcmp(o->heading, c->heading) == 0 &&
            o->seq < pool->passages[l.passage].c.seq)
            l.passage = i;
    }
    return l;
}

/* The names of entries ("RAID-1: …"). */
static size_t entries_read(struct lines l, size_t max, struct item *out)
{
    size_t n = 0;
    struct str line;
    struct item it;

    while (n < max && line_read(&l, &line, &it)) {
        const char *colon = mem_find(line.p, line.n, ": ");
        size_t label = label_of(line);

        if (cell_read(line, &it)) {
            out[n++] = it;
            continue;
        }
        if (colon == NULL || label != (size_t)(colon - line.p))
            continue;
        it.len = label;
        it.words = words_count((struct str){line.p, label});
        out[n++] = it;
    }
    return n;
}

/* "one of five locking states": how many items are announced, or max. */
static size_t announced(const char *p, size_t n, size_t max)
{
    static const char *const numbers[] = {"two", "three", "four",  "five",
                                          "six", "seven", "eight", "nine",
                                          "ten", NULL};
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        for (size_t i = 0; numbers[i] != NULL; i++)
            if (strcmp(t.text, numbers[i]) == 0)
                return i + 2 < max ? i + 2 : max;
    return max;
}

size_t items_read(const struct pool *pool, const struct sentence *s,
                  struct item *out)
{
    struct lines l = {pool, s->passage, s->span.start + s->span.len};
    enum answer_type t = pool->q->type;
    size_t n;

    if (!items_introduced(pool, s) || (t != ANSWER_LIST && t != ANSWER_HOWTO))
        return 0;
    if (t == ANSWER_HOWTO)
        return lines_read(l, STEP_LINES, STEP_WORDS, true, out);
    if (is_caption(pool, s))
        return cells_read(l, ITEMS_MAX, out);
    if (!ends_with_colon(pool, s)) {
        n = entries_read(heading_start(pool, s), ITEMS_MAX, out);
        return n >= ENTRIES_MIN ? n : 0;
    }
    n = labels_read(
        l, announced(sentence_text(pool, s), s->span.len, ITEMS_MAX), out);
    if (n >= 2)
        return n;
    return lines_read(l, LINES_MAX, STEP_WORDS, false, out);
}

static bool is_named_by_heading(const struct pool *pool,
                                const struct sentence *s)
{
    return !ends_with_colon(pool, s) && is_listed_entry(pool, s);
}

bool items_is_entry(const struct pool *pool, const struct sentence *s)
{
    return pool->q->type == ANSWER_LIST && is_named_by_heading(pool, s) &&
           items_read(pool, s, (struct item[ITEMS_MAX]){{0}}) > 0;
}
