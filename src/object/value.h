/*
 * Typed values out of the pieces of a passage, by what a field's words are and
 * where they stand. Inside this room only; pure.
 */
#ifndef CITED_OBJECT_VALUE_H
#define CITED_OBJECT_VALUE_H

#include "base/str.h"
#include "index/page.h"
#include "question/evidence.h"
#include "text/terms.h"
#include "json/json.h"

/* --- a field's words --------------------------------------------------------
 */

/* Qualifiers: words that change which value is meant. A sentence about the
 * same thing without them tells another value. */
enum { QUALIFIER_DEFAULT = 1, QUALIFIER_MAXIMUM = 2, QUALIFIER_MINIMUM = 4 };

enum { LABEL_LITERALS_MAX = 4, LABEL_HITS_MAX = 48 };

struct label {
    const char *spelled; /* the name as it is written */
    const char *plain;   /* in words */
    const char *name;    /* … and these in full: "maximum" */
    const char *text;    /* the same, or the description */
    const char *hint;    /* name, title and description in one */
    struct query words;  /* the text's, without qualifiers, units, words of
                            form ("date", "whether") and names of the question */
    unsigned qualifiers;
    const char *literals[LABEL_LITERALS_MAX]; /* numbers that must stand by
                                                 the value: "3.7.0", "15" */
    size_t literal_count;
    /* "http.proxy", "RETURNING": they must stand by it as they are. */
    const char *identifiers[LABEL_LITERALS_MAX];
    size_t identifier_count;
    uint64_t predicate; /* what is said of the rest: the last word, or the last
                           ahead of "while", "when" */
    const char *asked;  /* the question */
    struct {
        struct str word;
        uint64_t mask;
    } opposites[LABEL_LITERALS_MAX]; /* of a statement's words: "optional" */
    size_t opposite_count;
    bool generic; /* "answer", "summary": the question itself is asked */
    bool refers;  /* "of that version": to another field's value */
    bool boolean; /* a statement is asked for */
    struct label_meant *meant; /* its words as vectors; NULL: it has none */
};

/* The label of property `name` with the schema leaf; subject: those of q's
 * names that say whose value it is, which a label does without. ERR_NOMEM
 * only. */
MUST_CHECK enum err label_parse(const char *name, const struct json *leaf,
                                const struct query *q, uint64_t subject,
                                struct arena *a, struct label *out);

/* Read the label's words as vectors, once they are weighed, for label_near.
 * ERR_NOMEM only. */
MUST_CHECK enum err label_mean(struct label *l, struct arena *a);

/* How near the texts come to the label: of each of its words the nearest one in
 * any of them, as a cosine; their mean by weight. Of a label without vectors
 * what an ordinary text has. ERR_NOMEM. */
MUST_CHECK enum err label_near(const struct label *l, const struct str *texts,
                               size_t count, double *near);

/* A text of the schema, "" without it. */
const char *label_schema_text(const struct json *leaf, const char *key);

/* Is the folded token one that says what form a value has ("date")? */
bool label_is_form(const char *token);

/* Which of the label's words the text holds, words of one family included and
 * those that tell a dimension ("tall" for "height"). */
uint64_t label_mask(const struct label *l, const char *p, size_t n);

/* Which qualifiers the n bytes at p hold, in any of their words. */
unsigned label_qualifiers(const char *p, size_t n);

/* Does the text hold the literal as a whole number or version: "3.7.0" not
 * within "3.7.0.1"; "370" also as "3.7.0"? *at: where, may be NULL. */
bool label_has_literal(const char *literal, const char *p, size_t n,
                       size_t *at);

/* Does the text hold the identifier: one of capitals just so, any other in any
 * case? */
bool label_names(const char *identifier, const char *p, size_t n);

/* The value in "pool_size=5 –", the head of an entry on the label's very thing,
 * or in "port = 6680", a line of settings, which gives its default; empty: it
 * is none. */
struct str label_assigned(const struct label *l, struct str text);

/* A word of the label, or of its qualifiers, in a text. */
struct label_hit {
    size_t start, end;
    bool qualifier;
};

/* Does the word say the opposite of one of the label's ("unordered")? Only of a
 * boolean's label. */
bool label_is_denied(const struct label *l, const char *p, size_t n);

/* Where the text holds the label's words, in reading order, at most max. */
size_t label_hits(const struct label *l, const char *p, size_t n,
                  struct label_hit *out, size_t max);

/* --- pieces of a passage ----------------------------------------------------
 */

enum unit_kind { UNIT_SENTENCE, UNIT_ROW, UNIT_HEADING };

