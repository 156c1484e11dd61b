/* Parsing threads; see state.h. */
#include "crawl/state.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS_MAX = 16 };

struct parser {
    pthread_t thread[THREADS_MAX];
    int threads;
    struct http *http;
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct jobs todo, done; /* under the lock */
    bool stop;              /* under the lock */
    size_t busy;            /* the owner's */
};

static void run_job(struct job *j)
{
    if (j->kind == JOB_SITEMAP)
        j->err = sitemap_parse(buf_str(&j->res.body), j->res.body.len,
                               &j->arena, &j->map);
    else
        j->err = document_parse(&j->input, &j->arena, &j->doc, &j->ec);
    buf_fini(&j->res.body);
}

static void *run(void *arg)
{
    struct parser *p = arg;

    pthread_mutex_lock(&p->lock);
    while (!p->stop) {
        struct job *j = jobs_take(&p->todo);
        bool first;

        if (j == NULL) {
            pthread_cond_wait(&p->work, &p->lock);
            continue;
        }
        pthread_mutex_unlock(&p->lock);
        run_job(j);
        pthread_mutex_lock(&p->lock);
        first = p->done.count == 0;
        jobs_add(&p->done, j);
        if (first)
            http_wake(p->http);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

enum err parser_new(int threads, struct http *http, struct parser **out)
{
    struct parser *p = calloc(1, sizeof *p);

    if (p == NULL)
        return ERR_NOMEM;
    p->http = http;
    jobs_init(&p->todo);
    jobs_init(&p->done);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    if (threads > THREADS_MAX)
        threads = THREADS_MAX;
    while (p->threads < threads &&
           pthread_create(&p->thread[p->threads], NULL, run, p) == 0)
        p->threads++;
    if (p->threads == 0) {
        parser_free(p);
        return ERR_NOMEM;
    }
    *out = p;
    return ERR_OK;
}

void parser_free(struct parser *p)
{
    if (p == NULL)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->threads; i++)
        pthread_join(p->thread[i], NULL);
    jobs_free(&p->todo);
    jobs_free(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void parser_add(struct parser *p, struct job *j)
{
    p->busy++;
    pthread_mutex_lock(&p->lock);
    jobs_add(&p->todo, j);
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
}

struct job *parser_take(struct parser *p)
{
    struct job *j;

    pthread_mutex_lock(&p->lock);
    j = jobs_take(&p->done);
    pthread_mutex_unlock(&p->lock);
    if (j != NULL)
        p->busy--;
    return j;
}

size_t parser_busy(const struct parser *p)
{
    return p->busy;
}
