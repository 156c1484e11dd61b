/* Task records as JSON; see render.h. input and output are stored as
 * JSON and go out as they are. */
#include "web/render.h"

#include "json/json.h"

static void record(struct json_out *w, const struct task *t)
{
    jw_object(w);
    jw_kstring(w, "id", t->id);
    jw_kstring(w, "type", task_type_name(t->type));
    jw_kstring(w, "status", task_state_name(t->state));
    jw_kstamp(w, "createdAt", t->created_ms);
    jw_kstamp(w, "updatedAt", t->updated_ms);
    jw_kstring(w, "error", t->state == TASK_FAILED ? t->error : NULL);
    jw_kraw(w, "input", t->input);
    jw_key(w, "output");
    if (t->state == TASK_COMPLETED && t->output != NULL)
        jw_raw(w, t->output);
    else
        jw_null(w);
    jw_object_end(w);
}

void render_task(const struct task *t, struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    record(&w, t);
}

/* "data" and "metadata" of an object that is open. */
static void list(struct json_out *w, const struct task_page *page,
                 const struct list_params *p)
{
    jw_karray(w, "data");
    for (size_t i = 0; i < page->count; i++)
        record(w, &page->tasks[i]);
    jw_array_end(w);
    jw_kobject(w, "metadata");
    jw_kint(w, "page", p->page);
    jw_kint(w, "pageSize", p->page_size);
    jw_kint(w, "total", page->total);
    jw_kint(w, "totalPages",
            page->total / p->page_size + (page->total % p->page_size != 0));
    jw_object_end(w);
}

void render_task_list(const struct task_page *page, const struct list_params *p,
                      struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    jw_object(&w);
    list(&w, page, p);
    jw_object_end(&w);
}

void render_task_quota_list(const struct task_page *page,
                            const struct list_params *p, int64_t open,
                            int64_t open_max, struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    jw_object(&w);
    list(&w, page, p);
    jw_kobject(&w, "quota");
    jw_kint(&w, "inFlight", open);
    jw_kint(&w, "limit", open_max);
    jw_object_end(&w);
    jw_object_end(&w);
}

void render_task_array(const struct task *tasks, size_t count, struct buf *out)
{
    struct json_out w;

    jw_init(&w, out);
    jw_array(&w);
    for (size_t i = 0; i < count; i++)
        record(&w, &tasks[i]);
    jw_array_end(&w);
}
