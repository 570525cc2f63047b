#include "engine/trace/versus/versus.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include "engine/trace/build/trace_builder.h"
#include "engine/trace/versus/versus_store.h"
#include <stdlib.h>
#include <string.h>

#define ASK_COUNT 16384u // nodes between two questions whether to go on

static void join_deinit(mc_versus_join *self) {
    mc_trace_builder_destroy(self->builder);
    mc_slots_deinit(&self->slots);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        mc_free(self->node[side]);
    mc_free(self->string);
    mc_free(self->moved_to);
    mc_free(self->is_merged);
    mc_free(self->was_merged);
    mc_free(self->strings_after);
    mc_text_deinit(&self->text);
}

static uint32_t *allocate_filled(size_t count) { // with MC_NONE
    uint32_t *numbers = mc_alloc(count + 1, sizeof *numbers);
    if (numbers) memset(numbers, 0xff, (count + 1) * sizeof *numbers);
    return numbers;
}

// ---- nodes by parent and key

static uint32_t hash_node(uint32_t parent, uint32_t key) {
    return (uint32_t)mc_hash_u64((uint64_t)parent << 32 | key, 5);
}

static uint32_t find_or_add(mc_versus_join *self, uint32_t parent, uint32_t key, uint32_t name,
                            uint32_t role) {
    mc_trace_builder *builder = self->builder;
    uint32_t hash = hash_node(parent, key), node;
    for (uint32_t at = hash; (node = mc_slots_find(&self->slots, hash, &at)) != MC_NONE;)
        if (builder->nodes[node].parent == parent && builder->nodes[node].key == key) return node;
    if (builder->node_count >= MC_NONE / 4 ||
        !mc_reserve(&builder->nodes, &builder->node_capacity, builder->node_count + 1,
                    sizeof *builder->nodes) ||
        !mc_slots_add(&self->slots, hash, (uint32_t)builder->node_count))
        return MC_NONE;
    node = (uint32_t)builder->node_count++;
    builder->nodes[node] = (mc_seen_node){.parent = parent, .key = key, .name = name, .role = role};
    return node;
}

// ---- one side after the other

// The string that all keys have which are folded to the same; MC_NONE: memory is out.
static uint32_t fold_key(mc_versus_join *self, const mc_trace *trace, uint32_t string) {
    if (self->string[string] != MC_NONE) return self->string[string];
    size_t size;
    const char *key = mc_strings_get(&trace->strings, string, &size);
    mc_text_clear(&self->text);
    const mc_versus_desc *desc = self->desc;
    bool is_folded = desc->fold && desc->fold(desc->user, key, size, &self->text);
    if (is_folded) {
        key = self->text.data ? self->text.data : "";
        size = self->text.size;
    }
    if (self->text.failed) return MC_NONE;
    return self->string[string] = mc_strings_intern(&self->builder->strings, key, size);
}

static uint32_t find_classifier(mc_versus_join *self, const mc_trace *trace, uint32_t role) {
    mc_trace_builder *builder = self->builder;
    size_t size;
    const char *name = mc_trace_get_classifier(trace, role, &size);
    uint32_t string = mc_strings_intern(&builder->strings, name, size);
    if (string == MC_NONE) return MC_NONE;
    for (uint32_t i = 0; i < builder->classifier_count; i++)
        if (builder->classifiers[i] == string) return i;
    if (!mc_reserve(&builder->classifiers, &builder->classifier_capacity,
                    builder->classifier_count + 1, sizeof *builder->classifiers))
        return MC_NONE;
    builder->classifiers[builder->classifier_count] = string;
    return (uint32_t)builder->classifier_count++;
}

// The trace's classifiers by the builder's numbers; the caller frees them.
static uint32_t *map_classifiers(mc_versus_join *self, const mc_trace *trace) {
    uint32_t *roles = allocate_filled(trace->classifier_count);
    for (uint32_t i = 0; roles && i < trace->classifier_count; i++) {
        roles[i] = find_classifier(self, trace, i);
        if (roles[i] != MC_NONE) continue;
        mc_free(roles);
        return NULL;
    }
    return roles;
}

