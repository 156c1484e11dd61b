/*
 * POST /mcp; see handlers.h. The Model Context Protocol over streamable HTTP
 * (modelcontextprotocol.io, revisions 2025-03-26 to 2025-11-25), without
 * sessions and without streams: every request is answered by itself, in JSON;
 * GET and DELETE are 405 by the route table. This file is the endpoint:
 * JSON-RPC 2.0, versions, origins; what the tools do is h_mcp_tools.c's.
 */
#include "web/h_mcp.h"

#include "base/version.h"
#include "web/handlers.h"
#include "web/limit.h"
#include "web/problem.h"

#include <string.h>

/* JSON-RPC 2.0, section 5.1; the last one is in the range for servers. */
enum {
    RPC_PARSE = -32700,
    RPC_REQUEST = -32600,
    RPC_METHOD = -32601,
    RPC_PARAMS = -32602,
    RPC_INTERNAL = -32603,
    RPC_RATE = -32000
};

/* Only the first revision knows batches; the next one took them out. */
static const char *const versions[] = {"2025-11-25", "2025-06-18",
                                       "2025-03-26"};
static const char version_with_batches[] = "2025-03-26";
enum { BATCH_MAX = 10, MESSAGE_ID_MAX = 256 };

static const char instructions[] =
    "Search and research with citations that were checked against the stored "
    "text of the pages they name. Use search for a question or a list of "
    "passages, fetch to read one page, research for a longer report: it "
    "returns a task at once; ask get_research with its id every few seconds "
    "until status is completed or failed. Keep the [n] citations and the "
    "sources when you pass an answer on.";

static bool is_version(const char *z)
{
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (strcmp(versions[i], z) == 0)
            return true;
    return false;
}

/* --- JSON-RPC ----------------------------------------------------------- */

static void begin(struct json_out *w, const struct json *id)
{
    jw_object(w);
    jw_kstring(w, "jsonrpc", "2.0");
    jw_kvalue(w, "id", id);
}

static void refuse(struct json_out *w, const struct json *id, int code,
                   const char *message)
{
    begin(w, id);
    jw_kobject(w, "error");
    jw_kint(w, "code", code);
    jw_kstring(w, "message", message == NULL ? "out of memory" : message);
    jw_object_end(w);
    jw_object_end(w);
}

/* The whole HTTP request is refused. */
static void refuse_all(struct call *c, int code, const char *message)
{
    struct json_out w;

    c->res->status = 400;
    buf_reset(&c->res->body);
    jw_init(&w, &c->res->body);
    refuse(&w, NULL, code, message);
}

/* --- methods ------------------------------------------------------------ */

static void initialize(const struct json *id, const struct json *params,
                       struct json_out *w)
{
    const char *asked = json_string(json_get(params, "protocolVersion"));

    if (asked == NULL) {
        refuse(w, id, RPC_PARAMS, "params.protocolVersion must be a string.");
        return;
    }
    begin(w, id);
    jw_kobject(w, "result");
    /* Another one than the client's means: take this one or leave. */
    jw_kstring(w, "protocolVersion", is_version(asked) ? asked : versions[0]);
    jw_kraw(w, "capabilities", "{\"tools\":{}}");
    jw_kobject(w, "serverInfo");
    jw_kstring(w, "name", "cited");
    jw_kstring(w, "title", "cited: search whose citations hold");
    jw_kstring(w, "version", CITED_VERSION);
    jw_object_end(w);
    jw_kstring(w, "instructions", instructions);
    jw_object_end(w);
    jw_object_end(w);
}

static void ping(const struct json *id, struct json_out *w)
{
    begin(w, id);
    jw_kraw(w, "result", "{}");
    jw_object_end(w);
}

static void list_tools(const struct json *id, const struct json *params,
                       struct json_out *w)
{
    /* All tools are on the first page, so no cursor is ours. */
    if (json_type_of(json_get(params, "cursor")) != JSON_NULL) {
        refuse(w, id, RPC_PARAMS, "params.cursor is not one of ours.");
        return;
    }
    begin(w, id);
    jw_kobject(w, "result");
    jw_kraw(w, "tools", mcp_tools_json);
    jw_object_end(w);
    jw_object_end(w);
}

