// When a window is drawn at half its resolution: while the camera moves and whole frames take long,
// as settings have it; never by one frame's time alone, never back and forth.
#include "engine/render/core/pace.h"
#include "tests/test.h"

#define MS UINT64_C(1000000)

static bool ask(mc_pace *pace, mc_moving moving, float eye, uint64_t at_ms) {
    mc_camera_view view = {.eye = {eye, 0, 0}};
    return mc_pace_wants_half(pace, moving, &view, 640, 360, at_ms * MS);
}

static void test_costs(void) {
    mc_pace pace = {0};
    CHECK(!ask(&pace, MC_MOVING_AUTO, 0, 1));
    mc_pace_note(&pace, false, 500); // the first frame compiles shaders
    CHECK(!ask(&pace, MC_MOVING_AUTO, 1, 2));
    mc_pace_note(&pace, false, 10);
    CHECK(!ask(&pace, MC_MOVING_AUTO, 2, 3));
    mc_pace_note(&pace, false, 80);
    CHECK(!ask(&pace, MC_MOVING_AUTO, 3, 4));
    mc_pace_note(&pace, false, 80);
    CHECK(ask(&pace, MC_MOVING_AUTO, 4, 5));
    // A half that a whole of 24 ms may have: not sure.
    mc_pace_note(&pace, true, 6);
    CHECK(ask(&pace, MC_MOVING_AUTO, 5, 6));
    mc_pace_note(&pace, true, 4);
    CHECK(!ask(&pace, MC_MOVING_AUTO, 6, 7));
    // One slow frame after it, as of a busy machine, is none.
    mc_pace_note(&pace, false, 40);
    CHECK(!ask(&pace, MC_MOVING_AUTO, 7, 8));
    mc_pace_note(&pace, false, 12);
    mc_pace_note(&pace, false, 40);
    CHECK(!ask(&pace, MC_MOVING_AUTO, 8, 9));
}

static void test_rest(void) {
    mc_pace pace = {0};
    mc_pace_note(&pace, false, 80);
    mc_pace_note(&pace, false, 80);
    CHECK(!ask(&pace, MC_MOVING_AUTO, 0, 0)); // what is seen first does not move
    CHECK(!ask(&pace, MC_MOVING_AUTO, 0, 20));
    CHECK(ask(&pace, MC_MOVING_AUTO, 1, 40));
    CHECK(ask(&pace, MC_MOVING_AUTO, 1, 41)); // a hand that halts for a moment
    CHECK(ask(&pace, MC_MOVING_AUTO, 1, 239));
    CHECK(!ask(&pace, MC_MOVING_AUTO, 1, 240));
    CHECK(!ask(&pace, MC_MOVING_AUTO, 1, 241));
    CHECK(ask(&pace, MC_MOVING_AUTO, 2, 300));
    mc_camera_view view = {.eye = {2, 0, 0}};
    CHECK(!mc_pace_wants_half(&pace, MC_MOVING_AUTO, &view, 640, 360, 600 * MS));
    CHECK(mc_pace_wants_half(&pace, MC_MOVING_AUTO, &view, 641, 360, 601 * MS)); // another size
}

static void test_settings(void) {
    mc_pace slow = {0}, fast = {0};
    mc_pace_note(&slow, false, 80);
    mc_pace_note(&slow, false, 80);
    CHECK(!ask(&slow, MC_MOVING_FULL, 0, 0));
    CHECK(!ask(&slow, MC_MOVING_FULL, 1, 1));
    CHECK(!ask(&fast, MC_MOVING_HALF, 0, 0));
    CHECK(ask(&fast, MC_MOVING_HALF, 1, 1));
    CHECK(!ask(&fast, MC_MOVING_HALF, 1, 301));
}

int main(void) {
    test_costs();
    test_rest();
    test_settings();
    return test_finish();
}
