// hprof_ids.h - the set of object ids, and a number for each object: its rank in the order of ids.
//
// Ids are mostly addresses: multiples of 8 in a few dense areas. So a set stores only those lines
// of 384 possible ids that contain an object: a bitmap and the number of the line's first object,
// one line of the cache. For a real heap that is less than 1 byte per object, wherever in 64 bits
// it lies. Every worker fills a set of its own; merging them sorts the lines and numbers the
// objects. Where most lines are dense, those between them are there, too, so that an id tells where
// its line is. Threads: finding, any number; otherwise one per set.
#pragma once
#include "engine/base/base.h"
#include "engine/base/bits.h"

#define MC_HPROF_LINE_WORDS 6
#define MC_HPROF_RANK_BITS 9

typedef struct mc_hprof_line {
    uint64_t bits[MC_HPROF_LINE_WORDS];
    uint64_t ranks; // objects in the words before each but the first: nine bits each
    uint32_t first_object;
    uint32_t unused;
} mc_hprof_line;
_Static_assert(sizeof(mc_hprof_line) == 64, "a search reads one line of the cache");

typedef struct mc_hprof_ids {
    uint32_t shift; // ids are multiples of 1 << shift; set before the first is added
    uint64_t all;   // all ids, or-ed: those that were refused, too
    mc_hprof_line *lines;
    size_t line_count;
    mc_hprof_line *line_memory; // what the lines lie in
    size_t line_capacity;
    // Of merged sets: so many lines have numbers that follow one another, from the first one's on;
    // and, if there are such, the lines with objects by number.
    size_t direct_count;
    uint64_t first_number;
    uint32_t *filled;
    size_t filled_count;
    // The numbers of the other lines, and those lines by hash; MC_NONE is free.
    uint64_t *numbers;
    size_t number_capacity;
    uint32_t *slots;
    size_t slot_count;
    uint64_t seed;
    uint64_t last_word; // at which the line begins that was added to
    uint32_t last_line; // that one
    uint64_t object_count;
    uint64_t repeated_count; // ids that were added once more
} mc_hprof_ids;

void mc_hprof_ids_deinit(mc_hprof_ids *ids);

// Goes to the line of a word (an id without its shift and the lowest six bits) if it is not the
// current one. False if memory is out.
bool mc_hprof_ids_change_line(mc_hprof_ids *ids, uint64_t word);

// False if memory is out. An id that is no multiple of 1 << shift is refused: see `all`.
static inline bool mc_hprof_ids_add(mc_hprof_ids *ids, uint64_t id) {
    uint64_t place = id >> ids->shift, word = place >> 6;
    ids->all |= id;
    if ((ids->line_count == 0 || word - ids->last_word >= MC_HPROF_LINE_WORDS) &&
        !mc_hprof_ids_change_line(ids, word))
        return false;
    uint64_t *bits = &ids->lines[ids->last_line].bits[word - ids->last_word];
    uint64_t bit = UINT64_C(1) << (place & 63);
    if (*bits & bit) ids->repeated_count++;
    *bits |= bit;
    return true;
}

// Moves what `count` sets of one shift hold into an empty one, and numbers the objects.
// MC_ERROR_UNSUPPORTED if there are more than 2^32 - 2.
mc_result mc_hprof_ids_merge(mc_hprof_ids *merged, mc_hprof_ids *sets, uint32_t count,
                             mc_error *error);

// For merged sets. A search in three steps that each fetch what the next one reads, so that many
// can be under way at a time.
typedef struct mc_hprof_search {
    uint64_t number;    // of the line
    uint32_t line;      // MC_NONE: there is none; while it is one by hash, a slot
    uint8_t index, bit; // where in it
    bool is_by_hash;
} mc_hprof_search;

