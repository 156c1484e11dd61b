/* Lists out of sentences; see value.h. Called by structured_value.c. */
#include "object/value.h"

#include "base/buf.h"
#include "base/str.h"

#include <string.h>

enum {
    LIST_BYTES_MAX = 8192,
    ITEMS_MAX = 50,
    LIST_GAP = 2,       /* words between the label and the sign of a list */
    ITEM_WORDS_MAX = 6, /* a longer item is prose */
    NAME_WORDS_MAX = 3  /* … where it is not announced */
};

static const double FIT_LIST = 0.3;

/* What leads to a list. Behind a bare verb the items are short, and two of them
 * may as well be the rest of a sentence. */
struct sign {
    const char *text;
    bool bare;
    size_t least; /* items */
    double fit;   /* of what is only named as examples, less */
};
static const struct sign signs[] = {
    {"such as ", false, 2, -0.1},  {"including ", false, 3, -0.1},
    {"includes ", false, 3, 0},    {"include ", false, 3, 0},
    {"consists of ", false, 2, 0}, {"namely ", false, 2, 0},
    {": ", false, 2, 0},           {" are ", true, 2, 0},
    {" one of ", true, 3, 0},      {" either ", true, 3, 0},
    {" value of ", true, 3, 0},    {" can be ", true, 3, 0}};
enum { SIGNS = sizeof signs / sizeof *signs };

/* Does the label, or "values", stand right ahead of byte `at`? *values: the
 * latter. */
static bool is_near(const struct text *x, size_t at, bool *values)
{
    size_t last = x->count;

    for (size_t i = 0; i < x->count && x->t[i].end <= at; i++)
        last = i;
    *values = last < x->count && word_in(x->t[last].text, "values value");
    return *values || near_gap(&x->near, at) <= LIST_GAP;
}

/* Length of the separator at p: a comma, "and", "or", or both. */
static size_t separator_at(const char *p, size_t n)
{
    static const char *const all[] = {", and ", ", or ", "; and ", ", ", "; ",
                                      " and ",  " or ",  "\n",     NULL};

    for (size_t i = 0; all[i] != NULL; i++)
        if (strlen(all[i]) <= n && memcmp(p, all[i], strlen(all[i])) == 0)
            return strlen(all[i]);
    return 0;
}

/* What names the item, without marks and without what explains it: "csv (Comma
 * Separated Values)", "the "stable" distribution". */
static struct str item_bare(struct str s)
{
    const char *at, *close;

    s = str_trim(s);
    at = mem_find(s.p, s.n, " (");
    if (at != NULL && s.p[s.n - 1] == ')')
        s.n = (size_t)(at - s.p);
    at = memchr(s.p, '"', s.n);
    close =
        at == NULL ? NULL : memchr(at + 1, '"', s.n - (size_t)(at + 1 - s.p));
    if (close != NULL && close > at + 1 &&
        memchr(close + 1, '"', s.n - (size_t)(close + 1 - s.p)) == NULL)
        return (struct str){at + 1, (size_t)(close - at - 1)};
    return value_bare(s);
}

/* An item of an enumeration as the list's schema wants it, NULL when it is
 * none of these. */
static enum err item_value(const struct value_want *list, struct str item,
                           struct arena *a, const char **json)
{
    struct value_want w = *list;
    struct unit u = {UNIT_SENTENCE, item, {"", 0}};
    struct value_choices v = {.count = 0};
    const char *type = json_string(json_get(list->item, "type"));
    enum err e = ERR_OK;

    w.leaf = list->item;
    w.kind = value_kind_of(list->item, type == NULL ? "" : type);
    w.type = w.kind == VALUE_DATE ? ANSWER_DATE : ANSWER_ANY;
    *json = NULL;
    if (w.kind == VALUE_TEXT) {
        *json = value_string(item.p, item.n, a);
        e = *json == NULL ? ERR_NOMEM : ERR_OK;
    } else if (w.kind != VALUE_LIST && w.kind != VALUE_BOOLEAN) {
        e = value_find(&w, &u, a, &v);
    }
    if (v.count == 1)
        *json = v.at[0].json;
    return e;
}

/* Does a bracket open or close in it that has no other end there? */
static bool is_torn(struct str s)
{
    int open = 0;

    for (size_t i = 0; i < s.n && open >= 0; i++)
        open += (s.p[i] == '(') - (s.p[i] == ')');
    return open != 0;
}

/* "when it commits", "in italics", "conflicts with the reader": a clause, no
 * name. A single word is one whatever it is: "all". */
static bool is_clause(struct str s)
{
    static const char names[] = "the a an of and or by to in no not on off all";
    struct term_iter it;
    struct term t;
    size_t tokens = 0;
    bool clause = false;

    terms_init(&it, s.p, s.n);
    for (; tokens_next(&it, &t); tokens++)
        clause = clause || (tokens == 0 && word_in(t.text, "in by of")) ||
                 (term_is_stop(t.text, t.len) && !word_in(t.text, names));
    return tokens > 1 && clause;
}

