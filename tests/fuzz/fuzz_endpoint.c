/*
 * libFuzzer: what the operator's models reply: a reranker (first byte 'r'),
 * an embeddings endpoint ('e') or a chat model (anything else; 's' asks with a
 * schema). The rest is the replies (http_reply.h).
 */
#include "http_reply.h"

#include "base/log.h"
#include "model/model.h"
#include "model/relevance.h"

#include <math.h>

enum { TEXTS = 3, WAIT_MS = 300 };

static void score(const struct conf *c, struct arena *a)
{
    static const char *const texts[TEXTS] = {"The tower.", "", "高さは"};
    struct relevance *r = NULL;
    double scores[TEXTS];
    struct errctx ec = {.msg = ""};
    enum err e;

    HOLDS(relevance_new(c, &r, &ec) == ERR_OK && r != NULL);
    e = relevance_score(r, "How tall?", texts, TEXTS, deadline_in(WAIT_MS),
                        "fuzz", a, scores, &ec);
    HOLDS(e == ERR_OK || e == ERR_UPSTREAM || e == ERR_MALFORMED ||
          e == ERR_TIMEOUT || e == ERR_TOO_LARGE);
    for (size_t i = 0; e == ERR_OK && i < TEXTS; i++)
        HOLDS(isfinite(scores[i]));
    HOLDS(e == ERR_OK || ec.msg[0] != '\0');
    relevance_free(r);
}

static void chat(const struct conf *c, bool with_schema, struct arena *a)
{
    struct model_ask ask = {.system = "Answer.",
                            .user = "How tall?",
                            .schema =
                                with_schema ? "{\"type\":\"object\"}" : NULL,
                            .plain_schema = true};
    struct model_answer out = {.text = NULL};
    struct model_health health;
    struct model *m = NULL;
    struct errctx ec = {.msg = ""};
    enum err e;

    HOLDS(model_new(c, &m, &ec) == ERR_OK && m != NULL);
    e = model_chat(m, &ask, deadline_in(WAIT_MS), "fuzz", a, &out, &ec);
    if (e == ERR_OK) {
        HOLDS(out.text != NULL && out.text[0] != '\0');
        HOLDS(utf8_valid(out.text, strlen(out.text)));
    } else {
        HOLDS(e != ERR_INTERNAL && e != ERR_NOMEM && ec.msg[0] != '\0');
    }
    model_health_get(m, &health);
    model_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str in = {(const char *)data, size};
    unsigned what = fuzz_take(&in);
    struct conf c = {.rerank_url = "", .embeddings_url = "", .model_url = ""};
    struct arena a;

    log_set_level(LOG_OFF);
    arena_init(&a, 64 << 20);
    c.rerank_name = c.embeddings_name = c.model_name = "m";
    c.rerank_key = c.embeddings_key = c.model_key = "k";
    c.rerank_timeout_ms = c.embeddings_timeout_ms = WAIT_MS;
    c.model_timeout_ms = WAIT_MS;
    c.model_context = 8192;
    c.model_answer = 256;
    replies_are(in);
    if (what == 'r' || what == 'e') {
        *(what == 'r' ? &c.rerank_url : &c.embeddings_url) = "http://m.example";
        score(&c, &a);
    } else {
        c.model_url = "http://m.example";
        chat(&c, what == 's', &a);
    }
    arena_fini(&a);
    return 0;
}
