/* Names and their hosts; see about.h. */
#include "research/about.h"

#include "base/str.h"
#include "lang/words.h"
#include "reading/unit.h"
#include "text/page_class.h"
#include "text/passage.h"
#include "text/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ASKED = 1000,      /* passages that hold a name */
    HOST_PERCENT = 25, /* of a host's pages that speak of what it is about */
    CUT_PERCENT = 8,   /* … where more passages hold it than were asked for */
    LABEL_MIN = 3, /* letters of a host's label that is a name's beginning */
    MENTIONED = 4, /* one of more names than that is only mentioned */
    VERSIONS_APART = 3 /* words from one version to the next, at most */
};

/* How many times as often passages of a host about a name hold it as those of
 * all others do; of one that is written like any other word. */
static const double LIFT = 8, LIFT_WORD = 50;
/* How many of its passages do at least; how many are enough, whatever others
 * do. */
static const double RATE_LEAST = 0.15, RATE_MOST = 0.5;

/* "postgres.example.org" for "postgresql": a label is the name or, if it is
 * not too short, its beginning. */
static bool is_called(const char *host, const char *term)
{
    size_t n = strlen(term);

    for (const char *z = host; *z != '\0';) {
        size_t len = strcspn(z, ".-");

        if (len >= LABEL_MIN && len <= n && strncmp(z, term, len) == 0 &&
            (len == n || 2 * len > n))
            return true;
        z += len + (z[len] != '\0');
    }
    return false;
}

/* By the word or its stem: "haproxy" has another end than its stem. */
static bool is_named(const char *host, const struct about_name *x)
{
    return is_called(host, x->term) ||
           (x->word != NULL && is_called(host, x->word));
}

static int by_page(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    int n = strcmp(a->host, b->host);

    return n != 0 ? n : a->page < b->page ? -1 : a->page > b->page;
}

static struct index_host_stats stats_of(const struct index_stats *s,
                                        const char *host)
{
    for (size_t i = 0; i < s->host_count; i++)
        if (strcmp(s->hosts[i].host, host) == 0)
            return s->hosts[i];
    return (struct index_host_stats){.host = host};
}

static enum err host_add(struct about_name *x, const char *host,
                         struct arena *a)
{
    if (x->host_count == ABOUT_HOSTS_MAX)
        return ERR_OK;
    x->hosts[x->host_count] = arena_strdup(a, host);
    return x->hosts[x->host_count++] == NULL ? ERR_NOMEM : ERR_OK;
}

/* How a term may be taken: as a name wherever it stands, or where hosts are
 * about it: the first word of a question, which has its capital anyway, or a
 * word without one, where a host is called so. */
enum naming { NO_NAME, NAME, FIRST_WORD, WORD };

/* How many passages and pages of a host hold a name; said: not only in their
 * title, as that of a distribution stands in those of all it ships. */
struct share {
    const char *host;
    struct index_host_stats all;
    int64_t pages;
    double passages, said, rate;
};

/* By the word or its stem, likewise. */
static bool says(const struct candidate *c, const struct about_name *x)
{
    const char *const forms[] = {x->term, x->word};
    size_t text = strlen(c->text), heading = strlen(c->heading);

    for (size_t i = 0; i < 2; i++)
        if (forms[i] != NULL &&
            (mem_find_i(c->text, text, forms[i]) != NULL ||
             mem_find_i(c->heading, heading, forms[i]) != NULL))
            return true;
    return false;
}

/* found is sorted by host and page; scale: how many times as many there are.
 */
static size_t shares_read(const struct about_name *name,
                          const struct candidate *found, size_t count,
                          double scale, const struct index_stats *s,
                          struct share *out)
{
    size_t n = 0;

    for (size_t i = 0, k; i < count; i = k) {
        struct share *x = &out[n++];

        *x = (struct share){.host = found[i].host,
                            .all = stats_of(s, found[i].host)};
        for (k = i; k < count && strcmp(found[k].host, x->host) == 0; k++) {
            x->pages += k == i || found[k].page != found[k - 1].page;
            x->said += says(&found[k], name) ? scale : 0;
        }
        x->passages = scale * (double)(k - i);
        x->rate = x->passages / (double)(x->all.passages + 1);
    }
    return n;
}

