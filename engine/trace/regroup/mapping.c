#include "engine/trace/regroup/mapping.h"

#include "engine/base/memory.h"
#include <string.h>

#define WORK_MOST ((uint64_t)1 << 31) // nodes looked at on ways up

// ---- nodes of the same leaves

// The nearest node around both.
static uint32_t find_common(const mc_trace *trace, uint32_t a, uint32_t b, uint64_t *work) {
    while (a != b) {
        // Parents have lower numbers.
        if (a > b)
            a = trace->parent[a];
        else
            b = trace->parent[b];
        ++*work;
    }
    return a;
}

// As it is, if the other one is none.
static uint32_t find_around(const mc_trace *trace, uint32_t a, uint32_t b, uint64_t *work) {
    if (a == MC_NONE || b == MC_NONE) return a == MC_NONE ? b : a;
    return find_common(trace, a, b, work);
}

static mc_result too_deep(mc_error *error) {
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "this trace is too deep to be grouped otherwise");
}

// The nearest node around all leaves of a node, if it has no others; of the root the root.
mc_result mc_mapping_find_same(const mc_trace *trace, const mc_trace *base, const uint32_t *first,
                               const uint32_t *members, uint64_t *work, uint32_t **same,
                               mc_error *error) {
    uint32_t count = trace->nodes.count, base_count = base->nodes.count;
    uint32_t *base_leaves = mc_alloc_zero(base_count, sizeof *base_leaves);
    uint32_t *leaves = mc_alloc_zero(count, sizeof *leaves);
    uint32_t *found = *same = mc_alloc(count, sizeof *found);
    mc_result result = base_leaves && leaves && found ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK) memset(found, 0xff, count * sizeof *found); // MC_NONE
    for (uint32_t node = base_count; node-- > 0 && result == MC_OK;) {
        if (base->child_count[node] == 0) base_leaves[node] = 1;
        if (node > 0) base_leaves[base->parent[node]] += base_leaves[node];
    }
    for (uint32_t node = count; node-- > 0 && result == MC_OK;) {
        for (uint32_t i = first[node]; i < first[node + 1]; i++, leaves[node]++)
            found[node] = find_around(base, found[node], members[i], work);
        if (node > 0) { // behind its children, which have told what is around them
            uint32_t parent = trace->parent[node];
            leaves[parent] += leaves[node];
            found[parent] = find_around(base, found[parent], found[node], work);
        }
        if (leaves[node] == 0)
            found[node] = MC_MAPPING_NOTHING;
        else if (base_leaves[found[node]] != leaves[node])
            found[node] = MC_NONE;
        if (*work > WORK_MOST) result = too_deep(error);
    }
    // What is said of the root alone is not said of what is nearer around all leaves.
    if (result == MC_OK && found[0] < MC_MAPPING_NOTHING) found[0] = 0;
    mc_free(base_leaves);
    mc_free(leaves);
    return result;
}

// ---- rows

bool mc_mapping_knows_paths(const mc_mapping *mapping, uint32_t node) {
    uint32_t same = mapping->same ? mapping->same[node] : MC_NONE;
    if (same == MC_NONE || same == MC_MAPPING_NOTHING) return same == MC_MAPPING_NOTHING;
    // What no child explains has none of its own: they are told of the whole node.
    return !(mapping->base->flags[same] & MC_NODE_SELF);
}

// The first row of the node, or of one behind it.
static uint32_t find_first(const mc_side_rows *rows, uint32_t node) {
    const mc_path_sum *sums = rows->rows;
    uint32_t begin = 0, end = rows->count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (sums[middle].node < node)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// Of each node the sums of the base's node with the same leaves, of which there may be several.
static bool pick_sums(const mc_mapping *mapping, const mc_trace *trace, const mc_side_rows *from,
                      mc_side_rows *rows) {
    const mc_path_sum *sums = from->rows;
    mc_path_sum *picked = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t node = 0; node < trace->nodes.count; node++) {
        uint32_t same = mapping->same[node];
        if (same >= MC_MAPPING_NOTHING) continue;
        for (uint32_t i = find_first(from, same); i < from->count && sums[i].node == same; i++) {
            if (!mc_reserve(&picked, &capacity, count + 1, sizeof *picked)) {
                mc_free(picked);
                return false;
            }
            picked[count] = sums[i];
            picked[count++].node = node;
        }
    }
    *rows = (mc_side_rows){picked, (uint32_t)count};
    return true;
}

