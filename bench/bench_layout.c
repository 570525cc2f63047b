// How long a treemap, the painter's order and a pick take, from 1,000 to 1,000,000 buildings.
#include "bench/bench.h"
#include "engine/city/order.h"
#include "engine/city/pick.h"
#include "tests/random_city.h"

static const char *const TILING_NAMES[MC_TILING_COUNT] = {"squarify", "binary", "slice", "dice",
                                                          "slice-dice"};

typedef struct bench_size {
    uint32_t leaf_count, district_count;
} bench_size;

static const bench_size SIZES[] = {{1000, 30},      {10000, 100}, {100000, 400}, {300000, 600},
                                   {1000000, 1000}, {300000, 0},  {1000000, 0},  {1000000, 100000}};

// A root with so many districts (0: none) of random sizes; sizes in bytes as heaps have them: few
// small multiples of 8 make up most, a few leaves most of the sum.
static weighted_tree make_tree(bench_size size) {
    weighted_tree tree = tree_create(1 + size.district_count + size.leaf_count);
    uint32_t *sizes = tree.child_count + 1;
    tree.count = tree.capacity;
    random_state = 1;
    tree.child_count[0] = size.district_count > 0 ? size.district_count : size.leaf_count;
    for (uint32_t i = 0; i < size.leaf_count && size.district_count > 0; i++) {
        // Squared, so that some districts are much larger than others.
        uint64_t place = random_u32() >> 12;
        sizes[i < size.district_count ? i : place * place * size.district_count >> 40]++;
    }
    for (uint32_t i = 1 + size.district_count; i < tree.count; i++) {
        uint32_t exponent = random_u32() % 8 + random_u32() % 8 + random_u32() % 8;
        tree.weight[i] = 8.0 * (2 + (random_u32() & ((1u << exponent) - 1)));
    }
    tree_link(&tree);
    return tree;
}

static void measure_treemap(bench_runs *bench, const weighted_tree *tree, bench_size size) {
    mc_treemap *map = create_map();
    plot_columns plots = plots_create(tree->count);
    for (uint32_t tiling = 0; tiling < MC_TILING_COUNT; tiling++) {
        mc_treemap_desc desc = {(mc_tiling)tiling, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
        while (bench_goes_on(bench)) {
            bench_start(bench);
            lay_out(map, &desc, tree, &plots);
            bench_stop(bench);
        }
        char parameters[160];
        snprintf(parameters, sizeof parameters,
                 "\"tiling\": \"%s\", \"leaves\": %u, \"districts\": %u", TILING_NAMES[tiling],
                 size.leaf_count, size.district_count);
        bench_report(bench, "treemap", parameters);
    }
    plots_destroy(&plots);
    mc_treemap_destroy(map);
}

static void measure_order(bench_runs *bench, const mc_city *city, bench_size size) {
    static const float EYES[][2] = {{-300, 1700}, {400, 1500}, {430, 610}};
    static const char *const NAMES[] = {"corner", "side", "inside"};
    uint32_t *order = allocate(city->building_count, sizeof *order);
    uint32_t(*scratch)[3] = allocate(mc_city_order_scratch_count(city), sizeof *scratch);
    char parameters[160];
    for (uint32_t eye = 0; eye < 3; eye++) {
        snprintf(parameters, sizeof parameters,
                 "\"eye\": \"%s\", \"leaves\": %u, \"districts\": %u", NAMES[eye], size.leaf_count,
                 size.district_count);
        while (bench_goes_on(bench)) {
            bench_start(bench);
            mc_city_order(city, EYES[eye][0], EYES[eye][1], scratch, order);
            bench_stop(bench);
        }
        bench_report(bench, "order", parameters);
        float moved[2] = {EYES[eye][0] + 1e-4f, EYES[eye][1] + 1e-4f};
        while (bench_goes_on(bench)) {
            bench_start(bench);
            mc_city_order_is_same(city, EYES[eye], moved);
            bench_stop(bench);
        }
        bench_report(bench, "order is same", parameters);
    }
    free(order);
    free(scratch);
}

static void measure_pick(bench_runs *bench, const mc_city *city, bench_size size) {
    float top = city->highest_top, floor = city->district_height;
    mc_ray rays[] = {{{400, 900, 1400}, {0.1f, -1, -1}},
                     {{1500, 90, 1500}, {-1, -0.05f, -0.9f}},
                     {{1000, top, 1000}, {-1000, floor - top, -1000}}};
    static const char *const NAMES[] = {"steep", "shallow", "corner to corner"};
    mc_update_params params = mc_update_params_default(city);
    for (uint32_t ray = 0; ray < 3; ray++) {
        while (bench_goes_on(bench)) {
            bench_start(bench);
            mc_city_pick(city, &params, city->building_max, city->building_max, rays[ray]);
            bench_stop(bench);
        }
        char parameters[160];
        snprintf(parameters, sizeof parameters,
                 "\"ray\": \"%s\", \"leaves\": %u, \"districts\": %u", NAMES[ray], size.leaf_count,
                 size.district_count);
        bench_report(bench, "pick", parameters);
    }
}

int main(int argc, char **argv) {
    bench_runs bench = bench_begin("layout", argc > 1 ? argv[1] : "unknown");
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
        weighted_tree tree = make_tree(SIZES[i]);
        measure_treemap(&bench, &tree, SIZES[i]);
        mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
        mc_city *city = make_city(&tree, &desc);
        measure_order(&bench, city, SIZES[i]);
        measure_pick(&bench, city, SIZES[i]);
        mc_city_destroy(city);
        tree_destroy(&tree);
    }
    bench_end();
    return 0;
}
