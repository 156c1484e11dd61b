/* Pages to text and facts; see text/html.h. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/date.h"
#include "base/str.h"
#include "text/html.h"
#include "text/passage.h"

#include <iconv.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define P1                                                                     \
    "<p>The first paragraph of the article tells what happened, where it "     \
    "happened, and who was there, in words that are long enough to count as "  \
    "running text of a page.</p>"
#define P2                                                                     \
    "<p>The second paragraph goes on, with more of the same, so that the "     \
    "whole has the weight of an article, not that of a menu, a list of "       \
    "links, or an advertisement.</p>"

struct parsed {
    struct arena a;
    struct page_doc doc;
    struct errctx ec;
    enum err e;
};

static void parse_at(struct parsed *x, const char *address, const char *html,
                     size_t n)
{
    struct url base;

    memset(x, 0, sizeof *x);
    arena_init(&x->a, 64 << 20);
    assert_int_equal(
        url_parse(address, strlen(address), NULL, &x->a, &base, &x->ec),
        ERR_OK);
    x->e = html_parse(html, n, &base, &x->a, &x->doc, &x->ec);
}

static void parse(struct parsed *x, const char *html)
{
    parse_at(x, "http://site.example/dir/page.html", html, strlen(html));
    assert_int_equal(x->e, ERR_OK);
}

static void done(struct parsed *x)
{
    arena_fini(&x->a);
}

/* Blocks as "kind:text" joined by "|"; P H L T C Q. */
static const char *blocks(struct parsed *x)
{
    static const char kinds[] = "PHLTCQ";
    const char *all = "";

    for (size_t i = 0; i < x->doc.block_count; i++)
        all = arena_printf(&x->a, "%s%s%c:%s", all, i > 0 ? "|" : "",
                           kinds[x->doc.blocks[i].kind], x->doc.blocks[i].text);
    assert_non_null(all);
    return all;
}

static void assert_blocks(const char *html, const char *want)
{
    struct parsed x;

    parse(&x, html);
    assert_string_equal(blocks(&x), want);
    done(&x);
}

static bool has_text(struct parsed *x, const char *needle)
{
    return strstr(blocks(x), needle) != NULL;
}

/* --- blocks ------------------------------------------------------------ */

static void markup_becomes_blocks_in_page_order(void **state)
{
    static const struct {
        const char *html, *want;
    } cases[] = {
        {"", ""},
        {"plain", "P:plain"},
        {"<h1>A</h1><p>b  \n c<p>d", "H:A|P:b c|P:d"},
        {"<ul><li>a<li><p>b</p><p>c</p></ul>", "L:a|L:b|P:c"},
        {"<pre>\n  x\n   y\n</pre>", "C:  x\n   y"},
        {"<blockquote><p>q</blockquote>r", "Q:q|P:r"},
        {"a<br>b<br><br>c", "P:a b|P:c"},
        {"<p>a<b>b</b>c <i>d</i></p>", "P:abc d"},
        {"<p>a&amp;b &lt;c&gt; &eacute;&nbsp;x</p>", "P:a&b <c> \xC3\xA9 x"},
        {"<p>soft&shy;hyphen zero&#8203;width</p>", "P:softhyphen zerowidth"},
        {"<dl><dt>T<dd>def<dt>U<dt>V<dd>two<dt>W</dl>",
         "L:T: def|L:U, V: two|P:W"},
        {"<dl><dt id=log-shared>T<dd>def</dl>", "L:T: def"},
        {"<dl><dt>: <b>f</b> (x)<dt>: y = f (x)<dd>one</dl>",
         "L:f (x), y = f (x): one"},
        {"<p>a\x1B"
         "b\r\nc&nGt;</p>",
         "P:a b c\xE2\x89\xAB"},
        {"<p>a<script>x()</script><style>y</style>b</p>", "P:ab"},
        {"<div>a<div>b</div>c</div>", "P:a|P:b|P:c"},
        {"2<sup>31</sup>-1 of O(N<sup>2</sup>), word<sup>1</sup>",
         "P:2^31-1 of O(N^2), word1"},
        {"<svg><text>s</text></svg><p>t</p>", "P:t"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_blocks(cases[i].html, cases[i].want);
}

/* Items of a list in another one are a level deeper, terms too. */
static void lists_in_lists_are_deeper(void **state)
{
    static const char html[] = "<dl><dt>A<dd>a<dl><dt>B<dd>b</dl>"
                               "<dt>C<dd>c<ul><li>d</ul></dl>";
    static const int levels[] = {1, 2, 1, 2};
    struct parsed x;

    (void)state;
    parse(&x, html);
    assert_string_equal(blocks(&x), "L:A: a|L:B: b|L:C: c|L:d");
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        assert_int_equal(x.doc.blocks[i].level, levels[i]);
    assert_string_equal(x.doc.blocks[0].entry->name, "A");
    assert_string_equal(x.doc.blocks[1].entry->name, "B");
    assert_ptr_equal(x.doc.blocks[1].entry->around, x.doc.blocks[0].entry);
    assert_null(x.doc.blocks[2].entry->around);
    assert_ptr_equal(x.doc.blocks[3].entry, x.doc.blocks[2].entry);
    done(&x);
}

static void an_entry_is_called_by_its_terms_first_words(void **state)
{
    static const struct {
        const char *term, *name;
    } t[] = {{"open(file, mode='r')", "open"},
             {"fsync (boolean)", "fsync"},
             {"git stash push [-p] [-m &lt;message&gt;]", "git stash push"},
             {"-m &lt;msg&gt;, --message=&lt;msg&gt;", "-m"},
             {"--[no-]verify", "--[no-]verify"},
             {"y = interp1 (x), y = interp1 (x, t)", "y = interp1"},
             {"val = NA, val = NA (n)", "val = NA"},
             {"[t, y] = ode (f), [t, e] = ode (g)", "[t, y] = ode"},
             {"Tablespace", "Tablespace"},
             {"(a)", "(a)"}};
    struct parsed x;
    char html[128];

    (void)state;
    for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
        snprintf(html, sizeof html, "<dl><dt>%s<dd>What it is.</dl>",
                 t[i].term);
        parse(&x, html);
        assert_string_equal(x.doc.blocks[0].entry->name, t[i].name);
        done(&x);
    }
}

static void raised_and_lowered_text_is_told_apart(void **state)
{
    static const struct {
        const char *html, *want;
    } cases[] = {
        {"2<sup>64</sup> rows, 10<sup>-6</sup>", "P:2^64 rows, 10^-6"},
        {"10<sup>\xE2\x88\x92"
         "6</sup> m/s<sup>2</sup>, 5 km<sup>2</sup>",
         "P:10^\xE2\x88\x92"
         "6 m/s^2, 5 km^2"},
        {"2<sup><i>n</i></sup>, 2<sup>n+1</sup>, e<sup>rt</sup>, "
         "x<sup>2n</sup>",
         "P:2^n, 2^(n+1), e^rt, x^(2n)"},
        {"E = mc<sup>2</sup>, 2x<sup>2</sup>y<sup>3</sup>, 4&pi;r<sup>2</sup>",
         "P:E = mc^2, 2x^2y^3, 4\xCF\x80r^2"},
        {"2<sup>2<sup>n</sup></sup> (a+b)<sup>2</sup>", "P:2^(2^n) (a+b)^2"},
        {"the 1<sup>st</sup>, n<sup>th</sup>, XX<sup>e</sup>, 3<sup>e</sup>",
         "P:the 1st, nth, XXe, 3e"},
        {"Java<sup>TM</sup> C<sup>&reg;</sup> Intel<sup>R</sup>",
         "P:JavaTM C\xC2\xAE IntelR"},
        {"it is<sup>1</sup> end.<sup>1</sup> (see below)<sup>2</sup> "
         "<sup>3</sup> a note",
         "P:it is1 end.1 (see below)2 3 a note"},
        {"1998<sup><a href=#n>3</a></sup>, 2<a href=p#n><sup>[a]</sup></a>",
         "P:1998, 2"},
        {"A script. <a class=\"footnote-reference brackets\" href=#n>4</a> It"
         " has <a href=#n>5</a><a href=#m role=doc-noteref>[6]</a> lines.",
         "P:A script. It has 5 lines."},
        {"<a href=#n><sup>1</sup></a> The note; x<sup><a href=/y>3</a></sup>",
         "P:1 The note; x3"},
        /* A footnote is said at the end of the section that refers to it … */
        {"<h2>Pumps</h2><p>Pumps pump.<a class=footnote-reference href=#n>1</a>"
         "<ul><li>fast<li>slow</ul><h2>Wells</h2><p>Deep<a href=#m><sup>2</sup>"
         "</a>, dug.<a href=#o><sup>3</sup></a><p>So.<dl class=footnote><dt "
         "id=n>1<dd>Or they rest.<dd>Long.</dl><aside class=footnote "
         "id=m><span>"
         "<b>[</b>2<b>]</b></span><p>Ten feet.</aside><div id=o class=footnote>"
         "<p><a href=#x><sup>[3] </sup></a>By hand.</div>",
         "H:Pumps|P:Pumps pump.|L:fast|L:slow|P:Or they rest.|P:Long.|H:Wells|"
         "P:Deep, dug.|P:So.|P:Ten feet.|P:By hand."},
        {"<h2>Pumps</h2><p>Pumps<sup><a href=#n>1</a></sup> pump.<h2>Wells</h2>"
         "<p>So.<ol><li id=n><p>Or rest.</li></ol><p><sup><a id=m>2</a></sup> "
         "No.<p>End.",
         "H:Pumps|P:Pumps pump.|P:Or rest.|H:Wells|P:So.|P:2 No.|P:End."},
        /* … but not one under a heading of its own, or that no mark leads to.
         */
        {"<h2>Pumps</h2><p>Pumps pump.<a href=#n><sup>1</sup></a><h2>Notes</h2>"
         "<ol><li id=n>Or they rest.</ol>",
         "H:Pumps|P:Pumps pump.|H:Notes|L:Or they rest."},
        {"<h2>Pumps</h2><p>Pumps pump.<a "
         "href=/#n><sup>1</sup></a><h2>Wells</h2>"
         "<p>So.<dl><dt id=n>1<dd>Or they rest.</dl>",
         "H:Pumps|P:Pumps pump.|H:Wells|P:So.|L:1: Or they rest."},
        /* What a picture is called defines no term. */
        {"<dl><dt>RGB<dd><div class=figure><p class=title><b>Figure 1. "
         "Cube</b></div><p>Three colours.</dl>",
         "P:Figure 1. Cube|L:RGB: Three colours."},
        /* … and says nothing without it. */
        {"<div class=figure><p class=title><b>Figure 1. Cube</b><div><img "
         "src=c.png></div></div><p>Three colours.",
         "P:Three colours."},
        /* A picture beside two rows of words is no column. */
        {"<table><tr><td rowspan=2><img src=note.png><th>Note<tr><td>Mind the "
         "step.</table>",
         "P:Note|P:Mind the step."},
        /* A single row of short cells is one, of two a name and what it is. */
        {"<table><tr><td>hide<td>Use: all<td>Type: flag</table>"
         "<table><tr><td>One<td>Two</table>",
         "T:hide | Use: all | Type: flag|T:One | Two"},
        /* Numbers of lines are none of the listing. */
        {"<p>As in</p><div class=highlight><pre><span class=linenos>9</span>run"
         "\n<span class=lineno>10 </span>stop</pre></div>",
         "P:As in|C:run\nstop"},
        /* A box inside a listing is a listing, however long. */
        {"<h1>Source</h1><pre>import os\n\n<div class=viewcode-block>def "
         "run(at, "
         "valve=None, limit=10, cellar=True, yard=True, hours=(6, 7)):\n    "
         "options = read(at, valve, limit, cellar, yard, hours, log=os.devnull)"
         "\n    go(options)\n</div></pre>",
         "H:Source|C:import os|C:def run(at, valve=None, limit=10, "
         "cellar=True, "
         "yard=True, hours=(6, 7)):\n    options = read(at, valve, limit, "
         "cellar, "
         "yard, hours, log=os.devnull)\n    go(options)"},
        /* Doxygen's: a block for each. */
        {"<p>As in</p><div class=fragment><div class=line><span class=lineno>1"
         "</span>if (a)</div>\n<div class=line>  run "
         "<b>b</b>;</div></div><p>So.",
         "P:As in|C:if (a)\n  run b;|P:So."},
        /* DocBook's way from page to page, even without links. */
        {"<div class=navheader><table><tr><th "
         "colspan=3>Pumps<tr><td>Prev<th>II."
         " Water<td>Next</table></div><p>Pumps pump water out of the cellar "
         "and "
         "into the yard.",
         "P:Pumps pump water out of the cellar and into the yard."},
        /* The title of a box is what is said in it; what stands behind the box
         * is not under it. */
        {"<h2>Pumps</h2><div class=note><h3 class=title>Note</h3><p>Mind the "
         "step.<p>And the hole.</div><p>Pumps pump.<div class='admonition tip'>"
         "<p class=admonition-title>A tip!<ul><li>Run.</ul></div><div "
         "class=admonitionblock><table><tr><td class=icon><div class=title>"
         "Warning</div><td class=content>It is hot.</table></div>",
         "H:Pumps|P:Note: Mind the step.|P:And the hole.|P:Pumps pump.|"
         "L:A tip! Run.|P:Warning: It is hot."},
        {"<dl><dt>-n<dd><div class=note><table><tr><td><img src=n.png><th>Note"
         "<tr><td>It waits.</table></div></dl><div class=warning><p "
         "class=title>"
         "Hot<pre>run</pre></div><div class=tip><p class=title>Alone</div>",
         "L:-n: Note: It waits.|P:Hot|C:run|P:Alone"},
        {"<table><tr><th>A<th>B<tr><td>7<sup><a href=#n>1</a></sup><td>8"
         "</table>",
         "T:A: 7 | B: 8"},
        {"H<sub>2</sub>O, C<sub>6</sub>H<sub>12</sub>O<sub>6</sub>, "
         "Fe<sub>2</sub>(SO<sub>4</sub>)<sub>3</sub>",
         "P:H2O, C6H12O6, Fe2(SO4)3"},
        {"PM<sub>2.5</sub>, Ca<sup>2+</sup>, SO<sub>4</sub><sup>2-</sup>",
         "P:PM2.5, Ca^2+, SO4^2-"},
        {"x<sub>i</sub>, x<sub>1</sub><sup>2</sup>, a<sub>n+1</sub>",
         "P:x_i, x_1^2, a_(n+1)"},
        {"log<sub>2</sub> 8, 1010<sub>2</sub>, V<sub>max</sub><sup>2</sup>",
         "P:log_2 8, 1010_2, V_max^2"},
        {"<sub>small print of several words</sub>",
         "P:small print of several words"},
        {"<pre>2<sup>3</sup>\n x</pre>", "C:2^3\n x"},
        {"<h2>Powers of 2<sup>n</sup></h2><p>text", "H:Powers of 2^n|P:text"},
        {"<table><tr><th>Type<th>Limit<tr><td>x<sub>i</sub><td>2<sup>64</sup>"
         "</table>",
         "T:Type: x_i | Limit: 2^64"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_blocks(cases[i].html, cases[i].want);
}

/* What is set below a term, as far in as its text, stands in its entry. */
static void typed_entries_hold_their_paragraphs(void **state)
{
    static const char typed[] =
        "<pre>\n"
        "       The tank is filled by hand, before the pump is started and "
        "the\n"
        "       lamp above the door begins to shine.\n\n"
        "       -i name\n"
        "              Fill the tank with this name, and no other one, before\n"
        "              the pump is started.\n\n"
        "              This works with version 2 of the tank and later "
        "ones.\n\n"
        "              tank -i cellar\n\n"
        "       -j     Write what the tank holds in one line, so that it can "
        "be\n"
        "              read by a program.\n\n"
        "       The lamp is lit by the tank itself, whatever is asked of it.\n"
        "</pre>";
    static const char *const names[] = {NULL,      "-i name", "-i name",
                                        "-i name", "-j",      NULL};
    struct parsed x;

    (void)state;
    parse(&x, typed);
    assert_int_equal(x.doc.block_count, sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct definition *entry = x.doc.blocks[i].entry;

        assert_true((entry == NULL) == (names[i] == NULL));
        if (entry != NULL)
            assert_string_equal(entry->name, names[i]);
    }
    done(&x);
}

/* A listing is taken apart where most of the page stands in it. */
static void typed_pages_are_no_listings(void **state)
{
    static const char typed[] =
        "<pre>The valve is opened by hand, before the pump is started and\n"
        "the lamp above the door begins to shine.\n\n"
        "  tank --fast</pre>";
    static const char more[] =
        "A page that says more than the example below, which is a letter that "
        "the program sends when the tank is full and which therefore stays as "
        "it was typed, line by line, whatever it says.";
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 20);
    assert_blocks(typed,
                  "P:The valve is opened by hand, before the pump is started "
                  "and the lamp above the door begins to shine.|"
                  "C:  tank --fast");
    assert_blocks(arena_printf(&a, "<p>%s</p>%s", more, typed),
                  arena_printf(&a,
                               "P:%s|C:The valve is opened by hand, before "
                               "the pump is started and\nthe lamp above the "
                               "door begins to shine.\n\n  tank --fast",
                               more));
    arena_fini(&a);
}

static void tables_of_data_become_rows(void **state)
{
    (void)state;
    assert_blocks("<table><tr><th>Name<th>Size<tr><td>a<td>1<tr><td>b<td>2"
                  "</table>",
                  "T:Name: a | Size: 1|T:Name: b | Size: 2");
    assert_blocks("<table><tr><th>Born<td>1879<tr><th>Died:<td>1955</table>",
                  "T:Born: 1879|T:Died: 1955");
    assert_blocks("<table><tr><td>a<td>1<tr><td>b<td>2</table>",
                  "T:a | 1|T:b | 2");
    assert_blocks("<table><thead><tr><td>X<td>Y</thead>"
                  "<tr><td colspan=2>both<tr><td>1<td></table>",
                  "T:both|T:X: 1"); /* of all columns, not of one */
    assert_blocks("<table><tr><th>only<th>heads</table>", "T:only | heads");
    /* Cells over several rows are said in each, long ones once. */
    assert_blocks("<table><tr><th>OS<th>File<th>Does<tr><td rowspan=2>Linux"
                  "<td>a<td>1<tr><td>b<td rowspan=9>2<tr><td>BSD<td>c"
                  "<tbody><tr><td>Mac<td>d<td>3</table>",
                  "T:OS: Linux | File: a | Does: 1|"
                  "T:OS: Linux | File: b | Does: 2|"
                  "T:OS: BSD | File: c | Does: 2|"
                  "T:OS: Mac | File: d | Does: 3");
    assert_blocks("<table><tr><td>a<td>1<tr><td>\xC3\xA9<td><tr><td>|<td>"
                  "</table>",
                  "T:a | 1|T:\xC3\xA9");
    assert_blocks("<table><tr><td>A<td>B<td rowspan=2>C<tr><td>a<tr><td>x<td>y"
                  "<td>z</table>",
                  "T:A | B | C|T:a | C|T:x | y | z");
    assert_blocks("<table><tr><td rowspan=2>A<td>B<tr></tr><tr><td>x<td>y"
                  "</table>",
                  "T:A | B|T:x | y");
    assert_blocks("<table><tr><th>Name<th>Size<tr><td colspan=100>All of them"
                  "</table>",
                  "T:All of them");
    assert_blocks("<table><tr><th colspan=2>X<th colspan=2>Y<tr><th colspan=2>"
                  "a<th colspan=2>b<tr><th>1<th>2<th>3<th>4"
                  "<tr><td>p<td>q<td>r<td>s</table>",
                  "T:X: a: 1: p | X: a: 2: q | Y: b: 3: r | Y: b: 4: s");
    assert_blocks("<table><tr><th rowspan=2>x<td>1<tr><td>2</table>",
                  "T:x: 1|T:x: 2");
    /* Names over names; a row of bold cells above such as are not. */
    assert_blocks("<table><tr><th rowspan=2>Client<th colspan=2>Server:"
                  "<th colspan=2>Proxy<tr><th>old<th>new<th>old<th>new"
                  "<tr><td>a<td>1<td>2<td>3<td>4</table>",
                  "T:Client: a | Server: old: 1 | Server: new: 2 | "
                  "Proxy: old: 3 | Proxy: new: 4");
    assert_blocks("<table><tr><td><b>Name</b><td><p><b>Size </b></p>"
                  "<tr><td><b>a</b><td>1<tr><td>b<td>2</table>",
                  "T:Name: a | Size: 1|T:Name: b | Size: 2");
    assert_blocks("<table><tr><td colspan=2><h2>F</h2><tr><td "
                  "class=memItemLeft>&nbsp;<td class=memItemRight>List ()<tr>"
                  "<td class=mdescLeft><td class=mdescRight>Makes one."
                  "</table>",
                  "H:F|T:List (): Makes one.");
    assert_blocks("<table><tr><td><b>a</b><td><b>1</b><tr><td><b>b</b>"
                  "<td><b>2</b></table>",
                  "T:a | 1|T:b | 2");
    assert_blocks("<table><tr><td>a<td><ul><li>x<li>y.<li>z</ul>"
                  "<tr><td>b<td>|<tr><td>|<td></table>",
                  "T:a | x; y. z|T:b | |");
    /* One row that names something, and rows of a table that is none. */
    assert_blocks("<table><tr><td>Note:<td>Mind <a href=x>it</a>.</table>",
                  "T:Note: Mind it.");
    assert_blocks(
        "<table><tr><td><h2>Data</h2><tr><td>int<td><a href=#x>len</a>"
        "</table>",
        "H:Data|T:int | len");
    assert_blocks("<table><tr><td><h2>H</h2><p>layout</p></table>",
                  "H:H|P:layout");
    assert_blocks("<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d"
                  "</table></table>",
                  "T:a | b|T:c | d");
}

static void list_items_know_their_nesting(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "<ul><li>a<ul><li>b</ul><li>c</ul>");
    assert_int_equal(x.doc.block_count, 3);
    assert_int_equal(x.doc.blocks[0].level, 1);
    assert_int_equal(x.doc.blocks[1].level, 2);
    assert_int_equal(x.doc.blocks[2].level, 1);
    done(&x);
}

/* --- main text --------------------------------------------------------- */

static void items_of_numbered_lists_know_their_numbers(void **state)
{
    static const struct {
        const char *html, *markdown;
    } cases[] = {
        {"<ol><li>a<li><p>b</p><p>c</p><ul><li>d</ul><li>e</ol><ul><li>f</ul>",
         "1. a\n2. b\n\n   c\n\n   - d\n3. e\n- f\n"},
        {"<ol start=3><li>a<pre>x</pre><li><ol><li>b<li>c</ol><li>d</ol>",
         "3. a\n\n   ```\n   x\n   ```\n\n   1. b\n   2. c\n5. d\n"},
        {"<ol><li><dl><dt>a<dd>b</dl><li><pre>x</pre><li>c</ol>",
         "1. a: b\n\n```\nx\n```\n\n3. c\n"},
        {"<ol type=a><li>a</ol><ol start=-1><li>b</ol>", "- a\n- b\n"},
        /* What an item holds is written below it; a section is no item. */
        {"<dl><dt>f(x)<dd>Does it.<p>Or "
         "not.<pre>f(1)\n\nf(2)</pre></dl><p>End.",
         "- f(x): Does it.\n\n  Or not.\n\n  ```\n  f(1)\n\n  f(2)\n"
         "  ```\n\nEnd.\n"},
        {"<p>a<a href=#n><sup>1</sup></a> b.<ul><li>c</ul><ol><li id=n>Or d."
         "</ol>",
         "a b.\n\n- c\n\nOr d.\n"},
        {"<dl><dt>size<dd>How large.<dd>Default: 1</dl><p>End.",
         "- size: How large.\n\n  Default: 1\n\nEnd.\n"},
        {"<ul><li><h3>size</h3><p>How large.</ul>", "### size\n\nHow large.\n"},
        {"<ol><li>a<table><tr><td>x<td>1<tr><td>y<td>2</table></ol>",
         "1. a\n   - x | 1\n   - y | 2\n"},
        /* A list's, a table's or a listing's term stands alone. */
        {"<dl><dt>Errors<dd><ul><li>a<li>b</ul></dl>",
         "- Errors:\n  - a\n  - b\n"},
        {"<dl><dt>Errors:<dd><table><tr><td>x<td>1<tr><td>y<td>2</table></dl>",
         "- Errors:\n  - x | 1\n  - y | 2\n"},
        {"<dl><dt>As in<dd><pre>x</pre>It does.</dl>",
         "- As in:\n\n  ```\n  x\n  ```\n\n  It does.\n"},
        {"<p>One is<menu><li>a<li>b</menu><dir><li>c</dir>",
         "One is\n\n- a\n- b\n- c\n"}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct parsed x;
        const char *z = NULL;

        parse(&x, cases[i].html);
        assert_int_equal(page_markdown(&x.doc, &x.a, &z), ERR_OK);
        assert_string_equal(z, cases[i].markdown);
        done(&x);
    }
}

static void what_stands_around_an_article_is_left_out(void **state)
{
    static const char html[] =
        "<body><nav><a href=/>NAVI</a></nav>"
        "<div class='site-sidebar'><p>SIDE text that is long enough to be a "
        "paragraph of its own, really.</p></div>"
        "<div class='cookie-notice'>COOKIE words</div>"
        "<article><h1>Head</h1>" P1 "<div class=share-buttons>SHARE</div>" P2
        "<ul class=x><li><a href=/1>LINKED one</a><li><a href=/2>LINKED "
        "two</a></ul></article>"
        "<div id=comments><p>COMMENT of somebody, long enough to look like a "
        "paragraph of the article.</p></div>"
        "<p style='display: none'>HIDDEN</p><p hidden>HIDDEN</p>"
        "<footer>FOOT</footer></body>";
    static const char *const out[] = {"NAVI",   "SIDE",    "COOKIE", "SHARE",
                                      "LINKED", "COMMENT", "HIDDEN", "FOOT"};
    struct parsed x;

    (void)state;
    parse(&x, html);
    assert_true(has_text(&x, "H:Head|P:The first"));
    assert_true(has_text(&x, "The second"));
    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++)
        assert_false(has_text(&x, out[i]));
    assert_int_equal(x.doc.link_count, 3); /* links count everywhere */
    done(&x);
}

