// rows_reader.h - reads a stream of rows, tab-separated or CSV, row by row
// (docs/reference/rows.md).
//
// Untrusted input: errors are MC_ERROR_BAD_DATA, "NAME:LINE: column "X": what was expected".
// Memory: the longest row, at least four megabytes; see rows_nodes.h. Threads: one object, one
// thread.
#pragma once
#include "engine/import/rows/rows_columns.h"
#include "engine/import/rows/rows_nodes.h"
#include "engine/import/rows/rows_source.h"

#define MC_ROWS_VALUES_MOST MC_METRIC_MOST

typedef struct mc_rows_row {
    int64_t time_ms;
    uint64_t line;
    uint64_t reals;   // one bit a value: it is a real number
    uint32_t node;    // of references: from
    uint32_t to;      // of references
    uint32_t root;    // see mc_rows_reader_get_root()
    uint32_t padding; // 0
    // Objects, bytes, then the metrics; of references: points_to, pointed_from. MC_COUNT_UNKNOWN:
    // not said, which of objects and bytes is 0.
    uint64_t values[MC_ROWS_VALUES_MOST];
} mc_rows_row;

typedef struct mc_rows_reader mc_rows_reader;

typedef struct mc_rows_reader_desc {
    mc_rows_source source;
    const mc_rows_options *options;
    bool partial;      // the end of a last row that is cut off is left out, with a warning
    const mc_log *log; // may be NULL
    // Not NULL: references, of groups that this reader of rows names; its nodes are added to. Must
    // outlive the reader.
    mc_rows_reader *rows;
} mc_rows_reader_desc;

// Reads the header line, and as many rows as it takes to tell metrics from classifiers.
mc_result mc_rows_reader_create(const mc_rows_reader_desc *desc, mc_rows_reader **reader,
                                mc_error *error);
void mc_rows_reader_destroy(mc_rows_reader *reader); // NULL is fine

// The next row; *row is NULL behind the last. It stays until the next call.
mc_result mc_rows_reader_next(mc_rows_reader *reader, const mc_rows_row **row, mc_error *error);

const mc_rows_columns *mc_rows_reader_get_columns(const mc_rows_reader *reader);
mc_rows_nodes *mc_rows_reader_get_nodes(mc_rows_reader *reader);
// Key and name of a root: node numbers of `nodes` below no other.
uint32_t mc_rows_reader_get_value_count(const mc_rows_reader *reader);
const char *mc_rows_reader_get_name(const mc_rows_reader *reader);
