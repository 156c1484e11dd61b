/* The gate: what a sentence claims must be in the passage it cites. */
#include "answer/answer.h"

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
    CHECK({"Critics called it \"truly tragic street lamp\".", true, ""},
          {"Critics spoke of a \"tragic lamp\".", false, "quotation"},
          {"Critics spoke of a \xE2\x80\x9Ctragic tower\xE2\x80\x9D.", false,
           "quotation"});
}

static void names_must_be_there(void **state)
{
    CHECK({"The tower was completed by Gustave Eiffel's company.", true, ""},
          {"The tower was completed by Gustave Eiffel.", false, "one place"},
          {"The company of Gustave Flaubert completed it.", false, "Flaubert"},
          {"Maurice Koechlin completed the tower.", false, "Maurice"},
          {"It was completed in 1889.", true, ""});
}

static void denial_must_agree(void **state)
{
    CHECK({"It is the tallest tower in the world.", false, "denial"},
          {"The tower was never completed.", false, "denial"},
          {"It isn't the tallest tower of the world.", true, ""});
}

/* Every word of the false ones is in the passage. */
struct place {
    const char *passage, *claim;
    bool holds;
};

static const struct place places[] = {
    {"Germany defeated France in 1870.", "France defeated Germany in 1870.",
     false},
    {"Germany defeated France in 1870.", "In 1870 Germany defeated France.",
     true},
    {"Alice founded Acme in 1990. Bob founded Zeta in 2001.",
     "Bob founded Acme in 1990.", false},
    {"Alice founded Acme in 1990 and Bob founded Zeta in 2001.",
     "Alice founded Zeta in 2001.", false},
    {"Alice founded Acme in 1990 and Bob founded Zeta in 2001.",
     "Bob founded Zeta in 2001.", true},
    {"In 1990 Alice founded Acme and in 2001 Zeta.",
     "Alice founded Acme in 2001.", false},
    {"In 1990 Alice founded Acme and in 2001 Zeta.",
     "In 1990 Alice founded Acme.", true},
    {"In 2014, sales fell 5% and in 2015, sales rose 7%.",
     "In 2014, sales rose 7%.", false},
    {"In 2014, sales fell 5% and in 2015, sales rose 7%.",
     "In 2015, sales rose 7%.", true},
    {"In 2014, sales fell 5% and in 2015, sales rose 7%.",
     "Sales rose 7% in 2014.", false},
    {"In 2014, sales fell 5%, in 2015, sales rose 7%.",
     "In 2014, sales rose 7%.", false},
    {"Sales fell in 2014, rose in 2015.", "Sales fell in 2015.", false},
    {"Sales fell by 5% in Germany and 7% in France.",
     "Sales fell by 5% in France.", false},
    {"Sales fell by 5% in Germany and 7% in France.",
     "Sales fell by 5% in Germany.", true},
    {"Bob, who beat Alice, won the cup.", "Alice won the cup.", false},
    {"Bob, who beat Alice, won the cup.", "Bob won the cup.", true},
    {"After Bob beat Alice, Carol won the cup.", "Alice won the cup.", false},
    {"The mother of Alice founded Zeta.", "Alice founded Zeta.", false},
    {"Alice's brother founded Zeta.", "Alice founded Zeta.", false},
    {"Unlike Germany, France won the cup.", "Germany won the cup.", false},
    {"Acme bought Zeta.", "Acme was bought by Zeta.", false},
    {"Acme bought Zeta in Oslo.", "Acme was bought in Oslo.", false},
    {"Zeta was founded by Alice in Oslo.", "Zeta founded Alice in Oslo.",
     false},
    {"A is not fast but cheap.", "A is fast but not cheap.", false},
    {"The tower was not, as is often said, completed in 1889.",
     "The tower was completed in 1889.", false},
    {"He never finished the tower.", "He finished the tower.", false},
    {"The lock does not work over a network.", "The lock works over a network.",
     false},
    {"The tower may be closed in winter.", "The tower is closed in winter.",
     false},
    {"The tower is allegedly 330 metres tall.", "The tower is 330 metres tall.",
     false},
    {"A table holds at most 2000 columns.", "A table holds 2000 columns.",
     false},
    {"A table holds at most 2000 columns.",
     "A table holds at most 2,000 columns.", true},
    {"Some ravens are white.", "All ravens are white.", false},
    {"It was built before 1900.", "It was built after 1900.", false},
    {"It was built before 1900.", "It was built in 1900.", false},
    {"The value is 10-20 metres.", "The value is 20 metres.", false},
    {"Version 3.10 added the lock.", "Version 3.1 added the lock.", false},
    {"It fell to -5 degrees.", "It fell to 5 degrees.", false},
    {"It costs $5 million.", "It costs 5 million euros.", false},
    {"Alice met Bob in Oslo. He founded Zeta.", "Alice founded Zeta.", false},
    {"Acme bought Zeta. It makes cars.", "Acme makes cars.", false},
    {"Acme is a company of Oslo. It makes cars.", "Acme makes cars.", true},
    {"The Halden lighthouse was built in 1850. It has 196 steps.",
     "The Halden lighthouse has 196 steps.", true},
    {"The Halden lighthouse was built in 1850. It has 196 steps.",
     "The Halden lighthouse was built in 196.", false},
    {"The tower, named after Gustave Eiffel, was completed in 1889.",
     "The tower was completed in 1889.", true},
    {"The tower was completed in 1889. The bridge was opened in 1890.",
     "The tower was opened in 1890.", false},
    {"The tower was painted red because of rust.", "The tower was painted red.",
     true},
    {"The tower was painted red. It had rust.",
     "The tower was painted red because it had rust.", false},
    {"Prices increased in Norway.", "Prices decreased in Norway.", false},
    {"Der Turm ist nicht hoch.", "Der Turm ist hoch.", false},
    {"La tour n'est pas haute.", "La tour est haute.", false},
    {"It is a myth that the wall is visible.", "The wall is visible.", false},
    {"Sailors called the ferry \"a candle of stone\".",
     "Sailors called the ferry.", false},
    {"Lars repaired old ships in Oslo.", "Lars repaired old.", false},
    {"Lars repaired old ships in Oslo.", "Lars repaired old ships.", true},
    {"Fake gold was found in Oslo.", "Gold was found in Oslo.", false},
    {"Nobody says that the tower is safe.", "the tower is safe.", false},
    {"Nobody says that the tower is safe", "the tower is safe", false},
};

