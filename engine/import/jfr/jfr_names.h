// jfr_names.h - what a JFR recording's stacks, classes and threads are called, chunk by chunk.
//
// Numbers of constants hold within a chunk; here equal stacks, texts and kinds of allocations have
// one number in all of them. A kind is a stack, the class of what was allocated, and a thread.
// Kinds of native allocations have no class, and are numbered apart; their stacks have the frames
// of C, too, with the libraries that these are in. Memory: the distinct ones. Threads: one object
// serves one thread at a time.
#pragma once
#include "engine/import/jfr/jfr_chunk.h"

#define MC_JFR_FRAMES_MOST 512 // of a stack that are looked at

typedef struct mc_jfr_id_map {
    struct mc_jfr_id_entry *entries;
    size_t capacity;
    uint32_t count;
    mc_slots slots;
} mc_jfr_id_map;

// Zero-initialise; deinit.
typedef struct mc_jfr_names {
    mc_strings texts;  // of frames, classes, threads, fields, roots
    mc_strings stacks; // each the texts of its frames as words, the innermost first
    mc_strings kinds;  // each an mc_jfr_kind_key
    mc_strings native_kinds;
    // Of the chunk.
    mc_jfr_id_map known_stacks, known_classes, known_threads, known_kinds;
    mc_jfr_id_map known_native_kinds, known_native_frames;
    mc_text text, class_text; // scratch
} mc_jfr_names;

typedef struct mc_jfr_kind_key {
    uint32_t stack;
    uint32_t class;  // text; of native allocations MC_NONE
    uint32_t thread; // text
} mc_jfr_kind_key;
_Static_assert(sizeof(mc_jfr_kind_key) == 12, "compared as bytes");

// Before another chunk is read.
void mc_jfr_names_begin_chunk(mc_jfr_names *names);
void mc_jfr_names_deinit(mc_jfr_names *names);

// Each returns MC_NONE if memory is out. Values of the chunk, and the numbers of their constants,
// by which they are known again; 0: none.
uint32_t mc_jfr_names_find_kind(mc_jfr_names *names, mc_jfr_chunk *chunk, mc_jfr_value stack,
                                uint64_t stack_id, mc_jfr_value class, uint64_t class_id,
                                mc_jfr_value thread, uint64_t thread_id);
// As a kind that is known.
uint32_t mc_jfr_names_find_known_kind(mc_jfr_names *names, uint64_t stack_id, uint64_t class_id,
                                      uint64_t thread_id);
// Of native allocations: in `native_kinds`.
uint32_t mc_jfr_names_find_native_kind(mc_jfr_names *names, mc_jfr_chunk *chunk, mc_jfr_value stack,
                                       uint64_t stack_id, mc_jfr_value thread, uint64_t thread_id);
uint32_t mc_jfr_names_find_known_native_kind(mc_jfr_names *names, uint64_t stack_id,
                                             uint64_t thread_id);
// "java.util.HashMap$Node[]"; "(unknown)".
uint32_t mc_jfr_names_add_class(mc_jfr_names *names, mc_jfr_chunk *chunk, mc_jfr_value class);
uint32_t mc_jfr_names_add_text(mc_jfr_names *names, const mc_text *text);

mc_jfr_kind_key mc_jfr_names_get_kind(const mc_jfr_names *names, uint32_t kind);
mc_jfr_kind_key mc_jfr_names_get_native_kind(const mc_jfr_names *names, uint32_t kind);
// A frame's text is its function, of C's with a NUL and the library that it is in behind.
// The frames of a stack, at most MC_JFR_FRAMES_MOST texts, are copied to `frames`.
uint32_t mc_jfr_names_get_stack(const mc_jfr_names *names, uint32_t stack,
                                uint32_t frames[MC_JFR_FRAMES_MOST]);
