/*
 * What kind of document a file holds, by its name's ending or, for standard
 * input, its first character. Kinds are named as --type takes them: "html",
 * "markdown", "text", "jsonl".
 */
#ifndef CITED_PROG_CLI_TYPE_H
#define CITED_PROG_CLI_TYPE_H

#include "base/buf.h"

/* The kind of a file by its name; NULL when the ending says nothing. */
const char *cli_type_of_name(const char *name);

/* The same, then, for "-", by how its bytes begin. */
const char *cli_type_of(const char *name, const struct buf *bytes);

/* "text/html" for "html" …; NULL for "jsonl" and what is no kind. */
const char *cli_media_type(const char *kind);

#endif
