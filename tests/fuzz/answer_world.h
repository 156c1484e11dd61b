/*
 * The world that the answer side is asked in, made of one input: pages whose
 * passages are in memory, a model and a provider that say what the input
 * says. These functions stand in for the index, the provider client and the
 * model client; the linker takes them before the library's. Included by
 * fuzz_answer.c and fuzz_page.c.
 */
#ifndef CITED_TESTS_ANSWER_WORLD_H
#define CITED_TESTS_ANSWER_WORLD_H

#include "fuzz.h"

#include "base/date.h"
#include "find/meaning_find.h"
#include "find/provider.h"
#include "find/rank.h"
#include "find/vectors_make.h"
#include "index/page.h"
#include "index/texts.h"
#include "model/model.h"
#include "model/relevance.h"
#include "page/document.h"

enum {
    WORLD_PAGES_MAX = 8,
    WORLD_PASSAGES_MAX = 64,
    WORLD_TEXT_MAX = 256 * 1024 /* of anything that is shown */
};

STANDS_IN struct {
    struct candidate passages[WORLD_PASSAGES_MAX];
    size_t count, pages;
    struct arena *arena;
    unsigned mood;    /* how common words are, in which order pages come */
    enum lang lang;   /* which the index knows the words in */
    const char *says; /* the model; NULL: there is none */
    bool provider;    /* pages of odd numbers come from a provider */
    bool known;       /* the index has every page, but not fresh */
    struct polite_memory *memory; /* of hosts; NULL: no page is read */
} world;

/* Text as every part of the service may rely on it. */
static inline void check_text(const char *z)
{
    HOLDS(z != NULL);
    HOLDS(strlen(z) <= WORLD_TEXT_MAX);
    HOLDS(utf8_valid(z, strlen(z)));
}

/* The candidate is of no page of the index. */
static inline bool world_is_foreign(const struct candidate *c)
{
    return world.provider && c->page % 2 == 1;
}

/* --- the index ----------------------------------------------------------- */

static inline enum err world_candidates(bool foreign,
                                        const struct index_filter *f, size_t k,
                                        struct arena *a, struct candidate **out,
                                        size_t *count)
{
    *out = arena_array(a, world.count + 1, sizeof **out);
    HOLDS(*out != NULL);
    *count = 0;
    for (size_t i = 0; i < world.count && *count < k; i++) {
        size_t at = world.mood & 1 ? world.count - 1 - i : i;
        struct candidate c = world.passages[at];
        struct url u;

        HOLDS(url_parse(c.url, strlen(c.url), NULL, a, &u, NULL) == ERR_OK);
        if (world_is_foreign(&c) != foreign ||
            (f != NULL && !rank_allows(f, &u, c.day)))
            continue;
        c.score = 20.0 / (double)(i + 1);
        if (foreign)
            c.page = c.passage = 0;
        (*out)[(*count)++] = c;
    }
    return *count > 0 ? ERR_OK : ERR_NO_RESULT;
}

STANDS_IN enum err index_query(struct db *index, const struct index_term *terms,
                               size_t count, const struct index_filter *f,
                               size_t k, const struct deadline *d,
                               struct arena *a, struct candidate **out,
                               size_t *out_count, struct errctx *ec)
{
    (void)index;
    (void)d;
    (void)ec;
    for (size_t i = 0; i < count; i++)
        HOLDS(terms[i].text != NULL && terms[i].weight > 0);
    return world_candidates(false, f, k, a, out, out_count);
}

/* Some words are rare and some are everywhere. */
STANDS_IN enum err index_df(struct db *index, const struct index_term *terms,
                            size_t count, int64_t *df, int64_t *passages,
                            struct errctx *ec)
{
    (void)index;
    (void)ec;
    *passages = 1000;
    for (size_t i = 0; i < count; i++) {
        unsigned h = world.mood;

        for (const char *z = terms[i].text; *z != '\0'; z++)
            h = h * 31 + (unsigned char)*z;
        df[i] = h % 4 == 0 ? 0 : h % 4 == 1 ? 700 : 1 + h % 40;
    }
    return ERR_OK;
}

