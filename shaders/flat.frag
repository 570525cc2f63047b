// A pixel of a sunburst or icicle: the mean of its strip over what the pixel covers.
#version 450
#include "shaders/shared/flat_types.h"
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 1, binding = MC_BINDING_FLAT_PLANES, std430) readonly buffer Planes {
    mc_flat_plane planes[];
};
layout(set = 1, binding = MC_BINDING_FLAT_MARKS, std430) readonly buffer Marks {
    mc_flat_mark marks[];
};
layout(set = 1, binding = MC_BINDING_FLAT_SUMS) uniform samplerBuffer sums;
layout(set = 1, binding = MC_BINDING_FLAT_SPANS) uniform samplerBuffer spans;
layout(location = 0) flat in uint in_plane;
layout(location = 0) out vec4 out_color;

const float TURN = 6.28318530718;
const float WHOLE = 0.9999; // so much of a ring has no ends

// The sum of a row up to a place; beyond a ring's end it goes on.
vec4 get_sum(mc_flat_plane plane, int first, float at, vec4 whole) {
    float turns = plane.form == MC_FLAT_SUNBURST ? floor(at) : 0.0;
    float texel = clamp(at - turns, 0.0, 1.0) * float(plane.texel_count);
    int low = min(int(texel), int(plane.texel_count) - 1);
    vec4 a = texelFetch(sums, first + low), b = texelFetch(sums, first + low + 1);
    return mix(a, b, texel - float(low)) + whole * turns;
}

// How much of a pixel at a distance from a line's middle the line covers.
float get_line(float distance, float width) {
    return clamp(width * 0.5 + 0.5 - distance, 0.0, 1.0);
}

// A row's colour at a pixel, with the lines around its segments.
vec4 get_row(mc_flat_plane plane, int row, vec2 at, float pixels, float half_pixel) {
    int first = int(plane.first_sum) + row * int(plane.texel_count + 1);
    vec4 whole = plane.form == MC_FLAT_SUNBURST ? texelFetch(sums, first + int(plane.texel_count))
                                                : vec4(0.0);
    vec4 low = get_sum(plane, first, at.y - half_pixel, whole);
    vec4 high = get_sum(plane, first, at.y + half_pixel, whole);
    vec4 color = (high - low) / (2.0 * half_pixel * float(plane.texel_count));
    int texel = clamp(int(at.y * float(plane.texel_count)), 0, int(plane.texel_count) - 1);
    vec2 span = texelFetch(spans, int(plane.first_span) + row * int(plane.texel_count) + texel).xy;
    float size = span.y - span.x;
    float strength = smoothstep(2.5, 8.0, size * pixels);
    float ends = get_line(min(at.y - span.x, span.y - at.y) * pixels, 1.0);
    float across = at.x - float(row);
    float edges = get_line(min(across, 1.0 - across) * plane.row_size, 1.0);
    float line = max(size < WHOLE ? ends : 0.0, row > 0 ? edges : 0.0) * strength *
                 smoothstep(3.0, 10.0, plane.row_size);
    return vec4(mix(color.rgb, vec3(plane.line_r, plane.line_g, plane.line_b) * color.a,
                    line * 0.8), color.a);
}

vec4 add_mark(mc_flat_plane plane, mc_flat_mark mark, vec2 at, float pixels, vec4 color) {
    float size = mark.to - mark.from, middle = (mark.from + mark.to) * 0.5;
    float away = abs(at.y - middle);
    if (plane.form == MC_FLAT_SUNBURST) away = min(away, 1.0 - away);
    float along = max(size * 0.5 * pixels, 1.5) - away * pixels;
    float across = min(at.x - mark.row, mark.row + 1.0 - at.x) * plane.row_size;
    // What a ring has no ends for, has no frame there.
    float inside = size < WHOLE || plane.form != MC_FLAT_SUNBURST ? min(along, across) : across;
    if (mark.row <= 0.0 && plane.form == MC_FLAT_SUNBURST)
        inside = (1.0 - at.x) * plane.row_size;
    float cover = clamp(inside + 0.5, 0.0, 1.0);
    float frame_cover = cover * clamp(mark.width + 0.5 - inside, 0.0, 1.0);
    float opacity = max(frame_cover * mark.opacity, cover * mark.fill);
    return mix(color, vec4(mark.r, mark.g, mark.b, 1.0), opacity);
}

void main() {
    mc_flat_plane plane = planes[in_plane];
    vec2 place = gl_FragCoord.xy - vec2(plane.origin_x, plane.origin_y);
    vec2 at; // across and along
    float pixels = plane.row_length;
    if (plane.form == MC_FLAT_SUNBURST) {
        float radius = length(place);
        float turn = atan(place.x, -place.y) / TURN;
        pixels = max(TURN * radius, 1.0);
        at = vec2(radius, turn < 0.0 ? turn + 1.0 : turn);
    } else if (plane.form == MC_FLAT_ICICLE) {
        at = vec2(place.x, place.y / plane.row_length);
    } else {
        at = vec2(place.y, place.x / plane.row_length);
    }
    at.x = at.x / plane.row_size + plane.first_row;
    float half_row = 0.5 / plane.row_size, half_pixel = min(0.5 / pixels, 0.5);
    float low = max(at.x - half_row, 0.0), high = max(at.x + half_row, low);
    int first = int(floor(low)), last = min(int(floor(high)), int(plane.row_count) - 1);
    vec4 color = vec4(0.0);
    for (int row = first; row <= last; row++) {
        float cover = min(high, float(row) + 1.0) - max(low, float(row));
        if (cover > 0.0) color += get_row(plane, row, at, pixels, half_pixel) * cover;
    }
    color /= max(high - low, 1e-6);
    for (uint i = 0u; i < plane.mark_count; i++)
        color = add_mark(plane, marks[plane.first_mark + i], at, pixels, color);
    out_color = color * plane.opacity;
}
