/* Text that speaks to a machine; see injection.h. */
#include "search/injection.h"

#include "base/str.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum { WORDS_MAX = 64, NEAR = 8 };

struct words {
    struct term t[WORDS_MAX];
    bool mark[WORDS_MAX]; /* punctuation stands before it */
    size_t n;
};

static bool is_one_of(const char *z, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(z, *list) == 0)
            return true;
    return false;
}

static const char *const forget[] = {"ignore",  "disregard", "forget", "bypass",
                                     "discard", "neglect",   NULL};
static const char *const rules[] = {
    "instruction", "instructions", "prompt",    "prompts",    "rules",
    "guidelines",  "guideline",    "directive", "directives", "orders",
    "commands",    "constraints",  "training",  NULL};
static const char *const speak[] = {
    "say",       "print", "output", "reply",  "respond", "answer",
    "repeat",    "write", "append", "insert", "include", "mention",
    "state",     "tell",  "return", "cite",   "claim",   "end",
    "recommend", "begin", "quote",  NULL};
/* What an order to speak speaks of. */
static const char *const wording[] = {"verbatim", "phrase",   "word",
                                      "words",    "response", "answer",
                                      "summary",  "reply",    NULL};
static const char *const machines[] = {
    "ai",        "llm",        "llms", "chatbot", "chatbots",
    "assistant", "assistants", "gpt",  "chatgpt", NULL};
static const char *const asked[] = {"asked", "prompted", NULL};
static const char *const orders[] = {
    "must", "should",     "shall",    "please", "always", "attention",
    "note", "instructed", "required", "you",    "now",    NULL};

/* What is quoted is left out: "" and typographic marks. */
static void words_read(const char *p, size_t n, struct words *w)
{
    struct term_iter it;
    struct term t;
    size_t at = 0;
    bool quoted = false;

    w->n = 0;
    terms_init(&it, p, n);
    while (w->n < WORDS_MAX && tokens_next(&it, &t)) {
        bool mark = false;

        for (; at < t.start; at++) {
            mark = mark || strchr(",:;.!?(", p[at]) != NULL;
            if (p[at] == '"')
                quoted = !quoted;
            if (n - at >= 3 && memcmp(p + at, "\xE2\x80\x9C", 3) == 0)
                quoted = true;
            if (n - at >= 3 && memcmp(p + at, "\xE2\x80\x9D", 3) == 0)
                quoted = false;
        }
        if (quoted)
            continue;
        w->mark[w->n] = mark;
        w->t[w->n++] = t;
    }
}

/* A word of a, and within reach behind it one of b? */
static bool follow(const struct words *w, const char *const *a,
                   const char *const *b)
{
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = i + 1;
             is_one_of(w->t[i].text, a) && k < w->n && k <= i + NEAR; k++)
            if (is_one_of(w->t[k].text, b))
                return true;
    return false;
}

static bool holds(const struct words *w, const char *const *list)
{
    for (size_t i = 0; i < w->n; i++)
        if (is_one_of(w->t[i].text, list))
            return true;
    return false;
}

/* Is word i one that leads to an order, as "please" does? */
static bool leads(const struct words *w, size_t i)
{
    static const char *const before[] = {"please", "now",    "and",     "then",
                                         "just",   "always", "instead", NULL};

    return is_one_of(w->t[i].text, before);
}

/* Does the sentence begin with an order to speak? */
static bool begins_with_order(const struct words *w)
{
    size_t i = 0;

    while (i < w->n && i < 3 && leads(w, i))
        i++;
    return i < w->n && is_one_of(w->t[i].text, speak);
}

/* … or a clause of it? */
static bool has_order(const struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (is_one_of(w->t[i].text, speak) &&
            (i == 0 || w->mark[i] || leads(w, i - 1)))
            return true;
    return false;
}

/* The place of a word for a machine, or w->n. */
static size_t machine_at(const struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (is_one_of(w->t[i].text, machines) ||
            (i > 0 && strcmp(w->t[i - 1].text, "language") == 0 &&
             strncmp(w->t[i].text, "model", 5) == 0))
            return i;
    return w->n;
}

/* Of a machine: is it told something? */
static bool addresses_machine(const struct words *w)
{
    size_t at = machine_at(w);
    bool ordered = false;

    if (at == w->n)
        return false;
    for (size_t i = at + 1; i < w->n && i <= at + NEAR; i++)
        ordered = ordered || is_one_of(w->t[i].text, orders);
    return has_order(w) || holds(w, rules) ||
           (ordered && (holds(w, speak) || holds(w, forget)));
}

/* Does the order say in which words? Not the word of the order itself. */
static bool names_wording(const struct words *w)
{
    for (size_t i = 1; i < w->n; i++)
        if (is_one_of(w->t[i].text, wording) && !leads(w, i - 1))
            return true;
    return false;
}

static bool has_role_mark(const char *p, size_t n)
{
    static const char *const marks[] = {"<|im_",
                                        "<|system",
                                        "<|user",
                                        "<|assistant",
                                        "[INST]",
                                        "[/INST]",
                                        "<<SYS>>",
                                        "### Instruction",
                                        "### System",
                                        "system prompt",
                                        "<system>",
                                        "</system>",
                                        "<assistant>",
                                        "BEGIN SYSTEM",
                                        "you are now ",
                                        "from now on you",
                                        "your instructions",
                                        "previous instructions",
                                        "prior instructions",
                                        NULL};

    for (size_t i = 0; marks[i] != NULL; i++) {
        const char *at = mem_find_i(p, n, marks[i]);
        size_t quotes = 0;

        if (at == NULL)
            continue;
        for (const char *c = p; c < at; c++)
            quotes += *c == '"' || (unsigned char)*c == 0x9C;
        if (quotes % 2 == 0)
            return true;
    }
    return ascii_starts_i(p, "system:") || ascii_starts_i(p, "assistant:") ||
           ascii_starts_i(p, "user:");
}

bool injection_is(const char *p, size_t n)
{
    struct words w;

    if (n == 0)
        return false;
    words_read(p, n, &w);
    return has_role_mark(p, n) || follow(&w, forget, rules) ||
           addresses_machine(&w) || (holds(&w, asked) && has_order(&w)) ||
           (begins_with_order(&w) && names_wording(&w));
}

const char *injection_mask(const char *text, struct arena *a)
{
    struct span *spans = NULL;
    size_t n = strlen(text), count = 0, until = 0;
    char *copy = NULL;

    if (sentences_split(text, n, a, &spans, &count) != ERR_OK)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const char *line;

        if (spans[i].start < until ||
            !injection_is(text + spans[i].start, spans[i].len))
            continue;
        if (copy == NULL && (copy = arena_strndup(a, text, n)) == NULL)
            return NULL;
        line = memchr(text + spans[i].start, '\n', n - spans[i].start);
        until = line == NULL ? n : (size_t)(line - text);
        memset(copy + spans[i].start, ' ', until - spans[i].start);
    }
    return copy == NULL ? text : copy;
}
