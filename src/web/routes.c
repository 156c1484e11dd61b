/* The service's routes; see route.h. */
#include "web/handlers.h"

const struct route route_table[] = {
    {METHOD_GET, "/v1/research/{id}", NEED_KEY, 0, h_research_get},
    {METHOD_DELETE, "/v1/research/{id}", NEED_KEY, 0, h_research_drop},
    {METHOD_GET, "/v1/research/{id}/steps", NEED_KEY, 0, h_research_steps},
    {METHOD_POST, "/v1/search", NEED_KEY | NEED_BODY, 0, h_search},
    {METHOD_POST, "/v1/research", NEED_KEY | NEED_BODY, 0, h_research_create},
    {METHOD_GET, "/v1/research", NEED_KEY, 0, h_research_list},
    {METHOD_POST, "/v1/fetch", NEED_KEY | NEED_BODY, 16 * 1024, h_fetch},
    {METHOD_GET, "/v1/credits/balance", NEED_KEY, 0, h_balance},
    {METHOD_POST, "/v1/accounts", NEED_BODY, 16 * 1024, h_account_create},
    {METHOD_POST, "/v1/sessions", NEED_BODY, 16 * 1024, h_session_create},
    {METHOD_GET, "/v1/sessions", NEED_KEY | NEED_SIGN_IN, 0, h_session_get},
    {METHOD_DELETE, "/v1/sessions", NEED_KEY | NEED_SIGN_IN, 0, h_session_end},
    {METHOD_GET, "/v1/keys", NEED_KEY | NEED_SIGN_IN, 0, h_key_list},
    {METHOD_POST, "/v1/keys", NEED_KEY | NEED_SIGN_IN | NEED_BODY, 16 * 1024,
     h_key_create},
    {METHOD_DELETE, "/v1/keys/{id}", NEED_KEY | NEED_SIGN_IN, 0, h_key_revoke},
    {METHOD_GET, "/v1/index", NEED_KEY | NEED_OPERATOR, 0, h_index_get},
    {METHOD_POST, "/v1/index/crawls", NEED_KEY | NEED_OPERATOR | NEED_BODY,
     16 * 1024, h_index_crawl},
    {METHOD_DELETE, "/v1/index/hosts/{host}", NEED_KEY | NEED_OPERATOR, 0,
     h_index_drop_host},
    {METHOD_GET, "/v1/pages", NEED_KEY, 0, h_page_get},
    {METHOD_POST, "/v1/tasks", NEED_KEY | NEED_BODY | NEED_ARRAY, 0,
     h_tasks_create},
    {METHOD_GET, "/v1/tasks", NEED_KEY, 0, h_tasks_list},
    {METHOD_GET, "/v1/tasks/{id}", NEED_KEY, 0, h_tasks_get},
    {METHOD_GET, "/v1/status", NEED_KEY | NEED_OPERATOR, 0, h_status},
    {METHOD_GET, "/metrics", NEED_KEY | NEED_OPERATOR | OR_WATCHER, 0,
     h_metrics},
    {METHOD_GET, "/healthz", NO_STORE, 0, h_health},
    {METHOD_GET, "/v1/openapi.json", NO_STORE, 0, h_openapi},
    {METHOD_POST, "/mcp", NEED_KEY | NEED_TEXT, 0, h_mcp},
};

const size_t route_table_count = sizeof route_table / sizeof *route_table;
