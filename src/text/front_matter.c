/*
 * What a Markdown file says of itself in "key: value" pairs between "---"
 * lines at its very start; front_matter_take of html_parts.h.
 */
#include "base/clock.h"
#include "base/str.h"
#include "text/html_parts.h"

#include <string.h>

enum { TITLE_BYTES = 300 };

static struct str unquoted(struct str s)
{
    if (s.n >= 2 && (s.p[0] == '"' || s.p[0] == '\'') &&
        s.p[s.n - 1] == s.p[0]) {
        s.p++;
        s.n -= 2;
    }
    return s;
}

static void take_pair(struct str line, struct arena *a, struct page_doc *doc)
{
    const char *colon = memchr(line.p, ':', line.n);
    struct str key, value;

    if (colon == NULL)
        return;
    key = str_trim((struct str){line.p, (size_t)(colon - line.p)});
    value = unquoted(str_trim(
        (struct str){colon + 1, (size_t)(line.p + line.n - colon) - 1}));
    if (str_ieq(key, "title") && value.n > 0) {
        doc->title =
            arena_strndup(a, value.p, utf8_cut(value.p, value.n, TITLE_BYTES));
        if (doc->title == NULL)
            doc->title = "";
    } else if (str_ieq(key, "date") && value.n < 100) {
        date_text_find(value.p, value.n, false,
                       (int32_t)(clock_now_ms() / 86400000) + 1, &doc->day);
    }
}

/* Is the first line with text "key: value" or a comment? */
static bool begins_with_pair(const char *from, const char *end)
{
    struct str line = {"", 0};
    size_t n = 0;

    while (line.n == 0 && view_line(&from, end, &line))
        continue;
    while (n < line.n && (ascii_is_alnum(line.p[n]) || line.p[n] == '_' ||
                          line.p[n] == '-' || line.p[n] == '"'))
        n++;
    return line.n == 0 || line.p[0] == '#' ||
           (n > 0 && n < line.n && line.p[n] == ':');
}

size_t front_matter_take(const char *p, size_t n, struct arena *a,
                         struct page_doc *doc)
{
    struct str line;
    const char *at = p, *from, *end;

    if (!view_line(&at, p + n, &line) || !str_eq(line, "---"))
        return 0;
    from = end = at;
    while (view_line(&at, p + n, &line)) {
        if (str_eq(line, "---") || str_eq(line, "..."))
            break;
        end = at;
    }
    if (end == at || !begins_with_pair(from, end))
        return 0; /* never closed; a heading between two rules */
    while (view_line(&from, end, &line))
        take_pair(line, a, doc);
    return (size_t)(at - p);
}
