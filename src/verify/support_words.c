/* Reading sentences for support.c; see support.h. Which words do what is data:
 * the lists "check.…" of lang/CODE.words. */
#include "verify/support.h"

#include "base/str.h"
#include "lang/words.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SAME_MAX = 1024, PHRASE_WORDS_MAX = 5 };

/* --- words of one meaning ------------------------------------------------ */

struct same {
    char stem[TERM_MAX + 1];
    unsigned short group;
};

/* The lists of lang/, read once: stems in byte order. */
static struct {
    struct same v[SAME_MAX];
    size_t n;
    pthread_once_t once;
} same = {.once = PTHREAD_ONCE_INIT};

static void word_put(char *out, const char *z, size_t n)
{
    n = n > TERM_MAX ? TERM_MAX : n;
    memcpy(out, z, n);
    out[n] = '\0';
}

static int same_compare(const void *x, const void *y)
{
    return strcmp(((const struct same *)x)->stem,
                  ((const struct same *)y)->stem);
}

static void same_read(void)
{
    unsigned short group = 1;

    for (const char *z = check_words.same; *z != '\0';) {
        size_t n = strcspn(z, " ");

        if (n == 1 && *z == '|') {
            group++;
        } else if (n > 0 && same.n < SAME_MAX) {
            struct same *s = &same.v[same.n++];

            word_put(s->stem, z, n);
            s->stem[term_stem(s->stem, strlen(s->stem))] = '\0';
            s->group = group;
        }
        z += n + (z[n] == ' ');
    }
    qsort(same.v, same.n, sizeof(same.v[0]), same_compare);
}

/* Make a stem what its group has for all: "=12". */
static void same_settle(char *z)
{
    const struct same *s;

    pthread_once(&same.once, same_read);
    s = bsearch(z, same.v, same.n, sizeof(same.v[0]), same_compare);
    if (s == NULL)
        return;
    z[0] = '=';
    z[1] = (char)('0' + s->group / 100 % 10);
    z[2] = (char)('0' + s->group / 10 % 10);
    z[3] = (char)('0' + s->group % 10);
    z[4] = '\0';
}

/* --- words that matter --------------------------------------------------- */

static bool is_denier(const char *z, const char *raw, size_t n)
{
    return word_in(z, check_words.deny) || mem_find_i(raw, n, "n't") != NULL ||
           mem_find_i(raw, n, "n\xE2\x80\x99t") != NULL;
}

/* By its form, which past tense shares. */
static bool is_participle(const char *z)
{
    size_t n = strlen(z);

    return word_in(z, check_words.participle) ||
           (n > 3 && z[n - 1] == 'd' && z[n - 2] == 'e');
}

/* The first word of the group that has z, or NULL: it stands for all. */
static const char *group_of(const char *z, const char *list)
{
    size_t len = strlen(z);
    const char *first = list + 1;

    for (const char *at = list; (at = strchr(at, ' ')) != NULL;) {
        at++;
        if (at[0] == '|')
            first = at + 2;
        else if (strncmp(at, z, len) == 0 && at[len] == ' ')
            return first;
    }
    return NULL;
}

/* What a word hangs on: a preposition's class, those of place and belonging
 * being one, or the meaning of what begins a clause. Pointers into the lists
 * are compared, so that equal classes are equal pointers. */
static const char *preposition_of(const char *z)
{
    const char *at;

    if (word_in(z, check_words.loose))
        return check_words.loose;
    if ((at = group_of(z, check_words.mark)) != NULL)
        return at;
    if (!word_in(z, check_words.strict))
        return NULL;
    at = strstr(check_words.strict, z);
    while (at != NULL && (at[-1] != ' ' || at[strlen(z)] != ' '))
        at = strstr(at + 1, z);
    return at;
}

/* Of a pair of opposites its number, negative for the second; or 0. */
static signed char opposite_of(const char *z)
{
    signed char pair = 1;
    bool second = false;
    size_t len = strlen(z);

    for (const char *at = check_words.opposite;
         (at = strchr(at, ' ')) != NULL;) {
        at++;
        if (at[0] == '|') {
            pair++;
            second = false;
        } else if (strncmp(at, z, len) == 0 && at[len] == ' ') {
            return second ? (signed char)-pair : pair;
        } else {
            second = true;
        }
    }
    return 0;
}

