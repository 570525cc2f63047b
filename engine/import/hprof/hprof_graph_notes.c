#include "engine/import/hprof/hprof_graph_notes.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_scan.h"
#include <stdlib.h>

void mc_hprof_graph_notes_deinit(mc_hprof_graph_notes *notes) {
    mc_free(notes->weak);
    mc_free(notes->roots);
    *notes = (mc_hprof_graph_notes){.weak = NULL};
}

static bool reserve_weak(mc_hprof_graph_notes *notes, size_t count) {
    return mc_reserve(&notes->weak, &notes->weak_capacity, notes->weak_count + count,
                      sizeof *notes->weak);
}

static bool reserve_roots(mc_hprof_graph_notes *notes, size_t count) {
    return mc_reserve(&notes->roots, &notes->root_capacity, notes->root_count + count,
                      sizeof *notes->roots);
}

bool mc_hprof_graph_notes_add_weak(mc_hprof_graph_notes *notes, uint32_t source, uint32_t target) {
    if (!reserve_weak(notes, 1)) return false;
    notes->weak[notes->weak_count++] = (mc_hprof_weak_reference){source, target};
    return true;
}

bool mc_hprof_graph_notes_add_root(mc_hprof_graph_notes *notes, const unsigned char *record,
                                   uint32_t id_size, uint32_t target) {
    size_t size = 1 + (size_t)mc_hprof_measure_root(*record, id_size);
    if (!reserve_roots(notes, 1)) return false;
    mc_hprof_root_note *note = &notes->roots[notes->root_count++];
    *note = (mc_hprof_root_note){.target = target};
    memcpy(note->record, record, size < sizeof note->record ? size : sizeof note->record);
    return true;
}

bool mc_hprof_graph_notes_merge(mc_hprof_graph_notes *notes, const mc_hprof_graph_notes *other) {
    if (!reserve_weak(notes, other->weak_count) || !reserve_roots(notes, other->root_count))
        return false;
    for (size_t i = 0; i < other->weak_count; i++)
        notes->weak[notes->weak_count++] = other->weak[i];
    for (size_t i = 0; i < other->root_count; i++)
        notes->roots[notes->root_count++] = other->roots[i];
    notes->dangling_count += other->dangling_count;
    return true;
}

static int compare_weak(const void *a, const void *b) {
    const mc_hprof_weak_reference *x = a, *y = b;
    return x->source < y->source ? -1 : x->source > y->source;
}

void mc_hprof_graph_notes_sort(mc_hprof_graph_notes *notes) {
    if (notes->weak_count > 1)
        qsort(notes->weak, notes->weak_count, sizeof *notes->weak, compare_weak);
}

size_t mc_hprof_graph_notes_find_weak(const mc_hprof_graph_notes *notes, uint32_t position) {
    size_t low = 0, high = notes->weak_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (notes->weak[middle].source < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
