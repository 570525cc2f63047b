#include "engine/scene/label_ground.h"

#include "engine/city/evaluate.h"
#include "engine/city/markers.h"
#include "engine/scene/camera_math.h"
#include <string.h>

// Pixels at a scale of 1.
#define CAPITAL 9.5       // of a name on the ground, in the picture
#define LEAST_CAPITAL 9.0 // at any scale
#define MOST_EM 27.0      // or the ground is seen too flat
#define MARKER_AIR 1.4    // of the markers' depth
#define FLATTEST 0.2      // the sine of the elevation below which it surely is
#define ABOVE_ROOF 17.0   // from the middle of a roof to that of a name above it

// In parts of a letter.
#define CAPITAL_SHARE 0.72
#define GAP 0.42         // between the city's edge and the text
#define STREET_SHARE 1.2 // that a street is wider
#define AIR 0.7          // along the line
#define ROW 1.5          // from one row before the city to the next
#define OUTER_SHARE 1.15 // how much larger names in the outer row are

#define STEEPEST 1.0       // of a line in the picture
#define TOUCH_SHARE 2.0    // of the rims between a district and the city's edge
#define ROOF_LIGHT 0.62f   // that shadows leave at least
#define GROUND_LIGHT 0.55f // likewise, also at a building's foot
#define HALO 110  // of a surface's own colour, 0 to 255: what is seen beside it is not near
#define PLATE 225 // where the ink has too little contrast by itself

// A side of a plot, and the line along it, from the left in the picture to the right.
typedef struct edge {
    int across;        // 0: it is at an end of x, 1: of z
    bool is_high;      // of the two
    double along[2];   // x, z; unit
    double outward[2]; // towards the eye
} edge;

// The two sides that face the eye, first the one that is less steep.
static void get_edges(const mc_camera *camera, edge edges[2]) {
    double azimuth = camera->pose.azimuth_rad, toward[2] = {sin(azimuth), cos(azimuth)};
    int first = fabs(toward[0]) > fabs(toward[1]) * (1 + 1e-9) ? 0 : 1;
    for (int i = 0; i < 2; i++) {
        edge *e = &edges[i];
        *e = (edge){.across = i == 0 ? first : 1 - first};
        e->is_high = toward[e->across] > 0;
        e->outward[e->across] = e->is_high ? 1 : -1;
        e->along[0] = e->outward[1];
        e->along[1] = -e->outward[0];
    }
}

static double get_side(mc_plot plot, const edge *e) {
    if (e->across == 0) return e->is_high ? (double)plot.x1 : (double)plot.x0;
    return e->is_high ? (double)plot.z1 : (double)plot.z0;
}

// How far from a district's side what borders on it begins at most.
static double get_most_between(const mc_city *city, uint32_t district) {
    return TOUCH_SHARE * mc_label_get_border(city, district) + 1e-6;
}

// Nothing but rims is between the district and the city's edge.
static bool is_at_edge(const mc_city *city, uint32_t district, const edge *e) {
    while (district != 0) {
        uint32_t parent = city->district_parent[district];
        double between = fabs(get_side(city->district_plot[parent], e) -
                              get_side(city->district_plot[district], e));
        if (between > get_most_between(city, parent)) return false;
        district = parent;
    }
    return true;
}

// Before the city, in two rows, stand districts of the first two levels: those of the first level
// that have others in them there in the outer row. MC_NONE: it stands in none.
static uint32_t get_row(const mc_city *city, uint32_t district, const edge *e) {
    uint32_t first = city->district_level[0], level = city->district_level[district] - first;
    if (level > 2 || !is_at_edge(city, district, e)) return MC_NONE;
    const uint32_t *items = city->items + city->district_item_first[district];
    double most = -1, side = get_side(city->district_plot[district], e);
    for (uint32_t i = 0; level == 1 && i < city->district_item_count[district]; i++) {
        if (!(items[i] & MC_ITEM_DISTRICT)) continue;
        if (most < 0) most = get_most_between(city, district);
        double inner = get_side(city->district_plot[items[i] & ~MC_ITEM_DISTRICT], e);
        if (fabs(inner - side) <= most) return 1;
    }
    return 0;
}

