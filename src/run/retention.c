/* The helper's upkeep; see retention.h. The time of the file
 * DATA/retention.stamp says when it was last done, by all helpers together. */
#include "run/retention.h"

#include "base/clock.h"
#include "base/log.h"
#include "index/retain.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EVERY_MS = 3600 * 1000, SOON_MS = 1000 };

static const int64_t day_ms = INT64_C(24) * 3600 * 1000;

/* Has nobody done it for an hour? Then it is ours. */
static bool take_turn(const struct conf *c)
{
    char path[CONF_PATH_MAX];
    struct stat st;
    bool ours;
    int fd;

    if (conf_data_file(c, "retention.stamp", path) == NULL)
        return false;
    ours = stat(path, &st) != 0 ||
           clock_now_ms() - st.st_mtim.tv_sec * INT64_C(1000) >= EVERY_MS;
    if (!ours)
        return false;
    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    ours = futimens(fd, NULL) == 0;
    close(fd);
    return ours;
}

/* *more: there may be more of them. */
static enum err remove_old(const struct conf *c, struct store *store,
                           bool *more, struct errctx *ec)
{
    int64_t now = clock_now_ms(), tasks = 0, pages = 0;
    enum err e = ERR_OK;

    if (c->keep_tasks_days > 0)
        e = retain_tasks(store->state, now - c->keep_tasks_days * day_ms,
                         &tasks, ec);
    if (e == ERR_OK && c->keep_pages_days > 0)
        e = retain_pages(store->index, now - c->keep_pages_days * day_ms,
                         &pages, ec);
    if (tasks > 0 || pages > 0)
        log_info(NULL, "removed as too old: %lld tasks, %lld pages",
                 (long long)tasks, (long long)pages);
    *more = tasks == RETAIN_AT_ONCE || pages == RETAIN_AT_ONCE;
    return e;
}

void retention_run(struct retention *r)
{
    struct errctx ec = {ERR_OK, ""};
    struct store store = {NULL, NULL};
    bool more = false;
    int64_t now = clock_mono_ms();
    enum err e;

    if (r->conf->keep_tasks_days == 0 && r->conf->keep_pages_days == 0)
        return;
    if (now < r->next_ms)
        return;
    r->next_ms = now + EVERY_MS;
    if (!r->going && !take_turn(r->conf))
        return;
    e = store_open(r->files, &store, &ec);
    if (e == ERR_OK)
        e = remove_old(r->conf, &store, &more, &ec);
    if (e != ERR_OK)
        log_error(NULL, "cannot remove what is old: %s", ec.msg);
    store_close(&store);
    r->going = e == ERR_OK && more;
    if (r->going)
        r->next_ms = now + SOON_MS;
}
