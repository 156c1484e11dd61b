/* POST /v1/research: the body to parameters and to the normalised echo
 * (contract, section 3). */
#ifndef CITED_WEB_INPUT_RESEARCH_H
#define CITED_WEB_INPUT_RESEARCH_H

#include "research/research.h"
#include "web/input_common.h"

/* As input_search. */
void input_research(const struct input *in, const struct conf *c,
                    struct research_params *out, struct json **owned);

/* callbackUrl: where the record goes when the task has ended, in canonical
 * form; NULL when not given or wrong. */
const char *input_callback(const struct input *in);

/*
 * The echo: what the record shows as input and what the helper reads back.
 * One JSON object with every field, defaults filled in, dates as YYYY-MM-DD,
 * the schema as a JSON string or null; callbackUrl only when given. in and p
 * are those of a faultless input_research.
 */
MUST_CHECK enum err input_research_echo(const struct input *in,
                                        const struct research_params *p,
                                        struct buf *out);

#endif
