#include "engine/trace/step_holders.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

const char *const mc_root_kind_names[MC_ROOT_COUNT + 1] = {
    "static field", "thread stack",      "JNI local",    "native stack", "thread",   "thread block",
    "monitor",      "JNI global",        "system class", "unknown",      "interned", "finalizing",
    "debugger",     "reference cleanup", "VM internal",  "JNI monitor",  NULL};

void mc_step_holders_reset(mc_step_holders *holders) {
    mc_strings_deinit(&holders->names);
    holders->field_count = holders->root_count = 0;
}

void mc_step_holders_deinit(mc_step_holders *holders) {
    mc_strings_deinit(&holders->names);
    mc_free(holders->fields);
    mc_free(holders->roots);
    memset(holders, 0, sizeof *holders);
}

bool mc_step_holders_add_field(mc_step_holders *holders, mc_field_count field) {
    if (!mc_reserve(&holders->fields, &holders->field_capacity, holders->field_count + 1,
                    sizeof field))
        return false;
    holders->fields[holders->field_count++] = field;
    return true;
}

bool mc_step_holders_add_root(mc_step_holders *holders, mc_root_count root) {
    if (!mc_reserve(&holders->roots, &holders->root_capacity, holders->root_count + 1, sizeof root))
        return false;
    holders->roots[holders->root_count++] = root;
    return true;
}

// ---- order

static int compare(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

int mc_field_count_compare(const void *a, const void *b) {
    const mc_field_count *x = a, *y = b;
    int order = compare(x->from, y->from);
    if (order == 0) order = compare(x->to, y->to);
    if (order == 0) order = compare(x->name, y->name);
    return order == 0 ? compare(x->is_weak, y->is_weak) : order;
}

int mc_root_count_compare(const void *a, const void *b) {
    const mc_root_count *x = a, *y = b;
    int order = compare(x->node, y->node);
    if (order == 0) order = compare(x->kind, y->kind);
    return order == 0 ? compare(x->name, y->name) : order; // MC_NONE is the largest
}

static int compare_names(const mc_strings *names, uint32_t a, uint32_t b) {
    size_t x, y;
    if (a == b) return 0;
    const char *left = mc_strings_get(names, a, &x), *right = mc_strings_get(names, b, &y);
    int order = memcmp(left, right, x < y ? x : y);
    return order == 0 ? compare(x, y) : order;
}

// qsort() has no place for the names.
typedef struct ranked_field {
    mc_field_count field;
    const mc_strings *names;
} ranked_field;

typedef struct ranked_root {
    mc_root_count root;
    const mc_strings *names;
} ranked_root;

static int compare_ranked_fields(const void *a, const void *b) {
    const mc_strings *names = ((const ranked_field *)a)->names;
    const mc_field_count *x = &((const ranked_field *)a)->field;
    const mc_field_count *y = &((const ranked_field *)b)->field;
    int order = compare(x->from, y->from);
    if (order == 0) order = compare(x->to, y->to);
    if (order == 0) order = compare(y->count, x->count);
    if (order == 0) order = compare_names(names, x->name, y->name);
    return order == 0 ? compare(x->is_weak, y->is_weak) : order;
}

static int compare_ranked_roots(const void *a, const void *b) {
    const mc_strings *names = ((const ranked_root *)a)->names;
    const mc_root_count *x = &((const ranked_root *)a)->root;
    const mc_root_count *y = &((const ranked_root *)b)->root;
    int order = compare(x->node, y->node);
    if (order == 0) order = compare(x->kind, y->kind);
    if (order == 0) order = compare(x->name == MC_NONE, y->name == MC_NONE);
    if (order == 0) order = compare(y->count, x->count);
    return order == 0 ? compare_names(names, x->name, y->name) : order;
}

bool mc_field_counts_sort(mc_field_count *fields, size_t count, const mc_strings *names) {
    ranked_field *ranked = mc_alloc(count, sizeof *ranked);
    if (!ranked) return count == 0;
    for (size_t i = 0; i < count; i++)
        ranked[i] = (ranked_field){fields[i], names};
    qsort(ranked, count, sizeof *ranked, compare_ranked_fields);
    for (size_t i = 0; i < count; i++)
        fields[i] = ranked[i].field;
    mc_free(ranked);
    return true;
}

bool mc_root_counts_sort(mc_root_count *roots, size_t count, const mc_strings *names) {
    ranked_root *ranked = mc_alloc(count, sizeof *ranked);
    if (!ranked) return count == 0;
    for (size_t i = 0; i < count; i++)
        ranked[i] = (ranked_root){roots[i], names};
    qsort(ranked, count, sizeof *ranked, compare_ranked_roots);
    for (size_t i = 0; i < count; i++)
        roots[i] = ranked[i].root;
    mc_free(ranked);
    return true;
}
