// v8_births.h - when the objects of a V8 heap timeline were made, by its samples: pairs of a time
// and the last id that was given until then.
//
// Ids of what the engine does not manage, even ones, say nothing. Threads: as many as requested.
#pragma once
#include "engine/import/format/heap_format.h"
#include "engine/import/objects/object_births.h"
#include "engine/import/v8/v8_heap.h"

// Before columns are moved. `numbers`: of the objects, by node. Nothing if there are no samples.
// MC_ERROR_BAD_DATA if they do not grow.
mc_result mc_v8_births_read(const mc_v8_heap *v8, const uint32_t *numbers, uint32_t object_count,
                            const mc_heap_desc *desc, mc_object_births *births, mc_error *error);
