// Soft shadows on the ground around boxes: a quad each at the height of its floor, as wide as the
// shadow reaches but for a building no wider than its plot, so that shadows never meet.
#version 450
#include "shaders/boxes.glsl"
#include "shaders/shared/frame_types.h"
#include "shaders/statics.glsl"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(push_constant, std430) uniform Push { mc_shadow_draw draw; };

layout(location = 0) out vec2 out_at;        // from the box's centre
layout(location = 1) flat out vec4 out_area; // half sides, 1 / reach along both axes
layout(location = 2) flat out float out_opacity;

const vec2 quad_corner[6] = vec2[](vec2(-1, -1), vec2(-1, 1), vec2(1, 1), vec2(-1, -1), vec2(1, 1),
                                   vec2(1, -1));

void main() {
    uint index = draw.first + uint(gl_VertexIndex) / 6u;
    vec2 corner = quad_corner[uint(gl_VertexIndex) % 6u];
    mc_box box = load_world_box(index);
    vec2 low = vec2(box.footprint.x0, box.footprint.z0);
    vec2 high = vec2(box.footprint.x1, box.footprint.z1);
    vec2 half_sides = 0.5 * (high - low);
    vec2 reach = vec2(draw.reach * 2.0 * sqrt(half_sides.x * half_sides.y));
    if (index < frame.marks.w) {
        mc_plot plot = load_plot(index);
        reach = min(reach, 0.5 * vec2(plot.x1 - plot.x0, plot.z1 - plot.z0) - half_sides);
    }
    bool belongs = box.height > 0.0 && box.opacity > 0.0 && min(reach.x, reach.y) > 0.0;
    out_at = corner * (half_sides + reach);
    out_area = vec4(half_sides, 1.0 / max(reach, vec2(1e-20)));
    out_opacity = draw.opacity * (0.4 + 0.6 * box.opacity);
    vec2 ground = 0.5 * (low + high) + out_at - frame.eye.xz;
    vec4 position = frame.view_projection * vec4(ground.x, box.base - frame.eye.y, ground.y, 1.0);
    position.z *= 1.0 + draw.bias;
    gl_Position = belongs ? position : vec4(0.0, 0.0, 0.0, 1.0);
}
