#include "engine/import/stacks/film_steps.h"

#include "engine/import/stacks/profile.h"
#include "engine/trace/notes.h"
#include <string.h>

enum { OBJECTS, BYTES, ALLOCATED_OBJECTS, ALLOCATED_BYTES, TEMPORARY, METRIC_COUNT };

static const mc_path_metric metrics[] = {
    MC_SITES_OBJECTS,
    MC_SITES_BYTES,
    MC_SITES_ALLOCATED_OBJECTS,
    MC_SITES_ALLOCATED_BYTES,
    {"temporary", "objects freed at once so far", MC_UNIT_COUNT, false, MC_METRIC_STOCK}};
static const mc_path_metric most = MC_PROFILE_MOST, resident = MC_PROFILE_RESIDENT;

mc_result mc_film_sites_create(uint32_t depth, bool has_libraries, mc_stack_sites **sites,
                               mc_error *error) {
    mc_stack_sites_desc desc = {.depth = depth ? depth : MC_SITES_DEPTH,
                                .has_libraries = has_libraries};
    memcpy(desc.metrics, metrics, sizeof metrics);
    return mc_stack_sites_create(&desc, sites, error);
}

static mc_result count_kinds(const mc_film_steps *steps, const mc_film_kind *kinds,
                             mc_error *error) {
    for (uint32_t i = 0; i < steps->kind_count; i++) {
        const mc_film_counts *now = &kinds[i].now;
        uint64_t values[METRIC_COUNT] = {[OBJECTS] = now->objects,
                                         [BYTES] = now->bytes,
                                         [ALLOCATED_OBJECTS] = now->alloc_objects,
                                         [ALLOCATED_BYTES] = now->alloc_bytes,
                                         [TEMPORARY] = now->temporary};
        if (now->alloc_objects > 0 &&
            !mc_stack_sites_count(steps->sites, steps->groups[i], values, 0)) {
            mc_stack_sites_clear(steps->sites);
            return mc_error_set(error, MC_ERROR_BAD_DATA, 0,
                                "%s recording: all together is more than 2^63 - 1", steps->format);
        }
    }
    return MC_OK;
}

mc_result mc_film_steps_next(const mc_film_steps *steps, mc_step_tree *tree, bool *is_there,
                             mc_error *error) {
    mc_film_step step;
    *is_there = mc_film_next_step(steps->film, &step);
    if (!*is_there) return MC_OK;
    mc_result result = count_kinds(steps, step.kinds, error);
    if (result == MC_OK) result = mc_stack_sites_fill_tree(steps->sites, tree, error);
    if (result == MC_OK && (!mc_profile_add_total(tree, &most, step.most_bytes) ||
                            !mc_profile_add_total(tree, &resident, step.resident_bytes)))
        result = mc_error_out_of_memory(error);
    if (result != MC_OK) return result;
    tree->time_ms = steps->start_ms + step.time_ms;
    if (step.is_last) tree->missing = steps->end_missing;
    if (step.is_peak) tree->note = MC_NOTE_PEAK;
    return MC_OK;
}
