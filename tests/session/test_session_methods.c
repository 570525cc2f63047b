// Methods in a frame of time, in a session without a window: the list of the highest, what is told
// of each, another frame afterwards, a recording that is followed, and no word of a heap.
#include "app/session/methods.h"
#include "app/session/metrics.h"
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "engine/import/collapsed/collapsed.h"
#include "engine/store/mct/mct.h"
#include "engine/trace/regroup/sliding_window.h"
#include "tests/session_turns.h"
#include <unistd.h>

static char path[] = "/tmp/memcity-methods-XXXXXX";
static mc_error error;
static uint32_t step_count;
static int64_t time_shift; // ms
static mc_collapsed_reader *reader;

// Three threads never leave World.run, main plays half of the time and paints for some.
static void append_step(mc_mct_writer *writer, const char *more) {
    mc_step_tree tree = {0};
    char text[1024], source[16];
    snprintf(source, sizeof source, "%u", step_count);
    snprintf(text, sizeof text,
             "[world tid=1];com/acme/World.run 100\n[world two tid=2];com/acme/World.run 100\n"
             "[last tid=3];com/acme/World.run 100\n[main tid=4];com/acme/Game.play 50\n"
             "[main tid=4];com/acme/Game.play;com/acme/Painter.paint %u\n%s",
             step_count % 2 ? 20 : 40, more);
    REQUIRE(mc_collapsed_reader_read(reader, (unsigned char *)text, strlen(text), &tree, &error) ==
            MC_OK);
    tree.time_ms = time_shift + 100 * (int64_t)++step_count;
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, source, &error) == MC_OK, "%s", error.message);
    CHECK(mc_mct_writer_commit(writer, &error) == MC_OK);
    mc_step_tree_deinit(&tree);
}

static void wait_for_steps(mc_session *session) {
    int turns = 0;
    do {
        turn(session);
    } while ((!session->trace || mc_trace_get_step_count(session->trace) < step_count ||
              !mc_session_is_idle(session)) &&
             ++turns < MOST_TURNS);
    REQUIRE(turns < MOST_TURNS);
}

static mc_facts get_facts(mc_session *session) {
    mc_facts facts;
    mc_session_fill_facts(session, &facts);
    return facts;
}

static void check_says(const char *text, const char *expected) {
    CHECK_MSG(text && strcmp(text, expected) == 0, "\"%s\", not \"%s\"", text ? text : "",
              expected);
}

static void check_list(mc_session *session) {
    mc_facts facts = get_facts(session);
    REQUIRE(facts.has_methods && facts.suspect_count == 3);
    const mc_fact_suspect *run = &facts.suspects[0], *play = &facts.suspects[1];
    check_says(run->name, "run");
    check_says(run->growth, "100.0 %");
    check_says(run->detail, "steady · 3 threads, longest last");
    check_says(play->name, "play");
    check_says(play->growth, "50.0 %");
    check_says(play->detail, "main");
    check_says(facts.suspects[2].name, "paint");
    check_says(facts.suspects[2].growth, "30.0 %");
    REQUIRE(run->values && play->values);
    uint32_t last = facts.step_count - 1;
    CHECK(run->values[last] == 1 && play->values[last] > 0.49f && play->values[last] < 0.51f);
    CHECK(run->values[0] < 0.2f); // a tenth of a second of one
    CHECK(!facts.verdict && !facts.others_name);
}

