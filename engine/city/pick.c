#include "engine/city/pick.h"

#include <math.h>
#include <string.h>

#include "engine/base/memory.h"

// A stretch of the ray, in lengths of its direction; empty if enter > exit.
typedef struct ray_span {
    double enter, exit;
} ray_span;

// Items [item, item + count) of one district, whose cuts begin at `cut`, and where the ray is over
// them.
typedef struct city_part {
    uint32_t item, cut, count;
    ray_span span;
} city_part;

enum { LOCAL_PART_COUNT = 256 }; // more than a city that was not made to be awkward needs

typedef struct pick_walk {
    const mc_city *city;
    const mc_update_params *params;
    const uint64_t *from, *to;
    double origin[3], direction[3], inverse[3];
    // Single precision may carry a wall beyond its plot: what to allow for before skipping
    // anything. The hits themselves are not touched by it.
    double slack;
    double jump_low, jump_high; // how far the selected buildings may be off their floor

    bool needs_any; // whatever is met, not the nearest one
    mc_structure nearest;
    double distance; // before which something counts

    city_part *waiting; // nearer parts are on top; `local` or allocated
    size_t waiting_count, waiting_capacity;
    bool is_out_of_memory;
    city_part local[LOCAL_PART_COUNT];
} pick_walk;

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

// The part of `span` in which the ray's coordinate on `axis` is from `low` to `high`.
static ray_span clip(const pick_walk *walk, ray_span span, uint32_t axis, double low, double high) {
    double origin = walk->origin[axis], inverse = walk->inverse[axis];
    if (walk->direction[axis] == 0) {
        if (!(origin >= low && origin <= high)) span.exit = -1;
        return span;
    }
    double first = (low - origin) * inverse, last = (high - origin) * inverse;
    span.enter = larger(span.enter, smaller(first, last));
    span.exit = smaller(span.exit, larger(first, last));
    return span;
}

static ray_span clip_box(const pick_walk *walk, ray_span span, mc_plot plot, double bottom,
                         double top, double slack) {
    span = clip(walk, span, 0, plot.x0 - slack, plot.x1 + slack);
    span = clip(walk, span, 2, plot.z0 - slack, plot.z1 + slack);
    return clip(walk, span, 1, bottom - slack, top + slack);
}

static const ray_span WHOLE_RAY = {0, INFINITY};

static void meet_building(pick_walk *walk, uint32_t building_index) {
    const mc_city *city = walk->city;
    // A look at the plot spares most buildings the evaluation.
    mc_plot plot = city->building_plot[building_index];
    double base = city->building_base[building_index];
    double highest = 2.0 * (double)sqrtf((plot.x1 - plot.x0) * (plot.z1 - plot.z0));
    ray_span span = clip_box(walk, WHOLE_RAY, plot, base + walk->jump_low,
                             base + highest + walk->jump_high, walk->slack);
    if (!(span.enter <= span.exit && span.enter <= walk->distance)) return;

    mc_box box =
        mc_city_evaluate_building(city, walk->params, building_index, walk->from[building_index],
                                  walk->to[building_index], NULL);
    if (!(box.height > 0 && box.opacity > 0)) return;
    span = clip_box(walk, WHOLE_RAY, box.footprint, box.base, (double)box.base + box.height, 0);
    if (!(span.enter <= span.exit)) return;
    bool is_nearer = span.enter < walk->distance;
    if (!is_nearer && !(span.enter == walk->distance && walk->nearest.district != MC_NONE)) return;
    walk->nearest = (mc_structure){.building = building_index, .district = MC_NONE};
    walk->distance = span.enter;
}

static void meet_slab(pick_walk *walk, uint32_t district_index) {
    const mc_city *city = walk->city;
    double base = city->district_base[district_index];
    ray_span span = clip_box(walk, WHOLE_RAY, city->district_plot[district_index], base,
                             base + city->district_height, 0);
    if (!(span.enter <= span.exit && span.enter < walk->distance)) return;
    walk->nearest = (mc_structure){.building = MC_NONE, .district = district_index};
    walk->distance = span.enter;
}

