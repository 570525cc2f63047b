// site_steps.h - what an agent says of allocations, as steps: who is alive, by type and by where it
// was allocated.
//
// A leaf is a type, a call path and a thread: Type, with a domain Domain (the closest frame of a
// class that a pattern names), Site (the innermost frame), Caller (a level each further frame),
// Thread. Metrics beside objects and bytes: `allocated`, bytes since the step before (a flow), and,
// if only samples were taken, `variance` of the bytes, in bytes squared. A step is of whole
// batches, at each collection and at least as often as was asked for; its time is the agent's.
// Memory: the groups. Threads: one object, one thread.
#pragma once
#include "engine/live/agent/agent_names.h"
#include "engine/trace/step_tree.h"

#define MC_SITE_METRIC_ALLOCATED "allocated"
#define MC_SITE_METRIC_VARIANCE "variance"

typedef struct mc_site_desc {
    const mc_agent_names *names; // outlives the steps, and takes events first
    const char *domains;         // patterns (class_pattern.h); NULL: no such classifier
    uint64_t every_ns;           // at least so often
    uint64_t least_ns;           // collections that come faster make no step
} mc_site_desc;

typedef struct mc_site_steps mc_site_steps;

mc_result mc_site_steps_create(const mc_site_desc *desc, mc_site_steps **steps, mc_error *error);
void mc_site_steps_destroy(mc_site_steps *steps); // NULL is fine

// Whether a step is to be made before `event` is taken. Of every kind of event.
bool mc_site_steps_is_due(const mc_site_steps *steps, const mc_agent_event *event);
// Whether there is something that no step has yet, at the end.
bool mc_site_steps_has_rest(const mc_site_steps *steps);
// Takes a HELLO, ALLOC or GC; others are no business of this. MC_ERROR_BAD_DATA: more has died than
// was alive, sums are too large, or times are none.
mc_result mc_site_steps_take(mc_site_steps *steps, const mc_agent_event *event, mc_error *error);
// Fills a step's tree, time included: later than that of any step before. O(groups).
mc_result mc_site_steps_fill_tree(mc_site_steps *steps, mc_step_tree *tree, mc_error *error);
