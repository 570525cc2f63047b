// Flat trees: order, pruning, intervals, strips, picking, panes on their way; recorded traces and
// what is odd.
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "engine/scene/flat_past.h"
#include "engine/scene/flat_small.h"
#include "engine/tree/tree_labels.h"
#include "engine/tree/tree_pick.h"
#include "tests/chain_trace.h"

static mc_trace *open_recorded(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/traces/%s", MC_TEST_BINARY_DIR, name);
    const char *pointer = path;
    const mc_import_desc desc = {.paths = &pointer, .path_count = 1, .no_references = true};
    mc_trace *trace = NULL;
    REQUIRE(mc_import_trace(&desc, &trace, NULL, NULL) == MC_OK);
    return trace;
}

static mc_tree *make_tree(const mc_trace *trace, mc_tree_sort sort, mc_tree_pruning pruning) {
    mc_tree_desc desc = {.metric = MC_METRIC_OBJECTS,
                         .window = mc_step_range_whole(trace),
                         .sort = sort,
                         .pruning = pruning};
    mc_tree *tree = NULL;
    REQUIRE(mc_tree_create(trace, &desc, &tree, NULL) == MC_OK);
    return tree;
}

static uint64_t *read_step(const mc_trace *trace, uint32_t step) {
    uint64_t *values = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *values);
    REQUIRE(values);
    REQUIRE(mc_trace_read_counts(trace, step, MC_METRIC_OBJECTS, values, NULL) == MC_OK);
    return values;
}

// A pane that shows everything at a step, colours of branches.
static void show(mc_flat_pane *pane, const mc_trace *trace, uint32_t step, uint32_t root,
                 bool keeps_before) {
    uint64_t *values = read_step(trace, step);
    mc_flat_pane_show(pane, values, root, 0, keeps_before);
    mc_theme theme = mc_theme_get(false, MC_PALETTE_HEAT);
    mc_flat_color_desc colors = {
        .theme = &theme, .nodes = mc_trace_get_nodes(trace), .solid_entry = MC_NONE};
    mc_flat_color(pane->tree, &colors, pane->now.colors);
    mc_free(values);
}

// ---- order

static const test_leaf leaves[] = {{"a", "x", {5, 1, 9}},
                                   {"a", "y", {1, 1, 7}},
                                   {"b", "x", {9, 9, 9}},
                                   {"b", "y", {0, 4, 0}},
                                   {"c", "x", {2, 2, 2}}};

static const char *get_key(const mc_trace *trace, const mc_tree *tree, uint32_t entry) {
    return mc_trace_get_string(trace, mc_trace_get_nodes(trace)->key[tree->node[entry]], NULL);
}

static void test_order(void) {
    mc_trace *trace = test_make_trace(leaves, 5, 3);
    // a grows by 10, b and c by nothing, which their keys order; a: y by 6, x by 4
    static const char *const wanted[MC_TREE_SORT_COUNT] = {"abcyxxyx", "bacxyxyx", "abcxyxyx"};
    for (int sort = 0; sort < MC_TREE_SORT_COUNT; sort++) {
        mc_tree *tree = make_tree(trace, (mc_tree_sort)sort, (mc_tree_pruning){0});
        char keys[16] = "";
        for (uint32_t i = 1; i < tree->count; i++)
            strcat(keys, get_key(trace, tree, i));
        CHECK_MSG(strcmp(keys, wanted[sort]) == 0, "%s: %s", mc_tree_sort_names[sort], keys);
        CHECK(tree->level_count == 3 && tree->level_first[2] == 4);
        mc_tree_destroy(tree);
    }
    mc_trace_destroy(trace);
}

