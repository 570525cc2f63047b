#include "engine/store/mct/mct_store.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_side.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void free_numbering(mc_mct_store *store) {
    mc_free(store->order);
    if (store->leaf_of != store->node_of) mc_free(store->leaf_of);
    mc_free(store->node_of);
    mc_free(store->self_nodes);
    mc_free(store->classifier_rank);
}

static void free_copies(mc_mct_store *store) {
    while (store->idle_copies) {
        mc_mct_column_copy *copy = store->idle_copies;
        store->idle_copies = copy->next;
        mc_mct_column_copy_destroy(copy);
    }
}

static void destroy(mc_trace *trace, bool has_nodes) {
    mc_mct_store *store = trace->store;
    if (!store) return;
    if (has_nodes) free_numbering(store);
    for (int i = 0; i < MC_MCT_CACHE_COUNT; i++)
        mc_packed_column_deinit(&store->cache[i].values);
    for (uint32_t metric = 0; metric < MC_METRIC_MOST; metric++)
        mc_packed_column_deinit(&store->maxima[metric]);
    free_copies(store);
    mc_mct_column_reader_deinit(&store->reader);
    mc_mct_codec_deinit(&store->codec);
    mc_mct_file_close(&store->file);
    mc_free(store->columns);
    mc_free(store->step_keys);
    mc_free(store->old_values);
    mc_free(store->is_loaded);
    mc_free(store->new_values);
    mc_free(store->present);
    mc_free(store->inner);
    if (store->has_base_lock) pthread_rwlock_destroy(&store->base_lock);
    if (store->has_mutex) pthread_mutex_destroy(&store->mutex);
    if (store->has_maxima_mutex) pthread_mutex_destroy(&store->maxima_mutex);
    mc_free(store);
}

static size_t get_memory_size(const mc_trace *trace) {
    mc_mct_store *store = trace->store;
    pthread_mutex_lock(&store->mutex);
    size_t size = sizeof *store + mc_mct_codec_memory_size(&store->codec) +
                  (size_t)trace->nodes.count * 12 + (size_t)store->seen_count * 16 +
                  (store->seen_count + trace->nodes.count) / 8 +
                  trace->step_count *
                      (sizeof *trace->steps + sizeof *store->columns + sizeof *store->step_keys);
    size += mc_mct_column_reader_memory_size(&store->reader);
    for (int i = 0; i < MC_MCT_CACHE_COUNT; i++)
        size += mc_packed_column_memory_size(&store->cache[i].values);
    for (uint32_t metric = 0; metric < trace->metrics.count; metric++)
        size += mc_packed_column_memory_size(&store->maxima[metric]);
    for (const mc_mct_column_copy *copy = store->idle_copies; copy; copy = copy->next)
        size += mc_mct_column_copy_memory_size(copy);
    pthread_mutex_unlock(&store->mutex);
    return size;
}

// ---- presence; the mutex is held

static mc_result load_present(const mc_trace *trace, uint32_t step_index, mc_error *error) {
    mc_mct_store *store = trace->store;
    if (store->present_step == step_index) return MC_OK;
    store->present_step = MC_NONE;
    memset(store->present, 0, mc_bits_word_count(store->seen_count) * sizeof *store->present);
    mc_result result =
        mc_mct_read_present(&store->reader, store->step_keys[step_index], store->present, error);
    if (result == MC_OK) store->present_step = step_index;
    return result;
}

// Which nodes have children in the step's tree.
static mc_result load_inner(const mc_trace *trace, uint32_t step_index, mc_error *error) {
    mc_mct_store *store = trace->store;
    if (store->inner_step == step_index) return MC_OK;
    mc_result result = load_present(trace, step_index, error);
    if (result != MC_OK) return result;
    uint32_t known = store->columns[store->step_keys[step_index] - 1].known_node_count;
    memset(store->inner, 0, mc_bits_word_count(trace->nodes.count) * sizeof *store->inner);
    for (uint32_t old = 1; old < known; old++)
        if (mc_bits_get(store->present, old))
            mc_bits_set(store->inner, trace->parent[store->node_of[old]]);
    store->inner_step = step_index;
    return MC_OK;
}

// ---- columns; the mutex is held

