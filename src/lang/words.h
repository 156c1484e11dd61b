/*
 * What languages ask and say, as tables made of the files CODE.words by
 * deploy/lib/words.awk: facts of the languages, no rules. A word is written as
 * the tokenizer folds it (lower case, no diacritics of Latin letters). The stop
 * words are declared in text/lang.h. Data, and looking words up in it.
 */
#ifndef CITED_LANG_WORDS_H
#define CITED_LANG_WORDS_H

#include "text/lang.h"

/* --- asking and answering ------------------------------------------------ */

/* What kind of thing answers the question. */
enum answer_type {
    ANSWER_ANY,        /* keywords, or nothing recognised */
    ANSWER_PERSON,     /* who, whose */
    ANSWER_DATE,       /* when, which year, what date */
    ANSWER_PLACE,      /* where, which country */
    ANSWER_NUMBER,     /* how many, how much, how large, maximum size of */
    ANSWER_DEFINITION, /* what is X, define X */
    ANSWER_HOWTO,      /* how do I, how to, steps to */
    ANSWER_REASON,     /* why */
    ANSWER_YESNO,      /* is, does, can … */
    ANSWER_LIST,       /* which …s, list, name the */
    ANSWER_COMPARE     /* difference between, X versus Y */
};

/* A way to ask. */
struct asking {
    const char *words; /* folded tokens, "*" any one, "*en", "quel*" one that
                          ends or begins so; "^" in front: at the beginning
                          only, "$" behind: at the end. Of unspaced scripts:
                          characters anywhere */
    enum answer_type type;
};

/* What a language has for asking and answering. Lists are folded words with
 * single spaces around each; of unspaced scripts characters or words. */
struct question_words {
    const struct asking *asking; /* the more particular first; ends with NULL */
    /* Stand in front of a question, and behind one, blanks as "_"; the last
     * ones in a sentence of their own. NULL: not known. */
    const char *greets, *thanks, *wishes;
    const char *shared;          /* of English: stop words of other languages that
                                    it has, too, or writes as names */
    const char *light;           /* say little about where an answer stands */
    const char *numbers;         /* nouns that ask for a number */
    const char *places, *people, *dates, *reasons; /* … for these */
    const char *several; /* … for a list: "kinds", "modes" */
    const char *doing;   /* verbs: who begins with one asks how; of English */
    const char *count;                             /* number words */
    const char *few;         /* … of no number in particular */
    const char *months;      /* January first: twelve groups, " | " between */
    const char *month_names; /* those that are no other word; or NULL */
    const char *years;       /* "1980s" */
    const char *periods;     /* centuries, days of the week */
    const char *times;       /* other words of time */
    const char *in;          /* prepositions of places */
    const char *within;      /* … that lead to nothing else */
    const char *is;          /* verbs of definitions */
    const char *means, *lets, *holds; /* … the surer first; of English */
    const char *because;
    const char
        *decides; /* tell yes from no: not, only, must; NULL: not known */
    /* Begin what asks to explain what was named before, but with these: "what
     * should I do"; say nothing there; name it as a word; lead to its name:
     * "called". NULL: not known. */
    const char *pointing, *acting, *things, *pointers, *calls;
    const char *changes; /* tell that changes are asked for; NULL: not known */
    const char *fresh;   /* … at the end, or ahead of a stop word: "new in" */
    const char *particles; /* behind a verb they make one word with it, "back
                              up", or NULL */
    const char *separable; /* at the end they belong to the verb: "lege … an" */
    bool compounds;     /* two words are written as one: "Fenstermanager" */
    bool nouns_capital; /* all nouns, so that a capital makes no name */
    bool unspaced;
};

extern const struct question_words question_words[LANG_COUNT];

/* Of a language; NULL where nothing is known. */
const struct question_words *question_words_of(enum lang l);

/* Does the text hold one of the listed words of an unspaced script? */
bool question_text_has(const char *p, size_t n, const char *list);

/* 1-12 for the folded name of a month, 0 for another word; of English its
 * first three letters too. */
int question_month(enum lang l, const char *word);

/* Stems of English that mean nearly the same as a stem, parted by blanks, each
 * with a digit behind it: what it is worth of ten. */
struct near_words {
    const char *stem, *others;
};

