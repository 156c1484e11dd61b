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
    META_BYTES = 8192,   /* how far a declaration is looked for */
    GUESS_BYTES = 65536, /* how much the guess looks at */
    SURE_SEQUENCES = 3   /* well-formed ones overrule a wrong label */
};

static const char replacement[] = "\xEF\xBF\xBD";

/* Every label of the Encoding standard (section 4.2) but those it gives no
 * meaning, between spaces, with the name that iconv has for its encoding. */
static const struct encoding {
    const char *iconv_name, *labels;
} encodings[] = {
    {"UTF-8", " unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 "
              "x-unicode20utf8 "},
    {"IBM866", " 866 cp866 csibm866 ibm866 "},
    {"ISO-8859-2", " csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 "
                   "iso_8859-2 iso_8859-2:1987 l2 latin2 "},
    {"ISO-8859-3", " csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 "
                   "iso_8859-3 iso_8859-3:1988 l3 latin3 "},
    {"ISO-8859-4", " csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 "
                   "iso_8859-4 iso_8859-4:1988 l4 latin4 "},
    {"ISO-8859-5",
     " csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 "
     "iso88595 iso_8859-5 iso_8859-5:1988 "},
    {"ISO-8859-6", " arabic asmo-708 csiso88596e csiso88596i csisolatinarabic "
                   "ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 "
                   "iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 "},
    {"ISO-8859-7", " csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 "
                   "iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 "
                   "sun_eu_greek "},
    {"ISO-8859-8",
     " csiso88598e csiso88598i csisolatinhebrew hebrew iso-8859-8 "
     "iso-8859-8-e iso-8859-8-i iso-ir-138 iso8859-8 iso88598 "
     "iso_8859-8 iso_8859-8:1988 logical visual "},
    {"ISO-8859-10",
     " csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 "
     "latin6 "},
    {"ISO-8859-13", " iso-8859-13 iso8859-13 iso885913 "},
    {"ISO-8859-14", " iso-8859-14 iso8859-14 iso885914 "},
    {"ISO-8859-15",
     " csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9 "},
    {"ISO-8859-16", " iso-8859-16 "},
    {"KOI8-R", " cskoi8r koi koi8 koi8-r koi8_r "},
    {"KOI8-U", " koi8-ru koi8-u "},
    {"MACINTOSH", " csmacintosh mac macintosh x-mac-roman "},
    {"MAC-CYRILLIC", " x-mac-cyrillic x-mac-ukrainian "},
    {"CP874", " dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874 "},
    {"WINDOWS-1250", " cp1250 windows-1250 x-cp1250 "},
    {"WINDOWS-1251", " cp1251 windows-1251 x-cp1251 "},
    {"WINDOWS-1252", " ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 "
                     "iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 "
                     "iso_8859-1:1987 l1 latin1 latin-1 us-ascii windows-1252 "
                     "x-cp1252 x-user-defined "},
    {"WINDOWS-1253", " cp1253 windows-1253 x-cp1253 "},
    {"WINDOWS-1254",
     " cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 "
     "iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254 "},
    {"WINDOWS-1255", " cp1255 windows-1255 x-cp1255 "},
    {"WINDOWS-1256", " cp1256 windows-1256 x-cp1256 "},
    {"WINDOWS-1257", " cp1257 windows-1257 x-cp1257 "},
    {"WINDOWS-1258", " cp1258 windows-1258 x-cp1258 "},
    {"GB18030", " chinese csgb2312 csiso58gb231280 gb18030 gb2312 gb_2312 "
                "gb_2312-80 gbk iso-ir-58 x-gbk "},
    {"BIG5-HKSCS", " big5 big5-hkscs cn-big5 csbig5 x-x-big5 "},
    {"EUC-JP-MS", " cseucpkdfmtjapanese euc-jp x-euc-jp "},
    {"ISO-2022-JP", " csiso2022jp iso-2022-jp "},
    {"CP932", " csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j "
              "x-sjis "},
    {"UHC", " cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 "
            "ks_c_5601-1989 ksc5601 ksc_5601 windows-949 "},
    {"UTF-16BE", " unicodefffe utf-16be "},
    {"UTF-16LE", " csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 "
                 "utf-16le "},
};

/* The encoding a label stands for, NULL when it is none of the web's. */
static const char *encoding_of(struct str label)
{
    char word[LABEL_MAX + 3];

    label = str_trim(label);
    if (label.n == 0 || label.n > LABEL_MAX)
        return NULL;
    word[0] = ' ';
    for (size_t i = 0; i < label.n; i++)
        word[i + 1] = ascii_lower(label.p[i]);
    memcpy(word + label.n + 1, " ", 2);
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++)
        if (strchr(word + 1, ' ') == word + label.n + 1 &&
            strstr(encodings[i].labels, word) != NULL)
            return encodings[i].iconv_name;
    return NULL;
}

