#include "engine/city/city.h"

#include "engine/analyze/subtree.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/city/double.h"
#include "engine/city/root_shape.h"
#include "engine/layout/plot_grid.h"
#include "engine/trace/regroup/frame.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SIDE 1000.0
#define DEFAULT_PADDING 0.02
#define PARALLEL_COUNT 20000 // nodes; starting a thread takes as long as laying out some hundred
#define DISTRICT_HEIGHT_SHARE 0.005 // of the city's side
// Where heights are read against a scale, floors are nearly level.
#define FLAT_DISTRICT_SHARE 0.0015
#define FULL_HEIGHT_SHARE 0.24

mc_city_desc mc_city_desc_default(const mc_trace *trace) {
    mc_metric metric = mc_trace_get_usual_metric(trace);
    bool rises = mc_trace_get_metric(trace, metric)->unit == MC_UNIT_RATIO &&
                 mc_trace_get_frame_ms(trace) > 0;
    return (mc_city_desc){.metric = metric,
                          .area_metric = MC_NONE,
                          .scaling = rises ? MC_SCALING_ELEVATION : MC_SCALING_LINEAR,
                          .treemap = {.tiling = MC_TILING_SQUARIFY,
                                      .padding_kind = MC_PADDING_RELATIVE,
                                      .padding = DEFAULT_PADDING,
                                      .width = DEFAULT_SIDE,
                                      .height = DEFAULT_SIDE},
                          .keeps_shape = true,
                          .window = mc_step_range_whole(trace)};
}

double mc_scaling_apply(mc_scaling scaling, double share) {
    switch (scaling) {
    case MC_SCALING_SQRT: return sqrt(share);
    case MC_SCALING_QUADRATIC: return share * share;
    case MC_SCALING_UNIFORM: return share > 0;
    case MC_SCALING_ELEVATION: return 1;
    default: return share;
    }
}

mc_result mc_scaling_layout(mc_scaling scaling, const mc_treemap_desc *desc,
                            const mc_tree_view *tree, const mc_progress *progress,
                            const mc_treemap_columns *out) {
    mc_treemap *map;
    if (scaling == MC_SCALING_UNIFORM)
        return mc_plot_grid_layout(desc, MC_GRID_BY_SIZE, tree, progress, out);
    if (scaling == MC_SCALING_ELEVATION)
        return mc_plot_grid_layout(desc, MC_GRID_BY_COUNT, tree, progress, out);
    mc_result result = mc_treemap_create(&map, NULL);
    if (result != MC_OK) return result;
    result = mc_treemap_layout(map, desc, tree, progress, out);
    mc_treemap_destroy(map);
    return result;
}

// ---- columns

typedef struct city_column {
    void *at; // the pointer to it
    uint32_t count;
    size_t size; // of an element
} city_column;

// The first ones are of growth, and each city's own.
enum { OWN_COLUMN_COUNT = 2, COLUMN_COUNT = 22 };

static void list_columns(mc_city *city, city_column columns[COLUMN_COUNT]) {
    uint32_t buildings = city->building_count, districts = city->district_count;
    uint32_t nodes = city->node_count;
    const city_column all[] = {
        {&city->building_first, buildings, sizeof(uint64_t)},
        {&city->building_growth_rank, buildings, sizeof(uint32_t)},
        {&city->building_node, buildings, sizeof(uint32_t)},
        {&city->building_plot, buildings, sizeof(mc_plot)},
        {&city->building_base, buildings, sizeof(float)},
        {&city->building_max, buildings, sizeof(uint64_t)},
        {&city->building_district, buildings, sizeof(uint32_t)},
        {&city->district_node, districts, sizeof(uint32_t)},
        {&city->district_plot, districts, sizeof(mc_plot)},
        {&city->district_base, districts, sizeof(float)},
        {&city->district_level, districts, sizeof(uint32_t)},
        {&city->district_parent, districts, sizeof(uint32_t)},
        {&city->district_building_first, districts, sizeof(uint32_t)},
        {&city->district_building_count, districts, sizeof(uint32_t)},
        {&city->district_top, districts, sizeof(float)},
        {&city->district_item_first, districts, sizeof(uint32_t)},
        {&city->district_item_count, districts, sizeof(uint32_t)},
        {&city->items, buildings + districts, sizeof(uint32_t)},
        {&city->cuts, buildings + districts, sizeof(mc_cut)},
        {&city->node_building, nodes, sizeof(uint32_t)},
        {&city->node_district, nodes, sizeof(uint32_t)},
        {&city->leaf_room, city->desc.headroom > 0 ? nodes : 0, sizeof(uint64_t)},
    };
    _Static_assert(sizeof all / sizeof *all == COLUMN_COUNT, "all of them");
    memcpy(columns, all, sizeof all);
}

