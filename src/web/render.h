/*
 * Answers as JSON. Failures stick in the buffer that is written to.
 */
#ifndef CITED_WEB_RENDER_H
#define CITED_WEB_RENDER_H

#include "find/provider.h"
#include "index/page.h"
#include "research/progress.h"
#include "search/check.h"
#include "store/account.h"
#include "store/callback.h"
#include "text/html.h"
#include "web/input.h"

/* One JSON object onto out, in the shape p->output asks for. */
void render_search(const struct search_params *p, const struct search_result *r,
                   struct buf *out);

/* One sentence that was checked: {"sentence","kind","url","quote","start",
 * "end","why"}. */
void render_checked(struct json_out *w, const struct check_item *item,
                    const struct check_result *r);

/* --- tasks ---------------------------------------------------------------- */

/* One record onto out. */
void render_task(const struct task *t, struct buf *out);

/* How many are unfinished, and may be. */
struct task_quota {
    int64_t open, most;
};

/* A page of them with its metadata; of tasks of all types with a quota, else
 * NULL. */
void render_task_list(const struct task_page *page, const struct list_params *p,
                      const struct task_quota *quota, struct buf *out);

/* The records as a bare array. */
void render_task_array(const struct task *tasks, size_t count, struct buf *out);

struct steps_view {
    const struct task *task;
    const struct progress *progress;
    const struct task_step *steps;
    size_t count;
    const struct callback *callback; /* or NULL */
};

/* Onto out. The plan's sub-questions are named in the
 * steps that served them. Steps of a kind this program does not know show
 * only number, type and time. */
void render_steps(const struct steps_view *v, struct buf *out);

/* The same steps as server-sent events, those numbered from `from` on: event
 * "step", its number as id, the step as data; then "progress", the same object
 * without steps and callback. When the task has ended, "end" with its id and
 * status. A client that goes away comes back after "retry". */
void render_events(const struct steps_view *v, int64_t from, struct buf *out);

/* --- parts of answers ----------------------------------------------------- */

/* "providers": [{"name","state","reason"?,"until"?}]: every provider, why it
 * is not asked now, and until when. */
void render_providers(struct json_out *w, struct provider_set *set);

/* "model": {"name","state","reason"?,"until"?}, or null without one. */
void render_model(struct json_out *w, struct model *model);

/* An API key, without the key. */
void render_key(struct json_out *w, const struct api_key *k);

/* "hosts": [{"host","pages","passages"}] */
void render_hosts(struct json_out *w, const struct index_stats *s);

/* "images": [{"alt","url"}] */
void render_images(struct json_out *w, const struct page_doc *doc);

#endif
