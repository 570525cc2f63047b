// visible.glsl - what the visibility buffer holds, and the rays through its pixels.
#ifndef MC_VISIBLE_GLSL
#define MC_VISIBLE_GLSL

#include "shaders/shared/frame_types.h"

// From the eye through the centre of a pixel to view depth 1.
vec3 get_ray(mc_frame_uniforms frame, vec2 pixel) {
    return frame.ray_origin.xyz + (pixel.x + 0.5) * frame.ray_x.xyz +
           (pixel.y + 0.5) * frame.ray_y.xyz;
}

// The low word, then the high word.
uvec2 pack_visible(uint epoch, float depth, uint axis, uint box) {
    uint bits = floatBitsToUint(depth);
    return uvec2(bits << 28 | axis << MC_VISIBLE_BOX_BITS | box,
                 epoch << (32 - MC_VISIBLE_EPOCH_BITS) | bits >> 4);
}

uint get_visible_epoch(uvec2 value) { return value.y >> (32 - MC_VISIBLE_EPOCH_BITS); }

float get_visible_depth(uvec2 value) {
    const uint mask = (1u << (32 - MC_VISIBLE_EPOCH_BITS)) - 1u;
    return uintBitsToFloat((value.y & mask) << 4 | value.x >> 28);
}

uint get_visible_axis(uvec2 value) { return value.x >> MC_VISIBLE_BOX_BITS & 3u; }

uint get_visible_box(uvec2 value) { return value.x & ((1u << MC_VISIBLE_BOX_BITS) - 1u); }

#endif
