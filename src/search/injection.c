/* Text that speaks to a machine; see injection.h. */
#include "search/injection.h"

#include "base/str.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum { WORDS_MAX = 64, NEAR = 8 };

struct words {
    struct term t[WORDS_MAX];
    size_t n;
};

static bool is_one_of(const char *z, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(z, *list) == 0)
            return true;
    return false;
}

static const char *const forget[] = {
    "ignore", "disregard", "forget",    "override", "bypass",
    "skip",   "discard",   "overwrite", "neglect",  NULL};
static const char *const rules[] = {
    "instruction", "instructions", "prompt",    "prompts",    "rules",
    "guidelines",  "guideline",    "directive", "directives", "orders",
    "commands",    "constraints",  "training",  NULL};
static const char *const speak[] = {
    "say",       "print", "output", "reply",  "respond", "answer",
    "repeat",    "write", "append", "insert", "include", "mention",
    "state",     "tell",  "return", "cite",   "claim",   "end",
    "recommend", "begin", "quote",  NULL};
static const char *const wording[] = {
    "instead", "exactly", "only",     "verbatim", "word",
    "words",   "phrase",  "code",     "token",    "string",
    "secret",  "nothing", "response", "reply",    "answer",
    "answers", "summary", "output",   NULL};
static const char *const machines[] = {
    "ai",         "llm", "llms",    "chatbot", "chatbots", "assistant",
    "assistants", "gpt", "chatgpt", "model",   "models",   NULL};
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
        for (; at < t.start; at++) {
            if (p[at] == '"')
                quoted = !quoted;
            if (n - at >= 3 && memcmp(p + at, "\xE2\x80\x9C", 3) == 0)
                quoted = true;
            if (n - at >= 3 && memcmp(p + at, "\xE2\x80\x9D", 3) == 0)
                quoted = false;
        }
        if (!quoted)
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

/* Does the sentence begin with an order to speak, maybe behind a polite
 * word or a call? */
static bool orders_to_speak(const struct words *w)
{
    static const char *const before[] = {"please", "now",    "and",     "then",
                                         "just",   "always", "instead", NULL};
    size_t i = 0;

    while (i < w->n && i < 3 && is_one_of(w->t[i].text, before))
        i++;
    return i < w->n && is_one_of(w->t[i].text, speak);
}

static bool has_role_mark(const char *p, size_t n)
{
    static const char *const marks[] = {"<|",
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
           (holds(&w, machines) && follow(&w, machines, orders) &&
            (holds(&w, speak) || holds(&w, forget))) ||
           (holds(&w, machines) && orders_to_speak(&w)) ||
           (orders_to_speak(&w) && holds(&w, wording));
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
