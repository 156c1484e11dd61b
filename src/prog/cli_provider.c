/* cited provider: which search providers there are, and does one answer. */
#include "prog/cli.h"

#include "base/clock.h"
#include "base/date.h"

#include <getopt.h>
#include <string.h>

enum { WANT = 10, TEST_MS = 30000 };

/* --- list ---------------------------------------------------------------- */

static bool is_configured(const struct cli *cli, const char *shipped)
{
    for (size_t i = 0; i < cli->conf.provider_count; i++)
        if (strcmp(conf_provider_get(&cli->conf.provider[i], "use", ""),
                   shipped) == 0)
            return true;
    return false;
}

static void list_text(struct cli *cli)
{
    size_t n = provider_set_count(cli->providers);

    for (size_t i = 0; i < n; i++) {
        struct provider_state st;

        provider_set_state(cli->providers, i, &st);
        printf("%-16s %s%s\n", st.name,
               st.lack == NULL ? "configured" : "not ready: ",
               st.lack == NULL ? "" : st.lack);
    }
    for (size_t i = 0; provider_shipped_name(i) != NULL; i++)
        if (!is_configured(cli, provider_shipped_name(i)))
            printf("%-16s available: a section [provider.%s] with use = %s\n",
                   provider_shipped_name(i), provider_shipped_name(i),
                   provider_shipped_name(i));
}

static void write_row(struct json_out *w, const char *name, const char *state,
                      const char *lack)
{
    jw_object(w);
    jw_kstring(w, "name", name);
    jw_kstring(w, "state", state);
    if (lack != NULL)
        jw_kstring(w, "reason", lack);
    jw_object_end(w);
}

static int list_json(struct cli *cli)
{
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    jw_array(w);
    for (size_t i = 0; i < provider_set_count(cli->providers); i++) {
        struct provider_state st;

        provider_set_state(cli->providers, i, &st);
        write_row(w, st.name, st.lack == NULL ? "configured" : "not ready",
                  st.lack);
    }
    for (size_t i = 0; provider_shipped_name(i) != NULL; i++)
        if (!is_configured(cli, provider_shipped_name(i)))
            write_row(w, provider_shipped_name(i), "available", NULL);
    jw_array_end(w);
    return cli_json_end(cli, &j);
}

static int list(struct cli *cli, int argc, char **argv)
{
    (void)argc;
    (void)argv;
    if (!cli_open_providers(cli))
        return CLI_FAILED;
    if (cli->json)
        return list_json(cli);
    list_text(cli);
    return CLI_OK;
}

/* --- test ---------------------------------------------------------------- */

static void print_found(const struct provider_answer *pa, int64_t ms)
{
    char day[DATE_LEN + 1];

    printf("%s: %s%s%s, %zu results in %lld ms\n", pa->provider,
           outcome_name(pa->outcome), pa->msg[0] == '\0' ? "" : ": ", pa->msg,
           pa->count, (long long)ms);
    for (size_t i = 0; i < pa->count; i++) {
        const struct candidate *c = &pa->found[i];

        printf("%zu. %s\n   %s", i + 1, c->title, c->url);
        if (c->day != DAY_NONE) {
            date_format(c->day, day);
            printf("  (%s)", day);
        }
        printf("\n   %.300s\n", c->text);
    }
}

static int print_found_json(struct cli *cli, const struct provider_answer *pa,
                            int64_t ms)
{
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    jw_object(w);
    jw_kstring(w, "name", pa->provider);
    jw_kstring(w, "outcome", outcome_name(pa->outcome));
    jw_kstring(w, "message", pa->msg);
    jw_kint(w, "milliseconds", ms);
    jw_karray(w, "results");
    for (size_t i = 0; i < pa->count; i++) {
        jw_object(w);
        jw_kstring(w, "name", pa->found[i].title);
        jw_kstring(w, "url", pa->found[i].url);
        jw_kstring(w, "content", pa->found[i].text);
        if (pa->found[i].day != DAY_NONE)
            jw_kday(w, "date", pa->found[i].day);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
    return cli_json_end(cli, &j);
}

/* The configuration with the one provider; a shipped definition may be tried
 * before it is configured. */
static bool pick(struct cli *cli, const char *name)
{
    struct conf *c = &cli->conf;
    size_t i = 0;

    while (i < c->provider_count && strcmp(c->provider[i].name, name) != 0)
        i++;
    if (i < c->provider_count)
        c->provider[0] = c->provider[i];
    else
        c->provider[0] = (struct conf_provider){
            .name = name, .count = 1, .key = {"use"}, .value = {name}};
    c->provider_count = 1;
    return cli_open_providers(cli);
}

static int ask(struct cli *cli, const char *text)
{
    static const struct index_filter all = {.day_from = DAY_NONE,
                                            .day_to = DAY_NONE};
    struct search_env env = {
        .conf = &cli->conf, .http = cli->http, .providers = cli->providers};
    int64_t start = clock_mono_ms();
    struct provider_answer *pa;
    struct query q;
    size_t n;
    enum err e = query_parse(text, &cli->arena, &q);

    if (e == ERR_OK)
        e = providers_ask(&env, &q, &all, WANT, false, deadline_in(TEST_MS),
                          &cli->arena, &pa, &n);
    if (e != ERR_OK)
        return cli_failf(cli, e, "cannot ask: %s", err_name(e));
    if (cli->json && print_found_json(cli, pa, clock_mono_ms() - start) != 0)
        return CLI_FAILED;
    if (!cli->json)
        print_found(pa, clock_mono_ms() - start);
    return outcome_is_failure(pa->outcome) ? CLI_FAILED : CLI_OK;
}

static int test(struct cli *cli, int argc, char **argv)
{
    (void)argc;
    if (!pick(cli, argv[1]) || !cli_open_http(cli))
        return CLI_FAILED;
    cli_progress(cli, "asking %s", argv[1]);
    return ask(cli, argv[2]);
}

int cli_provider(struct cli *cli, int argc, char **argv)
{
    static const struct cli_word words[] = {{"list", list, 0, ""},
                                            {"test", test, 2, "NAME \"query\""},
                                            {NULL, NULL, 0, NULL}};

    return cli_dispatch(cli, words, argc, argv);
}
