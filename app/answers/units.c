#include "app/answers/units.h"
#include "app/answers/slot.h"

static mc_result ask_units(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_units_key *key = asked;
    return mc_units_find(ask->trace, key->window, ask->progress, answer, error);
}

static bool keys_differ(const void *first, const void *second) {
    const mc_units_key *a = first, *b = second;
    return a->recording != b->recording || a->numbering != b->numbering ||
           a->step_count != b->step_count || a->window.first_step != b->window.first_step ||
           a->window.last_step != b->window.last_step;
}

static void deinit(void *answer) {
    mc_units_deinit(answer);
}

const mc_question mc_question_units = {
    .name = "units",
    .key_size = MC_SIZE_OF_KEY(mc_units_key),
    .answer_size = sizeof(mc_units),
    .nothing = &(const mc_units_key){.step_count = 0},
    .differ = keys_differ,
    .ask = ask_units,
    .deinit = deinit,
};
