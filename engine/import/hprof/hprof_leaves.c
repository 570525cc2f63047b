#include "engine/import/hprof/hprof_leaves.h"

#include "engine/base/memory.h"

mc_hprof_leaves mc_hprof_leaves_of_classes(const mc_hprof_classes *classes) {
    return (mc_hprof_leaves){
        .count = classes->leaf_count, .objects = classes->objects, .bytes = classes->bytes};
}

void mc_hprof_leaves_deinit(mc_hprof_leaves *leaves) {
    mc_free(leaves->own_objects);
    mc_free(leaves->own_bytes);
    mc_free(leaves->of);
    *leaves = (mc_hprof_leaves){.count = 0};
}
