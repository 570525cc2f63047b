// Times of frames as a histogram: what is read from it, and what is said of it.
#include "app/window/frame_times.h"
#include "tests/test.h"
#include <math.h>

static bool is_near(double a, double b) {
    return fabs(a - b) <= 0.03 * b;
}

static void check_quantiles(void) {
    mc_frame_times times = {0};
    for (int i = 1; i <= 1000; i++)
        mc_frame_times_add(&times, i * 0.1);
    CHECK(times.count == 1000);
    CHECK(is_near(mc_frame_times_get_quantile(&times, 0.5), 50));
    CHECK(is_near(mc_frame_times_get_quantile(&times, 0.95), 95));
    CHECK(mc_frame_times_get_quantile(&times, 1) <= 100);
    CHECK(mc_frame_times_count_slow(&times) == 0);
}

static void check_slow(void) {
    mc_frame_times times = {0};
    for (int i = 0; i < 99; i++)
        mc_frame_times_add(&times, i % 2 ? 39 : 41);
    mc_frame_times_add(&times, 75);
    CHECK(mc_frame_times_count_slow(&times) == 0);
    mc_frame_times_add(&times, 90);
    mc_frame_times_add(&times, 1e9); // longer than any bin
    CHECK(mc_frame_times_count_slow(&times) == 2);
}

static void check_text(void) {
    mc_frame_times times = {0};
    mc_text out = {0};
    mc_print print = mc_print_to(&out, true, false);
    mc_frame_times_put(&times, NULL, &print);
    CHECK_MSG(strcmp(out.data, "{\"frames\":0,\"median_ms\":0,\"p95_ms\":0,\"longest_ms\":0,"
                               "\"over_twice_median\":0,\"histogram\":[]}") == 0,
              "%s", out.data);
    mc_text_clear(&out);
    mc_frame_times_add(&times, 0);
    mc_frame_times_add(&times, 4.5);
    mc_frame_times_add(&times, 4.5);
    print = mc_print_to(&out, true, false);
    mc_frame_times_put(&times, NULL, &print);
    CHECK_MSG(strcmp(out.data, "{\"frames\":3,\"median_ms\":4.458,\"p95_ms\":4.458,"
                               "\"longest_ms\":4.5,\"over_twice_median\":0,"
                               "\"histogram\":[[0,1],[4,2]]}") == 0,
              "%s", out.data);
    mc_text_deinit(&out);
}

int main(void) {
    check_quantiles();
    check_slow();
    check_text();
    return test_finish();
}
