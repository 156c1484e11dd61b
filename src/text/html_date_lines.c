/*
 * Dates that readers see; html_date_line of html_parts.h. A date counts
 * where a line announces it, or is little else: not in running text, code or
 * the cells of tables, and figures that may be a version ("2.8.12") only
 * right behind a word that announces a date.
 */
#include "text/html_parts.h"

#include <string.h>

enum {
    LINE_MAX_BYTES = 400, /* of a line that is looked at; its beginning */
    PAGE_BYTES = 20000,   /* of visible text at the top and at the end */
    GAP_BYTES = 48,       /* between a label and its date */
    REST_BYTES = 40,      /* beside the date in a line of its own */
    DATELINE_BYTES = 24   /* in front of the date that begins a report */
};

struct line {
    char text[LINE_MAX_BYTES];
    size_t len;
    uint32_t block;
    bool code, cell, title;
};

struct seeker {
    const struct dom *d;
    enum date_line which;
    bool month_first;
    int32_t latest;
    struct line now, before;
    int32_t day;
};

/* --- words ------------------------------------------------------------- */

static const char *const published[] = {
    "publish",       "posted",     "ver\303\266ffentlicht",
    "erstellt",      "erschienen", "written",
    "datum",         "stand:",     "stand ",
    "publi\xC3\xA9", "publicado",  "pubblicato",
    "gepubliceerd",  "geplaatst",  "created",
    "release date",  "wurde am ",  "date:",
    "date of",       "copyright",  "\xC2\xA9",
    "vom ",          "by ",        "von ",
    "par ",          "por ",
};

static const char *const updated[] = {
    "updated",           "modified",
    "revised",           "revision",
    "changed",           "\xC3\x84nderung",
    "\xC3\xA4nderung",   "ge\xC3\xA4ndert",
    "aktualisiert",      "mise \xC3\xA0 jour",
    "mis \xC3\xA0 jour", "modifi\xC3\xA9",
    "actualizad",        "aggiornat",
    "bijgewerkt",        "gewijzigd",
};

/* What may stand between the start of a statement and its label. */
static const char lead_words[] =
    " this the page article post entry document site website file content "
    "section story news item blog press release was is has been first last "
    "most recently originally date time of on at dieser diese dieses artikel "
    "beitrag seite wurde zuletzt letzte letzter am der die das stand cet cette "
    "article derni\xC3\xA8re a \xC3\xA9t\xC3\xA9 le la \xC3\xBAltima fecha "
    "pressemitteilung meldung ";

static bool is_gap_char(char c)
{
    return ascii_is_space(c) || strchr("|,;:.()-*", c) != NULL ||
           (unsigned char)c >= 128;
}

/* Does p[0..n) have only lead words since the last mark that ends something?
 * "It was" or "version 2 was" is not how a date is announced. */
static bool is_lead(const char *p, size_t n)
{
    char word[24];

    while (n > 0) {
        size_t end, len;

        while (n > 0 && p[n - 1] == ' ')
            n--;
        if (n == 0 || (is_gap_char(p[n - 1]) && (unsigned char)p[n - 1] < 128))
            return true;
        end = n;
        while (n > 0 && p[n - 1] != ' ')
            n--;
        len = end - n;
        if (len > sizeof word - 3)
            return false;
        word[0] = ' ';
        for (size_t i = 0; i < len; i++)
            word[i + 1] = ascii_lower(p[n + i]);
        memcpy(word + len + 1, " ", 2);
        if (strstr(lead_words, word) == NULL)
            return false;
    }
    return true;
}

/* Behind one of the words within the gap before the date? *gap: from the
 * label's end to the date. */
static bool has_label(const char *p, size_t n, const char *const *words,
                      size_t count, struct str *gap)
{
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(words[i]);
        const char *at = p, *end = p + n;

        while ((at = mem_find_i(at, (size_t)(end - at), words[i])) != NULL) {
            *gap = (struct str){at + len, (size_t)(end - at) - len};
            if (gap->n <= GAP_BYTES && is_lead(p, (size_t)(at - p)) &&
                mem_find(gap->p, gap->n, ". ") == NULL)
                return true;
            at += len;
        }
    }
    return false;
}

