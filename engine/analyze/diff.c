#include "engine/analyze/diff.h"

#include "engine/analyze/diff_chance.h"
#include "engine/base/memory.h"
#include <math.h>
#include <stdlib.h>

const char *const mc_diff_state_names[] = {"both", "new", "gone"};

typedef struct side_values {
    uint64_t *first, *value; // per node
} side_values;

void mc_diff_deinit(mc_diff *diff) {
    mc_free(diff->entries);
    *diff = (mc_diff){.count = 0};
}

static void add_column(const mc_trace *trace, const mc_metric_info *info, const uint64_t *from,
                       uint64_t *sum) {
    for (uint32_t node = 0; node < mc_trace_get_nodes(trace)->count; node++) {
        if (from[node] == MC_COUNT_UNKNOWN) continue;
        sum[node] =
            sum[node] == MC_COUNT_UNKNOWN ? from[node] : mc_metric_add(info, sum[node], from[node]);
    }
}

// Of a flow the sum over the window, whose first step's values are in `first`.
static mc_result sum_up(const mc_diff_desc *desc, mc_versus_side side, side_values *values,
                        const mc_progress *progress, mc_error *error) {
    const mc_trace *trace = desc->trace;
    const mc_metric_info *info = mc_trace_get_metric(trace, desc->metric);
    uint32_t count = mc_trace_get_nodes(trace)->count;
    mc_step_range window = desc->window[side];
    uint64_t *column = mc_alloc(count, sizeof *column);
    mc_result result = column ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t node = 0; node < count && column; node++)
        values->value[node] = values->first[node];
    for (uint32_t step = window.first_step + 1; step <= window.last_step && result == MC_OK;
         step++) {
        result = mc_versus_read_column(trace, side, step, desc->metric, column, error);
        if (result == MC_OK) add_column(trace, info, column, values->value);
        if (!mc_progress_report(progress, step - window.first_step,
                                window.last_step - window.first_step))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    mc_free(column);
    return result;
}

static mc_result read_side(const mc_diff_desc *desc, mc_versus_side side, side_values *values,
                           const mc_progress *progress, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(desc->trace)->count;
    mc_step_range window = desc->window[side];
    values->first = mc_alloc(count, sizeof *values->first);
    values->value = mc_alloc(count, sizeof *values->value);
    if (!values->first || !values->value) return mc_error_out_of_memory(error);
    mc_result result = mc_versus_read_column(desc->trace, side, window.first_step, desc->metric,
                                             values->first, error);
    if (result != MC_OK) return result;
    if (mc_trace_get_metric(desc->trace, desc->metric)->kind == MC_METRIC_FLOW)
        return sum_up(desc, side, values, progress, error);
    return mc_versus_read_column(desc->trace, side, window.last_step, desc->metric, values->value,
                                 error);
}

static mc_diff_state get_state(const mc_trace *trace, uint32_t node) {
    if (!mc_versus_has_node(trace, MC_BEFORE, node)) return MC_DIFF_NEW;
    return mc_versus_has_node(trace, MC_AFTER, node) ? MC_DIFF_BOTH : MC_DIFF_GONE;
}

static double get_difference(const mc_diff_desc *desc, const mc_diff_entry *entry) {
    const mc_metric_info *info = mc_trace_get_metric(desc->trace, desc->metric);
    // Whole numbers beyond 2^53 still differ by what they differ by.
    if (!info->is_real && !desc->is_growth) {
        uint64_t after = entry->value[MC_AFTER], before = entry->value[MC_BEFORE];
        if (after == MC_COUNT_UNKNOWN) after = 0;
        if (before == MC_COUNT_UNKNOWN) before = 0;
        return after >= before ? (double)(after - before) : -(double)(before - after);
    }
    double side[MC_VERSUS_SIDES];
    for (uint32_t i = 0; i < MC_VERSUS_SIDES; i++) {
        side[i] = mc_metric_get_number(info, entry->value[i]);
        if (desc->is_growth) side[i] -= mc_metric_get_number(info, entry->first[i]);
    }
    return side[MC_AFTER] - side[MC_BEFORE];
}

