/*
 * The language of a text and its stop words. Latin languages are told apart
 * by the stop words they use, the others by their script. The lists hold
 * folded tokens (text/terms.h), in strcmp order. Called for pages that do not
 * name their language and for questions; English words are terms.c's.
 */
#include "text/terms.h"

#include "base/str.h"
#include "text/fold.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLE_BYTES = 8000,
    FEW_TOKENS = 12, /* a question: one stop word may decide */
    KANA_PERCENT = 5 /* of the CJK characters, to be Japanese */
};

static const char *const stop_de[] = {
    "aber",    "alle",   "allem",  "allen",   "aller",    "alles",   "als",
    "also",    "am",     "an",     "andere",  "anderen",  "auch",    "auf",
    "aus",     "bei",    "beim",   "bin",     "bis",      "bist",    "da",
    "dabei",   "damit",  "dann",   "das",     "dass",     "dein",    "deine",
    "dem",     "den",    "denn",   "der",     "deren",    "des",     "dessen",
    "dich",    "die",    "dies",   "diese",   "diesem",   "diesen",  "dieser",
    "dieses",  "dir",    "doch",   "dort",    "du",       "durch",   "ein",
    "eine",    "einem",  "einen",  "einer",   "eines",    "er",      "es",
    "etwas",   "euch",   "euer",   "fuer",    "fur",      "gegen",   "gibt",
    "hab",     "habe",   "haben",  "hat",     "hatte",    "hatten",  "hier",
    "hin",     "hinter", "ich",    "ihm",     "ihn",      "ihnen",   "ihr",
    "ihre",    "ihrem",  "ihren",  "ihrer",   "im",       "in",      "indem",
    "ins",     "ist",    "ja",     "jede",    "jedem",    "jeden",   "jeder",
    "jedes",   "jene",   "jener",  "jetzt",   "kann",     "kein",    "keine",
    "keinem",  "keinen", "keiner", "konnen",  "konnte",   "man",     "manche",
    "mein",    "meine",  "mich",   "mir",     "mit",      "muss",    "mussen",
    "nach",    "nicht",  "nichts", "noch",    "nun",      "nur",     "ob",
    "oder",    "ohne",   "sehr",   "sein",    "seine",    "seinem",  "seinen",
    "seiner",  "seit",   "sich",   "sie",     "sind",     "so",      "sogar",
    "soll",    "sollen", "sollte", "sondern", "sonst",    "uber",    "um",
    "und",     "uns",    "unser",  "unsere",  "unter",    "viel",    "viele",
    "vom",     "von",    "vor",    "wahrend", "wann",     "war",     "waren",
    "warum",   "was",    "weil",   "welche",  "welchem",  "welchen", "welcher",
    "welches", "wem",    "wen",    "wenn",    "wer",      "werde",   "werden",
    "wessen",  "wie",    "wieder", "wieso",   "wieviel",  "will",    "wird",
    "wo",      "wofur",  "woher",  "wohin",   "wozu",     "wurde",   "wurden",
    "zu",      "zum",    "zur",    "zwar",    "zwischen",
};

static const char *const stop_fr[] = {
    "a",       "afin",     "ai",     "ainsi",    "alors",    "apres",
    "as",      "au",       "aucun",  "aucune",   "aussi",    "autre",
    "autres",  "aux",      "avait",  "avant",    "avec",     "avez",
    "avoir",   "avons",    "c",      "car",      "ce",       "ceci",
    "cela",    "celle",    "celles", "celui",    "ces",      "cet",
    "cette",   "ceux",     "chaque", "chez",     "combien",  "comme",
    "comment", "contre",   "d",      "dans",     "de",       "deja",
    "depuis",  "des",      "donc",   "dont",     "du",       "elle",
    "elles",   "en",       "encore", "entre",    "es",       "est",
    "et",      "etaient",  "etais",  "etait",    "ete",      "etes",
    "etre",    "eu",       "eux",    "fait",     "faut",     "font",
    "furent",  "fut",      "il",     "ils",      "j",        "je",
    "jusque",  "l",        "la",     "laquelle", "le",       "lequel",
    "les",     "lesquels", "leur",   "leurs",    "lors",     "lorsque",
    "lui",     "m",        "ma",     "mais",     "me",       "meme",
    "mes",     "moi",      "moins",  "mon",      "n",        "ne",
    "ni",      "non",      "nos",    "notre",    "nous",     "on",
    "ont",     "ou",       "par",    "parce",    "pas",      "pendant",
    "peu",     "peut",     "plus",   "pour",     "pourquoi", "puis",
    "qu",      "quand",    "que",    "quel",     "quelle",   "quelles",
    "quels",   "qui",      "quoi",   "s",        "sa",       "sans",
    "se",      "sera",     "ses",    "si",       "soit",     "son",
    "sont",    "sous",     "sur",    "t",        "ta",       "te",
    "tes",     "toi",      "ton",    "tous",     "tout",     "toute",
    "toutes",  "tres",     "tu",     "un",       "une",      "vers",
    "vos",     "votre",    "vous",   "y",
};

