/* cited doctor, the encoder of sentences: does its file load, what computes,
 * how fast; and how many passages have their vectors, and those of words. */
#include "prog/cli_doctor.h"

#include "meaning/encoder.h"
#include "meaning/vectors.h"

#include <string.h>
#include <time.h>

enum { TIMES = 5, SLOW_MS = 60 };

/* Milliseconds of one question, the quickest of some. */
static double question_ms(const struct encoder *e)
{
    static const char text[] = "how do I find what I have not the words for?";
    float v[ENCODER_WIDTH_MAX];
    double least = -1;

    for (int i = 0; i < TIMES; i++) {
        struct timespec a, b;
        double ms;

        clock_gettime(CLOCK_MONOTONIC, &a);
        if (encode(e, text, sizeof text - 1, v) != ERR_OK)
            return -1;
        clock_gettime(CLOCK_MONOTONIC, &b);
        ms = (double)(b.tv_sec - a.tv_sec) * 1e3 +
             (double)(b.tv_nsec - a.tv_nsec) / 1e6;
        least = least < 0 || ms < least ? ms : least;
    }
    return least;
}

/* Vectors of passages that were replaced are still counted. */
static void check_vectors(struct doctor *d, const struct encoder *e,
                          const char *file, enum finding_kind lack,
                          const char *name)
{
    const char *path = conf_data_path(&d->cli->conf, &d->cli->arena, file);
    struct vectors *v = NULL;
    long long have, want = (long long)d->index.passages;

    if (path == NULL || e == NULL ||
        vectors_new(path, encoder_name(e), encoder_width(e), &v) != ERR_OK)
        return;
    have = (long long)vectors_count(v);
    vectors_free(v);
    if (have < want)
        doctor_bad(d, lack, "%lld of %lld passages have no vector yet",
                   want - have, want);
    else
        doctor_ok(d, name, "%lld, of %lld passages", have, want);
}

void doctor_check_meaning(struct doctor *d)
{
    const char *path = d->cli->conf.meaning_model;
    struct errctx ec = {ERR_OK, ""};
    struct encoder *e = NULL;
    double ms;

    if (d->has_data)
        check_vectors(d, encoder_words(), VECTORS_OF_WORDS_FILE,
                      FOUND_NO_VECTORS_OF_WORDS, "vectors-of-words");
    if (*path == '\0')
        return;
    if (encoder_open(path, &e, &ec) != ERR_OK) {
        doctor_bad(d, FOUND_ENCODER_BROKEN, "%s", ec.msg);
        return;
    }
    ms = question_ms(e);
    if (ms < 0)
        doctor_bad(d, FOUND_ENCODER_EMPTY, "%s makes no vectors", path);
    else if (ms > SLOW_MS)
        doctor_bad(d, FOUND_ENCODER_SLOW, "a question takes %.0f ms with %s",
                   ms, encoder_kernel(e));
    else
        doctor_ok(d, "meaning", "%s loads; %.1f ms a question with %s", path,
                  ms, encoder_kernel(e));
    if (ms >= 0 && d->has_data)
        check_vectors(d, e, VECTORS_FILE, FOUND_NO_VECTORS, "vectors");
    encoder_close(e);
}
