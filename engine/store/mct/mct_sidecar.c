#include "engine/store/mct/mct_sidecar.h"

#include "engine/base/bits.h"
#include "engine/base/file_target.h"
#include "engine/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOURNAL "-journal"
#define WAL "-wal"
#define HEADER_SIZE 28 // of a journal
#define MAGIC_SIZE 8

// How a journal begins; with the same bytes ends one that names a super-journal.
static const unsigned char magic[MAGIC_SIZE] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

static mc_result refuse(mc_error *error, const char *path, const char *suffix, const char *why) {
    return mc_fail(error, MC_ERROR_BAD_DATA, "%s%s: %s; while it lies there, %s is not opened",
                   path, suffix, why, path);
}

static mc_result fail(mc_error *error, const char *name, const char *doing, int cause) {
    return mc_fail(error, MC_ERROR_IO, "%s: can't %s: %s", name, doing, strerror(cause));
}

// ---- the journal's content

static bool is_size(uint32_t size, uint32_t least) {
    return size >= least && size <= 65536 && (size & (size - 1)) == 0;
}

// As SQLite begins one: until it is on disk, zeros stand for the magic and the number of records
// behind it, and one that is done with may be nothing but zeros.
static bool is_header(const unsigned char *header) {
    static const unsigned char zeros[HEADER_SIZE] = {0};
    if (memcmp(header, zeros, HEADER_SIZE) == 0) return true;
    return (memcmp(header, magic, MAGIC_SIZE) == 0 || memcmp(header, zeros, MAGIC_SIZE + 4) == 0) &&
           is_size(mc_read_u32(header + 20), 32) && is_size(mc_read_u32(header + 24), 512);
}

static mc_result check_content(int fd, off_t size, const char *path, const char *name,
                               mc_error *error) {
    unsigned char header[HEADER_SIZE] = {0}, end[MAGIC_SIZE] = {0};
    if (pread(fd, header, sizeof header, 0) < 0 ||
        (size >= MAGIC_SIZE && pread(fd, end, sizeof end, size - MAGIC_SIZE) < 0))
        return fail(error, name, "read", errno);
    if (!is_header(header))
        return refuse(error, path, JOURNAL, "it is not what a writer of .mct files leaves");
    if (memcmp(end, magic, MAGIC_SIZE) == 0)
        return refuse(error, path, JOURNAL, "it names a further file, which SQLite would delete");
    return MC_OK;
}

// ---- the journal

// Only who may write a file can have been its writer.
static bool may_write(uid_t user, const char *path) {
    struct stat status;
    return user == 0 || user == geteuid() || stat(path, &status) != 0 || user == status.st_uid ||
           (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

static mc_result check_journal(const char *path, const char *name, mc_error *error) {
    struct stat status;
    if (lstat(name, &status) != 0)
        return errno == ENOENT ? MC_OK : fail(error, name, "look at it", errno);
    if (!S_ISREG(status.st_mode) || status.st_nlink > 1)
        return refuse(error, path, JOURNAL, "it is a link, or no file");
    if (!may_write(status.st_uid, path))
        return refuse(error, path, JOURNAL, "it belongs to another user");
    if (status.st_size == 0) return MC_OK;
    int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? MC_OK : fail(error, name, "read", errno);
    mc_result result = check_content(fd, status.st_size, path, name, error);
    close(fd);
    return result;
}

static mc_result check_log(const char *path, const char *name, mc_error *error) {
    struct stat status;
    if (lstat(name, &status) != 0)
        return errno == ENOENT ? MC_OK : fail(error, name, "look at it", errno);
    if (S_ISREG(status.st_mode) && status.st_size == 0) return MC_OK;
    return refuse(error, path, WAL, "it is a write-ahead log, which no .mct file has");
}

typedef mc_result check(const char *path, const char *name, mc_error *error);

static mc_result check_beside(const char *path, const char *suffix, check *check_one,
                              mc_error *error) {
    mc_text name = {0};
    mc_text_format(&name, "%s%s", path, suffix);
    mc_result result =
        name.failed ? mc_error_out_of_memory(error) : check_one(path, name.data, error);
    mc_text_deinit(&name);
    return result;
}

mc_result mc_mct_sidecar_check(const char *path, mc_error *error) {
    mc_result result = check_beside(path, WAL, check_log, error);
    return result == MC_OK ? check_beside(path, JOURNAL, check_journal, error) : result;
}

static mc_result find_content(const char *path, const char *name, mc_error *error) {
    struct stat status;
    (void)path, (void)error;
    return lstat(name, &status) == 0 && status.st_size > 0 ? MC_OK : MC_ERROR_IO;
}

bool mc_mct_sidecar_has_journal(const char *path) {
    return check_beside(path, JOURNAL, find_content, NULL) == MC_OK;
}

static mc_result remove_journal(const char *path, const char *name, mc_error *error) {
    if (unlink(name) != 0 && errno != ENOENT) return fail(error, name, "remove it", errno);
    mc_file_sync_folder_of(path);
    return MC_OK;
}

mc_result mc_mct_sidecar_remove(const char *path, mc_error *error) {
    return check_beside(path, JOURNAL, remove_journal, error);
}

// ---- the VFS

static sqlite3_vfs vfs, *original;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int open_file(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags,
                     int *out_flags) {
    (void)self;
    file->pMethods = NULL; // what is not open is not closed
    bool is_fine = !(flags & (SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL));
    if (is_fine && flags & SQLITE_OPEN_MAIN_JOURNAL) {
        mc_text path = {0};
        mc_text_append(&path, name, strlen(name) - strlen(JOURNAL));
        if (path.failed) return SQLITE_NOMEM;
        is_fine = check_journal(path.data, name, NULL) == MC_OK;
        mc_text_deinit(&path);
    }
    if (is_fine) return original->xOpen(original, name, file, flags, out_flags);
    errno = EPERM; // which SQLite remembers
    return SQLITE_CANTOPEN;
}

static void make_vfs(void) {
    original = sqlite3_vfs_find(NULL);
    if (!original) return;
    vfs = *original;
    vfs.pNext = NULL;
    vfs.zName = "memcity";
    vfs.xOpen = open_file;
    if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) original = NULL;
}

const char *mc_mct_sidecar_get_vfs(void) {
    pthread_once(&once, make_vfs);
    return original ? vfs.zName : NULL;
}
