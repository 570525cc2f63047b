// Root-cause walks through small heaps whose cause is known, and through the recorded ones.
#include "engine/analyze/walk.h"
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "tests/linked_trace.h"

#define BOTH (WITH_POINTS_TO | WITH_POINTED_FROM)
#define COUNT(array) (sizeof(array) / sizeof *(array))

static mc_walk walk(const mc_trace *trace, const char *from) {
    mc_walk result = {0};
    mc_step_range whole = mc_step_range_whole(trace);
    mc_walk_desc desc = {.metric = MC_METRIC_OBJECTS,
                         .window = whole,
                         .step = whole.last_step,
                         .from_node = from ? test_find(trace, from) : MC_NONE};
    REQUIRE(mc_walk_compute(trace, &desc, &result, NULL) == MC_OK);
    return result;
}

static void check_stops(const mc_walk *found, const mc_trace *trace, const char *const *keys,
                        const mc_walk_verdict *verdicts, uint32_t count, mc_walk_end end) {
    CHECK_MSG(found->count == count, "%u stops, not %u", found->count, count);
    CHECK_MSG(found->end == end, "end %d, not %d", found->end, end);
    for (uint32_t i = 0; i < count && i < found->count; i++) {
        CHECK_MSG(found->stops[i].node == test_find(trace, keys[i]), "stop %u is not %s", i,
                  keys[i]);
        CHECK_MSG(found->stops[i].verdict == verdicts[i], "verdict %d of %s",
                  found->stops[i].verdict, keys[i]);
        bool is_last = i + 1 == count;
        CHECK((found->stops[i].link.partner == MC_NONE) == is_last);
        if (verdicts[i] == MC_WALK_CAUSE) CHECK(found->cause_index == i);
    }
}

// The papers' example: persons with two names each are added to one list.
static const test_leaf person_leaves[] = {
    {"(primitive)", "char[]", {9, 209, 409}}, {"java.lang", "String", {9, 209, 409}},
    {"java.util", "LinkedList", {3, 3, 3}},   {"java.util", "LinkedList$Node", {0, 100, 200}},
    {"shop", "Person", {0, 100, 200}},        {"shop", "Shop", {1, 1, 1}}};
static const test_pair person_pairs[] = {
    {"Heap#java.lang#String", "Heap#(primitive)#char[]", {9, 209, 409}, {9, 209, 409}},
    {"Heap#shop#Person", "Heap#java.lang#String", {0, 200, 400}, {0, 100, 200}},
    {"Heap#shop#Shop", "Heap#java.lang#String", {9, 9, 9}, {1, 1, 1}},
    {"Heap#java.util#LinkedList$Node", "Heap#shop#Person", {0, 100, 200}, {0, 100, 200}},
    // Nodes hold each other, both ways; the list holds the first and the last.
    {"Heap#java.util#LinkedList$Node",
     "Heap#java.util#LinkedList$Node",
     {0, 100, 200},
     {0, 100, 200}},
    {"Heap#java.util#LinkedList", "Heap#java.util#LinkedList$Node", {0, 2, 2}, {0, 1, 1}},
    {"Heap#shop#Shop", "Heap#java.util#LinkedList", {3, 3, 3}, {1, 1, 1}},
};

static void test_persons(void) {
    mc_trace *trace = test_make_linked_trace(person_leaves, COUNT(person_leaves), person_pairs,
                                             COUNT(person_pairs), 3, BOTH);
    mc_walk found = walk(trace, NULL);
    static const char *const keys[] = {
        "Heap#(primitive)#char[]",        "Heap#java.lang#String",     "Heap#shop#Person",
        "Heap#java.util#LinkedList$Node", "Heap#java.util#LinkedList", "Heap#shop#Shop"};
    static const mc_walk_verdict verdicts[] = {MC_WALK_SYMPTOM,   MC_WALK_SYMPTOM, MC_WALK_CAUSE,
                                               MC_WALK_CONTAINER, MC_WALK_HOLDER,  MC_WALK_HOLDER};
    // Nothing references the shop.
    check_stops(&found, trace, keys, verdicts, 6, MC_WALK_END_ROOT);
    const mc_walk_stop *string = &found.stops[1];
    CHECK(string->objects == 409 && string->growth == 400 && string->is_library);
    CHECK(string->link.node_objects == 400 && string->link.partner_objects == 200);
    CHECK(string->link_growth == 400 && string->first_referrers == 0);
    CHECK(found.unit.node == MC_NONE && !found.stops[2].is_library);
    mc_walk_deinit(&found);

    // From another stop, and from a district, whose leaf that grew the most it is.
    found = walk(trace, "Heap#shop");
    check_stops(&found, trace, keys + 2, verdicts + 2, 4, MC_WALK_END_ROOT);
    mc_walk_deinit(&found);
    // What did not grow has no cause.
    found = walk(trace, "Heap#java.util#LinkedList");
    CHECK(found.count == 2 && found.cause_index == MC_NONE);
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);
}

