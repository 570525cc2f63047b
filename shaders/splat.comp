// Rasterises small opaque boxes without the triangle hardware: one invocation a box tests every
// pixel centre within its bounds and keeps the nearest box and face of a pixel by an atomic
// maximum. Larger boxes are listed for the city pass; those that cover no pixel centre vanish.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#include "shaders/boxes.glsl"
#include "shaders/lines.glsl"
#include "shaders/shared/frame_types.h"
#include "shaders/visible.glsl"

layout(local_size_x = MC_SPLAT_GROUP_SIZE) in;

// Where most boxes lie between pixel centres, an invocation takes many and sorts those out first: a
// software driver does for each of a few invocations what any of them has to do.
layout(constant_id = 0) const bool sieves = false;
const uint most_boxes = sieves ? MC_SPLAT_SIEVED : MC_SPLAT_BOXES;

layout(push_constant, std430) uniform Push { mc_splat_draw splat; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_VISIBLE, std430) buffer Visible { uint64_t visible[]; };
layout(set = 0, binding = MC_BINDING_KEPT, std430) writeonly buffer Kept { uint kept[]; };
layout(set = 0, binding = MC_BINDING_DRAWS, std430) buffer Draws {
    mc_indirect_head head;
    mc_indirect_draw draws[];
};

// Of the uniforms, once for several boxes; see get_rays().
struct splat_view {
    mat4 matrix;
    vec3 eye;
    float near;
    vec2 size;
    ray_fan rays;
    float pixel_limit;
    uint epoch;
};

void keep(uint index) {
    uint slot = atomicAdd(head.opaque_count, 1u);
    kept[slot] = index;
    atomicAdd(draws[slot / MC_DRAW_CHUNK].index_count, MC_BOX_INDEX_COUNT);
}

// Whether it is one to be kept instead.
bool splat_box(uint index, seen_box box, splat_view view) {
    if (!(box.height > 0.0 && box.opacity >= 1.0)) return false;
    corner_box corners = get_corners(view.matrix, view.near, view.size, box.low, box.high);
    vec4 all = get_pixel_bounds(corners, 0.0);
    vec4 bounds = clip_pixel_bounds(all, view.size);
    vec2 size = max(bounds.yw - bounds.xz + 1.0, 0.0), all_size = all.yw - all.xz + 1.0;
    float count = size.x * size.y;
    bool is_large = count > 0.0 && all_size.x * all_size.y > view.pixel_limit;
    if (corners.is_near ? !corners.is_behind : is_large) return true;
    if (corners.is_near) return false;

    vec2 origin = bounds.xz;
    vec3 center = box.low + box.high;
    face_lines lines = get_face_lines(corners, origin, center);

    // Depth is linear on each face: ray_x.w / view depth, which is (distance of the plane) / ray.
    vec3 plane = mix(box.low, box.high, lessThan(center, vec3(0.0)));
    vec3 factor = view.rays.depth.y / plane;
    vec3 depth_first = view.rays.depth.x + get_ray(view.rays, origin) * factor;
    vec3 depth_x = view.rays.x * factor, depth_y = view.rays.y * factor;
    int first = int(origin.y) * int(view.size.x) + int(origin.x);
    float skip = view.size.x - size.x;
    vec2 at = vec2(0.0);
    for (float i = 0.0; i < count; i++) {
        uint axis = find_face(lines, at);
        if (axis != MC_AXIS_NONE) {
            vec3 depths = depth_first + (at.x * depth_x + at.y * depth_y);
            float depth = axis == MC_AXIS_Y ? depths.y : axis == MC_AXIS_Z ? depths.z : depths.x;
            depth = clamp(depth, 0.0, 1.0);
            atomicMax(visible[first + int(at.y * skip + i)],
                      packUint2x32(pack_visible(view.epoch, depth, axis, index)));
        }
        at = at.x + 1.0 < size.x ? vec2(at.x + 1.0, at.y) : vec2(0.0, at.y + 1.0);
    }
    return false;
}

// Neighbours in memory, a run of them each time: what comes next is then on its way already.
uint get_index(uint i) {
    uint run = gl_LocalInvocationID.x / MC_SPLAT_RUN * most_boxes + i;
    return gl_WorkGroupID.x * (MC_SPLAT_GROUP_SIZE * most_boxes) + run * MC_SPLAT_RUN +
           gl_LocalInvocationID.x % MC_SPLAT_RUN;
}

// Which boxes are worth a closer look.
uint sieve(uint count, splat_view view) {
    uint bits = 0u;
    for (uint i = 0u; i < most_boxes; i++) {
        uint index = get_index(i);
        seen_box box = load_box(min(index, count - 1u), view.eye);
        bool may_be_seen = box.height > 0.0 && box.opacity >= 1.0 &&
                           may_have_pixels(view.matrix, view.near, view.size, box.low, box.high);
        if (index < count && may_be_seen) bits |= 1u << i;
    }
    return bits;
}

void main() {
    splat_view view = splat_view(frame.view_projection, frame.eye.xyz, frame.eye.w,
                                 frame.viewport.xy, get_rays(frame), float(splat.pixel_limit),
                                 splat.epoch);
    uint count = splat.box_count, kept_bits = 0u;
    if (sieves) {
        uint bits = sieve(count, view);
        while (bits != 0u) {
            uint i = uint(findLSB(bits)), index = get_index(i);
            bits &= bits - 1u;
            if (splat_box(index, load_box(index, view.eye), view)) kept_bits |= 1u << i;
        }
    } else {
        for (uint i = 0u; i < most_boxes; i++) {
            uint index = get_index(i);
            if (index < count && splat_box(index, load_box(index, view.eye), view))
                kept_bits |= 1u << i;
        }
    }
    // Seldom: once for all of them.
    while (kept_bits != 0u) {
        keep(get_index(uint(findLSB(kept_bits))));
        kept_bits &= kept_bits - 1u;
    }
}
