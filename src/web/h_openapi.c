/* GET /v1/openapi.json; see handlers.h. The document is src/web/openapi.json,
 * compiled in, so that it is that of the program that answers. */
#include "web/handlers.h"

extern const char openapi_json[];

void h_openapi(struct call *c)
{
    c->res->status = 200;
    buf_adds(&c->res->body, openapi_json);
}
