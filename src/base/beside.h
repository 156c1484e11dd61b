/*
 * The other programs of cited, and what is installed with them: where they are.
 * Called by the configuration, by run/ and by the commands that start programs.
 */
#ifndef CITED_BASE_BESIDE_H
#define CITED_BASE_BESIDE_H

#include <stdbool.h>

enum { PROGRAM_PATH_MAX = 4096 };

/* The absolute path of a program or file that lies in ../lib/cited of the
 * running one's folder, where `make install` puts what nobody calls by hand, or
 * beside it. False: in neither; out is then where it would be beside it. */
bool program_find(const char *name, char out[PROGRAM_PATH_MAX]);

#endif
