/* The tokenizer, the stemmer and the stop words; see text/terms.h. */
#include "base/clock.h"
#include "base/str.h"
#include "text/terms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>

#if __has_include(<libstemmer.h>)
#include <dlfcn.h>
#include <libstemmer.h>
#define HAVE_LIBSTEMMER 1
#endif

struct text_case {
    const char *text, *want; /* tokens joined by spaces */
};

static void join(const char *text, bool stem, char *out, size_t size)
{
    struct term_iter it;
    struct term t;
    size_t len = 0, last = 0;

    out[0] = '\0';
    terms_init(&it, text, strlen(text));
    while (stem ? terms_next(&it, &t) : tokens_next(&it, &t)) {
        assert_int_equal(strlen(t.text), t.len);
        assert_true(t.start >= last && t.start < t.end);
        assert_true(t.end <= strlen(text));
        last = t.start;
        len += (size_t)snprintf(out + len, size - len, "%s%s",
                                len > 0 ? " " : "", t.text);
        assert_true(len < size);
    }
}

static void tokens_are_folded_runs_of_letters_and_digits(void **state)
{
    static const struct text_case cases[] = {
        {"", ""},
        {" .,;!? ", ""},
        {"Hello, World", "hello world"},
        {"don't can\xE2\x80\x99t", "dont cant"},
        {"Einstein's theory", "einstein theory"},
        {"Einstein\xE2\x80\x99s", "einstein"},
        {"O'Reilly's", "oreilly"},
        {"'quoted'", "quoted"},
        {"James' books", "james books"},
        {"1,000 people", "1000 people"},
        {"12,345,678.9", "12345678.9"},
        {"1,2,3 and 4,56", "1 2 3 and 4 56"},
        {"version 3.7.0.", "version 3.7.0"},
        {"281.5 TB", "281.5 tb"},
        {"utf-8", "utf 8"},
        {"page_size", "page size"},
        {"sqlite3.c", "sqlite3 c"},
        {"x=1;y=2", "x 1 y 2"},
        {"Stra\xC3\x9F"
         "e",
         "strasse"},
        {"\xC3\x86on \xC3\x98re \xC5\x92uvre", "aeon ore oeuvre"},
        {"na\xC3\xAFve caf\xC3\xA9", "naive cafe"},
        {"cafe\xCC\x81", "cafe"},
        {"co\xC2\xADoperate", "cooperate"},
        {"Vi\xE1\xBB\x87t", "viet"},
        {"\xD0\x9F\xD0\xA0\xD0\x98\xD0\x92\xD0\x95\xD0\xA2 \xD0\x81",
         "\xD0\xBF\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82 \xD0\xB5"},
        {"\xCE\x91\xCE\xB8\xCE\xAE\xCE\xBD\xCE\xB1\xCF\x82",
         "\xCE\xB1\xCE\xB8\xCE\xB7\xCE\xBD\xCE\xB1\xCF\x83"},
        {"\xEF\xBC\xA1\xEF\xBC\xA2\xEF\xBC\x91", "ab1"},
        {"\xE6\x9D\xB1\xE4\xBA\xAC\xE9\x83\xBD",
         "\xE6\x9D\xB1\xE4\xBA\xAC \xE4\xBA\xAC\xE9\x83\xBD"},
        {"a\xE4\xB8\xAD"
         "b",
         "a \xE4\xB8\xAD b"},
        {"\xE4\xB8\xAD\xE3\x80\x82", "\xE4\xB8\xAD"},
        {"\xEB\xB6\x81\xED\x95\x9C", "\xEB\xB6\x81\xED\x95\x9C"},
        {"\xE2\x82\xAC"
         "5 \xE2\x80\x94 5%",
         "5 5"},
        {"\xFF\xFE"
         "ab\xC3",
         "ab"},
    };
    char got[512];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        join(cases[i].text, false, got, sizeof got);
        assert_string_equal(got, cases[i].want);
    }
}

