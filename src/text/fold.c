/*
 * Character classes and folding; see fold.h. The tables hold facts of the
 * Unicode character database (general category, simple case mapping,
 * canonical decomposition), merged to ranges where unassigned code points
 * allow it.
 */
#include "text/fold.h"

#include "base/str.h"

#include <string.h>

struct range {
    uint32_t lo, hi;
};

/* Code points from 0x80 on that end a token, in order. */
static const struct range breaks[] = {
    {0x80, 0xA9},        {0xAB, 0xB4},       {0xB6, 0xB9},
    {0xBB, 0xBF},        {0xD7, 0xD7},       {0xF7, 0xF7},
    {0x2C2, 0x2C5},      {0x2D2, 0x2DF},     {0x2E5, 0x2EB},
    {0x2ED, 0x2ED},      {0x2EF, 0x2FF},     {0x375, 0x375},
    {0x37E, 0x37E},      {0x384, 0x385},     {0x387, 0x387},
    {0x3F6, 0x3F6},      {0x482, 0x482},     {0x55A, 0x55F},
    {0x589, 0x58F},      {0x5BE, 0x5BE},     {0x5C0, 0x5C0},
    {0x5C3, 0x5C3},      {0x5C6, 0x5C6},     {0x5F3, 0x60F},
    {0x61B, 0x61F},      {0x66A, 0x66D},     {0x6D4, 0x6D4},
    {0x6DD, 0x6DE},      {0x6E9, 0x6E9},     {0x6FD, 0x6FE},
    {0x700, 0x70F},      {0x7F6, 0x7F9},     {0x830, 0x83E},
    {0x964, 0x965},      {0x970, 0x970},     {0x9F2, 0x9FB},
    {0xAF0, 0xAF1},      {0xB70, 0xB77},     {0xBF0, 0xBFA},
    {0xC77, 0xC7F},      {0xDF4, 0xDF4},     {0xE3F, 0xE3F},
    {0xE4F, 0xE4F},      {0xE5A, 0xE5B},     {0xF01, 0xF17},
    {0xF1A, 0xF1F},      {0xF2A, 0xF34},     {0xF3A, 0xF3D},
    {0xFBE, 0xFC5},      {0xFC7, 0xFDA},     {0x104A, 0x104F},
    {0x10FB, 0x10FB},    {0x1360, 0x137C},   {0x1390, 0x1400},
    {0x166D, 0x166E},    {0x1680, 0x1680},   {0x169B, 0x169C},
    {0x16EB, 0x16ED},    {0x1735, 0x1736},   {0x17D4, 0x17D6},
    {0x17D8, 0x17DB},    {0x17F0, 0x180A},   {0x180E, 0x180E},
    {0x1940, 0x1945},    {0x19DA, 0x19FF},   {0x1A1E, 0x1A1F},
    {0x1AA0, 0x1AAD},    {0x1B5A, 0x1B6A},   {0x1B74, 0x1B7E},
    {0x1BFC, 0x1BFF},    {0x1C3B, 0x1C3F},   {0x1C7E, 0x1C7F},
    {0x1CC0, 0x1CC7},    {0x1FBD, 0x1FBD},   {0x1FBF, 0x1FC1},
    {0x1FCD, 0x1FCF},    {0x1FDD, 0x1FDF},   {0x1FED, 0x1FEF},
    {0x1FFD, 0x2070},    {0x2074, 0x207E},   {0x2080, 0x208E},
    {0x20A0, 0x20CF},    {0x2100, 0x2101},   {0x2103, 0x2106},
    {0x2108, 0x2109},    {0x2114, 0x2114},   {0x2116, 0x2118},
    {0x211E, 0x2125},    {0x2127, 0x2127},   {0x2129, 0x2129},
    {0x212E, 0x212E},    {0x213A, 0x213B},   {0x2140, 0x2144},
    {0x214A, 0x214D},    {0x214F, 0x215F},   {0x2189, 0x2BFF},
    {0x2CE5, 0x2CEA},    {0x2CF9, 0x2CFF},   {0x2D70, 0x2D70},
    {0x2E00, 0x3004},    {0x3008, 0x3020},   {0x3030, 0x3030},
    {0x3036, 0x3037},    {0x303D, 0x303F},   {0x309B, 0x309C},
    {0x30A0, 0x30A0},    {0x30FB, 0x30FB},   {0x3190, 0x319F},
    {0x31C0, 0x31EF},    {0x3200, 0x33FF},   {0x4DC0, 0x4DFF},
    {0xA490, 0xA4CF},    {0xA4FE, 0xA4FF},   {0xA60D, 0xA60F},
    {0xA6F2, 0xA716},    {0xA720, 0xA721},   {0xA789, 0xA78A},
    {0xA828, 0xA82B},    {0xA830, 0xA839},   {0xA874, 0xA877},
    {0xA8CE, 0xA8CF},    {0xA92E, 0xA92F},   {0xA9C1, 0xA9CD},
    {0xA9DE, 0xA9DF},    {0xAA5C, 0xAA5F},   {0xAADE, 0xAADF},
    {0xAAF0, 0xAAF1},    {0xABEB, 0xABEB},   {0xD800, 0xF8FF},
    {0xFB29, 0xFB29},    {0xFBB2, 0xFBC2},   {0xFD3E, 0xFD4F},
    {0xFDFC, 0xFDFF},    {0xFE10, 0xFE19},   {0xFE30, 0xFE6B},
    {0xFF00, 0xFF0F},    {0xFF1A, 0xFF20},   {0xFF3B, 0xFF40},
    {0xFF5B, 0xFF65},    {0xFFE0, 0xFFFF},   {0x1D000, 0x1D3FF},
    {0x1D800, 0x1DAAF},  {0x1EEF0, 0x1FBEF}, {0xE0000, 0xE00FF},
    {0xE01F0, 0x10FFFF},
};

