// visible.glsl - what the visibility buffer holds, and the rays through its pixels.
#ifndef MC_VISIBLE_GLSL
#define MC_VISIBLE_GLSL

#include "shaders/shared/frame_types.h"

// What rays need of a frame; see the frame's uniforms. To be had before a loop: a software driver
// fetches a uniform anew wherever it is used, for one invocation after the other.
struct ray_fan {
    vec3 origin, x, y;
    vec2 depth; // at the view depth d: depth.x + depth.y / d
};

ray_fan get_rays(mc_frame_uniforms frame) {
    return ray_fan(frame.ray_origin.xyz, frame.ray_x.xyz, frame.ray_y.xyz,
                   vec2(frame.ray_origin.w, frame.ray_x.w));
}

// From the eye through the centre of a pixel to view depth 1.
vec3 get_ray(ray_fan rays, vec2 pixel) {
    return rays.origin + (pixel.x + 0.5) * rays.x + (pixel.y + 0.5) * rays.y;
}

// Where a ray meets a box's face, 0 to 1 from low to high, and how much of that a pixel spans.
struct face_place {
    vec3 at, span;
};

// `low` and `high` are as seen from the eye, `ray` is of a pixel that sees the face along `axis`.
// Without lines the span is not looked for, and large.
face_place find_place(ray_fan rays, uint axis, vec3 low, vec3 high, vec3 ray,
                      bool with_lines) {
    vec3 along = vec3(axis == 0u, axis == 1u, axis == 2u), size = high - low;
    vec3 side = vec3(lessThan(low + high, vec3(0.0)));
    float plane = dot(mix(low, high, side), along), ahead = 1.0 / dot(ray, along);
    float distance = plane * ahead;
    vec3 at = clamp((ray * distance - low) / size, vec3(0.0), vec3(1.0));
    // On the plane itself nothing changes along its normal.
    face_place place = face_place(mix(at, side, along), vec3(1.0));
    if (with_lines) {
        vec3 by_x = rays.x - ray * (dot(rays.x, along) * ahead);
        vec3 by_y = rays.y - ray * (dot(rays.y, along) * ahead);
        vec3 span = (abs(by_x) + abs(by_y)) * distance / size;
        place.span = span * (1.0 - along);
    }
    return place;
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
