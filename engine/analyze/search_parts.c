#include "engine/analyze/search_parts.h"

#include "engine/base/ascii.h"
#include "engine/base/memory.h"
#include <string.h>

void mc_search_parts_deinit(mc_search_parts *parts) {
    mc_free(parts->bytes);
    mc_free(parts->offset);
    mc_free(parts->part);
    mc_free(parts->is_detached);
    memset(parts, 0, sizeof *parts);
}

// Appends a part; MC_NONE if memory is out.
static uint32_t add_part(mc_search_parts *parts, const char *prefix, const char *bytes,
                         size_t size) {
    size_t prefix_size = strlen(prefix);
    if (!mc_reserve(&parts->bytes, &parts->capacity, parts->size + prefix_size + size, 1) ||
        !mc_reserve(&parts->offset, &parts->offset_capacity, (size_t)parts->part_count + 2,
                    sizeof *parts->offset))
        return MC_NONE;
    parts->offset[parts->part_count] = parts->size;
    memcpy(parts->bytes + parts->size, prefix, prefix_size);
    parts->size += prefix_size;
    for (size_t i = 0; i < size; i++)
        parts->bytes[parts->size + i] = mc_to_lower(bytes[i]);
    parts->size += size;
    parts->offset[parts->part_count + 1] = parts->size;
    return parts->part_count++;
}

// Parts of a path: nodes with one key share one.
static bool add_path_parts(mc_search_parts *parts, const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t string_count = 0;
    for (uint32_t node = 0; node < nodes->count; node++)
        if (nodes->key[node] >= string_count) string_count = nodes->key[node] + 1;
    uint32_t *part_of = mc_alloc(string_count, sizeof *part_of);
    if (!part_of) return false;
    memset(part_of, 0xff, string_count * sizeof *part_of);
    bool ok = true;
    for (uint32_t node = 0; node < nodes->count && ok; node++) {
        uint32_t key = nodes->key[node], part = node == 0 ? MC_NONE : part_of[key];
        if (part == MC_NONE) {
            size_t size;
            const char *bytes = mc_trace_get_string(trace, key, &size);
            part = add_part(parts, node == 0 ? "" : "#", bytes, size);
            if (node > 0) part_of[key] = part;
            ok = part != MC_NONE;
        }
        parts->part[node] = part;
        parts->is_detached[node] = node == 0;
    }
    mc_free(part_of);
    return ok;
}

// Full keys: what a parent's begins is left out.
static bool add_full_keys(mc_search_parts *parts, const mc_trace *trace) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    for (uint32_t node = 0; node < nodes->count; node++) {
        size_t size, parent_size = 0;
        const char *key = mc_trace_get_string(trace, nodes->key[node], &size), *parent_key = "";
        if (node > 0)
            parent_key = mc_trace_get_string(trace, nodes->key[nodes->parent[node]], &parent_size);
        parts->is_detached[node] =
            node == 0 || size < parent_size || memcmp(key, parent_key, parent_size) != 0;
        size_t begin = parts->is_detached[node] ? 0 : parent_size;
        parts->part[node] = add_part(parts, "", key + begin, size - begin);
        if (parts->part[node] == MC_NONE) return false;
    }
    return true;
}

static void count_bytes(mc_search_parts *parts, uint32_t node_count) {
    for (size_t i = 0; i < parts->size; i++)
        parts->frequency[(unsigned char)parts->bytes[i]]++;
    for (uint32_t node = 0; node < node_count; node++) {
        size_t begin = parts->offset[parts->part[node]];
        bool is_empty = parts->offset[parts->part[node] + 1] == begin;
        if (!parts->is_detached[node] && !is_empty)
            parts->begins[(unsigned char)parts->bytes[begin]] = true;
    }
}

mc_result mc_search_parts_build(mc_search_parts *parts, const mc_trace *trace, mc_error *error) {
    uint32_t node_count = mc_trace_get_nodes(trace)->count;
    memset(parts, 0, sizeof *parts);
    parts->part = mc_alloc(node_count, sizeof *parts->part);
    parts->is_detached = mc_alloc(node_count, 1);
    bool ok = parts->part && parts->is_detached &&
              (mc_trace_get_key_kind(trace) == MC_KEY_FULL ? add_full_keys(parts, trace)
                                                           : add_path_parts(parts, trace));
    if (!ok) {
        mc_search_parts_deinit(parts);
        return mc_error_out_of_memory(error);
    }
    count_bytes(parts, node_count);
    return MC_OK;
}
