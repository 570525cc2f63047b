// odd_trace.h - small traces with every oddity that the trace module knows, from a seed: nodes that
// come and go, leaves that are inner nodes in other steps, own shares, sums that contradict,
// present nodes with zeros, further metrics of every kind in some steps only, odd keys, other names
// and roles in later steps, steps out of order, references in one direction or both, fields and
// roots in some steps.
#pragma once
#include "engine/trace/build/trace_builder.h"
#include "tests/test.h"

enum { ODD_NODE_COUNT = 70 };
#define ODD_NUL '\x02' // in keys and names: becomes a NUL in the trees and maps

typedef struct odd_node {
    uint32_t parent;
    char key[40], name[40];
    char full_key[600]; // what references call it
} odd_node;

typedef struct odd_trace {
    uint64_t state;
    mc_key_kind kind;
    uint32_t step_count;
    odd_node nodes[ODD_NODE_COUNT];
} odd_trace;

static inline uint32_t odd_random(odd_trace *odd, uint32_t limit) {
    odd->state = odd->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(odd->state >> 33) % limit;
}

static inline void odd_init(odd_trace *odd, uint64_t seed, mc_key_kind kind, uint32_t step_count) {
    static const char *const odd_keys[] = {"a#b",      "",   "\"quoted\\\"", "tab\there", "é→☃",
                                           "\x01\x02", "[]", "line\nbreak",  "\x7f",      "a"};
    memset(odd, 0, sizeof *odd);
    odd->state = seed * 2654435761u + 1;
    odd->kind = kind;
    odd->step_count = step_count;
    for (uint32_t i = 0; i < ODD_NODE_COUNT; i++) {
        odd_node *node = &odd->nodes[i];
        uint32_t nearest = i > 8 ? i - 8 : 0;
        node->parent = i == 0 ? MC_NONE : nearest + odd_random(odd, i - nearest);
        const char *odd_key = odd_keys[odd_random(odd, 10)];
        bool is_odd = kind == MC_KEY_PATH_PART && i > 0 && odd_random(odd, 4) == 0;
        snprintf(node->name, sizeof node->name, "n%u", is_odd ? i : odd_random(odd, 30));
        if (is_odd)
            snprintf(node->key, sizeof node->key, "%s%u", odd_key, i);
        else
            snprintf(node->key, sizeof node->key, "k%u", i);
        if (kind == MC_KEY_PATH_PART) snprintf(node->name, sizeof node->name, "%s", node->key);
        if (i > 0 && kind == MC_KEY_PATH_PART)
            snprintf(node->full_key, sizeof node->full_key, "%s#%s",
                     odd->nodes[node->parent].full_key, node->key);
        else
            snprintf(node->full_key, sizeof node->full_key, "%s", node->key);
    }
}

static inline void odd_set_nuls(mc_text *text) {
    for (size_t i = 0; i < text->size; i++)
        if (text->data[i] == ODD_NUL) text->data[i] = '\0';
}

static inline uint32_t odd_add_metric(mc_step_tree *tree, mc_metric_info info) {
    uint32_t index = mc_metrics_find(&tree->metrics, info.key, info.key_size);
    if (index == MC_NONE) index = mc_step_tree_add_metric(tree, &info);
    REQUIRE(index != MC_NONE);
    return index;
}

static inline void odd_add_value(mc_step_tree *tree, const char *key, uint32_t node,
                                 uint64_t value) {
    uint32_t index = odd_add_metric(tree, mc_metric_info_of_key(key, strlen(key)));
    if (tree->metrics.items[index].is_real) value = mc_metric_make_real(value);
    REQUIRE(mc_step_tree_set_value(tree, index, node, value));
}

static inline void odd_add_real(mc_step_tree *tree, const char *key, uint32_t node, double value) {
    uint32_t index = odd_add_metric(tree, mc_metric_info_of_key(key, strlen(key)));
    mc_step_tree_make_real(tree, index);
    REQUIRE(mc_step_tree_set_value(tree, index, node, mc_metric_pack(value)));
}