static void terms_are_stems_of_ascii_words_only(void **state)
{
    static const struct text_case cases[] = {
        {"running cats", "run cat"},
        {"Caresses ponies", "caress poni"},
        {"relational", "relat"},
        {"databases", "databas"},
        {"is as", "is as"},
        {"x264s abc1s", "x264s abc1s"},
        {"\xC3\xA9"
         "coles",
         "ecol"},
    };
    char got[512];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        join(cases[i].text, true, got, sizeof got);
        assert_string_equal(got, cases[i].want);
    }
}

static void a_long_token_is_cut_at_a_character(void **state)
{
    char text[301], got[512];

    (void)state;
    memset(text, 'a', 300);
    text[300] = '\0';
    join(text, false, got, sizeof got);
    assert_int_equal(strlen(got), TERM_MAX);
    for (size_t i = 0; i < 300; i += 2) {
        text[i] = '\xD0';
        text[i + 1] = '\xB1';
    }
    text[0] = 'a';
    text[1] = 'b';
    text[2] = 'c';
    text[3] = 'd';
    text[4] = 'e';
    text[5] = '1';
    join(text, false, got, sizeof got);
    assert_int_equal(strlen(got), TERM_MAX);
    assert_true(utf8_valid(got, strlen(got)));
}

static void byte_ranges_name_the_token_in_the_source(void **state)
{
    const char *text = "The Einstein's caf\xC3\xA9.";
    struct term_iter it;
    struct term t;

    (void)state;
    terms_init(&it, text, strlen(text));
    assert_true(tokens_next(&it, &t));
    assert_int_equal(t.start, 0);
    assert_int_equal(t.end, 3);
    assert_true(tokens_next(&it, &t));
    assert_int_equal(t.start, 4);
    assert_int_equal(t.end, 12);
    assert_true(tokens_next(&it, &t));
    assert_int_equal(t.start, 15);
    assert_int_equal(t.end, 20);
    assert_false(tokens_next(&it, &t));
    assert_false(tokens_next(&it, &t));
}

static void stop_words_are_known_by_their_folded_form(void **state)
{
    static const char *const stops[] = {"the",  "a",          "whose",
                                        "dont", "would",      "with",
                                        "i",    "yourselves", "ourselves"};
    static const char *const others[] = {"database", "th",  "thee",
                                         "",         "zzz", "wal"};

    (void)state;
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
        assert_true(term_is_stop(stops[i], strlen(stops[i])));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(term_is_stop(others[i], strlen(others[i])));
    assert_true(term_is_stop("theory", 3));
}

#ifdef HAVE_LIBSTEMMER
struct oracle {
    void *lib;
    struct sb_stemmer *stemmer;
    const sb_symbol *(*stem)(struct sb_stemmer *, const sb_symbol *, int);
    void (*give)(struct sb_stemmer *);
    size_t words;
};

/* Loaded at run time: the program itself does not depend on it. */
static bool oracle_open(struct oracle *o)
{
    struct sb_stemmer *(*make)(const char *, const char *);

    memset(o, 0, sizeof *o);
    o->lib = dlopen("libstemmer.so", RTLD_NOW);
    if (o->lib == NULL)
        o->lib = dlopen("libstemmer.so.0d", RTLD_NOW);
    if (o->lib == NULL)
        return false;
    *(void **)&make = dlsym(o->lib, "sb_stemmer_new");
    *(void **)&o->stem = dlsym(o->lib, "sb_stemmer_stem");
    *(void **)&o->give = dlsym(o->lib, "sb_stemmer_delete");
    if (make == NULL || o->stem == NULL || o->give == NULL)
        return false;
    o->stemmer = make("porter", "UTF_8");
    return o->stemmer != NULL;
}

