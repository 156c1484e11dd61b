/* Which kernels this processor can run; see kernel.h. */
#include "meaning/kernel.h"

#include <pthread.h>

static const struct kernel *usable[3];
static size_t usable_count;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add(const struct kernel *k)
{
    if (k != NULL)
        usable[usable_count++] = k;
}

static void look(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("popcnt"))
        add(kernel_vnni);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("popcnt"))
        add(kernel_avx2);
#endif
    add(&kernel_plain);
}

const struct kernel *const *kernels(size_t *count)
{
    pthread_once(&once, look);
    *count = usable_count;
    return usable;
}
