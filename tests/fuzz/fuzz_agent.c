// fuzz_agent - whatever comes as an agent's stream is answered with steps or errors.
//
// The first byte chooses how the stream is cut into pieces. tests/data/agent is a corpus.
#include "engine/base/memory.h"
#include "engine/live/agent/site_steps.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check_tree(mc_site_steps *steps, int64_t *last_ms) {
    mc_step_tree tree = {0};
    mc_error error = {.code = MC_OK};
    mc_result result = mc_site_steps_fill_tree(steps, &tree, &error);
    require(result == MC_OK || result == MC_ERROR_BAD_DATA, "a result input must not lead to");
    if (result == MC_OK) {
        require(tree.node_count > 0 && tree.time_ms > *last_ms, "no root, or no later time");
        *last_ms = tree.time_ms;
    }
    for (size_t i = 1; i < tree.node_count && result == MC_OK; i++) {
        require(tree.nodes[i].parent < i, "a parent behind its child");
        require(tree.nodes[i].key_size > 0, "a node without a key");
        require(tree.nodes[i].objects <= MC_COUNT_MAX, "a count too large");
    }
    mc_step_tree_deinit(&tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size == 0) return 0;
    mc_agent_stream stream = {0};
    mc_agent_names names = {0};
    mc_site_steps *steps;
    mc_error error = {.code = MC_OK};
    mc_site_desc desc = {
        .names = &names, .domains = input[0] & 1 ? "com.*" : NULL, .every_ns = 1000000000};
    if (mc_site_steps_create(&desc, &steps, &error) != MC_OK) return 0;
    size_t piece = input[0] ? input[0] : size, at = 1;
    int64_t last_ms = INT64_MIN;
    mc_result result = MC_OK;
    while (at < size && result == MC_OK) {
        size_t room, count = size - at < piece ? size - at : piece;
        unsigned char *bytes = mc_agent_stream_get_room(&stream, &room);
        require(bytes && room > 0, "no room");
        if (count > room) count = room;
        memcpy(bytes, input + at, count);
        mc_agent_stream_add(&stream, count);
        at += count;
        mc_agent_event event;
        bool is_there = true;
        while (result == MC_OK && is_there) {
            result = mc_agent_stream_next(&stream, &event, &is_there, &error);
            if (result != MC_OK || !is_there) break;
            if (mc_site_steps_is_due(steps, &event)) check_tree(steps, &last_ms);
            result = mc_agent_names_take(&names, &event, &error);
            if (result == MC_OK) result = mc_site_steps_take(steps, &event, &error);
        }
    }
    require(result == MC_OK || result == MC_ERROR_BAD_DATA || result == MC_ERROR_UNSUPPORTED,
            "a result input must not lead to");
    require(result == MC_OK || (error.message[0] && error.byte_offset <= size),
            "an error without a message or place");
    check_tree(steps, &last_ms);
    mc_site_steps_destroy(steps);
    mc_agent_names_deinit(&names);
    mc_agent_stream_deinit(&stream);
    return 0;
}
