// trace_equal.h - whether two traces say the same, in every respect.
#pragma once
#include "engine/analyze/max_tree.h"
#include "engine/trace/trace_step.h"
#include "tests/trace_values.h"

static inline void check_equal_strings(const mc_trace *a, const mc_trace *b, uint32_t left,
                                       uint32_t right) {
    size_t left_size, right_size;
    const char *x = mc_trace_get_string(a, left, &left_size);
    const char *y = mc_trace_get_string(b, right, &right_size);
    CHECK_MSG(left_size == right_size && memcmp(x, y, left_size) == 0, "\"%s\" and \"%s\"", x, y);
}

static inline void check_equal_nodes(const mc_trace *a, const mc_trace *b) {
    const mc_node_columns *x = mc_trace_get_nodes(a), *y = mc_trace_get_nodes(b);
    size_t size = x->count * sizeof(uint32_t);
    REQUIRE(x->count == y->count);
    CHECK(x->leaf_count == y->leaf_count && x->depth == y->depth);
    CHECK(memcmp(x->parent, y->parent, size) == 0);
    CHECK(memcmp(x->first_child, y->first_child, size) == 0);
    CHECK(memcmp(x->child_count, y->child_count, size) == 0);
    CHECK(memcmp(x->child_by_appearance, y->child_by_appearance, size) == 0);
    CHECK(memcmp(x->level, y->level, size) == 0);
    CHECK(memcmp(x->role, y->role, size) == 0);
    CHECK(memcmp(x->flags, y->flags, x->count) == 0);
    for (uint32_t node = 0; node < x->count; node++) {
        check_equal_strings(a, b, x->key[node], y->key[node]);
        check_equal_strings(a, b, x->name[node], y->name[node]);
    }
}

static inline void check_equal_references(const mc_trace *a, const mc_trace *b, uint32_t step) {
    mc_reference_rows x = test_read_references(a, step), y = test_read_references(b, step);
    CHECK(x.count == y.count);
    for (uint32_t i = 0; i < x.count && x.count == y.count; i++)
        CHECK(x.items[i].from == y.items[i].from && x.items[i].to == y.items[i].to &&
              x.items[i].points_to == y.items[i].points_to &&
              x.items[i].pointed_from == y.items[i].pointed_from);
    mc_reference_rows_deinit(&x);
    mc_reference_rows_deinit(&y);
}

static inline void check_equal_names(const mc_trace *a, const mc_trace *b, uint32_t left,
                                     uint32_t right) {
    CHECK((left == MC_NONE) == (right == MC_NONE));
    if (left != MC_NONE && right != MC_NONE) check_equal_strings(a, b, left, right);
}

static inline void check_equal_fields(const mc_trace *a, const mc_trace *b, uint32_t step) {
    mc_field_rows x = {0}, y = {0};
    REQUIRE(mc_trace_read_fields(a, step, &x, NULL) == MC_OK);
    REQUIRE(mc_trace_read_fields(b, step, &y, NULL) == MC_OK);
    REQUIRE(x.count == y.count);
    for (uint32_t i = 0; i < x.count; i++) {
        CHECK(x.items[i].from == y.items[i].from && x.items[i].to == y.items[i].to &&
              x.items[i].is_weak == y.items[i].is_weak && x.items[i].count == y.items[i].count);
        check_equal_names(a, b, x.items[i].name, y.items[i].name);
    }
    mc_field_rows_deinit(&x);
    mc_field_rows_deinit(&y);
}

static inline void check_equal_roots(const mc_trace *a, const mc_trace *b, uint32_t step) {
    mc_root_rows x = {0}, y = {0};
    REQUIRE(mc_trace_read_roots(a, step, &x, NULL) == MC_OK);
    REQUIRE(mc_trace_read_roots(b, step, &y, NULL) == MC_OK);
    REQUIRE(x.count == y.count);
    for (uint32_t i = 0; i < x.count; i++) {
        CHECK(x.items[i].node == y.items[i].node && x.items[i].kind == y.items[i].kind &&
              x.items[i].count == y.items[i].count);
        check_equal_names(a, b, x.items[i].name, y.items[i].name);
    }
    mc_root_rows_deinit(&x);
    mc_root_rows_deinit(&y);
}

static inline void check_equal_referrers(const mc_trace *a, const mc_trace *b, uint32_t step) {
    CHECK(mc_trace_get_step(a, step)->has_referrers == mc_trace_get_step(b, step)->has_referrers);
    check_equal_fields(a, b, step);
    check_equal_roots(a, b, step);
}