/* Does a list begin within it? */
static bool leads(struct str s)
{
    for (size_t i = 0; i < SIGNS; i++)
        if (mem_find_i(s.p, s.n, signs[i].text) != NULL ||
            (signs[i].bare && s.n > strlen(signs[i].text) &&
             ascii_starts_i(s.p, signs[i].text + 1)))
            return true;
    return false;
}

/* "are deprecated, …": what is said of the label is none of its values. */
static bool is_participle(struct str s)
{
    return s.n > 3 && s.p[0] >= 'a' && s.p[0] <= 'z' &&
           memchr(s.p, ' ', s.n) == NULL && memcmp(s.p + s.n - 2, "ed", 2) == 0;
}

/* An enumeration while it is read. */
struct items {
    struct buf json;
    size_t count;
    size_t words_max;
    bool single; /* all of one word so far */
    bool bare;   /* behind a bare verb */
    bool prose;  /* one of them is none */
    bool ended;
};

/* One piece between separators; last: "or" or "and" stands ahead of it. Of
 * single words the last one is one too: "basic, fixed, or perl will enable". */
static enum err piece_take(const struct value_want *w, struct str piece,
                           bool last, struct arena *a, struct items *out)
{
    struct str s = item_bare(piece);
    size_t words = tokens_count(s.p, s.n), n = 0;
    const char *z = NULL;
    enum err e;

    if (words == 0)
        return ERR_OK;
    out->prose = out->prose || leads(s);
    if (out->count > 0 && ascii_starts_i(s.p, "which "))
        return ERR_OK;
    if (last && out->single && out->count > 0 &&
        (words > out->words_max || is_clause(s))) {
        while (n < s.n && !ascii_is_space(s.p[n]))
            n++;
        s.n = n;
        words = 1;
        out->ended = true;
    }
    out->single = out->single && words == 1;
    out->prose = out->prose || words > out->words_max || is_torn(s) ||
                 is_clause(s) || (out->bare && is_participle(s));
    e = item_value(w, s, a, &z);
    if (z != NULL)
        buf_addf(&out->json, "%s%s", out->count++ == 0 ? "" : ",", z);
    return e;
}

/* The items from byte `at` on. */
static enum err items_read(const struct value_want *w, const struct text *x,
                           size_t at, struct arena *a, struct items *out)
{
    size_t end = x->n, from = at;
    bool last = false;
    int open = 0;
    enum err e = ERR_OK;

    while (end > at && strchr(".!; \n", x->p[end - 1]) != NULL)
        end--;
    buf_addc(&out->json, '[');
    for (; at <= end && out->count < ITEMS_MAX && !out->ended && e == ERR_OK;
         at++) {
        size_t sep = at == end ? 1 : separator_at(x->p + at, end - at);

        open += at < end ? (x->p[at] == '(') - (x->p[at] == ')') : 0;
        if (sep == 0 || (open > 0 && at < end))
            continue;
        e = piece_take(w, (struct str){x->p + from, at - from}, last, a, out);
        last = at < end && (mem_find(x->p + at, sep, "or ") != NULL ||
                            mem_find(x->p + at, sep, "and ") != NULL);
        from = at + sep;
        at += sep - 1;
    }
    buf_addc(&out->json, ']');
    return e == ERR_OK && buf_err(&out->json) == ERR_NOMEM ? ERR_NOMEM : e;
}

/* The items of an enumeration as one JSON array, from two items on. */
enum err value_lists(const struct value_want *w, const struct text *x,
                     struct arena *a, struct value_choices *out)
{
    enum err e = ERR_OK;

    for (size_t i = 0; i < SIGNS && e == ERR_OK; i++) {
        const struct sign *sign = &signs[i];
        const char *at = mem_find_i(x->p, x->n, sign->text);
        struct items all = {.words_max =
                                sign->bare ? NAME_WORDS_MAX : ITEM_WORDS_MAX,
                            .single = true,
                            .bare = sign->bare};
        size_t start = at == NULL ? 0 : (size_t)(at - x->p);
        bool values = false;

        if (at == NULL || !is_near(x, start, &values))
            continue;
        start += strlen(sign->text);
        buf_init(&all.json, LIST_BYTES_MAX);
        e = items_read(w, x, start, a, &all);
        if (!all.prose && e == ERR_OK && buf_err(&all.json) == ERR_OK &&
            all.count >= (values ? 2 : sign->least))
            value_add(out, arena_strdup(a, buf_str(&all.json)), start, x->n,
                      FIT_LIST + sign->fit +
                          (double)(all.count > 10 ? 10 : all.count) / 100);
        buf_fini(&all.json);
    }
    return e;
}
