/* Lists out of sentences; see value.h. Called by structured_value.c. */
#include "object/value.h"

#include "base/buf.h"
#include "base/str.h"

#include <string.h>

enum {
    LIST_BYTES_MAX = 8192,
    ITEMS_MAX = 50,
    ITEM_WORDS_MAX = 6, /* a longer item is prose */
    NAME_WORDS_MAX = 3  /* … where it is not announced */
};

/* What leads to a list. Behind a bare verb the items are short. */
static const struct sign {
    const char *text;
    bool bare;
} signs[] = {{"such as ", false},     {"including ", false},
             {"includes ", false},    {"include ", false},
             {"consists of ", false}, {"namely ", false},
             {": ", false},           {" being ", true},
             {" are ", true},         {" one of ", true},
             {" either ", true},      {" value of ", true},
             {" can be ", true},      {"s, ", true}};
enum { SIGNS = sizeof signs / sizeof *signs };

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

/* Without a bracket that opens or closes in it alone, "<hardware", "none>:". */
static struct str item_whole(struct str s)
{
    static const char opens[] = "<[{(", closes[] = ">]})";
    const char *at;

    if (s.n > 2 && s.p[s.n - 1] == ':' && strchr(closes, s.p[s.n - 2]) != NULL)
        s.n--;
    while (s.n > 1 && (at = strchr(opens, s.p[0])) != NULL &&
           memchr(s.p, closes[at - opens], s.n) == NULL)
        s = (struct str){s.p + 1, s.n - 1};
    while (s.n > 1 && (at = strchr(closes, s.p[s.n - 1])) != NULL &&
           memchr(s.p, opens[at - closes], s.n) == NULL)
        s.n--;
    return s;
}

/* What names the item, without marks and without what explains it: "csv (Comma
 * Separated Values)", "the "stable" distribution". */
static struct str item_bare(struct str s)
{
    const char *at, *close;
    size_t digits;

    s = item_whole(str_trim(s));
    for (digits = 1; digits < s.n && ascii_is_digit(s.p[digits]); digits++)
        ;
    if (digits > 1 && s.p[0] == '(' && digits + 1 < s.n && s.p[digits] == ')')
        s = str_trim(
            (struct str){s.p + digits + 1, s.n - digits - 1}); /* (1) */
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
    struct unit u = {UNIT_SENTENCE, item, {"", 0}, false};
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
        open +=
            (s.p[i] == '(' || s.p[i] == '[') - (s.p[i] == ')' || s.p[i] == ']');
    return open != 0;
}

/* "when it commits", "in italics", "conflicts with the reader": a clause, no
 * name. A single word is one whatever it is: "all". */
static bool is_clause(struct str s)
{
    static const char names[] =
        "the a an of and or by to in out no not on off all";
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
    struct str at[ITEMS_MAX];
    size_t count, words_max;
};

static bool is_word(struct str s)
{
    return s.n > 0 && memchr(s.p, ' ', s.n) == NULL;
}

/* Are all of the items but one single words? */
static bool are_words(const struct items *x, size_t but)
{
    for (size_t i = 0; i < x->count; i++)
        if (i != but && !is_word(item_bare(x->at[i])))
            return false;
    return x->count > 2;
}

static bool is_stop(struct str s)
{
    struct term_iter it;
    struct term t;

    terms_init(&it, s.p, s.n);
    return !tokens_next(&it, &t) || term_is_stop(t.text, t.len);
}

static struct str first_word(struct str s)
{
    size_t n = 0;

    while (n < s.n && !ascii_is_space(s.p[n]))
        n++;
    return (struct str){s.p, n};
}

static struct str last_word(struct str s)
{
    size_t n = 0;

    while (n < s.n && !ascii_is_space(s.p[s.n - n - 1]))
        n++;
    return (struct str){s.p + s.n - n, n};
}

/* Of single words the last is one too, "basic, fixed, or perl will enable",
 * or "global and local variables" where variables are asked for; and so is the
 * first, "the files preinst, postinst and prerm"; what is no name is left out:
 * "tar, zip and any format that …". */
