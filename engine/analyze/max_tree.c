#include "engine/analyze/max_tree.h"

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/base/radix.h"
#include "engine/trace/regroup/live_steps.h"
#include "engine/trace/regroup/regroup.h"
#include "engine/trace/versus/versus.h"
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define RELEASED_SHARE 0.4 // of the peak: who ends below has given most of the heap back
#define LATER_MOST 3       // times as many steps as before it may follow an end
#define TOOTH_SHARE 0.5 // of what is given back at the end: who gave so much before does so often

// Of the heap: in bytes, unless objects are asked for.
static double total_at(const mc_trace *trace, mc_metric metric, uint32_t step_index) {
    const mc_step_info *step = mc_trace_get_step(trace, step_index);
    return (double)(metric == MC_METRIC_OBJECTS ? step->objects : step->bytes);
}

// Where steps count garbage, those right behind a collection of the whole heap tell alone.
static bool tells(const mc_trace *trace, bool is_live_only, uint32_t step_index) {
    return !is_live_only || mc_trace_get_step(trace, step_index)->liveness == MC_LIVENESS_LIVE;
}

uint32_t mc_step_range_find_release(const mc_trace *trace, mc_metric metric) {
    uint32_t count = mc_trace_get_step_count(trace), step = count - 1;
    if (mc_trace_is_versus(trace)) {
        uint32_t both = mc_versus_get_end(trace);
        return both < step ? both : MC_NONE;
    }
    bool is_live_only = mc_trace_counts_garbage(trace, 0, count - 1);
    double end = 0, peak = 0, earlier_peak = 0, earlier_drop = 0;
    uint32_t told = 0, before = 0; // steps that tell; of them, up to the one before the release
    for (uint32_t i = 0; i < count; i++) {
        if (!tells(trace, is_live_only, i)) continue;
        end = total_at(trace, metric, i);
        peak = fmax(peak, end);
        told++;
    }
    if (told < 3 || end >= RELEASED_SHARE * peak) return MC_NONE;
    while (step > 0 && (!tells(trace, is_live_only, step) ||
                        total_at(trace, metric, step) < RELEASED_SHARE * peak))
        step--;
    // A trough of a saw-tooth is one of many.
    for (uint32_t i = 0; i <= step; i++) {
        if (!tells(trace, is_live_only, i)) continue;
        double total = total_at(trace, metric, i);
        earlier_peak = fmax(earlier_peak, total);
        earlier_drop = fmax(earlier_drop, earlier_peak - total);
        before++;
    }
    // What was soon given back was the start's: most comes behind it.
    if (told - before > LATER_MOST * before) return MC_NONE;
    if (earlier_drop >= TOOTH_SHARE * (earlier_peak - end)) return MC_NONE;
    // One step tells of no growth.
    return before > 1 ? step : MC_NONE;
}

mc_result mc_max_tree_init(mc_max_tree *tree, uint32_t count, mc_error *error) {
    uint64_t *columns = mc_alloc(count, 3 * sizeof *columns);
    if (!columns) return mc_error_out_of_memory(error);
    *tree = (mc_max_tree){.count = count,
                          .max = columns,
                          .first = columns + count,
                          .last = columns + 2 * (size_t)count,
                          .largest_growth = INT64_MIN};
    return MC_OK;
}

void mc_max_tree_deinit(mc_max_tree *tree) {
    mc_free(tree->max);
    memset(tree, 0, sizeof *tree);
}

static void sum_up(mc_max_tree *tree, const mc_node_columns *nodes) {
    for (uint32_t node = 0; node < nodes->count; node++)
        if (nodes->child_count[node] > 0) tree->max[node] = 0;
    for (uint32_t node = nodes->count; node-- > 1;)
        tree->max[nodes->parent[node]] =
            mc_add_saturating(tree->max[nodes->parent[node]], tree->max[node]);
}

// ---- steps between the first and the last

#define SCAN_THREADS_MOST 4
#define LEAST_VALUES (1u << 20) // that are read, for threads to be worth starting

