// owner_findings.h - where a heap accumulates: the places of its dominator tree below which what is
// retained falls apart into many alike objects.
//
// Pure CPU code. A window of several steps is judged by what each place retains more than at first:
// from every root the search goes down to the first place whose number of objects grew, if that is
// most of why it retains more; where it is not, to the place whose objects became larger. Whether
// that keeps growing is for growth.h to say. One step is judged by what places retain: the search
// ends where a place has many more objects than the one above, unless few of those hold most of it.
// What piles up is named by the program's class: of the nodes of a map, what each holds. What is
// below a finding belongs to it, and so does what shares its objects with it. Threads: any.
#pragma once
#include "engine/analyze/change_point.h"
#include "engine/analyze/owner_series.h"
#include "engine/analyze/trend.h"

typedef enum mc_owner_finding_kind {
    MC_OWNER_MANY,     // many alike objects; of several steps: ever more
    MC_OWNER_LARGE,    // large objects; of several steps: they become larger
    MC_OWNER_SCATTERED // much that is small
} mc_owner_finding_kind;

typedef struct mc_owner_finding {
    mc_owner_finding_kind kind;
    uint32_t top;     // row: what piles up, as seen from the root: HashMap$Node
    uint32_t content; // row: what is named of it: Session; `top` or below
    uint32_t alike;   // places beside `top` that pile up by the same field, of other classes
    bool is_library;  // the program has no part in it
    uint32_t into;    // MC_NONE, or the top of the larger one that it shares its objects with
    int64_t growth;   // of what it retains, since the first point
    uint64_t retained_bytes;
    int64_t content_growth; // … of what the content alone retains
    int64_t more_objects;   // of the content
    bool is_about;          // … since the first point: not exactly known
    mc_trend trend;         // of what it retains; its points are those of the series
} mc_owner_finding;

// Zero-initialise, find, deinit.
typedef struct mc_owner_findings {
    mc_owner_finding
        *items; // the first `count` by what would be gained, those without the program's part last;
                // up to listed_count those that are part of another
    size_t count, listed_count, capacity;
    size_t all_count;   // with those that are beyond the list, without parts of others
    uint64_t jvm_bytes; // retained by roots that the program has no part in, and no finding tells
} mc_owner_findings;

// O(rows * points). Empty if nothing keeps growing.
mc_result mc_owner_findings_find(const mc_owner_series *series, const mc_trace *trace,
                                 mc_owner_findings *findings, mc_error *error);
// What is above many alike objects that are most of what a group has more than at first, though no
// place of them keeps growing: they move from one to another. `more`: how many the group has more.
// False: they are scattered.
bool mc_owner_findings_locate(const mc_owner_series *series, const mc_trace *trace, uint32_t node,
                              double more, mc_owner_finding *finding);
void mc_owner_findings_deinit(mc_owner_findings *findings);

// What a finding retains at each point; `values` has room for all.
void mc_owner_finding_sum(const mc_owner_series *series, const mc_owner_finding *finding,
                          uint64_t *values);
