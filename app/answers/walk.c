#include "app/answers/walk.h"
#include "app/answers/slot.h"

#include "app/walk_text.h"

static mc_result ask_walk(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_walk_key *key = asked;
    mc_walk_answer *found = answer;
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