// Where the city ends: markers of GC roots stand in front of it, and need some air as well.
static double get_city_side(const mc_city *city, const edge *e) {
    double side = get_side(city->district_plot[0], e);
    if (e->across == 0 || !e->is_high) return side;
    return side + MARKER_AIR * ((double)mc_city_get_front(city) - side);
}

static double get_pixels(const mc_camera *camera, const double point[3]) {
    mc_camera_axes a = mc_camera_get_axes(camera->pose.azimuth_rad, camera->pose.elevation_rad);
    double eye[3], way[3];
    mc_camera_get_viewpoint(camera, eye);
    mc_dvec3_sub(point, eye, way);
    double depth = mc_dvec3_dot(a.forward, way);
    return depth > 0 ? mc_camera_get_focal(camera) / depth : 0;
}

static void set_matrix(const mc_camera *camera, const edge *e, const double middle[3],
                       double pixels, float matrix[9]) {
    mc_camera_axes a = mc_camera_get_axes(camera->pose.azimuth_rad, camera->pose.elevation_rad);
    double eye[3], cx, cy, focal = mc_camera_get_focal(camera);
    mc_camera_get_viewpoint(camera, eye);
    mc_camera_get_free_center(&camera->viewport, &cx, &cy);
    double columns[3][3] = {{e->along[0] / pixels, 0, e->along[1] / pixels},
                            {-e->outward[0] / pixels, 0, -e->outward[1] / pixels}};
    mc_dvec3_sub(middle, eye, columns[2]);
    double depth = mc_dvec3_dot(a.forward, columns[2]);
    for (int i = 0; i < 3; i++) {
        double x = mc_dvec3_dot(a.right, columns[i]), y = mc_dvec3_dot(a.up, columns[i]);
        double z = mc_dvec3_dot(a.forward, columns[i]);
        matrix[i] = (float)((cx * z + focal * x) / depth);
        matrix[3 + i] = (float)((cy * z - focal * y) / depth);
        matrix[6 + i] = (float)(z / depth);
    }
}

// How high in the picture what is 1 high in the text's plane is there. 0: the line is too steep.
static double get_height(const float matrix[9]) {
    const double m[9] = {(double)matrix[0], (double)matrix[1], (double)matrix[2],
                         (double)matrix[3], (double)matrix[4], (double)matrix[5],
                         (double)matrix[6], (double)matrix[7], (double)matrix[8]};
    double right[2] = {m[0] - m[2] * m[6], m[3] - m[5] * m[6]};
    double up[2] = {m[1] - m[2] * m[7], m[4] - m[5] * m[7]};
    if (!(right[0] > 0) || fabs(right[1]) > STEEPEST * right[0]) return 0;
    return fabs(right[0] * up[1] - right[1] * up[0]) / hypot(right[0], right[1]);
}

// Whether the ground is seen too flat for any name, also where perspective helps.
static bool is_flat(const mc_camera *camera) {
    return sin(camera->pose.elevation_rad) < FLATTEST;
}

static double get_distance(const double a[3], const double b[3]) {
    double way[3];
    mc_dvec3_sub(a, b, way);
    return mc_dvec3_norm(way);
}

// A line on the ground, and what it may have.
typedef struct line {
    double from[3], to[3];
    double width; // of the street; 0: any
    uint32_t row; // out from under the line; MC_NONE: on it
} line;

