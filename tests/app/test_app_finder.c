// What people call things leads to the command: the first rows of the palette for words that are
// typed.
#include "app/views/views.h"
#include "app/window/finder.h"
#include "tests/session_turns.h"

#define ROWS_MOST 3 // among which the command is

static const struct {
    const char *typed;
    mc_action_id wanted;
} cases[] = {
    {"leak", MC_ACTION_WHY},
    {"stop", MC_ACTION_RECORD},
    {"report", MC_ACTION_REPORT},
    {"screenshot", MC_ACTION_PICTURE},
    {"retained", MC_ACTION_DEMOLISH},
    {"retained size", MC_ACTION_METRIC},
    {"zoom", MC_ACTION_FRAME},
    {"zoom out", MC_ACTION_HOME},
    {"path", MC_ACTION_STREETS},
    {"settings", MC_ACTION_PREFERENCES},
    {"export", MC_ACTION_SHARE},
    {"gc roots", MC_ACTION_ROOTS},
    {"GC roots", MC_ACTION_ROOTS},
    {"dominators", MC_ACTION_WALK},
    {"dominator tree", MC_ACTION_WALK_FROM},
    {"who holds", MC_ACTION_WALK},
    {"cause", MC_ACTION_WHY},
    {"memory leak", MC_ACTION_WHY},
    {"suspects", MC_ACTION_WHY},
    {"filter", MC_ACTION_SEARCH},
    {"find", MC_ACTION_SEARCH},
    {"dark mode", MC_ACTION_THEME},
    {"dark", MC_ACTION_THEME},
    {"colour blind", MC_ACTION_PALETTE},
    {"color blind", MC_ACTION_PALETTE},
    {"font size", MC_ACTION_LARGER},
    {"shortcuts", MC_ACTION_HELP},
    {"help", MC_ACTION_HELP},
    {"csv", MC_ACTION_EXPORT_TABLE},
    {"excel", MC_ACTION_EXPORT_TABLE},
    {"mp4", MC_ACTION_VIDEO},
    {"pdf", MC_ACTION_REPORT},
    {"html", MC_ACTION_REPORT},
    {"png", MC_ACTION_PICTURE_ALONE},
    {"mail", MC_ACTION_SHARE},
    {"attach", MC_ACTION_RECORD},
    {"hprof", MC_ACTION_OPEN},
    {"open", MC_ACTION_OPEN},
    {"diff", MC_ACTION_OPEN_VERSUS},
    {"compare", MC_ACTION_OPEN_VERSUS},
    {"baseline", MC_ACTION_PIN},
    {"treemap", MC_ACTION_TILING},
    {"flame graph", MC_ACTION_VIEW_ICICLE},
    {"pie", MC_ACTION_VIEW_SUNBURST},
    {"class loader", MC_ACTION_GROUP_NEXT},
    {"owner", MC_ACTION_HOLDER},
    {"what if", MC_ACTION_DEMOLISH},
    {"drill down", MC_ACTION_MAKE_ROOT},
    {"labels", MC_ACTION_NAMES},
    {"exit", MC_ACTION_QUIT},
    {"example", MC_ACTION_SAMPLE},
    {"time range", MC_ACTION_WINDOW_FIRST},
    {"favorites", MC_ACTION_BOOKMARKS},
    {"sidebar", MC_ACTION_PANELS},
    {"screen full", MC_ACTION_FULL_SCREEN},
};

static void check(const mc_session *session, const char *typed, mc_action_id wanted) {
    static mc_finder finder;
    mc_finder_begin(&finder, session, typed);
    uint32_t at = 0;
    while (at < finder.count && finder.rows[at].action != wanted)
        at++;
    CHECK_MSG(at < finder.count && at < ROWS_MOST, "\"%s\": row %u of %u", typed, at, finder.count);
}

int main(void) {
    const char *paths[] = {MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1"};
    mc_session_desc desc = {.host = {.wake = mc_job_at_once},
                            .views = mc_views,
                            .paths = paths,
                            .path_count = 1,
                            .settings = mc_settings_default(),
                            .step = MC_NONE};
    mc_session *session = begin_session(&desc, 760);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(session, cases[i].typed, cases[i].wanted);
    mc_session_destroy(session);
    return test_finish();
}
