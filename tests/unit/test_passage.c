/* Passages of a page; see text/passage.h. */
#include "base/str.h"
#include "text/page_class.h"
#include "text/passage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define B(kind, level, text)                                                   \
    {                                                                          \
        kind, level, text, false, false, NULL, 0, 0                            \
    }

struct cut {
    struct arena a;
    struct passage_text *p;
    size_t count;
};

static void cut(struct cut *c, const char *title, struct block *blocks,
                size_t count)
{
    struct page_doc doc = {
        .title = title, .blocks = blocks, .block_count = count};
    size_t start = 0;

    arena_init(&c->a, 64 << 20);
    assert_int_equal(passages_cut(&doc, &c->a, &c->p, &c->count), ERR_OK);
    for (size_t i = 0; i < c->count; i++) {
        size_t n = strlen(c->p[i].text);

        assert_int_equal(c->p[i].start, start);
        assert_true(n > 0 && n <= PASSAGE_BYTES_MAX);
        assert_true(utf8_valid(c->p[i].text, n));
        start += n + 2;
    }
}

static size_t words(const char *z)
{
    size_t n = 0;

    for (size_t i = 0; z[i] != '\0'; i++)
        n += !ascii_is_space(z[i]) && (i == 0 || ascii_is_space(z[i - 1]));
    return n;
}

/* count sentences of ten words. */
static char *prose(size_t count)
{
    static const char one[] = "The words of this line are ten in all here. ";
    char *z = malloc(count * (sizeof one - 1) + 1);

    assert_non_null(z);
    for (size_t i = 0; i < count; i++)
        memcpy(z + i * (sizeof one - 1), one, sizeof one - 1);
    z[count * (sizeof one - 1) - 1] = '\0';
    return z;
}

static void a_passage_is_in_one_language(void **state)
{
    struct block b[] = {
        B(BLOCK_PARA, 0,
          "The lighthouse stands on a rock that the sea covers at high tide, "
          "and it has been lit every night since it was built."),
        B(BLOCK_PARA, 0, "Tarnvik, 1859"),
        B(BLOCK_PARA, 0,
          "Der Leuchtturm steht auf einem Felsen, den das Meer bei Flut "
          "bedeckt, und er brennt jede Nacht, seit er gebaut worden ist."),
        B(BLOCK_CODE, 0,
          "for (c = d; c < l; c++) { s = c + d; m = s.l; n = d.c; y = t; }")};
    struct cut c;

    (void)state;
    cut(&c, "T", b, 4);
    assert_int_equal(c.count, 2);
    assert_string_equal(c.p[0].lang, "en");
    assert_string_equal(c.p[1].lang, "de");
    assert_true(strncmp(c.p[1].text, "Der", 3) == 0);
    arena_fini(&c.a);
    cut(&c, "T", b + 3, 1);
    assert_string_equal(c.p[0].lang, "");
    arena_fini(&c.a);
}

static void small_blocks_of_one_heading_are_joined(void **state)
{
    struct block b[] = {B(BLOCK_PARA, 0, "One."), B(BLOCK_PARA, 0, "Two."),
                        B(BLOCK_HEADING, 2, "Next"),
                        B(BLOCK_PARA, 0, "Three.")};
    struct cut c;

    (void)state;
    cut(&c, "T", b, 4);
    assert_int_equal(c.count, 2);
    assert_string_equal(c.p[0].text, "One.\nTwo.");
    assert_string_equal(c.p[0].heading, "");
    assert_string_equal(c.p[1].text, "Three.");
    assert_string_equal(c.p[1].heading, "Next");
    assert_int_equal(c.p[1].start, 11);
    arena_fini(&c.a);
}

static void the_heading_path_has_the_three_deepest_levels(void **state)
{
    struct block b[] = {
        B(BLOCK_HEADING, 1, "Title"), B(BLOCK_HEADING, 2, "A"),
        B(BLOCK_HEADING, 3, "B"),     B(BLOCK_HEADING, 4, "C"),
        B(BLOCK_HEADING, 5, "D"),     B(BLOCK_PARA, 0, "x"),
        B(BLOCK_HEADING, 3, "E"),     B(BLOCK_PARA, 0, "y"),
        B(BLOCK_HEADING, 2, "F"),     B(BLOCK_PARA, 0, "z"),
    };
    struct cut c;

    (void)state;
    cut(&c, "Title", b, 10);
    assert_int_equal(c.count, 3);
    assert_string_equal(c.p[0].heading, "B > C > D");
    assert_string_equal(c.p[1].heading, "A > E");
    assert_string_equal(c.p[2].heading, "F");
    arena_fini(&c.a);
}

