// A rectangle around each sunburst or icicle.
#version 450
#include "shaders/shared/flat_types.h"
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 1, binding = MC_BINDING_FLAT_PLANES, std430) readonly buffer Planes {
    mc_flat_plane planes[];
};
layout(location = 0) flat out uint out_plane;

void main() {
    mc_flat_plane plane = planes[gl_InstanceIndex];
    const int corners[6] = int[](0, 1, 2, 2, 1, 3);
    int vertex = corners[gl_VertexIndex];
    vec2 corner = vec2((vertex & 1) == 0 ? plane.x0 : plane.x1, vertex < 2 ? plane.y0 : plane.y1);
    out_plane = gl_InstanceIndex;
    gl_Position = vec4(corner * frame.viewport.zw * 2.0 - 1.0, 0.5, 1.0);
}
