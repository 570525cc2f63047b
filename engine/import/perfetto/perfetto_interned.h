// perfetto_interned.h - what packets of a Perfetto trace name by numbers: texts, mappings, frames
// and call stacks.
//
// A number is of a sequence of packets, until that forgets what it has said so far: each time is an
// epoch of its own. Zero-initialise; deinit. Memory: 64 bytes a message. Threads: one.
#pragma once
#include "engine/base/slots.h"
#include "engine/import/bytes/protobuf.h"
#include "engine/import/stacks/frame_name.h"

typedef enum mc_perfetto_table {
    MC_PERFETTO_TEXT, // of the packets of old heapprofds: functions and paths alike
    MC_PERFETTO_FUNCTION,
    MC_PERFETTO_SOURCE,
    MC_PERFETTO_PATH,
    MC_PERFETTO_MAPPING,
    MC_PERFETTO_FRAME,
    MC_PERFETTO_CALLSTACK
} mc_perfetto_table;

typedef struct mc_perfetto_message {
    uint64_t iid;
    uint32_t scope; // sequence and epoch
    mc_perfetto_table table;
    mc_proto body;
    uint32_t frame; // the caller's, of MC_PERFETTO_FRAME; MC_NONE: none yet
    mc_span text;   // likewise, of MC_PERFETTO_MAPPING
    bool has_text;
} mc_perfetto_message;

typedef struct mc_perfetto_interned {
    mc_perfetto_message *items;
    size_t count, capacity;
    mc_slots slots;
} mc_perfetto_interned;

// Of a field that is a text; of any other: empty.
static inline mc_span mc_perfetto_get_text(const mc_proto_field *field) {
    if (field->wire != MC_PROTO_BYTES) return (mc_span){NULL, 0};
    return (mc_span){(const char *)field->bytes, (size_t)(field->end - field->bytes)};
}

void mc_perfetto_interned_deinit(mc_perfetto_interned *interned);
// A message whose field 1 is its number; the first of a number counts. False: memory is out, or
// too many. *wrong: where it is no message; NULL: it is one.
bool mc_perfetto_interned_add(mc_perfetto_interned *interned, uint32_t scope,
                              mc_perfetto_table table, const mc_proto_field *field,
                              const unsigned char **wrong);
// NULL: there is none.
mc_perfetto_message *mc_perfetto_interned_find(const mc_perfetto_interned *interned, uint32_t scope,
                                               mc_perfetto_table table, uint64_t iid);
