// Whose code a frame is, and how stacks become sites and callers.
#include "engine/base/memory.h"
#include "engine/import/stacks/stack_sites.h"
#include "engine/trace/build/trace_builder.h"
#include "tests/random.h"
#include "tests/trace_equal.h"
#include <inttypes.h>

static mc_error error;
static mc_step_tree tree;

static mc_span span(const char *text) {
    return (mc_span){text, text ? strlen(text) : 0};
}

// ---- kinds

static void check_kind(const char *function, const char *file, const char *module,
                       mc_frame_kind wanted) {
    mc_frame_kind found = mc_frame_kind_find(span(function), span(file), span(module));
    CHECK_MSG(found == wanted, "%s %s %s: %d", function, file ? file : "", module ? module : "",
              (int)found);
}

static void test_kinds(void) {
    static const char *const allocators[] = {"malloc",
                                             "calloc",
                                             "operator new(unsigned long)",
                                             "operator new[](unsigned long)",
                                             "realloc",
                                             "__libc_malloc",
                                             "__rust_alloc",
                                             "runtime.mallocgc",
                                             "je_malloc"};
    for (size_t i = 0; i < sizeof allocators / sizeof *allocators; i++)
        check_kind(allocators[i], NULL, NULL, MC_FRAME_ALLOCATOR);
    check_kind("malloc_trim_all", NULL, NULL, MC_FRAME_PROGRAM);
    check_kind("allocate", "vg_replace_malloc.c", NULL, MC_FRAME_ALLOCATOR);
    check_kind("__libc_start_main@@GLIBC_2.34", NULL, NULL, MC_FRAME_START);
    check_kind("runtime.goexit", "runtime/asm_amd64.s", NULL, MC_FRAME_START);
    check_kind("main", "main.c", NULL, MC_FRAME_PROGRAM);

    check_kind("std::vector<int, std::allocator<int> >::push_back(int const&)", NULL, NULL,
               MC_FRAME_LIBRARY);
    check_kind("void std::vector<Shop>::_M_realloc_insert<Shop>(int, Shop&&)", NULL, NULL,
               MC_FRAME_LIBRARY);
    check_kind("std::vector<int> shop::load<int>(std::string)", NULL, NULL, MC_FRAME_PROGRAM);
    check_kind("std::map<int, int>* shop::make<int>()", NULL, NULL, MC_FRAME_PROGRAM);
    check_kind("shop::add(std::vector<int>)", NULL, NULL, MC_FRAME_PROGRAM);
    check_kind("(anonymous namespace)::add(int)", NULL, NULL, MC_FRAME_PROGRAM);
    check_kind("Shop::operator new(unsigned long)", NULL, NULL, MC_FRAME_PROGRAM);
    check_kind("<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend", NULL, NULL,
               MC_FRAME_LIBRARY);
    check_kind("<shop::Cart as core::clone::Clone>::clone", NULL, NULL, MC_FRAME_PROGRAM);
    check_kind("fmt.Sprintf", "/usr/lib/go-1.19/src/fmt/print.go", NULL, MC_FRAME_LIBRARY);
    check_kind("net/http.(*conn).serve", "net/http/server.go", NULL, MC_FRAME_LIBRARY);
    check_kind("acme.com/shop/net.Dial", "shop/net.go", NULL, MC_FRAME_PROGRAM);
    check_kind("time", "/app/time.py", NULL, MC_FRAME_PROGRAM);
    check_kind("time.parse", "/app/time.py", NULL, MC_FRAME_PROGRAM);
    check_kind("acme.com/shop.load", "/root/go/pkg/mod/acme.com/shop@v1/a.go", NULL,
               MC_FRAME_LIBRARY);
    check_kind("java.util.HashMap.put", "HashMap.java", NULL, MC_FRAME_LIBRARY);
    check_kind(NULL, "/usr/lib/python3.11/json/decoder.py", NULL, MC_FRAME_LIBRARY);
    check_kind(NULL, "/app/lib/python/shop.py", NULL, MC_FRAME_PROGRAM);
    check_kind(NULL, "/app/venv/lib/python3.11/site-packages/flask/app.py", NULL, MC_FRAME_LIBRARY);
    check_kind("open", NULL, "/usr/lib/x86_64-linux-gnu/libsqlite3.so.0", MC_FRAME_LIBRARY);
    check_kind("Compile::Compile", NULL, "libjvm.so", MC_FRAME_LIBRARY);
    check_kind("os::malloc", NULL, "libjvm.so", MC_FRAME_ALLOCATOR);
    check_kind("os::malloc", NULL, "libshop.so", MC_FRAME_PROGRAM);
    check_kind("malloc_hook", NULL, "libasyncProfiler.so", MC_FRAME_ALLOCATOR);
    check_kind("malloc_hook", NULL, "/opt/shop/libhook.so", MC_FRAME_PROGRAM);
    check_kind("rocksdb::Arena::AllocateNewBlock", NULL, "librocksdbjni.so", MC_FRAME_PROGRAM);
    check_kind("open", NULL, "/opt/shop/bin/shop", MC_FRAME_PROGRAM);
    check_kind("allocate", "new_allocator.h", NULL, MC_FRAME_ALLOCATOR);
    check_kind("std::__new_allocator<int>::allocate(unsigned long, void const*)", NULL, NULL,
               MC_FRAME_ALLOCATOR);
    check_kind("operator/", "fs_path.h", NULL, MC_FRAME_LIBRARY);
    check_kind("_M_insert_state", "regex_automaton.h", NULL, MC_FRAME_LIBRARY);
    check_kind("__fopen_internal", "iofopen.c", NULL, MC_FRAME_LIBRARY);
    check_kind("__fopen_internal", "src/shop.c", NULL, MC_FRAME_PROGRAM);
    check_kind("sort", "list.c", NULL, MC_FRAME_PROGRAM);
    check_kind("sort", "list", NULL, MC_FRAME_LIBRARY);
    check_kind("add", "map.cpp", NULL, MC_FRAME_PROGRAM);
    check_kind("add", "hashtable.c", NULL, MC_FRAME_PROGRAM);
    check_kind("find", "hashtable_policy.h", NULL, MC_FRAME_LIBRARY);
    check_kind("_M_insert", "stl_tree.h", NULL, MC_FRAME_LIBRARY);
    check_kind("add", "shop/stl_tree.h", NULL, MC_FRAME_PROGRAM);
    check_kind("add", "mapper.c", NULL, MC_FRAME_PROGRAM);
    check_kind(NULL, NULL, NULL, MC_FRAME_LIBRARY);
}

