// The edges of one box, or of its lower part, as lines of a width in pixels: a quad each. Edges
// between a face that is seen and one that is not make the silhouette, which is drawn wider. Before
// them the walls, if they are filled.
#version 450
#include "shaders/boxes.glsl"
#include "shaders/shared/frame_types.h"
#include "shaders/statics.glsl"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(push_constant, std430) uniform Push { mc_outline_draw draw; };

// In pixels, along and across the line, away from the box; its length, half its width and its glow.
layout(location = 0) out vec2 out_at;
layout(location = 1) flat out vec3 out_line;
layout(location = 2) flat out float out_opacity;

const vec2 quad_corner[6] = vec2[](vec2(0, -1), vec2(1, -1), vec2(1, 1), vec2(0, -1), vec2(1, 1),
                                   vec2(0, 1));

void main() {
    uint face = uint(gl_VertexIndex) / 6u, k = face & 3u;
    bool is_wall = face < 4u;
    uint group = (face >> 2) - 1u;
    vec2 quad = quad_corner[uint(gl_VertexIndex) % 6u];
    mc_box box = load_world_box(draw.box);
    mc_plot plot = box.footprint;
    // What stands nowhere at this step is marked by its plot.
    if (box.height <= 0.0 && draw.box < frame.marks.w) plot = load_plot(draw.box);
    vec3 low = vec3(plot.x0, box.base, plot.z0) - frame.eye.xyz;
    vec3 high = vec3(plot.x1, box.base + box.height * draw.share, plot.z1) - frame.eye.xyz;

    // Corners counter-clockwise from above; wall k stands between corner k and the next.
    vec2 corners[4] = vec2[](high.xz, vec2(high.x, low.z), low.xz, vec2(low.x, high.z));
    bool walls[4] = bool[](high.x < 0.0, low.z > 0.0, low.x > 0.0, high.z < 0.0);
    bool roof = high.y < 0.0;
    uint next = (k + 1u) & 3u, previous = (k + 3u) & 3u;
    out_opacity = draw.opacity;
    if (is_wall) {
        vec2 at = quad.x < 0.5 ? corners[k] : corners[next];
        vec4 place = frame.view_projection * vec4(at.x, quad.y < 0.0 ? low.y : high.y, at.y, 1.0);
        gl_Position = vec4(place.xy - frame.shift.xy * place.w, place.z * (1.0 + draw.bias), place.w);
        out_at = vec2(0.0);
        out_line = vec3(0.0, 1.0, 0.0);
        out_opacity = walls[k] ? draw.fill : 0.0;
        return;
    }
    bool first = group == 0u ? roof : walls[k]; // top, bottom and upright edges
    bool second = group == 0u ? walls[k] : group == 1u ? false : walls[previous];
    vec2 from_corner = corners[k], to_corner = group == 2u ? corners[k] : corners[next];
    vec4 from = frame.view_projection *
                vec4(from_corner.x, group == 1u ? low.y : high.y, from_corner.y, 1.0);
    vec4 to = frame.view_projection *
              vec4(to_corner.x, group == 0u ? high.y : low.y, to_corner.y, 1.0);

    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
    out_at = vec2(0.0);
    out_line = vec3(0.0);
    const float nearest = 1e-4; // view depth
    if (!(first || second) || (from.w < nearest && to.w < nearest)) return;
    if (from.w < nearest) from = mix(from, to, (nearest - from.w) / (to.w - from.w));
    if (to.w < nearest) to = mix(to, from, (nearest - to.w) / (from.w - to.w));
    vec3 a = from.xyz / from.w, b = to.xyz / to.w;
    vec2 pixel = 2.0 * frame.viewport.zw;
    vec2 along = (b.xy - a.xy) / pixel;
    float span = length(along);
    along = span > 1e-3 ? along / span : vec2(1.0, 0.0);
    float half_width = 0.5 * draw.width * (first != second ? 1.0 : 0.6);
    float glow = first != second ? draw.glow : 0.0, margin = half_width + max(glow, 1.0);
    vec4 middle = frame.view_projection * vec4(0.5 * (low + high), 1.0);
    vec2 across = vec2(-along.y, along.x), inward = middle.xy / middle.w - a.xy;
    if (dot(across, inward) > 0.0) across = -across;
    out_line = vec3(span, half_width, glow);
    out_at = vec2(mix(-margin, span + margin, quad.x), quad.y * margin);
    vec2 offset = along * mix(-margin, margin, quad.x) + across * out_at.y;
    vec3 end = quad.x > 0.5 ? b : a;
    // It is not refined with the drawing, but comes over it.
    vec2 place = end.xy - frame.shift.xy + offset * pixel;
    gl_Position = vec4(place, end.z * (1.0 + draw.bias), 1.0);
}
