#include "engine/city/city_layout.h"

#include "engine/analyze/subtree.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/base/progress_part.h"
#include "engine/city/numbering.h"
#include "engine/city/root_shape.h"
#include "engine/city/side_by_side.h"
#include <math.h>
#include <string.h>

#define PARALLEL_COUNT 20000 // nodes; starting a thread takes as long as laying out some hundred
#define DISTRICT_HEIGHT_SHARE 0.005 // of the city's side
// Where heights are read against a scale, floors are nearly level.
#define FLAT_DISTRICT_SHARE 0.0015
#define FULL_HEIGHT_SHARE 0.24
// Of the time of a wide city; the rest, in which columns are filled and ordered, tells nothing.
#define MEASURING_SHARE 0.4
#define LAYING_SHARE 0.4

typedef struct plan {
    mc_subtree part; // what the city shows; all columns below are over its nodes
    mc_max_tree tree;
    mc_pruning pruning;
    mc_treemap_desc treemap;
    uint32_t root_level;
    double *columns; // all those of `plots`: one allocation
    mc_treemap_columns plots;
} plan;

static void plan_deinit(plan *p) {
    mc_subtree_deinit(&p->part);
    mc_max_tree_deinit(&p->tree);
    mc_pruning_deinit(&p->pruning);
    mc_free(p->columns);
    mc_free(p->plots.leaves);
}

static mc_result plan_allocate(plan *p, uint32_t count, mc_scaling scaling, mc_error *error) {
    enum { DOUBLE_COUNT = 5 };
    size_t size = DOUBLE_COUNT * sizeof(double) + sizeof(mc_cut) + 2 * sizeof(uint32_t);
    p->columns = mc_alloc(count, size);
    if (!p->columns) return mc_error_out_of_memory(error);
    double *column[DOUBLE_COUNT];
    for (int i = 0; i < DOUBLE_COUNT; i++)
        column[i] = p->columns + (size_t)i * count;
    mc_cut *cuts = (mc_cut *)(void *)(p->columns + (size_t)DOUBLE_COUNT * count);
    uint32_t *indices = (uint32_t *)(void *)(cuts + count);
    p->plots = (mc_treemap_columns){.x0 = column[0],
                                    .y0 = column[1],
                                    .x1 = column[2],
                                    .y1 = column[3],
                                    .value = column[4],
                                    .visible_child_count = indices,
                                    .child_order = indices + count,
                                    .cuts = cuts};
    if (mc_scaling_is_grid(scaling)) return MC_OK;
    p->plots.leaves = mc_alloc(count, sizeof *p->plots.leaves);
    return p->plots.leaves ? MC_OK : mc_error_out_of_memory(error);
}

typedef struct scaling_task {
    plan *p;
    mc_scaling scaling;
} scaling_task;

enum { NODES_PER_RANGE = 1 << 18 };

static void scale_range(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const scaling_task *task = user;
    plan *p = task->p;
    (void)thread;
    for (uint32_t node = begin; node < end; node++) {
        p->plots.value[node] = mc_scaling_apply(task->scaling, (double)p->tree.max[node]);
        // What never has a value has no place; but the ground stays.
        if (p->tree.max[node] == 0 && node > 0) p->pruning.visible[node] = 0;
    }
}

static mc_result plan_layout(plan *p, const mc_node_columns *nodes, const mc_city_desc *desc,
                             const mc_progress *progress, mc_error *error) {
    scaling_task task = {p, desc->scaling};
    mc_parallel_run_ranges(nodes->count, NODES_PER_RANGE, mc_parallel_get_core_count(), scale_range,
                           &task);
    mc_tree_view view = {.count = nodes->count,
                         .parent = nodes->parent,
                         .first_child = nodes->first_child,
                         .child_count = nodes->child_count,
                         .level = nodes->level,
                         .sum_order = nodes->child_by_appearance,
                         .weight = p->plots.value,
                         .visible = p->pruning.visible,
                         .root_level = p->root_level};
    mc_result result = mc_scaling_layout(desc->scaling, &p->treemap, &view, progress, &p->plots);
    if (result == MC_ERROR_CANCELLED) return mc_fail(error, result, "cancelled");
    return result == MC_OK ? MC_OK : mc_error_out_of_memory(error);
}

