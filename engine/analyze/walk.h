// walk.h - walks from a symptom of a leak to its cause: up the strongest references, stop by stop.
//
// Pure CPU code. Source: the walk that a user does by hand in Weninger et al., "Memory Cities",
// 2020, section V (char[] <- String <- Person <- LinkedList$Node <- LinkedList), and "automatic
// leak detection" in the future work of the 2022 thesis on the online tool.
//
// The rule. The walk starts at the first suspect (suspects.h), or at a class loader if loaders and
// classes keep growing together; if nothing keeps growing there is no walk; for a single step it
// starts at the largest leaf. From each stop it goes on to the partner that references most of the
// objects by which the stop grew (if the stop did not grow: most of all its objects). It avoids,
// unless nothing else is left, partners that the walk has passed, partners referenced by nothing
// but passed stops (mirrors: a list's nodes that point back at the list), and partners of which
// many objects share few of the stop's (back pointers). From companions, which reference each
// other, it goes on to the referrer outside of them. Objects referenced by the stop's own class
// (the nodes of a linked list) count for whatever references the first of them.
//
// References are known between classes only. So if the walk's objects are few of their class (1 of
// 740 Object[]), the referrers of that class tell nothing about them, unless a referrer has so many
// that those must be among them; otherwise the walk ends there. A partner must reference a quarter
// of the growth, also when the shares of all links so far are multiplied; four fifths for a stop
// that does not grow (half for a single step). Where no partner has half of it, the walk ends: it
// is not known who holds the most.
//
// A stop grows with the leak if ever more of its objects reference the previous stop, not much
// fewer than its share suggests, and if that is most of its own growth. If the same few objects
// reference ever more, the walk has reached the container: a referrer. The cause is the last stop
// that grows and is neither a class of the language's library (containers hold whatever they are
// given; this is decided by name, as no number tells a map's entry from an entry of the program)
// nor the companion of one. Growing stops above the cause are the container's inside, stops below
// it are symptoms. If no link leads to the program's classes, the walk starts once more at the
// first suspect among those. In addition, leaves of the program that keep growing by exactly the
// same number indicate whole object graphs that pile up, one of each at a time: the unit.
//
// From the last stop, where only classes tell what references it, the step's fields and GC roots
// lead to a root, if they are known: the trail (root_path.h). Threads: any; one walk in one thread.
#pragma once
#include "engine/analyze/links.h"
#include "engine/analyze/root_path.h"
#include "engine/analyze/suspects.h"
#include "engine/analyze/walk_unit.h"

typedef enum mc_walk_verdict {
    MC_WALK_SYMPTOM,   // grows because the stop after it does
    MC_WALK_CAUSE,     // what piles up
    MC_WALK_CONTAINER, // grows with the cause: the inside of what holds it
    MC_WALK_HOLDER,    // does not grow, or not with the leak, but holds what was passed
    MC_WALK_LARGEST    // of one step: what takes the most
} mc_walk_verdict;

typedef enum mc_walk_end {
    MC_WALK_END_ROOT,         // nothing references the last stop: it is a GC root's
    MC_WALK_END_CYCLE,        // nothing but stops of the walk, and what they alone hold
    MC_WALK_END_SCATTERED,    // many hold a little of it each
    MC_WALK_END_LIMIT,        // MC_WALK_MOST_STOPS
    MC_WALK_END_NO_MAP,       // the trace has no references at this step
    MC_WALK_END_NOTHING_GREW, // no start: there are no stops
    MC_WALK_END_INSTANCES,    // which of the last stop's objects hold the walk's is not known
    MC_WALK_END_LOADER,       // a class loader: whatever it loaded references it
    MC_WALK_END_LARGER        // its objects become larger, not more: which ones is not known
} mc_walk_end;

#define MC_WALK_MOST_STOPS 24
#define MC_WALK_OTHER_COUNT 3

