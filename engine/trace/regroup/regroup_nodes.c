// The nodes of a regrouped trace: what each leaf of the base is called by the wanted classifiers.
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
#include "engine/trace/build/builder_nodes.h"
#include "engine/trace/build/trace_builder.h"
#include "engine/trace/regroup/frame_steps.h"
#include "engine/trace/regroup/regroup.h"
#include "engine/trace/regroup/regroup_store.h"

// A hostile tree may be regrouped to the square of its nodes; names on the way to a leaf make
// others a few times as many.
#define NODES_ALWAYS ((uint64_t)1 << 20)
#define NODES_TIMES 16
#define NODES_MOST ((uint64_t)1 << 28)
#define WORK_MOST ((uint64_t)1 << 31) // nodes looked at on ways up
#define ASK_COUNT 16384               // leaves between two questions whether to go on

// What is said of a node of the base; its key may depend on what stands before it.
typedef struct named {
    uint32_t key, name; // strings; MC_NONE: not known yet
} named;

typedef struct plan {
    const mc_trace *base;
    const mc_regrouping *grouping;
    const mc_progress *progress;
    mc_trace_builder *builder; // its nodes are those of the new tree, in the order of appearance
    uint32_t node_most;
    mc_slots slots;         // of nodes by (parent, key)
    uint32_t *rank;         // per classifier of the base: its place in the grouping, or MC_NONE
    uint32_t type, package; // classifiers of which one names what the other holds, or MC_NONE
    bool is_package_before; // in the grouping
    uint32_t *outer;        // per node of the base: the node of the outermost classifier's groups
    uint32_t *near;         // likewise: it or the nearest above it that another classifier names
    named *named;           // per node of the base
    uint32_t *way;          // scratch: the nodes from a leaf up that other classifiers name
    size_t way_capacity;
    uint32_t *around; // scratch: the packages around a type
    size_t around_capacity;
    uint32_t leaf;       // that is looked at
    uint32_t *leaf_node; // per node of the base: the node that a leaf ends at, else MC_NONE
    uint64_t work;
    mc_text text; // scratch
} plan;

static void plan_deinit(plan *self) {
    mc_trace_builder_destroy(self->builder);
    mc_slots_deinit(&self->slots);
    mc_free(self->rank);
    mc_free(self->outer);
    mc_free(self->near);
    mc_free(self->named);
    mc_free(self->way);
    mc_free(self->around);
    mc_free(self->leaf_node);
    mc_text_deinit(&self->text);
}

static mc_result too_many(mc_error *error) {
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "this trace is too deep to be grouped otherwise");
}

// ---- names

static const char *get_own_key(const plan *self, uint32_t node, size_t *size) {
    const mc_trace *base = self->base;
    // A full key says where a node was; what it is called is its name.
    bool is_full = base->key_kind == MC_KEY_FULL && node != 0;
    return mc_strings_get(&base->strings, is_full ? base->name[node] : base->key[node], size);
}

// The packages from a node up, "java" and "util" as "java.util." with a dot behind. Not those that
// are none: "(primitive)". False: there is none, or memory is out.
static bool make_package(plan *self, uint32_t node) {
    const mc_trace *base = self->base;
    size_t count = 0;
    mc_text_clear(&self->text);
    for (uint32_t at = node; at != MC_NONE; at = base->parent[at], self->work++) {
        if (base->role[at] != self->package) continue;
        if (!mc_reserve(&self->around, &self->around_capacity, count + 1, sizeof *self->around)) {
            self->text.failed = true;
            return false;
        }
        self->around[count++] = at;
    }
    while (count-- > 0) {
        size_t size;
        const char *key = get_own_key(self, self->around[count], &size);
        mc_text_append(&self->text, key, size);
        mc_text_append(&self->text, ".", 1);
    }
    return !self->text.failed && self->text.size > 0 && self->text.data[0] != '(';
}

static bool name_plainly(plan *self, uint32_t node, named *out) {
    size_t size;
    const char *key = get_own_key(self, node, &size);
    // Equal keys get equal numbers.
    out->key = mc_strings_intern(&self->builder->strings, key, size);
    out->name = self->base->name[node];
    return out->key != MC_NONE;
}

