/* Parts of the service and how they are; see render_status.h. Called by
 * h_health and h_status. */
#include "web/render_status.h"

#include "model/model.h"

static void write_until(struct json_out *w, const char *reason, int64_t ms)
{
    jw_kstring(w, "reason", reason);
    jw_kstamp(w, "until", ms);
}

void render_providers(struct json_out *w, struct provider_set *set)
{
    jw_key(w, "providers");
    jw_array(w);
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
