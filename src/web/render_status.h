/*
 * What /healthz, /v1/status and the figures say about the service's parts.
 */
#ifndef CITED_WEB_RENDER_STATUS_H
#define CITED_WEB_RENDER_STATUS_H

#include "find/provider.h"
#include "web/app.h"
#include "json/json.h"

/* "providers": [{"name","state","reason"?,"until"?}]: every provider, why it
 * is not asked now, and until when. */
void render_providers(struct json_out *w, struct provider_set *set);

/* "model": {"name","state","reason"?,"until"?}, or null without one. */
void render_model(struct json_out *w, struct model *model);

#endif
