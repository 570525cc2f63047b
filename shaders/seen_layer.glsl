// seen_layer.glsl - a translucent box's colour at a pixel.
#ifndef MC_SEEN_LAYER_GLSL
#define MC_SEEN_LAYER_GLSL

#include "shaders/box.glsl"
#include "shaders/boxes.glsl"
#include "shaders/layers.glsl"
#include "shaders/visible.glsl"

box_look get_layer_look(seen_box box, vec4 color, bool with_edges) {
    return get_look(box.low + box.high, box.high - box.low, color.rgb, color.a, false,
                    with_edges);
}

// `ray` is of a pixel that sees the face along `axis`.
uint shade_layer(ray_fan rays, box_look look, seen_box box, uint axis, vec3 ray,
                 bool with_outlines) {
    face f = get_face(look, axis);
    face_place place = find_place(rays, axis, box.low, box.high, ray, true);
    if (with_outlines && f.opacity < 0.0)
        f.opacity = mix(-f.opacity, 0.8, get_edge(f, place.at, place.span, 0.0, 1.35));
    return pack_layer(shade_pixel(f, place.at, place.span), f.opacity);
}

#endif
