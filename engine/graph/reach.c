#include "engine/graph/reach.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"

#define RING 32 // targets whose memory is fetched before it is looked at; a power of two
#define AHEAD 4
#define REPORT_MASK ((1u << 20) - 1)

typedef struct reacher {
    const mc_reach_desc *desc;
    uint64_t *bits;    // by number: reached
    bool *is_cut_from; // by group: some of the cuts begin here
    uint32_t *stack;   // positions of vertices with edges
    size_t depth, capacity;
    uint32_t ring[RING], ring_at;
    uint32_t reached;
    uint32_t begin, end; // the numbers of the region
} reacher;

static uint32_t get_group(const reacher *self, uint32_t number) {
    return self->desc->groups->of[number];
}

static bool is_gone(const reacher *self, uint32_t group) {
    return group != MC_NONE && self->desc->is_gone && self->desc->is_gone[group];
}

// False if memory is out.
static bool settle(reacher *self, uint32_t position) {
    const mc_graph *graph = self->desc->graph;
    if (position == 0) return true;
    uint32_t number = mc_graph_get_number(graph, position);
    if (number < self->begin || number >= self->end) return true; // of an earlier region
    uint64_t *word = &self->bits[number >> 6], bit = UINT64_C(1) << (number & 63);
    if (*word & bit || is_gone(self, get_group(self, number))) return true;
    *word |= bit;
    self->reached++;
    if (!mc_graph_has_edges(graph, position)) return true;
    if (self->depth == self->capacity &&
        !mc_reserve(&self->stack, &self->capacity, self->depth + 1, sizeof *self->stack))
        return false;
    self->stack[self->depth++] = position;
    return true;
}

static bool is_cut(const reacher *self, uint32_t from, uint32_t target) {
    uint32_t to = get_group(self, mc_graph_get_number(self->desc->graph, target));
    for (uint32_t i = 0; i < self->desc->cut_count; i++)
        if (self->desc->cuts[i].from == from && self->desc->cuts[i].to == to) return true;
    return false;
}

static bool is_unrooted(const reacher *self, uint32_t target) {
    const uint32_t *items = self->desc->unrooted;
    size_t low = 0, high = self->desc->unrooted_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (items[middle] < target)
            low = middle + 1;
        else
            high = middle;
    }
    return low < self->desc->unrooted_count && items[low] == target;
}

static bool follow_edges(reacher *self, uint32_t position) {
    const mc_graph *graph = self->desc->graph;
    const bool is_root = position == graph->root;
    uint32_t group = get_group(self, mc_graph_get_number(graph, position));
    bool has_cuts = group != MC_NONE && self->is_cut_from[group];
    for (uint32_t at = position + MC_GRAPH_HEAD;; at++) {
        uint32_t word = graph->words[at], target = word & MC_GRAPH_POSITION;
        if (target != 0 && !(has_cuts && is_cut(self, group, target)) &&
            !(is_root && is_unrooted(self, target))) {
            uint32_t *slot = &self->ring[self->ring_at++ & (RING - 1)], before = *slot;
            __builtin_prefetch(&graph->words[target]);
            *slot = target;
            if (!settle(self, before)) return false;
        }
        if (word & MC_GRAPH_LAST) return true;
    }
}

static bool empty_ring(reacher *self) {
    for (uint32_t i = 0; i < RING; i++) {
        uint32_t *slot = &self->ring[self->ring_at++ & (RING - 1)], position = *slot;
        *slot = 0;
        if (!settle(self, position)) return false;
    }
    return true;
}

static mc_result reach(reacher *self, uint32_t root, mc_error *error) {
    const mc_graph *graph = self->desc->graph;
    uint32_t next_report = 0;
    self->begin = mc_graph_get_number(graph, root);
    self->end = mc_dominator_tree_get_end(self->desc->tree, self->begin);
    bool is_done = settle(self, root);
    while (is_done) {
        if (self->depth == 0) is_done = empty_ring(self);
        if (self->depth == 0 || !is_done) break;
        if (self->depth > AHEAD)
            __builtin_prefetch(&graph->words[self->stack[self->depth - AHEAD]]);
        is_done = follow_edges(self, self->stack[--self->depth]);
        if (self->reached < next_report) continue;
        next_report = self->reached + REPORT_MASK;
        if (!mc_progress_report(self->desc->progress, self->reached, self->desc->tree->reachable))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

// ---- what was not reached

typedef struct adder {
    const reacher *reacher;
    mc_group_sum *sums; // by thread and group
} adder;

static void add_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const adder *self = user;
    const mc_reach_desc *desc = self->reacher->desc;
    mc_group_sum *sums = self->sums + (size_t)thread * desc->groups->count;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(desc->graph, at)) {
        uint32_t number = mc_graph_get_number(desc->graph, at);
        if (number >= desc->tree->reachable ||
            self->reacher->bits[number >> 6] >> (number & 63) & 1)
            continue;
        uint32_t group = desc->groups->of[number];
        if (group == MC_NONE) continue;
        sums[group].count++;
        sums[group].size += mc_graph_get_size(desc->graph, at);
    }
}

static mc_result sum_up(const reacher *self, mc_group_sum *freed, mc_error *error) {
    const mc_vertex_groups *groups = self->desc->groups;
    uint32_t threads = self->desc->thread_count;
    if (threads < 1) threads = 1;
    if (threads > MC_PARALLEL_THREADS_MAX) threads = MC_PARALLEL_THREADS_MAX;
    adder all = {.reacher = self};
    if (groups->count == 0) return MC_OK;
    all.sums = mc_alloc_zero_scattered((size_t)threads * groups->count, sizeof *all.sums);
    if (!all.sums) return mc_error_out_of_memory(error);
    mc_graph_scan(self->desc->graph, threads, add_range, &all);
    for (uint32_t i = 0; i < groups->count; i++)
        freed[i] = (mc_group_sum){0, 0};
    for (uint32_t i = groups->count; i-- > 0;) {
        for (uint32_t thread = 0; thread < threads; thread++) {
            const mc_group_sum *sum = &all.sums[(size_t)thread * groups->count + i];
            freed[i].count += sum->count;
            freed[i].size += sum->size;
        }
        if (!groups->parents || groups->parents[i] == MC_NONE) continue;
        freed[groups->parents[i]].count += freed[i].count;
        freed[groups->parents[i]].size += freed[i].size;
    }
    mc_free(all.sums);
    return MC_OK;
}

mc_result mc_reach_measure(const mc_reach_desc *desc, mc_group_sum *freed, mc_error *error) {
    reacher self = {.desc = desc};
    self.bits = mc_alloc_zero_scattered(((size_t)desc->tree->count >> 6) + 1, sizeof *self.bits);
    self.is_cut_from =
        mc_alloc_zero_scattered((size_t)desc->groups->count + 1, sizeof *self.is_cut_from);
    mc_result result = self.bits && self.is_cut_from ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < desc->cut_count && result == MC_OK; i++)
        self.is_cut_from[desc->cuts[i].from] = true;
    if (result == MC_OK) result = reach(&self, desc->graph->root, error);
    for (uint32_t i = 0; i < desc->graph->late_root_count && result == MC_OK; i++)
        result = reach(&self, desc->graph->late_roots[i].position, error);
    if (result == MC_OK) result = sum_up(&self, freed, error);
    mc_free(self.bits);
    mc_free(self.is_cut_from);
    mc_free(self.stack);
    return result;
}
