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

/* Where the items begin: behind a colon or a word that announces them, with
 * the label right ahead of it. *near: is it? */
static size_t items_start(const struct text *x, bool *near, size_t *words_max)
{
    static const char *const signs[] = {"such as ", "including ",   "includes ",
                                        "include ", "consists of ", "namely ",
                                        ": ",       " are ",        NULL};

    for (size_t i = 0; signs[i] != NULL; i++) {
        const char *at = mem_find_i(x->p, x->n, signs[i]);

        if (at == NULL)
            continue;
        *words_max =
            strcmp(signs[i], " are ") == 0 ? NAME_WORDS_MAX : ITEM_WORDS_MAX;
        *near = near_gap(&x->near, (size_t)(at - x->p)) <= LIST_GAP;
        return (size_t)(at - x->p) + strlen(signs[i]);
    }
    *near = false;
    return x->n;
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
    item = value_bare(str_trim(item));
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

/* "when it commits", "for example", "conflicts with the reader": a clause, no
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
        clause =
            clause || (term_is_stop(t.text, t.len) && !word_in(t.text, names));
    return tokens > 1 && clause;
}

/* The items of an enumeration as one JSON array, from two items on. */
enum err value_lists(const struct value_want *w, const struct text *x,
                     struct arena *a, struct value_choices *out)
{
    bool near = false, prose = false;
    size_t words_max = ITEM_WORDS_MAX;
    size_t at = items_start(x, &near, &words_max), end = x->n, from = at,
           items = 0;
    const size_t start = at;
    struct buf b;
    enum err e = ERR_OK;

    while (end > at && strchr(".!; \n", x->p[end - 1]) != NULL)
        end--;
    buf_init(&b, LIST_BYTES_MAX);
    buf_addc(&b, '[');
    for (; at <= end && items < ITEMS_MAX && e == ERR_OK; at++) {
        size_t sep = at == end ? 1 : separator_at(x->p + at, end - at);
        const char *z = NULL;
        size_t words;

        if (sep == 0)
            continue;
        words = tokens_count(x->p + from, at - from);
        prose = prose || words > words_max ||
                is_torn((struct str){x->p + from, at - from}) ||
                is_clause((struct str){x->p + from, at - from});
        if (words > 0)
            e = item_value(w, (struct str){x->p + from, at - from}, a, &z);
        if (z != NULL)
            buf_addf(&b, "%s%s", items++ == 0 ? "" : ",", z);
        from = at + sep;
        at += sep - 1;
    }
    buf_addc(&b, ']');
    if (e == ERR_OK && buf_err(&b) == ERR_NOMEM)
        e = ERR_NOMEM;
    if (near && !prose && items >= 2 && e == ERR_OK && buf_err(&b) == ERR_OK)
        value_add(out, arena_strdup(a, buf_str(&b)), start, x->n,
                  FIT_LIST + (double)(items > 10 ? 10 : items) / 100);
    buf_fini(&b);
    return e;
}
