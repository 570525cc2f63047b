#include "engine/analyze/root_groups.h"

#include "engine/analyze/class_names.h"
#include "engine/base/memory.h"
#include <stdlib.h>

// A row of the step's roots.
typedef struct entry {
    mc_root_kind kind;
    uint32_t name, node;
    uint64_t count;
    uint32_t root; // index of the named root, then of the group
} entry;

typedef struct finder {
    const mc_trace *trace;
    uint32_t step;
    mc_root_rows roots;
    uint64_t *objects, *bytes;
    entry *entries;
    mc_root_group *named; // by kind and name
    uint32_t named_count;
} finder;

void mc_root_groups_deinit(mc_root_groups *groups) {
    mc_free(groups->holds);
    *groups = (mc_root_groups){0};
}

static void deinit(finder *self) {
    mc_root_rows_deinit(&self->roots);
    mc_free(self->objects);
    mc_free(self->bytes);
    mc_free(self->entries);
    mc_free(self->named);
}

static mc_result read(finder *self, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(self->trace)->count;
    mc_metric retained = mc_trace_find_metric(self->trace, mc_metric_retained);
    mc_metric weight = retained != MC_NONE ? retained : MC_METRIC_BYTES;
    mc_result result = mc_trace_read_roots(self->trace, self->step, &self->roots, error);
    if (result != MC_OK) return result;
    self->objects = mc_alloc(count, sizeof *self->objects);
    self->bytes = mc_alloc(count, sizeof *self->bytes);
    self->entries = mc_alloc((size_t)self->roots.count + 1, sizeof *self->entries);
    self->named = mc_alloc_zero((size_t)self->roots.count + 1, sizeof *self->named);
    if (!self->objects || !self->bytes || !self->entries || !self->named)
        return mc_error_out_of_memory(error);
    result = mc_trace_read_counts(self->trace, self->step, MC_METRIC_OBJECTS, self->objects, error);
    return result == MC_OK
               ? mc_trace_read_counts(self->trace, self->step, weight, self->bytes, error)
               : result;
}

static int compare_entries(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->name != y->name) return x->name < y->name ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static bool is_program(const mc_trace *trace, mc_root_kind kind, uint32_t string) {
    size_t size;
    if (string == MC_NONE) return false;
    const char *name = mc_trace_get_string(trace, string, &size);
    return mc_class_is_program_root(kind, name, size);
}

static void find_named(finder *self) {
    for (uint32_t i = 0; i < self->roots.count; i++)
        self->entries[i] = (entry){.kind = (mc_root_kind)self->roots.items[i].kind,
                                   .name = self->roots.items[i].name,
                                   .node = self->roots.items[i].node,
                                   .count = self->roots.items[i].count};
    qsort(self->entries, self->roots.count, sizeof *self->entries, compare_entries);
    for (uint32_t i = 0; i < self->roots.count; i++) {
        entry *at = &self->entries[i];
        bool is_new = i == 0 || at[-1].kind != at->kind || at[-1].name != at->name;
        if (is_new)
            self->named[self->named_count++] =
                (mc_root_group){.kind = at->kind,
                                .name = at->name,
                                .name_count = 1,
                                .is_program = is_program(self->trace, at->kind, at->name)};
        at->root = self->named_count - 1;
        mc_root_group *group = &self->named[at->root];
        uint64_t objects = self->objects[at->node];
        double share = objects > at->count ? (double)at->count / (double)objects : 1;
        group->count += at->count;
        group->strength += share * (double)self->bytes[at->node];
    }
}