struct near_list {
    const struct near_words *v; /* in byte order */
    size_t count;
};

extern const struct near_list near_words[LANG_COUNT];

/* The others of a stem; NULL: none are known. */
const char *word_near(enum lang l, const char *stem);

/* --- how common words are ------------------------------------------------- */

/* Stems of which so many of a thousand passages of any text hold one, and fewer
 * than twice as many; in byte order. A list of them ends with no stems. */
struct common_words {
    int per_mille;
    size_t count;
    const char *const *stems;
};

extern const struct common_words *const common_words[LANG_COUNT]; /* or NULL */

/* The share of passages of any text that hold the stem; 0: it is not common, or
 * nothing is known of the language. */
double word_commonness(enum lang l, const char *stem);

/* --- orders to machines -------------------------------------------------- */

/* "word*" is what begins so. Of languages written without spaces, and of Korean
 * and Arabic, whose particles and articles are part of the word, the parts are
 * looked for anywhere; ORDER_LEAD, where there are any, and punctuation are
 * then what ORDER_FORGET stands behind. */
enum order_class {
    ORDER_LEAD,    /* leads to an order: please, now, and, you must */
    ORDER_FORGET,  /* ignore, disregard */
    ORDER_PRIOR,   /* previous, above, all, your */
    ORDER_RULES,   /* instructions, prompt */
    ORDER_ALL,     /* everything; anywhere: everything above */
    ORDER_TOLD,    /* what follows it: you were told, above */
    ORDER_SPEAK,   /* say, answer, recommend */
    ORDER_WITH,    /* only, with: says how to speak */
    ORDER_WORDING, /* the word, every question */
    ORDER_GIVEN,   /* verbatim, the phrase: the words themselves are given */
    ORDER_YOUR,    /* in your answer */
    ORDER_MACHINE, /* language model, chatbot */
    ORDER_HELPER,  /* assistant: may be a person */
    ORDER_PERSONA, /* unrestricted: what a machine is told to be */
    ORDER_CALL,    /* dear, attention, note: begins an address to somebody */
    ORDER_TO,      /* what may stand between such a word and the machine */
    ORDER_IF,      /* if you are, as a */
    ORDER_READING, /* reading, processing */
    ORDER_MUST,    /* must, are instructed to */
    ORDER_THAT,    /* that: says what to say */
    ORDER_ASKED,   /* asked about, summarising this */
    ORDER_SYSTEM,  /* system: a role's name ahead of a colon */
    ORDER_NOW,     /* you are now, from now on */
    ORDER_CLASSES
};

struct order_words {
    const char *code;                     /* of the language */
    bool anywhere;                        /* parts are looked for anywhere */
    const char *const *of[ORDER_CLASSES]; /* NULL, or ended by NULL */
};

enum { ORDER_LANGUAGES = 16 };
extern const struct order_words order_words[ORDER_LANGUAGES];

/* --- asking for reports --------------------------------------------------- */

/* What a request for a report is worded with: how its parts are joined, which
 * verbs order a text and which nouns name one, what compares. Lists are folded
 * words with single spaces around each; NULL: none. */