// A flow that is additive, and is not said of all nodes; real numbers that add up, and such that
// don't.
static inline void odd_declare_metrics(mc_step_tree *tree) {
    const mc_metric_info flow = {.key = "allocated",
                                 .key_size = 9,
                                 .title = "allocated bytes",
                                 .title_size = 15,
                                 .unit = MC_UNIT_BYTES,
                                 .kind = MC_METRIC_FLOW,
                                 .is_additive = true,
                                 .says = MC_METRIC_SAYS_ALL};
    mc_metric_info time = mc_metric_info_of_key("time", 4);
    time.unit = MC_UNIT_TIME;
    time.kind = MC_METRIC_FLOW;
    time.says = MC_METRIC_SAYS_UNIT | MC_METRIC_SAYS_KIND | MC_METRIC_SAYS_ADDITIVE;
    odd_add_metric(tree, flow);
    odd_add_metric(tree, time);
}

// What a node has of further metrics. Of "mixed" the first steps say whole numbers only.
static inline void odd_add_values(odd_trace *odd, mc_step_tree *tree, uint32_t node,
                                  uint32_t step) {
    if (step % 3 == 1 && odd_random(odd, 2) == 0) {
        odd_add_value(tree, mc_metric_retained, node, odd_random(odd, 1000));
        odd_add_value(tree, mc_metric_closure, node, MC_COUNT_MAX);
    }
    if (step % 4 == 3) return;
    if (odd_random(odd, 4) > 0) odd_add_value(tree, "allocated", node, odd_random(odd, 100000));
    if (odd_random(odd, 4) > 0) odd_add_real(tree, "time", node, odd_random(odd, 999) / 7.0);
    if (step % 2 == 0 && odd_random(odd, 3) > 0)
        odd_add_real(tree, "coverage", node, odd_random(odd, 1000) / 999.0);
    if (odd_random(odd, 3) == 0) return;
    if (step < 5)
        odd_add_value(tree, "mixed", node, odd_random(odd, 50));
    else
        odd_add_real(tree, "mixed", node, odd_random(odd, 50) / 3.0);
}

static inline void odd_add_node(odd_trace *odd, mc_step_tree *tree, uint32_t node,
                                uint32_t *entries, uint32_t step) {
    const odd_node *from = &odd->nodes[node];
    size_t key_offset = tree->text.size, name_offset = key_offset;
    const char *name = from->name;
    // In the AntTracks form a name is the key.
    if (odd->kind == MC_KEY_FULL && step > 0 && odd_random(odd, 20) == 0) name = "renamed";
    mc_text_append_string(&tree->text, from->key);
    if (strcmp(name, from->key) != 0) {
        name_offset = tree->text.size;
        mc_text_append_string(&tree->text, name);
    }
    uint32_t role = from->parent == MC_NONE ? MC_NONE : node % 3;
    if (step > 0 && role != MC_NONE && odd_random(odd, 25) == 0) role = (role + 1) % 3;
    uint64_t large = odd_random(odd, 30) == 0 ? (uint64_t)1 << 58 : 0;
    entries[node] = mc_step_tree_add(
        tree,
        (mc_step_node){.parent = from->parent == MC_NONE ? MC_NONE : entries[from->parent],
                       .role = role,
                       .key_offset = key_offset,
                       .name_offset = name_offset,
                       .key_size = (uint32_t)strlen(from->key),
                       .name_size = (uint32_t)strlen(name),
                       .objects = odd_random(odd, 3) == 0 ? 0 : odd_random(odd, 500),
                       .bytes = large + (odd_random(odd, 3) == 0 ? 0 : odd_random(odd, 90000))});
    odd_add_values(odd, tree, entries[node], step);
}

// Children's values are added to most of their parents, so that own shares stay small.
static inline void odd_sum_up(odd_trace *odd, mc_step_tree *tree) {
    for (size_t i = tree->node_count; i-- > 1;) {
        if (odd_random(odd, 40) == 0) continue;
        mc_step_entry *parent = &tree->nodes[tree->nodes[i].parent];
        parent->objects += tree->nodes[i].objects;
        parent->bytes += tree->nodes[i].bytes;
        if (odd_random(odd, 3) > 0 && parent->objects > tree->nodes[i].objects + 1000)
            parent->objects = tree->nodes[i].objects + 1000;
    }
}

