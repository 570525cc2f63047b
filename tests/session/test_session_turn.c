// A session without a window and without a GPU: opening, wishing, undoing, and what follows from
// it.
#include "app/session/available.h"
#include "app/session/references.h"
#include "app/session/script.h"
#include "app/session/state.h"
#include "app/views/city/city_view_state.h"
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "tests/session_turns.h"
#include <unistd.h>

#define TRACE MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1"
#define LIST "Heap#java.util#LinkedList"

static void check_is(mc_session *session, const char *member) {
    mc_text state = {0};
    mc_print print = mc_print_to(&state, true, false);
    mc_session_put_state(session, &print);
    CHECK_MSG(!state.failed && strstr(state.data, member), "%s is not in %s", member, state.data);
    mc_text_deinit(&state);
}

static const mc_city_view *get_city(const mc_session *session) {
    return mc_city_view_of(session->view);
}

// The legend has a row for what joins structures in the picture, and for nothing else.
static void check_joins(mc_session *session, const char *text, bool is_there) {
    mc_facts facts;
    mc_session_prepare_frame(session);
    mc_session_fill_facts(session, &facts);
    const mc_fact_legend *legend = &facts.lists.legend;
    bool found = false;
    for (uint32_t i = 0; i < legend->join_count; i++)
        found = found || strcmp(legend->join_texts[i], text) == 0;
    CHECK_MSG(found == is_there, "\"%s\" among %u", text, legend->join_count);
}

static void check_settings(mc_session *session) {
    check_is(session, "\"step\":25,\"step_count\":27");
    do_text(session, "step", "3");
    check_is(session, "\"step\":3,");
    uint32_t counts = session->counts.version;
    do_text(session, "step.next", "");
    CHECK(session->counts.version == counts + 1 && session->counts.advance);
    do_text(session, "select", LIST);
    check_is(session, "\"selection\":\"" LIST "\"");
    CHECK(mc_session_get_references(session)->links.count > 0);
    check_joins(session, "keeps the selection alive", true);
    check_joins(session, "keeps alive, up to the cause", false);
    uint32_t layout = session->layout_version;
    do_text(session, "set", "tiling binary");
    CHECK(session->layout_version == layout + 1 &&
          get_city(session)->city->desc.treemap.tiling == MC_TILING_BINARY);
    do_text(session, "undo", "");
    CHECK(session->layout_version == layout + 2 &&
          get_city(session)->city->desc.treemap.tiling == MC_TILING_SQUARIFY);
    do_text(session, "undo", "");
    check_is(session, "\"selection\":null");
    check_joins(session, "keeps the selection alive", false);
    do_text(session, "redo", "");
    check_is(session, "\"selection\":\"" LIST "\"");
    do_text(session, "root", "Heap#java.util");
    check_is(session, "\"root\":\"Heap#java.util\"");
    // What is selected outside of the city takes it back to where both are.
    do_text(session, "select.suspect", "2");
    do_text(session, "root.leave", "");
    check_is(session, "\"root\":null");
}

// Width on the screen is bounded: what the pointer is on says the ratio of its ends.
static void check_pointed(mc_session *session) {
    mc_city_view *city = mc_city_view_of(session->view);
    mc_text path = {0}, text = {0};
    bool found = false;
    do_text(session, "step", "25");
    do_text(session, "select", LIST);
    CHECK(city->frustums.frustums.count > 0);
    for (uint32_t i = 0; i < city->frustums.frustums.count && !found; i++) {
        mc_text_clear(&path);
        mc_text_clear(&text);
        city->frustums.hovered = i;
        found = mc_session_append_pointed_link(session, &path, &text) &&
                strcmp(mc_text_get(&text), "80,000 objects keep 160,000 alive, 1 : 2") == 0;
    }
    CHECK_MSG(found, "%s", mc_text_get(&text));
    city->frustums.hovered = MC_NONE;
    mc_text_deinit(&path);
    mc_text_deinit(&text);
    do_text(session, "undo", "");
}

