/*
 * libcurl, loaded when the first client is made. It brings some thirty
 * libraries with it, which cost more to load and relocate than a whole answer
 * from the index: a plain CGI process, or a service without providers, never
 * pays for them. The calls below are libcurl's own, passed on; nothing else
 * of the program knows that they are not linked.
 */
#include "net/exchange.h"

#include "base/log.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>

/* The macros that check option types at compile time stay with the callers. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

static struct {
    __typeof__(curl_global_init) *global_init;
    __typeof__(curl_global_cleanup) *global_cleanup;
    __typeof__(curl_easy_init) *easy_init;
    __typeof__(curl_easy_cleanup) *easy_cleanup;
    __typeof__(curl_easy_reset) *easy_reset;
    __typeof__(curl_easy_setopt) *easy_setopt;
    __typeof__(curl_easy_getinfo) *easy_getinfo;
    __typeof__(curl_easy_strerror) *easy_strerror;
    __typeof__(curl_slist_append) *slist_append;
    __typeof__(curl_slist_free_all) *slist_free_all;
    __typeof__(curl_multi_init) *multi_init;
    __typeof__(curl_multi_cleanup) *multi_cleanup;
    __typeof__(curl_multi_add_handle) *multi_add_handle;
    __typeof__(curl_multi_remove_handle) *multi_remove_handle;
    __typeof__(curl_multi_perform) *multi_perform;
    __typeof__(curl_multi_poll) *multi_poll;
    __typeof__(curl_multi_wakeup) *multi_wakeup;
    __typeof__(curl_multi_info_read) *multi_info_read;
} curl;

static const struct {
    const char *name;
    void *place; /* a member of curl */
} calls[] = {
    {"curl_global_init", &curl.global_init},
    {"curl_global_cleanup", &curl.global_cleanup},
    {"curl_easy_init", &curl.easy_init},
    {"curl_easy_cleanup", &curl.easy_cleanup},
    {"curl_easy_reset", &curl.easy_reset},
    {"curl_easy_setopt", &curl.easy_setopt},
    {"curl_easy_getinfo", &curl.easy_getinfo},
    {"curl_easy_strerror", &curl.easy_strerror},
    {"curl_slist_append", &curl.slist_append},
    {"curl_slist_free_all", &curl.slist_free_all},
    {"curl_multi_init", &curl.multi_init},
    {"curl_multi_cleanup", &curl.multi_cleanup},
    {"curl_multi_add_handle", &curl.multi_add_handle},
    {"curl_multi_remove_handle", &curl.multi_remove_handle},
    {"curl_multi_perform", &curl.multi_perform},
    {"curl_multi_poll", &curl.multi_poll},
    {"curl_multi_wakeup", &curl.multi_wakeup},
    {"curl_multi_info_read", &curl.multi_info_read},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool loaded;

static void load(void)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4",
                                        "libcurl-nss.so.4"};
    void *lib = NULL;

    for (size_t i = 0; lib == NULL && i < sizeof names / sizeof names[0]; i++)
        lib = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (lib == NULL) {
        log_error(NULL, "libcurl cannot be loaded: %s", dlerror());
        return;
    }
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        void *f = dlsym(lib, calls[i].name);

        if (f == NULL) {
            log_error(NULL, "libcurl has no %s", calls[i].name);
            return;
        }
        /* POSIX lets an object pointer of dlsym be a function's. */
        *(void **)calls[i].place = f;
    }
    loaded = curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
    if (!loaded)
        log_error(NULL, "libcurl cannot start");
}

enum err curl_load(void)
{
    pthread_once(&once, load);
    return loaded ? ERR_OK : ERR_INTERNAL;
}

void http_global_fini(void)
{
    if (loaded)
        curl.global_cleanup();
    loaded = false;
}

CURL *curl_easy_init(void)
{
    return curl.easy_init();
}

void curl_easy_cleanup(CURL *c)
{
    curl.easy_cleanup(c);
}

void curl_easy_reset(CURL *c)
{
    curl.easy_reset(c);
}

/* The number of an option tells the type of its value (curl.h). */
CURLcode curl_easy_setopt(CURL *c, CURLoption o, ...)
{
    va_list ap;
    CURLcode rc;

    va_start(ap, o);
    if ((int)o >= CURLOPTTYPE_OFF_T && (int)o < CURLOPTTYPE_BLOB)
        rc = curl.easy_setopt(c, o, va_arg(ap, curl_off_t));
    else if ((int)o >= CURLOPTTYPE_OBJECTPOINT)
        rc = curl.easy_setopt(c, o, va_arg(ap, void *));
    else
        rc = curl.easy_setopt(c, o, va_arg(ap, long));
    va_end(ap);
    return rc;
}

/* Whatever is asked for, the value is a place to put it. */
CURLcode curl_easy_getinfo(CURL *c, CURLINFO info, ...)
{
    va_list ap;
    CURLcode rc;

    va_start(ap, info);
    rc = curl.easy_getinfo(c, info, va_arg(ap, void *));
    va_end(ap);
    return rc;
}

const char *curl_easy_strerror(CURLcode code)
{
    return curl.easy_strerror(code);
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *z)
{
    return curl.slist_append(list, z);
}

void curl_slist_free_all(struct curl_slist *list)
{
    if (list != NULL)
        curl.slist_free_all(list);
}

CURLM *curl_multi_init(void)
{
    return curl.multi_init();
}

CURLMcode curl_multi_cleanup(CURLM *m)
{
    return curl.multi_cleanup(m);
}

CURLMcode curl_multi_add_handle(CURLM *m, CURL *c)
{
    return curl.multi_add_handle(m, c);
}

CURLMcode curl_multi_remove_handle(CURLM *m, CURL *c)
{
    return curl.multi_remove_handle(m, c);
}

CURLMcode curl_multi_perform(CURLM *m, int *running)
{
    return curl.multi_perform(m, running);
}

CURLMcode curl_multi_poll(CURLM *m, struct curl_waitfd extra[], unsigned n,
                          int timeout_ms, int *ready)
{
    return curl.multi_poll(m, extra, n, timeout_ms, ready);
}

CURLMcode curl_multi_wakeup(CURLM *m)
{
    return curl.multi_wakeup(m);
}

CURLMsg *curl_multi_info_read(CURLM *m, int *left)
{
    return curl.multi_info_read(m, left);
}
