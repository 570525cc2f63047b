// A rectangle around each sunburst or icicle. What all its pixels need to know comes with it: to a
// software driver that is cheaper than reading it once a pixel.
#version 450
#include "shaders/shared/flat_types.h"
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 1, binding = MC_BINDING_FLAT_PLANES, std430) readonly buffer Planes {
    mc_flat_plane planes[];
};
layout(location = 0) flat out vec4 out_place;
layout(location = 1) flat out vec4 out_line;
layout(location = 2) flat out ivec4 out_strips;
layout(location = 3) flat out ivec2 out_rows;

void main() {
    mc_flat_plane plane = planes[gl_InstanceIndex];
    const int corners[6] = int[](0, 1, 2, 2, 1, 3);
    int vertex = corners[gl_VertexIndex];
    vec2 corner = vec2((vertex & 1) == 0 ? plane.x0 : plane.x1, vertex < 2 ? plane.y0 : plane.y1);
    out_place = vec4(plane.origin_x, plane.origin_y, plane.row_size, plane.row_length);
    out_line = vec4(plane.line_r, plane.line_g, plane.line_b, plane.opacity);
    out_strips = ivec4(plane.first_sum, plane.first_span, plane.texel_count, plane.form);
    out_rows = ivec2(plane.row_count, floatBitsToInt(plane.first_row));
    gl_Position = vec4(corner * frame.viewport.zw * 2.0 - 1.0, 0.5, 1.0);
}
