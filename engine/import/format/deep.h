// deep.h - options for the deep analysis of heap dumps, beyond objects, bytes and references.
#pragma once
#include "engine/base/base.h"

// Each takes time, but `fast` saves some. Zeroed: owners alone.
typedef struct mc_import_deep {
    bool all;           // all of the following
    bool retained;      // what each group retains, as metrics
    bool paths;         // how the GC roots hold it
    bool waste;         // what it wastes, likewise
    bool by_generation; // what survived, by the collection at which it was made
    bool fast;          // not even who owns it, which is found if references are read
    const char *binary; // heap dumps of Go: files or folders with the programs that wrote them,
                        // separated by commas; NULL: what lies beside the dump is looked at
    const char *collections; // more classes that are data structures, as hprof_collections.h has
                             // them; NULL: none
} mc_import_deep;
