/* A field's words; see value.h. Called by structured_field.c. */
#include "object/value.h"

#include "base/buf.h"
#include "base/str.h"
#include "lang/words.h"
#include "meaning/encoder.h"
#include "question/overlap.h"
#include "text/terms.h"

#include <math.h>
#include <string.h>

/* A longer description explains; the name says it shorter. */
enum { DESCRIPTION_WORDS_MAX = 16, LABEL_BYTES_MAX = 600 };

/* --- the name as words ---------------------------------------------------- */

static const char *word_expand(const char *z, size_t n)
{
    static const char *const pairs[][2] = {
        {"max", "maximum"},   {"min", "minimum"},
        {"num", "number"},    {"desc", "description"},
        {"qty", "quantity"},  {"avg", "average"},
        {"lang", "language"}, {"org", "organisation"},
        {"dob", "birth date"}};

    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (str_ieq((struct str){z, n}, pairs[i][0]))
            return pairs[i][1];
    return NULL;
}

/* Does a new word begin at z[i] ("maxPageSize", "HTTPServer", "version3")? */
static bool word_begins(const char *z, size_t i)
{
    bool upper = z[i] >= 'A' && z[i] <= 'Z';
    bool lower_before = i > 0 && z[i - 1] >= 'a' && z[i - 1] <= 'z';
    bool lower_after = z[i + 1] >= 'a' && z[i + 1] <= 'z';
    bool upper_before = i > 0 && z[i - 1] >= 'A' && z[i - 1] <= 'Z';

    return (upper && (lower_before || (upper_before && lower_after))) ||
           (ascii_is_digit(z[i]) && lower_before);
}

/* "maxPageSize" and "max_page_size" to "max Page Size", in full "maximum Page
 * Size"; digits between underscores ("3_7_0") are a version. */
static void name_split(const char *z, bool full, struct buf *out)
{
    size_t i = 0;

    while (z[i] != '\0') {
        size_t from = i;
        bool number = i >= 2 && ascii_is_digit(z[i]) &&
                      ascii_is_digit(z[i - 2]) && z[i - 1] == '_';
        const char *word;

        while (z[i] != '\0' && strchr("_-. $", z[i]) == NULL &&
               (i == from || !word_begins(z, i)))
            i++;
        word = full ? word_expand(z + from, i - from) : NULL;
        if (i > from && out->len > 0)
            buf_addc(out, number ? '.' : ' ');
        if (word != NULL)
            buf_adds(out, word);
        else
            buf_add(out, z + from, i - from);
        while (z[i] != '\0' && strchr("_-. $", z[i]) != NULL)
            i++;
    }
}

static bool is_generic(const char *name)
{
    static const char *const names[] = {
        "answer",      "summary",    "result",   "description", "text",
        "explanation", "response",   "overview", "content",     "value",
        "details",     "definition", "output",   "info",        "items",
        "rows",        "entries",    "list",     "results",     "records",
        "elements",    "values",     "table",    "data",        NULL};

    for (size_t i = 0; names[i] != NULL; i++)
        if (ascii_casecmp(names[i], name) == 0)
            return true;
    return false;
}

/* --- qualifiers ----------------------------------------------------------- */

static unsigned qualifier_of(const char *token)
{
    if (word_in(token, value_words.defaults))
        return QUALIFIER_DEFAULT;
    if (word_in(token, value_words.most))
        return QUALIFIER_MAXIMUM;
    if (word_in(token, value_words.least))
        return QUALIFIER_MINIMUM;
    return 0;
}

unsigned label_qualifiers(const char *p, size_t n)
{
    struct term_iter it;
    struct term t;
    unsigned kinds = 0;

    terms_init(&it, p, n);
    while (tokens_next(&it, &t))
        kinds |= qualifier_of(t.text);
    return kinds;
}

/* --- literals ------------------------------------------------------------- */

/* Length of the number or version at p: digits, and dots between them. */
static size_t version_len(const char *p, size_t n)
{
    size_t i = 0;

    while (i < n && (ascii_is_digit(p[i]) ||
                     (p[i] == '.' && i > 0 && i + 1 < n &&
                      ascii_is_digit(p[i - 1]) && ascii_is_digit(p[i + 1]))))
        i++;
    return i;
}

