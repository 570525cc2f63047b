// groups.h - the groups that a heap's objects are counted in: a tree of keys, a level for each
// classifier.
//
// Whoever reads a heap makes them: package and type, constructor, size class, site, data structure.
// A leaf is numbered when it is seen first; objects that agree in all keys are in one leaf. Memory:
// about 40 bytes a group, and its key. Threads: one object serves one thread at a time.
#pragma once
#include "engine/trace/step_tree.h"

#define MC_HEAP_LEVELS_MAX 8

// NULL or of size 0: not known.
typedef struct mc_heap_key {
    const char *text;
    size_t size;
} mc_heap_key;

typedef struct mc_heap_groups mc_heap_groups;

// `classifiers` are copied, outermost first; their texts must outlive the groups.
mc_result mc_heap_groups_create(const char *const *classifiers, uint32_t level_count,
                                mc_heap_groups **groups, mc_error *error);
void mc_heap_groups_destroy(mc_heap_groups *groups); // NULL is fine

// The leaf with these keys, one a level, MC_NONE if memory is out. O(keys).
uint32_t mc_heap_groups_find(mc_heap_groups *groups, const mc_heap_key *keys);
// The leaf with the keys of the leaf `leaf` of `others`, which lack the level `level`, and there
// `key`. MC_NONE if memory is out.
uint32_t mc_heap_groups_find_within(mc_heap_groups *groups, const mc_heap_groups *others,
                                    uint32_t leaf, uint32_t level, mc_heap_key key);
uint32_t mc_heap_groups_get_level_count(const mc_heap_groups *groups);
const char *mc_heap_groups_get_classifier(const mc_heap_groups *groups, uint32_t level);
uint32_t mc_heap_groups_get_count(const mc_heap_groups *groups); // leaves

// All groups, the root and leaves among them; those around one have lower numbers.
uint32_t mc_heap_groups_get_group_count(const mc_heap_groups *groups);
uint32_t mc_heap_groups_get_group(const mc_heap_groups *groups, uint32_t leaf);
uint32_t mc_heap_groups_get_leaf(const mc_heap_groups *groups, uint32_t group);   // or MC_NONE
uint32_t mc_heap_groups_get_parent(const mc_heap_groups *groups, uint32_t group); // or MC_NONE
// The group's own key, without those around it.
const char *mc_heap_groups_get_key(const mc_heap_groups *groups, uint32_t group, size_t *size);
// Appends "Heap#java.lang#String".
void mc_heap_groups_append_key(const mc_heap_groups *groups, uint32_t group, mc_text *text);
// The group with this full key, MC_NONE: there is none. O(groups).
uint32_t mc_heap_groups_find_key(const mc_heap_groups *groups, const char *key, size_t size);

// Fills a step's tree (but for its time) with all leaves that have objects or bytes, and the groups
// above them. `objects` and `bytes` have an entry a leaf. `offsets`: where each begins in the
// input, for messages; may be NULL. `tree_nodes`, an entry a group, is filled with the group's node
// in the tree, MC_NONE if it has none; may be NULL. MC_ERROR_BAD_DATA if a sum is larger than
// MC_COUNT_MAX.
mc_result mc_heap_groups_fill_tree(const mc_heap_groups *groups, const uint64_t *objects,
                                   const uint64_t *bytes, const uint64_t *offsets,
                                   mc_step_tree *tree, uint32_t *tree_nodes, mc_error *error);
