#include "app/answers/children.h"
#include "app/answers/slot.h"

#include "engine/base/memory.h"
#include <stdlib.h>

typedef struct sorting {
    uint32_t first;
    const uint64_t *values; // of each from there on
} sorting;

static int compare_values(const void *a, const void *b, void *user) {
    const sorting *by = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    // MC_COUNT_UNKNOWN wraps to 0.
    uint64_t x_rank = by->values[x - by->first] + 1, y_rank = by->values[y - by->first] + 1;
    if (x_rank != y_rank) return x_rank < y_rank ? 1 : -1;
    return (x > y) - (x < y);
}

static mc_result ask_children(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_children_key *key = asked;
    const mc_node_columns *nodes = mc_trace_get_nodes(ask->trace);
    mc_children *found = answer;
    uint32_t count = nodes->child_count[key->node], first = nodes->first_child[key->node];
    uint64_t *values = mc_alloc((size_t)count + 1, sizeof *values);
    found->nodes = mc_alloc((size_t)count + 1, sizeof *found->nodes);
    mc_result result = values && found->nodes ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        found->nodes[i] = first + i;
    if (result == MC_OK)
        result = mc_trace_read_values(ask->trace, key->step, key->metric, found->nodes, count,
                                      values, error);
    if (result == MC_OK) {
        sorting by = {first, values};
        qsort_r(found->nodes, count, sizeof *found->nodes, compare_values, &by);
        found->count = count;
    }
    mc_free(values);
    return result;
}

static bool differ(const void *first, const void *second) {
    const mc_children_key *a = first, *b = second;
    return a->node != b->node || a->step != b->step || a->metric != b->metric;
}

static void deinit(void *answer) {
    mc_free(((mc_children *)answer)->nodes);
}

const mc_question mc_question_children = {
    .name = "children",
    .key_size = MC_SIZE_OF_KEY(mc_children_key),
    .answer_size = sizeof(mc_children),
    .nothing = &(const mc_children_key){.node = MC_NONE},
    .differ = differ,
    .ask = ask_children,
    .deinit = deinit,
};
