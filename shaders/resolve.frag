// The visibility buffer as a picture: the colour and depth of the face that each pixel sees.
#version 450
#define MC_WITH_RAYS
#include "shaders/shared/frame_types.h"
layout(constant_id = 0) const bool with_edges = true;
layout(constant_id = 1) const uint light_kind = MC_LIGHT_NONE;
const bool with_light = light_kind != MC_LIGHT_NONE;
#include "shaders/boxes.glsl"
#include "shaders/light.glsl"
#include "shaders/visible.glsl"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
MC_COLUMN(uvec2, visible, 0, utextureBuffer, MC_BINDING_VISIBLE_TEXELS, MC_BINDING_VISIBLE)
layout(location = 0) flat in vec3 in_ray_origin;
layout(location = 1) flat in vec3 in_ray_x;
layout(location = 2) flat in vec3 in_ray_y;
layout(location = 3) flat in vec3 in_eye;
layout(location = 4) flat in vec3 in_root;
layout(location = 5) flat in vec3 in_deepest;
layout(location = 6) flat in vec3 in_block;
layout(location = 7) flat in uvec3 in_numbers;
layout(location = 0) out vec4 out_color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    uint epoch = in_numbers.x, width = in_numbers.y, building_count = in_numbers.z;
    uvec2 value = load_visible(pixel.y * int(width) + pixel.x);
    if (get_visible_epoch(value) != epoch) discard;
    gl_FragDepth = get_visible_depth(value);
    uint index = get_visible_box(value), axis = get_visible_axis(value);
    seen_box box = load_box(index, in_eye);
    vec4 color = load_color(index);
    bool is_district = index >= building_count && color.a <= 1.0; // else a marker
    vec3 encoded =
        is_district ? mix(mix(in_root, in_deepest, color.r), in_block, color.g) : color.rgb;
    vec3 low = box.low, high = box.high;
    vec3 center = low + high, size = high - low;
    face f = finish_face(axis, center, size, encoded, 1.0, is_district, with_edges);

    ray_fan rays = ray_fan(in_ray_origin, in_ray_x, in_ray_y, vec2(0.0));
    face_place place = find_place(rays, axis, low, high, get_ray(rays, vec2(pixel)), with_edges);
    vec3 shaded = shade_pixel(f, place.at, place.span);
    if (with_light) {
        vec3 normal = -sign(center) * vec3(axis == MC_AXIS_X, axis == MC_AXIS_Y, axis == MC_AXIS_Z);
        shaded *= find_arriving(light_kind, get_light_map(frame), in_eye + mix(low, high, place.at),
                                normal, f.light, vec2(pixel));
    }
    out_color = vec4(shaded, 1.0);
}
