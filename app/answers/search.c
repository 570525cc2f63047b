#include "app/answers/search.h"
#include "app/answers/slot.h"

#include "engine/analyze/max_tree.h"
#include "engine/analyze/search.h"
#include "engine/base/memory.h"
#include <string.h>

// What makes searching quick.
typedef struct search_index {
    mc_search *search;
    uint32_t *order; // all nodes, the largest at this step first
    uint32_t step;
    mc_max_tree sizes; // by this metric in these steps
    mc_metric metric;
    mc_step_range window;
} search_index;

static void forget(void *memory) {
    search_index *index = memory;
    mc_search_destroy(index->search);
    mc_max_tree_deinit(&index->sizes);
    mc_free(index->order);
    mc_free(index);
}

static bool windows_differ(mc_step_range a, mc_step_range b) {
    return a.first_step != b.first_step || a.last_step != b.last_step;
}

static mc_result measure_nodes(search_index *index, const mc_ask *ask, const mc_hits_key *key,
                               mc_error *error) {
    if (index->sizes.max && index->metric == key->metric &&
        !windows_differ(index->window, key->window))
        return MC_OK;
    mc_free(index->order);
    index->order = NULL;
    mc_max_tree_deinit(&index->sizes);
    index->metric = key->metric;
    index->window = key->window;
    return mc_max_tree_compute(&index->sizes, ask->trace, key->metric, key->window, ask->progress,
                               error);
}

static mc_result sort(const search_index *index, const mc_ask *ask, const mc_hits_key *key,
                      uint32_t *nodes, uint32_t count, mc_error *error) {
    uint64_t *values = mc_alloc(mc_trace_get_nodes(ask->trace)->count, sizeof *values);
    mc_result result = values
                           ? mc_trace_read_column(ask->trace, key->step, key->metric, values, error)
                           : mc_error_out_of_memory(error);
    const mc_search_sizes sizes = {ask->trace, values, index->sizes.max};
    if (result == MC_OK) mc_search_sort(&sizes, nodes, count);
    mc_free(values);
    return result;
}

static bool has_order(const search_index *index, const mc_hits_key *key) {
    return index->order && index->step == key->step;
}

// All nodes, the largest first: whatever is searched for then is in order.
static mc_result sort_nodes(search_index *index, const mc_ask *ask, const mc_hits_key *key,
                            mc_error *error) {
    uint32_t count = mc_trace_get_nodes(ask->trace)->count;
    if (has_order(index, key)) return MC_OK;
    mc_free(index->order);
    index->order = NULL;
    uint32_t *order = mc_alloc(count, sizeof *order);
    if (!order) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    mc_result result = sort(index, ask, key, order, count, error);
    if (result == MC_OK) {
        index->order = order;
        index->step = key->step;
    } else {
        mc_free(order);
    }
    return result;
}

// Without a text all is made ready that a search may need.
static mc_result prepare(search_index *index, const mc_ask *ask, const mc_hits_key *key,
                         mc_error *error) {
    mc_result result = measure_nodes(index, ask, key, error);
    if (result == MC_OK && !key->text[0]) result = sort_nodes(index, ask, key, error);
    if (result == MC_OK && !index->search)
        result = mc_search_create(ask->trace, &index->search, error);
    return result;
}

static mc_result list_hits(const search_index *index, const mc_ask *ask, const mc_hits_key *key,
                           const mc_search_result *found, mc_hits *hits, mc_error *error) {
    uint32_t count = found->own_count;
    hits->nodes = mc_alloc(count > 0 ? count : 1, sizeof *hits->nodes);
    if (!hits->nodes) return mc_error_out_of_memory(error);
    hits->leaf_count = found->leaf_count;
    if (!has_order(index, key)) {
        hits->count = count;
        if (count > 0) memcpy(hits->nodes, found->own, count * sizeof *found->own);
        return sort(index, ask, key, hits->nodes, count, error);
    }
    for (uint32_t i = 0; hits->count < count; i++)
        if (found->marks[index->order[i]] & MC_SEARCH_OWN)
            hits->nodes[hits->count++] = index->order[i];
    return MC_OK;
}

static mc_result ask_search(const mc_ask *ask, const void *asked, void *answer, mc_error *error) {
    const mc_hits_key *key = asked;
    mc_search_result found;
    if (!*ask->memory) *ask->memory = mc_alloc_zero(1, sizeof(search_index));
    search_index *index = *ask->memory;
    if (!index) return mc_error_out_of_memory(error);
    mc_result result = prepare(index, ask, key, error);
    if (result != MC_OK || !key->text[0]) return result;
    mc_search_mode mode = key->is_regex ? MC_SEARCH_REGEX : MC_SEARCH_SUBSTRING;
    result = mc_search_find(index->search, key->text, strlen(key->text), mode, ask->progress,
                            &found, error);
    return result == MC_OK ? list_hits(index, ask, key, &found, answer, error) : result;
}

bool mc_hits_keys_find_others(const mc_hits_key *a, const mc_hits_key *b) {
    return a->is_regex != b->is_regex || strcmp(a->text, b->text) != 0 || a->metric != b->metric ||
           windows_differ(a->window, b->window);
}

static bool differ(const void *first, const void *second) {
    const mc_hits_key *a = first, *b = second;
    return a->step != b->step || mc_hits_keys_find_others(a, b);
}

static void deinit(void *answer) {
    mc_free(((mc_hits *)answer)->nodes);
}

static const mc_hits_key nothing;

const mc_question mc_question_search = {
    .name = "search",
    .key_size = MC_SIZE_OF_KEY(mc_hits_key),
    .answer_size = sizeof(mc_hits),
    .nothing = &nothing,
    .differ = differ,
    .ask = ask_search,
    .deinit = deinit,
    .forget = forget,
};
