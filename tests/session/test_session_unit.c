// What comes with the selection: other parts of its unit, of what several units share the part that
// came with it, step by step, against the numbers that the trace was made of.
#include "app/session/unit.h"
#include "app/views/views.h"
#include "tests/session_turns.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { STEPS = 12 };

#define TRACE MC_TEST_BINARY_DIR "/unit.tsv"

static const uint32_t sessions[STEPS] = {0, 40, 95, 130, 190, 260, 285, 340, 210, 280, 350, 430};
static const uint32_t documents[STEPS] = {0, 10, 15, 60, 70, 75, 130, 140, 190, 195, 250, 290};

static uint32_t get_shared(uint32_t step) {
    return 2 * sessions[step] + 5 * documents[step] + 1500;
}

static void write_trace(void) {
    FILE *file = fopen(TRACE, "w");
    REQUIRE(file);
    fprintf(file, "time\tpackage\ttype\tobjects\tbytes\n");
    for (uint32_t i = 0; i < STEPS; i++) {
        const struct {
            const char *name;
            uint32_t count, size;
        } rows[] = {{"shop\tCart", sessions[i], 40},
                    {"shop\tItem", 3 * sessions[i], 32},
                    {"shop\tSession", sessions[i], 64},
                    {"xml\tDocument", documents[i], 120},
                    {"xml\tText", 4 * documents[i], 48},
                    {"z\tbyte[]", get_shared(i), 64},
                    {"z\tidle", 5000, 16}};
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            fprintf(file, "%" PRIu32 "\t%s\t%" PRIu32 "\t%" PRIu32 "\n", i * 1000, rows[k].name,
                    rows[k].count, rows[k].count * rows[k].size);
    }
    REQUIRE(fclose(file) == 0);
}

static uint32_t find(const mc_session *session, const char *key) {
    return mc_trace_find_node(session->trace, key, strlen(key));
}

// The share of a node in what is listed; < 0: it is not.
static double get_share(const mc_session *session, const char *key) {
    mc_session_unit_part parts[MC_UNIT_MARK_CAPACITY];
    uint32_t count = mc_session_list_unit(session, parts), node = find(session, key);
    REQUIRE(node != MC_NONE);
    for (uint32_t i = 0; i < count; i++)
        if (parts[i].node == node) return parts[i].share;
    return -1;
}

static uint32_t count_parts(const mc_session *session) {
    mc_session_unit_part parts[MC_UNIT_MARK_CAPACITY];
    return mc_session_list_unit(session, parts);
}

static void go_to(mc_session *session, uint32_t step) {
    char text[16];
    snprintf(text, sizeof text, "%" PRIu32, step);
    do_text(session, "step", text);
}

static void check_steps(mc_session *session, const char *metric) {
    do_text(session, "set", metric);
    do_text(session, "select", "Heap#shop#Session");
    for (uint32_t step = 1; step < STEPS; step += 5) {
        go_to(session, step);
        CHECK(count_parts(session) == 3);
        CHECK(get_share(session, "Heap#shop#Cart") == 1);
        CHECK(get_share(session, "Heap#shop#Item") == 1);
        CHECK(get_share(session, "Heap#xml#Text") < 0);
        double share = 2.0 * sessions[step] / get_shared(step);
        CHECK_MSG(fabs(get_share(session, "Heap#z#byte[]") - share) < 1e-4,
                  "%s, step %u: %g, not %g", metric, step, get_share(session, "Heap#z#byte[]"),
                  share);
    }
}

// What is shared is told of the unit that brought the most of it.
static void check_shared(mc_session *session) {
    do_text(session, "select", "Heap#z#byte[]");
    go_to(session, STEPS - 1);
    double share = 5.0 * documents[STEPS - 1] / get_shared(STEPS - 1);
    CHECK(count_parts(session) == 1);
    CHECK(fabs(get_share(session, "Heap#z#byte[]") - share) < 1e-4);
    do_text(session, "select", "Heap#z#idle");
    CHECK(count_parts(session) == 0);
}

static void check_row(mc_session *session, const char *key, const char *value) {
    mc_facts facts;
    do_text(session, "select", key);
    mc_session_fill_facts(session, &facts);
    const char *found = NULL;
    for (uint32_t i = 0; i < facts.row_count; i++)
        if (strcmp(facts.rows[i].label, "Unit") == 0) found = facts.rows[i].value;
    CHECK_MSG(value ? found && strcmp(found, value) == 0 : !found, "%s: %s", key, found);
}

int main(void) {
    write_trace();
    const char *const paths[] = {TRACE};
    mc_session_desc desc = {.views = mc_views, .paths = paths, .path_count = 1, .step = MC_NONE};
    desc.settings = mc_settings_default();
    desc.settings.layout = mc_layout_options_default();
    mc_session *session = begin_session(&desc, 760);
    REQUIRE(session->shown);
    check_steps(session, "metric objects");
    check_steps(session, "metric bytes");
    check_shared(session);
    check_row(session, "Heap#xml#Document", "290, each with 2 more groups");
    check_row(session, "Heap#shop#Item", "3 per Cart");
    check_row(session, "Heap#z#byte[]", "5 per Document");
    check_row(session, "Heap#z#idle", NULL);
    // In a district as a city it is asked for by itself.
    do_text(session, "root", "Heap#shop");
    do_text(session, "select", "Heap#shop#Item");
    CHECK(session->shown->root_node != 0);
    CHECK(get_share(session, "Heap#shop#Session") == 1);
    mc_session_destroy(session);
    return test_finish();
}
