// fuzz_heaptrack - whatever comes as a recording of heaptrack is answered with steps or an error.
//
// Fed in pieces whose size the first byte says; the first bytes of the recording itself may be
// missing in the input. Memory is bounded here.
#include "engine/import/heaptrack/heaptrack.h"
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

static void read_steps(mc_heaptrack *reader) {
    mc_step_tree tree = {0};
    mc_error error = {.code = MC_OK};
    bool is_there = true;
    int64_t last_ms = INT64_MIN;
    mc_result result = MC_OK;
    while (result == MC_OK && is_there) {
        result = mc_heaptrack_next_step(reader, NULL, &tree, &is_there, &error);
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
    static const unsigned char version[] = "v 10400 3\n";
    if (size == 0) return 0;
    mc_profile_options options = {.depth = input[0] % 5, .moment_count = 1 + input[0] % 9};
    size_t piece = 1 + input[0] % 61;
    mc_heaptrack *reader;
    mc_error error = {.code = MC_OK};
    bool is_cut;
    if (mc_heaptrack_create(&options, 1 << 20, &reader, &error) != MC_OK) return 0;
    mc_heaptrack_detect(input, size);
    mc_result result = MC_OK;
    if (input[0] % 2) result = mc_heaptrack_feed(reader, version, sizeof version - 1, &error);
    for (size_t at = 1; at < size && result == MC_OK; at += piece) {
        size_t count = size - at < piece ? size - at : piece;
        unsigned char *block = malloc(count);
        if (!block) break;
        memcpy(block, input + at, count);
        result = mc_heaptrack_feed(reader, block, count, &error);
        check(result, &error);
        free(block);
    }
    if (result == MC_OK) result = mc_heaptrack_finish(reader, &is_cut, &error);
    check(result, &error);
    if (result == MC_OK) read_steps(reader);
    mc_heaptrack_destroy(reader);
    return 0;
}
