// How the GC roots hold a step's groups.
#include "engine/base/memory.h"
#include "engine/trace/trace_columns.h"
#include <stdlib.h>

bool mc_trace_has_paths(const mc_trace *trace) {
    return trace->has_paths;
}

const mc_retaining_path *mc_trace_get_paths(const mc_trace *trace, uint32_t *count) {
    *count = trace->path_count;
    return trace->paths;
}

void mc_path_sums_deinit(mc_path_sums *sums) {
    mc_free(sums->items);
    *sums = (mc_path_sums){.items = NULL};
}

mc_result mc_trace_read_paths(const mc_trace *trace, uint32_t step_index, mc_path_sums *sums,
                              mc_error *error) {
    mc_path_sums_deinit(sums);
    if (!mc_trace_get_step(trace, step_index)->has_paths) return MC_OK;
    mc_result result =
        trace->source->read_paths(trace, step_index, &sums->items, &sums->count, error);
    if (result == MC_OK && sums->count > 0)
        qsort(sums->items, sums->count, sizeof *sums->items, mc_path_sum_compare);
    if (result != MC_OK) mc_path_sums_deinit(sums);
    return result;
}
