#include "engine/scene/scale_marks.h"

enum { POLES = 4, BANDS = 10 };
_Static_assert(POLES *BANDS <= MC_CITY_MARKER_CAPACITY, "a marker for each band");

// Of the city's shorter side.
#define SIDE_SHARE 0.007f
#define GAP_SHARE 0.012f

void mc_scale_marks_make(mc_city_markers *markers, const mc_city *city, const mc_theme *theme) {
    // Bands, and what is between them.
    const mc_color colors[2] = {
        {theme->hover_outline[0], theme->hover_outline[1], theme->hover_outline[2], 2.0f},
        {theme->gradient[0][0], theme->gradient[0][1], theme->gradient[0][2], 2.0f}};
    float shorter = city->width < city->depth ? city->width : city->depth;
    float side = SIDE_SHARE * shorter, gap = GAP_SHARE * shorter;
    float band = city->full_height / BANDS;
    *markers = (mc_city_markers){0};
    if (!(band > 0.0f) || !(side > 0.0f)) return;
    // From the front on, where the city's edge is asked for.
    for (uint32_t pole = 0; pole < POLES; pole++) {
        float x = pole % 2 == 0 ? -gap - side : city->width + gap;
        float z = pole < 2 ? city->depth + gap : -gap - side;
        for (uint32_t i = 0; i < BANDS; i++) {
            mc_box box = {.footprint = {x, z, x + side, z + side},
                          .base = (float)i * band,
                          .height = band,
                          .opacity = 1.0f};
            markers->boxes[markers->count] = box;
            markers->colors[markers->count++] = colors[i % 2];
        }
    }
}
