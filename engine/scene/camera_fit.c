#include "engine/city/markers.h"
#include "engine/scene/camera.h"
#include "engine/scene/camera_math.h"
#include <stdlib.h>
#include <string.h>

#define STEEP_ROUNDS 4
#define AIR 0.05    // of the free area, at each side of what is framed
#define MARGIN 1e-4 // of the city's sides: by how much a building may reach beyond its district

// For each of the four planes through the eye that bound the free area: how far the points so far
// reach beyond the plane through the origin. Camera axes, the origin is the world's.
typedef struct support {
    mc_camera_axes axes;
    double x_slope, y_slope;
    double stretch;        // of the lens
    double normals[4][3];  // right, left, top, bottom; in the world
    double reach[4];       // along them
    double min[3], max[3]; // of the points, in the world
} support;

static support support_begin(const mc_camera *camera, const mc_camera_pose *from) {
    const mc_camera_viewport *v = &camera->viewport;
    const mc_camera_lens lens = mc_camera_get_lens(camera, from);
    double scale = (1 - 2 * AIR) / 2 / lens.focal;
    support s = {
        .axes = mc_camera_get_axes(from->azimuth_rad, from->elevation_rad),
        .x_slope = fmax(v->width - v->left - v->right, 32) * scale,
        .y_slope = fmax(v->height - v->top - v->bottom, 32) * scale,
        .stretch = lens.stretch,
        .reach = {-INFINITY, -INFINITY, -INFINITY, -INFINITY},
        .min = {INFINITY, INFINITY, INFINITY},
        .max = {-INFINITY, -INFINITY, -INFINITY},
    };
    for (int i = 0; i < 3; i++) {
        double x_ahead = s.x_slope * s.axes.forward[i], y_ahead = s.y_slope * s.axes.forward[i];
        s.normals[0][i] = s.axes.right[i] - x_ahead;
        s.normals[1][i] = -s.axes.right[i] - x_ahead;
        s.normals[2][i] = s.axes.up[i] - y_ahead;
        s.normals[3][i] = -s.axes.up[i] - y_ahead;
    }
    return s;
}

// Of a box one corner lies farthest along a normal.
static double get_reach(const double normal[3], const mc_camera_bounds *box) {
    double reach = 0;
    for (int i = 0; i < 3; i++)
        reach += normal[i] * (normal[i] > 0 ? box->max[i] : box->min[i]);
    return reach;
}

static void support_add(support *s, const mc_camera_bounds *box) {
    for (int i = 0; i < 3; i++) {
        if (box->min[i] < s->min[i]) s->min[i] = box->min[i];
        if (box->max[i] > s->max[i]) s->max[i] = box->max[i];
    }
    for (int plane = 0; plane < 4; plane++) {
        double reach = get_reach(s->normals[plane], box);
        if (reach > s->reach[plane]) s->reach[plane] = reach;
    }
}

// The distances along `ray` between which it is inside the points' bounds.
static bool clip_to_bounds(const support *s, const double origin[3], const double ray[3],
                           double *enter, double *leave) {
    *enter = 0;
    *leave = INFINITY;
    for (int i = 0; i < 3; i++) {
        if (fabs(ray[i]) < 1e-12) {
            if (origin[i] < s->min[i] || origin[i] > s->max[i]) return false;
            continue;
        }
        double a = (s->min[i] - origin[i]) / ray[i], b = (s->max[i] - origin[i]) / ray[i];
        *enter = fmax(*enter, fmin(a, b));
        *leave = fmin(*leave, fmax(a, b));
    }
    return *enter <= *leave;
}

static mc_camera_pose support_end(const mc_camera *camera, const support *s, mc_camera_pose from) {
    double x_high = s->reach[0], x_low = -s->reach[1], y_high = s->reach[2], y_low = -s->reach[3];
    if (x_high == -INFINITY) return from;
    // The eye's x must lie in [x_high + slope z, x_low - slope z], its y likewise; the nearest z
    // for which both intervals exist wins.
    double z = fmin((x_low - x_high) / (2 * s->x_slope), (y_low - y_high) / (2 * s->y_slope));
    double smallest = mc_camera_get_world_size(camera) * 1e-3, eye[3], center_depth = 0;
    const double x = (x_low + x_high) / 2, y = (y_low + y_high) / 2;
    for (int i = 0; i < 3; i++) {
        center_depth += s->axes.forward[i] * (s->min[i] + s->max[i]) / 2;
        eye[i] = 0;
    }
    z = fmin(z, center_depth - smallest);
    mc_dvec3_muladds(s->axes.right, x, eye);
    mc_dvec3_muladds(s->axes.up, y, eye);
    mc_dvec3_muladds(s->axes.forward, z, eye);
    // The target is where the axis meets the floor, or, if that is outside, near the middle.
    double distance = center_depth - z, enter, leave;
    if (clip_to_bounds(s, eye, s->axes.forward, &enter, &leave)) {
        double floor_distance = (s->min[1] - eye[1]) / s->axes.forward[1];
        bool on_floor = isfinite(floor_distance) && floor_distance <= leave * (1 + 1e-9);
        distance = on_floor && floor_distance >= enter ? floor_distance
                                                       : mc_camera_clamp(distance, enter, leave);
    }
    distance = fmax(distance, smallest);
    mc_dvec3_muladds(s->axes.forward, distance, eye);
    memcpy(from.target, eye, sizeof eye);
    from.distance = distance / s->stretch;
    return from;
}

