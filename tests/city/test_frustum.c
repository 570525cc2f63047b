// Frustums: which ones there are, where their ends lie and how thick they are, by the formula
// written out in double; arcs, and what a ray hits.
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/city/frustum.h"
#include "tests/trace_maker.h"
#include "tests/trace_values.h"

static const test_leaf leaves[] = {
    {"a", "tall", {900, 1000}}, {"a", "small", {40, 50}}, {"a", "gone", {30, 0}},
    {"b", "left", {300, 400}},  {"b", "right", {90, 80}}, {"c", "far", {500, 600}},
};

static mc_trace *trace;

typedef struct shown {
    mc_city *city;
    uint64_t *from, *to;
    mc_update_params params;
} shown;

static uint64_t *read_counts(const mc_city *city, uint32_t step) {
    uint64_t values[32];
    uint64_t *counts = mc_alloc_zero((size_t)city->building_count + 1, sizeof *counts);
    REQUIRE(counts && mc_trace_get_nodes(trace)->count <= 32);
    test_column(trace, step, MC_METRIC_OBJECTS, values);
    mc_city_gather(city, values, counts);
    return counts;
}

static shown show(uint32_t child_limit, const char *root, uint32_t from, uint32_t to) {
    shown s = {0};
    mc_city_desc desc = mc_city_desc_default(trace);
    desc.metric = MC_METRIC_OBJECTS;
    desc.child_limit = child_limit;
    if (root) desc.root_node = test_find(trace, root);
    REQUIRE(mc_city_create(trace, &desc, NULL, &s.city, NULL) == MC_OK);
    s.from = read_counts(s.city, from);
    s.to = read_counts(s.city, to);
    s.params = mc_update_params_default(s.city);
    return s;
}

static void hide(shown *s) {
    mc_free(s->from);
    mc_free(s->to);
    mc_city_destroy(s->city);
}

static mc_frustums make(const shown *s, const mc_frustum_link *links, uint32_t count,
                        mc_frustum_arcs arcs) {
    mc_frustums frustums = {0};
    REQUIRE(mc_frustums_make(&frustums, s->city, mc_trace_get_nodes(trace), &s->params, s->from,
                             s->to, links, count, arcs, NULL) == MC_OK);
    return frustums;
}

static mc_frustum_link make_link(const char *from, const char *to, float from_share,
                                 float to_share) {
    return (mc_frustum_link){test_find(trace, from),
                             test_find(trace, to),
                             from_share,
                             to_share,
                             MC_FRUSTUM_INCOMING,
                             false};
}

static bool is_near(double a, double b) {
    return fabs(a - b) <= 1e-4 * (fabs(a) + fabs(b)) + 1e-4;
}

static mc_box get_box(const shown *s, const char *key) {
    uint32_t building = s->city->node_building[test_find(trace, key)];
    return mc_city_evaluate_building(s->city, &s->params, building, s->from[building],
                                     s->to[building], NULL);
}

// An end lies on its building's roof, at its edge.
static void check_end(const shown *s, const char *key, const float end[3], float radius,
                      double share) {
    mc_box box = get_box(s, key);
    CHECK(is_near((double)radius, (double)box.height / 2 * 0.175 * share));
    CHECK(is_near((double)end[1], (double)(box.base + box.height + radius)));
    float x = fminf(end[0] - box.footprint.x0, box.footprint.x1 - end[0]);
    float z = fminf(end[2] - box.footprint.z0, box.footprint.z1 - end[2]);
    CHECK(x > 0.0f && z > 0.0f);
    CHECK(fminf(x / (box.footprint.x1 - box.footprint.x0),
                z / (box.footprint.z1 - box.footprint.z0)) < 0.1f);
}