// The line with this number from a slot on, MC_NONE if there is none.
static inline uint32_t mc_hprof_ids_find_line(const mc_hprof_ids *ids, uint64_t number,
                                              size_t slot) {
    for (;; slot = (slot + 1) & (ids->slot_count - 1)) {
        uint32_t line = ids->slots[slot];
        if (line == MC_NONE || ids->numbers[line - ids->direct_count] == number) return line;
    }
}

static inline size_t mc_hprof_ids_get_slot(const mc_hprof_ids *ids, uint64_t number) {
    return (size_t)((number ^ ids->seed) * 0x9e3779b97f4a7c15u >> 32) & (ids->slot_count - 1);
}

// `place`: an id without its shift.
static inline mc_hprof_search mc_hprof_ids_begin(const mc_hprof_ids *ids, uint64_t place) {
    const uint64_t word = place >> 6, number = word / MC_HPROF_LINE_WORDS;
    mc_hprof_search search = {.number = number,
                              .line = MC_NONE,
                              .index = (uint8_t)(word - number * MC_HPROF_LINE_WORDS),
                              .bit = (uint8_t)(place & 63)};
    const uint64_t line = number - ids->first_number;
    if (line < ids->direct_count) {
        search.line = (uint32_t)line;
        __builtin_prefetch(&ids->lines[line]);
    } else if (ids->slots) {
        search.is_by_hash = true;
        search.line = (uint32_t)mc_hprof_ids_get_slot(ids, number);
        __builtin_prefetch(&ids->slots[search.line]);
    }
    return search;
}

static inline void mc_hprof_ids_go_on(const mc_hprof_ids *ids, mc_hprof_search *search) {
    if (!search->is_by_hash) return;
    search->line = mc_hprof_ids_find_line(ids, search->number, search->line);
    if (search->line != MC_NONE) __builtin_prefetch(&ids->lines[search->line]);
}

// The object's number, MC_NONE if there is none.
static inline uint32_t mc_hprof_ids_end(const mc_hprof_ids *ids, const mc_hprof_search *search) {
    if (search->line == MC_NONE) return MC_NONE;
    const mc_hprof_line *line = &ids->lines[search->line];
    const uint32_t index = search->index;
    const uint64_t bit = UINT64_C(1) << search->bit;
    if (!(line->bits[index] & bit)) return MC_NONE;
    const uint64_t before = line->ranks << MC_HPROF_RANK_BITS >> index * MC_HPROF_RANK_BITS &
                            ((1u << MC_HPROF_RANK_BITS) - 1);
    return line->first_object + (uint32_t)before + mc_count_bits(line->bits[index] & (bit - 1));
}

// The object that was found last. Whoever looks for those behind it finds them by it.
typedef struct mc_hprof_hint {
    uint64_t place;
    uint64_t left; // of its word, the bits above its own
    uint32_t object;
} mc_hprof_hint;

// `*hint` is zeroed at first.
static inline uint32_t mc_hprof_ids_find(const mc_hprof_ids *ids, uint64_t id,
                                         mc_hprof_hint *hint) {
    const uint64_t place = id >> ids->shift;
    if (id != place << ids->shift) return MC_NONE;
    if (hint->left != 0) {
        const uint32_t next = (uint32_t)__builtin_ctzll(hint->left);
        if (place - hint->place - 1 == next) {
            hint->place = place;
            hint->left = hint->left >> next >> 1;
            return ++hint->object;
        }
    }
    mc_hprof_search search = mc_hprof_ids_begin(ids, place);
    mc_hprof_ids_go_on(ids, &search);
    const uint32_t object = mc_hprof_ids_end(ids, &search);
    if (object != MC_NONE)
        *hint = (mc_hprof_hint){
            place, ids->lines[search.line].bits[search.index] >> search.bit >> 1, object};
    return object;
}

// The id of an object, which is below object_count. `*hint` is the line that was got last, at first
// 0: ascending numbers take O(1) each, others O(log lines).
uint64_t mc_hprof_ids_get(const mc_hprof_ids *ids, uint32_t object, uint32_t *hint);
