/* How far the index follows; see board.h. */
#include "index/board.h"

#include "base/clock.h"
#include "base/shared.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#define BOARD_FILE "following-1" /* the number is that of the layout */

/* Who follows looks at least this often; later it has ended. */
enum { SILENT_MS = 10000 };

struct shared {
    _Atomic int64_t seq, known;
    _Atomic int64_t due_ms;    /* when the first that is missing was made, by
                                  this machine's clock; 0: none is */
    _Atomic int64_t heard_ms;  /* when PostgreSQL answered last; 0: never */
    _Atomic int64_t looked_ms; /* last, well or not */
    _Atomic int64_t fault;     /* enum board_fault */
};

struct board {
    struct shared *s;
    int fd;
};

struct board *board_open(const struct conf *c)
{
    struct board *b = calloc(1, sizeof *b);
    char path[CONF_PATH_MAX];

    if (b == NULL)
        return NULL;
    b->s =
        shared_map(conf_data_file(c, BOARD_FILE, path), sizeof *b->s, &b->fd);
    if (b->s != NULL)
        return b;
    free(b);
    return NULL;
}

void board_close(struct board *b)
{
    if (b == NULL)
        return;
    munmap(b->s, sizeof *b->s);
    if (b->fd >= 0)
        close(b->fd);
    free(b);
}

bool board_take(struct board *b)
{
    return b->fd < 0 || flock(b->fd, LOCK_EX | LOCK_NB) == 0;
}

void board_set(struct board *b, int64_t seq, int64_t known, int64_t behind_ms)
{
    int64_t now = clock_now_ms();

    atomic_store(&b->s->seq, seq);
    atomic_store(&b->s->known, known);
    atomic_store(&b->s->due_ms,
                 seq == known ? 0 : now - (behind_ms > 0 ? behind_ms : 1));
    atomic_store(&b->s->fault, BOARD_FINE);
    atomic_store(&b->s->heard_ms, now);
    atomic_store(&b->s->looked_ms, now);
}

void board_set_fault(struct board *b, enum board_fault fault)
{
    atomic_store(&b->s->fault, (int64_t)fault);
    atomic_store(&b->s->looked_ms, clock_now_ms());
}

void board_look(const struct board *b, struct board_look *out)
{
    int64_t now = clock_now_ms(), looked = atomic_load(&b->s->looked_ms);
    int64_t due = atomic_load(&b->s->due_ms);

    *out = (struct board_look){.begun = atomic_load(&b->s->heard_ms) > 0};
    out->changes = atomic_load(&b->s->known) - atomic_load(&b->s->seq);
    out->fault = (enum board_fault)atomic_load(&b->s->fault);
    if (due > 0 && due < now)
        out->behind_ms = now - due;
    if (now - looked > SILENT_MS && now - looked > out->behind_ms)
        out->behind_ms = now - looked;
    if (!out->begun)
        out->behind_ms = 0;
}

void board_look_once(const struct conf *c, struct board_look *out)
{
    struct board *b = board_open(c);

    *out = (struct board_look){.begun = false};
    if (b != NULL)
        board_look(b, out);
    board_close(b);
}