static bool lay(const mc_label_scene *scene, const edge *e, line l, mc_ground_text *text,
                double middle[3]) {
    const mc_camera *camera = scene->camera;
    double scale = (double)scene->scale, capital = fmax(CAPITAL * scale, LEAST_CAPITAL);
    bool is_outer = l.row != MC_NONE && l.row > 0;
    if (!mc_label_clip(scene, l.from, l.to, middle)) return false;
    double pixels = get_pixels(camera, middle);
    if (!(pixels > 0)) return false;
    set_matrix(camera, e, middle, pixels, text->matrix);
    double height = get_height(text->matrix);
    if (!(height * CAPITAL_SHARE * MOST_EM * scale >= capital)) return false;
    double em = capital / (height * CAPITAL_SHARE);
    if (l.width > 0 && l.width * pixels < STREET_SHARE * em) return false;
    double half = fmin(get_distance(middle, l.from), get_distance(middle, l.to));
    if (is_outer) em *= OUTER_SHARE;
    text->em = (float)em;
    text->room = (float)fmax(2 * half * pixels - AIR * em, 0);
    double rows = l.row == MC_NONE ? 0 : GAP + CAPITAL_SHARE / 2 + ROW * l.row;
    double out = rows * em / pixels;
    middle[0] += e->outward[0] * out;
    middle[2] += e->outward[1] * out;
    if (out > 0) set_matrix(camera, e, middle, pixels, text->matrix);
    return text->room > 0;
}

static line get_line(const mc_city *city, uint32_t district, const edge *e, double side, double y) {
    mc_plot plot = city->district_plot[district];
    double low = e->across == 0 ? (double)plot.z0 : (double)plot.x0;
    double high = e->across == 0 ? (double)plot.z1 : (double)plot.x1;
    line l = {.from = {low, y, low}, .to = {high, y, high}, .row = MC_NONE};
    l.from[e->across * 2] = l.to[e->across * 2] = side;
    return l;
}

static void set_ink(const mc_theme *theme, const float surface[3], float least_light,
                    mc_ground_text *text) {
    float ink[3];
    bool is_enough = mc_theme_choose_ink(theme, surface, least_light, ink);
    float other = ink[0] > 0.5f ? 0.08f : 0.97f;
    const float plate[3] = {other, other, other};
    text->ink = mc_theme_pack(ink, 255);
    text->halo = mc_theme_pack(is_enough ? surface : plate, is_enough ? HALO : PLATE);
}

static bool lay_before_city(const mc_label_scene *scene, uint32_t district, const edge *e,
                            mc_ground_text *text) {
    const mc_city *city = scene->city;
    double middle[3];
    uint32_t row = get_row(city, district, e);
    if (row == MC_NONE) return false;
    line l = get_line(city, district, e, get_city_side(city, e), (double)city->district_base[0]);
    l.row = row;
    if (!lay(scene, e, l, text, middle)) return false;
    set_ink(scene->theme, scene->theme->background_bottom, GROUND_LIGHT, text);
    return true;
}

static bool is_line_seen(const mc_label_scene *scene, const edge *e, const mc_ground_text *text,
                         const double middle[3], double pixels) {
    for (int i = -1; i <= 1; i++) {
        double point[3], along = i * 0.4 * (double)text->room / pixels;
        memcpy(point, middle, sizeof point);
        point[0] += e->along[0] * along;
        point[2] += e->along[1] * along;
        if (!mc_label_is_seen(scene, point, MC_NONE)) return false;
    }
    return true;
}

// Whether a street of that width may be wide enough, wherever it runs around the district.
static bool may_have_room(const mc_label_scene *scene, uint32_t district, double border) {
    mc_plot plot = scene->city->district_plot[district];
    mc_camera_axes a =
        mc_camera_get_axes(scene->camera->pose.azimuth_rad, scene->camera->pose.elevation_rad);
    double eye[3], way[3], reach = hypot((double)(plot.x1 - plot.x0), (double)(plot.z1 - plot.z0));
    const double middle[3] = {(double)(plot.x0 + plot.x1) / 2,
                              (double)scene->city->district_base[district],
                              (double)(plot.z0 + plot.z1) / 2};
    mc_camera_get_viewpoint(scene->camera, eye);
    mc_dvec3_sub(middle, eye, way);
    double depth = mc_dvec3_dot(a.forward, way) - reach / 2;
    double least = STREET_SHARE * CAPITAL / CAPITAL_SHARE * (double)scene->scale;
    return !(depth > 0) || border * mc_camera_get_focal(scene->camera) >= least * depth;
}

