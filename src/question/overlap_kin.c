/*
 * Other words for a question's terms; see overlap_kin_read in overlap.h. Pure
 * tables and what reads them. Called by answer_score.c.
 */
#include "question/overlap.h"

#include "base/str.h"
#include "text/terms.h"

#include <stdio.h>
#include <string.h>

enum { GROUP_WORDS_MAX = 8 };

/* Words that say nearly the same, forms of irregular verbs, a country and its
 * people, numbers in words: what no stemmer brings together. Stems are
 * compared. */
static const char *const kin[] = {
    "win won winner winning victory",
    "begin began begun start commence",
    "write wrote written author",
    "lead led leader head",
    "build built construct erect",
    "buy bought purchase acquire",
    "sell sold sale",
    "die died death dead",
    "kill killed murder assassinate slaughter massacre",
    "born birth",
    "make made produce create",
    "give gave given provide supply",
    "take took taken",
    "get got obtain receive",
    "become became",
    "come came arrive",
    "grow grew grown growth increase",
    "rise rose risen increase",
    "fall fell fallen decrease decline",
    "reduce decrease lower diminish",
    "fight fought battle war",
    "lose lost loss",
    "leave left depart",
    "hold held",
    "find found discover",
    "keep kept maintain retain",
    "speak spoke spoken",
    "teach taught",
    "think thought believe",
    "send sent",
    "spend spent",
    "choose chose chosen choice select elect",
    "draw drew drawn",
    "fly flew flown flight",
    "know knew known",
    "meet met meeting",
    "pay paid payment",
    "run ran",
    "say said state",
    "seek sought",
    "stand stood",
    "break broke broken",
    "freeze froze frozen",
    "feed fed eat ate eaten food",
    "name called known",
    "big large huge",
    "country nation",
    "city town",
    "film movie",
    "job occupation profession career",
    "pupil student",
    "doctor physician",
    "car automobile vehicle",
    "stop end cease finish halt",
    "show demonstrate",
    "cause lead result",
    "marry married wife husband spouse",
    "live lived reside inhabit",
    "end ended conclude",
    "capture seize conquer",
    "permit allow",
    "main major primary principal chief",
    "area region territory",
    "illness disease sickness",
    "use used utilize employ",
    "help assist aid support",
    "let allow permit",
    "need require necessary",
    "change alter modify",
    "show display",
    "remove delete drop",
    "quick fast rapid",
    "invent invention",
    "found founded establish",
    "price cost expensive",
    "suggest propose",
    "coin coined introduce",
    "forbid forbidden prohibit ban",
    "attack assault",
    "destroy destruction demolish",
    "defend defence defense protect",
    "defeat beat beaten overcome",
    "rule ruler king emperor monarch reign",
    "amount quantity",
    "earn income wage salary",
    "rich wealthy wealth",
    "poor poverty",
    "child children kid",
    "woman women female",
    "man men male",
    "young youth",
    "study research investigate",
    "scientist researcher",
    "test experiment trial",
    "happen occur",
    "affect effect influence impact",
    "important significant importance",
    "near close",
    "ship boat vessel",
    "goal aim purpose objective",
    "idea concept notion",
    "agreement treaty pact",
    "religion faith belief",
    "army military troops soldiers forces",
    "enemy opponent",
    "money fund finance financial",
    "company firm corporation business",
    "divide split division",
    "separate apart",
    "different difference differ",
    "opposite contrary",
    "component part consist",
    "contain include comprise",
    "way method",
    "move migrate relocate",
    "travel journey",
    "visit tour",
    "carry transport",
    "connect link join",
    "located situated",
    "surround border",
    "measure measurement",
    "estimate approximately",
    "average mean",
    "popular famous",
    "common widespread frequent",
    "fail failure",
    "succeed success successful",
    "try attempt",
    "refuse reject deny",
    "accept approve adopt",
    "oppose against opposition",
    "win award prize",
    "describe characterize",
    "translate translation",
    "publish release issue",
    "perform play",
    "design architect",
    "paint painter painting",
    "britain british uk",
    "france french",
    "poland polish",
    "spain spanish",
    "china chinese",
    "england english",
    "scotland scottish",
    "netherlands dutch",
    "greece greek",
    "ireland irish",
    "wales welsh",
    "denmark danish",
    "sweden swedish",
    "switzerland swiss",
    "norway norwegian",
    "portugal portuguese",
    "rome roman",
    "1 one",
    "2 two",
    "3 three",
    "4 four",
    "5 five",
    "6 six",
    "7 seven",
    "8 eight",
    "9 nine",
    "10 ten",
    "12 twelve",
    "20 twenty",
    "see saw seen",
    "inhabitant resident",
    "begin origin",
    "show reveal indicate",
    "sing sung song"};

/* The stems of a group's words; a longer one is cut, and matches nothing. */
static size_t group_read(const char *group, char stems[][OVERLAP_KIN_BYTES])
{
    size_t count = 0;

    for (const char *at = group; *at != '\0' && count < GROUP_WORDS_MAX;) {
        size_t n = strcspn(at, " ");
        char *stem = stems[count++];

        snprintf(stem, OVERLAP_KIN_BYTES, "%.*s", (int)n, at);
        at += n;
        at += strspn(at, " ");
        stem[term_stem(stem, strlen(stem))] = '\0';
    }
    return count;
}

/* Does the group hold terms[i]? Then the others of it are kin. */
static void group_add(const struct query *q, size_t i,
                      char stems[][OVERLAP_KIN_BYTES], size_t count,
                      struct overlap_kin *out)
{
    bool member = false;

    for (size_t k = 0; k < count; k++)
        member = member || strcmp(stems[k], q->terms[i].text) == 0;
    for (size_t k = 0; member && k < count && out->count < OVERLAP_ALIASES_MAX;
         k++)
        if (strcmp(stems[k], q->terms[i].text) != 0) {
            out->v[out->count].term = (unsigned char)i;
            memcpy(out->v[out->count++].stem, stems[k], OVERLAP_KIN_BYTES);
        }
}

/* The first letters of names that stand side by side in the question:
 * "European Union" is "EU" too. */
static void acronyms_read(const struct query *q, struct overlap_kin *out)
{
    for (size_t i = 0; i < q->term_count; i++) {
        char z[OVERLAP_ACRONYM_MAX + 1];
        size_t n = 0;

        while (i + n < q->term_count && n < OVERLAP_ACRONYM_MAX &&
               (q->names >> (i + n) & 1) &&
               ascii_is_alpha(q->words[i + n][0])) {
            z[n] = q->words[i + n][0];
            n++;
            z[n] = '\0';
            if (n < 2 || out->acronym_count == OVERLAP_ACRONYMS_MAX)
                continue;
            memcpy(out->acronyms[out->acronym_count].text, z, n + 1);
            out->acronyms[out->acronym_count].first = (unsigned char)i;
            out->acronyms[out->acronym_count++].n = (unsigned char)n;
        }
    }
}

void overlap_kin_read(const struct query *q, struct overlap_kin *out)
{
    char stems[GROUP_WORDS_MAX][OVERLAP_KIN_BYTES];

    out->count = 0;
    out->acronym_count = 0;
    acronyms_read(q, out);
    for (size_t k = 0; q->lang == LANG_EN && k < sizeof(kin) / sizeof(kin[0]);
         k++) {
        size_t count = group_read(kin[k], stems);

        for (size_t i = 0; i < q->term_count; i++)
            group_add(q, i, stems, count, out);
    }
}
