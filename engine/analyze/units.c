#include "engine/analyze/units.h"

#include "engine/analyze/class_names.h"
#include "engine/analyze/unit_movers.h"
#include "engine/analyze/unit_shares.h"
#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LEADERS 1024
#define MOST_RESIDUAL 0.03        // of what a group moves: it follows
#define MOST_SAMPLED_RESIDUAL 0.3 // likewise, where objects were sampled
#define SAMPLING_FACTOR 1.5       // times what sampling leaves on average
#define FOLLOWS_NOT 2.0
#define SKETCH_SIZE 8
#define LEAST_FIT 0.001f
#define MOST_UNEXPLAINED 0.05 // likewise: it is a sum of units
#define MOST_JUDGED 64u       // units, the largest: whether others may be sums of them
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
    bool is_parted; // from another draft of the same leader
    bool may_share; // others may be a sum of it
    mc_trend trend; // of the base, where it may share
} draft;

typedef struct share {
    uint32_t draft;
    mc_unit_part part;
} share;

// Sums of a group's increments with signs that are the same for all, by all that it moves. Those of
// two groups that follow each other are nearly equal; of most others one is not.
typedef struct sketch {
    float sums[SKETCH_SIZE];
} sketch;

typedef struct search {
    const mc_trace *trace;
    mc_unit_movers movers;
    uint32_t increment_count;
    bool is_sampled;
    sketch *sketches;    // of each mover
    uint32_t *leader_of; // of each mover; MC_NONE: it stands for itself
    uint32_t *order;     // movers, a leader's stand together
    draft *drafts;
    share *shares;
    uint32_t draft_count;
    size_t share_count, share_capacity;
} search;

// ---- who follows whom

// What sampling may leave of an increment of the group and a multiple of the leader's, as its mean
// deviation: that of a normal distribution is sqrt(2 / pi) of its standard deviation.
static double get_chance(double increment, const mc_unit_mover *group, double led, double ratio,
                         const mc_unit_mover *leader) {
    return sqrt((fabs(increment) * group->spread + ratio * ratio * fabs(led) * leader->spread) *
                M_2_PI);
}

// How much of what the group moves may be left if it follows the leader.
static double get_most_left(const search *s, uint32_t mover, uint32_t leader, double ratio) {
    const mc_unit_mover *group = &s->movers.items[mover], *led = &s->movers.items[leader];
    if (s->increment_count < LEAST_INCREMENTS) return 0;
    double most = MOST_RESIDUAL * group->moved, chance = 0;
    if (group->spread == 0 && led->spread == 0) return most;
    const double *d = mc_unit_movers_get_increments(&s->movers, mover);
    const double *l = mc_unit_movers_get_increments(&s->movers, leader);
    for (uint32_t i = 0; i < s->increment_count; i++)
        chance += get_chance(d[i], group, l[i], ratio, led);
    return fmin(most + SAMPLING_FACTOR * chance, MOST_SAMPLED_RESIDUAL * group->moved);
}

// All 1 for the first sum.
static double get_sign(uint32_t increment, uint32_t sum) {
    uint32_t hash = (increment + 1) * 0x9e3779b1u ^ sum * 0x85ebca6bu;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    return sum > 0 && hash >> 31 ? -1 : 1;
}

static void set_sketches(search *s) {
    for (uint32_t mover = 0; mover < s->movers.count; mover++) {
        const double *d = mc_unit_movers_get_increments(&s->movers, mover);
        for (uint32_t k = 0; k < SKETCH_SIZE; k++) {
            double sum = 0;
            for (uint32_t i = 0; i < s->increment_count; i++)
                sum += get_sign(i, k) * d[i];
            s->sketches[mover].sums[k] = (float)(sum / s->movers.items[mover].moved);
        }
        s->is_sampled = s->is_sampled || s->movers.items[mover].spread > 0;
    }
}

