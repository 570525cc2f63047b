// A rectangle around each segment that has a frame.
#version 450
#include "shaders/shared/flat_types.h"
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 1, binding = MC_BINDING_FLAT_MARKS, std430) readonly buffer Marks {
    mc_flat_mark marks[];
};
layout(location = 0) flat out vec4 out_place;
layout(location = 1) flat out vec4 out_span;
layout(location = 2) flat out vec4 out_color;
layout(location = 3) flat out vec2 out_look;

void main() {
    mc_flat_mark mark = marks[gl_InstanceIndex];
    const int corners[6] = int[](0, 1, 2, 2, 1, 3);
    int vertex = corners[gl_VertexIndex];
    vec2 corner = vec2((vertex & 1) == 0 ? mark.x0 : mark.x1, vertex < 2 ? mark.y0 : mark.y1);
    out_place = vec4(mark.origin_x, mark.origin_y, mark.row_size, mark.row_length);
    out_span = vec4(mark.row, mark.from, mark.to, mark.first_row);
    out_color = vec4(mark.r, mark.g, mark.b, mark.opacity);
    out_look = vec2(mark.width, uintBitsToFloat(mark.form));
    gl_Position = vec4(corner * frame.viewport.zw * 2.0 - 1.0, 0.5, 1.0);
}
