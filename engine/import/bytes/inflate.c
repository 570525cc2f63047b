#include "engine/import/bytes/inflate.h"

#include "engine/base/memory.h"
#include "engine/import/bytes/gzip.h"
#include <inttypes.h>
#include <libdeflate.h>
#include <lz4frame.h>
#include <string.h>
#include <zstd.h>

#define LZ4_MAGIC 0x184d2204u
#define CHUNK_SIZE ((size_t)4 << 20)    // between two looks at the watch
#define AT_ONCE_MOST ((size_t)16 << 20) // likewise, where there is only one

struct mc_inflate_stream {
    mc_import_watch *watch;
    mc_compression compression;
    const unsigned char *data;
    size_t size, at; // bytes of the input, and how many of them were read
    bool is_done;
    bool is_unlimited; // more may come out than mc_inflate_check_ratio() lets
    z_stream gzip;
    ZSTD_DStream *zstd;
    LZ4F_dctx *lz4;
    uint64_t produced; // bytes that came out so far
};

static uint32_t read_u32(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

mc_compression mc_inflate_detect(const unsigned char *data, size_t size) {
    if (size >= 2 && data[0] == 0x1f && data[1] == 0x8b) return MC_COMPRESSION_GZIP;
    if (size >= 4 && (read_u32(data) == ZSTD_MAGICNUMBER ||
                      (read_u32(data) & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START))
        return MC_COMPRESSION_ZSTD;
    if (size >= 4 && read_u32(data) == LZ4_MAGIC) return MC_COMPRESSION_LZ4;
    return MC_COMPRESSION_NONE;
}

mc_result mc_inflate_stream_create(const unsigned char *data, size_t size, mc_import_watch *watch,
                                   mc_inflate_stream **stream, mc_error *error) {
    mc_inflate_stream *in = *stream = mc_alloc_zero(1, sizeof *in);
    if (!in) return mc_error_out_of_memory(error);
    bool is_ready = true;
    *in = (mc_inflate_stream){.watch = watch, .data = data, .size = size};
    switch (mc_inflate_detect(data, size)) {
    case MC_COMPRESSION_GZIP:
        is_ready = mc_gzip_begin(&in->gzip);
        if (is_ready) in->compression = MC_COMPRESSION_GZIP; // there is something to end
        break;
    case MC_COMPRESSION_ZSTD:
        in->zstd = ZSTD_createDStream();
        in->compression = MC_COMPRESSION_ZSTD;
        is_ready = in->zstd != NULL;
        break;
    case MC_COMPRESSION_LZ4:
        in->compression = MC_COMPRESSION_LZ4;
        is_ready = !LZ4F_isError(LZ4F_createDecompressionContext(&in->lz4, LZ4F_VERSION));
        break;
    default: break;
    }
    if (is_ready && in->compression != MC_COMPRESSION_NONE) return MC_OK;
    mc_inflate_stream_destroy(in);
    *stream = NULL;
    return is_ready ? mc_error_set(error, MC_ERROR_BAD_DATA, 0, "expected gzip, zstd or lz4 data")
                    : mc_error_out_of_memory(error);
}

void mc_inflate_stream_destroy(mc_inflate_stream *stream) {
    if (!stream) return;
    if (stream->compression == MC_COMPRESSION_GZIP) inflateEnd(&stream->gzip);
    ZSTD_freeDStream(stream->zstd);
    LZ4F_freeDecompressionContext(stream->lz4);
    mc_free(stream);
}

void mc_inflate_stream_lift_limit(mc_inflate_stream *stream) {
    stream->is_unlimited = true;
}

bool mc_inflate_stream_is_done(const mc_inflate_stream *stream) {
    return stream->is_done;
}

size_t mc_inflate_stream_get_taken(const mc_inflate_stream *stream) {
    return stream->at;
}

static mc_result fail_truncated(const mc_inflate_stream *in, const char *what, mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, in->size,
                        "expected more %s data, found the end of the file", what);
}

// Behind the last member there is nothing, or the zeros with which some programs fill blocks.
static mc_result finish_members(mc_inflate_stream *in, const char *what, mc_error *error) {
    size_t at = in->at;
    while (at < in->size && in->data[at] == 0)
        at++;
    if (at < in->size)
        return mc_error_set(error, MC_ERROR_BAD_DATA, at, "expected %s or the end of the file",
                            what);
    in->at = in->size;
    in->is_done = true;
    return MC_OK;
}

static mc_result begin_next_member(mc_inflate_stream *in, mc_error *error) {
    if (mc_inflate_detect(in->data + in->at, in->size - in->at) == MC_COMPRESSION_GZIP)
        return inflateReset(&in->gzip) == Z_OK ? MC_OK : mc_error_out_of_memory(error);
    return finish_members(in, "a gzip member", error);
}

static mc_result read_gzip(mc_inflate_stream *in, unsigned char *out, size_t out_size,
                           size_t *produced, mc_error *error) {
    const size_t most = (size_t)1 << 30; // zlib counts in unsigned int
    *produced = 0;
    while (!in->is_done && *produced < out_size) {
        size_t room = out_size - *produced;
        mc_gzip_set_input(&in->gzip, in->data + in->at, in->size - in->at);
        in->gzip.next_out = out + *produced;
        in->gzip.avail_out = (uInt)(room < most ? room : most);
        int status = inflate(&in->gzip, Z_NO_FLUSH);
        in->at = (size_t)(in->gzip.next_in - in->data);
        *produced = (size_t)(in->gzip.next_out - out);
        if (status == Z_STREAM_END) {
            mc_result result = begin_next_member(in, error);
            if (result != MC_OK) return result;
        } else if (status == Z_MEM_ERROR) {
            return mc_error_out_of_memory(error);
        } else if (status != Z_OK && status != Z_BUF_ERROR) {
            return mc_error_set(error, MC_ERROR_BAD_DATA, in->at, "damaged gzip data: %s",
                                in->gzip.msg ? in->gzip.msg : "unknown");
        } else if (in->at == in->size && *produced < out_size) {
            return fail_truncated(in, "gzip", error);
        }
    }
    return MC_OK;
}

static mc_result read_zstd(mc_inflate_stream *in, void *out, size_t out_size, size_t *produced,
                           mc_error *error) {
    ZSTD_outBuffer output = {out, out_size, 0};
    *produced = 0;
    while (!in->is_done && output.pos < out_size) {
        ZSTD_inBuffer input = {in->data, in->size, in->at};
        size_t before = output.pos, status = ZSTD_decompressStream(in->zstd, &output, &input);
        bool has_moved = input.pos > in->at || output.pos > before;
        in->at = input.pos;
        *produced = output.pos; // also of what is damaged further on
        if (ZSTD_isError(status))
            return mc_error_set(error, MC_ERROR_BAD_DATA, in->at, "damaged zstd data: %s",
                                ZSTD_getErrorName(status));
        in->is_done = status == 0 && in->at == in->size;
        if (!has_moved && !in->is_done) return fail_truncated(in, "zstd", error);
    }
    return MC_OK;
}

static mc_result read_lz4(mc_inflate_stream *in, unsigned char *out, size_t out_size,
                          size_t *produced, mc_error *error) {
    *produced = 0;
    while (!in->is_done && *produced < out_size) {
        size_t room = out_size - *produced, taken = in->size - in->at;
        size_t status =
            LZ4F_decompress(in->lz4, out + *produced, &room, in->data + in->at, &taken, NULL);
        if (LZ4F_isError(status))
            return mc_error_set(error, MC_ERROR_BAD_DATA, in->at, "damaged lz4 data: %s",
                                LZ4F_getErrorName(status));
        bool has_moved = room > 0 || taken > 0;
        in->at += taken;
        *produced += room;
        bool has_next =
            mc_inflate_detect(in->data + in->at, in->size - in->at) == MC_COMPRESSION_LZ4;
        if (status == 0 && !has_next) return finish_members(in, "an lz4 frame", error);
        if (!has_moved) return fail_truncated(in, "lz4", error);
    }
    return MC_OK;
}

// How much may come out of the first `size` bytes: so a bomb is noticed early, however large.
static uint64_t get_limit(size_t size) {
    uint64_t most = size > UINT64_MAX / MC_INFLATE_RATIO_MAX
                        ? UINT64_MAX
                        : (uint64_t)size * MC_INFLATE_RATIO_MAX;
    return most < MC_INFLATE_FLOOR ? MC_INFLATE_FLOOR : most;
}

mc_result mc_inflate_check_ratio(uint64_t produced, size_t size, mc_error *error) {
    if (produced <= get_limit(size)) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, size,
                        "expected at most %d times as many bytes to come out as go in, found "
                        "%" PRIu64 " out of %zu",
                        MC_INFLATE_RATIO_MAX, produced, size);
}

