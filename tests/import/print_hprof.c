// print_hprof - all that is computed of a heap dump's graph, one JSON object a line, for
// hprof_graph_reference.py.
//
// usage: print_hprof DUMP [KEY…]   what goes without each group KEY, and the paths to it, too
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/heap/structures.h"
#include "engine/import/hprof/hprof.h"
#include "engine/import/hprof/hprof_open.h"
#include "engine/import/hprof/hprof_roots.h"
#include "engine/import/hprof/hprof_wasted_bytes.h"
#include "tests/heap_path.h"
#include <stdio.h>
#include <stdlib.h>

static const mc_grouping package_type = {.criteria = {MC_GROUP_PACKAGE, MC_GROUP_TYPE}, .count = 2};

static void require(mc_result result, const mc_error *error) {
    if (result == MC_OK) return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static void print_text(const char *name, const char *text, size_t size) {
    printf("\"%s\":\"", name);
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '"' || byte == '\\' || byte < 0x20)
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    printf("\"");
}

static void print_key(const mc_heap *heap, uint32_t group) {
    mc_text text = {0};
    mc_heap_groups_append_key(heap->groups, group, &text);
    print_text("group", text.data, text.size);
    mc_text_deinit(&text);
}

static void print_sums(const mc_heap *heap, const char *what, const char *of,
                       const mc_group_sum *sums) {
    uint32_t count = mc_heap_groups_get_group_count(heap->groups);
    for (uint32_t i = 0; i < count; i++) {
        if (sums[i].count == 0) continue;
        printf("{\"what\":\"%s\",", what);
        if (of) {
            print_text("of", of, strlen(of));
            printf(",");
        }
        print_key(heap, i);
        printf(",\"objects\":%llu,\"bytes\":%llu}\n", (unsigned long long)sums[i].count,
               (unsigned long long)sums[i].size);
    }
}

static void print_paths(const mc_heap *heap, const char *key, const bool *is_target) {
    mc_paths paths;
    mc_error error;
    mc_text text = {0};
    require(mc_heap_find_paths(heap, is_target, &paths, &error), &error);
    for (uint32_t i = 0; i < paths.count; i++) {
        const mc_path_node *node = &paths.nodes[i];
        mc_text_clear(&text);
        test_append_path_node(heap, &paths, i, &text);
        printf("{\"what\":\"path\",");
        print_text("of", key, strlen(key));
        printf(",\"parent\":%d,", node->parent == MC_NONE ? -1 : (int)node->parent);
        print_text("node", text.data, text.size);
        printf(",\"objects\":%llu,\"bytes\":%llu,\"folded\":%s}\n",
               (unsigned long long)node->whole.count, (unsigned long long)node->whole.size,
               node->is_folded ? "true" : "false");
    }
    mc_text_deinit(&text);
    mc_paths_deinit(&paths);
}

static void print_group(const mc_heap *heap, const char *key, mc_group_sum *sums) {
    mc_error error;
    mc_vertex_groups groups = mc_heap_get_groups(heap);
    bool *flags = mc_alloc_zero(groups.count, sizeof *flags);
    uint32_t group = mc_heap_groups_find_key(heap->groups, key, strlen(key));
    if (!flags || group == MC_NONE) {
        fprintf(stderr, "no group %s\n", key);
        exit(1);
    }
    mc_vertex_groups_mark(&groups, group, flags);
    require(mc_heap_demolish(heap, flags, NULL, 0, sums, &error), &error);
    print_sums(heap, "freed", key, sums);
    print_paths(heap, key, flags);
    mc_free(flags);
}

static void print_structures(const mc_heap *heap) {
    mc_heap_structures structures;
    mc_error error;
    require(mc_heap_structures_init(&structures, heap, &error), &error);
    for (size_t i = 0; i < structures.count; i++) {
        const mc_heap_structure_part *part = &structures.parts[i];
        size_t size = 0;
        const char *name = part->structure == MC_NONE
                               ? ""
                               : mc_strings_get(&structures.names, part->structure, &size);
        printf("{\"what\":\"structure\",");
        print_text("name", name, size);
        printf(",");
        print_key(heap, mc_heap_groups_get_group(heap->groups, part->leaf));
        printf(",\"objects\":%llu,\"bytes\":%llu}\n", (unsigned long long)part->sum.count,
               (unsigned long long)part->sum.size);
    }
    mc_heap_structures_deinit(&structures);
}

static void print_waste(mc_hprof_dump *dump) {
    static const char *const names[MC_HEAP_WASTE_COUNT] = {"empty slots", "empty collections",
                                                           "duplicates", "boxed numbers",
                                                           "unused room of builders"};
    mc_group_sum *sums;
    mc_error error;
    require(mc_hprof_count_wasted_bytes(dump, &sums, &error), &error);
    for (uint32_t leaf = 0; leaf < dump->heap.leaves.count; leaf++)
        for (uint32_t kind = 0; kind < MC_HEAP_WASTE_COUNT; kind++) {
            const mc_group_sum *sum = &sums[(size_t)leaf * MC_HEAP_WASTE_COUNT + kind];
            if (sum->count == 0) continue;
            printf("{\"what\":\"waste\",\"kind\":\"%s\",", names[kind]);
            print_key(&dump->heap, mc_heap_groups_get_group(dump->heap.groups, leaf));
            printf(",\"objects\":%llu,\"bytes\":%llu}\n", (unsigned long long)sum->count,
                   (unsigned long long)sum->size);
        }
    mc_free(sums);
}

