// Which nodes of two groupings of one trace stand for each other.
#include "engine/base/memory.h"
#include "engine/trace/regroup/regroup.h"
#include "engine/trace/regroup/regroup_store.h"
#include <string.h>

// The leaf of the trace that has the objects of a leaf of its base.
static uint32_t get_leaf(const mc_trace *trace, uint32_t base_leaf) {
    const mc_regroup_store *store = mc_regroup_get_store(trace);
    return store ? store->leaf[base_leaf] : base_leaf;
}

// Per leaf of the base whether it is below `node`; the rest of the base's nodes are 0.
static uint8_t *mark_leaves(const mc_trace *trace, uint32_t node) {
    const mc_trace *base = mc_trace_get_base(trace);
    uint8_t *is_below = mc_alloc_zero(trace->nodes.count, 1);
    uint8_t *marks = mc_alloc_zero(base->nodes.count, 1);
    if (is_below && marks) {
        is_below[node] = 1;
        for (uint32_t at = node + 1; at < trace->nodes.count; at++)
            is_below[at] = is_below[trace->parent[at]];
        for (uint32_t leaf = 0; leaf < base->nodes.count; leaf++)
            marks[leaf] = base->child_count[leaf] == 0 && is_below[get_leaf(trace, leaf)];
    } else {
        mc_free(marks);
        marks = NULL;
    }
    mc_free(is_below);
    return marks;
}

// Per node its leaves of the base, of those that are marked, or of all.
static uint32_t *count_leaves(const mc_trace *trace, const uint8_t *marks) {
    const mc_trace *base = mc_trace_get_base(trace);
    uint32_t *counts = mc_alloc_zero(trace->nodes.count, sizeof *counts);
    if (!counts) return NULL;
    for (uint32_t leaf = 0; leaf < base->nodes.count; leaf++)
        if (base->child_count[leaf] == 0 && (!marks || marks[leaf]))
            counts[get_leaf(trace, leaf)]++;
    for (uint32_t node = trace->nodes.count; node-- > 1;)
        counts[trace->parent[node]] += counts[node];
    return counts;
}

mc_result mc_trace_regroup_translate(const mc_trace *from, uint32_t node, const mc_trace *to,
                                     uint32_t *found, mc_error *error) {
    assert(mc_trace_get_base(from) == mc_trace_get_base(to) && node < from->nodes.count);
    *found = node;
    if (from == to || node == 0) return MC_OK;
    uint8_t *marks = mark_leaves(from, node);
    uint32_t *both = marks ? count_leaves(to, marks) : NULL;
    uint32_t *all = both ? count_leaves(to, NULL) : NULL;
    mc_result result = all ? MC_OK : mc_error_out_of_memory(error);
    double best = from->child_count[node] > 0 ? 0.5 : 0;
    *found = MC_NONE;
    for (uint32_t i = 0; i < to->nodes.count && result == MC_OK; i++) {
        // The share of what is in both; `both[0]` are all of the node's.
        double share = (double)both[i] / ((double)all[i] + both[0] - both[i]);
        // Of those of the same leaves the innermost, as a leaf stands for a leaf.
        if (both[i] == 0 || share < best) continue;
        best = share;
        *found = i;
    }
    // A part of the heap is not all of it.
    if (*found == 0 && result == MC_OK && both[0] < all[0]) *found = MC_NONE;
    mc_free(marks);
    mc_free(both);
    mc_free(all);
    return result;
}

// The node of `trace` whose leaves are those of a node of the base.
static void list_same(const mc_trace *trace, uint32_t *node_of) {
    const mc_regroup_store *store = mc_regroup_get_store(trace);
    for (uint32_t node = trace->nodes.count; node-- > 0;) {
        uint32_t same = store ? store->same[node] : node;
        if (same != MC_NONE) node_of[same] = node;
    }
}

