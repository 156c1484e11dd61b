/*
 * Is a page about what the question names? By name: hosts on which many
 * pages speak of it, found once and stored with the plan; elsewhere the name
 * must stand in title, host, heading or text of what was found.
 */
#ifndef CITED_RESEARCH_ABOUT_H
#define CITED_RESEARCH_ABOUT_H

#include "find/pages.h"

enum { ABOUT_NAMES_MAX = 8, ABOUT_HOSTS_MAX = 16 };

struct about {
    struct about_name {
        const char *term; /* stemmed, as in query.terms */
        const char *hosts[ABOUT_HOSTS_MAX];
        size_t host_count; /* 0: no host is about it */
        const char *word;  /* as asked, folded; NULL: the term */
        bool is_aside;     /* only told, as where or for whom it is: where no
                              other is asked no page need be about it, unless
                              hosts are */
        bool is_of_part;   /* only some parts name it, and no context does */
    } names[ABOUT_NAMES_MAX];
    size_t count;
};

/* The names of q and their hosts; aside: a bit each of its terms. index may be
 * NULL. Strings are in a. ERR_NOMEM, ERR_DB, ERR_TIMEOUT. */
MUST_CHECK enum err about_read(const struct query *q, uint64_t aside,
                               struct db *index, const struct index_filter *f,
                               const struct deadline *d, struct arena *a,
                               struct about *out, struct errctx *ec);

/* Which names only some parts of q have, by their terms. */
void about_part(struct about *x, const struct query *q, uint64_t terms);

/* Is the page about a name that part holds? Where part holds none: about any
 * of them all. Without names everything is. */
bool about_is(const struct about *x, const struct query *part,
              const struct found_page *page);

/* Do hosts vouch for what is asked: are there some about one of its names, and
 * is that not only mentioned among many that no host is about? */
bool about_vouches(const struct about *x);

/* The hosts about the names that part holds, or about any. ERR_NOMEM. */
MUST_CHECK enum err about_hosts(const struct about *x, const struct query *part,
                                struct arena *a, struct domain_rules *out);

/* An index, a table of contents or, unless the request is one of changes, a
 * list of them: by its address, if q has no word of its title besides what its
 * host is about. */
bool about_is_listing(const struct about *x, const struct query *q,
                      bool of_changes, const struct found_page *page);

/* The names in q that no host is about: a bit each of its terms. */
uint64_t about_unhosted(const struct about *x, const struct query *q);

/* … of these those aside. */
uint64_t about_aside(const struct about *x, const struct query *q);

/* The page read whole: does it lead to other text, is it a program's, or does
 * it list changes that q does not ask for? */
bool about_lists(const struct query *q, const struct found_page *page);

/* Is a page by its address or title for those who make what it is about, as q
 * is not? */
bool about_is_of_makers(const struct query *q, const char *url,
                        const char *title);

/* Does q ask for what changed? Of one that tells a situation, of more than
 * LONG_TERMS, what is asked decides. */
enum { LONG_TERMS = 20 };
bool about_asks_for_changes(const struct query *q);

/* Is it a list of changes, and does q ask for changes? */
bool about_is_changes(const struct query *q, const struct found_page *page);

/* The names in q that hosts bear, which are called so and not only about them:
 * a bit each of x->names. */
unsigned about_borne(const struct about *x, const struct query *q);

/* Are hosts called by that one of x->names? */
bool about_calls(const struct about *x, size_t name);

/* Does the host bear one of the names? */
bool about_bears(const struct about *x, unsigned names, const char *host);

/* The host of an address, which it points into. */
struct str about_host_of(const char *url);

/* Does the host of the address bear one of the names? */
bool about_bears_page(const struct about *x, unsigned names, const char *url);

/* Is the host of the address about one of the names? */
bool about_has_page(const struct about *x, unsigned names, const char *url);

/* The hosts that bear one of the names. ERR_NOMEM. */
MUST_CHECK enum err about_bearers(const struct about *x, unsigned names,
                                  struct arena *a, struct domain_rules *out);

/* Is the term a name that some host is about? There it tells pages apart no
 * more. */
bool about_hosted(const struct about *x, const char *term);

#endif
