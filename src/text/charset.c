/*
 * Bytes to UTF-8: html_to_utf8 of html.h. Labels mean what the WHATWG
 * Encoding standard says they mean (latin1 is windows-1252). iconv converts,
 * uchardet guesses only when nobody said anything usable.
 */
#include "base/str.h"
#include "text/html.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>
#include <uchardet.h>

enum {
    LABEL_MAX = 40,
    META_BYTES = 8192,   /* how far <meta> is looked for */
    GUESS_BYTES = 65536, /* how much the guess looks at */
    SURE_SEQUENCES = 3   /* well-formed ones overrule a wrong label */
};

static const char replacement[] = "\xEF\xBF\xBD";

/* Labels that are not names of iconv, or mean another encoding on the web
 * (Encoding standard, section 4.2). */
static const struct label {
    const char *label, *iconv_name;
} labels[] = {
    {"utf-8", "UTF-8"},
    {"utf8", "UTF-8"},
    {"unicode-1-1-utf-8", "UTF-8"},
    {"ascii", "WINDOWS-1252"},
    {"us-ascii", "WINDOWS-1252"},
    {"ansi_x3.4-1968", "WINDOWS-1252"},
    {"latin1", "WINDOWS-1252"},
    {"latin-1", "WINDOWS-1252"},
    {"l1", "WINDOWS-1252"},
    {"iso-8859-1", "WINDOWS-1252"},
    {"iso8859-1", "WINDOWS-1252"},
    {"iso88591", "WINDOWS-1252"},
    {"iso_8859-1", "WINDOWS-1252"},
    {"cp1252", "WINDOWS-1252"},
    {"cp819", "WINDOWS-1252"},
    {"ibm819", "WINDOWS-1252"},
    {"x-cp1252", "WINDOWS-1252"},
    {"windows-1252", "WINDOWS-1252"},
    {"latin2", "ISO-8859-2"},
    {"l2", "ISO-8859-2"},
    {"latin5", "WINDOWS-1254"},
    {"iso-8859-9", "WINDOWS-1254"},
    {"iso8859-9", "WINDOWS-1254"},
    {"iso_8859-9", "WINDOWS-1254"},
    {"x-cp1250", "WINDOWS-1250"},
    {"x-cp1251", "WINDOWS-1251"},
    {"x-cp1254", "WINDOWS-1254"},
    {"logical", "ISO-8859-8"},
    {"visual", "ISO-8859-8"},
    {"iso-8859-8-i", "ISO-8859-8"},
    {"iso-8859-8-e", "ISO-8859-8"},
    {"iso-8859-11", "CP874"},
    {"iso8859-11", "CP874"},
    {"tis-620", "CP874"},
    {"windows-874", "CP874"},
    {"dos-874", "CP874"},
    {"gb2312", "GB18030"},
    {"gb_2312", "GB18030"},
    {"gb_2312-80", "GB18030"},
    {"gbk", "GB18030"},
    {"x-gbk", "GB18030"},
    {"chinese", "GB18030"},
    {"csgb2312", "GB18030"},
    {"big5", "BIG5-HKSCS"},
    {"big5-hkscs", "BIG5-HKSCS"},
    {"x-x-big5", "BIG5-HKSCS"},
    {"cn-big5", "BIG5-HKSCS"},
    {"shift_jis", "CP932"},
    {"shift-jis", "CP932"},
    {"sjis", "CP932"},
    {"x-sjis", "CP932"},
    {"ms_kanji", "CP932"},
    {"windows-31j", "CP932"},
    {"euc-jp", "EUC-JP-MS"},
    {"x-euc-jp", "EUC-JP-MS"},
    {"iso-2022-jp", "ISO-2022-JP"},
    {"euc-kr", "UHC"},
    {"ks_c_5601-1987", "UHC"},
    {"ks_c_5601-1989", "UHC"},
    {"ksc5601", "UHC"},
    {"ksc_5601", "UHC"},
    {"korean", "UHC"},
    {"windows-949", "UHC"},
    {"koi", "KOI8-R"},
    {"koi8", "KOI8-R"},
    {"koi8-ru", "KOI8-U"},
    {"macintosh", "MACINTOSH"},
    {"mac", "MACINTOSH"},
    {"x-mac-roman", "MACINTOSH"},
    {"x-mac-cyrillic", "MAC-CYRILLIC"},
    {"utf-16", "UTF-16LE"},
    {"utf-16le", "UTF-16LE"},
    {"unicode", "UTF-16LE"},
    {"utf-16be", "UTF-16BE"},
};

