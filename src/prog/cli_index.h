/* The words of `cited index` that have a file of their own. */
#ifndef CITED_PROG_CLI_INDEX_H
#define CITED_PROG_CLI_INDEX_H

#include "prog/cli.h"

cli_command cli_index_add;

#endif
