// What the strand pass has kept as a picture: the look of frustum_thin.frag, of the nearest strand
// alone; its outline lies over the nearest one that covers the pixel. Ends are as in frustum.frag.
#version 450
#include "shaders/color.glsl"
#include "shaders/columns.glsl"
#include "shaders/strands.glsl"

MC_COLUMN(uvec4, pixel, 0, utextureBuffer, MC_BINDING_STRAND_PIXEL_TEXELS, MC_BINDING_STRAND_PIXELS)
MC_COLUMN(vec4, piece, 0, textureBuffer, MC_BINDING_STRAND_PIECE_TEXELS, MC_BINDING_STRAND_PIECES)
layout(set = 1, binding = 0) uniform sampler2D depths; // of all else
layout(location = 0) flat in vec4 in_look;
layout(location = 1) flat in ivec2 in_counts;
layout(location = 0) out vec4 out_color;

// Where a pixel meets a piece: how far along; from the middle, on which side; from there to the
// outline; the square of how far it is from the middle, or from what is left of its end.
struct strand_place {
    float along, away, outer, square;
};

strand_place find_strand_place(strand_line line, vec2 pixel) {
    vec2 at = pixel - line.from;
    strand_place place;
    place.along = dot(at, line.ahead);
    place.away = line.ahead.x * at.y - line.ahead.y * at.x;
    float on = max(place.along, 0.0), before = (place.along - on) * line.round;
    place.outer = line.outer.x + line.outer.y * on;
    place.square = place.away * place.away + before * before;
    return place;
}

// Multiplied by its opacity and `opacity`.
vec4 shade(uint piece, vec2 pixel, float opacity) {
    int first = int(piece) * 2, second = (int(piece) + in_counts.y) * 2;
    strand_line line = get_strand_line(load_piece(first), load_piece(first + 1));
    vec4 phases = load_piece(second);
    uvec4 look = floatBitsToUint(load_piece(second + 1));
    vec2 spans = unpackHalf2x16(floatBitsToUint(phases.z));
    vec2 wings = unpackHalf2x16(floatBitsToUint(phases.w)), arrow_end = unpackHalf2x16(look.w);
    strand_place place = find_strand_place(line, pixel);

    // What is even along it in space is not in the picture.
    float share = clamp(place.along * spans.y, 0.0, 1.0);
    float sum = 1.0 - share + share * spans.x, along = share * spans.x / sum;
    float across = clamp(place.away / place.outer, -1.0, 1.0), square = across * across;
    float round = sqrt(max(1.0 - square, 0.0));
    float wing = mix(wings.x, wings.y, along), side = across < 0.0 ? -1.0 : 1.0;
    float phase = mix(phases.x, phases.y, along) - wing * abs(across) - in_look.x;
    float by_along = (phases.y - phases.x) * spans.x / (sum * sum) * spans.y;
    float by_across = wing * side / place.outer;
    vec2 by_pixel = line.ahead * by_along - vec2(-line.ahead.y, line.ahead.x) * by_across;
    float width = abs(by_pixel.x) + abs(by_pixel.y);
    float wave = abs(fract(phase) - 0.5); // 0 in the middle of an arrow
    float arrow = clamp((0.13 - wave) / max(width, 1e-6) + 0.5, 0.0, 1.0);
    arrow *= clamp(2.0 - 4.0 * width, 0.0, 1.0) * arrow_end.x;

    vec2 toward = mix(unpackHalf2x16(look.y), unpackHalf2x16(look.z), along);
    float light = 0.575 + toward.x * across + toward.y * round;
    // Flat and without arrows where the end is that faces the eye.
    float end = clamp(round * place.outer / line.round - place.along + 0.5, 0.0, 1.0);
    end *= step(0.0, arrow_end.y);
    light = mix(light, arrow_end.y, end);
    square *= 1.0 - end;
    arrow *= 1.0 - end;
    vec4 color = unpackUnorm4x8(look.x);
    vec3 shaded = mix(decode_srgb(color.rgb), vec3(in_look.y), 0.45 * arrow);
    shaded *= (0.35 + 0.75 * light) * (1.0 - 0.45 * square * square);
    float coverage = clamp(place.outer - sqrt(place.square), strand_least, 1.0);
    return vec4(shaded, 1.0) * (coverage * color.w * opacity);
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    uvec4 kept = load_pixel(pixel.y * in_counts.x + pixel.x);
    if (kept.y == no_strand) discard;
    vec2 depth = uintBitsToFloat(kept.zw), center = vec2(pixel) + 0.5;
    float behind = texelFetch(depths, pixel, 0).x;
    vec4 color = vec4(0.0);
    if (kept.x != no_strand) color = shade(kept.x, center, depth.x < behind ? in_look.z : 1.0);
    if (depth.y > depth.x) {
        vec4 over = shade(kept.y, center, depth.y < behind ? in_look.z : 1.0);
        color = over + color * (1.0 - over.a);
    }
    out_color = color;
}
