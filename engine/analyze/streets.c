#include "engine/analyze/streets.h"

#include "engine/base/memory.h"
#include <stdlib.h>

static int compare_ends(const void *a, const void *b) {
    const mc_street *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int compare_weights(const void *a, const void *b) {
    const mc_street *x = a, *y = b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    if (x->objects != y->objects) return x->objects > y->objects ? -1 : 1;
    return compare_ends(a, b);
}

static uint64_t add_up_to(uint64_t a, uint64_t b, uint64_t most) {
    return b > most - (a < most ? a : most) ? most : a + b;
}

// Those with the same ends become one. A way may use a street twice: no more goes over it than
// there is.
static uint32_t merge(mc_street *streets, uint32_t count, const mc_held_row *root) {
    uint32_t merged = 0;
    if (count == 0) return 0;
    qsort(streets, count, sizeof *streets, compare_ends);
    for (uint32_t i = 0; i < count; i++) {
        mc_street *last = merged > 0 ? &streets[merged - 1] : NULL;
        if (!last || last->from != streets[i].from || last->to != streets[i].to) {
            streets[merged++] = streets[i];
            continue;
        }
        last->objects = add_up_to(last->objects, streets[i].objects, root->whole_objects);
        last->bytes = add_up_to(last->bytes, streets[i].bytes, root->whole_bytes);
        last->is_new = last->is_new && streets[i].is_new;
    }
    qsort(streets, merged, sizeof *streets, compare_weights);
    return merged;
}

mc_result mc_streets_find(const mc_trace *trace, const mc_held_tree *tree, mc_street **streets,
                          uint32_t *count, mc_error *error) {
    uint32_t path_count;
    const mc_held_path *paths = mc_trace_get_paths(trace, &path_count);
    uint32_t *places = mc_alloc((size_t)tree->count + 1, sizeof *places);
    *count = 0;
    *streets = mc_alloc((size_t)tree->count + 1, sizeof **streets);
    if (!places || !*streets) {
        mc_free(places);
        mc_free(*streets);
        *streets = NULL;
        return mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < tree->count; i++) {
        const mc_held_row *row = &tree->rows[i];
        uint32_t before = row->parent == MC_NONE ? MC_NONE : places[row->parent];
        uint32_t place = row->path == MC_NONE ? MC_NONE : paths[row->path].place;
        places[i] = place == MC_NONE ? before : place;
        if (before == MC_NONE || place == MC_NONE || before == place) continue;
        (*streets)[(*count)++] = (mc_street){.from = before,
                                             .to = place,
                                             .objects = row->whole_objects,
                                             .bytes = row->whole_bytes,
                                             .is_new = row->is_new,
                                             .row = i};
    }
    mc_free(places);
    if (*count > 0) *count = merge(*streets, *count, &tree->rows[0]);
    return MC_OK;
}
