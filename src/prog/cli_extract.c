/* cited extract: a page as the index would store it. */
#include "prog/cli.h"
#include "prog/cli_type.h"

#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"
#include "text/passage.h"

#include <getopt.h>
#include <string.h>

/* Bytes of a page and what is known about them. */
struct body {
    struct buf bytes;
    const char *url;
    const char *type;    /* media type */
    const char *charset; /* or NULL */
};

static bool is_address(const char *z)
{
    return ascii_starts_i(z, "http://") || ascii_starts_i(z, "https://");
}

/* "text/html; charset=x" taken apart. */
static bool take_type(struct cli *cli, const char *header, struct body *b)
{
    const char *semicolon = strchr(header, ';');
    size_t n =
        semicolon == NULL ? strlen(header) : (size_t)(semicolon - header);
    const char *charset = mem_find_i(header, strlen(header), "charset=");
    struct str type = {header, n};
    struct str set = str_of(charset == NULL ? "" : charset + 8);

    type = str_trim(type);
    if (type.n == 0)
        type = str_of("text/html");
    b->type = arena_strndup(&cli->arena, type.p, type.n);
    while (set.n > 0 && (*set.p == '"' || *set.p == '\'')) {
        set.p++;
        set.n--;
    }
    n = strcspn(set.p, "\"'; ");
    if (n > 0)
        b->charset = arena_strndup(&cli->arena, set.p, n);
    return b->type != NULL;
}

static bool fetch(struct cli *cli, const char *address, struct body *b)
{
    struct errctx ec = {ERR_OK, ""};
    struct http_request rq;
    struct http_response res;
    struct url u;
    bool ok = false;

    if (url_parse(address, strlen(address), NULL, &cli->arena, &u, &ec) !=
        ERR_OK) {
        cli_fail(cli, &ec);
        return false;
    }
    if (!cli_open_http(cli))
        return false;
    memset(&rq, 0, sizeof rq);
    rq.url = u.href;
    rq.response_max = (size_t)cli->conf.page_bytes_max;
    rq.redirects_max = 5;
    http_run(cli->http, &rq, deadline_in(cli->conf.fetch_timeout_ms), &res);
    if (res.err != ERR_OK)
        cli_failf(cli, res.err, "%s: %s", u.href, res.msg);
    else if (res.status != 200)
        cli_failf(cli, ERR_UPSTREAM, "%s: HTTP status %ld", u.href, res.status);
    else
        ok = take_type(cli, res.content_type, b) &&
             buf_add(&b->bytes, res.body.data, res.body.len) == ERR_OK;
    b->url = arena_strdup(&cli->arena, ok ? res.url : "");
    http_response_fini(&res);
    return ok;
}

static bool read_body(struct cli *cli, const char *what, const char *type,
                      struct body *b)
{
    struct errctx ec = {ERR_OK, ""};

    if (is_address(what))
        return fetch(cli, what, b);
    if (cli_read(what, &b->bytes, &ec) != ERR_OK) {
        cli_fail(cli, &ec);
        return false;
    }
    b->url = "";
    b->type =
        cli_media_type(type != NULL ? type : cli_type_of(what, &b->bytes));
    if (b->type != NULL)
        return true;
    cli_usage(cli, "%s: say what it is with --type html|markdown|text", what);
    return false;
}

static enum err parse_html(const struct body *b, struct arena *a,
                           struct page_doc *doc, struct errctx *ec)
{
    static const char nowhere[] = "http://localhost/";
    const char *base = *b->url == '\0' ? nowhere : b->url, *text;
    struct url u;
    size_t n;
    enum err e = url_parse(base, strlen(base), NULL, a, &u, ec);

    if (e == ERR_OK)
        e = html_to_utf8(buf_str(&b->bytes), b->bytes.len, b->charset, a, &text,
                         &n);
    return e == ERR_OK ? html_parse(text, n, &u, a, doc, ec) : e;
}

static enum err parse(const struct body *b, struct arena *a,
                      struct page_doc *doc, struct errctx *ec)
{
    const char *text;
    size_t n;
    enum err e;

