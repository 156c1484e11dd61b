/* Other languages: stems, detection; see text/lang.h and text/stemmer.h. */
#include "base/str.h"
#include "text/fold.h"
#include "text/stemmer.h"
#include "text/terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <libstemmer.h>

static void stems_of(enum lang l, const char *text, char *out, size_t size)
{
    struct stemmer *s;
    struct term_iter it;
    struct term t;
    size_t len = 0;

    assert_int_equal(stemmer_new(l, &s), ERR_OK);
    out[0] = '\0';
    terms_init_with(&it, s, text, strlen(text));
    while (terms_next(&it, &t)) {
        assert_int_equal(strlen(t.text), t.len);
        len += (size_t)snprintf(out + len, size - len, "%s%s",
                                len > 0 ? " " : "", t.text);
        assert_true(len < size);
    }
    stemmer_free(s);
}

static void forms_of_a_word_have_one_stem(void **state)
{
    static const struct {
        enum lang lang;
        const char *forms, *stem;
    } cases[] = {
        {LANG_DE, "Haus Häuser Hauses HÄUSERN", "haus"},
        {LANG_DE, "Straße Straßen", "strass"},
        {LANG_FR, "fondée fondés fonder fondait", "fond"},
        {LANG_FR, "l'hôpital", "l hopital"},
        {LANG_ES, "erupción erupciones", "erupcion"},
        {LANG_IT, "città", "citt"},
        {LANG_PT, "fundada fundado FUNDADAS", "fund"},
        {LANG_NL, "huizen", "huiz"},
        {LANG_SV, "böckerna böcker", "bock"},
        {LANG_RU, "гора горы гору ГОРОЙ", "гор"},
        {LANG_RU, "running 1990 ёлка", "run"},
        {LANG_DE, "abc123 3.14 北京", "abc123"},
        {LANG_EN, "running runs", "run"},
        {LANG_ZH, "running", "run"},
    };
    char got[400], *rest;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t n = strlen(cases[i].stem);

        stems_of(cases[i].lang, cases[i].forms, got, sizeof got);
        if (strncmp(got, cases[i].stem, n) != 0)
            fail_msg("%s: %s", cases[i].forms, got);
        if (strstr(cases[i].forms, "1990") != NULL ||
            strstr(cases[i].forms, "123") != NULL)
            continue;
        for (rest = got; *rest != '\0'; rest += n + (rest[n] == ' '))
            if (strncmp(rest, cases[i].stem, n) != 0)
                fail_msg("%s: %s", cases[i].forms, got);
    }
}

static void fold(const char *z, size_t n, char *out)
{
    size_t len = 0;

    for (size_t i = 0; i < n;) {
        uint32_t cp;

        i += utf8_decode(z + i, n - i, &cp);
        len += char_fold(cp, out + len);
    }
    out[len] = '\0';
}

