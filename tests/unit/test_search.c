/* A search whole, over a real index of some twenty pages in a temporary
 * folder: the three outputs, filters, dates, guidance, and every way in
 * which there may be no answer. */
#include "find/pages.h"
#include "find/provider.h"
#include "question/overlap.h"
#include "search/search.h"

#include "base/date.h"
#include "base/log.h"
#include "base/str.h"
#include "text/passage.h"
#include "json/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "folder.h"
#include "state_db.h"

struct page_in {
    const char *url, *title, *date, *text;
    const char *image;
};

static const struct page_in pages[] = {
    {"http://tower.example/eiffel", "Eiffel Tower", "2024-03-01",
     "The Eiffel Tower is a lattice tower in Paris. It is 330 metres tall. "
     "Gustave Eiffel's company designed and built it from 1887 to 1889.",
     "http://img.tower.example/eiffel.jpg"},
    {"http://tower.example/tokyo", "Tokyo Tower", "2023-01-10",
     "Tokyo Tower is a communications tower in Japan. It is 333 metres tall. "
     "It opened in 1958.",
     "http://elsewhere.example/tokyo.jpg"},
    {"http://news.example/2025/tower", "Tower reopened", "2025-06-02",
     "The Eiffel Tower reopened after a strike of six days. Visitors queued "
     "under the iron tower in Paris.",
     NULL},
    {"http://db.example/docs/limits", "Limits", "2024-01-01",
     "The maximum size of a database file is 281 terabytes. A table may have "
     "2000 columns. A page is at most 65536 bytes.",
     NULL},
    {"http://db.example/docs/wal", "Write-ahead logging", "2022-02-02",
     "Write-ahead logging keeps changes in a separate log file. Readers do "
     "not block writers. The log is copied back by a checkpoint.",
     NULL},
    {"http://db.example/blog/wal", "Why we like write-ahead logging", NULL,
     "Write-ahead logging is fast because changes are appended to one file. "
     "We measured twice the throughput.",
     NULL},
    {"http://copy.example/wal", "Write-ahead logging (mirror)", "2022-02-02",
     "Write-ahead logging keeps changes in a separate log file. Readers do "
     "not block writers. The log is copied back by a checkpoint.",
     NULL},
    {"http://bread.example/recipe", "Bread", "2021-05-05",
     "Mix flour, water, salt and yeast. Let the dough rest for an hour. Bake "
     "it at 230 degrees for forty minutes.",
     NULL},
    {"http://sky.example/blue", "Colour of the sky", "2020-05-05",
     "The sky is blue because air scatters short waves of light more than "
     "long ones. This is called Rayleigh scattering.",
     NULL},
    {"http://sky.example/moon", "The moon", "2020-05-06",
     "The moon causes the tides of the sea. It orbits the earth in 27 days.",
     NULL},
    {"http://notes.example/releases", "Releases", "2022-06-25",
     "Release 3.39.0 brought the full outer join, 4.2 the window functions.",
     NULL},
    {"http://shell.example/status", "Parameters", "2022-06-26",
     "$? expands to the exit status of the pipeline that ran last. $! is the "
     "process id of the job that was started last.",
     NULL},
    {"http://shell.example/meaning", "Meaning", "2022-06-26",
     "The meaning of a shell is to run what people type, and to expand what "
     "they type to what they mean by it.",
     NULL}};

enum { FILLERS = 12 };

static struct {
    char dir[64], path[96];
    struct db_file *file;
    struct db *index;
    struct conf conf;
    struct arena arena;
} world;

