#include "engine/heap/owner_ways.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define REFERENCES_MAX (1u << 16) // that are told apart

void mc_owner_references_deinit(mc_owner_references *references) {
    mc_free(references->items);
    mc_slots_deinit(&references->slots);
    *references = (mc_owner_references){.count = 0};
}

bool mc_owner_references_add(mc_owner_references *references, mc_owner_reference added) {
    const uint32_t words[3] = {added.place, added.from, added.field};
    const uint32_t hash = (uint32_t)mc_hash_bytes(words, sizeof words, 0);
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&references->slots, hash, &at)) != MC_NONE;) {
        mc_owner_reference *known = &references->items[found];
        if (known->place != added.place || known->from != added.from || known->field != added.field)
            continue;
        known->count += added.count;
        return true;
    }
    if (references->count == REFERENCES_MAX) return true;
    if (!mc_reserve(&references->items, &references->capacity, (size_t)references->count + 1,
                    sizeof *references->items) ||
        !mc_slots_add(&references->slots, hash, references->count))
        return false;
    references->items[references->count++] = added;
    return true;
}

// ---- counting

typedef struct counter {
    const mc_owner_facts *facts;
    const mc_heap *heap;
    const bool *is_wanted;
    mc_owner_references *tables; // a worker
    bool *is_out_of_memory;      // likewise
} counter;

static bool follow_edges(const counter *self, uint32_t position, uint32_t number,
                         mc_graph_ahead *ahead, mc_owner_references *into) {
    const mc_graph *graph = &self->heap->graph;
    const mc_dominator_tree *tree = &self->heap->tree;
    const uint32_t first = self->heap->kinds[mc_graph_get_kind(graph, position)].first_link;
    const mc_heap_region region = mc_heap_get_region(self->heap, number);
    mc_graph_edges edges = mc_graph_begin_edges(graph, position);
    while (mc_graph_next_edge(&edges)) {
        if (edges.at) mc_graph_fetch(graph, ahead, (uint32_t)(edges.at - graph->words));
        uint32_t target = mc_graph_get_number(graph, edges.target);
        uint32_t place = mc_owner_facts_get_link(self->facts, target);
        if (!self->is_wanted[place] || target == number ||
            mc_dominator_tree_dominates(tree, target, number))
            continue;
        if (region != MC_HEAP_STRONG && mc_heap_get_region(self->heap, target) != region) continue;
        mc_owner_reference found = {place, mc_owner_facts_get_link(self->facts, number),
                                    self->facts->words.fields[first + edges.slot], 1};
        if (!mc_owner_references_add(into, found)) return false;
    }
    return true;
}

static void follow_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const counter *self = user;
    const mc_graph *graph = &self->heap->graph;
    mc_graph_ahead ahead = {.at = begin, .end = end};
    if (end > graph->first_root) end = graph->first_root;
    for (uint32_t at = begin, next; at < end && !self->is_out_of_memory[thread]; at = next) {
        next = mc_graph_skip(graph, at);
        mc_graph_fetch(graph, &ahead, at);
        const uint32_t number = mc_graph_get_number(graph, at);
        if (number >= self->heap->tree.reachable) continue;
        if (!follow_edges(self, at, number, &ahead, &self->tables[thread]))
            self->is_out_of_memory[thread] = true;
    }
}

// ---- the most first

typedef struct ranked {
    mc_owner_reference reference;
    const char *text;
} ranked;

static int compare_ranked(const void *a, const void *b) {
    const ranked *first = a, *second = b;
    const mc_owner_reference *x = &first->reference, *y = &second->reference;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return strcmp(first->text, second->text);
}

bool mc_owner_references_sort(mc_owner_references *references, const mc_strings *texts) {
    ranked *list = mc_alloc_scattered((size_t)references->count + 1, sizeof *list);
    if (!list) return false;
    for (uint32_t i = 0; i < references->count; i++)
        list[i] =
            (ranked){references->items[i], mc_strings_get(texts, references->items[i].field, NULL)};
    qsort(list, references->count, sizeof *list, compare_ranked);
    for (uint32_t i = 0; i < references->count; i++)
        references->items[i] = list[i].reference;
    mc_free(list);
    mc_slots_deinit(&references->slots);
    return true;
}

mc_result mc_owner_references_find(mc_owner_references *references, const mc_owner_facts *facts,
                                   const bool *is_wanted, mc_error *error) {
    const uint32_t threads = facts->heap->thread_count;
    counter self = {.facts = facts,
                    .heap = facts->heap,
                    .is_wanted = is_wanted,
                    .tables = mc_alloc_zero_scattered(threads, sizeof *self.tables),
                    .is_out_of_memory =
                        mc_alloc_zero_scattered(threads, sizeof *self.is_out_of_memory)};
    bool is_done = self.tables && self.is_out_of_memory;
    *references = (mc_owner_references){.count = 0};
    if (is_done) mc_graph_scan(&self.heap->graph, threads, follow_range, &self);
    for (uint32_t i = 0; self.tables && i < threads; i++) {
        is_done = is_done && !self.is_out_of_memory[i];
        for (uint32_t k = 0; k < self.tables[i].count && is_done; k++)
            is_done = mc_owner_references_add(references, self.tables[i].items[k]);
        mc_owner_references_deinit(&self.tables[i]);
    }
    mc_free(self.tables);
    mc_free(self.is_out_of_memory);
    is_done = is_done && mc_owner_references_sort(references, &facts->words.texts);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}