static void run_tool(struct call *c, const struct json *id, const char *name,
                     const struct json *arguments, struct json_out *w)
{
    struct json_out result;
    struct buf text;
    enum err e;

    buf_init(&text, c->res->body.cap);
    jw_init(&result, &text);
    e = mcp_tool_call(c, name, arguments, &result);
    if (e == ERR_OK)
        e = buf_err(&text);
    if (e == ERR_NOT_FOUND) {
        refuse(w, id, RPC_PARAMS,
               arena_printf(c->rq->arena, "There is no tool \"%.64s\".", name));
    } else if (e != ERR_OK) {
        refuse(w, id, RPC_INTERNAL, "The tool's answer could not be written.");
    } else {
        begin(w, id);
        jw_kraw(w, "result", text.data);
        jw_object_end(w);
    }
    buf_fini(&text);
}

static void call_tool(struct call *c, const struct json *id,
                      const struct json *params, struct json_out *w)
{
    const struct json *arguments = json_get(params, "arguments");
    const char *name = json_string(json_get(params, "name"));

    if (name == NULL)
        refuse(w, id, RPC_PARAMS, "params.name must be a tool's name.");
    else if (arguments != NULL && json_type_of(arguments) != JSON_OBJECT)
        refuse(w, id, RPC_PARAMS, "params.arguments must be an object.");
    else
        run_tool(c, id, name, arguments, w);
}

static void run_method(struct call *c, const struct json *id,
                       const char *method, const struct json *params,
                       struct json_out *w)
{
    if (strcmp(method, "initialize") == 0)
        initialize(id, params, w);
    else if (strcmp(method, "ping") == 0)
        ping(id, w);
    else if (strcmp(method, "tools/list") == 0)
        list_tools(id, params, w);
    else if (strcmp(method, "tools/call") == 0)
        call_tool(c, id, params, w);
    else
        refuse(w, id, RPC_METHOD,
               arena_printf(c->rq->arena, "There is no method \"%.64s\".",
                            method));
}

/* --- messages ----------------------------------------------------------- */

enum message { MESSAGE_REQUEST, MESSAGE_SILENT, MESSAGE_BAD };

/* MCP forbids the id null that JSON-RPC tolerates. Ids are echoed, so they
 * are bounded. */
static bool is_id(const struct json *id)
{
    if (json_type_of(id) == JSON_STRING)
        return strlen(json_string(id)) <= MESSAGE_ID_MAX;
    return json_type_of(id) == JSON_NUMBER;
}

/* What v is; a wrong one is told in *why. */
static enum message message_kind(const struct json *v, const char **why)
{
    const struct json *id = json_get(v, "id"), *params = json_get(v, "params");
    const char *version = json_string(json_get(v, "jsonrpc"));
    bool response =
        json_get(v, "result") != NULL || json_get(v, "error") != NULL;

    *why = NULL;
    if (json_type_of(v) != JSON_OBJECT)
        *why = "A message must be an object.";
    else if (version == NULL || strcmp(version, "2.0") != 0)
        *why = "jsonrpc must be \"2.0\".";
    else if (json_get(v, "method") == NULL && response)
        return MESSAGE_SILENT; /* an answer to what we never asked */
    else if (json_string(json_get(v, "method")) == NULL)
        *why = "method must be a string.";
    else if (id != NULL && !is_id(id))
        *why = "id must be a string of at most 256 bytes or a number.";
    else if (params != NULL && json_type_of(params) != JSON_OBJECT)
        *why = "params must be an object.";
    if (*why != NULL)
        return MESSAGE_BAD;
    return id == NULL ? MESSAGE_SILENT : MESSAGE_REQUEST;
}

static void run_message(struct call *c, const struct json *v,
                        struct json_out *w)
{
    run_method(c, json_get(v, "id"), json_string(json_get(v, "method")),
               json_get(v, "params"), w);
}

/* Taken, and nothing to say. */
static void accepted(struct response *res)
{
    buf_reset(&res->body);
    res->type = NULL;
    res->status = 202;
}

