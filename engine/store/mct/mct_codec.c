#include "engine/store/mct/mct_codec.h"

#include "engine/base/memory.h"
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

static mc_result decompress(mc_mct_codec *codec, const unsigned char *frame, size_t frame_size,
                            size_t most_size, size_t *size) {
    unsigned long long content_size = ZSTD_getFrameContentSize(frame, frame_size);
    if (content_size == ZSTD_CONTENTSIZE_UNKNOWN || content_size == ZSTD_CONTENTSIZE_ERROR ||
        content_size > most_size)
        return MC_ERROR_BAD_DATA;
    if (!codec->decompressor) codec->decompressor = ZSTD_createDCtx();
    if (!codec->decompressor || !reserve(&codec->raw, (size_t)content_size + 1))
        return MC_ERROR_OUT_OF_MEMORY;
    *size = ZSTD_decompressDCtx(codec->decompressor, codec->raw.data, (size_t)content_size, frame,
                                frame_size);
    if (ZSTD_getErrorCode(*size) == ZSTD_error_memory_allocation) return MC_ERROR_OUT_OF_MEMORY;
    return *size == content_size ? MC_OK : MC_ERROR_BAD_DATA;
}

mc_result mc_mct_decode_bytes(mc_mct_codec *codec, const void *blob, size_t blob_size,
                              size_t most_size, const unsigned char **content, size_t *size) {
    const unsigned char *bytes = blob;
    if (blob_size == 0) return MC_ERROR_BAD_DATA;
    if (bytes[0] == METHOD_STORED) {
        *content = bytes + 1;
        *size = blob_size - 1;
        return *size <= most_size ? MC_OK : MC_ERROR_BAD_DATA;
    }
    if (bytes[0] != METHOD_ZSTD) return MC_ERROR_BAD_DATA;
    mc_result result = decompress(codec, bytes + 1, blob_size - 1, most_size, size);
    *content = codec->raw.data;
    return result;
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

// Reads `count` codes. Most are small in practice, so eight one-byte codes are taken at once.
static const unsigned char *get_codes(const unsigned char *at, const unsigned char *end,
                                      uint64_t *codes, uint32_t count) {
    uint32_t i = 0;
    while (i < count && at) {
        uint64_t word = 0;
        if (count - i >= 8 && end - at >= 8) memcpy(&word, at, 8);
        if (count - i >= 8 && end - at >= 8 && (word & 0x8080808080808080u) == 0) {
            for (int k = 0; k < 8; k++)
                codes[i + (uint32_t)k] = at[k];
            at += 8;
            i += 8;
        } else {
            at = get_varint(at, end, &codes[i++]);
        }
    }
    return at;
}

static void add_base(uint64_t *values, const uint64_t *codes, uint32_t count,
                     const uint64_t *base) {
    for (uint32_t i = 0; i < count; i++)
        values[i] = base[i] + from_zigzag(codes[i]);
}

#define CHUNK 1024

mc_result mc_mct_decode_column(mc_mct_codec *codec, const void *blob, size_t blob_size,
                               uint64_t *values, uint32_t count, mc_mct_base base) {
    const unsigned char *at;
    size_t size;
    mc_result result =
        mc_mct_decode_bytes(codec, blob, blob_size, (size_t)count * VARINT_SIZE_MAX, &at, &size);
    if (result != MC_OK) return result;
    const unsigned char *end = at + size;
    uint64_t codes[CHUNK], before = 0;
    for (uint32_t begin = 0; begin < count; begin += CHUNK) {
        uint32_t length = count - begin < CHUNK ? count - begin : CHUNK, based = 0;
        at = get_codes(at, end, codes, length);
        if (!at) return MC_ERROR_BAD_DATA;
        if (base.base && begin < base.base_count) {
            based = base.base_count - begin < length ? base.base_count - begin : length;
            add_base(values + begin, codes, based, base.base + begin);
        }
        for (uint32_t i = based; i < length; i++) {
            values[begin + i] = before + from_zigzag(codes[i]);
            if (base.is_chain) before = values[begin + i];
        }
    }
    return at == end ? MC_OK : MC_ERROR_BAD_DATA;
}
