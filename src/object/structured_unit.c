/* Pieces of a passage; see value.h. Called by structured_field.c,
 * structured_array.c and structured_lists.c. */
#include "lang/words.h"
#include "object/value.h"
#include "page/injection.h"

#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

static const char CELL_END[] = " | ";

static struct str part(const char *p, size_t n)
{
    return str_trim((struct str){p, n});
}

size_t cells_read(struct str row, struct cell *out, size_t max)
{
    return mem_find(row.p, row.n, CELL_END) == NULL ? 0
                                                    : row_cells(row, out, max);
}

bool cell_is_remark(const struct cell *c)
{
    return tokens_have(c->head.p, c->head.n, value_words.remarks);
}

static void unit_add(struct unit *out, size_t *count, struct unit u)
{
    if (u.text.n > 0 && *count < UNITS_MAX)
        out[(*count)++] = u;
}

static void heading_add(struct unit *out, size_t *count, struct str text,
                        bool clean)
{
    if (clean || !injection_is(text.p, text.n))
        unit_add(out, count, (struct unit){UNIT_HEADING, text, {"", 0}, false});
}

/* The name of an entry on a line of its own, of few words and no sign at its
 * end, ahead of what is said of it: "port ¶ Type: integer ¶ Default: 25 ¶ …".
 */
static bool is_name(struct str line)
{
    enum { WORDS_MAX = 3 };

    return line.n > 0 && strchr(".,:;?!", line.p[line.n - 1]) == NULL &&
           mem_find(line.p, line.n, ": ") == NULL &&
           tokens_count(line.p, line.n) <= WORDS_MAX;
}

/* One of what is said of it, a word or two and a short value: up to the value;
 * empty: it is none. */
static struct str property_of(struct str line)
{
    enum { KEY_WORDS_MAX = 2, WORDS_MAX = 12 };
    const char *colon = mem_find(line.p, line.n, ": ");
    size_t n = colon == NULL ? 0 : (size_t)(colon - line.p) + 2;

    return (struct str){line.p,
                        tokens_count(line.p, n) <= KEY_WORDS_MAX &&
                                tokens_count(line.p, line.n) <= WORDS_MAX
                            ? n
                            : 0};
}

/* Is it a name as settings have them and prose has none, "max_size",
 * "maxSize"? */
static bool is_identifier(struct str s)
{
    for (size_t i = 1; i < s.n; i++)
        if (s.p[i] == '_' || (s.p[i] >= 'A' && s.p[i] <= 'Z' &&
                              s.p[i - 1] >= 'a' && s.p[i - 1] <= 'z'))
            return memchr(s.p, ' ', s.n) == NULL;
    return false;
}

/* What a line names that says what is named, "Option: Aptitude::Log": a word of
 * its own; empty: it does not. */
static struct str named_of(struct str line)
{
    const char *colon = mem_find(line.p, line.n, ": ");
    size_t at = colon == NULL ? line.n : (size_t)(colon - line.p) + 2;
    struct str name = {line.p + at, line.n - at};

    return at > 2 && name.n > 0 && memchr(name.p, ' ', name.n) == NULL &&
                   tokens_count(line.p, at) == 1 &&
                   tokens_have(line.p, at, value_words.names)
               ? name
               : (struct str){line.p, 0};
}

/* The line that text begins with, without the blanks around it. */
static struct str first_line(struct str text)
{
    const char *end = memchr(text.p, '\n', text.n);

    return part(text.p, end == NULL ? text.n : (size_t)(end - text.p));
}

/* What units stand in without a list that says so: a name, and with what word
 * what is said of it begins. */
struct entry {
    struct str name, first;
};

/* Is the name followed by what one with a colon ahead of it is, too? */
static bool is_alike(const struct entry *before, struct str first)
{
    return before->name.p[before->name.n] == ':' &&
           before->first.n == first.n &&
           memcmp(before->first.p, first.p, first.n) == 0;
}

/* The raw line that rest follows may begin an entry or end the one before. A
 * name with a colon, "max_size: ¶ type: …", is told from a label, "note: ¶
 * default: …", by its letters or, within an entry, by what follows it. Both
 * lines stand at the margin, unlike YAML's. */
static void entry_begin(struct entry *x, struct str raw, struct str rest)
{
    struct str line = part(raw.p, raw.n), first = property_of(first_line(rest)),
               name = line;

    if (is_name(line)) {
        *x = (struct entry){{line.p, first.n > 0 ? line.n : 0}, first};
        return;
    }
    if (named_of(line).n > 0)
        *x = (struct entry){named_of(line), {line.p, 0}};
    name.n -= name.n > 0 && name.p[name.n - 1] == ':';
    if (name.n < line.n && name.p == raw.p && first.n > 0 &&
        first.p == rest.p && is_name(name) &&
        (x->name.n == 0 ? is_identifier(name) : is_alike(x, first)))
        *x = (struct entry){name, first};
}

/* The lines of a passage by its parts. */
struct parts {
    const char *text, *left;
    struct passage_part now;
    struct str term; /* of the last item */
};

/* The term of the entry that the line goes on with as a paragraph; none. */
static struct str entry_around(struct parts *x, struct str line)
{
    size_t at = (size_t)(line.p - x->text);

