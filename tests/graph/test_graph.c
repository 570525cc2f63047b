// Dominators, what groups retain, what goes without them and the paths to them: random graphs
// against removal and reachability, memory that runs out. Large ones: test_graph_large.c.
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/graph/group_paths.h"
#include "engine/graph/reach.h"
#include "tests/test.h"

enum { VERTICES_MAX = 48, SLOTS_MAX = 40, KINDS = 6, LIST = 1, GROUPS = 7, LATE_EDGES_MAX = 12 };

// The last vertex is the root; right before it are late roots, if there are any.
typedef struct sample_graph {
    uint32_t count;
    uint32_t late_count;
    uint32_t late_conditions[2][LATE_EDGES_MAX], late_targets[2][LATE_EDGES_MAX];
    uint32_t kinds[VERTICES_MAX], edge_counts[VERTICES_MAX];
    uint32_t edges[VERTICES_MAX][SLOTS_MAX]; // by slot; of a list in its order; MC_NONE: none
    uint64_t sizes[VERTICES_MAX];
    uint32_t groups[VERTICES_MAX]; // MC_NONE: none
    uint64_t state;
} sample_graph;

// Nothing, a list, fields that fit in a mask, ones of objects that differ in size, and ones that
// are many.
static const mc_graph_kind sample_kinds[KINDS] = {
    {.size = 0, .layout = MC_GRAPH_LIST},
    {.size = MC_GRAPH_VARIES, .layout = MC_GRAPH_LIST},
    {.size = 24, .slot_count = 4, .layout = MC_GRAPH_FIELDS},
    {.size = MC_GRAPH_VARIES, .slot_count = 3, .layout = MC_GRAPH_FIELDS},
    {.size = 64, .slot_count = SLOTS_MAX, .layout = MC_GRAPH_FIELDS},
    {.size = 20, .slot_count = 2, .layout = MC_GRAPH_FIELDS}, // no multiple of 8
};
// 4 is in 3, which is in 0 with 2; 6 is in 1.
static const uint32_t sample_parents[GROUPS] = {MC_NONE, MC_NONE, 0, 0, 3, MC_NONE, 1};

static uint32_t draw(sample_graph *sample, uint32_t count) {
    sample->state++;
    return (uint32_t)(mc_hash_u64(sample->state, 77) % count);
}

static uint32_t get_late(const sample_graph *self, uint32_t index) {
    return self->count - 1 - self->late_count + index;
}

static bool is_late(const sample_graph *self, uint32_t vertex) {
    return vertex >= get_late(self, 0) && vertex + 1 < self->count;
}

// The last vertices become late roots, which no other one references.
static void make_late_roots(sample_graph *self) {
    if (self->count < 5) return;
    self->late_count = draw(self, 3);
    for (uint32_t i = 0; i < self->late_count; i++) {
        const uint32_t vertex = get_late(self, i), edge_count = draw(self, LATE_EDGES_MAX + 1);
        self->kinds[vertex] = LIST;
        self->groups[vertex] = MC_NONE;
        self->edge_counts[vertex] = edge_count;
        for (uint32_t k = 0; k < edge_count; k++) {
            self->edges[vertex][k] = MC_NONE;
            self->late_conditions[i][k] = draw(self, get_late(self, 0));
            self->late_targets[i][k] = draw(self, get_late(self, 0));
        }
    }
    for (uint32_t i = 0; i < self->count; i++)
        for (uint32_t k = 0; k < self->edge_counts[i]; k++)
            if (self->edges[i][k] != MC_NONE && is_late(self, self->edges[i][k]))
                self->edges[i][k] = 0;
}

// Some too large for a word's payload, some about as large as two bytes hold.
static uint64_t draw_size(sample_graph *self) {
    switch (draw(self, 5)) {
    case 0: return (UINT64_C(1) << 40) + 8;
    case 1: return (UINT64_C(1) * UINT16_MAX - 2 + draw(self, 4)) * MC_GRAPH_UNIT;
    default: return 1 + draw(self, 200);
    }
}

