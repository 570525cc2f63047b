#include "engine/analyze/old_objects.h"

#include "engine/analyze/growth.h"
#include "engine/base/memory.h"

#define MS_PER_S 1000.0
#define FULL_SHARE 0.9 // of the limit: what a generation keeps free for itself counts as used
#define SURE_S 60.0    // that a recording lasts: in less, a rest may be a pause between two rises
#define MOST_OF 2      // a hop goes on as long as half of the samples do

bool mc_old_objects_speak(const mc_trace *trace, mc_metric metric) {
    return mc_trace_find_metric(trace, MC_METRIC_ALLOCATED_SO_FAR) == metric;
}

// ---- the heap after collections

typedef struct points {
    int64_t values[MC_GROWTH_MOST_POINTS];
    uint32_t steps[MC_GROWTH_MOST_POINTS];
    uint32_t count;
    int64_t *all; // of each step with a collection
    uint32_t *all_steps;
} points;

static mc_result read_points(const mc_trace *trace, mc_metric metric, mc_step_range window,
                             points *p, mc_old_objects *old, mc_error *error) {
    for (uint32_t step = window.first_step; step <= window.last_step; step++) {
        uint64_t value;
        mc_result result = mc_trace_read_total(trace, step, metric, &value, error);
        if (result != MC_OK) return result;
        if (value == MC_COUNT_UNKNOWN) continue;
        p->all[old->point_count] = (int64_t)value;
        p->all_steps[old->point_count] = step;
        if (old->point_count++ == 0) old->first_bytes = old->least_bytes = value;
        old->last_bytes = value;
        if (value < old->least_bytes) old->least_bytes = value;
        if (value > old->most_bytes) old->most_bytes = value;
    }
    // of more than there may be, evenly spread ones, as trends are judged
    const uint32_t count = old->point_count;
    p->count = count < MC_GROWTH_MOST_POINTS ? count : MC_GROWTH_MOST_POINTS;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t at =
            p->count < 2 ? 0 : (uint32_t)((uint64_t)i * (count - 1) / (p->count - 1));
        p->values[i] = p->all[at];
        p->steps[i] = p->all_steps[at];
    }
    return MC_OK;
}

static double get_seconds(const mc_trace *trace, uint32_t from, uint32_t to) {
    return (double)(mc_trace_get_step(trace, to)->time_ms -
                    mc_trace_get_step(trace, from)->time_ms) /
           MS_PER_S;
}

