/* Names that a part speaks of together; see plan_names.h. */
#include "research/plan_names.h"

#include "base/str.h"
#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

struct splitter {
    const struct about *about;
    const struct plan *old;
    struct plan *out;
    struct arena *a;
    size_t names[PLAN_SIDES_MAX]; /* of about, one for each side */
};

static bool share_host(const struct about_name *x, const struct about_name *y)
{
    for (size_t i = 0; i < x->host_count; i++)
        for (size_t k = 0; k < y->host_count; k++)
            if (strcmp(x->hosts[i], y->hosts[k]) == 0)
                return true;
    return false;
}

/* The word of the text that is the term, or an empty view. */
static struct str word_of(const struct query *q, const char *text,
                          const char *term)
{
    struct term_iter it;
    struct term t;

    terms_init_with(&it, q->stem, text, strlen(text));
    while (tokens_next(&it, &t)) {
        size_t start = t.start, end = t.end;

        token_stem(&it, &t);
        if (strcmp(t.text, term) == 0)
            return (struct str){text + start, end - start};
    }
    return (struct str){text, 0};
}

/* Is it written as a name, behind the first word? What only stands in quotes is
 * not. */
static bool is_written(const struct query *q, const struct about_name *x)
{
    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->terms[i].text, x->term) == 0)
            return (q->names >> i & 1) != 0 &&
                   strcmp(q->terms[i].word, q->words[i]) != 0;
    return false;
}

static bool is_acronym(struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] < 'A' || word.p[i] > 'Z')
            return false;
    return true;
}

/* Does the word stand in a name of several ("Network UPS Tools"), or at the
 * beginning of a sentence, where it has its capital anyway? */
static bool is_loose(const char *text, struct str word)
{
    const char *end = word.p + word.n, *before;

    if ((end[0] == ' ' && end[1] >= 'A' && end[1] <= 'Z') ||
        sentence_begins(text, (size_t)(word.p - text)))
        return true;
    for (before = word.p - 1; before > text && before[-1] != ' ';)
        before--;
    return word.p[-1] == ' ' && *before >= 'A' && *before <= 'Z';
}

/* A first word may be any, unless hosts are called so ("Mail is piling up in
 * our Exim queue"), and so may an acronym ("short API calls"); and one without
 * a capital, where names have theirs ("In Django, how are requests handled?").
 */
static bool may_be_side(const struct splitter *s, const struct query *q,
                        size_t name, struct str word)
{
    const struct about *x = s->about;

    if (is_written(q, &x->names[name]))
        return about_calls(x, name) ||
               (!is_acronym(word) && !is_loose(q->text, word));
    if (about_calls(x, name) && (word.p == q->text || is_acronym(word)))
        return true;
    for (size_t i = 0; i < x->count; i++)
        if (x->names[i].host_count > 0 && is_written(q, &x->names[i]))
            return false;
    return word.p > q->text;
}

/* Names with hosts of their own become the sides. */
static void sides_find(struct splitter *s, const struct query *q)
{
    const struct about *x = s->about;

    for (size_t i = 0; i < x->count && s->out->side_count < PLAN_SIDES_MAX;
         i++) {
        struct str word = word_of(q, q->text, x->names[i].term);
        bool own = x->names[i].host_count > 0 && word.n > 0 &&
                   may_be_side(s, q, i, word);

        for (size_t k = 0; k < s->out->side_count && own; k++)
            own = !share_host(&x->names[i], &x->names[s->names[k]]);
        if (!own)
            continue;
        s->names[s->out->side_count] = i;
        s->out->sides[s->out->side_count++] =
            arena_strndup(s->a, word.p, word.n);
    }
}

