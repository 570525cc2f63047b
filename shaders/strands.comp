// Frustums as pieces that are straight in the picture, one invocation a frustum.
#version 450
#include "shaders/box.glsl"
#include "shaders/frustum.glsl"
#include "shaders/strands.glsl"

layout(local_size_x = MC_STRAND_GROUP_SIZE) in;

layout(set = 0, binding = MC_BINDING_STRAND_PIECES, std430) writeonly buffer Pieces {
    uvec4 texels[];
};

// One end of a piece. `slant` is the share of an end's radius that is seen along the way.
struct station {
    vec2 at;
    float outer, w, z, phase, wing, side, ahead, slant, end_light;
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
    s.slant = abs(depth) * inversesqrt(max(dot(position, position), 1e-12));
    // Of the end that is here, if it faces the eye.
    float facing_end = t == path.low ? depth : t == path.high ? -depth : 0.0;
    s.end_light = facing_end > 0.0 ? 0.575 - sign(depth) * dot(tangent, light_ahead) : -1.0;
    return s;
}

// From a, where the frustum ends if `is_end`, to b, `beyond` which it goes on. `turn` is -1 if it goes
// back.
void keep_piece(uint slot, station a, station b, bool is_end, float beyond, float turn,
                float strength, vec4 color) {
    vec2 way = b.at - a.at;
    float span = length(way), per = 1.0 / max(span, 1.0 + beyond); // a point has no taper
    vec2 ahead = span > 1e-3 ? way / span : vec2(1.0, 0.0);
    // What comes before may be turned a little, so it reaches farther there.
    float slant = is_end ? a.slant : max(a.slant, 0.3);
    float round = a.outer / ((a.outer - 0.5) * slant + 0.5);
    vec2 outer = vec2(a.outer, (b.outer - a.outer) * per);
    uint line = slot * 2u, look = (draw.piece_count + slot) * 2u;
    texels[line] = floatBitsToUint(vec4(a.at, a.z, (b.z - a.z) * per));
    texels[line + 1u] =
        uvec4(packSnorm2x16(ahead), packHalf2x16(outer),
              floatBitsToUint(vec2(span + beyond, round)));
    texels[look] = uvec4(floatBitsToUint(a.phase), floatBitsToUint(b.phase),
                         packHalf2x16(vec2(a.w / b.w, 1.0 / max(span, 1e-3))),
                         packHalf2x16(vec2(a.wing, b.wing)));
    texels[look + 1u] = uvec4(packUnorm4x8(color), packHalf2x16(vec2(a.side * turn, a.ahead)),
                              packHalf2x16(vec2(b.side * turn, b.ahead)),
                              packHalf2x16(vec2(strength, is_end ? a.end_light : -1.0)));
}

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= draw.count) return;
    mc_frustum f = frustums[draw.first + index];
    frustum_path path = get_path(f, false);
    path.high = path.tip; // it has no arrowhead
    float part = 1.0 / float(f.piece_count);
    vec2 arrows = get_arrows(path);
    vec4 color = get_color(f);
    station a = get_station(path, path.low, arrows);
    for (uint i = 0u; i < f.piece_count; i++) {
        bool is_last = i + 1u == f.piece_count;
        float t = is_last ? path.high : mix(path.low, path.high, float(i + 1u) * part);
        station b = get_station(path, t, arrows), from = a, to = b;
        if (is_last) {
            from = b;
            to = a;
        }
        // Nothing is drawn of one that is nowhere.
        bool is_seen = path.is_drawn && min(a.w, b.w) > frame.eye.w;
        if (!is_seen) from.outer = to.outer = 0.0;
        // Where it meets the last one no other begins.
        float beyond = i + 2u < f.piece_count ? 0.5 : 0.5 + 0.3 * to.outer;
        keep_piece(f.first_piece + i, from, to, i == 0u || is_last, beyond, is_last ? -1.0 : 1.0,
                   arrows.y, color);
        a = b;
    }
}
