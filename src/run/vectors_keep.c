/* Vectors kept up with the index; see vectors_keep.h. */
#include "run/vectors_keep.h"

#include "base/clock.h"
#include "base/log.h"
#include "find/vectors_make.h"
#include "meaning/encoder.h"
#include "meaning/vectors.h"
#include "run/spawn.h"

#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>

/* Those that this process may run on. */
static size_t processors(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set)
                                                       : 1;
}

enum err vectors_keep(const struct conf *c, struct db *index, struct errctx *ec)
{
    int64_t start = clock_mono_ms(), made = 0;
    char path[CONF_PATH_MAX];
    struct encoder *encoder;
    enum err e;

    if (*c->meaning_model == '\0')
        return ERR_OK;
    if (conf_data_file(c, VECTORS_FILE, path) == NULL)
        return err_set(ec, ERR_INVALID, "the data folder's path is too long");
    e = encoder_open(c->meaning_model, &encoder, ec);
    if (e != ERR_OK)
        return e;
    (void)setpriority(PRIO_PROCESS, 0, 19);
    e = vectors_make(path, encoder, index, NULL, processors(), &made, ec);
    if (made > 0)
        log_info(NULL, "%lld vectors made in %lld s", (long long)made,
                 (long long)((clock_mono_ms() - start) / 1000));
    encoder_close(encoder);
    return e;
}

void vectors_start(const struct conf *c)
{
    struct errctx ec = {ERR_OK, ""};

    if (*c->meaning_model != '\0' &&
        spawn_helper(c, "--vectors", NULL, &ec) != ERR_OK)
        log_warn(NULL, "no vectors are made: %s", ec.msg);
}