// ---- from nodes to structures

// Ranks in parts of the leaves, which lie anywhere in the city.
typedef struct rank_task {
    mc_city *city;
    const mc_subtree *part;
    const uint32_t *order;
} rank_task;

enum { RANKS_PER_PART = 1 << 18 };

static void rank_part(void *user, uint32_t part, uint32_t thread) {
    const rank_task *task = user;
    uint32_t begin = part * RANKS_PER_PART, count = task->part->nodes.leaf_count - begin;
    (void)thread;
    for (uint32_t i = begin; i < begin + (count < RANKS_PER_PART ? count : RANKS_PER_PART); i++) {
        uint32_t node = mc_subtree_get_node(task->part, task->order[i]);
        task->city->building_growth_rank[task->city->node_building[node]] = i;
    }
}

// `order`: the leaves by growth.
static void rank_growth(mc_city *city, const plan *p, const uint32_t *order) {
    uint32_t rank = 0, leaf_count = p->part.nodes.leaf_count;
    city->largest_growth = 0;
    if (city->building_count == leaf_count && leaf_count >= RANKS_PER_PART) {
        rank_task task = {city, &p->part, order};
        city->largest_growth = mc_max_tree_get_growth(&p->tree, order[0]);
        mc_parallel_run((leaf_count - 1) / RANKS_PER_PART + 1, mc_parallel_get_core_count(),
                        rank_part, &task);
        return;
    }
    for (uint32_t i = 0; i < leaf_count; i++) {
        uint32_t building = city->node_building[mc_subtree_get_node(&p->part, order[i])];
        if (building == MC_NONE) continue;
        if (rank == 0) city->largest_growth = mc_max_tree_get_growth(&p->tree, order[i]);
        city->building_growth_rank[building] = rank++;
    }
}

// ---- elevation

// What a building of full height stands for: all of a ratio, else the largest value there is.
static uint64_t find_full(const mc_trace *trace, mc_metric metric, const mc_max_tree *tree,
                          const mc_node_columns *nodes) {
    const mc_metric_info *info = mc_trace_get_metric(trace, metric);
    uint64_t full = 1;
    if (info->unit == MC_UNIT_RATIO && info->is_real)
        return mc_metric_get_count(info, mc_metric_pack(1));
    for (uint32_t node = 0; node < nodes->count; node++)
        if (nodes->child_count[node] == 0 && tree->max[node] > full) full = tree->max[node];
    return full;
}

// Every leaf has a plot, one scale, and the colour and rank of its value: as if all had begun with
// nothing.
static void level_out(mc_max_tree *tree, const mc_node_columns *nodes, uint64_t full) {
    for (uint32_t node = 0; node < nodes->count; node++) {
        tree->first[node] = 0;
        tree->last[node] = tree->max[node];
        tree->max[node] = nodes->child_count[node] > 0 ? 0 : full;
    }
    for (uint32_t node = nodes->count; node-- > 1;) {
        uint64_t *sum = &tree->max[nodes->parent[node]];
        *sum = *sum > UINT64_MAX - tree->max[node] ? UINT64_MAX : *sum + tree->max[node];
    }
}

// ---- room to grow

// The least power of 1 + headroom, rounded up, that is not below; so what is filled up to its room
// has no more.
static uint64_t get_room(uint64_t max, double headroom) {
    if (max == 0 || max >= MC_COUNT_MAX / 4) return max;
    int64_t power = llround(ceil(log((double)max) / log1p(headroom)));
    uint64_t room = (uint64_t)ceil(pow(1 + headroom, (double)power));
    for (; room < max; power++)
        room = (uint64_t)ceil(pow(1 + headroom, (double)(power + 1)));
    for (uint64_t less; power > 0; power--, room = less) {
        less = (uint64_t)ceil(pow(1 + headroom, (double)(power - 1)));
        if (less < max) break;
    }
    return room;
}

