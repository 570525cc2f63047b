#include "engine/trace/regroup/live_steps.h"

#include "engine/base/memory.h"
#include "engine/trace/trace_columns.h"

bool mc_trace_counts_garbage(const mc_trace *trace, uint32_t first_step, uint32_t last_step) {
    bool is_told = false, is_all = true;
    for (uint32_t step = first_step; step <= last_step; step++) {
        mc_liveness liveness = mc_trace_get_step(trace, step)->liveness;
        is_told |= liveness != MC_LIVENESS_UNKNOWN;
        is_all &= liveness == MC_LIVENESS_LIVE;
    }
    return is_told && !is_all;
}

typedef struct live_store {
    const mc_trace *base;
    const uint32_t *steps;
} live_store;

static mc_result read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             uint64_t *values, mc_error *error) {
    const live_store *store = trace->store;
    return store->base->source->read_column(store->base, store->steps[step_index], metric, values,
                                            error);
}

static mc_result read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             const uint32_t *nodes, uint32_t count, uint64_t *values,
                             mc_error *error) {
    const live_store *store = trace->store;
    return store->base->source->read_values(store->base, store->steps[step_index], metric, nodes,
                                            count, values, error);
}

static mc_result read_presence(const mc_trace *trace, uint32_t step_index, uint32_t node_index,
                               bool *is_present, mc_error *error) {
    const live_store *store = trace->store;
    return store->base->source->read_presence(store->base, store->steps[step_index], node_index,
                                              is_present, error);
}

static mc_result read_side(const mc_trace *trace, uint32_t step_index, mc_side_table table,
                           mc_side_rows *rows, mc_error *error) {
    const live_store *store = trace->store;
    return store->base->source->read_side(store->base, store->steps[step_index], table, rows,
                                          error);
}

static bool knows_paths(const mc_trace *trace, uint32_t node) {
    const live_store *store = trace->store;
    return mc_trace_knows_paths(store->base, node);
}

static mc_result read_size(const mc_trace *trace, uint32_t step_index, mc_step_size *size,
                           mc_error *error) {
    const live_store *store = trace->store;
    return mc_trace_read_size(store->base, store->steps[step_index], size, error);
}

static const mc_packed_column *get_maxima(const mc_trace *trace, mc_metric metric) {
    (void)trace, (void)metric;
    return NULL;
}

static const mc_step_source steps_alive = {.read_column = read_column,
                                           .read_values = read_values,
                                           .read_presence = read_presence,
                                           .read_side = read_side,
                                           .knows_paths = knows_paths,
                                           .read_size = read_size,
                                           .get_maxima = get_maxima};

void mc_live_steps_deinit(mc_live_steps *live) {
    if (live->trace) {
        mc_free(live->trace->steps);
        mc_free(live->trace->store);
        mc_free(live->trace); // all else is the other trace's
    }
    mc_free(live->steps);
    *live = (mc_live_steps){.trace = NULL};
}

static mc_result make_trace(const mc_trace *base, mc_live_steps *live, mc_error *error) {
    mc_trace *trace = live->trace = mc_alloc(1, sizeof *trace);
    if (!trace) return mc_error_out_of_memory(error);
    *trace = *base;
    live_store *store = trace->store = mc_alloc(1, sizeof *store);
    trace->steps = mc_alloc_zero(live->count, sizeof *trace->steps);
    if (!store || !trace->steps) return mc_error_out_of_memory(error);
    *store = (live_store){base, live->steps};
    for (uint32_t i = 0; i < live->count; i++) {
        const mc_trace_step *from = &base->steps[live->steps[i]];
        trace->steps[i].info = from->info;
        for (int table = 0; table < MC_SIDE_OF_STEP; table++)
            trace->steps[i].side[table].count = from->side[table].count;
    }
    trace->step_count = live->count;
    trace->source = &steps_alive;
    return MC_OK;
}

mc_result mc_live_steps_create(const mc_trace *trace, uint32_t first_step, uint32_t last_step,
                               mc_live_steps *live, mc_error *error) {
    *live = (mc_live_steps){.trace = NULL};
    live->steps = mc_alloc((size_t)(last_step - first_step) + 1, sizeof *live->steps);
    if (!live->steps) return mc_error_out_of_memory(error);
    for (uint32_t step = first_step; step <= last_step; step++)
        if (mc_trace_get_step(trace, step)->liveness == MC_LIVENESS_LIVE)
            live->steps[live->count++] = step;
    mc_result result = live->count > 0 ? make_trace(trace, live, error) : MC_OK;
    if (result != MC_OK) mc_live_steps_deinit(live);
    return result;
}
