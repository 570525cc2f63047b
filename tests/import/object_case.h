// object_case.h - what each reader of heaps of objects has to stand: files cut off and changed, and
// memory that runs out.
#pragma once
#include "engine/base/memory.h"
#include "engine/import/objects/object_import.h"
#include "engine/import/objects/object_step.h"
#include "tests/test.h"
#include <inttypes.h>

static mc_error error;

static inline void check_step(const mc_object_step *step) {
    for (size_t i = 0; i < step->tree.node_count; i++)
        CHECK(step->tree.nodes[i].key_size > 0 && (i == 0 || step->tree.nodes[i].parent < i));
    for (size_t i = 0; i < step->owners.owner_count; i++)
        CHECK(step->owners.owners[i].parent == MC_NONE || step->owners.owners[i].parent < i);
}

// The full key of the group that an object is in.
static inline void check_group(const mc_object_heap *heap, uint32_t object, const char *wanted) {
    mc_text text = {0};
    uint32_t leaf = heap->types[heap->object_types[object]].leaf;
    mc_heap_groups_append_key(heap->heap.groups, mc_heap_groups_get_group(heap->heap.groups, leaf),
                              &text);
    CHECK_MSG(strcmp(mc_text_get(&text), wanted) == 0, "%s, not %s", mc_text_get(&text), wanted);
    mc_text_deinit(&text);
}

// Reads bytes, which lie at the end of a block of their own size, and makes a step with all that
// there is of it. `heap` is what was read, if wanted; not linked then.
static inline mc_result read_objects(const mc_object_reader *reader, const void *bytes, size_t size,
                                     mc_object_heap *heap) {
    const mc_heap_desc desc = {.has_references = true,
                               .has_graph = true,
                               .has_paths = true,
                               .has_owners = true,
                               .moment_count = 3,
                               .is_by_generation = true,
                               .thread_count = 2};
    mc_object_heap own = {.texts = {0}};
    mc_object_step step = {.tree = {0}};
    mc_text damage = {0};
    unsigned char *data = malloc(size + 1);
    REQUIRE(data);
    if (size > 0) memcpy(data + 1, bytes, size);
    error = (mc_error){.code = MC_OK};
    mc_result result = reader->read(data + 1, size, &desc, heap ? heap : &own, &damage, &error);
    free(data); // nothing of it is needed any more
    if (result == MC_OK && !heap) result = mc_object_step_make(&own, &desc, NULL, &step, &error);
    if (result == MC_OK) check_step(&step);
    CHECK_MSG(result == MC_OK || result == MC_ERROR_BAD_DATA || result == MC_ERROR_OUT_OF_MEMORY ||
                  result == MC_ERROR_UNSUPPORTED,
              "%d", (int)result);
    CHECK(result == MC_OK || (error.code == result && error.message[0]));
    CHECK_MSG(result != MC_ERROR_BAD_DATA || error.byte_offset == MC_ERROR_NO_OFFSET ||
                  error.byte_offset <= size,
              "%" PRIu64 " of %zu: %s", error.byte_offset, size, error.message);
    mc_object_step_deinit(&step);
    mc_object_heap_deinit(&own);
    mc_text_deinit(&damage);
    return result;
}

// Each prefix, or about 2,000; each byte replaced by a few others, likewise; and memory that runs
// out after n allocations.
static inline void try_objects(const mc_object_reader *reader, const void *bytes, size_t size) {
    static const unsigned char others[] = {0, ' ', '9', '\t', '"', 0x80, ','};
    const size_t pace = size / 2000 + 1;
    unsigned char *data = malloc(size + 1);
    REQUIRE(data);
    memcpy(data, bytes, size);
    CHECK_MSG(read_objects(reader, data, size, NULL) == MC_OK, "%s", error.message);
    for (size_t i = 0; i < size; i += pace)
        (void)read_objects(reader, data, i, NULL);
    for (size_t i = 0; i < size; i += pace) {
        unsigned char kept = data[i];
        data[i] = others[i / pace % sizeof others];
        (void)read_objects(reader, data, size, NULL);
        data[i] = kept;
    }
    for (uint64_t n = 0;; n = n < 200 ? n + 1 : n + n / 16) {
        mc_memory_fail_after(n);
        mc_result result = read_objects(reader, data, size, NULL);
        mc_memory_fail_after(UINT64_MAX);
        if (result == MC_OK) break;
        REQUIRE(result == MC_ERROR_OUT_OF_MEMORY);
    }
    free(data);
}

static inline void check_bad(const mc_object_reader *reader, const char *text, const char *wanted) {
    mc_result result = read_objects(reader, text, strlen(text), NULL);
    CHECK_MSG(result == MC_ERROR_BAD_DATA && strstr(error.message, wanted), "%s: %d %s", wanted,
              (int)result, error.message);
}
