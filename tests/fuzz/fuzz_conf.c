/*
 * libFuzzer: a configuration file, with its providers' definitions. What is
 * refused says why; what is taken starts.
 */
#include "fuzz.h"

#include "base/log.h"
#include "model/model.h"
#include "model/relevance.h"
#include "find/provider.h"

#include <sys/mman.h>
#include <unistd.h>

static void started(enum err e, const struct errctx *ec)
{
    HOLDS(e == ERR_OK || (e == ERR_INVALID && ec->msg[0] != '\0'));
}

static void start(const struct conf *c)
{
    struct provider_set *s = NULL;
    struct provider_state state;
    struct relevance *r = NULL;
    struct model *m = NULL;
    struct errctx ec = {.msg = ""};

    started(provider_set_new(c, &s, &ec), &ec);
    for (size_t i = 0; i < provider_set_count(s); i++)
        provider_set_state(s, i, &state);
    provider_set_free(s);
    started(model_new(c, &m, &ec), &ec);
    model_free(m);
    started(relevance_new(c, &r, &ec), &ec);
    relevance_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *env[] = {(char *)(uintptr_t) "CITED_PROVIDER_X_KEY=secret", NULL};
    int fd = memfd_create("cited.conf", 0);
    struct errctx ec = {.msg = ""};
    struct conf c;
    char path[40];
    enum err e;

    log_set_level(LOG_OFF);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    HOLDS(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    e = conf_load(&c, path, "/nowhere", env, &ec);
    started(e, &ec);
    if (e == ERR_OK) {
        start(&c);
        conf_fini(&c);
    }
    close(fd);
    return 0;
}