static void make_sample(sample_graph *self, uint64_t seed) {
    *self = (sample_graph){.state = seed << 20};
    self->count = 2 + draw(self, VERTICES_MAX - 2);
    uint32_t density = 1 + draw(self, 6);
    for (uint32_t i = 0; i < self->count; i++) {
        uint32_t kind = i + 1 == self->count ? LIST : LIST + draw(self, KINDS - LIST);
        uint32_t slots = kind == LIST ? draw(self, density + 1) : sample_kinds[kind].slot_count;
        self->kinds[i] = kind;
        self->edge_counts[i] = slots;
        for (uint32_t k = 0; k < slots; k++)
            self->edges[i][k] = kind != LIST && draw(self, 3 * slots) >= density
                                    ? MC_NONE
                                    : draw(self, self->count);
        self->sizes[i] = sample_kinds[kind].size;
        if (sample_kinds[kind].size == MC_GRAPH_VARIES) self->sizes[i] = draw_size(self);
        self->groups[i] = draw(self, GROUPS + 1);
        if (self->groups[i] == GROUPS || i + 1 == self->count) self->groups[i] = MC_NONE;
    }
    make_late_roots(self);
}

// Spreads a region to all that is in none.
static void spread(const sample_graph *self, uint32_t *regions, uint32_t region) {
    for (bool has_news = true; has_news;) {
        has_news = false;
        for (uint32_t i = 0; i < self->count; i++)
            for (uint32_t k = 0; regions[i] == region && k < self->edge_counts[i]; k++) {
                uint32_t target = self->edges[i][k];
                if (target == MC_NONE || regions[target] != MC_NONE) continue;
                regions[target] = region;
                has_news = true;
            }
        for (uint32_t k = 0; region > 0 && k < self->edge_counts[get_late(self, region - 1)]; k++) {
            uint32_t target = self->late_targets[region - 1][k];
            if (regions[self->late_conditions[region - 1][k]] == MC_NONE ||
                regions[target] != MC_NONE)
                continue;
            regions[target] = region;
            has_news = true;
        }
    }
}

// The same as a graph without late roots: these are the root's, have the edges that are there, and
// no edge leads into an earlier region.
static void resolve(const sample_graph *raw, sample_graph *self) {
    uint32_t regions[VERTICES_MAX];
    *self = *raw;
    memset(regions, 0xff, sizeof regions);
    regions[raw->count - 1] = 0;
    spread(raw, regions, 0);
    for (uint32_t i = 0; i < raw->late_count; i++) {
        uint32_t vertex = get_late(raw, i), count = 0;
        regions[vertex] = i + 1;
        spread(raw, regions, i + 1);
        for (uint32_t target = 0; target < get_late(raw, 0); target++)
            for (uint32_t k = 0; k < raw->edge_counts[vertex]; k++)
                if (raw->late_targets[i][k] == target && regions[target] == i + 1 &&
                    regions[raw->late_conditions[i][k]] != MC_NONE)
                    self->edges[vertex][count++] = target;
        self->edge_counts[vertex] = count;
        self->edges[raw->count - 1][self->edge_counts[raw->count - 1]++] = vertex;
    }
    for (uint32_t i = 0; i < raw->count; i++)
        for (uint32_t k = 0; k < self->edge_counts[i] && regions[i] != MC_NONE; k++)
            if (self->edges[i][k] != MC_NONE && regions[self->edges[i][k]] < regions[i])
                self->edges[i][k] = MC_NONE;
}

static uint32_t count_edges(const sample_graph *self, uint32_t vertex, uint32_t *mask) {
    uint32_t count = 0;
    *mask = 0;
    if (self->kinds[vertex] == LIST) return self->edge_counts[vertex];
    for (uint32_t k = 0; k < self->edge_counts[vertex]; k++) {
        if (self->edges[vertex][k] == MC_NONE) continue;
        if (k < 32) *mask |= 1u << k;
        count++;
    }
    return count;
}

static mc_result build(const sample_graph *self, mc_graph *graph, uint32_t *positions,
                       mc_error *error) {
    uint32_t mask;
    mc_result result = mc_graph_init(graph, self->count, sample_kinds, KINDS, error);
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++)
        atomic_store(&graph->places[i],
                     mc_graph_measure(&graph->kinds[self->kinds[i]], count_edges(self, i, &mask)));
    if (result == MC_OK) result = mc_graph_place(graph, 2, error);
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++)
        positions[i] = mc_graph_get_place(graph, i);
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++) {
        mc_graph_entry entry = {.kind = self->kinds[i], .size = self->sizes[i]};
        entry.edge_count = count_edges(self, i, &entry.mask);
        uint32_t *words = mc_graph_put(graph, i, &entry), at = 0;
        REQUIRE(words);
        bool is_by_slot = graph->kinds[entry.kind].packing == MC_GRAPH_PACKED_INDEXED;
        for (uint32_t k = 0; k < self->edge_counts[i] && entry.edge_count > 0; k++) {
            uint32_t target = self->edges[i][k];
            if (target != MC_NONE) words[is_by_slot ? k : at++] |= positions[target];
        }
        CHECK(!mc_graph_put(graph, i, &entry)); // not twice
    }
    for (uint32_t i = 0; i < self->late_count && result == MC_OK; i++) {
        mc_graph_late_edge edges[LATE_EDGES_MAX];
        const uint32_t vertex = get_late(self, i), count = self->edge_counts[vertex];
        for (uint32_t k = 0; k < count; k++)
            edges[k] = (mc_graph_late_edge){positions[self->late_conditions[i][k]],
                                            positions[self->late_targets[i][k]]};
        result = mc_graph_add_late_root(graph, vertex, edges, count, error);
    }
    return result == MC_OK ? mc_graph_set_root(graph, self->count - 1, error) : result;
}