static void *get_column(const city_column *from) {
    void *values;
    memcpy(&values, from->at, sizeof values);
    return values;
}

// On failure the city can be destroyed.
static mc_result allocate_columns(mc_city *city, int count, mc_error *error) {
    city_column columns[COLUMN_COUNT];
    list_columns(city, columns);
    for (int i = 0; i < count; i++) {
        // One element more than needed: an empty column is no failed allocation.
        void *values = mc_alloc((size_t)columns[i].count + 1, columns[i].size);
        if (!values) return mc_error_out_of_memory(error);
        memcpy(columns[i].at, &values, sizeof values);
    }
    if (count < COLUMN_COUNT) return MC_OK;
    city->plan_holders = mc_alloc(1, sizeof *city->plan_holders);
    if (!city->plan_holders) return mc_error_out_of_memory(error);
    atomic_init(city->plan_holders, 1);
    return MC_OK;
}

// Whether nobody else has it.
static bool release_plan(mc_city *city) {
    if (city->plan_holders &&
        atomic_fetch_sub_explicit(city->plan_holders, 1, memory_order_acq_rel) > 1)
        return false;
    mc_free(city->plan_holders);
    return true;
}

void mc_city_destroy(mc_city *city) {
    if (!city) return;
    city_column columns[COLUMN_COUNT];
    list_columns(city, columns);
    int count = release_plan(city) ? COLUMN_COUNT : OWN_COLUMN_COUNT;
    for (int i = 0; i < count; i++)
        mc_free(get_column(&columns[i]));
    mc_free(city);
}

mc_result mc_city_create_empty(const mc_city_desc *desc, uint32_t node_count,
                               uint32_t building_count, uint32_t district_count, mc_city **city,
                               mc_error *error) {
    mc_city *made = mc_alloc_zero(1, sizeof *made);
    if (!made) return mc_error_out_of_memory(error);
    made->desc = *desc;
    made->node_count = node_count;
    made->building_count = building_count;
    made->district_count = district_count;
    mc_result result = allocate_columns(made, COLUMN_COUNT, error);
    if (result == MC_OK)
        *city = made;
    else
        mc_city_destroy(made);
    return result;
}

bool mc_city_shares_plan(const mc_city *a, const mc_city *b) {
    return a->plan_holders == b->plan_holders;
}

bool mc_city_has_plots_of(const mc_city *a, const mc_city *b) {
    size_t buildings = a->building_count, districts = a->district_count;
    if (mc_city_shares_plan(a, b)) return true;
    return buildings == b->building_count && districts == b->district_count &&
           a->desc.scaling == b->desc.scaling && a->full_height == b->full_height &&
           memcmp(a->building_node, b->building_node, buildings * sizeof *a->building_node) == 0 &&
           memcmp(a->building_plot, b->building_plot, buildings * sizeof *a->building_plot) == 0 &&
           memcmp(a->building_base, b->building_base, buildings * sizeof *a->building_base) == 0 &&
           memcmp(a->district_node, b->district_node, districts * sizeof *a->district_node) == 0 &&
           memcmp(a->district_plot, b->district_plot, districts * sizeof *a->district_plot) == 0;
}

// ---- the layout of the trace's nodes

typedef struct plan {
    mc_subtree part; // what the city shows; all columns below are over its nodes
    mc_max_tree tree;
    mc_pruning pruning;
    mc_treemap_desc treemap;
    uint32_t root_level;
    double *columns; // weight, x0, y0, x1, y1, value: one allocation
    double *weight;
    uint32_t *visible_child_count, *child_order;
    mc_cut *cuts;
    mc_treemap_columns plots;
} plan;

static void plan_deinit(plan *p) {
    mc_subtree_deinit(&p->part);
    mc_max_tree_deinit(&p->tree);
    mc_pruning_deinit(&p->pruning);
    mc_free(p->columns);
    mc_free(p->visible_child_count);
    mc_free(p->child_order);
    mc_free(p->cuts);
}

