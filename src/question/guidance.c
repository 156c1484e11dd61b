/*
 * The guidance block in front of a question: free text, listed domains, a
 * nested priority list. Never an error: what does not parse is plain text.
 * Called by query_parse only.
 */
#include "question/query.h"

#include "base/buf.h"
#include "base/str.h"

#include <string.h>

static const char open_tag[] = "<guidance>";
static const char close_tag[] = "</guidance>";
static const char priority_open[] = "<priority>";
static const char priority_close[] = "</priority>";

/* Lists being collected. */
struct lists {
    struct arena *arena;
    struct domain_rule *preferred, *priority;
    size_t preferred_count, priority_count;
    struct buf text;
};

static bool is_tag_at(struct str s, const char *tag)
{
    size_t n = strlen(tag);

    return s.n >= n && str_ieq((struct str){s.p, n}, tag);
}

static struct str skip(struct str s, size_t n)
{
    return (struct str){s.p + n, s.n - n};
}

/* The rest of a list line behind its bullet; false when it has none. */
static bool bullet_skip(struct str *line)
{
    if (line->n > 1 && (line->p[0] == '-' || line->p[0] == '*') &&
        ascii_is_space(line->p[1]))
        *line = str_trim(skip(*line, 1));
    else if (line->n > 3 && memcmp(line->p, "\xE2\x80\xA2", 3) == 0)
        *line = str_trim(skip(*line, 3));
    else
        return false;
    return true;
}

/* The first word of a line, without punctuation that follows a domain. */
static struct str first_word(struct str line)
{
    size_t n = 0;

    while (n < line.n && !ascii_is_space(line.p[n]))
        n++;
    while (n > 0 && strchr(".,;:)", line.p[n - 1]) != NULL)
        n--;
    return (struct str){line.p, n};
}

/* A dot inside the word, and what it ends in more than one letter: "e.g." is
 * no domain. */
static bool looks_like_domain(struct str w)
{
    const char *dot = w.n == 0 ? NULL : memchr(w.p, '.', w.n);

    if (str_ieq(w, "localhost"))
        return true;
    if (dot == NULL || dot == w.p || dot + 1 >= w.p + w.n)
        return false;
    return ascii_is_digit(dot[1]) || dot + 2 < w.p + w.n;
}

/* A line that lists a domain: with a bullet, or all by itself. */
static bool line_domain(struct arena *a, struct str line,
                        struct domain_rule *out)
{
    bool bullet = bullet_skip(&line);
    struct str w = first_word(line);

    if (!looks_like_domain(w) || (!bullet && w.n != line.n))
        return false;
    return domain_rule_parse(w.p, w.n, a, out) == ERR_OK;
}

static void rule_add(struct domain_rule *list, size_t *count,
                     const struct domain_rule *r)
{
    if (*count < GUIDANCE_RULES_MAX)
        list[(*count)++] = *r;
}

static void line_take(struct lists *l, struct str line, bool in_priority)
{
    struct domain_rule r;

    line = str_trim(line);
    if (line.n == 0)
        return;
    if (!line_domain(l->arena, line, &r)) {
        if (l->text.len > 0)
            buf_addc(&l->text, '\n');
        buf_add(&l->text, line.p, line.n);
    } else if (in_priority) {
        rule_add(l->priority, &l->priority_count, &r);
    } else {
        rule_add(l->preferred, &l->preferred_count, &r);
    }
}

/* Where the line at s ends: before a line break or a tag. */
static size_t line_len(struct str s)
{
    size_t n = 0;

    while (n < s.n && s.p[n] != '\n' && s.p[n] != '\r' && s.p[n] != '<')
        n++;
    return n;
}

/* Walk the block's inside. False when its markup is broken. *rest is set
 * behind the closing tag. */
static bool block_walk(struct lists *l, struct str s, struct str *rest)
{
    bool in_priority = false;

    while (s.n > 0) {
        size_t n = line_len(s);

        line_take(l, (struct str){s.p, n}, in_priority);
        s = skip(s, n);
        if (is_tag_at(s, close_tag)) {
            *rest = str_trim(skip(s, strlen(close_tag)));
            return !in_priority;
        }
        if (is_tag_at(s, priority_open) && !in_priority) {
            in_priority = true;
            s = skip(s, strlen(priority_open));
        } else if (is_tag_at(s, priority_close) && in_priority) {
            in_priority = false;
            s = skip(s, strlen(priority_close));
        } else if (is_tag_at(s, open_tag) || is_tag_at(s, priority_open) ||
                   is_tag_at(s, priority_close)) {
            return false;
        } else if (s.n > 0) {
            s = skip(s, 1); /* a line break, or a '<' that is no tag */
        }
    }
    return false;
}

