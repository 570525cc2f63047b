#include "app/view_state.h"

#include <math.h>
#include <stdlib.h>

// The level below the first district that has more than one: names of what encloses everything
// would say nothing.
static uint32_t find_labelled_parent(const mc_city *city) {
    uint32_t parent = 0;
    for (;;) {
        uint32_t only = MC_NONE, count = city->district_item_count[parent];
        for (uint32_t i = 0; i < count; i++) {
            uint32_t item = city->items[city->district_item_first[parent] + i];
            if (!(item & MC_ITEM_DISTRICT) || only != MC_NONE) return parent;
            only = item & ~MC_ITEM_DISTRICT;
        }
        if (only == MC_NONE) return parent;
        parent = only;
    }
}

// How wide a district is in the picture, about; 0 if it is not wholly in front of the eye.
static double get_width(const mc_camera *camera, mc_plot plot, double y) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 4; i++) {
        double point[3] = {i & 1 ? plot.x1 : plot.x0, y, i & 2 ? plot.z1 : plot.z0}, sx, sy;
        if (!mc_camera_project(camera, point, &sx, &sy)) return 0;
        low = fmin(low, sx);
        high = fmax(high, sx);
    }
    return high - low;
}

static bool is_in_picture(const mc_view *view, double x, double y) {
    const mc_camera_viewport *v = &view->camera.viewport;
    return x > v->left && x < v->width - v->right && y > v->top && y < v->height - v->bottom;
}

static bool add_label(const mc_view *view, mc_ui_label *label, uint32_t node, const double point[3],
                      bool strong, double opacity) {
    double x, y;
    if (!mc_camera_project(&view->camera, point, &x, &y) || !is_in_picture(view, x, y)) {
        return false;
    }
    *label = (mc_ui_label){
        .text = mc_view_get_name(view, node),
        .x = (float)x,
        .y = (float)y,
        .opacity = (float)opacity,
        .strong = strong,
    };
    return true;
}

static bool label_building(mc_view *view, uint32_t building, mc_ui_label *label) {
    const mc_city *city = view->city;
    mc_box box = mc_city_evaluate_building(city, &view->params, building, view->from[building],
                                           view->to[building], NULL);
    if (!(box.height > 0)) return false;
    double point[3] = {((double)box.footprint.x0 + (double)box.footprint.x1) / 2,
                       (double)box.base + (double)box.height,
                       ((double)box.footprint.z0 + (double)box.footprint.z1) / 2};
    return add_label(view, label, city->building_node[building], point, true, 1);
}

static bool label_district(mc_view *view, uint32_t district, mc_ui_label *label) {
    const mc_city *city = view->city;
    mc_plot plot = city->district_plot[district];
    double roof = (double)city->district_base[district] + (double)city->district_height;
    double width = get_width(&view->camera, plot, roof);
    double scale = (double)mc_window_get_scale(view->window), least = 72 * scale;
    if (width < least) return false;
    double point[3] = {((double)plot.x0 + (double)plot.x1) / 2, roof,
                       ((double)plot.z0 + (double)plot.z1) / 2};
    // Names come up gradually as their districts come near.
    double opacity = fmin(1, (width - least) / (40 * scale));
    return add_label(view, label, city->district_node[district], point, false, opacity);
}

uint32_t mc_view_fill_labels(mc_view *view, mc_ui_label *labels) {
    const mc_city *city = view->city;
    uint32_t count = 0;
    if (view->selected.building != MC_NONE &&
        label_building(view, view->selected.building, &labels[count])) {
        count++;
    }
    uint32_t suspects = view->settings.opaque_count; // those that stand out
    if (suspects > view->suspect_count) suspects = view->suspect_count;
    for (uint32_t i = 0; i < suspects; i++) {
        if (view->suspects[i].building == view->selected.building) continue;
        if (label_building(view, view->suspects[i].building, &labels[count])) count++;
    }
    if (city->district_count == 0) return count;
    // Children come by descending value, so the most important ones are first.
    uint32_t parent = find_labelled_parent(city);
    uint32_t first = city->district_item_first[parent];
    for (uint32_t i = 0; i < city->district_item_count[parent]; i++) {
        if (count == MC_VIEW_LABEL_CAPACITY) break;
        uint32_t item = city->items[first + i];
        if (!(item & MC_ITEM_DISTRICT)) continue;
        if (label_district(view, item & ~MC_ITEM_DISTRICT, &labels[count])) count++;
    }
    return count;
}