// Nothing of the program piles up, but names in a map of the library's: half of its nodes have an
// index upon them, which grows as they do, and is as little the cause as they are.
static void test_library(void) {
    static const test_leaf leaves[] = {
        {"java.lang", "String", {9, 109, 209}},
        {"java.util.concurrent", "ConcurrentSkipListMap", {1, 1, 1}},
        {"java.util.concurrent", "ConcurrentSkipListMap$Index", {0, 50, 100}},
        {"java.util.concurrent", "ConcurrentSkipListMap$Node", {0, 100, 200}}};
    static const char *const keys[] = {"Heap#java.lang#String",
                                       "Heap#java.util.concurrent#ConcurrentSkipListMap$Node",
                                       "Heap#java.util.concurrent#ConcurrentSkipListMap$Index",
                                       "Heap#java.util.concurrent#ConcurrentSkipListMap"};
    const test_pair pairs[] = {{keys[1], keys[0], {0, 100, 200}, {0, 100, 200}},
                               {keys[1], keys[1], {0, 99, 199}, {0, 99, 199}},
                               {keys[2], keys[1], {0, 50, 100}, {0, 50, 100}},
                               {keys[2], keys[2], {0, 49, 99}, {0, 49, 99}},
                               {keys[3], keys[2], {0, 1, 1}, {0, 1, 1}}};
    static const mc_walk_verdict verdicts[] = {MC_WALK_CAUSE, MC_WALK_CONTAINER, MC_WALK_CONTAINER,
                                               MC_WALK_HOLDER};
    mc_trace *trace = test_make_linked_trace(leaves, COUNT(leaves), pairs, COUNT(pairs), 3, BOTH);
    mc_walk found = walk(trace, NULL);
    check_stops(&found, trace, keys, verdicts, 4, MC_WALK_END_ROOT);
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);
}

// The window begins when much has piled up already: the leak adds a twentieth to it.
static void test_late_window(void) {
    static const test_leaf leaves[] = {{"java.lang", "String", {8009, 8209, 8409}},
                                       {"java.util", "HashMap$Node", {4000, 4100, 4200}},
                                       {"java.util", "HashMap$Node[]", {40, 40, 41}},
                                       {"shop", "Person", {4000, 4100, 4200}}};
    static const test_pair pairs[] = {
        {"Heap#shop#Person", "Heap#java.lang#String", {8000, 8200, 8400}, {4000, 4100, 4200}},
        {"Heap#java.util#HashMap$Node", "Heap#shop#Person", {4000, 4100, 4200}, {4000, 4100, 4200}},
        // One more of the tables is chance.
        {"Heap#java.util#HashMap$Node[]",
         "Heap#java.util#HashMap$Node",
         {4000, 4100, 4200},
         {40, 40, 41}},
    };
    static const char *const keys[] = {"Heap#java.lang#String", "Heap#shop#Person",
                                       "Heap#java.util#HashMap$Node",
                                       "Heap#java.util#HashMap$Node[]"};
    static const mc_walk_verdict verdicts[] = {MC_WALK_SYMPTOM, MC_WALK_CAUSE, MC_WALK_CONTAINER,
                                               MC_WALK_HOLDER};
    mc_trace *trace = test_make_linked_trace(leaves, COUNT(leaves), pairs, COUNT(pairs), 3, BOTH);
    mc_walk found = walk(trace, NULL);
    check_stops(&found, trace, keys, verdicts, 4, MC_WALK_END_ROOT);
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);
}

