// object_film.h - plays the moments of a heap whose objects have births (object_births.h).
//
// Threads: those of the heap.
#pragma once
#include "engine/import/objects/object_heap.h"

// Calls back with the objects and bytes of each leaf at the first `count` moments, which the last
// is not one of. O(objects + moments · leaves).
typedef mc_result (*mc_object_moment_callback)(void *user, const mc_object_moment *moment,
                                               const uint64_t *objects, const uint64_t *bytes,
                                               mc_error *error);
mc_result mc_object_births_play(const mc_object_heap *heap, uint32_t count,
                                mc_object_moment_callback callback, void *user, mc_error *error);
