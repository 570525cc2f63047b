// Graphs of a shape that makes slow methods quadratic: long lists, long chains, wide vertices.
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/graph/group_paths.h"
#include "engine/graph/reach.h"
#include "tests/test.h"

// ---- long lists

// A list of `count` vertices in which each holds one of few values, which share what they hold:
// what has no way to jump over the list walks it for each value.
static void test_list(uint32_t count) {
    enum { VALUES = 1000 };
    const mc_graph_kind kinds[] = {{.size = 0, .layout = MC_GRAPH_LIST},
                                   {.size = 16, .slot_count = 2, .layout = MC_GRAPH_FIELDS},
                                   {.size = 8, .slot_count = 1, .layout = MC_GRAPH_FIELDS},
                                   {.size = 0, .layout = MC_GRAPH_LIST}};
    const uint32_t shared = count + VALUES, root = shared + 1;
    mc_graph graph;
    mc_dominator_tree tree;
    mc_vertex_sizes sizes;
    mc_error error;
    REQUIRE(mc_graph_init(&graph, root + 1, kinds, 4, &error) == MC_OK);
    for (uint32_t i = 0; i <= root; i++)
        atomic_store(&graph.places[i], mc_graph_measure(&graph.kinds[1], i + 1 < count ? 2
                                                                         : i == shared ? 0
                                                                                       : 1));
    REQUIRE(mc_graph_place(&graph, 2, &error) == MC_OK);
    for (uint32_t i = 0; i <= root; i++) {
        mc_graph_entry entry = {.kind = i < count   ? 0
                                        : i == root ? 2
                                                    : 1,
                                .edge_count = i + 1 < count ? 2
                                              : i == shared ? 0
                                                            : 1,
                                .mask = i + 1 < count ? 3
                                        : i < count   ? 2
                                                      : 1};
        uint32_t *words = mc_graph_put(&graph, i, &entry), at = 0;
        REQUIRE(words);
        if (i + 1 < count) words[at++] |= mc_graph_get_place(&graph, i + 1);
        uint32_t value = count + (uint32_t)(mc_hash_u64(i, 1) % VALUES);
        if (i < count) words[at] |= mc_graph_get_place(&graph, value);
        if (i >= count && i < shared) words[at] |= mc_graph_get_place(&graph, shared);
        if (i == root) words[at] |= mc_graph_get_place(&graph, 0);
    }
    REQUIRE(mc_graph_set_root(&graph, root, &error) == MC_OK);
    REQUIRE(mc_dominator_tree_init(&tree, &graph, 2, NULL, &error) == MC_OK);
    REQUIRE(mc_vertex_sizes_init(&sizes, &graph, 1, &error) == MC_OK);
    CHECK(tree.reachable == root + 1);
    // Each node of the list but the first is in group 0, values in 1.
    uint32_t *of = mc_alloc((size_t)root + 1, sizeof *of), number, first = 0,
             position = MC_GRAPH_HEAD;
    for (uint32_t i = 0; i <= root; i++, position = mc_graph_skip(&graph, position)) {
        number = mc_graph_get_number(&graph, position);
        if (i == 0) first = number;
        of[number] = i == 0 || i == root ? MC_NONE : i < count ? 0 : 1;
    }
    CHECK(mc_dominator_tree_get_end(&tree, first) == root + 1 && first == 1);
    mc_vertex_groups groups = {of, 2, NULL};
    mc_group_sum sums[2];
    REQUIRE(mc_retained_sum(&tree, &sizes, &groups, 3, NULL, sums, &error) == MC_OK);
    CHECK(sums[0].count >= count - 1);
    bool flags[2] = {true, false};
    mc_reach_desc reach_desc = {
        .graph = &graph, .tree = &tree, .groups = &groups, .is_gone = flags, .thread_count = 2};
    REQUIRE(mc_reach_measure(&reach_desc, sums, &error) == MC_OK);
    CHECK(sums[0].count == count - 1 && sums[1].count == VALUES - 1);
    mc_paths paths;
    mc_paths_desc paths_desc = {
        .graph = &graph, .tree = &tree, .sizes = &sizes, .groups = &groups, .is_target = flags};
    REQUIRE(mc_paths_find(&paths, &paths_desc, &error) == MC_OK);
    // The root, the first, and the second with all behind it.
    CHECK(paths.count == 3 && paths.nodes[2].is_folded);
    CHECK(paths.nodes[2].ends.count == count - 1);
    mc_paths_deinit(&paths);
    mc_free(of);
    mc_vertex_sizes_deinit(&sizes);
    mc_dominator_tree_deinit(&tree);
    mc_graph_deinit(&graph);
}

