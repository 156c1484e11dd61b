/*
 * A schema being filled: what all files that fill it share. Inside this room
 * only.
 */
#ifndef CITED_OBJECT_FILL_H
#define CITED_OBJECT_FILL_H

#include "answer/answer.h"
#include "object/structured.h"
#include "object/value.h"
#include "json/json.h"

enum { FILL_SOURCES_MAX = 100 };

/* A schema being filled. */
struct fill {
    const struct query *q;
    uint64_t subject; /* those of its names that say what all is about */
    const struct json *root;
    const struct structured_ask *ask;
    struct arena *a;
    struct errctx *ec;
    struct source *sources; /* pages the values came from, FILL_SOURCES_MAX */
    size_t source_count;
    size_t fields;                   /* asked for so far */
    size_t properties;               /* looked at so far */
    const struct proposal *proposal; /* of a model */
    size_t given;                    /* elements of it looked at so far */
    int only_given;                  /* > 0: within an array it proposes */
    struct ranked *alone; /* passages for the question alone, once asked for */
    size_t alone_count;
    bool alone_asked;
    struct clean clean;
    int64_t named_page; /* the last one looked through for the subject's name */
    bool named_often;
};

/* A schema with $ref followed and a null branch taken off. */
struct shape {
    const struct json *schema;
    bool nullable;
    const char *type; /* "" when the schema names none */
};

/* The schema, part of the root, as such. */
struct shape fill_shape(const struct fill *f, const struct json *schema);

/* The schema with $ref followed and a null branch taken off, NULL when there
 * is none; and the type it names, "" for none. */
const struct json *fill_leaf(const struct fill *f, const struct json *schema);
const char *fill_type(const struct json *leaf);

bool fill_is_required(const struct json *object, const char *name);

/* Does the schema, part of the root, take the JSON text? */
MUST_CHECK enum err fill_is_valid(const struct fill *f,
                                  const struct json *schema, const char *json,
                                  bool *valid);

/* Is the passage, or its page, about what the question names? The height of
 * another tower is worse than none. *missing: the share, by weight, of those
 * names that stand in neither; 1 where it is too much for the passage to be of
 * any use. A comparison names several things. */
MUST_CHECK enum err fill_is_about(struct fill *f, const struct candidate *c,
                                  bool *about, double *missing);

/* Passages for the question alone, f->alone, asked for once for all fields;
 * none are ERR_OK. */
MUST_CHECK enum err fill_alone(struct fill *f);

/* The share of them that are of the passage's host; 0 of none. */
double fill_host_share(const struct fill *f, const struct candidate *c);

/* The rank of the passage's page among theirs, from 1; 0: it is none of them.
 */
size_t fill_page_rank(const struct fill *f, const struct candidate *c);

/* A parsed value as JSON text when the schema takes it; ERR_NO_RESULT: it does
 * not. */
MUST_CHECK enum err fill_print(struct fill *f, const struct json *schema,
                               const struct json *value, const char **json);

/* The page of a value becomes a source, once. sentence NULL: ERR_NOMEM. */
MUST_CHECK enum err fill_source(struct fill *f, const struct candidate *c,
                                const char *sentence);

/* --- does a unit speak of the field? ----------------------------------------
 */

/* How much of the label stands in unit u of passage c: 1 for all of its words
 * by weight, less for those that stand only above it, more when the paragraph
 * or section is about nothing else. Below 0: too little, or a qualifier or a
 * number that the label insists on is not there. */
double cover_score(const struct label *l, enum value_kind kind,
                   const struct candidate *c, const struct unit *u);

/* What all units of a passage share: which of the label's words stand in its
 * text, and in heading or title; of the question's in heading or title, and in
 * the title; which share of its identifiers is written nowhere there. */
struct passage {
    const struct candidate *c;
    uint64_t label, label_above;
    uint64_t above, title;
    double unnamed;
};

/* Shares of the label: in the unit, remarks of a row included; of what is not
 * in it otherwise, ahead of it in its paragraph, in heading and title and not
 * there, and only elsewhere in the passage; and cover_defines of it.
 * number_not: a number that the label insists on stands neither in the unit
 * nor above it. */
struct cover {
    double whole, before, above, around;
    int defines;
    bool number_not;
};
void cover_read(const struct label *l, const struct passage *p,
                const struct unit *u, struct cover *out);

/* Does the line define the label's very thing, "port (integer): …", 1, another
 * one, "host (string): …", -1, or neither, 0? */
int cover_defines(const struct label *l, struct str line);

/* Enough to believe a value that somebody else proposes: half of the label's
 * words stand by it or above it, and its qualifiers and numbers. A boolean
 * needs what cover_score asks for. */
bool cover_allows(const struct label *l, enum value_kind kind,
                  const struct candidate *c, const struct unit *u);

/* --- one field --------------------------------------------------------------
 */

/* The value of property `name` as JSON text, valid against leaf. Its page
 * becomes a source. ERR_NO_RESULT: no sufficient evidence. */
MUST_CHECK enum err field_value(struct fill *f, const struct json *leaf,
                                const char *type, const char *name,
                                const char **json);