/* What says the same in other words, and what nearly does. */
static const struct place paraphrases[] = {
    {"The valve is opened by the pump.", "The pump opens the valve.", true},
    {"The valve is opened by the pump.", "The valve opens the pump.", false},
    {"The level can be set by turning the dial.",
     "You can set the level by turning the dial.", true},
    {"If the tank is empty, the alarm sounds.",
     "The alarm sounds if the tank is empty.", true},
    {"If the tank is empty, the alarm sounds.", "The alarm sounds.", false},
    {"The alarm sounds unless the tank is full.", "The alarm sounds.", false},
    {"The gate closes before the train arrives.",
     "The gate closes after the train arrives.", false},
    {"Because the road is steep, trucks use the tunnel.",
     "Trucks use the tunnel because the road is steep.", true},
    {"Trucks use the tunnel.", "Trucks use the tunnel because it is short.",
     false},
    {"The ferry carries ten cars.", "The ferry carries 10 cars.", true},
    {"The ferry carries 10 cars.", "The ferry transports ten cars.", true},
    {"The ferry carries 10 cars.", "The ferry carries eleven cars.", false},
    {"It opened on 2020-05-03 in Oslo.", "It opened on 3 May 2020 in Oslo.",
     true},
    {"It opened on 2020-05-03 in Oslo.", "It opened on 5 March 2020 in Oslo.",
     false},
    {"The only flag is 0x1.", "The only flag is 0x2.", false},
    {"The only flag is 0x10.", "The only flag is 16.", true},
    {"The sort uses only < comparisons.", "The sort uses only > comparisons.",
     false},
    {"The parser is written in C and small.", "The parser is written in C++.",
     false},
    {"The ferry is fast.", "Yes, the ferry is fast.", true},
    {"The ferry is fast.", "According to the manual, the ferry is fast.", true},
    {"The ferry is fast.", "According to a census of 1890, the ferry is fast.",
     false},
    {"Under article 34, duties are prohibited.",
     "Under article 42, duties are prohibited.", false},
    {"max_size\nThe largest number of entries. The default is 20.",
     "The max_size setting specifies the largest number of entries.", true},
    {"max_size\nThe largest number of entries.\nmin_size\nThe smallest number "
     "of entries.",
     "The min_size setting specifies the largest number of entries.", false},
    {"max_size\nIf set, entries are counted.",
     "If max_size is set, entries are counted.", true},
    {"The tower is old. It has a clock.", "The tower is old, and it has a clock.",
     true},
    {"The template is described below.", "The template is not described below.",
     false},
    {"A read-only database is small.", "A read database is small.", false},
    {"The door usually opens at noon.", "The door opens at noon.", false},
    {"Only members may enter the hall.", "Members may enter the hall.", false},
    {"The House of Lords met in June.", "The Lords of House met in June.", false},
    {"The value of a key is a row of cells.", "A key is a row of cells.", false},
    {"If the key is missing, the call\nreturns an error.",
     "returns an error.", false},
    {"The ferry is no longer in use.", "The ferry is not no longer in use.",
     false},
    {"A president is elected for three years.",
     "There is elected for three years.", false},
};

