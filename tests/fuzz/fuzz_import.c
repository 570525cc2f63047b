// fuzz_import - whatever comes as a trace is answered with a trace or an error.
//
// As an import does, the content decides: packed data is unpacked, an array is read by element, and
// anything else as a step and as a pointer map; what is valid goes to a builder. So the files of
// tests/data/json are a corpus. Texts lie in heap blocks of their exact size.
#include "engine/import/bytes/inflate.h"
#include "engine/import/json/json_reader.h"
#include "engine/import/json/json_scan.h"
#include "engine/trace/build/trace_builder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static mc_json_reader *reader;
static mc_step_tree tree;
static mc_reference_map map;
static mc_inflate_buffer buffer;

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check_error(mc_result result, const mc_error *error, size_t size) {
    require(result == MC_OK || result == MC_ERROR_BAD_DATA || result == MC_ERROR_OUT_OF_MEMORY,
            "a result that input must not lead to");
    require(result == MC_OK || error->code == result, "an error that does not say so");
    require(result != MC_ERROR_BAD_DATA || error->byte_offset <= size, "an offset beyond the end");
    require(result == MC_OK || error->message[0] != '\0', "an error without a message");
}

static mc_result read_step(const unsigned char *data, size_t size, size_t offset) {
    mc_error error = {.code = MC_OK};
    mc_result result = mc_json_reader_read_step(reader, data, size, offset, &tree, &error);
    check_error(result, &error, offset + size);
    if (result != MC_OK) return result;
    require(tree.node_count > 0, "a step without a root");
    for (size_t i = 0; i < tree.node_count; i++) {
        mc_step_node node = mc_step_tree_get(&tree, i);
        require(i == 0 ? node.parent == MC_NONE : node.parent < i, "a parent behind its child");
        require(node.role == MC_NONE || node.role < tree.roles.count, "a role out of range");
        require(node.key_offset + node.key_size <= tree.text.size &&
                    node.name_offset + node.name_size <= tree.text.size,
                "a string beyond the text");
        require(node.objects <= MC_COUNT_MAX && node.bytes <= MC_COUNT_MAX, "a count too large");
        require(node.source_offset >= offset && node.source_offset < offset + size,
                "a node from nowhere");
    }
    return result;
}

static void read_references(mc_trace_builder *builder, const unsigned char *data, size_t size) {
    mc_error error = {.code = MC_OK};
    mc_result result = mc_json_reader_read_references(reader, data, size, 0, &map, &error);
    check_error(result, &error, size);
    if (result != MC_OK) return;
    for (size_t i = 0; i < map.entry_count; i++) {
        const mc_reference_entry *entry = &map.entries[i];
        require(entry->outer_offset + entry->outer_size <= map.text.size &&
                    entry->inner_offset + entry->inner_size <= map.text.size,
                "a key beyond the text");
    }
    (void)mc_trace_builder_add_references(builder, &map, MC_POINTS_TO, &error);
}

static void add_step(mc_trace_builder *builder, const unsigned char *data, size_t size,
                     size_t offset) {
    mc_error error = {.code = MC_OK};
    if (read_step(data, size, offset) == MC_OK)
        (void)mc_trace_builder_add_step(builder, &tree, "step", &error);
}

static void read_array(mc_trace_builder *builder, const unsigned char *data, size_t size) {
    mc_json_array array;
    mc_error error = {.code = MC_OK};
    size_t begin, element_size, end = 0;
    mc_json_array_begin(&array, data, size);
    for (;;) {
        mc_result result = mc_json_array_next(&array, &begin, &element_size, &error);
        check_error(result, &error, size);
        if (array.is_done) return;
        require(begin >= end && element_size > 0 && begin + element_size <= size,
                "an element out of place");
        end = begin + element_size;
        add_step(builder, data + begin, element_size, begin);
        if (array.count > 1) read_references(builder, data + begin, element_size);
    }
}

static void read_text(const unsigned char *data, size_t size) {
    mc_trace_builder *builder;
    mc_trace *trace;
    mc_error error = {.code = MC_OK};
    if (mc_trace_builder_create(NULL, &builder, &error) != MC_OK) return;
    mc_json_guess guess = mc_json_guess_steps(data, size);
    if (mc_json_is_array(data, size)) {
        read_array(builder, data, size);
    } else {
        add_step(builder, data, size, 0);
        read_references(builder, data, size);
    }
    if (mc_trace_builder_finish(builder, &trace, &error) == MC_OK) {
        require(guess != MC_JSON_NO_STEPS || mc_json_is_array(data, size),
                "a step that would be left aside");
        mc_trace_destroy(trace);
    }
    mc_trace_builder_destroy(builder);
}

static void inflate_data(const unsigned char *data, size_t size) {
    mc_error error = {.code = MC_OK};
    unsigned char prefix[64];
    size_t prefix_size = mc_inflate_prefix(data, size, prefix, sizeof prefix);
    mc_result result = mc_inflate(data, size, &buffer, NULL, &error);
    check_error(result, &error, size);
    require(result != MC_OK ||
                (prefix_size == (buffer.size < sizeof prefix ? buffer.size : sizeof prefix) &&
                 memcmp(prefix, buffer.data, prefix_size) == 0),
            "a prefix of something else");
    if (result == MC_OK && buffer.size < (1 << 20)) read_text(buffer.data, buffer.size);
    if (buffer.capacity > (1 << 20)) mc_inflate_buffer_deinit(&buffer); // memory is bounded here
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (!reader) reader = mc_json_reader_create();
    if (reader) mc_json_reader_set_piece_size(reader, size % 3 == 0 ? 0 : size % 64);
    if (reader) mc_json_reader_forbid_patterns(reader, size % 7 == 0);
    unsigned char *text = malloc(size);
    if (reader && text) {
        if (size > 0) memcpy(text, input, size);
        if (mc_inflate_detect(text, size) != MC_COMPRESSION_NONE) {
            inflate_data(text, size);
        } else {
            read_text(text, size);
        }
    }
    free(text);
    return 0;
}
