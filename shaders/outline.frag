// A line with round ends, anti-aliased by the distance from it, and a glow on its outer side: what is
// within keeps its colour.
#version 450
#include "shaders/color.glsl"
#include "shaders/shared/frame_types.h"

layout(push_constant, std430) uniform Push { mc_outline_draw draw; };
layout(location = 0) in vec2 in_at;
layout(location = 1) flat in vec3 in_line;
layout(location = 2) flat in float in_opacity;
layout(location = 0) out vec4 out_color;

void main() {
    vec2 beyond = vec2(in_at.x - clamp(in_at.x, 0.0, in_line.x), in_at.y);
    float away = length(beyond) - in_line.y;
    float glow = clamp(1.0 - away / max(in_line.z, 1.0), 0.0, 1.0);
    glow *= in_at.y > 0.0 && in_line.z > 0.0 ? 0.4 * glow : 0.0;
    float coverage = max(clamp(0.5 - away, 0.0, 1.0), glow) * in_opacity;
    vec3 color = decode_srgb_exactly(vec3(draw.color.r, draw.color.g, draw.color.b));
    out_color = vec4(color, 1.0) * coverage;
}
