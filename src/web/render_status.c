/* Parts of answers that stand in several; see render.h. */
#include "web/render.h"

#include "model/model.h"

static void write_until(struct json_out *w, const char *reason, int64_t ms)
{
    jw_kstring(w, "reason", reason);
    jw_kstamp(w, "until", ms);
}

void render_providers(struct json_out *w, struct provider_set *set)
{
    jw_karray(w, "providers");
    for (size_t i = 0; i < provider_set_count(set); i++) {
        struct provider_state st;

        provider_set_state(set, i, &st);
        jw_object(w);
        jw_kstring(w, "name", st.name);
        jw_kstring(w, "state",
                   st.lack != NULL    ? "not ready"
                   : st.until_ms != 0 ? "suspended"
                                      : "ok");
        if (st.lack != NULL)
            jw_kstring(w, "reason", st.lack);
        else if (st.until_ms != 0)
            write_until(w, outcome_name(st.outcome), st.until_ms);
        jw_object_end(w);
    }
    jw_array_end(w);
}

void render_model(struct json_out *w, struct model *model)
{
    struct model_health h;

    jw_key(w, "model");
    if (model == NULL) {
        jw_null(w);
        return;
    }
    model_health_get(model, &h);
    jw_object(w);
    jw_kstring(w, "name", h.name);
    jw_kstring(w, "state", h.suspended ? "suspended" : "ok");
    if (h.suspended)
        write_until(w, h.why, h.resume_ms);
    else if (h.failures > 0)
        jw_kstring(w, "reason", h.why);
    jw_object_end(w);
}

void render_key(struct json_out *w, const struct api_key *k)
{
    jw_object(w);
    jw_kstring(w, "id", k->id);
    jw_kstring(w, "label", k->label);
    jw_kstamp(w, "createdAt", k->created_ms);
    jw_kstamp(w, "lastUsedAt", k->last_used_ms);
    jw_kstamp(w, "revokedAt", k->revoked_ms);
    jw_kint(w, "requests", k->requests);
    jw_object_end(w);
}

void render_hosts(struct json_out *w, const struct index_stats *s)
{
    jw_karray(w, "hosts");
    for (size_t i = 0; i < s->host_count; i++) {
        jw_object(w);
        jw_kstring(w, "host", s->hosts[i].host);
        jw_kint(w, "pages", s->hosts[i].pages);
        jw_kint(w, "passages", s->hosts[i].passages);
        jw_object_end(w);
    }
    jw_array_end(w);
}

void render_images(struct json_out *w, const struct page_doc *doc)
{
    jw_karray(w, "images");
    for (size_t i = 0; i < doc->image_count; i++) {
        jw_object(w);
        jw_kstring(w, "alt", doc->images[i].alt);
        jw_kstring(w, "url", doc->images[i].url);
        jw_object_end(w);
    }
    jw_array_end(w);
}