static uint32_t join_node(mc_versus_join *self, const mc_trace *trace, const uint32_t *nodes,
                          const uint32_t *roles, uint32_t node) {
    uint32_t role = trace->role[node];
    if (role != MC_NONE) role = roles[role];
    // The roots are the same, whatever they are called.
    if (node == 0 && self->builder->node_count > 0) return 0;
    uint32_t parent = node == 0 ? MC_NONE : nodes[trace->parent[node]];
    if (trace->flags[node] & MC_NODE_SELF) return parent;
    // A full key says where a node was; what it is called is its name.
    bool is_full = trace->key_kind == MC_KEY_FULL && node != 0;
    uint32_t key = fold_key(self, trace, is_full ? trace->name[node] : trace->key[node]);
    uint32_t name = fold_key(self, trace, trace->name[node]);
    if (key == MC_NONE || name == MC_NONE) return MC_NONE;
    return find_or_add(self, parent, key, name, role);
}

// Where a node of the second side that was joined as its own was moved to.
static uint32_t get_moved_to(mc_versus_join *self, uint32_t node) {
    uint32_t joined = self->node[self->second][node];
    if (joined < self->first_count) return MC_NONE;
    self->was_merged[node] = self->is_merged[joined - self->first_count];
    return self->moved_to[joined - self->first_count];
}

static mc_result join_side(mc_versus_join *self, mc_versus_side side, mc_error *error) {
    const mc_trace *trace = self->desc->sides[side];
    uint32_t count = trace->nodes.count, *nodes = self->node[side];
    const uint32_t *moved_to = self->moved_to; // where the second side is joined again
    if (!moved_to) {                           // else they are known
        mc_free(self->string);
        self->string = allocate_filled(trace->strings.count);
    }
    uint32_t *roles = map_classifiers(self, trace);
    mc_result result = self->string && roles ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t node = 0; node < count && result == MC_OK; node++) {
        uint32_t joined = moved_to ? get_moved_to(self, node) : MC_NONE;
        nodes[node] = joined != MC_NONE ? joined : join_node(self, trace, nodes, roles, node);
        if (nodes[node] == MC_NONE) result = mc_error_out_of_memory(error);
        if (node % ASK_COUNT == 0 && !mc_progress_report(self->progress, node, count))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    mc_free(roles);
    return result;
}

// Forgets the nodes from first_count on.
static void forget_second(mc_versus_join *self) {
    mc_trace_builder *builder = self->builder;
    while (builder->node_count > self->first_count) {
        uint32_t node = (uint32_t)--builder->node_count;
        const mc_seen_node *seen = &builder->nodes[node];
        mc_slots_remove(&self->slots, hash_node(seen->parent, seen->key), node);
    }
}

// ---- metrics

// What is known of a metric of both sides; the strings are those of one of them.
static bool add_metric(mc_trace *trace, mc_versus_store *store, const mc_metric_info *after,
                       const mc_metric_info *before) {
    bool is_of_both = after && before;
    mc_metric_info info = after ? *after : *before;
    if (is_of_both) {
        info.is_real |= before->is_real;
        info.is_additive &= before->is_additive;
        if (before->is_real && (!after->is_real || before->scale < after->scale))
            info.scale = before->scale;
    }
    uint32_t metric = store->metric_count;
    if (metric >= MC_METRIC_FIRST_OWN && mc_metrics_add(&trace->metrics, &info) == MC_NONE)
        return false;
    const mc_metric_info *of[MC_VERSUS_SIDES] = {[MC_BEFORE] = before, [MC_AFTER] = after};
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        store->metrics[side][metric] =
            of[side] ? mc_trace_find_metric(store->sides[side], of[side]->key) : MC_NONE;
    store->metric_count++;
    return true;
}

