/* What a folder lies on; see disk.h. */
#include "base/disk.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

static const struct {
    uint32_t type;
    enum disk_kind kind;
} types[] = {
    {0x00006969, DISK_NETWORK}, /* NFS */
    {0x0000517B, DISK_NETWORK}, /* SMB, the old client */
    {0xFE534D42, DISK_NETWORK}, /* SMB 2 and 3 */
    {0xFF534D42, DISK_NETWORK}, /* CIFS */
    {0x01021997, DISK_NETWORK}, /* 9P, also shared folders of machines */
    {0x5346414F, DISK_NETWORK}, /* AFS */
    {0x6B414653, DISK_NETWORK}, /* the kernel's AFS */
    {0x73757245, DISK_NETWORK}, /* Coda */
    {0x00C36400, DISK_NETWORK}, /* Ceph */
    {0x0BD00BD0, DISK_NETWORK}, /* Lustre */
    {0x0000564C, DISK_NETWORK}, /* NCP */
    {0x786F4256, DISK_NETWORK}, /* VirtualBox shared folders */
    {0xBACBACBC, DISK_NETWORK}, /* VMware shared folders */
    {0x47504653, DISK_NETWORK}, /* GPFS */
    {0x65735546, DISK_FUSE},    {0x01021994, DISK_MEMORY}, /* tmpfs */
    {0x858458F6, DISK_MEMORY},                             /* ramfs */
    {0x794C7630, DISK_LAYER},                              /* overlay */
    {0x61756673, DISK_LAYER},                              /* aufs */
};

enum disk_kind disk_kind_of(uint32_t f_type)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].type == f_type)
            return types[i].kind;
    return DISK_LOCAL;
}

const char *disk_kind_name(enum disk_kind k)
{
    switch (k) {
    case DISK_NETWORK:
        return "a network file system";
    case DISK_FUSE:
        return "a file system in user space";
    case DISK_MEMORY:
        return "a file system in memory";
    case DISK_LAYER:
        return "a container's own layer";
    case DISK_LOCAL:
        break;
    }
    return "a local file system";
}

/* Blocks to bytes, no more than fits. */
static int64_t to_bytes(uint64_t blocks, uint64_t size)
{
    if (size != 0 && blocks > (uint64_t)INT64_MAX / size)
        return INT64_MAX;
    return (int64_t)(blocks * size);
}

enum err disk_look(const char *path, struct disk *out, struct errctx *ec)
{
    struct statfs fs;
    struct statvfs v;

    if (statfs(path, &fs) != 0 || statvfs(path, &v) != 0)
        return err_set(ec, ERR_IO, "cannot look at %s: %s", path,
                       strerror(errno));
    *out = (struct disk){
        .kind = disk_kind_of((uint32_t)fs.f_type),
        .free_bytes = to_bytes(v.f_bavail, v.f_frsize),
        .total_bytes = to_bytes(v.f_blocks, v.f_frsize),
        .free_files = v.f_files == 0 ? -1 : to_bytes(v.f_favail, 1),
        .read_only = (v.f_flag & ST_RDONLY) != 0,
    };
    return ERR_OK;
}
