// From a trace to a city, piece by piece, and what is asked of the city on the CPU while it is
// shown.
#include "app/bench/bench_scene.h"
#include "app/bench/subjects.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/city/order.h"
#include "engine/city/pick.h"

// A loop that was interrupted before its first run has made nothing to go on with.
static mc_result check_made(const void *made, mc_result result, mc_error *error) {
    if (result != MC_OK || made) return result;
    mc_fail(error, MC_ERROR_CANCELLED, "interrupted");
    return MC_ERROR_CANCELLED;
}

// The columns of one layout, as mc_city_create() has them.
typedef struct layout_columns {
    double *doubles; // weight, x0, y0, x1, y1, value
    uint32_t *child_count, *child_order;
    mc_cut *cuts;
    mc_treemap_columns out;
} layout_columns;

static void layout_columns_deinit(layout_columns *columns) {
    mc_free(columns->doubles);
    mc_free(columns->child_count);
    mc_free(columns->child_order);
    mc_free(columns->cuts);
}

static mc_result layout_columns_init(layout_columns *columns, uint32_t count, mc_error *error) {
    *columns = (layout_columns){.doubles = mc_alloc(count, 6 * sizeof(double)),
                                .child_count = mc_alloc(count, sizeof(uint32_t)),
                                .child_order = mc_alloc(count, sizeof(uint32_t)),
                                .cuts = mc_alloc(count, sizeof(mc_cut))};
    if (!columns->doubles || !columns->child_count || !columns->child_order || !columns->cuts)
        return mc_error_out_of_memory(error);
    size_t size = count;
    columns->out = (mc_treemap_columns){.x0 = columns->doubles + size,
                                        .y0 = columns->doubles + size * 2,
                                        .x1 = columns->doubles + size * 3,
                                        .y1 = columns->doubles + size * 4,
                                        .value = columns->doubles + size * 5,
                                        .visible_child_count = columns->child_count,
                                        .child_order = columns->child_order};
    return MC_OK;
}

static mc_result measure_max_tree(const mc_bench_options *options, mc_bench_report *report,
                                  const mc_trace *trace, mc_max_tree *tree, mc_error *error) {
    mc_bench_series times = {0};
    mc_result result = MC_OK;
    mc_bench_report_begin(report, "max tree");
    mc_bench_loop loop = mc_bench_make_loop(options, 2, 15);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        mc_max_tree_deinit(tree);
        uint64_t begin_ns = mc_clock_now_ns();
        result = mc_max_tree_compute(tree, trace, options->metric, mc_step_range_whole(trace), NULL,
                                     error);
        mc_bench_loop_add(&loop, &times, begin_ns);
    }
    mc_bench_report_trace(report, options, trace);
    mc_bench_report_series(report, "compute", &times);
    mc_bench_report_end(report, result);
    return check_made(tree->max, result, error);
}

// Children come sorted by name: from columns that know nothing of sizes to rectangles.
static mc_result measure_treemap(const mc_bench_options *options, mc_bench_report *report,
                                 const char *name, const mc_trace *trace,
                                 const mc_treemap_desc *desc, layout_columns *columns,
                                 mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_tree_view view = {.count = nodes->count,
                         .parent = nodes->parent,
                         .first_child = nodes->first_child,
                         .child_count = nodes->child_count,
                         .level = nodes->level,
                         .sum_order = nodes->child_by_appearance,
                         .weight = columns->doubles};
    mc_treemap *map;
    mc_result result = mc_treemap_create(&map, error);
    if (result != MC_OK) return result;
    mc_bench_series times = {0};
    mc_bench_report_begin(report, name);
    mc_bench_loop loop = mc_bench_make_loop(options, 2, 31);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        uint64_t begin_ns = mc_clock_now_ns();
        result = mc_treemap_layout(map, desc, &view, NULL, &columns->out);
        mc_bench_loop_add(&loop, &times, begin_ns);
    }
    if (result != MC_OK) mc_error_out_of_memory(error);
    mc_bench_report_trace(report, options, trace);
    mc_bench_report_series(report, "layout", &times);
    mc_bench_report_end(report, result);
    mc_treemap_destroy(map);
    return result;
}

static mc_result measure_treemaps(const mc_bench_options *options, mc_bench_report *report,
                                  const mc_trace *trace, const mc_max_tree *tree, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(trace)->count;
    layout_columns columns;
    mc_result result = layout_columns_init(&columns, count, error);
    for (uint32_t i = 0; result == MC_OK && i < count; i++)
        columns.doubles[i] = (double)tree->max[i];
    for (uint32_t tiling = 0; result == MC_OK && tiling < MC_TILING_COUNT; tiling++) {
        mc_treemap_desc desc = {(mc_tiling)tiling, MC_PADDING_ABSOLUTE, 0, 1, 1};
        result = measure_treemap(options, report, mc_tiling_names[tiling], trace, &desc, &columns,
                                 error);
    }
    // What a city needs: streets, and the cuts for the painter's order.
    columns.out.cuts = columns.cuts;
    mc_treemap_desc desc = mc_city_desc_default(trace).treemap;
    if (result == MC_OK)
        result = measure_treemap(options, report, "squarify, streets, cuts", trace, &desc, &columns,
                                 error);
    layout_columns_deinit(&columns);
    return result;
}