// Nor is anything told of what methods do not have.
static void check_words(mc_session *session) {
    static const char *const none[] = {"heap", "bject", "rowth",   "grow",
                                       "byte", "since", "eference"};
    do_text(session, "select", "Program#com#acme#World#run");
    mc_facts facts = get_facts(session);
    char all[4096], step[400];
    int at = 0;
    for (uint32_t i = 0; i < facts.row_count; i++)
        at += snprintf(all + at, sizeof all - (size_t)at, "%s: %s\n", facts.rows[i].label,
                       facts.rows[i].value);
    facts.describe_step(facts.user, 3, step, sizeof step);
    session->hover.node = mc_session_get_selected(session);
    session->input.is_over_picture = true;
    mc_session_fill_facts(session, &facts);
    REQUIRE(facts.hover_text);
    snprintf(all + at, sizeof all - (size_t)at, "%s\n%s\n", step, facts.hover_text);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK_MSG(!strstr(all, none[i]), "%s in %s", none[i], all);
    CHECK_MSG(strstr(all, "elevation: 100.0 %") && strstr(all, "threads: 3") &&
                  strstr(all, "steady: 100.0 %") && strstr(all, "longest thread: last") &&
                  strstr(all, "100.0 % elevation · 3 threads · 100.0 % steady"),
              "%s", all);
    session->input.is_over_picture = false;
    CHECK(!facts.lists.whatif.can_demolish);
    do_text(session, "walk", "");
    CHECK(!session->walk.is_shown && strstr(session->status.text.data, "Only for a heap"));
    do_text(session, "metric.next", "");
    check_says(session->settings.layout.metric, "threads");
    do_text(session, "set", "metric elevation");
    for (uint32_t i = 0; i < facts.metric_count; i++)
        CHECK((facts.metrics[i].key[0] == '\0') == (i < MC_METRIC_FIRST_OWN));
    for (uint32_t i = 0; i < facts.classifier_count; i++)
        CHECK(facts.classifiers[i].is_chosen == (strcmp(facts.classifiers[i].name, "Thread") != 0));
}

static void check_table(mc_session *session) {
    mc_text table = {0};
    mc_session_append_methods_csv(session, &table);
    CHECK_MSG(strstr(table.data, "method,step,elevation,threads,longest thread,calls,steady\r\n") &&
                  strstr(table.data, "Program#com#acme#World#run,29,1.0,3,last,\"\",1"),
              "%s", table.data);
    mc_text_deinit(&table);
}

// Another frame is of the same groups: what is selected stays, and the list follows.
static void check_frames(mc_session *session) {
    do_text(session, "select.suspect", "2");
    uint32_t selected = mc_session_get_selected(session);
    CHECK(selected == session->suspects.items[1].node);
    const mc_trace *before = session->trace;
    CHECK(mc_trace_get_frame_ms(before) == 1000);
    do_text(session, "frame.shorter", "");
    do_text(session, "frame.shorter", "");
    do_text(session, "frame.shorter", "");
    CHECK(mc_trace_get_frame_ms(session->trace) == 100);
    CHECK(mc_session_get_selected(session) == selected);
    mc_facts facts = get_facts(session);
    REQUIRE(facts.suspect_count == 3);
    check_says(facts.suspects[2].growth, "20.0 %"); // of the last step alone
    do_text(session, "frame.shorter", "");
    CHECK(mc_trace_get_frame_ms(session->trace) == 100); // no less
    do_text(session, "set", "frame 1");
    CHECK(mc_trace_get_frame_ms(session->trace) == 1000);
}

static double read_number(const mc_session *session, uint32_t step, uint32_t node) {
    uint64_t value;
    REQUIRE(mc_trace_read_value(session->trace, step, session->shown->metric, node, &value,
                                &error) == MC_OK);
    return mc_metric_get_number(mc_session_get_metric(session), value);
}

// Charts of what was read before and what came since say what all steps say.
static void check_charts(mc_session *session) {
    uint32_t count = mc_trace_get_step_count(session->trace);
    CHECK(session->charts.has_totals && session->charts.has_selection);
    uint32_t node = mc_session_get_selected(session);
    double most = 0;
    for (uint32_t step = 0; step < count; step++)
        most = fmax(most, read_number(session, step, node));
    for (uint32_t step = 0; step < count; step++) {
        double total =
            mc_metric_get_number(mc_session_get_metric(session), session->charts.totals[step]);
        CHECK(total == read_number(session, step, 0));
        CHECK(fabs(session->charts.selection_values[step] -
                   read_number(session, step, node) / most) < 1e-6);
    }
}

static void check_all_charts(mc_session *session) {
    static const char *const keys[] = {"com#acme#World#run", "com#acme#Game#play",
                                       "com#acme#Painter#paint", "com#acme", "a#A#first"};
    uint32_t count = sizeof keys / sizeof *keys;
    for (uint32_t i = 0; i < count; i++) {
        char key[64];
        snprintf(key, sizeof key, "Program#%s", keys[i]);
        if (mc_trace_find_node(session->trace, key, strlen(key)) == MC_NONE) continue;
        do_text(session, "select", key);
        check_charts(session);
    }
}

