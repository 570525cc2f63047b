// A bright line in a soft glow, fading upwards.
#version 450
#include "shaders/color.glsl"
#include "shaders/shared/frame_types.h"

layout(push_constant, std430) uniform Push { mc_beacon_draw draw; };
layout(location = 0) in vec2 in_at;
layout(location = 0) out vec4 out_color;

void main() {
    float beside = abs(in_at.x);
    float line = clamp(draw.half_width + 0.5 - beside, 0.0, 1.0);
    float reach = clamp(1.0 - beside / (MC_BEACON_GLOW * draw.half_width), 0.0, 1.0);
    float rest = 1.0 - in_at.y;
    float coverage = max(line, 0.4 * reach * reach) * rest * sqrt(rest) * draw.color.opacity;
    vec3 color = decode_srgb_exactly(vec3(draw.color.r, draw.color.g, draw.color.b));
    out_color = vec4(color, 1.0) * coverage;
}