static void ends_cut(const struct label *l, struct items *x)
{
    struct str *last = &x->at[x->count - 1], bare = item_bare(*last);
    struct term_iter it;
    struct term t;

    if (are_words(x, x->count - 1) && !is_word(bare)) {
        terms_init(&it, bare.p, bare.n);
        if (tokens_next(&it, &t) && term_is_stop(t.text, t.len))
            x->count--;
        else if (word_in(t.text, "any other others some"))
            x->count--;
        else if (is_clause(bare) ||
                 tokens_count(bare.p, bare.n) > NAME_WORDS_MAX ||
                 label_mask(l, last_word(bare).p, last_word(bare).n) != 0)
            *last = first_word(bare);
    }
    if (x->count == 0)
        return;
    if (!is_word(item_bare(x->at[0])) && are_words(x, 0))
        x->at[0] = last_word(str_trim(x->at[0]));
    /* "the methods, plain and cubic": what they are called is none of them. */
    bare = item_bare(x->at[0]);
    if (is_word(bare) && x->count > 2 && label_mask(l, bare.p, bare.n) != 0)
        memmove(x->at, x->at + 1, --x->count * sizeof *x->at);
}

/* Where a sentence ends at byte at. */
static bool ends_there(const struct text *x, size_t at)
{
    return x->p[at] == '.' && at + 1 < x->n && x->p[at + 1] == ' ' && at > 0 &&
           strchr(" .", x->p[at - 1]) == NULL;
}

/* The items from byte `at` on; the one behind "and" or "or" is the last. */
static void items_read(const struct text *x, size_t at, struct items *out)
{
    size_t end = x->n, from = at;
    bool last = false;
    int open = 0;

    out->count = 0;
    for (size_t i = at; i < end; i++) {
        open += (x->p[i] == '(') - (x->p[i] == ')');
        if (ends_there(x, i) || open < 0) /* in a bracket that closes */
            end = i;
    }
    open = 0;
    while (end > at && strchr(".!; \n", x->p[end - 1]) != NULL)
        end--;
    for (; at <= end && out->count < ITEMS_MAX; at++) {
        size_t sep = at == end ? 1 : separator_at(x->p + at, end - at);
        struct str piece = str_trim((struct str){x->p + from, at - from});

        open += at < end ? (x->p[at] == '(') - (x->p[at] == ')') : 0;
        if (sep == 0 || (open > 0 && at < end))
            continue;
        if (tokens_count(piece.p, piece.n) > 0 &&
            (out->count == 0 || !ascii_starts_i(piece.p, "which ")))
            out->at[out->count++] = piece;
        if (last)
            break;
        last = at < end && (mem_find(x->p + at, sep, "or ") != NULL ||
                            mem_find(x->p + at, sep, "and ") != NULL);
        from = at + sep;
        at += sep - 1;
    }
    if (out->count > 0)
        ends_cut(x->near.label, out);
}

/* Where a row of three or more single words begins that nothing leads to,
 * "grouped by the same year, quarter, month, or day", from byte `at` on; n:
 * nowhere. */
static size_t row_find(const struct text *x, size_t at, struct items *out)
{
    for (; at < x->n; at++) {
        size_t from = at, first;

        if (x->p[at] != ',')
            continue;
        while (from > 0 && !ascii_is_space(x->p[from - 1]))
            from--;
        from += x->p[from] == '(';
        first = from;
        items_read(x, first, out);
        if (out->count > 2 && are_words(out, out->count) &&
            !is_stop(out->at[0]))
            return first;
        at += strcspn(x->p + at, " ");
    }
    return x->n;
}

/* The name of item i; with what explains it where that alone tells it from the
 * one beside it, "3.0 (native)", "3.0 (quilt)". */
static struct str item_name(const struct items *x, size_t i)
{
    struct str s = item_bare(x->at[i]);
    bool again = (i > 0 && view_same(item_bare(x->at[i - 1]), s)) ||
                 (i + 1 < x->count && view_same(item_bare(x->at[i + 1]), s));

    return again ? item_whole(str_trim(x->at[i])) : s;
}

/* Is one of them no item but prose, or are there fewer than that? */
static bool is_prose(const struct items *x, size_t least, bool bare)
{
    for (size_t i = 0; i < x->count; i++) {
        struct str s = item_bare(x->at[i]);

        if (tokens_count(s.p, s.n) > x->words_max || is_torn(s) ||
            is_clause(s) || leads(s) || (bare && i == 0 && is_participle(s)))
            return true;
    }
    return x->count < least;
}

