/* Denials, opposites and other numbers; see opposed.h. Pure, no state. Called
 * by sufficient. */
#include "answer/opposed.h"

#include "base/str.h"
#include "text/terms.h"

#include <string.h>

enum { WORDS_MAX = 256, NUMBER_MIN = 3, PREFIXED_MIN = 4 };

struct words {
    struct term t[WORDS_MAX];
    size_t n;
};

static void words_read(struct words *ws, const char *p, size_t n)
{
    struct term_iter it;

    ws->n = 0;
    terms_init(&it, p, n);
    while (ws->n < WORDS_MAX && tokens_next(&it, &ws->t[ws->n]))
        ws->n++;
}

/* Is z (n bytes) a word of a space-separated list? */
static bool is_listed(const char *z, size_t n, const char *list, size_t len)
{
    for (size_t i = 0; n > 0 && i + n <= len;) {
        size_t end = i;

        while (end < len && list[end] != ' ')
            end++;
        if (end - i == n && memcmp(list + i, z, n) == 0)
            return true;
        i = end + 1;
    }
    return false;
}

static bool has_listed(const struct words *ws, const char *list, size_t len)
{
    for (size_t i = 0; i < ws->n; i++)
        if (is_listed(ws->t[i].text, ws->t[i].len, list, len))
            return true;
    return false;
}

static bool has_word(const struct words *ws, const char *z)
{
    return has_listed(ws, z, strlen(z));
}

/* --- denial -------------------------------------------------------------- */

static const char denials[] =
    "no not non never none nobody nothing neither nor without cannot cant "
    "didnt doesnt dont isnt wasnt arent werent wont wouldnt couldnt shouldnt "
    "hasnt havent hadnt aint except unable lack lacks lacked lacking hardly "
    "rarely";

bool opposed_asks(const char *question)
{
    struct words ws;

    words_read(&ws, question, strlen(question));
    return has_word(&ws, "who whom whose what which when where how");
}

bool opposed_denies(const char *question, const char *p, size_t n)
{
    struct words ws;

    words_read(&ws, question, strlen(question));
    if (!has_word(&ws, denials))
        return false;
    words_read(&ws, p, n);
    return !has_word(&ws, denials);
}

/* --- opposites ----------------------------------------------------------- */

/* Words that say about the same, a bar, words that say the opposite. */
static const char *const opposites[] = {
    "maximum|minimum",
    "large larger largest big bigger biggest great greater greatest|small "
    "smaller smallest little lesser least fewer fewest",
    "major|minor",
    "first earliest|last latest final",
    "high higher highest upper top|low lower lowest bottom",
    "older oldest|newer newest younger youngest",
    "long longer longest|short shorter shortest",
    "more most|less least fewer fewest",
    "majority|minority",
    "advantage advantages benefit benefits|disadvantage disadvantages drawback "
    "drawbacks",
    "strength strengths|weakness weaknesses",
    "strong stronger strongest|weak weaker weakest",
    "strengthen strengthened strengthens|weaken weakened weakens",
    "increase increased increases increasing rise rose rising risen grow grew "
    "grown growing growth gain gained raise raised|decrease decreased "
    "decreases decreasing decline declined declining fall fell falling fallen "
    "reduce reduced reduces shrink shrank loss lowered",
    "north northern|south southern",
    "east eastern|west western",
    "accept accepted accepts support supported supports favor favored approve "
    "approved propose proposed|reject rejected rejects oppose opposed opposes "
    "disapprove disapproved refuse refused",
    "agree agreed|disagree disagreed",
    "encourage encouraged encourages|discourage discouraged discourages",
    "win won victory|lose lost defeat defeated",
    "success successful succeed succeeded|failure unsuccessful fail failed",
    "above|below",
    "before|after",
    "inside internal within|outside external without",
    "domestic|foreign",
    "import imports imported|export exports exported",
    "early earlier|late later",
    "easy easier easiest|difficult hard harder hardest",
    "allow allowed allows permit permitted permits|forbid forbidden prohibit "
    "prohibited ban banned prevent prevented prevents",
    "cause caused causes|prevent prevented prevents",
    "include included includes|exclude excluded excludes",
    "public|private",
    "positive|negative",
    "male males man men boy boys|female females woman women girl girls",
    "father|mother",
    "brother|sister",
    "son|daughter",
    "husband|wife",
    "king|queen",
    "rich richer richest|poor poorer poorest",
    "common|rare uncommon",
    "hot warm hotter warmer|cold cool colder cooler",
    "heavy heavier heaviest|light lighter lightest",
    "fast faster fastest quick|slow slower slowest",
    "wide wider widest|narrow narrower narrowest",
    "deep deeper deepest|shallow",
    "left|right",
    "enter entered join joined|leave left exit exited",
    "arrive arrived|depart departed",
    "enemy enemies|ally allies friend friends",
    "adaptive acquired|innate",
    "active|inactive passive",
    "visible|invisible",
    "always|never",
    "all|none",
    "same similar|different",
    "specific|generic general",
    "part|whole entire",
    "best better|worst worse",
    "improve improved improves|worsen worsened worsens",
    "remove removed removes drop dropped delete deleted|add added adds install "
    "installed",
    "open opened opens|close closed closes",
    "simple|complex",
    "appear appeared appears|disappear disappeared disappears",
    "attack attacked|defend defended",
    "offense offensive|defense defensive",
    "true|false",
    "birth born|death died",
    "urban|rural",
    "civilian|military",
    "religious|secular",
    "formal|informal",
    "single|multiple",
    "temporary|permanent",
    "expensive|cheap",
    "natural|artificial",
    "direct directly|indirect indirectly",
    "complete|incomplete",
    "correct|incorrect",
    "dependent|independent",
    "winter|summer",
    "morning|evening",
    "safe|dangerous",
    "solid|liquid",
    "protestant protestants|catholic catholics",
    "primary|secondary",
    "junior|senior"};

