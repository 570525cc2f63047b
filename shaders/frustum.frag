// The surface of a truncated cone, with arrows on it; its outline fades within a pixel. A street is
// flat, with round ends.
#version 450
#include "shaders/box.glsl"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(push_constant, std430) uniform Push { mc_frustum_draw draw; };
layout(location = 0) in vec4 in_at;
layout(location = 1) in vec3 in_position;
layout(location = 2) in vec3 in_normal;
layout(location = 3) flat in vec4 in_color;
layout(location = 4) flat in vec4 in_arrows;
layout(location = 5) in vec2 in_side;
layout(location = 0) out vec4 out_color;

void main() {
    float along = in_at.x, radius = in_at.y, across = abs(in_at.z), away = across;
    float coverage = clamp(in_at.w, 0.0, 1.0);
    if (draw.is_street != 0u) {
        float beyond = (along - clamp(along, 0.0, in_arrows.x)) / radius;
        away = length(vec2(across, beyond));
        coverage = clamp((1.0 - away) / max(fwidth(away), 1e-6) + 0.5, 0.0, 1.0);
    } else if (draw.is_ring != 0u) {
        // The square grows from 0 as the distance from the outline does. An end has no outline.
        float facing = max(dot(in_normal, -in_position), 0.0);
        facing *= facing;
        coverage = clamp(facing / max(fwidth(facing), 1e-30), 0.0, 1.0);
        coverage = mix(1.0, coverage, in_side.x);
    }

    // An arrow's tip is ahead of its wings. There are none on an end.
    float phase = (along + in_arrows.w - 1.1 * radius * across) * in_arrows.y;
    phase -= frame.frustum_look.x * 0.8;
    float width = fwidth(phase);
    float wave = abs(fract(phase) - 0.5); // 0 in the middle of an arrow
    float arrow = clamp((0.13 - wave) / max(width, 1e-6) + 0.5, 0.0, 1.0);
    arrow *= clamp(2.0 - 4.0 * width, 0.0, 1.0) * in_arrows.z * in_side.x;
    // What is hardly there doesn't hide what is behind.
    if (coverage < 0.25) discard;

    vec3 color = decode_srgb(in_color.rgb);
    color = mix(color, vec3(frame.frustum_look.w), 0.45 * arrow);
    color *= 0.35 + 0.75 * get_light_at(normalize(in_normal));
    away *= away * in_side.x;
    color *= 1.0 - 0.45 * away * away;
    // A dark rim of little more than a pixel, before whatever it crosses.
    bool has_rim = draw.is_street == 0u && draw.is_ring == 0u;
    if (has_rim) color = mix(color, vec3(0.01, 0.012, 0.02), clamp(1.6 - in_at.w, 0.0, 1.0) * 0.7 * in_side.x);
    out_color = vec4(color, 1.0) * coverage * in_color.w * in_side.y;
}
