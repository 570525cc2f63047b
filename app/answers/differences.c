#include "app/answers/differences.h"
#include "app/answers/slot.h"

// The first ones are those of which there is something to tell; the others are forgotten.
static void count(mc_differences *found) {
    mc_diff *diff = &found->diff;
    for (uint32_t i = 0; i < diff->count; i++)
        if (diff->entries[i].kind < MC_DIFF_KIND_SAME)
            diff->entries[found->count++] = diff->entries[i];
}

static mc_result ask_differences(const mc_ask *ask, const void *asked, void *answer,
                                 mc_error *error) {
    const mc_differences_key *key = asked;
    mc_differences *found = answer;
    mc_diff_desc desc = {.trace = ask->trace, .metric = key->metric};
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        uint32_t step = mc_versus_get_step(ask->trace, (mc_versus_side)side, key->step);
        desc.window[side] = (mc_step_range){step, step};
    }
    mc_result result = mc_diff_compute(&desc, ask->progress, &found->diff, error);
    if (result == MC_OK) count(found);
    return result;
}

static bool differ(const void *first, const void *second) {
    const mc_differences_key *a = first, *b = second;
    return a->is_wanted != b->is_wanted || a->step != b->step || a->metric != b->metric;
}

static void deinit(void *answer) {
    mc_diff_deinit(&((mc_differences *)answer)->diff);
}

static const mc_differences_key nothing;

const mc_question mc_question_differences = {
    .name = "differences",
    .key_size = MC_SIZE_OF_KEY(mc_differences_key),
    .answer_size = sizeof(mc_differences),
    .nothing = &nothing,
    .differ = differ,
    .ask = ask_differences,
    .deinit = deinit,
};
