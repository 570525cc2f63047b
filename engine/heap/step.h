// step.h - adds what is known of a heap's groups to a step: metrics, references, fields, roots.
//
// `tree_nodes` has an entry per group of the heap: its node in the step's tree, or MC_NONE.
// Threads: those of the heap.
#pragma once
#include "engine/heap/heap.h"
#include "engine/heap/reference_counts.h"
#include "engine/trace/step_referrers.h"

// The metrics `retained` (bytes) and `retained_objects`: see engine/graph/retained.h.
mc_result mc_heap_add_retained(const mc_heap *heap, const uint32_t *tree_nodes, mc_step_tree *tree,
                               mc_error *error);

// Ways to waste bytes. No byte is of two kinds, so their sum is what is wasted.
typedef enum mc_heap_waste {
    MC_HEAP_WASTE_EMPTY_SLOTS,       // null elements of arrays; bytes of such references
    MC_HEAP_WASTE_EMPTY_COLLECTIONS, // without an element; the collection's own size
    MC_HEAP_WASTE_DUPLICATES,        // arrays that equal another one; all but one of each
    MC_HEAP_WASTE_BOXED,             // numbers that are objects; their own size
    MC_HEAP_WASTE_BUILDERS,          // arrays of string builders; bytes that are unused
    MC_HEAP_WASTE_COUNT
} mc_heap_waste;

// The metrics `waste` and its parts, in bytes. `sums`: [leaf * MC_HEAP_WASTE_COUNT + kind].
mc_result mc_heap_add_waste(const mc_heap *heap, const mc_group_sum *sums,
                            const uint32_t *tree_nodes, mc_step_tree *tree, mc_error *error);

// Roots of one kind that reach objects of one leaf.
typedef struct mc_heap_leaf_root {
    uint32_t leaf;
    mc_root_kind kind;
    uint32_t name;  // a string of the step's referrers; MC_NONE: all others
    uint64_t count; // of roots; of static fields, too
} mc_heap_leaf_root;

typedef struct mc_heap_leaf_roots {
    mc_heap_leaf_root *items;
    size_t count, capacity;
} mc_heap_leaf_roots;

// False: out of memory.
bool mc_heap_leaf_roots_add(mc_heap_leaf_roots *roots, mc_heap_leaf_root root);
void mc_heap_leaf_roots_deinit(mc_heap_leaf_roots *roots);

// Both pointer maps but for their times, and the referrers: fields by from, to, and then the most
// first; roots by node, kind, the most first, static fields among them: of roots of a leaf and kind
// the first ten texts, and the others together. `roots` are used up.
typedef struct mc_heap_step {
    mc_reference_map *points_to, *pointed_from;
    mc_step_referrers *referrers;
} mc_heap_step;

mc_result mc_heap_add_references(const mc_heap *heap, const mc_heap_references *references,
                                 mc_heap_leaf_roots *roots, const uint32_t *tree_nodes,
                                 mc_heap_step *step, mc_error *error);
