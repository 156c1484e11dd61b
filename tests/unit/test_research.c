/*
 * Whole research tasks over real stores: the report and its citations, the
 * filters, a kill after every step, a lost lease.
 */
#include "research/research.h"

#include "base/date.h"
#include "base/log.h"
#include "crawl/crawl.h"
#include "find/provider.h"
#include "research/about.h"
#include "site.h"
#include "store/account.h"
#include "store/sql.h"
#include "text/passage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cited_text.h"
#include "folder.h"
#include "state_db.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEASE_MS = 60000, ATTEMPTS = 5 };

static char dir[64];
static struct conf conf;
static struct store_files files;
static struct store store;
static struct provider_set *providers;
static struct arena arena;
static struct errctx ec;
static int64_t account;

/* --- pages ------------------------------------------------------------- */

struct text {
    const char *url, *title, *date, *body;
};

static const struct text texts[] = {
    {"http://engines.test/amber", "Amber engine", "2024-03-01",
     "<h1>Amber engine</h1><p>The Amber engine is a storage engine that "
     "appends every change to a log. The Amber engine was designed by Ada "
     "Lindqvist in 2011.</p><h2>Recovery</h2><p>After a crash the Amber "
     "engine replays its log from the last checkpoint.</p>"
     "<img src=\"/img/amber.png\" alt=\"Amber log\" width=640 height=480>"
     "<img src=\"/img/up.png\" alt=\"Up\" width=64 height=64>"
     "<img src=\"/img/shot.png\" alt=\"The poll\'s settings page\" "
     "width=640 height=480>"},
    {"http://engines.test/basalt", "Basalt engine", "2024-04-01",
     "<h1>Basalt engine</h1><p>The Basalt engine is a storage engine that "
     "copies old pages aside before it overwrites them. The Basalt engine "
     "was designed by Tom Okafor in 1998.</p><h2>Recovery</h2><p>After a "
     "crash the Basalt engine copies the saved pages back.</p>"},
    {"http://engines.test/choosing", "Choosing an engine", "2024-05-01",
     "<h1>Choosing an engine</h1><p>The difference between the Amber engine "
     "and the Basalt engine is where old data lives during a transaction. "
     "The Amber engine should be used when many readers run beside one "
     "writer. The Basalt engine should be used on network drives.</p>"},
    {"http://speed.test/amber-speed", "Amber engine speed", "2025-01-15",
     "<h1>Amber engine speed</h1><p>The main advantage of the Amber engine "
     "is that writers never block readers. A disadvantage of the Amber "
     "engine is that its log may grow without bound when readers stay "
     "long.</p>"},
    {"http://speed.test/basalt-speed", "Basalt engine speed", "2025-02-15",
     "<h1>Basalt engine speed</h1><p>An advantage of the Basalt engine is "
     "that a database is one single file at rest. The disadvantage of the "
     "Basalt engine is that writers block every reader.</p>"},
    {"http://other.test/limits", "Limits of the Amber engine", "2025-03-01",
     "<h1>Limits of the Amber engine</h1><p>The maximum size of an Amber "
     "engine database is 64 terabytes. Each page of the Amber engine holds "
     "8192 bytes.</p>"},
    {"http://undated.test/amber", "Notes on the Amber engine", NULL,
     "<h1>Notes on the Amber engine</h1><p>The Amber engine keeps its log "
     "beside the database in a file of its own. The log of the Amber engine "
     "is emptied by a checkpoint.</p>"},
};

static void add_page(const struct text *t)
{
    static char html[1 << 16];
    struct index_input in;
    int64_t passages;
    int32_t day = DAY_NONE;

    if (t->date != NULL)
        assert_true(date_parse_iso(t->date, strlen(t->date), &day));
    snprintf(html, sizeof html,
             "<!doctype html><html lang=en><title>%s</title><body>%s</body>",
             t->title, t->body);
    memset(&in, 0, sizeof in);
    in.url = t->url;
    in.type = "text/html";
    in.charset = "utf-8";
    in.body = html;
    in.body_len = strlen(html);
    in.day = day;
    in.now_ms = clock_now_ms();
    if (index_document(store.index, &in, &arena, &passages, &ec) != ERR_OK)
        fail_msg("%s: %s", t->url, ec.msg);
}

/* Pages in other languages. */
static const struct text quartz[] = {
    {"http://de.test/quarz", "Die Quarzmaschine", "2024-05-01",
     "<h1>Die Quarzmaschine</h1><p>Die Quarzmaschine ist eine Maschine, die "
     "jede \xC3\x84nderung an ein Protokoll anh\xC3\xA4ngt.</p><h2>Wartung</h2>"
     "<p>Man wartet die Quarzmaschine, indem man ihr Protokoll jeden Monat "
     "leert und die Kontakte mit einem weichen Tuch reinigt.</p>"},
    {"http://fr.test/quartz", "La machine Quartzine", "2024-05-01",
     "<h1>La machine Quartzine</h1><p>La machine Quartzine est une machine qui "
     "fonctionne en ajoutant chaque changement \xC3\xA0 un journal.</p>"
     "<h2>Entretien</h2><p>Pour entretenir la machine Quartzine, il faut vider "
     "son journal chaque mois et nettoyer les contacts avec un chiffon "
     "doux.</p>"},
};

/* Two pages that disagree, and the newer one. */
static const struct text cinder[] = {
    {"http://old.test/cinder", "Cinder engine", "2019-05-01",
     "<h1>Cinder engine</h1><p>A database of the Cinder engine can hold 12 "
     "tables at most.</p>"},
    {"http://new.test/cinder", "Cinder engine today", "2025-05-01",
     "<h1>Cinder engine today</h1><p>A database of the Cinder engine can "
     "hold 96 tables at most.</p>"},
};

/* Brackets that are code, a remark, and a footnote's number. */
static const struct text quillon = {
    "http://quillon.test/arguments", "Arguments of Quillon", "2024-06-01",
    "<h1>Arguments of Quillon</h1><p>In Quillon the expression argv[1] holds "
    "the first argument of the program. In Quillon the arguments of the "
    "program are kept in the table a[i][j] by line [2] and column. The "
    "arguments of a Quillon program were once called options [citation "
    "needed] by everybody.</p>"};

/* A list of changes, and a page that only notes when things came. */
static const struct text obsidian[] = {
    {"http://obsidian.test/whatsnew/3", "What is new in Obsidian 3",
     "2025-06-01",
     "<h1>What is new in Obsidian 3</h1><p>Obsidian 3 writes its log in a "
     "thread of its own, so that a commit returns as soon as the log is on "
     "the disk. Obsidian 3 no longer reads files of version 1, which have to "
     "be converted with version 2 before.</p>"},
    {"http://obsidian.test/frames", "Frames of Obsidian", "2025-06-01",
     "<h1>Frames of Obsidian</h1><p>Changed in Obsidian 3. See note 12. "
     "New in Obsidian 3. Changed in version 3. See note 14.</p><p>A frame of "
     "Obsidian holds what a thread of the program is doing, and was changed "
     "in Obsidian 3 to hold its line as well.</p>"},
};

/* A list of one item. */
static const struct text onyx = {
    "http://onyx.test/safety", "Safety of Onyx", "2024-06-01",
    "<h1>Safety of Onyx</h1><p>Onyx is an engine that checks every block of "
    "its files against a sum before it hands the block to a program.</p>"
    "<h2>Advice</h2><ul><li>Keep the sums of Onyx on another disk than the "
    "files of Onyx, because a disk that fails would take both.</li></ul>"};

/* A page with sections, one without a heading, and a row of places. */
static const struct text larimar[] = {
    {"http://larimar.test/pump", "Larimar pump", "2024-06-01",
     "<h1>Larimar pump</h1><p>The Larimar pump moves water through the cellar "
     "of a house. To guard the Larimar pump, close its valve with a padlock "
     "and give the keys of the padlock to two people.</p><h2>Noise</h2><p>A "
     "Larimar pump that hums has a worn bearing, and guarding it "
     "with a padlock does not help against that: what is known to help the "
     "Larimar pump is a drop of oil, or another bearing.</p>"},
    {"http://larimar.test/notes", "Notes on Larimar", "2024-06-01",
     "<p>Readers of the Larimar letters tell that the Larimar pump lasts for "
     "thirty years where its water is soft and the padlock is oiled.</p>"},
    {"http://larimar.test/places", "Places of Larimar", "2024-06-01",
     "<h1>Places of Larimar</h1><p>The Larimar pump is spoken of in several "
     "places of the letters of this house.</p><ul><li>Larimar pump "
     "\xE2\x86\x92 pump.html#valve pump.html#noise notes.html "
     "letters.html#pump</li><li>Larimar padlock \xE2\x86\x92 pump.html#valve "
     "locks.html#oil keys.html#two letters.html#lock</li></ul>"},
    {"http://topaz.test/lamp", "Topaz lamp", "2024-06-01",
     "<h1>Topaz lamp</h1><p>The Topaz lamp lights the cellar of a house, and "
     "its wick lasts for two years.</p>"},
    {"http://topaz.test/two", "Upgrading to Topaz 2", "2024-06-01",
     "<h1>Upgrading to Topaz 2</h1><p>The Topaz lamp has been given a second "
     "wick, and its door opens to the left since then.</p>"},
};

/* A name without a capital, that of a host, beside pages that have more of the
 * other words. */
static const struct text feldspar[] = {
    {"http://feldspar.test/seals", "Seals", "2024-06-01",
     "<h1>Seals</h1><p>The feldspar pump is sealed with two rings of wax, "
     "which are renewed every spring.</p>"},
    {"http://feldspar.test/oil", "Oil", "2024-06-01",
     "<h1>Oil</h1><p>The feldspar pump needs a cup of oil before its rings "
     "are sealed.</p>"},
    {"http://feldspar.test/about", "About", "2024-06-01",
     "<h1>About</h1><p>Feldspar is a hand pump that was built in Dover. It "
     "lifts a bucket of water with each stroke, and needs two people who "
     "take turns.</p>"},
    {"http://rings.test/sealed", "How pumps are sealed", "2024-06-01",
     "<h1>How pumps are sealed</h1><p>A pump is sealed with rings, and a "
     "sealed pump needs rings of the best rubber there is.</p>"},
    {"http://rings.test/pumps", "Pumps and rings", "2024-06-01",
     "<h1>Pumps and rings</h1><p>Rings of a pump are sealed again when the "
     "pump has been opened.</p>"},
};

/* Pages about something else, so that rarity means something. */
static void add_fillers(void)
{
    static const char *const things[] = {
        "granite", "birch",  "copper",  "willow", "marble", "cedar",  "silver",
        "maple",   "quartz", "juniper", "pewter", "hazel",  "cobalt", "alder"};

    for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
        char url[64], title[64], body[512];
        struct text t = {url, title, "2023-06-01", body};

        snprintf(url, sizeof url, "http://fill.test/%s", things[i]);
        snprintf(title, sizeof title, "About %s", things[i]);
        snprintf(body, sizeof body,
                 "<p>People have worked with %s for centuries. The price of "
                 "%s rose by %zu percent last spring, and craftsmen in the "
                 "valley still prefer %s for bowls and handles.</p>",
                 things[i], things[i], i + 3, things[i]);
        add_page(&t);
    }
}

static int setup(void **state)
{
    static char *const no_env[] = {NULL};

    (void)state;
    snprintf(dir, sizeof dir, "/tmp/cited-research-XXXXXX");
    if (mkdtemp(dir) == NULL)
        return -1;
    arena_init(&arena, 512u << 20);
    log_set_level(LOG_OFF);
    if (conf_load(&conf, "/dev/null", dir, no_env, &ec) != ERR_OK ||
        state_db_configure(&conf) != ERR_OK ||
        store_files_open(&conf, &files, &ec) != ERR_OK ||
        store_open(&files, &store, &ec) != ERR_OK ||
        provider_set_new(&conf, &providers, &ec) != ERR_OK ||
        account_create(store.state, "a@example.org", 1, &account, &ec) !=
            ERR_OK)
        return -1;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        add_page(&texts[i]);
    for (size_t i = 0; i < sizeof cinder / sizeof cinder[0]; i++)
        add_page(&cinder[i]);
    for (size_t i = 0; i < sizeof obsidian / sizeof obsidian[0]; i++)
        add_page(&obsidian[i]);
    add_page(&quillon);
    add_page(&onyx);
    for (size_t i = 0; i < sizeof larimar / sizeof larimar[0]; i++)
        add_page(&larimar[i]);
    for (size_t i = 0; i < sizeof quartz / sizeof quartz[0]; i++)
        add_page(&quartz[i]);
    for (size_t i = 0; i < sizeof feldspar / sizeof feldspar[0]; i++)
        add_page(&feldspar[i]);
    add_fillers();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    provider_set_free(providers);
    http_global_fini();
    store_close(&store);
    store_files_close(&files);
    conf_fini(&conf);
    arena_fini(&arena);
    return folder_remove(dir);
}

