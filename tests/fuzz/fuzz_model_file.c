/*
 * libFuzzer: the encoder's file of weights. What is accepted gives vectors of
 * length 1, or says that it gives none, with every kernel. The first byte says
 * whether the checksum is set right, so that what it guards is reached.
 */
#include "fuzz.h"

#include "meaning/encoder.h"
#include "meaning/model_file.h"

#include <math.h>

static void check_kernel(const struct model_file *m, const struct kernel *k)
{
    static const char text[] =
        "Reading the files of a caf\xc3\xa9 \xe6\x9d\xb1 3.14";
    float v[ENCODER_WIDTH_MAX];
    double square = 0;

    if (encode_by(m, k, text, sizeof text - 1, v) != ERR_OK)
        return;
    for (size_t i = 0; i < m->shape.width; i++)
        square += (double)v[i] * v[i];
    HOLDS(fabs(square - 1) < 1e-3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str in = {(const char *)data, size};
    unsigned seal = fuzz_take(&in);
    size_t count, room = (in.n / MODEL_ALIGN + 1) * MODEL_ALIGN;
    const struct kernel *const *k = kernels(&count);
    struct errctx ec = {ERR_OK, ""};
    char *p = aligned_alloc(MODEL_ALIGN, room);
    struct model_file m;

    HOLDS(p != NULL);
    memcpy(p, in.n == 0 ? "" : in.p, in.n);
    if ((seal & 1) != 0)
        model_file_seal(p, in.n);
    if (model_file_read(p, in.n, "input", &m, &ec) == ERR_OK) {
        for (size_t i = 0; i < count; i++)
            check_kernel(&m, k[i]);
        model_file_close(&m);
    } else {
        HOLDS(ec.code == ERR_MALFORMED && ec.msg[0] != '\0');
    }
    free(p);
    return 0;
}