static bool begins_with_package(const plan *self, const char *key, size_t size) {
    return size > self->text.size && memcmp(key, self->text.data, self->text.size) == 0;
}

// "java.util.List", where "List" alone would be another one, too.
static bool name_wholly(plan *self, uint32_t node, named *out) {
    size_t size;
    const char *key = get_own_key(self, node, &size);
    bool has_package = make_package(self, node);
    if (self->text.failed) return false;
    if (!has_package || begins_with_package(self, key, size)) return name_plainly(self, node, out);
    mc_text_append(&self->text, key, size);
    if (self->text.failed) return false;
    out->key = out->name =
        mc_strings_intern(&self->builder->strings, self->text.data, self->text.size);
    return out->key != MC_NONE;
}

// "List" of "java.util.List", where its package is one below it that will be above.
static bool name_shortly(plan *self, uint32_t node, named *out) {
    size_t size;
    const char *key = get_own_key(self, node, &size);
    bool has_package = make_package(self, self->leaf);
    if (self->text.failed) return false;
    if (!has_package || !begins_with_package(self, key, size)) return name_plainly(self, node, out);
    out->key = out->name =
        mc_strings_intern(&self->builder->strings, key + self->text.size, size - self->text.size);
    return out->key != MC_NONE;
}

static bool get_named(plan *self, uint32_t node, named *out) {
    *out = self->named[node];
    if (out->key != MC_NONE) return true;
    bool is_type = self->type != MC_NONE && self->base->role[node] == self->type;
    bool is_named = !is_type                  ? name_plainly(self, node, out)
                    : self->is_package_before ? name_shortly(self, node, out)
                                              : name_wholly(self, node, out);
    if (!is_named) return false;
    self->named[node] = *out;
    return true;
}

// ---- the new tree

static uint32_t hash_node(uint32_t parent, uint32_t key) {
    return (uint32_t)mc_hash_u64((uint64_t)parent << 32 | key, 3);
}

static uint32_t find_child(const plan *self, uint32_t parent, uint32_t key) {
    uint32_t hash = hash_node(parent, key), node;
    for (uint32_t at = hash; (node = mc_slots_find(&self->slots, hash, &at)) != MC_NONE;) {
        const mc_seen_node *seen = &self->builder->nodes[node];
        if (seen->parent == parent && seen->key == key) return node;
    }
    return MC_NONE;
}

static uint32_t add_child(plan *self, uint32_t parent, named what, uint32_t role) {
    mc_trace_builder *builder = self->builder;
    if (builder->node_count >= self->node_most ||
        !mc_reserve(&builder->nodes, &builder->node_capacity, builder->node_count + 1,
                    sizeof *builder->nodes) ||
        !mc_slots_add(&self->slots, hash_node(parent, what.key), (uint32_t)builder->node_count))
        return MC_NONE;
    uint32_t node = (uint32_t)builder->node_count++;
    builder->nodes[node] =
        (mc_seen_node){.parent = parent, .key = what.key, .name = what.name, .role = role};
    return node;
}

// Another key, where that of another kind of sibling is the same.
static bool set_apart(plan *self, named *what, uint32_t role, bool is_own) {
    size_t size;
    mc_strings *strings = &self->builder->strings;
    mc_text_clear(&self->text);
    const char *bytes = mc_strings_get(strings, what->key, &size);
    mc_text_append(&self->text, bytes, size);
    mc_text_append_string(&self->text, " (");
    if (is_own) {
        mc_text_append_string(&self->text, "own");
    } else {
        bytes = mc_strings_get(strings, self->builder->classifiers[role], &size);
        mc_text_append(&self->text, bytes, size);
    }
    mc_text_append_string(&self->text, ")");
    what->key =
        self->text.failed ? MC_NONE : mc_strings_intern(strings, self->text.data, self->text.size);
    return what->key != MC_NONE;
}

// MC_NONE if memory is out, or there would be too many.
static uint32_t find_or_add_child(plan *self, uint32_t parent, uint32_t base_node, uint32_t role) {
    named what;
    if (!get_named(self, base_node, &what)) return MC_NONE;
    for (;;) {
        uint32_t node = find_child(self, parent, what.key);
        if (node == MC_NONE) return add_child(self, parent, what, role);
        if (self->builder->nodes[node].role == role) return node;
        if (!set_apart(self, &what, role, false)) return MC_NONE;
    }
}

