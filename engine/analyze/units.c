#include "engine/analyze/units.h"

#include "engine/analyze/unit_movers.h"
#include "engine/analyze/unit_shares.h"
#include "engine/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LEADERS 1024
#define MOST_RESIDUAL 0.03    // of what a group moves: it follows
#define MOST_UNEXPLAINED 0.05 // likewise: it is a sum of units
#define LEAST_EQUAL 100       // objects: where only equal growth counts
#define LEAST_INCREMENTS 3    // for proportions
#define STEADY 0.1            // a variation below which two leaks may look alike
#define LEAST_PER_UNIT 0.01   // objects: less says nothing of a unit
#define LEAST_PART 0.02       // of a group's growth: a share that is told
#define LEAST_OF_HEAP 0.001   // of its growth: a group that stands for itself and is told

// What becomes a unit: a range of `order`.
typedef struct draft {
    uint32_t first, count;
    uint32_t leader, base; // movers
    uint32_t part_count;   // those it shares counted
    int64_t bytes;
} draft;

typedef struct share {
    uint32_t draft;
    mc_unit_part part;
} share;

typedef struct search {
    const mc_trace *trace;
    mc_unit_movers movers;
    uint32_t increment_count;
    uint32_t *leader_of; // of each mover; MC_NONE: it stands for itself
    uint32_t *order;     // movers, a leader's stand together
    draft *drafts;
    share *shares;
    uint32_t draft_count;
    size_t share_count, share_capacity;
} search;

// ---- who follows whom

// How much of what the group moves is left if its increments were a multiple of the leader's; more
// than MOST_RESIDUAL: it does not follow.
static double measure(const search *s, uint32_t mover, uint32_t leader) {
    const double *d = mc_unit_movers_get_increments(&s->movers, mover);
    const double *l = mc_unit_movers_get_increments(&s->movers, leader);
    const mc_unit_mover *group = &s->movers.items[mover];
    bool is_short = s->increment_count < LEAST_INCREMENTS;
    double product = 0, left = 0, most = is_short ? 0 : MOST_RESIDUAL * group->moved;
    for (uint32_t i = 0; i < s->increment_count; i++)
        product += d[i] * l[i];
    double ratio = is_short ? 1 : product / s->movers.items[leader].square;
    if (ratio <= 0 || (is_short && group->grown < LEAST_EQUAL)) return 1;
    for (uint32_t i = 0; i < s->increment_count && left <= most; i++)
        left += fabs(d[i] - ratio * l[i]);
    return left <= most ? left / group->moved : 1;
}

// Which of the first movers follow which: a bit each, of a row for each leader.
static void set_followers(const search *s, uint32_t count, uint64_t *bits) {
    uint32_t words = (count + 63) / 64;
    for (uint32_t leader = 0; leader < count; leader++)
        for (uint32_t mover = 0; mover < count; mover++)
            if (mover == leader || measure(s, mover, leader) <= MOST_RESIDUAL)
                bits[(size_t)leader * words + mover / 64] |= UINT64_C(1) << mover % 64;
}

static uint32_t count_followers(const uint64_t *row, const uint64_t *left, uint32_t words) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < words; i++)
        count += (uint32_t)__builtin_popcountll(row[i] & left[i]);
    return count;
}

// Those with the most followers first, which then are no leaders. Returns how many have any.
static uint32_t choose_leaders(uint32_t count, const uint64_t *bits, uint64_t *left,
                               uint32_t *leaders) {
    uint32_t words = (count + 63) / 64, leader_count = 0;
    for (uint32_t i = 0; i < count; i++)
        left[i / 64] |= UINT64_C(1) << i % 64;
    for (;;) {
        uint32_t best = 0, most = 1;
        for (uint32_t i = 0; i < count; i++) {
            if (!(left[i / 64] >> i % 64 & 1)) continue;
            uint32_t followers = count_followers(bits + (size_t)i * words, left, words);
            if (followers <= most) continue;
            most = followers;
            best = i;
        }
        if (most == 1) return leader_count;
        for (uint32_t i = 0; i < words; i++)
            left[i] &= ~bits[(size_t)best * words + i];
        leaders[leader_count++] = best;
    }
}

static void assign(search *s, const uint32_t *leaders, uint32_t leader_count) {
    for (uint32_t i = 0; i < leader_count; i++)
        s->leader_of[leaders[i]] = leaders[i];
    for (uint32_t mover = 0; mover < s->movers.count; mover++) {
        if (s->leader_of[mover] == mover) continue;
        double least = MOST_RESIDUAL;
        for (uint32_t i = 0; i < leader_count; i++) {
            double left = measure(s, mover, leaders[i]);
            if (left > least || (left == least && s->leader_of[mover] != MC_NONE)) continue;
            least = left;
            s->leader_of[mover] = leaders[i];
        }
    }
}

