// The steps of a regrouped trace: sums over those of its base.
#include "engine/base/memory.h"
#include "engine/trace/regroup/frame_steps.h"
#include "engine/trace/regroup/regroup.h"
#include "engine/trace/regroup/regroup_store.h"
#include <stdlib.h>
#include <string.h>

#define FEW 16 // where fewer than one of so many leaves are asked for, they are read one by one

// ---- values, as they are stored

enum { SUMS = 4 };

static uint64_t add_members(const mc_metric_info *info, const uint32_t *members, uint32_t count,
                            const uint64_t *from, uint64_t sum) {
    if (info->is_real) {
        for (uint32_t i = 0; i < count; i++)
            sum = mc_metric_add(info, sum, from[members[i]]);
        return sum;
    }
    // Sums that need not wait for each other; what is capped is so however it is added up.
    uint64_t sums[SUMS] = {sum};
    uint32_t i = 0;
    for (; count - i >= SUMS; i += SUMS)
        for (uint32_t k = 0; k < SUMS; k++)
            sums[k] = mc_count_add(sums[k], from[members[i + k]]);
    for (; i < count; i++)
        sums[0] = mc_count_add(sums[0], from[members[i]]);
    for (uint32_t k = 1; k < SUMS; k++)
        sums[0] = mc_count_add(sums[0], sums[k]);
    return sums[0];
}

// Of a metric that is additive: leaves are sums of leaves, groups of what is in them. The whole
// heap is what the base says it is.
static void sum_up(const mc_trace *trace, const mc_metric_info *info, const uint64_t *from,
                   uint64_t *values) {
    const mc_regroup_store *store = trace->store;
    uint32_t count = trace->nodes.count;
    memset(values, 0, count * sizeof *values);
    for (uint32_t node = count; node-- > 0;) {
        uint32_t first = store->first[node];
        values[node] = add_members(info, store->members + first, store->first[node + 1] - first,
                                   from, values[node]);
        if (node == 0) continue;
        uint32_t parent = trace->parent[node];
        values[parent] = mc_metric_add(info, values[parent], values[node]);
    }
    values[0] = from[0];
}

// ---- sums that the base adds up as it reads

// Behind the nodes: a group for what is in no leaf, and one for the root, whose value is no sum.
enum { NO_GROUP, ROOT_GROUP, MORE_GROUPS };

// Where groups are many, sums take no less time than a column.
#define SUMMED_GROUPS_MOST (1u << 13)

// The mutex is held.
static void order_groups(const mc_trace *trace) {
    mc_regroup_store *store = trace->store;
    const mc_trace *base = store->base;
    uint32_t count = trace->nodes.count, base_count = base->nodes.count;
    store->has_ordered_groups = true;
    if (count > SUMMED_GROUPS_MOST || base->child_count[0] == 0) return;
    uint32_t *groups = mc_alloc(base_count, sizeof *groups);
    uint32_t *ordered = mc_alloc(base_count, sizeof *ordered);
    for (uint32_t node = 0; groups && node < base_count; node++)
        groups[node] = store->leaf[node] != MC_NONE ? store->leaf[node] : count + NO_GROUP;
    if (groups) groups[0] = count + ROOT_GROUP;
    if (groups && ordered && base->source->order_groups(base, groups, ordered))
        store->ordered_groups = ordered;
    else
        mc_free(ordered);
    mc_free(groups);
}

