// References as truncated cones from roof to roof, bent along arcs. The ends are where the boxes
// are now.
//
// A vertex is a place on the surface: which station along the way, which column around it. Only
// what faces the eye is drawn: columns go from one silhouette to the other, so that the outline is
// exact however few they are. A fat arc turns its sides to and from the eye along its way; its
// columns go all around and stay where they are, as an arc lies in one plane. The vertices behind
// the last station's are those of the end that can be seen. Thin ones: frustum_thin.vert.
#version 450
#include "shaders/frustum.glsl"

// Along and radius in world units; across, -1 to 1 as seen; how far inside the outline, pixels.
layout(location = 0) out vec4 out_at;
layout(location = 1) out vec3 out_position; // as seen from the eye
layout(location = 2) out vec3 out_normal;
layout(location = 3) flat out vec4 out_color;  // w: opacity
layout(location = 4) flat out vec4 out_arrows; // length, 1 / distance of arrows, their strength,
                                               // how much of the length is before what is drawn
layout(location = 5) out vec2 out_side; // 1 on the side, 0 on an end; how much of it is seen

const float pi = 3.14159265;

void main() {
    mc_frustum f = frustums[gl_InstanceIndex];
    uint vertex = uint(gl_VertexIndex), columns = draw.column_count;
    uint body_count = (draw.segment_count + 1u) * (columns + 1u);
    uint station = vertex / (columns + 1u), column = vertex % (columns + 1u);
    bool is_end = vertex >= body_count, is_street = draw.is_street != 0u;
    frustum_path path = get_path(f, is_street);

    // An end faces away from the other one; both are seen at once from below an arc alone.
    bool is_low_seen = dot(get_point(path, path.low), get_tangent(path, path.low)) > 0.0;
    bool is_high_seen = dot(get_point(path, path.high), get_tangent(path, path.high)) < 0.0;
    if (is_end) {
        station = is_high_seen ? draw.segment_count : 0u;
        column = vertex - body_count;
    }
    float t = mix(path.low, path.high, float(station) / float(draw.segment_count));
    vec3 position = get_point(path, t), tangent = get_tangent(path, t);

    // A rim of a pixel around it, and half of one more is where that fades.
    float pixel = get_pixel(position);
    float rim = is_street || draw.is_ring != 0u ? 0.5 : 1.3;
    float radius = get_radius(path, t, pixel), outer = radius + rim * pixel;
    float widening = (path.high_radius - path.low_radius) / max(path.shown, 1e-6);

    // Around the tangent, from where the eye is, or from above.
    float along = path.span * (t - path.low), turn, inside = 1.0;
    vec3 facing = -position - tangent * dot(-position, tangent);
    float away = length(facing);
    facing = away > 1e-6 ? facing / away : get_across(tangent);
    vec3 side = cross(tangent, facing), first = facing;
    if (draw.is_ring != 0u) {
        first = cross(get_across_arc(path), tangent);
        turn = 2.0 * pi * float(column) / float(is_end ? MC_FRUSTUM_END_COUNT : columns);
    } else {
        float limit = (outer - widening * dot(position, tangent)) / max(away, 1e-6);
        float most = acos(clamp(limit, -1.0, 1.0));
        uint end_columns = MC_FRUSTUM_END_COUNT / 2u;
        turn = column > end_columns ? mix(most, 2.0 * pi - most,
                                          float(column - end_columns) / float(end_columns))
                                    : mix(-most, most, float(column) /
                                                           float(is_end ? end_columns : columns));
        inside = most < 0.5 * pi ? sin(most) - abs(sin(turn)) : most - abs(turn);
        inside *= outer / pixel;
    }
    if (is_end && station == 0u) turn = -turn; // seen from behind
    vec3 outward = cos(turn) * first + sin(turn) * cross(tangent, first);
    vec3 normal = outward - widening * tangent;
    float across = dot(outward, side);
    if (is_end) normal = station == 0u ? -tangent : tangent;
    if (is_street) {
        bool is_first = station == 0u, is_last = station == draw.segment_count;
        float beyond = (is_first ? -1.0 : is_last ? 1.0 : 0.0) * outer;
        along += beyond;
        across = 2.0 * float(column) / float(columns) - 1.0;
        outward = get_across(tangent) * across + tangent * (beyond / outer);
        across *= outer / radius;
        normal = vec3(0.0, 1.0, 0.0);
    }
    position += outward * outer;

    vec2 arrows = get_arrows(path);
    out_at = vec4(along, radius, across, is_end ? 1.0 : inside);
    out_side = vec2(is_end ? 0.0 : 1.0, is_street ? 1.0 : get_presence(path, f, position));
    out_position = position;
    out_normal = normal;
    out_color = get_color(f);
    out_arrows = vec4(path.shown, arrows, path.low * path.span);
    // A street lies on what it is drawn on: in front of it.
    vec4 clip = is_street ? get_clip(position, outer)
                          : frame.view_projection * vec4(position, 1.0);
    bool belongs = path.is_drawn && !(is_end && (is_street || !(is_low_seen || is_high_seen)));
    gl_Position = belongs ? clip : vec4(0.0, 0.0, 0.0, 1.0);
}
