// color.glsl - sRGB and linear light.
#ifndef MC_COLOR_GLSL
#define MC_COLOR_GLSL

// Within 0.0012 of the exact curve, at the cost of three multiply-adds.
vec3 decode_srgb(vec3 c) {
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

vec3 decode_srgb_exactly(vec3 c) {
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), greaterThan(c, vec3(0.04045)));
}

vec3 encode_srgb(vec3 c) {
    return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055,
               vec3(greaterThan(c, vec3(0.0031308))));
}

// Noise in [-0.5, 0.5) that has little low frequency: Jimenez, "Next Generation Post Processing in
// Call of Duty: Advanced Warfare", 2014 (interleaved gradient noise).
float dither(vec2 pixel) {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5;
}

#endif