typedef struct mc_walk_stop {
    uint32_t node;
    mc_walk_verdict verdict;
    bool is_library;          // of the language's library, an array, or primitive
    bool is_companion;        // it and the stop before hold each other
    uint64_t objects;         // at the step
    int64_t growth;           // in objects since the window's first step
    int64_t metric_growth;    // likewise in the walk's metric
    mc_link link;             // to the next stop, which holds this one; partner MC_NONE: the last
    int64_t link_growth;      // by how many more objects of this stop it holds than at first
    uint64_t first_referrers; // how many objects of the next stop held some of this one at first
    double share; // of this stop's growth that the next one holds, of a stop that does not
                  // grow of its objects, its own class's apart; 0 to 1
    bool share_is_of_growth;
    uint32_t field; // string: by which most of the next stop's references go; MC_NONE: not known
    uint64_t field_references; // how many do
    uint32_t field_count;      // fields that there are
    double carried_share; // of this stop's objects, or of its growth, that hold the stop before;
                          // the first: 1
} mc_walk_stop;

// One of several owners that keep the same objects alive: they go when all of them let go.
typedef struct mc_sharer {
    uint32_t owner; // of the trace's, that references them
    uint32_t root;  // owner: from which that is held
    uint32_t field; // string
    uint64_t references;
} mc_sharer;

#define MC_SHARERS_MOST 4

// One of each root, the most references first.
typedef struct mc_sharers {
    mc_sharer items[MC_SHARERS_MOST];
    uint32_t count, all_count; // 0: the trace does not say who they are
} mc_sharers;

typedef struct mc_walk_desc {
    mc_metric metric; // of the growth that says where to start
    mc_step_range window;
    uint32_t step;      // whose references are followed; in the window
    uint32_t from_node; // MC_NONE: the first suspect; a district: its first suspect; a leaf:
                        // itself, whether it grows or not
} mc_walk_desc;

// Zero-initialise, compute, deinit.
typedef struct mc_walk {
    mc_walk_desc desc;
    mc_suspects suspects; // the verdict, of the heap or of what is below from_node
    mc_walk_stop *stops;  // from the symptom upward
    uint32_t count;
    uint32_t cause_index; // MC_NONE: nothing keeps growing, or there are no references to go on
    mc_walk_end end;
    mc_link others[MC_WALK_OTHER_COUNT]; // who holds the last stop, the strongest ones, if many do
    uint32_t other_count;                // or only what was passed
    mc_root_path trail; // from the last stop to a GC root, where the step's fields are known
    bool is_owned;      // the stops are places of a cause's owner: of the first alone the growth is
                        // known, and the trail is the root
    bool is_shared;     // of such a walk: several owners keep the last stop's objects alive
    mc_sharers sharers; // … these
    int64_t class_growth; // of a leak of class loaders: of java.lang.Class; else 0
    mc_walk_unit unit;
} mc_walk;

// O(nodes + references of the step and of the window's first step + what suspects take), then
// O(links) a stop. On failure `walk` is zeroed.
mc_result mc_walk_compute(const mc_trace *trace, const mc_walk_desc *desc, mc_walk *walk,
                          mc_error *error);
void mc_walk_deinit(mc_walk *walk);

// The stop that answers the question: the cause; for a single step, the program's first class that
// holds the largest leaf; else the first stop. 0: there are no stops.
uint32_t mc_walk_get_found(const mc_walk *walk);

// Whether the trail leads from a GC root to what was found, and not by weak references alone.
bool mc_walk_knows_way(const mc_walk *walk);

// Runs several walks of one metric, window and step; shared data is read once.
typedef struct mc_walker mc_walker;

// Finds the heap's suspects; from_node is ignored. `progress` may be NULL. Costs as much as a walk.
mc_result mc_walker_create(const mc_trace *trace, const mc_walk_desc *desc,
                           const mc_progress *progress, mc_walker **self, mc_error *error);
void mc_walker_destroy(mc_walker *self); // NULL is fine
const mc_suspects *mc_walker_get_suspects(const mc_walker *self);
int64_t mc_walker_get_object_growth(const mc_walker *self, uint32_t node); // over the window
// Walks from that suspect; MC_NONE: from where mc_walk_compute() starts by default. O(links) per
// stop. `walk` is zeroed or holds an earlier one; on failure it is zeroed.
mc_result mc_walker_walk(mc_walker *self, uint32_t suspect_index, mc_walk *walk, mc_error *error);
// Finds walk->trail for a walk made by mc_walker_walk(), which leaves the trail empty.
mc_result mc_walker_find_root_path(mc_walker *self, mc_walk *walk, mc_error *error);