static mc_result read_chunk(mc_inflate_stream *in, unsigned char *out, size_t out_size,
                            size_t *produced, mc_error *error) {
    if (mc_import_watch_should_stop(in->watch))
        return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    size_t before = in->at;
    mc_result result =
        in->compression == MC_COMPRESSION_GZIP  ? read_gzip(in, out, out_size, produced, error)
        : in->compression == MC_COMPRESSION_LZ4 ? read_lz4(in, out, out_size, produced, error)
                                                : read_zstd(in, out, out_size, produced, error);
    mc_import_watch_add(in->watch, in->at - before);
    in->produced += *produced;
    if (result != MC_OK || in->is_unlimited) return result;
    return mc_inflate_check_ratio(in->produced, in->at, error);
}

mc_result mc_inflate_stream_read(mc_inflate_stream *stream, unsigned char *out, size_t out_size,
                                 size_t *produced, mc_error *error) {
    *produced = 0;
    while (!stream->is_done && *produced < out_size) {
        size_t room = out_size - *produced, size = 0;
        mc_result result = read_chunk(stream, out + *produced,
                                      room < CHUNK_SIZE ? room : CHUNK_SIZE, &size, error);
        *produced += size;
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

// What the data says of its own size; just a hint, it may lie.
static uint64_t guess_size(const mc_inflate_stream *in) {
    if (in->compression == MC_COMPRESSION_GZIP)
        return in->size >= 18 ? read_u32(in->data + in->size - 4) : 0;
    if (in->compression == MC_COMPRESSION_LZ4) return 0;
    unsigned long long size = ZSTD_getFrameContentSize(in->data, in->size);
    return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? 0 : size;
}

static mc_result read_all(mc_inflate_stream *in, mc_inflate_buffer *buffer, mc_error *error) {
    uint64_t guess = guess_size(in);
    if (guess > get_limit(in->size)) guess = get_limit(in->size);
    size_t wanted = (size_t)guess + 1; // so that the end shows without growing
    while (!in->is_done) {
        size_t produced;
        if (!mc_reserve(&buffer->data, &buffer->capacity, wanted, 1))
            return mc_error_out_of_memory(error);
        mc_result result = mc_inflate_stream_read(
            in, buffer->data + buffer->size, buffer->capacity - buffer->size, &produced, error);
        if (result != MC_OK) return result;
        buffer->size += produced;
        wanted = buffer->capacity + 1;
    }
    return MC_OK;
}

// A file of one gzip member that says how large it is comes out at once, which takes half as long
// as piece by piece. False: it is something else, or damaged, where the other way says what is
// wrong.
static bool unpack_member(const mc_inflate_stream *in, mc_inflate_buffer *buffer) {
    const uint64_t size = guess_size(in);
    if (in->compression != MC_COMPRESSION_GZIP || in->size > AT_ONCE_MOST || size > AT_ONCE_MOST ||
        size > get_limit(in->size) || mc_import_watch_should_stop(in->watch) ||
        !mc_reserve(&buffer->data, &buffer->capacity, (size_t)size + 1, 1))
        return false;
    struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor();
    if (!unpacker) return false;
    size_t taken = 0;
    const enum libdeflate_result result = libdeflate_gzip_decompress_ex(
        unpacker, in->data, in->size, buffer->data, (size_t)size, &taken, &buffer->size);
    libdeflate_free_decompressor(unpacker);
    return result == LIBDEFLATE_SUCCESS && taken == in->size;
}

mc_result mc_inflate(const unsigned char *data, size_t size, mc_inflate_buffer *buffer,
                     mc_import_watch *watch, mc_error *error) {
    mc_inflate_stream *stream;
    buffer->size = 0;
    mc_result result = mc_inflate_stream_create(data, size, watch, &stream, error);
    if (stream && unpack_member(stream, buffer)) {
        mc_import_watch_add(watch, size);
    } else if (stream) {
        buffer->size = 0;
        result = read_all(stream, buffer, error);
    }
    mc_inflate_stream_destroy(stream);
    return result;
}

void mc_inflate_buffer_deinit(mc_inflate_buffer *buffer) {
    mc_free(buffer->data);
    memset(buffer, 0, sizeof *buffer);
}

size_t mc_inflate_prefix(const unsigned char *data, size_t size, unsigned char *out,
                         size_t out_size) {
    mc_inflate_stream *stream;
    size_t produced = 0;
    (void)mc_inflate_stream_create(data, size, NULL, &stream, NULL);
    if (stream) (void)mc_inflate_stream_read(stream, out, out_size, &produced, NULL);
    mc_inflate_stream_destroy(stream);
    return produced;
}
