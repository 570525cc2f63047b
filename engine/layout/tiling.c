#include "engine/layout/tiling.h"

#include <math.h>

enum { AXIS_X, AXIS_Y };

// What may stand for a position between `low` and `high`: itself, but for what is no number or out
// of bounds.
static double keep_between(double position, double low, double high, double slack) {
    if (!(position >= low - slack)) return low;
    if (!(position <= high + slack)) return high;
    return position;
}

static mc_cut make_cut(double position, uint32_t left_count, uint32_t axis, uint32_t is_row) {
    return (mc_cut){(float)position, left_count & 0x3fffffffu, axis & 1u, is_row & 1u};
}

// Lays the siblings [first, first + count), whose values sum up to `value`, side by side along
// `axis`.
static void place_row(const mc_siblings *siblings, uint32_t first, uint32_t count, double value,
                      mc_rect area, uint32_t axis, mc_cut *cuts) {
    double low = axis == AXIS_X ? area.x0 : area.y0, high = axis == AXIS_X ? area.x1 : area.y1;
    double scale = value != 0 ? (high - low) / value : 0;
    double position = low, start = low;
    const double *values = siblings->values + first;
    mc_rect *plots = siblings->plots + first;
    for (uint32_t i = 0; i < count; i++) {
        position += values[i] * scale;
        double end = keep_between(position, start, high, siblings->slack);
        if (axis == AXIS_X)
            plots[i] = (mc_rect){start, area.y0, end, area.y1};
        else
            plots[i] = (mc_rect){area.x0, start, area.x1, end};
        if (cuts && i + 1 < count) cuts[i] = make_cut(end, 1, axis, 1);
        start = end;
    }
}

// JavaScript's Math.max: NaN if either is.
static double max_or_nan(double a, double b) {
    return a > b || isnan(a) ? a : b;
}

// Where the row ends that begins at `first`: after the child that makes its worst aspect ratio
// best. Values descend, so that the row's first is its largest and its last its smallest. `alpha`
// as in the paper: the ratio of the free rectangle's sides by the weight that goes there.
static uint32_t find_row_end(const mc_siblings *siblings, uint32_t first, double alpha,
                             double *row_value) {
    const double *values = siblings->values;
    uint32_t count = siblings->count;
    double sum = values[first], largest = sum;
    uint32_t end = sum != 0 ? first + 1 : count; // only zeros follow a zero
    double beta = sum * sum * alpha;
    double worst = max_or_nan(largest / beta, beta / sum);
    for (; end < count; end++) {
        double longer = sum + values[end];
        beta = longer * longer * alpha;
        double ratio = max_or_nan(largest / beta, beta / values[end]);
        if (ratio > worst) {
            // Not plainly `sum`: what d3 goes on with has been added to and subtracted from.
            sum = longer - values[end];
            break;
        }
        sum = longer;
        worst = ratio;
    }
    *row_value = sum;
    return end;
}

static void place_squarified(const mc_siblings *siblings) {
    const double golden = (1 + sqrt(5)) / 2;
    mc_rect rest = siblings->area;
    mc_cut *cuts = siblings->cuts;
    double value = siblings->total, sum, slack = siblings->slack;
    for (uint32_t first = 0, end; first < siblings->count; first = end) {
        double dx = rest.x1 - rest.x0, dy = rest.y1 - rest.y0;
        double alpha = max_or_nan(dy / dx, dx / dy) / (value * golden);
        end = find_row_end(siblings, first, alpha, &sum);
        bool is_last = end == siblings->count, lies_flat = dx < dy;
        mc_rect row = rest;
        // The rest of the values may have been lost to rounding; then the row takes what there is
        // left, and so do, in d3, the rows that follow.
        if (lies_flat && value != 0) {
            row.y1 = keep_between(rest.y0 + dy * sum / value, rest.y0, rest.y1, slack);
            rest.y0 = row.y1;
        } else if (value != 0) {
            row.x1 = keep_between(rest.x0 + dx * sum / value, rest.x0, rest.x1, slack);
            rest.x0 = row.x1;
        } else if (slack == 0) {
            rest = (mc_rect){rest.x1, rest.y1, rest.x1, rest.y1};
        }
        if (cuts && !is_last) {
            *cuts++ =
                make_cut(lies_flat ? row.y1 : row.x1, end - first, lies_flat ? AXIS_Y : AXIS_X, 0);
        }
        place_row(siblings, first, end - first, sum, row, lies_flat ? AXIS_X : AXIS_Y, cuts);
        if (cuts) cuts += end - first - 1;
        value -= sum;
    }
}

