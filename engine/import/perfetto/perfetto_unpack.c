#include "engine/import/perfetto/perfetto_unpack.h"

#include "engine/base/memory.h"
#include "engine/import/bytes/gzip.h"
#include "engine/import/perfetto/perfetto_packets.h"
#include <string.h>

#define CHUNK_SIZE ((size_t)64 << 10)

void mc_perfetto_unpacker_deinit(mc_perfetto_unpacker *unpacker) {
    if (unpacker->has_zlib) inflateEnd(&unpacker->zlib);
    mc_inflate_buffer_deinit(&unpacker->packets);
    *unpacker = (mc_perfetto_unpacker){.has_zlib = false};
}

static bool begin_zlib(mc_perfetto_unpacker *self) {
    if (self->has_zlib) return inflateReset(&self->zlib) == Z_OK;
    self->has_zlib = mc_zlib_begin(&self->zlib);
    return self->has_zlib;
}

static bool reserve(mc_inflate_buffer *buffer, size_t more) {
    return mc_reserve(&buffer->data, &buffer->capacity, buffer->size + more, 1);
}

static bool append(mc_inflate_buffer *buffer, const unsigned char *at, size_t size) {
    if (size == 0) return true;
    if (!reserve(buffer, size)) return false;
    memcpy(buffer->data + buffer->size, at, size);
    buffer->size += size;
    return true;
}

// `read`: bytes of the trace up to the packet's end.
static mc_result unpack_zlib(mc_perfetto_unpacker *self, const mc_proto_field *field, size_t read,
                             uint64_t offset, mc_error *error) {
    mc_inflate_buffer *out = &self->packets;
    const unsigned char *at = field->bytes;
    if (!begin_zlib(self)) return mc_error_out_of_memory(error);
    for (int status = Z_OK; status != Z_STREAM_END;) {
        if (!reserve(out, CHUNK_SIZE)) return mc_error_out_of_memory(error);
        mc_gzip_set_input(&self->zlib, at, (size_t)(field->end - at));
        self->zlib.next_out = out->data + out->size;
        self->zlib.avail_out = CHUNK_SIZE;
        status = inflate(&self->zlib, Z_NO_FLUSH);
        size_t size = CHUNK_SIZE - self->zlib.avail_out;
        at = self->zlib.next_in;
        out->size += size;
        self->produced += size;
        if (status == Z_MEM_ERROR) return mc_error_out_of_memory(error);
        bool goes_on = status == Z_OK || (status == Z_BUF_ERROR && size > 0);
        if (status != Z_STREAM_END && (!goes_on || (at == field->end && size < CHUNK_SIZE)))
            return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                                "trace of Perfetto: damaged compressed packets");
        mc_result result = mc_inflate_check_ratio(self->produced, read, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static mc_result unpack_zstd(mc_perfetto_unpacker *self, const mc_proto_field *field, size_t read,
                             mc_error *error) {
    mc_inflate_buffer *out = &self->packets;
    mc_inflate_stream *stream;
    mc_result result = mc_inflate_stream_create(field->bytes, (size_t)(field->end - field->bytes),
                                                NULL, &stream, error);
    while (result == MC_OK && !mc_inflate_stream_is_done(stream)) {
        size_t size = 0;
        if (!reserve(out, CHUNK_SIZE)) {
            result = mc_error_out_of_memory(error);
            break;
        }
        result = mc_inflate_stream_read(stream, out->data + out->size, CHUNK_SIZE, &size, error);
        out->size += size;
        self->produced += size;
        if (result == MC_OK) result = mc_inflate_check_ratio(self->produced, read, error);
    }
    mc_inflate_stream_destroy(stream);
    return result;
}

mc_result mc_perfetto_unpack_packets(mc_perfetto_unpacker *unpacker, const unsigned char *data,
                                     const mc_proto_field *compressed, mc_error *error) {
    const uint64_t offset = (uint64_t)(compressed->begin - data);
    unpacker->packets.size = 0;
    if (compressed->wire != MC_PROTO_BYTES)
        return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                            "trace of Perfetto: expected compressed packets");
    const size_t read = (size_t)(compressed->end - data);
    if (mc_inflate_detect(compressed->bytes, (size_t)(compressed->end - compressed->bytes)) !=
        MC_COMPRESSION_ZSTD)
        return unpack_zlib(unpacker, compressed, read, offset, error);
    mc_result result = unpack_zstd(unpacker, compressed, read, error);
    if (result == MC_ERROR_BAD_DATA && error) error->byte_offset = offset;
    return result;
}

// ---- a whole trace

// Most of a trace is of other sources, and need not be in memory. A sequence's first packet, which
// is marked as one before which others may be missing, tells those that come later from it.
static bool is_needed(const mc_proto_field *field) {
    mc_perfetto_packet packet;
    mc_perfetto_clock clock = {.is_known = false};
    const unsigned char *bad;
    const char *expected;
    if (!mc_perfetto_packet_read(field, &packet, &clock, &bad, &expected)) return false;
    return bad || clock.is_known || packet.is_cleared || packet.is_dropped ||
           packet.interned.number || packet.profile.number || packet.heap_graph.number ||
           packet.real_names.number;
}

static mc_result append_packets(mc_perfetto_unpacker *self, uint64_t offset, mc_inflate_buffer *out,
                                mc_error *error) {
    const mc_inflate_buffer *packets = &self->packets;
    if (packets->size == 0) return MC_OK;
    mc_proto trace = mc_proto_begin(packets->data, packets->data + packets->size);
    mc_proto_field field;
    while (mc_proto_next(&trace, &field))
        if (is_needed(&field) && !append(out, field.begin, (size_t)(trace.at - field.begin)))
            return mc_error_out_of_memory(error);
    if (!trace.bad) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                        "trace of Perfetto: expected whole packets in compressed ones");
}

mc_result mc_perfetto_unpack(const unsigned char *data, size_t size, mc_import_watch *watch,
                             mc_inflate_buffer *unpacked, mc_error *error) {
    mc_perfetto_unpacker unpacker = {.has_zlib = false};
    mc_proto trace = mc_proto_begin(data, data + size);
    mc_proto_field field;
    const unsigned char *kept = data; // what is before it is in `unpacked`
    bool has_compressed = false;
    mc_result result = MC_OK;
    unpacked->size = 0;
    while (result == MC_OK && mc_proto_next(&trace, &field)) {
        mc_proto_field compressed = mc_perfetto_find_compressed(&field);
        if (compressed.number == 0) continue;
        has_compressed = true;
        if (!append(unpacked, kept, (size_t)(field.begin - kept)))
            result = mc_error_out_of_memory(error);
        kept = trace.at;
        if (result == MC_OK)
            result = mc_perfetto_unpack_packets(&unpacker, data, &compressed, error);
        if (result == MC_OK)
            result =
                append_packets(&unpacker, (uint64_t)(compressed.begin - data), unpacked, error);
        if (result == MC_OK && mc_import_watch_should_stop(watch))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    // A trace that is cut off is so behind what was unpacked as well.
    if (result == MC_OK && has_compressed &&
        (!append(unpacked, kept, (size_t)(data + size - kept)) || !reserve(unpacked, 1)))
        result = mc_error_out_of_memory(error);
    mc_perfetto_unpacker_deinit(&unpacker);
    return result;
}

void mc_perfetto_unpack_mark(const mc_inflate_buffer *unpacked, mc_error *error) {
    if (unpacked->data && error) error->byte_offset = MC_ERROR_NO_OFFSET;
}
