// What a step says beside its tree: from rows to what trace.h hands out.
#include "engine/base/memory.h"
#include "engine/trace/trace.h"
#include "engine/trace/trace_columns.h"
#include <string.h>

static bool has_rows(const mc_trace_step *step, mc_side_table table) {
    switch (table) {
    case MC_SIDE_FIELDS:
    case MC_SIDE_ROOTS: return step->info.has_referrers;
    case MC_SIDE_SUMS: return step->info.has_paths;
    case MC_SIDE_OWNER_SUMS:
    case MC_SIDE_OWNER_WAYS: return step->info.has_owners;
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

void mc_reference_rows_deinit(mc_reference_rows *references) {
    mc_free(references->items);
    *references = (mc_reference_rows){.items = NULL};
}

mc_result mc_trace_read_references(const mc_trace *trace, uint32_t step_index,
                                   mc_reference_rows *references, mc_error *error) {
    mc_side_rows rows = {references->items, references->count};
    mc_result result = mc_trace_read_side(trace, step_index, MC_SIDE_REFERENCES, &rows, error);
    *references = (mc_reference_rows){rows.rows, rows.count};
    return result;
}

void mc_field_rows_deinit(mc_field_rows *fields) {
    mc_free(fields->items);
    *fields = (mc_field_rows){.items = NULL};
}

mc_result mc_trace_read_fields(const mc_trace *trace, uint32_t step_index, mc_field_rows *fields,
                               mc_error *error) {
    mc_side_rows rows = {fields->items, fields->count};
    mc_result result = mc_trace_read_side(trace, step_index, MC_SIDE_FIELDS, &rows, error);
    *fields = (mc_field_rows){rows.rows, rows.count};
    return result;
}

void mc_root_rows_deinit(mc_root_rows *roots) {
    mc_free(roots->items);
    *roots = (mc_root_rows){.items = NULL};
}

mc_result mc_trace_read_roots(const mc_trace *trace, uint32_t step_index, mc_root_rows *roots,
                              mc_error *error) {
    mc_side_rows rows = {roots->items, roots->count};
    mc_result result = mc_trace_read_side(trace, step_index, MC_SIDE_ROOTS, &rows, error);
    *roots = (mc_root_rows){rows.rows, rows.count};
    return result;
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
    mc_side_rows rows = {sums->items, sums->count};
    mc_result result = mc_trace_read_side(trace, step_index, MC_SIDE_SUMS, &rows, error);
    *sums = (mc_path_sums){rows.rows, rows.count};
    return result;
}

// ---- owners

const mc_owner *mc_trace_get_owners(const mc_trace *trace, uint32_t *count) {
    *count = trace->owner_count;
    return trace->owners;
}

void mc_owner_rows_deinit(mc_owner_rows *owners) {
    mc_free(owners->items);
    *owners = (mc_owner_rows){.items = NULL};
}

mc_result mc_trace_read_owners(const mc_trace *trace, uint32_t step_index, mc_owner_rows *owners,
                               mc_error *error) {
    mc_side_rows rows = {owners->items, owners->count};
    mc_result result = mc_trace_read_side(trace, step_index, MC_SIDE_OWNER_SUMS, &rows, error);
    *owners = (mc_owner_rows){rows.rows, rows.count};
    return result;
}

void mc_owner_way_rows_deinit(mc_owner_way_rows *ways) {
    mc_free(ways->items);
    *ways = (mc_owner_way_rows){.items = NULL};
}

mc_result mc_trace_read_owner_ways(const mc_trace *trace, uint32_t step_index,
                                   mc_owner_way_rows *ways, mc_error *error) {
    mc_side_rows rows = {ways->items, ways->count};
    mc_result result = mc_trace_read_side(trace, step_index, MC_SIDE_OWNER_WAYS, &rows, error);
    *ways = (mc_owner_way_rows){rows.rows, rows.count};
    return result;
}
