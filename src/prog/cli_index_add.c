/*
 * cited index add: files, folders and JSON lines into the index. What cannot
 * be read is told with its file and line, and the rest goes on.
 */
#include "prog/cli.h"
#include "prog/cli_ahead.h"

#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"
#include "web/input.h"

#include <errno.h>
#include <fts.h>
#include <getopt.h>
#include <string.h>

enum {
    FOLDERS_DEEP = 32,
    LINE_MAX_BYTES = 16 << 20,
    BATCH_MS = 500, /* other writers wait as long */
    BATCH_PAGES = 200,
    TOLD_MAX = 20,  /* failures told one by one */
    KEPT_MAX = 100, /* and kept for --json */
    PDF_MS = 60000
};

struct failure {
    const char *file;
    long line; /* 0 = the whole file */
    const char *message;
};

/* Why a file of a folder is no page. */
enum skipping { OTHER_KIND, SAYS_NOTHING, HIDDEN, NO_FILE, SKIPPINGS };

static const char *const skipping_names[SKIPPINGS] = {
    "of another kind", "without text", "hidden", "linked"};

struct adding {
    struct cli *cli;
    const char *url, *base; /* options, or NULL */
    const char *type;       /* a media type */
    struct url base_url;
    struct ahead *ahead; /* documents being parsed */
    struct buf lines;    /* a file of JSON lines */
    bool in_batch;
    int64_t batch_since, batch_pages;
    int64_t added, passages, failed;
    int64_t skipped[SKIPPINGS];
    struct failure failures[KEPT_MAX];
    const volatile sig_atomic_t *stop;
    bool broken; /* the index cannot be written: told */
};

/* --- what went wrong --------------------------------------------------- */

static void fail_at(struct adding *x, const char *file, long line,
                    const char *message)
{
    if (x->failed < KEPT_MAX) {
        struct failure *f = &x->failures[x->failed];

        f->file = arena_strdup(&x->cli->arena, file);
        f->message = arena_strdup(&x->cli->arena, message);
        f->line = line;
    }
    x->failed++;
    if (x->failed > TOLD_MAX)
        return;
    cli_progress_end(x->cli);
    if (line > 0)
        fprintf(stderr, "%s:%ld: %s\n", file, line, message);
    else
        fprintf(stderr, "%s: %s\n", file, message);
}

static void break_off(struct adding *x, const struct errctx *ec)
{
    if (!x->broken)
        cli_fail(x->cli, ec);
    x->broken = true;
}

/* --- batches ----------------------------------------------------------- */

static void end_batch(struct adding *x)
{
    struct errctx ec = {ERR_OK, ""};

    if (!x->in_batch)
        return;
    x->in_batch = false;
    if (x->broken)
        page_batch_abort(x->cli->store.index);
    else if (page_batch_commit(x->cli->store.index, &ec) != ERR_OK)
        break_off(x, &ec);
}

static bool begin_batch(struct adding *x)
{
    struct errctx ec = {ERR_OK, ""};

    if (x->in_batch && (x->batch_pages >= BATCH_PAGES ||
                        clock_mono_ms() - x->batch_since >= BATCH_MS))
        end_batch(x);
    if (x->in_batch || x->broken)
        return !x->broken;
    if (page_batch_begin(x->cli->store.index, &ec) != ERR_OK) {
        break_off(x, &ec);
        return false;
    }
    x->in_batch = true;
    x->batch_since = clock_mono_ms();
    x->batch_pages = 0;
    return true;
}

/* --- one document ------------------------------------------------------ */

static bool should_stop(const struct adding *x)
{
    return x->broken || *x->stop != 0;
}