// Companions, mirrors and shared objects do not lead astray.
static void test_detours(void) {
    static const test_leaf leaves[] = {{"app", "Cache", {1, 1, 1, 1}},
                                       {"app", "Entry", {0, 10, 20, 30}},
                                       {"app", "Payload", {0, 20, 40, 60}},
                                       {"app", "View", {0, 10, 20, 30}},
                                       {"app", "Watcher", {0, 50, 100, 150}}};
    static const test_pair pairs[] = {
        {"Heap#app#Entry", "Heap#app#Payload", {0, 20, 40, 60}, {0, 10, 20, 30}},
        // As strong as the cache, but only the entries know the views.
        {"Heap#app#View", "Heap#app#Entry", {0, 10, 20, 30}, {0, 10, 20, 30}},
        {"Heap#app#Entry", "Heap#app#View", {0, 10, 20, 30}, {0, 10, 20, 30}},
        // Many watchers share the few entries.
        {"Heap#app#Watcher", "Heap#app#Entry", {0, 10, 20, 30}, {0, 50, 100, 150}},
        {"Heap#app#Cache", "Heap#app#Entry", {0, 9, 19, 29}, {0, 1, 1, 1}},
    };
    mc_trace *trace = test_make_linked_trace(leaves, COUNT(leaves), pairs, COUNT(pairs), 4, BOTH);
    mc_walk found = walk(trace, "Heap#app#Payload");
    static const char *const keys[] = {"Heap#app#Payload", "Heap#app#Entry", "Heap#app#Cache"};
    static const mc_walk_verdict verdicts[] = {MC_WALK_SYMPTOM, MC_WALK_CAUSE, MC_WALK_HOLDER};
    check_stops(&found, trace, keys, verdicts, 3, MC_WALK_END_ROOT);
    CHECK(found.stops[1].first_referrers == 0 && found.stops[1].link_growth == 29);
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);
}

// Two classes that hold nothing but each other.
static void test_cycle(void) {
    static const test_leaf leaves[] = {{"app", "A", {1, 10}}, {"app", "B", {1, 10}}};
    static const test_pair pairs[] = {{"Heap#app#A", "Heap#app#B", {1, 10}, {1, 10}},
                                      {"Heap#app#B", "Heap#app#A", {1, 10}, {1, 10}}};
    mc_trace *trace = test_make_linked_trace(leaves, 2, pairs, 2, 2, BOTH);
    mc_walk found = walk(trace, NULL);
    CHECK(found.count == 1 && found.end == MC_WALK_END_CYCLE && found.cause_index == 0);
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);
}

// Sessions and their timers hold each other; a scheduler holds the timers, a table the sessions.
// What piles up are the sessions, whatever else points back at them.
static void test_companions(void) {
    static const test_leaf leaves[] = {{"(primitive)", "byte[]", {10, 110, 210, 310, 410, 510}},
                                       {"java.util", "HashMap$Node", {20, 120, 220, 320, 420, 520}},
                                       {"java.util", "HashMap$Node[]", {9, 9, 9, 9, 9, 9}},
                                       {"java.util", "TimerTask[]", {1, 1, 1, 1, 1, 1}},
                                       {"web", "Session", {0, 100, 200, 300, 400, 500}},
                                       {"web", "Session$Timer", {0, 100, 200, 300, 400, 500}}};
    static const test_pair pairs[] = {
        {"Heap#web#Session",
         "Heap#(primitive)#byte[]",
         {0, 100, 200, 300, 400, 500},
         {0, 100, 200, 300, 400, 500}},
        {"Heap#web#Session",
         "Heap#web#Session$Timer",
         {0, 100, 200, 300, 400, 500},
         {0, 100, 200, 300, 400, 500}},
        {"Heap#web#Session$Timer",
         "Heap#web#Session",
         {0, 100, 200, 300, 400, 500},
         {0, 100, 200, 300, 400, 500}},
        {"Heap#java.util#TimerTask[]",
         "Heap#web#Session$Timer",
         {0, 100, 200, 300, 400, 500},
         {0, 1, 1, 1, 1, 1}},
        // Fewer than the timers hold, but no companion of theirs.
        {"Heap#java.util#HashMap$Node",
         "Heap#web#Session",
         {0, 80, 160, 240, 320, 400},
         {0, 80, 160, 240, 320, 400}},
        {"Heap#java.util#HashMap$Node[]",
         "Heap#java.util#HashMap$Node",
         {20, 100, 180, 260, 340, 420},
         {9, 9, 9, 9, 9, 9}},
    };
    static const char *const keys[] = {"Heap#(primitive)#byte[]", "Heap#web#Session",
                                       "Heap#java.util#HashMap$Node",
                                       "Heap#java.util#HashMap$Node[]"};
    static const mc_walk_verdict verdicts[] = {MC_WALK_SYMPTOM, MC_WALK_CAUSE, MC_WALK_CONTAINER,
                                               MC_WALK_HOLDER};
    mc_trace *trace = test_make_linked_trace(leaves, COUNT(leaves), pairs, COUNT(pairs), 6, BOTH);
    mc_walk found = walk(trace, NULL);
    CHECK(found.suspects.verdict == MC_HEAP_GROWS && !found.suspects.is_short);
    check_stops(&found, trace, keys, verdicts, 4, MC_WALK_END_ROOT);
    mc_walk_deinit(&found);

    // Without the table there are but the timers: the way goes on, what piles up stays the same.
    static const char *const timers[] = {"Heap#(primitive)#byte[]", "Heap#web#Session",
                                         "Heap#web#Session$Timer", "Heap#java.util#TimerTask[]"};
    mc_trace_destroy(trace);
    trace = test_make_linked_trace(leaves, COUNT(leaves), pairs, 4, 6, BOTH);
    found = walk(trace, NULL);
    check_stops(&found, trace, timers, verdicts, 4, MC_WALK_END_ROOT);
    CHECK(found.stops[2].is_companion && !found.stops[1].is_companion);
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);
}