static void of_what_a_script_chooses_from_the_last_is_read(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "<body><article>" P1
              "<p>If you see the name, choose Field Names (<span class=switch>"
              "<span hidden=true id=mac>Command+F9</span>"
              "<span hidden=true id=other>Ctrl+F9</span></span>) above all.</p>"
              "<p>Said once<span><span hidden>HIDDEN</span></span> and "
              "<span>for <b hidden>HIDDEN</b><b hidden>HIDDEN</b></span> "
              "all.</p>" P2 "</article></body>");
    assert_true(has_text(&x, "choose Field Names (Ctrl+F9) above"));
    assert_false(has_text(&x, "Command"));
    assert_false(has_text(&x, "HIDDEN"));
    done(&x);
}

static void what_a_text_speaks_of_is_no_menu(void **state)
{
    (void)state;
    assert_blocks(
        "<h1>Layers</h1><p>Choose <span class='menuitem'>Edit - "
        "Cut</span>, or <span class='guimenu'>File</span> &gt; <span "
        "class='guimenuitem toolbar'>Open</span>. <span class="
        "'screen-reader-text'>A picture.</span> Then press <kbd "
        "class='tools'>Enter</kbd>.</p><p><span class='menu'>Start "
        "page</span></p><ul><li><p><span class=guimenuitem>8-bit</span>"
        "</p></li></ul>",
        "H:Layers|P:Choose Edit - Cut, or File > Open. Then press "
        "Enter.|L:8-bit");
}

