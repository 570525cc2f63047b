// rows_import.h - imports rows, one per group and step, as any database can write them
// (docs/reference/rows.md).
//
// Consecutive rows of the same time are a step, which is passed on when the next time begins. So
// memory is that of a few steps, the groups' names, and the sort buffer.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_rows_format;

// All inputs are rows, as desc.rows says; "-" is the standard input.
mc_result mc_rows_import(const mc_import_desc *desc, const mc_import_sink *sink,
                         mc_import_report *report, mc_error *error);
