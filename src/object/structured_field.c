/* One field of a schema; see fill.h. Called by structured.c. */
#include "object/fill.h"

#include "base/buf.h"
#include "base/str.h"
#include "object/value.h"
#include "question/overlap.h"
#include "text/terms.h"

#include <string.h>

enum {
    FINDINGS_MAX = 48,
    GENERIC_SENTENCES = 8,
    SNIPPET_BYTES_MAX = 500,
    PAGES_READ = 2, /* whole */
    PAGE_PASSAGES = 200
};

static const double PAGE_ONLY = -0.08; /* the name stands elsewhere in it */
static const double NAMED = 0.2;       /* it stands in the sentence */
static const double TITLED = 0.35;     /* the page is called as is asked */
/* What a value needs in all, and how far ahead of the next one it must be. */
static const double TOTAL_MIN = 0.7;
static const double LEAD_MIN = 0.04;
static const double LEAD_BOOLEAN = 0.06; /* the next one is its contrary */
static const double SUPPORT = 0.06;      /* for each further page that agrees */
static const double SUPPORT_NEAR = 0.25; /* nearly as well */

/* A value and where it was found. */
struct finding {
    const char *json;
    const struct candidate *c;
    struct str sentence;
    double score;
    size_t pages; /* that tell it */
};

struct field {
    struct value_want want;
    struct query question;
    struct label label;
    const struct json *schema;
    struct finding found[FINDINGS_MAX];
    size_t count;
};

/* --- the field's kind ---------------------------------------------------- */

/* What a text field names, by the words of its own name. */
static enum answer_type type_of_label(const char *label)
{
    static const char person[] =
        "author creator founder person director ceo president inventor editor "
        "developer professor engineer architect designer owner by who name "
        "title";
    static const char place[] =
        "country city place location where capital headquarters";
    static const char date[] = "date year when born released published";

    if (tokens_have(label, strlen(label), person))
        return ANSWER_PERSON;
    if (tokens_have(label, strlen(label), place))
        return ANSWER_PLACE;
    return tokens_have(label, strlen(label), date) ? ANSWER_DATE : ANSWER_ANY;
}

static enum answer_type type_of_kind(enum value_kind k, const char *label)
{
    enum answer_type t = type_of_label(label);

    switch (k) {
    case VALUE_INTEGER:
    case VALUE_NUMBER:
        return t == ANSWER_DATE ? t : ANSWER_NUMBER;
    case VALUE_BOOLEAN:
        return ANSWER_YESNO;
    case VALUE_DATE:
    case VALUE_DATE_TIME:
        return ANSWER_DATE;
    case VALUE_LIST:
        return ANSWER_LIST;
    case VALUE_ENUM:
        return ANSWER_ANY;
    case VALUE_TEXT:
        break;
    }
    return t;
}

/* --- asking -------------------------------------------------------------- */

/* What the question is about ("SQLite"), or the whole of it. */
static void question_add(const struct fill *f, struct buf *b, bool subject)
{
    if (!subject || f->subject == 0) {
        buf_addf(b, " %s", f->q->text);
        return;
    }
    for (size_t i = 0; i < f->q->term_count; i++)
        if (f->subject >> i & 1)
            buf_addf(b, " %s", f->q->words[i]);
}

static enum err field_parse(struct fill *f, const struct json *leaf,
                            enum value_kind kind, const char *name,
                            struct field *out)
{
    enum err e = label_parse(name, leaf, f->q, f->subject, f->a, &out->label);

    if (e != ERR_OK)
        return e;
    out->want.kind = kind;
    out->want.leaf = leaf;
    out->want.q = f->q;
    out->want.label = &out->label;
    out->want.type = out->label.generic && kind == VALUE_TEXT
                         ? f->q->type
                         : type_of_kind(kind, out->label.name);
    return f->ask->index == NULL
               ? ERR_OK
               : overlap_weigh(&out->label.words, f->ask->index, f->ec);
}

