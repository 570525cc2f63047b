#include "app/answers/walk.h"
#include "app/answers/slot.h"

#include "app/walk_text.h"
#include "app/why_text.h"
#include "engine/analyze/cause_finder.h"

// From the first cause: its walk, and the sentence that everybody says.
static mc_result ask_first(const mc_ask *ask, const mc_walk_key *key, mc_walk_answer *found,
                           mc_error *error) {
    mc_causes causes = {0};
    const mc_walk_desc *wanted = &key->desc;
    uint32_t index = 0;
    const mc_causes_desc desc = {.metric = wanted->metric, .window = wanted->window};
    mc_result result = mc_causes_find(ask->trace, &desc, ask->progress, &causes, error);
    if (result == MC_OK) {
        const mc_why why = {.trace = ask->trace,
                            .causes = &causes,
                            .limit = mc_why_get_limit(ask->trace, wanted->window)};
        for (uint32_t i = 0; i < causes.count; i++)
            if (causes.items[i].node == key->cause) index = i;
        if (causes.count > 0)
            mc_why_append_sentence(&why, &causes.items[index], &found->summary);
        else
            mc_why_append_headline(&why, &found->summary);
        result = mc_causes_take_walk(ask->trace, &causes, index, wanted->step, &found->walk, error);
    }
    mc_causes_deinit(&causes);
    return result;
}

static mc_result ask_walk(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_walk_key *key = asked;
    mc_walk_answer *found = answer;
    if (key->desc.from_node == MC_NONE) return ask_first(ask, key, found, error);
    mc_result result = mc_walk_compute(ask->trace, &key->desc, &found->walk, error);
    if (result == MC_OK) mc_walk_append_summary(&found->walk, ask->trace, &found->summary);
    return result;
}

static bool differ(const void *first, const void *second) {
    return ((const mc_walk_key *)first)->request != ((const mc_walk_key *)second)->request;
}

static void deinit(void *answer) {
    mc_walk_answer *found = answer;
    mc_walk_deinit(&found->walk);
    mc_text_deinit(&found->summary);
}

static const mc_walk_key nothing;

const mc_question mc_question_walk = {
    .name = "walk",
    .key_size = MC_SIZE_OF_KEY(mc_walk_key),
    .answer_size = sizeof(mc_walk_answer),
    .nothing = &nothing,
    .differ = differ,
    .ask = ask_walk,
    .deinit = deinit,
};
