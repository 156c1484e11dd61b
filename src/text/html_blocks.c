/*
 * Kept nodes to blocks: paragraphs, headings, list items, code, quotes and
 * table rows in page order. A loop over the flat tree with the events "enter"
 * and "leave". What is kept is decided before (html_main.c); here only what
 * says nothing more goes: a title said twice, what led to links that are gone.
 */
#include "base/buf.h"
#include "text/block_list.h"
#include "text/footnotes.h"
#include "text/html_asked.h"
#include "text/html_looks.h"
#include "text/html_parts.h"
#include "text/html_table.h"
#include "text/html_tree.h"
#include "text/passage.h"
#include "text/prose.h"

#include <string.h>

enum {
    TERM_BYTES = 500,
    ENTRIES_MAX = 16, /* inside each other; deeper ones are their parent's */
    MARK_BYTES = 16,
    NOTE_CHARS = 500,    /* of one in a sentence */
    EXPANSIONS_MAX = 64, /* of abbreviations in a page */
    OPTION_BYTES = 100,
    EXPANSION_LEAST = 5,
    EXPANSION_BYTES = 80,
    EXPANSION_CHARS = 20, /* of what is short for it */
    PROTOTYPE_CHARS = 2000,
    TABS_MAX = 200,    /* of a page, that are looked for */
    TAB_NODES = 2000,  /* between a tab and what it leads to, at most */
    TITLE_BYTES = 160, /* of a bold line that heads what follows */
    PROSE_BYTES = 60,  /* that what follows must have */
    BREAKS_MAX = 64,   /* of a paragraph; one of more is none of lines */
    LINES_LEAST = 2,   /* of a listing without a mark */
    OPEN_MAX = TREE_DEPTH_MAX
};

struct emitter {
    const struct dom *d;
    struct arena *a;
    struct block_list blocks;
    struct buf line;  /* of the block being filled */
    struct buf term;  /* of a definition list, until its definition comes */
    struct buf label; /* "Note", until what is to be noted comes */
    uint32_t label_at, box_at; /* the node that says it; what it is said of */
    uint32_t told_at, told_behind; /* looks_told */
    uint32_t literal_at; /* a block whose lines are set as typed; 0 = none */
    uint32_t lines_at;   /* a listing whose lines are blocks; 0 = none */
    uint32_t *open;      /* entered elements, innermost last */
    size_t depth, open_max;
    int heading, pre, quotes;
    uint32_t told[ENTRIES_MAX]; /* quotes that tell of a term, open ones */
    size_t told_count;
    bool typed_line;            /* the last block is code in a line */
    int quoted_at[ENTRIES_MAX]; /* lists that the quote stands in */
    bool item_due;              /* the next block is a list item */
    bool list_begun;            /* … the first of its list */
    bool in_term, term_due;
    const struct definition
        *entries[ENTRIES_MAX]; /* of the definitions that are open */
    size_t definitions;
    const struct definition *last; /* of the one before; NULL behind a term */
    struct footnotes notes;
    bool after_break;
    size_t tabs;               /* looked for */
    size_t breaks[BREAKS_MAX]; /* where in the line one is a space */
    size_t break_count;
    uint32_t chars, linked; /* of the line; of them, in links */
    uint32_t typed;         /* of them, in what marks code */
    bool bold, valued, plain; /* the line has text that is bold, such as may be
                                 a value, slanted or of one sign, and such that
                                 is neither bold nor slanted */
    size_t title_at;  /* a bold line's block + 1, until its successor comes */
    bool gone;        /* links were left out behind the last block */
    int last_heading; /* level */
    int margin;       /* of the last paragraph, in percent */
    uint32_t rubric_at, option_at; /* the paragraph that is one; 0: none */
    int rubric_below; /* that of one that is Sphinx's rubric; 0: in none */
    uint32_t asked_at; /* a list or table of questions and answers; 0: in none */
    uint32_t question_at; /* the question of it that is read; 0: none */
    int asked;            /* the level of its questions, once there is one */
    const char *expansions[EXPANSIONS_MAX]; /* of abbreviations */
    size_t expansion_count;
    struct table table; /* of data, that is being read */
    bool failed;
};

static enum block_kind kind_now(const struct emitter *m, int *level)
{
    *level = 0;
    if (m->pre > 0)
        return BLOCK_CODE;
    if (m->heading > 0) {
        *level = m->heading;
        return BLOCK_HEADING;
    }
    if (m->item_due) {
        *level = m->blocks.depth > 0 ? m->blocks.depth : 1;
        return BLOCK_LIST_ITEM;
    }
    return m->quotes > 0 && m->blocks.depth <=
                                m->quoted_at[(m->quotes - 1) % ENTRIES_MAX]
               ? BLOCK_QUOTE
               : BLOCK_PARA;
}

/* A term that is a mark for machines ("R-00013-61831-…"), not a word. */
static bool is_mark(const struct buf *term)
{
    size_t digits = 0;

    for (size_t i = 0; i < term->len; i++) {
        if (ascii_is_space(term->data[i]))
            return false;
        digits += ascii_is_digit(term->data[i]);
    }
    return term->len >= MARK_BYTES && digits * 3 > term->len * 2;
}

/* The definition at hand is that of the term. */
static void open_entry(struct emitter *m)
{
    const struct definition *entry;

    if (m->definitions == 0 || m->definitions > ENTRIES_MAX ||
        m->entries[m->definitions - 1] != NULL)
        return;
    entry = block_entry(&m->blocks, m->term.data, m->term.len);
    if (entry == NULL)
        return;
    m->entries[m->definitions - 1] = entry;
    m->blocks.entry = entry;
}

