/* Progress from stored steps; see progress.h. */
#include "research/progress.h"

#include <string.h>

static const struct json_limits limits = {.bytes_max = 64u << 20,
                                          .depth_max = 512};

/* Addresses of pages met, each once. */
struct seen {
    const char *url[512]; /* more than any budget allows */
    size_t count;
};

static enum err see(struct seen *s, const char *url, struct arena *a)
{
    if (url == NULL || s->count == sizeof s->url / sizeof *s->url)
        return ERR_OK;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->url[i], url) == 0)
            return ERR_OK;
    s->url[s->count] = arena_strdup(a, url);
    return s->url[s->count++] == NULL ? ERR_NOMEM : ERR_OK;
}

static int64_t whole(const struct json *v, const char *name)
{
    int64_t n = 0;

    return json_is_whole(json_get(v, name), &n) ? n : 0;
}

static enum err add_search(struct progress *p, struct seen *s,
                           const struct json *v, struct arena *a)
{
    const struct json *page = json_first(json_get(v, "pages"));
    int64_t round = whole(v, "round");
    enum err e = ERR_OK;

    p->queries++;
    p->passages += (int)whole(v, "kept");
    if (round > p->rounds)
        p->rounds = (int)round;
    for (; page != NULL && e == ERR_OK; page = json_next(page))
        e = see(s, json_string(page), a);
    return e;
}

static enum err add_step(struct progress *p, struct seen *s,
                         const struct task_step *step, struct arena *a,
                         struct errctx *ec)
{
    struct json *v = NULL;
    enum err e = json_parse(step->data, strlen(step->data), &limits, &v, ec);

    if (e != ERR_OK)
        return e;
    p->ms += whole(v, "ms");
    if (strcmp(step->kind, "plan") == 0)
        p->sub_questions = (int)json_count(json_get(v, "questions"));
    else if (strcmp(step->kind, "search") == 0)
        e = add_search(p, s, v, a);
    else if (strcmp(step->kind, "gap") == 0)
        p->gathered = json_string(json_get(v, "end")) != NULL;
    else if (strcmp(step->kind, "write") == 0)
        p->written = true;
    json_free(v);
    return e;
}

static enum err read_budget(const char *input, struct research_budget *out,
                            struct errctx *ec)
{
    static const char *const names[] = {"S", "M", "L", "XL"};
    struct json *v = NULL;
    enum reasoning_depth d = REASONING_L;
    const char *z;
    enum err e = json_parse(input, strlen(input), &limits, &v, ec);

    if (e != ERR_OK)
        return e;
    z = json_string(json_get(v, "reasoningDepth"));
    for (int i = 0; z != NULL && i < 4; i++)
        if (strcmp(names[i], z) == 0)
            d = (enum reasoning_depth)i;
    json_free(v);
    *out = research_budget_of(d);
    return ERR_OK;
}

enum err progress_read(const char *input, const struct task_step *steps,
                       size_t count, struct arena *a, struct progress *out,
                       struct errctx *ec)
{
    struct seen *s = arena_alloc(a, sizeof *s);
    struct progress p = {0};
    enum err e;

    if (s == NULL)
        return err_set(ec, ERR_NOMEM, "out of memory");
    s->count = 0;
    e = read_budget(input, &p.budget, ec);
    for (size_t i = 0; i < count && e == ERR_OK; i++)
        e = add_step(&p, s, &steps[i], a, ec);
    p.pages = (int)s->count;
    if (e == ERR_OK)
        *out = p;
    return e;
}