// A node that is absent keeps its rank, without extent.
static void test_absent(void) {
    mc_trace *trace = test_make_trace(leaves, 5, 3);
    mc_tree *tree = make_tree(trace, MC_TREE_SORT_GROWTH, (mc_tree_pruning){0});
    mc_flat_pane pane;
    REQUIRE(mc_flat_pane_init(&pane, tree, NULL) == MC_OK);
    uint32_t absent = tree->node_entry[test_find(trace, "Heap#b#y")];
    show(&pane, trace, 0, 0, false);
    CHECK(pane.now.intervals[absent].from == pane.now.intervals[absent].to);
    show(&pane, trace, 1, 0, false);
    CHECK(fabs(pane.now.intervals[absent].to - pane.now.intervals[absent].from - 4.0 / 17) < 1e-12);
    // as a root it has nothing to show, and nothing is found there
    show(&pane, trace, 0, absent, false);
    CHECK(pane.now.values[absent] == 0);
    CHECK(mc_tree_pick(tree, absent, pane.now.intervals, 1, 0.5) == MC_NONE);
    mc_flat_pane_deinit(&pane);
    mc_tree_destroy(tree);
    mc_trace_destroy(trace);
}

// ---- pruning

static void check_sums(const mc_trace *trace, const mc_tree *tree) {
    uint64_t *values = mc_alloc(tree->count, sizeof *values);
    REQUIRE(values);
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++) {
        uint64_t *nodes = read_step(trace, step);
        uint32_t wrong = 0;
        mc_tree_gather(tree, nodes, values);
        for (uint32_t i = 0; i < tree->count; i++) {
            uint64_t sum = 0;
            for (uint32_t k = 0; k < tree->child_count[i]; k++)
                sum += values[tree->first_child[i] + k];
            wrong += tree->child_count[i] > 0 && sum != values[i];
        }
        CHECK_MSG(wrong == 0, "step %u: %u sums", step, wrong);
        mc_free(nodes);
    }
    mc_free(values);
}

static void check_pruned(const mc_tree *tree, uint32_t most) {
    for (uint32_t i = 0; i < tree->count; i++) {
        CHECK(tree->child_count[i] <= most + 1);
        for (uint32_t k = 0; k < tree->child_count[i]; k++) {
            uint32_t child = tree->first_child[i] + k;
            bool is_other = mc_tree_is_other(tree, child);
            CHECK(tree->parent[child] == i);
            CHECK(!is_other || k + 1 == tree->child_count[i]); // the last one
            CHECK(!is_other || tree->other_group_count[tree->other[child]] > 1);
        }
    }
}

// Pruned afterwards, a tree is what it is if it is pruned at once.
static void check_pruned_later(const mc_trace *trace, mc_tree_sort sort, mc_tree_pruning pruning) {
    mc_error error = {0};
    mc_tree *whole = make_tree(trace, sort, (mc_tree_pruning){0}), *later = NULL;
    mc_tree *at_once = make_tree(trace, sort, pruning);
    REQUIRE(mc_tree_create_pruned(whole, mc_trace_get_nodes(trace), &pruning, &later, &error) ==
            MC_OK);
    mc_tree_destroy(whole);
    size_t count = at_once->count, node_count = at_once->node_count;
    REQUIRE(later->count == count && later->other_count == at_once->other_count);
    CHECK(later->level_count == at_once->level_count);
    CHECK(memcmp(later->node, at_once->node, count * sizeof *later->node) == 0);
    CHECK(memcmp(later->parent, at_once->parent, count * sizeof *later->parent) == 0);
    CHECK(memcmp(later->other, at_once->other, count * sizeof *later->other) == 0);
    CHECK(memcmp(later->hidden, at_once->hidden, later->hidden_count * sizeof *later->hidden) == 0);
    CHECK(memcmp(later->branch, at_once->branch, node_count * sizeof *later->branch) == 0);
    CHECK(memcmp(later->last, at_once->last, node_count * sizeof *later->last) == 0);
    CHECK(later->desc.pruning.most == pruning.most && !later->desc.pruning.kept);
    mc_tree_destroy(later);
    mc_tree_destroy(at_once);
}

