#include "engine/analyze/group_links.h"

#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

typedef struct gathering {
    mc_group_links *group;
    const mc_node_columns *nodes;
    const uint32_t *members;
    uint32_t count;
    uint32_t *rows;  // of a partner and a direction: the link that all have together, or MC_NONE
    mc_link *among;  // from each to each
    size_t capacity; // of the group's ends
} gathering;

// The member that a node is, or lies in; MC_NONE: none.
static uint32_t find_member(const gathering *g, uint32_t node) {
    for (uint32_t at = node; at != MC_NONE; at = g->nodes->parent[at])
        for (uint32_t i = 0; i < g->count; i++)
            if (g->members[i] == at) return i;
    return MC_NONE;
}

static uint32_t *get_row(const gathering *g, const mc_link *link) {
    return &g->rows[(size_t)link->partner * MC_LINK_DIRECTION_COUNT + link->direction];
}

static void add_among(gathering *g, uint32_t from, uint32_t to, const mc_link *link) {
    mc_link *sum = &g->among[(size_t)from * g->count + to];
    if (sum->partner != MC_NONE) sum->flags |= MC_LINK_PARTNER_AT_MOST;
    sum->from = g->members[from];
    sum->partner = g->members[to];
    sum->direction = MC_LINK_OUTGOING;
    sum->flags |= link->flags & ~(uint32_t)MC_LINK_SELF;
    sum->node_objects = mc_add_saturating(sum->node_objects, link->node_objects);
    sum->partner_objects = mc_add_saturating(sum->partner_objects, link->partner_objects);
}

static bool add_end(gathering *g, uint32_t member, const mc_link *link) {
    mc_group_links *group = g->group;
    uint32_t row = *get_row(g, link);
    if (row == MC_NONE) return true;
    if (!mc_reserve(&group->ends, &g->capacity, (size_t)group->end_count + 1, sizeof *group->ends))
        return false;
    group->ends[group->end_count++] = (mc_group_end){g->members[member], row, *link};
    return true;
}

static bool add_links(gathering *g, uint32_t member, const mc_links *links) {
    uint32_t parent = g->nodes->parent[g->members[member]];
    bool is_inner = parent != MC_NONE && find_member(g, parent) != MC_NONE;
    for (uint32_t i = 0; i < links->count; i++) {
        const mc_link *link = &links->links[i];
        uint32_t other = find_member(g, link->partner);
        if (other != MC_NONE && other != member) {
            if (link->direction == MC_LINK_OUTGOING) add_among(g, member, other, link);
        } else if (!is_inner && other == MC_NONE && !add_end(g, member, link)) {
            return false;
        }
    }
    return true;
}

static void set_shares(mc_link *link, uint64_t node_objects, uint64_t partner_objects) {
    if (link->node_objects > node_objects) link->node_objects = node_objects;
    if (link->partner_objects > partner_objects) link->partner_objects = partner_objects;
    if (node_objects > 0) link->node_share = (double)link->node_objects / (double)node_objects;
    if (partner_objects > 0)
        link->partner_share = (double)link->partner_objects / (double)partner_objects;
}

static int compare(const void *a, const void *b) {
    const mc_link *x = a, *y = b;
    if (x->node_objects != y->node_objects) return x->node_objects > y->node_objects ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->partner > y->partner) - (x->partner < y->partner);
}

// What they have among each other goes before the rest.
static bool put_among(gathering *g, const uint64_t *objects) {
    mc_group_links *group = g->group;
    mc_links *links = &group->links;
    uint32_t count = 0, all = g->count * g->count;
    for (uint32_t i = 0; i < all; i++) {
        if (g->among[i].partner == MC_NONE) continue;
        g->among[count] = g->among[i];
        set_shares(&g->among[count++], objects[i / g->count], objects[i % g->count]);
    }
    mc_link *together = mc_alloc((size_t)links->count + count + 1, sizeof *together);
    if (!together) return false;
    if (count > 1) qsort(g->among, count, sizeof *g->among, compare);
    memcpy(together, g->among, count * sizeof *together);
    if (links->count > 0) memcpy(together + count, links->links, links->count * sizeof *together);
    mc_free(links->links);
    links->links = together;
    links->count += count;
    group->among_count = count;
    group->total_count += count;
    group->filtered_count += count;
    for (uint32_t i = 0; i < group->end_count; i++)
        group->ends[i].row += count;
    return true;
}

static mc_result gather(gathering *g, mc_link_finder *finder, uint32_t step, bool is_shown,
                        mc_error *error) {
    mc_result result = MC_OK;
    uint64_t *objects = mc_alloc_zero(g->count, sizeof *objects);
    if (!objects) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < g->count && result == MC_OK; i++) {
        mc_links links = {0};
        result = mc_link_finder_find(finder, step, g->members[i], &links, error);
        objects[i] = links.node_objects;
        if (result == MC_OK && !add_links(g, i, &links)) result = mc_error_out_of_memory(error);
        mc_links_deinit(&links);
    }
    if (result == MC_OK && is_shown && !put_among(g, objects))
        result = mc_error_out_of_memory(error);
    mc_free(objects);
    return result;
}

mc_result mc_group_links_find(mc_group_links *group, mc_link_finder *finder, const mc_trace *trace,
                              uint32_t step, const uint32_t *nodes, uint32_t count, bool incoming,
                              bool outgoing, uint32_t most, mc_error *error) {
    mc_group_links_deinit(group);
    gathering g = {
        .group = group, .nodes = mc_trace_get_nodes(trace), .members = nodes, .count = count};
    size_t row_count = (size_t)g.nodes->count * MC_LINK_DIRECTION_COUNT;
    mc_result result = mc_link_finder_find_of(finder, step, nodes, count, &group->links, error);
    if (result != MC_OK) return result;
    group->total_count = group->links.count;
    mc_links_filter(&group->links, incoming, outgoing, UINT32_MAX);
    group->filtered_count = group->links.count;
    mc_links_filter(&group->links, true, true, most);
    g.rows = mc_alloc(row_count, sizeof *g.rows);
    g.among = mc_alloc_zero((size_t)count * count + 1, sizeof *g.among);
    if (g.rows && g.among) {
        memset(g.rows, 0xff, row_count * sizeof *g.rows);
        for (uint32_t i = 0; i < group->links.count; i++)
            *get_row(&g, &group->links.links[i]) = i;
        for (uint32_t i = 0; i < count * count; i++)
            g.among[i].partner = MC_NONE;
        result = gather(&g, finder, step, incoming || outgoing, error);
    } else {
        result = mc_error_out_of_memory(error);
    }
    mc_free(g.rows);
    mc_free(g.among);
    if (result != MC_OK) mc_group_links_deinit(group);
    return result;
}

void mc_group_links_deinit(mc_group_links *group) {
    mc_links_deinit(&group->links);
    mc_free(group->ends);
    *group = (mc_group_links){0};
}
