/*
 * make meaning: published weights to the one file that the programs map, and
 * what it is worth.
 *
 *   meaning convert FOLDER FILE     model.*.safetensors, tokenizer.json and
 *                                   config.json of FOLDER to FILE
 *   meaning encode FILE [KERNEL]    lines of standard input to vectors of
 *                                   float32 on standard output
 *   meaning float FOLDER            the same by the published weights, in
 *                                   plain floating point: what encode is
 *                                   held against
 *   meaning compare A B WIDTH       the cosines of what two of these wrote
 *   meaning speed FILE [KERNEL]     passages a second, milliseconds a question
 */
#include "must.h"
#include "meaning/encoder.h"
#include "meaning/model_file.h"
#include "meaning/wordpiece.h"
#include "json/json.h"

#include "../tests/support/bert_float.h"

#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1 << 16, TENSORS_BYTES_MAX = 1 << 20 };

/* A file, mapped until the end; *size its bytes. */
static const char *map_file(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY);
    struct stat st;
    void *p;

    if (fd < 0 || fstat(fd, &st) != 0 || st.st_size < 8)
        die(path, "cannot be read");
    p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        die(path, "cannot be mapped");
    close(fd);
    *size = (size_t)st.st_size;
    return p;
}

static struct json *parse(const char *path, const char *p, size_t n)
{
    struct errctx ec = {ERR_OK, ""};
    struct json *root;

    if (json_parse(p, n, &json_limits_foreign, &root, &ec) != ERR_OK)
        die(path, ec.msg);
    return root;
}

static struct json *parse_file(const char *folder, const char *name)
{
    char path[4096];
    const char *p;
    size_t n;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    p = map_file(path, &n);
    return parse(path, p, n);
}

/* --- safetensors: bytes of a JSON header, the header, numbers ---------------
 */

struct tensors {
    const char *path, *data;
    size_t size; /* of data */
    struct json *head;
};

static struct tensors tensors_open(const char *folder)
{
    struct tensors t;
    uint64_t head;
    char pattern[4096];
    const char *p;
    size_t n;
    glob_t g;

    snprintf(pattern, sizeof pattern, "%s/*.safetensors", folder);
    if (glob(pattern, 0, NULL, &g) != 0)
        die(pattern, "no such file");
    t.path = g.gl_pathv[0];
    p = map_file(t.path, &n);
    memcpy(&head, p, sizeof head);
    if (head > TENSORS_BYTES_MAX || head > n - 8)
        die(t.path, "its header is cut");
    t.head = parse(t.path, p + 8, (size_t)head);
    t.data = p + 8 + head;
    t.size = n - 8 - (size_t)head;
    return t;
}

/* IEEE 754 binary16. */
static float half(uint16_t h)
{
    int e = h >> 10 & 31;
    float m = (float)(h & 1023), v;

    v = e == 0 ? ldexpf(m, -24) : ldexpf(m + 1024, e - 25);
    return h & 0x8000 ? -v : v;
}

static const struct json *second(const struct json *array)
{
    return json_next(json_first(array));
}

/* The tensor called prefix and name: count numbers. */
static const float *tensor(const struct tensors *t, const char *prefix,
                           const char *name, size_t count)
{
    char full[256];
    const struct json *v, *range;
    const char *type;
    int64_t from = -1, to = -1;
    size_t size;
    float *out;

    snprintf(full, sizeof full, "%s%s", prefix, name);
    v = json_get(t->head, full);
    type = json_string(json_get(v, "dtype"));
    range = json_get(v, "data_offsets");
    if (type == NULL || !json_is_whole(json_first(range), &from) ||
        !json_is_whole(second(range), &to) || from < 0 || to < from ||
        (uint64_t)to > t->size)
        die(full, "is not in the file of weights, or not as it must be");
    size = strcmp(type, "F16") == 0 ? 2 : strcmp(type, "F32") == 0 ? 4 : 0;
    if (size == 0 || (size_t)(to - from) != count * size)
        die(full, "is of another type or size than it must be");
    out = must(malloc(count * sizeof *out));
    for (size_t i = 0; i < count; i++) {
        const char *at = t->data + from + i * size;
        uint16_t h;

        if (size == 4) {
            memcpy(&out[i], at, 4);
            continue;
        }
        memcpy(&h, at, sizeof h);
        out[i] = half(h);
    }
    return out;
}

static struct source_matrix matrix(const struct tensors *t, const char *prefix,
                                   const char *name, size_t in, size_t out)
{
    char weight[128], bias[128];

    snprintf(weight, sizeof weight, "%s.weight", name);
    snprintf(bias, sizeof bias, "%s.bias", name);
    return (struct source_matrix){tensor(t, prefix, weight, in * out),
                                  tensor(t, prefix, bias, out)};
}

/* --- the whole model --------------------------------------------------------
 */

