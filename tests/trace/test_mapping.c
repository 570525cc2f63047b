// What regrouped traces and pairs say of retaining paths, fields and roots, against the definition:
// a leaf has a bit of its own as its bytes, so that a node's bytes tell which leaves it has. The
// paths of a node are those of the node behind that has the same leaves, or not known.
#include "engine/base/memory.h"
#include "engine/trace/build/trace_builder.h"
#include "engine/trace/regroup/regroup.h"
#include "engine/trace/versus/versus.h"
#include "tests/test.h"

enum { STEP_COUNT = 2, FULL = 1, PATH_COUNT = 9 }; // at step FULL all leaves are there

static mc_error error;
static mc_step_tree tree;
static mc_step_paths paths;
static mc_step_owners owners;
static mc_step_referrers referrers;
static uint64_t state;
static uint32_t leaf_count, known_count, unknown_count;

static uint32_t roll(uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

static uint32_t add(uint32_t parent, const char *role, char letter, uint32_t number) {
    char key[16];
    int size = snprintf(key, sizeof key, "%c%u", letter, number);
    size_t offset = tree.text.size;
    mc_text_append(&tree.text, key, (size_t)size);
    uint32_t index = role ? mc_strings_intern(&tree.roles, role, strlen(role)) : MC_NONE;
    return mc_step_tree_add(&tree, (mc_step_node){.parent = parent,
                                                  .role = index,
                                                  .key_offset = offset,
                                                  .name_offset = offset,
                                                  .key_size = (uint32_t)size,
                                                  .name_size = (uint32_t)size});
}

static void add_leaf_bit(uint32_t node) {
    uint64_t bit = (uint64_t)1 << leaf_count++;
    for (; node != MC_NONE; node = tree.nodes[node].parent) {
        tree.nodes[node].bytes += bit;
        tree.nodes[node].objects++;
    }
}

// Types in packages, some of one name in several; some with sites, in the last step alone.
static void fill_tree(uint64_t seed, uint32_t step) {
    mc_step_tree_reset(&tree);
    tree.time_ms = step;
    state = seed;
    leaf_count = 0;
    uint32_t root = add(MC_NONE, NULL, 'H', 0), packages[4];
    for (uint32_t i = 0; i < 4; i++)
        packages[i] = add(i > 0 && roll(2) ? packages[i - 1] : root, "Package", 'p', i);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t type = 0; type < 6; type++) {
            if (roll(3) == 0) continue;
            uint32_t node = add(packages[i], "Type", 't', type), sites = roll(4);
            add_leaf_bit(node); // with sites, what none of them explains
            for (uint32_t site = 0; site < sites && leaf_count < 36; site++) {
                uint32_t number = roll(2) * 10 + site;
                if (step == FULL)
                    add_leaf_bit(add(node, "Site", 's', number));
                else
                    leaf_count++;
            }
        }
}

static void fill_paths(uint32_t step) {
    mc_step_paths_reset(&paths);
    paths.time_ms = step;
    for (uint32_t i = 0; i < PATH_COUNT; i++) {
        char name[16];
        int size = snprintf(name, sizeof name, "C%u.f%u", roll(3), i);
        uint32_t string = mc_strings_intern(&paths.names, name, (size_t)size);
        mc_retaining_path path = {.parent = i < 2 ? MC_NONE : roll(i),
                                  .field = i < 2 ? MC_NONE : string,
                                  .class = string,
                                  .place = i < 2 ? MC_NONE : roll((uint32_t)tree.node_count)};
        REQUIRE(mc_step_paths_add(&paths, path));
    }
    for (uint32_t node = 0; node < tree.node_count; node++) {
        state = tree.nodes[node].bytes + step; // groups of the same leaves have the same paths
        for (uint32_t i = 0; i < PATH_COUNT; i++) {
            mc_path_sum sum = {node, i, roll(2), roll(9), roll(1000), roll(3), roll(50)};
            if (roll(3) == 0) REQUIRE(mc_step_paths_add_sum(&paths, sum));
        }
    }
}

