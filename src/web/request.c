/* From CGI variables to struct request; see request.h. Pure: no transport,
 * no environment, nothing but the array it is given. */
#include "web/request.h"

#include "base/str.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* Paths served outside /v1/. */
static const char *const top_paths[] = {
    "/healthz", "/metrics", "/mcp", "/external/search", "/search", "/extract"};

static bool starts(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static const char *top_path_at_end(const char *path)
{
    size_t n = strlen(path);

    for (size_t i = 0; i < sizeof top_paths / sizeof *top_paths; i++) {
        size_t k = strlen(top_paths[i]);

        if (n >= k && strcmp(path + n - k, top_paths[i]) == 0)
            return path + n - k;
    }
    return NULL;
}

static bool is_ours(const char *path)
{
    return starts(path, "/v1/") || top_path_at_end(path) == path;
}

/* Behind the configured base path, or path itself. */
static const char *without_base(const char *path, const char *base)
{
    size_t n = strlen(base);

    if (n > 0 && strncmp(path, base, n) == 0 && path[n] == '/')
        return path + n;
    return path;
}

/* The last "/v1/" of path, or NULL. */
static const char *last_v1(const char *path)
{
    const char *found = NULL;

    for (const char *p = strstr(path, "/v1/"); p != NULL;
         p = strstr(p + 1, "/v1/"))
        found = p;
    return found;
}

static const char *find_ours(const char *joined, const char *base)
{
    const char *path = without_base(joined, base);
    const char *found;

    if (is_ours(path))
        return path;
    found = last_v1(path);
    if (found == NULL)
        found = top_path_at_end(path);
    return found == NULL ? path : found;
}

/* A copy without trailing slashes and with "/v1/v1" made single. */
static const char *tidy(const char *path, struct arena *a)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n >= 6 && strncmp(path, "/v1/v1", 6) == 0 &&
           (n == 6 || path[6] == '/')) {
        path += 3;
        n -= 3;
    }
    if (n == 0 || path[0] != '/')
        return arena_printf(a, "/%.*s", (int)n, path);
    return arena_strndup(a, path, n);
}

const char *request_path(const char *script_name, const char *path_info,
                         const char *base_path, struct arena *a)
{
    const char *script = script_name == NULL ? "" : script_name;
    const char *info = path_info == NULL ? "" : path_info;
    size_t n = strlen(info);
    const char *joined;

    /* "/healthz/" names a top path too. */
    while (n > 1 && info[n - 1] == '/')
        n--;
    info = arena_strndup(a, info, n);
    if (info == NULL)
        return NULL;
    if (is_ours(info))
        return tidy(info, a);
    n = strlen(script);
    while (info[0] == '\0' && n > 1 && script[n - 1] == '/')
        n--;
    joined = arena_printf(a, "%.*s%s", (int)n, script, info);
    if (joined == NULL)
        return NULL;
    return tidy(find_ours(joined, base_path == NULL ? "" : base_path), a);
}

/* --- the variables ------------------------------------------------------ */

enum var {
    VAR_METHOD,
    VAR_SCRIPT,
    VAR_PATH,
    VAR_QUERY,
    VAR_URI,
    VAR_TYPE,
    VAR_LENGTH,
    VAR_AUTH,
    VAR_AUTH_REDIRECT,
    VAR_ENCODING,
    VAR_ORIGIN,
    VAR_IDEMPOTENCY,
    VAR_MCP,
    VAR_EVENT,
    VAR_ADDR,
    VAR_COUNT
};

static const char *const var_names[VAR_COUNT] = {
    [VAR_METHOD] = "REQUEST_METHOD",
    [VAR_SCRIPT] = "SCRIPT_NAME",
    [VAR_PATH] = "PATH_INFO",
    [VAR_QUERY] = "QUERY_STRING",
    [VAR_URI] = "REQUEST_URI",
    [VAR_TYPE] = "CONTENT_TYPE",
    [VAR_LENGTH] = "CONTENT_LENGTH",
    [VAR_AUTH] = "HTTP_AUTHORIZATION",
    [VAR_AUTH_REDIRECT] = "REDIRECT_HTTP_AUTHORIZATION",
    [VAR_ENCODING] = "HTTP_CONTENT_ENCODING",
    [VAR_ORIGIN] = "HTTP_ORIGIN",
    [VAR_IDEMPOTENCY] = "HTTP_IDEMPOTENCY_KEY",
    [VAR_MCP] = "HTTP_MCP_PROTOCOL_VERSION",
    [VAR_EVENT] = "HTTP_LAST_EVENT_ID",
    [VAR_ADDR] = "REMOTE_ADDR",
};

