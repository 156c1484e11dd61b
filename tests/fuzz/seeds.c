/*
 * The seeds of the fuzzers, each handed to its fuzzer once: what was found
 * before stays mended, and every fuzzer is known to work, without libFuzzer.
 * FUZZERS, from the Makefile, is X(name) for each of them; there,
 * LLVMFuzzerTestOneInput is called fuzz_name. Run in the project's folder.
 */
#include "suites.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What libFuzzer has for the mutators of ours; nothing is mutated here. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    (void)data;
    return size < max_size ? size : max_size;
}

static void replay(const char *folder,
                   int (*fuzzer)(const uint8_t *data, size_t size))
{
    DIR *dir = opendir(folder);
    struct dirent *e;
    size_t count = 0;

    assert_non_null(dir);
    while ((e = readdir(dir)) != NULL) {
        char path[300], *data;
        size_t n = 0;

        if (e->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        print_message("%s\n",
                      path); /* the last one, if it does not come back */
        data = suite_read(path, &n);
        assert_non_null(data);
        assert_int_equal(fuzzer((uint8_t *)data, n), 0);
        free(data);
        count++;
    }
    closedir(dir);
    assert_true(count > 0);
}

#define X(name)                                                                \
    int fuzz_##name(const uint8_t *data, size_t size);                         \
    static void name##_takes_its_seeds(void **state)                           \
    {                                                                          \
        (void)state;                                                           \
        replay("tests/fuzz/seeds/" #name, fuzz_##name);                        \
    }
FUZZERS
#undef X

int main(void)
{
#define X(name) cmocka_unit_test(name##_takes_its_seeds),
    const struct CMUnitTest tests[] = {FUZZERS};
#undef X

    return cmocka_run_group_tests(tests, NULL, NULL);
}
