#include "engine/import/perfetto/perfetto_packets.h"

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

bool mc_perfetto_detect(const void *data, size_t size) {
    enum { LOOKED_AT = 8 };
    mc_proto trace = mc_proto_begin(data, (const unsigned char *)data + size);
    mc_proto_field packet;
    for (uint32_t i = 0; i < LOOKED_AT && mc_proto_next(&trace, &packet); i++) {
        if (packet.number != 1 || packet.wire != MC_PROTO_BYTES) return false;
        if (has_writer(&packet)) return true;
    }
    return false;
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
        case FLAGS: packet->is_cleared |= (part.value & 1) != 0; break;
        case CLEARED: packet->is_cleared |= part.value != 0; break;
        case DROPPED: packet->is_dropped = part.value != 0; break;
        case COMPRESSED:
        case COMPRESSED_ZSTD: packet->is_packed = true; break;
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
