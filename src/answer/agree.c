/* Values compared between sources; see agree.h. */
#include "answer/agree.h"
#include "question/evidence_text.h"
#include "question/overlap.h"

#include "base/buf.h"
#include "base/date.h"
#include "base/url.h"

#include <stdio.h>

enum { CLAIMS_MAX = 12 };

static const double SAME_MATTER = 0.7; /* share of the words' weight */

/* --- reading ------------------------------------------------------------- */

static const char months[] = "january february march april may june july "
                             "august september october november december";

static bool is_number(const struct sentence *s, size_t i)
{
    const struct term *t = &s->t[i];

    return ascii_is_digit(t->text[0]) &&
           strspn(t->text, "0123456789.,") == t->len;
}

static bool is_year(const struct term *t)
{
    return t->len == 4 && strspn(t->text, "0123456789") == 4 &&
           (t->text[0] == '1' || (t->text[0] == '2' && t->text[1] == '0'));
}

/* "1,000.50" and "1000.5" are one number. */
static void number_key(const char *z, char *key)
{
    size_t n = 0;
    bool point = strchr(z, '.') != NULL;

    for (; *z != '\0' && n < CLAIM_KEY_MAX; z++)
        if (*z != ',')
            key[n++] = *z;
    while (point && n > 1 && key[n - 1] == '0')
        n--;
    if (n > 0 && key[n - 1] == '.')
        n--;
    key[n] = '\0';
}

static void unit_set(struct claim *c, const struct term *t)
{
    char stem[TERM_MAX + 1];
    size_t n;

    memcpy(stem, t->text, t->len + 1);
    n = term_stem(stem, t->len);
    stem[n] = '\0';
    /* British and American spelling of the same unit. */
    if (strcmp(stem, "meter") == 0 || strcmp(stem, "m") == 0)
        memcpy(stem, "metr", 5);
    if (strcmp(stem, "kilomet") == 0 || strcmp(stem, "km") == 0)
        memcpy(stem, "kilometr", 9);
    snprintf(c->unit, sizeof(c->unit), "%s", stem);
}

static bool is_near(const struct sentence *s, size_t i, size_t k)
{
    return k < s->n && s->t[k].start <= s->t[i].end + 1;
}

static bool is_magnitude(const struct term *t)
{
    return word_in(t->text, "thousand million billion trillion hundred");
}

/* The number at token i with its unit. */
static bool number_claim(const struct sentence *s, size_t i, struct claim *c)
{
    size_t k = i + 1, n;
    const struct term *scale = NULL;

    if (!is_number(s, i) || in_question(s, i))
        return false;
    if (s->t[i].end < s->len && s->p[s->t[i].end] == '%') {
        snprintf(c->unit, sizeof(c->unit), "percent");
        number_key(s->t[i].text, c->key);
        c->start = s->t[i].start;
        c->len = s->t[i].end + 1 - c->start;
        return true;
    }
    if (is_near(s, i, k) && is_magnitude(&s->t[k]))
        scale = &s->t[k++];
    if (!is_near(s, k - 1, k) || !ascii_is_alpha(s->t[k].text[0]) ||
        term_is_stop(s->t[k].text, s->t[k].len) ||
        word_in(s->t[k].text, months))
        return false;
    number_key(s->t[i].text, c->key);
    n = strlen(c->key);
    if (scale != NULL && n + 1 + scale->len <= CLAIM_KEY_MAX) {
        c->key[n] = ' ';
        memcpy(c->key + n + 1, scale->text, scale->len + 1);
    }
    unit_set(c, &s->t[k]);
    c->start = s->t[i].start;
    c->len = s->t[k].end - c->start;
    return true;
}

/* The year at token i with the day and month in front of it. */
static bool date_claim(const struct sentence *s, size_t i, struct claim *c)
{
    size_t from = i;

    if (!is_year(&s->t[i]) || in_question(s, i))
        return false;
    for (size_t k = i; k > 0 && i - k < 2; k--) {
        const struct term *t = &s->t[k - 1];

        if (s->t[k].start > t->end + 2 ||
            (!word_in(t->text, months) &&
             !(t->len <= 2 && ascii_is_digit(t->text[0]))))
            break;
        from = k - 1;
    }
    memcpy(c->key, s->t[i].text, s->t[i].len + 1);
    snprintf(c->unit, sizeof(c->unit), "date");
    c->start = s->t[from].start;
    c->len = s->t[i].end - c->start;
    return true;
}

/* A capitalised word that is neither the first nor the question's. */
static bool name_claim(const struct sentence *s, size_t i, struct claim *c)
{
    const struct term *t = &s->t[i];
    char first = s->p[t->start];

    if (i == 0 || first < 'A' || first > 'Z' || t->len < 3 ||
        t->len > CLAIM_KEY_MAX || in_question(s, i) ||
        term_is_stop(t->text, t->len) || word_in(t->text, months))
        return false;
    memcpy(c->key, t->text, t->len + 1);
    snprintf(c->unit, sizeof(c->unit), "name");
    c->start = t->start;
    c->len = t->end - t->start;
    return true;
}

size_t agree_claims(const struct query *q, const char *p, size_t n,
                    struct claim *out, size_t max)
{
    struct sentence s;
    size_t count = 0;