static inline bool test_same_string(const mc_trace *a, uint32_t x, const mc_trace *b, uint32_t y) {
    size_t left, right;
    if (x == MC_NONE || y == MC_NONE) return x == y;
    const char *p = mc_trace_get_string(a, x, &left), *q = mc_trace_get_string(b, y, &right);
    return left == right && memcmp(p, q, left) == 0;
}

// Whether two paths have the same fields and classes, and are in the same places.
static inline bool test_same_path(const mc_trace *a, uint32_t x, const mc_trace *b, uint32_t y) {
    uint32_t count;
    const mc_retaining_path *left = mc_trace_get_paths(a, &count),
                            *right = mc_trace_get_paths(b, &count);
    while (x != MC_NONE && y != MC_NONE) {
        if (!test_same_string(a, left[x].field, b, right[y].field) ||
            !test_same_string(a, left[x].class, b, right[y].class) ||
            left[x].place != right[y].place)
            return false;
        x = left[x].parent;
        y = right[y].parent;
    }
    return x == y;
}

static inline void check_equal_paths(const mc_trace *a, const mc_trace *b, uint32_t step) {
    mc_path_sums x = {0}, y = {0};
    const mc_step_info *left = mc_trace_get_step(a, step), *right = mc_trace_get_step(b, step);
    CHECK(left->has_paths == right->has_paths && left->is_incomplete == right->is_incomplete);
    if (left->is_incomplete && right->is_incomplete)
        CHECK(test_same_string(a, left->missing, b, right->missing));
    REQUIRE(mc_trace_read_paths(a, step, &x, NULL) == MC_OK);
    REQUIRE(mc_trace_read_paths(b, step, &y, NULL) == MC_OK && x.count == y.count);
    // Both number paths as they come, so that they are in one order.
    for (uint32_t i = 0; i < x.count; i++) {
        const mc_path_sum *p = &x.items[i], *q = &y.items[i];
        CHECK(p->node == q->node && test_same_path(a, p->path, b, q->path));
        CHECK(p->is_folded == q->is_folded && p->objects == q->objects && p->bytes == q->bytes);
        CHECK(p->rest_objects == q->rest_objects && p->rest_bytes == q->rest_bytes);
    }
    mc_path_sums_deinit(&x);
    mc_path_sums_deinit(&y);
}

// Whether two owners are reached by the same fields and classes, and lie in the same places.
static inline bool test_same_owner(const mc_trace *a, uint32_t x, const mc_trace *b, uint32_t y) {
    uint32_t count;
    const mc_owner *left = mc_trace_get_owners(a, &count), *right = mc_trace_get_owners(b, &count);
    while (x != MC_NONE && y != MC_NONE) {
        if (!test_same_string(a, left[x].field, b, right[y].field) ||
            !test_same_string(a, left[x].class, b, right[y].class) ||
            left[x].root != right[y].root || left[x].place != right[y].place)
            return false;
        x = left[x].parent;
        y = right[y].parent;
    }
    return x == y;
}

// They may have come in another order, and so have other numbers.
static inline const mc_owner_sum *test_find_sum(const mc_trace *a, uint32_t owner,
                                                const mc_trace *b, const mc_owner_rows *rows) {
    for (uint32_t i = 0; i < rows->count; i++)
        if (test_same_owner(a, owner, b, rows->items[i].owner)) return &rows->items[i];
    return NULL;
}

static inline bool test_has_way(const mc_trace *a, const mc_owner_way *way, const mc_trace *b,
                                const mc_owner_way_rows *rows) {
    for (uint32_t i = 0; i < rows->count; i++) {
        const mc_owner_way *q = &rows->items[i];
        if (way->references == q->references && test_same_string(a, way->field, b, q->field) &&
            test_same_owner(a, way->owner, b, q->owner) &&
            test_same_owner(a, way->from, b, q->from))
            return true;
    }
    return false;
}

static inline void check_equal_owners(const mc_trace *a, const mc_trace *b, uint32_t step) {
    mc_owner_rows x = {0}, y = {0};
    mc_owner_way_rows v = {0}, w = {0};
    CHECK(mc_trace_get_step(a, step)->has_owners == mc_trace_get_step(b, step)->has_owners);
    CHECK(mc_trace_get_step(a, step)->liveness == mc_trace_get_step(b, step)->liveness);
    REQUIRE(mc_trace_read_owners(a, step, &x, NULL) == MC_OK);
    REQUIRE(mc_trace_read_owners(b, step, &y, NULL) == MC_OK && x.count == y.count);
    for (uint32_t i = 0; i < x.count; i++) {
        const mc_owner_sum *p = &x.items[i], *q = test_find_sum(a, p->owner, b, &y);
        REQUIRE(q);
        CHECK(test_same_string(a, p->example, b, q->example) && p->objects == q->objects);
        CHECK(p->retained_objects == q->retained_objects && p->retained_bytes == q->retained_bytes);
        CHECK(p->program_objects == q->program_objects);
    }
    REQUIRE(mc_trace_read_owner_ways(a, step, &v, NULL) == MC_OK);
    REQUIRE(mc_trace_read_owner_ways(b, step, &w, NULL) == MC_OK && v.count == w.count);
    for (uint32_t i = 0; i < v.count; i++)
        CHECK(test_has_way(a, &v.items[i], b, &w));
    mc_owner_rows_deinit(&x);
    mc_owner_rows_deinit(&y);
    mc_owner_way_rows_deinit(&v);
    mc_owner_way_rows_deinit(&w);
}

