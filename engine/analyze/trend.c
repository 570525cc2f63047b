#include "engine/analyze/trend.h"

#include "engine/analyze/mann_kendall.h"
#include "engine/base/memory.h"
#include <math.h>
#include <string.h>

#define MOST_POINTS MC_TREND_MOST_POINTS
_Static_assert(MOST_POINTS <= MC_GROWTH_MOST_POINTS, "all points are judged");
#define CERTAINTY_NORMAL 1.96 // standard deviations of MC_SLOPE_CERTAINTY
#define MOST_MEMORY 0.6       // more is taken for a rate that varies, not for noise
#define MOST_PAIRS (MOST_POINTS * (MOST_POINTS - 1) / 2)

// The points of a series that count, and what all series over them share.
typedef struct points {
    uint32_t count;
    uint32_t step[MOST_POINTS];    // index in the series
    double per_second[MOST_PAIRS]; // 1 / (time between the points), pair by pair
} points;

// Between each two of its points.
static void compute_spans(points *p, const int64_t *times_ms) {
    double *out = p->per_second;
    for (uint32_t i = 0; i + 1 < p->count; i++)
        for (uint32_t k = i + 1; k < p->count; k++)
            *out++ = 1000.0 / (double)(times_ms[p->step[k]] - times_ms[p->step[i]]);
}

// ---- the median

static void swap(double *a, double *b) {
    double held = *a;
    *a = *b;
    *b = held;
}

// Moves the value of rank `rank` to its place, smaller ones before it (Hoare's selection).
static double select_rank(double *values, uint32_t count, uint32_t rank) {
    uint32_t begin = 0, last = count - 1;
    while (begin < last) {
        double pivot = values[begin + (last - begin) / 2];
        uint32_t i = begin, k = last;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[k] > pivot)
                k--;
            if (i >= k) break;
            swap(&values[i++], &values[k--]);
        }
        // Now [begin, i) <= pivot <= [i, last], or the two met on a pivot.
        uint32_t split = i == k && values[i] <= pivot ? i : i - 1;
        if (rank <= split)
            last = split;
        else
            begin = split + 1;
    }
    return values[rank];
}

static double median(double *values, uint32_t count) {
    double upper = select_rank(values, count, count / 2);
    if (count % 2 == 1) return upper;
    double lower = values[0];
    for (uint32_t i = 1; i < count / 2; i++)
        lower = values[i] > lower ? values[i] : lower;
    return lower + (upper - lower) / 2;
}

// ---- which points count

#define LEAST_UNEVEN 10    // steps; of fewer all count
#define LEAST_EVEN 6       // that would count; with fewer all do
#define SURELY_UNEVEN 0.01 // that they lie ever closer by chance
#define TAIL_PART 8        // of the steps, that may lie closer than the others
#define TAIL_LEAST 5       // steps
#define TAIL_SHARE 0.6     // of the usual distance: less is close

// The distances of steps, of many those of parts of them: how many.
static uint32_t list_distances(const int64_t *times_ms, uint32_t count, int64_t *distances) {
    const uint32_t all = count - 1, parts = all < MOST_POINTS ? all : MOST_POINTS;
    for (uint32_t i = 0; i < parts; i++) {
        const uint32_t from = (uint32_t)((uint64_t)i * all / parts);
        const uint32_t to = (uint32_t)((uint64_t)(i + 1) * all / parts);
        distances[i] = (times_ms[to] - times_ms[from]) / (int64_t)(to - from);
    }
    return parts;
}

static double find_quantile(const int64_t *distances, uint32_t count, uint32_t rank) {
    double sorted[MOST_POINTS] = {0};
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = (double)distances[i];
    return select_rank(sorted, count, rank);
}

// If steps lie ever closer together, or ever farther apart, the distance of those that count: the
// upper quartile; else 0.
static int64_t find_distance(const int64_t *times_ms, uint32_t count) {
    int64_t distances[MOST_POINTS];
    if (count < LEAST_UNEVEN) return 0;
    const uint32_t parts = list_distances(times_ms, count, distances);
    const uint32_t tail = parts / TAIL_PART > TAIL_LEAST ? parts / TAIL_PART : TAIL_LEAST;
    const double usual = find_quantile(distances, parts, parts / 2);
    const double last = find_quantile(distances + parts - tail, tail, tail / 2);
    bool is_uneven = last < TAIL_SHARE * usual ||
                     mc_mann_kendall_compute(distances, parts).p_value < SURELY_UNEVEN;
    return is_uneven ? (int64_t)find_quantile(distances, parts, parts * 3 / 4) : 0;
}

