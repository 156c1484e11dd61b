/* The body of a fetch; see input.h. */
#include "web/input.h"

/* The one way in which pages are fetched. */
static const struct input_word modes[] = {{"standard", 0}};

static void refuse(const struct input *in, const char *name, const char *why)
{
    if (input_member(in, name) != NULL)
        input_wrong(in, name, "%s", why);
}

void input_fetch(const struct input *in, struct fetch_params *out)
{
    int mode;

    *out = (struct fetch_params){0};
    input_url(in, "url", true, &out->url);
    out->raw_html = input_bool(in, "includeRawHtml", false);
    out->raw_content = input_bool(in, "includeRawContent", false);
    out->images = input_bool(in, "extractImages", false);
    if (input_bool(in, "renderJs", false))
        input_wrong(in, "renderJs",
                    "must be false or left out: a page is read as its server "
                    "sends it, its scripts are not run");
    input_enum(in, "mode", modes, 1, false, false, 0, &mode);
    refuse(in, "schema",
           "must be left out: nothing is extracted by a schema here; "
           "POST /v1/search does it, with outputType structured");
    refuse(in, "instructions",
           "must be left out: they belong to a schema, and nothing is "
           "extracted by a schema here");
}