static void check_places(const struct place *v, size_t n)
{
    struct arena a;
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++) {
        const char *why = "";
        bool holds;

        arena_init(&a, 1 << 22);
        holds = verify_sentence(v[i].claim, v[i].passage, &why, &a);
        if (holds != v[i].holds) {
            print_message("%s | %s (%s)\n", v[i].passage, v[i].claim,
                          holds ? "holds" : why);
            wrong++;
        }
        arena_fini(&a);
    }
    assert_int_equal(wrong, 0);
}

static void one_place_must_say_all_of_it(void **state)
{
    (void)state;
    check_places(places, sizeof(places) / sizeof(places[0]));
}

static void other_words_may_say_the_same(void **state)
{
    (void)state;
    check_places(paraphrases, sizeof(paraphrases) / sizeof(paraphrases[0]));
}

static void a_quote_is_found_in_any_typography(void **state)
{
    static const char text[] = "He said: \xE2\x80\x9CIt\xE2\x80\x99s\xC2\xA0red "
                               "\xE2\x80\x93 or\n blue\xE2\x80\x9D. If so, go on.";
    struct arena a;
    const struct verify_text *t;
    struct span where;
    struct checked c;

    (void)state;
    arena_init(&a, 1 << 22);
    t = verify_text_read(text, &a);
    assert_non_null(t);
    assert_true(verify_quote(t, " It's  red - or blue\"", &where, &a));
    assert_int_equal(where.start, strlen("He said: \xE2\x80\x9C"));
    assert_int_equal(where.start + where.len,
                     strstr(text, ". If") - text);
    assert_false(verify_quote(t, "It's red or blue", &where, &a));
    c = verify_check(t, "Go on.", "go on", &a);
    assert_int_equal(c.verdict, VERDICT_REPAIRED);
    assert_int_equal(c.quote.start, strstr(text, "If so") - text);
    assert_int_equal(verify_check(t, "Go on.", "go off", &a).verdict,
                     VERDICT_UNSUPPORTED);
    arena_fini(&a);
}

