// Boxes as the three faces that can face the eye, pulled by index as in shaders/city.vert.
#include "page/shape.glsl"
#include "shaders/box.glsl"

uniform vec3 gradient[3], shrinking[2], apart[2]; // apart: new, gone
uniform int is_glass; // 1: draws those of the list, 0: what is solid
uniform vec3 district_root, district_deepest;

out vec3 out_at;
flat out vec4 out_color;
flat out vec4 out_face;

const uint vertex_corner[7] = uint[7](2u, 1u, 0u, 3u, 1u, 0u, 3u);

void main() {
    int slot = gl_VertexID / 7;
    uint vertex = uint(gl_VertexID - slot * 7);
    int index = first + slot;
    if (is_glass > 0) index = int(texelFetch(glass, get_texel(index), 0).x);
    shape box = load_shape(index);
    bool is_district = box.depth >= 0.0;
    bool shrinks = box.growth < 0.0;
    vec3 encoded = get_gradient(abs(box.growth), gradient[0], shrinks ? shrinking[0] : gradient[1],
                                shrinks ? shrinking[1] : gradient[2]);
    if (box.is_hint) encoded = mix(gradient[0], encoded, MC_GLASS_TINT);
    if (box.growth > 1.5) encoded = apart[box.growth > 2.5 ? 1 : 0];
    if (is_district) encoded = mix(district_root, district_deepest, box.depth);
    vec3 center = box.low + box.high;
    bool east = center.x < 0.0, south = center.z < 0.0;
    uint near = east ? (south ? 0u : 1u) : (south ? 3u : 2u);
    uint corner = (near + vertex_corner[vertex]) & 3u;
    vec3 at = vec3(corner < 2u, vertex < 4u, corner == 0u || corner == 3u);
    bool belongs = box.high.y > box.low.y && (is_glass > 0 || box.glass == 0.0);
    gl_Position = belongs ? to_clip * vec4(mix(box.low, box.high, at), 1.0) : vec4(0.0);

    bool near_is_even = (near & 1u) == 0u;
    uint wall = near_is_even == (vertex == 4u) ? MC_AXIS_X : MC_AXIS_Z;
    uint axis = vertex < 4u ? MC_AXIS_Y : wall;
    face f = finish_face(axis, center, box.high - box.low, encoded, mix(1.0, MC_GLASS_OPACITY, box.glass), is_district, true);
    out_at = at;
    out_color = vec4(f.color, f.opacity);
    out_face = vec4(f.axis, f.edge, f.reach);
}
