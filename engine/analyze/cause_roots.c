#include "engine/analyze/cause_roots.h"

#include "engine/analyze/class_names.h"
#include "engine/base/memory.h"
#include <stdlib.h>

// A root by kind and name; without a name, the others of a leaf.
typedef struct key {
    uint32_t kind, name, node; // node: MC_NONE where there is a name
} key;

typedef struct key_set {
    key *items;
    uint32_t count;
} key_set;

static int compare_keys(const void *a, const void *b) {
    const key *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->name != y->name) return x->name < y->name ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static bool has(const key_set *set, key wanted) {
    return set->count > 0 &&
           bsearch(&wanted, set->items, set->count, sizeof *set->items, compare_keys);
}

static key get_key(const mc_root_rows *roots, uint32_t row) {
    uint32_t name = roots->items[row].name;
    return (key){roots->items[row].kind, name, name == MC_NONE ? roots->items[row].node : MC_NONE};
}

static mc_result read_set(const mc_trace *trace, uint32_t step, key_set *set, mc_error *error) {
    mc_root_rows roots = {0};
    mc_result result = mc_trace_read_roots(trace, step, &roots, error);
    set->items = result == MC_OK ? mc_alloc((size_t)roots.count + 1, sizeof *set->items) : NULL;
    if (result == MC_OK && !set->items) result = mc_error_out_of_memory(error);
    for (uint32_t i = 0; result == MC_OK && i < roots.count; i++)
        set->items[set->count++] = get_key(&roots, i);
    if (set->count > 0) qsort(set->items, set->count, sizeof *set->items, compare_keys);
    mc_root_rows_deinit(&roots);
    return result;
}

enum { FIRST, SINCE, SOON, SET_COUNT };

static bool is_new(const key_set sets[SET_COUNT], const mc_root_rows *roots, uint32_t row) {
    key wanted = get_key(roots, row),
        others = {roots->items[row].kind, MC_NONE, roots->items[row].node};
    if (wanted.name == MC_NONE || !has(&sets[SOON], wanted)) return false;
    return !has(&sets[FIRST], wanted) && !has(&sets[SINCE], wanted) && !has(&sets[FIRST], others) &&
           !has(&sets[SINCE], others);
}

static bool is_before(const mc_cause_root *a, const mc_cause_root *b) {
    if (a->is_program != b->is_program) return a->is_program;
    if (a->count != b->count) return a->count > b->count;
    if (a->kind != b->kind) return a->kind < b->kind;
    return a->name < b->name;
}

static void keep(mc_cause *cause, mc_cause_root root) {
    uint32_t at =
        cause->root_count < MC_CAUSE_MOST_BEGUN ? cause->root_count++ : MC_CAUSE_MOST_BEGUN;
    for (; at > 0 && is_before(&root, &cause->roots[at - 1]); at--)
        if (at < MC_CAUSE_MOST_BEGUN) cause->roots[at] = cause->roots[at - 1];
    if (at < MC_CAUSE_MOST_BEGUN) cause->roots[at] = root;
}

static int compare_roots(const void *a, const void *b) {
    const mc_cause_root *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

// A root may name objects of several leaves.
static mc_result choose(const mc_trace *trace, const key_set sets[SET_COUNT],
                        const mc_root_rows *roots, mc_cause *cause, mc_error *error) {
    mc_cause_root *found = mc_alloc((size_t)roots->count + 1, sizeof *found);
    uint32_t count = 0;
    if (!found) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < roots->count; i++) {
        if (!is_new(sets, roots, i)) continue;
        size_t size;
        const char *name = mc_trace_get_string(trace, roots->items[i].name, &size);
        mc_root_kind kind = (mc_root_kind)roots->items[i].kind;
        found[count++] = (mc_cause_root){kind, roots->items[i].name, roots->items[i].count,
                                         mc_class_is_program_root(kind, name, size)};
    }
    qsort(found, count, sizeof *found, compare_roots);
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && compare_roots(&found[i], &found[i + 1]) == 0) {
            found[i + 1].count += found[i].count;
            continue;
        }
        cause->all_root_count++;
        keep(cause, found[i]);
    }
    mc_free(found);
    return MC_OK;
}

mc_result mc_cause_roots_find(const mc_trace *trace, uint32_t first, uint32_t soon, uint32_t last,
                              mc_cause *cause, mc_error *error) {
    const uint32_t steps[SET_COUNT] = {first, cause->since_step, soon};
    key_set sets[SET_COUNT] = {{0}};
    mc_root_rows roots = {0};
    mc_result result = MC_OK;
    bool is_known = mc_trace_get_step(trace, last)->has_referrers;
    for (int i = 0; i < SET_COUNT; i++)
        is_known = is_known && mc_trace_get_step(trace, steps[i])->has_referrers;
    if (!is_known) return MC_OK;
    for (int i = 0; i < SET_COUNT && result == MC_OK; i++)
        result = read_set(trace, steps[i], &sets[i], error);
    if (result == MC_OK) result = mc_trace_read_roots(trace, last, &roots, error);
    if (result == MC_OK) result = choose(trace, sets, &roots, cause, error);
    mc_root_rows_deinit(&roots);
    for (int i = 0; i < SET_COUNT; i++)
        mc_free(sets[i].items);
    return result;
}
