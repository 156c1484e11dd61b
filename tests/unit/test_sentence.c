/* Sentence borders; see sentences_split in text/passage.h. */
#include "text/passage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Sentences of text joined by "|". */
static void split(const char *text, char *out, size_t size)
{
    struct arena a;
    struct span *spans;
    size_t count, len = 0;

    arena_init(&a, 1 << 20);
    assert_int_equal(sentences_split(text, strlen(text), &a, &spans, &count),
                     ERR_OK);
    out[0] = '\0';
    for (size_t i = 0; i < count; i++)
        len +=
            (size_t)snprintf(out + len, size - len, "%s%.*s", i > 0 ? "|" : "",
                             (int)spans[i].len, text + spans[i].start);
    assert_true(len < size);
    arena_fini(&a);
}

static void borders_are_where_a_reader_sees_them(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"   ", ""},
        {"No stop at all", "No stop at all"},
        {"One. Two! Three? Four", "One.|Two!|Three?|Four"},
        {"Mr. Smith met Dr. Jones.", "Mr. Smith met Dr. Jones."},
        {"It is, e.g. here, i.e. there.", "It is, e.g. here, i.e. there."},
        {"He lives in the U.S. The end.", "He lives in the U.S.|The end."},
        {"The U.S. Army is big. Yes.", "The U.S. Army is big.|Yes."},
        {"By J. R. R. Tolkien. It sold.", "By J. R. R. Tolkien.|It sold."},
        {"See Fig. 3. No. 5 is alive. No. Never.",
         "See Fig. 3.|No. 5 is alive.|No.|Never."},
        {"Cats vs. Dogs etc. are fun.", "Cats vs. Dogs etc. are fun."},
        {"Approx. 5 m. It is 3.14 long.", "Approx. 5 m.|It is 3.14 long."},
        {"Version 3.7.0 came. It holds.", "Version 3.7.0 came.|It holds."},
        {"Read sqlite3.c. It is long.", "Read sqlite3.c.|It is long."},
        {"It returns. sqlite3_open() fails.",
         "It returns.|sqlite3_open() fails."},
        {"Wait... what? Then... Nothing.", "Wait... what?|Then...|Nothing."},
        {"\"Stop.\" He went. (It ended.) So.",
         "\"Stop.\"|He went.|(It ended.)|So."},
        {"He said \"Stop.\" and left. Bye.",
         "He said \"Stop.\" and left.|Bye."},
        {"Fact.[1] Another.[12] Last.", "Fact.[1]|Another.[12]|Last."},
        {"Fact.[citation needed] Another.", "Fact.[citation needed]|Another."},
        {"So held Brown v. Board of 1954. Then.",
         "So held Brown v. Board of 1954.|Then."},
        {"1. First point. 2 more.", "1. First point.|2 more."},
        {"In Jan. 2020 it began.", "In Jan. 2020 it began."},
        {"Am 3. Mai 1788 kam er. Im 19. Jahrhundert ging er. Es war 1990. Dann "
         "nicht.",
         "Am 3. Mai 1788 kam er.|Im 19. Jahrhundert ging er.|Es war 1990.|Dann "
         "nicht."},
        {"Город им. Ленина. Его основал А. С. Попов. Да.",
         "Город им. Ленина.|Его основал А. С. Попов.|Да."},
        {"C'est « grand ». Il dit : « Oui ! » Et puis ? Rien.",
         "C'est « grand ».|Il dit : « Oui ! »|Et puis ?|Rien."},
        {"他来了。谁？我！走吧", "他来了。|谁？|我！|走吧"},
        {"「行く。」と言った。雨だ。", "「行く。」と言った。|雨だ。"},
        {"one\ntwo. three\nFour", "one|two. three|Four"},
        {"\xE9\x9B\xA8\xE3\x80\x82\xE6\x99\xB4\xEF\xBC\x81\xE7\xB5\x82",
         "\xE9\x9B\xA8\xE3\x80\x82|\xE6\x99\xB4\xEF\xBC\x81|\xE7\xB5\x82"},
        {"It ends \xE2\x80\x9Cso.\xE2\x80\x9D \xE2\x80\x9CNext.\xE2\x80\x9D",
         "It ends \xE2\x80\x9Cso.\xE2\x80\x9D|\xE2\x80\x9CNext.\xE2\x80\x9D"},
        {"Vitamin C. The rest", "Vitamin C.|The rest"},
        {"At 5 p.m. He left at 6 p.m. on foot.",
         "At 5 p.m.|He left at 6 p.m. on foot."},
        {"Acme Inc. The firm. Acme Inc. Ltd was.",
         "Acme Inc.|The firm.|Acme Inc. Ltd was."},
        {"Go to www.example.com. Now.", "Go to www.example.com.|Now."},
        {"Das Haus ist z.B. alt. Siehe Abs. 5 und Nr. 7. "
         "\342\200\236Sch\303\266n!\342\200\234 Ja.",
         "Das Haus ist z.B. alt.|Siehe Abs. 5 und Nr. "
         "7.|\342\200\236Sch\303\266n!\342\200\234|Ja."},
        {"Il dit : \302\253 Viens ! \302\273 Elle part. \302\253 Non. \302\273 "
         "Fin.",
         "Il dit : \302\253 Viens ! \302\273|Elle part.|\302\253 Non. "
         "\302\273|Fin."},
        {"\302\277Qu\303\251 es? \302\241Un r\303\255o! Nace aqu\303\255. "
         "\302\277D\303\263nde?",
         "\302\277Qu\303\251 es?|\302\241Un r\303\255o!|Nace "
         "aqu\303\255.|\302\277D\303\263nde?"},
        {"\320\255\321\202\320\276 "
         "\320\234\320\276\321\201\320\272\320\262\320\260. "
         "\320\236\320\275\320\260 \321\201\321\202\320\276\320\270\321\202 "
         "\320\275\320\260 \321\200\320\265\320\272\320\265. "
         "\320\247\321\202\320\276 "
         "\320\264\320\260\320\273\321\214\321\210\320\265?",
         "\320\255\321\202\320\276 "
         "\320\234\320\276\321\201\320\272\320\262\320\260.|"
         "\320\236\320\275\320\260 \321\201\321\202\320\276\320\270\321\202 "
         "\320\275\320\260 "
         "\321\200\320\265\320\272\320\265.|\320\247\321\202\320\276 "
         "\320\264\320\260\320\273\321\214\321\210\320\265?"},
        {"\344\273\212\346\227\245\343\201\257\351\233\250\343\201\247\343\201"
         "\231\343\200\202\343\200\214\350\241\214\343\201\215\343\201\276\343"
         "\201\231\343\201\213\357\274\237\343\200\215\343\201\257\343\201\204"
         "\357\274\201\347\265\202\343\202\217\343\202\212",
         "\344\273\212\346\227\245\343\201\257\351\233\250\343\201\247\343\201"
         "\231\343\200\202|"
         "\343\200\214\350\241\214\343\201\215\343\201\276\343\201\231\343\201"
         "\213\357\274\237\343\200\215|\343\201\257\343\201\204\357\274\201|"
         "\347\265\202\343\202\217\343\202\212"},
        {"\345\214\227\344\272\254\346\230\257\351\246\226\351\203\275\343\200"
         "\202\344\272\272\345\217\243\345\276\210\345\244\232\357\274\201\345"
         "\257\271\345\220\227\357\274\237",
         "\345\214\227\344\272\254\346\230\257\351\246\226\351\203\275\343\200"
         "\202|\344\272\272\345\217\243\345\276\210\345\244\232\357\274\201|"
         "\345\257\271\345\220\227\357\274\237"},
    };
    char got[2048];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        split(cases[i].text, got, sizeof got);
        assert_string_equal(got, cases[i].want);
    }
}

static void ranges_cover_every_character_but_white_space(void **state)
{
    const char *text = "  A b. C d!  E\n\n f \xC3\xA9. ";
    struct arena a;
    struct span *spans;
    size_t count, at = 0;

    (void)state;
    arena_init(&a, 1 << 20);
    assert_int_equal(sentences_split(text, strlen(text), &a, &spans, &count),
                     ERR_OK);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++) {
        for (; at < spans[i].start; at++)
            assert_true(text[at] == ' ' || text[at] == '\n');
        at = spans[i].start + spans[i].len;
    }
    assert_string_equal(text + at, " ");
    arena_fini(&a);
}

static void no_memory_is_told(void **state)
{
    struct arena a;
    struct span *spans = NULL;
    size_t count = 7;

    (void)state;
    arena_init(&a, 8);
    assert_int_equal(sentences_split("A b. C d.", 9, &a, &spans, &count),
                     ERR_NOMEM);
    assert_null(spans);
    assert_int_equal(count, 7);
    arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(borders_are_where_a_reader_sees_them),
        cmocka_unit_test(ranges_cover_every_character_but_white_space),
        cmocka_unit_test(no_memory_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