/* What the index said of the question's words holds for the field's too. */
static void rarity_copy(const struct query *from, struct query *to)
{
    for (size_t i = 0; i < to->term_count; i++)
        for (size_t k = 0; k < from->term_count; k++)
            if (strcmp(to->terms[i].text, from->terms[k].text) == 0)
                to->rarity[i] = from->rarity[k];
}

/* Ask for the field's passages: by its name and the question's names, then
 * with the whole question, then by the question alone. */
static enum err field_ask(struct fill *f, struct field *x, int attempt,
                          struct ranked **r, size_t *count)
{
    struct buf b;
    const char *z = "";
    enum err e;

    buf_init(&b, 32 * 1024);
    if (attempt < 2 && !x->label.generic)
        buf_adds(&b, x->label.text);
    question_add(f, &b, attempt == 0 && !x->label.generic);
    e = buf_keep(&b, ERR_OK, f->a, &z) == ERR_OK ? ERR_OK : ERR_NOMEM;
    if (e == ERR_OK)
        e = query_parse(z, f->a, &x->question);
    if (e != ERR_OK)
        return e;
    rarity_copy(f->q, &x->question);
    x->question.type = x->want.type;
    *count = 0;
    return f->ask->passages(f->ask->user, z, f->a, r, count);
}

/* --- taking -------------------------------------------------------------- */

/* Remember a value; the same one of another page supports it. */
static void finding_add(struct field *x, const char *json,
                        const struct candidate *c, struct str sentence,
                        double score)
{
    struct finding *worst = &x->found[0];

    for (size_t i = 0; i < x->count; i++) {
        struct finding *o = &x->found[i];

        if (strcmp(o->json, json) == 0) {
            if (score > o->score + SUPPORT_NEAR)
                o->pages = 1;
            else if (score >= o->score - SUPPORT_NEAR)
                o->pages += o->c->page != c->page || o->c->page <= 0;
            if (score > o->score) {
                o->score = score;
                o->c = c;
                o->sentence = sentence;
            }
            return;
        }
        if (o->score < worst->score)
            worst = o;
    }
    if (x->count < FINDINGS_MAX)
        worst = &x->found[x->count++];
    else if (score <= worst->score)
        return;
    *worst = (struct finding){json, c, sentence, score, 1};
}

/* Is the byte part of a URL? */
static bool in_address(struct str s, size_t at)
{
    size_t from = at;

    while (from > 0 && !ascii_is_space(s.p[from - 1]))
        from--;
    return mem_find(s.p + from, at - from, "://") != NULL;
}

static enum err unit_try(struct fill *f, struct field *x,
                         const struct candidate *c, const struct unit *u,
                         double score)
{
    struct value_choices choices = {.count = 0};
    enum err e = value_find(&x->want, u, f->a, &choices);

    for (size_t i = 0; e == ERR_OK && i < choices.count; i++) {
        double total = 0.6 * score + choices.at[i].fit;
        bool valid = false;

        if (total <= 0 || in_address(u->text, choices.at[i].start))
            continue;
        e = fill_is_valid(f, x->schema, choices.at[i].json, &valid);
        if (e == ERR_OK && valid)
            finding_add(x, choices.at[i].json, c, u->text, total);
    }
    return e;
}

/* A passage may begin amid a paragraph: then the last line of the passage
 * before stands ahead of all sentences of its first line. */
static enum err before_extend(struct fill *f, const struct field *x,
                              const struct candidate *c, struct unit *units,
                              size_t count)
{
    const struct query *q = &x->label.words;
    struct candidate *last = NULL;
    const char *line, *first = NULL, *parts = c->parts == NULL ? "" : c->parts;
    struct passage_part part = {.goes_on = false};
    size_t n = 0;
    enum err e;

    if (f->ask->index == NULL || c->page <= 0 || c->seq <= 0 ||
        !passage_part_next(&parts, strlen(c->text), &part) || !part.goes_on ||
        overlap_mask_loose(q, c->text, strlen(c->text)) == 0)
        return ERR_OK;
    e = index_passages(f->ask->index, c->page, c->seq - 1, 1, f->a, &last, &n,
                       f->ec);
    if (e != ERR_OK || n == 0 ||
        !heading_same_section(last->heading, c->heading))
        return e == ERR_NO_RESULT || e == ERR_NOT_FOUND ? ERR_OK : e;
    line = strrchr(last->text, '\n');
    line = line == NULL ? last->text : line + 1;
    for (size_t i = 0; i < count; i++) {
        struct unit *u = &units[i];

        if (u->kind != UNIT_SENTENCE)
            continue;
        if (first == NULL)
            first = u->text.p;
        else if (u->before.p != first)
            break;
        u->before = str_of(
            arena_printf(f->a, "%s %.*s", line, (int)u->before.n, u->before.p));
    }
    return arena_failed(f->a) ? ERR_NOMEM : ERR_OK;
}

