/*
 * What the two halves of POST /mcp share: the tools (h_mcp_tools.c), called
 * by the endpoint (h_mcp.c).
 */
#ifndef CITED_WEB_H_MCP_H
#define CITED_WEB_H_MCP_H

#include "web/route.h"
#include "json/json.h"

/* The tools with their schemas, a JSON array; src/web/mcp_tools.json. */
extern const char mcp_tools_json[];

/*
 * Run the tool name with arguments (an object, or NULL for none): the REST
 * handler of the same work is called and its answer becomes the tool's. Writes
 * the CallToolResult: structuredContent and the same as text; or isError with
 * words for the agent. c->res gets nothing but kick. ERR_NOT_FOUND: there is no
 * such tool, nothing was written. ERR_NOMEM, ERR_INTERNAL, ERR_TOO_LARGE:
 * nothing was written either.
 */
MUST_CHECK enum err mcp_tool_call(struct call *c, const char *name,
                                  const struct json *arguments,
                                  struct json_out *w);

#endif
