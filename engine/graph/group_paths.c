#include "engine/graph/group_paths.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include "engine/graph/breadth_first.h"
#include "engine/graph/path_table.h"
#include <stdlib.h>
#include <string.h>

#define NODES_MOST (1u << 21)
#define REPORT_MASK ((1u << 20) - 1)

// A group within the subtree of one of its topmost vertices.
typedef struct open_group {
    uint32_t end, item;
    uint64_t before; // bytes that came before it
} open_group;

typedef struct finder {
    const mc_group_paths_desc *desc;
    mc_path_table table;
    uint32_t *places;  // by node
    uint32_t *node_of; // by vertex's number; MC_NONE: it is in no group
    // An item for each group and node that has vertices of it.
    mc_group_path *items;
    size_t item_count, item_capacity;
    uint64_t *slots;
    uint32_t slot_count;
    uint32_t *latest; // by node: the item that was looked for last
    open_group *stack;
    uint32_t depth;
    uint32_t *ends; // by group: of its latest subtree
    uint64_t bytes; // that have come so far
    mc_error *error;
} finder;

// ---- where vertices are

static uint32_t get_parent(const mc_vertex_groups *groups, uint32_t group) {
    return groups->parents ? groups->parents[group] : MC_NONE;
}

// Groups around one have lower numbers.
static uint32_t find_common(const mc_vertex_groups *groups, uint32_t a, uint32_t b) {
    while (a != b && a != MC_NONE && b != MC_NONE) {
        if (a > b)
            a = get_parent(groups, a);
        else
            b = get_parent(groups, b);
    }
    return a == b ? a : MC_NONE;
}

static mc_result place_vertex(finder *self, mc_breadth_first *search, uint32_t i,
                              uint32_t *known_count) {
    const mc_graph *graph = self->desc->graph;
    const mc_vertex_groups *groups = self->desc->groups;
    uint32_t position = search->positions[i], parent = search->parents[i], slot = 0;
    if (i > 0) slot = mc_breadth_first_find_slot(search, graph, parent, position);
    uint32_t node = mc_path_table_put(&self->table, i > 0 ? search->parents[parent] : MC_NONE,
                                      mc_graph_get_kind(graph, position), slot);
    if (node == MC_NONE) return mc_error_out_of_memory(self->error);
    search->parents[i] = node;
    uint32_t number = mc_graph_get_number(graph, position), group = groups->of[number];
    if (node == *known_count) self->places[(*known_count)++] = group;
    self->places[node] = find_common(groups, self->places[node], group);
    self->node_of[number] = group == MC_NONE ? MC_NONE : node;
    return MC_OK;
}

static mc_result place_vertices(finder *self) {
    mc_breadth_first search;
    uint32_t known_count = 0;
    size_t vertex_count = self->desc->tree->reachable;
    mc_result result =
        mc_breadth_first_init(&search, self->desc->graph, self->desc->tree, self->desc->root_edges,
                              self->desc->progress, self->error);
    size_t most = vertex_count < NODES_MOST ? vertex_count : NODES_MOST;
    self->places = mc_alloc(most + 1, sizeof *self->places);
    self->node_of = mc_alloc(vertex_count + 1, sizeof *self->node_of);
    if (result == MC_OK && (!self->places || !self->node_of))
        result = mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < search.count && result == MC_OK; i++) {
        result = mc_breadth_first_report(&search, i, self->desc->progress, self->error);
        if (result == MC_OK) result = place_vertex(self, &search, i, &known_count);
    }
    mc_breadth_first_deinit(&search);
    return result;
}

// ---- items