static uint32_t setting(const struct json *config, const char *name)
{
    int64_t v;

    if (!json_is_whole(json_get(config, name), &v) || v < 0 || v > 1 << 24)
        die("config.json", name);
    return (uint32_t)v;
}

static void vocabulary(const struct json *tokenizer, struct model_source *s)
{
    const struct json *v = json_get(json_get(tokenizer, "model"), "vocab");
    const char **words = must(calloc(s->shape.words, sizeof *words));

    for (v = json_first(v); v != NULL; v = json_next(v)) {
        int64_t id;

        if (!json_is_whole(v, &id) || id < 0 || id >= s->shape.words)
            die("tokenizer.json", "a word has no number");
        words[id] = json_name(v);
        if (strcmp(words[id], "[UNK]") == 0)
            s->shape.unknown = (uint32_t)id;
        else if (strcmp(words[id], "[CLS]") == 0)
            s->shape.first = (uint32_t)id;
        else if (strcmp(words[id], "[SEP]") == 0)
            s->shape.last = (uint32_t)id;
    }
    for (uint32_t i = 0; i < s->shape.words; i++)
        if (words[i] == NULL)
            die("tokenizer.json", "a number has no word");
    s->words = words;
}

static void layer(const struct tensors *t, uint32_t i,
                  const struct model_shape *s, struct source_layer *l)
{
    char p[64];

    snprintf(p, sizeof p, "encoder.layer.%u.", i);
    l->query = matrix(t, p, "attention.self.query", s->width, s->width);
    l->key = matrix(t, p, "attention.self.key", s->width, s->width);
    l->value = matrix(t, p, "attention.self.value", s->width, s->width);
    l->mixed = matrix(t, p, "attention.output.dense", s->width, s->width);
    l->up = matrix(t, p, "intermediate.dense", s->width, s->inner);
    l->down = matrix(t, p, "output.dense", s->inner, s->width);
    l->mixed_gain = tensor(t, p, "attention.output.LayerNorm.weight", s->width);
    l->mixed_bias = tensor(t, p, "attention.output.LayerNorm.bias", s->width);
    l->down_gain = tensor(t, p, "output.LayerNorm.weight", s->width);
    l->down_bias = tensor(t, p, "output.LayerNorm.bias", s->width);
}

static void source_open(const char *folder, struct model_source *out)
{
    struct json *config = parse_file(folder, "config.json");
    struct tensors t = tensors_open(folder);
    struct model_shape *s = &out->shape;
    const char *e = "embeddings.";

    *s = (struct model_shape){.words = setting(config, "vocab_size"),
                              .width = setting(config, "hidden_size"),
                              .layers = setting(config, "num_hidden_layers"),
                              .heads = setting(config, "num_attention_heads"),
                              .inner = setting(config, "intermediate_size"),
                              .positions =
                                  setting(config, "max_position_embeddings")};
    if (s->layers > MODEL_LAYERS_MAX)
        die("config.json", "too many layers");
    vocabulary(parse_file(folder, "tokenizer.json"), out);
    out->word =
        tensor(&t, e, "word_embeddings.weight", (size_t)s->words * s->width);
    out->position = tensor(&t, e, "position_embeddings.weight",
                           (size_t)s->positions * s->width);
    out->type = tensor(&t, e, "token_type_embeddings.weight",
                       (size_t)setting(config, "type_vocab_size") * s->width);
    out->gain = tensor(&t, e, "LayerNorm.weight", s->width);
    out->bias = tensor(&t, e, "LayerNorm.bias", s->width);
    for (uint32_t i = 0; i < s->layers; i++)
        layer(&t, i, s, &out->layer[i]);
    /* No text is longer than the encoder reads. */
    if (s->positions > ENCODER_TOKENS_MAX)
        s->positions = ENCODER_TOKENS_MAX;
}

static int convert(const char *folder, const char *path)
{
    static struct model_source s;
    char aside[4096];
    size_t size;
    void *p;
    FILE *f;

    source_open(folder, &s);
    if (model_file_make(&s, &p, &size) != ERR_OK)
        die(folder, "not an encoder of a shape that is known");
    snprintf(aside, sizeof aside, "%s.part", path);
    f = fopen(aside, "wb");
    if (f == NULL || fwrite(p, 1, size, f) != size || fflush(f) != 0 ||
        fsync(fileno(f)) != 0 || fclose(f) != 0 || rename(aside, path) != 0)
        die(path, "cannot be written");
    printf("%s: %.1f MB, vectors of %u numbers\n", path, (double)size / 1e6,
           s.shape.width);
    return 0;
}

/* --- what it is worth --------------------------------------------------------
 */

/* A model and the kernel of that name, or the best. */
struct chosen {
    struct model_file file;
    const struct kernel *kernel;
};

static struct chosen choose(const char *path, const char *kernel)
{
    struct errctx ec = {ERR_OK, ""};
    size_t count;
    const struct kernel *const *k = kernels(&count);
    struct chosen c = {.kernel = kernel == NULL ? k[0] : NULL};

