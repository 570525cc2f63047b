// frustum.h - references as frustums from roof to roof: their ends, arcs and shapes on the CPU, and
// ray picking.
//
// An end lies on a building's roof at its current height, raised by the radius there so that the
// frustum rests on it. It is at the roof's edge towards the partner, to the right of the line
// between the two for one direction, to the left for the other. A district's end lies
// above the centre of its plot, at the current height of its tallest building, which counts as the
// district's height. Radius at an end: height / 2 * 0.175 * the share of the end's objects that is
// involved. shaders/frustum.vert does the same with the boxes on the GPU, but makes both radii as
// many times smaller or larger as keeps the thicker end within some pixels.
//
// Where three or more go the same way from one structure, or to it, they are a bundle: there all
// run in its direction, and part on their way. Threads: any.
#pragma once
#include "engine/analyze/links.h"
#include "engine/city/pick.h"

// What a frustum shows: a reference between two nodes, from the referencing one to the other.
typedef struct mc_frustum_link {
    uint32_t from_node, to_node;
    float from_share, to_share; // of the end's objects, 0 to 1; of a street, how wide it is
    uint32_t kind;              // MC_FRUSTUM_*
    bool is_from_marker;        // from_node is a marker (markers.h); all MC_FRUSTUM_ROOT are
} mc_frustum_link;

// One of `node`'s links.
mc_frustum_link mc_frustum_get_link(uint32_t node, const mc_link *link);
// The same as a part of a walk's chain: slimmer, so that it does not hide the buildings along it.
mc_frustum_link mc_frustum_get_chain_link(uint32_t node, const mc_link *link);

// A street between two nodes, flat on the ground: `share` of the widest one.
mc_frustum_link mc_frustum_get_street(uint32_t from, uint32_t to, double share, bool is_new);

typedef enum mc_frustum_arcs {
    MC_FRUSTUM_ARCS_NONE,   // all are straight
    MC_FRUSTUM_ARCS_NEEDED, // arcs where a straight one would cut through a building, as flat as
                            // can be; where not even a steep one is free, some arc
    MC_FRUSTUM_ARCS_ALL,
} mc_frustum_arcs;

// The frustums of links in a city. Zero-initialise, make, deinit.
typedef struct mc_frustums {
    mc_frustum *items; // in the order of the links; `link` says which of them
    uint32_t count;
    // Links without a frustum: with an end that has no value at this step; with an end outside the
    // part of the heap that the city shows; within one structure.
    uint32_t undrawn_count, outside_count, inside_count;
    uint32_t hidden_end_count; // ends that the child limit hides: the district that hides them
                               // stands for them, as thin as can be seen
} mc_frustums;

// Makes the frustums of links. Their shapes follow `params` between the counts `from` and `to`,
// columns over buildings; `to` decides whether a frustum is drawn. Replaces what `frustums` held;
// on failure it is empty. O(links * log) plus O(buildings) once for every district that is an end,
// and some microseconds per link for arcs that must avoid buildings, which several threads of its
// own look for where links are many. Straight ones (MC_FRUSTUM_ARCS_NONE) are in no bundles.
mc_result mc_frustums_make(mc_frustums *frustums, const mc_city *city, const mc_node_columns *nodes,
                           const mc_update_params *params, const uint64_t *from, const uint64_t *to,
                           const mc_frustum_link *links, uint32_t count, mc_frustum_arcs arcs,
                           mc_error *error);
void mc_frustums_deinit(mc_frustums *frustums);

// Emphasises the frustums of one link and fades the others; MC_NONE: all are alike.
void mc_frustums_emphasise(mc_frustums *frustums, uint32_t link);

// The shape of a frustum now. Between its ends the radius changes evenly; its middle is moved by
// `bow` from where it were straight.
typedef struct mc_frustum_shape {
    vec3 from, to; // world units
    float from_radius, to_radius;
    vec3 bow; // world units
    bool is_drawn;
} mc_frustum_shape;

mc_frustum_shape mc_frustum_get_shape(const mc_city *city, const mc_update_params *params,
                                      const uint64_t *from, const uint64_t *to,
                                      const mc_frustum *frustum);
// As it is drawn for an eye: its thicker end has a radius from `least` to `most`, shares of its
// distance, and the other one as many times more or less as before. Streets are drawn as they are.
void mc_frustum_shape_bound(mc_frustum_shape *shape, const float eye[3], float least, float most);
// A point of its middle line, `at` from 0 to 1.
void mc_frustum_shape_get_point(const mc_frustum_shape *shape, float at, vec3 point);

typedef struct mc_frustum_hit {
    uint32_t frustum; // index; MC_NONE: the ray meets none
    float distance;   // in lengths of the ray's direction
} mc_frustum_hit;

// The first frustum that the ray hits, ignoring buildings in between. `least_radius`: how far
// beside a thin one still counts, as a share of the distance (some pixels), `most_radius` likewise
// how thick one is drawn at most. O(frustums).
mc_frustum_hit mc_frustums_pick(const mc_frustums *frustums, const mc_city *city,
                                const mc_update_params *params, const uint64_t *from,
                                const uint64_t *to, mc_ray ray, float least_radius,
                                float most_radius);
