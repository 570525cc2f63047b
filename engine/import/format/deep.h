// deep.h - options for the deep analysis of heap dumps, beyond objects, bytes and references.
#pragma once
#include "engine/base/base.h"

// Each takes time. Zeroed: nothing.
typedef struct mc_import_deep {
    bool all;                // all of the following
    bool retained;           // what each group retains, as metrics
    bool paths;              // how the GC roots hold it
    bool waste;              // what it wastes, likewise
    const char *collections; // more classes that are data structures, as hprof_collections.h has
                             // them; NULL: none
} mc_import_deep;
