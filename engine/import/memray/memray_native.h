// memray_native.h - the native frames of a recording of memray, each as a place in a file.
//
// A recording has instruction pointers, and lists of which file is mapped where. A stack is found
// as it was when it allocated: it is a node of a tree as in memray_stacks.h, of frames that stay
// the same wherever a file is mapped. What lies in no file is left out. Zero-initialise; deinit.
// Memory: frames, stacks and lists. Threads: one.
#pragma once
#include "engine/import/memray/memray_stacks.h"

typedef struct mc_memray_segment {
    uint64_t begin, end; // addresses
    uint64_t base;       // from which the file counts its own
    uint32_t module;     // a text
} mc_memray_segment;

typedef struct mc_memray_images {
    size_t begin, end; // of `segments`
    bool is_sorted;
} mc_memray_images;

typedef struct mc_memray_pointer {
    uint64_t address, parent;
    uint64_t generation; // for which `node` is known; 0: for none
    uint32_t node;
} mc_memray_pointer;

typedef struct mc_memray_place {
    uint32_t module;  // a text
    uint64_t address; // as the file counts them, of the call
} mc_memray_place;

typedef struct mc_memray_native {
    mc_strings texts;
    mc_memray_segment *segments;
    size_t segment_count, segment_capacity;
    mc_memray_images *images; // lists of mapped files
    size_t images_count, images_capacity;
    uint32_t module; // the last file
    uint64_t base;
    mc_memray_pointer *pointers;
    size_t pointer_count, pointer_capacity;
    mc_memray_place *places;
    size_t place_count, place_capacity;
    mc_slots place_slots;
    mc_memray_node *nodes; // of places; the first is none
    size_t node_count, node_capacity;
    mc_slots node_slots;
} mc_memray_native;

void mc_memray_native_deinit(mc_memray_native *native);
uint64_t mc_memray_native_measure(const mc_memray_native *native); // bytes

// Takes a record of native frames or of mapped files. `expected` says what should have stood there
// if the result is MC_ERROR_BAD_DATA; else it is MC_OK or MC_ERROR_OUT_OF_MEMORY.
mc_result mc_memray_native_add(mc_memray_native *native, const mc_memray_record *record,
                               const char **expected);

// The node of the stack of the pointer `number` (from 1 on; 0: none) by the files of a list, from 1
// on. Results as above. O(1) for one that was found before, else O(depth log segments).
mc_result mc_memray_native_find(mc_memray_native *native, uint64_t number, uint64_t generation,
                                uint32_t *node, const char **expected);