// One of many arrays holds all: who holds arrays as such is another story, unless it holds all of
// them.
static void test_instances(void) {
    static const test_leaf leaves[] = {{"app", "Cache", {1, 1, 1, 1, 1, 1}},
                                       {"app", "Item", {0, 50, 100, 150, 200, 250}},
                                       {"app", "Other", {500, 500, 500, 500, 500, 500}},
                                       {"java.lang", "Object[]", {700, 700, 700, 700, 700, 700}},
                                       {"java.util", "List", {700, 700, 700, 700, 700, 700}}};
    static const test_pair pairs[] = {
        {"Heap#java.lang#Object[]",
         "Heap#app#Item",
         {0, 50, 100, 150, 200, 250},
         {0, 1, 1, 1, 1, 1}},
        {"Heap#app#Other",
         "Heap#java.lang#Object[]",
         {690, 690, 690, 690, 690, 690},
         {500, 500, 500, 500, 500, 500}},
        {"Heap#app#Cache", "Heap#java.util#List", {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}},
        {"Heap#java.util#List",
         "Heap#java.lang#Object[]",
         {700, 700, 700, 700, 700, 700},
         {700, 700, 700, 700, 700, 700}},
    };
    static const char *const keys[] = {"Heap#app#Item", "Heap#java.lang#Object[]",
                                       "Heap#java.util#List"};
    static const mc_walk_verdict verdicts[] = {MC_WALK_CAUSE, MC_WALK_HOLDER, MC_WALK_HOLDER};
    // 690 of 700 leave the one out, perhaps.
    mc_trace *trace = test_make_linked_trace(leaves, COUNT(leaves), pairs, 3, 6, BOTH);
    mc_walk found = walk(trace, NULL);
    check_stops(&found, trace, keys, verdicts, 2, MC_WALK_END_INSTANCES);
    CHECK(fabs(found.stops[1].carried_share - 1.0 / 700) < 1e-9);
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);
    // All of them are lists' arrays, so this one is; which list it is nobody knows.
    trace = test_make_linked_trace(leaves, COUNT(leaves), pairs, 4, 6, BOTH);
    found = walk(trace, NULL);
    check_stops(&found, trace, keys, verdicts, 3, MC_WALK_END_INSTANCES);
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);
}

