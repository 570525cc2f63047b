#include "engine/heap/owner_ways.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/heap/owner_edges.h"
#include <stdlib.h>
#include <string.h>

#define REFERENCES_MAX (1u << 20) // that are told apart

void mc_owner_references_deinit(mc_owner_references *references) {
    mc_free(references->items);
    mc_slots_deinit(&references->slots);
    *references = (mc_owner_references){.count = 0};
}

bool mc_owner_references_add(mc_owner_references *references, mc_owner_reference added) {
    const uint32_t hash =
        (uint32_t)mc_hash_u64((uint64_t)added.place << 32 | added.from, added.field);
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
    const uint32_t *stand_ins;
    mc_owner_references *tables; // a worker
    bool *is_out_of_memory;      // likewise
} counter;

static bool count_edge(const counter *self, const mc_owner_edge *edge, mc_owner_references *into) {
    const uint32_t place = mc_owner_facts_get_link(self->facts, edge->target);
    if (!self->is_wanted[place] || edge->target == edge->source ||
        mc_dominator_tree_dominates(&self->heap->tree, edge->target, edge->source))
        return true;
    const uint32_t from = self->stand_ins[mc_owner_facts_get_link(self->facts, edge->source)];
    mc_owner_reference found = {place, from, self->facts->words.fields[edge->link], 1};
    return mc_owner_references_add(into, found);
}

static void count_edges(void *user, uint32_t thread, const mc_owner_edge *edges, uint32_t count) {
    const counter *self = user;
    for (uint32_t i = 0; i < count && !self->is_out_of_memory[thread]; i++)
        if (!count_edge(self, &edges[i], &self->tables[thread]))
            self->is_out_of_memory[thread] = true;
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
                                   const bool *is_wanted, const uint32_t *stand_ins,
                                   mc_error *error) {
    const uint32_t threads = facts->heap->thread_count;
    counter self = {.facts = facts,
                    .heap = facts->heap,
                    .is_wanted = is_wanted,
                    .stand_ins = stand_ins,
                    .tables = mc_alloc_zero_scattered(threads, sizeof *self.tables),
                    .is_out_of_memory =
                        mc_alloc_zero_scattered(threads, sizeof *self.is_out_of_memory)};
    bool is_done = self.tables && self.is_out_of_memory;
    *references = (mc_owner_references){.count = 0};
    if (is_done) mc_owner_edges_scan(facts, self.heap->graph.first_root, count_edges, &self);
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
