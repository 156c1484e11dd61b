/* GET /v1/credits/balance; see handlers.h. Clients use it to try a key;
 * nothing is billed, so the number is a constant. */
#include "web/handlers.h"

void h_balance(struct call *c)
{
    c->res->status = 200;
    buf_adds(&c->res->body, "{\"balance\":1000000}");
}
