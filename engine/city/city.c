#include "engine/city/city.h"

#include "engine/base/memory.h"
#include "engine/layout/plot_grid.h"
#include "engine/trace/regroup/sliding_window.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

#define DEFAULT_SIDE 1000.0
#define DEFAULT_PADDING 0.02

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

bool mc_scaling_is_grid(mc_scaling scaling) {
    return scaling == MC_SCALING_UNIFORM || scaling == MC_SCALING_ELEVATION;
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

float mc_city_get_building_height(const mc_city *city, uint32_t building_index) {
    mc_plot plot = city->building_plot[building_index];
    float side = sqrtf((plot.x1 - plot.x0) * (plot.z1 - plot.z0));
    return city->full_height > 0 ? fmaxf(city->full_height, side) : 2.0f * side;
}

// ---- columns

typedef struct city_column {
    void *at; // the pointer to it
    uint32_t count;
    size_t size; // of an element
} city_column;

// Columns that live equally long lie in one block: few large ones cost less than many. Those of
// growth are each city's own, the others may be shared.
enum { BLOCK_GROWTH, BLOCK_PLAN, BLOCK_NODES, BLOCK_COUNT, COLUMN_COUNT = 22 };
static const int BLOCK_BEGIN[BLOCK_COUNT + 1] = {0, 2, 19, COLUMN_COUNT};
static const size_t ALIGNMENT = 16; // of a column, as of what is allocated

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
    _Static_assert(sizeof city->blocks / sizeof *city->blocks == BLOCK_COUNT, "all of them");
    memcpy(columns, all, sizeof all);
}

// Where each column begins in its block; returns the block's size.
static size_t place_columns(const city_column *columns, int block, size_t places[COLUMN_COUNT]) {
    size_t size = 0;
    for (int i = BLOCK_BEGIN[block]; i < BLOCK_BEGIN[block + 1]; i++) {
        places[i] = size;
        size += (columns[i].count * columns[i].size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    }
    return size;
}

static mc_result allocate_block(mc_city *city, int block, mc_error *error) {
    city_column columns[COLUMN_COUNT];
    size_t places[COLUMN_COUNT];
    list_columns(city, columns);
    // One byte more than needed: an empty block is no failed allocation.
    char *memory = mc_alloc(place_columns(columns, block, places) + 1, 1);
    if (!memory) return mc_error_out_of_memory(error);
    city->blocks[block] = memory;
    for (int i = BLOCK_BEGIN[block]; i < BLOCK_BEGIN[block + 1]; i++) {
        void *values = memory + places[i];
        memcpy(columns[i].at, &values, sizeof values);
    }
    return MC_OK;
}

mc_result mc_city_allocate_columns(mc_city *city, mc_error *error) {
    mc_result result = MC_OK;
    for (int block = 0; result == MC_OK && block < BLOCK_COUNT; block++)
        result = allocate_block(city, block, error);
    if (result != MC_OK) return result;
    city->plan_holders = mc_alloc(1, sizeof *city->plan_holders);
    if (!city->plan_holders) return mc_error_out_of_memory(error);
    atomic_init(city->plan_holders, 1);
    return MC_OK;
}

// Frees it if nobody else has it.
static void release_plan(mc_city *city) {
    if (city->plan_holders &&
        atomic_fetch_sub_explicit(city->plan_holders, 1, memory_order_acq_rel) > 1)
        return;
    mc_free(city->plan_holders);
    mc_free(city->blocks[BLOCK_PLAN]);
    mc_free(city->blocks[BLOCK_NODES]);
}

void mc_city_destroy(mc_city *city) {
    if (!city) return;
    release_plan(city);
    mc_free(city->blocks[BLOCK_GROWTH]);
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
    mc_result result = mc_city_allocate_columns(made, error);
    if (result == MC_OK)
        *city = made;
    else
        mc_city_destroy(made);
    return result;
}

mc_result mc_city_share_plan(mc_city *city, const mc_city *before, mc_error *error) {
    mc_city_desc desc = city->desc;
    // Whoever shows it may be writing what it adds to it.
    memcpy(city, before, offsetof(mc_city, styles));
    city->desc = desc;
    city->blocks[BLOCK_GROWTH] = NULL;
    atomic_fetch_add_explicit(city->plan_holders, 1, memory_order_relaxed);
    return allocate_block(city, BLOCK_GROWTH, error);
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

// Copies what the city shares, so that it can be changed.
static mc_result unshare_plan(mc_city *city, mc_error *error) {
    if (atomic_load_explicit(city->plan_holders, memory_order_acquire) == 1) return MC_OK;
    mc_city own = *city;
    city_column columns[COLUMN_COUNT];
    size_t places[COLUMN_COUNT];
    own.plan_holders = NULL;
    memset(own.blocks, 0, sizeof own.blocks);
    mc_result result = mc_city_allocate_columns(&own, error);
    list_columns(city, columns);
    for (int block = 0; result == MC_OK && block < BLOCK_COUNT; block++)
        memcpy(own.blocks[block], city->blocks[block], place_columns(columns, block, places));
    mc_city *left = result == MC_OK ? city : &own;
    release_plan(left);
    mc_free(left->blocks[BLOCK_GROWTH]);
    if (result == MC_OK) *city = own;
    return result;
}

mc_result mc_city_renumber(mc_city *city, const uint32_t *map, uint32_t map_count,
                           uint32_t node_count, mc_error *error) {
    mc_result result = unshare_plan(city, error);
    if (result != MC_OK) return result;
    mc_city made = *city;
    made.node_count = node_count;
    result = allocate_block(&made, BLOCK_NODES, error);
    if (result != MC_OK) return result;
    memset(made.node_building, 0xff, node_count * sizeof *made.node_building);
    memset(made.node_district, 0xff, node_count * sizeof *made.node_district);
    if (made.desc.headroom > 0) memset(made.leaf_room, 0, node_count * sizeof *made.leaf_room);
    for (uint32_t node = 0; node < map_count && node < city->node_count; node++) {
        if (map[node] >= node_count) continue;
        made.node_building[map[node]] = city->node_building[node];
        made.node_district[map[node]] = city->node_district[node];
        if (made.desc.headroom > 0) made.leaf_room[map[node]] = city->leaf_room[node];
    }
    for (uint32_t i = 0; i < made.building_count; i++)
        made.building_node[i] = map[made.building_node[i]];
    for (uint32_t i = 0; i < made.district_count; i++)
        made.district_node[i] = map[made.district_node[i]];
    if (map[made.desc.root_node] != MC_NONE) made.desc.root_node = map[made.desc.root_node];
    mc_free(city->blocks[BLOCK_NODES]);
    *city = made;
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
