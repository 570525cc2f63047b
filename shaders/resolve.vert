// The far sides of a box around the whole city: where it is, and no farther, the visibility buffer
// can hold anything.
#version 450
#include "shaders/visible.glsl"

layout(push_constant, std430) uniform Push { mc_splat_draw splat; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };

// What all pixels need: here it is fetched once for all of them; see get_rays().
layout(location = 0) flat out vec3 out_ray_origin;
layout(location = 1) flat out vec3 out_ray_x;
layout(location = 2) flat out vec3 out_ray_y;
layout(location = 3) flat out vec3 out_eye;
layout(location = 4) flat out vec3 out_root; // of districts' colours
layout(location = 5) flat out vec3 out_deepest;
layout(location = 6) flat out vec3 out_block; // of a class's methods
layout(location = 7) flat out uvec3 out_numbers; // epoch, the picture's width, count of buildings

// Corners by bits: x, y, z. Counter-clockwise as seen from inside.
const uint corners[36] =
    uint[](0, 6, 4, 0, 2, 6, 1, 7, 3, 1, 5, 7, 0, 5, 1, 0, 4, 5, 2, 7, 6, 2, 3,
           7, 0, 3, 2, 0, 1, 3, 4, 7, 5, 4, 6, 7);

void main() {
    uint corner = corners[gl_VertexIndex];
    vec3 at = vec3(corner & 1u, corner >> 1 & 1u, corner >> 2);
    vec3 low = vec3(splat.low_x, splat.low_y, splat.low_z);
    vec3 high = vec3(splat.high_x, splat.high_y, splat.high_z);
    gl_Position = frame.view_projection * vec4(mix(low, high, at), 1.0);
    gl_Position.z = frame.eye.w; // clipped where the near plane is, and nowhere else
    ray_fan rays = get_rays(frame);
    out_ray_origin = rays.origin;
    out_ray_x = rays.x;
    out_ray_y = rays.y;
    out_eye = frame.eye.xyz;
    out_root = frame.district_root.rgb;
    out_deepest = frame.district_deepest.rgb;
    out_block = frame.district_block.rgb;
    out_numbers = uvec3(splat.epoch, uint(frame.viewport.x), frame.marks.w);
}