static enum err passage_try(struct fill *f, struct field *x,
                            const struct candidate *c)
{
    struct unit *units = NULL;
    bool asked = false, about = false, page = false;
    double titled =
        TITLED *
        overlap_share(f->q, overlap_mask(f->q, c->title, strlen(c->title)));
    size_t count = 0;
    enum err e;

    e = units_read(c, f->a, &units, &count);
    if (e == ERR_OK)
        e = before_extend(f, x, c, units, count);
    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        double score = cover_score(&x->label, x->want.kind, c, &units[i]);

        if (score < 0)
            continue;
        if (!asked)
            e = fill_is_about(f, c, &about, &page);
        asked = true;
        if (page)
            score += PAGE_ONLY;
        else if (overlap_mask(f->q, units[i].text.p, units[i].text.n) &
                 f->subject)
            score += NAMED;
        score += titled;
        if (e == ERR_OK && about)
            e = unit_try(f, x, c, &units[i], score);
    }
    return e;
}

/* --- choosing ------------------------------------------------------------- */

/* Of a statement others are no support: each may be about another thing. */
static double total_of(const struct field *x, const struct finding *o)
{
    size_t more = o->pages - 1 > 3 ? 3 : o->pages - 1;

    return x->want.kind == VALUE_BOOLEAN ? o->score
                                         : o->score + SUPPORT * (double)more;
}

/* The best finding, when it is good enough and no other one is as good. */
static const struct finding *best_of(const struct field *x)
{
    const struct finding *best = NULL, *next = NULL;
    double lead;

    for (size_t i = 0; i < x->count; i++) {
        const struct finding *o = &x->found[i];

        if (best == NULL || total_of(x, o) > total_of(x, best)) {
            next = best;
            best = o;
        } else if (next == NULL || total_of(x, o) > total_of(x, next)) {
            next = o;
        }
    }
    if (best == NULL || total_of(x, best) < TOTAL_MIN)
        return NULL;
    lead = next == NULL ? 1 : total_of(x, best) - total_of(x, next);
    return lead < (x->want.kind == VALUE_BOOLEAN ? LEAD_BOOLEAN : LEAD_MIN)
               ? NULL
               : best;
}

static enum err finding_take(struct fill *f, const struct finding *o,
                             const char **json)
{
    *json = o->json;
    return fill_source(f, o->c,
                       arena_strndup(f->a, o->sentence.p, o->sentence.n));
}

/* "answer", "summary": the sentence that answers the question best. */
static enum err generic_find(struct fill *f, struct field *x,
                             const struct json *schema, const char **json)
{
    struct ranked *r = NULL;
    struct answer_draft d = {.sentences = NULL};
    size_t count = 0;
    enum err e = field_ask(f, x, 2, &r, &count);

    x->schema = schema;
    if (e == ERR_OK && count > 0)
        e = answer_candidates(&x->question, r, count, GENERIC_SENTENCES, f->a,
                              &d);
    for (size_t i = 0; e == ERR_OK && i < d.count; i++) {
        const struct cited_sentence *s = &d.sentences[i];
        const char *value = value_string(s->text, strlen(s->text), f->a);
        bool about = false, page = false, valid = false;

        if (value == NULL)
            return ERR_NOMEM;
        e = fill_is_about(f, &r[s->passage].c, &about, &page);
        if (e == ERR_OK)
            e = fill_is_valid(f, schema, value, &valid);
        if (e == ERR_OK && about && valid)
            finding_add(x, value, &r[s->passage].c, str_of(s->text), s->score);
    }
    for (size_t i = 1; i < x->count; i++)
        if (x->found[i].score > x->found[0].score)
            x->found[0] = x->found[i];
    if (e != ERR_OK || x->count == 0)
        return e == ERR_OK ? ERR_NO_RESULT : e;
    return finding_take(f, &x->found[0], json);
}