// ---- leaves

// The classifier's place in the grouping, by which a node of the base is a group; else MC_NONE.
static uint32_t get_rank(const plan *self, uint32_t node) {
    uint32_t role = self->base->role[node];
    if (node == 0 || role == MC_NONE || self->base->flags[node] & MC_NODE_SELF) return MC_NONE;
    return self->rank[role];
}

// Nodes come behind their parents.
static bool enter(plan *self, uint32_t node) {
    uint32_t parent = self->base->parent[node], rank = get_rank(self, node);
    if (node == 0) {
        self->outer[0] = 0;
        self->near[0] = MC_NONE;
        return true;
    }
    self->outer[node] = self->outer[parent];
    self->near[node] = self->near[parent];
    if (rank == 0) self->outer[node] = find_or_add_child(self, self->outer[parent], node, 0);
    if (rank != 0 && rank != MC_NONE) self->near[node] = node;
    return self->outer[node] != MC_NONE;
}

static bool enter_leaf(plan *self, uint32_t leaf) {
    const mc_trace *base = self->base;
    size_t count = 0;
    for (uint32_t at = self->near[leaf]; at != MC_NONE; at = self->near[base->parent[at]]) {
        if (!mc_reserve(&self->way, &self->way_capacity, count + 1, sizeof *self->way))
            return false;
        self->way[count++] = at;
    }
    self->work += count * self->grouping->count;
    self->leaf = leaf;
    uint32_t node = self->outer[leaf];
    for (uint32_t rank = 1; rank < self->grouping->count && count > 0; rank++)
        for (size_t i = count; i-- > 0 && node != MC_NONE;)
            if (get_rank(self, self->way[i]) == rank)
                node = find_or_add_child(self, node, self->way[i], rank);
    self->leaf_node[leaf] = node;
    return node != MC_NONE;
}

// The order in which the input names them, which the new children then have.
static mc_result enter_all(plan *self, mc_error *error) {
    const mc_trace *base = self->base;
    uint32_t *stack = mc_alloc(base->nodes.count, sizeof *stack);
    if (!stack) return mc_error_out_of_memory(error);
    uint32_t depth = 0, done = 0;
    mc_result result = MC_OK;
    stack[depth++] = 0;
    while (depth > 0 && result == MC_OK) {
        uint32_t node = stack[--depth], count = base->child_count[node];
        bool fits = enter(self, node) && (count > 0 || enter_leaf(self, node));
        if (self->work > WORK_MOST || self->builder->node_count >= self->node_most)
            result = too_many(error);
        else if (!fits)
            result = mc_error_out_of_memory(error);
        else if (done++ % ASK_COUNT == 0 &&
                 !mc_progress_report(self->progress, done, 2 * (uint64_t)base->nodes.count))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        for (uint32_t i = count; i-- > 0;)
            stack[depth++] = base->child_by_appearance[base->first_child[node] + i];
    }
    mc_free(stack);
    return result;
}

// Where leaves end at a group that has others, too, their share is a building of its own.
static bool part_own_shares(plan *self, mc_error *error) {
    const mc_trace *base = self->base;
    mc_trace_builder *builder = self->builder;
    uint32_t count = (uint32_t)builder->node_count;
    uint32_t *own = mc_alloc(count, sizeof *own); // per node with children: for its own share
    bool fits = own != NULL;
    for (uint32_t node = 0; node < count && fits; node++)
        own[node] = MC_NONE;
    for (uint32_t node = 1; node < count && fits; node++)
        own[builder->nodes[node].parent] = 0; // wanted, if a leaf ends there
    for (uint32_t leaf = 0; leaf < base->nodes.count && fits; leaf++) {
        uint32_t node = self->leaf_node[leaf];
        if (node == MC_NONE || own[node] == MC_NONE) continue;
        if (own[node] == 0) {
            named what = {builder->nodes[node].key, builder->nodes[node].name};
            while (fits && find_child(self, node, what.key) != MC_NONE)
                fits = set_apart(self, &what, MC_NONE, true);
            own[node] = fits ? add_child(self, node, what, builder->nodes[node].role) : MC_NONE;
            fits = fits && own[node] != MC_NONE;
        }
        self->leaf_node[leaf] = own[node];
    }
    mc_free(own);
    if (!fits) mc_error_out_of_memory(error);
    return fits;
}