static void page_add(const struct page_in *in)
{
    struct page p;
    struct page_doc doc;
    struct passage_text *passages = NULL;
    struct image image = {in->image, ""};
    struct errctx ec = {ERR_OK, ""};
    struct url u;
    size_t n = 0;
    int64_t id;

    memset(&p, 0, sizeof(p));
    assert_int_equal(
        plain_parse(in->text, strlen(in->text), &world.arena, &doc), ERR_OK);
    assert_int_equal(passages_cut(&doc, &world.arena, &passages, &n), ERR_OK);
    assert_int_equal(
        url_parse(in->url, strlen(in->url), NULL, &world.arena, &u, NULL),
        ERR_OK);
    p.url = u.href;
    p.host = u.host;
    p.title = in->title;
    p.lang = "en";
    p.favicon = "http://tower.example/favicon.ico";
    p.etag = p.last_modified = "";
    p.day = DAY_NONE;
    if (in->date != NULL)
        assert_true(date_parse_iso(in->date, DATE_LEN, &p.day));
    p.images = &image;
    p.image_count = in->image != NULL ? 1 : 0;
    if (page_put(world.index, &p, passages, n, &id, &ec) != ERR_OK)
        fail_msg("%s", ec.msg);
}

/* Pages about nothing in particular, so that rare words are rare. */
static void fillers_add(void)
{
    static const char *const words[] = {"garden", "river",  "train", "music",
                                        "winter", "market", "paper", "stone",
                                        "horse",  "cloud",  "glass", "road"};
    char url[64], text[200];

    for (int i = 0; i < FILLERS; i++) {
        struct page_in in = {url, words[i], "2019-01-01", text, NULL};

        snprintf(url, sizeof(url), "http://filler.example/%d", i);
        snprintf(text, sizeof(text),
                 "People like the %s of the town. Every %s is seen by many "
                 "visitors in the year.",
                 words[i], words[(i + 5) % FILLERS]);
        page_add(&in);
    }
}

static int world_up(void **state)
{
    char *const no_env[] = {NULL};
    struct errctx ec = {ERR_OK, ""};
    FILE *f;

    (void)state;
    log_set_level(LOG_OFF);
    snprintf(world.dir, sizeof(world.dir), "/tmp/cited-test-search-XXXXXX");
    if (mkdtemp(world.dir) == NULL)
        return -1;
    snprintf(world.path, sizeof(world.path), "%s/cited.conf", world.dir);
    f = fopen(world.path, "w");
    if (f == NULL || fclose(f) != 0)
        return -1;
    if (conf_load(&world.conf, world.path, world.dir, no_env, &ec) != ERR_OK)
        return -1;
    world.conf.allow_hosts = "127.0.0.1";
    snprintf(world.path, sizeof(world.path), "%s/index.db", world.dir);
    arena_init(&world.arena, 64 << 20);
    if (state_db_index(world.path, &world.file) != ERR_OK ||
        db_open(world.file, &world.index, &ec) != ERR_OK)
        return -1;
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
        page_add(&pages[i]);
    fillers_add();
    return 0;
}

static int world_down(void **state)
{
    (void)state;
    db_close(world.index);
    db_file_free(world.file);
    arena_fini(&world.arena);
    conf_fini(&world.conf);
    http_global_fini();
    return folder_remove(world.dir);
}

/* --- asking -------------------------------------------------------------- */

struct asked {
    enum err e;
    struct search_result r;
    struct errctx ec;
};

static struct search_params params(const char *q, enum output_type output)
{
    struct search_params p;

    memset(&p, 0, sizeof(p));
    p.q = q;
    p.depth = DEPTH_STANDARD;
    p.output = output;
    p.from_day = p.to_day = DAY_NONE;
    p.max_results = 10;
    return p;
}

static struct asked ask_env(const struct search_env *env,
                            const struct search_params *p)
{
    struct asked out = {.ec = {ERR_OK, ""}};

    out.e = search_run(env, p, deadline_in(10000), "test", &world.arena, &out.r,
                       &out.ec);
    return out;
}

static struct asked ask(const struct search_params *p)
{
    struct search_env env = {.conf = &world.conf, .index = world.index};
    struct asked out = ask_env(&env, p);

