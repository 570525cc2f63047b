// What the panels say of a leak: references as they are filtered, the walk's stops, how fast
// suspects grow, steps at their times, how wide the panels are.
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "tests/session_turns.h"

#define TRACE MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1"
#define POOL "org.apache.commons.httpclient#MultiThreadedHttpConnectionManager$HostConnectionPool"

static mc_facts get_facts(mc_session *session) {
    mc_facts facts;
    mc_session_fill_facts(session, &facts);
    return facts;
}

// A note that some are left out counts what the filter lets through, and nothing else.
static void check_references(mc_session *session) {
    do_text(session, "select", "HashMap$Node"); // by the end of its key
    do_text(session, "set", "most_references 0");
    uint32_t all = mc_session_get_references(session)->links.count;
    do_text(session, "set", "show_incoming false");
    uint32_t outgoing = mc_session_get_references(session)->links.count;
    CHECK_MSG(outgoing > 5 && outgoing < all, "%u of %u", outgoing, all);
    CHECK(!get_facts(session).lists.references.note);
    do_text(session, "set", "most_references 5");
    char expected[64];
    snprintf(expected, sizeof expected, "The 5 strongest of %u. ", outgoing);
    const char *note = get_facts(session).lists.references.note;
    CHECK_MSG(note && strcmp(note, expected) == 0, "%s, not %s", note ? note : "nothing", expected);
    do_text(session, "set", "show_incoming true");
    do_text(session, "set", "most_references 20");
}

static void check_walk(mc_session *session) {
    do_text(session, "walk", "");
    mc_facts facts = get_facts(session);
    const mc_fact_list *stops = &facts.lists.walk.stops;
    REQUIRE(stops->count == 5 && facts.lists.walk.summary);
    mc_fact_list_row row = {0};
    stops->describe(stops->user, 1, &row);
    CHECK_MSG(strcmp(row.detail, "cause · 80,000 objects, +80,000\n79,991 of 80,000 objects held "
                                 "by 79,991 of 82,629 HashMap$Node") == 0,
              "%s", row.detail);
    stops->describe(stops->user, 4, &row);
    CHECK_MSG(strstr(row.detail, "\nthis file does not say which of the 289 HashMap"), "%s",
              row.detail);
    // With names or without them, the picture has the stops' numbers.
    for (int names = 1; names >= 0; names--) {
        uint32_t numbers = 0;
        do_text(session, "set", names ? "names true" : "names false");
        facts = get_facts(session);
        for (uint32_t i = 0; i < facts.label_count; i++) {
            numbers += facts.labels[i].number > 0;
            CHECK((facts.labels[i].text[0] != '\0') == names);
        }
        CHECK_MSG(numbers >= 3, "%u numbers", numbers);
    }
    do_text(session, "escape", "");
    CHECK(get_facts(session).label_count == 0);
    do_text(session, "set", "names true");
}

static void check_time(mc_session *session) {
    mc_facts facts = get_facts(session);
    CHECK(facts.step_places[0] == 0 && facts.step_places[facts.step_count - 1] == 1);
    for (uint32_t i = 1; i < facts.step_count; i++)
        CHECK(facts.step_places[i] > facts.step_places[i - 1]);
    mc_time_tick ticks[MC_TIME_TICK_MOST];
    CHECK(facts.get_ticks(facts.user, 5, ticks) == 3 && strcmp(ticks[0].text, "0:30") == 0);
    CHECK_MSG(strcmp(facts.values_full, "20.3 MiB") == 0, "%s", facts.values_full);
    CHECK_MSG(strcmp(facts.others_full, "655 k") == 0, "%s", facts.others_full);
    CHECK(facts.get_mark(facts.user, 3) == MC_STEP_PLAIN);
    char text[200];
    facts.describe_step(facts.user, 0, text, sizeof text);
    CHECK_MSG(strcmp(text, "0:04.1   step 0 of 0–26\n21,357 objects · 916 KiB") == 0, "%s", text);
}

// In units that fit a run of one and a half minutes; what is no cause says of whose it is.
static void check_suspects(mc_session *session) {
    mc_facts facts = get_facts(session);
    REQUIRE(facts.suspect_count > 2);
    // One of them, HashMap$Node[], grew by itself: not all of them come with the finding.
    CHECK(facts.finding_count == 1 && facts.findings_rest &&
          strcmp(facts.findings_rest, "and 6 more") == 0);
    CHECK_MSG(strstr(facts.suspects[0].detail, " KiB/s"), "%s", facts.suspects[0].detail);
    // They are judged in bytes, whatever is shown.
    do_text(session, "set", "metric objects");
    facts = get_facts(session);
    CHECK_MSG(strstr(facts.suspects[0].detail, " KiB/s"), "%s", facts.suspects[0].detail);
    do_text(session, "set", "metric bytes");
}

