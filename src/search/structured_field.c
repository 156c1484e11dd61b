/* One field of a schema; see structured_field.h. Called by structured.c. */
#include "search/structured_field.h"
#include "search/overlap.h"
#include "search/structured_value.h"

#include "base/buf.h"
#include "base/str.h"
#include "text/terms.h"
#include "json/schema.h"

#include <string.h>

enum { FIELD_SENTENCES = 8, LABEL_BYTES_MAX = 400, SNIPPET_BYTES_MAX = 500 };

/* How much of the field's own name must stand in the sentence, or with half
 * the weight above it. */
static const double LABEL_MIN = 0.4;
static const double LABEL_MIN_BOOLEAN = 0.6;
/* How much of the question's names must stand in the passage. */
static const double NAMES_MIN = 0.7;

struct field {
    struct value_want want;
    struct query question, label;
    bool generic; /* "answer", "summary": the question itself is asked */
};

/* --- the field's words --------------------------------------------------- */

static const char *word_expand(const char *z, size_t n)
{
    static const char *const pairs[][2] = {
        {"max", "maximum"},   {"min", "minimum"},
        {"num", "number"},    {"desc", "description"},
        {"qty", "quantity"},  {"avg", "average"},
        {"lang", "language"}, {"org", "organisation"},
        {"dob", "birth date"}};

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (str_ieq((struct str){z, n}, pairs[i][0]))
            return pairs[i][1];
    return NULL;
}

/* Does a new word begin at z[i] ("maxPageSize", "HTTPServer")? */
static bool word_begins(const char *z, size_t i)
{
    bool upper = z[i] >= 'A' && z[i] <= 'Z';
    bool lower_before = i > 0 && z[i - 1] >= 'a' && z[i - 1] <= 'z';
    bool lower_after = z[i + 1] >= 'a' && z[i + 1] <= 'z';
    bool upper_before = i > 0 && z[i - 1] >= 'A' && z[i - 1] <= 'Z';

    return upper && (lower_before || (upper_before && lower_after));
}

/* "maxPageSize" and "max_page_size" to "maximum Page Size". */
static void name_split(const char *z, struct buf *out)
{
    size_t i = 0;

    while (z[i] != '\0') {
        size_t from = i;
        const char *full;

        while (z[i] != '\0' && strchr("_-. $", z[i]) == NULL &&
               (i == from || !word_begins(z, i)))
            i++;
        full = word_expand(z + from, i - from);
        if (i > from && out->len > 0)
            buf_addc(out, ' ');
        if (full != NULL)
            buf_adds(out, full);
        else
            buf_add(out, z + from, i - from);
        while (z[i] != '\0' && strchr("_-. $", z[i]) != NULL)
            i++;
    }
}

static bool is_generic(const char *name)
{
    static const char *const names[] = {
        "answer",      "summary",    "result",   "description", "text",
        "explanation", "response",   "overview", "content",     "value",
        "details",     "definition", "output",   "info",        NULL};

    for (size_t i = 0; names[i] != NULL; i++)
        if (ascii_casecmp(names[i], name) == 0)
            return true;
    return false;
}

static const char *schema_text(const struct json *leaf, const char *key)
{
    const char *z = json_string(json_get(leaf, key));

    return z == NULL ? "" : z;
}

/* --- the field's kind ---------------------------------------------------- */

static enum value_kind kind_of(const struct json *leaf, const char *type)
{
    const char *format = schema_text(leaf, "format");

    if (json_get(leaf, "enum") != NULL)
        return VALUE_ENUM;
    if (strcmp(type, "integer") == 0)
        return VALUE_INTEGER;
    if (strcmp(type, "number") == 0)
        return VALUE_NUMBER;
    if (strcmp(type, "boolean") == 0)
        return VALUE_BOOLEAN;
    if (strcmp(format, "date") == 0)
        return VALUE_DATE;
    return strcmp(format, "date-time") == 0 ? VALUE_DATE_TIME : VALUE_TEXT;
}

static bool hint_has(const char *hint, const char *const *list)
{
    struct term_iter it;
    struct term t;

    terms_init(&it, hint, strlen(hint));
    while (tokens_next(&it, &t))
        for (size_t i = 0; list[i] != NULL; i++)
            if (strcmp(t.text, list[i]) == 0)
                return true;
    return false;
}

/* What a text field names, by the words of its own name. */
static enum answer_type type_of_label(const char *label)
{
    static const char *const person[] = {
        "author", "creator",   "founder",  "person", "director",
        "ceo",    "president", "inventor", "editor", "developer",
        "who",    "name",      "title",    NULL};
    static const char *const place[] = {"country",      "city",  "place",
                                        "location",     "where", "capital",
                                        "headquarters", NULL};
    static const char *const date[] = {"date",     "year",      "when", "born",
                                       "released", "published", NULL};

