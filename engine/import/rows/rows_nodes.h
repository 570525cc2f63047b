// rows_nodes.h - numbers the groups that rows name, each a path of names, and finds them again by
// the bytes of their rows.
//
// The rows of a step mostly come in the same order as those of the step before. So the successor of
// each group is remembered, and a row's bytes are compared with those of the expected group before
// anything is hashed or split. Memory: the rows' names. Threads: one object, one thread.
#pragma once
#include "engine/base/text.h"

typedef struct mc_rows_node {
    uint32_t parent;              // MC_NONE: below the root
    uint32_t place;               // of its classifier
    uint32_t key, name;           // strings; of equal ones the same
    uint32_t next;                // that came behind it the last time; MC_NONE: none yet
    uint32_t raw_size, raw_lines; // as a row has it; MC_NONE: no row was seen. Line breaks in it
    uint64_t raw_offset;
    uint32_t entry,
        row;       // for who makes steps: its entry in the current one, and the last with a row
    uint32_t step; // of that entry
} mc_rows_node;

// Zero-initialise; deinit. Node 0 is the root.
typedef struct mc_rows_nodes {
    mc_rows_node *items;
    size_t count, capacity;
    mc_strings strings;
    mc_slots slots;     // by parent, place, key and name
    mc_slots raw_slots; // by what rows look like
    mc_text raw;
} mc_rows_nodes;

bool mc_rows_nodes_init(mc_rows_nodes *self); // false: out of memory
void mc_rows_nodes_deinit(mc_rows_nodes *self);

// The node below `parent`; a new one if there is none yet. MC_NONE: out of memory.
uint32_t mc_rows_nodes_add(mc_rows_nodes *self, uint32_t parent, uint32_t place, uint32_t key,
                           uint32_t name);

// The node whose rows look like this; MC_NONE: none that is known.
uint32_t mc_rows_nodes_find_raw(const mc_rows_nodes *self, const char *raw, size_t size);
// What rows of the node look like, if it is not known yet. False: out of memory.
bool mc_rows_nodes_set_raw(mc_rows_nodes *self, uint32_t node, const char *raw, size_t size,
                           uint32_t lines);
