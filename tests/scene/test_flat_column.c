// Colours of a flat tree by numbers are those of a city's buildings: for every leaf of the recorded
// traces, at every step; and of groups they are the groups' own.
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/import/import.h"
#include "engine/scene/flat_color.h"
#include "engine/scene/flat_column.h"
#include "engine/scene/style_source.h"
#include "tests/test.h"

#include <math.h>
#include <stdio.h>

static double get_largest_leaf(const mc_city *city, const double *column) {
    double largest = 0;
    for (uint32_t i = 0; i < city->building_count; i++)
        largest = fmax(largest, column[city->building_node[i]]);
    return largest;
}

static void compare(const mc_trace *trace, const mc_city *city, mc_color_mode mode,
                    const char *name) {
    bool is_value = mode == MC_COLOR_MODE_VALUE;
    mc_style_mapping mapping = {.color_mode = mode,
                                .height_mode = MC_HEIGHT_MODE_METRIC,
                                .color_metric = is_value ? MC_METRIC_BYTES : MC_NONE,
                                .height_metric = MC_NONE,
                                .pin = MC_NONE};
    mc_flat_column_desc desc = {.mode = mode,
                                .metric = city->desc.metric,
                                .value = mapping.color_metric,
                                .window = city->desc.window};
    mc_style_source *source = NULL;
    mc_flat_column column;
    uint32_t wrong = 0, colored = 0;
    REQUIRE(mc_style_source_create_mapped(trace, city, &mapping, NULL, &source, NULL) == MC_OK);
    REQUIRE(mc_flat_column_init(&column, trace, &desc, NULL, NULL) == MC_OK);
    const mc_building_style *items = mc_style_source_get(source)->items;
    for (uint32_t step = desc.window.first_step; step <= desc.window.last_step; step++) {
        REQUIRE(mc_style_source_set_step(source, step, true, NULL) == MC_OK);
        REQUIRE(mc_flat_column_set_step(&column, step, NULL) == MC_OK);
        double largest = get_largest_leaf(city, column.most);
        for (uint32_t i = 0; i < city->building_count; i++) {
            double value = column.values[city->building_node[i]];
            double share = largest > 0 ? fmin(value / largest, 1) : 0;
            wrong += fabs(share - (double)items[i].to_share) > 1e-6;
            colored += share > 0;
        }
    }
    CHECK_MSG(wrong == 0 && colored > 0, "%s, mode %d: %u of others, %u with a colour", name,
              (int)mode, wrong, colored);
    mc_flat_column_deinit(&column);
    mc_style_source_destroy(source);
}

// A group's growth since the step before is that of all in it, relative to its level's largest.
static void test_groups(const mc_trace *trace, const mc_city_desc *city) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_tree_desc tree_desc = {.metric = city->metric, .window = city->window};
    mc_flat_column_desc desc = {.mode = MC_COLOR_MODE_STEP,
                                .metric = city->metric,
                                .value = MC_NONE,
                                .window = city->window};
    mc_theme theme = mc_theme_get(false, MC_PALETTE_HEAT);
    mc_flat_column column;
    mc_tree *tree = NULL;
    REQUIRE(mc_tree_create(trace, &tree_desc, &tree, NULL) == MC_OK);
    REQUIRE(mc_flat_column_init(&column, trace, &desc, NULL, NULL) == MC_OK);
    REQUIRE(mc_flat_column_set_step(&column, 2, NULL) == MC_OK);
    uint32_t *colors = mc_alloc(tree->count, sizeof *colors), full = 0xff000000u, none = full;
    REQUIRE(colors);
    mc_flat_color_desc color = {.mode = MC_FLAT_COLOR_STEP,
                                .theme = &theme,
                                .nodes = nodes,
                                .values = column.values,
                                .most = column.most,
                                .solid_entry = MC_NONE};
    mc_flat_color(tree, &color, colors);
    for (int c = 0; c < 3; c++) {
        full |= (uint32_t)lroundf(theme.gradient[2][c] * 255) << (8 * c);
        none |= (uint32_t)lroundf(theme.gradient[0][c] * 255) << (8 * c);
    }
    for (uint32_t level = 0; level < tree->level_count; level++) {
        uint32_t best = tree->level_first[level], gray = 0;
        for (uint32_t i = best; i < tree->level_first[level + 1]; i++) {
            double value = column.values[tree->node[i]];
            if (value > column.values[tree->node[best]]) best = i;
            gray += value == 0 && colors[i] != none;
        }
        CHECK(column.values[tree->node[best]] > 0 && colors[best] == full && gray == 0);
    }
    double sum = 0;
    for (uint32_t i = 1; i < nodes->count; i++)
        if (nodes->parent[i] == 0) sum += (double)column.now[i] - (double)column.before[i];
    CHECK(column.values[0] == sum);
    mc_free(colors);
    mc_flat_column_deinit(&column);
    mc_tree_destroy(tree);
}

static void test_trace(const char *name, uint32_t last_step) {
    char path[512];
    snprintf(path, sizeof path, "%s/traces/%s", MC_TEST_BINARY_DIR, name);
    const char *pointer = path;
    const mc_import_desc import = {.paths = &pointer, .path_count = 1, .no_references = true};
    mc_trace *trace = NULL;
    mc_city *city = NULL;
    REQUIRE(mc_import_trace(&import, &trace, NULL, NULL) == MC_OK);
    mc_city_desc desc = mc_city_desc_default(trace);
    desc.metric = MC_METRIC_OBJECTS;
    desc.window = (mc_step_range){0, last_step};
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, NULL) == MC_OK);
    static const mc_color_mode modes[] = {MC_COLOR_MODE_STEP, MC_COLOR_MODE_TREND,
                                          MC_COLOR_MODE_FIRST, MC_COLOR_MODE_VALUE};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        compare(trace, city, modes[i], name);
    test_groups(trace, &desc);
    mc_city_destroy(city);
    mc_trace_destroy(trace);
}

// What holds the finding has its colour, and nothing beside it.
static void test_owners(const char *path) {
    const mc_import_desc import = {.paths = &path, .path_count = 1};
    mc_trace *trace = NULL;
    mc_city *city = NULL;
    mc_flat_column column;
    REQUIRE(mc_import_trace(&import, &trace, NULL, NULL) == MC_OK);
    mc_city_desc desc = mc_city_desc_default(trace);
    REQUIRE(mc_trace_has_owners(trace));
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, NULL) == MC_OK);
    compare(trace, city, MC_COLOR_MODE_OWNER, path);
    mc_flat_column_desc owner = {
        .mode = MC_COLOR_MODE_OWNER, .metric = city->desc.metric, .window = city->desc.window};
    REQUIRE(mc_flat_column_init(&column, trace, &owner, NULL, NULL) == MC_OK);
    REQUIRE(mc_flat_column_set_step(&column, owner.window.last_step, NULL) == MC_OK);
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    REQUIRE(column.owner_count == 1);
    for (uint32_t i = 0; i < nodes->count; i++) {
        uint32_t node = column.owners[0].node;
        while (node != i && node != 0)
            node = nodes->parent[node];
        double share = column.values[i] / column.most[i];
        CHECK(node == i ? share == 1 : share <= (double)MC_STYLE_OWNED_TINT);
    }
    mc_flat_column_deinit(&column);
    mc_city_destroy(city);
    mc_trace_destroy(trace);
}

int main(void) {
    test_trace("httpclient-3.0.1", 25);
    test_trace("javac-daemon", 12);
    test_owners(MC_TEST_DATA "/../../examples/web-app/before.mct");
    return test_finish();
}