/* A block of what was kept aside: a term, a label. Nothing of the line that is
 * being filled is in it. */
static void put_kept(struct emitter *m, enum block_kind kind,
                     const struct buf *kept)
{
    int depth = m->blocks.depth;
    bool item = kind == BLOCK_LIST_ITEM;

    block_list_add(&m->blocks, kind,
                   !item       ? 0
                   : depth > 0 ? depth
                               : 1,
                   kept->data, kept->len);
    m->title_at = 0;
    m->typed_line = false;
    if (!item || m->blocks.failed)
        return;
    m->blocks.list[m->blocks.count - 1].begins = m->list_begun;
    m->list_begun = false;
}

/* The head and what stands between them in front of what is in the line. */
static void put_ahead(struct emitter *m, struct buf *head, const char *between)
{
    struct buf joined;

    buf_init(&joined, HTML_BYTES_MAX);
    buf_add(&joined, head->data, head->len);
    buf_adds(&joined, between);
    buf_add(&joined, buf_str(&m->line), m->line.len);
    buf_fini(&m->line);
    m->line = joined;
    buf_reset(head);
}

/* "term: " in front of what is in the line. */
static void put_term(struct emitter *m)
{
    m->term_due = false;
    m->item_due = true;
    if (is_mark(&m->term)) {
        put_kept(m, BLOCK_PARA, &m->term);
        buf_reset(&m->term);
        return;
    }
    open_entry(m);
    put_ahead(m, &m->term, m->term.data[m->term.len - 1] != ':' ? ": " : " ");
}

/* The term of what begins with a list, a table or a listing is an item. */
static void put_bare_term(struct emitter *m)
{
    if (!m->term_due || m->term.len == 0)
        return;
    open_entry(m);
    if (m->term.data[m->term.len - 1] != ':')
        buf_addc(&m->term, ':');
    put_kept(m, BLOCK_LIST_ITEM, &m->term);
    m->linked = m->chars = m->typed = 0;
    buf_reset(&m->term);
    m->term_due = false;
}

/* What the label was to stand in front of is no text, or there is none. */
static void flush_label(struct emitter *m)
{
    if (m->label.len > 0)
        put_kept(m, BLOCK_PARA, &m->label);
    buf_reset(&m->label);
}

/* "Note: " in front of what is in the line. */
static void put_label(struct emitter *m)
{
    char last = m->label.data[m->label.len - 1];

    if (m->heading > 0 || m->pre > 0) {
        flush_label(m);
        return;
    }
    put_ahead(m, &m->label, strchr(".:!?", last) == NULL ? ": " : " ");
}

static void trim_line(struct emitter *m)
{
    struct buf *b = &m->line;

    while (b->len > 0 && ascii_is_space(b->data[b->len - 1]))
        b->data[--b->len] = '\0';
}

/* Where the text of the line begins: a listing keeps its first indent. */
static size_t line_start(const struct emitter *m)
{
    const struct buf *b = &m->line;
    size_t from = 0;

    for (size_t i = 0; i < b->len && ascii_is_space(b->data[i]); i++)
        if (m->pre == 0 || b->data[i] == '\n')
            from = i + 1;
    return from;
}

/* "Q9. I can only get …", as some questions are numbered. */
static bool is_numbered_question(const char *z)
{
    size_t digits = z[0] == 'Q' ? strspn(z + 1, "0123456789") : 0;

    return digits > 0 && z[digits + 1] != '\0' &&
           strchr(".:)", z[digits + 1]) != NULL;
}

/* A bold line heads the prose or the listing behind it, a bold question
 * whatever is said to it. */
static void settle_title(struct emitter *m, enum block_kind kind, size_t n)
{
    struct block *b;

    if (m->title_at == 0 || m->title_at != m->blocks.count)
        return;
    b = &m->blocks.list[m->title_at - 1];
    m->title_at = 0;
    if (kind == BLOCK_CODE || kind == BLOCK_TABLE_ROW ||
        ((kind == BLOCK_PARA || kind == BLOCK_QUOTE) &&
         (n >= PROSE_BYTES || b->text[strlen(b->text) - 1] == '?' ||
          is_numbered_question(b->text)))) {
        b->kind = BLOCK_HEADING;
        b->level = m->last_heading < 6 ? m->last_heading + 1 : 6;
    }
}

/* The last block is mostly the text of links. */
static void mark_links(struct emitter *m, uint32_t linked, uint32_t chars)
{
    if (m->blocks.count > 0)
        m->blocks.list[m->blocks.count - 1].links = linked * 2ull > chars;
}

/* Short, bold, no command with an option, no name with its value, "Default:
 * true", without the punctuation that ends a statement or leads on? */
static bool is_title_line(const struct emitter *m, enum block_kind kind,
                          const char *z, size_t n)
{
    return m->bold && !m->plain &&
           (kind == BLOCK_PARA || kind == BLOCK_LIST_ITEM) &&
           n <= TITLE_BYTES && n > 2 && z[0] != '-' &&
           mem_find(z, n, " --") == NULL &&
           !(m->valued && mem_find(z, n, ": ") != NULL) &&
           (strchr(".,:!", z[n - 1]) == NULL || is_numbered_question(z));
}

/* What led to links that were left out goes with them: a short line with a
 * colon, a title, a heading where one of its rank (0: the page's end) comes. */