static mc_result measure_city(const mc_bench_options *options, mc_bench_report *report,
                              const mc_trace *trace, mc_city **city, mc_error *error) {
    mc_city_desc desc = mc_bench_get_city_desc(options, trace);
    mc_bench_series times = {0};
    mc_result result = MC_OK;
    mc_bench_report_begin(report, "city");
    mc_bench_loop loop = mc_bench_make_loop(options, 1, 9);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        mc_city_destroy(*city);
        uint64_t begin_ns = mc_clock_now_ns();
        result = mc_city_create(trace, &desc, NULL, city, error);
        mc_bench_loop_add(&loop, &times, begin_ns);
    }
    mc_bench_report_trace(report, options, trace);
    mc_bench_report_series(report, "create", &times);
    mc_bench_report_end(report, result);
    return check_made(*city, result, error);
}

static mc_result measure_order(const mc_bench_options *options, mc_bench_report *report,
                               const mc_city *city, mc_error *error) {
    mc_result result = MC_OK;
    uint32_t scratch_count = mc_city_order_scratch_count(city);
    uint32_t *order = mc_alloc((size_t)city->building_count + 1, sizeof *order);
    uint32_t(*scratch)[3] = mc_alloc((size_t)scratch_count + 1, sizeof *scratch);
    if (!order || !scratch) {
        result = mc_error_out_of_memory(error);
    } else {
        mc_bench_series times = {0};
        mc_bench_report_begin(report, "painter's order");
        mc_bench_loop loop = mc_bench_make_loop(options, 2, 31);
        while (mc_bench_loop_next(&loop)) {
            uint64_t begin_ns = mc_clock_now_ns();
            mc_city_order(city, city->width * 0.4f, city->depth * 0.6f, scratch, order);
            mc_bench_loop_add(&loop, &times, begin_ns);
        }
        mc_bench_report_parameter(report, "buildings", city->building_count);
        mc_bench_report_series(report, "order", &times);
        mc_bench_report_end(report, result);
    }
    mc_free(order);
    mc_free(scratch);
    return result;
}

// Hovering: rays through points of a picture of the whole city.
static mc_result measure_pick(const mc_bench_options *options, mc_bench_report *report,
                              const mc_trace *trace, const mc_city *city, mc_error *error) {
    uint64_t *counts = mc_command_read_counts(trace, city, 0, error);
    if (!counts) return error->code;
    mc_update_params params = mc_update_params_default(city);
    mc_camera camera = mc_bench_get_camera(options, city, 0);
    mc_bench_series times = {0};
    uint32_t hit_count = 0;
    mc_bench_report_begin(report, "pick");
    mc_bench_loop loop = mc_bench_make_loop(options, 5, 100);
    while (mc_bench_loop_next(&loop)) {
        uint32_t run = mc_bench_loop_get_run(&loop);
        double x = options->width * (0.25 + 0.05 * (run % 10));
        double y = options->height * (0.4 + 0.02 * (run % 7));
        uint64_t begin_ns = mc_clock_now_ns();
        mc_ray ray = mc_camera_get_ray(&camera, x, y);
        mc_hit hit = mc_city_pick(city, &params, counts, counts, ray);
        uint64_t end_ns = mc_clock_now_ns();
        if (!mc_bench_loop_counts(&loop)) continue;
        mc_bench_series_add(&times, mc_bench_get_ms(begin_ns, end_ns));
        hit_count += hit.structure.building != MC_NONE;
    }
    mc_bench_report_parameter(report, "buildings", city->building_count);
    mc_bench_report_parameter(report, "hits", hit_count);
    mc_bench_report_series(report, "pick", &times);
    mc_bench_report_end(report, MC_OK);
    mc_free(counts);
    return MC_OK;
}

int mc_bench_layout(const mc_bench_options *options, mc_bench_report *report) {
    mc_trace *trace = NULL;
    mc_city *city = NULL;
    mc_max_tree tree = {0};
    mc_error error = {0};
    mc_bench_report_print_machine(report, options->commit, NULL, NULL);
    int code = mc_bench_open(options, &trace);
    if (code != MC_EXIT_OK) return code;
    mc_result result = measure_max_tree(options, report, trace, &tree, &error);
    if (result == MC_OK) result = measure_treemaps(options, report, trace, &tree, &error);
    mc_max_tree_deinit(&tree);
    if (result == MC_OK) result = measure_city(options, report, trace, &city, &error);
    if (result == MC_OK) result = measure_order(options, report, city, &error);
    if (result == MC_OK) result = measure_pick(options, report, trace, city, &error);
    mc_city_destroy(city);
    mc_trace_destroy(trace);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}