// ---- from the plan to the trace

static uint32_t find_named(const mc_trace *base, const char *name) {
    mc_regrouping grouping;
    return mc_regrouping_parse(base, name, &grouping, NULL) == MC_OK ? grouping.classifiers[0]
                                                                     : MC_NONE;
}

static uint32_t *allocate_filled(uint32_t count) { // with MC_NONE
    uint32_t *numbers = mc_alloc((size_t)count + 1, sizeof *numbers);
    if (numbers) memset(numbers, 0xff, ((size_t)count + 1) * sizeof *numbers);
    return numbers;
}

static bool add_classifier(mc_trace_builder *builder, uint32_t string) {
    if (!mc_reserve(&builder->classifiers, &builder->classifier_capacity,
                    builder->classifier_count + 1, sizeof *builder->classifiers))
        return false;
    builder->classifiers[builder->classifier_count++] = string;
    return true;
}

static mc_result plan_init(plan *self, mc_error *error) {
    const mc_trace *base = self->base;
    uint32_t count = base->nodes.count;
    mc_result result = mc_trace_builder_create(NULL, &self->builder, error);
    if (result != MC_OK) return result;
    mc_trace_builder *builder = self->builder;
    builder->key_kind = MC_KEY_PATH_PART;
    uint64_t most = NODES_ALWAYS + NODES_TIMES * (uint64_t)count;
    self->node_most = (uint32_t)(most < NODES_MOST ? most : NODES_MOST);
    self->rank = allocate_filled(base->classifier_count);
    self->outer = mc_alloc(count, sizeof *self->outer);
    self->near = mc_alloc(count, sizeof *self->near);
    self->leaf_node = allocate_filled(count);
    self->named = mc_alloc(count, sizeof *self->named);
    bool fits = self->rank && self->outer && self->near && self->leaf_node && self->named &&
                mc_strings_copy(&builder->strings, &base->strings);
    if (fits) memset(self->named, 0xff, count * sizeof *self->named); // MC_NONE
    self->package = find_named(base, "package");
    self->type = self->package != MC_NONE ? find_named(base, "type") : MC_NONE;
    for (uint32_t i = 0; i < self->grouping->count && fits; i++) {
        uint32_t classifier = self->grouping->classifiers[i];
        self->rank[classifier] = i;
        fits = add_classifier(builder, base->classifiers[classifier]);
    }
    if (fits && self->type != MC_NONE)
        self->is_package_before = self->rank[self->package] < self->rank[self->type];
    named root = {.key = base->key[0], .name = base->name[0]};
    if (fits) fits = add_child(self, MC_NONE, root, base->role[0]) == 0;
    if (fits) builder->nodes[0].role = MC_NONE;
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

static bool fill_members(mc_trace *trace, mc_regroup_store *store, uint32_t base_count,
                         uint32_t member_count) {
    uint32_t count = trace->nodes.count;
    store->first = mc_alloc_zero((size_t)count + 1, sizeof *store->first);
    store->members = mc_alloc((size_t)member_count + 1, sizeof *store->members);
    if (!store->first || !store->members) return false;
    for (uint32_t leaf = 0; leaf < base_count; leaf++)
        if (store->leaf[leaf] != MC_NONE) store->first[store->leaf[leaf] + 1]++;
    store->is_one_to_one = true;
    for (uint32_t node = 0; node < count; node++) {
        if (store->first[node + 1] > 1) store->is_one_to_one = false;
        store->first[node + 1] += store->first[node];
    }
    for (uint32_t leaf = 0; leaf < base_count; leaf++)
        if (store->leaf[leaf] != MC_NONE) store->members[store->first[store->leaf[leaf]]++] = leaf;
    for (uint32_t node = count; node > 0; node--)
        store->first[node] = store->first[node - 1];
    store->first[0] = 0;
    return true;
}

static mc_result make_metrics(mc_trace *trace, const mc_trace *base, double frame_ms,
                              const mc_trace *before, mc_error *error) {
    mc_regroup_store *store = trace->store;
    bool fits = frame_ms > 0 ? mc_metrics_add_base(&trace->metrics)
                             : mc_metrics_copy(&trace->metrics, &base->metrics);
    if (!fits) return mc_error_out_of_memory(error);
    return frame_ms > 0 ? mc_frame_create(trace, frame_ms, before, &store->frame, error) : MC_OK;
}

static mc_result copy_steps(mc_trace *trace, const mc_trace *base, mc_error *error) {
    trace->steps = mc_alloc_zero(base->step_count, sizeof *trace->steps);
    if (!trace->steps) return mc_error_out_of_memory(error);
    trace->step_count = base->step_count;
    for (uint32_t i = 0; i < base->step_count; i++) {
        trace->steps[i].info = base->steps[i].info;
        const char *note = mc_trace_get_note(base, i);
        if (note && !mc_trace_set_note(trace, i, note, strlen(note)))
            return mc_error_out_of_memory(error);
    }
    trace->has_references = base->has_references;
    trace->has_referrers = base->has_referrers;
    const mc_mapping mapping = mc_regroup_get_mapping(trace->store);
    return mc_mapping_copy_paths(&mapping, trace, error);
}

static mc_result begin_store(mc_trace *trace, const mc_trace *base, const mc_regrouping *grouping,
                             mc_error *error) {
    mc_regroup_store *store = trace->store = mc_alloc_zero(1, sizeof *store);
    if (!store) return mc_error_out_of_memory(error);
    store->base = base;
    trace->is_of_sites = mc_trace_is_of_sites(base);
    trace->is_of_typed_sites = mc_trace_is_of_typed_sites(base);
    store->grouping = *grouping;
    store->present_step = MC_NONE;
    store->has_mutex = pthread_mutex_init(&store->mutex, NULL) == 0;
    store->present = mc_alloc(mc_bits_word_count(trace->nodes.count), sizeof *store->present);
    return store->has_mutex && store->present ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result make_store(plan *self, mc_trace *trace, const mc_node_order *order,
                            mc_error *error) {
    const mc_trace *base = self->base;
    mc_result result = begin_store(trace, base, self->grouping, error);
    if (result != MC_OK) return result;
    mc_regroup_store *store = trace->store;
    store->leaf = self->leaf_node;
    self->leaf_node = NULL;
    for (uint32_t leaf = 0; leaf < base->nodes.count; leaf++)
        if (store->leaf[leaf] != MC_NONE) store->leaf[leaf] = order->new_index[store->leaf[leaf]];
    if (!fill_members(trace, store, base->nodes.count, base->nodes.leaf_count))
        return mc_error_out_of_memory(error);
    return mc_mapping_find_same(trace, base, store->first, store->members, &self->work,
                                &store->same, error);
}

static mc_result make_trace(plan *self, mc_trace *trace, const mc_trace *before, mc_error *error) {
    mc_trace_builder *builder = self->builder;
    mc_node_order order;
    trace->source = &mc_steps_regrouped;
    mc_slots_deinit(&self->slots);
    mc_strings_seal(&builder->strings);
    mc_result result = mc_node_order_init(&order, builder, trace, error);
    if (result != MC_OK) return result;
    mc_trace_builder_set_progress(builder, self->progress);
    result = mc_node_order_run(&order, error);
    if (result == MC_OK) result = make_store(self, trace, &order, error);
    mc_node_order_deinit(&order);
    if (result == MC_OK)
        result = make_metrics(trace, self->base, self->grouping->frame_ms, before, error);
    if (result == MC_OK) result = copy_steps(trace, self->base, error);
    trace->strings = builder->strings;
    memset(&builder->strings, 0, sizeof builder->strings);
    return result;
}

// ---- nodes that are there already

static bool is_same_string(const mc_trace *a, uint32_t in_a, const mc_trace *b, uint32_t in_b) {
    size_t a_size, b_size;
    const char *x = mc_strings_get(&a->strings, in_a, &a_size);
    const char *y = mc_strings_get(&b->strings, in_b, &b_size);
    return a_size == b_size && memcmp(x, y, a_size) == 0;
}

// A base to which threads came, and no methods, has the same groups of methods.
static bool has_same_nodes(const mc_trace *a, const mc_trace *b) {
    uint32_t count = a->nodes.count;
    size_t size = count * sizeof *a->parent;
    bool is_same = count == b->nodes.count && a->classifier_count == b->classifier_count &&
                   a->key_kind == b->key_kind && memcmp(a->parent, b->parent, size) == 0 &&
                   memcmp(a->role, b->role, size) == 0 && memcmp(a->flags, b->flags, count) == 0;
    for (uint32_t i = 0; is_same && i < a->classifier_count; i++)
        is_same = is_same_string(a, a->classifiers[i], b, b->classifiers[i]);
    for (uint32_t node = 0; is_same && node < count; node++)
        is_same = is_same_string(a, a->key[node], b, b->key[node]) &&
                  is_same_string(a, a->name[node], b, b->name[node]);
    return is_same;
}

// Whether the nodes of `before` are those that such a grouping makes.
static bool has_same_base(const mc_trace *before, const mc_trace *base,
                          const mc_regrouping *grouping) {
    const mc_regroup_store *store = before ? mc_regroup_get_store(before) : NULL;
    return store && before->node_holders && store->map_holders &&
           mc_trace_shares_nodes(store->base, base) && store->grouping.count == grouping->count &&
           memcmp(store->grouping.classifiers, grouping->classifiers,
                  grouping->count * sizeof *grouping->classifiers) == 0;
}

static mc_result share_trace(mc_trace *trace, const mc_trace *base, const mc_regrouping *grouping,
                             const mc_trace *before, mc_error *error) {
    const mc_regroup_store *from = before->store;
    trace->source = &mc_steps_regrouped;
    mc_trace_share_nodes(trace, before);
    mc_result result = begin_store(trace, base, grouping, error);
    if (result != MC_OK) return result;
    mc_regroup_store *store = trace->store;
    store->leaf = from->leaf;
    store->first = from->first;
    store->members = from->members;
    store->same = from->same;
    store->is_one_to_one = from->is_one_to_one;
    store->map_holders = from->map_holders;
    atomic_fetch_add_explicit(store->map_holders, 1, memory_order_relaxed);
    result = make_metrics(trace, base, grouping->frame_ms, before, error);
    return result == MC_OK ? copy_steps(trace, base, error) : result;
}

static mc_result make_anew(mc_trace *trace, const mc_trace *base, const mc_regrouping *grouping,
                           const mc_trace *before, const mc_progress *progress, mc_error *error) {
    plan self = {.base = base, .grouping = grouping, .progress = progress};
    mc_result result = plan_init(&self, error);
    if (result == MC_OK) result = enter_all(&self, error);
    if (result == MC_OK && !part_own_shares(&self, error)) result = MC_ERROR_OUT_OF_MEMORY;
    if (result == MC_OK) result = make_trace(&self, trace, before, error);
    plan_deinit(&self);
    if (result != MC_OK) return result;
    mc_regroup_store *store = trace->store;
    trace->node_holders = mc_alloc(1, sizeof *trace->node_holders);
    if (!trace->node_holders) return mc_error_out_of_memory(error);
    atomic_init(trace->node_holders, 1);
    store->map_holders = mc_alloc(1, sizeof *store->map_holders);
    if (!store->map_holders) return mc_error_out_of_memory(error);
    atomic_init(store->map_holders, 1);
    if (before && before->node_holders && has_same_nodes(before, trace))
        mc_trace_adopt_nodes(trace, before);
    return MC_OK;
}

mc_result mc_trace_regroup_next(const mc_trace *base, const mc_regrouping *grouping,
                                const mc_trace *before, const mc_progress *progress,
                                mc_trace **trace, mc_error *error) {
    assert(base->source != &mc_steps_regrouped && grouping->count > 0);
    *trace = NULL;
    mc_trace *made = mc_alloc_zero(1, sizeof *made);
    if (!made) return mc_error_out_of_memory(error);
    mc_result result = has_same_base(before, base, grouping)
                           ? share_trace(made, base, grouping, before, error)
                           : make_anew(made, base, grouping, before, progress, error);
    if (result == MC_OK)
        *trace = made;
    else
        mc_trace_destroy(made);
    return result;
}

mc_result mc_trace_regroup(const mc_trace *base, const mc_regrouping *grouping,
                           const mc_progress *progress, mc_trace **trace, mc_error *error) {
    return mc_trace_regroup_next(base, grouping, NULL, progress, trace, error);
}
