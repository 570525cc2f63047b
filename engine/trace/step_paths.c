#include "engine/trace/step_paths.h"

#include "engine/base/memory.h"
#include <string.h>

void mc_step_paths_reset(mc_step_paths *paths) {
    mc_strings_deinit(&paths->names);
    paths->path_count = paths->sum_count = 0;
}

void mc_step_paths_deinit(mc_step_paths *paths) {
    mc_strings_deinit(&paths->names);
    mc_free(paths->paths);
    mc_free(paths->sums);
    memset(paths, 0, sizeof *paths);
}

bool mc_step_paths_add(mc_step_paths *paths, mc_retaining_path path) {
    if (!mc_reserve(&paths->paths, &paths->path_capacity, paths->path_count + 1, sizeof path))
        return false;
    paths->paths[paths->path_count++] = path;
    return true;
}

bool mc_step_paths_add_sum(mc_step_paths *paths, mc_path_sum sum) {
    if (!mc_reserve(&paths->sums, &paths->sum_capacity, paths->sum_count + 1, sizeof sum))
        return false;
    paths->sums[paths->sum_count++] = sum;
    return true;
}

int mc_path_sum_compare(const void *a, const void *b) {
    const mc_path_sum *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return x->path < y->path ? -1 : x->path > y->path; // MC_NONE is the largest
}
