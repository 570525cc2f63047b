// v8_types.h - what the nodes of a V8 heap snapshot are taken for: groups as Chrome's DevTools has
// them, within the file that a class or function is of.
//
// Plain objects of which there are several with the same properties are a group of their own,
// "{user, tags}". What belongs to the engine is folded in a few groups. Memory: 8 bytes a node.
// Threads: one.
#pragma once
#include "engine/import/v8/v8_heap.h"

#define MC_V8_LEVELS 2
extern const char *const mc_v8_classifiers[MC_V8_LEVELS]; // "File", "Constructor"

// Whose variables a context has, by node: a function; of others MC_NONE. NULL: out of memory; for
// mc_free().
uint32_t *mc_v8_list_contexts(const mc_v8_heap *heap);
// Fills types[node] with a type of `objects`, which it adds; nodes of kind SYNTHETIC get none.
// False: out of memory.
bool mc_v8_find_types(const mc_v8_heap *heap, const uint32_t *contexts, mc_object_heap *objects,
                      uint32_t *types);
