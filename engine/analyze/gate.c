#include "engine/analyze/gate.h"

#include "engine/analyze/gate_match.h"
#include "engine/base/memory.h"
#include "engine/trace/versus/versus.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BASE_TOLERANCE 1.1
#define BATCH_BYTES ((size_t)64 << 20) // of values that are held at a time

typedef struct judge {
    const mc_gate_desc *desc;
    mc_gate *gate;
    mc_error *error;
    uint8_t *rule_of;     // per node: the first rule that matches; MC_RULES_MAX: none
    uint64_t *below;      // per node: the rules that match something within
    uint32_t *base_nodes; // per node; MC_NONE: not in the base
    uint32_t *pair_nodes; // per node: of the pair, whose values are the base's; MC_NONE: none
    uint8_t *is_moved;    // per node: its node of the base has another full key
    uint32_t *nodes, *partners;
    mc_trend *trends, *base_trends;
    uint32_t *base_list;
} judge;

void mc_gate_deinit(mc_gate *gate) {
    mc_free(gate->findings);
    mc_free(gate->rule_judged);
    mc_free(gate->rule_failed);
    mc_free(gate->rule_matches);
    memset(gate, 0, sizeof *gate);
}

static void judge_deinit(judge *self) {
    mc_free(self->rule_of);
    mc_free(self->below);
    mc_free(self->base_nodes);
    mc_free(self->pair_nodes);
    mc_free(self->is_moved);
    mc_free(self->nodes);
    mc_free(self->partners);
    mc_free(self->trends);
    mc_free(self->base_trends);
    mc_free(self->base_list);
}

static mc_result allocate(judge *self) {
    mc_gate *gate = self->gate;
    uint32_t count = mc_trace_get_nodes(self->desc->trace)->count;
    self->rule_of = mc_alloc(count, 1);
    self->below = mc_alloc_zero(count, sizeof *self->below);
    self->base_nodes = mc_alloc(count, sizeof *self->base_nodes);
    self->pair_nodes = mc_alloc(count, sizeof *self->pair_nodes);
    self->is_moved = mc_alloc_zero(count, 1);
    self->nodes = mc_alloc(count, sizeof *self->nodes);
    self->partners = mc_alloc(count, sizeof *self->partners);
    self->trends = mc_alloc(count, sizeof *self->trends);
    self->base_trends = mc_alloc_zero(count, sizeof *self->base_trends);
    self->base_list = mc_alloc(count, sizeof *self->base_list);
    gate->findings = mc_alloc(count, sizeof *gate->findings);
    gate->rule_judged = mc_alloc_zero((size_t)self->desc->rule_count + 1, sizeof(uint32_t));
    gate->rule_failed = mc_alloc_zero((size_t)self->desc->rule_count + 1, sizeof(uint32_t));
    gate->rule_matches = mc_alloc_zero((size_t)self->desc->rule_count + 1, sizeof(bool));
    bool is_fine = self->rule_of && self->below && self->base_nodes && self->pair_nodes &&
                   self->is_moved && self->nodes && self->partners && self->trends &&
                   self->base_trends && self->base_list && gate->findings && gate->rule_judged &&
                   gate->rule_failed && gate->rule_matches;
    return is_fine ? MC_OK : mc_error_out_of_memory(self->error);
}

// ---- which groups are judged by which rule

static mc_result match_rules(judge *self, const mc_progress *progress) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->desc->trace);
    mc_result result =
        mc_gate_match_rules(self->desc->trace, self->desc->rules, self->desc->rule_count,
                            self->rule_of, self->gate->rule_matches, progress, self->error);
    if (result != MC_OK) return result;
    for (uint32_t node = nodes->count; node-- > 1;) {
        uint64_t own = self->rule_of[node] < MC_RULES_MAX ? (uint64_t)1 << self->rule_of[node] : 0;
        self->below[nodes->parent[node]] |= self->below[node] | own;
    }
    return MC_OK;
}

static mc_result find_moved(judge *self) {
    uint32_t count = mc_trace_get_nodes(self->desc->trace)->count;
    for (uint32_t node = 0; node < count; node++)
        self->is_moved[node] = self->base_nodes[node] == MC_NONE;
    mc_result result = mc_gate_find_moved(self->desc->trace, self->desc->base, self->desc->pair,
                                          self->base_nodes, self->pair_nodes, self->error);
    for (uint32_t node = 0; node < count; node++)
        self->is_moved[node] &= self->base_nodes[node] != MC_NONE;
    return result;
}

