// The times of a recording's steps, while the machine's clock is set.
#include "engine/live/record_clock.h"
#include "tests/test.h"

#define SECOND_NS UINT64_C(1000000000)
#define BEGIN_MS INT64_C(1700000000000)

// `seconds` since the beginning, with a wall clock that was set by `set_ms` in all.
static mc_record_moment at(double seconds, int64_t set_ms) {
    return (mc_record_moment){.wall_ms = BEGIN_MS + (int64_t)(seconds * 1000) + set_ms,
                              .steady_ns = 77 * SECOND_NS + (uint64_t)(seconds * 1e9)};
}

static void test_clock_is_set(int64_t set_ms) {
    mc_record_clock clock;
    CHECK(mc_record_clock_begin(&clock, at(0, 0), INT64_MIN) == 0);
    for (int i = 0; i < 10; i++) {
        mc_record_moment now = at(10 * i, i < 4 ? 0 : set_ms);
        int64_t jump_ms = mc_record_clock_take_jump(&clock, now);
        CHECK(jump_ms == (i == 4 ? set_ms : 0)); // told once
        CHECK(mc_record_clock_get(&clock, now) == BEGIN_MS + 10000 * i);
    }
    // and another time
    CHECK(mc_record_clock_take_jump(&clock, at(100, 0)) == -set_ms);
    CHECK(mc_record_clock_get(&clock, at(100, 0)) == BEGIN_MS + 100000);
}

// What no one did: reading the clocks one after the other, a leap second.
static void test_small_jumps(void) {
    mc_record_clock clock;
    mc_record_clock_begin(&clock, at(0, 0), INT64_MIN);
    for (int i = 1; i < 10; i++)
        CHECK(mc_record_clock_take_jump(&clock, at(i, i % 2 ? 1000 : -1000)) == 0);
}

// Steps of one instant, or of a steady clock that is coarse.
static void test_times_increase(void) {
    mc_record_clock clock;
    mc_record_clock_begin(&clock, at(0, 0), INT64_MIN);
    CHECK(mc_record_clock_get(&clock, at(0, 0)) == BEGIN_MS);
    CHECK(mc_record_clock_get(&clock, at(0, 0)) == BEGIN_MS + 1);
    CHECK(mc_record_clock_get(&clock, at(0.0001, 0)) == BEGIN_MS + 2);
    CHECK(mc_record_clock_get(&clock, at(1, 0)) == BEGIN_MS + 1000);
}

static void test_going_on(void) {
    mc_record_clock clock;
    CHECK(mc_record_clock_begin(&clock, at(0, 0), BEGIN_MS - 5000) == 0);
    CHECK(mc_record_clock_get(&clock, at(0, 0)) == BEGIN_MS);
    // The file's last step is an hour ahead: distances are true all the same.
    const int64_t last_ms = BEGIN_MS + 3600000;
    CHECK(mc_record_clock_begin(&clock, at(0, 0), last_ms) == 3600001);
    CHECK(mc_record_clock_get(&clock, at(0, 0)) == last_ms + 1);
    CHECK(mc_record_clock_get(&clock, at(10, 0)) == last_ms + 10001);
    CHECK(mc_record_clock_take_jump(&clock, at(20, 0)) == 0);
    CHECK(mc_record_clock_get(&clock, at(20, 3600000)) == last_ms + 20001);
    // or of this very moment
    CHECK(mc_record_clock_begin(&clock, at(0, 0), BEGIN_MS) == 1);
    CHECK(mc_record_clock_get(&clock, at(0, 0)) == BEGIN_MS + 1);
}

int main(void) {
    test_clock_is_set(-3600000);
    test_clock_is_set(3600000);
    test_clock_is_set(-2000);
    test_small_jumps();
    test_times_increase();
    test_going_on();
    return test_finish();
}