/* The text without the word, and without the item of a list that it was. */
static const char *word_drop(struct arena *a, const char *text, struct str w)
{
    size_t from = (size_t)(w.p - text), to = from + w.n;
    char before, behind;

    to += text[to] == ' ';
    while (from > 0 && text[from - 1] == ' ' &&
           (text[to] == '\0' || strchr(",;)]", text[to]) != NULL))
        from--;
    before = from > 0 ? text[from - 1] : '\0';
    behind = text[to];
    if ((before == '(' && behind == ')') || (before == '[' && behind == ']')) {
        from -= from > 1 && text[from - 2] == ' ' ? 2 : 1;
        to++;
    } else if ((before == ',' || before == ';') && behind != '\0' &&
               strchr(",;)]", behind) != NULL) {
        from--;
    } else if ((before == '(' || before == '[') &&
               (behind == ',' || behind == ';')) {
        to += 1 + strspn(text + to + 1, " ");
    }
    return arena_printf(a, "%.*s%s", (int)from, text, text + to);
}

/* The text without the names of all other sides. */
static const char *text_of(const struct splitter *s, const struct query *q,
                           const char *text, size_t side)
{
    for (size_t i = 0; i < s->out->side_count && text != NULL; i++) {
        struct str w = word_of(q, text, s->about->names[s->names[i]].term);

        if (i != side && w.n > 0)
            text = word_drop(s->a, text, w);
    }
    return text;
}

/* How many of the sides the text names. */
static size_t named_in(const struct splitter *s, const struct query *q,
                       const char *text)
{
    size_t n = 0;

    for (size_t i = 0; i < s->out->side_count; i++)
        n += word_of(q, text, s->about->names[s->names[i]].term).n > 0;
    return n;
}

/* Is the part of several sides: itself or, where it names none, by what the
 * question is about? */
static bool is_of_sides(const struct splitter *s, const struct query *q,
                        const struct plan_sub *sub)
{
    size_t named = named_in(s, q, sub->question);

    return named > 1 || (named == 0 && named_in(s, q, sub->context) > 1);
}

/* The text without the names aside that no host is about; NULL: no memory. */
static const char *aside_drop(const struct query *q, const struct about *about,
                              struct arena *a, const char *text)
{
    for (size_t i = 0; i < about->count && text != NULL;) {
        const struct about_name *x = &about->names[i];
        struct str w = word_of(q, text, x->term);

        if (!x->is_aside || x->host_count > 0 || w.n == 0)
            i++;
        else
            text = word_drop(a, text, w);
    }
    return text;
}

/* … of a question, which stays where it is nothing else. */
static const char *aside_drop_some(const struct query *q,
                                   const struct about *about, struct arena *a,
                                   const char *text)
{
    const char *z = aside_drop(q, about, a, text);

    return z == NULL || str_trim(str_of(z)).n > 0 ? z : text;
}

enum err plan_names(const struct query *q, const struct about *about,
                    size_t max, struct arena *a, struct plan *io)
{
    struct plan out = {.mode = io->mode, .title = io->title, .is_named = true};
    struct splitter s = {.about = about, .old = io, .out = &out, .a = a};
    size_t room = max > io->count ? max - io->count : 0;
    bool split = false;

    for (size_t i = 0; i < io->count; i++) {
        struct plan_sub *sub = &io->subs[i];

        sub->context = aside_drop(q, about, a, sub->context);
        sub->question = aside_drop_some(q, about, a, sub->question);
        sub->own = aside_drop_some(q, about, a, sub->own);
    }
    if (arena_failed(a))
        return ERR_NOMEM;
    if (io->side_count > 0 || io->mode == MODE_ANSWER)
        return ERR_OK;
    sides_find(&s, q);
    for (size_t i = 0; i < io->count; i++) {
        const struct plan_sub *sub = &io->subs[i];
        size_t sides = out.side_count;

        if (!is_of_sides(&s, q, sub) || room + 1 < sides) {
            out.subs[out.count++] = *sub;
            continue;
        }
        room -= sides - 1;
        split = true;
        for (size_t k = 0; k < sides; k++)
            out.subs[out.count++] =
                (struct plan_sub){text_of(&s, q, sub->question, k),
                                  text_of(&s, q, sub->context, k), sub->title,
                                  k, text_of(&s, q, sub->own, k)};
    }
    if (split)
        *io = out;
    return arena_failed(a) ? ERR_NOMEM : ERR_OK;
}