// How often the heap came down: what collections of the whole heap leave.
static mc_result count_troughs(const points *p, uint32_t count, uint32_t *trough_count,
                               mc_error *error) {
    uint32_t *troughs = mc_alloc(count, sizeof *troughs);
    int64_t *floors = mc_alloc(count, sizeof *floors);
    bool fits = troughs && floors;
    if (fits) *trough_count = mc_growth_find_floors(p->all, count, troughs, floors);
    mc_free(troughs);
    mc_free(floors);
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result judge_points(const mc_trace *trace, mc_step_range window, const points *p,
                              mc_old_objects *old, mc_error *error) {
    const mc_growth growth = mc_growth_judge(p->values, p->count);
    uint32_t trough_count = 0;
    mc_result result = count_troughs(p, old->point_count, &trough_count, error);
    if (result != MC_OK) return result;
    old->growth = growth.amount;
    if (growth.kind == MC_GROWTH_NONE) old->verdict = MC_HEAP_STEADY;
    old->is_brief = get_seconds(trace, window.first_step, window.last_step) < SURE_S;
    if (growth.kind == MC_GROWTH_STOPPED && !old->is_brief) old->verdict = MC_HEAP_STOPPED;
    old->has_slowed = growth.kind == MC_GROWTH_STOPPED;
    old->rests = old->has_slowed && growth.until + 1 < p->count;
    if (growth.kind != MC_GROWTH_GOES_ON || trough_count < MC_OLD_OBJECTS_LEAST_TROUGHS)
        return MC_OK;
    old->verdict = MC_HEAP_GROWS;
    const double seconds = get_seconds(trace, p->steps[growth.since], p->steps[growth.until]);
    if (seconds > 0) old->growth_per_s = (double)growth.amount / seconds;
    return MC_OK;
}

static mc_result judge(const mc_trace *trace, mc_step_range window, mc_old_objects *old,
                       mc_error *error) {
    const mc_metric metric = mc_trace_find_metric(trace, MC_METRIC_HEAP_AFTER_GC);
    old->verdict = MC_HEAP_UNKNOWN;
    if (metric == MC_NONE) return MC_OK;
    old->limit_bytes = mc_trace_get_step(trace, window.last_step)->heap_limit;
    const size_t step_count = (size_t)window.last_step - window.first_step + 1;
    points p = {.all = mc_alloc(step_count, sizeof *p.all),
                .all_steps = mc_alloc(step_count, sizeof *p.all_steps)};
    mc_result result = p.all && p.all_steps ? read_points(trace, metric, window, &p, old, error)
                                            : mc_error_out_of_memory(error);
    old->is_full = old->point_count > 0 && old->limit_bytes > 0 &&
                   (double)old->last_bytes >= FULL_SHARE * (double)old->limit_bytes;
    if (result == MC_OK && old->point_count >= MC_OLD_OBJECTS_LEAST_POINTS)
        result = judge_points(trace, window, &p, old, error);
    mc_free(p.all);
    mc_free(p.all_steps);
    return result;
}

// ---- who holds old objects

// How many objects are below each path, itself included.
static uint64_t *sum_up(const mc_trace *trace, uint32_t path_count, mc_old_objects *old,
                        mc_error *error) {
    uint32_t all;
    const mc_retaining_path *paths = mc_trace_get_paths(trace, &all);
    uint64_t *sums = mc_alloc_zero((size_t)path_count + 1, sizeof *sums);
    mc_path_sums rows = {.count = 0};
    if (!sums) {
        mc_error_out_of_memory(error);
        return NULL;
    }
    if (mc_trace_read_paths(trace, old->step, &rows, error) != MC_OK) {
        mc_free(sums);
        return NULL;
    }
    for (uint32_t i = 0; i < rows.count; i++) {
        const mc_path_sum *row = &rows.items[i];
        if (row->node == 0 && row->path != MC_NONE)
            sums[row->path] += row->objects + row->rest_objects;
    }
    mc_path_sums_deinit(&rows);
    for (uint32_t i = path_count; i-- > 0;) {
        if (paths[i].parent != MC_NONE)
            sums[paths[i].parent] += sums[i];
        else
            old->rooted += sums[i];
    }
    return sums;
}

static uint32_t find_largest(const mc_trace *trace, const uint64_t *sums, uint32_t parent) {
    uint32_t count, found = MC_NONE;
    const mc_retaining_path *paths = mc_trace_get_paths(trace, &count);
    for (uint32_t i = 0; i < count; i++)
        if (paths[i].parent == parent && sums[i] > 0 && (found == MC_NONE || sums[i] > sums[found]))
            found = i;
    return found;
}

static mc_result find_root(const mc_trace *trace, mc_old_objects *old, mc_error *error) {
    uint32_t count;
    (void)mc_trace_get_paths(trace, &count);
    if (!mc_trace_get_step(trace, old->step)->has_paths || count == 0) return MC_OK;
    uint64_t *sums = sum_up(trace, count, old, error);
    if (!sums) return error ? error->code : MC_ERROR_OUT_OF_MEMORY;
    uint32_t path = find_largest(trace, sums, MC_NONE);
    if (path != MC_NONE) old->held = sums[path];
    while (path != MC_NONE && sums[path] * MOST_OF >= old->held &&
           old->hop_count < MC_OLD_OBJECTS_MOST_HOPS) {
        old->hops[old->hop_count++] = path;
        path = find_largest(trace, sums, path);
    }
    mc_free(sums);
    old->is_clear = old->rooted >= MC_OLD_OBJECTS_LEAST_COUNT && old->held * MOST_OF >= old->rooted;
    return MC_OK;
}

mc_result mc_old_objects_find(const mc_trace *trace, mc_step_range window, mc_old_objects *old,
                              mc_error *error) {
    const mc_metric metric = mc_trace_find_metric(trace, MC_METRIC_OLD_OBJECTS);
    uint64_t value = 0;
    *old = (mc_old_objects){.step = MC_NONE};
    mc_result result = judge(trace, window, old, error);
    if (result != MC_OK || metric == MC_NONE) return result;
    result = mc_trace_read_total(trace, window.last_step, metric, &value, error);
    if (result != MC_OK || value == MC_COUNT_UNKNOWN || value == 0) return result;
    old->sampled = value;
    old->step = window.last_step;
    return find_root(trace, old, error);
}
