// step_owners.h - who owns a step's heap: its dominator tree, merged by fields and classes.
//
// An owner is a place in that tree: objects of one class that the objects of the place above
// reference by one field. Objects that only one object keeps alive are below it, so what the places
// without a parent retain adds up to all that is reachable. Static fields, threads and other GC
// roots are such places. So are objects that several owners keep alive together: their ways say by
// which. Chains of alike objects (HashMap$Node.next) are one place. Places are shared by all steps;
// a step says how many objects each has and what they retain, for those that retain more than a
// small share of the heap or did so at an earlier step. What the others retain is part of what
// their parents do, and, without a parent, of the rest of their kind of root.
//
// An importer that knows them fills it; mc_trace_builder reads it. Nodes are those of the step's
// tree (step_tree.h). Reused from step to step: reset keeps the memory. Threads: one object serves
// one thread at a time.
#pragma once
#include "engine/trace/step_referrers.h"

#define MC_OWNER_SHARED MC_ROOT_COUNT // in place of a root: several owners reference the objects

// The class of an owner without parent and field: what is left out of the others of its root.
#define MC_OWNERS_REST_CLASS "(several)"

typedef struct mc_owner {
    uint32_t parent; // owner, of a lower number; MC_NONE: a GC root, or MC_OWNER_SHARED
    uint32_t root;   // mc_root_kind, of those without parent, or MC_OWNER_SHARED; else 0
    // String: by which the parent references them ("Shop.cache"); the root in words ("static
    // com.acme.Shop.cache", "thread \"worker-#\""). MC_NONE: the parent keeps them alive by several
    // ways at once.
    uint32_t field;
    uint32_t class; // string: "java.util.HashMap"
    uint32_t place; // node: the smallest group with all of these objects; MC_NONE: not known
} mc_owner;

// What is at one place at a step.
typedef struct mc_owner_sum {
    uint32_t owner;
    uint32_t example;          // string: one of alike roots ("thread \"worker-3\""); MC_NONE
    uint64_t objects;          // at the place itself
    uint64_t retained_objects; // with all below
    uint64_t retained_bytes;
    uint64_t program_objects; // of those retained: of classes that are the program's own
} mc_owner_sum;

// Of objects that `owner` has and that `from` (an owner, or what is below it) references by
// `field`. Only of places that the parent does not reference itself; the most references first.
typedef struct mc_owner_way {
    uint32_t owner, from;
    uint32_t field;      // string
    uint64_t references; // at this step
} mc_owner_way;

typedef struct mc_step_owners {
    int64_t time_ms;
    mc_strings names;
    mc_owner *owners;   // each behind its parent; no two are the same in all but `place`
    mc_owner_sum *sums; // in any order, one an owner; if an owner has one, so has its parent
    mc_owner_way *ways; // in any order
    size_t owner_count, sum_count, way_count, owner_capacity, sum_capacity, way_capacity;
} mc_step_owners;

void mc_step_owners_reset(mc_step_owners *owners);
void mc_step_owners_deinit(mc_step_owners *owners);

// False if memory is out.
bool mc_step_owners_add(mc_step_owners *owners, mc_owner owner);
bool mc_step_owners_add_sum(mc_step_owners *owners, mc_owner_sum sum);
bool mc_step_owners_add_way(mc_step_owners *owners, mc_owner_way way);
