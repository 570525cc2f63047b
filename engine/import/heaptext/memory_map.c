#include "engine/import/heaptext/memory_map.h"

#include "engine/base/memory.h"
#include "engine/import/stacks/line_reader.h"
#include <stdlib.h>
#include <string.h>

void mc_memory_map_deinit(mc_memory_map *map) {
    mc_free(map->mappings);
    *map = (mc_memory_map){.count = 0};
}

static void skip_word(mc_span *text) {
    while (text->size > 0 && *text->at != ' ' && *text->at != '\t')
        *text = (mc_span){text->at + 1, text->size - 1};
    mc_span_skip_blanks(text);
}

// "5625ae857000-5625ae858000 r--p 00000000 fe:00 1132102   /srv/shop"
static bool parse(mc_span text, mc_mapping *mapping) {
    mc_span_skip_blanks(&text);
    if (!mc_span_take_hex(&text, &mapping->begin) || !mc_span_skip(&text, "-") ||
        !mc_span_take_hex(&text, &mapping->end) || mapping->end <= mapping->begin)
        return false;
    mc_span_skip_blanks(&text);
    skip_word(&text); // what may be done there
    if (!mc_span_take_hex(&text, &mapping->offset)) return false;
    mc_span_skip_blanks(&text);
    skip_word(&text); // device
    skip_word(&text); // inode
    mapping->path = text;
    return text.size > 0 && *text.at == '/';
}

static int compare(const void *a, const void *b) {
    const mc_mapping *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

bool mc_memory_map_read(mc_memory_map *map, const char *text, size_t size) {
    static const char *const heads[] = {"\nMAPPED_LIBRARIES:", "\n--- Memory map:"};
    const char *found = NULL;
    for (size_t i = 0; i < 2 && !found; i++)
        found = memmem(text, size, heads[i], strlen(heads[i]));
    if (!found) return true;
    mc_lines lines = {found + 1, text + size};
    mc_span line;
    while (mc_lines_next(&lines, &line)) {
        mc_mapping mapping;
        if (!parse(line, &mapping)) continue;
        if (!mc_reserve(&map->mappings, &map->capacity, map->count + 1, sizeof mapping))
            return false;
        map->mappings[map->count++] = mapping;
    }
    if (map->count > 1) qsort(map->mappings, map->count, sizeof *map->mappings, compare);
    return true;
}

void mc_memory_map_find(const mc_memory_map *map, uint64_t looked_up, uint64_t shown,
                        mc_site_frame *frame) {
    size_t low = 0, high = map->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->mappings[middle].begin <= looked_up)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || looked_up >= map->mappings[low - 1].end) return;
    const mc_mapping *mapping = &map->mappings[low - 1];
    frame->module = mapping->path;
    frame->file_offset = looked_up - mapping->begin + mapping->offset;
    frame->has_file_offset = true;
    frame->address = shown - mapping->begin + mapping->offset;
}
