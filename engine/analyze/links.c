#include "engine/analyze/links.h"

#include "engine/base/memory.h"
#include <string.h>

void mc_links_filter(mc_links *links, bool incoming, bool outgoing, uint32_t most) {
    uint32_t count = 0;
    links->clamped_count = 0;
    for (uint32_t i = 0; i < links->count && count < most; i++) {
        mc_link link = links->links[i];
        if (link.direction == MC_LINK_INCOMING ? !incoming : !outgoing) continue;
        if (link.flags & (MC_LINK_NODE_CLAMPED | MC_LINK_PARTNER_CLAMPED)) links->clamped_count++;
        links->links[count++] = link;
    }
    links->count = count;
}

const mc_link *mc_links_get_strongest(const mc_links *links, mc_link_direction direction) {
    for (uint32_t i = 0; i < links->count; i++)
        if (links->links[i].direction == direction && !(links->links[i].flags & MC_LINK_SELF))
            return &links->links[i];
    return NULL;
}

const mc_link_field *mc_links_get_field(const mc_links *links, const mc_link *link) {
    if (link->field_count == 0) return NULL;
    const mc_link_field *fields = links->fields + link->first_field;
    for (uint32_t i = 0; i < link->field_count; i++)
        if (!fields[i].is_weak) return &fields[i];
    return fields;
}

void mc_links_deinit(mc_links *links) {
    mc_free(links->links);
    mc_free(links->fields);
    memset(links, 0, sizeof *links);
}