// Leaves get their room, groups what their leaves have.
static void add_headroom(mc_max_tree *tree, const mc_node_columns *nodes, double headroom) {
    if (!(headroom > 0)) return;
    for (uint32_t node = 0; node < nodes->count; node++)
        tree->max[node] = nodes->child_count[node] > 0 ? 0 : get_room(tree->max[node], headroom);
    for (uint32_t node = nodes->count; node-- > 1;) {
        uint64_t *sum = &tree->max[nodes->parent[node]];
        *sum = *sum > UINT64_MAX - tree->max[node] ? UINT64_MAX : *sum + tree->max[node];
    }
}

static void keep_rooms(mc_city *city, const plan *p) {
    if (!(city->desc.headroom > 0)) return;
    memset(city->leaf_room, 0, city->node_count * sizeof *city->leaf_room);
    for (uint32_t node = 0; node < p->part.nodes.count; node++)
        if (p->part.nodes.child_count[node] == 0)
            city->leaf_room[mc_subtree_get_node(&p->part, node)] = p->tree.max[node];
}

// Whether what `before` knows of rooms is of use for `desc`.
static bool is_next(const mc_city *before, const mc_city_desc *desc) {
    const mc_city_desc *was = &before->desc;
    const mc_treemap_desc *a = &was->treemap, *b = &desc->treemap;
    return desc->headroom > 0 && was->headroom == desc->headroom && was->metric == desc->metric &&
           was->area_metric == desc->area_metric && was->scaling == desc->scaling &&
           was->child_limit == desc->child_limit && was->root_node == desc->root_node &&
           was->keeps_shape == desc->keeps_shape &&
           was->window.first_step == desc->window.first_step &&
           was->window.last_step <= desc->window.last_step && a->tiling == b->tiling &&
           a->padding_kind == b->padding_kind && a->padding == b->padding && a->width == b->width &&
           a->height == b->height;
}

// The leaves' rooms, raised where a step behind those of `before` has more; `fits`: none has.
static mc_result raise_rooms(const mc_city *before, const mc_trace *trace, const plan *p,
                             const mc_city_desc *desc, uint64_t *rooms, bool *fits,
                             mc_error *error) {
    uint64_t *values = mc_alloc(before->node_count, sizeof *values);
    mc_result result = values ? MC_OK : mc_error_out_of_memory(error);
    memcpy(rooms, before->leaf_room, before->node_count * sizeof *rooms);
    *fits = true;
    for (uint32_t step = before->desc.window.last_step + 1;
         result == MC_OK && step <= desc->window.last_step; step++) {
        result = mc_trace_read_counts(trace, step, desc->metric, values, error);
        for (uint32_t i = 0; result == MC_OK && i < p->part.nodes.count; i++) {
            uint32_t node = mc_subtree_get_node(&p->part, i);
            if (p->part.nodes.child_count[i] > 0 || values[node] <= rooms[node]) continue;
            rooms[node] = get_room(values[node], desc->headroom);
            *fits = false;
        }
    }
    mc_free(values);
    return result;
}

// Of the ground. One that grows keeps it, whatever becomes of what is around it.
static mc_result find_shape(plan *p, const mc_city *before, const mc_node_columns *nodes,
                            const mc_city_desc *desc, mc_error *error) {
    // Where all plots are the same a district is filled as a square is, whatever its own shape.
    if (!desc->keeps_shape || desc->root_node == 0 || desc->scaling == MC_SCALING_UNIFORM)
        return MC_OK;
    p->root_level = nodes->level[desc->root_node];
    if (!before) return mc_root_shape_find(desc, nodes, &p->tree, &p->treemap, error);
    p->treemap.width = (double)before->width;
    p->treemap.height = (double)before->depth;
    return MC_OK;
}

// Plots are those of another metric, which is nowhere less.
static mc_result take_area(mc_max_tree *tree, const mc_trace *trace, const mc_city_desc *desc,
                           const mc_progress *progress, mc_error *error) {
    mc_max_tree area = {0};
    mc_result result =
        mc_max_tree_compute(&area, trace, desc->area_metric, desc->window, progress, error);
    if (result == MC_OK) memcpy(tree->max, area.max, tree->count * sizeof *tree->max);
    mc_max_tree_deinit(&area);
    return result;
}

