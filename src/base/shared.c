/* A mapped file, or memory; see shared.h. */
#include "base/shared.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Every byte is really there: a hole that cannot be filled later would end
 * the process. */
static void *map_file(const char *path, size_t size, int *fd)
{
    void *p = MAP_FAILED;

    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (*fd < 0)
        return MAP_FAILED;
    if (posix_fallocate(*fd, 0, (off_t)size) == 0)
        p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (p == MAP_FAILED) {
        close(*fd);
        *fd = -1;
    }
    return p;
}

void *shared_map(const char *path, size_t size, int *fd)
{
    void *p = MAP_FAILED;

    *fd = -1;
    if (path != NULL)
        p = map_file(path, size, fd);
    if (p == MAP_FAILED)
        p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}
