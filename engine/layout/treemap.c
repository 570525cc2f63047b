#include "engine/layout/treemap.h"

#include <stdatomic.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/layout/sibling_sort.h"

// Relative padding. A district's border takes at most this part of its shorter side on each side;
// the streets between its children are a little narrower than its border.
static const double LARGEST_BORDER = 0.12;
static const double STREET_SHARE = 0.7;
// The half street around a plot takes at most this part of the plot's shorter side: less from a
// building, whose area is to tell its weight, than from a district.
static const double LARGEST_DISTRICT_INSET = 0.06;
static const double LARGEST_BUILDING_INSET = 0.03;
// Below this level borders fall off with the square of the level, so that their sum converges and
// even a chain of thousands of districts leaves room for what is in it.
static const double DEEPEST_FULL_LEVEL = 8;

// Nodes of one level are placed in parts, by several threads where the level is wide.
enum {
    NODES_PER_PART = 1 << 12,
    WORK_PER_PART = 1 << 14, // nodes and children: some nodes have thousands
    LEAST_PARALLEL_NODES = 20000,
    CHILDREN_PER_REPORT = 1 << 17
};

// Of a thread. One entry a sibling, one more in `sums`.
typedef struct scratch {
    size_t capacity;
    uint64_t *keys, *spare_keys;
    double *values, *sums;
    mc_rect *plots;
} scratch;

struct mc_treemap {
    scratch scratches[MC_PARALLEL_THREADS_MAX];
    size_t node_capacity;
    uint8_t *shown; // per node: visible, and so is all above it
};

typedef struct layout_pass {
    scratch *own; // of the thread
    const mc_treemap_desc *desc;
    const mc_tree_view *tree;
    const mc_treemap_columns *out;
    const uint8_t *shown; // NULL: everything
    bool is_relative;
    double slack;
} layout_pass;

mc_result mc_treemap_create(mc_treemap **map, mc_error *error) {
    *map = mc_alloc_zero(1, sizeof **map);
    return *map ? MC_OK : mc_error_out_of_memory(error);
}

static void scratch_deinit(scratch *own) {
    mc_free(own->keys);
    mc_free(own->spare_keys);
    mc_free(own->values);
    mc_free(own->sums);
    mc_free(own->plots);
    memset(own, 0, sizeof *own);
}

void mc_treemap_destroy(mc_treemap *map) {
    if (!map) return;
    for (int i = 0; i < MC_PARALLEL_THREADS_MAX; i++)
        scratch_deinit(&map->scratches[i]);
    mc_free(map->shown);
    mc_free(map);
}

static bool scratch_reserve(scratch *own, size_t sibling_count) {
    if (sibling_count <= own->capacity) return true;
    // Districts come in any order; each new largest one is not to cost anew.
    size_t most = own->capacity + own->capacity / 2;
    if (most < sibling_count) most = sibling_count;
    scratch_deinit(own);
    own->keys = mc_alloc(most, sizeof *own->keys);
    own->spare_keys = mc_alloc(most, sizeof *own->spare_keys);
    own->values = mc_alloc(most, sizeof *own->values);
    own->sums = mc_alloc(most + 1, sizeof *own->sums);
    own->plots = mc_alloc(most, sizeof *own->plots);
    if (!own->keys || !own->spare_keys || !own->values || !own->sums || !own->plots) return false;
    own->capacity = most;
    return true;
}

static void find_shown(uint8_t *shown, const mc_tree_view *tree) {
    shown[0] = tree->visible[0] != 0;
    for (uint32_t i = 1; i < tree->count; i++)
        shown[i] = tree->visible[i] != 0 && shown[tree->parent[i]];
}

// Values of all nodes, from the leaves up. Children are added from last to first, as d3 does.
static void sum_values(const layout_pass *pass) {
    const mc_tree_view *tree = pass->tree;
    double *value = pass->out->value;
    for (uint32_t i = tree->count; i-- > 0;) {
        uint32_t child_count = tree->child_count[i];
        double sum = 0;
        if (pass->shown && !pass->shown[i]) {
            sum = 0;
        } else if (child_count == 0) {
            sum = tree->weight[i] > 0 ? tree->weight[i] : 0; // never -0 or NaN
        } else {
            const uint32_t *order = tree->sum_order ? tree->sum_order + tree->first_child[i] : NULL;
            const double *children = value + tree->first_child[i];
            while (child_count-- > 0)
                sum += order ? value[order[child_count]] : children[child_count];
        }
        value[i] = sum;
    }
}