static bool same_digits(const char *z, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != '.' && *z++ != p[i])
            return false;
    return *z == '\0';
}

bool label_has_literal(const char *literal, const char *p, size_t n, size_t *at)
{
    bool dotted = strchr(literal, '.') != NULL;

    for (size_t i = 0; i < n; i++) {
        size_t len;

        if (!ascii_is_digit(p[i]))
            continue;
        len = version_len(p + i, n - i);
        /* Part of a word ("utf8"), but not of "v3" or "3_7_0". */
        if (str_eq((struct str){p + i, len}, literal) ||
            (!dotted && strlen(literal) > 2 &&
             same_digits(literal, p + i, len))) {
            if (at != NULL)
                *at = i;
            return true;
        }
        i += len;
    }
    return false;
}

static void literals_read(const char *z, struct arena *a, struct label *out)
{
    for (size_t i = 0; z[i] != '\0'; i++) {
        size_t len;

        if (!ascii_is_digit(z[i]))
            continue;
        len = version_len(z + i, strlen(z + i));
        /* "SHA-1" and "utf8" are words. */
        if ((i == 0 || z[i - 1] == ' ' || z[i - 1] == '(' || z[i - 1] == 'v') &&
            (z[i + len] == '\0' || strchr(" ,;:.)?", z[i + len]) != NULL) &&
            out->literal_count < LABEL_LITERALS_MAX) {
            const char *literal = arena_strndup(a, z + i, len);

            if (literal != NULL)
                out->literals[out->literal_count++] = literal;
        }
        i += len > 0 ? len - 1 : 0;
    }
}

static bool is_capitals(const char *z, size_t n)
{
    enum { CAPITALS_MIN = 4 };
    size_t i = 0;

    while (i < n && z[i] >= 'A' && z[i] <= 'Z')
        i++;
    return i == n && n >= CAPITALS_MIN;
}

/* "work_mem", "http.sslVerify", "--date": a word with such a sign. */
static bool is_identifier(const char *z, size_t n)
{
    if (n > 3 && z[0] == '-' && z[1] == '-')
        return true;
    for (size_t i = 1; i + 1 < n; i++)
        if ((z[i] == '_' || z[i] == '.') && ascii_is_alpha(z[i - 1]) &&
            ascii_is_alpha(z[i + 1]))
            return true;
    return is_capitals(z, n);
}

static void identifiers_read(const char *z, struct arena *a, struct label *out)
{
    while (*z != '\0' && out->identifier_count < LABEL_LITERALS_MAX) {
        size_t n = strcspn(z, " ,;:()\"'`?"), end = n;

        while (end > 0 && z[end - 1] == '.')
            end--;
        if (is_identifier(z, end)) {
            const char *one = arena_strndup(a, z, end);

            if (one != NULL)
                out->identifiers[out->identifier_count++] = one;
        }
        z += n + (z[n] != '\0');
    }
}

bool label_names(const char *identifier, const char *p, size_t n)
{
    return (is_capitals(identifier, strlen(identifier))
                ? mem_find(p, n, identifier)
                : mem_find_i(p, n, identifier)) != NULL;
}

/* --- the words ------------------------------------------------------------ */

/* Words that say what form the value has, not what it is. */
bool label_is_form(const char *token)
{
    return word_in(token, value_words.forms);
}

static bool in_names(const struct query *q, uint64_t names, const char *stem)
{
    for (size_t i = 0; i < q->term_count; i++)
        if ((names >> i & 1) && strcmp(q->terms[i].text, stem) == 0)
            return true;
    return false;
}

/* Add the words of z that tell; all: also those of form and units. */
static void words_add(struct buf *b, const char *z, const struct query *q,
                      uint64_t subject, bool all)
{
    struct term_iter it, again;
    struct term t, stem;

    terms_init(&it, z, strlen(z));
    again = it;
    while (tokens_next(&it, &t)) {
        bool digits = strspn(t.text, "0123456789.") == t.len;

        if (!terms_next(&again, &stem) || digits || qualifier_of(t.text) != 0 ||
            in_names(q, subject, stem.text) ||
            (!all && (label_is_form(t.text) || value_is_unit(t.text))))
            continue;
        again = it;
        buf_addf(b, "%s%.*s", b->len > 0 ? " " : "", (int)(t.end - t.start),
                 z + t.start);
    }
}

