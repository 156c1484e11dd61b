/* What a model wrote, taken apart; see answer_parse.h. */
#include "answer/answer_parse.h"
#include "answer/answer_render.h"

#include "base/str.h"
#include "text/passage.h"
#include "json/json.h"

#include <string.h>

enum { REPAIRS_MAX = 16, MARK_MAX = 48, DEPTH_MAX = 4 };

struct parse {
    struct written *v;
    size_t count, passages;
    struct arena *a;
};

/* --- one sentence -------------------------------------------------------- */

static void id_add(struct written *w, size_t passages, int64_t id)
{
    if (id < 1 || id > (int64_t)passages || w->id_count == WRITTEN_IDS_MAX)
        return;
    for (size_t i = 0; i < w->id_count; i++)
        if (w->ids[i] == (size_t)id)
            return;
    w->ids[w->id_count++] = (size_t)id;
}

/* Length of a mark at p: "[1]", "[1, 2]", "[passage 3]"; its numbers go to w.
 * 0 when there is none. */
static size_t mark_read(const char *p, size_t passages, struct written *w)
{
    size_t i = 1, digits = 0;
    int64_t id = 0;

    if (p[0] != '[')
        return 0;
    if (ascii_starts_i(p + i, "passage"))
        i += strlen("passage");
    if (p[i] == 's')
        i++;
    for (; i < MARK_MAX && p[i] != ']'; i++) {
        if (ascii_is_digit(p[i]) && digits < 6) {
            id = id * 10 + (p[i] - '0');
            digits++;
        } else if (p[i] == ',' || p[i] == ' ' || p[i] == ';') {
            if (digits > 0)
                id_add(w, passages, id);
            digits = 0;
            id = 0;
        } else {
            return 0;
        }
    }
    if (p[i] != ']' || i == 1)
        return 0;
    if (digits > 0)
        id_add(w, passages, id);
    return i + 1;
}

/* Without "- ", "* ", "3. ", "# " in front. */
static struct str without_sign(struct str s)
{
    size_t i = 0;

    s = str_trim(s);
    while (i < s.n && (s.p[i] == '#' || s.p[i] == '>'))
        i++;
    if (i == 0 && s.n > 1 && strchr("-*+", s.p[0]) != NULL && s.p[1] == ' ')
        i = 1;
    if (i == 0) {
        while (i < s.n && i < 3 && ascii_is_digit(s.p[i]))
            i++;
        i = i > 0 && i + 1 < s.n && strchr(".)", s.p[i]) != NULL &&
                    s.p[i + 1] == ' '
                ? i + 1
                : 0;
    }
    s.p += i;
    s.n -= i;
    return str_trim(s);
}

/* "`", and each star of "**". */
static bool is_emphasis(struct str s, size_t i)
{
    return s.p[i] == '`' ||
           (s.p[i] == '*' && ((i + 1 < s.n && s.p[i + 1] == '*') ||
                              (i > 0 && s.p[i - 1] == '*')));
}

/* One line: white space folded, marks read and left out, emphasis and code
 * signs left out. */
static enum err clean(struct parse *p, struct str s, struct written *w)
{
    char *z = arena_alloc(p->a, s.n + 1);
    size_t n = 0;

    if (z == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < s.n; i++) {
        size_t mark = mark_read(s.p + i, p->passages, w);

        if (mark > 0 && mark <= s.n - i && !mark_hangs(s.p, i)) {
            i += mark - 1;
            continue;
        }
        if (is_emphasis(s, i))
            continue;
        if (!ascii_is_space(s.p[i])) {
            /* "in 1988 [1]." leaves a blank before the full stop. */
            if (n > 0 && z[n - 1] == ' ' && strchr(".!?,;", s.p[i]) != NULL)
                n--;
            z[n++] = s.p[i];
        } else if (n > 0 && z[n - 1] != ' ') {
            z[n++] = ' ';
        }
    }
    while (n > 0 && z[n - 1] == ' ')
        n--;
    z[n] = '\0';
    w->text = z;
    return ERR_OK;
}

static enum err sentence_add(struct parse *p, struct str s,
                             const struct written *ids)
{
    struct written w = {.text = ""};
    const char *from;
    enum err e;

    if (p->count == WRITTEN_MAX)
        return ERR_OK;
    s = str_trim(s);
    from = s.p;
    s = without_sign(s);
    if (s.n == 0)
        return ERR_OK;
    if (ids != NULL)
        w = *ids;
    if (s.p > from && strchr("#>", *from) == NULL)
        w.form = WRITTEN_ITEM;
    e = clean(p, s, &w);
    if (e == ERR_OK && w.text[0] != '\0')
        p->v[p->count++] = w;
    return e;
}

