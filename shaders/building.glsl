// building.glsl - the shape and the colour of a building between two steps; engine/city/evaluate.c
// explains them. Also of the page's viewer: as GLSL ES has it, so no number changes its type by
// itself.
#ifndef MC_BUILDING_GLSL
#define MC_BUILDING_GLSL

const float phase_share = 0.6;
const float needle_share = 0.35;
const float usual_slenderness = 2.0;

float ease(float t) {
    t = clamp(t, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

float blend(float a, float b, float t) { return a * (1.0 - t) + b * t; }

// By how much both sides of the plot are scaled, for a share of the maximum that is not 0.
float get_side(uint scaling, float share) {
    if (scaling == 0u) return sqrt(sqrt(share));
    if (scaling == 1u) return sqrt(share);
    if (scaling >= 3u) return 1.0;
    return share;
}

// Between two such sides: how much of its height there is, and of its width. Growing: first up, then
// out; shrinking: first in, then down.
vec2 get_up_and_out(float old_side, float new_side, float t) {
    float early = ease(t / phase_share);
    float late = ease((t - (1.0 - phase_share)) / phase_share);
    bool grows = new_side >= old_side;
    float old_width = old_side > 0.0 ? old_side : new_side * needle_share;
    float new_width = new_side > 0.0 ? new_side : old_side * needle_share;
    return vec2(blend(old_side, new_side, grows ? early : late),
                blend(old_width, new_width, grows ? late : early));
}

// From 0 to 1 along three colours.
vec3 get_gradient(float at, vec3 low, vec3 middle, vec3 high) {
    bool lower = at < 0.5;
    float t = lower ? at * 2.0 : at * 2.0 - 1.0;
    vec3 a = lower ? low : middle, b = lower ? middle : high;
    return a * (1.0 - t) + b * t;
}

#endif
