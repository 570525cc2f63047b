#include "app/answers/cause_links.h"
#include "app/answers/slot.h"

#include <string.h>

static mc_result ask_chain(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_cause_links_key *key = asked;
    mc_link_finder *finder = *ask->memory;
    mc_result result = finder ? MC_OK : mc_link_finder_create(ask->trace, &finder, error);
    *ask->memory = finder;
    if (result != MC_OK) return result;
    return mc_joins_make_cause_links(answer, finder, key->step, key->stops, key->stop_count, error);
}

static bool differ(const void *first, const void *second) {
    const mc_cause_links_key *a = first, *b = second;
    return a->step != b->step || a->stop_count != b->stop_count ||
           memcmp(a->stops, b->stops, a->stop_count * sizeof *a->stops) != 0;
}

static void deinit(void *answer) {
    mc_joins_deinit(answer);
}

static void forget(void *memory) {
    mc_link_finder_destroy(memory);
}

const mc_question mc_question_cause_links = {
    .name = "chain",
    .key_size = MC_SIZE_OF_KEY(mc_cause_links_key),
    .answer_size = sizeof(mc_joins),
    .nothing = &(const mc_cause_links_key){.step = MC_NONE},
    .differ = differ,
    .ask = ask_chain,
    .deinit = deinit,
    .forget = forget,
};
