// Numbers are found by their keys, also after others were removed, in any order; beside a list.
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include "tests/test.h"

#define KEY_COUNT 3000u

static uint32_t keys[KEY_COUNT];
static bool is_in[KEY_COUNT];

// Few hashes, and near each other, the last ones at the table's end: many numbers share a run.
static uint32_t hash_key(uint32_t key) {
    return key % 7 == 0 ? UINT32_MAX - key % 5 : key / 3;
}

static uint32_t find(const mc_slots *slots, uint32_t key) {
    uint32_t hash = hash_key(key), found;
    for (uint32_t at = hash; (found = mc_slots_find(slots, hash, &at)) != MC_NONE;)
        if (keys[found] == key) break;
    return found;
}

static void check_all(const mc_slots *slots) {
    uint32_t count = 0, wrong_count = 0;
    for (uint32_t i = 0; i < KEY_COUNT; i++) {
        count += is_in[i];
        wrong_count += find(slots, keys[i]) != (is_in[i] ? i : MC_NONE);
    }
    CHECK(wrong_count == 0 && slots->count == count);
}

static void test_add_and_remove(void) {
    mc_slots slots = {.count = 0};
    uint32_t state = 1;
    for (uint32_t i = 0; i < KEY_COUNT; i++)
        keys[i] = i * 11;
    check_all(&slots);
    for (uint32_t round = 0; round < 40; round++) {
        for (uint32_t i = 0; i < 1500; i++) {
            state = state * 1664525u + 1013904223u;
            uint32_t number = (state >> 8) % KEY_COUNT;
            if (is_in[number])
                mc_slots_remove(&slots, hash_key(keys[number]), number);
            else
                REQUIRE(mc_slots_add(&slots, hash_key(keys[number]), number));
            is_in[number] = !is_in[number];
        }
        check_all(&slots);
    }
    CHECK(slots.count * 3 < slots.slot_count * 2 + 3);
    mc_slots_deinit(&slots);
    CHECK(slots.slot_count == 0 && mc_slots_find(&slots, 1, &state) == MC_NONE);
}

static void test_growing(void) {
    mc_slots slots = {.count = 0};
    REQUIRE(mc_slots_reserve(&slots, 1000));
    CHECK(slots.slot_count == 2048 && slots.count == 0);
    mc_memory_fail_after(0);
    CHECK(mc_slots_reserve(&slots, 1000) && !mc_slots_reserve(&slots, 2000));
    mc_memory_fail_after(UINT64_MAX);
    CHECK(slots.slot_count == 2048 && !mc_slots_reserve(&slots, UINT32_MAX / 2));
    mc_slots_deinit(&slots);
}

int main(void) {
    test_add_and_remove();
    test_growing();
    return test_finish();
}
