/*
 * Regular expressions of JSON Schema: ECMA 262 without look-behind,
 * back-references and \p{…}, over code points of UTF-8. Matching takes time
 * linear in program size times subject, whatever the pattern, times the
 * subject once more for each look-ahead within another; and never more than
 * the steps it is given: patterns come from strangers.
 */
#ifndef CITED_JSON_PATTERN_H
#define CITED_JSON_PATTERN_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pattern;

/*
 * Compile text into *out, to be given back with pattern_free. Understood:
 * . [] [^] | () (?:) (?<name>) (?=) (?!) * + ? {n} {n,} {n,m}, all also lazy,
 * ^ $ \b \B \d \w \s and their opposites, \t \n \v \f \r \0 \cX \xHH \uHHHH
 * \u{…}. ERR_INVALID names what is not; ERR_NOMEM.
 */
MUST_CHECK enum err pattern_parse(const char *text, struct pattern **out,
                                  struct errctx *ec);
void pattern_free(struct pattern *p);

/*
 * Does the pattern match anywhere in the n bytes of z, valid UTF-8? Work is
 * taken off *steps; ERR_LIMIT when they do not suffice. Not for two threads
 * at once on one pattern.
 */
MUST_CHECK enum err pattern_match(struct pattern *p, const char *z, size_t n,
                                  int64_t *steps, bool *out);

#endif
