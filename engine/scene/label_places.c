#include "engine/scene/label_places.h"

#include "engine/city/evaluate.h"
#include "engine/scene/camera_math.h"
#include <stdlib.h>
#include <string.h>

// Lengths in pixels at a scale of 1.
#define LEAST_SIDE 22.0  // of the shorter side of what has a name
#define LEAST_SIZE 32.0  // the root of its area
#define LEAST_WIDTH 44.0 // that a name has at least
#define EASE_WIDTH 1.5   // beyond which it is there in full; what is half there can't be read
#define TEXT_HEIGHT 18.0

#define MOST_BORDERING 64 // of a district's items that are asked for its border

enum { STACK_SIZE = 256, DEEPEST = 64 };

// A name on another building's wall would be taken for that one's. Translucent ones show what is
// behind them.
bool mc_label_is_seen(const mc_label_scene *scene, const double point[3], uint32_t building) {
    double eye[3], way[3];
    mc_camera_get_viewpoint(scene->camera, eye);
    mc_dvec3_sub(point, eye, way);
    mc_hit hit =
        mc_city_pick(scene->city, scene->params, scene->from, scene->to, mc_ray_get(eye, way));
    uint32_t first = hit.structure.building;
    if (first == MC_NONE || first == building) return true;
    mc_color color;
    mc_city_evaluate_building(scene->city, scene->params, first, scene->from[first],
                              scene->to[first], &color);
    return color.opacity < 1;
}

// Of numbers; fmin() is a call.
static float get_lesser(float a, float b) {
    return a < b ? a : b;
}

double mc_label_get_border(const mc_city *city, uint32_t district) {
    mc_plot plot = city->district_plot[district];
    float border = INFINITY;
    for (uint32_t i = 0; i < city->district_item_count[district] && i < MOST_BORDERING; i++) {
        uint32_t item = city->items[city->district_item_first[district] + i];
        mc_plot inner = item & MC_ITEM_DISTRICT ? city->district_plot[item & ~MC_ITEM_DISTRICT]
                                                : city->building_plot[item];
        border = get_lesser(border, get_lesser(inner.x0 - plot.x0, inner.z0 - plot.z0));
        border = get_lesser(border, get_lesser(plot.x1 - inner.x1, plot.z1 - inner.z1));
    }
    return isfinite(border) ? fmax((double)border, 0) : 0;
}

// Items [item, item + count) of a district, whose cuts begin at `cut`, and what they cover.
typedef struct part {
    uint32_t item, cut, count;
    double low[2], high[2]; // x, z
    double base, top;       // y
} part;

typedef struct plane {
    double normal[3], offset; // normal * p > offset: beside the picture
} plane;

typedef struct near_walk {
    const mc_label_scene *scene;
    bool has_roofs;
    plane sides[4];
    double forward[3], eye_depth, focal;
    double least, least_size; // pixels: of a side, and of a place's size
    mc_label_place *places;
    uint32_t count;
    part waiting[STACK_SIZE];
    uint32_t waiting_count;
} near_walk;

// The planes through the eye and the borders of the free part of the picture.
static void set_view(near_walk *walk) {
    const mc_camera *camera = walk->scene->camera;
    const mc_camera_viewport *v = &camera->viewport;
    mc_camera_axes a = mc_camera_get_axes(camera->pose.azimuth_rad, camera->pose.elevation_rad);
    double eye[3], cx, cy;
    walk->focal = mc_camera_get_focal(camera);
    mc_camera_get_viewpoint(camera, eye);
    mc_camera_get_free_center(v, &cx, &cy);
    const double slopes[4] = {(v->width - v->right - cx) / walk->focal,
                              (cx - v->left) / walk->focal, (cy - v->top) / walk->focal,
                              (v->height - v->bottom - cy) / walk->focal};
    for (int side = 0; side < 4; side++) {
        const double *axis = side < 2 ? a.right : a.up, sign = side & 1 ? -1 : 1;
        plane *p = &walk->sides[side];
        for (int i = 0; i < 3; i++)
            p->normal[i] = sign * axis[i] - slopes[side] * a.forward[i];
        p->offset = mc_dvec3_dot(p->normal, eye);
    }
    memcpy(walk->forward, a.forward, sizeof walk->forward);
    walk->eye_depth = mc_dvec3_dot(a.forward, eye);
}

