// Whose names are in a picture: who comes first, that nobody is named twice, and what gives way.
#include "engine/scene/labels.h"
#include "engine/scene/look.h"
#include "engine/scene/params.h"
#include "tests/city_maker.h"

enum { LEAVES = 400, CAPACITY = 48 };

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
    mc_label_wish wish = {
        .selected = p->growers[2], .growers = p->growers, .grower_count = p->grower_count};
    uint32_t count = mc_label_fill(&p->scene, &wish, labels, CAPACITY);
    CHECK(count > 2 && labels[0].node == p->growers[2]);
    CHECK(count_of(labels, count, p->growers[2]) == 1);
    bool has_district = false;
    for (uint32_t i = 0; i < count; i++)
        has_district |= p->made.city->node_building[labels[i].node] == MC_NONE;
    CHECK(has_district);
    // The cause comes before the symptom, and what is dimmed has no names.
    wish.walk = &walk;
    count = mc_label_fill(&p->scene, &wish, labels, CAPACITY);
    CHECK(count == 3 && labels[1].node == p->growers[1] && labels[2].node == p->growers[0]);
    // Each stop has its number on the way, the selection none unless it is one.
    CHECK(labels[0].number == 0 && labels[1].number == 2 && labels[2].number == 1);
    wish.selected = p->growers[1];
    count = mc_label_fill(&p->scene, &wish, labels, CAPACITY);
    CHECK(count == 2 && labels[0].number == 2 && labels[1].number == 1);
    wish.selected = p->growers[2];
    CHECK(mc_label_fill(&p->scene, &wish, labels, 2) == 2);
    CHECK(mc_label_fill(&p->scene, &wish, labels, 0) == 0);
}

static void check_marked(picture *p) {
    const mc_city *city = p->made.city;
    mc_styles styles;
    mc_label labels[CAPACITY];
    uint32_t root = 0, marked[MC_LABEL_MOST_MARKED];
    REQUIRE(mc_styles_init(&styles, city, NULL) == MC_OK);
    CHECK(mc_label_find_marked(&styles, city, marked) == 0);
    mc_styles_mark(&styles, city, &p->growers[3], 1);
    CHECK(mc_label_find_marked(&styles, city, marked) == 1 && marked[0] == p->growers[3]);
    mc_label_wish wish = {.selected = MC_NONE,
                          .is_marking = true,
                          .marked = marked,
                          .marked_count = 1,
                          .growers = p->growers,
                          .grower_count = p->grower_count,
                          .leaves_out_districts = true};
    CHECK(mc_label_fill(&p->scene, &wish, labels, CAPACITY) == 1 &&
          labels[0].node == p->growers[3]);
    mc_styles_mark(&styles, city, &root, 1);
    CHECK(mc_label_find_marked(&styles, city, marked) == MC_LABEL_MOST_MARKED);
    for (uint32_t i = 1; i < MC_LABEL_MOST_MARKED; i++)
        CHECK(city->building_max[city->node_building[marked[i - 1]]] >=
              city->building_max[city->node_building[marked[i]]]);
    mc_styles_deinit(&styles);
}

int main(void) {
    picture p;
    make_picture(&p);
    check_growers(&p);
    check_order(&p);
    check_marked(&p);
    made_city_destroy(&p.made);
    return test_finish();
}
