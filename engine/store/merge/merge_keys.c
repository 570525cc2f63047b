#include "engine/base/memory.h"
#include "engine/store/merge/merge_state.h"
#include <string.h>

static const char *get_string(const mc_trace *trace, uint32_t node, size_t *size) {
    return mc_trace_get_string(trace, mc_trace_get_nodes(trace)->key[node], size);
}

// "Heap#java.lang" of "Heap": what is behind "Heap#"; 0: it does not begin so.
static size_t find_part(const mc_trace *trace, uint32_t node) {
    size_t size, parent_size;
    const char *key = get_string(trace, node, &size);
    const char *parent = get_string(trace, mc_trace_get_nodes(trace)->parent[node], &parent_size);
    bool begins =
        size > parent_size && memcmp(key, parent, parent_size) == 0 && key[parent_size] == '#';
    return begins ? parent_size + 1 : 0;
}

mc_result mc_merge_keys_init(mc_merge_keys *keys, const mc_trace *trace, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    *keys = (mc_merge_keys){.trace = trace};
    if (mc_trace_get_key_kind(trace) == MC_KEY_PATH_PART) return MC_OK;
    keys->strips = mc_alloc(nodes->count, 1);
    if (!keys->strips) return mc_error_out_of_memory(error);
    memset(keys->strips, 1, nodes->count);
    for (uint32_t node = 1; node < nodes->count; node++)
        if (!(nodes->flags[node] & MC_NODE_SELF) && find_part(trace, node) == 0)
            keys->strips[nodes->parent[node]] = 0;
    return MC_OK;
}

void mc_merge_keys_deinit(mc_merge_keys *keys) {
    mc_free(keys->strips);
    keys->strips = NULL;
}

const char *mc_merge_keys_get(const mc_merge_keys *keys, uint32_t node, size_t *size) {
    const char *key = get_string(keys->trace, node, size);
    uint32_t parent = mc_trace_get_nodes(keys->trace)->parent[node];
    if (!keys->strips || parent == MC_NONE || !keys->strips[parent]) return key;
    size_t begin = find_part(keys->trace, node);
    *size -= begin;
    return key + begin;
}
