/* Counters in a shared mapping; see meter.h. A file of zeros is an empty
 * one, so nothing has to be prepared; the number in the file's name changes
 * with its layout. Called by web/ (requests), search/ and net/ (outcomes). */
#include "base/meter.h"

#include "base/conf.h"
#include "base/shared.h"
#include "base/str.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SLOT_FREE, SLOT_BEING_NAMED, SLOT_READY };
enum {
    PROBES_MAX = 64,
    MINUTE_SLOTS = 64, /* a power of two beyond METER_MINUTES */
    BUCKETS = 128,     /* of latencies, see bucket_of */
    ERROR_SLOTS = 64
};

struct slot {
    _Atomic uint32_t state;
    char name[METER_NAME_MAX];
    _Atomic uint64_t value;
};

struct minute {
    _Atomic int64_t minute; /* since 1970, which the counts are of */
    _Atomic uint32_t count[BUCKETS];
};

struct error_slot {
    _Atomic uint32_t version; /* odd while it is written */
    struct meter_error e;
};

struct figures {
    struct slot slot[METER_NAMES_MAX];
    struct minute minute[MINUTE_SLOTS];
    _Atomic uint32_t next_error;
    struct error_slot error[ERROR_SLOTS];
};

struct meter {
    struct figures *f;
    bool shared;
};

enum err meter_new(const char *path, struct meter **out)
{
    struct meter *m = calloc(1, sizeof *m);
    int fd = -1;

    if (m == NULL)
        return ERR_NOMEM;
    m->f = shared_map(path, sizeof *m->f, &fd);
    if (m->f == NULL) {
        free(m);
        return ERR_NOMEM;
    }
    m->shared = fd >= 0;
    if (fd >= 0)
        close(fd);
    *out = m;
    return ERR_OK;
}

enum err meter_open(const struct conf *c, struct meter **out)
{
    char path[CONF_PATH_MAX];

    return meter_new(conf_data_file(c, METER_FILE, path), out);
}

void meter_free(struct meter *m)
{
    if (m == NULL)
        return;
    munmap(m->f, sizeof *m->f);
    free(m);
}

bool meter_is_shared(const struct meter *m)
{
    return m != NULL && m->shared;
}

/* --- counters ---------------------------------------------------------- */

/* Is the slot this name's, perhaps from now on? */
static bool take_slot(struct slot *s, const char *name, size_t n)
{
    uint32_t state = SLOT_FREE;

    if (atomic_compare_exchange_strong(&s->state, &state, SLOT_BEING_NAMED)) {
        memcpy(s->name, name, n + 1);
        atomic_store_explicit(&s->state, SLOT_READY, memory_order_release);
        return true;
    }
    return state == SLOT_READY && strncmp(s->name, name, n + 1) == 0;
}

void meter_add(struct meter *m, const char *name, uint64_t n)
{
    size_t len = strlen(name);
    uint32_t at;

    if (m == NULL || len >= METER_NAME_MAX)
        return;
    at = hash_bytes(name, strlen(name));
    for (int i = 0; i < PROBES_MAX; i++, at++) {
        struct slot *s = &m->f->slot[at % METER_NAMES_MAX];

        if (!take_slot(s, name, len))
            continue;
        atomic_fetch_add_explicit(&s->value, n, memory_order_relaxed);
        return;
    }
}

static int by_name(const void *a, const void *b)
{
    const struct meter_count *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* Two processes may have named a slot each at once: they count as one. */
static size_t merge_equal(struct meter_count *all, size_t n)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (k > 0 && strcmp(all[k - 1].name, all[i].name) == 0)
            all[k - 1].value += all[i].value;
        else
            all[k++] = all[i];
    return k;
}

size_t meter_counts(struct meter *m, struct meter_count *out, size_t max)
{
    size_t n = 0;

    for (size_t i = 0; m != NULL && i < METER_NAMES_MAX && n < max; i++) {
        struct slot *s = &m->f->slot[i];

        if (atomic_load_explicit(&s->state, memory_order_acquire) != SLOT_READY)
            continue;
        /* The file is ours, but a file: a name must end. */
        memcpy(out[n].name, s->name, METER_NAME_MAX);
        out[n].name[METER_NAME_MAX - 1] = '\0';
        out[n++].value = atomic_load_explicit(&s->value, memory_order_relaxed);
    }
    if (n > 0)
        qsort(out, n, sizeof *out, by_name);
    return merge_equal(out, n);
}

/* --- minutes ----------------------------------------------------------- */

/* Milliseconds by eighths of a doubling: 0-7 one by one, then eight buckets
 * each for 8-15, 16-31 and so on; the last holds all from 245 s on. */
