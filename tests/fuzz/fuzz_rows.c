// fuzz_rows - whatever comes as rows is answered with steps or an error.
//
// tests/data/rows is a corpus. The first byte says how the rest is read. Texts lie in heap blocks
// of their exact size.
#include "engine/import/rows/rows_detect.h"
#include "engine/import/rows/rows_order.h"
#include "engine/import/rows/rows_references.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

enum { AS_TSV = 1, AS_CSV = 2, WITH_CLASSIFIERS = 4, WITH_METRICS = 8, PARTIAL = 16, SORTED = 32 };

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check_tree(const mc_step_tree *tree) {
    require(tree->node_count > 0, "a step without a root");
    for (size_t i = 0; i < tree->node_count; i++) {
        const mc_step_entry *node = &tree->nodes[i];
        require(i == 0 ? node->parent == MC_NONE : node->parent < i, "a parent behind its child");
        require((size_t)node->key_offset + node->key_size <= tree->text.size, "a key outside");
        require(node->objects <= MC_COUNT_MAX && node->bytes <= MC_COUNT_MAX, "a count too large");
        require(node->role == MC_NONE || node->role < tree->roles.count, "a role outside");
        for (uint32_t k = 0; k < tree->metrics.count; k++) {
            uint64_t value = mc_step_tree_get_value(tree, k, i);
            require(value <= mc_metric_get_most(&tree->metrics.items[k]) ||
                        value == MC_COUNT_UNKNOWN,
                    "a value too large");
        }
    }
}

static mc_rows_source get_source(const unsigned char *data, size_t size) {
    return (mc_rows_source){.name = "rows", .fd = -1, .data = data, .size = size};
}

// The rest of the input behind a NUL is references.
static mc_result read_references(mc_rows_reader *reader, const mc_rows_options *options,
                                 const unsigned char *data, size_t size,
                                 mc_rows_references **references, mc_error *error) {
    mc_rows_references_desc desc = {
        .reader = {.source = get_source(data, size), .options = options, .rows = reader},
        .folder = "/tmp",
        .most = 8};
    return size > 0 ? mc_rows_references_create(&desc, references, error) : MC_OK;
}

static mc_result take_steps(mc_rows_order *order, mc_rows_steps *steps,
                            mc_rows_references *references, mc_error *error) {
    mc_step_tree tree = {0};
    mc_reference_map maps[2] = {{0}, {0}};
    bool has[2];
    const mc_rows_row *row = NULL;
    mc_result result = mc_rows_order_next(order, &row, error);
    while (result == MC_OK && row) {
        int64_t time_ms = row->time_ms;
        result = mc_rows_steps_begin(steps, time_ms, &tree, error);
        while (result == MC_OK && row && row->time_ms == time_ms) {
            result = mc_rows_steps_add(steps, row, error);
            if (result == MC_OK) result = mc_rows_order_next(order, &row, error);
        }
        if (result == MC_OK) result = mc_rows_steps_end(steps, error);
        if (result == MC_OK) check_tree(&tree);
        if (result == MC_OK && references)
            result = mc_rows_references_take(references, steps, time_ms, maps, has, error);
    }
    mc_step_tree_deinit(&tree);
    mc_reference_map_deinit(&maps[0]);
    mc_reference_map_deinit(&maps[1]);
    return result;
}

static void read_rows(uint8_t how, const unsigned char *data, size_t size,
                      const unsigned char *more, size_t more_size) {
    mc_rows_options options = {.form = how & AS_TSV   ? MC_ROWS_TSV
                                       : how & AS_CSV ? MC_ROWS_CSV
                                                      : MC_ROWS_BY_CONTENT,
                               .classifiers = how & WITH_CLASSIFIERS ? "b,a" : NULL,
                               .metrics = how & WITH_METRICS ? "c" : NULL};
    mc_rows_reader_desc desc = {
        .source = get_source(data, size), .options = &options, .partial = how & PARTIAL};
    mc_rows_reader *reader = NULL;
    mc_rows_order *order = NULL;
    mc_rows_steps *steps = NULL;
    mc_rows_references *references = NULL;
    mc_error error = {.code = MC_OK};
    mc_result result = mc_rows_reader_create(&desc, &reader, &error);
    if (result == MC_OK)
        result = read_references(reader, &options, more, more_size, &references, &error);
    if (result == MC_OK) result = mc_rows_steps_create(reader, &steps, &error);
    mc_rows_order_desc order_desc = {.reader = reader,
                                     .folder = "/tmp",
                                     .is_unordered = how & SORTED,
                                     .is_rising = references != NULL,
                                     .most = 4};
    if (result == MC_OK) result = mc_rows_order_create(&order_desc, &order, &error);
    if (result == MC_OK) result = take_steps(order, steps, references, &error);
    require(result == MC_OK || result == MC_ERROR_BAD_DATA, "a result input must not lead to");
    require(result == MC_OK || error.message[0], "an error without a message");
    mc_rows_references_destroy(references);
    mc_rows_order_destroy(order);
    mc_rows_steps_destroy(steps);
    mc_rows_reader_destroy(reader);
}

static unsigned char *copy(const uint8_t *input, size_t size) {
    unsigned char *data = malloc(size + (size == 0));
    if (data) memcpy(data, input, size);
    return data;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size == 0) return 0;
    const uint8_t *rows = input + 1, *end = input + size;
    const uint8_t *nul = memchr(rows, '\0', size - 1);
    size_t row_size = nul ? (size_t)(nul - rows) : size - 1;
    size_t more_size = nul ? (size_t)(end - nul - 1) : 0;
    unsigned char *data = copy(rows, row_size), *more = copy(nul ? nul + 1 : end, more_size);
    if (data && more) {
        mc_rows_detect(data, row_size);
        read_rows(input[0], data, row_size, more, more_size);
    }
    free(data);
    free(more);
    return 0;
}