static void test_radii(void) {
    shown s = show(0, NULL, 0, 1);
    mc_frustum_link links[] = {make_link("Heap#a#tall", "Heap#c#far", 1.0f, 0.25f),
                               make_link("Heap#c#far", "Heap#a#tall", 0.5f, 1.0f),
                               make_link("Heap#b#left", "Heap#b#right", 0.0f, 7.0f)};
    mc_frustums f = make(&s, links, 3, MC_FRUSTUM_ARCS_NONE);
    REQUIRE(f.count == 3);
    CHECK(f.undrawn_count + f.outside_count + f.inside_count + f.hidden_end_count == 0);
    static const float blends[] = {0.0f, 0.3f, 0.5f, 1.0f};
    for (size_t i = 0; i < 4; i++) {
        s.params.blend = blends[i];
        mc_frustum_shape there = mc_frustum_get_shape(s.city, &s.params, s.from, s.to, &f.items[0]);
        mc_frustum_shape back = mc_frustum_get_shape(s.city, &s.params, s.from, s.to, &f.items[1]);
        mc_frustum_shape thin = mc_frustum_get_shape(s.city, &s.params, s.from, s.to, &f.items[2]);
        CHECK(there.is_drawn && back.is_drawn && thin.is_drawn);
        check_end(&s, "Heap#a#tall", there.from, there.from_radius, 1.0);
        check_end(&s, "Heap#c#far", there.to, there.to_radius, 0.25);
        check_end(&s, "Heap#c#far", back.from, back.from_radius, 0.5);
        check_end(&s, "Heap#a#tall", back.to, back.to_radius, 1.0);
        CHECK(thin.from_radius == 0.0f);
        check_end(&s, "Heap#b#right", thin.to, thin.to_radius, 1.0); // no share is above 1
        // There and back do not touch.
        float x = there.from[0] - back.to[0], z = there.from[2] - back.to[2];
        CHECK(sqrtf(x * x + z * z) > there.from_radius + back.to_radius);
    }
    mc_frustums_deinit(&f);
    hide(&s);
}

static void test_left_out(void) {
    mc_frustum_link links[] = {make_link("Heap#a#tall", "Heap#a#gone", 1.0f, 1.0f),
                               make_link("Heap#a#tall", "Heap#a#tall", 1.0f, 1.0f),
                               make_link("Heap#a#tall", "Heap#a#small", 0.5f, 0.5f),
                               make_link("Heap#b#left", "Heap#a#tall", 0.5f, 0.5f)};
    shown s = show(0, NULL, 1, 1);
    mc_frustums f = make(&s, links, 4, MC_FRUSTUM_ARCS_NONE);
    CHECK(f.count == 2 && f.undrawn_count == 1 && f.inside_count == 1);
    CHECK(f.items[0].link == 2 && f.items[1].link == 3);
    mc_frustums_emphasise(&f, 3);
    CHECK(f.items[0].flags == MC_FRUSTUM_FADED && f.items[1].flags == MC_FRUSTUM_EMPHASISED);
    mc_frustums_emphasise(&f, MC_NONE);
    CHECK(f.items[0].flags == 0 && f.items[1].flags == 0);
    mc_frustums_deinit(&f);
    hide(&s);

    // What was there at the step before but is no more has no frustum either.
    s = show(0, NULL, 0, 1);
    f = make(&s, links, 1, MC_FRUSTUM_ARCS_NONE);
    CHECK(f.count == 0 && f.undrawn_count == 1);
    mc_frustums_deinit(&f);
    hide(&s);

    // The child limit leaves only the largest: its district stands for the small one.
    s = show(1, NULL, 1, 1);
    f = make(&s, links, 4, MC_FRUSTUM_ARCS_NONE);
    uint32_t district = s.city->node_district[test_find(trace, "Heap#a")];
    bool found = false;
    for (uint32_t i = 0; i < f.count; i++) {
        if (f.items[i].link != 2) continue;
        found = true;
        CHECK(f.items[i].to_box == s.city->building_count + district);
        CHECK(f.items[i].to_share == 0.0f);
    }
    CHECK(found && f.hidden_end_count >= 1);
    mc_frustums_deinit(&f);
    hide(&s);

    s = show(0, "Heap#a", 1, 1);
    f = make(&s, links, 4, MC_FRUSTUM_ARCS_NONE);
    CHECK(f.count == 1 && f.outside_count == 1 && f.items[0].link == 2);
    mc_frustums_deinit(&f);
    hide(&s);
}

static void test_district_end(void) {
    shown s = show(0, NULL, 0, 1);
    mc_frustum_link link = make_link("Heap#b", "Heap#c#far", 0.5f, 1.0f);
    mc_frustums f = make(&s, &link, 1, MC_FRUSTUM_ARCS_NONE);
    REQUIRE(f.count == 1);
    uint32_t district = s.city->node_district[test_find(trace, "Heap#b")];
    mc_plot plot = s.city->district_plot[district];
    for (int step = 0; step < 2; step++) {
        s.params.blend = (float)step;
        mc_box left = get_box(&s, "Heap#b#left"), right = get_box(&s, "Heap#b#right");
        double height = (double)fmaxf(left.height, right.height);
        mc_frustum_shape shape = mc_frustum_get_shape(s.city, &s.params, s.from, s.to, f.items);
        CHECK(is_near((double)shape.from_radius, height / 2 * 0.175 * 0.5));
        CHECK(is_near((double)shape.from[0], (double)(plot.x0 + plot.x1) / 2));
        CHECK(is_near((double)shape.from[2], (double)(plot.z0 + plot.z1) / 2));
        CHECK(
            is_near((double)shape.from[1], (double)left.base + height + (double)shape.from_radius));
    }
    mc_frustums_deinit(&f);
    hide(&s);
}