/* What the rules leave to another judge, and what nobody may wave through. */
static void what_speaks_against_a_place_is_barred(void **state)
{
    static const char text[] =
        "wal_size\n\nIf the log grows beyond 16 MB, the server usually rotates "
        "it before the next checkpoint of PostgreSQL.";
    static const struct {
        const char *says;
        bool open;
    } cases[] = {
        {"When it grows past 16 MB, usually a rotation by the server happens "
         "before the next checkpoint of PostgreSQL, if wal_size is used.", true},
        {"The server usually swaps the log at 16 MB if it grows.", true},
        {"The server usually swaps the log at 32 MB if it grows.", false},
        {"The server usually swaps the log at 16 GB if it grows.", false},
        {"The server swaps the log at 16 MB if it grows.", false},
        {"The server usually swaps the log at 16 MB.", false},
        {"The server usually never swaps the log if it grows.", false},
        {"MySQL usually swaps the log if it grows, says MySQL.", false},
        {"The server usually swaps every log if it grows.", false},
        {"Usually the log is swapped after the checkpoint if it grows.",
         false},
        {"Usually it is swapped because it grows, if it is large.", false},
    };
    struct arena a;
    const struct verify_text *t;

    (void)state;
    arena_init(&a, 1 << 22);
    t = verify_text_read(text, &a);
    assert_non_null(t);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *why = "";
        struct span where = {10, strlen(text) - 10};
        struct checked c = verify_check(t, cases[i].says, text + 10, &a);

        assert_true(c.verdict > VERDICT_SUPPORTED);
        if (c.open != cases[i].open)
            fail_msg("%s", cases[i].says);
        assert_int_equal(verify_judged(cases[i].says, text, where, &why, &a),
                         cases[i].open);
    }
    arena_fini(&a);
}

struct foreign {
    const char *passage, *sentence;
    bool holds;
};

static void other_languages_have_their_numbers_dates_and_quotes(void **state)
{
    static const struct foreign c[] = {
        {"Der Turm ist 1.141,5 Meter hoch und steht seit dem 3. Mai 1788 auf "
         "dem Berg.",
         "Der Turm ist 1141,50 Meter hoch.", true},
        {"Der Turm ist 1.141,5 Meter hoch und steht seit dem 3. Mai 1788 auf "
         "dem Berg.",
         "Der Turm ist 1.141 Meter hoch und steht auf dem Berg.", false},
        {"Der Turm steht seit dem 3. Mai 1788 auf dem Berg und ist sehr hoch.",
         "Der Turm steht seit dem 3. Juni 1788 auf dem Berg.", false},
        {"Der Turm steht seit dem 3. Mai 1788 auf dem Berg und ist sehr hoch.",
         "Der Turm steht seit dem 3. Mai 1788 auf dem Berg.", true},
        {"Der Turm steht seit dem 3. Mai 1788 auf dem Berg und ist sehr hoch.",
         "Der Turm steht seit dem 4. Mai 1788 auf dem Berg.", false},
        {"Le pont mesure 18 000 mètres et le maire l'appelle « le serpent » "
         "depuis toujours.",
         "Le pont mesure 18000 mètres et le maire l'appelle « le serpent ».",
         true},
        {"Le pont mesure 18 000 mètres et le maire l'appelle « le serpent » "
         "depuis toujours.",
         "Le pont est « le dragon » du maire.", false},
        {"El teatro abrió el 9 de febrero de 1887 en la plaza de la ciudad.",
         "El teatro abrió el 9 de febrero de 1887 en la plaza.", true},
        {"El teatro abrió el 9 de febrero de 1887 en la plaza de la ciudad.",
         "El teatro abrió el 9 de marzo de 1887 en la plaza.", false},
        {"大桥于2003年9月28日通车，全长1830米。",
         "大桥于2003年９月２８日通车。", true},
        {"大桥于2003年9月28日通车，全长1830米。", "大桥在8月28日通车。", false},
        {"大桥于2003年9月28日通车，全长1830米。", "大桥全长1840米。", false},
        {"Библиотеку основала Мария Ковалёва, и она не закрыта.",
         "Она закрыта.", false},
        {"Библиотеку основала Мария Ковалёва, и она не закрыта.",
         "Библиотеку основала Анна Ковалёва.", false},
    };
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 22);
    for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
        const char *why = "";

        if (verify_sentence(c[i].sentence, c[i].passage, &why, &a) !=
            c[i].holds)
            fail_msg("%s (%s)", c[i].sentence, why);
    }
    arena_fini(&a);
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
        cmocka_unit_test(one_place_must_say_all_of_it),
        cmocka_unit_test(other_words_may_say_the_same),
        cmocka_unit_test(a_quote_is_found_in_any_typography),
        cmocka_unit_test(what_speaks_against_a_place_is_barred),
        cmocka_unit_test(other_languages_have_their_numbers_dates_and_quotes),
        cmocka_unit_test(odd_input_is_survived)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
