// side_table.h - what a step says beside its tree, as tables of rows: their columns, and what these
// mean.
//
// A row is a struct. Its first members, 32 bits each, are its key: no two rows of a step agree in
// all of them. The builder, steps in memory, files, regrouped traces, pairs and merges treat all
// tables alike, by these descriptions. Memory: rows are zeroed before they are filled. Threads:
// any.
#pragma once
#include "engine/trace/step_owners.h"
#include "engine/trace/step_paths.h"
#include "engine/trace/step_referrers.h"

// A pair of leaves.
typedef struct mc_reference {
    uint32_t from, to;
    uint64_t points_to;    // objects of `to` that objects of `from` reference
    uint64_t pointed_from; // objects of `from` that reference objects of `to`
} mc_reference;

// A node whose name or role at a step differs from that at the step read first.
typedef struct mc_rename {
    uint32_t node;
    uint32_t name; // string
    uint32_t role; // classifier; MC_NONE: none
} mc_rename;

typedef enum mc_side_table {
    MC_SIDE_REFERENCES,              // mc_reference
    MC_SIDE_FIELDS,                  // mc_field_count
    MC_SIDE_ROOTS,                   // mc_root_count
    MC_SIDE_RENAMES,                 // mc_rename
    MC_SIDE_SUMS,                    // mc_path_sum
    MC_SIDE_HELD,                    // uint32_t: a group of a merged trace; see mct.h
    MC_SIDE_OWNER_SUMS,              // mc_owner_sum
    MC_SIDE_OWNER_WAYS,              // mc_owner_way
    MC_SIDE_OF_STEP,                 // as many tables has a step
    MC_SIDE_PATHS = MC_SIDE_OF_STEP, // mc_retaining_path: of the whole trace
    MC_SIDE_OWNERS,                  // mc_owner: likewise
    MC_SIDE_COUNT
} mc_side_table;

typedef enum mc_column_kind {
    MC_COLUMN_LEAF, // a node that has objects of its own
    MC_COLUMN_NODE,
    MC_COLUMN_STRING,
    MC_COLUMN_CLASSIFIER,
    MC_COLUMN_PATH,      // a row of MC_SIDE_PATHS
    MC_COLUMN_OWNER,     // a row of MC_SIDE_OWNERS
    MC_COLUMN_ROOT_KIND, // mc_root_kind
    MC_COLUMN_ORIGIN,    // mc_root_kind or MC_OWNER_SHARED
    MC_COLUMN_FLAG,      // 0 or 1
    MC_COLUMN_NUMBER,    // at most MC_COUNT_MAX; where rows become one, they add up
    MC_COLUMN_KIND_COUNT
} mc_column_kind;

typedef struct mc_side_column {
    mc_column_kind kind;
    unsigned char offset, size; // in a row, in bytes
    bool may_lack;              // MC_NONE is possible
} mc_side_column;

#define MC_SIDE_COLUMNS_MOST 7

typedef struct mc_side_desc {
    const char *plural, *singular; // "fields", "field"
    size_t row_size;
    int column_count, key_count; // the key's columns come first
    mc_side_column columns[MC_SIDE_COLUMNS_MOST];
} mc_side_desc;

extern const mc_side_desc mc_side_tables[MC_SIDE_COUNT];

typedef struct mc_side_rows {
    void *rows; // of the table's struct; NULL: there are none, or they are elsewhere
    uint32_t count;
} mc_side_rows;

void mc_side_rows_deinit(mc_side_rows *rows);
// `rows` had none before. No rows: MC_OK and NULL.
mc_result mc_side_rows_allocate(mc_side_table table, uint32_t count, mc_side_rows *rows,
                                mc_error *error);
mc_result mc_side_rows_copy(mc_side_table table, const mc_side_rows *from, mc_side_rows *to,
                            mc_error *error);

static inline void *mc_side_rows_get(mc_side_table table, const mc_side_rows *rows,
                                     uint32_t index) {
    return (unsigned char *)rows->rows + index * mc_side_tables[table].row_size;
}

// Compares by key; for qsort, too, as the table's function.
typedef int mc_side_compare(const void *a, const void *b);
mc_side_compare *mc_side_get_compare(mc_side_table table);
void mc_side_rows_sort(mc_side_table table, mc_side_rows *rows); // O(rows) if they are sorted
bool mc_side_rows_are_distinct(mc_side_table table, const mc_side_rows *rows); // and sorted
// Sorts fields, roots and owners' ways as users see them: by what precedes the name (of ways the
// owner alone), those without a name last, then by descending count, ties by name. Other tables by
// key.
void mc_side_rows_rank(mc_side_table table, mc_side_rows *rows, const mc_strings *names);
// Sorts by key; rows that agree in it become one, whose numbers are sums, at most MC_COUNT_MAX. Of
// strings beside the key the first row's stay.
void mc_side_rows_add_up(mc_side_table table, mc_side_rows *rows);

// By kind of column: what its numbers become; NULL: they stay. MC_NONE of what may lack stays, too.
typedef struct mc_side_map {
    const uint32_t *by_kind[MC_COLUMN_KIND_COUNT];
} mc_side_map;
void mc_side_rows_map(mc_side_table table, mc_side_rows *rows, const mc_side_map *map);

// Copies a column from or to an array.
void mc_side_rows_get_column(mc_side_table table, const mc_side_rows *rows, int column,
                             uint64_t *values);
void mc_side_rows_set_column(mc_side_table table, mc_side_rows *rows, int column,
                             const uint64_t *values);
// Sets a byte per node that is in a column of leaves.
void mc_side_rows_mark_leaves(mc_side_table table, const mc_side_rows *rows, uint8_t *marks);
