// jfr_steps.h - makes steps of a JFR recording: a moment each, of groups by allocation site,
// callers, class and thread; the old objects, and who holds them, at the last one.
//
// What is allocated is no growth: it is a flow, of each step alone. Old objects are alive at the
// end; how many of each group were sampled is known at that step alone. Native allocations are
// followed, so what is alive of them is known at each step. The root has what is known of the whole
// process. Threads: one object serves one thread at a time.
#pragma once
#include "engine/import/jfr/jfr.h"
#include "engine/import/stacks/stack_sites.h"
#include "engine/trace/step_paths.h"

typedef struct mc_jfr_steps mc_jfr_steps;

// `jfr` outlives it. Once for each that was read.
mc_result mc_jfr_steps_create(const mc_jfr *jfr, const mc_profile_options *options,
                              mc_jfr_steps **steps, mc_error *error);
void mc_jfr_steps_destroy(mc_jfr_steps *steps); // NULL is fine
// Of a moment, in their order. Of the last one *paths are those of the old objects; of others they
// are empty. What the tree notes stays until the next one.
mc_result mc_jfr_steps_fill(mc_jfr_steps *steps, uint32_t moment, mc_step_tree *tree,
                            mc_step_paths *paths, mc_error *error);