// Fills the tree of a step; steps come in a shuffled order of times.
static inline void odd_fill_tree(odd_trace *odd, uint32_t step, mc_step_tree *tree,
                                 bool present[ODD_NODE_COUNT]) {
    static const char roles[3][8] = {"Package", "Type\0b", "Type\0a"}; // two differ behind a NUL
    uint32_t entries[ODD_NODE_COUNT];
    mc_step_tree_reset(tree);
    tree->key_kind = odd->kind;
    tree->time_ms = (int64_t)(step * 11 % odd->step_count) * 1000 - 2000;
    for (int i = 0; i < 3; i++)
        mc_strings_intern(&tree->roles, roles[i], i == 0 ? 7 : 6);
    if (step != 1) odd_declare_metrics(tree);
    for (uint32_t node = 0; node < ODD_NODE_COUNT; node++) {
        present[node] =
            node == 0 || (present[odd->nodes[node].parent] && odd_random(odd, 10) < 6 + step % 4);
        if (present[node]) odd_add_node(odd, tree, node, entries, step);
    }
    odd_sum_up(odd, tree);
    REQUIRE(!tree->text.failed);
    odd_set_nuls(&tree->text);
}

// References between leaves of the step. May be refused where odd keys make full keys ambiguous.
static inline void odd_fill_map(odd_trace *odd, const mc_step_tree *tree,
                                const bool present[ODD_NODE_COUNT], mc_reference_map *map) {
    uint32_t leaves[ODD_NODE_COUNT], leaf_count = 0;
    mc_reference_map_reset(map);
    map->time_ms = tree->time_ms;
    for (uint32_t node = 0; node < ODD_NODE_COUNT; node++) {
        bool is_leaf = present[node];
        for (uint32_t child = node + 1; child < ODD_NODE_COUNT; child++)
            is_leaf &= !(present[child] && odd->nodes[child].parent == node);
        if (is_leaf) leaves[leaf_count++] = node;
    }
    for (uint32_t i = 0; i < leaf_count; i++) {
        uint32_t other = leaves[odd_random(odd, leaf_count)];
        if (odd_random(odd, 2) == 0) continue;
        const char *outer = odd->nodes[leaves[i]].full_key, *inner = odd->nodes[other].full_key;
        mc_reference_entry entry = {.outer_offset = map->text.size,
                                    .outer_size = (uint32_t)strlen(outer),
                                    .inner_size = (uint32_t)strlen(inner),
                                    .count = odd_random(odd, 1000)};
        mc_text_append_string(&map->text, outer);
        entry.inner_offset = map->text.size;
        mc_text_append_string(&map->text, inner);
        REQUIRE(!map->text.failed && mc_reference_map_add(map, entry));
    }
    odd_set_nuls(&map->text);
}

// Fields and roots of leaves of the tree, in any order, but each once.
// Some paths, each group on some of them with all above; numbers are made up.
static inline void odd_fill_paths(odd_trace *odd, const mc_step_tree *tree, mc_step_paths *paths) {
    mc_step_paths_reset(paths);
    paths->time_ms = tree->time_ms;
    for (uint32_t i = 0; i < 12; i++) {
        char name[32];
        int size = snprintf(name, sizeof name, "Class%u.path%u", odd_random(odd, 3), i);
        uint32_t string = mc_strings_intern(&paths->names, name, (size_t)size);
        bool is_first = i < 3;
        mc_retaining_path path = {.parent = is_first ? MC_NONE : odd_random(odd, i),
                                  .field = is_first ? MC_NONE : string,
                                  .class = string,
                                  .place = is_first ? MC_NONE : i % (uint32_t)tree->node_count};
        REQUIRE(string != MC_NONE && mc_step_paths_add(paths, path));
    }
    for (uint32_t node = 0; node < tree->node_count; node++) {
        bool is_there[12] = {false};
        for (uint32_t at = odd_random(odd, 12); at != MC_NONE; at = paths->paths[at].parent)
            is_there[at] = true;
        for (uint32_t i = 0; i < 12; i++) {
            mc_path_sum sum = {.node = node, .path = i, .is_folded = odd_random(odd, 2) != 0};
            sum.objects = odd_random(odd, 9);
            sum.bytes = odd_random(odd, 1000);
            sum.rest_objects = odd_random(odd, 2);
            if (is_there[i]) REQUIRE(mc_step_paths_add_sum(paths, sum));
        }
    }
}

