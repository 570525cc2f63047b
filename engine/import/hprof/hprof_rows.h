// hprof_rows.h - writes a heap dump as a table: a row per object or per reference, in the dump's
// order.
//
// One pass over the dump, after those that the columns need (hprof_columns.h, hprof_objects.h); a
// table of references looks up an id for each. Memory: a text per class, up to some megabytes per
// thread, and what the columns need; columns on the class, and those of addresses, bytes and
// lengths, need nothing per object. Threads: those of the heap's crew; the sink is called by one at
// a time.
#pragma once
#include "engine/base/ordered_output.h"
#include "engine/import/hprof/hprof_objects.h"

// Appends the line with the columns' names.
void mc_hprof_rows_append_header(const mc_hprof_columns *columns, mc_row_form form, mc_text *text);

// `dump` was opened as mc_hprof_columns_get_desc() says; it can only be closed afterwards.
// MC_ERROR_IO without a message: the sink failed.
mc_result mc_hprof_rows_write(mc_hprof_dump *dump, const mc_hprof_columns *columns,
                              mc_row_form form, mc_output_sink sink, mc_error *error);
