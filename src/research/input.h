/*
 * The stored input of a research task (the echoed JSON object) back to
 * parameters. The responder validated it before storing.
 */
#ifndef CITED_RESEARCH_INPUT_H
#define CITED_RESEARCH_INPUT_H

#include "research/research.h"

/* Parse the normalised JSON of task.input. *root owns the schema tree and is
 * given back with json_free. ERR_MALFORMED when it is not what the responder
 * writes. */
MUST_CHECK enum err research_input_parse(const char *input, struct arena *a,
                                         struct research_params *out,
                                         struct json **root, struct errctx *ec);

#endif
