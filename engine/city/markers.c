#include "engine/city/markers.h"

#include <math.h>

// Of the room that each has along the edge; few of them stay small, too.
#define SIDE_SHARE 0.6f
#define HEIGHT_SHARE 1.6f
#define LEAST_CELLS 40.0f
#define CLASS_GAP 0.6f // between two classes, in cells

void mc_city_markers_place(mc_city_markers *markers, const mc_city *city, const uint32_t *classes,
                           uint32_t count) {
    float cells = (float)count;
    *markers = (mc_city_markers){0};
    markers->count = count < MC_CITY_MARKER_CAPACITY ? count : MC_CITY_MARKER_CAPACITY;
    for (uint32_t i = 1; i < markers->count; i++)
        cells += classes[i] != classes[i - 1] ? CLASS_GAP : 0.0f;
    float cell = city->width / fmaxf(cells, LEAST_CELLS), half = 0.5f * SIDE_SHARE * cell;
    float x = 0.5f * (city->width - cells * cell), z = city->depth + cell;
    if (!(cell > 0.0f)) markers->count = 0;
    for (uint32_t i = 0; i < markers->count; i++) {
        if (i > 0 && classes[i] != classes[i - 1]) x += CLASS_GAP * cell;
        float middle = x + 0.5f * cell;
        markers->boxes[i] =
            (mc_box){.footprint = {middle - half, z - half, middle + half, z + half},
                     .height = HEIGHT_SHARE * cell,
                     .opacity = 1.0f};
        x += cell;
    }
}

// Where the ray is between two planes, as a part of [*enter, *exit].
static void clip(double low, double high, double origin, double direction, double *enter,
                 double *exit) {
    if (direction == 0) {
        if (origin < low || origin > high) *exit = -1;
        return;
    }
    double a = (low - origin) / direction, b = (high - origin) / direction;
    *enter = fmax(*enter, fmin(a, b));
    *exit = fmin(*exit, fmax(a, b));
}

uint32_t mc_city_markers_pick(const mc_city_markers *markers, const float origin[3],
                              const float direction[3], float *distance) {
    uint32_t nearest = MC_NONE;
    for (uint32_t i = 0; i < markers->count; i++) {
        const mc_box *box = &markers->boxes[i];
        double enter = 0, exit = INFINITY;
        clip((double)box->footprint.x0, (double)box->footprint.x1, (double)origin[0],
             (double)direction[0], &enter, &exit);
        clip((double)box->base, (double)box->base + (double)box->height, (double)origin[1],
             (double)direction[1], &enter, &exit);
        clip((double)box->footprint.z0, (double)box->footprint.z1, (double)origin[2],
             (double)direction[2], &enter, &exit);
        if (enter > exit || (nearest != MC_NONE && enter >= (double)*distance)) continue;
        nearest = i;
        *distance = (float)enter;
    }
    return nearest;
}

float mc_city_get_front(const mc_city *city) {
    const mc_city_markers *markers = city->markers;
    return markers && markers->count > 0 ? fmaxf(city->depth, markers->boxes[0].footprint.z1)
                                         : city->depth;
}
