// One triangle over the whole picture, at the far plane.
#version 450
#include "shaders/color.glsl"
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(location = 0) flat out vec3 out_top;
layout(location = 1) flat out vec3 out_bottom;

void main() {
    vec2 corner = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.0, 1.0);
    out_top = decode_srgb_exactly(frame.background_top.rgb);
    out_bottom = decode_srgb_exactly(frame.background_bottom.rgb);
}
