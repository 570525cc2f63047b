// push_message.h - splits a message pushed by a tool (docs/reference/websocket.md) into documents
// as its bytes arrive.
//
// [STEP, …] or STEP; or {"kind":"trees"|"points-to-maps"|"pointed-from-maps","data":[…]}; or an
// answer as AntTracks gives it, whose request names the capability. A message may have gigabytes:
// one document is held at a time. Pure: no sockets. Untrusted input. Threads: one object, one
// thread.
#pragma once
#include "engine/base/text.h"
#include "engine/import/format/format.h"
#include "engine/import/json/json_scan.h"

// Takes a document of a message: a step or a pointer map, by `kind`, the `index`th of it. Returns
// what ends the message, and the connection with it: not MC_ERROR_BAD_DATA, which the sink counts
// for itself.
typedef struct mc_push_sink {
    mc_result (*take)(void *user, mc_source_kind kind, const unsigned char *data, size_t size,
                      uint64_t offset, uint64_t index, mc_error *error);
    void *user;
} mc_push_sink;

typedef enum mc_push_state {
    MC_PUSH_HEAD, // what it is does not show yet
    MC_PUSH_DATA,
    MC_PUSH_TAIL, // behind the data
    MC_PUSH_WRONG // what is left of it is passed over
} mc_push_state;

// Zero is the beginning of the first message.
typedef struct mc_push_message {
    mc_push_state state;
    mc_source_kind kind;
    bool is_wrapped;
    unsigned char *bytes; // of the message, that are still needed
    size_t size, capacity;
    size_t look_at;  // how large it has to be before one looks again what it is
    uint64_t offset; // of bytes[0] in the message
    mc_json_array array;
    mc_text around; // what is around the data, which stands there as null
    mc_error wrong; // of the message as a whole
} mc_push_message;

#define MC_PUSH_AROUND_MOST ((size_t)64 << 10) // of what stands around the data

// Takes bytes of a message, of which `is_end` says that there are no more; then the object is ready
// for the next message, and `*fault` is what was wrong with this one as a whole. `document_most` is
// how many bytes a document may have.
mc_result mc_push_message_add(mc_push_message *message, const unsigned char *bytes, size_t size,
                              bool is_end, size_t document_most, const mc_push_sink *sink,
                              mc_error *fault, mc_error *error);
void mc_push_message_deinit(mc_push_message *message);
