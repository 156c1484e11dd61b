/* Texts with their sources, taken apart into sentences; see check.h. Pure. */
#include "search/check.h"

#include "base/str.h"
#include "text/passage.h"

#include <string.h>

enum {
    NUMBERS_MAX = 1000, /* of sources */
    BLOCK_URLS_MAX = 64,
    COLUMNS_MAX = 32
};

/* A Markdown text being read. */
struct reading {
    struct arena *a;
    struct check_list *out;
    char **urls;      /* by number from 1 */
    const char *from; /* the last mark inside a line */
    char *line;       /* the block's text, marks taken out */
    size_t len, max;
    struct {
        size_t at; /* behind this byte of line */
        const char *url;
    } cites[BLOCK_URLS_MAX];
    size_t cite_count;
    struct str heads[COLUMNS_MAX]; /* of the table being read */
    size_t head_count;
    enum err e;
};

static enum err item_add(struct check_list *out, struct check_item item,
                         struct arena *a)
{
    if (out->count == CHECK_ITEMS_MAX)
        return ERR_LIMIT;
    if (out->items == NULL)
        out->items = arena_array(a, CHECK_ITEMS_MAX, sizeof(item));
    if (out->items == NULL)
        return ERR_NOMEM;
    out->items[out->count++] = item;
    return ERR_OK;
}

static void url_add(struct check_item *item, const char *url)
{
    for (size_t i = 0; i < item->url_count; i++)
        if (strcmp(item->urls[i], url) == 0)
            return;
    if (item->url_count < CHECK_URLS_MAX)
        item->urls[item->url_count++] = url;
}

/* --- sources ------------------------------------------------------------- */

/* Length of a mark "[12]" or "[^12]" at p, its number in *number; or 0. */
static size_t mark_at(const char *p, size_t n, size_t *number)
{
    size_t i = 1;

    *number = 0;
    if (n < 3 || p[0] != '[')
        return 0;
    i += p[1] == '^';
    for (; i < n && ascii_is_digit(p[i]) && *number < NUMBERS_MAX; i++)
        *number = *number * 10 + (size_t)(p[i] - '0');
    return i < n && p[i] == ']' && *number > 0 && *number < NUMBERS_MAX ? i + 1
                                                                        : 0;
}

/* Bytes of the address at p; 0: there is none. */
static size_t address_at(const char *p, size_t n)
{
    size_t i = 0, depth = 0;

    if (!(n > 8 &&
          (memcmp(p, "http://", 7) == 0 || memcmp(p, "https://", 8) == 0)))
        return 0;
    for (; i < n && (unsigned char)p[i] > ' ' && strchr("<>\"`", p[i]) == NULL;
         i++) {
        depth += p[i] == '(';
        if (p[i] == ')' && depth-- == 0)
            break;
    }
    while (i > 0 && strchr(".,;:!?*_'", p[i - 1]) != NULL)
        i--;
    return i;
}

static const char *address_find(const char *p, size_t n, size_t *len)
{
    for (size_t i = 0; i < n; i++)
        if ((*len = address_at(p + i, n - i)) > 0)
            return p + i;
    return NULL;
}

static struct str line_next(const char **p, const char *end)
{
    const char *nl = memchr(*p, '\n', (size_t)(end - *p));
    struct str s = {*p, (size_t)((nl == NULL ? end : nl) - *p)};

    *p = nl == NULL ? end : nl + 1;
    return s;
}

/* The number that a line of a list of sources begins with: "[1] Title",
 * "[1]: …", where listed also "1. [Title](…)"; 0: it is none. */
static size_t source_number(struct str s, bool listed)
{
    size_t number = 0, i = 0;

    s = str_trim(s);
    if (s.n > 2 && strchr("-*", s.p[0]) != NULL && s.p[1] == ' ')
        s = str_trim((struct str){s.p + 2, s.n - 2});
    if (mark_at(s.p, s.n, &number) > 0)
        return number;
    number = 0;
    while (i < s.n && i < 3 && ascii_is_digit(s.p[i]))
        number = number * 10 + (size_t)(s.p[i++] - '0');
    return listed && i > 0 && i + 1 < s.n && strchr(".)", s.p[i]) != NULL &&
                   s.p[i + 1] == ' '
               ? number
               : 0;
}

/* Where the last mark of the text stands that is not at a line's beginning. */
static const char *last_mark(const char *text, size_t n)
{
    const char *last = text;
    size_t number;

    for (size_t i = 1; i < n; i++)
        if (text[i] == '[' && text[i - 1] != '\n' &&
            mark_at(text + i, n - i, &number) > 0)
            last = text + i;
    return last;
}

