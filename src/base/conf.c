/*
 * Reading the configuration; see conf.h. Defaults, file and environment all
 * go through the rows of conf_table.c. The only home of inih. Called by the
 * mains, once, before any thread is started.
 */
#include "base/conf.h"

#include "base/beside.h"
#include "base/conf_table.h"
#include "base/str.h"

#include <ini.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
    STRINGS_MAX = 1 << 20, /* bytes of all strings together */
    LINE_SIZE = 16 * 1024  /* longest line of the file, with its end */
};

/* --- providers ----------------------------------------------------------- */

static bool is_provider_name(const char *z)
{
    size_t n = strlen(z);

    return n > 0 && n <= 32 &&
           strspn(z, "abcdefghijklmnopqrstuvwxyz0123456789_-") == n;
}

/* The provider called name, made when it is new; NULL with *err set. */
static struct conf_provider *take_provider(struct conf *c, const char *name,
                                           const char *where, enum err *err,
                                           struct errctx *ec)
{
    struct conf_provider *p;

    for (size_t i = 0; i < c->provider_count; i++)
        if (strcmp(c->provider[i].name, name) == 0)
            return &c->provider[i];
    if (!is_provider_name(name)) {
        *err = err_set(ec, ERR_INVALID,
                       "%s: a provider's name is 1 to 32 of a-z, 0-9, - and "
                       "_, not \"%.40s\"",
                       where, name);
        return NULL;
    }
    if (c->provider_count == CONF_PROVIDERS_MAX) {
        *err = err_set(ec, ERR_INVALID, "%s: more than %d providers", where,
                       CONF_PROVIDERS_MAX);
        return NULL;
    }
    p = &c->provider[c->provider_count];
    p->name = arena_strdup(&c->arena, name);
    if (p->name == NULL) {
        *err = err_set(ec, ERR_NOMEM, "%s: out of memory", where);
        return NULL;
    }
    c->provider_count++;
    return p;
}

enum how { HOW_ONCE, HOW_APPEND, HOW_REPLACE };

/* Give a provider's key its value; how says what to do when it has one. */
static enum err set_field(struct conf *c, struct conf_provider *p,
                          const char *key, const char *value, enum how how,
                          const char *where, struct errctx *ec)
{
    size_t i = 0;

    while (i < p->count && strcmp(p->key[i], key) != 0)
        i++;
    if (i < p->count && how == HOW_ONCE)
        return err_set(ec, ERR_INVALID, "%s: \"%.40s\" is given twice", where,
                       key);
    if (i == CONF_FIELDS_MAX)
        return err_set(ec, ERR_INVALID, "%s: more than %d keys for a provider",
                       where, CONF_FIELDS_MAX);
    p->value[i] = i < p->count && how == HOW_APPEND
                      ? arena_printf(&c->arena, "%s\n%s", p->value[i], value)
                      : arena_strdup(&c->arena, value);
    if (i == p->count) {
        p->key[i] = arena_strdup(&c->arena, key);
        p->count++;
    }
    return arena_failed(&c->arena)
               ? err_set(ec, ERR_NOMEM, "%s: out of memory", where)
               : ERR_OK;
}

/* --- the file ------------------------------------------------------------ */

struct reading {
    struct conf *conf;
    FILE *file;
    const char *path;
    int line;                 /* of the line handed to inih last */
    bool continued;           /* that line begins with white space */
    bool seen[CONF_ROWS_MAX]; /* by row */
    enum err err;             /* the first thing that went wrong */
    struct errctx *ec;
};

/* "path:line" of the line being read. */
static const char *place(const struct reading *r, char *out, size_t size)
{
    snprintf(out, size, "%.100s:%d", r->path, r->line);
    return out;
}

static enum err take_pair(struct reading *r, const char *section,
                          const char *name, const char *value)
{
    char where[128];
    const struct conf_row *row = conf_row_find(section, name);
    struct conf_provider *p;
    enum err err = ERR_OK;

    place(r, where, sizeof where);
    if (strncmp(section, "provider.", 9) == 0) {
        p = take_provider(r->conf, section + 9, where, &err, r->ec);
        return p == NULL ? err
                         : set_field(r->conf, p, name, value,
                                     r->continued ? HOW_APPEND : HOW_ONCE,
                                     where, r->ec);
    }
    if (row == NULL)
        return conf_row_unknown(section, name, where, r->ec);
    if (r->continued)
        return err_set(r->ec, ERR_INVALID,
                       "%s: the line begins with white space, which continues "
                       "the value of \"%s\"",
                       where, name);
    if (r->seen[row - conf_rows])
        return err_set(r->ec, ERR_INVALID, "%s: %s.%s is given twice", where,
                       section, name);
    r->seen[row - conf_rows] = true;
    return conf_row_set(r->conf, row, value, where, r->ec);
}

