#include "engine/scene/flat_small.h"

#include "engine/base/memory.h"
#include <math.h>
#include <string.h>

void mc_flat_small_deinit(mc_flat_small *small) {
    mc_strips_deinit(&small->strips);
    mc_free(small->entries);
    mc_free(small->present);
    memset(small, 0, sizeof *small);
}

static bool has_extent(mc_interval interval) {
    return interval.from < interval.to;
}

// Texels whose middle an entry covers are its.
static void enter(uint32_t *row, uint32_t texel_count, mc_interval interval, uint32_t entry) {
    double first = ceil(interval.from * texel_count - 0.5);
    double end = fmin(ceil(interval.to * texel_count - 0.5), texel_count);
    for (uint32_t i = (uint32_t)fmax(first, 0); i < end; i++)
        row[i] = entry;
}

static void enter_all(mc_flat_small *small, const mc_flat_pane *pane) {
    mc_partition_tree partition = mc_tree_get_partition(pane->tree);
    const mc_interval *intervals = pane->now.intervals;
    uint32_t texel_count = small->strips.texel_count;
    mc_node_span span = {pane->now.root, pane->now.root + 1};
    for (uint32_t level = 0; span.first < span.end; level++) {
        for (uint32_t i = span.first; i < span.end; i++) {
            if (!has_extent(intervals[i])) continue;
            small->present[i / 8] |= (uint8_t)(1u << i % 8);
            if (level < small->strips.row_count)
                enter(small->entries + (size_t)level * texel_count, texel_count, intervals[i], i);
        }
        span = mc_partition_get_children(&partition, span);
    }
}

mc_result mc_flat_small_make(mc_flat_small *small, const mc_flat_pane *pane, uint32_t form,
                             uint32_t texel_count, mc_error *error) {
    mc_strip_source source = {.tree = mc_tree_get_partition(pane->tree),
                              .root = pane->now.root,
                              .level_count =
                                  (uint32_t)fmin(pane->now.row_count, MC_FLAT_SMALL_MOST_LEVELS),
                              .intervals = pane->now.intervals,
                              .colors = pane->now.colors,
                              .view = {0, 1},
                              .form = form};
    mc_flat_small_deinit(small);
    mc_result result = mc_strips_build(&small->strips, &source, texel_count, error);
    if (result != MC_OK) return result;
    size_t cell_count = mc_strips_get_span_count(&small->strips);
    small->entries = mc_alloc(cell_count, sizeof *small->entries);
    small->present = mc_alloc_zero((size_t)pane->tree->count / 8 + 1, 1);
    if (!small->entries || !small->present) {
        mc_flat_small_deinit(small);
        return mc_error_out_of_memory(error);
    }
    memset(small->entries, 0xff, cell_count * sizeof *small->entries); // MC_NONE
    small->root = pane->now.root;
    small->value = pane->now.values[small->root];
    enter_all(small, pane);
    return MC_OK;
}

mc_flat_plane mc_flat_small_get_plane(const mc_flat_small *small, mc_flat_rect rect, double share) {
    const mc_strips *strips = &small->strips;
    if (strips->row_count == 0 || small->value == 0) return (mc_flat_plane){0};
    mc_flat_plane plane = mc_flat_plane_get(strips->form, rect, strips->row_count, share);
    plane.row_count = strips->row_count;
    plane.texel_count = strips->texel_count;
    return plane;
}

uint32_t mc_flat_small_pick(const mc_flat_small *small, const mc_flat_plane *plane, double x,
                            double y) {
    bool is_in = x >= (double)plane->x0 && x < (double)plane->x1 && y >= (double)plane->y0 &&
                 y < (double)plane->y1;
    if (plane->row_count == 0 || !is_in) return MC_NONE;
    mc_flat_point point = mc_flat_plane_locate(plane, x, y);
    bool is_there =
        point.row >= 0 && point.row < plane->row_count && point.along >= 0 && point.along < 1;
    if (!is_there) return MC_NONE;
    uint32_t count = small->strips.texel_count;
    return small->entries[(size_t)point.row * count + (uint32_t)(point.along * count)];
}

// Where an entry lies: the texels that are its, or between those of its neighbours.
static mc_interval find(const uint32_t *row, uint32_t count, uint32_t entry) {
    uint32_t from = 0, to = 0;
    bool is_found = false;
    for (uint32_t i = 0; i < count && (row[i] == MC_NONE || row[i] <= entry); i++) {
        if (row[i] == MC_NONE) continue;
        if (row[i] < entry)
            from = i + 1;
        else if (!is_found)
            from = i;
        is_found = row[i] == entry;
        to = i + 1;
    }
    double first = (double)from / count;
    return (mc_interval){first, is_found ? (double)to / count : first};
}

bool mc_flat_small_get_mark(const mc_flat_small *small, const mc_tree *tree,
                            const mc_flat_plane *plane, uint32_t entry, const float color[3],
                            double width, mc_flat_mark *mark) {
    uint32_t count = small->strips.texel_count;
    if (plane->row_count == 0 || !(small->present[entry / 8] >> entry % 8 & 1)) return false;
    uint32_t row = mc_tree_get_level(tree, entry) - mc_tree_get_level(tree, small->root);
    if (row >= plane->row_count) return false;
    mc_interval span = find(small->entries + (size_t)row * count, count, entry);
    *mark = mc_flat_plane_get_mark(plane, row, span, color, width);
    return true;
}
