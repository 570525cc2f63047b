// Room for the pieces of each tile, and a list of the tiles that have any. One invocation a tile.
#version 450
#include "shaders/strands.glsl"

layout(local_size_x = MC_STRAND_GROUP_SIZE) in;

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_STRAND_WORDS, std430) buffer Words {
    mc_strand_head head;
    uint words[];
};
layout(push_constant, std430) uniform Push { mc_frustum_draw draw; };

const uint tiles = MC_STRAND_GROUP_SIZE / MC_STRAND_TILE; // of a group of the splat

void main() {
    strand_words words_of = get_strand_words(frame.viewport.xy);
    int tile = int(gl_GlobalInvocationID.x);
    if (tile == 0) {
        head.draw.instance_count = 1u;
        head.one = head.one_more = 1u;
    }
    if (tile >= words_of.count) return;
    uint count = 0u;
    for (int i = 0; i < MC_STRAND_SLICES; i++)
        count += words[tile * MC_STRAND_SLICES + i];
    if (count == 0u) return;
    uint next = min(atomicAdd(head.item_count, count), draw.capacity);
    words[words_of.begins + tile] = next;
    for (int i = 0; i < MC_STRAND_SLICES; i++) {
        uint slice = words[tile * MC_STRAND_SLICES + i];
        words[tile * MC_STRAND_SLICES + i] = next;
        next += slice;
    }
    uint slot = atomicAdd(head.draw.vertex_count, 6u) / 6u;
    words[words_of.list + int(slot)] = uint(tile);
    if (slot % tiles == 0u) atomicAdd(head.group_count, 1u);
}
