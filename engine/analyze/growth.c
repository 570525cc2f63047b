#include "engine/analyze/growth.h"

#include "engine/analyze/chance.h"
#include "engine/analyze/mann_kendall.h"
#include <math.h>
#include <stdbool.h>

#define MOST MC_GROWTH_MOST_POINTS
_Static_assert(MOST <= MC_MANN_KENDALL_MOST, "a series is tested at once");

#define DROP_SHARE 0.2    // of the range: a tooth
#define STAYING_SHARE 0.5 // of the range
#define NOISY_SHARE 0.3   // … of a series beyond doubt
#define NOISY_SIGNIFICANCE 1e-4
#define EDGE_SHARE 0.05        // of the growth, before and after its phase
#define REST_SHARE 0.1         // of the phase
#define FLATTENING_SHARE 0.3   // of the first third
#define LINE_SHARE 0.85        // of the half before
#define SIGNIFICANCE 0.02      // of the whole
#define PART_SIGNIFICANCE 0.01 // of a part that was looked for
#define LEAST_PART_POINTS 8
#define PART_SHARE 0.03  // of the whole's range
#define NOISE_FACTOR 4.0 // times the mean bend of a series, for what is more than noise

#define LEAST_BEND_POINTS 8
#define SLOWER_SHARE 0.25 // of the rate at first
#define BEND_SIGNIFICANCE 0.005
#define LASTING_BEND 0.5 // of the whole bend in its end, times the length

typedef struct series {
    const int64_t *values;
    const int64_t *floors; // what stays; rises only
    const double *middles; // between the floors and the largest values so far; rises only
    uint32_t count;
} series;

static int64_t find_range(const int64_t *values, uint32_t count) {
    int64_t least = values[0], most = values[0];
    for (uint32_t i = 1; i < count; i++) {
        if (values[i] < least) least = values[i];
        if (values[i] > most) most = values[i];
    }
    return most - least;
}

// The low points between drops, the first and the last of the series among them where they are low.
// `troughs` has room for count; returns how many there are, at least one.
static uint32_t find_troughs(const int64_t *values, uint32_t count, uint32_t *troughs) {
    double drop = (double)find_range(values, count) * DROP_SHARE;
    uint32_t trough_count = 0, low = 0;
    int64_t high = values[0];
    bool is_low = true; // the lowest point since the last drop is yet to come
    for (uint32_t i = 0; i < count; i++) {
        if (is_low) {
            if (values[i] <= values[low]) low = i;
            if ((double)(values[i] - values[low]) < drop || i == low) continue;
            troughs[trough_count++] = low;
            is_low = false;
            high = values[i];
        } else {
            if (values[i] > high) high = values[i];
            if ((double)(high - values[i]) < drop) continue;
            is_low = true;
            low = i;
        }
    }
    if (is_low) troughs[trough_count++] = low;
    return trough_count;
}

// After the last trough only what rises above all that was before is new.
static void find_floors(const int64_t *values, uint32_t count, uint32_t last_trough,
                        int64_t *floors) {
    int64_t peak = values[0], floor = values[count - 1];
    for (uint32_t i = 0; i <= last_trough; i++)
        if (values[i] > peak) peak = values[i];
    for (uint32_t i = count; i-- > 0;) {
        if (values[i] < floor) floor = values[i];
        floors[i] = floor;
    }
    int64_t base = floors[last_trough];
    for (uint32_t i = last_trough + 1; i < count; i++)
        floors[i] = base + (floors[i] > peak ? floors[i] - peak : 0);
}

uint32_t mc_growth_find_floors(const int64_t *values, uint32_t count, uint32_t *troughs,
                               int64_t *floors) {
    uint32_t trough_count = find_troughs(values, count, troughs);
    find_floors(values, count, troughs[trough_count - 1], floors);
    return trough_count;
}

static void find_middles(const int64_t *values, uint32_t count, const int64_t *floors,
                         double *middles) {
    int64_t peak = values[0];
    for (uint32_t i = 0; i < count; i++) {
        if (values[i] > peak) peak = values[i];
        middles[i] = ((double)floors[i] + (double)peak) / 2;
    }
}

// ---- one series

static bool is_significant(const int64_t *values, uint32_t count, double significance) {
    if (count < MC_GROWTH_LEAST_POINTS) return false;
    mc_mann_kendall test = mc_mann_kendall_compute(values, count);
    return test.s > 0 && test.p_value < significance;
}

