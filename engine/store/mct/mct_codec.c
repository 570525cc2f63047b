#include "engine/store/mct/mct_codec.h"

#include "engine/base/memory.h"
#include "engine/store/mct/mct_numbers.h"
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { METHOD_STORED = 0, METHOD_ZSTD = 1 };

#define VARINT_SIZE_MAX 10
#define COMPRESSION_LEVEL 1  // the next levels gain a few percent and take twice the time
#define WORTH_COMPRESSING 32 // bytes

void mc_mct_bytes_deinit(mc_mct_bytes *bytes) {
    mc_free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}

void mc_mct_codec_deinit(mc_mct_codec *codec) {
    mc_mct_bytes_deinit(&codec->raw);
    ZSTD_freeCCtx(codec->compressor);
    ZSTD_freeDCtx(codec->decompressor);
    memset(codec, 0, sizeof *codec);
}

size_t mc_mct_codec_memory_size(const mc_mct_codec *codec) {
    return codec->raw.capacity + ZSTD_sizeof_CCtx(codec->compressor) +
           ZSTD_sizeof_DCtx(codec->decompressor);
}

static bool reserve(mc_mct_bytes *bytes, size_t size) {
    return mc_reserve(&bytes->data, &bytes->capacity, size, 1);
}

// ---- writing

mc_result mc_mct_encode_bytes(mc_mct_codec *codec, const void *data, size_t size,
                              mc_mct_bytes *out) {
    out->size = 0;
    size_t bound = ZSTD_compressBound(size);
    if (!reserve(out, 1 + (bound > size ? bound : size))) return MC_ERROR_OUT_OF_MEMORY;
    if (size >= WORTH_COMPRESSING) {
        if (!codec->compressor) codec->compressor = ZSTD_createCCtx();
        if (!codec->compressor) return MC_ERROR_OUT_OF_MEMORY;
        size_t compressed = ZSTD_compressCCtx(codec->compressor, out->data + 1, bound, data, size,
                                              COMPRESSION_LEVEL);
        if (!ZSTD_isError(compressed) && compressed < size) {
            out->data[0] = METHOD_ZSTD;
            out->size = 1 + compressed;
            return MC_OK;
        }
    }
    out->data[0] = METHOD_STORED;
    if (size > 0) memcpy(out->data + 1, data, size);
    out->size = 1 + size;
    return MC_OK;
}

static inline unsigned char *put_varint(unsigned char *at, uint64_t value) {
    while (value >= 0x80) {
        *at++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *at++ = (unsigned char)value;
    return at;
}

static inline uint64_t to_zigzag(uint64_t difference) {
    return (difference << 1) ^ (0 - (difference >> 63));
}

static inline uint64_t from_zigzag(uint64_t code) {
    return (code >> 1) ^ (0 - (code & 1));
}

mc_result mc_mct_append_column(mc_mct_bytes *bytes, const uint64_t *values, uint32_t count,
                               mc_mct_base base) {
    if (count == 0) return MC_OK; // there may be no bytes yet to point into
    if (!reserve(bytes, bytes->size + (size_t)count * VARINT_SIZE_MAX))
        return MC_ERROR_OUT_OF_MEMORY;
    unsigned char *at = bytes->data + bytes->size;
    uint32_t i = 0, based = base.base_count < count ? base.base_count : count;
    uint64_t before = base.before;
    if (base.is_chain)
        for (; i < count; before = values[i++])
            at = put_varint(at, to_zigzag(values[i] - before));
    else if (base.base)
        for (; i < based; i++)
            at = put_varint(at, to_zigzag(values[i] - base.base[i]));
    for (; i < count; i++)
        at = put_varint(at, to_zigzag(values[i]));
    bytes->size = (size_t)(at - bytes->data);
    return MC_OK;
}

mc_result mc_mct_encode_column(mc_mct_codec *codec, const uint64_t *values, uint32_t count,
                               mc_mct_base base, mc_mct_bytes *out) {
    codec->raw.size = 0;
    mc_result result = mc_mct_append_column(&codec->raw, values, count, base);
    return result == MC_OK ? mc_mct_encode_bytes(codec, codec->raw.data, codec->raw.size, out)
                           : result;
}

// ---- reading

static bool get_frame_content_size(const unsigned char *frame, size_t frame_size, size_t *size) {
    unsigned long long content_size = ZSTD_getFrameContentSize(frame, frame_size);
    *size = (size_t)content_size;
    return content_size != ZSTD_CONTENTSIZE_UNKNOWN && content_size != ZSTD_CONTENTSIZE_ERROR &&
           content_size < SIZE_MAX;
}

static mc_result decompress(mc_mct_codec *codec, const unsigned char *frame, size_t frame_size,
                            void *content, size_t content_size) {
    if (!codec->decompressor) codec->decompressor = ZSTD_createDCtx();
    if (!codec->decompressor) return MC_ERROR_OUT_OF_MEMORY;
    size_t size =
        ZSTD_decompressDCtx(codec->decompressor, content, content_size, frame, frame_size);
    if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation) return MC_ERROR_OUT_OF_MEMORY;
    return size == content_size ? MC_OK : MC_ERROR_BAD_DATA;
}

mc_result mc_mct_get_content_size(const void *blob, size_t blob_size, size_t *size) {
    const unsigned char *bytes = blob;
    *size = blob_size - 1;
    if (blob_size == 0) return MC_ERROR_BAD_DATA;
    if (bytes[0] == METHOD_STORED) return MC_OK;
    bool is_known =
        bytes[0] == METHOD_ZSTD && get_frame_content_size(bytes + 1, blob_size - 1, size);
    return is_known ? MC_OK : MC_ERROR_BAD_DATA;
}

