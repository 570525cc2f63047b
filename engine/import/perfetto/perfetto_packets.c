#include "engine/import/perfetto/perfetto_packets.h"

#include "engine/import/bytes/gzip.h"
#include "engine/import/bytes/inflate.h"

#define NS_PER_MS 1000000

// The fields of a packet.
enum {
    TRUSTED_USER = 3,
    CLOCKS = 6,
    TIMESTAMP = 8,
    SEQUENCE = 10,
    INTERNED = 12,
    FLAGS = 13,
    PROFILE = 37,
    CLEARED = 41,
    DROPPED = 42,
    COMPRESSED = 50,
    HEAP_GRAPH = 56,
    REAL_NAMES = 64,
    COMPRESSED_ZSTD = 133
};

// Whether it says by which user and in which sequence it was written, as the service notes of each.
static bool has_writer(const mc_proto_field *packet) {
    mc_proto body = mc_proto_begin(packet->bytes, packet->end);
    mc_proto_field part;
    bool is_there = false;
    while (mc_proto_next(&body, &part)) {
        if (part.number != TRUSTED_USER && part.number != SEQUENCE) continue;
        if (part.wire != MC_PROTO_VARINT) return false;
        is_there = true;
    }
    return is_there && !body.bad;
}

static bool has_writers(const unsigned char *data, size_t size) {
    enum { LOOKED_AT = 8 };
    mc_proto trace = mc_proto_begin(data, data + size);
    mc_proto_field packet;
    for (uint32_t i = 0; i < LOOKED_AT && mc_proto_next(&trace, &packet); i++) {
        if (packet.number != 1 || packet.wire != MC_PROTO_BYTES) return false;
        if (has_writer(&packet)) return true;
    }
    return false;
}

static size_t unpack_zlib_prefix(const unsigned char *data, size_t size, unsigned char *out,
                                 size_t out_size) {
    z_stream stream;
    if (!mc_zlib_begin(&stream)) return 0;
    mc_gzip_set_input(&stream, data, size);
    stream.next_out = out;
    stream.avail_out = (uInt)out_size;
    (void)inflate(&stream, Z_SYNC_FLUSH);
    size_t produced = out_size - stream.avail_out;
    inflateEnd(&stream);
    return produced;
}

// What comes first out of a trace whose first packet is compressed, which may be cut off: how many
// bytes; 0: it isn't.
static size_t unpack_prefix(const unsigned char *data, size_t size, unsigned char *out,
                            size_t out_size) {
    enum { A_PACKET = 1 << 3 | MC_PROTO_BYTES };
    const uint64_t zlib = COMPRESSED << 3 | MC_PROTO_BYTES;
    const uint64_t zstd = COMPRESSED_ZSTD << 3 | MC_PROTO_BYTES;
    mc_proto trace = mc_proto_begin(data, data + size);
    uint64_t key, length;
    if (!mc_proto_read_varint(&trace, &key) || key != A_PACKET ||
        !mc_proto_read_varint(&trace, &length) || !mc_proto_read_varint(&trace, &key) ||
        (key != zlib && key != zstd) || !mc_proto_read_varint(&trace, &length))
        return 0;
    size_t rest = (size_t)(trace.end - trace.at);
    if (length < rest) rest = (size_t)length;
    return (key == zlib ? unpack_zlib_prefix : mc_inflate_prefix)(trace.at, rest, out, out_size);
}

bool mc_perfetto_detect(const void *data, size_t size) {
    unsigned char packets[16 << 10];
    if (has_writers(data, size)) return true;
    // A service that compresses what it writes does so from the first packet on.
    size_t unpacked = unpack_prefix(data, size, packets, sizeof packets);
    return has_writers(packets, unpacked);
}

mc_proto_field mc_perfetto_find_compressed(const mc_proto_field *field) {
    mc_proto_field part, found = {.number = 0};
    if (field->number != 1 || field->wire != MC_PROTO_BYTES) return found;
    mc_proto body = mc_proto_begin(field->bytes, field->end);
    while (mc_proto_next(&body, &part))
        if (part.number == COMPRESSED || part.number == COMPRESSED_ZSTD) found = part;
    if (body.bad) found.number = 0; // who reads the packet says so
    return found;
}

static void note(const mc_proto *proto, const unsigned char **bad, const char **expected) {
    if (!proto->bad || *bad) return;
    *bad = proto->bad;
    *expected = proto->expected;
}

static void read_clocks(const mc_proto_field *field, mc_perfetto_clock *clock,
                        const unsigned char **bad, const char **expected) {
    enum { REALTIME = 1, BOOTTIME = 6 };
    uint64_t times[BOOTTIME + 1] = {0};
    mc_proto body = mc_proto_begin(field->bytes, field->end);
    mc_proto_field part, inner;
    while (mc_proto_next(&body, &part)) {
        uint64_t id = 0, time = 0;
        if (part.number != 1 || part.wire != MC_PROTO_BYTES) continue;
        mc_proto one = mc_proto_begin(part.bytes, part.end);
        while (mc_proto_next(&one, &inner)) {
            if (inner.number == 1) id = inner.value;
            if (inner.number == 2) time = inner.value;
        }
        note(&one, bad, expected);
        if (id <= BOOTTIME && time < INT64_MAX / 4) times[id] = time;
    }
    note(&body, bad, expected);
    if (times[REALTIME] == 0 || times[BOOTTIME] == 0) return;
    clock->is_known = true;
    clock->offset_ns = (int64_t)times[REALTIME] - (int64_t)times[BOOTTIME];
}

bool mc_perfetto_packet_read(const mc_proto_field *field, mc_perfetto_packet *packet,
                             mc_perfetto_clock *clock, const unsigned char **bad,
                             const char **expected) {
    mc_proto_field part;
    *packet = (mc_perfetto_packet){.time_ns = 0};
    *bad = NULL;
    if (field->number != 1) return false;
    if (field->wire != MC_PROTO_BYTES) {
        *bad = field->begin;
        *expected = "a packet";
        return true;
    }
    mc_proto body = mc_proto_begin(field->bytes, field->end);
    while (mc_proto_next(&body, &part)) {
        switch (part.number) {
        case CLOCKS:
            if (!clock->is_known && part.wire == MC_PROTO_BYTES)
                read_clocks(&part, clock, bad, expected);
            break;
        case TIMESTAMP: packet->time_ns = part.value; break;
        case SEQUENCE: packet->sequence = (uint32_t)part.value; break;
        case INTERNED: packet->interned = part; break;
        case PROFILE: packet->profile = part; break;
        case HEAP_GRAPH: packet->heap_graph = part; break;
        case REAL_NAMES: packet->real_names = part; break;
        case FLAGS: packet->is_cleared |= (part.value & 1) != 0; break;
        case CLEARED: packet->is_cleared |= part.value != 0; break;
        case DROPPED: packet->is_dropped = part.value != 0; break;
        default: break;
        }
    }
    note(&body, bad, expected);
    return true;
}

int64_t mc_perfetto_clock_get_ms(const mc_perfetto_clock *clock, uint64_t time_ns) {
    int64_t time = time_ns < INT64_MAX / 4 ? (int64_t)time_ns : 0;
    if (time + clock->offset_ns > 0) time += clock->offset_ns;
    return time / NS_PER_MS;
}