static const char *const stop_es[] = {
    "a",      "al",      "algo",    "algunas",  "algunos", "ante",
    "antes",  "aquel",   "aquella", "asi",      "aun",     "aunque",
    "cada",   "como",    "con",     "contra",   "cual",    "cuales",
    "cuando", "cuantas", "cuanto",  "cuantos",  "de",      "del",
    "desde",  "donde",   "dos",     "durante",  "e",       "el",
    "ella",   "ellas",   "ellos",   "en",       "entre",   "era",
    "eran",   "es",      "esa",     "esas",     "ese",     "eso",
    "esos",   "esta",    "estaba",  "estan",    "estar",   "estas",
    "este",   "esto",    "estos",   "fue",      "fueron",  "ha",
    "habia",  "han",     "hasta",   "hay",      "la",      "las",
    "le",     "les",     "lo",      "los",      "mas",     "me",
    "mi",     "mis",     "mucho",   "muchos",   "muy",     "nada",
    "ni",     "no",      "nos",     "nosotros", "nuestra", "nuestro",
    "o",      "otra",    "otras",   "otro",     "otros",   "para",
    "pero",   "poco",    "por",     "porque",   "puede",   "pueden",
    "pues",   "que",     "quien",   "quienes",  "se",      "sea",
    "ser",    "sera",    "si",      "sido",     "sin",     "sino",
    "sobre",  "son",     "su",      "sus",      "tambien", "tan",
    "tanto",  "te",      "tiene",   "tienen",   "toda",    "todas",
    "todo",   "todos",   "tu",      "tus",      "un",      "una",
    "unas",   "uno",     "unos",    "usted",    "y",       "ya",
    "yo",
};

static const char *const stop_ru[] = {
    "а",        "без",   "более", "был",    "была",    "были",  "было",
    "быть",     "в",     "вам",   "вас",    "весь",    "во",    "вот",
    "все",      "всего", "всех",  "вы",     "где",     "да",    "даже",
    "для",      "до",    "его",   "ее",     "ей",      "ему",   "если",
    "есть",     "еще",   "же",    "за",     "здесь",   "и",     "из",
    "или",      "им",    "их",    "к",      "как",     "какая", "какие",
    "какого",   "какой", "каком", "когда",  "кого",    "кто",   "куда",
    "ли",       "либо",  "между", "меня",   "мне",     "может", "можно",
    "мой",      "мы",    "на",    "над",    "надо",    "нас",   "не",
    "него",     "нее",   "ней",   "нет",    "ни",      "них",   "но",
    "ну",       "о",     "об",    "однако", "он",      "она",   "они",
    "оно",      "от",    "очень", "по",     "под",     "после", "потому",
    "почему",   "при",   "про",   "раз",    "с",       "сам",   "своего",
    "своей",    "свой",  "свою",  "себя",   "сколько", "со",    "так",
    "такая",    "также", "такой", "там",    "те",      "тем",   "то",
    "того",     "тоже",  "той",   "только", "том",     "тот",   "ту",
    "ты",       "у",     "уже",   "чего",   "чей",     "чем",   "через",
    "что",      "чтобы", "чье",   "эта",    "эти",     "этим",  "это",
    "этого",    "этой",  "этом",  "этот",   "эту",     "я",     "является",
    "являются",
};