// ---- names

static void check_name(mc_site_frame frame, const char *key, const char *name) {
    mc_text text = {0};
    mc_site_frame_append(&frame, true, &text);
    CHECK_MSG(strcmp(mc_text_get(&text), key) == 0, "%s: %s", key, mc_text_get(&text));
    mc_text_clear(&text);
    mc_site_frame_append(&frame, false, &text);
    CHECK_MSG(strcmp(mc_text_get(&text), name) == 0, "%s: %s", name, mc_text_get(&text));
    mc_text_deinit(&text);
}

static void test_names(void) {
    check_name((mc_site_frame){.function = span("add"), .file = span("/a/b/shop.c"), .line = 7},
               "add (/a/b/shop.c:7)", "add (shop.c:7)");
    check_name((mc_site_frame){.function = span("add"), .file = span("shop.c")}, "add (shop.c)",
               "add (shop.c)");
    check_name((mc_site_frame){.function = span("add"), .module = span("/lib/libshop.so")},
               "add (libshop.so)", "add (libshop.so)");
    check_name((mc_site_frame){.file = span("/a/b/shop.py"), .line = 3}, "/a/b/shop.py:3",
               "b/shop.py:3");
    check_name((mc_site_frame){.function = span("f"), .file = span("/a/b/__init__.py"), .line = 3},
               "f (/a/b/__init__.py:3)", "f (b/__init__.py:3)");
    check_name((mc_site_frame){.address = 0x1f, .module = span("/bin/shop")}, "0x1f (shop)",
               "0x1f (shop)");
    check_name((mc_site_frame){.address = 0x1f}, "0x1f", "0x1f");
    check_name((mc_site_frame){.module = span("/bin/shop")}, "(shop)", "(shop)");
    check_name((mc_site_frame){.line = 0}, "(unknown)", "(unknown)");
}

