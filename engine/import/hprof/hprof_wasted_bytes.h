// hprof_wasted_bytes.h - counts the bytes that a heap's objects waste, by leaf and kind.
//
// No byte counts for two kinds. No content is kept: arrays are compared by 96-bit hashes, whose
// seeds differ from run to run. Among equal arrays, the one with the lowest id is not counted as
// waste; which one it is matters if leaves depend on more than the type. The array of a string
// builder is compared with none, since its content would still have changed. One pass over the
// heap, and one more if there are such builders. Memory: a few numbers per leaf and thread, 16 to
// 43 bytes for each distinct primitive array, and up to 64 per builder. Threads: see hprof_crew.h.
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
