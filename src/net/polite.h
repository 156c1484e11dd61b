/*
 * How other people's servers are asked, by the crawler and for pages read
 * during a search: robots.txt before anything else of a server ("origin":
 * scheme://host[:port]), pauses where it asks for them, nothing again that has
 * not changed. Requests and their order are the callers' own.
 */
#ifndef CITED_NET_POLITE_H
#define CITED_NET_POLITE_H

#include "net/http.h"
#include "net/robots.h"

#include <stdbool.h>
#include <stdint.h>

enum { POLITE_REDIRECTS_MAX = 5 }; /* as RFC 9309, 2.3.1.2, has it */

/* The bytes of a canonical URL that are its origin; and what robots.txt speaks
 * of, path and query. */
size_t polite_origin_len(const char *href);
const char *polite_path(const char *href);

/* --- robots.txt ------------------------------------------------------------
 */

/* What an origin's robots.txt says to us. */
struct polite_rules {
    const char *closed; /* why nothing may be asked (static), or NULL */
    struct robots robots;
};

/* The request for it. *out is otherwise empty; NULL url: no memory. */
void polite_robots_request(const char *origin, struct arena *a,
                           struct http_request *out);

/* What the answer means (RFC 9309, 2.3.1): "unavailable" (4xx) allows all,
 * "unreachable" closes the server. 429 is one asking for less, not a file that
 * is not there. ERR_NOMEM: *out is closed. */
enum err polite_robots_read(const struct http_response *r, const char *product,
                            struct arena *a, struct polite_rules *out);

bool polite_allows(const struct polite_rules *r, const char *href);

/* --- pages -----------------------------------------------------------------
 */

/* Ask for what may have changed since; "" says nothing. False: there is
 * nothing to ask by. */
bool polite_if_changed(struct http_request *rq, const char *etag,
                       const char *last_modified, struct arena *a);

/* Does the response, which came without following, lead elsewhere? Is its
 * server one to ask again later? */
bool polite_is_redirect(const struct http_response *r);
bool polite_is_busy(const struct http_response *r);

/* --- what is remembered ----------------------------------------------------
 */

/* Of other servers by a process, for all its threads: the rules of each origin
 * for an hour, when it was asked last, and until when a page is fresh. The
 * oldest is forgotten first. */
struct polite_memory;

MUST_CHECK enum err polite_memory_new(struct polite_memory **out);
void polite_memory_free(struct polite_memory *m); /* NULL is fine */

enum permission { PERMISSION_UNKNOWN, PERMISSION_YES, PERMISSION_NO };

/* May the page be fetched? UNKNOWN: its robots.txt is to be asked for. */
enum permission polite_ask(struct polite_memory *m, const char *href);

/* Now? False while a pause lasts that robots.txt asks for; else it begins, and
 * *pause_ms is how long it is, 0: there is none. */
bool polite_take_turn(struct polite_memory *m, const char *href,
                      int64_t *pause_ms);

/* Remember the answer to the request for the origin's robots.txt. */
void polite_remember(struct polite_memory *m, const char *origin,
                     const struct http_response *r, const char *product);

/* Until when a page is fresh, UTC; -1 when nothing is remembered. */
int64_t polite_fresh(struct polite_memory *m, const char *href);
void polite_set_fresh(struct polite_memory *m, const char *href,
                      int64_t until_ms);

#endif