// ---- sites

static mc_stack_sites *make_sites(uint32_t depth, bool has_libraries) {
    mc_stack_sites_desc desc = {.metrics = {MC_SITES_OBJECTS, MC_SITES_BYTES},
                                .depth = depth,
                                .has_libraries = has_libraries};
    mc_stack_sites *sites;
    REQUIRE(mc_stack_sites_create(&desc, &sites, &error) == MC_OK);
    return sites;
}

// A stack of functions, the innermost first, separated by blanks.
static void count(mc_stack_sites *sites, const char *stack, uint64_t objects, uint64_t bytes) {
    uint32_t frames[16], frame_count = 0;
    while (*stack) {
        size_t size = strcspn(stack, " ");
        mc_site_frame frame = {.function = {stack, size}};
        frames[frame_count++] = mc_stack_sites_add_frame(sites, &frame);
        stack += size + (stack[size] == ' ');
    }
    uint32_t group = mc_stack_sites_find(sites, frames, frame_count, NULL, 0);
    uint64_t values[] = {objects, bytes};
    REQUIRE(group != MC_NONE && mc_stack_sites_count(sites, group, values, 0));
}

static uint32_t find_node(const char *path) {
    uint32_t node = 0;
    while (*path) {
        size_t size = strcspn(path, "#");
        uint32_t found = MC_NONE;
        for (uint32_t i = 1; i < tree.node_count; i++)
            if (tree.nodes[i].parent == node && tree.nodes[i].key_size == size &&
                memcmp(tree.text.data + tree.nodes[i].key_offset, path, size) == 0)
                found = i;
        if (found == MC_NONE) return MC_NONE;
        node = found;
        path += size + (path[size] == '#');
    }
    return node;
}

static void check_bytes(const char *path, uint64_t wanted) {
    uint32_t node = find_node(path);
    CHECK_MSG(node != MC_NONE && tree.nodes[node].bytes == wanted, "%s: %" PRIu64, path,
              node == MC_NONE ? 0 : tree.nodes[node].bytes);
}

static void count_some(mc_stack_sites *sites) {
    count(sites, "malloc std::string::append add main __libc_start_main", 1, 10);
    count(sites, "operator add main", 2, 20);
    count(sites, "malloc std::a std::b", 1, 5);
    count(sites, "malloc calloc", 1, 3);
    count(sites, "", 1, 2);
    REQUIRE(mc_stack_sites_fill_tree(sites, &tree, &error) == MC_OK);
}

static void test_sites(void) {
    mc_stack_sites *sites = make_sites(0, false);
    count_some(sites);
    check_bytes("", 40);
    check_bytes("add#main", 10);
    check_bytes("operator#add#main", 20);
    check_bytes("std::a#std::b", 5); // nothing of the program's
    check_bytes("malloc#calloc", 3);
    check_bytes("(unknown)", 2);
    CHECK(tree.nodes[0].objects == 6 && tree.metrics.count == 0);
    // The next step has what is counted then.
    count(sites, "add main", 1, 1);
    REQUIRE(mc_stack_sites_fill_tree(sites, &tree, &error) == MC_OK);
    check_bytes("", 1);
    CHECK(find_node("std::a") == MC_NONE);
    mc_stack_sites_destroy(sites);

    sites = make_sites(2, true);
    count_some(sites);
    check_bytes("std::string::append#add", 10);
    CHECK(find_node("std::string::append#add#main") == MC_NONE);
    mc_stack_sites_destroy(sites);
}