// MC_NONE if memory is out.
static uint32_t get_item(finder *self, uint32_t group, uint32_t node) {
    uint32_t latest = self->latest[node];
    assert(latest == MC_NONE || self->items); // what is the latest is there
    if (latest != MC_NONE && self->items[latest].group == group) return latest;
    uint64_t key = (uint64_t)group << 32 | node;
    uint32_t hash = (uint32_t)mc_hash_bytes(&key, sizeof key, 0);
    if (self->item_count + 1 >= MC_NONE / 4) return MC_NONE;
    uint32_t count = (uint32_t)self->item_count;
    if (self->slot_count < 2 * (count + 1) &&
        !mc_slots_grow(&self->slots, &self->slot_count, count + 1))
        return MC_NONE;
    uint32_t mask = self->slot_count - 1, at = hash & mask;
    for (; self->slots[at] != 0; at = (at + 1) & mask) {
        const mc_group_path *item = &self->items[(uint32_t)self->slots[at] - 1];
        if (item->group == group && item->node == node)
            return self->latest[node] = (uint32_t)self->slots[at] - 1;
    }
    if (!mc_reserve(&self->items, &self->item_capacity, self->item_count + 1, sizeof *self->items))
        return MC_NONE;
    self->items[self->item_count++] = (mc_group_path){.group = group, .node = node};
    self->slots[at] = (uint64_t)hash << 32 | (count + 1);
    return self->latest[node] = count;
}

static void close_groups(finder *self, uint32_t number) {
    while (self->depth > 0 && self->stack[self->depth - 1].end <= number) {
        const open_group *top = &self->stack[--self->depth];
        self->items[top->item].ends.size += self->bytes - top->before;
    }
}

// Opens a vertex's group and those around it, up to the first that is open already: then all around
// that one are, too.
static bool open_groups(finder *self, uint32_t number) {
    const mc_vertex_groups *groups = self->desc->groups;
    uint32_t end = mc_dominator_tree_get_end(self->desc->tree, number);
    for (uint32_t group = groups->of[number]; group != MC_NONE && self->ends[group] <= number;
         group = get_parent(groups, group)) {
        uint32_t item = get_item(self, group, self->node_of[number]);
        if (item == MC_NONE) return false;
        self->ends[group] = end;
        self->stack[self->depth++] = (open_group){end, item, self->bytes};
    }
    return true;
}

// Which vertices a group has at a node, and what those of them retain that no other one dominates.
static mc_result weigh(finder *self) {
    const mc_vertex_groups *groups = self->desc->groups;
    uint32_t count = self->desc->tree->reachable;
    for (uint32_t i = 0; i < count; i++) {
        if ((i & REPORT_MASK) == 0 && !mc_progress_report(self->desc->progress, i, count))
            return mc_error_set(self->error, MC_ERROR_CANCELLED, MC_ERROR_NO_OFFSET, "cancelled");
        close_groups(self, i);
        if (groups->of[i] == MC_NONE) continue;
        if (!open_groups(self, i)) return mc_error_out_of_memory(self->error);
        uint32_t item = get_item(self, groups->of[i], self->node_of[i]);
        if (item == MC_NONE) return mc_error_out_of_memory(self->error);
        self->items[item].ends.count++;
        self->bytes += mc_vertex_sizes_get(self->desc->sizes, i);
    }
    close_groups(self, count);
    return MC_OK;
}

// To the groups around. What comes from others waits in `rest`.
static mc_result add_counts(finder *self) {
    const mc_vertex_groups *groups = self->desc->groups;
    size_t count = self->item_count;
    for (size_t i = 0; i < count; i++) {
        const mc_group_path item = self->items[i];
        uint32_t group = item.ends.count > 0 ? get_parent(groups, item.group) : MC_NONE;
        for (; group != MC_NONE; group = get_parent(groups, group)) {
            uint32_t outer = get_item(self, group, item.node);
            if (outer == MC_NONE) return mc_error_out_of_memory(self->error);
            self->items[outer].rest.count += item.ends.count;
        }
    }
    for (size_t i = 0; i < self->item_count; i++) {
        self->items[i].ends.count += self->items[i].rest.count;
        self->items[i].rest.count = 0;
    }
    return MC_OK;
}

// ---- choosing

