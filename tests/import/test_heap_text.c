// Heap profiles as text: what jemalloc, gperftools and Go wrote, and by hand; symbols of a program.
#include "engine/import/heaptext/heap_text.h"
#include "engine/import/heaptext/memory_map.h"
#include "engine/import/stacks/symbols.h"
#include "tests/import/profile_case.h"
#include <unistd.h>

static bool is_text(mc_span text, const char *wanted) {
    return text.size == strlen(wanted) &&
           (text.size == 0 || memcmp(text.at, wanted, text.size) == 0);
}

static mc_span span_of(const char *text) {
    return (mc_span){text, strlen(text)};
}

static mc_profile parse(const char *text) {
    mc_profile p = {.frames = NULL};
    mc_import_desc desc = {.path_count = 0};
    mc_profile_input input = {
        .data = (const unsigned char *)text, .size = strlen(text), .path = "x", .desc = &desc};
    CHECK_MSG(mc_heap_text_parse(&input, &p, &error) == MC_OK, "%s", error.message);
    return p;
}

static void test_rows(void) {
    mc_profile p = parse("heap profile: 3: 300 [4: 400] @ heapprofile\n"
                         "  2: 200 [ 3: 300] @ 0x1011 0x2001\n 1: 100 @ 0x99\n\nMAPPED_LIBRARIES:\n"
                         "1000-2000 r-xp 00000200 fe:00 12   /bin/shop\n2000-3000 rw-p 0 0:0 0 \n");
    REQUIRE(p.sample_count == 2 && p.frame_count == 3 && !p.steps[0].has_time);
    CHECK(p.values[0] == 2 && p.values[1] == 200 && p.values[2] == 3 && p.values[3] == 300);
    CHECK(p.values[4] == 1 && p.values[7] == 0);
    CHECK(is_text(p.frames[0].module, "/bin/shop") && p.frames[0].file_offset == 0x210 &&
          p.frames[0].address == 0x211 && p.frames[0].has_file_offset);
    CHECK(p.frames[1].module.size == 0 && p.frames[1].address == 0x2001);
    mc_profile_deinit(&p);
}

static void test_scale(void) {
    // One sample of 1,000 bytes at a rate of 4,096 stands for 1 / (1 - e^(-1000/4096)) of them.
    mc_profile p = parse("heap_v2/4096\n  t*: 1: 1000 [0: 0]\n@ 0x1\n  t*: 1: 1000 [0: 0]\n"
                         "  t0: 1: 1000 [0: 0]\n@ 0x2\n  t*: 2: 9000000 [0: 0]\n");
    CHECK(p.values[0] == 4 && p.values[1] == 4616 && p.values[4] == 2 && p.values[5] == 9000000);
    CHECK(p.sampling == 4096);
    mc_profile_deinit(&p);
    p = parse("heap profile: 1: 1000 [1: 1000] @ heap/8192\n1: 1000 [1: 1000] @ 0x1\n");
    CHECK(p.values[1] == 4616 && p.values[3] == 4616 && p.sampling == 4096);
    mc_profile_deinit(&p);
    p = parse("heap profile: 1: 1000 [1: 1000] @ heap_v2/1\n1: 1000 [1: 1000] @ 0x1\n");
    CHECK(p.values[1] == 1000 && p.sampling <= 1);
    mc_profile_deinit(&p);
}

static void test_symbols_in_file(void) {
    mc_profile p =
        parse("--- symbol\nbinary=/bin/shop\n0x20 main\n0x1f grow--add<00000000000011d9>\n---\n"
              "--- heap\nheap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x20 0x21\n");
    REQUIRE(p.sample_count == 1 && p.samples[0].frame_count == 3);
    CHECK(is_text(p.frames[p.stack_frames[0]].function, "grow"));
    CHECK(is_text(p.frames[p.stack_frames[1]].function, "add"));
    CHECK(is_text(p.frames[p.stack_frames[2]].function, "main"));
    mc_profile_deinit(&p);
    p = parse(
        "heap profile: 1: 8 [1: 8] @ heap/2\n1: 8 [1: 8] @ 0x20 0x21\n"
        "#\t0x1f\tmain.(*a).add+0x2\t\t./a.go:12\n#\t0x20\tmain.main+0x1\tx/b.go:3\n\n# remark\n");
    REQUIRE(p.sample_count == 1 && p.samples[0].frame_count == 2);
    const mc_site_frame *f = &p.frames[p.stack_frames[0]];
    CHECK(is_text(f->function, "main.(*a).add") && is_text(f->file, "./a.go") && f->line == 12);
    CHECK(is_text(p.frames[p.stack_frames[1]].file, "x/b.go"));
    mc_profile_deinit(&p);
}

static void check_bad(const char *text, const char *wanted) {
    check_bad_profile(mc_heap_text_parse, text, strlen(text), wanted);
}