STANDS_IN enum err index_language(struct db *index,
                                  const struct index_term *terms, size_t count,
                                  enum lang *out, struct errctx *ec)
{
    (void)index;
    (void)terms;
    (void)count;
    (void)ec;
    *out = world.lang;
    return ERR_OK;
}

STANDS_IN enum err index_passages(struct db *index, int64_t page, int64_t seq,
                                  size_t limit, struct arena *a,
                                  struct candidate **out, size_t *count,
                                  struct errctx *ec)
{
    (void)index;
    (void)ec;
    *out = arena_array(a, world.count + 1, sizeof **out);
    HOLDS(*out != NULL);
    *count = 0;
    for (size_t i = 0; i < world.count && *count < limit; i++)
        if (world.passages[i].page == page && world.passages[i].seq >= seq)
            (*out)[(*count)++] = world.passages[i];
    return *count > 0 ? ERR_OK : ERR_NO_RESULT;
}

/* As the index has them: those of its own pages. */
STANDS_IN enum err index_holding(struct db *index, const char *z,
                                 const struct index_filter *f, int64_t looked,
                                 const struct deadline *d, size_t limit, struct arena *a,
                                 struct vector_hit **out, size_t *count,
                                 struct errctx *ec)
{
    struct candidate *v;
    size_t n;
    enum err e = world_candidates(false, f, WORLD_PASSAGES_MAX, a, &v, &n);

    (void)index;
    (void)ec;
    HOLDS(deadline_left(d) >= 0);
    HOLDS(z[0] != '\0' && looked > 0);
    *out = arena_array(a, limit, sizeof **out);
    HOLDS(*out != NULL);
    *count = 0;
    for (size_t i = 0; e == ERR_OK && i < n && *count < limit; i++)
        if (strstr(v[i].text, z) != NULL)
            (*out)[(*count)++] = (struct vector_hit){.passage = v[i].passage};
    return ERR_OK;
}

STANDS_IN enum err index_candidates(struct db *index,
                                    const struct vector_hit *hits, size_t n,
                                    struct arena *a, struct candidate **out,
                                    size_t *count, struct errctx *ec)
{
    (void)index;
    (void)ec;
    *out = arena_array(a, n + 1, sizeof **out);
    HOLDS(*out != NULL);
    *count = 0;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < world.count; i++)
            if (world.passages[i].passage == hits[k].passage)
                (*out)[(*count)++] = world.passages[i];
    return ERR_OK;
}

/* An encoder that some moods have, and that finds anything near. */
STANDS_IN enum err meaning_read(struct meaning *m, struct db *index,
                                struct query *q)
{
    (void)index;
    static const float vector[1];

    (void)m;
    q->meaning = world.mood & 32 ? vector : NULL;
    q->meant_by = q->meaning == NULL      ? MEANT_BY_NOTHING
                  : world.mood & 64 ? MEANT_BY_WORDS
                                    : MEANT_BY_ENCODER;
    q->meant = (const struct meaning_words *)(const void *)q->meaning;
    return ERR_OK;
}

STANDS_IN enum err vectors_make_words(const struct conf *c, struct db *index,
                                      const struct deadline *d,
                                      struct errctx *ec)
{
    (void)c;
    (void)index;
    (void)d;
    (void)ec;
    return ERR_OK;
}

STANDS_IN enum err meaning_read_closely(struct meaning *m, struct db *index,
                                        struct query *q)
{
    return meaning_read(m, index, q);
}

STANDS_IN enum err meaning_meet(const struct query *q, const char *text,
                                size_t n, struct met *out)
{
    HOLDS(q->meant != NULL);
    out->words = n == 0 ? 0 : (double)((unsigned char)text[n / 2] % 100) / 100;
    out->whole = out->words / 2;
    return ERR_OK;
}

STANDS_IN float *meaning_said(const struct query *q, struct arena *a)
{
    HOLDS(q->meant != NULL);
    return arena_array(a, 1, sizeof(float));
}

STANDS_IN void meaning_say(const struct query *q, const char *text, size_t n,
                           float *said)
{
    struct met met;

    HOLDS(meaning_meet(q, text, n, &met) == ERR_OK);
    *said = met.words > (double)*said ? (float)met.words : *said;
}

STANDS_IN void meaning_say_too(const struct query *q, const float *other,
                               float *said)
{
    HOLDS(q->meant != NULL);
    *said = *other > *said ? *other : *said;
}

