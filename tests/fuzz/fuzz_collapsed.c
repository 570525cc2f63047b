// fuzz_collapsed - whatever comes as collapsed stacks is answered with a step or an error.
//
// tests/data/collapsed is a corpus. Texts lie in heap blocks of their exact size.
#include "engine/import/collapsed/collapsed.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void read_as(mc_stacks_form form, const unsigned char *data, size_t size) {
    mc_collapsed_reader *reader;
    mc_step_tree tree = {0};
    mc_error error = {.code = MC_OK};
    if (mc_collapsed_reader_create(form, 10, &reader, &error) != MC_OK) return;
    mc_result result = mc_collapsed_reader_read(reader, data, size, &tree, &error);
    require(result == MC_OK || result == MC_ERROR_BAD_DATA, "a result input must not lead to");
    require(result == MC_OK || (error.message[0] && error.byte_offset <= size),
            "an error without a message or place");
    for (size_t i = 0; result == MC_OK && i < tree.node_count; i++) {
        require(i == 0 || tree.nodes[i].parent < i, "a parent behind its child");
        require(tree.nodes[i].key_size > 0, "a node without a key");
        require(tree.nodes[i].bytes <= MC_COUNT_MAX, "a count too large");
    }
    mc_step_tree_deinit(&tree);
    mc_collapsed_reader_destroy(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size == 0) return 0;
    unsigned char *data = malloc(size);
    if (!data) return 0;
    memcpy(data, input, size);
    mc_collapsed_detect(data, size);
    for (int form = 0; form < MC_STACKS_FORM_COUNT; form++)
        read_as((mc_stacks_form)form, data, size);
    free(data);
    return 0;
}