    if (out.e != ERR_OK)
        assert_true(out.ec.msg[0] != '\0' && out.ec.code == out.e);
    return out;
}

static struct asked ask_for(const char *q, enum output_type output)
{
    struct search_params p = params(q, output);
    struct asked out = ask(&p);

    if (out.e != ERR_OK)
        print_message("%s: %s\n", q, out.ec.msg);
    return out;
}

static bool has_source(const struct asked *x, const char *part)
{
    for (size_t i = 0; i < x->r.source_count; i++)
        if (strstr(x->r.sources[i].url, part) != NULL)
            return true;
    return false;
}

static struct domain_rules rules(const char *host, const char *path)
{
    struct domain_rule *r = arena_alloc(&world.arena, sizeof(*r));

    *r = (struct domain_rule){host, path};
    return (struct domain_rules){r, 1};
}

/* --- outputs ------------------------------------------------------------- */

static void an_answer_comes_with_its_source(void **state)
{
    static const struct {
        const char *q, *part, *url;
    } cases[] = {
        {"What is the maximum size of a database file?", "281 terabytes",
         "db.example/docs/limits"},
        {"How tall is the Eiffel Tower?", "330 metres", "tower.example/eiffel"},
        {"Why is the sky blue?", "scatters", "sky.example/blue"},
        {"When did Tokyo Tower open?", "1958", "tower.example/tokyo"},
        {"How do I bake bread?", "dough", "bread.example"}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct asked x = ask_for(cases[i].q, OUTPUT_SOURCED);

        assert_int_equal(x.e, ERR_OK);
        if (strstr(x.r.answer, cases[i].part) == NULL)
            print_message("%s -> %s\n", cases[i].q, x.r.answer);
        assert_non_null(strstr(x.r.answer, cases[i].part));
        assert_non_null(strstr(x.r.sources[0].url, cases[i].url));
        assert_null(strstr(x.r.answer, "[1]"));
        assert_int_equal(x.r.image_count, 0);
    }
}

static void markers_and_snippets_belong_together(void **state)
{
    struct search_params p =
        params("How tall is the Eiffel Tower?", OUTPUT_SOURCED);
    struct asked x;

    (void)state;
    p.inline_citations = true;
    x = ask(&p);
    assert_int_equal(x.e, ERR_OK);
    assert_non_null(strstr(x.r.answer, "330 metres tall."));
    assert_non_null(strstr(x.r.answer, ". [1]"));
    assert_non_null(strstr(x.r.sources[0].snippet, "330 metres tall."));
    assert_non_null(strstr(pages[0].text, x.r.sources[0].snippet));
    assert_string_equal(x.r.sources[0].name, "Eiffel Tower");
    assert_true(x.r.sources[0].page > 0 && x.r.sources[0].passage > 0);
}

static void results_are_pages_once_each(void **state)
{
    struct asked x = ask_for("write-ahead logging", OUTPUT_RESULTS);

    (void)state;
    assert_int_equal(x.e, ERR_OK);
    /* The mirror's text is the same as that of the page it copies. */
    assert_int_equal(x.r.source_count, 2);
    assert_null(x.r.answer);
    for (size_t i = 0; i < x.r.source_count; i++)
        assert_true(x.r.sources[i].snippet[0] != '\0');
}

static void no_more_results_than_asked_for(void **state)
{
    struct search_params p = params("tower metres tall", OUTPUT_RESULTS);
    struct asked x;

    (void)state;
    p.max_results = 1;
    x = ask(&p);
    assert_int_equal(x.e, ERR_OK);
    assert_int_equal(x.r.source_count, 1);
}

