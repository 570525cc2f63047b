// fuzz_histogram - whatever comes as class histograms is answered with steps or errors.
//
// tests/data/histogram is a corpus. Texts lie in heap blocks of their exact size.
#include "engine/import/histogram/histogram.h"
#include "engine/import/format/step_times.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void read_all(mc_histogram_reader *reader, const unsigned char *data, size_t size,
                     bool partial) {
    mc_step_tree tree = {0};
    mc_histogram histogram;
    bool is_there = true;
    uint64_t end = 0;
    mc_histogram_reader_begin(reader, data, size);
    while (is_there) {
        mc_error error = {.code = MC_OK};
        mc_result result =
            mc_histogram_reader_next(reader, partial, &is_there, &histogram, &tree, &error);
        require(result == MC_OK || result == MC_ERROR_BAD_DATA, "a result input must not lead to");
        require(result == MC_OK || (error.message[0] && (error.byte_offset <= size ||
                                                         error.byte_offset == MC_ERROR_NO_OFFSET)),
                "an error without a message or place");
        if (result != MC_OK || !is_there) continue;
        require(histogram.offset >= end && histogram.offset < size, "a histogram out of place");
        end = histogram.offset + 1;
        for (size_t i = 0; i < tree.node_count; i++) {
            require(i == 0 || tree.nodes[i].parent < i, "a parent behind its child");
            require(tree.nodes[i].key_size > 0, "a node without a key");
            require(tree.nodes[i].objects <= MC_COUNT_MAX, "a count too large");
        }
    }
    mc_step_tree_deinit(&tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    static const char *const criteria[] = {"package,type", "module,loader", "type"};
    if (size == 0) return 0;
    mc_grouping grouping;
    mc_histogram_reader *reader;
    mc_step_times times = {0};
    mc_error error;
    require(mc_grouping_parse(criteria[input[0] % 3], &grouping, &error) == MC_OK, "a grouping");
    unsigned char *data = malloc(size);
    if (!data || mc_histogram_reader_create(&grouping, &reader, &error) != MC_OK) return 0;
    memcpy(data, input, size);
    mc_histogram_detect(data, size);
    read_all(reader, data, size, false);
    read_all(reader, data, size, true);
    (void)mc_step_times_parse(&times, (const char *)data, size, &error);
    mc_step_times_deinit(&times);
    mc_histogram_reader_destroy(reader);
    free(data);
    return 0;
}
