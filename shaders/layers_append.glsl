// layers_append.glsl - how items get into the layers of their pixels.
#ifndef MC_LAYERS_APPEND_GLSL
#define MC_LAYERS_APPEND_GLSL

#include "shaders/boxes.glsl"
#include "shaders/seen_layer.glsl"

layout(local_size_x = MC_SPLAT_GROUP_SIZE) in;
layout(constant_id = 0) const bool looks_behind = false; // at the visibility buffer
layout(constant_id = 1) const bool with_outlines = true; // of some buildings

layout(push_constant, std430) uniform Push { mc_splat_draw draw; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
MC_COLUMN(uvec2, visible, 0, utextureBuffer, MC_BINDING_VISIBLE_TEXELS, MC_BINDING_VISIBLE)
layout(set = 0, binding = MC_BINDING_LAYERS, std430) writeonly buffer Layers { uint64_t layers[]; };
layout(set = 0, binding = MC_BINDING_LAYER_HEADS, std430) buffer Heads {
    mc_layer_head head;
    uint words[];
};
layout(set = 0, binding = MC_BINDING_LAYER_NODES, std430) buffer Nodes { uvec4 nodes[]; };

// Of the push constants, before a loop; see get_rays().
struct layer_room {
    uint epoch, slot_count, node_capacity;
};

layer_room get_room() { return layer_room(draw.epoch, draw.slot_count, draw.node_capacity); }

bool is_hidden(layer_room room, int pixel, float depth) {
    if (!looks_behind) return false;
    uvec2 value = load_visible(pixel);
    return get_visible_epoch(value) == room.epoch && get_visible_depth(value) > depth;
}

// What does not fit is counted: the next frame has room for it.
void append(layer_room room, layer_words words_of, int pixel, uint color, float depth) {
    uvec2 item = uvec2(color, floatBitsToUint(depth));
    uint slot = atomicAdd(words[pixel], 1u);
    if (slot < room.slot_count) {
        layers[uint(pixel) * room.slot_count + slot] = packUint2x32(item);
    } else {
        uint node = atomicAdd(head.node_count, 1u);
        if (node < room.node_capacity) {
            uint next = atomicExchange(words[get_list_word(words_of, pixel)], node + 1u);
            nodes[node] = uvec4(item, next, 0u);
        }
    }
}

#endif