static void test_pruning(const char *name) {
    mc_trace *trace = open_recorded(name);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    for (int sort = 0; sort < MC_TREE_SORT_COUNT; sort++) {
        mc_tree *tree =
            make_tree(trace, (mc_tree_sort)sort, (mc_tree_pruning){.most = 9, .share = 0.9});
        CHECK(tree->other_count > 0);
        check_pruned(tree, 9);
        check_sums(trace, tree);
        // a hidden node, and all in it, is shown by its Other; opened, by itself
        uint32_t hidden = tree->hidden[0], other = tree->node_entry[hidden];
        CHECK(mc_tree_is_other(tree, other) && tree->node[other] == nodes->parent[hidden]);
        uint8_t *flags = mc_alloc_zero(nodes->count, 1);
        REQUIRE(flags);
        flags[nodes->parent[hidden]] = 1;
        mc_tree *opened = make_tree(trace, (mc_tree_sort)sort,
                                    (mc_tree_pruning){.most = 9, .share = 0.9, .opened = flags});
        CHECK(!mc_tree_is_other(opened, opened->node_entry[hidden]));
        CHECK(opened->other_count >= tree->other_count - 1);
        mc_tree_destroy(opened);
        flags[nodes->parent[hidden]] = 0;
        flags[hidden] = 1;
        mc_tree *kept = make_tree(trace, (mc_tree_sort)sort,
                                  (mc_tree_pruning){.most = 9, .share = 0.9, .kept = flags});
        CHECK(!mc_tree_is_other(kept, kept->node_entry[hidden]));
        check_sums(trace, kept);
        check_pruned_later(trace, (mc_tree_sort)sort, (mc_tree_pruning){.most = 9, .share = 0.9});
        check_pruned_later(trace, (mc_tree_sort)sort,
                           (mc_tree_pruning){.most = 2, .share = 0.5, .kept = flags});
        mc_tree_destroy(kept);
        mc_free(flags);
        mc_tree_destroy(tree);
    }
    mc_trace_destroy(trace);
}

// ---- picking: every entry with an extent is found at its own middle, however thin

static uint32_t find_lost(const mc_flat_pane *pane) {
    const mc_tree *tree = pane->tree;
    uint32_t lost = 0, level = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        while (i >= tree->level_first[level + 1])
            level++;
        mc_interval span = pane->now.intervals[i];
        double middle = span.from + (span.to - span.from) / 2;
        if (!(span.from < span.to)) continue;
        lost += mc_tree_pick(tree, 0, pane->now.intervals, level, middle) != i;
    }
    return lost;
}

static void test_picking(const char *name) {
    mc_trace *trace = open_recorded(name);
    mc_tree *tree = make_tree(trace, MC_TREE_SORT_GROWTH, (mc_tree_pruning){0});
    mc_flat_pane pane;
    REQUIRE(mc_flat_pane_init(&pane, tree, NULL) == MC_OK);
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++) {
        show(&pane, trace, step, 0, false);
        CHECK_MSG(find_lost(&pane) == 0, "%s, step %u", name, step);
    }
    // and in the picture, where it is wide enough to be pointed at
    show(&pane, trace, 0, 0, false);
    mc_strips strips = {0};
    for (uint32_t form = 0; form < MC_FLAT_FORM_COUNT; form++) {
        mc_flat_rect rect = {10, 20, 810, 620};
        REQUIRE(mc_flat_pane_build(&pane, 1, form, 1024, &strips, NULL) == MC_OK);
        mc_flat_plane plane = mc_flat_pane_get_plane(&pane, 1, form, rect, 0.7, &strips);
        for (uint32_t i = 1; i < tree->count; i++) {
            mc_flat_mark mark;
            static const float any[3];
            if (!mc_flat_pane_get_mark(&pane, &plane, i, any, 1, &mark)) continue;
            if (pane.now.intervals[i].to - pane.now.intervals[i].from < 1e-5) continue;
            double x, y;
            mc_flat_point middle = {(double)mark.row + 0.5,
                                    (pane.now.intervals[i].from + pane.now.intervals[i].to) / 2};
            mc_flat_plane_place(&plane, middle, &x, &y);
            CHECK(mc_flat_pane_pick(&pane, &plane, strips.levels_per_row, x, y) == i);
            CHECK(x >= (double)mark.x0 && x <= (double)mark.x1 && y >= (double)mark.y0 &&
                  y <= (double)mark.y1);
        }
        CHECK(mc_flat_pane_pick(&pane, &plane, strips.levels_per_row, 5, 5) == MC_NONE);
    }
    mc_strips_deinit(&strips);
    mc_flat_pane_deinit(&pane);
    mc_tree_destroy(tree);
    mc_trace_destroy(trace);
}

