/* What a folder lies on: the classifier of file systems, and a real look. */
#include "base/disk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <linux/magic.h>
#include <string.h>

/* Numbers of the kernel's own header, where it has them. */
static void file_systems_are_told_apart_by_their_type(void **state)
{
    static const struct {
        uint32_t type;
        enum disk_kind kind;
    } rows[] = {
        {NFS_SUPER_MAGIC, DISK_NETWORK},
        {SMB_SUPER_MAGIC, DISK_NETWORK},
        {CIFS_SUPER_MAGIC, DISK_NETWORK},
        {SMB2_SUPER_MAGIC, DISK_NETWORK},
        {V9FS_MAGIC, DISK_NETWORK},
        {AFS_SUPER_MAGIC, DISK_NETWORK},
        {AFS_FS_MAGIC, DISK_NETWORK},
        {CODA_SUPER_MAGIC, DISK_NETWORK},
        {CEPH_SUPER_MAGIC, DISK_NETWORK},
        {NCP_SUPER_MAGIC, DISK_NETWORK},
        {FUSE_SUPER_MAGIC, DISK_FUSE},
        {TMPFS_MAGIC, DISK_MEMORY},
        {RAMFS_MAGIC, DISK_MEMORY},
        {OVERLAYFS_SUPER_MAGIC, DISK_LAYER},
        {EXT4_SUPER_MAGIC, DISK_LOCAL},
        {XFS_SUPER_MAGIC, DISK_LOCAL},
        {BTRFS_SUPER_MAGIC, DISK_LOCAL},
        {F2FS_SUPER_MAGIC, DISK_LOCAL},
        {0, DISK_LOCAL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (disk_kind_of(rows[i].type) != rows[i].kind)
            fail_msg("type %#x is %s", rows[i].type,
                     disk_kind_name(disk_kind_of(rows[i].type)));
}

static void a_folder_has_room_and_a_missing_one_an_error(void **state)
{
    struct errctx ec = {ERR_OK, ""};
    struct disk d;

    (void)state;
    assert_int_equal(disk_look("/tmp", &d, &ec), ERR_OK);
    assert_true(d.total_bytes > 0);
    assert_true(d.free_bytes >= 0 && d.free_bytes <= d.total_bytes);
    assert_int_equal(disk_look("/tmp/not/there", &d, &ec), ERR_IO);
    assert_non_null(strstr(ec.msg, "No such file"));
}

static void the_kernels_own_file_system_is_known_as_read_only_or_not(void **s)
{
    struct disk d;

    (void)s;
    assert_int_equal(disk_look("/proc", &d, NULL), ERR_OK);
    assert_int_equal(d.total_bytes, 0);
    assert_int_equal(d.free_files, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_systems_are_told_apart_by_their_type),
        cmocka_unit_test(a_folder_has_room_and_a_missing_one_an_error),
        cmocka_unit_test(
            the_kernels_own_file_system_is_known_as_read_only_or_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