// Which steps have the largest values, by several threads, each with columns of its own.
typedef struct scanner {
    const mc_trace *trace;
    const mc_progress *progress;
    mc_metric metric;
    uint32_t first_step, step_count, node_count, thread_count;
    uint64_t *max[SCAN_THREADS_MOST], *values[SCAN_THREADS_MOST];
    _Atomic uint32_t done_count;
    _Atomic bool has_failed;
    mc_result result; // of the first that failed
    mc_error error;
} scanner;

static void raise_to(uint64_t *restrict max, const uint64_t *restrict values, uint32_t count) {
    for (uint32_t node = 0; node < count; node++)
        max[node] = values[node] > max[node] ? values[node] : max[node];
}

static void scan_step(void *user, uint32_t part, uint32_t thread) {
    scanner *self = user;
    mc_error error = {0};
    if (atomic_load(&self->has_failed)) return;
    mc_result result = mc_trace_read_counts(self->trace, self->first_step + part, self->metric,
                                            self->values[thread], &error);
    if (result == MC_OK) raise_to(self->max[thread], self->values[thread], self->node_count);
    uint32_t done = atomic_fetch_add(&self->done_count, 1) + 1;
    // Whoever is told is told by one thread.
    if (result == MC_OK && thread == 0 &&
        !mc_progress_report(self->progress, done, self->step_count))
        result = mc_fail(&error, MC_ERROR_CANCELLED, "cancelled");
    if (result == MC_OK || atomic_exchange(&self->has_failed, true)) return;
    self->result = result;
    self->error = error;
}

// The first thread's columns are the tree's; where there is no memory for those of others, it is
// the only one. Returns what is to be freed.
static uint64_t *share_out(scanner *self, mc_max_tree *tree) {
    size_t count = tree->count;
    uint32_t threads = mc_parallel_get_core_count();
    if (threads > SCAN_THREADS_MOST) threads = SCAN_THREADS_MOST;
    // What is read of a few groups may be sums over all of what they are made of.
    uint64_t read_count = mc_trace_get_nodes(mc_trace_get_base(self->trace))->count;
    if (read_count * self->step_count < LEAST_VALUES) threads = 1;
    uint64_t *columns = mc_alloc_zero(2 * (size_t)(threads - 1) * count + 1, sizeof *columns);
    self->thread_count = columns ? threads : 1;
    self->max[0] = tree->max;
    self->values[0] = tree->last;
    for (uint32_t i = 1; i < self->thread_count; i++) {
        self->max[i] = columns + 2 * (i - 1) * count;
        self->values[i] = self->max[i] + count;
    }
    return columns;
}

// Raises the maxima by the steps after the first, and reads the last.
static mc_result scan(mc_max_tree *tree, const mc_trace *trace, mc_metric metric,
                      mc_step_range window, const mc_progress *progress, mc_error *error) {
    scanner self = {.trace = trace,
                    .progress = progress,
                    .metric = metric,
                    .first_step = window.first_step + 1,
                    .step_count = window.last_step - window.first_step,
                    .node_count = tree->count};
    memcpy(tree->max, tree->first, tree->count * sizeof *tree->max);
    memcpy(tree->last, tree->first, tree->count * sizeof *tree->last);
    if (self.step_count == 0) return MC_OK;
    uint64_t *columns = share_out(&self, tree);
    mc_parallel_run(self.step_count, self.thread_count, scan_step, &self);
    for (uint32_t i = 1; i < self.thread_count && !self.has_failed; i++)
        raise_to(tree->max, self.max[i], tree->count);
    mc_free(columns);
    if (!self.has_failed && !mc_progress_report(progress, self.step_count, self.step_count))
        return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    if (self.has_failed && error) *error = self.error;
    if (self.has_failed) return self.result;
    return mc_trace_read_counts(trace, window.last_step, metric, tree->last, error);
}

// ---- the first, the last and the largest values

enum { LEAST_SHARED_NODES = 20000 };

typedef struct filling {
    mc_max_tree *tree;
    const mc_trace *trace;
    mc_metric metric;
    mc_step_range window;
    bool reads_last; // who scans all steps does that
    bool has_maximum;
    mc_result result; // of the first and the last
    mc_error error;
} filling;