// A step that counts, and when it should have been, so that distances are as wanted on average.
typedef struct evenly {
    uint32_t step;
    int64_t due_ms;
} evenly;

// The next one that is due, or the last one.
static evenly find_due(const int64_t *times_ms, uint32_t count, evenly from, int64_t distance) {
    evenly next = {from.step + 1, from.due_ms + distance};
    while (next.step + 1 < count && times_ms[next.step] < next.due_ms)
        next.step++;
    if (times_ms[count - 1] - times_ms[next.step] < distance / 2) next.step = count - 1;
    bool is_late = times_ms[next.step] - next.due_ms > distance;
    if (is_late || distance == 0) next.due_ms = times_ms[next.step];
    return next;
}

static uint32_t count_points(const int64_t *times_ms, uint32_t count, int64_t distance) {
    evenly at = {0, times_ms[0]};
    uint32_t all = 1;
    for (; at.step + 1 < count; all++)
        at = find_due(times_ms, count, at, distance);
    return all;
}

static void choose_points(points *p, const int64_t *times_ms, uint32_t count, bool is_crowded) {
    p->count = 0;
    if (count == 0) return;
    const evenly first = {0, times_ms[0]};
    int64_t distance = is_crowded ? find_distance(times_ms, count) : 0;
    uint32_t all = count_points(times_ms, count, distance);
    if (all < LEAST_EVEN) { // too few to tell: all count
        distance = 0;
        all = count;
    }
    p->count = all < MOST_POINTS ? all : MOST_POINTS;
    evenly at = first;
    for (uint32_t i = 0, number = 0; i < p->count; i++) {
        const uint32_t wanted =
            p->count == all ? i : (uint32_t)((uint64_t)i * (all - 1) / (MOST_POINTS - 1));
        for (; number < wanted; number++)
            at = find_due(times_ms, count, at, distance);
        p->step[i] = at.step;
    }
    compute_spans(p, times_ms);
}

// ---- slopes

static uint32_t compute_slopes(const points *p, const int64_t *values, double slopes[MOST_PAIRS]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i + 1 < p->count; i++)
        for (uint32_t k = i + 1; k < p->count; k++, count++)
            slopes[count] = (double)(values[k] - values[i]) * p->per_second[count];
    return count;
}

static double compute_slope(const points *p, const int64_t *values) {
    assert(p->count > 1);
    double slopes[MOST_PAIRS];
    uint32_t count = compute_slopes(p, values, slopes);
    return median(slopes, count);
}

// How many times as many points would tell as much as these, whose residuals remember.
static double find_memory(const points *p, const int64_t *values, const int64_t *times_ms,
                          double slope) {
    double residuals[MOST_POINTS], mean = 0, squares = 0, neighbours = 0, n = p->count;
    for (uint32_t i = 0; i < p->count; i++) {
        double time_s = (double)(times_ms[p->step[i]] - times_ms[p->step[0]]) / 1000;
        residuals[i] = (double)values[i] - (double)values[0] - slope * time_s;
        mean += residuals[i] / n;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        squares += (residuals[i] - mean) * (residuals[i] - mean);
        if (i > 0) neighbours += (residuals[i] - mean) * (residuals[i - 1] - mean);
    }
    // Of few points the estimate is too small by about that (Kendall 1954).
    double share = squares > 0 ? neighbours / squares + 2 / n : 0;
    share = share < 0 ? 0 : share > MOST_MEMORY ? MOST_MEMORY : share;
    return (1 + share) / (1 - share);
}

static mc_slope estimate_slope(const points *p, const int64_t *values, const int64_t *times_ms) {
    double slopes[MOST_PAIRS], n = p->count;
    uint32_t count = compute_slopes(p, values, slopes);
    mc_slope found = {.per_s = median(slopes, count), .low = -INFINITY, .high = INFINITY};
    if (p->count < MC_GROWTH_LEAST_POINTS) return found;
    double memory = find_memory(p, values, times_ms, found.per_s);
    double spread = CERTAINTY_NORMAL * sqrt(memory * n * (n - 1) * (2 * n + 5) / 18);
    if (spread >= count) return found;
    uint32_t low = (uint32_t)((count - spread) / 2);
    found.low = select_rank(slopes, count, low);
    found.high = select_rank(slopes, count, count - 1 - low);
    return found;
}