static void compare_text(struct oracle *o, const char *text, size_t n)
{
    struct term_iter it;
    struct term t;

    terms_init(&it, text, n);
    while (tokens_next(&it, &t)) {
        const char *want;
        bool letters = t.len > 2;

        for (size_t i = 0; i < t.len; i++)
            letters = letters && t.text[i] >= 'a' && t.text[i] <= 'z';
        if (!letters)
            continue;
        want = (const char *)o->stem(o->stemmer, (const sb_symbol *)t.text,
                                     (int)t.len);
        t.text[term_stem(t.text, t.len)] = '\0';
        assert_string_equal(t.text, want);
        o->words++;
    }
}

static void compare_file(struct oracle *o, const char *path)
{
    static char text[1 << 20];
    FILE *f = fopen(path, "rb");
    size_t n;

    if (f == NULL)
        return;
    n = fread(text, 1, sizeof text, f);
    fclose(f);
    compare_text(o, text, n);
}
#endif

static void stems_are_those_of_the_published_algorithm(void **state)
{
    (void)state;
#ifdef HAVE_LIBSTEMMER
    {
        static const char *const folders[] = {"/usr/share/common-licenses",
                                              "/usr/share/perl/5.36.0/pod",
                                              "/usr/share/doc/sqlite3"};
        struct oracle o;
        char path[600];

        if (!oracle_open(&o)) {
            print_message("NOT COMPARED: libstemmer cannot be loaded\n");
            skip();
        }
        for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
            DIR *d = opendir(folders[i]);
            const struct dirent *e;

            while (d != NULL && (e = readdir(d)) != NULL) {
                snprintf(path, sizeof path, "%s/%s", folders[i], e->d_name);
                if (e->d_name[0] != '.' && o.words < 500000)
                    compare_file(&o, path);
            }
            if (d != NULL)
                closedir(d);
        }
        o.give(o.stemmer);
        dlclose(o.lib);
        print_message("compared %zu words\n", o.words);
        assert_true(o.words >= 5000);
    }
#else
    print_message("NOT COMPARED: libstemmer's header is missing\n");
    skip();
#endif
}

static void tokenizing_is_fast_enough_for_indexing(void **state)
{
    static const char prose[] =
        "The quick brown foxes were jumping over 1,000 lazy dogs while the "
        "relational database's administrators considered optimizations. ";
    size_t n = (sizeof prose - 1) * 20000, terms = 0;
    char *text = malloc(n);
    struct term_iter it;
    struct term t;
    int64_t from;

    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < 20000; i++)
        memcpy(text + i * (sizeof prose - 1), prose, sizeof prose - 1);
    from = clock_mono_ms();
    terms_init(&it, text, n);
    while (terms_next(&it, &t))
        terms++;
    print_message("%zu terms, %.0f MB/s\n", terms,
                  (double)n / 1000.0 / (double)(clock_mono_ms() - from + 1));
    assert_int_equal(terms, 17 * 20000);
    free(text);
}

