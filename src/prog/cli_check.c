/* cited check: is what a text says borne out by what it cites? */
#include "prog/cli.h"

#include "base/str.h"
#include "search/check.h"
#include "web/render.h"

#include <getopt.h>
#include <string.h>

enum { SHOWN_MAX = 160 }; /* bytes of a quote */

static void print_quote(const struct check_result *r)
{
    size_t n = r->quote == NULL ? 0 : strlen(r->quote);
    size_t cut = utf8_cut(r->quote == NULL ? "" : r->quote, n, SHOWN_MAX);

    if (r->url != NULL)
        printf("    %s", r->url);
    if (n > 0)
        printf("%s%zu-%zu", r->url == NULL ? "    " : " ", r->start, r->end);
    if (r->url != NULL || n > 0)
        putchar('\n');
    if (n == 0 || r->verdict == VERDICT_QUOTED)
        return;
    fputs("    \"", stdout);
    for (size_t i = 0; i < cut; i++)
        putchar(r->quote[i] == '\n' ? ' ' : r->quote[i]);
    puts(cut < n ? "…\"" : "\"");
}

static void print_one(const struct check_item *item,
                      const struct check_result *r)
{
    static const char *const words[] = {"quoted", "supported",
                                        "not found; nearest", "contradicted",
                                        "not found"};

    printf("%s: %s\n", words[r->verdict], item->sentence);
    if (r->why[0] != '\0')
        printf("    missing: %s\n", r->why);
    print_quote(r);
}

static int print_lines(struct cli *cli, const struct check_list *list,
                       const struct check_result *r)
{
    for (size_t i = 0; i < list->count; i++) {
        struct cli_json j;

        render_checked(cli_json_begin(&j), &list->items[i], &r[i]);
        if (cli_json_end(cli, &j) != CLI_OK)
            return CLI_FAILED;
    }
    return CLI_OK;
}

static int print_all(struct cli *cli, const struct check_list *list,
                     const struct check_result *r)
{
    size_t held = 0;

    for (size_t i = 0; i < list->count; i++) {
        held += r[i].verdict <= VERDICT_SUPPORTED;
        if (!cli->json)
            print_one(&list->items[i], &r[i]);
    }
    if (cli->json && print_lines(cli, list, r) != CLI_OK)
        return CLI_FAILED;
    cli_note(cli, "%zu of %zu sentences are borne out by what they cite", held,
             list->count);
    return held == list->count ? CLI_OK : CLI_FAILED;
}

/* Are there sentences that rest on pages of the index? */
static bool cites_pages(const struct check_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].passage == NULL && list->items[i].url_count > 0)
            return true;
    return false;
}

static int run(struct cli *cli, const char *path, bool fetch)
{
    struct check_pages pages = {.bytes_max = (size_t)cli->conf.page_bytes_max,
                                .timeout_ms = cli->conf.fetch_timeout_ms,
                                .pdf = &cli->pdf};
    struct errctx ec = {ERR_OK, ""};
    struct check_list list = {NULL, 0};
    struct check_result *r = NULL;
    struct buf b;
    enum err e;

    buf_init(&b, CLI_IN_MAX);
    e = cli_read(path, &b, &ec);
    if (e == ERR_OK)
        e = check_read(buf_str(&b), b.len, &cli->arena, &list, &ec);
    buf_fini(&b);
    if (e != ERR_OK)
        return cli_failf(cli, e, "%s: %s", path, err_words(e, &ec));
    if (list.count == 0)
        return cli_failf(cli, ERR_INVALID, "%s: there is no sentence in it",
                         path);
    if (cites_pages(&list) && !cli_open_store(cli))
        return CLI_FAILED;
    if (fetch && !cli_open_http(cli))
        return CLI_FAILED;
    pages.index = cli->store.index;
    pages.http = fetch ? cli->http : NULL;
    e = check_run(&pages, &list, deadline_in(INT64_MAX / 4), &cli->arena, &r,
                  &ec);
    return e == ERR_OK ? print_all(cli, &list, r) : cli_fail(cli, &ec);
}

int cli_check(struct cli *cli, int argc, char **argv)
{
    bool fetch = false;
    const struct cli_option options[] = {CLI_FLAG("fetch", &fetch),
                                         CLI_OPTIONS_END};

    if (!cli_options(cli, argc, argv, options) ||
        !cli_operands(cli, argc, 1, "FILE"))
        return CLI_USAGE;
    return run(cli, argv[optind], fetch);
}
