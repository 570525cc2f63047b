// rows_sort.h - sorts any number of records by time.
//
// Records that fit are sorted in memory. More records are sorted in runs, written to a temporary
// file, and merged when they are read; the file has no name, so it vanishes however the program
// ends. The sort is stable. Threads: one object, one thread.
#pragma once
#include "engine/base/base.h"

typedef struct mc_rows_sorter mc_rows_sorter;

typedef struct mc_rows_sorter_desc {
    size_t record_size; // which begins with an int64_t, its time
    size_t most;        // records in memory
    const char *folder; // for the temporary file
} mc_rows_sorter_desc;

mc_result mc_rows_sorter_create(const mc_rows_sorter_desc *desc, mc_rows_sorter **sorter,
                                mc_error *error);
void mc_rows_sorter_destroy(mc_rows_sorter *sorter); // NULL is fine

// Whether the next one has no room in memory.
bool mc_rows_sorter_is_full(const mc_rows_sorter *self);
mc_result mc_rows_sorter_add(mc_rows_sorter *self, const void *record, mc_error *error);

// As long as all are in memory: the records as they came.
const void *mc_rows_sorter_get(const mc_rows_sorter *self, size_t index); // NULL: behind the last

// When all have been added.
mc_result mc_rows_sorter_sort(mc_rows_sorter *self, mc_error *error);
// Then one after another, NULL behind the last. A record stays until the next call.
mc_result mc_rows_sorter_next(mc_rows_sorter *self, const void **record, mc_error *error);
