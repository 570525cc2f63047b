// Tiles of one kind as squares.
#version 450
#include "shaders/layers.glsl"

layout(constant_id = 0) const uint kind = MC_LAYER_ANY;
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_LAYER_HEADS, std430) readonly buffer Heads {
    mc_layer_head head;
    uint words[];
};

const uint corners[6] = uint[](0, 2, 1, 1, 2, 3);

void main() {
    layer_words words_of = get_layer_words(frame.viewport.xy);
    uint slot = uint(gl_VertexIndex) / 6u, corner = corners[uint(gl_VertexIndex) - slot * 6u];
    int tile = int(words[get_kind_word(words_of, kind, slot)]);
    ivec2 at = ivec2(tile % words_of.tile_width, tile / words_of.tile_width);
    vec2 pixel = vec2((at + ivec2(corner & 1u, corner >> 1)) * MC_LAYER_TILE);
    gl_Position = vec4(pixel * frame.viewport.zw * 2.0 - 1.0, 0.0, 1.0);
}