STANDS_IN struct met meaning_met(const struct query *q, const float *said)
{
    HOLDS(q->meant != NULL);
    return (struct met){(double)*said, (double)*said / 2};
}

STANDS_IN void meaning_measure(const struct meaning *m, const struct query *q,
                               struct candidate *c, size_t n)
{
    (void)m;
    for (size_t i = 0; q->meaning != NULL && i < n; i++)
        c[i].near = (float)((unsigned)c[i].passage * 37 % 100) / 100;
}

STANDS_IN enum err meaning_fuse(struct meaning *m, struct db *index,
                                const struct query *q,
                                const struct index_filter *f, size_t k,
                                struct arena *a, struct candidate **found,
                                size_t *count, struct errctx *ec)
{
    (void)index;
    (void)f;
    (void)k;
    (void)a;
    (void)ec;
    meaning_measure(m, q, *found, *count);
    return ERR_OK;
}

STANDS_IN enum err page_text(struct db *index, int64_t id, struct arena *a,
                             const char **out, struct errctx *ec)
{
    (void)index;
    *out = NULL;
    for (size_t i = 0; i < world.count; i++)
        if (world.passages[i].page == id)
            *out = arena_printf(a, "%s%s%s", *out == NULL ? "" : *out,
                                *out == NULL ? "" : "\n\n",
                                world.passages[i].text);
    if (*out == NULL)
        return err_set(ec, ERR_NOT_FOUND, "no such page");
    return ERR_OK;
}

STANDS_IN enum err page_get(struct db *index, int64_t id, struct arena *a,
                            struct page *out, struct errctx *ec)
{
    (void)index;
    (void)id;
    (void)a;
    (void)out;
    return err_set(ec, ERR_NOT_FOUND, "no such page");
}

STANDS_IN enum err page_find(struct db *index, const char *url, struct arena *a,
                             struct page *out, struct errctx *ec)
{
    if (!world.known)
        return page_get(index, 0, a, out, ec);
    *out = (struct page){.id = 1,
                         .url = url,
                         .host = "host0.example",
                         .title = "",
                         .lang = "",
                         .favicon = "",
                         .etag = "\"1\"",
                         .last_modified = "Sun, 06 Nov 1994 08:49:37 GMT",
                         .day = DAY_NONE,
                         .passage_count = 1};
    return ERR_OK;
}

/* Passages of a page behind those that are there. */
static inline void world_keep(const struct candidate *page,
                              const struct passage_text *p, size_t count)
{
    for (size_t i = 0; i < count && world.count < WORLD_PASSAGES_MAX; i++) {
        struct candidate *c = &world.passages[world.count];

        *c = *page;
        c->passage = (int64_t)++world.count;
        c->seq = (int64_t)i;
        c->start = p[i].start;
        c->heading = arena_strdup(world.arena, p[i].heading);
        /* Of its own, so that a read beyond its end is seen. */
        c->text = fuzz_copy(str_of(p[i].text));
    }
}

static inline void world_empty(void)
{
    for (size_t i = 0; i < world.count; i++)
        free((char *)(uintptr_t)world.passages[i].text);
    world.count = 0;
}

/* Holds what the store relies on. */
STANDS_IN enum err page_put(struct db *index, const struct page *p,
                            const struct passage_text *passages, size_t count,
                            int64_t *id, struct errctx *ec)
{
    size_t start = 0;

    (void)index;
    (void)ec;
    check_text(p->title);
    check_text(p->favicon);
    HOLDS(p->url != NULL && p->host != NULL && strlen(p->lang) <= 8);
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(passages[i].text);

        check_text(passages[i].text);
        check_text(passages[i].heading);
        HOLDS(n > 0 && n <= PASSAGE_BYTES_MAX && passages[i].start == start);
        start += n + 2;
    }
    *id = (int64_t)++world.pages;
    world_keep(&(struct candidate){.page = *id,
                                   .url = arena_strdup(world.arena, p->url),
                                   .host = arena_strdup(world.arena, p->host),
                                   .title = arena_strdup(world.arena, p->title),
                                   .favicon = "",
                                   .lang = arena_strdup(world.arena, p->lang),
                                   .day = p->day},
               passages, count);
    return ERR_OK;
}