// ---- long chains

typedef struct chain {
    mc_graph graph;
    mc_dominator_tree tree;
    mc_vertex_sizes sizes;
    uint32_t *of, *parents;
    uint32_t count;
} chain;

// `count` vertices, each of a kind and a group of its own, and all of them in group 0.
static void make_chain(chain *self, uint32_t count) {
    mc_graph_kind *kinds = mc_alloc((size_t)count + 2, sizeof *kinds);
    mc_error error;
    *self = (chain){.count = count};
    REQUIRE(kinds);
    kinds[0] = kinds[count + 1] = (mc_graph_kind){.layout = MC_GRAPH_LIST};
    for (uint32_t i = 1; i <= count; i++)
        kinds[i] = (mc_graph_kind){.size = 16, .slot_count = 1, .layout = MC_GRAPH_FIELDS};
    REQUIRE(mc_graph_init(&self->graph, count + 1, kinds, count + 2, &error) == MC_OK);
    mc_free(kinds);
    for (uint32_t i = 0; i <= count; i++)
        atomic_store(&self->graph.places[i],
                     mc_graph_measure(&self->graph.kinds[i + 1], i + 1 != count));
    REQUIRE(mc_graph_place(&self->graph, 2, &error) == MC_OK);
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t target = i < count ? i + 1 : 0, has_edge = i + 1 != count;
        mc_graph_entry entry = {.kind = i + 1, .edge_count = has_edge, .mask = has_edge};
        uint32_t *words = mc_graph_put(&self->graph, i, &entry);
        REQUIRE(words);
        if (has_edge) *words |= mc_graph_get_place(&self->graph, target);
    }
    REQUIRE(mc_graph_set_root(&self->graph, count, &error) == MC_OK);
    REQUIRE(mc_dominator_tree_init(&self->tree, &self->graph, 2, NULL, &error) == MC_OK);
    REQUIRE(mc_vertex_sizes_init(&self->sizes, &self->graph, 1, &error) == MC_OK);
    self->of = mc_alloc((size_t)count + 1, sizeof *self->of);
    self->parents = mc_alloc_zero((size_t)count + 1, sizeof *self->parents);
    REQUIRE(self->of && self->parents);
    self->parents[0] = MC_NONE;
    for (uint32_t i = 0; i <= count; i++) // the dominators are the chain itself
        self->of[i] = i == 0 ? MC_NONE : i;
}

// Each node on the way to a group's vertex has all that it retains: the first ones are kept.
static void check_chain(const chain *self, const mc_group_paths *all, uint32_t most) {
    size_t at = 0;
    CHECK(all->node_count == most + 1);
    for (uint32_t group = 0; group <= self->count; group++) {
        uint32_t depth = group == 0 ? self->count : group;
        uint32_t kept = depth < most ? depth + 1 : most + 1;
        for (uint32_t node = 0; node < kept; node++, at++) {
            const mc_group_path *item = &all->items[at];
            bool has_end = group == 0 ? node > 0 : node == group;
            bool has_rest = node + 1 == kept && depth > most;
            uint64_t rest = group == 0 ? self->count - most : 1;
            uint64_t size = (uint64_t)(self->count - (group == 0 ? 0 : group - 1)) * 16;
            CHECK(at < all->item_count && item->group == group && item->node == node);
            CHECK(item->ends.count == has_end && item->rest.count == (has_rest ? rest : 0));
            CHECK(item->ends.size == (has_end && (group > 0 || node == 1) ? size : 0));
            CHECK(item->rest.size == (has_rest && group > 0 ? size : 0));
        }
    }
    CHECK(at == all->item_count);
}

typedef struct patience {
    uint32_t reports, most;
} patience;

static bool go_on(void *user, uint64_t done, uint64_t total) {
    patience *self = user;
    (void)done;
    (void)total;
    return self->reports++ < self->most;
}