struct report_words {
    const char *joins;    /* stand in front of the last of several: "and" */
    const char *choices;  /* … those that leave a choice: "or", "versus" */
    const char *asks;     /* begin what asks: "how", "which" */
    const char *helps;    /* … in front of "it", "they" or … */
    const char *persons;  /* … these: "can I", "is there" */
    const char *orders;   /* verbs that order a text: "explain", "compare" */
    const char *starts;   /* … where a clause begins with them: "set out" */
    const char *tells;    /* … and name who is told: "brief us on" */
    const char *forms;    /* nouns that name a text: "guide", "checklist" */
    const char *about;    /* stand behind these: "of", "on" */
    const char *readers;  /* those whom it is for stand behind: "for" */
    const char *asides;   /* begin what only says where or for what: "in" */
    const char *places;   /* … where somebody is, or for whom they work: "at" */
    const char *wants;    /* behind a person: "I need", "we would like" … */
    const char *learns;   /* … and before what is wanted: "to know" */
    const char *inquires; /* … behind somebody else: "our auditor asks" */
    const char *covers;   /* stand before what is to be in a text: "including" */
    const char *labels;   /* only say that such things follow: "topics" */
    const char *manners;  /* say how to answer, not what: "reasons"; or how many
                             things were named: "compare the two" */
    const char *polite;   /* end a request and say nothing: "please" */
    const char *adds;     /* … between what orders and what asks: "say also why" */
    const char *every;    /* mean each of what was told: "the cause of each" */
    const char *happens;  /* say no more than that: "what has happened" */
    const char *vague;    /* say little of what they are said: "does it work" */
    const char *relative; /* of those that ask, behind a noun as well: "which" */
    const char *series;   /* head a list that is ordered: "steps in order: …" */
    const char *declines; /* begin what is not wanted: "skip the basics" */
    const char *denies;   /* … or stand between a person and a wish: "not" */
    const char *deeds;    /* verbs that may begin what is asked, besides those
                             of struct question_words: "monitor" */
    const char *products; /* what is ordered: "the report is for our board" */
    const char *picks;    /* stand before what is chosen from: "use" */
    const char *pairs;    /* … what belongs together: "between" */
    const char *articles; /* "the" */
    const char *kinds;    /* nouns that say nothing themselves: "options" */
    const char *compares; /* tell that sides are compared */
    const char *against;  /* stand between two that are compared: "with" */
    const char *regards;  /* … between these and on what: "in speed and size" */
    const char *towards;  /* … within more words: "when it comes to" */
    const char *examples; /* lead to examples ahead of an aside: "such" as */
    const char *ours;     /* stand before those whom a text is for: "our" … */
    const char *audience; /* … "operators" */
    const char *shapes;   /* what a text looks like: "a table", … */
    const char *tastes;   /* … where that is wished for: "would be nice" */
    const char *links;    /* begin a sentence that leans on the one before */
    const char *pronouns; /* stand for what was named before … */
    const char *owners;   /* … that own what is behind them: "their" */
    const char *ones;     /* … where a clause ends with them: "add one" */
    const char *clauses;  /* … or a clause that may stand alone: "if", "in" */
    const char *texts;    /* what a text calls itself: "chapter" */
    const char *refers;   /* point back from a sentence's beginning: "above" */
    const char *points;   /* … with the noun behind them: "this" */
    const char *changes;  /* tell that changes are asked for: "upgrading" */
    const char *onto;     /* … between two versions: "to" */
    const char *altered;  /* … those that do so only where the question's words
                             do, too: "removed in 3.11", not "when removed" */
    const char *drafts;   /* mark what is still to be written: "fixme" */
    const char *makers;   /* those who make a thing, whom some of its texts are
                             for, not its users: "contributors" */
};

extern const struct report_words report_words[LANG_COUNT];

/* Of a language; English where nothing is known. */
const struct report_words *report_words_of(enum lang l);

/* Is the folded word in one of its lists? */
bool report_list_has(const char *list, const char *word);

/* Does a text begin with what leans on the sentence before: "It also …", "In
 * this case", "The values above"? What a clause says that may stand alone does
 * not: "If a page …". */
bool report_leans(enum lang l, const char *p, size_t n);

/* Does a text begin with a verb that says what to do: "Stop the server"? */
bool report_tells_to(enum lang l, const char *p, size_t n);

/* --- comparing things ------------------------------------------------------ */

/* What questions that compare are worded with, as it is written; "_x_" is a word
 * between blanks. Each ends with NULL, and is NULL where nothing is known. */
struct compare_words {
    const char *const *leads;     /* in front of the members: "compare" */
    const char *const *between;   /* … behind other words: "difference between",
                                     but for these … */
    const char *const *showing;   /* … which show what differs: "how do I see" */
    const char *const *picking;   /* … where of two members one is chosen: "when
                                     should I use", and between them: */
    const char *const *picks;     /* "instead of" */
    const char *const *versus;    /* between two members, wherever they stand */
    const char *const *joins;     /* … behind a lead, the surest first */
    const char *const *and, *const *or, *const *against; /* … without one */
    const char *const *fronts;    /* begin circumstances in front: "in Git," */
    const char *const *places;    /* … and behind the last member */
    const char *const *small;     /* are no part of a member: "the" */
    const char *const *how, *const *ends; /* "how do" A and B "differ" */
    const char *const *begins;    /* begin a further question: ", which" */
    const char *const *sentences; /* begin what is no member by itself */
    const char *const *differs;   /* "A and B - how do they differ" */
    const char *const *verbs, *const *degrees, *const *than; /* "is A more … than" */
};

