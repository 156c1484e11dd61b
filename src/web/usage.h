/*
 * How often each key was used: counted in memory shared by the process's
 * threads, and written to its row at most once a minute a key, so that
 * counting costs a request nothing. What is not written yet is written when
 * somebody asks for the figures, and when the process ends; a process that is
 * killed loses at most the last minute in which a key was busy, or the
 * requests since then of one that fell silent.
 */
#ifndef CITED_WEB_USAGE_H
#define CITED_WEB_USAGE_H

#include "base/err.h"
#include "base/id.h"

struct usage;
struct db;
struct db_file;

MUST_CHECK enum err usage_new(struct usage **out);
/* Writes what is left (state NULL: does not). u may be NULL. */
void usage_free(struct usage *u, struct db_file *state);

/* One more request of the key with this digest. u may be NULL. */
void usage_note(struct usage *u, struct db *state,
                const unsigned char key[SHA256_BYTES]);
/* Write everything that this process has counted. */
void usage_flush(struct usage *u, struct db *state);

#endif
