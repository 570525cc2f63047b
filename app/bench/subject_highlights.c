// What is drawn over a city: references of one building or between any, and what a search has hit,
// each beside the same orbit without.
#include "app/bench/bench_scene.h"
#include "engine/base/clock.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/scene/beacons.h"
#include "engine/scene/legend.h"
#include <stdio.h>

enum { HIT_COUNT = 5000 };

typedef struct bench_references {
    const char *name;
    uint32_t count;
    bool has_center; // all are of the building that grew the most
} bench_references;

static const bench_references references[] = {
    {"1000 frustums of one", 1000, true},
    {"5000 frustums of one", 5000, true},
    {"5000 frustums all over", 5000, false},
};

// 0 to 1, the same on every machine.
static double get_random(uint32_t index, uint32_t purpose) {
    return (double)(mc_hash_u64(index, purpose) >> 11) * 0x1p-53;
}

static uint32_t get_random_node(const mc_city *city, uint32_t index, uint32_t purpose) {
    double at = get_random(index, purpose) * city->building_count;
    return city->building_node[(uint32_t)at % city->building_count];
}

// Most references involve few of an end's objects.
static float get_random_share(uint32_t index, uint32_t purpose) {
    double share = get_random(index, purpose);
    return (float)(share * share);
}

static void fill_links(const mc_city *city, const bench_references *wanted, uint32_t center,
                       mc_frustum_link *links) {
    for (uint32_t i = 0; i < wanted->count; i++) {
        uint32_t a = wanted->has_center ? center : get_random_node(city, i, 1);
        uint32_t b = get_random_node(city, i, 2);
        bool is_incoming = i % 2;
        links[i] =
            (mc_frustum_link){.from_node = is_incoming ? b : a,
                              .to_node = is_incoming ? a : b,
                              .from_share = get_random_share(i, 3),
                              .to_share = get_random_share(i, 4),
                              .kind = is_incoming ? MC_FRUSTUM_INCOMING : MC_FRUSTUM_OUTGOING};
    }
}

static void report_making(const mc_bench_options *options, mc_bench_report *report,
                          const mc_bench_scene *scene, const mc_frustums *frustums,
                          const char *name, mc_bench_series *series) {
    uint32_t arc_count = 0;
    for (uint32_t i = 0; i < frustums->count; i++)
        arc_count += frustums->items[i].arc > 0.0f;
    char text[64];
    snprintf(text, sizeof text, "making %s", name);
    mc_bench_report_begin(report, text);
    mc_bench_scene_report(scene, options, report);
    mc_bench_report_parameter(report, "frustums", frustums->count);
    mc_bench_report_parameter(report, "arcs", arc_count);
    mc_bench_report_series(report, "cpu", series);
    mc_bench_report_end(report, MC_OK);
}

// What the program does when something else is selected.
static mc_result make_frustums(const mc_bench_options *options, mc_bench_report *report,
                               mc_bench_scene *scene, const bench_references *wanted,
                               uint32_t center, mc_frustums *frustums, mc_error *error) {
    mc_bench_series series = {0};
    mc_result result = MC_OK;
    mc_frustum_link *links = mc_alloc(wanted->count, sizeof *links);
    if (!links) return mc_error_out_of_memory(error);
    fill_links(scene->city, wanted, center, links);
    mc_bench_loop loop = mc_bench_make_loop(options, 1, 5);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        uint64_t begin_ns = mc_clock_now_ns();
        result = mc_frustums_make(frustums, scene->city, mc_trace_get_nodes(scene->trace),
                                  &scene->scene.params, scene->to, scene->to, links, wanted->count,
                                  MC_FRUSTUM_ARCS_NEEDED, error);
        mc_bench_loop_add(&loop, &series, begin_ns);
    }
    if (result == MC_OK) report_making(options, report, scene, frustums, wanted->name, &series);
    mc_bench_series_deinit(&series);
    mc_free(links);
    return result;
}

// The same over a city as in the window, whole and while the camera moves.
static mc_result measure_in_window(const mc_bench_options *options, mc_bench_report *report,
                                   mc_bench_scene *scene, const char *name, mc_error *error) {
    static const char *const kinds[] = {"window", "window, half"};
    mc_scene plain = scene->scene;
    mc_result result = MC_OK;
    mc_bench_scene_open_as_window(scene);
    for (int moving = 0; moving < 2 && result == MC_OK; moving++) {
        char text[64];
        snprintf(text, sizeof text, "%s, %s", name, kinds[moving]);
        scene->is_moving = moving;
        result = mc_bench_scene_measure_orbit(scene, options, report, text, error);
    }
    scene->is_moving = false;
    scene->scene = plain;
    return result;
}

