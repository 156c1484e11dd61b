/*
 * The configuration: one table of keys, each with type, default, range and a
 * sentence; read from an INI file (inih), overridden by CITED_<SECTION>_<KEY>
 * in the environment. No file is needed. The table is also what prints the
 * commented example and what the manual page is checked against.
 *
 * Read-only after conf_load, so threads share it freely.
 */
#ifndef CITED_BASE_CONF_H
#define CITED_BASE_CONF_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CONF_PROVIDERS_MAX = 16, CONF_FIELDS_MAX = 32 };

/* A section [provider.NAME]: free keys, read by search/provider_json. A line
 * of the file that begins with white space continues the value above it (joined
 * by a line end); CITED_PROVIDER_<NAME>_<KEY> in the environment sets a key of
 * a provider that is in the file. */
struct conf_provider {
    const char *name;
    size_t count;
    const char *key[CONF_FIELDS_MAX];
    const char *value[CONF_FIELDS_MAX];
};

struct conf {
    struct arena arena; /* holds every string */
    const char *path;   /* the file that was read, or NULL */

#define INT(section, key, member, ...) int64_t member;
#define BYTES(section, key, member, ...) int64_t member;
#define BOOL(section, key, member, ...) bool member;
#define TEXT(section, key, member, ...) const char *member;
#include "base/conf_keys.def"

    struct conf_provider provider[CONF_PROVIDERS_MAX];
    size_t provider_count;
};

/*
 * Fill c from defaults, then the file, then envp (NULL-terminated, the
 * program's environment). path NULL: CITED_CONF, else "cited.conf" in the
 * working directory, else /etc/cited/cited.conf, whichever exists first,
 * else none. data_dir not NULL overrides data.dir.
 *
 * ERR_INVALID names file, line and key: unknown section or key, value out of
 * range, with what is allowed and what was given. ERR_IO when a file that
 * was named cannot be read. conf_fini gives the strings back.
 */
MUST_CHECK enum err conf_load(struct conf *c, const char *path,
                              const char *data_dir, char *const envp[],
                              struct errctx *ec);
void conf_fini(struct conf *c);

/* A key that has a value of its own; section NULL: the end. */
struct conf_setting {
    const char *section, *key, *value;
};

/* The whole table as a commented file, in which the keys of set have their
 * values and all others stand with their defaults as comments. */
void conf_print(FILE *f, const struct conf_setting *set);

/* The whole table as a commented example file: deploy/cited.conf.example. */
void conf_print_example(FILE *f);

/* data_dir/name, from the arena. */
const char *conf_data_path(const struct conf *c, struct arena *a,
                           const char *name);

/* The same in out, for who has no arena; NULL when it is too long. */
enum { CONF_PATH_MAX = 4096 };
const char *conf_data_file(const struct conf *c, const char *name,
                           char out[CONF_PATH_MAX]);

/* The value of a provider's key, or fallback. */
const char *conf_provider_get(const struct conf_provider *p, const char *key,
                              const char *fallback);

#endif
