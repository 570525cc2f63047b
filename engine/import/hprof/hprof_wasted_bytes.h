// hprof_wasted_bytes.h - what a heap's objects take and need not.
//
// Counted by leaf and kind; no byte is of two kinds. No value is kept: arrays are compared by
// hashes of 96 bits, whose seeds differ from run to run. Which of equal arrays is the one that is
// not wasted matters where leaves depend on more than the type: it is the first by id. An array of
// a builder of strings is compared with none, as it would have become another. One walk over the
// heap, and one more if there are such builders. Memory: a few numbers a leaf and thread, 16 to 43
// bytes for each different primitive array, and up to 64 a builder. Threads: see hprof_crew.h.
#pragma once
#include "engine/import/hprof/hprof_collections.h"
#include "engine/import/hprof/hprof_heap.h"

typedef enum mc_hprof_wasted_bytes_kind {
    MC_HPROF_WASTED_BYTES_EMPTY_SLOTS,       // null elements of arrays of objects; bytes of such
                                             // references
    MC_HPROF_WASTED_BYTES_EMPTY_COLLECTIONS, // without an element; the collection's own size
    MC_HPROF_WASTED_BYTES_DUPLICATES, // primitive arrays that equal another one; all but one of
                                      // each
    MC_HPROF_WASTED_BYTES_BOXED,      // Integer, Long …; their own size
    MC_HPROF_WASTED_BYTES_BUILDERS,   // arrays of a StringBuilder or StringBuffer; bytes that are
                                      // unused
    MC_HPROF_WASTED_BYTES_COUNT
} mc_hprof_wasted_bytes_kind;

extern const char *const mc_hprof_wasted_bytes_names[MC_HPROF_WASTED_BYTES_COUNT]; // "empty slots"

typedef struct mc_hprof_wasted_bytes {
    mc_group_sum *sums; // [leaf * MC_HPROF_WASTED_BYTES_COUNT + kind]
    uint32_t leaf_count;
} mc_hprof_wasted_bytes;

// `heap` is open; if its leaves are divided by data structures, it has its ids. To be deinitialised
// in any case.
mc_result mc_hprof_wasted_bytes_init(mc_hprof_wasted_bytes *waste, mc_hprof_heap *heap,
                                     mc_error *error);
void mc_hprof_wasted_bytes_deinit(mc_hprof_wasted_bytes *waste);

static inline mc_group_sum mc_hprof_wasted_bytes_get(const mc_hprof_wasted_bytes *waste,
                                                     uint32_t leaf,
                                                     mc_hprof_wasted_bytes_kind kind) {
    return waste->sums[(size_t)leaf * MC_HPROF_WASTED_BYTES_COUNT + kind];
}