    memset(doc, 0, sizeof *doc);
    if (strcmp(b->type, "text/html") == 0 ||
        strcmp(b->type, "application/xhtml+xml") == 0)
        return parse_html(b, a, doc, ec);
    if (strcmp(b->type, "text/markdown") != 0 &&
        strcmp(b->type, "text/plain") != 0)
        return err_set(ec, ERR_INVALID,
                       "the page is of type %s; only HTML, Markdown and "
                       "plain text can be read",
                       b->type);
    e = html_to_utf8(buf_str(&b->bytes), b->bytes.len,
                     b->charset == NULL ? "utf-8" : b->charset, a, &text, &n);
    if (e != ERR_OK)
        return e;
    return strcmp(b->type, "text/plain") == 0
               ? plain_parse(text, n, a, doc)
               : markdown_parse(text, n, NULL, a, doc);
}

static void write_images(struct json_out *w, const struct page_doc *doc)
{
    jw_key(w, "images");
    jw_array(w);
    for (size_t i = 0; i < doc->image_count; i++) {
        jw_object(w);
        jw_kstring(w, "alt", doc->images[i].alt);
        jw_kstring(w, "url", doc->images[i].url);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static int print_json(struct cli *cli, const struct body *b,
                      const struct page_doc *doc, const char *markdown)
{
    char day[DATE_LEN + 1];
    struct buf out;
    struct json_out w;
    int status;

    if (doc->day != DAY_NONE)
        date_format(doc->day, day);
    buf_init(&out, CLI_OUT_MAX);
    jw_init(&w, &out);
    jw_object(&w);
    jw_kstring(&w, "url", *b->url == '\0' ? doc->canonical : b->url);
    jw_kstring(&w, "title", doc->title);
    jw_kstring(&w, "date", doc->day == DAY_NONE ? NULL : day);
    jw_kstring(&w, "language", doc->lang);
    jw_kstring(&w, "favicon", doc->favicon);
    jw_kstring(&w, "markdown", markdown);
    write_images(&w, doc);
    jw_object_end(&w);
    status = cli_print(cli, &out);
    buf_fini(&out);
    return status;
}

static int print_text(struct cli *cli, const struct page_doc *doc)
{
    char day[DATE_LEN + 1] = "unknown";
    struct passage_text *v = NULL;
    size_t count = 0;

    if (passages_cut(doc, &cli->arena, &v, &count) != ERR_OK)
        return cli_failf(cli, ERR_NOMEM, "the page is too large");
    if (doc->day != DAY_NONE)
        date_format(doc->day, day);
    printf("title: %s\ndate: %s\nlanguage: %s\npassages: %zu\n",
           doc->title == NULL ? "" : doc->title, day,
           doc->lang == NULL || *doc->lang == '\0' ? "unknown" : doc->lang,
           count);
    for (size_t i = 0; i < count; i++)
        printf("\n%s\n", v[i].text);
    return CLI_OK;
}

static int extract(struct cli *cli, const char *what, const char *type,
                   bool markdown)
{
    struct errctx ec = {ERR_OK, ""};
    struct body b = {.url = ""};
    struct page_doc doc;
    const char *text = NULL;
    enum err e = ERR_OK;
    int status = CLI_FAILED;

    buf_init(&b.bytes, CLI_IN_MAX);
    if (!read_body(cli, what, type, &b))
        goto out;
    e = parse(&b, &cli->arena, &doc, &ec);
    if (e == ERR_OK && (markdown || cli->json))
        e = page_markdown(&doc, &cli->arena, &text);
    if (e != ERR_OK)
        status =
            cli_failf(cli, e, "%s", ec.msg[0] == '\0' ? err_name(e) : ec.msg);
    else if (cli->json)
        status = print_json(cli, &b, &doc, text);
    else if (markdown)
        status = puts(text) < 0 ? CLI_FAILED : CLI_OK;
    else
        status = print_text(cli, &doc);
out:
    buf_fini(&b.bytes);
    return status;
}

int cli_extract(struct cli *cli, int argc, char **argv)
{
    static const struct option options[] = {
        {"markdown", no_argument, NULL, 'm'},
        {"type", required_argument, NULL, 't'},
        {NULL, 0, NULL, 0}};
    const char *type = NULL;
    bool markdown = false;
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c == 'm')
            markdown = true;
        else if (c == 't' && cli_media_type(optarg) != NULL)
            type = optarg;
        else if (c == 't')
            return cli_usage(cli, "--type wants html, markdown or text");
        else
            return cli_usage(cli, NULL);
    }
    if (!cli_operands(cli, argc, 1, "FILE or URL"))
        return CLI_USAGE;
    return extract(cli, argv[optind], type, markdown);
}