static unsigned bucket_of(int64_t ms)
{
    unsigned shift = 0, b;

    if (ms < 8)
        return ms < 0 ? 0 : (unsigned)ms;
    if (ms > 1 << 20)
        return BUCKETS - 1;
    while (ms >> shift > 15)
        shift++;
    b = 8 * (shift + 1) + (unsigned)(ms >> shift) - 8;
    return b < BUCKETS ? b : BUCKETS - 1;
}

/* The least milliseconds of a bucket. */
static int64_t bucket_ms(unsigned b)
{
    return b < 8 ? b : (int64_t)(8 + b % 8) << (b / 8 - 1);
}

/* The minute's slot, emptied when it holds an older one. A count that comes
 * while another process empties it may be lost. */
static struct minute *minute_slot(struct meter *m, int64_t minute)
{
    struct minute *x = &m->f->minute[(uint64_t)minute % MINUTE_SLOTS];
    int64_t was = atomic_load(&x->minute);

    if (was < minute &&
        atomic_compare_exchange_strong(&x->minute, &was, minute))
        for (int i = 0; i < BUCKETS; i++)
            atomic_store_explicit(&x->count[i], 0, memory_order_relaxed);
    return x;
}

void meter_request(struct meter *m, int64_t now_ms, int64_t took_ms)
{
    if (m == NULL)
        return;
    atomic_fetch_add_explicit(
        &minute_slot(m, now_ms / 60000)->count[bucket_of(took_ms)], 1,
        memory_order_relaxed);
}

/* The milliseconds below which share of total requests were, -1 of none. */
static int64_t quantile(const uint64_t count[BUCKETS], uint64_t total,
                        double share)
{
    uint64_t seen = 0, want = (uint64_t)((double)total * share);

    for (unsigned b = 0; b < BUCKETS; b++) {
        seen += count[b];
        if (seen > want)
            return bucket_ms(b);
    }
    return -1;
}

void meter_hour(struct meter *m, int64_t now_ms, struct meter_hour *out)
{
    uint64_t all[BUCKETS] = {0}, total = 0;
    int64_t first = now_ms / 60000 - METER_MINUTES + 1;

    memset(out, 0, sizeof *out);
    for (int64_t i = 0; m != NULL && i < METER_MINUTES; i++) {
        struct minute *x = &m->f->minute[(uint64_t)(first + i) % MINUTE_SLOTS];

        if (atomic_load(&x->minute) != first + i)
            continue;
        for (int b = 0; b < BUCKETS; b++) {
            uint32_t n =
                atomic_load_explicit(&x->count[b], memory_order_relaxed);

            out->per_minute[i] += n;
            all[b] += n;
            total += n;
        }
    }
    out->p50_ms = quantile(all, total, 0.50);
    out->p95_ms = quantile(all, total, 0.95);
}

/* --- errors ------------------------------------------------------------ */

/* Whole characters of z that fit. */
static void copy_text(char *out, size_t size, const char *z)
{
    size_t n = utf8_cut(z, strlen(z), size - 1);

    memcpy(out, z, n);
    out[n] = '\0';
}

void meter_error(struct meter *m, int64_t now_ms, const char *id,
                 const char *message)
{
    struct error_slot *s;
    uint32_t v;

    if (m == NULL)
        return;
    s = &m->f->error[atomic_fetch_add(&m->f->next_error, 1) % ERROR_SLOTS];
    v = atomic_load(&s->version);
    /* Somebody is at it, or was killed there: take it over. */
    atomic_store(&s->version, v | 1);
    s->e.at_ms = now_ms;
    copy_text(s->e.id, sizeof s->e.id, id == NULL ? "" : id);
    copy_text(s->e.message, sizeof s->e.message, message);
    atomic_store(&s->version, (v | 1) + 1);
}

static bool read_error(struct error_slot *s, struct meter_error *out)
{
    uint32_t v = atomic_load(&s->version);

    if (v == 0 || (v & 1) != 0)
        return false;
    *out = s->e;
    out->id[sizeof out->id - 1] = '\0';
    out->message[sizeof out->message - 1] = '\0';
    return atomic_load(&s->version) == v;
}

size_t meter_errors(struct meter *m, struct meter_error out[METER_ERRORS])
{
    size_t n = 0;
    uint32_t next;

    if (m == NULL)
        return 0;
    next = atomic_load(&m->f->next_error);
    for (uint32_t i = 1; i <= ERROR_SLOTS && n < METER_ERRORS; i++)
        if (read_error(&m->f->error[(next - i) % ERROR_SLOTS], &out[n]))
            n++;
    return n;
}