// ---- the slow way

typedef struct removed_set {
    const bool *is_gone; // by vertex
    const mc_group_link *cuts;
    uint32_t cut_count;
} removed_set;

static void reach(const sample_graph *self, const removed_set *removal, bool *is_reached) {
    uint32_t stack[VERTICES_MAX], depth = 0;
    memset(is_reached, 0, VERTICES_MAX);
    is_reached[self->count - 1] = true;
    stack[depth++] = self->count - 1;
    while (depth > 0) {
        uint32_t vertex = stack[--depth];
        for (uint32_t k = 0; k < self->edge_counts[vertex]; k++) {
            uint32_t target = self->edges[vertex][k];
            if (target == MC_NONE || is_reached[target]) continue;
            if (removal->is_gone && removal->is_gone[target]) continue;
            bool is_cut = false;
            for (uint32_t i = 0; i < removal->cut_count; i++)
                is_cut |= self->groups[vertex] == removal->cuts[i].from &&
                          self->groups[target] == removal->cuts[i].to;
            if (is_cut) continue;
            is_reached[target] = true;
            stack[depth++] = target;
        }
    }
}

typedef struct slow_result {
    bool is_reached[VERTICES_MAX];
    bool dominates[VERTICES_MAX][VERTICES_MAX]; // [a][b]: a dominates b, or is b
} slow_result;

static void find_reference(const sample_graph *self, slow_result *reference) {
    reach(self, &(removed_set){0}, reference->is_reached);
    for (uint32_t a = 0; a < self->count; a++) {
        bool is_gone[VERTICES_MAX] = {false}, is_left[VERTICES_MAX] = {false};
        is_gone[a] = true;
        if (a + 1 < self->count) reach(self, &(removed_set){.is_gone = is_gone}, is_left);
        for (uint32_t b = 0; b < self->count; b++)
            reference->dominates[a][b] =
                reference->is_reached[a] && reference->is_reached[b] && !is_left[b];
    }
}

static bool is_within(uint32_t group, uint32_t outer) {
    for (; group != MC_NONE; group = sample_parents[group])
        if (group == outer) return true;
    return false;
}

// ---- comparisons

typedef struct result_set {
    mc_graph graph;
    mc_dominator_tree tree;
    mc_vertex_sizes sizes;
    uint32_t positions[VERTICES_MAX], numbers[VERTICES_MAX], of[VERTICES_MAX];
    mc_vertex_groups groups;
} result_set;

static void check_edges(const sample_graph *self, const result_set *set) {
    for (uint32_t i = 0; i < self->count; i++) {
        mc_graph_edges edges = mc_graph_begin_edges(&set->graph, set->positions[i]);
        if (is_late(self, i)) continue;
        for (uint32_t k = 0; k < self->edge_counts[i]; k++) {
            if (self->edges[i][k] == MC_NONE) continue;
            REQUIRE(mc_graph_next_edge(&edges));
            CHECK(edges.target == set->positions[self->edges[i][k]]);
            CHECK(edges.slot == (self->kinds[i] == LIST ? 0 : k));
        }
        CHECK(!mc_graph_next_edge(&edges));
        CHECK(mc_graph_get_size(&set->graph, set->positions[i]) == self->sizes[i]);
    }
}

// Those that are there are in the stream, by target.
static void check_late_roots(const sample_graph *self, const result_set *set) {
    CHECK(set->tree.late_root_count == self->late_count);
    for (uint32_t i = 0; i < self->late_count; i++) {
        const uint32_t vertex = get_late(self, i);
        mc_graph_edges edges = mc_graph_begin_edges(&set->graph, set->positions[vertex]);
        for (uint32_t k = 0; k < self->edge_counts[vertex]; k++) {
            REQUIRE(mc_graph_next_edge(&edges));
            CHECK(edges.target == set->positions[self->edges[vertex][k]]);
            CHECK(mc_dominator_tree_get_region(&set->tree, set->numbers[self->edges[vertex][k]]) ==
                  i + 1);
        }
        CHECK(!mc_graph_next_edge(&edges));
        CHECK(mc_dominator_tree_get_region(&set->tree, set->numbers[vertex]) == i + 1);
    }
}

