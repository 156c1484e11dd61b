/* libpq and its loading; only for pg.c and pg_stmt.c. */
#ifndef CITED_STORE_PG_LOAD_H
#define CITED_STORE_PG_LOAD_H

#include "base/err.h"

#include <libpq-fe.h>

/* Before any other call. ERR_INTERNAL: it is not there. */
MUST_CHECK enum err pg_load(struct errctx *ec);

#endif
