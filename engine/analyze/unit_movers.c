#include "engine/analyze/unit_movers.h"

#include "engine/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VARIANCE "variance" // of bytes
#define LEAST_MOVED 20      // objects; less may be chance
#define LEAST_GROWN 10
#define LEAST_GROWN_SHARE 0.1 // of what it moves: the rest comes and goes

void mc_unit_movers_deinit(mc_unit_movers *movers) {
    mc_free(movers->items);
    mc_free(movers->increments);
    *movers = (mc_unit_movers){0};
}

static void choose_points(mc_unit_movers *movers, mc_step_range window) {
    uint32_t count = window.last_step - window.first_step + 1, most = MC_UNITS_MOST_POINTS;
    movers->point_count = count < most ? count : most;
    for (uint32_t i = 0; i < movers->point_count; i++)
        movers->steps[i] = window.first_step +
                           (count <= most ? i : (uint32_t)((uint64_t)i * (count - 1) / (most - 1)));
}

static mc_result report(const mc_progress *progress, uint32_t done, uint32_t total,
                        mc_error *error) {
    if (mc_progress_report(progress, done, total)) return MC_OK;
    return mc_error_set(error, MC_ERROR_CANCELLED, MC_ERROR_NO_OFFSET, "cancelled");
}

// ---- which groups

// Of all nodes.
typedef struct columns {
    uint64_t *first, *last, *now;
    double *moved;
} columns;

static mc_result add_moves(const mc_trace *trace, const mc_unit_movers *movers,
                           const mc_progress *progress, columns *c, mc_error *error) {
    uint32_t node_count = mc_trace_get_nodes(trace)->count;
    for (uint32_t i = 0; i < movers->point_count; i++) {
        mc_result result =
            mc_trace_read_counts(trace, movers->steps[i], MC_METRIC_OBJECTS, c->now, error);
        if (result == MC_OK) result = report(progress, i, 2 * movers->point_count, error);
        if (result != MC_OK) return result;
        if (i == 0) memcpy(c->first, c->now, node_count * sizeof *c->first);
        for (uint32_t node = 0; node < node_count && i > 0; node++)
            c->moved[node] += fabs((double)c->now[node] - (double)c->last[node]);
        uint64_t *last = c->last;
        c->last = c->now;
        c->now = last;
    }
    return MC_OK;
}

