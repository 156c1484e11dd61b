/* The response as data, and its CGI header block; see request.h. */
#include "web/request.h"

#include <string.h>

/* The largest answer: a hundred long task records. */
enum { BODY_MAX = 64 * 1024 * 1024 };

void response_init(struct response *r)
{
    memset(r, 0, sizeof *r);
    r->status = 500;
    r->type = "application/json";
    buf_init(&r->body, BODY_MAX);
}

void response_fini(struct response *r)
{
    buf_fini(&r->body);
}

void response_header(struct response *r, const char *name, const char *value)
{
    if (value == NULL || r->header_count == RESPONSE_HEADERS_MAX)
        return;
    r->name[r->header_count] = name;
    r->value[r->header_count++] = value;
}

static const char *reason(int status)
{
    static const struct {
        int status;
        const char *words;
    } rows[] = {
        {200, "OK"},
        {202, "Accepted"},
        {400, "Bad Request"},
        {401, "Unauthorized"},
        {403, "Forbidden"},
        {404, "Not Found"},
        {405, "Method Not Allowed"},
        {411, "Length Required"},
        {413, "Payload Too Large"},
        {415, "Unsupported Media Type"},
        {429, "Too Many Requests"},
        {500, "Internal Server Error"},
        {502, "Bad Gateway"},
        {503, "Service Unavailable"},
        {504, "Gateway Timeout"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].status == status)
            return rows[i].words;
    return "Unknown";
}

enum err response_head(const struct response *r, struct buf *out)
{
    buf_addf(out, "Status: %d %s\r\n", r->status, reason(r->status));
    if (r->type != NULL)
        buf_addf(out, "Content-Type: %s\r\n", r->type);
    if (!r->head)
        buf_addf(out, "Content-Length: %zu\r\n", r->body.len);
    for (size_t i = 0; i < r->header_count; i++)
        if (strpbrk(r->value[i], "\r\n") == NULL)
            buf_addf(out, "%s: %s\r\n", r->name[i], r->value[i]);
    return buf_adds(out, "\r\n");
}