// Where libraries without names allocate for themselves, the first name is the site.
static void test_unnamed(void) {
    mc_stack_sites *sites = make_sites(0, false);
    mc_site_frame stack[] = {{.function = span("malloc")},
                             {.address = 0x7b9, .module = span("/lib/libstdc++.so.6")},
                             {.function = span("call_init"), .file = span("dl-init.c")},
                             {.address = 0x10, .module = span("/opt/shop")}};
    uint32_t frames[4];
    uint64_t values[] = {1, 7};
    for (int i = 0; i < 4; i++)
        frames[i] = mc_stack_sites_add_frame(sites, &stack[i]);
    uint32_t alone = mc_stack_sites_find(sites, frames, 2, NULL, 0);
    REQUIRE(mc_stack_sites_count(sites, alone, values, 0));
    uint32_t named = mc_stack_sites_find(sites, frames, 3, NULL, 0);
    REQUIRE(mc_stack_sites_count(sites, named, values, 0));
    uint32_t own = mc_stack_sites_find(sites, frames, 4, NULL, 0);
    REQUIRE(mc_stack_sites_count(sites, own, values, 0));
    REQUIRE(mc_stack_sites_fill_tree(sites, &tree, &error) == MC_OK);
    check_bytes("0x7b9 (libstdc++.so.6)", 7);
    check_bytes("call_init (dl-init.c)", 7);
    check_bytes("0x10 (shop)", 7); // the program's, without a name
    mc_stack_sites_destroy(sites);
}

static void test_labels(void) {
    mc_stack_sites *sites = make_sites(0, false);
    mc_site_frame frame = {.function = span("add")};
    uint32_t number = mc_stack_sites_add_frame(sites, &frame);
    for (uint32_t i = 0; i < 100; i++) {
        char value[16];
        snprintf(value, sizeof value, "%" PRIu32, i);
        mc_site_label labels[] = {{span("thread"), span(value)}, {span("Site"), span("x")}};
        uint32_t group = mc_stack_sites_find(sites, &number, 1, labels, 2);
        uint64_t values[] = {1, 10};
        REQUIRE(group != MC_NONE && mc_stack_sites_count(sites, group, values, 0));
    }
    REQUIRE(mc_stack_sites_fill_tree(sites, &tree, &error) == MC_OK);
    check_bytes("add", 1000);
    check_bytes("add#63", 10);
    check_bytes("add#(others)", 360);
    CHECK(tree.roles.count == 3 && strcmp(mc_strings_get(&tree.roles, 2, NULL), "thread") == 0);
    CHECK(tree.nodes[find_node("add#63")].role == 2);
    // More classifiers than there may be are left out.
    for (uint32_t i = 0; i < 20; i++) {
        char key[16];
        snprintf(key, sizeof key, "key%" PRIu32, i);
        mc_site_label label = {span(key), span("")};
        CHECK(mc_stack_sites_find(sites, &number, 1, &label, 1) != MC_NONE);
    }
    mc_stack_sites_destroy(sites);
}

// ---- series

enum { SERIES_STEPS = 40, SERIES_STACKS = 60 };

static mc_stack_sites *make_series_sites(bool is_real) {
    static const mc_path_metric whole = MC_SITES_ALLOCATED_BYTES;
    static const mc_path_metric real = {"held", "time held", MC_UNIT_TIME, true, MC_METRIC_STOCK};
    mc_stack_sites_desc desc = {
        .metrics = {MC_SITES_OBJECTS, MC_SITES_BYTES, is_real ? real : whole}};
    mc_stack_sites *sites;
    REQUIRE(mc_stack_sites_create(&desc, &sites, &error) == MC_OK);
    return sites;
}

// Frames of which several are called the same, and some are the allocator's or a library's.
static mc_site_frame make_frame(uint32_t number) {
    static const char *const functions[] = {"add", "add", "load", "malloc", "std::map", "main"};
    return (mc_site_frame){.function = span(functions[number % 6]),
                           .file = span(number % 4 == 0 ? "a/shop.c" : "b/shop.c"),
                           .line = number / 12,
                           .address = number % 5};
}

