#include "engine/trace/build/builder_nodes.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void mc_node_order_deinit(mc_node_order *f) {
    mc_free(f->self);
    mc_free(f->self_parent);
    mc_free(f->self_key);
    mc_free(f->first);
    mc_free(f->count);
    mc_free(f->children);
    mc_free(f->sorted);
    mc_free(f->order);
    mc_free(f->new_index);
    mc_free(f->classifier_rank);
    memset(f, 0, sizeof *f);
}

mc_result mc_node_order_init(mc_node_order *f, mc_trace_builder *builder, mc_trace *trace,
                             mc_error *error) {
    *f = (mc_node_order){.builder = builder, .trace = trace};
    f->count = mc_alloc_zero(builder->node_count, sizeof *f->count);
    f->self = mc_alloc(builder->node_count, sizeof *f->self);
    if (!f->count || !f->self) {
        mc_node_order_deinit(f);
        return mc_error_out_of_memory(error);
    }
    memset(f->self, 0xff, builder->node_count * sizeof *f->self);
    for (size_t node = 1; node < builder->node_count; node++)
        f->count[builder->nodes[node].parent]++;
    return MC_OK;
}

// ---- self nodes

static mc_result number_self_nodes(mc_node_order *f, mc_error *error) {
    const mc_trace_builder *builder = f->builder;
    uint32_t seen = (uint32_t)builder->node_count, self_count = 0;
    for (uint32_t node = 0; node < seen; node++) {
        if (f->count[node] == 0) f->self[node] = MC_NONE;
        self_count += f->self[node] != MC_NONE;
    }
    f->old_count = seen + self_count;
    if (self_count == 0) return MC_OK;
    f->self_parent = mc_alloc(self_count, sizeof *f->self_parent);
    f->self_key = mc_alloc(self_count, sizeof *f->self_key);
    uint32_t *count = mc_realloc(f->count, f->old_count, sizeof *count);
    if (count) f->count = count;
    if (!f->self_parent || !f->self_key || !count) return mc_error_out_of_memory(error);
    uint32_t next = seen;
    for (uint32_t node = 0; node < seen; node++) {
        if (f->self[node] == MC_NONE) continue;
        f->self_parent[next - seen] = node;
        f->count[next] = 0;
        f->self[node] = next++;
        f->count[node]++;
    }
    return MC_OK;
}

// ---- in parts, by several threads

typedef struct sibling {
    uint64_t prefix; // the first 7 bytes behind what all siblings' keys share
    uint32_t node;
    uint32_t key;
} sibling;

typedef struct appearance {
    int64_t time_ms;
    uint32_t entry;
    uint32_t node;
} appearance;

// Of a thread. What a task finds lacking is noted in `is_out_of_memory`.
typedef struct worker {
    sibling *siblings;
    appearance *appearances;
    size_t sibling_capacity, appearance_capacity;
    bool is_out_of_memory;
} worker;

typedef struct node_task {
    mc_node_order *f;
    uint32_t part_count;
    bool (*run)(mc_node_order *f, worker *own, uint32_t begin, uint32_t end);
    worker workers[MC_BUILDER_THREADS_MAX];
    atomic_bool is_cancelled;
} node_task;

static void run_part(void *user, uint32_t part, uint32_t thread) {
    node_task *task = user;
    worker *own = &task->workers[thread];
    uint64_t count = task->f->old_count;
    uint32_t begin = (uint32_t)(count * part / task->part_count);
    uint32_t end = (uint32_t)(count * (part + 1) / task->part_count);
    if (own->is_out_of_memory || atomic_load(&task->is_cancelled)) return;
    // Thread 0 is the one that called.
    if (thread == 0 && mc_builder_ask(task->f->builder, part, task->part_count, NULL) != MC_OK)
        atomic_store(&task->is_cancelled, true);
    else if (!task->run(task->f, own, begin, end))
        own->is_out_of_memory = true;
}

