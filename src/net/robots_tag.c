/*
 * Names of crawlers, and what X-Robots-Tag headers say to them; see robots.h.
 * Pure.
 */
#include "net/robots.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

void robots_product(const char *agent, char out[ROBOTS_PRODUCT_SIZE])
{
    size_t n = 0;

    if (agent == NULL)
        agent = "";
    while (n < ROBOTS_PRODUCT_SIZE - 1 &&
           (ascii_is_alpha(agent[n]) || agent[n] == '-' || agent[n] == '_'))
        n++;
    snprintf(out, ROBOTS_PRODUCT_SIZE, "%.*s", (int)n, agent);
    if (n == 0)
        snprintf(out, ROBOTS_PRODUCT_SIZE, "cited");
}

/* "unavailable_after: date" is a directive with a value, not an agent. */
static bool is_valued_directive(struct str name)
{
    return str_ieq(name, "unavailable_after") || str_ieq(name, "max-snippet") ||
           str_ieq(name, "max-image-preview") ||
           str_ieq(name, "max-video-preview");
}

static void read_directive(struct str d, bool *noindex, bool *nofollow)
{
    if (str_ieq(d, "noindex") || str_ieq(d, "none"))
        *noindex = true;
    if (str_ieq(d, "nofollow") || str_ieq(d, "none"))
        *nofollow = true;
}

/* One header value: "[agent:] directive, directive, …" */
static void read_tag(struct str line, const char *product, bool *noindex,
                     bool *nofollow)
{
    bool ours = true;

    while (line.n > 0) {
        const char *comma = memchr(line.p, ',', line.n);
        size_t n = comma == NULL ? line.n : (size_t)(comma - line.p);
        struct str d = str_trim((struct str){line.p, n});
        const char *colon = memchr(d.p, ':', d.n);

        if (colon != NULL) {
            struct str name = {d.p, (size_t)(colon - d.p)};

            name = str_trim(name);
            if (!is_valued_directive(name)) {
                ours = str_ieq(name, product);
                d = str_trim(
                    (struct str){colon + 1, d.n - (size_t)(colon + 1 - d.p)});
            }
        }
        if (ours)
            read_directive(d, noindex, nofollow);
        n += comma != NULL;
        line.p += n;
        line.n -= n;
    }
}

void robots_tag_read(const char *tags, const char *product, bool *noindex,
                     bool *nofollow)
{
    while (*tags != '\0') {
        size_t n = strcspn(tags, "\n");

        read_tag((struct str){tags, n}, product, noindex, nofollow);
        tags += n + (tags[n] == '\n');
    }
}
