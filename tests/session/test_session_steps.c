// Small trees of other steps beside a sunburst or icicle: which there are, of what size, what is in
// them, and that they stay what was wished.
#include "app/format.h"
#include "app/session/click.h"
#include "app/views/flat/flat_steps_frame.h"
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "tests/session_turns.h"
#include <math.h>
#include <unistd.h>

#define TRACE MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1"
#define OTHER_TRACE MC_TEST_BINARY_DIR "/traces/javac-daemon"
#define LIST "Heap#java.util#LinkedList"

static mc_flat_view *get_view(const mc_session *session) {
    return mc_flat_view_of(session->view);
}

static uint64_t read_count(const mc_session *session, uint32_t step, uint32_t node) {
    uint64_t word = 0;
    REQUIRE(mc_trace_read_value(session->trace, step, session->shown->metric, node, &word, NULL) ==
            MC_OK);
    return word;
}

// The trees are of these steps, all there, and of the sizes that their roots have.
static void check_steps(const mc_session *session, const char *wanted, const char *what) {
    const mc_flat_view *view = get_view(session);
    mc_form_steps steps;
    uint32_t root = session->shown->root_node;
    REQUIRE(mc_form_read_steps(&steps, wanted));
    CHECK_MSG(view->trees.count == steps.count, "%s: %u trees", what, view->trees.count);
    for (uint32_t i = 0; i < view->trees.count && i < steps.count; i++) {
        const mc_flat_step_tree *item = &view->trees.items[i];
        CHECK_MSG(item->step == steps.items[i], "%s: a tree of step %u", what, item->step);
        CHECK_MSG(item->version == view->trees.version &&
                      item->small.value == read_count(session, item->step, root) &&
                      item->small.root == view->tree->node_entry[root],
                  "%s: step %u is another", what, item->step);
        CHECK_MSG(item->plane.row_count > 0, "%s: step %u is not drawn", what, item->step);
    }
}

static void check_list(mc_session *session) {
    do_text(session, "view.icicle", "");
    do_text(session, "set", "metric objects");
    do_text(session, "window.all", "");
    do_text(session, "step", "20");
    CHECK(get_view(session)->trees.count == 0);
    do_text(session, "set", "tree_steps 4");
    check_steps(session, "4,20", "the current one is there too");
    do_text(session, "tree.step", "2");
    do_text(session, "step", "11");
    check_steps(session, "2,4,11", "another step");
    do_text(session, "tree.here", "");
    do_text(session, "step", "25");
    check_steps(session, "2,4,11,25", "toggled");
    do_text(session, "tree.step", "4");
    check_steps(session, "2,11,25", "toggled back");
    do_text(session, "tree.none", "");
    CHECK(get_view(session)->trees.count == 0);
    do_text(session, "undo", "");
    check_steps(session, "2,11,25", "undone");
    do_text(session, "tree.step", "2"); // and the same again
    do_text(session, "tree.step", "2");
    check_steps(session, "2,11,25", "twice");
}

