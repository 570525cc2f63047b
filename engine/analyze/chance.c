#include "engine/analyze/chance.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define MOST_POINTS 48
#define MOST_STARTS 8
#define START_SHARE 0.7 // the next line is shorter by that
#define LEARN_ROUNDS 30
#define LESS_WEIGHT (1.0 / MC_CHANCE_SHARES)
#define LEAST_SIGNS 0.01  // of a group that is learned from
#define LEAST_CHANGES 0.3 // … of all its points
#define SIGNS_SHARE 0.2   // of the error that may be made: Bonferroni, with weights
#define FALL_SHARE 0.25   // of all rises; a saw-tooth that does not grow falls by more
#define UNKNOWN_COUNT 1.0 // of one group: groups of which nothing is known; of many, less

static const double shares[MC_CHANCE_SHARES] = {0,   0.1, 0.2, 0.3, 0.4,  0.5,
                                                0.6, 0.7, 0.8, 0.9, 0.95, 0.99};

// Sums of products of two series, from which their product under any share follows.
typedef struct product {
    double all, ends, neighbours;
} product;

static product multiply(const double *a, const double *b, uint32_t count) {
    product p = {.ends = a[0] * b[0] + a[count - 1] * b[count - 1]};
    for (uint32_t i = 0; i < count; i++)
        p.all += a[i] * b[i];
    for (uint32_t i = 1; i < count; i++)
        p.neighbours += a[i] * b[i - 1] + a[i - 1] * b[i];
    return p;
}

// In the metric of the inverse of the noise's covariance, which has three diagonals.
static double weigh(product p, double share) {
    return (1 + share * share) * p.all - share * share * p.ends - share * p.neighbours;
}

double mc_student_tail(double t, double freedom) {
    if (!(t > 0)) return 1;
    double z = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t * t / freedom));
    return erfc(z / sqrt(2)) / 2;
}

// Numbers of points of the lines that are tried.
static uint32_t choose_lines(uint32_t count, uint32_t lines[MOST_STARTS]) {
    uint32_t line_count = 0;
    for (double length = count; line_count < MOST_STARTS; length *= START_SHARE) {
        uint32_t rounded = (uint32_t)(length + 0.5);
        if (rounded < MC_CHANCE_LEAST_POINTS) break;
        if (line_count == 0 || rounded != lines[line_count - 1]) lines[line_count++] = rounded;
    }
    return line_count;
}

// What all values are multiples of: they were rounded to it.
static double find_quantum(const int64_t *values, uint32_t count) {
    int64_t common = 0;
    for (uint32_t i = 0; i < count && common != 1; i++)
        for (int64_t b = values[i]; b != 0;) {
            int64_t rest = common % b;
            common = b;
            b = rest;
        }
    return (double)common;
}

typedef struct model {
    product ones, one_line, lines, one_value, line_value, values;
    uint32_t count;
    double rounding; // variance
} model;

typedef struct fit {
    double log_likelihood, tail;
} fit;

static fit fit_share(const model *m, double share) {
    double a = weigh(m->ones, share), b = weigh(m->one_line, share), c = weigh(m->lines, share);
    double x = weigh(m->one_value, share), y = weigh(m->line_value, share);
    double z = weigh(m->values, share), determinant = a * c - b * b;
    double slope = (a * y - b * x) / determinant, base = (c * x - b * y) / determinant;
    double freedom = m->count - 2, squares = z - base * x - slope * y;
    if (!(squares > 1e-12 * z)) squares = 1e-12 * z;
    squares += m->rounding * freedom;
    return (fit){
        (log(1 - share * share) - freedom * log(squares) - log(determinant / m->lines.all)) / 2,
        mc_student_tail(slope / sqrt(squares / freedom * a / determinant), freedom)};
}

static uint32_t count_changes(const int64_t *values, uint32_t count) {
    uint32_t change_count = 0;
    for (uint32_t i = 1; i < count; i++)
        change_count += values[i] != values[i - 1];
    return change_count;
}

// The sign test (Arbuthnot 1710): of noise that remembers anything, at most half of the changes are
// rises, but of a saw-tooth.
static double test_signs(const int64_t *values, uint32_t count) {
    double rises = 0, falls = 0, chance = 0, ways = 1;
    uint32_t rise_count = 0, change_count = count_changes(values, count);
    for (uint32_t i = 1; i < count; i++) {
        double change = (double)values[i] - (double)values[i - 1];
        rise_count += change > 0;
        rises += change > 0 ? change : 0;
        falls -= change < 0 ? change : 0;
    }
    if (change_count == 0 || falls > FALL_SHARE * rises) return 1;
    for (uint32_t fall_count = 0; fall_count <= change_count - rise_count; fall_count++) {
        chance += ways;
        ways *= (double)(change_count - fall_count) / (fall_count + 1);
    }
    return ldexp(chance, -(int)change_count);
}

