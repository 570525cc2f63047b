// Thin frustums, where there are many, without the triangle hardware, which would test blocks of
// pixels for each of two triangles a piece, of which few are inside: one invocation a piece walks
// along it and keeps the nearest of a pixel by an atomic maximum. Pixels that a strand covers
// wholly and those along its outline are kept apart, so that an outline lies over what is behind.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#include "shaders/box.glsl"
#include "shaders/frustum.glsl"
#include "shaders/strands.glsl"
#include "shaders/visible.glsl"

layout(local_size_x = MC_STRAND_GROUP_SIZE) in;

layout(set = 0, binding = MC_BINDING_STRAND_PIXELS, std430) buffer Pixels { uint64_t pixels[]; };
layout(set = 0, binding = MC_BINDING_STRAND_PIECES, std430) writeonly buffer Pieces {
    mc_strand_piece pieces[];
};

// One end of a piece.
struct station {
    vec2 at;
    float outer, w, z, phase, wing, side, ahead;
};

station get_station(frustum_path path, float t, vec2 arrows) {
    vec3 position = get_point(path, t), tangent = get_tangent(path, t);
    float pixel = get_pixel(position), radius = get_radius(path, t, pixel);
    float depth = dot(position, tangent);
    vec3 facing = tangent * depth - position;
    float away = length(facing);
    facing = away > 1e-6 ? facing / away : get_across(tangent);
    vec4 clip = frame.view_projection * vec4(position, 1.0);
    station s;
    s.at = (clip.xy / clip.w * 0.5 + 0.5) * frame.viewport.xy;
    s.outer = radius / pixel + 0.5;
    s.w = clip.w;
    // As near as its middle, which is in front of what its ends lie on.
    float near = clip.w - radius - 0.5 * pixel;
    s.z = frame.ray_origin.w + frame.ray_x.w / max(near, frame.eye.w);
    s.phase = path.span * t * arrows.x;
    s.wing = 1.1 * radius * arrows.x;
    s.side = dot(cross(tangent, facing), light_ahead);
    s.ahead = dot(facing, light_ahead);
    return s;
}

void keep_piece(uint slot, station a, station b, float arrow, vec4 color) {
    pieces[slot] = mc_strand_piece(a.at.x, a.at.y, b.at.x, b.at.y, a.outer, b.outer, a.z, b.z, a.w,
                                   b.w, a.phase, b.phase, a.wing, b.wing, arrow, color.w, a.side,
                                   a.ahead, b.side, b.ahead, color.r, color.g, color.b, 0.0);
}

// Of a pixel's centre linear in its place: per pixel, then the value at the first one's centre.
vec3 get_slope(vec2 by, float value, vec2 origin) {
    return vec3(by, value + dot(by, 0.5 - origin));
}

// `has_next`: what follows or comes before may be turned a little, so it reaches farther there.
void splat(uint slot, station a, station b, bvec2 has_next) {
    vec2 size = frame.viewport.xy, way = b.at - a.at;
    float span = length(way), most = max(a.outer, b.outer);
    uint epoch = draw.epoch;
    vec2 ahead = span > 1e-3 ? way / span : vec2(1.0, 0.0), aside = vec2(-ahead.y, ahead.x);
    float per = 1.0 / max(span, 1.0); // a point has no taper
    vec3 along = get_slope(ahead, 0.0, a.at), away = get_slope(aside, 0.0, a.at);
    vec3 outer = along * ((b.outer - a.outer) * per) + vec3(0.0, 0.0, a.outer);
    vec3 depth = along * ((b.z - a.z) * per) + vec3(0.0, 0.0, a.z);
    float beyond = 0.5 + 0.3 * most;
    float low = has_next.x ? -beyond : 0.0, high = span + (has_next.y ? beyond : 0.0);

    // Line by line across the way that it mostly goes; x is along, y across.
    bool is_steep = abs(way.y) > abs(way.x);
    int width = int(size.x), line_step = is_steep ? width : 1, step = is_steep ? 1 : width;
    if (is_steep) {
        size = size.yx;
        along = along.yxz;
        away = away.yxz;
        outer = outer.yxz;
        depth = depth.yxz;
    }
    vec2 from = is_steep ? a.at.yx : a.at, to = is_steep ? b.at.yx : b.at;
    vec2 ends = vec2(min(from.x, to.x), max(from.x, to.x)) + vec2(-1.0, 1.0) * (beyond + most);
    int line = int(max(floor(ends.x), 0.0)), last = int(min(ceil(ends.y), size.x) - 1.0);
    float rest = abs(away.y) > 1e-6 ? 1.0 / away.y : 0.0, reach = most * abs(rest);
    for (; line <= last; line++) {
        // Where it is on the line, as far as it is as long as wanted.
        float middle = -(away.x * float(line) + away.z) * rest;
        vec2 cut = vec2(-1e9, 1e9);
        if (abs(along.y) > 1e-4) {
            cut = (vec2(low, high) - along.z - along.x * float(line)) / along.y;
            cut = vec2(min(cut.x, cut.y), max(cut.x, cut.y));
        } else {
            float here = along.x * float(line) + along.z;
            if (here < low || here > high) continue;
        }
        int i = int(max(ceil(max(middle - reach, cut.x)), 0.0));
        int end = int(min(floor(min(middle + reach, cut.y)), size.y - 1.0));
        vec2 at = vec2(line, i);
        float here_away = dot(away, vec3(at, 1.0)), here_outer = dot(outer, vec3(at, 1.0));
        float here_depth = dot(depth, vec3(at, 1.0));
        int index = (line * line_step + i * step) * 2;
        for (; i <= end; i++) {
            float coverage = here_outer - abs(here_away);
            // Where many lie over one another most are hidden, and a look is cheaper.
            if (coverage >= strand_least) {
                uint64_t mine =
                    packUint2x32(pack_visible(epoch, clamp(here_depth, 0.0, 1.0), 0u, slot));
                int pixel = index + (coverage < 1.0 ? 1 : 0);
                if (mine > pixels[pixel]) atomicMax(pixels[pixel], mine);
            }
            here_away += away.y;
            here_outer += outer.y;
            here_depth += depth.y;
            index += 2 * step;
        }
    }
}

void main() {
    uint segments = draw.segment_count, index = gl_GlobalInvocationID.x;
    uint frustum = index / segments, piece = index - frustum * segments;
    if (frustum >= draw.count) return;
    mc_frustum f = frustums[draw.first + frustum];
    frustum_path path = get_path(f, false);
    if (!path.is_drawn) return;
    float part = 1.0 / float(segments);
    vec2 arrows = get_arrows(path);
    station a = get_station(path, mix(path.low, path.high, float(piece) * part), arrows);
    station b = get_station(path, piece + 1u == segments
                                      ? path.high
                                      : mix(path.low, path.high, float(piece + 1u) * part),
                            arrows);
    if (min(a.w, b.w) <= frame.eye.w) return;
    uint slot = draw.first_piece + index;
    vec4 color = get_color(f);
    keep_piece(slot, a, b, arrows.y, vec4(decode_srgb(color.rgb), color.w));
    splat(slot, a, b, bvec2(piece > 0u, piece + 1u < segments));
}
