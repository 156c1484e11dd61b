/*
 * Private to store/ and index/: the full text that versions of the index
 * before 3 kept in SQLite, as far as it is read until segments replace it.
 */
#ifndef CITED_STORE_FTS_H
#define CITED_STORE_FTS_H

struct sqlite3;

/* Name its tokenizer on a handle, without which SQLite neither reads nor drops
 * the table; a text of a query is one term. */
void fts_register(struct sqlite3 *h);

#endif
