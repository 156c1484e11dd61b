/*
 * The steps of html_parse, each in its own file: which nodes are main text,
 * their blocks, and what the page says about itself. Private to text/.
 */
#ifndef CITED_TEXT_HTML_PARTS_H
#define CITED_TEXT_HTML_PARTS_H

#include "text/dom.h"
#include "text/html.h"

/* html_main.c: set keep on the nodes of the main text and dropped on what is
 * in the way (menus, adverts, comments, hidden things). */
void html_main_mark(struct dom *d);

/* html_prune.c: drop the lists of links below root, unless they are what the
 * page is about. Needs the measures of all nodes. */
void html_links_prune(struct dom *d, uint32_t root);

/* html_main.c: set keep on all that a reader can read: for a piece of HTML. */
void html_main_keep(struct dom *d);

/* html_blocks.c: the kept text as blocks, in the arena. */
MUST_CHECK enum err html_blocks_take(const struct dom *d, struct arena *a,
                                     struct page_doc *out);

/* html.c: the text of a piece of HTML in another format as out's blocks.
 * ERR_TOO_LARGE and ERR_NOMEM as of html_parse. */
MUST_CHECK enum err html_fragment_blocks(const char *p, size_t n,
                                         struct arena *a, struct page_doc *out);

/* front_matter.c: title and date of a Markdown text's front matter; the bytes
 * up to what follows it, 0 when there is none. */
size_t front_matter_take(const char *p, size_t n, struct arena *a,
                         struct page_doc *doc);

/* html_ld.c: where the blocks hold little text and the page's JSON-LD has an
 * article body several times as long, its lines become the blocks. */
MUST_CHECK enum err html_ld_take(const struct dom *d, struct arena *a,
                                 struct page_doc *out);

/* html_ld.c: the names behind the key (with its quotes) in JSON-LD, with commas
 * between; NULL where it has none. */
const char *html_ld_names(const struct dom *d, const char *key,
                          struct arena *a);

/* html_author.c: author and site. */
MUST_CHECK enum err html_author_take(const struct dom *d, struct arena *a,
                                     struct page_doc *out);

/* html_meta.c: title, language, icon, canonical address, robots. Needs the
 * blocks' first heading in out->blocks. */
MUST_CHECK enum err html_meta_take(const struct dom *d, const struct url *base,
                                   struct arena *a, struct page_doc *out);

/* html_links.c: links and images; base is the page's own base already. */
MUST_CHECK enum err html_links_take(const struct dom *d, const struct url *base,
                                    struct arena *a, struct page_doc *out);

/* html_links.c: canonical absolute form of href in the arena; NULL when it
 * leads nowhere we go. A full arena is told by arena_failed. */
const char *html_address(const char *href, const struct url *base,
                         struct arena *a);

/* The value of the first <meta> whose name, property or itemprop is name
 * (ASCII case ignored) and whose content is not empty; NULL if none. */
const char *html_meta_value(const struct dom *d, const char *name);

/* The same of the next one from node *i on, which goes behind it. */
const char *html_meta_next(const struct dom *d, const char *name, uint32_t *i);

/* html_names.c: does the class or id name z (its first 1,000 bytes; NULL has
 * none) hold one of the parts, ASCII case ignored? The parts are lower case
 * and in strcmp order. */
bool html_name_has(const char *z, const char *const *parts, size_t count);
/* … at its beginning or behind what is no letter and no digit. */
bool html_name_begins(const char *z, const char *const *parts, size_t count);

/* html_names.c: does the class or id name z hold a word that menus, adverts,
 * comments and the like are named by? */
bool html_name_is_bad(const char *z);

/* … that a part of a name begins with, as one of a heading does: a "header" or
 * what "StickyNavbar" is there for says how it looks. */
bool html_name_begins_badly(const char *z);

/* html_date.c: the day the page was published, DAY_NONE if it does not say;
 * canonical is its own address or "". Days after latest are refused. */
int32_t html_date_find(const struct dom *d, const struct url *base,
                       const char *canonical, const char *lang, int32_t latest);

/* How a date is written. */
enum date_form {
    DATE_YEAR_FIRST, /* 2024-05-17, 2024/5/17, 20240517 */
    DATE_FIGURES,    /* 17.05.2024, 5/17/2024, 2024.05.17 */
    DATE_BARE,       /* 17.5.24, 2024.5.7: as a version is written, too */
    DATE_WORDS       /* 17 May 2024 */
};

struct date_text {
    int32_t day;
    size_t from, to; /* where it stands */
    enum date_form form;
};

/* date_text.c: the first date written in p[at..n), in figures or with a
 * month's name (fifteen languages); month_first decides 3/4/2024.
 * False when there is none between 1990 and latest. */
bool date_text_next(const char *p, size_t n, size_t at, bool month_first,
                    int32_t latest, struct date_text *out);

/* Its day alone, for texts that are a date. */
bool date_text_find(const char *p, size_t n, bool month_first, int32_t latest,
                    int32_t *day);

/* html_date_lines.c: a date among the visible lines. */
enum date_line {
    LINE_PUBLISHED, /* "Published on …", "By Jane Doe, …" */
    LINE_UPDATED,   /* "Last updated on …" */
    LINE_ALONE      /* a line that is a date and little else, or begins with
                       one as reports do; a title */
};
bool html_date_line(const struct dom *d, enum date_line which, bool month_first,
                    int32_t latest, int32_t *day);

/* Does the number in p[0..n) at date->from stand behind "version" and the
 * like? */
bool html_date_is_version(const char *p, const struct date_text *date);

#endif