/* The deepest is whole where the others leave no room. */
static void a_long_heading_path_loses_its_upper_levels(void **state)
{
    static const char part[] =
        "And what is to be said of all that the last of the chapters left out "
        "of its account of harbours, mills and bridges?";
    static const char most[] =
        "And what is to be said of all that the last of the chapters left out "
        "of its account of harbours, mills and bridges, of which the first was "
        "built by two brothers from the town beside the lake and the last by "
        "nobody knows whom?";
    struct block b[] = {
        B(BLOCK_HEADING, 2, part), B(BLOCK_HEADING, 3, part),
        B(BLOCK_PARA, 0, "x"),     B(BLOCK_HEADING, 3, most),
        B(BLOCK_PARA, 0, "y"),
    };
    struct cut c;
    size_t n;

    (void)state;
    cut(&c, "Title", b, 5);
    assert_int_equal(c.count, 2);
    assert_string_equal(c.p[0].heading, part);
    n = strlen(c.p[1].heading);
    assert_in_range(n, 150, 200);
    assert_memory_equal(c.p[1].heading, most, n);
    assert_int_equal(most[n], ' ');
    arena_fini(&c.a);
}

static void a_long_paragraph_is_cut_evenly_between_sentences(void **state)
{
    char *z = prose(21);
    struct block b[] = {B(BLOCK_PARA, 0, z)};
    struct cut c;

    (void)state;
    cut(&c, "", b, 1);
    assert_int_equal(c.count, 3);
    for (size_t i = 0; i < c.count; i++) {
        size_t n = words(c.p[i].text);

        assert_true(n >= 50 && n <= PASSAGE_WORDS);
        assert_int_equal(c.p[i].text[strlen(c.p[i].text) - 1], '.');
        assert_non_null(strstr(z, c.p[i].text)); /* verbatim */
    }
    arena_fini(&c.a);
    free(z);
}

static void a_giant_sentence_is_cut_at_spaces(void **state)
{
    size_t n = 40000;
    char *z = malloc(n + 1);
    struct block b[] = {B(BLOCK_PARA, 0, z)};
    struct cut c;

    (void)state;
    assert_non_null(z);
    for (size_t i = 0; i < n; i++)
        z[i] = i % 5 == 4 ? ' ' : 'a';
    z[n - 1] = 'a';
    z[n] = '\0';
    cut(&c, "", b, 1);
    assert_true(c.count > 40);
    for (size_t i = 0; i < c.count; i++)
        assert_true(words(c.p[i].text) <= PASSAGE_WORDS_MAX);
    arena_fini(&c.a);
    memset(z, 'b', n);
    cut(&c, "", b, 1);
    assert_true(c.count >= n / PASSAGE_BYTES_MAX);
    arena_fini(&c.a);
    free(z);
}

static void an_introduction_stays_with_its_first_item(void **state)
{
    char *z = prose(9);
    char *item = prose(2);
    struct block b[] = {
        B(BLOCK_PARA, 0, z), B(BLOCK_PARA, 0, "There are two kinds of these:"),
        B(BLOCK_LIST_ITEM, 1, item), B(BLOCK_LIST_ITEM, 1, "Second.")};
    struct cut c;

    (void)state;
    cut(&c, "", b, 4);
    assert_int_equal(c.count, 2);
    assert_string_equal(c.p[0].text, z);
    assert_true(strncmp(c.p[1].text, "There are", 9) == 0);
    arena_fini(&c.a);
    free(z);
    free(item);
}

static void code_keeps_its_line_breaks(void **state)
{
    struct block b[] = {B(BLOCK_PARA, 0, "Do this:"),
                        B(BLOCK_CODE, 0, "int main()\n{\n    return 0;\n}")};
    struct cut c;

    (void)state;
    cut(&c, "", b, 2);
    assert_int_equal(c.count, 1);
    assert_string_equal(c.p[0].text,
                        "Do this:\nint main()\n{\n    return 0;\n}");
    arena_fini(&c.a);
}

