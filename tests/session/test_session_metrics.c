// What the panels say of a trace's own metrics: each in its unit, what is not known as a dash, and
// shares of what adds up alone.
#include "app/session/action.h"
#include "app/session/describe.h"
#include "app/session/turn.h"
#include "app/views/city/city_view_state.h"
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "tests/test.h"
#include <time.h>
#include <unistd.h>

#define MOST_TURNS 200000

// Two steps; "b" has no coverage at the first, the heap none at all.
static const char document[] =
    "[{\"metrics\":[{\"name\":\"allocated\",\"title\":\"allocated "
    "bytes\",\"unit\":\"bytes\",\"kind\":\"flow\",\"additive\":true},"
    "{\"name\":\"coverage\",\"title\":\"line "
    "coverage\",\"unit\":\"ratio\",\"kind\":\"stock\",\"additive\":false},"
    "{\"name\":\"wait\",\"unit\":\"time\",\"kind\":\"flow\",\"additive\":true}],"
    "\"time\":0,\"root\":{\"key\":\"Heap\",\"name\":\"Heap\",\"role\":\"\",\"objects\":9,"
    "\"bytes\":900,\"children\":["
    "{\"key\":\"Heap#a\",\"name\":\"a\",\"role\":\"Type\",\"objects\":4,\"bytes\":400,"
    "\"metrics\":{\"allocated\":1048576,\"coverage\":0.5,\"wait\":1500}},"
    "{\"key\":\"Heap#b\",\"name\":\"b\",\"role\":\"Type\",\"objects\":5,\"bytes\":500,"
    "\"metrics\":{\"allocated\":2097152,\"wait\":250}}]}},"
    "{\"time\":1000,\"root\":{\"key\":\"Heap\",\"name\":\"Heap\",\"role\":\"\",\"objects\":9,"
    "\"bytes\":900,\"children\":["
    "{\"key\":\"Heap#a\",\"name\":\"a\",\"role\":\"Type\",\"objects\":4,\"bytes\":400,"
    "\"metrics\":{\"allocated\":3145728,\"coverage\":0.75,\"wait\":500}},"
    "{\"key\":\"Heap#b\",\"name\":\"b\",\"role\":\"Type\",\"objects\":5,\"bytes\":500,"
    "\"metrics\":{\"allocated\":1048576,\"coverage\":0.25,\"wait\":0}}]}}]";

static uint64_t now_ns;
static mc_facts facts;

static void settle(mc_session *session) {
    int turns = 0;
    do {
        now_ns += 16666667;
        mc_session_begin_turn(session, now_ns);
        mc_session_end_turn(session);
        mc_session_prepare_frame(session);
        mc_session_fill_facts(session, &facts);
        if (session->turn.frames_due == 0) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    } while (!mc_session_is_idle(session) && ++turns < MOST_TURNS);
    CHECK(turns < MOST_TURNS);
}

static void do_text(mc_session *session, const char *name, const char *argument) {
    mc_error error = {0};
    const mc_action *action = mc_action_find(name, strlen(name));
    REQUIRE(action);
    CHECK_MSG(mc_session_do_text(session, action, argument, &error) == MC_OK, "%s %s: %s", name,
              argument, error.message);
    settle(session);
}

static const char *find_row(const char *label) {
    for (uint32_t i = 0; i < facts.row_count; i++)
        if (strcmp(facts.rows[i].label, label) == 0) return facts.rows[i].value;
    return "none";
}

static void check_row(const char *label, const char *value) {
    CHECK_MSG(strcmp(find_row(label), value) == 0, "%s is %s, not %s", label, find_row(label),
              value);
}

static void check_child(uint32_t index, const char *name, const char *value, const char *share) {
    mc_fact_list_row row = {0};
    const mc_fact_list *list = &facts.lists.children;
    REQUIRE(index < list->count);
    list->describe(list->user, index, &row);
    CHECK_MSG(strcmp(row.name, name) == 0 && strcmp(row.values[0], value) == 0 &&
                  strcmp(row.values[1], share) == 0,
              "%s: %s, %s", row.name, row.values[0], row.values[1]);
}

static void check_chart(uint32_t step, const char *part) {
    char text[320];
    facts.describe_step(facts.user, step, text, sizeof text);
    CHECK_MSG(strstr(text, part), "%s is not in %s", part, text);
}

