/*
 * Blocks of a page to passages; see passage.h. Small neighbours under one
 * heading are joined by line breaks, long blocks are cut evenly at sentence
 * borders. Called when a page enters the index; knows nothing of markup.
 */
#include "text/passage.h"

#include "base/buf.h"
#include "base/str.h"
#include "text/fold.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORDS_ENOUGH = 45, /* a passage of so many may end before a block */
    CAPTION_BYTES = 80,
    CAPTION_WORDS = 10,
    TABLE_CAPTION_BYTES = 250,
    HEADING_LEVELS = 3,
    HEADING_BYTES = 200,  /* of a path */
    LANGUAGE_WORDS = 15,  /* at least, for their language to be told … */
    LANGUAGE_BYTES = 400, /* … and enough */
    PARTS_BYTES_MAX = 32 * PASSAGE_BYTES_MAX
};

#define BELOW " > "

/* Stands ahead of the entry in a path of headings. */
#define ENTRY_MARK "\xE2\x80\xBA "

struct cutter {
    const struct page_doc *doc;
    struct arena *a;
    struct passage_text *list;
    size_t count, size;
    struct buf text;           /* of the passage being filled */
    struct buf parts;          /* what it is made of, as in passage_text */
    const struct block *block; /* at hand */
    bool begins;               /* nothing of it was added yet */
    const char *said;          /* its language, if that is told; "" */
    const char *lang;          /* the passage's, likewise */
    size_t words;
    bool tied; /* its last block belongs to the next one */
    size_t start;
    const char *levels[7];          /* open headings by level, 1-6 */
    const struct definition *entry; /* that the passage goes on with; NULL */
    const char *heading;            /* their path */
};

/* The language of so many words, "" where they do not tell. */
static const char *language_of(const char *p, size_t n, size_t words)
{
    return words < LANGUAGE_WORDS
               ? ""
               : part_language(p, utf8_cut(p, n, LANGUAGE_BYTES));
}

/* Words between spaces; two characters of unspaced script make one. */
static size_t count_words(const char *p, size_t n)
{
    size_t words = 0, unspaced = 0;
    bool inside = false;

    for (size_t i = 0; i < n;) {
        uint32_t cp = (unsigned char)p[i];
        size_t len = 1;

        if (cp >= 0xE1) {
            len = utf8_decode(p + i, n - i, &cp);
            if (char_kind_of(cp) == CHAR_CJK)
                unspaced++;
        }
        if (cp == ' ' || (cp >= '\t' && cp <= '\r')) {
            inside = false;
        } else if (!inside) {
            inside = true;
            words++;
        }
        i += len;
    }
    return words + unspaced / 2;
}

/* The letter of a block's kind; see passage_text. */
static char kind_letter(const struct block *b)
{
    switch (b->kind) {
    case BLOCK_LIST_ITEM:
        return (char)((b->begins ? 'I' : 'i') + (b->level <= 1 ? 0
                                                 : b->level > LIST_LEVELS
                                                     ? LIST_LEVELS - 1
                                                     : b->level - 1));
    case BLOCK_TABLE_ROW:
        return 'r';
    case BLOCK_CODE:
        return 'c';
    case BLOCK_QUOTE:
        return 'q';
    case BLOCK_PARA:
        return b->entry == NULL ? 'p' : 'P';
    case BLOCK_HEADING:
        break;
    }
    return 'p';
}

static bool is_inside(const struct definition *x, const struct definition *of)
{
    while (x != NULL && x != of)
        x = x->around;
    return x != NULL;
}

/* The entry that a passage goes on with which begins with what is at hand; the
 * block that begins an entry says its term itself. */
static const struct definition *entry_now(const struct cutter *c)
{
    const struct block *b = c->block;

    if (b->entry == NULL || !c->begins)
        return b->entry;
    return b > c->doc->blocks && is_inside(b[-1].entry, b->entry)
               ? b->entry
               : b->entry->around;
}

static const char *heading_now(const struct cutter *c)
{
    const char *gap = c->heading[0] == '\0' ? "" : " ";

    return c->entry == NULL ? c->heading
                            : arena_printf(c->a, "%s%s" ENTRY_MARK "%s",
                                           c->heading, gap, c->entry->name);
}

