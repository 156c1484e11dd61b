/* Typed values out of sentences; see value.h. Called by
 * structured_field.c. The weights were set with those of structured_near.c. */
#include "object/value.h"

#include "base/buf.h"
#include "base/str.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

enum { VALUE_BYTES_MAX = 8192 };

/* Fitness of the subject of a sentence. */
static const double FIT_SUBJECT = 0.4; /* "Read Committed is the default" */

void text_read(struct text *x, const char *p, size_t n)
{
    struct term_iter it;

    x->p = p;
    x->n = n;
    x->count = 0;
    terms_init(&it, p, n);
    while (x->count < TEXT_TOKENS_MAX && tokens_next(&it, &x->t[x->count]))
        x->count++;
}

void value_add(struct value_choices *out, const char *json, size_t start,
               size_t end, double fit)
{
    out->failed = out->failed || json == NULL;
    if (json != NULL && out->count < VALUE_CHOICES_MAX)
        out->at[out->count++] = (struct value_choice){
            .json = json, .start = start, .end = end, .fit = fit,
            .way = out->way};
}

struct str value_bare(struct str s)
{
    static const char *const marks[][2] = {{"\"", "\""},
                                           {"'", "'"},
                                           {"`", "`"},
                                           {"\xE2\x80\x98", "\xE2\x80\x99"},
                                           {"\xE2\x80\x9C", "\xE2\x80\x9D"}};

    for (size_t i = 0; i < sizeof marks / sizeof *marks;) {
        size_t n = strlen(marks[i][0]);

        if (s.n >= 2 * n && memcmp(s.p, marks[i][0], n) == 0 &&
            memcmp(s.p + s.n - n, marks[i][1], n) == 0) {
            s = str_trim((struct str){s.p + n, s.n - 2 * n});
            i = 0;
        } else {
            i++;
        }
    }
    return s;
}

const char *value_string(const char *p, size_t n, struct arena *a)
{
    struct buf folded, b;
    struct json_out w;
    const char *z = NULL;
    bool space = false;

    buf_init(&folded, VALUE_BYTES_MAX);
    buf_init(&b, VALUE_BYTES_MAX * 6);
    for (size_t i = 0; i < n; i++) {
        if (ascii_is_space(p[i])) {
            space = folded.len > 0;
            continue;
        }
        if (space)
            buf_addc(&folded, ' ');
        space = false;
        buf_addc(&folded, p[i]);
    }
    jw_init(&w, &b);
    jw_string(&w, buf_str(&folded));
    if (buf_err(&folded) == ERR_OK && buf_err(&b) == ERR_OK)
        z = arena_strdup(a, buf_str(&b));
    buf_fini(&folded);
    buf_fini(&b);
    return z;
}

/* Does the text deny something ("not", "never", "no …")? */
static bool denies_something(const char *p, size_t n)
{
    return mem_find_i(p, n, "n't") != NULL ||
           mem_find_i(p, n, "n\xE2\x80\x99t") != NULL ||
           tokens_have(p, n,
                       "not no never cannot without neither nor none unable "
                       "unsupported disabled prohibited impossible unavailable "
                       "disallowed");
}

/* --- enumerations and booleans ------------------------------------------- */

/* Where the word run z stands in the text as whole words; false: nowhere. */
static bool find_run(const struct text *x, const char *z, size_t *start,
                     size_t *end)
{
    struct term_iter it;
    struct term want[8];
    size_t n = 0;

    terms_init(&it, z, strlen(z));
    while (n < 8 && tokens_next(&it, &want[n]))
        n++;
    for (size_t i = 0; n > 0 && i + n <= x->count; i++) {
        size_t k = 0;

        while (k < n && strcmp(x->t[i + k].text, want[k].text) == 0)
            k++;
        if (k == n) {
            *start = x->t[i].start;
            *end = x->t[i + n - 1].end;
            return true;
        }
    }
    return false;
}

static void enum_find(const struct value_want *w, const struct text *x,
                      struct arena *a, struct value_choices *out)
{
    const struct json *v = json_first(json_get(w->leaf, "enum"));
    bool denies = denies_something(x->p, x->n);

    for (; v != NULL; v = json_next(v)) {
        const char *z = json_string(v);
        size_t start = 0, end = 0;
        int64_t whole;

        if (z == NULL && json_is_whole(v, &whole))
            z = arena_printf(a, "%lld", (long long)whole);
        if (z == NULL || denies || !find_run(x, z, &start, &end))
            continue;
        value_add(out,
                  json_string(v) != NULL ? value_string(z, strlen(z), a) : z,
                  start, end,
                  near_fit(&x->near, start, end) +
                      (text_is_subject(x, end) ? FIT_SUBJECT : 0));
    }
}

enum value_kind value_kind_of(const struct json *leaf, const char *type)
{
    const char *format = json_string(json_get(leaf, "format"));

    if (json_get(leaf, "enum") != NULL)
        return VALUE_ENUM;
    if (strcmp(type, "integer") == 0)
        return VALUE_INTEGER;
    if (strcmp(type, "number") == 0)
        return VALUE_NUMBER;
    if (strcmp(type, "boolean") == 0)
        return VALUE_BOOLEAN;
    if (strcmp(type, "array") == 0)
        return VALUE_LIST;
    if (format == NULL)
        return VALUE_TEXT;
    if (strcmp(format, "date") == 0)
        return VALUE_DATE;
    return strcmp(format, "date-time") == 0 ? VALUE_DATE_TIME : VALUE_TEXT;
}

enum err value_find(const struct value_want *w, const struct unit *u,
                    struct arena *a, struct value_choices *out)
{
    struct text *x = malloc(2 * sizeof(*x)); /* one of them to work with */
    enum err e = ERR_OK;

    if (x == NULL)
        return ERR_NOMEM;
    out->count = 0;
    out->way = WAY_PLAIN;
    out->failed = false;
    text_read(x, u->text.p, u->text.n);
    near_read(w->label, u->text,
              w->type == ANSWER_DATE || w->type == ANSWER_PERSON, &x->near);
    switch (w->kind) {
    case VALUE_INTEGER:
    case VALUE_NUMBER:
        value_numbers(w, &x->near, a, out);
        break;
    case VALUE_BOOLEAN:
        value_boolean(w, u, x, &x[1], out);
        break;
    case VALUE_DATE:
    case VALUE_DATE_TIME:
        value_dates(w, x, a, out);
        break;
    case VALUE_ENUM:
        enum_find(w, x, a, out);
        break;
    case VALUE_LIST:
        e = value_lists(w, x, a, out);
        break;
    case VALUE_TEXT:
        value_texts(w, x, a, out);
        break;
    }
    free(x);
    return arena_failed(a) || out->failed ? ERR_NOMEM : e;
}
