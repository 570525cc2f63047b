// reference_counts.h - counts references between leaves one at a time, wherever they come from: the
// graph (references.h), or what a reader finds without one.
//
// Distinct objects are counted, so for every object the leaves that reference it must be
// remembered: the first few in a word of the caller's, the others in a set shared by all workers.
// Memory: up to 11 bytes for every leaf in the set. Threads: a counter, one; the set, all.
#pragma once
#include "engine/heap/pairs.h"

typedef struct mc_heap_reference_report {
    uint64_t count;          // references to objects in the heap
    uint64_t dangling_count; // to objects that it lacks
} mc_heap_reference_report;

// The source of a reference: leaf << 32 | link (heap.h).
typedef struct mc_heap_sources {
    uint64_t *items;
    size_t count, capacity;
    mc_heap_pairs known; // leaf, link -> where it is + 1
} mc_heap_sources;

typedef struct mc_heap_references {
    mc_heap_pairs pairs; // of leaves, sorted
    // By which fields: source << 32 | leaf that is referenced, sorted; points_to is the number of
    // references, each of them counted.
    mc_heap_pairs fields;
    mc_heap_sources sources;
    mc_heap_reference_report report;
} mc_heap_references;

void mc_heap_references_deinit(mc_heap_references *references);

// References of one leaf by one link to one leaf that are not in the tables yet.
typedef struct mc_heap_link_count {
    uint64_t key; // link << 32 | leaf that is referenced
    uint32_t leaf;
    uint32_t count, points_to, pointed_from; // as in the pairs
} mc_heap_link_count;
_Static_assert(sizeof(mc_heap_link_count) == 24, "thousands of them are to be at hand");

#define MC_HEAP_LINKS_AT_HAND 8192     // a power of two
#define MC_HEAP_REFERRERS_AT_HAND 4096 // a power of two

typedef struct mc_heap_reference_counter {
    mc_heap_references found;
    uint32_t *last_source; // by leaf: the last object that was seen to reference the leaf
    mc_heap_link_count links[MC_HEAP_LINKS_AT_HAND];
    uint64_t recent[MC_HEAP_REFERRERS_AT_HAND]; // object << 32 | leaf that are in the set
} mc_heap_reference_counter;

// `counter` is zeroed, and to be deinitialised in any case. False if memory is out.
bool mc_heap_reference_counter_init(mc_heap_reference_counter *counter, uint32_t leaf_count);
void mc_heap_reference_counter_deinit(mc_heap_reference_counter *counter);
// Adds what was found to `references`. Sort them in the end, sources too: then they do not depend
// on threads. False if memory is out.
bool mc_heap_reference_counter_end(mc_heap_reference_counter *counter,
                                   mc_heap_references *references);
bool mc_heap_references_sort(mc_heap_references *references);

typedef struct mc_heap_reference {
    uint32_t leaf, source; // who references: its leaf, and a number of the object, not 0
    uint32_t link, target; // by what, and the leaf that is referenced
} mc_heap_reference;

// Into the tables. False if memory is out.
bool mc_heap_put_link(mc_heap_references *found, const mc_heap_link_count *link);
// One multiplication, as mc_hash_u64() makes counting take 5 % longer: this is but a cache.
static inline uint32_t mc_heap_hash_link(uint32_t leaf, uint32_t link, uint32_t target) {
    const uint64_t key = (uint64_t)link << 32 | target;
    return (key ^ leaf) * UINT64_C(0x9e3779b97f4a7c15) >> 40 & (MC_HEAP_LINKS_AT_HAND - 1);
}
// The entry of a link at that place, which another one may have had. NULL: out of memory.
static inline mc_heap_link_count *mc_heap_get_link(mc_heap_reference_counter *counter, uint32_t at,
                                                   uint32_t leaf, uint32_t link, uint32_t target) {
    const uint64_t key = (uint64_t)link << 32 | target;
    mc_heap_link_count *recent = &counter->links[at];
    if (recent->key != key || recent->leaf != leaf || recent->count == UINT32_MAX) {
        if (!mc_heap_put_link(&counter->found, recent)) return NULL;
        *recent = (mc_heap_link_count){.key = key, .leaf = leaf};
    }
    return recent;
}

// Counts a reference. The references of one source object must be passed one after another.
// `at`: mc_heap_hash_link() of it, whose entry may have been fetched. `is_new_target`: no object of
// the leaf has referenced this target before. False if memory is out.
static inline bool mc_heap_count_reference(mc_heap_reference_counter *counter, uint32_t at,
                                           const mc_heap_reference *reference, bool is_new_target) {
    uint32_t *last_source = &counter->last_source[reference->target];
    mc_heap_link_count *recent =
        mc_heap_get_link(counter, at, reference->leaf, reference->link, reference->target);
    if (!recent) return false;
    recent->count++;
    recent->points_to += is_new_target;
    recent->pointed_from += *last_source != reference->source;
    *last_source = reference->source;
    counter->found.report.count++;
    return true;
}
// Counts a reference of a field that is not in the pointer maps.
bool mc_heap_count_link(mc_heap_reference_counter *counter, uint32_t leaf, uint32_t link,
                        uint32_t target);

// ---- who was seen to reference an object

// How many bits the number of a leaf takes, plus 1, if there are `count`: 32 at most.
static inline uint32_t mc_heap_measure_leaf(uint32_t count) {
    return count == 0 ? 1 : 32 - (uint32_t)__builtin_clz(count);
}

// Whether the first entry of such a range (below) is the leaf, as it mostly is: what is asked first
// takes a tenth less time in all.
static inline bool mc_heap_is_first_referrer(uint64_t word, uint32_t begin, uint32_t end,
                                             uint32_t width, uint32_t leaf) {
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    return begin < end && (word >> begin & mask) == leaf + UINT64_C(1);
}

// Searches the bits [begin, end) of a word for a leaf. The range consists of whole entries of
// `width` bits, each a leaf plus 1. Returns the position of `leaf` or, if *is_new, that of a free
// entry; `end`: neither.
static inline uint32_t mc_heap_find_referrer(uint64_t word, uint32_t begin, uint32_t end,
                                             uint32_t width, uint32_t leaf, bool *is_new) {
    const uint64_t mask = (UINT64_C(1) << width) - 1, value = leaf + UINT64_C(1);
    for (uint32_t shift = begin; shift < end; shift += width) {
        uint64_t known = word >> shift & mask;
        *is_new = known == 0;
        if (known == 0 || known == value) return shift;
    }
    return end;
}

// Records a referring leaf that did not fit in the word. False if memory is out.
bool mc_heap_note_referrer(mc_heap_reference_counter *counter, mc_heap_seen *seen, uint32_t object,
                           uint32_t leaf, bool *is_new);
