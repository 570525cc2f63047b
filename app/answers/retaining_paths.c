#include "app/answers/retaining_paths.h"
#include "app/answers/slot.h"

#include "engine/base/memory.h"
#include <string.h>

// What is below a row comes behind it.
static mc_result list_rows(mc_retaining_paths *found, mc_error *error) {
    const mc_retaining_tree *tree = &found->tree;
    uint32_t *firsts = mc_alloc((size_t)tree->count + 1, sizeof *firsts);
    uint32_t *stack = mc_alloc((size_t)tree->count + 1, sizeof *stack), depth = 0;
    found->order = mc_alloc((size_t)tree->count + 1, sizeof *found->order);
    bool is_done = firsts && stack && found->order;
    if (is_done && tree->count > 0) {
        memset(firsts, 0xff, ((size_t)tree->count + 1) * sizeof *firsts);
        for (uint32_t i = tree->count; i-- > 1;)
            firsts[tree->rows[i].parent] = i;
        stack[depth++] = 0;
    }
    while (is_done && depth > 0) {
        uint32_t at = stack[--depth], end = firsts[at];
        if (at > 0) found->order[found->row_count++] = at;
        while (end < tree->count && tree->rows[end].parent == at)
            end++;
        for (uint32_t i = end; firsts[at] != MC_NONE && i-- > firsts[at];)
            stack[depth++] = i;
    }
    mc_free(firsts);
    mc_free(stack);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result ask_paths(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_retaining_paths_key *key = asked;
    mc_retaining_paths *found = answer;
    mc_root_groups roots = {.count = 0};
    mc_result result = mc_retaining_tree_find(ask->trace, key->node, key->step, key->first_step,
                                              &found->tree, error);
    if (result == MC_OK && key->has_roots)
        result = mc_root_groups_find(ask->trace, key->step, &roots, error);
    if (result == MC_OK)
        result = mc_streets_find(ask->trace, &found->tree, &roots, &found->streets,
                                 &found->street_count, error);
    mc_root_groups_deinit(&roots);
    return result == MC_OK ? list_rows(found, error) : result;
}

static bool differ(const void *first, const void *second) {
    const mc_retaining_paths_key *a = first, *b = second;
    return a->node != b->node || a->step != b->step || a->first_step != b->first_step ||
           a->has_roots != b->has_roots;
}

static void deinit(void *answer) {
    mc_retaining_paths *found = answer;
    mc_retaining_tree_deinit(&found->tree);
    mc_free(found->streets);
    mc_free(found->order);
}

const mc_question mc_question_retaining_paths = {
    .name = "retaining_paths",
    .key_size = MC_SIZE_OF_KEY(mc_retaining_paths_key),
    .answer_size = sizeof(mc_retaining_paths),
    .nothing = &(const mc_retaining_paths_key){.node = MC_NONE},
    .differ = differ,
    .ask = ask_paths,
    .deinit = deinit,
};
