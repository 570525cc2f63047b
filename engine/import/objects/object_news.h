// object_news.h - which objects of a series of heaps are new since the first one, by their ids.
//
// For runtimes whose ids are stable: an object keeps its id as long as its process runs, and no
// other one gets it. Heaps of another process are told by types that ids don't have any more.
// Memory: 16 bytes an object of the first heap. Threads: one.
#pragma once
#include "engine/import/objects/object_heap.h"
#include "engine/trace/step_tree.h"

typedef struct mc_object_news {
    struct mc_object_id *known; // of the first heap, by id
    size_t count;
    bool is_begun, is_over; // is_over: some heap was of another process
} mc_object_news;

void mc_object_news_deinit(mc_object_news *news);
// Of a heap that has ended, linked or not; the first one is remembered. Then `sums`, an entry a
// leaf, for mc_free(): how many objects are new; NULL: not known. False: out of memory.
bool mc_object_news_count(mc_object_news *news, const mc_object_heap *heap, uint64_t **sums);
// The metric MC_METRIC_NEW. `tree_nodes`: as of step.h. False: out of memory.
bool mc_object_news_add(const mc_object_heap *heap, const uint64_t *sums,
                        const uint32_t *tree_nodes, mc_step_tree *tree);