mc_chance_evidence mc_chance_weigh(const int64_t *values, uint32_t count) {
    assert(count >= MC_CHANCE_LEAST_POINTS && count <= MOST_POINTS);
    double ones[MOST_POINTS] = {0}, line[MOST_POINTS], centred[MOST_POINTS] = {0}, mean = 0;
    uint32_t lines[MOST_STARTS] = {0}, line_count = choose_lines(count, lines);
    fit fits[MOST_STARTS][MC_CHANCE_SHARES];
    mc_chance_evidence evidence = {.signs = test_signs(values, count)};
    evidence.change_count = count_changes(values, count);
    // What only rises, or rests most of the time, says nothing of noise.
    evidence.is_noise =
        evidence.signs >= LEAST_SIGNS && evidence.change_count >= LEAST_CHANGES * count;
    for (uint32_t i = 0; i < count; i++)
        mean += (double)values[i] / count;
    for (uint32_t i = 0; i < count; i++) {
        ones[i] = 1;
        centred[i] = (double)values[i] - mean;
    }
    double quantum = find_quantum(values, count), best = -INFINITY;
    model m = {.count = count, .rounding = quantum * quantum / 12};
    m.ones = multiply(ones, ones, count);
    m.one_value = multiply(ones, centred, count);
    m.values = multiply(centred, centred, count);
    for (uint32_t k = 0; k < line_count; k++) {
        for (uint32_t i = 0; i < count; i++)
            line[i] = i + lines[k] > count ? (double)(i + lines[k] - count) : 0;
        m.one_line = multiply(ones, line, count);
        m.lines = multiply(line, line, count);
        m.line_value = multiply(line, centred, count);
        for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++) {
            fits[k][i] = fit_share(&m, shares[i]);
            best = fmax(best, fits[k][i].log_likelihood);
        }
    }
    for (uint32_t k = 0; k < line_count; k++)
        for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++) {
            double likelihood = exp(fits[k][i].log_likelihood - best);
            evidence.likelihood[i] += likelihood;
            evidence.tail[i] += likelihood * fits[k][i].tail * line_count;
        }
    return evidence;
}

// Any group may remember less than the others do, and its own values tell: shares below the most
// common one are no rarer than if nothing were known. That one may remember more is as common as it
// was seen, for else no short series would tell of anything.
static void allow_less(mc_chance_shares *learnt) {
    uint32_t most = 0;
    double sum = 0;
    for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++)
        if (learnt->weight[i] > learnt->weight[most]) most = i;
    for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++) {
        if (i < most) learnt->weight[i] = fmax(learnt->weight[i], LESS_WEIGHT);
        sum += learnt->weight[i];
    }
    for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++)
        learnt->weight[i] /= sum;
}

mc_chance_shares mc_chance_learn(const mc_chance_evidence *evidence, uint32_t count) {
    mc_chance_shares learnt;
    double unknown = UNKNOWN_COUNT / (count > 0 ? count : 1);
    for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++)
        learnt.weight[i] = 1.0 / MC_CHANCE_SHARES;
    for (uint32_t round = 0; round < LEARN_ROUNDS; round++) {
        double sums[MC_CHANCE_SHARES], total = unknown;
        for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++)
            sums[i] = unknown / MC_CHANCE_SHARES;
        for (uint32_t k = 0; k < count; k++) {
            double all = 0;
            if (!evidence[k].is_noise) continue;
            for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++)
                all += evidence[k].likelihood[i] * learnt.weight[i];
            if (!(all > 0)) continue; // none of this group
            total++;
            for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++)
                sums[i] += evidence[k].likelihood[i] * learnt.weight[i] / all;
        }
        for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++)
            learnt.weight[i] = sums[i] / total;
    }
    allow_less(&learnt);
    return learnt;
}

double mc_chance_compute(const mc_chance_evidence *evidence, const mc_chance_shares *learnt) {
    double likelihood = 0, tail = 0;
    for (uint32_t i = 0; i < MC_CHANCE_SHARES; i++) {
        likelihood += evidence->likelihood[i] * learnt->weight[i];
        tail += evidence->tail[i] * learnt->weight[i];
    }
    if (!(likelihood > 0)) return 1;
    double chance = fmin(tail / likelihood / (1 - SIGNS_SHARE), evidence->signs / SIGNS_SHARE);
    return fmin(1, chance);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double mc_chance_find_limit(double *chances, uint32_t count, uint32_t all_count, double rate) {
    double limit = 0;
    if (count == 0) return 0;
    qsort(chances, count, sizeof *chances, compare);
    for (uint32_t i = 0; i < count; i++)
        if (chances[i] <= rate * (i + 1) / all_count) limit = chances[i];
    return limit;
}
