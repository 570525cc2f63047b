#include "engine/analyze/unit_shares.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MOST MC_UNIT_SHARES_MOST
#define MOST_ROUNDS (3 * MOST)

// The normal equations: products of the units with each other and with the group.
typedef struct equations {
    uint32_t count;
    double products[MOST][MOST], wanted[MOST];
} equations;

static double multiply(const double *a, const double *b, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void set_equations(equations *e, const double *const *units, uint32_t unit_count,
                          const double *values, uint32_t count) {
    e->count = unit_count;
    for (uint32_t i = 0; i < unit_count; i++) {
        e->wanted[i] = multiply(units[i], values, count);
        for (uint32_t k = 0; k <= i; k++)
            e->products[i][k] = e->products[k][i] = multiply(units[i], units[k], count);
    }
}

// Solves for the free unknowns alone, by Cholesky; the others are 0. False: they depend on each
// other.
static bool solve(const equations *e, const bool *is_free, double *x) {
    uint32_t index[MOST] = {0}, n = 0;
    double lower[MOST][MOST], y[MOST];
    for (uint32_t i = 0; i < e->count; i++)
        if (is_free[i]) index[n++] = i;
    memset(x, 0, e->count * sizeof *x);
    for (uint32_t i = 0; i < n; i++) {
        double rest = e->wanted[index[i]];
        for (uint32_t k = 0; k <= i; k++) {
            double sum = e->products[index[i]][index[k]];
            for (uint32_t m = 0; m < k; m++)
                sum -= lower[i][m] * lower[k][m];
            if (k == i && sum <= 1e-9 * e->products[index[i]][index[i]]) return false;
            lower[i][k] = k == i ? sqrt(sum) : sum / lower[k][k];
            if (k < i) rest -= lower[i][k] * y[k];
        }
        y[i] = rest / lower[i][i];
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; k++)
            y[i] -= lower[k][i] * x[index[k]];
        x[index[i]] = y[i] / lower[i][i];
    }
    return true;
}

// The unknown at 0 that would lower the error the most; the count of unknowns: none would.
static uint32_t choose(const equations *e, const bool *is_free, const bool *is_barred,
                       const double *x) {
    uint32_t best = e->count;
    double most = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        if (is_free[i] || is_barred[i]) continue;
        double gradient = e->wanted[i] - multiply(e->products[i], x, e->count);
        if (gradient <= most || gradient <= 1e-9 * e->products[i][i]) continue;
        most = gradient;
        best = i;
    }
    return best;
}

// Goes from x towards `next` until the first unknown is 0, which is free no more. False: none is.
static bool step_back(const equations *e, bool *is_free, double *x, const double *next) {
    double part = 1;
    uint32_t bound = e->count;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!is_free[i] || next[i] > 0 || x[i] / (x[i] - next[i]) > part) continue;
        part = x[i] / (x[i] - next[i]);
        bound = i;
    }
    if (bound == e->count) return false;
    for (uint32_t i = 0; i < e->count; i++)
        x[i] = fmax(0, x[i] + part * (next[i] - x[i]));
    x[bound] = 0;
    is_free[bound] = false;
    return true;
}

static void minimize(const equations *e, double *x) {
    bool is_free[MOST] = {0}, is_barred[MOST] = {0};
    double next[MOST];
    for (uint32_t round = 0; round < MOST_ROUNDS; round++) {
        uint32_t added = choose(e, is_free, is_barred, x);
        if (added == e->count) return;
        is_free[added] = true;
        if (!solve(e, is_free, next) || next[added] <= 0) {
            is_free[added] = false;
            is_barred[added] = true; // as good as those that are free
            continue;
        }
        while (step_back(e, is_free, x, next))
            if (!solve(e, is_free, next)) return;
        memcpy(x, next, e->count * sizeof *x);
    }
}

double mc_unit_shares_find(const double *const *units, uint32_t unit_count, const double *values,
                           uint32_t count, double *per_unit) {
    assert(unit_count <= MOST);
    equations e;
    set_equations(&e, units, unit_count, values, count);
    memset(per_unit, 0, unit_count * sizeof *per_unit);
    minimize(&e, per_unit);
    double left = 0, moved = 0;
    for (uint32_t i = 0; i < count; i++) {
        double rest = values[i];
        for (uint32_t k = 0; k < unit_count; k++)
            rest -= per_unit[k] * units[k][i];
        left += fabs(rest);
        moved += fabs(values[i]);
    }
    return moved > 0 ? left / moved : 0;
}
