/*
 * Keep a research helper at work: the responder's side. Starts one when tasks
 * wait and fewer than research.workers give a sign of life (slot.h); also the
 * helpers of crawls that nobody is at, which take no slots (crawler.h).
 */
#ifndef CITED_RUN_KICK_H
#define CITED_RUN_KICK_H

#include "web/app.h"

struct kick;

/*
 * Ready app->helpers and, unless research.workers is 0, app->kick and app->prog;
 * where the state is in PostgreSQL in any case, since they then tell helpers of
 * other machines of new tasks. The helper is spawn_helper's.
 *
 * background: app->kick only leaves a mark, at the cost of one atomic
 * exchange; a thread of its own with its own connection then does what kick_run
 * does: it tells at most once each 20 ms, and looks at most once each 200 ms,
 * less often while what it starts never comes to life. No mark is lost; while tasks are open it also looks unasked, each
 * half lease. Otherwise app->kick is kick_run itself (for CGI).
 */
MUST_CHECK enum err kick_new(struct app *app, bool background,
                             struct errctx *ec);
/* Ends the thread. */
void kick_free(struct app *app);

/* Tell of new tasks; look for waiting ones, and start a helper if fewer than
 * research.workers are alive. What fails is a warning. */
void kick_run(struct app *app, struct db *state);

#endif
