// v8_heap.h - the nodes and edges of a V8 heap snapshot as columns, and what its functions, scripts
// and classes are called.
//
// Memory: 22 bytes a node, 9 an edge. Threads: filling, as many as requested; asking, any.
#pragma once
#include "engine/import/objects/object_heap.h"
#include "engine/import/v8/v8_file.h"

typedef struct mc_v8_heap {
    mc_v8_file file;
    uint32_t node_count, edge_count;
    uint8_t *node_kinds, *detached; // by node: mc_v8_node_kind
    uint32_t *node_names;           // likewise: strings
    uint64_t *node_ids, *node_sizes;
    uint64_t *edge_begins; // by node, and one more
    uint8_t *edge_kinds;   // by edge: mc_v8_edge_kind
    mc_object_edge *edges; // likewise: the target's node, and the name or number
    // Strings that edges of the engine's own have; MC_NONE: none has.
    struct {
        uint32_t shared, context, script, old_script, proto, constructor;
    } names;
    struct mc_v8_line *lines; // of functions, by node
    size_t line_count;
} mc_v8_heap;

// `is_mapped`: data is a mapped file. To be deinitialised in any case. MC_ERROR_BAD_DATA if edges
// lead nowhere.
mc_result mc_v8_heap_init(mc_v8_heap *heap, const unsigned char *data, uint64_t size,
                          uint32_t thread_count, bool is_mapped, mc_error *error);
void mc_v8_heap_deinit(mc_v8_heap *heap);

// The target of the first edge of that kind and name; MC_NONE: there is none. O(edges of it).
uint32_t mc_v8_heap_find_target(const mc_v8_heap *heap, uint32_t node, mc_v8_edge_kind kind,
                                uint32_t name);
// The script that a function was made in; MC_NONE: not known, as of what the engine has built in.
uint32_t mc_v8_heap_find_script(const mc_v8_heap *heap, uint32_t closure);
// Appends "handle (leak.js:6)", "a function (leak.js:6)", "push (native)".
void mc_v8_heap_append_function(const mc_v8_heap *heap, uint32_t closure, mc_text *text);
// The line of a function, from 1; 0: not known. O(log functions).
uint32_t mc_v8_heap_find_line(const mc_v8_heap *heap, uint32_t closure);
// Line and column of a function as a number that orders functions of a file as its source does, as
// far as the snapshot has them; 0: not known. O(log functions).
uint64_t mc_v8_heap_find_position(const mc_v8_heap *heap, uint32_t closure);
