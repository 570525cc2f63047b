// rows_references.h - reads the second stream: references between groups, a row per pair and time.
//
// All rows are read, and sorted by time, before the first step is made; then each step takes its
// own. Threads: one object, one thread.
#pragma once
#include "engine/import/rows/rows_sort.h"
#include "engine/import/rows/rows_steps.h"

typedef struct mc_rows_references mc_rows_references;

typedef struct mc_rows_references_desc {
    mc_rows_reader_desc reader; // of them; `rows` is set
    const char *folder;         // for what is sorted
    size_t most;                // rows in memory; 0: as many as is usual
} mc_rows_references_desc;

mc_result mc_rows_references_create(const mc_rows_references_desc *desc,
                                    mc_rows_references **references, mc_error *error);
void mc_rows_references_destroy(mc_rows_references *references); // NULL is fine

// Those of the step that was made last, steps being asked for by rising time: has[direction] says
// whether it has such a map. MC_ERROR_BAD_DATA: a group that the step does not have, or a time
// without rows.
mc_result mc_rows_references_take(mc_rows_references *self, const mc_rows_steps *steps,
                                  int64_t time_ms, mc_reference_map maps[2], bool has[2],
                                  mc_error *error);
// Behind the last step.
mc_result mc_rows_references_finish(mc_rows_references *self, mc_error *error);