    while (at >= x->now.start + x->now.len &&
           passage_part_next(&x->left, strlen(x->text), &x->now))
        ;
    if (x->now.level > 0 && !x->now.goes_on)
        x->term = line_term(line);
    return x->now.inside || (x->now.level > 0 && x->now.goes_on)
               ? x->term
               : (struct str){line.p, 0};
}

/* The sentences of one line, which is a paragraph or an item of a list, of an
 * entry of that name. A reply stands behind the heading that asks for it. */
static enum err line_read(struct str line, struct str heading, struct str entry,
                          struct arena *a, struct unit *out, size_t *count)
{
    struct span *s = NULL;
    size_t n = 0;
    enum err e = sentences_split(line.p, line.n, a, &s, &n);

    for (size_t i = 0; e == ERR_OK && i < n; i++) {
        struct unit u = {UNIT_SENTENCE,
                         part(line.p + s[i].start, s[i].len),
                         {line.p, s[i].start},
                         false},
                    reply = {u.kind, u.text, heading, true};

        if (i == 0 && value_reply(&reply) != 0)
            u = reply;
        if (entry.n > 0 && !u.apart) {
            const char *z = arena_printf(a, "%.*s: %.*s", (int)entry.n, entry.p,
                                         (int)u.before.n, u.before.p);

            if (z == NULL)
                return ERR_NOMEM;
            u.before = str_of(z);
            u.apart = true;
        }
        unit_add(out, count, u);
    }
    return e;
}

struct str unit_heading(const struct candidate *c)
{
    return str_of(heading_last(c->heading));
}

static bool is_clean(const struct candidate *c, const struct clean *known)
{
    return c->passage > 0 &&
           known->passage[(size_t)c->passage % CLEAN_MAX] == c->passage;
}

const char *unit_shown(const struct candidate *c, struct clean *known,
                       struct arena *a)
{
    struct str title = page_title(c->title), heading = unit_heading(c);
    const char *shown =
        is_clean(c, known) ? c->text : injection_mask(c->text, a);

    if (shown == c->text && !is_clean(c, known) &&
        !injection_is(title.p, title.n) && !injection_is(heading.p, heading.n))
        known->passage[(size_t)c->passage % CLEAN_MAX] = c->passage;
    return shown;
}

/* The term of the last item that begins in a passage; empty: none does. */
static struct str last_term(const struct candidate *c)
{
    const char *left = c->parts == NULL ? "" : c->parts;
    struct passage_part part;
    struct str term = {"", 0};

    while (passage_part_next(&left, strlen(c->text), &part))
        if (part.level > 0 && !part.goes_on)
            term = line_term((struct str){c->text + part.start, part.len});
    return term;
}

/* An option of a usage, and how far it stands from the margin. */
struct usage_option {
    struct str name;
    size_t margin;
};

/* The option that a raw line of a usage goes on with, "[default: 80]" below
 * "--port N  Where …"; empty: it begins one, or none. */
static struct str option_around(struct usage_option *x, struct str raw)
{
    size_t margin = 0;

    while (margin < raw.n && memchr(" \t", raw.p[margin], 2) != NULL)
        margin++;
    if (margin + 1 < raw.n && raw.p[margin] == '-' &&
        (raw.p[margin + 1] == '-' || ascii_is_alpha(raw.p[margin + 1]) ||
         mem_find(raw.p, raw.n, ", --") != NULL)) { /* "-0, --null" */
        struct str line = {raw.p + margin, raw.n - margin};
        struct str name = line_term(line);

        *x = (struct usage_option){name.n > 0 ? name : str_trim(line), margin};
        return (struct str){raw.p, 0};
    }
    if (margin < raw.n && margin <= x->margin)
        x->name.n = 0;
    return x->name;
}

enum err units_read(const struct candidate *c, const struct candidate *before,
                    struct clean *known, struct arena *a, struct unit **units,
                    size_t *count)
{
    struct unit *out = arena_array(a, UNITS_MAX, sizeof *out);
    const char *shown = unit_shown(c, known, a);
    struct str rest;
    struct entry entry = {{"", 0}, {"", 0}};
    struct usage_option option = {{"", 0}, 0};
    struct parts parts = {.text = shown,
                          .left = c->parts == NULL ? "" : c->parts,
                          .term = before == NULL ? (struct str){"", 0}
                                                 : last_term(before)};
    enum err e = ERR_OK;

    *units = out;
    *count = 0;
    if (out == NULL || shown == NULL)
        return ERR_NOMEM;
    rest = str_of(shown);
    heading_add(out, count, page_title(c->title), is_clean(c, known));
    heading_add(out, count, unit_heading(c), is_clean(c, known));
    while (e == ERR_OK && rest.n > 0) {
        const char *end = memchr(rest.p, '\n', rest.n);
        size_t n = end == NULL ? rest.n : (size_t)(end - rest.p);
        struct str raw = {rest.p, n}, line = part(rest.p, n),
                   around = entry_around(&parts, line),
                   of_option = option_around(&option, raw);

        n += end == NULL ? 0 : 1;
        rest = (struct str){rest.p + n, rest.n - n};
        entry_begin(&entry, raw, rest);
        if (mem_find(line.p, line.n, CELL_END) != NULL)
            unit_add(out, count, (struct unit){UNIT_ROW, line, {"", 0}, false});
        else
            e = line_read(line, unit_heading(c),
                          around.n > 0      ? around
                          : of_option.n > 0 ? of_option
                                            : entry.name,
                          a, out, count);
    }
    return e;
}