static bool add_other(mc_trace *trace, uint32_t metric, const char *prefix, const char *suffix) {
    mc_metric_info info = trace->metrics.items[metric];
    mc_text key = {0}, title = {0};
    mc_text_append_string(&key, prefix);
    mc_text_append(&key, info.key, info.key_size);
    mc_text_append(&title, info.title, info.title_size);
    mc_text_append_string(&title, suffix);
    info.key = key.data;
    info.key_size = key.size;
    info.title = title.data;
    info.title_size = title.size;
    info.says |= MC_METRIC_SAYS_ALL;
    bool fits = !key.failed && !title.failed && mc_metrics_add(&trace->metrics, &info) != MC_NONE;
    mc_text_deinit(&key);
    mc_text_deinit(&title);
    return fits;
}

// Metrics of `after`, then what only `before` has, as far as there is room for each three times.
static mc_result join_metrics(mc_trace *trace, mc_versus_store *store, mc_error *error) {
    const mc_trace *before = store->sides[MC_BEFORE], *after = store->sides[MC_AFTER];
    uint32_t most = MC_METRIC_MOST / 3;
    bool fits = mc_metrics_add_base(&trace->metrics);
    for (uint32_t i = 0; i < after->metrics.count && fits && store->metric_count < most; i++) {
        const mc_metric_info *info = &after->metrics.items[i];
        mc_metric other = mc_trace_find_metric(before, info->key);
        fits =
            add_metric(trace, store, info, other == MC_NONE ? NULL : &before->metrics.items[other]);
    }
    for (uint32_t i = 0; i < before->metrics.count && fits && store->metric_count < most; i++)
        if (mc_trace_find_metric(after, before->metrics.items[i].key) == MC_NONE)
            fits = add_metric(trace, store, NULL, &before->metrics.items[i]);
    for (uint32_t i = 0; i < store->metric_count && fits; i++)
        fits = add_other(trace, i, "before.", " before");
    for (uint32_t i = 0; i < store->metric_count && fits; i++)
        fits = add_other(trace, i, "larger.", "");
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

// ---- from the joined nodes to the trace

// A leaf of a side that is joined to a node with children has its objects in a node of their own.
static void want_self_nodes(const mc_versus_join *self, mc_node_order *order) {
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        const mc_trace *trace = self->desc->sides[side];
        for (uint32_t node = 0; node < trace->nodes.count; node++) {
            uint32_t joined = self->node[side][node];
            if (trace->child_count[node] == 0) mc_node_order_want_self(order, joined);
        }
    }
}

// `was_merged`: per node of the side; NULL: none was.
static bool fill_members(mc_trace *trace, const mc_trace *side, const uint32_t *joined,
                         const uint8_t *was_merged, const mc_node_order *order,
                         mc_versus_members *members) {
    uint32_t count = trace->nodes.count, side_count = side->nodes.count;
    members->node = mc_alloc(side_count, sizeof *members->node);
    members->leaf = allocate_filled(side_count);
    members->first = mc_alloc_zero((size_t)count + 1, sizeof *members->first);
    members->leaves = mc_alloc((size_t)side->nodes.leaf_count + 1, sizeof *members->leaves);
    members->same = allocate_filled(count);
    members->is_many = mc_alloc_zero(count, 1);
    if (!members->node || !members->leaf || !members->first || !members->leaves || !members->same ||
        !members->is_many)
        return false;
    for (uint32_t node = 0; node < side_count; node++) {
        uint32_t old = joined[node], at = members->node[node] = order->new_index[old];
        bool is_self = side->flags[node] & MC_NODE_SELF;
        if (!is_self && members->same[at] != MC_NONE) members->is_many[at] = 1;
        // What was merged into it is second to what it was.
        bool is_first = members->same[at] == MC_NONE ||
                        (was_merged && was_merged[members->same[at]] && !was_merged[node]);
        if (!is_self && is_first) members->same[at] = node;
        if (side->child_count[node] > 0) continue;
        if (trace->child_count[at] > 0) at = order->new_index[mc_node_order_get_leaf(order, old)];
        members->leaf[node] = at;
        members->first[at + 1]++;
    }
    for (uint32_t node = 0; node < count; node++)
        members->first[node + 1] += members->first[node];
    for (uint32_t node = 0; node < side_count; node++)
        if (members->leaf[node] != MC_NONE)
            members->leaves[members->first[members->leaf[node]]++] = node;
    for (uint32_t node = count; node > 0; node--)
        members->first[node] = members->first[node - 1];
    members->first[0] = 0;
    return true;
}

