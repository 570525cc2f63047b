// Whose names are in a picture: who comes first, that nobody is named twice, and what gives way.
#include "engine/city/city_layout.h"
#include "engine/city/evaluate.h"
#include "engine/scene/label_ground.h"
#include "engine/scene/label_places.h"
#include "engine/scene/labels.h"
#include "engine/scene/look.h"
#include "engine/scene/params.h"
#include "engine/trace/versus/versus.h"
#include "tests/city_maker.h"

enum { LEAVES = 400, CAPACITY = 120 };

typedef struct picture {
    made_city made;
    mc_camera camera;
    mc_update_params params;
    mc_label_scene scene;
    uint32_t growers[MC_LABEL_MOST_GROWERS], grower_count;
} picture;

static void make_picture(picture *p) {
    static const mc_camera_viewport viewport = {.width = 1600, .height = 1000};
    static const mc_look look = {.opacity = 1};
    made_city_create(&p->made, LEAVES, MC_SCALING_LINEAR);
    const mc_city *city = p->made.city;
    mc_camera_bounds world = mc_camera_bounds_of_city(city);
    mc_camera_init(&p->camera, &world, viewport);
    p->params = mc_scene_get_params(&look, city, MC_STRUCTURE_NONE);
    p->params.blend = 1;
    p->scene = (mc_label_scene){.city = city,
                                .params = &p->params,
                                .from = p->made.counts[2],
                                .to = p->made.counts[2],
                                .camera = &p->camera,
                                .scale = 1};
    REQUIRE(mc_label_find_growers(p->made.trace, city, p->growers, &p->grower_count, NULL) ==
            MC_OK);
}

// Ranks are those of the city, and end where nothing grew any more.
static void check_growers(const picture *p) {
    const mc_city *city = p->made.city;
    CHECK(p->grower_count > 3);
    for (uint32_t i = 0; i < p->grower_count; i++) {
        uint32_t building = city->node_building[p->growers[i]];
        CHECK(city->building_growth_rank[building] == i);
        CHECK(p->made.counts[2][building] > city->building_first[building]);
    }
}

// Of a pair the largest, though the second one's window may end when most is gone again.
static void check_pair(const picture *p) {
    mc_trace *pair;
    mc_city *city;
    uint32_t nodes[MC_LABEL_MOST_GROWERS], count;
    const mc_versus_desc desc = {.sides = {p->made.trace, p->made.trace}};
    REQUIRE(mc_trace_versus(&desc, NULL, &pair, NULL) == MC_OK);
    mc_city_desc city_desc = mc_city_desc_default(pair);
    REQUIRE(mc_city_create(pair, &city_desc, NULL, &city, NULL) == MC_OK);
    REQUIRE(mc_label_find_growers(pair, city, nodes, &count, NULL) == MC_OK);
    CHECK(count == MC_LABEL_MOST_GROWERS);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t larger_count = 0, building = city->node_building[nodes[i]];
        for (uint32_t k = 0; k < city->building_count; k++)
            larger_count += city->building_max[k] > city->building_max[building];
        CHECK_MSG(larger_count <= i, "name %u: %u are larger", i, larger_count);
    }
    mc_city_destroy(city);
    mc_trace_destroy(pair);
}

// Of two traces what changed, the most first, and what was moved; no other roof has a name.
static void check_changed(picture *p) {
    mc_city *city = p->made.city;
    mc_styles styles;
    mc_label labels[CAPACITY];
    uint32_t nodes[MC_LABEL_MOST_GROWERS], count = 7, last = city->building_count - 1;
    REQUIRE(mc_styles_init(&styles, city, NULL) == MC_OK);
    CHECK(!mc_label_find_changed(&styles, city, nodes, &count) && count == 7);
    styles.color_mode = MC_COLOR_MODE_DIFFERENCE;
    styles.items[1].to_share = -0.5f;
    styles.items[2].to_share = MC_STYLE_LEAST_CHANGE / 2;
    styles.items[3].to_share = 1;
    styles.items[last].bits = MC_STYLE_MOVED;
    CHECK(mc_label_find_changed(&styles, city, nodes, &count) && count == 3);
    CHECK(nodes[0] == city->building_node[3] && nodes[1] == city->building_node[1]);
    CHECK(nodes[2] == city->building_node[last]);
    mc_label_request settings = {
        .selected = MC_NONE, .growers = nodes, .grower_count = count, .is_of_change = true};
    city->styles = styles.items;
    uint32_t labelled = mc_label_fill(&p->scene, &settings, labels, CAPACITY), others = 0;
    for (uint32_t i = 0; i < labelled; i++) {
        uint32_t building = city->node_building[labels[i].node];
        others += building != MC_NONE && building != 1 && building != 3 && building != last;
    }
    CHECK(labelled > 0 && others == 0);
    city->styles = NULL;
    mc_styles_deinit(&styles);
}