static int compare_movers(const void *a, const void *b) {
    const mc_unit_mover *x = a, *y = b;
    if (x->moved != y->moved) return x->moved > y->moved ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

static bool has_grown(const mc_unit_mover *mover) {
    return mover->moved >= LEAST_MOVED && mover->grown >= LEAST_GROWN &&
           mover->grown >= LEAST_GROWN_SHARE * mover->moved;
}

static bool choose_movers(const mc_node_columns *nodes, const columns *c, mc_unit_movers *movers) {
    size_t capacity = 0;
    for (uint32_t node = 0; node < nodes->count; node++) {
        mc_unit_mover mover = {.node = node,
                               .first = (double)c->first[node],
                               .grown = (double)c->last[node] - (double)c->first[node],
                               .moved = c->moved[node]};
        if (nodes->child_count[node] > 0 || !has_grown(&mover)) continue;
        if (!mc_reserve(&movers->items, &capacity, movers->all_count + (size_t)1, sizeof mover))
            return false;
        movers->items[movers->all_count++] = mover;
    }
    if (movers->all_count > 0)
        qsort(movers->items, movers->all_count, sizeof *movers->items, compare_movers);
    movers->count =
        movers->all_count < MC_UNITS_MOST_MOVERS ? movers->all_count : MC_UNITS_MOST_MOVERS;
    return true;
}

static mc_result find_movers(const mc_trace *trace, const mc_progress *progress,
                             mc_unit_movers *movers, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    columns c = {.first = mc_alloc(nodes->count, sizeof *c.first),
                 .last = mc_alloc(nodes->count, sizeof *c.last),
                 .now = mc_alloc(nodes->count, sizeof *c.now),
                 .moved = mc_alloc_zero(nodes->count, sizeof *c.moved)};
    mc_result result = mc_error_out_of_memory(error);
    if (c.first && c.last && c.now && c.moved) {
        result = add_moves(trace, movers, progress, &c, error);
        if (result == MC_OK && !choose_movers(nodes, &c, movers))
            result = mc_error_out_of_memory(error);
    }
    mc_free(c.first);
    mc_free(c.last);
    mc_free(c.now);
    mc_free(c.moved);
    return result;
}

// ---- what they did

static void set_increments(mc_unit_movers *movers, uint32_t point, const uint64_t *before,
                           const uint64_t *now) {
    size_t row = movers->point_count - 1;
    for (uint32_t i = 0; i < movers->count; i++) {
        double increment = (double)now[i] - (double)before[i];
        movers->increments[i * row + point - 1] = increment;
        movers->items[i].square += increment * increment;
    }
}

static mc_result read_bytes(const mc_trace *trace, mc_unit_movers *movers, const uint32_t *nodes,
                            uint64_t *first, uint64_t *last, mc_error *error) {
    uint32_t begin = movers->steps[0], end = movers->steps[movers->point_count - 1];
    uint64_t heap[2];
    mc_result result =
        mc_trace_read_values(trace, begin, MC_METRIC_BYTES, nodes, movers->count, first, error);
    if (result == MC_OK)
        result =
            mc_trace_read_values(trace, end, MC_METRIC_BYTES, nodes, movers->count, last, error);
    if (result == MC_OK)
        result = mc_trace_read_total(trace, begin, MC_METRIC_BYTES, &heap[0], error);
    if (result == MC_OK) result = mc_trace_read_total(trace, end, MC_METRIC_BYTES, &heap[1], error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < movers->count; i++)
        movers->items[i].bytes = (int64_t)last[i] - (int64_t)first[i];
    movers->bytes = (int64_t)heap[1] - (int64_t)heap[0];
    return MC_OK;
}

// Of objects of one size s that are sampled with probability p, n samples say n / p objects and a
// variance of bytes of n s^2 (1 - p) / p^2. So many increments have by their number.
static mc_result read_spread(const mc_trace *trace, mc_unit_movers *movers, const uint32_t *nodes,
                             const uint64_t *bytes, const uint64_t *objects, mc_error *error) {
    mc_metric metric = mc_trace_find_metric(trace, VARIANCE);
    if (metric == MC_NONE) return MC_OK;
    const mc_metric_info *info = mc_trace_get_metric(trace, metric);
    uint64_t *variances = mc_alloc(movers->count, sizeof *variances);
    if (!variances) return mc_error_out_of_memory(error);
    mc_result result = mc_trace_read_values(trace, movers->steps[movers->point_count - 1], metric,
                                            nodes, movers->count, variances, error);
    for (uint32_t i = 0; i < movers->count && result == MC_OK; i++) {
        double variance =
            variances[i] == MC_COUNT_UNKNOWN ? 0 : mc_metric_get_number(info, variances[i]);
        double size = (double)bytes[i];
        if (size > 0) movers->items[i].spread = variance / size * (double)objects[i] / size;
    }
    mc_free(variances);
    return result;
}

static mc_result read_points(const mc_trace *trace, const mc_progress *progress,
                             mc_unit_movers *movers, const uint32_t *nodes, uint64_t *values[2],
                             mc_error *error) {
    uint32_t points = movers->point_count;
    for (uint32_t i = 0; i < points; i++) {
        mc_result result = mc_trace_read_values(trace, movers->steps[i], MC_METRIC_OBJECTS, nodes,
                                                movers->count, values[i % 2], error);
        if (result == MC_OK) result = report(progress, points + i, 2 * points, error);
        if (result != MC_OK) return result;
        if (i > 0) set_increments(movers, i, values[(i + 1) % 2], values[i % 2]);
    }
    uint64_t *last = values[(points - 1) % 2], *other = values[points % 2];
    mc_result result = read_bytes(trace, movers, nodes, other, last, error);
    if (result != MC_OK) return result;
    result = mc_trace_read_values(trace, movers->steps[points - 1], MC_METRIC_OBJECTS, nodes,
                                  movers->count, other, error);
    return result == MC_OK ? read_spread(trace, movers, nodes, last, other, error) : result;
}

static mc_result read_increments(const mc_trace *trace, const mc_progress *progress,
                                 mc_unit_movers *movers, mc_error *error) {
    uint32_t *nodes = mc_alloc(movers->count, sizeof *nodes);
    uint64_t *values[2] = {mc_alloc(movers->count, sizeof *values[0]),
                           mc_alloc(movers->count, sizeof *values[1])};
    movers->increments =
        mc_alloc((size_t)movers->count * (movers->point_count - 1), sizeof *movers->increments);
    mc_result result = mc_error_out_of_memory(error);
    if (nodes && values[0] && values[1] && movers->increments) {
        for (uint32_t i = 0; i < movers->count; i++)
            nodes[i] = movers->items[i].node;
        result = read_points(trace, progress, movers, nodes, values, error);
    }
    mc_free(nodes);
    mc_free(values[0]);
    mc_free(values[1]);
    return result;
}

mc_result mc_unit_movers_read(const mc_trace *trace, mc_step_range window,
                              const mc_progress *progress, mc_unit_movers *movers,
                              mc_error *error) {
    *movers = (mc_unit_movers){0};
    choose_points(movers, window);
    mc_result result = MC_OK;
    if (movers->point_count > 1) result = find_movers(trace, progress, movers, error);
    if (result == MC_OK && movers->count > 0)
        result = read_increments(trace, progress, movers, error);
    if (result != MC_OK) mc_unit_movers_deinit(movers);
    return result;
}
