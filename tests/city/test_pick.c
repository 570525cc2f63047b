// Picking against a look at every box and slab.
#include "engine/base/memory.h"
#include "engine/city/pick.h"
#include "tests/random_city.h"

typedef struct counted_city {
    const mc_city *city;
    mc_update_params params;
    uint64_t *from, *to;
    mc_box *boxes;
} counted_city;

static void view_update(counted_city *view) {
    mc_city_evaluate(view->city, &view->params, view->from, view->to, view->boxes, NULL);
}

static counted_city view_create(const mc_city *city) {
    uint32_t count = city->building_count;
    counted_city result = {.city = city, .params = mc_update_params_default(city)};
    result.from = allocate(count, sizeof *result.from);
    result.to = allocate(count, sizeof *result.to);
    result.boxes = allocate(count, sizeof *result.boxes);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t max = city->building_max[i];
        result.from[i] = random_u32() % 4 ? max : random_u32() % (max + 1);
        result.to[i] = random_u32() % 4 ? max : random_u32() % (max + 1);
    }
    result.params.blend = random_between(0, 1);
    result.params.jump = random_u32() % 2 ? random_between(-20, 60) : 0;
    result.params.selected_first = count > 0 ? random_u32() % count : 0;
    result.params.selected_count = random_u32() % (count - result.params.selected_first + 1);
    result.params.opacity = random_u32() % 4 ? 0.4f : 0;
    view_update(&result);
    return result;
}

static void view_destroy(counted_city *view) {
    free(view->from);
    free(view->to);
    free(view->boxes);
}

static double meet_box(mc_ray ray, mc_plot plot, double bottom, double top) {
    double low[3] = {plot.x0, bottom, plot.z0}, high[3] = {plot.x1, top, plot.z1};
    double enter = 0, exit = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double origin = ray.origin[axis], direction = ray.direction[axis];
        if (direction == 0) {
            if (origin < low[axis] || origin > high[axis]) return INFINITY;
            continue;
        }
        double first = (low[axis] - origin) / direction, last = (high[axis] - origin) / direction;
        enter = fmax(enter, fmin(first, last));
        exit = fmin(exit, fmax(first, last));
    }
    return enter <= exit ? enter : INFINITY;
}

static double meet_slab(const counted_city *view, uint32_t district, mc_ray ray) {
    double base = view->city->district_base[district];
    return meet_box(ray, view->city->district_plot[district], base,
                    base + view->city->district_height);
}

static double meet_building(const counted_city *view, uint32_t building, mc_ray ray) {
    mc_box box = view->boxes[building];
    if (box.height <= 0 || box.opacity <= 0) return INFINITY;
    return meet_box(ray, box.footprint, box.base, (double)box.base + box.height);
}

static double meet_all(const counted_city *view, mc_ray ray) {
    double nearest = INFINITY;
    for (uint32_t i = 0; i < view->city->district_count; i++)
        nearest = fmin(nearest, meet_slab(view, i, ray));
    for (uint32_t i = 0; i < view->city->building_count; i++)
        nearest = fmin(nearest, meet_building(view, i, ray));
    return nearest;
}

// The distance must be the nearest there is, and what is returned must be met there.
static bool is_right(const counted_city *view, mc_ray ray) {
    mc_hit hit = mc_city_pick(view->city, &view->params, view->from, view->to, ray);
    double nearest = meet_all(view, ray);
    uint32_t building = hit.structure.building, district = hit.structure.district;
    if (building == MC_NONE && district == MC_NONE) return nearest == INFINITY;
    if (building != MC_NONE && district != MC_NONE) return false;
    double met =
        building != MC_NONE ? meet_building(view, building, ray) : meet_slab(view, district, ray);
    double slack = 1e-6 * (1 + fabs(nearest));
    return fabs(met - nearest) <= slack && fabs(hit.distance - nearest) <= slack;
}

// Towards a point in the city, from outside, from within, along an axis, down a cut.
static mc_ray choose_ray(const mc_city *city) {
    float side = fmaxf(city->width, city->depth);
    mc_ray ray;
    float target[3] = {random_between(0, city->width), random_between(0, 0.1f * side),
                       random_between(0, city->depth)};
    uint32_t kind = random_u32() % 8;
    for (int axis = 0; axis < 3; axis++) {
        ray.origin[axis] = random_between(kind < 5 ? -side : 0, kind < 5 ? 2 * side : side);
        ray.direction[axis] = (target[axis] - ray.origin[axis]) * random_between(0.001f, 2);
    }
    if (kind < 4) ray.origin[1] = random_between(0, side);
    if (kind == 5) ray.direction[random_u32() % 3] = 0;
    if (kind == 6) ray.direction[random_u32() % 3] = ray.direction[random_u32() % 3] = 0;
    if (random_u32() % 8 == 0 && city->building_count > 0) {
        mc_plot plot = city->building_plot[random_u32() % city->building_count];
        ray.origin[0] = plot.x1;
        ray.origin[2] = plot.z0;
    }
    return ray;
}

