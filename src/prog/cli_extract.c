/* cited extract: a page as the index would store it. */
#include "prog/cli.h"

#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"
#include "text/html.h"
#include "web/render.h"

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
        type != NULL ? cli_media_type(type) : cli_type_of(what, &b->bytes);
    if (b->type != NULL)
        return true;
    cli_usage(cli, "%s: say what it is with --type html|markdown|text", what);
    return false;
}

/* The body in UTF-8; its own bytes are given back when they were converted. */
static enum err to_utf8(struct body *b, const char *charset, struct arena *a,
                        const char **text, size_t *n)
{
    const char *bytes = buf_str(&b->bytes);
    enum err e = html_to_utf8(bytes, b->bytes.len, charset, a, text, n);

    if (e == ERR_OK && (*text < bytes || *text > bytes + b->bytes.len))
        buf_fini(&b->bytes);
    return e;
}

static enum err parse_html(struct body *b, struct arena *a,
                           struct page_doc *doc, struct errctx *ec)
{
    static const char nowhere[] = "http://localhost/";
    const char *base = *b->url == '\0' ? nowhere : b->url, *text;
    struct url u;
    size_t n;
    enum err e = url_parse(base, strlen(base), NULL, a, &u, ec);

    if (e == ERR_OK)
        e = to_utf8(b, b->charset, a, &text, &n);
    return e == ERR_OK ? html_parse(text, n, &u, a, doc, ec) : e;
}

static enum err parse(struct body *b, struct arena *a, struct page_doc *doc,
                      struct errctx *ec)
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
    e = to_utf8(b, b->charset == NULL ? "utf-8" : b->charset, a, &text, &n);
    if (e != ERR_OK)
        return e;
    e = strcmp(b->type, "text/plain") == 0
            ? plain_parse(text, n, a, doc)
            : markdown_parse(text, n, NULL, a, doc);
    return e == ERR_TOO_LARGE
               ? err_set(ec, e, "a paragraph is larger than 8 MiB")
               : e;
}

/* What the page is instead of content, or NULL. */
static const char *refusal_of(const struct body *b, const struct page_doc *doc)
{
    const char *why = NULL;

    return strcmp(b->type, "text/markdown") != 0 &&
                   strcmp(b->type, "text/plain") != 0 &&
                   page_is_refusal(doc, &why)
               ? why
               : NULL;
}

/* What the reader should know besides. */
static void tell_notes(const struct body *b, const struct page_doc *doc)
{
    const char *refusal = refusal_of(b, doc);

    if (doc->cut)
        fprintf(stderr, "note: the page is too large to be read whole; this "
                        "is its beginning\n");
    if (refusal != NULL)
        fprintf(stderr, "note: this is %s; it would not be indexed\n", refusal);
}

/* Does the block continue the list or table of the one before? */
static bool continues(const struct block *b)
{
    return (b->kind == BLOCK_LIST_ITEM || b->kind == BLOCK_TABLE_ROW) &&
           b->kind == b[-1].kind;
}

/* The main text with its headings, block by block. */
static enum err add_text(const struct page_doc *doc, struct buf *out)
{
    for (size_t i = 0; i < doc->block_count; i++) {
        if (i > 0)
            buf_adds(out, continues(&doc->blocks[i]) ? "\n" : "\n\n");
        buf_adds(out, doc->blocks[i].text);
    }
    return buf_err(out);
}

static int print_json(struct cli *cli, const struct body *b,
                      const struct page_doc *doc, const char *text,
                      const char *markdown)
{
    const char *refusal = refusal_of(b, doc);
    char day[DATE_LEN + 1];
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    if (doc->day != DAY_NONE)
        date_format(doc->day, day);
    jw_object(w);
    jw_kstring(w, "url", *b->url == '\0' ? doc->canonical : b->url);
    jw_kstring(w, "title", doc->title);
    jw_kstring(w, "author", doc->author);
    jw_kstring(w, "site", doc->site);
    jw_kstring(w, "date", doc->day == DAY_NONE ? NULL : day);
    jw_kstring(w, "language", doc->lang);
    jw_kstring(w, "favicon", doc->favicon);
    jw_kstring(w, "refusal", refusal);
    jw_kbool(w, "cut", doc->cut);
    jw_kstring(w, "text", text);
    jw_kstring(w, "markdown", markdown);
    render_images(w, doc);
    jw_object_end(w);
    return cli_json_end(cli, &j);
}

static int print_text(const struct page_doc *doc, const char *text)
{
    char day[DATE_LEN + 1] = "unknown";

    if (doc->day != DAY_NONE)
        date_format(doc->day, day);
    printf("title: %s\ndate: %s\nlanguage: %s\n\n%s\n",
           doc->title == NULL ? "" : doc->title, day,
           doc->lang == NULL || *doc->lang == '\0' ? "unknown" : doc->lang,
           text);
    return CLI_OK;
}

static int extract(struct cli *cli, const char *what, const char *type,
                   bool markdown)
{
    struct errctx ec = {ERR_OK, ""};
    struct body b = {.url = ""};
    struct page_doc doc;
    const char *marked = NULL;
    struct buf text;
    enum err e = ERR_OK;
    int status = CLI_FAILED;

    buf_init(&text, CLI_OUT_MAX);
    buf_init(&b.bytes, CLI_IN_MAX);
    if (!read_body(cli, what, type, &b))
        goto out;
    e = parse(&b, &cli->arena, &doc, &ec);
    if (e == ERR_OK && (markdown || cli->json))
        e = page_markdown(&doc, &cli->arena, &marked);
    if (e == ERR_OK && !markdown)
        e = add_text(&doc, &text);
    if (e != ERR_OK)
        status =
            cli_failf(cli, e, "%s", ec.msg[0] == '\0' ? err_name(e) : ec.msg);
    else if (cli->json)
        status = print_json(cli, &b, &doc, buf_str(&text), marked);
    else if (markdown)
        status = puts(marked) < 0 ? CLI_FAILED : CLI_OK;
    else
        status = print_text(&doc, buf_str(&text));
    if (e == ERR_OK && !cli->json)
        tell_notes(&b, &doc);
out:
    buf_fini(&text);
    buf_fini(&b.bytes);
    return status;
}

int cli_extract(struct cli *cli, int argc, char **argv)
{
    const char *type = NULL;
    bool markdown = false;
    const struct cli_option options[] = {CLI_FLAG("markdown", &markdown),
                                         CLI_TEXT("type", &type),
                                         CLI_OPTIONS_END};

    if (!cli_options(cli, argc, argv, options))
        return CLI_USAGE;
    if (type != NULL && cli_media_type(type) == NULL)
        return cli_usage(cli, "--type wants html, markdown or text");
    if (!cli_operands(cli, argc, 1, "FILE or URL"))
        return CLI_USAGE;
    return extract(cli, argv[optind], type, markdown);
}