// Of steps that come, the list is that of the newest, also when nodes get other numbers.
static void check_follow(mc_session *session, mc_mct_writer *writer) {
    do_text(session, "step.last", "");
    check_all_charts(session);
    do_text(session, "select", "Program#com#acme#World#run");
    for (int i = 0; i < 10; i++)
        append_step(writer, "[early tid=9];a/A.first 90\n");
    wait_for_steps(session);
    CHECK(session->playback.step == step_count - 1);
    mc_facts facts = get_facts(session);
    REQUIRE(facts.suspect_count == 4);
    check_says(facts.suspects[0].name, "run");
    check_says(facts.suspects[1].name, "first");
    check_says(facts.suspects[1].growth, "90.0 %");
    CHECK(facts.suspects[0].selected);
    CHECK(facts.suspects[0].values && facts.suspects[0].values[facts.step_count - 1] == 1);
    check_all_charts(session);
    for (int i = 0; i < 5; i++)
        append_step(writer, i == 4 ? "[early tid=9];0/Z.zero 70\n" : "");
    wait_for_steps(session);
    check_charts(session);
    check_all_charts(session);
    do_text(session, "set", "frame 0.5"); // of another frame nothing stays
    check_charts(session);
    do_text(session, "set", "frame 1");
}

static int64_t get_wall_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// A picture of what was three seconds ago says so, and says nothing once steps are as they happen.
static void check_lag(mc_session *session, mc_mct_writer *writer) {
    CHECK(!strstr(get_facts(session).step_text, "lag")); // of steps without a date
    time_shift = get_wall_ms() - 3000 - 100 * (int64_t)step_count;
    for (int i = 0; i < 3; i++)
        append_step(writer, "");
    wait_for_steps(session);
    for (int i = 0; i < 60; i++) // a second
        turn(session);
    const char *text = get_facts(session).step_text;
    CHECK_MSG(strstr(text, " · live, lags by "), "%s", text);
    bool lags = true;
    for (int tries = 0; lags && tries < 200; tries++) {
        time_shift = get_wall_ms() - 100 * (int64_t)(step_count + 1);
        append_step(writer, "");
        wait_for_steps(session);
        lags = strstr(get_facts(session).step_text, "lags");
    }
    CHECK(!lags);
    CHECK(strstr(get_facts(session).step_text, " · live"));
    do_text(session, "step.first", ""); // where one looks back, nothing lags
    for (int i = 0; i < 60; i++)
        turn(session);
    CHECK(!strstr(get_facts(session).step_text, "lags"));
}

int main(void) {
    now_ns = mc_clock_now_ns();
    int file = mkstemp(path);
    REQUIRE(file >= 0);
    close(file);
    unlink(path);
    mc_mct_writer *writer;
    mc_mct_writer_desc writing = {.path = path};
    REQUIRE(mc_collapsed_reader_create(MC_STACKS_METHODS, 1, &reader, &error) == MC_OK);
    REQUIRE(mc_mct_writer_create(&writing, &writer, &error) == MC_OK);
    for (int i = 0; i < 30; i++)
        append_step(writer, "");
    const char *paths[] = {path};
    mc_session_desc desc = {.views = mc_views,
                            .paths = paths,
                            .path_count = 1,
                            .settings = mc_settings_default(),
                            .step = MC_NONE,
                            .follow = true};
    desc.settings.layout.metric[0] = '\0';
    desc.settings.layout.scaling = desc.settings.layout.tiling = MC_NONE;
    mc_session *session;
    REQUIRE(mc_session_create(&desc, &session, &error) == MC_OK);
    mc_session_begin(session);
    wait_for_steps(session);
    REQUIRE(session->shown && !session->message.text);
    check_list(session);
    check_words(session);
    check_table(session);
    check_frames(session);
    check_follow(session, writer);
    check_lag(session, writer);
    mc_session_destroy(session);
    mc_mct_writer_destroy(writer);
    mc_collapsed_reader_destroy(reader);
    unlink(path);
    return test_finish();
}