struct unit {
    enum unit_kind kind;
    struct str text;
    struct str before; /* what the same paragraph says ahead of it */
    bool apart;        /* … it stands elsewhere in memory */
};

enum { UNITS_MAX = 80, CELLS_MAX = 16 };

/* Passages known to hold no orders to machines, nor title and lowest heading,
 * by their numbers; begins as zeros. Each field reads many of the same. */
enum { CLEAN_MAX = 1024 };
struct clean {
    int64_t passage[CLEAN_MAX];
};

/* The passage's text without orders to machines, c->text itself where there are
 * none. NULL: out of memory. */
const char *unit_shown(const struct candidate *c, struct clean *known,
                       struct arena *a);

/* The units of a passage, its title and its lowest heading first; at most
 * UNITS_MAX. `before`, the passage ahead of it on its page, names the entry
 * that it goes on with; or NULL. ERR_NOMEM only. */
MUST_CHECK enum err units_read(const struct candidate *c,
                               const struct candidate *before,
                               struct clean *known, struct arena *a,
                               struct unit **out, size_t *count);

/* The lowest heading above the passage; empty without one. */
struct str unit_heading(const struct candidate *c);

/* What a line begins with ahead of what is said of it, "port: …", "port <int>
 * …", "--port …"; of an option in a usage that is parted by blanks. Empty: it
 * begins with nothing such. */
struct str line_term(struct str line);

/* Is the name of an entry the property's own, or one that its description
 * names, "default work_mem": 1 just so, less with other words ahead of it,
 * which the question does not name; 0: no. Behind it arguments may stand, of a
 * heading in brackets alone. Of a line it is what stands ahead of ": " or
 * " - "; of a unit the best of its row or line and its section. */
double label_entry(const struct label *l, struct str entry);
double heading_entry(const struct label *l, struct str heading);
double line_entry(const struct label *l, struct str line);
double unit_entry(const struct label *l, const struct candidate *c,
                  const struct unit *u);

/* The default that a head gives the parameter of the property's own name,
 * "open(path, mode='r'): …"; empty: none does. */
struct str label_signed(const struct label *l, struct str text);

/* Does the passage write the property's own name, whatever joins its words, or
 * stand below it? */
bool label_is_written(const struct label *l, const struct candidate *c);

/* The cells of a row "Head: value | Head: value", at most max. 0: no row. */
size_t cells_read(struct str row, struct cell *out, size_t max);

/* Is it one of remarks ("Comment: …"), by its head? */
bool cell_is_remark(const struct cell *c);

/* --- where a value stands ---------------------------------------------------
 */

/* A text and where the label's words stand in it. */
struct near {
    struct str text;
    struct label_hit hits[LABEL_HITS_MAX];
    size_t hit_count;
    struct cell cells[CELLS_MAX];
    size_t cell_count; /* 0: no row of a table */
    const struct label *label;
    bool event; /* of a date or a person: the past is no reason against it */
};

void near_read(const struct label *l, struct str text, bool event,
               struct near *out);

/* How well a value in bytes start..end fits there, about -0.6 to 0.6: more
 * when only words like "is", "defaults to" stand between it and the label's,
 * when the thing counted follows it, or when the head of its column says what
 * is asked; less when it tells of the past or of a comparison. */
double near_fit(const struct near *x, size_t start, size_t end);

/* What it is the sum of: what the value's time says, the head of its column,
 * words that link it, what is counted, and how far off the label's words are.
 */
enum near_part {
    NEAR_TENSE,
    NEAR_CELL,
    NEAR_LINKED,
    NEAR_COUNTED,
    NEAR_FAR,
    NEAR_GAP,
    NEAR_PARTS
};
void near_parts(const struct near *x, size_t start, size_t end, double *out);
double near_sum(const double *parts);

/* Tokens between the value and the nearest word of the label before it;
 * SIZE_MAX when there is none. */
size_t near_gap(const struct near *x, size_t start);

/* --- values -----------------------------------------------------------------
 */

enum value_kind {
    VALUE_TEXT,
    VALUE_INTEGER,
    VALUE_NUMBER,
    VALUE_BOOLEAN,
    VALUE_DATE,
    VALUE_DATE_TIME,
    VALUE_ENUM,
    VALUE_LIST
};

enum { VALUE_CHOICES_MAX = 96 };

/* What a field asks for. */
struct value_want {
    enum value_kind kind;
    enum answer_type type;   /* of a text: what it names */
    const struct json *leaf; /* its schema, $ref and null branch resolved */
    const struct label *label;
    const struct query *q;   /* the question */
    const struct json *item; /* of a list: the schema of its items, or NULL */
    bool entry; /* of a setting of the property's own name (unit_entry) */
};