static void drop_orphans(struct emitter *m, int rank)
{
    struct block_list *l = &m->blocks;

    while (m->gone && l->count > 1) {
        const struct block *b = &l->list[l->count - 1];
        size_t n = strlen(b->text);
        bool colon = n <= TITLE_BYTES && b->text[n - 1] == ':';

        if (b->kind == BLOCK_HEADING
                ? b->level < rank
                : b->kind != BLOCK_PARA || (!colon && m->title_at != l->count))
            break;
        l->count--;
    }
    m->gone = false;
}

/* Does the line say what the heading in front of it says? Of two headings the
 * second one is the text's. */
static bool repeats_heading(struct emitter *m, enum block_kind kind,
                            const char *z, size_t n)
{
    struct block_list *l = &m->blocks;
    const struct block *b = l->count > 0 ? &l->list[l->count - 1] : NULL;

    if (b == NULL || b->kind != BLOCK_HEADING ||
        !str_ieq((struct str){z, n}, b->text))
        return false;
    if (kind == BLOCK_HEADING)
        l->count--;
    return kind == BLOCK_PARA;
}

static void put_line(struct emitter *m, enum block_kind kind, int level,
                     const char *z, size_t n)
{
    bool title = is_title_line(m, kind, z, n);

    if (repeats_heading(m, kind, z, n)) {
        m->linked = m->chars = m->typed = 0;
        return;
    }
    drop_orphans(m, kind == BLOCK_HEADING ? level : 7);
    settle_title(m, kind, n);
    block_list_add(&m->blocks, kind, level, z, n);
    m->typed_line = m->chars > 0 && m->typed * 10ull >= m->chars * 9ull;
    mark_links(m, m->linked, m->chars);
    m->linked = m->chars = m->typed = 0;
    if (kind == BLOCK_LIST_ITEM && !m->blocks.failed) {
        m->blocks.list[m->blocks.count - 1].begins = m->list_begun;
        m->list_begun = false;
    }
    if (kind == BLOCK_HEADING)
        m->last_heading = level;
    m->title_at = title && !m->blocks.failed ? m->blocks.count : 0;
}

/* Does the line define the term: is it no listing, heading, or what a picture
 * is called? */
static bool defines_term(const struct emitter *m)
{
    return m->term_due && m->term.len > 0 && m->heading == 0 && m->pre == 0 &&
           (m->depth == 0 || !looks_captioned(m->d, m->open[m->depth - 1]));
}

/* Does a line end as those of a program do, or begin as what is typed does? */
static bool is_code_line(struct str s)
{
    return s.n > 0 &&
           (strchr(";{}", s.p[s.n - 1]) != NULL ||
            (s.n > 2 && strchr("$#>%", s.p[0]) != NULL && s.p[1] == ' '));
}

/* Where break i stands in the line; its end behind the last and where a note's
 * mark took the space. */
static size_t break_at(const struct emitter *m, size_t i)
{
    size_t at = i < m->break_count ? m->breaks[i] : m->line.len;

    return at < m->line.len && m->line.data[at] == ' ' ? at : m->line.len;
}

/* Two of three lines of a paragraph are a program's: a listing, whose lines end
 * where the breaks are. */
static bool take_lines(struct emitter *m)
{
    size_t lines = 0, code = 0;

    if (m->break_count == BREAKS_MAX)
        return false;
    for (size_t i = 0, at = 0, end; i <= m->break_count && at < m->line.len;
         i++, at = end) {
        struct str s;

        end = break_at(m, i);
        s = str_trim((struct str){m->line.data + at, end - at});
        lines += s.n > 0;
        code += is_code_line(s);
    }
    if (lines < LINES_LEAST ||
        (code * 3 < lines * 2 && m->typed * 10ull < m->chars * 9ull))
        return false;
    for (size_t i = 0; i < m->break_count; i++)
        if (break_at(m, i) < m->line.len)
            m->line.data[break_at(m, i)] = '\n';
    return true;
}

static void flush(struct emitter *m)
{
    enum block_kind kind;
    size_t from;
    int level;

    m->after_break = false;
    m->failed = m->failed || buf_err(&m->line) != ERR_OK;
    trim_line(m);
    if (m->line.len == 0) {
        m->break_count = 0;
        buf_reset(&m->line);
        return;
    }
    if (m->label_at > 0) {
        buf_adds(&m->label, m->label.len > 0 ? " " : "");
        buf_add(&m->label, m->line.data, m->line.len);
        m->failed = m->failed || buf_err(&m->label) == ERR_NOMEM;
        buf_reset(&m->line);
        return;
    }
    if (m->in_term) {
        /* ": arrayfun (func, A)": a kind that nobody named stands ahead. */
        from = strncmp(m->line.data, ": ", 2) == 0 ? 2 : 0;
        if (m->term.len < TERM_BYTES && from < m->line.len) {
            buf_adds(&m->term, m->term.len > 0 ? ", " : "");
            buf_add(
                &m->term, m->line.data + from,
                utf8_cut(m->line.data + from, m->line.len - from, TERM_BYTES));
        }
        buf_reset(&m->line);
        return;
    }
    m->failed = m->failed || buf_err(&m->term) == ERR_NOMEM;
    if (footnotes_at_start(&m->notes, &m->blocks) &&
        dom_is_note_text(m->line.data, m->line.len)) {
        buf_reset(&m->line);
        return;
    }
    if (m->label.len > 0 || defines_term(m))
        m->break_count = 0; /* what is put in front moves them */
    if (m->label.len > 0)
        put_label(m);
    if (defines_term(m))
        put_term(m);
    kind = kind_now(m, &level);
    if ((kind == BLOCK_PARA || kind == BLOCK_QUOTE) && take_lines(m))
        kind = BLOCK_CODE;
    m->break_count = 0;
    m->failed = m->failed || buf_err(&m->line) != ERR_OK;
    from = line_start(m);
    if (from < m->line.len)
        put_line(m, kind, level, m->line.data + from, m->line.len - from);
    m->bold = m->valued = m->plain = false;
    if (m->question_at > 0)
        m->heading = 0; /* what else it tells is no heading */
    if (kind == BLOCK_LIST_ITEM || kind == BLOCK_HEADING)
        m->item_due = false; /* one that begins with a heading is a section */
    buf_reset(&m->line);
}