// ---- fields and roots

static void print_node(const char *name, const mc_step_tree *tree, uint32_t node) {
    uint32_t way[16], count = 0;
    mc_text text = {0};
    for (; node != MC_NONE && count < 16; node = tree->nodes[node].parent)
        way[count++] = node;
    while (count-- > 0) {
        const mc_step_entry *entry = &tree->nodes[way[count]];
        mc_text_append(&text, tree->text.data + entry->key_offset, entry->key_size);
        if (count > 0) mc_text_append(&text, "#", 1);
    }
    print_text(name, text.data, text.size);
    mc_text_deinit(&text);
}

static void print_name(const mc_hprof_step *step, uint32_t name) {
    size_t size = 0;
    const char *text = name == MC_NONE ? "" : mc_strings_get(&step->referrers.names, name, &size);
    print_text("name", text, size);
}

static void print_step(const mc_hprof_step *step) {
    for (size_t i = 0; i < step->referrers.field_count; i++) {
        const mc_field_count *field = &step->referrers.fields[i];
        printf("{\"what\":\"field\",");
        print_node("from", &step->tree, field->from);
        printf(",");
        print_node("to", &step->tree, field->to);
        printf(",");
        print_name(step, field->name);
        printf(",\"weak\":%s,\"count\":%llu}\n", field->is_weak ? "true" : "false",
               (unsigned long long)field->count);
    }
    for (size_t i = 0; i < step->referrers.root_count; i++) {
        const mc_root_count *root = &step->referrers.roots[i];
        printf("{\"what\":\"root\",");
        print_node("leaf", &step->tree, root->node);
        printf(",\"kind\":\"%s\",", mc_root_kind_names[root->kind]);
        print_name(step, root->name);
        printf(",\"count\":%llu}\n", (unsigned long long)root->count);
    }
}

int main(int argc, char **argv) {
    mc_hprof_dump dump = {0};
    mc_file_map map;
    mc_error error = {.code = MC_OK};
    mc_heap_desc desc = {.grouping = &package_type,
                         .has_graph = true,
                         .has_references = true,
                         .collections = "a.b.C*",
                         .is_mapped = true,
                         .thread_count = mc_parallel_get_core_count()};
    if (argc < 2) return 2;
    require(mc_file_map_open(&map, argv[1], &error), &error);
    uint64_t begin = mc_clock_now_ns();
    require(mc_hprof_dump_open(&dump, map.data, map.size, &desc, &error), &error);
    uint64_t opened = mc_clock_now_ns();
    require(mc_hprof_dump_link(&dump, &error), &error);
    uint64_t linked = mc_clock_now_ns();
    uint32_t count = mc_heap_groups_get_group_count(dump.heap.groups);
    mc_group_sum *sums = mc_alloc(count, sizeof *sums);
    if (!sums) return 1;
    require(mc_heap_retain(&dump.heap, sums, &error), &error);
    uint64_t retained = mc_clock_now_ns();
    print_sums(&dump.heap, "retained", NULL, sums);
    for (int i = 2; i < argc; i++)
        print_group(&dump.heap, argv[i], sums);
    fprintf(stderr, "opened %.2f linked %.2f retained %.2f asked %.2f s\n",
            (double)(opened - begin) * 1e-9, (double)(linked - opened) * 1e-9,
            (double)(retained - linked) * 1e-9, (double)(mc_clock_now_ns() - retained) * 1e-9);
    printf("{\"what\":\"heap\",\"roots\":%llu,\"unreached\":%llu}\n",
           (unsigned long long)dump.report.root_count,
           (unsigned long long)dump.report.unreached_count);
    begin = mc_clock_now_ns();
    print_structures(&dump.heap);
    uint64_t named = mc_clock_now_ns();
    print_waste(&dump);
    fprintf(stderr, "structures %.2f waste %.2f s\n", (double)(named - begin) * 1e-9,
            (double)(mc_clock_now_ns() - named) * 1e-9);
    mc_free(sums);
    mc_hprof_dump_close(&dump);
    mc_hprof_step step = {0};
    desc.has_graph = false;
    begin = mc_clock_now_ns();
    require(mc_hprof_read(map.data, map.size, &desc, &step, &error), &error);
    fprintf(stderr, "references, fields and roots %.2f s\n",
            (double)(mc_clock_now_ns() - begin) * 1e-9);
    print_step(&step);
    mc_hprof_step_deinit(&step);
    mc_file_map_close(&map);
    return 0;
}
