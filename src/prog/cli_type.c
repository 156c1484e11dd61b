/* Kinds of documents; see cli.h. */
#include "prog/cli.h"

#include "base/str.h"

#include <string.h>

const char *cli_type_of_name(const char *name)
{
    static const char *const of[][2] = {{".html", "html"},
                                        {".htm", "html"},
                                        {".xhtml", "html"},
                                        {".md", "markdown"},
                                        {".markdown", "markdown"},
                                        {".txt", "text"},
                                        {".text", "text"},
                                        {".rst", "text"},
                                        {".jsonl", "jsonl"},
                                        {".ndjson", "jsonl"},
                                        {".pdf", "pdf"}};
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot != NULL && i < sizeof of / sizeof of[0]; i++)
        if (ascii_casecmp(dot, of[i][0]) == 0)
            return of[i][1];
    return NULL;
}

const char *cli_type_of(const char *name, const struct buf *bytes)
{
    struct str s = {buf_str(bytes), bytes->len};

    if (strcmp(name, "-") != 0)
        return cli_type_of_name(name);
    s = str_trim(s);
    if (s.n == 0)
        return NULL;
    return *s.p == '{' ? "jsonl" : *s.p == '<' ? "html" : "text";
}

const char *cli_media_type(const char *kind)
{
    if (kind == NULL)
        return NULL;
    if (strcmp(kind, "html") == 0)
        return "text/html";
    if (strcmp(kind, "markdown") == 0)
        return "text/markdown";
    if (strcmp(kind, "pdf") == 0)
        return "application/pdf";
    return strcmp(kind, "text") == 0 ? "text/plain" : NULL;
}
