// owner_places.h - the places of owners (step_owners.h) that a heap's objects are at, all of them,
// with what is at each and below.
//
// A place is told apart by its parent, or its root, and by the texts of field and class. Chains are
// one place: objects that are not elements and have the class of the place above (which no GC root
// names) belong there, and those whose field and class a place a little above has, there. Beyond
// 2^20 places, objects belong to the place above. Memory: 104 bytes a place. One pass over the
// dominator tree. Threads: one.
#pragma once
#include "engine/heap/owner_facts.h"

// What is at a place, and with all below.
typedef struct mc_owner_count {
    uint64_t objects; // at the place itself
    mc_group_sum retained;
    uint64_t program_objects; // of those retained
} mc_owner_count;

typedef struct mc_owner_place {
    uint32_t parent; // a lower number; MC_NONE: none
    uint32_t root;   // mc_root_kind or MC_OWNER_SHARED; 0 if there is a parent
    uint32_t field;  // text of the words, of a root's name of the places' root_names; or MC_NONE
    uint32_t class;  // text of the words
    uint32_t group;  // the smallest with all objects; MC_NONE: not known
    uint32_t recent; // a place below it
    uint32_t example, example_size; // of root_names; vertices of its subtree
    mc_owner_count count, before;   // before: of a film, at its first moment
    bool has_name;                  // `field` is of root_names
} mc_owner_place;

typedef struct mc_owner_places {
    mc_owner_place *items; // each behind its parent
    uint32_t count;
    size_t capacity;
    mc_slots slots;
} mc_owner_places;

// Finds the place of each reachable object, which takes the place of its link in `facts`. To be
// deinitialised in any case.
mc_result mc_owner_places_init(mc_owner_places *places, mc_owner_facts *facts, mc_error *error);
void mc_owner_places_deinit(mc_owner_places *places);
