// rows_order.h - delivers rows so that those of one time come together: as they are read or, if
// they are not in that order, sorted.
//
// The first rows are held back until the order is known. Threads: one object, one thread.
#pragma once
#include "engine/import/rows/rows_reader.h"
#include "engine/import/rows/rows_sort.h"

typedef struct mc_rows_order mc_rows_order;

typedef struct mc_rows_order_desc {
    mc_rows_reader *reader;
    const char *folder; // for what is sorted
    bool is_unordered;  // sort in any case
    bool is_rising;     // times have to rise
    size_t most;        // rows in memory; 0: as many as is usual
    mc_import_watch *watch;
} mc_rows_order_desc;

mc_result mc_rows_order_create(const mc_rows_order_desc *desc, mc_rows_order **order,
                               mc_error *error);
void mc_rows_order_destroy(mc_rows_order *order); // NULL is fine

// The next row; *row is NULL behind the last. It stays until the next call.
mc_result mc_rows_order_next(mc_rows_order *self, const mc_rows_row **row, mc_error *error);
