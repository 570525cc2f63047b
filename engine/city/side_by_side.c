#include "engine/city/side_by_side.h"

#include <string.h>

#define GAP_SHARE 0.05f // of the width, around and between the two

// How one of them lies on the ground, and from where on its structures are.
typedef struct place {
    float x, y, z;
    uint32_t building, district, item;
} place;

static mc_plot move_plot(mc_plot plot, const place *to) {
    return (mc_plot){plot.x0 + to->x, plot.z0 + to->z, plot.x1 + to->x, plot.z1 + to->z};
}

static void copy_buildings(const mc_city *from, const place *to, mc_city *city) {
    for (uint32_t i = 0; i < from->building_count; i++) {
        uint32_t at = to->building + i, district = from->building_district[i];
        city->building_node[at] = from->building_node[i];
        city->building_plot[at] = move_plot(from->building_plot[i], to);
        city->building_base[at] = from->building_base[i] + to->y;
        city->building_max[at] = from->building_max[i];
        city->building_first[at] = from->building_first[i];
        city->building_growth_rank[at] = 2 * from->building_growth_rank[i] + (to->building > 0);
        city->building_district[at] = district == MC_NONE ? 0 : district + to->district;
    }
}

static void copy_items(const mc_city *from, uint32_t district, const place *to, mc_city *city) {
    uint32_t first = from->district_item_first[district];
    uint32_t count = from->district_item_count[district];
    for (uint32_t i = first; i < first + count; i++) {
        uint32_t item = from->items[i];
        city->items[to->item + i] =
            item & MC_ITEM_DISTRICT ? item + to->district : item + to->building;
        if (i + 1 == first + count) break;
        city->cuts[to->item + i] = from->cuts[i];
        city->cuts[to->item + i].position += from->cuts[i].axis ? to->z : to->x;
    }
}

static void copy_districts(const mc_city *from, const place *to, mc_city *city) {
    for (uint32_t i = 0; i < from->district_count; i++) {
        uint32_t at = to->district + i, parent = from->district_parent[i];
        city->district_node[at] = from->district_node[i];
        city->district_plot[at] = move_plot(from->district_plot[i], to);
        city->district_base[at] = from->district_base[i] + to->y;
        city->district_level[at] = from->district_level[i] + 1;
        city->district_parent[at] = parent == MC_NONE ? 0 : parent + to->district;
        city->district_building_first[at] = from->district_building_first[i] + to->building;
        city->district_building_count[at] = from->district_building_count[i];
        city->district_top[at] = from->district_top[i] + to->y;
        city->district_item_first[at] = from->district_item_first[i] + to->item;
        city->district_item_count[at] = from->district_item_count[i];
        copy_items(from, i, to, city);
    }
}

static void lay_ground(mc_city *city, const place *second, float gap) {
    city->district_node[0] = city->district_node[1];
    city->district_plot[0] = (mc_plot){0, 0, city->width, city->depth};
    city->district_base[0] = 0;
    city->district_level[0] = 0;
    city->district_parent[0] = MC_NONE;
    city->district_building_first[0] = 0;
    city->district_building_count[0] = city->building_count;
    city->district_top[0] = city->district_top[1];
    city->district_item_first[0] = 0;
    city->district_item_count[0] = 2;
    city->items[0] = 1 | MC_ITEM_DISTRICT;
    city->items[1] = second->district | MC_ITEM_DISTRICT;
    city->cuts[0] = (mc_cut){.position = second->x - 0.5f * gap, .left_count = 1, .is_row = 1};
}

// Nodes are found in the second one, the root is the ground.
static void find_nodes(const mc_city *from, const place *second, mc_city *city) {
    for (uint32_t node = 0; node < city->node_count; node++) {
        uint32_t building = from->node_building[node], district = from->node_district[node];
        city->node_building[node] = building == MC_NONE ? MC_NONE : building + second->building;
        city->node_district[node] = district == MC_NONE ? MC_NONE : district + second->district;
    }
    city->node_district[city->district_node[0]] = 0;
}

mc_result mc_city_put_side_by_side(mc_city *city, mc_error *error) {
    mc_city from = *city, *made = NULL;
    if (from.district_count == 0 || from.building_count > MC_ITEM_DISTRICT / 4) return MC_OK;
    float gap = GAP_SHARE * from.width;
    place first = {gap, from.district_height, gap, 0, 1, 2};
    place second = {2 * gap + from.width,
                    from.district_height,
                    gap,
                    from.building_count,
                    1 + from.district_count,
                    2 + from.building_count + from.district_count};
    mc_result result = mc_city_create_empty(&from.desc, from.node_count, 2 * from.building_count,
                                            1 + 2 * from.district_count, &made, error);
    if (result != MC_OK) return result;
    made->width = 2 * from.width + 3 * gap;
    made->depth = from.depth + 2 * gap;
    made->district_height = from.district_height;
    made->full_height = from.full_height;
    made->largest_growth = from.largest_growth;
    made->highest_top = from.highest_top + from.district_height;
    made->deepest_level = from.deepest_level + 1;
    made->hidden_leaf_count = from.hidden_leaf_count;
    made->hidden_share = from.hidden_share;
    made->half_count = from.building_count;
    copy_buildings(&from, &first, made);
    copy_buildings(&from, &second, made);
    copy_districts(&from, &first, made);
    copy_districts(&from, &second, made);
    lay_ground(made, &second, gap);
    find_nodes(&from, &second, made);
    // What it was goes with what is no longer needed.
    from = *city;
    *city = *made;
    *made = from;
    mc_city_destroy(made);
    return MC_OK;
}

static uint32_t get_district_half_count(const mc_city *city) {
    return (city->district_count - 1) / 2;
}

mc_structure mc_city_get_twin(const mc_city *city, mc_structure structure) {
    mc_structure twin = MC_STRUCTURE_NONE;
    if (city->half_count == 0) return twin;
    uint32_t half = get_district_half_count(city);
    if (structure.building != MC_NONE)
        twin.building = structure.building < city->half_count
                            ? structure.building + city->half_count
                            : structure.building - city->half_count;
    else if (structure.district != MC_NONE && structure.district > 0)
        twin.district =
            structure.district <= half ? structure.district + half : structure.district - half;
    return twin;
}

bool mc_city_is_second(const mc_city *city, mc_structure structure) {
    if (city->half_count == 0) return false;
    if (structure.building != MC_NONE) return structure.building >= city->half_count;
    return structure.district != MC_NONE && structure.district > get_district_half_count(city);
}

uint32_t mc_city_get_half(const mc_city *city, uint32_t district) {
    if (city->half_count == 0) return MC_NONE;
    if (district == 1) return 0;
    return district == 1 + get_district_half_count(city) ? 1 : MC_NONE;
}
