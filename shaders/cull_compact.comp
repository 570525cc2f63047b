// Copies the marked entries of the frame's list to where the scan has placed them.
#version 450
#include "shaders/shared/frame_types.h"

layout(local_size_x = MC_CULL_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_cull_draw cull; };
layout(set = 0, binding = MC_BINDING_LISTS, std430) readonly buffer Lists { uint list[]; };
layout(set = 0, binding = MC_BINDING_SCAN, std430) readonly buffer Scan { uint scan[]; };
layout(set = 0, binding = MC_BINDING_KEPT, std430) writeonly buffer Kept { uint kept[]; };

void main() {
    uint slot = gl_GlobalInvocationID.x;
    if (slot >= cull.count) return;
    uint word = slot / 32u, block = slot / MC_CULL_BLOCK, bit = 1u << (slot & 31u);
    uint marks = scan[cull.block_count + word];
    if ((marks & bit) == 0) return;
    uint place = scan[block] + bitCount(marks & (bit - 1u));
    for (uint i = block * (MC_CULL_BLOCK / 32u); i < word; i++)
        place += bitCount(scan[cull.block_count + i]);
    kept[cull.first_box + place] = list[slot];
}
