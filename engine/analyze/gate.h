// gate.h - finds the groups of a trace that grow faster than rules allow, and faster than in a base
// trace.
//
// A group is judged by the first rule that matches it; if a rule matches a group and one within it,
// the inner one is judged. Only groups that keep growing count (growth.h). Their rate is the robust
// slope over the window or, if larger, the growth that remains at the end divided by the window's
// length. In a window of fewer than 5 steps nobody can tell whether growth goes on, so the slope
// alone counts. Growth up to that of the base plus a tenth is known and passes, wherever in the
// base the group was. A limit in bytes applies to the requested metric if that is in bytes, else to
// bytes; a limit without unit applies to the requested metric if that has another unit, else to
// objects. Threads: any, on separate objects.
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
    bool *rule_matches;    // per rule: it matches a group, though an earlier one may have taken it
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
    uint32_t rule_count; // at most MC_RULES_MAX
} mc_gate_desc;

mc_result mc_gate_judge(const mc_gate_desc *desc, mc_gate *gate, const mc_progress *progress,
                        mc_error *error);
void mc_gate_deinit(mc_gate *gate);

typedef enum mc_gate_outcome {
    MC_GATE_PASSED,
    MC_GATE_FAILED,
    MC_GATE_NO_GROUP, // not judged: no rule has a group
    MC_GATE_FEW_STEPS // not judged: too few steps to tell growth from chance, and none fails
} mc_gate_outcome;

// Strict: what the base did as well fails. `takes_few_steps`: a window of few steps may pass.
mc_gate_outcome mc_gate_conclude(const mc_gate_desc *desc, const mc_gate *gate, bool is_strict,
                                 bool takes_few_steps);
