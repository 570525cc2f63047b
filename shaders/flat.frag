// A pixel of a sunburst or icicle: the mean of its strip over what the pixel covers, on the ground
// that also shows between segments. Planes do not overlap, so nothing is blended with what is there.
#version 450
#include "shaders/columns.glsl"
#include "shaders/flat.glsl"

layout(constant_id = 0) const uint FORM = MC_FLAT_SUNBURST;
// Pixels may lie in several rows, or at the end of one. Where it is known that they don't, what that
// takes is left out: a software driver does it for all pixels, whatever the shader branches on.
layout(constant_id = 1) const bool HAS_ENDS = true;
MC_COLUMN(vec4, sum, 1, textureBuffer, MC_BINDING_FLAT_SUM_TEXELS, MC_BINDING_FLAT_SUMS)
MC_COLUMN(vec2, span, 1, textureBuffer, MC_BINDING_FLAT_SPAN_TEXELS, MC_BINDING_FLAT_SPANS)
layout(location = 0) flat in vec4 in_place;   // origin, size of a row, length of a row
layout(location = 1) flat in vec4 in_line;    // colour, opacity
layout(location = 2) flat in ivec4 in_strips; // first sum, first span, texels, rows
layout(location = 3) flat in vec3 in_rows;    // the first one, the end; bend
layout(location = 0) out vec4 out_color;

// How much of a pixel at a distance from a line's middle a line of one pixel covers.
float get_line(float distance) {
    return clamp(1.0 - distance, 0.0, 1.0);
}

// From where to where the node goes that covers the most of a texel.
vec2 get_span(int row, int texel) {
    int count = in_strips.z;
    if (FORM == MC_FLAT_SUNBURST) texel += texel < 0 ? count : texel >= count ? -count : 0;
    texel = clamp(texel, 0, count - 1);
    return load_span(in_strips.y + row * count + texel);
}

// A row's colour at a pixel, with the lines around its segments.
vec4 get_row(int row, vec3 at, float half_texels) {
    int texel_count = in_strips.z, pad = MC_FLAT_PAD(FORM, texel_count);
    int first = in_strips.x + row * MC_FLAT_SUM_COUNT(FORM, texel_count) + pad;
    // To the nearest texel: a straight row has one a pixel or a little less wide, so that a pixel has
    // one at least; a ring has several.
    float texel = at.y * float(texel_count);
    int low = int(floor(texel - half_texels + 0.5)), high = int(floor(texel + half_texels + 0.5));
    float width = max(float(high - low), 1.0);
    if (FORM != MC_FLAT_SUNBURST) {
        low = clamp(low, 0, texel_count);
        high = clamp(high, 0, texel_count);
    }
    vec4 color = (load_sum(first + high) - load_sum(first + low)) / width;
    // What lies on either side decides of a line between: so it is the same in all its pixels.
    float beside = 1.5 * half_texels;
    vec2 before = get_span(row, int(floor(texel - beside)));
    vec2 behind = get_span(row, int(floor(texel + beside)));
    float size = max(before.y - before.x, behind.y - behind.x), across = at.x - float(row);
    float away = min(abs(at.y - before.y), abs(at.y - behind.x));
    float ends = before != behind ? get_line(away * at.z) : 0.0;
    float edges = HAS_ENDS && row > 0 ? get_line(min(across, 1.0 - across) * in_place.z) : 0.0;
    float strength = smoothstep(2.5, 8.0, size * at.z) * smoothstep(3.0, 10.0, in_place.z);
    return vec4(mix(color.rgb, in_line.rgb * color.a, max(ends, edges) * strength * 0.8), color.a);
}

void main() {
    vec3 at = locate(FORM, gl_FragCoord.xy - in_place.xy, in_place.z, in_place.w, in_rows.x,
                     in_rows.z);
    float half_row = 0.5 / in_place.z, end = in_rows.y;
    float half_pixel = 0.5 / at.z; // as a share of the row
    if (FORM == MC_FLAT_SUNBURST) half_pixel = min(half_pixel, MC_FLAT_MOST_HALF);
    float half_texels = half_pixel * float(in_strips.z);
    float low = max(at.x - half_row, 0.0), high = max(at.x + half_row, low);
    int first = int(low), last = min(int(high), in_strips.w - 1);
    int own = clamp(int(at.x), 0, in_strips.w - 1); // also beyond the last one, where nothing is drawn
    vec4 color = vec4(0.0);
    if (HAS_ENDS) {
        for (int row = first; row <= last; row++) {
            float cover = min(min(high, float(row) + 1.0), end) - max(low, float(row));
            color += get_row(row, at, half_texels) * max(cover, 0.0);
        }
        color *= in_line.w / max(high - low, 1e-6);
    } else {
        color = get_row(own, at, half_texels) * (at.x < end ? in_line.w : 0.0);
    }
    out_color = vec4(color.rgb + in_line.rgb * (1.0 - color.a), 1.0);
}
