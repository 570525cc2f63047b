// box.glsl - how a box looks: shading that needs nothing but the box and where a pixel meets it.
//
// Split by how often it changes: what is the same for a whole face (finish_face) is done once per
// face, what differs from pixel to pixel (shade_pixel) is kept short. The raster path and any other
// path that finds out which face of which box a pixel sees share both.
#ifndef MC_BOX_GLSL
#define MC_BOX_GLSL

#include "shaders/color.glsl"
#include "shaders/least.glsl"
#include "shaders/shared/frame_types.h"

#define MC_AXIS_X 0u // a wall that faces along x
#define MC_AXIS_Y 1u // the roof
#define MC_AXIS_Z 2u

// What arrives at the foot of a wall. Where the light is found ray by ray, that is known better.
#ifdef MC_WITH_RAYS
const float contact_light = with_light ? 0.86 : 0.62;
#else
const float contact_light = 0.62;
#endif

// What all pixels of a face share.
struct face {
    vec3 color; // linear, lit
    float opacity;
    vec2 axis;   // (1, 0): faces along x, (0, 1): along z, (0, 0): the roof
    float edge;  // how strong its borders are: > 0 towards light, < 0 towards black
    float reach; // height of the wall over the height of the contact shadow
    float light; // that arrives where nothing is in the way
};

// What all faces of a box share.
struct box_look {
    vec3 color; // linear
    vec3 light; // by axis
    float opacity, edge, reach; // as of a face; `reach` of a wall
};

// How much more light there is along each axis than from the side.
const vec3 light_ahead = 0.375 * normalize(vec3(-0.25, 0.85, 0.75)) + vec3(0.0, 0.15, 0.0);

// Light that arrives at the faces that face the eye, as a factor of their colour: 1 on a roof, less
// from the sky's side to the ground, and a sun that stands beside the diagonals and reaches around,
// so that any two walls that meet differ: 0.82 south, 0.66 west, 0.49 east, 0.33 north. `center` is
// the box's centre as seen from the eye: a wall faces the eye on the other side.
vec3 get_light(vec3 center) {
    return 0.575 - sign(center) * light_ahead;
}

// The same for what is not a box, by its normal.
float get_light_at(vec3 normal) {
    return 0.575 + dot(normal, light_ahead);
}

box_look get_look(vec3 center, vec3 size, vec3 encoded, float opacity, bool is_district,
                  bool with_edges) {
    box_look look;
    look.color = decode_srgb(encoded);
    look.light = get_light(center);
    look.opacity = opacity;
    look.edge = with_edges ? (is_district ? 0.3 : -0.45) : 0.0;
    // The contact shadow reaches up a wall by a little more than the box is wide.
    look.reach = is_district ? 1e9 : max(size.y / (1.2 * min(size.x, size.z)), 1.0);
    return look;
}

// What is lit is a little warmer, what is not a little cooler: the sun's light and the sky's.
vec3 get_tint(float light) {
    return mix(vec3(0.91, 0.98, 1.10), vec3(1.03, 1.0, 0.955), clamp(2.0 * light - 0.9, 0.0, 1.0));
}

face get_face(box_look look, uint axis) {
    vec3 along = vec3(axis == MC_AXIS_X, axis == MC_AXIS_Y, axis == MC_AXIS_Z);
    face result;
    result.light = dot(look.light, along);
    result.color = look.color * result.light * get_tint(result.light);
    result.opacity = look.opacity;
    result.axis = along.xz;
    result.edge = look.edge;
    result.reach = axis == MC_AXIS_Y ? 1e9 : look.reach;
    return result;
}

face finish_face(uint axis, vec3 center, vec3 size, vec3 encoded, float opacity, bool is_district,
                 bool with_edges) {
    return get_face(get_look(center, size, encoded, opacity, is_district, with_edges), axis);
}

// How much of a pixel a line along the nearest border takes, from 0 to 1. `inset` is how far inside
// of it, in pixels, the line's middle is, `reach` half its width.
float get_edge(face f, vec3 at, vec3 pixel, float inset, float reach) {
    // There is none where a wall meets the ground, nor along the direction in which the face looks:
    // nothing changes that way, and what is divided by 0 may be anything.
    vec3 border = vec3(least(at.x, 1.0 - at.x) + f.axis.x, 2.0 - f.axis.x - f.axis.y - at.y,
                       least(at.z, 1.0 - at.z) + f.axis.y) / (pixel + 1e-20);
    return clamp(reach - abs(least_of(border) - inset), 0.0, 1.0);
}

// `at` is the place on the box, 0 to 1 from low to high in all three directions, `pixel` how much
// of that one pixel spans.
vec3 shade_pixel(face f, vec3 at, vec3 pixel) {
    // A pixel's centre may lie a little outside of the face that covers one of its samples.
    float up = min(abs(at.y) * f.reach + 1e-6 * f.reach, 1.0);
    vec3 color = f.color * (contact_light + (1.0 - contact_light) * up * (2.0 - up));
    // A dark line lies on the border, a light one a little inside, where it is smooth on both sides.
    bool is_light = f.edge > 0.0;
    float line = get_edge(f, at, pixel, is_light ? 1.0 : 0.0, is_light ? 0.8 : 1.35);
    // Lines fade as the face gets small: a wide city reads as texture.
    float fade = clamp(1.25 - 4.5 * most_of(pixel), 0.0, 1.0);
    float mark = f.edge * line * fade;
    return color * (1.0 - abs(mark)) + vec3(0.70, 0.88, 1.0) * max(mark, 0.0);
}

#endif