static void what_the_text_is_made_of_decides_what_is_kept(void **state)
{
    static const struct {
        const char *html, *in, *out;
    } cases[] = {
        /* Cards are links, however much they say. */
        {"<div id=a>" P1 P2 "</div><div><a href=/1><h4>T</h4>" P1 P1
         "<p>CARD</p></a><a href=/2>" P1 P1 P2 "</a></div>",
         "The second", "CARD"},
        /* Bare text beside blocks is text. */
        {"<div><div>Around this.</div><div>Words that stand in no paragraph, "
         "though there are more than enough of them, yes.<br><div></div>"
         "And so on, and so on, and so on, in the same manner, as some do."
         "<div></div>More of it, again, and again, and again, to the end, "
         "which is here, at last, after many words, and some more words."
         "</div><ul><li><a href=/>LINK</a></ul></div>",
         "and so on, in the same", "LINK"},
        /* Of two that say they are the main text, the one with more. */
        {"<section role=main>" P1 P2 P1 P2 "</section><section role=main>" P1 P2
         "<p>TEASER</p></section>",
         "The second", "TEASER"},
        /* Several articles are one text. */
        {"<main><article>" P1 P2 "<p>FIRST</p></article><article>" P1 P2
         "</article><article>" P1 P2 "</article></main>",
         "FIRST", "TEASER"},
        {"<body><noscript>" P1 P2 "</noscript></body>", "The second", "NONE"},
        {P1 P2 "<p><ruby>\xE5\xAD\x90<rp>(</rp><rt>RT</rt></ruby></p>",
         "\xE5\xAD\x90", "RT"},
        {P1 P2 "<table><tr class=header><th>Flag<th>Use<tr><td>a<td>b</table>",
         "Flag: a", "header"},
        {P1 P2 "<table><tr><th>A<th>B<tr><td><p><a href=/x>await</a></p>"
               "<td>waits</table>",
         "A: await", "NONE"},
        {P1 P2
         "<p>There is more to it, says <a href=/x>the page of all that is "
         "known of it</a>, and all of it is true.</p>",
         "more to it", "NONE"},
        {P1 P2 "<h2>Look</h2><p>READ also:</p><ul><li><a href=/1>one of the "
               "others</a></ul><h2>Last</h2>" P1,
         "H:Last", "READ"},
        /* Links that a sentence announces, and sentences of links. */
        {P1 P2 "<h2>Kinds</h2><p>It has these basic kinds of things:</p><div>"
               "<ul><li><p><a href=/1>Lock</a></p><li><p><a href=/2>Event</a>"
               "</p></ul></div><h2>See</h2><ul><li><a href=/1>OTHER</a></ul>",
         "L:Lock|L:Event", "OTHER"},
        {P1 P2 "<ul><li><a href=/1>loop.create_server()</a> is not supported."
               "<li><a href=/2>loop.add_handler()</a> is not supported.</ul>",
         "L:loop.create_server() is not", "NONE"},
        {P1 P2 "<p>It makes <a href=/x>windows of all that there is in the "
               "world</a> and in general.\n<a name=y></a>\n</p>",
         "in general", "NONE"},
        /* One of several sections is no menu, and none is all of the page. */
        {"<section id=intro><h2>Intro</h2>" P1 "</section><section id=menus>"
         "<h2>Menus</h2>" P1 "</section><section id=more><h2>More</h2>" P1 P2
         "</section>",
         "H:Menus", "NONE"},
        {"<article><h1>T</h1>" P1 P2 "</article><section id=comments><h2>"
         "Comments</h2>" P1 "<p>SOMEBODY</p></section>",
         "The second", "SOMEBODY"},
        {"<div id=header><h1>tool(1)</h1><h2>NAME</h2><p>tool - turns all that "
         "is there</p></div><div id=content><div class=sect><h2>About</h2><p>"
         "What it does is told in this short paragraph.</p></div><div "
         "class=sect><h2>Options</h2>" P1 P2 P1 P2 P1 P2 P1 P2 P1 P2 P1 P2
         "</div></div>",
         "P:tool - turns all that is there|H:About|P:What it does", "NONE"},
        {P1 P2 "<p>A text <a class=x href='#a'>\xC2\xB6</a></p>", "A text",
         "\xC2\xB6"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct parsed x;

        parse(&x, cases[i].html);
        if (!has_text(&x, cases[i].in) || has_text(&x, cases[i].out))
            fail_msg("%zu: %s", i, blocks(&x));
        done(&x);
    }
}

/* The names that menus and readers' comments bear are others' here, and what
 * has as many words in links as beside them may be a text's own. */
static void what_a_text_refers_to_is_its_own(void **state)
{
    static const struct {
        const char *html, *holds, *lacks;
    } cases[] = {
        /* comments of a listing, whichever tool marks it */
        {"<pre>a();\n<span class='hljs-comment'># why it is so</span>\nb();"
         "</pre>",
         "C:a();\n# why it is so\nb();", NULL},
        {"<div class=fragment><div class=line><span class=comment>// so</span>"
         "</div><div class=line>a();</div></div>",
         "C:// so\na();", NULL},
        {"<pre><a class='viewcode-back' href='#a'>[docs]</a>def a(): ...</pre>",
         "C:def a(): ...", "[docs]"},
        /* short sentences on what stands elsewhere; others lead there */
        {"<p>Equivalent to <a href='b.html#label'>label(Tree, 0)</a>.</p>",
         "P:Equivalent to label(Tree, 0).", NULL},
        {"<p>Continue with <a href='b.html'>label(Tree, 0)</a>.</p>", NULL,
         "label(Tree"},
        {"<p>Configure and build it as explained in <a href='b.html'>Building "
         "a kernel by yourself</a>:</p><pre>make</pre>",
         "Building a kernel by yourself:|C:make", NULL},
        /* a function with the types it takes; another page */
        {"<div class=func><h4><div>map(F :: <a href='a.html'>function()</a>) "
         "-&gt; <a href='a.html'>cerl()</a></div></h4></div><p>Maps it.</p>",
         "H:map(F :: function()) -> cerl()|P:Maps it.", NULL},
        {"<div class=card><h4><a href='a.html'>Another story</a></h4></div>",
         NULL, "Another story"},
        /* an item's first words, linked */
        {"<ul><li><p><a href='a.html#u'>site_url</a>:</p><p>It must be an "
         "empty string where no server is.</p></li></ul>",
         "L:site_url:|P:It must", NULL},
        /* a note's mark in brackets that are none of the link */
        {"<p>It builds them in its order <sup>[<a class=footnote href='#n1'>1"
         "</a>]</sup>. Then it ends.</p>",
         "in its order. Then", "["},
        /* a paragraph that says enough, whichever way it ends */
        {"<p>Get the latest code of the library from <a href='b.html'>the "
         "project, which keeps all of its releases there</a> and build it "
         "statically with</p><pre>make</pre>",
         "build it statically with|C:make", NULL},
        /* an address that is written out; a link to it */
        {"<p>Set it to <a href='http://a.example/s'>http://a.example/show"
         "</a></p>",
         "P:Set it to http://a.example/show", NULL},
        {"<ul><li><a href='mailto:a@b.example'>a@b.example</a> &ndash; news"
         "</li></ul>",
         "L:a@b.example \xE2\x80\x93 news", NULL},
        {"<p>Set it to <a href='http://a.example/s'>the page of it</a></p>",
         NULL, "Set it"},
        /* terms in lines of one element, and one of two lines */
        {"<dl><dt>name<br/><span>type<br/></span>f(a,<br> b)</dt><dd>One of "
         "them.</dd></dl>",
         "L:name, type, f(a, b): One of", NULL},
        /* lines of a program, or typed ones, without a listing's mark */
        {"<blockquote>BEGIN;<br>CREATE TABLE t(a);<br>\n... 9 lines omitted"
         "<br>COMMIT;<br></blockquote>",
         "C:BEGIN;\nCREATE TABLE t(a);\n... 9 lines omitted\nCOMMIT;", NULL},
        {"<p>$ cd live<br>$ make<br></p>", "C:$ cd live\n$ make", NULL},
        {"<p>Ann Amber<br>1 Quay;<br>Halden</p>", "P:Ann Amber 1 Quay; Halden",
         NULL},
        {"<dl><dt>x</dt><dd>a;<br>b;</dd></dl>", "L:x: a; b;", NULL},
        /* what a tab leads to, seen or not */
        {"<div role=tablist><button role=tab id=t1>Linux</button><button "
         "role=tab id=t2>Windows</button></div><div role=tabpanel "
         "aria-labelledby=t1><pre>$ a</pre></div><div role=tabpanel hidden "
         "aria-labelledby=t2><p>Type it in:</p><pre>&gt; a</pre></div>",
         "P:Linux|C:$ a|P:Windows: Type it in:|C:> a", NULL},
        /* a term that begins with a colon, and one behind it */
        {"<dl><dt>:kids</dt><dd>The group.</dd><dt>: f (x)</dt><dd>One of "
         "them.</dd></dl>",
         "L::kids: The group.|L:f (x): One of", NULL},
        /* a box that says its name in words alone */
        {"<div class=note><div class=label>Note</div><div>It is not unloaded "
         "with it.</div></div>",
         "P:Note: It is not unloaded", NULL},
        {"<div class=note><div>Unloading</div><div>It is not unloaded with it."
         "</div></div>",
         "P:Unloading|P:It is", NULL},
        /* a box beside the text that has a title, and one that has none */
        {"<div class=sidebar><div class=titlepage><p class=title><b>Tools</b>"
         "</p></div><p>The first one unpacks what the second one finds.</div>",
         "P:Tools: The first one unpacks", NULL},
        {"<div class=sidebar><p>The first one unpacks what the second one "
         "finds.</div>",
         NULL, "unpacks"},
        /* what a thing is tagged with is said, or linked to */
        {"<dl class=tags><dt>Errors<dd>It fails with a name of two words.</dl>",
         "L:Errors: It fails", NULL},
        {"<dl class=tags><dt>Tags<dd><a href=/x>many words of a link</a></dl>",
         NULL, "many words"},
        /* the place of a program's part is called as it is */
        {"<section id='org.tools.Copy(File)'><h3>Copy</h3><p>Copies it.</p>"
         "</section><section id=tools><p>Print it.</p></section>",
         "H:Copy|P:Copies it.", "Print"},
        {"<div class=header><div>Package <a href=x>org.apache.tools</a></div>"
         "<h1>Interface of copies</h1></div>",
         "H:Interface of copies", NULL},
        {"<div class=header><a href=x>Package org.apache.tools</a>"
         "<h1>Copy</h1></div>",
         NULL, "Copy"},
        /* types in a signature, in a table's only row; where to read more */
        {"<h3>copy</h3><div class=member-signature>int copy(<a href=a>File</a> "
         "f, <a href=b>Target</a> t)</div><p>Copies it.",
         "H:copy|P:int copy(File f, Target t)|P:Copies", NULL},
        /* an empty link has no text, least of all what follows it */
        {"<h3><a href='x' id='y'/>copy()</h3><p>It copies.</p>"
         "<a name=z></a>",
         "H:copy()|P:It copies.", NULL},
        {"<h4>Parameters</h4><div><table><tr><td><p>session<td><p>is a <a "
         "href=a>gnutls_session_t</a> type.</table></div><p>It is.",
         "H:Parameters|T:session | is a gnutls_session_t type.", NULL},
        {"<div class='admonition seealso'><p class=admonition-title>See also"
         "<p><a href=a>Which versions of it are there?</a>, <a href=b>Modes"
         "</a></div>",
         "P:See also: Which versions of it are there?, Modes", NULL},
        /* links to where they stand, written-out ones, signs and sources */
        {"<p><a name=Q7 href='#Q7'><b>Q7. The menu is wrong at times.</b></a>"
         "<p>Check the key.",
         "H:Q7. The menu is wrong at times.|P:Check", NULL},
        {"<ul><li><a href='http://www.a.example'>www.a.example</a></ul>",
         "L:www.a.example", NULL},
        {"<h4><a href='#a'>\xE2\x97\x86&nbsp;</a>alloc()</h4><p>It does.",
         "H:alloc()|P:It", NULL},
        {"<p class=src>data X <a href='s.html#X'>Source</a> <a href='#X'>#</a>"
         "</p><p>It is read from a <a href='s.html#X'>source</a> of data.",
         "P:data X|P:It is read from a source", NULL},
        /* a command with an option heads nothing; a question may be told */
        {"<p><b>perturb --help</b><p>It says what it does with all of the "
         "options that it has been called with.",
         "P:perturb --help|P:It says", NULL},
        {"<p><b>Q9</b><p>It says.", "P:Q9|P:It", NULL},
        /* what a heading says again; of two, the text's */
        {"<h2>A module</h2><h3>A module</h3><p>A module<p>It does.",
         "H:A module|P:It does.", "A module|H:A"},
        /* a break behind a sentence or a colon ends the line, another not */
        {"<p>Use a mask.<br>Note: it is short. As in:<br>a/24<br>b/8",
         "P:Use a mask.|P:Note: it is short. As in:|P:a/24 b/8", NULL},
        {"<ul><li>Use it.<br>Or not.</ul>", "L:Use it. Or not.", NULL},
        {"<h4>Use it.<br>Or not.</h4><p>So.", "H:Use it. Or not.", NULL},
        {"<p class=literallayout>&nbsp;one<br>&nbsp;&nbsp;two</p>",
         "C: one\n  two", NULL},
        /* a sign beside a term, a note beside a sentence */
        {"<dl><dt><span>[ISO]</span><b>call</b>(G)<dd>Calls.</dl>",
         "L:[ISO] call(G): Calls.", NULL},
        {"<p>It is portable<sup>7<span class=fn-text>Not <b>all</b> of it."
         "</span></sup> by now, on 7<sup>2</sup>.",
         "P:It is portable (Not all of it.) by now, on 7", NULL},
        /* what a manual says in few words on a place in it; a link alone */
        {"<h4>any()</h4><p>set all bits in a <a href='b.html#m'>"
         "format_mask_t</a></p>",
         "H:any()|P:set all bits in a format_mask_t", NULL},
        {"<p>Read <a href='b.html#m'>format_mask_t</a></p>", NULL, "Read"},
        {"<p><code>#include &lt;<a href='b.html'>Geometry.hpp</a>&gt;</code>"
         "</p>",
         "P:#include <Geometry.hpp>", NULL},
        /* a name that is no link, of which links tell; a listing of links */
        {"<div><h4>Parameters</h4><table><tr><td>self<td>a <a href=b>"
         "LocationGpsNmea</a></table></div>",
         "H:Parameters|T:self | a LocationGpsNmea", NULL},
        {"<div><h3>convert()</h3><pre><a href=a>gchar</a> *f(<a href=b>gchar"
         "</a> *s)</pre></div>",
         "H:convert()|C:gchar *f(gchar *s)", NULL},
        {"<div class=fragment><div class=line><a href=a>b2Body</a>* <a href=b>"
         "World::CreateBody</a>(<a href=c>b2BodyDef</a>*)</div><div class=ttc>"
         "A rigid body.</div><div class=line>b();</div></div>",
         "C:b2Body* World::CreateBody(b2BodyDef*)\nb();", "rigid"},
        {"<table><tr><td class=listing_lines><pre>1\n2</pre><td><pre>a\nb"
         "</pre></table>",
         "C:a\nb", "1"},
        /* Doxygen's members and prototypes, DocBook's; what leads to them */
        {"<table><tr><td colspan=2><h2>Types</h2><tr class='memitem:a'><td>"
         "void <td><a href=#a>f</a> (int)<tr class='memdesc:a'><td>&nbsp;<td>"
         "It does. <a href=#a>More...</a><tr class='memitem:b'><td>&nbsp;<td>"
         "Mask ()</table><h2 class=memtitle>f()</h2><table class=memname><tr>"
         "<td>void <a href=#a>f</a><td>(<td>int<td>n,<tr><td><td><td>int<td>m"
         "<tr><td><td>)</table><h2>g()</h2><p>It does.",
         "H:Types|T:void f (int): It does.|T:Mask ()|H:f()|C:void f ( int n, "
         "int m )|H:g()",
         "More"},
        {"<table class=funcprototype-table><tr><td>world(<td>rx,<tr><td>"
         "<td>ry);</table>",
         "C:world( rx, ry);", NULL},
        /* a bold line in front of the first break, and in a sentence */
        {"<p><b>Tracing</b><br>It tells all that the server does, step by "
         "step, while it does it.",
         "H:Tracing|P:It tells", NULL},
        /* a bold number in a title, and a bold name with its value */
        {"<p>Sails.<p><b>Lesson <span>1</span>: Rigging</b></p><p>Take the "
         "mast "
         "and put it up where it stands best, before the wind comes.",
         "P:Sails.|H:Lesson 1: Rigging|P:Take the mast", NULL},
        {"<div><b>Option: </b><code>Sail::Trim</code></div><div><b>Default: "
         "</b><code>true</code></div><div><b>Reefs: </b><code>2</code></div>"
         "<p>It trims the sail while the wind comes from behind, and no more.",
         "P:Option: Sail::Trim|P:Default: true|P:Reefs: 2|P:It trims", NULL},
        {"<p>It is <b>bold</b><br>in one line of several.",
         "P:It is bold in one line of several.", NULL},
        {"<p class=rubric>Usage</p><p>It is used.</p><p class=rubric>Notes</p>"
         "<p>It is not.</p>",
         "H:Usage|P:It is used.|H:Notes|P:It is not.", NULL},
        /* headings by their class alone, without the number in front */
        {"<div class=section1-header><div class=section1-number>1</div>"
         "<div class=section1-title>Ropes</div></div><p>They pull."
         "<div class='x section2-title'><a name=k>Knots</a></div><p>They hold."
         "<div class=section2-subtitle>Bow</div><p>It slips.",
         "H:Ropes|P:They pull.|H:Knots|P:They hold.|H:Bow|P:It slips.", NULL},
        {"<h2>Yard</h2><p>It is wet.<p class=Heading1>Ropes<p>They pull.<p "
         "class=Heading2>Knots<p>They hold.<p class=MyHeading3>Bow<p "
         "class=subtitle1>By Ada<p class=Heading3>Bend<p>It bends.",
         "H:Yard|P:It is wet.|H:Ropes|P:They pull.|H:Knots|P:They hold.|P:Bow|"
         "P:By Ada|H:Bend|P:It bends.",
         NULL},
        /* … not beside elements that are headings, of two, in what is none, and
         * around blocks, a link and a text */
        {"<h2>Yard</h2><p>It is wet.<h2>Gate</h2><p class=Heading1>Ropes<p "
         "class=Heading2>Knots<p class=Heading3>Bow",
         "H:Yard|P:It is wet.|H:Gate|P:Ropes|P:Knots|P:Bow", NULL},
        {"<p>They pull.<p class=toc2-title>Knots<p class=section3>Bend<p "
         "class=title>Bow<p class=Heading2>Sheet<p class=Heading2>Bight<p>Up.",
         "P:They pull.|P:Knots|P:Bend|P:Bow|P:Sheet|P:Bight|P:Up.", NULL},
        {"<div class=header1><p>It opens.</p><p>It "
         "shuts.</p></div><ul><li><div "
         "class=title3>Oil</div></ul><p class=title1>Ropes<p>They pull.<p "
         "class=title1>Knots<p>They hold.",
         "P:It opens.|P:It shuts.|L:Oil|P:Ropes|P:They pull.|P:Knots|P:They "
         "hold.",
         NULL},
        {"<p class=title1>Bow<p class=title1><a href='#k'>Knots</a> all<p "
         "class=title1>Bend<p class=title1>Ropes are pulled by four of us in "
         "the morning, when the sea is calm, and by six in the evening, when "
         "it is not, unless somebody has eaten before, or is to go to bed.<p>"
         "They hold.",
         "P:Bow|P:Bend|P:Ropes are pulled", NULL},
        {"<dl><dt>Oil<dd><p class=title1>Bow<p>It pulls.</dl><blockquote><p "
         "class=title1>Knots</blockquote><p class=title1>Bend<p>They hold.",
         "L:Oil: Bow|P:It pulls.|Q:Knots|P:Bend|P:They hold.", NULL},
        {"<h2>How many ropes?</h2><p>3</p><h2>How many knots?</h2><p>It has "
         "four.",
         "H:How many ropes?|P:3|H:How many knots?|P:It has four.", NULL},
        {"<div class=literallayout>Set it:<br>\n  A=b<br>\n<br>\nmake</div>",
         "C:Set it:\n  A=b\n\nmake", NULL},
        {"<p class=code>\n    $ cp a b<br>\n&nbsp;&nbsp;c<br>\n</p>",
         "C:$ cp a b\n  c", NULL},
        /* short lines with a quotation behind each; a single one */
        {"<p><code>STOPPED</code> (0)</p><blockquote><p>It was stopped.</p>"
         "</blockquote><p><code>RUNNING</code> (20)</p>\n<blockquote><p>It runs."
         "</p><p>And goes on.</p></blockquote><p><code>FATAL</code> (30)</p>"
         "<blockquote>It ended.</blockquote>",
         "L:STOPPED (0): It was stopped.|L:RUNNING (20): It runs.|P:And goes "
         "on.|L:FATAL (30): It ended.",
         NULL},
        {"<p>Jane Doe</p><blockquote><p>I like it.</p></blockquote><p>John"
         "</p><blockquote><p>Me too.</p></blockquote><p>Jim</p><blockquote><p>"
         "Not me.</p></blockquote>",
         "P:Jane Doe|", "L:Jane"},
        {"<p class=code>Say <code>SAVE</code> when you<br>buy this.</p>",
         "P:Say SAVE when you buy this.", NULL},
        {"<h2>What is on this page?</h2><ul><li><a href='#a'>file</a><li><a "
         "href='#b'>table</a></ul>",
         NULL, "file"},
        {"<p>He said so</p><blockquote><p>It was stopped.</p></blockquote>",
         "P:He said so|", "He said so:"},
        {"<p>Set it as<blockquote><pre>a=1</pre></blockquote><p>or else"
         "<blockquote><pre>a=2</pre></blockquote>",
         "P:Set it as|C:a=1|P:or else|C:a=2", NULL},
        /* a section's list of places, said to be what follows; its contents */
        {"<h2>Types</h2><p>The following types of it are available.</p><ul>"
         "<li><a href='#a'>file</a><li><a href='#b'>table</a></ul>",
         "L:file|L:table", NULL},
        {"<h2>Types</h2><p>The following types of it are available.</p><ul "
         "class=section-toc><li><a href='#a'>file</a><li><a href='#b'>table</a>"
         "</ul>",
         NULL, "file"},
        {"<p>The following types of it are available.</p><ul><li><a "
         "href='#a'>file</a><li><a href='#b'>table</a></ul>",
         NULL, "file"},
        /* headings by their numbers, where there are no others */
        {"<p class=bold><a name=h2.1></a>2.1 Why</p><p>Text.</p><p><a "
         "name=h2.1.1></a>2.1.1 What is wrong</p><p>Text.</p><p><a name=h2.2>"
         "</a>2.2 How</p><p><a name=x></a>2.5 years are too long.</p>",
         "H:2.1 Why|P:Text.|H:2.1.1 What is wrong|P:Text.|H:2.2 How|P:2.5",
         NULL},
        {"<p><tt>cd root</tt><br><tt>configure --fast</tt><br>",
         "C:cd root\nconfigure --fast", NULL},
        {"<p><tt>cd root</tt> and then<br>go on", "P:cd root and then go on",
         NULL},
        /* rustdoc's signatures, without their sources */
        {"<section><span><a class=srclink href='s.html#1'>source</a></span>"
         "<h4 class=code-header>fn <a href='#a'>clone</a>(&amp;self) -> <a "
         "href='b.html'>CharArrayRefSearcher</a></h4></section><div><p>Finds "
         "the next <a href='b.html#M'>Match</a>. See <a href='#n'>next()</a>."
         "</p></div>",
         "H:fn clone(&self) -> CharArrayRefSearcher|P:Finds the next Match. "
         "See next().",
         "source"},
        /* a heading's way back to the contents */
        {"<section><h2><a href='#toc-1'>Project links</a></h2><ul><li>The <a "
         "href='http://a.example'>OpenVZ</a> container system</ul></section>",
         "H:Project links|L:The OpenVZ container system", NULL},
        /* links among what a list tells, and what an entry leads to */
        {"<ul><li><p>Secure all of your passwords and keys</p><li><p><a "
         "href=x>KISS</a></p></ul>",
         "L:Secure all of your passwords and keys|L:KISS", NULL},
        {"<dl><dt>Exceptions that it may raise<dd><table><tr><td><a href=x>"
         "IException</a><td></table></dl>",
         "IException", NULL},
        /* words on both sides of a link; on one */
        {"<p>See also the <a href='auth.html'>Authentication and Authorization"
         "</a> howto.</p>",
         "P:See also the Authentication and Authorization howto.", NULL},
        {"<p>See also this: <a href='auth.html'>Authentication and "
         "Authorization</a>.</p>",
         NULL, "Authentication"},
        /* options of a manual page that groff sets, and none of a heading */
        {"<p style='margin-left:11%;'><b>--previous</b></p><p style='margin-"
         "left:22%;'>keep the previous ones, of all messages that there are"
         "</p><p style='margin-left:11%;'>It ends.</p>",
         "L:--previous: keep the previous ones, of all messages that there are"
         "|P:It ends.",
         NULL},
        {"<p><b>--previous</b></p><p>keep the previous ones, of all messages "
         "that there are</p>",
         "P:--previous|P:keep", NULL},
        /* a term and what it is, in an item; words alone */
        {"<ul><li><code>char type[]</code><br>A short text.<li>One<br>two"
         "<li><b>Stop.</b><br>Go.<li><b>Length</b> (optional)<br>In bytes."
         "<li><code>a</code><br><code>b</code>: both</ul>",
         "L:char type[]: A short text.|L:One two|L:Stop. Go.|L:Length "
         "(optional): In bytes.|L:a b: both",
         NULL},
        /* a signature in an element of code, all of its types linked */
        {"<div><a class=anchor href='#y'></a><code>val year : <a href=i>int"
         "</a> -> <a href=p>period</a></code></div>",
         "P:val year : int -> period", NULL},
        {"<div><code><a href=i>int</a></code></div>", NULL, "P:int"},
        /* lines of code that lead on are one listing */
        {"<p><code>sig<br>val x :<br>int<br>end</code>",
         "C:sig\nval x :\nint\nend", NULL},
        {"<pre>a&nbsp;*b&#8203;(c);</pre>", "C:a *b(c);", NULL},
        {"<dl><dt>Synopsis:<dd><div class=fragment><div class=line>#include "
         "&lt;a.h&gt;</div></div></dl>",
         "L:Synopsis:|C:#include <a.h>", NULL},
        /* what else to see, of a function; of a page */
        {"<dl class='section see'><dt>See also<dd><a href=a>cx_malloc()</a>, "
         "<a href=b>cx_malloc_clear()</a>, <a href=c>cx_calloc()</a></dl>",
         "L:See also: cx_malloc(), cx_malloc_clear(), cx_calloc()", NULL},
        {"<dl><dt>Tags<dd><a href=a>malloc and others</a>, <a href=b>clear and "
         "others</a></dl>",
         NULL, "malloc"},
        /* what is told again below, in a grid of boxes */
        {"<div class='summary-table three-column-summary'><div "
         "class=table-header>Modifier</div><div>int</div></div><h3>size</h3>"
         "<p>It counts.",
         "H:size", "Modifier"},
        {"<div class='prev-next-area'><p>previous: Loops</p></div><div "
         "id=titlearea><p>A library of loops</p></div>",
         NULL, "oops"},
        /* what is short for what, once; a title that says less */
        {"<p>The <abbr title='Next Hop Server'>NHS</abbr> or hub. <abbr "
         "title='Next Hop Server'>NHS</abbr> is <abbr title=e>eg</abbr>.",
         "P:The NHS (Next Hop Server) or hub. NHS is eg.", NULL},
        {"<div><abbr title='Application Interface'>API<p>All that is told of "
         "it, in words enough for a paragraph of the page.",
         "P:All that is told", NULL},
        /* a heading's, a term's only words; a link is none of them */
        {"<h4><a href='#source'>Source</a></h4><p>It is read.", "H:Source|P:It",
         NULL},
        {"<p class='max-w-screen-md'>One<br>two", "P:One two", NULL},
        {"<pre class=screen>a\nb<br>c</pre>", "C:a\nb\nc", NULL},
        {"<p class=screen>a\nb<br>\nc", "C:a b\nc", NULL},
        /* what was kept aside leaves nothing to what follows */
        {"<dl><dt><code>configure()</code></dt></dl><p>First<br>second",
         "P:configure()|P:First second", NULL},
        {"<p><b><code>foo</code></b><blockquote><pre>x</pre></blockquote>",
         "L:foo:|C:x", NULL},
        {"<pre><code>x</code></pre><dl><dt>Some words</dt></dl><blockquote>Q"
         "</blockquote>",
         "P:Some words|Q:Q", NULL},
        {"<p style='margin-left:11%'>-v</p><p style='margin-left:22%'><img>"
         "</p><h4>Author</h4><p>Someone",
         "L:-v|H:Author|P:Someone", NULL},
        {"<span class=note><b><img alt=note></b></span><p>Later on.",
         "P:Later on.", NULL},
        {"<dl><dt>As in<dd><table class=memname><tr><td>f<td>(<td>)</table>"
         "</dl>",
         "L:As in:|C:f ( )", NULL},
        {"<dl><dt>a-format<dd> <a name=x></a><dt>b-format<dd>By hand.</dl>",
         "L:a-format, b-format: By hand.", NULL},
        {"<blockquote><ul><li><blockquote>x</blockquote><li><p>a<p>b</ul>"
         "</blockquote>",
         "|L:a|P:b", NULL},
        /* a picture that says what the box is */
        {"<div class=note><div class=noteicon><img alt=note src=n.svg></div>"
         "<div class=notetext><p>It is volatile.</p></div></div><p><img "
         "alt=tip src=t.svg>It is not.",
         "P:Note: It is volatile.|P:It is not.", NULL},
        /* a list that is moved in is no quotation; code in front of one is
           what it tells of */
        {"<blockquote><p>So.</p><ul><li><p>a</p><p>b</p></ul></blockquote>",
         "Q:So.|L:a|P:b", NULL},
        {"<p><code>stopasgroup</code></p><blockquote><p>It stops all.</p>"
         "<p>Default: no</p></blockquote><p>As <code>it</code></p><blockquote>"
         "<p>said.</p></blockquote>",
         "L:stopasgroup: It stops all.|P:Default: no|P:As it|Q:said.", NULL},
        /* a place is no definition; an empty one is of its own */
        {"<dl><dt>c-format<dd><a name=x></a><dt>no-c-format<dd>By hand.</dl>",
         "L:c-format, no-c-format: By hand.", NULL},
        {"<dl><dt>show<dd><dt>debug<dd>All.</dl>", "L:show|L:debug: All.",
         NULL}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *page = NULL;
        struct parsed x;
        const char *z;

        assert_true(asprintf(&page,
                             "<article><h1>T</h1>" P1 "%s" P2 "</article>",
                             cases[i].html) > 0);
        parse(&x, page);
        z = blocks(&x);
        if (cases[i].holds != NULL && strstr(z, cases[i].holds) == NULL)
            fail_msg("%s: %s", cases[i].html, z);
        if (cases[i].lacks != NULL && strstr(z, cases[i].lacks) != NULL)
            fail_msg("%s: %s", cases[i].html, z);
        done(&x);
        free(page);
    }
}

/* However much of a page they are, beside some text. */
static void a_long_menu_is_none_of_the_text(void **state)
{
    static const char menu[] =
        "<div class=sidebar><h2>Contents</h2><ul><li><a href=a>For users of "
        "the library and of its programs</a><li><a href=b>For those who are "
        "administrators of a realm of it</a><li><a href=c>For developers of "
        "applications that are built on it</a></ul></div>";
    char *page = NULL;
    struct parsed x;

    (void)state;
    assert_true(asprintf(&page, "<div>" P1 "</div>%s", menu) > 0);
    parse(&x, page);
    assert_false(has_text(&x, "administrators"));
    done(&x);
    parse(&x, menu);
    assert_true(has_text(&x, "administrators"));
    done(&x);
    free(page);
}

/* A list of contents goes with what only names it. */
static void a_list_s_name_goes_with_it(void **state)
{
    static const struct {
        const char *label, *link;
        bool stays;
    } cases[] = {{"<a id=x><strong>Subsections</strong></a>", "b#a", false},
                 {"<a id=x><strong>Subsections</strong></a>", "b", true},
                 {"<p>Subsections</p>", "b#a", true},
                 {"<pre>Subsections</pre>", "b#a", true},
                 {"<ul><li>Subsections</ul>", "b#a", true},
                 {"<strong>Subsections of 1.2</strong>", "b#a", true}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *page = NULL;
        struct parsed x;

        assert_true(asprintf(&page,
                             "<body>%s<ul><li><a href=%s>The gate</a><li>"
                             "<a href=%s>The wall</a></ul><h1>Walls</h1>" P1
                             "</body>",
                             cases[i].label, cases[i].link,
                             cases[i].link) > 0);
        parse(&x, page);
        assert_false(has_text(&x, "The gate"));
        if (has_text(&x, "Subsections") != cases[i].stays)
            fail_msg("%s, %s", cases[i].label, cases[i].link);
        done(&x);
        free(page);
    }
}

static void what_is_nothing_to_read_changes_nothing(void **state)
{
    static const char *const same[][2] = {
        {"<p>a<!-- <p>b --> c</p>", "<p>a c</p>"},
        {"<p>a<!-->b</p>", "<p>ab</p>"},
        {"<p>a<!--b--!>c</p>", "<p>ac</p>"},
        {"<p>a<!-- b", "<p>a"},
        {"<style>p > b {}</style><p>a</p>", "<p>a</p>"},
        {"<p>a<script>if (a < b) '<p>x</p>'</script>b</p>", "<p>ab</p>"},
        {"<p>a<script><!-- <script> </script> x --></script>b</p>",
         "<p>ab</p>"},
        {"<p>a<svg><title>t</title><g><path d=x /></g></svg>b</p>",
         "<p>ab</p>"},
        {"<p>a<svg width=1 />b</p>", "<p>ab</p>"},
        {"<p>a<svg><path><p>b</p>", "<p>a</p><p>b</p>"},
        {"<p>a<svg><svg></svg>b", "<p>a"},
        {"<p  data-x='<p>'  class=y  onclick=\"a > b\" >a \n\n  b</p>",
         "<p class=y>a b</p>"},
        {"<pre>a\n\n  b</pre>", "<pre>a\n\n  b</pre>"},
        {"<textarea>a <!-- b</textarea><p>c</p>", "<p>c</p>"},
        /* what XML closes in its start tag is empty */
        {"<p>a<iframe src=x />\n<b>b</b></p>", "<p>a b</p>"},
        {"<p>a<script src='x'/><b>b</b><script>x</script></p>", "<p>ab</p>"},
        {"<p>a<script />x()</script>b</p>", "<p>ab</p>"},
        {"<p>a<script /><!-- <b> --></script>b</p>", "<p>ab</p>"},
        {"<p>a<script src=x/>b</script>c</p>", "<p>ac</p>"},
        {"<h2><a href='x' id='y'/></h2><p>b</p>", "<p>b</p>"},
        {"<p><b>a<b/>b</p><p>c</p>", "<p><b>ab</b></p><p><b>c</b></p>"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        struct parsed x, y;

        parse(&x, same[i][0]);
        parse(&y, same[i][1]);
        if (strcmp(blocks(&x), blocks(&y)) != 0)
            fail_msg("%zu: %s, not %s", i, blocks(&x), blocks(&y));
        done(&x);
        done(&y);
    }
}

static void a_plain_manual_keeps_everything(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "<html><body><h1>Manual</h1>" P1 "<h2>Limits</h2><p>Short.</p>"
              "<ul><li>One</li><li>Two</li></ul><h2>More</h2>" P2
              "<table><tr><td>k<td>v<tr><td>l<td>w</table><pre>code</pre>"
              "</body></html>");
    assert_true(has_text(&x, "H:Manual"));
    assert_true(has_text(&x, "P:Short.|L:One|L:Two|H:More"));
    assert_true(has_text(&x, "T:k | v|T:l | w|C:code"));
    done(&x);
}

/* No commas for terms that do not fit. */
static void many_terms_are_cut_whole(void **state)
{
    struct parsed x;
    struct buf b;

    (void)state;
    buf_init(&b, 1 << 16);
    buf_adds(&b, "<dl>");
    for (int i = 0; i < 100; i++)
        buf_adds(&b, "<dt>ten and ten");
    buf_adds(&b, "<dd>def</dl>");
    parse(&x, buf_str(&b));
    assert_true(has_text(&x, "ten and ten, ten and ten"));
    assert_true(has_text(&x, "ten and ten: def"));
    assert_false(has_text(&x, ", ,"));
    done(&x);
    buf_fini(&b);
}

static void an_index_of_links_keeps_its_links(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "<h1>Documents</h1><ul><li><a href=a>About it</a><li>"
              "<a href=b>Basics</a></ul>");
    assert_string_equal(blocks(&x), "H:Documents|L:About it|L:Basics");
    done(&x);
}

