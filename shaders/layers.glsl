// layers.glsl - what the layer pass keeps of translucent boxes.
//
// An item is what a pixel sees of a box: its colour and depth. The first few of a pixel lie side by
// side, the others in a list of nodes.
#ifndef MC_LAYERS_GLSL
#define MC_LAYERS_GLSL

#include "shaders/shared/frame_types.h"

// Where the words of a kind begin, after those of the kinds before: number of items by pixel, list
// by pixel, numbers of the tiles of each kind. A list is the number of its first node plus 1, or 0.
struct layer_words {
    int pixel_count, width, tile_width, tile_count;
};

layer_words get_layer_words(vec2 viewport) {
    ivec2 size = ivec2(viewport), tiles = (size + MC_LAYER_TILE - 1) / MC_LAYER_TILE;
    return layer_words(size.x * size.y, size.x, tiles.x, tiles.x * tiles.y);
}

int get_list_word(layer_words words, int pixel) { return words.pixel_count + pixel; }
int get_kind_word(layer_words words, uint kind, uint slot) {
    return words.pixel_count * 2 + int(kind) * words.tile_count + int(slot);
}

// Colours are linear; their roots spread the eight bits about as sRGB does.
uint pack_layer(vec3 color, float opacity) {
    return packUnorm4x8(vec4(sqrt(max(color, vec3(0.0))), opacity));
}

vec4 unpack_layer(uint packed) {
    vec4 value = unpackUnorm4x8(packed);
    return vec4(value.rgb * value.rgb, value.a);
}

#endif
