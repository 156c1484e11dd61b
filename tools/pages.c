/*
 * The pages that a question finds, each with its features (find/page_score.h)
 * and its passages, as JSON lines. tools/weights.mjs learns from it.
 *
 *   pages DATA < questions            lines "id TAB question"
 *   pages --features                  their names
 *
 * By words alone. Prints {"id","pages":[{"url","v":[…],"text":[…]}…]}.
 */
#include "find/pages.h"
#include "base/date.h"
#include "find/ask.h"
#include "find/page_score.h"
#include "store/db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES = 40, LINE_MAX_BYTES = 16384 };

static void put_string(const char *z)
{
    putchar('"');
    for (; *z != '\0'; z++) {
        unsigned char c = (unsigned char)*z;

        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 32)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static enum err put_page(struct page_reader *r, const struct found_page *p,
                         struct arena *a)
{
    const struct candidate **list = arena_array(a, p->count, sizeof *list);
    double v[PAGE_FEATURES];

    if (list == NULL)
        return ERR_NOMEM;
    for (size_t i = 0; i < p->count; i++)
        list[i] = &p->passages[i];
    page_read(r, list, p->count, v);
    printf("{\"url\":");
    put_string(p->c->url);
    printf(",\"v\":[");
    for (size_t i = 0; i < PAGE_FEATURES; i++)
        printf("%s%.4g", i > 0 ? "," : "", v[i]);
    printf("],\"text\":[");
    for (size_t i = 0; i < p->count; i++) {
        printf("%s", i > 0 ? "," : "");
        put_string(list[i]->text);
    }
    printf("]}");
    return ERR_OK;
}

static enum err put_pages(const char *id, const struct query *q,
                          const struct found_page *pages, size_t n, double top,
                          struct arena *a)
{
    struct page_reader r;
    enum err e = ERR_OK;

    page_reader_init(&r, q, top);
    printf("{\"id\":");
    put_string(id);
    printf(",\"pages\":[");
    for (size_t i = 0; e == ERR_OK && i < n; i++) {
        printf("%s", i > 0 ? "," : "");
        e = put_page(&r, &pages[i], a);
    }
    printf("]}\n");
    return e;
}

/* As search.c finds pages for an answer. */
static enum err ask(const struct search_env *env, const char *id,
                    const char *text, struct arena *a, struct errctx *ec)
{
    struct search_params p = {.q = text,
                              .depth = DEPTH_STANDARD,
                              .output = OUTPUT_SOURCED,
                              .from_day = DAY_NONE,
                              .to_day = DAY_NONE};
    struct run r = {.env = env,
                    .p = &p,
                    .deadline = deadline_in(60000),
                    .id = id,
                    .a = a,
                    .ec = ec};
    struct provider_answer pa = {.provider = "index"};
    struct ranked *found = NULL;
    struct found_page *pages = NULL;
    size_t n = 0, count = 0;
    double top = 0;
    enum err e = ask_question(&r);

    if (e == ERR_OK)
        e = ask_index(&r, &r.q, ask_many(&p), &pa);
    if (e == ERR_OK)
        e = rank_all(&r.q, &r.filter, &pa, 1, false, env->index, a, &found, &n,
                     ec);
    for (size_t i = 0; i < n; i++)
        top = found[i].c.score > top ? found[i].c.score : top;
    if (e == ERR_OK)
        e = pages_rank(&r.q, found, n, PAGES, 0, a, &pages, &count);
    if (e != ERR_OK && e != ERR_NO_RESULT)
        return e;
    return put_pages(id, &r.q, pages, count, top, a);
}

static void features_print(void)
{
    for (size_t i = 0; i < PAGE_FEATURES; i++)
        printf("%s\n", page_feature_names[i]);
}

int main(int argc, char **argv)
{
    static char line[LINE_MAX_BYTES];
    struct errctx ec = {.msg = ""};
    struct conf conf = {.use_index = true};
    struct search_env env = {.conf = &conf};
    struct db_file *file = NULL;
    char path[4096];
    struct arena a;
    int rc = 0;

    if (argc != 2)
        return 2;
    if (strcmp(argv[1], "--features") == 0) {
        features_print();
        return 0;
    }
    snprintf(path, sizeof path, "%s/index.db", argv[1]);
    if (db_file_new(DB_INDEX, path, &file) != ERR_OK ||
        db_open(file, &env.index, &ec) != ERR_OK) {
        fprintf(stderr, "pages: %s\n", ec.msg);
        return 1;
    }
    arena_init(&a, (size_t)512 << 20);
    while (rc == 0 && fgets(line, sizeof line, stdin) != NULL) {
        char *tab = strchr(line, '\t');

        if (tab == NULL)
            continue;
        *tab = '\0';
        tab[1 + strcspn(tab + 1, "\n")] = '\0';
        if (ask(&env, line, tab + 1, &a, &ec) != ERR_OK) {
            fprintf(stderr, "pages: %s: %s\n", line, ec.msg);
            rc = 1;
        }
        arena_reset(&a);
    }
    arena_fini(&a);
    db_close(env.index);
    db_file_free(file);
    return rc;
}
