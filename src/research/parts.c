/* A question's text taken apart; see parts.h. */
#include "research/parts.h"

#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum { ITEM_WORDS_MAX = 5 };

static const char *const wh_words[] = {"who",   "whom", "whose", "what", "when",
                                       "where", "why",  "which", "how",  NULL};

static const char *const imperatives[] = {
    "compare",     "explain",  "describe",  "list",      "name",     "find",
    "tell",        "give",     "summarize", "summarise", "discuss",  "define",
    "outline",     "show",     "analyze",   "analyse",   "evaluate", "contrast",
    "investigate", "research", "report",    NULL};

/* Words that ask or act but name nothing. */
static const char *const hollow_words[] = {
    "work",       "works",         "working",   "mean",       "means",
    "use",        "used",          "using",     "need",       "needed",
    "overview",   "summary",       "please",    "difference", "differences",
    "advantages", "disadvantages", "pros",      "cons",       "main",
    "key",        "best",          "way",       "about",      "detail",
    "details",    "introduction",  "implement", "implements", "implemented",
    "handle",     "handles",       "handled",   "support",    "supports",
    "supported",  "perform",       "performs",  "create",     "creates",
    "created",    "make",          "makes",     "made",       "write",
    "wrote",      "written",       "release",   "released",   "store",
    "stores",     "stored",        "manage",    "manages",    "provide",
    "provides",   "happen",        "happens",   "happened",   "differ",
    "differs",    "invented",      "founded",   "born",       "died",
    "located",    "called",        "known",     "change",     "changes",
    "changed",    "choose",        NULL};

/* --- what a question is about ------------------------------------------ */

static bool names_something(const char *folded, size_t n)
{
    struct str s = {folded, n};

    return !term_is_stop(folded, n) && !view_is_one_of(s, hollow_words) &&
           !view_is_one_of(s, imperatives) && !view_is_one_of(s, wh_words);
}

/* Is only blank, hyphen or dot between two tokens? */
static bool is_joined(struct str s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (strchr(" -_.'", s.p[i]) == NULL)
            return false;
    return true;
}

/* Is the token part of a compound ("write-ahead")? */
static bool is_hyphened(struct str s, const struct term *t)
{
    return (t->end + 1 < s.n && s.p[t->end] == '-' &&
            ascii_is_alnum((unsigned char)s.p[t->end + 1])) ||
           (t->start > 1 && s.p[t->start - 1] == '-' &&
            ascii_is_alnum((unsigned char)s.p[t->start - 2]));
}

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* Lower-case words in front of a name ("designed Fortran") are what was done
 * to it. */
static struct str from_name(struct str s)
{
    if (s.n == 0 || is_capital(s.p[0]))
        return s;
    for (size_t i = 1; i < s.n; i++) {
        if (s.p[i - 1] != ' ')
            continue;
        if (is_capital(s.p[i]))
            return view_from(s, i);
        if (view_starts(view_from(s, i), "of") > 0)
            return s;
    }
    return s;
}

/* A run of words that name something, being read. */
struct naming {
    size_t start, end, words;
    bool of; /* "of" was read behind it */
};

/* Take the next token; false: it ends the run. */
static bool take_token(struct naming *r, struct str s, const struct term *t)
{
    if (!names_something(t->text, t->len) && !is_hyphened(s, t)) {
        r->of = r->words > 0 && strcmp(t->text, "of") == 0;
        return r->of;
    }
    if (r->words == 0 || (!r->of && !is_joined(s, r->end, t->start))) {
        r->words = 0;
        r->start = t->start;
    }
    r->of = false;
    r->end = t->end;
    r->words++;
    return true;
}

struct str parts_subject(struct str s)
{
    struct naming run = {0, 0, 0, false};
    struct str best = {s.p, 0};
    struct term_iter it;
    struct term t;
    size_t most = 0;

    terms_init(&it, s.p, s.n);
    while (tokens_next(&it, &t)) {
        if (!take_token(&run, s, &t))
            run.words = 0;
        if (run.words <= most)
            continue;
        most = run.words;
        best = view_of(s.p + run.start, run.end - run.start);
    }
    return from_name(best);
}

/* --- enumerations ------------------------------------------------------ */

/* Where the last run of naming words of s begins. */
static size_t item_start(struct str s)
{
    struct term_iter it;
    struct term t;
    size_t start = s.n;
    bool running = false;

    terms_init(&it, s.p, s.n);
    while (tokens_next(&it, &t)) {
        bool names = names_something(t.text, t.len);

        if (names && !running)
            start = t.start;
        running = names;
        if (!names)
            start = s.n;
    }
    return start;
}

/* Where the first run of naming words of s ends. */
static size_t item_end(struct str s)
{
    struct term_iter it;
    struct term t;
    size_t end = 0;

    terms_init(&it, s.p, s.n);
    while (tokens_next(&it, &t) && names_something(t.text, t.len))
        end = t.end;
    return end;
}

static struct str without_article(struct str s)
{
    static const char *const articles[] = {"the", "a", "an", NULL};
    size_t n = view_starts_any(s, articles);

    return n > 0 ? view_from(s, n) : s;
}

static bool add_item(struct enumeration *e, struct str item)
{
    item = without_article(item);
    if (e->items.n == PARTS_MAX || item.n == 0 ||
        view_words(item) > ITEM_WORDS_MAX)
        return false;
    e->items.v[e->items.n++] = item;
    return true;
}

/* "Explain A, B and C in D": what stands before, the items, what stands
 * behind. */
