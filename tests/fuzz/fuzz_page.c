/*
 * libFuzzer: a page that a provider found, read from its server: robots.txt,
 * redirects, header lines, charset, type, and the document itself in all
 * types, up to its passages in the index and in the provider's answer.
 *
 * Input: a byte of options (bit 0: the page is in the index already, bit 1:
 * pages are kept), then the replies (http_reply.h), robots.txt first. What a
 * PDF's reader hands back is the body behind "%PDF-".
 */
#include "answer_world.h"
#include "http_reply.h"

#include "base/log.h"
#include "find/read.h"
#include "net/polite.h"
#include "store/sql.h"

/* The reader of PDF files. */
static enum err pdf_run(const struct pdf_reader *self, const char *body,
                        size_t n, struct deadline d, struct arena *a,
                        struct pdf_content *out, struct errctx *ec)
{
    (void)self;
    (void)d;
    if (n < 5)
        return err_set(ec, ERR_INVALID, "no PDF");
    *out = (struct pdf_content){arena_strndup(a, body + 5, n - 5), DAY_NONE};
    return out->text == NULL ? ERR_NOMEM : ERR_OK;
}

static void check_found(const struct provider_answer *pa)
{
    for (size_t i = 0; i < pa->count; i++) {
        const struct candidate *c = &pa->found[i];

        check_text(c->url);
        check_text(c->host);
        check_text(c->title);
        check_text(c->heading);
        check_text(c->text);
        check_text(c->favicon);
        HOLDS(c->lang != NULL && c->text[0] != '\0');
    }
}

static void read(const struct conf *conf, struct arena *a)
{
    static const struct index_filter all = {.day_from = DAY_NONE,
                                            .day_to = DAY_NONE};
    static const struct pdf_reader pdf = {.run = pdf_run};
    static struct db index; /* follows nothing, and is not opened */
    static char place[2];   /* never looked into */
    struct search_env env = {.conf = conf,
                             .index = &index,
                             .http = (void *)&place[0],
                             .providers = (void *)&place[1],
                             .pdf = &pdf};
    struct candidate found[2] = {{.url = "https://host0.example/a.md",
                                  .host = "host0.example",
                                  .title = "A",
                                  .heading = "",
                                  .text = "snippet",
                                  .favicon = "",
                                  .lang = "",
                                  .day = DAY_NONE,
                                  .score = 1}};
    struct provider_answer pa = {
        .provider = "provider", .outcome = OUTCOME_OK, .count = 2};
    struct query q;
    struct pages_read p = {.q = &q,
                           .filter = &all,
                           .max = 2,
                           .deadline = deadline_in(1 << 30),
                           .id = "fuzz"};
    struct errctx ec = {.msg = ""};

    found[1] = found[0];
    found[1].url = "https://host1.example/b";
    pa.found = found;
    HOLDS(query_parse("tower kinds the 高さ", a, &q) == ERR_OK);
    HOLDS(pages_read(&env, &p, &pa, 1, a, &ec) == ERR_OK);
    check_found(&pa);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str in = {(const char *)data, size};
    unsigned options = fuzz_take(&in);
    struct conf conf = {.use_index = true,
                        .read_keep = options & 2,
                        .read_timeout_ms = 1 << 30,
                        .read_fresh_s = 0,
                        .user_agent = "cited/1",
                        .page_bytes_max = 1 << 20};
    struct candidate old = {.page = 1,
                            .url = "https://host0.example/a.md",
                            .host = "host0.example",
                            .title = "",
                            .favicon = "",
                            .lang = "",
                            .day = DAY_NONE};
    struct passage_text passage = {"", "The kinds of the tower.", 0, "", ""};
    struct arena a;

    log_set_level(LOG_OFF);
    arena_init(&a, 256 << 20);
    memset(&world, 0, sizeof world);
    world.arena = &a;
    world.pages = 1;
    world.known = options & 1;
    if (world.known)
        world_keep(&old, &passage, 1);
    HOLDS(polite_memory_new(&world.memory) == ERR_OK);
    replies_are(in);
    read(&conf, &a);
    polite_memory_free(world.memory);
    HOLDS(!arena_failed(&a));
    world_empty();
    arena_fini(&a);
    return 0;
}