// What is framed: boxes, and a range of a city's buildings at their largest.
typedef struct subject {
    const mc_camera_bounds *boxes;
    uint32_t box_count;
    const mc_city *city; // NULL: no buildings
    uint32_t first, building_count;
} subject;

static mc_camera_bounds get_building_bounds(const mc_city *city, uint32_t building_index);

// Whether nothing in the box would change what is known.
static bool covers(const support *s, const mc_camera_bounds *box) {
    for (int i = 0; i < 3; i++)
        if (box->min[i] < s->min[i] || box->max[i] > s->max[i]) return false;
    for (int plane = 0; plane < 4; plane++)
        if (get_reach(s->normals[plane], box) > s->reach[plane]) return false;
    return true;
}

static bool covers_district(const support *s, const mc_city *city, uint32_t district) {
    mc_camera_bounds box =
        mc_camera_bounds_of(city, (mc_structure){.building = MC_NONE, .district = district});
    double margin = MARGIN * ((double)city->width + (double)city->depth);
    for (int i = 0; i < 3; i++) {
        box.min[i] -= margin;
        box.max[i] += margin;
    }
    return covers(s, &box);
}

// A wide city has millions of buildings, few of which lie at its rim: districts of which no
// building reaches farther than those before are left out as a whole.
static void add_buildings(support *s, const subject *what) {
    const mc_city *city = what->city;
    uint32_t district = 0, i = what->first, end = what->first + what->building_count;
    while (i < end) {
        // Those in which the building lies, the inner ones last.
        for (; district < city->district_count && city->district_building_first[district] <= i;
             district++) {
            uint32_t after =
                city->district_building_first[district] + city->district_building_count[district];
            if (after > i && covers_district(s, city, district)) i = after;
        }
        if (i >= end) return;
        mc_camera_bounds box = get_building_bounds(city, i++);
        support_add(s, &box);
    }
}

static mc_camera_pose fit(const mc_camera *camera, mc_camera_pose from, const subject *what) {
    // A steep picture's lens depends on the distance that is looked for; rays that are nearly
    // parallel depend little on it.
    uint32_t rounds = mc_camera_get_lens(camera, &from).stretch > 1 ? STEEP_ROUNDS : 1;
    for (uint32_t round = 0; round < rounds; round++) {
        support s = support_begin(camera, &from);
        for (uint32_t i = 0; i < what->box_count; i++)
            support_add(&s, &what->boxes[i]);
        if (what->building_count > 0) add_buildings(&s, what);
        from = support_end(camera, &s, from);
    }
    return from;
}

mc_camera_pose mc_camera_fit(const mc_camera *camera, mc_camera_pose from,
                             const mc_camera_bounds *boxes, uint32_t count) {
    return fit(camera, from, &(subject){.boxes = boxes, .box_count = count});
}

bool mc_camera_shows(const mc_camera *camera, const mc_camera_bounds *boxes, uint32_t count) {
    const mc_camera_viewport *v = &camera->viewport;
    for (uint32_t i = 0; i < 8 * count; i++) {
        const mc_camera_bounds *box = &boxes[i / 8];
        double point[3], x, y;
        for (int axis = 0; axis < 3; axis++)
            point[axis] = i >> axis & 1 ? box->max[axis] : box->min[axis];
        if (!mc_camera_project(camera, point, &x, &y) || x < v->left || x > v->width - v->right ||
            y < v->top || y > v->height - v->bottom)
            return false;
    }
    return true;
}

// As tall as it ever gets.
static mc_camera_bounds get_building_bounds(const mc_city *city, uint32_t building_index) {
    mc_plot plot = city->building_plot[building_index];
    double base = city->building_base[building_index];
    return (mc_camera_bounds){
        .min = {plot.x0, base, plot.z0},
        .max = {plot.x1, base + (double)mc_city_get_building_height(city, building_index), plot.z1},
    };
}

