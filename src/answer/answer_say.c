/* Saying what was chosen; see answer_say.h. Called by answer_units.c. */
#include "answer/answer_say.h"
#include "answer/agree.h"
#include "answer/label.h"
#include "answer/unit_list.h"
#include "lang/words.h"
#include "question/overlap.h"

#include "text/passage.h"
#include "text/terms.h"

#include <string.h>

enum {
    SAID_MAX = 64,
    /* their passages, and for each part of the question two that disagree */
    USED_MAX = SAID_MAX + 2 * QUERY_PARTS_MAX,
    LABEL_WORDS = 16,
    SOON_TOKENS = 30,  /* a label's words are soon said */
    DISSENT_UNITS = 24 /* looked through for another value */
};

/* How much less another value's unit may answer than the first. */
static const double DISSENT_BEHIND = 4.0;
/* Where units of other hosts have more than this share of all chances, it is
 * said whose page answers: over the benches' sites 9 of 10 answers out of
 * another product's pages are told so, and 4 of 10 of all. */
static const double CONTESTED = 0.1;

bool choice_is_beside(const struct choice *c, const struct unit *x,
                      const struct unit *y)
{
    const struct part *v = c->u->parts[x->page];

    return x->page == y->page && v[x->from].section == v[y->from].section;
}

/* Does y go on where x ends, at the next part? */
static bool goes_on(const struct choice *c, const struct unit *x,
                    const struct unit *y)
{
    const struct part *v = c->u->parts[x->page];

    return choice_is_beside(c, x, y) && x->last == 0 && x->until == 0 &&
           y->from == x->to + 1 && y->start == v[y->from].start &&
           (x->from != x->to ||
            x->start + x->len == v[x->to].start + v[x->to].len);
}

struct saying_list {
    struct arena *a;
    struct said v[SAID_MAX];
    size_t count;
    struct ranked *used;
    size_t used_count;
};

static const struct candidate *used_add(struct saying_list *s,
                                        const struct candidate *c)
{
    for (size_t i = 0; i < s->used_count; i++)
        if (s->used[i].c.passage == c->passage &&
            strcmp(s->used[i].c.url, c->url) == 0)
            return &s->used[i].c;
    s->used[s->used_count].c = *c;
    return &s->used[s->used_count++].c;
}

/* on: it goes on with what is said. */
static enum err unit_say(struct saying_list *s, const struct units *u,
                         const struct unit *x, bool on)
{
    for (size_t i = x->from, start, len;
         i <= unit_end(x) && s->count < SAID_MAX; i++) {
        const struct part *p = &u->parts[x->page][i];
        struct said *said = &s->v[s->count];

        if (!unit_says(u, x, i, &start, &len))
            continue;
        s->count++;
        *said =
            (struct said){.from = used_add(s, p->c),
                          .heading = p->heading,
                          .text = arena_strndup(s->a, p->c->text + start, len),
                          .start = start,
                          .len = len,
                          .form = said_form_of(p->kind),
                          .number = start == p->start ? p->number : 0,
                          .goes_with = on || i > x->from};
        if (said->text == NULL)
            return ERR_NOMEM;
    }
    return ERR_OK;
}

/* A sentence of an independent host that gives another value than one of
 * those said: both, and the values. */
struct dissent {
    struct said said[2];
    struct claim value[2];
};

/* Each sentence of the unit against what was said of `own`. */
static enum err dissent_in(const struct choice *c, const struct said *own,
                           const struct unit *x, struct dissent *d, bool *found)
{
    const struct part *p = &c->u->parts[x->page][x->from];
    struct span *mine = NULL, *theirs = NULL;
    size_t n = 0, m = 0;
    enum err e = sentences_split(own->text, own->len, c->a, &mine, &n);

    if (e == ERR_OK)
        e = sentences_split(p->c->text + x->start, x->len, c->a, &theirs, &m);
    for (size_t i = 0; e == ERR_OK && i < n * m && !*found; i++) {
        const struct span *s = &mine[i / m], *t = &theirs[i % m];
        struct saying one = {own->from, own->start + s->start, s->len};
        struct saying other = {p->c, x->start + t->start, t->len};

        if (!agree_is_dissent(c->q, &one, &other, &d->value[0], &d->value[1]))
            continue;
        *found = true;
        d->said[0] = (struct said){.from = one.from,
                                   .text = own->text + s->start,
                                   .start = one.start,
                                   .len = one.len};
        d->said[1] = (struct said){.from = other.from,
                                   .text = p->c->text + other.start,
                                   .start = other.start,
                                   .len = other.len};
    }
    return e;
}

