// What all parts together have: metrics, classifiers, the root's key. The result is the same in
// whatever order the parts come, and also if some of them were merged before: lists that are all
// the same stay as they are, others are sorted.
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/store/merge/merge_state.h"
#include <stdlib.h>
#include <string.h>

static const char usual_root[] = "Heap";

void mc_merge_tables_deinit(mc_merge_tables *tables) {
    mc_metrics_deinit(&tables->metrics);
    mc_strings_deinit(&tables->classifiers);
    mc_free(tables->levels);
    mc_free(tables->root_key);
    memset(tables, 0, sizeof *tables);
}

// ---- metrics

static mc_result contradict(const mc_metric_info *known, int what, mc_error *error) {
    mc_excerpt key;
    const char *said = what & MC_METRIC_SAYS_TITLE  ? "title"
                       : what & MC_METRIC_SAYS_UNIT ? "unit"
                       : what & MC_METRIC_SAYS_KIND ? "kind"
                                                    : "way of adding up";
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "the metric \"%s\" has another %s here than in other parts",
                   mc_excerpt_make(&key, known->key, known->key_size), said);
}

static mc_result add_metrics(mc_merge_tables *tables, const mc_trace *trace, bool is_first,
                             mc_error *error) {
    mc_metrics *metrics = &tables->metrics;
    uint32_t count = mc_trace_get_metric_count(trace);
    if (is_first && !mc_metrics_add_base(metrics)) return mc_error_out_of_memory(error);
    if (!is_first && count != metrics->count) tables->have_other_metrics = true;
    for (mc_metric metric = MC_METRIC_FIRST_OWN; metric < count; metric++) {
        const mc_metric_info *info = mc_trace_get_metric(trace, metric);
        mc_metric known = mc_metrics_find(metrics, info->key, info->key_size);
        if (!is_first && known != metric) tables->have_other_metrics = true;
        if (known == MC_NONE && metrics->count == MC_METRIC_MOST)
            return mc_fail(error, MC_ERROR_BAD_DATA,
                           "expected at most %d metrics in all parts together", MC_METRIC_MOST);
        if (known == MC_NONE && mc_metrics_add(metrics, info) == MC_NONE)
            return mc_error_out_of_memory(error);
        int what = known == MC_NONE ? 0 : mc_metric_info_merge(&metrics->items[known], info);
        if (what < 0) return mc_error_out_of_memory(error);
        if (what > 0) return contradict(&metrics->items[known], what, error);
    }
    return MC_OK;
}

static int compare_metrics(const void *a, const void *b) {
    const mc_metric_info *x = a, *y = b;
    size_t shared = x->key_size < y->key_size ? x->key_size : y->key_size;
    int order = memcmp(x->key, y->key, shared);
    return order != 0 ? order : (x->key_size > y->key_size) - (x->key_size < y->key_size);
}

// ---- classifiers

static mc_result add_classifier(mc_merge_tables *tables, const char *name, size_t size,
                                uint32_t level, bool *is_new, uint32_t *index, mc_error *error) {
    uint32_t known = tables->classifiers.count;
    *index = mc_strings_intern(&tables->classifiers, name, size);
    if (*index == MC_NONE || !mc_reserve(&tables->levels, &tables->level_capacity,
                                         (size_t)known + 1, sizeof *tables->levels))
        return mc_error_out_of_memory(error);
    *is_new = *index == known;
    if (*is_new || level < tables->levels[*index]) tables->levels[*index] = level;
    return MC_OK;
}