static bool is_free(const shown *s, const mc_frustum_shape *shape) {
    vec3 last, next;
    mc_frustum_shape_get_point(shape, 0.0f, last);
    for (int i = 1; i <= 40; i++) {
        mc_frustum_shape_get_point(shape, (float)i / 40.0f, next);
        mc_ray ray;
        glm_vec3_copy(last, ray.origin);
        glm_vec3_sub(next, last, ray.direction);
        glm_vec3_copy(next, last);
        mc_hit hit = mc_city_pick(s->city, &s->params, s->from, s->to, ray);
        if (hit.structure.building != MC_NONE && hit.distance < 1.0f) return false;
    }
    return true;
}

static void test_arcs(void) {
    static const char *const keys[] = {"Heap#a#tall", "Heap#a#small", "Heap#b#left", "Heap#b#right",
                                       "Heap#c#far"};
    enum { LINK_COUNT = 10 };
    shown s = show(0, NULL, 1, 1);
    mc_frustum_link links[LINK_COUNT];
    uint32_t count = 0;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            links[count++] = make_link(keys[i], keys[k], 0.2f, 0.2f);
    mc_frustums straight = make(&s, links, LINK_COUNT, MC_FRUSTUM_ARCS_NONE);
    mc_frustums needed = make(&s, links, LINK_COUNT, MC_FRUSTUM_ARCS_NEEDED);
    mc_frustums all = make(&s, links, LINK_COUNT, MC_FRUSTUM_ARCS_ALL);
    REQUIRE(straight.count == LINK_COUNT && needed.count == LINK_COUNT && all.count == LINK_COUNT);
    uint32_t arc_count = 0, free_count = 0;
    for (uint32_t i = 0; i < LINK_COUNT; i++) {
        mc_frustum_shape shape =
            mc_frustum_get_shape(s.city, &s.params, s.from, s.to, &straight.items[i]);
        bool was_free = is_free(&s, &shape);
        CHECK(straight.items[i].arc == 0.0f && all.items[i].arc > 0.0f);
        if (!was_free) CHECK(needed.items[i].arc > 0.0f);
        arc_count += !was_free;
        shape = mc_frustum_get_shape(s.city, &s.params, s.from, s.to, &needed.items[i]);
        // Free, or no arc that is worth its height would be.
        float steep = needed.items[i].arc;
        shape.bow[1] = steep * 1.5f;
        bool better_free = is_free(&s, &shape);
        shape.bow[1] = steep;
        CHECK_MSG(is_free(&s, &shape) || !better_free, "link %u, arc %g", i, (double)steep);
        free_count += is_free(&s, &shape);
        // The highest point of a level arc is as far above the middle as it says.
        float middle[3];
        mc_frustum_shape_get_point(&shape, 0.5f, middle);
        CHECK(is_near((double)middle[1],
                      (double)(shape.from[1] + shape.to[1]) / 2 + (double)needed.items[i].arc));
    }
    CHECK(free_count > 0);
    CHECK(arc_count > 0); // a roof below another one's edge
    mc_frustums_deinit(&straight);
    mc_frustums_deinit(&needed);
    mc_frustums_deinit(&all);
    hide(&s);
}

// Where it leads on the ground from the structure that it has in common with others.
static double get_heading(const mc_frustum_shape *shape, bool is_outgoing) {
    vec3 at, next;
    mc_frustum_shape_get_point(shape, is_outgoing ? 0.0f : 1.0f, at);
    mc_frustum_shape_get_point(shape, is_outgoing ? 1e-3f : 1.0f - 1e-3f, next);
    return atan2((double)(next[2] - at[2]), (double)(next[0] - at[0]));
}

