#include "engine/trace/build/builder_nodes.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/trace/build/sibling_sort.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void mc_node_order_deinit(mc_node_order *f) {
    mc_free(f->wants_self);
    mc_free(f->self);
    mc_free(f->self_parent);
    mc_free(f->self_key);
    mc_free(f->ends);
    mc_free(f->children);
    mc_free(f->order);
    mc_free(f->new_index);
    mc_free(f->classifier_rank);
    memset(f, 0, sizeof *f);
}

mc_result mc_node_order_init(mc_node_order *f, mc_trace_builder *builder, mc_trace *trace,
                             mc_error *error) {
    uint32_t count = (uint32_t)builder->node_count;
    *f = (mc_node_order){.builder = builder, .trace = trace};
    f->ends = mc_alloc_zero(count, sizeof *f->ends);
    f->wants_self = mc_alloc_zero(mc_bits_word_count(count), sizeof *f->wants_self);
    if (!f->ends || !f->wants_self) {
        mc_node_order_deinit(f);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t node = 1; node < count; node++)
        f->ends[builder->nodes[node].parent]++;
    return MC_OK;
}

// ---- self nodes

static uint32_t count_self_nodes(const mc_node_order *f) {
    uint32_t count = 0;
    for (uint32_t node = 0; node < f->builder->node_count; node++)
        count += f->ends[node] > 0 && mc_bits_get(f->wants_self, node);
    return count;
}

