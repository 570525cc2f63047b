#include "app/answers/what_if.h"
#include "app/answers/slot.h"
#include "app/answers/what_if_far.h"

static mc_result ask_far(const mc_ask *ask, const mc_what_if_key *key, mc_what_if_answer *found,
                         mc_error *error) {
    mc_result result = mc_what_if_ask_far(ask->dataset, key->step, key->nodes.nodes,
                                          key->nodes.count, ask->progress, &found->found, error);
    if (result == MC_OK)
        mc_what_if_append_summary(&found->found, ask->trace, key->nodes.nodes, key->nodes.count,
                                  &found->summary);
    return result;
}

// The dump stays open for the next question.
static mc_result ask_demolition(const mc_ask *ask, const void *asked, void *answer,
                                mc_error *error) {
    const mc_what_if_key *key = asked;
    const mc_form_texts *paths = &ask->dataset->paths;
    mc_what_if_answer *found = answer;
    if (ask->dataset->far_words.count > 0) return ask_far(ask, key, found, error);
    if (!*ask->memory)
        *ask->memory =
            mc_what_if_asker_create(&(mc_what_if_desc){.trace = ask->trace,
                                                       .paths = (const char *const *)paths->items,
                                                       .path_count = paths->count,
                                                       .group_by = ask->dataset->group_list,
                                                       .collections = key->collections});
    if (!*ask->memory) return mc_error_out_of_memory(error);
    mc_result result = mc_what_if_asker_ask(*ask->memory, key->step, key->nodes.nodes,
                                            key->nodes.count, ask->progress, &found->found, error);
    if (result == MC_OK)
        mc_what_if_append_summary(&found->found, ask->trace, key->nodes.nodes, key->nodes.count,
                                  &found->summary);
    return result;
}

static bool differ(const void *first, const void *second) {
    const mc_what_if_key *a = first, *b = second;
    if (a->nodes.count == 0 && b->nodes.count == 0) return false;
    return a->step != b->step || !mc_selection_equals(&a->nodes, &b->nodes);
}

static void deinit(void *answer) {
    mc_what_if_answer *found = answer;
    mc_what_if_deinit(&found->found);
    mc_text_deinit(&found->summary);
}

static void forget(void *memory) {
    mc_what_if_asker_destroy(memory);
}

static const mc_what_if_key nothing;

const mc_question mc_question_what_if = {
    .name = "demolition",
    .key_size = MC_SIZE_OF_KEY(mc_what_if_key),
    .answer_size = sizeof(mc_what_if_answer),
    .nothing = &nothing,
    .differ = differ,
    .ask = ask_demolition,
    .deinit = deinit,
    .forget = forget,
};
