// hprof_rows.h - a heap dump as a table: a row an object, or a row a reference, in the dump's
// order.
//
// One walk over the heap, behind those that the columns need (hprof_columns.h, hprof_objects.h); of
// references ids are looked for, one each. Memory: a text a class, up to some megabytes a thread,
// and what the columns need: of what a class tells, and of addresses, bytes and lengths, nothing an
// object. Threads: those of the heap's crew; the sink is called by one at a time.
#pragma once
#include "engine/base/ordered_output.h"
#include "engine/import/hprof/hprof_objects.h"

// Appends the line with the columns' names.
void mc_hprof_rows_append_header(const mc_hprof_columns *columns, mc_row_form form, mc_text *text);

// `heap` was opened as mc_hprof_columns_get_desc() says; it can only be closed afterwards.
// MC_ERROR_IO without a message: the sink failed.
mc_result mc_hprof_rows_write(mc_hprof_heap *heap, const mc_hprof_columns *columns,
                              mc_row_form form, mc_output_sink sink, mc_error *error);
