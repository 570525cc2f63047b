#include "engine/analyze/owners.h"

static bool is_weak_only(const mc_links *links, const mc_link *link) {
    for (uint32_t i = 0; i < link->field_count; i++)
        if (!links->fields[link->first_field + i].is_weak) return false;
    return link->field_count > 0;
}

static bool may_own(const mc_link *link) {
    return link->direction == MC_LINK_INCOMING && !(link->flags & MC_LINK_SELF);
}

// Links come strongest first.
static uint32_t count_most(const mc_links *links, double sum) {
    double reached = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < links->count && reached < MC_OWNERS_MOST * sum; i++) {
        const mc_link *link = &links->links[i];
        if (!may_own(link) || is_weak_only(links, link)) continue;
        reached += (double)link->node_objects;
        count++;
    }
    return count;
}

mc_owners mc_owners_count(const mc_links *links) {
    mc_owners owners = {.strongest = MC_NONE};
    bool is_counted = true;
    double sum = 0;
    owners.is_known = links->has_map[MC_POINTS_TO] || links->has_map[MC_POINTED_FROM];
    for (uint32_t i = 0; i < links->count; i++) {
        const mc_link *link = &links->links[i];
        if (!may_own(link)) continue;
        if (is_weak_only(links, link)) {
            owners.weak_only++;
            continue;
        }
        if (owners.count++ == 0) {
            owners.strongest = link->partner;
            owners.strongest_objects = link->node_objects;
            owners.strongest_share = link->node_share;
        }
        sum += (double)link->node_objects;
        is_counted = is_counted && !(link->flags & MC_LINK_NODE_UNKNOWN);
    }
    if (!is_counted) return (mc_owners){true, owners.count, owners.weak_only, .strongest = MC_NONE};
    owners.most_count = count_most(links, sum);
    return owners;
}