/* inih's callback for one pair; 0 would only make it remember the line. */
static int on_pair(void *user, const char *section, const char *name,
                   const char *value)
{
    struct reading *r = user;

    if (r->err == ERR_OK)
        r->err = take_pair(r, section, name, value);
    return r->err == ERR_OK;
}

/* inih's source of lines: counts them and refuses those it would cut. */
static char *next_line(char *out, int size, void *user)
{
    struct reading *r = user;
    size_t n;
    char where[128];

    if (r->err != ERR_OK || fgets(out, size, r->file) == NULL)
        return NULL;
    r->line++;
    r->continued = out[0] == ' ' || out[0] == '\t';
    n = strlen(out);
    if (n > 0 && out[n - 1] != '\n' && !feof(r->file)) {
        r->err = err_set(r->ec, ERR_INVALID,
                         "%s: the line is too long or holds a NUL",
                         place(r, where, sizeof where));
        return NULL;
    }
    return out;
}

static enum err read_file(struct conf *c, const char *path, struct errctx *ec)
{
    struct reading r = {.conf = c, .path = path, .ec = ec};
    int bad;

    r.file = fopen(path, "re");
    if (r.file == NULL)
        return err_set(ec, ERR_IO, "cannot read %s: %s", path, strerror(errno));
    /* Debian's inih takes these at run time; its stack buffer is too short
     * for the templates of a provider. */
    ini_use_stack = false;
    ini_stop_on_first_error = true;
    ini_initial_alloc = LINE_SIZE;
    ini_max_line = LINE_SIZE;
    bad = ini_parse_stream(next_line, &r, on_pair, &r);
    if (r.err == ERR_OK && ferror(r.file))
        r.err = err_set(ec, ERR_IO, "cannot read %s", path);
    else if (r.err == ERR_OK && bad == -2)
        r.err = err_set(ec, ERR_NOMEM, "out of memory");
    else if (r.err == ERR_OK && bad != 0)
        r.err = err_set(ec, ERR_INVALID,
                        "%.100s:%d: neither \"[section]\" nor \"key = value\"",
                        path, bad);
    fclose(r.file);
    return r.err;
}

/* --- the environment ----------------------------------------------------- */

static const char *env_get(char *const envp[], const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0; envp != NULL && envp[i] != NULL; i++)
        if (strncmp(envp[i], name, n) == 0 && envp[i][n] == '=')
            return envp[i] + n + 1;
    return NULL;
}

static enum err take_env_rows(struct conf *c, char *const envp[],
                              struct errctx *ec)
{
    char name[2 * CONF_WORD_MAX], where[2 * CONF_WORD_MAX + 16];

    for (const struct conf_row *row = conf_rows; row->section != NULL; row++) {
        const char *value;
        enum err err;

        conf_env_name(row->section, row->key, name, sizeof name);
        value = env_get(envp, name);
        if (value == NULL)
            continue;
        snprintf(where, sizeof where, "environment %s", name);
        err = conf_row_set(c, row, value, where, ec);
        if (err != ERR_OK)
            return err;
    }
    return ERR_OK;
}

/* The provider whose prefix CITED_PROVIDER_<NAME>_ begins entry, the longest
 * name winning; its key's place in *key. */
static struct conf_provider *env_provider(struct conf *c, const char *entry,
                                          const char **key)
{
    struct conf_provider *found = NULL;

    for (size_t i = 0; i < c->provider_count; i++) {
        char prefix[2 * CONF_WORD_MAX], name[CONF_WORD_MAX];
        size_t n;

        snprintf(name, sizeof name, "provider_%s", c->provider[i].name);
        conf_env_name(name, "", prefix, sizeof prefix);
        n = strlen(prefix);
        if (strncmp(entry, prefix, n) == 0 &&
            (found == NULL || entry + n > *key)) {
            found = &c->provider[i];
            *key = entry + n;
        }
    }
    return found;
}

