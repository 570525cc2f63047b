// json_text.h - what the tests of the JSON reader share: texts in heap blocks of their exact size,
// so that the address sanitizer sees every byte that is read beyond them.
#pragma once
#include "engine/import/json/json_reader.h"
#include "tests/test.h"

typedef struct json_text {
    unsigned char *data;
    size_t size;
} json_text;

static inline json_text json_text_copy(const char *bytes, size_t size) {
    json_text text = {malloc(size ? size : 1), size};
    REQUIRE(text.data);
    if (size > 0) memcpy(text.data, bytes, size);
    if (size == 0) { // a block of no byte at all
        free(text.data);
        text.data = malloc(0);
    }
    return text;
}

static inline json_text json_text_read(const char *path) {
    FILE *file = fopen(path, "rb");
    REQUIRE(file);
    json_text text = {malloc(1 << 20), 0};
    REQUIRE(text.data);
    text.size = fread(text.data, 1, 1 << 20, file);
    fclose(file);
    json_text exact = json_text_copy((const char *)text.data, text.size);
    free(text.data);
    return exact;
}

static inline mc_result json_read_step(mc_json_reader *reader, const char *bytes, size_t size,
                                       mc_step_tree *tree, mc_error *error) {
    json_text text = json_text_copy(bytes, size);
    memset(error, 0, sizeof *error);
    mc_result result = mc_json_reader_read_step(reader, text.data, size, 0, tree, error);
    free(text.data);
    return result;
}

static inline mc_result json_read_references(mc_json_reader *reader, const char *bytes, size_t size,
                                             mc_reference_map *map, mc_error *error) {
    json_text text = json_text_copy(bytes, size);
    memset(error, 0, sizeof *error);
    mc_result result = mc_json_reader_read_references(reader, text.data, size, 0, map, error);
    free(text.data);
    return result;
}