// Places as paths have them, the same at each step.
static void fill_owners(uint64_t seed, uint32_t step) {
    mc_step_owners_reset(&owners);
    owners.time_ms = step;
    state = seed;
    for (uint32_t i = 0; i < PATH_COUNT; i++) {
        char name[16];
        int size = snprintf(name, sizeof name, "O%u.f%u", roll(3), i);
        uint32_t string = mc_strings_intern(&owners.names, name, (size_t)size);
        mc_owner owner = {i < 2 ? MC_NONE : roll(i), i < 2 ? MC_ROOT_STATIC + i : 0, string, string,
                          roll(step == FULL ? (uint32_t)tree.node_count : 3)};
        mc_owner_sum sum = {i, roll(2) ? MC_NONE : string, roll(9), roll(99), roll(step + 1), 5};
        REQUIRE(mc_step_owners_add(&owners, owner) && mc_step_owners_add_sum(&owners, sum));
        mc_owner_way way = {i, roll(PATH_COUNT), string, 1 + roll(9)};
        REQUIRE(mc_step_owners_add_way(&owners, way));
    }
}

static void fill_referrers(uint32_t step) {
    mc_step_referrers_reset(&referrers);
    referrers.time_ms = step;
    for (uint32_t i = 1; i < tree.node_count; i++) {
        char name[16];
        bool is_inner = false;
        for (uint32_t k = i + 1; k < tree.node_count; k++)
            is_inner |= tree.nodes[k].parent == i;
        if (is_inner) continue;
        int size = snprintf(name, sizeof name, "F%u", roll(20));
        uint32_t string = mc_strings_intern(&referrers.names, name, (size_t)size);
        REQUIRE(mc_step_referrers_add_field(
            &referrers, (mc_field_count){.from = i, .to = i, .name = string, .count = i}));
        REQUIRE(mc_step_referrers_add_root(
            &referrers,
            (mc_root_count){.node = i, .kind = MC_ROOT_STACK, .name = string, .count = i}));
    }
}

static mc_trace *make(uint64_t seed) {
    mc_trace_builder *builder;
    mc_trace *trace;
    REQUIRE(mc_trace_builder_create(NULL, &builder, &error) == MC_OK);
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        fill_tree(seed, step);
        if (step == 0) tree.missing = seed % 2 ? "the odd end" : "the even end";
        fill_paths(step);
        fill_referrers(step);
        fill_owners(seed / 2, step); // both of a pair have most of them
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", &error) == MC_OK);
        REQUIRE(mc_trace_builder_add_paths(builder, &paths, &error) == MC_OK);
        REQUIRE(mc_trace_builder_add_referrers(builder, &referrers, &error) == MC_OK);
        REQUIRE(mc_trace_builder_add_owners(builder, &owners, &error) == MC_OK);
        tree.missing = NULL;
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

// ---- the definition

static uint64_t *read_leaves(const mc_trace *trace) {
    uint64_t *leaves = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *leaves);
    REQUIRE(leaves);
    REQUIRE(mc_trace_read_column(trace, FULL, MC_METRIC_BYTES, leaves, &error) == MC_OK);
    return leaves;
}

static bool is_same_text(const mc_trace *a, uint32_t x, const mc_trace *b, uint32_t y) {
    size_t p, q;
    if (x == MC_NONE || y == MC_NONE) return x == y;
    const char *left = mc_trace_get_string(a, x, &p), *right = mc_trace_get_string(b, y, &q);
    return p == q && memcmp(left, right, p) == 0;
}

typedef struct pair {
    const mc_trace *made, *base;
    const uint64_t *made_leaves, *base_leaves;
} pair;

// The smallest group with all of the place's leaves.
static void check_place(const pair *self, uint32_t made, uint32_t base) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->made);
    CHECK((made == MC_NONE) == (base == MC_NONE));
    if (made == MC_NONE || base == MC_NONE) return;
    uint64_t leaves = self->base_leaves[base];
    CHECK((leaves & ~self->made_leaves[made]) == 0);
    for (uint32_t i = 0; i < nodes->child_count[made]; i++)
        CHECK((leaves & ~self->made_leaves[nodes->first_child[made] + i]) != 0);
}

static void check_path(const pair *self, uint32_t made, uint32_t base) {
    uint32_t count;
    const mc_retaining_path *x = mc_trace_get_paths(self->made, &count);
    const mc_retaining_path *y = mc_trace_get_paths(self->base, &count);
    for (; made != MC_NONE && base != MC_NONE; made = x[made].parent, base = y[base].parent) {
        CHECK(is_same_text(self->made, x[made].field, self->base, y[base].field));
        CHECK(is_same_text(self->made, x[made].class, self->base, y[base].class));
        check_place(self, x[made].place, y[base].place);
    }
    CHECK(made == base);
}

