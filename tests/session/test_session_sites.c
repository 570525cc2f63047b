// A recording of allocation sites that is followed while it begins: its first step has nothing
// alive, often no group, and it is shown by type and site, not as it was recorded.
#include "app/session/state.h"
#include "app/views/views.h"
#include "engine/base/clock.h"
#include "engine/live/agent/site_steps.h"
#include "engine/store/mct/mct.h"
#include "tests/session_turns.h"
#include <unistd.h>

static char folder[] = "/tmp/memcity-sites-XXXXXX";

typedef struct recording {
    char path[64];
    mc_mct_writer *writer;
    mc_step_tree tree;
    int64_t time_ms;
    uint32_t step_count;
} recording;

static uint32_t add(recording *self, uint32_t parent, const char *role, const char *key,
                    uint64_t objects, uint64_t allocated) {
    mc_step_tree *tree = &self->tree;
    size_t offset = tree->text.size;
    mc_text_append_string(&tree->text, key);
    uint32_t role_index =
        role ? mc_strings_intern(&tree->roles, role, (uint32_t)strlen(role)) : MC_NONE;
    uint32_t node = mc_step_tree_add(tree, (mc_step_node){.parent = parent,
                                                          .role = role_index,
                                                          .key_offset = offset,
                                                          .name_offset = offset,
                                                          .key_size = (uint32_t)strlen(key),
                                                          .name_size = (uint32_t)strlen(key),
                                                          .objects = objects,
                                                          .bytes = 24 * objects,
                                                          .source_offset = MC_ERROR_NO_OFFSET});
    REQUIRE(mc_step_tree_set_value(tree, 0, node, allocated));
    return node;
}

static void add_site(recording *self, const char *type, const char *site, uint64_t objects) {
    uint32_t node = add(self, 0, "Type", type, objects, 32 * objects + 16);
    node = add(self, node, "Site", site, objects, 32 * objects + 16);
    node = add(self, node, "Caller", "Main.main(Main.java:7)", objects, 32 * objects + 16);
    add(self, node, "Thread", "main", objects, 32 * objects + 16);
}

// As the agent's steps are (site_steps.h): of nothing at all, of what has died already, of what is
// alive.
static void append_step(recording *self, uint32_t group_count, uint64_t objects) {
    static const char *const roles[] = {"Type", "Site", "Caller", "Thread"};
    static const char *const types[] = {"byte[]", "Kept", "Kept[]", "String"};
    static const char *const sites[] = {"Kept.<init>(Kept.java:3)", "Main.main(Main.java:9)"};
    REQUIRE(group_count <= 4);
    mc_step_tree *tree = &self->tree;
    mc_metric_info allocated = {.key = MC_SITE_METRIC_ALLOCATED,
                                .title = "allocated bytes",
                                .key_size = sizeof MC_SITE_METRIC_ALLOCATED - 1,
                                .title_size = 15,
                                .unit = MC_UNIT_BYTES,
                                .kind = MC_METRIC_FLOW,
                                .is_additive = true,
                                .says = MC_METRIC_SAYS_ALL};
    mc_step_tree_reset(tree);
    tree->time_ms = self->time_ms += 1000;
    REQUIRE(mc_step_tree_add_metric(tree, &allocated) == 0);
    for (size_t i = 0; i < 4; i++)
        REQUIRE(mc_strings_intern(&tree->roles, roles[i], strlen(roles[i])) != MC_NONE);
    uint64_t all = group_count * objects;
    add(self, MC_NONE, NULL, "Heap", all, 32 * all + 16 * group_count);
    for (uint32_t i = 0; i < group_count; i++)
        add_site(self, types[i], sites[i / 2], objects);
    mc_error error = {0};
    CHECK_MSG(mc_mct_writer_add_step(self->writer, tree, "test", &error) == MC_OK, "%s",
              error.message);
    REQUIRE(mc_mct_writer_commit(self->writer, NULL) == MC_OK);
    self->step_count++;
}

static void begin(recording *self, const char *name) {
    *self = (recording){.time_ms = 1700000000000};
    (void)snprintf(self->path, sizeof self->path, "%s/%s.mct", folder, name);
    mc_mct_writer_desc desc = {.path = self->path, .sync = MC_MCT_SYNC_NEVER};
    REQUIRE(mc_mct_writer_create(&desc, &self->writer, NULL) == MC_OK);
}

static void end(recording *self) {
    mc_mct_writer_destroy(self->writer);
    mc_step_tree_deinit(&self->tree);
    unlink(self->path);
}

static mc_session *open_session(const recording *self, const char *group_by) {
    static const char *paths[1];
    static mc_session_desc desc;
    paths[0] = self->path;
    desc = (mc_session_desc){.views = mc_views,
                             .paths = paths,
                             .path_count = 1,
                             .follow = true,
                             .group_by = group_by,
                             .settings = mc_settings_default(),
                             .step = MC_NONE};
    desc.settings.layout = mc_layout_options_default();
    return begin_session(&desc, 760);
}

static void follow(mc_session *session, const recording *self) {
    for (int turns = 0; turns < MOST_TURNS; turns++) {
        turn(session);
        if (mc_trace_get_step_count(session->trace) == self->step_count) break;
    }
    CHECK_MSG(mc_trace_get_step_count(session->trace) == self->step_count, "%u of %u steps",
              mc_trace_get_step_count(session->trace), self->step_count);
    settle(session);
}

