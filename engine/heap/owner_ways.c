#include "engine/heap/owner_ways.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define WAYS_MAX (1u << 16) // that are told apart

typedef struct way {
    uint32_t owner, from;
    uint32_t field; // text of the words
    uint64_t count;
} way;

typedef struct way_table {
    way *items;
    uint32_t count;
    size_t capacity;
    mc_slots slots;
    bool is_out_of_memory;
} way_table;

typedef struct counter {
    const mc_owner_ways_desc *desc;
    const mc_heap *heap;
    way_table *tables; // a worker
} counter;

static bool add(way_table *table, way added) {
    const uint32_t words[3] = {added.owner, added.from, added.field};
    const uint32_t hash = (uint32_t)mc_hash_bytes(words, sizeof words, 0);
    for (uint32_t at = hash, found; (found = mc_slots_find(&table->slots, hash, &at)) != MC_NONE;) {
        way *known = &table->items[found];
        if (known->owner != added.owner || known->from != added.from || known->field != added.field)
            continue;
        known->count += added.count;
        return true;
    }
    if (table->count == WAYS_MAX) return true;
    if (!mc_reserve(&table->items, &table->capacity, (size_t)table->count + 1,
                    sizeof *table->items) ||
        !mc_slots_add(&table->slots, hash, table->count))
        return false;
    table->items[table->count++] = added;
    return true;
}

static void follow_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const counter *self = user;
    const mc_graph *graph = &self->heap->graph;
    const mc_dominator_tree *tree = &self->heap->tree;
    const uint32_t *places = self->desc->facts->links;
    way_table *table = &self->tables[thread];
    mc_graph_ahead ahead = {.at = begin, .end = end};
    for (uint32_t at = begin, next; at < end && !table->is_out_of_memory; at = next) {
        next = mc_graph_skip(graph, at);
        mc_graph_fetch(graph, &ahead, at);
        const uint32_t number = mc_graph_get_number(graph, at);
        if (number == 0 || number >= tree->reachable) continue;
        const uint32_t first = self->heap->kinds[mc_graph_get_kind(graph, at)].first_link;
        mc_graph_edges edges = mc_graph_begin_edges(graph, at);
        while (mc_graph_next_edge(&edges)) {
            uint32_t target = mc_graph_get_number(graph, edges.target);
            uint32_t owner = self->desc->wanted[places[target]];
            if (owner == MC_NONE || target == number ||
                mc_dominator_tree_dominates(tree, target, number))
                continue;
            way found = {owner, self->desc->owners[places[number]],
                         self->desc->facts->words.fields[first + edges.slot], 1};
            if (!add(table, found)) table->is_out_of_memory = true;
        }
    }
}

typedef struct ranked {
    way way;
    const char *text;
} ranked;

// The texts decide between equals, so that it is the same from heap to heap.
static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->way.owner != y->way.owner) return x->way.owner < y->way.owner ? -1 : 1;
    if (x->way.count != y->way.count) return x->way.count > y->way.count ? -1 : 1;
    if (x->way.from != y->way.from) return x->way.from < y->way.from ? -1 : 1;
    return strcmp(x->text, y->text);
}

static bool pass_on(const mc_owner_ways_desc *desc, const way_table *table,
                    mc_step_owners *owners) {
    const mc_strings *texts = &desc->facts->words.texts;
    ranked *list = mc_alloc((size_t)table->count + 1, sizeof *list);
    if (!list) return false;
    for (uint32_t i = 0; i < table->count; i++)
        list[i] = (ranked){table->items[i], mc_strings_get(texts, table->items[i].field, NULL)};
    qsort(list, table->count, sizeof *list, compare_ranked);
    bool is_done = true;
    for (uint32_t i = 0, of_owner = 0; i < table->count && is_done; i++) {
        const way *way = &list[i].way;
        of_owner = i > 0 && list[i - 1].way.owner == way->owner ? of_owner + 1 : 1;
        if (of_owner > desc->most) continue;
        uint32_t field = mc_strings_intern(&owners->names, list[i].text, strlen(list[i].text));
        is_done = field != MC_NONE &&
                  mc_step_owners_add_way(
                      owners, (mc_owner_way){way->owner, way->from, field, way->count});
    }
    mc_free(list);
    return is_done;
}

mc_result mc_owner_ways_add(const mc_owner_ways_desc *desc, mc_step_owners *owners,
                            mc_error *error) {
    counter self = {.desc = desc, .heap = desc->facts->heap};
    const uint32_t threads = self.heap->thread_count;
    self.tables = mc_alloc_zero(threads, sizeof *self.tables);
    if (!self.tables) return mc_error_out_of_memory(error);
    mc_graph_scan(&self.heap->graph, threads, follow_range, &self);
    bool is_done = true;
    for (uint32_t i = 0; i < threads; i++) {
        const way_table *table = &self.tables[i];
        is_done = is_done && !table->is_out_of_memory;
        for (uint32_t k = 0; k < table->count && is_done && i > 0; k++)
            is_done = add(&self.tables[0], table->items[k]);
    }
    is_done = is_done && pass_on(desc, &self.tables[0], owners);
    for (uint32_t i = 0; i < threads; i++) {
        mc_free(self.tables[i].items);
        mc_slots_deinit(&self.tables[i].slots);
    }
    mc_free(self.tables);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}
