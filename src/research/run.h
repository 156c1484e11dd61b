/*
 * What one run over a task holds, shared by the files of this room: where it
 * stands (plan, queue of queries, evidence), all of it rebuilt from the
 * stored steps when a run continues what another began. Nothing that decides
 * how the report reads may live here without being stored.
 */
#ifndef CITED_RESEARCH_RUN_H
#define CITED_RESEARCH_RUN_H

#include "research/about.h"
#include "research/plan.h"
#include "research/research.h"

enum {
    RUN_KEEP_MAX = 128 << 20, /* bytes of what lives as long as the run */
    RUN_STEP_MAX = 128 << 20, /* bytes of one step */
    RUN_QUERIES_MAX = 128,
    RUN_BLOCKS_MAX = 48, /* of a unit */
    RUN_SCORES = 1000,   /* its standing is stored in parts of so many */
    RUN_STALE_MAX = 2    /* rounds without news before searching stops */
};

/* A query of a sub-question. Never two with the same sub and text. */
struct run_query {
    size_t sub;
    int round; /* 1, 2, … */
    const char *text;
    bool done;          /* its step is stored */
    const char *failed; /* who did not answer ("name: why; …"), or "" */
    bool again;         /* so it was stored by an earlier run */
};

/* A block of a page that may be quoted: bytes of an evidence row's text. */
struct run_block {
    size_t row, start, len;
    char kind;     /* a letter of passage_text.parts */
    size_t number; /* of an item; 0: it has none */
};

/* Blocks that belong together, one behind the other in their page. */
struct run_unit {
    size_t sub;
    double standing; /* of its page among those that its query found, to 1 */
    int leads;       /* 3: it says what a name is, 2: it begins its page, 1: a
                        section, 0: none of these */
    bool answers;    /* a search for its part would begin with it */
    struct run_block *blocks;
    size_t count;
    size_t ahead, behind; /* of the blocks, said with it and not weighed */
};

struct run {
    const struct search_env *env;
    struct db *state;
    const struct task_lease *lease;
    const struct research_params *params;
    const atomic_bool *stop;
    struct research_budget budget;
    struct arena keep; /* the run */
    struct arena step; /* reset after each step */

    const char *request; /* the whole question without guidance, … */
    struct query query;  /* … and without what is only to be skipped */
    struct index_filter filter;
    struct domain_rules include; /* what filter.include points to */

    struct plan plan; /* count 0: not planned yet */
    struct run_query queue[RUN_QUERIES_MAX];
    size_t queue_count;
    struct evidence *evidence;
    size_t evidence_count, evidence_size;
    struct run_unit *units;
    size_t unit_count, unit_size;
    struct about about;
    int round;        /* the round being searched, from 1 */
    size_t news;      /* passages this round brought so far */
    int stale;        /* rounds in a row that brought no passage */
    bool gathered;    /* searching has ended */
    bool written;     /* the write step is stored */
    int64_t spent_ms; /* working time of the stored steps */

    int64_t asked;      /* queries for the fields of a schema */
    const char *failed; /* who did not answer one of them, or NULL */
};

/* Store a step with its evidence under the lease, prolonging it. Does not
 * touch the run. ERR_LEASE_LOST. */
MUST_CHECK enum err run_add_step(struct run *r, const char *kind,
                                 const char *data, const struct evidence *ev,
                                 size_t count, struct errctx *ec);

/* Copy a unit behind the run's. ERR_NOMEM. */
MUST_CHECK enum err run_keep_unit(struct run *r, const struct run_unit *u);

/* Copy rows behind the run's evidence. */
MUST_CHECK enum err run_keep_evidence(struct run *r, const struct evidence *ev,
                                      size_t count);

/* ERR_BUSY when the helper shall leave. */
MUST_CHECK enum err run_check_stop(const struct run *r, struct errctx *ec);

/*
 * What is there is not enough, and failed ("name: why; …") were asked too. As
 * long as the task may be tried again that is ERR_UPSTREAM; the last time we
 * make do. ERR_OK also when failed is "".
 */
MUST_CHECK enum err run_make_do(const struct run *r, const char *failed,
                                struct errctx *ec);

/* ERR_UPSTREAM with what failed says. */
MUST_CHECK enum err run_tell_failed(const char *failed, struct errctx *ec);

/* Who did not answer a query of this run, "" when all did. */
const char *run_failed(const struct run *r);

/* Is the query in the queue, done or not? */
bool run_has_query(const struct run *r, size_t sub, const char *text);

/* Add a query; false when it is there already or the queue is full. */
bool run_add_query(struct run *r, size_t sub, int round, const char *text);

/* Is the page among those the sub-question has evidence of (any with
 * sub < 0)? */
bool run_has_page(const struct run *r, int64_t sub, const char *url);

/* Distinct pages (by URL) in the evidence of one sub-question, or of all
 * with sub < 0. */
size_t run_pages(const struct run *r, int64_t sub);

/* Milliseconds a model may take: what searching left of the time, and no less
 * than what it has to leave. */
int64_t run_time_to_write(const struct run *r);

/* What of a round's budget is for one sub-question: at least 2 of any. */
size_t run_share(const struct run *r, int all);

/* Passages of one sub-question. */
size_t run_passages(const struct run *r, size_t sub);

#endif
