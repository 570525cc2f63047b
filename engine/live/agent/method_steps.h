// method_steps.h - what an agent says of methods, as steps: who ran, by package, class, method and
// thread.
//
// The same trace that profiles of other tools become (import/collapsed): flows, `time` in ms, of
// the method itself, and `calls` where they were counted, or `samples` where stacks were taken. A
// step is of whole batches, as often as is wanted; its time is the agent's. Threads of one name are
// told apart by number. Memory: the groups. Threads: one object, one thread.
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

// Whether a step is to be made before `event` is taken. Of every kind of event.
bool mc_method_steps_is_due(const mc_method_steps *steps, const mc_agent_event *event);
// Likewise, where nothing more is there to be taken: what came is whole, as far as one can tell.
bool mc_method_steps_is_due_now(const mc_method_steps *steps);
// Whether there is something that no step has yet, at the end.
bool mc_method_steps_has_rest(const mc_method_steps *steps);
// Takes a HELLO or TIME; others are no business of this. MC_ERROR_BAD_DATA: sums are too large,
// times are none, or are measured in another way than before.
mc_result mc_method_steps_take(mc_method_steps *steps, const mc_agent_event *event,
                               mc_error *error);
// Fills a step's tree, time included: later than that of any step before. O(groups). Only after a
// TIME was taken.
mc_result mc_method_steps_fill_tree(mc_method_steps *steps, mc_step_tree *tree, mc_error *error);
