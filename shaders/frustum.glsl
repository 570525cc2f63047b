// frustum.glsl - where a frustum runs now, how thick it is there, and what of it is drawn: what its
// vertices have in common, however many there are. The same numbers as in engine/city/frustum.c.
#ifndef MC_FRUSTUM_GLSL
#define MC_FRUSTUM_GLSL

#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_BOXES, std430) readonly buffer Boxes { mc_box boxes[]; };
layout(set = 0, binding = MC_BINDING_FRUSTUMS, std430) readonly buffer Frustums {
    mc_frustum frustums[];
};
layout(push_constant, std430) uniform Push { mc_frustum_draw draw; };

const float street_through = 0.6; // their opacity behind buildings, which stand on them

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

// World units, positions as seen from the eye.
struct frustum_path {
    vec4 from, to;        // the middle of an end as it is, and its radius
    vec3 a, b, way, bow;  // at t from 0 to 1: a + way t + bow t (1 - t)
    float low, high;      // the part of it that is drawn
    float span, shown;    // length, and of that part
    float least;          // radius, pixels
    float low_radius, high_radius;
    bool is_drawn;
};

vec3 get_point(frustum_path path, float t) {
    return path.a + path.way * t + path.bow * (t * (1.0 - t));
}

vec3 get_tangent(frustum_path path, float t) {
    return normalize(path.way + path.bow * (1.0 - 2.0 * t));
}

frustum_path get_path(mc_frustum f, bool is_street) {
    frustum_path path;
    mc_box from_box = boxes[f.from_box], to_box = boxes[f.to_box];
    bool from_district = f.from_box >= frame.marks.w, to_district = f.to_box >= frame.marks.w;
    vec2 ahead = get_center(to_box.footprint) - get_center(from_box.footprint);
    ahead /= max(length(ahead), 1e-6);
    vec2 aside = vec2(-ahead.y, ahead.x);
    path.from =
        is_street
            ? get_street_end(from_box, from_district, f.from_share, aside)
            : get_end(from_box, from_district, f.from_share, f.from_top0, f.from_top1, ahead, aside);
    path.to = is_street
                  ? get_street_end(to_box, to_district, f.to_share, aside)
                  : get_end(to_box, to_district, f.to_share, f.to_top0, f.to_top1, -ahead, aside);
    path.a = path.from.xyz - frame.eye.xyz;
    path.b = path.to.xyz - frame.eye.xyz;
    path.way = path.b - path.a;
    path.bow = vec3(0.0, 4.0 * f.arc, 0.0);
    // Outgoing ones begin at the selected structure, incoming ones and chains end there.
    path.low = f.kind == MC_FRUSTUM_OUTGOING ? 0.0 : 1.0 - f.reveal;
    path.high = f.kind == MC_FRUSTUM_OUTGOING ? f.reveal : 1.0;
    // Of a flat arc, near enough.
    float straight = length(path.way), rise = f.arc / max(straight, 1e-6);
    path.span = straight * (1.0 + 2.67 * rise * rise);
    path.shown = path.span * (path.high - path.low);
    // Never thinner than can be seen.
    bool emphasised = (f.flags & MC_FRUSTUM_EMPHASISED) != 0u;
    path.least = MC_FRUSTUM_LEAST_RADIUS * frame.frustum_look.y * (emphasised ? 1.7 : 1.0);
    path.low_radius = max(mix(path.from.w, path.to.w, path.low),
                          path.least * get_pixel(get_point(path, path.low)));
    path.high_radius = max(mix(path.from.w, path.to.w, path.high),
                           path.least * get_pixel(get_point(path, path.high)));
    path.is_drawn = from_box.height > 0.0 && to_box.height > 0.0 && f.reveal > 0.0;
    return path;
}

// What is at `position`, as far in front of it as `near`, world units.
vec4 get_clip(vec3 position, float near) {
    vec4 clip = frame.view_projection * vec4(position, 1.0);
    float depth = max(clip.w - near, frame.eye.w);
    if (clip.w > frame.eye.w) clip.z = (frame.ray_origin.w + frame.ray_x.w / depth) * clip.w;
    return clip;
}

// At the station `t`, of `segment_count`. `pixel` is what one spans there.
float get_radius(frustum_path path, float t, float pixel) {
    if (draw.segment_count == 1u) return t == path.low ? path.low_radius : path.high_radius;
    return max(mix(path.from.w, path.to.w, t), path.least * pixel);
}

// 1 / distance of arrows, and how strong they are. How far apart: by the mean thickness, in whole
// numbers, and so that they can be told apart also at the far end.
vec2 get_arrows(frustum_path path) {
    float far = max(get_pixel(path.a), get_pixel(path.b)), scale = frame.frustum_look.y;
    float mean_radius = max(0.5 * (path.from.w + path.to.w), path.least * far);
    float wanted = max(5.0 * mean_radius, 22.0 * scale * far);
    return vec2(max(round(path.span / wanted), 1.0) / path.span,
                clamp(0.5 * mean_radius / (scale * far) - 0.5, 0.0, 1.0));
}

// w: opacity.
vec4 get_color(mc_frustum f) {
    bool faded = (f.flags & MC_FRUSTUM_FADED) != 0u;
    float opacity = draw.is_street != 0u ? max(draw.opacity, street_through) : draw.opacity;
    return vec4(frame.frustum_colors[min(f.kind, MC_FRUSTUM_KIND_COUNT - 1u)].rgb,
                opacity * (faded ? 0.2 : 1.0));
}

#endif
