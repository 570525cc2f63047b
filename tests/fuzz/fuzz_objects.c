// fuzz_objects - whatever comes as a heap of objects is answered with a step or an error.
//
// The first byte chooses the reader. Data lies in a heap block of its exact size;
// tests/data/objects is a corpus.
#include "engine/import/gcdump/gcdump_reader.h"
#include "engine/import/godump/go_reader.h"
#include "engine/import/graph/graph_reader.h"
#include "engine/import/objects/object_film.h"
#include "engine/import/objects/object_step.h"
#include "engine/import/perfetto/heapgraph_reader.h"
#include "engine/import/ruby/ruby_reader.h"
#include "engine/import/v8/v8_reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static const mc_object_reader *const readers[] = {&mc_graph_reader,  &mc_v8_reader,
                                                  &mc_ruby_reader,   &mc_go_reader,
                                                  &mc_gcdump_reader, &mc_heapgraph_reader};

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static mc_result add_up(void *user, const mc_object_moment *moment, const uint64_t *objects,
                        const uint64_t *bytes, mc_error *error) {
    const mc_object_heap *heap = user;
    (void)moment;
    (void)error;
    for (uint32_t i = 0; i < mc_heap_groups_get_count(heap->heap.groups); i++)
        require(objects[i] <= heap->heap.leaves.objects[i] &&
                    bytes[i] <= heap->heap.leaves.bytes[i],
                "more objects than in the end");
    return MC_OK;
}

static void read_as(const mc_object_reader *reader, const unsigned char *data, size_t size) {
    const mc_heap_desc desc = {.has_references = true,
                               .has_graph = true,
                               .has_paths = true,
                               .has_owners = true,
                               .moment_count = 3,
                               .is_by_generation = true,
                               .thread_count = 1};
    mc_object_heap heap = {.texts = {0}};
    mc_object_step step = {.tree = {0}};
    mc_text damage = {0};
    mc_error error = {.code = MC_OK};
    mc_result result = reader->read(data, size, &desc, &heap, &damage, &error);
    require(result == MC_OK || result == MC_ERROR_BAD_DATA || result == MC_ERROR_UNSUPPORTED,
            "a result input must not lead to");
    require(result == MC_OK || error.message[0], "an error without a message");
    if (result == MC_OK && heap.births.moment_count > 1)
        result = mc_object_births_play(&heap, heap.births.moment_count - 1, add_up, &heap, &error);
    if (result == MC_OK) result = mc_object_step_make(&heap, &desc, NULL, &step, &error);
    for (size_t i = 1; result == MC_OK && i < step.tree.node_count; i++)
        require(step.tree.nodes[i].parent < i, "a parent behind its child");
    mc_object_step_deinit(&step);
    mc_object_heap_deinit(&heap);
    mc_text_deinit(&damage);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    if (size == 0) return 0;
    unsigned char *data = malloc(size);
    if (!data) return 0;
    memcpy(data + 1, input + 1, size - 1);
    read_as(readers[input[0] % (sizeof readers / sizeof *readers)], data + 1, size - 1);
    free(data);
    return 0;
}