static enum err words_parse(const struct query *q, uint64_t subject,
                            struct arena *a, struct label *out)
{
    struct buf b;
    enum err e;

    buf_init(&b, LABEL_BYTES_MAX * 2);
    words_add(&b, out->text, q, subject, false);
    if (b.len == 0)
        words_add(&b, out->text, q, subject, true);
    e = buf_err(&b) == ERR_NOMEM ? ERR_NOMEM
                                 : query_parse(buf_str(&b), a, &out->words);
    buf_fini(&b);
    return e;
}

const char *label_schema_text(const struct json *leaf, const char *key)
{
    const char *z = json_string(json_get(leaf, key));

    return z == NULL ? "" : z;
}

/* "in bytes" alone says nothing of what is asked; "default port" does. */
static bool tells(const char *z)
{
    struct term_iter it;
    struct term t;
    size_t n = 0;

    terms_init(&it, z, strlen(z));
    while (tokens_next(&it, &t))
        n += !term_is_stop(t.text, t.len) && !label_is_form(t.text) &&
             !value_is_unit(t.text);
    return n >= 2;
}

/* "release date of that version": of which, is for another field to say. */
static bool refers(const char *z)
{
    struct term_iter it;
    struct term t;
    bool behind = false; /* a preposition */

    terms_init(&it, z, strlen(z));
    while (tokens_next(&it, &t)) {
        if (behind && word_in(t.text, "that this those these"))
            return true;
        behind = word_in(t.text, "of in for by from at since");
    }
    return false;
}

/* "Can it be changed while it runs": what is asked is whether it is changed. */
static uint64_t predicate_of(const struct label *l)
{
    struct term_iter it;
    struct term t;
    uint64_t last = 0, mask;

    terms_init(&it, l->text, strlen(l->text));
    while (tokens_next(&it, &t)) {
        if (last != 0 && word_in(t.text, value_words.clauses))
            break;
        mask = overlap_mask(&l->words, l->text + t.start, t.end - t.start);
        last = mask != 0 ? mask : last;
    }
    return last;
}

/* Words that say the opposite of the label's, out of pairs "required optional
 * | …". */
static void opposites_read(struct label *out)
{
    const char *z = value_words.contrary;

    while (*z != '\0' && out->opposite_count < LABEL_LITERALS_MAX) {
        struct str pair[2];
        uint64_t mask;

        for (size_t i = 0; i < 2; i++) {
            z += strspn(z, " |");
            pair[i] = (struct str){z, strcspn(z, " |")};
            z += pair[i].n;
        }
        for (size_t i = 0; i < 2; i++) {
            mask = overlap_mask(&out->words, pair[i].p, pair[i].n);
            if (mask != 0 && out->opposite_count < LABEL_LITERALS_MAX) {
                out->opposites[out->opposite_count].word = pair[1 - i];
                out->opposites[out->opposite_count++].mask = mask;
            }
        }
        z += strspn(z, " |");
    }
}

enum err label_parse(const char *name, const struct json *leaf,
                     const struct query *q, uint64_t subject, struct arena *a,
                     struct label *out)
{
    const char *about = label_schema_text(leaf, "description");
    const char *title = label_schema_text(leaf, "title");
    size_t words = tokens_count(about, strlen(about));
    struct buf b;
    bool failed;

