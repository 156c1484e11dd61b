/*
 * The floor of a crawl: curl_multi fetching every URL of standard input and
 * gumbo parsing each answer, in one thread, and nothing else.
 *
 *   fetch_floor CONNECTIONS < URLS      prints "pages bytes milliseconds"
 */
#include <curl/curl.h>
#include <gumbo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct page {
    char *data;
    size_t len, size;
};

static size_t take(char *p, size_t size, size_t n, void *user)
{
    struct page *g = user;

    if (g->len + n > g->size) {
        g->size = (g->len + n) * 2;
        g->data = realloc(g->data, g->size);
        if (g->data == NULL)
            return 0;
    }
    memcpy(g->data + g->len, p, n);
    g->len += n;
    return size * n;
}

static int add_next(CURLM *m)
{
    char url[2100];
    CURL *e;
    struct page *g;

    if (fgets(url, sizeof url, stdin) == NULL)
        return 0;
    url[strcspn(url, "\n")] = '\0';
    g = calloc(1, sizeof *g);
    e = curl_easy_init();
    if (g == NULL || e == NULL)
        exit(1);
    curl_easy_setopt(e, CURLOPT_URL, url);
    curl_easy_setopt(e, CURLOPT_PRIVATE, g);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, g);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(e, CURLOPT_PROXY, "");
    curl_multi_add_handle(m, e);
    return 1;
}

/* Parse and drop one finished page; returns its length. */
static size_t finish(CURLM *m, CURL *e)
{
    struct page *g;
    GumboOutput *tree;
    size_t len;

    curl_easy_getinfo(e, CURLINFO_PRIVATE, (char **)&g);
    len = g->len;
    if (len > 0) {
        tree = gumbo_parse_with_options(&kGumboDefaultOptions, g->data, len);
        gumbo_destroy_output(&kGumboDefaultOptions, tree);
    }
    curl_multi_remove_handle(m, e);
    curl_easy_cleanup(e);
    free(g->data);
    free(g);
    return len;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? strtol(argv[1], NULL, 10) : 8;
    struct timespec a, b;
    size_t bytes = 0;
    int pages = 0, running = 0, left;
    CURLMsg *msg;
    CURLM *m;

    curl_global_init(CURL_GLOBAL_DEFAULT);
    m = curl_multi_init();
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long i = 0; i < n && add_next(m); i++)
        running++;
    while (running > 0) {
        int active;

        curl_multi_perform(m, &active);
        while ((msg = curl_multi_info_read(m, &left)) != NULL) {
            if (msg->msg != CURLMSG_DONE)
                continue;
            bytes += finish(m, msg->easy_handle);
            pages++;
            running += add_next(m) - 1;
        }
        if (running > 0)
            curl_multi_poll(m, NULL, 0, 100, NULL);
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%d %zu %.1f\n", pages, bytes,
           (double)(b.tv_sec - a.tv_sec) * 1e3 +
               (double)(b.tv_nsec - a.tv_nsec) / 1e6);
    return 0;
}