static uint32_t count_of(const mc_label *labels, uint32_t count, uint32_t node) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += labels[i].node == node;
    return found;
}

static void check_order(picture *p) {
    mc_label labels[CAPACITY];
    mc_walk walk = {.cause_index = 1, .count = 2};
    mc_walk_stop stops[2] = {{.node = p->growers[0]}, {.node = p->growers[1]}};
    walk.stops = stops;
    mc_label_request settings = {
        .selected = p->growers[2], .growers = p->growers, .grower_count = p->grower_count};
    uint32_t count = mc_label_fill(&p->scene, &settings, labels, CAPACITY);
    for (uint32_t i = 1; i < count; i++)
        CHECK(labels[i - 1].rank <= labels[i].rank);
    CHECK(count > 2 && labels[0].node == p->growers[2]);
    CHECK(count_of(labels, count, p->growers[2]) == 1);
    bool has_district = false;
    for (uint32_t i = 0; i < count; i++)
        has_district |= p->made.city->node_building[labels[i].node] == MC_NONE;
    CHECK(has_district);
    // As high in the picture as the building is between its roof's middle and its foot.
    const mc_city *city = p->made.city;
    uint32_t selected = city->node_building[p->growers[2]];
    mc_box box = mc_city_evaluate_building(city, p->scene.params, selected, p->scene.from[selected],
                                           p->scene.to[selected], NULL);
    double foot[3] = {((double)box.footprint.x0 + (double)box.footprint.x1) / 2, (double)box.base,
                      ((double)box.footprint.z0 + (double)box.footprint.z1) / 2};
    double x, y;
    REQUIRE(mc_camera_project(p->scene.camera, foot, &x, &y));
    CHECK(labels[0].height > 0 && fabs((double)(labels[0].y + labels[0].height) - y) < 0.5);
    for (uint32_t i = 0; i < count; i++)
        CHECK(city->node_building[labels[i].node] != MC_NONE || labels[i].height == 0);
    // The cause comes before the symptom, and what is dimmed has no names.
    settings.walk = &walk;
    count = mc_label_fill(&p->scene, &settings, labels, CAPACITY);
    CHECK(count == 3 && labels[1].node == p->growers[1] && labels[2].node == p->growers[0]);
    // A stop that had a name before gives way to what is selected.
    CHECK(labels[0].rank == MC_LABEL_SELECTED && labels[1].rank == MC_LABEL_WANTED);
    // Each stop has its number on the way, the selection none unless it is one.
    CHECK(labels[0].number == 0 && labels[1].number == 2 && labels[2].number == 1);
    settings.selected = p->growers[1];
    count = mc_label_fill(&p->scene, &settings, labels, CAPACITY);
    CHECK(count == 2 && labels[0].number == 2 && labels[1].number == 1);
    settings.selected = p->growers[2];
    CHECK(mc_label_fill(&p->scene, &settings, labels, 2) == 2);
    CHECK(mc_label_fill(&p->scene, &settings, labels, 0) == 0);
}

