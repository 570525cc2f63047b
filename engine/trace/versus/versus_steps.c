// The steps of two traces as one: sums over those of either side.
#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include "engine/trace/versus/versus_store.h"
#include <string.h>

static uint32_t get_side_step(const mc_versus_store *store, mc_versus_side side, uint32_t step) {
    return store->step[side][step];
}

// ---- values, as they are stored

// A word of the side's metric as the trace's own has it.
static uint64_t convert(const mc_metric_info *info, const mc_metric_info *from, uint64_t word) {
    return info->is_real && !from->is_real ? mc_metric_make_real(word) : word;
}

static void sum_up(const mc_trace *trace, const mc_metric_info *info, mc_versus_side side,
                   const mc_metric_info *side_info, const uint64_t *from, uint64_t *values) {
    const mc_versus_store *store = trace->store;
    const mc_versus_members *members = &store->members[side];
    memset(values, 0, trace->nodes.count * sizeof *values);
    for (uint32_t node = trace->nodes.count; node-- > 0;) {
        for (uint32_t i = members->first[node]; i < members->first[node + 1]; i++)
            values[node] = mc_metric_add(info, values[node],
                                         convert(info, side_info, from[members->leaves[i]]));
        if (node == 0) continue;
        uint32_t parent = trace->parent[node];
        values[parent] = mc_metric_add(info, values[parent], values[node]);
    }
    values[0] = convert(info, side_info, from[0]);
}

// Of what is not additive nobody knows it of several at once.
static void pick(const mc_trace *trace, const mc_metric_info *info, mc_versus_side side,
                 const mc_metric_info *side_info, const uint64_t *from, uint64_t *values) {
    const mc_versus_store *store = trace->store;
    const mc_versus_members *members = &store->members[side];
    for (uint32_t node = 0; node < trace->nodes.count; node++) {
        uint32_t same = members->same[node];
        values[node] = 0;
        if (same == MC_NONE || members->is_many[node]) continue;
        uint64_t word = mc_value_load(side_info, from[same]);
        if (word != MC_COUNT_UNKNOWN)
            values[node] = mc_value_store(info, convert(info, side_info, word));
    }
}

static mc_result read_side(const mc_trace *trace, mc_versus_side side, uint32_t side_step,
                           mc_metric metric, uint64_t *values, mc_error *error) {
    const mc_versus_store *store = trace->store;
    const mc_trace *from_trace = store->sides[side];
    const mc_metric_info *info = &trace->metrics.items[metric];
    mc_metric side_metric = store->metrics[side][metric % store->metric_count];
    if (side_metric == MC_NONE) {
        memset(values, 0, trace->nodes.count * sizeof *values);
        return MC_OK;
    }
    const mc_metric_info *side_info = &from_trace->metrics.items[side_metric];
    uint64_t *from = mc_alloc(from_trace->nodes.count, sizeof *from);
    if (!from) return mc_error_out_of_memory(error);
    mc_result result =
        from_trace->source->read_column(from_trace, side_step, side_metric, from, error);
    if (result == MC_OK && info->is_additive)
        sum_up(trace, info, side, side_info, from, values);
    else if (result == MC_OK)
        pick(trace, info, side, side_info, from, values);
    mc_free(from);
    return result;
}

static mc_versus_values get_values(const mc_versus_store *store, mc_metric metric) {
    static const mc_versus_values values[] = {MC_VERSUS_AFTER, MC_VERSUS_BEFORE, MC_VERSUS_LARGER};
    return values[metric / store->metric_count];
}

// Words sort as their values do, as they are stored, too.
static void take_larger(uint64_t *restrict values, const uint64_t *restrict others,
                        uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        values[i] = others[i] > values[i] ? others[i] : values[i];
}