static enum err items_print(const struct value_want *w, const struct items *x,
                            size_t start, size_t end, size_t least,
                            struct arena *a, struct value_choices *out)
{
    struct value_choice v = {.start = start, .end = end};
    struct buf b;
    enum err e = ERR_OK;

    buf_init(&b, LIST_BYTES_MAX);
    buf_addc(&b, '[');
    for (size_t i = 0; i < x->count && e == ERR_OK; i++) {
        struct str s = item_name(x, i);
        const char *z = NULL;

        e = item_value(w, s, a, &z);
        if (z == NULL)
            continue;
        buf_addf(&b, "%s%s", v.count++ == 0 ? "" : ",", z);
        v.words += (double)view_words(s);
        v.single += is_word(s) ? 1 : 0;
        v.numbers += s.n > 0 && ascii_is_digit(s.p[0]) && z[0] == '"' ? 1 : 0;
    }
    buf_addc(&b, ']');
    if (e == ERR_OK && buf_err(&b) == ERR_OK && v.count >= least &&
        out->count < VALUE_CHOICES_MAX) {
        v.json = arena_strdup(a, buf_str(&b));
        out->failed = out->failed || v.json == NULL;
        out->at[out->count++] = v;
    }
    buf_fini(&b);
    return e;
}

/* What is quoted in the text, each once: "If set to "warn", … If set to
 * "error", …". */
static void quoted_read(const struct text *x, struct items *out, size_t *start)
{
    const char *open = memchr(x->p, '"', x->n), *end = x->p + x->n, *close;

    out->count = 0;
    for (; open != NULL && out->count < ITEMS_MAX;
         open = memchr(close + 1, '"', (size_t)(end - close - 1))) {
        struct str s;
        size_t i = 0;

        close = memchr(open + 1, '"', (size_t)(end - open - 1));
        if (close == NULL)
            return;
        s = (struct str){open + 1, (size_t)(close - open - 1)};
        while (i < out->count && !view_same(out->at[i], s))
            i++;
        if (i < out->count || s.n == 0)
            continue;
        if (out->count == 0)
            *start = (size_t)(open - x->p);
        out->at[out->count++] = s;
    }
}

static size_t past(const struct text *x, size_t i, const char *bytes)
{
    while (i < x->n && x->p[i] != '\0' && strchr(bytes, x->p[i]) != NULL)
        i++;
    return i;
}

/* The words with commas between them from byte i on, two or more; where they
 * end. */
static size_t bare_read(const struct text *x, size_t i, struct items *out)
{
    while (i < x->n && out->count < ITEMS_MAX) {
        size_t n = 0;

        while (i + n < x->n && (ascii_is_alnum(x->p[i + n]) ||
                                memchr("_.-/", x->p[i + n], 4) != NULL))
            n++;
        if (n == 0)
            break;
        out->at[out->count++] = (struct str){x->p + i, n};
        i += n;
        if (i >= x->n || x->p[i] != ',')
            break;
        i = past(x, i, ", \n");
    }
    if (out->count < 2)
        out->count = 0;
    return i;
}

/* Is what begins at byte `at` said to be a value: "codes: [", "codes = ["? */
static bool is_given(const struct text *x, size_t at)
{
    while (at > 0 && x->p[at - 1] == ' ')
        at--;
    return at == 0 || strchr(":=", x->p[at - 1]) != NULL;
}

/* "['http', 'https']", "[500, 502]": what is quoted, or several words, in
 * brackets from byte `at` on, as programs write lists; where it begins, or n:
 * nowhere. *end: behind it. Behind a name stands a place in it,
 * "item['artist']". */
static size_t code_find(const struct text *x, size_t at, struct items *out,
                        size_t *end)
{
    for (; at + 2 < x->n; at++) {
        size_t i;

        if (x->p[at] != '[' ||
            (at > 0 && (ascii_is_alnum(x->p[at - 1]) ||
                        memchr("_)]'\"", x->p[at - 1], 5) != NULL)))
            continue;
        out->count = 0;
        i = past(x, at + 1, " \n");
        while (i < x->n && (x->p[i] == '\'' || x->p[i] == '"') &&
               out->count < ITEMS_MAX) {
            const char *close = memchr(x->p + i + 1, x->p[i], x->n - i - 1);
            size_t n = close == NULL ? 0 : (size_t)(close - x->p) - i - 1;

            if (n == 0)
                break;
            out->at[out->count++] = (struct str){x->p + i + 1, n};
            i = past(x, i + n + 2, ", \n");
        }
        if (out->count == 0 && is_given(x, at))
            i = bare_read(x, i, out);
        *end = i + 1;
        if (out->count > 0 && i < x->n && x->p[i] == ']')
            return at;
    }
    return x->n;
}