static void put_off(pick_walk *walk, city_part part) {
    if (walk->waiting_count == walk->waiting_capacity) {
        size_t capacity = walk->waiting_capacity * 2;
        city_part *larger_stack = mc_alloc(capacity, sizeof *larger_stack);
        if (!larger_stack) {
            walk->is_out_of_memory = true;
            return;
        }
        memcpy(larger_stack, walk->waiting, walk->waiting_count * sizeof *larger_stack);
        if (walk->waiting != walk->local) mc_free(walk->waiting);
        walk->waiting = larger_stack;
        walk->waiting_capacity = capacity;
    }
    walk->waiting[walk->waiting_count++] = part;
}

// Meets the district's slab. Returns its items, none if the ray misses all that is in it.
static city_part enter_district(pick_walk *walk, uint32_t district_index) {
    const mc_city *city = walk->city;
    uint32_t first = city->district_item_first[district_index];
    city_part part = {first, first, city->district_item_count[district_index], WHOLE_RAY};
    part.span = clip_box(walk, (ray_span){0, walk->distance}, city->district_plot[district_index],
                         city->district_base[district_index] + walk->jump_low,
                         city->district_top[district_index] + walk->jump_high, walk->slack);
    if (!(part.span.enter <= part.span.exit))
        part.count = 0;
    else
        meet_slab(walk, district_index);
    return part;
}

// Cuts down to the nearest row or item; what is farther waits, what the ray misses is dropped.
static city_part cut_to_row(pick_walk *walk, city_part near) {
    const mc_cut *cuts = walk->city->cuts;
    while (near.count > 1 && !cuts[near.cut].is_row) {
        mc_cut cut = cuts[near.cut];
        uint32_t left = cut.left_count, axis = cut.axis ? 2 : 0;
        city_part far = {near.item + left, near.cut + left, near.count - left, near.span};
        near.cut++;
        near.count = left;
        // The first part lies below the cut, the rest above.
        near.span = clip(walk, near.span, axis, -INFINITY, cut.position + walk->slack);
        far.span = clip(walk, far.span, axis, cut.position - walk->slack, INFINITY);
        if (walk->direction[axis] < 0) {
            city_part first = near;
            near = far;
            far = first;
        }
        bool meets_near = near.span.enter <= near.span.exit;
        bool meets_far = far.span.enter <= far.span.exit;
        if (!meets_near && !meets_far)
            near.count = 0;
        else if (!meets_near)
            near = far;
        else if (meets_far)
            put_off(walk, far);
    }
    return near;
}

// How many cuts of a row lie below `coordinate`.
static uint32_t count_below(const mc_cut *cuts, uint32_t cut_count, double coordinate) {
    uint32_t low = 0, high = cut_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cuts[middle].position < coordinate)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Which items of a row the ray is over: [*first, *last].
static void find_in_row(const pick_walk *walk, city_part row, uint32_t *first, uint32_t *last) {
    *first = *last = 0;
    if (row.count == 1) return;
    const mc_cut *cuts = walk->city->cuts + row.cut;
    uint32_t axis = cuts->axis ? 2 : 0;
    double begin = walk->origin[axis], end = begin;
    if (walk->direction[axis] != 0) {
        begin += walk->direction[axis] * row.span.enter;
        end += walk->direction[axis] * row.span.exit;
    }
    *first = count_below(cuts, row.count - 1, smaller(begin, end) - 2 * walk->slack);
    *last = count_below(cuts, row.count - 1, larger(begin, end) + 2 * walk->slack);
}

// Meets the buildings of a row in the order of the ray up to the first district: that is returned
// (MC_NONE: there was none), and what is farther waits.
static uint32_t meet_row(pick_walk *walk, city_part row) {
    uint32_t first, last;
    find_in_row(walk, row, &first, &last);
    const uint32_t *items = walk->city->items + row.item;
    const mc_cut *cuts = walk->city->cuts + row.cut;
    uint32_t axis = row.count > 1 && cuts->axis ? 2 : 0;
    bool is_descending = walk->direction[axis] < 0;
    for (uint32_t k = 0; k <= last - first; k++) {
        uint32_t i = is_descending ? last - k : first + k;
        if (k > 0) {
            double edge = cuts[is_descending ? i : i - 1].position;
            edge += is_descending ? walk->slack : -walk->slack;
            if ((edge - walk->origin[axis]) * walk->inverse[axis] > walk->distance) break;
        }
        if (!(items[i] & MC_ITEM_DISTRICT)) {
            meet_building(walk, items[i]);
            continue;
        }
        uint32_t begin = is_descending ? first : i + 1, end = is_descending ? i : last + 1;
        if (begin < end) {
            put_off(walk, (city_part){row.item + begin, row.cut + begin, end - begin, row.span});
        }
        return items[i] & ~MC_ITEM_DISTRICT;
    }
    return MC_NONE;
}