/* The digits that a word stands for, or NULL. */
static const char *numeral_of(const char *z, size_t *len)
{
    const char *at = check_words.numeral;

    while ((at = strstr(at, z)) != NULL &&
           (at[-1] != ' ' || at[strlen(z)] != ' '))
        at++;
    if (at == NULL || !ascii_is_alpha(z[0]))
        return NULL;
    at += strlen(z) + 1;
    *len = strcspn(at, " ");
    return at;
}

/* --- reading ------------------------------------------------------------- */

/* A comma, bracket, colon or semicolon of Chinese and Japanese. */
static bool is_wide_mark(const char *p, size_t n)
{
    static const char *const marks[] = {"，", "、", "；", "：", "（", "）"};

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (n >= 3 && memcmp(p, marks[i], 3) == 0)
            return true;
    return false;
}

/* A quotation mark at p[i]: one that opens, or one that closes. */
static unsigned quote_bit(const char *p, size_t n, size_t i)
{
    static const struct {
        const char *mark;
        unsigned bit;
    } marks[] = {{"\xE2\x80\x9C", QUOTED},
                 {"\xE2\x80\x9E", QUOTED},
                 {"\xC2\xAB", QUOTED},
                 {"\xE2\x80\x9D", UNQUOTED},
                 {"\xC2\xBB", UNQUOTED}};

    if (p[i] == '"')
        return i == 0 ? UNQUOTED : QUOTED;
    for (size_t k = 0; k < sizeof(marks) / sizeof(marks[0]); k++) {
        size_t len = strlen(marks[k].mark);

        if (n - i >= len && memcmp(p + i, marks[k].mark, len) == 0)
            return marks[k].bit;
    }
    return 0;
}

/* What the bytes between two tokens say. */
static unsigned gap_bits(const char *p, size_t n, bool *bracket)
{
    unsigned bits = 0;

    /* A call's own brackets: "open()". */
    for (size_t i = n > 1 && memcmp(p, "()", 2) == 0 ? 2 : 0; i < n; i++) {
        if (p[i] == ';')
            bits |= CLAUSE | BREAK;
        if (strchr(",:()[]", p[i]) != NULL && p[i] != '\0')
            bits |= BREAK;
        bits |= quote_bit(p, n, i);
        if (p[i] == ':')
            bits |= PART;
        if (p[i] == '(' || p[i] == ')') {
            *bracket = p[i] == '(';
            bits |= PART;
        }
        if (is_wide_mark(p + i, n - i))
            bits |= BREAK;
        /* En and em dash. */
        if (n - i >= 3 && memcmp(p + i, "\xE2\x80", 2) == 0 &&
            (p[i + 2] == '\x93' || p[i + 2] == '\x94'))
            bits |= BREAK;
    }
    if (n >= 3 && mem_find(p, n, " - ") != NULL)
        bits |= BREAK;
    return bits;
}

/* A sign of comparison between two tokens, with blanks or the tokens themselves
 * around it; its length, 0 when there is none. */
static size_t operator_at(const char *p, size_t n, size_t *at)
{
    static const char signs[] = "< > <= >= == != = =~ + * << >> <> <=>";

    for (size_t i = 0; i < n; i++) {
        char z[4] = "";
        size_t len = 0;

        while (i + len < n && p[i + len] != '\0' &&
               strchr("<>=!~*+", p[i + len]) != NULL)
            len++;
        if (len == 0)
            continue;
        *at = i;
        memcpy(z, p + i, len < 4 ? len : 3);
        if (len < 4 && word_in(z, signs) &&
            (len == n ||
             (i > 0 && p[i - 1] == ' ' && i + len < n && p[i + len] == ' ')))
            return len;
        i += len;
    }
    return 0;
}

static bool is_owner(const char *p, size_t n, size_t end)
{
    if (end + 1 < n && p[end] == '\'')
        return p[end + 1] == 's';
    return end + 3 < n && memcmp(p + end, "\xE2\x80\x99s", 4) == 0;
}

static bool begins_capital(const char *p, size_t n, size_t at)
{
    uint32_t cp;

    if (at >= n)
        return false;
    utf8_decode(p + at, n - at, &cp);
    return (cp >= 'A' && cp <= 'Z') || (cp >= 0xC0 && cp <= 0xDE) ||
           (cp >= 0x391 && cp <= 0x3A9) || (cp >= 0x410 && cp <= 0x42F);
}