static bool is_judged(const judge *self, uint32_t node) {
    uint8_t rule = self->rule_of[node];
    return rule < MC_RULES_MAX && !(self->below[node] >> rule & 1);
}

// ---- judging

static double get_window_s(const mc_trace *trace, mc_step_range window) {
    return (double)mc_step_range_get_duration_ms(trace, window) * 1e-3;
}

static uint32_t count_steps(mc_step_range window) {
    return window.last_step - window.first_step + 1;
}

static bool grows(const mc_trend *trend, mc_step_range window) {
    if (count_steps(window) < MC_GROWTH_LEAST_POINTS) return trend->slope_per_s > 0;
    return trend->direction > 0;
}

// What began late has no slope over most pairs of steps, but what stays of it, spread over all.
static double get_rate(const mc_trend *trend, double window_s) {
    double spread = window_s > 0 ? (double)trend->growth.amount / window_s : 0;
    return fmax(trend->slope_per_s, trend->direction > 0 ? spread : 0);
}

static int compare_values(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

// `values`: words of the window's steps; they are sorted. The median is that of the known ones.
static void describe(mc_gate_finding *finding, const mc_metric_info *info, uint64_t *values,
                     uint32_t count) {
    finding->first = values[0];
    finding->last = values[count - 1];
    qsort(values, count, sizeof *values, compare_values); // unknown ones are the largest words
    while (count > 1 && values[count - 1] == MC_COUNT_UNKNOWN)
        count--;
    uint32_t middle = count / 2;
    finding->median = mc_metric_get_number(info, values[middle]);
    if (count % 2 == 0)
        finding->median = (finding->median + mc_metric_get_number(info, values[middle - 1])) / 2;
}

// The metric in the base, MC_NONE if that lacks it.
static mc_metric get_base_metric(const judge *self, mc_metric metric) {
    return metric < MC_METRIC_FIRST_OWN ? metric : self->desc->base_metric;
}

static double get_base_rate(const judge *self, mc_metric metric, const mc_trend *trend,
                            double window_s) {
    mc_metric base_metric = get_base_metric(self, metric);
    if (base_metric == MC_NONE) return 0;
    return mc_metric_scale_back(mc_trace_get_metric(self->desc->base, base_metric),
                                get_rate(trend, window_s));
}

static void judge_node(judge *self, uint32_t index, mc_metric metric, uint64_t *values) {
    const mc_gate_desc *desc = self->desc;
    mc_gate *gate = self->gate;
    uint32_t node = self->nodes[index];
    mc_gate_finding finding = {.node = node,
                               .base_node = self->base_nodes[node],
                               .is_moved = self->is_moved[node],
                               .rule = self->rule_of[node],
                               .metric = metric,
                               .trend = self->trends[index],
                               .base_trend = self->base_trends[index]};
    uint32_t step_count = desc->window.last_step - desc->window.first_step + 1;
    double window_s = get_window_s(desc->trace, desc->window);
    const mc_metric_info *info = mc_trace_get_metric(desc->trace, metric);
    describe(&finding, info, values, step_count);
    finding.rate_per_s = mc_metric_scale_back(info, get_rate(&finding.trend, window_s));
    finding.allowed_per_s =
        mc_rule_get_allowed_per_s(&desc->rules[finding.rule], finding.median, window_s, step_count);
    if (finding.base_node != MC_NONE && grows(&finding.base_trend, desc->base_window))
        finding.base_rate_per_s = get_base_rate(self, metric, &finding.base_trend,
                                                get_window_s(desc->base, desc->base_window));
    if (finding.rate_per_s <= finding.allowed_per_s) return;
    bool failed =
        finding.rate_per_s - finding.base_rate_per_s * BASE_TOLERANCE > finding.allowed_per_s;
    finding.verdict = failed ? MC_VERDICT_FAILED : MC_VERDICT_KNOWN;
    gate->failed_count += failed;
    gate->rule_failed[finding.rule] += failed;
    gate->findings[gate->count++] = finding;
}

// Groups that grow, by their place in self->nodes, in batches: a column of a file is read once for
// all groups of a batch.
static mc_result judge_batch(judge *self, mc_metric metric, const uint32_t *places, uint32_t count,
                             uint64_t *values, const mc_progress *progress) {
    mc_step_range window = self->desc->window;
    uint32_t step_count = window.last_step - window.first_step + 1;
    uint32_t *batch = self->base_list; // not needed any more
    for (uint32_t i = 0; i < count; i++)
        batch[i] = self->nodes[places[i]];
    uint64_t *series = values + (size_t)count * step_count;
    for (uint32_t step = 0; step < step_count; step++) {
        if (!mc_progress_report(progress, step, step_count))
            return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
        mc_result result =
            mc_trace_read_values(self->desc->trace, window.first_step + step, metric, batch, count,
                                 values + (size_t)step * count, self->error);
        if (result != MC_OK) return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t step = 0; step < step_count; step++)
            series[step] = values[(size_t)step * count + i];
        judge_node(self, places[i], metric, series);
    }
    return MC_OK;
}