static void slips_of_the_hand_are_mended(void **state)
{
    static const struct {
        const char *q, *source; /* NULL: none, the word stays */
    } cases[] = {{"how long does the doguh rest?", "bread.example"},
                 {"why are readers not bloked by writers?", "/wal"},
                 {"scatered waves", "sky.example"},
                 {"news in release 3.39", "notes.example"},
                 {"news in release 4.2.0", "notes.example"},
                 {"release 3.40", NULL},
                 {"DOGUH", NULL},
                 {"\"doguh\"", NULL},
                 {"doguh_1", NULL},
                 {"doguhhs", NULL},
                 {"dugh", NULL}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct asked x = ask_for(cases[i].q, OUTPUT_RESULTS);

        assert_int_equal(x.e == ERR_OK, cases[i].source != NULL);
        if (cases[i].source != NULL)
            assert_true(has_source(&x, cases[i].source));
    }
}

/* What is written in signs is found where the words find it, and where they
 * find nothing that holds it. */
static void signs_are_found_as_they_are_written(void **state)
{
    static const char *const all[] = {"Which exit status is $? in the shell?",
                                      "What does $? mean?",
                                      "the meaning of $?"};

    (void)state;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct asked x = ask_for(all[i], OUTPUT_SOURCED);

        assert_int_equal(x.e, ERR_OK);
        assert_true(has_source(&x, "shell.example/status"));
    }
}

/* "rapid" is asked for as "fast", too, and not as what no page holds. */
static void other_words_of_one_meaning_count(void **state)
{
    struct asked x = ask_for("rapid logging", OUTPUT_RESULTS);
    struct query q;
    struct errctx ec;

    (void)state;
    assert_null(word_near(LANG_NL, "rapid"));
    assert_null(word_near(LANG_EN, "rapidity"));
    assert_non_null(strstr(word_near(LANG_EN, "rapid"), "fast"));
    assert_int_equal(query_parse("rapid logging", &world.arena, &q), ERR_OK);
    assert_int_equal(overlap_weigh(&q, world.index, &ec), ERR_OK);
    assert_int_equal(q.other_count, 1);
    assert_string_equal(q.others[0].text, "fast");
    assert_int_equal(q.others[0].term, 0);
    assert_true(q.others[0].worth > 0 && q.others[0].worth < 1);
    assert_true(has_source(&x, "/blog/wal"));
    /* Quoted, it is meant as it is written. */
    assert_int_equal(query_parse("\"rapid\" logging", &world.arena, &q),
                     ERR_OK);
    assert_int_equal(overlap_weigh(&q, world.index, &ec), ERR_OK);
    assert_int_equal(q.other_count, 0);
}

static void a_schema_is_filled(void **state)
{
    static const char text[] =
        "{\"type\":\"object\",\"properties\":{\"heightMetres\":{\"type\":"
        "\"integer\",\"description\":\"how many metres tall\"},"
        "\"tall\":{\"type\":\"integer\"}},\"required\":[\"tall\"]}";
    struct search_params p = params("Eiffel Tower", OUTPUT_STRUCTURED);
    struct json *schema = NULL;
    struct asked x;

    (void)state;
    assert_int_equal(
        json_parse(text, sizeof(text) - 1, &json_limits_request, &schema, NULL),
        ERR_OK);
    p.schema = schema;
    x = ask(&p);
    if (x.e != ERR_OK)
        fail_msg("%s", x.ec.msg);
    if (strstr(x.r.object, "\"tall\":330") == NULL)
        print_message("%s\n", x.r.object);
    assert_non_null(strstr(x.r.object, "\"tall\":330"));
    assert_true(has_source(&x, "tower.example/eiffel"));
    p.q = "volcanoes of Iceland";
    assert_int_equal(ask(&p).e, ERR_NO_RESULT);
    json_free(schema);
}

static void images_obey_the_filters(void **state)
{
    struct search_params p =
        params("How tall is the tower in metres?", OUTPUT_RESULTS);
    struct asked x;

    (void)state;
    p.images = true;
    x = ask(&p);
    assert_int_equal(x.e, ERR_OK);
    assert_int_equal(x.r.image_count, 2);
    p.include = rules("tower.example", "");
    x = ask(&p);
    assert_int_equal(x.e, ERR_OK);
    assert_int_equal(x.r.image_count, 1);
    assert_string_equal(x.r.images[0].url,
                        "http://img.tower.example/eiffel.jpg");
}

