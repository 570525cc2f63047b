#include "engine/analyze/link_finder.h"

#include "engine/analyze/link_finder_state.h"
#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/base/radix.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void mc_link_finder_destroy(mc_link_finder *finder) {
    if (!finder) return;
    mc_reference_rows_deinit(&finder->references);
    mc_link_finder_forget_fields(finder);
    mc_free(finder->objects);
    mc_free(finder->from_first);
    mc_free(finder->to_first);
    mc_free(finder->by_to);
    mc_free(finder->slot);
    mc_free(finder->regions);
    mc_free(finder->bounds);
    mc_free(finder);
}

mc_result mc_link_finder_create(const mc_trace *trace, mc_link_finder **finder, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    *finder = NULL;
    mc_link_finder *self = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->trace = trace;
    self->step = MC_NONE;
    self->objects = mc_alloc(nodes->count, sizeof *self->objects);
    self->slot = mc_alloc(nodes->count, sizeof *self->slot);
    if (!self->objects || !self->slot) {
        mc_link_finder_destroy(self);
        return mc_error_out_of_memory(error);
    }
    memset(self->slot, 0xff, nodes->count * sizeof *self->slot);
    *finder = self;
    return MC_OK;
}

// ---- a step

static bool sort_pairs(mc_link_finder *self) {
    const mc_reference_rows *all = &self->references;
    uint32_t node_count = mc_trace_get_nodes(self->trace)->count;
    mc_row_numbers from = {all->items, sizeof *all->items, offsetof(mc_reference, from),
                           all->count};
    mc_row_numbers to = from;
    to.offset = offsetof(mc_reference, to);
    mc_free(self->from_first);
    mc_free(self->to_first);
    mc_free(self->by_to);
    self->from_first = mc_find_firsts(from, node_count);
    self->to_first = mc_find_firsts(to, node_count);
    self->by_to = self->to_first ? mc_find_order(to, self->to_first, node_count) : NULL;
    return self->from_first && self->by_to;
}

// A null map is given but says nothing: where the other one knows of references, its numbers are
// missing and not 0.
static void note_maps(mc_link_finder *self) {
    const mc_reference_rows *r = &self->references;
    uint32_t directions = mc_trace_get_step(self->trace, self->step)->directions;
    bool has_count[2] = {r->count == 0, r->count == 0};
    for (uint32_t i = 0; i < r->count; i++) {
        has_count[MC_POINTS_TO] |= r->items[i].points_to > 0;
        has_count[MC_POINTED_FROM] |= r->items[i].pointed_from > 0;
    }
    for (int map = 0; map < 2; map++)
        self->has_map[map] = (directions >> map & 1) != 0 && has_count[map];
}

static mc_result load_step(mc_link_finder *self, uint32_t step, mc_error *error) {
    if (self->step == step) return MC_OK;
    self->step = MC_NONE;
    mc_result result = mc_trace_read_references(self->trace, step, &self->references, error);
    if (result == MC_OK)
        result = mc_trace_read_column(self->trace, step, MC_METRIC_OBJECTS, self->objects, error);
    if (result != MC_OK) return result;
    if (!sort_pairs(self)) return mc_error_out_of_memory(error);
    result = mc_link_finder_load_fields(self, step, error);
    if (result != MC_OK) return result;
    self->step = step;
    note_maps(self);
    return MC_OK;
}

// ---- what is below a node

// Nodes are in breadth-first order, so what is below one is a range on every level.
static bool add_region(mc_link_finder *self, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    size_t first_bound = 0;
    if (!mc_reserve(&self->regions, &self->region_capacity, (size_t)self->region_count + 1,
                    sizeof *self->regions))
        return false;
    if (self->region_count > 0) {
        const mc_link_region *last = &self->regions[self->region_count - 1];
        first_bound = last->first_bound + (size_t)2 * (last->levels - last->least_level);
    }
    size_t most = first_bound + 2 * ((size_t)nodes->depth + 1);
    if (!mc_reserve(&self->bounds, &self->bound_capacity, most, sizeof *self->bounds)) return false;
    uint32_t begin = node, end = node + 1, level = nodes->level[node];
    uint32_t *bounds = self->bounds + first_bound;
    while (begin < end) {
        *bounds++ = begin;
        *bounds++ = end;
        level++;
        uint32_t next_begin = 0, next_end = 0;
        for (uint32_t i = begin; i < end; i++) {
            if (nodes->child_count[i] == 0) continue;
            if (next_end == 0) next_begin = nodes->first_child[i];
            next_end = nodes->first_child[i] + nodes->child_count[i];
        }
        begin = next_begin;
        end = next_end;
    }
    self->regions[self->region_count++] = (mc_link_region){nodes->level[node], level, first_bound};
    return true;
}