static enum err dissent_say(struct render *r, struct saying_list *s,
                            const struct choice *c, struct dissent *d)
{
    bool found = false;
    enum err e = ERR_OK;

    if (c->q->type != ANSWER_NUMBER && c->q->type != ANSWER_DATE)
        return ERR_OK;
    for (size_t k = c->said_from; k < c->said_to && !found; k++)
        for (size_t i = 0; i < c->u->count && i < DISSENT_UNITS; i++) {
            const struct unit *x = &c->u->v[i];

            if (e != ERR_OK || found || x->from != x->to ||
                x->score < c->u->v[0].score - DISSENT_BEHIND)
                break;
            e = dissent_in(c, &s->v[k], x, d, &found);
        }
    if (e != ERR_OK || !found)
        return e;
    used_add(s, d->said[0].from);
    used_add(s, d->said[1].from);
    return render_dissent(
        r, d->said,
        (struct dissent_part[]){
            {d->said[0].from, d->said[0].text + d->value[0].start,
             d->value[0].len, 0},
            {d->said[1].from, d->said[1].text + d->value[1].start,
             d->value[1].len, 0}});
}

/* Does what is said from v on begin with all words of the label? */
static bool says_label(const struct choice *c, const char *label,
                       const struct said *v, size_t n)
{
    struct term_iter it;
    struct term t;
    struct token_run words;
    size_t at = 0;
    uint32_t open;

    token_run_read(&words, label, strlen(label), LABEL_WORDS);
    open = (1u << words.n) - 1;
    if (words.n > 1 && strchr(label, ' ') == NULL) { /* "ratelimit.interval" */
        const char *z = v[0].from->text + v[0].start;
        const char *found = mem_find_i(z, v[0].len, label);

        return found != NULL &&
               tokens_count(z, (size_t)(found - z)) < SOON_TOKENS;
    }
    for (size_t i = 0; i < n; i++) {
        terms_init_with(&it, NULL, v[i].from->text + v[i].start, v[i].len);
        while (open != 0 && at++ < SOON_TOKENS && tokens_next(&it, &t))
            for (size_t k = 0; k < words.n; k++)
                if (strcmp(words.t[k].text, t.text) == 0)
                    open &= ~(1u << k);
    }
    for (size_t k = 0; k < words.n; k++)
        if (lang_is_stop(c->q->lang, words.t[k].text, words.t[k].len))
            open &= ~(1u << k);
    return open == 0;
}

/* A word as any: "Overview", "NAME"; not "tasksel", "vcl_recv", "PCRE2". */
static bool is_plain_word(const char *z)
{
    if (*z >= 'a' && *z <= 'z')
        return false;
    for (; *z != '\0'; z++)
        if (!ascii_is_alpha(*z) && (unsigned char)*z < 0x80)
            return false;
    return true;
}

/* "Description": a plain word that is none of the question's says little. */
static bool is_vague(const struct choice *c, const char *label)
{
    return is_plain_word(label) &&
           overlap_mask_loose(c->q, label, strlen(label)) == 0;
}

/* One word that places of other pages stand under, too, is no name. */
static bool is_common(const struct choice *c, const char *label,
                      const char *url)
{
    if (strchr(label, ' ') != NULL)
        return false;
    for (size_t i = 0; i < c->u->count; i++) {
        const struct unit *x = &c->u->v[i];
        const struct part *o = &c->u->parts[x->page][x->from];

        if (strcmp(label_name(o->heading), label) == 0 &&
            strcmp(o->c->url, url) != 0)
            return true;
    }
    return false;
}