// Siblings [begin, end) that share `area`.
typedef struct part {
    uint32_t begin, end, first_cut;
    double value;
    mc_rect area;
} part;

// Where the part is best halved, by a binary search over the sums.
static uint32_t find_half(const double *sums, const part *whole) {
    double target = whole->value / 2 + sums[whole->begin];
    uint32_t k = whole->begin + 1, high = whole->end - 1;
    while (k < high) {
        uint32_t middle = k + (high - k) / 2;
        if (sums[middle] < target)
            k = middle + 1;
        else
            high = middle;
    }
    if (target - sums[k - 1] < sums[k] - target && whole->begin + 1 < k) k--;
    return k;
}

// Cuts the longer side of `whole` and makes of it its first part; returns the second.
static part cut_in_two(const mc_siblings *siblings, part *whole) {
    uint32_t k = find_half(siblings->sums, whole);
    double left = siblings->sums[k] - siblings->sums[whole->begin], value = whole->value;
    double right = value - left;
    mc_rect area = whole->area;
    part rest = {k, whole->end, whole->first_cut + k - whole->begin, right, area};
    double position;
    uint32_t axis;
    if (area.x1 - area.x0 > area.y1 - area.y0) {
        position = value != 0 ? (area.x0 * right + area.x1 * left) / value : area.x1;
        position = keep_between(position, area.x0, area.x1, siblings->slack);
        axis = AXIS_X;
        whole->area.x1 = rest.area.x0 = position;
    } else {
        position = value != 0 ? (area.y0 * right + area.y1 * left) / value : area.y1;
        position = keep_between(position, area.y0, area.y1, siblings->slack);
        axis = AXIS_Y;
        whole->area.y1 = rest.area.y0 = position;
    }
    if (siblings->cuts) {
        siblings->cuts[whole->first_cut] = make_cut(position, k - whole->begin, axis, 0);
    }
    whole->end = k;
    whole->value = left;
    whole->first_cut++;
    return rest;
}

// Goes on with the smaller part and puts off the larger one, so that log2(n) parts wait at most.
static void place_binary(const mc_siblings *siblings) {
    double *sums = siblings->sums, sum = 0;
    sums[0] = 0;
    for (uint32_t i = 0; i < siblings->count; i++)
        sums[i + 1] = sum += siblings->values[i];

    part waiting[32], now = {0, siblings->count, 0, siblings->total, siblings->area};
    uint32_t waiting_count = 0;
    for (;;) {
        while (now.end - now.begin > 1) {
            part rest = cut_in_two(siblings, &now);
            bool rest_is_smaller = rest.end - rest.begin < now.end - now.begin;
            waiting[waiting_count++] = rest_is_smaller ? now : rest;
            if (rest_is_smaller) now = rest;
        }
        siblings->plots[now.begin] = now.area;
        if (waiting_count == 0) break;
        now = waiting[--waiting_count];
    }
}

void mc_tiling_place(mc_tiling tiling, const mc_siblings *siblings) {
    uint32_t axis = AXIS_X;
    switch (tiling) {
    case MC_TILING_SQUARIFY: place_squarified(siblings); return;
    case MC_TILING_BINARY: place_binary(siblings); return;
    case MC_TILING_SLICE: axis = AXIS_Y; break;
    case MC_TILING_SLICE_DICE: axis = siblings->level & 1 ? AXIS_Y : AXIS_X; break;
    default: break; // dice
    }
    place_row(siblings, 0, siblings->count, siblings->total, siblings->area, axis, siblings->cuts);
}