static mc_result read_sums(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                           uint64_t *values, bool *is_done, mc_error *error) {
    mc_regroup_store *store = trace->store;
    const mc_trace *base = store->base;
    const mc_metric_info *info = &trace->metrics.items[metric];
    uint32_t count = trace->nodes.count;
    *is_done = false;
    if (metric >= MC_METRIC_FIRST_OWN || !base->source->can_read_sums ||
        !base->source->can_read_sums(base))
        return MC_OK;
    pthread_mutex_lock(&store->mutex);
    if (!store->has_ordered_groups) order_groups(trace);
    pthread_mutex_unlock(&store->mutex);
    if (!store->ordered_groups) return MC_OK;
    mc_group_sums sums = {.groups = store->ordered_groups, .count = count + MORE_GROUPS};
    sums.values = mc_alloc(sums.count, sizeof *sums.values);
    if (!sums.values) return mc_error_out_of_memory(error);
    mc_result result = base->source->read_sums(base, step_index, metric, &sums, is_done, error);
    if (*is_done) {
        memcpy(values, sums.values, count * sizeof *values);
        for (uint32_t node = count; node-- > 1;)
            values[trace->parent[node]] =
                mc_metric_add(info, values[trace->parent[node]], values[node]);
        values[0] = sums.values[count + ROOT_GROUP];
    }
    mc_free(sums.values);
    return result;
}

static mc_result read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             uint64_t *values, mc_error *error) {
    const mc_regroup_store *store = trace->store;
    const mc_trace *base = store->base;
    const mc_metric_info *info = &trace->metrics.items[metric];
    if (store->frame && metric >= MC_METRIC_FIRST_OWN)
        return mc_frame_read_column(trace, step_index, metric, values, error);
    bool is_done = false;
    mc_result result = read_sums(trace, step_index, metric, values, &is_done, error);
    if (is_done || result != MC_OK) return result;
    uint64_t *from = mc_alloc(base->nodes.count, sizeof *from);
    if (!from) return mc_error_out_of_memory(error);
    result = base->source->read_column(base, step_index, metric, from, error);
    if (result == MC_OK && info->is_additive) sum_up(trace, info, from, values);
    for (uint32_t node = 0; result == MC_OK && !info->is_additive && node < trace->nodes.count;
         node++)
        values[node] = store->same[node] == MC_NONE ? 0 : from[store->same[node]];
    mc_free(from);
    return result;
}

// ---- some values

// The leaves of the base that a node is made of.
typedef struct member_list {
    uint32_t *nodes;
    size_t count, capacity;
} member_list;

// False: there are more than `most`, or memory is out.
static bool list_members(const mc_trace *trace, uint32_t node, size_t most, member_list *list) {
    const mc_regroup_store *store = trace->store;
    uint32_t end = node + 1, begin = node;
    list->count = 0;
    // What is below is one range a level.
    while (begin < end) {
        uint32_t next_begin = MC_NONE, next_end = 0;
        for (uint32_t at = begin; at < end; at++) {
            size_t count = store->first[at + 1] - store->first[at];
            if (list->count + count > most || end - begin > most) return false;
            if (!mc_reserve(&list->nodes, &list->capacity, list->count + count + 1,
                            sizeof *list->nodes))
                return false;
            memcpy(list->nodes + list->count, store->members + store->first[at],
                   count * sizeof *list->nodes);
            list->count += count;
            if (trace->child_count[at] == 0) continue;
            if (next_begin == MC_NONE) next_begin = trace->first_child[at];
            next_end = trace->first_child[at] + trace->child_count[at];
        }
        begin = next_begin == MC_NONE ? 0 : next_begin;
        end = next_end;
    }
    return true;
}

static mc_result read_sum(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                          const member_list *list, uint64_t *value, mc_error *error) {
    const mc_trace *base = mc_trace_get_base(trace);
    uint64_t *values = mc_alloc(list->count + 1, sizeof *values);
    if (!values) return mc_error_out_of_memory(error);
    mc_result result = base->source->read_values(base, step_index, metric, list->nodes,
                                                 (uint32_t)list->count, values, error);
    *value = 0;
    for (size_t i = 0; i < list->count && result == MC_OK; i++)
        *value = mc_metric_add(&trace->metrics.items[metric], *value, values[i]);
    mc_free(values);
    return result;
}