// How many points of (since, until] rise, and the most points from one to the next of them.
static uint32_t count_rises(const int64_t *floors, uint32_t since, uint32_t until,
                            uint32_t *longest_gap) {
    uint32_t count = 0, last = since;
    *longest_gap = 1;
    for (uint32_t i = since + 1; i <= until; i++) {
        if (floors[i] <= floors[i - 1]) continue;
        if (i - last > *longest_gap) *longest_gap = i - last;
        last = i;
        count++;
    }
    return count;
}

// Whether the second half of the points from `since` on rises nearly as much as the first.
static bool is_line(const series *s, uint32_t since) {
    uint32_t half = (s->count - 1 - since) / 2;
    double first = s->middles[since + half] - s->middles[since];
    double second = s->middles[s->count - 1] - s->middles[s->count - 1 - half];
    return half >= 2 && second > 0 && second >= LINE_SHARE * first;
}

// Noise bends a series at each point; what bends it once or twice does not count for much.
static bool is_above_noise(const series *s, uint32_t since, double amount) {
    double bend = 0;
    for (uint32_t i = since + 2; i < s->count; i++)
        bend +=
            fabs((double)s->values[i] - 2 * (double)s->values[i - 1] + (double)s->values[i - 2]);
    return amount * (s->count - since - 2) >= NOISE_FACTOR * bend;
}

static bool flattens(const series *s, uint32_t since) {
    uint32_t last = s->count - 1, third = (last - since) / 3;
    if (third == 0) return false;
    double early = s->middles[since + third] - s->middles[since];
    double late = s->middles[last] - s->middles[last - third];
    if (late >= FLATTENING_SHARE * early) return false;
    uint32_t half = since + (last - since) / 2;
    return !is_line(s, half) || !is_above_noise(s, half, s->middles[last] - s->middles[half]);
}

// ---- slower and slower

typedef struct bend {
    double slower_share; // of the rate at first, that is gone at the end; may be negative, or > 1
    double first_rate, last_rate; // per point
    double chance;                // of a line to bend down like that
    double error;                 // standard, of slower_share
} bend;

// Fits a parabola, by orthogonal polynomials. At least LEAST_BEND_POINTS.
static bend fit_bend(const int64_t *values, uint32_t count) {
    double n = count, middle = (n - 1) / 2, mean = 0, u2 = (n * n - 1) / 12, residuals[MOST];
    double line = 0, lines = 0, curve = 0, curves = 0, squares = 0, neighbours = 0;
    for (uint32_t i = 0; i < count; i++)
        mean += (double)values[i] / n;
    for (uint32_t i = 0; i < count; i++) {
        double u = i - middle, v = u * u - u2, y = (double)values[i] - mean;
        line += u * y;
        lines += u * u;
        curve += v * y;
        curves += v * v;
    }
    line /= lines;
    curve /= curves;
    for (uint32_t i = 0; i < count; i++) {
        double u = i - middle;
        residuals[i] = (double)values[i] - mean - line * u - curve * (u * u - u2);
        squares += residuals[i] * residuals[i];
        if (i > 0) neighbours += residuals[i] * residuals[i - 1];
    }
    bend found = {.first_rate = line - 2 * curve * middle, .last_rate = line + 2 * curve * middle};
    found.slower_share = found.first_rate > 0 ? 1 - found.last_rate / found.first_rate : 0;
    // Few residuals look less alike than they are.
    double alike = squares > 0 ? neighbours / squares + 2 / n : 0;
    alike = alike < 0 ? 0 : alike > 0.9 ? 0.9 : alike;
    double freedom = n - 3, error2 = squares / freedom / curves * (1 + alike) / (1 - alike);
    double t2 = error2 > 0 ? curve * curve / error2 : INFINITY;
    found.error = found.first_rate > 0 ? 4 * middle * sqrt(error2) / found.first_rate : INFINITY;
    found.chance = curve >= 0 ? 1 : mc_student_tail(sqrt(t2), freedom);
    return found;
}

static void judge_slowing(const series *s, mc_growth *growth) {
    uint32_t count = s->count - growth->since;
    if (growth->kind != MC_GROWTH_GOES_ON || count < LEAST_BEND_POINTS) return;
    bend found = fit_bend(s->values + growth->since, count);
    if (found.slower_share < SLOWER_SHARE || found.chance > BEND_SIGNIFICANCE) return;
    growth->kind = MC_GROWTH_STOPPED;
    growth->until = s->count - 1;
    growth->slower_share = found.slower_share < 1 ? found.slower_share : 1;
    double halvings = found.last_rate > 0 ? log2(found.first_rate / found.last_rate) : INFINITY;
    growth->halving_points = fmin(2 * count, fmax(count / 4.0, count / halvings));
}