/* How often passages of other hosts hold it, those besides that are called
 * so. */
static double rate_elsewhere(const struct about_name *name,
                             const struct share *v, size_t n,
                             const struct share *x, const struct index_stats *s)
{
    int64_t all = s->passages;
    double found = 0;

    for (size_t i = 0; i < n; i++)
        if (&v[i] == x || is_named(v[i].host, name))
            all -= v[i].all.passages;
        else
            found += v[i].said;
    return found / (double)(all > 0 ? all + 1 : 1);
}

/* Is a host about the name? Many of its pages hold it, and its passages far
 * more often than those of others, or most of them do. */
static bool is_host(const struct about_name *name, enum naming naming,
                    const struct share *v, size_t n, const struct share *x,
                    int64_t percent, const struct index_stats *s)
{
    double least =
        rate_elsewhere(name, v, n, x, s) * (naming == NAME ? LIFT : LIFT_WORD);

    least = fmax(least, RATE_LEAST);
    return x->all.pages > 1 && 100 * x->pages >= percent * x->all.pages &&
           (x->rate >= least || (naming == NAME && x->rate >= RATE_MOST));
}

/* Those that bear the name come first: there is not room for any number. */
static enum err hosts_read(struct about_name *x, enum naming naming,
                           const struct candidate *found, size_t count,
                           double scale, const struct index_stats *s,
                           struct arena *a)
{
    int64_t percent = count >= ASKED ? CUT_PERCENT : HOST_PERCENT;
    struct share *v = arena_array(a, count + 1, sizeof(*v));
    size_t n = v == NULL ? 0 : shares_read(x, found, count, scale, s, v);
    enum err e = v == NULL ? ERR_NOMEM : ERR_OK;

    for (int others = 0; others < 2; others++)
        for (size_t i = 0; i < n && e == ERR_OK; i++) {
            bool named = is_named(v[i].host, x);

            if (named != (others == 0) || (others != 0 && naming == WORD))
                continue;
            if ((named && naming == NAME) ||
                is_host(x, naming, v, n, &v[i], percent, s))
                e = host_add(x, v[i].host, a);
        }
    return e;
}

/* Is a host called by the word? */
static bool is_borne(const struct about_name *x, const struct index_stats *s)
{
    for (size_t i = 0; i < s->host_count; i++)
        if (is_named(s->hosts[i].host, x))
            return true;
    return false;
}

static enum err name_read(struct about_name *x, enum naming naming,
                          const struct query *q, size_t i, struct db *index,
                          const struct index_filter *f,
                          const struct deadline *d, struct arena *a,
                          const struct index_stats *s, struct errctx *ec)
{
    struct candidate *found = NULL;
    int64_t df = 0, all;
    size_t count = 0;
    enum err e;

    x->term = arena_strdup(a, q->terms[i].text);
    if (x->term == NULL)
        return ERR_NOMEM;
    if (naming == WORD && !is_borne(x, s))
        return ERR_OK;
    e = index_query(index, &q->terms[i], 1, f, ASKED, d, a, &found, &count, ec);
    if (e == ERR_NO_RESULT)
        return ERR_OK;
    if (e != ERR_OK)
        return e;
    qsort(found, count, sizeof(*found), by_page);
    if (count >= ASKED)
        e = index_df(index, &q->terms[i], 1, &df, &all, ec);
    return e == ERR_OK ? hosts_read(x, naming, found, count,
                                    fmax(1, (double)df / (double)count), s, a)
                       : e;
}

static bool is_word(const char *z)
{
    bool letter = false;

    for (; *z != '\0'; z++)
        letter = letter || !strchr("0123456789.", *z);
    return letter;
}

/* A verb that orders a text is no name ("Give", "Write"), nor is what the text
 * is called ("Overview"), nor how much there is of something ("300km"). */