/* A word that is no number, by its form z. */
static void word_read(struct support_word *w, const char *z, const char *p,
                      size_t n)
{
    const char *raw = p + w->start;
    size_t len = w->end - w->start;

    word_put(w->z, z, strlen(z));
    if (begins_capital(p, n, w->start))
        w->bits |= CAPITAL;
    if (is_owner(p, n, w->end))
        w->bits |= OWNER;
    if (is_denier(z, raw, len))
        w->bits |= DENIER;
    else if (word_in(z, check_words.hedge) &&
             !(w->bits & CAPITAL && strcmp(z, "may") == 0 && w->start > 0))
        w->bits |= HEDGE;
    if (word_in(z, check_words.be))
        w->bits |= BE;
    if (strlen(z) > 4 && strcmp(z + strlen(z) - 3, "ing") == 0)
        w->bits |= GERUND;
    if (is_participle(z))
        w->bits |= PARTICIPLE;
    if (word_in(z, check_words.join) && !(w->bits & CAPITAL && w->start > 0))
        w->bits |= COORDINATOR;
    if (word_in(z, check_words.part) && w->bits & (BREAK | CLAUSE))
        w->bits |= PART;
    if (word_in(z, check_words.light))
        w->bits |= LIGHT;
    if (word_in(z, check_words.opening))
        w->bits |= OPENING;
    w->ascribes = word_in(z, check_words.ascribe);
    w->speaks = word_in(z, check_words.speaker);
    if (word_in(z, check_words.define))
        w->bits |= DEFINE;
    if (word_in(z, check_words.role))
        w->bits |= ROLE;
    if (word_in(z, check_words.weighty))
        w->bits |= FUNCTION;
    if (word_in(z, check_words.narrow))
        w->bits |= NARROW;
    if (word_in(z, check_words.sequence))
        w->bits |= SEQUENCE;
    w->opposite = opposite_of(z);
    if (word_in(z, check_words.strict))
        w->bits |= STRICT;
    w->preposition = preposition_of(z);
    if (w->preposition != NULL && group_of(z, check_words.mark) != NULL)
        w->bits |= MARK;
    if (word_in(z, check_words.condition) ||
        (w->bits & MARK && w->preposition == group_of("if", check_words.mark)))
        w->bits |= CONDITION;
    if (!(w->bits & (DENIER | HEDGE | COORDINATOR | MARK)) &&
        (w->bits & FUNCTION || !term_is_stop(z, strlen(z)))) {
        w->bits |= CONTENT;
        w->preposition = NULL;
    }
}

/* "3.10" is another version than "3.1", but 3.10 metres are 3.1 metres:
 * zeros at the end count unless a unit follows. A minus sign counts. */
static void number_put(struct support_word *w, const char *p, size_t n,
                       bool continental, const struct verify_number *num)
{
    char z[TERM_MAX + 1];
    size_t k = 0, at = num->start;
    bool minus = at > 0 && p[at - 1] == '-' &&
                 (at == 1 || strchr(" (\"'=", p[at - 2]) != NULL);

    if (minus)
        z[k++] = '-';
    if (continental || (unsigned char)p[at] >= 0x80 ||
        verify_unit_after(p, n, num->end) != NULL) {
        for (const char *c = num->z; *c != '\0' && k < TERM_MAX; c++)
            z[k++] = *c;
    } else {
        for (; at < num->end && k < TERM_MAX; at++)
            if (p[at] != ',')
                z[k++] = p[at];
    }
    word_put(w->z, z, k);
    w->bits |= CONTENT | NUMBER;
    w->end = num->end;
    /* Years are dates. */
    if (k == 4 && (w->z[0] == '1' || w->z[0] == '2') &&
        verify_unit_after(p, n, num->end) == NULL)
        w->bits |= DATE;
}

/* "libpq-events", "max.size": of a name's parts none is light. */
static void glue(struct support_words *ws, struct support_word *w,
                 const char *p, size_t last)
{
    const unsigned loose = LIGHT | ROLE | NARROW;

    if (ws->n == 0 || w->start <= last ||
        memchr(p + last, ' ', w->start - last) != NULL ||
        memchr(p + last, '\n', w->start - last) != NULL)
        return;
    if (mem_find("-_./:\\", 6, (char[]){p[last], '\0'}) == NULL)
        return;
    w->bits &= ~loose;
    w->glued = true;
    ws->w[ws->n - 1].bits &= ~loose;
}

