#include "engine/import/graph/graph_ids.h"

#include "engine/base/clock.h"

#define AHEAD 24u // ids that are fetched before they are looked up

static bool are_in_a_row(const mc_object_heap *heap) {
    for (uint32_t i = 1; i < heap->object_count; i++)
        if (heap->object_ids[i] != heap->object_ids[0] + i) return false;
    return heap->object_count == 0 ||
           heap->object_ids[0] <= UINT64_MAX - (heap->object_count - 1); // else some come twice
}

static void fetch(const mc_graph_ids *ids, uint64_t id) {
    mc_slots_prefetch(&ids->table.slots, (uint32_t)mc_hash_u64(id, ids->table.seed));
}

bool mc_graph_ids_build(mc_graph_ids *ids, const mc_object_heap *heap, uint32_t *twice) {
    const uint32_t count = heap->object_count;
    *twice = MC_NONE;
    ids->heap = heap;
    ids->is_row = are_in_a_row(heap);
    if (ids->is_row) return true;
    ids->table.seed = mc_clock_now_ns() ^ (uint64_t)(uintptr_t)ids;
    if (!mc_slots_grow(&ids->table.slots, count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t id = heap->object_ids[i];
        if (count - i > AHEAD) fetch(ids, heap->object_ids[i + AHEAD]);
        if (mc_object_ids_is_taken(&ids->table, heap, id)) {
            *twice = i;
            return true;
        }
        mc_object_ids_enter(&ids->table, id, i);
    }
    return true;
}

void mc_graph_ids_deinit(mc_graph_ids *ids) {
    mc_slots_deinit(&ids->table.slots);
}

void mc_graph_ids_find(const mc_graph_ids *ids, const uint64_t *wanted, uint32_t *objects,
                       uint32_t count) {
    const mc_object_heap *heap = ids->heap;
    if (heap->object_count == 0) {
        for (uint32_t i = 0; i < count; i++)
            objects[i] = MC_NONE;
        return;
    }
    if (ids->is_row) {
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t place = wanted[i] - heap->object_ids[0];
            objects[i] = place < heap->object_count ? (uint32_t)place : MC_NONE;
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        fetch(ids, wanted[i]);
    for (uint32_t i = 0; i < count; i++)
        objects[i] = mc_object_ids_find(&ids->table, heap, wanted[i]);
}
