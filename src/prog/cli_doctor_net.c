/*
 * cited doctor, the network: each search provider and the model are asked one
 * thing, and the clock is held against the Date headers of what answers.
 */
#include "prog/cli_doctor.h"

#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"
#include "base/url.h"
#include "model/model.h"

#include <string.h>

enum {
    ASK_MS = 15000,
    CLOCK_MS = 5000,
    MODEL_MS = 60000,
    MODEL_TOKENS = 64,
    HOSTS_MAX = CONF_PROVIDERS_MAX + 1,
    PAGE_BYTES = 256 * 1024,
    CLOCK_OFF_S = 30 /* TLS, tokens and leases notice more than that */
};

static const char question[] = "lighthouse";

/* --- providers --------------------------------------------------------- */

static void tell_failed(struct doctor *d, const struct provider_answer *pa)
{
    const char *why = "Its results are missing in every search.";
    const char *mend = "Try it by hand: cited provider test NAME QUERY.";
    /* Refused by the address guard, not by the provider. */
    bool guarded = pa->outcome == OUTCOME_DENIED &&
                   strstr(pa->msg, "net.allow_hosts") != NULL;

    switch (guarded ? OUTCOME_UNAVAILABLE : pa->outcome) {
    case OUTCOME_DENIED:
        why = "It does not accept the key (or the account behind it is used "
              "up), so none of its results reach a search.";
        mend = "Correct key in its section, or CITED_PROVIDER_NAME_KEY in the "
               "environment of the service.";
        break;
    case OUTCOME_LIMITED:
        why = "It was asked more often than it allows and is left alone for "
              "a while.";
        mend = "Wait, or take a larger plan; parallel in its section asks it "
               "less at once.";
        break;
    case OUTCOME_UNAVAILABLE:
    case OUTCOME_TIMEOUT:
        why = "It cannot be reached, so every search waits for it in vain "
              "until it is suspended.";
        mend = "Check the URL, DNS and firewall. A provider on a private "
               "address must be named in net.allow_hosts.";
        break;
    case OUTCOME_MALFORMED:
    case OUTCOME_BAD_REQUEST:
        why = "What it says cannot be read as its section describes it: "
              "another version, or a page instead of its API.";
        mend = "Compare url, results and the _field keys of its section with "
               "its documentation (cited.conf(5)); SearXNG must allow the "
               "JSON format.";
        break;
    default:
        break;
    }
    doctor_bad(d, LEVEL_ERROR, "provider",
               doctor_text(d, "%s: %s%s%s", pa->provider,
                           outcome_name(pa->outcome),
                           pa->msg[0] == '\0' ? "" : ": ", pa->msg),
               why, mend);
}

/* What their sections lack; true when any is left to ask. */
static bool tell_lacks(struct doctor *d)
{
    size_t n = provider_set_count(d->cli->providers), ready = 0;

    for (size_t i = 0; i < n; i++) {
        struct provider_state st;

        provider_set_state(d->cli->providers, i, &st);
        ready += st.lack == NULL;
        if (st.lack != NULL)
            doctor_bad(d, LEVEL_ERROR, "provider",
                       doctor_text(d, "%s is not ready: %s", st.name, st.lack),
                       "It is configured but never asked.",
                       strstr(st.lack, "contact") != NULL
                           ? "Set crawl.contact to your mail address or a "
                             "page about you; its rules demand it."
                           : "Add it to the provider's section.");
    }
    return ready > 0;
}

static bool is_ready(struct doctor *d, const char *name)
{
    size_t n = provider_set_count(d->cli->providers);

    for (size_t i = 0; i < n; i++) {
        struct provider_state st;

        provider_set_state(d->cli->providers, i, &st);
        if (strcmp(st.name, name) == 0)
            return st.lack == NULL;
    }
    return false;
}

static void ask_providers(struct doctor *d)
{
    static const struct index_filter all = {.day_from = DAY_NONE,
                                            .day_to = DAY_NONE};
    struct cli *cli = d->cli;
    struct search_env env = {
        .conf = &cli->conf, .http = cli->http, .providers = cli->providers};
    struct provider_answer *pa;
    struct query q;
    size_t n;
    enum err e = query_parse(question, &cli->arena, &q);

    cli_progress(cli, "asking the providers");
    if (e == ERR_OK)
        e = providers_ask(&env, &q, &all, 3, false, deadline_in(ASK_MS),
                          &cli->arena, &pa, &n);
    if (e != ERR_OK) {
        doctor_bad(d, LEVEL_ERROR, "provider", err_name(e),
                   "The providers cannot be asked at all.",
                   "Run cited provider test NAME QUERY and read its log.");
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_ready(d, pa[i].provider))
            continue;
        if (outcome_is_failure(pa[i].outcome))
            tell_failed(d, &pa[i]);
        else
            doctor_ok(d, "provider", "%s answers (%s)", pa[i].provider,
                      outcome_name(pa[i].outcome));
    }
}

void doctor_check_providers(struct doctor *d)
{
    struct errctx ec = {ERR_OK, ""};

    if (d->cli->conf.provider_count == 0)
        return;
    if (provider_set_new(&d->cli->conf, &d->cli->providers, &ec) != ERR_OK) {
        doctor_bad(d, LEVEL_ERROR, "provider", doctor_text(d, "%s", ec.msg),
                   "The service does not start with this section.",
                   "Correct it; the keys are in cited.conf(5).");
        return;
    }
    if (tell_lacks(d) && cli_open_http(d->cli))
        ask_providers(d);
}

