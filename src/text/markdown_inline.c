/* Inline Markdown to plain text; see markdown_inline.h. One pass; brackets
 * are matched by a bounded look ahead, so the cost stays linear. Runs of '*'
 * and '_' are written as they are and taken out again where they turn out to
 * be a pair: a mark without a partner is text. */
#include "text/markdown_inline.h"

#include "base/str.h"

#include <string.h>

enum { LABEL_MAX = 1000, TAG_MAX = 500, RUN_MAX = 32, RUNS_MAX = 128 };

/* A run of '*' or '_' in the output that may begin or end emphasis. */
struct run {
    size_t at;        /* in the output */
    size_t len, left; /* marks in all, and those without a partner */
    char mark;
    bool opens, closes;
};

struct cursor {
    const char *p;
    size_t n, at;
    struct inline_sink *sink;
    struct buf *out;
    size_t budget; /* steps of look ahead left: keeps the cost linear */
    struct run runs[RUNS_MAX];
    size_t run_count;
};

static char at(const struct cursor *c, size_t i)
{
    return i < c->n ? c->p[i] : '\0';
}

static void add_char(struct cursor *c, char ch)
{
    struct buf *b = c->out;

    if (!ascii_is_space(ch) && ch != '\0')
        buf_addc(b, ch);
    else if (b->len > 0 && b->data[b->len - 1] != ' ' &&
             b->data[b->len - 1] != '\n')
        buf_addc(b, ' ');
}

/* Index of the bracket that closes the one at i; 0 when there is none
 * near. */
static size_t closing(struct cursor *c, size_t i, char open, char close)
{
    size_t end = c->n - i > LABEL_MAX ? i + LABEL_MAX : c->n;
    int depth = 0;

    for (; i < end && c->budget > 0; i++) {
        c->budget--;
        if (c->p[i] == '\\')
            i++;
        else if (c->p[i] == open)
            depth++;
        else if (c->p[i] == close && --depth == 0)
            return i;
    }
    return 0;
}

/* The address in "(address "title")", p behind the parenthesis. */
static const char *address(const struct cursor *c, size_t from, size_t to)
{
    struct str s = str_trim((struct str){c->p + from, to - from});
    size_t n = 0;
    struct url u;

    if (s.n > 0 && s.p[0] == '<') {
        s.p++;
        s.n--;
    }
    while (n < s.n && !ascii_is_space(s.p[n]) && s.p[n] != '>')
        n++;
    if (n == 0 || n > URL_MAX || s.p[0] == '#' ||
        url_parse(s.p, n, c->sink->base, c->sink->a, &u, NULL) != ERR_OK)
        return NULL;
    return u.href;
}

static void take_address(struct cursor *c, bool is_image, size_t from,
                         size_t to, size_t text_from, size_t text_to)
{
    struct inline_sink *k = c->sink;
    const char *url, *text;

    if (is_image ? k->image_count >= k->image_max
                 : k->link_count >= k->link_max)
        return;
    url = address(c, from, to);
    text = url == NULL ? NULL
                       : html_fragment_text(c->p + text_from,
                                            text_to - text_from, k->a);
    if (text == NULL)
        return;
    if (is_image)
        k->images[k->image_count++] = (struct image){url, text};
    else
        k->links[k->link_count++] = (struct link){url, text, false};
}

/* At '[' (or "!["): writes the label; false when it is no link. Labels hold
 * marks of their own, which the caller's loop then sees: only the closing
 * part is skipped here, through *skip_from and *skip_to. */
struct pending {
    size_t from, to; /* bytes to jump over when from is reached */
};

static bool open_link(struct cursor *c, struct pending *skip)
{
    bool is_image = c->p[c->at] == '!';
    size_t open = c->at + (is_image ? 1 : 0);
    size_t close = closing(c, open, '[', ']'), end = 0;

    if (close == 0)
        return false;
    if (at(c, close + 1) == '(') {
        end = closing(c, close + 1, '(', ')');
        if (end != 0)
            take_address(c, is_image, close + 2, end, open + 1, close);
    } else if (at(c, close + 1) == '[') {
        end = closing(c, close + 1, '[', ']');
    }
    if (end == 0)
        return false;
    skip->from = close;
    skip->to = end + 1;
    c->at = open + 1;
    return true;
}