/* The sign of a currency before a number, as the unit behind it. */
static const char *currency_before(const char *p, size_t at)
{
    if (at > 0 && p[at - 1] == '$')
        return "dollar";
    if (at >= 3 && memcmp(p + at - 3, "\xE2\x82\xAC", 3) == 0)
        return "euro";
    if (at >= 2 && memcmp(p + at - 2, "\xC2\xA3", 2) == 0)
        return "pound";
    return NULL;
}

/* A word that the text has in another form: a unit, an operator, a month. */
static struct support_word *extra_put(struct support_words *ws, const char *z,
                                      size_t n, unsigned bits, size_t start,
                                      size_t end)
{
    struct support_word *w;

    if (z == NULL || ws->n >= ws->max)
        return NULL;
    w = &ws->w[ws->n++];
    memset(w, 0, sizeof(*w));
    word_put(w->z, z, n);
    w->bits = CONTENT | bits;
    w->start = start;
    w->end = end;
    return w;
}

static void unit_put(struct support_words *ws, const char *unit, size_t at)
{
    if (unit != NULL)
        extra_put(ws, unit, strlen(unit), UNIT, at, at);
}

static bool follows_number(const struct support_words *ws)
{
    return ws->n > 0 && ws->w[ws->n - 1].bits & NUMBER;
}

/* Months keep their spelling: their stems are no months. */
static bool is_month_word(const struct support_word *w)
{
    return w->bits & CAPITAL && verify_month_of(w->z) != 0;
}

/* Units behind numbers; words by their stem, or what their group has. */
static void word_settle(struct support_words *ws, struct support_word *w)
{
    const char *unit = verify_unit_of(w->z);

    if (!(w->bits & CONTENT) || w->bits & NUMBER || is_month_word(w))
        return;
    if (unit != NULL && follows_number(ws)) {
        word_put(w->z, unit, strlen(unit));
        w->bits |= UNIT;
        return;
    }
    w->z[term_stem(w->z, strlen(w->z))] = '\0';
    same_settle(w->z);
}

/* --- numbers in other forms ---------------------------------------------- */

/* "2022-02-22" at p[i]: month, day and year. */
static bool date_read(struct support_words *ws, const char *p, size_t n,
                      size_t i, size_t *end)
{
    static const char form[] = "dddd-dd-dd";
    char month[3] = "m?";
    int m;

    for (size_t k = 0; form[k] != '\0'; k++)
        if (i + k >= n ||
            (form[k] == 'd' ? !ascii_is_digit(p[i + k]) : p[i + k] != form[k]))
            return false;
    m = (p[i + 5] - '0') * 10 + (p[i + 6] - '0');
    if (m < 1 || m > 12 || ws->n + 4 > ws->max ||
        (i + 10 < n && ascii_is_alnum(p[i + 10])))
        return false;
    month[1] = (char)('a' + m);
    *end = i + 10;
    extra_put(ws, month, 2, DATE, i, *end);
    extra_put(ws, p + i + 8 + (p[i + 8] == '0'),
              (size_t)(p[i + 8] == '0' ? 1 : 2), DATE | NUMBER, i, *end);
    extra_put(ws, p + i, 4, DATE | NUMBER, i, *end);
    return true;
}

/* "0x1F" as a decimal number. */
static bool hexadecimal_read(struct support_word *w, const struct term *t)
{
    char *end, z[24];
    unsigned long long v;
    int k = 0;

    if (t->len < 3 || t->len > 18 || t->text[0] != '0' || t->text[1] != 'x')
        return false;
    v = strtoull(t->text, &end, 16);
    if (*end != '\0')
        return false;
    do
        z[k++] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    for (int i = 0; i < k; i++)
        w->z[i] = z[k - 1 - i];
    w->z[k] = '\0';
    w->bits |= CONTENT | NUMBER;
    return true;
}

/* A number in words: "twenty-five", "one thousand". */
static bool numeral_read(struct support_word *w, struct term_iter *it,
                         const char *z)
{
    size_t len = 0, more = 0;
    const char *digits = numeral_of(z, &len), *rest;
    struct term_iter ahead = *it;
    struct term t;

    if (digits == NULL)
        return false;
    word_put(w->z, digits, len);
    /* "one" is a pronoun as well. */
    w->bits |= CONTENT | (strcmp(z, "one") == 0 ? ROLE : NUMBER);
    w->bits &= ~(unsigned)HEDGE;
    if (!tokens_next(&ahead, &t) || t.start > w->end + 1)
        return true;
    rest = numeral_of(t.text, &more);
    if (len == 2 && digits[1] == '0' && digits[0] > '1' && rest != NULL &&
        more == 1) {
        w->z[1] = rest[0];
    } else if (strcmp(t.text, "hundred") == 0) {
        memcpy(w->z + len, "00", 3);
    } else if (strcmp(t.text, "thousand") == 0) {
        memcpy(w->z + len, "000", 4);
    } else {
        return true;
    }
    w->bits = (w->bits & ~(unsigned)ROLE) | NUMBER;
    w->end = t.end;
    *it = ahead;
    return true;
}

