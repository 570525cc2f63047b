// Files of earlier versions, stored in tests/data/mct: what they say is what the documents beside
// them say.
#include "engine/import/import.h"
#include "tests/trace_equal.h"

static mc_trace *open_data(const char *name) {
    char path[512];
    const char *paths[] = {path};
    snprintf(path, sizeof path, "%s/mct/%s", MC_TEST_DATA, name);
    mc_import_desc desc = {.paths = paths, .path_count = 1};
    mc_trace *trace = NULL;
    mc_error error = {0};
    CHECK_MSG(mc_import_trace(&desc, &trace, NULL, &error) == MC_OK, "%s", error.message);
    REQUIRE(trace);
    return trace;
}

// One is finished, has sizes, and steps that came out of order; the other's writer was stopped, and
// its nodes change names and roles. Both have references.
static void test_stored(void) {
    static const char *const names[][2] = {{"v1-anttracks.mct", "v1-anttracks"},
                                           {"v1-default.mct", "v1-default"}};
    for (int i = 0; i < 2; i++) {
        mc_trace *stored = open_data(names[i][0]), *expected = open_data(names[i][1]);
        check_equal_documents(expected, stored);
        CHECK(mc_trace_has_references(stored));
        mc_trace_destroy(stored);
        mc_trace_destroy(expected);
    }
}

int main(void) {
    test_stored();
    return test_finish();
}
