/* A search's result as JSON; see render.h. Every string a client may
 * require is always there, "" when there is nothing to say. */
#include "web/render.h"

#include "base/date.h"

#include <string.h>

static void put(struct json_out *w, const char *name, const char *value)
{
    jw_kstring(w, name, value == NULL ? "" : value);
}

/* An image's name: its description, else the last part of its address. */
static const char *image_name(const struct image *m)
{
    const char *slash;

    if (m->alt != NULL && *m->alt != '\0')
        return m->alt;
    slash = m->url == NULL ? NULL : strrchr(m->url, '/');
    return slash == NULL ? m->url : slash + 1;
}

/* is_result: of a list of results, not under an answer. */
static void source(struct json_out *w, const struct source *s, bool is_result)
{
    jw_object(w);
    if (is_result)
        put(w, "type", "text");
    put(w, "name", s->name);
    put(w, "url", s->url);
    put(w, is_result ? "content" : "snippet", s->snippet);
    put(w, "favicon", s->favicon);
    if (is_result && s->day != DAY_NONE)
        jw_kday(w, "date", s->day);
    jw_object_end(w);
}

static void image(struct json_out *w, const struct image *m, bool is_result)
{
    jw_object(w);
    if (is_result)
        put(w, "type", "image");
    put(w, "name", image_name(m));
    put(w, "url", m->url);
    if (!is_result) {
        put(w, "snippet", "");
        put(w, "favicon", "");
    }
    jw_object_end(w);
}

static void list(struct json_out *w, const char *name, bool images,
                 const struct search_result *r, bool is_result)
{
    jw_karray(w, name);
    for (size_t i = 0; i < r->source_count; i++)
        source(w, &r->sources[i], is_result);
    for (size_t i = 0; images && i < r->image_count; i++)
        image(w, &r->images[i], is_result);
    jw_array_end(w);
}

static void evidence(struct json_out *w, const struct search_result *r)
{
    put(w, "writer", r->by_model ? "model" : "sentences");
    put(w, "directness", r->related ? "related" : "direct");
    jw_karray(w, "evidence");
    for (size_t i = 0; i < r->evidence_count; i++) {
        const struct answer_evidence *x = &r->evidence[i];

        jw_object(w);
        put(w, "text", x->text);
        jw_kint(w, "source", (int64_t)x->source);
        put(w, "url", r->sources[x->source - 1].url);
        jw_kday(w, "date", r->sources[x->source - 1].day);
        put(w, "quote", x->quote);
        if (x->stored) {
            jw_kint(w, "start", (int64_t)x->start);
            jw_kint(w, "end", (int64_t)x->end);
        }
        put(w, "kind", x->kind);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void sourced(struct json_out *w, const struct search_params *p,
                    const struct search_result *r)
{
    jw_object(w);
    put(w, "answer", r->answer);
    list(w, "sources", p->images, r, false);
    if (p->evidence)
        evidence(w, r);
    jw_object_end(w);
}

static void structured(struct json_out *w, const struct search_params *p,
                       const struct search_result *r)
{
    /* Never an empty success: the caller sees an error instead. */
    if (r->object == NULL) {
        w->b->err = ERR_INTERNAL;
        return;
    }
    if (!p->sources) {
        jw_raw(w, r->object);
        return;
    }
    jw_object(w);
    jw_kraw(w, "data", r->object);
    list(w, "sources", p->images, r, true);
    jw_object_end(w);
}

void render_search(const struct search_params *p, const struct search_result *r,
                   struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    switch (p->output) {
    case OUTPUT_SOURCED:
        sourced(&w, p, r);
        break;
    case OUTPUT_RESULTS:
        jw_object(&w);
        list(&w, "results", p->images, r, true);
        jw_object_end(&w);
        break;
    case OUTPUT_STRUCTURED:
        structured(&w, p, r);
        break;
    }
}
