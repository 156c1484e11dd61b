/*
 * libFuzzer: any bytes through the charset, the parser, the
 * passages and the Markdown writer. Holds what callers rely on: outputs are
 * UTF-8, passages keep their caps and offsets.
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

static void check_passages(const struct page_doc *doc, struct arena *a)
{
    struct passage_text *p;
    size_t count, start = 0;

    if (passages_cut(doc, a, &p, &count) != ERR_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        struct span *spans;
        size_t n = strlen(p[i].text), k;

        check(p[i].start == start);
        check(n > 0 && n <= PASSAGE_BYTES_MAX && utf8_valid(p[i].text, n));
        check(strlen(p[i].heading) <= 300); /* a path of 200 and an entry */
        start += n + 2;
        check(sentences_split(p[i].text, n, a, &spans, &k) == ERR_OK);
        for (size_t s = 0; s < k; s++)
            check(spans[s].len > 0 && spans[s].start + spans[s].len <= n &&
                  (s == 0 ||
                   spans[s].start >= spans[s - 1].start + spans[s - 1].len));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char address[] = "http://a.example/b/c.html";
    struct arena a;
    struct url base;
    struct page_doc doc;
    struct errctx ec;
    const char *z, *markdown, *why = NULL;
    size_t n;

    arena_init(&a, (size_t)64 << 20);
    if (url_parse(address, sizeof address - 1, NULL, &a, &base, &ec) ==
            ERR_OK &&
        html_to_utf8((const char *)data, size, NULL, &a, &z, &n) == ERR_OK) {
        check(utf8_valid(z, n));
        (void)html_fragment_text(z, n, &a);
        check(strlen(text_language(z, n)) <= 2);
        if (html_parse(z, n, &base, &a, &doc, &ec) == ERR_OK) {
            for (size_t i = 0; i < doc.block_count; i++)
                check(
                    utf8_valid(doc.blocks[i].text, strlen(doc.blocks[i].text)));
            check(utf8_valid(doc.title, strlen(doc.title)));
            check_passages(&doc, &a);
            check(page_is_refusal(&doc, &why) == (why != NULL));
            if (page_markdown(&doc, &a, &markdown) != ERR_OK)
                check(arena_failed(&a));
        }
    }
    arena_fini(&a);
    return 0;
}