mc_result mc_trace_regroup_map(const mc_trace *to, const mc_trace *from, uint32_t **map,
                               mc_error *error) {
    const mc_trace *base = mc_trace_get_base(to);
    const mc_regroup_store *store = mc_regroup_get_store(to);
    assert(mc_trace_get_base(from) == base);
    uint32_t *node_of = mc_alloc(base->nodes.count, sizeof *node_of);
    uint32_t *nodes = *map = mc_alloc(to->nodes.count, sizeof *nodes);
    if (!node_of || !nodes) {
        mc_free(node_of);
        mc_free(nodes);
        *map = NULL;
        return mc_error_out_of_memory(error);
    }
    memset(node_of, 0xff, base->nodes.count * sizeof *node_of); // MC_NONE
    list_same(from, node_of);
    for (uint32_t node = 0; node < to->nodes.count; node++) {
        uint32_t same = store ? store->same[node] : node;
        nodes[node] = same == MC_NONE ? MC_NONE : node_of[same];
        if (to->child_count[node] == 0)
            nodes[node] = get_leaf(from, store ? store->members[store->first[node]] : node);
    }
    mc_free(node_of);
    return MC_OK;
}

// The leaf that has the objects of a node of the base, or the first of those that do.
static uint32_t find_objects(const mc_trace *trace, uint32_t base_node) {
    const mc_trace *base = mc_trace_get_base(trace);
    while (base->child_count[base_node] > 0)
        base_node = base->first_child[base_node];
    return get_leaf(trace, base_node);
}

static bool is_same_string(const mc_trace *a, uint32_t in_a, const mc_trace *b, uint32_t in_b) {
    size_t a_size, b_size;
    const char *x = mc_strings_get(&a->strings, in_a, &a_size);
    const char *y = mc_strings_get(&b->strings, in_b, &b_size);
    return a_size == b_size && memcmp(x, y, a_size) == 0;
}

// What has the full key of `node` of `from` and is `at`, or around that; MC_NONE: nothing is.
static uint32_t find_around(const mc_trace *from, uint32_t node, const mc_trace *to, uint32_t at) {
    while (at != MC_NONE && to->level[at] > from->level[node])
        at = to->parent[at];
    if (at == MC_NONE || to->level[at] != from->level[node]) return MC_NONE;
    uint32_t found = at;
    for (; node != 0 && at != 0; node = from->parent[node], at = to->parent[at])
        if (!is_same_string(from, from->key[node], to, to->key[at])) return MC_NONE;
    return found;
}

// What was a leaf has groups by now: it and what is around it are around these, by their full keys.
static void map_outgrown(const mc_trace *before, uint32_t node, const mc_trace *after,
                         uint32_t inner, uint32_t *nodes) {
    for (; node != 0; node = before->parent[node])
        if (nodes[node] == MC_NONE) nodes[node] = find_around(before, node, after, inner);
}

mc_result mc_trace_regroup_map_on(const mc_trace *before, const mc_trace *after,
                                  const uint32_t *base_map, uint32_t **map, mc_error *error) {
    const mc_regroup_store *old = mc_regroup_get_store(before);
    const mc_trace *base = mc_trace_get_base(after);
    uint32_t count = before->nodes.count;
    uint32_t *nodes = *map = mc_alloc(count, sizeof *nodes);
    assert(old && mc_regroup_get_store(after));
    if (!nodes) return mc_error_out_of_memory(error);
    memset(nodes, 0xff, count * sizeof *nodes); // MC_NONE
    nodes[0] = 0;                               // also where it was all that there was
    for (uint32_t node = count; node-- > 1;) {
        if (before->child_count[node] == 0) {
            uint32_t leaf = old->members[old->first[node]];
            if (base_map) leaf = base_map[leaf];
            if (leaf != MC_NONE && base->child_count[leaf] == 0)
                nodes[node] = get_leaf(after, leaf);
            else if (leaf != MC_NONE)
                map_outgrown(before, node, after, find_objects(after, leaf), nodes);
        }
        // What is around a leaf is around it still, at its level.
        uint32_t parent = before->parent[node], above = nodes[node];
        if (above == MC_NONE || nodes[parent] != MC_NONE) continue;
        while (after->level[above] > before->level[parent])
            above = after->parent[above];
        nodes[parent] = above;
    }
    return MC_OK;
}