// ---- made small: all that is there has a frame where it is, and all that is wide enough is found

static void check_small(const mc_flat_pane *pane, const mc_flat_small *small, const char *name) {
    enum { TEXELS = 512 };
    const mc_tree *tree = pane->tree;
    static const float any[3];
    mc_flat_plane plane = mc_flat_small_get_plane(small, (mc_flat_rect){10, 20, 130, 120}, 0.6);
    uint32_t lost = 0, found = 0, wrong = 0, marked = 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        mc_flat_mark mark;
        mc_interval span = pane->now.intervals[i];
        bool is_in = mc_tree_get_common(tree, i, small->root) == small->root;
        bool has_mark = mc_flat_small_get_mark(small, tree, &plane, i, any, 1, &mark);
        wrong += has_mark != (is_in && span.from < span.to);
        if (!has_mark) continue;
        marked++;
        double most = 1.01 / TEXELS;
        wrong += fabs((double)mark.from - span.from) > most;
        wrong += fabs((double)mark.to - span.to) > most;
        double x, y;
        mc_flat_point middle = {(double)mark.row + 0.5, (span.from + span.to) / 2};
        if (span.to - span.from < 2.0 / TEXELS) continue;
        mc_flat_plane_place(&plane, middle, &x, &y);
        found++;
        lost += mc_flat_small_pick(small, &plane, x, y) != i;
    }
    CHECK_MSG(lost == 0 && wrong == 0 && found > 0 && marked >= found,
              "%s: %u lost, %u wrong of %u", name, lost, wrong, marked);
    CHECK(mc_flat_small_pick(small, &plane, 5, 5) == MC_NONE);
}

static void test_small(const char *name) {
    mc_trace *trace = open_recorded(name);
    mc_tree *tree =
        make_tree(trace, MC_TREE_SORT_GROWTH, (mc_tree_pruning){.most = 9, .share = 0.9});
    mc_flat_pane pane;
    mc_flat_small small = {0};
    REQUIRE(mc_flat_pane_init(&pane, tree, NULL) == MC_OK);
    uint32_t part = 1;
    while (tree->child_count[part] == 0)
        part++;
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++)
        for (uint32_t form = 0; form < MC_FLAT_FORM_COUNT; form++)
            for (int is_part = 0; is_part < 2; is_part++) {
                show(&pane, trace, step, is_part ? part : 0, false);
                REQUIRE(mc_flat_small_make(&small, &pane, form, 512, NULL) == MC_OK);
                CHECK(small.value == pane.now.values[small.root]);
                if (small.value > 0) check_small(&pane, &small, name);
            }
    mc_flat_small_deinit(&small);
    mc_flat_pane_deinit(&pane);
    mc_tree_destroy(tree);
    mc_trace_destroy(trace);
}

// ---- from one tree to another: all begins where it was, and ends where it belongs