static void count_made(mc_stack_sites *sites, uint32_t stack, uint32_t step, bool is_again) {
    bool is_real = step / 5 % 2 == 0;
    uint64_t state = stack, values[] = {stack % 7, stack % 4 ? 100 * step + stack : 0,
                                        is_real ? mc_metric_pack(stack) : stack};
    uint32_t frames[12], count = (uint32_t)(test_random(&state) % 12);
    mc_stack_id id = {{0, 0}};
    for (uint32_t i = 0; i < count; i++) {
        mc_site_frame frame = make_frame((uint32_t)(test_random(&state) % 40));
        mc_stack_id frame_id = mc_stack_id_of_frame(&frame);
        frames[i] = mc_stack_sites_add_frame(sites, &frame);
        mc_stack_id_add_frame(&id, i, &frame_id);
    }
    mc_site_label label = {span("thread"), span(stack % 2 ? "1" : "2")};
    uint32_t group = is_again ? mc_stack_sites_find_known(sites, &id) : MC_NONE;
    if (group == MC_NONE) {
        group = mc_stack_sites_find(sites, frames, count, NULL, 0);
        REQUIRE(!is_again || mc_stack_sites_note(sites, &id, group));
    }
    group = mc_stack_sites_find_labels(sites, group, &label, stack % 3 == 0);
    REQUIRE(group != MC_NONE && mc_stack_sites_count(sites, group, values, stack));
}

static void forget_series(void) {
    tree.series = tree.shape = 0;
    tree.is_summed = false;
}

// A trace of two series whose steps come by turns; most steps have the same stacks in the same
// order, every other one those of the step before. A step with a time that was there fails in
// between, and what it had first comes later.
static mc_trace *make_series(bool is_again, bool is_series) {
    mc_stack_sites *series[] = {make_series_sites(true), make_series_sites(false)};
    mc_trace_builder *builder;
    mc_trace *trace;
    uint64_t shape = 0;
    uint32_t alike_count = 0;
    REQUIRE(mc_trace_builder_create(NULL, &builder, &error) == MC_OK);
    for (uint32_t step = 0; step < SERIES_STEPS; step++) {
        mc_stack_sites *sites = series[step / 5 % 2];
        for (uint32_t i = 0; i < SERIES_STACKS; i++) {
            uint32_t stack = step % 6 == 5 ? SERIES_STACKS - i : i;
            if (stack > 20 + step / 2 || (stack + step / 2) % 11 == 0) continue;
            count_made(sites, stack, step, is_again);
        }
        REQUIRE(mc_stack_sites_fill_tree(sites, &tree, &error) == MC_OK);
        CHECK(tree.series != 0 && tree.group_count == tree.node_count);
        CHECK(tree.shape != 0);
        alike_count += tree.shape == shape;
        shape = tree.shape;
        if (!is_series) forget_series();
        tree.time_ms = step;
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "made", &error) == MC_OK);
        for (uint32_t stack = 0; step % 7 == 3 && stack < 30 + step; stack++)
            count_made(sites, stack, step, is_again);
        if (step % 7 != 3) continue;
        REQUIRE(mc_stack_sites_fill_tree(sites, &tree, &error) == MC_OK);
        if (!is_series) forget_series();
        tree.time_ms = 1000 + step;
        tree.shape = 0;
        tree.nodes[tree.node_count - 1] = tree.nodes[tree.node_count - 2]; // a sibling's key
        tree.groups[tree.node_count - 1] = tree.groups[tree.node_count - 2];
        CHECK(mc_trace_builder_add_step(builder, &tree, "bad", &error) == MC_ERROR_BAD_DATA);
    }
    CHECK(alike_count > SERIES_STEPS / 10 || !is_series);
    REQUIRE(mc_trace_builder_finish(builder, &trace, &error) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_stack_sites_destroy(series[0]);
    mc_stack_sites_destroy(series[1]);
    return trace;
}