// A real number that does not add up, of which something is not known.
static void check_ratio(mc_session *session) {
    CHECK(strcmp(facts.values_name, "line coverage") == 0 && facts.metric_count == 5);
    CHECK(strcmp(facts.lists.legend.area_title, "Area: line coverage") == 0);
    check_row("line coverage", "–"); // of the heap
    check_row("Growth so far", "–");
    check_row("Share of the heap", "none");
    check_child(0, "a", "75.0 %", "");
    check_child(1, "b", "25.0 %", "");
    check_chart(1, "line coverage");
    do_text(session, "select", "Heap#a");
    check_row("line coverage", "75.0 %");
    check_row("Growth so far", "+25.0 %");
    check_row("Share of the heap", "none");
    check_row("Largest", "75.0 %");
    check_row("Sum of the window", "none");
    do_text(session, "select", "Heap#b");
    check_row("Growth so far", "–");
    check_row("At step 0", "–");
    do_text(session, "step", "0");
    check_row("line coverage", "–");
    do_text(session, "select", "Heap");
    check_child(0, "a", "50.0 %", "");
    check_child(1, "b", "–", ""); // behind what is known
    do_text(session, "step", "1");
}

// What flows has a sum; what adds up has shares.
static void check_flows(mc_session *session) {
    do_text(session, "metric.next", "");
    CHECK(strcmp(facts.values_name, "wait") == 0);
    do_text(session, "select", "Heap#a");
    check_row("wait", "500 ms");
    check_row("Growth so far", "−1 s");
    check_row("Share of all", "100.0 %");
    check_row("Share of the heap", "none");
    check_row("Sum of the window", "2 s");
    do_text(session, "set", "metric allocated");
    check_row("allocated bytes", "3.00 MiB");
    check_row("Share of all", "75.0 %");
    check_row("Sum of the window", "4.00 MiB");
    do_text(session, "search", "b");
    mc_fact_list_row row = {0};
    REQUIRE(facts.lists.search.hits.count == 1);
    facts.lists.search.hits.describe(facts.lists.search.hits.user, 0, &row);
    CHECK_MSG(strcmp(row.values[0], "1.00 MiB") == 0, "%s", row.values[0]);
    check_chart(0, "3.00 MiB allocated bytes");
    do_text(session, "select", "Heap");
    check_child(0, "a", "3.00 MiB", "75.0 %");
    do_text(session, "set", "color_metric coverage");
    do_text(session, "set", "color_by value");
    CHECK(strcmp(facts.lists.legend.title, "Colour: line coverage") == 0);
    CHECK_MSG(strcmp(facts.lists.legend.full, "75.0 %") == 0, "%s", facts.lists.legend.full);
}

// Of objects and bytes all is as it is in a trace that has nothing else.
static void check_usual(mc_session *session) {
    do_text(session, "set", "metric objects");
    CHECK(strcmp(facts.values_name, "Objects") == 0 && !facts.lists.legend.area_title);
    check_row("objects", "none");
    check_row("Sum of the window", "none");
    do_text(session, "set", "scaling uniform");
    CHECK(strcmp(facts.lists.legend.area_title, "Area: the same for all") == 0);
    const mc_city *city = mc_city_view_of(session->view)->city;
    CHECK(city->building_count == 2);
    mc_plot a = city->building_plot[0], b = city->building_plot[1];
    CHECK(fabsf((a.x1 - a.x0) - (b.x1 - b.x0)) < 1e-3f &&
          fabsf((a.x1 - a.x0) - (a.z1 - a.z0)) < 1e-3f);
}

int main(void) {
    char path[] = "/tmp/memcity-test-XXXXXX";
    int file = mkstemp(path);
    REQUIRE(file >= 0 && write(file, document, sizeof document - 1) == sizeof document - 1);
    close(file);
    const char *const paths[] = {path};
    mc_session_desc desc = {.views = mc_views, .paths = paths, .path_count = 1, .step = MC_NONE};
    desc.settings = mc_settings_default();
    desc.settings.layout = mc_layout_options_default();
    desc.settings.layout.metric_key = "coverage";
    mc_session *session;
    mc_error error = {0};
    REQUIRE(mc_session_create(&desc, &session, &error) == MC_OK);
    now_ns = mc_clock_now_ns();
    session->input.width = 1200;
    session->input.height = 760;
    mc_session_begin(session);
    settle(session);
    REQUIRE(session->trace && session->shown);
    check_ratio(session);
    check_flows(session);
    check_usual(session);
    mc_session_destroy(session);
    unlink(path);
    return test_finish();
}