// What one side alone has, and nobody knows how much of, is news all the same.
static mc_diff_kind get_kind(const mc_diff_entry *entry) {
    bool is_unknown =
        entry->value[MC_BEFORE] == MC_COUNT_UNKNOWN || entry->value[MC_AFTER] == MC_COUNT_UNKNOWN;
    if (entry->difference == 0 && (entry->state == MC_DIFF_BOTH || !is_unknown))
        return MC_DIFF_KIND_SAME;
    if (entry->state == MC_DIFF_NEW) return MC_DIFF_KIND_NEW;
    if (entry->state == MC_DIFF_GONE) return MC_DIFF_KIND_GONE;
    return entry->difference > 0 ? MC_DIFF_KIND_GREW : MC_DIFF_KIND_SHRANK;
}

static int compare_entries(const void *a, const void *b) {
    const mc_diff_entry *x = a, *y = b;
    double p = fabs(x->difference), q = fabs(y->difference);
    if (p != q) return p > q ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static void leave_to_chance(const mc_diff_chance *chance, mc_diff *diff, mc_diff_entry *entry) {
    if (entry->kind != MC_DIFF_KIND_NEW && entry->kind != MC_DIFF_KIND_GONE) return;
    mc_versus_side side = entry->kind == MC_DIFF_KIND_NEW ? MC_AFTER : MC_BEFORE;
    if (!mc_diff_chance_explains(chance, side, entry->node)) return;
    entry->kind = MC_DIFF_KIND_CHANCE;
    diff->chance_counts[side]++;
    diff->most_by_chance = fmax(diff->most_by_chance, chance->samples[side][entry->node]);
}

static mc_result list_entries(const mc_diff_desc *desc, const side_values *sides,
                              const mc_diff_chance *chance, mc_diff *diff, mc_error *error) {
    const mc_trace *trace = desc->trace;
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    diff->entries = mc_alloc(nodes->leaf_count, sizeof *diff->entries);
    bool fits = diff->entries != NULL;
    for (uint32_t node = 0; node < nodes->count && fits; node++) {
        if (nodes->child_count[node] > 0) continue;
        mc_diff_entry *entry = &diff->entries[diff->count++];
        *entry = (mc_diff_entry){.node = node, .state = get_state(trace, node)};
        entry->is_moved = entry->state == MC_DIFF_BOTH && mc_versus_find_move(trace, node, NULL);
        for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
            entry->first[side] = sides[side].first[node];
            entry->value[side] = sides[side].value[node];
        }
        entry->difference = get_difference(desc, entry);
        entry->kind = get_kind(entry);
        leave_to_chance(chance, diff, entry);
        diff->kind_counts[entry->kind]++;
    }
    for (uint32_t side = 0; side < MC_VERSUS_SIDES && fits; side++)
        diff->total[side] = sides[side].value[0];
    if (fits) qsort(diff->entries, diff->count, sizeof *diff->entries, compare_entries);
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_diff_compute(const mc_diff_desc *desc, const mc_progress *progress, mc_diff *diff,
                          mc_error *error) {
    side_values sides[MC_VERSUS_SIDES] = {{NULL, NULL}};
    *diff = (mc_diff){.count = 0};
    mc_result result = MC_OK;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES && result == MC_OK; side++)
        result = read_side(desc, side, &sides[side], progress, error);
    mc_diff_chance chance = {.is_known = false};
    if (result == MC_OK)
        result =
            mc_diff_chance_init(&chance, desc->trace, desc->metric, desc->window, progress, error);
    diff->is_sampled = chance.is_known;
    diff->seen_count = chance.group_count;
    if (result == MC_OK) result = list_entries(desc, sides, &chance, diff, error);
    mc_diff_chance_deinit(&chance);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        mc_free(sides[side].first);
        mc_free(sides[side].value);
    }
    if (result != MC_OK) mc_diff_deinit(diff);
    return result;
}
