// Rasterises small opaque boxes without the triangle hardware: one invocation a box tests every
// pixel centre within its bounds and keeps the nearest box and face of a pixel by an atomic
// maximum. Larger boxes are listed for the city pass; those that cover no pixel centre vanish.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#include "shaders/bounds.glsl"
#include "shaders/box.glsl"
#include "shaders/boxes.glsl"
#include "shaders/shared/frame_types.h"
#include "shaders/visible.glsl"

layout(local_size_x = MC_SPLAT_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_splat_draw splat; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_VISIBLE, std430) buffer Visible { uint64_t visible[]; };
layout(set = 0, binding = MC_BINDING_KEPT, std430) writeonly buffer Kept { uint kept[]; };
layout(set = 0, binding = MC_BINDING_DRAWS, std430) buffer Draws {
    mc_indirect_head head;
    mc_indirect_draw draws[];
};

void keep(uint index) {
    uint slot = atomicAdd(head.opaque_count, 1u);
    kept[slot] = index;
    atomicAdd(draws[slot / MC_DRAW_CHUNK].index_count, MC_BOX_INDEX_COUNT);
}

// Is positive on the right of the line from a to b (`side` 1; -1: on the left), y being down; never 0: whether what lies on the
// line belongs to it is decided as triangle hardware does, top and left lines do. Whole numbers up
// to 2^23, and so exact. x and y per pixel, then the value at the first one.
vec3 get_line(vec2 a, vec2 b, float side) {
    vec2 normal = vec2(a.y - b.y, b.x - a.x) * side;
    bool is_inside = normal.x > 0.0 || (normal.x == 0.0 && normal.y > 0.0);
    return vec3(normal * MC_SUBPIXELS, (is_inside ? 0.5 : -0.5) - dot(normal, a));
}

float evaluate(vec3 line, vec2 at) { return line.x * at.x + (line.y * at.y + line.z); }

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= splat.box_count) return;
    seen_box box = load_box(index, frame.eye.xyz);
    if (!(box.height > 0.0 && box.opacity >= 1.0)) return;
    corner_box corners =
        get_corners(frame.view_projection, frame.eye.w, frame.viewport.xy, box.low, box.high);
    vec4 all = get_pixel_bounds(corners, 0.0);
    vec4 bounds = clip_pixel_bounds(all, frame.viewport.xy);
    vec2 size = max(bounds.yw - bounds.xz + 1.0, 0.0), all_size = all.yw - all.xz + 1.0;
    bool is_large = size.x * size.y > 0.0 && all_size.x * all_size.y > float(splat.pixel_limit);
    if (corners.is_near ? !corners.is_behind : is_large) {
        keep(index);
        return;
    }
    if (corners.is_near) return;

    // Lines from the near roof corner: between the roof and the wall along x, the roof and the wall
    // along z, the two walls. Then the outer ones.
    vec2 origin = bounds.xz;
    vec4 x = corners.roof_x - origin.x * MC_SUBPIXELS, y = corners.roof_y - origin.y * MC_SUBPIXELS;
    vec3 u = corners.ground_x - origin.x * MC_SUBPIXELS;
    vec3 v = corners.ground_y - origin.y * MC_SUBPIXELS;
    vec3 center = box.low + box.high;
    float side = (center.x < 0.0) == (center.z < 0.0) ? 1.0 : -1.0; // mirrored?
    vec3 roof_z = get_line(vec2(x.x, y.x), vec2(x.y, y.y), side);
    vec3 roof_x = get_line(vec2(x.z, y.z), vec2(x.x, y.x), side);
    vec3 walls = get_line(vec2(x.x, y.x), vec2(u.x, v.x), side);
    vec3 roof_far_x = get_line(vec2(x.y, y.y), vec2(x.w, y.w), side);
    vec3 roof_far_z = get_line(vec2(x.w, y.w), vec2(x.z, y.z), side);
    vec3 wall_z_far = get_line(vec2(u.y, v.y), vec2(x.y, y.y), side);
    vec3 wall_z_low = get_line(vec2(u.x, v.x), vec2(u.y, v.y), side);
    vec3 wall_x_far = get_line(vec2(x.z, y.z), vec2(u.z, v.z), side);
    vec3 wall_x_low = get_line(vec2(u.z, v.z), vec2(u.x, v.x), side);

    // Depth is linear on each face: ray_x.w / view depth, which is (distance of the plane) / ray.
    vec3 plane = mix(box.low, box.high, lessThan(center, vec3(0.0)));
    vec3 factor = frame.ray_x.w / plane;
    int count = int(size.x * size.y), width = int(frame.viewport.x);
    int first = int(origin.y) * width + int(origin.x);
    vec2 at = vec2(0.0);
    for (int i = 0; i < count; i++) {
        float on_roof_z = evaluate(roof_z, at), on_roof_x = evaluate(roof_x, at);
        float on_walls = evaluate(walls, at);
        bool is_roof = min(min(on_roof_z, on_roof_x),
                           min(evaluate(roof_far_x, at), evaluate(roof_far_z, at))) > 0.0;
        bool is_z = min(min(-on_roof_z, on_walls),
                        min(evaluate(wall_z_far, at), evaluate(wall_z_low, at))) > 0.0;
        bool is_x = min(min(-on_roof_x, -on_walls),
                        min(evaluate(wall_x_far, at), evaluate(wall_x_low, at))) > 0.0;
        if (is_roof || is_z || is_x) {
            vec3 ray = get_ray(frame, origin + at) * factor;
            float depth = is_roof ? ray.y : is_z ? ray.z : ray.x;
            uint axis = is_roof ? MC_AXIS_Y : is_z ? MC_AXIS_Z : MC_AXIS_X;
            depth = clamp(frame.ray_origin.w + depth, 0.0, 1.0);
            atomicMax(visible[first + int(at.y) * width + int(at.x)],
                      packUint2x32(pack_visible(splat.epoch, depth, axis, index)));
        }
        at = at.x + 1.0 < size.x ? vec2(at.x + 1.0, at.y) : vec2(0.0, at.y + 1.0);
    }
}