static void test_past(const char *name) {
    mc_trace *trace = open_recorded(name);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t step = mc_trace_get_step_count(trace) / 2;
    mc_tree_pruning none = {0}, some = {.most = 9, .share = 0.9};
    mc_tree *trees[] = {make_tree(trace, MC_TREE_SORT_GROWTH, none),
                        make_tree(trace, MC_TREE_SORT_START, none),
                        make_tree(trace, MC_TREE_SORT_START, some)};
    mc_flat_pane from, to;
    mc_flat_past past = {0};
    mc_strips strips = {0}, wanted = {0};
    for (int i = 0; i < 4; i++) { // to another order, pruned, and back again
        static const int ways[][2] = {{0, 1}, {1, 2}, {2, 1}, {2, 0}};
        const mc_tree *before = trees[ways[i][0]], *after = trees[ways[i][1]];
        REQUIRE(mc_flat_pane_init(&from, before, NULL) == MC_OK);
        REQUIRE(mc_flat_pane_init(&to, after, NULL) == MC_OK);
        show(&from, trace, step, 0, false);
        show(&to, trace, step, 0, false);
        CHECK(!mc_flat_past_begin(&past, &to));
        mc_flat_past_take(&past, &from);
        REQUIRE(mc_flat_past_begin(&past, &to) && to.has_before);
        uint32_t elsewhere = 0;
        for (uint32_t node = 0; node < nodes->count; node++) {
            mc_interval was = from.now.intervals[before->node_entry[node]];
            uint32_t entry = after->node_entry[node];
            mc_interval begins = to.before.intervals[entry];
            // In an Other it is somewhere in it.
            elsewhere += mc_tree_is_other(after, entry)
                             ? begins.from > was.from || begins.to < was.to
                             : begins.from != was.from || begins.to != was.to;
        }
        CHECK_MSG(elsewhere == 0, "%s, way %d: %u begin elsewhere", name, i, elsewhere);
        // At its beginning the picture is the one before, where entries are the same.
        REQUIRE(mc_flat_pane_build(&to, 0, MC_FLAT_ICICLE, 400, &strips, NULL) == MC_OK);
        REQUIRE(mc_flat_pane_build(&from, 1, MC_FLAT_ICICLE, 400, &wanted, NULL) == MC_OK);
        double worst = 0;
        for (size_t k = 0; i == 0 && k < (size_t)mc_strips_get_sum_count(&strips) * 4; k++)
            worst = fmax(worst, fabs((double)(strips.sums[k] - wanted.sums[k])));
        CHECK_MSG(worst < 1e-3, "%s: %g", name, worst);
        mc_flat_past_deinit(&past);
        mc_flat_pane_deinit(&from);
        mc_flat_pane_deinit(&to);
    }
    mc_strips_deinit(&strips);
    mc_strips_deinit(&wanted);
    for (int i = 0; i < 3; i++)
        mc_tree_destroy(trees[i]);
    mc_trace_destroy(trace);
}

// ---- strips: what is in a row is there, whatever its texels

static void check_cover(const mc_flat_pane *pane, const mc_strips *strips) {
    mc_partition_tree partition = mc_tree_get_partition(pane->tree);
    mc_node_span span = {pane->now.root, pane->now.root + 1};
    for (uint32_t level = 0; span.first < span.end; level++) {
        double cover = 0;
        for (uint32_t i = span.first; i < span.end; i++)
            cover += pane->now.intervals[i].to - pane->now.intervals[i].from;
        float color[4];
        mc_strips_get_mean(strips, level / strips->levels_per_row, 0, 1, color);
        if (strips->levels_per_row == 1) CHECK(fabs((double)color[3] - cover) < 1e-4);
        for (int c = 0; c < 3; c++)
            CHECK(color[c] >= 0 && color[c] <= color[3] + 1e-4f);
        span = mc_partition_get_children(&partition, span);
    }
}

