#include "engine/tree/flat_plane.h"

#include <math.h>

#define TURN 6.283185307179586476925

static mc_flat_plane get_sunburst(mc_flat_rect rect, double row_count, double share) {
    double radius = fmin(rect.x1 - rect.x0, rect.y1 - rect.y0) / 2 * sqrt(share);
    return (mc_flat_plane){.origin_x = (float)((rect.x0 + rect.x1) / 2),
                           .origin_y = (float)((rect.y0 + rect.y1) / 2),
                           .row_size = (float)(radius / row_count)};
}

mc_flat_plane mc_flat_plane_get(uint32_t form, mc_flat_rect rect, double row_count, double share) {
    mc_flat_plane plane;
    double width = rect.x1 - rect.x0, height = rect.y1 - rect.y0;
    if (form == MC_FLAT_SUNBURST)
        plane = get_sunburst(rect, row_count, share);
    else if (form == MC_FLAT_ICICLE)
        plane = (mc_flat_plane){.origin_x = (float)rect.x0,
                                .origin_y = (float)(rect.y1 - height * share),
                                .row_size = (float)(width / row_count),
                                .row_length = (float)(height * share)};
    else
        plane = (mc_flat_plane){.origin_x = (float)rect.x0,
                                .origin_y = (float)rect.y0,
                                .row_size = (float)(height / row_count),
                                .row_length = (float)(width * share)};
    plane.x0 = (float)rect.x0;
    plane.y0 = (float)rect.y0;
    plane.x1 = (float)rect.x1;
    plane.y1 = (float)rect.y1;
    plane.form = form;
    plane.end_row = (float)row_count;
    plane.opacity = 1;
    return plane;
}

static double mix(double a, double b, double way) {
    return a + (b - a) * way;
}

mc_flat_plane mc_flat_plane_bend(const mc_flat_plane *icicle, const mc_flat_plane *sunburst,
                                 double way) {
    const double least = 0.01; // of a turn: with less, the centre is too far away for floats
    mc_flat_plane plane = *icicle;
    double bend = fmax(way, least) * TURN, angle = TURN / 4 + bend / 4;
    // What the first row is long at its inner edge, and where the middle of that is.
    double length = (double)icicle->row_length * (1 - way), radius = length / bend;
    double middle_y = (double)icicle->origin_y + (double)icicle->row_length / 2;
    double x = mix((double)icicle->origin_x, (double)sunburst->origin_x, way);
    double y = mix(middle_y, (double)sunburst->origin_y, way);
    plane.form = MC_FLAT_BENT;
    plane.bend = (float)bend;
    // Small enough early on, as what is bent needs more room.
    double size_way = 1 - (1 - way) * (1 - way) * (1 - way);
    plane.row_size = (float)mix((double)icicle->row_size, (double)sunburst->row_size, size_way);
    plane.row_length = (float)radius;
    plane.origin_x = (float)(x - radius * sin(angle));
    plane.origin_y = (float)(y + radius * cos(angle));
    return plane;
}

static mc_flat_point locate_bent(const mc_flat_plane *plane, double x, double y) {
    double bend = (double)plane->bend, turn = atan2(x, -y) - TURN / 4 - bend / 4;
    turn -= TURN * floor(turn / TURN + 0.5);
    double across = sqrt(x * x + y * y) - (double)plane->row_length;
    return (mc_flat_point){across / (double)plane->row_size + (double)plane->first_row,
                           turn / bend + 0.5};
}

mc_flat_point mc_flat_plane_locate(const mc_flat_plane *plane, double x, double y) {
    x -= (double)plane->origin_x;
    y -= (double)plane->origin_y;
    double across, along;
    if (plane->form == MC_FLAT_BENT) return locate_bent(plane, x, y);
    if (plane->form == MC_FLAT_SUNBURST) {
        across = sqrt(x * x + y * y);
        along = atan2(x, -y) / TURN;
        if (along < 0) along += 1;
    } else {
        bool is_down = plane->form == MC_FLAT_ICICLE_DOWN;
        across = is_down ? y : x;
        along = (is_down ? x : y) / (double)plane->row_length;
    }
    return (mc_flat_point){across / (double)plane->row_size + (double)plane->first_row, along};
}

void mc_flat_plane_place(const mc_flat_plane *plane, mc_flat_point point, double *x, double *y) {
    double across = (point.row - (double)plane->first_row) * (double)plane->row_size;
    if (plane->form == MC_FLAT_BENT) {
        double bend = (double)plane->bend, radius = across + (double)plane->row_length;
        double angle = TURN / 4 + bend / 4 + (point.along - 0.5) * bend;
        *x = (double)plane->origin_x + radius * sin(angle);
        *y = (double)plane->origin_y - radius * cos(angle);
        return;
    }
    if (plane->form == MC_FLAT_SUNBURST) {
        *x = (double)plane->origin_x + across * sin(point.along * TURN);
        *y = (double)plane->origin_y - across * cos(point.along * TURN);
        return;
    }
    double along = point.along * (double)plane->row_length;
    bool is_down = plane->form == MC_FLAT_ICICLE_DOWN;
    *x = (double)plane->origin_x + (is_down ? along : across);
    *y = (double)plane->origin_y + (is_down ? across : along);
}

double mc_flat_plane_get_length(const mc_flat_plane *plane, double row) {
    double across = (row + 0.5 - (double)plane->first_row) * (double)plane->row_size;
    if (plane->form == MC_FLAT_BENT)
        return (double)plane->bend * (across + (double)plane->row_length);
    if (plane->form != MC_FLAT_SUNBURST) return (double)plane->row_length;
    return TURN * across;
}

double mc_flat_plane_get_most_length(const mc_flat_plane *plane) {
    return mc_flat_plane_get_length(plane, (double)plane->row_count - 0.5);
}

static void extend(mc_flat_rect *rect, const mc_flat_plane *plane, double row, double along) {
    double x, y;
    mc_flat_plane_place(plane, (mc_flat_point){row, along}, &x, &y);
    rect->x0 = fmin(rect->x0, x);
    rect->y0 = fmin(rect->y0, y);
    rect->x1 = fmax(rect->x1, x);
    rect->y1 = fmax(rect->y1, y);
}

mc_flat_rect mc_flat_plane_get_bounds(const mc_flat_plane *plane, double row, double from,
                                      double to) {
    if (plane->form == MC_FLAT_BENT)
        return (mc_flat_rect){(double)plane->x0, (double)plane->y0, (double)plane->x1,
                              (double)plane->y1};
    mc_flat_rect rect = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++)
        extend(&rect, plane, row + (i & 1), i < 2 ? from : to);
    // An arc also reaches the four outermost places that it passes.
    for (int quarter = 0; quarter <= 4 && plane->form == MC_FLAT_SUNBURST; quarter++)
        if (quarter / 4.0 > from && quarter / 4.0 < to)
            extend(&rect, plane, row + 1, quarter / 4.0);
    rect.x0 = fmax(rect.x0 - 2, (double)plane->x0);
    rect.y0 = fmax(rect.y0 - 2, (double)plane->y0);
    rect.x1 = fmin(rect.x1 + 2, (double)plane->x1);
    rect.y1 = fmin(rect.y1 + 2, (double)plane->y1);
    return rect;
}
