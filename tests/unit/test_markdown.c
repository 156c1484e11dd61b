/* Markdown and plain text to blocks; see text/html.h. */
#include "base/clock.h"
#include "base/date.h"
#include "text/html.h"
#include "text/markdown_guard.h"
#include "text/marks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct parsed {
    struct arena a;
    struct page_doc doc;
};

static void parse(struct parsed *x, const char *text)
{
    struct url base;

    arena_init(&x->a, 32 << 20);
    assert_int_equal(
        url_parse("http://s.example/d/x.md", 23, NULL, &x->a, &base, NULL),
        ERR_OK);
    assert_int_equal(markdown_parse(text, strlen(text), &base, &x->a, &x->doc),
                     ERR_OK);
}

/* Blocks as "kind+level:text" joined by "|"; level only when not 0. */
static const char *blocks(struct parsed *x)
{
    static const char kinds[] = "PHLTCQ";
    const char *all = "";

    for (size_t i = 0; i < x->doc.block_count; i++) {
        const struct block *b = &x->doc.blocks[i];
        const char *level =
            b->level == 0 ? "" : arena_printf(&x->a, "%d", b->level);

        all = arena_printf(&x->a, "%s%s%c%s:%s", all, i > 0 ? "|" : "",
                           kinds[b->kind], level, b->text);
    }
    return all;
}

static void lines_become_blocks(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"\n\n", ""},
        {"one\ntwo\n\nthree", "P:one two|P:three"},
        {"# A #\ntext\r\n## B", "H1:A|P:text|H2:B"},
        {"Top\n===\nSub\n---\nx", "H1:Top|H2:Sub|P:x"},
        {"#no heading", "P:#no heading"},
        {"- a\n  more\n- b\n  - c\n1. d\n2) e",
         "L1:a more|L1:b|L2:c|L1:d|L1:e"},
        {"* [x] done\n* [ ] open", "L1:done|L1:open"},
        {"```c\nint x;\n\n# y\n```\nz", "C:int x;\n\n# y|P:z"},
        {"~~~\na\n```\nb", "C:a\n```\nb"},
        {"p\n\n    code\n      more\n\nq", "P:p|C:code\n  more|P:q"},
        {"> a\n> b\n\nc", "Q:a b|P:c"},
        {"> # H\n> - i", "H1:H|L1:i"},
        {"a\n\n---\n\nb", "P:a|P:b"},
        {"| N | S |\n|---|:-:|\n| a | 1 |\n| b |   |\n\nx",
         "T:N: a | S: 1|T:N: b|P:x"},
        {"[id]: http://x.example/\n\ntext", "P:text"},
        {"-5 degrees", "P:-5 degrees"},
        {"<div>\n<script>x()</script><b>t</b>\n</div>\n\n*u*<p>v", "P:t|P:u v"},
        {"<table>\n<tr><th>A<th>B\n\n<tr><td>1<td>2\n</table>\n\n<!-- c -->",
         "T:A: 1 | B: 2"},
        {"| N | S |\n|---|---|", "T:N | S"},
        {"- a\n\n  b\n  > c", "L1:a|P:b|Q:c"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct parsed x;

        parse(&x, cases[i].text);
        assert_string_equal(blocks(&x), cases[i].want);
        arena_fini(&x.a);
    }
}

static void inline_marks_leave_the_text(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"a *b* **c** _d_ __e__ ~~f~~", "P:a b c d e f"},
        {"snake_case_name 2 * 3 * 4", "P:snake_case_name 2 * 3 * 4"},
        {"`a*b*` and ``c`d``", "P:a*b* and c`d"},
        {"a ``` b `c` and `` d ` e", "P:a ``` b c and `` d ` e"},
        {"see [the *docs*](http://x.example/ \"t\") now", "P:see the docs now"},
        {"[ref][1] and [plain]\n\n[1]: /x", "P:ref and [plain]"},
        {"a[i][j] and m[2][3]", "P:a[i][j] and m[2][3]"},
        {"argv[1] (see [x](y)[2])", "P:argv[1] (see x[2])"},
        {"![alt text](pic.png) x", "P:alt text x"},
        {"<http://x.example/a>", "P:http://x.example/a"},
        {"a<br/>b <span class=x>c</span> 1 < 2", "P:a b c 1 < 2"},
        {"\\*not\\* \\[x\\]", "P:*not* [x]"},
        {"a &amp; b &lt;c&gt;", "P:a & b <c>"},
        {"***a*** **b *c* d** _**e**_ *__f__* **_g_**", "P:a b c d e f g"},
        {"un*frigging*believable (*a*), \"**b**\".",
         "P:unfriggingbelievable (a), \"b\"."},
        {"~~a~~ ~b~ ~~~~ ~5 to ~10", "P:a ~b~ ~~~~ ~5 to ~10"},
        {"H~2~O ~x/~y ~~*a* `b`~~ ~*a*~", "P:H~2~O ~x/~y a b ~a~"},
        {"2<sup>64</sup>, x<sub>i</sub>, 1<sup>st</sup> <sup>",
         "P:2^64, x_i, 1st"},
        {"&copy;&#8212;&nbsp;x &nosuch; &notit; &#65;",
         "P:\xC2\xA9\xE2\x80\x94 x &nosuch; &notit; A"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct parsed x;

        parse(&x, cases[i].text);
        assert_string_equal(blocks(&x), cases[i].want);
        arena_fini(&x.a);
    }
}