static void handle_single(struct call *c, const struct json *v)
{
    struct json_out w;
    const char *why;

    switch (message_kind(v, &why)) {
    case MESSAGE_BAD:
        refuse_all(c, RPC_REQUEST, why);
        break;
    case MESSAGE_SILENT:
        accepted(c->res);
        break;
    case MESSAGE_REQUEST:
        c->res->status = 200;
        jw_init(&w, &c->res->body);
        run_message(c, v, &w);
        break;
    }
}

/* The messages of a batch but for the first cost as much as requests of their
 * own. */
static bool has_token(const struct call *c)
{
    return limit_rate(c->w->app->limits, c->token, clock_mono_ms()) == 0;
}

static void handle_in_batch(struct call *c, const struct json *v, bool first,
                            struct json_out *w)
{
    const char *why, *method = json_string(json_get(v, "method"));
    enum message kind = message_kind(v, &why);

    if (kind == MESSAGE_BAD)
        refuse(w, NULL, RPC_REQUEST, why);
    else if (kind == MESSAGE_SILENT)
        return;
    else if (strcmp(method, "initialize") == 0)
        refuse(w, json_get(v, "id"), RPC_REQUEST,
               "initialize must not be part of a batch.");
    else if (!first && !has_token(c))
        refuse(w, json_get(v, "id"), RPC_RATE,
               "Too many requests with this key; slow down.");
    else
        run_message(c, v, w);
}

static void handle_batch(struct call *c, const struct json *root)
{
    struct json_out w;
    size_t n = json_count(root);

    if (n == 0 || n > BATCH_MAX) {
        refuse_all(c, RPC_REQUEST, "A batch must hold 1 to 10 messages.");
        return;
    }
    jw_init(&w, &c->res->body);
    jw_array(&w);
    for (const struct json *v = json_first(root); v != NULL; v = json_next(v))
        handle_in_batch(c, v, v == json_first(root), &w);
    jw_array_end(&w);
    c->res->status = 200;
    if (strcmp(buf_str(&c->res->body), "[]") == 0)
        accepted(c->res);
}

/* --- the request -------------------------------------------------------- */

/* False after a refusal. A page on another site can make a browser send
 * requests here under a name that resolves to us (DNS rebinding), so a
 * browser's origin must be one the configuration names. */
static bool pass_origin(struct call *c)
{
    const struct request *rq = c->rq;

    if (rq->origin == NULL || route_origin_allowed(c->w->app->conf, rq->origin))
        return true;
    problem_write(c->res, PROBLEM_FORBIDDEN,
                  "Requests from pages of this origin are not allowed; "
                  "server.cors_origins of the configuration names those that "
                  "are.",
                  NULL);
    return false;
}

static bool pass_version(struct call *c)
{
    const char *z = c->rq->mcp_version;

    if (z == NULL || is_version(z))
        return true;
    refuse_all(c, RPC_REQUEST,
               "MCP-Protocol-Version must be 2025-11-25, 2025-06-18 or "
               "2025-03-26.");
    return false;
}

static bool knows_batches(const struct request *rq)
{
    /* Without the header the revision before it is assumed. */
    return rq->mcp_version == NULL ||
           strcmp(rq->mcp_version, version_with_batches) == 0;
}

static enum err parse_and_handle(struct call *c)
{
    struct json_limits lim = json_limits_request;
    const struct conf *conf = c->w->app->conf;
    struct json *root = NULL;
    enum err e;

    lim.bytes_max = (size_t)conf->body_max;
    lim.depth_max = (int)conf->depth_max;
    e = json_parse(c->rq->body, c->rq->body_len, &lim, &root, &c->ec);
    if (e == ERR_MALFORMED || e == ERR_TOO_LARGE || e == ERR_INVALID)
        refuse_all(c, RPC_PARSE, c->ec.msg);
    else if (e != ERR_OK)
        return e;
    else if (json_type_of(root) != JSON_ARRAY)
        handle_single(c, root);
    else if (knows_batches(c->rq))
        handle_batch(c, root);
    else
        refuse_all(c, RPC_REQUEST,
                   "This revision of the protocol has no batches.");
    json_free(root);
    return ERR_OK;
}

enum err h_mcp(struct call *c)
{
    return pass_origin(c) && pass_version(c) ? parse_and_handle(c) : ERR_OK;
}