// Who holds two fifths of what came says nothing of who holds it: there the walk ends.
static void test_weak(void) {
    static const test_leaf leaves[] = {{"app", "A", {0, 100, 200, 300, 400, 500}},
                                       {"app", "B", {0, 30, 60, 90, 120, 150}},
                                       {"app", "C", {0, 12, 24, 36, 48, 60}}};
    static const test_pair pairs[] = {
        {"Heap#app#B", "Heap#app#A", {0, 40, 80, 120, 160, 200}, {0, 30, 60, 90, 120, 150}},
        {"Heap#app#C", "Heap#app#B", {0, 15, 30, 45, 60, 75}, {0, 12, 24, 36, 48, 60}}};
    static const char *const keys[] = {"Heap#app#A"};
    static const mc_walk_verdict verdicts[] = {MC_WALK_CAUSE};
    mc_trace *trace = test_make_linked_trace(leaves, COUNT(leaves), pairs, COUNT(pairs), 6, BOTH);
    mc_walk found = walk(trace, NULL);
    check_stops(&found, trace, keys, verdicts, 1, MC_WALK_END_SCATTERED);
    CHECK(found.other_count == 1 && found.others[0].partner == test_find(trace, "Heap#app#B"));
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);
}

static void test_verdicts(void) {
    static const struct {
        mc_heap_verdict verdict;
        uint32_t step_count;
        test_leaf leaf;
    } cases[] = {
        {MC_HEAP_STEADY, 6, {"a", "steady", {50, 51, 50, 49, 50, 51}}},
        {MC_HEAP_STOPPED, 8, {"a", "full", {50, 70, 90, 90, 90, 90, 90, 90}}},
        {MC_HEAP_GROWS, 6, {"a", "leak", {50, 60, 70, 80, 90, 100}}},
        {MC_HEAP_GROWS, 2, {"a", "more", {50, 90}}},
        {MC_HEAP_STEADY, 3, {"a", "up and down", {50, 90, 80}}},
        {MC_HEAP_SINGLE, 1, {"a", "one", {50}}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        mc_trace *trace =
            test_make_linked_trace(&cases[i].leaf, 1, NULL, 0, cases[i].step_count, BOTH);
        mc_walk found = walk(trace, NULL);
        CHECK_MSG(found.suspects.verdict == cases[i].verdict, "%s: %d", cases[i].leaf.key,
                  found.suspects.verdict);
        bool walks = cases[i].verdict == MC_HEAP_GROWS || cases[i].verdict == MC_HEAP_SINGLE;
        CHECK_MSG((found.count > 0) == walks, "%s: %u stops", cases[i].leaf.key, found.count);
        CHECK((found.cause_index != MC_NONE) == (cases[i].verdict == MC_HEAP_GROWS));
        if (cases[i].verdict == MC_HEAP_SINGLE) CHECK(found.stops[0].verdict == MC_WALK_LARGEST);
        mc_walk_deinit(&found);
        mc_trace_destroy(trace);
    }
}

static void test_without(void) {
    mc_trace *trace = test_make_linked_trace(person_leaves, COUNT(person_leaves), NULL, 0, 3, 0);
    mc_walk found = walk(trace, NULL);
    CHECK(found.count == 1 && found.end == MC_WALK_END_NO_MAP && found.cause_index == MC_NONE &&
          found.stops[0].verdict == MC_WALK_SYMPTOM);
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);

    // With the points-to map alone the way is the same.
    trace = test_make_linked_trace(person_leaves, COUNT(person_leaves), person_pairs,
                                   COUNT(person_pairs), 3, WITH_POINTS_TO);
    found = walk(trace, NULL);
    CHECK(found.count >= 4 && found.stops[2].verdict == MC_WALK_CAUSE);
    CHECK(found.stops[2].node == test_find(trace, "Heap#shop#Person"));
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);

    static const test_leaf steady[] = {{"a", "x", {5, 5}}, {"a", "y", {7, 6}}};
    trace = test_make_linked_trace(steady, 2, NULL, 0, 2, BOTH);
    found = walk(trace, NULL);
    CHECK(found.count == 0 && found.end == MC_WALK_END_NOTHING_GREW &&
          found.cause_index == MC_NONE);
    mc_walk_deinit(&found);
    mc_trace_destroy(trace);
}

static void test_failures(void) {
    mc_trace *trace = test_make_linked_trace(person_leaves, COUNT(person_leaves), person_pairs,
                                             COUNT(person_pairs), 3, BOTH);
    mc_walk_desc desc = {.window = mc_step_range_whole(trace), .step = 2, .from_node = MC_NONE};
    for (uint64_t n = 0;; n++) {
        mc_walk found = {0};
        mc_memory_fail_after(n);
        mc_result result = mc_walk_compute(trace, &desc, &found, NULL);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK ? found.count == 6 : result == MC_ERROR_OUT_OF_MEMORY);
        CHECK(result == MC_OK || (!found.stops && found.count == 0));
        mc_walk_deinit(&found);
        if (result == MC_OK) break;
    }
    mc_trace_destroy(trace);
}