static void test_strips(const char *name) {
    mc_trace *trace = open_recorded(name);
    mc_tree *tree = make_tree(trace, MC_TREE_SORT_END, (mc_tree_pruning){0});
    mc_flat_pane pane;
    mc_strips strips = {0};
    REQUIRE(mc_flat_pane_init(&pane, tree, NULL) == MC_OK);
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++) {
        show(&pane, trace, step, 0, false);
        for (uint32_t form = 0; form < 2; form++) {
            REQUIRE(mc_flat_pane_build(&pane, 1, form, form ? 333 : 512, &strips, NULL) == MC_OK);
            check_cover(&pane, &strips);
        }
    }
    // a ring goes on beyond its seam
    REQUIRE(mc_flat_pane_build(&pane, 1, MC_FLAT_SUNBURST, 512, &strips, NULL) == MC_OK);
    float across[4], before[4], behind[4];
    mc_strips_get_mean(&strips, 2, -0.03125, 0.03125, across);
    mc_strips_get_mean(&strips, 2, 1 - 0.03125, 1, before);
    mc_strips_get_mean(&strips, 2, 0, 0.03125, behind);
    for (int c = 0; c < 4; c++)
        CHECK(fabsf(across[c] - (before[c] + behind[c]) / 2) < 1e-4f);
    mc_strips_deinit(&strips);
    mc_flat_pane_deinit(&pane);
    mc_tree_destroy(tree);
    mc_trace_destroy(trace);
}

// ---- on the way: at either end of it everything is where it was and where it belongs

static void test_moving(void) {
    mc_trace *trace = open_recorded("httpclient-3.0.1");
    mc_tree *tree = make_tree(trace, MC_TREE_SORT_GROWTH, (mc_tree_pruning){0});
    uint32_t into = tree->node_entry[test_find(trace, "Heap#java.util")];
    mc_flat_pane pane, rest;
    mc_strips strips = {0}, wanted = {0};
    REQUIRE(mc_flat_pane_init(&pane, tree, NULL) == MC_OK &&
            mc_flat_pane_init(&rest, tree, NULL) == MC_OK);
    show(&pane, trace, 3, 0, false);
    show(&pane, trace, 9, into, true);
    const uint32_t steps[] = {3, 9}, roots[] = {0, into};
    for (uint32_t end = 0; end < 2; end++) {
        double first, count;
        mc_flat_pane_get_rows(&pane, end, &first, &count);
        REQUIRE(mc_flat_pane_build(&pane, end, MC_FLAT_ICICLE, 600, &strips, NULL) == MC_OK);
        show(&rest, trace, steps[end], roots[end], false);
        REQUIRE(mc_flat_pane_build(&rest, 1, MC_FLAT_ICICLE, 600, &wanted, NULL) == MC_OK);
        CHECK(first == end && count == rest.now.row_count);
        for (uint32_t row = 0; row < wanted.row_count; row++)
            for (int i = 0; i < 600; i += 7) {
                float a[4], b[4];
                mc_strips_get_mean(&strips, row + (uint32_t)first, i / 600.0, (i + 7) / 600.0, a);
                mc_strips_get_mean(&wanted, row, i / 600.0, (i + 7) / 600.0, b);
                for (int c = 0; c < 4; c++)
                    CHECK(fabsf(a[c] - b[c]) < 2e-3f);
            }
    }
    mc_flat_pane_settle(&pane);
    CHECK(pane.base == into && pane.now.intervals[into].to == 1);
    mc_strips_deinit(&strips);
    mc_strips_deinit(&wanted);
    mc_flat_pane_deinit(&pane);
    mc_flat_pane_deinit(&rest);
    mc_tree_destroy(tree);
    mc_trace_destroy(trace);
}

// ---- what is odd