// If no more than a part e of all that d moves is left of d - r l, then d and l, each by all that
// it moves, differ by no more than 2 e in sum.
static bool may_follow(const search *s, uint32_t mover, uint32_t leader) {
    float most = 2.01f * (float)(s->is_sampled ? MOST_SAMPLED_RESIDUAL : MOST_RESIDUAL);
    const sketch *a = &s->sketches[mover], *b = &s->sketches[leader];
    for (uint32_t k = 0; k < SKETCH_SIZE; k++)
        if (fabsf(a->sums[k] - b->sums[k]) > most) return false;
    return true;
}

// How much of what the group moves is left if its increments were a multiple of the leader's, by
// what may be left; more than 1: it does not follow.
static double measure(const search *s, uint32_t mover, uint32_t leader) {
    const double *d = mc_unit_movers_get_increments(&s->movers, mover);
    const double *l = mc_unit_movers_get_increments(&s->movers, leader);
    const mc_unit_mover *group = &s->movers.items[mover];
    bool is_short = s->increment_count < LEAST_INCREMENTS;
    double product = 0, left = 0;
    if (!is_short && !may_follow(s, mover, leader)) return FOLLOWS_NOT;
    for (uint32_t i = 0; i < s->increment_count; i++)
        product += d[i] * l[i];
    double ratio = is_short ? 1 : product / s->movers.items[leader].square;
    if (ratio <= 0 || (is_short && group->grown < LEAST_EQUAL)) return FOLLOWS_NOT;
    double most = get_most_left(s, mover, leader, ratio);
    for (uint32_t i = 0; i < s->increment_count && left <= most; i++)
        left += fabs(d[i] - ratio * l[i]);
    if (left > most) return FOLLOWS_NOT;
    return most > 0 ? left / most : 0;
}

// How well the first movers follow each other.
typedef struct fits {
    uint32_t count;
    float *of;           // [leader][mover]: 1: exactly; 0: it does not follow
    float *sums;         // per leader: of its followers and itself
    uint32_t *followers; // likewise, their number
    bool *is_left;
} fits;

static void set_fits(const search *s, fits *f) {
    for (uint32_t leader = 0; leader < f->count; leader++)
        for (uint32_t mover = 0; mover < f->count; mover++) {
            double left = mover == leader ? 0 : measure(s, mover, leader);
            if (left > 1) continue;
            float fit = (float)fmax(1 - left, LEAST_FIT);
            f->of[(size_t)leader * f->count + mover] = fit;
            f->sums[leader] += fit;
            f->followers[leader]++;
        }
}

static void take_out(fits *f, uint32_t mover) {
    f->is_left[mover] = false;
    for (uint32_t leader = 0; leader < f->count; leader++) {
        float fit = f->of[(size_t)leader * f->count + mover];
        f->sums[leader] -= fit;
        f->followers[leader] -= fit > 0;
    }
}

// Those with the most followers, and the best, first, which then are no leaders. Returns how many
// have any.
static uint32_t choose_leaders(fits *f, uint32_t *leaders) {
    uint32_t leader_count = 0;
    for (uint32_t i = 0; i < f->count; i++)
        f->is_left[i] = true;
    for (;;) {
        uint32_t best = MC_NONE;
        for (uint32_t i = 0; i < f->count; i++)
            if (f->is_left[i] && f->followers[i] > 1 &&
                (best == MC_NONE || f->sums[i] > f->sums[best] + LEAST_FIT))
                best = i;
        if (best == MC_NONE) return leader_count;
        for (uint32_t i = 0; i < f->count; i++)
            if (f->is_left[i] && f->of[(size_t)best * f->count + i] > 0) take_out(f, i);
        leaders[leader_count++] = best;
    }
}

