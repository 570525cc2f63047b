// The list of programs to record: nothing moves under the pointer, and a click means what was
// there.
#include "app/window/program_list.h"
#include "tests/test.h"

#define MS UINT64_C(1000000)

static mc_program_list list;

static bool update(uint64_t now_ms, bool is_pointed, uint32_t count, const uint32_t *pids) {
    mc_program programs[8] = {{0}};
    for (uint32_t i = 0; i < count; i++)
        programs[i] = (mc_program){
            .pid = pids[i], .start_ticks = pids[i] * 10, .heap_bytes = (uint64_t)now_ms};
    return mc_program_list_update(&list, programs, count, now_ms * MS, is_pointed);
}
#define UPDATE(now_ms, is_pointed, ...)                                              \
    update(now_ms, is_pointed, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), \
           (const uint32_t[]){__VA_ARGS__})

static bool can_take(uint32_t row, uint64_t now_ms) {
    return mc_program_list_can_take(&list, row, now_ms * MS);
}

static bool holds(uint32_t row, uint32_t pid, bool has_ended) {
    return row < list.count && list.rows[row].program.pid == pid &&
           list.rows[row].has_ended == has_ended;
}

int main(void) {
    CHECK(UPDATE(1000, false, 11, 12, 13) && list.count == 3);
    CHECK(!can_take(1, 1299) && can_take(1, 1300) && !can_take(3, 9000));
    // Figures are new at each look; no row is another one.
    CHECK(!UPDATE(2000, false, 11, 12, 13) && list.rows[1].program.heap_bytes == 2000);
    CHECK(can_take(1, 2001));
    // What ends below the pointer keeps its row, which takes no click any more; what begins is
    // last.
    CHECK(UPDATE(3000, true, 11, 13, 14) && list.count == 4);
    CHECK(holds(0, 11, false) && holds(1, 12, true) && holds(2, 13, false) && holds(3, 14, false));
    CHECK(!can_take(1, 9000) && can_take(2, 3001) && !can_take(3, 3001) && can_take(3, 3300));
    // It goes once the pointer has left; rows that move up wait, those above don't.
    CHECK(UPDATE(4000, false, 11, 13, 14) && list.count == 3 && holds(1, 13, false));
    CHECK(can_take(0, 4001) && !can_take(1, 4299) && can_take(1, 4300));
    // Another program with the same number is another row.
    mc_program again = {.pid = 11, .start_ticks = 999};
    CHECK(mc_program_list_update(&list, &again, 1, 5000 * MS, true) && list.count == 4);
    CHECK(holds(0, 11, true) && holds(3, 11, false));
    CHECK(mc_program_list_update(&list, &again, 0, 6000 * MS, false) && list.count == 0);
    return test_finish();
}
