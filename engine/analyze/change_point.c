#include "engine/analyze/change_point.h"

#include "engine/analyze/trend.h"
#include "engine/base/memory.h"
#include <math.h>
#include <stdlib.h>

#define LEAST_RISES 6u        // of a part that is divided: of fewer nobody can say
#define LEAST_PART_RISES 2u   // of each side
#define MOST_SLOPE_SHARE 0.25 // of the steeper side's, for a change to count

typedef struct rise {
    int64_t amount;
    uint32_t index;
} rise;

// Rises are numbered from 0: number i is from point i to point i + 1.
typedef struct finder {
    uint32_t count;   // points: those of the series, or the troughs of a saw-tooth
    uint32_t *points; // where they are in the series
    int64_t *floors;
    uint64_t *slope_values; // scratch, as the trend takes it
    int64_t *times;         // likewise: the number of the point, in seconds
    rise *sorted;
    double *ranks;
    double *weights; // of a change before rise i
} finder;

static int compare_rises(const void *a, const void *b) {
    const rise *x = a, *y = b;
    if (x->amount != y->amount) return x->amount < y->amount ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

// Equal ones get the mean of their ranks.
static void rank_rises(finder *f, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        f->sorted[i] = (rise){f->floors[first + i + 1] - f->floors[first + i], i};
    qsort(f->sorted, count, sizeof *f->sorted, compare_rises);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && f->sorted[end].amount == f->sorted[i].amount; end++) {
        }
        for (uint32_t k = i; k < end; k++)
            f->ranks[f->sorted[k].index] = ((double)i + (double)end + 1) / 2;
    }
}

// The logarithm of Schwarz's weight of a model with so many means.
static double weigh(double squares, uint32_t count, uint32_t mean_count) {
    // A rank stands for all numbers that it was rounded from.
    double variance = squares / count + 1.0 / 12;
    return -(count * log(variance) + mean_count * log(count)) / 2;
}

typedef struct split {
    uint32_t at, early, late; // rises; the likeliest, and the interval
    double confidence;        // that there is a change
} split;

// The middle MC_CHANGE_INTERVAL of the weights, which sum to `sum`.
static void find_interval(const finder *f, uint32_t count, double sum, split *found) {
    double tail = (1 - MC_CHANGE_INTERVAL) / 2 * sum, before = 0;
    found->early = found->late = found->at;
    for (uint32_t i = LEAST_PART_RISES; i + LEAST_PART_RISES <= count; i++) {
        if (before <= tail && before + f->weights[i] > tail && i < found->at) found->early = i;
        before += f->weights[i];
        if (before >= sum - tail && before - f->weights[i] < sum - tail && i > found->at)
            found->late = i;
    }
}

// Of `count` rises from `first` on.
static split find_split(finder *f, uint32_t first, uint32_t count) {
    double all = 0, squares = 0, left = 0, sum = 0;
    split found = {0};
    rank_rises(f, first, count);
    double mean = ((double)count + 1) / 2;
    for (uint32_t i = 0; i < count; i++) {
        all += f->ranks[i];
        squares += (f->ranks[i] - mean) * (f->ranks[i] - mean);
    }
    double none = weigh(squares, count, 1), best = -INFINITY;
    for (uint32_t i = 1; i < count; i++) {
        left += f->ranks[i - 1];
        f->weights[i] = -INFINITY;
        if (i < LEAST_PART_RISES || count - i < LEAST_PART_RISES) continue;
        double left_mean = left / i, right_mean = (all - left) / (count - i);
        double between =
            (double)i * (count - i) / count * (left_mean - right_mean) * (left_mean - right_mean);
        f->weights[i] = weigh(squares > between ? squares - between : 0, count, 2);
        if (f->weights[i] <= best) continue;
        best = f->weights[i];
        found.at = i;
    }
    uint32_t places = count - 2 * LEAST_PART_RISES + 1;
    for (uint32_t i = LEAST_PART_RISES; i + LEAST_PART_RISES <= count; i++) {
        f->weights[i] = exp(f->weights[i] - best);
        sum += f->weights[i];
    }
    double change = sum / places;
    found.confidence = change / (change + exp(none - best));
    find_interval(f, count, sum, &found);
    return found;
}

static double find_slope(const finder *f, uint32_t first, uint32_t last) {
    return mc_trend_compute_slope(f->times, f->slope_values + first, last - first + 1);
}

static void find(finder *f, mc_change_point *change) {
    uint32_t first = 0, count = f->count;
    double likeliest = 1; // that what was looked through last has a change all the same
    while (count - 1 - first >= LEAST_RISES) {
        split found = find_split(f, first, count - 1 - first);
        likeliest = found.confidence;
        if (found.confidence < 0.5) break;
        uint32_t at = first + found.at;
        double before = find_slope(f, first, at), after = find_slope(f, at, count - 1);
        double less = before < after ? before : after, more = before < after ? after : before;
        if (after <= 0 || less >= MOST_SLOPE_SHARE * more) break;
        *change = (mc_change_point){.is_found = true,
                                    .since = f->points[at],
                                    .early = f->points[first + found.early],
                                    .late = f->points[first + found.late],
                                    .confidence = found.confidence};
        first = at;
    }
    if (!change->is_found) change->confidence = 1 - likeliest;
}

// What stays of a saw-tooth comes at its troughs; between them nothing does, which says nothing.
static void choose_points(finder *f, const int64_t *values, uint32_t count) {
    f->count = mc_growth_find_floors(values, count, f->points, f->floors);
    bool is_saw_tooth = f->count > LEAST_RISES;
    if (!is_saw_tooth) f->count = count;
    for (uint32_t i = 0; i < f->count; i++) {
        if (!is_saw_tooth) f->points[i] = i;
        f->floors[i] = f->floors[f->points[i]];
        f->slope_values[i] = (uint64_t)f->floors[i];
        f->times[i] = (int64_t)i * 1000;
    }
}

static bool prepare(finder *f, uint32_t count) {
    f->points = mc_alloc(count, sizeof *f->points);
    f->floors = mc_alloc(count, sizeof *f->floors);
    f->slope_values = mc_alloc(count, sizeof *f->slope_values);
    f->times = mc_alloc(count, sizeof *f->times);
    f->sorted = mc_alloc(count, sizeof *f->sorted);
    f->ranks = mc_alloc(count, sizeof *f->ranks);
    f->weights = mc_alloc(count, sizeof *f->weights);
    return f->points && f->floors && f->slope_values && f->times && f->sorted && f->ranks &&
           f->weights;
}

mc_result mc_change_point_find(const int64_t *values, uint32_t count, mc_change_point *change,
                               mc_error *error) {
    finder f = {0};
    *change = (mc_change_point){0};
    mc_result result = MC_OK;
    if (count < 2) return MC_OK;
    if (prepare(&f, count)) {
        choose_points(&f, values, count);
        find(&f, change);
    } else {
        result = mc_error_out_of_memory(error);
    }
    mc_free(f.points);
    mc_free(f.floors);
    mc_free(f.slope_values);
    mc_free(f.times);
    mc_free(f.sorted);
    mc_free(f.ranks);
    mc_free(f.weights);
    return result;
}