static void marks_without_a_partner_are_text(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"*SECTION*_*KEY*", "P:SECTION_KEY"},
        {"**SECTION**_**KEY**", "P:SECTION_KEY"},
        {"_a_*_b_ and *c*__*d*", "P:a*b and c__d"},
        {"*A*_*B*_*C*", "P:ABC"}, /* here they have one */
        {"the _start symbol", "P:the _start symbol"},
        {"foo_ and _start", "P:foo_ and _start"},
        {"f(*args, **kwargs)", "P:f(*args, **kwargs)"},
        {"price* of *one*", "P:price* of one"},
        {"**a *b**", "P:*a b"},
        {"**a*", "P:*a"},
        {"*a `*` b and \\*c", "P:*a * b and *c"},
        {"[*a](http://x.example/) b*", "P:*a b*"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct parsed x;

        parse(&x, cases[i].text);
        assert_string_equal(blocks(&x), cases[i].want);
        arena_fini(&x.a);
    }
}

static void front_matter_and_first_heading_give_the_facts(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "---\ntitle: \"My: page\"\ndate: 2024-02-29T10:00:00Z\n"
              "tags: [a]\n---\n# Heading\ntext");
    assert_string_equal(x.doc.title, "My: page");
    assert_int_equal(x.doc.day, date_to_day(2024, 2, 29));
    assert_string_equal(blocks(&x), "H1:Heading|P:text");
    arena_fini(&x.a);
    parse(&x, "intro\n\n# The *Title*\n\n# Other");
    assert_string_equal(x.doc.title, "The Title");
    assert_int_equal(x.doc.day, DAY_NONE);
    arena_fini(&x.a);
    parse(&x, "---\nnever closed");
    assert_string_equal(x.doc.title, "");
    assert_string_equal(blocks(&x), "P:never closed");
    arena_fini(&x.a);
    parse(&x, "---\nFoo\n---\nBar");
    assert_string_equal(blocks(&x), "H2:Foo|P:Bar");
    arena_fini(&x.a);
}

static void links_and_images_are_collected_absolute(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "[a](b.md) [c](http://y.example/z) [f](#x) [j](javascript:1)\n"
              "![i](/p.png)");
    assert_int_equal(x.doc.link_count, 2);
    assert_string_equal(x.doc.links[0].url, "http://s.example/d/b.md");
    assert_string_equal(x.doc.links[0].text, "a");
    assert_string_equal(x.doc.links[1].url, "http://y.example/z");
    assert_int_equal(x.doc.image_count, 1);
    assert_string_equal(x.doc.images[0].url, "http://s.example/p.png");
    assert_string_equal(x.doc.images[0].alt, "i");
    arena_fini(&x.a);
    parse(&x, "[a *b*][r] <http://y.example/> ![c [d](/e)](/f \"t\")\n\n"
              "[R]: http://y.example/?a&amp;b 'title'");
    assert_string_equal(blocks(&x), "P:a b http://y.example/ c d");
    assert_int_equal(x.doc.link_count, 3);
    assert_string_equal(x.doc.links[0].url, "http://y.example/?a&b");
    assert_string_equal(x.doc.links[0].text, "a b");
    assert_string_equal(x.doc.links[1].text, "http://y.example/");
    assert_string_equal(x.doc.links[2].text, "d");
    assert_string_equal(x.doc.images[0].alt, "c d");
    arena_fini(&x.a);
    /* MD4C 0.4.8 ends a link here that it never began. */
    parse(&x, "![]([)]()");
    assert_true(x.doc.link_count <= 1);
    arena_fini(&x.a);
}

