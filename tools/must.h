/* What the tools do where they cannot go on. */
#ifndef CITED_TOOLS_MUST_H
#define CITED_TOOLS_MUST_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Say which tool, what and why, and end with 1. */
static inline _Noreturn void die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
    exit(1);
}

/* p, which is memory that was asked for. */
static inline void *must(void *p)
{
    if (p == NULL)
        die("memory", "there is none left");
    return p;
}

#endif