static const mc_mct_step_columns *get_columns(const mc_mct_store *store, uint32_t step_index) {
    return &store->columns[store->step_keys[step_index] - 1];
}

static bool has_column(const mc_mct_store *store, uint32_t step_index, mc_metric metric) {
    return get_columns(store, step_index)->column_mask >> store->kinds[metric] & 1;
}

static void select_column(mc_mct_store *store, uint32_t step_index, mc_metric metric) {
    if (store->loaded_step == step_index && store->loaded_metric == metric) return;
    memset(store->is_loaded, 0, mc_mct_get_block_count(store->seen_count));
    store->loaded_step = step_index;
    store->loaded_metric = metric;
}

// Makes sure that a block of the selected column is in store->old_values.
static mc_result load_block(mc_mct_store *store, uint32_t block, mc_error *error) {
    if (store->is_loaded[block]) return MC_OK;
    uint64_t *values = store->old_values + (size_t)block * MC_MCT_BLOCK_COUNT;
    const mc_mct_step_columns *columns = get_columns(store, store->loaded_step);
    uint32_t known = mc_mct_get_block_length(columns->known_node_count, block);
    uint32_t length = mc_mct_get_block_length(store->seen_count, block);
    int kind = store->kinds[store->loaded_metric];
    if (!has_column(store, store->loaded_step, store->loaded_metric)) known = 0;
    mc_result result = known == 0
                           ? MC_OK
                           : mc_mct_read_block(&store->reader, store->step_keys[store->loaded_step],
                                               kind, block, values, error);
    if (result != MC_OK) return result;
    memset(values + known, 0, (length - known) * sizeof *values);
    store->is_loaded[block] = 1;
    return MC_OK;
}

// A stored number of one of the trace's own metrics as the value that the input said.
static uint64_t to_value(const mc_mct_store *store, const mc_metric_info *info, uint64_t stored) {
    uint64_t reals = get_columns(store, store->loaded_step)->real_mask;
    bool is_real = reals >> store->kinds[store->loaded_metric] & 1;
    return info->is_real && !is_real ? mc_metric_make_real(stored - 1) : stored - 1;
}

static mc_self_nodes get_self_nodes(const mc_mct_store *store) {
    return (mc_self_nodes){store->self_nodes, store->self_count};
}

// Of one of the trace's own metrics: from what was said to what is.
static mc_result complete_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                                 mc_error *error) {
    mc_mct_store *store = trace->store;
    const mc_metric_info *info = &trace->metrics.items[metric];
    uint64_t *values = store->new_values;
    mc_result result = info->is_additive ? MC_OK : load_inner(trace, step_index, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < trace->nodes.count; i++)
        values[i] = to_value(store, info, values[i]);
    mc_trace_complete_column(trace, info, get_self_nodes(store), store->inner, values);
    for (uint32_t i = 0; i < trace->nodes.count; i++)
        values[i] = mc_value_store(info, values[i]);
    return MC_OK;
}

// From the order of the file to that of the trace, in ranges.
typedef struct reorder_task {
    const uint64_t *old_values;
    const uint32_t *order;
    uint64_t *new_values;
    uint32_t last;
} reorder_task;

enum { NODES_PER_RANGE = 1 << 18 };

static void reorder(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const reorder_task *task = user;
    const uint64_t *restrict old_values = task->old_values;
    const uint32_t *restrict order = task->order;
    uint64_t *restrict new_values = task->new_values;
    const uint32_t last = task->last;
    (void)thread;
    for (uint32_t i = begin; i < end; i++)
        new_values[i] = old_values[order[i] < last ? order[i] : last];
}

// Reads a column, by the trace's nodes, into store->new_values.
static mc_result decode(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                        mc_error *error) {
    mc_mct_store *store = trace->store;
    uint32_t blocks = mc_mct_get_block_count(store->seen_count);
    mc_result result = MC_OK;
    select_column(store, step_index, metric);
    for (uint32_t block = 0; block < blocks && result == MC_OK; block++)
        result = load_block(store, block, error);
    if (result != MC_OK) return result;
    reorder_task task = {.old_values = store->old_values,
                         .order = store->order,
                         .new_values = store->new_values,
                         .last = store->seen_count}; // the entry there is 0: for self nodes
    mc_parallel_run_ranges(trace->nodes.count, NODES_PER_RANGE, mc_parallel_get_core_count(),
                           reorder, &task);
    if (metric >= MC_METRIC_FIRST_OWN) return complete_column(trace, step_index, metric, error);
    mc_trace_fill_self_nodes(trace, get_self_nodes(store), store->new_values);
    return MC_OK;
}