// A node's value without reading all of them; *is_read false: that is no less work.
static mc_result read_one(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                          uint32_t node, member_list *list, uint64_t *value, bool *is_read,
                          mc_error *error) {
    const mc_regroup_store *store = trace->store;
    const mc_trace *base = store->base;
    bool is_additive = trace->metrics.items[metric].is_additive;
    uint32_t same = store->same[node];
    *is_read = true;
    *value = 0;
    if (!is_additive && same == MC_NONE) return MC_OK;
    if (node == 0 || !is_additive || (same != MC_NONE && base->child_count[same] == 0))
        return base->source->read_values(base, step_index, metric, &same, 1, value, error);
    *is_read = list_members(trace, node, base->nodes.leaf_count / FEW + 1, list);
    return *is_read ? read_sum(trace, step_index, metric, list, value, error) : MC_OK;
}

static mc_result read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             const uint32_t *nodes, uint32_t count, uint64_t *values,
                             mc_error *error) {
    member_list list = {.nodes = NULL};
    if (mc_regroup_get_store(trace)->frame && metric >= MC_METRIC_FIRST_OWN)
        return mc_frame_read_values(trace, step_index, metric, nodes, count, values, error);
    bool is_read = count <= trace->nodes.count / FEW + 1;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < count && result == MC_OK && is_read; i++)
        result = read_one(trace, step_index, metric, nodes[i], &list, &values[i], &is_read, error);
    mc_free(list.nodes);
    if (is_read || result != MC_OK) return result;
    uint64_t *all = mc_alloc(trace->nodes.count, sizeof *all);
    if (!all) return mc_error_out_of_memory(error);
    result = read_column(trace, step_index, metric, all, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        values[i] = all[nodes[i]];
    mc_free(all);
    return result;
}

// ---- presence

// A group is there if a leaf that it is made of is; the mutex is held.
static mc_result load_present(const mc_trace *trace, uint32_t step_index, mc_error *error) {
    mc_regroup_store *store = trace->store;
    const mc_trace *base = store->base;
    if (store->present_step == step_index) return MC_OK;
    store->present_step = MC_NONE;
    if (store->frame) { // methods are there, whether or not they run
        memset(store->present, 0xff, mc_bits_word_count(trace->nodes.count) * sizeof(uint64_t));
        store->present_step = step_index;
        return MC_OK;
    }
    memset(store->present, 0, mc_bits_word_count(trace->nodes.count) * sizeof *store->present);
    mc_bits_set(store->present, 0);
    for (uint32_t node = trace->nodes.count; node-- > 0;) {
        bool is_present = mc_bits_get(store->present, node);
        for (uint32_t i = store->first[node]; i < store->first[node + 1] && !is_present; i++) {
            mc_result result = base->source->read_presence(base, step_index, store->members[i],
                                                           &is_present, error);
            if (result != MC_OK) return result;
        }
        if (!is_present) continue;
        mc_bits_set(store->present, node);
        if (node > 0) mc_bits_set(store->present, trace->parent[node]);
    }
    store->present_step = step_index;
    return MC_OK;
}

