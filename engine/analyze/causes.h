// causes.h - why a heap grows, cause by cause: what piles up, since when, how fast, and who keeps
// it alive.
//
// The findings; cause_finder.h finds them. Pure CPU code. Threads: any.
#pragma once
#include "engine/analyze/change_point.h"
#include "engine/analyze/old_objects.h"
#include "engine/analyze/owner_findings.h"
#include "engine/analyze/units.h"
#include "engine/analyze/walk.h"

#define MC_CAUSES_MOST 16
#define MC_CAUSES_MOST_OWNED 6 // that come from owners
#define MC_CAUSE_MOST_BELOW 4
#define MC_CAUSE_MOST_BEGUN 8

// A suspect that is explained by a cause.
typedef struct mc_explained {
    uint32_t node;
    double share; // of its growth
} mc_explained;

// A GC root.
typedef struct mc_cause_root {
    mc_root_kind kind;
    uint32_t name;   // string
    uint64_t count;  // objects that it names at the last step
    bool is_program; // a field or method of the program's own
} mc_cause_root;

// A place on the way from a GC root, as it is at the window's last step.
typedef struct mc_cause_hop {
    uint32_t owner;   // of the trace's
    uint32_t example; // string: one of alike roots; MC_NONE
    uint64_t objects, retained_bytes;
    bool is_library; // its class is the language's
    bool is_part;    // … and what collections are made of
} mc_cause_hop;

// Where a cause accumulates, where the trace knows owners (owner_findings.h).
typedef struct mc_cause_owner {
    mc_cause_hop *hops; // from the root's place down to what piles up; NULL: not known
    uint32_t count;
    uint32_t top;                            // hop: what piles up, as seen from the root
    mc_cause_hop below[MC_CAUSE_MOST_BELOW]; // of the last hop: what lies in it, the most first
    uint32_t below_count;
    mc_owner_finding_kind kind;
    uint32_t alike;         // further classes that pile up by the same field
    bool is_library;        // the program has no part in it
    int64_t more_objects;   // of the last hop, since the window's first step
    bool is_about;          // … or nearly so
    int64_t content_growth; // of what the last hop retains, likewise
    uint64_t retained_bytes;
    bool is_located; // no place keeps growing: this one has most of the group at the last step
    mc_sharers sharers;
} mc_cause_owner;

typedef struct mc_cause {
    uint32_t node;
    mc_cause_owner owner; // with hops: the walk has no stops
    mc_walk walk;         // no stops: nobody knows who holds it, or it is a district
    bool is_unit; // the node stands for whole object graphs that pile up, as walk.h's unit does
    uint32_t unit_index; // of causes.units: the one whose own part the node is; MC_NONE: of none
    mc_trend trend;
    int64_t growth_objects;                     // of the group alone, since the window's first step
    int64_t own_growth;                         // likewise in causes.unit
    int64_t growth;                             // … of it and what it explains
    double growth_per_s;                        // … since `since_step`: Theil-Sen
    double growth_per_s_low, growth_per_s_high; // with MC_SLOPE_CERTAINTY
    uint64_t retained_bytes; // at the window's last step; MC_COUNT_UNKNOWN: the trace does not say
    mc_change_point change;  // of the group; its points are steps of the window
    uint32_t since_step, since_early, since_late; // the same as steps of the trace
    mc_explained *explained; // the suspects besides itself, those that grew the most first
    uint32_t explained_count;
    // What else began then: leaves that nothing was of until since_step, and that stay; those that
    // came to hold the group then.
    uint32_t begun[MC_CAUSE_MOST_BEGUN], begun_count, all_begun_count;
    uint32_t referrers[MC_CAUSE_MOST_BEGUN], referrer_count;
    mc_cause_root roots[MC_CAUSE_MOST_BEGUN]; // that came then, of any leaf
    uint32_t root_count, all_root_count;
} mc_cause;

typedef struct mc_causes_desc {
    mc_metric metric; // in which suspects are found
    mc_step_range window;
} mc_causes_desc;

// Zero-initialise, mc_causes_find(), deinit.
typedef struct mc_causes {
    mc_causes_desc desc;
    mc_suspects suspects; // of the whole heap, and the verdict
    mc_walk largest;      // of one step with references: from what is largest to who holds it
    mc_metric unit; // of growth: bytes, if the trace counts any and no metric of its own is wanted
    mc_units units; // of the window, where anything keeps growing or grew and stopped
    mc_cause *items;
    uint32_t count;
    uint32_t left_out_count; // suspects that were neither followed nor explained, or are of causes
                             // beyond MC_CAUSES_MOST
    uint64_t jvm_bytes;      // of one step: what the JVM keeps by itself, where that is known
    uint64_t heap;           // the last step's total in `unit`
    double heap_per_s;       // what the heap grows by since the earliest cause began: Theil-Sen
    double heap_per_s_low, heap_per_s_high; // with MC_SLOPE_CERTAINTY
    bool is_of_samples;                     // there are no causes, but what old_objects tells
    mc_old_objects old_objects;
} mc_causes;

void mc_cause_deinit(mc_cause *cause);
void mc_causes_deinit(mc_causes *causes);

// What the cause's node comes with; NULL: nothing.
const mc_growth_unit *mc_causes_get_unit(const mc_causes *causes, const mc_cause *cause);

// The cause that the node is, or else one that it is explained by; NULL: none.
const mc_cause *mc_causes_get(const mc_causes *causes, uint32_t node);
// The cause that explains a node, whether it is a cause itself or not, and how much of its growth;
// NULL: none.
const mc_cause *mc_causes_find_explaining(const mc_causes *causes, uint32_t node, double *share);

// A list to show to users: the causes (for one step, the program's class that holds what is
// largest), then all other suspects, each as mc_suspects has it; a cause that is no suspect comes
// with its own growth and trend. Returns the number of entries, at most `most`.
uint32_t mc_causes_list(const mc_causes *causes, mc_suspect *list, uint32_t most);

#define MC_SECONDS_NEVER (-1.0)    // it does not grow
#define MC_SECONDS_NOT_SURE (-2.0) // its rate is not known well enough, or not that it grows

// Seconds from the last step until the heap reaches `limit` at the current rate; 0: it already has;
// < 0: one of the above. The rate is known if the highest that it may be is at most
// MC_SURE_RATES times the lowest.
#define MC_SURE_RATES 3.0
double mc_causes_get_seconds_left(const mc_causes *causes, uint64_t limit);