/* A tag, a comment or an autolink at '<'; its length, 0 when it is text. */
static size_t tag_length(const struct cursor *c)
{
    char next = at(c, c->at + 1);
    size_t left = c->n - c->at;
    const char *end;

    if (!ascii_is_alpha(next) && next != '/' && next != '!' && next != '?')
        return 0;
    end = memchr(c->p + c->at, '>', left < TAG_MAX ? left : TAG_MAX);
    return end == NULL ? 0 : (size_t)(end - c->p) + 1 - c->at;
}

static void take_tag(struct cursor *c, size_t len)
{
    const char *p = c->p + c->at + 1;

    if (mem_find(p, len - 2, "://") != NULL && memchr(p, ' ', len - 2) == NULL)
        buf_add(c->out, p, len - 2);
    else if (len >= 3 && ascii_lower(p[0]) == 'b' && ascii_lower(p[1]) == 'r')
        add_char(c, ' ');
    c->at += len;
}

static bool take_entity(struct cursor *c)
{
    static const struct {
        const char *name, *text;
    } known[] = {{"&amp;", "&"},
                 {"&lt;", "<"},
                 {"&gt;", ">"},
                 {"&quot;", "\""},
                 {"&nbsp;", " "},
                 {"&#39;", "'"},
                 {"&mdash;", "\xE2\x80\x94"},
                 {"&ndash;", "\xE2\x80\x93"},
                 {"&copy;", "\xC2\xA9"},
                 {"&hellip;", "\xE2\x80\xA6"}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t len = strlen(known[i].name);

        if (c->n - c->at >= len &&
            memcmp(c->p + c->at, known[i].name, len) == 0) {
            buf_adds(c->out, known[i].text);
            c->at += len;
            return true;
        }
    }
    return false;
}

static size_t ticks_at(const struct cursor *c, size_t i)
{
    size_t n = 0;

    while (at(c, i + n) == '`')
        n++;
    return n;
}

/* `code`: its text as it is. A run of marks that nothing closes stands for
 * itself, as a whole: its parts are not tried again. */
static void take_code(struct cursor *c)
{
    size_t ticks = ticks_at(c, c->at), from = c->at + ticks, run;

    for (size_t i = from; i < c->n && i < c->at + LABEL_MAX && c->budget > 0;
         i += run == 0 ? 1 : run) {
        run = ticks_at(c, i);
        c->budget -= run < c->budget ? run + 1 : c->budget;
        if (run == ticks) {
            for (; from < i; from++)
                add_char(c, c->p[from]);
            c->at = i + ticks;
            return;
        }
    }
    for (; c->at < from; c->at++)
        add_char(c, '`');
}

static bool is_punctuation(char ch)
{
    return ch > ' ' && ch < 0x7F && !ascii_is_alnum(ch);
}

static bool is_gap(char ch)
{
    return ch == '\0' || ascii_is_space(ch);
}

/* May the runs be the two ends of one emphasis? A run that both opens and
 * closes pairs only where the lengths leave no doubt. */
static bool may_pair(const struct run *from, const struct run *to)
{
    if (!from->opens || from->left == 0 || from->mark != to->mark)
        return false;
    if (!from->closes && !to->opens)
        return true;
    return (from->len + to->len) % 3 != 0 ||
           (from->len % 3 == 0 && to->len % 3 == 0);
}

/* Pair run k with earlier ones; what stands between has no partner. */
static void pair_run(struct cursor *c, size_t k)
{
    struct run *to = &c->runs[k];

    for (size_t i = k; i-- > 0 && to->left > 0;) {
        struct run *from = &c->runs[i];

        if (!may_pair(from, to))
            continue;
        while (from->left > 0 && to->left > 0) {
            size_t used = from->left > 1 && to->left > 1 ? 2 : 1;

            from->left -= used;
            to->left -= used;
        }
        for (size_t j = i + 1; j < k; j++)
            c->runs[j].opens = false;
    }
}

