// Steps in memory, as the builder leaves them.
#include "engine/base/memory.h"
#include "engine/trace/trace_columns.h"
#include <string.h>

static mc_result read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             uint64_t *values, mc_error *error) {
    (void)error;
    mc_packed_column_unpack(&trace->steps[step_index].columns[metric], values, trace->nodes.count);
    return MC_OK;
}

static mc_result read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             const uint32_t *nodes, uint32_t count, uint64_t *values,
                             mc_error *error) {
    (void)error;
    for (uint32_t i = 0; i < count; i++)
        values[i] = mc_packed_column_get(&trace->steps[step_index].columns[metric], nodes[i]);
    return MC_OK;
}

static mc_result read_presence(const mc_trace *trace, uint32_t step_index, uint32_t node_index,
                               bool *is_present, mc_error *error) {
    (void)error;
    *is_present = mc_bits_get(trace->steps[step_index].present, node_index);
    return MC_OK;
}

static mc_result read_references(const mc_trace *trace, uint32_t step_index,
                                 mc_reference_columns *references, mc_error *error) {
    const mc_trace_step *step = &trace->steps[step_index];
    uint32_t count = step->reference_count;
    mc_result result = mc_reference_columns_allocate(references, count, error);
    if (result != MC_OK || count == 0) return result;
    memcpy(references->from, step->from, count * sizeof *step->from);
    memcpy(references->to, step->to, count * sizeof *step->to);
    memcpy(references->points_to, step->points_to, count * sizeof *step->points_to);
    memcpy(references->pointed_from, step->pointed_from, count * sizeof *step->pointed_from);
    return MC_OK;
}

static mc_result read_fields(const mc_trace *trace, uint32_t step_index, mc_field_count **fields,
                             uint32_t *count, mc_error *error) {
    const mc_holders *holders = &trace->steps[step_index].holders;
    *count = holders->field_count;
    if (*count == 0) return MC_OK;
    *fields = mc_alloc(*count, sizeof **fields);
    if (!*fields) return mc_error_out_of_memory(error);
    memcpy(*fields, holders->fields, *count * sizeof **fields);
    return MC_OK;
}

static mc_result read_roots(const mc_trace *trace, uint32_t step_index, mc_root_count **roots,
                            uint32_t *count, mc_error *error) {
    const mc_holders *holders = &trace->steps[step_index].holders;
    *count = holders->root_count;
    if (*count == 0) return MC_OK;
    *roots = mc_alloc(*count, sizeof **roots);
    if (!*roots) return mc_error_out_of_memory(error);
    memcpy(*roots, holders->roots, *count * sizeof **roots);
    return MC_OK;
}

static mc_result read_paths(const mc_trace *trace, uint32_t step_index, mc_path_sum **sums,
                            uint32_t *count, mc_error *error) {
    const mc_trace_step *step = &trace->steps[step_index];
    *count = step->sum_count;
    if (*count == 0) return MC_OK;
    *sums = mc_alloc(*count, sizeof **sums);
    if (!*sums) return mc_error_out_of_memory(error);
    memcpy(*sums, step->sums, *count * sizeof **sums);
    return MC_OK;
}

static mc_result read_renames(const mc_trace *trace, uint32_t step_index, mc_rename **renames,
                              mc_error *error) {
    const mc_trace_step *step = &trace->steps[step_index];
    *renames = mc_alloc(step->rename_count, sizeof **renames);
    if (!*renames) return mc_error_out_of_memory(error);
    memcpy(*renames, step->renames, step->rename_count * sizeof **renames);
    return MC_OK;
}

static const mc_packed_column *get_maxima(const mc_trace *trace, mc_metric metric) {
    (void)trace;
    (void)metric;
    return NULL;
}

static size_t get_memory_size(const mc_trace *trace) {
    size_t size = 0;
    for (uint32_t i = 0; i < trace->step_count; i++) {
        const mc_trace_step *step = &trace->steps[i];
        size += sizeof *step + mc_bits_word_count(trace->nodes.count) * sizeof(uint64_t) +
                (size_t)step->reference_count * 24 +
                step->holders.field_count * sizeof *step->holders.fields +
                step->holders.root_count * sizeof *step->holders.roots +
                step->sum_count * sizeof *step->sums;
        for (uint32_t metric = 0; metric < step->column_count; metric++)
            size += sizeof *step->columns + mc_packed_column_memory_size(&step->columns[metric]);
    }
    return size;
}

static void destroy(mc_trace *trace, bool has_nodes) {
    (void)trace;
    (void)has_nodes;
}

const mc_step_source mc_steps_in_memory = {.read_column = read_column,
                                           .read_values = read_values,
                                           .read_presence = read_presence,
                                           .read_references = read_references,
                                           .read_fields = read_fields,
                                           .read_roots = read_roots,
                                           .read_paths = read_paths,
                                           .read_renames = read_renames,
                                           .get_maxima = get_maxima,
                                           .get_memory_size = get_memory_size,
                                           .destroy = destroy};
