/*
 * Limits in a shared mapping; see limit.h. Called by web/route.c and, for the
 * calls of a batch, web/h_mcp.c.
 *
 * Rate. A bucket is one word: the time at which it will be full again (the
 * "theoretical arrival time" of the generic cell rate algorithm, ITU-T I.371,
 * annex A), which a request moves on by its share of a second, and may not
 * move beyond a second from now. A bucket whose time is past is as good as
 * none, so its place can be anybody's. The table is set-associative.
 *
 * In flight. A request is one word: the account, and the process that answers
 * it. An account's words stand in one row, so that counting them is one look
 * along it. A process goes by the number of the byte of the file on which it
 * holds a lock (of the open file description: it ends with the process).
 */
#include "web/limit.h"

#include "base/conf.h"
#include "base/id.h"
#include "base/shared.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SETS = 1024, WAYS = 4, ROWS = 32, PLACES = 512 };
enum { PROCESS_BITS = 8, PROCESSES = (1 << PROCESS_BITS) - 1, TRIES = 16 };

/* A bucket may be a share ahead of now, with one request a second among so many
 * nodes, and a little. */
enum { AHEAD_S = 65, NODES_MAX = 64 };

static const int64_t second_ns = 1000000000;

struct bucket {
    _Atomic uint64_t key; /* 0 = free */
    _Atomic int64_t full_ns;
};

/* The first free place is taken, so that used stays small. */
struct row {
    _Atomic int used;               /* no place from here on was ever taken */
    _Atomic uint64_t place[PLACES]; /* account << PROCESS_BITS | process,
                                       0 = free */
};

struct shared_limits {
    struct bucket bucket[SETS][WAYS];
    struct row row[ROWS];
};

struct limits {
    struct shared_limits *s;
    int64_t share_ns; /* of a second that a request takes; 0: no limit */
    int64_t most;     /* in flight; 0: no limit */
    const _Atomic int *nodes; /* that have a share each; NULL: one */
    int fd;           /* of the file, -1: not shared */
    unsigned process; /* from 1 on */
    /* Only one thread takes another process's lock: the locks are this
     * process's, all threads would hold it. */
    pthread_mutex_t reclaiming;
};

/* --- processes --------------------------------------------------------- */

static bool lock_byte(int fd, unsigned process, short type)
{
    struct flock fl;

    memset(&fl, 0, sizeof fl);
    fl.l_type = type;
    fl.l_whence = SEEK_SET;
    fl.l_start = process;
    fl.l_len = 1;
    return fcntl(fd, F_OFD_SETLK, &fl) == 0;
}

/* The file is ours, but a file. */
static int used(struct row *row)
{
    int n = atomic_load(&row->used);

    return n < 0 || n > PLACES ? PLACES : n;
}

/* Forget what a process that is gone had in flight; its lock is ours. */
static void clear_row(struct row *row, unsigned process)
{
    int n = used(row);

    for (int i = 0; i < n; i++) {
        uint64_t was = atomic_load(&row->place[i]);

        if (was != 0 && (was & PROCESSES) == process)
            atomic_compare_exchange_strong(&row->place[i], &was, 0);
    }
}

static bool become_process(struct limits *l)
{
    for (unsigned p = 1; p <= PROCESSES; p++) {
        if (!lock_byte(l->fd, p, F_WRLCK))
            continue;
        l->process = p;
        for (int i = 0; i < ROWS; i++)
            clear_row(&l->s->row[i], p);
        return true;
    }
    return false;
}

/* --- opening ----------------------------------------------------------- */

static bool map(struct limits *l, const char *path)
{
    l->process = 1;
    l->s = shared_map(path, sizeof *l->s, &l->fd);
    if (l->s == NULL || l->fd < 0 || become_process(l))
        return l->s != NULL;
    munmap(l->s, sizeof *l->s);
    close(l->fd);
    l->s = shared_map(NULL, sizeof *l->s, &l->fd);
    return l->s != NULL;
}

enum err limits_new(const char *path, int64_t per_second, int64_t in_flight,
                    struct limits **out)
{
    struct limits *l;

    *out = NULL;
    if (per_second <= 0 && in_flight <= 0)
        return ERR_OK;
    l = calloc(1, sizeof *l);
    if (l == NULL)
        return ERR_NOMEM;
    l->share_ns = per_second <= 0 ? 0 : second_ns / per_second;
    l->most = in_flight;
    if (!map(l, path)) {
        free(l);
        return ERR_NOMEM;
    }
    pthread_mutex_init(&l->reclaiming, NULL);
    *out = l;
    return ERR_OK;
}

enum err limits_open(const struct conf *c, struct limits **out)
{
    char path[CONF_PATH_MAX];

    return limits_new(conf_data_file(c, LIMIT_FILE, path), c->rate_per_second,
                      c->in_flight, out);
}

void limits_free(struct limits *l)
{
    if (l == NULL)
        return;
    munmap(l->s, sizeof *l->s);
    if (l->fd >= 0)
        close(l->fd);
    pthread_mutex_destroy(&l->reclaiming);
    free(l);
}

void limits_share(struct limits *l, const _Atomic int *nodes)
{
    if (l != NULL)
        l->nodes = nodes;
}

static int64_t nodes(const struct limits *l)
{
    int n = l->nodes == NULL ? 1 : atomic_load(l->nodes);

    return n < 1 ? 1 : n > NODES_MAX ? NODES_MAX : n;
}