// Sorts the visible children of `node_index` into the output and the scratch column of values.
// Returns their number.
static uint32_t sort_children(const layout_pass *pass, uint32_t node_index) {
    scratch *own = pass->own;
    uint32_t first = pass->tree->first_child[node_index], count = 0;
    for (uint32_t i = 0; i < pass->tree->child_count[node_index]; i++) {
        own->keys[count] = i;
        count += !pass->shown || pass->shown[first + i];
    }
    const double *values = pass->out->value + first;
    uint32_t *order = pass->out->child_order + first;
    const uint64_t *sorted = mc_sibling_sort(values, own->keys, own->spare_keys, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = MC_SIBLING_INDEX(sorted[i]);
        own->values[i] = values[index];
        order[i] = first + index;
    }
    return count;
}

// Moves each side inwards; sides that would pass each other meet in the middle.
static mc_rect inset(mc_rect rect, double distance) {
    rect.x0 += distance;
    rect.y0 += distance;
    rect.x1 -= distance;
    rect.y1 -= distance;
    if (rect.x1 < rect.x0) rect.x0 = rect.x1 = (rect.x0 + rect.x1) / 2;
    if (rect.y1 < rect.y0) rect.y0 = rect.y1 = (rect.y0 + rect.y1) / 2;
    return rect;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double get_shorter_side(mc_rect rect) {
    return smaller(rect.x1 - rect.x0, rect.y1 - rect.y0);
}

// The border of a district that has this plot, and half the width of the streets between its
// children.
typedef struct spacing {
    double border, half_street;
} spacing;

static spacing get_spacing(const layout_pass *pass, uint32_t level, mc_rect plot) {
    double padding = pass->desc->padding;
    if (!pass->is_relative) {
        bool is_half = pass->desc->padding_kind == MC_PADDING_HALF_STREETS;
        return (spacing){padding, is_half ? padding / 4 : padding / 2};
    }
    double share = smaller(padding, LARGEST_BORDER), depth = (double)level / DEEPEST_FULL_LEVEL;
    if (depth > 1) share /= depth * depth;
    double border = share * get_shorter_side(plot);
    return (spacing){border, border * STREET_SHARE / 2};
}

static void write_plot(const layout_pass *pass, uint32_t node_index, mc_rect plot) {
    const mc_treemap_columns *out = pass->out;
    if (out->leaves && pass->tree->child_count[node_index] == 0) {
        out->leaves[node_index] =
            (mc_leaf_plot){(float)plot.x0, (float)plot.y0, (float)plot.x1, (float)plot.y1};
        return;
    }
    out->x0[node_index] = plot.x0;
    out->y0[node_index] = plot.y0;
    out->x1[node_index] = plot.x1;
    out->y1[node_index] = plot.y1;
}

// Plots of the children: what the tiling gave them, less half a street on each side.
static void write_children(const layout_pass *pass, const uint32_t *order, uint32_t count,
                           double half_street) {
    const mc_rect *plots = pass->own->plots;
    for (uint32_t i = 0; i < count; i++) {
        double distance = half_street;
        if (pass->is_relative) {
            double largest = pass->tree->child_count[order[i]] > 0 ? LARGEST_DISTRICT_INSET
                                                                   : LARGEST_BUILDING_INSET;
            distance = smaller(distance, largest * get_shorter_side(plots[i]));
        }
        write_plot(pass, order[i], inset(plots[i], distance));
    }
}

static void place_children(const layout_pass *pass, uint32_t node_index) {
    const mc_treemap_columns *out = pass->out;
    uint32_t first = pass->tree->first_child[node_index];
    uint32_t level = pass->tree->level[node_index], count = sort_children(pass, node_index);
    out->visible_child_count[node_index] = count;
    if (count == 0) return;

    mc_rect plot = {out->x0[node_index], out->y0[node_index], out->x1[node_index],
                    out->y1[node_index]};
    spacing space = get_spacing(pass, level, plot);
    mc_siblings siblings = {
        .count = count,
        .level = level + pass->tree->root_level,
        .values = pass->own->values,
        .total = out->value[node_index],
        .area = inset(plot, space.border - space.half_street),
        .slack = pass->slack,
        .sums = pass->own->sums,
        .plots = pass->own->plots,
        .cuts = out->cuts ? out->cuts + first : NULL,
    };
    mc_tiling_place(pass->desc->tiling, &siblings);
    write_children(pass, out->child_order + first, count, space.half_street);
}

// ---- level by level

// A level's nodes have their plots when its turn comes, as all those above are done; each writes
// its children's.
typedef struct level_task {
    const layout_pass *pass;
    mc_treemap *map;
    const mc_progress *progress;
    uint32_t begin, end, unreported_count;
    _Atomic bool is_cancelled, is_out_of_memory;
} level_task;

static void place_range(void *user, uint32_t first, uint32_t after, uint32_t thread) {
    level_task *task = user;
    layout_pass pass = *task->pass;
    pass.own = &task->map->scratches[thread];
    const uint32_t begin = task->begin + first, end = task->begin + after;
    if (atomic_load(&task->is_cancelled) || atomic_load(&task->is_out_of_memory)) return;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t child_count = pass.tree->child_count[i];
        pass.out->visible_child_count[i] = 0;
        if (pass.shown && !pass.shown[i]) {
            write_plot(&pass, i, (mc_rect){0});
        } else if (child_count > 0) {
            if (!scratch_reserve(pass.own, child_count)) {
                atomic_store(&task->is_out_of_memory, true);
                return;
            }
            place_children(&pass, i);
        }
        // The thread that called, which is 0, is the one that tells.
        if (thread != 0) continue;
        task->unreported_count += 1 + child_count;
        if (task->unreported_count < CHILDREN_PER_REPORT) continue;
        task->unreported_count = 0;
        if (mc_progress_report(task->progress, i + 1, pass.tree->count)) continue;
        atomic_store(&task->is_cancelled, true);
        return;
    }
}

