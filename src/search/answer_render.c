/*
 * A draft of cited sentences to answer text and its list of sources. Changes
 * no word; beside markers of ours, reference marks of the page's own ("[3]")
 * are left out. Called by search.c and the research room.
 */
#include "search/agree.h"
#include "search/answer.h"

#include "base/buf.h"
#include "base/str.h"

#include <string.h>

enum {
    ANSWER_BYTES_MAX = 256 * 1024,
    SNIPPET_BYTES_MAX = 500,
    NAME_BYTES = 40, /* what introduces items by a colon is longer */
    MARK_DIGITS = 3
};

struct render {
    const struct answer_draft *draft;
    const struct ranked *passages;
    struct source *sources;
    size_t source_count;
    struct arena *a;
};

/* The number of the page's source from 1, or 0. */
static size_t source_number(const struct render *r, const char *url)
{
    for (size_t i = 0; i < r->source_count; i++)
        if (strcmp(r->sources[i].url, url) == 0)
            return i + 1;
    return 0;
}

/* From sentence `first` on (it is s), the range of its passage that the draft
 * cites, as long as it fits; at least s, cut at a character border. */
static const char *snippet_cut(const struct render *r,
                               const struct cited_sentence *s, size_t first)
{
    const char *text = r->passages[s->passage].c.text;
    size_t start = s->start, end = s->start + s->len;

    for (size_t i = first + 1; i < r->draft->count; i++) {
        const struct cited_sentence *o = &r->draft->sentences[i];
        size_t lo = o->start < start ? o->start : start;
        size_t hi = o->start + o->len > end ? o->start + o->len : end;

        if (o->passage == s->passage && hi - lo <= SNIPPET_BYTES_MAX) {
            start = lo;
            end = hi;
        }
    }
    return arena_strndup(
        r->a, text + start,
        utf8_cut(text + start, end - start, SNIPPET_BYTES_MAX));
}

/* first: its place in the draft; the draft's count when it is none of it. */
static enum err source_add(struct render *r, const struct cited_sentence *one,
                           size_t first)
{
    const struct candidate *c = &r->passages[one->passage].c;
    struct source *s;

    if (source_number(r, c->url) > 0)
        return ERR_OK;
    s = &r->sources[r->source_count++];
    s->name = c->title[0] != '\0' ? c->title : c->host;
    s->url = c->url;
    s->favicon = c->favicon;
    s->day = c->day;
    s->page = c->page;
    s->passage = c->passage;
    s->snippet = snippet_cut(r, one, first);
    return s->snippet == NULL ? ERR_NOMEM : ERR_OK;
}

/* Without every one of the marks at its end. */
static size_t without_last(const char *z, size_t n, const char *const *marks)
{
    for (size_t i = 0; marks[i] != NULL; i++) {
        size_t k = strlen(marks[i]);

        if (n < k || memcmp(z + n - k, marks[i], k) != 0)
            continue;
        n -= k;
        i = (size_t)-1; /* from the first mark again */
    }
    return n;
}

/* Where the final punctuation of a sentence begins, quotes and brackets
 * behind it included; n when there is none. */
static size_t punctuation_start(const char *z, size_t n)
{
    static const char *const closers[] = {"\"", "'",  ")",  "]",  "”", "“",
                                          "»",  "」", "』", "）", NULL};
    static const char *const stops[] = {".",  "!",  "?",  "…",
                                        "。", "！", "？", NULL};
    size_t end = without_last(z, n, closers);
    size_t start = without_last(z, end, stops);

    return start == end ? n : start;
}

/* Does the bracket at z[i], or the row of brackets it ends, hang on a word?
 * Then it may be code ("argv[1]"). */
static bool hangs_on_word(const char *z, size_t i)
{
    while (i > 0 && z[i - 1] == ']')
        for (i--; i > 0 && z[i] != '[';)
            i--;
    return i > 0 && (ascii_is_alnum(z[i - 1]) || strchr("_)", z[i - 1]));
}

/* Length of a reference mark of the page's own at z[i], which would read
 * like a marker of ours; 0 when there is none. */
static size_t mark_length(const char *z, size_t n, size_t i)
{
    size_t len = 1;

    if (z[i] != '[' || i + 1 == n || z[i + 1] == '0')
        return 0;
    while (i + len < n && len <= MARK_DIGITS && ascii_is_digit(z[i + len]))
        len++;
    if (len == 1 || i + len == n || z[i + len] != ']' || hangs_on_word(z, i))
        return 0;
    return len + 1;
}

/* White space folded: a line break inside a sentence is layout. */
static void text_add(struct buf *b, const char *z, size_t n, bool marks)
{
    bool space = false;

    for (size_t i = 0; i < n; i++) {
        size_t mark = marks ? 0 : mark_length(z, n, i);

        if (mark > 0) {
            i += mark - 1;
            if (i + 1 < n && strchr(",;:", z[i + 1]) != NULL)
                space = false;
            continue;
        }
        if (ascii_is_space(z[i])) {
            space = true;
            continue;
        }
        if (space && b->len > 0 && b->data[b->len - 1] != ' ')
            buf_addc(b, ' ');
        space = false;
        buf_addc(b, z[i]);
    }
}

