// The layers of a pixel, blended from front to back over what is opaque: the nearest eight are
// sorted as they come, and where there are more, the next eight are looked for behind them.
#version 450
#include "shaders/columns.glsl"
#include "shaders/layers.glsl"

layout(push_constant, std430) uniform Push { mc_splat_draw draw; };
layout(set = 0, binding = MC_BINDING_FRAME, std140) uniform Frame { mc_frame_uniforms frame; };
MC_COLUMN(uvec4, pair, 0, utextureBuffer, MC_BINDING_LAYER_TEXELS, MC_BINDING_LAYERS) // of items
MC_COLUMN(uint, word, 0, utextureBuffer, MC_BINDING_LAYER_WORD_TEXELS, MC_BINDING_LAYER_HEADS)
layout(set = 0, binding = MC_BINDING_LAYER_NODES, std430) readonly buffer Nodes { uvec4 nodes[]; };
layout(set = 1, binding = 0) uniform sampler2D depths; // of what is opaque
layout(location = 0) out vec4 out_color;

layout(constant_id = 0) const uint kind = MC_LAYER_ANY; // of the tile

#define MOST_COUNT 8
#define LEAST_THROUGH (1.0 / 512.0) // what is behind so little light can't be seen

struct sorted_layers {
    float depth[MOST_COUNT]; // nearest, which is greatest, first
    uint color[MOST_COUNT];
    uint count; // also of those that are farther than the last
};

void clear(out sorted_layers sorted) {
    for (int i = 0; i < MOST_COUNT; i++) {
        sorted.depth[i] = -1.0;
        sorted.color[i] = 0u;
    }
    sorted.count = 0u;
}

// Into the first `size` of them. A depth below 0: nothing.
void insert(inout sorted_layers sorted, int size, float depth, uint color) {
    for (int i = 0; i < size; i++) {
        bool is_nearer = depth > sorted.depth[i];
        float other_depth = sorted.depth[i];
        uint other_color = sorted.color[i];
        sorted.depth[i] = is_nearer ? depth : other_depth;
        sorted.color[i] = is_nearer ? color : other_color;
        depth = is_nearer ? other_depth : depth;
        color = is_nearer ? other_color : color;
    }
}

// What is not before `before` was blended already, what is behind `behind` can't be seen.
void add(inout sorted_layers sorted, float depth, uint color, float behind, float before) {
    bool counts = depth >= behind && depth < before;
    sorted.count += counts ? 1u : 0u;
    insert(sorted, MOST_COUNT, counts ? depth : -1.0, color);
}

void blend(sorted_layers sorted, int size, inout vec3 light, inout float through) {
    for (int i = 0; i < size; i++) {
        vec4 color = unpack_layer(sorted.color[i]);
        float opacity = sorted.depth[i] < 0.0 ? 0.0 : color.a;
        light += color.rgb * (opacity * through);
        through *= 1.0 - opacity;
    }
}

#define HEAD_SIZE 20 // words of mc_layer_head

uint get_word(int word) { return load_word(word + HEAD_SIZE); }

// All items of a pixel, however many.
void blend_any(layer_words words_of, int pixel, uint count, float behind, inout vec3 light,
               inout float through) {
    uint list = count > draw.slot_count ? get_word(get_list_word(words_of, pixel)) : 0u;
    int pairs = int(min(count, draw.slot_count) + 1u) / 2;
    int first = pixel * int(draw.slot_count) / 2;
    float before = 2.0;
    bool has_more = true;
    while (has_more) {
        sorted_layers sorted;
        clear(sorted);
        for (int i = 0; i < pairs; i++) {
            uvec4 pair = load_pair(first + i);
            add(sorted, uintBitsToFloat(pair.y), pair.x, behind, before);
            bool has_second = uint(i) * 2u + 1u < count;
            add(sorted, has_second ? uintBitsToFloat(pair.w) : -1.0, pair.z, behind, before);
        }
        uint node = list;
        while (node != 0u && node <= draw.node_capacity) {
            uvec4 value = nodes[node - 1u];
            add(sorted, uintBitsToFloat(value.y), value.x, behind, before);
            node = value.z;
        }
        blend(sorted, MOST_COUNT, light, through);
        before = sorted.depth[MOST_COUNT - 1];
        has_more = sorted.count > uint(MOST_COUNT) && through > LEAST_THROUGH;
    }
}

// Up to `size` items, which lie side by side.
void blend_items(int size, int pixel, uint count, float behind, inout vec3 light,
                 inout float through) {
    sorted_layers sorted;
    clear(sorted);
    int first = pixel * int(draw.slot_count) / 2;
    for (int i = 0; i < size; i += 2) {
        uvec4 pair = load_pair(first + i / 2);
        vec2 depth = uintBitsToFloat(pair.yw);
        bvec2 counts = bvec2(uint(i) < count && depth.x >= behind,
                             uint(i) + 1u < count && depth.y >= behind);
        depth = mix(vec2(-1.0), depth, counts);
        insert(sorted, i + 1, depth.x, pair.x);
        insert(sorted, i + 2, depth.y, pair.z);
    }
    blend(sorted, size, light, through);
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    layer_words words_of = get_layer_words(frame.viewport.xy);
    int pixel = at.y * words_of.width + at.x;
    uint count = get_word(pixel);
    float behind = texelFetch(depths, at, 0).x;
    vec3 light = vec3(0.0);
    float through = 1.0;
    if (kind == MC_LAYER_FEW)
        blend_items(4, pixel, count, behind, light, through);
    else if (kind == MC_LAYER_SOME)
        blend_items(MOST_COUNT, pixel, count, behind, light, through);
    else
        blend_any(words_of, pixel, count, behind, light, through);
    out_color = vec4(light, 1.0 - through);
}