// Calls `run` for all numbers from 0 to the count of nodes, range by range.
static mc_result run_in_parts(mc_node_order *f,
                              bool (*run)(mc_node_order *, worker *, uint32_t, uint32_t),
                              mc_error *error) {
    uint32_t thread_count = mc_builder_choose_thread_count(f->old_count);
    node_task task = {.f = f, .part_count = 8 * thread_count, .run = run};
    bool is_out_of_memory = false;
    mc_parallel_run(task.part_count, thread_count, run_part, &task);
    for (uint32_t i = 0; i < thread_count; i++) {
        is_out_of_memory |= task.workers[i].is_out_of_memory;
        mc_free(task.workers[i].siblings);
        mc_free(task.workers[i].appearances);
    }
    if (atomic_load(&task.is_cancelled)) return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    return is_out_of_memory ? mc_error_out_of_memory(error) : MC_OK;
}

// ---- order

// Stable, so that of equal ones the first node stays first. `scratch` has room for as many.
static void sort_by_prefix(sibling *siblings, sibling *scratch, uint32_t count) {
    const uint32_t run = 8;
    for (uint32_t i = 1; i < count; i++) {
        sibling next = siblings[i];
        uint32_t at = i, begin = i - i % run;
        for (; at > begin && siblings[at - 1].prefix > next.prefix; at--)
            siblings[at] = siblings[at - 1];
        siblings[at] = next;
    }
    sibling *from = siblings, *to = scratch;
    for (uint64_t width = run; width < count; width *= 2) {
        for (uint64_t begin = 0; begin < count; begin += 2 * width) {
            uint64_t middle = begin + width < count ? begin + width : count;
            uint64_t end = middle + width < count ? middle + width : count;
            uint64_t left = begin, right = middle;
            for (uint64_t at = begin; at < end; at++) {
                bool is_left =
                    right == end || (left < middle && from[left].prefix <= from[right].prefix);
                to[at] = from[is_left ? left++ : right++];
            }
        }
        sibling *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != siblings) memcpy(siblings, from, count * sizeof *siblings);
}

static size_t common_prefix(const mc_strings *strings, const sibling *siblings, uint32_t count,
                            size_t from) {
    size_t shared;
    const char *first = mc_strings_get(strings, siblings[0].key, &shared);
    for (uint32_t i = 1; i < count && shared > from; i++) {
        size_t size, k = from;
        const char *key = mc_strings_get(strings, siblings[i].key, &size);
        if (size < shared) shared = size;
        while (k < shared && key[k] == first[k])
            k++;
        if (k < shared) shared = k;
    }
    return shared;
}

// 7 bytes and how many of them there are, so that an ended key differs from one that goes on with
// NUL. In byte order as a number.
static uint64_t make_prefix(const char *key, size_t size) {
    const unsigned char *at = (const unsigned char *)key;
    if (size >= 7) // behind a string there is a NUL
        return ((uint64_t)at[0] << 56 | (uint64_t)at[1] << 48 | (uint64_t)at[2] << 40 |
                (uint64_t)at[3] << 32 | (uint64_t)at[4] << 24 | (uint64_t)at[5] << 16 |
                (uint64_t)at[6] << 8) |
               (size > 7 ? 8 : 7);
    uint64_t prefix = size;
    for (size_t k = 0; k < size; k++)
        prefix |= (uint64_t)at[k] << (56 - 8 * k);
    return prefix;
}

