// hprof_objects.h - facts on single objects of an open heap dump beyond their records: the GC roots
// that reference them, their retained sizes, their dominators.
//
// Only the facts that the columns need are computed. Memory: an entry per root; for the graph,
// while it exists, see hprof_dump.h; afterwards 16 bytes per object for retained sizes, 20 more for
// dominators. Threads: reading, any.
#pragma once
#include "engine/import/hprof/hprof_texts.h"

typedef struct mc_hprof_objects {
    mc_hprof_table roots; // id -> a bit for each mc_root_kind
    // By object (hprof_ids.h); NULL: not asked for.
    uint32_t *numbers; // in the tree of dominators
    uint32_t *kinds;
    // By number; likewise.
    uint64_t *bytes_below; // what all objects of lower numbers take; an entry more
    uint32_t *dominators;  // MC_NONE: none
    uint32_t *number_kinds;
    uint64_t *addresses;
} mc_hprof_objects;

// `dump` was opened as mc_hprof_columns_get_desc() says. Links it if need be; its graph is gone
// then, the tree stays. To be deinitialised in any case.
mc_result mc_hprof_objects_find(mc_hprof_objects *objects, mc_hprof_dump *dump,
                                const mc_hprof_columns *columns, mc_error *error);
void mc_hprof_objects_deinit(mc_hprof_objects *objects);