// The largest packages by their names, and the others in one.
static void check_packages(mc_session *session) {
    do_text(session, "set", "color_by package");
    mc_fact_legend legend = get_facts(session).lists.legend;
    REQUIRE(legend.title && !legend.is_gradient && legend.count == MC_FACT_LEGEND_CAPACITY);
    CHECK(strcmp(legend.texts[0], "java.util") == 0);
    CHECK(strcmp(legend.texts[1], "org.apache.commons.httpclient") == 0);
    CHECK(strcmp(legend.texts[legend.count - 1], "Others") == 0);
    do_text(session, "set", "color_by role");
    do_text(session, "color.next", "");
    CHECK(session->settings.look.color_mode == MC_COLOR_MODE_PACKAGE);
    do_text(session, "color.next", "");
    CHECK(session->settings.look.color_mode == MC_COLOR_MODE_GROWTH);
}

static void check_width(mc_session *session) {
    CHECK(session->settings.panel_width == 0);
    do_text(session, "panels.wider", "");
    CHECK(session->settings.panel_width == MC_PANEL_WIDTH_USUAL + MC_PANEL_WIDTH_STEP);
    for (int i = 0; i < 20; i++)
        do_text(session, "panels.wider", "");
    CHECK(session->settings.panel_width == MC_PANEL_WIDTH_MOST);
    for (int i = 0; i < 40; i++)
        do_text(session, "panels.narrower", "");
    CHECK(session->settings.panel_width == MC_PANEL_WIDTH_LEAST);
    do_text(session, "set", "panel_width 400");
    CHECK(session->settings.panel_width == 400);
    do_text(session, "panels.usual", "");
    CHECK(session->settings.panel_width == 0);
}

// Ends of keys that nobody has, or several.
static void check_keys(mc_session *session) {
    mc_error error = {0};
    const mc_action *action = mc_action_find("select", 6);
    REQUIRE(action);
    do_text(session, "select", POOL);
    uint32_t pool = mc_session_get_selected(session);
    CHECK(mc_session_do_text(session, action, "Entry", &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "full key of a node, found \"Entry\" ("), "%s", error.message);
    CHECK(mc_session_do_text(session, action, "nowhere", &error) == MC_ERROR_BAD_DATA);
    CHECK(mc_session_get_selected(session) == pool);
}

static void open_trace(mc_session_desc *desc, const char *const *path, mc_session **session) {
    mc_error error = {0};
    desc->views = mc_views;
    desc->paths = path;
    desc->path_count = 1;
    desc->step = MC_NONE;
    desc->settings = mc_settings_default();
    desc->settings.layout = mc_layout_options_default();
    REQUIRE(mc_session_create(desc, session, &error) == MC_OK);
    now_ns = mc_clock_now_ns();
    (*session)->input.width = 1200;
    (*session)->input.height = 760;
    (*session)->input.text_scale = 1;
    mc_session_begin(*session);
    settle(*session);
    REQUIRE((*session)->trace && (*session)->shown);
}

static void check_no_heap(const char *text) {
    CHECK_MSG(!text || (!strstr(text, "heap") && !strstr(text, "Heap")), "%s", text);
}

// Files and their sizes are no heap, and nothing that is said takes them for one.
static void check_other_kind(void) {
    static const char *const path[] = {MC_TEST_BINARY_DIR "/traces/perfetto"};
    mc_session_desc desc = {0};
    mc_session *session;
    open_trace(&desc, path, &session);
    do_text(session, "set", "child_limit 20");
    do_text(session, "select.suspect", "1");
    mc_facts facts = get_facts(session);
    bool has_share = false;
    for (uint32_t i = 0; i < facts.row_count; i++) {
        check_no_heap(facts.rows[i].label);
        has_share |= strcmp(facts.rows[i].label, "Share of all") == 0;
    }
    CHECK(has_share && facts.suspect_count > 0);
    for (uint32_t i = 0; i < facts.suspect_count; i++)
        check_no_heap(facts.suspects[i].detail);
    CHECK_MSG(strstr(facts.suspects[0].detail, " of all · "), "%s", facts.suspects[0].detail);
    CHECK_MSG(facts.limit_note && strstr(facts.limit_note, " of all"), "%s", facts.limit_note);
    check_no_heap(facts.limit_note);
    check_no_heap(facts.verdict);
    check_no_heap(facts.lists.why.sentence);
    CHECK(facts.lists.why.fact_count > 0);
    for (uint32_t i = 0; i < facts.lists.why.fact_count; i++)
        check_no_heap(facts.lists.why.facts[i].text);
    mc_session_destroy(session);
}

int main(void) {
    static const char *const path[] = {TRACE};
    const char *const selected[] = {"java.util.LinkedList"}; // as --select has it
    mc_session_desc desc = {.selection_keys = selected, .selection_key_count = 1};
    mc_session *session;
    open_trace(&desc, path, &session);
    CHECK(strcmp(get_facts(session).selection_name, "LinkedList") == 0 && !session->message.text);
    check_keys(session);
    check_references(session);
    check_time(session);
    check_suspects(session);
    check_walk(session);
    check_packages(session);
    check_width(session);
    mc_session_destroy(session);
    check_other_kind();
    return test_finish();
}