static void take_maximum(filling *self) {
    mc_max_tree *tree = self->tree;
    self->has_maximum = mc_trace_has_maximum(self->trace, self->metric);
    if (!self->has_maximum) return;
    mc_trace_get_maximum(self->trace, self->metric, tree->max);
    mc_metric_get_counts(mc_trace_get_metric(self->trace, self->metric), tree->max, tree->count);
}

static void read_ends(filling *self) {
    mc_max_tree *tree = self->tree;
    self->result = mc_trace_read_counts(self->trace, self->window.first_step, self->metric,
                                        tree->first, &self->error);
    if (self->result == MC_OK && self->reads_last)
        self->result = mc_trace_read_counts(self->trace, self->window.last_step, self->metric,
                                            tree->last, &self->error);
}

static void run_filling(void *user, uint32_t part, uint32_t thread) {
    filling *self = user;
    (void)thread;
    if (part == 0)
        read_ends(self);
    else
        take_maximum(self);
}

// `known`: the leaves' largest values, or NULL.
static mc_result fill(mc_max_tree *tree, const mc_trace *trace, mc_metric metric,
                      mc_step_range window, const uint64_t *known, const mc_progress *progress,
                      mc_error *error) {
    mc_step_range whole = mc_step_range_whole(trace);
    bool is_whole = window.first_step == whole.first_step && window.last_step == whole.last_step;
    filling self = {.tree = tree,
                    .trace = trace,
                    .metric = metric,
                    .window = window,
                    .reads_last = known || is_whole};
    bool is_worthwhile = tree->count >= LEAST_SHARED_NODES;
    mc_parallel_run(!known && is_whole ? 2 : 1, is_worthwhile ? mc_parallel_get_core_count() : 1,
                    run_filling, &self);
    if (self.result != MC_OK) {
        if (error) *error = self.error;
        return self.result;
    }
    if (known) memcpy(tree->max, known, tree->count * sizeof *tree->max);
    if (known || self.has_maximum) return MC_OK;
    return scan(tree, trace, metric, window, progress, error);
}

// Where one of the ends is not known, so is growth.
static mc_result forget_unknown_growth(mc_max_tree *tree, const mc_trace *trace, mc_metric metric,
                                       mc_step_range window, mc_error *error) {
    const uint32_t ends[] = {window.first_step, window.last_step};
    if (mc_trace_get_metric(trace, metric)->is_additive) return MC_OK;
    uint64_t *words = mc_alloc(tree->count, sizeof *words);
    if (!words) return mc_error_out_of_memory(error);
    mc_result result = MC_OK;
    for (int end = 0; end < 2 && result == MC_OK; end++) {
        result = mc_trace_read_column(trace, ends[end], metric, words, error);
        for (uint32_t node = 0; node < tree->count && result == MC_OK; node++)
            if (words[node] == MC_COUNT_UNKNOWN) tree->first[node] = MC_COUNT_UNKNOWN;
    }
    mc_free(words);
    return result;
}

static mc_result compute(mc_max_tree *tree, const mc_trace *trace, mc_metric metric,
                         mc_step_range window, const uint64_t *known, const mc_progress *progress,
                         mc_error *error) {
    memset(tree, 0, sizeof *tree);
    assert(window.first_step <= window.last_step &&
           window.last_step < mc_trace_get_step_count(trace));
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t count = nodes->count;
    mc_result result = mc_max_tree_init(tree, count, error);
    if (result == MC_OK) result = fill(tree, trace, metric, window, known, progress, error);
    if (result == MC_OK) result = forget_unknown_growth(tree, trace, metric, window, error);
    if (result != MC_OK) {
        mc_max_tree_deinit(tree);
        return result;
    }
    sum_up(tree, nodes);
    for (uint32_t node = 0; node < count; node++) {
        int64_t growth = mc_max_tree_get_growth(tree, node);
        bool counts = nodes->child_count[node] == 0 && mc_max_tree_knows_growth(tree, node);
        if (counts && growth > tree->largest_growth) tree->largest_growth = growth;
    }
    return MC_OK;
}