static void plain_text_has_paragraphs_and_maybe_a_title(void **state)
{
    static const char text[] = "\n  A  Title \n\nfirst\n  line\n\n\nsecond";
    struct parsed x;

    (void)state;
    arena_init(&x.a, 1 << 20);
    assert_int_equal(plain_parse(text, sizeof text - 1, &x.a, &x.doc), ERR_OK);
    assert_string_equal(x.doc.title, "A  Title");
    assert_string_equal(blocks(&x), "P:A Title|P:first line|P:second");
    assert_string_equal(x.doc.lang, "");
    arena_fini(&x.a);
}

#define TYPED                                                                  \
    "Filling the tank\n"                                                       \
    "================\n\n"                                                     \
    "The tank is filled through the upper valve, which has to be opened by\n"  \
    "hand before the pump is started. It takes ninety liters. A full con-\n"   \
    "tainer is shown by the lamp, and the container is closed then.\n\n"       \
    "Options\n-------\n\n"                                                     \
    "  - The lamp blinks when the pressure is too high for the\n"              \
    "    hose.\n"                                                              \
    "  - It stays dark without current.\n\n"                                   \
    "  -f, --fast   Fills at twice the pressure, which only newer hoses\n"     \
    "               stand for longer than a minute.\n\n"                       \
    "  -q\n      Says nothing while it runs.\n\n"                              \
    "Example:\n\n  tank --fast \\\n       --hose=new\n"

static void lines_that_lead_elsewhere_and_colophons_go(void **state)
{
    static const char text[] =
        "Next Previous Contents\n\n- [ << ] [ >> ] [Top] [ ? ]\n\nNext\n\n"
        "Up Contents\n\nGo to the next page\n\n# Next Previous\n\n"
        "Copyright \xC2\xA9 is said first.\n\nIt ends.\n\nLast modified in "
        "May\n\nThe site \xC2\xA9 all\n\nVersion: $Id: a $\n\n"
        "\xC2\xA9 2023 A maker\n";
    struct parsed x;

    (void)state;
    parse(&x, text);
    marks_read(&x.doc);
    assert_string_equal(blocks(&x),
                        "P:Next|P:Up Contents|P:Go to the next page|H1:Next "
                        "Previous|P:Copyright \xC2\xA9 is said first.|P:It "
                        "ends.");
    arena_fini(&x.a);
}

static void a_marked_question_heads_its_answer(void **state)
{
    static const char text[] =
        "# Pumps\n\nQ: Why is it loud?\n\nIt was not last year.\n\nA: Its "
        "bearing is dry.\n\nOil it.\n\nQ2: Does it freeze?\n\n> A2: Not "
        "above zero.\n\nQ: Who made it?\n\n## Hoses\n\nA: A maker.\n\nQ: "
        "How long?\n\nA: Ten meters.\n\n- Q: quoted\n- A: all\n";
    struct parsed x;

    (void)state;
    parse(&x, text);
    marks_read(&x.doc);
    assert_string_equal(
        blocks(&x),
        "H1:Pumps|H2:Why is it loud?|P:It was not last year.|P:A: Its bearing "
        "is dry.|P:Oil it.|H2:Does it freeze?|Q:Not above zero.|P:Q: Who made "
        "it?|H2:Hoses|P:A: A maker.|H3:How long?|P:Ten meters.|L1:Q: "
        "quoted|L1:A: "
        "all");
    arena_fini(&x.a);
}