static void a_page_of_headings_only_is_still_text(void **state)
{
    struct block b[] = {B(BLOCK_HEADING, 1, "Alpha"),
                        B(BLOCK_HEADING, 2, "Beta")};
    struct cut c;

    (void)state;
    cut(&c, "", b, 2);
    assert_int_equal(c.count, 1);
    assert_string_equal(c.p[0].text, "Alpha\nBeta");
    arena_fini(&c.a);
}

static void a_page_without_blocks_has_no_passages(void **state)
{
    struct block b[] = {B(BLOCK_PARA, 0, "")};
    struct cut c;

    (void)state;
    cut(&c, "T", b, 1);
    assert_int_equal(c.count, 0);
    arena_fini(&c.a);
}

static void passages_end_at_their_cap(void **state)
{
    size_t count = PASSAGES_MAX + 50;
    struct block *b = calloc(count * 2, sizeof *b);
    struct cut c;

    (void)state;
    assert_non_null(b);
    for (size_t i = 0; i < count; i++) {
        b[2 * i] = (struct block)B(BLOCK_HEADING, 2, "H");
        b[2 * i + 1] = (struct block)B(BLOCK_PARA, 0, "text");
    }
    cut(&c, "T", b, count * 2);
    assert_int_equal(c.count, PASSAGES_MAX);
    arena_fini(&c.a);
    free(b);
}

/* Sentences of eight words each. */
static const char *eights(size_t sentences, char *out, size_t size)
{
    size_t n = 0;

    out[0] = '\0';
    for (size_t i = 0; i < sentences; i++)
        n += (size_t)snprintf(out + n, size - n,
                              "%sThese are eight words of "
                              "some running text.",
                              i > 0 ? " " : "");
    assert_true(n < size);
    return out;
}

static void a_short_line_stays_with_what_it_heads(void **state)
{
    char before[1024], after[2048];
    struct cut c;

    (void)state;
    /* Enough for a passage, nearly enough, and hardly any; then what follows
     * as one piece and as several. */
    for (size_t i = 1; i <= 12; i++) {
        for (size_t k = 4; k <= 28; k += 6) {
            struct block b[] = {
                B(BLOCK_PARA, 0, eights(i, before, sizeof before)),
                B(BLOCK_PARA, 0, "Maximum Database Size"),
                B(BLOCK_PARA, 0, eights(k, after, sizeof after)),
            };
            bool together = false;

            cut(&c, "T", b, 3);
            for (size_t j = 0; j < c.count; j++)
                together =
                    together || strstr(c.p[j].text, "Size\nThese are") != NULL;
            assert_true(together);
            arena_fini(&c.a);
        }
    }
}

static void a_caption_stays_with_its_table(void **state)
{
    char before[1024];
    struct block b[] = {
        B(BLOCK_PARA, 0, eights(13, before, sizeof before)),
        B(BLOCK_PARA, 0, "Table 1. The rivers of the country and how long."),
        B(BLOCK_TABLE_ROW, 0, "River: Elbe | Length: 1,094 km"),
    };
    struct cut c;

    (void)state;
    cut(&c, "T", b, 3);
    assert_int_equal(c.count, 2);
    assert_string_equal(c.p[1].text,
                        "Table 1. The rivers of the country and how long.\n"
                        "River: Elbe | Length: 1,094 km");
    arena_fini(&c.a);
}

/* What goes on with an entry stands under its term; what comes behind it does
 * not, and belongs to the same section. */
static void an_entry_that_goes_on_is_under_its_term(void **state)
{
    static const struct definition outer = {"class io.File", NULL},
                                   inner = {"open", &outer};
    char one[1024], two[1024];
    struct block b[] = {
        B(BLOCK_HEADING, 2, "Functions"),
        B(BLOCK_LIST_ITEM, 1, eights(13, one, sizeof one)),
        B(BLOCK_LIST_ITEM, 2, eights(13, one, sizeof one)),
        B(BLOCK_PARA, 0, eights(13, two, sizeof two)),
        B(BLOCK_PARA, 0, "The end of it."),
        B(BLOCK_LIST_ITEM, 1, "ord: What comes behind."),
    };
    struct cut c;

    (void)state;
    b[1].entry = &outer;
    b[2].entry = b[3].entry = b[4].entry = &inner;
    cut(&c, "T", b, 6);
    assert_int_equal(c.count, 4);
    assert_string_equal(c.p[0].heading, "Functions");
    assert_string_equal(c.p[1].heading, "Functions › class io.File");
    assert_string_equal(c.p[2].heading, "Functions › open");
    assert_string_equal(c.p[3].heading, "Functions");
    assert_string_equal(heading_last(c.p[2].heading), "open");
    assert_int_equal(heading_section(c.p[2].heading), strlen("Functions"));
    assert_string_equal(heading_last(c.p[3].heading), "Functions");
    assert_int_equal(heading_section(c.p[3].heading), strlen("Functions"));
    assert_int_equal(heading_section("› open"), 0);
    assert_string_equal(heading_last("› open"), "open");
    arena_fini(&c.a);
}