static void sum_up_leaves(const mc_trace *trace, const mc_metric_info *info, uint64_t *values) {
    for (uint32_t node = 0; node < trace->nodes.count; node++)
        if (trace->child_count[node] > 0) values[node] = 0;
    for (uint32_t node = trace->nodes.count; node-- > 1;) {
        uint32_t parent = trace->parent[node];
        values[parent] = mc_metric_add(info, values[parent], values[node]);
    }
}

static mc_result read_larger(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             uint64_t *values, mc_error *error) {
    const mc_versus_store *store = trace->store;
    const mc_metric_info *info = &trace->metrics.items[metric];
    uint64_t *others = mc_alloc(trace->nodes.count, sizeof *others);
    if (!others) return mc_error_out_of_memory(error);
    mc_result result = read_side(trace, MC_BEFORE, get_side_step(store, MC_BEFORE, step_index),
                                 metric, others, error);
    if (result == MC_OK)
        result = read_side(trace, MC_AFTER, get_side_step(store, MC_AFTER, step_index), metric,
                           values, error);
    if (result == MC_OK) take_larger(values, others, trace->nodes.count);
    if (result == MC_OK && info->is_additive) sum_up_leaves(trace, info, values);
    mc_free(others);
    return result;
}

static mc_result read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             uint64_t *values, mc_error *error) {
    const mc_versus_store *store = trace->store;
    mc_versus_values which = get_values(store, metric);
    if (which == MC_VERSUS_LARGER) return read_larger(trace, step_index, metric, values, error);
    mc_versus_side side = (mc_versus_side)which;
    return read_side(trace, side, get_side_step(store, side, step_index), metric, values, error);
}

// A leaf's, as it is stored: the sum of the side's leaves that are it.
static mc_result read_leaf(const mc_trace *trace, mc_versus_side side, uint32_t step_index,
                           mc_metric metric, uint32_t node, uint64_t *value, mc_error *error) {
    const mc_versus_store *store = trace->store;
    const mc_versus_members *members = &store->members[side];
    const mc_trace *from = store->sides[side];
    const mc_metric_info *info = &trace->metrics.items[metric];
    mc_metric side_metric = store->metrics[side][metric % store->metric_count];
    *value = 0;
    if (side_metric == MC_NONE) return MC_OK;
    const mc_metric_info *side_info = &from->metrics.items[side_metric];
    for (uint32_t i = members->first[node]; i < members->first[node + 1]; i++) {
        uint64_t word;
        mc_result result =
            from->source->read_values(from, get_side_step(store, side, step_index), side_metric,
                                      &members->leaves[i], 1, &word, error);
        if (result != MC_OK) return result;
        *value = mc_metric_add(info, *value, convert(info, side_info, word));
    }
    return MC_OK;
}

// Of leaves of an additive metric, without all the others.
static mc_result read_leaves(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             const uint32_t *nodes, uint32_t count, uint64_t *values,
                             mc_error *error) {
    mc_versus_values which = get_values(trace->store, metric);
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        values[i] = 0;
        for (uint32_t side = 0; side < MC_VERSUS_SIDES && result == MC_OK; side++) {
            uint64_t value = 0;
            if (which != MC_VERSUS_LARGER && which != (mc_versus_values)side) continue;
            result =
                read_leaf(trace, (mc_versus_side)side, step_index, metric, nodes[i], &value, error);
            if (value > values[i]) values[i] = value;
        }
    }
    return result;
}

#define FEW_LEAVES 4 // so many are read each by itself

static bool are_few_leaves(const mc_trace *trace, mc_metric metric, const uint32_t *nodes,
                           uint32_t count) {
    bool are_few = count <= FEW_LEAVES && trace->metrics.items[metric].is_additive;
    for (uint32_t i = 0; i < count && are_few; i++)
        are_few = trace->child_count[nodes[i]] == 0 && nodes[i] > 0;
    return are_few;
}

