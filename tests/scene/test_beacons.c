// Beacons: over what is wanted and small in the picture, the most important first, and gone once it
// is large.
#include "engine/scene/beacons.h"
#include "engine/scene/look.h"
#include "engine/scene/params.h"
#include "tests/city_maker.h"
#include <stdlib.h>
#include <string.h>

enum { LEAVES = 3000 };

typedef struct picture {
    made_city made;
    mc_camera camera;
    mc_update_params params;
    mc_label_scene scene;
    mc_theme theme;
    mc_beacons beacons;
} picture;

static void make_picture(picture *p) {
    static const mc_camera_viewport viewport = {.width = 1600, .height = 900};
    static const mc_look look = {.opacity = 1};
    made_city_create(&p->made, LEAVES, MC_SCALING_LINEAR);
    const mc_city *city = p->made.city;
    mc_camera_bounds world = mc_camera_bounds_of_city(city);
    mc_camera_init(&p->camera, &world, viewport);
    p->params = mc_scene_get_params(&look, city, MC_STRUCTURE_NONE);
    p->params.blend = 1;
    p->theme = mc_theme_get(false, MC_PALETTE_HEAT);
    p->scene = (mc_label_scene){.city = city,
                                .params = &p->params,
                                .from = p->made.counts[2],
                                .to = p->made.counts[2],
                                .camera = &p->camera,
                                .scale = 1};
}

static uint32_t count_beacons(picture *p, const mc_label_request *settings) {
    mc_beacons_fill(&p->beacons, &p->scene, settings, &p->theme, 1);
    return p->beacons.count;
}

static uint32_t find_building(const picture *p, bool is_largest) {
    const mc_city *city = p->made.city;
    uint32_t best = MC_NONE;
    for (uint32_t i = 0; i < city->building_count; i++) {
        if (p->made.counts[2][i] == 0) continue;
        bool is_more = best == MC_NONE || city->building_max[i] > city->building_max[best];
        if (best == MC_NONE || is_more == is_largest) best = i;
    }
    return best;
}

static void check_size(picture *p) {
    const mc_city *city = p->made.city;
    uint32_t small = find_building(p, false), large = find_building(p, true);
    mc_label_request settings = {.selected = city->building_node[large]};
    CHECK(count_beacons(p, &settings) == 0);
    settings.selected = city->building_node[small];
    REQUIRE(count_beacons(p, &settings) == 1);
    const mc_beacon *beacon = &p->beacons.items[0];
    mc_box box = mc_city_evaluate_building(city, &p->params, small, p->made.counts[2][small],
                                           p->made.counts[2][small], NULL);
    CHECK(beacon->opacity == 1 && beacon->foot[1] == box.base + box.height);
    CHECK(beacon->foot[0] > box.footprint.x0 && beacon->foot[0] < box.footprint.x1);
    CHECK(memcmp(beacon->color, p->theme.selection_outline, sizeof beacon->color) == 0);
    // Nearer it fades, and is gone; its size on the screen is always the same.
    mc_camera_pose far = p->camera.pose, near = far;
    for (int i = 0; i < 3; i++)
        near.target[i] = (double)beacon->foot[i];
    float last = 1, height = p->beacons.height;
    for (near.distance = 3000; near.distance > 1; near.distance *= 0.9) {
        mc_camera_set_pose(&p->camera, &near);
        float now = count_beacons(p, &settings) ? p->beacons.items[0].opacity : 0;
        CHECK(now <= last && p->beacons.height == height);
        last = now;
    }
    CHECK(last == 0);
    mc_camera_set_pose(&p->camera, &far);
}

static void check_scale(picture *p) {
    uint32_t small = find_building(p, false);
    mc_label_request settings = {.selected = p->made.city->building_node[small]};
    mc_beacons plain = {0}, fine = {0};
    mc_beacons_fill(&plain, &p->scene, &settings, &p->theme, 1);
    mc_beacons_fill(&fine, &p->scene, &settings, &p->theme, 2);
    CHECK(fine.half_width == 2 * plain.half_width && fine.height == 2 * plain.height);
}

static void check_order(picture *p) {
    const mc_city *city = p->made.city;
    uint32_t nodes[MC_LABEL_MOST_GROWERS], count = 0;
    for (uint32_t i = city->building_count; i-- > 0 && count < MC_LABEL_MOST_GROWERS;)
        if (p->made.counts[2][i] > 0) nodes[count++] = city->building_node[i];
    mc_label_request settings = {.selected = nodes[3], .growers = nodes, .grower_count = count};
    uint32_t most = count_beacons(p, &settings);
    // Each has one, the selection comes first, and those that grew are the first few.
    CHECK_MSG(most > 3 && most <= 10, "%u", most);
    CHECK(memcmp(p->beacons.items[0].color, p->theme.selection_outline, 12) == 0);
    settings.is_marking = true;
    settings.marked = nodes;
    settings.marked_count = MC_LABEL_MOST_MARKED;
    CHECK(count_beacons(p, &settings) <= MC_LABEL_MOST_MARKED); // the selection is one of them
    mc_walk_stop stops[2] = {{.node = nodes[0]}, {.node = nodes[1]}};
    mc_walk walk = {.count = 2, .stops = stops};
    settings.walk = &walk;
    CHECK(count_beacons(p, &settings) == 3);
    CHECK(memcmp(p->beacons.items[1].color, p->theme.frustums[MC_FRUSTUM_CHAIN], 12) == 0);
    settings = (mc_label_request){.selected = MC_NONE};
    CHECK(count_beacons(p, &settings) == 0);
}

// What hardly grew beside what grew the most is not looked for.
static void check_growth(picture *p) {
    const mc_city *city = p->made.city;
    uint32_t small = find_building(p, false), other = MC_NONE;
    for (uint32_t i = 0; i < city->building_count && other == MC_NONE; i++)
        if (i != small && city->building_max[i] == city->building_max[small]) other = i;
    REQUIRE(other != MC_NONE);
    uint32_t nodes[2] = {city->building_node[small], city->building_node[other]};
    mc_label_request settings = {.selected = MC_NONE, .growers = nodes, .grower_count = 2};
    uint64_t *now = malloc(city->building_count * sizeof *now);
    REQUIRE(now);
    memcpy(now, p->made.counts[2], city->building_count * sizeof *now);
    const uint64_t *before = p->scene.to;
    p->scene.from = p->scene.to = now;
    now[small] = city->building_first[small] + 1000;
    now[other] = city->building_first[other] + 500;
    uint32_t both = count_beacons(p, &settings);
    now[other] = city->building_first[other] + 1;
    CHECK_MSG(both == 2 && count_beacons(p, &settings) == 1, "%u, then %u", both, p->beacons.count);
    p->scene.from = p->scene.to = before;
    free(now);
}

int main(void) {
    picture p;
    make_picture(&p);
    check_size(&p);
    check_scale(&p);
    check_order(&p);
    check_growth(&p);
    made_city_destroy(&p.made);
    return test_finish();
}