static void check_marked(picture *p) {
    const mc_city *city = p->made.city;
    mc_styles styles;
    mc_label labels[CAPACITY];
    uint32_t root = 0, marked[MC_LABEL_MOST_MARKED], again[MC_LABEL_MOST_MARKED];
    REQUIRE(mc_styles_init(&styles, city, NULL) == MC_OK);
    CHECK(mc_label_find_marked(&styles, city, NULL, 0, marked) == 0);
    mc_styles_mark(&styles, city, &p->growers[3], 1);
    CHECK(mc_label_find_marked(&styles, city, NULL, 0, marked) == 1 && marked[0] == p->growers[3]);
    mc_label_request settings = {.selected = MC_NONE,
                                 .is_marking = true,
                                 .marked = marked,
                                 .marked_count = 1,
                                 .growers = p->growers,
                                 .grower_count = p->grower_count,
                                 .leaves_out_districts = true};
    CHECK(mc_label_fill(&p->scene, &settings, labels, CAPACITY) == 1 &&
          labels[0].node == p->growers[3]);
    mc_styles_mark(&styles, city, &root, 1);
    CHECK(mc_label_find_marked(&styles, city, NULL, 0, marked) == MC_LABEL_MOST_MARKED);
    for (uint32_t i = 1; i < MC_LABEL_MOST_MARKED; i++)
        CHECK(city->building_max[city->node_building[marked[i - 1]]] >=
              city->building_max[city->node_building[marked[i]]]);
    // A district's content leaves room for what else was hit.
    uint32_t hits[] = {0, p->growers[5], p->growers[7]};
    mc_styles_mark(&styles, city, hits, 3);
    CHECK(mc_label_find_marked(&styles, city, hits, 3, again) == MC_LABEL_MOST_MARKED);
    CHECK(again[0] == marked[0] && again[1] == hits[1] && again[2] == hits[2]);
    for (uint32_t i = 1; i < MC_LABEL_MOST_MARKED; i++)
        for (uint32_t k = 0; k < i; k++)
            CHECK(again[i] != again[k]);
    mc_styles_deinit(&styles);
}

// ---- by size in the picture

static bool is_in(const mc_label_place *places, uint32_t count, mc_structure structure) {
    for (uint32_t i = 0; i < count; i++)
        if (places[i].structure.building == structure.building &&
            places[i].structure.district == structure.district)
            return true;
    return false;
}

// Whose plot is at least so many pixels wide and deep wherever one looks at it, and in the picture.
static bool is_large(const picture *p, mc_plot plot, double y, double least) {
    const mc_camera_viewport *v = &p->camera.viewport;
    const double corners[4][3] = {{(double)plot.x0, y, (double)plot.z0},
                                  {(double)plot.x1, y, (double)plot.z0},
                                  {(double)plot.x1, y, (double)plot.z1},
                                  {(double)plot.x0, y, (double)plot.z1}};
    double at[4][2];
    for (int i = 0; i < 4; i++) {
        if (!mc_camera_project(&p->camera, corners[i], &at[i][0], &at[i][1])) return false;
        if (at[i][0] < v->left || at[i][0] > v->width - v->right || at[i][1] < v->top ||
            at[i][1] > v->height - v->bottom)
            return false;
    }
    for (int i = 0; i < 4; i++)
        if (hypot(at[i][0] - at[(i + 1) & 3][0], at[i][1] - at[(i + 1) & 3][1]) < least)
            return false;
    return true;
}

// The walk through the cuts misses nothing that is large, and is sorted.
static uint32_t check_near(const picture *p) {
    const mc_city *city = p->made.city;
    mc_label_place places[MC_LABEL_MOST_NEAR];
    uint32_t count = mc_label_find_near(&p->scene, true, places), large = 0;
    for (uint32_t i = 1; i < count; i++)
        CHECK(places[i - 1].size >= places[i].size);
    for (uint32_t i = 0; i < city->building_count; i++) {
        if (!is_large(p, city->building_plot[i], (double)city->building_base[i], 40)) continue;
        CHECK_MSG(is_in(places, count, (mc_structure){i, MC_NONE}), "building %u", i);
        large++;
    }
    for (uint32_t i = 1; i < city->district_count; i++) {
        if (!is_large(p, city->district_plot[i], (double)city->district_base[i], 40)) continue;
        CHECK_MSG(is_in(places, count, (mc_structure){MC_NONE, i}), "district %u", i);
        large++;
    }
    CHECK(count >= large && count < MC_LABEL_MOST_NEAR);
    uint32_t districts = mc_label_find_near(&p->scene, false, places);
    for (uint32_t i = 0; i < districts; i++)
        CHECK(places[i].structure.building == MC_NONE);
    return large;
}

static double get_border_y(const picture *p, uint32_t district) {
    const mc_city *city = p->made.city;
    return (double)city->district_base[district] + (double)city->district_height;
}