// The least of normal * p over a part's box.
static double get_least(const part *p, const double normal[3]) {
    return normal[0] * (normal[0] > 0 ? p->low[0] : p->high[0]) +
           normal[1] * (normal[1] > 0 ? p->base : p->top) +
           normal[2] * (normal[2] > 0 ? p->low[1] : p->high[1]);
}

static bool is_beside(const near_walk *walk, const part *p) {
    for (int side = 0; side < 4; side++)
        if (get_least(p, walk->sides[side].normal) > walk->sides[side].offset) return true;
    return false;
}

// At most so many pixels a length of 1 has in it.
static double get_scale(const near_walk *walk, const part *p) {
    double depth = get_least(p, walk->forward) - walk->eye_depth;
    return depth > 0 ? walk->focal / depth : INFINITY;
}

static bool is_large(const near_walk *walk, const part *p) {
    double shorter = fmin(p->high[0] - p->low[0], p->high[1] - p->low[1]);
    double scale = get_scale(walk, p);
    double area = (p->high[0] - p->low[0]) * (p->high[1] - p->low[1]);
    return shorter * scale >= walk->least && sqrt(area) * scale >= walk->least_size;
}

static int compare_places(const void *a, const void *b) {
    const mc_label_place *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    uint32_t i = x->structure.building & x->structure.district;
    uint32_t k = y->structure.building & y->structure.district;
    return (i > k) - (i < k);
}

static void sort(near_walk *walk) {
    qsort(walk->places, walk->count, sizeof *walk->places, compare_places);
}

static void add(near_walk *walk, mc_structure structure, const part *p) {
    double depth = -walk->eye_depth;
    const double middle[3] = {(p->low[0] + p->high[0]) / 2, p->base, (p->low[1] + p->high[1]) / 2};
    depth += mc_dvec3_dot(walk->forward, middle);
    double area = (p->high[0] - p->low[0]) * (p->high[1] - p->low[1]);
    // What the eye stands over is as large as can be.
    double size = sqrt(area) * (depth > 0 ? walk->focal / depth : walk->focal);
    if (size < walk->least_size) return;
    if (walk->count == MC_LABEL_MOST_NEAR) {
        sort(walk);
        walk->count = MC_LABEL_MOST_NEAR / 2;
        walk->least_size = (double)walk->places[walk->count].size;
    }
    walk->places[walk->count++] = (mc_label_place){.structure = structure, .size = (float)size};
}

// For later, if it is worth it. No building is higher than twice the root of its plot's area.
static void put_off(near_walk *walk, part p) {
    const mc_city *city = walk->scene->city;
    double area = (p.high[0] - p.low[0]) * (p.high[1] - p.low[1]);
    double slabs = ((double)city->deepest_level + 1) * (double)city->district_height;
    p.top = fmin(p.top, slabs + 2 * sqrt(area));
    // Cuts halve a district's items; what is nested deeper than any real tree goes unnamed.
    if (walk->waiting_count == STACK_SIZE || !is_large(walk, &p) || is_beside(walk, &p)) return;
    walk->waiting[walk->waiting_count++] = p;
}

static void enter_district(near_walk *walk, uint32_t district) {
    const mc_city *city = walk->scene->city;
    mc_plot plot = city->district_plot[district];
    uint32_t first = city->district_item_first[district];
    part whole = {.item = first,
                  .cut = first,
                  .count = city->district_item_count[district],
                  .low = {(double)plot.x0, (double)plot.z0},
                  .high = {(double)plot.x1, (double)plot.z1},
                  .base = (double)city->district_base[district],
                  .top = (double)city->district_top[district]};
    if (!is_large(walk, &whole) || is_beside(walk, &whole)) return;
    if (district > 0) add(walk, (mc_structure){MC_NONE, district}, &whole);
    if (whole.count > 0) put_off(walk, whole);
}

static void meet_building(near_walk *walk, uint32_t building) {
    const mc_city *city = walk->scene->city;
    mc_plot plot = city->building_plot[building];
    double base = (double)city->building_base[building];
    double width = (double)plot.x1 - (double)plot.x0, depth = (double)plot.z1 - (double)plot.z0;
    part whole = {.low = {(double)plot.x0, (double)plot.z0},
                  .high = {(double)plot.x1, (double)plot.z1},
                  .base = base,
                  .top = base + 2 * sqrt(width * depth)};
    if (!is_large(walk, &whole) || is_beside(walk, &whole)) return;
    add(walk, (mc_structure){building, MC_NONE}, &whole);
}

