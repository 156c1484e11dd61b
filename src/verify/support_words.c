/* Reading sentences for support.c; see support.h. */
#include "verify/support.h"

#include "base/str.h"

#include <string.h>

/* --- words that matter --------------------------------------------------- */

/* English, German, French, Spanish, Dutch, Swedish and, in UTF-8, Russian. */
static bool is_denier(const char *z, const char *raw, size_t n)
{
    static const char words[] =
        "not no never cannot without none neither nor nobody nothing nowhere "
        "hardly barely rarely unable nicht kein keine keinen keiner nie "
        "niemals ohne pas jamais aucun aucune sans nunca jamas sin non niet "
        "geen nooit zonder inte aldrig не нет без никогда";

    return word_in(z, words) || mem_find_i(raw, n, "n't") != NULL ||
           mem_find_i(raw, n, "n\xE2\x80\x99t") != NULL;
}

static bool is_hedge(const char *z)
{
    static const char words[] =
        "may might could would should if unless allegedly reportedly "
        "supposedly possibly perhaps probably likely unlikely rumored rumoured "
        "alleged claimed claims believed proposed planned expected false "
        "falsely myth wrongly incorrectly disputed denied denies untrue "
        "supposed intended almost nearly except unlike instead rather whether "
        "fake former formerly imitation mock failed attempted unsuccessful "
        "cancelled canceled abandoned fictional mythical hypothetical "
        "potential possible pseudo";

    return word_in(z, words);
}

/* Stop words that change what is said. */
static bool is_weighty(const char *z)
{
    static const char words[] =
        "all any both each every some only most more less least few many same "
        "must because since therefore thus hence again further while whereas "
        "although though despite such either too off out up down";

    return word_in(z, words);
}

/* Words a claim may add without saying more. */
static bool is_light(const char *z)
{
    static const char words[] =
        "came come comes called known named said says spoke states described "
        "located situated also according source sources passage";

    return word_in(z, words);
}

static bool is_coordinator(const char *z)
{
    static const char words[] = "and but or nor while whereas although though "
                                "however und aber oder et mais ou y pero";

    return word_in(z, words);
}

static bool is_be(const char *z)
{
    static const char words[] = "am is are was were been be being";

    return word_in(z, words);
}

/* By its form, which past tense shares. */
static bool is_participle(const char *z)
{
    static const char words[] =
        "built made held won sold known taken given found written led bought "
        "beaten caught sent left lost shown overthrown";
    size_t n = strlen(z);

    return word_in(z, words) || (n > 3 && z[n - 1] == 'd' && z[n - 2] == 'e');
}