static inline void check_equal_metrics(const mc_trace *a, const mc_trace *b) {
    REQUIRE(mc_trace_get_metric_count(a) == mc_trace_get_metric_count(b));
    for (mc_metric metric = 0; metric < mc_trace_get_metric_count(a); metric++) {
        const mc_metric_info *x = mc_trace_get_metric(a, metric),
                             *y = mc_trace_get_metric(b, metric);
        CHECK(x->key_size == y->key_size && memcmp(x->key, y->key, x->key_size) == 0);
        CHECK(x->title_size == y->title_size && memcmp(x->title, y->title, x->title_size) == 0);
        CHECK(x->unit == y->unit && x->kind == y->kind && x->is_additive == y->is_additive);
        CHECK(x->is_real == y->is_real && x->scale == y->scale);
    }
}

static inline void check_equal_values_of_trees(const mc_step_tree *x, const mc_step_tree *y) {
    REQUIRE(x->metrics.count == y->metrics.count && x->node_count == y->node_count);
    for (uint32_t metric = 0; metric < x->metrics.count; metric++)
        for (size_t node = 0; node < x->node_count; node++)
            CHECK(mc_step_tree_get_value(x, metric, node) ==
                  mc_step_tree_get_value(y, metric, node));
}

static inline void check_equal_trees(const mc_trace *a, const mc_trace *b, uint32_t step) {
    mc_step_tree x = {0}, y = {0};
    REQUIRE(mc_trace_fill_step_tree(a, step, &x, NULL) == MC_OK);
    REQUIRE(mc_trace_fill_step_tree(b, step, &y, NULL) == MC_OK);
    CHECK(x.node_count == y.node_count && x.text.size == y.text.size);
    if (x.node_count == y.node_count && x.text.size == y.text.size) {
        CHECK(memcmp(x.text.data, y.text.data, x.text.size) == 0);
        CHECK(memcmp(x.nodes, y.nodes, x.node_count * sizeof *x.nodes) == 0);
        check_equal_values_of_trees(&x, &y);
    }
    mc_step_tree_deinit(&x);
    mc_step_tree_deinit(&y);
}

static inline void check_equal_steps(const mc_trace *a, const mc_trace *b, uint32_t step,
                                     uint32_t other_step) {
    const mc_step_info *x = mc_trace_get_step(a, step), *y = mc_trace_get_step(b, other_step);
    uint32_t count = mc_trace_get_nodes(a)->count;
    uint64_t *left = malloc(count * sizeof *left), *right = malloc(count * sizeof *right);
    REQUIRE(left && right);
    CHECK(x->time_ms == y->time_ms && x->node_count == y->node_count);
    CHECK(x->leaf_count == y->leaf_count && x->pair_count == y->pair_count);
    CHECK(x->objects == y->objects && x->bytes == y->bytes && x->directions == y->directions);
    for (mc_metric metric = 0; metric < mc_trace_get_metric_count(a); metric++) {
        test_column(a, step, metric, left);
        mc_metric other = mc_trace_find_metric(b, mc_trace_get_metric(a, metric)->key);
        REQUIRE(other != MC_NONE);
        test_column(b, other_step, other, right);
        CHECK(memcmp(left, right, count * sizeof *left) == 0);
    }
    for (uint32_t node = 0; node < count; node++)
        CHECK(test_is_present(a, step, node) == test_is_present(b, other_step, node));
    free(left);
    free(right);
}

// In an order in which no column was read just before.
static inline void check_equal_values(const mc_trace *a, const mc_trace *b) {
    uint32_t step_count = mc_trace_get_step_count(a), count = mc_trace_get_nodes(a)->count;
    for (uint32_t node = 0; node < count; node++)
        for (uint32_t step = 0; step < step_count; step++) {
            mc_metric metric = (node + step) % mc_trace_get_metric_count(a);
            CHECK(test_value(a, step, metric, node) == test_value(b, step, metric, node));
        }
}

