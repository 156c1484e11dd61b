/*
 * The rows of conf_keys.def as a table; see conf_table.h. The commented example
 * is printed from the same rows.
 */
#include "base/conf_table.h"

#include "base/str.h"
#include "base/version.h"

#include <string.h>

enum { KEY_HEADERS_MAX = 8 };

#define ROW(s, k, type, m, def, lo, hi, words, h)                              \
    {s, k, CONF_##type, offsetof(struct conf, m), def, lo, hi, words, h},
#define INT(s, k, m, def, lo, hi, h) ROW(s, k, INT, m, def, lo, hi, NULL, h)
#define BYTES(s, k, m, def, lo, hi, h) ROW(s, k, BYTES, m, def, lo, hi, NULL, h)
#define BOOL(s, k, m, def, h) ROW(s, k, BOOL, m, def, 0, 1, NULL, h)
#define TEXT(s, k, m, def, words, h) ROW(s, k, TEXT, m, def, 0, 0, words, h)

const struct conf_row conf_rows[] = {
#include "base/conf_keys.def"
    {.section = NULL}};

_Static_assert(sizeof conf_rows / sizeof *conf_rows <= CONF_ROWS_MAX,
               "raise CONF_ROWS_MAX");

/* --- values -------------------------------------------------------------- */

static bool parse_bool(const char *z, bool *out)
{
    static const char *const words[] = {"false", "no",  "off", "0",
                                        "true",  "yes", "on",  "1"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (ascii_casecmp(z, words[i]) == 0) {
            *out = i >= 4;
            return true;
        }
    return false;
}

/* A number with an optional k, M or G behind it (powers of 1024). */
static bool parse_bytes(const char *z, int64_t lo, int64_t hi, int64_t *out)
{
    static const char units[] = "kmg";
    size_t n = strlen(z);
    char digits[24];
    const char *unit;
    int64_t v;
    int shift = 0;

    if (n == 0 || n >= sizeof digits)
        return false;
    unit = strchr(units, ascii_lower(z[n - 1]));
    if (unit != NULL)
        shift = 10 * (int)(unit - units + 1);
    memcpy(digits, z, n + 1);
    if (unit != NULL)
        digits[n - 1] = '\0';
    if (!parse_int(digits, 0, hi >> shift, &v) || v << shift < lo)
        return false;
    *out = v << shift;
    return true;
}

/* Is z one of the words separated by spaces? */
static bool is_choice(const char *choices, const char *z)
{
    size_t n = strlen(z);

    for (const char *p = choices; *p != '\0';) {
        size_t len = strcspn(p, " ");

        if (len == n && memcmp(p, z, n) == 0)
            return true;
        p += len + (p[len] == ' ' ? 1 : 0);
    }
    return false;
}

/* Empty, or names of letters, digits and '-' between commas. */
static bool is_header_list(const char *z)
{
    for (int i = 0; *z != '\0' && i < KEY_HEADERS_MAX; i++) {
        size_t n = strcspn(z, ",");
        struct str name = str_trim((struct str){z, n});

        if (name.n == 0)
            return false;
        for (size_t k = 0; k < name.n; k++)
            if (!ascii_is_alnum((unsigned char)name.p[k]) && name.p[k] != '-')
                return false;
        z += n;
        if (*z == ',' && *++z == '\0')
            return false;
    }
    return *z == '\0';
}

/* A rule of one key that the table cannot say, or NULL. */
static const char *text_fault(const struct conf_row *r, const char *z)
{
    size_t n = strlen(z);

    if (!utf8_valid(z, n))
        return "valid UTF-8";
    if (r->offset == offsetof(struct conf, data_dir) && n == 0)
        return "the path of a folder";
    if (r->offset == offsetof(struct conf, database) && n > 0 &&
        strncmp(z, "postgresql://", 13) != 0 &&
        strncmp(z, "postgres://", 11) != 0)
        return "empty, or an address that begins with postgresql://";
    if (r->offset == offsetof(struct conf, base_path) && n > 0 &&
        (z[0] != '/' || z[n - 1] == '/' || strpbrk(z, " ?#\t") != NULL))
        return "empty, or begin with '/' and not end with one";
    if (r->offset == offsetof(struct conf, key_headers) && !is_header_list(z))
        return "names of request headers, at most 8, separated by commas";
    return NULL;
}

/* What a row allows, for messages and the example. */
static void describe(const struct conf_row *r, char *out, size_t size)
{
    switch (r->type) {
    case CONF_INT:
        snprintf(out, size, "a whole number from %lld to %lld",
                 (long long)r->min, (long long)r->max);
        break;
    case CONF_BYTES:
        snprintf(out, size, "bytes from %lld to %lld; k, M and G may follow",
                 (long long)r->min, (long long)r->max);
        break;
    case CONF_BOOL:
        snprintf(out, size, "true or false");
        break;
    case CONF_TEXT:
        snprintf(out, size, r->choices == NULL ? "text" : "one of: %s",
                 r->choices);
        break;
    }
}

static enum err bad_value(const struct conf_row *r, const char *z,
                          const char *where, const char *rule,
                          struct errctx *ec)
{
    char allowed[128];

    describe(r, allowed, sizeof allowed);
    return err_set(ec, ERR_INVALID, "%s: %s.%s must be %s, not \"%.60s\"",
                   where, r->section, r->key, rule == NULL ? allowed : rule, z);
}

enum err conf_row_set(struct conf *c, const struct conf_row *r, const char *z,
                      const char *where, struct errctx *ec)
{
    void *member = (char *)c + r->offset;
    const char *copy, *rule = NULL;
    bool ok = true;

    switch (r->type) {
    case CONF_INT:
        ok = parse_int(z, r->min, r->max, member);
        break;
    case CONF_BYTES:
        ok = parse_bytes(z, r->min, r->max, member);
        break;
    case CONF_BOOL:
        ok = parse_bool(z, member);
        break;
    case CONF_TEXT:
        rule = text_fault(r, z);
        ok = rule == NULL && (r->choices == NULL || is_choice(r->choices, z));
        if (!ok)
            break;
        copy = arena_strdup(&c->arena, z);
        if (copy == NULL)
            return err_set(ec, ERR_NOMEM, "%s: out of memory", where);
        memcpy(member, &copy, sizeof copy);
        break;
    }
    return ok ? ERR_OK : bad_value(r, z, where, rule, ec);
}

/* --- unknown names ------------------------------------------------------- */

enum err conf_row_unknown(const char *section, const char *key,
                          const char *where, struct errctx *ec)
{
    const struct conf_row *best = conf_rows;
    size_t least = SIZE_MAX;

    for (const struct conf_row *r = conf_rows; r->section != NULL; r++) {
        size_t d =
            2 * str_distance(key, r->key) + str_distance(section, r->section);

        if (d < least) {
            least = d;
            best = r;
        }
    }
    return err_set(ec, ERR_INVALID,
                   "%s: unknown key \"%.40s\" in section [%.40s]; the nearest "
                   "known key is \"%s\" in section [%s]",
                   where, key, section, best->key, best->section);
}

const struct conf_row *conf_row_find(const char *section, const char *key)
{
    for (const struct conf_row *r = conf_rows; r->section != NULL; r++)
        if (strcmp(r->section, section) == 0 && strcmp(r->key, key) == 0)
            return r;
    return NULL;
}

/* --- names and the example ----------------------------------------------- */

void conf_env_name(const char *a, const char *b, char *out, size_t size)
{
    snprintf(out, size, "CITED_%s_%s", a, b);
    for (char *p = out; *p != '\0'; p++) {
        if (*p >= 'a' && *p <= 'z')
            *p = (char)(*p - 32);
        if (*p == '-')
            *p = '_';
    }
}

static const char *setting_of(const struct conf_setting *set,
                              const struct conf_row *r)
{
    for (; set->section != NULL; set++)
        if (strcmp(set->section, r->section) == 0 &&
            strcmp(set->key, r->key) == 0)
            return set->value;
    return NULL;
}

void conf_print_example(FILE *f)
{
    static const struct conf_setting none = {NULL, NULL, NULL};

    conf_print(f, &none);
}

void conf_print(FILE *f, const struct conf_setting *set)
{
    const char *section = "";

    fputs("# Configuration of cited. Every key stands here with its default; "
          "none has to\n# be set. A variable of the environment wins over "
          "this file. A comment is a\n# line that begins with # or ;.\n",
          f);
    for (const struct conf_row *r = conf_rows; r->section != NULL; r++) {
        char allowed[128], name[2 * CONF_WORD_MAX];
        const char *value = setting_of(set, r);

        if (strcmp(section, r->section) != 0) {
            section = r->section;
            fprintf(f, "\n[%s]\n", section);
        }
        describe(r, allowed, sizeof allowed);
        conf_env_name(r->section, r->key, name, sizeof name);
        fprintf(f, "\n# %s\n# Allowed: %s.\n# Environment: %s%s\n%s%s =%s%s\n",
                r->help, allowed, name,
                r->offset == offsetof(struct conf, data_dir)
                    ? ", or short CITED_DATA"
                    : "",
                value == NULL ? "#" : "", r->key,
                *(value == NULL ? r->fallback : value) == '\0' ? "" : " ",
                value == NULL ? r->fallback : value);
    }
    fputs(
        "\n# Search providers are sections of their own, [provider.NAME]; "
        "their keys are\n# in cited.conf(5). A line that begins with "
        "white space continues the value\n# above it. CITED_PROVIDER_NAME_KEY "
        "in the environment sets a key of a provider\n# that stands here, "
        "which keeps secrets out of the file.\n#\n#[provider.searxng]\n"
        "#use = searxng\n#base = http://127.0.0.1:8888\n#\n"
        "#[provider.wikipedia]\n#use = wikipedia\n",
        f);
}