// Sorts by key in byte order, equal keys by node: seven bytes at a time, then within the runs that
// are equal so far. A shorter key comes first; that it ended is told by a run whose keys all end,
// which is left as it is.
static void sort_siblings(const mc_strings *strings, sibling *siblings, sibling *scratch,
                          uint32_t count, size_t from) {
    while (count > 1) {
        from = common_prefix(strings, siblings, count, from);
        bool any_left = false, is_sorted = true;
        for (uint32_t i = 0; i < count; i++) {
            size_t size;
            const char *key = mc_strings_get(strings, siblings[i].key, &size);
            siblings[i].prefix = make_prefix(key + from, size - from);
            any_left |= size - from > 7;
            is_sorted &= i == 0 || siblings[i - 1].prefix <= siblings[i].prefix;
        }
        if (!is_sorted) sort_by_prefix(siblings, scratch, count);
        if (!any_left) return;
        // Runs of equal prefixes go on behind them; the last run is done by this loop.
        uint32_t begin = 0;
        for (uint32_t i = 1; i <= count; i++) {
            if (i < count && siblings[i].prefix == siblings[begin].prefix) continue;
            if (i == count) break;
            if (i - begin > 1 && (siblings[begin].prefix & 15) == 8)
                sort_siblings(strings, siblings + begin, scratch, i - begin, from + 7);
            begin = i;
        }
        if ((siblings[begin].prefix & 15) != 8) return;
        siblings += begin;
        count -= begin;
        from += 7;
    }
}

static uint32_t key_of(const mc_node_order *f, uint32_t old) {
    const mc_trace_builder *builder = f->builder;
    return old < builder->node_count ? builder->nodes[old].key
                                     : f->self_key[old - builder->node_count];
}

static mc_result list_children(mc_node_order *f, mc_error *error) {
    f->first = mc_alloc(f->old_count, sizeof *f->first);
    f->children = mc_alloc(f->old_count, sizeof *f->children);
    f->sorted = mc_alloc(f->old_count, sizeof *f->sorted);
    f->order = mc_alloc(f->old_count, sizeof *f->order);
    f->new_index = mc_alloc(f->old_count, sizeof *f->new_index);
    if (!f->first || !f->children || !f->sorted || !f->order || !f->new_index)
        return mc_error_out_of_memory(error);
    uint32_t at = 0;
    for (uint32_t old = 0; old < f->old_count; old++) {
        f->first[old] = at;
        at += f->count[old];
        f->count[old] = 0;
    }
    for (uint32_t old = 1; old < f->old_count; old++) {
        uint32_t parent = mc_node_order_get_parent(f, old);
        f->children[f->first[parent] + f->count[parent]++] = old;
    }
    return MC_OK;
}

static bool sort_children(mc_node_order *f, worker *own, uint32_t begin, uint32_t end) {
    for (uint32_t old = begin; old < end; old++) {
        uint32_t count = f->count[old];
        if (count == 0) continue;
        if (!mc_reserve(&own->siblings, &own->sibling_capacity, 2 * (size_t)count,
                        sizeof *own->siblings))
            return false;
        sibling *siblings = own->siblings;
        for (uint32_t k = 0; k < count; k++) {
            uint32_t child = f->children[f->first[old] + k];
            siblings[k] = (sibling){.node = child, .key = key_of(f, child)};
        }
        sort_siblings(&f->builder->strings, siblings, siblings + count, count, 0);
        for (uint32_t k = 0; k < count; k++)
            f->sorted[f->first[old] + k] = siblings[k].node;
    }
    return true;
}

static mc_result sort_breadth_first(mc_node_order *f, mc_error *error) {
    mc_result result = list_children(f, error);
    if (result == MC_OK) result = run_in_parts(f, sort_children, error);
    if (result != MC_OK) return result;
    uint32_t placed = 1, *level = f->trace->level;
    f->order[0] = level[0] = 0;
    for (uint32_t i = 0; i < placed; i++) {
        uint32_t old = f->order[i], count = f->count[old];
        f->new_index[old] = i;
        f->trace->first_child[i] = placed;
        f->trace->child_count[i] = count;
        memcpy(f->order + placed, f->sorted + f->first[old], count * sizeof *f->order);
        for (uint32_t k = 0; k < count; k++)
            level[placed + k] = level[i] + 1;
        placed += count;
    }
    assert(placed == f->old_count);
    mc_free(f->sorted);
    f->sorted = NULL;
    return MC_OK;
}

// ---- columns