static mc_result number_self_nodes(mc_node_order *f, mc_error *error) {
    uint32_t seen = (uint32_t)f->builder->node_count, self_count = count_self_nodes(f);
    f->old_count = seen + self_count;
    if (self_count == 0) return MC_OK;
    f->self = mc_alloc(seen, sizeof *f->self);
    f->self_parent = mc_alloc(self_count, sizeof *f->self_parent);
    f->self_key = mc_alloc(self_count, sizeof *f->self_key);
    uint32_t *ends = mc_realloc(f->ends, f->old_count, sizeof *ends);
    if (ends) f->ends = ends;
    if (!f->self || !f->self_parent || !f->self_key || !ends) return mc_error_out_of_memory(error);
    uint32_t next = seen;
    for (uint32_t node = 0; node < seen; node++) {
        f->self[node] = MC_NONE;
        if (ends[node] == 0 || !mc_bits_get(f->wants_self, node)) continue;
        f->self_parent[next - seen] = node;
        ends[next] = 0;
        ends[node]++;
        f->self[node] = next++;
    }
    return MC_OK;
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

// ---- order

typedef struct appearance {
    int64_t time_ms;
    uint32_t entry;
    uint32_t node;
} appearance;

// Of a thread. What a task finds lacking is noted in `is_out_of_memory`.
typedef struct worker {
    mc_sibling *siblings;
    appearance *appearances;
    size_t sibling_capacity, appearance_capacity;
    bool is_out_of_memory;
} worker;

// Nodes are placed level by level, the children of new numbers `begin` to `end` at a time.
typedef struct placing {
    mc_node_order *f;
    uint32_t begin, end, part_count;
    uint32_t asked_count; // nodes that were placed at the last question whether to go on
    worker workers[MC_BUILDER_THREADS_MAX];
    atomic_bool is_cancelled;
} placing;

static uint32_t get_child_begin(const mc_node_order *f, uint32_t old) {
    return old == 0 ? 0 : f->ends[old - 1];
}

static mc_result list_children(mc_node_order *f, mc_error *error) {
    f->children = mc_alloc(f->old_count, sizeof *f->children);
    f->order = mc_alloc(f->old_count, sizeof *f->order);
    f->new_index = mc_alloc(f->old_count, sizeof *f->new_index);
    if (!f->children || !f->order || !f->new_index) return mc_error_out_of_memory(error);
    uint32_t at = 0, *ends = f->ends, seen = (uint32_t)f->builder->node_count;
    for (uint32_t old = 0; old < f->old_count; old++) {
        uint32_t count = ends[old];
        ends[old] = at; // where its next child goes to, at last the end
        at += count;
    }
    for (uint32_t old = 1; old < seen; old++)
        f->children[ends[f->builder->nodes[old].parent]++] = old;
    for (uint32_t old = seen; old < f->old_count; old++)
        f->children[ends[f->self_parent[old - seen]]++] = old;
    return MC_OK;
}

static uint32_t get_key(const mc_node_order *f, uint32_t old) {
    const mc_trace_builder *builder = f->builder;
    return old < builder->node_count ? builder->nodes[old].key
                                     : f->self_key[old - builder->node_count];
}

// The columns of a node but those of its children.
static void fill_node(mc_node_order *f, uint32_t old, uint32_t index, uint32_t parent,
                      uint32_t level) {
    mc_trace *trace = f->trace;
    bool is_self = old >= f->builder->node_count;
    const mc_seen_node *seen = &f->builder->nodes[is_self ? mc_node_order_get_parent(f, old) : old];
    f->order[index] = old;
    f->new_index[old] = index;
    trace->parent[index] = parent;
    trace->level[index] = level;
    trace->key[index] = get_key(f, old);
    trace->name[index] = seen->name;
    trace->role[index] = seen->role;
    if (is_self) trace->flags[index] = MC_NODE_SELF;
}

static int compare_appearances(const void *a, const void *b) {
    const appearance *x = a, *y = b;
    if (x->time_ms != y->time_ms) return x->time_ms < y->time_ms ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

// Fills `out` with the children, by new numbers; a self node is the last one.
static bool list_by_appearance(const mc_node_order *f, worker *own, const uint32_t *children,
                               uint32_t count, uint32_t *out) {
    const mc_trace_builder *builder = f->builder;
    for (uint32_t i = 0; i < count; i++)
        out[i] = f->new_index[children[i]];
    if (!builder->places) return true;
    if (!mc_reserve(&own->appearances, &own->appearance_capacity, count, sizeof *own->appearances))
        return false;
    appearance *scratch = own->appearances;
    bool is_sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        scratch[i] = (appearance){.time_ms = INT64_MAX, .entry = MC_NONE, .node = out[i]};
        if (children[i] < builder->node_count) {
            scratch[i].time_ms = builder->places[children[i]].first_time_ms;
            scratch[i].entry = builder->places[children[i]].first_entry;
        }
        is_sorted = is_sorted && (i == 0 || compare_appearances(&scratch[i - 1], &scratch[i]) <= 0);
    }
    // Steps that came in the order of time have left them in this order.
    if (is_sorted) return true;
    qsort(scratch, count, sizeof *scratch, compare_appearances);
    for (uint32_t i = 0; i < count; i++)
        out[i] = scratch[i].node;
    return true;
}

static bool place_children(mc_node_order *f, worker *own, uint32_t parent) {
    mc_trace *trace = f->trace;
    uint32_t count = trace->child_count[parent], first = trace->first_child[parent];
    const uint32_t *children = f->children + get_child_begin(f, f->order[parent]);
    if (!mc_reserve(&own->siblings, &own->sibling_capacity, 2 * (size_t)count,
                    sizeof *own->siblings))
        return false;
    mc_sibling *siblings = own->siblings;
    for (uint32_t i = 0; i < count; i++)
        siblings[i] = (mc_sibling){.node = children[i], .key = get_key(f, children[i])};
    mc_siblings_sort(&f->builder->strings, siblings, siblings + count, count);
    for (uint32_t i = 0; i < count; i++)
        fill_node(f, siblings[i].node, first + i, parent, trace->level[parent] + 1);
    return list_by_appearance(f, own, children, count, trace->child_by_appearance + first);
}

static void run_part(void *user, uint32_t part, uint32_t thread) {
    placing *p = user;
    worker *own = &p->workers[thread];
    uint64_t count = p->end - p->begin;
    uint32_t begin = p->begin + (uint32_t)(count * part / p->part_count);
    uint32_t end = p->begin + (uint32_t)(count * (part + 1) / p->part_count);
    if (own->is_out_of_memory || atomic_load(&p->is_cancelled) || begin == end) return;
    // Thread 0 is the one that called.
    uint32_t done = p->f->trace->first_child[begin];
    if (thread == 0 && done - p->asked_count >= MC_BUILDER_ASK_COUNT / 4) {
        p->asked_count = done;
        if (mc_builder_ask(p->f->builder, done, p->f->old_count, NULL) != MC_OK)
            atomic_store(&p->is_cancelled, true);
    }
    for (uint32_t i = begin; i < end && !own->is_out_of_memory; i++)
        if (p->f->trace->child_count[i] > 0) own->is_out_of_memory = !place_children(p->f, own, i);
}

// Says where the children of a level begin. Returns where they end.
static uint32_t number_children(mc_node_order *f, uint32_t begin, uint32_t end) {
    mc_trace *trace = f->trace;
    uint32_t placed = end;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t old = f->order[i], count = f->ends[old] - get_child_begin(f, old);
        trace->first_child[i] = placed;
        trace->child_count[i] = count;
        trace->nodes.leaf_count += count == 0;
        placed += count;
    }
    return placed;
}