    if (hint_has(label, person))
        return ANSWER_PERSON;
    if (hint_has(label, place))
        return ANSWER_PLACE;
    return hint_has(label, date) ? ANSWER_DATE : ANSWER_ANY;
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

/* The names of the question ("SQLite"), or the whole of it without any. */
static void question_add(struct buf *b, const struct query *q, bool names)
{
    if (!names || q->names == 0) {
        buf_addf(b, " %s", q->text);
        return;
    }
    for (size_t i = 0; i < q->term_count; i++)
        if (q->names >> i & 1)
            buf_addf(b, " %s", q->words[i]);
}

static enum err field_parse(struct fill *f, const struct json *leaf,
                            enum value_kind kind, const char *name,
                            struct field *out)
{
    struct buf label, hint;
    enum err e;

    buf_init(&label, LABEL_BYTES_MAX);
    buf_init(&hint, 16 * 1024);
    out->generic = is_generic(name);
    name_split(name, &label);
    buf_addf(&hint, "%s %s %s", buf_str(&label), schema_text(leaf, "title"),
             schema_text(leaf, "description"));
    e = query_parse(buf_str(&label), f->a, &out->label);
    out->want.hint = arena_strdup(f->a, buf_str(&hint));
    if (e == ERR_OK &&
        (out->want.hint == NULL || buf_err(&label) == ERR_NOMEM ||
         buf_err(&hint) == ERR_NOMEM))
        e = ERR_NOMEM;
    out->want.kind = kind;
    out->want.leaf = leaf;
    out->want.q = &out->question;
    out->want.label = &out->label;
    buf_fini(&label);
    buf_fini(&hint);
    return e;
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
    const char *z;
    enum err e = ERR_OK;

