#include "engine/trace/mct/mct_store.h"

#include "engine/base/memory.h"
#include "engine/trace/mct/mct.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void mc_mct_store_destroy(mc_mct_store *store) {
    if (!store) return;
    for (int i = 0; i < MC_MCT_CACHE_COUNT; i++)
        mc_packed_column_deinit(&store->cache[i].values);
    for (int metric = 0; metric < 2; metric++)
        mc_packed_column_deinit(&store->maxima[metric]);
    mc_mct_column_reader_deinit(&store->reader);
    mc_mct_codec_deinit(&store->codec);
    mc_mct_file_close(&store->file);
    mc_free(store->known_node_counts);
    mc_free(store->steps);
    mc_free(store->order);
    mc_free(store->node_of);
    mc_free(store->leaf_of);
    mc_free(store->self_nodes);
    mc_free(store->classifier_rank);
    mc_free(store->old_values);
    mc_free(store->is_loaded);
    mc_free(store->new_values);
    mc_free(store->present);
    if (store->has_mutex) pthread_mutex_destroy(&store->mutex);
    mc_free(store);
}

size_t mc_mct_store_memory_size(const mc_trace *trace) {
    mc_mct_store *store = trace->store;
    pthread_mutex_lock(&store->mutex);
    size_t size = sizeof *store + mc_mct_codec_memory_size(&store->codec) +
                  (size_t)trace->nodes.count * 12 + (size_t)store->seen_count * 16 +
                  store->seen_count / 8 +
                  trace->step_count * (sizeof *trace->steps + sizeof *store->steps);
    size += mc_mct_column_reader_memory_size(&store->reader);
    for (int i = 0; i < MC_MCT_CACHE_COUNT; i++)
        size += mc_packed_column_memory_size(&store->cache[i].values);
    for (int metric = 0; metric < 2; metric++)
        size += mc_packed_column_memory_size(&store->maxima[metric]);
    pthread_mutex_unlock(&store->mutex);
    return size;
}

// ---- columns; the mutex is held

static void select_column(mc_mct_store *store, uint32_t step_index, mc_column column) {
    if (store->loaded_step == step_index && store->loaded_column == column) return;
    memset(store->is_loaded, 0, mc_mct_get_block_count(store->seen_count));
    store->loaded_step = step_index;
    store->loaded_column = column;
}

// Makes sure that a block of the selected column is in store->old_values.
static mc_result load_block(mc_mct_store *store, uint32_t block, mc_error *error) {
    const mc_mct_store_step *step = &store->steps[store->loaded_step];
    if (store->is_loaded[block]) return MC_OK;
    uint64_t *values = store->old_values + (size_t)block * MC_MCT_BLOCK_COUNT;
    uint32_t known = mc_mct_get_block_length(store->known_node_counts[step->key - 1], block);
    uint32_t length = mc_mct_get_block_length(store->seen_count, block);
    if (!(step->column_mask & 1u << store->loaded_column)) known = 0;
    mc_result result = known == 0 ? MC_OK
                                  : mc_mct_read_block(&store->reader, step->key,
                                                      store->loaded_column, block, values, error);
    if (result != MC_OK) return result;
    memset(values + known, 0, (length - known) * sizeof *values);
    store->is_loaded[block] = 1;
    return MC_OK;
}

// The shares that no child explains.
static void fill_self_nodes(const mc_trace *trace, uint64_t *values) {
    const mc_mct_store *store = trace->store;
    for (uint32_t i = 0; i < store->self_count; i++) {
        uint32_t self = store->self_nodes[i], parent = trace->parent[self];
        uint32_t child = trace->first_child[parent], end = child + trace->child_count[parent];
        uint64_t rest = values[parent];
        for (; child < end && rest > 0; child++)
            if (child != self) rest = values[child] < rest ? rest - values[child] : 0;
        values[self] = rest;
    }
}

