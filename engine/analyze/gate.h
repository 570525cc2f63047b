// gate.h - which groups of a trace grow faster than rules allow, and than they did in another one.
//
// A group is judged by the first rule that matches it; where a rule matches a group and one within
// it, the inner one is judged. Only what keeps growing counts (growth.h), by the robust slope over
// the window, or by what stays of it at the end spread over the window, if that is more; in a
// window of fewer than 5 steps nobody can say what goes on, there the slope alone counts. What the
// base has grown by, and a tenth of that, is no news, wherever it was there. A limit in bytes goes
// with the metric that is asked for if that has bytes, else with bytes; a plain one with it if it
// has other units, else with objects. Threads: any, on separate objects.
#pragma once
#include "engine/analyze/rule.h"
#include "engine/analyze/trend.h"

typedef enum mc_verdict {
    MC_VERDICT_KNOWN, // faster than allowed, but no faster than the base
    MC_VERDICT_FAILED
} mc_verdict;

typedef struct mc_gate_finding {
    uint32_t node, base_node; // base_node: in the base; MC_NONE: it is not there
    bool is_moved;            // base_node has another full key: it, or what it is in, was moved
    uint32_t rule;
    mc_metric metric;
    mc_verdict verdict;
    mc_trend trend, base_trend;
    // In the metric's own unit, unlike the trends; base: 0 if it does not keep growing.
    double rate_per_s, base_rate_per_s, allowed_per_s;
    uint64_t first, last; // words
    double median;
} mc_gate_finding;

typedef struct mc_gate {
    mc_gate_finding *findings; // failed ones first, bytes first, then by how far beyond the rule
    uint32_t count, failed_count;
    uint32_t judged_count; // groups
    uint32_t *rule_judged; // per rule
    uint32_t *rule_failed; // per rule
} mc_gate;

typedef struct mc_gate_desc {
    const mc_trace *trace, *base; // base: NULL: there is none
    // Both as one (engine/trace/versus), whose steps are those of `base_window`: what was moved,
    // and what it was moved into or out of, is compared with what the base had of the same. NULL:
    // full keys alone say what is the same.
    const mc_trace *pair;
    mc_step_range window, base_window;
    mc_metric metric;      // of rules that go with any
    mc_metric base_metric; // the same one in the base; MC_NONE: the base lacks it
    const mc_rule *rules;
    uint32_t rule_count; // at most MC_GATE_RULE_MAX
} mc_gate_desc;

#define MC_GATE_RULE_MAX 64

mc_result mc_gate_judge(const mc_gate_desc *desc, mc_gate *gate, const mc_progress *progress,
                        mc_error *error);
void mc_gate_deinit(mc_gate *gate);