/* By other marks, and where they are none. */
static void languages_mark_questions_by_their_own_letters(void **state)
{
    static const struct {
        const char *text, *blocks;
    } rows[] = {
        {"# Pumps\n\n## Q: Why is it loud?\n\nA: It is dry.\n\n## Q: Why "
         "dry?\n\nA: No oil.\n",
         "H1:Pumps|H2:Why is it loud?|P:It is dry.|H2:Why dry?|P:No oil."},
        {"Q. It is loud.\n\nA. Oil it.\n\nQuestion 2. So?\n\nQ. And "
         "now?\n\nA. Oil it.\n",
         "H2:It is loud.|P:Oil it.|P:Question 2. So?|H2:And now?|P:Oil it."},
        {"Frage 1: Warum?\n\nAntwort: Darum.", "H2:Warum?|P:Darum."},
        {"Question : Pourquoi ?\n\nR\xC3\xA9ponse : Oui.",
         "H2:Pourquoi ?|P:Oui."},
        {"P: \xC2\xBFPor qu\xC3\xA9?\n\nR: S\xC3\xAD.",
         "H2:\xC2\xBFPor qu\xC3\xA9?|P:S\xC3\xAD."},
        /* nothing that asks, letters that count, words that go on */
        {"P: points\n\nR: radius\n\nP: points\n\nR: radius\n",
         "P:P: points|P:R: radius|P:P: points|P:R: radius"},
        {"F. Is it?\n\nA. Author", "P:F. Is it?|P:A. Author"},
        {"Q: all\n\nA: one", "P:Q: all|P:A: one"},
        {"Questions: why?\n\nAnswers: so", "P:Questions: why?|P:Answers: so"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct parsed x;

        parse(&x, rows[i].text);
        marks_read(&x.doc);
        assert_string_equal(blocks(&x), rows[i].blocks);
        arena_fini(&x.a);
    }
}

static void numbers_of_paragraphs_are_no_text(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "3\n\na\n\n4\n\nb\n\n5\n\n6\n\nc\n\n10\n\nd\n");
    marks_read(&x.doc);
    assert_string_equal(blocks(&x), "P:a|P:b|P:c|P:d");
    arena_fini(&x.a);
    parse(&x, "1\n\na\n\n2\n\nb\n\n3\n\n4\n"); /* too few */
    marks_read(&x.doc);
    assert_string_equal(blocks(&x), "P:1|P:a|P:2|P:b|P:3|P:4");
    arena_fini(&x.a);
    parse(&x, "3\n\n4\n\n5\n\n6\n\n2\n\na\n"); /* they say something */
    marks_read(&x.doc);
    assert_string_equal(blocks(&x), "P:3|P:4|P:5|P:6|P:2|P:a");
    arena_fini(&x.a);
}

/* A rule is no title; the heading behind it is. */
static void a_rule_is_no_title(void **state)
{
    static const char text[] = "==========\n\n" TYPED;
    struct parsed x;

    (void)state;
    arena_init(&x.a, 1 << 20);
    assert_int_equal(plain_parse(text, sizeof text - 1, &x.a, &x.doc), ERR_OK);
    assert_string_equal(x.doc.title, "Filling the tank");
    arena_fini(&x.a);
    arena_init(&x.a, 1 << 20);
    assert_int_equal(plain_parse("----\n", 5, &x.a, &x.doc), ERR_OK);
    assert_string_equal(x.doc.title, "");
    arena_fini(&x.a);
}

static void typed_text_is_read_as_it_was_meant(void **state)
{
    static const char want[] =
        "H1:Filling the tank|P:The tank is filled through the upper valve, "
        "which has to be opened by hand before the pump is started. It takes "
        "ninety liters. A full container is shown by the lamp, and the "
        "container is closed then.|H2:Options|L1:The lamp blinks when the "
        "pressure is too high for the hose.|L1:It stays dark without current.|"
        "L1:-f, --fast: Fills at twice the pressure, which only newer hoses "
        "stand for longer than a minute.|L1:-q: Says nothing while it runs.|"
        "P:Example:|C:  tank --fast \\\n       --hose=new";
    static const char letter[] =
        "TO THE READER\n  Words of one line are no evidence that lines were "
        "broken.\nA table   is none\nnot even   it\n";
    struct parsed x;

    (void)state;
    arena_init(&x.a, 1 << 20);
    assert_int_equal(plain_parse(TYPED, sizeof TYPED - 1, &x.a, &x.doc),
                     ERR_OK);
    assert_string_equal(x.doc.title, "Filling the tank");
    assert_string_equal(blocks(&x), want);
    assert_int_equal(plain_parse(letter, sizeof letter - 1, &x.a, &x.doc),
                     ERR_OK);
    assert_int_equal(x.doc.block_count, 1);
    arena_fini(&x.a);
}

static void hostile_text_costs_linear_time(void **state)
{
    static const char *const units[] = {
        "[",     "![", "`",    "*",    "_",  "<a",      "[a](",
        "&",     "\\", "> ",   "- ",   "|",  "    x\n", "```\n",
        "[a]: ", "~",  "*a_b", "a** ", "_*a"};
    size_t n = 20000; /* the sanitizer's buffers grow byte by byte */
    char *z = malloc(n + 1);

    (void)state;
    assert_non_null(z);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        size_t step = strlen(units[i]), len = 0;
        int64_t from = clock_mono_ms();
        struct parsed x;

        for (; len + step <= n; len += step)
            memcpy(z + len, units[i], step);
        z[len] = '\0';
        parse(&x, z);
        arena_fini(&x.a);
        assert_true(clock_mono_ms() - from < 20000);
    }
    free(z);
}