// Each one is straight seen from above, or one of at least three with a common heading; the ends
// are the same in any case.
static void check_bundles(const shown *s, const mc_frustums *plain, const mc_frustums *bundled,
                          bool is_outgoing, uint32_t *bundle_count) {
    REQUIRE(plain->count == bundled->count);
    for (uint32_t i = 0; i < plain->count; i++) {
        mc_frustum_shape straight =
            mc_frustum_get_shape(s->city, &s->params, s->from, s->to, &plain->items[i]);
        mc_frustum_shape shape =
            mc_frustum_get_shape(s->city, &s->params, s->from, s->to, &bundled->items[i]);
        CHECK(glm_vec3_eqv(straight.from, shape.from) && glm_vec3_eqv(straight.to, shape.to));
        CHECK(plain->items[i].sway == 0.0f);
        double heading = get_heading(&shape, is_outgoing);
        if (bundled->items[i].sway == 0.0f) continue;
        CHECK(fabs(remainder(heading - get_heading(&straight, is_outgoing), 2 * M_PI)) < 0.5);
        uint32_t alike = 0;
        for (uint32_t k = 0; k < bundled->count; k++) {
            mc_frustum_shape other =
                mc_frustum_get_shape(s->city, &s->params, s->from, s->to, &bundled->items[k]);
            double off = remainder(get_heading(&other, is_outgoing) - heading, 2 * M_PI);
            alike += fabs(off) < 0.01;
        }
        CHECK_MSG(alike >= 3, "frustum %u has the heading of %u", i, alike);
        ++*bundle_count;
    }
}

static void test_bundles(void) {
    enum { DISTRICTS = 3, LEAVES = 27 };
    static const char *const districts[DISTRICTS] = {"a", "b", "c"};
    static char keys[LEAVES][16];
    test_leaf many[LEAVES] = {0};
    mc_trace *small = trace;
    for (int i = 0; i < LEAVES; i++) {
        snprintf(keys[i], sizeof keys[i], "leaf %d", i);
        many[i] = (test_leaf){districts[i * DISTRICTS / LEAVES], keys[i], {100 + 7 * (uint64_t)i}};
    }
    trace = test_make_trace(many, LEAVES, 1);
    shown s = show(0, NULL, 0, 0);
    uint32_t bundled_count = 0, link_count = s.city->building_count - 1;
    REQUIRE(link_count == LEAVES - 1);
    for (uint32_t hub = 0; hub <= link_count; hub++)
        for (int is_outgoing = 0; is_outgoing < 2; is_outgoing++) {
            mc_frustum_link links[LEAVES];
            for (uint32_t i = 0; i < link_count; i++) {
                uint32_t ends[2] = {s.city->building_node[i + (i >= hub)],
                                    s.city->building_node[hub]};
                links[i] =
                    (mc_frustum_link){ends[is_outgoing],
                                      ends[!is_outgoing],
                                      0.1f,
                                      0.1f,
                                      is_outgoing ? MC_FRUSTUM_OUTGOING : MC_FRUSTUM_INCOMING,
                                      false};
            }
            mc_frustums straight = make(&s, links, link_count, MC_FRUSTUM_ARCS_NONE);
            mc_frustums arcs = make(&s, links, link_count, MC_FRUSTUM_ARCS_ALL);
            mc_frustums pair = make(&s, links, 2, MC_FRUSTUM_ARCS_ALL);
            check_bundles(&s, &straight, &arcs, is_outgoing == 1, &bundled_count);
            CHECK(pair.items[0].sway == 0.0f && pair.items[1].sway == 0.0f);
            mc_frustums_deinit(&straight);
            mc_frustums_deinit(&arcs);
            mc_frustums_deinit(&pair);
        }
    CHECK(bundled_count > LEAVES * link_count); // of twice as many
    hide(&s);
    mc_trace_destroy(trace);
    trace = small;
}

// Several threads look for the arcs of many, which are those of few.
static void test_many(void) {
    static const char *const keys[] = {"Heap#a#tall", "Heap#a#small", "Heap#b#left", "Heap#b#right",
                                       "Heap#c#far"};
    enum { FEW = 400, MANY = 2000 };
    static mc_frustum_link links[MANY];
    shown s = show(0, NULL, 1, 1);
    for (int i = 0; i < MANY; i++)
        links[i] = make_link(keys[i % 5], keys[(i % 5 + 1 + i / 5 % 4) % 5], 0.2f, 0.2f);
    mc_frustums few = make(&s, links, FEW, MC_FRUSTUM_ARCS_NEEDED);
    mc_frustums many = make(&s, links, MANY, MC_FRUSTUM_ARCS_NEEDED);
    REQUIRE(few.count == FEW && many.count == MANY);
    uint32_t wrong_count = 0, arc_count = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        // The first ones search, the others guess.
        const mc_frustum *right = &few.items[i < FEW ? i : FEW - 20 + i % 20];
        arc_count += many.items[i].arc > 0.0f;
        wrong_count +=
            many.items[i].arc != right->arc || many.items[i].sway != right->sway; // to the bit
    }
    CHECK_MSG(wrong_count == 0, "%u frustums", wrong_count);
    CHECK(arc_count > 0);
    mc_frustums_deinit(&few);
    mc_frustums_deinit(&many);
    hide(&s);
}

