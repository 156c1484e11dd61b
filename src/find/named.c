/* Products by the names of their hosts; see named.h. Pure. */
#include "find/named.h"
#include "question/overlap.h"

#include "base/str.h"

#include <string.h>

enum { LABEL_MIN = 3, HOSTS_SEEN = 64 };

/* Labels that say what a host is for, not what it is about; "example" stands
 * for any name (RFC 2606). */
static const char *const plain[] = {
    "api",     "app",    "blog",    "community", "dev",      "doc",  "docs",
    "example", "forum",  "forums",  "help",      "helpdesk", "info", "learn",
    "mail",    "manual", "manuals", "news",      "search",   "site", "static",
    "support", "test",   "web",     "wiki",      "www"};

static bool is_plain(struct str label)
{
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (str_eq(label, plain[i]))
            return true;
    return false;
}

/* "postgres" for "postgresql". */
static bool is_label_of(struct str label, const char *term)
{
    size_t n = strlen(term);

    return label.n >= LABEL_MIN && !ascii_is_digit(*label.p) && label.n <= n &&
           2 * label.n > n && strncmp(label.p, term, label.n) == 0;
}

/* The terms that a host is called by; its public suffix is no name. */
static uint64_t names_of(const struct query *q, const char *host)
{
    const char *own = host_registrable(host);
    size_t end =
        own == NULL ? strlen(host) : (size_t)(own - host) + strcspn(own, ".");
    uint64_t mask = 0;

    for (size_t at = 0; at < end;) {
        struct str label = {host + at, strcspn(host + at, ".-")};

        for (size_t i = 0; i < q->term_count && !is_plain(label); i++)
            if (is_label_of(label, q->terms[i].text) ||
                is_label_of(label, q->words[i]))
                mask |= (uint64_t)1 << i;
        at += label.n + 1;
    }
    return mask;
}

struct seen {
    const char *host[HOSTS_SEEN];
    uint64_t names[HOSTS_SEEN];
    size_t count;
};

static void hosts_read(const struct query *q, const struct candidate *v,
                       size_t n, struct seen *out)
{
    out->count = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;

        while (k < out->count && strcmp(out->host[k], v[i].host) != 0)
            k++;
        if (k < out->count || k == HOSTS_SEEN)
            continue;
        out->host[k] = v[i].host;
        out->names[k] = names_of(q, v[i].host);
        out->count++;
    }
}

/* The terms that name half of the hosts at most, or the only one. */
static uint64_t terms_of(const struct query *q, const struct seen *s)
{
    uint64_t terms = 0;

    for (size_t i = 0; i < q->term_count; i++) {
        size_t hosts = 0;

        for (size_t k = 0; k < s->count; k++)
            hosts += s->names[k] >> i & 1;
        if (hosts > 0 && (2 * hosts <= s->count || s->count == 1))
            terms |= (uint64_t)1 << i;
    }
    return terms;
}

/* Those of the terms that are compared, and looked for: the names of two hosts,
 * or all there is of a side; not the host in "Python list vs tuple". */
static uint64_t compared_among(const struct query *q, uint64_t terms)
{
    uint64_t compared = 0;
    size_t named = 0;
    bool whole = false;

    for (size_t i = 0; i < q->side_count; i++) {
        compared |= q->side_terms[i] & terms;
        named += (q->side_terms[i] & terms) != 0;
        whole = whole || (q->side_terms[i] & ~terms) == 0;
    }
    return named > 1 || whole ? compared : 0;
}

/* Is there something to look for besides? */
static bool leaves_some(const struct query *q, uint64_t terms)
{
    uint64_t all = overlap_all(q);

    return (all & ~terms) != 0 &&
           (q->type != ANSWER_DEFINITION || (q->about & ~terms) != 0);
}

enum err named_read(const struct query *q, const struct candidate *v, size_t n,
                    struct arena *a, struct named *out)
{
    struct domain_rule *rules = arena_array(a, NAMED_HOSTS_MAX, sizeof *rules);
    struct seen s;
    size_t count = 0;

    memset(out, 0, sizeof *out);
    if (rules == NULL)
        return ERR_NOMEM;
    hosts_read(q, v, n, &s);
    out->terms = terms_of(q, &s);
    out->terms &= ~compared_among(q, out->terms);
    if (!leaves_some(q, out->terms))
        out->terms = 0;
    for (size_t i = 0; i < s.count && count < NAMED_HOSTS_MAX; i++)
        if ((s.names[i] & out->terms) != 0 &&
            domain_rule_parse(s.host[i], strlen(s.host[i]), a, &rules[count]) ==
                ERR_OK)
            count++;
    if (count == 0)
        out->terms = 0;
    out->hosts = (struct domain_rules){rules, count};
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}

bool named_is_met(const struct named *x, const struct query *q,
                  const struct candidate *c)
{
    for (size_t i = 0; i < x->hosts.count; i++)
        if (strcmp(x->hosts.rules[i].host, c->host) == 0)
            return true;
    return ((overlap_mask(q, c->title, strlen(c->title)) |
             overlap_mask(q, c->heading, strlen(c->heading))) &
            x->terms) != 0;
}