/* --- text ---------------------------------------------------------------- */

/* The sentences of a stretch; the numbers behind it belong to its last one. */
static enum err stretch_add(struct parse *p, const char *z, size_t n,
                            const struct written *ids, bool drop_last)
{
    struct span *spans = NULL;
    size_t count = 0;
    enum err e = sentences_split(z, n, p->a, &spans, &count);

    for (size_t i = 0; e == ERR_OK && i < count; i++) {
        struct str s = {z + spans[i].start, spans[i].len};

        if (i + 1 == count && drop_last)
            break;
        e = sentence_add(p, s, i + 1 == count ? ids : NULL);
    }
    return e;
}

/* The words in quotation marks behind marks; returns what is behind them. */
static const char *quote_read(struct parse *p, const char *z,
                              struct written *w)
{
    static const char *const signs[][2] = {
        {"\"", "\""}, {"\xE2\x80\x9C", "\xE2\x80\x9D"}, {"`", "`"}};
    size_t blank = strspn(z, " :-");

    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        const char *from = z + blank + strlen(signs[i][0]), *end;

        if (strncmp(z + blank, signs[i][0], strlen(signs[i][0])) != 0)
            continue;
        /* The last one of its line: the words may have some, too. */
        end = NULL;
        for (const char *at = from; *at != '\0' && *at != '\n'; at++)
            if (strncmp(at, signs[i][1], strlen(signs[i][1])) == 0)
                end = at;
        if (end == NULL || end == from)
            return z;
        w->quote = arena_strndup(p->a, from, (size_t)(end - from));
        return end + strlen(signs[i][1]);
    }
    return z;
}

/* Text is cut behind each run of marks and the full stop that may follow. */
static enum err text_read(struct parse *p, const char *z, bool cut)
{
    const char *from = z;
    enum err e = ERR_OK;

    while (e == ERR_OK && *z != '\0') {
        struct written ids = {.text = ""};
        const char *behind = z, *marks;
        size_t len;

        while ((len = mark_read(behind, p->passages, &ids)) > 0) {
            behind += len;
            while (*behind == ' ')
                behind++;
        }
        if (behind == z) {
            z++;
            continue;
        }
        /* "argv[1] holds": part of a word, and no end of anything. */
        if (mark_hangs(from, (size_t)(z - from)) && *behind != '\0' &&
            strchr(".!?\"*\n", *behind) == NULL) {
            z = behind;
            continue;
        }
        behind = quote_read(p, behind, &ids);
        marks = behind;
        while (*behind != '\0' && strchr(".!?\"*", *behind) != NULL)
            behind++;
        /* In the middle of a sentence: its end is still to come. */
        if (*behind != '\0' && !ascii_is_space(*behind) &&
            !ascii_is_space(behind[-1])) {
            z = behind;
            continue;
        }
        /* With the full stop when the marks stand before it. */
        e = stretch_add(p, from,
                        (size_t)((behind > marks && ids.quote == NULL ? behind
                                                                      : z) -
                                 from),
                        &ids, false);
        from = z = behind;
    }
    return e == ERR_OK ? stretch_add(p, from, strlen(from), NULL, cut) : e;
}

/* --- JSON ---------------------------------------------------------------- */

static const struct json *member(const struct json *v, const char *const *names)
{
    for (; *names != NULL; names++)
        if (json_get(v, *names) != NULL)
            return json_get(v, *names);
    return NULL;
}

static void id_read(const struct json *v, size_t passages, struct written *w)
{
    const char *z = json_string(v);
    int64_t id;

    if (json_is_whole(v, &id) || (z != NULL && parse_int(z, 1, 1000, &id)))
        id_add(w, passages, id);
    else if (z != NULL)
        mark_read(z, passages, w);
}

static void ids_read(const struct json *v, size_t passages, struct written *w)
{
    id_read(v, passages, w);
    if (json_type_of(v) != JSON_ARRAY)
        return;
    for (const struct json *k = json_first(v); k != NULL; k = json_next(k))
        id_read(k, passages, w);
}

static enum written_form form_of(const char *z)
{
    static const char *const names[] = {"sentence", "paragraph", "item",
                                        "code"};

    for (int i = 1; z != NULL && i < 4; i++)
        if (strcmp(z, names[i]) == 0)
            return (enum written_form)i;
    return WRITTEN_SENTENCE;
}

/* One item: a string, or an object of text, numbers and a quote. Several sentences in
 * one item share its numbers. */
