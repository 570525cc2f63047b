#include "engine/base/file.h"

#include "engine/base/map_guard.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static mc_result io_error(mc_error *error, const char *path, const char *doing) {
    return mc_fail(error, MC_ERROR_IO, "%s: can't %s: %s", path, doing, strerror(errno));
}

mc_result mc_file_map_descriptor(mc_file_map *map, int fd, const char *path, mc_error *error) {
    memset(map, 0, sizeof *map);
    struct stat status;
    if (fstat(fd, &status) != 0) return io_error(error, path, "read");
    if (!S_ISREG(status.st_mode))
        return mc_fail(error, MC_ERROR_IO, "%s: not a regular file", path);
    size_t size = (size_t)status.st_size, page = (size_t)sysconf(_SC_PAGESIZE);
    size_t mapped_size = (size + MC_FILE_PADDING + page - 1) / page * page;
    // The anonymous pages below stay where the file's last page does not reach: that is the
    // padding.
    unsigned char *base = mmap(NULL, mapped_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return io_error(error, path, "map");
    if (size > 0 && mmap(base, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED) {
        mc_result result = io_error(error, path, "map");
        munmap(base, mapped_size);
        return result;
    }
    *map = (mc_file_map){.data = base,
                         .size = size,
                         .mapped_size = mapped_size,
                         .fd = fcntl(fd, F_DUPFD_CLOEXEC, 0),
                         .guard = mc_map_guard_enter(base, size)};
    if (map->fd >= 0 && map->guard != MC_NONE) return MC_OK;
    mc_result result = map->fd < 0 ? io_error(error, path, "map")
                                   : mc_fail(error, MC_ERROR_UNSUPPORTED,
                                             "%s: too many files are read at once", path);
    mc_file_map_close(map);
    return result;
}

void mc_file_map_survive_cuts(void) {
    mc_map_guard_install();
}

mc_result mc_file_map_check(const mc_file_map *map, const char *path, mc_error *error) {
    struct stat status;
    if (fstat(map->fd, &status) == 0 && (uint64_t)status.st_size < map->size)
        return mc_fail(error, MC_ERROR_IO, "%s was cut while it was read", path);
    if (!mc_map_guard_was_hit(map->guard)) return MC_OK;
    errno = EIO; // or it was cut, and has grown again
    return io_error(error, path, "read");
}

mc_result mc_file_map_finish(const mc_file_map *map, const char *path, mc_result result,
                             mc_error *error) {
    if (result != MC_OK && result != MC_ERROR_BAD_DATA) return result;
    mc_result cut = mc_file_map_check(map, path, error);
    return cut == MC_OK ? result : cut;
}

mc_result mc_file_map_open(mc_file_map *map, const char *path, mc_error *error) {
    memset(map, 0, sizeof *map);
    // Opening a pipe would wait for somebody to write to it.
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return io_error(error, path, "open");
    mc_result result = mc_file_map_descriptor(map, fd, path, error);
    close(fd);
    return result;
}

void mc_file_map_give_back(const unsigned char *data, uint64_t begin, uint64_t end) {
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    begin = (begin + page - 1) / page * page;
    end = end / page * page;
    if (begin < end) (void)madvise((void *)(uintptr_t)(data + begin), end - begin, MADV_DONTNEED);
}

void mc_file_map_close(mc_file_map *map) {
    if (map->data) {
        if (map->guard != MC_NONE) mc_map_guard_leave(map->guard);
        if (map->fd >= 0) close(map->fd);
        munmap((void *)map->data, map->mapped_size);
    }
    memset(map, 0, sizeof *map);
}

mc_result mc_file_writer_begin(mc_file_writer *writer, const char *path, mc_error *error) {
    *writer = (mc_file_writer){.sync = MC_FILE_SYNC_NAME};
    mc_result result = mc_file_target_begin(&writer->target, path, error);
    if (result != MC_OK) return result;
    writer->stream = fdopen(writer->target.fd, "wb");
    if (writer->stream) return MC_OK;
    result = io_error(error, path, "write");
    mc_file_writer_discard(writer);
    return result;
}

mc_result mc_file_writer_commit(mc_file_writer *writer, mc_error *error) {
    mc_result result = MC_OK;
    if (fflush(writer->stream) != 0 || ferror(writer->stream))
        result = io_error(error, writer->target.path, "write");
    if (result == MC_OK) result = mc_file_target_commit(&writer->target, writer->sync, error);
    mc_file_writer_discard(writer);
    return result;
}

void mc_file_writer_discard(mc_file_writer *writer) {
    if (writer->stream) {
        fclose(writer->stream);
        writer->target.fd = -1;
    }
    mc_file_target_discard(&writer->target);
    memset(writer, 0, sizeof *writer);
}

int mc_file_write_at(int fd, const void *bytes, size_t size, uint64_t offset) {
    const char *rest = bytes;
    while (size > 0) {
        ssize_t written = pwrite(fd, rest, size, (off_t)offset);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : ENOSPC;
        rest += written;
        size -= (size_t)written;
        offset += (uint64_t)written;
    }
    return 0;
}

int mc_file_open_nameless(const char *folder) {
    char path[4096];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0) return fd;
    // some file systems can't
    if (snprintf(path, sizeof path, "%s/memcity-XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0) unlink(path);
    return fd;
}

bool mc_file_is_same(const char *path, const char *other) {
    struct stat x, y;
    return stat(path, &x) == 0 && stat(other, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

mc_result mc_file_write(const char *path, const void *bytes, size_t size, mc_error *error) {
    mc_file_writer writer;
    mc_result result = mc_file_writer_begin(&writer, path, error);
    if (result != MC_OK) return result;
    // What could not be written shows when the file is finished.
    if (size > 0) (void)fwrite(bytes, 1, size, writer.stream);
    return mc_file_writer_commit(&writer, error);
}
