// hprof_ids.h - the set of object ids, and a number for each object: its rank in the order of ids.
//
// Ids are mostly addresses: multiples of 8 in a few dense areas. So a set stores only those lines
// of 512 possible ids that contain an object: a bitmap and the number of the line's first object,
// 80 bytes. For a real heap that is less than 1 byte per object, wherever in 64 bits it lies. Every
// worker fills a set of its own; merging them sorts the lines and numbers the objects. Threads:
// finding, any number; otherwise one per set.
#pragma once
#include "engine/base/base.h"
#include "engine/base/bits.h"

#define MC_HPROF_LINE_BITS 9
#define MC_HPROF_LINE_WORDS 8
#define MC_HPROF_RANK_BITS 10

typedef struct mc_hprof_line {
    uint64_t number; // the ids' common upper part
    uint64_t bits[MC_HPROF_LINE_WORDS];
    uint32_t first_object;
    uint32_t ranks; // objects in the words before the third, fifth and seventh: ten bits each
} mc_hprof_line;    // a search reads two cache lines at most
_Static_assert(sizeof(mc_hprof_line) == 80, "what a line of ids takes in memory");

typedef struct mc_hprof_ids {
    uint32_t shift; // ids are multiples of 1 << shift; set before the first is added
    uint64_t all;   // all ids, or-ed: those that were refused, too
    mc_hprof_line *lines;
    size_t line_count, line_capacity;
    uint32_t *slots; // lines by hash, or, where they are dense, by number; MC_NONE is free
    size_t slot_count;
    uint64_t seed, first_number;
    bool is_direct;
    uint32_t last_line; // that was added to
    uint64_t object_count;
    uint64_t repeated_count; // ids that were added once more
} mc_hprof_ids;

void mc_hprof_ids_deinit(mc_hprof_ids *ids);

// Goes to the line of the id if it is not the current one. False if memory is out.
bool mc_hprof_ids_change_line(mc_hprof_ids *ids, uint64_t number);

// False if memory is out. An id that is no multiple of 1 << shift is refused: see `all`.
static inline bool mc_hprof_ids_add(mc_hprof_ids *ids, uint64_t id) {
    uint64_t place = id >> ids->shift, number = place >> MC_HPROF_LINE_BITS;
    ids->all |= id;
    if ((ids->line_count == 0 || ids->lines[ids->last_line].number != number) &&
        !mc_hprof_ids_change_line(ids, number))
        return false;
    uint64_t *word = &ids->lines[ids->last_line].bits[place >> 6 & (MC_HPROF_LINE_WORDS - 1)];
    uint64_t bit = UINT64_C(1) << (place & 63);
    if (*word & bit) ids->repeated_count++;
    *word |= bit;
    return true;
}

// Moves what `count` sets of one shift hold into an empty one, and numbers the objects.
// MC_ERROR_UNSUPPORTED if there are more than 2^32 - 2.
mc_result mc_hprof_ids_merge(mc_hprof_ids *merged, mc_hprof_ids *sets, uint32_t count,
                             mc_error *error);

// For merged sets. The three steps of a search, apart, so that many can be under way at a time.
static inline size_t mc_hprof_ids_get_slot(const mc_hprof_ids *ids, uint64_t number) {
    if (ids->is_direct) {
        uint64_t slot = number - ids->first_number;
        return slot < ids->slot_count ? (size_t)slot : 0;
    }
    return (size_t)((number ^ ids->seed) * 0x9e3779b97f4a7c15u >> 32) & (ids->slot_count - 1);
}

// The line with this number, MC_NONE if there is none.
static inline uint32_t mc_hprof_ids_find_line(const mc_hprof_ids *ids, uint64_t number,
                                              size_t slot) {
    for (;; slot = (slot + 1) & (ids->slot_count - 1)) {
        uint32_t line = ids->slots[slot];
        if (line == MC_NONE || ids->lines[line].number == number) return line;
        if (ids->is_direct) return MC_NONE;
    }
}

// The object's number, MC_NONE if there is none.
static inline uint32_t mc_hprof_line_find(const mc_hprof_line *line, uint64_t place) {
    uint32_t word = place >> 6 & (MC_HPROF_LINE_WORDS - 1);
    uint64_t bit = UINT64_C(1) << (place & 63);
    if (!(line->bits[word] & bit)) return MC_NONE;
    uint32_t before =
        (uint64_t)line->ranks << MC_HPROF_RANK_BITS >> (word >> 1) * MC_HPROF_RANK_BITS &
        ((1u << MC_HPROF_RANK_BITS) - 1);
    if (word & 1) before += mc_count_bits(line->bits[word - 1]);
    return line->first_object + before + mc_count_bits(line->bits[word] & (bit - 1));
}

// `*hint` is the line that was found last, at first 0.
static inline uint32_t mc_hprof_ids_find(const mc_hprof_ids *ids, uint64_t id, uint32_t *hint) {
    uint64_t place = id >> ids->shift, number = place >> MC_HPROF_LINE_BITS;
    if (ids->line_count == 0 || id != place << ids->shift) return MC_NONE;
    if (ids->lines[*hint].number != number) {
        uint32_t line = mc_hprof_ids_find_line(ids, number, mc_hprof_ids_get_slot(ids, number));
        if (line == MC_NONE) return MC_NONE;
        *hint = line;
    }
    return mc_hprof_line_find(&ids->lines[*hint], place);
}

// The id of an object, which is below object_count. `*hint` is the line that was got last, at first
// 0: ascending numbers take O(1) each, others O(log lines).
uint64_t mc_hprof_ids_get(const mc_hprof_ids *ids, uint32_t object, uint32_t *hint);