static enum naming naming_of(const struct query *q, size_t i)
{
    const struct report_words *w = report_words_of(q->lang);
    struct term_iter it;
    struct term t;
    bool number = false;

    terms_init_with(&it, q->stem, q->text, strlen(q->text));
    for (size_t n = 0; is_word(q->terms[i].text) && tokens_next(&it, &t); n++) {
        bool first = sentence_begins(q->text, t.start);
        bool no = report_list_has(w->orders, t.text) ||
                  report_list_has(w->forms, t.text) ||
                  report_list_has(w->asks, t.text) ||
                  report_list_has(w->persons, t.text) ||
                  (first && (report_list_has(w->starts, t.text) ||
                             report_list_has(w->covers, t.text)));

        no = no || unit_measures(t.text, number);
        number = unit_counts(t.text);

        token_stem(&it, &t);
        if (strcmp(t.text, q->terms[i].text) == 0)
            return no                         ? NO_NAME
                   : (q->names >> i & 1) != 0 ? NAME
                   : n == 0                   ? FIRST_WORD
                                              : WORD;
    }
    return NO_NAME;
}

/* Are most hosts called so, as those of one company are? Then it tells none
 * from others. */
static bool is_of_most(const char *word, const struct index_stats *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->host_count; i++)
        n += is_called(s->hosts[i].host, word);
    return s->host_count > 2 && 2 * n > s->host_count;
}

enum err about_read(const struct query *q, uint64_t aside, struct db *index,
                    const struct index_filter *f, const struct deadline *d,
                    struct arena *a, struct about *out, struct errctx *ec)
{
    struct index_stats s;
    enum err e = ERR_OK;

    memset(out, 0, sizeof(*out));
    memset(&s, 0, sizeof(s));
    if (index != NULL)
        e = index_stats(index, a, &s, ec);
    for (size_t i = 0; e == ERR_OK && i < q->term_count; i++) {
        struct about_name *x = &out->names[out->count];
        enum naming naming = naming_of(q, i);

        if (naming == NO_NAME || out->count == ABOUT_NAMES_MAX ||
            is_of_most(q->words[i], &s))
            continue;
        *x = (struct about_name){.term = q->terms[i].text, .word = q->words[i]};
        if (index != NULL)
            e = name_read(x, naming, q, i, index, f, d, a, &s, ec);
        x->is_aside = (aside >> i & 1) != 0;
        out->count += naming == NAME || x->host_count > 0;
    }
    return e;
}

static bool has_host(const struct about_name *x, const char *host)
{
    for (size_t i = 0; i < x->host_count; i++)
        if (strcmp(x->hosts[i], host) == 0)
            return true;
    return false;
}

static bool holds(const char *text, struct stemmer *stem, const char *term)
{
    struct term_iter it;
    struct term t;

    terms_init_with(&it, stem, text, strlen(text));
    while (terms_next(&it, &t))
        if (strcmp(t.text, term) == 0)
            return true;
    return false;
}

static bool is_about(const struct about_name *x, struct stemmer *stem,
                     const struct found_page *p)
{
    if (has_host(x, p->c->host) || is_named(p->c->host, x) ||
        holds(p->c->title, stem, x->term))
        return true;
    for (size_t i = 0; i < p->count; i++)
        if (holds(p->passages[i].heading, stem, x->term) ||
            (x->host_count == 0 && holds(p->passages[i].text, stem, x->term)))
            return true;
    return false;
}

/* Which names count for a part: with a host those that it holds; where it
 * holds none all with a host; where there is none all, unless they only stand
 * aside. What only other parts name is none of its. A bit each. */
static unsigned names_of(const struct about *x, const struct query *part)
{
    unsigned held = 0, hosted = 0, all = 0;
    bool asked = false;

    for (size_t i = 0; i < x->count; i++) {
        bool has = query_term(part, x->names[i].term) != 0;
        unsigned bit = has || !x->names[i].is_of_part ? 1u << i : 0;

        all |= bit;
        asked = asked || (bit != 0 && !x->names[i].is_aside);
        bit = x->names[i].host_count > 0 ? bit : 0;
        hosted |= bit;
        held |= has ? bit : 0;
    }
    return held != 0 ? held : hosted != 0 ? hosted : asked ? all : 0;
}

