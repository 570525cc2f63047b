// table.h - the tables that SQL sees: what they consist of, and what they are filled from.
//
// A table is a row of columns and a function that fills it, part by part: a step, a metric, or a
// heap dump. A part is filled when a query reads it, only in the columns that it reads, and kept
// for the queries that follow. Threads: one source serves one thread at a time.
#pragma once
#include "app/query/rows.h"
#include "engine/analyze/causes.h"

typedef enum mc_query_parts {
    MC_QUERY_WHOLE,     // one part
    MC_QUERY_BY_STEP,   // in these tables a column "step" tells the parts apart,
    MC_QUERY_BY_METRIC, // and a column "metric"
    MC_QUERY_BY_METRIC_AND_STEP,
    MC_QUERY_BY_DUMP // "step": dumps by time
} mc_query_parts;

typedef struct mc_query_dump {
    const char *path;
    int64_t time_ms; // what its header says
} mc_query_dump;

// What some traces know and others don't: of the latter, no rows doesn't mean that there is
// nothing.
enum {
    MC_QUERY_OF_REFERENCES = 1,
    MC_QUERY_OF_FIELDS = 2,
    MC_QUERY_OF_ROOTS = 4,
    MC_QUERY_OF_PATHS = 8,
    MC_QUERY_OF_OWNERS = 16,
    MC_QUERY_OF_RETAINED = 32
};

// A query may read two traces: the tables of the other one are in a schema of their own.
#define MC_QUERY_SIDES 2u
#define MC_QUERY_OTHER "other"

// What the tables are filled from. The caller fills what comes first.
typedef struct mc_query_source {
    const mc_trace *trace;
    mc_query_dump *dumps; // among what was opened, by time
    uint32_t dump_count;
    const char *collections; // more classes that are data structures; NULL: none
    const char *binary;      // as of mc_import_deep
    bool is_partial;         // damaged dumps are accepted
    const mc_progress *progress;
    uint64_t memory_limit; // of all rows, in bytes
    uint64_t memory;       // of rows that are kept
    mc_causes causes;      // once a table has needed them
    bool has_causes;
    mc_error failure; // of a table, while a statement runs
} mc_query_source;

void mc_query_source_deinit(mc_query_source *source);
// What makes the heap grow, as `memcity why` finds it. They belong to the source.
mc_result mc_query_source_find_causes(mc_query_source *source, const mc_causes **causes,
                                      mc_error *error);

typedef struct mc_query_part {
    uint32_t step; // or dump
    mc_metric metric;
    uint32_t node;    // MC_NONE: all; of tables that take one
    bool is_weighted; // objects that are alike may be one row with a weight
} mc_query_part;

// Fills `rows`, which are empty; columns that nobody asked for may have any words.
typedef mc_result mc_query_fill(mc_query_source *source, const mc_query_part *part,
                                mc_query_rows *rows, mc_error *error);

typedef struct mc_query_table {
    const char *name, *help;
    const mc_query_column *columns;
    uint32_t column_count;
    mc_query_parts parts;
    bool takes_node; // of one node it is filled at once
    bool is_large;   // more rows than the trace has nodes
    uint32_t of;     // bits: see above
    mc_query_fill *fill;
} mc_query_table;

extern const mc_query_table *const mc_query_tables[]; // ends with NULL
extern const mc_query_table mc_query_table_nodes, mc_query_table_steps, mc_query_table_metrics,
    mc_query_table_history, mc_query_table_measures, mc_query_table_growth, mc_query_table_refs,
    mc_query_table_fields, mc_query_table_roots, mc_query_table_paths, mc_query_table_owners,
    mc_query_table_verdict, mc_query_table_findings, mc_query_table_units, mc_query_table_objects,
    mc_query_table_object_refs;

// Of what is in `of`, appends what the trace doesn't know: "GC roots, owners".
void mc_query_append_unknown(const mc_trace *trace, uint32_t of, mc_text *out);

// The column with this name; MC_NONE: there is none.
uint32_t mc_query_table_find_column(const mc_query_table *table, const char *name);

// A row's word of a column that nobody asked for costs nothing to find.
static inline bool mc_query_wants(const mc_query_rows *rows, uint32_t column) {
    return rows->wanted >> column & 1;
}