mc_result mc_max_tree_compute(mc_max_tree *tree, const mc_trace *trace, mc_metric metric,
                              mc_step_range window, const mc_progress *progress, mc_error *error) {
    return compute(tree, trace, metric, window, NULL, progress, error);
}

mc_result mc_max_tree_compute_known(mc_max_tree *tree, const mc_trace *trace, mc_metric metric,
                                    mc_step_range window, const uint64_t *max, mc_error *error) {
    return compute(tree, trace, metric, window, max, NULL, error);
}

// ---- ranking

// A signed number as an unsigned one that sorts descending.
static uint64_t descending(int64_t value) {
    return ~((uint64_t)value ^ ((uint64_t)1 << 63));
}

static uint64_t get_growth_key(const mc_max_tree *tree, uint32_t node) {
    return mc_max_tree_knows_growth(tree, node) ? descending(mc_max_tree_get_growth(tree, node))
                                                : UINT64_MAX;
}

// What leaves are ranked by, one number of up to 128 bits: growth, below it size, both as how far
// they are from the largest.
typedef struct rank_key {
    const mc_max_tree *tree;
    uint64_t least_growth_key, largest_max;
    uint32_t growth_bits, size_bits;
} rank_key;

static uint32_t get_width(uint64_t number) {
    uint32_t width = 0;
    for (; number > 0; number >>= 1)
        width++;
    return width;
}

static rank_key make_rank_key(const mc_max_tree *tree, const uint64_t *leaves, uint32_t count) {
    rank_key key = {.tree = tree, .least_growth_key = UINT64_MAX};
    uint64_t most_growth_key = 0, least_max = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = (uint32_t)leaves[i];
        uint64_t growth_key = get_growth_key(tree, node), max = tree->max[node];
        if (growth_key < key.least_growth_key) key.least_growth_key = growth_key;
        if (growth_key > most_growth_key) most_growth_key = growth_key;
        if (max > key.largest_max) key.largest_max = max;
        if (max < least_max) least_max = max;
    }
    if (count == 0) return key;
    key.growth_bits = get_width(most_growth_key - key.least_growth_key);
    key.size_bits = get_width(key.largest_max - least_max);
    return key;
}

// The key's bits from `shift` on, as many as there is room for.
static uint64_t get_rank_bits(const rank_key *key, uint32_t node, uint32_t shift) {
    uint64_t growth = get_growth_key(key->tree, node) - key->least_growth_key;
    uint64_t size = key->largest_max - key->tree->max[node];
    if (shift >= key->size_bits) return growth >> (shift - key->size_bits);
    uint32_t size_bits = key->size_bits - shift;
    return size >> shift | (size_bits < 64 ? growth << size_bits : 0);
}

// `leaves`: node indices, ascending. As many bits of the key as have room above a node's index are
// sorted at once, from the lowest on: in most traces all of them. Returns `leaves` or `spare`.
static uint64_t *sort_leaves(const mc_max_tree *tree, uint64_t *leaves, uint64_t *spare,
                             uint32_t count) {
    rank_key key = make_rank_key(tree, leaves, count);
    uint32_t node_bits = get_width(tree->count);
    for (uint32_t shift = 0; shift < key.growth_bits + key.size_bits; shift += 64 - node_bits) {
        for (uint32_t i = 0; i < count; i++) {
            uint64_t node = leaves[i] & (((uint64_t)1 << node_bits) - 1);
            leaves[i] = get_rank_bits(&key, (uint32_t)node, shift) << node_bits | node;
        }
        uint64_t *sorted = mc_radix_sort(leaves, spare, count, node_bits);
        if (sorted == spare) spare = leaves;
        leaves = sorted;
    }
    for (uint32_t i = 0; i < count; i++)
        leaves[i] &= ((uint64_t)1 << node_bits) - 1;
    return leaves;
}

// Leaves that grew come first, then those that stayed as they are, which most do: only size tells
// these apart, so they are sorted by half of the bits.
typedef enum leaf_kind { GREW, STAYED, SHRANK, NOT_KNOWN, LEAF_KIND_COUNT } leaf_kind;