static mc_result allocate_nodes(mc_node_order *f, mc_error *error) {
    mc_trace *trace = f->trace;
    uint32_t count = f->old_count;
    uint32_t **columns[] = {
        &trace->parent, &trace->first_child, &trace->child_count, &trace->child_by_appearance,
        &trace->level,  &trace->key,         &trace->name,        &trace->role};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        *columns[i] = mc_alloc(count, sizeof(uint32_t));
        if (!*columns[i]) return mc_error_out_of_memory(error);
    }
    trace->flags = mc_alloc_zero(count, 1);
    return trace->flags ? MC_OK : mc_error_out_of_memory(error);
}

// A self node's key is its parent's key again: as a part of the path, or at the end of the full
// key.
static mc_result make_self_keys(mc_node_order *f, mc_error *error) {
    mc_trace_builder *builder = f->builder;
    mc_text text = {0};
    for (uint32_t old = (uint32_t)builder->node_count; old < f->old_count; old++) {
        const mc_seen_node *parent = &builder->nodes[mc_node_order_get_parent(f, old)];
        uint32_t key = parent->key;
        if (builder->key_kind == MC_KEY_FULL) {
            size_t size;
            mc_text_clear(&text);
            const char *bytes = mc_strings_get(&builder->strings, parent->key, &size);
            mc_text_append(&text, bytes, size);
            mc_text_append(&text, "#", 1);
            bytes = mc_strings_get(&builder->strings, parent->name, &size);
            mc_text_append(&text, bytes, size);
            key =
                text.failed ? MC_NONE : mc_strings_append(&builder->strings, text.data, text.size);
        }
        f->self_key[old - builder->node_count] = key;
        if (key == MC_NONE) {
            mc_text_deinit(&text);
            return mc_error_out_of_memory(error);
        }
    }
    mc_text_deinit(&text);
    return MC_OK;
}

static int compare_appearances(const void *a, const void *b) {
    const appearance *x = a, *y = b;
    if (x->time_ms != y->time_ms) return x->time_ms < y->time_ms ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

// Fills `out` with the children of `old`, by new numbers; a self node is the last one.
static void list_by_appearance(const mc_node_order *f, uint32_t old, appearance *scratch,
                               uint32_t *out) {
    const mc_trace_builder *builder = f->builder;
    uint32_t count = f->count[old];
    bool sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = f->children[f->first[old] + i];
        scratch[i] =
            (appearance){.time_ms = INT64_MAX, .entry = MC_NONE, .node = f->new_index[child]};
        if (child < builder->node_count) {
            scratch[i].time_ms = builder->nodes[child].first_time_ms;
            scratch[i].entry = builder->nodes[child].first_entry;
        }
        sorted = sorted && (i == 0 || compare_appearances(&scratch[i - 1], &scratch[i]) <= 0);
    }
    // Steps that came in the order of time have left them in this order.
    if (!sorted) qsort(scratch, count, sizeof *scratch, compare_appearances);
    for (uint32_t i = 0; i < count; i++)
        out[i] = scratch[i].node;
}

static bool fill_nodes(mc_node_order *f, worker *own, uint32_t begin, uint32_t end) {
    const mc_trace_builder *builder = f->builder;
    mc_trace *trace = f->trace;
    uint32_t self_begin = (uint32_t)builder->node_count;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t old = f->order[i], count = f->count[old];
        bool is_self = old >= self_begin;
        const mc_seen_node *seen =
            &builder->nodes[is_self ? mc_node_order_get_parent(f, old) : old];
        uint32_t parent = is_self ? mc_node_order_get_parent(f, old) : seen->parent;
        trace->parent[i] = parent == MC_NONE ? MC_NONE : f->new_index[parent];
        trace->key[i] = key_of(f, old);
        trace->name[i] = seen->name;
        trace->role[i] = seen->role;
        trace->flags[i] = is_self ? MC_NODE_SELF : 0;
        if (count == 0) continue;
        if (!mc_reserve(&own->appearances, &own->appearance_capacity, count,
                        sizeof *own->appearances))
            return false;
        list_by_appearance(f, old, own->appearances,
                           trace->child_by_appearance + trace->first_child[i]);
    }
    return true;
}

