// Leaves by growth, then size, then index: beside a sort by comparison, with numbers of any width.
#include "engine/analyze/max_tree.h"
#include "engine/base/memory.h"
#include "tests/test.h"

enum { NODE_COUNT = 3000 };

static const mc_max_tree *compared;

static int compare_nodes(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    bool knows_x = mc_max_tree_knows_growth(compared, x);
    bool knows_y = mc_max_tree_knows_growth(compared, y);
    int64_t grown_x = mc_max_tree_get_growth(compared, x);
    int64_t grown_y = mc_max_tree_get_growth(compared, y);
    if (knows_x != knows_y) return knows_x ? -1 : 1;
    if (grown_x != grown_y) return grown_x > grown_y ? -1 : 1;
    if (compared->max[x] != compared->max[y]) return compared->max[x] > compared->max[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

static uint64_t random_word(void) {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 32 ^ state) * 0x9e3779b97f4a7c15u;
}

// Values of so many bits, at most, above a base; one in `unknown` grows by nobody knows what.
static void check_rank(uint32_t bits, uint64_t base, uint32_t unknown) {
    static uint32_t child_count[NODE_COUNT], order[NODE_COUNT], expected[NODE_COUNT];
    mc_node_columns nodes = {.count = NODE_COUNT, .child_count = child_count};
    mc_max_tree tree;
    REQUIRE(mc_max_tree_init(&tree, NODE_COUNT, NULL) == MC_OK);
    uint64_t mask = bits > 0 ? UINT64_MAX >> (64 - bits) : 0;
    for (uint32_t node = 0; node < NODE_COUNT; node++) {
        child_count[node] = node % 7 == 0;
        tree.first[node] = base + (random_word() & mask);
        tree.last[node] = node % 3 == 0 ? tree.first[node] : base + (random_word() & mask);
        tree.max[node] = tree.last[node] > tree.first[node] ? tree.last[node] : tree.first[node];
        if (unknown > 0 && node % unknown == 0) tree.first[node] = MC_COUNT_UNKNOWN;
        if (child_count[node] == 0) expected[nodes.leaf_count++] = node;
    }
    compared = &tree;
    qsort(expected, nodes.leaf_count, sizeof *expected, compare_nodes);
    CHECK(mc_max_tree_rank(&tree, &nodes, order, NULL) == MC_OK);
    CHECK(memcmp(order, expected, nodes.leaf_count * sizeof *order) == 0);
    mc_max_tree_deinit(&tree);
}

int main(void) {
    static const uint32_t BITS[] = {0, 1, 2, 8, 20, 26, 40, 51, 52, 53, 62};
    for (size_t b = 0; b < sizeof BITS / sizeof *BITS; b++)
        for (uint32_t unknown = 0; unknown < 3; unknown++) {
            check_rank(BITS[b], 0, 5 * unknown);
            check_rank(BITS[b], 1000, 5 * unknown);
        }
    return test_finish();
}