mc_camera_bounds mc_camera_bounds_of_city(const mc_city *city) {
    return (mc_camera_bounds){
        .min = {0, 0, 0},
        .max = {city->width, city->highest_top, mc_city_get_front(city)},
    };
}

mc_camera_bounds mc_camera_bounds_of(const mc_city *city, mc_structure structure) {
    if (structure.building != MC_NONE) return get_building_bounds(city, structure.building);
    if (structure.district == MC_NONE) return mc_camera_bounds_of_city(city);
    uint32_t district = structure.district;
    mc_plot plot = city->district_plot[district];
    return (mc_camera_bounds){
        .min = {plot.x0, city->district_base[district], plot.z0},
        .max = {plot.x1, city->district_top[district], plot.z1},
    };
}

mc_camera_pose mc_camera_fit_structure(const mc_camera *camera, mc_camera_pose from,
                                       const mc_city *city, mc_structure structure) {
    if (structure.building != MC_NONE) {
        // A lone building that fills the picture would tell nothing about where it stands.
        mc_camera_bounds box = get_building_bounds(city, structure.building);
        double side = fmax(box.max[0] - box.min[0], box.max[2] - box.min[2]);
        for (int i = 0; i < 3; i += 2) {
            box.min[i] -= side;
            box.max[i] += side;
        }
        return mc_camera_fit(camera, from, &box, 1);
    }
    mc_camera_bounds floor = mc_camera_bounds_of(city, structure);
    floor.max[1] = floor.min[1];
    subject whole = {.boxes = &floor, .box_count = 1, .city = city};
    whole.building_count = city->building_count;
    if (structure.district != MC_NONE) {
        whole.first = city->district_building_first[structure.district];
        whole.building_count = city->district_building_count[structure.district];
    }
    return fit(camera, from, &whole);
}

mc_camera_pose mc_camera_get_preset(const mc_camera *camera, mc_camera_preset preset) {
    static const double angles[MC_CAMERA_PRESET_COUNT][2] = {
        [MC_CAMERA_CITY] = {28, 44},   [MC_CAMERA_BIRD] = {0, 90},     [MC_CAMERA_FRONT] = {0, 18},
        [MC_CAMERA_CORNER] = {45, 22}, [MC_CAMERA_ISO] = {45, 35.264},
    };
    mc_camera_pose pose = camera->pose;
    pose.azimuth_rad = angles[preset][0] * MC_CAMERA_PI / 180;
    pose.elevation_rad = angles[preset][1] * MC_CAMERA_PI / 180;
    return pose;
}

static bool parse_numbers(const char *text, double values[6]) {
    for (int i = 0; i < 6; i++) {
        char *end;
        values[i] = strtod(text, &end);
        if (end == text || !isfinite(values[i])) return false;
        text = end + strspn(end, " ");
        if (*text != (i < 5 ? ',' : '\0')) return false;
        text++;
    }
    return true;
}

mc_result mc_camera_parse(mc_camera *camera, const mc_city *city, const char *text,
                          mc_error *error) {
    static const char *const names[MC_CAMERA_PRESET_COUNT] = {"city", "bird", "front", "corner",
                                                              "iso"};
    for (int i = 0; i < MC_CAMERA_PRESET_COUNT; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        mc_camera_pose pose = mc_camera_get_preset(camera, (mc_camera_preset)i);
        pose = mc_camera_fit_structure(camera, pose, city, MC_STRUCTURE_NONE);
        mc_camera_set_pose(camera, &pose);
        return MC_OK;
    }
    double v[6];
    if (!parse_numbers(text, v)) {
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "camera '%s': expected city, bird, front, corner, iso or six numbers "
                       "EYE_X,EYE_Y,EYE_Z,TARGET_X,TARGET_Y,TARGET_Z",
                       text);
    }
    double d[3];
    mc_dvec3_sub(v, v + 3, d);
    double distance = mc_dvec3_norm(d);
    if (!(distance > 0) || !isfinite(distance) || v[1] < 0) {
        return mc_fail(error, MC_ERROR_BAD_DATA, "camera '%s': %s", text,
                       v[1] < 0 ? "the eye is below ground (EYE_Y < 0)"
                                : "the eye and the target are the same point");
    }
    mc_camera_pose pose = {
        .target = {v[3], v[4], v[5]},
        .distance = distance,
        .azimuth_rad = d[0] == 0 && d[2] == 0 ? 0 : atan2(d[0], d[2]),
        .elevation_rad = asin(mc_camera_clamp(d[1] / distance, -1, 1)),
    };
    mc_camera_set_pose(camera, &pose);
    return MC_OK;
}
