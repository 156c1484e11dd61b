/*
 * The handlers named in the route table: request in, rendered answer or
 * problem out (route.h). They read the call, ask the room that knows, and
 * render; the gates have been passed when they run.
 */
#ifndef CITED_WEB_HANDLERS_H
#define CITED_WEB_HANDLERS_H

#include "web/route.h"

call_handler h_search;          /* POST /v1/search */
call_handler h_research_create; /* POST /v1/research */
call_handler h_research_get;    /* GET /v1/research/{id} */
call_handler h_research_drop;   /* DELETE /v1/research/{id} */
call_handler h_research_steps;  /* GET /v1/research/{id}/steps */
call_handler h_research_events; /* GET /v1/research/{id}/events */
call_handler h_research_list;   /* GET /v1/research */
call_handler h_fetch;           /* POST /v1/fetch */
call_handler h_check;           /* POST /v1/check */
call_handler h_balance;         /* GET /v1/credits/balance */
call_handler h_account_create;  /* POST /v1/accounts */
call_handler h_account_policy;  /* GET /v1/accounts */
call_handler h_session_create;  /* POST /v1/sessions */
call_handler h_session_get;     /* GET /v1/sessions */
call_handler h_session_end;     /* DELETE /v1/sessions */
call_handler h_key_list;        /* GET /v1/keys */
call_handler h_key_create;      /* POST /v1/keys */
call_handler h_key_revoke;      /* DELETE /v1/keys/{id} */
call_handler h_index_get;       /* GET /v1/index */
call_handler h_index_crawl;     /* POST /v1/index/crawls */
call_handler h_index_drop_host; /* DELETE /v1/index/hosts/{host} */
call_handler h_index_host;      /* GET /v1/index/hosts/{host} */
call_handler h_index_stop_crawl; /* DELETE /v1/index/crawls/{id} */
call_handler h_examples;        /* GET /v1/examples */
call_handler h_page_get;        /* GET /v1/pages */
call_handler h_page_put;        /* POST /v1/pages */
call_handler h_page_drop;       /* DELETE /v1/pages */
call_handler h_tasks_create;    /* POST /v1/tasks */
call_handler h_tasks_list;      /* GET /v1/tasks */
call_handler h_tasks_get;       /* GET /v1/tasks/{id} */
call_handler h_tasks_drop;      /* DELETE /v1/tasks/{id} */
call_handler h_status;          /* GET /v1/status */
call_handler h_metrics;         /* GET /metrics */
call_handler h_health;          /* GET /healthz */
call_handler h_openapi;         /* GET /v1/openapi.json */
call_handler h_mcp;             /* POST /mcp */
call_handler h_searxng;         /* GET /search */
call_handler h_post_search;     /* POST /search */
call_handler h_tavily_extract;  /* POST /extract */
call_handler h_open_webui;      /* POST /external/search */
call_handler h_chat;            /* POST /v1/chat/completions */
call_handler h_responses;       /* POST /v1/responses */
call_handler h_models;          /* GET /v1/models */

#endif
