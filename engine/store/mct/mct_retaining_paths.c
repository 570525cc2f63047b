// What a merged trace's steps have from before.
#include "engine/base/memory.h"
#include "engine/store/mct/mct.h"
#include "engine/store/mct/mct_store.h"
#include <inttypes.h>
#include <stdlib.h>

static mc_result fail(const mc_mct_store *store, mc_result result, int64_t step, mc_error *error) {
    if (result == MC_ERROR_OUT_OF_MEMORY) return mc_error_out_of_memory(error);
    return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                        "%s: damaged: what step %" PRId64 " has from before is not as it should be",
                        store->file.path, step);
}

static int compare(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

// To the trace's nodes, in its order.
static mc_result take(const mc_mct_store *store, const uint64_t *values, uint32_t count,
                      uint32_t *nodes) {
    for (uint32_t i = 0; i < count; i++) {
        if (values[i] >= store->seen_count) return MC_ERROR_BAD_DATA;
        nodes[i] = store->node_of[values[i]];
        if (nodes[i] == MC_NONE) return MC_ERROR_BAD_DATA;
    }
    if (count > 0) qsort(nodes, count, sizeof *nodes, compare);
    return MC_OK;
}

static mc_result decode(mc_mct_store *store, const mc_mct_field *row, int64_t step,
                        uint32_t **nodes, uint32_t *count, mc_error *error) {
    int64_t number = row[MC_MCT_HELD_COUNT].number;
    if (number < 0 || number > store->seen_count)
        return fail(store, MC_ERROR_BAD_DATA, step, error);
    uint32_t most = (uint32_t)number;
    uint64_t *values = mc_alloc((size_t)most + 1, sizeof *values);
    *nodes = mc_alloc((size_t)most + 1, sizeof **nodes);
    mc_result result = values && *nodes ? MC_OK : MC_ERROR_OUT_OF_MEMORY;
    const mc_mct_field *blob = &row[MC_MCT_HELD_NODES];
    if (result == MC_OK)
        result =
            mc_mct_decode_column(&store->codec, blob->data, blob->size, values, most, MC_MCT_CHAIN);
    if (result == MC_OK) result = take(store, values, most, *nodes);
    mc_free(values);
    if (result != MC_OK) {
        mc_free(*nodes);
        *nodes = NULL;
        return fail(store, result, step, error);
    }
    *count = most;
    return MC_OK;
}

mc_result mc_mct_read_held(const mc_trace *trace, uint32_t step_index, bool *is_merged,
                           uint32_t **nodes, uint32_t *count, mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    *is_merged = false;
    *nodes = NULL;
    *count = 0;
    if (!mc_mct_is_file(trace)) return MC_OK;
    mc_mct_store *store = trace->store;
    int64_t step = store->step_keys[step_index];
    if (!store->file.has_held) return MC_OK;
    pthread_mutex_lock(&store->mutex);
    mc_result result = mc_mct_file_has_row(&store->file, MC_MCT_HELD, step, is_merged, error);
    if (result == MC_OK && *is_merged) {
        result = mc_mct_file_get(&store->file, MC_MCT_HELD, step, row, error);
        if (result == MC_OK) result = decode(store, row, step, nodes, count, error);
        mc_mct_file_release(&store->file, MC_MCT_HELD);
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}