static enum err item_read(struct parse *p, const struct json *v)
{
    static const char *const texts[] = {"text", "sentence", "answer", "content",
                                        NULL};
    static const char *const ids[] = {"passages",  "passage", "ids", "id",
                                      "citations", "sources", NULL};
    static const char *const quotes[] = {"quote", "quotes", "evidence", NULL};
    struct written w = {.text = ""};
    const char *z = json_string(v);
    const struct json *quote = member(v, quotes);
    struct span *spans = NULL;
    size_t count = 0;
    enum err e;

    if (z != NULL)
        return text_read(p, z, false);
    z = json_string(member(v, texts));
    if (z == NULL)
        return ERR_OK;
    ids_read(member(v, ids), p->passages, &w);
    z = arena_strdup(p->a, z);
    if (json_type_of(quote) == JSON_ARRAY)
        quote = json_first(quote);
    if (json_string(quote) != NULL && *json_string(quote) != '\0')
        w.quote = arena_strdup(p->a, json_string(quote));
    w.form = form_of(json_string(json_get(v, "form")));
    if (arena_failed(p->a))
        return ERR_NOMEM;
    if (w.form == WRITTEN_CODE && p->count < WRITTEN_MAX) {
        w.text = z;
        p->v[p->count++] = w;
        return ERR_OK;
    }
    e = sentences_split(z, strlen(z), p->a, &spans, &count);
    for (size_t i = 0; e == ERR_OK && i < count; i++)
        e = sentence_add(p, (struct str){z + spans[i].start, spans[i].len}, &w);
    return e;
}

static enum err root_read(struct parse *p, const struct json *root)
{
    static const char *const lists[] = {"statements", "sentences", "answer", "answers",
                                        "result",    "text",   NULL};
    const struct json *v = root;
    enum err e = ERR_OK;

    for (int i = 0;
         i < DEPTH_MAX && json_type_of(v) == JSON_OBJECT &&
         member(v, lists) != NULL && json_string(member(v, lists)) == NULL;
         i++)
        v = member(v, lists);
    if (json_type_of(v) != JSON_ARRAY)
        return item_read(p, v);
    for (const struct json *k = json_first(v); e == ERR_OK && k != NULL;
         k = json_next(k))
        e = item_read(p, k);
    return e;
}

static struct json *json_try(const char *z, size_t n)
{
    struct json *root = NULL;

    return json_parse(z, n, &json_limits_foreign, &root, NULL) == ERR_OK ? root
                                                                         : NULL;
}

/* A list that breaks off: up to its last whole item. */
static struct json *json_mend(const char *z, struct arena *a)
{
    static const char *const ends[] = {"]}", "]", "}"};
    size_t n = strlen(z);
    struct json *root = NULL;

    for (int i = 0; i < REPAIRS_MAX && n > 0 && root == NULL; i++) {
        while (n > 0 && z[n - 1] != '}')
            n--;
        for (size_t k = 0; n > 0 && root == NULL && k < 3; k++) {
            char *try = arena_printf(a, "%.*s%s", (int)n, z, ends[k]);

            if (try == NULL)
                return NULL;
            root = json_try(try, strlen(try));
        }
        if (n > 0)
            n--;
    }
    return root;
}

/* JSON with words around it: from its first bracket to its last. */
static struct json *json_find(const char *z, bool *looks, struct arena *a)
{
    const char *from = strpbrk(z, "{");
    const char *list = strstr(z, "[{");
    size_t n;
    struct json *root;

    if (list != NULL && (from == NULL || list < from))
        from = list;
    *looks = from != NULL && strchr(from, '"') != NULL;
    if (!*looks)
        return NULL;
    n = strlen(from);
    while (n > 1 && from[n - 1] != '}' && from[n - 1] != ']')
        n--;
    root = json_try(from, n);
    return root != NULL ? root : json_mend(from, a);
}

enum err answer_parse(const char *text, bool cut, size_t passages,
                      struct arena *a, struct written **out, size_t *count)
{
    struct parse p = {.passages = passages, .a = a};
    struct json *root;
    bool looks = false;
    enum err e = ERR_OK;

    p.v = arena_array(a, WRITTEN_MAX, sizeof(*p.v));
    if (p.v == NULL)
        return ERR_NOMEM;
    root = json_find(text, &looks, a);
    if (root != NULL)
        e = root_read(&p, root);
    else if (!looks)
        e = text_read(&p, text, cut);
    json_free(root);
    if (e != ERR_OK)
        return e;
    *out = p.v;
    *count = p.count;
    return ERR_OK;
}
