// Tiles that have strands as squares.
#version 450
#include "shaders/strands.glsl"

layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_STRAND_WORDS, std430) readonly buffer Words {
    mc_strand_head head;
    uint words[];
};
layout(push_constant, std430) uniform Push { mc_frustum_draw draw; };
layout(location = 0) flat out vec4 out_look; // phase of arrows, their gray, opacity behind something
layout(location = 1) flat out ivec2 out_counts; // the picture's width, pieces

const uint corners[6] = uint[](0, 2, 1, 1, 2, 3);

void main() {
    strand_words words_of = get_strand_words(frame.viewport.xy);
    uint slot = uint(gl_VertexIndex) / 6u, corner = corners[uint(gl_VertexIndex) - slot * 6u];
    int tile = int(words[words_of.list + int(slot)]);
    ivec2 at = ivec2(tile % words_of.tiles.x, tile / words_of.tiles.x);
    vec2 pixel = vec2((at + ivec2(corner & 1u, corner >> 1)) * MC_STRAND_TILE);
    gl_Position = vec4(pixel * frame.viewport.zw * 2.0 - 1.0, 0.0, 1.0);
    out_look = vec4(frame.frustum_look.x * 0.8, frame.frustum_look.w, draw.opacity, 0.0);
    out_counts = ivec2(int(frame.viewport.x), int(draw.piece_count));
}