bool parts_enumeration(struct str s, struct enumeration *e)
{
    size_t comma = view_find(s, ", "), start, n, end;

    memset(e, 0, sizeof *e);
    if (comma == s.n)
        return false;
    start = item_start(view_of(s.p, comma));
    if (start >= comma)
        return false;
    e->before = view_of(s.p, start);
    s = view_from(s, start);
    while ((comma = view_find(s, ", ")) < s.n) {
        if (!add_item(e, view_of(s.p, comma)))
            return false;
        s = view_from(s, comma + 1);
    }
    n = view_starts(s, "and");
    n = n > 0 ? n : view_starts(s, "or");
    if (n == 0) {
        size_t at = view_find(s, " and ");

        at = at < s.n ? at : view_find(s, " or ");
        if (at == s.n || !add_item(e, view_of(s.p, at)))
            return false;
        n = at + 4;
    }
    s = without_article(view_from(s, n));
    end = item_end(s);
    e->after = view_from(s, end);
    return end > 0 && add_item(e, view_of(s.p, end)) && e->items.n >= 2;
}

/* --- parts ------------------------------------------------------------- */

static bool is_asking(struct str s)
{
    return (s.n > 0 && s.p[s.n - 1] == '?') ||
           view_starts_any(s, wh_words) > 0 ||
           view_starts_any(s, imperatives) > 0;
}

static void add_view(struct parts *v, struct str s)
{
    if (v->n < PARTS_MAX && s.n > 0)
        v->v[v->n++] = s;
}

/* Is there a part of its own behind the joint at s? Returns the length of
 * the joint. */
static size_t joint_len(struct str s)
{
    static const char *const joints[] = {", and ", " and ", "; and ",
                                         "; ",     ", ",    NULL};

    for (size_t i = 0; joints[i] != NULL; i++) {
        size_t n = strlen(joints[i]);

        if (s.n > n && memcmp(s.p, joints[i], n) == 0 &&
            view_starts_any(view_from(s, n), wh_words) > 0)
            return n;
    }
    return 0;
}

/* "Who wrote it and when was it released" into its parts. */
static void split_joined(struct parts *out, struct str s)
{
    size_t from = 0;

    if (view_starts_any(s, wh_words) == 0 &&
        view_starts_any(s, imperatives) == 0) {
        add_view(out, s);
        return;
    }
    for (size_t i = 0; i < s.n; i++) {
        struct str rest = {s.p + i, s.n - i};
        size_t n = joint_len(rest);

        if (n == 0)
            continue;
        add_view(out, view_of(s.p + from, i - from));
        from = i + n;
        i = from;
    }
    add_view(out, view_of(s.p + from, s.n - from));
}

enum err parts_split(struct str text, struct arena *a, struct parts *out)
{
    struct span *spans = NULL;
    size_t count = 0, asking = 0;
    enum err e = sentences_split(text.p, text.n, a, &spans, &count);

    if (e != ERR_OK)
        return e;
    for (size_t i = 0; i < count; i++)
        asking += is_asking(view_of(text.p + spans[i].start, spans[i].len));
    /* What does not ask is needed to understand the one that does. */
    if (asking <= 1 && count > 1) {
        add_view(out, text);
        return ERR_OK;
    }
    for (size_t i = 0; i < count; i++) {
        struct str s = view_of(text.p + spans[i].start, spans[i].len);

        if (asking == 0 || is_asking(s))
            split_joined(out, s);
    }
    if (out->n == 0)
        add_view(out, text);
    return ERR_OK;
}

/* The subject in place of the first pronoun, so that the part stands by
 * itself. */
struct str parts_resolve(struct arena *a, struct str part, const char *subject)
{
    static const char *const alone[] = {"it", "they", "them", "each", NULL};
    static const char *const owning[] = {"its", "their", NULL};

    for (size_t i = 0; i < part.n && *subject != '\0'; i++) {
        struct str rest = {part.p + i, part.n - i};
        size_t n;
        bool owns;
        const char *z;

        if (i > 0 && part.p[i - 1] != ' ')
            continue;
        owns = (n = view_starts_any(rest, owning)) > 0;
        if (n == 0)
            n = view_starts_any(rest, alone);
        if (n == 0)
            continue;
        z = arena_printf(a, "%.*s%s%s%.*s", (int)i, part.p, subject,
                         owns ? "'s" : "", (int)(rest.n - n), rest.p + n);
        return z == NULL ? part : str_of(z);
    }
    return part;
}

/* How much of s tells us to explain, not what: "Tell me about". */
static size_t request_len(struct str s)
{
    static const char *const requests[] = {"tell me about",
                                           "tell us about",
                                           "tell me",
                                           "give me an overview of",
                                           "give an overview of",
                                           "explain to me",
                                           "explain",
                                           "describe",
                                           "define",
                                           "discuss",
                                           "outline",
                                           "summarize",
                                           "summarise",
                                           NULL};

    return view_starts_any(s, requests);
}

/* Does the first thing named look like many? "triggers in SQLite" */
static bool is_plural(struct str s)
{
    size_t n = view_find(s, " in ");

    return n > 2 && ascii_lower(s.p[n - 1]) == 's' &&
           ascii_lower(s.p[n - 2]) != 's';
}

struct str parts_as_question(struct arena *a, struct str part)
{
    struct str s = view_trim_marks(part);
    size_t n = request_len(s);
    const char *z;
    bool plural;

    if (n == 0 || n >= s.n)
        return part;
    s = view_from(s, n);
    if (view_starts_any(s, wh_words) > 0) {
        z = arena_printf(a, "%.*s?", (int)s.n, s.p);
    } else {
        n = view_starts(s, "the");
        s = n > 0 && n < s.n ? view_from(s, n) : s;
        plural = is_plural(s);
        z = arena_printf(a, "What %s %.*s?", plural ? "are" : "is", (int)s.n,
                         s.p);
    }
    return z == NULL ? part : str_of(z);
}
