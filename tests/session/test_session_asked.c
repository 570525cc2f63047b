// What is asked beside a session: answers that go back to the one before, and those that are of
// what is shown.
#include "app/answers/asked.h"
#include "app/answers/slot.h"
#include "app/pair.h"
#include "app/session/opening.h"
#include "app/session/queries.h"
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "tests/session_turns.h"

#define TRACE MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1"

// ---- a question that has no answer

static atomic_bool is_held; // what asks waits

// What it remembers of datasets that are gone is how often it was asked.
static mc_result ask(const mc_ask *asked, const void *key, void *answer, mc_error *error) {
    const int *wanted = key;
    while (atomic_load(&is_held))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    if (!*asked->memory) *asked->memory = mc_alloc_zero(1, sizeof(int));
    ++*(int *)*asked->memory;
    *(int *)answer = asked->linked ? *(int *)*asked->memory : 10 * *wanted;
    return *wanted == 7 ? mc_fail(error, MC_ERROR_BAD_DATA, "no 7") : MC_OK;
}

static bool differ(const void *a, const void *b) {
    return *(const int *)a != *(const int *)b;
}

static mc_slot_outcome take(mc_asked *asked) {
    mc_error error = {0};
    mc_slot_outcome outcome;
    while ((outcome = mc_asked_take(asked, &error)) == MC_SLOT_NOTHING)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    return outcome;
}

static mc_slot_outcome answer(mc_asked *asked, mc_dataset *dataset, int key) {
    CHECK(mc_asked_want(asked, dataset, &key) && mc_asked_is_looking(asked));
    mc_slot_outcome outcome = take(asked);
    CHECK(!mc_asked_is_looking(asked));
    return outcome;
}

static mc_dataset *open_dataset(void) {
    const char *const paths[] = {TRACE};
    mc_import_desc desc = {.paths = paths, .path_count = 1};
    mc_trace *trace;
    mc_error error = {0};
    REQUIRE(mc_import_trace(&desc, &trace, NULL, &error) == MC_OK);
    mc_dataset *dataset = mc_dataset_create(trace);
    REQUIRE(dataset);
    return dataset;
}

// Keys that come by themselves: what runs is answered, though later than another key came, then the
// newest; those between never are. What is remembered outlives a dataset.
static void check_waiting(const mc_question *question, mc_dataset *dataset) {
    mc_dataset *other = open_dataset();
    mc_asked_request request = {.dataset = dataset, .linked = other, .waits = true};
    mc_asked *asked;
    mc_error error = {0};
    REQUIRE(mc_asked_create(question, NULL, &asked, &error) == MC_OK);
    atomic_store(&is_held, true);
    for (int key = 1; key < 5; key++) {
        CHECK(mc_asked_want_so(asked, &request, &key));
        request.dataset = other;
    }
    atomic_store(&is_held, false);
    CHECK(take(asked) == MC_SLOT_LATE && *(const int *)mc_asked_get_key(asked) == 1);
    CHECK(mc_asked_has_answer(asked) && !mc_asked_is_answered(asked));
    CHECK(take(asked) == MC_SLOT_FOUND && *(const int *)mc_asked_get_key(asked) == 4);
    CHECK(mc_asked_is_answered(asked) && *(const int *)mc_asked_get_answer(asked) == 2);
    mc_asked_destroy(asked);
    mc_dataset_release(other);
}

static void check_going_back(void) {
    const int nothing = 0;
    const mc_question question = {.name = "tenfold",
                                  .key_size = MC_SIZE_OF_KEY(int),
                                  .answer_size = sizeof(int),
                                  .nothing = &nothing,
                                  .differ = differ,
                                  .ask = ask,
                                  .forget = mc_free,
                                  .keeps_memory = true};
    mc_asked *asked;
    mc_error error = {0};
    mc_dataset *dataset = open_dataset();
    REQUIRE(mc_asked_create(&question, NULL, &asked, &error) == MC_OK);
    CHECK(answer(asked, dataset, 7) == MC_SLOT_FAILED && !mc_asked_has_answer(asked));
    mc_asked_revert(asked);
    CHECK(!mc_asked_is_looking(asked));
    CHECK(answer(asked, dataset, 3) == MC_SLOT_FOUND);
    CHECK(answer(asked, dataset, 7) == MC_SLOT_FAILED);
    mc_asked_revert(asked);
    CHECK(!mc_asked_is_looking(asked) && *(const int *)mc_asked_get_wanted(asked) == 3 &&
          *(const int *)mc_asked_get_answer(asked) == 30);
    mc_asked_destroy(asked);
    check_waiting(&question, dataset);
    mc_dataset_release(dataset);
}

// ---- differences

// Amounts are told in the unit of what is shown: there are none until they are of it.
static void check_metric(mc_session *session) {
    mc_error error = {0};
    const mc_action *action = mc_action_find("metric.next", 11);
    const mc_asked *asked = session->asked[MC_QUERY_DIFFERENCES];
    REQUIRE(action && mc_session_get_differences(session)->count > 0);
    CHECK(mc_session_do_text(session, action, "", &error) == MC_OK);
    int turns = 0;
    do {
        turn(session);
        const mc_differences_key *key = mc_asked_get_key(asked);
        mc_metric shown = mc_pair_get_plain(session->trace, session->shown->metric);
        CHECK(mc_session_get_differences(session)->count == 0 || key->metric == shown);
    } while (!mc_session_is_idle(session) && ++turns < MOST_TURNS);
    CHECK(mc_session_get_differences(session)->count > 0);
}

int main(void) {
    const char *const paths[] = {TRACE};
    mc_session_desc desc = {.views = mc_views, .paths = paths, .path_count = 1, .step = MC_NONE};
    mc_session *session;
    desc.settings = mc_settings_default();
    desc.settings.layout = mc_layout_options_default();
    check_going_back();
    session = begin_session(&desc, 700);
    mc_session_open_versus(session, MC_TEST_BINARY_DIR "/traces/javac-daemon");
    settle(session);
    REQUIRE(session->shown && mc_trace_is_versus(session->trace));
    check_metric(session);
    mc_session_destroy(session);
    return test_finish();
}
