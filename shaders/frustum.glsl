// frustum.glsl - where a frustum runs now, how thick it is there, and what of it is drawn: what its
// vertices have in common, however many there are. The same numbers as in engine/city/frustum.c.
#ifndef MC_FRUSTUM_GLSL
#define MC_FRUSTUM_GLSL

#include "shaders/boxes.glsl"
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_FRUSTUMS, std430) readonly buffer Frustums {
    mc_frustum frustums[];
};
layout(push_constant, std430) uniform Push { mc_frustum_draw draw; };

const float nearest_presence = 0.12;
const float street_through = 0.6; // their opacity behind buildings, which stand on them

vec2 get_center(mc_plot plot) { return 0.5 * vec2(plot.x0 + plot.x1, plot.z0 + plot.z1); }

// Of a street: on the ground that its end stands on, or on a district.
vec4 get_street_end(mc_box box, bool is_district, float half_width, vec2 aside) {
    vec2 center = get_center(box.footprint) + aside * half_width;
    return vec4(center.x, box.base + (is_district ? box.height : 0.0), center.y, half_width);
}

// Where one end lies on its roof, and its radius. `ahead` points to the other end, `aside` beside the
// way from the referencing end, both of length 1 on the ground.
vec4 get_end(mc_box box, bool is_district, float share, float top0, float top1, vec2 ahead,
             vec2 aside) {
    mc_plot plot = box.footprint;
    float height = box.height, roof = box.base + box.height;
    vec2 half_sides = 0.5 * vec2(plot.x1 - plot.x0, plot.z1 - plot.z0);
    vec2 start = aside * MC_FRUSTUM_ASIDE_SHARE * min(half_sides.x, half_sides.y);
    vec2 ways = (half_sides - sign(ahead) * start) / max(abs(ahead), vec2(1e-6));
    start += ahead * MC_FRUSTUM_AHEAD_SHARE * min(ways.x, ways.y);
    if (is_district) {
        height = top0 * (1.0 - frame.frustum_look.z) + top1 * frame.frustum_look.z;
        roof += height;
        start = vec2(0.0);
    }
    vec2 center = get_center(plot) + start;
    return vec4(center.x, roof, center.y, 0.5 * height * MC_FRUSTUM_RADIUS_SHARE * share);
}

// World units that a pixel spans there.
float get_pixel(vec3 position) {
    float depth = (frame.view_projection * vec4(position, 1.0)).w;
    return length(frame.ray_y.xyz) * max(depth, frame.eye.w);
}

// What brings the thicker of two ends into its bounds.
float get_scale(vec4 from, vec4 to) {
    vec4 thick = from.w > to.w ? from : to;
    float pixel = length(frame.ray_y.xyz) * distance(thick.xyz, frame.eye.xyz);
    float pixels = thick.w / max(pixel, 1e-20), unit = frame.frustum_look.y;
    return clamp(pixels, MC_FRUSTUM_LEAST_THICK * unit, MC_FRUSTUM_MOST_THICK * unit) /
           max(pixels, 1e-6);
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
    float tip;     // where the arrowhead ends
    bool has_head; // else there is no room for one
};

vec3 get_point(frustum_path path, float t) {
    return path.a + path.way * t + path.bow * (t * (1.0 - t));
}

vec3 get_tangent(frustum_path path, float t) {
    return normalize(path.way + path.bow * (1.0 - 2.0 * t));
}

// Across the plane that an arc lies in.
vec3 get_across_arc(frustum_path path) {
    vec3 across = cross(path.way, path.bow);
    float most = dot(path.way, path.way) * dot(path.bow, path.bow);
    return dot(across, across) > 1e-12 * most ? normalize(across) : get_across(path.way);
}

// How long the arrowhead is, world units.
float get_head(frustum_path path) {
    float pixel = get_pixel(get_point(path, path.high)), unit = frame.frustum_look.y;
    float radius = mix(path.from.w, path.to.w, path.high) / max(pixel, 1e-20);
    return clamp(2.4 * radius + 5.0 * unit, 7.0 * unit, 20.0 * unit) * pixel;
}

frustum_path get_path(mc_frustum f, bool is_street) {
    frustum_path path;
    mc_box from_box = load_world_box(f.from_box), to_box = load_world_box(f.to_box);
    bool from_district = f.from_box >= frame.marks.w, to_district = f.to_box >= frame.marks.w;
    vec2 ahead = get_center(to_box.footprint) - get_center(from_box.footprint);
    ahead /= max(length(ahead), 1e-6);
    vec2 aside = vec2(-ahead.y, ahead.x);
    if (is_street) {
        path.from = get_street_end(from_box, from_district, f.from_share, aside);
        path.to = get_street_end(to_box, to_district, f.to_share, aside);
    } else {
        path.from = get_end(from_box, from_district, f.from_share, f.from_top0, f.from_top1, ahead,
                            aside);
        path.to =
            get_end(to_box, to_district, f.to_share, f.to_top0, f.to_top1, -ahead, aside);
        float scale = get_scale(path.from, path.to);
        path.from.w *= scale;
        path.to.w *= scale;
        path.from.y += path.from.w;
        path.to.y += path.to.w;
    }
    path.a = path.from.xyz - frame.eye.xyz;
    path.b = path.to.xyz - frame.eye.xyz;
    path.way = path.b - path.a;
    vec2 right = vec2(-path.way.z, path.way.x) / max(length(path.way.xz), 1e-6);
    path.bow = 4.0 * vec3(right.x * f.sway, f.arc, right.y * f.sway);
    // Outgoing ones begin at the selected structure, incoming ones and chains end there.
    path.low = f.kind == MC_FRUSTUM_OUTGOING ? 0.0 : 1.0 - f.reveal;
    path.high = f.kind == MC_FRUSTUM_OUTGOING ? f.reveal : 1.0;
    // Of a flat arc, near enough.
    float straight = length(path.way), rise = length(vec2(f.arc, f.sway)) / max(straight, 1e-6);
    path.span = straight * (1.0 + 2.67 * rise * rise);
    path.shown = path.span * (path.high - path.low);
    // An arrowhead takes the last pixels of it, if there are that many.
    path.tip = path.high;
    float head = get_head(path) / max(path.span, 1e-6);
    path.has_head = !is_street && head < 0.3 * (path.high - path.low);
    if (path.has_head) path.high -= 0.8 * head;
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

// How much of a place of it is seen: what passes far before the selected structure, near the eye, gets
// out of its way.
float get_presence(frustum_path path, mc_frustum f, vec3 position) {
    float selected = length(f.kind == MC_FRUSTUM_OUTGOING ? path.a : path.b);
    return mix(nearest_presence, 1.0, smoothstep(0.15, 0.45, length(position) / max(selected, 1e-6)));
}

// w: opacity.
vec4 get_color(mc_frustum f) {
    bool faded = (f.flags & MC_FRUSTUM_FADED) != 0u;
    float opacity = draw.is_street != 0u ? max(draw.opacity, street_through) : draw.opacity;
    return vec4(frame.frustum_colors[min(f.kind, MC_FRUSTUM_KIND_COUNT - 1u)].rgb,
                opacity * (faded ? 0.2 : 1.0));
}

#endif