static mc_result judge_growing(judge *self, mc_metric metric, uint32_t count,
                               const mc_progress *progress) {
    mc_step_range window = self->desc->window;
    size_t step_count = (size_t)window.last_step - window.first_step + 1;
    uint32_t *places = self->partners, growing_count = 0; // not needed any more
    for (uint32_t i = 0; i < count; i++)
        if (grows(&self->trends[i], window)) places[growing_count++] = i;
    if (growing_count == 0) return MC_OK;
    size_t most = BATCH_BYTES / (step_count * sizeof(uint64_t));
    if (most < 1) most = 1;
    if (most > growing_count) most = growing_count;
    uint64_t *values = mc_alloc((most + 1) * step_count, sizeof *values);
    mc_result result = values ? MC_OK : mc_error_out_of_memory(self->error);
    for (uint32_t at = 0; at < growing_count && result == MC_OK; at += (uint32_t)most) {
        uint32_t rest = growing_count - at;
        result = judge_batch(self, metric, places + at, rest < most ? rest : (uint32_t)most, values,
                             progress);
    }
    mc_free(values);
    return result;
}

// The metric of the pair as the base has it, where its words are those of the base; else MC_NONE.
static mc_metric get_pair_metric(const judge *self, mc_metric metric) {
    const mc_gate_desc *desc = self->desc;
    mc_metric base_metric = get_base_metric(self, metric);
    if (!desc->pair || base_metric == MC_NONE) return MC_NONE;
    const mc_metric_info *base = mc_trace_get_metric(desc->base, base_metric);
    mc_metric found = mc_trace_find_metric(desc->pair, base->key);
    if (found == MC_NONE) return MC_NONE; // more than a pair has room for
    const mc_metric_info *info = mc_trace_get_metric(desc->pair, found);
    bool is_same = info->is_real == base->is_real && info->scale == base->scale;
    return is_same ? mc_versus_get_metric(desc->pair, found, MC_VERSUS_BEFORE) : MC_NONE;
}

// Trends of `count` nodes of `trace`, by their places in `base_list`, go where `partners` say.
static mc_result compute_listed(judge *self, const mc_trace *trace, mc_metric metric,
                                mc_step_range window, uint32_t count) {
    mc_trend *trends = mc_alloc(count, sizeof *trends);
    if (!trends) return mc_error_out_of_memory(self->error);
    mc_result result = mc_trend_compute_nodes(trace, metric, window, self->base_list, count, trends,
                                              NULL, self->error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        self->base_trends[self->partners[i]] = trends[i];
    mc_free(trends);
    return result;
}

// The trends of the base go to the same places as those of the trace. Of what was moved, the pair
// has the base's values; its steps are those of the base's window.
static mc_result compute_base_trends(judge *self, mc_metric metric, uint32_t count) {
    const mc_gate_desc *desc = self->desc;
    mc_metric base_metric = get_base_metric(self, metric);
    mc_metric pair_metric = get_pair_metric(self, metric);
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < count; i++)
        self->base_trends[i] = (mc_trend){.p_value = 1};
    for (uint32_t is_pair = 0; is_pair < 2 && base_metric != MC_NONE && result == MC_OK;
         is_pair++) {
        uint32_t listed = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t node = self->nodes[i], base_node = self->base_nodes[node];
            bool is_of_pair = pair_metric != MC_NONE && self->pair_nodes[node] != MC_NONE;
            if (base_node == MC_NONE || is_of_pair != is_pair) continue;
            self->base_list[listed] = is_pair ? self->pair_nodes[node] : base_node;
            self->partners[listed++] = i;
        }
        if (listed == 0) continue;
        result = is_pair ? compute_listed(self, desc->pair, pair_metric,
                                          mc_step_range_whole(desc->pair), listed)
                         : compute_listed(self, desc->base, base_metric, desc->base_window, listed);
    }
    return result;
}

