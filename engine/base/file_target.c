#include "engine/base/file_target.h"

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_COUNT 32            // programs that may write one file at a time
#define BASE_SIZE_MAX (NAME_MAX - 32) // of a name that gets a suffix
#define LINK_COUNT_MAX 40             // as the kernel has it

static mc_result fail(mc_error *error, const char *name, const char *cause) {
    mc_fail(error, MC_ERROR_IO, "%s: can't write: %s", name, cause);
    return MC_ERROR_IO;
}

// ---- names

// How much of the path is its folder, with the slash; 0: the working directory.
static size_t get_folder_size(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

// The folder of a path, for mc_free().
static char *copy_folder(const char *path) {
    size_t size = get_folder_size(path);
    mc_text folder = {0};
    mc_text_append(&folder, size > 0 ? path : ".", size > 0 ? size : 1);
    if (folder.failed) mc_text_deinit(&folder);
    return folder.data;
}

// The path of a file that does not exist, in a folder that must.
static mc_result resolve_new(const char *path, char **resolved, mc_error *error) {
    const char *base = path + get_folder_size(path);
    char *folder = copy_folder(path);
    if (!folder) return mc_error_out_of_memory(error);
    char *real = realpath(folder, NULL);
    int cause = real ? ENOENT : errno;
    mc_text text = {0};
    if (real) mc_text_format(&text, "%s/%s", strcmp(real, "/") == 0 ? "" : real, base);
    mc_free(folder);
    free(real);
    if (text.failed) {
        mc_text_deinit(&text);
        return mc_error_out_of_memory(error);
    }
    *resolved = text.data;
    if (text.data && base[0] != '\0') return MC_OK;
    mc_text_deinit(&text);
    *resolved = NULL;
    return fail(error, path, strerror(cause));
}

// What the link `path` leads to, for mc_free(). *is_link false: it is none.
static mc_result follow(const char *path, bool *is_link, char **next, mc_error *error) {
    char to[PATH_MAX];
    ssize_t size = readlink(path, to, sizeof to);
    *is_link = size >= 0;
    if (size < 0) return MC_OK;
    mc_text text = {0};
    if (to[0] != '/') mc_text_append(&text, path, get_folder_size(path));
    mc_text_append(&text, to, (size_t)size);
    if (text.failed) mc_text_deinit(&text);
    *next = text.data;
    return *next ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result resolve(const char *path, int link_count, char **resolved, mc_error *error) {
    char *real = realpath(path, NULL), *next = NULL;
    if (real) {
        *resolved = mc_copy_string(real);
        free(real);
        return *resolved ? MC_OK : mc_error_out_of_memory(error);
    }
    if (errno != ENOENT || link_count > LINK_COUNT_MAX) return fail(error, path, strerror(errno));
    bool is_link = false;
    mc_result result = follow(path, &is_link, &next, error);
    if (result == MC_OK)
        result = is_link ? resolve(next, link_count + 1, resolved, error)
                         : resolve_new(path, resolved, error);
    mc_free(next);
    return result;
}

mc_result mc_file_resolve(const char *name, char **path, mc_error *error) {
    *path = NULL;
    return resolve(name, 0, path, error);
}

bool mc_file_is_at(int fd, const char *path) {
    struct stat open_file, named;
    return fstat(fd, &open_file) == 0 && lstat(path, &named) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

void mc_file_sync_folder_of(const char *path) {
    char *folder = copy_folder(path);
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)fsync(fd); // some file systems can't, and none takes the name back
        close(fd);
    }
    mc_free(folder);
}

mc_result mc_file_make_parents(const char *path, unsigned mode, mc_error *error) {
    mc_text folder = {0};
    mc_result result = MC_OK;
    for (const char *slash = path[0] ? strchr(path + 1, '/') : NULL; slash && result == MC_OK;
         slash = strchr(slash + 1, '/')) {
        mc_text_clear(&folder);
        mc_text_append(&folder, path, (size_t)(slash - path));
        if (folder.failed) {
            result = mc_error_out_of_memory(error);
        } else if (mkdir(folder.data, mode) != 0 && errno != EEXIST) {
            // What can't be made may be there all the same, on a file system that is read only.
            struct stat status;
            int reason = errno;
            if (stat(folder.data, &status) != 0 || !S_ISDIR(status.st_mode))
                result = mc_fail(error, MC_ERROR_IO, "%s: can't make the folder: %s", folder.data,
                                 strerror(reason));
        }
    }
    mc_text_deinit(&folder);
    return result;
}

// ---- what is written in place

static bool get_descriptor(const char *name, int *fd) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    *fd = strcmp(name, "/dev/stdout") == 0   ? STDOUT_FILENO
          : strcmp(name, "/dev/stderr") == 0 ? STDERR_FILENO
                                             : -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *number = name + strlen(folders[i]);
        char *end;
        if (strncmp(name, folders[i], strlen(folders[i])) != 0) continue;
        long value = strtol(number, &end, 10);
        if (number[0] >= '0' && number[0] <= '9' && *end == '\0' && value <= INT_MAX)
            *fd = (int)value;
    }
    return *fd >= 0;
}

