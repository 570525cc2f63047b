#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/base/printable.h"
#include "engine/trace/build/builder_nodes.h"
#include "engine/trace/build/trace_builder.h"
#include "engine/trace/trace.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct worker {
    uint64_t *old_values, *new_values; // of all nodes
    uint64_t *inner;                   // one bit a node: the step's tree has children of it
    uint64_t largest[MC_METRIC_MOST];  // of each of the trace's own metrics
    bool is_out_of_memory;
} worker;

typedef struct finish {
    mc_trace_builder *builder;
    mc_trace *trace;
    mc_node_order nodes;
    worker workers[MC_BUILDER_THREADS_MAX];
    uint32_t *leaf_index; // per seen node: its own, or its self node's
    atomic_bool is_cancelled;
} finish;

uint32_t mc_builder_choose_thread_count(uint32_t node_count) {
    const uint32_t worthwhile = 20000; // nodes; starting a thread takes as long as some hundred
    if (node_count < worthwhile) return 1;
    uint32_t count = mc_parallel_get_core_count();
    return count < MC_BUILDER_THREADS_MAX ? count : MC_BUILDER_THREADS_MAX;
}

static void finish_deinit(finish *f) {
    mc_node_order_deinit(&f->nodes);
    mc_free(f->leaf_index);
    for (int i = 0; i < MC_BUILDER_THREADS_MAX; i++) {
        mc_free(f->workers[i].old_values);
        mc_free(f->workers[i].new_values);
        mc_free(f->workers[i].inner);
    }
}

// ---- which nodes need a self node

static bool find_self_nodes(finish *f) {
    const mc_trace_builder *builder = f->builder;
    mc_node_order *nodes = &f->nodes;
    uint8_t *are_leaves = mc_alloc_zero(builder->node_count, 1);
    if (!are_leaves) return false;
    for (size_t i = 0; i < builder->step_count; i++)
        for (int table = 0; table < MC_SIDE_OF_STEP; table++)
            mc_side_rows_mark_leaves((mc_side_table)table, &builder->steps[i].side[table],
                                     are_leaves);
    for (uint32_t node = 0; node < builder->node_count; node++)
        if (are_leaves[node] || mc_bits_get(builder->unexplained, node))
            mc_node_order_want_self(nodes, node);
    mc_free(are_leaves);
    return true;
}

static void tell_contradictions(const mc_trace_builder *builder) {
    if (builder->contradiction_count == 0) return;
    size_t size;
    const mc_seen_node *example = &builder->nodes[builder->contradiction_node];
    const char *key = mc_strings_get(&builder->strings, example->key, &size);
    mc_excerpt excerpt;
    mc_log_write(builder->log, MC_LOG_WARNING, MC_WARNING_CONTRADICTIONS,
                 builder->contradiction_count, mc_excerpt_make(&excerpt, key, size));
}

// ---- columns

static mc_self_nodes get_self_nodes(const finish *f) {
    uint32_t seen = (uint32_t)f->builder->node_count;
    return (mc_self_nodes){f->nodes.new_index + seen, f->nodes.old_count - seen};
}

// From old numbers to new ones, less `minus` each; self nodes get what is behind the seen nodes.
static void renumber_values(const finish *f, worker *own, uint64_t minus) {
    const uint32_t *restrict order = f->nodes.order, count = f->nodes.old_count;
    const uint64_t *restrict from = own->old_values;
    uint64_t *restrict to = own->new_values;
    for (uint32_t i = 0; i < count; i++)
        to[i] = from[order[i]] - minus;
}

// Objects or bytes, with the self nodes' shares.
static bool renumber_base(const finish *f, worker *own, const mc_seen_step *from, mc_metric metric,
                          mc_packed_column *to) {
    mc_packed_column_unpack(&from->columns[metric], own->old_values, f->nodes.old_count);
    renumber_values(f, own, 0);
    mc_trace_fill_self_nodes(f->trace, get_self_nodes(f), own->new_values);
    return mc_packed_column_pack(to, own->new_values, f->nodes.old_count);
}

