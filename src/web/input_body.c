/* The bodies of a search, a fetch and a research task with its echo; see
 * input.h. */
#include "web/input.h"

#include <string.h>

/* --- search -------------------------------------------------------------- */

enum { DOMAINS_MAX = 50, RESULTS_DEFAULT = 10, RESULTS_MAX = 100 };

static const struct input_word depths[] = {{"standard", DEPTH_STANDARD},
                                           {"deep", DEPTH_DEEP},
                                           {"fast", DEPTH_FAST},
                                           {"flash", DEPTH_FLASH}};

static const struct input_word outputs[] = {{"sourcedAnswer", OUTPUT_SOURCED},
                                            {"searchResults", OUTPUT_RESULTS},
                                            {"structured", OUTPUT_STRUCTURED}};

void input_search(const struct input *in, const struct conf *c,
                  struct search_params *out, struct json **owned)
{
    int depth, output;
    bool structured;

    out->q = input_question(in, "q", c->question_max);
    input_enum(in, "depth", depths, 4, true, false, DEPTH_STANDARD, &depth);
    structured = input_enum(in, "outputType", outputs, 3, true, false,
                            OUTPUT_SOURCED, &output) &&
                 output == OUTPUT_STRUCTURED;
    out->depth = (enum search_depth)depth;
    out->output = (enum output_type)output;
    input_domains(in, "includeDomains", DOMAINS_MAX, &out->include);
    input_domains(in, "excludeDomains", DOMAINS_MAX, &out->exclude);
    input_dates(in, "fromDate", "toDate", true, &out->from_day, &out->to_day);
    out->images = input_bool(in, "includeImages", false);
    out->inline_citations = input_bool(in, "includeInlineCitations", false);
    out->sources = input_bool(in, "includeSources", false);
    out->evidence = input_bool(in, "includeEvidence", false);
    input_schema(in, "structuredOutputSchema", structured, (int)c->depth_max,
                 &out->schema, owned);
    out->max_results =
        (int)input_whole(in, "maxResults", 1, RESULTS_MAX, RESULTS_DEFAULT);
}

/* --- fetch --------------------------------------------------------------- */

/* The one way in which pages are fetched. */
static const struct input_word fetch_modes[] = {{"standard", 0}};

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
    input_enum(in, "mode", fetch_modes, 1, false, false, 0, &mode);
    refuse(in, "schema",
           "must be left out: nothing is extracted by a schema here; "
           "POST /v1/search does it, with outputType structured");
    refuse(in, "instructions",
           "must be left out: they belong to a schema, and nothing is "
           "extracted by a schema here");
}

/* --- a page that is put in ----------------------------------------------- */

enum { TITLE_MAX = 1000 };

static void page_body(const struct input *in, struct index_input *out)
{
    static const char *const of[][2] = {{"html", "text/html"},
                                        {"markdown", "text/markdown"},
                                        {"text", "text/plain"}};
    size_t given = 0;

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const char *z = input_string(in, of[i][0]);

        given += input_member(in, of[i][0]) != NULL;
        if (z == NULL)
            continue;
        out->type = of[i][1];
        out->charset = "utf-8";
        out->body = z;
        out->body_len = strlen(z);
    }
    if (given != 1)
        input_wrong(in, "html",
                    "or markdown or text must be given, one of them; %zu are",
                    given);
}

void input_page(const struct input *in, struct index_input *out)
{
    const char *title = input_string(in, "title");
    struct url u;

    out->url = input_url(in, "url", true, &u) ? u.href : "";
    out->day = input_date(in, "date", false);
    if (title != NULL && strlen(title) > TITLE_MAX)
        input_wrong(in, "title", "must be at most %d bytes long; it has %zu",
                    TITLE_MAX, strlen(title));
    else if (title != NULL && !input_is_blank(input_member(in, "title")))
        out->title = title;
    if (out->body == NULL)
        page_body(in, out);
}

/* --- research ------------------------------------------------------------ */

enum { INCLUDE_MAX = 100, SCHEMA_TEXT_MAX = 4 * 1024 * 1024 };

