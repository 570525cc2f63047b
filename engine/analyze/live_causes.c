#include "engine/analyze/live_causes.h"

#include "engine/trace/regroup/live_steps.h"
#include <math.h>
#include <string.h>

#define ERRORS 1.96 // 19 times of 20 an estimate is off by less than so many standard errors

// ---- back to the trace's steps

typedef struct step_map {
    const uint32_t *steps; // by the steps that the causes are of
    uint32_t first;        // of the window
} step_map;

static void map_point(const step_map *self, uint32_t *point) {
    *point = self->steps[*point] - self->first;
}

static void map_trend(const step_map *self, mc_trend *trend) {
    map_point(self, &trend->growth.since);
    map_point(self, &trend->growth.until);
}

static void map_suspects(const step_map *self, mc_suspects *suspects) {
    for (uint32_t i = 0; i < suspects->count + suspects->chance_count; i++)
        map_trend(self, &suspects->items[i].trend);
}

static void map_cause(const step_map *self, const mc_causes *causes, mc_cause *cause) {
    map_trend(self, &cause->trend);
    uint32_t *points[] = {&cause->change.since, &cause->change.early, &cause->change.late};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        map_point(self, points[i]);
    uint32_t *steps[] = {&cause->since_step, &cause->since_early, &cause->since_late};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        *steps[i] = self->steps[*steps[i]];
    cause->walk.desc.window = causes->desc.window;
    cause->walk.desc.step = self->steps[cause->walk.desc.step];
}

// ---- what was sampled

// How far off the growth of a node may be, in bytes; 0: it was not sampled.
static mc_result read_error(const mc_trace *live, uint32_t node, double *off, mc_error *error) {
    mc_metric metric = mc_trace_find_metric(live, "variance");
    double sum = 0;
    *off = 0;
    if (metric == MC_NONE || !mc_trace_get_metric(live, metric)->is_real) return MC_OK;
    for (int i = 0; i < 2; i++) {
        uint64_t word;
        uint32_t step = i == 0 ? 0 : mc_trace_get_step_count(live) - 1;
        mc_result result = mc_trace_read_value(live, step, metric, node, &word, error);
        if (result != MC_OK) return result;
        if (word != MC_COUNT_UNKNOWN) sum += fmax(mc_metric_unpack(word), 0);
    }
    *off = ERRORS * sqrt(sum);
    return MC_OK;
}

// What may be no more than the luck of the draw.
static mc_result drop_chance(const mc_trace *live, mc_causes *causes, mc_error *error) {
    uint32_t kept = 0;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < causes->count && result == MC_OK; i++) {
        mc_cause *cause = &causes->items[i];
        double off = 0;
        if (causes->unit == MC_METRIC_BYTES) result = read_error(live, cause->node, &off, error);
        if (result != MC_OK) break;
        if (off > 0 && (double)cause->own_growth <= off) {
            causes->left_out_count += 1 + cause->explained_count;
            mc_cause_deinit(cause);
            memset(cause, 0, sizeof *cause);
        } else if (kept++ < i) {
            causes->items[kept - 1] = *cause;
            memset(cause, 0, sizeof *cause);
        }
    }
    if (result == MC_OK) causes->count = kept;
    return result;
}

static mc_result drop_suspects(const mc_trace *live, mc_causes *causes, mc_error *error) {
    mc_suspects *suspects = &causes->suspects;
    uint32_t kept = 0, growing = 0;
    for (uint32_t i = 0; i < suspects->count; i++) {
        double off = 0;
        if (causes->desc.metric == MC_METRIC_BYTES) {
            mc_result result = read_error(live, suspects->items[i].node, &off, error);
            if (result != MC_OK) return result;
        }
        if (off > 0 && fabs((double)suspects->items[i].growth) <= off) continue;
        growing += i < suspects->growing_count;
        suspects->items[kept++] = suspects->items[i];
    }
    memmove(suspects->items + kept, suspects->items + suspects->count,
            suspects->chance_count * sizeof *suspects->items);
    suspects->count = kept;
    suspects->growing_count = growing;
    if (growing == 0 &&
        (suspects->verdict == MC_HEAP_GROWS || suspects->verdict == MC_HEAP_STOPPED))
        suspects->verdict = kept > 0 ? MC_HEAP_STOPPED : MC_HEAP_STEADY;
    return MC_OK;
}

mc_result mc_live_causes_find(const mc_trace *trace, mc_causes_find_in *find,
                              const mc_progress *progress, mc_causes *causes, mc_error *error) {
    const mc_step_range window = causes->desc.window;
    mc_live_steps live;
    mc_result result =
        mc_live_steps_create(trace, window.first_step, window.last_step, &live, error);
    if (result != MC_OK) return result;
    causes->suspects.live_count = live.count;
    if (live.count < MC_GROWTH_LEAST_POINTS) {
        causes->suspects.verdict = MC_HEAP_UNKNOWN;
        mc_live_steps_deinit(&live);
        return MC_OK;
    }
    causes->desc.window = (mc_step_range){0, live.count - 1};
    result = find(live.trace, progress, causes, error);
    if (result == MC_OK) result = drop_chance(live.trace, causes, error);
    if (result == MC_OK) result = drop_suspects(live.trace, causes, error);
    causes->desc.window = window;
    const step_map map = {live.steps, window.first_step};
    if (result == MC_OK) map_suspects(&map, &causes->suspects);
    for (uint32_t i = 0; i < causes->count && result == MC_OK; i++)
        map_cause(&map, causes, &causes->items[i]);
    causes->suspects.live_count = live.count;
    mc_live_steps_deinit(&live);
    return result;
}