static bool ends_with(struct str s, const char *word)
{
    size_t n = strlen(word);

    return s.n >= n && str_ieq((struct str){s.p + s.n - n, n}, word) &&
           (s.n == n || s.p[s.n - n - 1] == ' ');
}

/* Between a label and its date only words such as "on", or a name and a comma?
 */
static bool is_plain_gap(struct str gap)
{
    size_t letters = 0;

    gap = str_trim(gap);
    if (gap.n > 0 && memchr(",|:", gap.p[gap.n - 1], 3) != NULL)
        return true;
    for (size_t i = 0; i < gap.n; i++) {
        letters += ascii_is_alpha(gap.p[i]);
        if (ascii_is_digit(gap.p[i]))
            return false;
    }
    return letters == 0 || ends_with(gap, "on") || ends_with(gap, "am") ||
           ends_with(gap, "le") || ends_with(gap, "vom");
}

bool html_date_is_version(const char *p, const struct date_text *date)
{
    static const char *const words[] = {"version", "versions", "v", "ver",
                                        "ver.",    "release",  "r", "rel.",
                                        "since",   "from",     "to"};
    size_t n = date->from, end;

    if (date->form != DATE_BARE && date->form != DATE_FIGURES)
        return false;
    while (n > 0 && (p[n - 1] == ' ' || p[n - 1] == ':'))
        n--;
    end = n;
    while (n > 0 && p[n - 1] != ' ' && p[n - 1] != '(')
        n--;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (str_ieq((struct str){p + n, end - n}, words[i]))
            return true;
    return false;
}

/* --- lines ------------------------------------------------------------- */

/* "Berlin, 3 May 2024 - …": little in front, a mark behind. */
static bool is_dateline(const struct line *l, const struct date_text *date)
{
    static const char *const marks[] = {
        ")", ".", "-", ":", " -", " \xE2\x80\x93", " \xE2\x80\x94"};
    struct str rest = {l->text + date->to, l->len - date->to};

    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (date->from <= DATELINE_BYTES && rest.n >= strlen(marks[i]) &&
            memcmp(rest.p, marks[i], strlen(marks[i])) == 0)
            return true;
    return false;
}

static bool is_alone(const struct line *l, const struct date_text *date)
{
    size_t rest = l->len - (date->to - date->from);

    if (l->title)
        return true;
    if (l->cell || html_date_is_version(l->text, date) ||
        mem_find_i(l->text, date->from, "version") != NULL)
        return false;
    return rest <= REST_BYTES || is_dateline(l, date);
}

/* Is the line before nothing but a label, and this one the date? */
static bool is_labelled_above(const struct seeker *s,
                              const struct date_text *date,
                              const char *const *words, size_t count)
{
    const struct line *l = &s->before;
    struct str gap;

    return s->now.len - (date->to - date->from) <= 12 && l->len > 0 &&
           l->len <= REST_BYTES &&
           has_label(l->text, l->len, words, count, &gap) && is_plain_gap(gap);
}

static bool is_announced(const struct seeker *s, const struct date_text *date,
                         const char *const *words, size_t count)
{
    struct str gap = {"", 0};
    const struct line *l = &s->now;

    if (html_date_is_version(l->text, date))
        return false;
    if (has_label(l->text, date->from, words, count, &gap))
        return date->form != DATE_BARE || is_plain_gap(gap);
    return is_labelled_above(s, date, words, count);
}

static bool counts(const struct seeker *s, const struct date_text *date)
{
    switch (s->which) {
    case LINE_PUBLISHED:
        return is_announced(s, date, published,
                            sizeof published / sizeof published[0]);
    case LINE_UPDATED:
        return is_announced(s, date, updated,
                            sizeof updated / sizeof updated[0]);
    default:
        return date->form != DATE_BARE && is_alone(&s->now, date);
    }
}

static bool has_digit(const struct line *l)
{
    for (size_t i = 0; i < l->len; i++)
        if (ascii_is_digit(l->text[i]))
            return true;
    return false;
}

