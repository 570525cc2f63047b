// The layers of a pixel, blended from front to back over what is opaque: the nearest eight are sorted
// as they come, and where there are more, the next eight are looked for behind them.
#version 450
#include "shaders/boxes.glsl"
#include "shaders/seen_layer.glsl"

layout(push_constant, std430) uniform Push { mc_splat_draw draw; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
layout(set = 0, binding = MC_BINDING_LAYER_TEXELS) uniform utextureBuffer items;
layout(set = 0, binding = MC_BINDING_LAYER_WORD_TEXELS) uniform utextureBuffer words;
layout(set = 0, binding = MC_BINDING_LAYER_NODES, std430) readonly buffer Nodes { uvec4 nodes[]; };
layout(set = 1, binding = 0) uniform sampler2D depths; // of what is opaque
layout(location = 0) out vec4 out_color;

#define SORTED_COUNT 8
#define LEAST_THROUGH (1.0 / 512.0) // what is behind so little light can't be seen

struct sorted_layers {
    float depth[SORTED_COUNT]; // nearest, which is greatest, first
    uint color[SORTED_COUNT];
    uint count; // also of those that are farther than the last
};

// What is not before `before` was blended already, what is behind `behind` can't be seen.
void add(inout sorted_layers sorted, float depth, uint color, float behind, float before) {
    bool counts = depth >= behind && depth < before;
    sorted.count += counts ? 1u : 0u;
    depth = counts ? depth : -1.0;
    for (int i = 0; i < SORTED_COUNT; i++) {
        bool is_nearer = depth > sorted.depth[i];
        float other_depth = sorted.depth[i];
        uint other_color = sorted.color[i];
        sorted.depth[i] = is_nearer ? depth : other_depth;
        sorted.color[i] = is_nearer ? color : other_color;
        depth = is_nearer ? other_depth : depth;
        color = is_nearer ? other_color : color;
    }
}

uint get_word(int word) { return texelFetch(words, word + 4).x; } // after mc_layer_head

void add_box(inout sorted_layers sorted, uint index, vec3 ray, float behind, float before) {
    seen_box box = load_box(index, frame.eye.xyz);
    vec3 to_low = box.low / ray, to_high = box.high / ray;
    vec3 enter = min(to_low, to_high), leave = max(to_low, to_high);
    float first = max(enter.x, max(enter.y, enter.z));
    float last = min(leave.x, min(leave.y, leave.z));
    uint axis = first == enter.y ? MC_AXIS_Y : first == enter.x ? MC_AXIS_X : MC_AXIS_Z;
    if (first < last && first > frame.eye.w) {
        float depth = clamp(frame.ray_origin.w + frame.ray_x.w / first, 0.0, 1.0);
        uint color = shade_layer(frame, axis, box.low, box.high, load_color(index),
                                 index == frame.marks.x, ray);
        add(sorted, depth, color, behind, before);
    }
}

void add_boxes(inout sorted_layers sorted, uint node, vec3 ray, float behind, float before) {
    while (node != 0u && node <= draw.node_capacity) {
        uvec4 value = nodes[node - 1u];
        add_box(sorted, value.x, ray, behind, before);
        node = value.z;
    }
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    layer_words words_of = get_layer_words(frame.viewport.xy);
    int pixel = at.y * words_of.width + at.x;
    uint count = get_word(pixel);
    uint tile = get_word(get_tile_word(words_of, at / MC_LAYER_TILE));
    uint wide = get_word(get_wide_word(words_of, at / MC_LAYER_WIDE_TILE));
    if (count == 0u && tile == 0u && wide == 0u) discard;
    uint list = count > draw.slot_count ? get_word(get_list_word(words_of, pixel)) : 0u;
    count = min(count, draw.slot_count);
    float behind = texelFetch(depths, at, 0).x, before = 2.0;
    vec3 ray = get_ray(frame, vec2(at)), light = vec3(0.0);
    float through = 1.0;
    bool has_more = true;
    while (has_more) {
        sorted_layers sorted;
        for (int i = 0; i < SORTED_COUNT; i++) {
            sorted.depth[i] = -1.0;
            sorted.color[i] = 0u;
        }
        sorted.count = 0u;
        for (uint i = 0u; i < count; i++) {
            uvec2 item = texelFetch(items, pixel * int(draw.slot_count) + int(i)).xy;
            add(sorted, uintBitsToFloat(item.y), item.x, behind, before);
        }
        uint node = list;
        while (node != 0u && node <= draw.node_capacity) {
            uvec4 value = nodes[node - 1u];
            add(sorted, uintBitsToFloat(value.y), value.x, behind, before);
            node = value.z;
        }
        add_boxes(sorted, tile, ray, behind, before);
        add_boxes(sorted, wide, ray, behind, before);
        for (int i = 0; i < SORTED_COUNT; i++) {
            vec4 color = unpack_layer(sorted.color[i]); // nothing where there is none
            light += color.rgb * (color.a * through);
            through *= 1.0 - color.a;
        }
        before = sorted.depth[SORTED_COUNT - 1];
        has_more = sorted.count > uint(SORTED_COUNT) && through > LEAST_THROUGH;
    }
    out_color = vec4(light, 1.0 - through);
}
