// bench_graph - what objects retain: `bench_graph DUMP [KEY]` or `bench_graph --list COUNT`, one
// JSON object.
//
// DUMP: the phases from the file to each answer, in seconds, and the most memory up to each; KEY is
// a group that goes. --list: a linked list of COUNT vertices, each with a value that many share.
// One run; use one process a measurement.
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/heap/structures.h"
#include "engine/import/hprof/hprof_open.h"
#include "engine/import/hprof/hprof_wasted_bytes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static uint64_t begin_ns;
static int phase_count;

static void require(mc_result result, const mc_error *error) {
    if (result == MC_OK) return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static void end_phase(const char *name) {
    struct rusage usage;
    uint64_t now_ns = mc_clock_now_ns();
    getrusage(RUSAGE_SELF, &usage);
    printf("%s\n  {\"phase\":\"%s\",\"s\":%.3f,\"cpu_s\":%.2f,\"peak_mb\":%ld}",
           phase_count++ > 0 ? "," : "", name, (double)(now_ns - begin_ns) * 1e-9,
           (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
               1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
           usage.ru_maxrss / 1024);
    fflush(stdout);
    begin_ns = mc_clock_now_ns();
}

// ---- a dump

static void ask(const mc_heap *heap, const char *key) {
    mc_error error;
    mc_paths paths;
    mc_vertex_groups groups = mc_heap_get_groups(heap);
    mc_group_sum *freed = mc_alloc(groups.count, sizeof *freed);
    bool *flags = mc_alloc_zero(groups.count, sizeof *flags);
    uint32_t group = mc_heap_groups_find_key(heap->groups, key, strlen(key));
    if (!freed || !flags || group == MC_NONE) {
        fprintf(stderr, "no group %s\n", key);
        exit(1);
    }
    mc_vertex_groups_mark(&groups, group, flags);
    begin_ns = mc_clock_now_ns();
    require(mc_heap_demolish(heap, flags, NULL, 0, freed, &error), &error);
    end_phase("what if");
    require(mc_heap_find_paths(heap, flags, &paths, &error), &error);
    end_phase("paths");
    mc_paths_deinit(&paths);
    mc_free(freed);
    mc_free(flags);
}

static void measure_dump(const char *path, const char *key) {
    static const mc_grouping grouping = {.criteria = {MC_GROUP_PACKAGE, MC_GROUP_TYPE}, .count = 2};
    mc_hprof_dump dump = {0};
    mc_heap_structures structures;
    mc_group_sum *waste = NULL;
    mc_file_map map;
    mc_error error;
    mc_heap_desc desc = {.grouping = &grouping,
                         .has_graph = true,
                         .is_mapped = true,
                         .thread_count = mc_parallel_get_core_count()};
    require(mc_file_map_open(&map, path, &error), &error);
    begin_ns = mc_clock_now_ns();
    require(mc_hprof_dump_open(&dump, map.data, map.size, &desc, &error), &error);
    end_phase("count");
    require(mc_hprof_dump_link(&dump, &error), &error);
    end_phase("graph and dominators");
    mc_group_sum *sums = mc_alloc(mc_heap_groups_get_group_count(dump.heap.groups), sizeof *sums);
    if (!sums) exit(1);
    require(mc_heap_retain(&dump.heap, sums, &error), &error);
    end_phase("retained");
    require(mc_heap_structures_init(&structures, &dump.heap, &error), &error);
    end_phase("data structures");
    mc_heap_structures_deinit(&structures);
    if (key) ask(&dump.heap, key);
    begin_ns = mc_clock_now_ns();
    require(mc_hprof_count_wasted_bytes(&dump, &waste, &error), &error);
    end_phase("waste");
    mc_free(waste);
    mc_free(sums);
    mc_hprof_dump_close(&dump);
    mc_file_map_close(&map);
}

// ---- a list

enum { VALUES = 1000 };

static void make_list(mc_graph *graph, uint32_t count) {
    const mc_graph_kind kinds[] = {{.layout = MC_GRAPH_LIST},
                                   {.size = 24, .slot_count = 2, .layout = MC_GRAPH_FIELDS},
                                   {.size = 16, .slot_count = 1, .layout = MC_GRAPH_FIELDS}};
    const uint32_t shared = count + VALUES, root = shared + 1;
    mc_error error;
    require(mc_graph_init(graph, root + 1, kinds, 3, &error), &error);
    for (uint32_t i = 0; i <= root; i++)
        atomic_store_explicit(&graph->places[i],
                              MC_GRAPH_HEAD + (i + 1 < count ? 2u
                                               : i == shared ? 0u
                                                             : 1u),
                              memory_order_relaxed);
    require(mc_graph_place(graph, mc_parallel_get_core_count(), &error), &error);
    for (uint32_t i = 0; i <= root; i++) {
        mc_graph_entry entry = {.kind = i < count || i == root ? 1 : 2,
                                .edge_count = i + 1 < count ? 2
                                              : i == shared ? 0
                                                            : 1,
                                .mask = i + 1 < count ? 3 : 1};
        uint32_t *edges = mc_graph_put(graph, i, &entry), at = 0;
        if (!edges || entry.edge_count == 0) continue;
        if (i + 1 < count) edges[at++] |= mc_graph_get_place(graph, i + 1);
        uint32_t value = count + (uint32_t)(mc_hash_u64(i, 1) % VALUES);
        edges[at] |= mc_graph_get_place(graph, i < count ? value : i == root ? 0 : shared);
    }
    require(mc_graph_set_root(graph, root, &error), &error);
}

static void measure_list(uint32_t count) {
    mc_graph graph;
    mc_dominator_tree tree;
    mc_error error;
    begin_ns = mc_clock_now_ns();
    make_list(&graph, count);
    end_phase("graph");
    require(mc_dominator_tree_init(&tree, &graph, mc_parallel_get_core_count(), NULL, &error),
            &error);
    end_phase("dominators");
    mc_dominator_tree_deinit(&tree);
    mc_graph_deinit(&graph);
}

int main(int argc, char **argv) {
    bool is_list = argc == 3 && strcmp(argv[1], "--list") == 0;
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: bench_graph DUMP [KEY] | bench_graph --list COUNT\n");
        return 2;
    }
    printf("{\"bench\":\"graph\",\"of\":\"%s\",\"phases\":[", argv[argc - 1]);
    if (is_list)
        measure_list((uint32_t)strtoul(argv[2], NULL, 10));
    else
        measure_dump(argv[1], argc == 3 ? argv[2] : NULL);
    printf("\n]}\n");
    return 0;
}
