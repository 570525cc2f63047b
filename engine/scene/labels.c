#include "engine/scene/labels.h"

#include "engine/city/evaluate.h"
#include "engine/city/side_by_side.h"
#include "engine/scene/camera_math.h"
#include "engine/scene/label_ground.h"
#include "engine/trace/versus/versus.h"
#include "shaders/shared/frame_types.h"
#include <math.h>

#define MOST_NEAR 64      // names by size
#define ABOVE_MIDDLE 48.0 // from a name's upper edge to the lower one of its image; pixels
#define STRONG_HEIGHT 22.0
#define STRONG_PADDING 6.0
#define LEAST_ROOM 44.0     // of a name on a roof that is seen from above
#define LEAST_TEXT 1.0f     // has no room for any
#define STEEP_RAD 1.5607963 // pi / 2 - 0.01

static bool is_in_picture(const mc_label_scene *scene, double x, double y) {
    const mc_camera_viewport *v = &scene->camera->viewport;
    return x > v->left && x < v->width - v->right && y > v->top && y < v->height - v->bottom;
}

static mc_label make_label(const mc_label_scene *scene, uint32_t node, double x, double y) {
    return (mc_label){
        .node = node,
        .x = (float)x,
        .y = (float)y,
        .most_width = MC_LABEL_MOST_WIDTH * scene->scale,
        .opacity = 1,
    };
}

// From straight above, a name over its roof would be on another one.
static void lay_on_roof(const mc_label_scene *scene, mc_box box, bool is_wanted, mc_label *label) {
    double scale = (double)scene->scale;
    double room = mc_label_get_roof_room(scene, box, STRONG_HEIGHT * scale);
    room -= 2 * STRONG_PADDING * scale;
    label->flat = room >= LEAST_ROOM * scale;
    if (label->flat && !is_wanted) {
        label->over_width = label->most_width;
        label->most_width = (float)room;
    }
    if (!label->flat && !is_wanted) label->rank = MC_LABEL_SMALL;
}

// False: the building does not exist, is not in the picture, or its roof is hidden by an opaque one
// and the name was not asked for. As fast as mc_city_pick().
static bool place_above(const mc_label_scene *scene, uint32_t building, bool is_wanted,
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
        (!is_wanted && !mc_label_is_seen(scene, point, building))) {
        return false;
    }
    *label = make_label(scene, city->building_node[building], x, y);
    label->rank = is_wanted ? MC_LABEL_WANTED : MC_LABEL_OUTSTANDING;
    label->strong = true;
    // It stands a little above the middle.
    double room = mc_label_get_roof_room(scene, box, ABOVE_MIDDLE * (double)scene->scale);
    label->most_width = fmaxf(label->most_width, (float)room);
    double foot_x, foot_y;
    point[1] = (double)box.base;
    if (mc_camera_project(scene->camera, point, &foot_x, &foot_y))
        label->height = (float)fmax(foot_y - y, 0);
    if (scene->camera->pose.elevation_rad > STEEP_RAD) lay_on_roof(scene, box, is_wanted, label);
    if (label->flat) room = (double)label->most_width;
    if (!is_wanted) label->ink_width = (float)room;
    return true;
}

// ---- whose names

// Where a building is in the picture that the glass pass clears the view of.
typedef struct mark {
    uint32_t building;
    double low[2], high[2], depth; // pixels; of its middle from the eye
} mark;

// The names that there are so far.
typedef struct label_list {
    const mc_label_scene *scene;
    mc_label *labels;
    uint32_t count, capacity;
    mark marks[MC_GLASS_MARK_MOST];
    uint32_t mark_count;
    // The camera, once for all marks.
    mc_camera_axes axes;
    double eye[3], center[2], focal;
} label_list;