/* In the order they came, on the thread that owns the index. */
static void put_document(struct ahead_doc *d, void *adding)
{
    struct adding *x = adding;
    int64_t passages = 0;
    enum err e;

    if (should_stop(x))
        return;
    if (d->wrong != NULL) {
        fail_at(x, d->file, d->line, d->wrong);
        return;
    }
    if (!begin_batch(x))
        return;
    e = document_add(x->cli->store.index, &d->in, &d->doc, &d->arena, &passages,
                     &d->ec);
    if (err_is_storage(e) || e == ERR_BUSY) {
        break_off(x, &d->ec);
        return;
    }
    if (e == ERR_NO_RESULT && !d->named) {
        x->skipped[SAYS_NOTHING]++;
        return;
    }
    if (e != ERR_OK) {
        fail_at(x, d->file, d->line,
                e == ERR_NO_RESULT ? "nothing in it is worth indexing"
                                   : err_words(e, &d->ec));
        return;
    }
    x->added++;
    x->passages += passages;
    x->batch_pages++;
    cli_progress(x->cli, "%lld pages, %lld passages: %s", (long long)x->added,
                 (long long)x->passages, d->in.url);
}

/* --- addresses --------------------------------------------------------- */

/* A file's path as the path of a URL: bytes that mean something in one are
 * escaped. */
static const char *path_as_reference(const char *path, struct arena *a)
{
    char *z = arena_alloc(a, 3 * strlen(path) + 3), *q = z;

    if (z == NULL)
        return NULL;
    *q++ = '.';
    *q++ = '/';
    for (; *path != '\0'; path++) {
        unsigned char c = (unsigned char)*path;

        if (strchr("?#%\\ ", c) == NULL) {
            *q++ = *path;
            continue;
        }
        *q++ = '%';
        *q++ = "0123456789ABCDEF"[c >> 4];
        *q++ = "0123456789ABCDEF"[c & 15];
    }
    *q = '\0';
    return z;
}

/* What the HTML itself says its address is; NULL when it says nothing. */
static const char *canonical_of(struct ahead_doc *d)
{
    static const char nowhere[] = "http://nowhere.invalid/";
    struct page_doc doc;
    struct url u;
    const char *text;
    size_t n;

    memset(&doc, 0, sizeof doc);
    if (url_parse(nowhere, strlen(nowhere), NULL, &d->arena, &u, NULL) !=
            ERR_OK ||
        html_to_utf8(buf_str(&d->bytes), d->bytes.len, NULL, &d->arena, &text,
                     &n) != ERR_OK ||
        html_parse(text, n, &u, &d->arena, &doc, NULL) != ERR_OK ||
        doc.canonical == NULL || *doc.canonical == '\0' ||
        strncmp(doc.canonical, nowhere, strlen(nowhere)) == 0)
        return NULL;
    return doc.canonical;
}

/* The address of a file; NULL: d->wrong says why it has none. */
static const char *address_of(const struct adding *x, struct ahead_doc *d)
{
    const char *z = NULL;
    struct url u;

    if (x->url != NULL)
        return x->url;
    if (x->base != NULL) {
        z = path_as_reference(d->relative, &d->arena);
        if (z != NULL && url_parse(z, strlen(z), &x->base_url, &d->arena, &u,
                                   &d->ec) == ERR_OK)
            return u.href;
        d->wrong = z == NULL ? "out of memory" : d->ec.msg;
        return NULL;
    }
    if (strcmp(d->type, "text/html") == 0)
        z = canonical_of(d);
    if (z == NULL)
        d->wrong = "it has no address to be cited by; give --base URL (or "
                   "--url URL for one file)";
    return z;
}

/* --- documents parsed, on any thread ------------------------------------- */

/* A line as POST /v1/pages takes it. */
static void read_line_input(struct ahead_doc *d)
{
    struct json_limits lim = json_limits_foreign;
    struct problem wrong;
    struct input in = {NULL, "", &d->arena, &wrong};

    lim.bytes_max = LINE_MAX_BYTES;
    if (json_parse(d->text.p, d->text.n, &lim, &d->json, &d->ec) != ERR_OK) {
        d->wrong = d->ec.msg;
        return;
    }
    if (json_type_of(d->json) != JSON_OBJECT) {
        d->wrong = "not a JSON object";
        return;
    }
    in.object = d->json;
    problem_init(&wrong, &d->arena);
    input_page(&in, &d->in);
    if (wrong.count > 0)
        d->wrong = wrong.at[0].message;
}