static void test_bad(void) {
    check_bad("hello", "\"heap profile:\" or \"heap_v2/\"");
    check_bad("heap profile: 1: x\n", "OBJECTS: BYTES [OBJECTS: BYTES] @ KIND");
    check_bad("heap profile: 1: 1 [1: 1] @ heap/x\n", "a rate of sampling");
    check_bad("heap profile: 1: 1 [1: 1] @ a\nhello\n", "@ ADDRESSES");
    check_bad("heap profile: 1: 1 [1: 1] @ a\n1: 1 [1: 1] @ 0x1 hi\n", "an address");
    check_bad("heap_v2/x\n", "a rate of sampling");
    check_bad("heap_v2/9\n@ 0x1\n", "\"t*: OBJECTS");
    check_bad("heap_v2/9\nx\n", "\"@ ADDRESSES\"");
    check_bad("heap_v2/4611686018427387904\n@ 0x1\n t*: 9223372036854775807: 9 [0: 0]\n",
              "below 2^63 when scaled up");
    check_bad("--- symbol\n0xzz a\n", "an address");
    check_bad("--- symbol\n0x1 a\n---\nheap", "the profile behind its symbols");
    check_bad("--- symbol\n0x1 a\n---\n--- profile\n\1\2", "\"heap profile:\"");
}

// ---- symbols of this very program

__attribute__((noinline)) static const void *where_am_i(void) {
    return __builtin_return_address(0);
}

static mc_site_frame find_here(const void *address, mc_text *maps) {
    char line[4096];
    FILE *file = fopen("/proc/self/maps", "r");
    mc_memory_map map = {.count = 0};
    mc_site_frame frame = {.line = 0};
    REQUIRE(file);
    mc_text_append_string(maps, "\nMAPPED_LIBRARIES:\n");
    while (fgets(line, sizeof line, file))
        mc_text_append_string(maps, line);
    fclose(file);
    REQUIRE(mc_memory_map_read(&map, maps->data, maps->size));
    mc_memory_map_find(&map, (uint64_t)(uintptr_t)address - 1, (uint64_t)(uintptr_t)address,
                       &frame);
    mc_memory_map_deinit(&map);
    return frame;
}

static void check_symbols(const char *files, const char *profile_path, const mc_site_frame *address,
                          bool is_found) {
    mc_symbols *symbols;
    mc_site_frame found[MC_SYMBOLS_MOST];
    REQUIRE(mc_symbols_create(files, NULL, &symbols, &error) == MC_OK);
    for (int i = 0; i < 2; i++) {
        uint32_t count = mc_symbols_find(symbols, profile_path, address, found);
        CHECK_MSG((count > 0) == is_found, "%s %s: %" PRIu32, files ? files : "", profile_path,
                  count);
        if (count == 0) continue;
        CHECK(memmem(found[count - 1].function.at, found[count - 1].function.size, "test_symbols",
                     12) != NULL);
        CHECK(found[0].file.size > 16 &&
              memcmp(found[0].file.at + found[0].file.size - 16, "test_heap_text.c", 16) == 0);
    }
    mc_symbols_destroy(symbols);
}

__attribute__((noinline)) static void test_symbols(void) {
    mc_text maps = {0};
    mc_site_frame address = find_here(where_am_i(), &maps);
    char own[4096];
    ssize_t size = readlink("/proc/self/exe", own, sizeof own - 64);
    REQUIRE(size > 0 && address.has_file_offset);
    own[size] = '\0';
    char *slash = strrchr(own, '/');
    mc_span module = address.module;
    char elsewhere[4096];
    snprintf(elsewhere, sizeof elsewhere, "/nowhere/%s", slash + 1);
    address.module = span_of(elsewhere);
    check_symbols(own, "/tmp/x.heap", &address, true);   // named by the user
    check_symbols(NULL, "/tmp/x.heap", &address, false); // what the profile names is not opened
    address.module = module;
    check_symbols(NULL, "/tmp/x.heap", &address, false);
    snprintf(slash, 64, "/x.heap");
    check_symbols(NULL, own, &address, true); // beside the profile
    *slash = '\0';
    check_symbols(own, "/tmp/x.heap", &address, true); // a folder
    address.file_offset = UINT64_MAX;
    check_symbols(own, "/tmp/x.heap", &address, false);
    address.module = span_of("/a/..");
    check_symbols(own, "/tmp/x.heap", &address, false);
    mc_text_deinit(&maps);
}

int main(void) {
    test_rows();
    test_scale();
    test_symbols_in_file();
    test_bad();
    test_symbols();
    try_profile(mc_heap_text_parse, "jemalloc-2.heap");
    try_profile(mc_heap_text_parse, "gperftools-2.heap");
    try_profile(mc_heap_text_parse, "go-debug1.txt");
    return test_finish();
}
