#include "engine/base/memory.h"
#include "engine/trace/builder_nodes.h"
#include <stdlib.h>
#include <string.h>

typedef struct finish {
    mc_trace_builder *builder;
    mc_trace *trace;
    mc_node_order nodes;
    uint64_t *old_values, *new_values;
} finish;

static mc_result begin(finish *f, mc_error *error) {
    mc_result result = mc_node_order_init(&f->nodes, f->builder, f->trace, error);
    if (result != MC_OK) return result;
    f->old_values = mc_alloc(f->builder->node_count, sizeof *f->old_values);
    f->new_values = mc_alloc(f->builder->node_count, sizeof *f->new_values);
    return f->old_values && f->new_values ? MC_OK : mc_error_out_of_memory(error);
}

static void finish_deinit(finish *f) {
    mc_node_order_deinit(&f->nodes);
    mc_free(f->old_values);
    mc_free(f->new_values);
}

// ---- which nodes need a self node

static bool has_children(const finish *f, uint32_t node) {
    return f->nodes.count[node] > 0;
}

// Marks the nodes whose children explain less than all of them; counts those where they explain
// more.
static void mark_unexplained(finish *f, const mc_seen_step *step, mc_column column,
                             uint64_t *values, uint64_t *sums, uint64_t *contradictions,
                             uint32_t *example) {
    const mc_trace_builder *builder = f->builder;
    mc_packed_column_unpack(&step->columns[column], values, step->seen_count);
    memset(sums, 0, step->seen_count * sizeof *sums);
    for (uint32_t node = 1; node < step->seen_count; node++)
        sums[builder->nodes[node].parent] =
            mc_add_saturating(sums[builder->nodes[node].parent], values[node]);
    for (uint32_t node = 0; node < step->seen_count; node++) {
        if (!has_children(f, node)) continue;
        if (values[node] > sums[node]) f->nodes.self[node] = 0;
        if (values[node] < sums[node]) {
            if ((*contradictions)++ == 0) *example = node;
        }
    }
}

static void find_self_nodes(finish *f) {
    mc_trace_builder *builder = f->builder;
    uint64_t contradictions = 0;
    uint32_t example = MC_NONE;
    for (size_t i = 0; i < builder->step_count; i++) {
        const mc_seen_step *step = &builder->steps[i];
        for (int column = 0; column <= MC_COLUMN_BYTES; column++)
            mark_unexplained(f, step, (mc_column)column, f->old_values, f->new_values,
                             &contradictions, &example);
        for (uint32_t k = 0; k < step->pair_count; k++) {
            if (has_children(f, step->pairs[k].from)) f->nodes.self[step->pairs[k].from] = 0;
            if (has_children(f, step->pairs[k].to)) f->nodes.self[step->pairs[k].to] = 0;
        }
    }
    if (contradictions > 0) {
        const char *key = mc_strings_get(&builder->strings, builder->nodes[example].key, NULL);
        mc_log_write(builder->log, MC_LOG_WARNING, MC_WARNING_CONTRADICTIONS, contradictions, key);
    }
}

// ---- columns

// The column by new numbers, with the self nodes' shares.
static bool renumber_column(finish *f, const mc_seen_step *from, mc_column column,
                            mc_packed_column *to) {
    if (from->columns[column].count == 0 && column > MC_COLUMN_BYTES) return true;
    uint32_t seen = (uint32_t)f->builder->node_count;
    mc_packed_column_unpack(&from->columns[column], f->old_values, seen);
    for (uint32_t old = seen; old < f->nodes.old_count; old++) {
        uint32_t parent = mc_node_order_get_parent(&f->nodes, old);
        uint64_t rest = column <= MC_COLUMN_BYTES ? f->old_values[parent] : 0;
        for (uint32_t k = 0; k < f->nodes.count[parent] && rest > 0; k++) {
            uint32_t child = f->nodes.children[f->nodes.first[parent] + k];
            if (child >= seen) continue;
            uint64_t value = f->old_values[child];
            rest = value < rest ? rest - value : 0;
        }
        f->old_values[old] = rest;
    }
    for (uint32_t i = 0; i < f->nodes.old_count; i++)
        f->new_values[i] = f->old_values[f->nodes.order[i]];
    return mc_packed_column_pack(to, f->new_values, f->nodes.old_count);
}

static bool renumber_bits(finish *f, const mc_seen_step *from, mc_trace_step *to) {
    to->present = mc_alloc_zero(mc_bits_word_count(f->nodes.old_count), sizeof *to->present);
    if (!to->present) return false;
    for (uint32_t i = 0; i < f->nodes.old_count; i++) {
        uint32_t old = f->nodes.order[i];
        bool present = old < f->builder->node_count
                           ? old < from->seen_count && mc_bits_get(from->present, old)
                           : mc_packed_column_get(&to->columns[MC_COLUMN_OBJECTS], i) > 0 ||
                                 mc_packed_column_get(&to->columns[MC_COLUMN_BYTES], i) > 0;
        if (present) mc_bits_set(to->present, i);
    }
    return true;
}

