// hprof_cells.h - a heap dump's objects as columns of numbers, for programs that compute with them.
//
// What mc_hprof_rows_write() writes, in its order, of columns that a record alone tells: those on
// the class, addresses, bytes and lengths. One pass over the dump, in which each batch has rows of
// its own, since they were counted when the dump was opened. Memory: the caller's columns, and a
// number per class and column. Threads: those of the heap's crew.
#pragma once
#include "engine/import/hprof/hprof_columns.h"
#include "engine/import/hprof/hprof_dump.h"

// The caller has the columns and frees them, whatever happens.
typedef struct mc_hprof_cells {
    // By column, of `capacity` rows each. Addresses are long; of other columns these are short, and
    // MC_NONE is nothing. NULL: the column is not read.
    uint32_t *words[MC_HPROF_COLUMNS_MAX];
    uint64_t *long_words[MC_HPROF_COLUMNS_MAX];
    uint64_t capacity;   // at least mc_hprof_cells_count_rows()
    mc_strings *strings; // where texts are put; a word is the number that they have there
    uint64_t row_count;
    bool is_too_wide; // a number has no room in a short word: the columns are of no use
} mc_hprof_cells;

// Whether all columns can be read so.
bool mc_hprof_cells_can(const mc_hprof_columns *columns);
// At least as many as there are. `dump` was opened.
uint64_t mc_hprof_cells_count_rows(const mc_hprof_dump *dump);
// MC_ERROR_OUT_OF_MEMORY, MC_ERROR_CANCELLED.
mc_result mc_hprof_cells_read(mc_hprof_dump *dump, const mc_hprof_columns *columns,
                              mc_hprof_cells *cells, mc_error *error);