/* Part of a word as programs write it. */
static bool is_sign(char c)
{
    return ascii_is_alnum(c) || (unsigned char)c >= 0x80 ||
           memchr("_.-/+:*@$#%", c, 11) != NULL;
}

/* Where the word that begins at byte i ends. */
static size_t sign_end(const struct text *x, size_t i)
{
    while (i < x->n && is_sign(x->p[i]))
        i++;
    return i;
}

/* Is one of the bars at byte i, with blanks around it or without? */
static bool is_bar(const struct text *x, size_t i, bool wide)
{
    return wide ? i + 3 < x->n && memcmp(x->p + i, " | ", 3) == 0
                : i < x->n && x->p[i] == '|';
}

/* The words with bars between them from byte `start` on; *end: behind them. */
static void bars_read(const struct text *x, size_t start, bool wide,
                      struct items *out, size_t *end)
{
    bool more = true;

    out->count = 0;
    *end = start;
    for (size_t from = start; more && out->count < ITEMS_MAX;
         from = *end + (wide ? 3 : 1)) {
        *end = sign_end(x, from);
        if (*end == from)
            break;
        out->at[out->count++] = (struct str){x->p + from, *end - from};
        more = is_bar(x, *end, wide);
    }
    if (more)
        out->count = 0; /* a bar leads to no word */
}

/* Does a choice with blanks around its bars end there, at a colon or a bracket?
 * Cells do not, unless the last has a head, " | Default: no". */
static bool ends_wide(const struct text *x, const struct items *items,
                      size_t end)
{
    struct str first = items->at[0], last = items->at[items->count - 1];
    bool colon = last.p[last.n - 1] == ':';
    bool head = colon && last.p[0] >= 'A' && last.p[0] <= 'Z' &&
                !(first.p[0] >= 'A' && first.p[0] <= 'Z');

    return !head && (colon || (end < x->n && strchr("])}>", x->p[end])));
}

/* "reach ( drop | fail );": do they fill brackets, with blanks in these and
 * nothing behind them? A command writes "$( date | cut )". */
static bool fills_brackets(const struct text *x, size_t start, size_t end)
{
    return start > 2 && end + 1 < x->n && x->p[start - 3] == ' ' &&
           ((x->p[start - 2] == '(' && x->p[end + 1] == ')') ||
            (x->p[start - 2] == '{' && x->p[end + 1] == '}')) &&
           x->p[start - 1] == ' ' && x->p[end] == ' ' &&
           (end + 2 == x->n || strchr(";,.", x->p[end + 2]) != NULL);
}

/* May one choose among these words, which stand in bytes start..end with bars
 * between them? Two in brackets or marks alone; with blanks three, in these. */
static bool is_choice(const struct text *x, const struct items *items,
                      size_t start, size_t end, bool wide)
{
    bool marked = start > 0 && strchr("[({<\"'`=", x->p[start - 1]) != NULL;

    if (wide)
        return (items->count > 1 && fills_brackets(x, start, end)) ||
               (items->count > 2 && marked && ends_wide(x, items, end));
    return items->count > (marked ? 1 : 2) &&
           (marked || start == 0 || x->p[start - 1] == ' ') &&
           (end == x->n || strchr(" ])}>\"'`,;", x->p[end]) != NULL);
}

/* "hardware|software|none", "[on|off]", "=none | lzw | pack": a choice as
 * usages write it, from byte `at` on; where it begins, or n: nowhere.
 * *end: behind it. */
static size_t pipe_find(const struct text *x, size_t at, struct items *out,
                        size_t *end)
{
    for (size_t start = at; start < x->n; start = *end + 1) {
        bool wide = is_bar(x, sign_end(x, start), true);

        bars_read(x, start, wide, out, end);
        if (is_choice(x, out, start, *end, wide)) {
            struct str *last = &out->at[out->count - 1];

            while (last->n > 1 && strchr(".:", last->p[last->n - 1]) != NULL)
                last->n--;
            return start;
        }
        if (wide) /* they are cells */
            *end = sign_end(x, start);
    }
    return x->n;
}