// Whatever they are made of, they follow.
static void check_changes(mc_session *session) {
    static const char *const changes[][2] = {
        {"view.sunburst", ""}, {"tree.prune", ""},       {"theme", ""},
        {"tree.levels", ""},   {"tree.sort", ""},        {"set", "tree_color growth"},
        {"search", "linked"},  {"escape", ""},           {"root", "Heap#java.util"},
        {"root.leave", ""},    {"set", "metric bytes"},  {"view.icicle", ""},
        {"tree.prune", ""},    {"set", "tree_levels 0"}, {"set", "metric objects"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        do_text(session, changes[i][0], changes[i][1]);
        check_steps(session, "2,11,25", changes[i][0]);
    }
}

static uint32_t *find_colors(const mc_session *session, mc_flat_color_mode mode, mc_metric value) {
    const mc_flat_view *view = get_view(session);
    mc_flat_column_desc desc = {.mode = mc_flat_column_get_mode(mode),
                                .metric = session->shown->metric,
                                .value = value,
                                .window = session->shown->window};
    mc_flat_column column;
    uint32_t *colors = mc_alloc_zero(view->tree->count, sizeof *colors);
    REQUIRE(colors);
    REQUIRE(mc_flat_column_init(&column, session->trace, &desc, NULL, NULL) == MC_OK);
    REQUIRE(mc_flat_column_set_step(&column, session->counts.step, NULL) == MC_OK);
    mc_flat_color_desc color = {.mode = mode,
                                .theme = &view->theme,
                                .nodes = mc_trace_get_nodes(session->trace),
                                .values = column.values,
                                .most = column.most,
                                .solid_entry = MC_NONE};
    mc_flat_color(view->tree, &color, colors);
    mc_flat_column_deinit(&column);
    return colors;
}

// Of every mode and step as in a picture; by the key they come one after another.
static void check_colors(mc_session *session) {
    static const char *const modes[] = {"step", "trend", "first"};
    const mc_flat_view *view = get_view(session);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        mc_flat_color_mode mode = MC_FLAT_COLOR_STEP + (mc_flat_color_mode)i;
        char setting[32];
        snprintf(setting, sizeof setting, "tree_color %s", modes[i]);
        do_text(session, "set", setting);
        for (uint32_t step = 3; step < 26; step += 11) {
            char number[16];
            snprintf(number, sizeof number, "%u", step);
            do_text(session, "step", number);
            uint32_t *wanted = find_colors(session, mode, MC_NONE);
            CHECK_MSG(memcmp(wanted, view->pane.now.colors, view->tree->count * sizeof *wanted) ==
                          0,
                      "%s at step %u", modes[i], step);
            const char *steps = step == 3 ? "2,3,11" : step == 14 ? "2,11,14" : "2,11,25";
            check_steps(session, steps, modes[i]);
            mc_free(wanted);
        }
        mc_facts facts;
        mc_session_fill_facts(session, &facts);
        CHECK(facts.lists.legend.is_gradient && facts.lists.legend.count == 3);
    }
    do_text(session, "set", "color_metric bytes");
    do_text(session, "set", "tree_color value");
    uint32_t *wanted = find_colors(session, MC_FLAT_COLOR_VALUE, MC_METRIC_BYTES);
    CHECK(memcmp(wanted, view->pane.now.colors, view->tree->count * sizeof *wanted) == 0);
    mc_free(wanted);
    do_text(session, "color.next", ""); // there is no metric of the trace's own
    CHECK(session->settings.tree_color == MC_FLAT_COLOR_BRANCH && !view->colors.column.values);
    do_text(session, "color.next", "");
    CHECK(session->settings.tree_color == MC_FLAT_COLOR_GROWTH);
    do_text(session, "set", "tree_color branch");
    do_text(session, "step", "25");
}

// On the way to a step colours come from those of the step before, also where a column has them.
static void check_blending(mc_session *session) {
    const mc_flat_view *view = get_view(session);
    const mc_action *action = mc_action_find("step", 4);
    mc_error error = {0};
    do_text(session, "set", "tree_color step");
    do_text(session, "step", "14");
    uint32_t *before = find_colors(session, MC_FLAT_COLOR_STEP, MC_NONE);
    size_t size = view->tree->count * sizeof *before;
    REQUIRE(mc_session_do_text(session, action, "15", &error) == MC_OK);
    for (int turns = 0; !view->pane.has_before && turns < 10; turns++)
        turn(session);
    REQUIRE(view->pane.has_before && session->counts.blend < 1);
    CHECK(memcmp(view->pane.before.colors, before, size) == 0);
    uint32_t *now = find_colors(session, MC_FLAT_COLOR_STEP, MC_NONE);
    CHECK(memcmp(view->pane.now.colors, now, size) == 0 && memcmp(before, now, size) != 0);
    mc_free(before);
    mc_free(now);
    settle(session);
    do_text(session, "set", "tree_color branch");
    do_text(session, "step", "25");
}

// As tall as the root was, of what it was at most, which is at none of the window's ends.
static void check_scale(mc_session *session) {
    const mc_flat_view *view = get_view(session);
    const mc_flat_content *content = session->shown->content;
    mc_step_range window = session->shown->window;
    uint64_t most = 0;
    for (uint32_t step = window.first_step; step <= window.last_step; step++)
        most = read_count(session, step, 0) > most ? read_count(session, step, 0) : most;
    for (uint32_t step = window.first_step; step <= window.last_step; step++)
        CHECK(content->totals[step - window.first_step] == read_count(session, step, 0));
    CHECK(content->most == most && most > read_count(session, window.last_step, 0));
    for (int is_scaled = 1; is_scaled >= 0; is_scaled--) {
        do_text(session, "set", is_scaled ? "tree_steps_scaled true" : "tree_steps_scaled false");
        for (uint32_t i = 0; i < view->trees.count; i++) {
            const mc_flat_step_tree *item = &view->trees.items[i];
            double share = is_scaled ? (double)item->small.value / (double)most : 1;
            double height = (item->rect.y1 - item->rect.y0) * share;
            CHECK_MSG(fabs((double)item->plane.row_length - height) < 0.01, "step %u: %g, not %g",
                      item->step, (double)item->plane.row_length, height);
        }
    }
    do_text(session, "set", "tree_scaled true");
    double share = (double)read_count(session, 25, 0) / (double)most;
    mc_flat_rect rect = {0, (double)view->plane.y0, 1, (double)view->plane.y1};
    CHECK(fabs((double)view->plane.row_length - (rect.y1 - rect.y0) * share) < 0.01);
    do_text(session, "set", "tree_scaled false");
}

