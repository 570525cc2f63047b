// hprof_class_groups.h - which leaf the instances of each class are in, what the leaves' objects
// are together, and where their references are.
#pragma once
#include "engine/import/hprof/hprof_origins.h"

// Finds each class's leaf in `groups`, and what the leaves' objects are together. `has_references`:
// also lists where instances and class objects have them.
mc_result mc_hprof_classes_group(mc_hprof_classes *classes, const mc_hprof_file *file,
                                 const mc_hprof_tallies *tallies, const mc_hprof_origins *origins,
                                 mc_heap_groups *groups, bool has_references, mc_error *error);
