/* What a check found, as JSON; see render.h. */
#include "web/render.h"

void render_checked(struct json_out *w, const struct check_item *item,
                    const struct check_result *r)
{
    jw_object(w);
    jw_kstring(w, "sentence", item->sentence);
    jw_kstring(w, "kind", verdict_name(r->verdict));
    jw_kstring(w, "url", r->url);
    jw_kstring(w, "quote", r->quote);
    jw_kknown(w, "start", r->quote == NULL ? -1 : (int64_t)r->start);
    jw_kknown(w, "end", r->quote == NULL ? -1 : (int64_t)r->end);
    jw_kstring(w, "why", r->why);
    jw_object_end(w);
}
