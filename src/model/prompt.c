/* What a model is asked; see prompt.h. */
#include "model/prompt.h"

#include "base/id.h"

#include <string.h>

enum { PROMPT_MAX = 1 << 20 };

enum err prompt_init(struct prompt *p)
{
    unsigned char dice[PROMPT_MARK_BYTES];

    if (id_random(dice, sizeof(dice)) != ERR_OK)
        return ERR_INTERNAL;
    hex_format(dice, sizeof(dice), p->mark);
    buf_init(&p->system, PROMPT_MAX);
    buf_init(&p->user, PROMPT_MAX);
    return ERR_OK;
}

void prompt_fini(struct prompt *p)
{
    buf_fini(&p->system);
    buf_fini(&p->user);
}

/* Whatever reads like the mark becomes a blank. */
static void add_unmarked(struct prompt *p, struct str s)
{
    size_t len = strlen(p->mark);
    const char *at;

    while ((at = mem_find_i(s.p, s.n, p->mark)) != NULL) {
        size_t n = (size_t)(at - s.p);

        buf_add(&p->user, s.p, n);
        buf_addc(&p->user, ' ');
        s.n -= n + len;
        s.p = at + len;
    }
    buf_add(&p->user, s.p, s.n);
}

void prompt_passage(struct prompt *p, size_t number, struct str title,
                    struct str text)
{
    buf_addf(&p->user, "%s passage %zu\n", p->mark, number);
    if (title.p != NULL) {
        buf_adds(&p->user, "(page: ");
        add_unmarked(p, title);
        buf_adds(&p->user, ")\n");
    }
    add_unmarked(p, text);
    buf_addf(&p->user, "\n%s end\n", p->mark);
}

void prompt_note(struct prompt *p, const char *what, struct str text)
{
    buf_addf(&p->user, "%s %s\n", p->mark, what);
    add_unmarked(p, text);
    buf_addf(&p->user, "\n%s end\n", p->mark);
}

enum err prompt_send(struct prompt *p, struct model *m, struct model_ask ask,
                     struct deadline d, const char *id, struct arena *a,
                     struct model_answer *out)
{
    struct errctx ec = {ERR_OK, ""};

    ask.system = buf_str(&p->system);
    ask.user = buf_str(&p->user);
    if (buf_err(&p->system) != ERR_OK)
        return buf_err(&p->system);
    if (buf_err(&p->user) != ERR_OK)
        return buf_err(&p->user);
    return model_chat(m, &ask, d, id, a, out, &ec);
}