static mc_result fill_columns(mc_node_order *f, mc_error *error) {
    mc_trace *trace = f->trace;
    uint32_t leaf_count = 0;
    trace->child_by_appearance[0] = 0; // the root is nobody's child
    mc_result result = run_in_parts(f, fill_nodes, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < f->old_count; i++)
        leaf_count += trace->child_count[i] == 0;
    trace->input_node_count = (uint32_t)f->builder->node_count;
    trace->nodes = (mc_node_columns){.count = f->old_count,
                                     .leaf_count = leaf_count,
                                     .depth = trace->level[f->old_count - 1], // breadth first
                                     .parent = trace->parent,
                                     .first_child = trace->first_child,
                                     .child_count = trace->child_count,
                                     .child_by_appearance = trace->child_by_appearance,
                                     .level = trace->level,
                                     .key = trace->key,
                                     .name = trace->name,
                                     .role = trace->role,
                                     .flags = trace->flags};
    return MC_OK;
}

typedef struct role_place {
    uint32_t level, role; // the level nearest to the root
} role_place;

static int compare_role_places(const void *a, const void *b) {
    const role_place *x = a, *y = b;
    if (x->level != y->level) return x->level < y->level ? -1 : 1;
    return x->role < y->role ? -1 : x->role > y->role;
}

// In the default form roles only stand at nodes: outermost is what occurs nearest to the root.
static mc_result order_classifiers(mc_node_order *f, mc_error *error) {
    mc_trace *trace = f->trace;
    const mc_trace_builder *builder = f->builder;
    uint32_t count = (uint32_t)builder->classifier_count;
    if (count == 0) return MC_OK;
    trace->classifiers = mc_alloc(count, sizeof *trace->classifiers);
    uint32_t *rank = f->classifier_rank = mc_alloc(count, sizeof *rank);
    role_place *places = mc_alloc(count, sizeof *places);
    bool is_by_level = builder->key_kind == MC_KEY_FULL;
    if (!trace->classifiers || !rank || !places) {
        mc_free(places);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t role = 0; role < count; role++)
        places[role] = (role_place){.level = is_by_level ? MC_NONE : 0, .role = role};
    for (uint32_t node = 0; node < trace->nodes.count && is_by_level; node++) {
        uint32_t role = trace->role[node];
        if (role != MC_NONE && trace->level[node] < places[role].level)
            places[role].level = trace->level[node];
    }
    qsort(places, count, sizeof *places, compare_role_places);
    for (uint32_t i = 0; i < count; i++) {
        rank[places[i].role] = i;
        trace->classifiers[i] = builder->classifiers[places[i].role];
    }
    for (uint32_t node = 0; node < trace->nodes.count; node++)
        if (trace->role[node] != MC_NONE) trace->role[node] = rank[trace->role[node]];
    trace->classifier_count = count;
    mc_free(places);
    return MC_OK;
}

mc_result mc_node_order_run(mc_node_order *f, mc_error *error) {
    mc_result result = number_self_nodes(f, error);
    if (result == MC_OK) result = allocate_nodes(f, error);
    if (result == MC_OK) result = make_self_keys(f, error);
    if (result == MC_OK) result = sort_breadth_first(f, error);
    if (result == MC_OK) result = fill_columns(f, error);
    return result == MC_OK ? order_classifiers(f, error) : result;
}

uint32_t *mc_node_order_list_leaves(const mc_node_order *self) {
    size_t count = self->builder->node_count;
    uint32_t *leaves = mc_alloc(count, sizeof *leaves);
    for (size_t old = 0; leaves && old < count; old++)
        leaves[old] = self->new_index[self->self[old] != MC_NONE ? self->self[old] : old];
    return leaves;
}
