#include "app/answers/gc_roots.h"
#include "app/answers/slot.h"

#include "engine/analyze/owner_trail.h"
#include "engine/base/memory.h"

// ---- groups of a step

static mc_result ask_groups(const mc_ask *ask, const void *step, void *answer, mc_error *error) {
    return mc_root_groups_find(ask->trace, *(const uint32_t *)step, answer, error);
}

static bool steps_differ(const void *a, const void *b) {
    return *(const uint32_t *)a != *(const uint32_t *)b;
}

static void deinit_groups(void *answer) {
    mc_root_groups_deinit(answer);
}

const mc_question mc_question_root_groups = {
    .name = "root_groups",
    .key_size = MC_SIZE_OF_KEY(uint32_t),
    .answer_size = sizeof(mc_root_groups),
    .nothing = &(const uint32_t){MC_NONE},
    .differ = steps_differ,
    .ask = ask_groups,
    .deinit = deinit_groups,
};

// ---- the trail from a root to a leaf

typedef struct trail_memory {
    uint32_t step;
    mc_root_path_finder *finder;
} trail_memory;

static void forget(void *kept) {
    trail_memory *memory = kept;
    mc_root_path_finder_destroy(memory->finder);
    mc_free(memory);
}

static mc_result ask_trail(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_root_path_key *key = asked;
    mc_result result = MC_OK;
    // Class by class one can only guess: not where it is known from objects.
    if (mc_trace_get_step(ask->trace, key->step)->has_owners)
        return mc_owner_trail_find(ask->trace, key->step, key->node, answer, error);
    if (!*ask->memory) *ask->memory = mc_alloc_zero(1, sizeof(trail_memory));
    trail_memory *memory = *ask->memory;
    if (!memory) return mc_error_out_of_memory(error);
    if (memory->step != key->step || !memory->finder) {
        mc_root_path_finder_destroy(memory->finder);
        memory->finder = NULL;
        memory->step = key->step;
        result =
            mc_root_path_finder_create(ask->trace, key->step, key->step, &memory->finder, error);
    }
    mc_root_path_desc desc = {.leaf = key->node};
    return result == MC_OK ? mc_root_path_finder_find(memory->finder, &desc, answer, error)
                           : result;
}

static bool trails_differ(const void *first, const void *second) {
    const mc_root_path_key *a = first, *b = second;
    return a->node != b->node || a->step != b->step;
}

const mc_question mc_question_root_path = {
    .name = "trail",
    .key_size = MC_SIZE_OF_KEY(mc_root_path_key),
    .answer_size = sizeof(mc_root_path),
    .nothing = &(const mc_root_path_key){.node = MC_NONE},
    .differ = trails_differ,
    .ask = ask_trail,
    .forget = forget,
};
