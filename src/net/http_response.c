/*
 * The memory of a response; see exchange.h. Strings are never NULL: an absent
 * one is a shared empty string that is not freed.
 */
#include "net/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char none[] = "";

void http_response_init(struct http_response *r, size_t cap)
{
    memset(r, 0, sizeof *r);
    r->url = r->content_type = r->etag = r->last_modified = (char *)none;
    r->location = r->retry_after = r->robots_tag = (char *)none;
    r->language = r->cache_control = r->date = (char *)none;
    buf_init(&r->body, cap);
}

static void value_free(char **slot)
{
    if (*slot != none)
        free(*slot);
    *slot = (char *)none;
}

void http_response_forget(struct http_response *r)
{
    value_free(&r->content_type);
    value_free(&r->etag);
    value_free(&r->last_modified);
    value_free(&r->location);
    value_free(&r->retry_after);
    value_free(&r->robots_tag);
    value_free(&r->language);
    value_free(&r->cache_control);
    value_free(&r->date);
}

void http_response_fini(struct http_response *r)
{
    http_response_forget(r);
    value_free(&r->url);
    buf_fini(&r->body);
}

void http_response_fail(struct http_response *r, enum err e, const char *msg)
{
    r->err = e;
    snprintf(r->msg, sizeof r->msg, "%s", msg);
}

enum err http_response_set(char **slot, struct str v)
{
    char *copy = strndup(v.p, v.n);

    if (copy == NULL)
        return ERR_NOMEM;
    value_free(slot);
    *slot = copy;
    return ERR_OK;
}

enum err http_response_join(char **slot, struct str v)
{
    size_t size = strlen(*slot) + v.n + 2;
    char *joined;

    if (**slot == '\0')
        return http_response_set(slot, v);
    joined = malloc(size);
    if (joined == NULL)
        return ERR_NOMEM;
    snprintf(joined, size, "%s\n%.*s", *slot, (int)v.n, v.p);
    value_free(slot);
    *slot = joined;
    return ERR_OK;
}
