#include "engine/analyze/mann_kendall.h"

#include <math.h>

#define LEAST_APPROXIMATED 10 // values; fewer are counted out
#define MOST_INVERSIONS (LEAST_APPROXIMATED * (LEAST_APPROXIMATED - 1) / 2)

// Kendall's S: pairs that rise minus pairs that fall.
static int32_t compute_s(const int64_t *values, uint32_t count) {
    int32_t s = 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        int64_t value = values[i];
        for (uint32_t k = i + 1; k < count; k++)
            s += (values[k] > value) - (values[k] < value);
    }
    return s;
}

// Sizes of the groups of equal values; `sizes` has room for count. Values of one are left out.
static uint32_t find_ties(const int64_t *values, uint32_t count, uint32_t *sizes) {
    uint32_t tie_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before = 0, size = 0;
        for (uint32_t k = 0; k < count; k++) {
            before += k < i && values[k] == values[i];
            size += values[k] == values[i];
        }
        if (before == 0 && size > 1) sizes[tie_count++] = size;
    }
    return tie_count;
}

static double weigh(uint32_t n) {
    return (double)n * (n - 1) * (2.0 * n + 5);
}

static double approximate_p(int32_t s, uint32_t count, const uint32_t *ties, uint32_t tie_count) {
    double variance = weigh(count);
    for (uint32_t i = 0; i < tie_count; i++)
        variance -= weigh(ties[i]);
    variance /= 18;
    if (s == 0 || !(variance > 0)) return 1;
    return erfc((fabs((double)s) - 1) / sqrt(2 * variance));
}

// Times (1 + q + … + q^(n-1)): one element more, which may stand at any of n places.
static void multiply(int64_t *polynomial, uint32_t n) {
    for (uint32_t k = MOST_INVERSIONS; k >= n; k--)
        polynomial[k] -= polynomial[k - n];
    for (uint32_t k = 1; k <= MOST_INVERSIONS; k++)
        polynomial[k] += polynomial[k - 1];
}

static void divide(int64_t *polynomial, uint32_t n) {
    for (uint32_t k = MOST_INVERSIONS; k >= 1; k--)
        polynomial[k] -= polynomial[k - 1];
    for (uint32_t k = n; k <= MOST_INVERSIONS; k++)
        polynomial[k] += polynomial[k - n];
}

// How many orders of the values have k inversions is the k-th coefficient of the q-multinomial
// coefficient (MacMahon 1915), and S = (pairs of different values) - 2 k.
static double count_p(int32_t s, uint32_t count, const uint32_t *ties, uint32_t tie_count) {
    int64_t orders[MOST_INVERSIONS + 1] = {1}, extreme = 0, all = 0;
    int32_t pairs = (int32_t)(count * (count - 1) / 2);
    for (uint32_t n = 2; n <= count; n++)
        multiply(orders, n);
    for (uint32_t i = 0; i < tie_count; i++) {
        pairs -= (int32_t)(ties[i] * (ties[i] - 1) / 2);
        for (uint32_t n = 2; n <= ties[i]; n++)
            divide(orders, n);
    }
    int32_t least = s < 0 ? -s : s;
    for (int32_t k = 0; k <= pairs; k++) {
        int32_t distance = pairs - 2 * k;
        all += orders[k];
        if (distance >= least || -distance >= least) extreme += orders[k];
    }
    return (double)extreme / (double)all;
}

mc_mann_kendall mc_mann_kendall_compute(const int64_t *values, uint32_t count) {
    uint32_t ties[MC_MANN_KENDALL_MOST];
    uint32_t tie_count = find_ties(values, count, ties);
    int32_t s = compute_s(values, count);
    return (mc_mann_kendall){s, count < LEAST_APPROXIMATED
                                    ? count_p(s, count, ties, tie_count)
                                    : approximate_p(s, count, ties, tie_count)};
}