// False: it reaches behind the eye.
static bool find_mark(const label_list *list, uint32_t building, mark *found) {
    const mc_label_scene *scene = list->scene;
    mc_box box = mc_city_evaluate_building(scene->city, scene->params, building,
                                           scene->from[building], scene->to[building], NULL);
    const double low[3] = {(double)box.footprint.x0, (double)box.base, (double)box.footprint.z0};
    const double high[3] = {(double)box.footprint.x1, low[1] + (double)box.height,
                            (double)box.footprint.z1};
    double way[3];
    *found = (mark){building, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}, 0};
    for (int i = 0; i < 8; i++) {
        const double point[3] = {i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1],
                                 i & 4 ? high[2] : low[2]};
        mc_dvec3_sub(point, list->eye, way);
        double depth = mc_dvec3_dot(list->axes.forward, way);
        if (!(depth > 0)) return false;
        const double at[2] = {
            list->center[0] + list->focal * mc_dvec3_dot(list->axes.right, way) / depth,
            list->center[1] - list->focal * mc_dvec3_dot(list->axes.up, way) / depth};
        for (int axis = 0; axis < 2; axis++) {
            found->low[axis] = fmin(found->low[axis], at[axis]);
            found->high[axis] = fmax(found->high[axis], at[axis]);
        }
    }
    for (int i = 0; i < 3; i++)
        way[i] = (low[i] + high[i]) / 2 - list->eye[i];
    found->depth = mc_dvec3_norm(way);
    return true;
}

static void add_mark(label_list *list, uint32_t node) {
    uint32_t building = node == MC_NONE ? MC_NONE : list->scene->city->node_building[node];
    if (building == MC_NONE || list->mark_count == MC_GLASS_MARK_MOST) return;
    if (find_mark(list, building, &list->marks[list->mark_count])) list->mark_count++;
}

// All that may be such a building; more than there are does no harm.
static void add_marks(label_list *list, const mc_label_request *settings) {
    const mc_camera *camera = list->scene->camera;
    if (!mc_update_params_have_glass(list->scene->params) || !list->scene->theme) return;
    list->axes = mc_camera_get_axes(camera->pose.azimuth_rad, camera->pose.elevation_rad);
    list->focal = mc_camera_get_focal(camera);
    mc_camera_get_viewpoint(camera, list->eye);
    mc_camera_get_free_center(&camera->viewport, &list->center[0], &list->center[1]);
    add_mark(list, settings->selected);
    for (uint32_t i = 0; i < settings->more_selected_count; i++)
        add_mark(list, settings->more_selected[i]);
    for (uint32_t i = 0; settings->walk && i < settings->walk->count; i++)
        add_mark(list, settings->walk->stops[i].node);
    for (uint32_t i = 0; i < settings->finding_count; i++)
        add_mark(list, settings->findings[i]);
    for (uint32_t i = 0; i < settings->grower_count; i++)
        add_mark(list, settings->growers[i]);
}

// Whether the glass pass may make glass of it: what is behind it is not known here.
static bool may_be_glass(const label_list *list, uint32_t building) {
    mark own;
    if (list->mark_count == 0) return false;
    if (!find_mark(list, building, &own)) return true;
    bool is_before = false;
    for (uint32_t i = 0; i < list->mark_count; i++) {
        const mark *other = &list->marks[i];
        if (other->building == building) return false;
        bool is_apart = own.depth > other->depth;
        for (int axis = 0; axis < 2; axis++)
            is_apart |= own.low[axis] >= other->high[axis] || own.high[axis] <= other->low[axis];
        is_before |= !is_apart;
    }
    return is_before;
}

static bool has_name(const label_list *list, uint32_t node) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->labels[i].node == node) return true;
    return false;
}

static void note_half(const mc_city *city, mc_structure structure, mc_label *label) {
    label->half = city->half_count == 0 ? 0 : 1 + mc_city_is_second(city, structure);
    label->is_whole =
        structure.building == MC_NONE && mc_city_get_half(city, structure.district) != MC_NONE;
}

static void choose_ink(const label_list *list, uint32_t building, mc_label *label) {
    if (label->ink_width > 0 && !may_be_glass(list, building))
        mc_label_choose_ink(list->scene, building, label);
}

static void add_building(label_list *list, uint32_t building, bool is_wanted) {
    const mc_city *city = list->scene->city;
    mc_structure structure = {building, MC_NONE};
    if (building == MC_NONE || list->count == list->capacity) return;
    mc_label *label = &list->labels[list->count];
    if (!place_above(list->scene, building, is_wanted, label)) return;
    choose_ink(list, building, label);
    note_half(city, structure, label);
    list->count++;
}

// Of a building that has none yet, of two cities in both; a district's name is on its rim.
static void add(label_list *list, uint32_t node, bool is_wanted) {
    const mc_city *city = list->scene->city;
    uint32_t building = node == MC_NONE ? MC_NONE : city->node_building[node];
    if (building == MC_NONE || has_name(list, node)) return;
    add_building(list, building, is_wanted);
    add_building(list, mc_city_get_twin(city, (mc_structure){building, MC_NONE}).building,
                 is_wanted);
}

