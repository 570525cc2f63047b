// fuzz_memray - whatever comes as a recording of memray is answered with steps or an error.
//
// Fed in pieces whose size the first byte says. Memory is bounded here. Lines are looked up in
// whatever the input has, too.
#include "engine/import/memray/memray.h"
#include "engine/import/memray/memray_records.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check(mc_result result, const mc_error *error) {
    require(result == MC_OK || result == MC_ERROR_BAD_DATA, "a result input must not lead to");
    require(result == MC_OK || error->message[0], "an error without a message");
}

static void read_steps(mc_memray *reader) {
    mc_step_tree tree = {0};
    mc_error error = {.code = MC_OK};
    bool is_there = true;
    int64_t last_ms = INT64_MIN;
    mc_result result = MC_OK;
    while (result == MC_OK && is_there) {
        result = mc_memray_next_step(reader, NULL, &tree, &is_there, &error);
        check(result, &error);
        if (result != MC_OK || !is_there) break;
        require(tree.time_ms > last_ms, "time that stands still");
        last_ms = tree.time_ms;
        for (size_t i = 0; i < tree.node_count; i++) {
            require(i == 0 || tree.nodes[i].parent < i, "a parent behind its child");
            require(tree.nodes[i].key_size > 0, "a node without a key");
        }
    }
    mc_step_tree_deinit(&tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size == 0) return 0;
    mc_profile_options options = {.depth = input[0] % 5, .moment_count = 1 + input[0] % 9};
    size_t piece = 1 + input[0] % 61;
    static const uint32_t pythons[] = {0x03090000, 0x030a0000, 0x030b0000};
    mc_span table = {(const char *)input, size};
    (void)mc_memray_find_line(pythons[input[0] % 3], table, 1, (int64_t)size);
    mc_memray *reader;
    mc_error error = {.code = MC_OK};
    bool is_cut;
    if (mc_memray_create(&options, 1 << 20, &reader, &error) != MC_OK) return 0;
    mc_result result = MC_OK;
    for (size_t at = 1; at < size && result == MC_OK; at += piece) {
        size_t count = size - at < piece ? size - at : piece;
        unsigned char *block = malloc(count);
        if (!block) break;
        memcpy(block, input + at, count);
        result = mc_memray_feed(reader, block, count, &error);
        check(result, &error);
        free(block);
    }
    if (result == MC_OK) result = mc_memray_finish(reader, &is_cut, &error);
    check(result, &error);
    if (result == MC_OK) read_steps(reader);
    mc_memray_destroy(reader);
    return 0;
}
