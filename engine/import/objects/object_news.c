#include "engine/import/objects/object_news.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define OTHER_SHARE 0.005 // of the ids that are known, with another type: another process

// Of which type it is, by the type's name: the next heap numbers types in another order.
typedef struct mc_object_id {
    uint64_t id;
    uint32_t type;
} mc_object_id;

void mc_object_news_deinit(mc_object_news *news) {
    mc_free(news->known);
    *news = (mc_object_news){.known = NULL};
}

static int compare_ids(const void *a, const void *b) {
    const mc_object_id *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static uint32_t hash_type(const mc_object_heap *heap, uint32_t object) {
    size_t size;
    const char *title =
        mc_strings_get(&heap->texts, heap->types[heap->object_types[object]].title, &size);
    // What a plain object is called changes with its properties.
    return size > 0 && *title == '{' ? mc_strings_hash("Object", 6) : mc_strings_hash(title, size);
}

static bool remember(mc_object_news *news, const mc_object_heap *heap) {
    news->known = mc_alloc_scattered((size_t)heap->object_count + 1, sizeof *news->known);
    news->count = heap->object_count;
    news->is_begun = true;
    for (uint32_t i = 0; news->known && i < heap->object_count; i++)
        news->known[i] = (mc_object_id){heap->object_ids[i], hash_type(heap, i)};
    if (news->known && news->count > 1)
        qsort(news->known, news->count, sizeof *news->known, compare_ids);
    return news->known != NULL;
}

static const mc_object_id *find(const mc_object_news *news, uint64_t id) {
    size_t low = 0, high = news->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (news->known[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < news->count && news->known[low].id == id ? &news->known[low] : NULL;
}

bool mc_object_news_count(mc_object_news *news, const mc_object_heap *heap, uint64_t **sums) {
    size_t met = 0, other = 0;
    *sums = NULL;
    if (news->is_over || !heap->object_ids) return true;
    *sums = mc_alloc_zero_scattered((size_t)heap->heap.leaves.count + 1, sizeof **sums);
    if (!*sums) return false;
    if (!news->is_begun) return remember(news, heap);
    for (uint32_t i = 0; i < heap->object_count; i++) {
        const mc_object_id *known = find(news, heap->object_ids[i]);
        const uint32_t leaf = heap->types[heap->object_types[i]].leaf;
        if (known) met++;
        if (known && known->type != hash_type(heap, i)) other++;
        if (!known && leaf != MC_NONE) (*sums)[leaf]++;
    }
    if (met > 0 && (double)other <= OTHER_SHARE * (double)met) return true;
    news->is_over = true;
    mc_free(*sums);
    *sums = NULL;
    return true;
}

bool mc_object_news_add(const mc_object_heap *heap, const uint64_t *sums,
                        const uint32_t *tree_nodes, mc_step_tree *tree) {
    static const char key[] = MC_METRIC_NEW, title[] = "new objects";
    const mc_metric_info info = {.key = key,
                                 .title = title,
                                 .key_size = sizeof key - 1,
                                 .title_size = sizeof title - 1,
                                 .unit = MC_UNIT_COUNT,
                                 .kind = MC_METRIC_STOCK,
                                 .is_additive = true,
                                 .says = MC_METRIC_SAYS_ALL};
    uint32_t metric = mc_step_tree_add_metric(tree, &info);
    if (metric == MC_NONE) return false;
    for (uint32_t leaf = 0; leaf < heap->heap.leaves.count; leaf++) {
        uint32_t node = tree_nodes[mc_heap_groups_get_group(heap->heap.groups, leaf)];
        if (node != MC_NONE && !mc_step_tree_set_value(tree, metric, node, sums[leaf]))
            return false;
    }
    return true;
}
