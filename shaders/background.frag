// A calm vertical gradient, dithered against bands.
#version 450
#include "shaders/color.glsl"
#include "shaders/shared/frame_types.h"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(location = 0) flat in vec3 in_top;
layout(location = 1) flat in vec3 in_bottom;
layout(location = 0) out vec4 out_color;

void main() {
    float down = gl_FragCoord.y * frame.viewport.w;
    vec3 color = mix(in_top, in_bottom, down * down * (3.0 - 2.0 * down));
    // One step of 8 bits is about 2 sqrt(c) / 255 in linear light.
    out_color = vec4(color + sqrt(color) * (dither(gl_FragCoord.xy) * 2.0 / 255.0), 1.0);
}
