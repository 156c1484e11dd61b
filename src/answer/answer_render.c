/*
 * Cited text as Markdown; see answer_render.h. Each thing is written to its
 * place, read back from there and checked against its passage; what does not
 * hold is taken out again. Nothing touches the text behind that.
 */
#include "answer/answer_render.h"
#include "answer/answer_table.h"
#include "answer/label.h"
#include "answer/agree.h"
#include "answer/answer.h"
#include "page/injection.h"

#include "base/str.h"

#include <string.h>

enum {
    ANSWER_BYTES_MAX = 2 << 20,
    SNIPPET_BYTES_MAX = 500,
    MARK_DIGITS = 3,
    FENCE_MIN = 3
};

enum said_form said_form_of(char kind)
{
    return kind == 'c'                  ? SAID_CODE
           : kind == 'i' || kind == 'j' ? SAID_ITEM
           : kind == 'r'                ? SAID_ROW
                                        : SAID_BLOCK;
}

enum err render_init(struct render *r, bool markers, size_t max,
                     struct arena *a)
{
    *r = (struct render){.a = a, .markers = markers, .max = max};
    buf_init(&r->text, ANSWER_BYTES_MAX);
    r->sources = arena_array(a, max + 1, sizeof(*r->sources));
    r->kept = arena_array(a, max + 1, sizeof(*r->kept));
    return r->sources == NULL || r->kept == NULL ? ERR_NOMEM : ERR_OK;
}

void render_fini(struct render *r)
{
    buf_fini(&r->text);
}

/* --- sources ------------------------------------------------------------- */

/* The number of the page's source from 1; a new one is added. */
static size_t source_number(struct render *r, const struct candidate *c)
{
    for (size_t i = 0; i < r->source_count; i++)
        if (strcmp(r->sources[i].url, c->url) == 0)
            return i + 1;
    r->sources[r->source_count++] = source_of(c);
    return r->source_count;
}

static enum err keep(struct render *r, const struct said *s)
{
    if (r->kept_count == r->max)
        return ERR_INTERNAL;
    r->kept[r->kept_count++] = s;
    source_number(r, s->from);
    return ERR_OK;
}

/* The passage of s without what speaks to machines: it answers nobody. */
static const char *shown_of(struct render *r, const struct said *s)
{
    if (r->shown_of != s->from) {
        r->shown_of = s->from;
        r->shown = injection_mask(s->from->text, r->a);
    }
    return r->shown;
}

/* From kept[first] on the range of its passage that is cited, as long as it
 * fits and no order to machines stands in it; at least that one's, cut at a
 * character border. */
static const char *snippet_cut(struct render *r, size_t first)
{
    const struct said *s = r->kept[first];
    const char *text = s->from->text, *shown = shown_of(r, s);
    size_t start = s->start, end = s->start + s->len;

    for (size_t i = first + 1; i < r->kept_count; i++) {
        const struct said *o = r->kept[i];
        size_t lo = o->start < start ? o->start : start;
        size_t hi = o->start + o->len > end ? o->start + o->len : end;

        if (strcmp(o->from->url, s->from->url) == 0 &&
            strcmp(o->from->text, text) == 0 && hi - lo <= SNIPPET_BYTES_MAX &&
            shown != NULL && memcmp(text + lo, shown + lo, hi - lo) == 0) {
            start = lo;
            end = hi;
        }
    }
    return arena_strndup(
        r->a, text + start,
        utf8_cut(text + start, end - start, SNIPPET_BYTES_MAX));
}

/* --- numbers in brackets ------------------------------------------------- */

size_t mark_length(const char *z, size_t n, size_t i)
{
    size_t len = 1;

    if (z[i] != '[')
        return 0;
    while (i + len < n && len <= MARK_DIGITS && ascii_is_digit(z[i + len]))
        len++;
    return len > 1 && i + len < n && z[i + len] == ']' ? len + 1 : 0;
}

