#include "engine/import/hprof/hprof_ids.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define LARGE_GAP (UINT64_C(1) << 16) // lines: some 200 MB of addresses

void mc_hprof_ids_deinit(mc_hprof_ids *ids) {
    mc_free(ids->line_memory);
    mc_free(ids->filled);
    mc_free(ids->numbers);
    mc_free(ids->slots);
    memset(ids, 0, sizeof *ids);
}

static bool make_slots(mc_hprof_ids *ids, size_t count) {
    uint32_t *slots = mc_alloc_scattered(count, sizeof *slots);
    if (!slots) return false;
    memset(slots, 0xff, count * sizeof *slots);
    mc_free(ids->slots);
    ids->slots = slots;
    ids->slot_count = count;
    for (uint32_t i = (uint32_t)ids->direct_count; i < ids->line_count; i++) {
        size_t slot = mc_hprof_ids_get_slot(ids, ids->numbers[i - ids->direct_count]);
        while (slots[slot] != MC_NONE)
            slot = (slot + 1) & (count - 1);
        slots[slot] = i;
    }
    return true;
}

static bool add_line(mc_hprof_ids *ids, uint64_t number, size_t slot) {
    if (ids->line_count >= MC_NONE / 2 ||
        !mc_reserve(&ids->line_memory, &ids->line_capacity, ids->line_count + 1,
                    sizeof *ids->line_memory))
        return false;
    ids->lines = ids->line_memory;
    if (!mc_reserve(&ids->numbers, &ids->number_capacity, ids->line_count + 1,
                    sizeof *ids->numbers))
        return false;
    ids->lines[ids->line_count] = (mc_hprof_line){.first_object = 0};
    ids->numbers[ids->line_count] = number;
    while (ids->slots[slot] != MC_NONE)
        slot = (slot + 1) & (ids->slot_count - 1);
    ids->slots[slot] = (uint32_t)ids->line_count++;
    return true;
}

bool mc_hprof_ids_change_line(mc_hprof_ids *ids, uint64_t word) {
    const uint64_t number = word / MC_HPROF_LINE_WORDS;
    if (!ids->slots) ids->seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)ids;
    if ((!ids->slots || ids->slot_count < 2 * (ids->line_count + 1)) &&
        !make_slots(ids, ids->slot_count > 0 ? 2 * ids->slot_count : 1024))
        return false;
    size_t slot = mc_hprof_ids_get_slot(ids, number);
    uint32_t line = mc_hprof_ids_find_line(ids, number, slot);
    if (line == MC_NONE) {
        line = (uint32_t)ids->line_count;
        if (!add_line(ids, number, slot)) return false;
    }
    ids->last_line = line;
    ids->last_word = number * MC_HPROF_LINE_WORDS;
    return true;
}

// ---- merging

typedef struct line_key {
    uint64_t number;
    uint32_t set, line;
} line_key;

static int compare_keys(const void *a, const void *b) {
    const line_key *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->set < y->set ? -1 : 1;
}

// Keys whose lines are dense: to have those between them, too, takes little.
typedef struct key_range {
    size_t begin, end;
} key_range;

static bool is_dense(const line_key *keys, key_range range) {
    return range.begin < range.end && keys[range.end - 1].number - keys[range.begin].number <
                                          2 * (uint64_t)(range.end - range.begin) + 1024;
}

// All of them, or most of those without a large gap: a heap may have a few objects elsewhere.
static key_range find_dense(const line_key *keys, size_t count) {
    key_range best = {0, count}, range = {0, 0};
    if (is_dense(keys, best)) return best;
    best = (key_range){0, 0};
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && keys[i].number - keys[i - 1].number > LARGE_GAP) range.begin = i;
        range.end = i + 1;
        bool is_whole = i + 1 == count || keys[i + 1].number - keys[i].number > LARGE_GAP;
        if (is_whole && is_dense(keys, range) && range.end - range.begin > best.end - best.begin)
            best = range;
    }
    return best;
}

// Lines that have no object are never touched.
static bool create_lines(mc_hprof_ids *merged, const line_key *keys, size_t count) {
    const size_t apart = sizeof(mc_hprof_line);
    const key_range dense = find_dense(keys, count);
    const size_t others = count - (dense.end - dense.begin);
    if (dense.begin < dense.end) {
        merged->first_number = keys[dense.begin].number;
        merged->direct_count = (size_t)(keys[dense.end - 1].number - merged->first_number) + 1;
        merged->filled = mc_alloc_scattered(count, sizeof *merged->filled);
        if (!merged->filled) return false;
    }
    merged->line_count = merged->direct_count;
    merged->line_memory =
        mc_alloc_zero_scattered(merged->direct_count + others + 2, sizeof *merged->line_memory);
    merged->numbers = mc_alloc_scattered(others + 1, sizeof *merged->numbers);
    if (!merged->line_memory || !merged->numbers) return false;
    const uintptr_t at = (uintptr_t)merged->line_memory;
    merged->lines = (mc_hprof_line *)((char *)merged->line_memory + ((apart - at % apart) % apart));
    return true;
}