static bool find_inner_nodes(const finish *f, worker *own, const mc_seen_step *from) {
    size_t words = mc_bits_word_count(f->nodes.old_count);
    if (!own->inner) own->inner = mc_alloc(words, sizeof *own->inner);
    if (!own->inner) return false;
    memset(own->inner, 0, words * sizeof *own->inner);
    for (uint32_t old = 0; old < from->seen_count; old++)
        if (mc_bits_get(from->inner, old)) mc_bits_set(own->inner, f->nodes.new_index[old]);
    return true;
}

static void note_largest(worker *own, mc_metric metric, const uint64_t *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (values[i] != MC_COUNT_UNKNOWN && values[i] > own->largest[metric])
            own->largest[metric] = values[i];
}

// One of the trace's own metrics, once all steps have decided what it is. What is said of the root
// alone stays that.
static bool renumber_own(const finish *f, worker *own, const mc_seen_step *from, mc_metric metric,
                         mc_packed_column *to) {
    const mc_metric_info *info = &f->builder->metrics.items[metric];
    if (metric >= from->column_count || from->columns[metric].count == 0) return true;
    bool is_of_root = from->columns[metric].count == 1 && !info->is_additive &&
                      mc_bits_get(from->inner, 0) && f->nodes.order[0] == 0;
    const uint32_t count = is_of_root ? 1 : f->nodes.old_count;
    uint64_t *values = own->new_values;
    mc_packed_column_unpack(&from->columns[metric], own->old_values, count);
    if (is_of_root)
        values[0] = own->old_values[0] - 1;
    else
        renumber_values(f, own, 1); // 0 becomes MC_COUNT_UNKNOWN
    if (info->is_real && !(from->real_mask >> metric & 1))
        for (uint32_t i = 0; i < count; i++)
            values[i] = mc_metric_make_real(values[i]);
    if (!is_of_root && !info->is_additive && !find_inner_nodes(f, own, from)) return false;
    if (!is_of_root)
        mc_trace_complete_column(f->trace, info, get_self_nodes(f), own->inner, values);
    if (info->is_real) note_largest(own, metric, values, count);
    if (!info->is_additive)
        for (uint32_t i = 0; i < count; i++)
            values[i] = mc_value_store(info, values[i]);
    return mc_packed_column_pack(to, values, count);
}

static bool renumber_columns(const finish *f, worker *own, const mc_seen_step *from,
                             mc_trace_step *to) {
    uint32_t count = f->builder->metrics.count;
    to->columns = mc_alloc_zero(count, sizeof *to->columns);
    if (!to->columns) return false;
    to->column_count = count;
    for (mc_metric metric = 0; metric < MC_METRIC_FIRST_OWN; metric++)
        if (!renumber_base(f, own, from, metric, &to->columns[metric])) return false;
    for (mc_metric metric = MC_METRIC_FIRST_OWN; metric < count; metric++)
        if (!renumber_own(f, own, from, metric, &to->columns[metric])) return false;
    return true;
}

// A self node is there where it has something.
static bool has_share(const mc_trace_step *step, uint32_t node) {
    for (mc_metric metric = 0; metric < step->column_count; metric++)
        if (mc_packed_column_get(&step->columns[metric], node) > 0) return true;
    return false;
}

static bool renumber_bits(const finish *f, const mc_seen_step *from, mc_trace_step *to) {
    to->present = mc_alloc_zero(mc_bits_word_count(f->nodes.old_count), sizeof *to->present);
    if (!to->present) return false;
    const uint32_t *order = f->nodes.order, count = f->nodes.old_count;
    const uint32_t known = (uint32_t)f->builder->node_count, seen = from->seen_count;
    for (uint32_t i = 0; i < count;) {
        uint64_t word = 0;
        for (uint32_t bit = 0; bit < 64 && i < count; bit++, i++) {
            const uint32_t old = order[i];
            bool present =
                old < seen ? mc_bits_get(from->present, old) : old >= known && has_share(to, i);
            word |= (uint64_t)present << bit;
        }
        to->present[(i - 1) / 64] = word;
    }
    return true;
}

