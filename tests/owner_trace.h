// owner_trace.h - small traces whose steps know who owns their heap, from a list of places: no
// importer needed.
//
// What a place retains beyond those below it are its own bytes; each class is a leaf below the
// root, so the tree and the owners tell the same heap.
#pragma once
#include "tests/trace_maker.h"

enum { TEST_OWNER_STEPS = 12, TEST_OWNER_MOST = 64 };

typedef struct test_place {
    int parent;        // place; -1: a root
    uint32_t root;     // of those: mc_root_kind or MC_OWNER_SHARED
    const char *field; // NULL: none
    const char *class;
    uint64_t objects[TEST_OWNER_STEPS];
    uint64_t retained[TEST_OWNER_STEPS]; // bytes; 0: the step doesn't know the place
    bool is_program;                     // program's classes are below it
    const char *example;
} test_place;

typedef struct test_way {
    int place, from;
    const char *field;
    uint64_t references;
} test_way;

static inline uint32_t test_intern(mc_strings *names, const char *name) {
    return name ? mc_strings_intern(names, name, strlen(name)) : MC_NONE;
}

// The bytes and objects of a class at a step.
static inline uint64_t test_sum_class(const test_place *places, uint32_t count, const char *class,
                                      uint32_t step, uint64_t *objects) {
    uint64_t bytes = 0;
    *objects = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(places[i].class, class) != 0 || places[i].retained[step] == 0) continue;
        *objects += places[i].objects[step];
        bytes += places[i].retained[step];
        for (uint32_t k = 0; k < count; k++)
            if (places[k].parent == (int)i) bytes -= places[k].retained[step];
    }
    return bytes;
}

static inline void test_fill_owner_tree(const test_place *places, uint32_t count, uint32_t step,
                                        mc_step_tree *tree, uint32_t *leaves) {
    uint32_t root = test_add_node(tree, MC_NONE, "Heap", 0);
    for (uint32_t i = 0; i < count; i++) {
        leaves[i] = MC_NONE;
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(places[k].class, places[i].class) == 0) leaves[i] = leaves[k];
        if (leaves[i] != MC_NONE) continue;
        uint64_t objects, bytes = test_sum_class(places, count, places[i].class, step, &objects);
        leaves[i] = test_add_node(tree, root, places[i].class, objects);
        tree->nodes[leaves[i]].bytes = bytes;
        tree->nodes[root].objects += objects;
        tree->nodes[root].bytes += bytes;
    }
}

static inline void test_fill_owners(const test_place *places, uint32_t count, const test_way *ways,
                                    uint32_t way_count, uint32_t step, const uint32_t *leaves,
                                    mc_step_owners *owners) {
    for (uint32_t i = 0; i < count; i++) {
        const test_place *p = &places[i];
        mc_owner owner = {.parent = p->parent < 0 ? MC_NONE : (uint32_t)p->parent,
                          .root = p->parent < 0 ? p->root : 0,
                          .field = test_intern(&owners->names, p->field),
                          .class = test_intern(&owners->names, p->class),
                          .place = leaves[i]};
        REQUIRE(mc_step_owners_add(owners, owner));
        mc_owner_sum sum = {.owner = i,
                            .example = test_intern(&owners->names, p->example),
                            .objects = p->objects[step],
                            .retained_objects = p->objects[step],
                            .retained_bytes = p->retained[step],
                            .program_objects = p->is_program ? p->objects[step] : 0};
        if (p->retained[step] > 0) REQUIRE(mc_step_owners_add_sum(owners, sum));
    }
    for (uint32_t i = 0; i < way_count; i++)
        REQUIRE(mc_step_owners_add_way(
            owners,
            (mc_owner_way){(uint32_t)ways[i].place, (uint32_t)ways[i].from,
                           test_intern(&owners->names, ways[i].field), ways[i].references}));
}

// One step a second. `unknown`: a bit a step that knows no owners.
static inline mc_trace *test_make_owner_trace(const test_place *places, uint32_t count,
                                              const test_way *ways, uint32_t way_count,
                                              uint32_t step_count, uint32_t unknown) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    mc_step_owners owners = {0};
    uint32_t leaves[TEST_OWNER_MOST];
    REQUIRE(count <= TEST_OWNER_MOST);
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < step_count; step++) {
        mc_step_tree_reset(&tree);
        mc_step_owners_reset(&owners);
        tree.time_ms = owners.time_ms = (int64_t)step * 1000;
        test_fill_owner_tree(places, count, step, &tree, leaves);
        test_fill_owners(places, count, ways, way_count, step, leaves, &owners);
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
        if (unknown >> step & 1) continue;
        REQUIRE(mc_trace_builder_add_owners(builder, &owners, NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    mc_step_owners_deinit(&owners);
    return trace;
}
