/*
 * What the fields of schemas are chosen among, each with its features and the
 * value it would give, as JSON lines. The tool that fits weights learns from
 * it.
 *
 *   choices DATA < questions        lines {"id","q","schema"}
 *   choices --features              lines KIND FEATURE FEATURE …
 *
 * By words alone. Prints
 * {"id","name","kind","choices":[{"v":[…],"from":N,"json":…}…]} for each field;
 * from is the same of what was found in the same place.
 */
#include "base/date.h"
#include "base/log.h"
#include "object/choice.h"
#include "search/search.h"
#include "store/db.h"

#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1 << 16, OUT_MAX = 64 << 20, PATIENCE_MS = 60000 };

extern char **environ;

static void choices_print(const char *id, const char *name, int kind,
                          const struct choices *all)
{
    struct json_out w;
    struct buf b;
    size_t from;

    buf_init(&b, OUT_MAX);
    jw_init(&w, &b);
    jw_object(&w);
    jw_kstring(&w, "id", id);
    jw_kstring(&w, "name", name);
    jw_kstring(&w, "kind", choice_kind_name(kind));
    jw_karray(&w, "choices");
    for (size_t i = 0; i < all->count; i++) {
        jw_object(&w);
        jw_karray(&w, "v");
        for (size_t k = 0; choice_feature_name(kind, k) != NULL; k++)
            jw_double(&w, all->at[i].v[k]);
        jw_array_end(&w);
        for (from = 0; all->at[from].from != all->at[i].from;)
            from++;
        jw_kint(&w, "from", (int64_t)from);
        jw_kraw(&w, "json", all->at[i].json);
        jw_object_end(&w);
    }
    jw_array_end(&w);
    jw_object_end(&w);
    puts(buf_str(&b));
    buf_fini(&b);
}

static enum err ask(const struct search_env *env, const char *line,
                    struct errctx *ec)
{
    struct search_params p = {.depth = DEPTH_STANDARD,
                              .output = OUTPUT_STRUCTURED,
                              .from_day = DAY_NONE,
                              .to_day = DAY_NONE,
                              .max_results = 1};
    struct search_result unused;
    struct json *root = NULL;
    struct arena a;
    enum err e =
        json_parse(line, strlen(line), &json_limits_request, &root, ec);

    if (e != ERR_OK)
        return e;
    arena_init(&a, (size_t)512 << 20);
    p.q = json_string(json_get(root, "q"));
    p.schema = json_get(root, "schema");
    e = search_run(env, &p, deadline_in(PATIENCE_MS),
                   json_string(json_get(root, "id")), &a, &unused, ec);
    arena_fini(&a);
    json_free(root);
    return e == ERR_NO_RESULT ? ERR_OK : e;
}

int main(int argc, char **argv)
{
    static char line[LINE_MAX_BYTES];
    struct errctx ec = {ERR_OK, ""};
    struct conf conf;
    struct store_files files;
    struct store store;
    struct search_env env = {.conf = &conf, .choices = choices_print};
    enum err e = ERR_OK;

    if (argc != 2)
        return 2;
    if (strcmp(argv[1], "--features") == 0) {
        for (int kind = 0; kind < CHOICE_KINDS; kind++) {
            fputs(choice_kind_name(kind), stdout);
            for (size_t k = 0; choice_feature_name(kind, k) != NULL; k++)
                printf(" %s", choice_feature_name(kind, k));
            puts("");
        }
        return 0;
    }
    log_set_level(LOG_ERROR);
    if (conf_load(&conf, NULL, argv[1], environ, &ec) != ERR_OK ||
        store_files_open(&conf, &files, &ec) != ERR_OK ||
        store_open(&files, &store, &ec) != ERR_OK) {
        fprintf(stderr, "choices: %s\n", ec.msg);
        return 1;
    }
    env.index = store.index;
    while (e == ERR_OK && fgets(line, sizeof line, stdin) != NULL)
        e = ask(&env, line, &ec);
    if (e != ERR_OK)
        fprintf(stderr, "choices: %s\n", ec.msg);
    store_close(&store);
    store_files_close(&files);
    conf_fini(&conf);
    return e != ERR_OK;
}
