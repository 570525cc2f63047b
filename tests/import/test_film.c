// Moments and the peak of a recording, against counting them all again.
#include "engine/base/memory.h"
#include "engine/import/stacks/film.h"
#include "tests/test.h"
#include <inttypes.h>

enum { KINDS = 7, EVENTS = 4000 };

typedef struct state {
    mc_film_counts kinds[KINDS];
    uint64_t bytes;
    int64_t time_ms;
} state;

static mc_error error;
static uint64_t random_state;

static uint32_t pick(uint32_t count) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % count;
}

// All states after an event or a tick; `ticks` are those right at one.
typedef struct history {
    state now, peak, ticks[EVENTS];
    uint32_t tick_count;
    uint32_t last; // kind allocated last; MC_NONE: something else was
} history;

static void allocate(history *h, mc_film *film, uint32_t kind, uint64_t size) {
    mc_film_counts *counts = &h->now.kinds[kind];
    mc_film_allocate(film, kind, size);
    counts->objects++;
    counts->alloc_objects++;
    counts->bytes += size;
    counts->alloc_bytes += size;
    h->now.bytes += size;
    h->last = kind;
    if (h->now.bytes > h->peak.bytes) h->peak = h->now;
}

static void release(history *h, mc_film *film, uint32_t kind, uint64_t size) {
    mc_film_counts *counts = &h->now.kinds[kind];
    mc_film_free(film, kind, size);
    if (counts->objects == 0) return;
    counts->objects--;
    counts->bytes -= size;
    counts->temporary += h->last == kind;
    h->now.bytes -= size;
    h->last = MC_NONE;
}

static void tick(history *h, mc_film *film, int64_t time_ms) {
    mc_film_set_time(film, time_ms);
    if (time_ms < h->now.time_ms) return;
    h->now.time_ms = time_ms;
    h->ticks[h->tick_count++] = h->now;
}

static bool is_same(const mc_film_step *step, const state *wanted) {
    for (uint32_t i = 0; i < KINDS; i++)
        if (memcmp(&step->kinds[i].now, &wanted->kinds[i], sizeof wanted->kinds[i]) != 0)
            return false;
    return true;
}

static const state *find_tick(const history *h, int64_t time_ms) {
    for (uint32_t i = 0; i < h->tick_count; i++)
        if (h->ticks[i].time_ms == time_ms) return &h->ticks[i];
    return NULL;
}

static void check_steps(history *h, mc_film *film, uint32_t moment_count) {
    mc_film_step step;
    uint32_t count = 0, peaks = 0;
    int64_t last_ms = INT64_MIN;
    while (mc_film_next_step(film, &step)) {
        CHECK(step.time_ms > last_ms);
        const state *at_tick = find_tick(h, step.time_ms);
        bool is_right = step.is_last ? is_same(&step, &h->now)
                        : step.is_peak && !(at_tick && is_same(&step, at_tick))
                            ? is_same(&step, &h->peak)
                            : at_tick && is_same(&step, at_tick);
        CHECK_MSG(is_right, "step %" PRIu32 " at %" PRId64, count, step.time_ms);
        if (step.is_peak) CHECK(is_same(&step, &h->peak));
        peaks += step.is_peak;
        count++;
        last_ms = step.time_ms;
    }
    CHECK(peaks >= 1 && count <= moment_count + 2);
    // Ticks are close enough together for all of them.
    if (h->tick_count > 8 * moment_count && h->now.time_ms > 80 * (int64_t)moment_count)
        CHECK_MSG(count * 4 >= moment_count * 3, "%" PRIu32 " of %" PRIu32, count, moment_count);
}

