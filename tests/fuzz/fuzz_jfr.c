// fuzz_jfr - whatever comes as a JFR recording is answered with steps or an error.
//
// tests/data/jfr is the corpus. The input lies in a heap block of its exact size.
#include "engine/import/jfr/jfr_steps.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check_paths(const mc_step_paths *paths, const mc_step_tree *tree) {
    for (size_t i = 0; i < paths->path_count; i++)
        require(paths->paths[i].parent == MC_NONE || paths->paths[i].parent < i,
                "a path before its parent");
    for (size_t i = 0; i < paths->sum_count; i++) {
        require(paths->sums[i].node < tree->node_count, "a node that is not there");
        require(paths->sums[i].path < paths->path_count, "a path that is not there");
    }
}

static void make_steps(const mc_jfr *jfr, const mc_profile_options *options) {
    mc_step_tree tree = {0};
    mc_step_paths paths = {0};
    mc_jfr_steps *steps;
    mc_error error = {.code = MC_OK};
    mc_result result = mc_jfr_steps_create(jfr, options, &steps, &error);
    require(result == MC_OK, "no steps");
    for (uint32_t i = 0; i < jfr->moment_count && result == MC_OK; i++) {
        result = mc_jfr_steps_fill(steps, i, &tree, &paths, &error);
        require(result == MC_OK || result == MC_ERROR_BAD_DATA, "a result input must not lead to");
        if (result == MC_OK) check_paths(&paths, &tree);
    }
    mc_jfr_steps_destroy(steps);
    mc_step_tree_deinit(&tree);
    mc_step_paths_deinit(&paths);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    const mc_profile_options options = {.depth = 4, .moment_count = 3};
    mc_jfr jfr = {.moments = NULL};
    mc_error error = {.code = MC_OK};
    unsigned char *data = malloc(size + 1);
    if (!data) return 0;
    if (size > 0) memcpy(data + 1, input, size);
    mc_jfr_detect(data + 1, size);
    mc_result result = mc_jfr_read(&jfr, data + 1, size, &options, NULL, &error);
    require(result == MC_OK || result == MC_ERROR_BAD_DATA, "a result input must not lead to");
    require(result == MC_OK || error.message[0], "an error without a message");
    require(result == MC_OK || error.byte_offset <= size || error.byte_offset == MC_ERROR_NO_OFFSET,
            "an error out of place");
    if (result == MC_OK) make_steps(&jfr, &options);
    mc_jfr_deinit(&jfr);
    free(data);
    return 0;
}