static mc_result find_leaders(search *s, mc_error *error) {
    uint32_t count = s->movers.count < MOST_LEADERS ? s->movers.count : MOST_LEADERS;
    uint32_t words = (count + 63) / 64;
    uint64_t *bits = mc_alloc_zero((size_t)count * words, sizeof *bits);
    uint64_t *left = mc_alloc_zero(words, sizeof *left);
    uint32_t *leaders = mc_alloc(count, sizeof *leaders);
    mc_result result = mc_error_out_of_memory(error);
    if (bits && left && leaders) {
        set_followers(s, count, bits);
        assign(s, leaders, choose_leaders(count, bits, left, leaders));
        result = MC_OK;
    }
    mc_free(bits);
    mc_free(left);
    mc_free(leaders);
    return result;
}

// ---- drafts

static double get_variation(const search *s, uint32_t mover) {
    const mc_unit_mover *group = &s->movers.items[mover];
    double mean = group->grown / s->increment_count;
    double variance = group->square / s->increment_count - mean * mean;
    return sqrt(fmax(variance, 0)) / mean;
}

static bool is_multiple(const search *s, uint32_t mover, uint32_t base) {
    double ratio = s->movers.items[mover].grown / s->movers.items[base].grown;
    return round(ratio) >= 1 && fabs(ratio - round(ratio)) <= 0.02 * fmax(1, ratio / 4);
}

// The mover of the range of which most others are whole multiples; of several, the one that has
// grown the most.
static uint32_t choose_base(const search *s, const draft *d) {
    uint32_t best = MC_NONE, most = 0;
    for (uint32_t i = d->first; i < d->first + d->count; i++) {
        uint32_t count = 0;
        for (uint32_t k = d->first; k < d->first + d->count; k++)
            count += is_multiple(s, s->order[k], s->order[i]);
        const mc_unit_mover *items = s->movers.items;
        if (count < most ||
            (count == most && best != MC_NONE && items[s->order[i]].grown <= items[best].grown))
            continue;
        most = count;
        best = s->order[i];
    }
    return best;
}

// Moves the base's multiples to the range's begin; returns how many they are.
static uint32_t part(search *s, const draft *d, uint32_t base) {
    uint32_t count = 0;
    for (uint32_t i = d->first; i < d->first + d->count; i++) {
        if (!is_multiple(s, s->order[i], base)) continue;
        uint32_t held = s->order[i];
        s->order[i] = s->order[d->first + count];
        s->order[d->first + count++] = held;
    }
    return count;
}

// Groups of one leader are one draft, or, where rates hardly vary, one for each set of multiples.
static void add_drafts(search *s, uint32_t first, uint32_t count) {
    uint32_t leader = s->leader_of[s->order[first]];
    while (count > 0) {
        draft d = {.first = first, .count = count, .leader = leader};
        d.base = choose_base(s, &d);
        if (leader == MC_NONE)
            d.leader = d.base;
        else if (get_variation(s, leader) < STEADY)
            d.count = part(s, &d, d.base);
        d.part_count = d.count;
        for (uint32_t i = first; i < first + d.count; i++)
            d.bytes += s->movers.items[s->order[i]].bytes;
        s->drafts[s->draft_count++] = d;
        first += d.count;
        count -= d.count;
    }
}

static int compare_by_leader(const void *a, const void *b, void *user) {
    const uint32_t *leader_of = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (leader_of[x] != leader_of[y]) return leader_of[x] < leader_of[y] ? -1 : 1;
    return x < y ? -1 : 1;
}

static void find_drafts(search *s) {
    uint32_t count = s->movers.count;
    for (uint32_t i = 0; i < count; i++)
        s->order[i] = i;
    qsort_r(s->order, count, sizeof *s->order, compare_by_leader, s->leader_of);
    for (uint32_t i = 0, k; i < count; i = k) {
        uint32_t leader = s->leader_of[s->order[i]];
        for (k = i + 1; k < count && leader != MC_NONE && s->leader_of[s->order[k]] == leader;
             k++) {
        }
        add_drafts(s, i, k - i);
    }
}

// ---- shares

static int compare_drafts(const void *a, const void *b) {
    const draft *x = a, *y = b;
    bool is_alone[2] = {x->count == 1, y->count == 1};
    if (is_alone[0] != is_alone[1]) return is_alone[0] ? 1 : -1;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return x->base < y->base ? -1 : 1;
}

