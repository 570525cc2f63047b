// hprof_wasted_bytes.h - counts the bytes that a heap's objects waste, by leaf and kind.
//
// No byte counts for two kinds. No content is kept: arrays are compared by 96-bit hashes, whose
// seeds differ from run to run. Among equal arrays, the one with the lowest id is not counted as
// waste; which one it is matters if leaves depend on more than the type. The array of a string
// builder is compared with none, since its content would still have changed. One pass over the
// heap, and one more over its parts with such builders. Memory: a few numbers per leaf and thread,
// 16 to 43 bytes for each distinct primitive array, and up to 64 per builder. Threads: see
// hprof_crew.h.
#pragma once
#include "engine/heap/step.h"
#include "engine/import/hprof/hprof_dump.h"

// `dump` is open; if its leaves are divided by data structures, it has its ids. The caller frees
// *sums, [leaf * MC_HEAP_WASTE_COUNT + kind], with mc_free(); NULL on failure.
mc_result mc_hprof_count_wasted_bytes(mc_hprof_dump *dump, mc_group_sum **sums, mc_error *error);

// The same in somebody else's pass over all items of the heap: begin, add each item, by workers of
// the dump's crew; end; destroy in any case. Leaves are not divided.
typedef struct mc_hprof_waste mc_hprof_waste;
mc_result mc_hprof_waste_begin(mc_hprof_waste **waste, mc_hprof_dump *dump, mc_error *error);
// False if memory is out. Threads: workers.
bool mc_hprof_waste_add(mc_hprof_waste *waste, uint32_t worker, mc_hprof_kind kind,
                        const mc_hprof_item *item);
// Whether instances of a class, by its index, need to be added.
bool mc_hprof_waste_asks(const mc_hprof_waste *waste, uint32_t class);
mc_result mc_hprof_waste_end(mc_hprof_waste *waste, mc_group_sum **sums, mc_error *error);
void mc_hprof_waste_destroy(mc_hprof_waste *waste); // NULL is fine
