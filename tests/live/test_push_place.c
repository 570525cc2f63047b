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

// Whether the only one there gives way.
static bool goes(const mc_push_place *place, uint64_t now_ns) {
    return mc_push_place_choose(place, 1, now_ns) == 0;
}

static void test_who_may_go(void) {
    mc_push_place place = {.since_ns = NOW, .heard_ns = NOW};
    CHECK(!goes(&place, NOW + 1 * S));
    CHECK(goes(&place, NOW + 3 * S));
    place.is_open = true;
    place.heard_ns = NOW + 3 * S; // pongs are no reason to stay
    CHECK(goes(&place, NOW + 3 * S));
    place.has_input = true;
    CHECK(!goes(&place, NOW + 3 * S));
    place.has_input = false;
    place.data_ns = NOW + 100 * S;
    CHECK(!goes(&place, NOW + 130 * S));
    CHECK(goes(&place, NOW + 131 * S));
}

static void test_order(void) {
    const mc_push_place order[] = {
        {.since_ns = NOW + 2 * S},
        {.since_ns = NOW + 3 * S},
        {.is_open = true, .since_ns = NOW, .data_ns = NOW + 9 * S, .in_message = true},
        {.is_open = true, .has_sent = true, .since_ns = NOW + 1 * S},
        {.is_open = true, .has_given = true, .since_ns = NOW, .data_ns = NOW + 4 * S},
        {.is_open = true, .has_given = true, .since_ns = NOW, .data_ns = NOW + 5 * S},
    };
    const uint32_t count = sizeof order / sizeof *order;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = i + 1; k < count; k++) {
            const mc_push_place both[] = {order[i], order[k]}, turned[] = {order[k], order[i]};
            CHECK_MSG(mc_push_place_choose(both, 2, NOW + 100 * S) == 0, "%u %u", i, k);
            CHECK_MSG(mc_push_place_choose(turned, 2, NOW + 100 * S) == 1, "%u %u", i, k);
        }
    CHECK(mc_push_place_choose(order, count, NOW + 100 * S) == 0);
}

// A crowd that connects within 2 s chases nobody away who waits for its next step.
static void test_crowd(void) {
    mc_push_place places[16];
    for (size_t i = 0; i < 16; i++)
        places[i] = (mc_push_place){.is_open = i % 2 == 1, .since_ns = NOW, .heard_ns = NOW};
    places[7] = (mc_push_place){.is_open = true, .since_ns = NOW - 500 * S};
    mc_push_place_end_message(&places[7], true, NOW - 400 * S);
    CHECK(mc_push_place_choose(places, 16, NOW + 1 * S) == MC_NONE);
    CHECK(mc_push_place_choose(places, 16, NOW + 3 * S) == 0);
    // Nor does one whose messages are all wrong.
    for (size_t i = 0; i < 16; i++) {
        if (i == 7) continue;
        places[i].is_open = true;
        places[i].data_ns = NOW + 100 * S;
        CHECK(mc_push_place_choose(places, 16, NOW + 101 * S) != 7);
    }
    CHECK(mc_push_place_choose(places, 16, NOW + 101 * S) == MC_NONE);
    mc_push_place_end_message(&places[3], false, NOW + 101 * S);
    CHECK(mc_push_place_choose(places, 16, NOW + 101 * S) == 3);
    for (size_t i = 0; i < 16; i++)
        if (i != 7) mc_push_place_end_message(&places[i], true, NOW + 101 * S);
    CHECK(mc_push_place_choose(places, 16, NOW + 101 * S) == 7); // all gave something
}

int main(void) {
    test_silence();
    test_who_may_go();
    test_order();
    test_crowd();
    return test_finish();
}