bool mc_file_is_descriptor(const char *name) {
    int fd;
    return get_descriptor(name, &fd);
}

// To open a pipe waits until somebody reads from it, unless told not to.
static mc_result open_in_place(mc_file_target *target, const struct stat *status, const char *name,
                               mc_error *error) {
    if (S_ISDIR(status->st_mode)) return mc_fail(error, MC_ERROR_IO, "%s: is a folder", name);
    if (S_ISBLK(status->st_mode) || S_ISSOCK(status->st_mode))
        return fail(error, name, S_ISSOCK(status->st_mode) ? "it is a socket" : "it is a disk");
    target->fd = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (target->fd < 0)
        return fail(error, name,
                    errno == ENXIO && S_ISFIFO(status->st_mode) ? "nobody reads from this pipe"
                                                                : strerror(errno));
    int flags = fcntl(target->fd, F_GETFL);
    if (flags < 0 || fcntl(target->fd, F_SETFL, flags & ~O_NONBLOCK) != 0)
        return fail(error, name, strerror(errno));
    return MC_OK;
}

static mc_result begin_in_place(mc_file_target *target, const struct stat *status, const char *name,
                                mc_error *error) {
    int fd;
    target->path = mc_copy_string(name);
    if (!target->path) return mc_error_out_of_memory(error);
    if (!get_descriptor(name, &fd)) return open_in_place(target, status, name, error);
    target->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return target->fd < 0 ? fail(error, name, strerror(errno)) : MC_OK;
}

// ---- what is written beside

// NAME.memcity.part, NAME.memcity-2.part …; for mc_free().
static char *get_temporary_path(const char *path, int number) {
    const char *base = path + get_folder_size(path);
    size_t size = strlen(base) > BASE_SIZE_MAX ? BASE_SIZE_MAX : strlen(base);
    mc_text name = {0};
    mc_text_append(&name, path, (size_t)(base - path) + size);
    if (number == 1)
        mc_text_append_string(&name, ".memcity.part");
    else
        mc_text_format(&name, ".memcity-%d.part", number);
    if (name.failed) mc_text_deinit(&name);
    return name.data;
}

