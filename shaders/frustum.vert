// References as cones from roof to roof: a ribbon each that faces the eye, in as many segments as
// its arc needs, with room for round ends. The ends are where the boxes are now; the same numbers
// as in engine/city/frustum.c.
#version 450
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_BOXES, std430) readonly buffer Boxes { mc_box boxes[]; };
layout(set = 0, binding = MC_BINDING_FRUSTUMS, std430) readonly buffer Frustums {
    mc_frustum frustums[];
};
layout(push_constant, std430) uniform Push { mc_frustum_draw draw; };

layout(location = 0) out vec3 out_at;       // along, across, radius: world units
layout(location = 1) out vec3 out_position; // as seen from the eye
layout(location = 2) out vec3 out_tangent;
layout(location = 3) flat out vec4 out_color;  // w: opacity
layout(location = 4) flat out vec4 out_arrows; // length, 1 / distance of arrows, their strength, -

const float street_through = 0.6; // their opacity behind buildings, which stand on them
const vec2 quad_corner[6] = vec2[](vec2(0, -1), vec2(1, -1), vec2(1, 1), vec2(0, -1), vec2(1, 1),
                                   vec2(0, 1));

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

float get_depth(vec3 position) { return (frame.view_projection * vec4(position, 1.0)).w; }

void main() {
    mc_frustum f = frustums[gl_InstanceIndex];
    vec2 corner = quad_corner[uint(gl_VertexIndex) % 6u];
    uint station = uint(gl_VertexIndex) / 6u + uint(corner.x);
    mc_box from_box = boxes[f.from_box], to_box = boxes[f.to_box];
    vec2 ahead = get_center(to_box.footprint) - get_center(from_box.footprint);
    ahead /= max(length(ahead), 1e-6);
    vec2 aside = vec2(-ahead.y, ahead.x);
    vec4 from = get_end(from_box, f.from_box >= frame.marks.w, f.from_share, f.from_top0,
                        f.from_top1, ahead, aside);
    vec4 to = get_end(to_box, f.to_box >= frame.marks.w, f.to_share, f.to_top0, f.to_top1, -ahead,
                      aside);
    bool is_street = f.kind >= MC_FRUSTUM_STREET;
    if (is_street) {
        from = get_street_end(from_box, f.from_box >= frame.marks.w, f.from_share, aside);
        to = get_street_end(to_box, f.to_box >= frame.marks.w, f.to_share, aside);
    }
    vec3 a = from.xyz - frame.eye.xyz, b = to.xyz - frame.eye.xyz;
    vec3 way = b - a, bow = vec3(0.0, 4.0 * f.arc, 0.0);

    // Outgoing ones begin at the selected structure, incoming ones and chains end there.
    float low = f.kind == MC_FRUSTUM_OUTGOING ? 0.0 : 1.0 - f.reveal;
    float high = f.kind == MC_FRUSTUM_OUTGOING ? f.reveal : 1.0;
    float t = mix(low, high, float(station) / float(draw.segment_count));
    vec3 position = a + way * t + bow * (t * (1.0 - t));
    vec3 tangent = normalize(way + bow * (1.0 - 2.0 * t));
    // Of a flat arc, near enough.
    float span = length(way) * (1.0 + 2.67 * pow(f.arc / max(length(way), 1e-6), 2.0));

    bool emphasised = (f.flags & MC_FRUSTUM_EMPHASISED) != 0u;
    bool faded = (f.flags & MC_FRUSTUM_FADED) != 0u;
    float pixel_at_1 = length(frame.ray_y.xyz) * frame.ray_y.w;
    float pixel = pixel_at_1 * max(get_depth(position), frame.eye.w);
    float least = frame.frustum_look.y * (emphasised ? 1.7 : 1.0);
    float radius = mix(from.w, to.w, t), drawn = max(radius, least * pixel);
    float along = span * (t - low);
    bool is_first = station == 0u, is_last = station == draw.segment_count;
    float beyond = (is_first ? -1.0 : is_last ? 1.0 : 0.0) * (drawn + pixel);
    position += tangent * beyond;
    along += beyond;
    vec3 side = is_street ? cross(tangent, vec3(0.0, 1.0, 0.0)) : cross(tangent, position);
    side = dot(side, side) > 1e-12 ? normalize(side) : vec3(1.0, 0.0, 0.0);
    float across = corner.y * (drawn + pixel);
    position += side * across;

    // How far apart the arrows are: by the mean thickness, in whole numbers, and so that they can be
    // told apart also at the far end.
    float far = max(max(get_depth(a), get_depth(b)), frame.eye.w) * pixel_at_1;
    float mean_radius = max(0.5 * (from.w + to.w), least * far);
    float wanted = max(5.0 * mean_radius, 22.0 * far);
    float shown = span * (high - low);

    out_at = vec3(along, across, drawn);
    out_position = position;
    out_tangent = tangent;
    out_color = vec4(frame.frustum_colors[min(f.kind, MC_FRUSTUM_KIND_COUNT - 1u)].rgb,
                     (is_street ? max(draw.opacity, street_through) : draw.opacity) *
                         (faded ? 0.2 : 1.0));
    out_arrows = vec4(shown, max(round(span / wanted), 1.0) / span,
                      clamp(0.5 * mean_radius / far - 0.5, 0.0, 1.0), low * span);
    vec4 clip = frame.view_projection * vec4(position, 1.0);
    // In front of its own middle by its radius, as a round one would be.
    float depth = max(clip.w - drawn, frame.eye.w);
    if (clip.w > frame.eye.w) clip.z = (frame.ray_origin.w + frame.ray_x.w / depth) * clip.w;
    bool belongs = from_box.height > 0.0 && to_box.height > 0.0 && f.reveal > 0.0;
    gl_Position = belongs ? clip : vec4(0.0, 0.0, 0.0, 1.0);
}
