/*
 * Threads that turn fetched bytes into documents and sitemaps while the
 * crawl's own thread fetches and writes. They touch nothing but their job.
 */
#ifndef CITED_CRAWL_PARSER_H
#define CITED_CRAWL_PARSER_H

#include "crawl/job.h"

struct parser;

/* http is woken (http_wake) whenever a job is done. */
MUST_CHECK enum err parser_new(int threads, struct http *http,
                               struct parser **out);
/* Ends the threads after the job each is at; the rest is freed. */
void parser_free(struct parser *p);

/* Hand a job over; its response must be whole. */
void parser_add(struct parser *p, struct job *j);
/* A job that is done, or NULL. */
struct job *parser_take(struct parser *p);
/* Jobs handed over and not taken back. */
size_t parser_busy(const struct parser *p);

#endif