bool about_is(const struct about *x, const struct query *part,
              const struct found_page *page)
{
    unsigned names = names_of(x, part);
    bool good = names == 0;

    for (size_t i = 0; i < x->count && !good; i++)
        good =
            (names >> i & 1) != 0 && is_about(&x->names[i], part->stem, page);
    return good;
}

bool about_vouches(const struct about *x)
{
    size_t hosted = 0, all = 0;

    for (size_t i = 0; i < x->count; i++) {
        hosted += x->names[i].host_count > 0;
        all += x->names[i].host_count > 0 || !x->names[i].is_aside;
    }
    return hosted > 0 && MENTIONED * hosted >= all;
}

/* The hosts of those names, or of these alone that are called like it. */
static enum err hosts_rules(const struct about *x, unsigned names, bool called,
                            struct arena *a, struct domain_rules *out)
{
    struct domain_rule *v =
        arena_array(a, ABOUT_NAMES_MAX * ABOUT_HOSTS_MAX + 1, sizeof(*v));
    size_t n = 0;
    enum err e = v == NULL ? ERR_NOMEM : ERR_OK;

    for (size_t i = 0; i < x->count; i++)
        for (size_t k = 0; e == ERR_OK && k < x->names[i].host_count; k++) {
            const char *host = x->names[i].hosts[k];

            if ((names >> i & 1) == 0 ||
                (called && !is_named(host, &x->names[i])))
                continue;
            e = domain_rule_parse(host, strlen(host), a, &v[n]);
            n += e == ERR_OK;
        }
    *out = (struct domain_rules){v, n};
    return e;
}

enum err about_hosts(const struct about *x, const struct query *part,
                     struct arena *a, struct domain_rules *out)
{
    return hosts_rules(x, names_of(x, part), false, a, out);
}

unsigned about_borne(const struct about *x, const struct query *q)
{
    unsigned names = 0;

    for (size_t i = 0; i < x->count; i++)
        for (size_t k = 0; k < x->names[i].host_count; k++)
            if (query_term(q, x->names[i].term) != 0 &&
                is_named(x->names[i].hosts[k], &x->names[i]))
                names |= 1u << i;
    return names;
}

bool about_bears(const struct about *x, unsigned names, const char *host)
{
    for (size_t i = 0; i < x->count; i++)
        if ((names >> i & 1) != 0 && is_named(host, &x->names[i]))
            return true;
    return false;
}

bool about_calls(const struct about *x, size_t name)
{
    for (size_t i = 0; i < x->names[name].host_count; i++)
        if (about_bears(x, 1u << name, x->names[name].hosts[i]))
            return true;
    return false;
}

struct str about_host_of(const char *url)
{
    const char *z = strstr(url, "://");

    z = z == NULL ? url : z + 3;
    return (struct str){z, strcspn(z, "/:")};
}

bool about_has_page(const struct about *x, unsigned names, const char *url)
{
    struct str h = about_host_of(url);

    for (size_t i = 0; i < x->count; i++)
        for (size_t k = 0; (names >> i & 1) != 0 && k < x->names[i].host_count;
             k++)
            if (strlen(x->names[i].hosts[k]) == h.n &&
                memcmp(x->names[i].hosts[k], h.p, h.n) == 0)
                return true;
    return false;
}

bool about_bears_page(const struct about *x, unsigned names, const char *url)
{
    struct str h = about_host_of(url);
    char host[256];

    if (h.n >= sizeof(host))
        return false;
    memcpy(host, h.p, h.n);
    host[h.n] = '\0';
    return about_bears(x, names, host);
}

enum err about_bearers(const struct about *x, unsigned names, struct arena *a,
                       struct domain_rules *out)
{
    return hosts_rules(x, names, true, a, out);
}