static void check_tree(const sample_graph *self, const result_set *set,
                       const slow_result *reference) {
    const mc_dominator_tree *tree = &set->tree;
    uint32_t *parents = mc_dominator_tree_list_parents(tree), reachable = 0;
    CHECK(set->numbers[self->count - 1] == 0);
    for (uint32_t a = 0; a < self->count; a++) {
        uint32_t begin = set->numbers[a], end = mc_dominator_tree_get_end(tree, begin);
        reachable += reference->is_reached[a];
        CHECK(reference->is_reached[a] == (begin < tree->reachable));
        CHECK(mc_vertex_sizes_get(&set->sizes, begin) == self->sizes[a]);
        bool has_parent = false;
        for (uint32_t b = 0; b < self->count; b++) {
            bool is_inside = set->numbers[b] >= begin && set->numbers[b] < end;
            if (reference->is_reached[a]) CHECK(is_inside == reference->dominates[a][b]);
            if (parents[begin] != set->numbers[b]) continue;
            has_parent = true;
            CHECK(a != b && reference->dominates[b][a]);
            for (uint32_t c = 0; c < self->count; c++) // nobody between
                if (c != a && reference->dominates[c][a]) CHECK(reference->dominates[c][b]);
        }
        CHECK(has_parent == (reference->is_reached[a] && a + 1 < self->count));
    }
    CHECK(reachable == tree->reachable);
    mc_free(parents);
}

static void check_retained(const sample_graph *self, const result_set *set,
                           const slow_result *reference) {
    mc_group_sum sums[GROUPS];
    // However many threads share the work.
    const uint32_t threads = (uint32_t)(self->state % 5) + 1;
    REQUIRE(mc_retained_sum(&set->tree, &set->sizes, &set->groups, threads, NULL, sums, NULL) ==
            MC_OK);
    for (uint32_t group = 0; group < GROUPS; group++) {
        mc_group_sum sum = {0, 0};
        for (uint32_t b = 0; b < self->count; b++) {
            bool is_retained = false;
            for (uint32_t a = 0; a < self->count; a++)
                is_retained |= is_within(self->groups[a], group) && reference->dominates[a][b];
            if (!is_retained || self->groups[b] == MC_NONE) continue;
            sum.count++;
            sum.size += self->sizes[b];
        }
        CHECK(sum.count == sums[group].count && sum.size == sums[group].size);
    }
}

static void check_hand_down(const sample_graph *self, const result_set *set,
                            const slow_result *reference) {
    uint32_t values[VERTICES_MAX];
    memset(values, 0xff, sizeof values); // MC_NONE
    for (uint32_t i = 0; i < self->count; i++)
        values[set->numbers[i]] = self->groups[i] == 1 ? i : MC_NONE;
    mc_dominator_walk walk = {.depth = 0};
    for (uint32_t i = 0; i < set->tree.reachable; i++) {
        uint32_t above = mc_dominator_walk_get(&walk, i);
        if (values[i] == MC_NONE)
            values[i] = above;
        else
            mc_dominator_walk_put(&walk, mc_dominator_tree_get_end(&set->tree, i), values[i]);
    }
    for (uint32_t i = 0; i < self->count; i++) {
        if (!reference->is_reached[i]) continue;
        uint32_t nearest = MC_NONE;
        for (uint32_t a = 0; a < self->count; a++)
            if (self->groups[a] == 1 && reference->dominates[a][i] &&
                (nearest == MC_NONE || reference->dominates[nearest][a]))
                nearest = a;
        CHECK(values[set->numbers[i]] == nearest);
    }
}

