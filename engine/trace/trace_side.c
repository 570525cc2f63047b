// What a step says beside its tree: from rows to what trace.h hands out.
#include "engine/base/memory.h"
#include "engine/trace/trace.h"
#include "engine/trace/trace_columns.h"
#include <string.h>

static bool has_rows(const mc_trace_step *step, mc_side_table table) {
    switch (table) {
    case MC_SIDE_FIELDS:
    case MC_SIDE_ROOTS: return step->info.has_holders;
    case MC_SIDE_SUMS: return step->info.has_paths;
    case MC_SIDE_RENAMES: return step->side[table].count > 0;
    default: return true;
    }
}

mc_result mc_trace_read_side(const mc_trace *trace, uint32_t step_index, mc_side_table table,
                             mc_side_rows *rows, mc_error *error) {
    assert(step_index < trace->step_count);
    mc_side_rows_deinit(rows);
    if (!has_rows(&trace->steps[step_index], table)) return MC_OK;
    mc_result result = trace->source->read_side(trace, step_index, table, rows, error);
    if (result == MC_OK) mc_side_rows_rank(table, rows, &trace->strings);
    return result;
}

// ---- as columns

// A copy of a column; *fits false: memory is out.
static void *copy_column(mc_side_table table, int column, const mc_side_rows *rows, bool *fits) {
    const mc_side_column *c = &mc_side_tables[table].columns[column];
    size_t size = c->kind == MC_COLUMN_FLAG ? 1 : c->size;
    if (rows->count == 0 || !*fits) return NULL;
    unsigned char *values = mc_alloc(rows->count, size);
    const unsigned char *from = (const unsigned char *)rows->rows + c->offset;
    *fits = values != NULL;
    for (uint32_t i = 0; values && i < rows->count; i++, from += mc_side_tables[table].row_size) {
        if (size == sizeof(uint64_t))
            memcpy(values + i * size, from, sizeof(uint64_t));
        else if (size == sizeof(uint32_t))
            memcpy(values + i * size, from, sizeof(uint32_t));
        else
            values[i] = *from != 0;
    }
    return values;
}

void mc_reference_columns_deinit(mc_reference_columns *references) {
    mc_free(references->from);
    mc_free(references->to);
    mc_free(references->points_to);
    mc_free(references->pointed_from);
    memset(references, 0, sizeof *references);
}

mc_result mc_trace_read_references(const mc_trace *trace, uint32_t step_index,
                                   mc_reference_columns *references, mc_error *error) {
    const mc_side_table table = MC_SIDE_REFERENCES;
    mc_side_rows rows = {.rows = NULL};
    bool fits = true;
    mc_reference_columns_deinit(references);
    mc_result result = mc_trace_read_side(trace, step_index, table, &rows, error);
    *references = (mc_reference_columns){.count = rows.count,
                                         .from = copy_column(table, 0, &rows, &fits),
                                         .to = copy_column(table, 1, &rows, &fits),
                                         .points_to = copy_column(table, 2, &rows, &fits),
                                         .pointed_from = copy_column(table, 3, &rows, &fits)};
    mc_side_rows_deinit(&rows);
    if (fits) return result;
    mc_reference_columns_deinit(references);
    return mc_error_out_of_memory(error);
}

void mc_field_columns_deinit(mc_field_columns *fields) {
    mc_free(fields->from);
    mc_free(fields->to);
    mc_free(fields->name);
    mc_free(fields->is_weak);
    mc_free(fields->counts);
    memset(fields, 0, sizeof *fields);
}

mc_result mc_trace_read_fields(const mc_trace *trace, uint32_t step_index, mc_field_columns *fields,
                               mc_error *error) {
    const mc_side_table table = MC_SIDE_FIELDS;
    mc_side_rows rows = {.rows = NULL};
    bool fits = true;
    mc_field_columns_deinit(fields);
    mc_result result = mc_trace_read_side(trace, step_index, table, &rows, error);
    *fields = (mc_field_columns){.count = rows.count,
                                 .from = copy_column(table, 0, &rows, &fits),
                                 .to = copy_column(table, 1, &rows, &fits),
                                 .name = copy_column(table, 2, &rows, &fits),
                                 .is_weak = copy_column(table, 3, &rows, &fits),
                                 .counts = copy_column(table, 4, &rows, &fits)};
    mc_side_rows_deinit(&rows);
    if (fits) return result;
    mc_field_columns_deinit(fields);
    return mc_error_out_of_memory(error);
}

void mc_root_columns_deinit(mc_root_columns *roots) {
    mc_free(roots->node);
    mc_free(roots->kind);
    mc_free(roots->name);
    mc_free(roots->counts);
    memset(roots, 0, sizeof *roots);
}

mc_result mc_trace_read_roots(const mc_trace *trace, uint32_t step_index, mc_root_columns *roots,
                              mc_error *error) {
    const mc_side_table table = MC_SIDE_ROOTS;
    mc_side_rows rows = {.rows = NULL};
    bool fits = true;
    mc_root_columns_deinit(roots);
    mc_result result = mc_trace_read_side(trace, step_index, table, &rows, error);
    *roots = (mc_root_columns){.count = rows.count,
                               .node = copy_column(table, 0, &rows, &fits),
                               .kind = copy_column(table, 1, &rows, &fits),
                               .name = copy_column(table, 2, &rows, &fits),
                               .counts = copy_column(table, 3, &rows, &fits)};
    mc_side_rows_deinit(&rows);
    if (fits) return result;
    mc_root_columns_deinit(roots);
    return mc_error_out_of_memory(error);
}

// ---- retaining paths

bool mc_trace_knows_paths(const mc_trace *trace, uint32_t node_index) {
    return !trace->source->knows_paths || trace->source->knows_paths(trace, node_index);
}

const mc_retaining_path *mc_trace_get_paths(const mc_trace *trace, uint32_t *count) {
    *count = trace->path_count;
    return trace->paths;
}

void mc_path_sums_deinit(mc_path_sums *sums) {
    mc_free(sums->items);
    *sums = (mc_path_sums){.items = NULL};
}

mc_result mc_trace_read_paths(const mc_trace *trace, uint32_t step_index, mc_path_sums *sums,
                              mc_error *error) {
    mc_side_rows rows = {.rows = NULL};
    mc_path_sums_deinit(sums);
    mc_result result = mc_trace_read_side(trace, step_index, MC_SIDE_SUMS, &rows, error);
    *sums = (mc_path_sums){.items = rows.rows, .count = rows.count};
    return result;
}
