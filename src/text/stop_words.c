/*
 * The stop words of each language: folded tokens (text/terms.h) in strcmp
 * order; English ones are terms.c's. Of unspaced scripts, whose tokens are
 * pairs of characters, the characters that make a pair one. Called by whoever
 * tells words that carry meaning from others, and by language.c.
 */
#include "text/terms.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static const char *const stop_de[] = {
    "aber",    "alle",    "allem",    "allen",   "aller",    "alles",
    "als",     "also",    "am",       "an",      "andere",   "anderen",
    "auch",    "auf",     "aus",      "bei",     "beiden",   "beim",
    "bin",     "bis",     "bist",     "da",      "dabei",    "damit",
    "dann",    "darf",    "das",      "dass",    "dein",     "deine",
    "dem",     "den",     "denn",     "der",     "deren",    "des",
    "deshalb", "dessen",  "dich",     "die",     "dies",     "diese",
    "diesem",  "diesen",  "dieser",   "dieses",  "dir",      "doch",
    "dort",    "du",      "durch",    "durfen",  "durfte",   "ein",
    "eine",    "einem",   "einen",    "einer",   "eines",    "er",
    "es",      "etwa",    "etwas",    "euch",    "euer",     "fuer",
    "fur",     "gegen",   "geworden", "gibt",    "hab",      "habe",
    "haben",   "habt",    "hast",     "hat",     "hatte",    "hatten",
    "hier",    "hin",     "hinter",   "ich",     "ihm",      "ihn",
    "ihnen",   "ihr",     "ihre",     "ihrem",   "ihren",    "ihrer",
    "im",      "in",      "indem",    "ins",     "ist",      "ja",
    "je",      "jede",    "jedem",    "jeden",   "jeder",    "jedes",
    "jene",    "jener",   "jetzt",    "kann",    "kein",     "keine",
    "keinem",  "keinen",  "keiner",   "konnen",  "konnte",   "mag",
    "mal",     "man",     "manche",   "mein",    "meine",    "mich",
    "mir",     "mit",     "mochte",   "muss",    "mussen",   "musste",
    "mussten", "nach",    "nicht",    "nichts",  "noch",     "nun",
    "nur",     "ob",      "oder",     "ohne",    "sehr",     "sein",
    "seine",   "seinem",  "seinen",   "seiner",  "seit",     "sich",
    "sie",     "sind",    "so",       "sogar",   "soll",     "sollen",
    "sollte",  "sondern", "sonst",    "uber",    "um",       "und",
    "uns",     "unser",   "unsere",   "unter",   "viel",     "viele",
    "vom",     "von",     "vor",      "wahrend", "wann",     "war",
    "waren",   "warum",   "was",      "weil",    "welch",    "welche",
    "welchem", "welchen", "welcher",  "welches", "wem",      "wen",
    "wenn",    "wer",     "werde",    "werden",  "weshalb",  "wessen",
    "wie",     "wieder",  "wieso",    "wieviel", "wieviele", "will",
    "wird",    "wo",      "wodurch",  "wofur",   "woher",    "wohin",
    "womit",   "worauf",  "worin",    "wovon",   "wozu",     "wurde",
    "wurden",  "zu",      "zum",      "zur",     "zwar",     "zwischen",
};

