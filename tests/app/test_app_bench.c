// What `memcity bench` computes besides timing: quantiles, repetition, and the scene that it has in
// common with the peers in bench/peers/.
#include "app/bench/bench_scene.h"
#include "engine/city/city_layout.h"
#include "tests/test.h"

static void test_series(void) {
    mc_bench_series series = {0};
    CHECK(mc_bench_series_get_median(&series) == 0);
    mc_bench_series_add(&series, 3);
    CHECK(mc_bench_series_get_median(&series) == 3);
    mc_bench_series_add(&series, 1);
    CHECK(mc_bench_series_get_median(&series) == 2);
    mc_bench_series_add(&series, 8);
    CHECK(mc_bench_series_get_median(&series) == 3);
    CHECK(series.values[0] == 1 && series.values[2] == 8);
    mc_bench_series_deinit(&series);
}

static void test_loop(void) {
    mc_bench_loop loop = {.warm_up_count = 2, .run_count = 4, .budget_s = 1000};
    int runs = 0, counted = 0;
    while (mc_bench_loop_next(&loop)) {
        CHECK(mc_bench_loop_counts(&loop) == (runs >= 2));
        CHECK(mc_bench_loop_get_run(&loop) == (uint32_t)counted);
        counted += mc_bench_loop_counts(&loop);
        runs++;
    }
    CHECK(runs == 6 && counted == 4);
    // Three runs even where time is up.
    loop = (mc_bench_loop){.warm_up_count = 1, .run_count = 100, .budget_s = -1};
    for (runs = 0; mc_bench_loop_next(&loop);)
        runs++;
    CHECK(runs == 4);
}

static mc_city *make_city(const mc_bench_options *options, mc_trace **trace) {
    mc_city *city = NULL;
    REQUIRE(mc_bench_open(options, trace) == MC_EXIT_OK);
    mc_city_desc desc = mc_bench_get_city_desc(options, *trace);
    REQUIRE(mc_city_create(*trace, &desc, NULL, &city, NULL) == MC_OK);
    return city;
}

// d3's paddingOuter 1 and paddingInner 0.5: 1 between a district's border and what is in it, half
// of that between siblings.
static void test_streets(const mc_city *city) {
    float border = 1e9f, street = 1e9f;
    for (uint32_t i = 0; i < city->building_count; i++) {
        mc_plot a = city->building_plot[i];
        mc_plot outer = city->district_plot[city->building_district[i]];
        if (a.x1 <= a.x0 || a.z1 <= a.z0) continue; // too small for its streets
        border = fminf(border, fminf(a.x0 - outer.x0, outer.x1 - a.x1));
        border = fminf(border, fminf(a.z0 - outer.z0, outer.z1 - a.z1));
        for (uint32_t k = 0; k < city->building_count; k++) {
            mc_plot b = city->building_plot[k];
            bool is_beside = b.x0 >= a.x1 && b.z0 < a.z1 && b.z1 > a.z0;
            if (is_beside && city->building_district[k] == city->building_district[i])
                street = fminf(street, b.x0 - a.x1);
        }
    }
    CHECK_MSG(fabsf(border - 1) < 1e-3f, "%f", (double)border);
    CHECK_MSG(fabsf(street - 0.5f) < 1e-3f, "%f", (double)street);
}

static void test_scene(void) {
    mc_bench_options options = {.generate = {.leaf_count = 400, .step_count = 2, .seed = 1},
                                .metric = MC_METRIC_BYTES,
                                .width = 1280,
                                .height = 720};
    mc_trace *trace = NULL;
    mc_city *city = make_city(&options, &trace);
    CHECK(city->building_count == 400 && city->district_count == 21);
    CHECK(city->width == 200 && city->depth == 200);
    test_streets(city);

    // Where the peers put the eye, from the city's centre.
    for (uint32_t frame = 0; frame < MC_BENCH_ORBIT_FRAMES; frame++) {
        double a = mc_bench_get_orbit_rad(frame), eye[3];
        mc_camera camera = mc_bench_get_camera(&options, city, a);
        mc_camera_get_eye(&camera.pose, eye);
        CHECK(fabs(eye[0] - (100 + cos(a) * cos(0.6) * 300)) < 1e-9);
        CHECK(fabs(eye[1] - sin(0.6) * 300) < 1e-9);
        CHECK(fabs(eye[2] - (100 + sin(a) * cos(0.6) * 300)) < 1e-9);
    }
    // Half the picture's height spans tan(22.5 degrees).
    mc_camera camera = mc_bench_get_camera(&options, city, 0.7);
    const double center[3] = {100, 0, 100};
    double x, y;
    CHECK(mc_camera_project(&camera, center, &x, &y));
    CHECK(fabs(x - 640) < 1e-6 && fabs(y - 360) < 1e-6);
    const double up[3] = {100 - cos(0.7) * sin(0.6), cos(0.6), 100 - sin(0.7) * sin(0.6)};
    CHECK(mc_camera_project(&camera, up, &x, &y));
    CHECK(fabs((360 - y) - 360 / tan(3.14159265358979323846 / 8) / 300) < 1e-6);
    mc_city_destroy(city);
    mc_trace_destroy(trace);
}

int main(void) {
    test_series();
    test_loop();
    test_scene();
    return test_finish();
}