static uint32_t new_leaf(const finish *f, uint32_t old) {
    return f->nodes.new_index[f->nodes.self[old] != MC_NONE ? f->nodes.self[old] : old];
}

static int compare_pairs(const void *a, const void *b) {
    const mc_pair *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static bool renumber_pairs(finish *f, mc_seen_step *from, mc_trace_step *to) {
    uint32_t count = from->pair_count;
    if (count == 0) return true;
    for (uint32_t i = 0; i < count; i++) {
        from->pairs[i].from = new_leaf(f, from->pairs[i].from);
        from->pairs[i].to = new_leaf(f, from->pairs[i].to);
    }
    qsort(from->pairs, count, sizeof *from->pairs, compare_pairs);
    to->from = mc_alloc(count, sizeof *to->from);
    to->to = mc_alloc(count, sizeof *to->to);
    to->points_to = mc_alloc(count, sizeof *to->points_to);
    to->pointed_from = mc_alloc(count, sizeof *to->pointed_from);
    if (!to->from || !to->to || !to->points_to || !to->pointed_from) return false;
    for (uint32_t i = 0; i < count; i++) {
        to->from[i] = from->pairs[i].from;
        to->to[i] = from->pairs[i].to;
        to->points_to[i] = from->pairs[i].points_to;
        to->pointed_from[i] = from->pairs[i].pointed_from;
    }
    to->reference_count = to->info.pair_count = count;
    return true;
}

static int compare_times(const void *a, const void *b) {
    const mc_seen_step *x = a, *y = b;
    return x->info.time_ms < y->info.time_ms ? -1 : x->info.time_ms > y->info.time_ms;
}

// Step by step, so that at most one step is held in both numberings.
static mc_result renumber_steps(finish *f, mc_error *error) {
    mc_trace_builder *builder = f->builder;
    mc_trace *trace = f->trace;
    trace->steps = mc_alloc_zero(builder->step_count, sizeof *trace->steps);
    if (!trace->steps) return mc_error_out_of_memory(error);
    trace->step_count = (uint32_t)builder->step_count;
    qsort(builder->steps, builder->step_count, sizeof *builder->steps, compare_times);
    for (uint32_t i = 0; i < trace->step_count; i++) {
        mc_seen_step *from = &builder->steps[i];
        mc_trace_step *to = &trace->steps[i];
        to->info = from->info;
        for (int column = 0; column < MC_COLUMN_COUNT; column++) {
            if (!renumber_column(f, from, (mc_column)column, &to->columns[column]))
                return mc_error_out_of_memory(error);
            trace->has_column[column] |= to->columns[column].count > 0;
        }
        if (!renumber_bits(f, from, to) || !renumber_pairs(f, from, to))
            return mc_error_out_of_memory(error);
        mc_node_order_translate(&f->nodes, from->renames, from->rename_count);
        to->renames = from->renames;
        to->rename_count = from->rename_count;
        from->renames = NULL;
        mc_seen_step_deinit(from);
    }
    return MC_OK;
}

static mc_result run(finish *f, mc_error *error) {
    mc_result result = begin(f, error);
    if (result != MC_OK) return result;
    find_self_nodes(f);
    result = mc_node_order_run(&f->nodes, error);
    if (result != MC_OK) return result;
    // What only looking nodes up needs goes before the columns are held twice.
    mc_free(f->builder->slots);
    f->builder->slots = NULL;
    uint64_t *old_values = mc_realloc(f->old_values, f->nodes.old_count, sizeof *old_values);
    if (old_values) f->old_values = old_values;
    uint64_t *new_values = mc_realloc(f->new_values, f->nodes.old_count, sizeof *new_values);
    if (new_values) f->new_values = new_values;
    if (!old_values || !new_values) return mc_error_out_of_memory(error);
    return renumber_steps(f, error);
}

mc_result mc_trace_builder_finish(mc_trace_builder *builder, mc_trace **trace, mc_error *error) {
    *trace = NULL;
    if (builder->step_count == 0)
        return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET, "a trace needs a step");
    if (builder->renamed_count > 0)
        mc_log_write(builder->log, MC_LOG_WARNING, MC_WARNING_RENAMED, builder->renamed_count);
    finish f = {.builder = builder, .trace = mc_alloc_zero(1, sizeof(mc_trace))};
    if (!f.trace) return mc_error_out_of_memory(error);
    mc_result result = run(&f, error);
    finish_deinit(&f);
    if (result != MC_OK) {
        mc_trace_destroy(f.trace);
        return result;
    }
    f.trace->key_kind = builder->key_kind;
    f.trace->has_references = builder->has_references;
    f.trace->strings = builder->strings;
    memset(&builder->strings, 0, sizeof builder->strings);
    mc_strings_seal(&f.trace->strings);
    *trace = f.trace;
    return MC_OK;
}
