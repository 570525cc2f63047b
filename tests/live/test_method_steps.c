// test_method_steps - what an agent says of methods, as steps: names, sums, times, what can't be,
// and every allocation failing.
#include "engine/base/memory.h"
#include "engine/live/agent/method_steps.h"
#include "tests/test.h"

#define MS UINT64_C(1000000)
#define HELLO_NS (1000 * MS)

static mc_agent_string text(const char *string) {
    return (mc_agent_string){string, (uint32_t)strlen(string)};
}

static const mc_agent_event greeting = {.type = MC_AGENT_HELLO, .wall_ms = 5000, .to_ns = HELLO_NS};

static mc_result name_all(mc_agent_names *names, mc_error *error) {
    const mc_agent_event events[] = {
        {.type = MC_AGENT_CLASS, .number = 1, .name = text("com.acme.Shop")},
        {.type = MC_AGENT_CLASS, .number = 2, .name = text("Main")},
        {.type = MC_AGENT_METHOD,
         .number = 1,
         .class_number = 1,
         .name = text("add"),
         .file = text(""),
         .signature = text("(I[[JLjava/lang/String;[Lcom/acme/Shop;)Z")},
        {.type = MC_AGENT_METHOD,
         .number = 2,
         .class_number = 2,
         .name = text("main"),
         .file = text(""),
         .signature = text("odd")},
        {.type = MC_AGENT_THREAD, .number = 1, .name = text("worker")},
        {.type = MC_AGENT_THREAD, .number = 2, .name = text("worker")},
        {.type = MC_AGENT_THREAD, .number = 3, .name = text("")},
    };
    mc_result result = MC_OK;
    for (size_t i = 0; i < sizeof events / sizeof *events && result == MC_OK; i++)
        result = mc_agent_names_take(names, &events[i], error);
    return result;
}

static mc_agent_event make_batch(uint64_t to_ms, mc_agent_how how, const mc_agent_time *rows,
                                 uint32_t count) {
    return (mc_agent_event){.type = MC_AGENT_TIME,
                            .offset = 77,
                            .from_ns = HELLO_NS,
                            .to_ns = HELLO_NS + to_ms * MS,
                            .how = how,
                            .times = rows,
                            .count = count};
}

// A node by its way from the root, with '|' between; MC_NONE: there is none.
static uint32_t find(const mc_step_tree *tree, const char *way) {
    for (uint32_t i = 0; i < tree->node_count; i++) {
        char path[512] = "";
        for (uint32_t at = i; tree->nodes[at].parent != MC_NONE; at = tree->nodes[at].parent) {
            char longer[512];
            mc_step_node node = mc_step_tree_get(tree, at);
            snprintf(longer, sizeof longer, "%.*s%s%s", (int)node.key_size,
                     tree->text.data + node.key_offset, path[0] ? "|" : "", path);
            memcpy(path, longer, sizeof path);
        }
        if (strcmp(path, way) == 0) return i;
    }
    return MC_NONE;
}

static double get_time(const mc_step_tree *tree, const char *way) {
    uint32_t node = find(tree, way);
    return node == MC_NONE ? -1 : mc_metric_unpack(mc_step_tree_get_value(tree, 0, node));
}

static uint64_t get_calls(const mc_step_tree *tree, const char *way) {
    uint32_t node = find(tree, way);
    return node == MC_NONE ? 0 : mc_step_tree_get_value(tree, 1, node);
}

#define ADD "com|acme|Shop|add(int, long[][], String, Shop[])"

static void check_first(const mc_step_tree *tree) {
    CHECK(tree->time_ms == 5120 && tree->metrics.count == 2);
    CHECK(get_time(tree, ADD "|worker") == 60 && get_calls(tree, ADD "|worker") == 3);
    CHECK(get_time(tree, ADD "|worker #2") == 10 && get_calls(tree, ADD) == 4);
    CHECK(get_time(tree, "Main|main|(no name)") == 0.5 && get_time(tree, "") == 70.5);
}