// Reads a column, by the trace's nodes, into store->new_values.
static mc_result decode(const mc_trace *trace, uint32_t step_index, mc_column column,
                        mc_error *error) {
    mc_mct_store *store = trace->store;
    uint32_t blocks = mc_mct_get_block_count(store->seen_count);
    mc_result result = MC_OK;
    select_column(store, step_index, column);
    for (uint32_t block = 0; block < blocks && result == MC_OK; block++)
        result = load_block(store, block, error);
    if (result != MC_OK) return result;
    const uint64_t *restrict old_values = store->old_values;
    const uint32_t *restrict order = store->order;
    uint64_t *restrict new_values = store->new_values;
    uint32_t last = store->seen_count; // the entry behind the last is 0: for self nodes
    for (uint32_t i = 0; i < trace->nodes.count; i++)
        new_values[i] = old_values[order[i] < last ? order[i] : last];
    if (column <= MC_COLUMN_BYTES) fill_self_nodes(trace, new_values);
    return MC_OK;
}

// One value of the selected column.
static mc_result get_value(const mc_trace *trace, uint32_t node, uint64_t *value, mc_error *error) {
    mc_mct_store *store = trace->store;
    uint32_t old = store->order[node];
    *value = 0;
    if (old < store->seen_count) {
        mc_result result = load_block(store, old / MC_MCT_BLOCK_COUNT, error);
        *value = store->old_values[old];
        return result;
    }
    if (store->loaded_column > MC_COLUMN_BYTES) return MC_OK;
    uint32_t parent = trace->parent[node];
    uint32_t child = trace->first_child[parent], end = child + trace->child_count[parent];
    uint64_t rest, part;
    mc_result result = get_value(trace, parent, &rest, error);
    for (; child < end && result == MC_OK; child++) {
        if (child == node) continue;
        result = get_value(trace, child, &part, error);
        rest = part < rest ? rest - part : 0;
    }
    *value = rest;
    return result;
}

static mc_mct_cached *find_cached(mc_mct_store *store, uint32_t step_index, mc_column column) {
    for (int i = 0; i < MC_MCT_CACHE_COUNT; i++) {
        mc_mct_cached *entry = &store->cache[i];
        if (entry->used == 0 || entry->step_index != step_index || entry->column != column)
            continue;
        entry->used = ++store->clock;
        return entry;
    }
    return NULL;
}

// The column in the cache, which may go with the next call; NULL after an error.
static const mc_packed_column *load(const mc_trace *trace, uint32_t step_index, mc_column column,
                                    mc_error *error) {
    mc_mct_store *store = trace->store;
    mc_mct_cached *entry = find_cached(store, step_index, column);
    if (entry) return &entry->values;
    if (decode(trace, step_index, column, error) != MC_OK) return NULL;
    mc_packed_column packed;
    if (!mc_packed_column_pack(&packed, store->new_values, trace->nodes.count)) {
        mc_error_out_of_memory(error);
        return NULL;
    }
    entry = &store->cache[0];
    for (int i = 1; i < MC_MCT_CACHE_COUNT; i++)
        if (store->cache[i].used < entry->used) entry = &store->cache[i];
    mc_packed_column_deinit(&entry->values);
    *entry = (mc_mct_cached){
        .step_index = step_index, .column = column, .used = ++store->clock, .values = packed};
    return &entry->values;
}

mc_result mc_mct_store_read_column(const mc_trace *trace, uint32_t step_index, mc_column column,
                                   uint64_t *values, mc_error *error) {
    mc_error unseen;
    if (!error) error = &unseen;
    pthread_mutex_lock(&trace->store->mutex);
    const mc_packed_column *packed = load(trace, step_index, column, error);
    if (packed) mc_packed_column_unpack(packed, values, trace->nodes.count);
    pthread_mutex_unlock(&trace->store->mutex);
    if (!packed) return error->code;
    for (uint32_t node = 0; column > MC_COLUMN_BYTES && node < trace->nodes.count; node++)
        values[node]--; // 0 becomes MC_COUNT_UNKNOWN
    return MC_OK;
}