static enum err add_passage(struct cutter *c, const char *text)
{
    if (!arena_grow(c->a, &c->list, c->count, 1, &c->size, sizeof *c->list))
        return ERR_NOMEM;
    c->list[c->count].heading = heading_now(c);
    c->list[c->count].text = text;
    c->list[c->count].start = c->start;
    c->list[c->count].lang =
        c->lang[0] != '\0' ? c->lang : language_of(text, c->text.len, c->words);
    c->list[c->count].parts =
        arena_strndup(c->a, buf_str(&c->parts), c->parts.len);
    if (c->list[c->count].parts == NULL || c->list[c->count].heading == NULL)
        return ERR_NOMEM;
    c->count++;
    return ERR_OK;
}

static enum err flush(struct cutter *c)
{
    const char *text;
    enum err e;

    if (c->text.len == 0 || c->count >= PASSAGES_MAX)
        return ERR_OK;
    text = arena_strndup(c->a, c->text.data, c->text.len);
    if (text == NULL)
        return ERR_NOMEM;
    e = add_passage(c, text);
    c->tied = false;
    c->start += c->text.len + 2;
    buf_reset(&c->text);
    buf_reset(&c->parts);
    c->words = 0;
    c->lang = "";
    return e;
}

/* Add p[0..n) after gap, or to a new passage when it does not fit any more
 * (target words) or would break a cap. */
static enum err add_piece(struct cutter *c, const char *gap, size_t gap_len,
                          const char *p, size_t n, size_t target)
{
    size_t words = count_words(p, n);

    if (c->text.len > 0 && (c->words + words > target ||
                            c->text.len + gap_len + n > PASSAGE_BYTES_MAX)) {
        enum err e = flush(c);

        if (e != ERR_OK)
            return e;
    }
    if (c->text.len > 0)
        buf_add(&c->text, gap, gap_len);
    else
        c->entry = entry_now(c);
    if (c->begins || c->text.len == 0) {
        buf_addf(&c->parts, "%s%c%zu%s%s", c->parts.len == 0 ? "" : " ",
                 kind_letter(c->block), c->text.len, c->begins ? "" : "+",
                 c->block->links ? "~" : "");
        if (c->begins && c->block->number > 0)
            buf_addf(&c->parts, "#%d", c->block->number);
    }
    c->begins = false;
    if (c->said[0] != '\0')
        c->lang = c->said;
    c->words += words;
    return buf_add(&c->text, p, n);
}

/* The prefix of p that holds at most PASSAGE_WORDS and half the byte cap. */
static size_t cut_long(const char *p, size_t n)
{
    size_t end = utf8_cut(p, n, PASSAGE_BYTES_MAX / 2), cut = end;

    while (cut > 0 && count_words(p, cut) > PASSAGE_WORDS)
        cut = utf8_cut(p, n, cut * 7 / 8);
    end = cut;
    while (cut > end / 2 && !ascii_is_space(p[cut]))
        cut--;
    return cut > end / 2 ? cut : end > 0 ? end : n;
}

/* One sentence; cut at spaces when it alone is too long. */
static enum err add_sentence(struct cutter *c, const char *gap, size_t gap_len,
                             const char *p, size_t n, size_t target)
{
    enum err e;

    while (n > PASSAGE_BYTES_MAX || count_words(p, n) > PASSAGE_WORDS_MAX) {
        size_t cut = cut_long(p, n);

        e = add_piece(c, gap, gap_len, p, cut, PASSAGE_WORDS);
        if (e != ERR_OK)
            return e;
        gap = p + cut;
        p += cut;
        n -= cut;
        while (n > 0 && ascii_is_space(*p)) {
            p++;
            n--;
        }
        gap_len = (size_t)(p - gap);
    }
    return n == 0 ? ERR_OK : add_piece(c, gap, gap_len, p, n, target);
}

