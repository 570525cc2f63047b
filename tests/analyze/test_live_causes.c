// Causes of traces in which most steps count garbage: only what is right behind a collection of the
// whole heap tells.
#include "engine/analyze/cause_finder.h"
#include "engine/analyze/max_tree.h"
#include "engine/trace/build/trace_builder.h"
#include "tests/test.h"
#include "tests/trace_maker.h"

enum { STEPS = 40, EACH = 4 }; // of so many steps one is behind a collection

static mc_error error;

// "kept" is what is alive of a group, "garbage" what was not collected at a step.
typedef struct series {
    uint64_t kept_per_step, garbage_per_step;
    double variance; // of the bytes; < 0: nothing was sampled
    bool is_told;
    uint32_t live_count; // so many of the collections
    uint64_t kept_until; // step; 0: to the end
    uint32_t freed_from; // likewise: from there all but a tenth is gone
} series;

static mc_trace *make(const series *s) {
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    uint32_t live_count = 0;
    REQUIRE(mc_trace_builder_create(NULL, &builder, &error) == MC_OK);
    for (uint32_t step = 0; step < STEPS; step++) {
        mc_step_tree_reset(&tree);
        tree.time_ms = 1000 * (int64_t)step;
        bool is_live = step % EACH == EACH - 1 && live_count < s->live_count;
        live_count += is_live;
        if (s->is_told) tree.liveness = is_live ? MC_LIVENESS_LIVE : MC_LIVENESS_GARBAGE;
        uint64_t kept = s->kept_until > 0 && step > s->kept_until ? s->kept_until : step;
        uint64_t bytes = 100000 + s->kept_per_step * kept;
        uint64_t rest = 1000000;
        if (s->freed_from > 0 && step >= s->freed_from) bytes /= 10, rest /= 10;
        // What waits for a collection is more from one to the next.
        if (!is_live) bytes += s->garbage_per_step * step;
        test_add_node(&tree, MC_NONE, "Heap", bytes + rest);
        test_add_node(&tree, 0, "leaf", bytes);
        test_add_node(&tree, 0, "rest", rest);
        for (uint32_t node = 0; node < 3; node++)
            tree.nodes[node].bytes = tree.nodes[node].objects; // of one byte each
        if (s->variance >= 0) {
            mc_metric_info info = mc_metric_info_of_key("variance", 8);
            info.is_real = info.is_additive = true;
            info.says = MC_METRIC_SAYS_ALL;
            uint32_t metric = mc_step_tree_add_metric(&tree, &info);
            REQUIRE(metric != MC_NONE);
            for (uint32_t node = 0; node < 3; node++)
                REQUIRE(mc_step_tree_set_value(&tree, metric, node,
                                               mc_metric_pack(node == 2 ? 0 : s->variance)));
        }
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "t", &error) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

static mc_heap_verdict judge(const series *s, mc_causes *causes) {
    mc_trace *trace = make(s);
    mc_causes_desc desc = {MC_METRIC_BYTES, {0, STEPS - 1}};
    CHECK_MSG(mc_causes_find(trace, &desc, NULL, causes, &error) == MC_OK, "%s", error.message);
    CHECK(causes->desc.window.first_step == 0 && causes->desc.window.last_step == STEPS - 1);
    for (uint32_t i = 0; i < causes->count; i++) {
        const mc_cause *cause = &causes->items[i];
        CHECK(mc_trace_get_nodes(trace)->child_count[cause->node] == 0);
        CHECK(!s->is_told ||
              mc_trace_get_step(trace, cause->since_step)->liveness == MC_LIVENESS_LIVE);
    }
    mc_trace_destroy(trace);
    return causes->suspects.verdict;
}

static uint32_t find_release(const series *s) {
    mc_trace *trace = make(s);
    uint32_t release = mc_step_range_find_release(trace, MC_METRIC_BYTES);
    mc_trace_destroy(trace);
    return release;
}

// The end of a program shows behind a collection alone; what others give back is garbage.
static void test_release(void) {
    series s = {.kept_per_step = 5000,
                .garbage_per_step = 200000,
                .variance = -1,
                .is_told = true,
                .live_count = STEPS};
    CHECK(find_release(&s) == MC_NONE);
    s.freed_from = STEPS - EACH;
    CHECK(find_release(&s) == STEPS - EACH - 1);
    s.freed_from = 1;
    CHECK(find_release(&s) == MC_NONE);
}

int main(void) {
    test_release();
    mc_causes causes = {.items = NULL};
    // Growing garbage alone: accused where nothing is told, and not where it is.
    series s = {.garbage_per_step = 20000, .variance = -1};
    CHECK(judge(&s, &causes) == MC_HEAP_GROWS);
    s.is_told = true;
    s.live_count = STEPS;
    CHECK(judge(&s, &causes) == MC_HEAP_STEADY && causes.count == 0);
    // A leak below it: exactly what is kept, between the first collection and the last.
    s.kept_per_step = 5000;
    CHECK(judge(&s, &causes) == MC_HEAP_GROWS);
    REQUIRE(causes.count == 1);
    CHECK(causes.items[0].growth == 5000 * (STEPS - EACH) && causes.suspects.live_count == 10);
    CHECK(fabs(causes.items[0].trend.slope_per_s - 5000) < 1);
    CHECK(causes.items[0].since_step == EACH - 1);
    // Sampled: 180,000 bytes more, and as many off.
    s.variance = 90000.0 * 90000.0;
    CHECK(judge(&s, &causes) != MC_HEAP_GROWS && causes.count == 0);
    s.variance = 10000.0 * 10000.0;
    CHECK(judge(&s, &causes) == MC_HEAP_GROWS && causes.count == 1);
    // What has stopped, but may be no more than the luck of the draw.
    s.kept_until = 20;
    CHECK(judge(&s, &causes) == MC_HEAP_STOPPED && causes.suspects.count == 1);
    s.variance = 90000.0 * 90000.0;
    CHECK(judge(&s, &causes) == MC_HEAP_STEADY && causes.suspects.count == 0);
    // Too few collections tell nothing.
    for (s.live_count = 0; s.live_count < MC_GROWTH_LEAST_POINTS; s.live_count++) {
        CHECK(judge(&s, &causes) == MC_HEAP_UNKNOWN && causes.count == 0);
        CHECK(causes.suspects.live_count == s.live_count);
    }
    mc_causes_deinit(&causes);
    return test_finish();
}