static void assign(search *s, const uint32_t *leaders, uint32_t leader_count) {
    for (uint32_t i = 0; i < leader_count; i++)
        s->leader_of[leaders[i]] = leaders[i];
    for (uint32_t mover = 0; mover < s->movers.count; mover++) {
        if (s->leader_of[mover] == mover) continue;
        double least = 1;
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
    fits f = {.count = count,
              .of = mc_alloc_zero((size_t)count * count, sizeof *f.of),
              .sums = mc_alloc_zero(count, sizeof *f.sums),
              .followers = mc_alloc_zero(count, sizeof *f.followers),
              .is_left = mc_alloc(count, sizeof *f.is_left)};
    uint32_t *leaders = mc_alloc(count, sizeof *leaders);
    mc_result result = mc_error_out_of_memory(error);
    if (f.of && f.sums && f.followers && f.is_left && leaders) {
        set_fits(s, &f);
        assign(s, leaders, choose_leaders(&f, leaders));
        result = MC_OK;
    }
    mc_free(f.of);
    mc_free(f.sums);
    mc_free(f.followers);
    mc_free(f.is_left);
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

static bool is_whole(double per_unit) {
    return fabs(per_unit - round(per_unit)) <= 0.02 * fmax(1, per_unit / 4);
}

static bool is_multiple(const search *s, uint32_t mover, uint32_t base) {
    const mc_unit_mover *a = &s->movers.items[mover], *b = &s->movers.items[base];
    double ratio = a->grown / b->grown;
    double chance = ratio * sqrt(a->spread / a->grown + b->spread / b->grown);
    if (round(ratio) < 1) return false;
    return is_whole(ratio) || fabs(ratio - round(ratio)) <= fmin(2 * chance, 0.25);
}

// Of groups of which as many are whole multiples: the program's own, then what has grown the most.
static bool counts_better(const search *s, uint32_t a, uint32_t b) {
    const mc_unit_mover *x = &s->movers.items[a], *y = &s->movers.items[b];
    bool is_library[2] = {mc_class_is_library(s->trace, x->node),
                          mc_class_is_library(s->trace, y->node)};
    if (is_library[0] != is_library[1]) return is_library[1];
    return x->grown > y->grown;
}

// The mover of the range of which most others are whole multiples.
static uint32_t choose_base(const search *s, const draft *d) {
    uint32_t best = MC_NONE, most = 0;
    for (uint32_t i = d->first; i < d->first + d->count; i++) {
        uint32_t count = 0, mover = s->order[i];
        for (uint32_t k = d->first; k < d->first + d->count; k++)
            count += is_multiple(s, s->order[k], mover);
        if (count < most || (count == most && best != MC_NONE && !counts_better(s, mover, best)))
            continue;
        most = count;
        best = mover;
    }
    return best;
}

// What a draft keeps if others are told apart.
static bool is_kept(const search *s, uint32_t mover, uint32_t base, bool is_steady) {
    if (is_multiple(s, mover, base)) return true;
    return !is_steady && !mc_class_is_library(s->trace, s->movers.items[mover].node);
}

// Moves what the draft keeps to the range's begin; returns how many they are.
static uint32_t part(search *s, const draft *d, bool is_steady) {
    uint32_t count = 0;
    for (uint32_t i = d->first; i < d->first + d->count; i++) {
        if (!is_kept(s, s->order[i], d->base, is_steady)) continue;
        uint32_t held = s->order[i];
        s->order[i] = s->order[d->first + count];
        s->order[d->first + count++] = held;
    }
    return count;
}

static uint32_t add_draft(search *s, draft d) {
    d.part_count = d.count;
    for (uint32_t i = d.first; i < d.first + d.count; i++)
        d.bytes += s->movers.items[s->order[i]].bytes;
    s->drafts[s->draft_count++] = d;
    return d.count;
}

// Groups of one leader are one draft, or, where rates hardly vary, one for each set of multiples.
// Else only what is of the library, and no multiple, may be of several.
static void add_drafts(search *s, uint32_t first, uint32_t count) {
    uint32_t leader = s->leader_of[s->order[first]], end = first + count;
    bool is_steady = leader != MC_NONE && get_variation(s, leader) < STEADY;
    for (uint32_t i = first; i < end;) {
        draft d = {.first = i, .count = end - i, .leader = leader};
        d.base = choose_base(s, &d);
        if (leader != MC_NONE) d.count = part(s, &d, is_steady);
        d.is_parted = is_steady && d.count < count;
        i += add_draft(s, d);
        for (; !is_steady && i < end; i++)
            add_draft(s, (draft){.first = i, .count = 1, .leader = leader, .base = s->order[i]});
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

// Those of which others may be sums first.
static int compare_drafts(const void *a, const void *b) {
    const draft *x = a, *y = b;
    if (x->may_share != y->may_share) return x->may_share ? -1 : 1;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return x->base < y->base ? -1 : 1;
}

static bool keeps_growing(const draft *d) {
    return d->trend.growth.kind == MC_GROWTH_GOES_ON;
}

// What keeps growing first: of what only comes and goes a part may well be another's by chance.
static int compare_judged(const void *a, const void *b) {
    const draft *x = a, *y = b;
    if (keeps_growing(x) != keeps_growing(y)) return keeps_growing(x) ? -1 : 1;
    return compare_drafts(a, b);
}

// A class of the program's own may bring nothing but what others bring, too.
static bool may_share(const search *s, const draft *d) {
    return d->count > 1 ||
           (d->bytes > 0 && !mc_class_is_library(s->trace, s->movers.items[d->base].node));
}

// Puts first what others may be sums of: several at most, and fewer than half as many as there are
// increments: more explain anything.
static uint32_t choose_basis(search *s) {
    uint32_t most = s->increment_count / 2, count = 0, judged = 0;
    most = most < MC_UNIT_SHARES_MOST ? most : MC_UNIT_SHARES_MOST;
    for (uint32_t i = 0; i < s->draft_count; i++)
        s->drafts[i].may_share = may_share(s, &s->drafts[i]);
    if (s->draft_count > 0) qsort(s->drafts, s->draft_count, sizeof *s->drafts, compare_drafts);
    while (judged < MOST_JUDGED && judged < s->draft_count && s->drafts[judged].may_share)
        judged++;
    for (uint32_t i = 0; i < judged; i++)
        s->drafts[i].trend = compute_trend(s, s->drafts[i].base);
    if (judged > 0) qsort(s->drafts, judged, sizeof *s->drafts, compare_judged);
    while (count < most && count < judged &&
           (s->drafts[count].count > 1 || keeps_growing(&s->drafts[count])))
        count++;
    return count;
}

static double get_units(const search *s, const draft *d) {
    return s->movers.items[d->base].grown;
}

static bool add_share(search *s, uint32_t draft_index, mc_unit_part part) {
    share added = {.draft = draft_index, .part = part};
    if (!mc_reserve(&s->shares, &s->share_capacity, s->share_count + 1, sizeof added)) return false;
    s->shares[s->share_count++] = added;
    s->drafts[draft_index].part_count++;
    return true;
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
        mc_unit_part part = {.node = group->node,
                             .per_unit = per_unit[k],
                             .is_shared = told_count > 1,
                             .share = fmin(1, told[k] / group->grown),
                             .objects = mc_truncate_saturating(round(told[k])),
                             .bytes = mc_truncate_saturating((double)group->bytes * told[k] / sum)};
        if (!add_share(s, k, part)) return false;
    }
    alone->count = told_count > 0 ? 0 : 1;
    return true;
}

// What follows a unit, but is no whole number of it, and no sum: it is the unit's after all.
static bool rejoin(search *s, draft *alone) {
    const mc_unit_mover *group = &s->movers.items[alone->base];
    if (alone->leader == MC_NONE || alone->is_parted) return true;
    for (uint32_t i = 0; i < s->draft_count; i++) {
        draft *d = &s->drafts[i];
        if (d == alone || d->leader != alone->leader || d->count < 2) continue;
        alone->count = 0;
        return add_share(s, i,
                         (mc_unit_part){.node = group->node,
                                        .per_unit = group->grown / get_units(s, d),
                                        .share = 1,
                                        .objects = mc_truncate_saturating(group->grown),
                                        .bytes = group->bytes});
    }
    return true;
}

// Units that only their ratio tells apart explain a group only if each brings a whole number.
static bool are_told(const search *s, const double *per_unit, uint32_t basis_count) {
    for (uint32_t k = 0; k < basis_count; k++)
        if (per_unit[k] >= LEAST_PER_UNIT && s->drafts[k].is_parted && !is_whole(per_unit[k]))
            return false;
    return true;
}

static double get_most_unexplained(const search *s, uint32_t mover) {
    const mc_unit_mover *group = &s->movers.items[mover];
    const double *d = mc_unit_movers_get_increments(&s->movers, mover);
    double chance = 0;
    if (group->spread == 0) return MOST_UNEXPLAINED;
    for (uint32_t i = 0; i < s->increment_count; i++)
        chance += sqrt(fabs(d[i]) * group->spread * M_2_PI);
    return fmin(MOST_UNEXPLAINED + SAMPLING_FACTOR * chance / group->moved, MOST_SAMPLED_RESIDUAL);
}

static mc_result find_shares(search *s, mc_error *error) {
    uint32_t basis_count = choose_basis(s);
    double per_unit[MC_UNIT_SHARES_MOST];
    const double *units[MC_UNIT_SHARES_MOST];
    for (uint32_t k = 0; k < basis_count; k++)
        units[k] = mc_unit_movers_get_increments(&s->movers, s->drafts[k].base);
    for (uint32_t i = basis_count; i < s->draft_count; i++) {
        draft *d = &s->drafts[i];
        if (d->count != 1) continue;
        const double *values = mc_unit_movers_get_increments(&s->movers, d->base);
        double left = mc_unit_shares_find(units, basis_count, values, s->increment_count, per_unit);
        bool is_told =
            left <= get_most_unexplained(s, d->base) && are_told(s, per_unit, basis_count);
        if (!(is_told ? add_shares(s, d, per_unit, basis_count) : rejoin(s, d)))
            return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

// ---- units

static int compare_parts(const void *a, const void *b) {
    const mc_unit_part *x = a, *y = b;
    if (x->per_unit != y->per_unit) return x->per_unit < y->per_unit ? -1 : 1;
    return x->node < y->node ? -1 : 1;
}

static int compare_units(const void *a, const void *b) {
    const mc_growth_unit *x = a, *y = b;
    bool grow[2] = {x->trend.direction > 0, y->trend.direction > 0};
    if (grow[0] != grow[1]) return grow[0] ? -1 : 1;
    if (x->staying_bytes != y->staying_bytes) return x->staying_bytes > y->staying_bytes ? -1 : 1;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return x->base < y->base ? -1 : 1;
}

static void set_own_parts(const search *s, const draft *d, mc_unit_part *parts) {
    for (uint32_t i = 0; i < d->count; i++) {
        const mc_unit_mover *group = &s->movers.items[s->order[d->first + i]];
        parts[i] = (mc_unit_part){.node = group->node,
                                  .per_unit = group->grown / get_units(s, d),
                                  .share = 1,
                                  .objects = mc_truncate_saturating(group->grown),
                                  .bytes = group->bytes};
    }
    qsort(parts, d->count, sizeof *parts, compare_parts);
}

static bool is_told(const search *s, const draft *d) {
    return d->count > 1 || (d->count == 1 && d->bytes > 0 &&
                            (double)d->bytes >= LEAST_OF_HEAP * (double)s->movers.bytes);
}

static void set_grown(const search *s, uint32_t mover, double *grown) {
    const double *increments = mc_unit_movers_get_increments(&s->movers, mover);
    grown[0] = 0;
    for (uint32_t i = 1; i < s->movers.point_count; i++)
        grown[i] = grown[i - 1] + increments[i - 1];
}

static mc_growth_unit make_unit(const search *s, uint32_t draft_index, mc_unit_part *parts,
                                double *grown) {
    const draft *d = &s->drafts[draft_index];
    uint32_t count = d->count;
    mc_growth_unit unit = {.parts = parts,
                           .own_count = d->count,
                           .base = s->movers.items[d->base].node,
                           .count = (uint64_t)get_units(s, d),
                           .is_sampled = s->movers.items[d->base].spread > 0,
                           .variation = get_variation(s, d->base),
                           .trend = compute_trend(s, d->base)};
    set_own_parts(s, d, parts);
    set_grown(s, d->base, grown);
    unit.grown = grown;
    for (size_t i = 0; i < s->share_count; i++)
        if (s->shares[i].draft == draft_index) parts[count++] = s->shares[i].part;
    unit.part_count = count;
    for (uint32_t i = 0; i < count; i++)
        unit.bytes += parts[i].bytes;
    double stays = (double)unit.trend.growth.amount / get_units(s, d);
    unit.staying_bytes = mc_truncate_saturating(fmin(1, fmax(0, stays)) * (double)unit.bytes);
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
    units->point_count = s->movers.point_count;
    units->grown = mc_alloc(unit_count, units->point_count * sizeof *units->grown);
    units->steps = mc_alloc(units->point_count, sizeof *units->steps);
    if (!units->parts || !units->items || !units->grown || !units->steps)
        return mc_error_out_of_memory(error);
    memcpy(units->steps, s->movers.steps, units->point_count * sizeof *units->steps);
    mc_unit_part *next = units->parts;
    for (uint32_t i = 0; i < s->draft_count; i++) {
        if (!is_told(s, &s->drafts[i])) continue;
        double *grown = units->grown + (size_t)units->count * units->point_count;
        mc_growth_unit *unit = &units->items[units->count++];
        *unit = make_unit(s, i, next, grown);
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
    s->sketches = mc_alloc(count, sizeof *s->sketches);
    if (!s->leader_of || !s->order || !s->drafts || !s->sketches)
        return mc_error_out_of_memory(error);
    memset(s->leader_of, 0xff, count * sizeof *s->leader_of);
    set_sketches(s);
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
    mc_free(s.sketches);
    mc_free(s.order);
    mc_free(s.drafts);
    mc_free(s.shares);
    if (result != MC_OK) mc_units_deinit(units);
    return result;
}

void mc_units_deinit(mc_units *units) {
    mc_free(units->items);
    mc_free(units->parts);
    mc_free(units->grown);
    mc_free(units->steps);
    *units = (mc_units){0};
}

uint32_t mc_units_get_own(const mc_units *units, uint32_t node) {
    for (uint32_t i = 0; i < units->count; i++)
        for (uint32_t k = 0; k < units->items[i].own_count; k++)
            if (units->items[i].parts[k].node == node) return i;
    return MC_NONE;
}

uint32_t mc_units_find_part(const mc_units *units, uint32_t node, const mc_unit_part **part) {
    uint32_t found = MC_NONE;
    *part = NULL;
    for (uint32_t i = 0; i < units->count; i++)
        for (uint32_t k = 0; k < units->items[i].part_count; k++) {
            const mc_unit_part *candidate = &units->items[i].parts[k];
            bool is_own = k < units->items[i].own_count;
            if (candidate->node != node) continue;
            if (!is_own && *part && candidate->objects <= (*part)->objects) continue;
            found = i;
            *part = candidate;
            if (is_own) return found;
        }
    return found;
}

double mc_units_get_brought(const mc_units *units, const mc_growth_unit *unit,
                            const mc_unit_part *part, uint32_t step) {
    const uint32_t *steps = units->steps;
    uint32_t last = units->point_count - 1, point = 0;
    while (point < last && steps[point + 1] <= step)
        point++;
    double grown = unit->grown[point];
    if (point < last && step > steps[point]) {
        double way = (double)(step - steps[point]) / (steps[point + 1] - steps[point]);
        grown += way * (unit->grown[point + 1] - grown);
    }
    return fmax(0, grown) * (part ? part->per_unit : 1);
}
