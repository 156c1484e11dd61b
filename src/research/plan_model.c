/* A model's parts; see plan_model.h. */
#include "research/plan_model.h"

#include "base/log.h"
#include "base/str.h"
#include "model/prompt.h"
#include "page/injection.h"
#include "question/overlap.h"
#include "json/json.h"

#include <string.h>

enum {
    PARTS_LEAST = 2,
    TITLE_WORDS = 12,
    PLAN_TOKENS = 800 /* of the answer */
};

/* Of the question, by weight, that the parts together must hold. */
static const double COVERED_LEAST = 0.6;

static const char schema[] =
    "{\"type\":\"object\",\"properties\":{\"parts\":{\"type\":\"array\","
    "\"items\":{\"type\":\"object\",\"properties\":{\"title\":{\"type\":"
    "\"string\"},\"question\":{\"type\":\"string\"}},\"required\":[\"title\","
    "\"question\"],\"additionalProperties\":false}}},\"required\":[\"parts\"],"
    "\"additionalProperties\":false}";

static const char rules[] =
    "You plan a report that is put together from documents. Take the user's "
    "question apart into %d to %zu parts that a reader needs for its answer, "
    "in the order in which they are read.\n"
    "- Use the language of the question.\n"
    "- title: a heading of a few words. It asserts nothing.\n"
    "- question: what is searched for the part. It names what it is about in "
    "the question's own words, and adds the terms that documents use for it.\n"
    "- Every part of the user's question has its part. Nothing is added that "
    "it does not ask for, no number that it does not name.\n"
    "%s"
    "- A draft stands between lines with the mark %s.\n";

static const char compare_rules[] =
    "- It compares things: a part is an aspect in which they are compared. "
    "Name the aspect, not the things.\n";

static const char json_rules[] =
    "Answer with JSON of the form {\"parts\":[{\"title\":\"…\","
    "\"question\":\"…\"}]}.";

static const char plain_rules[] =
    "Answer with one line for each part and nothing else: its title, a colon, "
    "and its question.";

/* --- parts that hold ------------------------------------------------------ */

struct reader {
    const struct query *q;
    const struct plan *old;
    struct plan *out;
    struct arena *a;
    size_t max;
    uint64_t held; /* terms of the question that the parts hold */
};

/* Text that may be printed and searched: one line, no address, no number that
 * the question does not have, nothing that speaks to machines. */
static bool is_plain(const struct reader *r, const char *z, size_t max)
{
    struct term_iter it;
    struct term t;
    size_t n = strlen(z);

    if (n == 0 || n > max || strpbrk(z, "\n\r\t") != NULL ||
        strstr(z, "://") != NULL || injection_is(z, n))
        return false;
    terms_init(&it, z, n);
    while (tokens_next(&it, &t))
        if (ascii_is_digit(t.text[0]) &&
            mem_find_i(r->q->text, strlen(r->q->text), t.text) == NULL)
            return false;
    return true;
}

static bool has_title(const struct plan *p, const char *title)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->subs[i].title, title) == 0)
            return true;
    return false;
}

static void sub_add(struct reader *r, const char *title, const char *question,
                    size_t side)
{
    struct plan *p = r->out;
    uint64_t held = overlap_mask_loose(r->q, question, strlen(question));
    bool whole = (r->q->names & ~r->old->told_aside & ~held) == 0;

    if (held == 0)
        return;
    r->held |= held;
    p->subs[p->count++] =
        (struct plan_sub){.question = question,
                          .context = whole ? "" : r->old->subs[0].question,
                          .title = title,
                          .side = side,
                          .own = question};
}

static void part_read(struct reader *r, const char *title, const char *question)
{
    size_t sides = r->old->side_count;

    if (title == NULL || question == NULL ||
        !is_plain(r, title, PLAN_TITLE_MAX) ||
        !is_plain(r, question, PLAN_TEXT_MAX - PLAN_TITLE_MAX) ||
        tokens_count(title, strlen(title)) > TITLE_WORDS ||
        strchr(".!", title[strlen(title) - 1]) != NULL ||
        has_title(r->out, title) ||
        r->out->count + (sides == 0 ? 1 : sides) > r->max)
        return;
    if (sides == 0)
        sub_add(r, title, question, PLAN_SIDES_MAX);
    for (size_t i = 0; i < sides; i++) {
        const char *own =
            arena_printf(r->a, "%s: %s", r->old->sides[i], question);

        if (own != NULL)
            sub_add(r, title, own, i);
    }
}

