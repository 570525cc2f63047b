// units.h - what grows together: groups whose objects come and go in fixed proportions, step by
// step, are one thing, many times.
//
// Pure CPU code. A leak is rarely of one class: each session that stays brings its cart, its timer,
// its dates, in the same numbers. Such groups make a unit; its formula says how many objects of
// which group one unit brings: 80,001 x {1 HttpHost, 2 LinkedList}. Only counts over time are
// needed, no references.
//
// Method: increments of objects from step to step, of leaves that move and have grown. A group
// follows a leader if its increments are a multiple of the leader's, but for 3 % of all that it
// moves. The leaders are those with the most followers; a group belongs to the one that it follows
// best. Where objects were sampled (metric "variance"), what sampling may leave is allowed, too.
// The unit's base is the part of which most others are whole multiples. A group that follows nobody
// is a non-negative sum of several units, if that explains 95 % of what it moves (unit_shares.h),
// or stands for itself; a class of the program that keeps growing by itself counts as a unit there.
// In windows of two or three steps any two groups are nearly proportional: there only groups that
// grow by equal numbers, of 100 or more, belong together.
//
// Two leaks that one request causes in a fixed ratio are one unit. A unit is no accusation: whether
// it keeps growing is judged by its base, as every series (trend.h). Threads: any.
#pragma once
#include "engine/analyze/trend.h"

typedef struct mc_unit_part {
    uint32_t node;
    double per_unit; // objects of it that one unit brings
    bool is_shared;  // other units, too, bring objects of the group
    double share;    // of the group's growth: what this unit has brought; 1: its own
    int64_t objects; // likewise
    int64_t bytes;
} mc_unit_part;

typedef struct mc_growth_unit {
    const mc_unit_part *parts; // its own first, fewest per unit first; those it shares behind
    uint32_t part_count, own_count;
    uint32_t base;         // node: the part that counts the units
    uint64_t count;        // units that came in the window
    int64_t bytes;         // of all parts
    int64_t staying_bytes; // … of those units that stay, by the floors of the base (growth.h)
    double variation;      // of increments: standard deviation by mean
    bool is_sampled;       // its objects were: all of it is about so
    mc_trend trend;        // of the base's objects
    const double *grown;   // of the base, objects since the first step, at each of the points
} mc_growth_unit;

// Zero-initialise, find, deinit.
typedef struct mc_units {
    mc_growth_unit *items; // what keeps growing first, then by what stays
    uint32_t count;
    mc_unit_part *parts;                   // of all items
    double *grown;                         // likewise
    uint32_t *steps, point_count;          // the points: the window's steps, or some, evenly spread
    uint32_t mover_count, all_mover_count; // groups that were looked at; that moved and have grown
    int64_t bytes;                         // what the whole heap has grown by; <= 0: it has not
    int64_t own_bytes;                     // of all items
} mc_units;

// Finds the units of what grew from the window's first step to its last. A window of one step has
// none. O(nodes * points), and for n movers and k leaders, of at most 1,024, O((n + k) * k *
// points). On failure `units` is zeroed.
mc_result mc_units_find(const mc_trace *trace, mc_step_range window, const mc_progress *progress,
                        mc_units *units, mc_error *error);
void mc_units_deinit(mc_units *units);

// How many objects of the part, or of the unit's base for NULL, came with the unit from the first
// step to this one, at least 0; between the points, by them. Steps outside of the window count as
// its ends.
double mc_units_get_brought(const mc_units *units, const mc_growth_unit *unit,
                            const mc_unit_part *part, uint32_t step);
// The unit that a node belongs to: the one whose own part it is, or of those that share it the one
// that has brought the most of it; MC_NONE: none. `part`: the node's. O(parts).
uint32_t mc_units_find_part(const mc_units *units, uint32_t node, const mc_unit_part **part);

// The unit whose own part the node is; MC_NONE: there is none. O(parts).
uint32_t mc_units_get_own(const mc_units *units, uint32_t node);