/* --- filters ------------------------------------------------------------- */

static void domains_restrict_every_source(void **state)
{
    struct search_params p = params("write-ahead logging", OUTPUT_RESULTS);
    struct asked x;

    (void)state;
    p.include = rules("copy.example", "");
    x = ask(&p);
    assert_int_equal(x.r.source_count, 1);
    assert_true(has_source(&x, "copy.example"));
    p.include = rules("db.example", "/docs");
    x = ask(&p);
    assert_int_equal(x.r.source_count, 1);
    assert_true(has_source(&x, "/docs/wal"));
    p.include = (struct domain_rules){NULL, 0};
    p.exclude = rules("db.example", "");
    x = ask(&p);
    assert_int_equal(x.r.source_count, 1);
    assert_true(has_source(&x, "copy.example"));
    p.include = rules("nobody.example", "");
    x = ask(&p);
    assert_int_equal(x.e, ERR_NO_RESULT);
    assert_non_null(strstr(x.ec.msg, "domains"));
}

static void inclusion_decides_alone(void **state)
{
    struct search_params p = params("write-ahead logging", OUTPUT_RESULTS);
    struct asked x;

    (void)state;
    p.include = p.exclude = rules("copy.example", "");
    x = ask(&p);
    assert_int_equal(x.e, ERR_OK);
    assert_true(has_source(&x, "copy.example"));
}

static void dates_drop_what_is_outside_or_undated(void **state)
{
    struct search_params p = params("Eiffel Tower Paris", OUTPUT_RESULTS);
    struct asked x;

    (void)state;
    assert_int_equal(ask(&p).r.source_count, 3); /* Tokyo's too, below */
    p.from_day = date_to_day(2025, 1, 1);
    x = ask(&p);
    assert_int_equal(x.r.source_count, 1);
    assert_true(has_source(&x, "news.example"));
    p.from_day = DAY_NONE;
    p.to_day = date_to_day(2024, 3, 1);
    x = ask(&p);
    assert_int_equal(x.r.source_count, 2);
    assert_true(has_source(&x, "tower.example/eiffel"));
    assert_false(has_source(&x, "news.example"));
    p.to_day = date_to_day(2024, 2, 29);
    x = ask(&p);
    assert_false(x.e == ERR_OK && has_source(&x, "eiffel"));
    p.to_day = date_to_day(2018, 1, 1);
    assert_int_equal(ask(&p).e, ERR_NO_RESULT);
    p = params("write-ahead logging throughput measured", OUTPUT_RESULTS);
    p.from_day = date_to_day(1990, 1, 1);
    x = ask(&p);
    assert_false(x.e == ERR_OK && has_source(&x, "blog"));
}

/* --- guidance ------------------------------------------------------------ */

static void priority_leads_and_others_fill_in(void **state)
{
    struct asked x = ask_for(
        "<guidance><priority>\n- copy.example\n- bread.example\n</priority>"
        "</guidance>\nwrite-ahead logging",
        OUTPUT_RESULTS);

    (void)state;
    assert_int_equal(x.e, ERR_OK);
    assert_int_equal(x.r.source_count, 2);
    assert_non_null(strstr(x.r.sources[0].url, "copy.example"));
}

static void use_only_these_restricts_unless_the_caller_does(void **state)
{
    struct search_params p =
        params("<guidance>Use only these sites:\n- copy.example\n</guidance>\n"
               "write-ahead logging",
               OUTPUT_RESULTS);
    struct asked x = ask(&p);

    (void)state;
    assert_int_equal(x.e, ERR_OK);
    assert_int_equal(x.r.source_count, 1);
    assert_true(has_source(&x, "copy.example"));
    p.include = rules("db.example", "");
    x = ask(&p);
    assert_int_equal(x.e, ERR_OK);
    assert_false(has_source(&x, "copy.example"));
}