// Several units at most, and fewer than half as many as there are increments: more explain
// anything.
static uint32_t get_basis_count(const search *s) {
    uint32_t most = s->increment_count / 2, count = 0;
    most = most < MC_UNIT_SHARES_MOST ? most : MC_UNIT_SHARES_MOST;
    while (count < most && count < s->draft_count && s->drafts[count].count > 1)
        count++;
    return count;
}

static double get_units(const search *s, const draft *d) {
    return s->movers.items[d->base].grown;
}

// Gives the group's growth to the units of which it is a sum. Returns false if memory is out.
static bool add_shares(search *s, draft *alone, const double *per_unit, uint32_t basis_count) {
    const mc_unit_mover *group = &s->movers.items[alone->base];
    double told[MC_UNIT_SHARES_MOST], sum = 0;
    uint32_t told_count = 0;
    for (uint32_t k = 0; k < basis_count; k++) {
        told[k] = per_unit[k] * get_units(s, &s->drafts[k]);
        sum += told[k];
        bool is_told = per_unit[k] >= LEAST_PER_UNIT && told[k] >= LEAST_PART * group->grown;
        told_count += is_told;
        if (!is_told) told[k] = 0;
    }
    for (uint32_t k = 0; k < basis_count; k++) {
        if (told[k] <= 0) continue;
        share added = {.draft = k,
                       .part = {.node = group->node,
                                .per_unit = per_unit[k],
                                .is_shared = told_count > 1,
                                .share = fmin(1, told[k] / group->grown),
                                .objects = (int64_t)round(told[k]),
                                .bytes = (int64_t)((double)group->bytes * told[k] / sum)}};
        if (!mc_reserve(&s->shares, &s->share_capacity, s->share_count + 1, sizeof added))
            return false;
        s->shares[s->share_count++] = added;
        s->drafts[k].part_count++;
    }
    alone->count = told_count > 0 ? 0 : 1;
    return true;
}