bool about_hosted(const struct about *x, const char *term)
{
    for (size_t i = 0; i < x->count; i++)
        if (strcmp(x->names[i].term, term) == 0)
            return x->names[i].host_count > 0;
    return false;
}

/* The terms of q that are the name: a bit each. */
static uint64_t terms_of(const struct about_name *x, const struct query *q)
{
    uint64_t out = 0;

    for (size_t k = 0; k < q->term_count; k++)
        if (strcmp(x->term, q->terms[k].text) == 0)
            out |= (uint64_t)1 << k;
    return out;
}

void about_part(struct about *x, const struct query *q, uint64_t terms)
{
    for (size_t i = 0; i < x->count; i++)
        x->names[i].is_of_part = (terms_of(&x->names[i], q) & terms) != 0;
}

uint64_t about_unhosted(const struct about *x, const struct query *q)
{
    uint64_t out = 0;

    for (size_t i = 0; i < x->count; i++)
        out |= x->names[i].host_count == 0 ? terms_of(&x->names[i], q) : 0;
    return out;
}

uint64_t about_aside(const struct about *x, const struct query *q)
{
    uint64_t out = 0;

    for (size_t i = 0; i < x->count; i++)
        out |= x->names[i].is_aside ? terms_of(&x->names[i], q) : 0;
    return out & about_unhosted(x, q);
}

/* Do the title and the question share more than what its host is about? */
static bool is_titled(const struct about *x, const struct query *q,
                      uint64_t title)
{
    for (size_t i = 0; i < q->term_count; i++)
        if ((title >> i & 1) != 0 && is_word(q->terms[i].text) &&
            !about_hosted(x, q->terms[i].text))
            return true;
    return false;
}

/* Does a word of the address, behind its host, begin with one of the parts? */
static bool has_part(const char *url, const char *const *parts)
{
    const char *path = strstr(url, "://");

    path = path == NULL ? url : path + 3;
    path += strcspn(path, "/");
    for (; *parts != NULL; parts++)
        for (const char *z = path;
             (z = mem_find_i(z, strlen(z), *parts)) != NULL; z++)
            if (z == path || !ascii_is_alnum(z[-1]))
                return true;
    return false;
}

/* "1.8", "v2": not "300", nor an address. */
static bool is_version(const char *z)
{
    size_t dots = 0;

    for (const char *k = z; *k != '\0'; k++)
        dots += *k == '.';
    return *z == 'v' ? ascii_is_digit(z[1])
                     : ascii_is_digit(*z) && (dots == 1 || dots == 2);
}

/* Two versions with a word like "to" between them: "from Pump 1.8 to
 * Pump 1.14". */
static bool moves_version(const struct query *q, const struct report_words *w)
{
    char version[TERM_MAX + 1] = "";
    struct term_iter it;
    struct term t;
    bool to = false;
    size_t at = 0;

    terms_init(&it, q->text, strlen(q->text));
    for (size_t i = 0; tokens_next(&it, &t); i++) {
        to = to || report_list_has(w->onto, t.text);
        if (!is_version(t.text))
            continue;
        if (*version != '\0' && to && i - at <= VERSIONS_APART &&
            strcmp(t.text, version) != 0)
            return true;
        (void)snprintf(version, sizeof version, "%s", t.text);
        at = i;
        to = false;
    }
    return false;
}

/* A word that stands behind what was asked, "new in", "changes since": a stop
 * word, and none that begins who does what, "changes must we". */
static bool is_behind(const struct query *q, const struct report_words *w,
                      const struct term *t)
{
    return lang_is_stop(q->lang, t->text, t->len) &&
           !report_list_has(w->helps, t->text) &&
           !report_list_has(w->persons, t->text) &&
           !report_list_has(w->pronouns, t->text);
}

/* "What is new in it", "the changes in it": does a request ask for what a word
 * of change says, and not "what must we change" or "since we changed it"? */
