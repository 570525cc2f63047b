// glass.glsl - what the glass pass knows of the boxes that it clears the view of.
//
// A tile knows which marks something in it may be before, a bit each, and the view depth of the
// farthest of them, as a float's bits: most buildings need no more than a look at theirs.
#ifndef MC_GLASS_GLSL
#define MC_GLASS_GLSL

#include "shaders/bounds.glsl"
#include "shaders/shared/frame_types.h"

// How far something reaches into a mark where it begins to be glass, and where it is all glass, as a
// part of the mark; of a large one, of so many pixels at a scale of 1.
const float glass_first = 0.06, glass_all = 0.35, glass_most_side = 120.0;

// How far from its centre small and large buildings reach, in tiles.
const float glass_small_reach = 0.5, glass_large_reach = 2.0;

float get_glass_tile(vec2 viewport) {
    return max(float(MC_GLASS_TILE), ceil(max(viewport.x / float(MC_GLASS_COLUMNS),
                                              viewport.y / float(MC_GLASS_ROWS))));
}

ivec2 get_glass_place(vec2 pixel, float tile) {
    return clamp(ivec2(floor(pixel / tile)), ivec2(0),
                 ivec2(MC_GLASS_COLUMNS - 1, MC_GLASS_ROWS - 1));
}

// Around a box in the picture, not clipped: least and most along the picture's axes and along its
// diagonals, in pixels.
struct glass_bounds {
    vec4 low, high; // x, y, then down to the right and up to the right
};

glass_bounds get_glass_bounds(corner_box box) {
    const float across = 0.70710678;
    vec4 roof_down = (box.roof_x + box.roof_y) * across, roof_up = (box.roof_x - box.roof_y) * across;
    vec3 down = (box.ground_x + box.ground_y) * across, up = (box.ground_x - box.ground_y) * across;
    return glass_bounds(vec4(least_of(box.roof_x, box.ground_x), least_of(box.roof_y, box.ground_y),
                             least_of(roof_down, down), least_of(roof_up, up)) / subpixels,
                        vec4(most_of(box.roof_x, box.ground_x), most_of(box.roof_y, box.ground_y),
                             most_of(roof_down, down), most_of(roof_up, up)) / subpixels);
}

// Of one that the eye is at or in.
glass_bounds get_whole_bounds(vec2 viewport) {
    float far = viewport.x + viewport.y;
    return glass_bounds(vec4(0.0, 0.0, -far, -far), vec4(viewport, far, far));
}

#endif