static void check_reach(sample_graph *self, const result_set *set, const slow_result *reference) {
    bool is_gone[VERTICES_MAX] = {false}, is_group_gone[GROUPS] = {false}, is_left[VERTICES_MAX];
    mc_group_link cuts[2] = {{draw(self, GROUPS), draw(self, GROUPS)},
                             {draw(self, GROUPS), draw(self, GROUPS)}};
    uint32_t cut_count = draw(self, 3);
    mc_vertex_groups_mark(&set->groups, draw(self, GROUPS), is_group_gone);
    for (uint32_t i = 0; i < self->count; i++)
        is_gone[i] = self->groups[i] != MC_NONE && is_group_gone[self->groups[i]];
    removed_set removal = {is_gone, cuts, cut_count};
    mc_reach_desc desc = {.graph = &set->graph,
                          .tree = &set->tree,
                          .groups = &set->groups,
                          .is_gone = is_group_gone,
                          .cuts = cuts,
                          .cut_count = cut_count,
                          .thread_count = 2};
    mc_group_sum freed[GROUPS];
    reach(self, &removal, is_left);
    REQUIRE(mc_reach_measure(&desc, freed, NULL) == MC_OK);
    for (uint32_t group = 0; group < GROUPS; group++) {
        mc_group_sum sum = {0, 0};
        for (uint32_t i = 0; i < self->count; i++) {
            if (!reference->is_reached[i] || is_left[i] || !is_within(self->groups[i], group))
                continue;
            sum.count++;
            sum.size += self->sizes[i];
        }
        CHECK(sum.count == freed[group].count && sum.size == freed[group].size);
    }
}

// The search in which the root's edge `k` is followed.
static uint32_t get_search(const sample_graph *self, uint32_t k, uint32_t first_edges) {
    uint32_t target = self->edges[self->count - 1][k];
    if (is_late(self, target)) return 2 + target - get_late(self, 0);
    return k < first_edges ? 0 : 1;
}

// How far each vertex is from the root: by its first edges, or, if these don't lead there, by the
// others, then by the late roots.
static void measure_distances(const sample_graph *self, uint32_t first_edges, uint32_t *distances) {
    const uint32_t root = self->count - 1;
    memset(distances, 0xff, VERTICES_MAX * sizeof *distances);
    distances[root] = 0;
    for (uint32_t step = 0; step < 4 * self->count; step++) {
        uint32_t search = step / self->count, round = step % self->count;
        for (uint32_t i = 0; i < self->count; i++)
            for (uint32_t k = 0; k < self->edge_counts[i] && distances[i] == round; k++)
                if (self->edges[i][k] != MC_NONE && distances[self->edges[i][k]] == MC_NONE &&
                    (i != root || get_search(self, k, first_edges) == search))
                    distances[self->edges[i][k]] = round + 1;
    }
}

// Where edge `k` of the root is among its words.
static uint32_t find_word(const sample_graph *self, const mc_graph *graph, uint32_t k) {
    const uint32_t root = self->count - 1;
    uint32_t word = 0;
    if (graph->kinds[self->kinds[root]].packing == MC_GRAPH_PACKED_INDEXED) return k;
    for (uint32_t i = 0; i < k; i++)
        word += self->edges[root][i] != MC_NONE;
    return word;
}

// Vertices that can be at a node: of its kind, and referenced by its slot from one of its parent's.
static void list_possible(const sample_graph *self, const mc_paths *paths, uint32_t node,
                          bool *possible) {
    const mc_path_node *entry = &paths->nodes[node];
    bool above[VERTICES_MAX] = {false};
    memset(possible, 0, VERTICES_MAX);
    if (node == 0) {
        possible[self->count - 1] = true;
        return;
    }
    // Folded vertices may be behind any of the node's descendants: all are possible.
    if (paths->nodes[entry->parent].is_folded)
        memset(above, 1, sizeof above);
    else
        list_possible(self, paths, entry->parent, above);
    for (uint32_t i = 0; i < self->count; i++)
        for (uint32_t k = 0; above[i] && k < self->edge_counts[i]; k++)
            if (self->edges[i][k] != MC_NONE && (self->kinds[i] == LIST ? 0 : k) == entry->slot &&
                self->kinds[self->edges[i][k]] == entry->kind)
                possible[self->edges[i][k]] = true;
}

// The item of a group at the node that is the same way as node `at` of `paths`; MC_NONE: none.
static uint32_t find_item(const mc_group_paths *all, uint32_t group, const mc_paths *paths,
                          uint32_t at) {
    uint32_t ways[VERTICES_MAX], depth = 0, node = 0;
    for (uint32_t i = at; i != 0; i = paths->nodes[i].parent)
        ways[depth++] = i;
    while (depth-- > 0 && node != MC_NONE) {
        const mc_path_node *way = &paths->nodes[ways[depth]];
        uint32_t next = MC_NONE;
        for (uint32_t i = 1; i < all->node_count; i++)
            if (all->nodes[i].parent == node && all->nodes[i].kind == way->kind &&
                all->nodes[i].slot == way->slot)
                next = i;
        node = next;
    }
    for (uint32_t i = 0; i < all->item_count; i++)
        if (all->items[i].group == group && all->items[i].node == node) return i;
    return MC_NONE;
}

