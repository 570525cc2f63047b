// boxes.glsl - boxes and colours as texels.
//
// A software driver fetches a texel's four components at once, but words of a storage buffer one by
// one, for each invocation: texels take a third of the time. On a GPU there is no difference.
#ifndef MC_BOXES_GLSL
#define MC_BOXES_GLSL

#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_BOX_TEXELS) uniform textureBuffer box_texels;
layout(set = 0, binding = MC_BINDING_COLOR_TEXELS) uniform textureBuffer color_texels;

// A box's corners as seen from the eye; drawn if `height` and `opacity` are above 0.
struct seen_box {
    vec3 low, high;
    float height, opacity;
};

seen_box load_box(uint index, vec3 eye) {
    vec4 footprint = texelFetch(box_texels, int(index) * 2);
    vec4 rest = texelFetch(box_texels, int(index) * 2 + 1);
    seen_box box;
    box.low = vec3(footprint.x, rest.x, footprint.y) - eye;
    box.high = vec3(footprint.z, 0.0, footprint.w) - eye;
    box.high.y = box.low.y + rest.y;
    box.height = rest.y;
    box.opacity = rest.z;
    return box;
}

vec4 load_color(uint index) { return texelFetch(color_texels, int(index)); }

#endif
