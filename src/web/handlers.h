/*
 * The handlers named in the route table: request in, rendered answer or
 * problem out. They read the call, ask the room that knows, and render; the
 * gates have been passed when they run.
 */
#ifndef CITED_WEB_HANDLERS_H
#define CITED_WEB_HANDLERS_H

#include "web/route.h"

void h_search(struct call *c);          /* POST /v1/search */
void h_research_create(struct call *c); /* POST /v1/research */
void h_research_get(struct call *c);    /* GET /v1/research/{id} */
void h_research_drop(struct call *c);   /* DELETE /v1/research/{id} */
void h_research_steps(struct call *c);  /* GET /v1/research/{id}/steps */
void h_research_list(struct call *c);   /* GET /v1/research */
void h_fetch(struct call *c);           /* POST /v1/fetch */
void h_balance(struct call *c);         /* GET /v1/credits/balance */
void h_account_create(struct call *c);  /* POST /v1/accounts */
void h_session_create(struct call *c);  /* POST /v1/sessions */
void h_session_get(struct call *c);     /* GET /v1/sessions */
void h_session_end(struct call *c);     /* DELETE /v1/sessions */
void h_key_list(struct call *c);        /* GET /v1/keys */
void h_key_create(struct call *c);      /* POST /v1/keys */
void h_key_revoke(struct call *c);      /* DELETE /v1/keys/{id} */
void h_index_get(struct call *c);       /* GET /v1/index */
void h_index_crawl(struct call *c);     /* POST /v1/index/crawls */
void h_index_drop_host(struct call *c); /* DELETE /v1/index/hosts/{host} */
void h_page_get(struct call *c);        /* GET /v1/pages */
void h_tasks_create(struct call *c);    /* POST /v1/tasks */
void h_tasks_list(struct call *c);      /* GET /v1/tasks */
void h_tasks_get(struct call *c);       /* GET /v1/tasks/{id} */
void h_status(struct call *c);          /* GET /v1/status */
void h_metrics(struct call *c);         /* GET /metrics */
void h_health(struct call *c);          /* GET /healthz */
void h_openapi(struct call *c);         /* GET /v1/openapi.json */
void h_mcp(struct call *c);             /* POST /mcp */

#endif