static void read_file_input(const struct adding *x, struct ahead_doc *d)
{
    d->in.url = address_of(x, d);
    d->in.type = d->type;
    d->in.day = DAY_NONE;
    d->in.body = buf_str(&d->bytes);
    d->in.body_len = d->bytes.len;
    d->in.pdf = &x->cli->pdf;
    d->in.pdf_until = deadline_in(PDF_MS);
}

static void parse_document(struct ahead_doc *d, void *adding)
{
    enum err e;

    memset(&d->in, 0, sizeof d->in);
    if (d->text.p != NULL)
        read_line_input(d);
    else
        read_file_input(adding, d);
    if (d->wrong != NULL)
        return;
    d->in.now_ms = clock_now_ms();
    e = document_parse(&d->in, &d->arena, &d->doc, &d->ec);
    if (e != ERR_OK)
        d->wrong = err_words(e, &d->ec);
}

/* --- JSON lines -------------------------------------------------------- */

static bool read_line(const char **p, const char *end, struct str *line)
{
    const char *nl;

    if (*p >= end)
        return false;
    nl = memchr(*p, '\n', (size_t)(end - *p));
    line->p = *p;
    line->n = (size_t)((nl == NULL ? end : nl) - *p);
    *p = nl == NULL ? end : nl + 1;
    *line = str_trim(*line);
    return true;
}

/* What bytes holds; they are x->lines' afterwards, until all are put. */
static void add_lines(struct adding *x, struct buf *bytes, const char *file)
{
    struct buf swapped = x->lines;
    const char *p, *end;
    struct str line;

    x->lines = *bytes;
    *bytes = swapped;
    p = buf_str(&x->lines);
    end = p + x->lines.len;
    for (long n = 1; read_line(&p, end, &line) && !should_stop(x); n++) {
        struct ahead_doc *d;

        if (line.n == 0)
            continue;
        d = ahead_next(x->ahead);
        d->file = file;
        d->line = n;
        d->named = true;
        d->text = line;
        ahead_add(x->ahead);
    }
    ahead_settle(x->ahead);
}

/* --- files and folders ------------------------------------------------- */

/* What comes is told in order: all before it first. */
static void fail_now(struct adding *x, const char *file, const char *message)
{
    ahead_settle(x->ahead);
    fail_at(x, file, 0, message);
}

