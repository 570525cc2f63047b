#include "engine/graph/retained.h"

#include "engine/base/memory.h"

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

typedef struct summer {
    const mc_vertex_groups *groups;
    open_group *stack; // as deep as there are groups at most
    uint32_t depth;
    uint32_t *ends;   // of each group's latest subtree
    mc_group_sum all; // that has come so far
    mc_group_sum *retained;
} summer;

static void close_groups(summer *self, uint32_t number) {
    while (self->depth > 0 && self->stack[self->depth - 1].end <= number) {
        const open_group *top = &self->stack[--self->depth];
        self->retained[top->group].count += self->all.count - top->before.count;
        self->retained[top->group].size += self->all.size - top->before.size;
    }
}

// Opens a vertex's group and those around it, up to the first that is open already: then all around
// that one are, too.
static void open_groups(summer *self, uint32_t number, uint32_t end) {
    const mc_vertex_groups *groups = self->groups;
    for (uint32_t group = groups->of[number]; group != MC_NONE && self->ends[group] <= number;
         group = groups->parents ? groups->parents[group] : MC_NONE) {
        self->ends[group] = end;
        self->stack[self->depth++] = (open_group){end, group, self->all};
    }
}

mc_result mc_retained_sum(const mc_dominator_tree *tree, const mc_vertex_sizes *sizes,
                          const mc_vertex_groups *groups, const mc_progress *progress,
                          mc_group_sum *retained, mc_error *error) {
    summer self = {.groups = groups, .retained = retained};
    mc_result result = MC_OK;
    self.stack = mc_alloc((size_t)groups->count + 1, sizeof *self.stack);
    self.ends = mc_alloc_zero((size_t)groups->count + 1, sizeof *self.ends);
    if (!self.stack || !self.ends) result = mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < groups->count; i++)
        retained[i] = (mc_group_sum){0, 0};
    for (uint32_t i = 0; i < tree->reachable && result == MC_OK; i++) {
        if ((i & REPORT_MASK) == 0 && !mc_progress_report(progress, i, tree->reachable))
            result = mc_error_set(error, MC_ERROR_CANCELLED, MC_ERROR_NO_OFFSET, "cancelled");
        close_groups(&self, i);
        if (groups->of[i] == MC_NONE) continue;
        open_groups(&self, i, mc_dominator_tree_get_end(tree, i));
        self.all.count++;
        self.all.size += mc_vertex_sizes_get(sizes, i);
    }
    if (result == MC_OK) close_groups(&self, tree->reachable);
    mc_free(self.stack);
    mc_free(self.ends);
    return result;
}