typedef struct weighed {
    mc_group_sum whole;
    uint32_t node;
} weighed;

typedef struct chooser {
    finder *finder;
    mc_group_sum *wholes; // by node: of the group that is looked at
    uint8_t *is_met;      // by node: it is on the way to one of the group; 2: and kept
    weighed *nodes;
    size_t node_count, node_capacity;
    mc_group_path *kept;
    size_t kept_count, kept_capacity;
} chooser;

static int compare_items(const void *a, const void *b) {
    const mc_group_path *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int compare_numbers(const void *a, const void *b) {
    const weighed *x = a, *y = b;
    return x->node < y->node ? -1 : x->node > y->node;
}

// A node never holds more than the one before it, which has a lower number.
static int compare_weights(const void *a, const void *b) {
    const weighed *x = a, *y = b;
    if (x->whole.size != y->whole.size) return x->whole.size > y->whole.size ? -1 : 1;
    if (x->whole.count != y->whole.count) return x->whole.count > y->whole.count ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static bool meet(chooser *self, uint32_t node) {
    const mc_path_node *nodes = self->finder->table.nodes;
    for (; node != MC_NONE && !self->is_met[node]; node = nodes[node].parent) {
        if (!mc_reserve(&self->nodes, &self->node_capacity, self->node_count + 1,
                        sizeof *self->nodes))
            return false;
        self->is_met[node] = 1;
        self->wholes[node] = (mc_group_sum){0, 0};
        self->nodes[self->node_count++] = (weighed){.node = node};
    }
    return true;
}

static bool list_nodes(chooser *self, const mc_group_path *items, size_t count) {
    const mc_path_node *nodes = self->finder->table.nodes;
    self->node_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!meet(self, items[i].node)) return false;
        self->wholes[items[i].node].count += items[i].ends.count;
        self->wholes[items[i].node].size += items[i].ends.size;
    }
    if (self->node_count == 0) return true;
    assert(self->nodes);
    qsort(self->nodes, self->node_count, sizeof *self->nodes, compare_numbers);
    for (size_t i = self->node_count; i-- > 0;) {
        uint32_t node = self->nodes[i].node, parent = nodes[node].parent;
        self->nodes[i].whole = self->wholes[node];
        if (parent == MC_NONE) continue;
        self->wholes[parent].count += self->wholes[node].count;
        self->wholes[parent].size += self->wholes[node].size;
    }
    return true;
}

// Every node that is kept gets an entry, so that it is there whatever ends at it.
static bool keep(chooser *self, const mc_group_path *items, size_t count) {
    const mc_path_node *nodes = self->finder->table.nodes;
    size_t most = (size_t)self->finder->desc->most + 1, begin = self->kept_count;
    if (self->node_count == 0) return true;
    assert(self->nodes);
    qsort(self->nodes, self->node_count, sizeof *self->nodes, compare_weights);
    size_t kept = self->node_count < most ? self->node_count : most;
    if (!mc_reserve(&self->kept, &self->kept_capacity, begin + kept, sizeof *self->kept))
        return false;
    for (size_t i = 0; i < kept; i++) {
        self->is_met[self->nodes[i].node] = 2;
        self->kept[self->kept_count++] =
            (mc_group_path){.group = items->group, .node = self->nodes[i].node};
    }
    qsort(self->kept + begin, kept, sizeof *self->kept, compare_items);
    for (size_t i = 0; i < count; i++) {
        mc_group_path key = items[i];
        while (self->is_met[key.node] != 2)
            key.node = nodes[key.node].parent;
        mc_group_path *place =
            bsearch(&key, self->kept + begin, kept, sizeof *self->kept, compare_items);
        assert(place); // the root, at least
        mc_group_sum *sum = key.node == items[i].node ? &place->ends : &place->rest;
        sum->count += items[i].ends.count;
        sum->size += items[i].ends.size;
    }
    for (size_t i = 0; i < self->node_count; i++)
        self->is_met[self->nodes[i].node] = 0;
    return true;
}