STANDS_IN enum err page_touch(struct db *index, int64_t id, int64_t now_ms,
                              struct errctx *ec)
{
    (void)index;
    (void)now_ms;
    (void)ec;
    HOLDS(id == 1);
    return ERR_OK;
}

STANDS_IN enum err index_stats(struct db *index, struct arena *a,
                               struct index_stats *out, struct errctx *ec)
{
    (void)index;
    (void)a;
    (void)ec;
    memset(out, 0, sizeof *out);
    return ERR_OK;
}

STANDS_IN enum err page_list(struct db *index, const char *host,
                             int64_t after_id, size_t limit, struct arena *a,
                             struct page **out, size_t *count,
                             struct errctx *ec)
{
    (void)index;
    (void)host;
    (void)after_id;
    (void)limit;
    (void)a;
    (void)ec;
    *out = NULL;
    *count = 0;
    return ERR_OK;
}

STANDS_IN enum err page_remove(struct db *index, const char *url, bool is_host,
                               int64_t *removed, struct errctx *ec)
{
    (void)index;
    (void)ec;
    HOLDS(url != NULL && !is_host);
    *removed = 1;
    return ERR_OK;
}

/* --- the provider -------------------------------------------------------- */

STANDS_IN size_t provider_set_count(const struct provider_set *s)
{
    (void)s;
    return world.provider ? 1 : 0;
}

struct polite_memory *provider_set_memory(struct provider_set *s);
STANDS_IN struct polite_memory *provider_set_memory(struct provider_set *s)
{
    (void)s;
    return world.memory;
}

STANDS_IN const char *outcome_name(enum outcome o)
{
    return o == OUTCOME_OK ? "ok" : "empty";
}

STANDS_IN bool outcome_is_failure(enum outcome o)
{
    return o > OUTCOME_PARTIAL;
}

STANDS_IN enum err providers_ask(const struct search_env *env,
                                 const struct query *q,
                                 const struct index_filter *f, size_t want,
                                 bool images, struct deadline d,
                                 struct arena *a, struct provider_answer **out,
                                 size_t *count)
{
    enum err e;

    (void)env;
    (void)q;
    (void)images;
    (void)d;
    *out = arena_array(a, 1, sizeof **out);
    HOLDS(*out != NULL);
    (*out)->provider = "provider";
    e = world_candidates(true, f, want, a, &(*out)->found, &(*out)->count);
    (*out)->outcome = e == ERR_OK ? OUTCOME_OK : OUTCOME_EMPTY;
    *count = 1;
    return ERR_OK;
}

struct provider_round {
    struct provider_answer *answers;
    size_t count;
};

STANDS_IN enum err providers_start(const struct search_env *env,
                                   const struct query *q,
                                   const struct index_filter *f, size_t want,
                                   bool images, struct deadline d,
                                   struct arena *a, struct provider_round **out)
{
    *out = arena_alloc(a, sizeof **out);
    HOLDS(*out != NULL);
    return providers_ask(env, q, f, want, images, d, a, &(*out)->answers,
                         &(*out)->count);
}

STANDS_IN enum err providers_finish(struct provider_round *r,
                                    struct provider_answer **out, size_t *count)
{
    *out = r->answers;
    *count = r->count;
    return ERR_OK;
}

/* --- models -------------------------------------------------------------- */

STANDS_IN enum err model_chat(struct model *m, const struct model_ask *ask,
                              struct deadline d, const char *id,
                              struct arena *a, struct model_answer *out,
                              struct errctx *ec)
{
    (void)m;
    (void)d;
    (void)id;
    (void)ec;
    HOLDS(utf8_valid(ask->user, strlen(ask->user)));
    HOLDS(utf8_valid(ask->system, strlen(ask->system)));
    out->text = arena_strdup(a, world.says);
    out->cut = world.mood & 2;
    return out->text == NULL ? ERR_NOMEM : ERR_OK;
}

STANDS_IN int64_t model_tokens_of(const char *p, size_t n)
{
    (void)p;
    return (int64_t)n / 3 + 1;
}

STANDS_IN int64_t model_room(struct model *m, struct deadline d)
{
    (void)m;
    (void)d;
    return world.mood & 4 ? 1000 : 8000;
}

