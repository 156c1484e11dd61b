/*
 * The caller's schema filled from evidence, with the pages its values came
 * from. Called by search/ and research/.
 */
#ifndef CITED_OBJECT_STRUCTURED_H
#define CITED_OBJECT_STRUCTURED_H

#include "base/clock.h"
#include "find/rank.h"
#include "json/json.h"

/*
 * Fill the schema's object from evidence, field by field: each property is
 * asked for by its name, title and description together with the question;
 * the value is taken by type from the best passages (number with unit, date,
 * boolean, enumeration, name, sentence, list). ask is called for more
 * passages (it may return none). Optional values without evidence are null or
 * left out; a required one is ERR_NO_RESULT naming the field, and so is an
 * object that cannot satisfy the schema as a whole. The result validates.
 */
struct model;
struct choices; /* object/choice.h */
struct structured_ask {
    enum err (*passages)(void *user, const char *question, struct arena *a,
                         struct ranked **out, size_t *count);
    void *user;
    struct db *index; /* to weigh words by and to read whole pages from; NULL:
                         neither is done */
    struct model *model; /* asked first for the whole object; NULL: none is.
                            A value of its is taken only when a passage that
                            speaks of the field holds it */
    struct deadline model_until;
    const char *id; /* of the request, for log lines */
    /* Told what property `name`, of a kind in choice.h, is chosen among, for
     * tools; NULL: nobody is. */
    void (*choices)(const char *id, const char *name, int kind,
                    const struct choices *all);
};
MUST_CHECK enum err structured_fill(const struct query *q,
                                    const struct json *schema,
                                    const struct structured_ask *ask,
                                    struct arena *a, const char **object,
                                    struct source **sources,
                                    size_t *source_count, struct errctx *ec);

#endif