// From the builder's numbers to the trace's.
static void renumber_side(const finish *f, mc_seen_step *from, mc_trace_step *to) {
    mc_side_map map = {.by_kind = {[MC_COLUMN_LEAF] = f->leaf_index,
                                   [MC_COLUMN_NODE] = f->nodes.new_index,
                                   [MC_COLUMN_CLASSIFIER] = f->nodes.classifier_rank}};
    for (int table = 0; table < MC_SIDE_OF_STEP; table++) {
        mc_side_rows_map((mc_side_table)table, &from->side[table], &map);
        mc_side_rows_sort((mc_side_table)table, &from->side[table]);
        to->side[table] = from->side[table];
        from->side[table] = (mc_side_rows){.rows = NULL};
    }
    to->info.pair_count = to->side[MC_SIDE_REFERENCES].count;
}

// The builder's table becomes the trace's.
static mc_result take_paths(finish *f, mc_error *error) {
    const mc_strings *paths = &f->builder->paths;
    mc_trace *trace = f->trace;
    trace->paths = mc_alloc((size_t)paths->count + 1, sizeof *trace->paths);
    if (!trace->paths) return mc_error_out_of_memory(error);
    trace->path_count = paths->count;
    for (uint32_t i = 0; i < paths->count; i++) {
        mc_retaining_path *path = &trace->paths[i];
        size_t size;
        memcpy(path, mc_strings_get(paths, i, &size), sizeof *path);
        if (path->place != MC_NONE) path->place = f->nodes.new_index[path->place];
    }
    return MC_OK;
}

static mc_result take_owners(finish *f, mc_error *error) {
    const mc_trace_builder *builder = f->builder;
    mc_trace *trace = f->trace;
    uint32_t count = builder->owners.count;
    trace->owners = mc_alloc_zero((size_t)count + 1, sizeof *trace->owners);
    if (!trace->owners) return mc_error_out_of_memory(error);
    trace->owner_count = count;
    for (uint32_t i = 0; i < count; i++) {
        mc_builder_get_owner(builder, i, &trace->owners[i]);
        uint32_t *place = &trace->owners[i].place;
        if (*place != MC_NONE) *place = f->nodes.new_index[*place];
    }
    return MC_OK;
}

static int compare_times(const void *a, const void *b) {
    const mc_seen_step *x = a, *y = b;
    return x->info.time_ms < y->info.time_ms ? -1 : x->info.time_ms > y->info.time_ms;
}

static bool renumber_step(const finish *f, worker *own, mc_seen_step *from, mc_trace_step *to) {
    uint32_t count = f->nodes.old_count;
    if (!own->old_values) own->old_values = mc_alloc(count, sizeof *own->old_values);
    if (!own->new_values) own->new_values = mc_alloc(count, sizeof *own->new_values);
    if (!own->old_values || !own->new_values) return false;
    to->info = from->info;
    if (!renumber_columns(f, own, from, to) || !renumber_bits(f, from, to)) return false;
    renumber_side(f, from, to);
    to->note = from->note;
    from->note = NULL;
    mc_seen_step_deinit(from);
    return true;
}

static void run_part(void *user, uint32_t part, uint32_t thread) {
    finish *f = user;
    worker *own = &f->workers[thread];
    if (own->is_out_of_memory || atomic_load(&f->is_cancelled)) return;
    // Thread 0 is the one that called.
    if (thread == 0 && mc_builder_ask(f->builder, part, f->trace->step_count, NULL) != MC_OK)
        atomic_store(&f->is_cancelled, true);
    else if (!renumber_step(f, own, &f->builder->steps[part], &f->trace->steps[part]))
        own->is_out_of_memory = true;
}