static mc_growth judge(const series *s, double significance) {
    uint32_t last = s->count - 1, gap;
    int64_t first_floor = s->floors[0], last_floor = s->floors[last];
    mc_growth growth = {.amount = last_floor - first_floor, .until = last};
    double amount = (double)growth.amount;
    double range = (double)find_range(s->values, s->count);
    if (growth.amount <= 0 || amount < NOISY_SHARE * range ||
        (amount < STAYING_SHARE * range &&
         !is_significant(s->values, s->count, NOISY_SIGNIFICANCE)))
        return (mc_growth){0};
    while ((double)(s->floors[growth.since + 1] - first_floor) <= EDGE_SHARE * amount)
        growth.since++;
    double edge = EDGE_SHARE * (s->middles[last] - s->middles[0]);
    while (growth.until > growth.since + 1 &&
           s->middles[last] - s->middles[growth.until - 1] <= edge)
        growth.until--;
    uint32_t rise_count = count_rises(s->floors, growth.since, growth.until, &gap);
    double phase = growth.until - growth.since, rest = last - growth.until;
    growth.kind = MC_GROWTH_STOPPED;
    if (rest > gap && rest > 1 + REST_SHARE * phase) return growth;
    if (rise_count < MC_GROWTH_LEAST_RISES ||
        !is_significant(s->values + growth.since, s->count - growth.since, significance))
        return (mc_growth){0};
    if (!flattens(s, growth.since)) growth.kind = MC_GROWTH_GOES_ON;
    judge_slowing(s, &growth);
    return growth;
}

// ---- parts of it

// Whether what becomes slower, by `slower_share` of its rate, does so in its end as well, or may: a
// leak behind a warm-up does not.
static bool is_smooth(const series *s, uint32_t since, uint32_t divisor, double slower_share) {
    bend part = fit_bend(s->values + since, s->count - since);
    return part.slower_share + part.error > LASTING_BEND * slower_share / divisor;
}

// The last half, then the last third: what a warm-up hides. Only a line is taken for a leak.
static mc_growth judge_end(const series *s, double slower_share) {
    double least = PART_SHARE * (double)find_range(s->values, s->count);
    for (uint32_t divisor = 2; divisor <= 3; divisor++) {
        uint32_t since = s->count - s->count / divisor;
        series part = {s->values + since, s->floors + since, s->middles + since, s->count - since};
        if (part.count < LEAST_PART_POINTS) break;
        mc_growth growth = judge(&part, PART_SIGNIFICANCE);
        if (growth.kind != MC_GROWTH_GOES_ON || (double)growth.amount < least ||
            !is_line(&part, 0) || !is_above_noise(&part, 0, (double)growth.amount))
            continue;
        if (slower_share > 0 && is_smooth(s, since, divisor, slower_share)) continue;
        growth.since += since;
        growth.until += since;
        return growth;
    }
    return (mc_growth){0};
}

static mc_growth judge_troughs(const int64_t *values, const uint32_t *troughs, uint32_t count) {
    int64_t lows[MOST], floors[MOST];
    double middles[MOST];
    if (count < MC_GROWTH_LEAST_POINTS) return (mc_growth){0};
    for (uint32_t i = 0; i < count; i++)
        lows[i] = values[troughs[i]];
    find_floors(lows, count, 0, floors);
    find_middles(lows, count, floors, middles);
    mc_growth growth = judge(&(series){lows, floors, middles, count}, PART_SIGNIFICANCE);
    growth.since = troughs[growth.since];
    growth.until = troughs[growth.until];
    growth.is_by_troughs = true;
    return growth;
}

mc_growth mc_growth_judge(const int64_t *values, uint32_t count) {
    uint32_t troughs[MOST];
    int64_t floors[MOST];
    double middles[MOST];
    if (count < MC_GROWTH_LEAST_POINTS) return (mc_growth){0};
    uint32_t trough_count = find_troughs(values, count, troughs);
    find_floors(values, count, troughs[trough_count - 1], floors);
    find_middles(values, count, floors, middles);
    series whole = {values, floors, middles, count};
    mc_growth growth = judge(&whole, SIGNIFICANCE);
    if (growth.kind == MC_GROWTH_GOES_ON) return growth;
    mc_growth part = judge_end(&whole, growth.slower_share);
    if (part.kind != MC_GROWTH_GOES_ON && growth.slower_share == 0)
        part = judge_troughs(values, troughs, trough_count);
    return part.kind == MC_GROWTH_GOES_ON ? part : growth;
}
