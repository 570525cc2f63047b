#include "engine/import/hprof/hprof_ids.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

void mc_hprof_ids_deinit(mc_hprof_ids *ids) {
    mc_free(ids->lines);
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
    for (uint32_t i = 0; i < ids->line_count; i++) {
        size_t slot = mc_hprof_ids_get_slot(ids, ids->lines[i].number);
        while (slots[slot] != MC_NONE)
            slot = (slot + 1) & (count - 1);
        slots[slot] = i;
    }
    return true;
}

bool mc_hprof_ids_change_line(mc_hprof_ids *ids, uint64_t number) {
    if (!ids->slots) ids->seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)ids;
    if ((!ids->slots || ids->slot_count < 2 * (ids->line_count + 1)) &&
        !make_slots(ids, ids->slot_count > 0 ? 2 * ids->slot_count : 1024))
        return false;
    size_t slot = mc_hprof_ids_get_slot(ids, number);
    uint32_t line = mc_hprof_ids_find_line(ids, number, slot);
    if (line == MC_NONE) {
        if (ids->line_count >= MC_NONE / 2 ||
            !mc_reserve(&ids->lines, &ids->line_capacity, ids->line_count + 1, sizeof *ids->lines))
            return false;
        line = (uint32_t)ids->line_count++;
        memset(&ids->lines[line], 0, sizeof ids->lines[line]);
        ids->lines[line].number = number;
        while (ids->slots[slot] != MC_NONE)
            slot = (slot + 1) & (ids->slot_count - 1);
        ids->slots[slot] = line;
    }
    ids->last_line = line;
    return true;
}

typedef struct line_key {
    uint64_t number;
    uint32_t set, line;
} line_key;

static int compare_keys(const void *a, const void *b) {
    const line_key *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->set < y->set ? -1 : 1;
}

static void add_line(mc_hprof_ids *merged, const mc_hprof_line *line) {
    mc_hprof_line *last = merged->line_count > 0 ? &merged->lines[merged->line_count - 1] : NULL;
    if (!last || last->number != line->number) {
        merged->lines[merged->line_count++] = *line;
        return;
    }
    for (uint32_t i = 0; i < MC_HPROF_LINE_WORDS; i++) {
        merged->repeated_count += mc_count_bits(last->bits[i] & line->bits[i]);
        last->bits[i] |= line->bits[i];
    }
}

// Returns how many objects it has.
static uint32_t number_line(mc_hprof_line *line, uint32_t first_object) {
    uint32_t count = mc_count_bits(line->bits[0]) + mc_count_bits(line->bits[1]), shift = 0;
    line->first_object = first_object;
    line->ranks = 0;
    for (uint32_t i = 2; i < MC_HPROF_LINE_WORDS; i += 2, shift += MC_HPROF_RANK_BITS) {
        line->ranks |= count << shift;
        count += mc_count_bits(line->bits[i]) + mc_count_bits(line->bits[i + 1]);
    }
    return count;
}

static bool number_objects(mc_hprof_ids *ids) {
    uint64_t count = 0;
    for (size_t i = 0; i < ids->line_count; i++) {
        count += number_line(&ids->lines[i], (uint32_t)count);
        if (count >= MC_NONE - 16) return false; // vertices that are no objects have numbers, too
    }
    ids->object_count = count;
    return true;
}

// Lines by number if that takes little more than a table by hash.
static bool index_lines(mc_hprof_ids *ids) {
    size_t count = 1024;
    ids->seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)ids;
    ids->first_number = ids->line_count > 0 ? ids->lines[0].number : 0;
    uint64_t span =
        ids->line_count > 0 ? ids->lines[ids->line_count - 1].number - ids->first_number : 0;
    ids->is_direct = span < 8 * (uint64_t)ids->line_count + 1024;
    while (count <= (ids->is_direct ? span : 2 * ids->line_count))
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
    merged->lines = mc_alloc_scattered(line_count + 1, sizeof *merged->lines);
    if (!keys || !merged->lines) {
        mc_free(keys);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t line = 0; line < sets[i].line_count; line++)
            keys[k++] = (line_key){sets[i].lines[line].number, i, line};
    qsort(keys, k, sizeof *keys, compare_keys);
    for (size_t i = 0; i < k; i++)
        add_line(merged, &sets[keys[i].set].lines[keys[i].line]);
    mc_free(keys);
    for (uint32_t i = 0; i < count; i++)
        mc_hprof_ids_deinit(&sets[i]);
    if (!number_objects(merged))
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "too many objects: 2^32 or more");
    return index_lines(merged) ? MC_OK : mc_error_out_of_memory(error);
}

static bool is_in_line(const mc_hprof_ids *ids, size_t line, uint32_t object) {
    return ids->lines[line].first_object <= object &&
           (line + 1 == ids->line_count || object < ids->lines[line + 1].first_object);
}

static size_t find_line_of(const mc_hprof_ids *ids, uint32_t object) {
    size_t low = 0, high = ids->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (ids->lines[middle].first_object <= object)
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
        at = at + 1 < ids->line_count && is_in_line(ids, at + 1, object)
                 ? at + 1
                 : find_line_of(ids, object);
    *hint = (uint32_t)at;
    const mc_hprof_line *line = &ids->lines[at];
    uint32_t left = object - line->first_object, word = 0;
    for (uint32_t count; word + 1 < MC_HPROF_LINE_WORDS; word++, left -= count) {
        count = mc_count_bits(line->bits[word]);
        if (left < count) break;
    }
    uint64_t bits = line->bits[word];
    while (left-- > 0)
        bits &= bits - 1;
    uint64_t place = (line->number << MC_HPROF_LINE_BITS) + word * 64 +
                     (bits ? (uint32_t)__builtin_ctzll(bits) : 0);
    return place << ids->shift;
}
