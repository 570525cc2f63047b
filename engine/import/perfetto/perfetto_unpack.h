// perfetto_unpack.h - unpacks what is compressed within a Perfetto trace: packets that have packets
// within them (TracePacket.compressed_packets), as zlib data, or as zstd.
//
// Source: google/perfetto, zlib_compressor.cc: a compressed packet holds whole packets, none of
// them compressed again. Untrusted input: what comes out is limited as in inflate.h. Threads:
// separate objects may be used in parallel.
#pragma once
#include "engine/import/bytes/inflate.h"
#include "engine/import/bytes/protobuf.h"
#include <zlib.h>

// Zero-initialise; deinit.
typedef struct mc_perfetto_unpacker {
    z_stream zlib;
    bool has_zlib;
    mc_inflate_buffer packets; // of the last compressed packet
    uint64_t produced;
} mc_perfetto_unpacker;

void mc_perfetto_unpacker_deinit(mc_perfetto_unpacker *unpacker);

// Fills unpacker->packets with what a field that is compressed holds; `data`: where the trace
// begins, for the limit and the offsets of errors.
mc_result mc_perfetto_unpack_packets(mc_perfetto_unpacker *unpacker, const unsigned char *data,
                                     const mc_proto_field *compressed, mc_error *error);

// The trace with what its compressed packets hold in their place, as far as heaps need it. A trace
// without any leaves `unpacked` empty.
mc_result mc_perfetto_unpack(const unsigned char *data, size_t size, mc_import_watch *watch,
                             mc_inflate_buffer *unpacked, mc_error *error);
// An error that was met in what came out: its offset isn't one in the file.
void mc_perfetto_unpack_mark(const mc_inflate_buffer *unpacked, mc_error *error);
