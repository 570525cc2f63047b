// fuzz_hprof - whatever comes as a heap dump is answered with a step or an error.
//
// What is read is checked for sense: sums, pairs of leaves that exist, counts that can be. Dumps
// lie in heap blocks of their exact size. The first byte of an input chooses the criteria.
#include "engine/base/memory.h"
#include "engine/heap/structures.h"
#include "engine/import/hprof/hprof.h"
#include "engine/import/hprof/hprof_open.h"
#include "engine/import/hprof/hprof_wasted_bytes.h"
#include "engine/trace/build/trace_builder.h"
#include "tests/heap_path.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static void require(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void check_maps(const mc_hprof_step *step) {
    require(step->points_to.entry_count == step->pointed_from.entry_count,
            "a pair with one count only");
    for (size_t i = 0; i < step->points_to.entry_count; i++) {
        const mc_reference_entry *entry = &step->points_to.entries[i];
        require(entry->outer_offset < step->tree.node_count &&
                    entry->inner_offset < step->tree.node_count,
                "a node beyond the tree");
        require(entry->count > 0 && entry->count <= step->report.object_count,
                "a count that can't be");
    }
}

static void check_metrics(const mc_hprof_step *step) {
    for (uint32_t metric = 0; metric < step->tree.metrics.count; metric++) {
        bool is_count = step->tree.metrics.items[metric].unit == MC_UNIT_COUNT;
        for (size_t i = 0; i < step->tree.node_count; i++) {
            uint64_t value = mc_step_tree_get_value(&step->tree, metric, i);
            require(value == MC_COUNT_UNKNOWN || value <= (is_count ? step->tree.nodes[0].objects
                                                                    : step->tree.nodes[0].bytes),
                    "more is retained or wasted than there is");
        }
    }
}

static void build(const mc_hprof_step *step) {
    mc_trace_builder *builder;
    mc_trace *trace;
    mc_error error = {.code = MC_OK};
    if (mc_trace_builder_create(NULL, &builder, &error) != MC_OK) return;
    require(mc_trace_builder_add_step(builder, &step->tree, "step", &error) == MC_OK,
            "a step that the builder does not take");
    require(mc_trace_builder_add_references(builder, &step->points_to, MC_POINTS_TO, &error) ==
                MC_OK,
            "references that the builder does not take");
    require(mc_trace_builder_add_references(builder, &step->pointed_from, MC_POINTED_FROM,
                                            &error) == MC_OK,
            "references that the builder does not take");
    if (mc_trace_builder_finish(builder, &trace, &error) == MC_OK) mc_trace_destroy(trace);
    mc_trace_builder_destroy(builder);
}

// All that can be asked of a dump whose graph was made.
static void ask(const unsigned char *data, size_t size, const mc_heap_desc *desc) {
    mc_hprof_dump dump = {0};
    mc_heap_structures structures = {0};
    mc_group_sum *waste = NULL;
    mc_paths paths = {0};
    mc_error error = {.code = MC_OK};
    mc_text text = {0};
    if (mc_hprof_dump_open(&dump, data, size, desc, &error) == MC_OK &&
        mc_hprof_dump_link(&dump, &error) == MC_OK) {
        uint32_t count = mc_heap_groups_get_group_count(dump.heap.groups);
        mc_group_sum *retained = calloc(count, sizeof *retained);
        mc_group_sum *freed = calloc(count, sizeof *freed);
        bool *flags = calloc(count, sizeof *flags);
        mc_vertex_groups groups = mc_heap_get_groups(&dump.heap);
        require(retained && freed && flags, "no memory");
        require(mc_heap_structures_init(&structures, &dump.heap, &error) == MC_OK &&
                    mc_hprof_count_wasted_bytes(&dump, &waste, &error) == MC_OK &&
                    mc_heap_retain(&dump.heap, retained, &error) == MC_OK,
                "what can't fail");
        for (uint32_t i = 0; i < count && i < 3; i++) {
            memset(flags, 0, count * sizeof *flags);
            mc_vertex_groups_mark(&groups, i, flags);
            require(mc_heap_demolish(&dump.heap, flags, NULL, 0, freed, &error) == MC_OK &&
                        mc_heap_find_paths(&dump.heap, flags, &paths, &error) == MC_OK,
                    "what can't fail");
            require(freed[0].count >= retained[i].count, "less is freed than retained");
            require(paths.nodes[0].whole.size == retained[i].size, "paths to something else");
            for (uint32_t k = 0; k < paths.count; k++)
                test_append_path_node(&dump.heap, &paths, k, &text);
            mc_paths_deinit(&paths);
        }
        free(retained);
        free(freed);
        free(flags);
    }
    mc_text_deinit(&text);
    mc_free(waste);
    mc_heap_structures_deinit(&structures);
    mc_hprof_dump_close(&dump);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
    static mc_hprof_step step;
    mc_grouping grouping = {.criteria = {MC_GROUP_PACKAGE, MC_GROUP_TYPE}, .count = 2};
    if (size == 0) return 0;
    if (input[0] & 1) grouping = (mc_grouping){.criteria = {MC_GROUP_TYPE}, .count = 1};
    if (input[0] & 2)
        grouping = (mc_grouping){.criteria = {MC_GROUP_LOADER, MC_GROUP_MODULE, MC_GROUP_TYPE},
                                 .count = 3};
    if (input[0] & 8)
        grouping = (mc_grouping){.criteria = {MC_GROUP_PACKAGE, MC_GROUP_STRUCTURE, MC_GROUP_TYPE},
                                 .count = 3};
    unsigned char *data = malloc(size);
    if (!data) return 0;
    memcpy(data, input, size);
    data[0] = 'J';
    mc_heap_desc desc = {.grouping = &grouping,
                         .has_references = true,
                         .has_graph = input[0] & 4,
                         .has_waste = input[0] & 16,
                         .has_owners = input[0] & 4,
                         .thread_count = 1};
    mc_error error = {.code = MC_OK};
    mc_result result = mc_hprof_read(data, size, &desc, &step, &error);
    require(result == MC_OK || result == MC_ERROR_BAD_DATA || result == MC_ERROR_OUT_OF_MEMORY,
            "a result that input must not lead to");
    require(result != MC_ERROR_BAD_DATA ||
                (error.byte_offset <= size || error.byte_offset == MC_ERROR_NO_OFFSET),
            "an offset beyond the end");
    require(result == MC_OK || error.message[0] != '\0', "an error without a message");
    if (result == MC_OK) {
        check_maps(&step);
        check_metrics(&step);
        build(&step);
        desc.has_references = false;
        if (desc.has_graph) ask(data, size, &desc);
    }
    free(data);
    return 0;
}