static void meet_item(near_walk *walk, uint32_t item) {
    if (item & MC_ITEM_DISTRICT)
        enter_district(walk, item & ~MC_ITEM_DISTRICT);
    else if (walk->has_roofs)
        meet_building(walk, item);
}

// Side by side, the widest first, as they come by descending value.
static void meet_row(near_walk *walk, const part *row) {
    const mc_city *city = walk->scene->city;
    const mc_cut *cuts = city->cuts + row->cut;
    int axis = row->count > 1 && cuts->axis ? 1 : 0;
    double scale = get_scale(walk, row), begin = row->low[axis];
    for (uint32_t i = 0; i < row->count; i++) {
        double end = i + 1 < row->count ? (double)cuts[i].position : row->high[axis];
        if (row->count > 1 && (end - begin) * scale < walk->least) return;
        meet_item(walk, city->items[row->item + i]);
        begin = end;
    }
}

static void cut(near_walk *walk, const part *whole) {
    const mc_cut *at = &walk->scene->city->cuts[whole->cut];
    int axis = at->axis ? 1 : 0;
    part low = *whole, high = *whole;
    low.cut = whole->cut + 1;
    low.count = at->left_count;
    low.high[axis] = (double)at->position;
    high.item += at->left_count;
    high.cut += at->left_count;
    high.count -= at->left_count;
    high.low[axis] = (double)at->position;
    put_off(walk, high);
    put_off(walk, low);
}

uint32_t mc_label_find_near(const mc_label_scene *scene, bool has_roofs, mc_label_place *places) {
    near_walk walk = {.scene = scene,
                      .has_roofs = has_roofs,
                      .least = LEAST_SIDE * (double)scene->scale,
                      .least_size = LEAST_SIZE * (double)scene->scale,
                      .places = places};
    set_view(&walk);
    if (scene->city->district_count > 0) enter_district(&walk, 0);
    while (walk.waiting_count > 0) {
        part next = walk.waiting[--walk.waiting_count];
        bool is_row = next.count == 1 || scene->city->cuts[next.cut].is_row;
        if (is_row)
            meet_row(&walk, &next);
        else
            cut(&walk, &next);
    }
    sort(&walk);
    return walk.count;
}

// ---- names

static bool make_label(const mc_label_scene *scene, uint32_t node, const double point[3],
                       double room, mc_label *label) {
    double x, y, least = LEAST_WIDTH * (double)scene->scale;
    if (room < least || !mc_camera_project(scene->camera, point, &x, &y)) return false;
    *label = (mc_label){
        .node = node,
        .rank = MC_LABEL_NEAR,
        .x = (float)x,
        .y = (float)y,
        .most_width = (float)room, // all of it: nothing else has a name there
        .opacity = (float)fmin(1, (room - least) / (EASE_WIDTH * (double)scene->scale)),
        .flat = true,
    };
    return label->opacity > 0;
}

// The part of the way from `from` to `to` that is in the picture, which it becomes. False: none is.
static bool clip(const mc_label_scene *scene, double from[3], double to[3]) {
    near_walk view = {.scene = scene};
    double enter = 0, leave = 1, begin[3];
    set_view(&view);
    for (int side = 0; side < 4; side++) {
        const plane *border = &view.sides[side];
        double a = mc_dvec3_dot(border->normal, from) - border->offset;
        double b = mc_dvec3_dot(border->normal, to) - border->offset;
        if (a > 0 && b > 0) return false;
        if (a > 0) enter = fmax(enter, a / (a - b));
        if (b > 0) leave = fmin(leave, a / (a - b));
    }
    if (enter >= leave) return false;
    memcpy(begin, from, sizeof begin);
    double end[3] = {to[0], to[1], to[2]};
    mc_dvec3_lerp(begin, end, enter, from);
    mc_dvec3_lerp(begin, end, leave, to);
    return true;
}

// The middle of what is seen, not of what is there.
bool mc_label_clip(const mc_label_scene *scene, double from[3], double to[3], double middle[3]) {
    if (!clip(scene, from, to)) return false;
    const mc_camera *camera = scene->camera;
    mc_camera_axes a = mc_camera_get_axes(camera->pose.azimuth_rad, camera->pose.elevation_rad);
    double eye[3], way[2][3];
    mc_camera_get_viewpoint(camera, eye);
    mc_dvec3_sub(from, eye, way[0]);
    mc_dvec3_sub(to, eye, way[1]);
    double near = mc_dvec3_dot(a.forward, way[0]), far = mc_dvec3_dot(a.forward, way[1]);
    mc_dvec3_lerp(from, to, near / (near + far), middle);
    return true;
}