// Some owners with all above; numbers are made up. Some are those of other steps, at other places.
static inline void odd_fill_owners(odd_trace *odd, const mc_step_tree *tree,
                                   mc_step_owners *owners) {
    enum { COUNT = 12 };
    bool is_there[COUNT] = {false};
    mc_step_owners_reset(owners);
    owners->time_ms = tree->time_ms;
    for (uint32_t i = 0; i < COUNT; i++) {
        char name[32];
        int size = snprintf(name, sizeof name, "Class%u.owner%u", odd_random(odd, 3), i);
        uint32_t string = mc_strings_intern(&owners->names, name, (size_t)size);
        bool is_first = i < 3 || odd_random(odd, 4) == 0;
        mc_owner owner = {.parent = is_first ? MC_NONE : odd_random(odd, i),
                          .root = is_first ? odd_random(odd, MC_ROOT_COUNT + 1) : 0,
                          .field = odd_random(odd, 4) == 0 ? MC_NONE : string,
                          .class = string,
                          .place = odd_random(odd, (uint32_t)tree->node_count)};
        if (odd_random(odd, 5) == 0) owner.place = MC_NONE;
        REQUIRE(string != MC_NONE && mc_step_owners_add(owners, owner));
    }
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t at = odd_random(odd, COUNT); at != MC_NONE; at = owners->owners[at].parent)
            is_there[at] = true;
    for (uint32_t i = COUNT; i-- > 0;) {
        mc_owner_sum sum = {.owner = i, .example = MC_NONE, .objects = odd_random(odd, 9)};
        if (odd_random(odd, 3) == 0) sum.example = owners->owners[odd_random(odd, COUNT)].class;
        sum.retained_objects = odd_random(odd, 1000);
        sum.retained_bytes = odd_random(odd, 1000000);
        sum.program_objects = odd_random(odd, 100);
        if (is_there[i]) REQUIRE(mc_step_owners_add_sum(owners, sum));
        mc_owner_way way = {i, odd_random(odd, COUNT), owners->owners[i].class,
                            1 + odd_random(odd, 50)};
        if (odd_random(odd, 2) == 0) REQUIRE(mc_step_owners_add_way(owners, way));
    }
}

static inline void odd_fill_referrers(odd_trace *odd, const mc_step_tree *tree,
                                      mc_step_referrers *referrers) {
    bool is_inner[ODD_NODE_COUNT] = {false};
    uint32_t leaves[ODD_NODE_COUNT], leaf_count = 0, names[8];
    mc_step_referrers_reset(referrers);
    referrers->time_ms = tree->time_ms;
    for (uint32_t i = 0; i < 8; i++) {
        char name[32];
        int size =
            snprintf(name, sizeof name, "Class%u%cfield", odd_random(odd, 9), i % 4 ? '.' : 0);
        names[i] = mc_strings_intern(&referrers->names, name, (size_t)size);
    }
    for (size_t i = 1; i < tree->node_count; i++)
        is_inner[tree->nodes[i].parent] = true;
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (!is_inner[i]) leaves[leaf_count++] = i;
    for (uint32_t i = leaf_count; i-- > 0;) {
        uint32_t to = leaves[odd_random(odd, leaf_count)], first = odd_random(odd, 8);
        for (uint32_t k = 0; k < odd_random(odd, 4); k++) {
            mc_field_count field = {.from = leaves[i], .to = to, .name = names[first]};
            field.is_weak = k % 2;
            field.count = odd_random(odd, 3);
            if (k < 2) REQUIRE(mc_step_referrers_add_field(referrers, field));
        }
        mc_root_count root = {.node = leaves[i], .kind = odd_random(odd, MC_ROOT_COUNT)};
        root.name = odd_random(odd, 4) == 0 ? MC_NONE : names[first];
        root.count = 1 + odd_random(odd, 50);
        if (odd_random(odd, 3) == 0) REQUIRE(mc_step_referrers_add_root(referrers, root));
        root.name = names[first];
        root.kind = (root.kind + 1) % MC_ROOT_COUNT;
        if (odd_random(odd, 9) == 0) REQUIRE(mc_step_referrers_add_root(referrers, root));
    }
}

static inline bool odd_has_referrers(uint32_t step) {
    return step % 5 != 1;
}

// Which directions a step has: none, one, the other, both.
static inline bool odd_has_direction(uint32_t step, int direction) {
    return (step / 2 % 4) >> direction & 1;
}

// A trace of four steps.
static inline mc_trace *odd_make_trace(uint64_t seed, mc_key_kind kind) {
    static odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    odd_init(&odd, seed, kind, 4);
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < 4; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        // Odd keys may make a step impossible; the others do.
        (void)mc_trace_builder_add_step(builder, &tree, "test", NULL);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}
