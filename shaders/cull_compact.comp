// Copies the marked entries of the frame's list to where the scan has placed them.
#version 450
#include "shaders/shared/frame_types.h"

layout(local_size_x = MC_CULL_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_cull_draw cull; };
layout(set = 0, binding = MC_BINDING_LISTS, std430) readonly buffer Lists { uint list[]; };
layout(set = 0, binding = MC_BINDING_SCAN, std430) readonly buffer Scan { uint scan[]; };
layout(set = 0, binding = MC_BINDING_KEPT, std430) writeonly buffer Kept { uint kept[]; };

// An invocation takes a word of marks.
void main() {
    uint word = gl_GlobalInvocationID.x;
    if (word * 32u >= cull.count) return;
    uint marks = scan[cull.block_count + word];
    uint block = word / (MC_CULL_BLOCK / 32u), place = scan[block];
    for (uint i = block * (MC_CULL_BLOCK / 32u); i < word; i++)
        place += bitCount(scan[cull.block_count + i]);
    while (marks != 0u) {
        kept[cull.first_box + place++] = list[word * 32u + uint(findLSB(marks))];
        marks &= marks - 1u;
    }
}