// The base's node of these leaves that is no share; MC_NONE: there is none.
static uint32_t find_base(const pair *self, uint64_t leaves) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->base);
    for (uint32_t node = 0; node < nodes->count; node++)
        if (self->base_leaves[node] == leaves && !(nodes->flags[node] & MC_NODE_SELF)) return node;
    return MC_NONE;
}

static uint32_t skip(const mc_path_sums *sums, uint32_t at, uint32_t node) {
    while (at < sums->count && sums->items[at].node < node)
        at++;
    return at;
}

static void check_sums(const pair *self, uint32_t made_step, uint32_t base_step) {
    mc_path_sums x = {0}, y = {0};
    REQUIRE(mc_trace_get_step(self->made, made_step)->has_paths);
    REQUIRE(mc_trace_read_paths(self->made, made_step, &x, &error) == MC_OK);
    REQUIRE(mc_trace_read_paths(self->base, base_step, &y, &error) == MC_OK);
    const mc_node_columns *nodes = mc_trace_get_nodes(self->made);
    for (uint32_t node = 0, i = 0; node < nodes->count; node++) {
        uint64_t leaves = self->made_leaves[node];
        uint32_t same = leaves > 0 ? find_base(self, leaves) : MC_NONE;
        uint32_t k = same == MC_NONE ? y.count : skip(&y, 0, same);
        if (nodes->flags[node] & MC_NODE_SELF) continue;
        CHECK(mc_trace_knows_paths(self->made, node) == (leaves == 0 || same != MC_NONE));
        known_count += same != MC_NONE;
        unknown_count += leaves > 0 && same == MC_NONE;
        i = skip(&x, i, node);
        for (; i < x.count && x.items[i].node == node && k < y.count && y.items[k].node == same;
             i++, k++) {
            const mc_path_sum *p = &x.items[i], *q = &y.items[k];
            CHECK(p->is_folded == q->is_folded && p->objects == q->objects);
            CHECK(p->bytes == q->bytes && p->rest_objects == q->rest_objects &&
                  p->rest_bytes == q->rest_bytes);
            check_path(self, p->path, q->path);
        }
        CHECK(i == x.count || x.items[i].node != node); // no more than the base's
        CHECK(k == y.count || y.items[k].node != same); // and no fewer
    }
    mc_path_sums_deinit(&x);
    mc_path_sums_deinit(&y);
}

static void check_owner(const pair *self, uint32_t made, uint32_t base) {
    uint32_t count;
    const mc_owner *x = mc_trace_get_owners(self->made, &count);
    const mc_owner *y = mc_trace_get_owners(self->base, &count);
    for (; made != MC_NONE && base != MC_NONE; made = x[made].parent, base = y[base].parent) {
        CHECK(x[made].root == y[base].root);
        CHECK(is_same_text(self->made, x[made].field, self->base, y[base].field));
        CHECK(is_same_text(self->made, x[made].class, self->base, y[base].class));
        check_place(self, x[made].place, y[base].place);
    }
    CHECK(made == base);
}

// Whatever the groups are, owners are those of the whole heap.
static void check_owners(const pair *self, uint32_t made_step, uint32_t base_step) {
    mc_owner_rows x = {0}, y = {0};
    mc_owner_way_rows v = {0}, w = {0};
    REQUIRE(mc_trace_get_step(self->made, made_step)->has_owners);
    REQUIRE(mc_trace_read_owners(self->made, made_step, &x, &error) == MC_OK);
    REQUIRE(mc_trace_read_owners(self->base, base_step, &y, &error) == MC_OK);
    REQUIRE(x.count == y.count && x.count == PATH_COUNT);
    for (uint32_t i = 0; i < x.count; i++) {
        const mc_owner_sum *p = &x.items[i], *q = &y.items[i];
        check_owner(self, p->owner, q->owner);
        CHECK(is_same_text(self->made, p->example, self->base, q->example));
        CHECK(p->objects == q->objects && p->retained_objects == q->retained_objects);
        CHECK(p->retained_bytes == q->retained_bytes && p->program_objects == q->program_objects);
    }
    REQUIRE(mc_trace_read_owner_ways(self->made, made_step, &v, &error) == MC_OK);
    REQUIRE(mc_trace_read_owner_ways(self->base, base_step, &w, &error) == MC_OK);
    REQUIRE(v.count == w.count);
    for (uint32_t i = 0; i < v.count; i++) {
        check_owner(self, v.items[i].owner, w.items[i].owner);
        check_owner(self, v.items[i].from, w.items[i].from);
        CHECK(is_same_text(self->made, v.items[i].field, self->base, w.items[i].field));
        CHECK(v.items[i].references == w.items[i].references);
    }
    mc_owner_rows_deinit(&x);
    mc_owner_rows_deinit(&y);
    mc_owner_way_rows_deinit(&v);
    mc_owner_way_rows_deinit(&w);
}