/* In flight, here. */
static int64_t most_here(const struct limits *l)
{
    return (l->most + nodes(l) - 1) / nodes(l);
}

/* --- rate -------------------------------------------------------------- */

/* Unguessable order of keys: nobody can aim at another key's set. */
static uint64_t key_hash(const char *key)
{
    unsigned char digest[SHA256_BYTES];
    uint64_t h;

    id_sha256(key, strlen(key), digest);
    memcpy(&h, digest, sizeof h);
    return h == 0 ? 1 : h;
}

/* When the bucket is full again. Further ahead than it can be (and a little,
 * for threads that looked at the clock at different times) was written before
 * the machine was started anew: the monotonic clock began again at 0. */
static int64_t full_at(struct bucket *b, int64_t now_ns, int64_t *was)
{
    *was = atomic_load(&b->full_ns);
    return *was > now_ns && *was <= now_ns + AHEAD_S * second_ns ? *was
                                                                 : now_ns;
}

/* The key's bucket; else the one that is full first becomes it, or, full
 * already, is it. */
static struct bucket *find_bucket(struct limits *l, uint64_t h, int64_t now_ns)
{
    struct bucket *set = l->s->bucket[h % SETS];

    for (;;) {
        struct bucket *first = NULL;
        int64_t first_ns = 0, was;
        uint64_t old = 0;

        for (int i = 0; i < WAYS; i++) {
            uint64_t key = atomic_load(&set[i].key);
            int64_t at = full_at(&set[i], now_ns, &was);

            if (key == h)
                return &set[i];
            if (first == NULL || at < first_ns) {
                first = &set[i];
                first_ns = at;
                old = key;
            }
        }
        if (!atomic_compare_exchange_strong(&first->key, &old, h))
            continue;
        if (first_ns > now_ns)
            atomic_store(&first->full_ns, 0);
        return first;
    }
}

int64_t limit_rate(struct limits *l, const char *key, int64_t now_ms)
{
    int64_t now_ns = now_ms * 1000000, was, next, over, share, ahead;
    struct bucket *b;

    if (l == NULL || l->share_ns == 0)
        return 0;
    share = l->share_ns * nodes(l);
    ahead = share > second_ns ? share : second_ns;
    b = find_bucket(l, key_hash(key), now_ns);
    do {
        next = full_at(b, now_ns, &was) + share;
        over = next - now_ns - ahead;
        if (over > 0)
            return (over + 999999) / 1000000;
    } while (!atomic_compare_exchange_weak(&b->full_ns, &was, next));
    return 0;
}

/* --- in flight --------------------------------------------------------- */

/* How many are the account's; *vacant is the first free place, -1 without. */
static int count(struct row *row, uint64_t account, int *vacant)
{
    int n = 0, end = used(row);

    *vacant = -1;
    for (int i = 0; i < end; i++) {
        uint64_t word =
            atomic_load_explicit(&row->place[i], memory_order_relaxed);

        n += word >> PROCESS_BITS == account;
        if (word == 0 && *vacant < 0)
            *vacant = i;
    }
    if (*vacant < 0 && end < PLACES)
        *vacant = end;
    return n;
}

/* Is the process of any word in the row gone? Its words are free then. */
static void reclaim(struct limits *l, struct row *row)
{
    bool asked[PROCESSES + 1] = {[0] = true};

    if (l->fd < 0)
        return;
    asked[l->process] = true;
    pthread_mutex_lock(&l->reclaiming);
    for (int i = used(row); i-- > 0;) {
        unsigned p = atomic_load(&row->place[i]) & PROCESSES;

        if (asked[p])
            continue;
        asked[p] = true;
        if (lock_byte(l->fd, p, F_WRLCK)) {
            clear_row(row, p);
            (void)lock_byte(l->fd, p, F_UNLCK);
        }
    }
    pthread_mutex_unlock(&l->reclaiming);
}

/* Before a place is taken, so that whoever counts then looks at it. */
static void extend(struct row *row, int n)
{
    int was = atomic_load(&row->used);

    while (was < n && !atomic_compare_exchange_weak(&row->used, &was, n))
        continue;
}

/* Place first, then count: of two that come at once at least one sees the
 * other. Both may, and leave again; then they try once more. */
static int enter(struct limits *l, struct row *row, uint64_t account)
{
    uint64_t word = account << PROCESS_BITS | l->process;
    int64_t most = most_here(l);
    int at, other;

    for (int i = 0; i < TRIES && count(row, account, &at) < most; i++) {
        uint64_t none = 0;

        if (at < 0)
            break;
        extend(row, at + 1);
        if (!atomic_compare_exchange_strong(&row->place[at], &none, word))
            continue;
        atomic_thread_fence(memory_order_seq_cst);
        if (count(row, account, &other) <= most)
            return at;
        atomic_store(&row->place[at], 0);
    }
    return -1;
}

bool limit_enter(struct limits *l, int64_t account, int *out)
{
    int r = (int)((uint64_t)account % ROWS), at;
    struct row *row;

    *out = -1;
    if (l == NULL || l->most == 0)
        return true;
    row = &l->s->row[r];
    at = enter(l, row, (uint64_t)account);
    if (at < 0) {
        reclaim(l, row);
        at = enter(l, row, (uint64_t)account);
    }
    if (at >= 0)
        *out = r * PLACES + at;
    return at >= 0;
}

void limit_leave(struct limits *l, int at)
{
    if (l != NULL && at >= 0)
        atomic_store(&l->s->row[at / PLACES].place[at % PLACES], 0);
}
