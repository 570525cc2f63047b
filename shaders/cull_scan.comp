// Turns the counts of blocks into the places where their boxes go, and writes the indirect draws:
// one group, each of whose invocations takes a run of neighbouring blocks.
#version 450
#include "shaders/shared/frame_types.h"

layout(local_size_x = MC_CULL_SCAN_SIZE) in;

layout(push_constant, std430) uniform Push { mc_cull_draw cull; };
layout(set = 0, binding = MC_BINDING_SCAN, std430) buffer Scan { uint scan[]; };
layout(set = 0, binding = MC_BINDING_DRAWS, std430) buffer Draws {
    mc_indirect_head head;
    mc_indirect_draw draws[];
};
shared uint sums[MC_CULL_SCAN_SIZE];

void main() {
    uint me = gl_LocalInvocationIndex;
    uint run = (cull.block_count + MC_CULL_SCAN_SIZE - 1u) / MC_CULL_SCAN_SIZE;
    uint first = min(me * run, cull.block_count), end = min(first + run, cull.block_count);
    uint sum = 0;
    for (uint i = first; i < end; i++)
        sum += scan[i];
    sums[me] = sum;
    barrier();
    for (uint step = 1; step < MC_CULL_SCAN_SIZE; step *= 2) {
        uint before = me >= step ? sums[me - step] : 0;
        barrier();
        sums[me] += before;
        barrier();
    }
    uint place = sums[me] - sum, total = sums[MC_CULL_SCAN_SIZE - 1];
    for (uint i = first; i < end; i++) {
        uint count = scan[i];
        scan[i] = place;
        place += count;
    }
    uint draw_count = (cull.count + MC_DRAW_CHUNK - 1u) / MC_DRAW_CHUNK;
    for (uint i = me; i < draw_count; i += MC_CULL_SCAN_SIZE) {
        uint boxes = min(max(total, i * MC_DRAW_CHUNK) - i * MC_DRAW_CHUNK, MC_DRAW_CHUNK);
        draws[cull.first_draw + i].index_count = boxes * cull.index_count;
    }
    if (me == 0) head.translucent_count = total;
}