/* A term that never got a definition is a paragraph; of an empty one, an item.
 */
static void flush_term(struct emitter *m)
{
    flush(m);
    if (m->term.len > 0) {
        put_kept(m, m->term_due ? BLOCK_LIST_ITEM : BLOCK_PARA, &m->term);
        mark_links(m, m->linked, m->chars);
        m->linked = m->chars = m->typed = 0;
    }
    buf_reset(&m->term);
    m->term_due = false;
}

/* Typed text, whose spaces are spaces; by breaks: these end its lines alone. */
static void add_typed(struct emitter *m, const char *z, bool by_breaks)
{
    while (*z != '\0') {
        size_t n = strcspn(z, by_breaks ? "\r\n\xC2\xE2" : "\xC2\xE2");

        buf_add(&m->line, z, n);
        z += n;
        if (strncmp(z, "\xC2\xA0", 2) == 0) {
            buf_addc(&m->line, ' ');
            z += 2;
        } else if (strncmp(z, "\xE2\x80\x8B", 3) == 0) {
            z += 3; /* where a line may be broken */
        } else if (*z == '\xC2' || *z == '\xE2') {
            buf_addc(&m->line, *z++);
        } else if (*z != '\0') {
            z++; /* behind a break nothing, else a space */
            if (m->line.len > 0 && m->line.data[m->line.len - 1] != '\n')
                buf_addc(&m->line, ' ');
            else if (m->line.len == 0)
                z += strspn(z, " \t"); /* as its page is set */
        }
    }
}

static void add_text(struct emitter *m, const char *z)
{
    if (m->pre > 0) {
        add_typed(m, z, m->literal_at > 0);
        return;
    }
    if (m->after_break && z[strspn(z, " \t\r\n\f")] != '\0')
        m->after_break = false;
    block_text_add(&m->line, z, strlen(z));
}

/* Is the line one of several terms, and no beginning of a long one? */
static bool is_whole_term(const struct emitter *m)
{
    int depth = 0;

    if (m->line.len > 2 * TERM_BYTES)
        return true; /* more than a term has, however it goes on */
    for (size_t i = 0; i < m->line.len; i++)
        depth += (m->line.data[i] == '(') - (m->line.data[i] == ')');
    return depth <= 0;
}

/* Nothing, or "(optional)"? Of what is short. */
static bool is_aside(const char *z)
{
    enum { ASIDE_BYTES = 200 };
    struct str s = str_trim((struct str){z, strnlen(z, ASIDE_BYTES)});

    if (z[strnlen(z, ASIDE_BYTES)] != '\0')
        return false;
    return s.n == 0 || (s.p[0] == '(' && s.p[s.n - 1] == ')');
}

/* Is all that the item says in front of its first break, at node i, marked as
 * a term or as code, of which the item tells behind it? */
static bool is_term_break(const struct emitter *m, uint32_t i)
{
    const struct dom *d = m->d;
    uint32_t item = d->nodes[i].parent, k = item + 1, first;
    char last = m->line.len > 1 ? m->line.data[m->line.len - 1] : '.';

    if (d->nodes[item].tag != TAG_LI || strchr(".:,;!?", last) != NULL)
        return false;
    while (k < i && d->nodes[k].is_text && d->nodes[k].text <= 1)
        k++;
    switch ((enum tag)d->nodes[k].tag) {
    case TAG_B:
    case TAG_CODE:
    case TAG_KBD:
    case TAG_SPAN:
    case TAG_STRONG:
    case TAG_TT:
        break;
    default:
        return false;
    }
    first = k;
    k = d->nodes[k].end;
    while (k < i && d->nodes[k].is_text && is_aside(d->nodes[k].data))
        k++;
    if (k != i)
        return false;
    k = i + 1;
    while (k < d->nodes[item].end && d->nodes[k].is_text &&
           is_aside(d->nodes[k].data) && strchr(d->nodes[k].data, '(') == NULL)
        k++;
    return k < d->nodes[item].end && d->nodes[k].tag != d->nodes[first].tag;
}

/* Does the line end here for a reader, too: a sentence or what leads on, in no
 * item or term? */
static bool ends_line(const struct emitter *m)
{
    enum { SENTENCE_END = 64 }; /* closing marks and what they close */
    const struct buf *b = &m->line;
    size_t n = b->len, from;

    while (n > 0 && b->data[n - 1] == ' ')
        n--;
    from = n > SENTENCE_END ? n - SENTENCE_END : 0;
    return n > 0 && m->blocks.depth == 0 && m->heading == 0 &&
           m->typed * 10ull < m->chars * 9ull && m->label_at == 0 &&
           (b->data[n - 1] == ':' ||
            sentence_is_closed(b->data + from, n - from));
}

