// Marks the translucent buildings of the frame's list that may cover a pixel centre, and counts
// them by block: the first of three steps that shorten the list and keep its order.
#version 450
#include "shaders/bounds.glsl"
#include "shaders/boxes.glsl"
#include "shaders/shared/frame_types.h"

layout(local_size_x = MC_CULL_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_cull_draw cull; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_LISTS, std430) readonly buffer Lists { uint list[]; };
layout(set = 0, binding = MC_BINDING_SCAN, std430) buffer Scan { uint scan[]; };

void main() {
    uint slot = gl_GlobalInvocationID.x;
    if (slot >= cull.count) return;
    seen_box box = load_box(list[slot], frame.eye.xyz);
    corner_box corners =
        get_corners(frame.view_projection, frame.eye.w, frame.viewport.xy, box.low, box.high);
    // By a little more than the hardware's rounding and ours may differ.
    vec4 bounds = clip_pixel_bounds(get_pixel_bounds(corners, 2.0), frame.viewport.xy);
    bool is_drawn = box.height > 0.0 && box.opacity > 0.0 && box.opacity < 1.0;
    bool is_seen = corners.is_near ? !corners.is_behind
                                   : bounds.y >= bounds.x && bounds.w >= bounds.z;
    if (!(is_drawn && is_seen)) return;
    atomicAdd(scan[slot / MC_CULL_BLOCK], 1u);
    atomicOr(scan[cull.block_count + slot / 32u], 1u << (slot & 31u));
}