// A tree below its point in the chart has its middle there; none is in another's place.
static void check_places(mc_session *session) {
    const mc_flat_step_tree *items = get_view(session)->trees.items;
    double x0 = 100, x1 = 1100;
    session->input.chart_x0 = x0;
    session->input.chart_x1 = x1;
    mc_session_redraw(session);
    settle(session);
    uint32_t last = mc_trace_get_step_count(session->trace) - 1;
    int64_t times[] = {mc_trace_get_step(session->trace, 0)->time_ms,
                       mc_trace_get_step(session->trace, 11)->time_ms,
                       mc_trace_get_step(session->trace, last)->time_ms};
    double share = (double)(times[1] - times[0]) / (double)(times[2] - times[0]);
    CHECK(fabs(share - 11.0 / last) > 0.002); // steps are not evenly apart
    double point = x0 + (x1 - x0) * share;
    CHECK(fabs((items[1].rect.x0 + items[1].rect.x1) / 2 - point) <= 1);
    CHECK(items[0].rect.x1 < items[1].rect.x0 && items[1].rect.x1 < items[2].rect.x0);
    CHECK((double)get_view(session)->plane.y1 <= items[0].rect.y0);
}

// What is pointed at in a small tree is pointed at, and has a frame in all that have it.
static void check_pointing(mc_session *session) {
    const mc_flat_view *view = get_view(session);
    uint32_t marks = view->sheet.mark_count, found = 0;
    do_text(session, "select", LIST);
    CHECK_MSG(view->sheet.mark_count == marks + 4, "%u frames", view->sheet.mark_count - marks);
    const mc_flat_step_tree *item = &view->trees.items[1];
    for (int i = 0; i < 10000; i++) {
        int column = i % 100, row = i / 100;
        double x = item->rect.x0 + (item->rect.x1 - item->rect.x0) * column / 100;
        double y = item->rect.y0 + (item->rect.y1 - item->rect.y0) * row / 100;
        found += view->base.kind->pick(session->view, x, y) == mc_session_get_selected(session);
    }
    CHECK_MSG(found > 20, "%u places of the selection", found);
    session->input.is_over_picture = true;
    session->input.x = item->rect.x0 + 4;
    session->input.y = item->rect.y1 - 4;
    session->hover.is_stale = true;
    mc_session_redraw(session);
    mc_facts facts;
    mc_session_prepare_frame(session);
    mc_session_prepare_frame(session); // with its frame
    mc_session_fill_facts(session, &facts);
    CHECK(session->hover.node == 0 && view->sheet.mark_count > marks + 4);
    CHECK_MSG(facts.hover_text && strstr(facts.hover_text, "Step 11: 374,930 objects · 0:44.1"),
              "%s", facts.hover_text ? facts.hover_text : "nothing");
    session->input.is_over_picture = false;
    mc_session_click(session, session->input.x, session->input.y, false);
    settle(session);
    CHECK(session->playback.step == 11 && session->settings.root_node == 0);
    do_text(session, "step", "25");
}