// What a window says of the nodes, with room; from what `before` knows, if it isn't NULL.
static mc_result measure(plan *p, const mc_city *before, const mc_trace *trace,
                         const mc_city_desc *desc, bool *fits, const mc_progress *whole,
                         mc_error *error) {
    const mc_node_columns *all = mc_trace_get_nodes(trace);
    double share = desc->area_metric != MC_NONE ? MEASURING_SHARE / 2 : MEASURING_SHARE;
    mc_progress_part first = {whole, 0, share}, second = {whole, share, share};
    const mc_progress progress = mc_progress_part_get(&first);
    const mc_progress area_progress = mc_progress_part_get(&second);
    *fits = false;
    mc_result result = mc_subtree_init(&p->part, all, desc->root_node, error);
    if (result != MC_OK) return result;
    uint64_t *rooms = before ? mc_alloc(all->count, sizeof *rooms) : NULL;
    if (!before) {
        result = mc_max_tree_compute(&p->tree, trace, desc->metric, desc->window, &progress, error);
    } else if (rooms) {
        result = raise_rooms(before, trace, p, desc, rooms, fits, error);
        if (result == MC_OK)
            result = mc_max_tree_compute_known(&p->tree, trace, desc->metric, desc->window, rooms,
                                               error);
    } else {
        result = mc_error_out_of_memory(error);
    }
    mc_free(rooms);
    if (result == MC_OK && desc->area_metric != MC_NONE)
        result = take_area(&p->tree, trace, desc, &area_progress, error);
    if (result == MC_OK) result = find_shape(p, before, all, desc, error);
    if (result == MC_OK) result = mc_subtree_cut_max_tree(&p->part, &p->tree, error);
    if (result == MC_OK && !before) add_headroom(&p->tree, &p->part.nodes, desc->headroom);
    return result;
}

// ---- beginning and end

static mc_result lay_out(mc_city *city, const mc_trace *trace, plan *p, const mc_progress *progress,
                         mc_error *error) {
    const mc_city_desc *desc = &city->desc;
    const mc_node_columns *nodes = &p->part.nodes;
    mc_result result = mc_pruning_compute(&p->pruning, &p->tree, nodes, desc->child_limit, error);
    if (desc->scaling == MC_SCALING_ELEVATION)
        level_out(&p->tree, nodes, find_full(trace, desc->metric, &p->tree, nodes));
    if (result == MC_OK) result = plan_allocate(p, nodes->count, desc->scaling, error);
    if (result == MC_OK) result = plan_layout(p, nodes, desc, progress, error);
    const mc_numbering_desc numbering = {
        .part = &p->part, .tree = &p->tree, .visible = p->pruning.visible, .plots = p->plots};
    if (result == MC_OK) result = mc_city_number_structures(city, &numbering, error);
    if (result != MC_OK) return result;
    city->hidden_leaf_count = p->pruning.hidden_leaf_count;
    bool adds_up = mc_trace_get_metric(trace, desc->metric)->is_additive;
    city->hidden_share = adds_up ? p->pruning.hidden_share : -1;
    keep_rooms(city, p);
    return MC_OK;
}

static mc_result take_plan(mc_city *city, const mc_city *before, const plan *p, mc_error *error) {
    mc_result result = mc_city_share_plan(city, before, error);
    for (uint32_t node = 0; result == MC_OK && node < p->part.nodes.count; node++) {
        uint32_t building = city->node_building[mc_subtree_get_node(&p->part, node)];
        if (building == MC_NONE) continue;
        city->building_first[building] = city->full_height > 0 ? 0 : p->tree.first[node];
    }
    return result;
}

// Laying out and ordering leaves by growth, which mostly need nothing of each other, side by side.
typedef struct work {
    mc_city *city;
    const mc_city *before; // whose layout fits; NULL: none does
    const mc_trace *trace;
    plan *p;
    const mc_progress *progress;
    uint32_t *order;
    bool is_laid_out, is_ordered;
    mc_result layout_result, order_result;
    mc_error layout_error, order_error;
} work;