static mc_result plan_allocate(plan *p, uint32_t count, mc_error *error) {
    p->columns = mc_alloc(count, 6 * sizeof *p->columns);
    p->visible_child_count = mc_alloc_zero(count, sizeof *p->visible_child_count);
    p->child_order = mc_alloc(count, sizeof *p->child_order);
    p->cuts = mc_alloc(count, sizeof *p->cuts);
    if (!p->columns || !p->visible_child_count || !p->child_order || !p->cuts)
        return mc_error_out_of_memory(error);
    double *column[6];
    for (int i = 0; i < 6; i++)
        column[i] = p->columns + (size_t)i * count;
    p->weight = column[0];
    p->plots = (mc_treemap_columns){.x0 = column[1],
                                    .y0 = column[2],
                                    .x1 = column[3],
                                    .y1 = column[4],
                                    .value = column[5],
                                    .visible_child_count = p->visible_child_count,
                                    .child_order = p->child_order,
                                    .cuts = p->cuts};
    return MC_OK;
}

static mc_result plan_layout(plan *p, const mc_node_columns *nodes, const mc_city_desc *desc,
                             const mc_progress *progress, mc_error *error) {
    for (uint32_t node = 0; node < nodes->count; node++) {
        p->weight[node] = mc_scaling_apply(desc->scaling, (double)p->tree.max[node]);
        // What never has a value has no place; but the ground stays.
        if (p->tree.max[node] == 0 && node > 0) p->pruning.visible[node] = 0;
    }
    mc_tree_view view = {.count = nodes->count,
                         .parent = nodes->parent,
                         .first_child = nodes->first_child,
                         .child_count = nodes->child_count,
                         .level = nodes->level,
                         .sum_order = nodes->child_by_appearance,
                         .weight = p->weight,
                         .visible = p->pruning.visible,
                         .root_level = p->root_level};
    mc_result result = mc_scaling_layout(desc->scaling, &p->treemap, &view, progress, &p->plots);
    if (result == MC_ERROR_CANCELLED)
        return mc_error_set(error, result, MC_ERROR_NO_OFFSET, "cancelled");
    return result == MC_OK ? MC_OK : mc_error_out_of_memory(error);
}

// ---- from nodes to structures

static mc_result allocate(mc_city *city, const mc_node_columns *nodes, const plan *p,
                          mc_error *error) {
    uint32_t buildings = 0, districts = 0;
    for (uint32_t node = 0; node < nodes->count; node++) {
        if (!p->pruning.visible[node]) continue;
        if (nodes->child_count[node] > 0)
            districts++;
        else if (p->tree.max[node] > 0)
            buildings++;
    }
    city->building_count = buildings;
    city->district_count = districts;
    return allocate_columns(city, COLUMN_COUNT, error);
}

static mc_plot plot_of(const mc_treemap_columns *plots, uint32_t node) {
    return (mc_plot){(float)plots->x0[node], (float)plots->y0[node], (float)plots->x1[node],
                     (float)plots->y1[node]};
}

// Walks the nodes depth first, children in layout order, and numbers buildings and districts as
// they come.
static mc_result number_structures(mc_city *city, const mc_node_columns *nodes, const plan *p,
                                   mc_error *error) {
    // `next` is the next child to visit of each node on the way down.
    uint32_t *way = mc_alloc((size_t)nodes->depth + 1, sizeof *way);
    uint32_t *next = mc_alloc((size_t)nodes->depth + 1, sizeof *next);
    if (!way || !next) {
        mc_free(way);
        mc_free(next);
        return mc_error_out_of_memory(error);
    }
    memset(city->node_building, 0xff, city->node_count * sizeof(uint32_t));
    memset(city->node_district, 0xff, city->node_count * sizeof(uint32_t));
    uint32_t building = 0, district = 0, item = 0, level = 0;
    way[0] = 0;
    next[0] = 0;
    for (bool entering = true;;) {
        uint32_t node = way[level], shown = mc_subtree_get_node(&p->part, node), parent = MC_NONE;
        if (level > 0) parent = city->node_district[mc_subtree_get_node(&p->part, way[level - 1])];
        if (entering && nodes->child_count[node] == 0 && p->tree.max[node] > 0) {
            city->building_node[building] = shown;
            city->building_plot[building] = plot_of(&p->plots, node);
            city->building_base[building] = (float)level * city->district_height;
            city->building_max[building] = p->tree.max[node];
            city->building_first[building] = p->tree.first[node];
            city->building_district[building] = parent;
            city->node_building[shown] = building++;
        } else if (entering && nodes->child_count[node] > 0) {
            city->district_node[district] = node; // the trace's number later: see list_items()
            city->district_plot[district] = plot_of(&p->plots, node);
            city->district_base[district] = (float)level * city->district_height;
            city->district_level[district] = level;
            city->district_parent[district] = parent;
            city->district_building_first[district] = building;
            city->district_item_first[district] = item;
            city->district_item_count[district] = p->visible_child_count[node];
            item += p->visible_child_count[node];
            if (level > city->deepest_level) city->deepest_level = level;
            city->node_district[shown] = district++;
        }
        if (nodes->child_count[node] > 0 && next[level] < p->visible_child_count[node]) {
            uint32_t child = p->child_order[nodes->first_child[node] + next[level]++];
            way[++level] = child;
            next[level] = 0;
            entering = true;
            continue;
        }
        uint32_t done = city->node_district[shown];
        if (done != MC_NONE)
            city->district_building_count[done] = building - city->district_building_first[done];
        if (level == 0) break;
        level--;
        entering = false;
    }
    mc_free(way);
    mc_free(next);
    return MC_OK;
}

