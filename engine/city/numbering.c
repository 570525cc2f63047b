#include "engine/city/numbering.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <string.h>

#define PARTS_MOST 64
#define LEAST_PART 1024 // structures: starting threads for less takes longer than it saves

// What a node and all below are numbered as.
typedef struct extent {
    uint32_t buildings, districts;
} extent;

// How far the numbering has come.
typedef struct position {
    uint32_t building, district, item; // the next one's
} position;

// A district whose numbers are known before those in it are given.
typedef struct district_task {
    uint32_t node, parent, level;
    position at;
} district_task;

typedef struct district_tasks {
    district_task *items;
    size_t count, capacity;
} district_tasks;

typedef struct numbering {
    mc_city *city;
    const mc_numbering_desc *desc;
    const mc_node_columns *nodes;
    const extent *extents; // per node
    position at;
    district_tasks *tasks; // takes districts of up to `limit` structures; NULL: none are put off
    uint64_t limit;
    uint32_t deepest_level;
    float highest_top;
    bool is_out_of_memory;
} numbering;

// A district on the way down from the root.
typedef struct visit {
    uint32_t node, district, next; // the child in layout order that comes next
} visit;

static mc_plot plot_of(const mc_treemap_columns *plots, uint32_t node) {
    return (mc_plot){(float)plots->x0[node], (float)plots->y0[node], (float)plots->x1[node],
                     (float)plots->y1[node]};
}

static mc_plot leaf_plot_of(const mc_treemap_columns *plots, uint32_t node) {
    if (!plots->leaves) return plot_of(plots, node);
    mc_leaf_plot plot = plots->leaves[node];
    return (mc_plot){plot.x0, plot.y0, plot.x1, plot.y1};
}

static uint32_t add_building(numbering *n, uint32_t node, uint32_t parent, uint32_t level) {
    mc_city *city = n->city;
    uint32_t building = n->at.building++, shown = mc_subtree_get_node(n->desc->part, node);
    city->building_node[building] = shown;
    city->building_plot[building] = leaf_plot_of(&n->desc->plots, node);
    city->building_base[building] = (float)level * city->district_height;
    city->building_max[building] = n->desc->tree->max[node];
    city->building_first[building] = n->desc->tree->first[node];
    city->building_district[building] = parent;
    city->node_building[shown] = building;
    float top = city->building_base[building] + mc_city_get_building_height(city, building);
    if (parent != MC_NONE && top > city->district_top[parent]) city->district_top[parent] = top;
    if (top > n->highest_top) n->highest_top = top;
    return building;
}

static visit enter_district(numbering *n, uint32_t node, uint32_t parent, uint32_t level) {
    mc_city *city = n->city;
    uint32_t district = n->at.district++, shown = mc_subtree_get_node(n->desc->part, node);
    uint32_t count = n->desc->plots.visible_child_count[node];
    city->district_node[district] = shown;
    city->district_plot[district] = plot_of(&n->desc->plots, node);
    city->district_base[district] = (float)level * city->district_height;
    city->district_top[district] = city->district_base[district] + city->district_height;
    city->district_level[district] = level;
    city->district_parent[district] = parent;
    city->district_building_first[district] = n->at.building;
    city->district_building_count[district] = n->extents[node].buildings;
    city->district_item_first[district] = n->at.item;
    city->district_item_count[district] = count;
    if (count > 1)
        memcpy(city->cuts + n->at.item, n->desc->plots.cuts + n->nodes->first_child[node],
               (count - 1) * sizeof *city->cuts);
    n->at.item += count;
    if (level > n->deepest_level) n->deepest_level = level;
    city->node_district[shown] = district;
    return (visit){node, district, 0};
}

// Leaves the numbers of a district and of all in it to a task.
static bool put_off(numbering *n, uint32_t node, uint32_t parent, uint32_t level) {
    district_tasks *tasks = n->tasks;
    extent inside = n->extents[node];
    if (!tasks || (uint64_t)inside.buildings + inside.districts > n->limit) return false;
    if (!mc_reserve(&tasks->items, &tasks->capacity, tasks->count + 1, sizeof *tasks->items)) {
        n->is_out_of_memory = true;
        return false;
    }
    tasks->items[tasks->count++] = (district_task){node, parent, level, n->at};
    n->at.building += inside.buildings;
    n->at.district += inside.districts;
    n->at.item += inside.buildings + inside.districts - 1; // all but itself are items in it
    return true;
}

// Numbers the children that come next in the district, up to another district, which is then in
// `*below`. False: none is left.
static bool visit_children(numbering *n, visit *at, uint32_t level, visit *below) {
    mc_city *city = n->city;
    const uint32_t *children = n->desc->plots.child_order + n->nodes->first_child[at->node];
    uint32_t *items = city->items + city->district_item_first[at->district];
    uint32_t count = city->district_item_count[at->district];
    while (at->next < count) {
        uint32_t i = at->next++, child = children[i];
        if (n->nodes->child_count[child] == 0) {
            items[i] = add_building(n, child, at->district, level + 1);
            continue;
        }
        items[i] = n->at.district | MC_ITEM_DISTRICT;
        if (put_off(n, child, at->district, level + 1)) continue;
        *below = enter_district(n, child, at->district, level + 1);
        return true;
    }
    return false;
}

// Walks a district depth first. `way` has room for all levels.
static void walk(numbering *n, visit *way, uint32_t node, uint32_t parent, uint32_t level) {
    uint32_t depth = 0;
    way[0] = enter_district(n, node, parent, level);
    for (;;) {
        if (visit_children(n, &way[depth], level + depth, &way[depth + 1]))
            depth++;
        else if (depth-- == 0)
            return;
    }
}

