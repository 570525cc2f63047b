// The surface of a thin frustum, with arrows on it; its outline fades within a pixel.
#version 450
#include "shaders/box.glsl"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(location = 0) in vec4 in_at;
layout(location = 1) in vec3 in_light;
layout(location = 2) flat in vec4 in_color;
layout(location = 3) flat in float in_arrow;
layout(location = 0) out vec4 out_color;

void main() {
    float across = abs(in_at.z), square = across * across;
    float coverage = clamp((1.0 - across) * in_at.w, 0.0, 1.0);
    // An arrow's tip is ahead of its wings.
    float phase = in_at.x - in_at.y * across - frame.frustum_look.x * 0.8;
    float width = fwidth(phase);
    float wave = abs(fract(phase) - 0.5); // 0 in the middle of an arrow
    float arrow = clamp((0.13 - wave) / max(width, 1e-6) + 0.5, 0.0, 1.0);
    arrow *= clamp(2.0 - 4.0 * width, 0.0, 1.0) * in_arrow;

    // What is hardly there doesn't hide what is behind.
    if (coverage < 0.25) discard;

    // A dark rim of little more than a pixel, before whatever it crosses.
    float halo = clamp(1.6 - (1.0 - across) * in_at.w, 0.0, 1.0) * 0.7;
    float light = 0.575 + in_light.x * in_at.z + in_light.y * sqrt(1.0 - square);
    vec3 color = mix(in_color.rgb, vec3(frame.frustum_look.w), 0.45 * arrow);
    color *= (0.35 + 0.75 * light) * (1.0 - 0.45 * square * square);
    color = mix(color, vec3(0.01, 0.012, 0.02), halo);
    out_color = vec4(color, 1.0) * coverage * in_color.w * in_light.z;
}