// All of them on the rim that is nearest, within their district and within the picture.
static uint32_t check_rims(const picture *p, float *widest) {
    const mc_city *city = p->made.city;
    mc_label_place places[MC_LABEL_MOST_NEAR];
    uint32_t count = mc_label_find_near(&p->scene, false, places), named = 0;
    for (uint32_t i = 0; i < count; i++) {
        mc_label label;
        uint32_t district = places[i].structure.district;
        if (!mc_label_place_name(&p->scene, places[i].structure, &label)) continue;
        const mc_camera_viewport *v = &p->camera.viewport;
        CHECK(label.x >= v->left && label.x <= v->width - v->right && label.y >= v->top &&
              label.y <= v->height - v->bottom);
        CHECK(label.opacity > 0 && label.opacity <= 1 && label.flat && label.most_width >= 44);
        *widest = fmaxf(*widest, label.most_width);
        mc_plot plot = city->district_plot[district];
        // The camera's azimuth is 28 degrees: the front is the side of the greatest z.
        double half = ((double)plot.z1 - (double)plot.z0) / 4, y = get_border_y(p, district);
        mc_ray ray = mc_camera_get_ray(&p->camera, (double)label.x, (double)label.y);
        double t = (y - (double)ray.origin[1]) / (double)ray.direction[1];
        double z = (double)ray.origin[2] + t * (double)ray.direction[2];
        double x = (double)ray.origin[0] + t * (double)ray.direction[0];
        CHECK_MSG(z > (double)plot.z1 - half && z < (double)plot.z1 + 0.5, "district %u: z %g",
                  district, z);
        CHECK(x > (double)plot.x0 - 0.5 && x < (double)plot.x1 + 0.5);
        named++;
    }
    return named;
}

// Nearer, deeper districts and roofs have names, and a camera that moves by little changes little.
static void check_distances(picture *p) {
    const mc_city *city = p->made.city;
    mc_label labels[2][CAPACITY];
    mc_label_request settings = {.selected = MC_NONE};
    mc_camera_pose home = p->camera.pose;
    uint32_t roofs = 0, large = 0, rims = 0;
    float widest = 0;
    for (int notch = 0; notch < 12; notch++) {
        large += check_near(p);
        rims += check_rims(p, &widest);
        uint32_t count[2];
        for (int round = 0; round < 2; round++) {
            p->camera.pose.target[0] += round * 1e-3 * p->camera.pose.distance;
            count[round] = mc_label_fill(&p->scene, &settings, labels[round], CAPACITY);
        }
        // What came or went was hardly there, or stood at the picture's border or behind a wall.
        uint32_t others = 0;
        for (uint32_t i = 0; i < count[0]; i++)
            others += count_of(labels[1], count[1], labels[0][i].node) == 0;
        CHECK_MSG(others <= 2, "%u of %u names went", others, count[0]);
        for (uint32_t i = 0; i < count[0]; i++)
            roofs += city->node_building[labels[0][i].node] != MC_NONE;
        p->camera.pose.distance *= 0.8;
    }
    CHECK_MSG(roofs > 10 && large > 20 && rims > 5, "%u, %u, %u", roofs, large, rims);
    // A district has all of its rim for its name, not only as much as a name over a roof has.
    CHECK_MSG((double)widest > 1.5 * MC_LABEL_MOST_WIDTH, "%g", (double)widest);
    p->camera.pose = home;
    p->camera.pose.elevation_rad = 1.5707963;
    check_near(p);
    CHECK(mc_label_fill(&p->scene, &settings, labels[0], CAPACITY) > 4);
    p->camera.pose = home;
}

