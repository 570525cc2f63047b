#include "engine/scene/playback.h"
#include "tests/test.h"

static void test_steps(void) {
    mc_playback p;
    mc_playback_init(&p, 2, 9);
    CHECK(p.step == 2 && !p.playing && mc_playback_get_blend(&p) == 1);
    CHECK(isinf(mc_playback_get_wait_s(&p)));
    CHECK(!mc_playback_move(&p, -1));
    CHECK(mc_playback_move(&p, 3) && p.step == 5);
    CHECK(mc_playback_get_blend(&p) == 0 && mc_playback_is_tweening(&p));
    CHECK(mc_playback_set_step(&p, 100) && p.step == 9);
    CHECK(!mc_playback_set_step(&p, 100));
    CHECK(mc_playback_set_step(&p, 0) && p.step == 2);
    CHECK(mc_playback_move(&p, INT32_MAX) && p.step == 9);
    CHECK(mc_playback_move(&p, INT32_MIN) && p.step == 2);
}

static void test_range(void) {
    mc_playback p;
    mc_playback_init(&p, 0, 9);
    mc_playback_set_step(&p, 7);
    mc_playback_toggle(&p);
    mc_playback_set_range(&p, 2, 5);
    CHECK(p.step == 5 && p.playing && !mc_playback_is_tweening(&p));
    mc_playback_set_range(&p, 0, 9);
    CHECK(p.step == 5);
    CHECK(mc_playback_move(&p, 3) && p.step == 8);
    mc_playback_set_range(&p, 9, 9);
    CHECK(p.step == 9 && !p.playing);
}

static void test_tween(void) {
    mc_playback p;
    mc_playback_init(&p, 0, 9);
    mc_playback_move(&p, 1);
    double before = 0;
    for (int i = 0; i < 24; i++) {
        mc_playback_advance(&p, 0.02);
        double blend = mc_playback_get_blend(&p);
        CHECK(blend > before && blend < 1);
        before = blend;
    }
    mc_playback_advance(&p, 0.02);
    mc_playback_advance(&p, 0.02);
    CHECK(mc_playback_get_blend(&p) == 1 && !mc_playback_is_tweening(&p));
    mc_playback_set_duration(&p, 3);
    mc_playback_move(&p, 1);
    mc_playback_advance(&p, 0.61); // never longer than 0.6 s
    CHECK(!mc_playback_is_tweening(&p));
    p.smooth = false;
    mc_playback_move(&p, 1);
    CHECK(!mc_playback_is_tweening(&p) && mc_playback_get_blend(&p) == 1);
    mc_playback_set_duration(&p, 0);
    CHECK(p.step_duration_s > 0);
    mc_playback_set_duration(&p, 1e9);
    CHECK(p.step_duration_s <= MC_PLAYBACK_MAX_DURATION_S);
}

static void test_playing(void) {
    mc_playback p;
    mc_playback_init(&p, 0, 3);
    mc_playback_toggle(&p);
    CHECK(p.playing && p.step == 0);
    CHECK(!mc_playback_advance(&p, 0.25));
    CHECK(fabs(mc_playback_get_wait_s(&p) - 0.25) < 1e-9);
    CHECK(mc_playback_advance(&p, 0.25) && p.step == 1);
    CHECK(mc_playback_get_wait_s(&p) == 0);
    CHECK(mc_playback_advance(&p, 1.0) && p.step == 3); // two steps at once
    CHECK(p.playing);
    CHECK(!mc_playback_advance(&p, 0.5) && !p.playing && p.step == 3);
    mc_playback_toggle(&p); // begins again
    CHECK(p.playing && p.step == 0);
    p.loop = true;
    CHECK(mc_playback_advance(&p, 1.5) && p.step == 3);
    CHECK(mc_playback_advance(&p, 0.5) && p.step == 0 && p.playing);
    CHECK(mc_playback_advance(&p, 0.5 * 4 * 1000 + 0.5) && p.step == 1);
    mc_playback_toggle(&p);
    CHECK(!p.playing && p.step == 1);
    mc_playback_init(&p, 5, 5); // nothing to play
    mc_playback_toggle(&p);
    CHECK(!p.playing);
    CHECK(!mc_playback_advance(&p, 10) && p.step == 5);
}

int main(void) {
    test_steps();
    test_range();
    test_tween();
    test_playing();
    return test_finish();
}
