/* Entries of settings that have a property's own name; see value.h. Called by
 * structured_field.c and structured_array.c. */
#include "object/value.h"

#include "base/str.h"
#include "lang/words.h"

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

/* One that a line names behind its kind, "Option variable: cache: …": less than
 * the line that begins with it. */
static const double BEHIND_KIND = 0.9;

/* A letter, of any script, or a digit. */
static bool is_letter(char c)
{
    return ascii_is_alnum(c) || (unsigned char)c >= 0x80;
}

/* The letters and digits alone, small. */
static size_t squeeze(const char *p, size_t n, char *out)
{
    size_t len = 0;

    for (size_t i = 0; i < n && len < NAME_BYTES_MAX; i++)
        if (is_letter(p[i]))
            out[len++] = ascii_lower(p[i]);
    out[len] = '\0';
    return len;
}

/* The words of a name together; of a part of it without "default" and the
 * measures that it ends with: "default_port", "receiveIntervalMs". */
static void key_read(const char *z, bool whole, char *out)
{
    size_t len = 0, kept = 0;

    for (size_t n; *z != '\0'; z += n + (z[n] != '\0')) {
        struct term_iter it;
        struct term t;
        bool bare;

        n = strcspn(z, " ");
        terms_init(&it, z, n);
        bare = !whole && tokens_next(&it, &t) && value_is_unit(t.text);
        if (!whole && label_qualifiers(z, n) == QUALIFIER_DEFAULT)
            continue;
        if (len + n < NAME_BYTES_MAX)
            len += squeeze(z, n, out + len);
        kept = bare ? kept : len;
    }
    out[kept] = '\0';
}

/* Does a word begin at byte i, "poolSize", "pool_size"? */
static bool begins_word(const char *p, size_t i)
{
    return i == 0 || !is_letter(p[i - 1]) ||
           (p[i] >= 'A' && p[i] <= 'Z' && p[i - 1] >= 'a');
}

/* Does the question hold the letters as words of its own? */
static bool is_asked_for(const struct label *l, const char *letters)
{
    const char *z = l->asked;
    size_t n = strlen(letters);

    for (size_t i = 0; z[i] != '\0'; i++) {
        size_t k = 0, at = i;

        if (!is_letter(z[i]) || !begins_word(z, i))
            continue;
        for (; k < n && z[at] != '\0'; at++) {
            if (is_letter(z[at]) && ascii_lower(z[at]) != letters[k])
                break;
            k += is_letter(z[at]);
        }
        if (k == n && !is_letter(z[at]))
            return true;
    }
    return false;
}

/* How well a name fits of which n bytes stand ahead of the key: what the
 * question names, even in one word with it, is no other thing, but
 * "max_connections" is another than "connections"; within a word ("export") it
 * is none. */
static double behind(const struct label *l, const char *p, size_t n)
{
    char ahead[NAME_BYTES_MAX + 1];
    size_t end = n, from;
    bool word = begins_word(p, n);

    squeeze(p, n, ahead);
    if (is_asked_for(l, ahead))
        return 1;
    while (end > 0 && !is_letter(p[end - 1]))
        end--;
    for (from = end; from > 0 && is_letter(p[from - 1]); from--)
        if (from < end && begins_word(p, from))
            break;
    squeeze(p + from, end - from, ahead);
    return word && !word_in(ahead, "max min maximum minimum no not un non")
               ? BEHIND_OTHERS
               : 0;
}

/* The same, one of them in the plural or not; "policy" for "policies". */
static bool is_same(const char *z, size_t n, const char *key, size_t k)
{
    if (k > KEY_LEAST && k == n + 2 && z[n - 1] == 'y' &&
        memcmp(key + k - 3, "ies", 3) == 0 && memcmp(key, z, n - 1) == 0)
        return true;
    n -= n > KEY_LEAST && z[n - 1] == 's';
    k -= k > KEY_LEAST && key[k - 1] == 's';
    return n == k && memcmp(z, key, n) == 0;
}

/* Are there no more words than a setting's arguments? A heading has none but in
 * brackets, or one in one word with it, "mode=MODE". */
static bool are_arguments(struct str s, bool heading)
{
    size_t words = 0;

    if (heading && s.n > 1 && s.p[0] == '=')
        return view_words(s) == 1 && !ascii_is_space(s.p[1]);
    s = str_trim(s);
    if (s.n == 0 || memchr("(<[|", s.p[0], 4) != NULL)
        return true;
    for (size_t i = 0; i < s.n; i++)
        words +=
            !ascii_is_space(s.p[i]) && (i == 0 || ascii_is_space(s.p[i - 1]));
    return !heading && words <= ARGUMENTS_MAX;
}

/* How far back from byte `end` k letters begin. */
static size_t letters_back(const char *p, size_t end, size_t k)
{
    while (end > 0 && k > 0)
        k -= is_letter(p[--end]);
    return end;
}

