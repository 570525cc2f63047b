#include "engine/heap/reference_counts.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <stdlib.h>
#include <string.h>

static void deinit_sources(mc_heap_sources *sources) {
    mc_free(sources->items);
    mc_heap_pairs_deinit(&sources->known);
}

void mc_heap_references_deinit(mc_heap_references *references) {
    mc_heap_pairs_deinit(&references->pairs);
    mc_heap_pairs_deinit(&references->fields);
    deinit_sources(&references->sources);
}

bool mc_heap_reference_counter_init(mc_heap_reference_counter *counter, uint32_t leaf_count) {
    memset(counter->recent, 0xff, sizeof counter->recent);
    // So that no thread writes to a line of the cache that another one reads.
    counter->last_source = mc_alloc_zero_scattered((size_t)leaf_count + MC_PARALLEL_APART,
                                                   sizeof *counter->last_source);
    return counter->last_source != NULL;
}

void mc_heap_reference_counter_deinit(mc_heap_reference_counter *counter) {
    mc_heap_references_deinit(&counter->found);
    mc_free(counter->last_source);
}

// ---- counting

// The source's number, MC_NONE if memory is out.
static uint32_t put_source(mc_heap_sources *sources, uint32_t leaf, uint32_t link) {
    mc_heap_pair *pair = mc_heap_pairs_put(&sources->known, leaf, link);
    if (!pair) return MC_NONE;
    if (pair->points_to == 0) {
        if (sources->count >= MC_NONE || !mc_reserve(&sources->items, &sources->capacity,
                                                     sources->count + 1, sizeof *sources->items))
            return MC_NONE;
        sources->items[sources->count++] = pair->key;
        pair->points_to = sources->count;
    }
    return (uint32_t)pair->points_to - 1;
}

bool mc_heap_put_link(mc_heap_references *found, const mc_heap_link_count *link) {
    if (link->count == 0) return true;
    uint32_t target = (uint32_t)link->key;
    uint32_t source = put_source(&found->sources, link->leaf, (uint32_t)(link->key >> 32));
    mc_heap_pair *field =
        source == MC_NONE ? NULL : mc_heap_pairs_put(&found->fields, source, target);
    if (!field) return false;
    field->points_to += link->count;
    if (link->points_to == 0 && link->pointed_from == 0) return true;
    mc_heap_pair *pair = mc_heap_pairs_put(&found->pairs, link->leaf, target);
    if (!pair) return false;
    pair->points_to += link->points_to;
    pair->pointed_from += link->pointed_from;
    return true;
}

bool mc_heap_count_link(mc_heap_reference_counter *counter, uint32_t leaf, uint32_t link,
                        uint32_t target) {
    mc_heap_link_count *recent =
        mc_heap_get_link(counter, mc_heap_hash_link(leaf, link, target), leaf, link, target);
    if (recent) recent->count++;
    return recent != NULL;
}

bool mc_heap_note_referrer(mc_heap_reference_counter *counter, mc_heap_seen *seen, uint32_t object,
                           uint32_t leaf, bool *is_new) {
    uint64_t key = (uint64_t)object << 32 | leaf;
    uint64_t *recent = &counter->recent[mc_hash_u64(key, 0) & (MC_HEAP_REFERRERS_AT_HAND - 1)];
    *is_new = false;
    if (*recent == key) return true;
    *recent = key;
    return mc_heap_seen_add(seen, object, leaf, is_new);
}

// ---- merging

// Sources have other numbers in each counter.
static bool add_fields(mc_heap_references *references, const mc_heap_references *found) {
    for (size_t i = 0; i < found->fields.slot_count; i++) {
        const mc_heap_pair *pair = &found->fields.slots[i];
        if (pair->points_to == 0) continue;
        uint64_t source = found->sources.items[pair->key >> 32];
        uint32_t number =
            put_source(&references->sources, (uint32_t)(source >> 32), (uint32_t)source);
        mc_heap_pair *to =
            number == MC_NONE ? NULL
                              : mc_heap_pairs_put(&references->fields, number, (uint32_t)pair->key);
        if (!to) return false;
        to->points_to += pair->points_to;
    }
    return true;
}

bool mc_heap_reference_counter_end(mc_heap_reference_counter *counter,
                                   mc_heap_references *references) {
    mc_heap_references *found = &counter->found;
    references->report.count += found->report.count;
    references->report.dangling_count += found->report.dangling_count;
    for (uint32_t i = 0; i < MC_HEAP_LINKS_AT_HAND; i++)
        if (!mc_heap_put_link(found, &counter->links[i])) return false;
    return mc_heap_pairs_add(&references->pairs, &found->pairs) && add_fields(references, found);
}

typedef struct numbered_source {
    uint64_t source;
    uint32_t number;
} numbered_source;

static int compare_sources(const void *a, const void *b) {
    const numbered_source *x = a, *y = b;
    return x->source < y->source ? -1 : x->source > y->source;
}

// Sources come in the order in which threads met them.
static bool order_sources(mc_heap_references *references) {
    mc_heap_sources *sources = &references->sources;
    mc_heap_pairs *fields = &references->fields;
    numbered_source *list = mc_alloc_scattered(sources->count + 1, sizeof *list);
    uint32_t *numbers = mc_alloc_scattered(sources->count + 1, sizeof *numbers);
    const bool is_done = list && numbers;
    for (size_t i = 0; is_done && i < sources->count; i++)
        list[i] = (numbered_source){sources->items[i], (uint32_t)i};
    if (is_done && sources->count > 1) qsort(list, sources->count, sizeof *list, compare_sources);
    for (size_t i = 0; is_done && i < sources->count; i++) {
        sources->items[i] = list[i].source;
        numbers[list[i].number] = (uint32_t)i;
    }
    for (size_t i = 0; is_done && i < fields->slot_count; i++)
        if (fields->slots[i].points_to > 0)
            fields->slots[i].key = (uint64_t)numbers[fields->slots[i].key >> 32] << 32 |
                                   (uint32_t)fields->slots[i].key;
    mc_free(list);
    mc_free(numbers);
    return is_done;
}

bool mc_heap_references_sort(mc_heap_references *references) {
    if (!order_sources(references)) return false;
    mc_heap_pairs_sort(&references->pairs);
    mc_heap_pairs_sort(&references->fields);
    return true;
}