static void the_language_shows_in_script_and_stop_words(void **state)
{
    static const struct {
        const char *lang, *text;
    } cases[] = {
        {"de", "Wie hoch ist der K\303\266lner Dom?"},
        {"de", "Die Stadt liegt an der Elbe und hat viele Br\303\274cken, die "
               "im Krieg zerst\303\266rt wurden."},
        {"fr", "Quelle est la hauteur de la tour Eiffel ?"},
        {"fr", "L'eau de la rivi\303\250re n'est pas potable, mais elle est "
               "tr\303\250s claire."},
        {"es", "\302\277Cu\303\241l es la capital de Francia?"},
        {"es",
         "El r\303\255o nace en las monta\303\261as y llega hasta el mar."},
        {"ru", "\320\232\320\260\320\272\320\260\321\217 "
               "\320\262\321\213\321\201\320\276\321\202\320\260 \321\203 "
               "\320\255\320\271\321\204\320\265\320\273\320\265\320\262\320"
               "\276\320\271 \320\261\320\260\321\210\320\275\320\270?"},
        {"ru",
         "\320\223\320\276\321\200\320\276\320\264 "
         "\321\201\321\202\320\276\320\270\321\202 \320\275\320\260 "
         "\321\200\320\265\320\272\320\265 \320\270 \320\261\321\213\320\273 "
         "\320\276\321\201\320\275\320\276\320\262\320\260\320\275 \320\262 "
         "XII \320\262\320\265\320\272\320\265."},
        {"zh", "\345\237\203\350\217\262\345\260\224\351\223\201\345\241\224"
               "\346\234\211\345\244\232\351\253\230\357\274\237"},
        {"ja", "\346\235\261\344\272\254\343\202\277\343\203\257\343\203\274"
               "\343\201\256\351\253\230\343\201\225\343\201\257\343\201\251"
               "\343\202\214\343\201\217\343\202\211\343\201\204\343\201\247"
               "\343\201\231\343\201\213\343\200\202"},
        {"en", "How high is the Eiffel tower?"},
        {"en",
         "The son of the king will die on the hill, and his men were there."},
        {"", "SELECT 1"},
        {"", ""},
        {"",
         "\341\274\251 \316\263\316\273\341\277\266\317\203\317\203\316\261 "
         "\317\204\341\277\266\316\275 "
         "\341\274\231\316\273\316\273\316\256\316\275\317\211\316\275"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(text_language(cases[i].text, strlen(cases[i].text)),
                            cases[i].lang);
}

static void stop_words_belong_to_their_language(void **state)
{
    static const struct {
        const char *lang, *word;
        bool stop;
    } cases[] = {
        {"de", "die", true},
        {"en", "die", false},
        {"", "die", false},
        {"fr", "on", true},
        {"en", "on", true},
        {"es", "son", true},
        {"en", "son", false},
        {"de-at", "und", true},
        {"ru", "\320\270", true},
        {"ru", "\320\261\320\260\321\210\320\275\321\217", false},
        {"zh", "the", true},
        {"en", "the", true},
        {"fr", "etre", true},
        {"de", "fur", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(lang_is_stop(lang_of_tag(cases[i].lang), cases[i].word,
                                 strlen(cases[i].word)) == cases[i].stop);
}

static void other_languages_have_tokens_that_queries_find(void **state)
{
    static const struct text_case cases[] = {
        {"Die Stra\303\237e, gr\303\266\303\237er als 5 H\303\244user",
         "die strasse grosser als 5 hauser"},
        {"L\342\200\231\303\251tat n'a qu'une capitale d'\303\251t\303\251",
         "l etat n a qu une capitale d ete"},
        {"aujourd'hui don't I'm", "aujourdhui dont im"},
        {"\302\253\320\234\320\276\321\201\320\272\320\262\320\260\302\273 "
         "\342\200\224 "
         "\321\201\321\202\320\276\320\273\320\270\321\206\320\260; "
         "\320\265\321\211\321\221 \320\201\320\273\320\272\320\260",
         "\320\274\320\276\321\201\320\272\320\262\320\260 "
         "\321\201\321\202\320\276\320\273\320\270\321\206\320\260 "
         "\320\265\321\211\320\265 \320\265\320\273\320\272\320\260"},
        {"\302\277D\303\263nde est\303\241 el ni\303\261o?",
         "donde esta el nino"},
        {"\346\235\261\344\272\254\351\203\275\343\201\256\344\272\272\345\217"
         "\243",
         "\346\235\261\344\272\254 \344\272\254\351\203\275 "
         "\351\203\275\343\201\256 \343\201\256\344\272\272 "
         "\344\272\272\345\217\243"},
        {"\345\214\227\344\272\254\346\230\257\351\246\226\351\203\275\343\200"
         "\202",
         "\345\214\227\344\272\254 \344\272\254\346\230\257 "
         "\346\230\257\351\246\226 \351\246\226\351\203\275"},
    };
    char got[1024];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        join(cases[i].text, false, got, sizeof got);
        assert_string_equal(got, cases[i].want);
    }
}

/* Whatever text is made of these, what is skipped begins like no term, and
 * nothing else is lost. */
static void tokens_are_skipped_as_they_would_have_been_read(void **state)
{
    static const char *const pieces[] = {
        "a",  "b",  "y",      "data",         "Dying", "x1",  "3",
        "1",  "'",  "\xE2\x80\x99", ".",     ",",     " ",   " ",
        "\n", "(", "\xC3\xA9", "\xE6\x97\xA5", "s",     "000", "wordy ",
        "da", "dat", "dab "};
    struct term_starts starts = {.any_second = false};
    unsigned seed = 1;

    (void)state;
    term_starts_add(&starts, "data");
    term_starts_add(&starts, "di");
    term_starts_add(&starts, "3");
    for (int round = 0; round < 20000; round++) {
        struct term_iter it, plain;
        struct term t, want;
        char text[400] = "";
        size_t len = 0, most = (size_t)round % 300, skipped = 0;

        while (len < most) {
            seed = seed * 1103515245 + 12345;
            len += (size_t)snprintf(
                text + len, sizeof text - len, "%s",
                pieces[(seed >> 16) % (sizeof pieces / sizeof pieces[0])]);
        }
        terms_init(&it, text, len);
        terms_init(&plain, text, len);
        while (skipped = tokens_skip(&it, &starts), tokens_next(&it, &t)) {
            for (; skipped > 0; skipped--) {
                assert_true(tokens_next(&plain, &want));
                assert_false(term_starts_may(&starts, &want));
            }
            assert_true(tokens_next(&plain, &want));
            assert_string_equal(t.text, want.text);
            assert_int_equal(t.start, want.start);
            assert_int_equal(t.end, want.end);
        }
        for (; skipped > 0; skipped--)
            assert_true(tokens_next(&plain, &want));
        assert_false(tokens_next(&plain, &want));
    }
}

/* Whatever a word's stem is, the word may become it. */
static void words_begin_as_their_stems_do(void **state)
{
    static const char letters[] = "aeioyybdlsttnzr";
    static const char *const ends[] = {
        "",     "s",    "ies",   "ied",   "ed",    "ing",     "ying",
        "ly",   "ation", "ational", "izing", "ating", "ability", "iveness",
        "eed",  "bled", "ally",  "y",     "icate", "logi"};
    unsigned seed = 7;

    (void)state;
    for (int round = 0; round < 200000; round++) {
        struct term_starts starts = {.any_second = false};
        struct term_iter it;
        struct term t;
        char word[32];
        size_t len = 0, most;

        seed = seed * 1103515245 + 12345;
        most = 1 + (seed >> 16) % 5;
        while (len < most) {
            seed = seed * 1103515245 + 12345;
            word[len++] = letters[(seed >> 16) % (sizeof letters - 1)];
        }
        snprintf(word + len, sizeof word - len, "%s",
                 ends[(size_t)round % (sizeof ends / sizeof ends[0])]);
        terms_init(&it, word, strlen(word));
        assert_true(terms_next(&it, &t));
        term_starts_add(&starts, t.text);
        terms_init(&it, word, strlen(word));
        assert_int_equal(tokens_skip(&it, &starts), 0);
        assert_true(tokens_next(&it, &t));
        if (!term_starts_may(&starts, &t))
            fail_msg("%s", word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_begin_as_their_stems_do),
        cmocka_unit_test(tokens_are_skipped_as_they_would_have_been_read),
        cmocka_unit_test(tokens_are_folded_runs_of_letters_and_digits),
        cmocka_unit_test(terms_are_stems_of_ascii_words_only),
        cmocka_unit_test(a_long_token_is_cut_at_a_character),
        cmocka_unit_test(byte_ranges_name_the_token_in_the_source),
        cmocka_unit_test(stop_words_are_known_by_their_folded_form),
        cmocka_unit_test(stems_are_those_of_the_published_algorithm),
        cmocka_unit_test(the_language_shows_in_script_and_stop_words),
        cmocka_unit_test(stop_words_belong_to_their_language),
        cmocka_unit_test(other_languages_have_tokens_that_queries_find),
        cmocka_unit_test(tokenizing_is_fast_enough_for_indexing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
