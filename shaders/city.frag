// The colour of a box's face; see box.glsl.
#version 450
#define MC_WITH_RAYS
#include "shaders/shared/frame_types.h"
layout(constant_id = 0) const uint light_kind = MC_LIGHT_NONE;
const bool with_light = light_kind != MC_LIGHT_NONE;
#include "shaders/light.glsl"
#include "shaders/visible.glsl"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };

layout(location = 0) in vec3 in_at;
layout(location = 1) flat in vec4 in_color;
layout(location = 2) flat in vec4 in_face;
layout(location = 3) flat in vec4 in_normal;
layout(location = 0) out vec4 out_color;

void main() {
    face f = face(in_color.rgb, in_color.a, in_face.xy, in_face.z, in_face.w, in_normal.w);
    vec3 pixel = fwidth(in_at);
    // Of what is demolished the edges stay, also of what is small.
    if (in_color.a < 0.0) f.opacity = mix(-in_color.a, 0.8, get_edge(f, in_at, pixel, 0.0, 1.35));
    vec3 color = shade_pixel(f, in_at, pixel);
    if (with_light) {
        vec2 place = gl_FragCoord.xy - 0.5;
        vec3 away = get_ray(get_rays(frame), place) / gl_FragCoord.w;
        color *= find_arriving(light_kind, get_light_map(frame), frame.eye.xyz + away,
                               in_normal.xyz, f.light, place);
    }
    out_color = vec4(color, 1.0) * f.opacity;
}