/* Written without spaces between words, in order. */
static const struct range cjk[] = {
    {0xE01, 0xE3A},   {0xE40, 0xE4E},   {0xE81, 0xECD},     {0x1000, 0x103F},
    {0x1100, 0x11FF}, {0x1780, 0x17D3}, {0x3005, 0x3007},   {0x3021, 0x3029},
    {0x3031, 0x3035}, {0x3038, 0x303C}, {0x3041, 0x30FF},   {0x3105, 0x318E},
    {0x31A0, 0x31FF}, {0x3400, 0x9FFF}, {0xA960, 0xA97F},   {0xAC00, 0xD7FF},
    {0xF900, 0xFAFF}, {0xFF66, 0xFFDC}, {0x1AFF0, 0x1B16F}, {0x20000, 0x3FFFF},
};

static const struct range ignored[] = {
    {0xAD, 0xAD},     {0x300, 0x36F},   {0x483, 0x489},
    {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064},
    {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
};

/* U+00C0-U+024F and U+1E00-U+1EFF: the ASCII spelling; a capital stands for
 * two letters, '~' for a letter without one. */
static const char latin[] =
    "aaaaaaAceeeeiiiidnooooo.ouuuuyBCaaaaaaAceeeeiiiidnooooo.ouuuuyBy"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiDDjjkkklllllll"
    "lllnnnnnnnnnooooooEErrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
    "bbbb66occdddd~eeeffgghiikkllmmnoooooppr22s~~tttuuuvyyzzz~~~~55~w"
    "~~~~FFFGGGHHHaaiioouuuuuuuuuueaaaaAA~~ggkkoooozzjFFFgghwnnaaAAoo"
    "aaaaeeeeiiiioooorrrruuuussttyyhhndoozzaaeeooooooooyylntj~~acclts"
    "z~~buveejjqqrryy";
static const char latin_more[] =
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm"
    "mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
    "wwwwwwwwwwxxxxyyzzzzzzhtwyasssCdaaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
    "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyyllvvyy";
static const char pairs[][3] = {"ae", "th", "ss", "ij", "oe", "dz", "lj", "nj"};

static bool in_ranges(const struct range *r, size_t count, uint32_t cp)
{
    size_t lo = 0, hi = count;

    while (lo < hi) {
        size_t mid = (lo + hi) / 2;

        if (cp > r[mid].hi)
            lo = mid + 1;
        else if (cp < r[mid].lo)
            hi = mid;
        else
            return true;
    }
    return false;
}

enum char_kind char_kind_of(uint32_t cp)
{
    if (cp < 0x80)
        return ascii_is_alnum((int)cp) ? CHAR_WORD
               : cp == '\''            ? CHAR_QUOTE
                                       : CHAR_BREAK;
    if (cp == 0x2019 || cp == 0x2BC)
        return CHAR_QUOTE;
    if (in_ranges(ignored, sizeof ignored / sizeof ignored[0], cp))
        return CHAR_IGNORE;
    if (in_ranges(breaks, sizeof breaks / sizeof breaks[0], cp))
        return CHAR_BREAK;
    if (cp >= 0xE01 && in_ranges(cjk, sizeof cjk / sizeof cjk[0], cp))
        return CHAR_CJK;
    return CHAR_WORD;
}

static uint32_t greek_lower(uint32_t cp)
{
    /* With tonos or dialytika, U+0386-U+0390 and U+03AA-U+03CE. */
    static const uint16_t first[] = {0x3B1, 0x387, 0x3B5, 0x3B7, 0x3B9, 0x38B,
                                     0x3BF, 0x38D, 0x3C5, 0x3C9, 0x3B9};

    if (cp >= 0x386 && cp <= 0x390)
        return first[cp - 0x386];
    if (cp >= 0x391 && cp <= 0x3A9)
        return cp + 0x20;
    switch (cp) {
    case 0x3AA:
    case 0x3AF:
    case 0x3CA:
        return 0x3B9;
    case 0x3AB:
    case 0x3B0:
    case 0x3CB:
    case 0x3CD:
        return 0x3C5;
    case 0x3AC:
        return 0x3B1;
    case 0x3AD:
        return 0x3B5;
    case 0x3AE:
        return 0x3B7;
    case 0x3CC:
        return 0x3BF;
    case 0x3CE:
        return 0x3C9;
    case 0x3C2:
        return 0x3C3; /* final sigma */
    default:
        return cp;
    }
}

static uint32_t cyrillic_lower(uint32_t cp)
{
    if (cp >= 0x410 && cp <= 0x42F)
        return cp + 0x20;
    if (cp == 0x401 || cp == 0x451)
        return 0x435; /* io is commonly written as ie */
    if (cp >= 0x400 && cp <= 0x40F)
        return cp + 0x50;
    if (cp == 0x4C0)
        return 0x4CF;
    if (cp >= 0x4C1 && cp <= 0x4CE)
        return cp + (cp & 1);
    if ((cp >= 0x460 && cp <= 0x481) || (cp >= 0x48A && cp <= 0x52F))
        return cp | 1;
    return cp;
}

/* Letters outside the Latin tables, one to one. */
static uint32_t lower(uint32_t cp)
{
    if (cp == 0xB5)
        return 0x3BC; /* micro sign */
    if (cp >= 0x370 && cp <= 0x3FF)
        return greek_lower(cp);
    if (cp >= 0x400 && cp <= 0x52F)
        return cyrillic_lower(cp);
    if (cp >= 0x531 && cp <= 0x556)
        return cp + 0x30;
    if (cp >= 0xFF01 && cp <= 0xFF5E) {
        cp -= 0xFEE0; /* full width */
        return (uint32_t)(unsigned char)ascii_lower((char)cp);
    }
    if (cp == 0x2126)
        return 0x3C9;
    if (cp == 0x212A)
        return 'k';
    if (cp == 0x212B || cp == 0xAA)
        return 'a';
    return cp == 0xBA ? 'o' : cp;
}

static size_t latin_fold(char spelling, uint32_t cp, char *out)
{
    if (spelling >= 'A' && spelling <= 'Z') {
        memcpy(out, pairs[spelling - 'A'], 2);
        return 2;
    }
    if (spelling == '~' || spelling == '.')
        return utf8_encode(cp, out);
    out[0] = spelling;
    return 1;
}

size_t char_fold(uint32_t cp, char *out)
{
    if (cp < 0x80) {
        out[0] = ascii_lower((char)cp);
        return 1;
    }
    if (cp >= 0xC0 && cp <= 0x24F)
        return latin_fold(latin[cp - 0xC0], cp, out);
    if (cp >= 0x1E00 && cp <= 0x1EFF)
        return latin_fold(latin_more[cp - 0x1E00], cp, out);
    return utf8_encode(lower(cp), out);
}

/* Capitals and their small letters alternate; where the small one is odd. */
static bool is_even_pair(uint32_t cp)
{
    return (cp >= 0x100 && cp <= 0x137) || (cp >= 0x14A && cp <= 0x177) ||
           (cp >= 0x1DE && cp <= 0x233) || (cp >= 0x1E00 && cp <= 0x1EFF);
}

static bool is_odd_pair(uint32_t cp)
{
    return (cp >= 0x139 && cp <= 0x148) || (cp >= 0x179 && cp <= 0x17E) ||
           (cp >= 0x1CD && cp <= 0x1DC);
}

uint32_t char_lower(uint32_t cp)
{
    if (cp < 0x80)
        return (uint32_t)(unsigned char)ascii_lower((char)cp);
    if (cp >= 0xC0 && cp <= 0xDE)
        return cp == 0xD7 ? cp : cp + 0x20;
    if (cp == 0x130)
        return 'i';
    if (cp == 0x178)
        return 0xFF;
    if (is_even_pair(cp))
        return cp | 1;
    if (is_odd_pair(cp))
        return cp + (cp & 1);
    return lower(cp);
}

bool char_is_upper(uint32_t cp)
{
    if (cp < 0x80)
        return cp >= 'A' && cp <= 'Z';
    if (cp == 0xAA || cp == 0xB5 || cp == 0xBA || cp == 0x451 || cp == 0x3C2 ||
        (cp >= 0x3AC && cp <= 0x3CE))
        return false; /* small ones that are folded as well */
    if (cp >= 0xFF01)
        return cp >= 0xFF21 && cp <= 0xFF3A;
    return char_lower(cp) != cp;
}
