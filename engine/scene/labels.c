#include "engine/scene/labels.h"

#include "engine/city/evaluate.h"
#include "engine/city/pick.h"
#include <math.h>

#define MOST_WIDTH 160 // of a name; at a scale of 1
#define LEAST_RIM 64.0 // of a district's side in the picture, or its name is left out

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

static bool is_in_picture(const mc_label_scene *scene, double x, double y) {
    const mc_camera_viewport *v = &scene->camera->viewport;
    return x > v->left && x < v->width - v->right && y > v->top && y < v->height - v->bottom;
}

static mc_label make_label(const mc_label_scene *scene, uint32_t node, double x, double y) {
    return (mc_label){
        .node = node,
        .x = (float)x,
        .y = (float)y,
        .most_width = MOST_WIDTH * scene->scale,
        .opacity = 1,
    };
}

// What is first met on the way from the eye through `point`; distance 1 is the point itself.
static mc_hit look_at(const mc_label_scene *scene, const double point[3]) {
    double eye[3], way[3];
    mc_camera_get_viewpoint(scene->camera, eye);
    mc_dvec3_sub(point, eye, way);
    return mc_city_pick(scene->city, scene->params, scene->from, scene->to, mc_ray_get(eye, way));
}

// A name on another building's wall would be taken for that one's. Translucent ones show what is
// behind them.
static bool is_hidden(const mc_label_scene *scene, uint32_t building, const double point[3]) {
    uint32_t first = look_at(scene, point).structure.building;
    if (first == MC_NONE || first == building) return false;
    mc_color color;
    mc_city_evaluate_building(scene->city, scene->params, first, scene->from[first],
                              scene->to[first], &color);
    return color.opacity >= 1;
}

bool mc_label_building(const mc_label_scene *scene, uint32_t building, bool is_wanted,
                       mc_label *label) {
    const mc_city *city = scene->city;
    mc_box box = mc_city_evaluate_building(city, scene->params, building, scene->from[building],
                                           scene->to[building], NULL);
    if (!(box.height > 0)) return false;
    double point[3] = {((double)box.footprint.x0 + (double)box.footprint.x1) / 2,
                       (double)box.base + (double)box.height,
                       ((double)box.footprint.z0 + (double)box.footprint.z1) / 2};
    double x, y;
    if (!mc_camera_project(scene->camera, point, &x, &y) || !is_in_picture(scene, x, y) ||
        (!is_wanted && is_hidden(scene, building, point))) {
        return false;
    }
    *label = make_label(scene, city->building_node[building], x, y);
    label->strong = true;
    return true;
}

// Nothing stands between the eye and a point of a district's floor.
static bool is_visible(const mc_label_scene *scene, const double point[3]) {
    mc_hit hit = look_at(scene, point);
    bool nothing = hit.structure.building == MC_NONE && hit.structure.district == MC_NONE;
    return nothing || hit.distance > 0.995f;
}

// One side of a plot: its middle, a little inside, and which way it faces.
typedef struct rim {
    double point[3], from[3], to[3], facing;
} rim;

static rim get_rim(const mc_label_scene *scene, mc_plot plot, double y, int side) {
    double x0 = (double)plot.x0, x1 = (double)plot.x1, z0 = (double)plot.z0, z1 = (double)plot.z1;
    double eye[3], in = 0.01 * fmin(x1 - x0, z1 - z0);
    mc_camera_get_viewpoint(scene->camera, eye);
    bool along_x = side < 2;
    double z = side == 0 ? z1 - in : z0 + in, x = side == 2 ? x1 - in : x0 + in;
    rim r = {
        .point = {along_x ? (x0 + x1) / 2 : x, y, along_x ? z : (z0 + z1) / 2},
        .from = {along_x ? x0 : x, y, along_x ? z : z0},
        .to = {along_x ? x1 : x, y, along_x ? z : z1},
    };
    double way[2] = {eye[0] - r.point[0], eye[2] - r.point[2]};
    double out = side == 0 ? way[1] : side == 1 ? -way[1] : side == 2 ? way[0] : -way[0];
    r.facing = out / fmax(hypot(way[0], way[1]), 1e-9);
    return r;
}

// A district's name lies on the rim that faces the eye: there it is over nobody else's buildings.
static bool label_rim(const mc_label_scene *scene, uint32_t node, const rim *r, mc_label *label) {
    double x, y, x0, y0, x1, y1;
    const mc_camera *camera = scene->camera;
    if (!mc_camera_project(camera, r->point, &x, &y) || !is_in_picture(scene, x, y)) return false;
    if (!mc_camera_project(camera, r->from, &x0, &y0)) return false;
    if (!mc_camera_project(camera, r->to, &x1, &y1)) return false;
    double scale = (double)scene->scale, length = hypot(x1 - x0, y1 - y0);
    double least = LEAST_RIM * scale;
    if (length < least || !is_visible(scene, r->point)) return false;
    *label = make_label(scene, node, x, y);
    label->flat = true;
    label->most_width = fminf(label->most_width, (float)length);
    // Names come up gradually as their districts come near.
    label->opacity = (float)fmin(1, (length - least) / (LEAST_RIM / 2 * scale));
    return true;
}

static bool label_district(const mc_label_scene *scene, uint32_t district, mc_label *label) {
    const mc_city *city = scene->city;
    double roof = (double)city->district_base[district] + (double)city->district_height;
    rim rims[4];
    for (int i = 0; i < 4; i++) {
        rims[i] = get_rim(scene, city->district_plot[district], roof, i);
    }
    for (int tried = 0; tried < 2; tried++) {
        int best = 0;
        for (int i = 1; i < 4; i++) {
            if (rims[i].facing > rims[best].facing) best = i;
        }
        if (label_rim(scene, city->district_node[district], &rims[best], label)) return true;
        rims[best].facing = -INFINITY;
    }
    return false;
}