static void what_stands_above_a_heading(void **state)
{
    static const struct {
        const char *path, *above;
    } of[] = {{"", ""},
              {"Pumps", ""},
              {"Pumps > Overview", "Pumps"},
              {"Pumps > Parts > Valves", "Parts"},
              {"Pumps > Parts \xE2\x80\xBA valve", "Parts"},
              {"\xE2\x80\xBA valve", ""}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct str s = heading_above(of[i].path);

        assert_int_equal(s.n, strlen(of[i].above));
        assert_memory_equal(s.p, of[i].above, s.n);
    }
}

/* A term goes to its colon, or, where one may be told so, to its only dash. */
static void a_term_goes_to_its_colon(void **state)
{
    static const struct {
        const char *text;
        size_t term, told;
    } of[] = {{"delay: How long it waits.", 5, 5},
              {"get(name: str, strip: bool = True) -> str: Returns it.", 41, 41},
              {"map[key: value]: Both.", 15, 15},
              {"No term here, and none later.", 0, 0},
              {"12:30 is noon", 0, 0},
              {"a term of far too many bytes: it is none", 0, 0},
              {"f(x: y", 0, 0},
              {"WORM (once) -- Written once.", 0, 11},
              {"delay \xE2\x80\x94 How long it waits.", 0, 5},
              {"delay: What -- in all -- it waits.", 5, 5},
              {"delay -- How long: it waits.", 17, 5},
              {"valve (old -- brass) -- A flap.", 0, 20},
              {"IPv6 -- Later than 4. It is 5 -- 10 times so.", 0, 4},
              {"A pump \xE2\x80\x94 when full \xE2\x80\x94 drains.", 0, 0},
              {"1990 \xE2\x80\x93 2000 was a boom", 0, 0},
              {"three\xE2\x80\x93 five and --no", 0, 0},
              {" -- ", 0, 0},
              {":", 0, 0},
              {"", 0, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        size_t n = strlen(of[i].text);

        assert_int_equal(passage_term(of[i].text, n, 24), of[i].term);
        assert_int_equal(passage_told(of[i].text, n, 24), of[i].told);
    }
}

static void parts_are_read_back_as_they_were_cut(void **state)
{
    const struct definition entry = {.name = "below"};
    struct block b[] = {
        {BLOCK_PARA, 0, "Some words:", false, false, NULL, 0, 0},
        {BLOCK_LIST_ITEM, 1, "Home of all", true, true, NULL, 0, 0},
        {BLOCK_LIST_ITEM, 2, "Below it", true, false, NULL, 3, 0},
        {BLOCK_LIST_ITEM, 7, "Far below", false, true, &entry, 0, 0},
        {BLOCK_PARA, 0, "More of it", false, false, &entry, 0, 0},
        {BLOCK_TABLE_ROW, 0, "A: b", false, false, NULL, 0, 0},
    };
    static const char kinds[] = "pijjpr";
    static const size_t levels[] = {0, 1, 2, LIST_LEVELS, 0, 0};
    struct passage_part part;
    const char *z;
    struct cut c;
    size_t i = 0;

    (void)state;
    cut(&c, "T", b, 6);
    assert_int_equal(c.count, 1);
    assert_string_equal(c.p[0].parts, "p0 I12~ j24~#3 L33 P43 r54");
    for (z = c.p[0].parts; passage_part_next(&z, 58, &part); i++) {
        assert_int_equal(part.kind, kinds[i]);
        assert_int_equal(part.level, levels[i]);
        assert_int_equal(part.begins, b[i].begins);
        assert_int_equal(part.inside, i == 4);
        assert_int_equal(part.links, b[i].links);
        assert_int_equal(part.number, b[i].number);
        assert_false(part.goes_on);
        assert_memory_equal(c.p[0].text + part.start, b[i].text,
                            strlen(b[i].text));
    }
    assert_int_equal(i, 6);
    arena_fini(&c.a);
    z = "p0 i12+~";
    assert_true(passage_part_next(&z, 20, &part));
    assert_true(passage_part_next(&z, 20, &part));
    assert_true(part.goes_on && part.links && part.len == 8);
    z = "p9 i3";
    assert_false(passage_part_next(&z, 20, &part));
    z = "p30";
    assert_false(passage_part_next(&z, 20, &part));
}

static void a_page_has_the_class_that_its_passages_make(void **state)
{
    static const struct {
        const char *title, *heading, *text, *parts;
        enum page_class want;
    } cases[] = {
        {"T", "", "Some words", "p0", PAGE_TEXT},
        {"T", "", "Some words", "", PAGE_TEXT},
        {"T", "", "Some words\nHome\nAbout us of it", "p0 i11~ i16~",
         PAGE_TEXT},
        {"T", "", "Some\nHome\nAbout us and all of it", "p0 i5~ i10~",
         PAGE_LINKS},
        {"What's New in Tool 3", "", "Words", "p0", PAGE_CHANGES},
        {"Tool Release 3.2 of it", "", "Words", "p0", PAGE_CHANGES},
        {"T", "News > 3.8.1 (2024-05-17)", "Words", "p0", PAGE_CHANGES},
        {"T", "Tool > Version 2.1", "Words", "p0", PAGE_CHANGES},
        {"T", "1.2. How to set it up", "Words", "p0", PAGE_TEXT},
        {"Format Version 3", "", "Words", "p0", PAGE_TEXT},
        {"T", "", "Lee, A. (1998). On it. Journal of It, 3.", "p0",
         PAGE_SOURCES},
        {"Bibliography", "", "Words", "p0", PAGE_SOURCES},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct page_shape s = {.bytes = 0};

        page_shape_add(&s, cases[i].heading, cases[i].text, cases[i].parts);
        assert_int_equal(page_shape_class(&s, cases[i].title), cases[i].want);
    }
}

static void a_page_of_code_alone_is_a_program(void **state)
{
    char code[1800];
    struct page_shape s = {.bytes = 0};

    (void)state;
    memset(code, 'x', sizeof code - 1);
    code[sizeof code - 1] = '\0';
    page_shape_add(&s, "", code, "c0");
    assert_int_equal(page_shape_class(&s, "T"), PAGE_CODE);
    page_shape_add(&s, "",
                   "Words about it that somebody may look for, and some "
                   "more, so that there is a text around the listing.",
                   "p0");
    assert_int_equal(page_shape_class(&s, "T"), PAGE_TEXT);
    s = (struct page_shape){.bytes = 0};
    page_shape_add(&s, "", "make install", "c0"); /* an example */
    assert_int_equal(page_shape_class(&s, "T"), PAGE_TEXT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_passage_is_in_one_language),
        cmocka_unit_test(small_blocks_of_one_heading_are_joined),
        cmocka_unit_test(the_heading_path_has_the_three_deepest_levels),
        cmocka_unit_test(a_long_heading_path_loses_its_upper_levels),
        cmocka_unit_test(a_long_paragraph_is_cut_evenly_between_sentences),
        cmocka_unit_test(a_giant_sentence_is_cut_at_spaces),
        cmocka_unit_test(an_introduction_stays_with_its_first_item),
        cmocka_unit_test(a_short_line_stays_with_what_it_heads),
        cmocka_unit_test(a_caption_stays_with_its_table),
        cmocka_unit_test(an_entry_that_goes_on_is_under_its_term),
        cmocka_unit_test(a_term_goes_to_its_colon),
        cmocka_unit_test(what_stands_above_a_heading),
        cmocka_unit_test(parts_are_read_back_as_they_were_cut),
        cmocka_unit_test(a_page_has_the_class_that_its_passages_make),
        cmocka_unit_test(code_keeps_its_line_breaks),
        cmocka_unit_test(a_page_of_headings_only_is_still_text),
        cmocka_unit_test(a_page_without_blocks_has_no_passages),
        cmocka_unit_test(a_page_of_code_alone_is_a_program),
        cmocka_unit_test(passages_end_at_their_cap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
