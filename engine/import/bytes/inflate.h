// inflate.h - unpacks .gz (of one or several members), .zst and .lz4 data, at once or piece by
// piece.
//
// Recognised by content, never by name. Untrusted input: the output size is limited, see below.
// Damaged or truncated data is MC_ERROR_BAD_DATA with the offset in the compressed data. Threads:
// separate objects may be used in parallel.
#pragma once
#include "engine/base/base.h"
#include "engine/import/bytes/watch.h"

// At no time may more have come out than this many times what went in, or than the floor if that is
// more: traces shrink to a tenth or a fiftieth; thousand times is what bombs do.
#define MC_INFLATE_RATIO_MAX 256
#define MC_INFLATE_FLOOR (UINT64_C(256) << 20)

// MC_ERROR_BAD_DATA if too much has come out of the first `size` bytes of packed data.
mc_result mc_inflate_check_ratio(uint64_t produced, size_t size, mc_error *error);

typedef enum mc_compression {
    MC_COMPRESSION_NONE,
    MC_COMPRESSION_GZIP,
    MC_COMPRESSION_ZSTD,
    MC_COMPRESSION_LZ4
} mc_compression;

mc_compression mc_inflate_detect(const unsigned char *data, size_t size);

typedef struct mc_inflate_stream mc_inflate_stream;

// `data` must outlive the stream. `watch` may be NULL; the bytes that are read are added to it.
mc_result mc_inflate_stream_create(const unsigned char *data, size_t size, mc_import_watch *watch,
                                   mc_inflate_stream **stream, mc_error *error);
void mc_inflate_stream_destroy(mc_inflate_stream *stream); // NULL is fine

// Fills `out`, or as much of it as there is data left; then the stream is done. *produced also
// counts what came out before damage was met.
mc_result mc_inflate_stream_read(mc_inflate_stream *stream, unsigned char *out, size_t out_size,
                                 size_t *produced, mc_error *error);
// For readers that keep little of what comes out, whatever it is: they check that themselves.
void mc_inflate_stream_lift_limit(mc_inflate_stream *stream);
bool mc_inflate_stream_is_done(const mc_inflate_stream *stream);
// How many bytes of the packed data were read, and are not needed any more.
size_t mc_inflate_stream_get_taken(const mc_inflate_stream *stream);

typedef struct mc_inflate_buffer {
    unsigned char *data;
    size_t size, capacity;
} mc_inflate_buffer;

// Unpacks everything. Replaces the buffer's content, reusing its memory; on failure the content is
// unspecified.
mc_result mc_inflate(const unsigned char *data, size_t size, mc_inflate_buffer *buffer,
                     mc_import_watch *watch, mc_error *error);
void mc_inflate_buffer_deinit(mc_inflate_buffer *buffer);

// Unpacks at most the first `out_size` bytes and returns how many; errors end them early.
size_t mc_inflate_prefix(const unsigned char *data, size_t size, unsigned char *out,
                         size_t out_size);