/* --- names of things in code -------------------------------------------- */

/* "max_size", "gui.encoding", "--keep-index", "-a": one word as it is; its end
 * in the text, 0 when there is none at i. */
static size_t name_end(const char *p, size_t n, size_t i)
{
    bool dashed = i > 0 && p[i - 1] == '-' &&
                  (i == 1 || strchr(" -([\n\"'`", p[i - 2]) != NULL) &&
                  ascii_is_alpha(p[i]);
    bool joined = false;
    size_t end = i;

    for (;;) {
        size_t next = end;

        while (next < n && ascii_is_alnum(p[next]))
            next++;
        if (next == end)
            break;
        end = next;
        /* "C++", "C#" */
        while (next < n && strchr("+#", p[next]) != NULL && p[next] != '\0')
            next++;
        if (next > end && !(next < n && ascii_is_alnum(p[next]))) {
            joined = true;
            end = next;
            break;
        }
        next = end;
        while (next < n && p[next] == '_')
            next++;
        if (next == end && next < n &&
            ((p[next] == '.' && !ascii_is_digit(p[next - 1])) ||
             (p[next] == '-' && dashed)))
            next++;
        if (next == end || next >= n || !ascii_is_alnum(p[next]))
            break;
        joined = true;
        end = next;
    }
    return end > i && (joined || dashed) ? end : 0;
}

static bool is_upper(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] < 'A' || p[i] > 'Z')
            return false;
    return n > 1;
}

/* Names, and capitals that are no words of the language ("IN", "NOT"). */
static bool name_read(struct support_word *w, const struct term *t,
                      const char *p, size_t n)
{
    size_t end = name_end(p, n, t->start);

    if (end == 0 && !(is_upper(p + t->start, t->end - t->start) &&
                      term_is_stop(t->text, t->len)))
        return false;
    w->end = end > 0 ? end : t->end;
    word_put(w->z, p + w->start, w->end - w->start);
    if (end > 0) {
        ascii_lower_all(w->z);
        w->bits |= NAMED;
    }
    w->bits |= CONTENT | CAPITAL;
    return true;
}

/* --- phrases ------------------------------------------------------------- */

/* A phrase of the list that begins with token t: the word it stands for, put
 * over t, whose end moves; it goes behind it. */
static void phrase_read(struct term_iter *it, struct term *t)
{
    const char *z = check_words.phrase;

    while ((z = strstr(z, t->text)) != NULL) {
        struct term_iter ahead = *it;
        struct term next = *t;
        size_t n = strlen(t->text);
        bool ok = z[-1] == ' ' && z[n] == '_';

        for (size_t k = 0; ok && z[n] == '_' && k < PHRASE_WORDS_MAX; k++) {
            size_t len = strcspn(z + n + 1, "_ ");

            ok = tokens_next(&ahead, &next) && next.len == len &&
                 memcmp(next.text, z + n + 1, len) == 0;
            n += 1 + len;
        }
        if (ok && z[n] == ' ') {
            word_put(t->text, z + n + 1, strcspn(z + n + 1, " "));
            t->len = strlen(t->text);
            t->end = next.end;
            *it = ahead;
            return;
        }
        z++;
    }
}

/* --- the whole sentence -------------------------------------------------- */

/* A month beside a number is a date, and so is that number; month, day and
 * year in this order. */