// Step by step, so that at most one step a thread is held in both numberings.
static mc_result renumber_steps(finish *f, mc_error *error) {
    mc_trace_builder *builder = f->builder;
    mc_trace *trace = f->trace;
    trace->steps = mc_alloc_zero(builder->step_count, sizeof *trace->steps);
    if (!trace->steps) return mc_error_out_of_memory(error);
    trace->step_count = (uint32_t)builder->step_count;
    qsort(builder->steps, builder->step_count, sizeof *builder->steps, compare_times);
    mc_parallel_run(trace->step_count, mc_builder_choose_thread_count(f->nodes.old_count), run_part,
                    f);
    if (atomic_load(&f->is_cancelled)) return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    for (int i = 0; i < MC_BUILDER_THREADS_MAX; i++)
        if (f->workers[i].is_out_of_memory) return mc_error_out_of_memory(error);
    return MC_OK;
}

// The builder's table becomes the trace's.
static void take_metrics(finish *f) {
    mc_metrics *metrics = &f->builder->metrics;
    for (mc_metric metric = MC_METRIC_FIRST_OWN; metric < metrics->count; metric++) {
        uint64_t largest = 0;
        for (int i = 0; i < MC_BUILDER_THREADS_MAX; i++)
            if (f->workers[i].largest[metric] > largest) largest = f->workers[i].largest[metric];
        mc_metric_info *info = &metrics->items[metric];
        if (info->is_real) info->scale = mc_metric_choose_scale(mc_metric_unpack(largest));
    }
    f->trace->metrics = *metrics;
    memset(metrics, 0, sizeof *metrics);
}

static mc_result run(finish *f, mc_error *error) {
    mc_trace_builder *builder = f->builder;
    mc_result result = mc_node_order_init(&f->nodes, builder, f->trace, error);
    if (result != MC_OK) return result;
    // What only looking nodes up needs goes first.
    mc_slots_deinit(&builder->slots);
    mc_free(builder->values);
    mc_free(builder->step_nodes);
    builder->values = NULL;
    builder->step_nodes = NULL;
    mc_strings_forget_slots(&builder->strings);
    if (!find_self_nodes(f)) return mc_error_out_of_memory(error);
    tell_contradictions(builder);
    result = mc_node_order_run(&f->nodes, error);
    if (result != MC_OK) return result;
    f->leaf_index = mc_node_order_list_leaves(&f->nodes);
    if (!f->leaf_index) return mc_error_out_of_memory(error);
    mc_free(builder->nodes); // the trace has them now
    mc_free(builder->places);
    builder->nodes = NULL;
    builder->places = NULL;
    return renumber_steps(f, error);
}

mc_result mc_trace_builder_finish(mc_trace_builder *builder, mc_trace **trace, mc_error *error) {
    *trace = NULL;
    if (builder->step_count == 0) return mc_fail(error, MC_ERROR_BAD_DATA, "a trace needs a step");
    if (builder->renamed_count > 0)
        mc_log_write(builder->log, MC_LOG_WARNING, MC_WARNING_RENAMED, builder->renamed_count);
    finish f = {.builder = builder, .trace = mc_alloc_zero(1, sizeof(mc_trace))};
    if (!f.trace) return mc_error_out_of_memory(error);
    f.trace->source = &mc_steps_in_memory;
    mc_result result = run(&f, error);
    if (result == MC_OK) result = take_paths(&f, error);
    if (result == MC_OK) result = take_owners(&f, error);
    finish_deinit(&f);
    if (result != MC_OK) {
        mc_trace_destroy(f.trace);
        return result;
    }
    take_metrics(&f);
    f.trace->key_kind = builder->key_kind;
    f.trace->has_references = builder->has_references;
    f.trace->has_referrers = builder->has_referrers;
    f.trace->has_paths = builder->has_paths;
    f.trace->has_owners = builder->has_owners;
    f.trace->strings = builder->strings;
    memset(&builder->strings, 0, sizeof builder->strings);
    mc_strings_seal(&f.trace->strings);
    *trace = f.trace;
    return MC_OK;
}