/* Are the words in front of the first break of a paragraph a bold title? */
static bool is_headline(const struct emitter *m)
{
    struct str s = str_trim((struct str){buf_str(&m->line), m->line.len});

    return m->blocks.depth == 0 && m->break_count == 0 && m->heading == 0 &&
           m->label_at == 0 && is_title_line(m, BLOCK_PARA, s.p, s.n);
}

static void add_break(struct emitter *m, uint32_t i)
{
    if (m->pre > 0) {
        buf_addc(&m->line, '\n');
    } else if (m->in_term && m->line.len > 0 && is_whole_term(m)) {
        flush(m);
    } else if (m->after_break || ends_line(m) || is_headline(m)) {
        flush(m);
    } else {
        if (is_term_break(m, i))
            buf_addc(&m->line, ':');
        block_text_add(&m->line, " ", 1);
        m->after_break = m->line.len > 0;
        if (m->line.len > 0 && m->break_count < BREAKS_MAX)
            m->breaks[m->break_count++] = m->line.len - 1;
    }
}

/* --- the walk ---------------------------------------------------------- */

/* Its entry is open when its term is put in front of its first line; without
 * a term it goes on with the one before. */
static void enter_definition(struct emitter *m)
{
    const struct definition *entry = m->term.len == 0 ? m->last : NULL;

    m->term_due = m->term.len > 0;
    if (m->definitions < ENTRIES_MAX)
        m->entries[m->definitions] = entry;
    if (entry != NULL)
        m->blocks.entry = entry;
    m->definitions++;
}

static void leave_definition(struct emitter *m)
{
    m->item_due = false;
    if (--m->definitions < ENTRIES_MAX && m->entries[m->definitions] != NULL) {
        m->last = m->entries[m->definitions];
        m->blocks.entry = m->last->around;
    }
}

/* What the tab says that leads to block i, in front of what is behind it. */
static void read_tab(struct emitter *m, uint32_t i)
{
    const struct dom *d = m->d;
    const char *tab = dom_attr(&d->nodes[i], "aria-labelledby");
    const char *role = tab == NULL ? NULL : dom_attr(&d->nodes[i], "role");
    char *text;

    if (role == NULL || strcmp(role, "tabpanel") != 0 || m->tabs >= TABS_MAX)
        return;
    m->tabs++;
    for (uint32_t k = i; k > 0 && i - k < TAB_NODES; k--) {
        const char *id =
            d->nodes[k].is_text ? NULL : dom_attr(&d->nodes[k], "id");

        if (id == NULL || strcmp(id, tab) != 0)
            continue;
        text = dom_text(d, k, LABEL_BYTES, false, m->a);
        m->failed = m->failed || text == NULL;
        flush_label(m);
        buf_adds(&m->label, text == NULL ? "" : text);
        return;
    }
}

/* The picture that a box begins with says what it is: "note". */
static void read_sign(struct emitter *m, uint32_t i)
{
    const char *alt = dom_attr(&m->d->nodes[i], "alt");
    uint32_t up = m->d->nodes[m->d->nodes[i].parent].parent;

    if (alt == NULL || !m->d->nodes[up].block || strlen(alt) > BOX_NAME_MAX ||
        !looks_box_name(alt) || m->label.len > 0 ||
        !looks_box_name(dom_attr(&m->d->nodes[up], "class")))
        return;
    buf_addc(&m->label,
             ascii_is_alpha(alt[0]) ? (char)(alt[0] & ~0x20) : alt[0]);
    buf_adds(&m->label, alt + 1);
    m->box_at = up;
}

/* Another line of the listing begins. */
static void break_line(struct emitter *m)
{
    if (m->line.len > 0 && m->line.data[m->line.len - 1] != '\n')
        buf_addc(&m->line, '\n');
}

/* Node i, or what an empty line begins with, may be a footnote; of a list of
 * definitions a term that is its number. */
static void begin_note(struct emitter *m, uint32_t i)
{
    const struct node *x = &m->d->nodes[i];
    uint32_t until = i;

    if (x->tag == TAG_DT) {
        until = x->parent;
        footnotes_leave(&m->notes, until, &m->blocks);
    } else if (!x->block && m->depth > 0) {
        until = m->open[m->depth - 1];
    }
    if (footnotes_begin(&m->notes, m->d, i, until, &m->blocks) && !x->block)
        m->item_due = false;
}

/* Of a list's items; 0: they have none, or letters. */
static int first_number(const struct node *list)
{
    const char *type = dom_attr(list, "type"), *start = dom_attr(list, "start");
    int64_t first = 1;

    if (list->tag != TAG_OL || (type != NULL && strcmp(type, "1") != 0) ||
        (start != NULL && !parse_int(start, 1, INT16_MAX, &first)))
        return 0;
    return (int)first;
}

/* A paragraph that groff moved in below an option tells of it: of a manual
 * page, where nothing else says so. */
static void take_option(struct emitter *m, uint32_t i)
{
    const struct node *x = &m->d->nodes[i];
    struct block_list *l = &m->blocks;
    const struct block *b = l->count > 0 ? &l->list[l->count - 1] : NULL;
    int margin = looks_margin(x), before = m->margin;

    m->margin = margin;
    if (before == 0 || margin <= before || b == NULL || b->kind != BLOCK_PARA ||
        b->text[0] != '-' || strlen(b->text) > OPTION_BYTES ||
        m->term.len > 0 || l->depth > 0)
        return;
    buf_adds(&m->term, b->text);
    m->term_due = true;
    m->option_at = i;
    m->title_at = 0;
    l->count--;
}

