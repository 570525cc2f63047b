#include "app/node_text.h"

#include "app/format.h"
#include "engine/base/memory.h"

typedef void (*append_node)(const mc_trace *trace, uint32_t node, mc_text *text);
typedef void (*append_bytes)(mc_text *text, const char *bytes, size_t size);

static void append(const mc_trace *trace, uint32_t node, mc_text *out, append_node what,
                   append_bytes how) {
    mc_text text = {0};
    what(trace, node, &text);
    how(out, text.data, text.size);
    out->failed |= text.failed;
    mc_text_deinit(&text);
}

void mc_node_append_key_tsv(const mc_trace *trace, uint32_t node, mc_text *out) {
    append(trace, node, out, mc_trace_append_full_key, mc_format_append_tsv);
}

// Sets the way to the node, and returns how many levels of it are as before.
static uint32_t find_common_levels(mc_node_keys *keys, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(keys->trace);
    uint32_t level = nodes->level[node] + 1;
    for (; level > 0; node = nodes->parent[node]) {
        if (level <= keys->level_count && keys->way[level - 1] == node) break;
        keys->way[--level] = node;
    }
    return level;
}

static void extend_key(mc_node_keys *keys, uint32_t level) {
    size_t size;
    uint32_t key = mc_trace_get_nodes(keys->trace)->key[keys->way[level]];
    const char *bytes = mc_trace_get_string(keys->trace, key, &size);
    if (level > 0) mc_text_append(&keys->text, "#", 1);
    mc_format_append_tsv(&keys->text, bytes, size);
    keys->ends[level] = keys->text.size;
}

void mc_node_keys_append_tsv(mc_node_keys *keys, uint32_t node, mc_text *out) {
    uint32_t level_count = mc_trace_get_nodes(keys->trace)->level[node] + 1;
    if (mc_trace_get_key_kind(keys->trace) == MC_KEY_FULL) {
        mc_node_append_key_tsv(keys->trace, node, out);
        return;
    }
    if (!mc_reserve(&keys->ends, &keys->end_capacity, level_count, sizeof *keys->ends) ||
        !mc_reserve(&keys->way, &keys->way_capacity, level_count, sizeof *keys->way)) {
        out->failed = true;
        return;
    }
    uint32_t level = find_common_levels(keys, node);
    keys->text.size = level > 0 ? keys->ends[level - 1] : 0;
    for (; level < level_count; level++)
        extend_key(keys, level);
    keys->level_count = level_count;
    out->failed |= keys->text.failed;
    mc_text_append(out, keys->text.data, keys->text.size);
}

void mc_node_keys_deinit(mc_node_keys *keys) {
    mc_text_deinit(&keys->text);
    mc_free(keys->ends);
    mc_free(keys->way);
    *keys = (mc_node_keys){.trace = NULL};
}

void mc_node_append_path_line(const mc_trace *trace, uint32_t node, mc_text *out) {
    append(trace, node, out, mc_trace_append_path, mc_format_append_line);
}

void mc_node_append_name_line(const mc_trace *trace, uint32_t node, mc_text *out) {
    size_t size;
    const char *name = mc_trace_get_name(trace, node, &size);
    mc_format_append_line(out, name, size);
}

#define MOST_PLACES 12 // of a deep node the last ones

void mc_node_append_place_line(const mc_trace *trace, uint32_t node, mc_text *out) {
    const uint32_t *parent = mc_trace_get_nodes(trace)->parent;
    uint32_t way[MOST_PLACES], count = 0;
    for (; count < MOST_PLACES && (parent[node] != MC_NONE || count == 0); node = parent[node]) {
        way[count++] = node;
        if (parent[node] == MC_NONE) break;
    }
    while (count-- > 0) {
        mc_node_append_name_line(trace, way[count], out);
        if (count > 0) mc_text_append_string(out, " → ");
    }
}
