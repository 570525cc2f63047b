// linked_trace.h - small traces with pointer maps for tests, from lists of leaves and of pairs.
#pragma once
#include "tests/trace_maker.h"

// The pair from -> to by full keys, one entry a step; where both are 0, the maps lack it.
typedef struct test_pair {
    const char *from, *to;
    uint64_t points_to[8], pointed_from[8];
} test_pair;

enum { WITH_POINTS_TO = 1, WITH_POINTED_FROM = 2, WITH_NULL_POINTED_FROM = 4 };

static inline void test_add_entry(mc_reference_map *map, const char *outer, const char *inner,
                                  uint64_t count) {
    mc_reference_entry entry = {.outer_offset = map->text.size,
                                .outer_size = (uint32_t)strlen(outer),
                                .inner_size = (uint32_t)strlen(inner),
                                .count = count};
    mc_text_append_string(&map->text, outer);
    entry.inner_offset = map->text.size;
    mc_text_append_string(&map->text, inner);
    REQUIRE(mc_reference_map_add(map, entry));
}

static inline void test_add_maps(mc_trace_builder *builder, const test_pair *pairs,
                                 uint32_t pair_count, uint32_t step, int maps) {
    mc_reference_map points_to = {0}, pointed_from = {0};
    points_to.time_ms = pointed_from.time_ms = (int64_t)step * 1000;
    for (uint32_t i = 0; i < pair_count; i++) {
        if (pairs[i].points_to[step] == 0 && pairs[i].pointed_from[step] == 0) continue;
        test_add_entry(&points_to, pairs[i].from, pairs[i].to, pairs[i].points_to[step]);
        if (maps & WITH_POINTED_FROM)
            test_add_entry(&pointed_from, pairs[i].to, pairs[i].from, pairs[i].pointed_from[step]);
    }
    if (maps & WITH_POINTS_TO)
        REQUIRE(mc_trace_builder_add_references(builder, &points_to, MC_POINTS_TO, NULL) == MC_OK);
    if (maps & (WITH_POINTED_FROM | WITH_NULL_POINTED_FROM))
        REQUIRE(mc_trace_builder_add_references(builder, &pointed_from, MC_POINTED_FROM, NULL) ==
                MC_OK);
    mc_reference_map_deinit(&points_to);
    mc_reference_map_deinit(&pointed_from);
}

// By which fields leaves reference each other, and which roots hold them; one entry a step, 0:
// none.
typedef struct test_field {
    const char *from, *to, *name;
    bool is_weak;
    uint64_t counts[8];
} test_field;

typedef struct test_root {
    const char *leaf;
    mc_root_kind kind;
    const char *name; // NULL: the others
    uint64_t counts[8];
} test_root;

typedef struct test_referrers {
    const test_field *fields;
    const test_root *roots;
    uint32_t field_count, root_count;
} test_referrers;

// The number of a leaf in the trees, whose nodes are the root, and districts before their leaves.
static inline uint32_t test_find_entry(const test_leaf *leaves, uint32_t leaf_count,
                                       const char *full_key) {
    char key[256];
    uint32_t entry = 0;
    for (uint32_t i = 0; i < leaf_count; i++) {
        entry += i == 0 || strcmp(leaves[i].district, leaves[i - 1].district) != 0 ? 2 : 1;
        snprintf(key, sizeof key, "Heap#%s#%s", leaves[i].district, leaves[i].key);
        if (strcmp(key, full_key) == 0) return entry;
    }
    fprintf(stderr, "no leaf %s\n", full_key);
    test_failure_count++;
    return 0;
}

static inline void test_add_referrers(mc_trace_builder *builder, const test_leaf *leaves,
                                      uint32_t leaf_count, const test_referrers *held,
                                      uint32_t step) {
    mc_step_referrers referrers = {0};
    referrers.time_ms = (int64_t)step * 1000;
    for (uint32_t i = 0; i < held->field_count; i++) {
        const test_field *f = &held->fields[i];
        mc_field_count field = {.from = test_find_entry(leaves, leaf_count, f->from),
                                .to = test_find_entry(leaves, leaf_count, f->to),
                                .name =
                                    mc_strings_intern(&referrers.names, f->name, strlen(f->name)),
                                .is_weak = f->is_weak,
                                .count = f->counts[step]};
        if (field.count > 0) REQUIRE(mc_step_referrers_add_field(&referrers, field));
    }
    for (uint32_t i = 0; i < held->root_count; i++) {
        const test_root *r = &held->roots[i];
        mc_root_count root = {.node = test_find_entry(leaves, leaf_count, r->leaf),
                              .kind = r->kind,
                              .name = MC_NONE,
                              .count = r->counts[step]};
        if (r->name) root.name = mc_strings_intern(&referrers.names, r->name, strlen(r->name));
        if (root.count > 0) REQUIRE(mc_step_referrers_add_root(&referrers, root));
    }
    REQUIRE(mc_trace_builder_add_referrers(builder, &referrers, NULL) == MC_OK);
    mc_step_referrers_deinit(&referrers);
}

// One step a second. Leaves without objects are in the trees as well. `held` may be NULL.
static inline mc_trace *test_make_held_trace(const test_leaf *leaves, uint32_t leaf_count,
                                             const test_pair *pairs, uint32_t pair_count,
                                             const test_referrers *held, uint32_t step_count,
                                             int maps) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < step_count; step++) {
        mc_step_tree_reset(&tree);
        tree.time_ms = (int64_t)step * 1000;
        uint32_t root = test_add_node(&tree, MC_NONE, "Heap", 0), district = MC_NONE;
        for (uint32_t i = 0; i < leaf_count; i++) {
            uint64_t objects = leaves[i].objects[step];
            if (i == 0 || strcmp(leaves[i].district, leaves[i - 1].district) != 0)
                district = test_add_node(&tree, root, leaves[i].district, 0);
            test_add_node(&tree, district, leaves[i].key, objects);
            test_add_objects(&tree, district, objects);
            test_add_objects(&tree, root, objects);
        }
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
        if (held) test_add_referrers(builder, leaves, leaf_count, held, step);
    }
    for (uint32_t step = 0; step < step_count; step++)
        test_add_maps(builder, pairs, pair_count, step, maps);
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

static inline mc_trace *test_make_linked_trace(const test_leaf *leaves, uint32_t leaf_count,
                                               const test_pair *pairs, uint32_t pair_count,
                                               uint32_t step_count, int maps) {
    return test_make_held_trace(leaves, leaf_count, pairs, pair_count, NULL, step_count, maps);
}