/* --- the model --------------------------------------------------------- */

static const char *mend_model(enum err e, const char *msg)
{
    if (e == ERR_LIMIT)
        return "Wait, or look at the account's credit.";
    if (strstr(msg, "401") != NULL || strstr(msg, "403") != NULL ||
        mem_find_i(msg, strlen(msg), "key") != NULL)
        return "Correct model.key, or CITED_MODEL_KEY in the service's "
               "environment.";
    if (strstr(msg, "404") != NULL ||
        mem_find_i(msg, strlen(msg), "model") != NULL)
        return "Set model.name to a name the endpoint lists under "
               "/v1/models, and model.url to its base address.";
    if (e == ERR_TIMEOUT)
        return "Give it more time (model.timeout_ms), or use a smaller model.";
    return "Start the endpoint, or correct model.url; it must be an "
           "OpenAI-compatible chat endpoint.";
}

void doctor_check_model(struct doctor *d)
{
    static const struct model_ask ask = {.system = "Answer with one word.",
                                         .user = "Say yes.",
                                         .tokens_max = MODEL_TOKENS};
    const struct conf *c = &d->cli->conf;
    struct errctx ec = {ERR_OK, ""};
    struct model_answer answer;
    enum err e;

    if (*c->model_url == '\0')
        return;
    cli_progress(d->cli, "asking the model");
    e = model_new(c, &d->cli->model, &ec);
    if (e == ERR_OK)
        e = model_chat(d->cli->model, &ask, deadline_in(MODEL_MS), "doctor",
                       &d->cli->arena, &answer, &ec);
    /* A model that reasons aloud may use its tokens up before it answers. */
    if (e == ERR_OK || e == ERR_MALFORMED)
        doctor_ok(d, "model", "%s answers", c->model_name);
    else
        doctor_bad(
            d, LEVEL_ERROR, "model",
            doctor_text(d, "%s at %s: %s", c->model_name, c->model_url, ec.msg),
            "Answers are written without it, from sentences of the "
            "pages; research reports are plainer.",
            doctor_text(d, "%s", mend_model(e, ec.msg)));
}

/* --- the clock --------------------------------------------------------- */

/* The root of the URL's host: scheme://host:port/ */
static const char *root_of(struct doctor *d, const char *href)
{
    struct url u;

    if (href == NULL || *href == '\0' ||
        url_parse(href, strlen(href), NULL, &d->cli->arena, &u, NULL) != ERR_OK)
        return NULL;
    return arena_printf(&d->cli->arena, "%s://%s:%d/", u.scheme, u.host,
                        u.port);
}

static size_t hosts_of(struct doctor *d, const char *out[HOSTS_MAX])
{
    size_t n = 0, count = provider_set_count(d->cli->providers);

    for (size_t i = 0; i < count && n < HOSTS_MAX; i++) {
        struct provider_state st;

        provider_set_state(d->cli->providers, i, &st);
        out[n] = st.lack == NULL ? root_of(d, st.at) : NULL;
        n += out[n] != NULL;
    }
    return n;
}

/* The host whose clock is nearest to ours decides: one that is wrong itself
 * accuses nobody. */
static void judge_clock(struct doctor *d, const struct http_response *res,
                        size_t n, int64_t now_ms)
{
    int64_t least = INT64_MAX;
    size_t best = 0, said = 0;

    for (size_t i = 0; i < n; i++) {
        int64_t at, off;

        if (!date_parse_http(res[i].date, &at))
            continue;
        said++;
        off = (now_ms - at) / 1000;
        if (least == INT64_MAX ||
            (off < 0 ? -off : off) < (least < 0 ? -least : least)) {
            least = off;
            best = i;
        }
    }
    if (said == 0)
        return;
    if (least > CLOCK_OFF_S || least < -CLOCK_OFF_S)
        doctor_bad(d, LEVEL_ERROR, "clock",
                   doctor_text(d,
                               "this machine's clock is %lld s %s that of "
                               "%s (%zu asked)",
                               (long long)(least < 0 ? -least : least),
                               least < 0 ? "behind" : "ahead of", res[best].url,
                               said),
                   "Certificates are refused, dates of pages and filters by "
                   "date are wrong, signed callbacks are taken for old ones.",
                   "timedatectl set-ntp true, or install an NTP client.");
    else
        doctor_ok(d, "clock", "within %lld s of %zu others",
                  (long long)(least < 0 ? -least : least), said);
}

void doctor_check_clock(struct doctor *d)
{
    const char *hosts[HOSTS_MAX];
    struct http_request rq[HOSTS_MAX];
    struct http_response res[HOSTS_MAX];
    size_t n = hosts_of(d, hosts);

    if (n == 0 || !cli_open_http(d->cli))
        return;
    memset(rq, 0, sizeof rq);
    for (size_t i = 0; i < n; i++) {
        rq[i].url = hosts[i];
        rq[i].response_max = PAGE_BYTES;
    }
    cli_progress(d->cli, "comparing the clock");
    http_run_many(d->cli->http, rq, n, deadline_in(CLOCK_MS), res);
    judge_clock(d, res, n, clock_now_ms());
    for (size_t i = 0; i < n; i++)
        http_response_fini(&res[i]);
}
