// flat.glsl - where a pixel is in a sunburst or icicle.
#ifndef MC_FLAT_GLSL
#define MC_FLAT_GLSL

#include "shaders/shared/flat_types.h"

const float TURN = 6.28318530718;
const float WHOLE = 0.9999; // so much of a ring has no ends

// Across the rows, in rows, and along them; how many pixels there are along the row there.
vec3 locate(uint form, vec2 place, float row_size, float row_length, float first_row, float bend) {
    float across, along, pixels = row_length;
    if (form == MC_FLAT_BENT) {
        // The middle is at the right while it is straight, and in the end at the bottom.
        float radius = length(place), turn = atan(place.x, -place.y) - TURN * 0.25 - bend * 0.25;
        turn -= TURN * floor(turn / TURN + 0.5);
        across = radius - row_length;
        along = turn / bend + 0.5;
        pixels = max(bend * radius, 1.0);
    } else if (form == MC_FLAT_SUNBURST) {
        across = length(place);
        float turn = atan(place.x, -place.y) / TURN;
        along = turn < 0.0 ? turn + 1.0 : turn;
        pixels = max(TURN * across, 1.0);
    } else {
        bool is_down = form == MC_FLAT_ICICLE_DOWN;
        across = is_down ? place.y : place.x;
        along = (is_down ? place.x : place.y) / row_length;
    }
    return vec3(across / row_size + first_row, along, pixels);
}

#endif
