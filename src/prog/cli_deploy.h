/*
 * The files of deploy/ that the command carries inside it, filled and written
 * where `cited init` and `cited serve` want them.
 */
#ifndef CITED_PROG_CLI_DEPLOY_H
#define CITED_PROG_CLI_DEPLOY_H

#include "prog/cli.h"

#include <sys/types.h>

/* Made from the files by the build; ends with an empty row. */
struct deploy_text {
    const char *name; /* below deploy/ */
    const char *text;
};
extern const struct deploy_text deploy_texts[];

/* What stands for @NAME@. */
struct deploy_place {
    const char *name, *value; /* NULL name: the end */
};

/* Append the file with its places filled; lines that are comments keep
 * theirs, since they explain them. False (told): a place without a value, or
 * a value with a quote, a backslash or a line end, which the servers' own
 * quoting could not carry. */
bool deploy_fill(struct cli *cli, const char *name,
                 const struct deploy_place *places, struct buf *out);

/* Write a file whole or not at all; a folder, which may be there. False:
 * told. */
bool deploy_put(struct cli *cli, const char *path, const char *text, size_t n,
                mode_t mode);
bool deploy_folder(struct cli *cli, const char *path, mode_t mode);

/* The error pages (400.json …) into dir, with that ending: ".json", or
 * ".html" for lighttpd, which knows no other. False: told. */
bool deploy_put_errors(struct cli *cli, const char *dir, const char *ending);

/* path made absolute, symbolic links resolved; NULL (told): not there. */
const char *deploy_real(struct cli *cli, const char *path);

/* The static files that come with the program, or NULL. */
const char *deploy_www(struct cli *cli);

#endif
