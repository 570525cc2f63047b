// Boxes as the three faces that can face the eye, pulled by index as in shaders/city.vert; buildings
// are shaped here, too, as shaders/update.comp does.
precision highp float;
precision highp int;
precision highp sampler2D;
#include "shaders/box.glsl"
#include "shaders/building.glsl"

uniform sampler2D plots;  // x0, z0, x1, z1
uniform sampler2D places; // base; of a district 1 plus how deep it is, 0 to 1
uniform sampler2D shares; // of the maximum before and now, of the largest growth before and now
uniform int first;
uniform float moment; // 0: the step before, 1: the step now
uniform mat4 view_projection;
uniform vec3 eye;
uniform vec3 gradient[3];
uniform vec3 district_root, district_deepest;
uniform uint scaling;
uniform float district_height, full_height;

out vec3 out_at;
flat out vec4 out_color;
flat out vec4 out_face;

const uint vertex_corner[7] = uint[7](2u, 1u, 0u, 3u, 1u, 0u, 3u);

ivec2 get_texel(int index) { return ivec2(index & 2047, index >> 11); }

float get_side_of(float share) { return share > 0.0 ? get_side(scaling, share) : 0.0; }

void main() {
    int slot = gl_VertexID / 7;
    uint vertex = uint(gl_VertexID - slot * 7);
    ivec2 texel = get_texel(first + slot);
    vec4 plot = texelFetch(plots, texel, 0);
    vec2 place = texelFetch(places, texel, 0).xy;
    bool is_district = place.y >= 1.0;
    vec2 half_side = 0.5 * (plot.zw - plot.xy), center_xz = 0.5 * (plot.xy + plot.zw);
    float height = district_height;
    vec3 encoded = mix(district_root, district_deepest, place.y - 1.0);
    if (!is_district) {
        vec4 share = texelFetch(shares, texel, 0);
        vec2 shape = get_up_and_out(get_side_of(share.x), get_side_of(share.y), moment);
        float side = 2.0 * sqrt(half_side.x * half_side.y);
        height = usual_slenderness * side * shape.x;
        if (scaling == 4u) {
            height = max(0.06 * side, full_height * blend(share.x, share.y, ease(moment)));
            shape.y = 1.0;
        }
        half_side *= shape.y;
        encoded = get_gradient(blend(share.z, share.w, ease(moment)), gradient[0], gradient[1],
                               gradient[2]);
    }
    vec3 low = vec3(center_xz - half_side, place.x).xzy - eye;
    vec3 high = vec3(center_xz + half_side, place.x + height).xzy - eye;
    vec3 center = low + high;
    bool east = center.x < 0.0, south = center.z < 0.0;
    uint near = east ? (south ? 0u : 1u) : (south ? 3u : 2u);
    uint corner = (near + vertex_corner[vertex]) & 3u;
    vec3 at = vec3(corner < 2u, vertex < 4u, corner == 0u || corner == 3u);
    gl_Position = height > 0.0 ? view_projection * vec4(mix(low, high, at), 1.0) : vec4(0.0);

    bool near_is_even = (near & 1u) == 0u;
    uint wall = near_is_even == (vertex == 4u) ? MC_AXIS_X : MC_AXIS_Z;
    uint axis = vertex < 4u ? MC_AXIS_Y : wall;
    face f = finish_face(axis, center, high - low, encoded, 1.0, is_district, true);
    out_at = at;
    out_color = vec4(f.color, f.opacity);
    out_face = vec4(f.axis, f.edge, f.reach);
}
