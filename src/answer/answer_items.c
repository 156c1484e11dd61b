/* Items behind the sentence that introduces them; see answer_items.h. Pure. */
#include "answer/answer_items.h"
#include "question/evidence.h"
#include "question/overlap.h"

#include "text/terms.h"

#include <string.h>

enum {
    LABEL_WORDS = 6,
    SKIPPED_LINES = 4, /* of explanation between two items */
    STEP_LINES = 6,
    STEP_WORDS = 60,
    LINE_WORDS = 30,
    LINES_MAX = 6,
    CODE_LINES = 40,
    CODE_WORDS = 160,
    CODE_PARTS = 3, /* passages that one listing spans */
    CAPTION_WORDS = 12,
    ENTRIES_MIN = 3
};

static const double HEADING_NAMED = 0.5; /* share of the question */
static const double PROSE_MIN = 0.75;    /* of evidence_prose: no code */

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
 * in it, whose start is the line's; false when it is empty ("name: | …") or
 * has no label. */
static bool cell_read(struct str line, struct item *it)
{
    const char *colon = mem_find(line.p, line.n, ": ");
    const char *bar = mem_find(line.p, line.n, " | ");
    struct str cell;
    size_t words;

    if (!evidence_is_row(line.p, line.n) || colon == NULL || bar == NULL ||
        colon + 2 > bar)
        return false;
    cell = str_trim((struct str){colon + 2, (size_t)(bar - (colon + 2))});
    words = words_count(cell);
    if (words == 0)
        return false;
    it->start += (size_t)(cell.p - line.p);
    it->len = cell.n;
    it->words = words;
    return true;
}

/* "name: | kind: big": a row whose first cell has a label and nothing else. */
static bool is_nameless_row(struct str line)
{
    const char *colon = mem_find(line.p, line.n, ":");
    const char *bar = mem_find(line.p, line.n, " | ");

    return bar != NULL && colon != NULL && colon < bar &&
           str_trim((struct str){colon + 1, (size_t)(bar - (colon + 1))}).n ==
               0;
}

