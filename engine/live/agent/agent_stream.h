// agent_stream.h - decodes the stream of an agent inside a running program into events
// (docs/reference/agent-protocol.md).
//
// Pure decoder: bytes go in as they arrive, whole frames come out. Untrusted input: a frame is at
// most 1 MiB, names are UTF-8, numbers are assigned consecutively from 1 on, and none is used
// before it is named; 0 stands for unknown. A violation is an error with its offset in the stream,
// and ends the stream. Types and trailing fields that a later version may add are skipped. Memory:
// two frames. Threads: one object, one thread.
#pragma once
#include "engine/base/agent_protocol.h"
#include "engine/base/base.h"

typedef struct mc_agent_string {
    const char *bytes; // UTF-8, not terminated
    uint32_t size;
} mc_agent_string;

typedef struct mc_agent_frame {
    uint32_t method, line; // 0: not known
} mc_agent_frame;

typedef struct mc_agent_time {
    uint32_t method, thread;
    uint64_t ns, calls;
} mc_agent_time;

typedef struct mc_agent_alloc {
    uint32_t class_number, stack, thread;
    int64_t objects, bytes; // more that are alive
    uint64_t allocated_objects, allocated_bytes;
    double variance; // more; of the live bytes, finite
} mc_agent_alloc;

// Only the members of its type mean anything. Strings and rows are valid until the next call.
typedef struct mc_agent_event {
    mc_agent_type type;
    uint64_t offset;                 // of its frame in the stream
    uint32_t number;                 // of CLASS, METHOD, THREAD, STACK; of ACK: the command's
    uint32_t class_number, loader;   // of METHOD; of CLASS
    mc_agent_string name;            // of those; HELLO: the program; LOST, ACK, BYE, NOTE: the text
    mc_agent_string signature, file; // of METHOD
    mc_agent_string runtime;         // of HELLO
    uint8_t flags;                   // of METHOD; LOST: the mode; ACK: whether it was done;
                                     // of HELLO, GC: MC_AGENT_HELLO_…, MC_AGENT_GC_…
    uint32_t pid, modes;             // of HELLO
    int64_t wall_ms;                 // of HELLO, which was at to_ns of the agent's clock
    uint64_t heap_limit;             // of HELLO, in bytes, less than 2^63; 0: not known
    uint64_t from_ns, to_ns;         // TIME: from, to; ALLOC: to; GC: its begin and its end
    mc_agent_how how;                // of TIME
    uint64_t value;                  // ALLOC: the interval; GC: bytes used, 0: not known; LOST: n
    const mc_agent_frame *frames;    // of STACK, innermost first
    const mc_agent_time *times;      // of TIME
    const mc_agent_alloc *allocs;    // of ALLOC
    uint32_t count;                  // of them
} mc_agent_event;

// Zero-initialise; deinit.
typedef struct mc_agent_stream {
    unsigned char *bytes; // of frames that were not taken yet
    size_t size, capacity, taken;
    uint64_t offset; // in the stream, of the first of them
    void *rows;
    size_t row_capacity; // in bytes
    uint32_t class_count, method_count, thread_count, stack_count;
    bool has_hello;
} mc_agent_stream;

void mc_agent_stream_deinit(mc_agent_stream *stream);

// Returns a buffer for the next bytes, `*room` long; then report how many were put there. NULL: out
// of memory. Take all events first.
unsigned char *mc_agent_stream_get_room(mc_agent_stream *stream, size_t *room);
void mc_agent_stream_add(mc_agent_stream *stream, size_t size);

// The next event; `*is_there` false: more bytes are needed. MC_ERROR_BAD_DATA with the byte offset
// of the frame: the stream is none of this protocol, or not any more; MC_ERROR_UNSUPPORTED: another
// version.
mc_result mc_agent_stream_next(mc_agent_stream *stream, mc_agent_event *event, bool *is_there,
                               mc_error *error);