extern const struct compare_words compare_words[LANG_COUNT];

/* --- comparing a statement with a text ------------------------------------- */

/* Words of all languages together, folded, with single spaces around each;
 * "|" parts groups, "_" is a blank inside a phrase. */
struct check_words {
    const char *deny;       /* not, never */
    const char *hedge;      /* may, allegedly: say less than what they stand by */
    const char *weighty;    /* stop words that change what is said: all, more */
    const char *narrow;     /* hold what is said to a part: only, usually */
    const char *sequence;   /* then, afterwards */
    const char *light;      /* may be added without saying more */
    const char *role;       /* what a named thing is: option, column, town */
    const char *define;     /* verbs between a name and what it is */
    const char *opening;    /* yes, however: ahead of a statement */
    const char *ascribe;    /* begins "according to …," */
    const char *speaker;    /* … of a text, which is no statement */
    const char *thing;      /* it */
    const char *person;     /* he, they */
    const char *this;       /* points at what was named */
    const char *there;      /* stands where a subject would */
    const char *join;       /* and, but */
    const char *part;       /* … that part what a condition reaches */
    const char *be;
    const char *participle; /* those that do not end in "ed" */
    const char *loose;      /* prepositions of place and belonging */
    const char *strict;     /* … each of which says something else */
    const char *mark;       /* begin a clause; groups of one meaning */
    const char *fact;       /* … whose clause is said to be so */
    const char *by;         /* leads to who does it, in passive voice */
    const char *agent;      /* … right behind the verb */
    const char *condition;  /* … without which its statement may not stand */
    const char *numeral;    /* a word and its digits, in turn */
    const char *same;       /* groups of one meaning, other forms by stem */
    const char *opposite;   /* pairs */
    const char *phrase;     /* groups of words, and the word they stand for */
};

extern const struct check_words check_words;

/* --- values of fields ------------------------------------------------------ */

/* What tells a value and what it is of, in all languages together: folded
 * words with single spaces around each; "|" parts groups. */
struct value_words {
    const char *contrary; /* pairs of which one denies the other */
    const char *defaults; /* default, … a maximum, a minimum */
    const char *most, *least;
    const char *clauses;  /* begin one that says when: while, if */
    const char *forms;    /* say what form a value has, not what it is */
    const char *person, *place, *date; /* in a field's name: what it names */
    const char *phrases;  /* … what takes a sentence to say: rules */
    const char *kinds;    /* … that what it may be is asked for: modes */
    const char *offers;   /* lead to a list: following, possible */
    const char *nothing;  /* stand for no value: none, unset */
    const char *gone;     /* of a setting that is no more: removed */
    const char *remarks;  /* head a column of them */
    const char *names;    /* say that a setting's name follows: option */
    const char *yes, *no; /* a whole cell; marks as they are written */
};

extern const struct value_words value_words;

/* --- what the program itself says ---------------------------------------- */

enum phrase {
    PHRASE_INTRODUCING, /* words in titles of what introduces a subject */
    PHRASE_DEFINING,    /* … of what says what words mean */
    PHRASE_POINTING,    /* words of what is shown behind a text */
    PHRASE_SEEING,      /* begin a sentence on where more is said: see … */
    PHRASE_FURTHER,     /* … before these: for more, see */
    PHRASE_ONLY_CLOSE, /* in front of an excerpt that does not answer */
    /* Headings of a report, and what it says of itself. */
    PHRASE_COMPARED, /* of sides together */
    PHRASE_OVERVIEW,
    PHRASE_DETAILS,
    PHRASE_MISSING,
    PHRASE_NOT_FOUND, /* in front of a list of parts */
    PHRASE_NOT_HEARD, /* in front of who was asked and why it failed */
    PHRASE_COUNT
};

extern const char *const phrases[PHRASE_COUNT][LANG_COUNT];

/* English where a language has none. */
const char *phrase(enum lang l, enum phrase p);

#endif
