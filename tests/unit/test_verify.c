/* The gate: what a sentence claims must be in the passage it cites. */
#include "search/answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char passage[] =
    "The Eiffel Tower was completed on 31 March 1889 by Gustave Eiffel's "
    "company. It is 330 metres tall and weighs 10,100 tonnes. It received "
    "6.91 million visitors in 2015, about 75% from abroad. Critics called it "
    "a \"truly tragic street lamp\". It is not the tallest tower in the "
    "world. A database is limited to 281 terabytes (TB).";

struct check {
    const char *sentence;
    bool holds;
    const char *why; /* part of the reason */
};

static void check_all(const struct check *c, size_t n)
{
    struct arena a;

    arena_init(&a, 1 << 22);
    for (size_t i = 0; i < n; i++) {
        const char *why = "";
        bool holds = verify_sentence(c[i].sentence, passage, &why, &a);

        if (holds != c[i].holds)
            print_message("%s (%s)\n", c[i].sentence, why);
        assert_int_equal(holds, c[i].holds);
        if (!holds)
            assert_non_null(strstr(why, c[i].why));
    }
    arena_fini(&a);
}
#define CHECK(...)                                                             \
    static const struct check c[] = {__VA_ARGS__};                             \
    (void)state;                                                               \
    check_all(c, sizeof(c) / sizeof(c[0]))

static void what_stands_there_word_for_word_holds(void **state)
{
    CHECK({"It is 330 metres tall and weighs 10,100 tonnes.", true, ""},
          {"It is not the tallest tower in the world.", true, ""});
}

static void numbers_must_be_there(void **state)
{
    CHECK({"The tower is 330 metres tall.", true, ""},
          {"The tower is 331 metres tall.", false, "331"},
          {"The tower weighs 10100 tonnes.", true, ""},
          {"The tower weighs 10,101 tonnes.", false, "10101"},
          {"It received 6.910 million visitors.", true, ""},
          {"It received 6.9 million visitors.", false, "6.9"},
          {"It received 7 million visitors.", false, "7 million"},
          {"It has 30 metres.", false, "30"});
}

static void units_go_with_their_numbers(void **state)
{
    CHECK({"The tower is 330 m tall.", true, ""},
          {"The tower is 330 feet tall.", false, "330 foot"},
          {"About 75 percent came from abroad.", true, ""},
          {"About 75 million came from abroad.", false, "75 million"},
          {"The limit is 281 TB.", true, ""},
          {"The limit is 281 gigabytes.", false, "281 gigabyte"});
}

static void dates_keep_day_and_month_together(void **state)
{
    CHECK({"It was completed on March 31, 1889.", true, ""},
          {"It was completed on 31 May 1889.", false, "date"},
          {"It was completed on 31 March 1890.", false, "1890"},
          {"It was completed in March 1889.", true, ""});
}

static void quotations_must_be_there(void **state)
{
    CHECK({"Critics spoke of a \"truly tragic street lamp\".", true, ""},
          {"Critics spoke of a \"tragic lamp\".", false, "quotation"},
          {"Critics spoke of a \xE2\x80\x9Ctragic tower\xE2\x80\x9D.", false,
           "quotation"});
}

static void names_must_be_there(void **state)
{
    CHECK({"The company of Gustave Eiffel completed it.", true, ""},
          {"The company of Gustave Flaubert completed it.", false, "Flaubert"},
          {"Maurice Koechlin completed the tower.", false, "Maurice"},
          {"Completed was the tower in 1889.", true, ""});
}

static void denial_must_agree(void **state)
{
    CHECK({"It is the tallest tower in the world.", false, "denial"},
          {"The tower was never completed.", false, "denial"},
          {"It isn't the tallest tower of the world.", true, ""});
}

static void odd_input_is_survived(void **state)
{
    struct arena a;
    const char *why = "";

    (void)state;
    arena_init(&a, 1 << 22);
    assert_true(verify_sentence("", "", &why, &a));
    assert_true(verify_sentence("", passage, &why, &a));
    assert_false(verify_sentence("12,", "", &why, &a));
    assert_true(verify_sentence("\xFF\xFE \"", "x", &why, &a));
    assert_false(verify_sentence("1.2.3.4.5.6.7.8.9.0.1.2.3.4.5.6.7.8.9.0.1.2"
                                 ".3.4.5.6.7.8.9.0.1.2.3.4.5",
                                 "1.2", &why, &a));
    assert_false(verify_sentence("In 1999.", "x", NULL, &a));
    arena_fini(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_there_word_for_word_holds),
        cmocka_unit_test(numbers_must_be_there),
        cmocka_unit_test(units_go_with_their_numbers),
        cmocka_unit_test(dates_keep_day_and_month_together),
        cmocka_unit_test(quotations_must_be_there),
        cmocka_unit_test(names_must_be_there),
        cmocka_unit_test(denial_must_agree),
        cmocka_unit_test(odd_input_is_survived)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
