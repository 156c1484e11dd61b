/*
 * What the writer sees of a question: the units of the pages found, each with
 * its features, as JSON lines. The tool that fits weights learns from it.
 *
 *   units DATA [K] < questions        lines "id TAB question"
 *
 * With the vectors of words, or with the encoder where CITED_MEANING_MODEL
 * names one and DATA holds its vectors, or with neither where it is "none".
 *
 * Prints {"id","pages":[url…],"units":[{"page","score","words","text","v"}…]}.
 */
#include "answer/unit_list.h"
#include "base/date.h"
#include "find/ask.h"
#include "find/meaning_find.h"
#include "find/provider.h"
#include "store/db.h"
#include "json/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOUND = 150, LINE_MAX_BYTES = 16384 };

static void put_string(const char *z, size_t n)
{
    putchar('"');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)z[i];

        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 32)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void put_text(const struct units *u, const struct unit *x)
{
    const struct part *v = u->parts[x->page];

    printf(",\"text\":[");
    for (size_t i = x->from, start, len, n = 0; i <= unit_end(x); i++)
        if (unit_says(u, x, i, &start, &len)) {
            printf("%s", n++ > 0 ? "," : "");
            put_string(v[i].c->text + start, len);
        }
    printf("]");
}

static void put_units(const char *id, const struct query *q,
                      const struct found_page *pages, size_t n,
                      const struct units *u, size_t k)
{
    printf("{\"id\":");
    put_string(id, strlen(id));
    printf(",\"type\":%d,\"pages\":[", (int)q->type);
    for (size_t i = 0; i < n; i++) {
        printf("%s", i > 0 ? "," : "");
        put_string(pages[i].c->url, strlen(pages[i].c->url));
    }
    printf("],\"units\":[");
    for (size_t i = 0; i < u->count && i < k; i++) {
        const struct unit *x = &u->v[i];

        printf("%s{\"page\":%zu,\"from\":%zu,\"to\":%zu,\"words\":%zu,"
               "\"score\":%.4f,\"section\":%zu,\"seq\":%lld,\"heading\":",
               i > 0 ? "," : "", x->page, x->from, x->to, x->words, x->score,
               u->parts[x->page][x->from].section,
               (long long)u->parts[x->page][x->from].c->seq);
        put_string(u->parts[x->page][x->from].c->heading,
                   strlen(u->parts[x->page][x->from].c->heading));
        put_text(u, x);
        printf(",\"v\":[");
        for (size_t f = 0; f < FEATURE_COUNT; f++)
            printf("%s%.4g", f > 0 ? "," : "", x->v[f]);
        printf("]}");
    }
    printf("]}\n");
}

static enum err ask(struct db *index, struct meaning *m, const char *id,
                    const char *text, size_t k, struct arena *a,
                    struct errctx *ec)
{
    struct index_filter f = {.day_from = DAY_NONE, .day_to = DAY_NONE};
    struct provider_answer pa = {.provider = "index", .outcome = OUTCOME_OK};
    struct deadline d = deadline_in(60000);
    struct ranked *found = NULL;
    struct found_page *pages = NULL;
    struct units u = {.v = NULL};
    const struct index_term *terms;
    struct query q;
    size_t n = 0, count = 0, asked = 0;
    enum err e = query_parse(text, a, &q);

    if (e == ERR_OK)
        e = question_weigh(&q, index, NULL, ec);
    if (e == ERR_OK)
        e = meaning_read(m, index, &q);
    if (e != ERR_OK)
        return e;
    terms = terms_asked(&q, a, &asked);
    if (terms == NULL)
        return ERR_NOMEM;
    e = index_query(index, terms, asked, &f, FOUND, &d, a, &pa.found, &pa.count,
                    ec);
    if (e == ERR_NO_RESULT)
        e = ERR_OK;
    if (e == ERR_OK && pa.count > 0)
        e = introductions_find(index, &q, &f, &d, a, &pa, ec);
    if (e == ERR_OK)
        e = meaning_fuse(m, index, &q, &f, FOUND, a, &pa.found, &pa.count, ec);
    if (e == ERR_OK)
        e = rank_all(&q, &f, &pa, 1, false, index, a, &found, &n, ec);
    if (e == ERR_OK)
        e = pages_rank(&q, found, n, PAGES_READ, PAGE_PASSAGES, a, &pages,
                       &count);
    if (e == ERR_OK)
        e = pages_open(index, m, &q, pages, pages_whole(&q, count),
                       PAGE_PASSAGES, a, ec);
    if (e == ERR_OK)
        e = units_cut(&q, pages, count, UNIT_WHOLE, &d, a, &u);
    if (e == ERR_OK)
        put_units(id, &q, pages, count, &u, k);
    return e;
}

int main(int argc, char **argv)
{
    static char line[LINE_MAX_BYTES];
    struct errctx ec = {.msg = ""};
    struct db_file *file = NULL;
    struct db *index = NULL;
    struct conf conf = {.meaning_model = getenv("CITED_MEANING_MODEL")};
    struct meaning *meaning = NULL;
    char path[4096];
    struct arena a;
    int rc = 0;

    if (argc < 2)
        return 2;
    if (argc == 2 && strcmp(argv[1], "--features") == 0) {
        for (size_t f = 0; f < FEATURE_COUNT; f++)
            printf("%s\n", feature_names[f]);
        return 0;
    }
    snprintf(path, sizeof(path), "%s/index.db", argv[1]);
    if (db_file_new(DB_INDEX, path, &file) != ERR_OK ||
        db_open(file, &index, &ec) != ERR_OK) {
        fprintf(stderr, "units: %s\n", ec.msg);
        return 1;
    }
    conf.data_dir = argv[1];
    if (conf.meaning_model == NULL)
        conf.meaning_model = "";
    if (strcmp(conf.meaning_model, "none") != 0 &&
        meaning_new(&conf, &meaning) != ERR_OK) {
        fputs("units: out of memory\n", stderr);
        return 1;
    }
    arena_init(&a, (size_t)512 << 20);
    while (rc == 0 && fgets(line, sizeof(line), stdin) != NULL) {
        char *tab = strchr(line, '\t');

        if (tab == NULL)
            continue;
        *tab = '\0';
        tab[1 + strcspn(tab + 1, "\n")] = '\0';
        if (ask(index, meaning, line, tab + 1,
                argc > 2 ? (size_t)atol(argv[2]) : 96, &a, &ec) != ERR_OK) {
            fprintf(stderr, "units: %s: %s\n", line, ec.msg);
            rc = 1;
        }
        arena_reset(&a);
    }
    arena_fini(&a);
    meaning_free(meaning);
    db_close(index);
    db_file_free(file);
    return rc;
}
