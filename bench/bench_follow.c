// bench_follow - what a step costs that a recording gets while it is followed:
// `bench_follow [GROUPS STEPS [GROWING]]`, one JSON object. GROWING groups grow with each step
// (100); a number of the leaves are there from the first step on, so no new ones come.
// `bench_follow --methods METHODS STEPS [BUSY]`: the same of methods, of which BUSY (a tenth) run
// in each step of 50 ms, in eight threads.
//
// The whole of a session without a window: opening the file anew, the layout, counts, and the
// judgement of what grows. CPU time is that of the process, all its threads, from the step's commit
// until nothing is left to do.
#include "app/bench/generate.h"
#include "app/session/turn.h"
#include "app/views/views.h"
#include "bench/bench.h"
#include "engine/import/collapsed/collapsed.h"
#include "engine/store/mct/mct.h"
#include <malloc.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { APPENDED_COUNT = 15, FRAME_NS = 16666667, THREAD_COUNT = 8, METHODS_STEP_MS = 50 };

typedef struct recording {
    mc_mct_writer *writer;
    mc_step_tree tree;
    uint32_t growing_count, step_count;
    uint32_t method_count; // 0: objects
    mc_collapsed_reader *reader;
    mc_text text;
    uint32_t seed;
} recording;

static uint64_t now_ns; // of the session: a frame a turn

static void fail(const mc_error *error) {
    fprintf(stderr, "bench_follow: %s\n", error->message);
    exit(1);
}

static void commit_step(recording *self, uint32_t step_ms) {
    mc_error error = {0};
    self->tree.time_ms = (int64_t)step_ms * ++self->step_count;
    if (mc_mct_writer_add_step(self->writer, &self->tree, "generated", &error) != MC_OK ||
        mc_mct_writer_commit(self->writer, &error) != MC_OK)
        fail(&error);
}

static uint32_t draw(recording *self, uint32_t below) {
    self->seed = self->seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)self->seed * below >> 32);
}

// All methods run in the first step, then by chance; each in one thread.
static void add_methods_step(recording *self) {
    mc_error error = {0};
    bool is_first = self->step_count == 0;
    uint32_t count = is_first ? self->method_count : self->growing_count;
    mc_text_clear(&self->text);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t method = is_first ? i : draw(self, self->method_count);
        mc_text_format(&self->text, "[worker %u tid=1];com/acme/p%u/C%u.m%u %u\n",
                       method % THREAD_COUNT + 1, method / 500, method / 20, method,
                       1 + draw(self, 2 * METHODS_STEP_MS * 1000 * THREAD_COUNT / count));
    }
    if (self->text.failed ||
        mc_collapsed_reader_read(self->reader, (unsigned char *)self->text.data, self->text.size,
                                 &self->tree, &error) != MC_OK)
        fail(&error);
    commit_step(self, METHODS_STEP_MS);
}

// Every `stride`-th leaf grows by a little, and with it all that holds it.
static void add_step(recording *self) {
    mc_step_tree *tree = &self->tree;
    if (self->method_count > 0) {
        add_methods_step(self);
        return;
    }
    size_t stride = tree->node_count / (self->growing_count + 1) + 1;
    for (size_t node = tree->node_count - 1; node >= stride && self->step_count > 0;
         node -= stride) {
        uint64_t more = tree->nodes[node].bytes / 100 + 1;
        for (size_t at = node;; at = tree->nodes[at].parent) {
            tree->nodes[at].bytes += more;
            if (at == 0) break;
        }
    }
    commit_step(self, 1000);
}

static void begin_recording(recording *self, const char *path, uint32_t leaf_count,
                            uint32_t step_count) {
    mc_generate_desc desc = {.leaf_count = leaf_count, .step_count = 1, .seed = 1};
    mc_mct_writer_desc writer_desc = {.path = path};
    mc_generator *generator = NULL;
    mc_error error = {0};
    if (mc_mct_writer_create(&writer_desc, &self->writer, &error) != MC_OK) fail(&error);
    if (self->method_count > 0) {
        if (mc_collapsed_reader_create(MC_STACKS_METHODS, 1e-3, &self->reader, &error) != MC_OK)
            fail(&error);
    } else {
        if (mc_generator_create(&desc, &generator, &error) != MC_OK) fail(&error);
        mc_generator_set_step(generator, 0);
        if (mc_generator_fill_tree(generator, &self->tree, &error) != MC_OK) fail(&error);
        mc_generator_destroy(generator);
    }
    for (uint32_t step = 0; step < step_count; step++)
        add_step(self);
}