static void add_file(struct adding *x, const char *path, const char *relative,
                     bool named)
{
    struct errctx ec = {ERR_OK, ""};
    struct ahead_doc *d = ahead_next(x->ahead);
    const char *file = arena_strdup(&d->arena, path);
    const char *type = x->type;

    if (x->url != NULL && !named) {
        fail_now(x, path, "--url goes with one file only; give --base");
        return;
    }
    if (type == NULL && strcmp(path, "-") != 0 &&
        (type = document_name_type(path)) == NULL) {
        if (named)
            fail_now(x, path,
                     "its name does not say what it is; give --type "
                     "html|markdown|text|pdf|jsonl");
        else
            x->skipped[OTHER_KIND]++;
        return;
    }
    if (cli_read(path, &d->bytes, &ec) != ERR_OK) {
        fail_now(x, path, ec.msg);
        return;
    }
    if (type == NULL && (type = cli_type_of(path, &d->bytes)) == NULL)
        type = "text/plain";
    if (strcmp(type, CLI_JSON_LINES) == 0) {
        struct buf bytes = d->bytes;

        buf_init(&d->bytes, CLI_IN_MAX);
        ahead_settle(x->ahead);
        add_lines(x, &bytes, path);
        buf_fini(&bytes);
        return;
    }
    d->file = file;
    d->line = 0;
    d->named = named;
    d->relative = arena_strdup(&d->arena, relative);
    d->type = type;
    if (file == NULL || d->relative == NULL)
        fail_now(x, path, "out of memory");
    else
        ahead_add(x->ahead);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static const char *below(const FTSENT *f, const char *root)
{
    const char *z = f->fts_path + strlen(root);

    while (*z == '/')
        z++;
    return z;
}

/* Hidden, or where Sphinx keeps what the pages beside it were made of. */
static bool is_left_out(const FTSENT *f)
{
    return f->fts_level > 0 &&
           (f->fts_name[0] == '.' ||
            (f->fts_info == FTS_D && strcmp(f->fts_name, "_sources") == 0));
}

static void visit(struct adding *x, FTS *tree, FTSENT *f, const char *root)
{

    switch (f->fts_info) {
    case FTS_D:
        if (is_left_out(f) || f->fts_level > FOLDERS_DEEP)
            fts_set(tree, f, FTS_SKIP);
        break;
    case FTS_F:
        if (is_left_out(f))
            x->skipped[HIDDEN]++;
        else
            add_file(x, f->fts_path,
                     f->fts_level == 0 ? f->fts_name : below(f, root),
                     f->fts_level == 0);
        break;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        fail_now(x, f->fts_path, strerror(f->fts_errno));
        break;
    case FTS_SL:
    case FTS_SLNONE:
    case FTS_DEFAULT:
        x->skipped[NO_FILE]++;
        break;
    default:
        break;
    }
}

/* A file, or every file of a folder in the order of their names; links to
 * elsewhere are not followed. */
static void add_tree(struct adding *x, char *root)
{
    char *roots[] = {root, NULL};
    size_t n = strlen(root);
    FTSENT *f;
    FTS *tree;

    while (n > 1 && root[n - 1] == '/')
        root[--n] = '\0';
    tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    if (tree == NULL) {
        fail_now(x, root, strerror(errno));
        return;
    }
    while (!should_stop(x) && (f = fts_read(tree)) != NULL)
        visit(x, tree, f, root);
    fts_close(tree);
}

/* --- the end ----------------------------------------------------------- */

static int64_t skipped_count(const struct adding *x)
{
    int64_t n = 0;

    for (size_t i = 0; i < SKIPPINGS; i++)
        n += x->skipped[i];
    return n;
}

static int print_json(struct adding *x)
{
    int64_t kept = x->failed < KEPT_MAX ? x->failed : KEPT_MAX;
    struct cli_json j;
    struct json_out *w = cli_json_begin(&j);

    jw_object(w);
    jw_kint(w, "added", x->added);
    jw_kint(w, "passages", x->passages);
    jw_kint(w, "skipped", skipped_count(x));
    jw_kint(w, "failed", x->failed);
    jw_karray(w, "errors");
    for (int64_t i = 0; i < kept; i++) {
        jw_object(w);
        jw_kstring(w, "file", x->failures[i].file);
        if (x->failures[i].line > 0)
            jw_kint(w, "line", x->failures[i].line);
        jw_kstring(w, "message", x->failures[i].message);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
    return cli_json_end(x->cli, &j);
}

static void print_lines(const struct adding *x)
{
    int64_t skipped = skipped_count(x);
    const char *mark = " (";

    printf("Added %lld page%s (%lld passage%s); %lld skipped",
           (long long)x->added, x->added == 1 ? "" : "s",
           (long long)x->passages, x->passages == 1 ? "" : "s",
           (long long)skipped);
    for (size_t i = 0; i < SKIPPINGS; i++)
        if (x->skipped[i] > 0) {
            printf("%s%lld %s", mark, (long long)x->skipped[i],
                   skipping_names[i]);
            mark = ", ";
        }
    printf("%s, %lld failed.\n", skipped > 0 ? ")" : "", (long long)x->failed);
    if (x->passages > 0 && *x->cli->conf.meaning_model != '\0')
        printf("Answers go by their words until what they mean is read, in the "
               "background:\ncited doctor says how far that is.\n");
}

static int tell(struct adding *x)
{
    int status = CLI_OK;

    cli_progress_end(x->cli);
    if (x->failed > TOLD_MAX)
        fprintf(stderr, "… and %lld more that failed\n",
                (long long)(x->failed - TOLD_MAX));
    if (x->cli->json)
        status = print_json(x);
    else
        print_lines(x);
    if (*x->stop != 0)
        cli_note(x->cli, "Interrupted; what was added stays.");
    return x->failed > 0 || x->broken || *x->stop != 0 ? CLI_FAILED : status;
}

/* What is not done now, a helper does; what was added is found already. */
static void merge(struct adding *x)
{
    struct errctx ec = {ERR_OK, ""};

    if (index_upkeep(x->cli->store.index, NULL, &ec) != ERR_OK)
        cli_note(x->cli, "The index is not merged: %s", ec.msg);
}

static bool set_base(struct cli *cli, void *adding, const char *base)
{
    struct adding *x = adding;
    struct errctx ec = {ERR_OK, ""};
    struct arena *a = &cli->arena;
    size_t n = strlen(base);
    const char *z =
        n > 0 && base[n - 1] == '/' ? base : arena_printf(a, "%s/", base);

    if (z != NULL &&
        url_parse(z, strlen(z), NULL, a, &x->base_url, &ec) == ERR_OK) {
        x->base = x->base_url.href;
        return true;
    }
    cli_usage(cli, "--base: %s", ec.msg);
    return false;
}

static bool set_url(struct cli *cli, void *adding, const char *url)
{
    struct adding *x = adding;
    struct errctx ec = {ERR_OK, ""};
    struct url u;

    if (url_parse(url, strlen(url), NULL, &cli->arena, &u, &ec) == ERR_OK) {
        x->url = u.href;
        return true;
    }
    cli_usage(cli, "--url: %s", ec.msg);
    return false;
}

static bool set_kind(struct cli *cli, void *adding, const char *kind)
{
    struct adding *x = adding;

    x->type = cli_media_type(kind);
    if (x->type != NULL)
        return true;
    cli_usage(cli,
              "--type wants html, markdown, text, pdf or jsonl, not \"%s\"",
              kind);
    return false;
}

static bool read_options(struct adding *x, int argc, char **argv)
{
    const struct cli_option options[] = {
        CLI_TAKEN("url", x, set_url), CLI_TAKEN("base", x, set_base),
        CLI_TAKEN("type", x, set_kind), CLI_OPTIONS_END};

    if (!cli_options(x->cli, argc, argv, options))
        return false;
    if (optind >= argc)
        return cli_usage(x->cli, "FILE or DIR is missing"), false;
    if (x->url != NULL && argc - optind > 1)
        return cli_usage(x->cli, "--url goes with one file only"), false;
    return true;
}

int cli_index_add(struct cli *cli, int argc, char **argv)
{
    struct adding *x = arena_alloc(&cli->arena, sizeof *x);
    struct ahead_work work = {parse_document, put_document, x};
    int status;

    if (x == NULL)
        return cli_failf(cli, ERR_NOMEM, "out of memory");
    x->cli = cli;
    if (!read_options(x, argc, argv))
        return CLI_USAGE;
    if (!cli_open_store(cli))
        return CLI_FAILED;
    x->stop = cli_catch_stop();
    x->ahead = ahead_new(&work);
    if (x->ahead == NULL)
        return cli_failf(cli, ERR_NOMEM, "out of memory");
    buf_init(&x->lines, CLI_IN_MAX);
    for (int i = optind; i < argc && !should_stop(x); i++) {
        if (strcmp(argv[i], "-") == 0)
            add_file(x, "-", "", true);
        else
            add_tree(x, argv[i]);
    }
    ahead_settle(x->ahead);
    end_batch(x);
    if (!should_stop(x) && x->added > 0)
        merge(x);
    cli_vectors(cli);
    status = tell(x);
    ahead_free(x->ahead);
    buf_fini(&x->lines);
    return status;
}