/* Items with names; what explains them is left out. */
static size_t labels_read(struct lines l, size_t max, struct item *out)
{
    size_t n = 0, skipped = 0;
    struct str line;
    struct item it = {.form = SAID_ITEM};

    while (n < max && skipped <= SKIPPED_LINES && line_read(&l, &line, &it)) {
        size_t label = is_nameless_row(line) ? 0 : label_of(line);

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

/* Items that are whole lines: steps, short statements. */
static size_t lines_read(struct lines l, size_t max, size_t words_max,
                         bool steps, struct item *out)
{
    size_t n = 0, words = 0;
    struct str line;
    struct item it = {.form = SAID_ITEM};

    while (n < max && line_read(&l, &line, &it)) {
        it.len = line.n;
        it.words = words_count((struct str){line.p, line.n});
        words += it.words;
        if ((!steps && is_code_like(line.p, line.n)) || it.words > LINE_WORDS ||
            words > words_max || line.p[line.n - 1] == ':')
            break;
        out[n++] = it;
    }
    return n;
}

/* --- listings ------------------------------------------------------------ */

/* What shells, SQL and programs begin a line with. Some begin sentences too:
 * they tell only of lines that are no prose. */
static const char *const code_words[] = {
    "import", "from",    "def",      "class",  "return", "if",     "elif",
    "else",   "for",     "while",    "try",    "except", "with",   "select",
    "insert", "update",  "delete",   "create", "drop",   "alter",  "where",
    "order",  "group",   "having",   "values", "set",    "begin",  "commit",
    "pragma", "sudo",    "apt",      "pip",    "npm",    "git",    "cd",
    "make",   "cmake",   "docker",   "curl",   "wget",   "export", "echo",
    "python", "include", "function", "let",    "const",  "var",    NULL};

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Has the line the marks of code: signs, a call, an option? */
static bool has_code_signs(struct str line)
{
    static const char *const signs[] = {" --", "::", "->", "()",
                                        "./",  "~/", NULL};

    if (strchr("#@%-/>.\"'", line.p[0]) != NULL || is_code_like(line.p, line.n))
        return true;
    for (size_t i = 0; signs[i] != NULL; i++)
        if (mem_find(line.p, line.n, signs[i]) != NULL)
            return true;
    for (size_t i = 1; i < line.n; i++)
        if ((line.p[i] == '(' && ascii_is_alnum(line.p[i - 1])) ||
            (line.p[i] == '-' && line.p[i - 1] == ' ' && i + 1 < line.n &&
             ascii_is_alpha(line.p[i + 1])))
            return true;
    return false;
}

/* "SELECT …", or "import …" on a short line; not "Select …". */
static bool begins_with_code_word(struct str line, double prose)
{
    struct term_iter it;
    struct term t;
    bool capitals;

    terms_init(&it, line.p, line.n);
    if (!tokens_next(&it, &t) || t.start > 0 || t.len < 2)
        return false;
    capitals = is_capital(line.p[1]);
    if (is_capital(line.p[0]) != capitals || (!capitals && prose > PROSE_MIN))
        return false;
    for (size_t i = 0; code_words[i] != NULL; i++)
        if (strcmp(code_words[i], t.text) == 0)
            return true;
    return false;
}

/* How far the line at p is set in. */
static size_t indent_of(const char *p)
{
    return strspn(p, " \t");
}

/* Where the next line that is not blank begins, at or behind p. */
static const char *line_at(const char *p)
{
    for (;;) {
        size_t n = strcspn(p, "\n");

        if (indent_of(p) < n || p[n] == '\0')
            return p;
        p += n + 1;
    }
}

/* Is the line at p one of a listing, by itself and by what follows it? One
 * that ends with a colon opens what is set in more, or introduces what comes
 * behind the listing. */
static bool is_code_line(const char *p)
{
    struct str line = str_trim((struct str){p, strcspn(p, "\n")});
    const char *next = line_at(p + strcspn(p, "\n"));
    double prose;

    if (line.n == 0)
        return false;
    if (line.p[line.n - 1] == ':')
        return indent_of(next) > indent_of(p) ||
               (indent_of(p) > 0 && has_code_signs(line));
    prose = evidence_prose(line.p, line.n);
    return indent_of(p) > 0 || (prose < PROSE_MIN && has_code_signs(line)) ||
           begins_with_code_word(line, prose);
}

/* A line of output, or a bare word: does the listing that begins at `from` go
 * on behind it, or does it show a session, whose output it is? */
static bool is_within_code(const char *from, const char *p)
{
    struct str line = str_trim((struct str){p, strcspn(p, "\n")});
    const char *next = line_at(p + strcspn(p, "\n"));

    return line.n > 0 && line.p[line.n - 1] != ':' &&
           evidence_prose(line.p, line.n) < PROSE_MIN &&
           (is_code_line(next) || strncmp(from, ">>> ", 4) == 0 ||
            strncmp(from, "$ ", 2) == 0);
}

/* The listing at l as a whole, its line breaks and indents kept. What goes on
 * in the page's next passage is a listing of its own. */
static size_t code_read(struct lines l, struct item *out)
{
    size_t n = 0, words = 0, lines = 0;

    do {
        const char *text = l.pool->passages[l.passage].c.text;
        const char *from = line_at(text + l.at), *end = from, *p = from;
        struct item *it = &out[n];

        while (*p != '\0' &&
               (is_code_line(p) || (p > from && is_within_code(from, p)))) {
            end = p + strcspn(p, "\n");
            lines++;
            p = line_at(end);
        }
        while (end > from && ascii_is_space(end[-1]))
            end--;
        if (end == from)
            return n;
        *it = (struct item){l.passage, (size_t)(from - text),
                            (size_t)(end - from), 0, SAID_CODE};
        it->words = words_count((struct str){from, it->len});
        words += it->words;
        n++;
        if (words > CODE_WORDS || lines > CODE_LINES)
            return 0; /* cut short it would be another one */
        if (*p != '\0')
            return n;
    } while (n < CODE_PARTS && next_passage(&l));
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
    struct item it = {.form = SAID_ITEM};

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
    struct item it = {.form = SAID_ITEM};

    while (n < max && line_read(&l, &line, &it)) {
        const char *colon = mem_find(line.p, line.n, ": ");
        size_t label = label_of(line);

        if (cell_read(line, &it)) {
            out[n++] = it;
            continue;
        }
        if (is_nameless_row(line))
            continue;
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
    if (t == ANSWER_HOWTO) {
        n = code_read(l, out);
        return n > 0 ? n : lines_read(l, STEP_LINES, STEP_WORDS, true, out);
    }
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
