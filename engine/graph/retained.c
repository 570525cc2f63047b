#include "engine/graph/retained.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <stdatomic.h>

#define REPORT_MASK ((1u << 20) - 1)

void mc_vertex_groups_mark(const mc_vertex_groups *groups, uint32_t group, bool *flags) {
    flags[group] = true;
    for (uint32_t i = group + 1; groups->parents && i < groups->count; i++)
        if (groups->parents[i] != MC_NONE && groups->parents[i] >= group &&
            flags[groups->parents[i]])
            flags[i] = true;
}

// A group within the subtree of one of its topmost vertices.
typedef struct open_group {
    uint32_t end, group;
    mc_group_sum before; // all that came before it
} open_group;

// Sums up what is in a range of numbers, as if the rest were not there. What is retained is the sum
// over ranges: a group that is open where one begins is open from there on.
typedef struct summer {
    // Each thread writes to its own at every vertex.
    _Alignas(MC_PARALLEL_APART) const mc_dominator_tree *tree;
    const mc_vertex_sizes *sizes;
    const mc_vertex_groups *groups;
    uint32_t begin, end;
    open_group *stack; // as deep as there are groups at most
    uint32_t depth;
    uint32_t *ends; // of each group's latest subtree
    mc_group_sum *retained;
} summer;

typedef struct summing {
    summer parts[MC_PARALLEL_THREADS_MAX];
    const mc_progress *progress;
    atomic_bool is_cancelled;
} summing;

// `all`: what has come so far. It is handed on by value, in registers: what was just written by
// halves is slow to be read as a whole.
static inline void close_groups(summer *self, uint32_t number, mc_group_sum all) {
    while (self->depth > 0 && self->stack[self->depth - 1].end <= number) {
        const open_group *top = &self->stack[--self->depth];
        self->retained[top->group].count += all.count - top->before.count;
        self->retained[top->group].size += all.size - top->before.size;
    }
}

// Opens a vertex's group and those around it, up to the first that is open already: then all around
// that one are, too.
static inline void open_groups(summer *self, uint32_t number, mc_group_sum all) {
    const mc_vertex_groups *groups = self->groups;
    uint32_t end = mc_dominator_tree_get_end(self->tree, number);
    if (end > self->end) end = self->end;
    for (uint32_t group = groups->of[number]; group != MC_NONE && self->ends[group] <= number;
         group = groups->parents ? groups->parents[group] : MC_NONE) {
        self->ends[group] = end;
        self->stack[self->depth++] = (open_group){end, group, all};
    }
}

// What dominates the first of the range.
static void open_above(summer *self) {
    for (uint32_t i = 0;
         (i = mc_dominator_tree_find_above(self->tree, self->begin, i)) < self->begin; i++)
        open_groups(self, i, (mc_group_sum){0, 0});
}

static void sum_range(void *user, uint32_t part, uint32_t thread) {
    summing *all = user;
    summer *self = &all->parts[part];
    const uint32_t count = self->end - self->begin;
    mc_group_sum sum = {0, 0};
    open_above(self);
    for (uint32_t i = self->begin; i < self->end; i++) {
        if ((i & REPORT_MASK) == 0) {
            if (thread == 0 && !mc_progress_report(all->progress, i - self->begin, count))
                atomic_store(&all->is_cancelled, true);
            if (atomic_load_explicit(&all->is_cancelled, memory_order_relaxed)) return;
        }
        close_groups(self, i, sum);
        if (self->groups->of[i] == MC_NONE) continue;
        open_groups(self, i, sum);
        sum.count++;
        sum.size += mc_vertex_sizes_get(self->sizes, i);
    }
    close_groups(self, self->end, sum);
}

static bool init_part(summer *self, uint32_t group_count) {
    // So that no thread writes to a line of the cache that another one reads.
    const size_t count = (size_t)group_count + MC_PARALLEL_APART;
    self->stack = mc_alloc_scattered(count, sizeof *self->stack);
    self->ends = mc_alloc_zero_scattered(count, sizeof *self->ends);
    self->retained = mc_alloc_zero_scattered(count, sizeof *self->retained);
    return self->stack && self->ends && self->retained;
}

mc_result mc_retained_sum(const mc_dominator_tree *tree, const mc_vertex_sizes *sizes,
                          const mc_vertex_groups *groups, uint32_t thread_count,
                          const mc_progress *progress, mc_group_sum *retained, mc_error *error) {
    summing self = {.progress = progress};
    bool is_done = true;
    if (thread_count > MC_PARALLEL_THREADS_MAX) thread_count = MC_PARALLEL_THREADS_MAX;
    if (thread_count < 1 || tree->reachable < thread_count) thread_count = 1;
    for (uint32_t i = 0; i < thread_count && is_done; i++) {
        self.parts[i] =
            (summer){.tree = tree,
                     .sizes = sizes,
                     .groups = groups,
                     .begin = (uint32_t)((uint64_t)tree->reachable * i / thread_count),
                     .end = (uint32_t)((uint64_t)tree->reachable * (i + 1) / thread_count)};
        is_done = init_part(&self.parts[i], groups->count);
    }
    if (is_done) mc_parallel_run(thread_count, thread_count, sum_range, &self);
    for (uint32_t i = 0; i < groups->count; i++)
        retained[i] = (mc_group_sum){0, 0};
    for (uint32_t part = 0; part < thread_count; part++) {
        for (uint32_t i = 0; i < groups->count && is_done; i++) {
            retained[i].count += self.parts[part].retained[i].count;
            retained[i].size += self.parts[part].retained[i].size;
        }
        mc_free(self.parts[part].stack);
        mc_free(self.parts[part].ends);
        mc_free(self.parts[part].retained);
    }
    if (!is_done) return mc_error_out_of_memory(error);
    return atomic_load(&self.is_cancelled) ? mc_fail(error, MC_ERROR_CANCELLED, "cancelled")
                                           : MC_OK;
}
