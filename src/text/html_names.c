/*
 * What class and id names say: the words that mark what is not main text, and
 * looking for many words at once; see html_parts.h.
 * A page has tens of thousands of names and the lists hold a hundred words,
 * so a name is read once. Called by the choice of main text and of the date.
 */
#include "text/html_parts.h"

#include <string.h>

enum { NAME_BYTES = 1000 };

/* Parts of class and id names, found anywhere in them; in strcmp order. */
static const char *const bad_parts[] = {"-nav",
                                        "-share",
                                        "_nav",
                                        "_share",
                                        "about-author",
                                        "action-bar",
                                        "addthis",
                                        "advert",
                                        "anzeige",
                                        "article-meta",
                                        "article__meta",
                                        "author-bio",
                                        "author-box",
                                        "author-info",
                                        "author_box",
                                        "authorbio",
                                        "authorbox",
                                        "authorinfo",
                                        "byline",
                                        "caption",
                                        "catlinks",
                                        "comment",
                                        "consent",
                                        "content-meta",
                                        "cookie",
                                        "cookiebanner",
                                        "copyright",
                                        "crumb",
                                        "disclaimer",
                                        "disclosure",
                                        "disqus",
                                        "entry-meta",
                                        "entry-utility",
                                        "entry__meta",
                                        "footer",
                                        "further-reading",
                                        "gdpr",
                                        "headerlink",
                                        "imprint",
                                        "jp-relatedposts",
                                        "kommentar",
                                        "login",
                                        "masthead",
                                        "mehr-zum",
                                        "menu",
                                        "metaline",
                                        "modal",
                                        "more-news",
                                        "morelink",
                                        "mw-editsection",
                                        "nav-",
                                        "navbar",
                                        "navfooter",
                                        "navheader",
                                        "navigation",
                                        "newreview",
                                        "newsletter",
                                        "noprint",
                                        "nosearch",
                                        "outbrain",
                                        "page-header-nav",
                                        "pagination",
                                        "paywall",
                                        "pingback",
                                        "popup",
                                        "post-author",
                                        "post-meta",
                                        "post-rating",
                                        "post-tags",
                                        "post-teaser",
                                        "post_teaser",
                                        "postmetadata",
                                        "prev-next",
                                        "print-only",
                                        "promo",
                                        "recipe-print",
                                        "recommend",
                                        "related",
                                        "respond",
                                        "saboxplugin",
                                        "screen-reader",
                                        "share-",
                                        "sharedaddy",
                                        "shariff",
                                        "sharing",
                                        "sidebar",
                                        "sign-up",
                                        "signup",
                                        "similar",
                                        "site-header",
                                        "skip-link",
                                        "skip-to",
                                        "skiplink",
                                        "social",
                                        "sponsor",
                                        "subscribe",
                                        "taboola",
                                        "tag-cloud",
                                        "tagcloud",
                                        "tagged",
                                        "three-column-summary",
                                        "titlearea",
                                        "toolbar",
                                        "trackback",
                                        "video-js",
                                        "viewcode",
                                        "vjs-",
                                        "weiterlesen",
                                        "werbung",
                                        "widget-area"};

/* Whole words of class and id names. */
static const char *const bad_words[] = {
    "ad",       "ads",       "adv",      "nav",       "share",   "shares",
    "tags",     "toc",       "meta",     "legal",     "rss",     "rating",
    "search",   "header",    "hidden",   "hide",      "sr-only", "credits",
    "topbar",   "bottombar", "feedback", "tools",     "widget",  "banner",
    "teasers",  "widgets",   "print",    "aside",     "flyout",  "overlay",
    "dropdown", "tabs",      "ttc",      "dynheader", "toplang", "bottomlang",
};

/* The first of the parts that begins with c or later. */
static size_t first_from(const char *const *parts, size_t count, char c)
{
    size_t lo = 0, hi = count;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;

        if (parts[mid][0] < c)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool starts_with(const char *z, const char *part)
{
    size_t i = 0;

    while (part[i] != '\0' && ascii_lower(z[i]) == part[i])
        i++;
    return part[i] == '\0';
}

/* begins: only at the beginning of a name or behind - and _. */
static bool has_part(const char *z, const char *const *parts, size_t count,
                     bool begins)
{
    for (size_t i = 0; z != NULL && z[i] != '\0' && i < NAME_BYTES; i++) {
        char c = ascii_lower(z[i]);

        if (begins && i > 0 && ascii_is_alnum(z[i - 1]))
            continue;
        for (size_t k = first_from(parts, count, c);
             k < count && parts[k][0] == c; k++)
            if (starts_with(z + i, parts[k]))
                return true;
    }
    return false;
}

bool html_name_has(const char *z, const char *const *parts, size_t count)
{
    return has_part(z, parts, count, false);
}

bool html_name_begins(const char *z, const char *const *parts, size_t count)
{
    return has_part(z, parts, count, true);
}

static bool is_word_char(char c)
{
    return ascii_is_alnum(c) || c == '-' || c == '_';
}

/* Words are what spaces separate. but: one that is none of them, or NULL. */
static bool has_word(const char *z, const char *but)
{
    const char *end = z + strnlen(z, NAME_BYTES);

    while (z < end) {
        struct str word = {z, 0};

        while (is_word_char(word.p[word.n]))
            word.n++;
        for (size_t i = 0; i < sizeof bad_words / sizeof bad_words[0]; i++)
            if (str_ieq(word, bad_words[i]) &&
                (but == NULL || !str_ieq(word, but)))
                return true;
        z += word.n;
        while (*z != '\0' && !is_word_char(*z))
            z++;
    }
    return false;
}

bool html_name_is_bad(const char *z)
{
    return html_name_has(z, bad_parts, sizeof bad_parts / sizeof *bad_parts) ||
           has_word(z, NULL);
}

bool html_name_begins_badly(const char *z)
{
    return html_name_begins(z, bad_parts,
                            sizeof bad_parts / sizeof *bad_parts) ||
           has_word(z, "header");
}