/* Names that iconv knows and the web means as iconv does. */
static const char *const same_names[] = {
    "iso-8859-2",   "iso-8859-3",   "iso-8859-4",   "iso-8859-5",
    "iso-8859-6",   "iso-8859-7",   "iso-8859-8",   "iso-8859-10",
    "iso-8859-13",  "iso-8859-14",  "iso-8859-15",  "iso-8859-16",
    "windows-1250", "windows-1251", "windows-1253", "windows-1254",
    "windows-1255", "windows-1256", "windows-1257", "windows-1258",
    "cp1250",       "cp1251",       "cp1253",       "cp1254",
    "cp1255",       "cp1256",       "cp1257",       "cp1258",
    "koi8-r",       "koi8-u",       "gb18030",      "cp866",
    "ibm866",
};

/* The encoding a label stands for, NULL when it is none of the web's. */
static const char *encoding_of(struct str label)
{
    label = str_trim(label);
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
        if (str_ieq(label, labels[i].label))
            return labels[i].iconv_name;
    for (size_t i = 0; i < sizeof same_names / sizeof same_names[0]; i++)
        if (str_ieq(label, same_names[i]))
            return same_names[i];
    return NULL;
}

/* The label behind "charset" in one <meta> tag. */
static struct str label_in(const char *p, size_t n)
{
    const char *end = p + n, *at = mem_find_i(p, n, "charset");
    struct str label = {p, 0};

    if (at == NULL)
        return label;
    at += strlen("charset");
    while (at < end &&
           (ascii_is_space(*at) || *at == '=' || *at == '"' || *at == '\''))
        at++;
    label.p = at;
    while (at < end && label.n < LABEL_MAX && !ascii_is_space(*at) &&
           *at != '"' && *at != '\'' && *at != ';' && *at != '>' &&
           *at != '/') {
        at++;
        label.n++;
    }
    return label;
}

static const char *encoding_from_meta(const char *p, size_t n)
{
    const char *end = p + (n < META_BYTES ? n : META_BYTES);

    while (p < end) {
        const char *tag = mem_find_i(p, (size_t)(end - p), "<meta"), *gt;
        const char *found;

        if (tag == NULL)
            return NULL;
        gt = memchr(tag, '>', (size_t)(end - tag));
        if (gt == NULL)
            gt = end;
        found = encoding_of(label_in(tag, (size_t)(gt - tag)));
        if (found != NULL) /* readable as ASCII, so it cannot be UTF-16 */
            return strncmp(found, "UTF-16", 6) == 0 ? "UTF-8" : found;
        p = gt;
    }
    return NULL;
}

/* Sequences of more than one byte, well-formed and not. */
static void count_sequences(const char *p, size_t n, size_t *good, size_t *bad)
{
    *good = *bad = 0;
    for (size_t i = 0; i < n;) {
        uint32_t cp;
        size_t len;

        if ((unsigned char)p[i] < 0x80) {
            i++;
            continue;
        }
        len = utf8_decode(p + i, n - i, &cp);
        if (len > 1)
            (*good)++;
        else
            (*bad)++;
        i += len;
    }
}

static const char *guess(const char *p, size_t n)
{
    uchardet_t detector = uchardet_new();
    const char *found = NULL;

    if (detector == NULL)
        return NULL;
    if (uchardet_handle_data(detector, p, n < GUESS_BYTES ? n : GUESS_BYTES) ==
        0) {
        uchardet_data_end(detector);
        found = encoding_of(str_of(uchardet_get_charset(detector)));
    }
    uchardet_delete(detector);
    return found;
}

