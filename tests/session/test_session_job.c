#include "app/answers/job.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "tests/test.h"
#include <stdatomic.h>
#include <time.h>

static atomic_int alive, wakes;

typedef struct task {
    int value;
    uint64_t length; // reports until it ends by itself
} task;

static void nap(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static mc_result run(void *context, const mc_progress *progress, mc_error *error) {
    task *t = context;
    for (uint64_t i = 0; i < t->length; i++) {
        if (!mc_progress_report(progress, i, t->length)) {
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        }
        nap();
    }
    t->value *= 2;
    if (t->value < 0) return mc_error_set(error, MC_ERROR_BAD_DATA, 7, "negative");
    return MC_OK;
}

static void destroy(void *context) {
    atomic_fetch_sub(&alive, 1);
    mc_free(context);
}

static void wake(void) {
    atomic_fetch_add(&wakes, 1);
}

static void start(mc_job *job, int value, uint64_t length) {
    task *t = mc_alloc_zero(1, sizeof *t);
    REQUIRE(t);
    *t = (task){value, length};
    atomic_fetch_add(&alive, 1);
    mc_job_start(job, (mc_job_task){run, destroy, t});
}

static mc_job_outcome wait_for(mc_job *job) {
    mc_job_outcome outcome;
    uint64_t deadline = mc_clock_now_ns() + 20000000000u;
    while (!mc_job_take(job, &outcome)) {
        REQUIRE(mc_clock_now_ns() < deadline);
        nap();
    }
    return outcome;
}

int main(void) {
    mc_job *job;
    mc_error error;
    // none at all: nothing is kept, nothing comes
    mc_job_outcome nothing;
    start(NULL, 1, 1);
    mc_job_cancel(NULL);
    CHECK(atomic_load(&alive) == 0 && !mc_job_take(NULL, &nothing));

    REQUIRE(mc_job_create(wake, &job, &error) == MC_OK);
    CHECK(!mc_job_is_busy(job));

    start(job, 21, 3);
    CHECK(mc_job_is_busy(job));
    mc_job_outcome outcome = wait_for(job);
    CHECK(outcome.result == MC_OK && ((task *)outcome.context)->value == 42);
    CHECK(atomic_load(&wakes) == 1 && !mc_job_is_busy(job));
    destroy(outcome.context);

    start(job, -1, 0);
    outcome = wait_for(job);
    CHECK(outcome.result == MC_ERROR_BAD_DATA && outcome.error.byte_offset == 7);
    destroy(outcome.context);

    // The newest of many wins; the others are stopped and freed.
    for (int i = 1; i <= 50; i++) {
        start(job, i, i < 50 ? 1000000 : 2);
        if (i % 7 == 0) nap();
    }
    outcome = wait_for(job);
    CHECK(outcome.result == MC_OK && ((task *)outcome.context)->value == 100);
    destroy(outcome.context);
    CHECK(atomic_load(&alive) == 0);

    // The user's own cancel is an outcome, whether the task has begun or not.
    start(job, 1, 1000000);
    mc_job_cancel(job);
    outcome = wait_for(job);
    CHECK(outcome.result == MC_ERROR_CANCELLED);
    destroy(outcome.context);
    start(job, 1, 1000000);
    while (mc_job_get_progress(job) < 0) {
        nap();
    }
    mc_job_cancel(job);
    outcome = wait_for(job);
    CHECK(outcome.result == MC_ERROR_CANCELLED);
    destroy(outcome.context);

    // Held: what is started waits, can be cancelled, is replaced by a newer one, and begins once it
    // is let go.
    mc_job_hold(job, true);
    start(job, 3, 0);
    for (int i = 0; i < 20; i++)
        nap();
    CHECK(mc_job_is_busy(job) && !mc_job_take(job, &nothing));
    mc_job_cancel(job);
    outcome = wait_for(job);
    CHECK(outcome.result == MC_ERROR_CANCELLED && ((task *)outcome.context)->value == 3);
    destroy(outcome.context);
    start(job, 4, 0);
    start(job, 5, 0);
    CHECK(atomic_load(&alive) == 1);
    mc_job_hold(job, false);
    outcome = wait_for(job);
    CHECK(outcome.result == MC_OK && ((task *)outcome.context)->value == 10);
    destroy(outcome.context);
    mc_job_hold(job, true);
    start(job, 6, 0);
    mc_job_destroy(job);
    CHECK(atomic_load(&alive) == 0);
    REQUIRE(mc_job_create(NULL, &job, &error) == MC_OK);

    // Destroyed with one task running and one waiting, and with a result nobody took.
    start(job, 1, 1000000);
    nap();
    start(job, 2, 1000000);
    mc_job_destroy(job);
    CHECK(atomic_load(&alive) == 0);
    REQUIRE(mc_job_create(NULL, &job, &error) == MC_OK);
    start(job, 1, 0);
    nap();
    mc_job_destroy(job);
    CHECK(atomic_load(&alive) == 0);
    mc_job_destroy(NULL);

    // without a thread: done when it has been started; what nobody took goes with the next one
    REQUIRE(mc_job_create(mc_job_at_once, &job, &error) == MC_OK);
    CHECK(!mc_job_is_busy(job) && !mc_job_take(job, &nothing));
    start(job, 1, 2);
    start(job, 2, 2);
    CHECK(atomic_load(&alive) == 1 && mc_job_is_busy(job));
    REQUIRE(mc_job_take(job, &nothing));
    CHECK(nothing.result == MC_OK && ((task *)nothing.context)->value == 4 && !mc_job_is_busy(job));
    destroy(nothing.context);
    start(job, -1, 0);
    mc_job_destroy(job);
    CHECK(atomic_load(&alive) == 0);
    return test_finish();
}