static mc_result read_sums(const mc_mapping *mapping, const mc_trace *trace, uint32_t step_index,
                           mc_side_rows *rows, mc_error *error) {
    mc_side_rows all = {.rows = NULL};
    if (!mapping->same) return MC_OK;
    mc_result result = mc_trace_read_side(mapping->base, step_index, MC_SIDE_SUMS, &all, error);
    if (result == MC_OK && !pick_sums(mapping, trace, &all, rows))
        result = mc_error_out_of_memory(error);
    mc_side_rows_deinit(&all);
    return result;
}

mc_result mc_mapping_read_side(const mc_mapping *mapping, const mc_trace *trace,
                               uint32_t step_index, mc_side_table table, mc_side_rows *rows,
                               mc_error *error) {
    const mc_trace *base = mapping->base;
    const mc_side_map map = {
        .by_kind = {[MC_COLUMN_LEAF] = mapping->leaf, [MC_COLUMN_STRING] = mapping->strings}};
    if (table == MC_SIDE_SUMS) return read_sums(mapping, trace, step_index, rows, error);
    mc_result result = base->source->read_side(base, step_index, table, rows, error);
    mc_side_rows_map(table, rows, &map);
    mc_side_rows_add_up(table, rows);
    return result;
}

// ---- retaining paths and owners

// Per node of the base the nearest node around all of its leaves.
static uint32_t *list_places(const mc_mapping *mapping, const mc_trace *trace) {
    const mc_trace *base = mapping->base;
    uint32_t *places = mc_alloc(base->nodes.count, sizeof *places);
    uint64_t work = 0;
    if (!places) return NULL;
    memcpy(places, mapping->leaf, base->nodes.count * sizeof *places);
    for (uint32_t node = base->nodes.count; node-- > 1;) {
        uint32_t *above = &places[base->parent[node]];
        *above = work > WORK_MOST ? 0 : find_around(trace, *above, places[node], &work);
    }
    return places;
}

mc_result mc_mapping_copy_paths(const mc_mapping *mapping, mc_trace *trace, mc_error *error) {
    const mc_trace *base = mapping->base;
    const mc_side_rows base_paths = {base->paths, base->path_count};
    const mc_side_rows base_owners = {base->owners, base->owner_count};
    mc_side_rows paths = {.rows = NULL}, owners = {.rows = NULL};
    if (!base->has_paths && !base->has_owners) return MC_OK;
    uint32_t *places = list_places(mapping, trace);
    if (!places) return mc_error_out_of_memory(error);
    const mc_side_map map = {
        .by_kind = {[MC_COLUMN_NODE] = places, [MC_COLUMN_STRING] = mapping->strings}};
    mc_result result = mc_side_rows_copy(MC_SIDE_PATHS, &base_paths, &paths, error);
    if (result == MC_OK) result = mc_side_rows_copy(MC_SIDE_OWNERS, &base_owners, &owners, error);
    mc_side_rows_map(MC_SIDE_PATHS, &paths, &map);
    mc_side_rows_map(MC_SIDE_OWNERS, &owners, &map);
    trace->paths = paths.rows;
    trace->path_count = paths.count;
    trace->has_paths = base->has_paths;
    trace->owners = owners.rows;
    trace->owner_count = owners.count;
    trace->has_owners = base->has_owners;
    mc_free(places);
    return result;
}

// ---- sizes

void mc_mapped_count_nodes(const mc_trace *trace, const uint64_t *present, mc_step_size *size) {
    size->node_count = size->leaf_count = 0;
    for (uint32_t node = 0; node < trace->nodes.count; node++) {
        if (!mc_bits_get(present, node)) continue;
        uint32_t child = trace->first_child[node], end = child + trace->child_count[node];
        bool is_inner = false;
        for (; child < end && trace->child_count[node] > 0 && !is_inner; child++)
            is_inner = mc_bits_get(present, child);
        size->node_count++;
        size->leaf_count += !is_inner;
    }
}
