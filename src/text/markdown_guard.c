/*
 * One pass over Markdown that finds what would take MD4C quadratic time; see
 * markdown_guard.h. MD4C 0.4.8 (Debian 12) walks a paragraph's lines for
 * each "](", a list's levels for each blank line, a bracket's text for each
 * pair once a link is defined, and a link's address for each of its uses; each
 * bracket of a paragraph takes it 64 bytes.
 */
#include "text/markdown_guard.h"

#include "base/str.h"

#include <stdint.h>
#include <string.h>

enum { PREFIX_MAX = 1000, OPEN_MAX = 16, BRACKETS_MAX = 400000 };

#define WALKED_MAX 5000000000u
#define COPIED_MAX 1000000000u
#define NESTED_MAX 1000000000u

struct measure {
    bool defines; /* "]:" occurs: there may be definitions of links */
    size_t lines, closed, open, brackets; /* of the paragraph */
    size_t longest, links;      /* word and closed brackets, of the text */
    size_t deepest, all_lines;  /* prefix, of the text */
    uint64_t walked;            /* lines times closed brackets */
};

/* The bytes up to the last list or quote mark in front of the text. */
static size_t prefix_length(struct str line)
{
    size_t length = 0;

    for (size_t i = 0; i < line.n; i++) {
        if (memchr("-+*>.)", line.p[i], 6) != NULL)
            length = i + 1;
        else if (!ascii_is_space(line.p[i]) && !ascii_is_digit(line.p[i]))
            break;
    }
    return length;
}

static void end_paragraph(struct measure *m)
{
    m->walked += (uint64_t)m->lines * m->closed;
    m->lines = m->closed = m->open = m->brackets = 0;
}

/* False when it or its brackets nest too deep. */
static bool take_line(struct measure *m, struct str line)
{
    size_t word = 0, prefix = prefix_length(line);

    if (prefix > m->deepest)
        m->deepest = prefix;
    m->lines++;
    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];

        word = ascii_is_space(c) ? 0 : word + 1;
        if (word > m->longest)
            m->longest = word;
        /* Escape sequences of terminals are no brackets. */
        if (c == '[' && (i == 0 || line.p[i - 1] != '\x1B')) {
            m->brackets++;
            if (++m->open > OPEN_MAX && m->defines)
                return false;
        } else if (c == ']') {
            m->brackets++;
            m->open -= m->open > 0;
            m->closed++;
            m->links++;
        }
    }
    return m->deepest <= PREFIX_MAX && m->brackets <= BRACKETS_MAX;
}

bool markdown_is_bounded(const char *p, size_t n)
{
    struct measure m = {.defines = mem_find(p, n, "]:") != NULL};
    const char *end = p + n, *next;

    for (; p < end; p = next) {
        struct str line, text;

        next = memchr(p, '\n', (size_t)(end - p));
        next = next == NULL ? end : next + 1;
        line = (struct str){p, (size_t)(next - p)};
        text = str_trim(line);
        m.all_lines++;
        if (text.n == 0)
            end_paragraph(&m);
        else if (!take_line(&m, line))
            return false;
    }
    end_paragraph(&m);
    return m.walked <= WALKED_MAX &&
           (uint64_t)m.deepest * m.all_lines <= NESTED_MAX &&
           (!m.defines || (uint64_t)m.links * m.longest <= COPIED_MAX);
}