/* Piece by piece, the original text kept between pieces of one block. */
static enum err add_split(struct cutter *c, const char *text, size_t n,
                          size_t words)
{
    size_t parts = (words + PASSAGE_WORDS - 1) / PASSAGE_WORDS;
    size_t target = words / (parts == 0 ? 1 : parts) + 10, count, end = 0;
    struct span *spans;
    enum err e = sentences_split(text, n, c->a, &spans, &count);

    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        const char *gap = i == 0 ? "\n" : text + end;
        size_t gap_len = i == 0 ? 1 : spans[i].start - end;

        e = add_sentence(c, gap, gap_len, text + spans[i].start, spans[i].len,
                         target > PASSAGE_WORDS ? PASSAGE_WORDS : target);
        end = spans[i].start + spans[i].len;
    }
    return e;
}

static bool is_part(enum block_kind kind)
{
    return kind == BLOCK_LIST_ITEM || kind == BLOCK_TABLE_ROW ||
           kind == BLOCK_CODE;
}

/* A short line that ends no sentence. */
static bool is_caption(const char *text, size_t n)
{
    return n > 0 && n <= CAPTION_BYTES &&
           count_words(text, n) <= CAPTION_WORDS &&
           strchr(".!?;,", text[n - 1]) == NULL && !sentence_is_closed(text, n);
}

/* Words that must stay together with block i: those of the item, row or
 * listing that it introduces, or of the paragraph or table whose caption it
 * is.
 */
static size_t words_introduced(const struct cutter *c, size_t i)
{
    const struct block *b = &c->doc->blocks[i];
    size_t n = strlen(b->text), next;

    if (n == 0 || i + 1 >= c->doc->block_count)
        return 0;
    next = strlen(b[1].text);
    if (b->kind != BLOCK_TABLE_ROW && b->kind != BLOCK_CODE &&
        b[1].kind == BLOCK_PARA && is_caption(b->text, n) &&
        !is_caption(b[1].text, next))
        return count_words(b[1].text, next);
    if (is_part(b->kind) || !is_part(b[1].kind))
        return 0;
    if (b->text[n - 1] != ':' &&
        (b[1].kind != BLOCK_TABLE_ROW || n > TABLE_CAPTION_BYTES))
        return 0;
    next = count_words(b[1].text, next);
    return next > PASSAGE_WORDS / 2 ? 0 : next;
}

static enum err add_block(struct cutter *c, size_t i)
{
    const char *text = c->doc->blocks[i].text;
    size_t n = strlen(text), words = count_words(text, n);
    size_t introduced = words_introduced(c, i), group = words + introduced;
    enum err e = ERR_OK;

    if (n == 0)
        return ERR_OK;
    c->said =
        c->doc->blocks[i].kind == BLOCK_CODE ? "" : language_of(text, n, words);
    if ((c->said[0] != '\0' && c->lang[0] != '\0' &&
         strcmp(c->said, c->lang) != 0) ||
        (!c->tied && c->words >= WORDS_ENOUGH &&
         c->words + group > PASSAGE_WORDS + 10) ||
        (c->text.len > 0 && c->entry != NULL &&
         !is_inside(c->doc->blocks[i].entry, c->entry)))
        e = flush(c);
    if (e != ERR_OK)
        return e;
    c->tied = introduced > 0;
    c->block = &c->doc->blocks[i];
    c->begins = true;
    if (c->words + words <= PASSAGE_WORDS_MAX &&
        c->text.len + n + 1 <= PASSAGE_BYTES_MAX)
        return add_piece(c, "\n", 1, text, n, PASSAGE_WORDS_MAX);
    return add_split(c, text, n, words);
}

/* A heading of n bytes as far as there is room: whole words. */
static size_t heading_fit(const char *z, size_t n)
{
    size_t fit = utf8_cut(z, n, HEADING_BYTES), at = fit;

    while (fit < n && at > 0 && z[at] != ' ')
        at--;
    return at > 0 ? at : fit;
}

/* "A > B": the deepest levels for which there is room, without the title's
 * repetition. */
static enum err set_path(struct cutter *c)
{
    struct buf path;
    const char *part[7];
    size_t len[7], count = 0, from, bytes = 0;

