#include "engine/import/smaps/memory_pieces.h"

#include "engine/base/memory.h"

#define UNIT UINT64_C(1024) // bytes, as smaps counts

void mc_memory_pieces_deinit(mc_memory_pieces *pieces) {
    mc_free(pieces->items);
    *pieces = (mc_memory_pieces){0};
}

static bool add(mc_memory_pieces *pieces, uint32_t mapping, uint32_t range, uint64_t begin,
                uint64_t end) {
    if (!mc_reserve(&pieces->items, &pieces->capacity, pieces->count + 1, sizeof *pieces->items))
        return false;
    pieces->items[pieces->count++] =
        (mc_memory_piece){.mapping = mapping, .range = range, .begin = begin, .end = end};
    return true;
}

// Of `whole`, in proportion to `weight` of `all`, what `before` of them left; in whole units, so
// that the parts add up.
static uint64_t get_share(uint64_t whole, uint64_t before, uint64_t weight, uint64_t all) {
    const uint64_t count = whole / UNIT;
    const long double units = (long double)count;
    uint64_t from = (uint64_t)(units * (long double)before / (long double)all);
    uint64_t to = before + weight >= all
                      ? count
                      : (uint64_t)(units * (long double)(before + weight) / (long double)all);
    return to > from ? (to - from) * UNIT : 0;
}

// What single pages say; false: they don't say it of all pieces.
static bool count_pages(mc_memory_piece *pieces, size_t count, const mc_resident_pages *pages) {
    for (size_t i = 0; i < count; i++)
        if (!pages ||
            !pages->count(pages->user, pieces[i].begin, pieces[i].end, &pieces[i].resident))
            return false;
    return true;
}

static void share(const mc_mapping *mapping, mc_memory_piece *pieces, size_t count,
                  const mc_resident_pages *pages) {
    if (count == 1) {
        pieces->resident = mapping->resident;
        pieces->proportional = mapping->proportional;
        pieces->swapped = mapping->swapped;
        pieces->dirty = mapping->dirty;
        return;
    }
    uint64_t counted = 0, all = mapping->end - mapping->begin, before = 0;
    bool has_pages = mapping->resident > 0 && count_pages(pieces, count, pages);
    for (size_t i = 0; i < count && has_pages; i++)
        counted += pieces[i].resident;
    if (has_pages && counted > 0) all = counted;
    has_pages &= counted > 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t weight = has_pages ? pieces[i].resident : pieces[i].end - pieces[i].begin;
        pieces[i].resident = get_share(mapping->resident, before, weight, all);
        pieces[i].proportional = get_share(mapping->proportional, before, weight, all);
        pieces[i].swapped = get_share(mapping->swapped, before, weight, all);
        pieces[i].dirty = get_share(mapping->dirty, before, weight, all);
        pieces[i].is_estimated = !has_pages || counted != mapping->resident;
        before += weight;
    }
}

bool mc_memory_pieces_cut(mc_memory_pieces *pieces, const mc_process_memory *memory,
                          const mc_resident_pages *pages) {
    size_t at = 0;
    pieces->count = 0;
    for (size_t i = 0; i < memory->mapping_count; i++) {
        const mc_mapping *mapping = &memory->mappings[i];
        const size_t first = pieces->count;
        uint64_t begin = mapping->begin;
        while (at < memory->range_count && memory->ranges[at].end <= begin)
            at++;
        for (size_t k = at; begin < mapping->end; k++) {
            const mc_memory_range *range = k < memory->range_count ? &memory->ranges[k] : NULL;
            bool is_last = !range || range->begin >= mapping->end;
            uint64_t from = is_last ? mapping->end : range->begin > begin ? range->begin : begin;
            if (from > begin && !add(pieces, (uint32_t)i, MC_NONE, begin, from)) return false;
            begin = from;
            if (is_last) break;
            uint64_t to = range->end < mapping->end ? range->end : mapping->end;
            if (!add(pieces, (uint32_t)i, (uint32_t)k, begin, to)) return false;
            begin = to;
        }
        share(mapping, pieces->items + first, pieces->count - first, pages);
    }
    return true;
}