    buf_init(&b, 32 * 1024);
    if (attempt < 2 && !x->generic)
        buf_adds(&b, x->label.text);
    question_add(&b, f->q, attempt == 0 && !x->generic);
    z = arena_strdup(f->a, buf_str(&b));
    if (z == NULL || buf_err(&b) != ERR_OK)
        e = ERR_NOMEM;
    buf_fini(&b);
    if (e == ERR_OK)
        e = query_parse(z, f->a, &x->question);
    if (e != ERR_OK)
        return e;
    rarity_copy(f->q, &x->question);
    if (!x->generic || x->want.kind != VALUE_TEXT)
        x->question.type = type_of_kind(x->want.kind, x->label.text);
    else
        x->question.type = f->q->type;
    *count = 0;
    return f->ask->passages(f->ask->user, z, f->a, r, count);
}

/* --- taking -------------------------------------------------------------- */

static uint64_t candidate_mask(const struct query *q, const struct candidate *c)
{
    return overlap_mask(q, c->text, strlen(c->text)) |
           overlap_mask(q, c->heading, strlen(c->heading)) |
           overlap_mask(q, c->title, strlen(c->title));
}

/* Is the passage about what the question names? The height of another tower
 * is worse than none. A comparison names several things. */
static bool is_about(const struct query *q, const struct candidate *c)
{
    double all = overlap_weight(q, q->names);

    return q->type == ANSWER_COMPARE || all <= 0 ||
           overlap_weight(q, candidate_mask(q, c) & q->names) >=
               NAMES_MIN * all;
}

/* Does the sentence, or what it stands under, speak of the field? */
static bool speaks_of(const struct field *x, const struct candidate *c,
                      const char *sentence)
{
    uint64_t own = overlap_mask_loose(&x->label, sentence, strlen(sentence));
    uint64_t above =
        overlap_mask_loose(&x->label, c->heading, strlen(c->heading)) |
        overlap_mask_loose(&x->label, c->title, strlen(c->title));
    double least =
        x->want.kind == VALUE_BOOLEAN ? LABEL_MIN_BOOLEAN : LABEL_MIN;

    return x->generic || overlap_share(&x->label, own) +
                                 0.5 * overlap_share(&x->label, above & ~own) >=
                             least;
}

static enum err is_valid(const struct json *schema, const char *json,
                         bool *valid)
{
    struct json *v = NULL;
    enum err e = json_parse(json, strlen(json), &json_limits_foreign, &v, NULL);

    *valid = false;
    if (e == ERR_NOMEM)
        return e;
    if (e != ERR_OK)
        return ERR_OK;
    e = schema_validate(schema, v, NULL);
    json_free(v);
    *valid = e == ERR_OK;
    return e == ERR_NOMEM ? e : ERR_OK;
}

/* The page of a value becomes a source, once. No sentence: no memory. */
static enum err source_add(struct fill *f, const struct candidate *c,
                           const char *sentence)
{
    struct source *s;

    if (sentence == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < f->source_count; i++)
        if (strcmp(f->sources[i].url, c->url) == 0)
            return ERR_OK;
    if (f->source_count == FILL_SOURCES_MAX)
        return ERR_OK;
    s = &f->sources[f->source_count++];
    *s = (struct source){.name = c->title[0] != '\0' ? c->title : c->host,
                         .url = c->url,
                         .favicon = c->favicon,
                         .day = c->day,
                         .page = c->page,
                         .passage = c->passage};
    s->snippet =
        arena_strndup(f->a, sentence,
                      utf8_cut(sentence, strlen(sentence), SNIPPET_BYTES_MAX));
    return s->snippet == NULL ? ERR_NOMEM : ERR_OK;
}

/* The first choice of the sentence that the schema takes. */
static enum err sentence_try(struct fill *f, const struct field *x,
                             const struct json *schema,
                             const struct candidate *c, const char *sentence,
                             const char **json)
{
    struct value_choices choices = {.count = 0};
    enum err e =
        value_find(&x->want, sentence, strlen(sentence), f->a, &choices);

    for (size_t i = 0; e == ERR_OK && i < choices.count; i++) {
        bool valid = false;

        e = is_valid(schema, choices.json[i], &valid);
        if (e == ERR_OK && valid) {
            *json = choices.json[i];
            return source_add(f, c, sentence);
        }
    }
    return e == ERR_OK ? ERR_NO_RESULT : e;
}

/* Sentences come in reading order; the best one is tried first. */
static size_t best_untried(const struct answer_draft *d, uint32_t tried)
{
    size_t best = d->count;

    for (size_t i = 0; i < d->count; i++)
        if (!(tried >> i & 1) &&
            (best == d->count ||
             d->sentences[i].score > d->sentences[best].score))
            best = i;
    return best;
}

static enum err draft_try(struct fill *f, const struct field *x,
                          const struct json *schema, const struct ranked *r,
                          const struct answer_draft *d, const char **json)
{
    uint32_t tried = 0;

    for (size_t n = 0; n < d->count; n++) {
        size_t i = best_untried(d, tried);
        const struct cited_sentence *s = &d->sentences[i];
        const struct candidate *c = &r[s->passage].c;
        enum err e = ERR_NO_RESULT;

        tried |= (uint32_t)1 << i;
        if (is_about(f->q, c) && speaks_of(x, c, s->text))
            e = sentence_try(f, x, schema, c, s->text, json);
        if (e != ERR_NO_RESULT)
            return e;
    }
    return ERR_NO_RESULT;
}

/* Does the question ask for this very field ("size" of "maximum size")? */
static bool is_asked_for(const struct query *q, const struct query *label)
{
    uint64_t mask = overlap_mask(label, q->text, strlen(q->text));

    return label->term_count > 0 && mask == overlap_all(label);
}

static enum err field_find(struct fill *f, struct field *x,
                           const struct json *schema, const char **json)
{
    int first = x->generic ? 2 : is_asked_for(f->q, &x->label) ? 1 : 0;

    for (int attempt = first; attempt < 3; attempt++) {
        struct ranked *r = NULL;
        struct answer_draft d = {.sentences = NULL};
        size_t count = 0;
        enum err e = field_ask(f, x, attempt, &r, &count);

        if (e == ERR_OK && count > 0)
            e = answer_candidates(&x->question, r, count, FIELD_SENTENCES, f->a,
                                  &d);
        if (e == ERR_OK && d.count > 0)
            e = draft_try(f, x, schema, r, &d, json);
        else if (e == ERR_OK)
            e = ERR_NO_RESULT;
        if (e != ERR_NO_RESULT)
            return e;
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
    e = is_valid(leaf, *json, &valid);
    if (e != ERR_OK || !valid)
        return e != ERR_OK ? e : ERR_NO_RESULT;
    return source_add(
        f, &r[0].c,
        snippet_of(&x->question, r[0].c.text, SNIPPET_BYTES_MAX, f->a));
}

enum err field_value(struct fill *f, const struct json *leaf, const char *type,
                     const char *name, const char **json)
{
    struct field x;
    enum err e;

    memset(&x, 0, sizeof(x));
    e = field_parse(f, leaf, kind_of(leaf, type), name, &x);
    if (e != ERR_OK)
        return e;
    if (ascii_starts_i(schema_text(leaf, "format"), "uri"))
        return uri_find(f, &x, leaf, json);
    if (strcmp(type, "null") == 0)
        return ERR_NO_RESULT;
    return field_find(f, &x, leaf, json);
}

/* A list's items come as strings; numbers are taken one by one. */
static enum err number_list(struct fill *f, const struct json *array,
                            const struct json *item, const char *type,
                            const char *name, const char **json)
{
    const char *one = NULL;
    bool valid = false;
    enum err e = field_value(f, item, type, name, &one);

    if (e != ERR_OK)
        return e;
    *json = arena_printf(f->a, "[%s]", one);
    if (*json == NULL)
        return ERR_NOMEM;
    e = is_valid(array, *json, &valid);
    return e != ERR_OK ? e : valid ? ERR_OK : ERR_NO_RESULT;
}

enum err field_list(struct fill *f, const struct json *array,
                    const struct json *item, const char *name,
                    const char **json)
{
    const char *type = schema_text(item, "type");
    struct field x;
    enum err e;

    memset(&x, 0, sizeof(x));
    if (item != NULL && type[0] != '\0' &&
        (strcmp(type, "string") != 0 || json_get(item, "enum") != NULL))
        return number_list(f, array, item, type, name, json);
    e = field_parse(f, array, VALUE_LIST, name, &x);
    return e == ERR_OK ? field_find(f, &x, array, json) : e;
}
