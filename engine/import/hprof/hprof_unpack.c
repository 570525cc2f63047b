#include "engine/import/hprof/hprof_unpack.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/write_behind.h"
#include "engine/import/bytes/gzip.h"
#include "engine/import/bytes/inflate.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK_SIZE ((size_t)1 << 20)
#define GIVE_BACK_SIZE ((size_t)16 << 20)
#define BLOCK_SIZE_MAX ((uint32_t)64 << 20) // of a member that is unpacked in one go
#define MEMBER_SIZE_MIN 18                  // an empty gzip member

typedef struct gzip_member {
    size_t begin;    // in the packed data
    uint64_t offset; // in what comes out
    uint32_t size;   // of what comes out, as its trailer says
} gzip_member;

typedef struct unpacker {
    const unsigned char *data;
    size_t size;
    const char *folder;
    mc_hprof_crew *crew;
    int fd;
    gzip_member *members;
    size_t member_count, member_capacity;
    unsigned char *buffers[MC_HPROF_THREADS_MAX];
    size_t buffer_sizes[MC_HPROF_THREADS_MAX];
    mc_write_behind *writer; // of what is unpacked by one thread
    atomic_bool is_wrong;    // the members are others than they seemed
    _Atomic int write_error; // errno
    uint64_t unpacked_size;
    bool is_cut;
    mc_error *error;
} unpacker;

// ---- the temporary file

static mc_result fail_io(const unpacker *self, int cause) {
    return mc_fail(self->error, MC_ERROR_IO,
                   "can't unpack the heap dump to a temporary file in %s: %s (TMPDIR names "
                   "another folder)",
                   self->folder, strerror(cause));
}

static mc_result open_file(unpacker *self) {
    self->fd = mc_file_open_nameless(self->folder);
    return self->fd >= 0 ? MC_OK : fail_io(self, errno);
}

static bool write_at(unpacker *self, const unsigned char *bytes, size_t size, uint64_t offset) {
    int cause = mc_file_write_at(self->fd, bytes, size, offset);
    if (cause != 0) atomic_store(&self->write_error, cause);
    return cause == 0;
}

// ---- gzip

static bool reserve_buffer(unpacker *self, uint32_t worker, size_t size) {
    return mc_reserve(&self->buffers[worker], &self->buffer_sizes[worker], size, 1);
}

static mc_result unpack_member(void *user, uint32_t worker, size_t task) {
    unpacker *self = user;
    const gzip_member *member = &self->members[task];
    size_t end = self->members[task + 1].begin;
    z_stream stream;
    if (atomic_load(&self->is_wrong)) return MC_OK;
    if (!reserve_buffer(self, worker, (size_t)member->size + 1) || !mc_gzip_begin(&stream))
        return MC_ERROR_OUT_OF_MEMORY;
    mc_gzip_set_input(&stream, self->data + member->begin, end - member->begin);
    stream.next_out = self->buffers[worker];
    stream.avail_out = member->size + 1;
    int status = inflate(&stream, Z_FINISH);
    bool is_right = status == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 1;
    inflateEnd(&stream);
    mc_file_map_give_back(self->data, member->begin, end);
    if (status == Z_MEM_ERROR) return MC_ERROR_OUT_OF_MEMORY;
    if (!is_right) atomic_store(&self->is_wrong, true);
    atomic_fetch_add_explicit(&self->crew->done, end - member->begin, memory_order_relaxed);
    if (!is_right || write_at(self, self->buffers[worker], member->size, member->offset))
        return MC_OK;
    return MC_ERROR_IO;
}

// Members as HotSpot writes them, by the bytes with which they begin. By chance a member may hold
// them, too: then what is found does not unpack, and the slow way is taken.
static mc_result find_members(unpacker *self) {
    static const unsigned char beginning[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0};
    static const char remark[] = "HPROF BLOCKSIZE=";
    const size_t remark_at = 10;
    if (self->size < 64 || memcmp(self->data + remark_at, remark, sizeof remark - 1) != 0)
        return MC_OK;
    uint64_t offset = 0;
    for (size_t at = 0; at < self->size;) {
        if (!mc_reserve(&self->members, &self->member_capacity, self->member_count + 1,
                        sizeof *self->members))
            return mc_error_out_of_memory(self->error);
        self->members[self->member_count++] = (gzip_member){.begin = at, .offset = offset};
        if (self->size - at <= MEMBER_SIZE_MIN) break;
        const unsigned char *next =
            memmem(self->data + at + MEMBER_SIZE_MIN, self->size - at - MEMBER_SIZE_MIN, beginning,
                   sizeof beginning);
        if (!next) break;
        uint32_t size = (uint32_t)next[-4] | (uint32_t)next[-3] << 8 | (uint32_t)next[-2] << 16 |
                        (uint32_t)next[-1] << 24;
        self->members[self->member_count - 1].size = size;
        if (size > BLOCK_SIZE_MAX) atomic_store(&self->is_wrong, true);
        offset += size;
        mc_file_map_give_back(self->data, at, (uint64_t)(next - self->data));
        at = (size_t)(next - self->data);
        // What it says may be wrong; then what comes out is measured.
        if (mc_inflate_check_ratio(offset, at, NULL) != MC_OK) atomic_store(&self->is_wrong, true);
    }
    return MC_OK;
}

// ---- one after another

static mc_result report(unpacker *self) {
    const mc_hprof_crew *crew = self->crew;
    uint64_t done = atomic_load_explicit(&self->crew->done, memory_order_relaxed);
    if (mc_progress_report(crew->progress, done < crew->total ? done : crew->total, crew->total))
        return MC_OK;
    return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
}