// ---- the recorded heaps

static mc_trace *import(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/traces/%s", MC_TEST_BINARY_DIR, name);
    const char *pointer = path;
    const mc_import_desc desc = {.paths = &pointer, .path_count = 1};
    mc_trace *trace;
    REQUIRE(mc_import_trace(&desc, &trace, NULL, NULL) == MC_OK);
    return trace;
}

// Until the shutdown, at every step once the leak outgrows what the program starts with, and in
// both metrics: pools, held by entries of the manager's map.
static void test_httpclient(void) {
    mc_trace *trace = import("httpclient-3.0.1");
    uint32_t pool = test_find(trace, "Heap#org.apache.commons.httpclient#"
                                     "MultiThreadedHttpConnectionManager$HostConnectionPool");
    uint32_t entry = test_find(trace, "Heap#java.util#HashMap$Node");
    uint32_t table = test_find(trace, "Heap#java.util#HashMap$Node[]");
    for (uint32_t step = 4; step <= 25; step++)
        for (int metric = 0; metric < 2; metric++) {
            mc_walk_desc desc = {
                .metric = (mc_metric)metric, .window = {0, 25}, .step = step, .from_node = MC_NONE};
            mc_walk found = {0};
            REQUIRE(mc_walk_compute(trace, &desc, &found, NULL) == MC_OK);
            REQUIRE(found.cause_index != MC_NONE && found.cause_index + 2 < found.count);
            const mc_walk_stop *cause = &found.stops[found.cause_index];
            CHECK_MSG(cause->node == pool, "step %u, metric %d", step, metric);
            CHECK(cause[1].node == entry && cause[1].verdict == MC_WALK_CONTAINER);
            CHECK(cause[2].node == table && cause[2].verdict == MC_WALK_HOLDER);
            if (step == 25) CHECK(cause->objects == 80000 && cause->link.node_objects == 79991);
            mc_walk_deinit(&found);
        }
    mc_trace_destroy(trace);
}

// Whole compilers stay: what grows the most hangs in their tables, and one of each of their classes
// comes a step.
static void test_javac(void) {
    mc_trace *trace = import("javac-daemon");
    static const mc_step_range windows[] = {{0, 12}, {1, 12}, {13, 25}, {0, 25}};
    for (size_t i = 0; i < COUNT(windows); i++) {
        mc_walk_desc desc = {.metric = MC_METRIC_OBJECTS,
                             .window = windows[i],
                             .step = windows[i].last_step,
                             .from_node = MC_NONE};
        mc_walk found = {0};
        REQUIRE(mc_walk_compute(trace, &desc, &found, NULL) == MC_OK);
        REQUIRE(found.cause_index != MC_NONE);
        mc_text key = {0};
        mc_trace_append_full_key(trace, found.stops[found.cause_index].node, &key);
        CHECK_MSG(strncmp(key.data, "Heap#com.sun.tools.javac", 24) == 0, "%s", key.data);
        mc_text_deinit(&key);
        CHECK(found.unit.node == test_find(trace, "Heap#com.sun.tools.javac.main#JavaCompiler"));
        CHECK(found.unit.count > 150);
        uint64_t first, last;
        REQUIRE(mc_trace_read_value(trace, windows[i].first_step, MC_METRIC_OBJECTS,
                                    found.unit.node, &first, NULL) == MC_OK);
        REQUIRE(mc_trace_read_value(trace, windows[i].last_step, MC_METRIC_OBJECTS, found.unit.node,
                                    &last, NULL) == MC_OK);
        CHECK(found.unit.growth == (int64_t)(last - first));
        mc_walk_deinit(&found);
    }
    mc_trace_destroy(trace);
}

int main(void) {
    test_persons();
    test_library();
    test_late_window();
    test_detours();
    test_cycle();
    test_companions();
    test_instances();
    test_weak();
    test_verdicts();
    test_without();
    test_failures();
    test_httpclient();
    test_javac();
    return test_finish();
}