// The ways to all vertices together are as long as the chain squared: what walks each of them does
// not come to an end before the test is stopped.
static void test_chain(uint32_t count) {
    chain self;
    mc_error error;
    patience most = {.most = UINT32_MAX};
    mc_progress progress = {.report = go_on, .user = &most};
    mc_group_paths all;
    make_chain(&self, count);
    mc_vertex_groups groups = {self.of, count + 1, self.parents};
    mc_group_paths_desc desc = {.graph = &self.graph,
                                .tree = &self.tree,
                                .sizes = &self.sizes,
                                .groups = &groups,
                                .most = 60,
                                .progress = &progress};
    REQUIRE(mc_group_paths_find(&all, &desc, &error) == MC_OK);
    check_chain(&self, &all, 60);
    mc_group_paths_deinit(&all);
    // Somebody who gives up at any time is heard, also in the last and longest part.
    CHECK(most.reports > count / 5000);
    most = (patience){.most = most.reports - 1};
    CHECK(mc_group_paths_find(&all, &desc, &error) == MC_ERROR_CANCELLED);
    mc_group_paths_deinit(&all);
    mc_free(self.of);
    mc_free(self.parents);
    mc_vertex_sizes_deinit(&self.sizes);
    mc_dominator_tree_deinit(&self.tree);
    mc_graph_deinit(&self.graph);
}

// ---- wide vertices

// The root references a vertex, whose `count` slots reference as many others of one kind.
static void make_wide(chain *self, uint32_t count) {
    enum { UNUSED, LEAF, WIDE, ROOT, KIND_COUNT };
    const mc_graph_kind kinds[KIND_COUNT] = {
        [UNUSED] = {.layout = MC_GRAPH_LIST},
        [LEAF] = {.size = 16, .layout = MC_GRAPH_FIELDS},
        [WIDE] = {.size = 16, .slot_count = count, .layout = MC_GRAPH_FIELDS},
        [ROOT] = {.layout = MC_GRAPH_LIST}};
    mc_error error;
    *self = (chain){.count = count};
    REQUIRE(mc_graph_init(&self->graph, count + 2, kinds, KIND_COUNT, &error) == MC_OK);
    const mc_graph_entry entries[] = {
        {.kind = LEAF}, {.kind = WIDE, .edge_count = count}, {.kind = ROOT, .edge_count = 1}};
    for (uint32_t i = 0; i < count + 2; i++) {
        const mc_graph_entry *entry = &entries[i < count ? 0 : i - count + 1];
        atomic_store(&self->graph.places[i],
                     mc_graph_measure(&self->graph.kinds[entry->kind], entry->edge_count));
    }
    REQUIRE(mc_graph_place(&self->graph, 2, &error) == MC_OK);
    for (uint32_t i = 0; i < count + 2; i++) {
        const mc_graph_entry *entry = &entries[i < count ? 0 : i - count + 1];
        uint32_t *words = mc_graph_put(&self->graph, i, entry);
        REQUIRE(words);
        for (uint32_t k = 0; k < entry->edge_count; k++)
            words[k] |= mc_graph_get_place(&self->graph, i == count ? k : count);
    }
    REQUIRE(mc_graph_set_root(&self->graph, count + 1, &error) == MC_OK);
    REQUIRE(mc_dominator_tree_init(&self->tree, &self->graph, 2, NULL, &error) == MC_OK);
    REQUIRE(mc_vertex_sizes_init(&self->sizes, &self->graph, 1, &error) == MC_OK);
    self->of = mc_alloc_zero((size_t)count + 2, sizeof *self->of);
    self->parents = mc_alloc_zero(1, sizeof *self->parents);
    REQUIRE(self->of && self->parents);
    self->parents[0] = MC_NONE;
    self->of[0] = MC_NONE; // the root
}

// What looks for each slot from the first one on does not come to an end before the test is
// stopped.
static void test_wide(uint32_t count) {
    chain self;
    mc_error error;
    mc_group_paths all;
    make_wide(&self, count);
    mc_vertex_groups groups = {self.of, 1, self.parents};
    mc_group_paths_desc desc = {.graph = &self.graph,
                                .thread_count = 2,
                                .tree = &self.tree,
                                .sizes = &self.sizes,
                                .groups = &groups,
                                .most = count + 1};
    REQUIRE(mc_group_paths_find(&all, &desc, &error) == MC_OK);
    CHECK(all.node_count == count + 2 && all.item_count == count + 2);
    for (uint32_t i = 2; i < all.node_count; i++)
        CHECK(all.nodes[i].parent == 1 && all.nodes[i].slot == i - 2);
    mc_group_paths_deinit(&all);
    mc_free(self.of);
    mc_free(self.parents);
    mc_vertex_sizes_deinit(&self.sizes);
    mc_dominator_tree_deinit(&self.tree);
    mc_graph_deinit(&self.graph);
}

int main(void) {
    test_list(10000);
    test_list(MC_TEST_SANITIZED ? 200000 : 2000000);
    test_chain(MC_TEST_SANITIZED ? 20000 : 100000);
    test_wide(MC_TEST_SANITIZED ? 300000 : 1000000);
    return test_finish();
}
