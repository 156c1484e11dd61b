/* Running text with lines broken by hand; see prose.h. */
#include "text/prose.h"

#include "base/str.h"

#include <string.h>

enum {
    LINE_FULL = 40,    /* the longest line of a paragraph has so many bytes */
    TEXT_BYTES = 100,  /* a paragraph of several lines tells of running text */
    TITLE_BYTES = 60,  /* most of a heading, of "Arguments:" */
    WORDS_LEAST = 5,   /* of a sentence that stands alone in a line */
    COLUMN_BLANKS = 3, /* so many in a row part columns */
    HANGING = 2,       /* the text of an entry is indented by so many more */
    RULE_BYTES = 3,    /* least of a rule */
    WORD_BYTES = 64,   /* most of a word parted at the end of a line */
    NEAR_BYTES = 1 << 16, /* of the listing, where it is looked for */
    LOOKS_MAX = 1000,     /* so often, of a page */
    JOINED_MAX = 8 * 1024 * 1024
};

enum chunk_kind { LISTING, PARAGRAPH, ITEM, ENTRY, TITLE };

/* Lines that belong together. */
struct chunk {
    const char *p;        /* where its first line begins */
    size_t n;             /* to the end of its last */
    size_t mark;          /* bytes up to the text of an item, an entry */
    struct str term;      /* of an entry */
    size_t lines, indent; /* indent: of its first */
    enum chunk_kind kind;
    int rank; /* of a title: 1, 2, 3 */
};

struct line {
    struct str text; /* without white space around it */
    size_t indent;
};

struct reader {
    const char *p, *end;
};