mc_result mc_mct_store_read_values(const mc_trace *trace, uint32_t step_index, mc_column column,
                                   const uint32_t *nodes, uint32_t count, uint64_t *values,
                                   mc_error *error) {
    mc_mct_store *store = trace->store;
    mc_result result = MC_OK;
    pthread_mutex_lock(&store->mutex);
    const mc_mct_cached *entry = find_cached(store, step_index, column);
    if (!entry) select_column(store, step_index, column);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        if (entry) {
            values[i] = mc_packed_column_get(&entry->values, nodes[i]);
        } else {
            result = get_value(trace, nodes[i], &values[i], error);
        }
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// ---- presence

static mc_result load_present(const mc_trace *trace, uint32_t step_index, mc_error *error) {
    mc_mct_store *store = trace->store;
    if (store->present_step == step_index) return MC_OK;
    store->present_step = MC_NONE;
    memset(store->present, 0, mc_bits_word_count(store->seen_count) * sizeof *store->present);
    mc_result result =
        mc_mct_read_present(&store->reader, store->steps[step_index].key, store->present, error);
    if (result == MC_OK) store->present_step = step_index;
    return result;
}

mc_result mc_mct_store_is_present(const mc_trace *trace, uint32_t step_index, uint32_t node_index,
                                  bool *is_present, mc_error *error) {
    mc_mct_store *store = trace->store;
    uint32_t old = store->order[node_index];
    if (old < store->seen_count) {
        pthread_mutex_lock(&store->mutex);
        mc_result result = load_present(trace, step_index, error);
        uint32_t known = store->known_node_counts[store->steps[step_index].key - 1];
        if (result == MC_OK) *is_present = old < known && mc_bits_get(store->present, old);
        pthread_mutex_unlock(&store->mutex);
        return result;
    }
    uint64_t objects = 0, bytes = 0;
    mc_result result = mc_mct_store_read_values(trace, step_index, MC_COLUMN_OBJECTS, &node_index,
                                                1, &objects, error);
    if (result == MC_OK)
        result = mc_mct_store_read_values(trace, step_index, MC_COLUMN_BYTES, &node_index, 1,
                                          &bytes, error);
    *is_present = objects > 0 || bytes > 0;
    return result;
}

// ---- references

static int compare_pairs(const void *a, const void *b) {
    const mc_pair *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

mc_result mc_mct_store_read_references(const mc_trace *trace, uint32_t step_index,
                                       mc_reference_columns *references, mc_error *error) {
    mc_mct_store *store = trace->store;
    uint32_t count = trace->steps[step_index].info.pair_count;
    int64_t key = store->steps[step_index].key;
    mc_pair *pairs = NULL;
    mc_result result = mc_reference_columns_allocate(references, count, error);
    if (result != MC_OK || count == 0) return result;
    pthread_mutex_lock(&store->mutex);
    result = mc_mct_read_pairs(&store->file, &store->codec, key, store->known_node_counts[key - 1],
                               count, &pairs, error);
    pthread_mutex_unlock(&store->mutex);
    if (result != MC_OK) {
        mc_reference_columns_deinit(references);
        return result;
    }
    for (uint32_t i = 0; i < count; i++) {
        pairs[i].from = store->leaf_of[pairs[i].from];
        pairs[i].to = store->leaf_of[pairs[i].to];
    }
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (uint32_t i = 0; i < count; i++) {
        references->from[i] = pairs[i].from;
        references->to[i] = pairs[i].to;
        references->points_to[i] = pairs[i].points_to;
        references->pointed_from[i] = pairs[i].pointed_from;
    }
    mc_free(pairs);
    return MC_OK;
}

// ---- renames

mc_result mc_mct_store_read_renames(const mc_trace *trace, uint32_t step_index, mc_rename **renames,
                                    mc_error *error) {
    mc_mct_store *store = trace->store;
    int64_t key = store->steps[step_index].key;
    uint32_t count = trace->steps[step_index].rename_count;
    mc_rename limits = {.node = store->known_node_counts[key - 1],
                        .name = trace->strings.count,
                        .role = trace->classifier_count};
    pthread_mutex_lock(&store->mutex);
    mc_result result =
        mc_mct_read_renames(&store->file, &store->codec, key, limits, count, renames, error);
    pthread_mutex_unlock(&store->mutex);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        mc_rename *rename = &(*renames)[i];
        rename->node = store->node_of[rename->node];
        if (rename->role != MC_NONE) rename->role = store->classifier_rank[rename->role];
    }
    if (result == MC_OK) qsort(*renames, count, sizeof **renames, mc_rename_compare);
    return result;
}

// ---- the largest values

// Raises the maxima by a step that came after they were written.
static mc_result add_step(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                          uint64_t *values) {
    mc_mct_store *store = trace->store;
    mc_result result = decode(trace, step_index, mc_metric_get_column(metric), NULL);
    for (uint32_t node = 0; result == MC_OK && node < trace->nodes.count; node++)
        if (trace->child_count[node] == 0 && store->new_values[node] > values[node])
            values[node] = store->new_values[node];
    return result;
}

static mc_result load_maximum(const mc_trace *trace, mc_metric metric, uint32_t file_step_count,
                              uint64_t *values) {
    mc_mct_store *store = trace->store;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    store->loaded_step = MC_NONE; // its column's place is used
    mc_result result = mc_mct_file_get(&store->file, MC_MCT_MAXIMUM, metric, row, NULL);
    int64_t known = 0, step_count = 0;
    if (result == MC_OK) {
        known = row[MC_MCT_MAXIMUM_NODES].number;
        step_count = row[MC_MCT_MAXIMUM_STEPS].number;
        result = known < 0 || known > store->seen_count || step_count > file_step_count
                     ? MC_ERROR_BAD_DATA
                     : mc_mct_decode_column(&store->codec, row[MC_MCT_MAXIMUM_DATA].data,
                                            row[MC_MCT_MAXIMUM_DATA].size, store->old_values,
                                            (uint32_t)known, MC_MCT_NO_BASE);
    }
    mc_mct_file_release(&store->file, MC_MCT_MAXIMUM);
    if (result != MC_OK) return result;
    for (uint32_t node = 0; node < trace->nodes.count; node++) {
        uint32_t old = store->order[node];
        if (old >= store->seen_count) old = store->order[trace->parent[node]];
        bool is_known = trace->child_count[node] == 0 && old < known;
        values[node] = is_known ? store->old_values[old] : 0;
    }
    for (uint32_t i = 0; i < trace->step_count && result == MC_OK; i++)
        if (store->steps[i].key > step_count) result = add_step(trace, i, metric, values);
    return result;
}

bool mc_mct_store_load_maxima(const mc_trace *trace, uint32_t file_step_count) {
    mc_mct_store *store = trace->store;
    uint64_t *values = mc_alloc(trace->nodes.count, sizeof *values);
    bool is_loaded = values != NULL;
    for (int metric = 0; metric < 2 && is_loaded; metric++)
        is_loaded = load_maximum(trace, (mc_metric)metric, file_step_count, values) == MC_OK &&
                    mc_packed_column_pack(&store->maxima[metric], values, trace->nodes.count);
    mc_free(values);
    return store->has_maxima = is_loaded;
}

// ---- a file that has grown

bool mc_mct_is_file(const mc_trace *trace) {
    return trace->store && trace->store->file.db && trace->store->file.path[0] != '\0';
}

// The trace's own share of a node; MC_NONE: it has none.
static uint32_t find_self(const mc_trace *trace, uint32_t parent) {
    for (uint32_t i = 0; i < trace->child_count[parent]; i++)
        if (trace->flags[trace->first_child[parent] + i] & MC_NODE_SELF)
            return trace->first_child[parent] + i;
    return MC_NONE;
}

static bool is_same_node(const mc_trace *from, uint32_t a, const mc_trace *to, uint32_t b) {
    size_t x, y;
    const char *left = mc_trace_get_string(from, from->key[a], &x);
    const char *right = mc_trace_get_string(to, to->key[b], &y);
    return x == y && memcmp(left, right, x) == 0 && from->level[a] == to->level[b];
}

mc_result mc_mct_map_nodes(const mc_trace *from, const mc_trace *to, uint32_t **map,
                           mc_error *error) {
    const mc_mct_store *a = from->store, *b = to->store;
    *map = NULL;
    bool is_fine = a && b && a->seen_count <= b->seen_count && from->step_count <= to->step_count &&
                   from->key_kind == to->key_kind;
    uint32_t count = from->nodes.count;
    uint32_t *nodes = is_fine ? mc_alloc(count, sizeof *nodes) : NULL;
    if (is_fine && !nodes) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && is_fine; i++) {
        uint32_t old = a->order[i];
        if (old < a->seen_count) {
            nodes[i] = b->node_of[old];
            is_fine = is_same_node(from, i, to, nodes[i]);
        } else {
            nodes[i] = find_self(to, nodes[from->parent[i]]); // parents come first
        }
    }
    if (!is_fine) {
        mc_free(nodes);
        return mc_error_set(error, MC_ERROR_UNSUPPORTED, MC_ERROR_NO_OFFSET,
                            "another trace has taken its place");
    }
    *map = nodes;
    return MC_OK;
}
