#include "engine/analyze/gate_parts.h"

#include "engine/base/memory.h"

typedef struct search {
    const mc_gate *gate;
    const mc_trace *pair;
    mc_gate_parts *parts;
    // Per node of the pair the first of its findings, per finding the next of the same node: names
    // that are folded to one may have several.
    uint32_t *first, *next;
} search;

static mc_result begin(search *self, mc_error *error) {
    uint32_t node_count = mc_trace_get_nodes(self->pair)->count, count = self->gate->count;
    self->first = mc_alloc(node_count, sizeof *self->first);
    self->next = mc_alloc(count, sizeof *self->next);
    self->parts->lists = mc_alloc_zero(count, sizeof *self->parts->lists);
    if (!self->first || !self->next || !self->parts->lists) return mc_error_out_of_memory(error);
    self->parts->count = count;
    for (uint32_t node = 0; node < node_count; node++)
        self->first[node] = MC_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const mc_gate_finding *finding = &self->gate->findings[i];
        uint32_t node = mc_versus_find_node(self->pair, MC_AFTER, finding->node);
        mc_gate_part_list *list = &self->parts->lists[i];
        list->node = node;
        list->was_node = finding->is_moved ? finding->base_node : MC_NONE;
        self->next[i] = self->first[node];
        self->first[node] = i;
    }
    return MC_OK;
}

static bool add_item(mc_gate_part_list *list, const mc_diff_entry *entry) {
    if (!list->items) list->items = mc_alloc(MC_GATE_PART_MAX, sizeof *list->items);
    if (!list->items) return false;
    if (list->count < MC_GATE_PART_MAX) list->items[list->count] = *entry;
    list->count++;
    return true;
}

// Of the findings that it is in, those of the metric get it.
static bool add_entry(search *self, mc_metric metric, const mc_diff_entry *entry) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->pair);
    for (uint32_t node = entry->node; node > 0;) {
        node = nodes->parent[node];
        for (uint32_t i = self->first[node]; i != MC_NONE; i = self->next[i])
            if (self->gate->findings[i].metric == metric &&
                !add_item(&self->parts->lists[i], entry))
                return false;
    }
    return true;
}

static mc_result add_metric(search *self, const mc_gate_desc *desc, mc_metric metric,
                            const mc_progress *progress, mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(desc->trace, metric);
    mc_diff_desc wanted = {.trace = self->pair,
                           .metric = mc_trace_find_metric(self->pair, info->key),
                           .window = {[MC_BEFORE] = desc->base_window, [MC_AFTER] = desc->window},
                           .is_growth = info->kind != MC_METRIC_FLOW};
    mc_diff diff = {.count = 0};
    if (wanted.metric == MC_NONE) return MC_OK; // more than a pair has room for
    mc_result result = mc_diff_compute(&wanted, progress, &diff, error);
    for (uint32_t i = 0; i < diff.count && result == MC_OK; i++)
        if (diff.entries[i].difference > 0 && !add_entry(self, metric, &diff.entries[i]))
            result = mc_error_out_of_memory(error);
    mc_diff_deinit(&diff);
    return result;
}

static bool has_finding(const mc_gate *gate, mc_metric metric) {
    for (uint32_t i = 0; i < gate->count; i++)
        if (gate->findings[i].metric == metric) return true;
    return false;
}

mc_result mc_gate_parts_find(const mc_gate_desc *desc, const mc_gate *gate, const mc_trace *pair,
                             const mc_progress *progress, mc_gate_parts *parts, mc_error *error) {
    search self = {.gate = gate, .pair = pair, .parts = parts};
    mc_result result = begin(&self, error);
    uint32_t metric_count = mc_trace_get_metric_count(desc->trace);
    for (mc_metric metric = 0; metric < metric_count && result == MC_OK; metric++)
        if (has_finding(gate, metric)) result = add_metric(&self, desc, metric, progress, error);
    mc_free(self.first);
    mc_free(self.next);
    if (result != MC_OK) mc_gate_parts_deinit(parts);
    return result;
}

void mc_gate_parts_deinit(mc_gate_parts *parts) {
    for (uint32_t i = 0; i < parts->count; i++)
        mc_free(parts->lists[i].items);
    mc_free(parts->lists);
    *parts = (mc_gate_parts){.count = 0};
}