/* An array; item is the resolved schema of its elements, or NULL.
 * ERR_NO_RESULT: nothing that stands out. */
MUST_CHECK enum err field_array(struct fill *f, const struct json *array,
                                const struct json *item, const char *name,
                                const char **json);

/* --- what pages list --------------------------------------------------------
 */

enum {
    LISTED_MAX = 100,   /* items of one */
    LISTINGS_MAX = 512, /* for one field */
    WINDOWS_MAX = 24    /* of pages, read for one field */
};

struct listed {
    struct str text;   /* the item, the row, the heading */
    struct str behind; /* the paragraph behind it, if any */
};

/* A list, a table with heads or without, headings of one level below one
 * heading, or an enumeration in a sentence, which has no items. */
struct listing {
    struct listed *items; /* at most LISTED_MAX */
    size_t count;
    size_t begun;       /* items ahead of where the page begins a list again */
    struct str lead;    /* the line ahead of the first; of a sentence, what
                           it says ahead of them */
    struct str heading; /* the nearest above it, or the title */
    struct str within;  /* how the item begins that it is a part of */
    bool inner;         /* an item led to it */
    const struct candidate *c; /* where it begins */
    size_t rank;    /* among the passages for the field, that led to it */
    double missing; /* what fill_is_about says of that passage */
    double entry;   /* unit_entry of the row or sentence it was found in */
    double kin;     /* … by what the array's items are of */
    bool offered;   /* as a choice among them, "on|off" */
    bool among;     /* it lists settings, or what is said of one */
};

/* A page's part that was read. */
struct window {
    int64_t page, from, to; /* passages, by their numbers */
    const struct candidate *all;
    size_t count;
};

struct listings {
    struct listing *at[LISTINGS_MAX];
    size_t count;
    struct window windows[WINDOWS_MAX];
    size_t window_count;
};

/* Add what is listed around passage c, which is `rank`th for the field; nothing
 * where that was read already. ERR_NOMEM, ERR_DB. */
MUST_CHECK enum err listings_read(struct fill *f, const struct candidate *c,
                                  size_t rank, struct listings *out);

/* What stands above a passage: the lowest heading, or the title. */
struct str listing_heading(const struct candidate *c);

/* What the elements of an array are like. */
struct listing_shape {
    size_t count;
    double words;   /* of what tells them apart, all together */
    double single;  /* elements told by one word */
    double told;    /* … and with something said of them */
    double numbers; /* … told by a number though a text */
    double heads;   /* share of the properties that heads of columns name */
    bool noun;      /* a head also names the array, of objects */
};

/* What tells an item: all that stands ahead of its sign, what stands between an
 * article and the array's own words ("The contrib archive area"), its first
 * word, or all of its first sentence. */
enum listing_term { TERM_WHOLE, TERM_NAMED, TERM_FIRST, TERM_SENTENCE, TERMS };
struct listing_how {
    enum listing_term term;
    size_t column; /* of a table that plain values are taken from */
    const struct label *label;
    const struct query *noun; /* what the array is called */
};

/* The items of a list or table as the array; of plain values of a table, those
 * of the column. *json is NULL when the schema does not take it, or too few of
 * them. An object takes the cells whose heads name its properties; of an item
 * without heads term, remark and text, in the order of the properties, each as
 * far as its schema takes it. */
MUST_CHECK enum err listing_values(struct fill *f, const struct json *array,
                                   const struct json *item,
                                   const struct listing *g,
                                   const struct listing_how *how,
                                   struct listing_shape *shape,
                                   const char **json);

/* --- what a model proposes --------------------------------------------------
 */

/* What the model was shown, and what it said. */
struct proposal {
    struct json *object;     /* or NULL; the caller gives it back */
    struct candidate *shown; /* text without orders to machines */
    size_t count;
};

/*
 * Ask the model for the whole object, over passages for the question and for
 * each property at the root; when its answer is no JSON or breaks the schema it
 * is told so, at most twice. ERR_OK with out->object NULL when there is no
 * model, no passage, or no usable answer (logged); ERR_NOMEM, and what
 * f->ask->passages returns.
 */
MUST_CHECK enum err model_propose(struct fill *f, struct proposal *out);

/* Does a passage that speaks of property `name` hold the value, a number, a
 * date, a name, a word of an enumeration; or say what a boolean says, or a
 * longer text? Then *json is the value as text and its page a source.
 * ERR_NO_RESULT: none does. */
MUST_CHECK enum err model_holds(struct fill *f, const struct proposal *p,
                                const struct json *leaf, const char *name,
                                const struct json *value, const char **json);

/* --- schemas for strict servers ---------------------------------------------
 */

/*
 * The root's schema with every object closed and every property required, an
 * optional one nullable instead, references written out; limits and formats
 * only as words in descriptions. *text stays NULL when the schema has what
 * cannot be written so (a union, a map, recursion). ERR_NOMEM.
 */
MUST_CHECK enum err strict_schema(struct fill *f, const char **text);

/* A copy of an answer without the nulls that stand for what is left out.
 * ERR_NOMEM, ERR_TOO_LARGE. */
MUST_CHECK enum err strict_answer(struct fill *f, const struct json *answer,
                                  struct json **out);

#endif
