#include "app/answers/references.h"
#include "app/answers/slot.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct sorting {
    const mc_trace *trace;
    const mc_references_key *key;
    const mc_links *links;
} sorting;

static int compare_names(const mc_trace *trace, uint32_t a, uint32_t b) {
    size_t a_size, b_size;
    const char *a_name = mc_trace_get_name(trace, a, &a_size);
    const char *b_name = mc_trace_get_name(trace, b, &b_size);
    int order = memcmp(a_name, b_name, a_size < b_size ? a_size : b_size);
    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

static int compare_counts(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_rows(const void *a, const void *b, void *user) {
    const sorting *by = user;
    uint32_t a_index = *(const uint32_t *)a, b_index = *(const uint32_t *)b;
    const mc_link *x = &by->links->links[a_index], *y = &by->links->links[b_index];
    int order = 0;
    switch ((mc_reference_column)by->key->sort_column) {
    case MC_REFERENCE_PARTNER: order = compare_names(by->trace, x->partner, y->partner); break;
    case MC_REFERENCE_THERE: order = compare_counts(x->partner_objects, y->partner_objects); break;
    default: order = compare_counts(x->node_objects, y->node_objects); break;
    }
    if (order == 0) return (a_index > b_index) - (a_index < b_index); // the stronger one first
    return by->key->ascending ? order : -order;
}

static mc_result find_one(const mc_references_key *key, mc_link_finder *finder, uint32_t most,
                          mc_references *found, mc_error *error) {
    mc_result result = mc_link_finder_find(finder, key->step, key->node, &found->links, error);
    found->total_count = found->links.count;
    if (result != MC_OK) return result;
    mc_links_filter(&found->links, key->incoming, key->outgoing, UINT32_MAX);
    found->filtered_count = found->links.count;
    mc_links_filter(&found->links, true, true, most);
    return result;
}

static mc_result find_group(const mc_references_key *key, const mc_trace *trace,
                            mc_link_finder *finder, uint32_t most, mc_references *found,
                            mc_error *error) {
    const mc_selection *selection = &key->selection;
    mc_group_links group = {0};
    mc_result result =
        mc_group_links_find(&group, finder, trace, key->step, selection->nodes, selection->count,
                            key->incoming, key->outgoing, most, error);
    if (result == MC_OK) result = mc_joins_make_group(&found->joins, &group, error);
    if (result == MC_OK) {
        found->links = group.links;
        found->total_count = group.total_count;
        found->filtered_count = group.filtered_count;
        group.links = (mc_links){0};
    }
    mc_group_links_deinit(&group);
    return result;
}

static mc_result sort(const mc_ask *ask, const mc_references_key *key, mc_references *found,
                      mc_error *error) {
    uint32_t count = found->links.count;
    found->order = mc_alloc(count > 0 ? count : 1, sizeof *found->order);
    if (!found->order) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count; i++)
        found->order[i] = i;
    sorting by = {ask->trace, key, &found->links};
    qsort_r(found->order, count, sizeof *found->order, compare_rows, &by);
    return MC_OK;
}

static mc_result ask_references(const mc_ask *ask, const void *asked, void *answer,
                                mc_error *error) {
    const mc_references_key *key = asked;
    mc_references *found = answer;
    mc_link_finder *finder = *ask->memory;
    mc_result result = finder ? MC_OK : mc_link_finder_create(ask->trace, &finder, error);
    *ask->memory = finder;
    if (result != MC_OK) return result;
    uint32_t most = key->most == 0 ? UINT32_MAX : key->most;
    result = key->selection.count > 1 ? find_group(key, ask->trace, finder, most, found, error)
                                      : find_one(key, finder, most, found, error);
    if (result != MC_OK) return result;
    if (!mc_progress_report(ask->progress, 1, 2)) return MC_ERROR_CANCELLED;
    return sort(ask, key, found, error);
}

static bool differ(const void *first, const void *second) {
    const mc_references_key *a = first, *b = second;
    return a->node != b->node || !mc_selection_equals(&a->selection, &b->selection) ||
           a->step != b->step || a->incoming != b->incoming || a->outgoing != b->outgoing ||
           a->ascending != b->ascending || a->most != b->most || a->sort_column != b->sort_column;
}

static void deinit(void *answer) {
    mc_references *found = answer;
    mc_links_deinit(&found->links);
    mc_joins_deinit(&found->joins);
    mc_free(found->order);
}

static void forget(void *memory) {
    mc_link_finder_destroy(memory);
}

const mc_question mc_question_references = {
    .name = "references",
    .key_size = MC_SIZE_OF_KEY(mc_references_key),
    .answer_size = sizeof(mc_references),
    .nothing = &(const mc_references_key){.node = MC_NONE},
    .differ = differ,
    .ask = ask_references,
    .deinit = deinit,
    .forget = forget,
};