static mc_result run(mc_step_tree *tree, mc_agent_names *names, mc_method_steps **steps,
                     mc_error *error) {
    const mc_agent_time first[] = {{1, 1, 20 * MS, 1}, {1, 2, 10 * MS, 1}, {2, 3, MS / 2, 0}};
    const mc_agent_time second[] = {{1, 1, 40 * MS, 2}};
    mc_agent_event batches[] = {
        make_batch(60, MC_AGENT_EXACT, first, 3), make_batch(120, MC_AGENT_EXACT, second, 1),
        make_batch(120, MC_AGENT_EXACT, NULL, 0), make_batch(180, MC_AGENT_EXACT, NULL, 0),
        make_batch(267, MC_AGENT_EXACT, NULL, 0), make_batch(272, MC_AGENT_EXACT, NULL, 0),
        make_batch(322, MC_AGENT_EXACT, NULL, 0)};
    mc_method_desc desc = {.names = names, .every_ns = 100 * MS};
    mc_result result = mc_method_steps_create(&desc, steps, error);
    if (result == MC_OK) result = name_all(names, error);
    if (result == MC_OK) result = mc_method_steps_take(*steps, &greeting, error);
    for (int i = 0; i < 3 && result == MC_OK; i++) { // the third is of the second's moment
        CHECK(!mc_method_steps_is_due(*steps, &batches[i]));
        result = mc_method_steps_take(*steps, &batches[i], error);
    }
    if (result != MC_OK) return result;
    CHECK(mc_method_steps_is_due(*steps, &batches[3]) && mc_method_steps_has_rest(*steps));
    result = mc_method_steps_fill_tree(*steps, tree, error);
    if (result != MC_OK) return result;
    check_first(tree);
    CHECK(!mc_method_steps_has_rest(*steps) && !mc_method_steps_is_due(*steps, &batches[3]));
    result = mc_method_steps_take(*steps, &batches[3], error);
    if (result == MC_OK) result = mc_method_steps_fill_tree(*steps, tree, error);
    if (result == MC_OK) CHECK(tree->time_ms == 5180 && tree->node_count == 1); // nothing ran
    for (int i = 4; i < 6 && result == MC_OK; i++) {
        CHECK(!mc_method_steps_is_due(*steps, &batches[i]));
        result = mc_method_steps_take(*steps, &batches[i], error);
    }
    // A batch that is early by less than 10 ms does not make the step one batch longer.
    if (result == MC_OK) CHECK(mc_method_steps_is_due(*steps, &batches[6]));
    return result;
}

static void test_steps(uint64_t allocations) {
    mc_step_tree tree = {0};
    mc_agent_names names = {0};
    mc_method_steps *steps = NULL;
    mc_error error = {0};
    mc_memory_fail_after(allocations);
    mc_result result = run(&tree, &names, &steps, &error);
    mc_memory_fail_after(UINT64_MAX);
    CHECK_MSG(result == (allocations == UINT64_MAX ? MC_OK : MC_ERROR_OUT_OF_MEMORY) ||
                  (allocations != UINT64_MAX && result == MC_OK),
              "%s", error.message);
    mc_method_steps_destroy(steps);
    mc_agent_names_deinit(&names);
    mc_step_tree_deinit(&tree);
}

static void refuses(const mc_agent_event *good, const mc_agent_event *bad, const char *says) {
    mc_agent_names names = {0};
    mc_method_steps *steps = NULL;
    mc_error error = {0};
    mc_method_desc desc = {.names = &names, .every_ns = MS};
    REQUIRE(mc_method_steps_create(&desc, &steps, &error) == MC_OK);
    REQUIRE(name_all(&names, &error) == MC_OK);
    CHECK(mc_method_steps_take(steps, &greeting, &error) == MC_OK);
    CHECK(mc_method_steps_take(steps, good, &error) == MC_OK);
    CHECK(mc_method_steps_take(steps, bad, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, says) && error.byte_offset == 77, "%s", error.message);
    mc_method_steps_destroy(steps);
    mc_agent_names_deinit(&names);
}

static void test_refusals(void) {
    const mc_agent_time most[] = {{1, 1, 0, MC_COUNT_MAX}, {1, 2, 0, 1}};
    const mc_agent_time long_one[] = {{1, 1, UINT64_MAX, 0}};
    mc_agent_event good = make_batch(50, MC_AGENT_EXACT, NULL, 0);
    mc_agent_event early = make_batch(40, MC_AGENT_EXACT, NULL, 0);
    mc_agent_event other = make_batch(60, MC_AGENT_WALL, NULL, 0);
    mc_agent_event many = make_batch(60, MC_AGENT_EXACT, most, 2);
    mc_agent_event never = make_batch(60, MC_AGENT_EXACT, long_one, 1);
    refuses(&good, &early, "before the last one");
    refuses(&good, &other, "in another way");
    refuses(&good, &many, "2^63 - 1");
    refuses(&good, &never, "can't be");
}

int main(void) {
    test_steps(UINT64_MAX);
    for (uint64_t i = 0; i < 80; i++)
        test_steps(i);
    test_refusals();
    return test_finish();
}
