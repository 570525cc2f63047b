// References as truncated cones from roof to roof, bent along arcs. The ends are where the boxes
// are now; the same numbers as in engine/city/frustum.c.
//
// A vertex is a place on the surface: which station along the way, which column around it. Only
// what faces the eye is drawn: columns go from one silhouette to the other, so that the outline is
// exact however few they are. A fat arc turns its sides to and from the eye along its way; its
// columns go all around and stay where they are, as an arc lies in one plane. The vertices behind
// the last station's are those of the end that can be seen.
#version 450
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_BOXES, std430) readonly buffer Boxes { mc_box boxes[]; };
layout(set = 0, binding = MC_BINDING_FRUSTUMS, std430) readonly buffer Frustums {
    mc_frustum frustums[];
};
layout(push_constant, std430) uniform Push { mc_frustum_draw draw; };

// Along and radius in world units; across, -1 to 1 as seen; how far inside the outline, pixels.
layout(location = 0) out vec4 out_at;
layout(location = 1) out vec3 out_position; // as seen from the eye
layout(location = 2) out vec3 out_normal;
layout(location = 3) flat out vec4 out_color;  // w: opacity
layout(location = 4) flat out vec4 out_arrows; // length, 1 / distance of arrows, their strength,
                                               // how much of the length is before what is drawn
layout(location = 5) out float out_side; // 1 on the side, 0 on an end

const float street_through = 0.6; // their opacity behind buildings, which stand on them
const float pi = 3.14159265;

vec2 get_center(mc_plot plot) { return 0.5 * vec2(plot.x0 + plot.x1, plot.z0 + plot.z1); }

// Of a street: on the ground that its end stands on, or on a district.
vec4 get_street_end(mc_box box, bool is_district, float half_width, vec2 aside) {
    vec2 center = get_center(box.footprint) + aside * half_width;
    return vec4(center.x, box.base + (is_district ? box.height : 0.0), center.y, half_width);
}

// The middle of one end and its radius. `ahead` points to the other end, `aside` beside the way
// from the referencing end, both of length 1 on the ground.
vec4 get_end(mc_box box, bool is_district, float share, float top0, float top1, vec2 ahead,
             vec2 aside) {
    mc_plot plot = box.footprint;
    float height = box.height, roof = box.base + box.height;
    float room = 0.5 * min(plot.x1 - plot.x0, plot.z1 - plot.z0);
    if (is_district) {
        height = top0 * (1.0 - frame.frustum_look.z) + top1 * frame.frustum_look.z;
        roof += height;
        room = 0.0;
    }
    float radius = 0.5 * height * MC_FRUSTUM_RADIUS_SHARE * share;
    vec2 center = get_center(plot) + room * (MC_FRUSTUM_AHEAD_SHARE * ahead +
                                             MC_FRUSTUM_ASIDE_SHARE * aside);
    return vec4(center.x, roof + radius, center.y, radius);
}

// World units that a pixel spans there.
float get_pixel(vec3 position) {
    float depth = (frame.view_projection * vec4(position, 1.0)).w;
    return length(frame.ray_y.xyz) * max(depth, frame.eye.w);
}

vec3 get_across(vec3 along) {
    vec3 across = cross(along, vec3(0.0, 1.0, 0.0));
    return dot(across, across) > 1e-12 * dot(along, along) ? normalize(across)
                                                          : vec3(1.0, 0.0, 0.0);
}

