// links.h - what keeps a structure alive and what it keeps alive, at one step: its references,
// summed per partner.
//
// Pure CPU code. A partner is always a leaf. A leaf's links are its pairs of the pointer maps; a
// district's are the sums over its leaves, to leaves outside it. For A -> B, "objects of A" are
// pointed_from and "objects of B" points_to, whichever end the structure is. Threads: any. Source:
// Weninger et al., "Memory Cities", 2020, section IV-E (reference frustums).
#pragma once
#include "engine/trace/trace.h"

typedef enum mc_link_direction {
    MC_LINK_INCOMING, // the partner references the node: it keeps it alive
    MC_LINK_OUTGOING, // the node references the partner
    MC_LINK_DIRECTION_COUNT
} mc_link_direction;

enum {
    MC_LINK_NODE_CLAMPED = 1,    // the input names more objects than the node (a leaf below it) has
    MC_LINK_PARTNER_CLAMPED = 2, // likewise of the partner
    MC_LINK_NODE_UNKNOWN = 4,    // no pointer map tells how many objects of the node are involved
    MC_LINK_PARTNER_UNKNOWN = 8,
    MC_LINK_SELF = 16,           // a leaf's objects reference each other: in both directions
    MC_LINK_PARTNER_AT_MOST = 32 // a sum over several leaves: it may count an object of the
                                 // partner once for each of them
};

// A field that references of a link go through.
typedef struct mc_link_field {
    uint32_t name;  // string of the trace: "Shop.cache"
    bool is_weak;   // does not keep what it references
    uint64_t count; // references; an array has one an element
} mc_link_field;

typedef struct mc_link {
    uint32_t partner; // node index of a leaf
    uint32_t from;    // of several nodes: which one it begins at; MC_NONE: at what was asked for
    mc_link_direction direction;
    uint64_t node_objects;    // objects of the node that the partner references, or that
                              // reference the partner
    uint64_t partner_objects; // the partner's, likewise; both at most what the end has
    double node_share;        // of all objects of that end at this step, 0 to 1
    double partner_share;
    uint32_t flags;
    uint32_t first_field, field_count; // in the links' fields; 0: none is known
} mc_link;

// Zero-initialise, find (link_finder.h), deinit.
typedef struct mc_links {
    mc_link *links; // strongest first: by objects of the node, of the partner, incoming first,
                    // then by partner
    uint32_t count;
    uint32_t clamped_count; // links with a clamped end
    uint64_t node_objects;  // all objects of the node at this step
    bool has_map[2];        // by mc_reference_direction; false: missing at this step, or null
    mc_link_field *fields;  // a link's stand together, the most first
    bool has_fields;        // the step's are known
} mc_links;

// Keeps the `most` strongest ones of the wanted directions. O(links).
void mc_links_filter(mc_links *links, bool incoming, bool outgoing, uint32_t most);

// The strongest link of a direction to a leaf other than the node itself; NULL if there is none.
const mc_link *mc_links_get_strongest(const mc_links *links, mc_link_direction direction);

// The field that most of a link's references go through, strong fields before weak ones; NULL: none
// is known.
const mc_link_field *mc_links_get_field(const mc_links *links, const mc_link *link);

void mc_links_deinit(mc_links *links);