/* Take the marks of pairs out of the output and forget the runs. */
static void settle_runs(struct cursor *c)
{
    struct buf *b = c->out;
    size_t to, from;

    for (size_t k = 0; k < c->run_count; k++)
        if (c->runs[k].closes)
            pair_run(c, k);
    to = from = c->run_count > 0 ? c->runs[0].at : b->len;
    for (size_t k = 0; k < c->run_count; k++) {
        const struct run *r = &c->runs[k];

        memmove(b->data + to, b->data + from, r->at - from);
        to += r->at - from;
        from = r->at + r->len - r->left;
    }
    if (to < from) {
        memmove(b->data + to, b->data + from, b->len - from + 1);
        b->len -= from - to;
    }
    c->run_count = 0;
}

/* At '*' or '_': the whole run to the output, noted when it may be a mark. */
static void take_run(struct cursor *c)
{
    struct run r = {.mark = c->p[c->at]};
    char before = c->at > 0 ? c->p[c->at - 1] : '\0', behind;
    bool left, right; /* it leans on what is behind, on what is before */

    if (c->run_count == RUNS_MAX)
        settle_runs(c);
    r.at = c->out->len;
    while (at(c, c->at + r.len) == r.mark)
        r.len++;
    r.left = r.len;
    behind = at(c, c->at + r.len);
    left = !is_gap(behind) && (!is_punctuation(behind) || is_gap(before) ||
                               is_punctuation(before));
    right = !is_gap(before) && (!is_punctuation(before) || is_gap(behind) ||
                                is_punctuation(behind));
    r.opens = left && (r.mark == '*' || !right || is_punctuation(before));
    r.closes = right && (r.mark == '*' || !left || is_punctuation(behind));
    if (buf_add(c->out, c->p + c->at, r.len) == ERR_OK && r.len <= RUN_MAX &&
        (r.opens || r.closes))
        c->runs[c->run_count++] = r;
    c->at += r.len;
}

/* "~~" leaves the text. */
static bool is_strike(const struct cursor *c)
{
    return at(c, c->at + 1) == '~' && at(c, c->at + 2) != '~' &&
           (c->at == 0 || c->p[c->at - 1] != '~');
}

static void step(struct cursor *c, struct pending *skip)
{
    char ch = c->p[c->at];
    size_t len;

    switch (ch) {
    case '\\':
        if (c->at + 1 < c->n && !ascii_is_alnum(c->p[c->at + 1]) &&
            c->p[c->at + 1] > ' ')
            c->at++;
        break;
    case '`':
        take_code(c);
        return;
    case '!':
        if (at(c, c->at + 1) == '[' && skip->to == 0 && open_link(c, skip))
            return;
        break;
    case '[':
        if (skip->to == 0 && open_link(c, skip))
            return;
        break;
    case '<':
        len = tag_length(c);
        if (len > 0) {
            take_tag(c, len);
            return;
        }
        break;
    case '&':
        if (take_entity(c))
            return;
        break;
    case '*':
    case '_':
        take_run(c);
        return;
    case '~':
        if (is_strike(c)) {
            c->at += 2;
            return;
        }
        break;
    default:
        break;
    }
    add_char(c, c->p[c->at++]);
}

void markdown_inline_text(const char *p, size_t n, struct inline_sink *sink,
                          struct buf *out)
{
    struct cursor c;
    struct pending skip = {0, 0};

    c.p = p;
    c.n = n;
    c.at = 0;
    c.sink = sink;
    c.out = out;
    c.budget = 16 * n + 4096;
    c.run_count = 0;
    while (c.at < n) {
        if (skip.to != 0 && c.at >= skip.from) {
            c.at = c.at > skip.to ? c.at : skip.to;
            skip = (struct pending){0, 0};
            continue;
        }
        step(&c, &skip);
    }
    settle_runs(&c);
}