/* A long list of links is what a page is about, but not where they lead to
 * places of the page. */
static void the_contents_of_a_page_are_not_its_text(void **state)
{
    static const char *const to[] = {"#q", "/q"};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct parsed x;
        struct buf b;

        buf_init(&b, 1 << 16);
        buf_adds(&b, "<h1>Questions</h1><ol>");
        for (int i = 0; i < 60; i++)
            buf_addf(&b,
                     "<li><a href='%s%d'>CONTENTS: does it do what is in "
                     "question %d?</a>",
                     to[k], i, i);
        buf_adds(&b, "</ol>");
        for (int i = 0; i < 40; i++)
            buf_adds(&b, P1 P2);
        parse(&x, buf_str(&b));
        assert_true(has_text(&x, "The second"));
        assert_int_equal(has_text(&x, "CONTENTS"), k == 1);
        done(&x);
        buf_fini(&b);
    }
}

static void a_layout_name_on_the_wrapper_does_not_hide_the_page(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "<body><div class='page with-sidebar'>" P1 P2 "</div></body>");
    assert_true(has_text(&x, "The first"));
    assert_true(has_text(&x, "The second"));
    done(&x);
}

static void an_article_only_a_script_would_show_is_read_too(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "<script type='application/ld+json'>{\"articleBody\": \"First "
              "line of the \\\"article\\\" caf\\u00e9 \\ud83d\\ude00.\\nSecond "
              "line, which is quite a bit longer than the first one so that "
              "the whole of it counts as the text of an article, and not as "
              "a teaser; that takes about two hundred bytes of text.\"}"
              "</script><p>Loading</p>");
    assert_int_equal(x.doc.block_count, 2);
    assert_string_equal(x.doc.blocks[0].text,
                        "First line of the \"article\" caf\xC3\xA9 "
                        "\xF0\x9F\x98\x80.");
    done(&x);
}