static void check_derived(mc_session *session) {
    do_text(session, "search", "linkedlist");
    check_is(session, "\"hits\":2");
    const mc_city_view *city = get_city(session);
    CHECK(city->city->styles && city->styles.version > 0); // the others are dimmed
    do_text(session, "search.next", "");
    check_is(session, "\"hit\":0");
    do_text(session, "walk", "");
    check_is(session, "\"walk_shown\":true");
    check_joins(session, "keeps alive, up to the cause", true);
    CHECK(mc_session_get_walk(session)->count > 1 && city->frustums.frustums.count > 0);
    // At another step its links are those of that step, as in a picture or a video.
    uint32_t step = mc_session_get_walk(session)->desc.step, count = city->frustums.frustums.count;
    CHECK(step == session->playback.step &&
          !mc_asked_has_answer(session->asked[MC_QUERY_CAUSE_LINKS]));
    do_text(session, "step", "2");
    CHECK(mc_asked_has_answer(session->asked[MC_QUERY_CAUSE_LINKS]) &&
          mc_session_get_cause_links(session)->count <= count &&
          city->frustums.frustums.count == mc_session_get_cause_links(session)->count);
    char number[16];
    snprintf(number, sizeof number, "%u", step);
    do_text(session, "step", number);
    CHECK(!mc_asked_has_answer(session->asked[MC_QUERY_CAUSE_LINKS]) &&
          city->frustums.frustums.count == count);
    do_text(session, "escape", "");
    CHECK(session->suspects.has_verdict && session->suspects.count > 0);
}

// Whether hits are listed by their size at the step, the largest first.
static bool is_by_size(const mc_session *session) {
    const mc_hits *hits = mc_session_get_hits(session);
    for (uint32_t i = 1; i < hits->count; i++)
        if (session->counts.node_values[hits->nodes[i - 1]] <
            session->counts.node_values[hits->nodes[i]])
            return false;
    return hits->count > 1;
}

// The largest hit at the step comes first, whatever it was at most; another step sorts anew and
// stays at the hit that one is at. While time plays, rows stay where they are.
static void check_order_of_hits(mc_session *session) {
    do_text(session, "set", "metric bytes");
    do_text(session, "step", "0");
    do_text(session, "search", "java");
    const mc_session_search *search = &session->search;
    CHECK(is_by_size(session));
    uint32_t version = search->version;
    do_text(session, "step", "25");
    CHECK(is_by_size(session) && search->version != version); // another order
    do_text(session, "search.show", "3");
    uint32_t at = mc_session_get_hits(session)->nodes[search->current];
    CHECK(at == mc_session_get_selected(session));
    do_text(session, "step", "0");
    CHECK(is_by_size(session) && mc_session_get_hits(session)->nodes[search->current] == at);
    do_text(session, "set", "loop false");
    do_text(session, "step", "20");
    uint32_t first = mc_session_get_hits(session)->nodes[0];
    const mc_action *play = mc_action_find("play", 4);
    REQUIRE(play);
    mc_session_do(session, play->id, 0);
    version = search->version;
    while (session->playback.playing) {
        CHECK(search->version == version && mc_session_get_hits(session)->nodes[0] == first);
        turn(session);
    }
    settle(session);
    CHECK_MSG(is_by_size(session), "at step %u", session->playback.step);
    do_text(session, "escape", "");
    do_text(session, "escape", "");
}

// What this trace can't do is said. Where no dump tells what would fall, key, menu and panel know
// so beforehand, and say the same.
static void check_obstacles(mc_session *session) {
    mc_facts facts;
    do_text(session, "select", LIST);
    mc_session_prepare_frame(session);
    mc_session_fill_facts(session, &facts);
    const mc_action *demolish = mc_action_get(MC_ACTION_DEMOLISH);
    REQUIRE(demolish && facts.lists.whatif.obstacle && !facts.lists.whatif.can_demolish);
    CHECK(mc_action_get_obstacle(session, demolish) == facts.lists.whatif.obstacle);
    do_text(session, "demolish", "");
    CHECK(session->settings.demolished.count == 0 && session->status.text.size > 0 &&
          strcmp(session->status.text.data, facts.lists.whatif.obstacle) == 0);
    // Nor is followed what is no recording, which is said instead of that it is.
    do_text(session, "follow", "");
    CHECK(!session->follow.is_on &&
          strncmp(session->status.text.data, "Only an .mct file", 17) == 0);
}

// The parts of the selection are sorted beside, anew at each step; a leaf has none.
static void check_children(mc_session *session) {
    static const char *const keys[] = {"Heap", "Heap#java.util", LIST};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        do_text(session, "select", keys[k]);
        for (uint32_t step = 3; step < 25; step += 21) {
            char number[16];
            snprintf(number, sizeof number, "%u", step);
            do_text(session, "step", number);
            const mc_children *children = mc_session_get_children(session);
            const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
            uint32_t node = mc_session_get_selected(session);
            CHECK(children->count == nodes->child_count[node]);
            for (uint32_t i = 0; i < children->count; i++) {
                CHECK(nodes->parent[children->nodes[i]] == node);
                CHECK(i == 0 || session->counts.node_values[children->nodes[i - 1]] >=
                                    session->counts.node_values[children->nodes[i]]);
            }
            mc_facts facts;
            mc_session_fill_facts(session, &facts);
            CHECK((facts.lists.children_note != NULL) == (children->count == 0));
        }
    }
    do_text(session, "step.last", "");
}

