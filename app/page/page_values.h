// page_values.h - the values and names of a page's nodes, as columns.
//
// Values: of each row the first step's, then a bit for each further step in which it changes, then
// the changes. Names: each by what it shares with the one before. Threads: any, on separate
// objects.
#pragma once
#include "app/page/page_plan.h"

typedef struct mc_page_steps {
    const uint32_t *items; // steps of the trace, ascending
    uint32_t count;
} mc_page_steps;

typedef struct mc_page_values {
    mc_page_steps steps;
    mc_metric metric;
    bool of_districts;
    const char *names[3]; // of the columns: "first", "changed" and "change"
    const char *beyond;   // by how much a building's maximum exceeds those of the steps; NULL: none
    const char *unknown;  // which values are not known, where there are any; NULL: not wanted
} mc_page_values;

// Columns over the buildings, then, if `of_districts`, over the districts, both in the plan's
// order. `progress` may be NULL.
mc_result mc_page_values_append(const mc_trace *trace, const mc_page_plan *plan,
                                const mc_page_values *desc, const mc_progress *progress,
                                mc_page_columns *out, mc_error *error);

// Columns "role" (1 plus a classifier; 0: none), "shared", "rest" and "text".
mc_result mc_page_names_append(const mc_trace *trace, const mc_page_plan *plan,
                               mc_page_columns *out, mc_error *error);

// Column "state", over the buildings of two traces: 0 both have it, 1 the second alone, 2 the first
// alone.
mc_result mc_page_states_append(const mc_trace *trace, const mc_page_plan *plan,
                                mc_page_columns *out, mc_error *error);
