/* Entries of settings that have a property's own name; see value.h. Called by
 * structured_field.c and structured_array.c. */
#include "object/value.h"

#include "base/str.h"

#include <math.h>
#include <string.h>

enum {
    NAME_BYTES_MAX = 80,
    KEY_LEAST = 4,    /* letters of a name that may stand behind others */
    NAME_WORDS = 5,   /* that make a name, at most */
    ARGUMENTS_MAX = 2 /* words behind it, "hold time number" */
};

/* A name with words ahead of it that neither the question nor the property has:
 * "broker_pool_limit" for poolLimit. */
static const double BEHIND_OTHERS = 0.6;

/* The letters and digits alone, small. */
static size_t squeeze(const char *p, size_t n, char *out)
{
    size_t len = 0;

    for (size_t i = 0; i < n && len < NAME_BYTES_MAX; i++)
        if (ascii_is_alnum(p[i]))
            out[len++] = ascii_lower(p[i]);
    out[len] = '\0';
    return len;
}

/* The name without the words of form or measure that it ends with, and without
 * "default": "receiveIntervalMs", "default_port". */
static void key_read(const struct label *l, bool whole, char *out)
{
    const char *z = l->plain;
    size_t len = 0, kept = 0;

    for (size_t n; *z != '\0'; z += n + (z[n] != '\0')) {
        struct term_iter it;
        struct term t;
        bool bare;

        n = strcspn(z, " ");
        terms_init(&it, z, n);
        bare = !whole && tokens_next(&it, &t) &&
               (value_is_unit(t.text) || label_is_form(t.text));
        if (!whole && label_qualifiers(z, n) == QUALIFIER_DEFAULT)
            continue;
        if (len + n < NAME_BYTES_MAX)
            len += squeeze(z, n, out + len);
        kept = bare ? kept : len;
    }
    out[kept] = '\0';
}

/* Does a word begin k letters and digits ahead of byte `end`, "poolSize",
 * "pool_size"? */
static bool begins_word(const char *p, size_t end, size_t k)
{
    while (end > 0 && k > 0)
        k -= ascii_is_alnum(p[--end]) != 0;
    return end == 0 || !ascii_is_alnum(p[end - 1]) ||
           (p[end] >= 'A' && p[end] <= 'Z' && p[end - 1] >= 'a');
}

/* What stands ahead of "connections" in "max_connections" makes it another
 * thing; what the question names does not. */
static double behind(const struct label *l, const char *ahead, size_t n,
                     bool word)
{
    char asked[NAME_BYTES_MAX + 1];
    static const char *const others[] = {"max", "min", "no",
                                         "not", "un",  "non"};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (n >= strlen(others[i]) && memcmp(ahead + n - strlen(others[i]),
                                             others[i], strlen(others[i])) == 0)
            return 0;
    squeeze(l->asked, strlen(l->asked), asked);
    return mem_find(asked, strlen(asked), ahead) != NULL ? 1
           : word                                        ? BEHIND_OTHERS
                                                         : 0;
}

/* The same, one of them in the plural or not. */
static bool is_same(const char *z, size_t n, const char *key, size_t k)
{
    n -= n > KEY_LEAST && z[n - 1] == 's';
    k -= k > KEY_LEAST && key[k - 1] == 's';
    return n == k && memcmp(z, key, n) == 0;
}

/* Are there no more words than a setting's arguments? */
static bool are_arguments(struct str s)
{
    size_t words = 0;

    s = str_trim(s);
    if (s.n > 0 && memchr("(<[|", s.p[0], 4) != NULL)
        return true;
    for (size_t i = 0; i < s.n; i++)
        words +=
            !ascii_is_space(s.p[i]) && (i == 0 || ascii_is_space(s.p[i - 1]));
    return words <= ARGUMENTS_MAX;
}

static double name_fits(const struct label *l, struct str s, const char *key)
{
    static const char ends[] = " (<[=,|";
    char z[NAME_BYTES_MAX + 1];
    size_t k = strlen(key), at = 0;

    for (size_t words = 0; k > 0 && at < s.n && words < NAME_WORDS; words++) {
        size_t n;

        while (at < s.n && memchr(ends, s.p[at], sizeof ends - 1) == NULL)
            at++;
        n = squeeze(s.p, at, z);
        if (is_same(z, n, key, k))
            return at == s.n || s.p[at] != ' ' ||
                           are_arguments((struct str){s.p + at, s.n - at})
                       ? 1
                       : 0;
        if (words == 0 && n > k && k >= KEY_LEAST &&
            strcmp(z + n - k, key) == 0) {
            z[n - k] = '\0';
            return behind(l, z, n - k, begins_word(s.p, at, k));
        }
        if (n > k || (at < s.n && s.p[at] != ' '))
            return 0;
        at++;
    }
    return 0;
}

/* Without the number of a section, and without signs ahead of an option. */
static struct str without_number(struct str s)
{
    size_t n = 0;

    while (n < s.n && (ascii_is_digit(s.p[n]) || s.p[n] == '.'))
        n++;
    if (n > 0 && n < s.n && s.p[n] == ' ')
        s = str_trim((struct str){s.p + n, s.n - n});
    while (s.n > 0 && strchr("-\"'`", s.p[0]) != NULL)
        s = (struct str){s.p + 1, s.n - 1};
    return s;
}