// From straight above the names of what grew stand on their own roofs, and where a roof has no room
// for one, after those that have.
static void check_above(picture *p) {
    const mc_city *city = p->made.city;
    mc_label labels[CAPACITY];
    mc_label_request settings = {
        .selected = MC_NONE, .growers = p->growers, .grower_count = p->grower_count};
    mc_camera_pose home = p->camera.pose;
    uint32_t on_roofs = 0, small = 0;
    p->camera.pose.azimuth_rad = 0; // what is right in the picture is along x
    p->camera.pose.elevation_rad = 1.5707963;
    for (int notch = 0; notch < 8; notch++) {
        uint32_t count = mc_label_fill(&p->scene, &settings, labels, CAPACITY);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t building = city->node_building[labels[i].node];
            small += labels[i].rank == MC_LABEL_SMALL;
            if (building == MC_NONE || labels[i].rank == MC_LABEL_SMALL) continue;
            mc_box box = mc_city_evaluate_building(
                city, &p->params, building, p->scene.from[building], p->scene.to[building], NULL);
            double low[3] = {(double)box.footprint.x0, (double)box.base + (double)box.height,
                             (double)box.footprint.z0};
            double high[3] = {(double)box.footprint.x1, low[1], (double)box.footprint.z1};
            double a[2], b[2], half = (double)labels[i].most_width / 2;
            REQUIRE(mc_camera_project(&p->camera, low, &a[0], &a[1]) &&
                    mc_camera_project(&p->camera, high, &b[0], &b[1]));
            CHECK_MSG(labels[i].flat && (double)labels[i].x - half >= fmin(a[0], b[0]) - 0.5 &&
                          (double)labels[i].x + half <= fmax(a[0], b[0]) + 0.5,
                      "%g±%g on a roof from %g to %g", (double)labels[i].x, half, a[0], b[0]);
            // Where it would be torn it may stand over its roof, as wide as elsewhere.
            bool is_near = labels[i].rank == MC_LABEL_NEAR;
            CHECK(is_near == (labels[i].over_width < MC_LABEL_MOST_WIDTH));
            on_roofs++;
        }
        p->camera.pose.distance *= 0.8;
    }
    CHECK_MSG(on_roofs > 10 && small > 3, "%u on roofs, %u small", on_roofs, small);
    p->camera.pose = home;
}

static void place_on_ground(const mc_ground_text *text, double u, double v, double at[2]) {
    const float *m = text->matrix;
    double w = (double)m[6] * u + (double)m[7] * v + (double)m[8];
    at[0] = ((double)m[0] * u + (double)m[1] * v + (double)m[2]) / w;
    at[1] = ((double)m[3] * u + (double)m[4] * v + (double)m[5]) / w;
}

// Whichever way the camera looks, a name on the ground reads from left to right, is not upside
// down, and has capitals that can be read; whoever looks along the ground sees none.
static void check_ground_text(const mc_ground_text *text, double scale) {
    double half = (double)text->room / 2, capital = 0.72 * (double)text->em, at[4][2];
    place_on_ground(text, -half, 0, at[0]);
    place_on_ground(text, half, 0, at[1]);
    place_on_ground(text, 0, -capital / 2, at[2]);
    place_on_ground(text, 0, capital / 2, at[3]);
    double along[2] = {at[1][0] - at[0][0], at[1][1] - at[0][1]};
    double up[2] = {at[3][0] - at[2][0], at[3][1] - at[2][1]};
    double height = fabs(along[0] * up[1] - along[1] * up[0]) / hypot(along[0], along[1]);
    CHECK(along[0] > 0 && up[1] < 0);
    CHECK_MSG(height > 8.9 * fmax(scale, 1) && height < 13 * fmax(scale, 1), "%g high", height);
    CHECK(text->ink != text->halo && text->ink >> 24 == 255);
}

static uint32_t check_ground_names(const picture *p, uint32_t lying[2]) {
    const mc_city *city = p->made.city;
    uint32_t count = 0;
    for (uint32_t district = 1; district < city->district_count && count < 2; district++) {
        mc_ground_text text;
        if (!mc_label_lay_on_ground(&p->scene, district, &text)) continue;
        check_ground_text(&text, (double)p->scene.scale);
        lying[count++] = district;
    }
    return count;
}

// A camera that turns a little moves the names on the ground a little.
static void check_turn(picture *p, uint32_t district) {
    mc_ground_text before, after;
    REQUIRE(mc_label_lay_on_ground(&p->scene, district, &before));
    p->camera.pose.azimuth_rad += 1e-4;
    REQUIRE(mc_label_lay_on_ground(&p->scene, district, &after));
    for (int i = -1; i <= 1; i++) {
        double a[2], b[2];
        place_on_ground(&before, i * (double)before.room / 2, 0, a);
        place_on_ground(&after, i * (double)after.room / 2, 0, b);
        CHECK_MSG(hypot(a[0] - b[0], a[1] - b[1]) < 1, "%g", hypot(a[0] - b[0], a[1] - b[1]));
    }
}