mc_result mc_mct_decode_into(mc_mct_codec *codec, const void *blob, size_t blob_size, void *content,
                             size_t size) {
    const unsigned char *bytes = blob;
    if (bytes[0] == METHOD_ZSTD) return decompress(codec, bytes + 1, blob_size - 1, content, size);
    if (size > 0) memcpy(content, bytes + 1, size);
    return MC_OK;
}

mc_result mc_mct_decode_bytes(mc_mct_codec *codec, const void *blob, size_t blob_size,
                              size_t most_size, const unsigned char **content, size_t *size) {
    const unsigned char *bytes = blob;
    mc_result result = mc_mct_get_content_size(blob, blob_size, size);
    if (result == MC_OK && *size > most_size) result = MC_ERROR_BAD_DATA;
    if (result != MC_OK) return result;
    *content = bytes + 1;
    if (bytes[0] == METHOD_STORED) return MC_OK;
    if (!reserve(&codec->raw, *size + 1)) return MC_ERROR_OUT_OF_MEMORY;
    *content = codec->raw.data;
    return decompress(codec, bytes + 1, blob_size - 1, codec->raw.data, *size);
}

// NULL if the number does not end within the bytes or has more than 64 bits.
static inline const unsigned char *get_varint(const unsigned char *at, const unsigned char *end,
                                              uint64_t *value) {
    uint64_t result = 0;
    for (unsigned shift = 0; shift < 64 && at < end; shift += 7) {
        uint64_t byte = *at++;
        if (shift == 63 && byte > 1) return NULL;
        result |= (byte & 0x7f) << shift;
        if (byte < 0x80) {
            *value = result;
            return at;
        }
    }
    return NULL;
}

#define EACH_BYTE(byte) ((uint64_t)(byte)*0x0101010101010101u)

// Reads one code, or eight of one byte, which often are the same. NULL: they do not end within the
// bytes.
static inline const unsigned char *get_some(const unsigned char *at, const unsigned char *end,
                                            uint64_t *values, uint32_t most, uint32_t *count) {
    uint64_t word = EACH_BYTE(0x80), code = 0;
    if (most >= 8 && end - at >= 8) memcpy(&word, at, 8);
    if ((word & EACH_BYTE(0x80)) != 0) {
        at = get_varint(at, end, &code);
        values[0] = from_zigzag(code);
        *count = 1;
        return at;
    }
    for (uint32_t k = 0; k < 8; k++)
        values[k] = from_zigzag(at[k]);
    *count = 8;
    return at + 8;
}

// Reads `count` differences. Most codes are short in practice. NULL: they do not end within the
// bytes.
static const unsigned char *get_differences(const unsigned char *at, const unsigned char *end,
                                            uint64_t *values, uint32_t count) {
    for (uint32_t i = 0, some; i < count && at; i += some) {
        i += mc_mct_decode_short(&at, end, values + i, count - i);
        some = 0;
        if (i < count) at = get_some(at, end, values + i, count - i, &some);
    }
    return at;
}

// The same, or in a chain the sums of those so far, from `before` on.
static inline const unsigned char *get_numbers(const unsigned char *at, const unsigned char *end,
                                               uint64_t *values, uint32_t count, bool is_chain,
                                               uint64_t before) {
    at = get_differences(at, end, values, count);
    for (uint32_t i = 0; i < count && at && is_chain; i++)
        before = values[i] += before;
    return at;
}

mc_result mc_mct_cursor_init(mc_mct_cursor *cursor, mc_mct_codec *codec, const void *blob,
                             size_t blob_size, uint32_t count, bool is_chain) {
    size_t size;
    *cursor = (mc_mct_cursor){.is_chain = is_chain};
    mc_result result = mc_mct_decode_bytes(codec, blob, blob_size, (size_t)count * VARINT_SIZE_MAX,
                                           &cursor->at, &size);
    if (result == MC_OK) cursor->end = cursor->at + size;
    return result;
}

bool mc_mct_cursor_read(mc_mct_cursor *cursor, uint64_t *values, uint32_t count) {
    const unsigned char *at = cursor->at, *end = cursor->end;
    if (count == 0) return true;
    at = cursor->is_chain ? get_numbers(at, end, values, count, true, cursor->before)
                          : get_numbers(at, end, values, count, false, 0);
    if (!at) return false;
    cursor->at = at;
    cursor->before = values[count - 1];
    return true;
}

#define CHUNK 1024

mc_result mc_mct_decode_column(mc_mct_codec *codec, const void *blob, size_t blob_size,
                               uint64_t *values, uint32_t count, mc_mct_base base) {
    mc_mct_cursor cursor;
    mc_result result = mc_mct_cursor_init(&cursor, codec, blob, blob_size, count, base.is_chain);
    if (result != MC_OK) return result;
    uint32_t begin = 0, based = base.base ? base.base_count : 0;
    if (based > count) based = count;
    uint64_t differences[CHUNK]; // `values` may be the base
    for (uint32_t length; begin < based; begin += length) {
        length = based - begin < CHUNK ? based - begin : CHUNK;
        if (!mc_mct_cursor_read(&cursor, differences, length)) return MC_ERROR_BAD_DATA;
        mc_mct_add_base(values + begin, base.base + begin, differences, length);
    }
    if (begin < count && !mc_mct_cursor_read(&cursor, values + begin, count - begin))
        return MC_ERROR_BAD_DATA;
    return mc_mct_cursor_is_at_end(&cursor) ? MC_OK : MC_ERROR_BAD_DATA;
}