static bool has_any(const char *p, size_t n, const char *const *needles)
{
    for (; *needles != NULL; needles++)
        if (mem_find_i(p, n, *needles) != NULL)
            return true;
    return false;
}

/* "only" as a word, and not "not only". */
static bool has_only(const char *p, size_t n)
{
    const char *end = p + n, *at = p;

    while ((at = mem_find_i(at, (size_t)(end - at), "only")) != NULL) {
        bool word = (at == p || !ascii_is_alpha(at[-1])) &&
                    (at + 4 == end || !ascii_is_alpha(at[4]));
        bool denied = at - p >= 4 && str_ieq((struct str){at - 4, 4}, "not ");

        if (word && !denied)
            return true;
        at += 4;
    }
    return false;
}

/* Does one sentence of the guidance say that nothing else may be used? */
static bool sentence_restricts(const char *p, size_t n)
{
    static const char *const strong[] = {"restrict",         "exclusively",
                                         "solely from",      "limited to",
                                         "limit your",       "limit the",
                                         "limit results",    "limit to",
                                         "no other ",        "nothing else",
                                         "do not use other", "don't use other",
                                         "nowhere else",     NULL};
    static const char *const objects[] = {
        "use",     "using", "search", "from",   "these",  "those", "this",
        "follow",  "sourc", "site",   "domain", "listed", "list",  "page",
        "consult", "cite",  "rely",   "below",  "trust",  ":",     NULL};

    if (has_any(p, n, strong))
        return true;
    return has_only(p, n) && (has_any(p, n, objects) || n < 12);
}

static bool text_restricts(const char *z)
{
    while (*z != '\0') {
        size_t n = strcspn(z, ".;!\n");

        if (sentence_restricts(z, n))
            return true;
        z += n;
        z += strspn(z, ".;!\n");
    }
    return false;
}

/* The lists as they are to be used. */
static enum err lists_deliver(struct lists *l, struct query *out)
{
    struct arena *a = l->arena;
    size_t n = l->preferred_count + l->priority_count;
    struct domain_rule *all = arena_array(a, n + 1, sizeof(*all));

    out->guidance = arena_strdup(a, buf_str(&l->text));
    if (all == NULL || out->guidance == NULL || buf_err(&l->text) != ERR_OK)
        return ERR_NOMEM;
    out->preferred = (struct domain_rules){l->preferred, l->preferred_count};
    out->priority = (struct domain_rules){l->priority, l->priority_count};
    if (n == 0 || !text_restricts(out->guidance))
        return ERR_OK;
    memcpy(all, l->preferred, l->preferred_count * sizeof(*all));
    memcpy(all + l->preferred_count, l->priority,
           l->priority_count * sizeof(*all));
    out->restricted = (struct domain_rules){all, n};
    out->preferred = (struct domain_rules){NULL, 0};
    return ERR_OK;
}

static enum err plain_text(const char *q, struct arena *a, struct query *out)
{
    struct str s = str_trim(str_of(q));

    out->text = arena_strndup(a, s.p, s.n);
    out->guidance = "";
    return out->text == NULL ? ERR_NOMEM : ERR_OK;
}

enum err guidance_parse(const char *q, struct arena *a, struct query *out)
{
    struct str s = str_trim(str_of(q)), rest = {NULL, 0};
    struct lists l = {.arena = a};
    enum err e = ERR_NOMEM;

    if (!is_tag_at(s, open_tag))
        return plain_text(q, a, out);
    buf_init(&l.text, s.n + 1);
    l.preferred = arena_array(a, GUIDANCE_RULES_MAX, sizeof(*l.preferred));
    l.priority = arena_array(a, GUIDANCE_RULES_MAX, sizeof(*l.priority));
    if (l.preferred == NULL || l.priority == NULL)
        goto out;
    if (!block_walk(&l, skip(s, strlen(open_tag)), &rest) || rest.n == 0) {
        e = plain_text(q, a, out);
        goto out;
    }
    out->text = arena_strndup(a, rest.p, rest.n);
    e = out->text == NULL ? ERR_NOMEM : lists_deliver(&l, out);
out:
    buf_fini(&l.text);
    return e;
}