static const struct input_word research_outputs[] = {
    {"sourcedAnswer", OUTPUT_SOURCED}, {"structured", OUTPUT_STRUCTURED}};

static const struct input_word modes[] = {{"auto", MODE_AUTO},
                                          {"answer", MODE_ANSWER},
                                          {"investigate", MODE_INVESTIGATE},
                                          {"research", MODE_RESEARCH}};

static const struct input_word reasonings[] = {{"S", REASONING_S},
                                               {"M", REASONING_M},
                                               {"L", REASONING_L},
                                               {"XL", REASONING_XL}};

void input_research(const struct input *in, const struct conf *c,
                    struct research_params *out, struct json **owned)
{
    struct search_params *s = &out->search;
    int output, mode, reasoning;
    bool structured;

    *out = (struct research_params){.search = {.depth = DEPTH_DEEP}};
    s->q = input_question(in, "q", c->question_max);
    structured = input_enum(in, "outputType", research_outputs, 2, true, false,
                            OUTPUT_SOURCED, &output) &&
                 output == OUTPUT_STRUCTURED;
    s->output = (enum output_type)output;
    input_domains(in, "includeDomains", INCLUDE_MAX, &s->include);
    input_domains(in, "excludeDomains", 0, &s->exclude);
    input_dates(in, "fromDate", "toDate", false, &s->from_day, &s->to_day);
    s->images = input_bool(in, "includeImages", false);
    input_schema(in, "structuredOutputSchema", structured, (int)c->depth_max,
                 &s->schema, owned);
    input_enum(in, "mode", modes, 4, false, true, MODE_AUTO, &mode);
    out->mode = (enum research_mode)mode;
    input_enum(in, "reasoningDepth", reasonings, 4, false, false, REASONING_L,
               &reasoning);
    out->reasoning = (enum reasoning_depth)reasoning;
}

const char *input_callback(const struct input *in)
{
    struct url u;

    return input_url(in, "callbackUrl", false, &u) ? u.href : NULL;
}

static const char *word_of(const struct input_word *words, size_t count,
                           int value)
{
    for (size_t i = 0; i < count; i++)
        if (words[i].value == value)
            return words[i].word;
    return NULL;
}

/* Entries as they were sent, without the blank ones. */
static void echo_list(struct json_out *w, const struct input *in,
                      const char *name)
{
    const struct json *e = json_first(input_member(in, name));

    jw_karray(w, name);
    for (; e != NULL; e = json_next(e))
        if (!input_is_blank(e))
            jw_value(w, e);
    jw_array_end(w);
}

/* As a string that holds it, or null. */
static enum err echo_schema(struct json_out *w, const char *name,
                            const struct json *schema, struct arena *a)
{
    const char *text = NULL;
    enum err e =
        schema == NULL ? ERR_OK : json_print(schema, SCHEMA_TEXT_MAX, a, &text);

    if (e == ERR_OK)
        jw_kstring(w, name, text);
    return e;
}

enum err input_research_echo(const struct input *in,
                             const struct research_params *p, struct buf *out)
{
    const struct search_params *s = &p->search;
    const char *callback = input_callback(in);
    struct json_out w;
    enum err e;

    jw_init(&w, out);
    jw_object(&w);
    jw_kstring(&w, "q", s->q);
    jw_kstring(&w, "outputType", word_of(research_outputs, 2, (int)s->output));
    echo_list(&w, in, "includeDomains");
    echo_list(&w, in, "excludeDomains");
    jw_kday(&w, "fromDate", s->from_day);
    jw_kday(&w, "toDate", s->to_day);
    jw_kbool(&w, "includeImages", s->images);
    e = echo_schema(&w, "structuredOutputSchema", s->schema, in->arena);
    if (e != ERR_OK)
        return e;
    jw_kstring(&w, "mode", word_of(modes, 4, (int)p->mode));
    jw_kstring(&w, "reasoningDepth", word_of(reasonings, 4, (int)p->reasoning));
    if (callback != NULL)
        jw_kstring(&w, "callbackUrl", callback);
    jw_object_end(&w);
    return buf_err(out);
}
