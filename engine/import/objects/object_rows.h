// object_rows.h - writes a row for each object or reference of an object heap (hprof_columns.h).
//
// Objects come in the order of their numbers. What a runtime doesn't know (a loader, a module, an
// array's length) is null. Memory: 8 bytes an object. Threads: one.
#pragma once
#include "engine/base/ordered_output.h"
#include "engine/import/hprof/hprof_columns.h"
#include "engine/import/objects/object_heap.h"

// Links the heap, whose progress is told all of it. MC_ERROR_IO: the sink has failed.
mc_result mc_object_rows_write(mc_object_heap *heap, const mc_hprof_columns *columns,
                               mc_row_form form, mc_output_sink sink, mc_error *error);
