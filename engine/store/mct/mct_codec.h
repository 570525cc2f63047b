// mct_codec.h - encodes columns of numbers as the blobs of an .mct file; for the trace module's own
// files only.
//
// A blob is one byte that tells how the rest is stored (0: as it is, 1: a zstd frame that states
// its content's size), then the content. The content of a column is one LEB128 varint per value:
// the zigzag code of the difference (modulo 2^64) between the value and its base. The base is the
// same entry of another column, the previous value, or 0. docs/reference/mct.md says the same for
// other programs. Untrusted input: never reads beyond a blob, never allocates more than the caller
// expects. Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/base.h"

typedef struct mc_mct_bytes {
    unsigned char *data;
    size_t size, capacity;
} mc_mct_bytes;

void mc_mct_bytes_deinit(mc_mct_bytes *bytes);

// Scratch memory and zstd's contexts. Zero-initialise; they are made when they are needed.
typedef struct mc_mct_codec {
    mc_mct_bytes raw;
    void *compressor, *decompressor;
} mc_mct_codec;

void mc_mct_codec_deinit(mc_mct_codec *codec);
size_t mc_mct_codec_memory_size(const mc_mct_codec *codec);

// What a value's difference refers to. `base` NULL: 0. A base shorter than the column ends in 0s.
typedef struct mc_mct_base {
    const uint64_t *base;
    uint32_t base_count;
    bool is_chain;   // the value before; `base` is NULL
    uint64_t before; // of a chain: what is before the first value
} mc_mct_base;

#define MC_MCT_NO_BASE ((mc_mct_base){NULL, 0, false, 0})
#define MC_MCT_CHAIN ((mc_mct_base){NULL, 0, true, 0})

// Writes the blob to `out`, whose old content goes. Returns MC_OK or MC_ERROR_OUT_OF_MEMORY.
mc_result mc_mct_encode_bytes(mc_mct_codec *codec, const void *data, size_t size,
                              mc_mct_bytes *out);
mc_result mc_mct_encode_column(mc_mct_codec *codec, const uint64_t *values, uint32_t count,
                               mc_mct_base base, mc_mct_bytes *out);

// For callers that encode a column piece by piece: appends a piece's content, without the blob's
// first byte.
mc_result mc_mct_append_column(mc_mct_bytes *bytes, const uint64_t *values, uint32_t count,
                               mc_mct_base base);

// A view of the content, in the codec's scratch memory or in the blob itself. Returns MC_OK,
// MC_ERROR_OUT_OF_MEMORY, or MC_ERROR_BAD_DATA also if there are more than `most_size` bytes.
mc_result mc_mct_decode_bytes(mc_mct_codec *codec, const void *blob, size_t blob_size,
                              size_t most_size, const unsigned char **content, size_t *size);
// MC_ERROR_BAD_DATA unless there are exactly `count` values. `values` may be the base.
mc_result mc_mct_decode_column(mc_mct_codec *codec, const void *blob, size_t blob_size,
                               uint64_t *values, uint32_t count, mc_mct_base base);

// For large contents: the size that the blob states, which may be wrong, and the content itself,
// where the caller has made room for that. MC_ERROR_BAD_DATA: there is no such content.
mc_result mc_mct_get_content_size(const void *blob, size_t blob_size, size_t *size);
mc_result mc_mct_decode_into(mc_mct_codec *codec, const void *blob, size_t blob_size, void *content,
                             size_t size);

// Reads a plain column, or a chain, piece by piece. The codec can't be used meanwhile.
typedef struct mc_mct_cursor {
    const unsigned char *at, *end;
    uint64_t before;
    bool is_chain;
} mc_mct_cursor;

mc_result mc_mct_cursor_init(mc_mct_cursor *cursor, mc_mct_codec *codec, const void *blob,
                             size_t blob_size, uint32_t count, bool is_chain);
// False: there are not as many, or one that has more than 64 bits.
bool mc_mct_cursor_read(mc_mct_cursor *cursor, uint64_t *values, uint32_t count);
static inline bool mc_mct_cursor_is_at_end(const mc_mct_cursor *cursor) {
    return cursor->at == cursor->end;
}