/* count times the unit, at z + at. */
static size_t repeat(char *z, size_t at, const char *unit, size_t count)
{
    size_t step = strlen(unit);

    for (size_t i = 0; i < count; i++, at += step)
        memcpy(z + at, unit, step);
    z[at] = '\0';
    return at;
}

/* What would take MD4C quadratic time never reaches it. */
static void what_would_cost_too_much_is_read_as_plain_text(void **state)
{
    static const struct {
        const char *first;
        size_t count;
        const char *then;
        size_t times;
        const char *last;
        bool bounded;
    } cases[] = {
        {"[", 50000, "]", 50000, "", true},
        {"[", 400000, "a\n\n[", 2, "", true},
        {"[", 400001, "", 0, "", false},
        {"[", 50000, "]", 50000, "\n\n[a]: /b", false},
        {"[", 16, "a] ", 1, "\n\n[a]: /b", true},
        {"\x1B[1m", 500, "]", 500, "\n\n[a]: /b", true},
        {"](\n", 200000, "", 0, "", false},
        {"- [a](b)\n", 20000, "", 0, "", true},
        {"[x]: ", 1, "x", 100000, "\n[x]", true},
        {"[x] ", 20000, "x", 100000, "\n\n[x]: /y", false},
        {"- ", 600, "a\n", 1, "", false},
        {"- ", 400, "\n", 1, "", true},
        {"- ", 400, "a\n\n", 700000, "", false},
        {" ", 2000, "a\n", 1000, "", true},
        {"> ", 100, "a\n", 1000, "", true},
    };
    char *z = malloc(4 << 20);

    (void)state;
    assert_non_null(z);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t n = repeat(z, 0, cases[i].first, cases[i].count);

        n = repeat(z, n, cases[i].then, cases[i].times);
        n = repeat(z, n, cases[i].last, 1);
        if (markdown_is_bounded(z, n) != cases[i].bounded)
            fail_msg("case %zu", i);
    }
    free(z);
}

static void a_table_of_made_up_cells_is_no_table(void **state)
{
    char z[8000];
    size_t n;
    struct parsed x;

    (void)state;
    n = repeat(z, 0, "|a", 65);
    n = repeat(z, n, "|\n", 1);
    n = repeat(z, n, "|---", 65);
    repeat(z, n, "|\n| *b* |\n", 1);
    parse(&x, z);
    assert_int_equal(x.doc.block_count, 1);
    assert_int_equal(x.doc.blocks[0].kind, BLOCK_PARA);
    arena_fini(&x.a);
    n = repeat(z, 0, "|a", 60);
    n = repeat(z, n, "|\n", 1);
    n = repeat(z, n, "|---", 60);
    n = repeat(z, n, "|\n", 1);
    n = repeat(z, n, "| *b*\n", 20);
    parse(&x, z);
    assert_int_equal(x.doc.block_count, 1);
    arena_fini(&x.a);
    repeat(z, n, "x*y*z 0123456789 0123456789\n\n", 50);
    parse(&x, z);
    assert_int_equal(x.doc.block_count, 70);
    assert_int_equal(x.doc.blocks[0].kind, BLOCK_TABLE_ROW);
    assert_string_equal(x.doc.blocks[0].text, "a: b");
    arena_fini(&x.a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_blocks),
        cmocka_unit_test(inline_marks_leave_the_text),
        cmocka_unit_test(marks_without_a_partner_are_text),
        cmocka_unit_test(front_matter_and_first_heading_give_the_facts),
        cmocka_unit_test(links_and_images_are_collected_absolute),
        cmocka_unit_test(plain_text_has_paragraphs_and_maybe_a_title),
        cmocka_unit_test(lines_that_lead_elsewhere_and_colophons_go),
        cmocka_unit_test(a_marked_question_heads_its_answer),
        cmocka_unit_test(languages_mark_questions_by_their_own_letters),
        cmocka_unit_test(numbers_of_paragraphs_are_no_text),
        cmocka_unit_test(a_rule_is_no_title),
        cmocka_unit_test(typed_text_is_read_as_it_was_meant),
        cmocka_unit_test(hostile_text_costs_linear_time),
        cmocka_unit_test(what_would_cost_too_much_is_read_as_plain_text),
        cmocka_unit_test(a_table_of_made_up_cells_is_no_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