// A value of the selected column, of objects or bytes.
static mc_result get_base_value(const mc_trace *trace, uint32_t node, uint64_t *value,
                                mc_error *error) {
    mc_mct_store *store = trace->store;
    uint32_t old = store->order[node];
    *value = 0;
    if (old < store->seen_count) {
        mc_result result = load_block(store, old / MC_MCT_BLOCK_COUNT, error);
        *value = store->old_values[old];
        return result;
    }
    uint32_t parent = trace->parent[node];
    uint32_t child = trace->first_child[parent], end = child + trace->child_count[parent];
    uint64_t rest, part;
    mc_result result = get_base_value(trace, parent, &rest, error);
    for (; child < end && result == MC_OK; child++) {
        if (child == node) continue;
        result = get_base_value(trace, child, &part, error);
        rest = part < rest ? rest - part : 0;
    }
    *value = rest;
    return result;
}

// Whether the file says a value of the selected column, one of the trace's own metrics, outright.
static mc_result find_own_value(const mc_trace *trace, uint32_t node, uint64_t *value,
                                bool *is_said, mc_error *error) {
    mc_mct_store *store = trace->store;
    const mc_metric_info *info = &trace->metrics.items[store->loaded_metric];
    uint32_t old = store->order[node];
    *is_said = false;
    if (old >= store->seen_count) return MC_OK;
    mc_result result = load_block(store, old / MC_MCT_BLOCK_COUNT, error);
    uint64_t said = result == MC_OK ? to_value(store, info, store->old_values[old]) : 0;
    // What is not said of an additive metric is the sum of what is below, if there is anything.
    *is_said = said != MC_COUNT_UNKNOWN || !info->is_additive || trace->child_count[node] == 0;
    if (said == MC_COUNT_UNKNOWN && info->is_additive) said = 0;
    *value = mc_value_store(info, said);
    return result;
}

static mc_mct_cached *find_cached(mc_mct_store *store, uint32_t step_index, mc_metric metric) {
    for (int i = 0; i < MC_MCT_CACHE_COUNT; i++) {
        mc_mct_cached *entry = &store->cache[i];
        if (entry->used == 0 || entry->step_index != step_index || entry->metric != metric)
            continue;
        entry->used = ++store->clock;
        return entry;
    }
    return NULL;
}

// Another thread may have been faster. Takes what `packed` has.
static mc_mct_cached *keep(mc_mct_store *store, uint32_t step_index, mc_metric metric,
                           mc_packed_column *packed) {
    mc_mct_cached *entry = find_cached(store, step_index, metric);
    if (entry) {
        mc_packed_column_deinit(packed);
        return entry;
    }
    entry = &store->cache[0];
    for (int i = 1; i < MC_MCT_CACHE_COUNT; i++)
        if (store->cache[i].used < entry->used) entry = &store->cache[i];
    mc_packed_column_deinit(&entry->values);
    *entry = (mc_mct_cached){
        .step_index = step_index, .metric = metric, .used = ++store->clock, .values = *packed};
    return entry;
}

// The column in the cache, which may go with the next call; NULL after an error.
static const mc_packed_column *load(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                                    mc_error *error) {
    mc_mct_store *store = trace->store;
    mc_mct_cached *entry = find_cached(store, step_index, metric);
    if (entry) return &entry->values;
    if (decode(trace, step_index, metric, error) != MC_OK) return NULL;
    mc_packed_column packed;
    if (!mc_packed_column_pack(&packed, store->new_values, trace->nodes.count)) {
        mc_error_out_of_memory(error);
        return NULL;
    }
    return &keep(store, step_index, metric, &packed)->values;
}

static mc_mct_column_copy *take_copy(mc_mct_store *store) {
    mc_mct_column_copy *copy = store->idle_copies;
    if (copy)
        store->idle_copies = copy->next;
    else
        copy = mc_mct_column_copy_create();
    store->busy_copy_count += copy != NULL;
    return copy;
}