static void dates_mark(struct support_words *ws)
{
    for (size_t i = 0; i < ws->n; i++) {
        struct support_word *w = &ws->w[i];
        bool before = i > 0 && w[-1].bits & NUMBER;
        bool after = i + 1 < ws->n && w[1].bits & NUMBER;
        int month = w->bits & CAPITAL ? verify_month_of(w->z) : 0;

        if (month == 0 || !(before || after))
            continue;
        w->bits = (w->bits | DATE | CONTENT) & ~(unsigned)HEDGE;
        w->z[0] = 'm';
        w->z[1] = (char)('a' + month);
        w->z[2] = '\0';
        if (after)
            w[1].bits |= DATE;
        if (before)
            w[-1].bits |= DATE;
        if (before && strlen(w[-1].z) < 3) {
            struct support_word day = w[-1];
            unsigned gap = (day.bits ^ w->bits) & (BREAK | CLAUSE | QUOTED);

            w[-1] = *w;
            *w = day;
            w[-1].bits ^= gap;
            w[0].bits ^= gap;
        }
    }
}

/* Denial and passive reach the next word that carries meaning. */
static void reach_mark(struct support_words *ws)
{
    unsigned carried = 0;
    size_t first =
        ws->n > 1 && ws->w[0].bits & OPENING && ws->w[1].bits & BREAK;

    for (size_t i = first; i < ws->n; i++) {
        struct support_word *w = &ws->w[i];

        if (w->bits & DENIER)
            carried ^= DENIED; /* "not no longer" */
        if (w->bits & BE)
            carried |= PASSIVE;
        if (!(w->bits & (CONTENT | HEDGE)))
            continue;
        w->bits |= carried;
        /* "not actually considered" */
        if (!(w->bits & (NARROW | LIGHT | HEDGE)))
            carried = 0;
    }
}

bool support_words_read(const char *p, size_t n, bool continental, size_t max,
                        struct arena *a, struct support_words *out)
{
    struct term_iter it;
    struct term t;
    size_t last = 0, behind = 0, sign;
    bool bracket = false;

    out->text = p;
    out->n = 0;
    /* A token and what parts it from the next take two bytes; a date is three
     * words, and a few are kept free. */
    out->max = n / 2 + 12 < max ? n / 2 + 12 : max;
    out->w = arena_array(a, out->max, sizeof(*out->w));
    if (out->w == NULL)
        return false;
    terms_init(&it, p, n);
    while (tokens_next(&it, &t)) {
        struct verify_number num;
        struct support_word w = {.z = "", .start = t.start, .end = t.end};
        size_t at = t.start, gap = t.start > last ? t.start - last : 0, len;

        if (t.start < behind)
            continue;
        if (out->n + 6 > out->max)
            return false;
        if ((len = operator_at(p + last, gap, &sign)) > 0)
            extra_put(out, p + last + sign, len, 0, last + sign,
                      last + sign + len);
        w.bits = gap_bits(p + last, gap, &bracket);
        if (bracket)
            w.bits |= BRACKETED;
        if (date_read(out, p, n, t.start, &behind)) {
            out->w[out->n - 3].bits |= w.bits & (BREAK | CLAUSE | PART);
            last = behind;
            continue;
        }
        if (hexadecimal_read(&w, &t)) {
            out->w[out->n++] = w;
            last = t.end;
            continue;
        }
        if (verify_number_next(p, t.end, continental, &at, &num) &&
            num.start == t.start) {
            at = t.start;
            if (!verify_number_next(p, n, continental, &at, &num))
                return false;
            number_put(&w, p, n, continental, &num);
            out->w[out->n++] = w;
            unit_put(out, currency_before(p, num.start), num.start);
            if (num.end < n && p[num.end] == '%')
                unit_put(out, "percent", num.end);
            /* "4MB" is a number with its unit, "2d" is what it is. */
            if (num.end < t.end && ascii_is_alpha(p[num.end])) {
                const char *unit = verify_unit_after(p, n, num.end);
                size_t rest = t.end - num.end;

                if (unit != NULL)
                    unit_put(out, unit, num.end);
                else if (!(rest == 2 &&
                           memmem("st nd rd th", 11, p + num.end, 2) != NULL))
                    word_put(out->w[out->n - 1].z, t.text, t.len);
                num.end = t.end;
            }
            last = behind = num.end;
            continue;
        }
        if (name_read(&w, &t, p, n)) {
            out->w[out->n++] = w;
            last = behind = w.end;
            continue;
        }
        phrase_read(&it, &t);
        w.end = t.end;
        if (!numeral_read(&w, &it, t.text)) {
            word_read(&w, t.text, p, n);
            word_settle(out, &w);
            glue(out, &w, p, last);
        }
        out->w[out->n++] = w;
        last = behind = w.end;
    }
    dates_mark(out);
    reach_mark(out);
    return true;
}