/* May pages of other hosts mean the same words otherwise, and does the question
 * not say whose it is about? */
static bool is_contested(const struct choice *c)
{
    const struct units *u = c->u;
    const struct found_page *best = &c->pages[u->v[0].page];
    double others = 0;

    for (size_t i = 0; i < u->count; i++)
        if (strcmp(c->pages[u->v[i].page].c->host, best->c->host) != 0)
            others += unit_chance(u, &u->v[i], c->spread);
    return best->host == 0 && others > CONTESTED * c->all;
}

/* What a heading that says little stands below: another one, else the page's
 * title, which is "" where it says nothing either. NULL: no memory. */
static const char *above_of(const struct choice *c, const struct said *v,
                            size_t n, const char *path, const char *title)
{
    struct str s = heading_above(path);
    const char *above = arena_strndup(c->a, s.p, s.n);

    if (above == NULL)
        return NULL;
    above = label_name(above);
    return *above == '\0' || is_vague(c, above) || says_label(c, above, v, n)
               ? title
               : above;
}

/* What a place stands under in its page: below a heading that says little what
 * that stands below too ("git-log(1): NAME"), below none, where one of another
 * page was said, the page's title alone; it is *before then. "": nothing that
 * says more. NULL: no memory. */
static const char *label_of(const struct choice *c, const struct said *v,
                            size_t n, const char **before, bool below)
{
    const char *path = v->heading != NULL ? v->heading : v->from->heading,
               *label = label_name(path), *title, *above;
    struct str whole = page_title(v->from->title);
    bool common = is_common(c, label, v->from->url);

    title = arena_strndup(c->a, whole.p, whole.n);
    if (title == NULL)
        return NULL;
    title = label_name(title);
    if (is_common(c, title, v->from->url) || says_label(c, title, v, n))
        title = "";
    above = above_of(c, v, n, path, title);
    if (above == NULL)
        return NULL;
    if (*label == '\0')
        label = below ? title : "";
    else if (*above != '\0' && (common || is_vague(c, label)))
        label = ascii_starts_i(above, label)
                    ? above
                    : arena_printf(c->a, "%s: %s", above, label);
    else if (common)
        label = "";
    if (label == NULL)
        return NULL;
    common = strcmp(label, *before) == 0;
    *before = label;
    return !common && label_may_be_said(label) && !says_label(c, label, v, n)
               ? label
               : "";
}

/* What is said, each place under what it stands under in its page; and whose
 * page it is, where that is contested. */
static enum err say_under(struct render *r, const struct choice *c,
                          const struct saying_list *s, size_t *held)
{
    const char *before = "", *host = "", *headed = NULL; /* by which page */
    bool contested = is_contested(c);
    enum err e = ERR_OK;

    for (size_t i = c->said_from, k; e == ERR_OK && i < c->said_to; i = k) {
        const struct candidate *from = s->v[i].from;
        bool names = contested && strcmp(from->host, host) != 0;
        size_t at = r->text.len, now = 0;
        const char *label;

        for (k = i + 1; k < c->said_to && s->v[k].goes_with;)
            k++;
        label = label_of(
            c, s->v + i, k - i, &before,
            names || (headed != NULL && strcmp(headed, from->url) != 0));
        if (names && label != NULL)
            label = arena_printf(c->a, "%s%s%s", from->host,
                                 *label == '\0' ? "" : ": ", label);
        if (label == NULL)
            return ERR_NOMEM;
        if (*label != '\0')
            e = render_label(r, label);
        if (e == ERR_OK)
            e = render_said(r, s->v + i, k - i, &now);
        *held += now;
        if (e == ERR_OK && now == 0) {
            buf_cut(&r->text, at);
            continue;
        }
        if (*label != '\0')
            headed = from->url;
        host = from->host;
    }
    return e;
}