// Whatever differs in a frame tells it from others, and so does its place in a stack.
static void test_ids(void) {
    static const char text[] = "a frame's name of some forty bytes, or more than that";
    const char other[] = "A frame's name of some forty bytes, or more than that";
    mc_stack_id ids[2000];
    size_t count = 0;
    for (size_t size = 0; size < sizeof text; size++)
        for (int part = 0; part < 3; part++)
            for (int way = 0; way < 4; way++) {
                mc_site_frame frame = {.line = way == 2 ? 7 : 0, .address = way == 3 ? 7 : 0};
                mc_span name = {way == 1 ? other : text, size};
                *(part == 0 ? &frame.function : part == 1 ? &frame.file : &frame.module) = name;
                // Without a name all three are one frame; the first letter is what differs.
                if (size == 0 && (part > 0 || way == 1)) continue;
                // A line without a file, and an address of what has a name, are not shown.
                if ((way == 2 && (part != 1 || size == 0)) || (way == 3 && part < 2 && size > 0))
                    continue;
                ids[count++] = mc_stack_id_of_frame(&frame);
            }
    for (uint32_t size = 1; size < 40; size++)
        for (uint32_t way = 0; way < size; way++) {
            mc_stack_id stack = {{0, 0}};
            for (uint32_t at = 0; at < size; at++)
                mc_stack_id_add_frame(&stack, at, &ids[at == way ? 1 : 0]);
            ids[count++] = stack;
        }
    REQUIRE(count <= sizeof ids / sizeof *ids);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            CHECK_MSG(ids[i].halves[0] != ids[k].halves[0] && ids[i].halves[1] != ids[k].halves[1],
                      "%zu and %zu", i, k);
    // A program that was started anew.
    mc_site_frame here = {.function = span("add"), .address = 4096}, there = here;
    there.address = 8192;
    mc_stack_id before = mc_stack_id_of_frame(&here), after = mc_stack_id_of_frame(&there);
    CHECK(memcmp(&before, &after, sizeof before) == 0);
    // The same names elsewhere in memory.
    char copy[sizeof text];
    memcpy(copy, text, sizeof text);
    mc_site_frame a = {.function = span(text)}, b = {.function = {copy, strlen(text)}};
    mc_stack_id one = mc_stack_id_of_frame(&a), same = mc_stack_id_of_frame(&b);
    CHECK(memcmp(&one, &same, sizeof one) == 0);
}

// What is known from the steps before changes nothing.
static void test_series(void) {
    mc_trace *looked_up = make_series(false, false);
    for (int way = 1; way < 4; way++) {
        mc_trace *trace = make_series(way & 1, way & 2);
        check_equal_traces(looked_up, trace);
        mc_trace_destroy(trace);
    }
    mc_trace_destroy(looked_up);
}

static void test_too_much(void) {
    mc_stack_sites *sites = make_sites(0, false);
    uint64_t values[] = {1, MC_COUNT_MAX};
    uint32_t group = mc_stack_sites_find_named(sites, 0, "(below)");
    CHECK(mc_stack_sites_count(sites, group, values, 0));
    CHECK(!mc_stack_sites_count(sites, group, values, 0));
    mc_stack_sites_clear(sites);
    CHECK(mc_stack_sites_count(sites, group, values, 0));
    mc_stack_sites_destroy(sites);
}

static void test_memory(void) {
    for (uint64_t n = 0;; n++) {
        mc_stack_sites_desc desc = {.metrics = {MC_SITES_BYTES}};
        mc_stack_sites *sites = NULL;
        mc_site_frame frame = {.function = span("add"), .file = span("a/shop.c"), .line = 3};
        mc_site_label label = {span("thread"), span("1")};
        mc_step_tree own = {0};
        uint64_t value = 5;
        mc_memory_fail_after(n);
        mc_result result = mc_stack_sites_create(&desc, &sites, &error);
        uint32_t number = result == MC_OK ? mc_stack_sites_add_frame(sites, &frame) : MC_NONE;
        uint32_t group =
            number == MC_NONE ? MC_NONE : mc_stack_sites_find(sites, &number, 1, &label, 1);
        mc_stack_id id = mc_stack_id_of_number(number);
        if (group != MC_NONE && !mc_stack_sites_note(sites, &id, group)) group = MC_NONE;
        bool is_done = group != MC_NONE && mc_stack_sites_count(sites, group, &value, 0) &&
                       mc_stack_sites_fill_tree(sites, &own, &error) == MC_OK;
        mc_memory_fail_after(UINT64_MAX);
        mc_step_tree_deinit(&own);
        mc_stack_sites_destroy(sites);
        if (is_done) break;
        REQUIRE(n < 1000);
    }
}

int main(void) {
    test_kinds();
    test_names();
    test_sites();
    test_unnamed();
    test_labels();
    test_ids();
    test_series();
    test_too_much();
    test_memory();
    mc_step_tree_deinit(&tree);
    return test_finish();
}
