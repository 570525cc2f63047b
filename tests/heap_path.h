// heap_path.h - a node of merged paths as one text.
#pragma once
#include "engine/heap/heap.h"

// The field by which it is referenced and its class: "Shop.cache -> java.util.HashMap".
static inline void test_append_path_node(const mc_heap *heap, const mc_paths *paths, uint32_t node,
                                         mc_text *text) {
    size_t begin = text->size;
    mc_heap_append_path_field(heap, paths, node, text);
    if (text->size > begin) mc_text_append_string(text, " -> ");
    mc_heap_append_path_class(heap, paths, node, text);
}