static void check_shown(mc_session *session, const recording *self) {
    const mc_settings *settings = &session->settings;
    CHECK(session->work.task == MC_SESSION_IDLE && mc_session_is_idle(session));
    CHECK(session->playback.step == self->step_count - 1);
    CHECK(settings->root_node == 0 && session->shown->root_node == 0);
    CHECK_MSG(strcmp(settings->layout.metric, "bytes") == 0, "%s", settings->layout.metric);
    CHECK_MSG(strcmp(settings->group_by, "type,site") == 0, "%s", settings->group_by);
}

// Nothing at all, what has died already, then what is alive. However it begins, it is followed, by
// the bytes that are alive.
static void check_beginning(const char *group_by) {
    recording self;
    begin(&self, "live");
    append_step(&self, 0, 0);
    mc_session *session = open_session(&self, group_by);
    check_shown(session, &self);
    for (uint32_t i = 0; i < 6; i++) {
        append_step(&self, i < 4 ? i : 4, i / 2);
        follow(session, &self);
        check_shown(session, &self);
    }
    CHECK(mc_trace_find_node(session->trace, "Heap#Kept#Kept.<init>(Kept.java:3)", 34) != MC_NONE);
    CHECK(mc_trace_get_nodes(session->trace)->leaf_count == 4);
    // Undone or not, nothing is named that is not there.
    do_text(session, "select", "Heap#Kept");
    do_text(session, "root", "Heap#Kept");
    append_step(&self, 4, 9);
    follow(session, &self);
    CHECK(session->shown->root_node == mc_session_get_selected(session));
    do_text(session, "undo", "");
    do_text(session, "undo", "");
    CHECK(session->shown->root_node == 0 && session->settings.root_node == 0);
    mc_session_destroy(session);
    end(&self);
}

// What can't be laid out as it is wished is laid out once, as it can be.
static void check_impossible_wish(void) {
    recording self;
    begin(&self, "odd");
    append_step(&self, 3, 5);
    mc_session *session = open_session(&self, "type,site");
    uint32_t version = session->layout_version;
    session->settings.root_node = MC_NONE;
    settle(session);
    CHECK_MSG(session->layout_version == version + 1, "%u layouts",
              session->layout_version - version);
    check_shown(session, &self);
    append_step(&self, 4, 5);
    follow(session, &self);
    check_shown(session, &self);
    mc_session_destroy(session);
    end(&self);
}

// What is read beside, of steps that come before it was read: what is known of those before is
// shown meanwhile.
static void check_charts(void) {
    recording self;
    begin(&self, "charts");
    append_step(&self, 2, 5);
    append_step(&self, 2, 6);
    mc_session *session = open_session(&self, "type,site");
    do_text(session, "select", "Heap#Kept");
    do_text(session, "set", "metric allocated");
    CHECK(session->charts.has_totals && session->charts.has_selection);
    for (uint32_t i = 0; i < 6; i++) {
        append_step(&self, i < 3 ? 2 : 4, 7 + i);
        while (mc_trace_get_step_count(session->trace) < self.step_count) {
            CHECK(session->charts.has_totals && session->charts.has_selection);
            turn(session);
        }
        CHECK(session->charts.has_totals && session->charts.has_selection &&
              session->suspects.has_verdict);
        CHECK(session->charts.total_values[self.step_count - 1] > 0.5f);
        CHECK(session->charts.selection_values[self.step_count - 1] > 0.5f);
    }
    settle(session);
    CHECK(session->charts.totals[self.step_count - 1] == 4 * (32 * 12 + 16));
    CHECK(session->charts.total_most == 4 * (32 * 12 + 16) &&
          session->charts.selection_max == 32 * 12 + 16);
    CHECK(session->charts.total_values[self.step_count - 1] == 1);
    mc_session_destroy(session);
    end(&self);
}

// As it was recorded is what one can choose, and what views mean that were saved so.
static void check_grouping(void) {
    char view[64];
    recording self;
    begin(&self, "groups");
    append_step(&self, 3, 5);
    (void)snprintf(view, sizeof view, "%s/view.json", folder);
    mc_session *session = open_session(&self, "thread,type");
    CHECK(strcmp(session->settings.group_by, "thread,type") == 0);
    mc_session_destroy(session);
    session = open_session(&self, NULL);
    CHECK(mc_trace_get_classifier_count(session->trace) == 2);
    do_text(session, "group.own", "");
    CHECK(!session->settings.group_by[0] && mc_trace_get_classifier_count(session->trace) == 4);
    do_text(session, "save", view);
    do_text(session, "open", self.path);
    CHECK(strcmp(session->settings.group_by, "type,site") == 0);
    do_text(session, "open", view);
    CHECK(!session->settings.group_by[0] && mc_trace_get_classifier_count(session->trace) == 4);
    mc_session_destroy(session);
    unlink(view);
    end(&self);
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    check_charts();
    check_beginning("type,site");
    check_beginning(NULL); // which is how sites are meant
    check_grouping();
    check_impossible_wish();
    rmdir(folder);
    return test_finish();
}