static void test_random(uint64_t seed, uint32_t moment_count, int64_t pace_ms, uint32_t growth) {
    static history h;
    mc_film film;
    random_state = seed;
    memset(&h, 0, sizeof h);
    h.last = MC_NONE;
    mc_film_init(&film, moment_count);
    for (uint32_t i = 0; i < KINDS; i++)
        REQUIRE(mc_film_add_kind(&film) == i);
    for (uint32_t i = 0; i < EVENTS; i++) {
        uint32_t kind = pick(KINDS), what = pick(10 + growth);
        if (what < 5 + growth)
            allocate(&h, &film, kind, 8u << kind);
        else if (what < 9 + growth)
            release(&h, &film, kind, 8u << kind);
        else
            tick(&h, &film, h.now.time_ms + 5 * (int64_t)pick((uint32_t)pace_ms));
    }
    REQUIRE(mc_film_finish(&film, &error) == MC_OK);
    check_steps(&h, &film, moment_count);
    mc_film_deinit(&film);
}

static void test_edges(void) {
    mc_film film;
    mc_film_step step;
    // Nothing at all is one step.
    mc_film_init(&film, 60);
    REQUIRE(mc_film_finish(&film, &error) == MC_OK);
    CHECK(mc_film_next_step(&film, &step) && step.is_last && !step.is_peak && step.time_ms == 0);
    CHECK(!mc_film_next_step(&film, &step));
    mc_film_deinit(&film);
    // The peak is a step between; what comes behind the end has a time of its own.
    mc_film_init(&film, 60);
    mc_film_add_kind(&film);
    mc_film_allocate(&film, 0, 100);
    mc_film_set_time(&film, 20);
    mc_film_allocate(&film, 0, 100);
    mc_film_free(&film, 0, 100);
    mc_film_free(&film, 0, 100);
    mc_film_free(&film, 0, 100); // of which nothing is known
    REQUIRE(mc_film_finish(&film, &error) == MC_OK);
    CHECK(mc_film_next_step(&film, &step) && step.time_ms == 20 && step.kinds[0].now.bytes == 100);
    CHECK(mc_film_next_step(&film, &step) && step.time_ms == 21 && step.is_peak &&
          step.kinds[0].now.bytes == 200 && step.most_bytes == 200);
    CHECK(mc_film_next_step(&film, &step) && step.time_ms == 22 && step.is_last &&
          step.kinds[0].now.objects == 0 && step.kinds[0].now.temporary == 1);
    CHECK(!mc_film_next_step(&film, &step));
    mc_film_deinit(&film);
    // What was before does not count.
    mc_film_init(&film, 60);
    mc_film_add_kind(&film);
    mc_film_allocate(&film, 0, 100);
    mc_film_set_time(&film, 20);
    mc_film_restart(&film);
    mc_film_allocate(&film, 0, 1);
    REQUIRE(mc_film_finish(&film, &error) == MC_OK);
    CHECK(mc_film_next_step(&film, &step) && step.is_last && step.kinds[0].now.alloc_bytes == 1);
    mc_film_deinit(&film);
    // Sums that no number can hold.
    mc_film_init(&film, 60);
    mc_film_add_kind(&film);
    mc_film_allocate(&film, 0, INT64_MAX);
    mc_film_free(&film, 0, INT64_MAX);
    mc_film_allocate(&film, 0, 1);
    CHECK(mc_film_finish(&film, &error) == MC_ERROR_BAD_DATA);
    mc_film_deinit(&film);
}

static void test_memory(void) {
    for (uint64_t n = 0;; n++) {
        mc_film film;
        mc_film_step step;
        mc_memory_fail_after(n);
        mc_film_init(&film, 2);
        bool is_there = mc_film_add_kind(&film) == 0;
        for (int i = 0; i < 50 && is_there; i++) {
            mc_film_allocate(&film, 0, 8);
            mc_film_set_time(&film, 20 * i);
            if (i % 3 == 0) mc_film_free(&film, 0, 8);
        }
        mc_result result = is_there ? mc_film_finish(&film, &error) : MC_ERROR_OUT_OF_MEMORY;
        while (result == MC_OK && mc_film_next_step(&film, &step))
            continue;
        mc_memory_fail_after(UINT64_MAX);
        mc_film_deinit(&film);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY);
    }
}

int main(void) {
    for (uint64_t seed = 1; seed <= 60; seed++)
        test_random(seed, 1 + (uint32_t)seed % 30, 1 + (int64_t)(seed * seed) % 100,
                    (uint32_t)seed % 3);
    test_edges();
    test_memory();
    return test_finish();
}
