// A ribbon shaded as a round rod with round ends, anti-aliased by the distance from its border, with
// arrows along it.
#version 450
#include "shaders/box.glsl"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(location = 0) in vec3 in_at;
layout(location = 1) in vec3 in_position;
layout(location = 2) in vec3 in_tangent;
layout(location = 3) flat in vec4 in_color;
layout(location = 4) flat in vec4 in_arrows;
layout(location = 0) out vec4 out_color;

void main() {
    float radius = in_at.z, across = in_at.y / radius;
    float beyond = (in_at.x - clamp(in_at.x, 0.0, in_arrows.x)) / radius;
    float away = length(vec2(across, beyond));
    float coverage = clamp((1.0 - away) / max(fwidth(away), 1e-6) + 0.5, 0.0, 1.0) * in_color.w;

    // An arrow's tip is ahead of its wings.
    float phase = (in_at.x + in_arrows.w - 1.1 * radius * abs(across)) * in_arrows.y;
    phase -= frame.frustum_look.x * 0.8;
    float width = fwidth(phase);
    float wave = abs(fract(phase) - 0.5); // 0 in the middle of an arrow
    float arrow = clamp((0.13 - wave) / max(width, 1e-6) + 0.5, 0.0, 1.0);
    arrow *= clamp(2.0 - 4.0 * width, 0.0, 1.0) * in_arrows.z;
    if (coverage < 0.004) discard;

    vec3 tangent = normalize(in_tangent), toward = normalize(-in_position);
    toward = normalize(toward - tangent * dot(toward, tangent) + tangent * 1e-6);
    vec3 side = cross(toward, tangent);
    float height = sqrt(max(1.0 - away * away, 0.0));
    vec3 normal = normalize(side * across + tangent * beyond + toward * height);
    vec3 color = decode_srgb(in_color.rgb);
    color = mix(color, vec3(frame.frustum_look.w), 0.45 * arrow);
    color *= 0.35 + 0.75 * get_light(normal);
    color *= 1.0 - 0.45 * away * away * away * away;
    out_color = vec4(color, 1.0) * coverage;
}