static void check_against(const mc_trace *made, const mc_trace *base, const uint32_t *base_step) {
    uint64_t *made_leaves = read_leaves(made), *base_leaves = read_leaves(base);
    pair self = {made, base, made_leaves, base_leaves};
    CHECK(mc_trace_has_paths(made) && mc_trace_has_owners(made));
    for (uint32_t step = 0; step < mc_trace_get_step_count(made); step++) {
        check_sums(&self, step, base_step ? base_step[step] : step);
        check_owners(&self, step, base_step ? base_step[step] : step);
    }
    mc_free(made_leaves);
    mc_free(base_leaves);
}

// ---- regrouped traces

static void test_regrouped(uint64_t seed) {
    static const char *const lists[] = {"type",    "type,package",      "site,type",
                                        "package", "package,type,site", "site"};
    mc_trace *base = make(seed);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        mc_regrouping grouping;
        mc_trace *made = NULL;
        REQUIRE(mc_regrouping_parse(base, lists[i], &grouping, &error) == MC_OK);
        REQUIRE(mc_trace_regroup(base, &grouping, NULL, &made, &error) == MC_OK);
        check_against(made, base, NULL);
        mc_trace_destroy(made);
    }
    mc_trace_destroy(base);
}

// ---- pairs

// Names and counts, whatever the nodes.
static uint64_t sum_up_fields(const mc_trace *trace, uint32_t step) {
    mc_field_rows fields = {0};
    mc_root_rows roots = {0};
    uint64_t sum = 0;
    REQUIRE(mc_trace_read_fields(trace, step, &fields, &error) == MC_OK);
    REQUIRE(mc_trace_read_roots(trace, step, &roots, &error) == MC_OK);
    for (uint32_t i = 0; i < fields.count; i++)
        sum += fields.items[i].count *
               (uint64_t)atoi(mc_trace_get_string(trace, fields.items[i].name, NULL) + 1);
    for (uint32_t i = 0; i < roots.count; i++)
        sum += roots.items[i].count *
               (uint64_t)atoi(mc_trace_get_string(trace, roots.items[i].name, NULL) + 1);
    mc_field_rows_deinit(&fields);
    mc_root_rows_deinit(&roots);
    return sum;
}

static void test_pair(uint64_t seed, bool has_before_places, bool no_moves) {
    mc_trace *before = make(seed), *after = make(seed + 1), *trace = NULL;
    mc_versus_desc desc = {.sides = {before, after},
                           .alignment = {.kind = MC_ALIGN_STEP},
                           .no_moves = no_moves,
                           .has_before_places = has_before_places};
    REQUIRE(mc_trace_versus(&desc, NULL, &trace, &error) == MC_OK);
    uint32_t steps[STEP_COUNT];
    REQUIRE(mc_trace_get_step_count(trace) == STEP_COUNT);
    for (uint32_t step = 0; step < STEP_COUNT; step++) {
        steps[step] = mc_versus_get_step(trace, MC_AFTER, step);
        CHECK(sum_up_fields(trace, step) == sum_up_fields(after, steps[step]));
    }
    check_against(trace, after, steps);
    const mc_step_info *info = mc_trace_get_step(trace, 0);
    CHECK(info->is_incomplete &&
          is_same_text(trace, info->missing, after, mc_trace_get_step(after, steps[0])->missing));
    mc_trace_destroy(trace);
    mc_trace_destroy(before);
    mc_trace_destroy(after);
}

int main(void) {
    for (uint64_t seed = 1; seed <= 40; seed++) {
        test_regrouped(seed);
        for (int i = 0; i < 4; i++)
            test_pair(seed, i % 2, i / 2);
    }
    CHECK(known_count > 2000 && unknown_count > 2000);
    mc_step_tree_deinit(&tree);
    mc_step_paths_deinit(&paths);
    mc_step_owners_deinit(&owners);
    mc_step_referrers_deinit(&referrers);
    return test_finish();
}