static leaf_kind get_leaf_kind(const mc_max_tree *tree, uint32_t node) {
    int64_t growth = mc_max_tree_get_growth(tree, node);
    if (!mc_max_tree_knows_growth(tree, node)) return NOT_KNOWN;
    return growth > 0 ? GREW : growth == 0 ? STAYED : SHRANK;
}

mc_result mc_max_tree_rank(const mc_max_tree *tree, const mc_node_columns *nodes, uint32_t *order,
                           mc_error *error) {
    uint64_t *leaves = mc_alloc(nodes->leaf_count, 2 * sizeof *leaves);
    if (!leaves) return mc_error_out_of_memory(error);
    uint32_t ends[LEAF_KIND_COUNT] = {0}, begin = 0;
    for (uint32_t node = 0; node < nodes->count; node++)
        if (nodes->child_count[node] == 0) ends[get_leaf_kind(tree, node)]++;
    for (int kind = 0; kind < LEAF_KIND_COUNT; kind++) {
        uint32_t count = ends[kind];
        ends[kind] = begin;
        begin += count;
    }
    for (uint32_t node = 0; node < nodes->count; node++)
        if (nodes->child_count[node] == 0) leaves[ends[get_leaf_kind(tree, node)]++] = node;
    begin = 0;
    for (int kind = 0; kind < LEAF_KIND_COUNT; kind++) {
        uint64_t *own = leaves + begin, *spare = own + nodes->leaf_count;
        const uint64_t *sorted = sort_leaves(tree, own, spare, ends[kind] - begin);
        for (uint32_t i = 0; begin < ends[kind]; i++)
            order[begin++] = (uint32_t)sorted[i];
    }
    mc_free(leaves);
    return MC_OK;
}

// ---- child limit

void mc_pruning_deinit(mc_pruning *pruning) {
    mc_free(pruning->visible);
    memset(pruning, 0, sizeof *pruning);
}

typedef struct sized {
    uint64_t max;
    uint32_t node;
} sized;

// The largest first, equal ones by index.
static int compare_sized(const void *a, const void *b) {
    const sized *x = a, *y = b;
    if (x->max != y->max) return x->max > y->max ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static void hide_smallest_children(mc_pruning *pruning, const mc_max_tree *tree,
                                   const mc_node_columns *nodes, uint32_t parent,
                                   uint32_t child_limit, sized *children) {
    uint32_t first = nodes->first_child[parent], count = 0;
    for (uint32_t i = 0; i < nodes->child_count[parent]; i++)
        if (tree->max[first + i] > 0) children[count++] = (sized){tree->max[first + i], first + i};
    if (count <= child_limit) return;
    qsort(children, count, sizeof *children, compare_sized);
    for (uint32_t i = child_limit; i < count; i++)
        pruning->visible[children[i].node] = 0;
}

mc_result mc_pruning_compute(mc_pruning *pruning, const mc_max_tree *tree,
                             const mc_node_columns *nodes, uint32_t child_limit, mc_error *error) {
    memset(pruning, 0, sizeof *pruning);
    pruning->visible = mc_alloc(nodes->count, 1);
    if (!pruning->visible) return mc_error_out_of_memory(error);
    memset(pruning->visible, 1, nodes->count);
    if (child_limit == 0) return MC_OK;
    sized *children = mc_alloc(nodes->count, sizeof *children);
    if (!children) {
        mc_pruning_deinit(pruning);
        return mc_error_out_of_memory(error);
    }
    double hidden = 0, all = 0;
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (node > 0 && !pruning->visible[nodes->parent[node]]) pruning->visible[node] = 0;
        if (nodes->child_count[node] > child_limit && pruning->visible[node])
            hide_smallest_children(pruning, tree, nodes, node, child_limit, children);
        if (nodes->child_count[node] > 0) continue;
        all += (double)tree->max[node];
        if (!pruning->visible[node]) {
            hidden += (double)tree->max[node];
            pruning->hidden_leaf_count += tree->max[node] > 0;
        }
    }
    pruning->hidden_share = all > 0 ? hidden / all : 0;
    mc_free(children);
    return MC_OK;
}
