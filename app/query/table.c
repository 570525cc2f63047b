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

uint32_t mc_query_table_find_column(const mc_query_table *table, const char *name) {
    for (uint32_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return i;
    return MC_NONE;
}
