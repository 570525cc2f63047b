// By what a step's objects are held: from rows to columns.
#include "engine/base/memory.h"
#include "engine/trace/trace_columns.h"
#include <string.h>

void mc_holders_deinit(mc_holders *holders) {
    mc_free(holders->fields);
    mc_free(holders->roots);
    memset(holders, 0, sizeof *holders);
}

void mc_field_columns_deinit(mc_field_columns *fields) {
    mc_free(fields->from);
    mc_free(fields->to);
    mc_free(fields->name);
    mc_free(fields->is_weak);
    mc_free(fields->counts);
    memset(fields, 0, sizeof *fields);
}

void mc_root_columns_deinit(mc_root_columns *roots) {
    mc_free(roots->node);
    mc_free(roots->kind);
    mc_free(roots->name);
    mc_free(roots->counts);
    memset(roots, 0, sizeof *roots);
}

bool mc_trace_has_fields(const mc_trace *trace) {
    return trace->has_holders;
}

bool mc_trace_has_roots(const mc_trace *trace) {
    return trace->has_holders;
}

static mc_result fill_fields(mc_field_columns *columns, const mc_field_count *fields,
                             uint32_t count, mc_error *error) {
    columns->from = mc_alloc(count, sizeof *columns->from);
    columns->to = mc_alloc(count, sizeof *columns->to);
    columns->name = mc_alloc(count, sizeof *columns->name);
    columns->is_weak = mc_alloc(count, sizeof *columns->is_weak);
    columns->counts = mc_alloc(count, sizeof *columns->counts);
    if (!columns->from || !columns->to || !columns->name || !columns->is_weak || !columns->counts) {
        mc_field_columns_deinit(columns);
        return mc_error_out_of_memory(error);
    }
    columns->count = count;
    for (uint32_t i = 0; i < count; i++) {
        columns->from[i] = fields[i].from;
        columns->to[i] = fields[i].to;
        columns->name[i] = fields[i].name;
        columns->is_weak[i] = fields[i].is_weak;
        columns->counts[i] = fields[i].count;
    }
    return MC_OK;
}

mc_result mc_trace_read_fields(const mc_trace *trace, uint32_t step_index, mc_field_columns *fields,
                               mc_error *error) {
    mc_field_count *rows = NULL;
    uint32_t count = 0;
    mc_field_columns_deinit(fields);
    if (!mc_trace_get_step(trace, step_index)->has_holders) return MC_OK;
    mc_result result = trace->source->read_fields(trace, step_index, &rows, &count, error);
    if (result == MC_OK && !mc_field_counts_sort(rows, count, &trace->strings))
        result = mc_error_out_of_memory(error);
    if (result == MC_OK && count > 0) result = fill_fields(fields, rows, count, error);
    mc_free(rows);
    return result;
}

static mc_result fill_roots(mc_root_columns *columns, const mc_root_count *roots, uint32_t count,
                            mc_error *error) {
    columns->node = mc_alloc(count, sizeof *columns->node);
    columns->kind = mc_alloc(count, sizeof *columns->kind);
    columns->name = mc_alloc(count, sizeof *columns->name);
    columns->counts = mc_alloc(count, sizeof *columns->counts);
    if (!columns->node || !columns->kind || !columns->name || !columns->counts) {
        mc_root_columns_deinit(columns);
        return mc_error_out_of_memory(error);
    }
    columns->count = count;
    for (uint32_t i = 0; i < count; i++) {
        columns->node[i] = roots[i].node;
        columns->kind[i] = roots[i].kind;
        columns->name[i] = roots[i].name;
        columns->counts[i] = roots[i].count;
    }
    return MC_OK;
}

mc_result mc_trace_read_roots(const mc_trace *trace, uint32_t step_index, mc_root_columns *roots,
                              mc_error *error) {
    mc_root_count *rows = NULL;
    uint32_t count = 0;
    mc_root_columns_deinit(roots);
    if (!mc_trace_get_step(trace, step_index)->has_holders) return MC_OK;
    mc_result result = trace->source->read_roots(trace, step_index, &rows, &count, error);
    if (result == MC_OK && !mc_root_counts_sort(rows, count, &trace->strings))
        result = mc_error_out_of_memory(error);
    if (result == MC_OK && count > 0) result = fill_roots(roots, rows, count, error);
    mc_free(rows);
    return result;
}
