/*
 * GET /v1/examples; see handlers.h. How much there is to ask, and questions
 * that pages of the index answer: headings that are questions, from places
 * spread over it. Where there are too few of them, titles of pages.
 */
#include "index/texts.h"
#include "web/handlers.h"

#include <string.h>

enum {
    WINDOWS = 64, /* places that are looked at */
    STRIDE = 25, /* from one to the next, so that the first few are far apart */
    WINDOW = 12, /* passages at each */
    SHOWN = 6,
    ENOUGH = 4, /* questions, so that titles are not shown */
    SHORTEST = 12,
    LONGEST = 90,
    NUMBER_MAX = 14 /* of "Appendix L. ", "19.2. " */
};

struct examples {
    const char *at[SHOWN];
    size_t n;
};

static bool fits(const char *z)
{
    size_t n = z == NULL ? 0 : strlen(z);

    return n >= SHORTEST && n <= LONGEST && strchr(z, ' ') != NULL;
}

static void add(struct examples *x, const char *z)
{
    for (size_t i = 0; i < x->n; i++)
        if (strcmp(x->at[i], z) == 0)
            return;
    if (x->n < SHOWN)
        x->at[x->n++] = z;
}

/* The innermost of "Chapter > Section". */
static const char *innermost(const char *heading)
{
    const char *z = heading == NULL ? "" : heading, *next;

    while ((next = strstr(z, " > ")) != NULL)
        z = next + 3;
    return z;
}

/* A title without the number of its chapter. */
static const char *unnumbered(const char *title)
{
    const char *z = title == NULL ? "" : title, *dot = strstr(z, ". ");

    return dot != NULL && dot - z < NUMBER_MAX ? dot + 2 : z;
}

/* One question of one place, so that others have theirs. */
static enum err look(struct call *c, int64_t after, struct examples *questions,
                     struct examples *titles)
{
    struct index_text *texts = NULL;
    size_t n = 0, had = questions->n;
    enum err e = index_texts(c->w->store.index, after, WINDOW, c->rq->arena,
                             &texts, &n, &c->ec);

    for (size_t i = 0; e == ERR_OK && i < n; i++) {
        const char *z = innermost(texts[i].heading);
        size_t len = strlen(z);

        if (fits(z) && z[len - 1] == '?' && questions->n == had)
            add(questions, z);
    }
    if (e == ERR_OK && n > 0 && fits(unnumbered(texts[0].title)))
        add(titles, unnumbered(texts[0].title));
    return e;
}

enum err h_examples(struct call *c)
{
    struct examples questions = {.n = 0}, titles = {.n = 0};
    struct index_size size = {0};
    int64_t passages = 0, next = 0;
    struct json_out *w;
    enum err e = index_size(c->w->store.index, &size, &c->ec);

    if (e == ERR_OK)
        e = index_passage_ids(c->w->store.index, &passages, &next, &c->ec);
    for (int64_t i = 0; e == ERR_OK && i < WINDOWS && passages > 0; i++) {
        int64_t at = i * STRIDE % WINDOWS;

        e = look(c, next / WINDOWS * at + next % WINDOWS * at / WINDOWS,
                 &questions, &titles);
    }
    for (size_t i = 0; questions.n < ENOUGH && i < titles.n; i++)
        add(&questions, titles.at[i]);
    if (e != ERR_OK)
        return e;
    w = call_object(c);
    jw_kint(w, "pages", size.pages);
    jw_kint(w, "passages", size.passages);
    jw_karray(w, "questions");
    for (size_t i = 0; i < questions.n; i++)
        jw_string(w, questions.at[i]);
    jw_array_end(w);
    jw_object_end(w);
    return ERR_OK;
}