// Sums of groups may be more than any group has.
static int64_t clamp(uint64_t value) {
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

// Of the values that are known; the others are MC_COUNT_UNKNOWN.
static bool choose_known(points *known, const points *all, const int64_t *times_ms,
                         const uint64_t *values, int64_t *chosen) {
    known->count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (values[i] == MC_COUNT_UNKNOWN) continue;
        chosen[known->count] = clamp(values[i]);
        known->step[known->count++] = all->step[i];
    }
    bool are_all = known->count == all->count;
    if (!are_all) compute_spans(known, times_ms);
    return are_all;
}

static bool is_constant(const int64_t *values, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        if (values[i] != values[0]) return false;
    return true;
}

static mc_trend compute(const points *p, const int64_t *values) {
    mc_trend trend = {.p_value = 1};
    if (p->count < 2 || is_constant(values, p->count)) return trend;
    mc_mann_kendall test = mc_mann_kendall_compute(values, p->count);
    trend.p_value = test.p_value;
    trend.slope_per_s = compute_slope(p, values);
    trend.growth = mc_growth_judge(values, p->count);
    trend.growth.since = p->step[trend.growth.since];
    trend.growth.until = p->step[trend.growth.until];
    trend.look_again_s = trend.growth.halving_points / p->per_second[p->count - 2] / (p->count - 1);
    bool shrinks = test.p_value < MC_TREND_SIGNIFICANCE && test.s < 0 && trend.slope_per_s < 0;
    trend.direction = trend.growth.kind == MC_GROWTH_GOES_ON ? 1 : shrinks ? -1 : 0;
    return trend;
}

// What grows by its troughs is weighed by them.
static mc_chance_evidence weigh(const int64_t *values, uint32_t count, bool is_by_troughs) {
    uint32_t troughs[MOST_POINTS];
    int64_t floors[MOST_POINTS], lows[MOST_POINTS];
    if (count < MC_CHANCE_LEAST_POINTS || is_constant(values, count))
        return (mc_chance_evidence){0};
    if (!is_by_troughs) return mc_chance_weigh(values, count);
    uint32_t low_count = mc_growth_find_floors(values, count, troughs, floors);
    for (uint32_t i = 0; i < low_count; i++)
        lows[i] = values[troughs[i]];
    return mc_chance_weigh(lows, low_count);
}

static void choose_values(const points *p, const uint64_t *values, int64_t *chosen) {
    for (uint32_t i = 0; i < p->count; i++)
        chosen[i] = clamp(values[p->step[i]]);
}

// Of the recorders whose steps have the most since the step before, massif alone counts no objects.
bool mc_trend_is_crowded(const mc_trace *trace) {
    return mc_trace_find_metric(trace, MC_METRIC_MOST_SINCE) != MC_NONE &&
           !mc_trace_counts_objects(trace);
}

static mc_trend compute_trend(const int64_t *times_ms, const uint64_t *values, uint32_t count,
                              bool is_crowded) {
    points p;
    int64_t chosen[MOST_POINTS];
    choose_points(&p, times_ms, count, is_crowded);
    choose_values(&p, values, chosen);
    return compute(&p, chosen);
}

mc_trend mc_trend_compute(const int64_t *times_ms, const uint64_t *values, uint32_t count) {
    return compute_trend(times_ms, values, count, false);
}

mc_trend mc_trend_compute_crowded(const int64_t *times_ms, const uint64_t *values, uint32_t count) {
    return compute_trend(times_ms, values, count, true);
}

mc_slope mc_trend_estimate_slope(const int64_t *times_ms, const uint64_t *values, uint32_t count) {
    points p;
    int64_t chosen[MOST_POINTS] = {0};
    if (count < 2) return (mc_slope){0};
    choose_points(&p, times_ms, count, false);
    choose_values(&p, values, chosen);
    return estimate_slope(&p, chosen, times_ms);
}

double mc_trend_compute_slope(const int64_t *times_ms, const uint64_t *values, uint32_t count) {
    points p;
    int64_t chosen[MOST_POINTS];
    if (count < 2) return 0;
    choose_points(&p, times_ms, count, false);
    choose_values(&p, values, chosen);
    return compute_slope(&p, chosen);
}

// ---- many nodes

#define BLOCK_COUNT 131072u // nodes at a time: what bounds the memory
#define REPORT_COUNT 4096u