// What a group has at a node and below, with what is told as sums.
static mc_group_sum sum_items(const mc_group_paths *all, uint32_t group, uint32_t node) {
    mc_group_sum sum = {0, 0};
    for (uint32_t i = 0; i < all->item_count; i++) {
        const mc_group_path *item = &all->items[i];
        uint32_t at = item->node;
        while (at != node && at != 0)
            at = all->nodes[at].parent;
        if (item->group != group || at != node) continue;
        sum.count += item->ends.count + item->rest.count;
        sum.size += item->ends.size + item->rest.size;
    }
    return sum;
}

// All groups at once, with `most` nodes each, against a search for each.
static void check_group_paths(result_set *set, uint32_t root_edges, uint32_t most) {
    mc_group_paths all;
    mc_group_paths_desc desc = {.graph = &set->graph,
                                .thread_count = 3,
                                .tree = &set->tree,
                                .sizes = &set->sizes,
                                .groups = &set->groups,
                                .root_edges = root_edges,
                                .most = most};
    REQUIRE(mc_group_paths_find(&all, &desc, NULL) == MC_OK);
    for (uint32_t group = 0; group < GROUPS; group++) {
        bool is_target[GROUPS] = {false};
        mc_paths paths;
        mc_paths_desc one = {.graph = &set->graph,
                             .tree = &set->tree,
                             .sizes = &set->sizes,
                             .groups = &set->groups,
                             .is_target = is_target,
                             .root_edges = root_edges};
        uint32_t kept = 0, item_count = 0;
        uint64_t smallest = UINT64_MAX, largest = 0;
        mc_vertex_groups_mark(&set->groups, group, is_target);
        REQUIRE(mc_paths_find(&paths, &one, NULL) == MC_OK);
        for (uint32_t i = 0; i < paths.count && paths.nodes[0].whole.count > 0; i++) {
            const mc_path_node *node = &paths.nodes[i];
            uint32_t item = find_item(&all, group, &paths, i);
            if (item == MC_NONE) {
                if (node->whole.size > largest) largest = node->whole.size;
                continue;
            }
            kept++;
            if (node->whole.size < smallest) smallest = node->whole.size;
            mc_group_sum whole = sum_items(&all, group, all.items[item].node);
            CHECK(whole.count == node->whole.count && whole.size == node->whole.size);
            CHECK(all.items[item].ends.count == node->ends.count);
            CHECK(all.items[item].ends.size == node->ends.size);
            CHECK(!node->is_folded || all.nodes[all.items[item].node].is_folded);
        }
        for (uint32_t i = 0; i < all.item_count; i++)
            item_count += all.items[i].group == group;
        CHECK(kept == item_count && largest <= smallest);
        if (paths.nodes[0].whole.count > 0)
            CHECK(kept == (paths.count < most + 1 ? paths.count : most + 1));
        mc_paths_deinit(&paths);
    }
    mc_group_paths_deinit(&all);
}

// The smallest group with all vertices of a node is one that has each of them.
static void check_places(result_set *set, uint32_t root_edges) {
    mc_group_paths all;
    mc_group_paths_desc desc = {.graph = &set->graph,
                                .thread_count = 2,
                                .tree = &set->tree,
                                .sizes = &set->sizes,
                                .groups = &set->groups,
                                .root_edges = root_edges,
                                .most = VERTICES_MAX};
    REQUIRE(mc_group_paths_find(&all, &desc, NULL) == MC_OK);
    for (uint32_t i = 0; i < all.item_count; i++) {
        const mc_group_path *item = &all.items[i];
        uint32_t place = all.places[item->node];
        if (item->ends.count > 0 && place != MC_NONE)
            CHECK(is_within(item->group, place) || is_within(place, item->group));
    }
    mc_group_paths_deinit(&all);
}