/* --- nothing ------------------------------------------------------------- */

static void nothing_relevant_is_said_and_never_guessed(void **state)
{
    static const char *const questions[] = {
        "What is the population of Mongolia?",
        "airspeed velocity of an unladen swallow",
        "qwertz asdf",
        "Who is the president of Lampukistan?",
        "???",
        "How many visitors does Tower Bridge in London have?"};

    (void)state;
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
        for (int o = OUTPUT_SOURCED; o <= OUTPUT_RESULTS; o++) {
            struct search_params p = params(questions[i], (enum output_type)o);
            struct asked x = ask(&p);

            if (x.e == ERR_OK)
                print_message("%s -> %s\n", questions[i],
                              x.r.answer != NULL ? x.r.answer
                                                 : x.r.sources[0].url);
            assert_int_equal(x.e, ERR_NO_RESULT);
        }
}

static void a_passed_deadline_is_a_timeout(void **state)
{
    struct search_env env = {.conf = &world.conf, .index = world.index};
    struct search_params p = params("tower", OUTPUT_RESULTS);
    struct search_result r;
    struct errctx ec;

    (void)state;
    assert_int_equal(
        search_run(&env, &p, deadline_in(0), NULL, &world.arena, &r, &ec),
        ERR_TIMEOUT);
}

static void depths_have_their_time(void **state)
{
    const struct conf *c = &world.conf;

    (void)state;
    assert_true(search_deadline_ms(c, NULL, DEPTH_FLASH) <
                search_deadline_ms(c, NULL, DEPTH_STANDARD));
    assert_true(search_deadline_ms(c, NULL, DEPTH_FAST) <=
                search_deadline_ms(c, NULL, DEPTH_STANDARD));
    assert_true(search_deadline_ms(c, NULL, DEPTH_STANDARD) <
                search_deadline_ms(c, NULL, DEPTH_DEEP));
}

/* --- failing providers --------------------------------------------------- */

/* A loopback port: with listening, connections are taken and never served;
 * without, they are refused. */
static int port_take(bool listening, int *port)
{
    struct sockaddr_in sa = {.sin_family = AF_INET};
    socklen_t n = sizeof(sa);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&sa, sizeof(sa)), 0);
    if (listening)
        assert_int_equal(listen(fd, 8), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&sa, &n), 0);
    *port = ntohs(sa.sin_port);
    return fd;
}

static void a_page_read_whole_keeps_what_a_provider_told_of_it(void **state)
{
    struct errctx ec;
    struct page page;
    struct candidate c = {.title = "told", .day = 9};
    struct found_page g = {.c = &c};
    struct query q;

    (void)state;
    assert_int_equal(page_find(world.index, "http://db.example/blog/wal",
                               &world.arena, &page, &ec),
                     ERR_OK);
    c.page = page.id;
    c.url = page.url;
    assert_int_equal(query_parse("log", &world.arena, &q), ERR_OK);
    assert_int_equal(pages_open(world.index, NULL, &q, &g, 1, PAGE_PASSAGES,
                                &world.arena, &ec),
                     ERR_OK);
    assert_true(g.count > 0);
    assert_int_equal(g.passages[0].day, 9);
}

