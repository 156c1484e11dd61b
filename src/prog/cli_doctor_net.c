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

static enum finding_kind failure_of(const struct provider_answer *pa)
{
    switch (pa->outcome) {
    case OUTCOME_DENIED: /* the address guard does, too, and names the key */
        return strstr(pa->msg, "net.allow_hosts") != NULL
                   ? FOUND_PROVIDER_AWAY
                   : FOUND_PROVIDER_DENIES;
    case OUTCOME_LIMITED:
        return FOUND_PROVIDER_LIMITS;
    case OUTCOME_UNAVAILABLE:
    case OUTCOME_TIMEOUT:
        return FOUND_PROVIDER_AWAY;
    case OUTCOME_MALFORMED:
    case OUTCOME_BAD_REQUEST:
        return FOUND_PROVIDER_STRANGE;
    default:
        return FOUND_PROVIDER_FAILED;
    }
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
            doctor_bad(d,
                       strstr(st.lack, "contact") != NULL
                           ? FOUND_PROVIDER_LACKS_CONTACT
                           : FOUND_PROVIDER_LACKS,
                       "%s is not ready: %s", st.name, st.lack);
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
        doctor_bad(d, FOUND_PROVIDERS_UNASKED, "%s", err_name(e));
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (!is_ready(d, pa[i].provider))
            continue;
        if (outcome_is_failure(pa[i].outcome))
            doctor_bad(d, failure_of(&pa[i]), "%s: %s%s%s", pa[i].provider,
                       outcome_name(pa[i].outcome),
                       pa[i].msg[0] == '\0' ? "" : ": ", pa[i].msg);
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
        doctor_bad(d, FOUND_PROVIDERS_BROKEN, "%s", ec.msg);
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
    else {
        doctor_bad(d, FOUND_MODEL_FAILED, "%s at %s: %s", c->model_name,
                   c->model_url, ec.msg);
        doctor_mend(d, "%s", mend_model(e, ec.msg));
    }
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
        doctor_bad(d, FOUND_CLOCK_OFF,
                   "this machine's clock is %lld s %s that of %s (%zu asked)",
                   (long long)(least < 0 ? -least : least),
                   least < 0 ? "behind" : "ahead of", res[best].url, said);
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
