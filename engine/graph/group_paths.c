#include "engine/graph/group_paths.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/base/slots.h"
#include "engine/graph/node_search.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define NODES_MOST (1u << 21)
#define REPORT_MASK ((1u << 20) - 1)
#define REPORT_ENTRIES (1u << 18) // between two reports

// A group within the subtree of one of its topmost vertices.
typedef struct open_group {
    uint32_t end, item;
    uint64_t before; // bytes that came before it
} open_group;

// An item for each group and node that has vertices of it.
typedef struct item_table {
    mc_group_path *items;
    size_t count, capacity;
    mc_slots slots;
    uint32_t *latest; // by node: the item that was looked for last
} item_table;

typedef struct finder {
    const mc_group_paths_desc *desc;
    const mc_vertex_sizes *sizes;
    mc_path_table table;
    uint32_t *places;     // by node
    uint32_t known_count; // of nodes that have one
    uint32_t *node_of;    // by vertex's number; MC_NONE: it is in no group
    item_table found;
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

static void place_vertex(void *user, uint32_t number, uint32_t node) {
    finder *self = user;
    const mc_vertex_groups *groups = self->desc->groups;
    uint32_t group = groups->of[number];
    if (node == self->known_count) self->places[self->known_count++] = group;
    self->places[node] = find_common(groups, self->places[node], group);
    self->node_of[number] = group == MC_NONE ? MC_NONE : node;
}

static mc_result place_vertices(finder *self) {
    const mc_group_paths_desc *desc = self->desc;
    const size_t vertex_count = desc->tree->reachable;
    mc_node_search_desc search = {.graph = desc->graph,
                                  .tree = desc->tree,
                                  .root_edges = desc->root_edges,
                                  .roots = desc->roots,
                                  .table = &self->table,
                                  .visit = place_vertex,
                                  .user = self,
                                  .progress = desc->progress};
    size_t most = vertex_count < NODES_MOST ? vertex_count : NODES_MOST;
    self->places = mc_alloc_scattered(most + 1, sizeof *self->places);
    const size_t column = (size_t)desc->tree->count + 1;
    self->node_of = mc_graph_take_column(desc->graph, column, sizeof *self->node_of);
    if (!self->places || !self->node_of) return mc_error_out_of_memory(self->error);
    mc_parallel_touch(self->node_of, vertex_count * sizeof *self->node_of, desc->thread_count);
    search.visited[0] = desc->groups->of;
    search.visited[1] = self->node_of;
    return mc_node_search_run(&search, self->error);
}

// ---- items

static bool init_table(item_table *self, uint32_t node_count) {
    self->latest = mc_alloc_scattered((size_t)node_count + MC_PARALLEL_APART, sizeof *self->latest);
    if (!self->latest) return false;
    memset(self->latest, 0xff, ((size_t)node_count + 1) * sizeof *self->latest); // MC_NONE
    return true;
}

static void deinit_table(item_table *self) {
    mc_free(self->items);
    mc_slots_deinit(&self->slots);
    mc_free(self->latest);
}

// MC_NONE if memory is out.
static uint32_t get_item(item_table *self, uint32_t group, uint32_t node) {
    uint32_t latest = self->latest[node];
    assert(latest == MC_NONE || self->items); // what is the latest is there
    if (latest != MC_NONE && self->items[latest].group == group) return latest;
    uint64_t key = (uint64_t)group << 32 | node;
    uint32_t hash = (uint32_t)mc_hash_bytes(&key, sizeof key, 0);
    if (self->count + 1 >= MC_NONE / 4) return MC_NONE;
    uint32_t count = (uint32_t)self->count;
    for (uint32_t at = hash, found; (found = mc_slots_find(&self->slots, hash, &at)) != MC_NONE;) {
        assert(self->items);
        if (self->items[found].group == group && self->items[found].node == node)
            return self->latest[node] = found;
    }
    if (!mc_reserve(&self->items, &self->capacity, self->count + 1, sizeof *self->items) ||
        !mc_slots_add(&self->slots, hash, count))
        return MC_NONE;
    self->items[self->count++] = (mc_group_path){.group = group, .node = node};
    return self->latest[node] = count;
}

// ---- weighing

// Weighs what is in a range of numbers, as if the rest were not there. Items are the sums over
// ranges: a group that is open where one begins is open from there on.
typedef struct weigher {
    // Each thread writes to its own at every vertex.
    _Alignas(MC_PARALLEL_APART) const finder *all;
    uint32_t begin, end;
    item_table found;
    open_group *stack; // as deep as there are groups at most
    uint32_t depth;
    uint32_t *ends; // by group: of its latest subtree
    uint64_t bytes; // that have come so far
    bool is_out_of_memory;
} weigher;

typedef struct weighing {
    weigher parts[MC_PARALLEL_THREADS_MAX];
    uint32_t part_count;
    const mc_progress *progress;
    atomic_bool is_cancelled;
} weighing;

static void close_groups(weigher *self, uint32_t number) {
    while (self->depth > 0 && self->stack[self->depth - 1].end <= number) {
        const open_group *top = &self->stack[--self->depth];
        self->found.items[top->item].ends.size += self->bytes - top->before;
    }
}

// Opens a vertex's group and those around it, up to the first that is open already: then all around
// that one are, too.
static bool open_groups(weigher *self, uint32_t number) {
    const mc_vertex_groups *groups = self->all->desc->groups;
    uint32_t end = mc_dominator_tree_get_end(self->all->desc->tree, number);
    if (end > self->end) end = self->end;
    for (uint32_t group = groups->of[number]; group != MC_NONE && self->ends[group] <= number;
         group = get_parent(groups, group)) {
        uint32_t item = get_item(&self->found, group, self->all->node_of[number]);
        if (item == MC_NONE) return false;
        self->ends[group] = end;
        self->stack[self->depth++] = (open_group){end, item, self->bytes};
    }
    return true;
}

// What dominates the first of the range.
static bool open_above(weigher *self) {
    const mc_dominator_tree *tree = self->all->desc->tree;
    for (uint32_t i = 0; (i = mc_dominator_tree_find_above(tree, self->begin, i)) < self->begin;
         i++)
        if (!open_groups(self, i)) return false;
    return true;
}

static bool weigh_vertex(weigher *self, uint32_t number) {
    const finder *all = self->all;
    uint32_t group = all->desc->groups->of[number];
    close_groups(self, number);
    if (group == MC_NONE) return true;
    if (!open_groups(self, number)) return false;
    uint32_t item = get_item(&self->found, group, all->node_of[number]);
    if (item == MC_NONE) return false;
    self->found.items[item].ends.count++;
    self->bytes += mc_vertex_sizes_get(all->sizes, number);
    return true;
}

static void weigh_range(void *user, uint32_t part, uint32_t thread) {
    weighing *all = user;
    weigher *self = &all->parts[part];
    bool is_done = open_above(self);
    for (uint32_t i = self->begin; i < self->end && is_done; i++) {
        if ((i & REPORT_MASK) == 0) {
            if (thread == 0 &&
                !mc_progress_report(all->progress, i - self->begin, self->end - self->begin))
                atomic_store(&all->is_cancelled, true);
            if (atomic_load_explicit(&all->is_cancelled, memory_order_relaxed)) return;
        }
        is_done = weigh_vertex(self, i);
    }
    self->is_out_of_memory = !is_done;
    if (is_done) close_groups(self, self->end);
}

static bool init_weigher(weigher *self) {
    // So that no thread writes to a line of the cache that another one reads.
    size_t group_count = (size_t)self->all->desc->groups->count + MC_PARALLEL_APART;
    self->stack = mc_alloc_scattered(group_count, sizeof *self->stack);
    self->ends = mc_alloc_zero_scattered(group_count, sizeof *self->ends);
    return self->stack && self->ends && init_table(&self->found, self->all->table.count);
}

static bool init_weighing(weighing *self, const finder *all) {
    uint32_t count = all->desc->thread_count, reachable = all->desc->tree->reachable;
    if (count > MC_PARALLEL_THREADS_MAX) count = MC_PARALLEL_THREADS_MAX;
    if (count < 1 || reachable < count) count = 1;
    self->progress = all->desc->progress;
    for (uint32_t i = 0; i < count; i++) {
        self->parts[i] = (weigher){.all = all,
                                   .begin = (uint32_t)((uint64_t)reachable * i / count),
                                   .end = (uint32_t)((uint64_t)reachable * (i + 1) / count)};
        self->part_count++;
        if (!init_weigher(&self->parts[i])) return false;
    }
    return true;
}

// The first part's table becomes that of all.
static bool merge_items(weighing *self, item_table *all) {
    *all = self->parts[0].found;
    self->parts[0].found = (item_table){.count = 0};
    for (uint32_t part = 1; part < self->part_count; part++)
        for (size_t i = 0; i < self->parts[part].found.count; i++) {
            const mc_group_path *from = &self->parts[part].found.items[i];
            uint32_t item = get_item(all, from->group, from->node);
            if (item == MC_NONE) return false;
            all->items[item].ends.count += from->ends.count;
            all->items[item].ends.size += from->ends.size;
        }
    return true;
}

// Which vertices a group has at a node, and what those of them retain that no other one dominates.
static mc_result weigh(finder *self) {
    weighing all = {.part_count = 0};
    bool is_done = init_weighing(&all, self);
    if (is_done) mc_parallel_run(all.part_count, all.part_count, weigh_range, &all);
    for (uint32_t i = 0; i < all.part_count; i++)
        is_done = is_done && !all.parts[i].is_out_of_memory;
    bool is_cancelled = atomic_load(&all.is_cancelled);
    if (is_done && !is_cancelled) is_done = merge_items(&all, &self->found);
    for (uint32_t i = 0; i < all.part_count; i++) {
        deinit_table(&all.parts[i].found);
        mc_free(all.parts[i].stack);
        mc_free(all.parts[i].ends);
    }
    if (is_cancelled) return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
    return is_done ? MC_OK : mc_error_out_of_memory(self->error);
}

// To the groups around. What comes from others waits in `rest`.
static mc_result add_counts(finder *self) {
    const mc_vertex_groups *groups = self->desc->groups;
    item_table *found = &self->found;
    size_t count = found->count;
    for (size_t i = 0; i < count; i++) {
        const mc_group_path item = found->items[i];
        uint32_t group = item.ends.count > 0 ? get_parent(groups, item.group) : MC_NONE;
        for (; group != MC_NONE; group = get_parent(groups, group)) {
            uint32_t outer = get_item(found, group, item.node);
            if (outer == MC_NONE) return mc_error_out_of_memory(self->error);
            found->items[outer].rest.count += item.ends.count;
        }
    }
    for (size_t i = 0; i < found->count; i++) {
        found->items[i].ends.count += found->items[i].rest.count;
        found->items[i].rest.count = 0;
    }
    return MC_OK;
}

// ---- choosing

// The nodes in preorder, so that those below one are a range of numbers. Ways up in steps whose
// number is logarithmic are those of dominators.c.
typedef struct way {
    uint32_t node; // in the table
    uint32_t end;  // of the range of those below
    uint32_t parent, jump, depth;
} way;

// A node on the way to some of the group that is looked at.
typedef struct branch {
    mc_group_sum whole;
    uint32_t at, node;   // its way, and what that is in the table
    uint32_t begin, end; // the items at it and below, in `items`
    uint32_t parent;     // in `kept`
} branch;

typedef struct chooser {
    finder *finder;
    way *ways;
    mc_group_path *items; // of the group, in preorder; their nodes are ways
    uint32_t item_count;
    mc_group_sum *sums; // of the items before each, and of all
    size_t sum_capacity;
    branch *heap; // whose parents are kept, the one that holds most first
    size_t heap_count, heap_capacity;
    mc_group_path *kept;
    size_t kept_count, kept_capacity;
    uint64_t done; // entries since it was last asked whether to go on
} chooser;

static int compare_items(const void *a, const void *b) {
    const mc_group_path *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

// A node never holds more than the one before it, which has a lower number.
static bool is_heavier(const branch *a, const branch *b) {
    if (a->whole.size != b->whole.size) return a->whole.size > b->whole.size;
    if (a->whole.count != b->whole.count) return a->whole.count > b->whole.count;
    return a->node < b->node;
}

static bool push(chooser *self, const branch *added) {
    if (!mc_reserve(&self->heap, &self->heap_capacity, self->heap_count + 1, sizeof *self->heap))
        return false;
    size_t at = self->heap_count++;
    for (; at > 0 && is_heavier(added, &self->heap[(at - 1) / 2]); at = (at - 1) / 2)
        self->heap[at] = self->heap[(at - 1) / 2];
    self->heap[at] = *added;
    return true;
}

static branch pop(chooser *self) {
    branch *heap = self->heap, top = heap[0], last = heap[--self->heap_count];
    size_t at = 0, count = self->heap_count;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_heavier(&heap[child + 1], &heap[child])) child++;
        if (!is_heavier(&heap[child], &last)) break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

// The next one below `above` on the way to `at`.
static uint32_t find_child(const way *ways, uint32_t at, uint32_t above) {
    while (ways[at].parent != above)
        at = ways[at].jump > above ? ways[at].jump : ways[at].parent;
    return at;
}

// The first item behind those below a node.
static uint32_t find_end(const chooser *self, uint32_t begin, uint32_t way_end) {
    uint32_t end = self->item_count;
    while (begin < end) {
        uint32_t middle = begin + (end - begin) / 2;
        if (self->items[middle].node < way_end)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

static bool push_branch(chooser *self, uint32_t at, uint32_t begin, uint32_t parent) {
    const way *own = &self->ways[at];
    branch added = {.at = at,
                    .node = own->node,
                    .begin = begin,
                    .end = find_end(self, begin, own->end),
                    .parent = parent};
    added.whole.count = self->sums[added.end].count - self->sums[begin].count;
    added.whole.size = self->sums[added.end].size - self->sums[begin].size;
    self->done++;
    return push(self, &added);
}

// Every node that is kept gets an entry, so that it is there whatever ends at it. What it has and
// none of those below it that are kept ends there, or is the rest.
static bool keep_heaviest(chooser *self, size_t most) {
    const size_t first = self->kept_count;
    while (self->heap_count > 0 && self->kept_count - first < most) {
        branch next = pop(self);
        uint32_t number = (uint32_t)(self->kept_count - first), at = next.begin;
        mc_group_path *kept = &self->kept[self->kept_count++];
        *kept = (mc_group_path){.group = self->items->group, .node = next.node, .rest = next.whole};
        if (self->items[at].node == next.at) {
            kept->ends = self->items[at++].ends;
            kept->rest.count -= kept->ends.count;
            kept->rest.size -= kept->ends.size;
        }
        if (next.parent != MC_NONE) {
            self->kept[first + next.parent].rest.count -= next.whole.count;
            self->kept[first + next.parent].rest.size -= next.whole.size;
        }
        while (at < next.end) {
            uint32_t child = find_child(self->ways, self->items[at].node, next.at);
            if (!push_branch(self, child, at, number)) return false;
            at = find_end(self, at, self->ways[child].end);
        }
    }
    return true;
}

// Of one group, from the root down: a node's parent comes before it.
static bool keep(chooser *self, mc_group_path *items, uint32_t count) {
    const size_t most = (size_t)self->finder->desc->most + 1, begin = self->kept_count;
    self->items = items;
    self->item_count = count;
    self->heap_count = 0;
    self->done += count;
    if (!mc_reserve(&self->sums, &self->sum_capacity, (size_t)count + 1, sizeof *self->sums))
        return false;
    self->sums[0] = (mc_group_sum){0, 0};
    for (uint32_t i = 0; i < count; i++) {
        self->sums[i + 1].count = self->sums[i].count + items[i].ends.count;
        self->sums[i + 1].size = self->sums[i].size + items[i].ends.size;
    }
    size_t room = most < self->finder->table.count ? most : self->finder->table.count;
    if (!mc_reserve(&self->kept, &self->kept_capacity, begin + room, sizeof *self->kept))
        return false;
    if (!push_branch(self, 0, 0, MC_NONE) || !keep_heaviest(self, most)) return false;
    qsort(self->kept + begin, self->kept_count - begin, sizeof *self->kept, compare_items);
    return true;
}

// Puts the nodes in preorder, children in the order of their numbers. `places`: of each node its
// way; room for as many.
static void make_ways(const mc_path_table *table, way *ways, uint32_t *places, uint32_t *next) {
    const mc_path_node *nodes = table->nodes;
    for (uint32_t i = 0; i < table->count; i++)
        next[i] = 1;
    for (uint32_t i = table->count; i-- > 1;)
        next[nodes[i].parent] += next[i];
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t above = i > 0 ? places[nodes[i].parent] : 0, size = next[i];
        uint32_t at = i > 0 ? next[nodes[i].parent] : 0;
        if (i > 0) next[nodes[i].parent] += size;
        places[i] = at;
        next[i] = at + 1;
        ways[at] = (way){.node = i, .end = at + size, .parent = i > 0 ? above : MC_NONE};
        if (i == 0) continue;
        uint32_t jump = ways[above].jump, beyond = ways[jump].jump, depth = ways[above].depth;
        bool is_even = depth - ways[jump].depth == ways[jump].depth - ways[beyond].depth;
        ways[at].jump = is_even ? beyond : above;
        ways[at].depth = depth + 1;
    }
}

static bool init_ways(chooser *self) {
    finder *all = self->finder;
    size_t count = (size_t)all->table.count + 1;
    uint32_t *places = mc_alloc_scattered(count, sizeof *places),
             *next = mc_alloc(count, sizeof *next);
    self->ways = mc_alloc_scattered(count, sizeof *self->ways);
    bool is_done = self->ways && places && next;
    if (is_done) {
        make_ways(&all->table, self->ways, places, next);
        for (size_t i = 0; i < all->found.count; i++)
            all->found.items[i].node = places[all->found.items[i].node];
    }
    mc_free(places);
    mc_free(next);
    return is_done;
}

static mc_result keep_groups(chooser *self) {
    const finder *all = self->finder;
    mc_group_path *items = all->found.items;
    const size_t count = all->found.count;
    self->done = REPORT_ENTRIES;
    for (size_t i = 0, end; i < count; i = end) {
        if (self->done >= REPORT_ENTRIES) {
            self->done = 0;
            if (!mc_progress_report(all->desc->progress, i, count))
                return mc_fail(all->error, MC_ERROR_CANCELLED, "cancelled");
        }
        for (end = i + 1; end < count && items[end].group == items[i].group;)
            end++;
        if (!keep(self, items + i, (uint32_t)(end - i))) return mc_error_out_of_memory(all->error);
    }
    return MC_OK;
}

// Nodes that no group keeps go; the others are numbered anew.
static mc_result number(chooser *self, mc_group_paths *paths) {
    finder *all = self->finder;
    uint32_t count = all->table.count, kept = 0;
    uint32_t *numbers = mc_alloc_zero_scattered((size_t)count + 1, sizeof *numbers);
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
    mc_result result = init_ways(&choice) ? MC_OK : mc_error_out_of_memory(self->error);
    if (result == MC_OK && self->found.count > 0)
        qsort(self->found.items, self->found.count, sizeof *self->found.items, compare_items);
    if (result == MC_OK) result = keep_groups(&choice);
    if (result == MC_OK) result = number(&choice, paths);
    mc_free(choice.ways);
    mc_free(choice.sums);
    mc_free(choice.heap);
    mc_free(choice.kept);
    return result;
}

// ---- all of it

mc_result mc_group_paths_find(mc_group_paths *paths, const mc_group_paths_desc *desc,
                              mc_error *error) {
    finder self = {
        .desc = desc, .table = {.kinds = desc->graph->kinds, .most = NODES_MOST}, .error = error};
    *paths = (mc_group_paths){.node_count = 0};
    mc_result result = place_vertices(&self);
    self.sizes = desc->sizes;
    if (result == MC_OK) result = weigh(&self);
    if (result == MC_OK) result = add_counts(&self);
    if (result == MC_OK) result = choose(&self, paths);
    mc_path_table_deinit(&self.table);
    mc_free(self.places);
    mc_graph_spare_column(desc->graph, self.node_of,
                          ((size_t)desc->tree->count + 1) * sizeof *self.node_of);
    deinit_table(&self.found);
    return result;
}

void mc_group_paths_deinit(mc_group_paths *paths) {
    mc_free(paths->nodes);
    mc_free(paths->places);
    mc_free(paths->items);
    *paths = (mc_group_paths){.node_count = 0};
}