void main() {
    mc_frustum f = frustums[gl_InstanceIndex];
    uint vertex = uint(gl_VertexIndex), columns = draw.column_count;
    uint body_count = (draw.segment_count + 1u) * (columns + 1u);
    uint station = vertex / (columns + 1u), column = vertex % (columns + 1u);
    bool is_end = vertex >= body_count, is_street = draw.is_street != 0u;

    mc_box from_box = boxes[f.from_box], to_box = boxes[f.to_box];
    vec2 ahead = get_center(to_box.footprint) - get_center(from_box.footprint);
    ahead /= max(length(ahead), 1e-6);
    vec2 aside = vec2(-ahead.y, ahead.x);
    vec4 from = get_end(from_box, f.from_box >= frame.marks.w, f.from_share, f.from_top0,
                        f.from_top1, ahead, aside);
    vec4 to = get_end(to_box, f.to_box >= frame.marks.w, f.to_share, f.to_top0, f.to_top1, -ahead,
                      aside);
    if (is_street) {
        from = get_street_end(from_box, f.from_box >= frame.marks.w, f.from_share, aside);
        to = get_street_end(to_box, f.to_box >= frame.marks.w, f.to_share, aside);
    }
    vec3 a = from.xyz - frame.eye.xyz, b = to.xyz - frame.eye.xyz;
    vec3 way = b - a, bow = vec3(0.0, 4.0 * f.arc, 0.0);

    // Outgoing ones begin at the selected structure, incoming ones and chains end there.
    float low = f.kind == MC_FRUSTUM_OUTGOING ? 0.0 : 1.0 - f.reveal;
    float high = f.kind == MC_FRUSTUM_OUTGOING ? f.reveal : 1.0;
    vec3 low_at = a + way * low + bow * (low * (1.0 - low));
    vec3 high_at = a + way * high + bow * (high * (1.0 - high));
    vec3 low_tangent = normalize(way + bow * (1.0 - 2.0 * low));
    vec3 high_tangent = normalize(way + bow * (1.0 - 2.0 * high));
    // An end faces away from the other one; both are seen at once from below an arc alone.
    bool is_low_seen = dot(low_at, low_tangent) > 0.0, is_high_seen = dot(high_at, high_tangent) < 0.0;
    if (is_end) {
        station = is_high_seen ? draw.segment_count : 0u;
        column = vertex - body_count;
    }
    float t = mix(low, high, float(station) / float(draw.segment_count));
    vec3 position = a + way * t + bow * (t * (1.0 - t));
    vec3 tangent = normalize(way + bow * (1.0 - 2.0 * t));
    // Of a flat arc, near enough.
    float span = length(way) * (1.0 + 2.67 * pow(f.arc / max(length(way), 1e-6), 2.0));
    float shown = span * (high - low);

    // Never thinner than can be seen; half a pixel more is where the outline fades.
    bool emphasised = (f.flags & MC_FRUSTUM_EMPHASISED) != 0u;
    bool faded = (f.flags & MC_FRUSTUM_FADED) != 0u;
    float scale = frame.frustum_look.y, pixel = get_pixel(position);
    float least = MC_FRUSTUM_LEAST_RADIUS * scale * (emphasised ? 1.7 : 1.0);
    float low_radius = max(mix(from.w, to.w, low), least * get_pixel(low_at));
    float high_radius = max(mix(from.w, to.w, high), least * get_pixel(high_at));
    float radius = draw.segment_count == 1u ? (station == 0u ? low_radius : high_radius)
                                            : max(mix(from.w, to.w, t), least * pixel);
    float outer = radius + 0.5 * pixel;
    float widening = (high_radius - low_radius) / max(shown, 1e-6);

    // Around the tangent, from where the eye is, or from above.
    float along = span * (t - low), turn, inside = 1.0;
    vec3 facing = -position - tangent * dot(-position, tangent);
    float away = length(facing);
    facing = away > 1e-6 ? facing / away : get_across(tangent);
    vec3 side = cross(tangent, facing), first = facing;
    if (draw.is_ring != 0u) {
        first = cross(get_across(way), tangent);
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

    // How far apart the arrows are: by the mean thickness, in whole numbers, and so that they can be
    // told apart also at the far end.
    float far = max(get_pixel(a), get_pixel(b));
    float mean_radius = max(0.5 * (from.w + to.w), least * far);
    float wanted = max(5.0 * mean_radius, 22.0 * scale * far);

    out_at = vec4(along, radius, across, is_end ? 1.0 : inside);
    out_side = is_end ? 0.0 : 1.0;
    out_position = position;
    out_normal = normal;
    out_color = vec4(frame.frustum_colors[min(f.kind, MC_FRUSTUM_KIND_COUNT - 1u)].rgb,
                     (is_street ? max(draw.opacity, street_through) : draw.opacity) *
                         (faded ? 0.2 : 1.0));
    out_arrows = vec4(shown, max(round(span / wanted), 1.0) / span,
                      clamp(0.5 * mean_radius / (scale * far) - 0.5, 0.0, 1.0), low * span);
    vec4 clip = frame.view_projection * vec4(position, 1.0);
    // A street lies on what it is drawn on: in front of it.
    float depth = max(clip.w - outer, frame.eye.w);
    if (is_street && clip.w > frame.eye.w)
        clip.z = (frame.ray_origin.w + frame.ray_x.w / depth) * clip.w;
    bool belongs = from_box.height > 0.0 && to_box.height > 0.0 && f.reveal > 0.0 &&
                   !(is_end && (is_street || !(is_low_seen || is_high_seen)));
    gl_Position = belongs ? clip : vec4(0.0, 0.0, 0.0, 1.0);
}
