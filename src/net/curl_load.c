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

#define CALLS(X)                                                               \
    X(global_init)                                                             \
    X(global_cleanup) X(easy_init) X(easy_cleanup) X(easy_reset)               \
        X(easy_setopt) X(easy_getinfo) X(easy_strerror) X(slist_append)        \
            X(slist_free_all) X(multi_init) X(multi_cleanup)                   \
                X(multi_add_handle) X(multi_remove_handle) X(multi_perform)    \
                    X(multi_poll) X(multi_wakeup) X(multi_info_read)

#define MEMBER(call) __typeof__(curl_##call) *call;
static struct {
    CALLS(MEMBER)
} curl;

#define ROW(call) {"curl_" #call, &curl.call},
static const struct {
    const char *name;
    void *place; /* a member of curl */
} calls[] = {CALLS(ROW)};

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

void curl_slist_free_all(struct curl_slist *list)
{
    if (list != NULL)
        curl.slist_free_all(list);
}

#define PASS(type, call, takes, gives)                                         \
    type curl_##call takes                                                     \
    {                                                                          \
        return curl.call gives;                                                \
    }

PASS(CURL *, easy_init, (void), ())
PASS(void, easy_cleanup, (CURL * c), (c))
PASS(void, easy_reset, (CURL * c), (c))
PASS(const char *, easy_strerror, (CURLcode code), (code))
PASS(struct curl_slist *, slist_append,
     (struct curl_slist * list, const char *z), (list, z))
PASS(CURLM *, multi_init, (void), ())
PASS(CURLMcode, multi_cleanup, (CURLM * m), (m))
PASS(CURLMcode, multi_add_handle, (CURLM * m, CURL *c), (m, c))
PASS(CURLMcode, multi_remove_handle, (CURLM * m, CURL *c), (m, c))
PASS(CURLMcode, multi_perform, (CURLM * m, int *running), (m, running))
PASS(CURLMcode, multi_poll,
     (CURLM * m, struct curl_waitfd extra[], unsigned n, int timeout_ms,
      int *ready),
     (m, extra, n, timeout_ms, ready))
PASS(CURLMcode, multi_wakeup, (CURLM * m), (m))
PASS(CURLMsg *, multi_info_read, (CURLM * m, int *left), (m, left))