/* A preposition's class: those of place and belonging are one. */
static const char *preposition_of(const char *z)
{
    static const char loose[] =
        "in on at of during within for with as into onto to";
    static const char *const strict[] = {
        "by",      "from",    "after",  "before", "until",   "till",
        "over",    "under",   "above",  "below",  "against", "than",
        "between", "through", "via",    "per",    "without", "unlike",
        "except",  "among",   "beyond", NULL};

    if (word_in(z, loose))
        return "of";
    for (size_t i = 0; strict[i] != NULL; i++)
        if (strcmp(z, strict[i]) == 0)
            return strict[i];
    return NULL;
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
    unsigned bits = n == 0 ? JOINED : 0;

    for (size_t i = 0; i < n; i++) {
        if (p[i] == ';')
            bits |= CLAUSE | BREAK;
        if (strchr(",:()[]", p[i]) != NULL && p[i] != '\0')
            bits |= BREAK;
        bits |= quote_bit(p, n, i);
        if (p[i] == '(')
            *bracket = true;
        if (p[i] == ')')
            *bracket = false;
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

static void word_put(struct support_word *w, const char *z)
{
    size_t n = strlen(z);

    if (n > TERM_MAX)
        n = TERM_MAX;
    memcpy(w->z, z, n);
    w->z[n] = '\0';
}

/* A word that is no number. */
static void word_read(struct support_word *w, const struct term *t,
                      const char *p, size_t n)
{
    const char *raw = p + t->start;
    size_t len = t->end - t->start;

    word_put(w, t->text);
    if (begins_capital(p, n, t->start))
        w->bits |= CAPITAL;
    if (is_owner(p, n, t->end))
        w->bits |= OWNER;
    if (is_denier(t->text, raw, len))
        w->bits |= DENIER;
    else if (is_hedge(t->text) &&
             !(w->bits & CAPITAL && strcmp(t->text, "may") == 0))
        w->bits |= HEDGE;
    if (is_be(t->text))
        w->bits |= BE;
    if (is_participle(t->text))
        w->bits |= PARTICIPLE;
    if (is_coordinator(t->text))
        w->bits |= COORDINATOR;
    if (is_light(t->text))
        w->bits |= LIGHT;
    if (is_weighty(t->text))
        w->bits |= FUNCTION;
    w->preposition = preposition_of(t->text);
    if (!(w->bits & (DENIER | HEDGE | COORDINATOR)) &&
        (is_weighty(t->text) || !term_is_stop(t->text, t->len))) {
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
                 (at == 1 || strchr(" (", p[at - 2]) != NULL);

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
    z[k] = '\0';
    word_put(w, z);
    w->bits |= CONTENT | NUMBER;
    /* Years are dates. */
    if (strlen(w->z) == 4 && (w->z[0] == '1' || w->z[0] == '2') &&
        verify_unit_after(p, n, num->end) == NULL)
        w->bits |= DATE;
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

static void unit_put(struct support_words *ws, size_t max, const char *unit)
{
    struct support_word *w;

    if (unit == NULL || ws->n >= max)
        return;
    w = &ws->w[ws->n++];
    memset(w, 0, sizeof(*w));
    word_put(w, unit);
    w->bits = CONTENT | JOINED;
}

static bool follows_number(const struct support_words *ws)
{
    return ws->n > 0 && ws->w[ws->n - 1].bits & NUMBER;
}

/* Units behind numbers and words by their stem. */
static void word_settle(struct support_words *ws, struct support_word *w)
{
    const char *unit = verify_unit_of(w->z);

    if (!(w->bits & CONTENT) || w->bits & NUMBER)
        return;
    if (unit != NULL && follows_number(ws))
        word_put(w, unit);
    else
        w->z[term_stem(w->z, strlen(w->z))] = '\0';
}

/* A month beside a number is a date, and so is that number. */
static void dates_mark(struct support_words *ws)
{
    for (size_t i = 0; i < ws->n; i++) {
        char full[TERM_MAX + 1];
        bool before = i > 0 && ws->w[i - 1].bits & NUMBER;
        bool after = i + 1 < ws->n && ws->w[i + 1].bits & NUMBER;
        int month;

        memcpy(full, ws->w[i].z, sizeof(full));
        month = ws->w[i].bits & CAPITAL ? verify_month_of(full) : 0;
        if (month == 0 || !(before || after))
            continue;
        ws->w[i].bits |= DATE;
        if (before)
            ws->w[i - 1].bits |= DATE;
        if (after)
            ws->w[i + 1].bits |= DATE;
    }
}

/* Denial and passive reach the next word that carries meaning. */
static void reach_mark(struct support_words *ws)
{
    unsigned carried = 0;

    for (size_t i = 0; i < ws->n; i++) {
        struct support_word *w = &ws->w[i];

        if (w->bits & DENIER)
            carried |= DENIED;
        if (w->bits & BE)
            carried |= PASSIVE;
        if (!(w->bits & CONTENT))
            continue;
        w->bits |= carried;
        carried = 0;
    }
}

/* Months keep their spelling: their stems are no months. */
static bool is_month_word(const struct support_word *w)
{
    return w->bits & CAPITAL && verify_month_of(w->z) != 0;
}

bool support_words_read(const char *p, size_t n, bool continental, size_t max,
                        struct arena *a, struct support_words *out)
{
    struct term_iter it;
    struct term t;
    size_t last = 0, number_end = 0;
    bool bracket = false;

    out->n = 0;
    out->w = arena_array(a, max, sizeof(*out->w));
    if (out->w == NULL)
        return false;
    terms_init(&it, p, n);
    while (tokens_next(&it, &t)) {
        struct verify_number num;
        struct support_word w = {.z = ""};
        size_t at = t.start;

        if (t.start < number_end)
            continue;
        if (out->n + 2 > max)
            return false;
        w.bits =
            gap_bits(p + last, t.start > last ? t.start - last : 0, &bracket);
        if (bracket)
            w.bits |= BRACKETED;
        if (verify_number_next(p, t.end, continental, &at, &num) &&
            num.start == t.start) {
            at = t.start;
            if (!verify_number_next(p, n, continental, &at, &num))
                return false;
            number_put(&w, p, n, continental, &num);
            last = number_end = num.end;
            out->w[out->n++] = w;
            unit_put(out, max, currency_before(p, num.start));
            if (num.end < n && p[num.end] == '%')
                unit_put(out, max, "percent");
            continue;
        }
        word_read(&w, &t, p, n);
        if (!is_month_word(&w))
            word_settle(out, &w);
        out->w[out->n++] = w;
        last = t.end;
    }
    dates_mark(out);
    reach_mark(out);
    return true;
}
