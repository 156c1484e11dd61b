/* The configuration: defaults, file, environment, and what is refused. */
#include "base/conf.h"

#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "/tmp/cited-conf-XXXXXX";
static char path[sizeof dir + 16];

/* The usual files are looked for in the working directory. */
static int setup(void **state)
{
    (void)state;
    if (mkdtemp(dir) == NULL || chdir(dir) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/c.conf", dir);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    unlink(path);
    return chdir("/") == 0 && rmdir(dir) == 0 ? 0 : -1;
}

static void write_file(const char *file, const char *text, size_t n)
{
    FILE *f = fopen(file, "we");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static char *const no_env[] = {NULL};

/* Load the text as the file; the message without the folder. */
static enum err load(struct conf *c, const char *text, char *const envp[],
                     char msg[256])
{
    struct errctx ec = {ERR_OK, ""};
    enum err err;
    size_t n = strlen(dir) + 1;

    write_file(path, text, strlen(text));
    err = conf_load(c, path, NULL, envp, &ec);
    snprintf(msg, 256, "%s",
             strncmp(ec.msg, dir, n - 1) == 0 ? ec.msg + n : ec.msg);
    return err;
}

static void no_file_is_needed(void **state)
{
    struct conf c;
    struct errctx ec;

    (void)state;
    /* Where the service is installed on this machine, its file is read. */
    if (access("/etc/cited/cited.conf", F_OK) == 0)
        skip();
    assert_int_equal(conf_load(&c, NULL, NULL, no_env, &ec), ERR_OK);
    assert_string_equal(c.data_dir, "./var");
    assert_int_equal(c.threads, 32);
    assert_string_equal(c.base_path, "");
    assert_int_equal(c.queue_max, 1024);
    assert_string_equal(c.cors_origins, "");
    assert_string_equal(c.key_headers, "");
    assert_string_equal(c.log_level, "info");
    assert_int_equal(c.body_max, 1 << 20);
    assert_int_equal(c.question_max, 8000);
    assert_int_equal(c.tasks_open_max, 1000);
    assert_int_equal(c.rate_per_second, 0);
    assert_int_equal(c.in_flight, 24);
    assert_int_equal(c.depth_max, 64);
    assert_int_equal(c.deadline_flash_ms, 2000);
    assert_int_equal(c.deadline_fast_ms, 4000);
    assert_int_equal(c.deadline_standard_ms, 10000);
    assert_int_equal(c.deadline_deep_ms, 25000);
    assert_int_equal(c.provider_timeout_ms, 3000);
    assert_true(c.use_index);
    assert_int_equal(c.workers, 1);
    assert_int_equal(c.worker_tasks, 2);
    assert_int_equal(c.lease_ms, 30000);
    assert_int_equal(c.attempts_max, 5);
    assert_int_equal(c.patience_ms, 600000);
    assert_string_equal(c.worker_path, "");
    assert_int_equal(c.crawl_delay_ms, 500);
    assert_int_equal(c.crawl_parallel, 8);
    assert_int_equal(c.crawl_per_host, 2);
    assert_int_equal(c.crawl_depth, 10);
    assert_int_equal(c.crawl_pages, 10000);
    assert_int_equal(c.page_bytes_max, 4 << 20);
    assert_int_equal(c.fetch_timeout_ms, 20000);
    assert_string_equal(c.allow_hosts, "");
    assert_int_equal(c.provider_count, 0);
    conf_fini(&c);
}

static void the_file_sets_values(void **state)
{
    static const char text[] = "; comment\n# comment\n[server]\nthreads = 4\n"
                               "base_path = /api/v \n"
                               "key_headers = Ocp-Apim-Key, x1\n[limits]\n"
                               "body_bytes=512k\n[search]\nindex = No\n"
                               "deadline_flash_ms: 1500 ; inline\n";
    struct conf c;
    char msg[256];

    (void)state;
    assert_int_equal(load(&c, text, no_env, msg), ERR_OK);
    assert_int_equal(c.threads, 4);
    assert_string_equal(c.base_path, "/api/v");
    assert_string_equal(c.key_headers, "Ocp-Apim-Key, x1");
    assert_int_equal(c.body_max, 512 << 10);
    assert_false(c.use_index);
    assert_int_equal(c.deadline_flash_ms, 1500);
    conf_fini(&c);
}

static void the_environment_wins_over_the_file(void **state)
{
    static char *const env[] = {"HOME=/x",
                                "CITED_SERVER_THREADS=9",
                                "CITED_SEARCH_DEADLINE_FLASH_MS=700",
                                "CITED_DATA=/short",
                                "CITED_DATA_DIR_X=1",
                                NULL};
    static char *const both[] = {"CITED_DATA=/short", "CITED_DATA_DIR=/long",
                                 NULL};
    struct conf c;
    char msg[256];

    (void)state;
    assert_int_equal(
        load(&c, "[server]\nthreads=4\n[data]\ndir=/file\n", env, msg), ERR_OK);
    assert_int_equal(c.threads, 9);
    assert_int_equal(c.deadline_flash_ms, 700);
    assert_string_equal(c.data_dir, "/short");
    conf_fini(&c);
    assert_int_equal(load(&c, "", both, msg), ERR_OK);
    assert_string_equal(c.data_dir, "/long");
    conf_fini(&c);
    assert_int_equal(conf_load(&c, NULL, "/argument", both, NULL), ERR_OK);
    assert_string_equal(c.data_dir, "/argument");
    conf_fini(&c);
}

static void a_bad_environment_value_names_its_variable(void **state)
{
    static char *const env[] = {"CITED_SERVER_THREADS=many", NULL};
    struct conf c;
    struct errctx ec;

    (void)state;
    assert_int_equal(conf_load(&c, NULL, NULL, env, &ec), ERR_INVALID);
    assert_string_equal(ec.msg,
                        "environment CITED_SERVER_THREADS: server.threads must "
                        "be a whole number from 1 to 256, not \"many\"");
}

static void the_file_is_found_where_it_usually_is(void **state)
{
    char *const env[] = {"CITED_CONF=c.conf", NULL};
    struct conf c;
    struct errctx ec;

    (void)state;
    write_file("cited.conf", "[server]\nthreads=5\n", 19);
    write_file(path, "[server]\nthreads=6\n", 19);
    assert_int_equal(conf_load(&c, NULL, NULL, no_env, &ec), ERR_OK);
    assert_int_equal(c.threads, 5);
    conf_fini(&c);
    assert_int_equal(conf_load(&c, NULL, NULL, env, &ec), ERR_OK);
    assert_int_equal(c.threads, 6);
    conf_fini(&c);
    assert_int_equal(conf_load(&c, "cited.conf", NULL, env, &ec), ERR_OK);
    assert_int_equal(c.threads, 5);
    conf_fini(&c);
    assert_int_equal(unlink("cited.conf"), 0);
}

static void a_named_file_has_to_be_there(void **state)
{
    char *const env[] = {"CITED_CONF=/nowhere/cited.conf", NULL};
    struct conf c;
    struct errctx ec;

    (void)state;
    assert_int_equal(conf_load(&c, "/nowhere/x", NULL, no_env, &ec), ERR_IO);
    assert_non_null(strstr(ec.msg, "/nowhere/x"));
    assert_int_equal(conf_load(&c, NULL, NULL, env, &ec), ERR_IO);
    assert_int_equal(conf_load(&c, dir, NULL, no_env, &ec), ERR_IO);
}

static void mistakes_are_named_by_file_line_and_key(void **state)
{
    static const struct {
        const char *text, *msg;
    } rows[] = {
        {"[server]\n\nthread = 3\n",
         "c.conf:3: unknown key \"thread\" in section [server]; the nearest "
         "known key is \"threads\" in section [server]"},
        {"[sever]\nthreads = 3\n",
         "c.conf:2: unknown key \"threads\" in section [sever]; the nearest "
         "known key is \"threads\" in section [server]"},
        {"[server]\ndeadline_fast_m = 3\n",
         "c.conf:2: unknown key \"deadline_fast_m\" in section [server]; the "
         "nearest known key is \"deadline_fast_ms\" in section [search]"},
        {"threads = 3\n",
         "c.conf:1: unknown key \"threads\" in section []; the nearest known "
         "key is \"threads\" in section [server]"},
        {"[server]\nthreads = 0\n",
         "c.conf:2: server.threads must be a whole number from 1 to 256, not "
         "\"0\""},
        {"[server]\nthreads = 4.5\n",
         "c.conf:2: server.threads must be a whole number from 1 to 256, not "
         "\"4.5\""},
        {"[server]\nthreads =\n",
         "c.conf:2: server.threads must be a whole number from 1 to 256, not "
         "\"\""},
        {"[limits]\nbody_bytes = 1\n",
         "c.conf:2: limits.body_bytes must be bytes from 1024 to 67108864; k, "
         "M and G may follow, not \"1\""},
        {"[limits]\nbody_bytes = 99999999999G\n",
         "c.conf:2: limits.body_bytes must be bytes from 1024 to 67108864; k, "
         "M and G may follow, not \"99999999999G\""},
        {"[limits]\nbody_bytes = -1M\n",
         "c.conf:2: limits.body_bytes must be bytes from 1024 to 67108864; k, "
         "M and G may follow, not \"-1M\""},
        {"[search]\nindex = maybe\n",
         "c.conf:2: search.index must be true or false, not \"maybe\""},
        {"[log]\nlevel = loud\n",
         "c.conf:2: log.level must be one of: debug info warn error off, not "
         "\"loud\""},
        {"[server]\nbase_path = api\n",
         "c.conf:2: server.base_path must be empty, or begin with '/' and not "
         "end with one, not \"api\""},
        {"[server]\nbase_path = /api/\n",
         "c.conf:2: server.base_path must be empty, or begin with '/' and not "
         "end with one, not \"/api/\""},
        {"[server]\nkey_headers = X-Key, X Key\n",
         "c.conf:2: server.key_headers must be names of request headers, at "
         "most 8, separated by commas, not \"X-Key, X Key\""},
        {"[server]\nkey_headers = X-Key,\n",
         "c.conf:2: server.key_headers must be names of request headers, at "
         "most 8, separated by commas, not \"X-Key,\""},
        {"[server]\nkey_headers = a,b,c,d,e,f,g,h,i\n",
         "c.conf:2: server.key_headers must be names of request headers, at "
         "most 8, separated by commas, not \"a,b,c,d,e,f,g,h,i\""},
        {"[data]\ndir =\n",
         "c.conf:2: data.dir must be the path of a folder, not \"\""},
        {"[crawl]\ncontact = \xFF\n",
         "c.conf:2: crawl.contact must be valid UTF-8, not \"?\""},
        {"[server]\nthreads = 3\nthreads = 3\n",
         "c.conf:3: server.threads is given twice"},
        {"[server]\nthreads = 3\n  queue = 4\n",
         "c.conf:3: the line begins with white space, which continues the "
         "value of \"threads\""},
        {"[server]\nthreads\n",
         "c.conf:2: neither \"[section]\" nor \"key = value\""},
        {"[server\nthreads = 3\n",
         "c.conf:1: neither \"[section]\" nor \"key = value\""},
        {"[provider.a b]\nx = 1\n",
         "c.conf:2: a provider's name is 1 to 32 of a-z, 0-9, - and _, not "
         "\"a b\""},
        {"[provider.]\nx = 1\n",
         "c.conf:2: a provider's name is 1 to 32 of a-z, 0-9, - and _, not "
         "\"\""},
        {"[provider.a]\nx = 1\nx = 2\n", "c.conf:3: \"x\" is given twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct conf c;
        char msg[256];

        assert_int_equal(load(&c, rows[i].text, no_env, msg), ERR_INVALID);
        assert_string_equal(msg, rows[i].msg);
    }
}

static void a_nul_and_an_endless_line_are_refused(void **state)
{
    struct conf c;
    struct errctx ec;
    char *text = malloc(20000);

    (void)state;
    assert_non_null(text);
    memset(text, 'x', 20000);
    write_file(path, text, 20000);
    free(text);
    assert_int_equal(conf_load(&c, path, NULL, no_env, &ec), ERR_INVALID);
    assert_non_null(strstr(ec.msg, "too long"));
    write_file(path, "[data]\ndir=a\0b\n", 15);
    assert_int_equal(conf_load(&c, path, NULL, no_env, &ec), ERR_INVALID);
}

static void providers_have_free_keys(void **state)
{
    static char *const env[] = {"CITED_PROVIDER_WEB_SEARCH_KEY=secret",
                                "CITED_PROVIDER_WEB_URL=http://w",
                                "CITED_PROVIDER_NONE_KEY=x", NULL};
    static const char text[] =
        "[provider.web-search]\nurl = http://h/?q={q}&a;b\n"
        "body = {\"q\":\n  {q},\n  \"n\": 3}\nkey = file\n"
        "[provider.web]\nurl = http://x\n";
    struct conf c;
    char msg[256];

    (void)state;
    assert_int_equal(load(&c, text, env, msg), ERR_OK);
    assert_int_equal(c.provider_count, 2);
    assert_string_equal(c.provider[0].name, "web-search");
    assert_string_equal(conf_provider_get(&c.provider[0], "url", ""),
                        "http://h/?q={q}&a;b");
    assert_string_equal(conf_provider_get(&c.provider[0], "body", ""),
                        "{\"q\":\n{q},\n\"n\": 3}");
    assert_string_equal(conf_provider_get(&c.provider[0], "key", ""), "secret");
    assert_string_equal(conf_provider_get(&c.provider[1], "url", ""),
                        "http://w");
    assert_string_equal(conf_provider_get(&c.provider[1], "key", "none"),
                        "none");
    conf_fini(&c);
}

static void long_provider_values_are_whole(void **state)
{
    struct buf b;
    struct conf c;
    char msg[256];

    (void)state;
    buf_init(&b, 10000);
    buf_adds(&b, "[provider.a]\nbody = ");
    for (int i = 0; i < 800; i++)
        buf_adds(&b, "0123456789");
    assert_int_equal(buf_err(&b), ERR_OK);
    assert_int_equal(load(&c, buf_str(&b), no_env, msg), ERR_OK);
    assert_int_equal(strlen(conf_provider_get(&c.provider[0], "body", "")),
                     8000);
    conf_fini(&c);
    buf_fini(&b);
}

static void providers_and_their_keys_are_counted(void **state)
{
    struct buf b;
    struct conf c;
    char msg[256];

    (void)state;
    buf_init(&b, 10000);
    for (int i = 0; i <= CONF_PROVIDERS_MAX; i++)
        buf_addf(&b, "[provider.p%d]\nx = 1\n", i);
    assert_int_equal(load(&c, buf_str(&b), no_env, msg), ERR_INVALID);
    assert_string_equal(msg, "c.conf:34: more than 16 providers");
    buf_reset(&b);
    buf_adds(&b, "[provider.p]\n");
    for (int i = 0; i <= CONF_FIELDS_MAX; i++)
        buf_addf(&b, "k%d = 1\n", i);
    assert_int_equal(load(&c, buf_str(&b), no_env, msg), ERR_INVALID);
    assert_string_equal(msg, "c.conf:34: more than 32 keys for a provider");
    buf_fini(&b);
}

/* Every key of the example, with its comment sign removed, is a file that
 * loads and changes nothing. */
static void the_example_is_a_file_of_the_defaults(void **state)
{
    char *text = NULL, *end;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    struct conf c, plain;
    char msg[256];

    (void)state;
    assert_non_null(f);
    conf_print_example(f);
    assert_int_equal(fclose(f), 0);
    assert_non_null(strstr(text, "# Environment: CITED_SERVER_THREADS\n"));
    end = strstr(text, "\n# Search providers");
    assert_non_null(end);
    *end = '\0';
    for (char *p = text; (p = strchr(p, '\n')) != NULL; p++)
        if (p[1] == '#' && p[2] >= 'a' && p[2] <= 'z')
            p[1] = '\n';
    assert_int_equal(load(&c, text, no_env, msg), ERR_OK);
    assert_int_equal(conf_load(&plain, "/dev/null", NULL, no_env, NULL), ERR_OK);
    assert_int_equal(c.page_bytes_max, plain.page_bytes_max);
    assert_int_equal(c.fetch_timeout_ms, plain.fetch_timeout_ms);
    assert_string_equal(c.user_agent, plain.user_agent);
    assert_string_equal(c.data_dir, plain.data_dir);
    conf_fini(&c);
    conf_fini(&plain);
    free(text);
}

static void data_paths_are_joined(void **state)
{
    struct conf c;
    struct arena a;

    (void)state;
    arena_init(&a, 4096);
    assert_int_equal(conf_load(&c, NULL, "/d", no_env, NULL), ERR_OK);
    assert_string_equal(conf_data_path(&c, &a, "state.db"), "/d/state.db");
    conf_fini(&c);
    assert_int_equal(conf_load(&c, NULL, "/d/", no_env, NULL), ERR_OK);
    assert_string_equal(conf_data_path(&c, &a, "state.db"), "/d/state.db");
    conf_fini(&c);
    arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_file_is_needed),
        cmocka_unit_test(the_file_sets_values),
        cmocka_unit_test(the_environment_wins_over_the_file),
        cmocka_unit_test(a_bad_environment_value_names_its_variable),
        cmocka_unit_test(the_file_is_found_where_it_usually_is),
        cmocka_unit_test(a_named_file_has_to_be_there),
        cmocka_unit_test(mistakes_are_named_by_file_line_and_key),
        cmocka_unit_test(a_nul_and_an_endless_line_are_refused),
        cmocka_unit_test(providers_have_free_keys),
        cmocka_unit_test(long_provider_values_are_whole),
        cmocka_unit_test(providers_and_their_keys_are_counted),
        cmocka_unit_test(the_example_is_a_file_of_the_defaults),
        cmocka_unit_test(data_paths_are_joined),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