STANDS_IN int64_t model_reads(struct model *m, const struct model_ask *ask)
{
    (void)m;
    return ask->schema == NULL ? 100 : 400;
}

STANDS_IN bool model_entails(const struct model *m)
{
    (void)m;
    return world.mood & 8;
}

STANDS_IN int64_t model_usual_ms(struct model *m)
{
    (void)m;
    return world.mood & 4 ? 3000 : 0;
}

STANDS_IN enum err relevance_score(struct relevance *r, const char *question,
                                   const char *const *texts, size_t count,
                                   struct deadline d, const char *id,
                                   struct arena *a, double *score,
                                   struct errctx *ec)
{
    (void)r;
    (void)question;
    (void)d;
    (void)id;
    (void)a;
    (void)ec;
    for (size_t i = 0; i < count; i++)
        score[i] = (double)(strlen(texts[i]) * 7 % 13);
    return ERR_OK;
}

/* --- filling it ---------------------------------------------------------- */

/* Passages as a provider's snippets have them: any text, parted by empty
 * lines. */
static inline enum err world_pieces(const char *text, size_t n, struct arena *a,
                                    struct passage_text **out, size_t *count)
{
    struct str left = {text, n};

    *out = arena_array(a, WORLD_PASSAGES_MAX, sizeof **out);
    HOLDS(*out != NULL);
    for (*count = 0; left.n > 0 && *count < WORLD_PASSAGES_MAX;) {
        const char *end = mem_find(left.p, left.n, "\n\n");
        size_t len = end == NULL ? left.n : (size_t)(end - left.p);
        struct str one =
            str_trim((struct str){left.p, utf8_cut(left.p, len, 4096)});

        len += end == NULL ? 0 : 2;
        left = (struct str){left.p + len, left.n - len};
        if (one.n > 0)
            (*out)[(*count)++] = (struct passage_text){
                "", arena_strndup(a, one.p, one.n), 0, "", ""};
    }
    return ERR_OK;
}

/* A page by its type: 0 HTML, 1 Markdown, 2 plain text, 3 pieces. */
static inline void world_add_page(unsigned type, struct str body,
                                  struct arena *a)
{
    static const char *const types[] = {"text/html", "text/markdown",
                                        "text/plain"};
    size_t page = world.pages++;
    const char *url =
        arena_printf(a, "https://host%zu.example/%zu", page % 3, page);
    struct document doc = {.count = 0};
    const char *middle;
    enum err e;

    if (type == 3)
        e = world_pieces(body.p, body.n, a, &doc.passages, &doc.count);
    else
        e = document_parse(&(struct index_input){.url = url,
                                                 .type = types[type],
                                                 .charset = "utf-8",
                                                 .body = body.p,
                                                 .body_len = body.n,
                                                 .day = DAY_NONE},
                           a, &doc, NULL);
    HOLDS(e == ERR_OK || e == ERR_TOO_LARGE);
    if (e != ERR_OK || doc.count == 0)
        return;
    middle = doc.passages[doc.count / 2].lang;
    world_keep(&(struct candidate){.page = (int64_t)page + 1,
                                   .url = url,
                                   .host = arena_printf(a, "host%zu.example",
                                                        page % 3),
                                   .title = type == 3 ? "" : doc.doc.title,
                                   .favicon = "",
                                   .lang = middle,
                                   .day = page == 1   ? 19000
                                          : type == 3 ? DAY_NONE
                                                      : doc.doc.day},
               doc.passages, doc.count);
}

/* The pages of in, parted by form feeds. */
static inline void world_fill(unsigned type, unsigned mood, const char *says,
                              struct str in, struct arena *a)
{
    static const enum lang langs[] = {LANG_EN, LANG_DE, LANG_FR, LANG_EN};

    memset(&world, 0, sizeof world);
    world.arena = a;
    world.mood = mood;
    world.lang = langs[mood >> 3 & 3];
    world.provider = mood & 32;
    world.says = says;
    while (in.n > 0 && world.pages < WORLD_PAGES_MAX) {
        struct str page = fuzz_take_until(&in, '\f');

        if (page.n > 0)
            world_add_page(type, page, a);
    }
}

#endif