    memset(out, 0, sizeof(*out));
    buf_init(&b, LABEL_BYTES_MAX);
    name_split(name, false, &b);
    out->plain = arena_strdup(a, buf_str(&b));
    buf_reset(&b);
    name_split(name, true, &b);
    out->name = out->text = arena_strdup(a, buf_str(&b));
    out->hint =
        arena_printf(a, "%s %.*s %.*s", buf_str(&b), 2000, title, 8000, about);
    failed = buf_err(&b) == ERR_NOMEM;
    buf_fini(&b);
    if (failed || out->text == NULL || out->hint == NULL)
        return ERR_NOMEM;
    out->generic = is_generic(name);
    out->boolean = str_eq(str_of(label_schema_text(leaf, "type")), "boolean");
    out->spelled = name;
    if (words >= 3 && words <= DESCRIPTION_WORDS_MAX && !tells(about))
        out->text = arena_printf(a, "%s, %s", out->name, about);
    else if (tells(about) && words <= DESCRIPTION_WORDS_MAX)
        out->text = about;
    if (out->text == NULL)
        return ERR_NOMEM;
    out->qualifiers = label_qualifiers(out->text, strlen(out->text));
    if (words < 3) /* "Default" of "port" */
        out->qualifiers |= label_qualifiers(about, strlen(about));
    if (words == 0 && !str_eq(str_of(label_schema_text(leaf, "type")),
                              "string")) /* "pool defaults" of pool_size */
        out->qualifiers |=
            label_qualifiers(q->text, strlen(q->text)) & QUALIFIER_DEFAULT;
    out->generic = out->generic && out->qualifiers == 0;
    out->refers = refers(out->text);
    literals_read(out->text, a, out);
    if (out->text == about)
        identifiers_read(about, a, out);
    out->asked = q->text;
    if (arena_failed(a) || words_parse(q, subject, a, out) != ERR_OK)
        return ERR_NOMEM;
    out->predicate = predicate_of(out);
    if (out->boolean)
        opposites_read(out);
    return ERR_OK;
}

/* --- near words ----------------------------------------------------------- */

enum { MEANT_WORDS_MAX = 32 };

static const double NEAR_ORDINARY = 0.4;

struct label_meant {
    struct meant pieces;
    double weight[MEANT_WORDS_MAX]; /* of each piece; their sum is 1 */
};

enum err label_mean(struct label *l, struct arena *a)
{
    const struct encoder *encoder = encoder_words();
    const struct query *q = &l->words;
    struct label_meant *m;
    struct buf b;
    size_t from[MEANT_WORDS_MAX + 1], n = 0;
    double sum = 0;
    float *v;
    enum err e;

    if (encoder == NULL || q->lang != LANG_EN || q->term_count == 0)
        return ERR_OK;
    m = arena_alloc(a, sizeof *m);
    v = arena_array(a, encoder_width(encoder), sizeof *v);
    if (m == NULL || v == NULL)
        return ERR_NOMEM;
    buf_init(&b, LABEL_BYTES_MAX * 2);
    for (; n < q->term_count && n < MEANT_WORDS_MAX; n++) {
        from[n] = b.len;
        buf_addf(&b, "%s ", q->words[n]);
    }
    e = buf_err(&b) == ERR_OK
            ? encode_pieces(encoder, buf_str(&b), b.len, a, v, &m->pieces)
            : buf_err(&b);
    buf_fini(&b);
    if (e != ERR_OK) /* weights that make no vector: nothing is known */
        return e == ERR_NOMEM ? e : ERR_OK;
    if (m->pieces.count > MEANT_WORDS_MAX)
        return ERR_OK;
    for (size_t i = 0, word = 0; i < m->pieces.count; i++) {
        while (word + 1 < n && m->pieces.at[i] >= from[word + 1])
            word++;
        m->weight[i] = overlap_weight(q, (uint64_t)1 << word);
        sum += m->weight[i];
    }
    for (size_t i = 0; i < m->pieces.count; i++)
        m->weight[i] /= sum > 0 ? sum : 1;
    l->meant = m->pieces.count > 0 && sum > 0 ? m : NULL;
    return ERR_OK;
}

enum err label_near(const struct label *l, const struct str *texts,
                    size_t count, double *near)
{
    float best[MEANT_WORDS_MAX] = {0}, one[MEANT_WORDS_MAX],
          vector[ENCODER_WIDTH_MAX];
    const struct label_meant *m = l->meant;

    *near = NEAR_ORDINARY;
    if (m == NULL)
        return ERR_OK;
    for (size_t i = 0; i < count; i++) {
        enum err e = encode_nearest(encoder_words(), &m->pieces, texts[i].p,
                                    texts[i].n, one, vector);

        if (e != ERR_OK)
            return e == ERR_NOMEM ? e : ERR_OK;
        for (size_t k = 0; k < m->pieces.count; k++)
            best[k] = fmaxf(best[k], one[k]);
    }
    *near = 0;
    for (size_t k = 0; k < m->pieces.count; k++)
        *near += m->weight[k] * (double)best[k];
    return ERR_OK;
}