    for (size_t i = 0; i < count && kernel != NULL; i++)
        if (strcmp(k[i]->name, kernel) == 0)
            c.kernel = k[i];
    if (c.kernel == NULL)
        die(kernel, "no such kernel on this processor");
    if (model_file_open(path, &c.file, &ec) != ERR_OK)
        die("model", ec.msg);
    return c;
}

static void vector_of(const struct chosen *c, const char *text, size_t n,
                      float *out)
{
    if (encode_by(&c->file, c->kernel, text, n, out) != ERR_OK)
        die("model", "makes no vector");
}

static int encode_lines(const char *path, const char *kernel)
{
    struct chosen c = choose(path, kernel);
    static char line[LINE_MAX_BYTES];
    float v[ENCODER_WIDTH_MAX];

    while (fgets(line, sizeof line, stdin) != NULL) {
        vector_of(&c, line, strcspn(line, "\n"), v);
        fwrite(v, sizeof *v, c.file.shape.width, stdout);
    }
    return 0;
}

static int float_lines(const char *folder)
{
    static struct model_source s;
    static char line[LINE_MAX_BYTES];
    uint32_t ids[ENCODER_TOKENS_MAX];
    float v[ENCODER_WIDTH_MAX];
    struct model_file words;
    size_t size;
    void *p;

    source_open(folder, &s);
    if (model_file_make(&s, &p, &size) != ERR_OK ||
        model_file_read(p, size, folder, &words, NULL) != ERR_OK)
        die(folder, "not an encoder of a shape that is known");
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t n = wordpiece(&words, line, strcspn(line, "\n"), ids, NULL,
                             s.shape.positions);

        bert_float(&s, ids, n, v);
        fwrite(v, sizeof *v, s.shape.width, stdout);
    }
    return 0;
}

/* Seconds of processor time of this process: other work does not count. */
static double spent(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Texts like this one a second. */
static double rate(const struct chosen *c, const char *text, double seconds)
{
    float v[ENCODER_WIDTH_MAX];
    double start = 0;
    int n = -1; /* the first is not measured */

    for (; n < 1 || spent() - start < seconds; n++) {
        vector_of(c, text, strlen(text), v);
        if (n < 0)
            start = spent();
    }
    return n / (spent() - start);
}

static int speed(const char *path, const char *kernel)
{
    struct chosen c = choose(path, kernel);
    char passage[1024] = "";

    for (int i = 0; i < 126; i++) /* with both ends 128 tokens */
        strcat(passage, i % 3 == 0 ? "the " : i % 3 == 1 ? "small " : "word ");
    printf("%s: %.1f passages of 128 tokens a second, %.2f ms a question\n",
           c.kernel->name, rate(&c, passage, 3),
           1000 / rate(&c, "how do I delete a file that is open somewhere", 1));
    return 0;
}

static int by_size(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;

    return a < b ? -1 : a > b;
}

/* The cosines of the vectors of two files, one for one. */
static int compare(const char *one, const char *other, const char *width)
{
    size_t n, more, w = (size_t)strtoul(width, NULL, 10);
    const char *p = map_file(one, &n), *q = map_file(other, &more);
    size_t count = w == 0 ? 0 : n / (w * sizeof(float));
    double *c, sum = 0;

    if (n != more || count == 0)
        die(other, "has not as many vectors");
    c = must(calloc(count, sizeof *c));
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < w; k++) {
            float a, b;

            memcpy(&a, p + (i * w + k) * sizeof a, sizeof a);
            memcpy(&b, q + (i * w + k) * sizeof b, sizeof b);
            c[i] += (double)a * b;
        }
        sum += c[i];
    }
    qsort(c, count, sizeof *c, by_size);
    printf("%zu vectors, cosine: mean %.5f, 1 in 1000 below %.5f, 1 in 100 "
           "below %.5f, least %.5f\n",
           count, sum / (double)count, c[count / 1000], c[count / 100], c[0]);
    return 0;
}

int main(int argc, char **argv)
{
    const char *verb = argc > 2 ? argv[1] : "";
    const char *last = argc > 3 ? argv[3] : NULL;

    if (strcmp(verb, "convert") == 0 && last != NULL)
        return convert(argv[2], last);
    if (strcmp(verb, "compare") == 0 && argc > 4)
        return compare(argv[2], last, argv[4]);
    if (strcmp(verb, "encode") == 0)
        return encode_lines(argv[2], last);
    if (strcmp(verb, "float") == 0)
        return float_lines(argv[2]);
    if (strcmp(verb, "speed") == 0)
        return speed(argv[2], last);
    fprintf(stderr, "usage: meaning convert FOLDER FILE | encode FILE [KERNEL] "
                    "| float FOLDER | compare A B WIDTH | speed FILE "
                    "[KERNEL]\n");
    return 2;
}