/* Lower-case words; more than the stemmer remembers, and again. */
static void stems_are_those_of_libstemmer_folded(void **state)
{
    static const struct {
        enum lang lang;
        const char *algorithm, *words;
    } all[] = {
        {LANG_DE, "german",
         "aufgezogen bäume größeren wissenschaftliche mühlen gelöst fröhlich"},
        {LANG_FR, "french",
         "inaugurée travaux évidemment généralement câbles œuvres été noël"},
        {LANG_ES, "spanish",
         "reconstruyó excursionistas rápidamente niños pingüinos corazón"},
        {LANG_IT, "italian",
         "velocità costruzione perché bellissimi nazionale"},
        {LANG_PT, "portuguese", "construção rapidamente corações avô fundação"},
        {LANG_NL, "dutch", "lichamelijk gebouwen vrijheid één maan maandag"},
        {LANG_SV, "swedish", "förändringar huvudstäder flickorna möjligheter"},
        {LANG_DA, "danish", "undersøgelse bøgerne mulighederne årene"},
        {LANG_NO, "norwegian", "bøkene forandringer mulighetene årene"},
        {LANG_FI, "finnish", "kirjastossa taloissa kaupungista vuonna"},
        {LANG_RU, "russian",
         "библиотеку основала замерзает источники красивейшими построенный"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct sb_stemmer *oracle = sb_stemmer_new(all[i].algorithm, "UTF_8");
        struct stemmer *s;

        assert_non_null(oracle);
        assert_int_equal(stemmer_new(all[i].lang, &s), ERR_OK);
        for (int round = 0; round < 2; round++)
            for (const char *at = all[i].words; *at != '\0';) {
                size_t n = strcspn(at, " ");
                const char *stem = (const char *)sb_stemmer_stem(
                    oracle, (const sb_symbol *)at, (int)n);
                char want[128];
                struct term_iter it;
                struct term t;

                fold(stem, (size_t)sb_stemmer_length(oracle), want);
                terms_init_with(&it, s, at, n);
                assert_true(terms_next(&it, &t));
                assert_string_equal(t.text, want);
                at += n + (at[n] == ' ');
            }
        stemmer_free(s);
        sb_stemmer_delete(oracle);
    }
}

static void a_stemmer_lives_as_long_as_its_arena(void **state)
{
    struct arena a;
    struct stemmer *s = NULL;

    (void)state;
    arena_init(&a, 1 << 20);
    assert_int_equal(stemmer_in(&a, LANG_FR, &s), ERR_OK);
    assert_non_null(s);
    arena_reset(&a);
    assert_int_equal(stemmer_in(&a, LANG_DE, &s), ERR_OK);
    assert_int_equal(stemmer_in(&a, LANG_ZH, &s), ERR_OK);
    assert_null(s);
    arena_fini(&a);
    arena_init(&a, 1);
    assert_int_equal(stemmer_in(&a, LANG_DE, &s), ERR_NOMEM);
    arena_fini(&a);
}

static void questions_tell_their_language_or_leave_it_open(void **state)
{
    static const struct {
        const char *text, *lang;
    } cases[] = {
        {"Wer hat die Relativitätstheorie entwickelt?", "de"},
        {"Wie hoch ist der Brocken?", "de"},
        {"Qui a inventé le téléphone à Boston ?", "fr"},
        {"¿Quién fundó la ciudad de Lima?", "es"},
        {"Quando è stata fondata la città di Roma?", "it"},
        {"Quem fundou a cidade de São Paulo?", "pt"},
        {"Wie heeft het boek van de koning geschreven?", "nl"},
        {"Vem är det som skrev boken och när?", "sv"},
        {"Кто основал Петербург?", "ru"},
        {"谁发明了电话？", "zh"},
        {"電話を発明したのは誰ですか？", "ja"},
        {"전화를 발명한 사람은 누구입니까?", "ko"},
        {"Who died in the war on terror?", "en"},
        {"What type of company is Van Gend en Loos?", "en"},
        {"Brocken", ""},
        {"include_dir in configuration file", ""},
        {"N-terminal cleavage reduces success", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *got = text_language(cases[i].text, strlen(cases[i].text));

        if (strcmp(got, cases[i].lang) != 0 &&
            !(got[0] == '\0' && strcmp(cases[i].lang, "en") == 0))
            fail_msg("%s: %s", cases[i].text, got);
    }
}

static void the_text_of_a_page_outweighs_what_it_declares(void **state)
{
    (void)state;
    assert_string_equal(page_language("en", "de"), "de");
    assert_string_equal(page_language(NULL, "de"), "de");
    assert_string_equal(page_language("de-AT", "de"), "de-AT");
    assert_string_equal(page_language("de", "en"), "en");
    assert_string_equal(page_language("en-GB", "en"), "en-GB");
    assert_string_equal(page_language("eo", "en"), "eo");
    assert_string_equal(page_language("fr", ""), "fr");
    assert_string_equal(page_language("", ""), "");
}

static void tags_name_languages(void **state)
{
    (void)state;
    assert_int_equal(lang_of_tag("pt-BR"), LANG_PT);
    assert_int_equal(lang_of_tag("zh_TW"), LANG_ZH);
    assert_int_equal(lang_of_tag("NB"), LANG_NO);
    assert_int_equal(lang_of_tag("deu"), LANG_EN);
    assert_int_equal(lang_of_tag("d"), LANG_EN);
    assert_int_equal(lang_of_tag(""), LANG_EN);
    assert_int_equal(lang_of_tag(NULL), LANG_EN);
    for (int l = 0; l < LANG_COUNT; l++)
        assert_int_equal(lang_of_tag(lang_code((enum lang)l)), l);
}

static void half_words_of_unspaced_scripts_carry_nothing(void **state)
{
    static const struct {
        enum lang lang;
        const char *pair;
        bool stop;
    } cases[] = {
        {LANG_ZH, "大桥", false}, {LANG_ZH, "桥是", true},
        {LANG_ZH, "什么", true},  {LANG_JA, "山は", true},
        {LANG_JA, "です", true},  {LANG_JA, "博物", false},
        {LANG_JA, "メー", false}, {LANG_JA, "りんご", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(
            lang_is_stop(cases[i].lang, cases[i].pair, strlen(cases[i].pair)),
            cases[i].stop);
}

static void letters_have_small_forms_and_capitals(void **state)
{
    static const struct {
        uint32_t capital, small;
    } pairs[] = {{'A', 'a'},      {0xC4, 0xE4},   {0xDE, 0xFE},
                 {0x10C, 0x10D},  {0x139, 0x13A}, {0x178, 0xFF},
                 {0x17D, 0x17E},  {0x391, 0x3B1}, {0x410, 0x430},
                 {0x1E9E, 0x1E9F}};
    static const uint32_t others[] = {'1',    ' ',    0xD7,   0xDF,
                                      0x4E2D, 0x3042, 0xFF11, 0xFF41,
                                      0x451,  0x3CE,  0x2019};

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_int_equal(char_lower(pairs[i].capital), pairs[i].small);
        assert_true(char_is_upper(pairs[i].capital));
        assert_false(char_is_upper(pairs[i].small));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(char_is_upper(others[i]));
    assert_true(char_is_upper(0xFF21));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_a_word_have_one_stem),
        cmocka_unit_test(stems_are_those_of_libstemmer_folded),
        cmocka_unit_test(a_stemmer_lives_as_long_as_its_arena),
        cmocka_unit_test(questions_tell_their_language_or_leave_it_open),
        cmocka_unit_test(the_text_of_a_page_outweighs_what_it_declares),
        cmocka_unit_test(tags_name_languages),
        cmocka_unit_test(half_words_of_unspaced_scripts_carry_nothing),
        cmocka_unit_test(letters_have_small_forms_and_capitals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