static int compare_moves(const void *a, const void *b) {
    const mc_versus_move *x = a, *y = b;
    if (x->leaf_count != y->leaf_count) return x->leaf_count > y->leaf_count ? -1 : 1;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return x->before_node < y->before_node ? -1 : x->before_node > y->before_node;
}

// Leaves of each node that are in both, in `both`, which has room for all nodes.
static void count_both(const mc_trace *trace, const mc_versus_store *store, uint32_t *both) {
    const mc_versus_members *members = store->members;
    for (uint32_t node = trace->nodes.count; node-- > 0;) {
        bool is_leaf = trace->child_count[node] == 0;
        if (is_leaf)
            both[node] = members[MC_BEFORE].first[node] < members[MC_BEFORE].first[node + 1] &&
                         members[MC_AFTER].first[node] < members[MC_AFTER].first[node + 1];
        if (node > 0) both[trace->parent[node]] += both[node];
    }
}

// A node was moved if it is not where its key leads to in what is around it.
static bool was_moved(const mc_versus_join *self, uint32_t node) {
    const mc_trace *trace = self->desc->sides[self->second];
    uint32_t joined = self->node[self->second][node];
    const mc_seen_node *seen = &self->builder->nodes[joined];
    if (trace->flags[node] & MC_NODE_SELF) return false;
    uint32_t around = trace->parent[node];
    if (self->second == MC_AFTER) { // of what was parted, the pieces were moved
        if (self->was_merged[node] || self->was_merged[around]) return !self->was_merged[node];
    } else if (self->was_merged[node] && joined == self->node[self->second][around]) {
        return false; // with what it is in
    }
    bool is_full = trace->key_kind == MC_KEY_FULL;
    uint32_t key = is_full ? trace->name[node] : trace->key[node];
    return seen->parent != self->node[self->second][around] || seen->key != self->string[key];
}

// Leaves of the second side below each of its nodes that are in both, in `both`, which has room for
// them.
static void count_moved(const mc_versus_join *self, const mc_versus_store *store, uint32_t *both) {
    const mc_trace *second = store->sides[self->second];
    const uint32_t *leaves = store->members[self->second].leaf;
    const uint32_t *first = store->members[self->first].first;
    for (uint32_t node = second->nodes.count; node-- > 0;) {
        uint32_t leaf = leaves[node];
        if (leaf != MC_NONE) both[node] = first[leaf] < first[leaf + 1];
        if (node > 0) both[second->parent[node]] += both[node];
    }
}

// Notes what of `before` was moved, itself or with what it is in.
static mc_result note_moved(const mc_trace *trace, mc_versus_store *store, mc_error *error) {
    const mc_trace *before = store->sides[MC_BEFORE];
    uint8_t *was_moved_too = mc_alloc_zero(before->nodes.count, 1);
    if (!was_moved_too) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < store->move_count; i++)
        was_moved_too[store->moves[i].before_node] = 1;
    for (uint32_t node = 1; node < before->nodes.count; node++)
        was_moved_too[node] |= was_moved_too[before->parent[node]];
    for (uint32_t node = 1; node < trace->nodes.count; node++) {
        uint32_t was = mc_versus_find_before(trace, store, node);
        if (was != MC_NONE && was_moved_too[was])
            store->moved[node / 64] |= (uint64_t)1 << (node % 64);
    }
    mc_free(was_moved_too);
    return MC_OK;
}

