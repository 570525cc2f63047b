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
                       ? mix(frame.district_root.rgb, frame.district_deepest.rgb, color.r)
                       : color.rgb;
    vec3 low = box.low, high = box.high;
    vec3 center = low + high, size = high - low;
    face f = finish_face(axis, center, size, encoded, 1.0, is_district,
                         (frame.marks.z & MC_FRAME_EDGES) != 0u);

    // Where the ray meets the face's plane, and how far that moves from one pixel to the next.
    vec3 along = vec3(axis == MC_AXIS_X, axis == MC_AXIS_Y, axis == MC_AXIS_Z);
    vec3 ray = get_ray(frame, vec2(pixel));
    vec3 side = vec3(lessThan(center, vec3(0.0)));
    float plane = dot(mix(low, high, side), along), ahead = 1.0 / dot(ray, along);
    float distance = plane * ahead;
    vec3 at = clamp((ray * distance - low) / size, vec3(0.0), vec3(1.0));
    vec3 by_x = frame.ray_x.xyz - ray * (dot(frame.ray_x.xyz, along) * ahead);
    vec3 by_y = frame.ray_y.xyz - ray * (dot(frame.ray_y.xyz, along) * ahead);
    vec3 span = (abs(by_x) + abs(by_y)) * distance / size;
    // On the plane itself nothing changes along its normal.
    at = mix(at, side, along);
    span *= 1.0 - along;
    out_color = vec4(shade_pixel(f, at, span), 1.0);
}