static mc_result read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             const uint32_t *nodes, uint32_t count, uint64_t *values,
                             mc_error *error) {
    if (are_few_leaves(trace, metric, nodes, count))
        return read_leaves(trace, step_index, metric, nodes, count, values, error);
    uint64_t *all = mc_alloc(trace->nodes.count, sizeof *all);
    if (!all) return mc_error_out_of_memory(error);
    mc_result result = read_column(trace, step_index, metric, all, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        values[i] = all[nodes[i]];
    mc_free(all);
    return result;
}

mc_result mc_versus_read_column(const mc_trace *trace, mc_versus_side side, uint32_t side_step,
                                mc_metric metric, uint64_t *values, mc_error *error) {
    const mc_metric_info *info = &trace->metrics.items[metric];
    mc_result result = read_side(trace, side, side_step, metric, values, error);
    for (uint32_t node = 0; node < trace->nodes.count && result == MC_OK; node++)
        values[node] = mc_value_load(info, values[node]);
    return result;
}

// ---- presence

// A group is there if either side has a leaf of it; the mutex is held.
static mc_result load_present(const mc_trace *trace, uint32_t step_index, mc_error *error) {
    mc_versus_store *store = trace->store;
    if (store->present_step == step_index) return MC_OK;
    store->present_step = MC_NONE;
    memset(store->present, 0, mc_bits_word_count(trace->nodes.count) * sizeof *store->present);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        const mc_trace *from = store->sides[side];
        uint32_t side_step = get_side_step(store, side, step_index);
        for (uint32_t node = 0; node < from->nodes.count; node++) {
            bool is_present = false;
            uint32_t leaf = store->members[side].leaf[node];
            if (leaf == MC_NONE || mc_bits_get(store->present, leaf)) continue;
            mc_result result =
                from->source->read_presence(from, side_step, node, &is_present, error);
            if (result != MC_OK) return result;
            if (is_present) mc_bits_set(store->present, leaf);
        }
    }
    for (uint32_t node = trace->nodes.count; node-- > 1;)
        if (mc_bits_get(store->present, node)) mc_bits_set(store->present, trace->parent[node]);
    mc_bits_set(store->present, 0);
    store->present_step = step_index;
    return MC_OK;
}

