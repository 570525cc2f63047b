// A column over a point of the city: as wide and high on the screen wherever it stands.
#version 450
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(push_constant, std430) uniform Push { mc_beacon_draw draw; };

// Pixels beside the middle; 0 at the foot, 1 at the top.
layout(location = 0) out vec2 out_at;

const vec2 quad_corner[6] =
    vec2[](vec2(-1, 0), vec2(1, 0), vec2(1, 1), vec2(-1, 0), vec2(1, 1), vec2(-1, 1));

void main() {
    vec4 foot = frame.view_projection * vec4(vec3(draw.x, draw.y, draw.z) - frame.eye.xyz, 1.0);
    vec2 corner = quad_corner[gl_VertexIndex];
    out_at = vec2(corner.x * MC_BEACON_GLOW * draw.half_width, corner.y);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    if (foot.w <= frame.eye.w) return; // behind the eye
    vec2 pixel = 2.0 * frame.viewport.zw;
    vec2 offset = vec2(out_at.x, -corner.y * draw.height) * pixel;
    gl_Position = vec4(foot.xy / foot.w + offset, 0.5, 1.0);
}