static double name_fits(const struct label *l, struct str s, bool heading,
                        const char *key)
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
            return are_arguments((struct str){s.p + at, s.n - at}, heading);
        if (words == 0 && n > k && k >= KEY_LEAST &&
            strcmp(z + n - k, key) == 0)
            return behind(l, s.p, letters_back(s.p, at, k));
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

/* "-p, --port": the longer of an option's names. */
static struct str long_option(struct str s)
{
    static const char mark[] = ", --";
    const char *at = s.n > 2 && s.p[0] == '-' && s.p[1] != '-'
                         ? mem_find(s.p, s.n, mark)
                         : NULL;
    size_t n = at == NULL ? 0 : (size_t)(at - s.p) + 2;

    return (struct str){s.p + n, s.n - n};
}

/* Does the description name it before it goes on to something else ("default
 * work_mem, not maintenance_work_mem")? */
static bool is_named_first(const struct label *l, const char *identifier)
{
    const char *at = strstr(l->text, identifier);

    return at != NULL && (size_t)(at - l->text) < strcspn(l->text, ",;:(");
}

static double entry_fits(const struct label *l, struct str entry, bool heading)
{
    char key[NAME_BYTES_MAX + 1];
    double fit;

    entry = without_number(long_option(str_trim(entry)));
    for (size_t i = 0; i < l->identifier_count; i++) {
        squeeze(l->identifiers[i], strlen(l->identifiers[i]), key);
        if (is_named_first(l, l->identifiers[i]) &&
            name_fits(l, entry, heading, key) == 1)
            return 1;
    }
    key_read(l->plain, true, key);
    fit = name_fits(l, entry, heading, key);
    if (fit == 1)
        return fit;
    key_read(l->plain, false, key);
    fit = fmax(fit, name_fits(l, entry, heading, key));
    if (fit == 1 || strcmp(l->plain, l->name) == 0)
        return fit;
    key_read(l->name, true, key);
    return fmax(fit, name_fits(l, entry, heading, key));
}

double label_entry(const struct label *l, struct str entry)
{
    return entry_fits(l, entry, false);
}

double heading_entry(const struct label *l, struct str heading)
{
    return entry_fits(l, heading, true);
}

/* Does the text begin with the key, whatever joins its words? */
static bool starts_with_key(const char *p, const char *key)
{
    for (; *p != '\0' && *key != '\0'; p++) {
        if (is_letter(*p) ? ascii_lower(*p) != *key
                          : strchr("_-. ", *p) == NULL)
            return false;
        key += is_letter(*p);
    }
    return *key == '\0' && (!is_letter(*p) || *p == 's');
}

bool label_is_written(const struct label *l, const struct candidate *c)
{
    char key[NAME_BYTES_MAX + 1];

    key_read(l->plain, true, key);
    if (strlen(key) < KEY_LEAST)
        return false;
    for (const char *p = c->text; *p != '\0'; p++)
        if (is_letter(*p) && (p == c->text || !is_letter(p[-1])) &&
            starts_with_key(p, key))
            return true;
    return heading_entry(l, unit_heading(c)) > 0;
}

/* Behind the type in brackets that the line's first word has, "depth <integer>
 * How deep …", "depth {number} …"; in round ones a sentence follows, "depth
 * (Integer) How …". 0: it has none. */
static size_t type_end(struct str line)
{
    static const char opens[] = "<{(", closes[] = ">})";
    const char *kind, *end;
    size_t n = 0;

    while (n < line.n && !ascii_is_space(line.p[n]))
        n++;
    if (n + 2 >= line.n || !ascii_is_alpha(line.p[n + 2]))
        return 0;
    kind = memchr(opens, line.p[n + 1], sizeof opens - 1);
    end = kind == NULL ? NULL
                       : memchr(line.p + n, closes[kind - opens], line.n - n);
    if (end == NULL)
        return 0;
    n = (size_t)(end - line.p) + 1;
    return *kind != '(' || (n + 1 < line.n && line.p[n] == ' ' &&
                            line.p[n + 1] >= 'A' && line.p[n + 1] <= 'Z')
               ? n
               : 0;
}

/* Behind the option that the line begins with; 0: it does not. */
static size_t option_end(struct str line)
{
    size_t n = 2;

    if (line.n < 3 || memcmp(line.p, "--", 2) != 0)
        return 0;
    while (n < line.n && !ascii_is_space(line.p[n]) && line.p[n] != ',')
        n++;
    return n > 2 ? n : 0;
}

struct str line_term(struct str line)
{
    static const char *const signs[] = {": ", " - ", " \xE2\x80\x93 ",
                                        " \xE2\x80\x94 ", "  "};
    size_t count = sizeof signs / sizeof *signs, n, end = 0;

