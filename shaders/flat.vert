// What may be drawn of each sunburst or icicle: its area, or the bands around the ends of its rows
// (vertices beyond those of the area). What all its pixels need to know comes with it: to a software
// driver that is cheaper than reading it once a pixel.
#version 450
#include "shaders/flat.glsl"
#include "shaders/shared/frame_types.h"

layout(constant_id = 0) const uint FORM = MC_FLAT_SUNBURST;
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 1, binding = MC_BINDING_FLAT_PLANES, std430) readonly buffer Planes {
    mc_flat_plane planes[];
};
layout(location = 0) flat out vec4 out_place;
layout(location = 1) flat out vec4 out_line;
layout(location = 2) flat out ivec4 out_strips;
layout(location = 3) flat out vec3 out_rows;

// Two triangles of a rectangle.
vec2 get_corner(int vertex) {
    const int corners[6] = int[](0, 1, 2, 2, 1, 3);
    return vec2(corners[vertex] & 1, corners[vertex] >> 1);
}

// Pixels from where the first row begins.
float get_end(mc_flat_plane plane, int row) {
    return (min(float(row), plane.end_row) - plane.first_row) * plane.row_size;
}

// So many that a side is at most half a pixel from its circle; small triangles cost more than they
// cover. Further ones have no extent.
float get_side_count(mc_flat_plane plane) {
    float radius = get_end(plane, int(plane.row_count));
    return clamp(ceil(TURN * 0.5 * sqrt(max(radius, 1.0))), 8.0, float(MC_FLAT_SIDES));
}

// On a polygon that touches a circle of that radius from outside.
vec2 get_circle_point(mc_flat_plane plane, int side, float radius) {
    float count = get_side_count(plane), angle = TURN * min(float(side) / count, 1.0);
    radius /= cos(TURN * 0.5 / count);
    return vec2(plane.origin_x, plane.origin_y) + vec2(sin(angle), -cos(angle)) * radius;
}

vec2 get_area_point(mc_flat_plane plane, int vertex) {
    if (FORM == MC_FLAT_SUNBURST) {
        int corner = vertex % 3;
        float radius = get_end(plane, int(plane.row_count)) + MC_FLAT_BAND_HALF;
        return get_circle_point(plane, vertex / 3 + corner / 2, corner == 0 ? 0.0 : radius);
    }
    return mix(vec2(plane.x0, plane.y0), vec2(plane.x1, plane.y1), get_corner(vertex));
}

vec2 get_band_point(mc_flat_plane plane, int vertex) {
    const int count = MC_FLAT_BAND_COUNT(FORM);
    float at = get_end(plane, vertex / count + 1);
    vec2 corner = get_corner(vertex % 6);
    float across = at + (corner.x * 2.0 - 1.0) * MC_FLAT_BAND_HALF;
    if (FORM == MC_FLAT_SUNBURST) {
        int side = vertex % count / 6 + int(corner.y);
        // The inner polygon is within its circle, the outer one around its own.
        float inside = cos(TURN * 0.5 / get_side_count(plane));
        across = max(corner.x == 0.0 ? across * inside : across, 0.0);
        return get_circle_point(plane, side, at > 0.0 ? across : 0.0);
    }
    bool is_down = FORM == MC_FLAT_ICICLE_DOWN;
    vec2 low = vec2(plane.x0, plane.y0), high = vec2(plane.x1, plane.y1);
    float place = clamp((is_down ? plane.origin_y : plane.origin_x) + across,
                        is_down ? low.y : low.x, is_down ? high.y : high.x);
    return is_down ? vec2(mix(low.x, high.x, corner.y), place)
                   : vec2(place, mix(low.y, high.y, corner.y));
}

void main() {
    mc_flat_plane plane = planes[gl_InstanceIndex];
    const int area_count = MC_FLAT_AREA_COUNT(FORM);
    vec2 point = gl_VertexIndex < area_count ? get_area_point(plane, gl_VertexIndex)
                                             : get_band_point(plane, gl_VertexIndex - area_count);
    out_place = vec4(plane.origin_x, plane.origin_y, plane.row_size, plane.row_length);
    out_line = vec4(plane.line_r, plane.line_g, plane.line_b, plane.opacity);
    out_strips = ivec4(plane.first_sum, plane.first_span, plane.texel_count, plane.row_count);
    out_rows = vec3(plane.first_row, plane.end_row, plane.bend);
    gl_Position = vec4(point * frame.viewport.zw * 2.0 - 1.0, 0.5, 1.0);
}
