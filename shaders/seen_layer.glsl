// seen_layer.glsl - a translucent box's colour at a pixel.
#ifndef MC_SEEN_LAYER_GLSL
#define MC_SEEN_LAYER_GLSL

#include "shaders/box.glsl"
#include "shaders/boxes.glsl"
#include "shaders/layers.glsl"
#include "shaders/visible.glsl"

box_look get_layer_look(mc_frame_uniforms frame, seen_box box, vec4 color) {
    return get_look(box.low + box.high, box.high - box.low, color.rgb, color.a, false,
                    (frame.marks.z & MC_FRAME_EDGES) != 0u);
}

// `ray` is of a pixel that sees the face along `axis`.
uint shade_layer(mc_frame_uniforms frame, box_look look, seen_box box, uint axis, vec3 ray) {
    face f = get_face(look, axis);
    bool with_outlines = (frame.marks.z & MC_FRAME_OUTLINES) != 0u;
    bool with_lines = (frame.marks.z & (MC_FRAME_EDGES | MC_FRAME_OUTLINES)) != 0u;
    face_place place = find_place(frame, axis, box.low, box.high, ray, with_lines);
    if (with_outlines && f.opacity < 0.0)
        f.opacity = mix(-f.opacity, 0.8, get_edge(f, place.at, place.span, 0.0, 1.35));
    return pack_layer(shade_pixel(f, place.at, place.span), f.opacity);
}

#endif
