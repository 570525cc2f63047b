#include "engine/scene/flat_pane.h"

#include "engine/base/memory.h"
#include "engine/tree/tree_pick.h"
#include <math.h>
#include <string.h>

#define FIRST_ROW_CUT 0.65 // of an icicle's first row
#define NARROW_ROW 64.0    // pixels; the first one is as wide as any

static void deinit_state(mc_flat_state *state) {
    mc_free(state->values);
    mc_free(state->intervals);
    mc_free(state->colors);
}

void mc_flat_pane_deinit(mc_flat_pane *pane) {
    deinit_state(&pane->now);
    deinit_state(&pane->before);
    memset(pane, 0, sizeof *pane);
}

static bool init_state(mc_flat_state *state, uint32_t count) {
    *state = (mc_flat_state){.values = mc_alloc_zero(count, sizeof *state->values),
                             .intervals = mc_alloc_zero(count, sizeof *state->intervals),
                             .colors = mc_alloc_zero(count, sizeof *state->colors),
                             .row_count = 1};
    return state->values && state->intervals && state->colors;
}

mc_result mc_flat_pane_init(mc_flat_pane *pane, const mc_tree *tree, mc_error *error) {
    *pane = (mc_flat_pane){.tree = tree};
    if (init_state(&pane->now, tree->count) && init_state(&pane->before, tree->count)) return MC_OK;
    mc_flat_pane_deinit(pane);
    return mc_error_out_of_memory(error);
}

static void lay_out(const mc_flat_pane *pane, mc_flat_state *state) {
    mc_partition_tree partition = mc_tree_get_partition(pane->tree);
    mc_partition_layout(&partition, state->values, pane->base, state->intervals);
}

void mc_flat_pane_show(mc_flat_pane *pane, const uint64_t *node_values, uint32_t root,
                       uint32_t level_count, bool keeps_before) {
    const mc_tree *tree = pane->tree;
    uint32_t depth = mc_tree_get_depth(tree, root);
    if (keeps_before) {
        mc_flat_state before = pane->before;
        pane->before = pane->now;
        pane->now = before;
        memcpy(pane->now.colors, pane->before.colors, tree->count * sizeof *pane->now.colors);
    }
    mc_tree_gather(tree, node_values, pane->now.values);
    pane->now.root = root;
    pane->now.row_count = level_count == 0 || level_count > depth ? depth : level_count;
    pane->has_before = keeps_before;
    uint32_t base = keeps_before ? mc_tree_get_common(tree, pane->before.root, root) : root;
    bool has_moved = pane->base != base;
    pane->base = base;
    // Intervals of another base are no longer of use.
    if (keeps_before && has_moved) lay_out(pane, &pane->before);
    lay_out(pane, &pane->now);
}

void mc_flat_pane_settle(mc_flat_pane *pane) {
    if (!pane->has_before) return;
    pane->has_before = false;
    if (pane->base == pane->now.root) return;
    pane->base = pane->now.root;
    lay_out(pane, &pane->now);
}

static double get_first_row(const mc_flat_pane *pane, const mc_flat_state *state) {
    return (double)mc_tree_get_level(pane->tree, state->root) -
           (double)mc_tree_get_level(pane->tree, pane->base);
}

static double blend_numbers(double before, double now, double blend) {
    return before + (now - before) * blend;
}

void mc_flat_pane_get_rows(const mc_flat_pane *pane, double blend, double *first_row,
                           double *row_count) {
    *first_row = get_first_row(pane, &pane->now);
    *row_count = pane->now.row_count;
    if (!pane->has_before) return;
    *first_row = blend_numbers(get_first_row(pane, &pane->before), *first_row, blend);
    *row_count = blend_numbers(pane->before.row_count, *row_count, blend);
}

// What of the base is in sight.
static mc_interval get_view(const mc_flat_pane *pane, double blend) {
    mc_interval now = pane->now.intervals[pane->now.root];
    if (!pane->has_before) return now;
    mc_interval before = pane->before.intervals[pane->before.root];
    // Who comes from nowhere, or goes there, does not move.
    if (before.from >= before.to) return now;
    if (now.from >= now.to) return before;
    return (mc_interval){blend_numbers(before.from, now.from, blend),
                         blend_numbers(before.to, now.to, blend)};
}

