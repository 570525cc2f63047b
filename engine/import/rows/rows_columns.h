// rows_columns.h - determines the meaning of the columns of rows: by their names in the header
// line, by options, and by the content of the first rows (docs/reference/rows.md).
//
// A name may be followed by the column's role in brackets: "directory[2]" (a classifier's second
// level), "Type[name]", "root[root]", "cpu[time flow]". Threads: one object, one thread.
#pragma once
#include "engine/base/text.h"
#include "engine/import/format/rows_options.h"
#include "engine/trace/metrics.h"

#define MC_ROWS_COLUMN_MOST 16384u

typedef enum mc_rows_column_kind {
    MC_ROWS_UNDECIDED, // a metric if only numbers stand there, otherwise a classifier
    MC_ROWS_SKIPPED,
    MC_ROWS_TIME,
    MC_ROWS_ROOT,       // what the root is called
    MC_ROWS_CLASSIFIER, // a node's key
    MC_ROWS_NAME,       // what the key in the column before is called, if that is not the key
    MC_ROWS_OBJECTS,
    MC_ROWS_BYTES,
    MC_ROWS_METRIC,
    MC_ROWS_POINTS_TO,
    MC_ROWS_POINTED_FROM
} mc_rows_column_kind;

typedef struct mc_rows_column {
    mc_rows_column_kind kind;
    uint32_t title;        // string: as the header has it
    uint32_t base;         // string: without brackets
    uint32_t role;         // of a classifier: index in `roles`, MC_NONE: none
    uint32_t level;        // of a classifier: which of its levels, from 1
    uint32_t place;        // in the order of paths: of a root, classifier or name
    mc_metric_info metric; // of one; strings are those of `strings`
    uint32_t metric_index; // of one: 0, 1 …
    uint32_t side;         // of references: 1: of the group that they go to
} mc_rows_column;

// Zero-initialise; deinit.
typedef struct mc_rows_columns {
    mc_rows_column *items;
    size_t count, capacity;
    mc_strings strings, roles;
    uint32_t metric_count, place_count;
    bool has_root;  // the first place is the root's
    uint32_t *kept; // columns as options name them, scratch
    size_t kept_capacity;
} mc_rows_columns;

// A column of the header line, in their order.
mc_result mc_rows_columns_add(mc_rows_columns *self, const char *title, size_t size,
                              mc_error *error);
// When all have been added: which is what, as far as that shows. MC_ERROR_BAD_DATA: there is no
// column of the time, or an option names one that there is not, or two say the same.
mc_result mc_rows_columns_settle(mc_rows_columns *self, const mc_rows_options *options,
                                 mc_error *error);
// What the first rows have in a column, as bits. What is empty or NULL says nothing.
enum { MC_ROWS_SEEN_NUMBER = 1, MC_ROWS_SEEN_TEXT = 2 };

// Decides the undecided columns by what was seen in each; `seen` is scratch afterwards.
// MC_ERROR_BAD_DATA: several of unknown names hold numbers alone.
mc_result mc_rows_columns_decide(mc_rows_columns *self, uint8_t *seen, mc_error *error);
// When the undecided are decided: numbers places and metrics. Names what is left out to `log`.
mc_result mc_rows_columns_finish(mc_rows_columns *self, const mc_log *log, mc_error *error);
// In their place, of references: "time", "points_to", "pointed_from", and all classifiers of `rows`
// and their names twice, with "from_" and "to_" before them.
mc_result mc_rows_columns_settle_references(mc_rows_columns *self, const mc_rows_columns *rows,
                                            mc_error *error);
void mc_rows_columns_deinit(mc_rows_columns *self);

const char *mc_rows_columns_get_title(const mc_rows_columns *self, size_t column);
