#include "engine/scene/beacons.h"

#include "engine/city/evaluate.h"
#include <math.h>
#include <string.h>

// At a scale of 1.
#define SMALL 8.0   // pixels: below, a beacon is there in full
#define LARGE 16.0  // from here on there is none
#define WIDTH 1.75f // half of the bright part
#define HEIGHT 76.0f
#define MOST_GROWERS 9
#define LEAST_SHARE 0.02 // of what grew the most: what hardly grew is not looked for

typedef struct filler {
    mc_beacons *beacons;
    const mc_label_scene *scene;
    float scale;
    uint32_t nodes[MC_BEACON_CAPACITY]; // whose they are
} filler;

// How large a box is drawn, along the longer side of what it covers.
static double get_extent(const mc_camera *camera, const mc_box *box) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 8; i++) {
        const double corner[3] = {
            (double)(i & 1 ? box->footprint.x1 : box->footprint.x0),
            (double)box->base + (i & 2 ? (double)box->height : 0),
            (double)(i & 4 ? box->footprint.z1 : box->footprint.z0),
        };
        double at[2];
        if (!mc_camera_project(camera, corner, &at[0], &at[1])) return INFINITY;
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], at[axis]);
            high[axis] = fmax(high[axis], at[axis]);
        }
    }
    return fmax(high[0] - low[0], high[1] - low[1]);
}

static bool get_box(const mc_label_scene *scene, mc_structure structure, mc_box *box,
                    mc_color *color) {
    if (structure.building == MC_NONE && structure.district == MC_NONE) return false;
    if (structure.building == MC_NONE) {
        *box = mc_city_evaluate_district(scene->city, scene->params, structure.district);
        return true;
    }
    uint32_t building = structure.building;
    *box = mc_city_evaluate_building(scene->city, scene->params, building, scene->from[building],
                                     scene->to[building], color);
    // What is selected stands somewhere even while it is nothing.
    if (!(box->height > 0)) box->footprint = scene->city->building_plot[building];
    return true;
}

// `color` NULL: the building's own.
static void add(filler *f, uint32_t node, const float *color) {
    mc_beacons *beacons = f->beacons;
    if (node == MC_NONE || beacons->count == MC_BEACON_CAPACITY) return;
    for (uint32_t i = 0; i < beacons->count; i++)
        if (f->nodes[i] == node) return;
    mc_box box;
    mc_color own = {0};
    if (!get_box(f->scene, mc_city_find_node(f->scene->city, node), &box, &own)) return;
    double extent = get_extent(f->scene->camera, &box) / (double)f->scale;
    double opacity = fmin((LARGE - extent) / (LARGE - SMALL), 1);
    if (!(opacity > 0)) return;
    mc_plot plot = box.footprint;
    mc_beacon *beacon = &beacons->items[beacons->count];
    *beacon = (mc_beacon){
        .foot = {0.5f * (plot.x0 + plot.x1), box.base + box.height, 0.5f * (plot.z0 + plot.z1)},
        .opacity = (float)opacity,
        .color = {own.r, own.g, own.b},
    };
    if (color) memcpy(beacon->color, color, sizeof beacon->color);
    f->nodes[beacons->count++] = node;
}

// By how much it has grown so far; what is not known may be any.
static double get_growth(const mc_label_scene *scene, uint32_t node) {
    const mc_city *city = scene->city;
    uint32_t building = node == MC_NONE ? MC_NONE : city->node_building[node];
    if (building == MC_NONE) return 0;
    uint64_t first = city->building_first[building], now = scene->to[building];
    if (first == MC_COUNT_UNKNOWN || now == MC_COUNT_UNKNOWN) return INFINITY;
    return now > first ? (double)(now - first) : 0;
}

static void add_growers(filler *f, const mc_label_request *settings) {
    uint32_t count = settings->grower_count < MOST_GROWERS ? settings->grower_count : MOST_GROWERS;
    double growth[MOST_GROWERS], most = 0;
    for (uint32_t i = 0; i < count; i++) {
        growth[i] = get_growth(f->scene, settings->growers[i]);
        if (isfinite(growth[i])) most = fmax(most, growth[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        if (settings->is_of_change || growth[i] >= LEAST_SHARE * most)
            add(f, settings->growers[i], NULL);
}

void mc_beacons_fill(mc_beacons *beacons, const mc_label_scene *scene,
                     const mc_label_request *settings, const mc_theme *theme, float pixel_scale) {
    filler f = {.beacons = beacons, .scene = scene, .scale = pixel_scale};
    beacons->count = 0;
    beacons->half_width = WIDTH * pixel_scale;
    beacons->height = HEIGHT * pixel_scale;
    add(&f, settings->selected, theme->selection_outline);
    for (uint32_t i = 0; settings->walk && i < settings->walk->count; i++)
        add(&f, settings->walk->stops[i].node, theme->frustums[MC_FRUSTUM_CHAIN]);
    for (uint32_t i = 0; settings->is_marking && !settings->walk && i < settings->marked_count; i++)
        add(&f, settings->marked[i], theme->selection_outline);
    bool fades = settings->is_marking || settings->walk; // what is dimmed is not looked for
    if (!fades) add_growers(&f, settings);
}
