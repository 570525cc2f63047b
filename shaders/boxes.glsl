// boxes.glsl - boxes and colours as columns of four floats.
#ifndef MC_BOXES_GLSL
#define MC_BOXES_GLSL

#include "shaders/columns.glsl"
#include "shaders/shared/frame_types.h"

MC_COLUMN(vec4, half_box, 0, textureBuffer, MC_BINDING_BOX_TEXELS, MC_BINDING_BOXES) // two a box
MC_COLUMN(vec4, box_color, 0, textureBuffer, MC_BINDING_COLOR_TEXELS, MC_BINDING_COLORS)

// A box's corners as seen from the eye; drawn if `height` and `opacity` are above 0.
struct seen_box {
    vec3 low, high;
    float height, opacity;
};

seen_box load_box(uint index, vec3 eye) {
    vec4 footprint = load_half_box(int(index) * 2);
    vec4 rest = load_half_box(int(index) * 2 + 1);
    seen_box box;
    box.low = vec3(footprint.x, rest.x, footprint.y) - eye;
    box.high = vec3(footprint.z, 0.0, footprint.w) - eye;
    box.high.y = box.low.y + rest.y;
    box.height = rest.y;
    box.opacity = rest.z;
    return box;
}

mc_box load_world_box(uint index) {
    vec4 a = load_half_box(int(index) * 2), b = load_half_box(int(index) * 2 + 1);
    return mc_box(mc_plot(a.x, a.y, a.z, a.w), b.x, b.y, b.z, floatBitsToUint(b.w));
}

vec4 load_color(uint index) { return load_box_color(int(index)); }

#endif