static bool is_over(const pick_walk *walk) {
    bool has_met = walk->nearest.building != MC_NONE || walk->nearest.district != MC_NONE;
    return walk->is_out_of_memory || (walk->needs_any && has_met);
}

static void walk_city(pick_walk *walk) {
    uint32_t district = 0;
    while (!is_over(walk)) {
        city_part part;
        if (district != MC_NONE) {
            part = enter_district(walk, district);
        } else if (walk->waiting_count > 0) {
            part = walk->waiting[--walk->waiting_count];
        } else {
            break;
        }
        district = MC_NONE;
        if (part.count == 0 || part.span.enter > walk->distance) continue;
        part = cut_to_row(walk, part);
        if (part.count > 0 && part.span.enter <= walk->distance) district = meet_row(walk, part);
    }
}

// Without memory for the parts that wait, all there is must be looked at.
static void meet_all(pick_walk *walk) {
    for (uint32_t i = 0; i < walk->city->district_count; i++)
        meet_slab(walk, i);
    for (uint32_t i = 0; i < walk->city->building_count; i++)
        meet_building(walk, i);
}

// What is at `reach` or beyond doesn't count.
static mc_structure pick(const mc_city *city, const mc_update_params *params, const uint64_t *from,
                         const uint64_t *to, mc_ray ray, double reach, bool needs_any,
                         double *distance) {
    // What transitions is outside its plot, where no walk finds it.
    mc_update_params at_rest = *params;
    at_rest.transition = 1.0f;
    pick_walk walk;
    walk.city = city;
    walk.params = &at_rest;
    walk.from = from;
    walk.to = to;
    mc_dvec3_from(ray.origin, walk.origin);
    mc_dvec3_from(ray.direction, walk.direction);
    for (uint32_t axis = 0; axis < 3; axis++)
        walk.inverse[axis] = 1 / walk.direction[axis];
    walk.slack = 1e-6 * larger(city->width, city->depth);
    double jump = params->selected_count + params->more_selected_count > 0 ? params->jump : 0;
    walk.jump_low = smaller(jump, 0);
    walk.jump_high = larger(jump, 0);
    walk.needs_any = needs_any;
    walk.nearest = MC_STRUCTURE_NONE;
    walk.distance = reach;
    walk.waiting = walk.local;
    walk.waiting_count = 0;
    walk.waiting_capacity = LOCAL_PART_COUNT;
    walk.is_out_of_memory = false;

    if (city->district_count > 0) walk_city(&walk);
    if (city->district_count == 0 || walk.is_out_of_memory) meet_all(&walk);
    if (walk.waiting != walk.local) mc_free(walk.waiting);
    *distance = walk.distance;
    return walk.nearest;
}

mc_hit mc_city_pick(const mc_city *city, const mc_update_params *params, const uint64_t *from,
                    const uint64_t *to, mc_ray ray) {
    double distance;
    mc_structure nearest = pick(city, params, from, to, ray, INFINITY, false, &distance);
    return (mc_hit){nearest, distance < INFINITY ? (float)distance : 0};
}

bool mc_city_is_blocked(const mc_city *city, const mc_update_params *params, const uint64_t *from,
                        const uint64_t *to, const vec3 begin, const vec3 end) {
    mc_ray ray = {{begin[0], begin[1], begin[2]},
                  {end[0] - begin[0], end[1] - begin[1], end[2] - begin[2]}};
    double distance;
    mc_structure met = pick(city, params, from, to, ray, 1, true, &distance);
    return met.building != MC_NONE || met.district != MC_NONE;
}