/* Of a part nothing was found: that, in its own words. */
static enum err say_missing(struct render *r, const struct choice *c)
{
    const char *part = label_escaped(c->q->text, c->a);
    const char *z =
        part == NULL ? NULL
                     : arena_printf(c->a, "%s %s",
                                    phrase(c->q->lang, PHRASE_NOT_FOUND), part);

    if (z == NULL)
        return ERR_NOMEM;
    render_words(r, z);
    return ERR_OK;
}

/* Which part it is, in its own words. */
static enum err part_head(struct render *r, const struct choice *c)
{
    const char *part = label_escaped(c->q->text, c->a);
    const char *z = part == NULL ? NULL : arena_printf(c->a, "**%s**", part);

    if (z == NULL)
        return ERR_NOMEM;
    render_words(r, z);
    return ERR_OK;
}

static enum err say_part(struct render *r, struct saying_list *s,
                         const struct choice *c, struct dissent *d,
                         size_t *held)
{
    size_t now = 0;
    enum err e;

    if (c->count == 0)
        return c->repeated ? ERR_OK : say_missing(r, c);
    e = c->parts > 1 ? part_head(r, c) : ERR_OK;
    if (e != ERR_OK)
        return e;
    if (c->related)
        render_words(r, phrase(c->q->lang, PHRASE_ONLY_CLOSE));
    e = say_under(r, c, s, &now);
    if (e == ERR_OK && now > 0)
        e = dissent_say(r, s, c, d);
    *held += now;
    return e;
}

static enum err render(struct saying_list *s, const struct choice *v,
                       size_t count, bool markers, struct units_answer *out)
{
    struct render r;
    struct dissent d[QUERY_PARTS_MAX];
    size_t held = 0;
    enum err e = render_init(&r, markers, s->count + 2 * count, s->a);

    for (size_t i = 0; e == ERR_OK && i < count; i++)
        e = say_part(&r, s, &v[i], &d[i], &held);
    if (e == ERR_OK && held == 0)
        e = ERR_NO_RESULT;
    if (e == ERR_OK)
        e = render_end(&r, &out->text, &out->sources, &out->source_count);
    if (e == ERR_OK)
        e = render_evidence(&r, &out->evidence, &out->evidence_count);
    out->verified = r.verified;
    render_fini(&r);
    return e;
}

enum err answer_say(struct choice *v, size_t count, bool markers,
                    struct arena *a, struct units_answer *out)
{
    struct saying_list *s = arena_alloc(a, sizeof(*s));
    enum err e = ERR_OK;

    if (s == NULL)
        return ERR_NOMEM;
    memset(s, 0, sizeof(*s));
    s->a = a;
    s->used = arena_array(a, USED_MAX, sizeof(*s->used));
    if (s->used == NULL)
        return ERR_NOMEM;
    memset(s->used, 0, USED_MAX * sizeof(*s->used));
    for (size_t k = 0; e == ERR_OK && k < count; k++) {
        struct choice *c = &v[k];

        c->said_from = s->count;
        for (size_t i = 0; e == ERR_OK && i < c->count; i++)
            e = unit_say(s, c->u, &c->v[i],
                         i > 0 && goes_on(c, &c->v[i - 1], &c->v[i]));
        c->said_to = s->count;
    }
    if (e == ERR_OK)
        e = render(s, v, count, markers, out);
    out->used = s->used;
    out->used_count = s->used_count;
    return e;
}

/* The passages of the best units, each once. */
enum err units_passages(const struct units *u, size_t max, struct arena *a,
                        struct ranked **out, size_t *count)
{
    struct saying_list s = {.a = a};

    s.used = arena_array(a, max + 1, sizeof(*s.used));
    if (s.used == NULL)
        return ERR_NOMEM;
    memset(s.used, 0, (max + 1) * sizeof(*s.used));
    for (size_t i = 0; i < u->count && s.used_count < max; i++) {
        const struct unit *x = &u->v[i];
        const struct candidate *c = u->parts[x->page][x->from].c;
        size_t before = s.used_count;

        used_add(&s, c);
        if (s.used_count > before)
            s.used[before].score = x->score;
    }
    *out = s.used;
    *count = s.used_count;
    return ERR_OK;
}
