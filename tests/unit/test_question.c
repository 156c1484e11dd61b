/* Questions in other languages, and signs of their answers; see
 * question/query.h. */
#include "question/evidence.h"
#include "question/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 8 << 20);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_fini(&arena);
    return 0;
}

static void the_kind_of_answer_shows_in_the_question_word(void **state)
{
    static const struct {
        const char *text;
        enum answer_type type;
    } cases[] = {
        {"Wie viele Einwohner hat die Stadt?", ANSWER_NUMBER},
        {"Was ist die Höhe des Berges?", ANSWER_NUMBER},
        {"In welchem Jahr wurde die Brücke gebaut?", ANSWER_DATE},
        {"Wer hat die Uhr gebaut?", ANSWER_PERSON},
        {"Wo liegt der See?", ANSWER_PLACE},
        {"Warum ist das Baden verboten?", ANSWER_REASON},
        {"Was ist eine Talsperre?", ANSWER_DEFINITION},
        {"Wie drucke ich die Kopfzeile auf jeder Seite?", ANSWER_HOWTO},
        {"Wie lässt man ein Paket auf seinem Stand?", ANSWER_HOWTO},
        {"Kann ich in dem Programm eine Datei öffnen, wenn sie alt ist?",
         ANSWER_YESNO},
        {"Welche Dateiformate kann das Programm lesen?", ANSWER_LIST},
        {"Welche Optionen gibt es für den Druck?", ANSWER_LIST},
        {"Welche Sprache ist die des Programms?", ANSWER_ANY},
        {"Wann soll ich die Datei sichern?", ANSWER_ANY},
        {"Wozu dient die Ebenenmaske?", ANSWER_DEFINITION},
        {"Was sind die Teile von einem Paket?", ANSWER_LIST},
        {"Comment puis-je imprimer la page dans le tableur ?", ANSWER_HOWTO},
        {"Peut-on ouvrir un fichier dans le logiciel ?", ANSWER_YESNO},
        {"Quels formats le logiciel prend-il en charge ?", ANSWER_LIST},
        {"À quoi sert le masque de calque ?", ANSWER_DEFINITION},
        {"¿Se puede abrir el archivo en la tabla?", ANSWER_YESNO},
        {"Hoe kan ik het bestand op de schijf zetten?", ANSWER_HOWTO},
        {"Combien de places y a-t-il dans le refuge ?", ANSWER_NUMBER},
        {"Quelle est la hauteur de la tour ?", ANSWER_NUMBER},
        {"Où se trouve le musée du verre ?", ANSWER_PLACE},
        {"Qu'est-ce qu'une verrerie ?", ANSWER_DEFINITION},
        {"¿Cuándo fue la erupción del volcán?", ANSWER_DATE},
        {"¿Por qué es roja el agua de la laguna?", ANSWER_REASON},
        {"¿Quién fundó el teatro de la ciudad?", ANSWER_PERSON},
        {"Quanti abitanti ha la città di Roma?", ANSWER_NUMBER},
        {"Qual è la dimensione massima della tabella?", ANSWER_NUMBER},
        {"Qual é o tamanho máximo da tabela?", ANSWER_NUMBER},
        {"Dove si trova il museo della città?", ANSWER_PLACE},
        {"Quem fundou a cidade de São Paulo?", ANSWER_PERSON},
        {"Hoeveel inwoners heeft de stad van het noorden?", ANSWER_NUMBER},
        {"Wat is de maximale grootte van een tabel?", ANSWER_NUMBER},
        {"Vem är det som skrev boken och när?", ANSWER_PERSON},
        {"Сколько книг в библиотеке?", ANSWER_NUMBER},
        {"Что такое акведук?", ANSWER_DEFINITION},
        {"В каком году построен мост?", ANSWER_DATE},
        {"青岚山有多高？", ANSWER_NUMBER},
        {"谁设计了大桥？", ANSWER_PERSON},
        {"什么是活字印刷？", ANSWER_DEFINITION},
        {"法国的首都是什么？", ANSWER_PLACE},
        {"橋はいつ開通しましたか？", ANSWER_DATE},
        {"透かしとは何ですか？", ANSWER_DEFINITION},
        {"なぜ凍らないのですか？", ANSWER_REASON},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct query q;

        assert_int_equal(query_parse(cases[i].text, &arena, &q), ERR_OK);
        if (q.type != cases[i].type)
            fail_msg("%s: %d, %s", cases[i].text, (int)q.type,
                     lang_code(q.lang));
        if (q.type == ANSWER_DEFINITION)
            assert_true(q.subject[0] != '\0');
    }
}