static bool is_out_of_memory(const placing *p) {
    bool is_out = false;
    for (uint32_t i = 0; i < MC_BUILDER_THREADS_MAX; i++)
        is_out |= p->workers[i].is_out_of_memory;
    return is_out;
}

static mc_result place_nodes(mc_node_order *f, mc_error *error) {
    placing p = {.f = f, .end = 1};
    mc_result result = mc_builder_ask(f->builder, 0, f->old_count, error);
    if (result != MC_OK) return result;
    fill_node(f, 0, 0, MC_NONE, 0);
    f->trace->child_by_appearance[0] = 0; // the root is nobody's child
    while (p.begin < p.end && !is_out_of_memory(&p) && !atomic_load(&p.is_cancelled)) {
        uint32_t placed = number_children(f, p.begin, p.end);
        uint32_t thread_count = mc_builder_choose_thread_count(placed - p.end);
        p.part_count = placed - p.end < MC_BUILDER_ASK_COUNT / 4 ? 1 : 8 * thread_count;
        if (placed > p.end) mc_parallel_run(p.part_count, thread_count, run_part, &p);
        p.begin = p.end;
        p.end = placed;
    }
    for (uint32_t i = 0; i < MC_BUILDER_THREADS_MAX; i++) {
        mc_free(p.workers[i].siblings);
        mc_free(p.workers[i].appearances);
    }
    if (atomic_load(&p.is_cancelled)) return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    if (is_out_of_memory(&p)) return mc_error_out_of_memory(error);
    assert(p.end == f->old_count);
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

static void name_columns(mc_node_order *f) {
    mc_trace *trace = f->trace;
    trace->input_node_count = (uint32_t)f->builder->node_count;
    trace->nodes = (mc_node_columns){.count = f->old_count,
                                     .leaf_count = trace->nodes.leaf_count,
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
    uint32_t found = 0; // nodes are sorted by level
    for (uint32_t node = 0; node < trace->nodes.count && is_by_level && found < count; node++) {
        uint32_t role = trace->role[node];
        if (role == MC_NONE || places[role].level != MC_NONE) continue;
        places[role].level = trace->level[node];
        found++;
    }
    qsort(places, count, sizeof *places, compare_role_places);
    bool is_moved = false;
    for (uint32_t i = 0; i < count; i++) {
        is_moved |= places[i].role != i;
        rank[places[i].role] = i;
        trace->classifiers[i] = builder->classifiers[places[i].role];
    }
    for (uint32_t node = 0; node < trace->nodes.count && is_moved; node++)
        if (trace->role[node] != MC_NONE) trace->role[node] = rank[trace->role[node]];
    trace->classifier_count = count;
    mc_free(places);
    return MC_OK;
}

mc_result mc_node_order_run(mc_node_order *f, mc_error *error) {
    mc_result result = number_self_nodes(f, error);
    if (result == MC_OK) result = allocate_nodes(f, error);
    if (result == MC_OK) result = make_self_keys(f, error);
    if (result == MC_OK) result = list_children(f, error);
    if (result == MC_OK) result = place_nodes(f, error);
    if (result != MC_OK) return result;
    name_columns(f);
    return order_classifiers(f, error);
}

uint32_t *mc_node_order_list_leaves(const mc_node_order *self) {
    uint32_t count = (uint32_t)self->builder->node_count;
    uint32_t *leaves = mc_alloc(count, sizeof *leaves);
    for (uint32_t old = 0; leaves && old < count; old++)
        leaves[old] = self->new_index[mc_node_order_get_leaf(self, old)];
    return leaves;
}