static uint32_t choose_part_size(uint32_t node_count, uint64_t work) {
    uint64_t size = (uint64_t)node_count * WORK_PER_PART / work;
    return size < 1 ? 1 : size < NODES_PER_PART ? (uint32_t)size : NODES_PER_PART;
}

static mc_result place_levels(mc_treemap *map, const layout_pass *pass,
                              const mc_progress *progress) {
    const mc_tree_view *tree = pass->tree;
    level_task task = {.pass = pass, .map = map, .progress = progress};
    while (task.end < tree->count) {
        task.begin = task.end++;
        uint64_t work = 1 + tree->child_count[task.begin];
        for (; task.end < tree->count && tree->level[task.end] == tree->level[task.begin];
             task.end++)
            work += 1 + tree->child_count[task.end];
        bool is_wide = work >= LEAST_PARALLEL_NODES;
        uint32_t node_count = task.end - task.begin;
        mc_parallel_run_ranges(node_count, choose_part_size(node_count, work),
                               is_wide ? mc_parallel_get_core_count() : 1, place_range, &task);
        if (atomic_load(&task.is_cancelled)) return MC_ERROR_CANCELLED;
        if (atomic_load(&task.is_out_of_memory)) return MC_ERROR_OUT_OF_MEMORY;
        if (is_wide && !mc_progress_report(progress, task.end, tree->count))
            return MC_ERROR_CANCELLED;
    }
    return MC_OK;
}

mc_result mc_treemap_layout(mc_treemap *map, const mc_treemap_desc *desc, const mc_tree_view *tree,
                            const mc_progress *progress, const mc_treemap_columns *out) {
    if (tree->count == 0) return MC_OK;
    if (tree->visible && !mc_reserve(&map->shown, &map->node_capacity, tree->count, 1))
        return MC_ERROR_OUT_OF_MEMORY;
    bool is_relative = desc->padding_kind == MC_PADDING_RELATIVE && desc->padding > 0;
    layout_pass pass = {
        .desc = desc,
        .tree = tree,
        .out = out,
        .shown = tree->visible ? map->shown : NULL,
        .is_relative = is_relative,
        .slack =
            is_relative ? 0 : 1e-10 * (desc->width > desc->height ? desc->width : desc->height),
    };
    if (pass.shown) find_shown(map->shown, tree);
    if (!mc_progress_report(progress, 0, tree->count)) return MC_ERROR_CANCELLED;
    sum_values(&pass);

    bool root_is_shown = !pass.shown || pass.shown[0];
    write_plot(&pass, 0, root_is_shown ? (mc_rect){0, 0, desc->width, desc->height} : (mc_rect){0});
    return place_levels(map, &pass, progress);
}
