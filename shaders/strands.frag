// What the strand pass has kept as a picture: the look of frustum_thin.frag, of the nearest strand
// alone; its outline lies over the nearest one that covers the pixel.
#version 450
#include "shaders/strands.glsl"
#include "shaders/visible.glsl"

layout(set = 0, binding = MC_BINDING_STRAND_PIXEL_TEXELS) uniform utextureBuffer pixel_texels;
layout(set = 0, binding = MC_BINDING_STRAND_PIECE_TEXELS) uniform textureBuffer piece_texels;
layout(set = 1, binding = 0) uniform sampler2D depths; // of all else
layout(location = 0) flat in vec4 in_look;
layout(location = 1) flat in uvec2 in_numbers;
layout(location = 0) out vec4 out_color;

const int texel_count = 6; // of a piece

// Multiplied by its opacity and `opacity`.
vec4 shade(uint piece, vec2 pixel, float opacity) {
    int first = int(piece) * texel_count;
    vec4 ends = texelFetch(piece_texels, first), shape = texelFetch(piece_texels, first + 1);
    vec4 depths = texelFetch(piece_texels, first + 2), arrows = texelFetch(piece_texels, first + 3);
    vec4 lights = texelFetch(piece_texels, first + 4), color = texelFetch(piece_texels, first + 5);
    vec2 way = ends.zw - ends.xy;
    float rest = 1.0 / max(dot(way, way), 1e-6);
    strand_place place = find_strand_place(ends, shape.xy, rest, pixel);

    // What is even along it in space is not in the picture.
    float share = place.along * depths.x;
    float sum = (1.0 - place.along) * depths.y + share, along = share / sum;
    float across = clamp(place.away / place.outer, -1.0, 1.0), square = across * across;
    float wing = mix(arrows.x, arrows.y, along), side = across < 0.0 ? -1.0 : 1.0;
    float phase = mix(depths.z, depths.w, along) - wing * abs(across) - in_look.x;
    float by_along = (depths.w - depths.z) * depths.x * depths.y / (sum * sum) * rest;
    float by_across = wing * side / place.outer * sqrt(rest);
    vec2 by_pixel = way * by_along - vec2(-way.y, way.x) * by_across;
    float width = abs(by_pixel.x) + abs(by_pixel.y);
    float wave = abs(fract(phase) - 0.5); // 0 in the middle of an arrow
    float arrow = clamp((0.13 - wave) / max(width, 1e-6) + 0.5, 0.0, 1.0);
    arrow *= clamp(2.0 - 4.0 * width, 0.0, 1.0) * arrows.z;

    vec2 toward = mix(lights.xy, lights.zw, along);
    float light = 0.575 + toward.x * across + toward.y * sqrt(max(1.0 - square, 0.0));
    vec3 shaded = mix(color.rgb, vec3(in_look.y), 0.45 * arrow);
    shaded *= (0.35 + 0.75 * light) * (1.0 - 0.45 * square * square);
    return vec4(shaded, 1.0) * (clamp(place.outer - abs(place.away), strand_least, 1.0) * arrows.w * opacity);
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    uvec4 kept = texelFetch(pixel_texels, pixel.y * int(in_numbers.y) + pixel.x);
    bool is_inside = get_visible_epoch(kept.xy) == in_numbers.x;
    bool is_outline = get_visible_epoch(kept.zw) == in_numbers.x;
    if (!is_inside && !is_outline) discard;
    float inside = is_inside ? get_visible_depth(kept.xy) : -1.0;
    float outline = is_outline ? get_visible_depth(kept.zw) : -1.0;
    vec2 center = vec2(pixel) + 0.5;
    float behind = texelFetch(depths, pixel, 0).x;
    vec4 color = vec4(0.0);
    if (is_inside)
        color = shade(get_visible_box(kept.xy), center, inside < behind ? in_look.z : 1.0);
    if (outline > inside) {
        vec4 over = shade(get_visible_box(kept.zw), center, outline < behind ? in_look.z : 1.0);
        color = over + color * (1.0 - over.a);
    }
    out_color = color;
}