static mc_result list_moves(const mc_versus_join *self, const mc_trace *trace,
                            mc_versus_store *store, mc_error *error) {
    const mc_trace *second = store->sides[self->second];
    uint32_t *both = mc_alloc_zero(trace->nodes.count, sizeof *both);
    uint32_t *moved = mc_alloc_zero(second->nodes.count, sizeof *moved);
    size_t capacity = 0;
    mc_result result = both && moved ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK) count_both(trace, store, both);
    if (result == MC_OK) count_moved(self, store, moved);
    for (uint32_t node = 1; node < second->nodes.count && result == MC_OK; node++) {
        uint32_t at = store->members[self->second].node[node];
        bool is_merged = self->was_merged[node], is_before = self->second == MC_BEFORE;
        if (!was_moved(self, node)) continue;
        if (!mc_reserve(&store->moves, &capacity, (size_t)store->move_count + 1,
                        sizeof *store->moves))
            result = mc_error_out_of_memory(error);
        else
            store->moves[store->move_count++] =
                (mc_versus_move){at, is_before ? node : store->members[MC_BEFORE].same[at],
                                 is_merged ? moved[node] : both[at], is_merged};
    }
    if (store->move_count > 0)
        qsort(store->moves, store->move_count, sizeof *store->moves, compare_moves);
    mc_free(both);
    mc_free(moved);
    return result == MC_OK ? note_moved(trace, store, error) : result;
}

// What is read of `after` beside its tree.
static mc_result map_after(const mc_trace *trace, mc_versus_store *store, mc_error *error) {
    const mc_trace *after = store->sides[MC_AFTER];
    const mc_versus_members *members = &store->members[MC_AFTER];
    uint64_t work = 0;
    if (!after->has_paths) return MC_OK;
    return mc_mapping_find_same(trace, after, members->first, members->leaves, &work,
                                &store->same_after, error);
}

static mc_result make_store(mc_versus_join *self, mc_trace *trace, const mc_node_order *order,
                            mc_error *error) {
    mc_versus_store *store = trace->store = mc_alloc_zero(1, sizeof *store);
    if (!store) return mc_error_out_of_memory(error);
    store->present_step = MC_NONE;
    store->has_mutex = pthread_mutex_init(&store->mutex, NULL) == 0;
    store->present = mc_alloc(mc_bits_word_count(trace->nodes.count), sizeof *store->present);
    store->moved = mc_alloc_zero(mc_bits_word_count(trace->nodes.count), sizeof *store->moved);
    store->has_before_places = self->desc->has_before_places;
    store->strings_after = self->strings_after;
    self->strings_after = NULL;
    bool fits = store->has_mutex && store->present && store->moved;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES && fits; side++) {
        store->sides[side] = self->desc->sides[side];
        fits = fill_members(trace, store->sides[side], self->node[side],
                            side == self->second ? self->was_merged : NULL, order,
                            &store->members[side]);
        const uint32_t *first = store->members[side].first;
        for (uint32_t node = 0; node < trace->nodes.count && fits; node++)
            store->is_folded[side] |= first[node + 1] - first[node] > 1;
    }
    if (!fits) return mc_error_out_of_memory(error);
    mc_result result = list_moves(self, trace, store, error);
    if (result == MC_OK) result = join_metrics(trace, store, error);
    if (result == MC_OK) result = map_after(trace, store, error);
    if (result == MC_OK) result = mc_versus_align(self->desc, trace, store, error);
    if (result != MC_OK) return result;
    const mc_mapping mapping = mc_versus_get_mapping(store);
    return mc_mapping_copy_paths(&mapping, trace, error);
}