static bool has_name_there(const label_list *list, uint32_t node, mc_structure structure) {
    const mc_city *city = list->scene->city;
    uint32_t half = city->half_count == 0 ? 0 : 1 + mc_city_is_second(city, structure);
    for (uint32_t i = 0; i < list->count; i++)
        if (list->labels[i].node == node && list->labels[i].half == half) return true;
    return false;
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

static bool is_changed(const mc_building_style *style) {
    return fabsf(style->to_share) >= MC_STYLE_LEAST_CHANGE || style->bits & MC_STYLE_MOVED;
}

// Where the rim has no room, the ground may have.
static bool name_district(const mc_label_scene *scene, uint32_t district, mc_label *label) {
    mc_ground_text ground;
    bool has_ground = mc_label_lay_on_ground(scene, district, &ground);
    bool has_rim = mc_label_place_name(scene, (mc_structure){MC_NONE, district}, label);
    if (!has_ground) return has_rim;
    if (!has_rim) {
        *label = make_label(scene, scene->city->district_node[district], (double)ground.matrix[2],
                            (double)ground.matrix[5]);
        label->rank = MC_LABEL_NEAR;
        label->most_width = LEAST_TEXT;
        label->flat = true;
    }
    label->ground = ground;
    return true;
}

static bool name_near(const label_list *list, mc_structure structure, mc_label *label) {
    uint32_t building = structure.building;
    if (building == MC_NONE) return name_district(list->scene, structure.district, label);
    if (!mc_label_place_name(list->scene, structure, label)) return false;
    label->ink_width = label->most_width;
    choose_ink(list, building, label);
    return true;
}

// What is large in the picture, by its size.
static void add_near(label_list *list, bool has_roofs, bool is_of_change) {
    mc_label_place places[MC_LABEL_MOST_NEAR];
    uint32_t count = mc_label_find_near(list->scene, has_roofs, places), added = 0;
    for (uint32_t i = 0; i < count && added < MOST_NEAR && list->count < list->capacity; i++) {
        const mc_city *city = list->scene->city;
        uint32_t node = mc_city_get_node(city, places[i].structure);
        uint32_t building = places[i].structure.building;
        if (is_of_change && building != MC_NONE && !is_changed(&city->styles[building])) continue;
        if (has_name_there(list, node, places[i].structure)) continue;
        if (!name_near(list, places[i].structure, &list->labels[list->count])) continue;
        note_half(city, places[i].structure, &list->labels[list->count]);
        // Which of two cities it is comes before what is in them.
        if (list->labels[list->count].is_whole) {
            list->labels[list->count].rank = MC_LABEL_WANTED;
            list->labels[list->count].ground.room = 0;
        }
        list->count++;
        added++;
    }
}

uint32_t mc_label_fill(const mc_label_scene *scene, const mc_label_request *settings,
                       mc_label *labels, uint32_t capacity) {
    label_list list = {.scene = scene, .labels = labels, .capacity = capacity};
    add_marks(&list, settings);
    add(&list, settings->selected, true);
    for (uint32_t i = 0; i < settings->more_selected_count; i++)
        add(&list, settings->more_selected[i], true);
    for (uint32_t i = 0; i < list.count; i++)
        labels[i].rank = MC_LABEL_SELECTED;
    if (settings->walk) add_walk(&list, settings->walk);
    for (uint32_t i = 0; settings->is_marking && !settings->walk && i < settings->marked_count; i++)
        add(&list, settings->marked[i], true);
    bool fades = settings->is_marking || settings->walk; // what is dimmed needs no names
    for (uint32_t i = 0; !fades && i < settings->finding_count; i++)
        add(&list, settings->findings[i], false);
    for (uint32_t i = 0; !fades && i < settings->grower_count; i++)
        add(&list, settings->growers[i], false);
    if (!settings->walk && !settings->leaves_out_districts)
        add_near(&list, !fades, settings->is_of_change && scene->city->styles);
    return list.count;
}

// Puts a building where it belongs among the largest ones, `most` of them.
static void keep_largest(const mc_city *city, uint32_t most, uint32_t *best, uint32_t *count,
                         uint32_t building) {
    const uint64_t *max = city->building_max;
    if (*count == most && max[building] <= max[best[*count - 1]]) return;
    if (*count < most) ++*count;
    uint32_t at = *count - 1;
    for (; at > 0 && max[building] > max[best[at - 1]]; at--)
        best[at] = best[at - 1];
    best[at] = building;
}

// The building that stands for a node, of a district the largest in it; MC_NONE: none does.
static uint32_t find_building(const mc_city *city, uint32_t node) {
    mc_structure structure = mc_city_find_node(city, node);
    if (structure.district == MC_NONE) return structure.building;
    uint32_t first = city->district_building_first[structure.district], best = MC_NONE, count = 0;
    for (uint32_t i = 0; i < city->district_building_count[structure.district]; i++)
        keep_largest(city, 1, &best, &count, first + i);
    return best;
}

static void add_node(uint32_t *nodes, uint32_t *count, uint32_t node) {
    uint32_t at = 0;
    while (at < *count && nodes[at] != node)
        at++;
    if (at == *count && at < MC_LABEL_MOST_MARKED) nodes[(*count)++] = node;
}

uint32_t mc_label_find_marked(const mc_styles *styles, const mc_city *city, const uint32_t *hits,
                              uint32_t hit_count, uint32_t nodes[MC_LABEL_MOST_MARKED]) {
    uint32_t best[MC_LABEL_MOST_MARKED], best_count = 0, count = 0;
    if (styles->marked_count == 0) return 0;
    for (uint32_t i = 0; i < hit_count && count < MC_LABEL_MOST_MARKED; i++) {
        uint32_t building = find_building(city, hits[i]);
        if (building != MC_NONE) add_node(nodes, &count, city->building_node[building]);
    }
    for (uint32_t i = 0; i < styles->count && count < MC_LABEL_MOST_MARKED; i++)
        if (styles->items[i].bits & MC_STYLE_MARKED)
            keep_largest(city, MC_LABEL_MOST_MARKED, best, &best_count, i);
    for (uint32_t i = 0; i < best_count; i++)
        add_node(nodes, &count, city->building_node[best[i]]);
    return count;
}

bool mc_label_find_changed(const mc_styles *styles, const mc_city *city,
                           uint32_t nodes[MC_LABEL_MOST_GROWERS], uint32_t *count) {
    float shares[MC_LABEL_MOST_GROWERS];
    if (styles->color_mode != MC_COLOR_MODE_DIFFERENCE) return false;
    *count = 0;
    // Of two cities the second one's stand for both.
    for (uint32_t i = city->half_count; i < city->building_count; i++) {
        float share = fabsf(styles->items[i].to_share);
        bool is_full = *count == MC_LABEL_MOST_GROWERS;
        if (!is_changed(&styles->items[i]) || (is_full && share <= shares[*count - 1])) continue;
        uint32_t at = is_full ? *count - 1 : (*count)++;
        for (; at > 0 && share > shares[at - 1]; at--) {
            shares[at] = shares[at - 1];
            nodes[at] = nodes[at - 1];
        }
        shares[at] = share;
        nodes[at] = city->building_node[i];
    }
    return true;
}

// Of two cities the second one's stand for both.
static uint32_t find_largest(const mc_city *city, uint32_t nodes[MC_LABEL_MOST_GROWERS]) {
    uint32_t best[MC_LABEL_MOST_GROWERS], count = 0;
    for (uint32_t i = city->half_count; i < city->building_count; i++)
        keep_largest(city, MC_LABEL_MOST_GROWERS, best, &count, i);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = city->building_node[best[i]];
    return count;
}

mc_result mc_label_find_growers(const mc_trace *trace, const mc_city *city,
                                uint32_t nodes[MC_LABEL_MOST_GROWERS], uint32_t *count,
                                mc_error *error) {
    if (mc_trace_is_versus(trace)) {
        *count = find_largest(city, nodes);
        return MC_OK;
    }
    uint32_t buildings[MC_LABEL_MOST_GROWERS], known = 0, last_step = city->desc.window.last_step;
    uint64_t last[MC_LABEL_MOST_GROWERS];
    *count = 0;
    for (uint32_t i = 0; i < MC_LABEL_MOST_GROWERS; i++)
        buildings[i] = MC_NONE;
    for (uint32_t i = 0; i < city->building_count; i++) {
        // Of two cities the second one's stand for both.
        uint32_t rank = city->building_growth_rank[i] >> (city->half_count > 0);
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