static void run_layout(work *w) {
    w->is_laid_out = true;
    w->layout_result = w->before ? take_plan(w->city, w->before, w->p, &w->layout_error)
                                 : lay_out(w->city, w->trace, w->p, w->progress, &w->layout_error);
}

static void run_order(work *w) {
    const mc_node_columns *nodes = &w->p->part.nodes;
    w->is_ordered = true;
    w->order = mc_alloc(nodes->leaf_count, sizeof *w->order);
    w->order_result = w->order ? mc_max_tree_rank(&w->p->tree, nodes, w->order, &w->order_error)
                               : mc_error_out_of_memory(&w->order_error);
}

// Progress is told in the calling thread, which is 0: so that one lays out.
static void run_part(void *user, uint32_t part, uint32_t thread) {
    work *w = user;
    (void)part;
    if (thread == 0 && !w->is_laid_out)
        run_layout(w);
    else if (!w->is_ordered)
        run_order(w);
}

static mc_result lay_out_and_rank(work *w, mc_error *error) {
    // Elevation changes the values by which leaves are ranked, before it lays out.
    bool is_worthwhile =
        w->p->part.nodes.count >= PARALLEL_COUNT && w->city->desc.scaling != MC_SCALING_ELEVATION;
    mc_parallel_run(2, is_worthwhile ? mc_parallel_get_core_count() : 1, run_part, w);
    // The other thread may have been faster than this one to begin.
    if (!w->is_laid_out) run_layout(w);
    mc_result result = w->layout_result;
    if (result != MC_OK) {
        if (error) *error = w->layout_error;
    } else if (w->order_result != MC_OK) {
        result = w->order_result;
        if (error) *error = w->order_error;
    } else {
        rank_growth(w->city, w->p, w->order);
    }
    mc_free(w->order);
    return result;
}

static mc_result build(mc_city *city, const mc_city *before, const mc_trace *trace, plan *p,
                       const mc_progress *progress, mc_error *error) {
    const mc_city_desc *desc = &city->desc;
    assert(desc->root_node < mc_trace_get_nodes(trace)->count);
    city->node_count = mc_trace_get_nodes(trace)->count;
    double side = sqrt(desc->treemap.width * desc->treemap.height);
    bool rises = desc->scaling == MC_SCALING_ELEVATION;
    city->district_height = (float)((rises ? FLAT_DISTRICT_SHARE : DISTRICT_HEIGHT_SHARE) * side);
    city->full_height = rises ? (float)(FULL_HEIGHT_SHARE * side) : 0;
    bool fits;
    p->treemap = desc->treemap;
    mc_result result = measure(p, before, trace, desc, &fits, progress, error);
    if (result != MC_OK) return result;
    city->width = (float)p->treemap.width;
    city->depth = (float)p->treemap.height;
    mc_progress_part laying = {progress, MEASURING_SHARE, LAYING_SHARE};
    const mc_progress laying_progress = mc_progress_part_get(&laying);
    work w = {.city = city,
              .before = fits ? before : NULL,
              .trace = trace,
              .p = p,
              .progress = &laying_progress};
    result = lay_out_and_rank(&w, error);
    if (rises && city->building_count > 0) city->largest_growth = (int64_t)city->building_max[0];
    return result;
}

mc_result mc_city_create_next(const mc_city *before, const mc_trace *trace,
                              const mc_city_desc *desc, const mc_progress *progress, mc_city **city,
                              mc_error *error) {
    *city = mc_alloc_zero(1, sizeof **city);
    if (!*city) return mc_error_out_of_memory(error);
    (*city)->desc = *desc;
    plan p = {0};
    if (before && !is_next(before, desc)) before = NULL;
    mc_result result = build(*city, before, trace, &p, progress, error);
    plan_deinit(&p);
    if (result == MC_OK && desc->is_double) result = mc_city_put_side_by_side(*city, error);
    if (result != MC_OK) {
        mc_city_destroy(*city);
        *city = NULL;
    }
    return result;
}

mc_result mc_city_create(const mc_trace *trace, const mc_city_desc *desc,
                         const mc_progress *progress, mc_city **city, mc_error *error) {
    return mc_city_create_next(NULL, trace, desc, progress, city, error);
}
