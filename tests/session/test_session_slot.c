// A slot: the newest key wins, what runs holds its dataset, and what its thread keeps is of one.
#include "app/answers/slot.h"
#include "engine/import/import.h"
#include "tests/test.h"
#include <time.h>

typedef struct task {
    int key, answer;
    const mc_trace *trace;
    bool fails, waits;
} task;

static atomic_int states, tasks; // that exist
static atomic_bool goes_on;

static void rest(void) {
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static mc_result run(void *context, void **state, const mc_progress *progress, mc_error *error) {
    task *t = context;
    while (t->waits && !atomic_load(&goes_on)) {
        if (!mc_progress_report(progress, 0, 1)) return MC_ERROR_CANCELLED;
        rest();
    }
    if (t->fails) return mc_fail(error, MC_ERROR_BAD_DATA, "no %d", t->key);
    if (!*state) {
        *state = calloc(1, sizeof(int));
        REQUIRE(*state);
        atomic_fetch_add(&states, 1);
    }
    int *count = *state;
    t->answer = 100 * ++*count + (int)mc_trace_get_step_count(t->trace) + t->key;
    return MC_OK;
}

static void destroy(void *context) {
    atomic_fetch_sub(&tasks, 1);
    free(context);
}

static void destroy_state(void *state) {
    atomic_fetch_sub(&states, 1);
    free(state);
}

static bool differ(const void *a, const void *b) {
    return *(const int *)a != *(const int *)b;
}

static mc_dataset *open_dataset(void) {
    const char *const paths[] = {MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1"};
    mc_import_desc desc = {.paths = paths, .path_count = 1};
    mc_trace *trace;
    mc_error error = {0};
    REQUIRE(mc_import_trace(&desc, &trace, NULL, &error) == MC_OK);
    mc_dataset *dataset = mc_dataset_create(trace);
    REQUIRE(dataset);
    return dataset;
}

static void start(mc_slot *slot, mc_dataset *dataset, task what) {
    task *t = malloc(sizeof *t);
    REQUIRE(t);
    *t = what;
    t->trace = dataset->trace;
    atomic_fetch_add(&tasks, 1);
    CHECK(mc_slot_want(slot, &what.key));
    CHECK(!mc_slot_want(slot, &what.key));
    mc_slot_start(slot, dataset, t);
}

// The answer to what is wanted; -1: it failed.
static int wait_for(mc_slot *slot) {
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome;
    while ((outcome = mc_slot_take(slot, &taken, &error)) == MC_SLOT_NOTHING)
        rest();
    int answer = outcome == MC_SLOT_FOUND ? ((task *)taken)->answer : -1;
    CHECK(outcome == MC_SLOT_FOUND || strcmp(error.message, "no 7") == 0);
    destroy(taken);
    CHECK(!mc_slot_is_looking(slot) && !mc_slot_is_busy(slot));
    return answer;
}

// Keys come one after another, each before the one before is answered: what runs is answered, late,
// then the newest; those between never begin.
static void check_patience(mc_slot *slot, mc_dataset *dataset) {
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome;
    for (int key = 20; key < 25; key++) {
        task *t = malloc(sizeof *t);
        REQUIRE(t);
        *t = (task){.key = key, .trace = dataset->trace, .waits = key == 20};
        atomic_fetch_add(&tasks, 1);
        CHECK(mc_slot_want(slot, &key));
        mc_slot_start_behind(slot, dataset, t);
        CHECK(mc_slot_is_busy(slot) && mc_slot_is_looking(slot));
        CHECK(mc_slot_take(slot, &taken, &error) == MC_SLOT_NOTHING);
    }
    CHECK(atomic_load(&tasks) == 2);
    atomic_store(&goes_on, true);
    while ((outcome = mc_slot_take(slot, &taken, &error)) == MC_SLOT_NOTHING)
        rest();
    CHECK(outcome == MC_SLOT_LATE && ((task *)taken)->key == 20 && mc_slot_is_busy(slot));
    destroy(taken);
    CHECK(wait_for(slot) % 100 == 27 + 24);
    atomic_store(&goes_on, false);
    // What the user asks for waits for nothing, and drops what waits.
    start(slot, dataset, (task){.key = 30, .waits = true});
    task *t = malloc(sizeof *t);
    REQUIRE(t);
    *t = (task){.key = 31, .trace = dataset->trace};
    atomic_fetch_add(&tasks, 1);
    CHECK(mc_slot_want(slot, &t->key));
    mc_slot_start_behind(slot, dataset, t);
    start(slot, dataset, (task){.key = 32});
    CHECK(wait_for(slot) % 100 == 27 + 32);
    start(slot, dataset, (task){.key = 33, .waits = true});
    mc_slot_cancel(slot);
    while (mc_slot_is_busy(slot))
        CHECK(mc_slot_take(slot, &taken, &error) == MC_SLOT_NOTHING);
}

int main(void) {
    static const mc_slot_kind kind = {sizeof(int), differ, run, destroy, destroy_state, false};
    mc_dataset *first = open_dataset(), *second = open_dataset();
    mc_slot *slot;
    mc_error error = {0};
    int none = 0;
    REQUIRE(mc_slot_create(&kind, &none, NULL, &slot, &error) == MC_OK);
    CHECK(!mc_slot_is_looking(slot) && !mc_slot_is_busy(slot));
    start(slot, first, (task){.key = 1});
    CHECK(wait_for(slot) == 100 + 27 + 1);
    start(slot, first, (task){.key = 2});
    CHECK(wait_for(slot) == 200 + 27 + 2); // its thread has kept something
    start(slot, first, (task){.key = 7, .fails = true});
    CHECK(wait_for(slot) == -1);
    // What is under way is never seen once another thing is wanted.
    start(slot, first, (task){.key = 3, .waits = true});
    start(slot, first, (task){.key = 4});
    CHECK(wait_for(slot) == 300 + 27 + 4);
    // The last holder frees it, and that is not the one who opened it.
    start(slot, first, (task){.key = 5, .waits = true});
    mc_dataset_release(first);
    atomic_store(&goes_on, true);
    CHECK(wait_for(slot) == 400 + 27 + 5);
    // Another one: nothing that was kept is of it.
    start(slot, second, (task){.key = 6});
    CHECK(wait_for(slot) == 100 + 27 + 6);
    CHECK(atomic_load(&states) == 1);
    atomic_store(&goes_on, false);
    check_patience(slot, second);
    // Nothing is wanted any more.
    atomic_store(&goes_on, false);
    start(slot, second, (task){.key = 8, .waits = true});
    mc_slot_reset(slot);
    void *taken;
    while (mc_slot_is_busy(slot)) {
        CHECK(mc_slot_take(slot, &taken, &error) == MC_SLOT_NOTHING);
        rest();
    }
    CHECK(*(const int *)mc_slot_get_wanted(slot) == 0 && !mc_slot_is_looking(slot));
    mc_dataset_release(second);
    mc_slot_destroy(slot);
    CHECK(atomic_load(&states) == 0 && atomic_load(&tasks) == 0);
    return test_finish();
}
