// The painter's order: along any ray from the eye, what is farther must come first.
#include "engine/city/order.h"
#include "tests/random_city.h"

typedef struct painters_order {
    const mc_city *city;
    uint32_t (*scratch)[3];
    uint32_t *buildings; // back to front
    uint32_t *place;     // of a building in it
} painters_order;

static painters_order order_create(const mc_city *city) {
    uint32_t scratch_count = mc_city_order_scratch_count(city);
    painters_order result = {.city = city};
    // Exactly as much as asked for, so that the sanitizer sees an overrun.
    result.scratch = malloc((scratch_count > 0 ? scratch_count : 1) * sizeof *result.scratch);
    result.buildings = allocate(city->building_count, sizeof *result.buildings);
    result.place = allocate(city->building_count, sizeof *result.place);
    REQUIRE(result.scratch);
    return result;
}

static void order_destroy(painters_order *order) {
    free(order->scratch);
    free(order->buildings);
    free(order->place);
}

static void find_order(painters_order *result, const float eye[2]) {
    const mc_city *city = result->city;
    uint32_t count = city->building_count;
    for (uint32_t i = 0; i < count; i++)
        result->place[i] = MC_NONE;
    mc_city_order(city, eye[0], eye[1], result->scratch, result->buildings);
    uint32_t repeated = 0;
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(result->buildings[i] < count);
        repeated += result->place[result->buildings[i]] != MC_NONE;
        result->place[result->buildings[i]] = i;
    }
    CHECK(repeated == 0);
}

typedef struct crossing {
    double enter, exit;
    uint32_t building;
} crossing;

static int compare_crossings(const void *a, const void *b) {
    const crossing *first = a, *second = b;
    return (first->enter > second->enter) - (first->enter < second->enter);
}

static bool cross_plot(mc_plot plot, const float eye[2], const double direction[2],
                       crossing *result) {
    double low[2] = {plot.x0, plot.z0}, high[2] = {plot.x1, plot.z1};
    result->enter = 0;
    result->exit = INFINITY;
    for (int axis = 0; axis < 2; axis++) {
        double first = (low[axis] - eye[axis]) / direction[axis];
        double last = (high[axis] - eye[axis]) / direction[axis];
        result->enter = fmax(result->enter, fmin(first, last));
        result->exit = fmin(result->exit, fmax(first, last));
    }
    return result->exit - result->enter > 1e-4; // not just a corner or an edge
}

// Plots under a ray: whatever is nearer comes later.
static uint32_t check_ray(const painters_order *order, const float eye[2],
                          const double direction[2]) {
    const mc_city *city = order->city;
    crossing *crossings = allocate(city->building_count, sizeof *crossings);
    uint32_t count = 0, failures = 0;
    for (uint32_t i = 0; i < city->building_count; i++) {
        crossings[count].building = i;
        count += cross_plot(city->building_plot[i], eye, direction, &crossings[count]);
    }
    qsort(crossings, count, sizeof *crossings, compare_crossings);
    for (uint32_t i = 1; i < count; i++) {
        failures += crossings[i].enter < crossings[i - 1].exit - 1e-4; // no plots overlap
        failures += order->place[crossings[i].building] > order->place[crossings[i - 1].building];
    }
    free(crossings);
    return failures;
}

// In and around the city, sometimes exactly on a cut.
static void choose_eye(const mc_city *city, float eye[2]) {
    eye[0] = random_between(-city->width, 2 * city->width);
    eye[1] = random_between(-city->depth, 2 * city->depth);
    if (random_u32() % 2 == 0) {
        eye[0] = random_between(0, city->width);
        eye[1] = random_between(0, city->depth);
    }
    if (random_u32() % 4 == 0 && city->building_count > 0) {
        mc_plot plot = city->building_plot[random_u32() % city->building_count];
        eye[0] = plot.x0;
        eye[1] = plot.z1;
    }
}

static void check_city(const mc_city *city, uint32_t eye_count, uint32_t ray_count,
                       const char *what) {
    painters_order order = order_create(city);
    uint32_t failures = 0;
    for (uint32_t i = 0; i < eye_count; i++) {
        float eye[2];
        choose_eye(city, eye);
        find_order(&order, eye);
        for (uint32_t ray = 0; ray < ray_count; ray++) {
            double angle = random_between(0, 6.2831853f);
            double direction[2] = {cos(angle), sin(angle)};
            failures += check_ray(&order, eye, direction);
        }
    }
    CHECK_MSG(failures == 0, "%u pairs out of order: %s", failures, what);
    order_destroy(&order);
}