static void list_items(mc_city *city, const mc_node_columns *nodes, const plan *p) {
    for (uint32_t district = 0; district < city->district_count; district++) {
        uint32_t node = city->district_node[district], first = city->district_item_first[district];
        uint32_t count = city->district_item_count[district];
        for (uint32_t i = 0; i < count; i++) {
            uint32_t child =
                mc_subtree_get_node(&p->part, p->child_order[nodes->first_child[node] + i]);
            city->items[first + i] = city->node_building[child] != MC_NONE
                                         ? city->node_building[child]
                                         : city->node_district[child] | MC_ITEM_DISTRICT;
        }
        if (count > 1)
            memcpy(city->cuts + first, p->cuts + nodes->first_child[node],
                   (count - 1) * sizeof *city->cuts);
        city->district_node[district] = mc_subtree_get_node(&p->part, node);
    }
}

float mc_city_get_building_height(const mc_city *city, uint32_t building_index) {
    mc_plot plot = city->building_plot[building_index];
    float side = sqrtf((plot.x1 - plot.x0) * (plot.z1 - plot.z0));
    return city->full_height > 0 ? fmaxf(city->full_height, side) : 2.0f * side;
}

static void find_tops(mc_city *city) {
    for (uint32_t district = 0; district < city->district_count; district++)
        city->district_top[district] = city->district_base[district] + city->district_height;
    for (uint32_t building = 0; building < city->building_count; building++) {
        float top = city->building_base[building] + mc_city_get_building_height(city, building);
        uint32_t district = city->building_district[building];
        if (district != MC_NONE && top > city->district_top[district])
            city->district_top[district] = top;
        if (top > city->highest_top) city->highest_top = top;
    }
    for (uint32_t district = city->district_count; district-- > 1;) {
        float *parent = &city->district_top[city->district_parent[district]];
        if (city->district_top[district] > *parent) *parent = city->district_top[district];
    }
    if (city->district_count > 0 && city->district_top[0] > city->highest_top)
        city->highest_top = city->district_top[0];
}