// Shares in panels, tables and the tooltip are one number; what needs a window says so.
static void check_facts(mc_session *session) {
    mc_facts model;
    mc_error error = {0};
    do_text(session, "select", LIST);
    mc_session_fill_facts(session, &model);
    CHECK(model.has_selection && strcmp(model.selection_name, "LinkedList") == 0);
    CHECK(model.row_count > 5 && model.suspect_count == session->suspects.count);
    const mc_action *action = mc_action_find("fullscreen", 10);
    CHECK(mc_session_do_text(session, action, "", &error) == MC_ERROR_BAD_DATA &&
          strstr(error.message, "no window"));
}

static void check_fact(const mc_fact_why *why, const char *label, const char *text) {
    for (uint32_t i = 0; i < why->fact_count; i++)
        if (strcmp(why->facts[i].label, label) == 0) {
            CHECK_MSG(strstr(why->facts[i].text, text), "%s: %s", label, why->facts[i].text);
            return;
        }
    CHECK_MSG(false, "nothing is said of %s", label);
}

// Causes come first among the suspects; what is told follows the selection.
static void check_why(mc_session *session) {
    mc_facts model;
    const mc_fact_why *why = &model.lists.why;
    do_text(session, "escape", "");
    do_text(session, "escape", "");
    mc_session_fill_facts(session, &model);
    REQUIRE(model.suspect_count > 2 && model.verdict && why->sentence);
    CHECK(strstr(model.suspects[0].name, "HostConnectionPool"));
    CHECK(strstr(model.suspects[1].detail, "because of "));
    CHECK(strstr(model.suspects[1].cause, "MultiThreaded"));
    CHECK(strcmp(model.verdict, why->sentence) == 0 &&
          strstr(why->sentence, " since the recording began"));
    check_fact(why, "What", "+80,000 objects");
    check_fact(why, "Comes with", "LinkedList");
    do_text(session, "select", LIST);
    mc_session_fill_facts(session, &model);
    CHECK(strstr(why->sentence, "LinkedList is not a cause of its own: it grows because "));
    check_fact(why, "What", "+80,000 objects");
    do_text(session, "select", LIST "$Node");
    mc_session_fill_facts(session, &model);
    CHECK(strstr(why->sentence, "LinkedList$Node is not a suspect: it goes up and down"));
    CHECK(why->fact_count == 0);
    // Of a district alone there are suspects, no causes.
    do_text(session, "root", "Heap#java.util");
    mc_session_fill_facts(session, &model);
    CHECK(why->note && why->fact_count == 0 && model.suspect_count > 0);
    do_text(session, "root.leave", "");
    do_text(session, "select", LIST);
    mc_session_fill_facts(session, &model);
    CHECK(strstr(why->sentence, "LinkedList is not a cause of its own"));
}

// What a search, a walk and the charts began is not waited for by whoever closes the session.
static void check_early_end(const mc_session_desc *desc) {
    for (int turns = 0; turns < 40; turns++) {
        mc_session *session;
        mc_error error = {0};
        REQUIRE(mc_session_create(desc, &session, &error) == MC_OK);
        mc_session_begin(session);
        for (int i = 0; i < turns; i++) {
            turn(session);
            if (session->shown) mc_session_do(session, MC_ACTION_WALK, 0);
        }
        mc_session_destroy(session);
    }
}

static void check_bad_input(void) {
    char path[] = "/tmp/memcity-test-XXXXXX";
    int file = mkstemp(path);
    REQUIRE(file >= 0 && write(file, "{\"time\":", 8) == 8 && close(file) == 0);
    const char *const paths[] = {path};
    mc_session_desc desc = {.views = mc_views, .paths = paths, .path_count = 1, .step = MC_NONE};
    desc.settings = mc_settings_default();
    desc.settings.layout = mc_layout_options_default();
    mc_session *session = begin_session(&desc, 760);
    CHECK(!session->trace && session->message.text && session->exit_code == MC_EXIT_BAD_INPUT);
    mc_session_do(session, MC_ACTION_NEXT, 0); // needs a city, and does nothing
    settle(session);
    mc_session_destroy(session);
    unlink(path);
}

static const char *do_and_hear(mc_session *session, mc_action_id action) {
    mc_facts facts;
    mc_session_do(session, action, 0);
    mc_session_fill_facts(session, &facts);
    return facts.said ? facts.said : "";
}

