/*
 * What kind of page a page's passages make it: running text, or one that
 * leads to text or lists what is said elsewhere. Pure; for whoever has read a
 * page's passages (all of them, or those found).
 */
#ifndef CITED_TEXT_PAGE_CLASS_H
#define CITED_TEXT_PAGE_CLASS_H

#include <stdbool.h>
#include <stddef.h>

enum page_class {
    PAGE_TEXT,
    PAGE_LINKS,   /* navigation, an index, a table of contents, a site map */
    PAGE_CHANGES, /* what changed from version to version */
    PAGE_SOURCES, /* a bibliography */
    PAGE_CODE     /* a program's text */
};

/* Sums over passages; zero to begin with. */
struct page_shape {
    size_t bytes, links, releases, sources, code;
    const char *heading; /* of the last passage, */
    bool changes;        /* that of a change */
};

/* Add a passage: its path of headings, text and parts (text/passage.h). Of
 * one without parts nothing is known but its text. Keeps heading until the
 * next one. */
void page_shape_add(struct page_shape *s, const char *heading, const char *text,
                    const char *parts);

/* The class; title is the page's. */
enum page_class page_shape_class(const struct page_shape *s, const char *title);

#endif