/* Is the line at s a source, with its address on it or on the next? */
static bool is_source(const struct reading *r, const char *text, size_t n,
                      struct str s, const char *next, size_t *number,
                      struct str *url)
{
    const char *end = text + n, *at;
    size_t len = 0;

    *number = source_number(s, s.p > r->from);
    if (*number == 0)
        return false;
    at = address_find(s.p, s.n, &len);
    if (at == NULL) {
        struct str below = str_trim(line_next(&next, end));

        at = below.p;
        len = address_at(below.p, below.n);
        if (len == 0 || len != below.n)
            return false;
    }
    *url = (struct str){at, len};
    return true;
}

static void sources_read(struct reading *r, const char *text, size_t n)
{
    const char *p = text, *end = text + n;

    while (p < end && r->e == ERR_OK) {
        struct str s = line_next(&p, end), url;
        size_t number;

        if (!is_source(r, text, n, s, p, &number, &url) ||
            r->urls[number] != NULL)
            continue;
        r->urls[number] = arena_strndup(r->a, url.p, url.n);
        if (r->urls[number] == NULL)
            r->e = ERR_NOMEM;
    }
}

/* --- blocks -------------------------------------------------------------- */

static void put(struct reading *r, char c)
{
    if (r->len + 1 < r->max)
        r->line[r->len++] = c;
}

static void cite(struct reading *r, const char *url)
{
    if (url == NULL || r->cite_count == BLOCK_URLS_MAX)
        return;
    r->cites[r->cite_count].at = r->len;
    r->cites[r->cite_count++].url = url;
}

/* Length of what stands in brackets from p[0] on, with them; or 0. */
static size_t bracketed(const char *p, size_t n, char open, char close)
{
    size_t depth = 0;

    if (n == 0 || p[0] != open)
        return 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '\\')
            i++;
        else if (p[i] == open)
            depth++;
        else if (p[i] == close && --depth == 0)
            return i + 1;
    }
    return 0;
}

/* A link "[words](address)": its words stay, a number of a mark does not. */
static size_t link_read(struct reading *r, const char *p, size_t n)
{
    size_t words = bracketed(p, n, '[', ']'), target, len, number;
    const char *at;

    if (words < 2 || words >= n)
        return 0;
    target = bracketed(p + words, n - words, '(', ')');
    at = target == 0 ? NULL : address_find(p + words, target, &len);
    if (at == NULL)
        return 0;
    /* "([source](https://…))" is a mark as well. */
    if (r->len > 0 && r->line[r->len - 1] == '(' && words + target < n &&
        p[words + target] == ')') {
        r->len--;
        target++;
    } else if (mark_at(p, n, &number) == 0 &&
               mark_at(p + 1, words - 2, &number) == 0)
        for (size_t i = 1; i + 1 < words; i++)
            if (strchr("*`", p[i]) == NULL)
                put(r, p[i]);
    cite(r, arena_strndup(r->a, at, len));
    return words + target;
}

static size_t sign_read(struct reading *r, const char *p, size_t n)
{
    size_t number, len = link_read(r, p, n);

    if (len > 0)
        return len;
    if ((len = mark_at(p, n, &number)) > 0 && r->urls[number] != NULL) {
        cite(r, r->urls[number]);
        return len;
    }
    if (p[0] == '<' && (len = address_at(p + 1, n - 1)) > 0 && len + 2 <= n &&
        p[len + 1] == '>') {
        cite(r, arena_strndup(r->a, p + 1, len));
        return len + 2;
    }
    if ((len = address_at(p, n)) > 0) {
        cite(r, arena_strndup(r->a, p, len));
        return len;
    }
    if (p[0] == '\\' && n > 1 && strchr("\\`*_{}[]()#+-.!>|", p[1]) != NULL) {
        put(r, p[1]);
        return 2;
    }
    return p[0] == '*' || p[0] == '`' ? 1 : 0;
}

/* A line's words at the end of the block, what they cite taken out. */
static void words_read(struct reading *r, struct str s)
{
    if (r->len > 0 && r->line[r->len - 1] != ' ')
        put(r, ' ');
    for (size_t i = 0; i < s.n;) {
        size_t len = sign_read(r, s.p + i, s.n - i);

        if (len > 0) {
            i += len;
            continue;
        }
        /* "in 1988 [1]." leaves a blank before the full stop. */
        if (strchr(".!?,;", s.p[i]) != NULL && r->len > 0 &&
            r->line[r->len - 1] == ' ' && r->cite_count > 0 &&
            r->cites[r->cite_count - 1].at == r->len)
            r->len--;
        put(r, ascii_is_space(s.p[i]) ? ' ' : s.p[i]);
        i++;
    }
}