// `order`: the leaves by growth.
static void rank_growth(mc_city *city, const plan *p, const uint32_t *order) {
    uint32_t rank = 0;
    city->largest_growth = 0;
    for (uint32_t i = 0; i < p->part.nodes.leaf_count; i++) {
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
                         const mc_city_desc *desc, bool *fits, const mc_progress *progress,
                         mc_error *error) {
    const mc_node_columns *all = mc_trace_get_nodes(trace);
    *fits = false;
    mc_result result = mc_subtree_init(&p->part, all, desc->root_node, error);
    if (result != MC_OK) return result;
    uint64_t *rooms = before ? mc_alloc(all->count, sizeof *rooms) : NULL;
    if (!before) {
        result = mc_max_tree_compute(&p->tree, trace, desc->metric, desc->window, progress, error);
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
        result = take_area(&p->tree, trace, desc, progress, error);
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
    if (result == MC_OK) result = plan_allocate(p, nodes->count, error);
    if (result == MC_OK) result = plan_layout(p, nodes, desc, progress, error);
    if (result == MC_OK) result = allocate(city, nodes, p, error);
    if (result == MC_OK) result = number_structures(city, nodes, p, error);
    if (result != MC_OK) return result;
    city->hidden_leaf_count = p->pruning.hidden_leaf_count;
    bool adds_up = mc_trace_get_metric(trace, desc->metric)->is_additive;
    city->hidden_share = adds_up ? p->pruning.hidden_share : -1;
    list_items(city, nodes, p);
    find_tops(city);
    keep_rooms(city, p);
    return MC_OK;
}

static mc_result share_plan(mc_city *city, const mc_city *before, const plan *p, mc_error *error) {
    mc_city_desc desc = city->desc;
    // Whoever shows it may be writing what it adds to it.
    memcpy(city, before, offsetof(mc_city, styles));
    city->desc = desc;
    city->building_first = NULL;
    city->building_growth_rank = NULL;
    atomic_fetch_add_explicit(city->plan_holders, 1, memory_order_relaxed);
    mc_result result = allocate_columns(city, OWN_COLUMN_COUNT, error);
    for (uint32_t node = 0; result == MC_OK && node < p->part.nodes.count; node++) {
        uint32_t building = city->node_building[mc_subtree_get_node(&p->part, node)];
        if (building == MC_NONE) continue;
        city->building_first[building] = city->full_height > 0 ? 0 : p->tree.first[node];
    }
    return result;
}

// Laying out and ordering leaves by growth, which need nothing of each other, side by side.
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
    w->layout_result = w->before ? share_plan(w->city, w->before, w->p, &w->layout_error)
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
    bool is_worthwhile = w->p->part.nodes.count >= PARALLEL_COUNT;
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
    work w = {
        .city = city, .before = fits ? before : NULL, .trace = trace, .p = p, .progress = progress};
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
    if (result == MC_OK && desc->is_double) result = mc_city_double(*city, error);
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

// Copies what the city shares, so that it can be changed.
static mc_result unshare_plan(mc_city *city, mc_error *error) {
    if (atomic_load_explicit(city->plan_holders, memory_order_acquire) == 1) return MC_OK;
    mc_city own = *city;
    city_column columns[COLUMN_COUNT], copies[COLUMN_COUNT];
    list_columns(city, columns);
    list_columns(&own, copies);
    for (int i = 0; i < COLUMN_COUNT; i++)
        memset(copies[i].at, 0, sizeof(void *));
    own.plan_holders = NULL;
    mc_result result = allocate_columns(&own, COLUMN_COUNT, error);
    city_column *release = result == MC_OK ? columns : copies;
    for (int i = 0; result == MC_OK && i < COLUMN_COUNT; i++)
        memcpy(get_column(&copies[i]), get_column(&columns[i]), columns[i].count * columns[i].size);
    int count = COLUMN_COUNT;
    if (result == MC_OK && !release_plan(city)) count = OWN_COLUMN_COUNT;
    for (int i = 0; i < count; i++)
        mc_free(get_column(&release[i]));
    if (result == MC_OK) *city = own;
    return result;
}

mc_result mc_city_renumber(mc_city *city, const uint32_t *map, uint32_t map_count,
                           uint32_t node_count, mc_error *error) {
    mc_result result = unshare_plan(city, error);
    if (result != MC_OK) return result;
    uint32_t *building = mc_alloc((size_t)node_count + 1, sizeof *building);
    uint32_t *district = mc_alloc((size_t)node_count + 1, sizeof *district);
    uint64_t *room = mc_alloc_zero((size_t)node_count + 1, sizeof *room);
    if (!building || !district || !room) {
        mc_free(building);
        mc_free(district);
        mc_free(room);
        return mc_error_out_of_memory(error);
    }
    memset(building, 0xff, node_count * sizeof *building);
    memset(district, 0xff, node_count * sizeof *district);
    for (uint32_t node = 0; node < map_count && node < city->node_count; node++) {
        if (map[node] >= node_count) continue;
        building[map[node]] = city->node_building[node];
        district[map[node]] = city->node_district[node];
        if (city->desc.headroom > 0) room[map[node]] = city->leaf_room[node];
    }
    for (uint32_t i = 0; i < city->building_count; i++)
        city->building_node[i] = map[city->building_node[i]];
    for (uint32_t i = 0; i < city->district_count; i++)
        city->district_node[i] = map[city->district_node[i]];
    mc_free(city->node_building);
    mc_free(city->node_district);
    mc_free(city->leaf_room);
    city->node_building = building;
    city->node_district = district;
    city->leaf_room = room;
    city->node_count = node_count;
    if (map[city->desc.root_node] != MC_NONE) city->desc.root_node = map[city->desc.root_node];
    return MC_OK;
}

void mc_city_gather(const mc_city *city, const uint64_t *node_values, uint64_t *building_values) {
    for (uint32_t i = 0; i < city->building_count; i++)
        building_values[i] = node_values[city->building_node[i]];
}

mc_structure mc_city_find_node(const mc_city *city, uint32_t node_index) {
    if (node_index >= city->node_count) return MC_STRUCTURE_NONE;
    return (mc_structure){city->node_building[node_index], city->node_district[node_index]};
}

uint32_t mc_city_get_node(const mc_city *city, mc_structure structure) {
    if (structure.building != MC_NONE) return city->building_node[structure.building];
    if (structure.district != MC_NONE) return city->district_node[structure.district];
    return MC_NONE;
}
