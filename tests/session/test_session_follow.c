// A recording that is followed, without a window: steps come and the plan stays while there is
// room; what outgrows it and new groups move it; what the user has chosen stays. Steps that come
// fast are drawn once.
#include "app/session/selection.h"
#include "app/session/turn.h"
#include "app/views/city/city_view_state.h"
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "engine/store/mct/mct.h"
#include "tests/test.h"
#include "tests/trace_maker.h"
#include <time.h>
#include <unistd.h>

enum { GROUP_COUNT = 40, MOST_TURNS = 200000 };

static char path[] = "/tmp/memcity-follow-XXXXXX";
static mc_error error;
static uint64_t now_ns;
static bool is_drawn; // in the last turn
static uint32_t step_count;
static int64_t pace_ms = 1000, time_ms;

// Group i has base + i objects; what is called "big" has `big`, and `late` comes first of all
// siblings.
static void append_step(mc_mct_writer *writer, uint64_t big, bool has_late) {
    mc_step_tree tree = {.time_ms = time_ms += pace_ms};
    step_count++;
    uint64_t total = big + (has_late ? 5 : 0);
    for (uint64_t i = 0; i < GROUP_COUNT; i++)
        total += 20 + i;
    test_add_node(&tree, MC_NONE, "Heap", total);
    test_add_node(&tree, 0, "big", big);
    if (has_late) test_add_node(&tree, 0, "a late one", 5);
    for (uint64_t i = 0; i < GROUP_COUNT; i++) {
        char key[16];
        snprintf(key, sizeof key, "group %u", (unsigned)i);
        test_add_node(&tree, 0, key, 20 + i);
    }
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "test", &error) == MC_OK, "%s", error.message);
    CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
    mc_step_tree_deinit(&tree);
}

static void turn(mc_session *session) {
    now_ns += 16666667;
    mc_session_begin_turn(session, now_ns);
    mc_session_end_turn(session);
    is_drawn = session->turn.frames_due > 0;
    if (is_drawn)
        mc_session_prepare_frame(session);
    else
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void settle(mc_session *session) {
    int turns = 0;
    bool has_all = false;
    do {
        turn(session);
        has_all = session->trace && mc_trace_get_step_count(session->trace) == step_count;
    } while ((!has_all || !mc_session_is_idle(session)) && ++turns < MOST_TURNS);
    REQUIRE(turns < MOST_TURNS);
}

static const mc_city *get_city(const mc_session *session) {
    return mc_city_view_of(session->view)->city;
}

static uint64_t get_shown(const mc_session *session, const char *key) {
    uint32_t node = mc_trace_find_node(session->trace, key, strlen(key));
    REQUIRE(node != MC_NONE);
    uint32_t building = get_city(session)->node_building[node];
    REQUIRE(building != MC_NONE);
    return session->counts.to[building];
}

static mc_session *begin(const mc_session_desc *desc) {
    mc_session *session;
    REQUIRE(mc_session_create(desc, &session, &error) == MC_OK);
    now_ns = mc_clock_now_ns();
    mc_session_begin(session);
    settle(session);
    return session;
}

// The layout is held while the next one comes, so that it can be told whether that is the same
// plan.
static bool keeps_plan(mc_session *session, mc_mct_writer *writer, uint64_t big, bool has_late) {
    mc_layout *before = mc_layout_hold(session->shown);
    mc_plot plot = get_city(session)->building_plot[0];
    append_step(writer, big, has_late);
    settle(session);
    const mc_city *city = get_city(session);
    bool keeps = mc_city_shares_plan(before->content, city);
    if (keeps) CHECK(memcmp(&plot, &city->building_plot[0], sizeof plot) == 0);
    CHECK(session->playback.step == step_count - 1);
    CHECK(session->shown->window.last_step == step_count - 1);
    CHECK(get_shown(session, "Heap#big") == big);
    CHECK(get_shown(session, "Heap#group 7") == 27);
    mc_layout_release(before);
    return keeps;
}

// Where steps come fast each is drawn once, and the rest of its frames when none comes any more.
static void check_frames(mc_session *session, mc_mct_writer *writer) {
    pace_ms = 50;
    for (uint64_t i = 0; i < 3; i++)
        (void)keeps_plan(session, writer, 5004 + i, true);
    append_step(writer, 5007, true);
    while (mc_trace_get_step_count(session->trace) < step_count)
        turn(session);
    int frames = is_drawn, later = 0;
    for (int i = 0; i < 5; i++) { // less than a tenth of a second
        turn(session);
        frames += is_drawn;
    }
    for (int i = 0; i < 60; i++) {
        turn(session);
        later += is_drawn;
    }
    CHECK_MSG(frames <= 2 && later >= 3, "%d frames, %d later", frames, later);
}

int main(void) {
    REQUIRE(mkdtemp(path));
    char file[64];
    snprintf(file, sizeof file, "%s/live.mct", path);
    mc_mct_writer *writer;
    mc_mct_writer_desc writer_desc = {.path = file};
    REQUIRE(mc_mct_writer_create(&writer_desc, &writer, &error) == MC_OK);
    append_step(writer, 1100, false);
    append_step(writer, 1110, false);
    const char *paths[] = {file};
    mc_session_desc desc = {
        .views = mc_views, .paths = paths, .path_count = 1, .step = MC_NONE, .follow = true};
    desc.settings = mc_settings_default();
    desc.settings.layout = mc_layout_options_default();
    snprintf(desc.settings.layout.metric, sizeof desc.settings.layout.metric, "objects");
    mc_session *session = begin(&desc);
    uint32_t chosen = mc_trace_find_node(session->trace, "Heap#group 7", 12);
    mc_session_select_node(session, chosen, true);
    settle(session);

    CHECK(keeps_plan(session, writer, 1120, false)); // there is room
    CHECK(keeps_plan(session, writer, 1130, false));
    CHECK(get_city(session)->largest_growth == 30);
    CHECK(!keeps_plan(session, writer, 5000, false)); // there is none
    CHECK(keeps_plan(session, writer, 5001, false));
    CHECK(mc_session_get_selected(session) == chosen);
    CHECK(!keeps_plan(session, writer, 5002, true)); // another group, before all others
    chosen = mc_trace_find_node(session->trace, "Heap#group 7", 12);
    CHECK(mc_session_get_selected(session) == chosen);
    CHECK(get_shown(session, "Heap#a late one") == 5);
    CHECK(keeps_plan(session, writer, 5003, true));
    CHECK(mc_session_get_selected(session) == chosen);
    CHECK(get_city(session)->largest_growth == 3903);
    check_frames(session, writer);

    mc_session_destroy(session);
    mc_mct_writer_destroy(writer);
    unlink(file);
    rmdir(path);
    return test_finish();
}
