// The UI's triangles, pulled by index; positions in pixels.
#version 450
#include "shaders/shared/frame_types.h"

struct ui_vertex {
    float x, y, u, v;
    uint color;
};

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 1, binding = MC_BINDING_UI_VERTICES, std430) readonly buffer Vertices {
    ui_vertex vertices[];
};
layout(location = 0) out vec2 out_uv;
layout(location = 1) out vec4 out_color;

void main() {
    ui_vertex v = vertices[gl_VertexIndex];
    out_uv = vec2(v.u, v.v);
    out_color = unpackUnorm4x8(v.color);
    gl_Position = vec4(vec2(v.x, v.y) * frame.viewport.zw * 2.0 - 1.0, 0.0, 1.0);
}
