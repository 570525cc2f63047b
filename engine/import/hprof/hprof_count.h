// hprof_count.h - the first pass over a heap: counts the objects of each class, and collects the
// class descriptions and the objects' ids.
//
// Memory: an entry per class and worker, and a set of ids. Threads: see hprof_crew.h.
#pragma once
#include "engine/import/hprof/hprof_file.h"
#include "engine/import/hprof/hprof_ids.h"
#include "engine/import/hprof/hprof_scan.h"
#include "engine/import/hprof/hprof_sizes.h"

// Arrays, so that the memory they take can be computed for any model later: what is lost to
// alignment depends on the remainder of the number of elements (exact up to alignments of 32).
#define MC_HPROF_REMAINDERS 32
typedef struct mc_hprof_array_count {
    uint64_t count, elements;
    uint64_t by_remainder[MC_HPROF_REMAINDERS]; // of the number of elements
} mc_hprof_array_count;

// Stacks of virtual threads that wait: which of an instance's fields says how many words one has is
// not known while they are counted, so all are tried that may be. As arrays of words, with the
// bitmap of their references behind them: of compressed ones, and of others.
#define MC_HPROF_STACK_INTS 8

// Such a stack in words of 8 bytes, with the bitmap.
static inline uint32_t mc_hprof_count_stack_words(uint32_t words, bool is_compressed) {
    if (words > INT32_MAX) words = 0;
    // a bit for each place where a reference may be
    return words + (is_compressed ? (words + 31) / 32 : (words + 63) / 64);
}

// Objects of one class.
typedef struct mc_hprof_tally {
    uint64_t class_id;
    uint64_t instance_count;
    uint64_t field_size;     // of all instances in the dump
    uint64_t most_size;      // of one
    uint64_t least_distance; // from an instance to the object behind it in memory
    uint64_t parts;          // of the batches that have instances (mc_hprof_get_part())
    uint32_t array;          // in `arrays`; MC_NONE: no arrays
} mc_hprof_tally;

// Batches come in up to 64 parts, a bit each, so that those that have instances of a class are
// known.
static inline uint64_t mc_hprof_get_part(size_t batch, size_t batch_count) {
    return UINT64_C(1) << batch * 64 / batch_count;
}

// The objects of a batch: the least and the greatest id; the least is greater if there are none.
typedef struct mc_hprof_span {
    uint64_t first, last;
    uint64_t object_count;
} mc_hprof_span;

typedef struct mc_hprof_tallies {
    mc_hprof_tally *items;
    size_t count, capacity;
    mc_hprof_table by_class;
    mc_hprof_array_count *arrays; // of objects
    size_t array_count, array_capacity;
    mc_hprof_array_count primitives[MC_HPROF_TYPE_COUNT];
    uint64_t stack_class; // the id of MC_HPROF_STACK_CLASS; 0: there is none
    mc_hprof_array_count stacks[MC_HPROF_STACK_INTS][2];
    mc_hprof_span *spans;    // by batch
    uint64_t *class_records; // offsets of class dumps
    size_t record_count, record_capacity;
    // how well the models explain where arrays end: arrays that do at the next object, and that
    // would reach into it
    mc_hprof_model models[MC_HPROF_MODELS_MAX];
    uint32_t model_count;
    uint64_t fitting[MC_HPROF_MODELS_MAX], overlapping[MC_HPROF_MODELS_MAX];
    mc_hprof_ids ids;
    uint64_t all_ids; // or-ed
    uint64_t object_count;
    mc_hprof_damage damage;
} mc_hprof_tallies;

void mc_hprof_tallies_deinit(mc_hprof_tallies *tallies);

// Fills `tallies`, which is zeroed: class records and classes in the file's order. Ranges are
// shortened to what could be read. `has_ids`: also gathers the ids.
mc_result mc_hprof_count(mc_hprof_file *file, const mc_hprof_batch *batches, size_t batch_count,
                         bool has_ids, mc_hprof_crew *crew, mc_hprof_tallies *tallies,
                         mc_error *error);

// What such arrays take together, with `head` bytes before the elements. O(1).
uint64_t mc_hprof_measure_arrays(const mc_hprof_array_count *arrays, uint32_t head, uint32_t width,
                                 uint32_t alignment);
