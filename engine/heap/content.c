#include "engine/heap/content.h"

#include "engine/base/memory.h"
#include <stdlib.h>

typedef struct finder {
    const mc_heap *heap;
    const bool *is_owner;
    uint32_t group_count, owner_count;
    uint32_t *ends;      // by group: where its owners end in `owners`
    uint64_t *bytes;     // by group
    uint64_t *of_owners; // bytes, by owner
    uint32_t *owners;    // of each object that one retains, by group
    uint32_t *counts;    // by owner: objects of one group
    uint32_t *sorted;    // scratch, by owner
} finder;

void mc_heap_content_deinit(mc_heap_content *content) {
    mc_free(content->parts);
    *content = (mc_heap_content){0};
}

static void deinit(finder *f) {
    mc_free(f->ends);
    mc_free(f->bytes);
    mc_free(f->of_owners);
    mc_free(f->owners);
    mc_free(f->counts);
    mc_free(f->sorted);
}

// Goes over all that owners retain, once to count, once to list.
typedef void (*visit)(finder *f, uint32_t number, uint32_t group, uint32_t owner);

static uint32_t go_over(finder *f, visit visit_one) {
    const mc_dominator_tree *tree = &f->heap->tree;
    mc_dominator_walk walk = {0};
    uint32_t owner_count = 0;
    for (uint32_t number = 0; number < tree->reachable; number++) {
        uint32_t group = f->heap->group_of[number];
        uint32_t owner = mc_dominator_walk_get(&walk, number);
        if (group != MC_NONE && f->is_owner[group]) {
            owner = owner_count++;
            mc_dominator_walk_put(&walk, mc_dominator_tree_get_end(tree, number), owner);
        }
        if (group != MC_NONE && owner != MC_NONE) visit_one(f, number, group, owner);
    }
    return owner_count;
}

static void count_one(finder *f, uint32_t number, uint32_t group, uint32_t owner) {
    (void)owner;
    f->ends[group]++;
    f->bytes[group] += mc_vertex_sizes_get(&f->heap->sizes, number);
}

static void list_one(finder *f, uint32_t number, uint32_t group, uint32_t owner) {
    f->owners[f->ends[group]++] = owner;
    f->of_owners[owner] += mc_vertex_sizes_get(&f->heap->sizes, number);
}

static int compare_counts(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int compare_sizes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int compare_parts(const void *a, const void *b) {
    const mc_heap_content_part *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return x->group < y->group ? -1 : 1;
}

// Of the entries [first, end) of f->owners. Most owners have none of most groups.
static mc_heap_content_part make_part(finder *f, uint32_t group, uint32_t first, uint32_t end) {
    mc_heap_content_part part = {.group = group, .objects = end - first, .bytes = f->bytes[group]};
    uint32_t with = 0, none;
    for (uint32_t i = first; i < end; i++)
        f->counts[f->owners[i]]++;
    for (uint32_t i = first; i < end; i++) {
        if (f->counts[f->owners[i]] == 0) continue;
        f->sorted[with++] = f->counts[f->owners[i]];
        f->counts[f->owners[i]] = 0;
    }
    none = f->owner_count - with;
    qsort(f->sorted, with, sizeof *f->sorted, compare_counts);
    uint32_t middle = f->owner_count / 2;
    part.least = none > 0 ? 0 : f->sorted[0];
    part.median = middle < none ? 0 : f->sorted[middle - none];
    part.most = f->sorted[with - 1];
    return part;
}

static mc_result make_parts(finder *f, mc_heap_content *content, mc_error *error) {
    uint32_t first = 0, count = 0;
    for (uint32_t group = 0; group < f->group_count; group++)
        count += f->bytes[group] > 0 || f->ends[group] > (group > 0 ? f->ends[group - 1] : 0);
    content->parts = mc_alloc_scattered((size_t)count + 1, sizeof *content->parts);
    if (!content->parts) return mc_error_out_of_memory(error);
    for (uint32_t group = 0; group < f->group_count; group++) {
        uint32_t end = f->ends[group];
        if (end > first) content->parts[content->part_count++] = make_part(f, group, first, end);
        content->bytes += f->bytes[group];
        first = end;
    }
    qsort(content->parts, content->part_count, sizeof *content->parts, compare_parts);
    qsort(f->of_owners, f->owner_count, sizeof *f->of_owners, compare_sizes);
    content->owner_count = f->owner_count;
    content->least = f->of_owners[0];
    content->median = f->of_owners[f->owner_count / 2];
    content->most = f->of_owners[f->owner_count - 1];
    return MC_OK;
}

static mc_result find(finder *f, mc_heap_content *content, mc_error *error) {
    f->group_count = mc_heap_groups_get_group_count(f->heap->groups);
    f->ends = mc_alloc_zero_scattered((size_t)f->group_count + 1, sizeof *f->ends);
    f->bytes = mc_alloc_zero_scattered((size_t)f->group_count + 1, sizeof *f->bytes);
    if (!f->ends || !f->bytes) return mc_error_out_of_memory(error);
    f->owner_count = go_over(f, count_one);
    if (f->owner_count == 0) return MC_OK;
    uint32_t sum = 0;
    for (uint32_t group = 0; group < f->group_count; group++) {
        uint32_t count = f->ends[group];
        f->ends[group] = sum;
        sum += count;
    }
    f->owners = mc_alloc_scattered(sum, sizeof *f->owners);
    f->of_owners = mc_alloc_zero_scattered(f->owner_count, sizeof *f->of_owners);
    f->counts = mc_alloc_zero_scattered(f->owner_count, sizeof *f->counts);
    f->sorted = mc_alloc_scattered(f->owner_count, sizeof *f->sorted);
    if (!f->owners || !f->of_owners || !f->counts || !f->sorted)
        return mc_error_out_of_memory(error);
    (void)go_over(f, list_one);
    return make_parts(f, content, error);
}

mc_result mc_heap_content_find(const mc_heap *heap, const bool *is_owner, mc_heap_content *content,
                               mc_error *error) {
    finder f = {.heap = heap, .is_owner = is_owner};
    *content = (mc_heap_content){0};
    mc_result result = find(&f, content, error);
    deinit(&f);
    if (result != MC_OK) mc_heap_content_deinit(content);
    return result;
}