static void check_ground(picture *p) {
    mc_theme theme = mc_theme_get(false, MC_PALETTE_HEAT);
    mc_camera_pose home = p->camera.pose;
    mc_ground_text text;
    uint32_t lying[2], found = 0;
    CHECK(!mc_label_lay_on_ground(&p->scene, 1, &text) && text.room == 0); // without a theme
    p->scene.theme = &theme;
    for (int turn = 0; turn < 24; turn++) {
        p->camera.pose.azimuth_rad = turn * 0.2618 + 0.1;
        p->camera.pose.elevation_rad = turn % 3 == 0 ? 1.5707963 : 0.7;
        p->scene.scale = turn % 2 == 0 ? 1 : 1.7f;
        uint32_t count = check_ground_names(p, lying);
        CHECK_MSG(count > 0, "none at %d", turn);
        if (count > 0) check_turn(p, lying[0]);
        found += count;
    }
    CHECK(found > 24);
    p->scene.scale = 1;
    p->camera.pose.elevation_rad = 0.2;
    for (uint32_t district = 1; district < p->made.city->district_count; district++)
        CHECK(!mc_label_lay_on_ground(&p->scene, district, &text));
    p->camera.pose = home;
    p->scene.theme = NULL;
}

// A roof's name has a contrast of 4.5 : 1 with it, in the sun and in the shade, or a plate.
static void check_inks(picture *p) {
    uint32_t bare = 0, named = 0;
    for (int which = 0; which < 2 * MC_PALETTE_COUNT; which++) {
        mc_theme theme = mc_theme_get(which % 2 == 1, (mc_palette)(which / 2));
        mc_label labels[CAPACITY];
        mc_label_request settings = {
            .selected = MC_NONE, .growers = p->growers, .grower_count = p->grower_count};
        p->scene.theme = &theme;
        mc_theme_apply(&theme, &p->params);
        uint32_t count = mc_label_fill(&p->scene, &settings, labels, CAPACITY);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t building = p->made.city->node_building[labels[i].node];
            if (building == MC_NONE) continue;
            named++;
            if (labels[i].ink == 0) continue;
            mc_color color;
            mc_city_evaluate_building(p->made.city, &p->params, building, p->scene.from[building],
                                      p->scene.to[building], &color);
            const float roof[3] = {color.r, color.g, color.b};
            const float ink[3] = {(float)(labels[i].ink & 255) / 255,
                                  (float)(labels[i].ink >> 8 & 255) / 255,
                                  (float)(labels[i].ink >> 16 & 255) / 255};
            const float dim[3] = {roof[0] * 0.83f, roof[1] * 0.83f, roof[2] * 0.83f};
            CHECK(mc_theme_get_contrast(roof, ink) >= MC_THEME_LEAST_CONTRAST);
            CHECK(mc_theme_get_contrast(dim, ink) >= MC_THEME_LEAST_CONTRAST);
            bare++;
        }
    }
    CHECK_MSG(bare > 10 && bare < named, "%u of %u", bare, named);
    p->scene.theme = NULL;
    // The middle between black and white is neither's.
    mc_theme theme = mc_theme_get(false, MC_PALETTE_HEAT);
    const float middle[3] = {0.5f, 0.5f, 0.5f}, white[3] = {1, 1, 1}, black[3] = {0, 0, 0};
    float ink[3];
    CHECK(!mc_theme_choose_ink(&theme, middle, 0.6f, ink));
    CHECK(mc_theme_choose_ink(&theme, white, 0.6f, ink) && ink[0] < 0.5f);
    CHECK(mc_theme_choose_ink(&theme, black, 0.6f, ink) && ink[0] > 0.5f);
    CHECK(fabsf(mc_theme_get_contrast(white, black) - 21) < 0.01f);
}

int main(void) {
    picture p;
    make_picture(&p);
    check_growers(&p);
    check_pair(&p);
    check_changed(&p);
    check_order(&p);
    check_marked(&p);
    check_distances(&p);
    check_above(&p);
    check_ground(&p);
    check_inks(&p);
    made_city_destroy(&p.made);
    return test_finish();
}
