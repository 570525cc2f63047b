// Boxes as the three faces that can face the eye: 7 vertices, pulled by index. Corners are counted
// counter-clockwise as seen from above, beginning at the one nearest the eye, so that front faces
// keep their winding in all four quadrants.
#version 450
#include "shaders/box.glsl"
#include "shaders/boxes.glsl"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_LISTS, std430) readonly buffer Lists { uint list[]; };
layout(set = 0, binding = MC_BINDING_KEPT, std430) readonly buffer Kept { uint kept[]; };
layout(push_constant, std430) uniform Push { mc_city_draw draw; };

// Where on the box, 0 to 1 in every direction.
layout(location = 0) out vec3 out_at;
// Flat: taken from the first vertex of each triangle, which only triangles of one face begin with.
layout(location = 1) flat out vec4 out_color;
layout(location = 2) flat out vec4 out_face; // the rest of struct face, but its light
layout(location = 3) flat out vec4 out_normal; // towards the eye; light

const uint vertex_corner[MC_BOX_VERTEX_COUNT] = uint[](2, 1, 0, 3, 1, 0, 3);

void main() {
    uint slot = uint(gl_VertexIndex) / MC_BOX_VERTEX_COUNT;
    uint vertex = uint(gl_VertexIndex) - slot * MC_BOX_VERTEX_COUNT;
    uint index = draw.first + slot;
    // The upper hide much of the lower, which then need not be shaded.
    if (draw.kind == MC_DRAW_DISTRICTS) index = draw.last - slot;
    if (draw.source == MC_SOURCE_LIST) index = list[index];
    if (draw.source == MC_SOURCE_KEPT) index = kept[index];
    seen_box box = load_box(index, frame.eye.xyz);

    bool belongs = box.height > 0.0 && box.opacity > 0.0;
    if (draw.kind == MC_DRAW_OPAQUE) belongs = belongs && box.opacity >= 1.0;
    if (draw.kind == MC_DRAW_TRANSLUCENT) belongs = belongs && box.opacity < 1.0;

    vec3 low = box.low, high = box.high;
    vec3 center = low + high; // twice, which does not matter
    bool east = center.x < 0.0; // the eye is east of the centre
    bool south = center.z < 0.0;
    uint near = east ? (south ? 0u : 1u) : (south ? 3u : 2u);
    uint corner = (near + vertex_corner[vertex]) & 3u;
    vec3 at = vec3(corner < 2u, vertex < 4u, corner == 0u || corner == 3u);
    gl_Position = belongs ? frame.view_projection * vec4(mix(low, high, at), 1.0)
                          : vec4(0.0, 0.0, 0.0, 1.0);

    // Vertex 0 begins the roof's triangles, 4 those of one wall, 6 those of the other.
    bool near_is_even = (near & 1u) == 0u;
    uint wall = near_is_even == (vertex == 4u) ? MC_AXIS_X : MC_AXIS_Z;
    uint axis = vertex < 4u ? MC_AXIS_Y : wall;
    vec4 color = load_color(index);
    bool is_district = index >= frame.marks.w && color.a <= 1.0; // else a marker
    vec3 encoded = is_district
                       ? mix(mix(frame.district_root.rgb, frame.district_deepest.rgb, color.r),
                             frame.district_block.rgb, color.g)
                       : color.rgb;
    face f = finish_face(axis, center, high - low, encoded, min(color.a, 1.0), is_district,
                         (frame.marks.z & MC_FRAME_EDGES) != 0u);
    out_at = at;
    out_color = vec4(f.color, f.opacity); // below 0: an outline
    out_face = vec4(f.axis, f.edge, f.reach);
    vec3 along = vec3(axis == MC_AXIS_X, axis == MC_AXIS_Y, axis == MC_AXIS_Z);
    out_normal = vec4(-sign(center) * along, f.light);
}
