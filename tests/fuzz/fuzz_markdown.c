/*
 * libFuzzer: any UTF-8 through the Markdown and the plain-text reader, and
 * the tokenizer over it. Outputs are UTF-8; tokens walk forward inside the
 * text.
 */
#include "base/str.h"
#include "text/html.h"
#include "text/passage.h"
#include "text/terms.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void check_terms(const char *z, size_t n)
{
    struct term_iter it;
    struct term t;
    size_t last = 0;

    terms_init(&it, z, n);
    while (terms_next(&it, &t)) {
        check(t.len <= TERM_MAX && t.text[t.len] == '\0');
        check(t.start >= last && t.start < t.end && t.end <= n);
        check(utf8_valid(t.text, t.len));
        last = t.start;
    }
}

static void check_doc(const struct page_doc *doc, struct arena *a)
{
    struct passage_text *p;
    size_t count;

    for (size_t i = 0; i < doc->block_count; i++)
        check(utf8_valid(doc->blocks[i].text, strlen(doc->blocks[i].text)));
    if (passages_cut(doc, a, &p, &count) == ERR_OK)
        for (size_t i = 0; i < count; i++)
            check(strlen(p[i].text) <= PASSAGE_BYTES_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a;
    struct page_doc doc;
    const char *z;
    size_t n;

    check_terms((const char *)data, size);
    arena_init(&a, (size_t)64 << 20);
    if (html_to_utf8((const char *)data, size, "utf-8", &a, &z, &n) == ERR_OK) {
        if (markdown_parse(z, n, NULL, &a, &doc) == ERR_OK)
            check_doc(&doc, &a);
        if (plain_parse(z, n, &a, &doc) == ERR_OK)
            check_doc(&doc, &a);
    }
    arena_fini(&a);
    return 0;
}