static mc_result read_presence(const mc_trace *trace, uint32_t step_index, uint32_t node_index,
                               bool *is_present, mc_error *error) {
    mc_versus_store *store = trace->store;
    pthread_mutex_lock(&store->mutex);
    mc_result result = load_present(trace, step_index, error);
    if (result == MC_OK) *is_present = mc_bits_get(store->present, node_index);
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// ---- what is beside the tree

static mc_result read_table(const mc_trace *trace, uint32_t step_index, mc_side_table table,
                            mc_side_rows *rows, mc_error *error) {
    const mc_versus_store *store = trace->store;
    const mc_mapping mapping = mc_versus_get_mapping(store);
    return mc_mapping_read_side(&mapping, trace, get_side_step(store, MC_AFTER, step_index), table,
                                rows, error);
}

static bool knows_paths(const mc_trace *trace, uint32_t node) {
    const mc_mapping mapping = mc_versus_get_mapping(trace->store);
    return mc_mapping_knows_paths(&mapping, node);
}

// ---- sizes

static mc_result read_size(const mc_trace *trace, uint32_t step_index, mc_step_size *size,
                           mc_error *error) {
    mc_versus_store *store = trace->store;
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

// ---- the largest values of all steps, of which each is in one of the trace

// Whether the side knows those of its leaves, or has none of them; where several are one, or not
// all steps count, nobody knows.
static bool has_maxima(const mc_versus_store *store, mc_versus_side side, mc_metric metric) {
    const mc_trace *from = store->sides[side];
    mc_metric side_metric = store->metrics[side][metric % store->metric_count];
    return side_metric == MC_NONE || (!store->is_folded[side] && !store->is_windowed[side] &&
                                      from->source->get_maxima(from, side_metric));
}

// Raises the leaves' by those of the side.
static bool raise_maxima(const mc_trace *trace, mc_versus_side side, mc_metric metric,
                         uint64_t *values) {
    const mc_versus_store *store = trace->store;
    const mc_trace *from = store->sides[side];
    mc_metric side_metric = store->metrics[side][metric % store->metric_count];
    if (side_metric == MC_NONE) return true;
    const mc_metric_info *info = &trace->metrics.items[metric];
    const mc_metric_info *side_info = &from->metrics.items[side_metric];
    uint64_t *maxima = mc_alloc(from->nodes.count, sizeof *maxima);
    if (!maxima) return false;
    mc_packed_column_unpack(from->source->get_maxima(from, side_metric), maxima, from->nodes.count);
    for (uint32_t node = 0; node < from->nodes.count; node++) {
        uint32_t leaf = store->members[side].leaf[node];
        if (leaf == MC_NONE) continue;
        uint64_t word = convert(info, side_info, maxima[node]);
        if (word > values[leaf]) values[leaf] = word;
    }
    mc_free(maxima);
    return true;
}

static bool find_maxima(const mc_trace *trace, mc_metric metric, mc_packed_column *maxima) {
    const mc_versus_store *store = trace->store;
    mc_versus_values which = get_values(store, metric);
    // Of what is not additive, inner nodes have their own.
    if (!trace->metrics.items[metric].is_additive) return false;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        if ((which == MC_VERSUS_LARGER || which == (mc_versus_values)side) &&
            !has_maxima(store, (mc_versus_side)side, metric))
            return false;
    uint64_t *values = mc_alloc_zero(trace->nodes.count, sizeof *values);
    bool fits = values != NULL;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES && fits; side++)
        if (which == MC_VERSUS_LARGER || which == (mc_versus_values)side)
            fits = raise_maxima(trace, (mc_versus_side)side, metric, values);
    fits = fits && mc_packed_column_pack(maxima, values, trace->nodes.count);
    mc_free(values);
    return fits;
}

// Without memory for them they are not known.
static const mc_packed_column *get_maxima(const mc_trace *trace, mc_metric metric) {
    mc_versus_store *store = trace->store;
    pthread_mutex_lock(&store->mutex);
    if (!store->has_maxima[metric])
        store->has_maxima[metric] = find_maxima(trace, metric, &store->maxima[metric]);
    bool has = store->has_maxima[metric];
    pthread_mutex_unlock(&store->mutex);
    return has ? &store->maxima[metric] : NULL;
}

// ---- the whole

static size_t get_memory_size(const mc_trace *trace) {
    const mc_versus_store *store = trace->store;
    size_t size = sizeof *store + trace->step_count * (sizeof *trace->steps + 2 * sizeof(uint32_t));
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        const mc_node_columns *nodes = &store->sides[side]->nodes;
        size += ((size_t)nodes->count * 2 + nodes->leaf_count) * sizeof(uint32_t);
        size += (size_t)trace->nodes.count * (2 * sizeof(uint32_t) + 1);
    }
    return size + trace->nodes.count / 4 + store->move_count * sizeof *store->moves;
}

static double get_frame_ms(const mc_trace *trace) {
    const mc_versus_store *store = trace->store;
    return mc_trace_get_frame_ms(store->sides[MC_AFTER]);
}

static void destroy(mc_trace *trace, bool has_nodes) {
    (void)has_nodes;
    mc_versus_store *store = trace->store;
    if (!store) return;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        mc_versus_members *members = &store->members[side];
        mc_free(members->node);
        mc_free(members->leaf);
        mc_free(members->first);
        mc_free(members->leaves);
        mc_free(members->same);
        mc_free(members->is_many);
        mc_free(store->step[side]);
    }
    for (uint32_t metric = 0; metric < MC_METRIC_MOST; metric++)
        mc_packed_column_deinit(&store->maxima[metric]);
    mc_free(store->same_after);
    mc_free(store->strings_after);
    mc_free(store->moves);
    mc_free(store->moved);
    mc_free(store->present);
    if (store->has_mutex) pthread_mutex_destroy(&store->mutex);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        mc_trace_destroy(store->owned[side]);
    mc_free(store);
}

