// The frame around a segment, within it; never thinner than what can be seen.
#version 450
#include "shaders/flat.glsl"

layout(location = 0) flat in vec4 in_place; // origin, size of a row, length of a row
layout(location = 1) flat in vec4 in_span;  // row, from, to, first row
layout(location = 2) flat in vec4 in_color;
layout(location = 3) flat in vec2 in_look; // width, form
layout(location = 0) out vec4 out_color;

void main() {
    uint form = floatBitsToUint(in_look.y);
    bool is_round = form == MC_FLAT_SUNBURST;
    vec3 at = locate(form, gl_FragCoord.xy - in_place.xy, in_place.z, in_place.w, in_span.w, 0.0);
    float size = in_span.z - in_span.y, away = abs(at.y - (in_span.y + in_span.z) * 0.5);
    if (is_round) away = min(away, 1.0 - away);
    float along = max(size * 0.5 * at.z, 1.5) - away * at.z;
    float before = (at.x - in_span.x) * in_place.z, behind = (in_span.x + 1.0 - at.x) * in_place.z;
    // The root of a sunburst is a disc, and what goes all around has no ends.
    float across = is_round && in_span.x <= in_span.w ? behind : min(before, behind);
    float inside = is_round && size >= WHOLE ? across : min(along, across);
    float cover = clamp(inside + 0.5, 0.0, 1.0);
    float opacity = cover * clamp(in_look.x + 0.5 - inside, 0.0, 1.0) * in_color.a;
    out_color = vec4(in_color.rgb, 1.0) * opacity;
}
