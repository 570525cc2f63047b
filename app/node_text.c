#include "app/node_text.h"

#include "app/format.h"

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

void mc_node_append_key_json(const mc_trace *trace, uint32_t node, mc_text *out) {
    append(trace, node, out, mc_trace_append_full_key, mc_format_append_json);
}

void mc_node_append_path_json(const mc_trace *trace, uint32_t node, mc_text *out) {
    append(trace, node, out, mc_trace_append_path, mc_format_append_json);
}

void mc_node_append_key_tsv(const mc_trace *trace, uint32_t node, mc_text *out) {
    append(trace, node, out, mc_trace_append_full_key, mc_format_append_tsv);
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