// A node in another one of them is below it already.
static bool find_below(mc_link_finder *self, const uint32_t *all, uint32_t count,
                       uint64_t *objects) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    self->region_count = 0;
    *objects = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_inner = false;
        for (uint32_t k = 0; k < count && !is_inner; k++) {
            uint32_t up = k < i && all[k] == all[i] ? all[i] : nodes->parent[all[i]];
            while (up != MC_NONE && up != all[k])
                up = nodes->parent[up];
            is_inner = up != MC_NONE;
        }
        if (is_inner) continue;
        if (!add_region(self, all[i])) return false;
        *objects += self->objects[all[i]];
    }
    return true;
}

// ---- gathering

typedef struct gathering {
    mc_link_finder *finder;
    mc_links *links;
    size_t capacity;
    uint32_t node; // the only one; MC_NONE: they are several
    mc_link_direction direction;
} gathering;

// Numbers of one pair, as seen from the leaf at the node's end.
typedef struct sighting {
    uint32_t leaf, partner;
    uint64_t leaf_objects, partner_objects;
} sighting;

static uint64_t clamp(uint64_t objects, uint64_t most, uint32_t flag, uint32_t *flags) {
    if (objects <= most) return objects;
    *flags |= flag;
    return most;
}

static mc_link *find_or_add(gathering *g, uint32_t partner) {
    uint32_t *slot = &g->finder->slot[partner];
    mc_links *links = g->links;
    if (*slot != MC_NONE) {
        links->links[*slot].flags |= MC_LINK_PARTNER_AT_MOST;
        return &links->links[*slot];
    }
    if (!mc_reserve(&links->links, &g->capacity, (size_t)links->count + 1, sizeof *links->links))
        return NULL;
    *slot = links->count++;
    links->links[*slot] = (mc_link){.partner = partner, .from = MC_NONE, .direction = g->direction};
    return &links->links[*slot];
}

static bool add_pair(gathering *g, sighting seen) {
    const mc_link_finder *finder = g->finder;
    // Inner references of a district, or of several nodes, are nobody else's business.
    if (seen.leaf != g->node && mc_link_finder_is_below(finder, seen.partner)) return true;
    mc_link *link = find_or_add(g, seen.partner);
    if (!link) return false;
    if (seen.leaf == seen.partner) link->flags |= MC_LINK_SELF;
    uint64_t node_objects =
        clamp(seen.leaf_objects, finder->objects[seen.leaf], MC_LINK_NODE_CLAMPED, &link->flags);
    uint64_t partner_objects = clamp(seen.partner_objects, finder->objects[seen.partner],
                                     MC_LINK_PARTNER_CLAMPED, &link->flags);
    link->node_objects = mc_add_saturating(link->node_objects, node_objects);
    link->partner_objects = mc_add_saturating(link->partner_objects, partner_objects);
    return true;
}

static bool add_leaf(gathering *g, uint32_t leaf) {
    const mc_link_finder *finder = g->finder;
    const mc_reference_rows *r = &finder->references;
    if (g->direction == MC_LINK_OUTGOING) {
        for (uint32_t i = finder->from_first[leaf]; i < finder->from_first[leaf + 1]; i++)
            if (!add_pair(g, (sighting){leaf, r->items[i].to, r->items[i].pointed_from,
                                        r->items[i].points_to}))
                return false;
        return true;
    }
    for (uint32_t k = finder->to_first[leaf]; k < finder->to_first[leaf + 1]; k++) {
        uint32_t i = finder->by_to[k];
        if (!add_pair(g, (sighting){leaf, r->items[i].from, r->items[i].points_to,
                                    r->items[i].pointed_from}))
            return false;
    }
    return true;
}

