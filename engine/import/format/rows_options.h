// rows_options.h - the user's options for importing rows: docs/reference/rows.md.
#pragma once
#include "engine/base/base.h"

typedef enum mc_rows_time_unit {
    MC_ROWS_MILLISECONDS, // as all times of memcity
    MC_ROWS_SECONDS,
    MC_ROWS_MICROSECONDS,
    MC_ROWS_NANOSECONDS
} mc_rows_time_unit;

typedef enum mc_rows_form { MC_ROWS_BY_CONTENT, MC_ROWS_TSV, MC_ROWS_CSV } mc_rows_form;

// Zeroed: rows are recognised by their content, and their columns by the header line.
typedef struct mc_rows_options {
    bool is_stated;          // all inputs are rows; "-" is the standard input
    bool is_unordered;       // by time: they are sorted in any case
    mc_rows_form form;       //
    mc_rows_time_unit unit;  // of whole numbers
    const char *time;        // names of columns, separated by commas where there may be several;
    const char *classifiers; // NULL: as the header says
    const char *metrics;
    const char *references; // a file with those; "-": the standard input; NULL: none
    const char *folder;     // for what is sorted; NULL: that of desc.temporary_folder
} mc_rows_options;
