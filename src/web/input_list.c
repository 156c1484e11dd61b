/* The query string of a list; see input.h. */
#include "web/input.h"

#include "base/str.h"

#include <stdio.h>
#include <string.h>

/* Pages beyond this one are certainly a mistake; keeps products in range. */
#define PAGE_MAX INT64_C(1000000000)
enum { PAGE_SIZE_MAX = 100, PAGE_SIZE_DEFAULT = 10, PAIRS_MAX = 1000 };

enum field { F_PAGE, F_SIZE, F_SORT, F_DIRECTION, F_COUNT };

static const char *const names[F_COUNT] = {
    [F_PAGE] = "page",
    [F_SIZE] = "pageSize",
    [F_SORT] = "sortBy",
    [F_DIRECTION] = "sortDirection",
};

/* NULL: broken encoding, broken UTF-8, a NUL, or no memory. */
static const char *decode(const char *p, size_t n, struct arena *a)
{
    char *out = arena_alloc(a, n + 1);
    size_t k = 0;

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        int c = p[i] == '%'   ? percent_byte(p + i, n - i)
                : p[i] == '+' ? ' '
                              : p[i];

        if ((p[i] == '%' && c < 0) || c == '\0')
            return NULL;
        i += p[i] == '%' ? 2 : 0;
        out[k++] = (char)c;
    }
    return utf8_valid(out, k) ? out : NULL;
}

static const char *shown(const char *value, struct arena *a)
{
    size_t n = strlen(value);
    const char *z =
        arena_strndup(a, value, utf8_cut(value, n, n < 60 ? n : 60));

    return z == NULL ? "" : z;
}

static void take_number(const char *name, const char *value, int64_t hi,
                        struct problem *p, int64_t *out)
{
    if (!parse_int(value, 1, hi, out))
        problem_add(p, name,
                    "%s must be a whole number from 1 to %lld; \"%s\" was "
                    "given",
                    name, (long long)hi, shown(value, p->arena));
}

static bool take_word(const char *name, const char *value, const char *no,
                      const char *yes, struct problem *p)
{
    if (strcmp(value, no) != 0 && strcmp(value, yes) != 0)
        problem_add(p, name, "%s must be one of %s, %s; \"%s\" was given", name,
                    no, yes, shown(value, p->arena));
    return strcmp(value, yes) == 0;
}

static void take(enum field f, const char *value, struct problem *p,
                 struct list_params *out)
{
    switch (f) {
    case F_PAGE:
        take_number(names[f], value, PAGE_MAX, p, &out->page);
        break;
    case F_SIZE:
        take_number(names[f], value, PAGE_SIZE_MAX, p, &out->page_size);
        break;
    case F_SORT:
        out->sort = take_word(names[f], value, "createdAt", "updatedAt", p)
                        ? TASK_BY_UPDATED
                        : TASK_BY_CREATED;
        break;
    case F_DIRECTION:
        out->descending = take_word(names[f], value, "asc", "desc", p);
        break;
    case F_COUNT:
        break;
    }
}

static void take_pair(struct str pair, bool seen[F_COUNT], struct problem *p,
                      struct list_params *out)
{
    const char *eq = memchr(pair.p, '=', pair.n);
    size_t key_len = eq == NULL ? pair.n : (size_t)(eq - pair.p);
    const char *key = decode(pair.p, key_len, p->arena);
    const char *value;

    if (key == NULL) {
        problem_add(p, "",
                    "The query string is not valid: a key's "
                    "percent-encoding is broken.");
        return;
    }
    for (int f = 0; f < F_COUNT; f++) {
        if (strcmp(key, names[f]) != 0)
            continue;
        value =
            eq == NULL ? "" : decode(eq + 1, pair.n - key_len - 1, p->arena);
        if (seen[f])
            problem_add(p, key, "%s is given more than once", key);
        else if (value == NULL)
            problem_add(p, key, "%s is not percent-encoded UTF-8", key);
        else
            take((enum field)f, value, p, out);
        seen[f] = true;
    }
}

void input_list(const char *query, struct problem *p, struct list_params *out)
{
    bool seen[F_COUNT] = {false};
    int pairs = 0;

    *out = (struct list_params){
        .page = 1, .page_size = PAGE_SIZE_DEFAULT, .sort = TASK_BY_CREATED};
    while (*query != '\0') {
        size_t n = strcspn(query, "&");

        if (++pairs > PAIRS_MAX) {
            problem_add(p, "", "The query string holds too many keys.");
            return;
        }
        if (n > 0)
            take_pair((struct str){query, n}, seen, p, out);
        query += n + (query[n] == '&');
    }
}

/* The next pair of the key: its value is raw, *n bytes. NULL at the end. */
static const char *next_value(const char **query, const char *name, size_t *n)
{
    size_t name_len = strlen(name);

    while (**query != '\0') {
        const char *pair = *query;
        size_t len = strcspn(pair, "&");

        *query += len + (pair[len] == '&');
        if (len < name_len || memcmp(pair, name, name_len) != 0 ||
            (len > name_len && pair[name_len] != '='))
            continue;
        *n = len > name_len ? len - name_len - 1 : 0;
        return pair + len - *n;
    }
    return NULL;
}

const char *input_query(const char *query, const char *name, struct problem *p)
{
    const char *found = NULL, *raw;
    int seen = 0;
    size_t n = 0;

    while ((raw = next_value(&query, name, &n)) != NULL) {
        if (++seen > 1) {
            problem_add(p, name, "%s is given more than once", name);
            return NULL;
        }
        found = n == 0 ? NULL : decode(raw, n, p->arena);
        if (n == 0)
            problem_add(p, name, "%s must not be empty", name);
        else if (found == NULL)
            problem_add(p, name, "%s is not percent-encoded UTF-8", name);
    }
    return found;
}

static void no_such_word(const char *name, const char *value,
                         const char *const *words, size_t count,
                         struct problem *p)
{
    char list[128];
    size_t k = 0;

    list[0] = '\0';
    for (size_t i = 0; i < count && k < sizeof list; i++)
        k += (size_t)snprintf(list + k, sizeof list - k, "%s%s",
                              i == 0 ? "" : ", ", words[i]);
    problem_add(p, name, "%s must be one of %s; \"%s\" was given", name, list,
                value == NULL ? "" : shown(value, p->arena));
}

unsigned input_words(const char *query, const char *name,
                     const char *const *words, size_t count, struct problem *p)
{
    unsigned set = 0;
    const char *raw;
    size_t n = 0;
    bool given = false;

    while ((raw = next_value(&query, name, &n)) != NULL) {
        const char *value = decode(raw, n, p->arena);
        size_t i = 0;

        given = true;
        while (i < count && (value == NULL || strcmp(value, words[i]) != 0))
            i++;
        if (i == count)
            no_such_word(name, value, words, count, p);
        else
            set |= 1u << i;
    }
    return given ? set : (1u << count) - 1;
}
