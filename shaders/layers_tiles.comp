// Sorts tiles by what their pixels see, so that each is blended by no more than it takes: a software driver
// runs all that a shader may have to do for every pixel. One invocation a tile.
#version 450
#include "shaders/layers.glsl"

layout(local_size_x = MC_SPLAT_GROUP_SIZE) in;

layout(push_constant, std430) uniform Push { mc_splat_draw draw; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_LAYER_HEADS, std430) buffer Heads {
    mc_layer_head head;
    uint words[];
};

void main() {
    layer_words words_of = get_layer_words(frame.viewport.xy);
    int index = int(gl_GlobalInvocationID.x);
    if (index < MC_LAYER_KIND_COUNT) head.draws[index].instance_count = 1u;
    if (index >= words_of.tile_count) return;
    ivec2 tile = ivec2(index % words_of.tile_width, index / words_of.tile_width);
    ivec2 first = tile * MC_LAYER_TILE;
    ivec2 last = min(first + MC_LAYER_TILE, ivec2(frame.viewport.xy)) - 1;
    uint most = 0u;
    for (int y = first.y; y <= last.y; y++)
        for (int x = first.x; x <= last.x; x++)
            most = max(most, words[y * words_of.width + x]);
    if (most == 0u) return;
    uint kind = most > draw.slot_count ? MC_LAYER_ANY : most > 4u ? MC_LAYER_SOME : MC_LAYER_FEW;
    uint slot = atomicAdd(head.draws[kind].vertex_count, 6u) / 6u;
    words[get_kind_word(words_of, kind, slot)] = uint(index);
}
