// trace_columns.h - what an mc_trace is made of; for the trace module's own files only.
#pragma once
#include "engine/trace/packed_column.h"
#include "engine/trace/trace.h"

typedef struct mc_trace_step {
    mc_step_info info;
    mc_packed_column columns[MC_COLUMN_COUNT]; // sizes are stored plus 1; 0: unknown
    uint64_t *present;                         // one bit a node
    uint32_t reference_count;
    uint32_t *from, *to;
    uint64_t *points_to, *pointed_from;
} mc_trace_step;

struct mc_trace {
    mc_node_columns nodes; // points into the arrays below
    uint32_t *parent, *first_child, *child_count, *child_by_appearance, *level, *key, *name, *role;
    uint8_t *flags;
    uint32_t input_node_count;
    mc_key_kind key_kind;
    mc_strings strings;
    uint32_t *classifiers; // string indices
    uint32_t classifier_count;
    mc_trace_step *steps;
    uint32_t step_count;
    bool has_references;
    bool has_column[MC_COLUMN_COUNT];
};

static inline bool mc_bits_get(const uint64_t *bits, uint32_t index) {
    return bits[index / 64] >> (index % 64) & 1;
}
static inline void mc_bits_set(uint64_t *bits, uint32_t index) {
    bits[index / 64] |= (uint64_t)1 << (index % 64);
}
static inline size_t mc_bits_word_count(uint32_t count) {
    return ((size_t)count + 63) / 64;
}

void mc_trace_step_deinit(mc_trace_step *step);
