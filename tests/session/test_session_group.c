// What is open, grouped otherwise while one looks: what is selected follows, undo and views bring
// it back, and a recording that goes on stays grouped.
#include "app/session/saved_view.h"
#include "app/session/script.h"
#include "app/session/state.h"
#include "app/views/city/city_view_state.h"
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/store/mct/mct.h"
#include "tests/session_turns.h"
#include "tests/trace_maker.h"
#include <unistd.h>

#define TRACE MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1"
#define LIST "Heap#java.util#LinkedList"

static char folder[] = "/tmp/memcity-group-XXXXXX";

static void check_is(mc_session *session, const char *member) {
    mc_text state = {0};
    mc_print print = mc_print_to(&state, true, false);
    mc_session_put_state(session, &print);
    CHECK_MSG(!state.failed && strstr(state.data, member), "%s is not in %s", member, state.data);
    mc_text_deinit(&state);
}

static uint32_t get_leaf_count(const mc_session *session) {
    return mc_trace_get_nodes(session->trace)->leaf_count;
}

// A selection is where its objects are; a district of which nothing like it is left is let go of.
static void check_selection(mc_session *session) {
    uint64_t before, after;
    do_text(session, "step", "3");
    do_text(session, "select", LIST);
    REQUIRE(mc_trace_read_value(session->trace, 3, MC_METRIC_BYTES,
                                mc_session_get_selected(session), &before, NULL) == MC_OK);
    do_text(session, "group", "type");
    check_is(session, "\"group_by\":\"type\"");
    check_is(session, "\"selection\":\"Heap#java.util.LinkedList\"");
    check_is(session, "\"step\":3,");
    REQUIRE(mc_trace_read_value(session->trace, 3, MC_METRIC_BYTES,
                                mc_session_get_selected(session), &after, NULL) == MC_OK);
    CHECK(before == after && mc_session_get_references(session)->links.count > 0);
    do_text(session, "group", "package");
    check_is(session, "\"selection\":\"Heap#java.util\"");
    CHECK(get_leaf_count(session) == 54);
    do_text(session, "group.own", "");
    check_is(session, "\"group_by\":null");
    CHECK(get_leaf_count(session) == 467);
    do_text(session, "select", "Heap#java.util");
    do_text(session, "group", "type");
    check_is(session, "\"selection\":null");
    do_text(session, "undo", "");
    check_is(session, "\"selection\":\"Heap#java.util\"");
}

// Each moment has nodes of its own grouping.
static void check_undo(mc_session *session) {
    do_text(session, "group.own", "");
    do_text(session, "root", "Heap#java.util");
    do_text(session, "select", LIST);
    do_text(session, "group", "type,package");
    check_is(session, "\"root\":null");
    check_is(session, "\"selection\":\"Heap#java.util.LinkedList#java.util\"");
    do_text(session, "select", "Heap#java.lang.String#java.lang");
    do_text(session, "undo", "");
    check_is(session, "\"selection\":\"Heap#java.util.LinkedList#java.util\"");
    do_text(session, "undo", "");
    check_is(session, "\"group_by\":null");
    check_is(session, "\"root\":\"Heap#java.util\"");
    check_is(session, "\"selection\":\"" LIST "\"");
    do_text(session, "redo", "");
    check_is(session, "\"group_by\":\"type,package\"");
    check_is(session, "\"selection\":\"Heap#java.util.LinkedList#java.util\"");
    do_text(session, "redo", "");
    check_is(session, "\"selection\":\"Heap#java.lang.String#java.lang\"");
    do_text(session, "root.leave", "");
}

static void check_derived(mc_session *session) {
    do_text(session, "group", "type");
    do_text(session, "search", "linkedlist");
    check_is(session, "\"hits\":2");
    do_text(session, "group", "package,type");
    check_is(session, "\"hits\":2");
    do_text(session, "walk", "");
    check_is(session, "\"walk_shown\":true");
    do_text(session, "group", "type");
    CHECK(session->suspects.count > 0 && session->suspects.has_verdict);
    for (uint32_t i = 0; i < session->suspects.count; i++)
        CHECK(session->suspects.items[i].node < mc_trace_get_nodes(session->trace)->count);
    static const char *const views[] = {"view.sunburst", "view.icicle", "view.city"};
    for (size_t i = 0; i < 3; i++) {
        do_text(session, views[i], "");
        do_text(session, "group", "package");
        do_text(session, "group", "type");
    }
    do_text(session, "escape", "");
}