/* --- the reply ------------------------------------------------------------ */

static void lines_read(struct reader *r, const char *z)
{
    for (size_t n; *z != '\0'; z += n + (z[n] == '\n')) {
        const char *from, *colon;

        n = strcspn(z, "\n");
        from = z + strspn(z, " -*0123456789.)");
        colon = from > z + n ? NULL : memchr(from, ':', (size_t)(z + n - from));
        if (colon != NULL)
            part_read(r, arena_strndup(r->a, from, (size_t)(colon - from)),
                      arena_strndup(r->a, colon + 1 + strspn(colon + 1, " "),
                                    (size_t)(z + n - colon - 1) -
                                        strspn(colon + 1, " ")));
    }
}

static void reply_read(struct reader *r, const char *reply)
{
    struct json *root = NULL;

    if (json_parse(reply, strlen(reply), &json_limits_foreign, &root, NULL) !=
        ERR_OK) {
        lines_read(r, reply);
        return;
    }
    for (const struct json *v = json_first(json_get(root, "parts")); v != NULL;
         v = json_next(v)) {
        const char *title = json_string(json_get(v, "title"));
        const char *question = json_string(json_get(v, "question"));

        if (title != NULL && question != NULL)
            part_read(r, arena_strdup(r->a, title),
                      arena_strdup(r->a, question));
    }
    json_free(root);
}

/* The sides themselves stay in front, as the rules have them. */
static void sides_keep(struct reader *r)
{
    const struct plan *old = r->old;

    for (size_t i = 0; i < old->side_count && i < old->count; i++)
        if (old->subs[i].side == i &&
            (i + 1 == old->count ||
             strcmp(old->subs[i].title, old->subs[i + 1].title) != 0))
            r->out->subs[r->out->count++] = old->subs[i];
    if (r->out->count < old->side_count)
        r->out->count = 0;
}

bool plan_model_read(const char *reply, const struct query *q, size_t max,
                     struct arena *a, struct plan *io)
{
    struct plan out = *io;
    struct reader r = {.q = q, .old = io, .out = &out, .a = a};
    size_t kept;

    r.max = max > PLAN_SUBS_MAX ? PLAN_SUBS_MAX : max;
    out.count = 0;
    sides_keep(&r);
    kept = out.count;
    reply_read(&r, reply);
    if (out.count - kept < PARTS_LEAST ||
        (q->names & ~io->told_aside & ~r.held) != 0 ||
        overlap_share(q, r.held) < COVERED_LEAST || arena_failed(a))
        return false;
    if (out.mode == MODE_INVESTIGATE)
        out.mode = MODE_RESEARCH;
    *io = out;
    return true;
}

/* --- asking --------------------------------------------------------------- */

static enum err chat(struct model *m, const char *request, size_t max,
                     const struct plan *draft, struct deadline d,
                     const char *id, struct arena *a, struct model_answer *out)
{
    struct model_ask ask = {.schema = schema,
                            .json = json_rules,
                            .plain = plain_rules,
                            .plain_schema = true,
                            .tokens_max = PLAN_TOKENS};
    const char *z = "";
    struct prompt p;
    enum err e = prompt_init(&p);

    if (e != ERR_OK)
        return e;
    buf_addf(&p.system, rules, PARTS_LEAST, max,
             draft->side_count > 0 ? compare_rules : "", p.mark);
    for (size_t i = 0; i < draft->count && z != NULL; i++)
        z = arena_printf(a, "%s- %s\n", z, draft->subs[i].question);
    prompt_note(&p, "draft", str_of(z == NULL ? "" : z));
    buf_addf(&p.user, "\nQuestion: %s\n", request);
    e = prompt_send(&p, m, ask, d, id, a, out);
    prompt_fini(&p);
    return e;
}

enum err plan_by_model(struct model *m, const char *request,
                       const struct query *q, size_t max, struct deadline d,
                       const char *id, struct arena *a, struct plan *io)
{
    size_t sides = io->side_count == 0 ? 1 : io->side_count;
    struct model_answer answer = {.text = ""};
    enum err e;

    if (m == NULL || io->mode == MODE_ANSWER || max / sides < PARTS_LEAST + 1)
        return ERR_OK;
    e = chat(m, request, max / sides, io, d, id, a, &answer);
    if (e == ERR_OK && !plan_model_read(answer.text, q, max, a, io))
        log_debug(id, "the model's plan does not hold");
    return e == ERR_NOMEM || arena_failed(a) ? ERR_NOMEM : ERR_OK;
}
