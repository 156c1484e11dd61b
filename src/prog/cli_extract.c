/* cited extract: a page as the index would store it. */
#include "prog/cli.h"

#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"
#include "page/document.h"
#include "web/render.h"

#include <getopt.h>
#include <string.h>

enum { PDF_MS = 60000 };

/* Bytes of a page and what is known about them. */
struct body {
    struct buf bytes;
    const char *url;
    const char *type; /* a Content-Type */
};

static bool is_address(const char *z)
{
    return ascii_starts_i(z, "http://") || ascii_starts_i(z, "https://");
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
        ok = (b->type = arena_strdup(&cli->arena,
                                     document_sniff(res.content_type,
                                                    buf_str(&res.body),
                                                    res.body.len))) != NULL &&
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
    cli_usage(cli, "%s: say what it is with --type html|markdown|text|pdf",
              what);
    return false;
}

static enum err parse(struct cli *cli, const struct body *b,
                      struct document_content *out, struct errctx *ec)
{
    const struct index_input in = {
        .url = *b->url == '\0' ? "http://localhost/" : b->url,
        .type = b->type,
        .charset = document_charset(b->type, &cli->arena),
        .body = buf_str(&b->bytes),
        .body_len = b->bytes.len,
        .day = DAY_NONE,
        .pdf = &cli->pdf,
        .pdf_until = deadline_in(PDF_MS)};

    return document_read(&in, &cli->arena, out, ec);
}

/* What the page is instead of content, or NULL. */
static const char *refusal_of(const struct document_content *x)
{
    const char *why = NULL;

    return x->type == DOCUMENT_HTML && page_is_refusal(&x->doc, &why) ? why
                                                                      : NULL;
}

/* What the reader should know besides. */
static void tell_notes(const struct document_content *x)
{
    const char *refusal = refusal_of(x);

    if (x->doc.cut)
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
                      const struct document_content *x, const char *text,
                      const char *markdown)
{
    const struct page_doc *doc = &x->doc;
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    jw_object(w);
    jw_kstring(w, "url", *b->url == '\0' ? doc->canonical : b->url);
    jw_kstring(w, "title", doc->title);
    jw_kstring(w, "author", doc->author);
    jw_kstring(w, "site", doc->site);
    jw_kday(w, "date", doc->day);
    jw_kstring(w, "language", doc->lang);
    jw_kstring(w, "favicon", doc->favicon);
    jw_kstring(w, "refusal", refusal_of(x));
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
    struct document_content x;
    const char *marked = NULL;
    struct buf text;
    enum err e = ERR_OK;
    int status = CLI_FAILED;

    buf_init(&text, CLI_OUT_MAX);
    buf_init(&b.bytes, CLI_IN_MAX);
    if (!read_body(cli, what, type, &b))
        goto out;
    e = parse(cli, &b, &x, &ec);
    if (e == ERR_OK && (markdown || cli->json))
        e = page_markdown(&x.doc, &cli->arena, &marked);
    if (e == ERR_OK && !markdown)
        e = add_text(&x.doc, &text);
    if (e != ERR_OK)
        status = cli_failf(cli, e, "%s", err_words(e, &ec));
    else if (cli->json)
        status = print_json(cli, &b, &x, buf_str(&text), marked);
    else if (markdown)
        status = puts(marked) < 0 ? CLI_FAILED : CLI_OK;
    else
        status = print_text(&x.doc, buf_str(&text));
    if (e == ERR_OK && !cli->json)
        tell_notes(&x);
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
        return cli_usage(cli, "--type wants html, markdown, text or pdf");
    if (!cli_operands(cli, argc, 1, "FILE or URL"))
        return CLI_USAGE;
    return extract(cli, argv[optind], type, markdown);
}