// All orders of all parts, and back.
static void check_cycle(mc_session *session) {
    static const char *const lists[] = {"\"package\"", "\"type\"", "\"type,package\"", "null"};
    char member[64];
    do_text(session, "group.own", "");
    for (size_t i = 0; i < 4; i++) {
        do_text(session, "group.next", "");
        (void)snprintf(member, sizeof member, "\"group_by\":%s", lists[i]);
        check_is(session, member);
    }
}

static void check_wrong(mc_session *session) {
    const mc_action *group = mc_action_find("group", 5), *set = mc_action_find("set", 3);
    mc_error error = {0};
    CHECK(mc_session_do_text(session, group, "typ", &error) == MC_ERROR_BAD_DATA);
    CHECK(strstr(error.message, "package and type"));
    CHECK(mc_session_do_text(session, set, "group_by loader", &error) == MC_ERROR_BAD_DATA);
    CHECK(mc_session_do_text(session, group, "type,type", &error) == MC_ERROR_BAD_DATA);
    check_is(session, "\"group_by\":null");
    mc_facts facts;
    mc_session_fill_facts(session, &facts);
    REQUIRE(facts.classifier_count == 2);
    CHECK(strcmp(facts.classifiers[0].name, "Package") == 0 && facts.classifiers[1].is_chosen &&
          !facts.classifiers[1].is_of_dumps);
}

// A view remembers it, and is restored in whatever grouping one is.
static void check_views(mc_session *session) {
    char path[64];
    (void)snprintf(path, sizeof path, "%s/view.json", folder);
    do_text(session, "group", "type,package");
    do_text(session, "select", "Heap#java.lang.String#java.lang");
    do_text(session, "save", path);
    do_text(session, "group", "package");
    do_text(session, "open", path);
    check_is(session, "\"group_by\":\"type,package\"");
    check_is(session, "\"selection\":\"Heap#java.lang.String#java.lang\"");
    do_text(session, "undo", "");
    check_is(session, "\"group_by\":\"package\"");
}

// In a window of its own: from the command line, from a view, and wrong ones.
// The preferences say how traces are grouped where nothing else does; what they can't be grouped by
// is no reason to complain.
static void check_usual(void) {
    static const char *const paths[] = {TRACE};
    mc_session_desc desc = {.views = mc_views,
                            .paths = paths,
                            .path_count = 1,
                            .settings = mc_settings_default(),
                            .step = MC_NONE};
    desc.settings.layout = mc_layout_options_default();
    REQUIRE(mc_settings_set(&desc.settings, "usual_group_by type", NULL) == MC_OK);
    mc_session *session = begin_session(&desc, 760);
    check_is(session, "\"group_by\":\"type\"");
    do_text(session, "group.own", "");
    check_is(session, "\"group_by\":null");
    mc_session_destroy(session);
    desc.group_by = "package";
    session = begin_session(&desc, 760);
    check_is(session, "\"group_by\":\"package\"");
    mc_session_destroy(session);
    desc.group_by = NULL;
    REQUIRE(mc_settings_set(&desc.settings, "usual_group_by site,thread", NULL) == MC_OK);
    session = begin_session(&desc, 760);
    check_is(session, "\"group_by\":null");
    check_is(session, "\"message\":null");
    mc_session_destroy(session);
}

static void check_opening(void) {
    static const char *const paths[] = {TRACE};
    static const char *const selected[] = {"Heap#java.util.LinkedList"};
    char view[64];
    mc_session_desc desc = {.views = mc_views,
                            .paths = paths,
                            .path_count = 1,
                            .group_by = "type",
                            .settings = mc_settings_default(),
                            .step = MC_NONE,
                            .selection_keys = selected,
                            .selection_key_count = 1};
    desc.settings.layout = mc_layout_options_default();
    mc_session *session = begin_session(&desc, 760);
    check_is(session, "\"selection\":\"Heap#java.util.LinkedList\"");
    check_is(session, "\"group_by\":\"type\"");
    mc_session_destroy(session);
    desc.group_by = "typ";
    session = begin_session(&desc, 760);
    CHECK(!session->trace && session->exit_code == MC_EXIT_USAGE);
    mc_session_destroy(session);
    (void)snprintf(view, sizeof view, "%s/view.json", folder);
    const char *views[] = {view};
    desc.group_by = NULL;
    desc.selection_key_count = 0;
    desc.paths = views;
    session = begin_session(&desc, 760);
    check_is(session, "\"group_by\":\"type,package\"");
    check_is(session, "\"selection\":\"Heap#java.lang.String#java.lang\"");
    mc_session_destroy(session);
}

