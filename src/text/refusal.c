/*
 * Pages that are no content: challenges to prove to be human, consent walls,
 * error pages served as if they were pages; page_is_refusal of html.h. Looks
 * at the title and the text only, and only when there is little text: an
 * article about any of these has more to say. The phrases are data
 * (text/lang.h).
 */
#include "text/html.h"

#include "base/str.h"
#include "text/lang.h"

#include <string.h>

enum {
    TEXT_MAX = 1000,  /* bytes: a page with more is content */
    TITLE_ONLY = 500, /* with so little text a title alone decides */
    TEXT_ONLY = 300,  /* with so little the text alone does */
    TITLE_MAX = 160,
    TITLE_REST = 48, /* of a title besides the phrase: a site's name */
    CONSENT_WORDS = 4
};

/* What the kinds are called. */
static const char *const names[PAGE_KINDS] = {
    [PAGE_CHALLENGE] = "a challenge page",
    [PAGE_DENIED] = "an access-denied page",
    [PAGE_ERROR] = "an error page",
    [PAGE_SCRIPT] = "a page that only scripts would fill",
    [PAGE_CONSENT] = "a consent wall"};

/* Title or text in lower case, white space folded, apostrophes straight. */
struct plain {
    char z[TEXT_MAX + 8];
    size_t n;
};

static void add_plain(struct plain *p, const char *z)
{
    while (*z != '\0' && p->n < TEXT_MAX) {
        if (strncmp(z, "\342\200\231", 3) == 0) {
            p->z[p->n++] = '\'';
            z += 3;
        } else if (ascii_is_space(*z)) {
            if (p->n > 0 && p->z[p->n - 1] != ' ')
                p->z[p->n++] = ' ';
            z++;
        } else {
            p->z[p->n++] = ascii_lower(*z++);
        }
    }
    if (p->n > 0 && p->z[p->n - 1] != ' ')
        p->z[p->n++] = ' ';
    p->z[p->n] = '\0';
}

/* Behind the phrase may stand punctuation and a site's name. */
static bool begins_with_one(const struct plain *title, const char *const *list)
{
    for (; *list != NULL; list++) {
        size_t n = strlen(*list), at = n;

        if (strncmp(title->z, *list, n) != 0 || title->n > n + TITLE_REST)
            continue;
        while (title->z[at] == ' ')
            at++;
        if (!ascii_is_alnum(title->z[at]))
            return true;
    }
    return false;
}

static bool holds_one(const struct plain *text, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strstr(text->z, *list) != NULL)
            return true;
    return false;
}

static size_t count_of(const char *z, const char *word)
{
    size_t n = 0;

    for (; (z = strstr(z, word)) != NULL; z += strlen(word))
        n++;
    return n;
}

/* Cookies and consent and hardly anything else; a title that names them
 * announces a text about them. */
static bool is_consent_wall(const struct plain *title, const struct plain *text)
{
    size_t hits = 0, kinds_hit = 0;

    if (strstr(title->z, "cookie") != NULL ||
        strstr(title->z, "consent") != NULL ||
        strstr(title->z, "privacy") != NULL ||
        strstr(title->z, "datenschutz") != NULL)
        return false;
    for (const char *const *word = page_phrases[PAGE_CONSENT].texts;
         *word != NULL; word++) {
        size_t n = count_of(text->z, *word);

        hits += n;
        kinds_hit += n > 0;
    }
    return kinds_hit >= CONSENT_WORDS && hits * 60 >= text->n &&
           count_of(text->z, "cookie") > 0;
}

bool page_is_refusal(const struct page_doc *doc, const char **why)
{
    struct plain title = {.n = 0}, text = {.n = 0};

    for (size_t i = 0; i < doc->block_count && text.n < TEXT_MAX; i++)
        add_plain(&text, doc->blocks[i].text);
    if (text.n >= TEXT_MAX || strlen(doc->title) > TITLE_MAX)
        return false;
    add_plain(&title, doc->title);
    for (int i = 0; i < PAGE_CONSENT; i++) {
        bool named = begins_with_one(&title, page_phrases[i].titles);
        bool said = holds_one(&text, page_phrases[i].texts);

        if ((named && (said || text.n <= TITLE_ONLY)) ||
            (said && text.n <= TEXT_ONLY)) {
            *why = names[i];
            return true;
        }
    }
    if (!is_consent_wall(&title, &text))
        return false;
    *why = names[PAGE_CONSENT];
    return true;
}