/* Has the word a letter, and a sign that prose has not: "lease4_expire",
 * ".LCK", "RATE"? */
static bool is_written(struct str s)
{
    bool sign = false, letter = false;

    for (size_t i = 0; i < s.n; i++) {
        letter = letter || ascii_is_alpha(s.p[i]);
        sign = sign || (i > 0 && s.p[i] >= 'A' && s.p[i] <= 'Z') ||
               ascii_is_digit(s.p[i]) ||
               memchr("_$/.-<:", s.p[i], sizeof "_$/.-<:" - 1) != NULL;
    }
    return sign && letter;
}

/* The word that ends ahead of byte `end`, and the one that begins at `at`,
 * without the marks around them. */
static struct str word_ahead(const struct text *x, size_t end)
{
    return value_bare(last_word((struct str){x->p, end}));
}

static struct str word_at(const struct text *x, size_t at)
{
    struct str s = first_word((struct str){x->p + at, x->n - at});

    while (s.n > 0 && strchr(",;.", s.p[s.n - 1]) != NULL)
        s.n--;
    return value_bare(s);
}

/* "The limited and kod flags", "lease4_expire or lease6_expire": two words, and
 * no more, that are written as names, or that the label's noun stands by; from
 * byte `at` on. *end: behind what is said of them; n: there are none. */
static size_t pair_find(const struct label *l, const struct text *x, size_t at,
                        struct items *out, size_t *end)
{
    for (; at + 5 < x->n; at++) {
        size_t link = separator_at(x->p + at, x->n - at);
        struct str a, b, next;

        if (x->p[at] != ' ' || link == 0 || at == 0 || x->p[at - 1] == ',')
            continue;
        a = word_ahead(x, at);
        b = word_at(x, at + link);
        *end = (size_t)(b.p - x->p) + b.n;
        next = *end + 1 < x->n && x->p[*end] == ' ' ? word_at(x, *end + 1)
                                                    : (struct str){b.p, 0};
        if (a.n == 0 || b.n == 0 || is_stop(a) || is_stop(b) ||
            label_mask(l, b.p, b.n) != 0)
            continue;
        if (next.n > 0 && label_mask(l, next.p, next.n) != 0)
            *end = (size_t)(next.p - x->p) + next.n;
        else if (!is_written(a) || !is_written(b))
            continue;
        *out = (struct items){.at = {a, b}, .count = 2, .words_max = 1};
        return at;
    }
    return x->n;
}

/* May the words of a default be several values without a comma between them:
 * ".php .cgi", but not "current folder"? */
static bool are_signs(const struct items *x)
{
    for (size_t i = 0; i < x->count; i++)
        if (strcspn(x->at[i].p, "_*./$@{") >= x->at[i].n)
            return false;
    return true;
}

/* Where the default that is said behind "default: " begins; n: nowhere. What is
 * so by default, "By default: …", is prose. */
static size_t default_at(const struct text *x)
{
    for (size_t i = 0; i < x->count; i++)
        if (word_in(x->t[i].text, value_words.defaults) &&
            (i == 0 || !word_in(x->t[i - 1].text, "by")) &&
            x->t[i].end + 2 < x->n && memcmp(x->p + x->t[i].end, ": ", 2) == 0)
            return past(x, x->t[i].end + 1, " ");
    return x->n;
}

/* Is byte i a comma between two values, and not within a number, "1,000"? */
static bool is_comma(const struct text *x, size_t i, size_t end)
{
    return x->p[i] == ',' &&
           !(i > 0 && i + 1 < end && ascii_is_digit(x->p[i - 1]) &&
             ascii_is_digit(x->p[i + 1]));
}

/* No value but what stands for one, "none", or none that is whole. */
static bool is_nothing(struct str s)
{
    char z[TERM_MAX];
    size_t n = s.n < sizeof z ? s.n : sizeof z - 1;

    for (size_t i = 0; i < n; i++)
        z[i] = ascii_lower(s.p[i]);
    z[n] = '\0';
    return is_stop(first_word(s)) || s.p[s.n - 1] == ':' ||
           word_in(z, value_words.nothing) ||
           (memchr(s.p, '{', s.n) == NULL) != (memchr(s.p, '}', s.n) == NULL);
}