/* The whole of the first pages: what is asked may stand in a passage that the
 * question's other words do not. */
static enum err pages_try(struct fill *f, struct field *x,
                          const struct ranked *r, size_t count)
{
    int64_t read[PAGES_READ];
    size_t pages = 0;
    enum err e = ERR_OK;

    for (size_t i = 0; i < count && pages < PAGES_READ && e == ERR_OK; i++) {
        struct candidate *all = NULL;
        size_t n = 0, k = 0;

        while (k < pages && read[k] != r[i].c.page)
            k++;
        if (k < pages || r[i].c.page <= 0)
            continue;
        read[pages++] = r[i].c.page;
        e = index_passages(f->ask->index, r[i].c.page, 0, PAGE_PASSAGES, f->a,
                           &all, &n, f->ec);
        if (e == ERR_NO_RESULT || e == ERR_NOT_FOUND)
            e = ERR_OK;
        for (k = 0; e == ERR_OK && k < n; k++)
            if (label_mask(&x->label, all[k].text, strlen(all[k].text)) != 0)
                e = passage_try(f, x, &all[k]);
    }
    return e;
}

static enum err field_find(struct fill *f, struct field *x,
                           const struct json *schema, const char **json)
{
    if (x->label.generic && x->want.kind == VALUE_TEXT)
        return generic_find(f, x, schema, json);
    x->schema = schema;
    for (int attempt = x->label.generic ? 2 : 0; attempt < 3; attempt++) {
        struct ranked *r = NULL;
        size_t count = 0;
        const struct finding *best;
        enum err e = field_ask(f, x, attempt, &r, &count);

        for (size_t i = 0; e == ERR_OK && i < count; i++)
            e = passage_try(f, x, &r[i].c);
        if (e != ERR_OK && e != ERR_NO_RESULT)
            return e;
        best = best_of(x);
        if (best == NULL && attempt == 1 && f->ask->index != NULL) {
            e = pages_try(f, x, r, count);
            if (e != ERR_OK)
                return e;
            best = best_of(x);
        }
        if (best != NULL)
            return finding_take(f, best, json);
    }
    return ERR_NO_RESULT;
}

/* A link is the page of the best passage. */
static enum err uri_find(struct fill *f, struct field *x,
                         const struct json *leaf, const char **json)
{
    struct ranked *r = NULL;
    size_t count = 0;
    bool valid = false;
    enum err e = field_ask(f, x, 2, &r, &count);

    if (e != ERR_OK)
        return e;
    if (count == 0)
        return ERR_NO_RESULT;
    *json = value_string(r[0].c.url, strlen(r[0].c.url), f->a);
    if (*json == NULL)
        return ERR_NOMEM;
    e = fill_is_valid(f, leaf, *json, &valid);
    if (e != ERR_OK || !valid)
        return e != ERR_OK ? e : ERR_NO_RESULT;
    return fill_source(
        f, &r[0].c,
        snippet_of(&x->question, r[0].c.text, SNIPPET_BYTES_MAX, f->a));
}

enum err field_value(struct fill *f, const struct json *leaf, const char *type,
                     const char *name, const char **json)
{
    struct field *x = arena_alloc(f->a, sizeof(*x));
    enum err e;

    if (x == NULL)
        return ERR_NOMEM;
    e = field_parse(f, leaf, value_kind_of(leaf, type), name, x);
    if (e != ERR_OK)
        return e;
    if (ascii_starts_i(label_schema_text(leaf, "format"), "uri"))
        return uri_find(f, x, leaf, json);
    if (strcmp(type, "null") == 0 || x->label.refers)
        return ERR_NO_RESULT;
    return field_find(f, x, leaf, json);
}
