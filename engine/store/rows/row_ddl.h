// row_ddl.h - generates the CREATE TABLE statements for a trace's rows (docs/reference/rows.md).
//
// Threads: any.
#pragma once
#include "engine/store/rows/row_layout.h"

typedef enum mc_row_dialect { MC_ROW_CLICKHOUSE, MC_ROW_POSTGRES, MC_ROW_SPARK } mc_row_dialect;
extern const char *const mc_row_dialect_names[]; // ends with NULL

// Appends "CREATE TABLE …;" of the rows, and of the references if the trace has some, as
// `table`_references. MC_ERROR_UNSUPPORTED: the database has no room for a name, or for so many.
mc_result mc_row_append_ddl(const mc_row_layout *layout, mc_row_dialect dialect, const char *table,
                            mc_text *out, mc_error *error);
