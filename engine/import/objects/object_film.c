#include "engine/import/objects/object_film.h"

#include "engine/base/memory.h"

// The first moment at which it is there.
static uint32_t find_moment(const mc_object_births *births, uint64_t birth) {
    uint32_t begin = 0, end = births->moment_count - 1;
    while (begin < end) {
        const uint32_t middle = begin + (end - begin) / 2;
        if (births->moments[middle].last_birth < birth)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

// Objects by their moments: those of moment m are order[begins[m]] up to order[begins[m + 1]].
static void sort(const mc_object_heap *heap, uint32_t *begins, uint32_t *order) {
    const mc_object_births *births = &heap->births;
    for (uint32_t i = 0; i < heap->object_count; i++)
        begins[find_moment(births, births->births[i]) + 2]++;
    for (uint32_t i = 1; i < births->moment_count; i++)
        begins[i + 1] += begins[i];
    for (uint32_t i = 0; i < heap->object_count; i++)
        order[begins[find_moment(births, births->births[i]) + 1]++] = i;
}

mc_result mc_object_births_play(const mc_object_heap *heap, uint32_t count,
                                mc_object_moment_callback callback, void *user, mc_error *error) {
    const mc_object_births *births = &heap->births;
    const size_t leaves = (size_t)mc_heap_groups_get_count(heap->heap.groups) + 1;
    uint32_t *begins = mc_alloc_zero((size_t)births->moment_count + 2, sizeof *begins);
    uint32_t *order = mc_alloc((size_t)heap->object_count + 1, sizeof *order);
    uint64_t *objects = mc_alloc_zero(leaves, sizeof *objects);
    uint64_t *bytes = mc_alloc_zero(leaves, sizeof *bytes);
    mc_result result = begins && order && objects && bytes ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK) sort(heap, begins, order);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        for (uint32_t k = begins[i]; k < begins[i + 1]; k++) {
            const uint32_t leaf = heap->types[heap->object_types[order[k]]].leaf;
            objects[leaf]++;
            bytes[leaf] += heap->object_sizes[order[k]];
        }
        result = callback(user, &births->moments[i], objects, bytes, error);
    }
    mc_free(begins);
    mc_free(order);
    mc_free(objects);
    mc_free(bytes);
    return result;
}