uint32_t mc_label_districts(const mc_label_scene *scene, mc_label *labels, uint32_t capacity) {
    const mc_city *city = scene->city;
    uint32_t count = 0;
    if (city->district_count == 0) return 0;
    // Children come by descending value, so the most important ones are first.
    uint32_t parent = find_labelled_parent(city);
    uint32_t first = city->district_item_first[parent];
    for (uint32_t i = 0; i < city->district_item_count[parent] && count < capacity; i++) {
        uint32_t item = city->items[first + i];
        if (!(item & MC_ITEM_DISTRICT)) continue;
        if (label_district(scene, item & ~MC_ITEM_DISTRICT, &labels[count])) count++;
    }
    return count;
}

// ---- whose names

// The names that there are so far.
typedef struct label_list {
    const mc_label_scene *scene;
    mc_label *labels;
    uint32_t count, capacity;
} label_list;

// Of a building that has none yet; a district's name is on its rim.
static void add(label_list *list, uint32_t node, bool is_wanted) {
    uint32_t building = node == MC_NONE ? MC_NONE : list->scene->city->node_building[node];
    if (building == MC_NONE || list->count == list->capacity) return;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->labels[i].node == node) return;
    if (mc_label_building(list->scene, building, is_wanted, &list->labels[list->count]))
        list->count++;
}

// The stops bear the numbers that they have wherever the walk is told; one that it comes to twice,
// the first.
static void add_walk(label_list *list, const mc_walk *walk) {
    if (walk->count > 0 && walk->cause_index != MC_NONE)
        add(list, walk->stops[walk->cause_index].node, true);
    for (uint32_t i = 0; i < walk->count; i++)
        add(list, walk->stops[i].node, true);
    for (uint32_t i = 0; i < list->count; i++)
        for (uint32_t k = walk->count; k-- > 0;)
            if (walk->stops[k].node == list->labels[i].node) list->labels[i].number = k + 1;
}

uint32_t mc_label_fill(const mc_label_scene *scene, const mc_label_wish *wish, mc_label *labels,
                       uint32_t capacity) {
    label_list list = {scene, labels, 0, capacity};
    add(&list, wish->selected, true);
    for (uint32_t i = 0; i < wish->more_selected_count; i++)
        add(&list, wish->more_selected[i], true);
    if (wish->walk) add_walk(&list, wish->walk);
    for (uint32_t i = 0; wish->is_marking && !wish->walk && i < wish->marked_count; i++)
        add(&list, wish->marked[i], true);
    bool fades = wish->is_marking || wish->walk; // what is dimmed needs no names
    for (uint32_t i = 0; !fades && i < wish->grower_count; i++)
        add(&list, wish->growers[i], false);
    if (wish->walk || wish->leaves_out_districts) return list.count;
    return list.count + mc_label_districts(scene, labels + list.count, capacity - list.count);
}

// Puts a building where it belongs among the largest ones.
static void keep_largest(const mc_city *city, uint32_t *best, uint32_t *count, uint32_t building) {
    const uint64_t *max = city->building_max;
    if (*count == MC_LABEL_MOST_MARKED && max[building] <= max[best[*count - 1]]) return;
    if (*count < MC_LABEL_MOST_MARKED) ++*count;
    uint32_t at = *count - 1;
    for (; at > 0 && max[building] > max[best[at - 1]]; at--)
        best[at] = best[at - 1];
    best[at] = building;
}

uint32_t mc_label_find_marked(const mc_styles *styles, const mc_city *city,
                              uint32_t nodes[MC_LABEL_MOST_MARKED]) {
    uint32_t best[MC_LABEL_MOST_MARKED], count = 0;
    for (uint32_t i = 0; styles->marked_count > 0 && i < styles->count; i++)
        if (styles->items[i].bits & MC_STYLE_MARKED) keep_largest(city, best, &count, i);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = city->building_node[best[i]];
    return count;
}

mc_result mc_label_find_growers(const mc_trace *trace, const mc_city *city,
                                uint32_t nodes[MC_LABEL_MOST_GROWERS], uint32_t *count,
                                mc_error *error) {
    uint32_t buildings[MC_LABEL_MOST_GROWERS], known = 0, last_step = city->desc.window.last_step;
    uint64_t last[MC_LABEL_MOST_GROWERS];
    *count = 0;
    for (uint32_t i = 0; i < MC_LABEL_MOST_GROWERS; i++)
        buildings[i] = MC_NONE;
    for (uint32_t i = 0; i < city->building_count; i++) {
        uint32_t rank = city->building_growth_rank[i];
        if (rank < MC_LABEL_MOST_GROWERS) buildings[rank] = i;
    }
    for (; known < MC_LABEL_MOST_GROWERS && buildings[known] != MC_NONE; known++)
        nodes[known] = city->building_node[buildings[known]];
    mc_result result =
        mc_trace_read_values(trace, last_step, city->desc.metric, nodes, known, last, error);
    const mc_metric_info *info = mc_trace_get_metric(trace, city->desc.metric);
    bool is_single = city->desc.window.first_step == last_step;
    for (; result == MC_OK && *count < known; ++*count) {
        uint64_t now = mc_metric_get_count(info, last[*count]);
        if (is_single ? now == 0 : now <= city->building_first[buildings[*count]]) break;
    }
    return result;
}