// One is kept for the next column.
static void give_copy_back(mc_mct_store *store, mc_mct_column_copy *copy) {
    store->busy_copy_count--;
    if (store->busy_copy_count == 0) free_copies(store);
    copy->next = store->idle_copies;
    store->idle_copies = copy;
}

// Of objects or bytes. The mutex is held but for the time that decoding takes.
static mc_result add_copied(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                            const mc_group_sums *sums, bool *is_done, mc_error *error) {
    mc_mct_store *store = trace->store;
    mc_mct_column_copy *copy = take_copy(store);
    if (!copy) return mc_error_out_of_memory(error);
    mc_result result = mc_mct_rows_copy(&copy->rows, &store->reader, store->step_keys[step_index],
                                        store->kinds[metric], error);
    if (result == MC_OK) {
        pthread_rwlock_rdlock(&store->base_lock);
        pthread_mutex_unlock(&store->mutex);
        result = mc_mct_column_copy_add_up(copy, &store->reader, sums, error);
        pthread_rwlock_unlock(&store->base_lock);
        pthread_mutex_lock(&store->mutex);
    }
    *is_done = result == MC_OK;
    give_copy_back(store, copy);
    return result;
}

// Likewise.
static mc_result read_copied(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             uint64_t *values, mc_error *error) {
    mc_mct_store *store = trace->store;
    mc_mct_column_copy *copy = take_copy(store);
    if (!copy) return mc_error_out_of_memory(error);
    copy->rows.count = 0;
    mc_packed_column packed = {0};
    // Threads that read steps side by side have the cores already, and go through them once.
    bool is_alone = store->busy_copy_count == 1;
    uint32_t threads =
        is_alone && trace->nodes.count >= NODES_PER_RANGE ? mc_parallel_get_core_count() : 1;
    mc_result result = MC_OK;
    if (has_column(store, step_index, metric))
        result = mc_mct_rows_copy(&copy->rows, &store->reader, store->step_keys[step_index],
                                  store->kinds[metric], error);
    if (result == MC_OK) {
        pthread_rwlock_rdlock(&store->base_lock);
        pthread_mutex_unlock(&store->mutex);
        memset(values, 0, trace->nodes.count * sizeof *values);
        result =
            mc_mct_column_copy_decode(copy, &store->reader, store->node_of, threads, values, error);
        pthread_rwlock_unlock(&store->base_lock);
        if (result == MC_OK) mc_trace_fill_self_nodes(trace, get_self_nodes(store), values);
        if (result == MC_OK && is_alone &&
            !mc_packed_column_pack(&packed, values, trace->nodes.count))
            result = mc_error_out_of_memory(error);
        pthread_mutex_lock(&store->mutex);
    }
    if (result == MC_OK && is_alone) keep(store, step_index, metric, &packed);
    give_copy_back(store, copy);
    return result;
}

// By the file's nodes. Shares of self nodes take all of a column.
static bool order_groups(const mc_trace *trace, const uint32_t *groups, uint32_t *ordered) {
    const mc_mct_store *store = trace->store;
    for (uint32_t old = 0; old < store->seen_count && store->self_count == 0; old++)
        ordered[old] = groups[store->node_of[old]];
    return store->self_count == 0;
}

static bool can_read_sums(const mc_trace *trace) {
    mc_mct_store *store = trace->store;
    pthread_mutex_lock(&store->mutex);
    bool can = store->busy_copy_count > 0 && store->self_count == 0;
    pthread_mutex_unlock(&store->mutex);
    return can;
}

// Where others read as well; a column that is read alone is kept.
static mc_result read_sums(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                           const mc_group_sums *sums, bool *is_done, mc_error *error) {
    mc_error unseen;
    if (!error) error = &unseen;
    mc_mct_store *store = trace->store;
    mc_result result = MC_OK;
    *is_done = false;
    pthread_mutex_lock(&store->mutex);
    if (store->busy_copy_count > 0 && has_column(store, step_index, metric) &&
        !find_cached(store, step_index, metric))
        result = add_copied(trace, step_index, metric, sums, is_done, error);
    pthread_mutex_unlock(&store->mutex);
    return result;
}

