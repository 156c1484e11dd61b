/*
 * Pages that are no content: challenges to prove to be human, consent walls,
 * error pages served as if they were pages; page_is_refusal of html.h. Looks
 * at the title and the text only, and only when there is little text: an
 * article about any of these has more to say.
 */
#include "text/html.h"

#include "base/str.h"

#include <string.h>

enum {
    TEXT_MAX = 1000,  /* bytes: a page with more is content */
    TITLE_ONLY = 500, /* with so little text a title alone decides */
    TEXT_ONLY = 300,  /* with so little the text alone does */
    TITLE_MAX = 160,
    TITLE_REST = 48, /* of a title besides the phrase: a site's name */
    CONSENT_WORDS = 4
};

struct phrases {
    const char *why;
    const char *const *titles; /* a title begins with one; NULL at the end */
    const char *const *texts;  /* the text holds one */
};

static const char *const challenge_titles[] = {
    "just a moment",
    "attention required",
    "checking your browser",
    "one more step",
    "verify you are human",
    "are you a robot",
    "are you human",
    "human verification",
    "bot verification",
    "robot check",
    "security check",
    "security verification",
    "pardon our interruption",
    "please wait",
    "ddos-guard",
    "ddos protection",
    "captcha",
    "nur einen moment",
    "un momento",
    "un instant",
    NULL,
};

static const char *const challenge_texts[] = {
    "enable javascript and cookies to continue",
    "checking your browser before",
    "checking if the site connection is secure",
    "needs to review the security of your connection",
    "verify you are human",
    "verifying you are human",
    "verify that you are not a robot",
    "verify you are not a robot",
    "confirm you are human",
    "confirm that you are human",
    "you're not a robot",
    "you are not a robot",
    "complete the security check",
    "complete the captcha",
    "solve the captcha",
    "enter the characters you see",
    "unusual traffic from your computer network",
    "press & hold to confirm",
    "please enable cookies and reload",
    "please turn javascript on and reload",
    "something about your browser made us think",
    "performance & security by cloudflare",
    NULL,
};

static const char *const script_texts[] = {
    "you need to enable javascript to run this app",
    "please enable javascript",
    "enable javascript to continue",
    "javascript is disabled in your browser",
    "javascript is not enabled",
    "javascript must be enabled",
    "this site requires javascript",
    "this page requires javascript",
    "requires javascript to work",
    "bitte aktivieren sie javascript",
    "veuillez activer javascript",
    NULL,
};

static const char *const denied_titles[] = {
    "access denied",
    "access to this page has been denied",
    "403 forbidden",
    "403 error",
    "403",
    "401 unauthorized",
    "forbidden",
    "unauthorized",
    "request blocked",
    "you have been blocked",
    "too many requests",
    "429 too many requests",
    "error 403",
    "zugriff verweigert",
    "acc\303\250s refus\303\251",
    "acceso denegado",
    NULL,
};

static const char *const denied_texts[] = {
    "you don't have permission to access",
    "you do not have permission to access",
    "you have been blocked",
    "access to this page has been denied",
    "access denied",
    "your request has been blocked",
    "the request could not be satisfied",
    NULL,
};

static const char *const error_titles[] = {
    "404 not found",
    "404 error",
    "404 page not found",
    "404",
    "page not found",
    "not found",
    "error 404",
    "error 500",
    "error 502",
    "error 503",
    "500 internal server error",
    "502 bad gateway",
    "503 service unavailable",
    "503 service temporarily unavailable",
    "504 gateway time-out",
    "504 gateway timeout",
    "internal server error",
    "bad gateway",
    "service unavailable",
    "service temporarily unavailable",
    "gateway time-out",
    "gateway timeout",
    "this page could not be found",
    "page unavailable",
    "http error 404",
    "http error 503",
    "http status 404",
    "seite nicht gefunden",
    "page introuvable",
    "page non trouv\303\251e",
    "p\303\241gina no encontrada",
    "pagina non trovata",
    NULL,
};

static const char *const error_texts[] = {
    "requested url was not found",
    "page you requested was not found",
    "page you requested could not be found",
    "page you are looking for",
    "page you were looking for",
    "page you're looking for",
    "page cannot be found",
    "page could not be found",
    "page can't be found",
    "page does not exist",
    "page doesn't exist",
    "404 not found",
    "404 page not found",
    "seite wurde nicht gefunden",
    "seite konnte nicht gefunden",
    "angeforderte seite",
    "page demand\303\251e",
    "p\303\241gina que busca",
    NULL,
};

static const char *const no_titles[] = {NULL};

static const struct phrases kinds[] = {
    {"a challenge page", challenge_titles, challenge_texts},
    {"an access-denied page", denied_titles, denied_texts},
    {"an error page", error_titles, error_texts},
    {"a page that only scripts would fill", no_titles, script_texts},
};

/* Words of consent walls; several of them make one. */
static const char *const consent_words[] = {
    "cookie",
    "consent",
    "privacy policy",
    "accept all",
    "reject all",
    "we value",
    "our partners",
    "legitimate interest",
    "before you continue",
    "advertising",
    "personalis",
    "personaliz",
    "preferences",
    "zustimm",
    "einwillig",
    "akzeptieren",
    "datenschutz",
    "accepter",
    "partenaires",
    "aceptar",
};

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
    for (size_t i = 0; i < sizeof consent_words / sizeof *consent_words; i++) {
        size_t n = count_of(text->z, consent_words[i]);

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
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        bool named = begins_with_one(&title, kinds[i].titles);
        bool said = holds_one(&text, kinds[i].texts);

        if ((named && (said || text.n <= TITLE_ONLY)) ||
            (said && text.n <= TEXT_ONLY)) {
            *why = kinds[i].why;
            return true;
        }
    }
    if (!is_consent_wall(&title, &text))
        return false;
    *why = "a consent wall";
    return true;
}
