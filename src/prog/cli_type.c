/* Kinds of documents; see cli.h. */
#include "prog/cli.h"

#include "base/str.h"
#include "page/document.h"

#include <string.h>

const char *cli_type_of(const char *name, const struct buf *bytes)
{
    struct str s = {buf_str(bytes), bytes->len};

    if (strcmp(name, "-") != 0)
        return document_name_type(name);
    s = str_trim(s);
    if (s.n == 0)
        return NULL;
    return *s.p == '{'   ? CLI_JSON_LINES
           : *s.p == '<' ? "text/html"
                         : "text/plain";
}

const char *cli_media_type(const char *kind)
{
    static const char *const of[][2] = {{"html", "text/html"},
                                        {"markdown", "text/markdown"},
                                        {"text", "text/plain"},
                                        {"pdf", "application/pdf"},
                                        {"jsonl", CLI_JSON_LINES}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(kind, of[i][0]) == 0)
            return of[i][1];
    return NULL;
}
