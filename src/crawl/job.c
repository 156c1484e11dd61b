/* Jobs and lists of them; see state.h. */
#include "crawl/state.h"

#include <stdlib.h>
#include <string.h>

struct job *job_new(enum job_kind kind, const char *url)
{
    size_t n = strlen(url);
    struct job *j = calloc(1, sizeof *j + n + 1);

    if (j == NULL)
        return NULL;
    j->kind = kind;
    memcpy(j->url, url, n + 1);
    arena_init(&j->arena, DOCUMENT_ARENA_MAX);
    return j;
}

void job_free(struct job *j)
{
    if (j == NULL)
        return;
    if (j->res.url != NULL)
        http_response_fini(&j->res);
    arena_fini(&j->arena);
    free(j);
}

void jobs_init(struct jobs *l)
{
    l->first = NULL;
    l->last = &l->first;
    l->count = 0;
}

void jobs_add(struct jobs *l, struct job *j)
{
    j->next = NULL;
    *l->last = j;
    l->last = &j->next;
    l->count++;
}

struct job *jobs_take(struct jobs *l)
{
    struct job *j = l->first;

    if (j == NULL)
        return NULL;
    l->first = j->next;
    if (l->first == NULL)
        l->last = &l->first;
    l->count--;
    j->next = NULL;
    return j;
}

void jobs_free(struct jobs *l)
{
    struct job *j;

    while ((j = jobs_take(l)) != NULL)
        job_free(j);
}

void jobs_remove(struct jobs *l, struct job *j)
{
    struct job **p = &l->first;

    while (*p != NULL && *p != j)
        p = &(*p)->next;
    if (*p == NULL)
        return;
    *p = j->next;
    if (l->last == &j->next)
        l->last = p;
    l->count--;
    j->next = NULL;
}