/* "41 metres tall" tells a height without the word. */
static uint64_t dimension_mask(const struct query *q, const char *p, size_t n)
{
    static const char *const all[][4] = {
        {"height", "tall", "high", ""}, {"length", "long", "", ""},
        {"width", "wide", "broad", ""}, {"depth", "deep", "", ""},
        {"age", "old", "", ""},         {"weight", "weighs", "heavy", ""},
        {"speed", "fast", "", ""},      {"price", "costs", "cost", ""}};
    uint64_t mask = 0;
    struct term_iter it;
    struct term t;

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        uint64_t bit = overlap_mask(q, all[i][0], strlen(all[i][0]));

        if (bit == 0)
            continue;
        terms_init(&it, p, n);
        while ((mask & bit) == 0 && tokens_next(&it, &t))
            for (size_t k = 1; all[i][k][0] != '\0'; k++)
                if (strcmp(t.text, all[i][k]) == 0)
                    mask |= bit;
    }
    return mask;
}

/* The label's words that the text denies in one word: behind a syllable,
 * "unordered", or by their opposite. */
static uint64_t denied_mask(const struct label *l, const char *p, size_t n)
{
    static const char *const denials[] = {"un", "in", "im", "non", "dis", "ir"};
    uint64_t mask = 0;
    struct term_iter it;
    struct term t;

    if (!l->boolean)
        return 0;
    terms_init(&it, p, n);
    while (tokens_next(&it, &t)) {
        for (size_t i = 0; i < sizeof denials / sizeof *denials; i++) {
            size_t k = strlen(denials[i]);

            if (t.len > k + 3 && strncmp(t.text, denials[i], k) == 0)
                mask |= overlap_mask_loose(&l->words, t.text + k, t.len - k);
        }
        for (size_t i = 0; i < l->opposite_count; i++)
            if (str_eq(l->opposites[i].word, t.text))
                mask |= l->opposites[i].mask;
    }
    return mask;
}

bool label_is_denied(const struct label *l, const char *p, size_t n)
{
    return overlap_mask_loose(&l->words, p, n) == 0 &&
           denied_mask(l, p, n) != 0;
}

uint64_t label_mask(const struct label *l, const char *p, size_t n)
{
    return overlap_mask_loose(&l->words, p, n) |
           dimension_mask(&l->words, p, n) | denied_mask(l, p, n);
}

/* Is the name of a setting the property's own, "port" or "http.port"? */
static bool is_own_name(const struct label *l, struct str name)
{
    size_t n = name.n;

    while (n > 0 && name.p[n - 1] != '.')
        n--;
    return label_entry(l, name) == 1 ||
           label_entry(l, (struct str){name.p + n, name.n - n}) == 1;
}

/* The name is the property's, or the label has no word that it has not. */
struct str label_assigned(const struct label *l, struct str text)
{
    const struct str none = {"", 0};
    struct str value, rest;
    size_t n = 0, at;

    while (n < text.n &&
           (ascii_is_alnum(text.p[n]) || strchr("_.-", text.p[n]) != NULL))
        n++;
    for (at = n; at < text.n && text.p[at] == ' '; at++)
        ;
    if (n == 0 || at + 1 >= text.n || text.p[at] != '=' ||
        (!is_own_name(l, (struct str){text.p, n}) &&
         (l->words.term_count == 0 ||
          overlap_share(&l->words, label_mask(l, text.p, n)) < 1)))
        return none;
    at++;
    at += text.p[at] == ' ' && at + 1 < text.n;
    value = (struct str){text.p + at, 0};
    while (at + value.n < text.n && !ascii_is_space(value.p[value.n]))
        value.n++;
    rest = str_trim((struct str){value.p + value.n, text.n - at - value.n});
    return rest.n == 0 || tokens_count(rest.p, rest.n) == 0 ? value : none;
}

/* --- in a text ------------------------------------------------------------ */

size_t label_hits(const struct label *l, const char *p, size_t n,
                  struct label_hit *out, size_t max)
{
    struct term_iter it;
    struct term t;
    size_t count = 0;

    terms_init(&it, p, n);
    while (count < max && tokens_next(&it, &t)) {
        bool qualifier = (qualifier_of(t.text) & l->qualifiers) != 0;

        if (qualifier || label_mask(l, p + t.start, t.end - t.start) != 0)
            out[count++] = (struct label_hit){t.start, t.end, qualifier};
    }
    return count;
}