/* The sentences of the block that ends; each with the marks up to the next
 * sentence, else those of the next that has some, else of the last. */
static void block_end(struct reading *r)
{
    struct span *spans = NULL;
    size_t count = 0, first = r->out->count, at = 0;

    r->line[r->len] = '\0';
    r->e = r->e != ERR_OK
               ? r->e
               : sentences_split(r->line, r->len, r->a, &spans, &count);
    for (size_t i = 0; i < count && r->e == ERR_OK; i++) {
        struct check_item item = {.sentence = NULL};
        struct str s =
            str_trim((struct str){r->line + spans[i].start, spans[i].len});
        size_t end = i + 1 < count ? spans[i + 1].start : r->len + 1;
        bool says = false;

        for (size_t k = 0; k < s.n && !says; k++)
            says = ascii_is_alnum(s.p[k]) || (unsigned char)s.p[k] >= 0x80;
        for (; at < r->cite_count && r->cites[at].at < end; at++)
            url_add(&item, r->cites[at].url);
        if (!says || s.n > CHECK_SENTENCE_MAX)
            continue;
        item.sentence = arena_strndup(r->a, s.p, s.n);
        r->e = item.sentence == NULL ? ERR_NOMEM : item_add(r->out, item, r->a);
    }
    for (size_t i = r->out->count; i-- > first;) {
        struct check_item *item = &r->out->items[i];

        if (item->url_count > 0)
            continue;
        if (i + 1 < r->out->count) {
            memcpy(item->urls, item[1].urls, sizeof(item->urls));
            item->url_count = item[1].url_count;
        }
    }
    for (size_t i = first; i < r->out->count; i++) {
        struct check_item *item = &r->out->items[i];

        if (item->url_count == 0 && i > first) {
            memcpy(item->urls, item[-1].urls, sizeof(item->urls));
            item->url_count = item[-1].url_count;
        }
    }
    r->len = 0;
    r->cite_count = 0;
}

/* A block without a mark has that of the one behind it. */
static void marks_fill(struct check_list *out, size_t first, const char *url)
{
    for (size_t i = out->count; i-- > first;) {
        struct check_item *item = &out->items[i];

        if (item->url_count == 0 && i + 1 < out->count) {
            memcpy(item->urls, item[1].urls, sizeof(item->urls));
            item->url_count = item[1].url_count;
        }
        if (item->url_count == 0 && url != NULL)
            url_add(item, url);
    }
}

/* Without the sign of an item, a quotation or a row; *item: it had one. */
static struct str line_bare(struct str s, bool *item)
{
    size_t i = 0;

    s = str_trim(s);
    while (s.n > 0 && (s.p[0] == '>' || s.p[0] == '|'))
        s = str_trim((struct str){s.p + 1, s.n - 1});
    while (s.n > 0 && s.p[s.n - 1] == '|')
        s = str_trim((struct str){s.p, s.n - 1});
    while (i < s.n && i < 3 && ascii_is_digit(s.p[i]))
        i++;
    if (i > 0 && i + 1 < s.n && strchr(".)", s.p[i]) != NULL &&
        s.p[i + 1] == ' ')
        i++;
    else
        i = s.n > 1 && strchr("-*+", s.p[0]) != NULL && s.p[1] == ' ' ? 1 : 0;
    *item = i > 0;
    return str_trim((struct str){s.p + i, s.n - i});
}

/* The cells of a line of a table. */
static size_t cells_of(struct str s, struct str cells[COLUMNS_MAX])
{
    size_t n = 0, from = 1;

    s = str_trim(s);
    for (size_t i = 1; i < s.n && n < COLUMNS_MAX; i++)
        if ((s.p[i] == '|' && s.p[i - 1] != '\\') || i + 1 == s.n) {
            size_t end = s.p[i] == '|' ? i : s.n;

            cells[n++] = str_trim((struct str){s.p + from, end - from});
            from = i + 1;
        }
    return n;
}

static bool has_mark(struct str s)
{
    size_t number;

    for (size_t i = 0; i < s.n; i++)
        if (mark_at(s.p + i, s.n - i, &number) > 0)
            return true;
    return false;
}

/* A row claims what its heads say: "Name: port | Default: 80", as pages are
 * stored. Cells that cite something of their own stand for themselves. */