static mc_metric choose_metric(const mc_gate_desc *desc, const mc_rule *rule) {
    bool has_bytes = mc_trace_get_metric(desc->trace, desc->metric)->unit == MC_UNIT_BYTES;
    if (!rule->has_unit || has_bytes == (rule->unit == MC_UNIT_BYTES)) return desc->metric;
    return has_bytes ? MC_METRIC_OBJECTS : MC_METRIC_BYTES;
}

static mc_result judge_metric(judge *self, mc_metric metric, const mc_progress *progress) {
    const mc_gate_desc *desc = self->desc;
    const mc_node_columns *nodes = mc_trace_get_nodes(desc->trace);
    uint32_t count = 0;
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (!is_judged(self, node)) continue;
        const mc_rule *rule = &desc->rules[self->rule_of[node]];
        if (choose_metric(desc, rule) != metric) continue;
        self->gate->rule_judged[self->rule_of[node]]++;
        if (!rule->allows_any) self->nodes[count++] = node;
    }
    self->gate->judged_count += count;
    if (count == 0) return MC_OK;
    mc_result result = mc_trend_compute_nodes(desc->trace, metric, desc->window, self->nodes, count,
                                              self->trends, progress, self->error);
    if (result == MC_OK) result = compute_base_trends(self, metric, count);
    return result == MC_OK ? judge_growing(self, metric, count, progress) : result;
}

// By what there is too much of it by the window's end, in the metric's unit.
static int compare_findings(const void *a, const void *b) {
    const mc_gate_finding *x = a, *y = b;
    if (x->verdict != y->verdict) return x->verdict == MC_VERDICT_FAILED ? -1 : 1;
    if (x->metric != y->metric)
        return x->metric == MC_METRIC_BYTES   ? -1
               : y->metric == MC_METRIC_BYTES ? 1
               : x->metric < y->metric        ? -1
                                              : 1;
    double left = x->rate_per_s - x->allowed_per_s;
    double right = y->rate_per_s - y->allowed_per_s;
    if (left != right) return left > right ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

mc_result mc_gate_judge(const mc_gate_desc *desc, mc_gate *gate, const mc_progress *progress,
                        mc_error *error) {
    judge self = {.desc = desc, .gate = gate, .error = error};
    assert(desc->rule_count <= MC_RULES_MAX);
    memset(gate, 0, sizeof *gate);
    mc_result result = allocate(&self);
    if (result == MC_OK) result = match_rules(&self, progress);
    if (result == MC_OK)
        result = mc_gate_find_in_base(desc->trace, desc->base, self.base_nodes, progress, error);
    if (result == MC_OK) result = find_moved(&self);
    if (result == MC_OK) result = judge_metric(&self, MC_METRIC_OBJECTS, progress);
    if (result == MC_OK) result = judge_metric(&self, MC_METRIC_BYTES, progress);
    if (result == MC_OK && desc->metric >= MC_METRIC_FIRST_OWN)
        result = judge_metric(&self, desc->metric, progress);
    if (result == MC_OK && gate->count > 1)
        qsort(gate->findings, gate->count, sizeof *gate->findings, compare_findings);
    judge_deinit(&self);
    if (result != MC_OK) mc_gate_deinit(gate);
    return result;
}

// A rule that allows any growth needs no steps.
mc_gate_outcome mc_gate_conclude(const mc_gate_desc *desc, const mc_gate *gate, bool is_strict,
                                 bool takes_few_steps) {
    bool has_group = false;
    if (is_strict ? gate->count > 0 : gate->failed_count > 0) return MC_GATE_FAILED;
    for (uint32_t i = 0; i < desc->rule_count; i++)
        has_group |= gate->rule_judged[i] > 0;
    if (!has_group) return MC_GATE_NO_GROUP;
    bool is_short = count_steps(desc->window) < MC_GROWTH_LEAST_POINTS;
    return is_short && !takes_few_steps && gate->judged_count > 0 ? MC_GATE_FEW_STEPS
                                                                  : MC_GATE_PASSED;
}
