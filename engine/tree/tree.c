#include "engine/tree/tree.h"

#include "engine/base/memory.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *const mc_tree_sort_names[] = {"growth", "start", "end", NULL};

typedef struct ranked {
    uint64_t key; // ascending
    uint32_t node;
} ranked;

// What is needed while a tree is made.
typedef struct maker {
    const mc_trace *trace;
    const mc_node_columns *nodes;
    mc_tree *tree;
    const mc_tree_desc *desc;
    const mc_tree *whole; // whose order is taken over; NULL: siblings are ranked
    uint8_t *is_kept;     // per node; NULL: nothing has to be
    ranked *children;     // scratch
    uint32_t level_capacity;
} maker;

void mc_tree_destroy(mc_tree *tree) {
    if (!tree) return;
    uint32_t *columns[] = {
        tree->level_first, tree->node,       tree->parent,      tree->first_child,
        tree->child_count, tree->other,      tree->other_first, tree->other_group_count,
        tree->hidden,      tree->node_entry, tree->branch};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        mc_free(columns[i]);
    mc_free(tree->first);
    mc_free(tree->last);
    mc_free(tree);
}

static int compare_ranked(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

// What sorts ascending where the setting is the largest first.
static uint64_t get_key(const mc_tree *tree, mc_tree_sort sort, uint32_t node) {
    uint64_t first = tree->first[node], last = tree->last[node];
    if (sort == MC_TREE_SORT_START) return ~first;
    if (sort == MC_TREE_SORT_END) return ~last;
    // A signed difference of numbers below 2^63, as an unsigned one in the same order.
    return ~((last - first) ^ ((uint64_t)1 << 63));
}

// By which values shares of a parent are measured.
static const uint64_t *get_sizes(const mc_tree *tree, mc_tree_sort sort) {
    return sort == MC_TREE_SORT_START ? tree->first : tree->last;
}

static bool must_keep(const maker *m, uint32_t node) {
    return m->is_kept && m->is_kept[node];
}

static void add_entry(mc_tree *tree, uint32_t node, uint32_t parent, uint32_t other) {
    uint32_t entry = tree->count++;
    tree->node[entry] = node;
    tree->parent[entry] = parent;
    tree->child_count[entry] = 0;
    tree->other[entry] = other;
    if (other == MC_NONE) tree->node_entry[node] = entry;
}

// Moves what is kept to the front, in its order, and returns how many that are.
static uint32_t prune(const maker *m, uint32_t node, uint32_t count) {
    const mc_tree_pruning *pruning = &m->desc->pruning;
    const uint64_t *sizes = get_sizes(m->tree, m->desc->sort);
    if (pruning->most == 0 || (pruning->opened && pruning->opened[node])) return count;
    double total = (double)sizes[node], shown = 0;
    uint32_t kept_count = 0, ranked_count = 0;
    ranked *hidden = m->children + m->nodes->count; // the second half of the scratch
    uint32_t hidden_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        ranked child = m->children[i];
        bool is_first =
            ranked_count < pruning->most && (total <= 0 || shown < pruning->share * total);
        ranked_count += is_first;
        if (is_first) shown += (double)sizes[child.node];
        if (is_first || must_keep(m, child.node))
            m->children[kept_count++] = child;
        else
            hidden[hidden_count++] = child;
    }
    memcpy(m->children + kept_count, hidden, hidden_count * sizeof *hidden);
    // An Other of one group would say less than the group, and take as much room.
    return hidden_count > 1 ? kept_count : count;
}

static void hide(mc_tree *tree, const ranked *groups, uint32_t count, uint32_t node,
                 uint32_t parent) {
    uint32_t other = tree->other_count++, entry = tree->count;
    tree->other_first[other] = tree->hidden_count;
    tree->other_group_count[other] = count;
    for (uint32_t i = 0; i < count; i++) {
        tree->hidden[tree->hidden_count++] = groups[i].node;
        tree->node_entry[groups[i].node] = entry;
    }
    add_entry(tree, node, parent, other);
}

// Puts the children of a node into the scratch, in their order.
static void rank_children(const maker *m, uint32_t node, uint32_t count) {
    const mc_tree *whole = m->whole;
    if (whole) {
        const uint32_t *ordered = whole->node + whole->first_child[whole->node_entry[node]];
        for (uint32_t i = 0; i < count; i++)
            m->children[i] = (ranked){i, ordered[i]};
        return;
    }
    uint32_t first = m->nodes->first_child[node];
    for (uint32_t i = 0; i < count; i++)
        m->children[i] = (ranked){get_key(m->tree, m->desc->sort, first + i), first + i};
    if (count > 1) qsort(m->children, count, sizeof *m->children, compare_ranked);
}

