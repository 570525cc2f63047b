// A writer that is killed at any moment loses at most the step it was writing; the next one goes on
// behind what is there.
#include "engine/store/mct/mct.h"
#include "tests/odd_trace.h"
#include "tests/trace_equal.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILL_COUNT = 200, STEP_COUNT = 300 };

static char path[] = "/tmp/memcity-kill-XXXXXX";
static char file[64];
static odd_trace odd;
static mc_error error;

static void fill(uint32_t step, mc_step_tree *tree, mc_reference_map *map) {
    bool present[ODD_NODE_COUNT];
    odd.state = step * 7919u + 13; // every step from a seed of its own
    odd_fill_tree(&odd, step, tree, present);
    tree->time_ms = step;
    odd_fill_map(&odd, tree, present, map);
}

// Says over the pipe how many steps are committed. Every now and then it closes the file and goes
// on behind its end.
static void write_until_killed(int pipe_end, uint32_t first) {
    mc_mct_writer *writer;
    mc_mct_writer_desc desc = {.path = file, .append = first > 0};
    mc_step_tree tree = {0};
    mc_reference_map map = {0};
    REQUIRE(mc_mct_writer_create(&desc, &writer, &error) == MC_OK);
    for (uint32_t step = first; step < STEP_COUNT; step++) {
        if (step > 0 && step % 10 == 0) {
            mc_mct_writer_destroy(writer);
            desc.append = true;
            REQUIRE(mc_mct_writer_create(&desc, &writer, &error) == MC_OK);
        }
        fill(step, &tree, &map);
        REQUIRE(mc_mct_writer_add_step(writer, &tree, "odd", &error) == MC_OK);
        REQUIRE(mc_mct_writer_add_references(writer, &map, MC_POINTS_TO, &error) == MC_OK);
        REQUIRE(mc_mct_writer_commit(writer, &error) == MC_OK);
        unsigned char committed = 1;
        if (write(pipe_end, &committed, 1) != 1) _exit(1);
        if (step == STEP_COUNT - 1) REQUIRE(mc_mct_writer_finish(writer, &error) == MC_OK);
    }
    _exit(0);
}

static uint32_t count_committed(int pipe_end) {
    unsigned char bytes[STEP_COUNT];
    uint32_t count = 0;
    ssize_t size;
    while ((size = read(pipe_end, bytes, sizeof bytes)) > 0)
        count += (uint32_t)size;
    return count;
}

// Every step that is there is right, with its references.
static void check_steps(const mc_trace *trace) {
    static mc_step_tree expected, found;
    static mc_reference_map map, found_map;
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace); step++) {
        fill(step, &expected, &map);
        CHECK_MSG(mc_trace_fill_step_tree(trace, step, &found, &error) == MC_OK, "%s",
                  error.message);
        CHECK(found.time_ms == step && found.node_count == expected.node_count);
        CHECK(found.nodes[0].bytes == expected.nodes[0].bytes);
        uint64_t sums[2] = {0};
        for (size_t i = 0; i < found.node_count && i < expected.node_count; i++) {
            sums[0] += found.nodes[i].objects;
            sums[1] += expected.nodes[i].objects;
        }
        CHECK(sums[0] == sums[1]);
        CHECK(mc_trace_fill_reference_map(trace, step, MC_POINTS_TO, &found_map, &error) == MC_OK);
        CHECK(found_map.entry_count == map.entry_count);
    }
}

static uint32_t check_file(uint32_t committed) {
    mc_mct_open_desc desc = {.path = file};
    mc_mct_open_report report;
    mc_trace *trace = NULL;
    mc_result result = mc_mct_open(&desc, &trace, &report, &error);
    CHECK_MSG(result == MC_OK || committed == 0, "%u steps: %s", committed, error.message);
    if (result != MC_OK) return 0;
    uint32_t count = mc_trace_get_step_count(trace);
    // The one behind the last that was heard of may have made it.
    CHECK_MSG(count == committed || count == committed + 1, "%u steps, not %u", count, committed);
    CHECK(count < STEP_COUNT ? !report.is_finished : true);
    check_steps(trace);
    mc_trace_destroy(trace);
    return count;
}

// Looks at the file while it is written: it opens, with whole steps, or not at all.
static void look(uint32_t *seen) {
    mc_mct_open_desc desc = {.path = file};
    mc_trace *trace;
    if (mc_mct_open(&desc, &trace, NULL, &error) != MC_OK) {
        CHECK_MSG(*seen == 0, "%s", error.message);
        return;
    }
    CHECK(mc_trace_get_step_count(trace) >= *seen);
    *seen = mc_trace_get_step_count(trace);
    check_steps(trace);
    mc_trace_destroy(trace);
}

static void remove_files(void) {
    char journal[sizeof file + 16];
    snprintf(journal, sizeof journal, "%s-journal", file);
    unlink(file);
    unlink(journal);
}

// Begins anew, or behind the `first` steps that are there.
static uint32_t kill_once(uint32_t run, uint32_t first) {
    int ends[2];
    if (first == 0) remove_files();
    REQUIRE(pipe(ends) == 0);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        close(ends[0]);
        write_until_killed(ends[1], first);
    }
    close(ends[1]);
    uint32_t seen = 0;
    usleep(run * 7919u % 30000 * (1 + run / KILL_COUNT)); // of a machine that is busy more
    if (run % 10 == 0) look(&seen);
    CHECK(kill(child, SIGKILL) == 0);
    CHECK(waitpid(child, NULL, 0) == child);
    uint32_t committed = first + count_committed(ends[0]);
    close(ends[0]);
    return access(file, F_OK) == 0 ? check_file(committed) : 0;
}

int main(void) {
    uint32_t most = 0, count = 0, appended = 0;
    REQUIRE(mkdtemp(path));
    snprintf(file, sizeof file, "%s/trace.mct", path);
    odd_init(&odd, 1, MC_KEY_FULL, STEP_COUNT);
    // more of them where the machine is too busy for a child to get far
    for (uint32_t run = 0;
         run < KILL_COUNT || (run < 20 * KILL_COUNT && (appended == 0 || most <= 1)); run++) {
        uint32_t first = run % 4 != 0 && count < STEP_COUNT ? count : 0;
        count = kill_once(run, first);
        if (count > most) most = count;
        if (first > 0) appended += count - first;
    }
    CHECK_MSG(appended > 0, "none of %d kills came behind a step that was appended", KILL_COUNT);
    CHECK_MSG(most > 1, "at most %u steps were written: the test says nothing", most);
    remove_files();
    CHECK(rmdir(path) == 0);
    return test_finish();
}
