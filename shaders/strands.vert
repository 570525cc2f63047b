// One triangle over the whole picture.
#version 450
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(push_constant, std430) uniform Push { mc_frustum_draw draw; };
layout(location = 0) flat out vec4 out_look; // phase of arrows, their gray, opacity behind something
layout(location = 1) flat out uvec2 out_numbers; // epoch, the picture's width

void main() {
    vec2 corner = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
    out_look = vec4(frame.frustum_look.x * 0.8, frame.frustum_look.w, draw.opacity, 0.0);
    out_numbers = uvec2(draw.epoch, uint(frame.viewport.x));
}
