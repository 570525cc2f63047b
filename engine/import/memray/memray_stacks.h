// memray_stacks.h - the frames and stacks of a recording of memray, by numbers.
//
// A stack is a node of a tree: its innermost frame, and the node of the others; 0 is that of none.
// Each thread has its own. Zero-initialise; deinit. Memory: the frames and stacks met so far, each
// once. Threads: one.
#pragma once
#include "engine/import/memray/memray_records.h"

typedef struct mc_memray_frame {
    uint32_t function, file; // texts
    uint32_t line;           // 0: not known
    bool is_entry;           // the interpreter was called anew for it
} mc_memray_frame;

typedef struct mc_memray_code {
    uint64_t id;
    uint32_t function, file, table; // texts
    int64_t line;
    bool is_entry; // of a frame before version 12
} mc_memray_code;

typedef struct mc_memray_call {
    uint32_t code;
    int64_t instruction;
    bool is_entry;
    uint32_t frame;
} mc_memray_call;

typedef struct mc_memray_listed {
    uint64_t number;
    uint32_t frame;
} mc_memray_listed;

typedef struct mc_memray_node {
    uint32_t parent, frame;
} mc_memray_node;

typedef struct mc_memray_thread {
    uint64_t id;
    uint32_t *nodes; // the outermost frame first
    size_t depth, capacity;
} mc_memray_thread;

// What a call within a stack has led to; one of many such, by its hash.
typedef struct mc_memray_recall {
    uint64_t id;
    int64_t instruction;
    uint32_t parent; // node, times 2, and is_entry
    uint32_t node;   // 0: nothing
    uint32_t epoch;
} mc_memray_recall;

typedef struct mc_memray_stacks {
    mc_strings texts;
    mc_memray_code *codes; // the last one of an id counts
    size_t code_count, code_capacity;
    mc_slots code_slots; // by id
    mc_memray_call *calls;
    size_t call_count, call_capacity;
    mc_slots call_slots;      // by code, instruction and is_entry
    mc_memray_listed *listed; // frames that have numbers of their own
    size_t listed_count, listed_capacity;
    mc_slots listed_slots;
    mc_memray_frame *frames;
    size_t frame_count, frame_capacity;
    mc_memray_node *nodes; // of which the first is none
    size_t node_count, node_capacity;
    mc_slots node_slots; // by parent and frame
    mc_memray_recall *recalls;
    uint32_t epoch; // grows when an id comes to mean something else
    mc_memray_thread *threads;
    size_t thread_count, thread_capacity;
    mc_slots thread_slots; // by id
    size_t thread;         // whose records these are
    size_t depth;          // of all threads' stacks
} mc_memray_stacks;

void mc_memray_stacks_deinit(mc_memray_stacks *stacks);
uint64_t mc_memray_stacks_measure(const mc_memray_stacks *stacks); // bytes

// Each takes a record. `expected` says what should have stood there if the result is
// MC_ERROR_BAD_DATA; else it is MC_OK or MC_ERROR_OUT_OF_MEMORY.
mc_result mc_memray_stacks_add_code(mc_memray_stacks *stacks, const mc_memray_record *record);
mc_result mc_memray_stacks_switch(mc_memray_stacks *stacks, uint64_t thread);
mc_result mc_memray_stacks_push(mc_memray_stacks *stacks, uint32_t python,
                                const mc_memray_record *record, const char **expected);
mc_result mc_memray_stacks_pop(mc_memray_stacks *stacks, uint32_t count, const char **expected);
uint32_t mc_memray_stacks_get(const mc_memray_stacks *stacks); // the thread's node

// Of sums: frames and nodes as they are listed.
mc_result mc_memray_stacks_add_listed(mc_memray_stacks *stacks, uint32_t version, uint32_t python,
                                      const mc_memray_record *record, const char **expected);
mc_result mc_memray_stacks_add_node(mc_memray_stacks *stacks, const mc_memray_record *record,
                                    const char **expected);
