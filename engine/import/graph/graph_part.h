// graph_part.h - reads a part of a graph's rows into columns, apart from all others, so that
// several threads read a file.
//
// What types and fields are called are words of the part: 0, 1, 2 … in the order in which they
// come. Untrusted input. Threads: separate parts in parallel.
#pragma once
#include "engine/import/graph/graph_ids.h"
#include "engine/import/graph/graph_rows.h"

typedef struct mc_graph_part_root {
    uint32_t object, name; // name: a word; MC_NONE: none
    mc_root_kind kind;
} mc_graph_part_root;

// What a word is.
typedef enum mc_graph_word_kind {
    MC_GRAPH_WORD_TYPE,
    MC_GRAPH_WORD_LABEL,
    MC_GRAPH_WORD_ROOT
} mc_graph_word_kind;

typedef struct mc_graph_word {
    mc_graph_word_kind kind;
    uint32_t flags; // of a type (object_heap.h); of a label its mc_heap_link_kind
    mc_heap_key keys[MC_HEAP_LEVELS_MAX]; // of a type; of others the first is the text
    mc_heap_key title;
} mc_graph_word;

#define MC_GRAPH_RECENT 64u // words that are found without being hashed
#define MC_GRAPH_BATCH 256u // references whose ends are found at once

typedef struct mc_graph_recent {
    uint32_t word; // MC_NONE: empty
    uint32_t flags;
    mc_heap_key cells[MC_HEAP_LEVELS_MAX + 2];
} mc_graph_recent;

typedef struct mc_graph_pending { // a reference
    mc_heap_key field;
    mc_heap_link_kind kind;
    bool is_lasting; // the field is in the file, not in the row's scratch
} mc_graph_pending;

// Zero-initialise; read as often as needed, with other lines too; deinit.
typedef struct mc_graph_part {
    // Found.
    mc_graph_rows rows; // as they are behind the last line; `section` is that at its end
    mc_result result;   // BAD_DATA: what is in the columns stands before the row that is wrong
    mc_error error;
    mc_strings words;
    uint64_t *ids, *sizes; // by object
    uint32_t *types;       // likewise; words
    uint32_t object_count;
    uint32_t *sources, *targets; // by reference; objects of the heap
    uint32_t *labels;            // likewise; words, MC_NONE: no name
    uint32_t edge_count;
    mc_graph_part_root *roots;
    uint32_t root_count;
    uint64_t dangling_count;
    // The caller's: by word what it is in the heap.
    uint32_t *map;
    size_t map_capacity;
    // Scratch.
    size_t id_capacity, size_capacity, type_capacity;
    size_t source_capacity, target_capacity, label_capacity, root_capacity;
    mc_text key;
    mc_graph_recent recent[MC_GRAPH_RECENT];
    mc_graph_pending pending[MC_GRAPH_BATCH];
    uint64_t pending_ids[2 * MC_GRAPH_BATCH]; // from, to
    uint32_t pending_count;
    const mc_graph_ids *found;
} mc_graph_part;

// Reads lines [begin, end) of `whole`, below `section`: objects, or, if `ids` is not NULL,
// references and roots. See `result`.
void mc_graph_part_read(mc_graph_part *part, const mc_graph_rows *whole, const char *begin,
                        const char *end, const mc_graph_section *section, const mc_graph_ids *ids);
void mc_graph_part_deinit(mc_graph_part *part);
// Valid until the part is read again.
mc_graph_word mc_graph_part_get_word(const mc_graph_part *part, uint32_t word);
