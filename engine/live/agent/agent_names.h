// agent_names.h - resolves the numbers in an agent's stream to classes, methods, threads and
// stacks.
//
// Filled from the stream's events, which are validated already. Memory: the names, and 8 bytes per
// frame of a stack; bounded, since a stream may never end. Threads: one object, one thread.
#pragma once
#include "engine/base/text.h"
#include "engine/live/agent/agent_stream.h"

typedef struct mc_agent_method {
    uint32_t class_number;
    uint32_t name, signature, file; // in `strings`
    uint8_t flags;
} mc_agent_method;

typedef struct mc_agent_class {
    uint32_t name; // in `strings`: as the source code writes it, without what differs in each run
    uint32_t loader;
} mc_agent_class;

typedef struct mc_agent_stack {
    size_t begin; // in `frames`
    uint32_t count;
} mc_agent_stack;

// Zero-initialise; deinit. Number 1 is the first entry of an array.
typedef struct mc_agent_names {
    mc_strings strings;
    mc_agent_class *classes;
    mc_agent_method *methods;
    uint32_t *threads; // names, in `strings`
    mc_agent_stack *stacks;
    mc_agent_frame *frames;
    uint32_t class_count, method_count, thread_count, stack_count;
    size_t frame_count, class_capacity, method_capacity, thread_capacity, stack_capacity,
        frame_capacity;
    mc_text text; // scratch
} mc_agent_names;

void mc_agent_names_deinit(mc_agent_names *names);

// Takes a CLASS, METHOD, THREAD or STACK; other events are ignored. MC_ERROR_BAD_DATA: there are
// more of them than a program can have.
mc_result mc_agent_names_take(mc_agent_names *names, const mc_agent_event *event, mc_error *error);

// "(unknown)" for number 0. `size` may be NULL.
const char *mc_agent_names_get_class(const mc_agent_names *names, uint32_t number, size_t *size);
const char *mc_agent_names_get_thread(const mc_agent_names *names, uint32_t number, size_t *size);

// Appends "com.acme.Shop.add(Shop.java:42)", as stack traces have it.
void mc_agent_names_append_frame(const mc_agent_names *names, mc_agent_frame frame, mc_text *text);
// The class of the frame's method; 0: not known.
uint32_t mc_agent_names_get_frame_class(const mc_agent_names *names, mc_agent_frame frame);
