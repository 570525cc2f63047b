// owner_series.h - the owners of a window's steps as columns: what each retains, step by step.
//
// Rows are the owners that the window's last step knows. Steps that know no owners are skipped, and
// of more than MC_OWNER_MOST_POINTS evenly spread ones count. An owner without a row at a step
// retained less than the least that is kept there: that least stands for it. Pure CPU code.
// Threads: any.
#pragma once
#include "engine/analyze/max_tree.h"
#include "engine/trace/trace.h"

#define MC_OWNER_MOST_POINTS 256u

typedef struct mc_owner_row {
    uint32_t owner;
    uint32_t parent, child, next; // rows: the first of those below it, the next beside it; MC_NONE
    uint32_t example;             // string or MC_NONE, as in mc_owner_sum, at the last step
    uint64_t first_objects, objects; // at the first point that knows it, and the last
    uint64_t retained_bytes, retained_objects, program_objects; // at the last step
    int64_t growth;                                             // of the retained bytes
    uint32_t first_point;
    bool is_rest;         // what is left of a root, of several classes: no place of its own
    bool is_library;      // its class is one of the language's library, an array or primitive
    bool is_part;         // … that the library's collections are made of: HashMap$Node
    bool is_program_root; // a static field, ThreadLocal or method of the program's own
} mc_owner_row;

// Zero-initialise, read, deinit.
typedef struct mc_owner_series {
    const mc_owner *owners; // of the trace
    mc_owner_row *rows;     // parents first
    uint32_t count;
    uint32_t *steps; // of the points
    int64_t *times_ms;
    uint32_t point_count;   // 0: the window's last step knows no owners
    uint64_t *retained;     // [row][point]
    uint64_t *least;        // per point: the least that any owner is said to retain
    uint64_t heap;          // bytes at the last point
    mc_owner_way_rows ways; // of the last point
} mc_owner_series;

// O(rows of the points). On failure `series` is zeroed.
mc_result mc_owner_series_read(const mc_trace *trace, mc_step_range window, mc_owner_series *series,
                               mc_error *error);
void mc_owner_series_deinit(mc_owner_series *series);

// The row of an owner, or MC_NONE. O(log rows).
uint32_t mc_owner_series_find(const mc_owner_series *series, uint32_t owner);
// Whether `row` is `around` or below it.
bool mc_owner_series_is_inside(const mc_owner_series *series, uint32_t row, uint32_t around);
// The group that the row's objects, or the nearest that hold them, are counted in; MC_NONE: none.
uint32_t mc_owner_series_find_place(const mc_owner_series *series, uint32_t row);
static inline const mc_owner *mc_owner_series_get(const mc_owner_series *series, uint32_t row) {
    return &series->owners[series->rows[row].owner];
}