static mc_result make_trace(mc_versus_join *self, mc_trace *trace, mc_error *error) {
    mc_trace_builder *builder = self->builder;
    mc_node_order order;
    trace->source = &mc_steps_versus;
    mc_slots_deinit(&self->slots);
    mc_strings_seal(&builder->strings);
    mc_result result = mc_node_order_init(&order, builder, trace, error);
    if (result != MC_OK) return result;
    want_self_nodes(self, &order);
    mc_trace_builder_set_progress(builder, self->progress);
    result = mc_node_order_run(&order, error);
    if (result == MC_OK) result = make_store(self, trace, &order, error);
    mc_node_order_deinit(&order);
    trace->strings = builder->strings;
    memset(&builder->strings, 0, sizeof builder->strings);
    return result;
}

static mc_result join_both(mc_versus_join *self, mc_error *error) {
    const mc_versus_desc *desc = self->desc;
    mc_result result = mc_trace_builder_create(NULL, &self->builder, error);
    if (result != MC_OK) return result;
    self->builder->key_kind = MC_KEY_PATH_PART;
    bool fits = mc_strings_copy(&self->builder->strings, &desc->sides[self->first]->strings);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES && fits; side++) {
        self->node[side] = allocate_filled(desc->sides[side]->nodes.count);
        fits = self->node[side] != NULL;
    }
    if (!fits) return mc_error_out_of_memory(error);
    self->was_merged = mc_alloc_zero(desc->sides[self->second]->nodes.count, 1);
    if (!self->was_merged) return mc_error_out_of_memory(error);
    result = join_side(self, self->first, error);
    self->first_count = (uint32_t)self->builder->node_count;
    if (result == MC_OK) result = join_side(self, self->second, error);
    if (result == MC_OK && !desc->no_moves) result = mc_versus_find_moves(self, error);
    if (result != MC_OK || !self->moved_to) return result;
    forget_second(self);
    return join_side(self, self->second, error);
}

// The strings begin with those of the first side; where that is `before`, those of `after` have
// other numbers.
static mc_result join_strings(mc_versus_join *self, mc_error *error) {
    const mc_trace *trace = self->desc->sides[MC_AFTER];
    const mc_strings *after = &trace->strings;
    bool has_names = trace->has_referrers || trace->has_paths || trace->has_owners;
    for (uint32_t i = 0; i < trace->step_count; i++)
        has_names |= trace->steps[i].info.is_incomplete;
    if (self->first == MC_AFTER || !has_names) return MC_OK;
    self->strings_after = mc_alloc((size_t)after->count + 1, sizeof *self->strings_after);
    return self->strings_after &&
                   mc_strings_intern_all(&self->builder->strings, after, self->strings_after)
               ? MC_OK
               : mc_error_out_of_memory(error);
}

mc_result mc_trace_versus(const mc_versus_desc *desc, const mc_progress *progress, mc_trace **trace,
                          mc_error *error) {
    mc_versus_join self = {.desc = desc,
                           .progress = progress,
                           .first = desc->has_before_places ? MC_BEFORE : MC_AFTER,
                           .second = desc->has_before_places ? MC_AFTER : MC_BEFORE};
    *trace = NULL;
    mc_trace *made = mc_alloc_zero(1, sizeof *made);
    if (!made) {
        mc_trace_destroy(desc->owned[MC_BEFORE]);
        mc_trace_destroy(desc->owned[MC_AFTER]);
        return mc_error_out_of_memory(error);
    }
    made->source = &mc_steps_versus;
    mc_result result = join_both(&self, error);
    if (result == MC_OK) result = join_strings(&self, error);
    if (result == MC_OK) result = make_trace(&self, made, error);
    join_deinit(&self);
    if (result != MC_OK) mc_trace_destroy(made);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        mc_versus_store *store = result == MC_OK ? made->store : NULL;
        if (store)
            store->owned[side] = desc->owned[side];
        else
            mc_trace_destroy(desc->owned[side]);
    }
    if (result == MC_OK) *trace = made;
    return result;
}