    for (; line.n > 0 && ascii_is_space(line.p[0]); line.n--)
        line.p++;
    n = line.n < NAME_BYTES_MAX ? line.n : NAME_BYTES_MAX;
    end = type_end((struct str){line.p, n});
    count -= n == 0 || line.p[0] != '-';
    for (size_t i = 0; i < count; i++) {
        const char *at = mem_find(line.p, n, signs[i]);

        if (at != NULL && (end == 0 || (size_t)(at - line.p) < end))
            end = (size_t)(at - line.p);
    }
    if (end == 0)
        end = option_end((struct str){line.p, n});
    return (struct str){line.p, end};
}

/* Behind what kind of setting the line says it is of, "Option variable: port:
 * Default value: 80", as GNU's manuals write; empty: it says none. */
static struct str behind_kind(struct str line, struct str term)
{
    const struct str none = {line.p, 0};
    const char *end = line.p + line.n, *from = term.p + term.n;
    struct term_iter it;
    struct term t;
    bool kind = false, gone = false;

    if (term.n == 0 || from + 2 >= end || memcmp(from, ": ", 2) != 0)
        return none;
    terms_init(&it, term.p, term.n);
    while (tokens_next(&it, &t)) {
        kind = word_in(t.text, value_words.names);
        gone = gone || word_in(t.text, value_words.gone);
    }
    return kind && !gone ? (struct str){from + 2, (size_t)(end - from) - 2}
                         : none;
}

double line_entry(const struct label *l, struct str line)
{
    struct str term = line_term(line);
    double fit = label_entry(l, term);

    if (fit == 0 && label_entry(l, line_term(behind_kind(line, term))) == 1)
        return BEHIND_KIND;
    return fit;
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

/* Where the bracket that opens at byte i closes; s.n: nowhere. */
static size_t bracket_end(struct str s, size_t i)
{
    do
        i = value_end(s, i + 1);
    while (i < s.n && s.p[i] == ',');
    return i;
}

/* Does what is said of a head follow the bracket that closes at byte i: "): …",
 * ") -> file: …"? */
static bool heads(struct str s, size_t i)
{
    return i + 1 < s.n &&
           (s.p[i + 1] == ':' || ascii_starts_i(s.p + i + 1, " ->") ||
            ascii_starts_i(s.p + i + 1, " \xE2\x86\x92"));
}

/* The default in one parameter of a list, "mode='r'", "mode: str = 'r'", where
 * it has the property's own name; empty: it has not, or none. */
static struct str parameter_default(const struct label *l, struct str s)
{
    const struct str none = {s.p, 0};
    size_t to = 0, at;

    s = str_trim(s);
    while (to < s.n &&
           (ascii_is_alnum(s.p[to]) || memchr("_.", s.p[to], 2) != NULL))
        to++;
    at = to;
    if (at < s.n && s.p[at] == ':') /* its type */
        while (at < s.n && s.p[at] != '=')
            at++;
    while (at < s.n && s.p[at] == ' ')
        at++;
    return to > 0 && at + 1 < s.n && s.p[at] == '=' &&
                   label_entry(l, (struct str){s.p, to}) > 0
               ? value_bare(str_trim((struct str){s.p + at + 1, s.n - at - 1}))
               : none;
}

struct str label_signed(const struct label *l, struct str s)
{
    enum { HEADS_MAX = 8 }; /* looked at in one text */

    for (size_t i = 1, n = 0, close; i < s.n && n < HEADS_MAX; i++) {
        if (s.p[i] != '(' || !ascii_is_alnum(s.p[i - 1]))
            continue;
        n++;
        close = bracket_end(s, i);
        if (!heads(s, close))
            continue;
        for (size_t from = i + 1, to; from < close; from = to + 1) {
            struct str value;

            to = value_end(s, from);
            value = parameter_default(l, (struct str){s.p + from, to - from});
            if (value.n > 0)
                return value;
        }
        i = close;
    }
    return (struct str){s.p, 0};
}

/* Is the text "port = 6680", by the property's own name? */
static bool assigns(const struct label *l, struct str text)
{
    size_t n = 0;

    while (n < text.n && memchr(" =", text.p[n], 2) == NULL)
        n++;
    return label_assigned(l, text).n > 0 &&
           label_entry(l, (struct str){text.p, n}) == 1;
}

double unit_entry(const struct label *l, const struct candidate *c,
                  const struct unit *u)
{
    struct cell cells[CELLS_MAX];
    double own = 0;

    if (u->kind == UNIT_HEADING)
        return heading_entry(l, u->text);
    if (u->kind == UNIT_ROW && cells_read(u->text, cells, CELLS_MAX) > 0)
        own = label_entry(l, cells[0].value);
    else if (u->kind == UNIT_SENTENCE)
        own = line_entry(l, u->before.n > 0 ? u->before : u->text);
    if (u->kind == UNIT_SENTENCE &&
        (label_signed(l, u->text).n > 0 || assigns(l, u->text)))
        own = 1;
    return fmax(own, heading_entry(l, unit_heading(c)));
}