/* CITED_PROVIDER_<NAME>_<KEY>, so that no key of a provider needs a file. */
static enum err take_env_providers(struct conf *c, char *const envp[],
                                   struct errctx *ec)
{
    for (size_t i = 0; envp != NULL && envp[i] != NULL; i++) {
        const char *key = NULL, *equals;
        struct conf_provider *p = env_provider(c, envp[i], &key);
        char lower[CONF_WORD_MAX];
        enum err err;

        equals = p == NULL ? NULL : strchr(key, '=');
        if (equals == NULL || equals == key ||
            (size_t)(equals - key) >= sizeof lower)
            continue;
        memcpy(lower, key, (size_t)(equals - key));
        lower[equals - key] = '\0';
        ascii_lower_all(lower);
        err =
            set_field(c, p, lower, equals + 1, HOW_REPLACE, "environment", ec);
        if (err != ERR_OK)
            return err;
    }
    return ERR_OK;
}

/* --- public -------------------------------------------------------------- */

/* The file to read, or NULL for none. */
static const char *choose_file(const char *path, char *const envp[])
{
    static const char *const usual[] = {"cited.conf", "/etc/cited/cited.conf"};
    const char *named = path != NULL ? path : env_get(envp, "CITED_CONF");

    if (named != NULL)
        return named;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (access(usual[i], F_OK) == 0)
            return usual[i];
    return NULL;
}

static enum err set_defaults(struct conf *c, struct errctx *ec)
{
    enum err err = ERR_OK;

    for (const struct conf_row *row = conf_rows;
         row->section != NULL && err == ERR_OK; row++)
        err = conf_row_set(c, row, row->fallback, "default", ec);
    return err;
}

static enum err fill(struct conf *c, const char *path, const char *data_dir,
                     char *const envp[], struct errctx *ec)
{
    const struct conf_row *dir = conf_row_find("data", "dir");
    const char *file = choose_file(path, envp);
    const char *short_dir = env_get(envp, "CITED_DATA");
    enum err err = set_defaults(c, ec);

    if (err == ERR_OK && file != NULL)
        err = read_file(c, file, ec);
    if (err == ERR_OK && file != NULL) {
        c->path = arena_strdup(&c->arena, file);
        err =
            c->path == NULL ? err_set(ec, ERR_NOMEM, "out of memory") : ERR_OK;
    }
    if (err == ERR_OK && short_dir != NULL)
        err = conf_row_set(c, dir, short_dir, "environment CITED_DATA", ec);
    if (err == ERR_OK)
        err = take_env_rows(c, envp, ec);
    if (err == ERR_OK)
        err = take_env_providers(c, envp, ec);
    if (err == ERR_OK && data_dir != NULL)
        err = conf_row_set(c, dir, data_dir, "command line", ec);
    return err;
}

/* "auto" becomes the file that `make install` left, or `make meaning` beside
 * programs that were not installed; or none. */
static enum err find_encoder(struct conf *c, struct errctx *ec)
{
    char path[PROGRAM_PATH_MAX];

    if (strcmp(c->meaning_model, "auto") != 0)
        return ERR_OK;
    c->meaning_model = program_find("minilm.model", path) ||
                               program_find("meaning/minilm.model", path)
                           ? arena_strdup(&c->arena, path)
                           : "";
    return c->meaning_model == NULL ? err_set(ec, ERR_NOMEM, "out of memory")
                                    : ERR_OK;
}

enum err conf_load(struct conf *c, const char *path, const char *data_dir,
                   char *const envp[], struct errctx *ec)
{
    enum err err;

    memset(c, 0, sizeof *c);
    arena_init(&c->arena, STRINGS_MAX);
    err = fill(c, path, data_dir, envp, ec);
    if (err == ERR_OK)
        err = find_encoder(c, ec);
    if (err != ERR_OK)
        conf_fini(c);
    return err;
}

void conf_fini(struct conf *c)
{
    arena_fini(&c->arena);
    memset(c, 0, sizeof *c);
}

/* What stands between the data folder and a name in it. */
static const char *slash_of(const struct conf *c)
{
    size_t n = strlen(c->data_dir);

    return n > 0 && c->data_dir[n - 1] == '/' ? "" : "/";
}

const char *conf_data_path(const struct conf *c, struct arena *a,
                           const char *name)
{
    return arena_printf(a, "%s%s%s", c->data_dir, slash_of(c), name);
}

const char *conf_data_file(const struct conf *c, const char *name,
                           char out[CONF_PATH_MAX])
{
    int n =
        snprintf(out, CONF_PATH_MAX, "%s%s%s", c->data_dir, slash_of(c), name);

    return n < 0 || n >= CONF_PATH_MAX ? NULL : out;
}

const char *conf_provider_get(const struct conf_provider *p, const char *key,
                              const char *fallback)
{
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->key[i], key) == 0)
            return p->value[i];
    return fallback;
}