/* The line is complete: does it hold the date? */
static bool end_line(struct seeker *s)
{
    struct line *l = &s->now;
    struct date_text date = {.to = 0};

    while (l->len > 0 && l->text[l->len - 1] == ' ')
        l->len--;
    if (l->len == 0)
        return false;
    for (int tries = 0; tries < 8 && !l->code && has_digit(l); tries++) {
        if (!date_text_next(l->text, l->len, date.to, s->month_first, s->latest,
                            &date))
            break;
        if (counts(s, &date)) {
            s->day = date.day;
            return true;
        }
    }
    s->before = *l;
    l->len = 0;
    return false;
}

static void begin_line(struct seeker *s, uint32_t i, uint32_t block)
{
    struct line *l = &s->now;
    const struct dom *d = s->d;

    *l = (struct line){.block = block};
    for (; i != 0; i = d->nodes[i].parent) {
        enum tag tag = (enum tag)d->nodes[i].tag;

        l->code = l->code || tag == TAG_PRE || tag == TAG_TEXTAREA;
        l->cell = l->cell || tag == TAG_TD || tag == TAG_TH;
        l->title = l->title || tag == TAG_TITLE;
    }
}

static void add_text(struct line *l, const char *z)
{
    for (; *z != '\0' && l->len < LINE_MAX_BYTES - 1; z++) {
        bool wide = (unsigned char)z[0] == 0xC2 && (unsigned char)z[1] == 0xA0;

        if (!ascii_is_space(*z) && !wide)
            l->text[l->len++] = *z;
        else if (l->len > 0 && l->text[l->len - 1] != ' ')
            l->text[l->len++] = ' ';
        z += wide;
    }
}

/* Is the text shown, and not a piece of code in a sentence? */
static bool is_prose(const struct dom *d, uint32_t i)
{
    switch ((enum tag)d->nodes[d->nodes[i].parent].tag) {
    case TAG_SCRIPT:
    case TAG_STYLE:
    case TAG_CODE:
    case TAG_KBD:
    case TAG_SAMP:
    case TAG_TT:
    case TAG_VAR:
        return false;
    default:
        return true;
    }
}

/* The block a node stands in. */
static uint32_t block_of(const struct dom *d, uint32_t i)
{
    do
        i = d->nodes[i].parent;
    while (i != 0 && !dom_is_block((enum tag)d->nodes[i].tag) &&
           d->nodes[i].tag != TAG_TITLE);
    return i;
}

/* The lines of nodes [i, end), up to PAGE_BYTES of text. */
static bool seek(struct seeker *s, uint32_t i, uint32_t end)
{
    const struct dom *d = s->d;
    size_t seen = 0;

    s->now.len = s->before.len = 0;
    for (; i < end && seen <= PAGE_BYTES; i++) {
        const struct node *x = &d->nodes[i];
        uint32_t block;

        if (x->tag == TAG_BR && end_line(s))
            return true;
        if (!x->is_text || !is_prose(d, i))
            continue;
        block = block_of(d, i);
        if (s->now.len == 0 || block != s->now.block) {
            if (end_line(s))
                return true;
            begin_line(s, i, block);
        }
        seen += x->text;
        add_text(&s->now, x->data);
    }
    return end_line(s);
}

/* Where the last PAGE_BYTES of the page's text begin. */
static uint32_t tail_of(const struct dom *d)
{
    size_t seen = 0;
    uint32_t i = d->count;

    while (i > 0) {
        if (d->nodes[i - 1].is_text && is_prose(d, i - 1))
            seen += d->nodes[i - 1].text;
        if (seen > PAGE_BYTES)
            break;
        i--;
    }
    return i;
}

bool html_date_line(const struct dom *d, enum date_line which, bool month_first,
                    int32_t latest, int32_t *day)
{
    struct seeker s = {
        .d = d, .which = which, .month_first = month_first, .latest = latest};

    if (!seek(&s, 0, d->count) &&
        (which != LINE_UPDATED || !seek(&s, tail_of(d), d->count)))
        return false;
    *day = s.day;
    return true;
}