static void check_odd(mc_trace *trace, const char *what) {
    mc_tree *tree = make_tree(trace, MC_TREE_SORT_GROWTH, (mc_tree_pruning){0});
    mc_flat_pane pane;
    mc_strips strips = {0};
    REQUIRE(mc_flat_pane_init(&pane, tree, NULL) == MC_OK);
    show(&pane, trace, 0, 0, false);
    REQUIRE(mc_flat_pane_build(&pane, 1, MC_FLAT_SUNBURST, 256, &strips, NULL) == MC_OK);
    CHECK(strips.row_count <= MC_STRIPS_MOST_ROWS);
    CHECK_MSG(find_lost(&pane) == 0, "%s", what);
    check_cover(&pane, &strips);
    mc_tree_label labels[8];
    mc_flat_plane plane = mc_flat_pane_get_plane(&pane, 1, MC_FLAT_SUNBURST,
                                                 (mc_flat_rect){0, 0, 400, 400}, 1, &strips);
    mc_tree_label_desc desc = {tree, &plane, 0, (uint32_t)pane.now.row_count, pane.now.intervals,
                               12,   24};
    CHECK(mc_tree_labels_place(&desc, labels, 8) <= 8);
    mc_flat_small small = {0};
    REQUIRE(mc_flat_small_make(&small, &pane, MC_FLAT_ICICLE, 256, NULL) == MC_OK);
    CHECK(small.strips.row_count <= MC_FLAT_SMALL_MOST_LEVELS);
    plane = mc_flat_small_get_plane(&small, (mc_flat_rect){0, 0, 100, 64}, 1);
    CHECK_MSG(mc_flat_small_pick(&small, &plane, 0.5, 9) == (small.value > 0 ? 0 : MC_NONE), "%s",
              what);
    mc_flat_small_deinit(&small);
    mc_strips_deinit(&strips);
    mc_flat_pane_deinit(&pane);
    mc_tree_destroy(tree);
    mc_trace_destroy(trace);
}

static void test_odd(void) {
    static const test_leaf nothing[] = {{"a", "x", {0, 1}}, {"a", "y", {0, 1}}};
    static const test_leaf single[] = {{"a", "x", {7}}};
    check_odd(test_make_trace(nothing, 2, 2), "all values 0");
    check_odd(test_make_trace(single, 1, 1), "a single leaf");
    check_odd(chain_make(1, "Heap", 1), "a root alone");
    check_odd(chain_make(10000, "k", 1), "10,000 levels");
}

// Many siblings, each far thinner than a texel.
static void test_wide(uint32_t count) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    mc_step_tree_reset(&tree);
    test_add_node(&tree, MC_NONE, "Heap", count);
    for (uint32_t i = 0; i < count; i++) {
        char key[16];
        snprintf(key, sizeof key, "%07u", i);
        test_add_node(&tree, 0, key, 1);
    }
    REQUIRE(mc_trace_builder_add_step(builder, &tree, "wide", NULL) == MC_OK);
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    check_odd(trace, "many siblings");
}

// Values whose sum is beyond 64 bits share their parent all the same.
static void test_partition(void) {
    const uint32_t first[] = {1, 4, 4, 4}, count[] = {3, 0, 0, 0};
    mc_partition_tree tree = {4, first, count};
    mc_interval spans[4];
    const uint64_t huge[] = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    mc_partition_layout(&tree, huge, 0, spans);
    CHECK(fabs(spans[2].from - 1.0 / 3) < 1e-12 && fabs(spans[3].to - 1) < 1e-12);
    const uint64_t less[] = {8, 2, 0, 2}; // half of it is not explained
    mc_partition_layout(&tree, less, 0, spans);
    CHECK(spans[1].to == 0.25 && spans[2].from == 0.25 && spans[2].to == 0.25 &&
          spans[3].to == 0.5);
    const uint64_t none[] = {0, 0, 0, 0};
    mc_partition_layout(&tree, none, 0, spans);
    CHECK(spans[0].to == 1 && spans[3].to == 0);
}

int main(void) {
    test_partition();
    test_order();
    test_absent();
    test_odd();
    test_wide(1000000);
    test_moving();
    const char *const names[] = {"httpclient-3.0.1", "javac-daemon"};
    for (int i = 0; i < 2; i++) {
        test_pruning(names[i]);
        test_picking(names[i]);
        test_strips(names[i]);
        test_small(names[i]);
        test_past(names[i]);
    }
    return test_finish();
}
