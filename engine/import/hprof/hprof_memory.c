#include "engine/import/hprof/hprof_memory.h"

#include "engine/base/free_memory.h"
#include <inttypes.h>

// Measured, when all is asked for: of an object the stream has 8 bytes, the tree, sizes, groups and
// paths 4 each.
#define BYTES_PER_OBJECT 24
#define BYTES_PER_REFERENCE 4
// While dominators are found: of an object the stream has 8 bytes, walk and sorting 4 each; of a
// reference that is not the first one to an object they have 12, of an object with such ones 8.
#define SORTING_PER_OBJECT 16
#define SORTING_PER_CROSS 12
#define SORTING_PER_HEAD 8

static uint64_t count_references(const mc_hprof_dump *dump) {
    const mc_hprof_classes *classes = &dump->classes;
    uint64_t count = 0;
    for (uint32_t i = 0; i < classes->count; i++) {
        const mc_hprof_class *class = &classes->items[i];
        uint64_t slots = (uint64_t) class->reference_count + class->is_kept;
        count += class->tally.instance_count * slots;
    }
    for (size_t i = 0; i < dump->tallies.array_count; i++)
        count += dump->tallies.arrays[i].elements;
    return count;
}

uint64_t mc_hprof_need_measure(uint64_t objects, uint64_t references) {
    const uint64_t crosses = references > objects ? references - objects : 0;
    const uint64_t heads = crosses < objects ? crosses : objects;
    const uint64_t sorting =
        SORTING_PER_OBJECT * objects + SORTING_PER_CROSS * crosses + SORTING_PER_HEAD * heads;
    const uint64_t all = BYTES_PER_OBJECT * objects;
    return BYTES_PER_REFERENCE * references + (sorting > all ? sorting : all);
}

mc_hprof_need mc_hprof_need_get(const mc_hprof_dump *dump) {
    mc_hprof_need need = {.objects = dump->tallies.ids.object_count,
                          .references = count_references(dump),
                          .free_bytes = dump->memory_limit};
    need.bytes = mc_hprof_need_measure(need.objects, need.references);
    if (need.free_bytes == 0) need.free_bytes = mc_free_memory_get();
    if (need.free_bytes == 0) need.free_bytes = UINT64_MAX;
    return need;
}

static void append_count(uint64_t count, const char *unit, mc_text *text) {
    if (count >= 1000000)
        mc_text_format(text, "%.1f million %s", (double)count / 1e6, unit);
    else
        mc_text_format(text, "%" PRIu64 " %s", count, unit);
}

static void append_memory(uint64_t bytes, mc_text *text) {
    if (bytes >= 100000000)
        mc_text_format(text, "%.1f GB", (double)bytes / 1e9);
    else
        mc_text_format(text, "%.1f MB", (double)bytes / 1e6);
}

void mc_hprof_need_append(const mc_hprof_need *need, mc_text *text) {
    mc_text_append_string(text, "the graph of ");
    append_count(need->objects, "objects", text);
    mc_text_append_string(text, " and ");
    append_count(need->references, "references", text);
    mc_text_append_string(text, " at most takes about ");
    append_memory(need->bytes, text);
    mc_text_append_string(text, " of memory, and ");
    append_memory(need->free_bytes, text);
    mc_text_append_string(text, " are free");
}