mc_result mc_flat_pane_build(const mc_flat_pane *pane, double blend, uint32_t form,
                             uint32_t texel_count, mc_strips *strips, mc_error *error) {
    double last_row = get_first_row(pane, &pane->now) + pane->now.row_count;
    if (pane->has_before)
        last_row = fmax(last_row, get_first_row(pane, &pane->before) + pane->before.row_count);
    mc_strip_source source = {.tree = mc_tree_get_partition(pane->tree),
                              .root = pane->base,
                              .level_count = (uint32_t)last_row,
                              .intervals = pane->now.intervals,
                              .colors = pane->now.colors,
                              .blend = blend,
                              .view = get_view(pane, blend),
                              .form = form};
    if (pane->has_before && blend < 1) {
        source.from_intervals = pane->before.intervals;
        source.from_colors = pane->before.colors;
    }
    return mc_strips_build(strips, &source, texel_count, error);
}

// An icicle's first row says what the whole is, and has a share as any other, of which the
// beginning is cut off where rows are wide. On the way from one row to several it gets so by and
// by.
static void narrow_first_row(mc_flat_plane *plane, double row_count) {
    if (plane->form == MC_FLAT_SUNBURST) return;
    double wide = fmin(fmax((double)plane->row_size / NARROW_ROW - 1, 0), 1);
    double cut = FIRST_ROW_CUT * wide * fmin(fmax(row_count - 1, 0), 1);
    bool is_down = plane->form == MC_FLAT_ICICLE_DOWN;
    double extent = (double)plane->row_size * row_count, size = extent / (row_count - cut);
    plane->row_size = (float)size;
    *(is_down ? &plane->origin_y : &plane->origin_x) -= (float)(cut * size);
}

mc_flat_plane mc_flat_pane_get_plane(const mc_flat_pane *pane, double blend, uint32_t form,
                                     mc_flat_rect rect, double share, const mc_strips *strips) {
    double first_row, row_count;
    mc_flat_pane_get_rows(pane, blend, &first_row, &row_count);
    mc_flat_plane plane = mc_flat_plane_get(form, rect, row_count, share);
    narrow_first_row(&plane, row_count);
    double levels = strips ? strips->levels_per_row : 1;
    plane.row_size *= (float)levels;
    plane.first_row = (float)(first_row / levels);
    plane.end_row = (float)((first_row + row_count) / levels);
    // Rows beyond those in sight are not drawn, though strips may have them.
    plane.row_count = (uint32_t)ceil((first_row + row_count) / levels);
    if (strips && plane.row_count > strips->row_count) plane.row_count = strips->row_count;
    if (strips) plane.texel_count = strips->texel_count;
    return plane;
}

uint32_t mc_flat_pane_pick(const mc_flat_pane *pane, const mc_flat_plane *plane,
                           uint32_t levels_per_row, double x, double y) {
    double first_row, row_count, size = (double)plane->row_size;
    mc_flat_pane_get_rows(pane, 1, &first_row, &row_count);
    if (x < (double)plane->x0 || x >= (double)plane->x1 || y < (double)plane->y0 ||
        y >= (double)plane->y1 || !(size > 0))
        return MC_NONE;
    mc_flat_point point = mc_flat_plane_locate(plane, x, y);
    double level = point.row * levels_per_row;
    if (!(level >= first_row && level < first_row + row_count)) return MC_NONE;
    return mc_tree_pick(pane->tree, pane->base, pane->now.intervals, (uint32_t)level, point.along);
}

static float decode(float c) {
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

mc_flat_mark mc_flat_plane_get_mark(const mc_flat_plane *plane, double row, mc_interval span,
                                    const float color[3], double width) {
    mc_flat_rect bounds = mc_flat_plane_get_bounds(plane, row, span.from, span.to);
    return (mc_flat_mark){.x0 = (float)bounds.x0,
                          .y0 = (float)bounds.y0,
                          .x1 = (float)bounds.x1,
                          .y1 = (float)bounds.y1,
                          .origin_x = plane->origin_x,
                          .origin_y = plane->origin_y,
                          .row_size = plane->row_size,
                          .row_length = plane->row_length,
                          .first_row = plane->first_row,
                          .form = plane->form,
                          .row = (float)row,
                          .from = (float)span.from,
                          .to = (float)span.to,
                          .width = (float)width,
                          .r = decode(color[0]),
                          .g = decode(color[1]),
                          .b = decode(color[2]),
                          .opacity = 1};
}

bool mc_flat_pane_get_mark(const mc_flat_pane *pane, const mc_flat_plane *plane, uint32_t entry,
                           const float color[3], double width, mc_flat_mark *mark) {
    const mc_tree *tree = pane->tree;
    double row =
        (double)mc_tree_get_level(tree, entry) - (double)mc_tree_get_level(tree, pane->now.root);
    mc_interval span = pane->now.intervals[entry];
    if (row < 0 || row >= pane->now.row_count || !(span.from < span.to)) return false;
    if (mc_tree_get_common(tree, entry, pane->now.root) != pane->now.root) return false;
    *mark = mc_flat_plane_get_mark(plane, row, span, color, width);
    return true;
}