static const char *const stop_fr[] = {
    "a",        "afin",     "ai",      "ainsi",    "alors",   "apres",
    "as",       "au",       "aucun",   "aucune",   "auquel",  "aura",
    "auront",   "aussi",    "autre",   "autres",   "aux",     "avaient",
    "avait",    "avant",    "avec",    "avez",     "avoir",   "avons",
    "ayant",    "c",        "car",     "ce",       "ceci",    "cela",
    "celle",    "celles",   "celui",   "ces",      "cet",     "cette",
    "ceux",     "chaque",   "chez",    "combien",  "comme",   "comment",
    "contre",   "d",        "dans",    "de",       "deja",    "depuis",
    "des",      "desquels", "donc",    "dont",     "du",      "duquel",
    "elle",     "elles",    "en",      "encore",   "entre",   "es",
    "est",      "et",       "etaient", "etais",    "etait",   "etant",
    "ete",      "etes",     "etre",    "eu",       "eut",     "eux",
    "fait",     "faut",     "font",    "furent",   "fut",     "h",
    "il",       "ils",      "j",       "je",       "jusque",  "l",
    "la",       "laquelle", "le",      "lequel",   "les",     "lesquelles",
    "lesquels", "leur",     "leurs",   "lors",     "lorsque", "lui",
    "m",        "ma",       "mais",    "me",       "meme",    "mes",
    "moi",      "moins",    "mon",     "n",        "ne",      "ni",
    "non",      "nos",      "notre",   "nous",     "on",      "ont",
    "ou",       "par",      "parce",   "pas",      "pendant", "peu",
    "peut",     "plus",     "pour",    "pourquoi", "puis",    "puisque",
    "qu",       "quand",    "que",     "quel",     "quelle",  "quelles",
    "quelque",  "quelques", "quels",   "qui",      "quoi",    "quoique",
    "s",        "sa",       "sans",    "se",       "sera",    "serait",
    "seront",   "ses",      "si",      "soit",     "son",     "sont",
    "sous",     "sur",      "t",       "ta",       "te",      "tes",
    "toi",      "ton",      "tous",    "tout",     "toute",   "toutes",
    "tres",     "tu",       "un",      "une",      "vers",    "vos",
    "votre",    "vous",     "y",
};

static const char *const stop_es[] = {
    "a",      "adonde",   "al",      "algo",    "algunas", "algunos",
    "ante",   "antes",    "aquel",   "aquella", "asi",     "aun",
    "aunque", "cada",     "como",    "con",     "contra",  "cual",
    "cuales", "cuando",   "cuanta",  "cuantas", "cuanto",  "cuantos",
    "cuya",   "cuyas",    "cuyo",    "cuyos",   "de",      "del",
    "desde",  "donde",    "dos",     "durante", "e",       "el",
    "ella",   "ellas",    "ellos",   "en",      "entre",   "era",
    "eran",   "es",       "esa",     "esas",    "ese",     "eso",
    "esos",   "esta",     "estaba",  "estan",   "estar",   "estas",
    "este",   "esto",     "estos",   "fue",     "fuera",   "fueron",
    "ha",     "habia",    "habian",  "han",     "hasta",   "hay",
    "hemos",  "hubo",     "la",      "las",     "le",      "les",
    "lo",     "los",      "mas",     "me",      "mi",      "mis",
    "mucho",  "muchos",   "muy",     "nada",    "ni",      "no",
    "nos",    "nosotros", "nuestra", "nuestro", "o",       "otra",
    "otras",  "otro",     "otros",   "para",    "pero",    "poco",
    "por",    "porque",   "puede",   "pueden",  "pues",    "que",
    "quien",  "quienes",  "se",      "sea",     "segun",   "ser",
    "sera",   "si",       "sido",    "siempre", "sin",     "sino",
    "sobre",  "solo",     "son",     "su",      "sus",     "tambien",
    "tan",    "tanto",    "te",      "tiene",   "tienen",  "toda",
    "todas",  "todo",     "todos",   "tras",    "tu",      "tus",
    "un",     "una",      "unas",    "uno",     "unos",    "usted",
    "y",      "ya",       "yo",
};

static const char *const stop_it[] = {
    "a",       "ad",     "agli",   "ai",     "al",     "alla",    "alle",
    "allo",    "anche",  "ancora", "avere",  "aveva",  "avevano", "c",
    "che",     "chi",    "ci",     "cio",    "coi",    "col",     "come",
    "con",     "contro", "cosa",   "cui",    "d",      "da",      "dagli",
    "dai",     "dal",    "dalla",  "dalle",  "dallo",  "de",      "degli",
    "dei",     "del",    "della",  "delle",  "dello",  "dentro",  "di",
    "dopo",    "dove",   "due",    "e",      "ed",     "egli",    "ella",
    "era",     "erano",  "essere", "essi",   "esso",   "fa",      "fino",
    "fra",     "fu",     "furono", "gli",    "ha",     "hanno",   "ho",
    "i",       "il",     "in",     "io",     "l",      "la",      "le",
    "lei",     "li",     "lo",     "loro",   "lui",    "ma",      "me",
    "mentre",  "mi",     "mia",    "mio",    "molti",  "molto",   "ne",
    "negli",   "nei",    "nel",    "nella",  "nelle",  "nello",   "noi",
    "non",     "nostra", "nostro", "o",      "ogni",   "oppure",  "per",
    "perche",  "pero",   "piu",    "po",     "poi",    "prima",   "proprio",
    "puo",     "pur",    "qual",   "quale",  "quali",  "quando",  "quanta",
    "quante",  "quanti", "quanto", "quella", "quelle", "quelli",  "quello",
    "questa",  "queste", "questi", "questo", "qui",    "s",       "sara",
    "se",      "sempre", "senza",  "si",     "sia",    "siamo",   "sono",
    "sopra",   "sotto",  "sta",    "stata",  "state",  "stati",   "stato",
    "su",      "sua",    "sue",    "sugli",  "sui",    "sul",     "sulla",
    "sulle",   "sullo",  "suo",    "suoi",   "tra",    "tu",      "tua",
    "tuo",     "tutte",  "tutti",  "tutto",  "un",     "una",     "uno",
    "vengono", "verso",  "vi",     "viene",  "voi",
};

