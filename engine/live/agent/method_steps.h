// method_steps.h - turns an agent's method events into steps: which methods ran, by package, class,
// method and thread.
//
// The trace is like those made from profiles of other tools (import/collapsed): flows, `time` in ms
// of the method itself, and `calls` if they were counted, or `samples` if stacks were sampled. A
// step consists of whole batches and is made as often as requested; its time is the agent's.
// Threads of the same name are distinguished by number. Memory: the groups. Threads: one object,
// one thread.
#pragma once
#include "engine/live/agent/agent_names.h"
#include "engine/trace/step_tree.h"

#define MC_METHOD_METRIC_TIME "time"
#define MC_METHOD_METRIC_CALLS "calls"

typedef struct mc_method_desc {
    const mc_agent_names *names; // outlives the steps, and takes events first
    uint64_t every_ns;           // at least; a batch is never split
} mc_method_desc;

typedef struct mc_method_steps mc_method_steps;

mc_result mc_method_steps_create(const mc_method_desc *desc, mc_method_steps **steps,
                                 mc_error *error);
void mc_method_steps_destroy(mc_method_steps *steps); // NULL is fine

// Whether a step is due before `event` is taken. Call it for events of every kind.
bool mc_method_steps_is_due(const mc_method_steps *steps, const mc_agent_event *event);
// Likewise, when no more events are available: what has arrived is complete, as far as one can
// tell.
bool mc_method_steps_is_due_now(const mc_method_steps *steps);
// Whether there is data that is in no step yet, at the end.
bool mc_method_steps_has_rest(const mc_method_steps *steps);
// Takes a HELLO or TIME; other events are ignored. MC_ERROR_BAD_DATA: sums are too large, times are
// invalid, or they are measured in another way than before.
mc_result mc_method_steps_take(mc_method_steps *steps, const mc_agent_event *event,
                               mc_error *error);
// Fills a step's tree, including its time, which is later than that of any earlier step. O(groups).
// Only after a TIME was taken.
mc_result mc_method_steps_fill_tree(mc_method_steps *steps, mc_step_tree *tree, mc_error *error);