// Whether anything is between a ray's origin and a point of it is told by what is nearest, unless
// that is about there.
static bool is_blocked_right(const counted_city *view, mc_ray ray) {
    vec3 end;
    glm_vec3_add(ray.origin, ray.direction, end);
    glm_vec3_sub(end, ray.origin, ray.direction); // as it is rounded
    double nearest = meet_all(view, ray);
    bool is_blocked =
        mc_city_is_blocked(view->city, &view->params, view->from, view->to, ray.origin, end);
    return fabs(nearest - 1) < 1e-5 || is_blocked == (nearest < 1);
}

static void check_city(const mc_city *city, uint32_t ray_count, const char *what) {
    counted_city view = view_create(city);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < ray_count; i++) {
        mc_ray ray = choose_ray(city);
        wrong += !is_right(&view, ray) || !is_blocked_right(&view, ray);
    }
    CHECK_MSG(wrong == 0, "%u of %u rays: %s", wrong, ray_count, what);
    view_destroy(&view);
}

static void test_random_cities(void) {
    for (uint32_t round = 0; round < 30; round++) {
        weighted_tree tree = make_random_tree(5 + random_u32() % 1000, 2 + random_u32() % 200);
        for (uint32_t tiling = 0; tiling < MC_TILING_COUNT; tiling++) {
            mc_treemap_desc desc = {(mc_tiling)tiling, MC_PADDING_RELATIVE, 0.02, 1000, 600};
            if (round % 3 == 1) desc.padding = 0;
            if (round % 3 == 2) desc.padding_kind = MC_PADDING_ABSOLUTE;
            if (round % 6 == 2) desc.padding = 3;
            mc_city *city = make_city(&tree, &desc);
            check_city(city, 400, "random");
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
            check_city(city, 60, "shape");
            mc_city_destroy(city);
            tree_destroy(&trees[i]);
        }
    }
}

// A nearly level ray against the order of the rows leaves many parts waiting, for which memory may
// be out.
static void test_many_parts(void) {
    mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
    weighted_tree tree = make_flat_tree(100000, true);
    mc_city *city = make_city(&tree, &desc);
    counted_city view = view_create(city);
    mc_ray ray = {{1100, 8, 1100}, {-1, -0.0003f, -1}};
    for (uint64_t allowed = 0; allowed < 3; allowed++) {
        mc_memory_fail_after(allowed < 2 ? allowed : UINT64_MAX);
        bool right = is_right(&view, ray) && is_blocked_right(&view, ray);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(right);
    }
    view_destroy(&view);
    mc_city_destroy(city);
    tree_destroy(&tree);
}

static void test_hardly_any(void) {
    mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
    mc_ray down = {{500, 3000, 500}, {0, -2, 0}};
    weighted_tree root = tree_create(1);
    root.count = 1;
    tree_link(&root);
    for (uint32_t weight = 0; weight < 2; weight++) {
        root.weight[0] = weight;
        mc_city *city = make_city(&root, &desc);
        counted_city view = {.city = city, .params = mc_update_params_default(city)};
        uint64_t count = weight;
        mc_hit hit = mc_city_pick(city, &view.params, &count, &count, down);
        CHECK(hit.structure.building == (weight ? 0 : MC_NONE));
        CHECK(hit.structure.district == MC_NONE);
        CHECK(hit.distance == (weight ? 500 : 0)); // its roof is at 2 sqrt(plot area)
        mc_city_destroy(city);
    }
    tree_destroy(&root);
}

// What is invisible is not in the way.
static void test_hidden(void) {
    mc_treemap_desc desc = {MC_TILING_SQUARIFY, MC_PADDING_RELATIVE, 0.02, 1000, 1000};
    weighted_tree tree = make_flat_tree(1, true);
    mc_city *city = make_city(&tree, &desc);
    mc_update_params params = mc_update_params_default(city);
    mc_ray down = {{500, 5000, 500}, {0, -1, 0}}, beside = {{-500, 5000, 500}, {0, -1, 0}};
    uint64_t one = 1, none = 0;
    mc_hit hit = mc_city_pick(city, &params, &one, &one, down);
    CHECK(hit.structure.building == 0 && hit.structure.district == MC_NONE);
    hit = mc_city_pick(city, &params, &none, &none, down);
    CHECK(hit.structure.building == MC_NONE && hit.structure.district == 0);
    CHECK(fabsf(hit.distance - (5000 - city->district_height)) < 1e-2f);
    params.opaque_count = 0;
    params.opacity = 0;
    hit = mc_city_pick(city, &params, &one, &one, down);
    CHECK(hit.structure.district == 0);
    hit = mc_city_pick(city, &params, &one, &one, beside);
    CHECK(hit.structure.building == MC_NONE && hit.structure.district == MC_NONE);
    mc_city_destroy(city);
    tree_destroy(&tree);
}

int main(void) {
    test_random_cities();
    test_shapes();
    test_many_parts();
    test_hardly_any();
    test_hidden();
    return test_finish();
}
