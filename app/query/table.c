#include "app/query/table.h"
#include <string.h>

const mc_query_table *const mc_query_tables[] = {&mc_query_table_nodes,
                                                 &mc_query_table_steps,
                                                 &mc_query_table_metrics,
                                                 &mc_query_table_history,
                                                 &mc_query_table_measures,
                                                 &mc_query_table_growth,
                                                 &mc_query_table_refs,
                                                 &mc_query_table_fields,
                                                 &mc_query_table_roots,
                                                 &mc_query_table_paths,
                                                 &mc_query_table_owners,
                                                 &mc_query_table_verdict,
                                                 &mc_query_table_findings,
                                                 &mc_query_table_units,
                                                 &mc_query_table_objects,
                                                 &mc_query_table_object_refs,
                                                 NULL};

static bool knows(const mc_trace *trace, uint32_t what) {
    uint32_t count = 0;
    switch (what) {
    case MC_QUERY_OF_REFERENCES: return mc_trace_has_references(trace);
    case MC_QUERY_OF_FIELDS: return mc_trace_has_fields(trace);
    case MC_QUERY_OF_ROOTS: return mc_trace_has_roots(trace);
    case MC_QUERY_OF_PATHS: return mc_trace_get_paths(trace, &count) && count > 0;
    case MC_QUERY_OF_OWNERS: return mc_trace_get_owners(trace, &count) && count > 0;
    case MC_QUERY_OF_RETAINED: return mc_trace_find_metric(trace, mc_metric_retained) != MC_NONE;
    default: return true;
    }
}

void mc_query_append_unknown(const mc_trace *trace, uint32_t of, mc_text *out) {
    static const char *const names[] = {
        "references", "fields",
        "GC roots",   "ways from GC roots (read heap dumps with --paths)",
        "owners",     "retained bytes of groups (read heap dumps with --retained)"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!(of >> i & 1) || knows(trace, (uint32_t)1 << i)) continue;
        if (out->size > 0) mc_text_append_string(out, ", ");
        mc_text_append_string(out, names[i]);
    }
}

uint32_t mc_query_table_find_column(const mc_query_table *table, const char *name) {
    for (uint32_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return i;
    return MC_NONE;
}