/* How a text was found: a number of its own, one with its unit, a cell or what
 * a line begins with, what is said to be the label, or the label to be, in
 * marks, a name, beside a word of the label, all of the sentence, or a version,
 * where one is asked for. */
enum value_way {
    WAY_PLAIN,
    WAY_MEASURE,
    WAY_CELL,
    WAY_SUBJECT,
    WAY_PREDICATE,
    WAY_MARKED,
    WAY_NAME,
    WAY_BESIDE,
    WAY_WHOLE,
    WAY_VERSION,
    WAY_STATE, /* a statement's default, "off by default" */
    WAYS
};

/* What weakens what a sentence says of a statement. */
enum value_doubt {
    DOUBT_PART = 1,   /* the clause says only some of the label's words */
    DOUBT_UNSAID = 2, /* no verb says it of anything */
    DOUBT_DENIES = 4, /* it says it with a word that denies */
    DOUBTS = 3
};

/* A value and where it stands in the text it was found in. */
struct value_choice {
    const char *json; /* as JSON text, in the arena */
    size_t start, end;
    double fit; /* about -1 to 1 */
    enum value_way way;
    unsigned doubts; /* of a statement */
    /* Of an enumeration: its items, their words, and those of one word. */
    size_t count;
    double words, single, numbers;
    bool offered; /* as a choice among them, "on|off" */
};

/* Possible values in a text, in reading order. Every one stands in it: none
 * is made up. */
struct value_choices {
    struct value_choice at[VALUE_CHOICES_MAX];
    size_t count;
    enum value_way way; /* of those added next */
    bool failed;        /* no memory for one of them */
};
MUST_CHECK enum err value_find(const struct value_want *w, const struct unit *u,
                               struct arena *a, struct value_choices *out);

/* What kind of value the schema leaf of this type asks for. */
enum value_kind value_kind_of(const struct json *leaf, const char *type);

/* Add one; json NULL: out of memory. */
void value_add(struct value_choices *out, const char *json, size_t start,
               size_t end, double fit);

/* A JSON string of the n bytes, white space folded; NULL: no memory. */
const char *value_string(const char *p, size_t n, struct arena *a);

/* --- numbers ----------------------------------------------------------------
 */

/* Add the numbers in the text that w may mean: in the unit its label names
 * (converted between units of data, time and length when needed), never one
 * that is part of a version, a date, a time or a section's number; years only
 * when it asks for one. */
void value_numbers(const struct value_want *w, const struct near *x,
                   struct arena *a, struct value_choices *out);

/* The same as text, number and unit as they are written: "281 terabytes".
 * Only those whose unit the label may mean. */
void value_quantities(const struct value_want *w, const struct near *x,
                      struct arena *a, struct value_choices *out);

/* Does the paragraph ahead speak of another unit than the label's alone? */
bool value_of_other_unit(const struct label *l, struct str before);

/* Is the folded token a unit of measure? */
bool value_is_unit(const char *token);

/* --- text -------------------------------------------------------------------
 */

enum { TEXT_TOKENS_MAX = 192 };

struct text {
    const char *p;
    size_t n;
    struct term t[TEXT_TOKENS_MAX]; /* folded */
    size_t count;
    struct near near;
};

/* Without quotation marks around it. */
struct str value_bare(struct str s);

void text_read(struct text *x, const char *p, size_t n);

/* "Read Committed is the default isolation level": does the label, and all of
 * it, follow a value that ends at byte end by way of a verb? */
bool text_is_subject(const struct text *x, size_t end);

/* The year 1000-2999 that token i is, -1 for none. */
int date_year(const struct text *x, size_t i);

/* Add dates; names, phrases, versions, quantities and years by what w's type
 * names; the items of an enumeration as one JSON array, each of the kind that
 * the list's schema asks for. */
void value_dates(const struct value_want *w, const struct text *x,
                 struct arena *a, struct value_choices *out);
void value_texts(const struct value_want *w, const struct text *x,
                 struct arena *a, struct value_choices *out);
MUST_CHECK enum err value_lists(const struct value_want *w,
                                const struct text *x, struct arena *a,
                                struct value_choices *out);

/* Is the unit the reply to a question ahead of it, "Yes." or "No, …": 1 or -1;
 * 0: it is none. */
int value_reply(const struct unit *u);

/* Add what unit u, read into x, says of the statement; scratch is
 * overwritten. */
void value_boolean(const struct value_want *w, const struct unit *u,
                   const struct text *x, struct text *scratch,
                   struct value_choices *out);

#endif