/* Is the line in front of quote i code alone or one of several, which the
 * quotes tell of, as docutils sets what is moved in? Then it is the term. */
static bool tells_of_term(struct emitter *m, uint32_t i)
{
    struct block_list *l = &m->blocks;
    const struct block *b = l->count > 0 ? &l->list[l->count - 1] : NULL;

    if (b == NULL || b->kind != BLOCK_PARA ||
        !(m->typed_line || m->told_at == i) || strlen(b->text) > OPTION_BYTES ||
        m->term.len > 0 || m->told_count == ENTRIES_MAX)
        return false;
    buf_adds(&m->term, b->text);
    l->count--;
    m->title_at = 0;
    return true;
}

/* Is i a part of a list of questions and answers, which is none of a list of
 * terms and definitions? */
static bool is_asked_part(const struct emitter *m, uint32_t i)
{
    return m->asked_at > 0 && m->d->nodes[i].parent == m->asked_at;
}

/* List or table i may be one of questions and answers. */
static bool enter_asked(struct emitter *m, uint32_t i)
{
    if (m->asked_at > 0 || m->blocks.depth > 0 || !asked_holds(m->d, i))
        return false;
    m->asked_at = i;
    m->asked = 0;
    return true;
}

/* Node i may be a question; headings between them are above them. */
static void enter_question(struct emitter *m, uint32_t i)
{
    if (m->asked_at == 0 || !asked_is_question(m->d, i, m->asked_at))
        return;
    if (m->asked == 0)
        m->asked = m->last_heading < 6 ? m->last_heading + 1 : 6;
    m->question_at = i;
    m->heading = m->asked;
}

static void leave_asked(struct emitter *m, uint32_t i)
{
    if (i == m->question_at) {
        m->question_at = 0;
        m->heading = 0;
    }
    if (i != m->asked_at)
        return;
    if (m->asked > 0)
        m->last_heading = m->asked - 1;
    m->asked_at = 0;
}

static void enter_block(struct emitter *m, uint32_t i)
{
    const struct node *x = &m->d->nodes[i];
    uint32_t box = m->label_at > 0 ? 0 : looks_box_of(m->d, i);

    if (m->lines_at > 0) {
        break_line(m);
        return;
    }
    flush(m);
    begin_note(m, i);
    read_tab(m, i);
    if (looks_literal(m->d, i)) {
        put_bare_term(m);
        m->literal_at = i;
        m->pre++;
    }
    if (looks_listing(m->d, i)) {
        put_bare_term(m);
        m->lines_at = i;
        m->pre++;
        return;
    }
    if (box > 0) {
        flush_label(m);
        m->label_at = i;
        m->box_at = box;
        return;
    }
    switch ((enum tag)x->tag) {
    case TAG_H1:
    case TAG_H2:
    case TAG_H3:
    case TAG_H4:
    case TAG_H5:
    case TAG_H6:
        if (m->question_at > 0)
            break;
        if (m->asked_at > 0 && m->d->nodes[m->asked_at].tag == TAG_TABLE)
            m->asked = 0; /* one in a list is of an answer */
        m->heading = x->tag - TAG_H1 + 1;
        if (dom_attr_is(x, "class", "memtitle"))
            m->heading++; /* of Doxygen, below a group's */
        break;
    case TAG_P:
        m->told_at = looks_told(m->d, i, &m->told_behind);
        take_option(m, i);
        if (!dom_attr_is(x, "class", "rubric"))
            break;
        m->rubric_at = i;
        m->rubric_below = m->last_heading;
        if (m->blocks.depth == 0) /* else it would end the entry it is in */
            m->heading = m->last_heading < 6 ? m->last_heading + 1 : 6;
        break;
    case TAG_UL:
    case TAG_OL:
    case TAG_MENU:
    case TAG_DIR:
    case TAG_DL:
        put_bare_term(m);
        if (x->tag == TAG_DL && enter_asked(m, i))
            break;
        block_list_open(&m->blocks, m->blocks.depth, first_number(x));
        m->blocks.depth++;
        m->list_begun = true;
        m->last = NULL;
        break;
    case TAG_LI:
        block_list_item(&m->blocks, m->blocks.depth - 1);
        m->item_due = m->notes.open == NULL || m->notes.open_at != i;
        break;
    case TAG_PRE:
    case TAG_LISTING:
    case TAG_XMP:
    case TAG_PLAINTEXT:
        put_bare_term(m);
        m->pre++;
        break;
    case TAG_BLOCKQUOTE:
        if (tells_of_term(m, i)) {
            m->told[m->told_count++] = i;
            block_list_open(&m->blocks, m->blocks.depth++, 0);
            enter_definition(m);
            break;
        }
        m->quoted_at[m->quotes++ % ENTRIES_MAX] = m->blocks.depth;
        break;
    case TAG_DT:
        if (is_asked_part(m, i)) {
            enter_question(m, i);
            break;
        }
        if (m->term_due)
            flush_term(m);
        m->in_term = true;
        m->last = NULL;
        break;
    case TAG_DD:
        if (is_asked_part(m, i))
            enter_question(m, i);
        else
            enter_definition(m);
        break;
    case TAG_TR:
        enter_question(m, i);
        break;
    case TAG_TABLE:
        if (table_is_data(m->d, i))
            table_open(&m->table, m->d, i, m->a, &m->blocks);
        else
            (void)enter_asked(m, i);
        break;
    default:
        break;
    }
}

