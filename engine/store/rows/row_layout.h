// row_layout.h - assigns the names of a trace's nodes to the columns of its rows
// (docs/reference/rows.md).
//
// A place is the column of a classifier, or of one of its levels if it has several. On the way down
// from the root, places ascend. Threads: any, once it is created.
#pragma once
#include "engine/base/row_text.h"
#include "engine/trace/trace.h"

#define MC_ROW_PLACE_MOST 8192u // columns of names that rows may have

typedef struct mc_row_place {
    uint32_t role;   // classifier; MC_NONE: none
    uint32_t number; // which of its levels, from 1
    bool has_names;  // some node there is called otherwise than its key
    bool is_plain;   // its title needs no number
} mc_row_place;

// Zero-initialise; deinit.
typedef struct mc_row_layout {
    const mc_trace *trace;
    mc_row_place *places;
    uint32_t place_count;
    uint32_t *place_of; // per node; MC_NONE: the root, and shares that are no nodes of the input
    bool has_root;      // the root is not called as that of rows without a column for it
    bool has_root_name;
} mc_row_layout;

// MC_ERROR_UNSUPPORTED: a name is no UTF-8, or the tree is too deep. O(nodes and depths).
mc_result mc_row_layout_create(mc_row_layout *self, const mc_trace *trace, mc_error *error);
void mc_row_layout_deinit(mc_row_layout *self);

// The key of a node as rows have it: its own part of the full key.
const char *mc_row_layout_get_key(const mc_trace *trace, uint32_t node, size_t *size);

// Append the title of a column, without escaping.
void mc_row_layout_append_place(const mc_row_layout *self, uint32_t place, bool is_name,
                                mc_text *out);
void mc_row_layout_append_metric(const mc_row_layout *self, mc_metric metric, mc_text *out);

// Calls `add` for every column of the rows, in order; returning false ends it.
typedef enum mc_row_column_kind {
    MC_ROW_TIME,
    MC_ROW_NAME, // or a key
    MC_ROW_COUNT,
    MC_ROW_REAL
} mc_row_column_kind;
typedef struct mc_row_column {
    mc_row_column_kind kind;
    bool may_be_null;
    const char *title; // not terminated
    size_t title_size;
} mc_row_column;
bool mc_row_layout_list(const mc_row_layout *self, bool is_references,
                        bool (*add)(void *user, const mc_row_column *column), void *user);
