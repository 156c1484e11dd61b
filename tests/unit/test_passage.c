/* Passages of a page; see text/passage.h. */
#include "base/str.h"
#include "text/passage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void small_blocks_of_one_heading_are_joined(void **state)
{
    struct block b[] = {{BLOCK_PARA, 0, "One."},
                        {BLOCK_PARA, 0, "Two."},
                        {BLOCK_HEADING, 2, "Next"},
                        {BLOCK_PARA, 0, "Three."}};
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
        {BLOCK_HEADING, 1, "Title"}, {BLOCK_HEADING, 2, "A"},
        {BLOCK_HEADING, 3, "B"},     {BLOCK_HEADING, 4, "C"},
        {BLOCK_HEADING, 5, "D"},     {BLOCK_PARA, 0, "x"},
        {BLOCK_HEADING, 3, "E"},     {BLOCK_PARA, 0, "y"},
        {BLOCK_HEADING, 2, "F"},     {BLOCK_PARA, 0, "z"},
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

static void a_long_paragraph_is_cut_evenly_between_sentences(void **state)
{
    char *z = prose(21);
    struct block b[] = {{BLOCK_PARA, 0, z}};
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
    struct block b[] = {{BLOCK_PARA, 0, z}};
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
    struct block b[] = {{BLOCK_PARA, 0, z},
                        {BLOCK_PARA, 0, "There are two kinds of these:"},
                        {BLOCK_LIST_ITEM, 1, item},
                        {BLOCK_LIST_ITEM, 1, "Second."}};
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
    struct block b[] = {{BLOCK_PARA, 0, "Do this:"},
                        {BLOCK_CODE, 0, "int main()\n{\n    return 0;\n}"}};
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
    struct block b[] = {{BLOCK_HEADING, 1, "Alpha"},
                        {BLOCK_HEADING, 2, "Beta"}};
    struct cut c;

    (void)state;
    cut(&c, "", b, 2);
    assert_int_equal(c.count, 1);
    assert_string_equal(c.p[0].text, "Alpha\nBeta");
    arena_fini(&c.a);
}

static void a_page_without_blocks_has_no_passages(void **state)
{
    struct block b[] = {{BLOCK_PARA, 0, ""}};
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
        b[2 * i] = (struct block){BLOCK_HEADING, 2, "H"};
        b[2 * i + 1] = (struct block){BLOCK_PARA, 0, "text"};
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
                {BLOCK_PARA, 0, eights(i, before, sizeof before)},
                {BLOCK_PARA, 0, "Maximum Database Size"},
                {BLOCK_PARA, 0, eights(k, after, sizeof after)},
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
        {BLOCK_PARA, 0, eights(13, before, sizeof before)},
        {BLOCK_PARA, 0, "Table 1. The rivers of the country and how long."},
        {BLOCK_TABLE_ROW, 0, "River: Elbe | Length: 1,094 km"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_blocks_of_one_heading_are_joined),
        cmocka_unit_test(the_heading_path_has_the_three_deepest_levels),
        cmocka_unit_test(a_long_paragraph_is_cut_evenly_between_sentences),
        cmocka_unit_test(a_giant_sentence_is_cut_at_spaces),
        cmocka_unit_test(an_introduction_stays_with_its_first_item),
        cmocka_unit_test(a_short_line_stays_with_what_it_heads),
        cmocka_unit_test(a_caption_stays_with_its_table),
        cmocka_unit_test(code_keeps_its_line_breaks),
        cmocka_unit_test(a_page_of_headings_only_is_still_text),
        cmocka_unit_test(a_page_without_blocks_has_no_passages),
        cmocka_unit_test(passages_end_at_their_cap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