// Lines come by number. What one has that a set had before is the same line.
static void merge_line(mc_hprof_ids *merged, const mc_hprof_line *line, uint64_t number,
                       bool is_new) {
    if (is_new) {
        uint64_t at = number - merged->first_number;
        if (at >= merged->direct_count) {
            at = merged->line_count++;
            merged->numbers[at - merged->direct_count] = number;
        }
        merged->lines[at] = *line;
        merged->last_line = (uint32_t)at;
        if (merged->filled) merged->filled[merged->filled_count++] = (uint32_t)at;
        return;
    }
    mc_hprof_line *last = &merged->lines[merged->last_line];
    for (uint32_t i = 0; i < MC_HPROF_LINE_WORDS; i++) {
        merged->repeated_count += mc_count_bits(last->bits[i] & line->bits[i]);
        last->bits[i] |= line->bits[i];
    }
}

// Returns how many objects it has.
static uint32_t number_line(mc_hprof_line *line, uint32_t first_object) {
    uint32_t count = mc_count_bits(line->bits[0]), shift = 0;
    line->first_object = first_object;
    line->ranks = 0;
    for (uint32_t i = 1; i < MC_HPROF_LINE_WORDS; i++, shift += MC_HPROF_RANK_BITS) {
        line->ranks |= (uint64_t)count << shift;
        count += mc_count_bits(line->bits[i]);
    }
    return count;
}

// Lines with objects, and one of them, in their order.
static size_t count_filled(const mc_hprof_ids *ids) {
    return ids->filled ? ids->filled_count : ids->line_count;
}

static mc_hprof_line *get_filled(const mc_hprof_ids *ids, size_t index) {
    return &ids->lines[ids->filled ? ids->filled[index] : index];
}

static bool number_objects(mc_hprof_ids *ids) {
    uint64_t count = 0;
    for (size_t i = 0; i < count_filled(ids); i++) {
        count += number_line(get_filled(ids, i), (uint32_t)count);
        if (count >= MC_NONE - 16) return false; // vertices that are no objects have numbers, too
    }
    ids->object_count = count;
    return true;
}

static bool index_lines(mc_hprof_ids *ids) {
    const size_t others = ids->line_count - ids->direct_count;
    size_t count = 1024;
    if (others == 0) return true;
    ids->seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)ids;
    while (count <= 2 * others)
        count *= 2;
    return make_slots(ids, count);
}

mc_result mc_hprof_ids_merge(mc_hprof_ids *merged, mc_hprof_ids *sets, uint32_t count,
                             mc_error *error) {
    size_t line_count = 0, k = 0;
    merged->shift = count > 0 ? sets[0].shift : 0;
    for (uint32_t i = 0; i < count; i++) {
        line_count += sets[i].line_count;
        merged->all |= sets[i].all;
        merged->repeated_count += sets[i].repeated_count;
        mc_free(sets[i].slots);
        sets[i].slots = NULL;
    }
    line_key *keys = mc_alloc_scattered(line_count + 1, sizeof *keys);
    if (!keys) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t line = 0; line < sets[i].line_count; line++)
            keys[k++] = (line_key){sets[i].numbers[line], i, line};
    qsort(keys, k, sizeof *keys, compare_keys);
    const bool has_room = create_lines(merged, keys, k);
    for (size_t i = 0; i < k && has_room; i++)
        merge_line(merged, &sets[keys[i].set].lines[keys[i].line], keys[i].number,
                   i == 0 || keys[i].number != keys[i - 1].number);
    mc_free(keys);
    for (uint32_t i = 0; i < count; i++)
        mc_hprof_ids_deinit(&sets[i]);
    if (!has_room) return mc_error_out_of_memory(error);
    if (!number_objects(merged))
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many objects: 2^32 or more");
    return index_lines(merged) ? MC_OK : mc_error_out_of_memory(error);
}

static bool is_in_line(const mc_hprof_ids *ids, size_t index, uint32_t object) {
    return get_filled(ids, index)->first_object <= object &&
           (index + 1 == count_filled(ids) || object < get_filled(ids, index + 1)->first_object);
}

static size_t find_line_of(const mc_hprof_ids *ids, uint32_t object) {
    size_t low = 0, high = count_filled(ids);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (get_filled(ids, middle)->first_object <= object)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint64_t mc_hprof_ids_get(const mc_hprof_ids *ids, uint32_t object, uint32_t *hint) {
    assert(object < ids->object_count);
    size_t at = *hint;
    if (!is_in_line(ids, at, object))
        at = at + 1 < count_filled(ids) && is_in_line(ids, at + 1, object)
                 ? at + 1
                 : find_line_of(ids, object);
    *hint = (uint32_t)at;
    const mc_hprof_line *line = get_filled(ids, at);
    uint32_t left = object - line->first_object, word = 0;
    for (uint32_t count; word + 1 < MC_HPROF_LINE_WORDS; word++, left -= count) {
        count = mc_count_bits(line->bits[word]);
        if (left < count) break;
    }
    uint64_t bits = line->bits[word];
    while (left-- > 0)
        bits &= bits - 1;
    const uint64_t index = (uint64_t)(line - ids->lines);
    const uint64_t number = index < ids->direct_count ? ids->first_number + index
                                                      : ids->numbers[index - ids->direct_count];
    uint64_t place =
        (number * MC_HPROF_LINE_WORDS + word) * 64 + (bits ? (uint32_t)__builtin_ctzll(bits) : 0);
    return place << ids->shift;
}