// What a key changes is said for a moment, and to nobody but who looks.
static void check_said(mc_session *session) {
    mc_facts facts;
    CHECK(strcmp(do_and_hear(session, MC_ACTION_SCALING), "Scaling: quadratic") == 0);
    CHECK(!session->message.text);
    settle(session);
    CHECK(strcmp(do_and_hear(session, MC_ACTION_UNDO), "Undone. Scaling: linear") == 0);
    settle(session);
    for (int i = 0; i < 20; i++)
        mc_session_do(session, MC_ACTION_MORE_OPAQUE, 0);
    CHECK(strcmp(do_and_hear(session, MC_ACTION_MORE_OPAQUE), "It goes no further.") == 0);
    double rest_s = mc_session_get_wait_s(session, false);
    CHECK(rest_s > 0 && rest_s <= 6); // whoever sleeps until then wakes up
    for (int i = 0; i < 6 * 60 + 2; i++)
        turn(session);
    mc_session_fill_facts(session, &facts);
    CHECK(!facts.said);
    CHECK(strstr(do_and_hear(session, MC_ACTION_PANELS), "F9 brings the panels back"));
    mc_session_do(session, MC_ACTION_PANELS, 0);
    for (int i = 0; i < 6 * 60 + 2; i++)
        turn(session);
    CHECK(do_and_hear(session, MC_ACTION_CHILD)[0] == '\0'); // one sees it
    settle(session);
    // What says more of it in a card of its own is not said once more beside it.
    do_and_hear(session, MC_ACTION_PIN);
    CHECK(session->message.text && strstr(session->message.text, "is pinned") &&
          session->status.text.size == 0);
    CHECK(strcmp(do_and_hear(session, MC_ACTION_PIN), "Pinned: none") == 0);
}

// Who has never opened anything is told where to begin, once.
static void check_new(const mc_session_desc *of) {
    char path[] = "/tmp/memcity-test-XXXXXX";
    int file = mkstemp(path);
    REQUIRE(file >= 0 && write(file, "{\"memcity_settings\":1}", 22) == 22);
    close(file);
    for (int i = 0; i < 2; i++) {
        mc_error error = {0};
        mc_preferences preferences;
        REQUIRE(mc_preferences_read(&preferences, path, &error) == MC_OK);
        preferences.path = mc_copy_string(path);
        mc_session_desc desc = *of;
        desc.preferences = &preferences;
        mc_session *session = NULL;
        REQUIRE(mc_session_create(&desc, &session, &error) == MC_OK);
        mc_session_begin(session);
        for (int turns = 0; !session->shown && turns < MOST_TURNS; turns++)
            turn(session);
        const char *said = session->status.text.size > 0 ? session->status.text.data : "";
        CHECK_MSG((strstr(said, "New here?") != NULL) == (i == 0), "%d: %s", i, said);
        mc_session_destroy(session);
    }
    unlink(path);
}

static void append_state(void *user, mc_text *out) {
    mc_print print = mc_print_to(out, true, false);
    mc_print_begin_object(&print, NULL);
    mc_session_put_state(user, &print);
    mc_print_end_object(&print);
}

static void check_script(const mc_session_desc *desc) {
    char path[] = "/tmp/memcity-test-XXXXXX";
    const char text[] = "wait idle\nselect " LIST "\nwait idle\nexpect selection " LIST
                        "\nstep 4\nwait idle\nexpect step 4\nquit\n";
    int file = mkstemp(path);
    REQUIRE(file >= 0 && write(file, text, sizeof text - 1) == sizeof text - 1);
    close(file);
    mc_script *script;
    mc_error error = {0};
    REQUIRE(mc_script_read(path, &script, &error) == MC_OK);
    mc_session *session = begin_session(desc, 760);
    for (int turns = 0; !session->ends && turns < MOST_TURNS; turns++) {
        turn(session);
        mc_script_run(script, session, append_state, session);
    }
    CHECK(session->ends && session->exit_code == MC_EXIT_OK && session->playback.step == 4);
    mc_session_destroy(session);
    mc_script_destroy(script);
    unlink(path);
}

int main(void) {
    const char *const paths[] = {TRACE};
    mc_session_desc desc = {.views = mc_views, .paths = paths, .path_count = 1, .step = MC_NONE};
    desc.settings = mc_settings_default();
    desc.settings.layout = mc_layout_options_default();
    mc_session *session = begin_session(&desc, 760);
    REQUIRE(session->trace && session->shown);
    check_settings(session);
    check_pointed(session);
    check_derived(session);
    check_order_of_hits(session);
    check_obstacles(session);
    check_children(session);
    check_facts(session);
    check_why(session);
    check_said(session);
    mc_session_destroy(session);
    check_new(&desc);
    check_early_end(&desc);
    check_script(&desc);
    check_bad_input();
    return test_finish();
}
