// Who keeps a place at the port, and who gives way.
#include "engine/live/websocket/push_place.h"
#include "tests/test.h"

#define S UINT64_C(1000000000)
#define NOW (1000 * S)

static void test_silence(void) {
    mc_push_place place = {.since_ns = NOW, .heard_ns = NOW};
    CHECK(mc_push_place_judge(&place, NOW + 10 * S) == MC_PUSH_STAYS);
    CHECK(mc_push_place_judge(&place, NOW + 11 * S) == MC_PUSH_IS_LATE);
    place.is_open = true;
    CHECK(mc_push_place_judge(&place, NOW + 19 * S) == MC_PUSH_STAYS);
    CHECK(mc_push_place_judge(&place, NOW + 21 * S) == MC_PUSH_IS_PINGED);
    place.pinged_ns = NOW + 21 * S;
    CHECK(mc_push_place_judge(&place, NOW + 40 * S) == MC_PUSH_STAYS);
    CHECK(mc_push_place_judge(&place, NOW + 42 * S) == MC_PUSH_IS_PINGED);
    CHECK(mc_push_place_judge(&place, NOW + 121 * S) == MC_PUSH_IS_SILENT);
    place.heard_ns = NOW + 119 * S; // a pong
    CHECK(mc_push_place_judge(&place, NOW + 121 * S) != MC_PUSH_IS_SILENT);
    place.heard_ns = NOW;
    place.has_sent = true; // it is silent between two steps, which may take as long as it likes
    CHECK(mc_push_place_judge(&place, NOW + 7200 * S) == MC_PUSH_IS_PINGED);
    place.in_message = true;
    CHECK(mc_push_place_judge(&place, NOW + 121 * S) == MC_PUSH_IS_SILENT);
}

static void test_who_may_go(void) {
    mc_push_place place = {.since_ns = NOW, .heard_ns = NOW};
    CHECK(!mc_push_place_may_go(&place, NOW + 1 * S));
    CHECK(mc_push_place_may_go(&place, NOW + 3 * S));
    place.is_open = true;
    place.heard_ns = NOW + 3 * S; // pongs are no reason to stay
    CHECK(mc_push_place_may_go(&place, NOW + 3 * S));
    place.data_ns = NOW + 100 * S;
    CHECK(!mc_push_place_may_go(&place, NOW + 130 * S));
    CHECK(mc_push_place_may_go(&place, NOW + 131 * S));
}

static void test_order(void) {
    const mc_push_place order[] = {
        {.since_ns = NOW + 2 * S},
        {.since_ns = NOW + 3 * S},
        {.is_open = true, .since_ns = NOW, .data_ns = NOW + 9 * S, .in_message = true},
        {.is_open = true, .since_ns = NOW + 1 * S},
        {.is_open = true, .has_sent = true, .since_ns = NOW, .data_ns = NOW + 4 * S},
        {.is_open = true, .has_sent = true, .since_ns = NOW, .data_ns = NOW + 5 * S},
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (size_t k = 0; k < sizeof order / sizeof *order; k++)
            CHECK_MSG(mc_push_place_goes_before(&order[i], &order[k]) == (i < k), "%zu %zu", i, k);
}

int main(void) {
    test_silence();
    test_who_may_go();
    test_order();
    return test_finish();
}
