// One session, shown otherwise: whatever is not the view's own stays what it is, and is undone,
// saved and found alike in each of them.
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "tests/session_turns.h"
#include <unistd.h>

#define TRACE MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1"
#define LIST "Heap#java.util#LinkedList"

static void show_view(mc_session *session, const char *name) {
    char setting[64];
    snprintf(setting, sizeof setting, "view %s", name);
    do_text(session, "set", setting);
    CHECK_MSG(session->shown && session->view->kind == session->shown->kind &&
                  strcmp(session->view->kind->name, name) == 0,
              "%s is not shown", name);
}

// What is where it is said to be is what is picked there, and each has its facts.
static void check_places(mc_session *session, const char *name) {
    const mc_view *view = session->view;
    uint32_t node = mc_session_get_selected(session), found = 0;
    mc_view_place place;
    mc_facts facts;
    mc_session_prepare_frame(session);
    mc_session_fill_facts(session, &facts);
    CHECK(facts.has_selection && facts.selection_role[0] != '\0' && facts.label_count < 1000);
    CHECK_MSG(view->kind->locate(view, node, &place), "%s does not show the selection", name);
    for (uint32_t y = 0; y < 700; y += 7)
        for (uint32_t x = 0; x < 1200; x += 7) {
            uint32_t picked = view->kind->pick(view, x, y);
            CHECK(picked == MC_NONE || picked < mc_trace_get_nodes(session->trace)->count);
            found += picked != MC_NONE;
        }
    CHECK_MSG(found > 100, "%s: %u places are of a node", name, found);
}

typedef struct kept {
    uint32_t selected, step, hits, root;
    mc_metric metric;
    mc_step_range window;
} kept;

static kept get_kept(const mc_session *session) {
    return (kept){mc_session_get_selected(session),
                  session->playback.step,
                  mc_session_get_hits(session)->count,
                  session->shown->root_node,
                  session->shown->metric,
                  session->shown->window};
}

static void check_kept(const mc_session *session, const kept *before, const char *name) {
    kept now = get_kept(session);
    CHECK_MSG(now.selected == before->selected && now.step == before->step &&
                  now.hits == before->hits && now.root == before->root &&
                  now.metric == before->metric &&
                  now.window.first_step == before->window.first_step &&
                  now.window.last_step == before->window.last_step,
              "%s: something is lost", name);
}

static void check_switches(mc_session *session) {
    do_text(session, "select", LIST);
    do_text(session, "step", "7");
    do_text(session, "search", "linkedlist");
    do_text(session, "set", "metric objects");
    const kept before = get_kept(session);
    CHECK(before.hits == 2 && before.metric == MC_METRIC_OBJECTS && before.step == 7);
    const char *last = "city";
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; mc_view_names[i]; i++) {
            last = mc_view_names[i];
            show_view(session, last);
            check_kept(session, &before, last);
            check_places(session, last);
        }
    show_view(session, "city");
    uint32_t version = session->layout_version;
    do_text(session, "undo", "");
    CHECK(strcmp(session->view->kind->name, last) == 0 && session->layout_version > version);
    check_kept(session, &before, "undo");
    do_text(session, "redo", "");
    CHECK(strcmp(session->view->kind->name, "city") == 0);
    check_kept(session, &before, "redo");
}

// The eye is where it was, whatever was shown meanwhile.
static void check_camera(mc_session *session) {
    mc_settings before, after;
    do_text(session, "camera.bird", "");
    session->view->kind->note(session->view, &before);
    show_view(session, "icicle");
    show_view(session, "city");
    session->view->kind->note(session->view, &after);
    CHECK(before.pose.distance == after.pose.distance &&
          before.pose.elevation_rad == after.pose.elevation_rad);
}

static void check_saved(mc_session *session) {
    char path[] = "/tmp/memcity-test-XXXXXX";
    int file = mkstemp(path);
    REQUIRE(file >= 0 && close(file) == 0);
    show_view(session, "icicle");
    do_text(session, "save", path);
    show_view(session, "city");
    do_text(session, "select", "Heap");
    do_text(session, "open", path);
    CHECK(strcmp(session->view->kind->name, "icicle") == 0);
    CHECK(mc_session_get_selected(session) ==
          mc_trace_find_node(session->trace, LIST, strlen(LIST)));
    unlink(path);
}

int main(void) {
    const char *const paths[] = {TRACE};
    mc_session_desc desc = {.views = mc_views, .paths = paths, .path_count = 1, .step = MC_NONE};
    mc_session *session;
    desc.settings = mc_settings_default();
    desc.settings.layout = mc_layout_options_default();
    session = begin_session(&desc, 700);
    REQUIRE(session->shown);
    mc_session_set_viewport(session, (mc_camera_viewport){.width = 1200, .height = 700});
    mc_session_look_at(session, MC_NONE, MC_VIEW_AT_ONCE);
    check_switches(session);
    check_camera(session);
    check_saved(session);
    mc_session_destroy(session);
    return test_finish();
}
