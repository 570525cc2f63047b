// The error of bytes that were estimated, of one group and of several that are selected: ± 1.96
// standard deviations of their sum.
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "engine/store/mct/mct.h"
#include "tests/session_turns.h"
#include "tests/trace_maker.h"
#include <math.h>
#include <unistd.h>

enum { OBJECTS = 1 << 20 }; // of each leaf

static const double variances[] = {4e12, 9e12}; // of leaves of 8 MiB each
static char path[] = "/tmp/memcity-estimates-XXXXXX";

static void write_file(void) {
    mc_mct_writer_desc desc = {.path = path};
    mc_mct_writer *writer;
    mc_step_tree tree = {0};
    mc_metric_info info = {.key = "variance",
                           .title = "variance",
                           .key_size = 8,
                           .title_size = 8,
                           .kind = MC_METRIC_STOCK,
                           .is_real = true,
                           .is_additive = true};
    REQUIRE(mc_mct_writer_create(&desc, &writer, NULL) == MC_OK);
    uint32_t root = test_add_node(&tree, MC_NONE, "Heap", 2 * OBJECTS);
    uint32_t metric = mc_step_tree_add_metric(&tree, &info);
    REQUIRE(metric != MC_NONE);
    mc_step_tree_set_value(&tree, metric, root, mc_metric_pack(variances[0] + variances[1]));
    for (int i = 0; i < 2; i++) {
        uint32_t leaf = test_add_node(&tree, root, i ? "b" : "a", OBJECTS);
        REQUIRE(mc_step_tree_set_value(&tree, metric, leaf, mc_metric_pack(variances[i])));
    }
    REQUIRE(mc_mct_writer_add_step(writer, &tree, "test", NULL) == MC_OK);
    REQUIRE(mc_mct_writer_finish(writer, NULL) == MC_OK);
    mc_mct_writer_destroy(writer);
    mc_step_tree_deinit(&tree);
}

static void check_error(mc_session *session, double variance, double bytes) {
    mc_facts facts;
    mc_session_fill_facts(session, &facts);
    char wanted[64];
    double scatter = variance / bytes, error = 1.96 * sqrt(variance + scatter * scatter);
    snprintf(wanted, sizeof wanted, "%#.3g MiB ± %.2f MiB", bytes / 1048576, error / 1048576);
    REQUIRE(facts.row_count > 1 && strcmp(facts.rows[1].label, "Bytes") == 0);
    CHECK_MSG(strcmp(facts.rows[1].value, wanted) == 0, "%s, not %s", facts.rows[1].value, wanted);
}

int main(void) {
    int file = mkstemp(path);
    REQUIRE(file >= 0);
    close(file);
    write_file();
    const char *paths[] = {path};
    mc_session_desc desc = {.views = mc_views,
                            .paths = paths,
                            .path_count = 1,
                            .settings = mc_settings_default(),
                            .step = MC_NONE};
    mc_session *session;
    REQUIRE(mc_session_create(&desc, &session, NULL) == MC_OK);
    now_ns = mc_clock_now_ns();
    mc_session_begin(session);
    settle(session);
    REQUIRE(session->shown);
    do_text(session, "select", "Heap#a");
    check_error(session, variances[0], 8 * OBJECTS);
    do_text(session, "select.add", "Heap#b");
    check_error(session, variances[0] + variances[1], 16 * OBJECTS);
    do_text(session, "select.add", "Heap"); // around both, which count once
    check_error(session, variances[0] + variances[1], 16 * OBJECTS);
    do_text(session, "metric.next", ""); // the error is none to be gone to
    CHECK(strcmp(session->settings.layout.metric, "objects") == 0);
    do_text(session, "set", "metric variance"); // unless it is wished
    CHECK(mc_trace_find_metric(session->trace, "variance") == session->shown->metric);
    mc_session_destroy(session);
    unlink(path);
    return test_finish();
}
