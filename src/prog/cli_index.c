/* cited index: what is in the embedded index, and changes to it. Adding is
 * in cli_index_add.c. */
#include "prog/cli.h"

#include "base/date.h"
#include "index/page.h"
#include "web/render.h"

#include <getopt.h>
#include <string.h>

enum { LIST_PIECE = 200, HOSTS_SHOWN = 20 };

/* --- list -------------------------------------------------------------- */

static void print_line(const struct page *p)
{
    char day[DATE_LEN + 1] = "-";

    if (p->day != DAY_NONE)
        date_format(p->day, day);
    printf("%s\t%s\t%lld\t%s\n", p->url, day, (long long)p->passage_count,
           p->title);
}

static int print_object(struct cli *cli, const struct page *p, bool first)
{
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    buf_addc(&j.b, first ? '[' : ',');
    jw_object(w);
    jw_kstring(w, "url", p->url);
    jw_kstring(w, "title", p->title);
    jw_kday(w, "date", p->day);
    jw_kstring(w, "language", p->lang);
    jw_kint(w, "passages", p->passage_count);
    jw_kint(w, "bytes", p->text_bytes);
    jw_kstamp(w, "fetchedAt", p->fetched_ms);
    jw_object_end(w);
    return cli_json_end(cli, &j);
}

/* All pages, a piece at a time, so that a large index needs no memory. */
static int print_pages(struct cli *cli, const char *host)
{
    struct errctx ec = {ERR_OK, ""};
    int64_t after = 0, shown = 0;
    struct page *v = NULL;
    size_t count = 1;
    struct arena a;
    int status = CLI_OK;

    arena_init(&a, 64u << 20);
    while (count > 0 && status == CLI_OK) {
        arena_reset(&a);
        if (page_list(cli->store.index, host, after, LIST_PIECE, &a, &v, &count,
                      &ec) != ERR_OK) {
            status = cli_fail(cli, &ec);
            break;
        }
        for (size_t i = 0; i < count && status == CLI_OK; i++, shown++) {
            after = v[i].id;
            if (cli->json)
                status = print_object(cli, &v[i], shown == 0);
            else
                print_line(&v[i]);
        }
    }
    arena_fini(&a);
    if (cli->json && status == CLI_OK)
        puts(shown == 0 ? "[]" : "]");
    else if (shown == 0 && status == CLI_OK)
        cli_note(cli, "No page%s.", host == NULL ? "" : " of this host");
    return status;
}

static bool parse_host(struct cli *cli, const char *z, const char **host)
{
    if (host_canonical(z, strlen(z), &cli->arena, host) == ERR_OK)
        return true;
    cli_usage(cli, "\"%s\" is not a host name", z);
    return false;
}

static int list(struct cli *cli, int argc, char **argv)
{
    const char *host = NULL;

    optind = 1;
    if (argc > 2)
        return cli_usage(cli, "only one HOST is expected");
    if (argc == 2 && !parse_host(cli, argv[1], &host))
        return CLI_USAGE;
    return cli_open_store(cli) ? print_pages(cli, host) : CLI_FAILED;
}

/* --- remove ------------------------------------------------------------ */

static bool parse_address(struct cli *cli, const char *z, const char **url)
{
    struct errctx ec = {ERR_OK, ""};
    struct url u;

    if (url_parse(z, strlen(z), NULL, &cli->arena, &u, &ec) != ERR_OK) {
        cli_usage(cli, "%s: %s", z, ec.msg);
        return false;
    }
    *url = u.href;
    return true;
}

static int remove_pages(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    const char *host = NULL, *what = NULL;
    const struct cli_option options[] = {CLI_TEXT("host", &host),
                                         CLI_OPTIONS_END};
    int64_t removed = 0;
    enum err e;

    if (!cli_options(cli, argc, argv, options) ||
        !cli_operands(cli, argc, host == NULL, "URL (or --host HOST)"))
        return CLI_USAGE;
    if (host != NULL ? !parse_host(cli, host, &what)
                     : !parse_address(cli, argv[optind], &what))
        return CLI_USAGE;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    e = page_remove(cli->store.index, what, host != NULL, &removed, &ec);
    if (e == ERR_NOT_FOUND)
        return cli_failf(cli, ERR_NOT_FOUND, "no such page: %s", what);
    if (e != ERR_OK)
        return cli_fail(cli, &ec);
    printf(cli->json ? "{\"removed\":%lld}\n" : "Removed %lld pages.\n",
           (long long)removed);
    return CLI_OK;
}

/* --- stats and optimize ------------------------------------------------ */

static int stats_json(struct cli *cli, const struct index_stats *s)
{
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    jw_object(w);
    jw_kint(w, "pages", s->pages);
    jw_kint(w, "passages", s->passages);
    jw_kint(w, "terms", s->terms);
    jw_kint(w, "textBytes", s->text_bytes);
    jw_kint(w, "fileBytes", s->file_bytes);
    jw_kint(w, "segments", s->segments);
    jw_kint(w, "segmentBytes", s->segment_bytes);
    jw_kint(w, "removedPassages", s->removed);
    jw_kint(w, "lostSegments", s->lost);
    jw_kint(w, "missingPassages", s->missing);
    render_hosts(w, s);
    jw_object_end(w);
    return cli_json_end(cli, &j);
}

static int stats(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};
    struct index_stats s;

    (void)argc;
    (void)argv;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    if (index_stats(cli->store.index, &cli->arena, &s, &ec) != ERR_OK)
        return cli_fail(cli, &ec);
    if (cli->json)
        return stats_json(cli, &s);
    printf("pages     %lld\npassages  %lld\nterms     %lld\ntext      %.1f "
           "MiB\nfiles     %.1f MiB\nsegments  %lld, %.1f MiB; %lld removed "
           "passages in them\n",
           (long long)s.pages, (long long)s.passages, (long long)s.terms,
           (double)s.text_bytes / 1048576, (double)s.file_bytes / 1048576,
           (long long)s.segments, (double)s.segment_bytes / 1048576,
           (long long)s.removed);
    if (s.lost > 0 || s.missing > 0)
        printf("missing   %lld passages, %lld segments cannot be read: cited "
               "index optimize makes them again\n",
               (long long)s.missing, (long long)s.lost);
    for (size_t i = 0; i < s.host_count && i < HOSTS_SHOWN; i++)
        printf("  %s: %lld pages, %lld passages\n", s.hosts[i].host,
               (long long)s.hosts[i].pages, (long long)s.hosts[i].passages);
    if (s.host_count > HOSTS_SHOWN)
        printf("  and %zu more hosts\n", s.host_count - HOSTS_SHOWN);
    return CLI_OK;
}

static int optimize(struct cli *cli, int argc, char **argv)
{
    struct errctx ec = {ERR_OK, ""};

    (void)argc;
    (void)argv;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    cli_progress(cli, "optimizing the index…");
    if (index_optimize(cli->store.index, &ec) != ERR_OK)
        return cli_fail(cli, &ec);
    cli_progress_end(cli);
    puts(cli->json ? "{\"optimized\":true}" : "The index is optimized.");
    return CLI_OK;
}

int cli_index(struct cli *cli, int argc, char **argv)
{
    static const struct cli_word words[] = {
        {"add", cli_index_add, 0, NULL},   {"list", list, 0, NULL},
        {"remove", remove_pages, 0, NULL}, {"stats", stats, 0, ""},
        {"optimize", optimize, 0, ""},     {NULL, NULL, 0, NULL}};

    return cli_dispatch(cli, words, argc, argv);
}