static void add_children(const maker *m, uint32_t entry) {
    mc_tree *tree = m->tree;
    const mc_node_columns *nodes = m->nodes;
    uint32_t node = tree->node[entry], begin = tree->count;
    tree->first_child[entry] = begin;
    if (mc_tree_is_other(tree, entry)) return;
    uint32_t count = nodes->child_count[node];
    if (count == 0) return;
    rank_children(m, node, count);
    uint32_t kept = prune(m, node, count);
    for (uint32_t i = 0; i < kept; i++)
        add_entry(tree, m->children[i].node, entry, MC_NONE);
    if (kept < count) hide(tree, m->children + kept, count - kept, node, entry);
    tree->child_count[entry] = tree->count - begin;
}

static void add_entries(const maker *m) {
    mc_tree *tree = m->tree;
    memset(tree->node_entry, 0xff, m->nodes->count * sizeof *tree->node_entry);
    add_entry(tree, 0, MC_NONE, MC_NONE);
    uint32_t entry = 0;
    while (entry < tree->count) {
        uint32_t end = tree->count;
        tree->level_first[tree->level_count++] = entry;
        for (; entry < end; entry++)
            add_children(m, entry);
    }
    tree->level_first[tree->level_count] = tree->count;
    // What is in a hidden group is shown by the same Other.
    for (uint32_t node = 1; node < m->nodes->count; node++)
        if (tree->node_entry[node] == MC_NONE)
            tree->node_entry[node] = tree->node_entry[m->nodes->parent[node]];
}

// A column of `count` elements, at least one.
static bool allocate(uint32_t **column, size_t count) {
    *column = mc_alloc(count > 0 ? count : 1, sizeof **column);
    return *column;
}

static mc_result allocate_columns(maker *m, mc_error *error) {
    mc_tree *tree = m->tree;
    size_t count = m->nodes->count;
    tree->node_count = m->nodes->count;
    tree->first = mc_alloc(count, sizeof *tree->first);
    tree->last = mc_alloc(count, sizeof *tree->last);
    m->children = mc_alloc(count * 2, sizeof *m->children);
    bool has_all = tree->first && tree->last && m->children &&
                   allocate(&tree->level_first, (size_t)m->nodes->depth + 2) &&
                   allocate(&tree->node, count) && allocate(&tree->parent, count) &&
                   allocate(&tree->first_child, count) && allocate(&tree->child_count, count) &&
                   allocate(&tree->other, count) && allocate(&tree->other_first, count) &&
                   allocate(&tree->other_group_count, count) && allocate(&tree->hidden, count) &&
                   allocate(&tree->node_entry, count) && allocate(&tree->branch, count);
    return has_all ? MC_OK : mc_error_out_of_memory(error);
}

// What has to be kept, and all that is on the way to it.
static mc_result mark_kept(maker *m, mc_error *error) {
    const uint8_t *kept = m->desc->pruning.kept;
    uint32_t count = m->nodes->count;
    if (!kept || m->desc->pruning.most == 0) return MC_OK;
    m->is_kept = mc_alloc(count, 1);
    if (!m->is_kept) return mc_error_out_of_memory(error);
    memcpy(m->is_kept, kept, count);
    for (uint32_t node = count; node-- > 1;)
        if (m->is_kept[node]) m->is_kept[m->nodes->parent[node]] = 1;
    return MC_OK;
}

static mc_result read_ends(const maker *m, mc_error *error) {
    mc_step_range window = m->desc->window;
    mc_tree *tree = m->tree;
    mc_result result =
        mc_trace_read_counts(m->trace, window.first_step, m->desc->metric, tree->first, error);
    if (result == MC_OK)
        result =
            mc_trace_read_counts(m->trace, window.last_step, m->desc->metric, tree->last, error);
    return result;
}

// The largest value at any step of every node of the first level.
static mc_result find_largest(const maker *m, uint32_t count, uint64_t *largest, mc_error *error) {
    uint32_t *wanted = mc_alloc(count, sizeof *wanted);
    uint64_t *values = mc_alloc(count, sizeof *values);
    mc_result result = wanted && values ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        wanted[i] = m->nodes->first_child[0] + i;
        largest[i] = 0;
    }
    uint32_t step_count = mc_trace_get_step_count(m->trace);
    for (uint32_t step = 0; step < step_count && result == MC_OK; step++) {
        result =
            mc_trace_read_values(m->trace, step, m->desc->metric, wanted, count, values, error);
        for (uint32_t i = 0; i < count && result == MC_OK; i++)
            if (values[i] != MC_COUNT_UNKNOWN && values[i] > largest[i]) largest[i] = values[i];
    }
    mc_free(wanted);
    mc_free(values);
    return result;
}