static const char *const stop_pt[] = {
    "a",      "ainda",   "alem",   "algum",  "alguma",  "algumas", "alguns",
    "ao",     "aos",     "apos",   "aquela", "aquele",  "aqueles", "aquilo",
    "as",     "ate",     "cada",   "com",    "como",    "contra",  "cuja",
    "cujo",   "da",      "das",    "de",     "dela",    "dele",    "deles",
    "depois", "desde",   "dessa",  "desse",  "desta",   "deste",   "do",
    "dos",    "durante", "e",      "ela",    "elas",    "ele",     "eles",
    "em",     "entre",   "era",    "eram",   "essa",    "essas",   "esse",
    "esses",  "esta",    "estao",  "estas",  "estava",  "este",    "estes",
    "eu",     "foi",     "foram",  "ha",     "isso",    "isto",    "ja",
    "la",     "lhe",     "lhes",   "lo",     "mais",    "mas",     "me",
    "mesmo",  "meu",     "minha",  "muita",  "muito",   "muitos",  "na",
    "nas",    "nem",     "no",     "nos",    "nossa",   "nosso",   "num",
    "numa",   "nunca",   "o",      "onde",   "os",      "ou",      "para",
    "pela",   "pelas",   "pelo",   "pelos",  "por",     "porque",  "porquem",
    "quais",  "qual",    "quando", "quanta", "quantas", "quanto",  "quantos",
    "que",    "quem",    "se",     "seja",   "sem",     "sempre",  "ser",
    "sera",   "seu",     "seus",   "so",     "sobre",   "sua",     "suas",
    "tambem", "tao",     "te",     "tem",    "ter",     "tinha",   "toda",
    "todas",  "todo",    "todos",  "tu",     "um",      "uma",     "umas",
    "uns",    "voce",    "voces",
};

static const char *const stop_nl[] = {
    "aan",   "al",      "alle",   "als",     "altijd", "andere",  "ben",
    "bij",   "daar",    "dan",    "dat",     "de",     "der",     "deze",
    "die",   "dit",     "doch",   "doen",    "door",   "dus",     "een",
    "eens",  "en",      "er",     "ge",      "geen",   "geweest", "haar",
    "had",   "hadden",  "heb",    "hebben",  "heeft",  "hem",     "het",
    "hier",  "hij",     "hoe",    "hoeveel", "hun",    "iets",    "ik",
    "in",    "is",      "ja",     "je",      "kan",    "kon",     "kunnen",
    "maar",  "me",      "meer",   "men",     "met",    "mij",     "mijn",
    "moet",  "na",      "naar",   "niet",    "niets",  "nog",     "nu",
    "of",    "om",      "omdat",  "onder",   "ons",    "onze",    "ook",
    "op",    "over",    "reeds",  "sinds",   "te",     "tegen",   "toch",
    "toen",  "tot",     "tussen", "u",       "uit",    "uw",      "van",
    "veel",  "volgens", "voor",   "waar",    "waarom", "wanneer", "waren",
    "was",   "wat",     "welk",   "welke",   "werd",   "werden",  "wie",
    "wiens", "wij",     "wil",    "worden",  "wordt",  "zal",     "ze",
    "zei",   "zelf",    "zich",   "zij",     "zijn",   "zo",      "zonder",
    "zou",   "zullen",
};

