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

struct conf_row;

/* Row number i, counted from 0, or NULL behind the last one. */
const struct conf_row *conf_row_at(size_t i);

/* The row of section.key, or NULL; its number. */
const struct conf_row *conf_row_find(const char *section, const char *key);
size_t conf_row_index(const struct conf_row *r);
size_t conf_row_count(void);

/* The row's variable of the environment. */
void conf_row_env(const struct conf_row *r, char *out, size_t size);

/* "CITED_<a>_<b>" in upper case, '-' as '_'. */
void conf_env_name(const char *a, const char *b, char *out, size_t size);

/* Give the row's member its default, or the value spelt z, which came from
 * where. ERR_INVALID says what is allowed and what was given. */
MUST_CHECK enum err conf_row_default(struct conf *c, const struct conf_row *r,
                                     struct errctx *ec);
MUST_CHECK enum err conf_row_set(struct conf *c, const struct conf_row *r,
                                 const char *z, const char *where,
                                 struct errctx *ec);

/* ERR_INVALID that names the unknown key and the known one nearest to it. */
enum err conf_row_unknown(const char *section, const char *key,
                          const char *where, struct errctx *ec);

#endif