// Opens a temporary file for its lock alone: descriptors that can't write are told by some network
// file systems that there are no locks, where they would get in the way of those that SQLite takes.
static int open_lock(const char *path) {
    return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

// A file of such a name that is this user's, and that nobody has locked, was left by a program that
// was killed.
static void remove_leftover(const char *path) {
    struct stat status;
    int lock = open_lock(path);
    if (lock < 0) return;
    if (fstat(lock, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
        flock(lock, LOCK_EX | LOCK_NB) == 0 && mc_file_is_at(lock, path))
        unlink(path);
    close(lock);
}

// Makes a temporary file. *is_taken: somebody has the name, or took it away before it was locked.
static mc_result make_temporary(mc_file_target *target, const char *path, mode_t mode,
                                bool *is_taken, mc_error *error) {
    target->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    *is_taken = target->fd < 0 && errno == EEXIST;
    if (target->fd < 0) return *is_taken ? MC_OK : fail(error, target->path, strerror(errno));
    target->lock = open_lock(path);
    int cause = errno;
    *is_taken = target->lock < 0
                    ? cause == ENOENT
                    : flock(target->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    *is_taken = *is_taken || !mc_file_is_at(target->fd, path);
    if (target->lock >= 0 && !*is_taken) return MC_OK;
    if (!*is_taken) unlink(path);
    close(target->fd);
    if (target->lock >= 0) close(target->lock);
    target->fd = target->lock = -1;
    return *is_taken ? MC_OK : fail(error, target->path, strerror(cause));
}

static mc_result begin_beside(mc_file_target *target, mode_t mode, mc_error *error) {
    bool is_taken = true;
    mc_result result = MC_OK;
    for (int i = 1; i <= TEMPORARY_COUNT && result == MC_OK; i++) {
        char *path = get_temporary_path(target->path, i);
        if (!path) return mc_error_out_of_memory(error);
        remove_leftover(path);
        if (is_taken) result = make_temporary(target, path, mode, &is_taken, error);
        if (target->fd >= 0 && !target->temporary_path)
            target->temporary_path = path;
        else
            mc_free(path);
    }
    if (result != MC_OK || !is_taken) return result;
    return fail(error, target->path, "all names of temporary files beside it are taken");
}

// ---- the target

mc_result mc_file_target_begin(mc_file_target *target, const char *name, mc_error *error) {
    *target = (mc_file_target){.fd = -1, .lock = -1};
    struct stat status = {0};
    bool exists = stat(name, &status) == 0;
    mc_result result;
    if (mc_file_is_descriptor(name) || (exists && !S_ISREG(status.st_mode))) {
        result = begin_in_place(target, &status, name, error);
    } else {
        // What only some may read is so from the beginning.
        mode_t mode = exists ? (status.st_mode & 0777) | 0600 : 0666;
        result = mc_file_resolve(name, &target->path, error);
        if (result == MC_OK) result = begin_beside(target, mode, error);
    }
    if (result != MC_OK) mc_file_target_discard(target);
    return result;
}

static void end_commit(mc_file_target *target, mc_file_sync sync) {
    mc_free(target->temporary_path);
    target->temporary_path = NULL;
    if (sync == MC_FILE_SYNC_NAME) mc_file_sync_folder_of(target->path);
}

mc_result mc_file_target_commit(mc_file_target *target, mc_file_sync sync, mc_error *error) {
    struct stat status;
    if (!target->temporary_path) return MC_OK;
    if (sync >= MC_FILE_SYNC_CONTENT && fsync(target->fd) != 0)
        return fail(error, target->path, strerror(errno));
    if (stat(target->path, &status) == 0 && S_ISREG(status.st_mode))
        (void)fchmod(target->fd, status.st_mode & 0777);
    if (rename(target->temporary_path, target->path) != 0)
        return fail(error, target->path, strerror(errno));
    end_commit(target, sync);
    return MC_OK;
}

static bool is_free(const char *path) {
    struct stat status;
    bool is_there = lstat(path, &status) == 0;
    if (is_there) errno = EEXIST;
    return !is_there && errno == ENOENT;
}

// Network file systems may lack the first, shared folders of virtual machines and some of FUSE
// both: there nothing is replaced that is there a moment before.
static int rename_new(const char *from, const char *to) {
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (link(from, to) != 0) return errno != EEXIST && is_free(to) ? rename(from, to) : -1;
    (void)unlink(from);
    return 0;
}

mc_result mc_file_target_commit_new(mc_file_target *target, mc_file_sync sync, bool *is_taken,
                                    mc_error *error) {
    *is_taken = false;
    if (!target->temporary_path) return MC_OK;
    if (sync >= MC_FILE_SYNC_CONTENT && fsync(target->fd) != 0)
        return fail(error, target->path, strerror(errno));
    if (rename_new(target->temporary_path, target->path) != 0) {
        *is_taken = errno == EEXIST;
        return fail(error, target->path, strerror(errno));
    }
    end_commit(target, sync);
    return MC_OK;
}

void mc_file_target_discard(mc_file_target *target) {
    if (target->path && target->temporary_path) unlink(target->temporary_path);
    if (target->path && target->fd >= 0) close(target->fd);
    if (target->path && target->lock >= 0) close(target->lock);
    mc_free(target->temporary_path);
    mc_free(target->path);
    *target = (mc_file_target){.fd = -1, .lock = -1};
}
