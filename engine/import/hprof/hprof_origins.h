// hprof_origins.h - finds the loaders and modules that classes come from, if these are grouping
// criteria.
//
// Loaders are objects of the heap, named by the JVM ("bootstrap", "platform", "app") or by their
// class. They are also determined to tell which loaders are not the JVM's own, since classes of
// those may be unloaded. Modules are found through the packages listed in the heap's module
// descriptors; classes in no named module get none, as in class histograms. What can't be found is
// unknown, never an error. Cost: one pass over the heap for loaders, up to five for modules, and
// memory for what these look up. Threads: finding, one at a time; asking, any.
#pragma once
#include "engine/import/hprof/hprof_classes.h"

typedef struct mc_hprof_origins {
    mc_grouping grouping;      // the criteria of classes
    mc_strings names;          // of loaders and modules
    mc_hprof_table loaders;    // loader id -> name
    mc_hprof_table passing;    // ids of loaders that may go
    mc_strings packages;       // with dots
    uint32_t *package_modules; // name of each package's module
    size_t package_capacity;
} mc_hprof_origins;

// `origins` is zeroed, and to be deinitialised in any case. Only what `grouping` asks for is looked
// for, and loaders if `has_loaders`.
mc_result mc_hprof_origins_find(mc_hprof_origins *origins, const mc_hprof_file *file,
                                const mc_hprof_batch *batches, size_t batch_count,
                                const mc_hprof_span *spans, const mc_hprof_classes *classes,
                                const mc_grouping *grouping, bool has_loaders, mc_hprof_crew *crew,
                                mc_error *error);
void mc_hprof_origins_deinit(mc_hprof_origins *origins);

// Whether this is a loader of the program's, which goes with its classes when nothing holds them
// any more. Those of the JVM live as long as it does. False of what was not found.
bool mc_hprof_origins_may_go(const mc_hprof_origins *origins, uint64_t loader_id);
// Whether classes of this loader are a program's, and not the JVM's own.
bool mc_hprof_origins_is_program(const mc_hprof_origins *origins, uint64_t loader_id);
// Adds loader and module to a place that has the class's name as it is in a dump.
void mc_hprof_origins_add(const mc_hprof_origins *origins, uint64_t loader_id,
                          mc_class_place *place);