// ---- several threads

typedef struct shared_work {
    const numbering *whole;
    const district_tasks *tasks;
    uint32_t part_count;
    numbering parts[PARTS_MOST];
} shared_work;

static void run_part(void *user, uint32_t part, uint32_t thread) {
    shared_work *work = user;
    (void)thread;
    numbering n = *work->whole;
    n.tasks = NULL;
    size_t begin = work->tasks->count * part / work->part_count;
    size_t end = work->tasks->count * (part + 1) / work->part_count;
    visit *way = mc_alloc((size_t)n.nodes->depth + 2, sizeof *way);
    n.is_out_of_memory = !way;
    for (size_t i = begin; i < end && way; i++) {
        district_task task = work->tasks->items[i];
        n.at = task.at;
        walk(&n, way, task.node, task.parent, task.level);
    }
    mc_free(way);
    work->parts[part] = n;
}

// Numbers what was put off.
static mc_result run_tasks(numbering *n, mc_error *error) {
    shared_work *work = mc_alloc(1, sizeof *work);
    if (!work) return mc_error_out_of_memory(error);
    work->whole = n;
    work->tasks = n->tasks;
    work->part_count = n->tasks->count < PARTS_MOST ? (uint32_t)n->tasks->count : PARTS_MOST;
    mc_parallel_run(work->part_count, mc_parallel_get_core_count(), run_part, work);
    for (uint32_t i = 0; i < work->part_count; i++) {
        const numbering *part = &work->parts[i];
        if (part->deepest_level > n->deepest_level) n->deepest_level = part->deepest_level;
        if (part->highest_top > n->highest_top) n->highest_top = part->highest_top;
        n->is_out_of_memory |= part->is_out_of_memory;
    }
    mc_free(work);
    return n->is_out_of_memory ? mc_error_out_of_memory(error) : MC_OK;
}

// From the root down to districts that are small enough to be shared out among threads.
static mc_result number_all(numbering *n, mc_error *error) {
    district_tasks tasks = {0};
    extent all = n->extents[0];
    uint64_t share = ((uint64_t)all.buildings + all.districts) / PARTS_MOST;
    n->limit = share;
    n->tasks = share >= LEAST_PART ? &tasks : NULL;
    visit *way = mc_alloc((size_t)n->nodes->depth + 2, sizeof *way);
    mc_result result = way ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK) walk(n, way, 0, MC_NONE, 0);
    mc_free(way);
    if (n->is_out_of_memory) result = mc_error_out_of_memory(error);
    if (result == MC_OK && tasks.count > 0) result = run_tasks(n, error);
    n->tasks = NULL;
    mc_free(tasks.items);
    return result;
}

// ---- beginning and end

// What each node is without what is below it: by several threads.
enum { NODES_PER_RANGE = 1 << 18 };

typedef struct measuring {
    const mc_node_columns *nodes;
    const mc_numbering_desc *desc;
    extent *extents;
} measuring;

static void measure_range(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const measuring *task = user;
    const mc_numbering_desc *desc = task->desc;
    (void)thread;
    for (uint32_t node = begin; node < end; node++) {
        bool is_shown = desc->visible[node] != 0, is_district = task->nodes->child_count[node] > 0;
        task->extents[node] = (extent){is_shown && !is_district && desc->tree->max[node] > 0,
                                       is_shown && is_district};
    }
}

// What is below each node; of the root, all there is.
static const extent *measure(const mc_node_columns *nodes, const mc_numbering_desc *desc) {
    extent *extents = (extent *)(void *)desc->plots.value;
    _Static_assert(sizeof *extents == sizeof *desc->plots.value, "lies where the values were");
    measuring task = {nodes, desc, extents};
    mc_parallel_run_ranges(nodes->count, NODES_PER_RANGE, mc_parallel_get_core_count(),
                           measure_range, &task);
    for (uint32_t node = nodes->count; node-- > 1;) {
        if (!desc->visible[node]) continue;
        extents[nodes->parent[node]].buildings += extents[node].buildings;
        extents[nodes->parent[node]].districts += extents[node].districts;
    }
    return extents;
}

static void forget_range(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const mc_city *city = user;
    (void)thread;
    memset(city->node_building + begin, 0xff, (end - begin) * sizeof *city->node_building);
    memset(city->node_district + begin, 0xff, (end - begin) * sizeof *city->node_district);
}

// A district is as high as the highest in it.
static void raise_tops(mc_city *city) {
    for (uint32_t district = city->district_count; district-- > 1;) {
        float *parent = &city->district_top[city->district_parent[district]];
        if (city->district_top[district] > *parent) *parent = city->district_top[district];
    }
    if (city->district_count > 0 && city->district_top[0] > city->highest_top)
        city->highest_top = city->district_top[0];
}

mc_result mc_city_number_structures(mc_city *city, const mc_numbering_desc *desc, mc_error *error) {
    const mc_node_columns *nodes = &desc->part->nodes;
    numbering n = {.city = city, .desc = desc, .nodes = nodes, .extents = measure(nodes, desc)};
    city->building_count = n.extents[0].buildings;
    city->district_count = n.extents[0].districts;
    mc_result result = mc_city_allocate_columns(city, error);
    if (result != MC_OK) return result;
    mc_parallel_run_ranges(city->node_count, NODES_PER_RANGE, mc_parallel_get_core_count(),
                           forget_range, city);
    if (nodes->child_count[0] > 0)
        result = number_all(&n, error);
    else if (city->building_count > 0)
        add_building(&n, 0, MC_NONE, 0);
    city->deepest_level = n.deepest_level;
    city->highest_top = n.highest_top;
    if (result == MC_OK) raise_tops(city);
    return result;
}
