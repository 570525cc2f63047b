#include "engine/tree/tree_labels.h"

#include <math.h>

#define TURN 6.283185307179586476925
#define LINE_HEIGHT 1.3 // ems
#define MARGIN 0.5      // ems, at either end

static bool place_in_icicle(const mc_tree_label_desc *desc, double row, mc_interval span,
                            mc_tree_label *label) {
    const mc_flat_plane *plane = desc->plane;
    bool is_down = plane->form == MC_FLAT_ICICLE_DOWN;
    double extent = (span.to - span.from) * (double)plane->row_length;
    // Of a first row the beginning may be out of sight.
    double origin = (double)(is_down ? plane->origin_y : plane->origin_x);
    double begin = origin + (row - (double)plane->first_row) * (double)plane->row_size;
    double end = begin + (double)plane->row_size;
    begin = fmax(begin, (double)(is_down ? plane->y0 : plane->x0));
    double across = end - begin;
    double height = is_down ? across : extent, width = is_down ? extent : across;
    mc_flat_point middle = {row + 0.5, (span.from + span.to) / 2};
    label->room = width - 2 * MARGIN * desc->font_size;
    label->angle_rad = label->radius = 0;
    mc_flat_plane_place(plane, middle, &label->x, &label->y);
    *(is_down ? &label->y : &label->x) = (begin + end) / 2;
    return height >= LINE_HEIGHT * desc->font_size && label->room >= desc->least_room;
}

// Along the arc, from left to right: in the lower half against the clock.
static void turn_along(double middle, double radius, mc_tree_label *label) {
    bool is_low = middle > 0.25 && middle < 0.75;
    label->angle_rad = middle * TURN + (is_low ? TURN / 2 : 0);
    label->radius = is_low ? -radius : radius;
}

// From the centre outwards at the right, towards it at the left.
static void turn_across(double middle, mc_tree_label *label) {
    label->angle_rad = middle * TURN - TURN / 4 + (middle > 0.5 ? TURN / 2 : 0);
    label->radius = 0;
}

static bool place_in_sunburst(const mc_tree_label_desc *desc, double row, mc_interval span,
                              mc_tree_label *label) {
    const mc_flat_plane *plane = desc->plane;
    double size = (double)plane->row_size, inner = (row - (double)plane->first_row) * size;
    double font = desc->font_size, middle = (span.from + span.to) / 2, share = span.to - span.from;
    mc_flat_plane_place(plane, (mc_flat_point){row + 0.5, middle}, &label->x, &label->y);
    if (inner <= 0) {
        label->x = (double)plane->origin_x;
        label->y = (double)plane->origin_y;
        label->angle_rad = label->radius = 0;
        label->room = 2 * (inner + size) * 0.85;
        return label->room >= desc->least_room && size >= font;
    }
    double radius = inner + size / 2;
    double along = size >= LINE_HEIGHT * font ? share * TURN * radius - 2 * MARGIN * font : 0;
    bool is_high = share * TURN * (inner + MARGIN * font) >= 1.15 * font;
    double across = is_high ? size - 2 * MARGIN * font : 0;
    // No more than three quarters of a ring: a name that comes full circle has no beginning.
    along = fmin(along, 0.75 * TURN * radius);
    bool is_along = along >= across || along >= 5 * font;
    label->room = is_along ? along : across;
    if (is_along)
        turn_along(middle, radius, label);
    else
        turn_across(middle, label);
    return label->room >= desc->least_room;
}

uint32_t mc_tree_labels_place(const mc_tree_label_desc *desc, mc_tree_label *labels,
                              uint32_t capacity) {
    mc_partition_tree partition = mc_tree_get_partition(desc->tree);
    mc_node_span entries = {desc->root, desc->root + 1};
    uint32_t count = 0;
    for (uint32_t row = 0; row < desc->level_count && count < capacity; row++) {
        double length = mc_flat_plane_get_length(desc->plane, row + 0.5);
        for (uint32_t i = entries.first; i < entries.end && count < capacity; i++) {
            mc_interval span = desc->intervals[i];
            if (!((span.to - span.from) * length >= desc->font_size)) continue;
            mc_tree_label *label = &labels[count];
            label->entry = i;
            bool has_room = desc->plane->form == MC_FLAT_SUNBURST
                                ? place_in_sunburst(desc, row, span, label)
                                : place_in_icicle(desc, row, span, label);
            count += has_room;
        }
        entries = mc_partition_get_children(&partition, entries);
    }
    return count;
}