static bool lay_in_street(const mc_label_scene *scene, uint32_t district, const edge *e,
                          double border, mc_ground_text *text) {
    const mc_city *city = scene->city;
    double middle[3];
    double y = (double)city->district_base[district] + (double)city->district_height;
    double side = get_side(city->district_plot[district], e);
    side += (e->is_high ? -0.5 : 0.5) * border;
    line l = get_line(city, district, e, side, y);
    l.width = border;
    if (!lay(scene, e, l, text, middle) ||
        !is_line_seen(scene, e, text, middle, get_pixels(scene->camera, middle)))
        return false;
    const mc_theme *theme = scene->theme;
    bool is_green = city->desc.scaling == MC_SCALING_ELEVATION;
    const float *root = is_green ? theme->package_root : theme->district_root;
    const float *deepest = is_green ? theme->package_deepest : theme->district_deepest;
    float levels = city->deepest_level > 0 ? (float)city->deepest_level : 1, surface[3];
    float level = sqrtf((float)city->district_level[district] / levels);
    for (int i = 0; i < 3; i++)
        surface[i] = root[i] + (deepest[i] - root[i]) * level;
    set_ink(theme, surface, GROUND_LIGHT, text);
    return true;
}

bool mc_label_lay_on_ground(const mc_label_scene *scene, uint32_t district, mc_ground_text *text) {
    edge edges[2];
    *text = (mc_ground_text){.room = 0};
    if (!scene->theme) return false;
    get_edges(scene->camera, edges);
    if (is_flat(scene->camera)) return false;
    for (int i = 0; i < 2; i++)
        if (lay_before_city(scene, district, &edges[i], text)) return true;
    double border = mc_label_get_border(scene->city, district);
    bool has_room = border > 0 && may_have_room(scene, district, border);
    for (int i = 0; has_room && i < 2; i++)
        if (lay_in_street(scene, district, &edges[i], border, text)) return true;
    text->room = 0;
    return false;
}

// ---- roofs

// Whether a point of the picture shows the roof.
static bool shows_roof(const mc_label_scene *scene, uint32_t building, double height, double x,
                       double y) {
    mc_ray ray = mc_camera_get_ray(scene->camera, x, y);
    double down = (double)ray.direction[1];
    if (!(down < 0)) return false;
    double at = (height - (double)ray.origin[1]) / down, point[3];
    for (int i = 0; i < 3; i++)
        point[i] = (double)ray.origin[i] + at * (double)ray.direction[i];
    return mc_label_is_seen(scene, point, building);
}

void mc_label_choose_ink(const mc_label_scene *scene, uint32_t building, mc_label *label) {
    mc_color color;
    mc_box box = mc_city_evaluate_building(scene->city, scene->params, building,
                                           scene->from[building], scene->to[building], &color);
    const float surface[3] = {color.r, color.g, color.b};
    double scale = (double)scene->scale, room = (double)label->ink_width;
    float ink[3];
    if (!scene->theme || color.opacity < 1 || !(room > 0) ||
        !mc_theme_choose_ink(scene->theme, surface, ROOF_LIGHT, ink))
        return;
    double top = (double)box.base + (double)box.height;
    double half = fmin(room, MC_LABEL_MOST_WIDTH * scale) / 2;
    double y = (double)label->y - (label->flat ? 0 : ABOVE_ROOF * scale);
    for (int i = -1; i <= 1; i += 2)
        if (!shows_roof(scene, building, top, (double)label->x + i * half, y)) return;
    label->ink = mc_theme_pack(ink, 255);
    label->halo = mc_theme_pack(surface, HALO);
}
