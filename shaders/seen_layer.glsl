// seen_layer.glsl - a translucent box's colour at a pixel.
#ifndef MC_SEEN_LAYER_GLSL
#define MC_SEEN_LAYER_GLSL

#include "shaders/box.glsl"
#include "shaders/layers.glsl"
#include "shaders/visible.glsl"

// `color` is the box's, `ray` of a pixel that sees the face along `axis`.
uint shade_layer(mc_frame_uniforms frame, uint axis, vec3 low, vec3 high, vec4 color,
                 bool is_hovered, vec3 ray) {
    face f = finish_face(axis, low + high, high - low, color.rgb, color.a, false, is_hovered,
                         (frame.marks.z & MC_FRAME_EDGES) != 0u);
    face_place place = find_place(frame, axis, low, high, ray);
    float outline = mix(-color.a, 0.8, get_edge(f, place.at, place.span, 0.0, 1.35));
    return pack_layer(shade_pixel(f, place.at, place.span), color.a < 0.0 ? outline : color.a);
}

#endif