// ---- a recording that goes on

static void fill(mc_step_tree *tree, int64_t time_ms, bool has_more) {
    mc_step_tree_reset(tree);
    tree->time_ms = time_ms;
    uint32_t package = mc_strings_intern(&tree->roles, "Package", 7);
    uint32_t type = mc_strings_intern(&tree->roles, "Type", 4);
    uint64_t count = (uint64_t)time_ms;
    test_add_node(tree, MC_NONE, "Heap", 5 * count + has_more);
    uint32_t a = test_add_node(tree, 0, "a", 3 * count + has_more);
    uint32_t b = test_add_node(tree, 0, "b", 2 * count);
    uint32_t nodes[] = {test_add_node(tree, a, "X", count), test_add_node(tree, a, "Y", 2 * count),
                        test_add_node(tree, b, "X", 2 * count)};
    tree->nodes[a].role = tree->nodes[b].role = package;
    for (size_t i = 0; i < 3; i++)
        tree->nodes[nodes[i]].role = type;
    if (has_more) tree->nodes[test_add_node(tree, a, "A", 1)].role = type;
}

static void add_step(mc_mct_writer *writer, mc_step_tree *tree, int64_t time_ms, bool has_more) {
    fill(tree, time_ms, has_more);
    REQUIRE(mc_mct_writer_add_step(writer, tree, "test", NULL) == MC_OK);
    REQUIRE(mc_mct_writer_commit(writer, NULL) == MC_OK);
}

static void wait_for_steps(mc_session *session, uint32_t count) {
    for (int turns = 0; turns < MOST_TURNS; turns++) {
        turn(session);
        if (mc_trace_get_step_count(session->trace) == count) break;
    }
    settle(session);
    CHECK(mc_trace_get_step_count(session->trace) == count);
}

static void check_follow(void) {
    char path[64];
    mc_step_tree tree = {0};
    mc_mct_writer *writer;
    (void)snprintf(path, sizeof path, "%s/live.mct", folder);
    mc_mct_writer_desc writing = {.path = path, .sync = MC_MCT_SYNC_NEVER};
    REQUIRE(mc_mct_writer_create(&writing, &writer, NULL) == MC_OK);
    add_step(writer, &tree, 1, false);
    add_step(writer, &tree, 2, false);
    const char *paths[] = {path};
    mc_session_desc desc = {.views = mc_views,
                            .paths = paths,
                            .path_count = 1,
                            .follow = true,
                            .settings = mc_settings_default(),
                            .step = MC_NONE};
    desc.settings.layout = mc_layout_options_default();
    mc_session *session = begin_session(&desc, 760);
    do_text(session, "group", "type,package");
    do_text(session, "select", "Heap#a.Y#a");
    add_step(writer, &tree, 3, false);
    wait_for_steps(session, 3);
    check_is(session, "\"group_by\":\"type,package\"");
    check_is(session, "\"selection\":\"Heap#a.Y#a\"");
    // Another group comes before it: nodes are numbered anew.
    add_step(writer, &tree, 4, true);
    wait_for_steps(session, 4);
    check_is(session, "\"selection\":\"Heap#a.Y#a\"");
    CHECK(get_leaf_count(session) == 4);
    do_text(session, "undo", "");
    check_is(session, "\"selection\":null");
    do_text(session, "group.own", "");
    add_step(writer, &tree, 5, true);
    wait_for_steps(session, 5);
    check_is(session, "\"group_by\":null");
    mc_session_destroy(session);
    mc_mct_writer_destroy(writer);
    mc_step_tree_deinit(&tree);
    unlink(path);
}

int main(void) {
    static const char *const paths[] = {TRACE};
    REQUIRE(mkdtemp(folder));
    mc_session_desc desc = {.views = mc_views,
                            .paths = paths,
                            .path_count = 1,
                            .settings = mc_settings_default(),
                            .step = MC_NONE};
    desc.settings.layout = mc_layout_options_default();
    mc_session *session = begin_session(&desc, 760);
    check_selection(session);
    check_undo(session);
    check_derived(session);
    check_cycle(session);
    check_wrong(session);
    check_views(session);
    mc_session_destroy(session);
    check_opening();
    check_usual();
    check_follow();
    char path[64];
    (void)snprintf(path, sizeof path, "%s/view.json", folder);
    unlink(path);
    rmdir(folder);
    return test_finish();
}
