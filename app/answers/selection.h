// selection.h - the selected nodes, in the order of selection; at most MC_SELECTION_CAPACITY.
//
// Plain data, copied by assignment; read by C and C++. Threads: any, on separate objects.
#pragma once
#include "engine/base/base.h"
#include <string.h>

#define MC_SELECTION_CAPACITY 64

typedef struct mc_selection {
    uint32_t nodes[MC_SELECTION_CAPACITY];
    uint32_t count;
} mc_selection;

// The node that was selected first; MC_NONE: none.
static inline uint32_t mc_selection_get(const mc_selection *selection) {
    return selection->count > 0 ? selection->nodes[0] : MC_NONE;
}

// Adds a node, unless it is MC_NONE or selected already. False: the selection is full.
static inline bool mc_selection_add(mc_selection *selection, uint32_t node) {
    if (node == MC_NONE) return true;
    for (uint32_t i = 0; i < selection->count; i++)
        if (selection->nodes[i] == node) return true;
    if (selection->count == MC_SELECTION_CAPACITY) return false;
    selection->nodes[selection->count++] = node;
    return true;
}

static inline bool mc_selection_has(const mc_selection *selection, uint32_t node) {
    for (uint32_t i = 0; i < selection->count; i++)
        if (selection->nodes[i] == node) return true;
    return false;
}

static inline void mc_selection_remove(mc_selection *selection, uint32_t node) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < selection->count; i++)
        if (selection->nodes[i] != node) selection->nodes[kept++] = selection->nodes[i];
    selection->count = kept;
}

static inline bool mc_selection_equals(const mc_selection *a, const mc_selection *b) {
    return a->count == b->count && memcmp(a->nodes, b->nodes, a->count * sizeof *a->nodes) == 0;
}

static inline mc_selection mc_selection_of(uint32_t node) { // MC_NONE: empty
    mc_selection selection = {{node}, node != MC_NONE};
    return selection;
}