/* The words of a default, "Default: bcc, return-path", ".php .cgi", "\"css
 * js\"", one or more; what reads as prose is none. *start: where it begins. */
static void default_read(const struct text *x, struct items *out, size_t *start)
{
    size_t at = default_at(x), end = at;
    bool quoted = at < x->n && x->p[at] == '"', commas = false;

    *out = (struct items){.words_max = 2};
    at += quoted;
    end = at;
    while (end < x->n && !ends_there(x, end) &&
           strchr(quoted ? "\"\n" : ")]|#\n", x->p[end]) == NULL) {
        commas = commas || is_comma(x, end, x->n);
        end++;
    }
    if (end == x->n && end > at && x->p[end - 1] == '.')
        end--;
    if (quoted && end + 1 < x->n && x->p[end + 1] == ',')
        return; /* each has its own marks */
    *start = at;
    while (at < end && out->count < ITEMS_MAX) {
        size_t n = 0;
        struct str s;

        while (at + n < end &&
               !(commas ? is_comma(x, at + n, end) : x->p[at + n] == ' '))
            n++;
        s = item_bare((struct str){x->p + at, n});
        at += n + 1;
        if (s.n == 0)
            continue;
        if (is_nothing(s)) {
            out->count = 0;
            return;
        }
        out->at[out->count++] = s;
    }
    if (out->count > 1 && !quoted && !commas && !are_signs(out))
        out->count = 0;
}

/* The items of each enumeration as one JSON array, from two items on; of those
 * that are written as in a program, or are the default of an entry, from one.
 * What a pair is called stands behind it: its start is there. */
enum err value_lists(const struct value_want *w, const struct text *x,
                     struct arena *a, struct value_choices *out)
{
    struct items all = {.count = 0};
    size_t start = 0;
    enum err e = ERR_OK;

    for (size_t i = 0; i < SIGNS; i++)
        for (const char *at = mem_find_i(x->p, x->n, signs[i].text);
             at != NULL && e == ERR_OK;
             at = mem_find_i(x->p + start, x->n - start, signs[i].text)) {
            start = (size_t)(at - x->p) + strlen(signs[i].text);
            all.words_max = signs[i].bare ? NAME_WORDS_MAX : ITEM_WORDS_MAX;
            items_read(x, start, &all);
            if (!is_prose(&all, 2, signs[i].bare))
                e = items_print(w, &all, start, x->n, 2, a, out);
        }
    for (size_t at = row_find(x, 0, &all); at < x->n && e == ERR_OK;
         at = row_find(x, (size_t)(all.at[all.count - 1].p - x->p), &all)) {
        all.words_max = 1;
        if (!is_prose(&all, 2, true))
            e = items_print(w, &all, at, x->n, 2, a, out);
    }
    for (size_t at = code_find(x, 0, &all, &start); at < x->n && e == ERR_OK;
         at = code_find(x, start, &all, &start))
        e = items_print(w, &all, at, start, 1, a, out);
    for (size_t at = pipe_find(x, 0, &all, &start); at < x->n && e == ERR_OK;
         at = pipe_find(x, start, &all, &start)) {
        size_t had = out->count;

        e = items_print(w, &all, at, start, 2, a, out);
        if (out->count > had)
            out->at[had].offered = true;
    }
    for (size_t at = pair_find(w->label, x, 0, &all, &start);
         at < x->n && e == ERR_OK;
         at = pair_find(w->label, x, start, &all, &start))
        e = items_print(w, &all, start, start, 2, a, out);
    if (e == ERR_OK && w->entry) {
        bool asked = (w->label->qualifiers & QUALIFIER_DEFAULT) != 0;

        default_read(x, &all, &start);
        if (!is_prose(&all, asked ? 1 : 2, false))
            e = items_print(w, &all, start, x->n, 1, a, out);
    }
    quoted_read(x, &all, &start);
    all.words_max = NAME_WORDS_MAX;
    if (e == ERR_OK && !is_prose(&all, 2, false))
        e = items_print(w, &all, start, x->n, 2, a, out);
    return e;
}