/* Is there nothing in it but <a name>, and space? */
static bool is_place(const struct dom *d, uint32_t i)
{
    uint32_t k = i + 1;

    while (k < d->nodes[i].end && d->nodes[k].is_text)
        k++;
    return k < d->nodes[i].end && d->nodes[k].tag == TAG_A;
}

/* A rubric that heads nothing says what follows, as a line with a colon. */
static void end_rubric(struct emitter *m)
{
    trim_line(m);
    if (m->line.len > 0 && strchr(".:!?", m->line.data[m->line.len - 1]) == NULL)
        buf_addc(&m->line, ':');
}

static void leave_block(struct emitter *m, uint32_t i)
{
    const struct node *x = &m->d->nodes[i];

    if (m->lines_at > 0 && i != m->lines_at) {
        break_line(m);
        return;
    }
    if (i == m->rubric_at && m->heading == 0)
        end_rubric(m);
    flush(m);
    if (i == m->literal_at) {
        m->literal_at = 0;
        m->pre--;
    }
    footnotes_leave(&m->notes, i, &m->blocks);
    if (m->lines_at > 0) {
        m->lines_at = 0;
        m->pre--;
        return;
    }
    if (i == m->box_at)
        flush_label(m);
    if (m->label_at > 0 && i == m->label_at) {
        m->label_at = 0;
        return;
    }
    switch ((enum tag)x->tag) {
    case TAG_H1:
    case TAG_H2:
    case TAG_H3:
    case TAG_H4:
    case TAG_H5:
    case TAG_H6:
        m->heading = 0;
        break;
    case TAG_P:
        if (i == m->option_at)
            flush_term(m); /* it said nothing */
        if (i != m->rubric_at)
            break;
        m->last_heading = m->rubric_below;
        m->heading = 0;
        m->rubric_at = 0;
        break;
    case TAG_UL:
    case TAG_OL:
    case TAG_MENU:
    case TAG_DIR:
        m->blocks.depth--;
        m->list_begun = false;
        break;
    case TAG_LI:
        m->blocks.number = 0;
        m->item_due = false;
        break;
    case TAG_PRE:
    case TAG_LISTING:
    case TAG_XMP:
    case TAG_PLAINTEXT:
        m->pre--;
        break;
    case TAG_BLOCKQUOTE:
        if (m->told_count > 0 && m->told[m->told_count - 1] == i) {
            m->told_count--;
            flush_term(m);
            leave_definition(m);
            m->blocks.depth--;
            break;
        }
        m->quotes--;
        break;
    case TAG_DT:
        if (is_asked_part(m, i))
            break;
        m->in_term = false;
        if (m->notes.open != NULL && m->notes.open_at == x->parent)
            buf_reset(&m->term); /* the note's number */
        break;
    case TAG_DD:
        if (is_asked_part(m, i))
            break;
        if (is_place(m->d, i)) /* what the next term has is its, too */
            m->term_due = false;
        leave_definition(m);
        break;
    case TAG_DL:
        flush_term(m);
        if (i == m->asked_at)
            break;
        m->blocks.depth--;
        m->list_begun = false;
        m->last = NULL;
        break;
    case TAG_TABLE:
        if (m->table.end == x->end)
            table_close(&m->table);
        break;
    default:
        break;
    }
    leave_asked(m, i);
}

static void leave_until(struct emitter *m, uint32_t i)
{
    while (m->depth > 0 && m->d->nodes[m->open[m->depth - 1]].end <= i)
        leave_block(m, m->open[--m->depth]);
}

/* An abbreviation, where it is met first with what it is short for. */
static void put_abbreviation(struct emitter *m, uint32_t i)
{
    const struct node *x = &m->d->nodes[i];
    const char *title = dom_attr(x, "title");
    struct str s = title == NULL ? (struct str){0} : str_trim(str_of(title));
    const char *text;

    m->chars += x->text;
    m->linked += x->linked;
    text = dom_text(m->d, i, EXPANSION_BYTES, true, m->a);
    m->failed = m->failed || text == NULL;
    if (text != NULL)
        add_text(m, text);
    if (s.n < EXPANSION_LEAST || s.n > EXPANSION_BYTES || m->pre > 0 ||
        x->text >= s.n)
        return;
    for (size_t k = 0; k < m->expansion_count; k++)
        if (strcmp(m->expansions[k], title) == 0)
            return;
    if (m->expansion_count == EXPANSIONS_MAX)
        return;
    m->expansions[m->expansion_count++] = title;
    add_text(m, " (");
    block_text_add(&m->line, s.p, s.n);
    add_text(m, ")");
}

static void visit_text(struct emitter *m, uint32_t i)
{
    const struct node *x = &m->d->nodes[i];

    if (m->lines_at > 0 && x->parent == m->lines_at)
        return; /* between the lines */
    if (m->d->nodes[x->parent].tag == TAG_SUP && x->end < m->d->count &&
        looks_side_note(m->d, x->end))
        return; /* its number */
    m->chars += x->text;
    m->linked += x->linked;
    m->typed += looks_typed(m->d, i) ? x->text : 0;
    if (x->text > 0 && !m->plain) {
        bool slanted, bold = looks_bold(m->d, i, &slanted), one = x->text == 1;

        m->bold = m->bold || (bold && !one);
        m->valued = m->valued || (!bold && (slanted ||
                                            ascii_is_alnum(x->data[0])));
        m->plain = !one && !bold && !slanted;
    }
    if (m->in_term && m->line.len > 1 && m->line.data[0] == '[' &&
        m->line.data[m->line.len - 1] == ']' && ascii_is_alpha(x->data[0]))
        buf_addc(&m->line, ' '); /* "[ISO]" is set beside the term */
    add_text(m, x->data);
}

