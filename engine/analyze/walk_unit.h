// walk_unit.h - finds whole object graphs that pile up: leaves of the program that grow by the same
// number.
//
// A part of walk.h.
#pragma once
#include "engine/analyze/walk.h"

// Fills the walk's unit. `objects` and `first_objects` are columns at the walk's step and at the
// window's first, is_library[] says whose a node's class is; `finder` reads references at that
// step. O(leaves log leaves + their links).
mc_result mc_walk_find_unit(const mc_trace *trace, const uint64_t *objects,
                            const uint64_t *first_objects, const uint8_t *is_library,
                            mc_link_finder *finder, mc_walk *walk, mc_error *error);