static mc_result read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             uint64_t *values, mc_error *error) {
    mc_error unseen;
    if (!error) error = &unseen;
    mc_mct_store *store = trace->store;
    mc_result result = MC_OK;
    pthread_mutex_lock(&store->mutex);
    if (metric < MC_METRIC_FIRST_OWN && !find_cached(store, step_index, metric)) {
        result = read_copied(trace, step_index, metric, values, error);
    } else {
        const mc_packed_column *packed = load(trace, step_index, metric, error);
        if (packed) mc_packed_column_unpack(packed, values, trace->nodes.count);
        if (!packed) result = error->code;
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// A value of the selected column; where it takes all of it, *packed is set to that.
static mc_result get_value(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                           uint32_t node, uint64_t *value, const mc_packed_column **packed,
                           mc_error *error) {
    if (metric < MC_METRIC_FIRST_OWN) return get_base_value(trace, node, value, error);
    bool is_said = false;
    mc_result result = find_own_value(trace, node, value, &is_said, error);
    if (result != MC_OK || is_said) return result;
    *packed = load(trace, step_index, metric, error);
    if (!*packed) return error->code;
    *value = mc_packed_column_get(*packed, node);
    return MC_OK;
}

static mc_result read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                             const uint32_t *nodes, uint32_t count, uint64_t *values,
                             mc_error *error) {
    mc_mct_store *store = trace->store;
    mc_error unseen;
    if (!error) error = &unseen;
    mc_result result = MC_OK;
    pthread_mutex_lock(&store->mutex);
    const mc_mct_cached *entry = find_cached(store, step_index, metric);
    const mc_packed_column *packed = entry ? &entry->values : NULL;
    if (!packed) select_column(store, step_index, metric);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        if (packed) {
            values[i] = mc_packed_column_get(packed, nodes[i]);
        } else {
            result = get_value(trace, step_index, metric, nodes[i], &values[i], &packed, error);
        }
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// ---- presence

static mc_result read_presence(const mc_trace *trace, uint32_t step_index, uint32_t node_index,
                               bool *is_present, mc_error *error) {
    mc_mct_store *store = trace->store;
    uint32_t old = store->order[node_index];
    if (old < store->seen_count) {
        pthread_mutex_lock(&store->mutex);
        mc_result result = load_present(trace, step_index, error);
        uint32_t known = get_columns(store, step_index)->known_node_count;
        if (result == MC_OK) *is_present = old < known && mc_bits_get(store->present, old);
        pthread_mutex_unlock(&store->mutex);
        return result;
    }
    // A self node is there where it has something.
    mc_result result = MC_OK;
    *is_present = false;
    for (mc_metric metric = 0; metric < trace->metrics.count && result == MC_OK; metric++) {
        uint64_t value = 0;
        result = read_values(trace, step_index, metric, &node_index, 1, &value, error);
        *is_present |= value > 0;
    }
    return result;
}

// ---- what is beside the tree

static mc_result read_in_file_order(const mc_trace *trace, uint32_t step_index, mc_side_table table,
                                    uint32_t count, mc_side_rows *rows, mc_error *error) {
    mc_mct_store *store = trace->store;
    mc_mct_limits limits = {.node_count = get_columns(store, step_index)->known_node_count,
                            .string_count = trace->strings.count,
                            .classifier_count = trace->classifier_count,
                            .path_count = trace->path_count,
                            .owner_count = trace->owner_count};
    pthread_mutex_lock(&store->mutex);
    mc_result result = mc_mct_read_side(&store->file, &store->codec, table,
                                        store->step_keys[step_index], limits, count, rows, error);
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// Rows are sorted by owner.
static bool have_parents(const mc_trace *trace, const mc_side_rows *rows) {
    mc_side_compare *compare = mc_side_get_compare(MC_SIDE_OWNER_SUMS);
    const mc_owner_sum *sums = rows->rows;
    for (uint32_t i = 0; i < rows->count; i++) {
        const mc_owner_sum key = {.owner = trace->owners[sums[i].owner].parent};
        if (key.owner != MC_NONE && !bsearch(&key, sums, rows->count, sizeof key, compare))
            return false;
    }
    return true;
}

static mc_result read_side(const mc_trace *trace, uint32_t step_index, mc_side_table table,
                           mc_side_rows *rows, mc_error *error) {
    const mc_mct_store *store = trace->store;
    const mc_trace_step *step = &trace->steps[step_index];
    const mc_side_map map = {.by_kind = {[MC_COLUMN_LEAF] = store->leaf_of,
                                         [MC_COLUMN_NODE] = store->node_of,
                                         [MC_COLUMN_CLASSIFIER] = store->classifier_rank}};
    uint32_t count = table == MC_SIDE_REFERENCES ? step->info.pair_count
                     : table == MC_SIDE_RENAMES  ? step->side[table].count
                                                 : MC_NONE;
    if (count == 0) return MC_OK;
    mc_result result = read_in_file_order(trace, step_index, table, count, rows, error);
    mc_side_rows_map(table, rows, &map);
    if (result == MC_OK && table == MC_SIDE_OWNER_SUMS && !have_parents(trace, rows)) {
        mc_side_rows_deinit(rows);
        result = mc_fail(error, MC_ERROR_BAD_DATA,
                         "%s: damaged: an owner of step %" PRId64 " lacks its parent",
                         store->file.path, store->step_keys[step_index]);
    }
    return result;
}

mc_result mc_mct_read_held(const mc_trace *trace, uint32_t step_index, bool *is_merged,
                           uint32_t **nodes, uint32_t *count, mc_error *error) {
    mc_side_rows rows = {.rows = NULL};
    mc_result result = MC_OK;
    *is_merged = false;
    if (mc_mct_is_file(trace)) {
        mc_mct_store *store = trace->store;
        pthread_mutex_lock(&store->mutex);
        if (store->file.has_held)
            result = mc_mct_file_has_row(&store->file, MC_MCT_HELD, store->step_keys[step_index],
                                         is_merged, error);
        pthread_mutex_unlock(&store->mutex);
    }
    if (result == MC_OK && *is_merged)
        result = mc_trace_read_side(trace, step_index, MC_SIDE_HELD, &rows, error);
    *nodes = rows.rows;
    *count = rows.count;
    return result;
}

// ---- the largest values; the mutex is held

// Raises the maxima by a step that came after they were written.
static mc_result add_step(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                          uint64_t *values) {
    mc_mct_store *store = trace->store;
    const mc_metric_info *info = &trace->metrics.items[metric];
    mc_result result = decode(trace, step_index, metric, NULL);
    for (uint32_t node = 0; result == MC_OK && node < trace->nodes.count; node++) {
        uint64_t value = mc_value_load(info, store->new_values[node]);
        if (trace->child_count[node] == 0 && value != MC_COUNT_UNKNOWN && value > values[node])
            values[node] = value;
    }
    return result;
}

// The leaves' largest values, from the order of the file to that of the trace, in ranges.
typedef struct maximum_task {
    const mc_trace *trace;
    const uint64_t *old_values;
    uint32_t known; // of these
    uint64_t *values;
} maximum_task;

static void reorder_maximum(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const maximum_task *task = user;
    const mc_trace *trace = task->trace;
    const mc_mct_store *store = trace->store;
    (void)thread;
    for (uint32_t node = begin; node < end; node++) {
        uint32_t old = store->order[node];
        if (old >= store->seen_count) old = store->order[trace->parent[node]];
        bool is_known = trace->child_count[node] == 0 && old < task->known;
        task->values[node] = is_known ? task->old_values[old] : 0;
    }
}

// What a row of the table says. Needs no lock: nodes stay as they are.
static mc_result decode_maximum(const mc_trace *trace, mc_metric metric, const mc_mct_bytes *packed,
                                uint32_t known, uint64_t *values) {
    const uint64_t most = mc_metric_get_most(&trace->metrics.items[metric]);
    uint64_t *old_values = mc_alloc((size_t)known + 1, sizeof *old_values);
    mc_mct_codec codec = {0};
    mc_result result = old_values ? mc_mct_decode_column(&codec, packed->data, packed->size,
                                                         old_values, known, MC_MCT_NO_BASE)
                                  : MC_ERROR_OUT_OF_MEMORY;
    mc_mct_codec_deinit(&codec);
    for (uint32_t old = 0; old < known && result == MC_OK; old++)
        if (old_values[old] > most) result = MC_ERROR_BAD_DATA;
    maximum_task task = {.trace = trace, .old_values = old_values, .known = known};
    task.values = values;
    if (result == MC_OK)
        mc_parallel_run_ranges(trace->nodes.count, NODES_PER_RANGE, mc_parallel_get_core_count(),
                               reorder_maximum, &task);
    mc_free(old_values);
    return result;
}

// The mutex is held but for the time that decoding takes.
static mc_result load_maximum(const mc_trace *trace, mc_metric metric, uint64_t *values) {
    mc_mct_store *store = trace->store;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    mc_mct_bytes packed = {0};
    mc_result result = mc_mct_file_get(&store->file, MC_MCT_MAXIMUM, metric, row, NULL);
    int64_t known = 0, step_count = 0;
    if (result == MC_OK) {
        const mc_mct_field *data = &row[MC_MCT_MAXIMUM_DATA];
        known = row[MC_MCT_MAXIMUM_NODES].number;
        step_count = row[MC_MCT_MAXIMUM_STEPS].number;
        if (known < 0 || known > store->seen_count || step_count > store->maxima_step_count)
            result = MC_ERROR_BAD_DATA;
        else if (!mc_reserve(&packed.data, &packed.capacity, data->size + 1, 1))
            result = MC_ERROR_OUT_OF_MEMORY;
        else if (data->size > 0)
            memcpy(packed.data, data->data, packed.size = data->size);
    }
    mc_mct_file_release(&store->file, MC_MCT_MAXIMUM);
    if (result == MC_OK) {
        pthread_mutex_unlock(&store->mutex);
        result = decode_maximum(trace, metric, &packed, (uint32_t)known, values);
        pthread_mutex_lock(&store->mutex);
    }
    mc_mct_bytes_deinit(&packed);
    for (uint32_t i = 0; i < trace->step_count && result == MC_OK; i++)
        if (store->step_keys[i] > step_count) result = add_step(trace, i, metric, values);
    return result;
}

static void look_for_maximum(const mc_trace *trace, mc_metric metric) {
    mc_mct_store *store = trace->store;
    // Of version 1 there are none of sizes.
    bool may_have =
        store->maxima_step_count > 0 && (store->file.version > 1 || metric < MC_METRIC_FIRST_OWN);
    uint64_t *values = may_have ? mc_alloc(trace->nodes.count, sizeof *values) : NULL;
    store->has_looked[metric] = true;
    if (values && load_maximum(trace, metric, values) == MC_OK)
        mc_packed_column_pack(&store->maxima[metric], values, trace->nodes.count);
    mc_free(values);
}

static const mc_packed_column *get_maxima(const mc_trace *trace, mc_metric metric) {
    mc_mct_store *store = trace->store;
    pthread_mutex_lock(&store->maxima_mutex); // whoever else asks waits for the answer
    pthread_mutex_lock(&store->mutex);
    if (!store->has_looked[metric]) look_for_maximum(trace, metric);
    const mc_packed_column *maxima =
        store->maxima[metric].count > 0 ? &store->maxima[metric] : NULL; // which stays as it is
    pthread_mutex_unlock(&store->mutex);
    pthread_mutex_unlock(&store->maxima_mutex);
    return maxima;
}

// ---- a file that has grown

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

static mc_result map_nodes(const mc_trace *from, const mc_trace *to, uint32_t **map,
                           mc_error *error) {
    const mc_mct_store *a = from->store, *b = to->store;
    bool is_fine = a->seen_count <= b->seen_count && from->step_count <= to->step_count &&
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
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "another trace has taken its place");
    }
    *map = nodes;
    return MC_OK;
}

const mc_step_source mc_steps_in_file = {.read_column = read_column,
                                         .can_read_sums = can_read_sums,
                                         .order_groups = order_groups,
                                         .read_sums = read_sums,
                                         .read_values = read_values,
                                         .read_presence = read_presence,
                                         .read_side = read_side,
                                         .get_maxima = get_maxima,
                                         .map_nodes = map_nodes,
                                         .get_memory_size = get_memory_size,
                                         .destroy = destroy};

bool mc_mct_is_file(const mc_trace *trace) {
    const mc_mct_store *store = trace->source == &mc_steps_in_file ? trace->store : NULL;
    return store && store->file.db && store->file.path[0] != '\0';
}