static mc_result measure_references(const mc_bench_options *options, mc_bench_report *report,
                                    mc_bench_scene *scene, const bench_references *wanted,
                                    uint32_t center, mc_error *error) {
    mc_frustums frustums = {0};
    mc_result result = make_frustums(options, report, scene, wanted, center, &frustums, error);
    scene->scene.frustums = frustums.items;
    scene->scene.frustum_count = frustums.count;
    if (result == MC_OK)
        result = mc_bench_scene_measure_orbit(scene, options, report, wanted->name, error);
    if (result == MC_OK) result = measure_in_window(options, report, scene, wanted->name, error);
    bool is_last = wanted + 1 == references + sizeof references / sizeof *references;
    if (result == MC_OK && is_last && options->picture)
        result = mc_bench_scene_write_picture(scene, options, error);
    scene->scene.frustums = NULL;
    scene->scene.frustum_count = 0;
    mc_frustums_deinit(&frustums);
    return result;
}

// Marked ones are opaque, the others dimmed, the largest have beacons.
static mc_result mark(mc_bench_scene *scene, mc_styles *styles, mc_error *error) {
    uint32_t *nodes = mc_alloc(HIT_COUNT, sizeof *nodes);
    if (!nodes) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < HIT_COUNT; i++)
        nodes[i] = get_random_node(scene->city, i, 5);
    mc_styles_mark(styles, scene->city, nodes, HIT_COUNT);
    mc_free(nodes);
    scene->city->styles = styles->items;
    mc_legend_apply(styles, &scene->scene.theme, &scene->scene.params);
    return mc_renderer_set_styles(scene->renderer, styles->items, error);
}

static void add_beacons(mc_bench_scene *scene, const mc_styles *styles, mc_beacons *beacons) {
    uint32_t named[MC_LABEL_MOST_MARKED];
    mc_label_scene labels = {.city = scene->city,
                             .params = &scene->scene.params,
                             .from = scene->to,
                             .to = scene->to,
                             .camera = &scene->camera,
                             .scale = 1};
    mc_label_request settings = {.selected = MC_NONE,
                                 .is_marking = true,
                                 .marked = named,
                                 .marked_count =
                                     mc_label_find_marked(styles, scene->city, NULL, 0, named)};
    mc_beacons_fill(beacons, &labels, &settings, &scene->scene.theme, 1);
    scene->scene.beacons = beacons;
}

static mc_result measure_hits(const mc_bench_options *options, mc_bench_report *report,
                              mc_bench_scene *scene, mc_error *error) {
    mc_styles styles = {0};
    mc_beacons beacons = {0};
    mc_bench_scene_open_as_window(scene);
    mc_result result =
        mc_bench_scene_measure_orbit(scene, options, report, "as in the window", error);
    if (result == MC_OK) result = mc_styles_init(&styles, scene->city, error);
    if (result == MC_OK) result = mark(scene, &styles, error);
    if (result == MC_OK) {
        add_beacons(scene, &styles, &beacons);
        result = mc_bench_scene_measure_orbit(scene, options, report, "5000 hits", error);
    }
    scene->scene.beacons = NULL;
    scene->city->styles = NULL;
    mc_styles_deinit(&styles);
    return result;
}

static mc_result measure(const mc_bench_options *options, mc_bench_report *report,
                         mc_bench_scene *scene, mc_error *error) {
    uint32_t growers[MC_LABEL_MOST_GROWERS], grower_count = 0;
    uint32_t last_step = mc_trace_get_step_count(scene->trace) - 1;
    mc_result result = mc_bench_scene_set_step(scene, last_step, error);
    if (result == MC_OK)
        result = mc_label_find_growers(scene->trace, scene->city, growers, &grower_count, error);
    if (result == MC_OK)
        result = mc_bench_scene_measure_orbit(scene, options, report, "city alone", error);
    uint32_t center = grower_count > 0 ? growers[0] : scene->city->building_node[0];
    for (size_t i = 0; result == MC_OK && i < sizeof references / sizeof *references; i++)
        result = measure_references(options, report, scene, &references[i], center, error);
    return result == MC_OK ? measure_hits(options, report, scene, error) : result;
}

int mc_bench_highlights(const mc_bench_options *options, mc_bench_report *report) {
    return mc_bench_scene_run(options, report, measure);
}