static const char *const stop_sv[] = {
    "alla",  "allt",  "att",    "av",    "bara",   "blev",  "bli",    "blir",
    "da",    "de",    "dem",    "den",   "denna",  "deras", "dess",   "dessa",
    "det",   "detta", "dig",    "din",   "dina",   "dit",   "ditt",   "du",
    "efter", "ej",    "eller",  "en",    "er",     "era",   "ett",    "fanns",
    "finns", "for",   "fran",   "genom", "ha",     "hade",  "han",    "hans",
    "har",   "henne", "hennes", "hon",   "honom",  "hur",   "i",      "icke",
    "igen",  "in",    "inga",   "ingen", "inget",  "innan", "inom",   "inte",
    "jag",   "ju",    "kan",    "kunde", "man",    "manga", "med",    "mellan",
    "men",   "mer",   "mig",    "min",   "mina",   "mitt",  "mot",    "mycket",
    "na",    "nagon", "nagot",  "nagra", "nar",    "nu",    "och",    "om",
    "oss",   "pa",    "sa",     "samma", "sedan",  "sig",   "sin",    "sina",
    "sitt",  "ska",   "skulle", "som",   "till",   "under", "upp",    "ut",
    "utan",  "vad",   "var",    "vara",  "varfor", "varit", "varje",  "vars",
    "vart",  "vem",   "vems",   "vi",    "vid",    "vilka", "vilken", "vilket",
};

static const char *const stop_da[] = {
    "af",      "alle",    "alt",     "anden",   "at",      "blev",  "blive",
    "bliver",  "da",      "de",      "dem",     "den",     "denne", "der",
    "deres",   "det",     "dette",   "dig",     "din",     "disse", "dog",
    "du",      "efter",   "eller",   "en",      "end",     "er",    "et",
    "for",     "fra",     "ham",     "han",     "hans",    "har",   "havde",
    "have",    "hende",   "hendes",  "her",     "hos",     "hun",   "hvad",
    "hvem",    "hver",    "hvilke",  "hvilken", "hvilket", "hvis",  "hvor",
    "hvordan", "hvorfor", "hvornar", "i",       "ikke",    "ind",   "jeg",
    "jer",     "kan",     "kunne",   "man",     "mange",   "med",   "meget",
    "mellem",  "men",     "mere",    "mig",     "min",     "mod",   "nar",
    "ned",     "noget",   "nogle",   "nu",      "og",      "ogsa",  "om",
    "op",      "os",      "over",    "pa",      "sadan",   "samt",  "selv",
    "sig",     "sin",     "sine",    "skal",    "skulle",  "som",   "til",
    "ud",      "uden",    "under",   "vaere",   "vaeret",  "var",   "ved",
    "vi",      "vil",     "ville",   "vor",
};

static const char *const stop_no[] = {
    "alle",  "alt",   "at",      "av",      "bare",    "ble",     "bli",
    "blir",  "da",    "de",      "deg",     "dem",     "den",     "denne",
    "der",   "deres", "det",     "dette",   "din",     "disse",   "du",
    "eller", "en",    "enn",     "er",      "et",      "etter",   "for",
    "fordi", "fra",   "fram",    "ga",      "gjennom", "ha",      "hadde",
    "ham",   "han",   "hans",    "har",     "henne",   "hennes",  "her",
    "hun",   "hva",   "hvem",    "hver",    "hvilke",  "hvilken", "hvilket",
    "hvis",  "hvor",  "hvordan", "hvorfor", "i",       "ikke",    "ingen",
    "inn",   "ja",    "jeg",     "kan",     "kom",     "kunne",   "man",
    "mange", "med",   "meget",   "mellom",  "men",     "mer",     "mine",
    "mot",   "mye",   "na",      "nar",     "noe",     "noen",    "og",
    "ogsa",  "om",    "opp",     "oss",     "over",    "pa",      "sa",
    "seg",   "selv",  "sin",     "sine",    "skal",    "skulle",  "slik",
    "som",   "til",   "ut",      "uten",    "vaere",   "vaert",   "var",
    "vart",  "ved",   "vi",      "vil",     "ville",
};