static void row_read(struct reading *r, struct str s)
{
    struct str cells[COLUMNS_MAX];
    size_t n = cells_of(s, cells), number;
    bool whole = n <= r->head_count;

    for (size_t i = 0; i + 1 < n; i++)
        whole = whole && !has_mark(cells[i]);
    for (size_t i = 0; i < n; i++) {
        bool says = mark_at(cells[i].p, cells[i].n, &number) < cells[i].n;

        if (says && r->len > 0)
            words_read(r, str_of("|"));
        if (says && whole && r->heads[i].n > 0) {
            words_read(r, r->heads[i]);
            put(r, ':');
        }
        words_read(r, cells[i]);
        if (!whole && has_mark(cells[i]))
            block_end(r);
    }
}

/* Nothing but signs: a rule, the line below a table's head. */
static bool is_rule(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (strchr("-*_=|: ", s.p[i]) == NULL)
            return false;
    return true;
}

/* A line of its own in italics or bold that is no sentence and cites nothing:
 * what the lines below stand under, as "#" says it. */
static bool is_heading(struct str s)
{
    size_t stars = 0;

    s = str_trim(s);
    while (stars < 2 && stars < s.n && s.p[stars] == '*')
        stars++;
    if (stars == 0 || s.n < 2 * stars + 1 ||
        memcmp(s.p + s.n - stars, "**", stars) != 0 ||
        strchr(".!", s.p[s.n - stars - 1]) != NULL)
        return false;
    for (size_t i = stars; i < s.n - stars; i++)
        if (s.p[i] == '\\')
            i++;
        else if (s.p[i] == '*' || s.p[i] == '[')
            return false;
    return true;
}

static void lines_read(struct reading *r, const char *text, size_t n)
{
    const char *p = text, *end = text + n;
    bool code = false;

    while (p < end && r->e == ERR_OK) {
        struct str s = line_next(&p, end), url, rule;
        const char *below;
        bool item = false, row;
        size_t number;

        if (str_trim(s).n >= 3 && (memcmp(str_trim(s).p, "```", 3) == 0 ||
                                   memcmp(str_trim(s).p, "~~~", 3) == 0)) {
            code = !code;
            continue;
        }
        if (code)
            continue;
        if (is_source(r, text, n, s, p, &number, &url)) {
            block_end(r);
            if (url.p > s.p + s.n)
                line_next(&p, end);
            continue;
        }
        if (is_rule(s) || str_trim(s).p[0] == '#' ||
            (r->len == 0 && is_heading(s))) {
            block_end(r);
            continue;
        }
        row = str_trim(s).p[0] == '|';
        below = p;
        rule = line_next(&below, end);
        if (row && is_rule(rule) && memchr(rule.p, '-', rule.n) != NULL) {
            block_end(r);
            r->head_count = cells_of(s, r->heads);
            continue;
        }
        if (row) {
            block_end(r);
            row_read(r, s);
            continue;
        }
        r->head_count = 0;
        s = line_bare(s, &item);
        if (item)
            block_end(r);
        words_read(r, s);
    }
    block_end(r);
}

enum err check_read_markdown(const char *text, size_t n, const char *url,
                             const char *const *sources, size_t source_count,
                             struct arena *a, struct check_list *out,
                             struct errctx *ec)
{
    struct reading r = {.a = a, .out = out, .max = n + 2};
    size_t first = out->count;

    r.urls = arena_array(a, NUMBERS_MAX, sizeof(*r.urls));
    r.line = arena_alloc(a, n + 2);
    if (r.urls == NULL || r.line == NULL)
        return ERR_NOMEM;
    memset(r.urls, 0, NUMBERS_MAX * sizeof(*r.urls));
    for (size_t i = 0; i < source_count && i + 1 < NUMBERS_MAX; i++)
        if (sources[i] != NULL) {
            r.urls[i + 1] = arena_strdup(a, sources[i]);
            r.e = r.urls[i + 1] == NULL ? ERR_NOMEM : r.e;
        }
    r.from = last_mark(text, n);
    sources_read(&r, text, n);
    lines_read(&r, text, n);
    marks_fill(out, first, url == NULL ? NULL : arena_strdup(a, url));
    if (r.e == ERR_LIMIT)
        return err_set(ec, ERR_LIMIT, "more than %d sentences",
                       CHECK_ITEMS_MAX);
    return arena_failed(a) ? ERR_NOMEM : r.e;
}

/* --- JSON ---------------------------------------------------------------- */

