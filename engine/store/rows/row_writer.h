// row_writer.h - writes a trace as rows, one per group and step, as engine/import/rows reads them
// (docs/reference/rows.md).
//
// A row is written for each leaf of a step's tree, and for each other group that has a share which
// nothing below explains, or its own value of a metric that is not additive. Rows are sorted by
// time; within a step, groups come in the order in which the trace first named them. Memory: the
// names, a step's columns, a megabyte. Threads: one object, one thread.
#pragma once
#include "engine/store/rows/row_layout.h"

typedef struct mc_row_output {
    // Anything but MC_OK ends the writing and is returned.
    mc_result (*write)(void *user, const char *bytes, size_t size, mc_error *error);
    void *user;
} mc_row_output;

typedef struct mc_row_report {
    uint64_t row_count;
    uint32_t contradicting_count; // steps whose own totals are not the sums of their rows
} mc_row_report;

typedef struct mc_row_desc {
    const mc_row_layout *layout;
    mc_row_form form;
    mc_row_output output;
    const mc_progress *progress; // in steps; may be NULL
} mc_row_desc;

mc_result mc_rows_write(const mc_row_desc *desc, mc_row_report *report, mc_error *error);
// The references of all steps that have some.
mc_result mc_rows_write_references(const mc_row_desc *desc, mc_row_report *report, mc_error *error);