// Branches are ranked by what they are at their largest: that depends on no step and no window.
static mc_result rank_branches(const maker *m, mc_error *error) {
    const mc_node_columns *nodes = m->nodes;
    uint32_t count = nodes->child_count[0], *branch = m->tree->branch;
    branch[0] = MC_NONE;
    if (count == 0) return MC_OK;
    uint64_t *largest = mc_alloc(count, sizeof *largest);
    if (!largest) return mc_error_out_of_memory(error);
    mc_result result = find_largest(m, count, largest, error);
    if (result == MC_OK) {
        for (uint32_t i = 0; i < count; i++)
            m->children[i] = (ranked){~largest[i], nodes->first_child[0] + i};
        qsort(m->children, count, sizeof *m->children, compare_ranked);
        for (uint32_t i = 0; i < count; i++)
            branch[m->children[i].node] = i;
        for (uint32_t node = nodes->first_child[0] + count; node < nodes->count; node++)
            branch[node] = branch[nodes->parent[node]];
    }
    mc_free(largest);
    return result;
}

// What does not depend on pruning: read and ranked, or the whole's.
static mc_result fill_nodes(const maker *m, mc_error *error) {
    mc_tree *tree = m->tree;
    size_t count = tree->node_count;
    if (!m->whole) {
        mc_result result = read_ends(m, error);
        return result == MC_OK ? rank_branches(m, error) : result;
    }
    memcpy(tree->first, m->whole->first, count * sizeof *tree->first);
    memcpy(tree->last, m->whole->last, count * sizeof *tree->last);
    memcpy(tree->branch, m->whole->branch, count * sizeof *tree->branch);
    return MC_OK;
}

static mc_result make(maker *m, mc_tree **out, mc_error *error) {
    mc_tree *tree = mc_alloc_zero(1, sizeof *tree);
    *out = NULL;
    if (!tree) return mc_error_out_of_memory(error);
    m->tree = tree;
    tree->desc = *m->desc;
    tree->desc.pruning.kept = tree->desc.pruning.opened = NULL;
    mc_result result = allocate_columns(m, error);
    if (result == MC_OK) result = mark_kept(m, error);
    if (result == MC_OK) result = fill_nodes(m, error);
    if (result == MC_OK) add_entries(m);
    mc_free(m->is_kept);
    mc_free(m->children);
    if (result != MC_OK) {
        mc_tree_destroy(tree);
        return result;
    }
    *out = tree;
    return MC_OK;
}

mc_result mc_tree_create(const mc_trace *trace, const mc_tree_desc *desc, mc_tree **tree,
                         mc_error *error) {
    maker m = {.trace = trace, .nodes = mc_trace_get_nodes(trace), .desc = desc};
    return make(&m, tree, error);
}

mc_result mc_tree_create_pruned(const mc_tree *whole, const mc_node_columns *nodes,
                                const mc_tree_pruning *pruning, mc_tree **tree, mc_error *error) {
    assert(whole->other_count == 0 && whole->node_count == nodes->count);
    mc_tree_desc desc = whole->desc;
    desc.pruning = *pruning;
    maker m = {.nodes = nodes, .desc = &desc, .whole = whole};
    return make(&m, tree, error);
}

static uint64_t add_up_groups(const mc_tree *tree, uint32_t other, const uint64_t *node_values) {
    const uint32_t *groups = tree->hidden + tree->other_first[other];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < tree->other_group_count[other]; i++) {
        uint64_t value = node_values[groups[i]];
        sum = sum > MC_COUNT_MAX - value ? MC_COUNT_MAX : sum + value;
    }
    return sum;
}

void mc_tree_gather(const mc_tree *tree, const uint64_t *node_values, uint64_t *values) {
    for (uint32_t i = 0; i < tree->count; i++)
        values[i] = node_values[tree->node[i]];
    for (uint32_t i = 0; i < tree->count && tree->other_count > 0; i++)
        if (mc_tree_is_other(tree, i)) values[i] = add_up_groups(tree, tree->other[i], node_values);
}

uint32_t mc_tree_get_level(const mc_tree *tree, uint32_t entry) {
    uint32_t low = 0, high = tree->level_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (tree->level_first[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t mc_tree_get_depth(const mc_tree *tree, uint32_t root) {
    mc_partition_tree partition = mc_tree_get_partition(tree);
    mc_node_span span = {root, root + 1};
    uint32_t depth = 0;
    for (; span.first < span.end; depth++)
        span = mc_partition_get_children(&partition, span);
    return depth;
}

uint32_t mc_tree_get_common(const mc_tree *tree, uint32_t a, uint32_t b) {
    // Whoever has the larger number is not above the other.
    while (a != b) {
        if (a > b)
            a = tree->parent[a];
        else
            b = tree->parent[b];
    }
    return a;
}