/* Does node i begin with what no space stands in front of? */
static bool ends_clause(const struct dom *d, uint32_t i)
{
    return i < d->count && d->nodes[i].is_text && d->nodes[i].data[0] != '\0' &&
           strchr(".,;:!?)", d->nodes[i].data[0]) != NULL;
}

/* A note beside the text, in the sentence that it is about. */
static void put_side_note(struct emitter *m, uint32_t i)
{
    const char *text = dom_text(m->d, i, 4 * NOTE_CHARS, true, m->a);

    m->failed = m->failed || text == NULL;
    if (text == NULL || text[0] == '\0')
        return;
    add_text(m, " (");
    add_text(m, text);
    add_text(m, ") ");
}

static void put_prototype(struct emitter *m, uint32_t i)
{
    const char *text = dom_text(m->d, i, 4 * PROTOTYPE_CHARS, true, m->a);

    flush(m);
    flush_label(m);
    put_bare_term(m);
    m->failed = m->failed || text == NULL;
    if (text != NULL && text[0] != '\0')
        put_line(m, BLOCK_CODE, 0, text, strlen(text));
}

/* Row i, of the table that is read or one by itself. */
static void take_row(struct emitter *m, uint32_t i)
{
    bool alone = m->table.end <= i;

    flush(m);
    flush_label(m);
    put_bare_term(m);
    if (alone)
        table_open(&m->table, m->d, i, m->a, &m->blocks);
    table_take_row(&m->table, i);
    if (alone)
        table_close(&m->table);
}

/* Handle node i; the index to go on with. */
static uint32_t visit(struct emitter *m, uint32_t i)
{
    const struct node *x = &m->d->nodes[i];
    char raised[RAISED_MAX];

    if (x->dropped) {
        if (x->block && m->lines_at == 0)
            flush(m);
        m->gone = m->gone || (x->block && x->linked * 10 > x->text * 4);
        return x->end;
    }
    if (x->is_text) {
        if (x->keep)
            visit_text(m, i);
        return i + 1;
    }
    if (!x->keep)
        return i + 1;
    if (m->asked_at > 0 && asked_is_mark(m->d, i, m->asked_at)) {
        flush(m);
        return x->end;
    }
    if (m->line.len == 0 && !x->block)
        begin_note(m, i);
    if ((m->line.len > 0 || footnotes_at_start(&m->notes, &m->blocks)) &&
        dom_is_note(m->d, i)) {
        footnotes_refer(&m->notes, m->d, i, &m->blocks);
        if (ends_clause(m->d, x->end))
            trim_line(m);
        return x->end;
    }
    if (x->tag == TAG_BR)
        add_break(m, i);
    else if (x->tag == TAG_IMG && m->line.len == 0)
        read_sign(m, i);
    if ((x->tag == TAG_ABBR || x->tag == TAG_ACRONYM) && !x->holds_block &&
        x->text <= EXPANSION_CHARS) {
        put_abbreviation(m, i);
        return x->end;
    }
    if (looks_side_note(m->d, i) && !x->holds_block && x->text < NOTE_CHARS) {
        put_side_note(m, i);
        return x->end;
    }
    if (dom_raised(m->d, i, buf_str(&m->line), m->line.len, raised) > 0) {
        add_text(m, raised);
        return x->end;
    }
    if (looks_prototype(m->d, i) && x->text < PROTOTYPE_CHARS) {
        put_prototype(m, i);
        return x->end;
    }
    if (x->tag == TAG_TR && (m->table.end > i || table_is_row(m->d, i))) {
        take_row(m, i);
        return x->end;
    }
    if (dom_is_block((enum tag)x->tag) && m->depth < m->open_max) {
        enter_block(m, i);
        m->open[m->depth++] = i;
    }
    return i + 1;
}

/* Headings at the end head nothing that was kept: "Related", "Share this".
 * A page of nothing else keeps them. */
static size_t without_last_headings(const struct block_list *l)
{
    size_t n = l->count;

    while (n > 0 && l->list[n - 1].kind == BLOCK_HEADING)
        n--;
    return n == 0 ? l->count : n;
}

enum err html_blocks_take(const struct dom *d, struct arena *a,
                          struct page_doc *out)
{
    struct emitter m = {.d = d,
                        .a = a,
                        .blocks = {.a = a},
                        .notes = {.a = a},
                        .last_heading = 1};

    m.open_max = d->count < OPEN_MAX ? d->count : OPEN_MAX;
    m.open = arena_array(a, m.open_max, sizeof *m.open);
    if (m.open == NULL)
        return ERR_NOMEM;
    buf_init(&m.line, HTML_BYTES_MAX);
    buf_init(&m.term, 4 * TERM_BYTES);
    buf_init(&m.label, 2 * LABEL_BYTES);
    for (uint32_t i = 0; i < d->count && !m.failed;) {
        leave_until(&m, i);
        i = visit(&m, i);
    }
    leave_until(&m, d->count);
    flush_term(&m);
    drop_orphans(&m, 0);
    footnotes_move(&m.notes, &m.blocks);
    (void)prose_read(&m.blocks);
    buf_fini(&m.line);
    buf_fini(&m.term);
    buf_fini(&m.label);
    if (m.failed || m.table.failed || m.blocks.failed)
        return ERR_NOMEM;
    out->blocks = m.blocks.list;
    out->block_count = without_last_headings(&m.blocks);
    return ERR_OK;
}
