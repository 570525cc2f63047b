#include "engine/store/merge/spool.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct piece {
    uint64_t offset;
    size_t size;
} piece;

typedef struct stream {
    mc_mct_bytes buffer;
    piece *pieces; // in the file, before what is in the buffer
    size_t piece_count, piece_capacity;
    uint64_t file_size;
} stream;

struct mc_spool {
    char *path;
    stream *streams;
    uint32_t stream_count;
    size_t buffered_size, most_size;
    int fd; // -1: nothing was written yet
    uint64_t end;
};

mc_result mc_spool_create(const char *path, uint32_t stream_count, size_t most_size,
                          mc_spool **spool, mc_error *error) {
    mc_spool *self = *spool = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->fd = -1;
    self->most_size = most_size;
    self->stream_count = stream_count;
    self->path = mc_copy_string(path);
    self->streams = mc_alloc_zero(stream_count, sizeof *self->streams);
    if (self->path && self->streams) return MC_OK;
    mc_spool_destroy(self);
    *spool = NULL;
    return mc_error_out_of_memory(error);
}

void mc_spool_destroy(mc_spool *self) {
    if (!self) return;
    for (uint32_t i = 0; self->streams && i < self->stream_count; i++) {
        mc_mct_bytes_deinit(&self->streams[i].buffer);
        mc_free(self->streams[i].pieces);
    }
    if (self->fd >= 0) close(self->fd);
    mc_free(self->streams);
    mc_free(self->path);
    mc_free(self);
}

// `cause`: errno.
static mc_result fail(const mc_spool *self, const char *doing, int cause, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "%s: can't %s beside it: %s", self->path, doing,
                   strerror(cause));
}

static mc_result open_file(mc_spool *self, mc_error *error) {
    if (self->fd >= 0) return MC_OK;
    char *folder = mc_copy_string(self->path);
    if (!folder) return mc_error_out_of_memory(error);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder ? 1 : 0] = '\0';
    self->fd = mc_file_open_nameless(slash ? folder : ".");
    const int cause = errno;
    mc_free(folder);
    return self->fd >= 0 ? MC_OK : fail(self, "make a temporary file", cause, error);
}

static mc_result flush(mc_spool *self, mc_error *error) {
    mc_result result = open_file(self, error);
    for (uint32_t i = 0; i < self->stream_count && result == MC_OK; i++) {
        stream *s = &self->streams[i];
        if (s->buffer.size == 0) continue;
        if (!mc_reserve(&s->pieces, &s->piece_capacity, s->piece_count + 1, sizeof *s->pieces))
            return mc_error_out_of_memory(error);
        int cause = mc_file_write_at(self->fd, s->buffer.data, s->buffer.size, self->end);
        if (cause != 0) return fail(self, "write a temporary file", cause, error);
        s->pieces[s->piece_count++] = (piece){self->end, s->buffer.size};
        s->file_size += s->buffer.size;
        self->end += s->buffer.size;
        mc_mct_bytes_deinit(&s->buffer);
    }
    self->buffered_size = 0;
    return result;
}

mc_result mc_spool_append(mc_spool *self, uint32_t index, const void *data, size_t size,
                          mc_error *error) {
    assert(index < self->stream_count);
    mc_mct_bytes *buffer = &self->streams[index].buffer;
    if (size == 0) return MC_OK;
    if (!mc_reserve(&buffer->data, &buffer->capacity, buffer->size + size, 1))
        return mc_error_out_of_memory(error);
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    self->buffered_size += size;
    return self->buffered_size > self->most_size ? flush(self, error) : MC_OK;
}

uint64_t mc_spool_get_size(const mc_spool *self, uint32_t index) {
    return self->streams[index].file_size + self->streams[index].buffer.size;
}

static mc_result read_piece(mc_spool *self, piece p, unsigned char *to, mc_error *error) {
    for (size_t done = 0; done < p.size;) {
        ssize_t got = pread(self->fd, to + done, p.size - done, (off_t)(p.offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return fail(self, "read a temporary file", got < 0 ? errno : EIO, error);
        done += (size_t)got;
    }
    return MC_OK;
}

mc_result mc_spool_take(mc_spool *self, uint32_t index, mc_mct_bytes *bytes, mc_error *error) {
    stream *s = &self->streams[index];
    uint64_t size = mc_spool_get_size(self, index);
    if (size > SIZE_MAX / 2 ||
        !mc_reserve(&bytes->data, &bytes->capacity, bytes->size + (size_t)size, 1))
        return mc_error_out_of_memory(error);
    for (size_t i = 0; i < s->piece_count; i++) {
        mc_result result = read_piece(self, s->pieces[i], bytes->data + bytes->size, error);
        if (result != MC_OK) return result;
        bytes->size += s->pieces[i].size;
    }
    if (s->buffer.size > 0) {
        memcpy(bytes->data + bytes->size, s->buffer.data, s->buffer.size);
        bytes->size += s->buffer.size;
    }
    self->buffered_size -= s->buffer.size;
    mc_mct_bytes_deinit(&s->buffer); // streams are many, and not all of them go on
    s->piece_count = 0;
    s->file_size = 0;
    return MC_OK;
}
