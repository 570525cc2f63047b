// rows_import.h - rows as input: one a group and step, as any database writes them (docs/rows.md).
//
// Rows of one time that come together are a step; it is passed on when the next time begins, so
// that memory is that of a few steps, the groups' names, and what is sorted at a time.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_rows_format;

// All inputs are rows, as desc.rows says; "-" is the standard input.
mc_result mc_rows_import(const mc_import_desc *desc, const mc_import_sink *sink,
                         mc_import_report *report, mc_error *error);
