// heights.glsl - what draws the map of heights.
#ifndef MC_HEIGHTS_GLSL
#define MC_HEIGHTS_GLSL

#include "shaders/shared/frame_types.h"

layout(local_size_x = MC_UPDATE_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_height_draw draw; };
// Bits of floats, which are not below 0, then the buildings of many texels: how many, and which.
layout(set = 0, binding = MC_BINDING_HEIGHTS, std430) buffer Heights { uint heights[]; };

// First and last along x and z, of those whose centres lie within; none if the last is before.
ivec4 get_texels(vec2 low, vec2 high) {
    vec2 origin = vec2(draw.x, draw.z), scale = vec2(draw.scale_x, draw.scale_z);
    ivec2 first = ivec2(ceil((low - origin) * scale - 0.5));
    ivec2 last = ivec2(floor((high - origin) * scale - 0.5));
    return ivec4(max(first, ivec2(0)), min(last, ivec2(MC_HEIGHT_SIDE - 1)));
}

#endif