const mc_step_source mc_steps_versus = {.read_column = read_column,
                                        .read_values = read_values,
                                        .read_presence = read_presence,
                                        .read_side = read_table,
                                        .knows_paths = knows_paths,
                                        .read_size = read_size,
                                        .get_maxima = get_maxima,
                                        .get_frame_ms = get_frame_ms,
                                        .get_memory_size = get_memory_size,
                                        .destroy = destroy};

// ---- what the sides are

const mc_versus_move *mc_versus_get_moves(const mc_trace *trace, uint32_t *count) {
    const mc_versus_store *store = trace->store;
    *count = store->move_count;
    return store->moves;
}

bool mc_versus_find_move(const mc_trace *trace, uint32_t node, mc_versus_move *move) {
    const mc_versus_store *store = trace->store;
    if (!mc_versus_is_moved(store, node)) return false;
    const mc_trace *before = store->sides[MC_BEFORE];
    uint32_t was = mc_versus_find_before(trace, store, node);
    for (; move && was != MC_NONE; was = before->parent[was])
        for (uint32_t i = 0; i < store->move_count; i++) {
            if (store->moves[i].before_node != was) continue;
            *move = store->moves[i];
            return true;
        }
    return true;
}

bool mc_versus_has_before_places(const mc_trace *trace) {
    const mc_versus_store *store = trace->store;
    return store->has_before_places;
}

uint32_t mc_versus_get_node(const mc_trace *trace, mc_versus_side side, uint32_t node) {
    const mc_versus_store *store = trace->store;
    return store->members[side].same[node];
}

bool mc_trace_is_versus(const mc_trace *trace) {
    return trace->source == &mc_steps_versus;
}

bool mc_versus_has_node(const mc_trace *trace, mc_versus_side side, uint32_t node) {
    const mc_versus_store *store = trace->store;
    if (trace->flags[node] & MC_NODE_SELF) node = trace->parent[node];
    return store->members[side].same[node] != MC_NONE;
}

bool mc_versus_is_several(const mc_trace *trace, mc_versus_side side, uint32_t node) {
    const mc_versus_store *store = trace->store;
    return store->members[side].is_many[node];
}

uint32_t mc_versus_find_node(const mc_trace *trace, mc_versus_side side, uint32_t side_node) {
    const mc_versus_store *store = trace->store;
    return store->members[side].node[side_node];
}

uint32_t mc_versus_get_metric_count(const mc_trace *trace) {
    const mc_versus_store *store = trace->store;
    return store->metric_count;
}

uint32_t mc_versus_get_step(const mc_trace *trace, mc_versus_side side, uint32_t step_index) {
    return get_side_step(trace->store, side, step_index);
}

uint32_t mc_versus_get_end(const mc_trace *trace) {
    const mc_versus_store *store = trace->store;
    return store->end_step;
}

const mc_trace *mc_versus_get_side(const mc_trace *trace, mc_versus_side side) {
    const mc_versus_store *store = trace->store;
    return store->sides[side];
}

mc_metric mc_versus_get_metric(const mc_trace *trace, mc_metric metric, mc_versus_values values) {
    static const uint32_t third[] = {
        [MC_VERSUS_BEFORE] = 1, [MC_VERSUS_AFTER] = 0, [MC_VERSUS_LARGER] = 2};
    const mc_versus_store *store = trace->store;
    return metric % store->metric_count + third[values] * store->metric_count;
}

bool mc_versus_is_before(const mc_trace *trace, mc_metric metric) {
    return mc_trace_is_versus(trace) &&
           metric == mc_versus_get_metric(trace, metric, MC_VERSUS_BEFORE);
}