// Of what is in the writer's buffer. `read`: how many packed bytes that chunk, and all before it,
// came out of.
static mc_result write_chunk(unpacker *self, size_t size, size_t read) {
    mc_result result = mc_inflate_check_ratio(self->unpacked_size + size, read, self->error);
    if (result != MC_OK) return result;
    if (!mc_write_behind_submit(self->writer, size, self->unpacked_size))
        return fail_io(self, mc_write_behind_finish(self->writer));
    self->unpacked_size += size;
    return report(self);
}

// From a member on to the end, or to where it goes wrong.
static mc_result unpack_gzip(unpacker *self, size_t at) {
    z_stream stream;
    mc_result result = MC_OK;
    size_t given_back = at;
    if (!mc_gzip_begin(&stream)) return mc_error_out_of_memory(self->error);
    for (bool is_done = false; !is_done && result == MC_OK;) {
        mc_gzip_set_input(&stream, self->data + at, self->size - at);
        stream.next_out = mc_write_behind_get_buffer(self->writer);
        stream.avail_out = (uInt)CHUNK_SIZE;
        int status = inflate(&stream, Z_NO_FLUSH);
        size_t before = at, produced = CHUNK_SIZE - stream.avail_out;
        at = (size_t)(stream.next_in - self->data);
        atomic_fetch_add_explicit(&self->crew->done, at - before, memory_order_relaxed);
        if (at - given_back > GIVE_BACK_SIZE) {
            mc_file_map_give_back(self->data, given_back, at);
            given_back = at;
        }
        result = write_chunk(self, produced, at);
        if (status == Z_STREAM_END) {
            bool has_next =
                mc_inflate_detect(self->data + at, self->size - at) == MC_COMPRESSION_GZIP;
            is_done = !has_next;
            if (has_next) inflateReset(&stream);
        } else if (status == Z_MEM_ERROR) {
            result = mc_error_out_of_memory(self->error);
        } else if (status != Z_OK || (produced == 0 && at == self->size)) {
            is_done = self->is_cut = true;
        }
    }
    inflateEnd(&stream);
    return result;
}

static mc_result unpack_stream(unpacker *self) {
    mc_inflate_stream *stream;
    mc_import_watch watch = {.done = 0};
    mc_result result =
        mc_inflate_stream_create(self->data, self->size, &watch, &stream, self->error);
    while (result == MC_OK && !mc_inflate_stream_is_done(stream)) {
        size_t produced = 0;
        mc_result read = mc_inflate_stream_read(stream, mc_write_behind_get_buffer(self->writer),
                                                CHUNK_SIZE, &produced, self->error);
        atomic_store(&self->crew->done, atomic_load(&watch.done));
        if (read != MC_OK && read != MC_ERROR_BAD_DATA) {
            result = read;
            break;
        }
        result = write_chunk(self, produced, (size_t)atomic_load(&watch.done));
        if (read == MC_ERROR_BAD_DATA) {
            self->is_cut = true;
            break;
        }
    }
    mc_inflate_stream_destroy(stream);
    return result;
}

// Unpacks from `at` on, which is 0 or where a member of gzip begins.
static mc_result unpack_rest(unpacker *self, bool is_gzip, size_t at) {
    mc_result result = mc_write_behind_create(self->fd, CHUNK_SIZE, &self->writer, self->error);
    if (result == MC_OK) result = is_gzip ? unpack_gzip(self, at) : unpack_stream(self);
    int cause = self->writer ? mc_write_behind_finish(self->writer) : 0;
    if (result == MC_OK && cause != 0) result = fail_io(self, cause);
    mc_write_behind_destroy(self->writer);
    return result;
}

static mc_result unpack(unpacker *self) {
    bool is_gzip = mc_inflate_detect(self->data, self->size) == MC_COMPRESSION_GZIP;
    size_t at = 0;
    mc_result result = is_gzip ? find_members(self) : MC_OK;
    if (result == MC_OK && self->member_count > 1 && !atomic_load(&self->is_wrong)) {
        result =
            mc_hprof_crew_run(self->crew, self->member_count - 1, unpack_member, self, self->error);
        int cause = atomic_load(&self->write_error);
        if (cause != 0) result = fail_io(self, cause);
        if (result == MC_OK && !atomic_load(&self->is_wrong)) {
            const gzip_member *last = &self->members[self->member_count - 1];
            self->unpacked_size = last->offset;
            at = last->begin;
        }
    }
    if (result != MC_OK) return result;
    if (at == 0) atomic_store(&self->crew->done, 0);
    result = unpack_rest(self, is_gzip, at);
    // What was written beyond, if the members were others than they seemed.
    if (result == MC_OK && ftruncate(self->fd, (off_t)self->unpacked_size) != 0)
        result = fail_io(self, errno);
    return result;
}

mc_result mc_hprof_unpack(const unsigned char *data, size_t size, const char *folder,
                          mc_hprof_crew *crew, mc_file_map *unpacked, bool *is_cut,
                          mc_error *error) {
    unpacker self = {.data = data,
                     .size = size,
                     .folder = folder ? folder : "/var/tmp",
                     .crew = crew,
                     .fd = -1,
                     .error = error};
    memset(unpacked, 0, sizeof *unpacked);
    mc_result result = open_file(&self);
    if (result == MC_OK) result = unpack(&self);
    if (result == MC_OK) result = mc_file_map_descriptor(unpacked, self.fd, self.folder, error);
    *is_cut = self.is_cut;
    if (self.fd >= 0) close(self.fd);
    for (uint32_t i = 0; i < MC_HPROF_THREADS_MAX; i++)
        mc_free(self.buffers[i]);
    mc_free(self.members);
    return result;
}
