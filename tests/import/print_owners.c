// print_owners - who owns a heap dump's objects, one JSON object a line, for
// hprof_owners_reference.py; or as a tree, for people.
//
// usage: print_owners DUMP [--tree]
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/heap/owner_profile.h"
#include "engine/import/hprof/hprof_open.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const mc_grouping package_type = {.criteria = {MC_GROUP_PACKAGE, MC_GROUP_TYPE}, .count = 2};

static void require(mc_result result, const mc_error *error) {
    if (result == MC_OK) return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static void print_text(const char *name, const mc_strings *names, uint32_t text) {
    size_t size = 0;
    const char *bytes = text == MC_NONE ? NULL : mc_strings_get(names, text, &size);
    printf("\"%s\":%s", name, bytes ? "\"" : "null");
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte == '"' || byte == '\\' || byte < 0x20)
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    if (bytes) printf("\"");
}

static const char *get_root(uint32_t root) {
    return root == MC_OWNER_SHARED ? "shared" : mc_root_kind_names[root];
}

// ---- a line an owner

static void print_place(const mc_heap *heap, uint32_t group) {
    mc_text text = {0};
    if (group == MC_NONE) {
        printf("\"place\":null");
        return;
    }
    mc_heap_groups_append_key(heap->groups, group, &text);
    printf("\"place\":\"%s\"", mc_text_get(&text));
    mc_text_deinit(&text);
}

static void print_lines(const mc_heap *heap, const mc_step_owners *owners) {
    for (size_t i = 0; i < owners->sum_count; i++) {
        const mc_owner_sum *sum = &owners->sums[i];
        const mc_owner *owner = &owners->owners[sum->owner];
        printf("{\"owner\":%" PRIu32 ",\"parent\":%" PRId64 ",\"root\":\"%s\",", sum->owner,
               owner->parent == MC_NONE ? -1 : (int64_t)owner->parent,
               owner->parent == MC_NONE ? get_root(owner->root) : "");
        print_text("field", &owners->names, owner->field);
        printf(",");
        print_text("class", &owners->names, owner->class);
        printf(",");
        print_text("example", &owners->names, sum->example);
        printf(",");
        print_place(heap, owner->place);
        printf(",\"objects\":%" PRIu64 ",\"retained_objects\":%" PRIu64 ",\"retained\":%" PRIu64
               ",\"program\":%" PRIu64 "}\n",
               sum->objects, sum->retained_objects, sum->retained_bytes, sum->program_objects);
    }
    for (size_t i = 0; i < owners->way_count; i++) {
        const mc_owner_way *way = &owners->ways[i];
        printf("{\"way_of\":%" PRIu32 ",\"from\":%" PRIu32 ",", way->owner, way->from);
        print_text("field", &owners->names, way->field);
        printf(",\"references\":%" PRIu64 "}\n", way->references);
    }
}

// ---- a tree

static uint64_t get_retained(const mc_step_owners *owners, uint32_t owner) {
    for (size_t i = 0; i < owners->sum_count; i++)
        if (owners->sums[i].owner == owner) return owners->sums[i].retained_bytes;
    return 0;
}

static void print_below(const mc_step_owners *owners, uint32_t parent, uint64_t all, int depth) {
    uint64_t before = UINT64_MAX;
    for (;;) {
        uint64_t next = 0;
        for (size_t i = 0; i < owners->owner_count; i++) {
            uint64_t bytes = get_retained(owners, (uint32_t)i);
            if (owners->owners[i].parent == parent && bytes < before && bytes > next) next = bytes;
        }
        if (next < all / 100) return;
        for (size_t i = 0; i < owners->owner_count; i++) {
            const mc_owner *owner = &owners->owners[i];
            const mc_owner_sum *sum = &owners->sums[i];
            if (owner->parent != parent || sum->retained_bytes != next) continue;
            printf("%5.1f%% %*s", 100 * (double)next / (double)all, 2 * depth, "");
            if (parent == MC_NONE) printf("[%s] ", get_root(owner->root));
            printf("%s -> %s  ×%" PRIu64 " (%" PRIu64 " of the program's)",
                   owner->field == MC_NONE ? "?"
                                           : mc_strings_get(&owners->names, owner->field, NULL),
                   mc_strings_get(&owners->names, owner->class, NULL), sum->objects,
                   sum->program_objects);
            if (sum->example != MC_NONE)
                printf("  e.g. %s", mc_strings_get(&owners->names, sum->example, NULL));
            printf("\n");
            for (size_t k = 0; k < owners->way_count; k++) {
                const mc_owner_way *way = &owners->ways[k];
                if (way->owner != i) continue;
                printf("       %*s  by %s ×%" PRIu64 " from %" PRIu32 " %s\n", 2 * depth, "",
                       mc_strings_get(&owners->names, way->field, NULL), way->references, way->from,
                       mc_strings_get(&owners->names, owners->owners[way->from].class, NULL));
            }
            if (depth < 30) print_below(owners, (uint32_t)i, all, depth + 1);
        }
        before = next;
    }
}

static void print_tree(const mc_step_owners *owners) {
    uint64_t all = 0;
    for (size_t i = 0; i < owners->owner_count; i++)
        if (owners->owners[i].parent == MC_NONE) all += owners->sums[i].retained_bytes;
    print_below(owners, MC_NONE, all, 0);
}

int main(int argc, char **argv) {
    mc_error error = {0};
    mc_file_map file;
    mc_hprof_dump dump;
    mc_step_owners owners = {0};
    mc_step_tree tree = {0};
    mc_heap_desc desc = {.grouping = &package_type,
                         .has_references = true,
                         .has_graph = true,
                         .thread_count = mc_parallel_get_core_count()};
    if (argc < 2) return 2;
    require(mc_file_map_open(&file, argv[1], &error), &error);
    require(mc_hprof_dump_open(&dump, file.data, file.size, &desc, &error), &error);
    require(mc_hprof_dump_link(&dump, &error), &error);
    uint32_t count = mc_heap_groups_get_group_count(dump.heap.groups);
    uint32_t *nodes = mc_alloc((size_t)count + 1, sizeof *nodes);
    for (uint32_t i = 0; i < count; i++)
        nodes[i] = i; // places are groups here
    uint64_t begin = mc_clock_now_ns();
    require(mc_heap_add_owners(&dump.heap, nodes, &owners, NULL, &error), &error);
    uint64_t end = mc_clock_now_ns();
    if (argc > 2) {
        print_tree(&owners);
        printf("%zu owners, %zu ways, %.3f s\n", owners.owner_count, owners.way_count,
               (double)(end - begin) / 1e9);
    } else {
        print_lines(&dump.heap, &owners);
    }
    mc_free(nodes);
    mc_step_owners_deinit(&owners);
    mc_step_tree_deinit(&tree);
    mc_hprof_dump_close(&dump);
    mc_file_map_close(&file);
    return 0;
}