/* One side's word is asked for and only the other's is there. */
static bool is_opposed(const struct words *q, const struct words *s,
                       const char *own, size_t own_len, const char *other,
                       size_t other_len)
{
    return has_listed(q, own, own_len) && !has_listed(q, other, other_len) &&
           has_listed(s, other, other_len) && !has_listed(s, own, own_len);
}

/* Is one word the other with a prefix that denies it? */
static bool is_prefixed(const struct term *word, const struct term *stem)
{
    static const char *const all[] = {"un",  "im",   "ir", "non",
                                      "dis", "anti", NULL};

    for (size_t i = 0; stem->len >= PREFIXED_MIN && all[i] != NULL; i++) {
        size_t n = strlen(all[i]);

        if (word->len == n + stem->len && strncmp(word->text, all[i], n) == 0 &&
            strcmp(word->text + n, stem->text) == 0)
            return true;
    }
    return false;
}

static bool has_prefixed(const struct words *q, const struct words *s)
{
    for (size_t i = 0; i < q->n; i++)
        for (size_t k = 0; k < s->n; k++)
            if ((is_prefixed(&q->t[i], &s->t[k]) ||
                 is_prefixed(&s->t[k], &q->t[i])) &&
                !has_word(s, q->t[i].text) && !has_word(q, s->t[k].text))
                return true;
    return false;
}

bool opposed_words(const char *question, const char *p, size_t n)
{
    struct words q, s;

    words_read(&q, question, strlen(question));
    words_read(&s, p, n);
    for (size_t i = 0; i < sizeof(opposites) / sizeof(opposites[0]); i++) {
        const char *left = opposites[i], *right = strchr(left, '|') + 1;
        size_t left_len = (size_t)(right - 1 - left);
        size_t right_len = strlen(right);

        if (is_opposed(&q, &s, left, left_len, right, right_len) ||
            is_opposed(&q, &s, right, right_len, left, left_len))
            return true;
    }
    return !has_word(&q, denials) && has_prefixed(&q, &s);
}

/* --- numbers ------------------------------------------------------------- */

/* Digits at the beginning of a token: "28" of "28th". */
static size_t digits_of(const char *z)
{
    return strspn(z, "0123456789");
}

bool opposed_number(const struct query *q, uint64_t have, const char *p,
                    size_t n)
{
    struct words s;

    words_read(&s, p, n);
    for (size_t i = 0; i < q->term_count; i++) {
        size_t len = digits_of(q->words[i]);
        bool same = false, other = false;

        if ((have >> i & 1) || len < NUMBER_MIN)
            continue;
        for (size_t k = 0; k < s.n; k++) {
            bool alike = digits_of(s.t[k].text) == len;
            bool equal = alike && memcmp(s.t[k].text, q->words[i], len) == 0;

            same = same || equal;
            other = other || (alike && !equal && s.t[k].len == len);
        }
        if (other && !same)
            return true;
    }
    return false;
}