double label_entry(const struct label *l, struct str entry)
{
    char whole[NAME_BYTES_MAX + 1], part[NAME_BYTES_MAX + 1];
    double fit;

    entry = without_number(str_trim(entry));
    key_read(l, true, whole);
    fit = name_fits(l, entry, whole);
    if (fit == 1)
        return fit;
    key_read(l, false, part);
    return strcmp(part, whole) == 0 ? fit
                                    : fmax(fit, name_fits(l, entry, part));
}

/* Does the text begin with the key, whatever joins its words? */
static bool starts_with_key(const char *p, const char *key)
{
    for (; *p != '\0' && *key != '\0'; p++) {
        if (ascii_is_alnum(*p) ? ascii_lower(*p) != *key
                               : strchr("_-. ", *p) == NULL)
            return false;
        key += ascii_is_alnum(*p) != 0;
    }
    return *key == '\0';
}

bool label_is_written(const struct label *l, const struct candidate *c)
{
    char key[NAME_BYTES_MAX + 1];

    key_read(l, true, key);
    if (strlen(key) < KEY_LEAST)
        return false;
    for (const char *p = c->text; *p != '\0'; p++)
        if (ascii_is_alnum(*p) && (p == c->text || !ascii_is_alnum(p[-1])) &&
            starts_with_key(p, key))
            return true;
    return label_entry(l, unit_heading(c)) > 0;
}

/* What the line begins with ahead of what is said of it. */
static struct str entry_of(struct str line)
{
    static const char *const signs[] = {": ", " - ", " \xE2\x80\x93 ",
                                        " \xE2\x80\x94 "};
    size_t n = line.n < NAME_BYTES_MAX ? line.n : NAME_BYTES_MAX, end = 0;

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *at = mem_find(line.p, n, signs[i]);

        if (at != NULL && (end == 0 || (size_t)(at - line.p) < end))
            end = (size_t)(at - line.p);
    }
    return (struct str){line.p, end};
}

double line_entry(const struct label *l, struct str line)
{
    return label_entry(l, entry_of(line));
}

/* Behind the value that begins at byte i of a list of parameters: at a comma or
 * the bracket that closes the list. */
static size_t value_end(struct str s, size_t i)
{
    size_t depth = 0;

    for (; i < s.n; i++) {
        const char *close = s.p[i] != '\'' && s.p[i] != '"'
                                ? NULL
                                : memchr(s.p + i + 1, s.p[i], s.n - i - 1);

        if (close != NULL)
            i = (size_t)(close - s.p);
        else if (depth == 0 && memchr(",)", s.p[i], 2) != NULL)
            break;
        depth += memchr("([{", s.p[i], 3) != NULL;
        depth -= depth > 0 && memchr(")]}", s.p[i], 3) != NULL;
    }
    return i;
}

/* Is what is in brackets from byte i on a head, "open(path, mode='r'): …"? */
static bool heads(struct str s, size_t i)
{
    while (i < s.n && s.p[i] == ',')
        i = value_end(s, i + 1);
    return i + 1 < s.n && s.p[i] == ')' &&
           (s.p[i + 1] == ':' || ascii_starts_i(s.p + i + 1, " ->") ||
            ascii_starts_i(s.p + i + 1, " \xE2\x86\x92"));
}

struct str label_signed(const struct label *l, struct str s)
{
    for (size_t i = 0, from, to, end; i + 3 < s.n; i++) {
        if (s.p[i] != '(' && s.p[i] != ',')
            continue;
        for (from = i + 1; from < s.n && s.p[from] == ' '; from++)
            ;
        for (to = from; to < s.n && (ascii_is_alnum(s.p[to]) ||
                                     memchr("_.", s.p[to], 2) != NULL);
             to++)
            ;
        end = to;
        if (end > from && end < s.n && s.p[end] == ':') /* its type */
            end += strcspn(s.p + end, "=,()\n");
        while (end < s.n && s.p[end] == ' ')
            end++;
        if (end == from || end + 1 >= s.n || s.p[end] != '=' ||
            label_entry(l, (struct str){s.p + from, to - from}) == 0)
            continue;
        for (from = end + 1; from < s.n && s.p[from] == ' '; from++)
            ;
        to = value_end(s, from);
        if (to > from && heads(s, to))
            return value_bare(str_trim((struct str){s.p + from, to - from}));
    }
    return (struct str){s.p, 0};
}

double unit_entry(const struct label *l, const struct candidate *c,
                  const struct unit *u)
{
    struct cell cells[CELLS_MAX];
    double own = 0;

    if (u->kind == UNIT_HEADING)
        return label_entry(l, u->text);
    if (u->kind == UNIT_ROW && cells_read(u->text, cells, CELLS_MAX) > 0)
        own = label_entry(l, cells[0].value);
    else if (u->kind == UNIT_SENTENCE)
        own = line_entry(l, u->before.n > 0 ? u->before : u->text);
    if (u->kind == UNIT_SENTENCE &&
        (label_signed(l, u->text).n > 0 || label_assigned(l, u->text).n > 0))
        own = 1;
    return fmax(own, label_entry(l, unit_heading(c)));
}
