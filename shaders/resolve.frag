// The visibility buffer as a picture: the colour and depth of the face that each pixel sees.
#version 450
#include "shaders/box.glsl"
#include "shaders/boxes.glsl"
#include "shaders/visible.glsl"

layout(push_constant, std430) uniform Push { mc_splat_draw splat; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_VISIBLE_TEXELS) uniform utextureBuffer visible;
layout(location = 0) out vec4 out_color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    uvec2 value = texelFetch(visible, pixel.y * int(frame.viewport.x) + pixel.x).xy;
    if (get_visible_epoch(value) != splat.epoch) discard;
    gl_FragDepth = get_visible_depth(value);
    uint index = get_visible_box(value), axis = get_visible_axis(value);
    seen_box box = load_box(index, frame.eye.xyz);
    vec4 color = load_color(index);
    bool is_district = index >= frame.marks.w && color.a <= 1.0; // else a marker
    vec3 encoded = is_district
                       ? mix(mix(frame.district_root.rgb, frame.district_deepest.rgb, color.r),
                             frame.district_block.rgb, color.g)
                       : color.rgb;
    vec3 low = box.low, high = box.high;
    vec3 center = low + high, size = high - low;
    face f = finish_face(axis, center, size, encoded, 1.0, is_district,
                         (frame.marks.z & MC_FRAME_EDGES) != 0u);

    face_place place = find_place(frame, axis, low, high, get_ray(frame, vec2(pixel)),
                                  (frame.marks.z & MC_FRAME_EDGES) != 0u);
    out_color = vec4(shade_pixel(f, place.at, place.span), 1.0);
}
