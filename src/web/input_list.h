/* GET /v1/research: the query string to paging and order (contract,
 * section 4). */
#ifndef CITED_WEB_INPUT_LIST_H
#define CITED_WEB_INPUT_LIST_H

#include "store/task.h"
#include "web/problem.h"

struct list_params {
    int64_t page, page_size;
    enum task_sort sort;
    bool descending;
};

/*
 * Read "page=1&pageSize=10&…" (raw, percent-encoded, '+' is a space).
 * Unknown keys are ignored; a known key that comes twice, an empty or wrong
 * value, broken percent-encoding, broken UTF-8 and NUL are errors in p, never
 * corrected. Fields not given have their defaults.
 */
void input_list(const char *query, struct problem *p, struct list_params *out);

/*
 * The words given for a key, which may come several times (status=a&status=b),
 * as a set of bits 1 << place in words; all of them when the key is not given.
 * A word that is none of them is an error in p.
 */
unsigned input_words(const char *query, const char *name,
                     const char *const *words, size_t count, struct problem *p);

/*
 * The value of one key of a query string, decoded into p's arena; NULL when
 * it is not given, or when it is given twice, empty or broken, which are
 * errors in p.
 */
const char *input_query(const char *query, const char *name, struct problem *p);

#endif