static struct asked get_with_provider(bool listening, bool use_index,
                                      const char *q, enum output_type output)
{
    struct search_params p = params(q, output);
    struct search_env env = {.conf = &world.conf, .index = world.index};
    struct conf_provider *cp = &world.conf.provider[0];
    struct errctx ec;
    struct asked out;
    int port = 0, fd = port_take(listening, &port);

    world.conf.provider_count = 1;
    world.conf.use_index = use_index;
    *cp = (struct conf_provider){
        .name = "web", .count = 2, .key = {"url", "timeout_ms"}};
    cp->value[0] =
        arena_printf(&world.arena, "http://127.0.0.1:%d/s?q={q}", port);
    cp->value[1] = "300";
    assert_int_equal(provider_set_new(&world.conf, &env.providers, &ec),
                     ERR_OK);
    assert_int_equal(http_new(&world.conf, &env.http), ERR_OK);
    out = ask_env(&env, &p);
    http_free(env.http);
    provider_set_free(env.providers);
    world.conf.provider_count = 0;
    world.conf.use_index = true;
    close(fd);
    return out;
}

static struct asked ask_with_provider(bool listening, bool use_index,
                                      const char *q)
{
    return get_with_provider(listening, use_index, q, OUTPUT_SOURCED);
}

static void a_failed_provider_does_not_spoil_the_index(void **state)
{
    struct asked x =
        ask_with_provider(false, true, "How tall is the Eiffel Tower?");

    (void)state;
    assert_int_equal(x.e, ERR_OK);
    assert_non_null(strstr(x.r.answer, "330 metres"));
    /* What answers nothing is listed all the same. */
    x = get_with_provider(false, true, "How does Quuxington reopen towers?",
                          OUTPUT_RESULTS);
    assert_int_equal(x.e, ERR_OK);
    assert_true(x.r.source_count > 0);
}

static void failed_providers_are_named_when_nothing_is_left(void **state)
{
    struct asked x = ask_with_provider(false, true, "volcanoes of Iceland");

    (void)state;
    assert_int_equal(x.e, ERR_UPSTREAM);
    assert_non_null(strstr(x.ec.msg, "web: unavailable"));
    x = ask_with_provider(false, false, "How tall is the Eiffel Tower?");
    assert_int_equal(x.e, ERR_UPSTREAM);
    x = ask_with_provider(true, false, "How tall is the Eiffel Tower?");
    /* Its time is over, not the search's. */
    assert_int_equal(x.e, ERR_UPSTREAM);
    assert_non_null(strstr(x.ec.msg, "web: timed out"));
}

static void nobody_to_ask_is_an_upstream_failure(void **state)
{
    struct search_params p = params("tower", OUTPUT_RESULTS);
    struct asked x;

    (void)state;
    world.conf.use_index = false;
    x = ask(&p);
    world.conf.use_index = true;
    assert_int_equal(x.e, ERR_UPSTREAM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_comes_with_its_source),
        cmocka_unit_test(markers_and_snippets_belong_together),
        cmocka_unit_test(results_are_pages_once_each),
        cmocka_unit_test(no_more_results_than_asked_for),
        cmocka_unit_test(slips_of_the_hand_are_mended),
        cmocka_unit_test(signs_are_found_as_they_are_written),
        cmocka_unit_test(other_words_of_one_meaning_count),
        cmocka_unit_test(a_schema_is_filled),
        cmocka_unit_test(images_obey_the_filters),
        cmocka_unit_test(domains_restrict_every_source),
        cmocka_unit_test(inclusion_decides_alone),
        cmocka_unit_test(dates_drop_what_is_outside_or_undated),
        cmocka_unit_test(priority_leads_and_others_fill_in),
        cmocka_unit_test(use_only_these_restricts_unless_the_caller_does),
        cmocka_unit_test(nothing_relevant_is_said_and_never_guessed),
        cmocka_unit_test(a_passed_deadline_is_a_timeout),
        cmocka_unit_test(depths_have_their_time),
        cmocka_unit_test(a_page_read_whole_keeps_what_a_provider_told_of_it),
        cmocka_unit_test(a_failed_provider_does_not_spoil_the_index),
        cmocka_unit_test(failed_providers_are_named_when_nothing_is_left),
        cmocka_unit_test(nobody_to_ask_is_an_upstream_failure)};

    return cmocka_run_group_tests(tests, world_up, world_down);
}
