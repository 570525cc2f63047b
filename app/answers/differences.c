#include "app/answers/differences.h"
#include "app/answers/slot.h"
#include "app/print/diff_parts.h"

// The first ones are those of which there is something to tell; the others are forgotten.
static void count(mc_differences *found) {
    mc_diff *diff = &found->diff;
    for (uint32_t i = 0; i < diff->count; i++)
        if (diff->entries[i].kind < MC_DIFF_KIND_SAME)
            diff->entries[found->count++] = diff->entries[i];
}

static bool write_sentence(const mc_diff_desc *desc, mc_differences *found) {
    const mc_diff_story story = {
        .desc = desc, .diff = &found->diff, .names = {[MC_BEFORE] = "A", [MC_AFTER] = "B"}};
    mc_diff_parts parts;
    bool is_done = mc_diff_parts_init(&parts, &story);
    if (is_done) mc_diff_parts_append_sentence(&parts, &found->sentence);
    mc_diff_parts_deinit(&parts);
    return is_done && !found->sentence.failed;
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
    if (result != MC_OK) return result;
    if (!write_sentence(&desc, found)) return mc_error_out_of_memory(error);
    count(found);
    return MC_OK;
}

static bool differ(const void *first, const void *second) {
    const mc_differences_key *a = first, *b = second;
    return a->is_wanted != b->is_wanted || a->step != b->step || a->metric != b->metric;
}

static void deinit(void *answer) {
    mc_differences *found = answer;
    mc_diff_deinit(&found->diff);
    mc_text_deinit(&found->sentence);
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