/* Read in a language that nothing but the index tells. */
static void a_name_alone_asks_what_it_is(void **state)
{
    static const struct {
        const char *text, *subject;
        enum lang lang;
    } cases[] = {
        {"sélection flottante", "sélection flottante", LANG_FR},
        {"tramage signification", "tramage", LANG_FR},
        {"Ebenenmaske Bedeutung", "Ebenenmaske", LANG_DE},
        {"Ebenenmaske", "Ebenenmaske", LANG_DE},
        {"auf der Platte", "", LANG_DE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct query q;

        assert_int_equal(query_parse(cases[i].text, &arena, &q), ERR_OK);
        assert_int_equal(query_read_as(&q, cases[i].lang), ERR_OK);
        assert_string_equal(q.subject, cases[i].subject);
        assert_int_equal(q.type == ANSWER_DEFINITION, q.subject[0] != '\0');
    }
}

static bool has_term(const struct query *q, const char *stem)
{
    for (size_t i = 0; i < q->term_count; i++)
        if (strcmp(q->terms[i].text, stem) == 0)
            return true;
    return false;
}

static void a_particle_at_the_end_belongs_to_the_verb(void **state)
{
    struct query q;

    (void)state;
    assert_int_equal(
        query_parse("Wie lege ich in dem Text ein Verzeichnis an?", &arena, &q),
        ERR_OK);
    assert_int_equal(q.lang, LANG_DE);
    assert_true(has_term(&q, "anleg"));
    assert_true(has_term(&q, "leg"));
    assert_int_equal(
        query_parse("Schalte ich das mit dem Knopf aus?", &arena, &q), ERR_OK);
    assert_true(has_term(&q, "ausschalt"));
    assert_int_equal(
        query_parse("Wie lege ich das Verzeichnis in den Text?", &arena, &q),
        ERR_OK);
    assert_false(has_term(&q, "anleg"));
}

static void a_sentence_with_the_answer_shows_more_signs(void **state)
{
    static const struct {
        const char *question, *answer, *other;
    } cases[] = {
        {"Wie viele Besucher hat das Museum in der Mühle?",
         "Das Museum zählt 23.500 Besucher.", "Seit 1962 ist es ein Museum."},
        {"Wer hat die Uhr gebaut?", "Der Uhrmacher Konrad Lindner baute sie.",
         "sie wurde dort gebaut."},
        {"Quand le pont a-t-il été inauguré ?",
         "Il fut inauguré le 12 octobre 1934.", "Le pont est long et beau."},
        {"¿Por qué es roja el agua de la laguna?",
         "Son rojas porque contienen algas.", "Las aguas son rojas."},
        {"Где находится озеро?", "Оно находится в Верхнебродском районе.",
         "Это озеро большое."},
        {"青岚山有多高？", "它海拔3286米。", "山上常年有雾。"},
        {"橋はいつ開通しましたか？", "2008年4月12日に開通した。",
         "橋は緑色に光る。"},
        {"How long may the call take?", "It may take five (5) seconds.",
         "This is section (5) of it."},
        {"What is the maximum size of the buffer?", "It is 4GB at most.",
         "It is 4 at most."},
        {"What is Brill?", "Brill is a fast tool for tidying logs.",
         "Brill uses three files of its own."},
        {"What is Brill?", "GNU Brill is a tool.",
         "brill-keeper is a tool of its own."},
        {"What is brill?", "brill - tidy the logs of a machine",
         "brill is considered active if the key is set."},
        {"What does WAL mean?", "WAL stands for write-ahead log.",
         "The file called WAL is large."},
        {"What is a tablet?", "A tablet is just a named place on a disk.",
         "What is in this box called a tablet?"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct query q;

        assert_int_equal(query_parse(cases[i].question, &arena, &q), ERR_OK);
        if (evidence_of(&q, cases[i].answer, strlen(cases[i].answer)) <=
            evidence_of(&q, cases[i].other, strlen(cases[i].other)))
            fail_msg("%s", cases[i].question);
    }
}

/* What a label names, and what it does not. */
static void a_label_names_the_subject(void **state)
{
    static const struct {
        const char *question, *label, *other;
    } cases[] = {
        {"What is a stash?", "stash: What was laid aside.",
         "<stash>: The one to show."},
        {"What is MVCC?", "Multi-version concurrency control (MVCC): A way.",
         "Multi-version files (see MVCC): A way."},
        {"What is WAL?", "Write-ahead log: The journal.", "WAL file: One."},
        {"What is VFS?", "VFS: What files stand on.", "vfs: Its name."},
        {"What is a foreign table?", "Foreign table (relation): One.",
         "pg_foreign_table: A catalog."},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *z = cases[i].label, *other = cases[i].other;
        struct query q;

        assert_int_equal(query_parse(cases[i].question, &arena, &q), ERR_OK);
        if (evidence_label(&q, z, strlen(z)) < 0.9 ||
            evidence_label(&q, other, strlen(other)) > 0.7)
            fail_msg("%s: %g, %g", cases[i].question,
                     evidence_label(&q, z, strlen(z)),
                     evidence_label(&q, other, strlen(other)));
    }
}

/* Pairs of characters overlap: nothing stands between them. The texts are
 * allocated to their last byte for the sanitizer's sake. */
static void signs_of_mixed_scripts_stay_within_the_sentence(void **state)
{
    static const char *const questions[] = {
        "Wie viele Einwohner hat die Stadt?", "Wer hat die Uhr gebaut?",
        "In welchem Jahr wurde die Brücke gebaut?",
        "¿Quién fundó el teatro de la ciudad?", "Сколько книг в библиотеке?"};
    static const char *const sentences[] = {"Die Stadt hat 東京タワーの高さ",
                                            "Uhr gebaut 12 東京タ",
                                            "1934 หอคอยสูง", "東京 東京タ"};

    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        for (size_t k = 0; k < sizeof sentences / sizeof sentences[0]; k++) {
            char *z = strdup(sentences[k]);
            struct query q;

            assert_int_equal(query_parse(questions[i], &arena, &q), ERR_OK);
            assert_true(evidence_of(&q, z, strlen(z)) >= 0);
            free(z);
        }
}

static void prose_of_any_language_is_prose(void **state)
{
    static const char *const sentences[] = {
        "Der Turm ist sehr alt und hoch.",
        "Библиотеку в городе основала учительница.",
        "長宁大桥由工程师周文海设计，全长1830米。",
        "館内には1500点の和紙が展示されている。",
    };

    (void)state;
    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        assert_true(evidence_prose(sentences[i], strlen(sentences[i])) > 0.95);
}

static void german_nouns_are_no_names(void **state)
{
    struct query q;

    (void)state;
    assert_int_equal(query_parse("Wo ist das Haus mit dem Garten?", &arena, &q),
                     ERR_OK);
    assert_true(q.names == 0);
    assert_int_equal(
        query_parse("Was hat die Frau Angela Merkel gesagt?", &arena, &q),
        ERR_OK);
    assert_true(q.names != 0);
    assert_int_equal(query_parse("Где родился Антон Чехов?", &arena, &q),
                     ERR_OK);
    assert_true(q.names != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kind_of_answer_shows_in_the_question_word),
        cmocka_unit_test(a_name_alone_asks_what_it_is),
        cmocka_unit_test(a_particle_at_the_end_belongs_to_the_verb),
        cmocka_unit_test(a_sentence_with_the_answer_shows_more_signs),
        cmocka_unit_test(a_label_names_the_subject),
        cmocka_unit_test(signs_of_mixed_scripts_stay_within_the_sentence),
        cmocka_unit_test(prose_of_any_language_is_prose),
        cmocka_unit_test(german_nouns_are_no_names),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