static const char *const stop_ru[] = {
    "а",        "без",     "более",    "будет",   "был",     "была",
    "были",     "было",    "быть",     "в",       "вам",     "вас",
    "весь",     "во",      "вот",      "все",     "всего",   "всех",
    "вы",       "где",     "да",       "даже",    "для",     "до",
    "его",      "ее",      "ей",       "ему",     "если",    "есть",
    "еще",      "же",      "за",       "зачем",   "здесь",   "и",
    "из",       "или",     "им",       "их",      "к",       "как",
    "какая",    "какие",   "каким",    "какими",  "каких",   "каков",
    "какова",   "каково",  "каковы",   "какого",  "какое",   "какой",
    "каком",    "какую",   "кем",      "когда",   "кого",    "ком",
    "кому",     "которая", "которого", "которое", "которой", "котором",
    "которую",  "которые", "который",  "которых", "кто",     "куда",
    "ли",       "либо",    "между",    "меня",    "мне",     "может",
    "можно",    "мой",     "мы",       "на",      "над",     "надо",
    "нас",      "не",      "него",     "нее",     "ней",     "нет",
    "ни",       "них",     "но",       "ну",      "о",       "об",
    "однако",   "он",      "она",      "они",     "оно",     "от",
    "откуда",   "очень",   "по",       "под",     "после",   "потому",
    "почему",   "при",     "про",      "раз",     "с",       "сам",
    "своего",   "своей",   "свой",     "свою",    "себя",    "сколько",
    "со",       "так",     "такая",    "также",   "такие",   "таких",
    "такое",    "такой",   "там",      "те",      "тем",     "то",
    "того",     "тоже",    "той",      "только",  "том",     "тот",
    "ту",       "ты",      "у",        "уже",     "чего",    "чей",
    "чем",      "чему",    "через",    "что",     "чтобы",   "чье",
    "эта",      "эти",     "этим",     "этих",    "это",     "этого",
    "этой",     "этом",    "этот",     "эту",     "я",       "является",
    "являются",
};

struct list {
    const char *const *word;
    size_t count;
};

#define LIST(words)                                                            \
    {                                                                          \
        words, sizeof(words) / sizeof(words)[0]                                \
    }

static const struct list lists[LANG_COUNT] = {
    [LANG_DE] = LIST(stop_de), [LANG_FR] = LIST(stop_fr),
    [LANG_ES] = LIST(stop_es), [LANG_IT] = LIST(stop_it),
    [LANG_PT] = LIST(stop_pt), [LANG_NL] = LIST(stop_nl),
    [LANG_SV] = LIST(stop_sv), [LANG_DA] = LIST(stop_da),
    [LANG_NO] = LIST(stop_no), [LANG_RU] = LIST(stop_ru),
};

/* Characters that ask or bind: a pair with one of them is half a word. */
static const char chinese[] =
    "的了吗呢吧是在和与及有什么谁哪几为怎样何被把由到于"
    "请这那其而且或者就也都很最多少个些";
/* Particles of Japanese, and what else its endings are made of. */
static const char particles[] = "はがをにのでともへや";
static const char endings[] =
    "はがをにのでともへやかねよすましたているれさなっだ"
    "こそあどつうくりらえ";
static const char asking[] = "何誰幾ぜ";

static int compare_word(const void *key, const void *entry)
{
    return strcmp(key, *(const char *const *)entry);
}

/* Is the character of n bytes at z one of a list? */
static bool is_among(const char *z, size_t n, const char *list)
{
    char one[5] = "";

    if (n == 0 || n >= sizeof one)
        return false;
    memcpy(one, z, n);
    return strstr(list, one) != NULL;
}

static bool is_stop_pair(enum lang l, const char *z, size_t n)
{
    uint32_t cp;
    size_t one = utf8_decode(z, n, &cp), two = n - one;

    if (cp < 0x3000)
        return false;
    if (l == LANG_ZH)
        return is_among(z, one, chinese) || is_among(z + one, two, chinese);
    if (is_among(z, one, particles) || is_among(z + one, two, particles) ||
        is_among(z, one, asking) || is_among(z + one, two, asking))
        return true;
    return is_among(z, one, endings) &&
           (two == 0 || is_among(z + one, two, endings));
}

bool lang_is_stop(enum lang l, const char *z, size_t n)
{
    char word[TERM_MAX + 1];

    if (n == 0 || n > TERM_MAX)
        return false;
    if (l == LANG_ZH || l == LANG_JA)
        return is_stop_pair(l, z, n) || term_is_stop(z, n);
    if (lists[l].word == NULL)
        return l == LANG_EN && term_is_stop(z, n);
    memcpy(word, z, n);
    word[n] = '\0';
    return bsearch(word, lists[l].word, lists[l].count, sizeof(char *),
                   compare_word) != NULL;
}
