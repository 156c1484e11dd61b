/* What kind of character a code point is; see pattern.h. */
#include "json/pattern.h"

#include "base/str.h"

#include <string.h>

/* Code points times 256 plus a category; each holds up to the next. */
static const uint32_t table[] = {
#include "json/category.inc"
};

/* The categories in the table's order, then those that are several. */
static const struct {
    const char *code, *name, *other;
} categories[] = {{"Lu", "Uppercase_Letter", ""},
                  {"Ll", "Lowercase_Letter", ""},
                  {"Lt", "Titlecase_Letter", ""},
                  {"Lm", "Modifier_Letter", ""},
                  {"Lo", "Other_Letter", ""},
                  {"Mn", "Nonspacing_Mark", ""},
                  {"Mc", "Spacing_Mark", ""},
                  {"Me", "Enclosing_Mark", ""},
                  {"Nd", "Decimal_Number", "digit"},
                  {"Nl", "Letter_Number", ""},
                  {"No", "Other_Number", ""},
                  {"Pc", "Connector_Punctuation", ""},
                  {"Pd", "Dash_Punctuation", ""},
                  {"Ps", "Open_Punctuation", ""},
                  {"Pe", "Close_Punctuation", ""},
                  {"Pi", "Initial_Punctuation", ""},
                  {"Pf", "Final_Punctuation", ""},
                  {"Po", "Other_Punctuation", ""},
                  {"Sm", "Math_Symbol", ""},
                  {"Sc", "Currency_Symbol", ""},
                  {"Sk", "Modifier_Symbol", ""},
                  {"So", "Other_Symbol", ""},
                  {"Zs", "Space_Separator", ""},
                  {"Zl", "Line_Separator", ""},
                  {"Zp", "Paragraph_Separator", ""},
                  {"Cc", "Control", "cntrl"},
                  {"Cf", "Format", ""},
                  {"Cs", "Surrogate", ""},
                  {"Co", "Private_Use", ""},
                  {"Cn", "Unassigned", ""},
                  {"L", "Letter", ""},
                  {"M", "Mark", "Combining_Mark"},
                  {"N", "Number", ""},
                  {"P", "Punctuation", "punct"},
                  {"S", "Symbol", ""},
                  {"Z", "Separator", ""},
                  {"C", "Other", ""}};

enum { CATEGORIES = 30 };

unsigned category_of(uint32_t cp)
{
    size_t low = 0, high = sizeof table / sizeof *table;

    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;

        if (table[mid] >> 8 <= cp)
            low = mid;
        else
            high = mid;
    }
    return table[low] & 0xFF;
}

uint32_t category_set(const char *name, size_t n)
{
    static const char *const keys[] = {"General_Category=", "gc="};
    struct str s = {name, n};
    uint32_t set = 0;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (n > strlen(keys[i]) && memcmp(name, keys[i], strlen(keys[i])) == 0)
            s = (struct str){name + strlen(keys[i]), n - strlen(keys[i])};
    if (str_eq(s, "LC") || str_eq(s, "Cased_Letter"))
        return 7; /* Lu, Ll, Lt */
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++) {
        if (!str_eq(s, categories[i].code) && !str_eq(s, categories[i].name) &&
            (s.n == 0 || !str_eq(s, categories[i].other)))
            continue;
        for (unsigned k = 0; k < CATEGORIES; k++)
            if (k == i || (i >= CATEGORIES &&
                           categories[k].code[0] == categories[i].code[0]))
                set |= (uint32_t)1 << k;
    }
    return set;
}