// Nodes that no group keeps go; the others are numbered anew.
static mc_result number(chooser *self, mc_group_paths *paths) {
    finder *all = self->finder;
    uint32_t count = all->table.count, kept = 0;
    uint32_t *numbers = mc_alloc_zero((size_t)count + 1, sizeof *numbers);
    if (!numbers) return mc_error_out_of_memory(all->error);
    for (size_t i = 0; i < self->kept_count; i++)
        numbers[self->kept[i].node] = 1;
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] == 0) continue;
        mc_path_node node = all->table.nodes[i];
        if (node.parent != MC_NONE) node.parent = numbers[node.parent];
        all->places[kept] = all->places[i];
        all->table.nodes[kept] = node;
        numbers[i] = kept++;
    }
    for (size_t i = 0; i < self->kept_count; i++)
        self->kept[i].node = numbers[self->kept[i].node];
    mc_free(numbers);
    *paths = (mc_group_paths){.nodes = all->table.nodes,
                              .places = all->places,
                              .node_count = kept,
                              .items = self->kept,
                              .item_count = self->kept_count};
    all->table.nodes = NULL;
    all->places = NULL;
    self->kept = NULL;
    return MC_OK;
}

static mc_result choose(finder *self, mc_group_paths *paths) {
    chooser choice = {.finder = self};
    size_t count = (size_t)self->table.count + 1;
    choice.wholes = mc_alloc(count, sizeof *choice.wholes);
    choice.is_met = mc_alloc_zero(count, sizeof *choice.is_met);
    bool is_done = choice.wholes && choice.is_met;
    if (self->item_count > 0)
        qsort(self->items, self->item_count, sizeof *self->items, compare_items);
    for (size_t i = 0, end; i < self->item_count && is_done; i = end) {
        for (end = i + 1; end < self->item_count && self->items[end].group == self->items[i].group;)
            end++;
        is_done = list_nodes(&choice, self->items + i, end - i) &&
                  keep(&choice, self->items + i, end - i);
    }
    mc_result result = is_done ? number(&choice, paths) : mc_error_out_of_memory(self->error);
    mc_free(choice.wholes);
    mc_free(choice.is_met);
    mc_free(choice.nodes);
    mc_free(choice.kept);
    return result;
}

// ---- all of it

static mc_result init_items(finder *self) {
    size_t group_count = (size_t)self->desc->groups->count + 1;
    size_t node_count = (size_t)self->table.count + 1;
    self->latest = mc_alloc(node_count, sizeof *self->latest);
    self->stack = mc_alloc(group_count, sizeof *self->stack);
    self->ends = mc_alloc_zero(group_count, sizeof *self->ends);
    if (!self->latest || !self->stack || !self->ends) return mc_error_out_of_memory(self->error);
    memset(self->latest, 0xff, node_count * sizeof *self->latest); // MC_NONE
    return MC_OK;
}

mc_result mc_group_paths_find(mc_group_paths *paths, const mc_group_paths_desc *desc,
                              mc_error *error) {
    finder self = {.desc = desc, .table = {.most = NODES_MOST}, .error = error};
    *paths = (mc_group_paths){.node_count = 0};
    mc_result result = place_vertices(&self);
    if (result == MC_OK) result = init_items(&self);
    if (result == MC_OK) result = weigh(&self);
    if (result == MC_OK) result = add_counts(&self);
    if (result == MC_OK) result = choose(&self, paths);
    mc_path_table_deinit(&self.table);
    mc_free(self.places);
    mc_free(self.node_of);
    mc_free(self.items);
    mc_free(self.slots);
    mc_free(self.latest);
    mc_free(self.stack);
    mc_free(self.ends);
    return result;
}

void mc_group_paths_deinit(mc_group_paths *paths) {
    mc_free(paths->nodes);
    mc_free(paths->places);
    mc_free(paths->items);
    *paths = (mc_group_paths){.node_count = 0};
}
