// Which steps the result has, and which of a part's steps each of them is made of.
#include "engine/base/memory.h"
#include "engine/store/merge/merge_state.h"
#include <stdlib.h>
#include <string.h>

const char *const mc_merge_take_names[] = {"last", "first", "mean", "nearest", NULL};

static bool has_data(const mc_merge_member *member, uint32_t step) {
    return !member->has_step || mc_bits_get(member->has_step, step);
}

static int64_t divide_down(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

// The time of the result's step that a part's step belongs to.
static int64_t get_slot(const mc_merge *self, const mc_merge_source *source, uint32_t step) {
    int64_t time_ms = source->times_ms[step];
    if (self->alignment == MC_MERGE_STEPS) return step;
    if (self->alignment == MC_MERGE_TIMES) return time_ms;
    if (self->take == MC_MERGE_NEAREST) time_ms += self->bucket_ms / 2;
    return divide_down(time_ms, self->bucket_ms) * self->bucket_ms;
}

// ---- the alignment, if nobody says it

static int compare_times(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static uint32_t sort_out(int64_t *times, size_t count) {
    uint32_t kept = 0;
    if (count > 0) qsort(times, count, sizeof *times, compare_times);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || times[kept - 1] != times[i]) times[kept++] = times[i];
    return kept;
}

static const mc_merge_source *find_longest(const mc_merge *self) {
    const mc_merge_source *longest = NULL;
    for (uint32_t i = 0; i < self->source_count; i++)
        if (!longest || self->sources[i].step_count > longest->step_count)
            longest = &self->sources[i];
    return longest;
}

// Whether all steps have the times of the part with the most steps.
static bool are_aligned(const mc_merge *self, const mc_merge_source *longest) {
    for (uint32_t i = 0; i < self->source_count; i++) {
        const mc_merge_source *source = &self->sources[i];
        for (uint32_t k = 0; k < source->step_count; k++)
            if (!bsearch(&source->times_ms[k], longest->times_ms, longest->step_count,
                         sizeof *longest->times_ms, compare_times))
                return false;
    }
    return true;
}

// The usual time between two steps of a part, in the part where it is the longest.
static int64_t find_distance(const mc_merge *self, mc_error *error) {
    int64_t longest = 0;
    for (uint32_t i = 0; i < self->source_count; i++) {
        const mc_merge_source *source = &self->sources[i];
        if (source->step_count < 2) continue;
        uint32_t count = source->step_count - 1;
        int64_t *distances = mc_alloc(count, sizeof *distances);
        if (!distances) {
            mc_error_out_of_memory(error);
            return -1;
        }
        for (uint32_t k = 0; k < count; k++)
            distances[k] = source->times_ms[k + 1] - source->times_ms[k];
        qsort(distances, count, sizeof *distances, compare_times);
        if (distances[count / 2] > longest) longest = distances[count / 2];
        mc_free(distances);
    }
    return longest;
}

// Up to one that people count in; a little less will do, as no recording is on time.
static int64_t round_up(int64_t distance_ms) {
    static const int64_t usual_ms[] = {
        1,      2,      5,       10,      20,      50,       100,      200,     500,
        1000,   2000,   5000,    10000,   15000,   30000,    60000,    120000,  300000,
        600000, 900000, 1800000, 3600000, 7200000, 21600000, 43200000, 86400000};
    for (size_t i = 0; i < sizeof usual_ms / sizeof *usual_ms; i++)
        if (usual_ms[i] >= distance_ms - distance_ms / 20) return usual_ms[i];
    return distance_ms;
}

static mc_result guess(mc_merge *self, mc_error *error) {
    const mc_merge_source *longest = find_longest(self);
    self->alignment = MC_MERGE_TIMES;
    if (are_aligned(self, longest)) return MC_OK;
    self->alignment = MC_MERGE_STEPS; // a dump each has no distance
    if (longest->step_count < 2) return MC_OK;
    int64_t distance_ms = find_distance(self, error);
    if (distance_ms < 0) return MC_ERROR_OUT_OF_MEMORY;
    self->alignment = MC_MERGE_BUCKETS;
    self->bucket_ms = round_up(distance_ms);
    return MC_OK;
}

// ---- the result's steps

static mc_result list_times(mc_merge *self, mc_error *error) {
    size_t count = 0, capacity = 0, most = 65536;
    for (uint32_t i = 0; i < self->source_count; i++) {
        const mc_merge_source *source = &self->sources[i];
        if (!mc_reserve(&self->times_ms, &capacity, count + source->step_count,
                        sizeof *self->times_ms))
            return mc_error_out_of_memory(error);
        for (uint32_t step = 0; step < source->step_count; step++) {
            bool is_there = false;
            for (uint32_t k = 0; k < source->member_count && !is_there; k++)
                is_there = has_data(&source->members[k], step);
            if (is_there) self->times_ms[count++] = get_slot(self, source, step);
        }
        if (count < most) continue;
        count = sort_out(self->times_ms, count);
        most = 2 * count + 65536;
    }
    self->step_count = sort_out(self->times_ms, count);
    return MC_OK;
}

mc_result mc_merge_plan(mc_merge *self, mc_error *error) {
    self->alignment = self->desc->alignment;
    self->bucket_ms = self->desc->bucket_ms;
    self->take = self->desc->take;
    mc_result result = self->desc->is_guessed ? guess(self, error) : MC_OK;
    if (result != MC_OK) return result;
    self->hold_ms = self->desc->hold_ms;
    if (self->hold_ms < 0)
        self->hold_ms = self->alignment == MC_MERGE_BUCKETS ? self->bucket_ms : 0;
    result = list_times(self, error);
    if (result != MC_OK) return result;
    if (self->step_count == 0)
        return mc_fail(error, MC_ERROR_BAD_DATA, "there is no step in any of the parts");
    if (self->times_ms[0] < MC_TIME_MIN || self->times_ms[self->step_count - 1] > MC_TIME_MAX)
        return mc_fail(error, MC_ERROR_BAD_DATA, "the parts' times are out of range");
    return MC_OK;
}

// ---- a member's steps

// Of the steps of one slot, all with data.
static uint32_t choose(const mc_merge *self, const mc_merge_source *source, int64_t slot,
                       const uint32_t *steps, uint32_t count) {
    uint32_t best = steps[self->take == MC_MERGE_FIRST ? 0 : count - 1];
    if (self->take != MC_MERGE_NEAREST || self->alignment != MC_MERGE_BUCKETS) return best;
    best = steps[0];
    for (uint32_t i = 1; i < count; i++)
        if (llabs(source->times_ms[steps[i]] - slot) < llabs(source->times_ms[best] - slot))
            best = steps[i];
    return best;
}

typedef struct range {
    uint32_t first, last, count, best;
} range;

// The steps of the slot from `*step` on, which then is behind them.
static range take_slot(const mc_merge *self, const mc_merge_source *source,
                       const mc_merge_member *member, int64_t slot, uint32_t *step) {
    range found = {MC_NONE, MC_NONE, 0, MC_NONE};
    while (*step < source->step_count && get_slot(self, source, *step) < slot)
        ++*step; // in which no member has data
    for (; *step < source->step_count && get_slot(self, source, *step) == slot; ++*step) {
        if (!has_data(member, *step)) continue;
        if (found.first == MC_NONE) found.first = found.best = *step;
        found.last = *step;
        found.count++;
        uint32_t pair[] = {found.best, *step};
        found.best = choose(self, source, slot, pair, 2);
    }
    return found;
}

void mc_merge_choose(const mc_merge *self, const mc_merge_source *source,
                     const mc_merge_member *member, mc_merge_choice *choices) {
    const mc_merge_choice absent = {MC_NONE, MC_NONE, 0, MC_NONE, false};
    mc_merge_choice before = absent;
    int64_t before_ms = 0;
    uint32_t step = 0;
    for (uint32_t i = 0; i < self->step_count; i++) {
        int64_t slot = self->times_ms[i];
        range found = take_slot(self, source, member, slot, &step);
        if (found.first != MC_NONE) {
            before = (mc_merge_choice){found.first, found.last, found.count, found.best, false};
            before_ms = slot;
            choices[i] = before;
            continue;
        }
        bool is_held = before.first != MC_NONE && slot - before_ms <= self->hold_ms;
        choices[i] = is_held ? before : absent;
        choices[i].is_held = is_held;
    }
}