// Where the order is said to be the same, it is.
static void check_same(const mc_city *city) {
    painters_order first = order_create(city), second = order_create(city);
    uint32_t wrong = 0, same = 0;
    size_t size = city->building_count * sizeof *first.buildings;
    for (uint32_t i = 0; i < 300; i++) {
        float before[2], now[2], distance = powf(10, random_between(-4, 3));
        choose_eye(city, before);
        now[0] = before[0] + random_between(-distance, distance);
        now[1] = before[1] + (random_u32() % 2 ? random_between(-distance, distance) : 0);
        bool is_same = mc_city_order_is_same(city, before, now);
        find_order(&first, before);
        find_order(&second, now);
        wrong += is_same && memcmp(first.buildings, second.buildings, size) != 0;
        wrong += is_same != mc_city_order_is_same(city, now, before);
        same += is_same;
        CHECK(mc_city_order_is_same(city, before, before));
    }
    CHECK(wrong == 0);
    CHECK(city->building_count < 2 || same > 0);
    for (uint32_t corner = 0; corner < 4; corner++) {
        float far_away[2], near[2];
        for (uint32_t axis = 0; axis < 2; axis++) {
            bool is_high = corner >> axis & 1;
            float side = axis == 0 ? city->width : city->depth;
            near[axis] = is_high ? side * 1.00001f : -0.00001f * side;
            far_away[axis] = is_high ? 5 * side : -7 * side;
        }
        CHECK(mc_city_order_is_same(city, near, far_away));
        CHECK(mc_city_order_is_same(city, far_away, near));
    }
    order_destroy(&first);
    order_destroy(&second);
}

static void test_random_cities(void) {
    for (uint32_t round = 0; round < 40; round++) {
        weighted_tree tree = make_random_tree(20 + random_u32() % 1500, 2 + random_u32() % 200);
        for (uint32_t tiling = 0; tiling < MC_TILING_COUNT; tiling++) {
            mc_treemap_desc desc = {(mc_tiling)tiling, MC_PADDING_RELATIVE, 0.02, 1000, 600};
            if (round % 3 == 1) desc.padding = 0;
            if (round % 3 == 2) desc.padding_kind = MC_PADDING_ABSOLUTE;
            if (round % 6 == 2) desc.padding = 3;
            mc_city *city = make_city(&tree, &desc);
            check_city(city, 8, 20, "random");
            if (round < 10) check_same(city);
            mc_city_destroy(city);
        }
        tree_destroy(&tree);
    }
}

static void test_shapes(void) {
    mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
    for (uint32_t tiling = 0; tiling < MC_TILING_COUNT; tiling++) {
        weighted_tree trees[] = {make_flat_tree(5000, true), make_flat_tree(3000, false),
                                 make_chain_tree(10000), make_flat_tree(1, true)};
        desc.tiling = (mc_tiling)tiling;
        for (size_t i = 0; i < sizeof trees / sizeof trees[0]; i++) {
            mc_city *city = make_city(&trees[i], &desc);
            check_city(city, 4, 4, "shape");
            mc_city_destroy(city);
            tree_destroy(&trees[i]);
        }
    }
}

// A city of one building, and one of none.
static void test_hardly_any(void) {
    for (uint32_t weight = 0; weight < 2; weight++) {
        mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
        weighted_tree root = tree_create(1);
        root.count = 1;
        root.weight[0] = weight;
        tree_link(&root);
        mc_city *city = make_city(&root, &desc);
        check_city(city, 4, 4, "single node");
        check_same(city);
        mc_city_destroy(city);
        tree_destroy(&root);

        weighted_tree tree = make_flat_tree(3, true);
        for (uint32_t i = 1; i <= 3; i++)
            tree.weight[i] = 0;
        city = make_city(&tree, &desc);
        check_city(city, 4, 4, "zeros");
        check_same(city);
        mc_city_destroy(city);
        tree_destroy(&tree);
    }
}

int main(void) {
    test_random_cities();
    test_shapes();
    test_hardly_any();
    return test_finish();
}
