/*
 * Keep a research helper at work: the responder's side (start one when tasks
 * wait and fewer than research.workers are alive) and the slot files by which
 * helpers are counted. Also starts the helper of a crawl, which takes no
 * slot.
 */
#ifndef CITED_PROG_KICK_H
#define CITED_PROG_KICK_H

#include "web/app.h"

struct kick;

/*
 * Ready app->kick, app->crawl and app->prog. conf_path is what the program was
 * given, or NULL. Does nothing when research.workers is 0. The helper is
 * research.worker, else cited-worker in the program's own folder.
 *
 * background: app->kick only leaves a mark, at the cost of one atomic
 * exchange; a thread of its own with its own connection then runs kick_run,
 * at most once each 200 ms, and less often while what it starts never comes
 * to life. No mark is lost. Otherwise app->kick is kick_run itself (for CGI).
 */
MUST_CHECK enum err kick_new(struct app *app, const char *conf_path,
                             bool background, struct errctx *ec);
/* Ends the thread. */
void kick_free(struct app *app);

/* Look for waiting tasks, and start a helper if fewer than research.workers
 * are alive. A failed start is a warning. */
void kick_run(struct app *app, struct db *state);

/*
 * A helper's slot: a write lock on DATA/worker-<i>.lock, i below workers,
 * held until the process ends or the descriptor is closed. ERR_BUSY: all
 * slots are taken and this helper is surplus. ERR_IO.
 *
 * A helper that leaves closes its slot first and then looks for work once
 * more: a task created while the slot was still taken started nobody.
 */
MUST_CHECK enum err slot_take(const char *data_dir, int64_t workers, int *fd,
                              struct errctx *ec);
/* How many of the slots are taken. Takes none. (app->helpers is this.) */
int64_t slot_count(const char *data_dir, int64_t workers);

#endif