static void check_paths(sample_graph *self, result_set *set, const slow_result *reference) {
    bool is_target[GROUPS] = {false}, is_folded = false;
    uint32_t group = draw(self, GROUPS), distances[VERTICES_MAX], at_distance[VERTICES_MAX] = {0};
    mc_group_sum sums[GROUPS];
    mc_paths paths;
    mc_paths_desc desc = {.graph = &set->graph,
                          .tree = &set->tree,
                          .sizes = &set->sizes,
                          .groups = &set->groups,
                          .is_target = is_target};
    uint32_t first_edges = draw(self, self->edge_counts[self->count - 1] + 1);
    desc.root_edges = find_word(self, &set->graph, first_edges);
    mc_vertex_groups_mark(&set->groups, group, is_target);
    REQUIRE(mc_retained_sum(&set->tree, &set->sizes, &set->groups, 1, NULL, sums, NULL) == MC_OK);
    REQUIRE(mc_paths_find(&paths, &desc, NULL) == MC_OK);
    uint64_t target_count = 0;
    measure_distances(self, first_edges, distances);
    for (uint32_t i = 0; i < self->count; i++) {
        if (!reference->is_reached[i] || !is_within(self->groups[i], group)) continue;
        target_count++;
        at_distance[distances[i]]++;
    }
    CHECK(paths.nodes[0].whole.count == target_count);
    CHECK(paths.nodes[0].whole.size == sums[group].size);
    for (uint32_t i = 0; i < paths.count; i++) {
        const mc_path_node *node = &paths.nodes[i];
        mc_group_sum sum = node->ends;
        bool possible[VERTICES_MAX];
        uint32_t depth = 0, possible_count = 0;
        list_possible(self, &paths, i, possible);
        for (uint32_t k = 0; k < self->count; k++)
            possible_count += possible[k];
        CHECK(possible_count > 0);
        for (uint32_t k = i + 1; k < paths.count; k++) {
            if (paths.nodes[k].parent != i) continue;
            sum.count += paths.nodes[k].whole.count;
            sum.size += paths.nodes[k].whole.size;
        }
        CHECK(sum.count == node->whole.count && sum.size == node->whole.size);
        CHECK(i == 0 || node->whole.count > 0);
        if (i > 1 && node->parent == node[-1].parent)
            CHECK(node->whole.size <= node[-1].whole.size);
        for (uint32_t k = i; k != 0; k = paths.nodes[k].parent)
            depth++;
        at_distance[depth] -= (uint32_t)node->ends.count;
        is_folded |= node->is_folded;
    }
    for (uint32_t i = 0; i < VERTICES_MAX && !is_folded; i++)
        CHECK(at_distance[i] == 0);
    mc_paths_deinit(&paths);
    check_group_paths(set, desc.root_edges, VERTICES_MAX);
    check_group_paths(set, desc.root_edges, 1 + draw(self, 4));
    check_places(set, desc.root_edges);
}

static void deinit(result_set *set) {
    mc_vertex_sizes_deinit(&set->sizes);
    mc_dominator_tree_deinit(&set->tree);
    mc_graph_deinit(&set->graph);
}

static mc_result make(const sample_graph *sample, result_set *set, mc_error *error) {
    *set = (result_set){.groups = {set->of, GROUPS, sample_parents}};
    mc_result result = build(sample, &set->graph, set->positions, error);
    if (result == MC_OK)
        result =
            mc_dominator_tree_init(&set->tree, &set->graph, 1 + sample->count % 6, NULL, error);
    if (result == MC_OK) result = mc_vertex_sizes_init(&set->sizes, &set->graph, 2, error);
    for (uint32_t i = 0; i < sample->count && result == MC_OK; i++) {
        set->numbers[i] = mc_graph_get_number(&set->graph, set->positions[i]);
        set->of[set->numbers[i]] = sample->groups[i];
    }
    return result;
}

static void test_random(uint64_t seed) {
    static sample_graph raw, sample;
    static slow_result reference;
    result_set set;
    mc_error error;
    int failures = test_failure_count;
    make_sample(&raw, seed);
    resolve(&raw, &sample);
    find_reference(&sample, &reference);
    REQUIRE(make(&raw, &set, &error) == MC_OK);
    check_edges(&raw, &set);
    check_late_roots(&sample, &set);
    check_tree(&sample, &set, &reference);
    check_retained(&sample, &set, &reference);
    check_hand_down(&sample, &set, &reference);
    check_reach(&sample, &set, &reference);
    check_paths(&sample, &set, &reference);
    CHECK_MSG(failures == test_failure_count, "seed %llu", (unsigned long long)seed);
    deinit(&set);
}