    for (int i = 1; i <= 6; i++)
        if (c->levels[i] != NULL && strcmp(c->levels[i], c->doc->title) != 0) {
            part[count] = c->levels[i];
            len[count] = heading_fit(part[count], strlen(part[count]));
            count++;
        }
    for (from = count; from > 0 && count - from < HEADING_LEVELS; from--) {
        bytes += len[from - 1] + (from < count ? strlen(BELOW) : 0);
        if (bytes > HEADING_BYTES)
            break;
    }
    buf_init(&path, HEADING_BYTES + 1);
    for (size_t i = from; i < count; i++) {
        if (i > from)
            buf_adds(&path, BELOW);
        buf_add(&path, part[i], len[i]);
    }
    c->heading = arena_strndup(c->a, buf_str(&path), path.len);
    buf_fini(&path);
    return c->heading == NULL ? ERR_NOMEM : ERR_OK;
}

static enum err open_heading(struct cutter *c, const struct block *b)
{
    int level = b->level < 1 ? 1 : b->level > 6 ? 6 : b->level;
    enum err e = flush(c);

    if (e != ERR_OK)
        return e;
    for (int i = level; i <= 6; i++)
        c->levels[i] = NULL;
    c->levels[level] = b->text[0] == '\0' ? NULL : b->text;
    return set_path(c);
}

static enum err cut_blocks(struct cutter *c, bool headings_are_text)
{
    const struct page_doc *doc = c->doc;
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < doc->block_count; i++) {
        if (c->count >= PASSAGES_MAX)
            break;
        if (doc->blocks[i].kind == BLOCK_HEADING && !headings_are_text)
            e = open_heading(c, &doc->blocks[i]);
        else
            e = add_block(c, i);
    }
    return e == ERR_OK ? flush(c) : e;
}

enum err passages_cut(const struct page_doc *doc, struct arena *a,
                      struct passage_text **out, size_t *count)
{
    struct cutter c = {
        .doc = doc, .a = a, .heading = "", .said = "", .lang = ""};
    enum err e;

    buf_init(&c.text, PASSAGE_BYTES_MAX);
    buf_init(&c.parts, PARTS_BYTES_MAX);
    e = cut_blocks(&c, false);
    /* A page of nothing but headings is still worth finding. */
    if (e == ERR_OK && c.count == 0) {
        c.heading = "";
        e = cut_blocks(&c, true);
    }
    buf_fini(&c.text);
    buf_fini(&c.parts);
    if (e != ERR_OK)
        return e;
    *out = c.list;
    *count = c.count;
    return ERR_OK;
}

/* The figures at *z, which moves behind them. */
static size_t figures(const char **z)
{
    size_t n = 0;

    for (; ascii_is_digit(**z) && n < SIZE_MAX / 16; ++*z)
        n = n * 10 + (size_t)(**z - '0');
    return n;
}

/* Does the language stand in front? */
static bool has_language(const char *parts)
{
    return ascii_is_alpha(parts[0]) && ascii_is_alpha(parts[1]) &&
           parts[2] == ' ';
}

enum lang passage_language(const char *parts, enum lang page)
{
    return parts != NULL && has_language(parts) ? lang_of_tag(parts) : page;
}

/* The kind of a part by its letter. */
static void kind_read(char letter, struct passage_part *out)
{
    char small = ascii_lower(letter);
    bool item = small >= 'i' && small < 'i' + LIST_LEVELS;

    out->level = item ? (size_t)(small - 'i' + 1) : 0;
    out->kind = item && small > 'i' ? 'j' : small;
    out->begins = item && letter != small;
    out->inside = !item && letter != small;
}

/* The bytes of a dash between words at z; 0: there is none. */
static size_t dash_at(const char *z, size_t n)
{
    static const char *const dashes[] = {" -- ", " \xE2\x80\x93 ",
                                         " \xE2\x80\x94 "};

    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
        if (n >= strlen(dashes[i]) &&
            memcmp(z, dashes[i], strlen(dashes[i])) == 0)
            return strlen(dashes[i]);
    return 0;
}

/* Does the dash of that many bytes part what precedes it from the rest of its
 * sentence? Not "The pump -- when full -- drains", "1990 -- 2000". */