    sentence_read(&s, q, p, n);
    for (size_t i = 0; i < s.n && count < max; i++) {
        bool is = q->type == ANSWER_NUMBER ? number_claim(&s, i, &out[count])
                  : q->type == ANSWER_DATE ? date_claim(&s, i, &out[count])
                  : q->type == ANSWER_PERSON || q->type == ANSWER_PLACE
                      ? name_claim(&s, i, &out[count])
                      : false;

        count += is ? 1 : 0;
    }
    return count;
}

/* --- comparing ----------------------------------------------------------- */

bool agree_is_same(const struct claim *a, const struct claim *b)
{
    return strcmp(a->unit, b->unit) == 0 && strcmp(a->key, b->key) == 0;
}

static bool is_other_site(const struct candidate *a, const struct candidate *b)
{
    return strcmp(host_registrable(a->host), host_registrable(b->host)) != 0;
}

/* Is it what the question counts ("how many steps")? */
static bool is_focus(const struct query *q, const struct claim *c)
{
    return q->focus < q->term_count &&
           strcmp(c->unit, q->terms[q->focus].text) == 0;
}

/* The value that the sentence gives: what the question counts, or the only
 * one; two of a unit would be a range, or two things. unit NULL: any. */
static bool only_claim(const struct query *q, const char *p, size_t n,
                       const char *unit, struct claim *out)
{
    struct claim claims[CLAIMS_MAX];
    size_t count = agree_claims(q, p, n, claims, CLAIMS_MAX), found = 0;

    for (size_t i = 0; unit == NULL && i < count; i++)
        if (is_focus(q, &claims[i]))
            unit = claims[i].unit;
    for (size_t i = 0; i < count; i++)
        if (unit == NULL || strcmp(claims[i].unit, unit) == 0) {
            *out = claims[i];
            found++;
        }
    return found == 1;
}

/* Does the passage hold the value anywhere? */
static bool holds(const struct query *q, const struct candidate *c,
                  const struct claim *want)
{
    const char *p = c->text;

    while (*p != '\0') { /* by line: agree_claims reads a bounded part */
        struct claim claims[CLAIMS_MAX];
        size_t n = strcspn(p, "\n");
        size_t count = agree_claims(q, p, n, claims, CLAIMS_MAX);

        for (size_t i = 0; i < count; i++)
            if (agree_is_same(&claims[i], want))
                return true;
        p += n + (p[n] == '\n' ? 1 : 0);
    }
    return false;
}

/* Is there a year in a that b does not hold? */
static bool is_of_another_year(const struct query *q, const struct saying *a,
                               const struct saying *b)
{
    struct sentence x, y;

    sentence_read(&x, q, a->from->text + a->start, a->len);
    sentence_read(&y, q, b->from->text + b->start, b->len);
    for (size_t i = 0; i < x.n; i++) {
        bool held = !is_year(&x.t[i]);

        for (size_t k = 0; k < y.n && !held; k++)
            held = strcmp(x.t[i].text, y.t[k].text) == 0;
        if (!held)
            return true;
    }
    return false;
}

static uint64_t terms_of(const struct query *q, const struct saying *s)
{
    return overlap_mask_loose(q, s->from->text + s->start, s->len);
}

/* Do both speak of the same: the same names, most of the same words? */
static bool is_same_matter(const struct query *q, const struct saying *a,
                           const struct saying *b)
{
    uint64_t x = terms_of(q, a), y = terms_of(q, b);

    return (x & q->names) == (y & q->names) && (x & y) != 0 &&
           overlap_weight(q, x & y) >= SAME_MATTER * overlap_weight(q, x | y);
}

bool agree_is_dissent(const struct query *q, const struct saying *a,
                      const struct saying *b, struct claim *x, struct claim *y)
{
    const char *p = a->from->text + a->start, *r = b->from->text + b->start;
    struct claim one, other;

    if ((q->type != ANSWER_NUMBER && q->type != ANSWER_DATE) ||
        !is_other_site(a->from, b->from) || !is_same_matter(q, a, b) ||
        !only_claim(q, p, a->len, NULL, &one) ||
        !only_claim(q, r, b->len, one.unit, &other) ||
        agree_is_same(&one, &other))
        return false;
    if (q->type == ANSWER_NUMBER &&
        (is_of_another_year(q, a, b) || is_of_another_year(q, b, a)))
        return false;
    if (holds(q, a->from, &other) || holds(q, b->from, &one))
        return false;
    *x = one;
    *y = other;
    return true;
}

/* --- saying -------------------------------------------------------------- */

static void part_say(struct buf *b, const struct dissent_part *p)
{
    char date[DATE_LEN + 1];

    buf_addf(b, "%s says \xE2\x80\x9C%.*s\xE2\x80\x9D", p->from->host,
             (int)p->value_len, p->value);
    if (p->from->day != DAY_NONE) {
        date_format(p->from->day, date);
        buf_addf(b, " (%s)", date);
    }
    if (p->number > 0)
        buf_addf(b, " [%zu]", p->number);
}

void agree_say(struct buf *b, const struct dissent_part part[2])
{
    int32_t one = part[0].from->day, other = part[1].from->day;
    bool turned = one != DAY_NONE && other != DAY_NONE && other > one;

    buf_adds(b, "Sources disagree: ");
    part_say(b, &part[turned ? 1 : 0]);
    buf_adds(b, ", ");
    part_say(b, &part[turned ? 0 : 1]);
    buf_addc(b, '.');
}