static void turn(mc_session *session) {
    now_ns += FRAME_NS;
    mc_session_begin_turn(session, now_ns);
    mc_session_end_turn(session);
    if (session->turn.frames_due > 0)
        mc_session_prepare_frame(session);
    else
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static void settle(mc_session *session, uint32_t step_count) {
    bool is_shown = false;
    do {
        turn(session);
        is_shown = session->trace && mc_trace_get_step_count(session->trace) == step_count;
    } while (!is_shown || !mc_session_is_idle(session));
}

static double get_cpu_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double get_heap_mib(void) {
    malloc_trim(0);
    struct mallinfo2 info = mallinfo2();
    return (double)(info.uordblks + info.hblkhd) / 1048576;
}

static double get_peak_mib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void follow(recording *recorded, const char *path) {
    double wall_ms[APPENDED_COUNT], cpu_ms[APPENDED_COUNT], all_ms[APPENDED_COUNT];
    const char *paths[] = {path};
    mc_session_desc desc = {
        .views = mc_views, .paths = paths, .path_count = 1, .step = MC_NONE, .follow = true};
    mc_session *session;
    mc_error error = {0};
    desc.settings = mc_settings_default();
    desc.settings.layout = mc_layout_options_default();
    desc.settings.motion = false;
    if (mc_session_create(&desc, &session, &error) != MC_OK) fail(&error);
    now_ns = mc_clock_now_ns();
    mc_session_begin(session);
    settle(session, recorded->step_count);
    uint32_t layouts = session->layout_version;
    double before_mib = get_heap_mib();
    for (int i = 0; i < APPENDED_COUNT; i++) {
        add_step(recorded);
        double began_ms = (double)mc_clock_now_ns() / 1e6, began_cpu_ms = get_cpu_ms();
        while (mc_trace_get_step_count(session->trace) < recorded->step_count)
            turn(session);
        wall_ms[i] = (double)mc_clock_now_ns() / 1e6 - began_ms;
        cpu_ms[i] = get_cpu_ms() - began_cpu_ms;
        settle(session, recorded->step_count);
        all_ms[i] = get_cpu_ms() - began_cpu_ms;
    }
    qsort(wall_ms, APPENDED_COUNT, sizeof *wall_ms, bench_compare_times);
    qsort(cpu_ms, APPENDED_COUNT, sizeof *cpu_ms, bench_compare_times);
    qsort(all_ms, APPENDED_COUNT, sizeof *all_ms, bench_compare_times);
    printf(
        "  \"until_shown_ms\": %.1f,\n  \"until_shown_cpu_ms\": %.1f,\n  \"all_cpu_ms\": %.1f,\n",
        wall_ms[APPENDED_COUNT / 2], cpu_ms[APPENDED_COUNT / 2], all_ms[APPENDED_COUNT / 2]);
    printf("  \"heap_mib\": %.1f,\n  \"heap_more_mib\": %.1f,\n  \"peak_mib\": %.0f,\n  "
           "\"layouts\": %u\n",
           get_heap_mib(), get_heap_mib() - before_mib, get_peak_mib(),
           session->layout_version - layouts);
    mc_session_destroy(session);
}

int main(int argc, char **argv) {
    bool has_methods = argc > 1 && strcmp(argv[1], "--methods") == 0;
    argv += has_methods;
    argc -= has_methods;
    uint32_t leaf_count = argc > 2 ? (uint32_t)atoi(argv[1]) : has_methods ? 20000 : 100000;
    uint32_t step_count = argc > 2 ? (uint32_t)atoi(argv[2]) : 200;
    uint32_t growing_count = has_methods ? leaf_count / 10 : 100;
    recording recorded = {.growing_count = argc > 3 ? (uint32_t)atoi(argv[3]) : growing_count,
                          .method_count = has_methods ? leaf_count : 0,
                          .seed = 1};
    if (leaf_count == 0 || step_count == 0 || recorded.growing_count == 0) {
        fprintf(stderr, "usage: bench_follow [--methods] [GROUPS STEPS [GROWING]]\n");
        return 2;
    }
    char path[] = "/tmp/bench_follow.XXXXXX";
    int file = mkstemp(path);
    if (file < 0) return 1;
    close(file);
    printf("{\n  \"benchmark\": \"%s\",\n", has_methods ? "follow_methods" : "follow");
    bench_print_machine();
    printf("  \"groups\": %u,\n  \"steps\": %u,\n  \"growing\": %u,\n", leaf_count, step_count,
           recorded.growing_count);
    begin_recording(&recorded, path, leaf_count, step_count);
    follow(&recorded, path);
    printf("}\n");
    mc_mct_writer_destroy(recorded.writer);
    mc_step_tree_deinit(&recorded.tree);
    mc_collapsed_reader_destroy(recorded.reader);
    mc_text_deinit(&recorded.text);
    unlink(path);
    return 0;
}