// An Other says how many groups it stands for, and how much of its parent and of the heap that is.
static void check_other(mc_session *session) {
    const mc_flat_view *view = get_view(session);
    do_text(session, "tree.prune", "");
    do_text(session, "root", "Heap#java.util");
    uint32_t other = 0;
    while (other < view->tree->count &&
           (!mc_tree_is_other(view->tree, other) || view->tree->parent[other] != view->root))
        other++;
    REQUIRE(other < view->tree->count);
    mc_flat_mark mark;
    static const float any[3];
    REQUIRE(mc_flat_pane_get_mark(&view->pane, &view->plane, other, any, 1, &mark));
    mc_flat_point middle = {1.5, ((double)mark.from + (double)mark.to) / 2};
    mc_flat_plane_place(&view->plane, middle, &session->input.x, &session->input.y);
    session->input.is_over_picture = session->hover.is_stale = true;
    mc_facts facts;
    mc_session_redraw(session);
    mc_session_prepare_frame(session);
    mc_session_fill_facts(session, &facts);
    session->input.is_over_picture = false;
    REQUIRE(facts.hover_text && facts.hover_path);
    double value = (double)view->pane.now.values[other];
    uint32_t parent = session->shown->root_node;
    char share[MC_FORMAT_SIZE], heap[MC_FORMAT_SIZE], groups[MC_FORMAT_SIZE], wanted[256];
    mc_format_share(share, value / (double)session->counts.to[parent]);
    mc_format_share(heap, value / (double)session->counts.to[0]);
    mc_format_count(groups, view->tree->other_group_count[view->tree->other[other]]);
    snprintf(wanted, sizeof wanted, " objects · %s of its parent · %s of the heap · ", share, heap);
    CHECK_MSG(strstr(facts.hover_text, wanted) && strstr(facts.hover_text, " groups · ") &&
                  strncmp(facts.hover_text, groups, strlen(groups)) == 0,
              "%s, not %s", facts.hover_text, wanted);
    do_text(session, "root.leave", "");
    do_text(session, "tree.prune", "");
}

// Another order, other Others and the other form move into place, unless motion is off.
static void check_motion(mc_session *session) {
    static const char *const actions[] = {"tree.sort", "tree.prune",    "tree.prune", "tree.sort",
                                          "tree.sort", "view.sunburst", "view.icicle"};
    for (int has_motion = 1; has_motion >= 0; has_motion--) {
        do_text(session, "set", has_motion ? "motion true" : "motion false");
        for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
            const mc_action *action = mc_action_find(actions[i], strlen(actions[i]));
            uint32_t moving = 0;
            mc_session_do(session, action->id, 0);
            do {
                turn(session);
                moving += get_view(session)->pane.has_before ||
                          get_view(session)->plane.form == MC_FLAT_BENT;
            } while (!mc_session_is_idle(session));
            CHECK_MSG(has_motion ? moving > 3 : moving == 0, "%s: %u frames move", actions[i],
                      moving);
            const mc_flat_view *view = get_view(session);
            CHECK(!view->pane.has_before && view->plane.form == view->form);
            CHECK(!view->past.intervals && !view->overview_past.intervals);
        }
    }
    do_text(session, "set", "motion true");
    check_steps(session, "2,11,25", "motion");
}

// What has no room scrolls; the current step is in sight when it becomes that.
static void check_scrolling(mc_session *session) {
    mc_flat_view *view = get_view(session);
    do_text(session, "set",
            "tree_steps 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24");
    check_steps(session, "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25",
                "many");
    mc_session_set_viewport(session,
                            (mc_camera_viewport){.width = 1200, .height = 700, .right = 800});
    mc_session_redraw(session);
    settle(session);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < view->trees.count; i++)
        seen += view->trees.items[i].plane.row_count > 0;
    CHECK_MSG(seen > 5 && seen < view->trees.count && view->trees.first > 0, "%u are seen", seen);
    CHECK(view->trees.items[view->trees.count - 1].plane.row_count > 0);
    uint32_t first = view->trees.first;
    mc_flat_steps_scroll(view, -1);
    settle(session);
    CHECK(view->trees.first == first - 1);
    do_text(session, "step", "1");
    CHECK(view->trees.first <= 1 && view->trees.items[1].plane.row_count > 0);
    mc_session_set_viewport(session, (mc_camera_viewport){.width = 1200, .height = 700});
}

static void check_kept(mc_session *session) {
    char path[] = "/tmp/memcity-test-XXXXXX";
    int file = mkstemp(path);
    REQUIRE(file >= 0 && close(file) == 0);
    do_text(session, "set", "tree_steps 2,11");
    do_text(session, "step", "25");
    do_text(session, "save", path);
    do_text(session, "view.city", "");
    do_text(session, "tree.none", "");
    do_text(session, "open", path);
    check_steps(session, "2,11,25", "a saved view");
    do_text(session, "set", "tree_steps 2,11,9999"); // what the trace lacks is said
    check_steps(session, "2,11,25", "beyond the trace");
    CHECK(session->message.text && strstr(session->message.text, "not in this trace"));
    do_text(session, "open", OTHER_TRACE);
    CHECK(session->settings.tree_steps.count == 0 && get_view(session)->trees.count == 0);
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
    check_list(session);
    check_changes(session);
    check_colors(session);
    check_blending(session);
    check_scale(session);
    check_places(session);
    check_pointing(session);
    check_other(session);
    check_motion(session);
    check_scrolling(session);
    check_kept(session);
    mc_session_destroy(session);
    return test_finish();
}
