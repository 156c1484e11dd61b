/* The body of a search; see input.h. */
#include "web/input.h"

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