static bool is_letter(char c)
{
    return ascii_is_alpha(c) || (unsigned char)c >= 0x80;
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* The line at r->p, and behind it. False: no more. */
static bool next_line(struct reader *r, struct line *out)
{
    const char *p = r->p;

    if (!view_line(&r->p, r->end, &out->text))
        return false;
    out->indent = out->text.n == 0 ? 0 : (size_t)(out->text.p - p);
    return true;
}

/* Bytes of "- ", "* ", "o  ", "12. ", "3) " in front; 0: it is no item. */
static size_t bullet(struct str z)
{
    size_t digits = 0;

    while (digits < z.n && ascii_is_digit(z.p[digits]))
        digits++;
    if (digits > 0 && digits <= 2 && z.n > digits + 2 &&
        (z.p[digits] == '.' || z.p[digits] == ')') && z.p[digits + 1] == ' ')
        return digits + 2;
    if (z.n > 3 && z.p[0] == 'o' && z.p[1] == ' ' && z.p[2] == ' ')
        return 3;
    return z.n > 2 && strchr("-*+", z.p[0]) != NULL && z.p[1] == ' ' ? 2 : 0;
}

/* A word of a sentence, perhaps with its punctuation? */
static bool is_word(struct str w)
{
    while (w.n > 0 && strchr("(\"'`[*_", *w.p) != NULL)
        w = (struct str){w.p + 1, w.n - 1};
    while (w.n > 0 && strchr(")\"'`]*_.,:;!?", w.p[w.n - 1]) != NULL)
        w.n--;
    for (size_t i = 0; i < w.n; i++)
        if (!is_letter(w.p[i]) && strchr("-'/", w.p[i]) == NULL)
            return false;
    return w.n > 0;
}

/* What tells sentences from a listing. */
struct look {
    size_t words, plain;   /* of them, words of a sentence */
    size_t columns;        /* lines with a gap inside */
    size_t longest, least; /* bytes of lines; of those but the last */
    bool odd;              /* a line ends as none of a sentence does */
};

static void look_at(struct look *o, struct str z, bool last)
{
    size_t from = 0, gap = 0, widest = 0;

    for (size_t i = 0; i <= z.n; i++) {
        bool blank = i == z.n || ascii_is_space(z.p[i]);

        if (blank && i > from) {
            o->words++;
            o->plain += is_word((struct str){z.p + from, i - from});
        }
        if (blank)
            from = i + 1;
        gap = blank && i < z.n ? gap + 1 : 0;
        widest = gap > widest ? gap : widest;
    }
    o->columns += widest >= COLUMN_BLANKS;
    o->longest = z.n > o->longest ? z.n : o->longest;
    if (!last)
        o->least = z.n < o->least ? z.n : o->least;
    o->odd = o->odd || strchr("{}\\=<|$", z.p[z.n - 1]) != NULL;
}

/* "Arguments:", "See also :" */
static bool is_lead(struct str z)
{
    if (z.n > TITLE_BYTES || z.p[z.n - 1] != ':' || !ascii_is_alpha(z.p[0]))
        return false;
    for (size_t i = 0; i + 1 < z.n; i++)
        if (!is_letter(z.p[i]) && z.p[i] != ' ')
            return false;
    return true;
}

/* Sentences, of a chunk without its mark? */
static bool is_sentences(const struct chunk *c)
{
    struct reader r = {c->p + c->mark, c->p + c->n};
    struct look o = {.least = SIZE_MAX};
    struct line line, first = {0};
    char head, end;

    for (size_t i = 1; next_line(&r, &line); i++) {
        if (line.text.n == 0)
            return false;
        if (i == 1)
            first = line;
        look_at(&o, line.text, i == c->lines);
    }
    if (first.text.n == 0 || o.odd ||
        o.columns * 2 >= c->lines + (c->lines > 1))
        return false;
    head = first.text.p[0];
    end = c->p[c->n - 1];
    if (c->kind == PARAGRAPH && !is_capital(head) &&
        (unsigned char)head < 0x80 && strchr("\"'(", head) == NULL)
        return false;
    if (c->lines == 1 && c->kind == PARAGRAPH)
        return is_lead(first.text) ||
               (o.words >= WORDS_LEAST && o.plain * 10 >= o.words * 7 &&
                strchr(".:?!", end) != NULL);
    return o.plain * 10 >= o.words * 7 && o.words > 1 &&
           (c->kind == ITEM || strchr(".:?!)\"'", end) != NULL ||
            (unsigned char)end >= 0x80) &&
           (c->lines == 1 ||
            (o.longest >= LINE_FULL && o.least * 2 >= o.longest));
}

/* Where the second column of a line begins; 0: it has one. */
static size_t second_column(struct str z)
{
    for (size_t i = 2; i < z.n; i++)
        if (z.p[i] != ' ' && z.p[i - 1] == ' ' && z.p[i - 2] == ' ')
            return i;
    return 0;
}

/* "-d dir", its text below and further in; "name   Its text", which goes on
 * below where it began: an entry of a list of terms, or what it was. */
static void read_entry(struct chunk *c)
{
    struct reader r = {c->p, c->p + c->n};
    struct chunk entry = *c;
    struct line first, line;
    size_t column, indent = 0;

    if (c->kind != PARAGRAPH || !next_line(&r, &first))
        return;
    column = second_column(first.text);
    if (column == 0 && c->lines == 1)
        return;
    entry.kind = ENTRY;
    entry.term = (struct str){first.text.p, column > 0 ? column : first.text.n};
    entry.term = str_trim(entry.term);
    entry.mark = column > 0 ? first.indent + column : (size_t)(r.p - c->p);
    entry.lines = c->lines - (column == 0);
    if (entry.term.n > TITLE_BYTES ||
        strchr(".,;:", entry.term.p[entry.term.n - 1]) != NULL)
        return;
    while (next_line(&r, &line)) {
        if (indent == 0)
            indent = line.indent;
        if (line.indent < first.indent + HANGING ||
            (column > 0 && line.indent != first.indent + column))
            return;
    }
    if (is_sentences(&entry))
        *c = entry;
}

/* "=====", "-----": what a line above or below a title is made of. */
static bool is_rule(struct str z)
{
    size_t i = 1;

    while (i < z.n && z.p[i] == z.p[0])
        i++;
    return i == z.n && z.n >= RULE_BYTES &&
           strchr("=-~^\"'*#+_", z.p[0]) != NULL;
}

/* How far below the page's own title a line's rank is, where it is a title:
 * with a rule below it, which r is moved behind, or in capitals at the margin,
 * over something indented. 0: it is none. */
static int title_rank(struct line line, struct reader *r)
{
    struct line below = {{"", 0}, 0};
    struct reader rest = *r;

    if (line.text.n > TITLE_BYTES)
        return 0;
    if (next_line(&rest, &below) && is_rule(below.text) &&
        below.text.n + 2 >= line.text.n && below.text.n <= line.text.n + 2) {
        *r = rest;
        return below.text.p[0] == '=' ? 1 : below.text.p[0] == '-' ? 2 : 3;
    }
    if (line.indent > 0 || !is_capital(line.text.p[0]))
        return 0;
    for (size_t i = 0; i < line.text.n; i++)
        if (!is_capital(line.text.p[i]) && line.text.p[i] != ' ')
            return 0;
    rest = *r;
    do
        if (!next_line(&rest, &below))
            return 0;
    while (below.text.n == 0);
    return below.indent > 0;
}

/* Does something new begin with the line: an item, what a colon leads in to,
 * the entry behind one whose text stood further in? */
static bool is_new(const struct line *first, const struct line *before,
                   const struct line *line)
{
    return bullet(line->text) > 0 ||
           (line->indent <= first->indent &&
            before->indent >= first->indent + HANGING) ||
           (line->indent != before->indent &&
            before->text.p[before->text.n - 1] == ':');
}

/* The next lines that belong together: up to a blank one, the next item, what
 * a colon leads in to. */
static bool next_chunk(struct reader *r, struct chunk *out)
{
    struct line line, first = {{"", 0}, 0}, before = first;
    struct reader at = *r;

    *out = (struct chunk){0};
    while (at = *r, next_line(r, &line)) {
        if (out->lines == 0 && (line.text.n == 0 || is_rule(line.text)))
            continue;
        if (line.text.n == 0)
            break;
        if (out->lines > 0 && is_new(&first, &before, &line)) {
            *r = at;
            break;
        }
        if (out->lines == 0) {
            size_t mark = bullet(line.text);

            first = line;
            out->p = at.p;
            out->indent = line.indent;
            out->kind = mark > 0 ? ITEM : PARAGRAPH;
            out->mark = mark > 0 ? line.indent + mark : 0;
        }
        out->lines++;
        out->n = (size_t)(line.text.p + line.text.n - out->p);
        before = line;
        if (out->lines == 1 && (out->rank = title_rank(line, r)) > 0) {
            out->kind = TITLE;
            return true;
        }
    }
    if (out->lines > 0)
        read_entry(out);
    if (out->lines > 0 && out->kind != ENTRY && !is_sentences(out))
        out->kind = LISTING;
    return out->lines > 0;
}

/* Bytes of the sentences in a listing, where some fill several lines. */
static size_t prose_bytes(const char *z)
{
    struct reader r = {z, z + strlen(z)};
    size_t prose = 0;
    bool several = false;
    struct chunk c;

    while (next_chunk(&r, &c)) {
        if (c.kind == LISTING)
            continue;
        prose += c.n;
        several = several || (c.lines > 1 && c.n >= TEXT_BYTES);
    }
    return several ? prose : 0;
}

/* Does a listing have the word that ends with out and goes on with the line in
 * one piece? Then the hyphen between was a typesetter's. */
static bool was_parted(const struct buf *out, struct str line, const char *z)
{
    char word[WORD_BYTES];
    size_t before = 0, behind = 0, end = out->len - 1;

    while (before < end && is_letter(out->data[end - 1 - before]))
        before++;
    while (behind < line.n && is_letter(line.p[behind]))
        behind++;
    if (before == 0 || behind == 0 || before + behind > sizeof word)
        return false;
    memcpy(word, out->data + end - before, before);
    memcpy(word + before, line.p, behind);
    return memmem(z, strnlen(z, NEAR_BYTES), word, before + behind) != NULL;
}

/* The chunk's text in one line, with the term of an entry in front; *looks
 * counts the words looked for. */
static void join(struct buf *out, const struct chunk *c, const char *z,
                 size_t *looks)
{
    struct reader r = {c->p + c->mark, c->p + c->n};
    struct line line;
    size_t from;

    if (c->kind == ENTRY) {
        block_text_add(out, c->term.p, c->term.n);
        buf_adds(out, ": ");
    }
    from = out->len;
    while (next_line(&r, &line)) {
        bool hyphen = out->len > from + 1 && out->data[out->len - 1] == '-' &&
                      is_letter(out->data[out->len - 2]);

        if (hyphen && *looks < LOOKS_MAX &&
            (++*looks, was_parted(out, line.text, z)))
            out->data[--out->len] = '\0';
        else if (out->len > from && !hyphen)
            buf_addc(out, ' ');
        block_text_add(out, line.text.p, line.text.n);
    }
}

/* The entry that a chunk stands in, where *within, how far in that one's term
 * stood, says so, or which it begins. */
static void find_entry(struct block_list *l, const struct chunk *c,
                       const struct definition *around, size_t *within)
{
    if (l->entry != around &&
        (c->kind == ENTRY || c->kind == TITLE || c->indent < *within + HANGING))
        l->entry = around;
    if (c->kind != ENTRY)
        return;
    *within = c->indent;
    l->entry = block_entry(l, c->term.p, c->term.n);
    if (l->entry == NULL)
        l->entry = around;
}

/* Add what a listing holds; titles are headings below the level. */
static void add_parts(struct block_list *l, const char *z, int level,
                      size_t *looks)
{
    struct reader r = {z, z + strlen(z)};
    const char *from = NULL, *to = NULL; /* of the listing before */
    const struct definition *around = l->entry;
    size_t within = 0;
    struct chunk c;
    struct buf text;

    buf_init(&text, JOINED_MAX);
    while (next_chunk(&r, &c)) {
        if (c.kind == LISTING) {
            if (from == NULL)
                find_entry(l, &c, around, &within);
            from = from == NULL ? c.p : from;
            to = c.p + c.n;
            continue;
        }
        if (from != NULL)
            block_list_add(l, BLOCK_CODE, 0, from, (size_t)(to - from));
        from = NULL;
        find_entry(l, &c, around, &within);
        buf_reset(&text);
        join(&text, &c, z, looks);
        if (buf_err(&text) != ERR_OK || text.len == 0)
            continue;
        if (c.kind == TITLE)
            block_list_add(l, BLOCK_HEADING,
                           level + c.rank < 7 ? level + c.rank : 6, text.data,
                           text.len);
        else
            block_list_add(l,
                           c.kind == PARAGRAPH ? BLOCK_PARA : BLOCK_LIST_ITEM,
                           c.kind != PARAGRAPH, text.data, text.len);
    }
    if (from != NULL)
        block_list_add(l, BLOCK_CODE, 0, from, (size_t)(to - from));
    l->entry = around;
    l->failed = l->failed || buf_err(&text) != ERR_OK;
    buf_fini(&text);
}

/* Most of the page is sentences in listings. */
static bool is_typed(const struct block_list *l)
{
    size_t bytes = 0, prose = 0;

    for (size_t i = 0; i < l->count; i++) {
        bytes += strlen(l->list[i].text);
        if (l->list[i].kind == BLOCK_CODE)
            prose += prose_bytes(l->list[i].text);
    }
    return prose * 2 > bytes;
}

bool prose_read(struct block_list *l)
{
    struct block_list out = {.a = l->a};
    size_t looks = 0;
    int level = 0;

    if (l->failed || !is_typed(l))
        return false;
    for (size_t i = 0; i < l->count; i++) {
        const struct block *b = &l->list[i];
        size_t at = out.count;

        if (b->kind == BLOCK_HEADING)
            level = b->level;
        out.entry = b->entry;
        out.depth = b->depth;
        if (b->kind == BLOCK_CODE)
            add_parts(&out, b->text, level, &looks);
        else
            block_list_add(&out, b->kind, b->level, b->text, strlen(b->text));
        for (; at < out.count; at++)
            out.list[at].links = b->links;
    }
    *l = out;
    return true;
}