struct language {
    const char *code;
    const char *const *stop;
    size_t count;
};

#define LANGUAGE(code, list)                                                   \
    {                                                                          \
        code, list, sizeof(list) / sizeof(list)[0]                             \
    }

static const struct language languages[] = {
    LANGUAGE("de", stop_de),
    LANGUAGE("fr", stop_fr),
    LANGUAGE("es", stop_es),
    LANGUAGE("ru", stop_ru),
};

enum { LANGUAGES = sizeof languages / sizeof languages[0] };

static int compare_word(const void *key, const void *entry)
{
    return strcmp(key, *(const char *const *)entry);
}

static bool is_stop_of(const struct language *l, const char *word)
{
    return bsearch(word, l->stop, l->count, sizeof l->stop[0], compare_word) !=
           NULL;
}

bool term_is_stop_in(const char *lang, const char *z, size_t n)
{
    char word[TERM_MAX + 1];

    if (n == 0 || n > TERM_MAX)
        return false;
    memcpy(word, z, n);
    word[n] = '\0';
    for (size_t i = 0; i < LANGUAGES; i++)
        if (strncmp(lang, languages[i].code, 2) == 0)
            return is_stop_of(&languages[i], word);
    return (lang[0] == '\0' || strncmp(lang, "en", 2) == 0) &&
           term_is_stop(z, n);
}

/* Characters by script. */
struct scripts {
    size_t latin, cyrillic, kana, han, other;
};

static void count_scripts(const char *p, size_t n, struct scripts *s)
{
    for (size_t i = 0; i < n;) {
        uint32_t cp;

        i += utf8_decode(p + i, n - i, &cp);
        if (cp < 0x80 ? ascii_is_alpha((int)cp) : cp >= 0xC0 && cp < 0x250)
            s->latin++;
        else if (cp >= 0x400 && cp < 0x530)
            s->cyrillic++;
        else if (cp >= 0x3041 && cp <= 0x30FF)
            s->kana++;
        else if (cp >= 0x3400 && cp <= 0x9FFF)
            s->han++;
        else if (cp >= 0x370 && char_kind_of(cp) != CHAR_BREAK)
            s->other++;
    }
}

/* The language whose stop words are most frequent, if clearly so. */
static const char *by_stop_words(const char *p, size_t n)
{
    size_t hits[LANGUAGES + 1] = {0}, tokens = 0, best = LANGUAGES, next = 0;
    struct term_iter it;
    struct term t;

    terms_init(&it, p, n);
    for (; tokens_next(&it, &t); tokens++) {
        for (size_t i = 0; i < LANGUAGES; i++)
            hits[i] += is_stop_of(&languages[i], t.text);
        hits[LANGUAGES] += term_is_stop(t.text, t.len);
    }
    for (size_t i = 0; i < LANGUAGES; i++)
        if (hits[i] > hits[best])
            best = i;
    for (size_t i = 0; i <= LANGUAGES; i++)
        if (i != best && hits[i] > next)
            next = hits[i];
    if (hits[best] == 0 || hits[best] * 5 < next * 6 + 1 ||
        (tokens > FEW_TOKENS && hits[best] * 8 < tokens))
        return "";
    return best == LANGUAGES ? "en" : languages[best].code;
}

const char *text_language(const char *p, size_t n)
{
    struct scripts s = {0, 0, 0, 0, 0};
    size_t all;

    n = utf8_cut(p, n, SAMPLE_BYTES);
    count_scripts(p, n, &s);
    all = s.latin + s.cyrillic + s.kana + s.han + s.other;
    /* One character of these scripts says about as much as three letters. */
    if ((s.han + s.kana) * 3 > all - s.han - s.kana)
        return s.kana * 100 >= (s.han + s.kana) * KANA_PERCENT ? "ja" : "zh";
    if (s.cyrillic * 2 > all)
        return by_stop_words(p, n);
    return s.latin * 2 > all ? by_stop_words(p, n) : "";
}
