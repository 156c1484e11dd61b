/*
 * The table of the configuration's keys, the values they take and what is
 * said about wrong ones. Shared by conf.c, which reads files and
 * environment; everybody else uses conf.h.
 */
#ifndef CITED_BASE_CONF_TABLE_H
#define CITED_BASE_CONF_TABLE_H

#include "base/conf.h"

enum {
    CONF_WORD_MAX = 64, /* longest name that is compared or printed */
    CONF_ROWS_MAX = 128 /* rows the table may have */
};

enum conf_type { CONF_INT, CONF_BYTES, CONF_BOOL, CONF_TEXT };

struct conf_row {
    const char *section, *key;
    enum conf_type type;
    size_t offset; /* of the member in struct conf */
    const char *fallback;
    int64_t min, max;    /* of numbers */
    const char *choices; /* CONF_TEXT: words it may be, or NULL for any */
    const char *help;
};

/* Ends with an empty row. */
extern const struct conf_row conf_rows[];

/* The row of section.key, or NULL. */
const struct conf_row *conf_row_find(const char *section, const char *key);

/* "CITED_<a>_<b>" in upper case, '-' as '_'. */
void conf_env_name(const char *a, const char *b, char *out, size_t size);

/* Give the row's member the value spelt z, which came from where. ERR_INVALID
 * says what is allowed and what was given. */
MUST_CHECK enum err conf_row_set(struct conf *c, const struct conf_row *r,
                                 const char *z, const char *where,
                                 struct errctx *ec);

/* ERR_INVALID that names the unknown key and the known one nearest to it. */
enum err conf_row_unknown(const char *section, const char *key,
                          const char *where, struct errctx *ec);

#endif