/* {"answer","sources"}, as the service gives it. */
static enum err answer_read(const struct json *v, const char *answer,
                            struct arena *a, struct check_list *out,
                            struct errctx *ec)
{
    const char *urls[NUMBERS_MAX] = {NULL};
    size_t count = 0;

    for (const struct json *s = json_first(json_get(v, "sources"));
         s != NULL && count < NUMBERS_MAX; s = json_next(s))
        urls[count++] = json_string(json_get(s, "url"));
    return check_read_markdown(answer, strlen(answer),
                               count == 1 ? urls[0] : NULL, urls, count, a, out,
                               ec);
}

enum err check_read_object(const struct json *v, struct arena *a,
                           struct check_list *out, const char **wrong,
                           struct errctx *ec)
{
    const char *sentence = json_string(json_get(v, "sentence"));
    const char *text = json_string(json_get(v, "text"));
    const char *answer = json_string(json_get(v, "answer"));
    const char *passage = json_string(json_get(v, "passage"));
    const char *quote = json_string(json_get(v, "quote"));
    const char *url = json_string(json_get(v, "url"));
    struct check_item item = {.sentence = NULL};

    *wrong = NULL;
    if (answer != NULL)
        return answer_read(v, answer, a, out, ec);
    if (text != NULL && url != NULL)
        return check_read_markdown(text, strlen(text), url, NULL, 0, a, out,
                                   ec);
    if (sentence == NULL || (passage == NULL && url == NULL))
        *wrong = "wants \"sentence\" with \"passage\" or \"url\", or \"text\" "
                 "with \"url\"";
    else if (strlen(sentence) > CHECK_SENTENCE_MAX)
        *wrong = "has a \"sentence\" that is too long";
    else if (passage != NULL && strlen(passage) > CHECK_PASSAGE_MAX)
        *wrong = "has a \"passage\" that is too long";
    if (*wrong != NULL)
        return ERR_OK;
    item.sentence = arena_strdup(a, sentence);
    item.passage = passage == NULL ? NULL : arena_strdup(a, passage);
    item.quote = quote == NULL ? NULL : arena_strdup(a, quote);
    if (passage == NULL)
        url_add(&item, arena_strdup(a, url));
    if (arena_failed(a))
        return ERR_NOMEM;
    if (item_add(out, item, a) == ERR_LIMIT)
        return err_set(ec, ERR_LIMIT, "more than %d sentences",
                       CHECK_ITEMS_MAX);
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}

static enum err object_read(struct str s, size_t number, struct arena *a,
                            struct check_list *out, struct errctx *ec)
{
    struct json_limits lim = json_limits_foreign;
    struct json *v = NULL;
    const char *wrong = NULL;
    enum err e;

    lim.bytes_max = CHECK_TEXT_MAX;
    e = json_parse(s.p, s.n, &lim, &v, ec);
    if (e == ERR_NOMEM)
        return e;
    if (e != ERR_OK || json_type_of(v) != JSON_OBJECT) {
        json_free(v);
        return err_set(ec, ERR_INVALID, "line %zu is no JSON object", number);
    }
    e = check_read_object(v, a, out, &wrong, ec);
    json_free(v);
    if (e == ERR_OK && wrong != NULL)
        return err_set(ec, ERR_INVALID, "line %zu %s", number, wrong);
    return e;
}

enum err check_read(const char *text, size_t n, struct arena *a,
                    struct check_list *out, struct errctx *ec)
{
    const char *p = text, *end = text + n;
    struct str whole = str_trim((struct str){text, n});
    enum err e = ERR_OK;

    *out = (struct check_list){NULL, 0};
    if (n > CHECK_TEXT_MAX)
        return err_set(ec, ERR_INVALID, "more than %d MB",
                       CHECK_TEXT_MAX >> 20);
    if (!utf8_valid(text, n) || memchr(text, '\0', n) != NULL)
        return err_set(ec, ERR_INVALID, "it is no UTF-8 text");
    if (whole.n == 0 || whole.p[0] != '{')
        return check_read_markdown(text, n, NULL, NULL, 0, a, out, ec);
    /* One object over several lines, or one in each. */
    if (memchr(whole.p, '\n', whole.n) != NULL &&
        object_read(whole, 1, a, out, ec) == ERR_OK)
        return ERR_OK;
    *out = (struct check_list){NULL, 0};
    for (size_t i = 1; p < end && e == ERR_OK; i++) {
        struct str s = str_trim(line_next(&p, end));

        if (s.n > 0)
            e = object_read(s, i, a, out, ec);
    }
    return e;
}