bool mark_hangs(const char *z, size_t i)
{
    while (i > 0 && z[i - 1] == ']')
        for (i--; i > 0 && z[i] != '[';)
            i--;
    return i > 0 && (ascii_is_alnum(z[i - 1]) || strchr("_)", z[i - 1]));
}

/* A sentence without the page's reference marks behind its end ("1889.[12]").
 * Those inside may be a value and stay. */
static struct str without_end_marks(struct str s)
{
    struct str bare = s;

    for (size_t i = s.n; i-- > 0 && bare.n - i <= MARK_DIGITS + 2;) {
        if (mark_length(bare.p, bare.n, i) != bare.n - i)
            continue;
        bare = str_trim((struct str){s.p, i});
        i = bare.n;
    }
    return sentence_is_closed(bare.p, bare.n) ? bare : s;
}

/* --- one thing ----------------------------------------------------------- */

/* A fence longer than any run of backquotes in the listing. */
static size_t fence_length(struct str code)
{
    size_t longest = FENCE_MIN - 1, run = 0;

    for (size_t i = 0; i < code.n; i++) {
        run = code.p[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest + 1;
}

static void fence_add(struct buf *b, size_t n)
{
    while (n-- > 0)
        buf_addc(b, '`');
}

static void code_add(struct buf *b, struct str code)
{
    size_t fence = fence_length(code);

    fence_add(b, fence);
    buf_addc(b, '\n');
    buf_add(b, code.p, code.n);
    buf_addc(b, '\n');
    fence_add(b, fence);
}

/* Where a backslash belongs into a line that begins with s, so that Markdown
 * takes it for no heading, item, quotation, rule or fence; s.n: nowhere. */
static size_t sign_at(struct str s)
{
    size_t n = 0, digits = 0;

    while (n < s.n && s.p[n] == s.p[0])
        n++;
    while (digits < s.n && ascii_is_digit(s.p[digits]))
        digits++;
    if (digits > 0)
        return digits < 10 && digits < s.n &&
                       strchr(".)", s.p[digits]) != NULL &&
                       (digits + 1 == s.n || s.p[digits + 1] == ' ')
                   ? digits
                   : s.n;
    if (n == 0 || strchr("#>-+*=`~", s.p[0]) == NULL)
        return s.n;
    if (s.p[0] == '>' || (strchr("`~", s.p[0]) != NULL && n >= FENCE_MIN) ||
        n == s.n)
        return 0;
    return s.p[n] == ' ' && strchr("#-+*", s.p[0]) != NULL ? 0 : s.n;
}

/* The words as they stand; with backslashes numbers in brackets that could be
 * taken for ours, and a sign that could begin a line of another kind. */
static void words_add(struct buf *b, struct str s, bool line)
{
    size_t sign = line ? sign_at(s) : s.n;

    for (size_t i = 0; i < s.n; i++) {
        size_t mark = mark_length(s.p, s.n, i);

        if (i == sign)
            buf_addc(b, '\\');
        if (mark == 0 || mark_hangs(s.p, i)) {
            buf_addc(b, s.p[i]);
            continue;
        }
        buf_addf(b, "\\[%.*s\\]", (int)(mark - 2), s.p + i + 1);
        i += mark - 1;
    }
}

/* Length of a number in brackets with backslashes at z[i], or 0. */
static size_t escaped_length(const char *z, size_t n, size_t i)
{
    size_t digits = 0;

    if (n - i < 2 || z[i] != '\\' || z[i + 1] != '[')
        return 0;
    while (i + 2 + digits < n && ascii_is_digit(z[i + 2 + digits]))
        digits++;
    i += 2 + digits;
    return digits > 0 && n - i >= 2 && z[i] == '\\' && z[i + 1] == ']'
               ? digits + 4
               : 0;
}

/* Where the backslash ahead of a sign stands in a line; n: nowhere. */
static size_t escaped_sign(const char *z, size_t n)
{
    size_t digits = 0;

    while (digits < n && ascii_is_digit(z[digits]))
        digits++;
    return digits + 1 < n && z[digits] == '\\' &&
                   strchr(digits > 0 ? ".)" : "#>-+*=`~", z[digits + 1]) != NULL
               ? digits
               : n;
}

/* What a reader of the Markdown at z reads there, as a copy; NULL: no memory.
 * The inverse of code_add and words_add. */
static char *read_back(const char *z, size_t n, enum said_form form,
                       struct arena *a)
{
    char *out = arena_alloc(a, n + 1);
    size_t len = 0, sign = escaped_sign(z, n);

    if (out == NULL)
        return NULL;
    if (form == SAID_CODE) {
        size_t fence = strspn(z, "`");

        return arena_strndup(a, z + fence + 1, n - 2 * (fence + 1));
    }
    for (size_t i = 0, end = 0; i < n; i++) {
        size_t mark = i < end ? 0 : escaped_length(z, n, i);

        end = mark > 0 ? i + mark : end;
        if (mark == 0 && i != sign && !(i + 2 == end && z[i] == '\\'))
            out[len++] = z[i];
    }
    out[len] = '\0';
    return out;
}

static bool is_item(const struct said *s)
{
    return s->form == SAID_ITEM || s->form == SAID_ROW;
}

static bool is_sentence(const struct said *s)
{
    return s->form == SAID_SENTENCE || s->form == SAID_POINT;
}

/* Does the passage bear out what was written to the text at `from`? t: as a
 * row of it, or NULL. */
static enum err check(struct render *r, const struct said *s, size_t from,
                      const struct answer_table *t, bool *holds)
{
    const char *shown = shown_of(r, s), *why = NULL;
    const char *z;
    size_t n;

    if (buf_err(&r->text) != ERR_OK)
        return buf_err(&r->text);
    z = read_back(r->text.data + from, r->text.len - from, s->form, r->a);
    if (z != NULL && t != NULL)
        z = table_row_read(t, str_of(z), r->a);
    if (z == NULL || shown == NULL)
        return ERR_NOMEM;
    n = strlen(z);
    if (is_sentence(s)) {
        *holds = n > 0 &&
                 (s->judged ? verify_judged(z, shown,
                                            (struct span){s->start, s->len},
                                            &why, r->a)
                            : verify_sentence(z, shown, &why, r->a));
        r->verified.held += *holds ? 1 : 0;
        r->verified.dropped += *holds ? 0 : 1;
        if (!*holds && r->verified.why == NULL)
            r->verified.why = why;
        return ERR_OK;
    }
    /* A name or lines as they stand, and no sentence. */
    *holds = n > 0 && n == s->len && s->start + s->len <= strlen(shown) &&
             memcmp(shown + s->start, z, n) == 0;
    return ERR_OK;
}

static void gap_add(struct render *r, const char *gap)
{
    if (r->text.len > 0)
        buf_adds(&r->text, gap);
}

/* Write s behind what is there. list: it goes on with a list. What stands
 * like a sentence joins the paragraph; a row or a title has its own line. */
static enum err said_add(struct render *r, const struct said *s, bool list,
                         bool *holds)
{
    size_t before = r->text.len, from;
    struct str words = str_of(s->text);
    bool closed, line, numbered;
    enum err e;

    if (s->form != SAID_CODE && s->form != SAID_BLOCK)
        words = str_trim(words);
    if (is_sentence(s))
        words = without_end_marks(words);
    list = list || (s->form == SAID_POINT && r->pointed);
    /* Readers of Markdown count on from a list's first number. */
    numbered = is_item(s) && s->number > 0 &&
               (!list || s->number == r->number + 1);
    closed = s->form == SAID_SENTENCE && sentence_is_closed(words.p, words.n);
    line = list || !closed || !r->open || s->apart;
    gap_add(r, list ? "\n" : line ? "\n\n" : " ");
    if (numbered)
        buf_addf(&r->text, "%zu. ", s->number);
    else if (is_item(s) || s->form == SAID_POINT)
        buf_adds(&r->text, "- ");
    from = r->text.len;
    if (s->form == SAID_CODE)
        code_add(&r->text, words);
    else
        words_add(&r->text, words, line);
    e = check(r, s, from, NULL, holds);
    if (e == ERR_OK && !*holds)
        buf_cut(&r->text, before);
    if (e == ERR_OK && *holds) {
        r->open = closed;
        r->pointed = s->form == SAID_POINT;
        r->number = numbered ? s->number : 0;
        e = keep(r, s);
    }
    return e;
}

/* How many of v[0..n) are rows of one table, which is *t; 0: none. */
static size_t rows_of(const struct said *v, size_t n, struct render *r,
                      struct answer_table *t)
{
    struct str *rows = arena_array(r->a, n, sizeof *rows);
    size_t count = 0;

    while (rows != NULL && count < n && v[count].form == SAID_ROW) {
        rows[count] = str_trim(str_of(v[count].text));
        count++;
    }
    return table_of(rows, count, t) ? count : 0;
}

/* A line of a table: its row, or with NULL its heads. */
static enum err line_add(struct render *r, const struct answer_table *t,
                         const struct said *row)
{
    struct buf line;
    enum err e;

    buf_init(&line, ANSWER_BYTES_MAX);
    if (row == NULL)
        table_head_add(t, &line);
    else
        table_row_add(t, str_trim(str_of(row->text)), &line);
    words_add(&r->text, (struct str){buf_str(&line), line.len}, false);
    e = buf_err(&line);
    buf_fini(&line);
    return e == ERR_OK ? buf_err(&r->text) : e;
}

/* v[0..n) as rows of the table; those that do not hold are left out. */
static enum err table_add(struct render *r, const struct answer_table *t,
                          const struct said *v, size_t n, size_t *held)
{
    size_t before = r->text.len;
    enum err e;

    gap_add(r, "\n\n");
    e = line_add(r, t, NULL);
    for (size_t i = 0; i < n && e == ERR_OK; i++) {
        size_t at = r->text.len, from;
        bool holds = false;

        buf_addc(&r->text, '\n');
        from = r->text.len;
        e = line_add(r, t, &v[i]);
        if (e == ERR_OK)
            e = check(r, &v[i], from, t, &holds);
        if (e == ERR_OK && holds)
            e = keep(r, &v[i]);
        else
            buf_cut(&r->text, at);
        *held += holds;
    }
    if (*held == 0)
        buf_cut(&r->text, before);
    r->open = r->pointed = false;
    return e;
}

/* The number of the last thing's source: in its line, or in the last cell of a
 * table, or on a line of its own behind a listing. */
static void number_add(struct render *r, const struct said *last, bool table)
{
    static const char end[] = " |";

    if (table)
        buf_cut(&r->text, r->text.len - (sizeof end - 1));
    buf_addf(&r->text, "%s[%zu]%s", last->form == SAID_CODE ? "\n\n" : " ",
             source_number(r, last->from), table ? end : "");
}

/* v[0..n) of which all go with the first; the number behind the last. */
static enum err group_add(struct render *r, const struct said *v, size_t n,
                          size_t *held)
{
    const struct said *last = NULL;
    bool in_table = false;
    enum err e = ERR_OK;

    for (size_t i = 0, k; i < n && e == ERR_OK; i += k) {
        struct answer_table t;
        bool list =
            last != NULL && !in_table && is_item(last) && is_item(&v[i]);
        bool holds = false;
        size_t now = 0;

        k = list && last->form == SAID_ROW ? 0 : rows_of(v + i, n - i, r, &t);
        if (k > 0) {
            e = table_add(r, &t, v + i, k, &now);
        } else {
            k = 1;
            e = said_add(r, &v[i], list, &holds);
            now = holds;
        }
        if (e != ERR_OK || (i == 0 && now == 0))
            return e; /* nothing is left that introduces the rest */
        if (now == 0)
            continue;
        in_table = k > 1;
        last = &v[i + k - 1];
        *held += now;
    }
    if (e == ERR_OK && last != NULL && r->markers)
        number_add(r, last, in_table);
    return e;
}

/* --- the whole ----------------------------------------------------------- */

enum err render_said(struct render *r, const struct said *v, size_t n,
                     size_t *held)
{
    size_t kept = 0;
    enum err e = ERR_OK;

    for (size_t i = 0, k; i < n && e == ERR_OK; i = k) {
        for (k = i + 1; k < n && v[k].goes_with &&
                        strcmp(v[k].from->url, v[i].from->url) == 0;)
            k++;
        e = group_add(r, v + i, k - i, &kept);
    }
    if (e == ERR_OK)
        e = buf_err(&r->text);
    if (e == ERR_OK && held != NULL)
        *held = kept;
    return e;
}

void render_words(struct render *r, const char *words)
{
    gap_add(r, "\n\n");
    buf_adds(&r->text, words);
    r->open = false;
}

enum err render_label(struct render *r, const char *label)
{
    const char *line = label_line(label, r->a);

    if (line == NULL)
        return ERR_NOMEM;
    render_words(r, line);
    return ERR_OK;
}

void render_heading(struct render *r, const char *title)
{
    gap_add(r, "\n\n");
    buf_addf(&r->text, "## %s", title);
    r->open = false;
}

void render_break(struct render *r)
{
    r->open = false;
}

/* Was the sentence said, as one of those kept? */
static bool was_said(const struct render *r, const struct said *s)
{
    for (size_t i = 0; i < r->kept_count; i++)
        if (r->kept[i]->from == s->from && r->kept[i]->start <= s->start &&
            s->start + s->len <= r->kept[i]->start + r->kept[i]->len)
            return true;
    return false;
}

/* Does it stand in the passage, outside of what speaks to machines? */
static enum err is_shown(struct render *r, const struct said *s, bool *shown)
{
    const char *z = shown_of(r, s);

    if (z == NULL)
        return ERR_NOMEM;
    *shown =
        *shown && memcmp(z + s->start, s->from->text + s->start, s->len) == 0;
    return ERR_OK;
}

enum err render_dissent(struct render *r, const struct said *said,
                        struct dissent_part *part)
{
    bool shown = was_said(r, &said[0]);
    enum err e = ERR_OK;

    for (size_t i = 0; e == ERR_OK && i < 2; i++)
        e = is_shown(r, &said[i], &shown);
    if (e != ERR_OK || !shown)
        return e;
    for (size_t i = 0; e == ERR_OK && i < 2; i++) {
        e = keep(r, &said[i]);
        part[i].number = r->markers ? source_number(r, said[i].from) : 0;
    }
    if (e != ERR_OK)
        return e;
    gap_add(r, r->open ? " " : "\n\n");
    agree_say(&r->text, part);
    r->open = true;
    return buf_err(&r->text);
}

enum err render_evidence(struct render *r, struct answer_evidence **out, size_t *count)
{
    struct answer_evidence *list =
        arena_array(r->a, r->kept_count + 1, sizeof(*list));

    if (list == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < r->kept_count; i++) {
        const struct said *s = r->kept[i];
        const char *quote =
            arena_strndup(r->a, s->from->text + s->start, s->len);

        if (quote == NULL)
            return ERR_NOMEM;
        list[i] = (struct answer_evidence){.text = s->text,
                                    .quote = quote,
                                    .source = source_number(r, s->from),
                                    .stored = s->from->page != 0,
                                    .start = s->from->start + s->start,
                                    .end = s->from->start + s->start + s->len,
                                    .kind = verdict_name(s->verdict)};
    }
    *out = list;
    *count = r->kept_count;
    return ERR_OK;
}

enum err render_end(struct render *r, const char **text,
                    struct source **sources, size_t *count)
{
    const char *z;

    if (buf_err(&r->text) != ERR_OK)
        return buf_err(&r->text);
    for (size_t i = 0; i < r->kept_count; i++) {
        struct source *s = &r->sources[source_number(r, r->kept[i]->from) - 1];

        if (s->snippet == NULL && (s->snippet = snippet_cut(r, i)) == NULL)
            return ERR_NOMEM;
    }
    z = arena_strndup(r->a, buf_str(&r->text), r->text.len);
    if (z == NULL)
        return ERR_NOMEM;
    *text = z;
    *sources = r->sources;
    *count = r->source_count;
    return ERR_OK;
}

/* --- for a terminal ------------------------------------------------------ */

static void line_plain(struct buf *b, const char *z, size_t n)
{
    size_t at = strncmp(z, "## ", 3) == 0  ? 3
                : strncmp(z, "- ", 2) == 0 ? 2
                                           : 0;
    size_t sign = at + escaped_sign(z + at, n - at);

    if (at == 2)
        buf_adds(b, "- ");
    for (size_t i = at; i < n; i++) {
        size_t mark = escaped_length(z, n, i);

        if (i == sign)
            continue;
        if (mark == 0) {
            buf_addc(b, z[i]);
            continue;
        }
        buf_addf(b, "[%.*s]", (int)(mark - 4), z + i + 2);
        i += mark - 1;
    }
}

void render_plain(const char *text, struct buf *b)
{
    size_t fence = 0;

    while (*text != '\0') {
        size_t n = strcspn(text, "\n"), ticks = strspn(text, "`");
        bool border =
            ticks >= FENCE_MIN && ticks == n && (fence == 0 || ticks == fence);

        if (border) {
            fence = fence == 0 ? ticks : 0;
            n += text[n] == '\n' && fence > 0 ? 1 : 0;
            text += n;
            if (fence == 0 && b->len > 0 && b->data[b->len - 1] == '\n')
                buf_cut(b, b->len - 1);
            continue;
        }
        if (fence > 0)
            buf_addf(b, "    %.*s", (int)n, text);
        else
            line_plain(b, text, n);
        text += n;
        if (*text == '\n') {
            buf_addc(b, '\n');
            text++;
        }
    }
}

/* --- a draft ------------------------------------------------------------- */

static struct said said_of(const struct cited_sentence *s,
                           const struct ranked *passages)
{
    return (struct said){.from = &passages[s->passage].c,
                         .text = s->text,
                         .start = s->start,
                         .len = s->len,
                         .form = s->form,
                         .apart = s->apart,
                         .goes_with = s->item,
                         .verdict = s->verdict,
                         .judged = s->judged};
}

enum err render_draft(struct render *r, const struct answer_draft *draft,
                      const struct ranked *passages, size_t *held)
{
    struct said *v = arena_array(r->a, draft->count + 1, sizeof(*v));

    if (v == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < draft->count; i++)
        v[i] = said_of(&draft->sentences[i], passages);
    return render_said(r, v, draft->count, held);
}

enum err answer_render(struct answer_draft *draft,
                       const struct ranked *passages, size_t count,
                       bool markers, struct arena *a, const char **text,
                       struct source **sources, size_t *source_count)
{
    struct render r;
    size_t held = 0;
    enum err e;

    for (size_t i = 0; i < draft->count; i++)
        if (draft->sentences[i].passage >= count)
            return ERR_INTERNAL;
    e = render_init(&r, markers, draft->count + 2, a);
    if (e == ERR_OK)
        e = render_draft(&r, draft, passages, &held);
    if (e == ERR_OK && held == 0)
        e = ERR_NO_RESULT;
    verify_tally_settle(&draft->verified, &r.verified);
    if (e == ERR_OK)
        e = render_end(&r, text, sources, source_count);
    if (e == ERR_OK)
        e = render_evidence(&r, &draft->evidence, &draft->evidence_count);
    render_fini(&r);
    return e;
}