static mc_result read_presence(const mc_trace *trace, uint32_t step_index, uint32_t node_index,
                               bool *is_present, mc_error *error) {
    mc_regroup_store *store = trace->store;
    pthread_mutex_lock(&store->mutex);
    mc_result result = load_present(trace, step_index, error);
    if (result == MC_OK) *is_present = mc_bits_get(store->present, node_index);
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// ---- what is beside the tree

static mc_result read_table(const mc_trace *trace, uint32_t step_index, mc_side_table table,
                            mc_side_rows *rows, mc_error *error) {
    const mc_mapping mapping = mc_regroup_get_mapping(trace->store);
    return mc_mapping_read_side(&mapping, trace, step_index, table, rows, error);
}

static bool knows_paths(const mc_trace *trace, uint32_t node) {
    const mc_mapping mapping = mc_regroup_get_mapping(trace->store);
    return mc_mapping_knows_paths(&mapping, node);
}

// ---- sizes

static mc_result read_size(const mc_trace *trace, uint32_t step_index, mc_step_size *size,
                           mc_error *error) {
    mc_regroup_store *store = trace->store;
    mc_side_rows references = {.rows = NULL};
    pthread_mutex_lock(&store->mutex);
    mc_result result = load_present(trace, step_index, error);
    if (result == MC_OK) mc_mapped_count_nodes(trace, store->present, size);
    pthread_mutex_unlock(&store->mutex);
    if (result == MC_OK)
        result = read_table(trace, step_index, MC_SIDE_REFERENCES, &references, error);
    size->pair_count = references.count;
    mc_side_rows_deinit(&references);
    return result;
}

// ---- the largest values

// Those of groups are no sums: they are known where each leaf is one of the base.
static void look_for_maximum(const mc_trace *trace, mc_metric metric) {
    mc_regroup_store *store = trace->store;
    store->has_looked[metric] = true;
    if (!store->is_one_to_one || (store->frame && metric >= MC_METRIC_FIRST_OWN)) return;
    const mc_packed_column *known = store->base->source->get_maxima(store->base, metric);
    uint32_t count = trace->nodes.count;
    uint64_t *values = known ? mc_alloc_zero(count, sizeof *values) : NULL;
    for (uint32_t node = 0; values && node < count; node++)
        if (store->first[node + 1] > store->first[node])
            values[node] = mc_packed_column_get(known, store->members[store->first[node]]);
    if (values) mc_packed_column_pack(&store->maxima[metric], values, count);
    mc_free(values);
}

static const mc_packed_column *get_maxima(const mc_trace *trace, mc_metric metric) {
    mc_regroup_store *store = trace->store;
    pthread_mutex_lock(&store->mutex);
    if (!store->has_looked[metric]) look_for_maximum(trace, metric);
    const mc_packed_column *maxima =
        store->maxima[metric].count > 0 ? &store->maxima[metric] : NULL; // which stays as it is
    pthread_mutex_unlock(&store->mutex);
    return maxima;
}

static size_t get_memory_size(const mc_trace *trace) {
    mc_regroup_store *store = trace->store;
    const mc_trace *base = store->base;
    size_t size = sizeof *store + trace->step_count * sizeof *trace->steps;
    size += ((size_t)base->nodes.count + base->nodes.leaf_count) * sizeof(uint32_t);
    size += (size_t)trace->nodes.count * 2 * sizeof(uint32_t) + trace->nodes.count / 8;
    pthread_mutex_lock(&store->mutex);
    if (store->ordered_groups) size += (size_t)base->nodes.count * sizeof *store->ordered_groups;
    pthread_mutex_unlock(&store->mutex);
    return size + (store->owned ? mc_trace_memory_size(base) : 0);
}

static void destroy(mc_trace *trace, bool has_nodes) {
    mc_regroup_store *store = trace->store;
    if (!store) return;
    mc_frame_destroy(store->frame);
    mc_trace_destroy(store->owned);
    (void)has_nodes;
    bool has_map = !store->map_holders ||
                   atomic_fetch_sub_explicit(store->map_holders, 1, memory_order_acq_rel) == 1;
    if (has_map) {
        mc_free(store->map_holders);
        mc_free(store->leaf);
        mc_free(store->first);
        mc_free(store->members);
        mc_free(store->same);
    }
    mc_free(store->present);
    mc_free(store->ordered_groups);
    for (uint32_t metric = 0; metric < MC_METRIC_MOST; metric++)
        mc_packed_column_deinit(&store->maxima[metric]);
    if (store->has_mutex) pthread_mutex_destroy(&store->mutex);
    mc_free(store);
}

static double get_frame_ms(const mc_trace *trace) {
    const mc_regroup_store *store = trace->store;
    return store->frame ? mc_frame_get_ms(store->frame) : 0;
}

const mc_step_source mc_steps_regrouped = {.read_column = read_column,
                                           .read_values = read_values,
                                           .read_presence = read_presence,
                                           .read_side = read_table,
                                           .knows_paths = knows_paths,
                                           .read_size = read_size,
                                           .get_maxima = get_maxima,
                                           .get_frame_ms = get_frame_ms,
                                           .get_memory_size = get_memory_size,
                                           .destroy = destroy};