static void test_pick(void) {
    shown s = show(0, NULL, 1, 1);
    mc_frustum_link links[] = {make_link("Heap#a#tall", "Heap#c#far", 1.0f, 0.1f),
                               make_link("Heap#b#right", "Heap#b#left", 0.3f, 0.3f)};
    for (int arcs = 0; arcs < 2; arcs++) {
        mc_frustums f = make(&s, links, 2, arcs ? MC_FRUSTUM_ARCS_ALL : MC_FRUSTUM_ARCS_NONE);
        for (uint32_t i = 0; i < 2; i++) {
            mc_frustum_shape shape =
                mc_frustum_get_shape(s.city, &s.params, s.from, s.to, &f.items[i]);
            for (int k = 1; k < 8; k++) {
                float at = (float)k / 8.0f, point[3];
                float radius = shape.from_radius * (1.0f - at) + shape.to_radius * at;
                mc_frustum_shape_get_point(&shape, at, point);
                // From above, beside the middle: within and beyond the radius.
                float x = shape.to[0] - shape.from[0], z = shape.to[2] - shape.from[2];
                float length = sqrtf(x * x + z * z);
                for (int inside = 0; inside < 2; inside++) {
                    // A steep one is thicker where the ray passes it, closer to its thick end.
                    float beyond = arcs ? 4.0f : 1.3f;
                    float off = radius * (inside ? 0.8f : beyond) + (inside ? 0.0f : 0.01f);
                    mc_ray ray = {
                        {point[0] - z / length * off, 3000.0f, point[2] + x / length * off},
                        {0.0f, -2.0f, 0.0f}};
                    mc_frustum_hit hit =
                        mc_frustums_pick(&f, s.city, &s.params, s.from, s.to, ray, 0.0f, INFINITY);
                    CHECK_MSG((hit.frustum == i) == (inside == 1), "arcs %d, frustum %u at %d",
                              arcs, i, k);
                    if (hit.frustum != i) continue;
                    float y = 3000.0f - 2.0f * hit.distance;
                    // Near its ends an arc is steep: from above the ray meets it far up.
                    CHECK(y >= point[1] - radius * (arcs ? 3.0f : 1.5f) &&
                          y <= point[1] + radius * (arcs ? 18.0f : 6.0f) + 1.0f);
                }
            }
        }
        // A thin one is hit from some pixels away.
        f.items[0].from_share = f.items[0].to_share = 0.0f;
        mc_frustum_shape shape = mc_frustum_get_shape(s.city, &s.params, s.from, s.to, f.items);
        float point[3];
        mc_frustum_shape_get_point(&shape, 0.5f, point);
        mc_ray ray = {{point[0] + 1.0f, point[1] + 1000.0f, point[2]}, {0.0f, -1.0f, 0.0f}};
        CHECK(
            mc_frustums_pick(&f, s.city, &s.params, s.from, s.to, ray, 0.002f, INFINITY).frustum ==
            0);
        CHECK(mc_frustums_pick(&f, s.city, &s.params, s.from, s.to, ray, 0.0f, INFINITY).frustum ==
              MC_NONE);
        mc_frustums_deinit(&f);
    }
    hide(&s);
}

static void test_out_of_memory(void) {
    shown s = show(0, NULL, 1, 1);
    mc_frustum_link link = make_link("Heap#a#tall", "Heap#c#far", 1.0f, 0.1f);
    for (uint64_t n = 0;; n++) {
        mc_frustums f = {0};
        mc_error error = {0};
        mc_memory_fail_after(n);
        mc_result result = mc_frustums_make(&f, s.city, mc_trace_get_nodes(trace), &s.params,
                                            s.from, s.to, &link, 1, MC_FRUSTUM_ARCS_NEEDED, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK ? f.count == 1 : result == MC_ERROR_OUT_OF_MEMORY && !f.items);
        mc_frustums_deinit(&f);
        if (result == MC_OK) break;
    }
    hide(&s);
}

int main(void) {
    trace = test_make_trace(leaves, sizeof leaves / sizeof *leaves, 2);
    test_radii();
    test_left_out();
    test_district_end();
    test_arcs();
    test_bundles();
    test_many();
    test_pick();
    test_out_of_memory();
    mc_trace_destroy(trace);
    return test_finish();
}
