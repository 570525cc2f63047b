// A calm vertical gradient, mixed as encoded so that its steps look even, and dithered against
// bands.
#version 450
#include "shaders/color.glsl"
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(location = 0) out vec4 out_color;

void main() {
    float down = smoothstep(0.0, 1.0, gl_FragCoord.y * frame.viewport.w);
    vec3 color = mix(frame.background_top.rgb, frame.background_bottom.rgb, down);
    color = clamp(color + dither(gl_FragCoord.xy) / 255.0, 0.0, 1.0);
    out_color = vec4(decode_srgb_exactly(color), 1.0);
}