/* --- tasks ------------------------------------------------------------- */

/* An input; more is members that follow ("" or ",\"k\":v"). */
static const char *input(const char *q, const char *more)
{
    return arena_printf(&arena, "{\"q\":\"%s\"%s%s}", q,
                        strstr(more, "outputType") != NULL
                            ? ""
                            : ",\"outputType\":\"sourcedAnswer\"",
                        more);
}

static struct task_lease claim_at(const char *in, int64_t now)
{
    struct task t;
    struct task_lease l = {0};

    if (task_create(store.state, account, in, 100000, now, &arena, &t, &ec) !=
            ERR_OK ||
        task_claim(store.state, t.id, LEASE_MS, ATTEMPTS, now, &arena, &l,
                   &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return l;
}

static struct task_lease claim(const char *in)
{
    return claim_at(in, clock_now_ms());
}

static enum err run(const struct task_lease *l, const atomic_bool *stop)
{
    struct search_env env = {
        .conf = &conf, .index = store.index, .providers = providers};

    ec.msg[0] = '\0';
    return research_run(&env, store.state, l, stop, &ec);
}

static struct task task_of(const struct task_lease *l)
{
    struct task t;

    if (task_get(store.state, 0, l->task.id, &arena, &t, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return t;
}

static struct task completed(const char *in)
{
    struct task_lease l = claim(in);
    enum err e = run(&l, NULL);
    struct task t = task_of(&l);

    if (e != ERR_OK)
        fail_msg("%s: %s", err_name(e), ec.msg);
    assert_int_equal(t.state, TASK_COMPLETED);
    assert_non_null(t.output);
    assert_null(t.error);
    return t;
}

static struct json *output_of(const struct task *t)
{
    struct json *v = NULL;

    if (json_parse(t->output, strlen(t->output), &json_limits_foreign, &v,
                   &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return v;
}

static const char *text_of(const char *url)
{
    struct page p;
    const char *z = NULL;

    if (page_find(store.index, url, &arena, &p, &ec) != ERR_OK ||
        page_text(store.index, p.id, &arena, &z, &ec) != ERR_OK)
        fail_msg("%s: %s", url, ec.msg);
    return z;
}

/* --- the report -------------------------------------------------------- */

/* Every source is a page of the index with a snippet out of its text, and
 * every mark in the answer names one. Returns the sources. */
static size_t assert_cited(const struct json *v)
{
    const char *answer = json_string(json_get(v, "answer"));
    const struct json *s = json_first(json_get(v, "sources"));
    size_t count = json_count(json_get(v, "sources")), marks = 0;

    assert_non_null(answer);
    for (; s != NULL; s = json_next(s)) {
        const char *snippet = json_string(json_get(s, "snippet"));

        assert_non_null(json_string(json_get(s, "name")));
        assert_non_null(json_string(json_get(s, "favicon")));
        assert_non_null(snippet);
        assert_true(snippet[0] != '\0');
        if (strstr(text_of(json_string(json_get(s, "url"))), snippet) == NULL)
            fail_msg("not verbatim: %s", snippet);
    }
    for (const char *p = answer; (p = strchr(p, '[')) != NULL; p++) {
        long n = strtol(p + 1, NULL, 10);

        assert_in_range(n, 1, (long)count);
        marks++;
    }
    assert_true(marks >= count);
    return count;
}

static bool cites(const struct json *v, const char *url)
{
    const struct json *s = json_first(json_get(v, "sources"));

    for (; s != NULL; s = json_next(s))
        if (strcmp(json_string(json_get(s, "url")), url) == 0)
            return true;
    return false;
}

static void a_comparison_cites_at_least_four_pages(void **state)
{
    struct task t = completed(
        input("Compare the Amber engine versus the Basalt engine", ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));

    (void)state;
    assert_true(assert_cited(v) >= 4);
    if (strstr(answer, "## Basalt engine\n\n") == NULL)
        fail_msg("%s", answer);
    assert_non_null(strstr(answer, "## Amber engine\n\n"));
    assert_non_null(strstr(answer, "## Basalt engine\n\n"));
    assert_non_null(strstr(answer, "|  | Amber engine | Basalt engine |\n"));
    assert_true(strncmp(answer, "# Compare the Amber", 19) == 0);
    assert_true(cites(v, "http://engines.test/amber"));
    if (!cites(v, "http://engines.test/basalt"))
        fail_msg("%s", answer);
    json_free(v);
}

/* Headings, and what the program itself says, are in the question's words. */
static void a_report_is_in_the_language_of_its_question(void **state)
{
    static const struct {
        const char *question, *heading, *missing;
    } of[] = {
        {"Wie arbeitet die Quarzmaschine, wie wartet man die Quarzmaschine "
         "und was kostet ein Zeppelin?",
         "## Wie wartet man die Quarzmaschine\n\n",
         "## Was nicht gefunden wurde\n\nKeine der gelesenen Seiten"},
        {"Comment fonctionne la machine Quartzine, comment entretenir la "
         "machine Quartzine et combien coute un zeppelin ?",
         "## Comment entretenir la machine Quartzine\n\n",
         "## Ce qui n\xE2\x80\x99"
         "a pas \xC3\xA9t\xC3\xA9 trouv\xC3\xA9\n\nAucune des pages lues"}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct task t = completed(input(of[i].question, ""));
        struct json *v = output_of(&t);
        const char *answer = json_string(json_get(v, "answer"));

        assert_cited(v);
        if (strstr(answer, of[i].heading) == NULL ||
            strstr(answer, of[i].missing) == NULL)
            fail_msg("%s", answer);
        assert_null(strstr(answer, "What was"));
        assert_null(strstr(answer, "engine"));
        json_free(v);
    }
}

/* Words of one page, between title and table. */
static void a_report_opens_with_one_paragraph(void **state)
{
    struct task t = completed(
        input("Compare the Amber engine versus the Basalt engine", ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));
    const char *from = strstr(answer, "\n\n"), *to;

    (void)state;
    assert_non_null(from);
    from += 2;
    to = strstr(from, "\n\n|  | Amber engine |");
    assert_non_null(to);
    assert_int_not_equal(from[0], '#');
    if (strchr(from, '[') + 3 != to || strstr(from, "ngine ") > to)
        fail_msg("%s", answer);
    json_free(v);
}

/* A row of the table is about what stands in front of it. */
static void a_row_speaks_of_what_is_asked(void **state)
{
    struct task t = completed(input("Compare Amber engine and Basalt engine: "
                                    "advantages, growth of the log",
                                    ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));

    (void)state;
    assert_cited(v);
    if (strstr(answer, "\n| Advantages | The main advantage") == NULL ||
        strstr(answer, "\n| Growth of the log |") != NULL)
        fail_msg("%s", answer);
    json_free(v);
}

static void a_hosts_name_needs_no_capital(void **state)
{
    struct task t =
        completed(input("How are the rings of a feldspar pump sealed?", ""));
    struct json *v = output_of(&t);

    (void)state;
    assert_cited(v);
    assert_true(cites(v, "http://feldspar.test/seals"));
    assert_false(cites(v, "http://rings.test/sealed"));
    assert_false(cites(v, "http://rings.test/pumps"));
    json_free(v);
}

/* Of one thing that a host is called by, what it is stands in front. */
static void a_report_opens_with_what_its_subject_is(void **state)
{
    struct task t = completed(input("Briefing: the feldspar pump - rings, oil, "
                                    "and how it is sealed",
                                    ",\"reasoningDepth\":\"M\""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));
    const char *z =
        strstr(answer, "\n\nFeldspar is a hand pump that was built");

    (void)state;
    assert_cited(v);
    if (z == NULL || strstr(answer, "\n## ") < z)
        fail_msg("%s", answer);
    json_free(v);
}

/* What answers a part begins its section, wherever it stands in its page. */
static void a_section_begins_with_what_answers_it(void **state)
{
    static const struct text marble = {
        "http://harbour.test/marble", "The Marble crane", "2025-02-01",
        "<h1>The Marble crane</h1><p>The Marble crane is the oldest crane of "
        "the harbour in Halden.</p><h2>Sounds</h2><p>The squeak of the Marble "
        "crane is heard from the road on each morning of the year, and the "
        "guides of the Marble crane tell their visitors of the squeak before "
        "it is heard.</p><h2>Bearings</h2><p>The Marble crane squeaks because "
        "its upper bearing runs dry in winter, when the grease of the bearing "
        "is hard.</p>"};
    static const char heading[] = "## Why does it squeak\n\n";
    const char *answer, *z;
    struct task t;
    struct json *v;

    (void)state;
    add_page(&marble);
    t = completed(
        input("What is the Marble crane, and why does it squeak?", ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    assert_cited(v);
    z = strstr(answer, heading);
    z = z == NULL ? "" : z + strlen(heading);
    z = strncmp(z, "*Bearings*\n\n", 12) == 0 ? z + 12 : z;
    if (strncmp(z, "The Marble crane squeaks because", 32) != 0)
        fail_msg("%s", answer);
    json_free(v);
}

/* … but where it is amid a section, the prose ahead of it leads up to it,
 * and no other page's words stand between. */
static void what_is_amid_a_section_does_not_begin_another(void **state)
{
    static const struct text slate = {
        "http://cranes.test/slate", "The Slate crane", "2025-02-01",
        "<h1>The Slate crane</h1><p>The Slate crane is the youngest crane of "
        "the harbour in Halden.</p><h2>Sounds</h2><p>Note: The squeak is heard "
        "from the road on each morning of the year, and visitors who ask why "
        "such things squeak are told of the squeak before it is "
        "heard.</p><h2>Bearings</h2><p>Two keepers with a lamp and a "
        "bucket of tallow climb up on the first Sunday in spring and in "
        "autumn, before the ships from the north come in with their timber, "
        "and grease what they find there, whether it is dry or not, from the "
        "highest step down to the lowest; a third one holds the ladder, and "
        "a fourth one writes down how much tallow is left for the next "
        "year.</p><p>The Slate crane squeaks because its upper bearing runs "
        "dry in winter, when the grease of the bearing is hard.</p>"};
    static const struct text why_page = {
        "http://squeaks.test/why", "Why the Slate crane does squeak",
        "2025-02-01",
        "<h1>Why the Slate crane does squeak</h1><p>Why a Slate crane does "
        "squeak: squeaks of a crane are told by how a squeak is heard, and a "
        "squeak of a Slate crane is a squeak of its winter.</p>"};
    const char *answer, *z, *sounds, *why, *other;
    struct task t;
    struct json *v;

    (void)state;
    add_page(&slate);
    add_page(&why_page);
    t = completed(
        input("What is the Slate crane, and why does it squeak?", ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    assert_cited(v);
    z = strstr(answer, "## Why does it squeak\n\n");
    sounds = z == NULL ? NULL : strstr(z, "Note: The squeak");
    why = z == NULL ? NULL : strstr(z, "The Slate crane squeaks because");
    other = z == NULL ? NULL : strstr(z, "Why a Slate crane");
    if (sounds == NULL || why == NULL || sounds > why || other == NULL ||
        other < why)
        fail_msg("%s", answer);
    json_free(v);
}

/* Of steps none is left out, though each is long. */
static void what_one_part_has_no_room_for_stays_out_of_others(void **state)
{
    static const struct text canal[] = {
        {"http://canal.test/stone", "Stone locks", "2025-02-01",
         "<h1>Stone locks of the Elm canal</h1><p>Stone locks of the "
         "Elm canal were built of grey granite by masons from the "
         "upper valley between the two great floods.</p><p>Boats of "
         "forty tons pass the stone locks of the canal without a "
         "pilot, whatever the river brings down from the hills in "
         "spring.</p><p>The masons of the stone locks left their marks "
         "on every block of the chamber, and visitors count them in "
         "the summer.</p>"},
        {"http://canal.test/iron", "Iron locks", "2025-02-01",
         "<h1>Iron locks of the Elm canal</h1><p>Iron locks of the Elm "
         "canal carry gates of riveted plates that were cast in a "
         "foundry on the coast.</p><p>Ice in January bends the gates "
         "of the iron locks of the canal and does not break them, "
         "which was proved in the long frost.</p><p>The foundry of the "
         "iron locks was paid in coal, and the last barge with it came "
         "up in the autumn of the year of the fair.</p>"},
        {"http://canal.test/wooden", "Wooden locks", "2025-02-01",
         "<h1>Wooden locks of the Elm canal</h1><p>Wooden locks of the "
         "Elm canal have gates of oak whose planks are renewed every "
         "twelve summers by the village.</p><p>Barges with timber pass "
         "the wooden locks of the canal free of any toll, as the "
         "owners of the forest gave the planks.</p><p>The wooden locks "
         "leak a little in dry months, and a keeper packs their seams "
         "with moss from the bank of the reservoir.</p>"},
        {"http://canal.test/twin", "Twin locks", "2025-02-01",
         "<h1>Twin locks of the Elm canal</h1><p>Twin locks of the Elm "
         "canal lie side by side with one wall between the chambers "
         "and share their water.</p><p>One boat goes up in the twin "
         "locks of the canal while another one goes down, which saves "
         "half of the water of a passage.</p><p>The twin locks were "
         "doubled when the salt trade began, and the older chamber of "
         "each pair is the narrower one.</p>"},
        {"http://canal.test/guard", "Guard locks", "2025-02-01",
         "<h1>Guard locks of the Elm canal</h1><p>Guard locks of the "
         "Elm canal stand open on most days and are closed when the "
         "river rises higher than the towpath.</p><p>The flood of the "
         "winter of storms came over the guard locks of the canal, and "
         "since then a second pair of gates waits in the "
         "meadow.</p><p>Nobody lives at the guard locks, so that a "
         "bell in the nearest farm is rung when the water reaches the "
         "mark on the wall.</p>"},
        {"http://canal.test/stair", "Stair locks", "2025-02-01",
         "<h1>Stair locks of the Elm canal</h1><p>Stair locks of the "
         "Elm canal follow each other without a pound between them on "
         "the slope below the windmill.</p><p>A boat needs the whole "
         "morning for the stair locks of the canal, and crews of the "
         "timber trade used to sleep at their foot.</p><p>The water of "
         "the stair locks comes from three ponds beside them, which "
         "are filled by a brook that never runs dry.</p>"},
        {"http://canal.test/draining", "Draining a lock", "2025-02-01",
         "<h1>Draining</h1><p>A lock of the Elm canal is drained by "
         "two men who raise the paddles of its lower gates one after "
         "the other.</p>"},
    };
    static const char heading[] = "## How is one drained for repairs\n\n";
    const char *answer, *z;
    struct task t;
    struct json *v;

    (void)state;
    for (size_t i = 0; i < sizeof canal / sizeof canal[0]; i++)
        add_page(&canal[i]);
    t = completed(input("What kinds of locks does the Elm canal have, and how "
                        "is one drained for repairs?",
                        ",\"reasoningDepth\":\"S\""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    assert_cited(v);
    z = strstr(answer, heading);
    if (z == NULL || strstr(z, "paddles") == NULL || strstr(z, "granite") ||
        strstr(z, "foundry") || strstr(z, "chambers") || strstr(z, "towpath") ||
        strstr(z, "windmill") || strstr(z, "oak"))
        fail_msg("%s", answer);
    json_free(v);
}

/* A name that is one point of a list keeps no page of the others away, and each
 * begins with its own place. */
static void a_point_of_a_list_is_told_by_its_own_place(void **state)
{
    static const struct text mill[] = {
        {"http://yard.test/sluices", "Keeper", "2025-02-01",
         "<h1>Keeper</h1><p>The sluices of the old mill are raised by a "
         "keeper with an iron bar, one after the other, when the river falls "
         "below the white mark, and are let down again at night.</p>"},
        {"http://yard.test/day", "Painting day", "2025-02-01",
         "<h1>Painting day</h1><p>On the painting day the sluices, ropes, "
         "floors, bells, sacks and belts of the old mill are washed, and "
         "whatever the barn has no room for is carried to the yard by the "
         "children of the village.</p>"},
        {"http://tlq.test/about", "TLQ", "2025-02-01",
         "<h1>TLQ</h1><p>TLQ is a wax for millstones, and TLQ is made of bees' "
         "wax and of resin in the kitchen of a monastery.</p>"},
        {"http://tlq.test/price", "Price of TLQ", "2025-02-01",
         "<h1>Price of TLQ</h1><p>TLQ costs a florin a pound, and a pound of "
         "TLQ lasts a miller for three winters.</p>"},
        {"http://yard.test/ropes", "Ropes", "2025-02-01",
         "<h1>Ropes</h1><p>The ropes of the old mill are of hemp, which a "
         "walker from the coast twists anew every third winter in the long "
         "shed behind the barn.</p>"},
        {"http://yard.test/floors", "Floors", "2025-02-01",
         "<h1>Floors</h1><p>The floors of the old mill are of oak and are "
         "scrubbed with sand before the harvest, so that no grain is lost in "
         "the cracks between the boards.</p>"}};
    const char *answer, *z, *own, *all;
    struct task t;
    struct json *v;

    (void)state;
    for (size_t i = 0; i < sizeof mill / sizeof mill[0]; i++)
        add_page(&mill[i]);
    t = completed(input("A briefing on an old mill: sluices, ropes, floors, "
                        "bells, sacks, belts and TLQ",
                        ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    z = strstr(answer, "## Sluices\n\n");
    own = z == NULL ? NULL : strstr(z, "an iron bar");
    all = z == NULL ? NULL : strstr(z, "painting day");
    if (own == NULL || (all != NULL && all < own) ||
        strstr(answer, "of hemp") == NULL)
        fail_msg("%s", answer);
    json_free(v);
}

static void steps_are_said_to_the_last(void **state)
{
    static const struct text zircon = {
        "http://harbour.test/zircon", "The Zircon boat", "2025-02-01",
        "<h1>The Zircon boat</h1><p>The Zircon boat is a rowing boat for two "
        "people that is kept in a shed behind the harbour of Halden.</p>"
        "<h2>Launching</h2><p>The Zircon boat is launched so:</p><ol>"
        "<li>Open the doors of the shed to both sides, and look whether "
        "anybody sits or plays on the slip in front of the shed, which is "
        "steep and wet on most days.</li>"
        "<li>Check the plug in the bottom of the Zircon boat with a hand, as "
        "nobody can see it once the boards have been laid over it.</li>"
        "<li>Remove the two wedges under the keel together, one person on "
        "each side, so that the Zircon boat does not turn on the slip.</li>"
        "<li>Push the Zircon boat down the slip by its stern until the water "
        "carries it, and keep the line in the hand all the while.</li>"
        "<li>Close the doors of the shed again, and write the hour and both "
        "names into the book that hangs beside them.</li></ol>"};
    const char *answer;
    struct task t;
    struct json *v;

    (void)state;
    add_page(&zircon);
    t = completed(
        input("What is the Zircon boat, and how is it launched?", ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    assert_cited(v);
    if (strstr(answer, "\n1. Open the doors") == NULL ||
        strstr(answer, "\n2. Check the plug") == NULL ||
        strstr(answer, "\n3. Remove the two") == NULL ||
        strstr(answer, "\n4. Push the Zircon") == NULL ||
        strstr(answer, "\n5. Close the doors") == NULL)
        fail_msg("%s", answer);
    json_free(v);
}

/* What is to be skipped neither hides the pages nor is the title's. */
static void what_is_to_be_skipped_is_not_asked(void **state)
{
    const char *answer[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct task t = completed(
            input(i == 0 ? "How safe is Onyx and what does Onyx advise?"
                         : "How safe is Onyx and what does Onyx advise? "
                           "Skip the basics of banking, please.",
                  ""));
        struct json *v = output_of(&t);

        answer[i] = arena_strdup(&arena, json_string(json_get(v, "answer")));
        json_free(v);
    }
    assert_string_equal(answer[0], answer[1]);
}

static void a_list_of_one_item_is_a_paragraph(void **state)
{
    struct task t =
        completed(input("How safe is Onyx and what does Onyx advise?", ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));

    (void)state;
    assert_cited(v);
    if (strstr(answer, "\n\nKeep the sums of Onyx") == NULL)
        fail_msg("%s", answer);
    json_free(v);
}

/* A page without headings does not stand under one of another page; where
 * something stands is no text about it. */
static void what_has_no_heading_stands_under_its_page(void **state)
{
    struct task t =
        completed(input("What is known about the Larimar pump?", ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));
    const char *noise = strstr(answer, "*Noise*");
    const char *notes = strstr(answer, "Readers of the Larimar letters");

    (void)state;
    assert_cited(v);
    if (noise == NULL || notes == NULL || noise > notes ||
        strstr(answer, "*Notes on Larimar*\n\nReaders") == NULL ||
        strstr(answer, "pump.html#") != NULL)
        fail_msg("%s", answer);
    json_free(v);
}

/* A page on what is new says nothing on the thing, unless that is asked. */
static void what_is_new_is_told_where_it_is_asked(void **state)
{
    static const char new[] = "opens to the left";
    struct task t = completed(input("What is known about the Topaz lamp?", ""));
    struct json *v = output_of(&t);

    (void)state;
    assert_null(strstr(json_string(json_get(v, "answer")), new));
    json_free(v);
    t = completed(input("What changed in the Topaz lamp? Write a summary", ""));
    v = output_of(&t);
    assert_non_null(strstr(json_string(json_get(v, "answer")), new));
    json_free(v);
}

/* Words that tell of change in one question, of something else in another. */
static void changes_are_asked_for_by_the_whole_question(void **state)
{
    static const struct {
        const char *text;
        bool asks;
    } of[] = {
        {"How are old archives removed?", false},
        {"How do I add a new user and change a password?", false},
        {"What was removed in 3.11?", true},
        {"What is new in the Topaz lamp?", true},
        {"What changed in the Topaz lamp?", true},
        {"How do we take our lamps from Topaz 1.8 to 1.14?", true},
        {"How do we move from topaz v1 to topaz v2?", true},
        {"Why does Topaz 1.8 need 20 to 30 lamps?", false},
        {"Does Topaz 1.8 on Basalt 11.2 need a lamp?", false},
        {"Is the way to Topaz 1.8 longer than to 10.0.0.1?", false},
        /* of a situation told at length, what is asked does */
        {"Our Topaz lamp stood in the yard for four minutes while the "
         "primary gate dropped its ropes, though every keeper was healthy "
         "and saw the others; what must we change, what does the newer "
         "rope change, and which wires, bells, doors, roofs matter?",
         false},
        {"Our Topaz lamp has stood in the yard in the dark since we changed "
         "its wick from version 1.8, though every keeper was healthy and saw "
         "the others; which wires, bells, doors, roofs, ropes matter?",
         false},
        {"Our Topaz lamp stood in the yard for four minutes while the "
         "primary gate dropped its ropes, though every keeper was healthy "
         "and saw the others; what has been changed in Topaz 1.8, and which "
         "wires, bells, doors, roofs matter?",
         true},
        {"Our Topaz lamp stood in the yard for four minutes, after the change "
         "of a rope, while every keeper was healthy and saw the others; what "
         "changes must we make, which new wires do we buy, and which bells, "
         "doors, roofs, gates matter?",
         false},
        {"List the changes since Topaz 1.8 in its wires, bells, doors, roofs, "
         "ropes, gates, wheels, floors, wicks, oil, glass, hooks, chains, "
         "keepers, ladders, fog, storms, boats and birds.",
         true},
        {"Write a report on the changes in the Topaz lamp: wires, bells, "
         "doors, roofs, ropes, gates, wheels, floors, wicks, oil, glass, "
         "hooks, chains, keepers, ladders, fog, storms, boats and birds.",
         true},
        {"Welche \xC3\x84nderung brachte die Topaz-Lampe?", true}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct query q;

        assert_int_equal(query_parse(of[i].text, &arena, &q), ERR_OK);
        if (about_asks_for_changes(&q) != of[i].asks)
            fail_msg("%s", of[i].text);
    }
}

static void pages_for_makers_are_told_by_their_address_and_title(void **state)
{
    static const struct {
        const char *text, *url, *title;
        bool is;
    } of[] = {
        {"How is it greased?", "http://a.test/contributing/a", "Grease", true},
        {"How is it greased?", "http://a.test/a", "Developer manual", true},
        {"Wie wird es geschmiert?", "http://a.test/a", "Entwickler", true},
        {"\xC2\xBF"
         "C\xC3\xB3mo se engrasa el molino?",
         "http://a.test/a", "Desarrolladores", true},
        /* a host or a whole site may be called so */
        {"How is it greased?", "http://developer.a.test/a",
         "Grease \xE2\x80\x93 Quay Developers", false},
        {"How does a developer grease it?", "http://a.test/developers/a",
         "Grease", false}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct query q;

        assert_int_equal(query_parse(of[i].text, &arena, &q), ERR_OK);
        if (about_is_of_makers(&q, of[i].url, of[i].title) != of[i].is)
            fail_msg("%s: %s", of[i].url, of[i].title);
    }
}

/* Of more pages than may be read those for who makes the thing are the last,
 * whatever they say. */
static void pages_for_makers_are_read_last(void **state)
{
    static const char *const things[] = {
        "lathe",  "chisel", "anvil",  "bellows", "hammer", "mortar", "trowel",
        "shovel", "pulley", "winch",  "sickle",  "scythe", "barrow", "ladder",
        "gimlet", "plane",  "mallet", "funnel",  "kettle", "bucket"};
    static const struct text own = {
        "http://jasper.test/use", "Greasing the Jasper mill", "2024-06-01",
        "<h1>Greasing the Jasper mill</h1><p>The Jasper mill is greased with "
        "a goose in the workshop. A goose that greased the Jasper mill is fed, "
        "and then it is used again by the miller.</p>"};
    struct task t;
    struct json *v;

    (void)state;
    for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
        char url[64], body[512];
        struct text made = {url, "Greasing the Jasper mill", "2024-06-01",
                            body};

        snprintf(url, sizeof url, "http://jasper.test/contributors/%s",
                 things[i]);
        snprintf(body, sizeof body,
                 "<h1>Greasing the Jasper mill</h1><p>The Jasper mill is "
                 "greased with a %s in the workshop. A %s that greased the "
                 "Jasper mill is cleaned before the %s is used again.</p>",
                 things[i], things[i], things[i]);
        add_page(&made);
    }
    add_page(&own);
    t = completed(input("How is the Jasper mill greased?",
                        ",\"mode\":\"research\",\"reasoningDepth\":\"S\""));
    v = output_of(&t);
    if (strstr(json_string(json_get(v, "answer")), "a goose") == NULL)
        fail_msg("%s", json_string(json_get(v, "answer")));
    json_free(v);
}

/* A distribution's name in the titles of all that it ships is not what these
 * speak of: where texts hold it, it is spoken of. */
static void a_name_in_titles_alone_takes_it_from_none(void **state)
{
    struct task t;
    struct json *v;

    (void)state;
    for (int i = 0; i < 8; i++) {
        struct text emu = {
            arena_printf(&arena, "http://emu.test/%d", i),
            arena_printf(&arena, "Emu part %d, Velox build 7", i), "2024-05-01",
            arena_printf(&arena,
                         "<p>Emu part %d draws a bird that walks over the "
                         "screen in %d steps, and glazing it makes it blink in "
                         "the evening of each day.</p>",
                         i, i + 3)};
        struct text book = {
            arena_printf(&arena, "http://potbook.test/%d", i),
            arena_printf(&arena, "Pots, chapter %d", i), "2024-05-01",
            arena_printf(&arena,
                         "<p>%s kiln of type %d bakes pots for %d hours, and "
                         "one may sit beside it all the while.</p>",
                         i % 4 == 0 ? "A Velox" : "Any", i, i + 4)};

        add_page(&emu);
        add_page(&book);
    }
    add_page(&(struct text){
        "http://potbook.test/glazing", "Glazing", "2024-05-02",
        "<h1>Glazing</h1><p>Glazing of pots is done with ash and water in a "
        "Velox kiln that has cooled down to the warmth of a hand. Glazing "
        "takes two coats, and the second one dries over night.</p>"});
    t = completed(input("Explain glazing of pots in a Velox kiln", ""));
    v = output_of(&t);
    if (strstr(json_string(json_get(v, "answer")), "two coats") == NULL)
        fail_msg("%s", json_string(json_get(v, "answer")));
    json_free(v);
}

/* A product that is mentioned beside many that no page knows is not asked
 * about. */
static void a_name_among_many_unknown_ones_does_not_vouch(void **state)
{
    struct about x = {.count = 4};

    (void)state;
    assert_false(about_vouches(&x));
    x.names[2].host_count = 1;
    assert_true(about_vouches(&x));
    x.count = 5;
    assert_false(about_vouches(&x));
}

/* Of a situation that is told at length no passage holds much. */
static void a_long_situation_does_not_hide_the_pages(void **state)
{
    struct task_lease l;
    struct task_step *steps;
    size_t n = 0;
    bool read = false;

    (void)state;
    for (int i = 0; i < 6; i++)
        add_page(&(struct text){
            arena_printf(&arena, "http://weftex.test/%d", i),
            arena_printf(&arena, "Weftex, part %d", i), "2024-05-01",
            arena_printf(
                &arena,
                "<p>Lever %d of a Weftex is number %d of the plan that "
                "hangs in its frame beside the lamp.</p>",
                i, i + 7)});
    add_page(&(struct text){
        "http://weftex.test/yarn", "Weftex: snapping yarn", "2024-05-02",
        "<h1>Snapping yarn</h1><p>Yarn keeps snapping on a Weftex where its "
        "tension is above nine: what can be done about snapping yarn is to "
        "loosen the beam by a notch, and to wind the yarn anew by hand.</p>"});
    l = claim(input(
        "After the flood of last spring our old weaver left the workshop to "
        "her nephew, who sold two benches, painted the walls grey, moved the "
        "Weftex against the northern window, hired three apprentices from the "
        "village, and since then all of them complain every single morning. "
        "What can be done about snapping yarn?",
        ""));
    (void)run(&l, NULL);
    assert_int_equal(
        task_steps(store.state, l.task.id, &arena, &steps, &n, &ec), ERR_OK);
    for (size_t i = 0; i < n; i++)
        read = read || (strstr(steps[i].data, "\"query\":\"What can") != NULL &&
                        strstr(steps[i].data, "weftex.test/yarn") != NULL);
    assert_true(read);
}

/* Does the report on a question begin so? */
static bool begins(const char *question, const char *with)
{
    struct task t = completed(input(question, ""));
    struct json *v = output_of(&t);
    bool does =
        strncmp(json_string(json_get(v, "answer")), with, strlen(with)) == 0;

    json_free(v);
    return does;
}

/* What announces a listing that is not quoted, a caption, a listing in front
 * that nothing is said of, and what is still to be written say nothing. */
static void what_is_torn_or_a_draft_is_left_out(void **state)
{
    static const struct text zircon[] = {
        {"http://zircon.test/oven", "The Zircon oven", "2024-05-01",
         "<h1>The Zircon oven</h1><p>The Zircon oven is an oven for clay that "
         "is heated with gas and cools over a night. Firing the Zircon oven "
         "takes eleven hours, of which it needs seven to reach its heat. To "
         "light the Zircon oven run</p><h2>Care</h2><p>The Zircon oven is "
         "swept once a month, and its door is sealed anew each spring with "
         "clay from the river.</p><p>Figure 3. Sweeping the Zircon "
         "oven</p><p>The bricks of the Zircon oven last for about nine years "
         "when it is swept well and never fired wet.</p>"},
        {"http://zircon.test/plans", "Zircon oven: open points (TODO)",
         "2024-05-02",
         "<h1>Zircon oven: open points (TODO)</h1><p>Somebody has to write "
         "how the Zircon oven is moved to another house and what that costs "
         "a potter.</p>"}};
    static const struct text beryl = {
        "http://yard.test/oven", "The Beryl oven", "2024-05-01",
        "<h1>The Beryl oven</h1><p>The Beryl oven is heated with wood. Firing "
        "the Beryl oven takes nine hours.</p><h2>Care</h2><p>The Beryl oven is "
        "swept twice a month.</p>"};
    struct task t;
    struct json *v;
    const char *answer;

    (void)state;
    add_page(&zircon[0]);
    add_page(&zircon[1]);
    t = completed(input("What is known about the Zircon oven?", ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    if (strstr(answer, "eleven hours") == NULL ||
        strstr(answer, "nine years") == NULL ||
        strstr(answer, "To light") != NULL ||
        strstr(answer, "Figure 3") != NULL || strstr(answer, "potter") != NULL)
        fail_msg("%s", answer);
    json_free(v);
    /* A request that is no title is called by its host and its parts. */
    t = completed(input("A potter of our village has left us her Zircon oven, "
                        "which nobody has fired since the flood of three "
                        "years ago, and whose bricks look black to us. We are "
                        "four beginners, and it is cold. Thursday has "
                        "been dry for once. How is the oven "
                        "swept, and how long does firing it take?",
                        ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    if (strncmp(answer, "# Zircon: ", 10) != 0)
        fail_msg("%s", answer);
    assert_non_null(strstr(answer, "how long does firing it take\n\n"));
    assert_null(strstr(answer, "- Thursday")); /* it only begins a sentence */
    json_free(v);
    /* … and so is one that is short, but more than one sentence; … */
    assert_true(begins("The Zircon oven is new to us. How is it swept, and how "
                       "long does firing it take?",
                       "# Zircon: How is it swept, how long"));
    assert_true(begins("The Zircon oven is new to us. How is it swept? How "
                       "long does firing it take?",
                       "# Zircon: How is it swept, how long"));
    /* … without its host where the first of its parts leaves no room; … */
    assert_true(begins("The Zircon oven is new to us. How is it swept by two "
                       "beginners in a cold yard on a dry day of the winter "
                       "without a broom of brass or of straw at all, and how "
                       "long does firing it take?",
                       "# How is it swept by two beginners"));
    /* … what only tells is no title. */
    assert_false(begins("Our kitchen is cold. Please explain the Zircon oven.",
                        "# Our kitchen is cold\n"));
    /* … by its parts alone where no host is called by what it names. */
    add_page(&beryl);
    assert_true(begins("We are four beginners, and it is as it is for each of "
                       "us who will have to be there with it when it is not "
                       "at all as it was before, or as it should be by then. "
                       "How is the Beryl oven swept, and how long does firing "
                       "the Beryl oven take?",
                       "# How is the Beryl oven swept, "));
    /* What orders a report in one sentence, longer than a heading, is none. */
    assert_true(begins("Write a briefing on how the Zircon oven is swept after "
                       "a long winter, how long firing takes, and which "
                       "bricks a potter should look at to make this shorter.",
                       "# How the Zircon oven is swept after a long winter, "
                       "how long firing takes"));
}

/* "zirconctl is …" begins with a name, and no sentence's second half. */
static void a_name_in_lower_case_begins_what_is_told_of_it(void **state)
{
    static const struct text page = {
        "http://zirconctl.test/start", "zirconctl manual", "2024-05-03",
        "<h1>zirconctl</h1><p>zirconctl is a tool that lights kilns from "
        "afar and writes down how warm they are.</p><h2>Use</h2><p>and the "
        "zirconctl of a neighbour listens on the same wire as the kiln of "
        "the house.</p>"};
    struct task t;
    struct json *v;
    const char *answer;

    (void)state;
    add_page(&page);
    t = completed(input("What is known about zirconctl?", ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    if (strstr(answer, "lights kilns from afar") == NULL ||
        strstr(answer, "neighbour") != NULL)
        fail_msg("%s", answer);
    json_free(v);
}

/* A sentence that runs on below a listing is whole with both, and an item that
 * no other one stands beside is no list. */
static void a_sentence_runs_on_over_a_listing(void **state)
{
    static const struct text page = {
        "http://galena.test/beds", "Galena beds", "2024-05-04",
        "<h1>Galena beds</h1><p>A Galena bed is a layer of ore that lies flat "
        "below the hill and is worked from the side of the valley.</p>"
        "<h2>Comparing Galena beds</h2><p>Suppose you want to see whether two "
        "Galena beds lie at the same depth below the hill.</p><pre>bedctl diff "
        "east west</pre><p>will tell you whether the depths of the Galena beds "
        "are the same.</p><h2>Tools for Galena beds</h2><p>The miners of the "
        "Galena beds have used the same tools for two hundred years.</p><ul>"
        "<li>The long Galena hammer breaks the ore out of its bed and is "
        "carried by two miners to where the bed begins.</li></ul>"};
    struct task t;
    struct json *v;
    const char *answer;

    (void)state;
    add_page(&page);
    t = completed(input("What is known about Galena beds?", ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    if (strstr(answer, "below the hill.\n\n```\nbedctl diff east west\n```\n\n"
                       "will tell you") == NULL ||
        strstr(answer, "\n\nThe long Galena hammer") == NULL)
        fail_msg("%s", answer);
    json_free(v);
}

/* A list and an entry that quotes begin. */
static const struct text sphene_pumps = {
    "http://sphene.test/pumps", "Sphene pumps", "2024-05-04",
    "<h1>Sphene pumps</h1><p>A Sphene pump is a small pump that lifts the "
    "water of a ditch into the trough of a mill.</p>"
    "<h2>Restarting Sphene pumps</h2><p>The warden of the ditch restarts "
    "a Sphene pump that stopped at night, and every attempt to restart "
    "the Sphene pump takes a minute longer than the one before it, so "
    "that nobody is woken without need.</p><p>A stopped Sphene pump is "
    "restarted by the warden of the ditch, who looks at its lever before he "
    "looks at the float of the trough and at the bell of the tower, and who "
    "does so in the order in which these three were built by the miller, "
    "namely as follows:</p><ul><li>never if its lever is set to "
    "rest.</li><li>always if its lever is set to run.</li><li>sometimes "
    "if its lever is set to watch, namely where the bell of the tower was "
    "struck by the float because the water of the trough fell below the "
    "lowest of the three marks on its wall, as it does in the weeks of "
    "summer in which the ditch is dry.</li></ul>"
    "<h2>Times of Sphene pumps</h2><dl><dt>lull</dt><dd><p>How many "
    "minutes go by.</p><p>The warden of a ditch counts the minutes by the "
    "bell of the tower, and a Sphene pump that stops again before they "
    "have gone by is restarted by nobody until the morning.</p></dd>"
    "</dl><h2>Oiling Sphene pumps</h2><p>Oiling a Sphene pump takes the "
    "warden of the ditch an hour, in which the mill stands still, so that it "
    "is done on days on which nobody brings corn, and never in frost, when "
    "the oil is too thick to reach the axle and the axle too cold to take "
    "it. Sphene pumps are oiled by the following command, which the warden "
    "of a ditch gives to the apprentice who stands at the lever.</p>"
    "<pre>oil --axle --slowly\n</pre>"};
static const char sphene_request[] =
    "How is a stopped Sphene pump restarted, which Sphene pumps are restarted "
    "by nobody, and how are Sphene pumps oiled?";

/* A list that a quote begins is quoted to its end, and what is told in an entry
 * with its term. */
static void what_is_quoted_is_a_whole_thought(void **state)
{
    struct task t;
    struct json *v;
    const char *answer;

    (void)state;
    add_page(&sphene_pumps);
    t = completed(input(sphene_request, ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    assert_cited(v);
    if (strstr(answer,
               "\n- never if its lever is set to rest.\n- always if its "
               "lever is set to run.\n- sometimes if") == NULL ||
        strstr(answer, "lull: How many minutes go by.\n\nThe warden of a "
                       "ditch counts") == NULL ||
        strstr(answer, "lever.\n\n```\noil --axle --slowly\n```") == NULL)
        fail_msg("%s", answer);
    json_free(v);
}

/* What is said of a setting goes with its default, where the request asks for
 * such. */
static void a_setting_goes_with_its_default(void **state)
{
    static const struct text page = {
        "http://thenard.test/sluices", "Thenard sluices", "2024-05-04",
        "<h1>Thenard sluices</h1><p>A Thenard sluice is a sluice that a mill "
        "opens by itself when the river rises.</p><h2>sluice_delay</h2>"
        "<p>Default: 40</p><p>The delay of a Thenard sluice in minutes, which "
        "go by from the rise of the river to the opening of the sluice, so "
        "that the wave of a barge does not open it, nor a child that throws "
        "stones into the river beside it.</p>"};
    static const char *const requests[] = {
        "Report on Thenard sluices and on the delay of a Thenard sluice with "
        "the default values.",
        "Report on Thenard sluices and on the delay of a Thenard sluice."};

    (void)state;
    add_page(&page);
    for (size_t i = 0; i < 2; i++) {
        struct task t = completed(input(requests[i], ""));
        struct json *v = output_of(&t);
        const char *answer = json_string(json_get(v, "answer"));

        if (strstr(answer, "The delay of a Thenard sluice in minutes") ==
                NULL ||
            (strstr(answer, "Default: 40\n\nThe delay") != NULL) != (i == 0))
            fail_msg("%s", answer);
        json_free(v);
    }
}

/* A list that a quote begins in the midst of is quoted from the line that
 * introduces it; one that is too long to be said is not begun. */
static void no_list_is_only_begun(void **state)
{
    static const struct text page = {
        "http://danburite.test/levers", "Danburite levers", "2024-05-04",
        "<h1>Danburite levers</h1><p>A Danburite lever moves a sluice and is "
        "as long as the miller who moves it is tall.</p><h2>Marks</h2><p>What "
        "millers may find cut into the wood of one is this, and nobody else "
        "may ever add any other thing to it:</p><ul>"
        "<li>Ring: a Danburite lever with it tells of clear water.</li>"
        "<li>Cross: a Danburite lever with it tells of foul water.</li>"
        "<li>Notch: a Danburite lever with it tells of shared water.</li>"
        "<li>Star: a Danburite lever with it tells of sweet water.</li>"
        "<li>Moon: a Danburite lever with it tells of salty water.</li>"
        "<li>Wheel: a Danburite lever with it tells of cold water.</li>"
        "<li>Fish: a Danburite lever with it tells of warm water.</li>"
        "<li>Hook: a Danburite lever with it tells of brown water.</li></ul>"
        "<h2>Woods of Danburite levers</h2><p>A Danburite lever is made of a "
        "wood that the miller of the place chooses. He does so in the spring, "
        "when all the Danburite levers of the ditch are looked after, and the "
        "wood of a Danburite lever must have lain in the loft of his mill for "
        "three years then. The woods are:</p><ul>"
        "<li>ash, which bends and comes back, and which every miller below the "
        "weir has used for as long as anybody can think, since it grows there "
        "and costs nothing but the work of the saw in winter, when no miller "
        "has anything else to do and the nights are long enough for two.</li>"
        "<li>oak, which neither bends nor breaks, and which is bought from the "
        "owners of the forest by those who have the money, or is taken out of "
        "old barns by those who have not but are patient.</li>"
        "<li>elm, which does not rot in water, but is so rare since the year "
        "of the beetle that nobody is allowed to fell one, whatever he pays or "
        "promises to its owner.</li></ul>"};
    struct task t;
    struct json *v;
    const char *answer;

    (void)state;
    add_page(&page);
    t = completed(input("What does a Danburite lever tell of its water, and of "
                        "which wood is a Danburite lever made?",
                        ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    assert_cited(v);
    if (strstr(answer, "thing to it:\n\n- Ring: a Danburite") == NULL ||
        strstr(answer, "the place chooses.") == NULL ||
        strstr(answer, "The woods are:") != NULL)
        fail_msg("%s", answer);
    json_free(v);
}

/* What a page's sections begin with is kept within a bound. */
static void a_page_of_many_sections_is_read_within_bounds(void **state)
{
    enum { SECTIONS = 480 };
    static char body[60000];
    struct text page = {"http://beryl.test/list", "Beryl lamps", "2024-06-01",
                        body};
    size_t n = 0;
    struct task t;
    struct json *v;

    (void)state;
    for (int i = 0; i < SECTIONS; i++)
        n += (size_t)snprintf(body + n, sizeof body - n,
                              "<h2>Beryl lamp %d</h2><p>The Beryl lamp %d "
                              "lights house %d of the long street, and is "
                              "lit at dusk.</p>",
                              i, i, i);
    assert_true(n < sizeof body);
    add_page(&page);
    t = completed(input("What is known about the Beryl lamp?", ""));
    v = output_of(&t);
    assert_cited(v);
    assert_true(strlen(json_string(json_get(v, "answer"))) < 20000);
    json_free(v);
}

/* What is in the opening or the table is in no section again. */
static void no_sentence_is_said_twice(void **state)
{
    static const char *const of[] = {
        "Compare the Amber engine versus the Basalt engine",
        "Explain the Amber engine, the Basalt engine and the Cinder engine",
        "What is known about the Amber engine?"};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct task t = completed(input(of[i], ""));
        struct json *v = output_of(&t);
        const char *answer = json_string(json_get(v, "answer"));
        struct span *s = NULL;
        size_t n = 0;

        assert_int_equal(
            sentences_split(answer, strlen(answer), &arena, &s, &n), ERR_OK);
        for (size_t k = 0; k < n; k++) {
            const char *again = answer + s[k].start + s[k].len;
            char *one = arena_strndup(&arena, answer + s[k].start, s[k].len);

            if (s[k].len > 40 && one[0] != '[' && strstr(again, one) != NULL)
                fail_msg("twice: %s", one);
        }
        json_free(v);
    }
}

static void one_fact_is_a_short_answer(void **state)
{
    struct task t = completed(
        input("What is the maximum size of an Amber engine database?", ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));

    (void)state;
    assert_cited(v);
    assert_non_null(strstr(answer, "64 terabytes."));
    assert_null(strstr(answer, "##"));
    assert_true(cites(v, "http://other.test/limits"));
    json_free(v);
}

/* What is sent is what was checked: not a byte of a sentence is changed. */
static void brackets_are_sent_as_they_stand(void **state)
{
    struct task t = completed(
        input("What holds the first argument of a Quillon program?", ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));
    const char *page = text_of(quillon.url);

    (void)state;
    if (strstr(answer, "In Quillon the expression argv[1] holds the first "
                       "argument of the program.") == NULL)
        fail_msg("%s", answer);
    assert_verbatim(answer, &page, 1);
    json_free(v);
}

static void what_was_not_found_is_said(void **state)
{
    struct task t = completed(input("Explain the Amber engine, the Basalt "
                                    "engine and the zeppelin hangar",
                                    ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));

    (void)state;
    assert_cited(v);
    if (strstr(answer, "## What was not found") == NULL)
        fail_msg("%s", answer);
    assert_non_null(
        strstr(strstr(answer, "## What was not found"), "Zeppelin hangar"));
    json_free(v);
}

/* What a report says under another heading it has found, and what a part lists
 * in brackets is the part. */
static void what_is_told_elsewhere_is_not_missing(void **state)
{
    static const struct text pages[] = {
        {"http://tourmal.test/prime", "Priming", "2024-05-01",
         "<h1>Priming</h1><p>The Tourmal pump is primed by night with a funnel "
         "of brass, which is filled twice before its lid is closed.</p>"},
        {"http://tourmal.test/frost", "Frost and rust", "2024-05-01",
         "<h1>Frost and rust</h1><h2>Frost</h2><p>Frost bursts the drum of the "
         "Tourmal pump unless it is drained in autumn.</p><h2>Rust</h2><p>Rust "
         "eats the axle of the Tourmal pump where the paint has come "
         "off.</p>"}};
    struct task t;
    struct json *v;
    const char *answer;

    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
        add_page(&pages[i]);
    t = completed(input("How is the Tourmal pump primed by night? Is a funnel "
                        "of brass needed? I also want to know what can go "
                        "wrong (frost, rust), and what a zeppelin costs.",
                        ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    if (strstr(answer, ":\n\n- What a zeppelin costs") == NULL ||
        strstr(answer, "\n- Is a funnel") != NULL ||
        strstr(answer, "\n- What can go wrong") != NULL)
        fail_msg("%s", answer);
    json_free(v);
}

/* A name that nothing of what was read holds, beside parts that were found. */
static void a_name_that_no_page_holds_is_said(void **state)
{
    struct task t = completed(
        input("Explain the Amber engine for users of Zorvax and say how the "
              "Basalt engine recovers",
              ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));
    const char *missing = strstr(answer, "## What was not found");

    (void)state;
    assert_cited(v);
    if (missing == NULL || strstr(missing, "\n- Zorvax") == NULL)
        fail_msg("%s", answer);
    assert_null(strstr(missing, "\n- Amber"));
    json_free(v);
}

/* A place that is only told is no condition, but what no page holds is said,
 * and that the pages may not be on it. */
static void where_it_is_told_is_no_condition(void **state)
{
    struct task t = completed(
        input("We are a clinic in Ulm. Write me a briefing on storage engines: "
              "recovery after a crash, and the difference between them.",
              ""));

    (void)state;
    if (strstr(t.output, "where old data lives") == NULL)
        fail_msg("%s", t.output);
    assert_non_null(strstr(t.output, "may not answer this directly"));
    assert_non_null(strstr(t.output, "- Ulm"));
}

/* Below "Compared" stands what names both sides, and of the only paragraph that
 * does the report is opened. */
static void what_compares_names_both(void **state)
{
    struct task t = completed(
        input("Amber engine or Basalt engine for network drives?", ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));
    const char *z = strstr(answer, "## Compared\n\n");

    (void)state;
    assert_cited(v);
    if (z != NULL || strstr(answer, "## Basalt engine") == NULL ||
        strstr(answer, "The difference between") == NULL)
        fail_msg("%s", answer);
    json_free(v);
}

/* Lists of changes come first where changes are asked for; notes that say
 * nothing are no paragraph. */
static void what_changed_is_in_lists_of_changes(void **state)
{
    struct task t = completed(input("What changed in Obsidian 3 that may "
                                    "break our programs? Write a summary",
                                    ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));
    const struct json *first = json_first(json_get(v, "sources"));

    (void)state;
    assert_cited(v);
    if (strstr(answer, "no longer reads files of version 1") == NULL)
        fail_msg("%s", answer);
    assert_string_equal(json_string(json_get(first, "url")), obsidian[0].url);
    assert_null(strstr(answer, "See note"));
    json_free(v);
}

static void pages_that_disagree_are_both_cited_and_it_is_said(void **state)
{
    struct task t =
        completed(input("How many tables can the Cinder engine hold?", ""));
    struct json *v = output_of(&t);
    const char *answer = json_string(json_get(v, "answer"));
    bool new_first =
        strcmp(json_string(json_get(json_first(json_get(v, "sources")), "url")),
               cinder[1].url) == 0;

    (void)state;
    assert_int_equal(assert_cited(v), 2);
    assert_non_null(strstr(answer, "12 tables"));
    assert_non_null(strstr(answer, "96 tables"));
    assert_non_null(strstr(
        answer, new_first ? "Sources disagree: new.test says \xE2\x80\x9C"
                            "96 tables\xE2\x80\x9D (2025-05-01) [1], "
                            "old.test says \xE2\x80\x9C"
                            "12 tables\xE2\x80\x9D (2019-05-01) [2]."
                          : "Sources disagree: new.test says \xE2\x80\x9C"
                            "96 tables\xE2\x80\x9D (2025-05-01) [2], "
                            "old.test says \xE2\x80\x9C"
                            "12 tables\xE2\x80\x9D (2019-05-01) [1]."));
    json_free(v);
}

static void nothing_found_fails_with_words_to_act_on(void **state)
{
    struct task_lease l = claim(input("Who tamed the zeppelin walrus?", ""));
    struct task t;

    (void)state;
    assert_int_equal(run(&l, NULL), ERR_NO_RESULT);
    t = task_of(&l);
    assert_int_equal(t.state, TASK_FAILED);
    assert_null(t.output);
    assert_non_null(strstr(t.error, "nothing was found"));
    assert_non_null(strstr(t.error, "add pages"));
}

static void filters_hold_for_every_source(void **state)
{
    static const struct {
        const char *more, *host;
    } of[] = {{",\"includeDomains\":[\"speed.test\"]", "http://speed.test/"},
              {",\"excludeDomains\":[\"engines.test\",\"other.test\","
               "\"undated.test\",\"old.test\",\"new.test\"]",
               "http://speed.test/"},
              {",\"fromDate\":\"2024-12-31\",\"toDate\":\"2025-02-28\"",
               "http://speed.test/"},
              {",\"includeDomains\":[\"speed.test\"],"
               "\"excludeDomains\":[\"speed.test\"]",
               "http://speed.test/"}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct task t = completed(
            input("What is the advantage of the Amber engine?", of[i].more));
        struct json *v = output_of(&t);
        const struct json *s = json_first(json_get(v, "sources"));

        assert_cited(v);
        for (; s != NULL; s = json_next(s))
            assert_ptr_equal(
                strstr(json_string(json_get(s, "url")), of[i].host),
                json_string(json_get(s, "url")));
        json_free(v);
    }
}

static void guidance_that_restricts_joins_the_filter(void **state)
{
    struct task_lease l =
        claim(input("<guidance>Use only these:\\n- speed.test\\n</guidance>"
                    "What is the advantage of the Amber engine?",
                    ",\"includeDomains\":[\"other.test\"]"));

    (void)state;
    assert_int_equal(run(&l, NULL), ERR_NO_RESULT);
    assert_int_equal(task_of(&l).state, TASK_FAILED);
    assert_non_null(strstr(task_of(&l).error, "no domain in common"));
}

static void images_follow_the_sources_when_asked_for(void **state)
{
    struct task t = completed(
        input("Who designed the Amber engine?", ",\"includeImages\":true"));
    struct json *v = output_of(&t);
    const struct json *s = json_first(json_get(v, "sources"));
    size_t images = 0;

    (void)state;
    for (; s != NULL; s = json_next(s))
        if (strcmp(json_string(json_get(s, "url")),
                   "http://engines.test/img/amber.png") == 0) {
            assert_string_equal(json_string(json_get(s, "snippet")), "");
            assert_string_equal(json_string(json_get(s, "favicon")), "");
            assert_null(json_next(s));
            images++;
        } else {
            assert_null(strstr(json_string(json_get(s, "url")), "/img/"));
        }
    assert_int_equal(images, 1);
    json_free(v);
}

static void a_value_of_something_else_is_null(void **state)
{
    struct task t = completed(
        input("Facts about the Basalt engine",
              ",\"outputType\":\"structured\",\"structuredOutputSchema\":"
              "\"{\\\"type\\\":\\\"object\\\",\\\"properties\\\":{"
              "\\\"summary\\\":{\\\"type\\\":\\\"string\\\","
              "\\\"description\\\":\\\"What is the Basalt engine?\\\"},"
              "\\\"bytes\\\":{\\\"type\\\":[\\\"integer\\\",\\\"null\\\"],"
              "\\\"description\\\":\\\"How many bytes does each page of the "
              "engine hold?\\\"}}}\""));
    struct json *v = output_of(&t);

    (void)state;
    assert_non_null(json_string(json_get(v, "summary")));
    assert_int_equal(json_type_of(json_get(v, "bytes")), JSON_NULL);
    json_free(v);
}

static void a_schema_gives_the_bare_object(void **state)
{
    struct task t = completed(
        input("Amber engine",
              ",\"outputType\":\"structured\",\"structuredOutputSchema\":"
              "\"{\\\"type\\\":\\\"object\\\",\\\"properties\\\":{"
              "\\\"summary\\\":{\\\"type\\\":\\\"string\\\","
              "\\\"description\\\":\\\"What is the Amber engine?\\\"}},"
              "\\\"required\\\":[\\\"summary\\\"]}\""));
    struct json *v = output_of(&t);
    const char *summary = json_string(json_get(v, "summary"));

    (void)state;
    assert_non_null(summary);
    assert_non_null(strstr(summary, "Amber"));
    assert_null(json_get(v, "sources"));
    json_free(v);
}

/* --- kills ------------------------------------------------------------- */

struct history {
    struct task_step *steps;
    size_t count;
    struct evidence *rows;
    size_t row_count;
};

static struct history history_of(const struct task_lease *l)
{
    struct history h = {NULL, 0, NULL, 0};

    if (task_steps(store.state, l->task.id, &arena, &h.steps, &h.count, &ec) !=
            ERR_OK ||
        task_evidence(store.state, l->task.id, &arena, &h.rows, &h.row_count,
                      &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    return h;
}

/* Passages a stored step brought. */
static size_t kept_by(const struct task_step *s)
{
    struct json *v = NULL;
    int64_t n = 0;

    if (json_parse(s->data, strlen(s->data), &json_limits_foreign, &v, &ec) !=
        ERR_OK)
        fail_msg("%s", ec.msg);
    if (strcmp(s->kind, "search") == 0)
        assert_true(json_is_whole(json_get(v, "kept"), &n));
    json_free(v);
    return (size_t)n;
}

/* A task on which another helper died after the first steps of h. */
static struct task_lease killed_after(const char *in, const struct history *h,
                                      size_t steps)
{
    int64_t past = clock_now_ms() - 10 * LEASE_MS;
    struct task_lease dead = claim_at(in, past), l;
    size_t row = 0;

    for (size_t i = 0; i < steps; i++) {
        size_t n = kept_by(&h->steps[i]);

        if (task_add_step(store.state, &dead, h->steps[i].kind,
                          h->steps[i].data, h->rows + row, n, LEASE_MS, past,
                          &ec) != ERR_OK)
            fail_msg("%s", ec.msg);
        row += n;
    }
    if (task_claim(store.state, dead.task.id, LEASE_MS, ATTEMPTS,
                   clock_now_ms(), &arena, &l, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
    assert_int_equal(l.task.attempt, 2);
    return l;
}

/* data without its time. */
static const char *without_ms(const char *data)
{
    const char *ms = strstr(data, "\"ms\":");

    assert_non_null(ms);
    return arena_strndup(&arena, data, (size_t)(ms - data));
}

static void assert_same_history(const struct history *a,
                                const struct history *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_string_equal(a->steps[i].kind, b->steps[i].kind);
        assert_string_equal(without_ms(a->steps[i].data),
                            without_ms(b->steps[i].data));
    }
    assert_int_equal(a->row_count, b->row_count);
    for (size_t i = 0; i < a->row_count; i++) {
        assert_string_equal(a->rows[i].text, b->rows[i].text);
        assert_int_equal(a->rows[i].sub, b->rows[i].sub);
    }
}

static void killed_after_any_step_the_report_is_the_same(void **state)
{
    static const char *const of[][2] = {
        {"Compare the Amber engine versus the Basalt engine", ""},
        {"How does the Amber engine recover after a crash?",
         ",\"reasoningDepth\":\"XL\""},
        {"What is the maximum size of an Amber engine database?", ""},
        {"The feldspar pump - rings, oil, and how it is sealed", ""},
        {"We are a clinic in Ulm. Write me a briefing on storage engines: "
         "recovery after a crash, and the difference between them.",
         ""},
        {sphene_request, ""}};
    bool completes = false;

    (void)state;
    add_page(&sphene_pumps);
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
        const char *in = input(of[i][0], of[i][1]);
        struct task_lease whole = claim(in);
        struct history h;
        struct task t;

        assert_int_equal(run(&whole, NULL), ERR_OK);
        t = task_of(&whole);
        h = history_of(&whole);
        assert_true(h.count >= 4);
        assert_string_equal(h.steps[0].kind, "plan");
        assert_string_equal(h.steps[h.count - 1].kind, "write");
        assert_non_null(
            strstr(h.steps[h.count - 1].data, "\"verified\":{\"held\":"));
        for (size_t k = 0; k < h.count; k++) /* what units are said with */
            completes = completes || strchr(h.steps[k].data, '~') != NULL;
        for (size_t k = 0; k <= h.count; k++) {
            struct task_lease l = killed_after(in, &h, k);
            struct history again;

            if (run(&l, NULL) != ERR_OK)
                fail_msg("after step %zu: %s", k, ec.msg);
            assert_string_equal(task_of(&l).output, t.output);
            again = history_of(&l);
            assert_same_history(&h, &again);
        }
    }
    assert_true(completes);
}

/* --- budgets -------------------------------------------------------------- */

static const char *plan_step(int64_t ms)
{
    return arena_printf(
        &arena,
        "{\"mode\":\"research\",\"sides\":[],"
        "\"questions\":[{\"title\":\"Size\",\"question\":\"maximum size of "
        "an Amber engine database\",\"context\":\"\"}],\"about\":[],"
        "\"ms\":%lld}",
        (long long)ms);
}

static void store_step(const struct task_lease *l, const char *kind,
                       const char *data, const struct evidence *ev, size_t n)
{
    if (task_add_step(store.state, l, kind, data, ev, n, LEASE_MS,
                      clock_now_ms(), &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
}

/* A search as stored: query number n (0: the plan's own) of a round. */
static void store_search(const struct task_lease *l, int round, int n,
                         const struct evidence *ev, size_t kept)
{
    const char *query = n == 0 ? "maximum size of an Amber engine database"
                               : arena_printf(&arena, "zebra%d", n);

    store_step(l, "search",
               arena_printf(&arena,
                            "{\"round\":%d,\"sub\":0,\"query\":\"%s\","
                            "\"kept\":%zu,\"ms\":1}",
                            round, query, kept),
               ev, kept);
}

/* The end of a round after which queries 1 to n follow. */
static void store_gap(const struct task_lease *l, int n)
{
    struct buf b;

    buf_init(&b, 65536);
    buf_adds(&b, "{\"round\":1,\"new\":0,\"gaps\":[0],\"queries\":[");
    for (int i = 1; i <= n; i++)
        buf_addf(&b, "%s{\"sub\":0,\"query\":\"zebra%d\"}", i > 1 ? "," : "",
                 i);
    buf_adds(&b, "],\"end\":null,\"ms\":1}");
    store_step(l, "gap", buf_str(&b), NULL, 0);
    buf_fini(&b);
}

/* Work on what is stored; how many searches there are then, and why searching
 * ended. */
static size_t searches_after(const struct task_lease *l, const char **end)
{
    struct history h;
    size_t n = 0;

    *end = "";
    (void)run(l, NULL); /* whether it finds an answer does not matter */
    h = history_of(l);
    for (size_t i = 0; i < h.count; i++) {
        n += strcmp(h.steps[i].kind, "search") == 0;
        if (strcmp(h.steps[i].kind, "gap") == 0)
            *end = h.steps[i].data;
    }
    return n;
}

static struct task_lease with_depth(const char *depth)
{
    return claim(
        input("What is the maximum size of an Amber engine database?",
              arena_printf(&arena, ",\"reasoningDepth\":\"%s\"", depth)));
}

static void searching_stops_at_85_percent_of_the_time(void **state)
{
    const char *end;

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct task_lease l = with_depth("L"); /* 240 s */

        store_step(&l, "plan", plan_step(i == 0 ? 204000 : 200000), NULL, 0);
        assert_int_equal(searches_after(&l, &end) > 0, i == 1);
        assert_int_equal(strstr(end, "\"end\":\"time\"") != NULL, i == 0);
    }
}

static void searching_stops_at_85_percent_of_the_queries(void **state)
{
    struct task_lease l = with_depth("M"); /* 20 queries: 17 are 85 % */
    const char *end;

    (void)state;
    store_step(&l, "plan", plan_step(1), NULL, 0);
    store_search(&l, 1, 0, NULL, 0);
    store_gap(&l, 19);
    for (int i = 1; i <= 15; i++)
        store_search(&l, 2, i, NULL, 0);
    assert_int_equal(searches_after(&l, &end), 17);
    assert_non_null(strstr(end, "\"end\":\"queries\""));
}

static void searching_stops_at_85_percent_of_the_pages(void **state)
{
    struct task_lease l = with_depth("M"); /* 48 pages: 41 are 85 % */
    struct evidence ev[41];
    const char *end;

    (void)state;
    memset(ev, 0, sizeof ev);
    for (int i = 0; i < 41; i++) {
        ev[i].url = arena_printf(&arena, "http://many.test/%d", i);
        ev[i].passage = 100000 + i;
        ev[i].title = ev[i].favicon = ev[i].heading = "";
        ev[i].text = "The zebra eats grass.";
        ev[i].day = DAY_NONE;
    }
    store_step(&l, "plan", plan_step(1), NULL, 0);
    store_search(&l, 1, 0, ev, 41);
    store_gap(&l, 3);
    assert_int_equal(searches_after(&l, &end), 1);
    assert_non_null(strstr(end, "\"end\":\"pages\""));
}

static void two_rounds_without_news_end_the_search(void **state)
{
    struct task_lease l = with_depth("XL"); /* 5 rounds */
    const char *end;

    (void)state;
    store_step(&l, "plan", plan_step(1), NULL, 0);
    store_search(&l, 1, 0, NULL, 0);
    store_gap(&l, 1);
    store_search(&l, 2, 1, NULL, 0);
    assert_int_equal(searches_after(&l, &end), 2);
    assert_non_null(strstr(end, "\"end\":\"nothing new\""));
}

static void no_depth_has_more_rounds_than_its_own(void **state)
{
    struct task_lease l = with_depth("S"); /* 1 round */
    const char *end;

    (void)state;
    store_step(&l, "plan", plan_step(1), NULL, 0);
    assert_int_equal(searches_after(&l, &end), 1);
    assert_non_null(strstr(end, "\"end\":\"rounds\""));
}

static void no_query_is_asked_twice(void **state)
{
    struct task_lease l =
        claim(input("Compare the Amber engine versus the Basalt engine",
                    ",\"reasoningDepth\":\"XL\",\"mode\":\"investigate\""));
    struct history h;

    (void)state;
    assert_int_equal(run(&l, NULL), ERR_OK);
    h = history_of(&l);
    for (size_t i = 0; i < h.count; i++)
        for (size_t k = i + 1; k < h.count; k++) {
            struct json *a = NULL, *b = NULL;

            if (strcmp(h.steps[i].kind, "search") != 0 ||
                strcmp(h.steps[k].kind, "search") != 0)
                continue;
            assert_int_equal(json_parse(h.steps[i].data,
                                        strlen(h.steps[i].data),
                                        &json_limits_foreign, &a, &ec),
                             ERR_OK);
            assert_int_equal(json_parse(h.steps[k].data,
                                        strlen(h.steps[k].data),
                                        &json_limits_foreign, &b, &ec),
                             ERR_OK);
            if (json_equal(json_get(a, "query"), json_get(b, "query")) &&
                json_equal(json_get(a, "sub"), json_get(b, "sub")))
                fail_msg("twice: %s", h.steps[i].data);
            json_free(a);
            json_free(b);
        }
}

/* A word that only one of two hosts knows is said in that one's words to the
 * other: the second round asks the pages on Marl for what Peridot says of
 * tempering. */
static void a_word_of_one_host_is_asked_in_its_words(void **state)
{
    static const struct text pages[] = {
        {"http://peridot.test/temper", "Tempering a Peridot kiln", "2024-05-01",
         "<h1>Tempering a Peridot kiln</h1><p>To temper a Peridot kiln, close "
         "its gasket, paint the flue and bolt the damper before each "
         "fire.</p>"},
        {"http://peridot.test/gasket", "Peridot gaskets", "2024-05-01",
         "<h1>Peridot gaskets</h1><p>Whoever wants to temper a Peridot kiln "
         "for good looks at the gasket first, then at the flue and the "
         "damper.</p>"},
        {"http://marl.test/run", "Running Marl", "2024-05-01",
         "<h1>Running Marl</h1><p>A kiln runs Marl when its drum is filled "
         "and the wheel of the kiln runs freely in both directions.</p>"},
        {"http://marl.test/flue", "Marl and the flue", "2024-05-01",
         "<h1>Marl and the flue</h1><p>Marl keeps the gasket of its drum "
         "tight with a second ring, which a flue of lead protects from "
         "frost.</p>"}};
    struct task_lease l;
    struct history h;
    bool asked = false;

    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
        add_page(&pages[i]);
    l = claim(input("How do I temper a Peridot kiln that runs Marl?", ""));
    assert_int_equal(run(&l, NULL), ERR_OK);
    h = history_of(&l);
    for (size_t i = 0; i < h.count; i++)
        asked = asked || (strcmp(h.steps[i].kind, "search") == 0 &&
                          strstr(h.steps[i].data, "\"Marl ") != NULL &&
                          strstr(h.steps[i].data, "gasket") != NULL);
    assert_true(asked);
}

/* A side whose name a host bears is told from that host, though the host is
 * called by the word and not by its stem; where that says nothing, from others,
 * but never from the host of another side. */
static void a_side_is_told_by_the_host_of_its_name(void **state)
{
    static const struct text pages[] = {
        {"http://beryllary.test/guide", "Beryllary guide", "2024-05-01",
         "<h1>Beryllary guide</h1><p>The Beryllary is a pump that lifts water "
         "out of wells with two pistons.</p>"},
        {"http://beryllary.test/care", "Care", "2024-05-01",
         "<h1>Care</h1><h2>Cleaning</h2><p>Cleaning of the pump is done with "
         "vinegar, in which both of its pistons are left for a night.</p>"
         "<h2>Straw</h2><p>The pump is covered in winter with straw, which "
         "keeps "
         "both of its pistons from freezing.</p>"},
        {"http://garnete.test/guide", "Garnete guide", "2024-05-01",
         "<h1>Garnete guide</h1><p>The Garnete is a pump that lifts water out "
         "of cellars with a screw.</p>"},
        {"http://garnete.test/care", "Care", "2024-05-01",
         "<h1>Care</h1><h2>Cleaning</h2><p>Cleaning of the pump is done with "
         "soap, while its screw runs in reverse for one minute.</p>"
         "<h2>Storage</h2><p>The pump is kept in a dry cellar in winter with "
         "its screw greased and its lid shut.</p>"
         "<h2>Slow drying after vinegar</h2><p>Slow drying after vinegar takes "
         "the pump a day in the sun, or two where its hose is left on.</p>"},
        {"http://garnete.test/repair", "Repairing the Garnete", "2024-05-01",
         "<h1>Repairing the Garnete</h1><h2>Welding</h2><p>Welding is allowed "
         "on the frame of the pump, which a Beryllary would not "
         "outlast.</p><h2>Polishing</h2><p>Polishing of the pump is done with "
         "a cloth of wool, as with the Beryllary.</p>"},
        {"http://pumps.test/notes", "Notes on the Beryllary", "2024-05-01",
         "<h1>Notes on the Beryllary</h1><p>Polishing the Beryllary takes a "
         "day and a brush of brass, because its pistons are made of "
         "bronze.</p>"}};
    struct task t;
    struct json *v;
    const char *answer, *side, *missing;

    (void)state;
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
        add_page(&pages[i]);
    t = completed(input("Compare Beryllary and Garnete as pumps (cleaning, "
                        "slow drying after vinegar, welding and polishing)",
                        ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    missing = strstr(answer, "## What was not found");
    side = strstr(answer, "\n| Cleaning | Cleaning of the pump is done with "
                          "vinegar, in which");
    if (side == NULL ||
        strstr(side, "| Cleaning of the pump is done with soap") == NULL ||
        missing == NULL || strstr(missing, "- Beryllary: Welding") == NULL ||
        strstr(missing, "- Beryllary: Slow drying") == NULL ||
        strstr(missing, "Cleaning") != NULL || /* it is in the table */
        strstr(missing, "- Garnete") != NULL ||
        strstr(missing, "polishing") != NULL)
        fail_msg("%s", answer);
    side = strstr(answer, "## Polishing\n\n**Beryllary**");
    if (side == NULL || strstr(side, "brass") == NULL)
        fail_msg("%s", answer);
    json_free(v);
    /* One word of several makes no row of a table. */
    t = completed(input("Compare Beryllary and Garnete as pumps (cleaning, "
                        "winter in damp sheds without heating)",
                        ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    if (strstr(answer, "\n| Cleaning") == NULL ||
        strstr(answer, "\n| Winter") != NULL ||
        strstr(answer, "greased") == NULL)
        fail_msg("%s", answer);
    json_free(v);
}

/* A page in another language says nothing where others are in the
 * question's. */
static void a_report_keeps_to_its_language(void **state)
{
    static const struct text pages[] = {
        {"http://spinel.test/en", "The Spinel loom", "2024-05-01",
         "<h1>The Spinel loom</h1><p>The Spinel loom is a loom that weaves "
         "wide linen with one shuttle, and it is oiled once in a week.</p>"},
        {"http://spinel.test/de", "Spinel loom", "2024-05-01",
         "<h1>Spinel loom</h1><p>Der Spinel loom ist ein Webstuhl, der "
         "breites Leinen mit nur einem Schiffchen webt und der jede Woche "
         "einmal mit einem Tuch abgedeckt wird, damit er nicht verstaubt. Wer "
         "einen Spinel loom kauft, sollte auf die Rollen achten, denn sie "
         "sind aus Holz und werden mit der Zeit rund.</p>"}};
    struct task t;
    struct json *v;
    const char *answer;

    (void)state;
    add_page(&pages[0]);
    add_page(&pages[1]);
    t = completed(input("What is known about the Spinel loom and how is it "
                        "oiled?",
                        ""));
    v = output_of(&t);
    answer = json_string(json_get(v, "answer"));
    if (strstr(answer, "wide linen") == NULL ||
        strstr(answer, "Schiffchen") != NULL)
        fail_msg("%s", answer);
    json_free(v);
}

static void a_lost_lease_writes_nothing(void **state)
{
    const char *in = input("Who designed the Amber engine?", "");
    struct task_lease old = claim_at(in, clock_now_ms() - 2 * LEASE_MS);
    struct task_lease now;
    struct history h;

    (void)state;
    assert_int_equal(task_claim(store.state, old.task.id, LEASE_MS, ATTEMPTS,
                                clock_now_ms(), &arena, &now, &ec),
                     ERR_OK);
    assert_int_equal(run(&old, NULL), ERR_LEASE_LOST);
    h = history_of(&old);
    assert_int_equal(h.count, 0);
    assert_int_equal(task_of(&old).state, TASK_PROCESSING);
    assert_int_equal(run(&now, NULL), ERR_OK);
    assert_int_equal(run(&old, NULL), ERR_LEASE_LOST);
    assert_int_equal(task_of(&now).state, TASK_COMPLETED);
}

static void asked_to_leave_the_task_is_given_back(void **state)
{
    atomic_bool stop = true;
    struct task_lease l = claim(input("Who designed the Amber engine?", ""));
    struct task_lease next;

    (void)state;
    assert_int_equal(run(&l, &stop), ERR_BUSY);
    assert_int_equal(task_of(&l).state, TASK_PROCESSING);
    assert_int_equal(task_claim(store.state, l.task.id, LEASE_MS, ATTEMPTS,
                                clock_now_ms(), &arena, &next, &ec),
                     ERR_OK);
    assert_int_equal(run(&next, NULL), ERR_OK);
}

static void damaged_input_fails_and_is_not_tried_again(void **state)
{
    struct task_lease l = claim("{\"q\":\"x\"}");

    (void)state;
    assert_int_equal(run(&l, NULL), ERR_MALFORMED);
    assert_int_equal(task_of(&l).state, TASK_FAILED);
    assert_non_null(strstr(task_of(&l).error, "outputType"));
}

static void with_nothing_to_search_the_task_fails(void **state)
{
    struct task_lease l = claim(input("Who designed the Amber engine?", ""));

    (void)state;
    conf.use_index = false;
    assert_int_equal(run(&l, NULL), ERR_INVALID);
    conf.use_index = true;
    assert_int_equal(task_of(&l).state, TASK_FAILED);
    assert_non_null(strstr(task_of(&l).error, "no provider is configured"));
}

/* A provider nobody answers for is a passing fault: the task is given back,
 * and fails with its words when the attempts are used up. */
static void an_upstream_that_stays_down_uses_up_the_attempts(void **state)
{
    struct conf down = conf;
    struct search_env env = {.conf = &down, .index = store.index};
    struct task_lease l = claim(input("Who designed the Amber engine?", ""));
    struct task_lease next = l;
    enum err e = ERR_OK;

    (void)state;
    down.use_index = false;
    down.patience_ms = 0;
    down.provider_count = 1;
    down.provider[0] =
        (struct conf_provider){.name = "down",
                               .count = 1,
                               .key = {"url"},
                               .value = {"http://127.0.0.1:1/?q={q}"}};

    assert_int_equal(http_new(&down, &env.http), ERR_OK);
    assert_int_equal(provider_set_new(&down, &env.providers, &ec), ERR_OK);
    for (int i = 1; i <= ATTEMPTS; i++) {
        assert_int_equal(next.task.faults, i - 1);
        assert_int_equal(research_run(&env, store.state, &next, NULL, &ec),
                         ERR_UPSTREAM);
        assert_int_equal(task_of(&l).state,
                         i < ATTEMPTS ? TASK_PROCESSING : TASK_FAILED);
        e = task_claim(store.state, l.task.id, LEASE_MS, ATTEMPTS,
                       clock_now_ms(), &arena, &next, &ec);
        assert_int_equal(e, i < ATTEMPTS ? ERR_OK : ERR_NOT_FOUND);
    }
    assert_int_equal(task_of(&l).state, TASK_FAILED);
    assert_non_null(strstr(task_of(&l).error, "gave up after 5 attempts"));
    assert_non_null(
        strstr(task_of(&l).error, "the provider down did not answer: "));
    provider_set_free(env.providers);
    http_free(env.http);
}

/* --- a provider that fails for a while --------------------------------- */

/* The index and a provider whose answers a test sets. */
struct web {
    struct site site;
    struct conf conf;
    char url[64];
    const char *results; /* of every query; NULL: it fails */
    struct http *http;
};

static bool answer_query(struct site *s, struct site_request *rq)
{
    const struct web *w = s->user;
    char body[1024];

    snprintf(body, sizeof body, "{\"results\":[%s]}",
             w->results == NULL ? "" : w->results);
    return site_reply(rq->fd, w->results == NULL ? 500 : 200,
                      "application/json", "", body, strlen(body));
}

static void web_open(struct web *w)
{
    static const char *const keys[] = {"url", "results", "url_field",
                                       "title_field", "snippet_field"};
    const char *const values[] = {w->url, "results", "u", "t", "s"};
    struct conf_provider *p = &w->conf.provider[0];

    memset(w, 0, sizeof *w);
    site_start(&w->site, answer_query, w);
    w->conf = conf;
    w->conf.patience_ms = 0;
    w->conf.allow_hosts = "127.0.0.1";
    w->conf.read_pages = 0;
    w->conf.provider_count = 1;
    p->name = "web";
    snprintf(w->url, sizeof w->url, "http://127.0.0.1:%d/?q={q}", w->site.port);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        p->key[p->count] = keys[i];
        p->value[p->count++] = values[i];
    }
    assert_int_equal(http_new(&w->conf, &w->http), ERR_OK);
}

static void web_close(struct web *w)
{
    http_free(w->http);
    site_stop(&w->site);
}

/* Take the task up, due or not, by a helper that knows nothing of the provider
 * yet. */
static enum err web_run(struct web *w, struct task_lease *l)
{
    struct search_env env = {
        .conf = &w->conf, .index = store.index, .http = w->http};
    enum err e;

    if (task_of(l).state == TASK_PROCESSING && l->task.faults > 0)
        assert_int_equal(task_claim(store.state, l->task.id, LEASE_MS, ATTEMPTS,
                                    clock_now_ms(), &arena, l, &ec),
                         ERR_OK);
    assert_int_equal(provider_set_new(&w->conf, &env.providers, &ec), ERR_OK);
    e = research_run(&env, store.state, l, NULL, &ec);
    provider_set_free(env.providers);
    l->task.faults++; /* from now on it is to be claimed */
    return e;
}

#define WALRUS                                                                 \
    "{\"u\":\"http://zoo.test/walrus\",\"t\":\"The zeppelin walrus\","         \
    "\"s\":\"The zeppelin walrus was tamed by Ottilie Brandt in 1931.\"}"

static void what_a_failing_provider_has_is_waited_for(void **state)
{
    /* Of the second there is something in the index, which is no answer. */
    static const char *const questions[] = {
        "Who tamed the zeppelin walrus?",
        "Who tamed the zeppelin walrus of the Amber engine?"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct task_lease l = claim(input(questions[i], ""));
        struct web w;

        web_open(&w);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(web_run(&w, &l), ERR_UPSTREAM);
            assert_int_equal(task_of(&l).state, TASK_PROCESSING);
        }
        w.results = WALRUS;
        assert_int_equal(web_run(&w, &l), ERR_OK);
        assert_int_equal(task_of(&l).state, TASK_COMPLETED);
        assert_non_null(strstr(task_of(&l).output, "Ottilie Brandt"));
        web_close(&w);
    }
}

static void nothing_was_found_when_everybody_has_answered(void **state)
{
    struct task_lease l = claim(input("Who tamed the zeppelin walrus?", ""));
    struct web w;

    (void)state;
    web_open(&w);
    assert_int_equal(web_run(&w, &l), ERR_UPSTREAM);
    w.results = "";
    assert_int_equal(web_run(&w, &l), ERR_NO_RESULT);
    assert_int_equal(task_of(&l).state, TASK_FAILED);
    assert_non_null(strstr(task_of(&l).error, "nothing was found"));
    web_close(&w);
}

static void a_provider_that_stays_down_is_what_the_error_tells(void **state)
{
    static const char *const questions[] = {
        "Who tamed the zeppelin walrus?",
        "Who tamed the zeppelin walrus of the Amber engine?"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct task_lease l = claim(input(questions[i], ""));
        struct web w;
        int runs = 0;

        web_open(&w);
        while (task_of(&l).state == TASK_PROCESSING && runs++ < 20)
            assert_int_equal(web_run(&w, &l), ERR_UPSTREAM);
        assert_int_equal(task_of(&l).state, TASK_FAILED);
        assert_true(runs >= ATTEMPTS);
        assert_non_null(strstr(task_of(&l).error, "gave up after "));
        assert_non_null(
            strstr(task_of(&l).error, "the provider web did not answer: "));
        assert_null(strstr(task_of(&l).error, "nothing was found"));
        web_close(&w);
    }
}

/* What did answer is enough for a part: the report comes all the same, later,
 * and says what is missing. */
static void in_the_end_a_report_makes_do_with_who_answered(void **state)
{
    struct task_lease l = claim(input("Explain the Amber engine, the Basalt "
                                      "engine and the zeppelin hangar",
                                      ""));
    struct task_step *steps;
    struct web w;
    size_t n = 0, told = 0;
    int runs = 0;

    (void)state;
    web_open(&w);
    while (task_of(&l).state == TASK_PROCESSING && runs++ < 20)
        if (web_run(&w, &l) == ERR_OK)
            break;
    assert_int_equal(task_of(&l).state, TASK_COMPLETED);
    assert_int_equal(runs, ATTEMPTS);
    assert_non_null(strstr(task_of(&l).output, "What was not found"));
    assert_non_null(
        strstr(task_of(&l).output, "Who was asked and did not answer: web: "));
    assert_int_equal(
        task_steps(store.state, l.task.id, &arena, &steps, &n, &ec), ERR_OK);
    for (size_t i = 0; i < n; i++)
        told += strstr(steps[i].data, "\"failed\":\"web: ") != NULL;
    assert_true(told >= 3);
    web_close(&w);
}

/* Whoever asked is told of a fault, not of tables and statements. */
static void a_broken_database_fails_without_its_insides(void **state)
{
    struct task_lease l = claim(input("Who designed the Amber engine?", ""));
    struct task_lease next = l;

    (void)state;
    assert_int_equal(
        sql_exec(store.index, "ALTER TABLE passage RENAME TO gone", &ec),
        ERR_OK);
    conf.patience_ms = 0;
    for (int i = 1; i <= ATTEMPTS; i++) {
        assert_int_equal(run(&next, NULL), ERR_DB);
        (void)!task_claim(store.state, l.task.id, LEASE_MS, ATTEMPTS,
                          clock_now_ms(), &arena, &next, &ec);
    }
    assert_int_equal(
        sql_exec(store.index, "ALTER TABLE gone RENAME TO passage", &ec),
        ERR_OK);
    conf.patience_ms = 600000;
    assert_int_equal(task_of(&l).state, TASK_FAILED);
    assert_non_null(strstr(task_of(&l).error, "gave up after 5 attempts"));
    assert_null(strstr(task_of(&l).error, "SELECT"));
    assert_null(strstr(task_of(&l).error, "passage"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comparison_cites_at_least_four_pages),
        cmocka_unit_test(a_report_is_in_the_language_of_its_question),
        cmocka_unit_test(a_report_opens_with_one_paragraph),
        cmocka_unit_test(a_row_speaks_of_what_is_asked),
        cmocka_unit_test(a_hosts_name_needs_no_capital),
        cmocka_unit_test(a_report_opens_with_what_its_subject_is),
        cmocka_unit_test(a_section_begins_with_what_answers_it),
        cmocka_unit_test(what_one_part_has_no_room_for_stays_out_of_others),
        cmocka_unit_test(a_point_of_a_list_is_told_by_its_own_place),
        cmocka_unit_test(steps_are_said_to_the_last),
        cmocka_unit_test(what_is_to_be_skipped_is_not_asked),
        cmocka_unit_test(a_list_of_one_item_is_a_paragraph),
        cmocka_unit_test(what_has_no_heading_stands_under_its_page),
        cmocka_unit_test(no_sentence_is_said_twice),
        cmocka_unit_test(one_fact_is_a_short_answer),
        cmocka_unit_test(brackets_are_sent_as_they_stand),
        cmocka_unit_test(what_was_not_found_is_said),
        cmocka_unit_test(what_is_told_elsewhere_is_not_missing),
        cmocka_unit_test(a_name_that_no_page_holds_is_said),
        cmocka_unit_test(where_it_is_told_is_no_condition),
        cmocka_unit_test(what_compares_names_both),
        cmocka_unit_test(what_changed_is_in_lists_of_changes),
        cmocka_unit_test(what_is_new_is_told_where_it_is_asked),
        cmocka_unit_test(changes_are_asked_for_by_the_whole_question),
        cmocka_unit_test(a_name_in_titles_alone_takes_it_from_none),
        cmocka_unit_test(a_name_among_many_unknown_ones_does_not_vouch),
        cmocka_unit_test(a_long_situation_does_not_hide_the_pages),
        cmocka_unit_test(what_is_torn_or_a_draft_is_left_out),
        cmocka_unit_test(a_name_in_lower_case_begins_what_is_told_of_it),
        cmocka_unit_test(a_sentence_runs_on_over_a_listing),
        cmocka_unit_test(what_is_quoted_is_a_whole_thought),
        cmocka_unit_test(a_setting_goes_with_its_default),
        cmocka_unit_test(no_list_is_only_begun),
        cmocka_unit_test(pages_that_disagree_are_both_cited_and_it_is_said),
        cmocka_unit_test(nothing_found_fails_with_words_to_act_on),
        cmocka_unit_test(filters_hold_for_every_source),
        cmocka_unit_test(guidance_that_restricts_joins_the_filter),
        cmocka_unit_test(images_follow_the_sources_when_asked_for),
        cmocka_unit_test(a_value_of_something_else_is_null),
        cmocka_unit_test(a_schema_gives_the_bare_object),
        cmocka_unit_test(killed_after_any_step_the_report_is_the_same),
        cmocka_unit_test(no_query_is_asked_twice),
        cmocka_unit_test(a_word_of_one_host_is_asked_in_its_words),
        cmocka_unit_test(a_side_is_told_by_the_host_of_its_name),
        cmocka_unit_test(a_report_keeps_to_its_language),
        cmocka_unit_test(searching_stops_at_85_percent_of_the_time),
        cmocka_unit_test(searching_stops_at_85_percent_of_the_queries),
        cmocka_unit_test(searching_stops_at_85_percent_of_the_pages),
        cmocka_unit_test(two_rounds_without_news_end_the_search),
        cmocka_unit_test(no_depth_has_more_rounds_than_its_own),
        cmocka_unit_test(a_lost_lease_writes_nothing),
        cmocka_unit_test(asked_to_leave_the_task_is_given_back),
        cmocka_unit_test(damaged_input_fails_and_is_not_tried_again),
        cmocka_unit_test(with_nothing_to_search_the_task_fails),
        cmocka_unit_test(an_upstream_that_stays_down_uses_up_the_attempts),
        cmocka_unit_test(what_a_failing_provider_has_is_waited_for),
        cmocka_unit_test(nothing_was_found_when_everybody_has_answered),
        cmocka_unit_test(a_provider_that_stays_down_is_what_the_error_tells),
        cmocka_unit_test(in_the_end_a_report_makes_do_with_who_answered),
        cmocka_unit_test(a_page_of_many_sections_is_read_within_bounds),
        cmocka_unit_test(a_broken_database_fails_without_its_insides),
        cmocka_unit_test(pages_for_makers_are_told_by_their_address_and_title),
        cmocka_unit_test(pages_for_makers_are_read_last),
        cmocka_unit_test(what_is_amid_a_section_does_not_begin_another),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
