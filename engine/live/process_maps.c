#include "engine/live/process_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PART_SIZE 65536
#define TEXT_SIZE_MOST ((size_t)1 << 30)
#define COUNTED_MOST (UINT64_C(4) << 30)
#define IS_PRESENT (UINT64_C(1) << 63)

static mc_result fail_to_read(uint32_t pid, int code, mc_error *error) {
    if (code == ENOENT || code == ESRCH)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "there is no process %" PRIu32, pid);
    if (code == EACCES || code == EPERM)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "process %" PRIu32 ": %s; only its owner can read its memory map", pid,
                       strerror(code));
    return mc_fail(error, MC_ERROR_IO, "/proc/%" PRIu32 "/smaps: %s", pid, strerror(code));
}

mc_result mc_process_maps_read(uint32_t pid, mc_text *text, mc_error *error) {
    char path[64], part[PART_SIZE];
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/smaps", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_to_read(pid, errno, error);
    ssize_t size = 0;
    while (!text->failed && text->size <= TEXT_SIZE_MOST) {
        size = read(fd, part, sizeof part);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break;
        mc_text_append(text, part, (size_t)size);
    }
    int code = size < 0 ? errno : 0;
    close(fd);
    if (code != 0) return fail_to_read(pid, code, error);
    if (text->size > TEXT_SIZE_MOST) return fail_to_read(pid, EFBIG, error);
    return text->failed ? mc_error_out_of_memory(error) : MC_OK;
}

void mc_process_pages_init(mc_process_pages *pages, uint32_t pid) {
    char path[64];
    long page_size = sysconf(_SC_PAGESIZE);
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/pagemap", pid);
    pages->page_size = page_size > 0 ? (uint64_t)page_size : 4096;
    pages->fd = open(path, O_RDONLY | O_CLOEXEC);
}

void mc_process_pages_deinit(mc_process_pages *pages) {
    if (pages->fd >= 0) close(pages->fd);
    pages->fd = -1;
}

bool mc_process_pages_count(void *user, uint64_t begin, uint64_t end, uint64_t *bytes) {
    const mc_process_pages *self = user;
    uint64_t entries[PART_SIZE / sizeof(uint64_t)];
    uint64_t page = begin / self->page_size, last = end / self->page_size, count = 0;
    if (self->fd < 0 || end - begin > COUNTED_MOST) return false;
    while (page < last) {
        size_t wanted = last - page < sizeof entries / sizeof *entries
                            ? (size_t)(last - page)
                            : sizeof entries / sizeof *entries;
        ssize_t size =
            pread(self->fd, entries, wanted * sizeof *entries, (off_t)(page * sizeof *entries));
        if (size < (ssize_t)sizeof *entries) return false;
        size_t got = (size_t)size / sizeof *entries;
        for (size_t i = 0; i < got; i++)
            count += (entries[i] & IS_PRESENT) != 0;
        page += got;
    }
    *bytes = count * self->page_size;
    return true;
}