static mc_result add_classifiers(mc_merge_tables *tables, const mc_trace *trace, bool is_first,
                                 mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t count = mc_trace_get_classifier_count(trace);
    uint32_t *levels = mc_alloc((size_t)count + 1, sizeof *levels);
    if (!levels) return mc_error_out_of_memory(error);
    memset(levels, 0xff, count * sizeof *levels);
    for (uint32_t i = 0; i < nodes->count; i++)
        if (nodes->role[i] != MC_NONE && nodes->level[i] < levels[nodes->role[i]])
            levels[nodes->role[i]] = nodes->level[i];
    mc_result result = MC_OK;
    if (!is_first && count != tables->classifiers.count) tables->have_other_classifiers = true;
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(trace, i, &size);
        bool is_new = false;
        uint32_t index = i;
        result = add_classifier(tables, name, size, levels[i], &is_new, &index, error);
        if (!is_first && (is_new || index != i)) tables->have_other_classifiers = true;
    }
    mc_free(levels);
    return result;
}

typedef struct place {
    uint32_t level, index;
    const char *name;
    size_t size;
} place;

static int compare_places(const void *a, const void *b) {
    const place *x = a, *y = b;
    if (x->level != y->level) return x->level < y->level ? -1 : 1;
    size_t shared = x->size < y->size ? x->size : y->size;
    int order = memcmp(x->name, y->name, shared);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

// Those nearest to the root first; the new one in front of all.
static mc_result order_classifiers(mc_merge_tables *tables, const char *under, mc_error *error) {
    uint32_t count = tables->classifiers.count;
    place *places = mc_alloc((size_t)count + 1, sizeof *places);
    mc_strings ordered = {0};
    if (!places) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        places[i] = (place){.level = tables->levels[i], .index = i};
        places[i].name = mc_strings_get(&tables->classifiers, i, &places[i].size);
    }
    if (tables->have_other_classifiers && count > 0)
        qsort(places, count, sizeof *places, compare_places);
    bool is_fine = !under || mc_strings_intern(&ordered, under, strlen(under)) != MC_NONE;
    for (uint32_t i = 0; i < count && is_fine; i++)
        is_fine = mc_strings_intern(&ordered, places[i].name, places[i].size) != MC_NONE;
    mc_free(places);
    mc_strings_deinit(&tables->classifiers);
    tables->classifiers = ordered;
    return is_fine ? MC_OK : mc_error_out_of_memory(error);
}

// ---- the root

static mc_result add_root(mc_merge_tables *tables, const mc_trace *trace, mc_error *error) {
    size_t size;
    const char *key = mc_trace_get_string(trace, mc_trace_get_nodes(trace)->key[0], &size);
    if (!tables->has_roots) {
        tables->root_key = mc_alloc(size + 1, 1);
        if (!tables->root_key) return mc_error_out_of_memory(error);
        memcpy(tables->root_key, key, size + 1);
        tables->root_key_size = size;
        tables->has_roots = true;
        return MC_OK;
    }
    if (tables->root_key &&
        (tables->root_key_size != size || memcmp(tables->root_key, key, size) != 0)) {
        mc_free(tables->root_key);
        tables->root_key = NULL;
    }
    return MC_OK;
}

mc_result mc_merge_tables_add(mc_merge_tables *tables, const mc_trace *trace, mc_error *error) {
    bool is_first = !tables->has_roots;
    mc_result result = add_root(tables, trace, error);
    if (result == MC_OK) result = add_metrics(tables, trace, is_first, error);
    return result == MC_OK ? add_classifiers(tables, trace, is_first, error) : result;
}

mc_result mc_merge_tables_finish(mc_merge_tables *tables, const char *under, mc_error *error) {
    mc_metrics *metrics = &tables->metrics;
    if (tables->have_other_metrics && metrics->count > MC_METRIC_FIRST_OWN)
        qsort(metrics->items + MC_METRIC_FIRST_OWN, metrics->count - MC_METRIC_FIRST_OWN,
              sizeof *metrics->items, compare_metrics);
    if (!tables->root_key) {
        tables->root_key = mc_copy_string(usual_root);
        tables->root_key_size = strlen(usual_root);
        if (!tables->root_key) return mc_error_out_of_memory(error);
    }
    return order_classifiers(tables, under, error);
}
