#include "app/page/page_plan.h"

#include "engine/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the nodes

void mc_page_plan_deinit(mc_page_plan *plan) {
    mc_free(plan->node);
    mc_free(plan->structure);
    mc_free(plan->parent);
    mc_free(plan->first_child);
    mc_free(plan->child_count);
    mc_free(plan->largest);
    *plan = (mc_page_plan){0};
}

static bool allocate(mc_page_plan *plan, uint32_t count) {
    plan->node = mc_alloc(count, sizeof *plan->node);
    plan->structure = mc_alloc(count, sizeof *plan->structure);
    plan->parent = mc_alloc(count, sizeof *plan->parent);
    plan->first_child = mc_alloc_zero(count, sizeof *plan->first_child);
    plan->child_count = mc_alloc_zero(count, sizeof *plan->child_count);
    plan->largest = mc_alloc_zero(count, sizeof *plan->largest);
    return plan->node && plan->structure && plan->parent && plan->first_child &&
           plan->child_count && plan->largest;
}

uint32_t mc_page_plan_find(const mc_page_plan *plan, uint32_t node) {
    uint32_t low = 0, high = plan->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (plan->node[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < plan->count && plan->node[low] == node ? low : MC_NONE;
}

uint32_t mc_page_plan_find_around(const mc_page_plan *plan, const mc_node_columns *nodes,
                                  uint32_t node) {
    uint32_t found = MC_NONE;
    for (; node != MC_NONE && found == MC_NONE; node = nodes->parent[node])
        found = mc_page_plan_find(plan, node);
    return found;
}

// Sums are made from the last node to the first, as the page makes them.
static void sum_up(mc_page_plan *plan) {
    for (uint32_t i = plan->count; i-- > 1;)
        if (plan->parent[i] != MC_NONE) plan->largest[plan->parent[i]] += plan->largest[i];
}

mc_result mc_page_plan_create(const mc_trace *trace, const mc_city *city, mc_page_plan *plan,
                              mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    *plan = (mc_page_plan){.city = city};
    if (!allocate(plan, city->building_count + city->district_count + 1)) {
        mc_page_plan_deinit(plan);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t node = 0; node < nodes->count; node++) {
        mc_structure structure = mc_city_find_node(city, node);
        bool is_building = structure.building != MC_NONE;
        if (!is_building && structure.district == MC_NONE) continue;
        uint32_t i = plan->count++;
        plan->node[i] = node;
        plan->structure[i] =
            is_building ? structure.building : structure.district | MC_ITEM_DISTRICT;
        if (is_building) plan->largest[i] = (double)city->building_max[structure.building];
        uint32_t parent = i > 0 ? mc_page_plan_find(plan, nodes->parent[node]) : MC_NONE;
        plan->parent[i] = parent;
        if (parent == MC_NONE) continue;
        if (plan->child_count[parent]++ == 0) plan->first_child[parent] = i;
    }
    sum_up(plan);
    return MC_OK;
}

// ---- their plots

typedef struct rectangle {
    double x0, z0, x1, z1;
} rectangle;

// The same in steps of the district's grid.
typedef struct cell {
    int32_t x0, z0, x1, z1;
} cell;

typedef struct sibling {
    double largest;
    uint32_t index;
} sibling;

static int compare_siblings(const void *left, const void *right) {
    const sibling *a = left, *b = right;
    if (a->largest != b->largest) return a->largest > b->largest ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static mc_plot get_plot(const mc_page_plan *plan, uint32_t index) {
    uint32_t structure = plan->structure[index];
    return structure & MC_ITEM_DISTRICT ? plan->city->district_plot[structure & ~MC_ITEM_DISTRICT]
                                        : plan->city->building_plot[structure];
}

static int32_t to_step(double at, double low, double high) {
    double share = high > low ? (at - low) / (high - low) : 0;
    return (int32_t)lround(fmin(fmax(share, 0), 1) * MC_PAGE_GRID);
}

static double from_step(int32_t step, double low, double high) {
    return low + (high - low) * step / MC_PAGE_GRID;
}

// What is there stays at least a step wide.
static void widen(double extent, int32_t *low, int32_t *high) {
    if (!(extent > 0) || *high > *low) return;
    if (*high < MC_PAGE_GRID)
        ++*high;
    else
        --*low;
}

static cell to_cell(mc_plot plot, const rectangle *around) {
    cell c = {to_step((double)plot.x0, around->x0, around->x1),
              to_step((double)plot.z0, around->z0, around->z1),
              to_step((double)plot.x1, around->x0, around->x1),
              to_step((double)plot.z1, around->z0, around->z1)};
    widen((double)(plot.x1 - plot.x0), &c.x0, &c.x1);
    widen((double)(plot.z1 - plot.z0), &c.z0, &c.z1);
    return c;
}

typedef struct plots {
    const mc_page_plan *plan;
    rectangle *rectangles; // as the page will have them
    sibling *siblings;
    uint64_t *columns[4];
    unsigned char *sides;
    uint32_t done;
} plots;

// Beside the one before along x (side 0) or along z (side 1), whichever says less.
static void add_cell(plots *p, const cell *before, const cell *now) {
    int32_t beside[2] = {now->x0 - before->x1, now->z0 - before->z0};
    int32_t behind[2] = {now->x0 - before->x0, now->z0 - before->z1};
    bool is_behind = abs(behind[0]) + abs(behind[1]) < abs(beside[0]) + abs(beside[1]);
    const int32_t *way = is_behind ? behind : beside;
    uint32_t i = p->done++;
    if (is_behind) p->sides[i / 8] |= (unsigned char)(1u << i % 8);
    p->columns[0][i] = mc_page_fold_sign(way[0]);
    p->columns[1][i] = mc_page_fold_sign(way[1]);
    p->columns[2][i] = mc_page_fold_sign((int64_t)now->x1 - now->x0 - (before->x1 - before->x0));
    p->columns[3][i] = mc_page_fold_sign((int64_t)now->z1 - now->z0 - (before->z1 - before->z0));
}

static void add_children(plots *p, uint32_t parent) {
    const mc_page_plan *plan = p->plan;
    uint32_t first = plan->first_child[parent], count = plan->child_count[parent];
    const rectangle *around = &p->rectangles[parent];
    cell before = {0};
    for (uint32_t i = 0; i < count; i++)
        p->siblings[i] = (sibling){plan->largest[first + i], first + i};
    qsort(p->siblings, count, sizeof *p->siblings, compare_siblings);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = p->siblings[i].index;
        cell now = to_cell(get_plot(plan, child), around);
        add_cell(p, &before, &now);
        before = now;
        p->rectangles[child] = (rectangle){
            from_step(now.x0, around->x0, around->x1), from_step(now.z0, around->z0, around->z1),
            from_step(now.x1, around->x0, around->x1), from_step(now.z1, around->z0, around->z1)};
    }
}

static bool allocate_plots(plots *p, uint32_t count) {
    bool is_there = true;
    p->rectangles = mc_alloc(count, sizeof *p->rectangles);
    p->siblings = mc_alloc(count, sizeof *p->siblings);
    p->sides = mc_alloc_zero((size_t)count / 8 + 1, 1);
    for (int k = 0; k < 4; k++)
        is_there = (p->columns[k] = mc_alloc(count, sizeof *p->columns[k])) && is_there;
    return is_there && p->rectangles && p->siblings && p->sides;
}

static void add_child_counts(const mc_page_plan *plan, uint64_t *numbers, mc_page_columns *out) {
    for (uint32_t i = 0; i < plan->count; i++)
        numbers[i] = plan->child_count[i];
    mc_page_columns_add(out, "children", numbers, plan->count);
}

void mc_page_plan_append(const mc_page_plan *plan, mc_page_columns *out) {
    static const char *const names[4] = {"x", "z", "width", "depth"};
    plots p = {.plan = plan};
    if (plan->count == 0 || !allocate_plots(&p, plan->count)) {
        out->bytes.failed = true;
    } else {
        mc_plot whole = get_plot(plan, 0);
        add_child_counts(plan, p.columns[0], out);
        p.rectangles[0] =
            (rectangle){(double)whole.x0, (double)whole.z0, (double)whole.x1, (double)whole.z1};
        for (uint32_t i = 0; i < plan->count; i++)
            if (plan->child_count[i] > 0) add_children(&p, i);
        mc_page_columns_add_bytes(out, "side", p.sides, (p.done + 7) / 8);
        for (int k = 0; k < 4; k++)
            mc_page_columns_add(out, names[k], p.columns[k], p.done);
    }
    mc_free(p.rectangles);
    mc_free(p.siblings);
    mc_free(p.sides);
    for (int k = 0; k < 4; k++)
        mc_free(p.columns[k]);
}