/* --- facts ------------------------------------------------------------- */

static void the_title_loses_the_name_of_the_site(void **state)
{
    static const struct {
        const char *html, *want;
    } cases[] = {
        {"<title>Limits In SQLite</title>", "Limits In SQLite"},
        {"<title>  A\n b  </title>", "A b"},
        {"<title>How it works | Big Site News</title>", "How it works"},
        {"<title>Works - Site</title><meta property=og:site_name "
         "content=Site>",
         "Works"},
        {"<title>Works - site.example</title>", "Works"},
        {"<title>The Chapter - The Book's Name</title><h1>The Book's Name</h1>"
         "<h2>The Chapter</h2><p>Text.",
         "The Chapter"},
        {"<title>Site: x - The Heading Here</title><h1>The Heading Here</h1>",
         "The Heading Here"},
        {"<title>T</title><meta property=og:title content='Open &amp; Graph'>",
         "Open & Graph"},
        /* a title that is the site's is no page's, where it has another */
        {"<title>Chapter One</title><meta property=og:title content='My Site'>"
         "<meta property=og:site_name content='my site'>",
         "Chapter One"},
        {"<meta property=og:title content='My Site'><meta "
         "property=og:site_name content='my site'>",
         "My Site"},
        {"<h1>Only a <i>heading</i></h1>", "Only a heading"},
        {"<p>nothing</p>", ""},
        {"<svg><title>Icon</title></svg>", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct parsed x;

        parse(&x, cases[i].html);
        assert_string_equal(x.doc.title, cases[i].want);
        done(&x);
    }
}

/* Wherever in a chunk of memory the title comes to lie: nothing behind it is
 * read. */
static void the_end_of_a_title_is_its_end(void **state)
{
    static const char want[] =
        "A title of many words that says at length what the page is about, so "
        "that its end lies far behind the place where the name of the site is "
        "cut from it";
    char *z = malloc(40000);

    (void)state;
    assert_non_null(z);
    for (size_t k = 0; k < 34000; k += 96) {
        struct parsed x;
        size_t n = (size_t)snprintf(z, 40000,
                                    "<title>%s | A site of four</title>", want);

        memset(z + n, 'x', k);
        for (size_t i = 0; i + 3 < k; i += 1000)
            memcpy(z + n + i, "<p>", 3);
        z[n + k] = '\0';
        parse(&x, z);
        assert_string_equal(x.doc.title, want);
        done(&x);
    }
    free(z);
}

static void assert_day(const char *address, const char *html, const char *want)
{
    struct parsed x;
    char got[DATE_LEN + 1] = "none";

    parse_at(&x, address, html, strlen(html));
    assert_int_equal(x.e, ERR_OK);
    if (x.doc.day != DAY_NONE)
        date_format(x.doc.day, got);
    assert_string_equal(got, want);
    done(&x);
}

static void the_best_statement_of_a_date_wins(void **state)
{
    static const char here[] = "http://s.example/x";
    static const struct {
        const char *html, *want;
    } cases[] = {
        {"<p>none</p>", "none"},
        {"<script type=application/ld+json>{\"@type\":\"Article\","
         "\"datePublished\": \"2021-03-04T05:06:07Z\"}</script>"
         "<time datetime=2020-01-01>",
         "2021-03-04"},
        {"<meta property=article:published_time content=2019-08-07T00:00Z>",
         "2019-08-07"},
        {"<meta name=DC.date.issued content=20180706>", "2018-07-06"},
        {"<time datetime='2017-06-05'>June</time>", "2017-06-05"},
        {"<div class=post-date>17. Mai 2016</div>", "2016-05-17"},
        {"<p>Published on May 4th, 2015 by us</p>", "2015-05-04"},
        {"<p>Posted: 3 de mayo de 2014</p>", "2014-05-03"},
        {"<div class=date>24.12.2013</div>", "2013-12-24"},
        {"<div class=date>2013\xE5\xB9\xB4</div>", "none"},
        {"<p>Published on February 30, 2015</p>", "none"},
        {"<p>Published on May 4, 1985</p>", "none"},
        {"<meta name=date content=9999-01-01>", "none"},
        {"<html lang=en-US><div class=date>4/5/2012</div>", "2012-04-05"},
        {"<html lang=en-GB><div class=date>4/5/2012</div>", "2012-05-04"},
        {"<div class=date>13/5/2012</div>", "2012-05-13"},
        {"<div class=date>2013\xE5\xB9\xB4"
         "7\xE6\x9C\x88"
         "3\xE6\x97\xA5</div>",
         "2013-07-03"},
        {"<div class=date>15 \xD0\xB0\xD0\xB2\xD0\xB3\xD1\x83\xD1\x81"
         "\xD1\x82\xD0\xB0 2016</div>",
         "2016-08-15"},
        {"<link rel=canonical href=http://s.example/2020/02/24/story>",
         "2020-02-24"},
        /* Declared in UTC, the address has the day where it was written. */
        {"<link rel=canonical href=http://s.example/2020/02/24/story>"
         "<meta name=date content=2020-02-25T02:00:00Z>",
         "2020-02-24"},
        {"<script>page({publication_date: '2019-03-01 10:00'})</script>",
         "2019-03-01"},
        {"<span class=updated title=2013-04-04T18:52>x</span>", "2013-04-04"},
        {"<meta property=og:image content=/img/2012/11/10/a.jpg>",
         "2012-11-10"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_day(here, cases[i].html, cases[i].want);
    assert_day("http://s.example/2024/05/17/story", "<p>x</p>", "2024-05-17");
    assert_day("http://s.example/2024/17/05/story", "<p>x</p>", "none");
}

static void a_number_in_the_text_is_no_date(void **state)
{
    static const char here[] = "http://s.example/x";
    static const struct {
        const char *html, *want;
    } cases[] = {
        /* versions and addresses */
        {"<p>New in version 2.8.12 and later.</p>", "none"},
        {"<h1>Django 1.11.26 release notes</h1>", "none"},
        {"<h2>1.11.26</h2><p>2.8.12</p>", "none"},
        {"<p>Updated Django to 1.11.26</p><p>Updated: CMake 2.8.12</p>",
         "none"},
        {"<p>Last updated for version 10.4.2019</p>", "none"},
        {"<p>Posted from 10.1.11.26, 10.1.11.26</p>", "none"},
        {"<div class=info>Version 2.8.12</div>", "none"},
        {"<div class=meta>2.8.12rc1</div><p>Date: app-2.8.12</p>", "none"},
        {"<p>pip 2024.1.2</p>", "none"},
        /* examples and running text */
        {"<p>Such as <code>1999-01-08</code></p><pre>2001-09-28</pre>", "none"},
        {"<table><tr><td>1999-01-08<td>ISO 8601</table>", "none"},
        {"<p>The battle of 5 May 2001 was long and is told of in many books of "
         "the time, of which few are left.</p>",
         "none"},
        {"<p>It was first published on 5 May 2001 in a journal that is now "
         "forgotten, and then again.</p>",
         "none"},
        /* where a date is announced */
        {"<p>Updated: 24.12.13</p>", "2013-12-24"},
        {"<p>Last updated on 2.8.12</p>", "2012-08-02"},
        {"<p>Last updated on 2.8.12. Found a bug?</p>", "2012-08-02"},
        {"<h4 id=trigger_data_info>14.8.11. Info</h4>", "none"},
        {"<p>Von Jana Doe, 8.5.12</p>", "2012-05-08"},
        {"<div class=date>24.12.13</div>", "2013-12-24"},
        {"<p><b>Release date:&nbsp;</b>2024-11-21</p>", "2024-11-21"},
        {"<dl><dt>Posted<dd>3 May 2015</dl>", "2015-05-03"},
        /* or is a line of its own, or begins a report */
        {"<p>January 22, 2014</p>", "2014-01-22"},
        {"<p>Hamburg, 2. November 2021 \xE2\x80\x93 Der Senat hat heute "
         "beschlossen, was er lange angek\xC3\xBCndigt hatte.</p>",
         "2021-11-02"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_day(here, cases[i].html, cases[i].want);
    assert_day("http://s.example/2.8.12/cmake.html", "<p>x</p>", "none");
    assert_day("http://s.example/v/2023.1.2/x", "<p>x</p>", "none");
}

/* A footer says when the page was changed; examples above it do not. */
static void a_footer_dates_a_page_that_declares_nothing(void **state)
{
    static const char foot[] =
        "<div class=footer>&copy; Copyright 2001-2026, the authors.<br>"
        "Last updated on October 07, 2025. <a href=/bugs>Found a bug</a>?"
        "<br>Created using a tool 5.3.0.</div>";
    const char *text = "";
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 22);
    for (size_t i = 0; i < 300; i++)
        text = arena_printf(&a, "%s<p>%zu. %s</p>", text, i,
                            "A paragraph of the manual with some words.");
    assert_day("http://s.example/x",
               arena_printf(&a, "<p>2007-11-27</p>%s%s", text, foot),
               "2025-10-07");
    assert_day("http://s.example/x",
               arena_printf(&a, "%s<pre>%*s</pre>%s", text, 30000, "x", foot),
               "2025-10-07");
    assert_day("http://s.example/x",
               arena_printf(&a, "<p>Published 3 May 2015</p>%s%s", text, foot),
               "2015-05-03");
    arena_fini(&a);
}

static void declared_facts_are_read_and_made_absolute(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "<html lang=en_GB><head><base href='/other/'>"
              "<link rel=apple-touch-icon href=touch.png>"
              "<link rel='shortcut icon' href=fav.ico>"
              "<link rel=canonical href='https://c.example/p#f'>"
              "<meta name=robots content='NoIndex, nofollow'>"
              "<body>" P1 P2 "<a rel='nofollow ugc' href=a.html>A <b>b</b></a>"
              "<a href='javascript:x()'>j</a><a href=#f>f</a>"
              "<a href='mailto:a@b.example'>m</a>");
    assert_string_equal(x.doc.lang, "en-gb");
    assert_string_equal(x.doc.favicon, "http://site.example/other/fav.ico");
    assert_string_equal(x.doc.canonical, "https://c.example/p");
    assert_true(x.doc.noindex);
    assert_true(x.doc.nofollow);
    assert_int_equal(x.doc.link_count, 1);
    assert_string_equal(x.doc.links[0].url, "http://site.example/other/a.html");
    assert_string_equal(x.doc.links[0].text, "A b");
    assert_true(x.doc.links[0].nofollow);
    done(&x);
    parse(&x, "<link rel=canonical href='ftp://x/'><link rel=canonical "
              "href='javascript:1'><meta name=cited content=none>");
    assert_string_equal(x.doc.canonical, "");
    assert_string_equal(x.doc.favicon, "");
    assert_string_equal(x.doc.lang, "");
    assert_true(x.doc.noindex && x.doc.nofollow);
    done(&x);
}

static void images_are_those_of_the_article(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x,
          "<meta property=og:image content=/lead.jpg>"
          "<body><nav><img src=/n.jpg></nav><article>" P1
          "<img src=/a.jpg alt='A &amp; b'><img src=/logo.png>"
          "<img src=/t.jpg width=16><img src='data:image/png;base64,x'>"
          "<img src=x.gif data-src=/lazy.jpg><img src=/a.jpg>" P2 "</article>");
    assert_int_equal(x.doc.image_count, 3);
    assert_string_equal(x.doc.images[0].url, "http://site.example/lead.jpg");
    assert_string_equal(x.doc.images[1].url, "http://site.example/a.jpg");
    assert_string_equal(x.doc.images[1].alt, "A & b");
    assert_string_equal(x.doc.images[2].url, "http://site.example/lazy.jpg");
    done(&x);
}

static void the_author_and_the_site_are_what_the_page_declares(void **state)
{
    static const struct {
        const char *html, *author, *site;
    } cases[] = {
        {"<p>x</p>", "", ""},
        {"<script type=application/ld+json>{\"author\":{\"@type\":\"Person\","
         "\"image\":{\"name\":\"logo\"},\"name\":\"Ann \\u00e9 Lee\"},"
         "\"publisher\":{\"name\":\"The Paper\"}}</script>",
         "Ann \xC3\xA9 Lee", "The Paper"},
        {"<script type=application/ld+json>{\"author\":[{\"name\":\"A One\"},"
         "{\"name\":\"B Two\"}]}</script>",
         "A One, B Two", ""},
        {"<script type=application/ld+json>{\"author\": \"A One\", \"x\": "
         "\"no\"}</script>",
         "A One", ""},
        {"<script type=application/ld+json>{\"author\": [\"A One\", \"B "
         "Two\"]}</script>",
         "A One, B Two", ""},
        {"<meta name=author content='by Ann Lee'>"
         "<meta property=og:site_name content=Site>",
         "Ann Lee", "Site"},
        {"<meta property='dc:creator twitter:site' content=Right>"
         "<meta name=author content=Wrong>",
         "Right", ""},
        {"<meta name=citation_author content='Lee, A.'>"
         "<meta name=citation_author content='Poe, B.'>",
         "Lee, A., Poe, B.", ""},
        {"<meta property=article:author content=https://s.example/ann>", "",
         ""},
        {"<p class=byline>By Ann Lee | March 3, 2020</p>", "Ann Lee", ""},
        {"<a rel=author href=/ann>Ann Lee</a>", "Ann Lee", ""},
        {"<span itemprop=author>Von <b itemprop=name>Ann Lee</b>, "
         "Chefin</span>",
         "Ann Lee", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct parsed x;

        parse(&x, cases[i].html);
        assert_string_equal(x.doc.author, cases[i].author);
        assert_string_equal(x.doc.site, cases[i].site);
        done(&x);
    }
}

/* --- charsets ---------------------------------------------------------- */

static void assert_utf8(const char *bytes, size_t n, const char *charset,
                        const char *want)
{
    struct arena a;
    const char *z;
    size_t len;

    arena_init(&a, 1 << 20);
    assert_int_equal(html_to_utf8(bytes, n, charset, &a, &z, &len), ERR_OK);
    assert_int_equal(len, strlen(want));
    assert_memory_equal(z, want, len);
    arena_fini(&a);
}

#define BYTES(z) z, sizeof(z) - 1

static void bytes_become_utf8_by_bom_header_meta_or_guess(void **state)
{
    (void)state;
    assert_utf8(BYTES(""), NULL, "");
    assert_utf8(BYTES("\xEF\xBB\xBFx"), "windows-1251", "x");
    assert_utf8(BYTES("\xFF\xFE"
                      "a\0\xE9\0"),
                NULL, "a\xC3\xA9");
    assert_utf8(BYTES("\xFE\xFF\0a\0\xE9"), "utf-8", "a\xC3\xA9");
    assert_utf8(BYTES("caf\xE9 \x80"), "ISO-8859-1",
                "caf\xC3\xA9 \xE2\x82\xAC");
    assert_utf8(BYTES("caf\xE9"), "latin1", "caf\xC3\xA9");
    assert_utf8(BYTES("\xCF\xF0"), "windows-1251", "\xD0\x9F\xD1\x80");
    assert_utf8(BYTES("\x93\xFA"), "Shift_JIS", "\xE6\x97\xA5");
    assert_utf8(BYTES("\xC8\xD5"), "gb2312", "\xE6\x97\xA5");
    assert_utf8(BYTES("<meta charset=koi8-r>\xC1"), NULL,
                "<meta charset=koi8-r>\xD0\xB0");
    assert_utf8(BYTES("<meta content='text/html; charset=iso-8859-2'>\xB1"),
                "no-such-charset",
                "<meta content='text/html; charset=iso-8859-2'>\xC4\x85");
    assert_utf8(BYTES("\xC3\xA9"), NULL, "\xC3\xA9");
    assert_utf8(BYTES("a\xFF"
                      "b\xC3\xA9\xC3\xA8"),
                "utf-8",
                "a\xEF\xBF\xBD"
                "b\xC3\xA9\xC3\xA8");
    assert_utf8(BYTES("a\0b"), NULL,
                "a\xEF\xBF\xBD"
                "b");
    /* Many well-formed sequences: the label is wrong. */
    assert_utf8(BYTES("\xC3\xA9\xC3\xA8\xC3\xA0"), "iso-8859-1",
                "\xC3\xA9\xC3\xA8\xC3\xA0");
    /* Mostly malformed as UTF-8: the label is wrong as well. */
    assert_utf8(BYTES("caf\xE9 na\xEFve d\xE9j\xE0 vu \xE0 la carte"), "utf-8",
                "caf\xC3\xA9 na\xC3\xAFve d\xC3\xA9j\xC3\xA0 vu \xC3\xA0 la "
                "carte");
}

/* A page in each encoding of the web that a text can be written in, its label
 * in the header, in <meta> and in an XML declaration. */
static void every_encoding_of_the_web_is_read_by_its_label(void **state)
{
    static const char latin[] = "caf\xC3\xA9", greek[] = "\xCE\xB1\xCE\xB2",
                      cyrillic[] = "\xD0\xB0\xD0\xB1\xD1\x8F",
                      hebrew[] = "\xD7\xA9\xD7\x9C",
                      arabic[] = "\xD8\xA8\xD9\x85",
                      thai[] = "\xE0\xB8\x81\xE0\xB8\x82",
                      kanji[] = "\xE6\x97\xA5\xE6\x9C\xAC",
                      hangul[] = "\xED\x95\x9C\xEA\xB5\xAD";
    static const char *const rows[][3] = {
        {"utf-8", "UTF-8", cyrillic},
        {"cp866", "IBM866", cyrillic},
        {"l2", "ISO-8859-2", "\xC5\x99"},
        {"iso8859-3", "ISO-8859-3", "\xC4\xA7"},
        {"latin4", "ISO-8859-4", "\xC4\x97"},
        {"cyrillic", "ISO-8859-5", cyrillic},
        {"ECMA-114", "ISO-8859-6", arabic},
        {"sun_eu_greek", "ISO-8859-7", greek},
        {"visual", "ISO-8859-8", hebrew},
        {"iso-8859-8-i", "ISO-8859-8", hebrew},
        {"l6", "ISO-8859-10", "\xC4\x97"},
        {"iso-8859-13", "ISO-8859-13", "\xC4\x97"},
        {"iso885914", "ISO-8859-14", "\xC5\xB5"},
        {"iso_8859-15", "ISO-8859-15", "\xE2\x82\xAC"},
        {"iso-8859-16", "ISO-8859-16", "\xC8\x99"},
        {"koi8_r", "KOI8-R", cyrillic},
        {"koi8-ru", "KOI8-U", "\xD1\x97"},
        {"x-mac-roman", "MACINTOSH", latin},
        {"x-mac-ukrainian", "MAC-CYRILLIC", cyrillic},
        {"tis-620", "CP874", thai},
        {"x-cp1250", "CP1250", "\xC5\x99"},
        {"windows-1251", "CP1251", cyrillic},
        {"us-ascii", "CP1252", latin},
        {"ISO-8859-1", "CP1252", "\xE2\x80\x9C"},
        {"cp1253", "CP1253", greek},
        {"latin5", "CP1254", "\xC5\x9F"},
        {"windows-1255", "CP1255", hebrew},
        {"windows-1256", "CP1256", arabic},
        {"windows-1257", "CP1257", "\xC4\x97"},
        {"windows-1258", "CP1258", "\xC6\xA1"},
        {"gb2312", "GB18030", kanji},
        {"big5", "BIG5-HKSCS", kanji},
        {"x-euc-jp", "EUC-JP", kanji},
        {"iso-2022-jp", "ISO-2022-JP", kanji},
        {"ms932", "CP932", kanji},
        {"euc-kr", "UHC", hangul},
        {"ks_c_5601-1987", "UHC", hangul},
        {"windows-949", "UHC", "\xEB\x98\xA0"},
    };
    static const char *const forms[][3] = {
        {"", "", ""},
        {"<html><head><meta charset='", "'><p>", "</p>"},
        {"<?xml version=\"1.0\" encoding=\"", "\"?><p>", "</p>"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
            char want[200], bytes[400], *from = want, *to = bytes;
            size_t left, room = sizeof bytes;
            iconv_t cd = iconv_open(rows[i][1], "UTF-8");

            assert_true(cd != (iconv_t)-1);
            snprintf(want, sizeof want, "%s%s%s%s%s", forms[k][0],
                     k == 0 ? "" : rows[i][0], forms[k][1], rows[i][2],
                     forms[k][2]);
            left = strlen(want);
            assert_int_equal(iconv(cd, &from, &left, &to, &room), 0);
            iconv(cd, NULL, NULL, &to, &room);
            iconv_close(cd);
            assert_utf8(bytes, sizeof bytes - room, k == 0 ? rows[i][0] : NULL,
                        want);
        }
}

static void an_encoding_that_nobody_names_is_guessed(void **state)
{
    /* "The weather is good today and I go to school", in EUC-KR. */
    static const char korean[] =
        "\xBF\xC0\xB4\xC3\xC0\xBA \xB3\xAF\xBE\xBE\xB0\xA1 "
        "\xC1\xC1\xBD\xC0\xB4\xCF\xB4\xD9. \xB3\xAA\xB4\xC2 "
        "\xC7\xD0\xB1\xB3\xBF\xA1 \xB0\xA9\xB4\xCF\xB4\xD9.";

    (void)state;
    assert_utf8(BYTES(korean), NULL,
                "\xEC\x98\xA4\xEB\x8A\x98\xEC\x9D\x80 "
                "\xEB\x82\xA0\xEC\x94\xA8\xEA\xB0\x80 "
                "\xEC\xA2\x8B\xEC\x8A\xB5\xEB\x8B\x88\xEB\x8B\xA4. "
                "\xEB\x82\x98\xEB\x8A\x94 "
                "\xED\x95\x99\xEA\xB5\x90\xEC\x97\x90 "
                "\xEA\xB0\x91\xEB\x8B\x88\xEB\x8B\xA4.");
    assert_utf8(BYTES("<\0p\0>\0\xE9\0"), NULL, "<p>\xC3\xA9");
    assert_utf8(BYTES("\0<\0p\0>\0\xE9"), NULL, "<p>\xC3\xA9");
}

/* --- limits ------------------------------------------------------------ */

/* head, then unit again and again up to n bytes. */
static enum err parse_repeated(const char *head, const char *unit, size_t n,
                               struct errctx *ec)
{
    size_t len = strlen(head), step = strlen(unit);
    char *z = malloc(n);
    struct parsed x;
    enum err e;
    int64_t from = clock_mono_ms();

    assert_non_null(z);
    memcpy(z, head, len);
    for (; len + step <= n; len += step)
        memcpy(z + len, unit, step);
    parse_at(&x, "http://s.example/", z, len);
    e = x.e;
    *ec = x.ec;
    done(&x);
    free(z);
    /* A second on a quiet machine; sanitizers and neighbours need more. */
    assert_true(clock_mono_ms() - from < 20000);
    return e;
}

static void hostile_pages_end_soon_with_a_clear_outcome(void **state)
{
    static const struct {
        const char *head, *unit;
        size_t n;
        const char *why; /* NULL: parsed */
    } cases[] = {
        {"", "<div>", 500000, NULL},
        {"", "<span>", 500000, NULL},
        {"", "<div></x>", 900000, NULL},
        {"", "<table><tr><td>", 900000, NULL},
        {"", "<svg><desc><div>", 900000, NULL},
        {"", "<svg><desc>", 4000000, NULL},
        {"", "<svg><g><p>", 4000000, NULL},
        {"", "<li><ul>", 500000, NULL},
        {"<p ", " a=b", 20 << 20, "larger"},
        {"<p ", " a=b", 1 << 20, NULL},
        {"", "<b><p></b>", 1 << 20, NULL},
        {"<table>", "<tr><td>x", 7 << 20, NULL},
        {"", "<p>", 8 << 20, NULL},
        {"<ul>", "<li>x", 100000, NULL},
        {"<table>", "<tr><td>x", 300000, NULL},
        {"", "<", 30000, NULL},
        {"", "word ", 60000, NULL},
        {"", "\xFF", 30000, NULL},
        {"<svg>", "<path d=x />", 120000, NULL},
        {"", "<a href=x>link ", 100000, NULL},
        {"<script>", "<div>", 500000, NULL},
        {"<!--", "<div>", 500000, NULL},
        {"", "<div id=menu><b></b><h2>x</h2>text here</div>", 60000, NULL},
        {"<p>", "</b><ul><li><a href=x>one two</a></ul>", 30000, NULL},
        {"<select>", "<option>x", 100000, NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct errctx ec;
        enum err e =
            parse_repeated(cases[i].head, cases[i].unit, cases[i].n, &ec);

        if (cases[i].why == NULL) {
            assert_int_equal(e, ERR_OK);
        } else {
            assert_int_equal(e, ERR_TOO_LARGE);
            assert_non_null(strstr(ec.msg, cases[i].why));
        }
    }
}

static void of_a_page_too_large_for_its_tree_the_beginning_is_read(void **state)
{
    enum { TIMES = 300000 };
    static const char unit[] = "<tr><td>cell<td>12</tr>";
    size_t n = sizeof unit - 1;
    char *z = malloc(7 + TIMES * n + 1);
    struct parsed x;

    (void)state;
    assert_non_null(z);
    memcpy(z, "<table>", 7);
    for (size_t i = 0; i < TIMES; i++)
        memcpy(z + 7 + i * n, unit, n);
    parse_at(&x, "http://site.example/", z, 7 + TIMES * n);
    assert_int_equal(x.e, ERR_OK);
    assert_true(x.doc.cut);
    assert_true(x.doc.block_count > 1000 && x.doc.block_count < TIMES);
    done(&x);
    parse_at(&x, "http://site.example/", z, 7 + 100 * n);
    assert_int_equal(x.e, ERR_OK);
    assert_false(x.doc.cut);
    assert_int_equal(x.doc.block_count, 100);
    done(&x);
    free(z);
}

static void refusals_are_told_from_content(void **state)
{
    static const struct {
        const char *html, *why; /* NULL: content */
    } cases[] = {
        {"<title>Just a moment...</title><noscript>Enable JavaScript and "
         "cookies to continue</noscript>",
         "a challenge page"},
        {"<title>shop.example</title><h1>shop.example</h1><p>Verifying you are "
         "human. This may take a few seconds.<p>shop.example needs to review "
         "the security of your connection before proceeding.",
         "a challenge page"},
        {"<title>Access Denied</title><h1>Access Denied</h1>You don't have "
         "permission to access \"http://x.example/\" on this server.",
         "an access-denied page"},
        {"<title>404 Not Found</title><h1>Not Found</h1><p>The requested URL "
         "was not found on this server.",
         "an error page"},
        {"<title>Example Shop</title><h1>Sorry!</h1><p>The page you\342\200\231"
         "re looking for has moved.",
         "an error page"},
        {"<title>App</title><div>You need to enable JavaScript to run this "
         "app.</div>",
         "a page that only scripts would fill"},
        {"<title>Daily News</title><p>We value your privacy. We and our "
         "partners use cookies to store information for advertising. You can "
         "accept all cookies or change your preferences; see our privacy "
         "policy.",
         "a consent wall"},
        {"<title>CAPTCHA</title>" P1 P2 P1 P2 "<p>Verify you are human is what "
         "a captcha asks." P1 P2 P1 P2,
         NULL},
        {"<title>404 Media wins a prize</title>" P1 P2, NULL},
        {"<title>Cookie policy</title><p>We use cookies. Accept all or reject "
         "all; our partners ask for consent under this privacy policy.",
         NULL},
        {"<title>Not found guilty</title><p>The court did not find them guilty "
         "of anything, it was said on Monday; the case is closed and nobody "
         "will appeal." P1 P2,
         NULL},
        {"<title>Short note</title><p>Rain today.", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *why = NULL;
        struct parsed x;

        parse(&x, cases[i].html);
        if (!page_is_refusal(&x.doc, &why))
            why = "content";
        assert_string_equal(why,
                            cases[i].why == NULL ? "content" : cases[i].why);
        done(&x);
    }
}

static void a_lead_in_front_of_the_article_is_kept(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x, "<div id=page><p>Some line of the site, long enough to be taken "
              "for running text by length.</p><h1>Title</h1><div class=intro>"
              "<p>The lead says in one sentence of some length what it is all "
              "about.</p></div><div class=body>" P1 P2 P1 P2 P1 P2 P1 P2 P1 P2
              "</div><div>Weather</div><h2>Related</h2></div>");
    assert_true(has_text(&x, "P:The lead says"));
    assert_false(has_text(&x, "Some line of the site"));
    assert_false(has_text(&x, "Related"));
    done(&x);
    /* A short one is a sentence behind the title. */
    parse(&x, "<div><h1>Module</h1><p>A period is some seconds between two "
              "days.</p><p>By somebody of the staff, at ten o'clock</p></div>"
              "<div class=body>" P1 P2 P1 P2 P1 P2 P1 P2 P1 P2 "</div>");
    assert_true(has_text(&x, "P:A period is"));
    assert_false(has_text(&x, "staff"));
    done(&x);
}

/* What one of several headings heads is a part, however long it is. */
static void a_long_section_is_not_all_of_the_text(void **state)
{
    struct parsed x;

    (void)state;
    parse(&x,
          "<div><h2>Valve</h2><h3>First</h3><div><p>A short part is none "
          "of the long one.</p></div><h3>Second</h3><div>" P1 P2 P1 P2 P1 P2 P1
              P2 P1 P2 "</div><h3>Third</h3><p>As short, at the end.</div>");
    assert_true(has_text(&x, "H:Valve|H:First|P:A short part"));
    assert_true(has_text(&x, "H:Second"));
    assert_true(has_text(&x, "H:Third|P:As short"));
    done(&x);
    /* What stands ahead of a text in boxes of its own is none. */
    parse(&x, "<p>Welcome.</p><h2>Search</h2><p>Type a word:</p><h2>Latest</h2>"
              "<p>It is open.</p><div>" P1 P2 P1 P2 P1 P2 P1 P2 "</div>"
              "<h2>Newsletter</h2><p>Sign in below.</p>");
    assert_true(has_text(&x, "P:"));
    assert_false(has_text(&x, "Search"));
    assert_false(has_text(&x, "Newsletter"));
    done(&x);
    parse(&x,
          "<h2>Forum</h2><p>All on pumps.</p><h2>A seal that leaks</h2><div>" P1
              P2 P1 P2 P1 P2 P1 P2 "</div><div>34 users online.</div>");
    assert_true(has_text(&x, "P:"));
    assert_false(has_text(&x, "online"));
    done(&x);
}

/* Links to other sections in front of its heading make none of a section. */
static void a_section_is_one_whatever_leads_from_it(void **state)
{
    struct parsed x;

    (void)state;
    parse(
        &x,
        "<div><div class=chapter id=Files><div class=header><p>Next: "
        "<a href=#x>Some</a></p></div><h2>Files</h2>" P1 P2 P1 P2
        "</div><div class=chapter id=Tools><div class=header><p>Next: "
        "<a href=#x>Others, if there are some</a></p></div><h2>Tools</h2>" P1 P2
        "</div></div>");
    assert_true(has_text(&x, "H:Tools|P:"));
    assert_false(has_text(&x, "Others"));
    done(&x);
}

static void a_bold_line_heads_the_prose_behind_it(void **state)
{
    (void)state;
    assert_blocks("<h2>Limits</h2><ol><li><p><b>Maximum Size</b></p><p>Every "
                  "database consists of pages, and there are at most so many "
                  "of them.</p><li><b>short</b><li><b>items</b></ol>",
                  "H:Limits|H:Maximum Size|P:Every database consists of pages, "
                  "and there are at most so many of them.|L:short|L:items");
    assert_blocks("<h2>Questions</h2><p><b>(3) Is it <i>fast</i>?</b></p>"
                  "<blockquote><p>Yes.</blockquote><p><b>PRAGMA </b><i>x.</i>"
                  "<b>mode;</b></p><p>Every database consists of pages, and "
                  "there are at most so many of them.",
                  "H:Questions|H:(3) Is it fast?|Q:Yes.|H:PRAGMA x.mode;|P:"
                  "Every database consists of pages, and there are at most so "
                  "many of them.");
    assert_blocks("<p>Is <b>this</b> a title?</p><p>Every database consists of "
                  "pages, and there are at most so many of them.",
                  "P:Is this a title?|P:Every database consists of pages, and "
                  "there are at most so many of them.");
    assert_blocks("<p><b>Not a title, a sentence.</b></p><p>Every database "
                  "consists of pages, and there are at most so many of them.",
                  "P:Not a title, a sentence.|P:Every database consists of "
                  "pages, and there are at most so many of them.");
    assert_blocks("<div class='figure'><p class='title'><strong>Figure 3. The "
                  "dialog</strong></p></div><p>Every database consists of "
                  "pages, and there are at most so many of them.",
                  "P:Figure 3. The dialog|P:Every database consists of "
                  "pages, and there are at most so many of them.");
    assert_blocks("<dl><dt>R-00013-61831-22423<dd>The key comes first."
                  "<dt>key<dd>It comes first.</dl>",
                  "P:R-00013-61831-22423|L:The key comes first.|L:key: It "
                  "comes first.");
}

/* What programs that write documentation make of "## Title". */
static void headings_are_read_whatever_they_are_named(void **state)
{
    static const char *const headings[] = {
        "<h2 id=x><a class=header href=#x>Title</a></h2>",
        "<h2 class='anchorWithStickyNavbar_LWe7'>Title<a href=#x></a></h2>",
        "<h2 id=search class=flex><div><a href=#search>Title</a></div></h2>",
        "<h2 class=header id=legal>Title</h2>",
        "<h2 class=Sh id=x><a class=permalink href=#x>Title</a></h2>",
        "<h2 class=accordion-header><button>Title</button></h2>",
        "<h2>Title<a class=headerlink href=#x>\302\266</a></h2>",
        "<h2>Title<span class=x><a class=anchor href=#toc-x>TOC</a></span></h2>",
    };
    char html[2000];
    struct parsed x;

    (void)state;
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        (void)snprintf(html, sizeof html,
                       "<main><h1>All</h1>" P1 "%s" P2 P1 "</main>",
                       headings[i]);
        parse(&x, html);
        assert_true(has_text(&x, "H:Title"));
        done(&x);
    }
    assert_blocks("<h2>Reading the <a href=#toc-x>TOC</a></h2><p>A disc has a "
                  "<a href=#toc-x>TOC</a>.",
                  "H:Reading the TOC|P:A disc has a TOC.");
    assert_blocks("<h2>Questions</h2><details><summary>Is it fast?</summary>"
                  "<p>Yes.</details>",
                  "H:Questions|H:Is it fast?|P:Yes.");
    parse(&x,
          "<main><h1>All</h1>" P1 "<aside class='starlight-aside tip'><p>"
          "Keep a copy of all of it.</p></aside><aside class=tooltip><p>Buy "
          "it now.</p></aside>" P2 "</main>");
    assert_true(has_text(&x, "Keep a copy"));
    assert_false(has_text(&x, "Buy it"));
    done(&x);
}

/* Lists and tables of questions and their answers. */
static void what_a_page_asks_heads_what_answers_it(void **state)
{
    static const int levels[] = {1, 2, 2, 3, 4, 2, 2, 2, 2, 2, 3, 3, 4};
    struct parsed x;
    size_t n = 0;

    (void)state;
    /* terms that are marks, in any language that has some; what else a question
     * tells, and an answer of several blocks */
    assert_blocks("<h2>FAQ</h2><dl><dt>Q<a href=#q class=headerlink>#</a><dd>"
                  "<p>Why is it loud?<pre>hum</pre><p>It was not."
                  "<dt>A<dd><p>Its bearing is dry.<ul><li>Oil it</ul>"
                  "<dt>Q2:<dd>It freezes<dt>A2:<dd>Not above zero.</dl>"
                  "<p>So it is.<p><b>Tanks</b><pre>fill</pre>",
                  "H:FAQ|H:Why is it loud?|C:hum|P:It was not.|P:Its bearing "
                  "is dry.|L:Oil it|H:It freezes|P:Not above zero.|P:So it "
                  "is.|H:Tanks|C:fill");
    assert_blocks("<dl><dt>Frage<dd>Warum?<dt>Antwort<dd>Darum."
                  "<dt>Frage<dd>Wann?<dt>Antwort<dd>Nie.</dl>",
                  "H:Warum?|P:Darum.|H:Wann?|P:Nie.");
    /* one pair is none, nor are terms that are called so among others, what has
     * none of its own, and what stands in a list */
    assert_blocks("<dl><dt>Q<dd>Charge<dt>A<dd>Area</dl>",
                  "L:Q: Charge|L:A: Area");
    assert_blocks("<dl><dt>Q<dd>Charge<dt>A<dd>Area<dt>Q<dd>Heat<dt>A<dd>Work"
                  "<dt>E<dd>Field</dl>",
                  "L:Q: Charge|L:A: Area|L:Q: Heat|L:A: Work|L:E: Field");
    /* letters that count other things, too; a term that only begins with one */
    assert_blocks("<dl><dt>V<dd>230<dt>A<dd>10<dt>V<dd>110<dt>A<dd>5</dl>",
                  "L:V: 230|L:A: 10|L:V: 110|L:A: 5");
    assert_blocks("<dl><dt>Q<b>\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
                  "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4</b><dd>Charge"
                  "<dt>A<dd>Area<dt>Q<dd>Heat<dt>A<dd>Work</dl>",
                  "L:Q\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
                  "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4: Charge"
                  "|L:A: Area|L:Q: Heat|L:A: Work");
    assert_blocks("<ul><li>Why<dl><dt>Q<dd>x<dt>A<dd>y<dt>Q<dd>z<dt>A<dd>w</dl>"
                  "</ul>",
                  "L:Why|L:Q: x|L:A: y|L:Q: z|L:A: w");
    /* terms that ask, and some that say; levels stay what they are */
    assert_blocks("<h1>FAQ</h1><dl><dt>Why is it <b>loud?</b><dd>It is dry."
                  "<dd><p><b>Oil</b><pre>oil it</pre><dt>It stays wet<dd>Dry it."
                  "<dt>When does it end?<dd>Soon.<dl><dt>Now<dd>a</dl></dl>"
                  "<p><b>Tanks</b><pre>fill</pre>",
                  "H:FAQ|H:Why is it loud?|P:It is dry.|H:Oil|C:oil it|"
                  "H:It stays wet|P:Dry it.|H:When does it end?|P:Soon.|L:Now:"
                  " a|H:Tanks|C:fill");
    assert_blocks("<dl><dt>Is it on?<dd>a<dt>The long one<dd>It is long.<dt>"
                  "And another one<dd>It is another.</dl>",
                  "L:Is it on?: a|L:The long one: It is long.|L:And another "
                  "one: It is another.");
    assert_blocks("<dl><dt>Is it on board?<dd>yes<dt>Is it the last?<dd>no</dl>",
                  "L:Is it on board?: yes|L:Is it the last?: no");
    assert_blocks("<p>All that is asked of the pump:<dl><dt><a href=x>Why is it "
                  "loud?</a><dd>It is dry, and has been so for long.</dl>",
                  "P:All that is asked of the pump:|L:Why is it loud?: It is "
                  "dry, and has been so for long.");
    assert_blocks("<dl><dt>Optional?<dd>It is all the time<dt>Empty?<dd>It is at "
                  "the end</dl>",
                  "L:Optional?: It is all the time|L:Empty?: It is at the "
                  "end");
    assert_blocks("<dl><dt>Why is it loud?<dt>Why is it dry?<dd>Oil it now.</dl>",
                  "L:Why is it loud?, Why is it dry?: Oil it now.");
    /* DocBook's, with headings of their own between them */
    assert_blocks("<h1>FAQ</h1><table><tr class=qandadiv><td colspan=2><h3>Oil"
                  "</h3><tr class=question><td><b>1.1.</b><td>Is it loud?"
                  "<tr class=answer><td><a name=a></a><td><p>It is.<p>Oil it."
                  "<tr class=qandadiv><td colspan=2><h3>Ice</h3>"
                  "<tr class=question><td><p>F:<td><p>It freezes"
                  "<tr class=answer><td><p>A:<td><p>No.</table>",
                  "H:FAQ|H:Oil|H:Is it loud?|P:It is.|P:Oil it.|H:Ice|H:It "
                  "freezes|P:No.");
    assert_blocks("<table><tr class=question><td>1.<td>Is it loud?<tr "
                  "class=answer><td><td>It is.</table>",
                  "H:Is it loud?|P:It is.");
    /* a table of data may have such rows; cells of an answer are its text */
    assert_blocks("<table><tr><th>No<th>Question<th>Level<tr class=question><td>3"
                  "<td>Which year?<td>hard<tr class=question><td>4<td>Which town?"
                  "<td>easy</table>",
                  "T:No: 3 | Question: Which year? | Level: hard|T:No: 4 | "
                  "Question: Which town? | Level: easy");
    assert_blocks("<table><tr class=question><td colspan=2>Is it loud?<tr "
                  "class=answer><td>Yes<td>42 percent</table>",
                  "H:Is it loud?|P:Yes|P:42 percent");
    assert_blocks("<table><tr class=question><td>1.<td>Which port?<tr "
                  "class=answer><td>8080<td>with TLS 8443<tr class=question><td>"
                  "\xD0\x94\xD0\xB0, \xD1\x8D\xD1\x82\xD0\xBE<td>Why?<tr "
                  "class=answer><td><td>So.</table>",
                  "H:Which port?|P:8080|P:with TLS 8443|H:\xD0\x94\xD0\xB0, "
                  "\xD1\x8D\xD1\x82\xD0\xBE|P:Why?|P:So.");
    /* a rubric in an entry ends it not */
    assert_blocks("<dl><dt>Sail<dd><p>It pulls.<p class=rubric>Values <p>One."
                  "<dt>Mast<dd>It stands.</dl>",
                  "L:Sail: It pulls.|P:Values:|P:One.|L:Mast: It stands.");
    /* levels: below what is no question, and none below another */
    parse(&x, "<h1>FAQ</h1><dl><dt>Why is it loud?<dd>It is dry.<dt><h3>Why does it "
              "end?</h3><dd><p><b>Oil</b><pre>oil it</pre><h4>Why</h4><p>a<dt>Why "
              "is it dry?<dd>It is hot.</dl><p><b>Tanks</b>"
              "<pre>fill</pre><h2>Ice</h2><p>a<h2>Air</h2><table><tr "
              "class=qandadiv><td colspan=2><h2>Oil</h2><tr class=question>"
              "<td>1.<td>Why?<tr class=answer><td><td>So.<tr class=qandadiv>"
              "<td colspan=2><h3>Ice</h3><tr class=question><td>2.<td>When?<tr "
              "class=answer><td><td>Now.</table>");
    for (size_t i = 0; i < x.doc.block_count; i++)
        if (x.doc.blocks[i].kind == BLOCK_HEADING)
            assert_int_equal(x.doc.blocks[i].level, levels[n++]);
    assert_int_equal(n, sizeof levels / sizeof levels[0]);
    done(&x);
}

static void the_language_is_declared_or_seen(void **state)
{
    static const struct {
        const char *html, *lang;
    } cases[] = {
        {"<html lang=de-AT><p>The text", "de-at"},
        {"<p>Die Stadt liegt an der Elbe und hat viele Br\303\274cken, die im "
         "Krieg zerst\303\266rt wurden.",
         "de"},
        {P1, "en"},
        {"<p>x", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct parsed x;

        parse(&x, cases[i].html);
        assert_string_equal(x.doc.lang, cases[i].lang);
        done(&x);
    }
}

static void a_full_arena_is_no_memory(void **state)
{
    static const char html[] = "<title>t</title>" P1 P2 "<a href=x>y</a>";
    struct arena urls, a;
    struct url base;
    struct page_doc doc;
    enum err e = ERR_NOMEM;
    size_t refused = 0;

    (void)state;
    arena_init(&urls, 1 << 16);
    assert_int_equal(
        url_parse("http://s.example/", 17, NULL, &urls, &base, NULL), ERR_OK);
    for (size_t cap = 0; e != ERR_OK; cap += 111, refused += e != ERR_OK) {
        arena_init(&a, cap);
        e = html_parse(html, sizeof html - 1, &base, &a, &doc, NULL);
        assert_true(e == ERR_OK || e == ERR_NOMEM);
        arena_fini(&a);
    }
    assert_true(refused > 10);
    arena_fini(&urls);
}

/* --- fragments and Markdown -------------------------------------------- */

static void fragments_lose_tags_and_keep_text(void **state)
{
    static const struct {
        const char *html, *want;
    } cases[] = {
        {"", ""},
        {"  plain \n text ", "plain text"},
        {"a <b>bold</b> &amp; <i>more</i>", "a bold & more"},
        {"1 &lt; 2", "1 < 2"},
        {"x<script>alert(1)</script>y", "xy"},
        {"<p>one</p><p>two</p>", "one two"},
        {"caf&eacute;", "caf\xC3\xA9"},
        {"a < b and c > d", "a < b and c > d"},
    };
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 20);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(
            html_fragment_text(cases[i].html, strlen(cases[i].html), &a),
            cases[i].want);
    arena_fini(&a);
}

static void a_page_can_be_written_as_markdown(void **state)
{
    struct parsed x;
    const char *z;

    (void)state;
    parse(&x, "<h2>Head</h2><p># not a head</p><ul><li>a<ul><li>b</ul></ul>"
              "<pre>x `` y</pre><blockquote>q</blockquote><p>1. no list");
    assert_int_equal(page_markdown(&x.doc, &x.a, &z), ERR_OK);
    assert_string_equal(z, "## Head\n\n\\# not a head\n\n- a\n  - b\n\n```\n"
                           "x `` y\n```\n\n> q\n\n1\\. no list\n");
    done(&x);
    /* What would read as a mark is none, and nothing else is touched. */
    parse(&x, "<p>-D, --dir<p>- no item<p>#include<p>+1<p>--<p>===<p>= x"
              "<p>`a` b<p>```c<p>*x*<p>| y");
    assert_int_equal(page_markdown(&x.doc, &x.a, &z), ERR_OK);
    assert_string_equal(z, "-D, --dir\n\n\\- no item\n\n#include\n\n+1\n\n"
                           "\\--\n\n\\===\n\n= x\n\n`a` b\n\n\\```c\n\n"
                           "\\*x*\n\n\\| y\n");
    done(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markup_becomes_blocks_in_page_order),
        cmocka_unit_test(lists_in_lists_are_deeper),
        cmocka_unit_test(an_entry_is_called_by_its_terms_first_words),
        cmocka_unit_test(raised_and_lowered_text_is_told_apart),
        cmocka_unit_test(typed_entries_hold_their_paragraphs),
        cmocka_unit_test(typed_pages_are_no_listings),
        cmocka_unit_test(tables_of_data_become_rows),
        cmocka_unit_test(list_items_know_their_nesting),
        cmocka_unit_test(items_of_numbered_lists_know_their_numbers),
        cmocka_unit_test(what_stands_around_an_article_is_left_out),
        cmocka_unit_test(of_what_a_script_chooses_from_the_last_is_read),
        cmocka_unit_test(what_a_text_speaks_of_is_no_menu),
        cmocka_unit_test(what_the_text_is_made_of_decides_what_is_kept),
        cmocka_unit_test(what_a_text_refers_to_is_its_own),
        cmocka_unit_test(a_long_menu_is_none_of_the_text),
        cmocka_unit_test(a_list_s_name_goes_with_it),
        cmocka_unit_test(what_is_nothing_to_read_changes_nothing),
        cmocka_unit_test(a_plain_manual_keeps_everything),
        cmocka_unit_test(many_terms_are_cut_whole),
        cmocka_unit_test(an_index_of_links_keeps_its_links),
        cmocka_unit_test(the_contents_of_a_page_are_not_its_text),
        cmocka_unit_test(a_layout_name_on_the_wrapper_does_not_hide_the_page),
        cmocka_unit_test(an_article_only_a_script_would_show_is_read_too),
        cmocka_unit_test(the_title_loses_the_name_of_the_site),
        cmocka_unit_test(the_end_of_a_title_is_its_end),
        cmocka_unit_test(the_best_statement_of_a_date_wins),
        cmocka_unit_test(a_number_in_the_text_is_no_date),
        cmocka_unit_test(a_footer_dates_a_page_that_declares_nothing),
        cmocka_unit_test(declared_facts_are_read_and_made_absolute),
        cmocka_unit_test(images_are_those_of_the_article),
        cmocka_unit_test(the_author_and_the_site_are_what_the_page_declares),
        cmocka_unit_test(bytes_become_utf8_by_bom_header_meta_or_guess),
        cmocka_unit_test(every_encoding_of_the_web_is_read_by_its_label),
        cmocka_unit_test(an_encoding_that_nobody_names_is_guessed),
        cmocka_unit_test(hostile_pages_end_soon_with_a_clear_outcome),
        cmocka_unit_test(
            of_a_page_too_large_for_its_tree_the_beginning_is_read),
        cmocka_unit_test(refusals_are_told_from_content),
        cmocka_unit_test(a_lead_in_front_of_the_article_is_kept),
        cmocka_unit_test(a_long_section_is_not_all_of_the_text),
        cmocka_unit_test(a_section_is_one_whatever_leads_from_it),
        cmocka_unit_test(a_bold_line_heads_the_prose_behind_it),
        cmocka_unit_test(headings_are_read_whatever_they_are_named),
        cmocka_unit_test(what_a_page_asks_heads_what_answers_it),
        cmocka_unit_test(the_language_is_declared_or_seen),
        cmocka_unit_test(a_full_arena_is_no_memory),
        cmocka_unit_test(fragments_lose_tags_and_keep_text),
        cmocka_unit_test(a_page_can_be_written_as_markdown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
