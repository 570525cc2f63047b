// Marks the translucent buildings of the frame's list that may cover a pixel centre which no opaque
// box covers in front of them, and counts them by block: the first of three steps that shorten the
// list and keep its order.
#version 450
#include "shaders/bounds.glsl"
#include "shaders/boxes.glsl"
#include "shaders/shared/frame_types.h"
#include "shaders/visible.glsl"

layout(local_size_x = MC_CULL_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_cull_draw cull; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_LISTS, std430) readonly buffer Lists { uint list[]; };
layout(set = 0, binding = MC_BINDING_SCAN, std430) buffer Scan { uint scan[]; };

layout(set = 0, binding = MC_BINDING_DRAWS, std430) buffer Draws { mc_indirect_head head; };
MC_COLUMN(uvec2, visible, 0, utextureBuffer, MC_BINDING_VISIBLE_TEXELS, MC_BINDING_VISIBLE)

// Is there something opaque before all of the box, at every pixel of its bounds?
bool is_hidden(vec4 bounds, float nearest) {
    ivec2 first = ivec2(bounds.xz), size = ivec2(bounds.yw) - first + 1;
    int count = size.x * size.y, width = int(frame.viewport.x);
    if (cull.epoch == 0 || count > int(cull.occlusion_limit)) return false;
    // The hardware's depth may be off by rounding.
    float depth = (frame.ray_origin.w + frame.ray_x.w / nearest) * 1.00001;
    ivec2 at = ivec2(0);
    bool hidden = true;
    for (int i = 0; i < count && hidden; i++) {
        uvec2 value = load_visible((first.y + at.y) * width + first.x + at.x);
        hidden = get_visible_epoch(value) == cull.epoch && get_visible_depth(value) > depth;
        at = at.x + 1 < size.x ? ivec2(at.x + 1, at.y) : ivec2(0, at.y + 1);
    }
    return hidden;
}

void main() {
    uint slot = cull.first + gl_GlobalInvocationID.x;
    if (slot >= cull.count) return;
    seen_box box = load_box(list[slot], frame.eye.xyz);
    corner_box corners =
        get_corners(frame.view_projection, frame.eye.w, frame.viewport.xy, box.low, box.high);
    // By a little more than the hardware's rounding and ours may differ.
    vec4 all = get_pixel_bounds(corners, 2.0);
    vec4 bounds = clip_pixel_bounds(all, frame.viewport.xy);
    bool is_drawn = box.height > 0.0 && box.opacity > 0.0 && box.opacity < 1.0;
    bool is_seen = corners.is_near ? !corners.is_behind
                                   : bounds.y >= bounds.x && bounds.w >= bounds.z;
    if (!(is_drawn && is_seen)) return;
    vec2 all_size = all.yw - all.xz + 1.0;
    if (corners.is_near || all_size.x * all_size.y > float(cull.pixel_limit)) {
        vec4 seen = corners.is_near ? vec4(0.0, frame.viewport.x, 0.0, frame.viewport.y) : bounds;
        uvec2 tiles = uvec2(seen.yw) / MC_LAYER_TILE - uvec2(seen.xz) / MC_LAYER_TILE + 1u;
        atomicAdd(head.part_count, tiles.x * tiles.y);
    }
    if (!corners.is_near && is_hidden(bounds, corners.nearest)) return;
    atomicAdd(scan[slot / MC_CULL_BLOCK], 1u);
    atomicOr(scan[cull.block_count + slot / 32u], 1u << (slot & 31u));
}