static bool parts_term(const char *text, size_t n, size_t at, size_t dash)
{
    size_t from = at + dash;

    if (at == 0 || from >= n ||
        (ascii_is_digit(text[at - 1]) && ascii_is_digit(text[from])))
        return false;
    for (size_t i = from; i < n && !(text[i - 1] == '.' && text[i] == ' '); i++)
        if (dash_at(text + i, n - i) > 0)
            return false;
    return true;
}

/* Where a term ends: at a colon, or at a dash, too; 0: there is none. */
static size_t term_end(const char *text, size_t n, size_t max, bool dashes)
{
    size_t depth = 0, bytes = 0;

    for (size_t i = 0, dash; i + 1 < n && bytes + 1 < max; i++) {
        if (strchr("([{", text[i]) != NULL && text[i] != '\0')
            depth++;
        else if (strchr(")]}", text[i]) != NULL && depth > 0)
            depth--;
        else if (depth == 0 && text[i] == ':' && text[i + 1] == ' ')
            return i;
        else if (dashes && depth == 0 && (dash = dash_at(text + i, n - i)) > 0)
            return parts_term(text, n, i, dash) ? i : 0;
        bytes += depth == 0;
    }
    return 0;
}

size_t passage_term(const char *text, size_t n, size_t max)
{
    return term_end(text, n, max, false);
}

size_t passage_told(const char *text, size_t n, size_t max)
{
    return term_end(text, n, max, true);
}

bool passage_part_next(const char **z, size_t n, struct passage_part *out)
{
    const char *end, *behind;
    size_t start, next = n;

    if (has_language(*z))
        *z += 3;
    if (**z == '\0')
        return false;
    end = *z + 1;
    kind_read(**z, out);
    start = figures(&end);
    out->goes_on = *end == '+';
    end += out->goes_on;
    out->links = *end == '~';
    end += out->links;
    out->number = 0;
    if (*end == '#') {
        end++;
        out->number = figures(&end);
    }
    end += strspn(end, " ");
    *z = end;
    behind = *end == '\0' ? end : end + 1;
    if (*end != '\0')
        next = figures(&behind);
    out->start = start;
    out->len = next - start;
    return start <= next && next <= n;
}

/* Where the entry of a path of headings begins, with its mark; NULL: none. */
static const char *entry_mark(const char *path)
{
    const char *found = NULL, *z = path;

    while ((z = strstr(z, ENTRY_MARK)) != NULL)
        found = z++;
    return found;
}

size_t heading_section(const char *path)
{
    const char *mark = entry_mark(path);
    size_t n = mark == NULL ? strlen(path) : (size_t)(mark - path);

    while (mark != NULL && n > 0 && path[n - 1] == ' ')
        n--;
    return n;
}

const char *heading_within(const char *path, const char *entry, size_t n,
                           struct arena *a)
{
    size_t section = heading_section(path);

    return arena_printf(a, "%.*s%s" ENTRY_MARK "%.*s", (int)section, path,
                        section > 0 ? " " : "", (int)n, entry);
}

bool heading_same_section(const char *path, const char *other)
{
    size_t n = heading_section(path);

    return n == heading_section(other) && memcmp(path, other, n) == 0;
}

const char *heading_last(const char *path)
{
    const char *mark = entry_mark(path), *next;

    if (mark != NULL)
        return mark + strlen(ENTRY_MARK);
    while ((next = strstr(path, " > ")) != NULL)
        path = next + 3;
    return path;
}

struct str heading_above(const char *path)
{
    const char *last = heading_last(path), *next;
    struct str s = {path, heading_section(path)};

    if (last != path && last < path + s.n)
        s.n = (size_t)(last - path) - 3;
    else if (last == path)
        s.n = 0;
    while ((next = memmem(s.p, s.n, " > ", 3)) != NULL) {
        s.n -= (size_t)(next + 3 - s.p);
        s.p = next + 3;
    }
    return s;
}

struct str page_title(const char *title)
{
    static const char *const marks[] = {" \xE2\x80\x94 ", " \xE2\x80\x93 ",
                                        " - ", " | "};
    struct str s = str_of(title);

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t at = view_find_last(s, marks[i]);

        if (at < s.n)
            s.n = at;
    }
    return s;
}
