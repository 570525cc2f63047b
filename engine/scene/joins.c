#include "engine/scene/joins.h"

#include "engine/base/memory.h"
#include <string.h>

static mc_result reserve(mc_joins *joins, uint32_t count, mc_error *error) {
    mc_joins_deinit(joins);
    joins->links = mc_alloc((size_t)count + 1, sizeof *joins->links);
    joins->stops = mc_alloc_zero((size_t)count + 1, sizeof *joins->stops);
    if (joins->links && joins->stops) return MC_OK;
    mc_joins_deinit(joins);
    return mc_error_out_of_memory(error);
}

mc_result mc_joins_make_references(mc_joins *joins, uint32_t node, const mc_links *links,
                                   mc_error *error) {
    mc_result result = reserve(joins, links->count, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < links->count; i++)
        joins->links[joins->count++] = mc_frustum_get_link(node, &links->links[i]);
    return MC_OK;
}

mc_result mc_joins_make_group(mc_joins *joins, const mc_group_links *group, mc_error *error) {
    mc_result result = reserve(joins, group->among_count + group->end_count, error);
    if (result != MC_OK) return result;
    for (uint32_t i = 0; i < group->among_count; i++) {
        const mc_link *link = &group->links.links[i];
        joins->stops[joins->count] = i;
        joins->links[joins->count++] = mc_frustum_get_link(link->from, link);
    }
    for (uint32_t i = 0; i < group->end_count; i++) {
        const mc_group_end *end = &group->ends[i];
        joins->stops[joins->count] = end->row;
        joins->links[joins->count++] = mc_frustum_get_link(end->node, &end->link);
    }
    return MC_OK;
}

static const mc_link *find_referrer(const mc_links *links, uint32_t partner) {
    for (uint32_t i = 0; i < links->count; i++) {
        const mc_link *link = &links->links[i];
        if (link->partner == partner && link->direction == MC_LINK_INCOMING) return link;
    }
    return NULL;
}

mc_result mc_joins_make_cause_links(mc_joins *joins, mc_link_finder *finder, uint32_t step,
                                    const uint32_t *stops, uint32_t stop_count, mc_error *error) {
    mc_result result = reserve(joins, stop_count, error);
    for (uint32_t i = 0; result == MC_OK && i + 1 < stop_count; i++) {
        mc_links links = {0};
        result = mc_link_finder_find(finder, step, stops[i], &links, error);
        const mc_link *link = result == MC_OK ? find_referrer(&links, stops[i + 1]) : NULL;
        if (link) {
            joins->stops[joins->count] = i;
            joins->links[joins->count++] = mc_frustum_get_chain_link(stops[i], link);
        }
        mc_links_deinit(&links);
    }
    if (result != MC_OK) mc_joins_deinit(joins);
    return result;
}

mc_result mc_joins_add(mc_joins *joins, const mc_frustum_link *links, const uint32_t *stops,
                       uint32_t count, mc_error *error) {
    size_t all = (size_t)joins->count + count + 1;
    mc_frustum_link *all_links = mc_alloc(all, sizeof *all_links);
    uint32_t *all_stops = mc_alloc_zero(all, sizeof *all_stops);
    if (!all_links || !all_stops) {
        mc_free(all_links);
        mc_free(all_stops);
        return mc_error_out_of_memory(error);
    }
    if (joins->count > 0) {
        memcpy(all_links, joins->links, joins->count * sizeof *links);
        memcpy(all_stops, joins->stops, joins->count * sizeof *stops);
    }
    if (count > 0) {
        memcpy(all_links + joins->count, links, count * sizeof *links);
        memcpy(all_stops + joins->count, stops, count * sizeof *stops);
    }
    uint32_t added = joins->count + count;
    mc_joins_deinit(joins);
    *joins = (mc_joins){all_links, all_stops, added};
    return MC_OK;
}

void mc_joins_deinit(mc_joins *joins) {
    mc_free(joins->links);
    mc_free(joins->stops);
    *joins = (mc_joins){0};
}
