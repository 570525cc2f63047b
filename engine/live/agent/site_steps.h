// site_steps.h - turns an agent's allocation events into steps: the live objects, by type and
// allocation site.
//
// A leaf is a type, a call path and a thread: Type; Domain, if any were defined (the closest frame
// of a class that a pattern names); Site (the innermost frame); Caller (a level per further frame);
// Thread. Metrics besides objects and bytes: `allocated`, bytes since the step before (a flow),
// and, for sampled allocations, `variance` of the bytes, in bytes squared. A step consists of whole
// batches and is made at each collection, and at least as often as requested; its time is the
// agent's. Memory: the groups. Threads: one object, one thread.
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

// Whether a step is due before `event` is taken. Call it for events of every kind.
bool mc_site_steps_is_due(const mc_site_steps *steps, const mc_agent_event *event);
// Whether there is data that is in no step yet, at the end.
bool mc_site_steps_has_rest(const mc_site_steps *steps);
// Takes a HELLO, ALLOC or GC; other events are ignored. MC_ERROR_BAD_DATA: more has died than was
// alive, sums are too large, or times are invalid.
mc_result mc_site_steps_take(mc_site_steps *steps, const mc_agent_event *event, mc_error *error);
// Fills a step's tree, including its time, which is later than that of any earlier step. O(groups).
mc_result mc_site_steps_fill_tree(mc_site_steps *steps, mc_step_tree *tree, mc_error *error);
