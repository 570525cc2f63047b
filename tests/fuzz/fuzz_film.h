// fuzz_film.h - whatever comes as a recording of every allocation is answered with steps or an
// error.
//
// Fed in pieces whose size the first byte says; `before` goes before the input if that byte is odd.
// Memory is bounded here.
#pragma once
#include "engine/import/stacks/film_import.h"
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

static void read_steps(const mc_film_reader *film, void *recording) {
    mc_step_tree tree = {0};
    mc_error error = {.code = MC_OK};
    bool is_there = true;
    int64_t last_ms = INT64_MIN;
    mc_result result = MC_OK;
    while (result == MC_OK && is_there) {
        result = film->next_step(recording, NULL, &tree, &is_there, &error);
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

static void fuzz_film(const mc_film_reader *film, const char *before, const uint8_t *input,
                      size_t size) {
    mc_profile_options options = {.depth = input[0] % 5, .moment_count = 1 + input[0] % 9};
    const mc_film_source source = {.options = &options, .memory_most = 1 << 20};
    size_t piece = 1 + input[0] % 61;
    void *recording;
    mc_error error = {.code = MC_OK};
    bool is_cut;
    if (film->create(&source, &recording, &error) != MC_OK) return;
    mc_result result = MC_OK;
    if (input[0] % 2 && before[0])
        result = film->feed(recording, (const unsigned char *)before, strlen(before), &error);
    for (size_t at = 1; at < size && result == MC_OK; at += piece) {
        size_t count = size - at < piece ? size - at : piece;
        unsigned char *block = malloc(count);
        if (!block) break;
        memcpy(block, input + at, count);
        result = film->feed(recording, block, count, &error);
        check(result, &error);
        free(block);
    }
    if (result == MC_OK) result = film->finish(recording, &is_cut, &error);
    check(result, &error);
    if (result == MC_OK) read_steps(film, recording);
    film->destroy(recording);
}