static bool asks_what_changed(const struct query *q,
                              const struct report_words *w)
{
    const struct question_words *k = question_words_of(q->lang);
    bool asked = false, named = false, found = false;
    struct term_iter it;
    struct term t;

    terms_init(&it, q->text, strlen(q->text));
    while (tokens_next(&it, &t)) {
        bool altered = report_list_has(w->altered, t.text),
             changes = k != NULL && report_list_has(k->changes, t.text);

        if (found && (altered || changes || is_behind(q, w, &t)))
            return true;
        found = altered && (asked || (named && changes));
        named = report_list_has(w->articles, t.text);
        asked = report_list_has(w->asks, t.text) ||
                (asked && lang_is_stop(q->lang, t.text, t.len) &&
                 !report_list_has(w->persons, t.text) &&
                 !report_list_has(w->pronouns, t.text));
    }
    return found;
}

bool about_asks_for_changes(const struct query *q)
{
    const struct report_words *w = report_words_of(q->lang);
    bool altered = false;
    struct term_iter it;
    struct term t;

    terms_init(&it, q->text, strlen(q->text));
    while (tokens_next(&it, &t)) {
        if (report_list_has(w->altered, t.text))
            altered = true;
        else if (report_list_has(w->changes, t.text))
            return true;
    }
    /* Of a situation told at length, any word may be. */
    if (altered && (q->term_count > LONG_TERMS ? asks_what_changed(q, w)
                                               : query_asks_changes(q)))
        return true;
    return moves_version(q, w);
}

static const char *const changes[] = {"changelog", "changes",  "relnotes",
                                      "release",   "whatsnew", "history",
                                      "news",      NULL};

bool about_is_changes(const struct query *q, const struct found_page *page)
{
    return has_part(page->c->url, changes) && about_asks_for_changes(q);
}

bool about_is_listing(const struct about *x, const struct query *q,
                      bool of_changes, const struct found_page *page)
{
    static const char *const lists[] = {"genindex", "bookindex",     "sitemap",
                                        "toc.",     "keyword_index", "contents",
                                        NULL};

    if (has_part(page->c->url, changes) && !of_changes)
        return !is_titled(x, q, page->title);
    return has_part(page->c->url, lists) && !is_titled(x, q, page->title);
}

/* "Upgrading to 6.1", "What is new in 3.11": by its first words. */
static bool is_titled_changes(const struct query *q, const char *title)
{
    const struct report_words *w = report_words_of(q->lang);
    struct term_iter it;
    struct term t;

    terms_init(&it, title, strlen(title));
    return tokens_next(&it, &t) && report_list_has(w->changes, t.text);
}

bool about_lists(const struct query *q, const struct found_page *page)
{
    struct page_shape shape = {0};
    enum page_class class;

    for (size_t i = 0; i < page->count; i++)
        page_shape_add(&shape, page->passages[i].heading,
                       page->passages[i].text, page->passages[i].parts);
    class = page_shape_class(&shape, page->c->title);
    return class == PAGE_LINKS || class == PAGE_CODE ||
           ((class == PAGE_CHANGES || is_titled_changes(q, page->c->title)) &&
            !about_asks_for_changes(q));
}

/* Does the text hold a word that names those who make things, in the language
 * or in English, which addresses are in? */
static bool names_makers(enum lang l, struct str text)
{
    const char *own = report_words_of(l)->makers;
    const char *english = report_words_of(LANG_EN)->makers;
    struct term_iter it;
    struct term t;

    terms_init(&it, text.p, text.n);
    while (tokens_next(&it, &t))
        if ((own != NULL && report_list_has(own, t.text)) ||
            report_list_has(english, t.text))
            return true;
    return false;
}

bool about_is_of_makers(const struct query *q, const char *url,
                        const char *title)
{
    const char *path = about_host_of(url).p;

    path += strcspn(path, "/");
    return (names_makers(q->lang, str_of(path)) ||
            names_makers(q->lang, page_title(title))) && /* not its site's */
           !names_makers(q->lang, str_of(q->text));
}