// How wide a text of a line's height may be in the middle of a parallelogram whose halves of the
// sides are `a` and `b`.
static double get_room(const double a[2], const double b[2], double height) {
    double area = a[0] * b[1] - a[1] * b[0], room = INFINITY;
    if (fabs(area) < 1) return 0;
    // A point (x, y) is at (x ya - y xa) / area along a, and must not be beyond 1.
    const double along[2][2] = {{b[1] / area, -b[0] / area}, {-a[1] / area, a[0] / area}};
    for (int i = 0; i < 2; i++) {
        double left = 1 - fabs(along[i][1]) * height / 2;
        if (left <= 0) return 0;
        if (along[i][0] != 0) room = fmin(room, 2 * left / fabs(along[i][0]));
    }
    return room;
}

double mc_label_get_roof_room(const mc_label_scene *scene, mc_box box, double height) {
    mc_plot plot = box.footprint;
    double x = ((double)plot.x0 + (double)plot.x1) / 2, z = ((double)plot.z0 + (double)plot.z1) / 2;
    double y = (double)box.base + (double)box.height;
    const double roof[3][3] = {{x, y, z}, {(double)plot.x1, y, z}, {x, y, (double)plot.z1}};
    double at[3][2];
    for (int i = 0; i < 3; i++)
        if (!mc_camera_project(scene->camera, roof[i], &at[i][0], &at[i][1])) return 0;
    double a[2] = {at[1][0] - at[0][0], at[1][1] - at[0][1]};
    double b[2] = {at[2][0] - at[0][0], at[2][1] - at[0][1]};
    return get_room(a, b, height);
}

static bool name_roof(const mc_label_scene *scene, uint32_t building, mc_label *label) {
    const mc_city *city = scene->city;
    mc_color color;
    mc_box box = mc_city_evaluate_building(city, scene->params, building, scene->from[building],
                                           scene->to[building], &color);
    if (!(box.height > 0) || !(color.opacity > 0)) return false;
    const double roof[3] = {((double)box.footprint.x0 + (double)box.footprint.x1) / 2,
                            (double)box.base + (double)box.height,
                            ((double)box.footprint.z0 + (double)box.footprint.z1) / 2};
    double x, y;
    const mc_camera_viewport *v = &scene->camera->viewport;
    if (!mc_camera_project(scene->camera, roof, &x, &y) || x < v->left || x > v->width - v->right ||
        y < v->top || y > v->height - v->bottom)
        return false;
    double room = mc_label_get_roof_room(scene, box, TEXT_HEIGHT * (double)scene->scale);
    return make_label(scene, city->building_node[building], roof, room, label) &&
           mc_label_is_seen(scene, roof, building);
}

// The sides of plots that face the eye are the same for all of them.
static bool name_rim(const mc_label_scene *scene, uint32_t district, mc_label *label) {
    const mc_city *city = scene->city;
    mc_plot plot = city->district_plot[district];
    double azimuth = scene->camera->pose.azimuth_rad, toward[2] = {sin(azimuth), cos(azimuth)};
    double y = (double)city->district_base[district] + (double)city->district_height;
    bool is_x = fabs(toward[0]) > fabs(toward[1]) * (1 + 1e-9);
    double in = 0.5 * mc_label_get_border(city, district);
    double x0 = (double)plot.x0, x1 = (double)plot.x1, z0 = (double)plot.z0, z1 = (double)plot.z1;
    double x = toward[0] > 0 ? x1 - in : x0 + in, z = toward[1] > 0 ? z1 - in : z0 + in;
    double from[3] = {is_x ? x : x0, y, is_x ? z0 : z}, to[3] = {is_x ? x : x1, y, is_x ? z1 : z};
    double ends[2][2], middle[3];
    if (!mc_label_clip(scene, from, to, middle) ||
        !mc_camera_project(scene->camera, from, &ends[0][0], &ends[0][1]) ||
        !mc_camera_project(scene->camera, to, &ends[1][0], &ends[1][1]))
        return false;
    double room = fabs(ends[1][0] - ends[0][0]);
    return make_label(scene, city->district_node[district], middle, room, label) &&
           mc_label_is_seen(scene, middle, MC_NONE);
}

bool mc_label_place_name(const mc_label_scene *scene, mc_structure structure, mc_label *label) {
    return structure.building != MC_NONE ? name_roof(scene, structure.building, label)
                                         : name_rim(scene, structure.district, label);
}