typedef struct block {
    const mc_trace *trace;
    mc_metric metric;
    uint32_t first_step;
    const int64_t *times_ms; // of the window's steps
    points points;
    uint64_t *step_values; // per node of the trace
    uint64_t *values;      // [point][node of the block]: counts, or MC_COUNT_UNKNOWN
    uint64_t done, total;  // progress: a unit a node, and as much for reading
    const mc_progress *progress;
} block;

static mc_result report(block *b, uint64_t done, mc_error *error) {
    b->done += done;
    if (mc_progress_report(b->progress, b->done, b->total)) return MC_OK;
    return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
}

static mc_result read_block(block *b, const uint32_t *nodes, uint32_t count, mc_error *error) {
    const mc_metric_info *info = mc_trace_get_metric(b->trace, b->metric);
    for (uint32_t i = 0; i < b->points.count; i++) {
        mc_result result = mc_trace_read_column(b->trace, b->first_step + b->points.step[i],
                                                b->metric, b->step_values, error);
        if (result != MC_OK) return result;
        uint64_t *restrict row = b->values + (size_t)i * count;
        for (uint32_t k = 0; k < count; k++) {
            uint64_t word = b->step_values[nodes[k]];
            row[k] = word == MC_COUNT_UNKNOWN ? word : mc_metric_get_count(info, word);
        }
        result = report(b, i + 1 == b->points.count ? count : 0, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static mc_result compute_block(block *b, uint32_t count, mc_trend *trends,
                               mc_chance_evidence *evidence, mc_error *error) {
    uint64_t values[MOST_POINTS];
    int64_t series[MOST_POINTS];
    points known;
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < b->points.count; i++)
            values[i] = b->values[(size_t)i * count + k];
        bool are_all = choose_known(&known, &b->points, b->times_ms, values, series);
        const points *p = are_all ? &b->points : &known;
        trends[k] = compute(p, series);
        if (evidence) evidence[k] = weigh(series, p->count, trends[k].growth.is_by_troughs);
        if ((k + 1) % REPORT_COUNT != 0 && k + 1 < count) continue;
        mc_result result = report(b, k % REPORT_COUNT + 1, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static mc_result compute_blocks(block *b, const uint32_t *nodes, uint32_t count, mc_trend *trends,
                                mc_chance_evidence *evidence, mc_error *error) {
    for (uint32_t first = 0; first < count; first += BLOCK_COUNT) {
        uint32_t size = count - first < BLOCK_COUNT ? count - first : BLOCK_COUNT;
        mc_result result = read_block(b, nodes + first, size, error);
        if (result == MC_OK)
            result =
                compute_block(b, size, trends + first, evidence ? evidence + first : NULL, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

mc_result mc_trend_weigh_nodes(const mc_trace *trace, mc_metric metric, mc_step_range window,
                               const uint32_t *nodes, uint32_t count, mc_trend *trends,
                               mc_chance_evidence *evidence, const mc_progress *progress,
                               mc_error *error) {
    assert(window.first_step <= window.last_step &&
           window.last_step < mc_trace_get_step_count(trace));
    if (count == 0) return MC_OK;
    uint32_t step_count = window.last_step - window.first_step + 1;
    uint32_t block_count = count < BLOCK_COUNT ? count : BLOCK_COUNT;
    block b = {.trace = trace,
               .metric = metric,
               .first_step = window.first_step,
               .progress = progress,
               .total = (uint64_t)count * 2};
    int64_t *times = mc_alloc(step_count, sizeof *times);
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    if (times) {
        for (uint32_t i = 0; i < step_count; i++)
            times[i] = mc_trace_get_step(trace, window.first_step + i)->time_ms;
        b.times_ms = times;
        choose_points(&b.points, times, step_count, mc_trend_is_crowded(trace));
        b.step_values = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *b.step_values);
        b.values = mc_alloc((size_t)block_count * b.points.count, sizeof *b.values);
    }
    if (b.step_values && b.values)
        result = compute_blocks(&b, nodes, count, trends, evidence, error);
    else
        mc_error_out_of_memory(error);
    mc_free(times);
    mc_free(b.step_values);
    mc_free(b.values);
    return result;
}

mc_result mc_trend_compute_nodes(const mc_trace *trace, mc_metric metric, mc_step_range window,
                                 const uint32_t *nodes, uint32_t count, mc_trend *trends,
                                 const mc_progress *progress, mc_error *error) {
    return mc_trend_weigh_nodes(trace, metric, window, nodes, count, trends, NULL, progress, error);
}