/* The label behind the key in one tag. */
static struct str label_in(const char *p, size_t n, const char *key)
{
    const char *end = p + n, *at = mem_find_i(p, n, key);
    struct str label = {p, 0};

    if (at == NULL)
        return label;
    at += strlen(key);
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

static const char *encoding_in_tag(const char *tag, size_t n, const char *key)
{
    const char *found = encoding_of(label_in(tag, n, key));

    /* Readable as ASCII, so it cannot be UTF-16. */
    return found != NULL && strncmp(found, "UTF-16", 6) == 0 ? "UTF-8" : found;
}

/* What an XML declaration or a <meta> says (section 13.2.3.2 of HTML). */
static const char *encoding_from_tags(const char *p, size_t n)
{
    const char *end = p + (n < META_BYTES ? n : META_BYTES), *gt;
    const char *found = NULL;

    if (end - p > 5 && memcmp(p, "<?xml", 5) == 0 &&
        (gt = memchr(p, '>', (size_t)(end - p))) != NULL)
        found = encoding_in_tag(p, (size_t)(gt - p), "encoding");
    while (found == NULL &&
           (p = mem_find_i(p, (size_t)(end - p), "<meta")) != NULL) {
        gt = memchr(p, '>', (size_t)(end - p));
        if (gt == NULL)
            gt = end;
        found = encoding_in_tag(p, (size_t)(gt - p), "charset");
        p = gt;
    }
    return found;
}

/* Bytes at p[i..n) before the next NUL or byte above 127, eight at a time. */
static size_t ascii_run(const char *p, size_t i, size_t n)
{
    const uint64_t ones = 0x0101010101010101u, high = ones << 7;
    size_t from = i;
    uint64_t w;

    for (; i + sizeof w <= n; i += sizeof w) {
        memcpy(&w, p + i, sizeof w);
        if (((w | ((w - ones) & ~w)) & high) != 0)
            break;
    }
    while (i < n && (unsigned char)p[i] < 0x80 && p[i] != '\0')
        i++;
    return i - from;
}

/* Sequences of more than one byte, well-formed and not. */
static void count_sequences(const char *p, size_t n, size_t *good, size_t *bad)
{
    *good = *bad = 0;
    for (size_t i = ascii_run(p, 0, n); i < n; i += ascii_run(p, i, n)) {
        uint32_t cp;
        size_t len = utf8_decode(p + i, n - i, &cp);

        if (len > 1)
            (*good)++;
        else
            *bad += p[i] != '\0';
        i += len;
    }
}

/* What the bytes look like; of encodings that no label of the web names, too.
 */
static const char *guess(const char *p, size_t n)
{
    static const char *const others[] = {"UHC",        "IBM852", "IBM855",
                                         "EUC-TW",     "VISCII", "MAC-CYRILLIC",
                                         "ISO-2022-KR"};
    uchardet_t detector = uchardet_new();
    const char *found = NULL;

    if (detector == NULL)
        return NULL;
    if (uchardet_handle_data(detector, p, n < GUESS_BYTES ? n : GUESS_BYTES) ==
        0) {
        uchardet_data_end(detector);
        found = encoding_of(str_of(uchardet_get_charset(detector)));
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            if (strcmp(uchardet_get_charset(detector), others[i]) == 0)
                found = others[i];
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
        said = encoding_from_tags(p, n);
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

    for (size_t i = ascii_run(p, 0, n); i < n; i += ascii_run(p, i, n)) {
        uint32_t cp;
        size_t k = utf8_decode(p + i, n - i, &cp);

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
    for (bool more = true; more;) {
        char *to = scratch;
        size_t room = sizeof scratch - 4;
        size_t r, made;

        /* What a decoder holds back for a mark that may follow comes last. */
        more = n > 0;
        r = more ? iconv(cd, &from, &n, &to, &room)
                 : iconv(cd, NULL, NULL, &to, &room);
        if (more && r == (size_t)-1 && errno != E2BIG) {
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
    if (n >= 4 && p[0] == '<' && p[1] == '\0' && p[3] == '\0')
        return convert(p, n, "UTF-16LE", a, out, out_len);
    if (n >= 4 && p[0] == '\0' && p[1] == '<' && p[2] == '\0')
        return convert(p, n, "UTF-16BE", a, out, out_len);
    encoding = decide(p, n, charset);
    if (strcmp(encoding, "UTF-8") == 0)
        return clean_utf8(p, n, a, out, out_len);
    return convert(p, n, encoding, a, out, out_len);
}
