// light.glsl - the light of arriving.glsl with the map of heights that heights.comp draws.
//
// Where a drawing has but one ray of each kind, all of its pixels look at the same point of the sun:
// the map then holds how high its shadows reach (sun.comp), which one texel tells instead of many.
#ifndef MC_LIGHT_GLSL
#define MC_LIGHT_GLSL

#include "shaders/columns.glsl"
#include "shaders/shared/frame_types.h"

MC_COLUMN(float, height, 0, textureBuffer, MC_BINDING_HEIGHT_TEXELS, MC_BINDING_HEIGHTS)

#include "shaders/arriving.glsl"

light_map get_light_map(mc_frame_uniforms frame) {
    return light_map(frame.light_place.xy, frame.light_place.zw, frame.light_map.xx,
                     frame.light_map.y, frame.light_map.z, frame.light.x, frame.light.y);
}

// As get_arriving(), of a map with shadows.
float get_arriving_swept(light_map map, vec3 place, vec3 normal, float light, vec2 pixel) {
    vec3 from = get_start(map, place, normal);
    float u = fract(map.drawing * 0.618034 + get_noise(pixel, 0.0));
    float v = fract(map.drawing * 0.754878 + get_noise(pixel, 1.0));
    float sky = mix(least_sky, 1.0, find_sky(map, from, normal, u, v)), sun = get_sun(normal);
    // One of the four texels around, the nearest most often: their mean.
    vec2 texel = (from.xz - map.origin) * map.scale + vec2(u, v) - 0.5;
    ivec2 at = ivec2(clamp(texel, vec2(0.0), map.size - 0.5));
    float shadow = load_height(MC_HEIGHT_SHADOWS + at.x * MC_HEIGHT_SIDE + at.y);
    return ((light - sun) * sky + (from.y < shadow ? 0.0 : sun)) / light;
}

// `kind` is a constant: MC_LIGHT_*.
float find_arriving(uint kind, light_map map, vec3 place, vec3 normal, float light, vec2 pixel) {
    if (kind == MC_LIGHT_SWEPT) return get_arriving_swept(map, place, normal, light, pixel);
    return get_arriving(map, place, normal, light, pixel);
}

#endif
