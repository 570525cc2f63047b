// Soft shadows on the ground around boxes, as shaders/shadow.vert has them.
#include "page/shape.glsl"

uniform float reach, opacity;

out vec2 out_at;
flat out vec4 out_area;
flat out float out_opacity;

void main() {
    int corner = gl_VertexID % 6;
    shape box = load_shape(first + gl_VertexID / 6);
    vec2 half_side = 0.5 * (box.high - box.low).xz;
    vec2 wide = vec2(reach * 2.0 * sqrt(half_side.x * half_side.y));
    if (box.depth < 0.0) wide = min(wide, 0.5 * (box.plot.zw - box.plot.xy) - half_side);
    vec2 way = vec2(corner == 2 || corner > 3 ? 1.0 : -1.0, corner == 1 || corner == 2 || corner == 4 ? 1.0 : -1.0);
    out_at = way * (half_side + wide);
    out_area = vec4(half_side, 1.0 / max(wide, vec2(1e-20)));
    out_opacity = opacity * (0.4 + 0.6 * mix(1.0, MC_GLASS_OPACITY, box.glass));
    vec2 ground = 0.5 * (box.low + box.high).xz + out_at;
    bool belongs = box.high.y > box.low.y && min(wide.x, wide.y) > 0.0;
    gl_Position = belongs ? to_clip * vec4(ground.x, box.low.y, ground.y, 1.0) : vec4(0.0);
    gl_Position.z -= 2e-5 * gl_Position.w;
}
