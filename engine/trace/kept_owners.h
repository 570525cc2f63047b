// kept_owners.h - which owners of a series of steps are worth keeping.
//
// An importer asks at each step: kept are those that retain more than a 4,096th of the step's
// owners together, or were kept at an earlier step, 2,000 at most; and those that ways of these
// come from. What the others retain is part of what their parents do; without a parent, of the rest
// of their kind of root, an owner without a field and of the class MC_OWNERS_REST_CLASS, which is
// always kept. Memory: the texts of those that were ever kept. Threads: one.
#pragma once
#include "engine/trace/step_owners.h"

typedef struct mc_kept_owners {
    mc_strings texts; // of fields and classes
    mc_strings paths; // parent path, root, field and class, as bytes
} mc_kept_owners;

// Leaves out of `owners`, each of which has a sum, what is not worth keeping. False: out of memory;
// they are of no more use.
bool mc_kept_owners_choose(mc_kept_owners *kept, mc_step_owners *owners);
void mc_kept_owners_deinit(mc_kept_owners *kept);