static int compare_strengths(const mc_root_group *x, const mc_root_group *y) {
    if (x->is_program != y->is_program) return x->is_program ? -1 : 1;
    if (x->strength != y->strength) return x->strength > y->strength ? -1 : 1;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

// Those that have a name come first: only they can stand alone.
static int compare_named(const void *a, const void *b, void *user) {
    const finder *self = user;
    const mc_root_group *x = &self->named[*(const uint32_t *)a];
    const mc_root_group *y = &self->named[*(const uint32_t *)b];
    if ((x->name == MC_NONE) != (y->name == MC_NONE)) return y->name == MC_NONE ? -1 : 1;
    int order = compare_strengths(x, y);
    return order != 0 ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

// The others of a kind stand behind its named ones.
static int compare_groups(const void *a, const void *b) {
    const mc_root_group *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if ((x->name == MC_NONE) != (y->name == MC_NONE)) return y->name == MC_NONE ? -1 : 1;
    return compare_strengths(x, y);
}

static mc_result choose(finder *self, mc_root_groups *groups, mc_error *error) {
    uint32_t *order = mc_alloc((size_t)self->named_count + 1, sizeof *order);
    mc_root_group others[MC_ROOT_COUNT] = {0};
    if (!order) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < self->named_count; i++)
        order[i] = i;
    qsort_r(order, self->named_count, sizeof *order, compare_named, self);
    for (uint32_t i = 0; i < self->named_count; i++) {
        const mc_root_group *group = &self->named[order[i]];
        if (i < MC_ROOT_GROUP_NAMED && group->name != MC_NONE) {
            groups->items[groups->count++] = *group;
            continue;
        }
        mc_root_group *other = &others[group->kind];
        other->count += group->count;
        other->strength += group->strength;
        other->name_count++;
    }
    for (uint32_t kind = 0; kind < MC_ROOT_COUNT; kind++) {
        if (others[kind].name_count == 0) continue;
        others[kind].kind = (mc_root_kind)kind;
        others[kind].name = MC_NONE;
        groups->items[groups->count++] = others[kind];
    }
    qsort(groups->items, groups->count, sizeof *groups->items, compare_groups);
    mc_free(order);
    return MC_OK;
}

uint32_t mc_root_groups_get(const mc_root_groups *groups, mc_root_kind kind, uint32_t name) {
    uint32_t other = MC_NONE;
    for (uint32_t i = 0; i < groups->count; i++) {
        if (groups->items[i].kind != kind) continue;
        if (groups->items[i].name == name) return i;
        if (groups->items[i].name == MC_NONE) other = i;
    }
    return other;
}

static int compare_by_group(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->root != y->root) return x->root < y->root ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int compare_holds(const void *a, const void *b) {
    const mc_root_hold *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static mc_result fill_holds(finder *self, mc_root_groups *groups, mc_error *error) {
    uint32_t used = 0, count = self->roots.count;
    groups->holds = mc_alloc((size_t)count + 1, sizeof *groups->holds);
    if (!groups->holds) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count; i++)
        self->entries[i].root =
            mc_root_groups_get(groups, self->entries[i].kind, self->entries[i].name);
    qsort(self->entries, count, sizeof *self->entries, compare_by_group);
    for (uint32_t i = 0; i < count; i++) {
        const entry *at = &self->entries[i];
        mc_root_group *group = &groups->items[at->root];
        if (group->hold_count == 0) group->first_hold = used;
        bool is_same = group->hold_count > 0 && groups->holds[used - 1].node == at->node;
        if (is_same) {
            groups->holds[used - 1].count += at->count;
            continue;
        }
        groups->holds[used++] = (mc_root_hold){at->node, at->count, self->objects[at->node]};
        group->hold_count++;
    }
    for (uint32_t i = 0; i < groups->count; i++)
        qsort(groups->holds + groups->items[i].first_hold, groups->items[i].hold_count,
              sizeof *groups->holds, compare_holds);
    return MC_OK;
}

mc_result mc_root_groups_find(const mc_trace *trace, uint32_t step, mc_root_groups *groups,
                              mc_error *error) {
    finder self = {.trace = trace, .step = step};
    mc_root_groups_deinit(groups);
    if (!mc_trace_get_step(trace, step)->has_referrers) return MC_OK;
    mc_result result = read(&self, error);
    if (result == MC_OK) {
        find_named(&self);
        result = choose(&self, groups, error);
    }
    if (result == MC_OK) result = fill_holds(&self, groups, error);
    groups->is_known = result == MC_OK;
    if (result != MC_OK) mc_root_groups_deinit(groups);
    deinit(&self);
    return result;
}