static mc_result find_shares(search *s, mc_error *error) {
    if (s->draft_count > 0) qsort(s->drafts, s->draft_count, sizeof *s->drafts, compare_drafts);
    uint32_t basis_count = get_basis_count(s);
    double increments[MC_UNIT_SHARES_MOST][MC_UNITS_MOST_POINTS], per_unit[MC_UNIT_SHARES_MOST];
    const double *units[MC_UNIT_SHARES_MOST];
    for (uint32_t k = 0; k < basis_count; k++) {
        const draft *d = &s->drafts[k];
        const double *leader = mc_unit_movers_get_increments(&s->movers, d->leader);
        double one = get_units(s, d) / s->movers.items[d->leader].grown;
        for (uint32_t i = 0; i < s->increment_count; i++)
            increments[k][i] = leader[i] * one;
        units[k] = increments[k];
    }
    for (uint32_t i = basis_count; i < s->draft_count && basis_count > 0; i++) {
        draft *d = &s->drafts[i];
        if (d->count != 1) continue;
        const double *values = mc_unit_movers_get_increments(&s->movers, d->base);
        double left = mc_unit_shares_find(units, basis_count, values, s->increment_count, per_unit);
        if (left <= MOST_UNEXPLAINED && !add_shares(s, d, per_unit, basis_count))
            return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

// ---- units

static mc_trend compute_trend(const search *s, uint32_t mover) {
    const double *increments = mc_unit_movers_get_increments(&s->movers, mover);
    int64_t times[MC_UNITS_MOST_POINTS];
    uint64_t values[MC_UNITS_MOST_POINTS];
    double value = s->movers.items[mover].first;
    for (uint32_t i = 0; i < s->movers.point_count; i++) {
        value += i > 0 ? increments[i - 1] : 0;
        times[i] = mc_trace_get_step(s->trace, s->movers.steps[i])->time_ms;
        values[i] = (uint64_t)value;
    }
    mc_trend trend = mc_trend_compute(times, values, s->movers.point_count);
    trend.growth.since = s->movers.steps[trend.growth.since] - s->movers.steps[0];
    trend.growth.until = s->movers.steps[trend.growth.until] - s->movers.steps[0];
    return trend;
}

static int compare_parts(const void *a, const void *b) {
    const mc_unit_part *x = a, *y = b;
    if (x->per_unit != y->per_unit) return x->per_unit < y->per_unit ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

static int compare_units(const void *a, const void *b) {
    const mc_growth_unit *x = a, *y = b;
    bool grow[2] = {x->trend.direction > 0, y->trend.direction > 0};
    if (grow[0] != grow[1]) return grow[0] ? -1 : 1;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return x->base < y->base ? -1 : 1;
}

static void set_own_parts(const search *s, const draft *d, mc_unit_part *parts) {
    for (uint32_t i = 0; i < d->count; i++) {
        const mc_unit_mover *group = &s->movers.items[s->order[d->first + i]];
        parts[i] = (mc_unit_part){.node = group->node,
                                  .per_unit = group->grown / get_units(s, d),
                                  .share = 1,
                                  .objects = (int64_t)group->grown,
                                  .bytes = group->bytes};
    }
    qsort(parts, d->count, sizeof *parts, compare_parts);
}

static bool is_told(const search *s, const draft *d) {
    return d->count > 1 || (d->count == 1 && d->bytes > 0 &&
                            (double)d->bytes >= LEAST_OF_HEAP * (double)s->movers.bytes);
}

static mc_growth_unit make_unit(const search *s, uint32_t draft_index, mc_unit_part *parts) {
    const draft *d = &s->drafts[draft_index];
    uint32_t count = d->count;
    mc_growth_unit unit = {.parts = parts,
                           .own_count = d->count,
                           .base = s->movers.items[d->base].node,
                           .count = (uint64_t)get_units(s, d),
                           .variation = get_variation(s, d->leader),
                           .trend = compute_trend(s, d->base)};
    set_own_parts(s, d, parts);
    for (size_t i = 0; i < s->share_count; i++)
        if (s->shares[i].draft == draft_index) parts[count++] = s->shares[i].part;
    unit.part_count = count;
    for (uint32_t i = 0; i < count; i++)
        unit.bytes += parts[i].bytes;
    return unit;
}

static mc_result make_units(const search *s, mc_units *units, mc_error *error) {
    size_t part_count = 0, unit_count = 0;
    for (uint32_t i = 0; i < s->draft_count; i++) {
        if (!is_told(s, &s->drafts[i])) continue;
        part_count += s->drafts[i].part_count;
        unit_count++;
    }
    if (unit_count == 0) return MC_OK;
    units->parts = mc_alloc(part_count, sizeof *units->parts);
    units->items = mc_alloc(unit_count, sizeof *units->items);
    if (!units->parts || !units->items) return mc_error_out_of_memory(error);
    mc_unit_part *next = units->parts;
    for (uint32_t i = 0; i < s->draft_count; i++) {
        if (!is_told(s, &s->drafts[i])) continue;
        mc_growth_unit *unit = &units->items[units->count++];
        *unit = make_unit(s, i, next);
        next += unit->part_count;
        units->own_bytes += unit->bytes;
    }
    qsort(units->items, units->count, sizeof *units->items, compare_units);
    return MC_OK;
}

// ----

static mc_result find_units(search *s, mc_units *units, mc_error *error) {
    uint32_t count = s->movers.count;
    s->increment_count = s->movers.point_count - 1;
    s->leader_of = mc_alloc(count, sizeof *s->leader_of);
    s->order = mc_alloc(count, sizeof *s->order);
    s->drafts = mc_alloc(count, sizeof *s->drafts);
    if (!s->leader_of || !s->order || !s->drafts) return mc_error_out_of_memory(error);
    memset(s->leader_of, 0xff, count * sizeof *s->leader_of);
    mc_result result = find_leaders(s, error);
    if (result != MC_OK) return result;
    find_drafts(s);
    result = find_shares(s, error);
    return result == MC_OK ? make_units(s, units, error) : result;
}

mc_result mc_units_find(const mc_trace *trace, mc_step_range window, const mc_progress *progress,
                        mc_units *units, mc_error *error) {
    search s = {.trace = trace};
    *units = (mc_units){0};
    mc_result result = mc_unit_movers_read(trace, window, progress, &s.movers, error);
    if (result == MC_OK && s.movers.count > 0) result = find_units(&s, units, error);
    units->mover_count = s.movers.count;
    units->all_mover_count = s.movers.all_count;
    units->bytes = s.movers.bytes;
    mc_unit_movers_deinit(&s.movers);
    mc_free(s.leader_of);
    mc_free(s.order);
    mc_free(s.drafts);
    mc_free(s.shares);
    if (result != MC_OK) mc_units_deinit(units);
    return result;
}

void mc_units_deinit(mc_units *units) {
    mc_free(units->items);
    mc_free(units->parts);
    *units = (mc_units){0};
}

uint32_t mc_units_get_own(const mc_units *units, uint32_t node) {
    for (uint32_t i = 0; i < units->count; i++)
        for (uint32_t k = 0; k < units->items[i].own_count; k++)
            if (units->items[i].parts[k].node == node) return i;
    return MC_NONE;
}