/* Without the reference marks at its end. */
static struct str without_marks(struct str s)
{
    for (size_t i = s.n; i-- > 0 && s.n - i <= MARK_DIGITS + 2;) {
        if (s.p[i] != '[' || mark_length(s.p, s.n, i) != s.n - i)
            continue;
        s = str_trim((struct str){s.p, i});
        i = s.n;
    }
    return s;
}

/* Does it end in a script that is written without spaces? */
static bool is_unspaced(struct str s)
{
    uint32_t cp;

    if (s.n < 3)
        return false;
    utf8_decode(s.p + s.n - 3, 3, &cp);
    return cp >= 0x3001 && cp <= 0x9FFF;
}

/* A sentence without a full stop (a list item, a table row) gets one, so
 * that the next one does not run into it. */
static void sentence_add(struct buf *b, const char *z, size_t number)
{
    struct str s = str_trim(str_of(z)), bare = without_marks(s);
    bool marks = number == 0 || bare.n == 0;
    size_t end;

    s = marks ? s : bare;
    end = punctuation_start(s.p, s.n);
    if (b->len > 0)
        buf_addc(b, ' ');
    text_add(b, s.p, end, marks);
    if (number > 0)
        buf_addf(b, " [%zu]", number);
    if (end < s.n)
        text_add(b, s.p + end, s.n - end, marks);
    else if (s.n > 0 && (number > 0 || s.p[s.n - 1] != ':'))
        buf_adds(b, is_unspaced(s) ? "。" : ".");
}

/* Items stand behind the sentence that introduces them, parted by semicolons,
 * with one marker and full stop for all. */
static void part_add(struct buf *b, const struct render *r, size_t i,
                     size_t number)
{
    const struct cited_sentence *s = &r->draft->sentences[i];
    bool goes_on = i + 1 < r->draft->count && s[1].item;
    struct str z = str_trim(str_of(s->text));

    if (!s->item && !goes_on) {
        sentence_add(b, s->text, number);
        return;
    }
    if (b->len > 0)
        buf_addc(b, ' ');
    if (goes_on || number > 0)
        while (s->item && z.n > 0 && strchr(".,", z.p[z.n - 1]) != NULL)
            z.n--;
    text_add(b, z.p, z.n, number == 0);
    if (goes_on) {
        if (z.n > 0 && strchr(":;", z.p[z.n - 1]) == NULL)
            buf_addc(b, s->item || z.n <= NAME_BYTES ? ';' : ':');
        return;
    }
    if (number > 0)
        buf_addf(b, " [%zu]", number);
    buf_addc(b, '.');
}

/* The program's own sentence, of verbatim parts: who says what else. */
static enum err dissent_add(struct buf *b, struct render *r, bool markers)
{
    const struct dissent *d = &r->draft->dissent;
    struct dissent_part part[2];
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < 2; i++) {
        const struct cited_sentence *s = &d->said[i];

        e = source_add(r, s, r->draft->count);
        part[i].from = &r->passages[s->passage].c;
        part[i].value = part[i].from->text + s->start + d->value_start[i];
        part[i].value_len = d->value_len[i];
        part[i].number = markers ? source_number(r, part[i].from->url) : 0;
    }
    if (e == ERR_OK) {
        buf_addc(b, ' ');
        agree_say(b, part);
    }
    return e;
}

enum err answer_render(const struct answer_draft *draft,
                       const struct ranked *passages, size_t count,
                       bool markers, struct arena *a, const char **text,
                       struct source **sources, size_t *source_count)
{
    struct render r = {.draft = draft, .passages = passages, .a = a};
    struct buf b;
    const char *z;
    enum err e = ERR_OK;

    buf_init(&b, ANSWER_BYTES_MAX);
    r.sources = arena_array(a, draft->count + 2, sizeof(*r.sources));
    if (r.sources == NULL)
        e = ERR_NOMEM;
    for (size_t i = 0; e == ERR_OK && i < draft->count; i++) {
        const struct cited_sentence *s = &draft->sentences[i];

        if (s->passage >= count)
            e = ERR_INTERNAL;
        if (e == ERR_OK)
            e = source_add(&r, s, i);
        if (e == ERR_OK)
            part_add(&b, &r, i,
                     markers ? source_number(&r, passages[s->passage].c.url)
                             : 0);
    }
    if (e == ERR_OK && draft->dissent.found)
        e = dissent_add(&b, &r, markers);
    if (e == ERR_OK)
        e = buf_err(&b);
    z = e == ERR_OK ? arena_strdup(a, buf_str(&b)) : NULL;
    buf_fini(&b);
    if (e != ERR_OK || z == NULL)
        return e != ERR_OK ? e : ERR_NOMEM;
    *text = z;
    *sources = r.sources;
    *source_count = r.source_count;
    return ERR_OK;
}