static bool add_leaves(gathering *g) {
    const mc_link_finder *finder = g->finder;
    const mc_node_columns *nodes = mc_trace_get_nodes(finder->trace);
    for (uint32_t i = 0; i < finder->region_count; i++) {
        const mc_link_region *region = &finder->regions[i];
        const uint32_t *bounds = finder->bounds + region->first_bound;
        for (uint32_t level = region->least_level; level < region->levels; level++, bounds += 2)
            for (uint32_t node = bounds[0]; node < bounds[1]; node++)
                if (nodes->child_count[node] == 0 && !add_leaf(g, node)) return false;
    }
    return true;
}

// Both directions in turn. The slots are all free afterwards.
static bool gather(gathering *g) {
    bool ok = true;
    for (int direction = 0; direction < MC_LINK_DIRECTION_COUNT && ok; direction++) {
        uint32_t first = g->links->count;
        g->direction = (mc_link_direction)direction;
        ok = add_leaves(g);
        for (uint32_t i = first; i < g->links->count; i++)
            g->finder->slot[g->links->links[i].partner] = MC_NONE;
    }
    return ok;
}

static double share_of(uint64_t objects, uint64_t all) {
    return all > 0 ? (double)objects / (double)all : 0;
}

// What is known only when everything was added.
static void complete(const mc_link_finder *finder, mc_links *links, mc_link *link) {
    bool is_outgoing = link->direction == MC_LINK_OUTGOING;
    int node_map = is_outgoing ? MC_POINTED_FROM : MC_POINTS_TO;
    uint64_t objects = finder->objects[link->partner];
    if (!links->has_map[node_map]) link->flags |= MC_LINK_NODE_UNKNOWN;
    if (!links->has_map[1 - node_map]) link->flags |= MC_LINK_PARTNER_UNKNOWN;
    // A sum that counts objects more than once is no news of the input.
    if (link->partner_objects > objects) link->partner_objects = objects;
    if (link->node_objects > links->node_objects) link->node_objects = links->node_objects;
    link->node_share = share_of(link->node_objects, links->node_objects);
    link->partner_share = share_of(link->partner_objects, objects);
    if (link->flags & (MC_LINK_NODE_CLAMPED | MC_LINK_PARTNER_CLAMPED)) links->clamped_count++;
}

static int compare_links(const void *a, const void *b) {
    const mc_link *x = a, *y = b;
    if (x->node_objects != y->node_objects) return x->node_objects > y->node_objects ? -1 : 1;
    if (x->partner_objects != y->partner_objects)
        return x->partner_objects > y->partner_objects ? -1 : 1;
    if (x->direction != y->direction) return x->direction < y->direction ? -1 : 1;
    return x->partner < y->partner ? -1 : x->partner > y->partner;
}

mc_result mc_link_finder_find(mc_link_finder *finder, uint32_t step, uint32_t node, mc_links *links,
                              mc_error *error) {
    return mc_link_finder_find_of(finder, step, &node, 1, links, error);
}

mc_result mc_link_finder_find_of(mc_link_finder *finder, uint32_t step, const uint32_t *nodes,
                                 uint32_t count, mc_links *links, mc_error *error) {
    mc_links_deinit(links);
    mc_result result = load_step(finder, step, error);
    if (result != MC_OK) return result;
    memcpy(links->has_map, finder->has_map, sizeof links->has_map);
    gathering g = {.finder = finder, .links = links, .node = count == 1 ? nodes[0] : MC_NONE};
    if (!find_below(finder, nodes, count, &links->node_objects) || !gather(&g)) {
        mc_links_deinit(links);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < links->count; i++)
        complete(finder, links, &links->links[i]);
    if (links->count > 1) qsort(links->links, links->count, sizeof *links->links, compare_links);
    result = mc_link_finder_fill_fields(finder, links, error);
    if (result != MC_OK) mc_links_deinit(links);
    return result;
}