static inline void check_equal_max_trees(const mc_trace *a, const mc_trace *b) {
    for (mc_metric metric = 0; metric < mc_trace_get_metric_count(a); metric++) {
        mc_max_tree x, y;
        REQUIRE(mc_max_tree_compute(&x, a, metric, mc_step_range_whole(a), NULL, NULL) == MC_OK);
        REQUIRE(mc_max_tree_compute(&y, b, metric, mc_step_range_whole(b), NULL, NULL) == MC_OK);
        CHECK(memcmp(x.max, y.max, x.count * sizeof *x.max) == 0);
        CHECK(memcmp(x.first, y.first, x.count * sizeof *x.first) == 0);
        CHECK(memcmp(x.last, y.last, x.count * sizeof *x.last) == 0);
        CHECK(x.largest_growth == y.largest_growth);
        mc_max_tree_deinit(&x);
        mc_max_tree_deinit(&y);
    }
}

static inline void check_equal_traces(const mc_trace *a, const mc_trace *b) {
    uint32_t step_count = mc_trace_get_step_count(a);
    REQUIRE(step_count == mc_trace_get_step_count(b));
    CHECK(mc_trace_get_key_kind(a) == mc_trace_get_key_kind(b));
    CHECK(mc_trace_has_references(a) == mc_trace_has_references(b));
    CHECK(mc_trace_has_fields(a) == mc_trace_has_fields(b));
    CHECK(mc_trace_has_roots(a) == mc_trace_has_roots(b));
    CHECK(mc_trace_get_input_node_count(a) == mc_trace_get_input_node_count(b));
    REQUIRE(mc_trace_get_classifier_count(a) == mc_trace_get_classifier_count(b));
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(a); i++) {
        size_t x, y;
        const char *left = mc_trace_get_classifier(a, i, &x);
        const char *right = mc_trace_get_classifier(b, i, &y);
        CHECK(x == y && memcmp(left, right, x) == 0);
    }
    check_equal_metrics(a, b);
    check_equal_nodes(a, b);
    for (uint32_t step = 0; step < step_count; step++) {
        check_equal_steps(a, b, step, step);
        check_equal_references(a, b, step);
        check_equal_referrers(a, b, step);
        check_equal_paths(a, b, step);
        check_equal_owners(a, b, step);
        check_equal_trees(a, b, step);
    }
    check_equal_values(a, b);
    check_equal_max_trees(a, b);
}

static inline bool test_same_text(const mc_step_tree *a, uint64_t left, uint32_t left_size,
                                  const mc_step_tree *b, uint64_t right, uint32_t right_size) {
    return left_size == right_size &&
           memcmp(a->text.data + left, b->text.data + right, left_size) == 0;
}

static inline bool test_same_role(const mc_step_tree *a, uint32_t left, const mc_step_tree *b,
                                  uint32_t right) {
    size_t x = 0, y = 0;
    const char *left_name = left == MC_NONE ? "" : mc_strings_get(&a->roles, left, &x);
    const char *right_name = right == MC_NONE ? "" : mc_strings_get(&b->roles, right, &y);
    return x == y && memcmp(left_name, right_name, x) == 0;
}

// That every step's document says the same. Which of a node's names the trace as a whole shows, and
// the order of classifiers, depend on the order in which steps were read.
static inline void check_equal_documents(const mc_trace *a, const mc_trace *b) {
    mc_step_tree left = {0}, right = {0};
    REQUIRE(mc_trace_get_step_count(a) == mc_trace_get_step_count(b));
    for (uint32_t step = 0; step < mc_trace_get_step_count(a); step++) {
        check_equal_steps(a, b, step, step);
        check_equal_references(a, b, step);
        REQUIRE(mc_trace_fill_step_tree(a, step, &left, NULL) == MC_OK);
        REQUIRE(mc_trace_fill_step_tree(b, step, &right, NULL) == MC_OK);
        REQUIRE(left.node_count == right.node_count);
        for (size_t i = 0; i < left.node_count; i++) {
            mc_step_node x = mc_step_tree_get(&left, i), y = mc_step_tree_get(&right, i);
            CHECK(x.parent == y.parent);
            CHECK(
                test_same_text(&left, x.key_offset, x.key_size, &right, y.key_offset, y.key_size));
            CHECK(test_same_text(&left, x.name_offset, x.name_size, &right, y.name_offset,
                                 y.name_size));
            CHECK(test_same_role(&left, x.role, &right, y.role));
        }
    }
    mc_step_tree_deinit(&left);
    mc_step_tree_deinit(&right);
}
