/* What is counted of each request; see figures.h. Called by web/app and
 * web/route. */
#include "web/figures.h"

#include "base/str.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

/* Upper bounds of the histogram in milliseconds, and as labels in seconds. */
const int64_t figures_bound_ms[FIGURES_BOUNDS] = {
    5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000};
const char *const figures_bound_text[FIGURES_BOUNDS] = {
    "0.005", "0.01", "0.025", "0.05", "0.1", "0.25",
    "0.5",   "1",    "2.5",   "5",    "10",  "25"};

static const char *method_label(const char *method)
{
    static const char *const known[] = {"GET", "HEAD", "POST", "DELETE",
                                        "OPTIONS"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(method, known[i]) == 0)
            return known[i];
    return "other";
}

static void count_duration(struct meter *m, const char *pattern,
                           int64_t took_us)
{
    char name[METER_NAME_MAX];

    for (int i = FIGURES_BOUNDS - 1;
         i >= 0 && took_us <= figures_bound_ms[i] * 1000; i--) {
        figures_bucket_name(pattern, figures_bound_text[i], name);
        meter_add(m, name, 1);
    }
    snprintf(name, sizeof name, FIGURES_SECONDS "_count{route=\"%s\"}",
             pattern);
    meter_add(m, name, 1);
    snprintf(name, sizeof name, FIGURES_SECONDS "_sum{route=\"%s\"}", pattern);
    meter_add(m, name, (uint64_t)took_us);
}

void figures_bucket_name(const char *pattern, const char *bound,
                         char out[METER_NAME_MAX])
{
    snprintf(out, METER_NAME_MAX,
             FIGURES_SECONDS "_bucket{route=\"%s\",le=\"%s\"}", pattern, bound);
}

static void note_error(struct meter *m, const struct request *rq,
                       const struct response *res, const char *pattern,
                       int64_t now_ms)
{
    char text[METER_ERROR_MAX];

    snprintf(text, sizeof text, "%d %.48s: %s", res->status, pattern,
             res->fault == NULL ? "the answer says why" : res->fault);
    meter_error(m, now_ms, rq->id, text);
}

void figures_count(struct meter *m, const char *pattern,
                   const struct request *rq, const struct response *res,
                   int64_t took_us)
{
    int64_t now = clock_now_ms();
    char name[METER_NAME_MAX];

    if (m == NULL)
        return;
    snprintf(name, sizeof name,
             "cited_requests_total{route=\"%s\",method=\"%s\",status=\"%d\"}",
             pattern, method_label(rq->method), res->status);
    meter_add(m, name, 1);
    count_duration(m, pattern, took_us < 0 ? 0 : took_us);
    meter_request(m, now, took_us / 1000);
    if (res->status >= 500)
        note_error(m, rq, res, pattern, now);
}

/* An address in one form; IPv4 inside IPv6 is IPv4. False: none. */
static bool parse_address(const char *z, unsigned char out[16])
{
    memset(out, 0, 16);
    if (inet_pton(AF_INET6, z, out) == 1)
        return true;
    out[10] = out[11] = 0xFF;
    return inet_pton(AF_INET, z, out + 12) == 1;
}

bool figures_may_watch(const char *list, const char *address)
{
    unsigned char want[16], one[16];
    char text[64];

    if (!parse_address(address, want))
        return false;
    while (*list != '\0') {
        size_t n = strcspn(list, ",");
        struct str s = str_trim((struct str){list, n});

        if (s.n < sizeof text) {
            memcpy(text, s.p, s.n);
            text[s.n] = '\0';
            if (parse_address(text, one) && memcmp(one, want, 16) == 0)
                return true;
        }
        list += n + (list[n] == ',');
    }
    return false;
}