/* One pass; the first of several equal names counts. */
static void collect(char *const envp[], const char *value[VAR_COUNT])
{
    for (; envp != NULL && *envp != NULL; envp++) {
        const char *eq = strchr(*envp, '=');
        size_t n = eq == NULL ? 0 : (size_t)(eq - *envp);

        for (int i = 0; n > 0 && i < VAR_COUNT; i++)
            if (value[i] == NULL && strncmp(*envp, var_names[i], n) == 0 &&
                var_names[i][n] == '\0') {
                value[i] = eq + 1;
                break;
            }
    }
}

/* Some servers send an empty variable for a header that was absent. */
static const char *or_null(const char *z)
{
    return z == NULL || *z == '\0' ? NULL : z;
}

/* A server that rewrites may drop the query; the raw URI still has it. */
static const char *query_of(const char *const value[VAR_COUNT])
{
    const char *q = value[VAR_QUERY];

    if (or_null(q) == NULL && value[VAR_URI] != NULL) {
        q = strchr(value[VAR_URI], '?');
        q = q == NULL ? NULL : q + 1;
    }
    return q == NULL ? "" : q;
}

/* A name for log lines, not a secret: a random number of the process and a
 * count. One random number per request would be a system call each. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned char prefix[4];
static _Atomic uint32_t new_ids;

static void draw_prefix(void)
{
    if (id_random(prefix, sizeof prefix) != ERR_OK)
        memset(prefix, 0, sizeof prefix);
}

void request_new_id(char out[17])
{
    uint32_t n = atomic_fetch_add(&new_ids, 1);
    unsigned char b[8];

    pthread_once(&once, draw_prefix);
    memcpy(b, prefix, sizeof prefix);
    for (int i = 0; i < 4; i++)
        b[4 + i] = (unsigned char)(n >> (24 - 8 * i));
    hex_format(b, sizeof b, out);
}

/* Is the variable's name (n bytes, behind "HTTP_") the header's, as CGI spells
 * it? */
static bool is_header(const char *var, size_t n, struct str header)
{
    if (n != header.n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (ascii_lower(var[i]) !=
            (header.p[i] == '-' ? '_' : ascii_lower(header.p[i])))
            return false;
    return true;
}

/* The value of the first of the headers that is there, or NULL. */
static const char *key_of(char *const envp[], const char *headers)
{
    for (; *headers != '\0'; headers += *headers == ',') {
        struct str name = {headers, strcspn(headers, ",")};

        headers += name.n;
        name = str_trim(name);
        for (char *const *v = envp; v != NULL && *v != NULL; v++) {
            size_t n = starts(*v, "HTTP_") ? strcspn(*v + 5, "=") : 0;

            if (n > 0 && (*v)[5 + n] == '=' && (*v)[6 + n] != '\0' &&
                is_header(*v + 5, n, name))
                return *v + 6 + n;
        }
    }
    return NULL;
}

/* What stands between "/key/" and the next slash, or NULL. */
static const char *key_in_path(const char *script, const char *info,
                               struct arena *a)
{
    const char *path = arena_printf(a, "%s%s", script == NULL ? "" : script,
                                    info == NULL ? "" : info);
    const char *p = path == NULL ? NULL : strstr(path, "/key/");
    size_t n = p == NULL ? 0 : strcspn(p + 5, "/");

    return n > 0 && p[5 + n] == '/' ? arena_strndup(a, p + 5, n) : NULL;
}

enum err request_from_env(struct request *rq, char *const envp[],
                          const char *base_path, const char *key_headers,
                          struct deadline d, struct arena *a)
{
    const char *value[VAR_COUNT] = {NULL};

    memset(rq, 0, sizeof *rq);
    request_new_id(rq->id);
    collect(envp, value);
    rq->method = value[VAR_METHOD] == NULL ? "" : value[VAR_METHOD];
    rq->path = request_path(value[VAR_SCRIPT], value[VAR_PATH], base_path, a);
    if (rq->path == NULL)
        return ERR_NOMEM;
    rq->query = query_of(value);
    rq->authorization = or_null(value[VAR_AUTH]);
    if (rq->authorization == NULL)
        rq->authorization = or_null(value[VAR_AUTH_REDIRECT]);
    rq->key = key_of(envp, key_headers);
    rq->path_key = key_in_path(value[VAR_SCRIPT], value[VAR_PATH], a);
    rq->content_type = or_null(value[VAR_TYPE]);
    rq->encoding = or_null(value[VAR_ENCODING]);
    rq->origin = or_null(value[VAR_ORIGIN]);
    rq->idempotency = or_null(value[VAR_IDEMPOTENCY]);
    rq->mcp_version = or_null(value[VAR_MCP]);
    rq->last_event = or_null(value[VAR_EVENT]);
    rq->remote_addr = value[VAR_ADDR] == NULL ? "" : value[VAR_ADDR];
    rq->has_length =
        value[VAR_LENGTH] != NULL &&
        parse_int(value[VAR_LENGTH], 0, INT64_MAX, &rq->content_length);
    rq->body = "";
    rq->deadline = d;
    rq->arena = a;
    return ERR_OK;
}
