// perfetto_packets.h - takes the packets of a Perfetto trace apart, as far as heaps need it.
//
// Sources: google/perfetto, protos/perfetto/trace/trace_packet.proto, clock_snapshot.proto. There
// is no magic number: a trace is packets of which one says who wrote it. Untrusted input: every
// field is checked against what is there. Threads: any.
#pragma once
#include "engine/import/bytes/protobuf.h"

// Whether data that begins like this is a trace of Perfetto, with whatever in it.
bool mc_perfetto_detect(const void *data, size_t size);

typedef struct mc_perfetto_packet {
    uint64_t time_ns;                             // of the trace's clock
    uint32_t sequence;                            // of packets of one writer
    bool is_cleared;                              // the sequence forgets what it has interned
    bool is_dropped;                              // packets before it are lost
    mc_proto_field interned, profile, heap_graph; // of number 0: it has none
    mc_proto_field real_names;                    // likewise (perfetto_real_names.h)
} mc_perfetto_packet;

// What a packet has that is packets, compressed (perfetto_unpack.h). Of number 0: it has none.
mc_proto_field mc_perfetto_find_compressed(const mc_proto_field *field);

// Where the trace's clock and that of the day were at one moment. Zero-initialise.
typedef struct mc_perfetto_clock {
    bool is_known;
    int64_t offset_ns;
} mc_perfetto_clock;

// Whether a field of a trace is a packet, which is read, and the clock with it. *bad: where
// something else should have stood; NULL: nothing is wrong.
bool mc_perfetto_packet_read(const mc_proto_field *field, mc_perfetto_packet *packet,
                             mc_perfetto_clock *clock, const unsigned char **bad,
                             const char **expected);

// In ms since 1970, if the clock is known.
int64_t mc_perfetto_clock_get_ms(const mc_perfetto_clock *clock, uint64_t time_ns);