// Vertices that are not put, or are longer than they were told, lead nowhere.
static void test_not_put(void) {
    mc_graph graph;
    mc_dominator_tree tree;
    mc_error error;
    REQUIRE(mc_graph_init(&graph, 3, sample_kinds, KINDS, &error) == MC_OK);
    for (uint32_t i = 0; i < 3; i++)
        atomic_store(&graph.places[i], mc_graph_measure(&graph.kinds[LIST], 2));
    REQUIRE(mc_graph_place(&graph, 2, &error) == MC_OK);
    uint32_t first = mc_graph_get_place(&graph, 0);
    mc_graph_entry entry = {.kind = LIST, .edge_count = 3, .size = 8};
    CHECK(!mc_graph_put(&graph, 1, &entry));
    entry.edge_count = 2;
    uint32_t *words = mc_graph_put(&graph, 2, &entry);
    REQUIRE(words);
    words[1] |= first;
    REQUIRE(mc_graph_set_root(&graph, 2, &error) == MC_OK);
    REQUIRE(mc_dominator_tree_init(&tree, &graph, 2, NULL, &error) == MC_OK);
    CHECK(tree.count == 3 && tree.reachable == 2 && mc_graph_get_kind(&graph, first) == 0);
    mc_dominator_tree_deinit(&tree);
    mc_graph_deinit(&graph);
}

// ---- memory that runs out

static mc_result run_all(const sample_graph *sample) {
    result_set set;
    mc_error error;
    mc_group_sum sums[GROUPS];
    mc_paths paths = {0};
    bool flags[GROUPS] = {true};
    mc_result result = make(sample, &set, &error);
    if (result == MC_OK)
        result = mc_retained_sum(&set.tree, &set.sizes, &set.groups, 2, NULL, sums, &error);
    mc_reach_desc reach_desc = {.graph = &set.graph,
                                .tree = &set.tree,
                                .groups = &set.groups,
                                .is_gone = flags,
                                .thread_count = 1};
    if (result == MC_OK) result = mc_reach_measure(&reach_desc, sums, &error);
    mc_paths_desc paths_desc = {.graph = &set.graph,
                                .tree = &set.tree,
                                .sizes = &set.sizes,
                                .groups = &set.groups,
                                .is_target = flags};
    if (result == MC_OK) result = mc_paths_find(&paths, &paths_desc, &error);
    mc_paths_deinit(&paths);
    mc_group_paths all = {0};
    mc_group_paths_desc all_desc = {.graph = &set.graph,
                                    .thread_count = 3,
                                    .tree = &set.tree,
                                    .sizes = &set.sizes,
                                    .groups = &set.groups,
                                    .most = 3};
    if (result == MC_OK) result = mc_group_paths_find(&all, &all_desc, &error);
    mc_group_paths_deinit(&all);
    deinit(&set);
    return result;
}

static void test_memory(void) {
    static sample_graph sample;
    uint64_t count = 0;
    for (uint64_t seed = 3; sample.late_count < 2; seed++)
        make_sample(&sample, seed);
    for (mc_result result = MC_ERROR_OUT_OF_MEMORY; result != MC_OK; count++) {
        mc_memory_fail_after(count);
        result = run_all(&sample);
        mc_memory_fail_after(UINT64_MAX);
        REQUIRE(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
        REQUIRE(count < 1000);
    }
    CHECK(count > 20);
}

// What was spared is taken again, the smallest that has room, as long as it is wanted.
static void test_spares(void) {
    mc_graph graph = {.words = NULL};
    uint32_t *large = mc_alloc_scattered(4000, sizeof *large);
    uint32_t *small = mc_alloc_scattered(1000, sizeof *small);
    uint32_t *more = mc_alloc_scattered(1000, sizeof *more);
    REQUIRE(large && small && more);
    mc_graph_spare_column(&graph, NULL, 0);
    mc_graph_spare_column(&graph, large, 4000 * sizeof *large);
    mc_graph_spare_column(&graph, small, 1000 * sizeof *small);
    mc_graph_spare_column(&graph, more, 1000 * sizeof *more); // freed: two are kept
    CHECK(mc_graph_take_column(&graph, SIZE_MAX, sizeof *large) == NULL);
    uint32_t *taken = mc_graph_take_column(&graph, 999, sizeof *taken);
    CHECK(taken == small);
    uint32_t *shorter = mc_graph_take_column(&graph, 1000, sizeof *shorter);
    CHECK(shorter != NULL && graph.spares[0].memory == NULL);
    uint32_t *fresh = mc_graph_take_column(&graph, 10, sizeof *fresh);
    CHECK(fresh != NULL);
    mc_graph_spare_column(&graph, fresh, 10 * sizeof *fresh);
    mc_graph_drop_spares(&graph);
    CHECK(graph.spares[0].memory == NULL);
    mc_free(taken);
    mc_free(shorter);
}

int main(void) {
    test_spares();
    for (uint64_t seed = 1; seed <= (MC_TEST_SANITIZED ? 500 : 4000); seed++)
        test_random(seed);
    test_not_put();
    test_memory();
    return test_finish();
}