/* The encoding of bytes without a BOM. */
static const char *decide(const char *p, size_t n, const char *charset)
{
    const char *said = NULL, *found;
    size_t good, bad;

    count_sequences(p, n, &good, &bad);
    if (charset != NULL)
        said = encoding_of(str_of(charset));
    if (said == NULL)
        said = encoding_from_meta(p, n);
    if (said != NULL && strcmp(said, "UTF-8") != 0)
        return bad == 0 && good >= SURE_SEQUENCES ? "UTF-8" : said;
    if (bad == 0 || (said != NULL && good > bad))
        return "UTF-8";
    found = guess(p, n);
    if (found == NULL || strcmp(found, "UTF-8") == 0)
        found = good > bad ? "UTF-8" : "WINDOWS-1252";
    return found;
}

/* UTF-8 as it is when it is sound; else a copy in which malformed bytes and
 * NUL are U+FFFD. */
static enum err clean_utf8(const char *p, size_t n, struct arena *a,
                           const char **out, size_t *out_len)
{
    size_t bad = 0, len = 0;
    char *z;

    for (size_t i = 0; i < n;) {
        uint32_t cp = (unsigned char)p[i];
        size_t k = cp < 0x80 ? 1 : utf8_decode(p + i, n - i, &cp);

        bad += cp == 0 || (k == 1 && cp == 0xFFFD);
        i += k;
    }
    if (bad == 0) {
        *out = p;
        *out_len = n;
        return ERR_OK;
    }
    z = arena_alloc(a, n + bad * 2 + 1);
    if (z == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < n;) {
        uint32_t cp = (unsigned char)p[i];
        size_t k = cp < 0x80 ? 1 : utf8_decode(p + i, n - i, &cp);

        if (cp == 0 || (k == 1 && cp == 0xFFFD)) {
            memcpy(z + len, replacement, 3);
            len += 3;
        } else {
            memcpy(z + len, p + i, k);
            len += k;
        }
        i += k;
    }
    *out = z;
    *out_len = len;
    return ERR_OK;
}

/* Run the conversion; out NULL only counts. What has no meaning in the
 * source becomes U+FFFD, byte by byte. */
static size_t run_iconv(iconv_t cd, const char *p, size_t n, char *out)
{
    char scratch[4096], *from = (char *)(uintptr_t)p;
    size_t total = 0;

    iconv(cd, NULL, NULL, NULL, NULL);
    while (n > 0) {
        char *to = scratch;
        size_t room = sizeof scratch - 4;
        size_t r = iconv(cd, &from, &n, &to, &room);
        size_t made;

        if (r == (size_t)-1 && errno != E2BIG) {
            memcpy(to, replacement, 3);
            to += 3;
            from++;
            n--;
        }
        made = (size_t)(to - scratch);
        if (out != NULL)
            memcpy(out + total, scratch, made);
        total += made;
    }
    return total;
}

static enum err convert(const char *p, size_t n, const char *encoding,
                        struct arena *a, const char **out, size_t *out_len)
{
    iconv_t cd = iconv_open("UTF-8", encoding);
    size_t len;
    char *z;

    if (cd == (iconv_t)-1)
        return clean_utf8(p, n, a, out, out_len);
    len = run_iconv(cd, p, n, NULL);
    z = arena_alloc(a, len + 1);
    if (z != NULL)
        run_iconv(cd, p, n, z);
    iconv_close(cd);
    if (z == NULL)
        return ERR_NOMEM;
    for (char *nul = memchr(z, '\0', len); nul != NULL;
         nul = memchr(nul, '\0', len - (size_t)(nul - z)))
        *nul = ' ';
    *out = z;
    *out_len = len;
    return ERR_OK;
}

enum err html_to_utf8(const char *p, size_t n, const char *charset,
                      struct arena *a, const char **out, size_t *out_len)
{
    const char *encoding;

    if (n >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        return clean_utf8(p + 3, n - 3, a, out, out_len);
    if (n >= 2 && memcmp(p, "\xFF\xFE", 2) == 0)
        return convert(p + 2, n - 2, "UTF-16LE", a, out, out_len);
    if (n >= 2 && memcmp(p, "\xFE\xFF", 2) == 0)
        return convert(p + 2, n - 2, "UTF-16BE", a, out, out_len);
    encoding = decide(p, n, charset);
    if (strcmp(encoding, "UTF-8") == 0)
        return clean_utf8(p, n, a, out, out_len);
    return convert(p, n, encoding, a, out, out_len);
}
