#include "engine/analyze/owner_trail.h"

#include "engine/analyze/class_names.h"
#include <string.h>

#define MOST_SHARE 0.5 // of the leaf's objects

typedef struct finder {
    const mc_trace *trace;
    const mc_owner *owners;
    mc_owner_rows rows;
} finder;

static bool ends_with(const finder *f, uint32_t string, const char *end) {
    size_t size, length = strlen(end);
    const char *text = mc_trace_get_string(f->trace, string, &size);
    return size >= length && memcmp(text + size - length, end, length) == 0;
}

// The row of an owner; each on the way up has one.
static uint32_t find_row(const finder *f, uint32_t owner) {
    uint32_t low = 0, high = f->rows.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->rows.items[middle].owner < owner)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->rows.count && f->rows.items[low].owner == owner ? low : MC_NONE;
}

static uint32_t find_largest(const finder *f, uint32_t leaf) {
    uint32_t found = MC_NONE;
    for (uint32_t i = 0; i < f->rows.count; i++) {
        if (f->owners[f->rows.items[i].owner].place != leaf) continue;
        if (found == MC_NONE || f->rows.items[i].objects > f->rows.items[found].objects) found = i;
    }
    return found;
}

static bool is_library(const mc_trace *trace, uint32_t class) {
    size_t size;
    const char *name = mc_trace_get_string(trace, class, &size);
    return mc_class_is_library_of(trace, name, size);
}

static void find_means(const finder *f, mc_root_path *trail, uint32_t field, uint32_t above) {
    if (trail->means != MC_ROOT_PATH_PLAIN) return;
    if (ends_with(f, f->owners[above].class, "ThreadLocal$ThreadLocalMap$Entry"))
        trail->means = MC_ROOT_PATH_THREAD_LOCAL;
    else if (ends_with(f, field, ".<loader>"))
        trail->means = MC_ROOT_PATH_LOADER;
}

// False if there is none that could be told hop by hop.
static bool fill_hops(const finder *f, uint32_t row, mc_root_path *trail, uint32_t *top) {
    for (;;) {
        const mc_owner *owner = &f->owners[f->rows.items[row].owner];
        if (owner->parent == MC_NONE) break;
        uint32_t above = find_row(f, owner->parent), at = trail->count;
        if (above == MC_NONE || owner->field == MC_NONE || at == MC_ROOT_PATH_MOST_HOPS)
            return false;
        const mc_owner *referrer = &f->owners[owner->parent];
        if (referrer->place == MC_NONE) return false;
        trail->hops[at] = (mc_root_path_hop){.node = referrer->place,
                                             .field = owner->field,
                                             .count = f->rows.items[row].objects,
                                             .is_program = !is_library(f->trace, referrer->class)};
        trail->count++;
        find_means(f, trail, owner->field, owner->parent);
        row = above;
    }
    *top = row;
    return true;
}

// False if it is no root, or the rest of a kind of them.
static bool fill_root(const finder *f, uint32_t row, mc_root_path *trail) {
    const mc_owner *root = &f->owners[f->rows.items[row].owner];
    if (root->root >= MC_ROOT_COUNT || root->place == MC_NONE) return false;
    trail->root_kind = (mc_root_kind)root->root;
    trail->root_name = root->field;
    trail->root_count = f->rows.items[row].objects;
    trail->root_name_count = f->rows.items[row].objects == 1 ? 1 : 2;
    if (root->root == MC_ROOT_FINALIZING) trail->means = MC_ROOT_PATH_FINALIZER;
    if (root->root == MC_ROOT_SOFT) trail->means = MC_ROOT_PATH_SOFT;
    if (root->field == MC_NONE) return true;
    size_t size;
    const char *name = mc_trace_get_string(f->trace, root->field, &size);
    trail->root_is_program = mc_class_is_program_root((mc_root_kind)root->root, name, size);
    return true;
}

static mc_result find(finder *f, uint32_t step, uint32_t leaf, mc_root_path *trail,
                      mc_error *error) {
    uint32_t row = find_largest(f, leaf), top;
    uint64_t objects = 0;
    if (row == MC_NONE) return MC_OK;
    mc_result result =
        mc_trace_read_value(f->trace, step, MC_METRIC_OBJECTS, leaf, &objects, error);
    if (result != MC_OK || (double)f->rows.items[row].objects < MOST_SHARE * (double)objects)
        return result;
    mc_root_path found = *trail;
    if (!fill_hops(f, row, &found, &top) || !fill_root(f, top, &found)) return MC_OK;
    found.is_known = true;
    *trail = found;
    return MC_OK;
}

mc_result mc_owner_trail_find(const mc_trace *trace, uint32_t step, uint32_t leaf,
                              mc_root_path *trail, mc_error *error) {
    uint32_t count;
    finder f = {.trace = trace, .owners = mc_trace_get_owners(trace, &count)};
    *trail = (mc_root_path){.start = leaf, .root_name = MC_NONE};
    mc_result result = mc_trace_read_owners(trace, step, &f.rows, error);
    if (result == MC_OK) result = find(&f, step, leaf, trail, error);
    mc_owner_rows_deinit(&f.rows);
    return result;
}
