// The generator of wide traces: its documents are those of an independent one in JavaScript
// (bench/peers/gen.mjs), and what it feeds to a trace is what its documents say.
#include "app/bench/generate.h"
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "tests/trace_values.h"
#include <unistd.h>

// FNV-1a, 64 bits.
static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

typedef struct expected_documents {
    mc_generate_desc desc;
    uint64_t size, hash; // of all steps' files, one after the other
} expected_documents;

static void test_documents(void) {
    // What `node bench/peers/gen.mjs --leaves N --steps T --seed S --hash` says.
    static const expected_documents all[] = {
        {{1, 1, 1, 0}, 674, 0x59df75c45022b159u},
        {{3, 2, 4294967295, 0}, 2210, 0xaa871cb7919bc1d1u},
        {{100, 4, 1, 0}, 95528, 0x5d98f0949ce0ba28u},
        {{1000, 5, 1, 0}, 1131675, 0x78dce241ef0616b4u},
        {{5000, 3, 42, 0}, 3363166, 0xdc40e6f418b3d801u},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const expected_documents *expected = &all[i];
        mc_generator *generator = NULL;
        REQUIRE(mc_generator_create(&expected->desc, &generator, NULL) == MC_OK);
        uint64_t size = 0, hash = 0xcbf29ce484222325u;
        for (uint32_t step = 0; step < expected->desc.step_count; step++) {
            char *bytes = NULL;
            size_t byte_count = 0;
            FILE *stream = open_memstream(&bytes, &byte_count);
            REQUIRE(stream);
            mc_generator_set_step(generator, step);
            CHECK(mc_generator_write_json(generator, stream, NULL) == MC_OK);
            fclose(stream);
            size += byte_count;
            hash = hash_bytes(hash, bytes, byte_count);
            free(bytes);
        }
        CHECK_MSG(size == expected->size && hash == expected->hash,
                  "%u leaves: %llu bytes, hash %016llx", expected->desc.leaf_count,
                  (unsigned long long)size, (unsigned long long)hash);
        mc_generator_destroy(generator);
    }
}

static void check_same_node(const mc_trace *a, const mc_trace *b, uint32_t node) {
    mc_text left = {0}, right = {0};
    mc_trace_append_path(a, node, &left);
    mc_trace_append_path(b, node, &right);
    CHECK_MSG(strcmp(left.data, right.data) == 0, "%s and %s", left.data, right.data);
    mc_text_deinit(&left);
    mc_text_deinit(&right);
    for (uint32_t step = 0; step < mc_trace_get_step_count(a); step++) {
        CHECK(test_is_present(a, step, node) == test_is_present(b, step, node));
        for (mc_metric metric = 0; metric < mc_trace_get_metric_count(a); metric++)
            CHECK(test_value(a, step, metric, node) == test_value(b, step, metric, node));
    }
}

static void test_trace_equals_import(void) {
    const mc_generate_desc desc = {.leaf_count = 500, .step_count = 4, .seed = 3};
    char directory[] = "/tmp/memcity-test-XXXXXX";
    REQUIRE(mkdtemp(directory));
    uint64_t size;
    mc_error error = {0};
    REQUIRE(mc_generate_files(&desc, directory, NULL, &size, &error) == MC_OK);
    const char *path = directory;
    mc_import_desc import = {.paths = &path, .path_count = 1};
    mc_import_report report;
    mc_trace *made = NULL, *read = NULL;
    REQUIRE(mc_import_trace(&import, &read, &report, &error) == MC_OK);
    REQUIRE(mc_generate_trace(&desc, NULL, &made, &error) == MC_OK);
    CHECK(report.input_bytes == size);
    for (uint32_t step = 0; step < desc.step_count; step++) {
        mc_text file = {0};
        mc_generate_append_path(directory, step, &file);
        CHECK(remove(file.data) == 0);
        mc_text_deinit(&file);
    }
    CHECK(rmdir(directory) == 0);

    const mc_node_columns *nodes = mc_trace_get_nodes(made), *others = mc_trace_get_nodes(read);
    REQUIRE(nodes->count == others->count && nodes->count == 1 + 22 + 500);
    REQUIRE(mc_trace_get_step_count(made) == 4 && mc_trace_get_step_count(read) == 4);
    for (uint32_t step = 0; step < 4; step++) {
        const mc_step_info *a = mc_trace_get_step(made, step), *b = mc_trace_get_step(read, step);
        CHECK(a->time_ms == b->time_ms && a->bytes == b->bytes && a->objects == b->objects);
        CHECK(a->leaf_count == b->leaf_count && a->leaf_count < 500);
    }
    for (uint32_t node = 0; node < nodes->count; node++) {
        check_same_node(made, read, node);
        if (nodes->child_count[node] > 0)
            CHECK(memcmp(nodes->child_by_appearance + nodes->first_child[node],
                         others->child_by_appearance + others->first_child[node],
                         nodes->child_count[node] * sizeof(uint32_t)) == 0);
    }
    mc_trace_destroy(made);
    mc_trace_destroy(read);
}

static void test_failures(void) {
    const mc_generate_desc desc = {.leaf_count = 30, .step_count = 2, .seed = 1};
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t count = 0; result != MC_OK; count++) {
        mc_trace *trace = NULL;
        mc_error error = {0};
        mc_memory_fail_after(count);
        result = mc_generate_trace(&desc, NULL, &trace, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || (result == MC_ERROR_OUT_OF_MEMORY && !trace));
        mc_trace_destroy(trace);
    }
    uint64_t size;
    mc_error error = {0};
    CHECK(mc_generate_files(&desc, "/nowhere/at/all", NULL, &size, &error) == MC_ERROR_IO);
    CHECK(strstr(error.message, "/nowhere/at/all/step_00000.json") != NULL);
    CHECK(mc_generate_files(&desc, "/dev/full", NULL, &size, &error) == MC_ERROR_IO);
    FILE *full = fopen("/dev/full", "wb");
    REQUIRE(full);
    setvbuf(full, NULL, _IONBF, 0);
    mc_generator *generator = NULL;
    REQUIRE(mc_generator_create(&desc, &generator, NULL) == MC_OK);
    CHECK(mc_generator_write_json(generator, full, &error) == MC_ERROR_IO);
    fclose(full);
    mc_generator_destroy(generator);
}

int main(void) {
    test_documents();
    test_trace_equals_import();
    test_failures();
    return test_finish();
}
