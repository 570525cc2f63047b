// Methods in a frame of time, held against a slow sum over what was counted.
#include "engine/base/memory.h"
#include "engine/import/collapsed/collapsed.h"
#include "engine/store/mct/mct.h"
#include "engine/trace/build/trace_builder.h"
#include "engine/trace/regroup/sliding_window.h"
#include "tests/test.h"
#include <inttypes.h>
#include <unistd.h>

enum { STEPS = 40, THREADS = 3, METHODS = 7 };

static mc_error error;
static int64_t times[STEPS];
static double counted[STEPS][THREADS][METHODS]; // ms
static const char *const classes[METHODS] = {"a/A", "a/A", "a/B", "a/b/C", "a/b/C", "D", "D"};

static uint32_t seed = 7;
static uint32_t draw(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static mc_trace *make_trace(void) {
    mc_trace_builder *builder;
    mc_collapsed_reader *reader;
    mc_step_tree tree = {0};
    mc_trace *trace;
    REQUIRE(mc_trace_builder_create(NULL, &builder, &error) == MC_OK);
    REQUIRE(mc_collapsed_reader_create(MC_STACKS_METHODS, 1, &reader, &error) == MC_OK);
    int64_t time = 1000;
    for (int step = 0; step < STEPS; step++) {
        char text[4096] = "[idle tid=9];Z.z 0\n", source[16];
        int64_t before = time;
        time += draw(5) == 0 ? 700 : 50 + draw(100);
        times[step] = time;
        for (int thread = 0; thread < THREADS; thread++) {
            // Threads run for less than the step lasts, but in a few that say otherwise.
            double left = (double)(time - before) * (draw(8) == 0 ? 1.5 : 1);
            for (int method = 0; method < METHODS; method++) {
                double ms = draw(3) == 0 ? floor(left * draw(100) / 100) : 0;
                left -= ms;
                counted[step][thread][method] = ms;
                if (ms > 0)
                    snprintf(text + strlen(text), sizeof text - strlen(text),
                             "[t%d tid=%d];x/Main.main;%s.m%d %.0f\n", thread, thread,
                             classes[method], method, ms);
            }
        }
        snprintf(source, sizeof source, "%d", step);
        REQUIRE(mc_collapsed_reader_read(reader, (unsigned char *)text, strlen(text), &tree,
                                         &error) == MC_OK);
        tree.time_ms = time;
        REQUIRE(mc_trace_builder_add_step(builder, &tree, source, &error) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_collapsed_reader_destroy(reader);
    mc_step_tree_deinit(&tree);
    return trace;
}

static double get_busiest(int step) {
    double busiest = 0;
    for (int thread = 0; thread < THREADS; thread++) {
        double sum = 0;
        for (int method = 0; method < METHODS; method++)
            sum += counted[step][thread][method];
        busiest = fmax(busiest, sum);
    }
    return busiest;
}

// What the methods of which `is_in` have in the frame, millisecond by millisecond: spread evenly
// over its step. Elevation, threads, and the sum of the times.
static void sum_slowly(double frame_end, double frame, const bool is_in[METHODS], double out[3]) {
    double thread_time[THREADS] = {0}, all = 0;
    for (int step = 0; step < STEPS; step++) {
        double busiest = get_busiest(step), end = (double)times[step];
        double begin = step > 0 ? (double)times[step - 1] : end - busiest;
        double in = 0; // ms of the step that are in the frame
        for (double at = begin; at < end; at++)
            in += at >= frame_end - frame && at < frame_end;
        for (int thread = 0; thread < THREADS; thread++)
            for (int method = 0; method < METHODS; method++) {
                double ms = is_in[method] ? counted[step][thread][method] : 0;
                if (ms == 0) continue;
                thread_time[thread] += ms / fmax(end - begin, busiest) * in;
                all += ms / (end - begin) * in;
            }
    }
    out[0] = out[1] = 0;
    out[2] = all;
    for (int thread = 0; thread < THREADS; thread++) {
        out[0] = fmax(out[0], thread_time[thread] / frame);
        out[1] += thread_time[thread] > 0;
    }
}

// The least elevation of the last ten frames that the recording has.
static double get_steady_slowly(int step, double frame, const bool is_in[METHODS]) {
    double begin = (double)times[0] - get_busiest(0), end = (double)times[step], out[3], least = 1;
    for (int i = 0; i < MC_SLIDING_WINDOW_STEADY_COUNT; i++, end -= frame) {
        if (i > 0 && end - frame < begin) break;
        sum_slowly(end, frame, is_in, out);
        least = fmin(least, out[0]);
    }
    return least;
}

static void check_node(const mc_trace *trace, const char *key, const bool is_in[METHODS],
                       double frame) {
    uint32_t node = mc_trace_find_node(trace, key, strlen(key));
    CHECK_MSG(node != MC_NONE, "%s", key);
    if (node == MC_NONE) return;
    static const char *const metrics[] = {"elevation", "threads", "time", "steady"};
    for (int step = STEPS; step-- > 0;) {
        double wanted[4];
        sum_slowly((double)times[step], frame, is_in, wanted);
        wanted[3] = get_steady_slowly(step, frame, is_in);
        for (int i = 0; i < 4; i++) {
            uint64_t value;
            mc_metric metric = mc_trace_find_metric(trace, metrics[i]);
            REQUIRE(metric != MC_NONE);
            REQUIRE(mc_trace_read_value(trace, (uint32_t)step, metric, node, &value, &error) ==
                    MC_OK);
            double found = mc_metric_get_number(mc_trace_get_metric(trace, metric), value);
            CHECK_MSG(fabs(found - wanted[i]) < 1e-9 * (1 + wanted[i]),
                      "%s, step %d of %g ms, %s: %g instead of %g", key, step, frame, metrics[i],
                      found, wanted[i]);
        }
    }
}

static void test_frames(const mc_trace *base) {
    static const double frames[] = {100, 250, 1000, 60000};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        mc_trace *trace;
        mc_regrouping grouping = mc_regrouping_of_methods(base, frames[i]);
        CHECK(grouping.count == 3);
        REQUIRE(mc_trace_regroup(base, &grouping, NULL, &trace, &error) == MC_OK);
        CHECK(mc_trace_get_frame_ms(trace) == frames[i] && !mc_trace_has_methods(trace));
        for (int method = 0; method < METHODS; method++) {
            static const char *const keys[] = {"a#A", "a#A", "a#B", "a#b#C", "a#b#C", "D", "D"};
            char key[64];
            bool is_in[METHODS] = {false};
            is_in[method] = true;
            snprintf(key, sizeof key, "Program#%s#m%d", keys[method], method);
            check_node(trace, key, is_in, frames[i]);
        }
        check_node(trace, "Program", (const bool[METHODS]){1, 1, 1, 1, 1, 1, 1}, frames[i]);
        check_node(trace, "Program#a#b", (const bool[METHODS]){0, 0, 0, 1, 1, 0, 0}, frames[i]);
        check_node(trace, "Program#D", (const bool[METHODS]){0, 0, 0, 0, 0, 1, 1}, frames[i]);
        check_node(trace, "Program#Z#z", (const bool[METHODS]){0}, frames[i]);
        mc_trace_destroy(trace);
    }
}

static void check_whole(const mc_trace *trace, const char *key, const bool is_in[METHODS],
                        int step) {
    uint32_t node = mc_trace_find_node(trace, key, strlen(key));
    static const char *const metrics[] = {"elevation", "threads", "time", "steady"};
    double wanted[4], length = (double)(times[step] - times[0]) + get_busiest(0);
    REQUIRE(node != MC_NONE);
    sum_slowly((double)times[step], length, is_in, wanted);
    wanted[3] = wanted[0];
    for (int i = 0; i < 4; i++) {
        uint64_t value;
        mc_metric metric = mc_trace_find_metric(trace, metrics[i]);
        REQUIRE(mc_trace_read_value(trace, (uint32_t)step, metric, node, &value, &error) == MC_OK);
        double found = mc_metric_get_number(mc_trace_get_metric(trace, metric), value);
        CHECK_MSG(fabs(found - wanted[i]) < 1e-9 * (1 + wanted[i]), "%s, step %d, %s: %g, not %g",
                  key, step, metrics[i], found, wanted[i]);
    }
}

// From the recording's beginning on, step by step and back.
static void test_whole(const mc_trace *base) {
    mc_trace *trace;
    mc_regrouping grouping = mc_regrouping_of_methods(base, MC_FRAME_WHOLE_MS);
    REQUIRE(mc_trace_regroup(base, &grouping, NULL, &trace, &error) == MC_OK);
    CHECK(mc_trace_get_frame_ms(trace) == MC_FRAME_WHOLE_MS);
    for (int i = 0; i < 2 * STEPS; i++) {
        int step = i < STEPS ? i : 2 * STEPS - 1 - i;
        check_whole(trace, "Program", (const bool[METHODS]){1, 1, 1, 1, 1, 1, 1}, step);
        check_whole(trace, "Program#a#A#m1", (const bool[METHODS]){0, 1, 0, 0, 0, 0, 0}, step);
    }
    mc_trace_destroy(trace);
}

// Columns say what single values say, and threads may be groups.
static void test_columns(const mc_trace *base) {
    mc_regrouping grouping;
    mc_trace *trace;
    REQUIRE(mc_regrouping_parse(base, "method,thread", &grouping, &error) == MC_OK);
    grouping.frame_ms = 1000;
    REQUIRE(mc_trace_regroup(base, &grouping, NULL, &trace, &error) == MC_OK);
    uint32_t count = mc_trace_get_nodes(trace)->count;
    uint64_t *values = malloc(count * sizeof *values), *single = malloc(count * sizeof *single);
    REQUIRE(values != NULL && single != NULL);
    for (mc_metric metric = 0; metric < mc_trace_get_metric_count(trace); metric++)
        for (uint32_t step = 0; step < STEPS; step += 3) {
            for (uint32_t node = count; node-- > 0;) // of few nodes before any column is known
                REQUIRE(mc_trace_read_value(trace, step, metric, node, &single[node], &error) ==
                        MC_OK);
            REQUIRE(mc_trace_read_column(trace, step, metric, values, &error) == MC_OK);
            for (uint32_t node = 0; node < count; node++) {
                uint64_t value;
                REQUIRE(mc_trace_read_value(trace, step, metric, node, &value, &error) == MC_OK);
                CHECK(value == values[node] && value != MC_COUNT_UNKNOWN);
                CHECK(single[node] == value);
            }
        }
    mc_metric threads = mc_trace_find_metric(trace, "threads");
    for (uint32_t node = 0; node < count; node++) {
        if (mc_trace_get_nodes(trace)->child_count[node] > 0) continue;
        REQUIRE(mc_trace_read_value(trace, STEPS - 1, threads, node, &values[0], &error) == MC_OK);
        CHECK(values[0] <= 1);
    }
    free(values);
    free(single);
    mc_trace_destroy(trace);
}

static void read_columns(const mc_trace *trace, uint32_t step) {
    uint64_t *values = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *values);
    REQUIRE(values);
    for (mc_metric metric = MC_METRIC_FIRST_OWN; metric < mc_trace_get_metric_count(trace);
         metric++)
        REQUIRE(mc_trace_read_column(trace, step, metric, values, &error) == MC_OK);
    mc_free(values);
}

static void compare(const mc_trace *next, const mc_trace *anew, uint32_t step) {
    for (uint32_t node = 0; node < mc_trace_get_nodes(anew)->count; node++)
        for (mc_metric metric = 0; metric < mc_trace_get_metric_count(anew); metric++) {
            uint64_t a, b;
            REQUIRE(mc_trace_read_value(next, step, metric, node, &a, &error) == MC_OK);
            REQUIRE(mc_trace_read_value(anew, step, metric, node, &b, &error) == MC_OK);
            CHECK(a == b);
        }
}

// Another frame of the same groups shares their nodes and, if it is as long, what was read; it says
// what one made anew says.
static void test_next(const mc_trace *base, double frame_ms) {
    mc_trace *before, *next, *anew, *other;
    mc_regrouping grouping = mc_regrouping_of_methods(base, 300);
    REQUIRE(mc_trace_regroup(base, &grouping, NULL, &before, &error) == MC_OK);
    for (uint32_t step = STEPS - 8; step < STEPS; step++)
        read_columns(before, step);
    grouping.frame_ms = frame_ms;
    REQUIRE(mc_trace_regroup_next(base, &grouping, before, NULL, &next, &error) == MC_OK);
    REQUIRE(mc_trace_regroup(base, &grouping, NULL, &anew, &error) == MC_OK);
    CHECK(mc_trace_shares_nodes(before, next) && !mc_trace_shares_nodes(next, anew));
    compare(next, anew, STEPS - 2);
    mc_trace_destroy(before); // what is shared outlives it
    CHECK(mc_trace_get_frame_ms(next) == frame_ms);
    for (uint32_t step = STEPS - 8; step < STEPS; step++)
        compare(next, anew, step);
    mc_trace_destroy(anew);
    REQUIRE(mc_regrouping_parse(base, "class", &grouping, &error) == MC_OK);
    grouping.frame_ms = frame_ms;
    REQUIRE(mc_trace_regroup_next(base, &grouping, next, NULL, &other, &error) == MC_OK);
    REQUIRE(mc_trace_regroup(base, &grouping, NULL, &anew, &error) == MC_OK);
    CHECK(!mc_trace_shares_nodes(next, other));             // of other groups
    for (uint32_t step = STEPS - 4; step < STEPS; step++) { // by turns, of what both share
        read_columns(next, step);
        compare(other, anew, step);
    }
    mc_trace_destroy(other);
    mc_trace_destroy(next);
    mc_trace_destroy(anew);
}

// Methods come between those that are there, and one of a thread, whose values were its own, gets
// another thread.
static void add_grown(mc_mct_writer *writer, mc_collapsed_reader *reader, int step) {
    mc_step_tree tree = {0};
    char text[512];
    snprintf(text, sizeof text, "[t tid=1];a/A.m %d\n[t tid=1];c/C.m %u\n[u tid=2];c/C.n %u\n%s",
             1 + step % 7, draw(30), 1 + draw(50),
             step < 10 ? "" : "[u tid=2];b/B.m 9\n[u tid=2];a/A.m 4\n[v tid=3];c/C.a 8\n");
    REQUIRE(mc_collapsed_reader_read(reader, (unsigned char *)text, strlen(text), &tree, &error) ==
            MC_OK);
    tree.time_ms = 5000 + 50 * step;
    REQUIRE(mc_mct_writer_add_step(writer, &tree, "test", &error) == MC_OK);
    REQUIRE(mc_mct_writer_commit(writer, &error) == MC_OK);
    mc_step_tree_deinit(&tree);
}

static void open_frames(const char *path, const mc_trace *before, double frame_ms, mc_trace **base,
                        mc_trace **trace) {
    mc_mct_open_desc desc = {.path = path, .before = before ? mc_trace_get_base(before) : NULL};
    REQUIRE(mc_mct_open(&desc, base, NULL, &error) == MC_OK);
    mc_regrouping grouping = mc_regrouping_of_methods(*base, frame_ms);
    REQUIRE(mc_trace_regroup_next(*base, &grouping, before, NULL, trace, &error) == MC_OK);
}

// What was read of a recording serves also where more methods came, which number all anew.
static void test_grown(double frame_ms) {
    char folder[] = "/tmp/memcity-frame-XXXXXX", path[64];
    REQUIRE(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/live.mct", folder);
    mc_mct_writer *writer;
    mc_collapsed_reader *reader;
    REQUIRE(mc_mct_writer_create(&(mc_mct_writer_desc){.path = path}, &writer, &error) == MC_OK);
    REQUIRE(mc_collapsed_reader_create(MC_STACKS_METHODS, 1, &reader, &error) == MC_OK);
    mc_trace *bases[3], *before, *next, *anew;
    for (int step = 0; step < 10; step++)
        add_grown(writer, reader, step);
    open_frames(path, NULL, frame_ms, &bases[0], &before);
    for (uint32_t step = 0; step < 10; step++)
        read_columns(before, step);
    for (int step = 10; step < 13; step++)
        add_grown(writer, reader, step);
    open_frames(path, before, frame_ms, &bases[1], &next);
    open_frames(path, NULL, frame_ms, &bases[2], &anew);
    CHECK(mc_trace_get_nodes(before)->count < mc_trace_get_nodes(next)->count);
    for (uint32_t step = 13; step-- > 0;)
        compare(next, anew, step);
    mc_trace_destroy(before);
    mc_trace_destroy(next);
    mc_trace_destroy(anew);
    for (int i = 0; i < 3; i++)
        mc_trace_destroy(bases[i]);
    mc_mct_writer_destroy(writer);
    mc_collapsed_reader_destroy(reader);
    unlink(path);
    rmdir(folder);
}

// Who was the longest in each method, and in all of them.
static void test_longest(const mc_trace *base) {
    mc_trace *trace;
    mc_regrouping grouping = mc_regrouping_of_methods(base, 1000);
    REQUIRE(mc_trace_regroup(base, &grouping, NULL, &trace, &error) == MC_OK);
    for (uint32_t step = 0; step < STEPS; step++)
        for (int method = 0; method < METHODS; method++) {
            char key[64];
            snprintf(key, sizeof key, "Program#%s#m%d",
                     (const char *const[]){"a#A", "a#A", "a#B", "a#b#C", "a#b#C", "D", "D"}[method],
                     method);
            uint32_t node = mc_trace_find_node(trace, key, strlen(key)), name;
            const uint32_t nodes[2] = {node, node}; // asked for twice
            uint64_t sums[2];
            REQUIRE(mc_trace_read_longest_threads(trace, step, &node, 1, &name, &error) == MC_OK);
            mc_metric metric = mc_trace_find_metric(trace, "time");
            REQUIRE(mc_trace_read_values(trace, step, metric, nodes, 2, sums, &error) == MC_OK);
            CHECK(sums[0] == sums[1]);
            double longest = 0, end = (double)times[step];
            int found = -1;
            for (int thread = 0; thread < THREADS; thread++) {
                double sum = 0;
                for (int at = 0; at < STEPS; at++) {
                    double begin =
                        at > 0 ? (double)times[at - 1] : (double)times[at] - get_busiest(at);
                    double in = fmin((double)times[at], end) - fmax(begin, end - 1000);
                    double lasts = fmax((double)times[at] - begin, get_busiest(at));
                    if (in > 0) sum += counted[at][thread][method] / lasts * in;
                }
                if (sum > longest) found = thread;
                longest = fmax(longest, sum);
            }
            CHECK((name == MC_NONE) == (found < 0));
            if (name == MC_NONE || found < 0) continue;
            size_t size;
            char wanted[32];
            snprintf(wanted, sizeof wanted, "t%d", found);
            const char *got = mc_trace_get_string(base, name, &size);
            CHECK_MSG(size == strlen(wanted) && memcmp(got, wanted, size) == 0, "%.*s, not %s",
                      (int)size, got, wanted);
        }
    mc_trace_destroy(trace);
}

int main(void) {
    mc_trace *base = make_trace();
    CHECK(mc_trace_has_methods(base));
    CHECK(mc_trace_get_usual_metric(base) == mc_trace_find_metric(base, "time"));
    test_frames(base);
    test_whole(base);
    test_columns(base);
    test_grown(200);
    test_grown(60000);
    test_next(base, 300);
    test_next(base, 1000);
    test_longest(base);
    mc_trace_destroy(base);
    return test_finish();
}
